"""Whatever people at the table can see can be recorded when they see it.

A hostile walk goes through moments of every kind. At many of them, each thing that may be true of the
cards, wagers, payments, and people there is reported; no report may be refused as too early or late.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from msgspec.structs import replace

from croupier import acts
from croupier.acts import Command
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import Hand
from croupier.law.model import Instrument
from croupier.law.resolve import instruments
from croupier.rules import submission_of, table_rules
from croupier.table import Phase, Refusal, legal
from croupier.table.machine.position import Position, propose
from croupier.table.machine.state import CARDS_IN_SHOE
from support.random_submissions import Tables
from support.random_submissions import legal as legal_tables
from support.uncooperative import Walk
from support.volume import volume

SUP = "floorperson"
BEFORE_THE_SHOE = frozenset(
    {
        Phase.OPEN, Phase.RECEIVED, Phase.INSPECTED, Phase.TO_SPREAD, Phase.SPREAD_DOWN,
        Phase.SPREAD_UP, Phase.VIEWED, Phase.TO_EXCHANGE, Phase.TO_SHUFFLE, Phase.TO_FINISH,
        Phase.FEATHERED, Phase.LACED, Phase.TO_CUT, Phase.CUT, Phase.TO_LOAD,
        Phase.OUT_OF_USE,
    }
)  # fmt: skip


def misread(position: Position, others: Sequence[Card]) -> Iterator[tuple[str, Command]]:
    """Yield a report of each card on the layout, or set aside, as another one."""
    round_ = position.state.round
    set_aside = enumerate(position.state.shoe.set_aside, 1)
    for at, card in set_aside if position.state.phase in CARDS_IN_SHOE else ():
        if card is not None:
            other = next(one for one in others if one != card)
            yield "a misread card set aside", acts.CorrectMisreadCard(card, other, SUP, ordinal=at)
    if round_ is None:
        return
    for hand, cards in ((Hand.PLAYER, round_.coup.player), (Hand.BANKER, round_.coup.banker)):
        for ordinal, card in enumerate(cards, 1):
            other = next(one for one in others if one != card)
            yield "a misread card", acts.CorrectMisreadCard(card, other, SUP, hand, ordinal)


def sensors(position: Position) -> Iterator[tuple[str, Command]]:
    if (feeding := position.rules.feeding) is not None:
        lies = (1, feeding.wager.id) in position.state.stakes
        yield "a bet sensor", acts.ReportSensor(1, lit=not lies, reason="the ring")


def facts(position: Position) -> Iterator[tuple[str, Command]]:
    """Yield what may be true now, by the cards, wagers, and persons that are there."""
    state, phase = position.state, position.state.phase
    if phase is Phase.CLOSED:
        return
    yield "a note", acts.WriteNote("the lamp flickers")
    if phase is not Phase.OPEN:
        for kind in ("foreign", "damaged"):
            yield "a wrong card", acts.FindWrongCard(kind, SUP, DECK[7])
    left = [card for card, many in zip(DECK, state.shoe.unseen, strict=False) if many]
    if state.shoe.remaining and phase not in BEFORE_THE_SHOE:
        if phase is not Phase.SHOE_COMPLETED:
            yield "an empty shoe", acts.FindShoeEmpty(SUP)
            yield "a face-up card", acts.FindFaceUpCard(left[0])
        for disclosed in (True, False):
            yield "a card too many", acts.DrawCardInError(left[0], disclosed)
    yield from misread(position, left or DECK)
    for entry, settled in position.house.settled.items():
        for seat in settled.sittings:
            yield "a dispute", acts.OpenDispute(seat, entry, "the amount")
    yield from sensors(position)
    if not position.house.pause:
        yield "a spill", acts.PauseTable("a spill")


LATER: Final[Mapping[str, AbstractSet[type[Command]]]] = {
    # A pause stops every card: the table goes on first.
    "paused": {acts.ResumeTable},
    # Whoever deals is found first.
    "card_due": {acts.DrawCard, acts.PassOver},
    "discards_due": {acts.DrawCard},
    "unturned": {
        acts.TurnHand,
        acts.ReturnCards,
        acts.AcceptCards,
        acts.HandCards,
        acts.RelinquishCards,
        acts.RequireRelinquishment,
        acts.RecallHand,
    },
}
"""What is recorded in another way now: a card that is due anyhow, or after a card is turned."""


@pytest.mark.parametrize(
    "law", [law for law in instruments() if not law.partial], ids=lambda law: law.key
)
def test_no_true_statement_comes_at_the_wrong_moment(law: Instrument) -> None:
    told = Counter[str]()

    @given(elections=legal_tables(law), seed=st.integers(0, 2**32))
    @settings(max_examples=volume(9, 6, most=20), derandomize=True, deadline=None, database=None)
    def walk(elections: Tables, seed: int) -> None:
        rules = table_rules(replace(submission_of(elections), limits=None))
        walking = Walk(rules, random.Random(seed))
        for _ in range(60):
            walking.go(7, close_one_in=10_000)
            paused = {acts.ResumeTable} if walking.position.house.pause else set()
            possible = {one.command for one in legal(walking.state, rules)} | paused
            for fact, command in facts(walking.position):
                answer = propose(walking.position, command)
                told[fact] += 1
                if isinstance(answer, Refusal):
                    assert not possible.isdisjoint(LATER.get(answer.code, set())), (
                        f"{fact}: {command}: {answer}"
                    )

    walk()
    assert min(told.values()) > 30
    assert len(told.keys() - {"a bet sensor"}) == 9
