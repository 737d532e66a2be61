"""5324.21(c)(3) to (6): how much vigorish is taken, when, and how it is shown until it is."""

from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    BatchesExchanged,
    CardsShuffled,
    CollectVigorish,
    LeaveTable,
    PatronLeft,
    ShuffleCards,
    StakesReleased,
    VigorishCollected,
    VigorishMarked,
    WagerPaid,
)
from croupier.baccarat.coup import Facts
from croupier.money.settlement import Settled, Stake
from croupier.money.settlement import settle as settle_stakes
from croupier.rules import TableRules
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.new_york import (
    BANKER_6,
    DRAGON_7,
    PLAYER_8_BANKER_9,
    PLAYER_9_BANKER_8,
    TIE_8,
    at,
    errors_of,
    ny,
    ready,
    rules_of,
    settle,
)
from support.table import (
    banker_wins,
    deal,
    due,
    every,
    load_short_shoe,
    only,
    play,
    play_out,
    refused,
    wager,
)

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

EVERY_BANKER_WIN: Final = [
    Facts(player, banker, player_cards, banker_cards)
    for banker in range(1, 10)
    for player in range(banker)
    for player_cards in (2, 3)
    for banker_cards in (2, 3)
]
NO_BANKER_WIN: Final = [
    Facts(player, banker, 2, 3) for player in range(10) for banker in range(10) if player >= banker
]


def one(rules: TableRules, facts: Facts, cents: int) -> Settled:
    """A Banker wager of seat 1, settled."""
    (settled,) = settle_stakes(rules, facts, {(1, "banker"): Stake(cents)})
    return settled


# --- (3): four or five percent of the amount won -----------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(3)#2")
@pytest.mark.parametrize(("scheme", "vigorish"), [("5%", 500), ("4%", 400)])
def test_four_or_five_percent_is_taken_from_every_banker_win_and_from_nothing_else(
    scheme: str, vigorish: int
) -> None:
    rules = rules_of(vigorish__scheme=scheme)
    assert {one(rules, facts, 10_000).vigorish_cents for facts in EVERY_BANKER_WIN} == {vigorish}
    assert {one(rules, facts, 10_000).vigorish_cents for facts in NO_BANKER_WIN} == {0}


@pytest.mark.clause("NY-MINIMIDI:(c)(3)#2")
def test_the_percentage_is_of_the_amount_won_and_not_of_the_wager() -> None:
    rules = rules_of(wagers__banker__pays="6:5")
    # A hundred dollars win a hundred and twenty, and five percent of that are six.
    settled = one(rules, EVERY_BANKER_WIN[0], 10_000)
    assert (settled.won_cents, settled.vigorish_cents) == (12_000, 600)


@pytest.mark.clause("NY-MINIMIDI:(c)(3)#2", "NY-MINIMIDI:(c)(4)#1", "NY-MINIMIDI:(c)(6)#1")
@pytest.mark.parametrize("scheme", ["3%", "6%", "4.5%", "none", "total-cards"])
def test_no_other_vigorish_is_offered(scheme: str) -> None:
    detail = errors_of(vigorish__scheme=scheme)["vigorish.scheme"]
    assert set(detail.clauses) >= set(ny("(c)(3)#2", "(c)(4)#1", "(c)(6)#1"))


@pytest.mark.clause("NY-MINIMIDI:(c)(3)#2", "NY-MINIMIDI:(c)(3)#1", "NY-MINIMIDI:(c)(3)(ii)#1")
def test_vigorish_at_the_table_names_its_rate_and_its_time() -> None:
    session = ready(1)
    events = settle(session, PLAYER_8_BANKER_9, (1, "banker", 10_000))
    paid, taken = only(events, WagerPaid), only(events, VigorishCollected)
    assert (paid.cents, taken.cents) == (10_000, 500)
    assert paid.clauses == ny("(i)(2)(iii)", "(b)(1)(i)(a)", "(c)(3)#1")
    assert taken.clauses == ny("(i)(2)(iii)", "(c)(3)#2", "(c)(3)(ii)#1")
    assert session.state.seats[1].chips_cents == 1_000_000 + 9_500


