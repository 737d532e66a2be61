"""What people see on paper and in workbooks: no blank columns, orphan headings, ids, or wrong plurals."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import click
import pytest
from python_calamine import CalamineWorkbook

from croupier.cli import main
from croupier.reports.comparisons import words
from croupier.reports.document import document
from croupier.reports.formats import written
from croupier.reports.formats.tables import charts_of, with_annex
from croupier.reports.formats.typst import _nodes
from croupier.reports.tree import DataTable, Drawn, Figure, Note, Section, shown
from support.command_line import croupier, told_with
from support.project import PLAIN, ROOT
from support.tables import NOTIFIED
from support.texts import dated

LAW: Final = ("--law", dated("us-nj/minibaccarat"))
LUCKY_6: Final = ROOT / "docs/examples/lucky-6.toml"
LOG: Final = ROOT / "tests/data/logs/nj-minibaccarat.format-2.jsonl.gz"
MADE: Final = {"program": "croupier", "version": "0"}
NAME, NUMBER, NOTE = Figure("name", "Name"), Figure("n", "Number", "count"), Figure("note", "Note")


def commands(command: click.Command) -> Iterator[click.Command]:
    yield command
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            below = command.resolve_command(context, [name])[1]
            assert below is not None
            yield from commands(below)


def test_every_report_in_pdf_is_on_the_paper_that_is_asked_for() -> None:
    printing = [
        {option.name for option in command.params}
        for command in commands(main)
        if any("pdf" in getattr(option.type, "choices", ()) for option in command.params)
    ]
    assert len(printing) > 20
    assert [options for options in printing if "paper" not in options] == []


@pytest.mark.parametrize(("paper", "box"), [("a4", (595, 842)), ("letter", (612, 792))])
def test_a_comparison_is_on_that_paper(paper: str, box: tuple[int, int], tmp_path: Path) -> None:
    out = tmp_path / "compared.pdf"
    told_with(0, "par", "compare", PLAIN, PLAIN, "-o", out, "--paper", paper)
    found = out.read_bytes().partition(b"/MediaBox")[2][:60]
    sizes = [round(float(one)) for one in found.strip(b" [").partition(b"]")[0].split()]
    assert tuple(sizes[2:]) == box


def test_a_column_that_is_blank_in_every_row_is_left_out() -> None:
    columns = (NAME, NUMBER, NOTE, Figure("signed", "Signed", decoration=True))
    table = DataTable(columns, [("a", 1, "", None), ("b", None, None, "")])
    tree = document("Title", MADE, Section("Part", [table]), about="about")
    text = written(tree, "text").decode()
    assert "Name  Number  Signed" in text
    assert written(tree, "csv").decode().startswith("part,name,n,note,signed")


def test_a_change_of_nothing_has_no_sign() -> None:
    change = Figure("change", "Change", "percent", signed=True)
    gain = Figure("gain", "Gain", "number", 2, signed=True)
    assert (shown(change, 0), shown(gain, 0), shown(gain, 1)) == ("0.0000%", "0.00", "+1.00")
    sheet = told_with(0, "par", "compare", PLAIN, PLAIN).stdout
    assert "House edges that differ: 0 of 8." in sheet
    assert "+0.0000%" not in sheet
    assert "Cause" not in sheet


def test_one_bar_is_not_drawn() -> None:
    table = DataTable((NAME, NUMBER), [("a", 1)], drawn=[Drawn(["n"])])
    assert charts_of(table) == []
    assert len(charts_of(DataTable((NAME, NUMBER), [("a", 1), ("b", 2)], drawn=table.drawn))) == 1


def test_a_sentence_stays_with_the_table_below_it() -> None:
    table = DataTable((NAME,), [("a",)])
    nodes = _nodes([Note("Meaning.", "meaning"), table, Note("After.")], [0])
    assert [node.get("sticky") for node in nodes] == [True, False, None]


def test_tables_that_differ_in_blank_columns_share_a_page_of_the_workbook(tmp_path: Path) -> None:
    vendor, out = tmp_path / "vendor.csv", tmp_path / "checked.xlsx"
    vendor.write_text("wager,outcome,pays\nbanker,win,19:20\ntie,win,9:1\n", encoding="utf-8")
    told_with(1, "par", "check", vendor, "--submission", PLAIN, "-o", out)
    rows = CalamineWorkbook.from_path(str(out)).get_sheet_by_name("Figures").to_python()
    assert rows[0][0] == "Wager"
    assert [row[0] for row in rows[1:] if row[0]] == ["Banker", "Tie"]


def test_each_table_of_rounds_has_a_page_of_the_workbook(tmp_path: Path) -> None:
    for words_, pages in (
        (("rounds", LOG, "--wager", "bonus_player"), ["Rounds", "Irregularities", "Wagers"]),
        (("irregularities", LOG), ["By dealer", "Entries"]),
        (("decks", LOG), ["Sets", "Life"]),
    ):
        out = tmp_path / f"{words_[0]}.xlsx"
        told_with(0, *words_, "-o", out)
        assert CalamineWorkbook.from_path(str(out)).sheet_names == ["Report", *pages]


def test_wagers_and_packages_are_shown_by_title() -> None:
    found = told_with(0, "rounds", LOG, "--wager", "bonus_player").stdout
    assert re.search(r" Player bonus +\$", found)
    assert "bonus_player" not in found.partition("Provenance")[0]
    swept = told_with(0, "par", "sweep", LAW[1]).stdout.partition("Provenance")[0]
    assert "Player bonus" in swept
    assert "total_cards_waiver" not in swept
    assert "bonus_player" not in swept
    ticket = ("--ticket", "player=25,bonus_player=5")
    assert "Bonus player" not in told_with(0, "par", "--submission", PLAIN, *ticket).stdout
    design = told_with(0, "design", LUCKY_6, *LAW, "--edge", "10%..20%").stdout
    assert design.startswith("Design: Lucky 6\n")
    assert "lucky_6" not in design
    assert words("two_cards") == "Two cards"


def test_the_clauses_of_a_wager_are_listed_once_for_all_numbers_of_decks() -> None:
    data = json.loads(told_with(0, "par", "sweep", LAW[1], "--format", "json").stdout)
    tie = [one["cites"] for one in data["figures"] if one["wager"] == "tie"]
    assert len(tie) == 3
    text = told_with(0, "par", "sweep", LAW[1], "--wager", "tie").stdout
    assert all(text.count(clause) == 1 for clause in tie[0])


def test_a_design_without_a_pay_table_says_what_to_do() -> None:
    text = told_with(0, "design", LUCKY_6, *LAW, "--edge", "1%..2%").stdout
    assert "No pay table is within the bounds. Widen --edge, or vary" in text
    assert "Vulnerability" not in text


def test_the_annex_names_a_fraction_once() -> None:
    exact = Figure("p", "Probability, exactly", "word", exact=True)
    tree = document("T", MADE, DataTable((NAME, exact), [("win", "1/3")]), about="about")
    annex = with_annex(tree).nodes[-1]
    assert isinstance(annex, Section)
    (fractions,) = annex.nodes
    assert isinstance(fractions, DataTable)
    assert fractions.rows == [("T", "win: Probability", "1/3")]


def test_one_thing_is_not_several(tmp_path: Path) -> None:
    names = tmp_path / "pat.names"
    told_with(0, "names", "new", names)
    assert told_with(0, "names", "list", names).stdout == "0 names, 0 erased\n"
    served = croupier(
        "serve", PLAIN, "--store", tmp_path / "s.sqlite", "--notified", NOTIFIED, "--check"
    ).output
    assert "No faults: 1 submission can be served" in served
    paper = ("drill", "paper", "--submission", PLAIN, "--questions", "1")
    assert told_with(0, *paper, "-o", tmp_path / "p.json").output.startswith("1 question: ")
