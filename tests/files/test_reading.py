"""Every file comes in through one door: bounded, in a known encoding, with the place of each fault."""

import codecs
import gzip
import resource
import subprocess
import sys
import time
from functools import partial
from pathlib import Path

import pytest

from croupier.files.errors import FileError, TornError, near
from croupier.files.lines import MAX_JSON_LINE, blocks_of, line_blocks
from croupier.files.text import (
    MAX_DIGITS,
    MAX_NESTING,
    JsonError,
    encoding_named,
    parse_json,
    read_bytes,
    read_text,
)
from croupier.files.toml import MAX_KEY_PARTS, MAX_TOML_BYTES, parse_toml
from croupier.rules import MalformedSubmissionError, read_rules, read_submission
from support.command_line import croupier
from support.hostile_files import KINDS, attack
from support.project import ROOT

SUBMISSION = ROOT / "submissions" / "nj-minibaccarat.toml"
ROW = "shoe,round,player,banker,winner\n1,1,9c Kd,7h Js,P\n"
HERE = Path("t.toml")


run = partial(croupier)


def written(folder: Path, name: str, data: str | bytes) -> Path:
    path = folder / name
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


def refusal(text: str) -> str:
    began = time.process_time()
    with pytest.raises(FileError) as raised:
        parse_toml(text, HERE)
    assert time.process_time() - began < 0.5
    return str(raised.value)


# --- TOML --------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        (
            "a = " + "[" * 1_200 + "]" * 1_200,
            "t.toml:1:37: arrays and tables may be nested 32 deep",
        ),
        ("a = " + "{b = " * 1_200, "arrays and tables may be nested 32 deep"),
        ("x = 1\nlimit = " + "9" * 4_301, "t.toml:2:9: a number may have 64 digits"),
        ("x = 0x" + "9" * 100, "t.toml:1:5: a number may have 64 digits"),
        (".".join("a" * 20_000) + " = 1", "t.toml:1:33: a dotted key may have 16 parts"),
        ("[" + ".".join("a" * 20_000) + "]", "a dotted key may have 16 parts"),
        ('"' + "k" * 257 + '" = 1', "t.toml:1:1: a key may have 256 characters"),
        ("a = 1\na = 2", "t.toml:2:6: not TOML"),
        ("a = 2011-13-45", "not TOML"),
        ("a = [1,", "t.toml:1:8: not TOML"),
    ],
)
def test_hostile_toml_is_refused_at_its_place_at_once(text: str, told: str) -> None:
    assert told in refusal(text)


def test_toml_at_the_limits_is_read() -> None:
    deep = "[" * MAX_NESTING + "]" * MAX_NESTING
    key = ".".join("a" * MAX_KEY_PARTS)
    tables = parse_toml(f"{key} = 1\nb = {deep}\nc = {'9' * MAX_DIGITS}", HERE).tables
    assert tables["c"] == int("9" * MAX_DIGITS)


def test_a_large_file_is_refused_unread(tmp_path: Path) -> None:
    path = written(tmp_path, "large.toml", "#" * (MAX_TOML_BYTES + 1))
    with pytest.raises(FileError, match="larger than 262,144 bytes"):
        read_submission(path)


def test_each_key_has_its_line_and_column() -> None:
    text = (
        "# 1\n[a]\n  b.c = '''\n[x]\n'''\n"
        'd = [1, {e = "]", "f g" = 2}]\n'
        "[[line]]\nname = 1\n[line.when]\nx = 1\n[[line]]\nname = 2\n"
    )
    keys = parse_toml(text, HERE).keys
    assert keys["a"] == (2, 2)
    assert (keys["a.b"], keys["a.b.c"]) == ((3, 3), (3, 5))
    assert "x" not in keys
    assert (keys["a.d"], keys["a.d[2].e"], keys["a.d[2].f g"]) == ((6, 1), (6, 10), (6, 19))
    assert (keys["line[1].name"], keys["line[2].name"]) == ((8, 1), (12, 1))
    assert keys["line[1].when.x"] == (10, 1)


