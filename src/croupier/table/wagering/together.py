"""Limits on wagers together: exclusions, totals of all patrons, and the differential."""

from __future__ import annotations

from collections import Counter
from collections.abc import Container, Iterable, Mapping

from croupier.law.cite import cites
from croupier.law.usage import money
from croupier.rules import TableRules
from croupier.table.machine.core import Refusal
from croupier.table.machine.state import TableState


@cites(
    "limits.differential",
    "limits.differential.between",
)
def unfit_together(
    state: TableState, extra: Iterable[tuple[str, int, int]], rules: TableRules
) -> Refusal | None:
    """Refuse new wagers that exceed a limit of the whole table."""
    if not rules.applies("limits.of_all_patrons") and not rules.applies("limits.differential"):
        return None
    before = _totals(state)
    totals = dict(before)
    for wager, chips, coupon in extra:
        totals[wager] = totals.get(wager, 0) + chips + coupon
    return above_limit_of_all(totals.items(), rules) or differential(totals, rules, before=before)


def _totals(state: TableState) -> dict[str, int]:
    totals: dict[str, int] = {}
    for (_, wager), stake in state.stakes.items():
        totals[wager] = totals.get(wager, 0) + stake.cents
    return totals


@cites("wagers.not_together")
def excluded(wagers: Container[str], rules: TableRules) -> Refusal | None:
    """Refuse wagers that a patron may not make together."""
    if not (names := rules.not_together(wagers)):
        return None
    message = f"a patron may not wager on {' and '.join(names)} together"
    return Refusal("not_together", rules.cites("wagers.not_together"), message)


@cites("limits.of_all_patrons")
def above_limit_of_all(stakes: Iterable[tuple[str, int]], rules: TableRules) -> Refusal | None:
    """Refuse stakes in cents, by wager, that all patrons together may not make."""
    if not rules.applies("limits.of_all_patrons"):
        return None
    totals = Counter[str]()
    for wager, cents in stakes:
        totals[wager] += cents
    maxima = rules.value("limits.of_all_patrons", dict).items()
    messages = [
        f"{wager}: all patrons together may stake {money(maximum)}"
        for wager, maximum in maxima
        if totals[wager] > maximum
    ]
    if not messages:
        return None
    return Refusal("limit_of_all", rules.cites("limits.of_all_patrons"), "; ".join(messages))


def differential(
    totals: Mapping[str, int], rules: TableRules, *, before: Mapping[str, int] | None = None
) -> Refusal | None:
    """Refuse totals that differ by more than the differential, and no less than ``before``."""
    if not rules.applies("limits.differential"):
        return None
    first, second = rules.value("limits.differential.between", tuple)
    maximum = rules.value("limits.differential", int)
    difference = abs(totals.get(first, 0) - totals.get(second, 0))
    former_difference = 0 if before is None else abs(before.get(first, 0) - before.get(second, 0))
    if difference <= max(maximum, former_difference):
        return None
    message = f"{first} and {second} would differ by {money(difference)}: at most {money(maximum)}"
    return Refusal("differential", rules.cites("limits.differential"), message)


def unbalanced(state: TableState, rules: TableRules) -> Refusal | None:
    return differential(_totals(state), rules)
