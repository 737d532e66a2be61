"""Streaks of every kind against a judge that was written from the law as printed, and keeps no state."""

from collections.abc import Iterator, Sequence
from itertools import combinations, product
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.blackjack import streak
from croupier.blackjack.acts import (
    DealFirstCard,
    PlaceBlackjackWager,
    PlaceStreakWagers,
    SettleRound,
    StreakPaid,
    StreakWagersCollected,
    WagerEvent,
)
from croupier.blackjack.results import RoundPlay, SeatPlay
from croupier.blackjack.session import BlackjackTable
from croupier.blackjack.streak import StreakState
from croupier.law.cite import Refusal
from support.cases import each
from support.oracles.blackjack import judge, lammer
from support.streaks import HANDS, LENGTHS, outcome, outcome_of, rules_of
from support.volume import volume

pytestmark = [pytest.mark.under("us-nj/blackjack-wagers@2001-01-16")]

RULES: Final = rules_of()
LONGEST: Final = 6
SHORTER: Final = volume(6, 5)
"""Rounds after which a set of lengths that is one of many has been walked."""

EVERY_SET: Final = [lengths for number in range(1, 5) for lengths in combinations(LENGTHS, number)]
"""Every way of wagering on streaks: fifteen sets of lengths."""

EVERY_ROUND: Final = [
    "".join(hands) for number in range(1, 5) for hands in product("WLPU", repeat=number)
]
"""Every way in which the hands of a seat can end, one hand or up to four."""


def carried_out(state: StreakState, *commands: object) -> tuple[StreakState, list[WagerEvent]]:
    events: list[WagerEvent] = []
    for command in commands:
        answer = streak.decide(state, command, RULES)
        assert not isinstance(answer, Refusal), answer
        for event in answer:
            state = streak.evolve(state, event)
        events += answer
    return state, events


def decided(events: Sequence[WagerEvent], number: int) -> Iterator[tuple[int, tuple[str, int]]]:
    """Yield each streak that a round decided, and how."""
    for event in events:
        match event:
            case StreakPaid(length=length):
                yield length, ("won", number)
            case StreakWagersCollected(stakes=stakes):
                yield from ((length, ("lost", number)) for length in stakes)


def walk(
    state: StreakState,
    lengths: tuple[int, ...],
    rounds: tuple[str, ...],
    so_far: dict[int, tuple[str, int]],
    letters: str,
    *,
    longest: int = LONGEST,
) -> int:
    """Play every continuation of a history, each one step longer, and judge it; count them."""
    count = 0
    for hands in letters:
        history = (*rounds, hands)
        bet = () if state.blackjack else (PlaceBlackjackWager(1),)
        after, events = carried_out(state, *bet, DealFirstCard(), SettleRound(outcome(s1=hands)))
        now = dict(decided(events, len(rounds)))
        # Nothing is decided twice.
        assert now.keys().isdisjoint(so_far)
        found = so_far | now
        judged = {length: judge(length, history) for length in lengths}
        assert found == {length: verdict for length, verdict in judged.items() if verdict}
        seat = after.seats.get(1)
        assert (seat.lammer if seat else None) == lammer(lengths, history)
        assert seat is None or seat.lammer is None or seat.lammer <= max(seat.stakes)
        assert (list(seat.stakes) if seat else []) == [one for one in lengths if not judged[one]]
        count += 1
        if len(history) < longest:
            count += walk(after, lengths, history, found, letters, longest=longest)
    return count


@pytest.mark.clause(
    "NJ-OLD:19:47-2.22(d)", "NJ-OLD:19:47-2.22(d)1", "NJ-OLD:19:47-2.22(d)2",
    "NJ-OLD:19:47-2.22(d)3", "NJ-OLD:19:47-2.22(d)4", "NJ-OLD:19:47-2.22(e)",
    "NJ-OLD:19:47-2.22(f)", "NJ-OLD:19:47-2.22(g)",
)  # fmt: skip
@pytest.mark.parametrize("lengths", EVERY_SET, ids=str)
def test_every_sequence_of_up_to_six_rounds_is_decided_as_the_judge_decides_it(
    lengths: tuple[int, ...],
) -> None:
    stakes = {length: 100 * length for length in lengths}
    state, _ = carried_out(StreakState(), PlaceBlackjackWager(1), PlaceStreakWagers(1, stakes))
    # Won, lost, pushed or unfinished: 4 + 16 + ... + 4096, or to 1024.
    longest = LONGEST if lengths == EVERY_SET[-1] else SHORTER
    assert walk(state, lengths, (), {}, "WLPU", longest=longest) == {6: 5460, 5: 1364}[longest]


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause(
    "NJ-OLD:19:47-2.22(f)", "NJ-OLD:19:47-2.22(h)#1", "NJ-OLD:19:47-2.22(h)#2",
    "NJ-OLD:19:47-2.22(h)#3",
)  # fmt: skip
@each("hands", EVERY_ROUND)
def test_every_way_in_which_up_to_four_hands_can_end_is_ruled_on_as_printed(hands: str) -> None:
    # An unfinished hand abandons; otherwise the hands won are weighed against the hands lost.
    if "U" in hands:
        wanted = "lose"
    else:
        weight = sum({"W": 1, "L": -1, "P": 0}[letter] for letter in hands)
        wanted = "hold" if weight == 0 else "advance" if weight > 0 else "lose"
    (seat,) = outcome(s1=hands).seats
    assert streak.rule_on(seat, RULES).outcome.value == wanted


