"""A day of a table, told whole: it reconciles to the cent, and no office does the work of another."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.money import ledger
from croupier.table import Refusal
from croupier.table.machine.position import Proposal, Stamp, propose
from croupier.table.people.duty import Duty
from croupier.table.people.offices import Actor, consenting
from croupier.verify.log import verify_log
from croupier.verify.verdict import Verdict
from support.accounts import accounts_of
from support.days import DAYS, Day
from support.playthroughs import FOLDER, told

NAMES: Final = [one.name for one in DAYS]
_NOT_ALLOWED: Final = {
    "not_your_office", "not_your_seat", "not_on_duty", "two_persons", "consent_needed",
}  # fmt: skip


@cache
def played(name: str) -> tuple[Day, Verdict]:
    """Return a day, and what the judge says of its log."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "table.jsonl"
        day = next(one for one in DAYS if one.name == name).play(log)
        return day, verify_log(log)


@pytest.mark.parametrize("name", NAMES)
def test_the_day_is_told_as_it_was_kept(name: str) -> None:
    day, _ = played(name)
    assert told(day.events) == (FOLDER / f"{name}.txt").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", NAMES)
def test_the_log_of_the_day_is_verified_and_has_its_ledger(name: str) -> None:
    day, verdict = played(name)
    assert verdict.is_clean, verdict.divergence
    assert verdict.ledger == day.session.ledger
    assert all(one.stamp.by for one in day.entries)


def test_the_day_in_new_jersey_reconciles_to_the_cent() -> None:
    day, _ = played("day-nj-minibaccarat")
    first, today = accounts_of(day.events).days
    assert (first.win_cents, first.tray_cents) == (0, 40_000_00)
    assert (today.opened_cents, today.is_counted) == (40_000_00, True)
    # $2,000 of Rosa and $1,000 of Siem.
    assert (today.drop_cents, today.drop_short_cents) == (3_000_00, 0)
    assert (today.fills_cents, today.credits_cents) == (5_000_00, 10_000_00)
    # Rosa owes $5, on Form 102; Siem pays 5% of $250.
    assert (today.forms_cents, today.vigorish_cents) == (5_00, 12_50)
    # 40,000 - 3,000 sold + 5,000 filled - 10,000 credited
    # + 50 - 100 (round 1) - 200 (2) - 250 (3) + 100 - 200 (4, corrected) + 12.50 collected
    assert (today.tray_cents, today.tray_short_cents) == (31_412_50, 0)
    assert today.corrected_cents == 200_00
    # 31,412.50 + 10,000 + 3,000 + 5 - 40,000 - 5,000
    assert today.win_cents == -582_50
    assert today.reconciles
    assert day.session.ledger.table_win_cents == -582_50
    # The patrons came with $3,000 and carry $2,400 and $1,187.50 to the cage.
    assert day.session.ledger.balance(ledger.CAGE) == -40_000_00 + 2_400_00 + 1_187_50
    assert (today.rounds, [one.rounds for one in today.shoes]) == (4, [4])


def test_the_day_in_massachusetts_reconciles_to_the_cent() -> None:
    day, _ = played("day-ma-royal-9")
    _, today = accounts_of(day.events).days
    assert (today.opened_cents, today.drop_cents) == (60_000_00, 500_00)
    # 60,000 - 500 sold + 5 of the wager that the award keeps; the award is no chip of the tray.
    assert (today.tray_cents, today.tray_short_cents) == (59_505_00, 0)
    # The meter began at $10,000, and 3% of $5 are 15 cents.
    assert today.hand_pays_cents == 10_000_15
    # 59,505 + 500 - 60,000 - 10,000.15
    assert today.win_cents == -9_995_15
    assert today.reconciles
    assert (today.meters_off_cents, today.awarded_cents) == (0, 10_000_15)
    # $12,500 of seeds at the opening; 15, 10, 10, and 5 cents contributed; the star begins anew.
    assert (today.meters_opened_cents, today.contributions_cents) == (12_500_00, 40)
    assert (today.seed_funding_cents, today.meters_cents) == (10_000_00, 12_500_25)
    assert day.session.ledger.balance(ledger.HAND_PAYS_DUE) == 0