# --- JSON and lines ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("[" * 33 + "]" * 33, "nested more than 32 deep"),
        ("[" + "9" * 65 + "]", "a number may have 64 digits"),
        ("[NaN]", "NaN is not a number"),
        ('{"a": 1,\n "b" 2}', "at line 2, column 6"),
    ],
)
def test_hostile_json_is_refused(text: str, told: str) -> None:
    with pytest.raises(JsonError, match=told):
        parse_json(text)


def test_brackets_and_digits_in_a_text_are_no_nesting_and_no_number() -> None:
    assert parse_json(f'["{"[" * 100}", "{"9" * 100}"]') == ["[" * 100, "9" * 100]


def test_a_line_without_an_end_is_refused_in_bounded_memory(tmp_path: Path) -> None:
    path = tmp_path / "sparse"
    with path.open("wb") as file:
        file.truncate(200 << 20)
    script = "import sys; from croupier.cli import main; sys.argv[0] = 'croupier'; main()"  # As installed.
    for words in (("verify", path), ("run", SUBMISSION, path, "--log", tmp_path / "l.jsonl")):
        done = subprocess.run(  # noqa: S603  (our own command)
            [sys.executable, "-c", script, *map(str, words)],
            capture_output=True,
            text=True,
            check=False,
            preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (160 << 20, 160 << 20)),
        )
        assert done.returncode == 2, done.stderr
        assert "Traceback" not in done.stderr
        assert "a line" in done.stderr or "the line" in done.stderr


def test_lines_are_read_with_their_ends_up_to_the_limit(tmp_path: Path) -> None:
    path = written(tmp_path, "l", b"a\r\n" + b"b" * MAX_JSON_LINE + b"\nc")
    assert [line[-2:] for _, lines in line_blocks(path) for line in lines] == [
        b"\r\n",
        b"b\n",
        b"c",
    ]
    longer = written(tmp_path, "m", b"a\n" + b"b" * (MAX_JSON_LINE + 1) + b"\n")
    with pytest.raises(FileError, match="m:2: the line is longer"):
        list(line_blocks(longer))


def test_a_gzip_file_that_expands_too_far_is_refused(tmp_path: Path) -> None:
    path = written(tmp_path, "bomb.gz", gzip.compress(b"\n" * (30 << 20)))
    with pytest.raises(TornError, match="expands"):
        for _ in blocks_of(path):
            pass
    with pytest.raises(FileError, match="larger than"):
        read_bytes(path)


# --- encodings ---------------------------------------------------------------------------------


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "utf-16", "utf-32"])
def test_a_byte_order_mark_names_the_encoding(tmp_path: Path, encoding: str) -> None:
    path = written(tmp_path, "t", "Pär\r\n".encode(encoding))
    assert read_text(path) == "Pär\r\n"
    assert next(blocks_of(path))[0] == "Pär"


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_utf_16_without_a_byte_order_mark_is_named_and_read_when_asked(
    tmp_path: Path, encoding: str
) -> None:
    path = written(tmp_path, "r.csv", ROW.encode(encoding))
    result = run("verify", path, "--submission", SUBMISSION)
    assert result.exit_code == 2
    assert f"--encoding {encoding}" in result.output
    assert run("verify", path, "--submission", SUBMISSION, "--encoding", encoding).exit_code == 0


def test_a_byte_that_is_not_utf_8_is_told_with_its_place(tmp_path: Path) -> None:
    path = written(tmp_path, "t.toml", b"a = 1\nb = '\xfc'\n")
    with pytest.raises(FileError, match=r"t\.toml:2:6: not UTF-8: byte 0xfc"):
        read_text(path)


