"""Uniformity of the tables of one pit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from croupier.law.elect import ErrorDetail
from croupier.law.model import Constraint, ConstraintKind, condition_holds
from croupier.law.resolve import instruments
from croupier.rules.submission import Submission, TableLayout
from croupier.rules.table import TableRules

__all__ = ["law_named", "other_table", "pit_errors"]


def other_table(
    like: TableRules, table: str, law: str, game: str, elections: Mapping[str, object]
) -> TableRules:
    """Known rules of another table, its elections read in the notation of ``like``.

    A table under another regulation is not bound by that one's constraints. Raises ``ValueError``
    for a law that its jurisdiction does not have.
    """
    held = like.law
    law = law_named(law)
    if law != held.id:
        place = held.id.rpartition("/")[0]
        held = replace(held, id=law or f"{place}/{game}", partial=True, clauses={}, constraints=())
    values = {
        rule_id: held.read(rule_id, value)
        for rule_id, value in elections.items()
        if rule_id in held.rules
    }
    layout = TableLayout(table=table)
    submission = Submission(held.id, held.in_force_from, "", values, layout)
    return TableRules(submission, held, values, frozenset(values), {})


def law_named(law: str) -> str:
    """Id of a law that is named with or without its date. Raises ``ValueError``.

    >>> law_named("us-ny/mini-midi-baccarat@2021-06-02")
    'us-ny/mini-midi-baccarat'
    """
    law_id, place = law.partition("@")[0], law.partition("/")[0]
    law_ids = sorted({text.id for text in instruments() if text.id.startswith(f"{place}/")})
    if law_ids and law_id not in law_ids:
        raise ValueError(f"{law} is not a law of {place}; it has {', '.join(law_ids)}")
    return law_id


def pit_errors(rules: Sequence[TableRules], across: str | None = None) -> tuple[ErrorDetail, ...]:
    """Return every difference between a pit's tables that their laws forbid.

    ``across`` selects constraints by reach. Rules inapplicable at a table are not compared.
    """
    constraints = {
        (table.law.id, one.id): one
        for table in rules
        for one in table.law.constraints
        if one.kind is ConstraintKind.UNIFORM and (across is None or one.across == across)
    }
    return tuple(
        detail
        for (law_id, _), constraint in constraints.items()
        for rule_id in constraint.rules
        for detail in _differences(constraint, rule_id, _bound(constraint, law_id, rules))
    )


def _bound(
    constraint: Constraint, law_id: str, rules: Sequence[TableRules]
) -> tuple[TableRules, ...]:
    own_tables = tuple(
        table
        for table in rules
        if table.law.id == law_id and condition_holds(constraint.when, table.settled)
    )
    if constraint.beside is None:
        return own_tables
    neighbors = tuple(table for table in rules if table.law.game == constraint.beside)
    return (*own_tables, *neighbors) if neighbors else ()


def _differences(
    constraint: Constraint, rule_id: str, tables: Sequence[TableRules]
) -> tuple[ErrorDetail, ...]:
    held: dict[str, list[str]] = {}
    for table in tables:
        if rule_id in table.settled:
            text = table.law.rules[rule_id].written(table.settled[rule_id])
            title = f" ({table.submission.title})" if table.submission.title else ""
            held.setdefault(text, []).append(f"table {table.submission.layout.table}{title}")
    if len(held) < 2:
        return ()
    values = "; ".join(f"{value} at {' and '.join(names)}" for value, names in held.items())
    return (ErrorDetail(rule_id, f"{constraint.says}; but: {values}", constraint.cites),)
