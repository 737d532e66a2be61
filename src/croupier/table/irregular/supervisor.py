"""The ruling of a supervisor on what a text leaves open."""

from __future__ import annotations

from croupier import acts
from croupier.rules import TableRules
from croupier.table.machine.core import Refusal


def ruling(
    matter: str, by: tuple[str, str], seat: int | None, clauses: tuple[str, ...], rules: TableRules
) -> acts.RulingGiven | Refusal:
    """Return a ruling by a named supervisor with a reason; refuse if either is missing."""
    supervisor, reason = by
    if not supervisor or not reason:
        return Refusal("nobody", (), "a ruling names the supervisor who gives it, and the reason")
    return acts.RulingGiven(matter, rules.ruling(matter) or "", supervisor, reason, seat, clauses)
