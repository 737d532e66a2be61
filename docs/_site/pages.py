"""Pages that are made for one build, below `docs`, and taken away after it."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Mapping
from pathlib import Path

from sphinx.application import Sphinx


def make_pages(app: Sphinx, folder: str, pages: Callable[[], Mapping[str, str]]) -> None:
    """Write the pages to a folder when the build begins, and remove the folder at its end."""

    def write(app: Sphinx) -> None:
        target = Path(app.srcdir) / folder
        for name, text in pages().items():
            path = target / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")

    def remove(app: Sphinx, error: Exception | None) -> None:
        del error
        shutil.rmtree(Path(app.srcdir) / folder, ignore_errors=True)

    app.connect("builder-inited", write, priority=100)
    app.connect("build-finished", remove)
