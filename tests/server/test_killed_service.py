"""A service is killed at random instants under load: what it told is kept, once, and in order.

``bench/kill_service.py`` does the same several hundred times for each store.
"""

import subprocess
import sys

import pytest

from support.databases import BIN
from support.project import ROOT
from support.volume import volume

KILLS = volume(6, 3)


@pytest.mark.parametrize("store", ["sqlite", "postgres"])
def test_what_was_told_before_a_kill_is_kept_once_and_in_order(store: str) -> None:
    if store == "postgres" and not (BIN / "initdb").is_file():
        pytest.skip("there is no PostgreSQL (initdb)")
    told = subprocess.run(  # noqa: S603  (a script of this project)
        [sys.executable, ROOT / "bench/kill_service.py", "--kills", str(KILLS), "--store", store],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stdout + told.stderr
    assert f"{KILLS} kills of a service on {store}" in told.stdout
    assert "0 lost, 0 twice, 0 out of order" in told.stdout
