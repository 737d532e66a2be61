"""The session and its patrons: where the money goes, and how often the display shows an amount."""

from collections import Counter
from fractions import Fraction
from itertools import cycle
from typing import Any

import pytest
from msgspec.structs import replace

from croupier.baccarat.cards import parse_cards
from croupier.blackjack import acts
from croupier.blackjack.acts import HandOutcome, RoundOutcome, SeatOutcome, outcome_errors
from croupier.blackjack.bonus import Prize
from croupier.blackjack.reference import deal_round, outcome_of
from croupier.blackjack.results import RoundPlay, SeatPlay
from croupier.blackjack.session import BlackjackTable, Pilot, PlayedRound, WagerTally, draw, narrate
from croupier.law.values import Odds
from croupier.money.ledger import INVENTORY, layout, patron
from croupier.rules import TableLayout, read_submission, table_rules
from croupier.table.cards.chance import Chance
from support.project import ROOT
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
    assert table.tallies == {
        "streak_2": WagerTally(placed=1, placed_cents=500, won=1, paid_cents=1500),
        "streak_3": WagerTally(placed=1, placed_cents=200, lost=1, lost_cents=200),
    }
    assert table.ledger.in_balance


def test_wagers_in_play_are_those_placed_and_neither_won_nor_lost() -> None:
    assert WagerTally(placed=9, won=4, lost=2).in_play == 3


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
    (second,) = table.play(RoundPlay(2, (SeatPlay(1, LOSE, bonus_cents=500),))).events[1:2]
    assert isinstance(second, acts.FirstCardDealt)
    assert second.round == 2
    assert table.tallies == {"blackjack_bonus": WagerTally(2, 600, 1, 500, 1, 500)}


def test_a_payment_beyond_the_tables_chips_is_covered_and_changes_no_result() -> None:
    table = play(session(), SeatPlay(1, WIN, {2: 10_000_000}), SeatPlay(1, WIN))
    assert table.ledger.table_win_cents == -30_000_000
    # Fifty thousand dollars of chips do not pay three hundred thousand: these are brought.
    assert table.ledger.balance(INVENTORY) == 0
    play(table, SeatPlay(1, LOSE, {2: 700}), SeatPlay(2, WIN, {2: 100}), SeatPlay(2, WIN))
    assert (table.ledger.balance(INVENTORY), table.ledger.in_balance) == (400, True)
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
    played = table.play(RoundPlay(2, (SeatPlay(9, WIN),)))
    assert (played.events, len(played.refused), list(table.streak.seats)) == ((), 1, [2])


def test_a_round_that_cannot_be_changes_nothing() -> None:
    table = session()
    with pytest.raises(ValueError, match="SettleRound: seat 1: no hand wins against a dealer's"):
        table.play(RoundPlay(1, (SeatPlay(1, WIN, {2: 500}),), dealer_natural=True))
    assert (table.in_play_cents, table.tallies, table.streak.round) == (0, {}, 0)


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
    ("chances", "given", "asked", "cents"),
    # The chances add up to so many parts; each 32 bits of a number are drawn by themselves.
    [
        ((5, 1), [0], 1, 500),
        ((2**31, 2**31 - 1), [2**31], 1, 600),
        # 2**32 has 33 bits: 2**32 itself is drawn first, which is too large.
        ((2**31, 2**31), [1, 0, 0, 5], 4, 500),
        ((2**31, 2**31), [2, 2**31], 2, 600),
        ((2**63, 2**63 - 1), [2**31, 0], 2, 600),
        ((2**64, 1), [1, 0, 0], 3, 600),
    ],
)
def test_a_number_is_drawn_in_parts_of_32_bits(
    chances: tuple[int, int], given: list[int], asked: int, cents: int
) -> None:
    numbers = iter(given)
    requests: list[int] = []

    class Given(Chance):
        def below(self, number: int) -> int:
            requests.append(number)
            return next(numbers)

    whole = 2**65 + 1  # No part can be canceled.
    schedule = [
        Prize(pays, Fraction(part, whole)) for pays, part in zip((500, 600), chances, strict=True)
    ]
    assert draw(schedule, Given(seed=0)) == cents
    assert requests == [2**32] * asked


@pytest.mark.parametrize(
    ("numbering", "seats"), [("counterclockwise", [3, 2, 1]), ("clockwise", [5, 6, 7])]
)
def test_patrons_sit_from_the_dealers_right_on_and_are_dealt_from_his_left(
    numbering: str, seats: list[int]
) -> None:
    table = BlackjackTable(rules_of(TableLayout(seats=7, numbering=numbering)))
    pilot = Pilot(table, Chance(seed=1), patrons=3)
    assert [one.seat for one in pilot.play_round().played.play.seats] == seats


