"""Progressive meters over simulated rounds agree with the figures of their sheets."""

import re
import sys
from importlib import import_module

import pytest

from support.project import ROOT
from support.volume import volume

SCORE = re.compile(r"^(.+?) +[\d,.]+ +[\d,.]+ +([+-]\d+\.\d\d)$", re.MULTILINE)


def test_a_few_million_rounds_hit_and_pay_meters_as_the_sheet_says(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rounds = volume(3_000_000, 1_000_000)
    monkeypatch.syspath_prepend(ROOT / "bench")
    monkeypatch.setattr(sys, "argv", ["meters.py", "--rounds", str(rounds), "--seed", "7"])
    import_module("meters").main()
    printed = capsys.readouterr().out
    scores = {name: float(z) for name, z in SCORE.findall(printed)}
    # Both progressives: hits, what meters show, their spread, the return, and the must-hit meter.
    assert {"star hits", "spade at hit, cents", "heart variance", "stax at hit, cents"} <= set(
        scores
    )
    assert {"jackpot hits", "jackpot at hit, cents", "pays back, % of stake"} <= set(scores)
    assert printed.count("pays back") == 2
    # Of however many rounds: the third and fourth moments of few hits are far from normal, so that
    # five errors are allowed, not four.
    assert max(abs(z) for z in scores.values()) < 5
