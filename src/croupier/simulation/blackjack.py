"""The reference blackjack game, compiled: one patron's streak wagers and natural bonuses."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any, Final, NamedTuple

import numpy as np
from msgspec import Struct

from croupier.baccarat.cards import DECK
from croupier.blackjack import reference
from croupier.blackjack.session import DECKS
from croupier.blackjack.strategy import PAIRS, UP_CARDS, Move, move
from croupier.odds.arrays import Bytes, Integers
from croupier.odds.compiled import compiled
from croupier.simulation.generator import next_number
from croupier.simulation.scalar import draw_card
from croupier.simulation.streams import States, stream_states

LENGTHS: Final = (2, 3, 4, 5)

LONGEST_RUN: Final = max(LENGTHS) - 1
"""Longest run of won rounds that is counted separately."""

SHOES: Final = 128
"""Shoes of a block, dealt from one stream."""

MOST_NET: Final = 4 * reference.MOST_HANDS
"""Largest net result of a round in halves of a stake: every hand doubled."""

LOSE, PUSH, WIN = 0, 1, 2
"""Results of a hand, and effects of a round on a streak."""

# The compiler treats these as constants.
HIT, STAND, DOUBLE, SPLIT = 0, 1, 2, 3
BUST = reference.BUST_ABOVE
ACE_MORE = 10
NATURAL = reference.NATURAL_HALVES
STREAKS = len(LENGTHS)
SHORTEST = LENGTHS[0]
MOST_RUN = LONGEST_RUN
# Columns of a hand on the table; its count has aces as one.
COUNT, ACES, SIZE, FIRST, WAS_SPLIT, DOUBLED, RESULT = range(7)
FACTS = 7
_MOVES: Final = {Move.HIT: HIT, Move.STAND: STAND, Move.DOUBLE: DOUBLE, Move.SPLIT: SPLIT}


class BlackjackParams(NamedTuple):
    """The reference game as arrays for the kernels.

    ``moves`` is by whether a hand may double, whether it is soft, its total, and the dealer's card;
    ``splits`` by the pair's value and the dealer's card.
    """

    moves: Integers
    splits: Integers
    most_hands: int
    stands_on: int
    least: int


class _Sums(NamedTuple):
    """``runs`` is by the length of the run before and the next result, ``nets`` by half stakes."""

    results: Integers
    runs: Integers
    placed: Integers
    won: Integers
    naturals: Integers
    nets: Integers
    amounts: Integers


class Dealing(Struct, frozen=True):
    """Numbers of one or several blocks, as named by ``BlackjackEngine.names``."""

    shoes: int
    numbers: Integers

    @property
    def rounds(self) -> int:
        return int(self.numbers[:3].sum())


def reference_game() -> BlackjackParams:
    moves = np.zeros((2, 2, reference.BUST_ABOVE + 1, UP_CARDS[-1] + 1), dtype=np.int64)
    splits = np.zeros((UP_CARDS[-1] + 1, UP_CARDS[-1] + 1), dtype=np.int64)
    for up_card in UP_CARDS:
        for count in range(2, reference.BUST_ABOVE):
            for doubles in (False, True):
                for soft in (False, True):
                    action = move(
                        count, up_card, soft=soft, pair=None, may_split=False, may_double=doubles
                    )
                    moves[int(doubles), int(soft), count, up_card] = _MOVES[action]
        for pair in PAIRS:
            # The values of the cards do not matter if they are split.
            action = move(12, up_card, soft=False, pair=pair, may_split=True, may_double=False)
            splits[pair, up_card] = int(action is Move.SPLIT)
    # The fraction, rounded up to whole cards.
    cards = -int(-reference.LEAST_PART * DECKS * len(DECK) // 1)
    return BlackjackParams(moves, splits, reference.MOST_HANDS, reference.DEALER_STANDS_ON, cards)


def _values() -> Bytes:
    counts = [reference.total((card,))[0] for card in DECK * DECKS]
    return np.array([1 if count == UP_CARDS[-1] else count for count in counts], dtype=np.uint8)


def natural_chance() -> Fraction:
    """Probability of a natural from a full shoe.

    >>> natural_chance()
    Fraction(256, 5395)
    """
    counts = _values().tolist()
    aces, tens = counts.count(1), counts.count(ACE_MORE)
    return Fraction(2 * aces * tens, len(counts) * (len(counts) - 1))


class BlackjackEngine:
    """Bonus amounts have streams of their own: no cards depend on them. Thread-safe."""

    def __init__(self, seed: int, weights: Sequence[Sequence[int]] = ()) -> None:
        self.seed = seed
        longest = max(map(len, weights), default=0)
        # Upper bounds of the random numbers that select each amount.
        self._bounds = np.zeros((len(weights), longest), dtype=np.uint64)
        for row, row_weights in zip(self._bounds, weights, strict=True):
            row[: len(row_weights)] = np.cumsum(np.array(row_weights, dtype=np.uint64))
            row[len(row_weights) :] = row[len(row_weights) - 1]
        self._game = reference_game()
        self._shoe = _values()

    @property
    def names(self) -> tuple[str, ...]:
        runs = (f"{word} after {run}" for run in range(LONGEST_RUN + 1) for word in ("lose", "win"))
        amounts = (
            f"bonus {wager} amount {amount}"
            for wager in range(self._bounds.shape[0])
            for amount in range(self._bounds.shape[1])
        )
        return (
            *("lose", "push", "win"),
            *runs,
            *(f"placed {length}" for length in LENGTHS),
            *(f"won {length}" for length in LENGTHS),
            "naturals",
            *(f"net {halves}" for halves in range(-MOST_NET, MOST_NET + 1)),
            *amounts,
        )

    def play(self, block: int, most: int) -> Dealing:
        """Play a block, or its first ``most`` rounds; further ones decide pending wagers."""
        cards, draws = stream_states(self.seed, 2 * block, 2)
        sums = _Sums(
            np.zeros(3, dtype=np.int64),
            np.zeros((LONGEST_RUN + 1, 2), dtype=np.int64),
            np.zeros(len(LENGTHS), dtype=np.int64),
            np.zeros(len(LENGTHS), dtype=np.int64),
            np.zeros(1, dtype=np.int64),
            np.zeros(2 * MOST_NET + 1, dtype=np.int64),
            np.zeros(self._bounds.shape, dtype=np.int64),
        )
        shoes = _tally(cards, draws, self._shoe.copy(), self._game, self._bounds, SHOES, most, sums)
        numbers = np.concatenate([one.reshape(-1) for one in sums])
        return Dealing(int(shoes), numbers)


# --- compiled ------------------------------------------------------------------------------------


@compiled
def _add(hands: Integers, at: int, card: int) -> None:
    if hands[at, SIZE] == 0:
        hands[at, FIRST] = card
    hands[at, COUNT] += card
    hands[at, ACES] += card == 1
    hands[at, SIZE] += 1


@compiled
def _total(hands: Integers, at: int) -> int:
    count: int = hands[at, COUNT]
    return count + ACE_MORE if hands[at, ACES] and count + ACE_MORE <= BUST else count


@compiled
def _split(hands: Integers, at: int, number: int) -> None:
    card = hands[at, FIRST]
    for place in range(number, at + 1, -1):
        hands[place] = hands[place - 1]
    for place in (at, at + 1):
        hands[place] = 0
        _add(hands, place, card)
        hands[place, WAS_SPLIT] = 1


@compiled
def _play_hand(  # noqa: PLR0913, PLR0917  (a kernel takes all that it reads)
    state: Any,
    shoe: Bytes,
    place: int,
    up_card: int,
    game: BlackjackParams,
    hands: Integers,
    at: int,
    number: int,
) -> tuple[int, int]:
    while True:
        count = _total(hands, at)
        if count >= BUST:
            return place, number
        is_initial = hands[at, SIZE] == 2
        card = hands[at, FIRST]
        is_pair = is_initial and hands[at, COUNT] == 2 * card
        if is_pair and number < game.most_hands and game.splits[11 if card == 1 else card, up_card]:
            _split(hands, at, number)
            return place, number + 1
        action = game.moves[int(is_initial), int(count > hands[at, COUNT]), count, up_card]
        if action == STAND:
            return place, number
        _add(hands, at, draw_card(state, shoe, place))
        place += 1
        if action == DOUBLE:
            hands[at, DOUBLED] = 1
            return place, number


@compiled
def _round(  # noqa: PLR0913, PLR0917  (a kernel takes all that it reads)
    state: Any, shoe: Bytes, place: int, game: BlackjackParams, hands: Integers, dealer: Integers
) -> tuple[int, int, int]:
    hands[0] = 0
    dealer[0] = 0
    _add(hands, 0, draw_card(state, shoe, place))
    _add(dealer, 0, draw_card(state, shoe, place + 1))
    _add(hands, 0, draw_card(state, shoe, place + 2))
    _add(dealer, 0, draw_card(state, shoe, place + 3))
    place += 4
    up_card = 11 if dealer[0, FIRST] == 1 else dealer[0, FIRST]
    natural = _total(hands, 0) == BUST
    dealer_bust = _total(dealer, 0) == BUST
    number, at = 1, 0
    while not dealer_bust and at < number:
        if hands[at, SIZE] == 1:
            _add(hands, at, draw_card(state, shoe, place))
            place += 1
        if not (hands[at, WAS_SPLIT] and hands[at, FIRST] == 1):
            place, number = _play_hand(state, shoe, place, up_card, game, hands, at, number)
        at += hands[at, SIZE] > 1
    open_hands = False
    for at in range(number):
        open_hands |= not natural and _total(hands, at) <= BUST
    while open_hands and _total(dealer, 0) < game.stands_on:
        _add(dealer, 0, draw_card(state, shoe, place))
        place += 1
    dealer_total = _total(dealer, 0)
    for at in range(number):
        hands[at, RESULT] = _ended(_total(hands, at), dealer_total, natural, dealer_bust)
    return place, number, int(natural)


@compiled
def _ended(ours: int, theirs: int, natural: bool, beaten: bool) -> int:  # noqa: FBT001  (a kernel)
    if natural != beaten:
        return WIN if natural else LOSE
    if ours > BUST:
        return LOSE
    if theirs > BUST or ours > theirs:
        return WIN
    return PUSH if ours == theirs else LOSE


@compiled
def _effect(hands: Integers, number: int) -> int:
    net_hands = 0
    for at in range(number):
        net_hands += hands[at, RESULT] - PUSH
    return PUSH if net_hands == 0 else WIN if net_hands > 0 else LOSE


@compiled
def _net(hands: Integers, number: int, natural: int) -> int:
    if natural and hands[0, RESULT] == WIN:
        return NATURAL
    halves = 0
    for at in range(number):
        halves += 2 * (hands[at, RESULT] - PUSH) * (1 + hands[at, DOUBLED])
    return halves


@compiled
def _shown(state: States, bounds: Any) -> int:
    ways = bounds[-1]
    mask = ways
    for shift in (1, 2, 4, 8, 16, 32):
        mask |= mask >> np.uint64(shift)
    while True:
        number = ((next_number(state) << np.uint64(32)) | next_number(state)) & mask
        if number < ways:
            break
    amount = 0
    while bounds[amount] <= number:
        amount += 1
    return amount


@compiled
def _step(won: Integers, effect: int, sums: _Sums) -> int:
    undecided = 0
    for streak in range(STREAKS):
        if won[streak] < 0:
            continue
        if effect == WIN:
            won[streak] += 1
        if effect == LOSE or won[streak] == SHORTEST + streak:
            sums.won[streak] += effect == WIN
            won[streak] = -1
        undecided += won[streak] >= 0
    return undecided


@compiled
def _tally(  # noqa: PLR0913, PLR0917  (a kernel takes all that it reads)
    cards: States,
    draws: States,
    shoe: Bytes,
    game: BlackjackParams,
    bounds: Any,
    shoes: int,
    most: int,
    sums: _Sums,
) -> int:
    hands = np.zeros((game.most_hands, FACTS), np.int64)
    dealer = np.zeros((1, FACTS), np.int64)
    # Rounds won by each pending streak wager; negative if there is none.
    won = np.full(STREAKS, -1, np.int64)
    finished = place = rounds = run = 0
    undecided = 0
    while True:
        if len(shoe) - place < game.least:
            place = 0
            finished += 1
        counts = finished < shoes and rounds < most
        if not counts and not undecided:
            return min(finished, shoes)
        for streak in range(STREAKS):
            if counts and won[streak] < 0:
                won[streak] = 0
                sums.placed[streak] += 1
        place, number, natural = _round(cards, shoe, place, game, hands, dealer)
        effect = _effect(hands, number)
        undecided = _step(won, effect, sums)
        if not counts:
            continue
        rounds += 1
        sums.results[effect] += 1
        if effect != PUSH:
            sums.runs[run, effect // WIN] += 1
            run = min(run + 1, MOST_RUN) if effect == WIN else 0
        sums.naturals[0] += natural
        sums.nets[len(sums.nets) // 2 + _net(hands, number, natural)] += 1
        for wager in range(natural * len(bounds)):
            sums.amounts[wager, _shown(draws, bounds[wager])] += 1
