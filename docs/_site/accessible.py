"""What the theme leaves out for screen readers and keyboards, put into the built pages."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

from sphinx.application import Sphinx

__all__ = ["setup"]

_ADDED: Final[Mapping[str, str]] = {
    # A heading has a level, two landmarks of one kind have names, and what scrolls takes the focus.
    '<p class="caption" role="heading">': '<p class="caption" role="heading" aria-level="2">',
    '<aside class="sidebar-drawer">': '<aside class="sidebar-drawer" aria-label="Menu">',
    '<aside class="toc-drawer': '<aside aria-label="On this page" class="toc-drawer',
    '<div class="table-wrapper': '<div tabindex="0" class="table-wrapper',
    '<div class="highlight"><pre>': '<div class="highlight"><pre tabindex="0">',
}


def setup(app: Sphinx) -> None:
    """Complete the pages when they are written."""
    app.connect("build-finished", _complete)


def _complete(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        for path in Path(app.outdir).rglob("*.html"):
            text = completed = path.read_text(encoding="utf-8")
            for plain, full in _ADDED.items():
                completed = completed.replace(plain, full)
            if completed != text:
                path.write_text(completed, encoding="utf-8")