@pytest.mark.parametrize("patrons", [0, 8])
def test_more_patrons_than_seats_cannot_sit_down_nor_nobody(patrons: int) -> None:
    Pilot(session(), Chance(seed=1), patrons=7)
    with pytest.raises(ValueError, match=f"{patrons} patrons: the layout has 7 seats"):
        Pilot(session(), Chance(seed=1), patrons=patrons)


def test_patrons_choose_lengths_while_none_is_undecided() -> None:
    pilot = Pilot(session(), Chance(seed=3), patrons=7)
    chosen = Counter[int]()
    for _ in range(40):
        before = {*pilot.session.streak.seats}
        played = pilot.play_round().played
        assert played.refused == ()
        assert all(not seat.streak for seat in played.play.seats if seat.seat in before)
        chosen.update(len(seat.streak) for seat in played.play.seats if seat.seat not in before)
    assert {*chosen} == {0, 1, 2, 3, 4}


def test_patrons_with_a_natural_are_paid_and_a_supervisor_confirms_from_a_hundred_dollars(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    rules = table_rules(read_submission(ROOT / "submissions" / "nj-blackjack-bonus.toml"))
    # The third to fifth amounts: $99 or $100, $100 or $500, and $1,000 or $5,000.
    places = cycle((2, 3, 4))
    monkeypatch.setattr(
        "croupier.blackjack.session.draw", lambda schedule, _: schedule[next(places)].cents
    )
    pilot = Pilot(BlackjackTable(rules), Chance(seed=5), patrons=6)
    stakes, confirmed = Counter[int | None](), set[tuple[int, str | None]]()
    for _ in range(50):
        played, cards = pilot.play_round()
        assert played.refused == ()
        for seat in played.play.seats:
            stakes[seat.bonus_cents] += 1
            wins = seat.bonus_cents is not None and cards.patron_natural(seat.seat)
            assert (seat.shows_cents is not None) is wins
            if seat.shows_cents is not None:
                confirmed.add((seat.shows_cents, seat.confirmed_by))
    assert confirmed >= {(9_900, None), (10_000, "casino supervisor")}
    assert max(confirmed)[0] > 10_000
    assert all((by is None) is (cents < 10_000) for cents, by in confirmed)
    # A third each of 300, within five standard errors.
    assert {*stakes} == {None, 100, 500}
    assert all(abs(count - 100) < 41 for count in stakes.values())


def test_nothing_that_patrons_of_the_reference_game_do_is_refused() -> None:
    for table in (session(), bonus_session()):
        pilot = Pilot(table, Chance(seed=8), patrons=7)
        rounds = [pilot.play_round() for _ in range(400)]
        assert all(one.played.refused == () for one in rounds)
        assert table.ledger.in_balance
        assert replace(table.bonus, round=0) == replace(BlackjackTable(table.rules).bonus, round=0)


# --- what is said ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("event", "kind", "text"),
    [
        (acts.BlackjackWagersCollected(3, 1, clauses=()), "money", "Seat 3: blackjack wager collected"),
        (acts.BlackjackWagersCollected(3, 2, clauses=()), "money", "Seat 3: 2 blackjack wagers collected"),
        (acts.BlackjackWagersPaid(3, 1, clauses=()), "money", "Seat 3: blackjack wager paid"),
        (acts.BonusLayoutCleared({}, clauses=()), "act", "The dealer clears the layout"),
        (acts.BonusLayoutCleared({2: 100, 5: 500}, clauses=()), "act", "The dealer clears the layout, collecting $1 of seat 2 and $5 of seat 5"),
        (acts.CardsCollected(clauses=()), "act", "The cards go to the discard rack"),
        (acts.StreakWagersPlaced(3, {2: 500, 4: 750}, clauses=()), "act", "Seat 3 puts $5 on a streak of 2 and $7.50 on a streak of 4"),
        (acts.StreakWagersCollected(3, {2: 500}, "lost", clauses=()), "money", "Seat 3: the hand is lost; collected: $5 on a streak of 2"),
        (acts.StreakWagersCollected(3, {2: 500}, "split", clauses=()), "money", "Seat 3: more split hands are lost than won; collected: $5 on a streak of 2"),
        (acts.StreakWagersCollected(3, {2: 500}, "abandoned", clauses=()), "money", "Seat 3: the streak is abandoned; collected: $5 on a streak of 2"),
        (acts.StreakAdvanced(3, 1, clauses=()), "ruling", "Seat 3 has won one hand"),
        (acts.StreakAdvanced(3, 2, clauses=()), "ruling", "Seat 3 has won 2 hands in a row"),
        (acts.StreakHeld(3, "push", clauses=()), "ruling", "Seat 3: a push leaves the streak unchanged"),
        (acts.StreakHeld(3, "split", clauses=()), "ruling", "Seat 3: an equal number of split hands won and lost leaves the streak unchanged"),
        (acts.LammerMoved(3, 2, None, clauses=()), "act", "Seat 3: the lammer is taken from 2"),
        (acts.LammerMoved(3, None, 2, clauses=()), "act", "Seat 3: the lammer is placed on 2"),
        (acts.LammerMoved(3, 2, 3, clauses=()), "act", "Seat 3: the lammer moves from 2 to 3"),
        (acts.StreakPaid(3, 2, 500, Odds(3, 1), 1500, clauses=()), "money", "Seat 3: $5 on a streak of 2 wins $15 at 3:1"),
        (acts.BonusWagerPlaced(3, 100, clauses=()), "act", "Seat 3 makes a bonus wager of $1"),
        (acts.PayoutShown(3, 9900, clauses=()), "act", "Seat 3: the display shows $99"),
        (acts.PayoutVerified(3, 9900, clauses=()), "act", "Seat 3: the dealer verifies $99 on the display"),
        (acts.PayoutAnnounced(3, 9900, ("patron", "casino supervisor"), clauses=()), "spoken", "Seat 3: “$99”, to be heard by patron and casino supervisor"),
        (acts.PayoutConfirmed(3, 10000, "casino supervisor", clauses=()), "act", "Seat 3: $100 is confirmed by the casino supervisor"),
        (acts.BonusPaid(3, 100, 9900, returned=True, clauses=()), "money", "Seat 3: the bonus wager is paid $99, and $1 is returned"),
        (acts.BonusPaid(3, 100, 9900, returned=False, clauses=()), "money", "Seat 3: the bonus wager is paid $99"),
    ],
)  # fmt: skip
def test_each_event_is_said(event: acts.WagerEvent, kind: str, text: str) -> None:
    (line,) = narrate(PlayedRound(RoundPlay(1, ()), (event,), ()))
    assert (line.kind, line.text) == (kind, text)


