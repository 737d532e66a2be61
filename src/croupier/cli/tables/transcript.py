"""Narration output, with optional clauses."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from rich.console import Console
from rich.text import Text

from croupier.cli.common.output import print_paragraph
from croupier.files.streams import visible
from croupier.law.model import Instrument
from croupier.law.standing import standing_note, standings
from croupier.records.narration import NarrationLine

if TYPE_CHECKING:
    from croupier.cli.common.documents import ToldLine

_STYLES: Final = {"spoken": "bold", "card": "", "ruling": "cyan", "money": "green", "act": ""}
_INDENT: Final = 2
_RED: Final = re.compile(r"(?:10|[2-9AJQK])[♦♥]")


def print_lines(
    console: Console, lines: Iterable[NarrationLine], cite: Instrument | None = None
) -> None:
    """Print lines, with clauses in gray and without their prefix if a regulation is given."""
    for line in lines:
        style = _STYLES[line.kind]
        text = _colored(line.text, style)
        if cite is not None and line.clauses:
            notes = ", ".join(standing_note(cite, clause) for clause in line.clauses)
            text.append(f"  [{notes}]", style="dim")
        print_paragraph(console, text, _INDENT)
        for detail in line.details:
            print_paragraph(console, _colored(detail, style), 2 * _INDENT)


def print_disclaimer(console: Console) -> None:
    text = "Croupier makes no claim about current law, and no money is real."
    console.print(Text(text, style="dim"))


def print_texts(console: Console, texts: Iterable[str], style: str = "", margin: int = 0) -> None:
    """Print lines with red suits in color; ``margin`` indents their continuations."""
    for text in texts:
        print_paragraph(console, _colored(text, style), 0, margin)


def _colored(line: str, style: str) -> Text:
    text = Text(visible(line), style=style)
    text.highlight_regex(_RED, "red")
    return text


def line_data(line: NarrationLine, law: Instrument) -> ToldLine:
    return {
        "kind": line.kind,
        "text": line.text,
        "details": list(line.details),
        "clauses": list(line.clauses),
        "standings": standings(law, line.clauses),
    }
