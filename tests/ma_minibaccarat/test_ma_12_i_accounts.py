"""Section 12(i) and (j): what stands behind each meter, and settings that a text leaves open."""

from __future__ import annotations

from datetime import date
from itertools import product
from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import AwardPaid, MeterReset, MetersAdvanced, StaxWon
from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import WAGERS, royal_9
from croupier.money import ledger
from croupier.money.stax import commitment_to
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.massachusetts import (
    MASSACHUSETTS,
    PLAYER_9_BANKER_8,
    ROYAL_9,
    SECRET,
    STAX,
    at,
    chips,
    clear,
    errors_of,
    ma,
    ready,
    rules_of,
    settle,
)
from support.table import every, only

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

METER: Final = "wagers__royal_9__meters__{}__{}"
# Five dollars add 50, 20 and 5 cents to these.
SETTINGS: Final[dict[str, Any]] = {
    METER.format("star", "seed"): "7000.00", METER.format("star", "increment"): "10%",
    METER.format("spade", "seed"): "900.00", METER.format("spade", "increment"): "4%",
    METER.format("heart", "seed"): "300.00", METER.format("heart", "increment"): "1%",
}  # fmt: skip
SEEDS: Final = 700_000 + 90_000 + 30_000


def take_part(session: TableSession, *seats: int) -> None:
    for seat in seats:
        session.execute(acts.PlaceWagers(seat, {"tie": 100, "royal_9": 500}))


def behind(session: TableSession, *meters: str) -> list[int]:
    return [session.ledger.balance(ledger.meter(one)) for one in meters]


# --- accounts ----------------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1", "MA-MINI:12(i)_Table_1#2", "MA-MINI:12(i)_Table_1#3")
def test_behind_each_meter_stands_what_it_shows_from_the_opening_on() -> None:
    session = ready(1, 2, **ROYAL_9, **SETTINGS)
    assert behind(session, "star", "spade", "heart") == [700_000, 90_000, 30_000]
    assert session.ledger.balance(ledger.SEED_FUNDING) == -SEEDS
    take_part(session, 1, 2)
    settle(session, PLAYER_9_BANKER_8)
    assert behind(session, "star", "spade", "heart") == [700_100, 90_040, 30_010]
    assert session.ledger.balance(ledger.CONTRIBUTIONS) == -150
    # The meters are owed, and move no chip: the table has won two ties and two Royal 9 wagers.
    assert session.ledger.table_win_cents == 2 * 600
    assert session.ledger.in_balance


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1")
def test_an_award_goes_out_of_its_meter_and_the_house_funds_the_next_seed() -> None:
    session = ready(1, **ROYAL_9, **SETTINGS)
    take_part(session, 1)
    paid = only(settle(session, "Ks 9h 9h Ks"), AwardPaid)
    assert (paid.meter, paid.cents) == ("star", 700_050)
    assert behind(session, "star", "spade", "heart") == [700_000, 90_020, 30_005]
    assert session.ledger.balance(ledger.AWARDED) == 700_050
    assert session.ledger.balance(ledger.SEED_FUNDING) == -SEEDS - 700_000
    assert session.ledger.balance(ledger.CONTRIBUTIONS) == -75


def test_a_gaming_day_begins_with_what_the_meters_show_and_funds_nothing_again() -> None:
    session = ready(1, **ROYAL_9, **SETTINGS)
    take_part(session, 1)
    settle(session, PLAYER_9_BANKER_8)
    clear(session)
    session.execute(acts.LeaveTable(1))
    session.execute(acts.CloseTable())
    opening = acts.OpenTable(100_000_000, "Maya", "Miro", date(2026, 11, 21))
    opened = session.execute(opening)[0]
    assert getattr(opened, "meters", None) == {"star": 700_050, "spade": 90_020, "heart": 30_005}
    assert session.ledger.balance(ledger.SEED_FUNDING) == -SEEDS
    assert behind(session, "star", "spade", "heart") == [700_050, 90_020, 30_005]