_TAKE_TWO: Final = {
    "day-nj-minibaccarat": {
        "CorrectSettlement", "CorrectWager", "DropForm", "IssueCredit", "PrepareForm",
        "ReceiveFill", "VoidForm",
    },
    "day-ma-royal-9": {"PayByHand"},
}  # fmt: skip


# --- every office in every other's place -------------------------------------------------------


def _allowed(entry: Proposal) -> set[str]:
    """Return the offices of which one gives the command of an entry."""
    does = TERMS[type(entry.command).__name__].does
    offices: set[str] = {*does}
    if Role.SUPERVISOR in does:
        offices |= {Role.FLOORPERSON, Role.PIT_BOSS}
    if Role.CURATOR in does:
        offices.add(Role.PATRON)
    return offices


def _others(entry: Proposal) -> Iterator[Actor]:
    """Yield whoever holds an office at the table that does not give the command of an entry."""
    state, allowed = entry.before.state, _allowed(entry)
    held = {**state[Duty].posts, Role.MACHINE: ("vault",)}
    for office, persons in held.items():
        if office not in allowed:
            yield from (Actor(person, office) for person in persons[:1])
    if Role.PATRON not in allowed:
        for seat, patron in state.seats.items():
            yield Actor(patron.name, Role.PATRON, seat=seat)


def refused(entry: Proposal, *by: Actor) -> bool:
    answer = propose(entry.before, entry.command, Stamp(by, corrects=entry.stamp.corrects))
    return isinstance(answer, Refusal) and answer.code in _NOT_ALLOWED


@pytest.mark.parametrize("name", NAMES)
def test_every_office_is_refused_in_the_place_of_every_other(name: str) -> None:
    day, _ = played(name)
    tried = 0
    for entry in day.entries:
        company = entry.stamp.by[1:]
        for other in _others(entry):
            free = tuple(one for one in company if one.office != other.office)
            assert refused(entry, other, *free), (entry.command, other)
            tried += 1
    assert tried > 250


@pytest.mark.parametrize("name", NAMES)
def test_no_one_completes_an_act_that_needs_two(name: str) -> None:
    day, _ = played(name)
    acts = set()
    for entry in day.entries:
        by = entry.stamp.by
        row = TERMS[type(entry.command).__name__]
        needed = [
            one
            for one in consenting(entry.before.state, row, entry.before.rules)
            # A supervisor who gives an act consents to it.
            if one not in row.does or row.consents_of(one) > 1
        ]
        assert len(by) == 1 + len(needed)
        if not needed:
            continue
        acts.add(type(entry.command).__name__)
        for one in by:
            # Without the one, and with one of the others in that place as well.
            rest = tuple(other for other in by if other is not one)
            assert refused(entry, *rest), (entry.command, one)
            for other in rest:
                twice = Actor(other.person, one.office)
                assert refused(entry, *rest, twice), (entry.command, twice)
    assert acts >= {"OpenTable", "CloseTable", "CountInventory", "CountDrop", *_TAKE_TWO[name]}


def test_whoever_was_relieved_does_nothing_more_that_day() -> None:
    day, _ = played("day-nj-minibaccarat")
    after = {"Dunja": False, "Femke": False}
    reliefs = {"RelieveDealer": "Dunja", "RelieveFloorperson": "Femke"}
    for entry in day.entries:
        for person, gone in after.items():
            if gone:
                assert person not in {one.person for one in entry.stamp.by}, entry.command
        for index, one in enumerate(entry.stamp.by):
            for person, office in (("Dunja", Role.DEALER), ("Femke", Role.FLOORPERSON)):
                if after[person] and one.office == office:
                    by = list(entry.stamp.by)
                    by[index] = Actor(person, office)
                    assert refused(entry, *by), (entry.command, person)
        if (kind := type(entry.command).__name__) in reliefs:
            after[reliefs[kind]] = True
    assert all(after.values())
