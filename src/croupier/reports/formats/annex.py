"""The annex of a page: exact fractions, which make its tables too wide."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from croupier.reports.formats.columns import texts_of
from croupier.reports.tree import DataTable, FactItem, FactList, Figure, Node, Section, Tree

_COLUMNS: Final = (
    Figure("of", "Wager"),
    Figure("what", "Figure"),
    Figure("fraction", "Exact fraction"),
)


def with_annex(tree: Tree) -> Tree:
    """Return a document with its exact fractions in an annex.

    >>> chance = FactItem(Figure("hits", "Hits", "percent"), Fraction(1, 8), exact=True)
    >>> *_, annex = with_annex(Tree("", "", [Section("Tie", [FactList([chance])])], {})).nodes
    >>> annex.nodes[0].rows
    [('Tie', 'Hits', '1/8')]
    """
    rows: list[Sequence[str]] = []
    nodes = [_without_fractions(one, tree.title, rows) for one in tree.nodes]
    if not rows:
        return tree
    annex = Section("Annex: exact fractions", [DataTable(_COLUMNS, rows)], together=False)
    return replace(tree, nodes=[*nodes, annex])


def _without_fractions(node: Node, title: str, rows: list[Sequence[str]]) -> Node:
    match node:
        case Section():
            nodes = [_without_fractions(one, node.title, rows) for one in node.nodes]
            return replace(node, nodes=nodes)
        case FactList():
            rows += [(title, one.figure.title, one.fraction) for one in node.facts if one.fraction]
            return replace(node, facts=[replace(one, exact=False) for one in node.facts])
        case DataTable(columns=columns):
            exact = [at for at, one in enumerate(columns) if one.exact]
            kept = [at for at in range(len(columns)) if at not in exact]
            for row in node.rows:
                texts = texts_of(columns, row)
                named = [(f"{texts[0]}: {columns[at].title}", texts[at]) for at in exact]
                rows += [(title, what, fraction) for what, fraction in named if fraction]
            return replace(
                node,
                columns=[columns[at] for at in kept],
                rows=[[row[at] for at in kept] for row in node.rows],
                foot=[node.foot[at] for at in kept] if node.foot else (),
            )
    return node
