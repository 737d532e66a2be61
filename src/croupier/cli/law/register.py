"""``croupier law interpretations``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import click

from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options
from croupier.cli.common.output import command_line, fail
from croupier.cli.common.text_named import texts_named
from croupier.cli.law.documents import LawInterpretations, ReadIntoLaws
from croupier.law.model import Instrument, Interpretation
from croupier.reports.law import register_tree
from croupier.rules.documents import made, of_law


@click.command("interpretations", short_help="Show which interpretations apply, and why.")
@click.argument("name", metavar="[ID]", required=False)
@click.option(
    "--law",
    "law_id",
    metavar="ID",
    help="Only entries that concern this regulation, with its clauses.",
)
@click.option(
    "--electable", is_flag=True, help="Only entries for which the licensee may elect a reading."
)
@document_options(*FORMS, to_file=FILES)
def show_register(
    name: str | None, law_id: str | None, output_format: str, *, electable: bool
) -> None:
    """Show the register of interpretations: which interpretations apply, and why.

    Each entry shows the question, the reading adopted, the alternatives that may be elected, and
    the affected rules; with --law, also their clauses. ID is the id of one entry, such as T03, or
    its name, such as disclosed_card.fate.
    """
    texts = texts_named(law_id)
    chosen = [
        entry
        for entry in _entries(name, texts)
        if (law_id is None or any(_about(entry, text) for text in texts))
        and (entry.readings or not electable)
    ]
    register: LawInterpretations = {
        "format": "croupier-law-interpretations/1",
        **made(command_line()),
        "interpretations": [entry_data(entry, texts) for entry in chosen],
    }
    give(register, partial(register_tree, clauses=law_id is not None), output_format)


def _entries(name: str | None, texts: Sequence[Instrument]) -> Sequence[Interpretation]:
    held = {one.id: one for text in texts for one in text.register.values()}
    if name is None:
        return tuple(held.values())
    found = [entry for entry in held.values() if name == entry.name or name.upper() == entry.id]
    if not found:
        fail(f"the register has no entry {name!r}; it has {', '.join(held)}")
    return found


def _about(entry: Interpretation, text: Instrument) -> bool:
    return entry.about(text.key, text.rules) or bool(_marked(entry, text))


def _marked(entry: Interpretation, text: Instrument) -> list[str]:
    return [clause.id for clause in text.clauses.values() if entry.id in clause.interpretations]


def _resting(entry: Interpretation, text: Instrument) -> Mapping[str, tuple[str, ...]]:
    if not entry.about(text.key, text.rules):
        return {}
    return {name: text.rules[name].cites for name in entry.rests if name in text.rules}


def entry_data(entry: Interpretation, texts: Sequence[Instrument]) -> ReadIntoLaws:
    return {
        "id": entry.id,
        "name": entry.name or None,
        "title": entry.title,
        "problem": entry.problem,
        "reading": entry.reading,
        "readings": dict(entry.readings),
        "standing": entry.standing.value,
        "acknowledge": entry.acknowledge,
        "warnings": dict(entry.warnings),
        "rests": list(entry.rests),
        "laws": [
            {
                **of_law(text),
                "clauses": _marked(entry, text),
                "rules": [
                    {"id": name, "cites": list(cited)}
                    for name, cited in _resting(entry, text).items()
                ],
            }
            for text in texts
            if _about(entry, text)
        ],
    }
