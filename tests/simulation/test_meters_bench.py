"""Progressive meters over simulated rounds agree with the figures of their sheets."""

import os
import re
import subprocess
import sys

from support.project import ROOT

SCORE = re.compile(r"^(.+?) +[\d,.]+ +[\d,.]+ +([+-]\d+\.\d\d)$", re.MULTILINE)


def test_a_few_million_rounds_hit_and_pay_meters_as_the_sheet_says() -> None:
    done = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, str(ROOT / "bench/meters.py"), "--rounds", "3e6", "--seed", "7"],
        capture_output=True, text=True, check=True,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )  # fmt: skip
    scores = {name: float(z) for name, z in SCORE.findall(done.stdout)}
    # Both progressives: hits, what meters show, their spread, the return, and the must-hit meter.
    assert {"star hits", "spade at hit, cents", "heart variance", "stax at hit, cents"} <= set(
        scores
    )
    assert {"jackpot hits", "jackpot at hit, cents", "pays back, % of stake"} <= set(scores)
    assert done.stdout.count("pays back") == 2
    # The third and fourth moments of few hits are far from normal: five errors, not four.
    assert max(abs(z) for z in scores.values()) < 5
