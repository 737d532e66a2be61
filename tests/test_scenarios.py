"""Scenarios written from the regulations, in ``tests/data/scenarios``, each played and verified."""

from __future__ import annotations

from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from croupier.scenarios.acceptance.files import (
    MalformedScenariosError,
    Scenario,
    read_scenarios,
    scenario_files,
)
from support.scenarios import FOLDER, play_scenario


@cache
def _scenarios() -> list[Scenario]:
    found: list[Scenario] = []
    for path in scenario_files(FOLDER):
        try:
            found.extend(read_scenarios(path))
        except MalformedScenariosError:
            # A test of its own says what is wrong with the file.
            continue
    return found


@pytest.mark.parametrize("path", scenario_files(FOLDER), ids=lambda path: path.stem)
def test_a_file_of_scenarios_is_well_formed(path: Path) -> None:
    """Every file can be read, and a malformed one says all that is wrong with it."""
    read_scenarios(path)


def test_every_scenario_has_an_id_of_its_own() -> None:
    """An id names one scenario among all files."""
    counts = Counter(scenario.id for scenario in _scenarios())
    assert [one for one, count in counts.items() if count > 1] == []


@pytest.mark.parametrize("scenario", _scenarios(), ids=lambda one: one.id)
def test_a_scenario_comes_out_as_the_regulation_says(scenario: Scenario, tmp_path: Path) -> None:
    """Every step is answered as the text says, and the log verifies; what is pending does not yet."""
    if not scenario.pending:
        play_scenario(scenario, tmp_path)
        return
    with pytest.raises(Exception):  # noqa: B017, PT011  (a command that is not there yet, too)
        play_scenario(scenario, tmp_path)