@pytest.mark.parametrize("name", ["idna", "punycode", "base64", "rot13", "no-such"])
def test_what_is_no_encoding_of_text_is_refused(name: str) -> None:
    with pytest.raises(ValueError, match="encoding"):
        encoding_named(name)


@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_a_submission_saved_on_windows_is_read(tmp_path: Path, ends: str) -> None:
    text = SUBMISSION.read_text(encoding="utf-8").replace("\n", ends)
    path = written(tmp_path, "t.toml", codecs.BOM_UTF8 + text.encode())
    assert read_rules(path).sha256 == read_rules(SUBMISSION).sha256


def test_a_workbook_is_named_for_what_it_is(tmp_path: Path) -> None:
    path = written(
        tmp_path, "v.xlsx", b"PK\x03\x04\x14\x00\x06\x00" + b"\x00" * 22 + b"[Content_Types].xml"
    )
    for words in (("verify", path, "--submission", SUBMISSION), ("verify", path), ("check", path)):
        result = run(*words)
        assert result.exit_code == 2
        assert "this is an Excel workbook, save it as CSV" in result.output


# --- submissions -------------------------------------------------------------------------------


def errors_of(folder: Path, *changes: tuple[str, str]) -> str:
    text = SUBMISSION.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    result = run("check", written(folder, "t.toml", text))
    return result.output.replace("\n    ", " ").replace("\n  ", " ").replace(f"{folder}/", "")


def line_of(text: str) -> int:
    return SUBMISSION.read_text(encoding="utf-8").split("\n").index(text) + 1


def test_errors_of_form_and_of_law_come_at_once_each_with_its_place(tmp_path: Path) -> None:
    seats = line_of("seats = 7")
    told = errors_of(
        tmp_path,
        ("seats = 7", "seats = 70\nnumberin = 3"),
        ("decks = 8", "decks = 5"),
        ('vigorish.scheme = "5%"', 'vigorish.scheem = "5%"'),
    )
    assert f"t.toml:{seats}:1: table.seats: 70" in told
    assert f"t.toml:{seats + 1}:1: table.numberin: unknown key; did you mean numbering?" in told
    assert f"t.toml:{line_of('decks = 8')}:1: decks: 5 is below" in told
    assert (
        "vigorish.scheem: this regulation has no rule of that name; did you mean "
        "vigorish.scheme?" in told
    )


def test_a_limit_is_suggested_for_the_wager_it_is_nearly_of(tmp_path: Path) -> None:
    told = errors_of(tmp_path, ("player = [25, 5000]", "player = [25, 5000]\nbonus = [5, 500]"))
    assert "did you mean bonus_player or bonus_banker?" in told


def test_an_amount_without_bound_is_a_error_of_its_field(tmp_path: Path) -> None:
    told = errors_of(tmp_path, ("player = [25, 5000]", f"player = [25, {10**25}]"))
    assert (
        f"t.toml:{line_of('player = [25, 5000]')}:1: limits.player: {10**25} is above the maximum of"
        in told
    )
    told = errors_of(tmp_path, ("player = [25, 5000]", f"player = [25, {'9' * 4_000}]"))
    assert "a number may have 64 digits" in told


def test_a_file_of_a_thousand_errors_lists_a_hundred(tmp_path: Path) -> None:
    path = written(tmp_path, "t.toml", "".join(f"unknown_{at} = 1\n" for at in range(1_000)))
    with pytest.raises(MalformedSubmissionError) as raised:
        read_submission(path)
    assert len(raised.value.errors) == 100


# --- records -----------------------------------------------------------------------------------


def test_the_line_that_excel_puts_before_a_header_is_read(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "sep=;\r\n" + ROW.replace(",", ";"))
    result = run("verify", path, "--submission", SUBMISSION)
    assert (result.exit_code, "Checked 1 round in 1 shoe" in result.output) == (0, True)
    wrong = written(tmp_path, "w.csv", "sep=;\r\n" + ROW.replace(",", ";").replace(";P", ";B"))
    assert "line 3" in run("verify", wrong, "--submission", SUBMISSION).output


