"""A sheet in every form: whole, the same each time, and safe whatever its texts say."""

import copy
import csv
import io
import json
import re
import zipfile
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest

from croupier.reports.figures import percent
from croupier.reports.formats import written as rendered
from croupier.reports.formats.text import text as as_text
from croupier.reports.par import par_tree
from croupier.reports.tree import Chart, DataTable, Section, shown, walk
from support.html_pages import Page
from support.volume import spread

EXAMPLE = Path(__file__).parents[1] / "data" / "par_example.json"

RISKY = (
    '=HYPERLINK("http://x.example")<script src=x>&amp;]]> #panic() $a$ "q" [red]b[/red] \x1b[2J\x00'
)
"""A text that is a formula, markup of four kinds and a terminal's command at once."""

FORMS = ("text", "csv", "html", "xlsx", "pdf")

SHEET_XML = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


@pytest.fixture
def sheet() -> dict[str, Any]:
    data: dict[str, Any] = json.loads(EXAMPLE.read_text(encoding="utf-8"))
    return data


@pytest.fixture
def risky(sheet: dict[str, Any]) -> dict[str, Any]:
    """A sheet with the risky text wherever a text stands."""
    for name in ("law", "law_title", "in_force_from", "title", "rules_hash", "scheme", "reproduce"):
        sheet[name] = RISKY
    sheet["warnings"] = [RISKY]
    sheet["readings"] = sheet["reading_texts"] = sheet["clauses"] = {RISKY: RISKY}
    sheet["drawing"] |= {"says": [RISKY], "cites": [RISKY]}
    sheet["shoe"]["by_rank"] = {RISKY: 4, "2": 5}
    wager, package = sheet["wagers"][1], sheet["packages"][0]
    for name in ("id", "title", "scheme"):
        wager[name] = RISKY
    wager["lines"][0] |= {"outcome": RISKY, "pays": RISKY}
    wager["cites"] = wager["interpretations"] = wager["definition"] = [RISKY]
    package |= {"id": RISKY, "title": RISKY, "says": RISKY, "cites": [RISKY]}
    package["of"] = package["columns"][0]["title"] = package["rows"][0]["title"] = RISKY
    return sheet


def written(sheet: dict[str, Any], form: str, paper: str = "a4") -> bytes:
    return rendered(par_tree(sheet), form, paper)


def printed(sheet: dict[str, Any], width: int) -> str:
    return as_text(par_tree(sheet), width)


def tables(sheet: dict[str, Any], page: str) -> list[DataTable]:
    nodes = [node for _, node in walk(par_tree(sheet).nodes)]
    return [node for node in nodes if isinstance(node, DataTable) and node.page == page]


def rows_of_csv(sheet: dict[str, Any]) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(written(sheet, "csv").decode("utf-8"))))


class Workbook:
    """A workbook read back with the standard library: the cells of each sheet by their address."""

    def __init__(self, content: bytes) -> None:
        self.file = zipfile.ZipFile(io.BytesIO(content))
        shared = [
            "".join(part.text or "" for part in one.iter(f"{SHEET_XML}t"))
            for one in self._read("xl/sharedStrings.xml").iter(f"{SHEET_XML}si")
        ]
        names = [
            one.attrib["name"] for one in self._read("xl/workbook.xml").iter(f"{SHEET_XML}sheet")
        ]
        self.sheets = {
            name: self._cells(self._read(f"xl/worksheets/sheet{number}.xml"), shared)
            for number, name in enumerate(names, 1)
        }

    def _read(self, name: str) -> ET.Element:
        return ET.fromstring(self.file.read(name))  # noqa: S314  (we made it)

    @staticmethod
    def _cells(sheet: ET.Element, shared: list[str]) -> dict[str, str | float]:
        cells: dict[str, str | float] = {}
        for one in sheet.iter(f"{SHEET_XML}c"):
            value = one.find(f"{SHEET_XML}v")
            if value is not None and value.text is not None:
                kind, text = one.attrib.get("t"), value.text
                if kind == "str":
                    cells[one.attrib["r"]] = text
                else:
                    cells[one.attrib["r"]] = shared[int(text)] if kind == "s" else float(text)
        return cells