def test_the_hands_are_said_once_wagers_are_closed() -> None:
    event = acts.FirstCardDealt(1, clauses=())
    closed = "The first card is dealt: wagers are closed"
    # Seat 4 has a natural, seat 2 doubles eleven, seat 1 splits aces; the dealer has a soft 18.
    cards = deal_round([4, 2, 1], parse_cards("Ah 6h Ad 7d Ks 5s As Ac 9c 8h 2d"))
    play = RoundPlay(1, tuple(SeatPlay(seat.seat, seat.hands) for seat in outcome_of(cards).seats))
    events = (event, acts.CardsCollected(clauses=()))
    assert [line.text for line in narrate(PlayedRound(play, events, ()), cards)] == [
        closed,
        "Dealer: 7♦ A♣ (soft 18)",
        "Seat 4: A♥ K♠ (natural): win",
        "Seat 2: 6♥ 5♠ 9♣ (20), doubled: win",
        "Seat 1: A♦ 8♥ (soft 19): win; A♠ 2♦ (soft 13): lose",
        "The cards go to the discard rack",
    ]
    for natural in (True, False):
        played = PlayedRound(RoundPlay(1, (SeatPlay(4, LOSE),), natural), (event,), ())
        dealer = ["Dealer: a natural"] if natural else []
        assert [line.text for line in narrate(played)] == [closed, *dealer, "Seat 4: lose"]
    push = deal_round([4], parse_cards("Ah Kd Ks Ad"))
    play = RoundPlay(1, (SeatPlay(4, (HandOutcome.PUSH,)),), dealer_natural=True)
    texts = [line.text for line in narrate(PlayedRound(play, (event,), ()), push)]
    assert texts[1:] == ["Dealer: K♦ A♦ (natural)", "Seat 4: A♥ K♠ (natural): push"]


def test_what_cannot_have_come_of_a_round_is_said() -> None:
    seats = (SeatOutcome(1, WIN), SeatOutcome(2, ()), SeatOutcome(1, LOSE))
    assert [*outcome_errors(RoundOutcome(seats, dealer_natural=True))] == [
        "seat 1: no hand wins against a dealer's natural",
        "seat 2 has no hand",
        "seat 1 is recorded twice",
    ]
