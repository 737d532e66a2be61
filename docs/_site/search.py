"""The search of the site: every section of every page, with guides before generated pages.

Sphinx's own search ranks whole pages by a word in their title, and shows no text without a server.
`_static/search.js` ranks the sections that are collected here.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from html import unescape
from pathlib import Path
from typing import Final

from docutils import nodes
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.builders.html import StandaloneHTMLBuilder

_WEIGHTS: Final[Mapping[str, float]] = {
    "tutorials/": 1.5,
    "cookbook": 1.5,
    "questions": 1.2,
    "command-line": 0.8,
    "table-log": 0.7,
    "law-rules": 0.6,
    "laws/": 0.5,
    "par-sheets/": 0.5,
    "adr/": 0.4,
    "reference/": 0.4,
    "traceability": 0.4,
    "api/": 0.25,
}
"""How much a hit on a page counts, by the beginning of its name; 1 for all others."""

_HIDDEN: Final = re.compile(r"<(style|svg|details|table|button)\b.*?</\1>|<[^>]*>", flags=re.DOTALL)
"""What a search does not look for: drawings, figures, what is folded away, and tags."""

Hit = tuple[str, str, str, str, str, float]


def setup(app: Sphinx) -> None:
    """Collect the sections of each page that is read, in place of Sphinx's own index."""
    app.connect("builder-inited", _replace)
    app.connect("doctree-read", _collect)
    app.connect("build-finished", _write)


def _replace(app: Sphinx) -> None:
    if isinstance(app.builder, StandaloneHTMLBuilder):
        app.builder.search = False


def _collect(app: Sphinx, tree: nodes.document) -> None:
    # Kept with the environment: a later build reads the changed pages alone.
    app.env.metadata[app.env.docname]["sections"] = list(_hits(tree, app.env.docname))


def _write(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        hits = [
            hit for name in sorted(app.env.found_docs) for hit in app.env.metadata[name]["sections"]
        ]
        text = json.dumps(hits, ensure_ascii=False, separators=(",", ":"))
        path = Path(app.outdir) / "_static" / "search-index.js"
        path.write_text(f"const SECTIONS = {text};\n", encoding="utf-8")


def _hits(tree: nodes.document, name: str) -> Iterator[Hit]:
    """Yield the sections of a page: page, target, title, title of the page, text, and weight."""
    weight = next((one for start, one in _WEIGHTS.items() if name.startswith(start)), 1.0)
    page = next((one.astext() for one in tree.findall(nodes.title)), name)
    for one in tree.findall(nodes.section):
        title = one.next_node(nodes.title)
        if title is not None:
            target = "" if one.parent is tree else one["ids"][0]
            yield name, target, title.astext(), page, _text(one), weight
    for one in tree.findall(addnodes.desc_signature):
        if one["ids"]:
            yield name, one["ids"][0], one["ids"][0], page, "", weight


def _text(section: nodes.section) -> str:
    """Return the text of a section without that of the sections in it."""
    parts = [
        _words(one) for one in section.children if not isinstance(one, nodes.section | nodes.title)
    ]
    return " ".join(" ".join(parts).split())


def _words(node: nodes.Node) -> str:
    if isinstance(node, nodes.raw):
        return unescape(_HIDDEN.sub(" ", node.astext()))
    if isinstance(node, addnodes.toctree | nodes.comment | addnodes.desc):
        return ""
    if node.children and not isinstance(node, nodes.TextElement):
        return " ".join(map(_words, node.children))
    return str(node.astext())