# --- (3)(i): rounding --------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(i)")
@pytest.mark.parametrize(
    ("scheme", "cents", "vigorish"),
    [
        ("5%", 700, 35),  # Exactly seven times five cents: nothing to round.
        ("5%", 705, 40),  # 35.25 cents.
        ("5%", 10, 5),
        ("4%", 700, 30),  # 28 cents.
        ("4%", 125, 5),
        ("4%", 130, 10),  # 5.2 cents: upward, however little is over.
        ("4%", 10_000, 400),
    ],
)
def test_vigorish_may_be_rounded_to_five_cents_upward_alone(
    scheme: str, cents: int, vigorish: int
) -> None:
    rules = rules_of(vigorish__scheme=scheme, vigorish__rounded=True)
    assert one(rules, EVERY_BANKER_WIN[0], cents).vigorish_cents == vigorish


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(i)")
def test_each_wager_is_rounded_by_itself() -> None:
    rules = rules_of(vigorish__rounded=True)
    stakes = {(seat, "banker"): Stake(105) for seat in (1, 2)}
    settled = settle_stakes(rules, EVERY_BANKER_WIN[0], stakes)
    # 5.25 cents twice would be 10.5 cents, and 15 rounded together.
    assert [each.vigorish_cents for each in settled] == [10, 10]


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(i)")
@pytest.mark.parametrize(("scheme", "unit"), [("5%", 20), ("4%", 25)])
def test_unrounded_it_is_exact_and_a_stake_that_makes_fractions_of_a_cent_is_refused(
    scheme: str, unit: int
) -> None:
    session = ready(1, vigorish__scheme=scheme, vigorish__rounded=False)
    session.execute(acts.PlaceWager(1, "banker", unit))
    refusal = refused(session, acts.PlaceWager(1, "banker", unit - 1), "fraction_of_a_cent")
    assert refusal.clauses == ny("(c)(3)#1", "(c)(3)#2")
    assert f"a multiple of $0.{unit}; " in refusal.message


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(i)")
@pytest.mark.parametrize("rounded", [True, False])
def test_vigorish_names_the_sentence_of_rounding_where_it_is_rounded(rounded: bool) -> None:  # noqa: FBT001
    events = settle(ready(1, vigorish__rounded=rounded), PLAYER_8_BANKER_9, (1, "banker", 10_000))
    rounding = ["(c)(3)(i)"] if rounded else []
    assert only(events, VigorishCollected).clauses == ny(
        "(i)(2)(iii)", "(c)(3)#2", *rounding, "(c)(3)(ii)#1"
    )


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(i)", "NY-MINIMIDI:(c)(4)#1")
@pytest.mark.parametrize("scheme", ["tie-25%", "dragon-7"])
def test_only_vigorish_on_wins_can_be_rounded_or_deferred(scheme: str) -> None:
    errors = errors_of(
        vigorish__scheme=scheme, vigorish__rounded=True, vigorish__collection="deferred"
    )
    assert errors["vigorish.rounded"].clauses == ny("(c)(3)(i)")
    assert errors["vigorish.collection"].clauses == ny("(c)(3)(ii)#1")


# --- (3)(ii): deferred, marked, collected ------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(ii)#1", "NY-MINIMIDI:(c)(3)(ii)#3")
def test_deferred_vigorish_is_shown_by_a_marker_for_the_amount_in_the_debtors_space() -> None:
    session = ready(1, 4, vigorish__collection="deferred")
    events = settle(session, PLAYER_8_BANKER_9, (1, "banker", 10_000), (4, "banker", 20_000))
    marked = every(events, VigorishMarked)
    assert [(each.seat, each.cents, each.owed_cents) for each in marked] == [
        (4, 1_000, 1_000),
        (1, 500, 500),
    ]
    for each in marked:
        assert each.clauses == ny("(i)(2)(iii)", "(c)(3)#2", "(c)(3)(ii)#1", "(c)(3)(ii)#3")
    assert session.state.seats[1].chips_cents == 1_000_000 + 10_000
    session.execute(acts.ClearLayout())
    # The next win adds to the marker.
    marked = every(banker_wins(session, (1, 10_000)), VigorishMarked)
    assert [(each.cents, each.owed_cents) for each in marked] == [(500, 1_000)]


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(ii)#3", "NY-MINIMIDI:(c)(3)(ii)#4")
def test_the_marker_stays_until_the_vigorish_is_collected_in_full() -> None:
    session = ready(1, vigorish__collection="deferred")
    banker_wins(session, (1, 10_000))
    play(session, PLAYER_9_BANKER_8)
    assert session.state.seats[1].owed_cents == 500
    (collected,) = session.execute(CollectVigorish(1))
    assert isinstance(collected, VigorishCollected)
    assert (collected.cents, collected.deferred) == (500, True)
    assert collected.clauses == ny("(c)(3)(ii)#2", "(c)(3)(ii)#4")
    assert session.state.seats[1].owed_cents == 0
    assert session.state.seats[1].chips_cents == 1_000_000 + 9_500


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(ii)#4")
def test_vigorish_cannot_be_collected_where_none_is_owed() -> None:
    refusal = refused(ready(1, vigorish__collection="deferred"), CollectVigorish(1), "nothing_owed")
    assert refusal.clauses == ()


