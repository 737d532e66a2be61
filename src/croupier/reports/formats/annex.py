"""The annex of a page: exact fractions, which make its tables too wide."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from msgspec.structs import replace

from croupier.reports.formats.columns import texts_of
from croupier.reports.tree import DataTable, FactList, Figure, Node, Section, Tree

_COLUMNS: Final = [Figure(name, name) for name in ("Wager", "Figure", "Exact fraction")]


def with_annex(tree: Tree) -> Tree:
    rows: list[Sequence[str]] = []
    nodes = [_decimal(node, tree.title, rows) for node in tree.nodes]
    if not rows:
        return tree
    annex = Section("Annex: exact fractions", [DataTable(_COLUMNS, rows)], together=False)
    return replace(tree, nodes=[*nodes, annex])


def _decimal(node: Node, title: str, rows: list[Sequence[str]]) -> Node:
    match node:
        case Section():
            return replace(node, nodes=[_decimal(one, node.title, rows) for one in node.nodes])
        case FactList():
            rows += [(title, one.figure.title, one.fraction) for one in node.facts if one.fraction]
            return replace(node, facts=[replace(one, exact=False) for one in node.facts])
        case DataTable(columns=columns):
            for row in node.rows:
                named, *_ = texts = texts_of(columns, row)
                rows += [
                    (title, f"{named}: {one.title}", text)
                    for one, text in zip(columns, texts, strict=True)
                    if one.exact and text
                ]
            hidden = [replace(one, hidden=one.hidden or one.exact) for one in columns]
            return replace(node, columns=hidden)
    return node
