"""N.J.A.C. 19:47-2.20 from (g)2 on: the blackjack bonus wager, clause by clause."""

from fractions import Fraction
from itertools import product
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.blackjack import bonus
from croupier.blackjack.acts import (
    AnnouncePayout,
    BonusLayoutCleared,
    BonusPaid,
    BonusWagerReturned,
    ClearBonusLayout,
    ConfirmPayout,
    DealFirstCard,
    FirstCardDealt,
    HandOutcome,
    PayBonus,
    PayoutAnnounced,
    PayoutConfirmed,
    PayoutVerified,
    PlaceBonusWager,
    PlaceStreakWagers,
    ShowPayout,
    VerifyPayout,
    WagerEvent,
    WithdrawBonusWager,
)
from croupier.blackjack.bonus import BonusState, Prize, house_advantage, schedule_errors
from croupier.blackjack.results import RoundPlay, SeatPlay
from croupier.blackjack.session import BlackjackTable
from croupier.law.cite import Refusal
from croupier.law.elect import SubmissionError
from croupier.rules import TableLayout, TableRules, default_submission, pit_errors, table_rules
from support.texts import NJ_BLACKJACK

pytestmark = pytest.mark.under("us-nj/blackjack-wagers@2001-01-16")

P: Final = "NJ-OLD:19:47-2.20"
SUPERVISOR: Final = "casino supervisor"


def rules_of(**elections: Any) -> TableRules:
    """Rules of a table that offers the bonus wager, at its plain schedules."""
    offered = {"streak__offered": False, "blackjack_bonus__offered": True}
    return table_rules(
        default_submission("us-nj/blackjack-wagers", NJ_BLACKJACK, **(offered | elections))
    )


def scheduled(*prizes: str, stake: int = 1, advantage: str, **elections: Any) -> TableRules:
    """Rules with a schedule of one's own for one of the stakes."""
    own = {
        f"blackjack_bonus__schedule__{stake}": list(prizes),
        f"blackjack_bonus__house_advantage__{stake}": advantage,
    }
    return rules_of(**(own | elections))


class BonusTable:
    """A table that keeps its state."""

    def __init__(self, rules: TableRules | None = None) -> None:
        self.rules = rules or rules_of()
        self.state = BonusState()

    def execute(self, *commands: object) -> list[WagerEvent]:
        """Carry out commands, none of which may be refused; return the events of the last."""
        events: list[WagerEvent] = []
        for command in commands:
            answer = bonus.decide(self.state, command, self.rules)
            assert not isinstance(answer, Refusal), f"{command}: {answer}"
            events = list(answer)
            for event in events:
                self.state = bonus.evolve(self.state, event)
        return events

    def refused(self, command: object, code: str) -> Refusal:
        """Ask for a command that must be refused with that code and change nothing."""
        before = self.state
        answer = bonus.decide(self.state, command, self.rules)
        assert isinstance(answer, Refusal), f"{command} was carried out: {answer}"
        assert answer.code == code, answer
        assert self.state is before
        return answer


def shown(cents: int, stake_cents: int = 100, rules: TableRules | None = None) -> BonusTable:
    """A table where the wager of seat 1 has won, and the display shows what."""
    table = BonusTable(rules)
    table.execute(PlaceBonusWager(1, stake_cents), DealFirstCard(), ShowPayout(1, cents))
    return table


# --- (g): before it is paid ------------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-2.20(g)2")
def test_the_dealer_verifies_the_amount_on_the_display() -> None:
    table = shown(2500)
    for cents in (2400, 2501, 0):
        assert table.refused(VerifyPayout(1, cents), "display").clauses == (f"{P}(g)2",)
    (verified,) = table.execute(VerifyPayout(1, 2500))
    assert verified == PayoutVerified(1, 2500, clauses=(f"{P}(g)2",))
    table.refused(VerifyPayout(1, 2500), "twice")


@pytest.mark.clause("NJ-OLD:19:47-2.20(g)2")
@pytest.mark.parametrize("command", [AnnouncePayout(1), ConfirmPayout(1, SUPERVISOR), PayBonus(1)])
@pytest.mark.parametrize("cents", [2500, 10_000])
def test_nothing_is_announced_confirmed_or_paid_before_it_is_verified(
    command: object, cents: int
) -> None:
    assert shown(cents).refused(command, "unverified").clauses == (f"{P}(g)2",)


