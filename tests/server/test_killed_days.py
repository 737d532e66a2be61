"""A service is killed as the gaming day of a table ends: the day has ended, or goes on.

``bench/kill_days.py`` does the same several hundred times for each store.
"""

import subprocess
import sys

import pytest

from support.databases import BIN
from support.project import ROOT
from support.volume import volume

KILLS = volume(6, 3, most=40)


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_a_day_has_ended_or_goes_on_after_any_kill(store: str) -> None:
    if store == "postgres" and not (BIN / "initdb").is_file():
        pytest.skip("there is no PostgreSQL (initdb)")
    told = subprocess.run(  # noqa: S603  (a script of this project)
        [sys.executable, ROOT / "bench/kill_days.py", "--kills", str(KILLS), "--store", store],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert f"{KILLS} kills of a service on {store} as a day ends" in told.stdout
    assert "0 days lost, twice, or torn" in told.stdout
