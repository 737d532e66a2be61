"""Section 12(i) and (j): awards above a limit are paid by hand, and meters are reconciled."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from croupier import acts
from croupier.acts import AwardPaid, Event, HandPayDue, MetersReconciled, PaidByHand
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.cli import main
from croupier.money import ledger
from croupier.money.stax import commitment_to
from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log
from croupier.records.reader import LogReader, replayed_round
from croupier.rules import TableRules
from croupier.table import Phase, Refusal
from croupier.table.machine.offered import acts as offered
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from croupier.table.people.offices import Actor
from croupier.table.settling.awards import HandPay, HandPays
from croupier.verify.round_report import report_of
from support.accounts import accounts_of
from support.games import advance
from support.massachusetts import (
    NOON,
    PLAYER_9_BANKER_8,
    ROYAL_9,
    SECRET,
    STAX,
    at,
    chips,
    clear,
    deal,
    errors_of,
    play,
    rules_of,
    settle,
)
from support.table import every, only, refused_by_house
from support.verified import verify_log

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

BY_HAND: Final[dict[str, Any]] = {
    **ROYAL_9,
    "wagers__royal_9__hand_pay__offered": True,
    "wagers__royal_9__hand_pay__above": "1020.20",
}
# The plain seeds are $10,000, $1,000 and $1,000; five dollars add 15, 10 and 10 cents to them.
STAR_AT_1: Final = "Ks 9h 9h Ks"
SPADE_AT_1: Final = "2h Ks 7d 9h"


def take_part(session: TableSession, *seats: int) -> None:
    for seat in seats:
        session.execute(acts.PlaceWagers(seat, {"tie": 100, "royal_9": 500}))


def balances(session: TableSession, *accounts: str) -> list[int]:
    return [session.ledger.balance(account) for account in accounts]


# --- what is paid by hand ------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1", "MA-MINI:12(i)_Table_1#4")
def test_an_award_above_the_limit_is_due_by_hand_and_leaves_the_tray_alone() -> None:
    session = at(Phase.BETTING, 1, 2, 3, **BY_HAND)
    before, owned = session.ledger.balance(ledger.INVENTORY), chips(session, 1)
    take_part(session, 1, 2, 3)
    events = settle(session, STAR_AT_1)
    due = every(events, HandPayDue)
    # Others at the table have the King-9 of another chair in both hands: $5,000.
    assert [(one.number, one.seat, one.line, one.cents) for one in due] == [
        (1, 3, "other_personal", 500_000),
        (2, 2, "other_personal", 500_000),
        (3, 1, "star", 1_000_045),
    ]
    assert (due[2].patron, due[2].meter) == ("Patron 1", "star")
    assert due[2].clauses[-1] == "C104"
    assert not every(events, AwardPaid)
    # Nine against nine: each tie wins eight dollars, and each stake of five is kept.
    assert session.ledger.balance(ledger.INVENTORY) == before + 3 * (500 - 800)
    assert chips(session, 1) == owned - 500 + 800
    assert balances(session, ledger.HAND_PAYS, ledger.HAND_PAYS_DUE) == [-2_000_045, 2_000_045]
    assert balances(session, ledger.meter("star"), ledger.AWARDED) == [1_000_000, 1_000_045]
    # It is the table's loss, whoever hands it over.
    assert session.ledger.table_win_cents == 3 * (500 - 800) - 2_000_045


@pytest.mark.clause("MA-MINI:12(i)_Table_1#2")
@pytest.mark.parametrize(("limit", "by_hand"), [("1000.10", False), ("1000.09", True)])
def test_an_award_of_just_the_limit_comes_from_the_tray(limit: str, *, by_hand: bool) -> None:
    elections = {**BY_HAND, "wagers__royal_9__hand_pay__above": limit}
    session = at(Phase.BETTING, 1, **elections)
    take_part(session, 1)
    events = settle(session, SPADE_AT_1)
    paid = only(events, HandPayDue) if by_hand else only(events, AwardPaid)
    assert (paid.line, paid.cents) == ("spade", 100_010)


def test_a_limit_is_elected_with_hand_pay_and_not_without() -> None:
    assert rules_of(**ROYAL_9).offers["royal_9"].hand_pay_above_cents is None
    assert rules_of(**BY_HAND).offers["royal_9"].hand_pay_above_cents == 102_020
    alone = {**ROYAL_9, "wagers__royal_9__hand_pay__above": "1200.00"}
    assert {where for where, _ in errors_of(**alone)} == {"wagers.royal_9.hand_pay.above"}
    # Rules that leave it out are the same as before anybody could elect it.
    never = {**ROYAL_9, "wagers__royal_9__hand_pay__offered": False}
    assert rules_of(**never).sha256 == rules_of(**ROYAL_9).sha256 != rules_of(**BY_HAND).sha256


@pytest.mark.clause("MA-MINI:12(j)#1")
def test_a_drawn_award_above_the_limit_is_due_by_hand_too() -> None:
    elections = {
        **STAX, **BY_HAND,
        "wagers__royal_9__stax__seed": "1100.00",
        "wagers__royal_9__stax__must_hit_by": "1100.05",
    }  # fmt: skip
    session = at(Phase.BETTING, 2, **elections)
    session.execute(acts.CommitMystery(commitment_to(SECRET)))
    take_part(session, 2)
    settle(session, PLAYER_9_BANKER_8)
    due = only(session.execute(acts.EndProgressiveRound(SECRET)), HandPayDue)
    assert (due.number, due.seat, due.line, due.cents, due.meter) == (
        1, 2, "stax", 110_005, "stax",
    )  # fmt: skip
    assert session.ledger.balance(ledger.meter("stax")) == 110_000


# --- who pays it, and when -----------------------------------------------------------------------

FLOOR, DEALER = Actor("Miro", Role.FLOORPERSON), Actor("Maya", Role.DEALER)
CAGE, EYE = Actor("Carla", Role.CAGE), Actor("Edda", Role.SURVEILLANCE)
COUNT: Final = Actor("Asta", Role.ACCOUNTING)


def owing() -> TableSession:
    """Return a table with a cage, surveillance and accounting that owes one award by hand."""
    session = at(Phase.BETTING, 1, **BY_HAND)
    for one in (CAGE, EYE, COUNT):
        session.execute(acts.AssignOffice(one.office, one.person), Stamp((FLOOR,)))
    take_part(session, 1)
    settle(session, STAR_AT_1)
    return session


def test_the_cage_pays_it_before_floorperson_and_surveillance_and_once() -> None:
    session = owing()
    assert session.state[HandPays].due == {1: HandPay("Patron 1", 1_000_015)}
    pay = acts.PayByHand(1, slip=801)
    assert refused_by_house(session, pay, CAGE) == "consent_needed"
    assert refused_by_house(session, pay, CAGE, FLOOR) == "consent_needed"
    assert refused_by_house(session, pay, FLOOR, EYE) == "not_your_office"
    assert refused_by_house(session, pay, CAGE, FLOOR, EYE, DEALER) == "not_your_office"
    assert refused_by_house(session, acts.PayByHand(2, 801), CAGE, FLOOR, EYE) == "nothing_due"
    assert refused_by_house(session, acts.PayByHand(1, 0), CAGE, FLOOR, EYE) == "slip"
    paid = only(session.execute(pay, Stamp((CAGE, FLOOR, EYE))), PaidByHand)
    assert (paid.patron, paid.cents, paid.slip) == ("Patron 1", 1_000_015, 801)
    assert balances(session, ledger.HAND_PAYS_DUE, ledger.PAID_BY_HAND) == [0, 1_000_015]
    assert refused_by_house(session, pay, CAGE, FLOOR, EYE) == "nothing_due"
    # Its slip is used, and the next award has a number of its own.
    clear(session)
    take_part(session, 1)
    assert only(settle(session, STAR_AT_1), HandPayDue).number == 2
    assert refused_by_house(session, acts.PayByHand(2, 801), CAGE, FLOOR, EYE) == "slip"


def test_what_is_due_stays_due_when_the_patron_leaves_and_the_table_closes() -> None:
    session = owing()
    clear(session)
    session.execute(acts.LeaveTable(1))
    session.execute(acts.CloseTable())
    session.execute(acts.OpenTable(100_000_000, "Maya", "Miro", date(2026, 11, 21)))
    assert session.ledger.balance(ledger.HAND_PAYS_DUE) == 1_000_015
    paid = only(session.execute(acts.PayByHand(1, 5)), PaidByHand)
    assert (paid.patron, paid.cents) == ("Patron 1", 1_000_015)


# --- meters as accounting reads them -------------------------------------------------------------


def test_accounting_compares_the_meters_with_their_accounts_and_books_nothing() -> None:
    session = owing()
    holds = {"star": 1_000_000, "spade": 100_010, "heart": 100_010}
    assert refused_by_house(session, acts.ReconcileMeters(holds), FLOOR) == "not_your_office"
    assert refused_by_house(session, acts.ReconcileMeters({"star": 1}), COUNT) == "meters"
    before = session.ledger
    shown = {**holds, "heart": 100_000}
    told = only(session.execute(acts.ReconcileMeters(shown), Stamp((COUNT,))), MetersReconciled)
    assert (told.shown, told.expected, told.due) == (shown, holds, (1,))
    assert session.ledger == before
    plain = at(Phase.BETTING, 1)
    assert isinstance(plain.try_execute(acts.ReconcileMeters({})), Refusal)
    may = [{one.command for one in offered(table.state, table.rules)} for table in (session, plain)]
    assert [acts.ReconcileMeters in commands for commands in may] == [True, False]


# --- a lawful award, whatever the tray holds -----------------------------------------------------


def six_seats(
    path: Path, rules: TableRules, cents: int, cards: str = STAR_AT_1
) -> tuple[TableSession, list[Event]]:
    """Return a recorded table with a tray of little and six patrons of $500 each, cards dealt."""
    recorder, _ = begin_log(path, rules, shuffle="given")
    session = TableSession(rules, record=recorder, clock=SteppedClock())
    told: list[Event] = []
    session.listeners.append(lambda _, events: told.extend(events))
    session.execute(acts.OpenTable(cents, "Maya", "Miro", date(2026, 11, 20)))
    for seat in range(1, 7):
        session.execute(acts.SeatPatron(seat, f"Patron {seat}"))
        session.execute(acts.BuyChips(seat, 50_000))
    session.execute(acts.RecordTime(NOON))
    session.execute(acts.ReceiveCards(rules.value("decks", int)))
    advance(session, Phase.BETTING)
    take_part(session, *range(1, 7))
    deal(session, cards)
    return session, told


# A Star of $10,000.90 and five times $5,000, which a tray of $30,000 does not hold.
STAR_CENTS, OTHERS_CENTS = 1_000_090, 5 * 500_000


@pytest.mark.parametrize(("cards", "actual"), [("Qs 9h 9h Ks", "Ks"), (STAR_AT_1, "Qs")])
@pytest.mark.parametrize("is_cleared", [False, True])
def test_a_report_tells_what_was_paid_from_what_a_correction_makes_due(
    tmp_path: Path, cards: str, actual: str, *, is_cleared: bool
) -> None:
    path = tmp_path / "table.jsonl"
    session, _ = six_seats(path, rules_of(**BY_HAND), 9_000_000, cards)
    session.execute(acts.SettleWagers())
    settled = json.loads(path.read_text().splitlines()[-1])["seq"]
    if is_cleared:
        session.execute(acts.ClearLayout())
    returned = tuple(range(1, 7)) if actual == "Ks" else ()
    session.execute(
        acts.CorrectSettlement(
            settled, "camera", Hand.PLAYER, 1, Card.of(actual), returned=returned
        )
    )
    if not is_cleared:
        session.execute(acts.ClearLayout())
    play(session, PLAYER_9_BANKER_8, (1, "player", 100), (1, "royal_9", 500))
    for number in (1, 2):
        wagers = report_of(path, replayed_round(LogReader(path), number), "")["wagers"]
        assert any(one["paid_cents"] for one in wagers)
        assert [one["paid_cents"] for one in wagers] == [one["owed_cents"] for one in wagers]


def ledger_of(path: Path) -> dict[str, Any]:
    result = CliRunner().invoke(main, ["ledger", str(path), "--format", "json"])
    assert result.exit_code == 0, result.output
    told: dict[str, Any] = json.loads(result.output)
    return told


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1", "MA-MINI:12(i)_Table_1#4")
def test_a_star_beyond_the_tray_is_paid_by_hand_and_verified(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    session, told = six_seats(path, rules_of(**BY_HAND), 3_000_000)
    session.execute(acts.SettleWagers())
    for number in range(1, 7):
        session.execute(acts.PayByHand(number, slip=100 + number))
    clear(session)
    assert session.ledger.in_balance
    assert session.ledger.balance(ledger.PAID_BY_HAND) == STAR_CENTS + OTHERS_CENTS
    verdict = verify_log(path)
    assert (verdict.divergence, verdict.is_clean) == (None, True)
    (day,) = ledger_of(path)["days"]
    assert day["hand_pays_cents"] == STAR_CENTS + OTHERS_CENTS
    # Six stakes of five dollars are kept, and six ties win eight.
    assert day["win_cents"] == 6 * (500 - 800) - STAR_CENTS - OTHERS_CENTS
    assert day["meters_opened_cents"] == 1_200_000
    assert (day["contributions_cents"], day["seed_funding_cents"]) == (6 * 35, 1_000_000)
    assert (day["awarded_cents"], day["meters_cents"]) == (STAR_CENTS, 1_200_120)
    assert day["reconciles"] is True
    # A day that hides an award does not reconcile.
    (whole,) = accounts_of(told).days
    assert whole.reconciles
    whole.awarded_cents -= 1
    assert not whole.reconciles


@pytest.mark.clause("MA-MINI:12(i)_Table_1#1", "MA-MINI:12(i)_Table_1#4")
def test_without_a_limit_the_tray_is_filled_first_and_the_record_verified(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    session, _ = six_seats(path, rules_of(**ROYAL_9), 3_000_000)
    refused = session.try_execute(acts.SettleWagers())
    assert isinstance(refused, Refusal)
    assert (refused.code, refused.clauses) == ("rack_short", ())
    # It holds $30,000 less $3,000 of chips bought, and is to pay $35,048.90, with $30 of stakes kept.
    missing = STAR_CENTS + OTHERS_CENTS + 6 * 800 - 6 * 500 - 2_700_000
    assert f"${missing // 100:,}.{missing % 100:02}" in refused.message
    fill = {10_000: 90}
    session.execute(acts.RequestFill(1, fill))
    session.execute(acts.IssueFill(1, fill))
    session.execute(acts.ReceiveFill(1, fill))
    session.execute(acts.SettleWagers())
    clear(session)
    assert session.ledger.balance(ledger.INVENTORY) == 900_000 - missing
    assert verify_log(path).is_clean
    (day,) = ledger_of(path)["days"]
    assert day["win_cents"] == 6 * (500 - 800) - STAR_CENTS - OTHERS_CENTS
    assert (day["awarded_cents"], day["hand_pays_cents"]) == (STAR_CENTS, 0)
    assert day["reconciles"] is True
