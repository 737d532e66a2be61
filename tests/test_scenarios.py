"""Scenarios written from the regulations, in ``tests/data/scenarios``, each played and verified."""

from __future__ import annotations

import re
from collections import Counter
from functools import cache
from pathlib import Path

import pytest

from croupier.scenarios.acceptance.files import Scenario, read_scenarios, scenario_files
from support.scenarios import FOLDER, play_scenario

_ID = re.compile(r'^id = "(.*)"$', re.MULTILINE)


@cache
def _ids(path: Path) -> list[str]:
    """Return the ids in a file: each process collects all scenarios, and reads those that it plays."""
    return _ID.findall(path.read_text(encoding="utf-8"))


@cache
def _read(path: Path) -> tuple[Scenario, ...]:
    return read_scenarios(path)


@pytest.mark.parametrize("path", scenario_files(FOLDER), ids=lambda path: path.stem)
def test_a_file_of_scenarios_is_well_formed(path: Path) -> None:
    """Every file can be read, and a malformed one says all that is wrong with it."""
    assert [scenario.id for scenario in _read(path)] == _ids(path)


def test_every_scenario_has_an_id_of_its_own() -> None:
    """An id names one scenario among all files."""
    counts = Counter(one for path in scenario_files(FOLDER) for one in _ids(path))
    assert [one for one, count in counts.items() if count > 1] == []


@pytest.mark.parametrize(
    ("path", "number"),
    [
        pytest.param(path, number, id=one)
        for path in scenario_files(FOLDER)
        for number, one in enumerate(_ids(path))
    ],
)
def test_a_scenario_comes_out_as_the_regulation_says(
    path: Path, number: int, tmp_path: Path
) -> None:
    """Every step is answered as the text says, and the log verifies; what is pending does not yet."""
    scenario = _read(path)[number]
    if not scenario.pending:
        play_scenario(scenario, tmp_path)
        return
    with pytest.raises(Exception):  # noqa: B017, PT011  (a command that is not there yet, too)
        play_scenario(scenario, tmp_path)