def lines(sheet: dict[str, Any]) -> Iterator[tuple[dict[str, Any], dict[str, Any]]]:
    for wager in sheet["wagers"]:
        for line in wager["lines"]:
            yield wager, line


# Every form.


@pytest.mark.parametrize("form", FORMS)
def test_the_same_data_give_the_same_bytes(form: str, sheet: dict[str, Any]) -> None:
    before = copy.deepcopy(sheet)
    assert written(sheet, form) == written(copy.deepcopy(sheet), form)
    assert sheet == before


@pytest.mark.parametrize("form", FORMS)
def test_a_sheet_without_packages_warnings_and_readings_is_a_sheet(
    form: str, sheet: dict[str, Any]
) -> None:
    sheet |= {"packages": [], "warnings": [], "readings": {}, "reproduce": "", "drawing": None}
    sheet |= {"clauses": {}, "reading_texts": {}}
    sheet["wagers"] = sheet["wagers"][:1]
    sheet["wagers"][0] |= {
        "min_cents": None,
        "max_cents": None,
        "max_win_cents": None,
        "cites": [],
    }
    assert written(sheet, form)


@pytest.mark.parametrize("form", FORMS)
def test_any_text_can_stand_in_a_sheet(form: str, risky: dict[str, Any]) -> None:
    assert written(risky, form)


def test_a_form_that_is_not_known_is_refused(sheet: dict[str, Any]) -> None:
    with pytest.raises(KeyError):
        written(sheet, "docx")


# What the tables come to.


def test_the_lines_of_a_wager_come_to_everything_and_to_its_edge(sheet: dict[str, Any]) -> None:
    for wager, table in zip(sheet["wagers"], tables(sheet, "Lines"), strict=True):
        foot = {one.id: value for one, value in zip(table.columns, table.foot, strict=True)}
        assert foot["ways"] == str(sum(int(line["ways"]) for line in wager["lines"]))
        assert foot["probability"] == 1
        edge = -sum(Fraction(line["contribution"]) for line in wager["lines"])
        assert edge == Fraction(wager["house_edge"])
        assert foot["contribution"] == -edge


def test_the_summary_has_a_row_for_each_wager_and_its_edge_as_the_sheet_has_it(
    sheet: dict[str, Any],
) -> None:
    (table,) = tables(sheet, "Summary")
    assert [row[0] for row in table.rows] == [wager["title"] for wager in sheet["wagers"]]
    assert [shown(table.columns[1], row[1]) for row in table.rows] == [  # type: ignore[arg-type]  # no cell of its own
        f"{wager['house_edge_percent']:.4f}%" for wager in sheet["wagers"]
    ]


def test_a_push_of_which_the_house_takes_a_part_is_no_win(sheet: dict[str, Any]) -> None:
    def kinds() -> list[str]:
        nodes = par_tree(sheet).nodes
        wager = next(
            one
            for _, one in walk(nodes)
            if isinstance(one, Section) and one.title == sheet["wagers"][0]["title"]
        )
        chart = next(one for one in wager.nodes if isinstance(one, Chart))
        return [part.kind for part in chart.items]  # type: ignore[union-attr]  # segments

    lines = sheet["wagers"][0]["lines"]
    lines[1] |= {"pays": "takes 1/4", "contribution": "-619306544887/26033324351580"}
    before = kinds()
    lines[1]["pays"] = "push"
    assert kinds() == before == ["win", "push", "loses"]


# Text.


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_of_text_is_wider_than_the_terminal_or_ends_in_blanks(
    width: int, sheet: dict[str, Any]
) -> None:
    for line in printed(sheet, width).splitlines():
        assert len(line) <= width
        assert line == line.rstrip()


