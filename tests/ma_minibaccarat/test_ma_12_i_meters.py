"""Section 12(i): the Star, Spade and Heart progressives: fed by wagers, paid, and begun again."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from fractions import Fraction
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import AwardPaid, MeterReset, MetersAdvanced, PlaceWagers, RoundVoided
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Facts
from croupier.files.toml import read_toml
from croupier.money import ledger, settlement
from croupier.money.settlement import Stake
from croupier.rules import wager_of
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.table.parts.progressive import Progressive
from support.games import advance
from support.massachusetts import (
    HELD,
    MASSACHUSETTS,
    PLAYER_9_BANKER_8,
    ROYAL_9,
    STAX,
    chips,
    clear,
    deal,
    errors_of,
    ma,
    ready,
    rules_of,
    settle,
)
from support.project import ROOT
from support.table import every, only, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

# The settings of these tests, in cents: where the meters begin, and what five dollars add to them.
SETTINGS: Final[dict[str, Any]] = {
    "wagers__royal_9__meters__star__seed": "7000.00",
    "wagers__royal_9__meters__star__increment": "10%",
    "wagers__royal_9__meters__spade__seed": "900.00",
    "wagers__royal_9__meters__spade__increment": "4%",
    "wagers__royal_9__meters__heart__seed": "300.00",
    "wagers__royal_9__meters__heart__increment": "1/500",
}
SEEDS: Final = {"star": 700_000, "spade": 90_000, "heart": 30_000}
ADDED: Final = {"star": 50, "spade": 20, "heart": 1}

# Chair one has Ks 9h, chair two Kh 9s, chair three Kd 9c.
STAR_AT_1: Final = "Ks 9h 9h Ks"
SPADE_AT_1: Final = "2h Ks 7d 9h"
HEART_AT_1: Final = "Ks 2h 9h 6d"
SPADE_AT_1_HEART_AT_2: Final = "Kh Ks 9s 9h"


def table(*seats: int, **elections: Any) -> TableSession:
    return ready(*seats, **ROYAL_9, **SETTINGS, **elections)


def meters(session: TableSession) -> Mapping[str, int]:
    return dict(session.state[Progressive].meters)


def after(rounds: int) -> dict[str, int]:
    """What the meters show after that many wagers, told from the settings above."""
    return {meter: SEEDS[meter] + rounds * ADDED[meter] for meter in SEEDS}


def take_part(session: TableSession, *seats: int) -> None:
    for seat in seats:
        session.execute(PlaceWagers(seat, {"tie": 100, "royal_9": 500}))


def play(session: TableSession, cards: str, *seats: int) -> tuple[Any, ...]:
    """Play a round in which those seats take part; return the events of its settlement."""
    take_part(session, *seats)
    if not seats:
        wager(session, (1, "tie", 100))
    events = settle(session, cards)
    clear(session)
    return events


# --- what feeds them ---------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1", "MA-MINI:12(i)_Table_1#2", "MA-MINI:12(i)_Table_1#3")
def test_each_meter_begins_at_its_seed_and_grows_by_its_share_of_every_wager() -> None:
    session = table(1, 2, 3)
    assert meters(session) == SEEDS
    advanced = only(play(session, PLAYER_9_BANKER_8, 1, 3), MetersAdvanced)
    assert (advanced.seats, dict(advanced.meters)) == ((1, 3), after(2))
    assert advanced.clauses == ("C23",)
    play(session, PLAYER_9_BANKER_8, 1, 2, 3)
    assert meters(session) == after(5)


@pytest.mark.clause("MA-MINI:12(i)#4")
def test_a_round_in_which_nobody_takes_part_feeds_nothing() -> None:
    session = table(1, 2)
    assert not every(play(session, PLAYER_9_BANKER_8), MetersAdvanced)
    # Nor is a meter paid to somebody who did not wager on it, though his combination came.
    assert not every(play(session, STAR_AT_1), AwardPaid)
    assert meters(session) == SEEDS


@pytest.mark.clause("MA-MINI:12(i)#4")
def test_a_wager_that_was_withdrawn_feeds_nothing() -> None:
    session = table(1, 2)
    take_part(session, 1, 2)
    session.execute(acts.WithdrawWager(2, "royal_9"))
    settle(session, PLAYER_9_BANKER_8)
    assert meters(session) == after(1)


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1")
@pytest.mark.parametrize("increment", ["1/3", "1/1000", "3/700"])
def test_a_share_that_comes_to_a_fraction_of_a_cent_is_refused(increment: str) -> None:
    for meter, number in (("star", 1), ("spade", 2), ("heart", 3)):
        rule = f"wagers.royal_9.meters.{meter}.increment"
        elections = {**ROYAL_9, rule.replace(".", "__"): increment}
        assert errors_of(**elections) == {(rule, ma(f"12(i)_Table_1#{number}"))}


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1")
@pytest.mark.parametrize("increment", ["0.4%", "1/250"])
def test_a_share_of_two_cents_is_written_as_a_percentage_or_a_fraction(increment: str) -> None:
    rules = rules_of(**{**ROYAL_9, "wagers__royal_9__meters__star__increment": increment})
    assert rules.value("wagers.royal_9.meters.star.increment", Fraction) * 500 == 2


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1")
def test_no_more_than_the_whole_stake_goes_into_a_meter() -> None:
    rule = "wagers.royal_9.meters.star.increment"
    elections = {**ROYAL_9, rule.replace(".", "__"): "101%"}
    assert errors_of(**elections) == {(rule, ma("12(i)_Table_1#1"))}


# --- what empties them -------------------------------------------------------------------------


@pytest.mark.clause(
    "MA-MINI:12(i)_Table_1#1", "MA-MINI:12(i)_Table_1#2", "MA-MINI:12(i)_Table_1#3",
    "MA-MINI:12(i)_Hand_Definitions#1", "MA-MINI:12(i)_Hand_Definitions#2",
)  # fmt: skip
@pytest.mark.parametrize(
    ("cards", "meter", "tie"),
    # Nine against nine wins the tie wager of a dollar, nine against eight loses it.
    [(STAR_AT_1, "star", 800), (SPADE_AT_1, "spade", 800), (HEART_AT_1, "heart", -100)],
)
def test_a_meter_is_paid_with_this_wager_in_it_and_begins_again_at_its_seed(
    cards: str, meter: str, tie: int
) -> None:
    session = table(1, 2)
    play(session, PLAYER_9_BANKER_8, 1, 2)
    before = chips(session, 1)
    events = play(session, cards, 1)
    paid, reset = only(events, AwardPaid), only(events, MeterReset)
    assert (paid.seat, paid.line, paid.meter, paid.cents) == (1, meter, meter, after(3)[meter])
    assert (reset.meter, reset.cents) == (meter, SEEDS[meter])
    assert events.index(reset) > events.index(paid)
    number = {"star": 1, "spade": 2, "heart": 3}[meter]
    definition = 1 if meter == "star" else 2
    assert paid.clauses == ma(
        "11(b)#2", f"12(i)_Hand_Definitions#{definition}", f"12(i)_Table_1#{number}"
    )
    assert meters(session) == after(3) | {meter: SEEDS[meter]}
    # The stake is part of the award in this table's election.
    assert chips(session, 1) == before - 500 + paid.cents + tie
    assert session.ledger.in_balance


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1")
@pytest.mark.parametrize("meters", [None, {}, {"heart": 5}])
def test_a_meter_that_shows_nothing_pays_nothing(meters: dict[str, int] | None) -> None:
    rules = rules_of(**ROYAL_9)
    own = rules.offers["royal_9"].chairs[1]
    facts = Facts(9, 9, 2, 2, player_royal=own, banker_royal=own)
    (settled,) = settlement.settle(rules, facts, {(1, "royal_9"): Stake(500)}, meters)
    assert (settled.decision.line, settled.won_cents) == ("star", 0)


@pytest.mark.clause("MA-MINI:12(i)_Table_1#3")
def test_an_award_is_told_though_its_meter_shows_nothing() -> None:
    heart = "wagers__royal_9__meters__heart__"
    empty = {f"{heart}seed": "0.00", f"{heart}increment": "0%"}
    paid_first = {"C103": "highest-line"}
    session = ready(1, readings=paid_first, **ROYAL_9, **{**SETTINGS, **empty})
    assert meters(session)["heart"] == 0
    paid = only(play(session, HEART_AT_1, 1), AwardPaid)
    assert (paid.seat, paid.meter, paid.cents) == (1, "heart", 0)


@pytest.mark.clause("MA-MINI:12(i)_Hand_Definitions#1")
def test_both_hands_with_the_combination_of_the_chair_pay_the_star_alone() -> None:
    session = table(1)
    events = play(session, STAR_AT_1, 1)
    assert [one.meter for one in every(events, AwardPaid)] == ["star"]
    assert [one.meter for one in every(events, MeterReset)] == ["star"]


@pytest.mark.clause("MA-MINI:12(i)_Table_1#2", "MA-MINI:12(i)_Table_1#3")
def test_two_seats_may_hit_two_meters_in_one_round() -> None:
    session = table(1, 2, 3)
    events = play(session, SPADE_AT_1_HEART_AT_2, 1, 2, 3)
    paid = [(one.seat, one.meter, one.cents) for one in every(events, AwardPaid)]
    # Paid from the highest seat down; seat three has a Royal 9 in both hands, and neither meter.
    assert paid == [
        (3, None, 25_000), (2, "heart", after(3)["heart"]), (1, "spade", after(3)["spade"]),
    ]  # fmt: skip
    assert meters(session) == {**SEEDS, "star": after(3)["star"]}


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1", "MA-MINI:12(i)_Table_1#4")
def test_who_sits_elsewhere_has_the_fixed_award_when_the_star_is_hit() -> None:
    session = table(1, 4)
    events = play(session, STAR_AT_1, 1, 4)
    assert [(one.seat, one.line, one.cents) for one in every(events, AwardPaid)] == [
        (4, "other_personal", 500_000), (1, "star", after(2)["star"]),
    ]  # fmt: skip


@pytest.mark.clause("MA-MINI:12(i)_Table_1#2")
def test_a_meter_hit_again_pays_what_has_gone_into_it_since() -> None:
    session = table(1)
    play(session, SPADE_AT_1, 1)
    paid = only(play(session, SPADE_AT_1, 1), AwardPaid)
    assert paid.cents == SEEDS["spade"] + ADDED["spade"]


@pytest.mark.clause("MA-MINI:11(b)#2")
def test_the_next_seat_that_hits_a_meter_in_the_same_round_is_paid_what_it_begins_again_with() -> (
    None
):
    """No line of the text pays one meter to two chairs; a wager of the licensee's own may."""
    own = wager_of(read_toml(ROOT / "docs" / "examples" / "side-bets" / "jackpot.toml"))
    session = MASSACHUSETTS.open(rules_of().with_offers(own), 1, 3, 6)
    advance(session, Phase.BETTING)
    for seat in (1, 6, 3):
        session.execute(PlaceWagers(seat, {"tie": 100, "suited_jackpot": 500}))
    events = settle(session, "2h 7d 2h Kc 2h")
    # It begins at $10,000, and each stake of $5 puts fifty cents into it before anybody is paid.
    assert [(one.seat, one.meter, one.cents) for one in every(events, AwardPaid)] == [
        (6, "jackpot", 1_000_150), (3, "jackpot", 1_000_000), (1, "jackpot", 1_000_000),
    ]  # fmt: skip
    assert meters(session) == {"jackpot": 1_000_000}
    assert session.ledger.balance(ledger.meter("jackpot")) == 1_000_000
    assert session.ledger.in_balance
    # The tie wager of a dollar is lost.
    assert [chips(session, seat) - HELD + 100 for seat in (6, 3, 1)] == [
        1_000_150, 1_000_000, 1_000_000,
    ]  # fmt: skip


