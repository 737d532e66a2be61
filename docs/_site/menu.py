"""The menus: of the start page, and beside each page.

The menu beside the pages is the same but for what is marked, and where its links lead from. The
theme makes it anew for each page, which takes half of a build: here the theme makes it once.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from typing import Any

from docutils.nodes import document
from furo.navigation import get_navigation_tree
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder
from sphinx.environment.adapters.toctree import global_toctree_for_doc

__all__ = ["setup"]

_REST = "(documents of no other group)"
_ENTRY = re.compile(
    r'<li class="toctree-l(\d)((?: has-children)?)"><a class="reference internal" '
    r'href="([^"]+)\.html">(.*?)</a>((?:<input aria-label="[^"]*")?)'
)
"""A page in the menu: its level, if others are below it, its name, its title, and their box."""


def setup(app: Sphinx) -> None:
    """Have a document that no group names join the last one, and the menu made once."""
    app.connect("source-read", _fill_in)
    app.connect("html-page-context", _leave_out_menu, priority=400)
    app.connect("html-page-context", _give_menu, priority=600)


def _fill_in(app: Sphinx, docname: str, source: list[str]) -> None:
    if docname == app.config.root_doc:
        named = set(re.findall(r"^[\w./-]+$", source[0], flags=re.MULTILINE)) | {docname}
        found = {path.stem for path in Path(app.srcdir).glob("*.md")}
        source[0] = source[0].replace(_REST, "\n".join(sorted(found - named)))


def _leave_out_menu(
    _app: Sphinx, _page: str, _template: str, context: dict[str, Any], _tree: document | None
) -> None:
    if "toctree" in context:
        context["toctree"] = lambda **_options: ""


def _give_menu(
    app: Sphinx, page: str, _template: str, context: dict[str, Any], _tree: document | None
) -> None:
    builder = app.builder
    if isinstance(builder, StandaloneHTMLBuilder) and "toctree" in context:
        context["furo_navigation_tree"] = _menu(builder, page)


def _menu(builder: StandaloneHTMLBuilder, page: str) -> str:
    whole, above = _whole(builder)
    marked = {page, *above.get(page, ())}

    def entry(match: re.Match[str]) -> str:
        level, parent, name, title, box = match.groups()
        kind = "current reference internal" if name == page else "reference internal"
        link = "#" if name == page else builder.get_relative_uri(page, name)
        here = f" current{parent}" if name in marked else parent
        here += " current-page" if name == page else ""
        box += ' checked=""' if box and name in marked else ""
        return (
            f'<li class="toctree-l{level}{here}"><a class="{kind}" href="{link}">{title}</a>{box}'
        )

    return _ENTRY.sub(entry, whole)


@lru_cache(maxsize=1)
def _whole(builder: StandaloneHTMLBuilder) -> tuple[str, dict[str, list[str]]]:
    """Return the menu as the start page has it, and the pages above each page in it."""
    start = builder.config.root_doc
    tree = global_toctree_for_doc(
        builder.env, start, builder, tags=builder.tags, maxdepth=-1, titles_only=True
    )
    whole = get_navigation_tree(builder.render_partial(tree)["fragment"])
    above, trail = dict[str, list[str]](), list[str]()
    for level, _, name, *_ in _ENTRY.findall(whole):
        trail = trail[: int(level) - 1]
        above[name] = trail
        trail = [*trail, name]
    return whole, above
