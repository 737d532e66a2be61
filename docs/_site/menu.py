"""The menu of the start page: a document that no group of it names joins the last one."""

from __future__ import annotations

import re
from pathlib import Path

from sphinx.application import Sphinx

__all__ = ["setup"]

_REST = "(documents of no other group)"


def setup(app: Sphinx) -> None:
    """Fill in the documents that the start page does not name."""
    app.connect("source-read", _fill_in)


def _fill_in(app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == app.config.root_doc:
        named = set(re.findall(r"^[\w/-]+$", source[0], flags=re.MULTILINE)) | {docname}
        found = {path.stem for path in Path(app.srcdir).glob("*.md")}
        source[0] = source[0].replace(_REST, "\n".join(sorted(found - named)))