def end_of_shoe(**elections: Any) -> TableSession:
    """Seat 1 owes five dollars at the end of a shoe."""
    session = at(Phase.CUT, 1, 2, vigorish__collection="deferred", **elections)
    load_short_shoe(session)
    banker_wins(session, (1, 10_000))
    play_out(session, PLAYER_9_BANKER_8)
    assert session.state.seats[1].owed_cents == 500
    return session


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(ii)#2", "NY-MINIMIDI:(c)(3)(ii)#4")
def test_the_next_shoe_waits_until_all_vigorish_is_collected() -> None:
    session = end_of_shoe()
    refusal = refused(session, ShuffleCards(), "vigorish_outstanding")
    assert refusal.clauses == ny("(c)(3)(ii)#2", "(c)(3)(ii)#4")
    assert "document" not in refusal.message
    refused(session, acts.CallNoMoreBets(), "not_now")
    assert due(session) == {CollectVigorish}
    session.execute(CollectVigorish(1))
    assert due(session) == {ShuffleCards}
    only(session.execute(ShuffleCards()), CardsShuffled)


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(ii)#2", "NY-MINIMIDI:(a)(4)(iv)(d)")
def test_the_other_batch_waits_for_it_too() -> None:
    session = at(Phase.TO_EXCHANGE, 1, device="shuffler", decks=16, vigorish__collection="deferred")
    load_short_shoe(session)
    banker_wins(session, (1, 10_000))
    play_out(session, PLAYER_9_BANKER_8)
    refusal = refused(session, acts.ExchangeBatches(), "vigorish_outstanding")
    assert refusal.clauses == ny("(c)(3)(ii)#2", "(c)(3)(ii)#4")
    session.execute(CollectVigorish(1))
    only(session.execute(acts.ExchangeBatches()), BatchesExchanged)


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(ii)#2")
def test_within_a_shoe_vigorish_may_wait() -> None:
    session = ready(1, vigorish__collection="deferred")
    for _ in range(3):
        banker_wins(session, (1, 10_000))
    assert session.state.seats[1].owed_cents == 1_500
    assert CollectVigorish not in due(session)
    assert CollectVigorish in {action.command for action in session.legal()}


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(ii)#4")
def test_there_is_no_form_by_which_vigorish_could_be_waived() -> None:
    session = end_of_shoe()
    assert acts.PrepareForm not in {action.command for action in session.legal()}
    for command in (
        acts.ReceiveForms("Clark", 101, 103),
        acts.PrepareForm(101, 1, "Clark", "Dana", "Bo", patron_signed=True),
        acts.VoidForm(101, "Clark", "Bo"),
        acts.EndGamingDay("Clark"),
    ):
        refusal = refused(session, command, "no_such_procedure")
        assert refusal.message == "this regulation has no Complimentary Vigorish Form"


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(ii)#4")
def test_a_patron_who_owes_vigorish_does_not_leave_and_so_the_table_does_not_close() -> None:
    session = ready(1, vigorish__collection="deferred")
    banker_wins(session, (1, 10_000))
    refusal = refused(session, LeaveTable(1), "vigorish_outstanding")
    # The text names the reshuffle, and not that a player leaves: the register does.
    assert refusal.clauses == ()
    assert refusal.message.startswith("seat 1 owes $5.00 of vigorish")
    assert "document" not in refusal.message
    refused(session, acts.CloseTable(), "patrons")
    session.execute(CollectVigorish(1))
    assert only(session.execute(LeaveTable(1)), PatronLeft).clauses == ()
    session.execute(acts.CloseTable())


@pytest.mark.clause("NY-MINIMIDI:(c)(3)(ii)#4")
def test_a_patron_without_chips_buys_some_and_pays() -> None:
    session = ready(1, vigorish__collection="deferred")
    banker_wins(session, (1, 10_000))
    # All that he won and had goes on Player, and is lost.
    wager(session, (1, "player", 1_010_000))
    deal(session, PLAYER_8_BANKER_9)
    session.execute(acts.SettleWagers())
    session.execute(acts.ClearLayout())
    refusal = refused(session, CollectVigorish(1), "chips")
    assert refusal.message.endswith(
        "has $0.00 in chips: have the patron buy chips, or collect part of it and have the"
        " supervisor rule on the rest"
    )
    session.execute(acts.BuyChips(1, 500))
    session.execute(CollectVigorish(1))
    session.execute(LeaveTable(1))