def test_a_header_of_nine_thousand_columns_is_read_at_once(tmp_path: Path) -> None:
    names = ",".join(f"c{at}" for at in range(9_000))
    path = written(tmp_path, "r.csv", f"player,banker,{names}\n9c Kd,7h Js\n")
    from croupier.records.rounds.reading import open_rounds  # noqa: PLC0415  (its import is not timed)

    began = time.process_time()
    open_rounds(path)
    assert time.process_time() - began < 0.2


def test_a_missing_column_names_the_option_that_finds_it(tmp_path: Path) -> None:
    path = written(tmp_path, "r.csv", "a,b\n1,2\n")
    told = run("verify", path, "--submission", SUBMISSION).output
    missing = [line for line in told.splitlines() if "no column" in line]
    assert len(missing) == 2
    assert all("--mapping" in line for line in missing)


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("log") / "log.jsonl"
    assert (
        run("deal", SUBMISSION, "--log", path, "--seed", 1, "--patrons", 1, "--quiet").exit_code
        == 0
    )
    return path


def test_a_compressed_log_verifies_as_the_plain_one(tmp_path: Path, log: Path) -> None:
    packed = written(tmp_path, "log.jsonl.gz", gzip.compress(log.read_bytes()))
    assert run("verify", packed).exit_code == 0
    assert run("explain", packed, "--round", 1).exit_code == 0


def test_a_changed_copy_of_a_log_is_named_for_what_it_is(tmp_path: Path, log: Path) -> None:
    data = log.read_bytes()
    for changed, told in (
        (codecs.BOM_UTF8 + data, "byte order mark"),
        (data.replace(b"\n", b"\r\n"), "CRLF"),
        (data.decode().encode("utf-16"), "UTF-16"),
    ):
        result = run("verify", written(tmp_path, "copy.jsonl", changed))
        assert (result.exit_code, told in result.output) == (2, True), result.output


def test_every_line_that_is_no_command_is_told_at_once(tmp_path: Path) -> None:
    path = written(
        tmp_path, "c.jsonl", '{"type": "OpenTabel"}\n\n{"type": "DrawCard", "crad": "9h"}\n'
    )
    told = run("run", SUBMISSION, path, "--log", tmp_path / "l.jsonl")
    assert told.exit_code == 2
    assert f"{path}:1: 'OpenTabel' is not a type of command; did you mean OpenTable?" in told.output
    assert f"{path}:3: DrawCard: unknown field crad; did you mean card?" in told.output


# --- suggestions -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "told"),
    [
        ("7.5f", "did you mean 7.5(f)?"),
        ("7.99", "did you mean 7.9"),
        ("vigorish.scheem", "vigorish.scheme?"),
    ],
)
def test_a_clause_that_is_nearly_one_is_suggested(asked: str, told: str) -> None:
    result = run("law", "show", "us-nj/minibaccarat@latest", asked)
    assert (result.exit_code, told in result.output) == (2, True), result.output


def test_a_rule_may_stand_for_the_clauses_that_it_cites() -> None:
    result = run("law", "show", "us-nj/minibaccarat@latest", "vigorish.scheme")
    assert result.exit_code == 0
    assert "NJ-MINI:7.3(c)#2" in result.output


def test_nothing_is_suggested_for_a_word_without_end() -> None:
    assert near("a" * 100_000, ["a" * 99_999]) == []


# --- files spoiled at random -------------------------------------------------------------------


@pytest.mark.parametrize("kind", KINDS)
def test_a_spoiled_file_is_read_or_refused(kind: str, tmp_path: Path) -> None:
    outcome = attack(kind, tmp_path, cases=100, seed=2)
    assert outcome.read + outcome.refused == 100
    assert outcome.refused > 0
    assert outcome.worst_seconds < 5
