"""No type of a PDF is smaller than 8 points, on A4 and on Letter: drawings, roads, and charts."""

from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.reports.audit import _road
from croupier.reports.charts import Bar
from croupier.reports.felt.plan import Lying
from croupier.reports.formats.typst import pdf
from croupier.reports.rounds import _picture
from croupier.reports.tree import Chart, FactItem, FactList, Figure, Node, Tree
from support.drawings import SHOE, crowded, road, seated, tables
from support.printed import pages_of, type_of
from support.project import ROOT
from support.volume import volume

LEAST: Final = 8
PAPERS: Final = ("a4", "letter")


def smallest(nodes: list[Node], paper: str, folder: Path) -> dict[str, float]:
    """Return the words of nodes that are printed too small."""
    words = type_of(pdf(Tree("Title", "", nodes, {}), paper), folder)
    assert len(words) > 4
    return {word: points for word, points in words.items() if points < LEAST}


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("seats", range(1, 15))
def test_a_layout_of_any_number_of_seats(seats: int, paper: str, tmp_path: Path) -> None:
    shares = volume(4, 9, most=1)
    # A number of seats meets a part of the tables, another one on the other paper.
    for name, rules in tables()[(seats + 2 * PAPERS.index(paper)) % shares :: shares]:
        felt = seated(rules, seats, "clockwise")
        assert smallest([_picture(felt, crowded(felt), "Round 1")], paper, tmp_path) == {}, name


def test_every_seat_is_in_one_part_of_a_printed_layout(tmp_path: Path) -> None:
    felt = seated(dict(tables())["nj-punto-banco"], 14, "counterclockwise")
    names = {seat: f"Patron-{seat}" for seat in felt["seats"]}
    node = _picture(felt, Lying(player=("9h", "Tc"), names=names), "Round 1")
    words = type_of(pdf(Tree("Title", "", [node], {})), tmp_path)
    assert {*names.values()} < {*words}
    parts = node.draw("Libertinus Serif", "paper")
    assert [part.count("Patron-") for part in parts] == [7, 7]
    assert [part.count("Discards") for part in parts] == [0, 1]
    # On a screen it is whole.
    (whole,) = node.draw("system-ui", "screen")
    assert whole.count("Patron-") == 14


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize(
    "shoe",
    ["TTP", SHOE, SHOE * 3, (SHOE * 4)[:240], (SHOE * 8)[:500], "PB" * 250, "P" * 240],
    ids=["short", "whole", "long", "240", "500", "chops", "dragon"],
)
def test_the_roads_of_a_shoe(shoe: str, paper: str, tmp_path: Path) -> None:
    board = {
        "shoe": "1", "rounds": len(shoe), "rounds_shown": len(shoe), "rounds_without_result": 0,
        "divergences": 1, "found": [2], "roads": road(shoe, player_pair=True, natural=True),
    }  # fmt: skip
    assert smallest([_road(board, 1)], paper, tmp_path) == {}


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("many", [1, 2, 3, 5])
def test_charts_next_to_each_other(many: int, paper: str, tmp_path: Path) -> None:
    bars = [Bar(f"Wager {at}", Fraction(at), f"{at}.00%") for at in range(1, 9)]
    charts: list[Node] = [Chart(f"Chart {at}", bars) for at in range(many)]
    assert smallest(charts, paper, tmp_path) == {}


def test_two_short_facts_share_a_row_and_a_longer_one_has_its_own(tmp_path: Path) -> None:
    told = {"First": "1", "Second": "2", "Third": "3", "Fourth": "word " * 12, "Fifth": "5"}
    facts = FactList([FactItem(Figure(name, name, "text"), value) for name, value in told.items()])
    (page, _) = pages_of(pdf(Tree("Title", "", [facts], {})), tmp_path)
    rows = [line.split() for line in page.splitlines() if line.strip()]
    assert ["First", "1", "Second", "2"] in rows
    assert ["Third", "3"] in rows
    assert ["Fourth", *["word"] * 12] in rows
    assert ["Fifth", "5"] in rows


TABLE: Final = str(ROOT / "submissions" / "nj-minibaccarat.toml")
OTHER: Final = str(ROOT / "submissions" / "ma-ez.toml")
ROUNDS: Final = str(ROOT / "docs" / "examples" / "audited-rounds.csv")
ON_PAPER: Final = {
    "par": ["par", "--submission", TABLE, "-o"],
    "audit": ["audit", ROUNDS, "--submission", TABLE, "-o"],
    "round": [
        "explain", ROUNDS, "--submission", TABLE, "--shoe", "7", "--round", "8", "--report",
    ],
    "dossier": ["check", TABLE, "--report"],
    "questions": ["drill", "paper", "--submission", TABLE, "--seed", "7", "-o"],
}  # fmt: skip
ON_A4: Final = {
    "comparison": ["par", "compare", TABLE, OTHER, "-o"],
    "laws": ["law", "diff", "us-nj/minibaccarat@2011-02-22", "us-ma/minibaccarat@2026-11-20", "-o"],
}


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("name", ON_PAPER)
def test_a_document(name: str, paper: str, tmp_path: Path) -> None:
    hold_type([*ON_PAPER[name], str(tmp_path / "report.pdf"), "--paper", paper], tmp_path)


@pytest.mark.parametrize("name", ON_A4)
def test_a_document_that_is_always_on_a4(name: str, tmp_path: Path) -> None:
    hold_type([*ON_A4[name], str(tmp_path / "report.pdf")], tmp_path)


def hold_type(words: list[str], folder: Path) -> None:
    done = CliRunner().invoke(main, words)
    assert done.exit_code in {0, 1}, done.stderr
    printed = type_of((folder / "report.pdf").read_bytes(), folder)
    assert {word: points for word, points in printed.items() if points < LEAST} == {}
