"""A table's win of the gaming day, within the band that its exact odds and its wagers predict."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping, Sequence
from threading import Lock
from typing import Final

from croupier import acts
from croupier.baccarat.wagers import Moment
from croupier.odds.shoe import ShoeError
from croupier.odds.tickets import WinExpectation
from croupier.rules import TableRules
from croupier.server.pages.looked import WinPoint
from croupier.server.pages.once import Once
from croupier.table.elections.election_changes import rules_after

OF_WIN: Final = (
    acts.AwardPaid, acts.DuplicatesForwarded, acts.ElectionsAdopted, acts.HandPayDue,
    acts.LayoutCleared, acts.LosingWagersCollected, acts.SettlementCorrected, acts.StakesKept,
    acts.StakesReleased, acts.TableOpened, acts.VigorishCollected, acts.VigorishMarked,
    acts.WagerPaid,
)  # fmt: skip
_EXPECTATIONS: Final = Once[tuple[WinExpectation | None]](64)
_CALCULATES: Final = Lock()
"""Lock, so that tables with the same rules and concurrent requests calculate them once."""


class WinBand:
    """Follows the events of a table; predicts when asked, not in each round.

    Coupons count as chips. Stakes that were returned without a result are not counted. Tables with
    House Money are not predicted, because a payout that is added to a wager is staked when four
    cards are known.
    """

    def __init__(self, rules: TableRules) -> None:
        self._rules = rules
        self._settled: list[tuple[TableRules, Mapping[str, int], int]] = []
        self._points: list[WinPoint] = []
        self._stakes: dict[tuple[int, str], int] = {}
        self._win = 0
        self._expectations: dict[str, WinExpectation | None] = {}

    def take(self, event: acts.Event) -> None:
        match event:
            case acts.TableOpened():
                self._begin_day()
            case acts.DuplicatesForwarded(next_date=following):
                if following is not None:
                    self._begin_day()
            case acts.ElectionsAdopted():
                self._rules = rules_after(self._rules, (event,))
            case acts.SettlementCorrected():
                corrected = sum(one.marked_cents - one.cents for one in event.differences)
                self._settled.append((self._rules, {}, corrected))
            case acts.LayoutCleared(simulated=False):
                stakes: Counter[str] = Counter()
                for (_, wager), cents in self._stakes.items():
                    stakes[wager] += cents
                self._settled.append((self._rules, stakes, self._win))
                self._stakes.clear()
                self._win = 0
            case _:
                self._settle(event)

    def _begin_day(self) -> None:
        self._settled, self._points, self._stakes, self._win = [], [], {}, 0

    def _settle(self, event: acts.Event) -> None:
        match event:
            case acts.LosingWagersCollected() | acts.StakesKept() | acts.StakesReleased():
                for stake in event.stakes:
                    cents = stake.cents + stake.coupon_cents
                    if not isinstance(stake, acts.Release):
                        self._win += cents
                    elif stake.line == "void":
                        continue
                    self._stakes[stake.seat, stake.wager] = cents
            case acts.WagerPaid() | acts.AwardPaid() | acts.HandPayDue():
                self._win -= event.cents
            case acts.VigorishMarked() | acts.VigorishCollected(deferred=False):
                self._win += event.cents

    async def points(self) -> Sequence[WinPoint]:
        """Win after each round of the day; none if the wagers cannot be predicted."""
        await asyncio.sleep(0)  # A day of many tables takes a second: other requests go on.
        for rules in {one.sha256: one for one, *_ in self._settled}.values():
            if rules.sha256 not in self._expectations:
                found = await asyncio.to_thread(_expectation, rules)
                self._expectations[rules.sha256] = found
        for rules, stakes, cents in self._settled[len(self._points) :]:
            if rules.sha256 not in self._expectations:
                break  # Elected while the others were calculated.
            expected = self._expectations[rules.sha256]
            if expected is None:
                return ()
            last_point = self._points[-1] if self._points else WinPoint(0, 0.0, 0.0)
            mean, variance = expected.of(stakes)
            self._points.append(
                WinPoint(
                    last_point.win_cents + cents,
                    last_point.mean + float(mean),
                    last_point.variance + float(variance),
                )
            )
        return self._points


def _expectation(rules: TableRules) -> WinExpectation | None:
    with _CALCULATES:
        return _EXPECTATIONS.of(rules.sha256, lambda: (_calculated(rules),))[0]


def _calculated(rules: TableRules) -> WinExpectation | None:
    has_early = any(offer.wager.settled_at is Moment.FOUR_CARDS for offer in rules.offers.values())
    if has_early or not rules.is_priced:
        return None
    try:
        return WinExpectation(rules)
    except ShoeError:
        return None