# --- a meter that must be hit --------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:12(j)#1")
def test_stax_stops_at_its_limit_and_the_rest_begins_the_next_one() -> None:
    # Two wagers add two dollars to $9.50 that must be hit by $10.00: $1.50 is too much.
    elections: dict[str, Any] = {
        "wagers__royal_9__stax__seed": "9.50",
        "wagers__royal_9__stax__must_hit_by": "10.00",
        "wagers__royal_9__stax__increment": "20%",
    }
    session = at(Phase.BETTING, 1, 2, **STAX, **elections)
    session.execute(acts.CommitMystery(commitment_to(SECRET)))
    take_part(session, 1, 2)
    advanced = only(settle(session, PLAYER_9_BANKER_8), MetersAdvanced)
    assert (advanced.meters["stax"], advanced.reserved_cents) == (1_000, 150)
    assert advanced.clauses == ("C23", "C102")
    assert session.ledger.balance(ledger.RESERVE) == 150
    events = session.execute(acts.EndProgressiveRound(SECRET))
    won, reset = only(events, StaxWon), only(events, MeterReset)
    assert won.cents == 1_000
    # There is room for 50 cents above the seed; a dollar waits.
    assert (reset.cents, reset.from_reserve_cents) == (1_000, 50)
    assert session.ledger.balance(ledger.RESERVE) == 100
    assert behind(session, "stax") == [1_000]
    assert chips(session, won.seat) == 1_000_000 - 600 + 1_000


# --- settings that are refused -------------------------------------------------------------------


def increments(star: str, spade: str, heart: str) -> dict[str, Any]:
    named = {"star": star, "spade": spade, "heart": heart}
    return {METER.format(meter, "increment"): share for meter, share in named.items()}


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1", "MA-MINI:12(j)#1")
def test_all_shares_together_are_no_more_than_the_stake() -> None:
    rules_of(**ROYAL_9, **increments("50%", "30%", "20%"))
    wagers = "wagers.royal_9.meters.{}.increment"
    where = ", ".join(wagers.format(meter) for meter in ("star", "spade", "heart"))
    assert errors_of(**ROYAL_9, **increments("50%", "30%", "21%")) == {(where, ("C101",))}
    # Stax takes one percent of its own.
    where += ", wagers.royal_9.stax.increment"
    assert errors_of(**STAX, **increments("50%", "30%", "20%")) == {(where, ("C101",))}
    rules_of(**STAX, **increments("50%", "30%", "19%"))


@pytest.mark.clause("MA-MINI:12(i)_Table_1#2")
@pytest.mark.parametrize(
    ("meter", "number", "award", "worth"),
    [("star", 1, 4, "5000.00"), ("spade", 2, 6, "250.00"), ("heart", 3, 6, "250.00")],
)
def test_a_personal_king_9_is_worth_no_less_than_its_cards_elsewhere_unless_acknowledged(
    meter: str, number: int, award: int, worth: str
) -> None:
    below = f"{float(worth) - 0.01:.2f}"
    enough: dict[str, Any] = {METER.format(meter, "seed"): worth}
    rules_of(**ROYAL_9, **enough)
    elections = {**ROYAL_9, METER.format(meter, "seed"): below}
    where = f"wagers.royal_9.meters.{meter}.seed"
    clauses = ma(f"12(i)_Table_1#{number}", f"12(i)_Table_1#{award}")
    assert errors_of(**elections) == {(where, clauses)}
    (told,) = MASSACHUSETTS.errors(**elections)
    assert f"may show ${float(below):,.2f}" in told.message
    assert 'royal_9.awards_compared = "highest-line"' in told.message
    rules_of(readings={"C103": "highest-line"}, **elections)


@pytest.mark.clause("MA-MINI:12(i)_Table_1#2", "MA-MINI:12(i)_Table_1#6")
def test_once_acknowledged_the_highest_line_is_paid_whatever_it_is_worth() -> None:
    low = {**ROYAL_9, METER.format("spade", "seed"): "10.00"}
    session = at(Phase.BETTING, 1, 2, readings={"C103": "highest-line"}, **low)
    take_part(session, 1, 2)
    # Banker's Hand is the King-9 of chair one, and Player's Hand no chair's.
    events = settle(session, "Kd Ks 9d 9h")
    paid = [(one.seat, one.line, one.cents) for one in every(events, AwardPaid)]
    assert paid == [(2, "royal_both", 25_000), (1, "spade", 1_020)]


def test_what_the_same_cards_win_elsewhere_is_the_highest_of_all_cards() -> None:
    """By every pair of hands: what they are at the chair they belong to, and at another."""
    own, other = "9h Ks", "9s Kh"
    hands = [f"9{nine} {face}{suit}" for nine, face, suit in product("shdc", "JQK", "shdc")]
    here, there = royal_9(own, (other,)), royal_9(other, (own,))
    ladder = WAGERS["royal_9"].lines
    best: dict[str, str] = {}
    for player, banker in product((*hands, ""), repeat=2):
        facts = Facts(9, 9, 2, 2, player_royal=player, banker_royal=banker)
        line, elsewhere = here(facts), there(facts)
        if line in {"star", "spade", "heart"} and elsewhere not in {"star", "spade", "heart"}:
            best[line] = min(best.get(line, "royal"), elsewhere, key=ladder.index)
    assert best == dict(WAGERS["royal_9"].elsewhere)
