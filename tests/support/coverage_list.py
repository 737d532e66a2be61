"""The list of functions and tests that comes with the program, made again from the sources."""

import importlib
import json
import pkgutil
from pathlib import Path
from tempfile import TemporaryDirectory

import croupier
from croupier.law.cite import cited_rules
from croupier.law.contracts import known_rule_ids
from croupier.law.coverage import listed_commands, listed_events
from croupier.law.coverage import tests_naming as _tests_naming
from croupier.law.interpretations import interpretations
from croupier.law.resolve import instruments
from croupier.records.codec import from_json
from croupier.scenarios.acceptance.files import read_scenarios, scenario_files
from croupier.scenarios.acceptance.play import play_scenario
from support.project import ROOT

Cited = dict[str, dict[str, set[str]]]
"""The types of events that cite each clause, and the commands that they answered."""


def listed_citations() -> Cited:
    """Return what the list has now."""
    return {
        kind: {clause: {*names} for clause, names in listed.items()}
        for kind, listed in (("events", listed_events()), ("commands", listed_commands()))
    }


def note_citations(cited: Cited, log: bytes) -> None:
    """Add which events of a log cite each clause, and the commands that they answered."""
    for entry in map(from_json, log.splitlines()):
        for event in entry.get("events", ()):
            for clause in event["clauses"]:
                if clause not in interpretations():
                    cited["events"].setdefault(clause, set()).add(event["type"])
                    after = cited["commands"].setdefault(clause, set())
                    after.add(entry["command"]["type"])


def note_scenarios(cited: Cited) -> None:
    """Add the citations of every scenario."""
    with TemporaryDirectory() as folder:
        for path in scenario_files(ROOT / "tests" / "data" / "scenarios"):
            for scenario in read_scenarios(path):
                list(play_scenario(scenario, Path(folder)))
                for log in Path(folder).glob("*.jsonl"):
                    note_citations(cited, log.read_bytes())
                    log.unlink()


def coverage_list(cited: Cited | None = None) -> str:
    """Return the text of the list: the functions of each rule; the events, commands, and tests of
    each clause.

    Without ``cited`` events and commands stay as listed. Functions register when they are imported, so the
    whole package is: but for the command line, which carries out nothing.
    """
    parts = set()
    for module in pkgutil.walk_packages(croupier.__path__, "croupier."):
        if not module.name.startswith(("croupier.cli", "croupier.__main__")):
            importlib.import_module(module.name)
            parts.add(module.name.split(".")[1])
    # Examples in docstrings and in tests register functions of their own.
    functions = {
        rule: sorted(one for one in found if one.partition(".")[0] in parts)
        for rule, found in sorted(cited_rules().items())
        if rule in known_rule_ids()
    }
    tests = {
        text: {
            clause: [one.removeprefix(f"{ROOT.as_posix()}/") for one in found]
            for clause, found in sorted(named.items())
        }
        for text, named in sorted(_tests_naming(ROOT / "tests").items())
        if text in {one.key for one in instruments()}
    }
    cited = listed_citations() if cited is None else cited
    of_clauses = {
        kind: {clause: sorted(names) for clause, names in sorted(by_clause.items())}
        for kind, by_clause in cited.items()
    }
    listed = {"functions": functions, **of_clauses, "tests": tests}
    return json.dumps(listed, indent=0, ensure_ascii=False) + "\n"