def around_the_limit() -> TableRules:
    # Of a dollar 6/10, 100.99/800 and 101/800 come back: 14.75125 percent stay with the house.
    prizes = ("5.00 at 1/10", "99.99 at 1/800", "100.00 at 1/800")
    rules = scheduled(*prizes, advantage="11801/80000")
    assert schedule_errors(rules) == ()
    return rules


@pytest.mark.clause("NJ-OLD:19:47-2.20(g)3")
@pytest.mark.parametrize("cents", [500, 9999])
def test_a_payout_under_a_hundred_dollars_is_announced_to_patron_and_supervisor(cents: int) -> None:
    table = shown(cents, rules=around_the_limit())
    table.execute(VerifyPayout(1, cents))
    unpaid = table.refused(PayBonus(1), "announce")
    assert unpaid.clauses == (f"{P}(g)3",)
    assert unpaid.message.endswith("is announced before it is paid")
    assert table.refused(ConfirmPayout(1, SUPERVISOR), "announce").clauses == (f"{P}(g)3",)
    (told,) = table.execute(AnnouncePayout(1))
    assert told == PayoutAnnounced(1, cents, ("patron", "casino supervisor"), clauses=(f"{P}(g)3",))
    table.refused(AnnouncePayout(1), "twice")
    assert isinstance(table.execute(PayBonus(1))[0], BonusPaid)


@pytest.mark.clause("NJ-OLD:19:47-2.20(g)4")
@pytest.mark.parametrize(("cents", "stake"), [(10_000, 100), (100_000, 100), (500_000, 500)])
def test_a_payout_of_a_hundred_dollars_or_more_is_confirmed_by_a_supervisor(
    cents: int, stake: int
) -> None:
    table = shown(cents, stake)
    table.execute(VerifyPayout(1, cents))
    for command in (PayBonus(1), AnnouncePayout(1), ConfirmPayout(1, "dealer")):
        assert table.refused(command, "confirm").clauses == (f"{P}(g)4",)
    assert table.refused(PayBonus(1), "confirm").message.endswith("is confirmed before it is paid")
    (told,) = table.execute(ConfirmPayout(1, SUPERVISOR))
    assert told == PayoutConfirmed(1, cents, SUPERVISOR, clauses=(f"{P}(g)4",))
    table.refused(ConfirmPayout(1, SUPERVISOR), "twice")
    assert isinstance(table.execute(PayBonus(1))[0], BonusPaid)


# --- (h): afterwards -------------------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-2.20(h)")
def test_the_layout_is_cleared_when_all_winners_have_been_paid() -> None:
    table = BonusTable()
    for seat, cents in ((1, 100), (2, 500), (3, 100), (4, 500)):
        table.execute(PlaceBonusWager(seat, cents))
    table.execute(DealFirstCard(), ShowPayout(1, 500), ShowPayout(4, 5000))
    for seat, cents in ((1, 500), (4, 5000)):
        assert table.refused(ClearBonusLayout(), "unpaid").clauses == (f"{P}(h)",)
        table.execute(VerifyPayout(seat, cents), AnnouncePayout(seat), PayBonus(seat))
        table.refused(PayBonus(seat), "paid")
    (cleared,) = table.execute(ClearBonusLayout())
    # What is left on the layout has lost; who was paid has his wager back already.
    assert cleared == BonusLayoutCleared({2: 500, 3: 100}, clauses=(f"{P}(h)",))
    assert table.state == BonusState(round=1)
    assert table.refused(ClearBonusLayout(), "not_now").clauses == ()
    assert table.execute(DealFirstCard()) == [FirstCardDealt(2, clauses=())]


# --- (i): whatever else happens --------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-2.20(i)")
def test_the_bonus_wager_is_paid_whatever_the_dealer_has_and_however_the_hand_ends() -> None:
    told = []
    for natural, hand in product((True, False), HandOutcome):
        session = BlackjackTable(rules_of())
        seat = SeatPlay(1, (hand,), bonus_cents=500, shows_cents=5000)
        other = SeatPlay(2, (HandOutcome.LOSE,), bonus_cents=100)
        played = session.play(RoundPlay(1, (seat, other), natural))
        assert played.refused == ()
        told.append(played.events)
    assert len(told) == 8
    assert all(events == told[0] for events in told)
    (paid,) = (event for event in told[0] if isinstance(event, BonusPaid))
    assert f"{P}(i)" in paid.clauses


