"""Spreadsheets and pipes hold the same rounds as a CSV file, and are judged alike."""

import csv
import gzip
import os
import subprocess
import threading
import zipfile
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Final

import pytest
import xlsxwriter  # type: ignore[import-untyped]  # it has no types
from click.testing import CliRunner

from croupier.cli import main
from croupier.files.errors import FileError
from croupier.files.workbooks import sheet_rows
from croupier.records.rounds import sampling
from croupier.records.rounds.mapping import mapping_of
from croupier.rules import read_submission, table_rules
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import VerificationReport
from support.external_rounds import House, csv_lines, shoes
from support.project import ROOT

NJ = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))
FIVE = ("player", "banker", "tie", "bonus_player", "bonus_banker")
TABLE = ("--submission", str(ROOT / "submissions" / "nj-minibaccarat.toml"))
RIGHT = ROOT / "docs" / "examples" / "rounds" / "right.csv"


def rows() -> list[list[str]]:
    return list(
        csv.reader(csv_lines(list(shoes(House(FIVE), 2, 7, stakes=range(2500, 9000, 500))), FIVE))
    )


def workbook(path: Path, *sheets: tuple[str, Sequence[Sequence[object]]]) -> Path:
    with xlsxwriter.Workbook(path) as book:
        for name, cells in sheets:
            sheet = book.add_worksheet(name)
            for at, row in enumerate(cells):
                for place, cell in enumerate(row):
                    try:
                        sheet.write(at, place, float(str(cell)))
                    except ValueError:
                        sheet.write(at, place, cell)
    return path


def same(one: VerificationReport, other: VerificationReport) -> None:
    assert one.as_data() == other.as_data()


def test_a_spreadsheet_is_judged_as_its_csv_is(tmp_path: Path) -> None:
    cells = rows()
    cells[30][-1] = "12.34"
    cells[50][4] = "tie" if cells[50][4] != "tie" else "player"
    plain = tmp_path / "r.csv"
    plain.write_text("\n".join(map(",".join, cells)))
    sheet = workbook(tmp_path / "r.xlsx", ("Rounds", cells), ("Empty", []))
    found = verify_file(sheet, NJ)
    assert not found.is_clean
    same(found, verify_file(plain, NJ))


def test_of_several_sheets_one_is_named(tmp_path: Path) -> None:
    sheet = workbook(tmp_path / "r.xlsx", ("Notes", [["from", "us"]]), ("Rounds", rows()))
    with pytest.raises(FileError, match="several sheets have cells, Notes, Rounds"):
        verify_file(sheet, NJ)
    assert verify_file(sheet, NJ, mapping_of({"file": {"sheet": "Rounds"}})).is_clean
    with pytest.raises(FileError, match="no sheet 'Round'"):
        verify_file(sheet, NJ, mapping_of({"file": {"sheet": "Round"}}))


def test_a_number_that_a_spreadsheet_does_not_hold_is_not_read(tmp_path: Path) -> None:
    cells = rows()[:3]
    cells[1][-1] = str(2**53)
    report = verify_file(workbook(tmp_path / "r.xlsx", ("Rounds", cells)), NJ)
    assert [(one.kind, one.line) for one in report.divergences] == [("format", 2)]
    assert "inexact" in report.divergences[0].message


def test_a_spreadsheet_that_expands_without_end_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("[Content_Types].xml", "")
        for number in range(10_001):
            archive.writestr(f"xl/{number}", "")
    with pytest.raises(FileError, match="expands"):
        verify_file(path, NJ)


def sheet_of(path: Path, xml: bytes, *, stored: int | None = None) -> Path:
    """Write a workbook whose only sheet has this XML; ``stored`` lies about its size."""
    good = workbook(path.with_name("good.xlsx"), ("Rounds", rows()))
    with zipfile.ZipFile(good) as source, zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as to:
        for name in source.namelist():
            to.writestr(name, xml if name.endswith("sheet1.xml") else source.read(name))
    if stored is not None:
        raw = path.read_bytes()
        size = len(xml).to_bytes(4, "little")
        assert size in raw
        path.write_bytes(raw.replace(size, stored.to_bytes(4, "little")))
    return path


MAIN: Final = b'xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
FAR: Final = {
    "last cell": b'<row r="1"><c r="A1"><v>1</v></c></row>'
    b'<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>',
    "beyond a sheet": b'<row r="1"><c r="ZZZZZZ99999999999"><v>1</v></c></row>',
    "single quotes": b"<row r='1'><c r = 'A1'><v>1</v></c><c r = 'xfd99999'><v>1</v></c></row>",
    "a row of its own": b'<row r="9999999999"><c><v>1</v></c></row>',
    # The reference lies over the border between two pieces that are read.
    "two pieces": b" " * ((1 << 20) - 130) + b'<row><c r="XFD1048576"><v>1</v></c></row>',
}


@pytest.mark.parametrize("cells", FAR.values(), ids=FAR)
@pytest.mark.parametrize(
    "words", [("verify",), ("map",), ("par", "check")], ids=lambda one: one[-1]
)
def test_a_cell_far_from_the_others_does_not_take_the_memory(
    tmp_path: Path, words: tuple[str, ...], cells: bytes
) -> None:
    xml = b"<worksheet %b><sheetData>%b</sheetData></worksheet>" % (MAIN, cells)
    path = sheet_of(tmp_path / "far.xlsx", xml)
    done = CliRunner().invoke(main, [*words, str(path), *TABLE])
    assert done.exit_code == 2
    assert "a cell too far from the others" in done.stderr


