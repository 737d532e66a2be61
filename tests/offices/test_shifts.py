"""A shift changes with a count that the dealer makes and two floorpersons sign; the books follow it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import date
from pathlib import Path
from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import Command
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card
from croupier.money import ledger
from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log
from croupier.table import Phase, Refusal
from croupier.table.house.tray import Tray
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from croupier.table.people.duty import Duty
from croupier.table.people.offices import Actor
from croupier.verify.log import verify_log
from support.command_line import told_with
from support.games import advance
from support.logs import recorded
from support.table import MINIBACCARAT, deal, rules_of

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

RACK: Final = 30_000_00
DUNJA: Final = Actor("Dunja", Role.DEALER)
FEMKE, GIJS, HANS = (Actor(name, Role.FLOORPERSON) for name in ("Femke", "Gijs", "Hans"))
CAGE: Final = Actor("Carl", Role.CAGE)
SIGNED: Final = (FEMKE, DUNJA, GIJS)


def swing(**more: Any) -> acts.ChangeShift:
    """Return the change to the swing shift, with a tray that has what the record says."""
    given = {
        "shift": "swing",
        "chips": {100_00: RACK // 100_00},
        "dealer": "Dunja",
        "leaving": "Femke",
        "floorperson": "Gijs",
    }
    return acts.ChangeShift(**{**given, **more})


def opened() -> TableSession:
    """Return a table open under Dunja and Femke, with Gijs present to take over."""
    session = TableSession(rules_of())
    session.execute(
        acts.OpenTable(RACK, "Dunja", "Femke", date(2011, 2, 22)), Stamp((FEMKE, DUNJA))
    )
    for one in (GIJS, CAGE):
        session.execute(acts.AssignOffice(one.office, one.person), Stamp((FEMKE,)))
    return session


def code(session: TableSession, command: Command, *by: Actor) -> str:
    """Return the code with which a command of these persons is refused, and nothing changes."""
    before = session.position
    answer = session.try_execute(command, Stamp(by))
    assert isinstance(answer, Refusal), answer
    assert session.position is before
    return answer.code


def test_the_dealer_counts_and_both_floorpersons_sign_in_one_entry() -> None:
    session = opened()
    changed, ended = session.execute(swing(), Stamp(SIGNED))
    assert isinstance(changed, acts.ShiftChanged)
    assert (changed.dealer, changed.leaving, changed.floorperson) == ("Dunja", "Femke", "Gijs")
    assert (changed.cents, changed.expected_cents, changed.clauses) == (RACK, RACK, ())
    assert ended == acts.AssignmentEnded("floorperson", "Femke", ())
    assert session.state[Duty].persons("floorperson") == ("Gijs",)
    assert session.state[Tray].shifts == ("swing",)


@pytest.mark.parametrize(
    ("by", "expected"),
    [
        ((FEMKE,), "consent_needed"),
        ((FEMKE, DUNJA), "consent_needed"),
        ((FEMKE, GIJS), "consent_needed"),
        ((GIJS, DUNJA), "consent_needed"),
        ((DUNJA,), "not_your_office"),
        ((DUNJA, CAGE), "not_your_office"),
        # Hans signs for Gijs, and Femke for both.
        ((FEMKE, DUNJA, HANS), "not_on_duty"),
        ((FEMKE, DUNJA, Actor("Femke", Role.FLOORPERSON)), "two_persons"),
    ],
)
def test_nobody_changes_a_shift_without_the_others(by: tuple[Actor, ...], expected: str) -> None:
    assert code(opened(), swing(), *by) == expected


def test_a_floorperson_who_is_present_does_not_sign_for_another() -> None:
    session = opened()
    session.execute(acts.AssignOffice("floorperson", "Hans"), Stamp((FEMKE,)))
    assert code(session, swing(), FEMKE, DUNJA, HANS) == "not_on_duty"
    assert code(session, swing(leaving="Hans"), FEMKE, DUNJA, GIJS) == "not_on_duty"
    assert code(session, swing(dealer="Carl"), *SIGNED) == "two_persons"


def test_a_shift_does_not_begin_twice() -> None:
    session = opened()
    session.execute(swing(), Stamp(SIGNED))
    again = (GIJS, DUNJA, FEMKE)
    session.execute(acts.AssignOffice("floorperson", "Femke"), Stamp((GIJS,)))
    back = swing(leaving="Gijs", floorperson="Femke")
    assert code(session, back, *again) == "shift"
    for name in ("", " ", "opening", " Opening", "Swing ", "SWING"):
        assert code(session, swing(shift=name), *SIGNED) == "shift"
    session.execute(swing(shift="night", leaving="Gijs", floorperson="Femke"), Stamp(again))
    assert session.state[Tray].shifts == ("swing", "night")


def test_no_shift_changes_while_a_round_is_in_hand_or_chips_are_on_their_way() -> None:
    session = MINIBACCARAT.open(MINIBACCARAT.rules(), 1)
    advance(session, Phase.BETTING)
    (dealer,), (floor,) = (session.state[Duty].persons(one) for one in ("dealer", "floorperson"))
    chips = {1_00: session.ledger.balance(ledger.INVENTORY) // 100}
    change = swing(dealer=dealer, leaving=floor, chips=chips)
    session.execute(acts.PlaceWager(1, "player", 10_000))
    session.execute(acts.CallNoMoreBets())
    assert code(session, change) == "in_play"
    deal(session, "9h 8d Kh Ks")
    advance(session, Phase.BETTING)
    session.execute(acts.RequestFill(4, {100_00: 3}))
    assert code(session, change) == "slips_open"
    session.execute(acts.VoidSlip(4, "asked for by mistake"))
    chips = {1_00: session.ledger.balance(ledger.INVENTORY) // 100}
    session.execute(swing(dealer=dealer, leaving=floor, chips=chips))
    # The relief assigns a person who was not assigned before.
    assert session.state[Duty].persons("floorperson") == ("Gijs",)


def test_a_difference_is_booked_to_the_shift_that_ends() -> None:
    session = opened()
    session.execute(swing(chips={100_00: 299}), Stamp(SIGNED))
    assert session.ledger.balance(ledger.INVENTORY) == 29_900_00
    assert session.ledger.table_win_cents == -100_00
    assert session.ledger.in_balance


def test_the_next_gaming_day_has_shifts_of_its_own() -> None:
    session = opened()
    session.execute(swing(), Stamp(SIGNED))
    session.execute(acts.CloseTable(), Stamp((GIJS, DUNJA)))
    session.execute(acts.CountInventory({100_00: 300}, closing=True), Stamp((DUNJA, GIJS)))
    session.execute(acts.OpenTable(RACK, "Dunja", "Gijs", date(2011, 2, 23)), Stamp((GIJS, DUNJA)))
    assert session.state[Tray].shifts == ()


def test_a_day_that_ends_at_an_open_table_keeps_its_shift() -> None:
    session = opened()
    session.execute(swing(), Stamp(SIGNED))
    clerk = Actor("Clark", Role.PIT_CLERK)
    session.execute(acts.AssignOffice("pit clerk", "Clark"), Stamp((GIJS,)))
    session.execute(acts.EndGamingDay("Clark"), Stamp((clerk,)))
    assert session.state.gaming_date == date(2011, 2, 23)
    assert session.state[Tray].shifts == ("swing",)


def test_the_forms_of_a_clerk_who_is_gone_are_taken_over_by_a_ruling() -> None:
    session = opened()
    clark, dora = (Actor(name, Role.PIT_CLERK) for name in ("Clark", "Dora"))
    for one in (clark, dora):
        session.execute(acts.AssignOffice(one.office, one.person), Stamp((FEMKE,)))
    session.execute(acts.ReceiveForms("Clark", 101, 105), Stamp((clark,)))
    take = acts.TakeOverForms("Clark", "Dora", "Femke", "taken to hospital")
    # Clark is here, and alone may part with them; Dora never decides alone.
    assert code(session, take, dora, FEMKE) == "custody"
    session.execute(acts.EndAssignment("pit clerk", "Clark"), Stamp((FEMKE,)))
    assert code(session, take, dora) == "consent_needed"
    assert code(session, take, FEMKE) == "not_your_office"
    assert code(session, acts.EndGamingDay("Dora"), dora) == "custody"
    for reason in ("", " "):
        blank = acts.TakeOverForms("Clark", "Dora", "Femke", reason)
        assert code(session, blank, dora, FEMKE) == "nobody"
    for other in ("Dora", "Nobody"):
        assert code(session, acts.TakeOverForms(other, "Dora", "Femke", "ill"), dora, FEMKE) == (
            "custody"
        )
    ruled, passed = session.execute(take, Stamp((dora, FEMKE)))
    assert isinstance(ruled, acts.RulingGiven)
    assert (ruled.matter, ruled.entry, ruled.supervisor) == ("forms-taken-over", "C223", "Femke")
    assert isinstance(passed, acts.FormsHandedOver)
    assert (passed.taken_by, passed.first, passed.used) == ("Dora", 101, ())
    # 7.3(c)3.ii: access before use; 7.3(c)3.iv: the duplicates.
    assert "NJ-MINI:7.3(c)3.iv#1" in passed.clauses
    session.execute(acts.EndGamingDay("Dora"), Stamp((dora,)))


# --- the books ---------------------------------------------------------------------------------


def two_shifts(path: Path) -> TableSession:
    """Record two rounds before the shift changes and one after it, a fill, and a short count."""
    rules = MINIBACCARAT.rules()
    with recorded(path, rules) as record:
        session = MINIBACCARAT.open(rules, 1, record=record)
        do = session.execute
        advance(session, Phase.BETTING)
        (dealer,), (floor,) = (session.state[Duty].persons(it) for it in ("dealer", "floorperson"))
        for number in (1, 2, 3):
            if number == 2:
                do(acts.DrawCardInError(Card.of("2h"), disclosed=False))
            if number == 3:
                do(acts.OpenDispute(1, max(session.position.house.settled), "the amount"))
                tray = session.ledger.balance(ledger.INVENTORY) - 7_00
                do(swing(chips={1_00: tray // 100}, dealer=dealer, leaving=floor))
                do(acts.BuyChips(1, 400_00))
                for act in (acts.RequestFill, acts.IssueFill, acts.ReceiveFill):
                    do(act(9, {100_00: 5}))
            do(acts.PlaceWager(1, "player", 10_000))
            do(acts.CallNoMoreBets())
            if number == 2:
                do(acts.UseHeldCard())
            # Player's 9 beats 8, 2 loses to 8, and 9 beats 8 again.
            deal(session, "8d Kh Ks" if number == 2 else "9h 8d Kh Ks")
            advance(session, Phase.BETTING)
    return session


def told(*words: object) -> Mapping[str, Any]:
    data: Mapping[str, Any] = json.loads(told_with(0, *words, "--format", "json").stdout)
    return data


def test_the_ledger_reconciles_by_shift_shoe_and_day(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    session = two_shifts(path)
    assert verify_log(path).is_clean
    (day,) = told("ledger", path)["days"]
    first, second = day["shifts"]
    # The house pays 100, takes 100, and misses 7; then it pays 100.
    assert (first["shift"], first["rounds"], first["win_cents"]) == ("opening", 2, -7_00)
    assert (second["shift"], second["rounds"], second["win_cents"]) == ("swing", 1, -100_00)
    assert (first["tray_short_cents"], second["tray_short_cents"]) == (7_00, 0)
    assert (first["is_counted"], second["is_counted"], day["is_counted"]) == (True, False, False)
    assert second["opened_cents"] == first["tray_cents"]
    assert (second["drop_cents"], second["fills_cents"]) == (400_00, 500_00)
    assert first["drop_cents"] + second["drop_cents"] == day["drop_cents"]
    assert first["reconciles"] is second["reconciles"] is day["reconciles"] is True
    won = sum(one["win_cents"] for one in day["shifts"])
    assert won == day["win_cents"] == session.ledger.table_win_cents == -107_00
    # What a count misses is the loss of no shoe.
    assert [one["win_cents"] for one in day["shoes"]] == [-100_00]
    text = told_with(0, "ledger", path).stdout
    assert "swing" in text
    assert "Short in counts of the tray" in text


def test_irregularities_are_compared_by_shift(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    two_shifts(path)
    found = told("irregularities", path, "--by", "shift")
    assert {
        one["name"]: (one["rounds"], one["irregularities"], one["per_thousand_rounds"])
        for one in found["groups"]
    } == {"opening": (2, 2, "1000/1"), "swing": (1, 0, "0/1")}


def test_a_log_without_a_shift_change_has_the_opening_shift_alone(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    recorder, _ = begin_log(path, rules_of(), shuffle="by hand")
    session = TableSession(rules_of(), record=recorder, clock=SteppedClock())
    session.execute(acts.OpenTable(RACK, "Noor", "Piet", date(2011, 2, 22)))
    recorder.finish()
    (day,) = told("ledger", path)["days"]
    assert [(one["shift"], one["tray_cents"]) for one in day["shifts"]] == [("opening", RACK)]
