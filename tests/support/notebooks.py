"""The notebooks, each run anew in an empty folder.

``python -m support.notebooks``, run in ``tests``, saves what they give.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import nbformat
from nbclient import NotebookClient

from support.project import ROOT

NOTEBOOKS: Final = tuple(sorted((ROOT / "docs" / "notebooks").glob("*.ipynb")))


def run(path: Path, folder: Path) -> Any:
    """Run a notebook in a folder, as with the program on the path, and return it."""
    notebook: Any = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    before = os.environ["PATH"]
    os.environ["PATH"] = f"{Path(sys.executable).parent}{os.pathsep}{before}"
    try:
        NotebookClient(
            notebook, timeout=300, resources={"metadata": {"path": str(folder)}}
        ).execute()
    finally:
        os.environ["PATH"] = before
    for cell in notebook.cells:
        # When a cell ran is not what it gave.
        cell.metadata.pop("execution", None)
        for output in cell.get("outputs", ()):
            if "text/html" in output.get("data", {}):
                # What a page shows; the text of it may be the whole object.
                output.data.pop("text/plain", None)
    notebook.metadata["language_info"] = {"name": "python"}
    return notebook


def outputs(notebook: Any) -> Iterator[tuple[str, Any]]:
    """Yield what each cell gave: its source, what it printed, and what else is shown."""
    for cell in notebook.cells:
        shown = cell.get("outputs", ())
        # How soon a cell prints decides how many outputs its lines come in.
        if printed := "".join(output.get("text", "") for output in shown):
            yield cell.source, printed
        for output in shown:
            if "text" not in output:
                yield cell.source, dict(output.get("data", {}))


def main() -> None:
    for path in NOTEBOOKS:
        with TemporaryDirectory() as folder:
            nbformat.write(run(path, Path(folder)), path)  # type: ignore[no-untyped-call]


if __name__ == "__main__":
    main()