@pytest.mark.clause("MA-MINI:12(i)_Table_1#3")
def test_a_stake_that_goes_back_beside_the_award_feeds_the_meters_all_the_same() -> None:
    session = table(1, wagers__royal_9__award_is="to-one")
    before = chips(session, 1)
    play(session, HEART_AT_1, 1)
    heart = SEEDS["heart"] + ADDED["heart"]
    # Nine against eight: the tie wager of a dollar is lost, and the five dollars are not.
    assert chips(session, 1) == before + heart - 100
    assert meters(session) == after(1) | {"heart": SEEDS["heart"]}


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1")
def test_the_meters_stand_from_shoe_to_shoe_and_from_day_to_day() -> None:
    session = table(1)
    play(session, PLAYER_9_BANKER_8, 1)
    session.execute(acts.DirectShuffle("Flo"))
    assert meters(session) == after(1)
    session.execute(acts.LeaveTable(1))
    session.execute(acts.CloseTable())
    session.execute(acts.OpenTable(100_000_000, "Dana", "Flo", date(2026, 11, 21)))
    assert meters(session) == after(1)


# --- a round that is void ----------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:13(e)#1", "MA-MINI:12(i)#4")
def test_a_round_that_the_shoe_cannot_finish_feeds_and_pays_nothing() -> None:
    session = table(1)
    shoe = replace(session.state.shoe, remaining=4, cards_behind=None)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    before = chips(session, 1)
    take_part(session, 1)
    # A Royal 9 is a natural nine and asks for no third card; Player's five asks for one.
    deal(session, "2h Ks 3d 2c")
    events = session.execute(acts.VoidRound())
    assert only(events, RoundVoided).cards_dealt == 4
    assert (meters(session), chips(session, 1)) == (SEEDS, before)


@pytest.mark.clause("MA-MINI:13(d)", "MA-MINI:12(i)#4")
def test_a_round_that_a_disclosed_card_makes_void_feeds_and_pays_nothing() -> None:
    session = ready(1, **STAX, **SETTINGS)
    before = chips(session, 1)
    take_part(session, 1)
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards(STAR_AT_1):
        session.execute(acts.DrawCard(card))
    session.execute(acts.FindFaceUpCard(Card.of("2c")))
    assert (meters(session), chips(session, 1)) == (SEEDS | {"stax": 50_000}, before)
    # There is nothing to end for the progressive: nobody took part in a round.
    session.execute(acts.ClearLayout())
    assert session.state.phase is Phase.BETTING


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1")
def test_what_the_plain_game_sets_is_within_the_law_and_can_be_told_apart() -> None:
    rules = rules_of(**ROYAL_9)
    assert rules.meter_seeds == {"star": 1_000_000, "spade": 100_000, "heart": 100_000}
    assert rules_of(**ROYAL_9, **SETTINGS).sha256 != rules.sha256
