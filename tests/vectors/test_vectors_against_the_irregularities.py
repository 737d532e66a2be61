"""The vectors agree with the tables of what comes of a card that leaves the shoe."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.rules import TableRules, read_submission, table_rules
from support.irregularities import TEXTS, Cell, Row, rows
from support.vector_sets import SETS, read

_TABLES: Final = {text.partition("@")[0]: table for table, text in TEXTS.items()}

_PHASES: Final = {
    "to-burn": "burn",
    "betting": "betting",
    "wagered": "betting",
    "called": "card-1",
    "two-dealt": "card-3",
    "banker-draws": "banker-alone",
    "decided": "natural",
    "both-stayed": "both-stayed",
    "settled": "settled",
    "card-held": "held-betting",
    "held-card-called": "held-called",
    "simulated": "simulated-card-2",
    "house-money": "house-player",
    "shoe-empty": "shoe-empty",
    "shoe-completed": "shoe-completed",
}
"""Where the starts of the vectors are, as the tables of irregularities name it."""


def _phase(start: str, rules: TableRules) -> str | None:
    if start == "four-dealt":
        return "player-third" if rules.elected("deal.option", "face-up") else "unturned-player"
    return _PHASES.get(start)


def _cell(start: str, command: Mapping[str, Any], rules: TableRules) -> Cell | None:
    """Return the cell of a report at a start; ``None`` where no table has it."""
    phase = _phase(start, rules)
    if phase is None or command["type"] not in {"DrawCardInError", "FindFaceUpCard"}:
        return None
    reading = {rules.reading("early_third_card.use"), rules.reading("disclosed_card.fate")}
    where = "shoe" if command["type"] == "FindFaceUpCard" else command["dealt_to"] or "nowhere"
    seen = where == "shoe" or command["disclosed"]
    elected = rules.value("irregularity.disclosed_card", str)
    return Cell(phase, where, seen, elected, frozenset(one for one in reading if one))


def _outcome(card: str, events: list[dict[str, Any]]) -> Iterator[str]:
    """Yield what becomes of a card in what follows its report, the first being what counts."""
    voided = any(one["type"] == "RoundVoided" for one in events)
    for event in events:
        if event.get("card") != card:
            continue
        match event["type"]:
            case "SimulatedRoundOrdered":
                yield "void-simulated" if voided else "simulated"
            case "CardHeld":
                yield "next-hand"
            case "CardDiscarded":
                yield "rack-one" if event["unseen"] else "rack-value"
            case "FaceUpCardFound" if event["discarded"]:
                yield "rack-value"
            case "CardDealt" if event["ordinal"] == 3:
                yield f"{event['hand']}-third"
            case _:
                pass


def _judge(row: Row, scenario: Mapping[str, Any], prefix: str) -> str:
    """Hold a scenario of the vectors to its row; return the outcome."""
    report = scenario["steps"][0]["command"]
    told = [event for step in scenario["steps"] for event in step.get("events", ())]
    first = scenario["steps"][0]["events"]
    if row.outcome == "gathered":
        # It waits for nothing: no hand is left.
        fates = {"CardHeld", "SimulatedRoundOrdered", "RoundVoided", "CardDealt"}
        assert fates.isdisjoint(event["type"] for event in first), scenario["name"]
        return row.outcome
    outcome = next(_outcome(report["card"], first), None) or next(_outcome(report["card"], told))
    assert outcome == row.outcome, (scenario["name"], row.line)
    upto = next(
        number for number, event in enumerate(told) if next(_outcome(report["card"], [event]), None)
    )
    cited = {clause for event in told[: upto + 1] for clause in event["clauses"]}
    for clause in row.clauses:
        full = f"{prefix}:{clause}"
        assert any(one == full or one.startswith(f"{full}#") for one in cited), scenario["name"]
    return outcome


@pytest.mark.parametrize("submission", SETS, ids=lambda path: path.stem)
def test_a_card_goes_in_the_vectors_where_the_text_has_it_go(submission: Path) -> None:
    """Each report of the vectors that a table has comes to the outcome of its row."""
    rules = table_rules(read_submission(submission))
    table = rows(_TABLES[rules.law.id])
    judged: Counter[str] = Counter()
    for scenario in read(submission, "procedures")["scenarios"]:
        cell = _cell(scenario["start"], scenario["steps"][0]["command"], rules)
        if cell is None:
            continue
        (row,) = [one for one in table if one.covers(cell)]
        judged[_judge(row, scenario, rules.law.clause_prefix)] += 1
    assert judged.total() > 10, judged
    assert judged["next-hand"]
    assert judged["simulated"] or judged["rack-value"] or judged["rack-one"]


@pytest.mark.parametrize("submission", SETS, ids=lambda path: path.stem)
def test_the_vectors_refuse_to_call_the_card_that_is_due_an_error(submission: Path) -> None:
    """Where a table has a card belong to the hand that is due, no vector has it drawn in error."""
    rules = table_rules(read_submission(submission))
    table = rows(_TABLES[rules.law.id])
    for scenario in read(submission, "procedures")["scenarios"]:
        cell = _cell(scenario["start"], scenario["steps"][0]["command"], rules)
        if cell is not None:
            (row,) = [one for one in table if one.covers(cell)]
            assert row.outcome not in {"belongs", "burned", "impossible"}
