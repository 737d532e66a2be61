"""Figures that depend on stakes: the RTP by stake, and the theoretical win per hour and shoe."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Final, NamedTuple

from croupier.odds.chances import census_of
from croupier.odds.packages import figures_of
from croupier.odds.sheet import WagerSheet, fraction, is_taken, wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import Pace, Package, StakeRange, WagerStakes, WinPerHour


HOURS_PER_YEAR: Final = 24 * 365


class AskedPace(NamedTuple):
    """The speed of a game."""

    rounds_per_hour: int
    seats: int
    rounds_per_shoe: int | None = None


def wager_stakes(
    rules: TableRules, shoe: ShoeComposition, wager: str, stakes: Sequence[int]
) -> WagerStakes | None:
    """Return the RTP of a wager at each valid stake in cents; ``None`` if none is valid.

    The payouts are those of the table: vigorish and awards are rounded, fixed awards and limits
    apply.
    """
    offer = rules.offers[wager]
    ways = census_of(shoe, rules, offer.wager.asks)
    found = {}
    for stake in stakes:
        if is_taken(offer, stake):
            sheet = wager_sheet(rules, wager, ways, stake_cents=stake, meters=rules.meter_seeds)
            found[stake] = 1 - sheet.house_edge
    if not found:
        return None
    # The first of equal stakes is named.
    worst, best = min(found, key=lambda one: found[one]), max(found, key=lambda one: found[one])
    return {
        "wager": wager,
        "worst_stake_cents": worst,
        "worst_return": fraction(found[worst]),
        "best_stake_cents": best,
        "best_return": fraction(found[best]),
        "stakes": list(_ranges(found)),
    }


def _ranges(found: dict[int, Fraction]) -> Iterator[StakeRange]:
    first = last = None
    for stake, rtp in found.items():
        if last is not None and found[last] != rtp:
            yield _range(first, last, found[last])
            first = None
        first = stake if first is None else first
        last = stake
    if last is not None:
        yield _range(first, last, found[last])


def _range(first: int | None, last: int, rtp: Fraction) -> StakeRange:
    return {
        "from_cents": last if first is None else first,
        "to_cents": last,
        "return_to_player": fraction(rtp),
    }


def pace_data(
    rules: TableRules, sheets: Sequence[WagerSheet], packages: Sequence[Package], asked: AskedPace
) -> Pace:
    """Return the theoretical win of each wager at its minimum and maximum stake, or at a dollar.

    Meters are hit as often as the packages have it, with a wager of each seat in each round.
    """
    yearly = asked.rounds_per_hour * asked.seats * HOURS_PER_YEAR
    return {
        "rounds_per_hour": asked.rounds_per_hour,
        "seats": asked.seats,
        "rounds_per_shoe": asked.rounds_per_shoe,
        "hits_per_year": {
            f"{one.package.removesuffix('_hits')}: {one.row}": fraction(yearly / one.value)
            for one in figures_of(packages)
            if one.column == "wagers_to_hit" and one.value
        },
        "wins": [one for sheet in sheets for one in _wins(rules, sheet, asked)],
    }


def _wins(rules: TableRules, sheet: WagerSheet, asked: AskedPace) -> Iterator[WinPerHour]:
    limit = rules.offers[sheet.wager].limit
    stakes = (100,) if limit is None else dict.fromkeys((limit.min_cents, limit.max_cents))
    for stake in stakes:
        per_round = stake * sheet.house_edge / sheet.rounds_per_wager
        shoe = asked.rounds_per_shoe
        yield {
            "wager": sheet.wager,
            "stake_cents": stake,
            "per_seat_hour_cents": fraction(per_round * asked.rounds_per_hour),
            "per_hour_cents": fraction(per_round * asked.rounds_per_hour * asked.seats),
            "per_shoe_cents": None if shoe is None else fraction(per_round * shoe * asked.seats),
        }