@pytest.mark.parametrize("width", [80, 120])
def test_text_has_every_line_of_every_wager(width: int, sheet: dict[str, Any]) -> None:
    text = printed(sheet, width)
    for wager, line in lines(sheet):
        assert wager["title"] in text
        row = next(one for one in text.splitlines() if f"{int(line['ways']):,}" in one)
        assert row
        assert percent(Fraction(line["probability"])) in text


def test_text_tells_all_wagers_before_the_lines_of_any(sheet: dict[str, Any]) -> None:
    text = printed(sheet, 80)
    assert text.index("All wagers") < text.index("Outcome")
    assert text.index("WARNING") < text.index("All wagers")


def test_no_column_is_lost_where_there_is_no_room(sheet: dict[str, Any]) -> None:
    """A table that is too wide goes on below; only the same figure as a fraction needs room."""
    for width in (60, 80, 120):
        for column in ("Min", "Max bet", "Max win", "Volatility"):
            assert column in printed(sheet, width), (width, column)
    assert "8712962041376/19524993263685" in printed(sheet, 120)


def test_text_of_a_sheet_neither_steers_a_terminal_nor_is_markup(risky: dict[str, Any]) -> None:
    text = printed(risky, 200)
    assert "\x1b" not in text
    assert "\x00" not in text
    assert "[red]b[/red]" in text


# CSV.


def rows_of(sheet: dict[str, Any], part: str) -> list[dict[str, str]]:
    return [row for row in rows_of_csv(sheet) if row["part"] == part]


def test_csv_has_a_row_for_each_line_and_its_columns_in_their_order(sheet: dict[str, Any]) -> None:
    head = written(sheet, "csv").decode().splitlines()[0].split(",")
    assert (head[0], head[-1]) == ("part", "reproduce")
    rows = [row for row in rows_of(sheet, "Lines") if row["wager"]]
    assert [(row["wager"], row["outcome"]) for row in rows] == [
        (wager["id"], line["outcome"].replace("_", " ")) for wager, line in lines(sheet)
    ]


def test_csv_has_exact_figures_and_their_decimals(sheet: dict[str, Any]) -> None:
    rows = [row for row in rows_of(sheet, "Lines") if row["wager"]]
    for row, (_, line) in zip(rows, lines(sheet), strict=True):
        assert row["ways"] == line["ways"]
        for name in ("probability", "contribution"):
            assert Fraction(row[name]) == Fraction(line[name])
            assert abs(Fraction(row[f"{name}_decimal"]) - Fraction(line[name])) < Fraction(
                1, 10**12
            )
    for row, wager in zip(rows_of(sheet, "Summary"), sheet["wagers"], strict=True):
        assert row["wager"] == wager["id"]
        for name in ("house_edge", "hit_frequency", "variance"):
            assert row[name] == wager[name]
        for limit in ("min_cents", "max_cents"):
            assert int(row[limit]) == wager[limit]


def test_csv_says_where_there_is_no_limit(sheet: dict[str, Any]) -> None:
    sheet["wagers"][0] |= {"min_cents": None, "max_cents": None, "max_win_cents": None}
    row = rows_of(sheet, "Summary")[0]
    assert (row["min_cents"], row["max_cents"], row["max_win_cents"]) == ("none", "none", "none")


def test_no_cell_of_csv_is_a_formula(risky: dict[str, Any]) -> None:
    for row in rows_of_csv(risky):
        for cell in row.values():
            assert not cell.startswith(("=", "+", "@", "\t", "\r"))
            assert not cell.startswith("-") or re.fullmatch(r"-[\d./]+", cell)


# HTML.


def test_the_page_fetches_nothing_and_runs_nothing(sheet: dict[str, Any]) -> None:
    text = written(sheet, "html").decode()
    page = Page(text)
    assert not {"script", "link", "img", "iframe", "object"} & {tag for tag, _ in page.elements}
    for _, attributes in page.elements:
        assert not {"src", "srcset", "onload", "onclick", "style"} & attributes.keys()
        assert (attributes.get("href") or "#").startswith("#")
    assert "url(" not in text
    assert "@import" not in text


