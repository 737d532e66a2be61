"""Indexes of a table's record: its rounds, the shoe's results, its win, and its money."""

from __future__ import annotations

import asyncio
import re
from abc import ABC, abstractmethod
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from operator import attrgetter
from threading import Lock
from typing import Any, Final, NamedTuple

from croupier import acts
from croupier.acts.command import EVENT_TERMS
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Coup, Hand, facts_of
from croupier.baccarat.wagers import Moment
from croupier.odds.shoe import ShoeError
from croupier.odds.tickets import WinExpectation
from croupier.records.accounts import AccountReader, DayAccounts
from croupier.records.codec import read_events
from croupier.records.entry import entry_head
from croupier.records.explanation import QUESTIONS, round_in_question
from croupier.records.roads import Result
from croupier.rules import TableRules
from croupier.server.pages.looked import WinPoint
from croupier.server.pages.once import Once
from croupier.table.elections.election_changes import rules_after
from croupier.table.machine.core import Events

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
    """The win of a gaming day, and the band that odds and wagers predict, when asked for it.

    Coupons count as chips. Stakes that were returned without a result are not counted. Tables with
    House Money are not predicted, because a payout that is added to a wager is staked when four
    cards are known; nor are those whose payments are rounded, each by itself.
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
                corrected = -sum(one.net_cents for one in event.differences)
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


_ASTRAY: Final = (
    acts.CardDrawnInError, acts.CardMisread, acts.FaceUpCardFound, acts.RoundVoided,
    acts.ShoeFoundEmpty, acts.ThirdCardWaits, acts.WrongCardFound,
)  # fmt: skip
_KINDS: Final = (acts.LayoutCleared, acts.ShoeLoaded, *QUESTIONS, *_ASTRAY, *OF_WIN)
_MARKED: Final = re.compile(f'"type":"(?:{"|".join(kind.__name__ for kind in _KINDS)})"'.encode())
"""An event of interest in a line. One search is twelve times faster than one for each kind."""


def events_of(lines: Sequence[bytes]) -> Iterator[Events]:
    return (read_events(head.events) for head in map(entry_head, lines) if head is not None)


_PACED: Final = 20
_FEWEST: Final = 3


class RoundPlace(NamedTuple):
    """A finished round: number, first and last entry, and end time."""

    number: int
    first: int
    last: int
    time: str


class LastRound(NamedTuple):
    """The cards that the last finished round was settled on."""

    number: int
    player: tuple[Card, ...]
    banker: tuple[Card, ...]


class Followed(ABC):
    """An index that follows a table's record."""

    sequence = 0
    """The last entry processed."""
    marked = re.compile(b"")
    """Found in each line with an event of interest."""
    hears = False
    """Whether it is notified of each durable entry."""

    @abstractmethod
    def take(self, at: int, time: str, events: Events) -> None:
        """Process the events of entry ``at``."""

    def follow(self, first: int, lines: Sequence[bytes]) -> None:
        """Process lines from entry ``first`` on."""
        for at, line in enumerate(lines, start=first):
            if at <= self.sequence:
                continue
            if not self.marked.search(line):
                self.sequence = at
            elif (head := entry_head(line)) is not None:
                self.take(at, head.at, read_events(head.events))


