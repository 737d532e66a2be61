"""Narration of a table's events: one line for each run of like events, with its clauses."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Any, Final, TypeAlias

from croupier import acts
from croupier.acts.command import EVENT_TERMS
from croupier.acts.words import short
from croupier.baccarat.cards import face
from croupier.baccarat.wagers import Wager
from croupier.law.cite import NarrationLine
from croupier.law.usage import named

__all__ = ["NarrationLine", "narrate", "odds_in_words", "short"]


def odds_in_words(odds: object) -> str:
    return str(odds).replace(":", " to ")


def _stake(cents: int | None, coupon_cents: int = 0) -> str:
    return short(cents) + (f" and a coupon for {short(coupon_cents)}" if coupon_cents else "")


class _Narrator:
    def __init__(self, wagers: Mapping[str, Wager], events: Sequence[acts.Event]) -> None:
        self._wagers: Final = wagers
        self._stakes: Final = {
            (stake.seat, stake.wager): _stake(stake.cents, stake.coupon_cents)
            for event in events
            if isinstance(event, (acts.StakesReleased, acts.StakesKept))
            for stake in event.stakes
        }

    def wager(self, wager: str, cents: int, coupon_cents: int = 0) -> str:
        return f"{self.title(wager)} {_stake(cents, coupon_cents)}"

    def title(self, wager: str) -> str:
        return self._wagers[wager].title

    def staked(self, run: Sequence[Any]) -> tuple[str, ...]:
        return _by_seat(run, lambda x: self.wager(x.wager, x.cents, x.coupon_cents))

    def paid(self, event: acts.WagerPaid) -> str:
        return f"{self._placed(event)} pays {short(event.cents)} ({odds_in_words(event.odds)})"

    def awarded(self, event: acts.AwardPaid | acts.HandPayDue) -> str:
        title = self._wagers[event.wager].line_titles.get(event.line, event.line)
        return f"{self._placed(event)} pays {short(event.cents)} ({title.replace('_', ' ')})"

    def withdrawn(self, event: acts.WagerWithdrawn) -> str:
        wager = self.wager(event.wager, event.cents, event.coupon_cents)
        return f"Seat {event.seat} withdraws {wager}"

    def _placed(self, event: acts.WagerPaid | acts.AwardPaid | acts.HandPayDue) -> str:
        stake = self._stakes.get((event.seat, event.wager))
        title = self.title(event.wager)
        return title if stake is None else f"{title} {stake}"


def _by_seat(run: Sequence[Any], tell: Callable[[Any], str]) -> tuple[str, ...]:
    return tuple(
        f"seat {seat}  " + ", ".join(map(tell, wagers))
        for seat, wagers in groupby(run, key=lambda event: event.seat)
    )


def _stakes(run: Sequence[Any]) -> list[Any]:
    return [stake for event in run for stake in event.stakes]


_Run: TypeAlias = Callable[[_Narrator, Sequence[Any]], tuple[str, ...]]

_RUNS: Final[dict[type[acts.Event], tuple[str, _Run]]] = {
    acts.CardBurned: (
        "Burned:",
        lambda _, run: (", ".join(face(x.card) if x.shown else "unseen" for x in run),),
    ),
    acts.WagerPlaced: ("Wagers:", _Narrator.staked),
    acts.WagersPlaced: (
        "Wagers:",
        lambda text, run: tuple(
            f"seat {event.seat}  " + ", ".join(text.wager(*stake) for stake in event.stakes.items())
            for event in run
        ),
    ),
    acts.LosingWagersCollected: (
        "Losing stakes collected:",
        lambda text, run: text.staked(_stakes(run)),
    ),
    acts.StakesReleased: (
        "Stakes returned (push or void):",
        lambda text, run: text.staked([s for s in _stakes(run) if s.outcome == "push"]),
    ),
    acts.WagerPaid: ("Paid:", lambda text, run: _by_seat(run, text.paid)),
    acts.StakesKept: (
        "Stakes kept because their awards are paid for one:",
        lambda text, run: text.staked(_stakes(run)),
    ),
    acts.AwardPaid: ("Awarded:", lambda text, run: _by_seat(run, text.awarded)),
    acts.HandPayDue: (
        "Awarded, to be paid by hand:",
        lambda text, run: _by_seat(run, lambda x: f"{text.awarded(x)}, number {x.number}"),
    ),
    acts.PayoutAdded: (
        "House Money placed on a wager by the dealer:",
        lambda text, run: _by_seat(run, lambda x: f"{short(x.cents)} on {text.title(x.to)}"),
    ),
    acts.VigorishMarked: (
        "Vigorish marked:",
        lambda _, run: _by_seat(run, lambda x: f"{short(x.cents)}, owing {short(x.owed_cents)}"),
    ),
    acts.VigorishCollected: (
        "Vigorish collected:",
        lambda _, run: _by_seat(run, lambda x: short(x.cents)),
    ),
    acts.VigorishWaived: (
        "No vigorish, because the total cards wagers reach the Banker wager:",
        lambda _, run: tuple(f"seat {event.seat}" for event in run),
    ),
}


def narrate(events: Sequence[acts.Event], wagers: Mapping[str, Wager]) -> Iterator[NarrationLine]:
    """Raise ``KeyError`` for a wager not in ``wagers``."""
    narrator = _Narrator(wagers, events)
    for kind_of_event, group in groupby(events, key=type):
        run: list[Any] = list(group)
        if kind_of_event in _RUNS:
            kind = "card" if kind_of_event is acts.CardBurned else "money"
            text, tell_run = _RUNS[kind_of_event]
            if details := tell_run(narrator, run):
                clauses = dict.fromkeys(clause for event in run for clause in event.clauses)
                yield NarrationLine(kind, named(text), tuple(clauses), details)
            continue
        if kind_of_event is acts.ThirdCardRuled:
            # A natural ends the drawing for both hands, and is told once.
            run = [*{event.reason: event for event in run}.values()]
        for event in run:
            if isinstance(event, acts.WagerWithdrawn):
                yield NarrationLine("money", narrator.withdrawn(event), event.clauses)
                continue
            terms = EVENT_TERMS[kind_of_event]
            yield NarrationLine(terms.kind, terms.says(event), event.clauses)
