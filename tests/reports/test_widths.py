"""No cell of a table breaks within a number or a clause, and in a pipe no table is too narrow."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.reports.formats import tables
from croupier.reports.formats.tables import wide, wrapped
from croupier.reports.formats.text import text
from croupier.reports.tree import DataTable, Figure, Tree
from support.project import ROOT

NJ = ("--submission", str(ROOT / "submissions" / "nj-minibaccarat.toml"))
LUCKY_6 = str(ROOT / "docs" / "examples" / "lucky-6.toml")

CELLS = {
    "0.21/1.00/2.86": ["0.21/", "1.00/", "2.86"],
    "2=1,8=-2,9=-1.25": ["2=1,", "8=-2,", "9=-1.25"],
    "NJ-MINI:7.2(a)1.ii": ["NJ-MINI:7.2(a)1.ii"],
    "NJ-MINI:7.3(h)_Paytable_A, NJ-MINI:7.2(a)5.i#3": [
        "NJ-MINI:7.3(h)_Paytable_A,", "NJ-MINI:7.2(a)5.i#3",
    ],
    "4,998,398,275,503,360 ways": ["ways"],
}  # fmt: skip
"""Cells with their parts that must stay together."""


@pytest.mark.parametrize("width", [100, 80, 70, -30, -80])
def test_no_cell_breaks_within_a_number_or_a_clause(width: int) -> None:
    # A negative width may be exceeded, as in a pipe.
    width, free = abs(width), width < 0
    columns = (
        Figure("name", "Name"), Figure("one", "A column of text"), Figure("two", "Clauses", "clauses"),
        Figure("three", "Another"), Figure("four", "Ways", "ways"),
    )  # fmt: skip
    rows = [("Lucky 6", cell, [cell], cell, "4998398275503360") for cell in CELLS]
    lines = text(
        Tree("Title", "", [DataTable(columns, rows)], names={}), width, free=free
    ).splitlines()
    words = {word for line in lines for word in line.split()}
    for parts in CELLS.values():
        assert all(any(part in word for word in words) for part in parts), parts
    assert "4,998,398,275,503,360" in words
    assert free or max(map(len, lines)) <= width


def test_a_word_that_is_too_long_is_broken_at_a_mark() -> None:
    assert wrapped("submissions/nj-mini.toml", 14) == ["submissions/", "nj-mini.toml"]
    assert wrapped("-1.25,-1.50", 8) == ["-1.25,", "-1.50"]
    assert wrapped("abcdefghij", 4) == ["abcd", "efgh", "ij"]


@pytest.mark.parametrize("part", ["x", "a,", "é:", "牌", "a\u0301"])
def test_a_word_of_many_lines_is_broken_without_looking_at_its_rest(
    part: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A record that somebody forged may have one: every line of it looked at the whole rest."""
    seen: list[int] = []
    fitting = tables._fitting  # noqa: SLF001  (what it is given is looked at)

    def watched(word: str, room: int) -> int:
        seen.append(len(word))
        return fitting(word, room)

    monkeypatch.setattr(tables, "_fitting", watched)
    lines = wrapped(part * 10_000, 80)
    assert seen
    assert max(seen) <= 20 * 80
    assert "".join(lines) == part * 10_000
    assert max(map(wide, lines)) <= 80


def test_in_a_pipe_a_table_is_as_wide_as_it_needs(monkeypatch: pytest.MonkeyPatch) -> None:
    wanted = ("House", "Skewness", "Kurtosis", "Volatility", "dev.")
    for columns, bands in (("80", 3), (None, 1)):
        if columns is None:
            monkeypatch.delenv("COLUMNS")
        else:
            monkeypatch.setenv("COLUMNS", columns)
        lines = CliRunner().invoke(main, ["par", *NJ, "--summary"]).stdout.splitlines()
        assert sum(line.startswith("Four cards ") for line in lines) == bands
        together = [line for line in lines if all(one in line for one in ("5.2829%", "$1,000.00"))]
        assert len(together) == (columns is None)
    assert any(wanted[1] in line and wanted[2] in line for line in lines)


def test_in_a_pipe_the_tags_of_a_design_are_whole(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("COLUMNS")
    words = [
        "design", LUCKY_6, "--law", "us-nj/minibaccarat@2011-02-22",
        "--pays", "three_cards=26..26", "--pays", "two_cards=12..12", "--edge", "5%..10%",
    ]  # fmt: skip
    lines = CliRunner().invoke(main, words).stdout.splitlines()
    assert any(line.endswith("3=-1,6=-2,7=1,8=1,9=1") for line in lines)
