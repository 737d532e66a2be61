"""The notebooks as pages: their text, their code, and the output that they were saved with."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from sphinx.application import Sphinx

from _site.pages import make_pages

__all__ = ["setup"]

_NOTEBOOKS = Path(__file__).parents[1] / "notebooks"


def setup(app: Sphinx) -> None:
    """Add a page for each notebook."""
    make_pages(app, "converted", _pages)


def _pages() -> Mapping[str, str]:
    return {f"{path.stem}.md": "\n".join(_page(path)) + "\n" for path in _NOTEBOOKS.glob("*.ipynb")}


def _page(path: Path) -> Iterator[str]:
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        source = "".join(cell["source"])
        if cell["cell_type"] == "markdown":
            yield source
        elif cell["cell_type"] == "code":
            yield f"```python\n{source}\n```"
            for output in cell["outputs"]:
                yield ""
                yield from _output(output)
        yield ""


def _output(output: Mapping[str, Any]) -> Iterator[str]:
    """Yield what a cell gave: a picture or a table as HTML, or else text."""
    if output["output_type"] == "stream":
        yield f"```text\n{''.join(output['text']).rstrip()}\n```"
        return
    data = output["data"]
    for kind in ("image/svg+xml", "text/html"):
        if kind in data:
            text = "".join(data[kind])
            # A blank line would end the block of HTML.
            lines = "\n".join(line for line in text.splitlines() if line.strip())
            yield f'<div class="output" tabindex="0">\n{lines}\n</div>'
            return
    yield f"```text\n{''.join(data['text/plain']).rstrip()}\n```"