# --- (j): how much ---------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("stake", "least", "most", "clause"),
    [
        pytest.param(1, 500, 100_000, "(j)#1", marks=pytest.mark.clause("NJ-OLD:19:47-2.20(j)#1")),
        pytest.param(5, 5000, 500_000, "(j)#2", marks=pytest.mark.clause("NJ-OLD:19:47-2.20(j)#2")),
    ],
)
def test_a_payout_lies_between_the_least_and_the_most_for_its_stake(
    stake: int, least: int, most: int, clause: str
) -> None:
    for cents in (least - 1, most + 1, 0, float(least)):
        table = BonusTable()
        table.execute(PlaceBonusWager(1, 100 * stake), DealFirstCard())
        refusal = table.refused(ShowPayout(1, cents), "amount")  # type: ignore[arg-type]
        assert refusal.clauses == (P + clause,)
        shown_as = f"${cents / 100:,.2f}" if isinstance(cents, int) else repr(cents)
        assert refusal.message.startswith(f"{shown_as} is not a payout of a ${stake} wager")
    for cents in (least, most):
        table = shown(cents, 100 * stake)
        known = AnnouncePayout(1) if cents < 10_000 else ConfirmPayout(1, SUPERVISOR)
        (paid,) = table.execute(VerifyPayout(1, cents), known, PayBonus(1))
        assert paid == BonusPaid(1, 100 * stake, cents, True, clauses=(P + clause, f"{P}(i)"))  # noqa: FBT003


@pytest.mark.parametrize(
    ("stake", "prize", "clause"),
    [
        pytest.param(1, "4.99", "(j)#1", marks=pytest.mark.clause("NJ-OLD:19:47-2.20(j)#1")),
        pytest.param(1, "1000.01", "(j)#1", marks=pytest.mark.clause("NJ-OLD:19:47-2.20(j)#1")),
        pytest.param(5, "49.99", "(j)#2", marks=pytest.mark.clause("NJ-OLD:19:47-2.20(j)#2")),
        pytest.param(5, "5000.01", "(j)#2", marks=pytest.mark.clause("NJ-OLD:19:47-2.20(j)#2")),
    ],
)
def test_a_schedule_with_an_amount_out_of_bounds_is_refused(
    stake: int, prize: str, clause: str
) -> None:
    rules = scheduled(f"{prize} at 1/10000", stake=stake, advantage="0%")
    errors = schedule_errors(rules)
    assert (P + clause,) in [detail.clauses for detail in errors]
    assert {detail.where for detail in errors} == {f"blackjack_bonus.schedule.{stake}"}


@pytest.mark.clause("NJ-OLD:19:47-2.20(j)#1", "NJ-OLD:19:47-2.20(j)#2")
def test_a_bonus_wager_is_of_one_dollar_or_five() -> None:
    table = BonusTable()
    for cents in (0, 99, 200, 1000, True, 100.0):
        refusal = table.refused(PlaceBonusWager(1, cents), "stake")  # type: ignore[arg-type]
        assert refusal.clauses == (f"{P}(j)#1", f"{P}(j)#2")
        assert refusal.message.endswith("a bonus wager must be $1 or $5")
    assert table.execute(PlaceBonusWager(7, 100))[0].clauses == (f"{P}(j)#1",)
    assert table.execute(PlaceBonusWager(1, 100))[0].clauses == (f"{P}(j)#1",)
    assert table.execute(PlaceBonusWager(2, 500))[0].clauses == (f"{P}(j)#2",)


def test_the_display_shows_only_what_stands_in_the_schedule() -> None:
    table = BonusTable()
    table.execute(PlaceBonusWager(1, 100), DealFirstCard())
    refusal = table.refused(ShowPayout(1, 2600), "schedule")
    assert refusal.clauses == (f"{P}(j)#1", f"{P}(k)#1")
    table.execute(ShowPayout(1, 2500))
    table.refused(ShowPayout(1, 2500), "twice")


