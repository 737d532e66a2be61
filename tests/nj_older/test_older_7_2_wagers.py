"""19:47-7.2 as it stood in 2001: the wagers, how each is decided, and how they are made."""

from typing import Any

import pytest

from croupier import acts
from croupier.acts import ChipsBought, VerbalWagerConfirmed, WagerPlaced
from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import WAGERS
from croupier.money.settlement import Stake, settle
from croupier.rules import Outcome
from croupier.table import Phase
from support.cases import each
from support.older_excerpts import errors_of, made, older
from support.table import refused

pytestmark = pytest.mark.under("us-nj/minibaccarat@1999-07-06")

WIN, LOSE, PUSH = Outcome.WIN, Outcome.LOSE, Outcome.PUSH
A = "NJ-OLD:19:47-7.2(a)"
TENDER = ("NJ-OLD:19:47-7.2(c)~old#1",)
CLOSED, UNTOUCHED = "NJ-OLD:19:47-7.2(d)~old", "NJ-OLD:19:47-7.2(e)~old"


def decided(wager: str, player: int, banker: int, **elections: Any) -> tuple[Outcome, list[str]]:
    """How a wager is decided, and the clauses of 7.2 by which it is."""
    decision = older(**elections).offers[wager].decide(Facts(player, banker, 3, 3))
    return decision.outcome, [one for one in decision.clauses if one.startswith(A)]


PAIRS = [(player, banker) for player in range(10) for banker in range(10)]


# --- (a): which wagers, and how they are decided -----------------------------------------------


@pytest.mark.clause(
    "NJ-OLD:19:47-7.2(a)1~old", "NJ-OLD:19:47-7.2(a)2~old", "NJ-OLD:19:47-7.2(a)3~old"
)
@pytest.mark.parametrize("scheme", ["5%", "4%", "tie-25%"])
def test_banker_player_and_tie_are_on_every_layout_and_nothing_else(scheme: str) -> None:
    assert set(older(vigorish__scheme=scheme).offers) == {"banker", "player", "tie"}


@pytest.mark.clause(
    "NJ-OLD:19:47-7.2(a)1.i~old",
    "NJ-OLD:19:47-7.2(a)1.ii~old",
    "NJ-OLD:19:47-7.2(a)1.iii~old",
    "NJ-OLD:19:47-7.2(a)2.i~old",
    "NJ-OLD:19:47-7.2(a)2.ii~old",
    "NJ-OLD:19:47-7.2(a)2.iii~old",
    "NJ-OLD:19:47-7.2(a)3~old",
)
@each(("player", "banker"), PAIRS)
def test_each_wager_goes_by_the_two_counts_for_the_very_sentence(player: int, banker: int) -> None:
    if player == banker:
        expected = [(PUSH, "1.iii"), (PUSH, "2.iii"), (WIN, "3")]
    elif banker > player:
        expected = [(WIN, "1.i"), (LOSE, "2.ii"), (LOSE, "3")]
    else:
        expected = [(LOSE, "1.ii"), (WIN, "2.i"), (LOSE, "3")]
    for wager, (outcome, sentence) in zip(("banker", "player", "tie"), expected, strict=True):
        assert decided(wager, player, banker) == (outcome, [f"{A}{sentence}~old"])


@pytest.mark.clause("NJ-OLD:19:47-7.2(a)1.iii~old")
@pytest.mark.parametrize(("scheme", "due"), [("5%", 0), ("4%", 0), ("tie-25%", 2_500)])
def test_on_equal_counts_the_banker_wager_is_void_and_costs_a_quarter_under_one_scheme_alone(
    scheme: str, due: int
) -> None:
    rules = older(vigorish__scheme=scheme)
    (settled,) = settle(rules, Facts(7, 7, 2, 2), {(1, "banker"): Stake(10_000)})
    assert (settled.decision.outcome, settled.won_cents) == (PUSH, 0)
    assert settled.vigorish_cents == due


# --- (b): no other wager -----------------------------------------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-7.2(b)~old")
@pytest.mark.parametrize("wager", sorted(set(WAGERS) - {"banker", "player", "tie"}))
def test_no_wager_of_a_later_or_another_text_is_accepted(wager: str) -> None:
    table = made(older(), Phase.BETTING)
    refusal = refused(table, acts.PlaceWager(1, wager, 10_000), "not_offered")
    assert refusal.clauses == ("NJ-OLD:19:47-7.2(b)~old",)