# --- (4): a quarter of the wager on equal counts -----------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(4)#1")
def test_a_quarter_of_the_banker_wager_is_charged_on_equal_counts_instead_of_wins() -> None:
    rules = rules_of(vigorish__scheme="tie-25%")
    for facts in EVERY_BANKER_WIN:
        settled = one(rules, facts, 10_000)
        assert (settled.won_cents, settled.vigorish_cents) == (10_000, 0)
    for facts in NO_BANKER_WIN:
        charged = 2_500 if facts.player_count == facts.banker_count else 0
        assert one(rules, facts, 10_000).vigorish_cents == charged


@pytest.mark.clause("NY-MINIMIDI:(c)(4)#1", "NY-MINIMIDI:(c)(4)#2", "NY-MINIMIDI:(b)(1)(i)(c)")
def test_it_is_collected_from_every_patron_with_the_settlement_before_the_next_deal() -> None:
    session = ready(1, 2, 3, vigorish__scheme="tie-25%")
    wager(session, (1, "banker", 10_000), (2, "banker", 400), (3, "player", 10_000))
    refused(session, acts.DrawCard(None), "no_card_due")
    deal(session, TIE_8)
    refused(session, acts.CallNoMoreBets(), "not_now")
    events = session.execute(acts.SettleWagers())
    assert [each.cents for each in only(events, StakesReleased).stakes] == [10_000, 400, 10_000]
    taken = every(events, VigorishCollected)
    assert [(each.seat, each.cents, each.deferred) for each in taken] == [
        (2, 100, False),
        (1, 2_500, False),
    ]
    for each in taken:
        assert each.clauses == ny("(i)(2)(iii)", "(c)(4)#1", "(b)(1)(i)(c)", "(c)(4)#2")
    session.execute(acts.ClearLayout())
    assert session.state.owed_cents == 0
    session.execute(acts.CallNoMoreBets())


@pytest.mark.clause("NY-MINIMIDI:(c)(4)#2")
def test_a_patron_who_has_staked_all_pays_it_from_the_stake_that_goes_back() -> None:
    session = ready(1, vigorish__scheme="tie-25%")
    settle(session, TIE_8, (1, "banker", 1_000_000))
    assert session.state.seats[1].chips_cents == 750_000


@pytest.mark.clause("NY-MINIMIDI:(c)(4)#1")
def test_a_stake_whose_quarter_is_no_whole_cent_is_refused() -> None:
    session = ready(1, vigorish__scheme="tie-25%")
    refusal = refused(session, acts.PlaceWager(1, "banker", 1_001), "fraction_of_a_cent")
    assert refusal.clauses == ny("(c)(3)#1", "(c)(4)#1")


# --- (5): alike for all ------------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(5)#2")
@pytest.mark.parametrize(("scheme", "hundredths"), [("5%", 5), ("4%", 4)])
def test_every_player_of_a_table_is_charged_alike(scheme: str, hundredths: int) -> None:
    stakes = {1: 10_000, 2: 2_500, 5: 70_000, 7: 5_000}
    session = ready(*stakes, vigorish__scheme=scheme, vigorish__rounded=True)
    events = settle(
        session, PLAYER_8_BANKER_9, *((seat, "banker", cents) for seat, cents in stakes.items())
    )
    taken = {each.seat: each.cents for each in every(events, VigorishCollected)}
    assert taken == {seat: -(-cents * hundredths // 500) * 5 for seat, cents in stakes.items()}


# --- (6) and EZ: none at all -------------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(6)#1", "NY-MINIMIDI:(b)(1)(v)")
@pytest.mark.parametrize("cards", [PLAYER_8_BANKER_9, BANKER_6, DRAGON_7, TIE_8])
@pytest.mark.parametrize("scheme", ["six-pays-half", "dragon-7"])
def test_the_variations_without_vigorish_take_none(scheme: str, cards: str) -> None:
    posting = {"vigorish__posting": "approved sign"} if scheme == "six-pays-half" else {}
    session = ready(1, vigorish__scheme=scheme, **posting)
    events = settle(session, cards, (1, "banker", 10_000))
    assert not every(events, VigorishCollected)
    assert not every(events, VigorishMarked)
    assert session.state.owed_cents == 0
