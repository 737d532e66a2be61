"""Verification of must-hit draws from their secrets and the cards dealt."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Annotated

from msgspec import Struct, field

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.law.usage import money
from croupier.money.stax import cards_text, commitment_to, drawn, mystery_cents
from croupier.rules.documents import Count, Positive, Word
from croupier.table.parts.progressive import Progressive


class DrawnMystery(Struct):
    """A commitment of a must-hit award, and what became of it."""

    commitment: str
    above_cents: Annotated[Count, "What the meter showed when it was committed to."]
    outcome: Annotated[str, "One of open, drawn, lost, withheld, unneeded."] = "open"
    round: Positive | None = None
    opening: Annotated[str, "The cards of the round that the mystery value follows from."] = ""
    cards: Annotated[str, "The cards of the round that the draw follows from."] = ""
    mystery_cents: Count | None = None
    paid_cents: Count | None = None
    seat: Positive | None = None
    seats: tuple[Positive, ...] = ()
    reason: Annotated[str, "Why a secret was replaced."] = ""
    faults: Annotated[list[Word], "What does not follow from secret and cards."] = field(
        default_factory=list
    )
    is_fair: bool = True


class _Reader:
    def __init__(self, must_hit_by_cents: int, progressive: Progressive) -> None:
        self.most = must_hit_by_cents
        self.draws: list[DrawnMystery] = []
        if progressive.commitment:
            self.draws.append(DrawnMystery(progressive.commitment, progressive.above_cents))
        self._stood = {*progressive.spent, progressive.commitment}
        self._carried = progressive
        self._hands: dict[Hand, list[Card]] = {}
        self._round = 0
        self._shown = progressive.meters.get("stax", 0)
        self._seats: tuple[int, ...] = ()
        self._rounds: list[tuple[str, int, tuple[int, ...]]] = []

    def follow(self, event: acts.Event) -> None:
        match event:
            case acts.MysteryCommitted():
                self._committed(event)
                self._rounds, self._carried = [], Progressive()
            case acts.NoMoreBetsCalled():
                self._round, self._seats = event.round, ()
                self._hands = {Hand.PLAYER: [], Hand.BANKER: []}
            case acts.CardDealt() if event.hand in self._hands:
                self._hands[event.hand].append(event.card)
            case acts.CardMisread() | acts.SettlementCorrected() if self._is_of_this_round(event):
                self._hands = {Hand.PLAYER: [*event.player], Hand.BANKER: [*event.banker]}
            case acts.MetersAdvanced() | acts.MetersCorrected() if "stax" in event.meters:
                self._shown, self._seats = event.meters["stax"], event.seats
            case acts.MeterReset(meter="stax"):
                self._shown = event.cents
            case acts.ProgressiveRoundEnded():
                self._rounds.append((self._cards, self._shown, event.seats))
            case acts.StaxWon():
                self._drawn(event)
            case acts.MysteryReplaced() | acts.MetersRetired():
                self._replaced(event)

    def _is_of_this_round(self, event: acts.CardMisread | acts.SettlementCorrected) -> bool:
        if isinstance(event, acts.CardMisread):
            return event.hand is not None
        return bool(event.player) and event.round == self._round

    def _committed(self, event: acts.MysteryCommitted) -> None:
        draw = DrawnMystery(event.commitment, event.above_cents)
        if event.commitment in self._stood:
            draw.faults.append("the same commitment stood before: its secret may have been known")
        self._stood.add(event.commitment)
        self.draws.append(draw)

    @property
    def _cards(self) -> str:
        return cards_text(self._round, self._hands[Hand.PLAYER], self._hands[Hand.BANKER])

    def _drawn(self, event: acts.StaxWon) -> None:
        if not self.draws or self.draws[-1].outcome != "open":
            self.draws.append(DrawnMystery("", 0, faults=["nothing was committed to before it"]))
        draw = self.draws[-1]
        draw.outcome, draw.round, draw.seats = "drawn", self._round, event.seats
        opening = self._rounds[0][0] if self._rounds else self._cards
        draw.opening, draw.cards = self._carried.opening or opening, self._cards
        draw.paid_cents, draw.seat = event.cents, event.seat
        draw.mystery_cents = event.mystery_cents
        if commitment_to(event.secret) != draw.commitment:
            draw.faults.append("the secret is not the one committed to")
        value = mystery_cents(event.secret, draw.opening, draw.above_cents, self.most)
        if value != event.mystery_cents:
            draw.faults.append(f"the mystery value is {money(value)}")
        # What corrections added since the last round is drawn for with this one.
        carried = self._carried.meters.get("stax", 0) - self._carried.late_cents
        if (self._rounds[-1][1] if self._rounds else carried) >= value:
            draw.faults.append("the value was hit in an earlier round")
        if event.cents < value or event.cents != self._shown:
            draw.faults.append(f"the meter shows {money(self._shown)}")
        if event.seats != self._seats:
            draw.faults.append(f"the seats that took part are {self._seats}")
        if event.seats and event.seat != (winner := drawn(event.secret, draw.cards, event.seats)):
            draw.faults.append(f"the secret and the cards draw seat {winner}")

    def _replaced(self, event: acts.MysteryReplaced | acts.MetersRetired) -> None:
        if not event.commitment:
            return
        if not self.draws:
            self.draws.append(DrawnMystery(event.commitment, 0))
        draw = self.draws[-1]
        draw.outcome, draw.reason = "lost", event.reason
        if isinstance(event, acts.MetersRetired) or not event.secret:
            return
        rounds_here = [(self._cards, self._shown, event.seats)] if event.seats else []
        rounds = [*self._rounds, *rounds_here]
        draw.outcome = "unneeded"
        if not rounds:
            return
        draw.opening = self._carried.opening or rounds[0][0]
        value = mystery_cents(event.secret, draw.opening, draw.above_cents, self.most)
        draw.mystery_cents = value
        for cards, amount, seats in rounds:
            if amount >= value:
                draw.outcome, draw.cards, draw.seats = "withheld", cards, seats
                draw.seat, draw.paid_cents = drawn(event.secret, cards, seats), None
                draw.faults.append(
                    f"withheld: {money(amount)} was due to seat {draw.seat} in {cards}"
                )
                return


def draws_of(
    events: Iterable[acts.Event], must_hit_by_cents: int, progressive: Progressive | None = None
) -> list[DrawnMystery]:
    reader = _Reader(must_hit_by_cents, progressive or Progressive())
    for event in events:
        reader.follow(event)
    for draw in reader.draws:
        draw.is_fair = not draw.faults and draw.outcome not in {"withheld", "unneeded"}
    return reader.draws