def test_the_page_has_a_table_and_two_charts_for_each_wager(sheet: dict[str, Any]) -> None:
    page = Page(written(sheet, "html").decode())
    wagers, packages = len(sheet["wagers"]), len(sheet["packages"])
    rounded = sum(bool(wager["rounding"]) for wager in sheet["wagers"])
    assert len(page.all("svg")) == 1 + 2 * wagers
    assert len(page.all("table")) == len(page.all("caption")) == 5 + wagers + rounded + packages
    for wager, line in lines(sheet):
        assert wager["title"] in page.words
        assert f"{int(line['ways']):,}" in page.words


def test_the_page_can_be_walked_without_sight(sheet: dict[str, Any]) -> None:
    page = Page(written(sheet, "html").decode())
    ids = [one["id"] for _, one in page.elements if "id" in one]
    assert len(ids) == len(set(ids))
    for _, attributes in page.elements:
        for name in ("aria-labelledby", "aria-describedby"):
            assert name not in attributes or attributes[name] in ids
        href = attributes.get("href")
        assert href is None or href.removeprefix("#") in ids
    assert all(one.get("scope") in {"row", "col"} for one in page.all("th"))
    assert page.all("html") == [{"lang": "en-US"}]
    assert len(page.all("h1")) == 1


def test_no_text_of_a_sheet_becomes_an_element(risky: dict[str, Any]) -> None:
    text = written(risky, "html").decode()
    page = Page(text)
    assert page.all("script") == []
    assert "<script" not in text
    assert "\x1b" not in text
    assert any('=HYPERLINK("http://x.example")<script src=x>&amp;' in word for word in page.words)


def test_csv_has_every_figure_of_every_package(sheet: dict[str, Any]) -> None:
    rows = rows_of(sheet, "Packages")
    assert len(rows) == sum(len(package["rows"]) for package in sheet["packages"])
    for package in sheet["packages"]:
        units = {one["id"]: one["unit"] for one in package["columns"]}
        for row, given in zip(
            (one for one in rows if one["package"] == package["id"]), package["rows"], strict=True
        ):
            for name, value in given["figures"].items():
                if units[name] != "square_cents":
                    assert row[name] == (value or "never")


# XLSX.


def test_the_workbook_has_all_its_sheets(sheet: dict[str, Any]) -> None:
    book = Workbook(written(sheet, "xlsx"))
    assert list(book.sheets) == [
        "Report", "Summary", "Lines", "Rounding", "Packages", "Third cards", "Clauses", "Readings",
        "Check",
    ]  # fmt: skip


def test_a_workbook_has_no_empty_sheet(sheet: dict[str, Any]) -> None:
    bare = {
        **sheet,
        "packages": [],
        "wagers": [one | {"rounding": []} for one in sheet["wagers"]],
    }
    bare |= {"drawing": None, "readings": {}, "reading_texts": {}, "clauses": {}}
    for part in bare["wagers"]:
        part |= {"definition": [], "cites": []}
    book = Workbook(written(bare, "xlsx"))
    assert list(book.sheets) == ["Report", "Summary", "Lines", "Check"]


def test_the_workbook_has_what_each_line_is_exactly(sheet: dict[str, Any]) -> None:
    cells = Workbook(written(sheet, "xlsx")).sheets["Lines"]
    rows = [row for row in range(2, 200) if f"M{row}" in cells]
    for row, (wager, line) in zip(rows, lines(sheet), strict=True):
        assert cells[f"A{row}"] == wager["title"]
        assert cells[f"M{row}"] == line["probability"]
        assert cells[f"N{row}"] == line["contribution"]


def test_the_workbook_says_in_words_what_every_wager_is(sheet: dict[str, Any]) -> None:
    cells = Workbook(written(sheet, "xlsx")).sheets
    words, readings = cells["Clauses"], cells["Readings"]
    said = {(words.get(f"A{row}"), words.get(f"B{row}")) for row in range(2, 300)}
    for wager in sheet["wagers"]:
        for clause in wager["cites"]:
            assert (clause, sheet["clauses"][clause]) in said
    assert {readings[f"C{row}"] for row in range(2, 2 + len(sheet["reading_texts"]))} == set(
        sheet["reading_texts"].values()
    )
    assert set(sheet["drawing"]["says"]) <= set(cells["Report"].values())