# --- (k): the house advantage ----------------------------------------------------------------------


@pytest.mark.usefixtures("rules_under_the_text")
@pytest.mark.clause("NJ-OLD:19:47-2.20(k)#1")
def test_the_house_advantage_is_what_a_wager_loses_on_the_average() -> None:
    # A dollar wins five in one of ten rounds: it loses nine dollars and wins five, in ten.
    tenth = [Prize(500, Fraction(1, 10))]
    assert house_advantage(tenth, 100, returned=True) == Fraction(9 - 5, 10)
    # Where the dollar does not go back with it, all ten are lost.
    assert house_advantage(tenth, 100, returned=False) == Fraction(10 - 5, 10)
    two = [Prize(5000, Fraction(1, 20)), Prize(10_000, Fraction(1, 40))]
    # Forty wagers of five dollars: two win fifty, one a hundred, thirty-seven lose.
    assert house_advantage(two, 500, returned=True) == Fraction(37 * 5 - 2 * 50 - 100, 40 * 5)
    assert house_advantage([], 500, returned=True) == 1


@pytest.mark.clause("NJ-OLD:19:47-2.20(k)#1")
@pytest.mark.parametrize("stake", [1, 5])
@pytest.mark.parametrize("advantage", ["31%", "3001/10000", "100%"])
def test_a_house_advantage_over_thirty_percent_is_refused(stake: int, advantage: str) -> None:
    with pytest.raises(SubmissionError) as refused:
        rules_of(**{f"blackjack_bonus__house_advantage__{stake}": advantage})
    assert [detail.clauses for detail in refused.value.errors] == [(f"{P}(k)#1",)]


@pytest.mark.clause("NJ-OLD:19:47-2.20(k)#1")
@pytest.mark.parametrize(
    ("prize", "advantage", "fits"),
    [
        # A dollar that wins five in one of six rounds is fair: it loses five and wins five.
        ("5.00 at 1/6", "0%", True),
        # In seven of sixty it loses fifty-three and wins thirty-five: thirty percent of sixty is 18.
        ("5.00 at 7/60", "30%", True),
        # A little more than in one of six favours the patron, a little less than 7/60 the house.
        ("5.00 at 1001/6000", "0%", False),
        ("5.00 at 699/6000", "30%", False),
        ("5.00 at 1/6", "1%", False),
        ("5.00 at 1/1", "0%", False),
    ],
)
def test_a_schedule_gives_the_house_advantage_elected_which_the_law_bounds(
    prize: str, advantage: str, *, fits: bool
) -> None:
    errors = schedule_errors(scheduled(prize, advantage=advantage))
    assert [detail.clauses for detail in errors] == ([] if fits else [(f"{P}(k)#1",)])


@pytest.mark.clause("NJ-OLD:19:47-2.20(k)#1")
def test_a_wager_that_does_not_go_back_with_its_payout_costs_more() -> None:
    prize = "5.00 at 1/6"
    kept = scheduled(prize, advantage="1/6", blackjack_bonus__award_is="for-one")
    assert [one for one in schedule_errors(kept) if one.where.endswith(".1")] == []
    table = shown(500, rules=kept)
    (paid,) = table.execute(VerifyPayout(1, 500), AnnouncePayout(1), PayBonus(1))
    assert isinstance(paid, BonusPaid)
    assert not paid.returned


@pytest.mark.parametrize(
    ("prizes", "told"),
    [
        (["5.00 at 0/6"], "$5.00 has zero probability"),
        (["5.00 at 1/6", "5.00 at 1/7"], "an amount is listed twice"),
        (["5.00 at 2/3", "6.00 at 2/3"], "the probabilities add up to 4/3, more than one"),
        (["5 in 6"], "'5 in 6': write an amount and its probability"),
        (["5.0 at 1/6"], "'5.0' is not an amount of money"),
        (["5.00 at 1/0"], "'5.00 at 1/0': write an amount and its probability"),
        (["5.00 at 0.1"], "'5.00 at 0.1': write an amount and its probability"),
    ],
)
def test_a_schedule_that_makes_no_sense_is_refused_with_its_reason(
    prizes: list[str], told: str
) -> None:
    errors = schedule_errors(scheduled(*prizes, advantage="30%"))
    assert [detail.message.startswith(told) for detail in errors].count(True) == 1
    assert all(detail.clauses for detail in errors)


