"""``croupier law history``: when a regulation was amended, and which versions are included."""

from __future__ import annotations

import click

from croupier.cli.common.files import document_options
from croupier.cli.common.output import (
    blank,
    command_line,
    headline,
    plain_table,
    print_json,
    print_table,
    print_text,
)
from croupier.cli.common.text_named import texts_named
from croupier.cli.law.documents import LawHistory, LawSpan
from croupier.cli.law.naming import head
from croupier.law.history import Day, History, Span, history
from croupier.law.model import Amendment, Instrument
from croupier.rules.documents import made


@click.command("history", short_help="List when a regulation was amended.")
@click.argument("law_id", metavar="ID")
@document_options("text", "json")
def show_history(law_id: str, output_format: str) -> None:
    """List when a regulation was amended, and which versions of it are included.

    Each date shows the sections amended and the order that amended them, as far as the included
    versions record it. For a date without an included version, Croupier makes no claim.
    """
    told = history(texts_named(law_id.partition("@")[0]))
    if output_format == "json":
        _print_as_json(told)
        return
    headline(told.id)
    table = plain_table("Days", "Included versions")
    for span in told.spans:
        table.add_row(_days(span), _held(span))
    print_table(table)
    blank()
    if not told.days:
        print_text("No included version records an amendment.")
        return
    table = plain_table("Amended", "Included", "Sections", "Amendments on record")
    for day in told.days:
        first = (str(day.on), _extent(day.held))
        for number, line in enumerate(_lines(day)):
            table.add_row(*(("", "") if number else first), *line)
    print_table(table)


def _days(span: Span) -> str:
    if span.first is None:
        return f"until {span.last}"
    if span.last is None:
        return f"from {span.first}"
    return f"{span.first} to {span.last}" if span.first < span.last else str(span.first)


def _held(span: Span) -> str:
    if span.text is not None:
        excerpt = ", an excerpt" if span.text.partial else ""
        return f"{span.text.key}, {len(span.text.clauses)} clauses{excerpt}"
    return (
        "not included"
        if span.last is not None
        else "not included; Croupier makes no claim about later law"
    )


def _extent(text: Instrument | None) -> str:
    if text is None:
        return "no"
    return "excerpt" if text.partial else "whole"


def _lines(day: Day) -> list[tuple[str, str]]:
    told = [(", ".join(one.sections), _words(one)) for one in day.amendments]
    return told or [("not recorded", "")]


def _words(one: Amendment) -> str:
    return ". ".join(part for part in (one.by, one.note) if part is not None)


def _print_as_json(told: History) -> None:
    document: LawHistory = {
        "format": "croupier-law-history/1",
        **made(command_line()),
        "law": told.id,
        "spans": [_span_data(span) for span in told.spans],
        "days": [
            {
                "on": day.on.isoformat(),
                "held": day.held is not None,
                "amendments": [
                    {"sections": list(one.sections), "by": one.by, "note": one.note}
                    for one in day.amendments
                ],
            }
            for day in told.days
        ],
    }
    print_json(document)


def _span_data(span: Span) -> LawSpan:
    return {
        "from": None if span.first is None else span.first.isoformat(),
        "to": None if span.last is None else span.last.isoformat(),
        "law": None if span.text is None else head(span.text),
    }
