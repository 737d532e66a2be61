"""Narration output: announcements, rulings, and money in distinct styles, with optional clauses."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

from croupier.cli.output import print_paragraph, visible
from croupier.records.narration import NarrationLine

if TYPE_CHECKING:
    from croupier.cli.documents import ToldLine

__all__ = ["line_data", "print_lines"]

_STYLES: Final = {"spoken": "bold", "card": "", "ruling": "cyan", "money": "green", "act": ""}
_INDENT: Final = 2


def print_lines(console: Console, lines: Iterable[NarrationLine], *, cite: bool) -> None:
    """Print lines, followed by their clauses in gray if ``cite`` is set.

    Clauses are shown without the prefix of their regulation, which the caller prints once.
    """
    for line in lines:
        style = _STYLES[line.kind]
        text = Text(visible(line.text), style=style)
        if cite and line.clauses:
            shown = ", ".join(clause.partition(":")[2] for clause in line.clauses)
            text.append(f"  [{shown}]", style="dim")
        print_paragraph(console, text, _INDENT)
        for detail in line.details:
            print_paragraph(console, Text(visible(detail), style=style), 2 * _INDENT)


def line_data(line: NarrationLine) -> ToldLine:
    """Return a line of narration as plain data."""
    return {
        "kind": line.kind,
        "text": line.text,
        "details": list(line.details),
        "clauses": list(line.clauses),
    }
