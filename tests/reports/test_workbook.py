"""The workbook is alive: LibreOffice calculates every figure from ways and pays, and it is the exact one."""

import json
import re
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from io import BytesIO
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.odds.par import par_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.reports.formats import written as rendered
from croupier.reports.par import par_tree
from croupier.reports.tree import DataTable, Drawn, Figure, Section, Tree
from croupier.rules import TableRules, read_rules
from support.project import ROOT, SUBMISSIONS
from support.spreadsheet import WRONG, Cells, calculated, cells_of, changed, spoiled
from support.volume import spread

SUMMARY_HEAD: Final = 0
NEAR: Final = Fraction(1, 10**12)
LINES_PAGE: Final = 3
CHARTED: Final = ROOT / "submissions" / "ma-royal-9.toml"

KEYS: Final = {
    "House edge": "house_edge",
    "RTP": "return_to_player",
    "Edge per resolved bet": "edge_per_resolved",
    "Share of resolved bets": "resolved_frequency",
    "Hit frequency": "hit_frequency",
    "Hit cycle (1 in, wagers)": "hit_cycle",
    "Push frequency": "push_frequency",
    "Variance": "variance",
}


def written(sheet: Mapping[str, Any], form: str) -> bytes:
    return rendered(par_tree(sheet), form)


def sheet_of(path: Path, decks: int | None = None) -> dict[str, Any]:
    rules = read_rules(path)
    return plain(rules, rules.decks_per_shoe if decks is None else decks)


def plain(rules: TableRules, decks: int) -> dict[str, Any]:
    sheet: dict[str, Any] = json.loads(
        json.dumps(par_sheet(rules, ShoeComposition.of_decks(decks)))
    )
    return sheet


def near(found: object, exact: Fraction) -> bool:
    """Return whether a cell has a value, to 1e-12 of it or of 1."""
    assert isinstance(found, float), found
    room = max(Fraction(1), abs(exact)) * NEAR
    return abs(Fraction(found) - exact) <= room


def summary(cells: Cells) -> Iterator[dict[str, Any]]:
    page = cells["Summary"]
    for row in page[SUMMARY_HEAD + 1 :]:
        yield dict(zip(map(str, page[SUMMARY_HEAD]), row, strict=True))


def lines(cells: Cells) -> list[Sequence[Any]]:
    return [row for row in cells["Lines"][1:] if row[0] and row[1] != "all"]


def assert_exact(cells: Cells, sheet: Mapping[str, Any]) -> None:
    """Assert that every figure that a spreadsheet has calculated is that of the sheet."""
    for row, wager in zip(summary(cells), sheet["wagers"], strict=True):
        assert row["Wager"] == wager["title"]
        for head, key in KEYS.items():
            assert near(row[head], Fraction(wager[key])), (wager["id"], head, row[head])
        deviation = row["Std. dev."]
        assert isinstance(deviation, float)
        assert near(deviation**2, Fraction(wager["variance"]))
        assert near(row["Volatility index"], Fraction("1.645") * Fraction(deviation))
        assert near(row["Kurtosis"], Fraction(wager["kurtosis"]))
        assert near(row["Skewness"], Fraction(wager["skewness"]))
        if not wager["max_win_meters"] and wager["max_win_cents"] is not None:
            assert row["Max win"] == wager["max_win_cents"] / 100
    found = iter(lines(cells))
    for wager in sheet["wagers"]:
        for line in wager["lines"]:
            cell = next(found)
            assert int(cell[2]) * 10**9 + int(cell[3]) == int(line["ways"])
            assert near(cell[7], Fraction(line["probability"]))
            assert near(cell[8], Fraction(line["contribution"]))
            assert near(cell[9], Fraction(line["cycle"]))
            assert near(cell[11], Fraction(line["variance_share"]))


@pytest.fixture(scope="module")
def sheets() -> dict[str, dict[str, Any]]:
    named = [ROOT / "submissions" / f"{name}.toml" for name in ("ma", "nj-minibaccarat")]
    found = {path.stem: sheet_of(path) for path in {*spread(SUBMISSIONS, 4), *named}}
    # Counts far beyond 2^53, the integers of a spreadsheet.
    found["64 decks"] = sheet_of(ROOT / "submissions" / "nj-minibaccarat.toml", decks=64)
    return found


@pytest.fixture(scope="module")
def books(sheets: dict[str, dict[str, Any]]) -> dict[str, bytes]:
    return {name: written(sheet, "xlsx") for name, sheet in sheets.items()}