@pytest.mark.clause("NJ-OLD:19:47-2.20(k)#2")
def test_one_denomination_has_one_house_advantage_at_all_tables_of_a_licensee() -> None:
    def table(number: str, **elections: Any) -> TableRules:
        rules = rules_of(**elections)
        place = TableLayout(pit=number, table=number)
        return replace(rules, submission=replace(rules.submission, layout=place))

    one, same = table("1"), table("2")
    assert pit_errors([one, same], across="licensee") == ()
    for stake in (1, 5):
        other = table("3", **{f"blackjack_bonus__house_advantage__{stake}": "10%"})
        (detail,) = pit_errors([one, same, other], across="licensee")
        assert detail.where == f"blackjack_bonus.house_advantage.{stake}"
        assert detail.clauses == (f"{P}(k)#2",)


@pytest.mark.clause("NJ-OLD:19:47-2.20(k)#2")
def test_different_denominations_may_have_different_house_advantages() -> None:
    one = rules_of(
        blackjack_bonus__house_advantage__1="0%", blackjack_bonus__house_advantage__5="30%"
    )
    assert pit_errors([one, one]) == ()


# --- (l): what stands beside it --------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-2.20(l)")
@pytest.mark.parametrize(
    ("beside", "clauses"),
    [
        ("other__multiple_action", (f"{P}(l)",)),
        ("other__progressive", (f"{P}(l)",)),
        ("streak__offered", (f"{P}(l)", "NJ-OLD:19:47-2.22(l)")),
    ],
)
def test_the_bonus_wager_is_offered_beside_no_other_such_wager(
    beside: str, clauses: tuple[str, ...]
) -> None:
    with pytest.raises(SubmissionError) as refused:
        rules_of(**{beside: True})
    assert [detail.clauses for detail in refused.value.errors] == [clauses]


@pytest.mark.clause("NJ-OLD:19:47-2.20(l)")
def test_a_table_without_the_bonus_wager_takes_none() -> None:
    plain = table_rules(default_submission("us-nj/blackjack-wagers", NJ_BLACKJACK))
    assert BonusTable(plain).refused(PlaceBonusWager(1, 100), "not_offered").clauses == ()
    assert schedule_errors(plain) == ()


# --- the way of a round ----------------------------------------------------------------------------


def test_a_wager_is_placed_once_before_the_cards_and_wins_only_where_it_lies() -> None:
    table = BonusTable()
    for seat in (0, 8, True):
        table.refused(PlaceBonusWager(seat, 100), "no_such_seat")
    table.execute(PlaceBonusWager(1, 100), PlaceBonusWager(2, 500), PlaceBonusWager(3, 100))
    table.refused(PlaceBonusWager(1, 100), "twice")
    table.execute(WithdrawBonusWager(2))
    assert table.state.stakes == {1: 100, 3: 100}
    table.execute(WithdrawBonusWager(3))
    assert [*table.execute(WithdrawBonusWager(1))] == [BonusWagerReturned(1, 100, clauses=())]
    assert table.state.in_play_cents == 0
    table.refused(WithdrawBonusWager(1), "no_wager")
    table.execute(PlaceBonusWager(1, 100))
    table.refused(ShowPayout(1, 500), "no_wager")
    table.execute(DealFirstCard())
    table.refused(DealFirstCard(), "not_now")
    table.refused(WithdrawBonusWager(1), "not_now")
    table.refused(PlaceBonusWager(2, 100), "not_now")
    table.refused(ShowPayout(2, 500), "no_wager")
    for command in (
        VerifyPayout(1, 500),
        AnnouncePayout(1),
        ConfirmPayout(1, SUPERVISOR),
        PayBonus(1),
    ):
        table.refused(command, "no_payout")


def test_the_streak_wager_has_no_place_in_this_machine() -> None:
    with pytest.raises(TypeError, match="PlaceStreakWagers is not a command of the bonus wager"):
        BonusTable().execute(PlaceStreakWagers(1, {2: 500}))
