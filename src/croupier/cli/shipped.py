"""Where the documents and samples are: in the wheel, or in the checkout that they come from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

__all__ = ["sample_files", "topics"]

_PACKAGE: Final = Path(__file__).parents[1]


def _root() -> Path:
    shipped = _PACKAGE / "shipped"
    return shipped if shipped.is_dir() else _PACKAGE.parents[1]


def topics() -> Mapping[str, Path]:
    """Return the documents by topic, which is the name of the file, in alphabetical order."""
    documents = _root() / "docs"
    found = {path.stem: path for path in sorted(documents.glob("*.md"))}
    # The list of every clause and its tests comes from a command of its own.
    return {name: found[name] for name in found if name != "traceability"}


def sample_files() -> Mapping[str, Path]:
    """Return the sample files by the path under which the documents name them."""
    root = _root()
    found = (*root.glob("submissions/*.toml"), *root.glob("docs/examples/**/*.*"))
    return {path.relative_to(root).as_posix(): path for path in sorted(found) if path.is_file()}