@pytest.fixture(scope="module")
def found(
    sheets: dict[str, dict[str, Any]],
    books: dict[str, bytes],
    tmp_path_factory: pytest.TempPathFactory,
) -> dict[str, Cells]:
    """Workbooks that LibreOffice has calculated all at once: it takes longest to begin."""
    # Every stored value is wrong, so whatever comes out right has been calculated.
    given = {name: spoiled(content) for name, content in books.items()}
    given["another pay"] = with_other_pays(sheets["ma"], books["ma"])
    given["another count"] = with_another_count(sheets["64 decks"], books["64 decks"])
    given["charts"] = written(sheet_of(CHARTED), "xlsx")
    return calculated(given, tmp_path_factory.mktemp("found"))


def with_other_pays(sheet: dict[str, Any], book: bytes) -> bytes:
    """Return a workbook in which 8 to 1 is 9 to 1, and 19 to 20 is 24 to 25, as at four percent."""
    tie, banker = (
        2 + sum(len(one["lines"]) + 2 for one in sheet["wagers"][: ids_of(sheet).index(wager)])
        for wager in ("tie", "banker")
    )
    return changed(book, LINES_PAGE, [(f"E{tie}", "9"), (f"E{banker}", "24"), (f"F{banker}", "25")])


def with_another_count(sheet: dict[str, Any], book: bytes) -> bytes:
    """Return a workbook with one way more."""
    rest = int(sheet["wagers"][0]["lines"][0]["ways"]) % 10**9
    return changed(book, LINES_PAGE, [("D2", str(rest + 1))])


def ids_of(sheet: dict[str, Any]) -> list[str]:
    return [wager["id"] for wager in sheet["wagers"]]


# Without a spreadsheet program.


def test_ways_and_pays_are_numbers_and_no_digit_of_a_count_is_lost(
    sheets: dict[str, dict[str, Any]], books: dict[str, bytes]
) -> None:
    wager = sheets["64 decks"]["wagers"][0]
    assert int(sheets["64 decks"]["total_ways"]) > 2**53
    with zipfile.ZipFile(BytesIO(books["64 decks"])) as file:
        page = file.read("xl/worksheets/sheet3.xml").decode()
    for row, line in enumerate(wager["lines"], 2):
        billions, rest = divmod(int(line["ways"]), 10**9)
        assert f'<c r="C{row}"' in page
        assert f'<v>{billions}</v></c><c r="D{row}"' in page
        assert max(billions, rest) < 10**15


def test_a_program_that_does_not_calculate_shows_the_exact_values(
    sheets: dict[str, dict[str, Any]], books: dict[str, bytes], tmp_path: Path
) -> None:
    for name, content in books.items():
        path = tmp_path / "book.xlsx"
        path.write_bytes(content)
        cells = cells_of(path)
        assert_exact(cells, sheets[name])
        assert str(cells["Check"][0][0]).startswith("All ")


# With one.


def test_a_spreadsheet_calculates_every_figure_of_every_sample_exactly(
    sheets: dict[str, dict[str, Any]], found: dict[str, Cells]
) -> None:
    for name, sheet in sheets.items():
        cells = found[name]
        assert_exact(cells, sheet)
        check = cells["Check"]
        figures = len(check) - 3
        # Every figure of a wager but its limits, and its greatest win where that has a bound.
        bounded = sum(isinstance(one["max_win_cents"], int) for one in sheet["wagers"])
        assert figures == 13 * len(sheet["wagers"]) + bounded
        assert {row[5] for row in check[3:]} == {"agrees"}
        assert check[0][0] == cells["Report"][2][0]
        assert check[0][0] == f"All {figures} figures calculated here agree with the exact values"


def test_stored_values_are_kept_by_a_program_that_is_not_told_to_calculate(
    books: dict[str, bytes], tmp_path: Path
) -> None:
    content = spoiled(books["nj-minibaccarat"])
    (cells,) = calculated({"kept": content}, tmp_path, always=False).values()
    assert next(summary(cells))["House edge"] == float(WRONG)


