"""A dealing process is killed at random instants: what it acknowledged is kept, once and in order.

``bench/kill.py`` does the same a thousand times for each store.
"""

import subprocess
import sys

import pytest

from support.project import ROOT


@pytest.mark.parametrize("store", ["file", "sqlite"])
def test_what_was_acknowledged_before_a_kill_is_kept(store: str) -> None:
    told = subprocess.run(  # noqa: S603  (a script of this project)
        [sys.executable, str(ROOT / "bench" / "kill.py"), "--kills", "4", "--store", store],
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    assert f"4 kills of {store}" in told.stdout
    assert "0 lost, 0 twice" in told.stdout