# --- whole tables, at random ---------------------------------------------------------------------------


stakes_of_a_seat = st.dictionaries(
    st.sampled_from(LENGTHS), st.integers(1, 40).map(lambda chips: 25 * chips), max_size=4
)
seats_of_a_round = st.dictionaries(
    st.integers(1, 7), st.tuples(st.sampled_from(EVERY_ROUND), stakes_of_a_seat), min_size=1
)


def histories(
    rounds: Sequence[dict[int, tuple[str, dict[int, int]]]],
) -> Iterator[tuple[int, dict[int, int], list[str]]]:
    """Yield every placing of streak wagers that the law allows, and what the seat's rounds gave.

    A seat may place again once nothing of it is undecided. A round without it is one without hands.
    """
    for seat in range(1, 8):
        at = 0
        while at < len(rounds):
            _, stakes = rounds[at].get(seat, ("", {}))
            if not stakes:
                at += 1
                continue
            told = [one.get(seat, ("", {}))[0] for one in rounds[at:]]
            yield seat, stakes, told
            verdicts = [judge(length, told) for length in stakes]
            if None in verdicts:
                break
            at += 1 + max(verdict[1] for verdict in verdicts if verdict)


@pytest.mark.clause("NJ-OLD:19:47-2.22(f)", "NJ-OLD:19:47-2.22(i)", "NJ-OLD:19:47-2.22(k)2")
@settings(max_examples=volume(150, 40, most=600), deadline=None)
@given(st.lists(seats_of_a_round, max_size=14))
def test_at_any_table_money_is_kept_and_every_streak_is_paid_as_the_judge_says(
    rounds: list[dict[int, tuple[str, dict[int, int]]]],
) -> None:
    session = BlackjackTable(RULES)
    placed: dict[int, int] = {}
    for number, seats in enumerate(rounds, start=1):
        plays = tuple(
            SeatPlay(seat, tuple(HANDS[letter] for letter in hands), stakes)
            for seat, (hands, stakes) in seats.items()
        )
        before = set(session.streak.seats)
        played = session.play(RoundPlay(number, plays))
        # Refused are those, and only those, who had a wager in play and wanted another.
        refused = {one.seat.seat for one in played.refused}
        assert refused == {seat for seat, (_, stakes) in seats.items() if stakes and seat in before}
        for seat, (_, stakes) in seats.items():
            if seat not in refused:
                placed[seat] = placed.get(seat, 0) + sum(stakes.values())
        assert session.ledger.in_balance
        assert (
            sum(session.ledger.balance(f"layout:{seat}") for seat in range(1, 8))
            == session.in_play_cents
        )
        for one in session.streak.seats.values():
            assert one.stakes
            assert one.lammer == (one.wins + 1 if one.wins else None)
            assert one.lammer is None or one.lammer <= max(one.stakes)
    _hold_to_the_judge(session, rounds, placed)


_PAYS: Final = {2: 3, 3: 7, 4: 17, 5: 37}
"""The odds to one, as printed."""


def _hold_to_the_judge(
    session: BlackjackTable,
    rounds: Sequence[dict[int, tuple[str, dict[int, int]]]],
    placed: dict[int, int],
) -> None:
    won = dict.fromkeys(LENGTHS, 0)
    lost, paid, in_play, wagered = 0, 0, 0, dict.fromkeys(placed, 0)
    for seat, stakes, told in histories(rounds):
        wagered[seat] += sum(stakes.values())
        for length, cents in stakes.items():
            match judge(length, told):
                case ("won", _):
                    won[length] += 1
                    paid += cents * _PAYS[length]
                case ("lost", _):
                    lost += cents
                case _:
                    in_play += cents
    assert wagered == placed
    tallies = {int(name[-1]): tally for name, tally in session.tallies.items()}
    assert {length: tallies[length].won for length in tallies} == {one: won[one] for one in tallies}
    assert sum(tally.paid_cents for tally in tallies.values()) == paid
    assert sum(tally.lost_cents for tally in tallies.values()) == lost
    assert session.in_play_cents == in_play
    assert session.ledger.table_win_cents == lost - paid


@settings(max_examples=volume(60, 20, most=200), deadline=None)
@given(st.lists(st.sampled_from(EVERY_ROUND), max_size=12), st.sampled_from(EVERY_SET))
def test_no_state_is_changed_by_what_comes_after_it(
    rounds: list[str], lengths: tuple[int, ...]
) -> None:
    state, _ = carried_out(
        StreakState(), PlaceBlackjackWager(1), PlaceStreakWagers(1, dict.fromkeys(lengths, 100))
    )
    kept = [(state, repr(state))]
    for hands in rounds:
        bet = () if state.blackjack else (PlaceBlackjackWager(1),)
        state, _ = carried_out(state, *bet, DealFirstCard(), SettleRound(outcome_of({"s1": hands})))
        kept.append((state, repr(state)))
    assert all(repr(state) == told for state, told in kept)
