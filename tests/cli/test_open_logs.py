"""Logs that are still open: dealt on, run on, driven through a pipe, and held to a head."""

import json
import subprocess
import sys
from functools import cache, partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, TypeAlias

import pytest

from support.command_line import croupier
from support.project import PLAIN, ROOT
from support.volume import MOST, spread

SEAT = '{"type": "SeatPatron", "seat": 4, "patron": "Ines"}\n'
OPEN = (
    '{"type": "OpenTable", "inventory_cents": 12000000, "dealer": "Theo", "floorperson": "Noor",'
    ' "gaming_date": "2011-02-22"}\n'
)
EARLY = '{"type": "SettleWagers"}\n'
CLOSE = '{"type": "LeaveTable", "seat": 4}\n{"type": "CloseTable"}\n'


run = partial(croupier, columns=160)
ERRING: Final = ("--dealer-errors", 10, "--quiet")


def lines(path: Path) -> list[bytes]:
    return path.read_bytes().splitlines(keepends=True)


@cache
def lines_dealt(*options: object) -> list[bytes]:
    """Return the lines of the log that is dealt with these options."""
    with TemporaryDirectory() as folder:
        log = Path(folder) / "log.jsonl"
        assert run("deal", *options, "--log", log).exit_code == 0
        return lines(log)


# --- a dealt log goes on -------------------------------------------------------------------------


@pytest.mark.parametrize("kept", spread([1, 2, 40, 41, 700], 3))
def test_a_seeded_log_that_was_cut_goes_on_to_the_very_bytes(tmp_path: Path, kept: int) -> None:
    cut, options = tmp_path / "cut.jsonl", (PLAIN, "--seed", 23, "--patrons", 3, *ERRING)
    header, *entries = lines_dealt(*options)
    cut.write_bytes(b"".join([header, *entries[: kept - 1]]) + entries[kept - 1][:-9])
    result = run("deal", *options, "--resume", cut)
    assert result.exit_code == 0, result.output
    assert lines(cut) == [header, *entries]