@pytest.mark.clause("NJ-OLD:19:47-7.2(b)~old")
@pytest.mark.parametrize("rule", ["wagers__total_cards__offered", "wagers__bonus__offered"])
def test_wagers_that_came_later_cannot_be_elected(rule: str) -> None:
    later: dict[str, Any] = {rule: True}
    (detail,) = errors_of(**later)
    assert detail.clauses == ("NJ-OLD:19:47-7.2(b)~old",)


# --- (c): chips, plaques, coupons, and the spoken wager ----------------------------------------


@pytest.mark.clause("NJ-OLD:19:47-7.2(c)~old#1")
def test_wagers_are_made_in_chips_and_a_match_play_coupon_may_lie_beside_them() -> None:
    table = made(older(), Phase.BETTING)
    (placed,) = table.execute(acts.PlaceWager(2, "player", 10_000, 5_000))
    assert isinstance(placed, WagerPlaced)
    assert (placed.cents, placed.coupon_cents, placed.clauses) == (10_000, 5_000, TENDER)
    assert table.state.stakes == {(2, "player"): Stake(10_000, 5_000)}
    coupon_alone = acts.PlaceWager(1, "player", 1_000, 1_001)
    assert refused(table, coupon_alone, "coupon").clauses == TENDER
    assert refused(table, acts.PlaceWager(1, "tie", 1_000_001), "chips").clauses == TENDER


def spoken(*, dealer: bool = True, supervisor: str | None = "Sue") -> acts.PlaceVerbalWager:
    return acts.PlaceVerbalWager(1, "banker", 10_000, dealer, supervisor)


@pytest.mark.clause("NJ-OLD:19:47-7.2(c)~old#2", "NJ-OLD:19:47-7.2(c)~old#3")
def test_a_verbal_wager_with_cash_is_confirmed_by_both_and_its_cash_changed_for_chips() -> None:
    table = made(older(), Phase.BETTING)
    for unconfirmed in (spoken(dealer=False), spoken(supervisor=None)):
        refusal = refused(table, unconfirmed, "unconfirmed")
        assert refusal.clauses == ("NJ-OLD:19:47-7.2(c)~old#2",)
    confirmed, bought, placed = table.execute(spoken())
    assert isinstance(confirmed, VerbalWagerConfirmed)
    assert confirmed.clauses == ("NJ-OLD:19:47-7.2(c)~old#2",)
    assert isinstance(bought, ChipsBought)
    assert (bought.cents, bought.clauses) == (10_000, ("NJ-OLD:19:47-7.2(c)~old#3",))
    assert isinstance(placed, WagerPlaced)
    assert table.state.seats[1].chips_cents == 1_000_000


# --- (d) and (e): no more bets, and hands off --------------------------------------------------

CHANGES = [
    acts.PlaceWager(1, "tie", 1_000),
    acts.PlaceWager(1, "player", 1_000),
    acts.PlaceWagers(1, {"tie": 1_000}),
    acts.WithdrawWager(1, "player"),
    spoken(),
]


@pytest.mark.clause("NJ-OLD:19:47-7.2(d)~old")
@pytest.mark.parametrize("command", CHANGES, ids=lambda command: type(command).__name__)
def test_after_no_more_bets_no_wager_is_made_increased_or_withdrawn(
    command: acts.Command,
) -> None:
    table = made(older(), Phase.DEALING, stakes={(1, "player"): 10_000}, cards="")
    assert refused(table, command, "no_more_bets").clauses == (CLOSED,)


@pytest.mark.clause("NJ-OLD:19:47-7.2(e)~old")
@pytest.mark.parametrize("command", CHANGES, ids=lambda command: type(command).__name__)
@pytest.mark.parametrize(
    ("phase", "cards"),
    [(Phase.DEALING, "9h"), (Phase.DEALING, "9h 8d"), (Phase.DECIDED, "9h 2d Kh Ks")],
)
def test_from_the_first_card_until_the_wager_is_settled_nobody_touches_it(
    phase: Phase, cards: str, command: acts.Command
) -> None:
    table = made(older(), phase, stakes={(1, "player"): 10_000}, cards=cards)
    assert refused(table, command, "no_more_bets").clauses == (CLOSED, UNTOUCHED)


@pytest.mark.clause("NJ-OLD:19:47-7.2(d)~old", "NJ-OLD:19:47-7.2(e)~old")
def test_before_the_call_wagers_are_made_increased_and_withdrawn() -> None:
    table = made(older(), Phase.BETTING)
    table.execute(acts.PlaceWager(1, "player", 1_000))
    table.execute(acts.PlaceWager(1, "player", 1_000))
    assert table.state.stakes == {(1, "player"): Stake(2_000)}
    table.execute(acts.WithdrawWager(1, "player"))
    assert table.state.stakes == {}
