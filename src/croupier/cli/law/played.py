"""Scenarios of a regulation, played: what ``croupier law test`` reports."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from croupier.cli.common.output import command_line, fail, progress_of
from croupier.cli.law.documents import LawTest, MutantPlayed, ScenarioPlayed, UntestedPartsOfLaw
from croupier.law.model import ClauseClass, Instrument
from croupier.law.resolve import resolve
from croupier.rules.documents import fields_of, made
from croupier.scenarios.acceptance.files import (
    MalformedScenariosError,
    Scenario,
    day_of,
    full_clauses,
    read_scenarios,
    scenario_files,
)
from croupier.scenarios.acceptance.play import mutants, play_scenario, rules_of_scenario
from croupier.verify.log import verify_log


def played_document(
    paths: Sequence[Path], law_id: str | None, pattern: str | None, *, coverage: bool, mutate: bool
) -> LawTest:
    scenarios = [
        scenario
        for scenario in _read(paths)
        if (law_id is None or law_id in {scenario.law, scenario.law.partition("@")[0]})
        and (pattern is None or pattern in scenario.id)
    ]
    if not scenarios:
        fail(f"{', '.join(map(str, paths))} has no scenarios, or none for --law and --only")
    results = []
    with TemporaryDirectory() as folder, progress_of(len(scenarios), "scenarios") as report:
        for number, scenario in enumerate(scenarios, start=1):
            results.append(_played(scenario, Path(folder)))
            report(number)
    # A scenario that fails anyway notices nothing.
    passed_ids = {scenario["id"] for scenario in results if scenario["result"] == "pass"}
    by_law: dict[str, list[Scenario]] = {}
    for scenario in scenarios:
        if not scenario.pending:
            by_law.setdefault(scenario.law, []).append(scenario)
    return {
        "format": "croupier-law-test/1",
        **made(command_line()),
        "passed": len(passed_ids),
        "failed": sum(scenario["result"] == "fail" for scenario in results),
        "pending": sum(scenario["result"] == "pending" for scenario in results),
        "scenarios": results,
        "untested": [_untested(law, parts) for law, parts in by_law.items()] if coverage else [],
        "mutants": [
            fields_of(MutantPlayed, mutant, law=law)
            for law, scenarios in (by_law.items() if mutate else ())
            for mutant in mutants(_text(law), [one for one in scenarios if one.id in passed_ids])
        ],
    }


def _read(paths: Sequence[Path]) -> list[Scenario]:
    scenarios: list[Scenario] = []
    errors = []
    for path in scenario_files(*paths):
        try:
            scenarios.extend(read_scenarios(path))
        except MalformedScenariosError as error:
            errors.append(str(error))
    ids: set[str] = set()
    for scenario in scenarios:
        if scenario.id in ids:
            errors.append(f"{scenario.path}:{scenario.line}: the id {scenario.id!r} occurs twice")
        ids.add(scenario.id)
    if errors:
        fail("\n".join(errors))
    return scenarios


def _played(scenario: Scenario, folder: Path) -> ScenarioPlayed:
    for log in folder.glob("*.jsonl"):
        log.unlink()
    differences = list(play_scenario(scenario, folder))
    for log in sorted(folder.glob("*.jsonl")):
        verdict = verify_log(log)
        if not verdict.is_clean:
            differences.append(f"the log does not verify: {verdict.divergence}")
    result = "fail" if differences else "pass"
    if scenario.pending:
        # A pending scenario that passes is no longer pending.
        result = "pending" if differences else "fail"
        differences = [] if differences else ["it passes now: remove the key pending"]
    return fields_of(
        ScenarioPlayed,
        scenario,
        file=str(scenario.path),
        clauses=[clause for clause, _ in scenario.rests_on],
        result=result,
        differences=differences,
    )


def _text(law: str) -> Instrument:
    return resolve(law.partition("@")[0], on=day_of(law))


def _untested(law: str, scenarios: Sequence[Scenario]) -> UntestedPartsOfLaw:
    text = _text(law)
    full_ids = {
        full_id
        for scenario in scenarios
        for clause, _ in scenario.rests_on
        for full_id in full_clauses(text, clause)
    }
    tables = [rules for scenario in scenarios for rules in rules_of_scenario(scenario)]
    return {
        "law": law,
        "clauses": [
            clause.id
            for clause in text.clauses.values()
            if clause.clause_class is not ClauseClass.PHYSICAL
            and not text.disposition(clause.id).is_written
            and clause.id not in full_ids
        ],
        "choices": [
            f"{rule.id} = {rule.written(choice)}"
            for rule in text.elections
            for choice in rule.values
            if not any(rules.settled.get(rule.id) == choice for rules in tables)
        ],
    }
