"""``croupier law elections``."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

import click

from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options
from croupier.cli.common.output import command_line
from croupier.cli.common.text_named import as_of_option, text_named
from croupier.cli.law.documents import ChoiceOfLaw, ConstraintOfLaw, ElectionOfLaw, LawElections
from croupier.cli.law.naming import head
from croupier.cli.law.register import entry_data
from croupier.cli.law.texts import rule_data
from croupier.law.model import Constraint, Instrument, Interpretation, Rule
from croupier.law.resolve import AsOf
from croupier.law.standing import entries_about
from croupier.law.wording import condition_in_words, constraint_in_words
from croupier.reports.law import law_elections_tree
from croupier.rules.documents import made


@click.command("elections", short_help="List what a regulation leaves to the licensee.")
@click.argument("law_id", metavar="ID")
@as_of_option
@document_options(*FORMS, to_file=FILES)
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
        "constraints": [_constraint_data(text, constraint) for constraint in text.constraints],
        "readings": [entry_data(entry, [text]) for entry in _readings(text)],
    }
    give(document, law_elections_tree, output_format)


def _readings(text: Instrument) -> Sequence[Interpretation]:
    register = text.register.values()
    return [entry for entry in register if entry.readings and entry.about(text.key, text.rules)]


def _bounds(rule: Rule) -> tuple[object, object]:
    # What is beside this command shows a clause without the rules of a table, which take longer.
    from croupier.rules import as_elected  # noqa: PLC0415

    least, most = (rule.at_least, None) if rule.between is None else rule.between
    return (
        None if least is None else as_elected(rule, least),
        None if most is None else as_elected(rule, most),
    )


def _choices(text: Instrument, rule: Rule) -> Iterator[tuple[Any, Sequence[str]]]:
    from croupier.rules import choices_of, clauses_of_choice  # noqa: PLC0415  (as above)

    for choice in choices_of(rule):
        yield choice, clauses_of_choice(text, rule, choice)


def _election_data(text: Instrument, rule: Rule) -> ElectionOfLaw:
    least, most = _bounds(rule)
    choices: list[ChoiceOfLaw] = [
        {"choice": one, "cites": list(clauses)} for one, clauses in _choices(text, rule)
    ]
    return {
        **rule_data(rule, text),
        "choices": choices,
        "minimum": least,
        "maximum": most,
        "or_better": bool(rule.at_least_any),
        "default": rule.default,
        "may_be_left_out": rule.may_be_left_out,
        "only_with": condition_in_words(rule.applies_when, text) or None,
        "interpretations": [entry.id for entry in entries_about(text, rule.id)],
    }


def _constraint_data(text: Instrument, constraint: Constraint) -> ConstraintOfLaw:
    return {
        "id": constraint.id,
        "kind": constraint.kind.value,
        "says": constraint.says,
        "binds": constraint_in_words(constraint, text),
        "cites": list(constraint.cites),
    }