def test_a_seeded_log_goes_on_only_with_its_own_options(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert run("deal", PLAIN, "--seed", 23, "--log", log, "--quiet").exit_code == 0
    log.write_bytes(b"".join(lines(log)[:300]))
    before = log.read_bytes()
    for options, told in (
        (("--seed", 24), "this log was dealt from seed 23"),
        ((), "this log was dealt from seed 23"),
        (("--seed", 23, "--patrons", 2), "differs from what these options deal"),
    ):
        refused = run("deal", PLAIN, *options, "--resume", log)
        assert refused.exit_code == 2
        assert told in refused.output
        assert log.read_bytes() == before


def test_a_log_dealt_by_chance_goes_on_with_the_cards_that_are_left(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert run("deal", PLAIN, "--log", log, "--quiet", "--patrons", 2).exit_code == 0
    log.write_bytes(b"".join(lines(log)[:250]))
    result = run("deal", PLAIN, "--resume", log, "--quiet")
    assert result.exit_code == 0, result.output
    assert "no differences" in result.output
    assert len(lines(log)) > 400


@pytest.mark.parametrize("kept", spread([3, 20, 30, 36, 38, 40, 44, 600, 1100], 4))
def test_a_dealer_takes_over_at_any_point_of_the_day(tmp_path: Path, kept: int) -> None:
    log = tmp_path / "log.jsonl"
    assert run("deal", PLAIN, "--log", log, "--quiet", "--shoes", 2, "--patrons", 2).exit_code == 0
    log.write_bytes(b"".join(lines(log)[:kept]))
    result = run("deal", PLAIN, "--resume", log, "--quiet", "--shoes", 2)
    assert result.exit_code == 0, result.output
    assert "no differences" in result.output


def test_a_closed_log_does_not_go_on(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert run("deal", PLAIN, "--seed", 2, "--log", log, "--quiet").exit_code == 0
    refused = run("deal", PLAIN, "--seed", 2, "--resume", log)
    assert refused.exit_code == 2
    assert "the log is closed" in refused.output


def test_a_log_is_either_begun_or_gone_on_with(tmp_path: Path) -> None:
    commands = tmp_path / "commands.jsonl"
    commands.write_text(OPEN)
    refused = run("run", PLAIN, commands)
    assert refused.exit_code == 2
    assert "--log FILE begins one, --resume LOG continues" in " ".join(refused.output.split())


def test_an_open_log_is_verified_through_its_last_entry(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    assert run("deal", PLAIN, "--seed", 3, "--log", log, "--quiet").exit_code == 0
    log.write_bytes(b"".join(lines(log)[:101]) + b'{"seq":101,"prev":"')
    verified = run("verify", log)
    assert verified.exit_code == 0
    assert f"PASS: {log} conforms to the rules through entry 100; still open." in " ".join(
        verified.output.split()
    )
    assert "Line 102 breaks off and was left out" in verified.output
    data = json.loads(run("verify", log, "--format", "json").output)
    assert (data["open"], data["torn_line"], data["entries"], data["clean"]) == (
        True,
        102,
        100,
        True,
    )


# --- commands through a pipe ----------------------------------------------------------------------


def test_commands_are_answered_as_they_come(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    command = [sys.executable, "-m", "croupier", "run", str(PLAIN), "-", "--log", str(log)]
    with subprocess.Popen(  # noqa: S603  (this program)
        [*command, "--format", "json"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        assert process.stdin is not None
        assert process.stdout is not None
        for sent, entries in ((OPEN, 1), (EARLY, 1), ("{}\n", 1), (SEAT, 2)):
            process.stdin.write(sent)
            process.stdin.flush()
            answer = json.loads(process.stdout.readline())
            # It is on disk by the time that it is answered.
            assert len(lines(log)) == 1 + entries
            assert ("events" in answer) == (sent in {OPEN, SEAT})
        process.stdin.close()
        assert process.wait() == 2


def test_a_refused_command_of_a_pipe_changes_nothing_and_the_table_goes_on(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    result = run("run", PLAIN, "-", "--log", log, text=OPEN + EARLY + SEAT + CLOSE)
    assert result.exit_code == 2
    assert "line 2: not at this moment" in result.output
    # Header, opening, seat, leaving, closing, and the last line.
    assert len(lines(log)) == 6
    assert run("verify", log).exit_code == 0


def test_a_log_that_was_run_goes_on(tmp_path: Path) -> None:
    log, more = tmp_path / "log.jsonl", tmp_path / "more.jsonl"
    first = tmp_path / "first.jsonl"
    first.write_text(OPEN + SEAT)
    more.write_text(CLOSE)
    assert run("run", PLAIN, first, "--log", log).exit_code == 0
    assert "still open" in run("verify", log).output
    assert run("run", PLAIN, more, "--resume", log).exit_code == 0
    assert "still open" not in run("verify", log).output
    assert len(lines(log)) == 6


def test_of_a_file_with_a_refused_command_nothing_is_carried_out(tmp_path: Path) -> None:
    log, first, more = (tmp_path / name for name in ("log.jsonl", "first.jsonl", "more.jsonl"))
    first.write_text(OPEN)
    more.write_text(SEAT + EARLY)
    assert run("run", PLAIN, more, "--log", log).exit_code == 2
    assert not log.exists()
    assert run("run", PLAIN, first, "--log", log).exit_code == 0
    before = log.read_bytes()
    refused = run("run", PLAIN, more, "--resume", log)
    assert refused.exit_code == 2
    assert f"{more}:2: SettleWagers" in refused.output
    assert log.read_bytes() == before


def test_a_log_is_not_replaced_by_a_run_of_which_nothing_comes(tmp_path: Path) -> None:
    log, first, refused = (tmp_path / name for name in ("log.jsonl", "first.jsonl", "bad.jsonl"))
    first.write_text(OPEN)
    refused.write_text(SEAT)
    assert run("run", PLAIN, first, "--log", log).exit_code == 0
    before = log.read_bytes()
    assert run("run", PLAIN, refused, "--log", log, "--force").exit_code == 2
    assert log.read_bytes() == before
    assert run("run", PLAIN, first, "--log", log, "--force").exit_code == 0
    assert log.read_bytes() != before
    assert sorted(one.name for one in tmp_path.iterdir()) == [
        "bad.jsonl",
        "first.jsonl",
        "log.jsonl",
    ]


def test_a_log_goes_on_only_under_its_own_rules(tmp_path: Path) -> None:
    log, first, other = (tmp_path / name for name in ("log.jsonl", "first.jsonl", "other.toml"))
    first.write_text(OPEN)
    assert run("run", PLAIN, first, "--log", log).exit_code == 0
    text = PLAIN.read_text(encoding="utf-8")
    assert '"8:1"' in text
    other.write_text(text.replace('"8:1"', '"9:1"', 1), encoding="utf-8")
    refused = run("run", other, first, "--resume", log)
    assert refused.exit_code == 2
    assert "begun under different rules" in refused.output


# --- a head ---------------------------------------------------------------------------------------


def test_a_log_is_held_to_the_heads_that_deal_prints(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    dealt = run("deal", PLAIN, "--seed", 5, "--log", log, "--format", "json")
    told = json.loads(dealt.output)
    shoe, last = told["heads"][0]["sha256"], told["head"]["sha256"]
    for head in (shoe, last):
        verified = run("verify", log, "--head", head)
        assert verified.exit_code == 0
        assert "Every head given is in this log." in verified.output
    assert "No head was given" in run("verify", log).output
    # As verify_record.py takes it, with its entry, and in upper case.
    entry = told["heads"][0]["entry"]
    for head in (f"{entry}:{shoe}", shoe.upper(), f"{entry}:{shoe.upper()}"):
        assert run("verify", log, "--head", head).exit_code == 0
    misplaced = run("verify", log, "--head", f"{entry + 1}:{shoe}")
    assert misplaced.exit_code == 1
    said = f"the seal given is of entry {entry}, not of entry {entry + 1}"
    assert said in " ".join(misplaced.output.split())
    for wrong in (
        "garbage",
        shoe[:-1],
        f"{shoe}0",
        f"x:{shoe}",
        f"{entry}:",
        "",
        f"{shoe}:{entry}",
    ):
        refused = run("verify", log, "--head", wrong)
        assert refused.exit_code == 2, wrong
        assert "12:5f6c..." in refused.output
    log.write_bytes(b"".join(lines(log)[:-3]))
    assert run("verify", log, "--head", shoe).exit_code == 0
    truncated = run("verify", log, "--head", last)
    assert truncated.exit_code == 1
    assert "no line of this log has the hash given" in " ".join(truncated.output.split())


# --- a log goes on without --shoes ---------------------------------------------------------------


Dealt: TypeAlias = tuple[Path, tuple[object, ...], list[bytes]]


CONTINUOUS: Final = ROOT / "submissions" / "nj-minibaccarat-continuous.toml"
TABLES: Final = {
    "seeded": (PLAIN, ("--seed", 1)),
    "by chance": (PLAIN, ()),
    "continuous, seeded": (CONTINUOUS, ("--seed", 1)),
    "continuous, by chance": (CONTINUOUS, ()),
}


@pytest.fixture(params=TABLES)
def three_shoes(request: pytest.FixtureRequest) -> Dealt:
    """Return a submission, the seed, and the lines of three shoes, which a process deals once."""
    submission, seed = TABLES[request.param]
    return submission, seed, lines_dealt(submission, *seed, "--shoes", 3, "--patrons", 2, "--quiet")


# Each table is cut at an eighth of the places, apart from the others, or at all of them for a night.
@pytest.mark.parametrize(
    ("three_shoes", "part"),
    [
        (table, part)
        for at, table in enumerate(TABLES)
        for part in spread([one for one in range(1, 50) if MOST or one % 8 == 2 * at], 5)
    ],
    indirect=["three_shoes"],
)
def test_a_log_cut_anywhere_goes_on_without_its_shoes(
    tmp_path: Path, three_shoes: Dealt, part: int
) -> None:
    submission, seed, whole = three_shoes
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(whole[: len(whole) * part // 50]))
    result = run("deal", submission, "--resume", log, *seed, "--patrons", 2, "--quiet")
    assert result.exit_code == 0, result.output
    assert "no differences" in result.output


def test_a_log_cut_before_the_vigorish_of_a_shoe_goes_on(
    tmp_path: Path, three_shoes: Dealt
) -> None:
    submission, seed, whole = three_shoes
    log = tmp_path / "log.jsonl"
    cleared = [at for at, line in enumerate(whole, 1) if b'{"type":"ClearLayout"}' in line]
    last_of_shoe = [
        at for at in cleared if not any(b'"CallNoMoreBets"' in one for one in whole[at : at + 3])
    ]
    assert last_of_shoe
    log.write_bytes(b"".join(whole[: last_of_shoe[0]]))
    result = run("deal", submission, "--resume", log, *seed, "--patrons", 2, "--quiet")
    assert result.exit_code == 0, result.output


def test_a_log_that_has_begun_more_shoes_than_asked_for_is_refused(
    tmp_path: Path, three_shoes: Dealt
) -> None:
    submission, seed, whole = three_shoes
    log = tmp_path / "log.jsonl"
    log.write_bytes(b"".join(whole[: len(whole) // 2]))
    before = log.read_bytes()
    result = run("deal", submission, "--resume", log, *seed, "--shoes", 1, "--quiet")
    assert result.exit_code == 2
    assert "shoe 2 has begun, but --shoes is 1" in result.output
    assert log.read_bytes() == before