def test_a_changed_pay_moves_the_edge_to_what_par_says_for_it(
    sheets: dict[str, dict[str, Any]], found: dict[str, Cells], tmp_path: Path
) -> None:
    sample = ROOT / "submissions" / "ma.toml"
    text = sample.read_text(encoding="utf-8")
    assert text.count('wagers.tie.pays = "8:1"') == 1
    better = tmp_path / "better.toml"
    better.write_text(
        text.replace('wagers.tie.pays = "8:1"', 'wagers.tie.pays = "9:1"'), encoding="utf-8"
    )
    cells = found["another pay"]
    moved = {str(one["Wager"]): one for one in summary(cells)}
    expected = {one["id"]: one for one in sheet_of(better)["wagers"]}
    for head, key in KEYS.items():
        assert near(moved["Tie"][head], Fraction(expected["tie"][key])), head
    assert moved["Tie"]["Max win"] == expected["tie"]["max_win_cents"] / 100
    # At four percent the edge is less by one hundredth of the stake for each win.
    old = sheets["ma"]["wagers"][ids_of(sheets["ma"]).index("banker")]
    less = Fraction(1, 100) * Fraction(old["hit_frequency"])
    assert near(moved["Banker"]["House edge"], Fraction(old["house_edge"]) - less)
    verdicts = {(one[0], one[1]): one[5] for one in cells["Check"][3:]}
    assert verdicts["Tie", "House edge"] == "differs"
    assert verdicts["Tie", "Hit frequency"] == "agrees"
    assert verdicts["Player", "House edge"] == "agrees"
    assert str(cells["Check"][0][0]).endswith("figures differ from the exact values")


def test_a_changed_count_moves_the_total_and_is_told(
    sheets: dict[str, dict[str, Any]], found: dict[str, Cells]
) -> None:
    wager = sheets["64 decks"]["wagers"][0]
    check = found["another count"]["Check"]
    (ways,) = (row for row in check if row[0] == wager["title"] and str(row[1]).startswith("Ways"))
    assert ways[1:6] == ["Ways in excess of the exact", 1.0, 0.0, 1.0, "differs"]


# --- charts ------------------------------------------------------------------------------------


def parts(book: bytes, beginning: str) -> list[str]:
    with zipfile.ZipFile(BytesIO(book)) as unpacked:
        names = [one for one in unpacked.namelist() if one.startswith(beginning)]
        return [unpacked.read(one).decode() for one in sorted(names) if one.endswith(".xml")]


def test_the_charts_draw_the_cells_of_the_summary_and_have_words(found: dict[str, Cells]) -> None:
    sheet = sheet_of(CHARTED)
    book = written(sheet, "xlsx")
    edges, shares = parts(book, "xl/charts/chart")
    wagers = len(sheet["wagers"])
    last = SUMMARY_HEAD + 1 + wagers
    assert f"<c:f>Summary!$B${SUMMARY_HEAD + 2}:$B${last}</c:f>" in edges
    assert f"<c:f>Summary!$F${SUMMARY_HEAD + 2}:$F${last}</c:f>" in shares
    assert f"<c:f>Summary!$J${SUMMARY_HEAD + 2}:$J${last}</c:f>" in shares
    (drawing,) = parts(book, "xl/drawings/drawing")
    assert 'descr="Bar chart: House edge of each wager"' in drawing
    # A spreadsheet program finds a bar for each wager.
    drawn = [row[1] for row in found["charts"]["Summary"][SUMMARY_HEAD + 1 :]]
    assert len(drawn) == wagers
    assert all(isinstance(one, float) for one in drawn)


def test_a_table_has_a_chart_of_the_column_that_it_draws() -> None:
    columns = (Figure("rank", "Rank"), Figure("effect", "Effect", "percent"))

    def book(*drawn: Drawn) -> bytes:
        table = DataTable(columns, [("A", 0.5)], page="Effects", drawn=drawn)
        return rendered(Tree("A study", "", [Section("Effects", [table])], {}), "xlsx")

    (chart,) = parts(book(Drawn(["effect"])), "xl/charts/chart")
    assert "<c:f>Effects!$B$2</c:f>" in chart
    assert parts(book(), "xl/charts/chart") == []


def test_a_row_is_as_high_as_its_wrapped_words() -> None:
    columns = (Figure("name", "Name"), Figure("hash", "Hash", "word"))
    rows = [("short", "f" * 200), ("word " * 40, "f")]
    table = DataTable(columns, rows, "Words", "Words")
    content = rendered(Tree("T", "", [Section("Words", [table])], {}), "xlsx")
    with zipfile.ZipFile(BytesIO(content)) as book:
        page = book.read("xl/worksheets/sheet2.xml").decode()
    heights = dict(re.findall(r'<row r="(\d+)"[^>]* ht="(\d+)"', page))
    # A head, a short row, whose long word is not wrapped, and 200 characters of 72 a line.
    assert "2" not in heights
    assert heights["3"] == "45"
