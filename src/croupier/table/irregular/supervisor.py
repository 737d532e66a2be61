"""The ruling of a supervisor on what a text leaves open."""

from __future__ import annotations

from croupier import acts
from croupier.rules import TableRules
from croupier.table.machine.core import Answer, Refusal


def ruling(
    matter: str,
    authority: tuple[str, str],
    seat: int | None,
    clauses: tuple[str, ...],
    rules: TableRules,
    *events: acts.Event,
) -> Answer:
    """Return a supervisor's ruling and its events; refuse one without a name or a reason."""
    supervisor, reason = authority
    if not supervisor or not reason:
        return Refusal("nobody", (), "a ruling names the supervisor who gives it, and the reason")
    entry = "".join(rules.ruling(matter))
    return (acts.RulingGiven(matter, entry, supervisor, reason, seat, clauses), *events)
