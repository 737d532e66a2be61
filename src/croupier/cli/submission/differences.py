"""``croupier submission diff``: what differs between two submissions, and the notices due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING

import click

from croupier.cli.common.files import document_options, give, input_file
from croupier.cli.common.helping import HelpGroup
from croupier.cli.common.output import command_line
from croupier.cli.submission.consequences import (
    cites_of,
    edges_of,
    elected_of,
    of_priced,
    procedures_of,
)
from croupier.cli.submission.rules import rules_of
from croupier.law.model import Constraint, ConstraintKind, condition_holds
from croupier.odds.sheet import fraction
from croupier.reports.differences import submission_diff_tree
from croupier.rules import Limit, TableLayout, TableRules
from croupier.rules.documents import made
from croupier.table.elections.notice import changes_in, wanting_notice

if TYPE_CHECKING:
    from croupier.cli.submission import documents


def differences(
    files: tuple[Path, Path], tables: tuple[TableRules, TableRules]
) -> documents.SubmissionDifferences:
    """Return the differences of two submissions.

    Notices, moments, and uniformity are those of the new regulation; a change to another regulation
    has none.
    """
    old, new = tables
    same_law = old.law.id == new.law.id
    return {
        "format": "croupier-submission-diff/1",
        **made(command_line()),
        "old": _named(files[0], old),
        "new": _named(files[1], new),
        "elections": list(_elections(old, new)),
        "limits": list(_limits(old, new)),
        "table": list(_facts(old, new)),
        "readings": list(_readings(old, new)),
        "edges": list(_edges(old, new)),
        "procedures": list(_procedures(old, new)),
        "notices": list(_notices(old, new)) if same_law else [],
        "moments": list(_moments(old, new)) if same_law else [],
        "uniformity": list(_uniformity(old, new)) if same_law else [],
    }


def _named(file: Path, rules: TableRules) -> documents.SubmissionNamed:
    return {"file": str(file), **of_priced(rules)}


def _elections(old: TableRules, new: TableRules) -> Iterator[documents.ChangedElection]:
    sides = elected_of(old), elected_of(new)
    rules = {rule.id: rule for rule in (*old.law.elections, *new.law.elections)}
    for rule in rules.values():
        was, becomes = (side.get(rule.id) for side in sides)
        if was != becomes or old.settled.get(rule.id) != new.settled.get(rule.id):
            yield {
                "id": rule.id,
                "title": rule.title,
                "old": was,
                "new": becomes,
                "old_cites": cites_of(old, rule.id, was),
                "new_cites": cites_of(new, rule.id, becomes),
            }


def _limits(old: TableRules, new: TableRules) -> Iterator[documents.ChangedLimits]:
    sides = (
        {name: offer.limit for name, offer in old.offers.items()},
        {name: offer.limit for name, offer in new.offers.items()},
    )
    for wager in dict.fromkeys((*old.offers, *new.offers)):
        was, becomes = (side.get(wager) for side in sides)
        if was != becomes:
            yield {
                "wager": wager,
                "title": _title(wager, old, new),
                "old": _limit(was),
                "new": _limit(becomes),
            }


def _limit(limit: Limit | None) -> documents.LimitsOfWager | None:
    if limit is None:
        return None
    return {"min_cents": limit.min_cents, "max_cents": limit.max_cents}


def _title(wager: str, *tables: TableRules) -> str:
    return next(rules.wagers[wager].title for rules in tables if wager in rules.wagers)


def _facts(old: TableRules, new: TableRules) -> Iterator[documents.ChangedFact]:
    sides = [_facts_of(rules) for rules in (old, new)]
    for key in sides[0]:
        if sides[0][key] != sides[1][key]:
            yield {"key": key, "old": sides[0][key], "new": sides[1][key]}


def _facts_of(rules: TableRules) -> Mapping[str, str]:
    layout = rules.submission.layout
    facts = {"regulation": rules.law.key, "title": rules.submission.title}
    facts["drawing_table"] = rules.submission.drawing_table
    for name in TableLayout.__match_args__:
        facts[name] = str(getattr(layout, name))
    return facts


def _readings(old: TableRules, new: TableRules) -> Iterator[documents.ChangedReading]:
    register = {**old.law.register, **new.law.register}
    for entry_id in dict.fromkeys((*old.readings, *new.readings)):
        was, becomes = old.readings.get(entry_id), new.readings.get(entry_id)
        if was != becomes:
            entry = register[entry_id]
            yield {
                "id": entry_id,
                "title": entry.title,
                "old": was,
                "new": becomes,
                "old_says": None if was is None else entry.says(was),
                "new_says": None if becomes is None else entry.says(becomes),
            }


def _edges(old: TableRules, new: TableRules) -> Iterator[documents.ChangedEdge]:
    sides = edges_of(old), edges_of(new)
    for wager in dict.fromkeys((*sides[0], *sides[1])):
        was, becomes = (side.get(wager) for side in sides)
        change = None if was is None or becomes is None else becomes - was
        yield {
            "wager": wager,
            "title": _title(wager, old, new),
            "old": None if was is None else fraction(was),
            "new": None if becomes is None else fraction(becomes),
            "change": None if change is None else fraction(change),
            "old_percent": None if was is None else float(was * 100),
            "new_percent": None if becomes is None else float(becomes * 100),
            "change_percent": None if change is None else float(change * 100),
        }


def _procedures(old: TableRules, new: TableRules) -> Iterator[documents.ChangedProcedure]:
    sides = procedures_of(old), procedures_of(new)
    for rule_id in dict.fromkeys((*sides[0], *sides[1])):
        if (rule_id in sides[0]) != (rule_id in sides[1]):
            begins = rule_id in sides[1]
            rule = sides[begins][rule_id]
            yield {
                "id": rule_id,
                "says": rule.does or rule.title,
                "change": "begins" if begins else "ends",
                "cites": list(rule.cites),
            }


def _notices(old: TableRules, new: TableRules) -> Iterator[documents.DueNotice]:
    seen = set()
    for change in changes_in(new.law, old.settled, new.settled):
        for constraint in wanting_notice(change):
            # A change under several constraints is found once for each of them.
            if (change.rule.id, constraint.id) in seen:
                continue
            seen.add((change.rule.id, constraint.id))
            value = change.after
            yield {
                "election": change.rule.id,
                "value": "" if value is None else change.rule.written(value),
                "says": constraint.says,
                "to": list(constraint.to),
                "minutes": constraint.minutes,
                "cites": list(constraint.cites),
                "citations": list(dict.fromkeys(map(new.law.speak, constraint.cites))),
            }


def _constraints(
    kind: ConstraintKind, old: TableRules, new: TableRules, *, again: bool
) -> Iterator[tuple[Constraint, list[str]]]:
    """``again`` leaves out what is elected for the first time."""
    for constraint in new.law.constraints:
        if constraint.kind is not kind or not condition_holds(constraint.when, new.settled):
            continue
        changed = [
            name
            for name in constraint.rules
            if new.settled.get(name) != old.settled.get(name)
            and (name in new.settled or name in old.settled)
            and not (again and name not in old.settled)
        ]
        if changed:
            yield constraint, changed


def _moments(old: TableRules, new: TableRules) -> Iterator[documents.DueMoment]:
    for constraint, changed in _constraints(ConstraintKind.MOMENT, old, new, again=True):
        yield {
            "elections": changed,
            "says": constraint.says,
            "moment": "round" if constraint.moment == "round" else "submission",
            "cites": list(constraint.cites),
        }


def _uniformity(old: TableRules, new: TableRules) -> Iterator[documents.DueUniformity]:
    for constraint, changed in _constraints(ConstraintKind.UNIFORM, old, new, again=False):
        yield {
            "elections": changed,
            "says": constraint.says,
            "across": "pit" if constraint.across == "pit" else "licensee",
            "cites": list(constraint.cites),
        }


@click.command("diff", short_help="List what differs between two submissions, and notices due.")
@click.argument("old", type=input_file)
@click.argument("new", type=input_file)
@document_options()
def diff(old: Path, new: Path, output_format: str) -> None:
    """List what differs between the submissions OLD and NEW: elections, limits, layout, readings,
    procedures, and the house edge of every wager.

    The notices that the regulation requires before the change are listed with their addressees,
    how long before, and their clauses, along with when the elections may change and which tables
    must change with them. Exit status: 2 if a submission is refused.
    """  # noqa: D205  (the command's help is its first paragraph)
    found = differences((old, new), (rules_of(old), rules_of(new)))
    give(found, submission_diff_tree, output_format)


@click.group(cls=HelpGroup)
def submission() -> None:
    """Compare rules submissions."""


submission.add_command(diff)
