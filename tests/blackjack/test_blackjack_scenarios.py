"""The scenarios of ``tests/data/blackjack``: both wagers by their sentences, and between them."""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any, Final

import msgspec
import pytest

from croupier.blackjack import acts, bonus, streak
from croupier.blackjack.acts import (
    BonusLayoutCleared,
    BonusPaid,
    StreakPaid,
    StreakWagersCollected,
    WagerEvent,
)
from croupier.law.cite import Refusal
from croupier.rules import TableRules
from support.project import ROOT
from support.streaks import outcome_of, rules_of

FOLDER: Final = ROOT / "tests" / "data" / "blackjack"
SCENARIOS: Final = [
    scenario
    for path in sorted(FOLDER.glob("*.toml"))
    for scenario in tomllib.loads(path.read_text(encoding="utf-8"))["scenario"]
]
EXPECTED: Final = {"refused", "cites", "not_cites", "events", "no_events", "order", "why"}


class Played:
    """A table of one of the two wagers, with every event of it."""

    def __init__(self, rules: TableRules) -> None:
        self.rules = rules
        self.machine: Any = streak if rules.applies("streak.place") else bonus
        is_streak = self.machine is streak
        self.state: Any = streak.StreakState() if is_streak else bonus.BonusState()
        self.paid: Counter[int] = Counter()
        self.lost: Counter[int] = Counter()

    def execute(self, command: object) -> tuple[WagerEvent, ...] | Refusal:
        answer: tuple[WagerEvent, ...] | Refusal
        answer = self.machine.decide(self.state, command, self.rules)
        for event in () if isinstance(answer, Refusal) else answer:
            self.state = self.machine.evolve(self.state, event)
            match event:
                case StreakPaid(seat=seat, cents=cents) | BonusPaid(seat=seat, cents=cents):
                    self.paid[seat] += cents
                case StreakWagersCollected(seat=seat, stakes=stakes):
                    self.lost[seat] += sum(stakes.values())
                case BonusLayoutCleared(collected=collected):
                    self.lost.update(collected)
        return answer

    def commands(self, step: Mapping[str, Any]) -> Iterator[object]:
        hands = {f"s{seat}": letters for seat, letters in step.get("hands", {}).items()}
        outcome = outcome_of(hands, natural=step.get("natural", False))
        if "do" not in step:
            seats = {int(seat) for seat in step["hands"]} - self.state.blackjack
            yield from (acts.PlaceBlackjackWager(seat) for seat in sorted(seats))
            yield acts.DealFirstCard()
        if hands:
            yield acts.SettleRound(outcome)
            return
        fields = {key: one for key, one in step.items() if key not in EXPECTED | {"do"}}
        yield msgspec.convert(fields, getattr(acts, step["do"]), strict=False)

    def play(self, step: Mapping[str, Any]) -> None:
        events: list[WagerEvent] = []
        for command in self.commands(step):
            answer = self.execute(command)
            if isinstance(answer, Refusal):
                assert answer.code == step.get("refused"), (step, answer)
                check_clauses(step, answer.clauses)
                return
            events += answer
        assert "refused" not in step, step
        check_clauses(step, tuple(clause for event in events for clause in event.clauses))
        names = [type(event).__name__ for event in events]
        assert {*step.get("events", ())} <= {*names}, step
        assert {*names}.isdisjoint(step.get("no_events", ())), step
        if "order" in step:
            seats = [f" {seat}" if (seat := getattr(one, "seat", 0)) else "" for one in events]
            assert [name + seat for name, seat in zip(names, seats, strict=True)][
                -len(step["order"]) :
            ] == step["order"]


def check_clauses(step: Mapping[str, Any], clauses: tuple[str, ...]) -> None:
    found = {clause.removeprefix("NJ-OLD:19:47-") for clause in clauses}
    assert {*step.get("cites", ())} <= found, (step, found)
    assert found.isdisjoint(step.get("not_cites", ())), (step, found)
    assert step.get("cites") != [] or not found, (step, found)


@pytest.mark.under("us-nj/blackjack-wagers@2001-01-16")
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario["id"])
def test_a_scenario_of_blackjack_wagers(scenario: dict[str, Any]) -> None:
    played = Played(rules_of(**scenario.get("elections", {})))
    for step in scenario["steps"]:
        played.play(step)
    seats = getattr(played.state, "seats", {})
    for name, found in (
        ("streaks", {seat: dict(one.stakes) for seat, one in seats.items()}),
        ("lammers", {seat: one.lammer for seat, one in seats.items() if one.lammer}),
        ("paid", dict(played.paid)),
        ("lost", dict(played.lost)),
    ):
        wanted = msgspec.convert(scenario.get(name, {}), dict[int, Any], strict=False)
        assert str(found) == str(wanted).replace("'", ""), name


def test_every_scenario_has_an_id_of_its_own() -> None:
    assert len({scenario["id"] for scenario in SCENARIOS}) == len(SCENARIOS)