class RoundIndex(Followed):
    marked = _MARKED

    def __init__(self, rules: TableRules) -> None:
        self._rules: Final = rules
        self.ends: dict[int, tuple[int, int]] = {}
        """First and last entry of a round since the last opening, by its number."""
        self.results: list[Result] = []
        self.all: list[RoundPlace] = []
        """All finished rounds, of all days, in order."""
        self.later: dict[int, list[int]] = {}
        """Later disputes and corrections of a round, by its last entry."""
        self.laid: list[int] = []
        """The last entry of each round with its cards on the layout, void ones included."""
        self.irregular: list[int] = []
        self.band = WinBand(rules)
        """The win of the gaming day by round, and what its wagers predict."""
        self.void = 0
        """The void round, if the last round of the day is one."""
        self._begins = 1
        self._disputes: dict[int, int] = {}
        self._put_right: list[acts.CardMisread] = []
        self._settled_again: dict[int, LastRound] = {}
        self._last: LastRound | None = None

    def at(self, sequence: int) -> int:
        """Return the index in ``all`` of an entry's round."""
        return bisect_left(self.all, sequence, key=attrgetter("last"))

    @property
    def pace(self) -> int | None:
        """Recent rounds per hour; ``None`` if there are too few."""
        ended = self.all[-_PACED:]
        if len(ended) < _FEWEST:
            return None
        first_end, last_end = (datetime.fromisoformat(ended[at].time) for at in (0, -1))
        seconds = (last_end - first_end).total_seconds()
        return round((len(ended) - 1) * 3600 / seconds) if seconds > 0 else None

    @property
    def last_round(self) -> LastRound | None:
        """The last finished round, of this shoe or an earlier one."""
        return self._last and self._settled_again.get(self._last.number, self._last)

    def take(self, at: int, time: str, events: Events) -> None:
        self.sequence = at
        if any(isinstance(event, _ASTRAY) for event in events):
            self.irregular.append(at)
        settled = round_in_question(events, self._disputes)
        if settled is not None and (place := self.at(settled)) < len(self.all):
            self.later.setdefault(self.all[place].last, []).append(at)
        for event in events:
            self.band.take(event)
            self._begin(event, at)
            if isinstance(event, acts.CardMisread) and event.stands and event.hand is not None:
                self._put_right.append(event)
            if isinstance(event, acts.SettlementCorrected) and event.winner:
                settlement = LastRound(event.round, event.player, event.banker)
                self._settled_again[event.round] = settlement
                self.results[:] = map(self._now, self.results)
            if not isinstance(event, acts.LayoutCleared):
                continue
            hands = self._as_announced(event)
            if not event.simulated:
                self.ends[event.round] = (self._begins, at)
                self.all.append(RoundPlace(event.round, self._begins, at, time))
                self.laid.append(at - 1)
                self._begins = at + 1
                coup = Coup(self._rules.tableau, *hands)
                if coup.is_complete:
                    self.void = 0
                    self._last = LastRound(event.round, *hands)
                    self.results.append(self._now(Result.of(coup.facts, event.round)))

    def _begin(self, event: acts.Event, at: int) -> None:
        if isinstance(event, acts.TableOpened):
            self.ends.clear()
            self.void = 0
        elif isinstance(event, acts.ShoeLoaded):
            self.results.clear()
            self._last = self.last_round
            self._settled_again.clear()
            self._begins = at
        elif isinstance(event, acts.RoundVoided) and not event.simulated:
            self.void = event.round
            if event.reshuffle:  # Its layout is not cleared before the cards are taken out.
                self.laid.append(at - 1)

    def _now(self, announced: Result) -> Result:
        settlement = self._settled_again.get(announced.round or 0)
        if settlement is None:
            return announced
        return Result.of(facts_of(*settlement[1:]), announced.round, is_corrected=True)

    def _as_announced(self, event: acts.LayoutCleared) -> tuple[tuple[Card, ...], tuple[Card, ...]]:
        """Return the hands that a round was settled on, before any correction of a card."""
        hands = {Hand.PLAYER: list(event.player), Hand.BANKER: list(event.banker)}
        for misread in reversed(self._put_right):
            if misread.hand is not None:
                hands[misread.hand][misread.ordinal - 1] = misread.recorded
        self._put_right.clear()
        return tuple(hands[Hand.PLAYER]), tuple(hands[Hand.BANKER])


_KEPT: Final = 200
"""Number of items kept of each kind; older ones are only in the exported record."""


class Books(Followed):
    def __init__(self) -> None:
        self._accounts: Final = AccountReader()
        self._begun: Final[list[int]] = []
        self.counts: list[dict[str, Any]] = []
        self.slips: dict[int, dict[str, Any]] = {}
        self.boxes: dict[str, dict[str, Any]] = {}
        self.compared: list[dict[str, Any]] = []

    def days(self, span: range) -> Sequence[DayAccounts]:
        days = self._accounts.finish().days
        return [day for at, day in zip(self._begun, days, strict=True) if at in span]

    def take(self, at: int, time: str, events: Events) -> None:
        place = {"seq": at, "at": time}
        for event in events:
            self._accounts.follow(event)
            self._begun.extend([at] * (len(self._accounts.days) - len(self._begun)))
            self._note(event, place)
        for by_entry in (self.counts, self.compared):
            del by_entry[:-_KEPT]
        self.sequence = at

    def _note(self, event: acts.Event, place: dict[str, Any]) -> None:
        match event:
            case acts.InventoryCounted():
                title = "closing" if event.closing else "tray"
                amounts = {"cents": event.cents, "expected_cents": event.expected_cents}
                self.counts.append({**place, "what": title, "box": None, **amounts})
            case acts.DropRemoved():
                self.boxes[event.box] = {**place, "box": event.box, "next": event.next_box}
            case acts.DropCounted():
                amounts = {"cents": event.cash_cents, "expected_cents": event.expected_cents}
                self.counts.append({**place, "what": "box", "box": event.box, **amounts})
                self.boxes.pop(event.box, None)
            case acts.SlipVoided():
                self._slip(event.slip, event.kind, "void", place, None)
            case acts.FormsCompared():
                found = {
                    name: [*getattr(event, name)]
                    for name in ("matched", "without_original", "without_duplicate", "differing")
                }
                self.compared.append({**place, **found})
            case _ if (terms := EVENT_TERMS.get(type(event))) and terms.slip:
                kind, state = terms.slip
                transfer: Any = event
                self._slip(transfer.slip, kind, state, place, transfer.cents)

    def _slip(
        self, slip: int, kind: str, state: str, place: dict[str, Any], cents: int | None
    ) -> None:
        found = self.slips.setdefault(slip, {"slip": slip, "kind": kind, "cents": cents})
        found.update(place, state=state)
        while len(self.slips) > _KEPT:
            del self.slips[next(iter(self.slips))]
