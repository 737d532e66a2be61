"""What a report has no room or no number for: long charts, and wins without a bound."""

from __future__ import annotations

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli import main
from support.project import ROOT
from support.texts import dated


@pytest.mark.parametrize(("shown", "is_drawn"), [(40, True), (41, False)])
def test_a_table_of_more_than_forty_rows_has_no_chart(
    tmp_path: Path, shown: int, *, is_drawn: bool
) -> None:
    report = tmp_path / "design.html"
    wager, law = ROOT / "docs/examples/lucky-6.toml", dated("us-nj/minibaccarat")
    pays = ("--pays", "three_cards=1..30", "--pays", "two_cards=10..12", "--edge", "0%..90%")
    done = CliRunner().invoke(
        main, ["design", str(wager), "--law", law, *pays, "--top", str(shown), "--out", str(report)]
    )
    assert done.exit_code == 0, done.output
    text = report.read_text(encoding="utf-8")
    table = re.search(r"<table.*?</table>", text, re.DOTALL)
    assert table is not None
    assert table[0].count("<tr") >= shown
    following = text[table.end() :].partition("<table")[0] + text[: table.start()]
    assert ("<svg" in following) is is_drawn


def test_what_a_meter_pays_has_no_bound(tmp_path: Path) -> None:
    report = tmp_path / "par.html"
    file = ROOT / "submissions/ma-royal-9.toml"
    done = CliRunner().invoke(main, ["par", "--submission", str(file), "--out", str(report)])
    assert done.exit_code == 0, done.output
    text = re.sub(r"<[^>]+>", "\n", report.read_text(encoding="utf-8"))
    # In the summary, and among the facts of the wager with the meter.
    assert len(re.findall(r"^no bound$", text, re.MULTILINE)) == 2
    assert len(re.findall(r"^Max win is what a meter shows$", text, re.MULTILINE)) == 1
