"""Vigorish terms under the elected scheme."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from fractions import Fraction
from typing import Final

from msgspec import Struct

from croupier.law.values import Value

_WIN_RATES: Final = (
    "vigorish.5_percent", "vigorish.4_percent", "vigorish.rate_unwaived", "vigorish.commission",
)  # fmt: skip


class VigorishTerms(Struct, frozen=True):
    """Vigorish terms of the wager that bears it.

    ``win_rate`` is taken of the amount won, ``tie_rate`` of the wager on equal counts. ``waived``
    states whether other wagers waive the vigorish once their total reaches the stake. Without
    ``rounding_unit_cents`` it is exact.
    """

    scheme: str
    win_rate: Fraction | None
    tie_rate: Fraction | None
    waived: bool
    rounding_unit_cents: int | None
    deferred: bool
    rounded_by: str


def vigorish_terms(
    scheme: str, settled: Mapping[str, Value], in_force: Collection[str]
) -> VigorishTerms:
    win = next((settled[rate] for rate in _WIN_RATES if rate in settled), None)
    tie = settled.get("vigorish.tie_rate")
    percent = Fraction(win if isinstance(win, Fraction) else 0) * 100
    rounded_by = "" if win is None else f"vigorish.{percent.numerator}_percent.rounds_to"
    if "vigorish.commission" in settled:
        rounded_by = "vigorish.commission.rounds_to"
    unit = settled.get(rounded_by) if rounded_by in in_force else None
    return VigorishTerms(
        scheme,
        win if isinstance(win, Fraction) else None,
        tie if isinstance(tie, Fraction) else None,
        "vigorish.waiver" in in_force,
        unit if isinstance(unit, int) else None,
        settled.get("vigorish.collection") == "deferred",
        rounded_by,
    )
