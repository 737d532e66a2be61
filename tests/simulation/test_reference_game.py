"""The compiled reference game deals the very rounds that the readable one deals from the same cards."""

from collections.abc import Iterator, Sequence
from math import sqrt
from pathlib import Path
from random import Random
from typing import Final

import numpy as np
import pytest

from croupier.baccarat.cards import DECK, Card
from croupier.blackjack.acts import HandOutcome
from croupier.blackjack.reference import deal_round, outcome_of, total
from croupier.blackjack.results import RoundPlay, SeatPlay
from croupier.blackjack.session import BlackjackTable
from croupier.rules import read_submission, table_rules
from croupier.simulation.blackjack import (
    LENGTHS,
    SHOES,
    BlackjackEngine,
)
from croupier.simulation.generator import next_number
from croupier.simulation.plan import WHOLE
from croupier.simulation.streams import stream_states
from support.dealt_again import BlackjackRounds, deal_shoes, replay_shoes
from support.oracles.blackjack import judge
from support.volume import volume

LETTERS: Final = {0: "L", 1: "P", 2: "W"}
OUTCOMES: Final = {0: HandOutcome.LOSE, 1: HandOutcome.PUSH, 2: HandOutcome.WIN}
SUBMISSION: Final = Path(__file__).parents[2] / "submissions" / "nj-blackjack-streak.toml"


def value(card: Card) -> int:
    count = total((card,))[0]
    return 1 if count == 11 else count