@pytest.mark.parametrize("words", [("verify",), ("par", "check")], ids=lambda one: one[-1])
def test_a_sheet_that_expands_a_thousand_times_is_refused_unread(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    path = sheet_of(tmp_path / "bomb.xlsx", b"<row>" + b" " * (65 << 20))
    done = CliRunner().invoke(main, [*words, str(path), *TABLE])
    assert done.exit_code == 2
    assert "expands" in done.stderr


@pytest.mark.parametrize("words", [("verify",), ("par", "check")], ids=lambda one: one[-1])
def test_a_sheet_that_lies_about_its_size_is_refused(
    tmp_path: Path, words: tuple[str, ...]
) -> None:
    xml = b"<worksheet %b>%b</worksheet>" % (MAIN, FAR["last cell"] + b" " * 100_000)
    path = sheet_of(tmp_path / "lies.xlsx", xml, stored=100)
    done = CliRunner().invoke(main, [*words, str(path), *TABLE])
    assert done.exit_code == 2
    assert "cannot be read" in done.stderr


def packed_otherwise(path: Path) -> None:
    """Pack the sheet by LZMA, and damage it."""
    with zipfile.ZipFile(path, "w", zipfile.ZIP_LZMA) as archive:
        for name in ("[Content_Types].xml", "xl/worksheets/sheet1.xml"):
            archive.writestr(name, "<c r='A1'/>" * 500)
    raw = path.read_bytes()
    at = raw.rindex(b"sheet1.xml", 0, raw.index(b"PK\x01\x02")) + 30
    path.write_bytes(raw[:at] + bytes(20) + raw[at + 20 :])


def of_a_later_version(path: Path) -> None:
    raw = bytearray(workbook(path, ("Rounds", rows())).read_bytes())
    raw[raw.index(b"PK\x01\x02") + 6] = 200
    path.write_bytes(raw)


def of_a_damaged_list(path: Path) -> None:
    raw = workbook(path, ("Rounds", rows())).read_bytes()
    path.write_bytes(raw.replace(b"PK\x01\x02", b"PK\x01\x09", 1))


@pytest.mark.parametrize("damage", [packed_otherwise, of_a_later_version, of_a_damaged_list])
@pytest.mark.parametrize(
    "words", [("verify",), ("map",), ("par", "check")], ids=lambda one: one[-1]
)
def test_a_workbook_that_no_program_writes_is_refused(
    tmp_path: Path, words: tuple[str, ...], damage: Callable[[Path], None]
) -> None:
    damage(path := tmp_path / "damaged.xlsx")
    done = CliRunner().invoke(main, [*words, str(path), *TABLE])
    assert (done.exit_code, done.stdout) == (2, "")
    assert "damaged.xlsx" in done.stderr


def test_a_sheet_with_ended_lines_of_an_old_mac_is_read(tmp_path: Path) -> None:
    path = tmp_path / "vendor.csv"
    path.write_bytes(b"Wager,Outcome,Pays\rPlayer,win,1:1\r")
    done = CliRunner().invoke(main, ["par", "check", str(path), *TABLE])
    assert done.exit_code == 0, done.output


def test_a_zip_that_is_no_spreadsheet_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "r.zip"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("r.csv", "player,banker")
    with pytest.raises(FileError, match="ZIP archive"):
        verify_file(path, NJ)
    path = tmp_path / "broken.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        archive.writestr("xl/workbook.xml", "<workbook")
    with pytest.raises(FileError, match="spreadsheet cannot be read"):
        verify_file(path, NJ)


def croupier(*arguments: str, given: bytes = b"") -> subprocess.CompletedProcess[bytes]:
    program = ROOT / ".venv" / "bin" / "croupier"
    return subprocess.run(  # noqa: S603  (our own program)
        [program, *arguments], input=given, capture_output=True, check=False, cwd=ROOT
    )


@pytest.mark.parametrize("packed", [False, True])
def test_rounds_come_by_standard_input(packed: bool) -> None:  # noqa: FBT001
    data = RIGHT.read_bytes()
    done = croupier("verify", "-", *TABLE, given=gzip.compress(data) if packed else data)
    assert done.returncode == 0, done.stderr
    assert b"Checked 6 rounds" in done.stdout


def test_rounds_come_by_a_named_pipe(tmp_path: Path) -> None:
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    writer = threading.Thread(target=lambda: pipe.write_bytes(RIGHT.read_bytes()))
    writer.start()
    done = croupier("audit", str(pipe), *TABLE)
    writer.join()
    assert done.returncode == 0, done.stderr


def test_nothing_by_standard_input_is_refused() -> None:
    done = croupier("verify", "-", *TABLE)
    assert done.returncode == 2
    assert b"the file is empty" in done.stderr


def test_map_reads_a_sheet_once_however_far_down_its_header_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A sheet of a million rows was read once for each line that could be its header."""
    read = list[str | None]()

    def counted(path: Path, name: str | None = None) -> Iterator[list[str]]:
        read.append(name)
        return sheet_rows(path, name)

    monkeypatch.setattr(sampling, "sheet_rows", counted)
    titles: list[Sequence[object]] = [["Rounds of a day"], [], ["Pit 1"], ["Table MB-1"]]
    path = workbook(tmp_path / "vendor.xlsx", ("Rounds", [*titles, *rows()]))
    done = CliRunner().invoke(main, ["map", str(path), *TABLE])
    assert done.exit_code == 0, done.output
    assert "header = 5" in done.stdout
    assert len(read) == 1
