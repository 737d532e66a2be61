"""The session and its patrons: where the money goes, and how often the display shows an amount."""

from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.blackjack.acts import HandOutcome
from croupier.blackjack.bonus import Prize
from croupier.blackjack.results import RoundPlay, SeatPlay
from croupier.blackjack.session import BlackjackTable, Pilot, draw
from croupier.money.ledger import INVENTORY, layout, patron
from croupier.rules import TableLayout
from croupier.table.cards.chance import Chance
from support.streaks import rules_of

WIN, LOSE = (HandOutcome.WIN,), (HandOutcome.LOSE,)


def session(**elections: Any) -> BlackjackTable:
    return BlackjackTable(rules_of(**elections))


def bonus_session(**elections: Any) -> BlackjackTable:
    return session(streak__offered=False, blackjack_bonus__offered=True, **elections)


def play(table: BlackjackTable, *rounds: SeatPlay) -> BlackjackTable:
    for number, seat in enumerate(rounds, start=1):
        assert table.play(RoundPlay(number, (seat,))).refused == ()
    return table


def test_a_table_that_offers_neither_wager_is_no_place_for_them() -> None:
    with pytest.raises(ValueError, match="neither the streak wager nor the bonus wager"):
        session(streak__offered=False)


def test_a_streak_that_is_won_pays_the_patron_and_gives_his_stake_back() -> None:
    table = play(session(), SeatPlay(3, WIN, {2: 500, 3: 200}))
    assert table.ledger.balance(layout(3)) == table.in_play_cents == 700
    play(table, SeatPlay(3, WIN))
    # Five dollars and three times as much are the patron's; two dollars are in play.
    assert (table.ledger.balance(patron(3)), table.in_play_cents) == (2000, 200)
    play(table, SeatPlay(3, LOSE))
    assert (table.ledger.balance(patron(3)), table.in_play_cents) == (2000, 0)
    assert table.ledger.table_win_cents == 200 - 1500
    assert (table.tallies["streak_2"].won, table.tallies["streak_3"].lost) == (1, 1)
    assert table.ledger.in_balance


def test_chips_won_are_wagered_again_before_others_are_brought() -> None:
    table = play(
        session(), SeatPlay(1, WIN, {2: 500}), SeatPlay(1, WIN), SeatPlay(1, LOSE, {2: 1500})
    )
    assert table.ledger.balance(patron(1)) == 500
    assert table.ledger.in_balance


@pytest.mark.parametrize(
    ("award_is", "patron_has", "win"), [("to-one", 600, -500), ("for-one", 500, -400)]
)
def test_a_bonus_that_is_won_gives_the_stake_back_where_it_is_paid_to_one(
    award_is: str, patron_has: int, win: int
) -> None:
    table = bonus_session(blackjack_bonus__award_is=award_is)
    play(table, SeatPlay(1, WIN, bonus_cents=100, shows_cents=500))
    assert table.ledger.balance(patron(1)) == patron_has
    assert table.ledger.table_win_cents == win
    assert (table.in_play_cents, table.ledger.in_balance) == (0, True)


def test_a_payment_beyond_the_tables_chips_is_covered_and_changes_no_result() -> None:
    table = play(session(), SeatPlay(1, WIN, {2: 10_000_000}), SeatPlay(1, WIN))
    assert table.ledger.table_win_cents == -30_000_000
    assert table.ledger.balance(INVENTORY) >= 0
    assert table.ledger.in_balance


def test_of_a_round_with_bonus_wagers_nothing_is_played_where_something_is_refused() -> None:
    table = bonus_session()
    seats = (
        SeatPlay(1, WIN, bonus_cents=100, shows_cents=500),
        SeatPlay(2, WIN, bonus_cents=100, shows_cents=10_000),
    )
    played = table.play(RoundPlay(1, seats))
    assert [(one.seat.seat, one.refusal.code) for one in played.refused] == [(2, "confirm")]
    assert played.events == ()
    assert (table.bonus.round, table.tallies, table.ledger.table_win_cents) == (0, {}, 0)
    play(table, seats[0])


def test_of_a_round_with_streak_wagers_only_what_is_refused_is_left_out() -> None:
    table = session()
    seats = (SeatPlay(1, WIN, {6: 500}), SeatPlay(2, WIN, {2: 500}), SeatPlay(9, WIN))
    played = table.play(RoundPlay(1, seats))
    assert [(one.seat.seat, one.refusal.code) for one in played.refused] == [
        (9, "no_such_seat"),
        (1, "no_such_streak"),
    ]
    assert list(table.streak.seats) == [2]


# --- patrons of the reference game -----------------------------------------------------------------


class Counting(Chance):
    """Chance that draws one number after another."""

    def __init__(self) -> None:
        super().__init__(seed=0)
        self._next = 0

    def below(self, number: int) -> int:
        """Return the next number."""
        self._next += 1
        return (self._next - 1) % number


def test_the_display_shows_each_amount_as_often_as_the_schedule_has_it() -> None:
    schedule = [
        Prize(500, Fraction(1, 20)),
        Prize(2500, Fraction(1, 30)),
        Prize(100_000, Fraction(1, 60)),
    ]
    # Three, two and one of six: numbers from six on are thrown away.
    chance = Counting()
    drawn = Counter(draw(schedule, chance) for _ in range(12))
    assert drawn == {500: 6, 2500: 4, 100_000: 2}


def test_a_schedule_of_the_finest_chances_can_be_drawn_from() -> None:
    fine = [Prize(500, Fraction(3, 10**12)), Prize(600, Fraction(1, 10**12 + 39))]
    chance = Chance(seed=4)
    drawn = Counter(draw(fine, chance) for _ in range(2000))
    # Three of four, within five standard errors.
    assert abs(drawn[500] / 2000 - 0.75) < 0.05


@pytest.mark.parametrize(
    ("numbering", "seats"), [("counterclockwise", [3, 2, 1]), ("clockwise", [5, 6, 7])]
)
def test_patrons_sit_from_the_dealers_right_on_and_are_dealt_from_his_left(
    numbering: str, seats: list[int]
) -> None:
    table = BlackjackTable(rules_of(TableLayout(seats=7, numbering=numbering)))
    pilot = Pilot(table, Chance(seed=1), patrons=3)
    assert [one.seat for one in pilot.play_round().played.play.seats] == seats


def test_more_patrons_than_seats_cannot_sit_down() -> None:
    with pytest.raises(ValueError, match="8 patrons: the layout has 7 seats"):
        Pilot(session(), Chance(seed=1), patrons=8)


def test_nothing_that_patrons_of_the_reference_game_do_is_refused() -> None:
    for table in (session(), bonus_session()):
        pilot = Pilot(table, Chance(seed=8), patrons=7)
        rounds = [pilot.play_round() for _ in range(400)]
        assert all(one.played.refused == () for one in rounds)
        assert table.ledger.in_balance
        assert replace(table.bonus, round=0) == replace(BlackjackTable(table.rules).bonus, round=0)
