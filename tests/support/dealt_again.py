"""Shoes and rounds dealt again by the engines of simulations, card by card."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

import numpy as np

from croupier.blackjack.reference import MOST_HANDS
from croupier.odds.arrays import Bytes, Integers
from croupier.odds.card_wagers import line_lookup
from croupier.odds.compiled import compiled
from croupier.simulation.blackjack import (
    DOUBLED,
    FACTS,
    RESULT,
    SHOES,
    SIZE,
    BlackjackParams,
    _round,
    _total,
    _values,
    reference_game,
)
from croupier.simulation.lane_kernel import (
    BURNED,
    LAST,
    MORE,
    NUMBERS,
    RESTS,
    ROUNDS,
    SUITS,
    WIDTH,
    Shorts,
)
from croupier.simulation.lanes import LaneEngine
from croupier.simulation.plan import WHOLE, Plan, TallyBuffers, TallyResult
from croupier.simulation.scalar import ScalarParams, _tally
from croupier.simulation.shoes import CODES
from croupier.simulation.streams import States, stream_states

_NINE, _JACK = 8, 10
_TENS = 9
"""The first kind that is worth 0."""


def dealt_shoes(engine: LaneEngine, block: int, shoes: int) -> tuple[TallyResult, Bytes]:
    """Deal the first shoes of each lane of a block; also return the shoes, a row each.

    Unknown details are filled in. Raises ``ValueError`` for a card that is not in the shoe.
    """
    plan = engine.plan
    played, lane_rows = engine.replay(block, shoes)
    rows = [
        _in_order(plan, rounds)
        for lane in range(WIDTH)
        for rounds in _shoes(plan, lane_rows[:, :, lane])
    ]
    return played, np.array(rows, dtype=np.uint8)


def _shoes(plan: Plan, steps: Shorts) -> Iterator[Shorts]:
    steps = steps[steps[:, RESTS] == 0]
    if plan.course.single:
        yield from steps[:, None]
        return
    # A shoe begins with round 1, directly after the last shoe.
    yield from np.split(steps, np.flatnonzero(steps[:, ROUNDS] == 1)[1:])


def _in_order(plan: Plan, rounds: Shorts) -> list[int]:
    places: list[tuple[int, int] | None] = []
    """Kind and suit (negative if unknown) of each card, or ``None`` for a hidden card."""
    if plan.course.burns:
        kind = int(rounds[0, BURNED])
        places += [(kind, -1), *[None] * min(kind + 1, 10)]
    places += [None] * plan.course.burned
    for row in rounds:
        places += _coup(plan, [int(number) for number in row])
    kinds = _Pool(plan)
    cards = [kinds.take(*place) if place and place[1] >= 0 else -1 for place in places]
    for at, place in enumerate(places):
        if place and cards[at] < 0:
            cards[at] = kinds.take(*place)
    rest = kinds.rest()
    dealt = [next(rest) if card < 0 else card for card in cards]
    return [*dealt, *rest]


def _coup(plan: Plan, row: list[int]) -> list[tuple[int, int]]:
    last = 9 if plan.level == "counts" else 12
    drawn = 4 + row[MORE] + row[LAST]
    cards = [(last - row[NUMBERS + draw], -1) for draw in range(drawn)]
    if plan.level == "royals":
        for hand in range(2):
            pair = (cards[hand][0], cards[hand + 2][0])
            if min(pair) == _NINE and max(pair) >= _JACK:
                for draw in (hand, hand + 2):
                    kind = cards[draw][0]
                    cards[draw] = (kind, row[SUITS + 2 * hand + (kind != _NINE)])
    return cards


class _Pool:
    def __init__(self, plan: Plan) -> None:
        self._tens = plan.level == "counts"
        self._left = list(plan.cards)

    def take(self, kind: int, suit: int) -> int:
        for card in self._left:
            rank = min(card % 13, _TENS) if self._tens else card % 13
            if rank == kind and suit in {-1, card // 13}:
                self._left.remove(card)
                return card
        raise ValueError(f"a card of kind {kind} and suit {suit} was dealt but is not in the shoe")

    def rest(self) -> Iterator[int]:
        return iter(self._left)


# --- the scalar engine ---


def tally_shoes(plan: Plan, shoes: Bytes) -> TallyResult:
    """Deal given shoes, a row each."""
    room = TallyBuffers.of(plan)
    game = ScalarParams.of(plan.course)
    finished, lookup = 0, line_lookup(plan.card_wagers)
    pairs = None if plan.level == "counts" else 1
    for cards in shoes:
        finished += _tally(None, CODES[cards], game, 1, WHOLE, room, pairs, lookup)
    return room.played(finished)


# --- the reference game of blackjack ---


class BlackjackRounds(NamedTuple):
    """Rounds in the order dealt, a row each, with columns for each possible hand."""

    ends: Integers
    dealer: Integers
    hands: Integers
    results: Integers
    totals: Integers
    sizes: Integers
    doubled: Integers
    naturals: Integers


def deal_shoes(given: Sequence[Bytes]) -> BlackjackRounds:
    """Deal given shoes of card values and return every round."""
    game = reference_game()
    return _joined([_rounds_of(None, np.array(shoe, dtype=np.uint8), game, 1) for shoe in given])


def replay_shoes(seed: int, block: int, shoes: int = SHOES) -> BlackjackRounds:
    """Deal the first shoes of a block again and return every round."""
    cards, _shown = stream_states(seed, 2 * block, 2)
    return _rounds_of(cards, _values(), reference_game(), shoes)


def _rounds_of(
    state: States | None, shoe: Bytes, game: BlackjackParams, shoes: int
) -> BlackjackRounds:
    most = shoes * (len(shoe) // 4 + 1)
    one = [np.zeros(most, dtype=np.int64) for _ in range(4)]
    many = [np.zeros((most, MOST_HANDS), dtype=np.int64) for _ in range(4)]
    rounds = BlackjackRounds(one[0], one[1], one[2], many[0], many[1], many[2], many[3], one[3])
    written = _tell(state, shoe, game, shoes, rounds)
    return BlackjackRounds(*(column[:written] for column in rounds))


def _joined(parts: Sequence[BlackjackRounds]) -> BlackjackRounds:
    return BlackjackRounds(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))


@compiled
def _tell(
    state: Any, shoe: Bytes, game: BlackjackParams, shoes: int, dealt: BlackjackRounds
) -> int:
    hands = np.zeros((game.most_hands, FACTS), np.int64)
    dealer = np.zeros((1, FACTS), np.int64)
    written = 0
    for _ in range(shoes):
        place = 0
        while len(shoe) - place >= game.least:
            place, number, natural = _round(state, shoe, place, game, hands, dealer)
            dealt.ends[written] = place
            dealt.dealer[written] = _total(dealer, 0)
            dealt.hands[written] = number
            dealt.naturals[written] = natural
            for at in range(number):
                dealt.results[written, at] = hands[at, RESULT]
                dealt.totals[written, at] = _total(hands, at)
                dealt.sizes[written, at] = hands[at, SIZE]
                dealt.doubled[written, at] = hands[at, DOUBLED]
            written += 1
    return written
