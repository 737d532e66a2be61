"""Scenarios of the tests, played and verified."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from croupier.scenarios.acceptance import play
from croupier.scenarios.acceptance.files import Scenario
from croupier.verify.log import verify_log
from support.project import ROOT

FOLDER: Final = ROOT / "tests" / "data" / "scenarios"


def play_scenario(scenario: Scenario, folder: Path) -> None:
    """Play a scenario and verify its logs. Raises ``AssertionError`` with all differences."""
    wrong = list(play.play_scenario(scenario, folder))
    for log in sorted(folder.glob("*.jsonl")):
        verdict = verify_log(log)
        if not verdict.is_clean:
            wrong.append(f"the log does not verify: {verdict.divergence}")
    assert not wrong, "\n".join((scenario.title, *wrong))