def shuffled(random: Random, ranks: str = "A23456789TJQK", cards: int = 416) -> list[Card]:
    """Return cards of some ranks alone: splits and soft hands are many where ranks are few."""
    of_them = [card for card in DECK if card.rank.value in ranks]
    shoe = (of_them * (cards // len(of_them) + 1))[:cards]
    random.shuffle(shoe)
    return shoe


class Told:
    """What the readable game tells of rounds, in the columns of the compiled one."""

    def __init__(self) -> None:
        self.rows: list[tuple[object, ...]] = []

    def deal(self, shoe: Sequence[Card]) -> None:
        at = 0

        def cards() -> Iterator[Card]:
            nonlocal at
            while True:
                at += 1
                yield shoe[at - 1]

        source = cards()
        while len(shoe) - at >= 104:
            dealt = deal_round((1,), source)
            (seat,) = outcome_of(dealt).seats
            self.rows.append(
                (
                    at,
                    total(dealt.dealer)[0],
                    [list(OUTCOMES.values()).index(one) for one in seat.hands],
                    [total(hand)[0] for hand in dealt.hands[1]],
                    [len(hand) for hand in dealt.hands[1]],
                    [int(doubled) for doubled in dealt.doubled[1]],
                    int(dealt.patron_natural(1)),
                )
            )


def rows_of(rounds: BlackjackRounds) -> list[tuple[object, ...]]:
    return [
        (
            int(rounds.ends[row]),
            int(rounds.dealer[row]),
            rounds.results[row, :hands].tolist(),
            rounds.totals[row, :hands].tolist(),
            rounds.sizes[row, :hands].tolist(),
            rounds.doubled[row, :hands].tolist(),
            int(rounds.naturals[row]),
        )
        for row, hands in enumerate(rounds.hands.tolist())
    ]


@pytest.mark.parametrize(
    "ranks", ["A23456789TJQK", "A2378", "A8", "A6TJQK", "2468", "23459", "A29T", "8TK", "A"]
)
def test_the_same_cards_give_the_same_rounds(ranks: str) -> None:
    random = Random(f"cards of {ranks}")
    shoes = [shuffled(random, ranks) for _ in range(30)]
    told = Told()
    for shoe in shoes:
        told.deal(shoe)
    compiled = deal_shoes([np.array([value(card) for card in shoe], np.uint8) for shoe in shoes])
    assert rows_of(compiled) == told.rows
    assert len(told.rows) > 300


def test_a_block_deals_whole_shoes_of_eight_decks() -> None:
    rounds = replay_shoes(seed=7, block=3)
    shoes = np.flatnonzero(np.diff(rounds.ends, prepend=416) < 0)
    assert len(shoes) == SHOES
    last = rounds.ends[np.append(shoes[1:] - 1, len(rounds.ends) - 1)]
    # The last round begins while a quarter is there, and ends where less of it is.
    assert (last > 416 - 104).all()
    assert (last < 416 - 50).all()


@pytest.mark.parametrize("block", [0, 1, 3])
def test_a_block_is_dealt_from_its_own_stream(block: int) -> None:
    (state,) = stream_states(7, 2 * block, 1)
    shoe = list(DECK * 8)
    for at in range(len(shoe)):
        left = len(shoe) - at
        # Products of which some numbers would have one more than others are thrown away.
        while (product := int(next_number(state)) * left) % 2**32 < 2**32 % left:
            pass
        other = at + product // 2**32
        shoe[at], shoe[other] = shoe[other], shoe[at]
    told = Told()
    told.deal(shoe)
    assert rows_of(replay_shoes(seed=7, block=block, shoes=1)) == told.rows


# --- what is counted ------------------------------------------------------------------------------


def effects(rounds: BlackjackRounds) -> str:
    """What each round does to a streak, a letter for each."""
    letters = []
    for hands, results in zip(rounds.hands.tolist(), rounds.results.tolist(), strict=True):
        ended = [LETTERS[one] for one in results[:hands]]
        ahead = ended.count("W") - ended.count("L")
        letters.append("P" if ahead == 0 else "W" if ahead > 0 else "L")
    return "".join(letters)


def test_rounds_are_won_more_often_by_units_than_by_hands() -> None:
    """A double counts once by hands: whoever counts it twice finds other odds of a streak."""
    won = {"hands": [0, 0], "units": [0, 0]}
    for block in range(100):
        told = replay_shoes(seed=7, block=block)
        dealt = np.arange(told.results.shape[1]) < told.hands[:, None]
        results = (told.results - 1) * dealt
        for by, sums in (("hands", results), ("units", results * (1 + told.doubled))):
            won[by][0] += int((sums.sum(axis=1) > 0).sum())
            won[by][1] += int((sums.sum(axis=1) < 0).sum())
    share = {by: wins / (wins + losses) for by, (wins, losses) in won.items()}
    # The same rounds, so that chance is in the few whose doubles and splits disagree alone.
    assert 0.00035 < share["units"] - share["hands"] < 0.0005


@pytest.mark.parametrize(("block", "most"), [(0, WHOLE), (5, 1000), (6, 1)])
def test_a_block_counts_what_its_rounds_tell(block: int, most: int) -> None:
    counted = BlackjackEngine(7).play(block, most)
    numbers = dict(zip(BlackjackEngine(7).names, counted.numbers.tolist(), strict=True))
    # Further shoes decide the wagers that are undecided at the end of the block.
    further = replay_shoes(seed=7, block=block, shoes=SHOES + 2)
    number = min(most, len(replay_shoes(seed=7, block=block).ends))
    letters = effects(further)
    within = letters[:number]
    assert counted.rounds == number
    assert [numbers[word] for word in ("lose", "push", "win")] == [
        within.count(one) for one in "LPW"
    ]
    assert numbers["naturals"] == further.naturals[:number].sum()

    decided = within.replace("P", "")
    runs = dict.fromkeys(((word, run) for word in "LW" for run in range(5)), 0)
    for at, letter in enumerate(decided):
        before = decided[:at]
        runs[letter, min(4, len(before) - len(before.rstrip("W")))] += 1
    assert [numbers[f"lose after {run}"] for run in range(5)] == [
        runs["L", run] for run in range(5)
    ]
    assert [numbers[f"win after {run}"] for run in range(5)] == [runs["W", run] for run in range(5)]

    for length in LENGTHS:
        assert (numbers[f"placed {length}"], numbers[f"won {length}"]) == wagered(
            length, letters, number
        )


def test_wagers_that_are_undecided_are_decided_and_no_others_are_placed() -> None:
    letters = effects(replay_shoes(seed=7, block=0, shoes=3))
    engine = BlackjackEngine(7)
    for most in range(1, 60):
        numbers = dict(zip(engine.names, engine.play(0, most).numbers.tolist(), strict=True))
        for length in LENGTHS:
            counted = numbers[f"placed {length}"], numbers[f"won {length}"]
            assert counted == wagered(length, letters, most)


def wagered(length: int, letters: str, number: int) -> tuple[int, int]:
    """Return how many streak wagers a patron places and wins who places one where he has none."""
    placed = won = at = 0
    while at < number:
        placed += 1
        verdict = judge(length, letters[at : at + 100])
        assert verdict is not None
        won += verdict[0] == "won"
        at += verdict[1] + 1
    return placed, won


def test_the_machine_of_the_law_decides_the_same_streaks() -> None:
    rules = table_rules(read_submission(SUBMISSION))
    rounds = replay_shoes(seed=11, block=2)
    for length in LENGTHS:
        session = BlackjackTable(rules)
        for number, hands in enumerate(rounds.hands.tolist()[:2000]):
            results = tuple(OUTCOMES[one] for one in rounds.results[number, :hands].tolist())
            stakes = {} if 1 in session.streak.seats else {length: 500}
            session.play(RoundPlay(number + 1, (SeatPlay(1, results, stakes),)))
        tally = session.tallies[f"streak_{length}"]
        numbers = BlackjackEngine(11).play(2, 2000)
        told = dict(zip(BlackjackEngine(11).names, numbers.numbers.tolist(), strict=True))
        assert tally.placed == told[f"placed {length}"]
        assert tally.won <= told[f"won {length}"] <= tally.won + tally.in_play


def test_what_is_shown_follows_its_weights_and_leaves_the_cards_as_they_are() -> None:
    weights = [(200, 40, 10, 5, 1), (1, 2**40), (3, 0, 1)]
    plain, shown = BlackjackEngine(7), BlackjackEngine(7, weights)
    sums = np.zeros((3, 5))
    naturals = 0
    for block in range(volume(150, 60)):
        numbers = shown.play(block, WHOLE).numbers
        assert numbers[: len(plain.names)].tolist() == plain.play(block, WHOLE).numbers.tolist()
        sums += numbers[len(plain.names) :].reshape(3, 5)
        naturals += int(numbers[plain.names.index("naturals")])
    assert sums.sum(axis=1).tolist() == [naturals] * 3
    expected = naturals * np.array(weights[0]) / 256
    assert ((sums[0] - expected) ** 2 / expected).sum() < 18.47  # 0.999 of four degrees
    assert sums[1].tolist() == [0, naturals, 0, 0, 0]
    assert sums[2, 1] == sums[2, 3:].sum() == 0
    assert abs(sums[2, 0] / naturals - 0.75) < 4 * sqrt(0.1875 / naturals)


def test_the_game_has_the_edge_that_is_known_of_it() -> None:
    # Eight decks, soft seventeens stood on, doubling after a split, a peek, no surrender: some 0.43
    # of a hundred for whoever plays well; the strategy is fixed, and tens are not counted.
    net = rounds_seen = 0.0
    square = 0.0
    blocks = volume(400, 150)
    for block in range(blocks):
        rounds = replay_shoes(seed=3, block=block)
        there = np.arange(4) < rounds.hands[:, None]
        each = (rounds.results - 1) * (1 + rounds.doubled) * there
        gain = each.sum(axis=1) + 0.5 * rounds.naturals * (rounds.results[:, 0] == 2)
        net += gain.sum()
        square += (gain**2).sum()
        rounds_seen += len(gain)
    error = sqrt(square / rounds_seen) / sqrt(rounds_seen)
    assert abs(net / rounds_seen + 0.0043) < 3.3 * error + 0.0005
    assert error < 0.0008 * sqrt(400 / blocks)
