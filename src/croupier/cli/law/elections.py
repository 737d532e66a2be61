"""``croupier law elections`` and ``interpretations``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import partial

import click

from croupier.cli.common.arguments import as_of_option, head, text_named, texts_named
from croupier.cli.common.files import document_options, give
from croupier.cli.common.output import command_line, fail
from croupier.cli.law.documents import (
    ChoiceOfLaw,
    ConstraintOfLaw,
    ElectionOfLaw,
    LawElections,
    LawInterpretations,
    ReadIntoLaws,
)
from croupier.cli.law.texts import rule_data
from croupier.law.interpretations import registered
from croupier.law.model import Instrument, Interpretation, Rule
from croupier.law.resolve import AsOf
from croupier.law.standing import entries_about
from croupier.law.wording import condition_in_words, constraint_in_words
from croupier.reports.law import law_elections_tree, register_tree
from croupier.rules.documents import fields_of, made, of_law


@click.command("elections", short_help="List what a regulation leaves to the licensee.")
@click.argument("law_id", metavar="ID")
@as_of_option
@document_options()
def show_elections(law_id: str, as_of: AsOf | None, output_format: str) -> None:
    """List every rule that the licensee elects under a regulation.

    Name the day: place/game@2001-01-16 or place/game@latest, or --as-of. Each election is shown
    with its choices or bounds, its default, when it applies, its clauses, and its standing. The
    constraints between elections and the readings that may be elected follow. `croupier new ID`
    writes a submission with all of them.
    """
    text = text_named(law_id, as_of)
    document: LawElections = {
        "format": "croupier-law-elections/1",
        **made(command_line()),
        **head(text),
        "elections": [_election_data(text, rule) for rule in text.elections],
        "constraints": [
            fields_of(ConstraintOfLaw, constraint, binds=constraint_in_words(constraint, text))
            for constraint in text.constraints
        ],
        "readings": [
            entry_data(entry, [text]) for entry in text.concerned.values() if entry.readings
        ],
    }
    give(document, law_elections_tree, output_format)


def _election_data(text: Instrument, rule: Rule) -> ElectionOfLaw:
    # What is beside this command shows a clause without the rules of a table, which take longer.
    from croupier.rules import as_elected, choices_of, clauses_of_choice  # noqa: PLC0415

    bounds = (rule.at_least, None) if rule.between is None else rule.between
    minimum, maximum = (None if bound_ is None else as_elected(rule, bound_) for bound_ in bounds)
    choices: list[ChoiceOfLaw] = [
        {"choice": choice, "cites": list(clauses_of_choice(text, rule, choice))}
        for choice in choices_of(rule)
    ]
    return {
        **rule_data(rule, text),
        "choices": choices,
        "minimum": minimum,
        "maximum": maximum,
        "or_better": bool(rule.at_least_any),
        "default": rule.default,
        "may_be_left_out": rule.may_be_left_out,
        "only_with": condition_in_words(rule.applies_when, text) or None,
        "interpretations": [entry.id for entry in entries_about(text, rule.id)],
    }


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
@document_options()
def show_register(
    name: str | None, law_id: str | None, output_format: str, *, electable: bool
) -> None:
    """Show the register of interpretations: which interpretations apply, and why.

    Each entry shows the question, the reading adopted, the alternatives that may be elected, and
    the affected rules; with --law, also their clauses. ID is the id of one entry, such as T03, or
    its name, such as disclosed_card.fate.
    """
    texts = texts_named(law_id)
    entries = [
        entry
        for entry in _entries(name, texts)
        if (law_id is None or any(_about(entry, text) for text in texts))
        and (entry.readings or not electable)
    ]
    register: LawInterpretations = {
        "format": "croupier-law-interpretations/1",
        **made(command_line()),
        "interpretations": [entry_data(entry, texts) for entry in entries],
    }
    give(register, partial(register_tree, clauses=law_id is not None), output_format)


def _entries(name: str | None, texts: Sequence[Instrument]) -> Sequence[Interpretation]:
    by_id = registered(texts)
    if name is None:
        return tuple(by_id.values())
    matches = [entry for entry in by_id.values() if name == entry.name or name.upper() == entry.id]
    if not matches:
        fail(f"the register has no entry {name!r}; it has {', '.join(by_id)}")
    return matches


def _about(entry: Interpretation, text: Instrument) -> bool:
    return entry.about(text.key, text.rules) or bool(_marked(entry, text))


def _marked(entry: Interpretation, text: Instrument) -> list[str]:
    return [clause.id for clause in text.clauses.values() if entry.id in clause.interpretations]


def _resting(entry: Interpretation, text: Instrument) -> Mapping[str, tuple[str, ...]]:
    if not entry.about(text.key, text.rules):
        return {}
    return {name: text.rules[name].cites for name in entry.rests if name in text.rules}


def entry_data(entry: Interpretation, texts: Sequence[Instrument]) -> ReadIntoLaws:
    laws = [
        {
            **of_law(text),
            "clauses": _marked(entry, text),
            "rules": [
                {"id": name, "cites": list(cites)} for name, cites in _resting(entry, text).items()
            ],
        }
        for text in texts
        if _about(entry, text)
    ]
    return fields_of(ReadIntoLaws, entry, name=entry.name or None, laws=laws)
