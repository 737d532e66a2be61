"""``croupier law history``: when a regulation was amended, and which versions are included."""

from __future__ import annotations

import click

from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options
from croupier.cli.common.output import command_line
from croupier.cli.common.text_named import texts_named
from croupier.cli.law.documents import LawHistory, LawSpan
from croupier.cli.law.naming import head
from croupier.law.history import Span, history
from croupier.reports.law import law_history_tree
from croupier.rules.documents import made


@click.command("history", short_help="List when a regulation was amended.")
@click.argument("law_id", metavar="ID")
@document_options(*FORMS, to_file=FILES)
def show_history(law_id: str, output_format: str) -> None:
    """List when a regulation was amended, and which versions of it are included.

    Each date shows the sections amended and the order that amended them, as far as the included
    versions record it. For a date without an included version, Croupier makes no claim.
    """
    law_history = history(texts_named(law_id.partition("@")[0]))
    document: LawHistory = {
        "format": "croupier-law-history/1",
        **made(command_line()),
        "law": law_history.id,
        "spans": [_span_data(span) for span in law_history.spans],
        "days": [
            {
                "on": day.on.isoformat(),
                "held": day.held is not None,
                "amendments": [
                    {"sections": list(one.sections), "by": one.by, "note": one.note}
                    for one in day.amendments
                ],
            }
            for day in law_history.days
        ],
    }
    give(document, law_history_tree, output_format)


def _span_data(span: Span) -> LawSpan:
    return {
        "from": None if span.first is None else span.first.isoformat(),
        "to": None if span.last is None else span.last.isoformat(),
        "law": None
        if span.text is None
        else {**head(span.text), "clauses": len(span.text.clauses)},
    }