def test_the_heads_of_the_workbook_stay_in_sight_and_print_on_every_page(
    sheet: dict[str, Any],
) -> None:
    file = Workbook(written(sheet, "xlsx")).file
    text = file.read("xl/worksheets/sheet3.xml").decode()
    assert 'state="frozen"' in text
    assert 'paperSize="9"' in text
    assert "_xlnm.Print_Titles" in file.read("xl/workbook.xml").decode()


def test_a_workbook_and_a_pdf_are_also_for_letter(sheet: dict[str, Any]) -> None:
    text = Workbook(written(sheet, "xlsx", "letter")).file.read("xl/worksheets/sheet3.xml").decode()
    assert 'paperSize="1"' in text
    boxes = {paper: written(sheet, "pdf", paper) for paper in ("a4", "letter")}
    assert b"[0 0 612 792]" in boxes["letter"]
    assert b"[0 0 612 792]" not in boxes["a4"]


def test_no_text_of_a_sheet_becomes_a_formula_or_a_link(risky: dict[str, Any]) -> None:
    file = Workbook(written(risky, "xlsx")).file
    for name in file.namelist():
        content = file.read(name).decode("utf-8", "replace")
        for formula in re.findall(r"<f>([^<]*)</f>", content):
            assert "HYPERLINK" not in formula
            assert "x.example" not in formula
        assert "<hyperlink" not in content, name
    assert not any(name.startswith("xl/externalLinks") for name in file.namelist())


def test_the_workbook_tells_no_time(sheet: dict[str, Any]) -> None:
    file = Workbook(written(sheet, "xlsx")).file
    assert {one.date_time[0] for one in file.infolist()} == {1980}
    stamps = re.findall(r"\d{4}-\d\d-\d\dT", file.read("docProps/core.xml").decode())
    assert set(stamps) == {"2000-01-01T"}


def test_a_text_too_long_for_a_cell_is_cut_and_not_lost(sheet: dict[str, Any]) -> None:
    sheet["warnings"] = ["x" * 40_000]
    cells = Workbook(written(sheet, "xlsx")).sheets["Report"]
    assert max(len(str(cell)) for cell in cells.values()) == 32_767


# PDF.


def test_the_pdf_is_tagged_and_tells_no_time(sheet: dict[str, Any]) -> None:
    content = written(sheet, "pdf")
    assert content.startswith(b"%PDF-1.7")
    assert b"/MarkInfo" in content
    assert b"pdfuaid" in content
    assert b"CreateDate" not in content
    assert b"/CreationDate" not in content


def test_no_text_is_read_as_the_source_of_the_pdf(sheet: dict[str, Any]) -> None:
    # Were it source, the first would end the making, and most of the others be faults of syntax.
    texts = ("#panic()", "#{", "*", "$", '"', "\\", "@missing", "= head", "</svg>")
    for text in spread(texts, 3):
        sheet["title"] = sheet["wagers"][0]["title"] = sheet["packages"][0]["says"] = text
        assert b"pdfuaid" in written(sheet, "pdf")


@pytest.mark.parametrize("title", ["", " ", "\u202e"])
def test_a_sheet_without_a_title_that_can_be_read_is_tagged_still(
    title: str, sheet: dict[str, Any]
) -> None:
    for one in (sheet, sheet["wagers"][0], sheet["packages"][0]):
        one["title"] = title
    assert b"pdfuaid" in written(sheet, "pdf")


def test_letters_that_the_fonts_of_the_pdf_have_not_make_one_that_claims_less(
    sheet: dict[str, Any],
) -> None:
    sheet["title"] = "百家乐"
    content = written(sheet, "pdf")
    assert content.startswith(b"%PDF-1.7")
    assert b"pdfuaid" not in content
