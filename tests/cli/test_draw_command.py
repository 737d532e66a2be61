"""``croupier draw verify``: every draw of a log proven again, and what does not follow named."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner, Result

from croupier import acts
from croupier.acts import Event, StaxWon
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.cli import main
from croupier.money.stax import commitment_to, drawn, mystery_cents
from croupier.records.draws import draws_of
from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log
from croupier.scenarios.autopilot import Autopilot
from croupier.table import Phase, Refusal
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from croupier.table.parts.progressive import Progressive
from support.massachusetts import (
    PLAYER_8_BANKER_9,
    PLAYER_9_BANKER_8,
    STAX,
    deal,
    rules_of,
    settle,
)
from support.project import ROOT

SETTINGS: dict[str, Any] = {
    **STAX,
    "wagers__royal_9__stax__seed": "25.00",
    "wagers__royal_9__stax__must_hit_by": "25.15",
    "wagers__royal_9__stax__increment": "1%",
}
VECTORS = json.loads((ROOT / "docs/examples/mystery-draw.json").read_text(encoding="utf-8"))


@pytest.mark.parametrize("one", VECTORS["vectors"], ids=lambda one: one["cards"])
def test_the_derivation_is_the_published_one(one: dict[str, Any]) -> None:
    assert commitment_to(one["secret"]) == one["commitment"]
    value = mystery_cents(
        one["secret"], one["opening"], one["above_cents"], one["must_hit_by_cents"]
    )
    assert value == one["mystery_cents"]
    assert drawn(one["secret"], one["cards"], one["seats"]) == one["seat"]


def dealt(path: Path, *, withhold: int = 0, lose: bool = False) -> None:
    """Record rounds of two patrons until the award is won, withheld, or its secret lost."""
    rules = rules_of(**SETTINGS)
    recorder, _ = begin_log(path, rules, shuffle="by hand")
    session = TableSession(rules, record=recorder, clock=SteppedClock())
    events: list[Event] = []
    session.listeners.append(lambda _, told: events.extend(told))
    pilot = Autopilot(session, Chance(seed=8), patrons=2)
    pilot.open(gaming_date=date(2026, 11, 20))
    while session.state.phase is not Phase.BETTING:
        pilot.step()
    seats = tuple(session.state.seats)
    secret = "c0ffee00" * 8
    session.execute(acts.CommitMystery(commitment_to(secret)))
    hands = (PLAYER_9_BANKER_8, PLAYER_8_BANKER_9)
    for number in range(6):
        for seat in seats:
            session.execute(acts.PlaceWagers(seat, {"tie": 500, "royal_9": 500}))
        settle(session, hands[number % 2])
        if lose and number == 0:
            session.execute(acts.ReplaceMystery("the machine lost its memory"))
            break
        reveal = acts.EndProgressiveRound(secret)
        answer = session.propose(reveal)
        if getattr(answer, "code", "") == "not_hit" or withhold > 0:
            withhold -= getattr(answer, "code", "") != "not_hit"
            session.execute(acts.EndProgressiveRound())
        elif getattr(answer, "code", "") == "late":
            session.execute(acts.ReplaceMystery("found too late", secret))
            break
        else:
            session.execute(reveal)
            break
        session.execute(acts.ClearLayout())


def asked(path: Path, *more: str) -> Result:
    return CliRunner().invoke(main, ["draw", "verify", str(path), *more])


def test_a_draw_is_proven_from_secret_and_cards(tmp_path: Path) -> None:
    path = tmp_path / "fair.jsonl"
    dealt(path)
    result = asked(path, "--format", "json")
    assert result.exit_code == 0, result.output
    (one,) = json.loads(result.output)["draws"]
    assert (one["outcome"], one["is_fair"], one["faults"]) == ("drawn", True, [])
    assert one["opening"].startswith("round 1: ")
    assert one["seat"] in one["seats"]
    assert "in order" in asked(path).output


def test_a_winner_who_was_not_drawn_is_told(tmp_path: Path) -> None:
    path = tmp_path / "forged.jsonl"
    dealt(path)
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    at = next(number for number, line in enumerate(lines) if StaxWon.__name__ in line)
    head, mark, rest = lines[at].partition('"type":"StaxWon","v":2,"seat":')
    lines[at] = head + mark + ("1" if rest[0] == "2" else "2") + rest[1:]
    path.write_text("".join(lines), encoding="utf-8")
    result = asked(path)
    assert result.exit_code == 1
    assert "the secret and the cards draw seat" in result.output


def test_a_secret_that_was_withheld_is_told_with_the_seat_it_cheated(tmp_path: Path) -> None:
    path = tmp_path / "late.jsonl"
    dealt(path, withhold=1)
    result = asked(path, "--format", "json")
    assert result.exit_code == 1, result.output
    (one,) = json.loads(result.output)["draws"]
    assert (one["outcome"], one["is_fair"]) == ("withheld", False)
    assert f"seat {one['seat']}" in one["faults"][0]
    found = CliRunner().invoke(main, ["verify", str(path)])
    assert found.exit_code == 1
    assert "withheld" in found.output


def test_a_secret_that_was_lost_is_told_and_accuses_nobody(tmp_path: Path) -> None:
    path = tmp_path / "lost.jsonl"
    dealt(path, lose=True)
    result = asked(path, "--format", "json")
    assert result.exit_code == 0, result.output
    (one,) = json.loads(result.output)["draws"]
    assert (one["outcome"], one["reason"]) == ("lost", "the machine lost its memory")
    found = CliRunner().invoke(main, ["verify", str(path)])
    assert found.exit_code == 0
    assert "lost" in found.output


def test_a_table_without_the_award_has_no_draws() -> None:
    log = ROOT / "tests/data/logs/ny-mini.format-2.jsonl.gz"
    result = asked(log)
    assert result.exit_code == 2
    assert "no must-hit award" in result.output


@pytest.mark.parametrize("settled", [False, True])
def test_a_card_that_was_misread_and_a_stake_that_was_missed_count_in_the_draw(
    *, settled: bool
) -> None:
    """The draw goes by the hands and seats as they were in truth, and so does its verification."""
    rules = rules_of(**SETTINGS)
    session = TableSession(rules)
    events: list[Event] = []
    session.listeners.append(lambda _, told: events.extend(told))
    pilot = Autopilot(session, Chance(seed=8), patrons=2)
    pilot.open(gaming_date=date(2026, 11, 20))
    secret = "0ddba11c" * 8
    session.execute(acts.CommitMystery(commitment_to(secret)))
    for _ in range(3):
        missed, *seats = session.state.seats
        session.execute(acts.PlaceWagers(missed, {"tie": 500}))
        for seat in seats:
            session.execute(acts.PlaceWagers(seat, {"tie": 500, "royal_9": 500}))
        deal(session, PLAYER_9_BANKER_8)
        read, true = Card.of("Js"), Card.of("Qd")
        if not settled:
            session.execute(acts.CorrectMisreadCard(read, true, "Femke", Hand.BANKER, 2))
        session.execute(acts.SettleWagers())
        of = max(session.position.house.settled)
        if settled:
            session.execute(acts.CorrectSettlement(of, "seen", Hand.BANKER, 2, true))
        session.execute(
            acts.CorrectSettlement(of, "the sensor", seat=missed, wager="royal_9", cents=500)
        )
        answer = session.try_execute(acts.EndProgressiveRound(secret))
        if isinstance(answer, Refusal):
            session.execute(acts.EndProgressiveRound())
        session.execute(acts.ClearLayout())
        if not isinstance(answer, Refusal):
            break
    else:
        raise AssertionError("the value was never hit")
    (one,) = draws_of(events, 2_515)
    assert one.faults == []
    assert one.opening == "round 1: 9h Th / 8d Qd"
    assert one.seats == tuple(sorted(session.state.seats))


SEALED_TWICE = commitment_to("c0ffee00" * 8)


def won_twice(path: Path) -> None:
    """Record two awards drawn from one secret, which the first of them published."""
    rules = rules_of(**SETTINGS)
    recorder, _ = begin_log(path, rules, shuffle="by hand")
    session = TableSession(rules, record=recorder, clock=SteppedClock())
    pilot = Autopilot(session, Chance(seed=8), patrons=2)
    pilot.open(gaming_date=date(2026, 11, 20))
    while session.state.phase is not Phase.BETTING:
        pilot.step()
    for _ in range(2):
        session.execute(acts.CommitMystery(SEALED_TWICE))
        answer: object = Refusal("", (), "")
        while isinstance(answer, Refusal):
            for seat in session.state.seats:
                session.execute(acts.PlaceWagers(seat, {"tie": 500, "royal_9": 500}))
            settle(session, PLAYER_9_BANKER_8)
            answer = session.try_execute(acts.EndProgressiveRound("c0ffee00" * 8))
            if isinstance(answer, Refusal):
                session.execute(acts.EndProgressiveRound())
            session.execute(acts.ClearLayout())
    recorder.close()


def test_a_commitment_that_stands_twice_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "twice.jsonl"
    with monkeypatch.context() as patch:
        # A table that accepts its own published secret again.
        patch.setattr(Progressive, "spent", property(lambda _: ()))
        won_twice(path)
    result = asked(path, "--format", "json")
    assert result.exit_code == 1, result.output
    first, second = json.loads(result.output)["draws"]
    assert first["is_fair"]
    assert second["faults"] == ["the same commitment stood before: its secret may have been known"]
    found = CliRunner().invoke(main, ["verify", str(path)])
    assert found.exit_code == 1
    assert "this commitment stood before" in " ".join(found.output.split())


def test_a_commitment_that_stood_in_the_log_before_is_reported() -> None:
    again = (acts.MysteryCommitted(SEALED_TWICE, 2_500, ()),)
    (draw,) = draws_of(again, 2_515, Progressive(spent=(SEALED_TWICE,)))
    assert draw.faults == ["the same commitment stood before: its secret may have been known"]
