"""``croupier submission diff``: what differs between two submissions, and the notices due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

import click

from croupier.cli.common.files import document_options, give, input_file
from croupier.cli.common.helping import HelpGroup
from croupier.cli.common.output import command_line
from croupier.cli.submission import documents
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
from croupier.rules.documents import fields_of, made
from croupier.table.elections.notice import changes_in, wanting_notice


def differences(
    files: tuple[Path, Path], tables: tuple[TableRules, TableRules]
) -> documents.SubmissionDifferences:
    """Notices, moments, and uniformity are of the new regulation; another one has none."""
    old_rules, new_rules = tables
    same_law = old_rules.law.id == new_rules.law.id
    return {
        "format": "croupier-submission-diff/1",
        **made(command_line()),
        "old": _named(files[0], old_rules),
        "new": _named(files[1], new_rules),
        "elections": list(_elections(old_rules, new_rules)),
        "limits": list(_limits(old_rules, new_rules)),
        "table": list(_facts(old_rules, new_rules)),
        "readings": list(_readings(old_rules, new_rules)),
        "edges": list(_edges(old_rules, new_rules)),
        "procedures": list(_procedures(old_rules, new_rules)),
        "notices": list(_notices(old_rules, new_rules)) if same_law else [],
        "moments": [
            fields_of(documents.DueMoment, constraint, elections=names)
            for constraint, names in _constraints(ConstraintKind.MOMENT, *tables, needs_old=True)
            if same_law
        ],
        "uniformity": [
            fields_of(documents.DueUniformity, constraint, elections=names)
            for constraint, names in _constraints(ConstraintKind.UNIFORM, *tables, needs_old=False)
            if same_law
        ],
    }


def _named(file: Path, rules: TableRules) -> documents.SubmissionNamed:
    return {"file": str(file), **of_priced(rules)}


def _elections(old_rules: TableRules, new_rules: TableRules) -> Iterator[documents.ChangedElection]:
    sides = elected_of(old_rules), elected_of(new_rules)
    rules = {rule.id: rule for rule in (*old_rules.law.elections, *new_rules.law.elections)}
    for rule in rules.values():
        was, becomes = (side.get(rule.id) for side in sides)
        if was != becomes or old_rules.settled.get(rule.id) != new_rules.settled.get(rule.id):
            yield {
                "id": rule.id,
                "title": rule.title,
                "old": was,
                "new": becomes,
                "old_cites": cites_of(old_rules, rule.id, was),
                "new_cites": cites_of(new_rules, rule.id, becomes),
            }


def _limits(old_rules: TableRules, new_rules: TableRules) -> Iterator[documents.ChangedLimits]:
    sides = (
        {name: offer.limit for name, offer in old_rules.offers.items()},
        {name: offer.limit for name, offer in new_rules.offers.items()},
    )
    for wager in dict.fromkeys((*old_rules.offers, *new_rules.offers)):
        was, becomes = (side.get(wager) for side in sides)
        if was != becomes:
            yield {
                "wager": wager,
                "title": _title(wager, old_rules, new_rules),
                "old": _limit(was),
                "new": _limit(becomes),
            }


def _limit(limit: Limit | None) -> documents.LimitsOfWager | None:
    if limit is None:
        return None
    return {"min_cents": limit.min_cents, "max_cents": limit.max_cents}


def _title(wager: str, *tables: TableRules) -> str:
    return next(rules.wagers[wager].title for rules in tables if wager in rules.wagers)


def _facts(old_rules: TableRules, new_rules: TableRules) -> Iterator[documents.ChangedFact]:
    sides = [_facts_of(rules) for rules in (old_rules, new_rules)]
    for key in dict.fromkeys((*sides[0], *sides[1])):
        was, becomes = (side.get(key, "none") for side in sides)
        if was != becomes:
            yield {"key": key, "old": was, "new": becomes}


def _facts_of(rules: TableRules) -> Mapping[str, str]:
    layout = rules.submission.layout
    facts = {"regulation": rules.law.key, "title": rules.submission.title}
    facts["drawing_table"] = rules.submission.drawing_table
    for name in TableLayout.__match_args__:
        facts[name] = str(getattr(layout, name))
    facts["by hand"] = ", ".join(rules.submission.unsupported) or "none"
    for document in rules.submission.documents:
        suffix = f", SHA-256 {document.sha256}" if document.sha256 else ""
        clauses = ", ".join(document.clauses)
        facts[f"documents.{document.name}"] = f"{document.says}{suffix} [{clauses}]"
    return facts


def _readings(old_rules: TableRules, new_rules: TableRules) -> Iterator[documents.ChangedReading]:
    register = {**old_rules.law.register, **new_rules.law.register}
    for entry_id in dict.fromkeys((*old_rules.readings, *new_rules.readings)):
        was, becomes = old_rules.readings.get(entry_id), new_rules.readings.get(entry_id)
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


def _edges(old_rules: TableRules, new_rules: TableRules) -> Iterator[documents.ChangedEdge]:
    sides = edges_of(old_rules), edges_of(new_rules)
    for wager in dict.fromkeys((*sides[0], *sides[1])):
        was, becomes = (side.get(wager) for side in sides)
        edge_change = None if was is None or becomes is None else becomes - was
        yield {
            "wager": wager,
            "title": _title(wager, old_rules, new_rules),
            "old": None if was is None else fraction(was),
            "new": None if becomes is None else fraction(becomes),
            "change": None if edge_change is None else fraction(edge_change),
            "old_percent": None if was is None else float(was * 100),
            "new_percent": None if becomes is None else float(becomes * 100),
            "change_percent": None if edge_change is None else float(edge_change * 100),
        }


def _procedures(old: TableRules, new: TableRules) -> Iterator[documents.ChangedProcedure]:
    sides = procedures_of(old), procedures_of(new)
    for rule_id in dict.fromkeys((*sides[0], *sides[1])):
        if (rule_id in sides[0]) != (rule_id in sides[1]):
            is_beginning = rule_id in sides[1]
            rule = sides[is_beginning][rule_id]
            yield {
                "id": rule_id,
                "says": rule.does or rule.title,
                "change": "begins" if is_beginning else "ends",
                "cites": list(rule.cites),
            }


def _notices(old_rules: TableRules, new_rules: TableRules) -> Iterator[documents.DueNotice]:
    seen_pairs = set()
    for election_change in changes_in(new_rules.law, old_rules.settled, new_rules.settled):
        for constraint in wanting_notice(election_change):
            # A change under several constraints is found once for each of them.
            if (election_change.rule.id, constraint.id) in seen_pairs:
                continue
            seen_pairs.add((election_change.rule.id, constraint.id))
            value = election_change.after
            yield fields_of(
                documents.DueNotice,
                constraint,
                election=election_change.rule.id,
                value="" if value is None else election_change.rule.written(value),
                citations=list(dict.fromkeys(map(new_rules.law.speak, constraint.cites))),
            )


def _constraints(
    kind: ConstraintKind, old_rules: TableRules, new_rules: TableRules, *, needs_old: bool
) -> Iterator[tuple[Constraint, list[str]]]:
    """``needs_old`` leaves out what is elected for the first time."""
    for constraint in new_rules.law.constraints:
        if constraint.kind is not kind or not condition_holds(constraint.when, new_rules.settled):
            continue
        changed_names = [
            name
            for name in constraint.rules
            if new_rules.settled.get(name) != old_rules.settled.get(name)
            and (name in new_rules.settled or name in old_rules.settled)
            and not (needs_old and name not in old_rules.settled)
        ]
        if changed_names:
            yield constraint, changed_names


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
    document = differences((old, new), (rules_of(old), rules_of(new)))
    give(document, submission_diff_tree, output_format)


@click.group(cls=HelpGroup)
def submission() -> None:
    """Compare rules submissions."""


submission.add_command(diff)
