"""Every command that reads a table log, on every change of the review's table and random ones.

No cell of the table is silent: whatever breaks the chain ends each command with status 1 or 2, and
names the line or the file. None is a traceback, and no command changes the log.
"""

from __future__ import annotations

import gzip
import json
import random
import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from itertools import pairwise, product
from pathlib import Path
from time import process_time
from typing import Any, Final

import click
import pytest
from test_changed_logs import changed, whole

from croupier.cli import main
from croupier.records.chain import Link
from croupier.records.codec import dump
from croupier.records.header import LogError
from croupier.records.reader import LogReader
from support.changed_logs import CHANGES, Found
from support.command_line import croupier, told_with
from support.forged_logs import Line, bodies, chained, does, event_of, forged, has, read
from support.project import PLAIN
from support.volume import volume

READERS: Final = {
    "verify": ("LOG",),
    "audit": ("LOG", "-o", "OUT.json", "--force"),
    "explain": ("LOG", "--round", "1"),
    "replay": ("LOG", "-o", "OUT.html", "--force", "--round", "1"),
    "ledger": ("LOG",),
    "rounds": ("LOG",),
    "irregularities": ("LOG",),
    "decks": ("LOG",),
    "export": ("LOG", "-o", "OUT", "--force"),
    "draw verify": ("LOG",),
    "odds": ("--log", "LOG"),
    "deal": (PLAIN, "--continues", "LOG", "--log", "NEW", "--seed", "1", "--quiet", "--force"),
    "run": (PLAIN, "-", "--continues", "LOG", "--log", "NEW", "--force"),
    "table": (PLAIN, "--log", "LOG", "--as", "A (dealer)"),
}
"""Each command that reads a table log, as the table has it."""
NO_LOG: Final = {
    "blackjack",
    "map",
    "law test",
    "law add",
    "law check",
    "law pack",
    "par",
    "par check",
}
"""Commands with an argument that a log could be, but that read other files."""


def readers(command: click.Command = main, words: tuple[str, ...] = ()) -> Iterator[str]:
    """Yield each command with a parameter for a table log."""
    for parameter in command.params:
        names = {str(parameter.name), *parameter.opts}
        if names & {"record", "records", "log", "--log", "--continues", "--resume", "--beside"}:
            yield " ".join(words)
            break
    if isinstance(command, click.Group):
        context = click.Context(command)
        for name in command.list_commands(context):
            _, inner, _ = command.resolve_command(context, [name])
            assert inner is not None
            yield from readers(inner, (*words, name))


def test_the_table_has_every_command_that_reads_a_log() -> None:
    assert {*readers()} - NO_LOG == READERS.keys()


def run(log: Path, command: str) -> tuple[int, str]:
    """Run a command on a log, which it may not change; return its status and errors."""
    data, out = log.read_bytes(), log.parent / "out"
    places = {
        "LOG": log, "NEW": out / "new.jsonl", "OUT": out / "tables",
        "OUT.json": out / "out.json", "OUT.html": out / "out.html",
    }  # fmt: skip
    words = (places.get(word, word) if isinstance(word, str) else word for word in READERS[command])
    result = croupier(*command.split(), *words, text="")
    # A table goes on from an open log, and takes away a last line that breaks off.
    assert log.read_bytes() == data or (command == "table" and not is_broken(log)), command
    assert result.exit_code in {0, 1, 2}, result.output
    return result.exit_code, result.stderr


@pytest.fixture
def log(tmp_path: Path) -> Path:
    return tmp_path / "log.jsonl"


BROKEN: Final = [name for name, one in CHANGES.items() if one.found in {Found.CHAIN, Found.REFUSED}]


# Each change meets a third of the commands, others than the change before it; for a night all meet.
@pytest.mark.parametrize(
    ("command", "name"),
    [
        (command, name)
        for (at, command), (other, name) in product(enumerate(READERS), enumerate(BROKEN))
        if (at + other) % volume(3, 6, most=1) == 0
    ],
)
def test_no_cell_of_the_table_is_silent(name: str, command: str, log: Path) -> None:
    changed(log, name)
    status, told = run(log, command)
    assert status in {1, 2}
    assert "line " in told or str(log) in told or command in {"verify", "audit", "replay"}


RESEALED: Final = [name for name, one in CHANGES.items() if one.found is Found.RULES]


@pytest.mark.parametrize("name", RESEALED)
@pytest.mark.parametrize("command", ["verify", "audit", "replay", "deal", "run"])
def test_whoever_derives_events_finds_what_was_sealed_again(
    name: str, command: str, log: Path
) -> None:
    changed(log, name)
    assert run(log, command)[0] in {1, 2}


# --- at random -----------------------------------------------------------------------------------


def flipped(log: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(log))
    return log[:at] + bytes([log[at] ^ 1 << chance.randrange(8)]) + log[at + 1 :]


def taken_out(log: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(log) - 1)
    return log[:at] + log[at + chance.randrange(1, 200) :]


def put_in(log: bytes, chance: random.Random) -> bytes:
    at = chance.randrange(len(log))
    return log[:at] + chance.randbytes(chance.randrange(1, 20)) + log[at:]


def another_digit(log: bytes, chance: random.Random) -> bytes:
    at = chance.choice([at for at, one in enumerate(log) if 48 <= one <= 57])
    return log[:at] + str((log[at] - 48 + chance.randrange(1, 10)) % 10).encode() + log[at + 1 :]


def _of_lines(change: Callable[[list[bytes], random.Random], object]) -> Callable[..., bytes]:
    def edited(log: bytes, chance: random.Random) -> bytes:
        lines = log.splitlines(keepends=True)
        change(lines, chance)
        return b"".join(lines)

    return edited


def _swap(lines: list[bytes], chance: random.Random) -> None:
    one, other = chance.sample(range(len(lines)), 2)
    lines[one], lines[other] = lines[other], lines[one]


def _copy(lines: list[bytes], chance: random.Random) -> None:
    lines.insert(chance.randrange(len(lines)), chance.choice(lines))


def _drop(lines: list[bytes], chance: random.Random) -> None:
    del lines[chance.randrange(len(lines))]


def cut(log: bytes, chance: random.Random) -> bytes:
    return log[: chance.randrange(len(log))]


BYTES: Final = (
    flipped, taken_out, put_in, another_digit, cut, _of_lines(_swap), _of_lines(_copy),
    _of_lines(_drop),
)  # fmt: skip


def is_broken(log: Path) -> bool:
    try:
        return LogReader(log).is_broken
    except LogError:
        return True


@pytest.mark.parametrize("seed", range(volume(400, 48, most=8_000)))
def test_a_random_change_is_reported_by_every_command(seed: int, log: Path) -> None:
    chance = random.Random(f"change {seed}")
    change = BYTES[seed % len(BYTES)]
    data = change(whole(), chance)
    log.write_bytes(data)
    for command in ("verify", chance.choice([*READERS])):
        status, told = run(log, command)
        if data == whole():
            continue
        if is_broken(log):
            assert status in {1, 2}, (change, command, told)
        else:
            # Cut between two lines, or in the last one: an open log is not a broken one.
            assert whole().startswith(data), (change, command, told)


OTHER_TEXTS: Final = (
    (rb'("v":1)', rb" \1"), (rb'("v":1)', rb"\1.0"), (rb'("v":1)', rb"\1,\1"), (rb',"v":1', b""),
    (rb'(,"v":1)(,"[a-z_]+":[0-9]+)', rb"\2\1"), (rb'("v"):1', rb'\1:"1"'), (rb"]}$", b"]} "),
    (rb'("key":null),("corrects":null)', rb"\2,\1"), (rb'"office":"d', rb'"office":"\\u0064'),
    (rb'(,"device":"")', rb'\1,"seat":null'), (rb'("clauses":)', rb'"unknown":1,\1'),
    (rb'("clauses":)', rb'"v":1,\1'), (rb'("command":{)("type":"[A-Za-z]+")', rb'\1"v":1,\2'),
    (rb"]}$", b'],"events":[]}'), (rb"]}$", b'],"sha256":""}'), (rb'("at":"[^"]+)Z', rb"\1+00:00"),
)  # fmt: skip
"""Another text of the same entry, or almost the same."""


@pytest.mark.parametrize(("text", "other"), OTHER_TEXTS)
def test_lines_that_are_read_together_are_read_as_each_alone(
    text: bytes, other: bytes, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    torn = bodies(whole())
    at = next(at for at in range(40, len(torn)) if re.search(text, torn[at]))
    torn[at] = re.sub(text, other, torn[at], count=1)
    log.write_bytes(chained(torn))
    together = LogReader(log)
    assert [one["line"] for one in together.data()["faults"]] == [at + 1]
    entries = [*together.entries()]
    monkeypatch.setattr(Link, "follow_lines", lambda *_: [])
    alone = LogReader(log)
    assert together.data() == alone.data()
    read = [(number, one.command, one.events) for number, one in alone.entries()]
    assert [(number, one.command, one.events) for number, one in entries] == read


def test_lines_before_a_break_are_read(log: Path) -> None:
    broken = log.with_suffix(".jsonl.gz")
    broken.write_bytes(gzip.compress(whole())[:-1])
    reader = LogReader(broken)
    lines = whole().count(b"\n")
    assert [one["line"] for one in reader.data()["faults"]] == [lines + 1]
    assert len([*reader.entries()]) == lines - 2  # Without the header and the last line.


def test_a_place_that_no_card_has_is_shown_by_nobody(log: Path) -> None:
    lines = [json.loads(one) for one in bodies(whole())]
    dealt = next(
        event for line in lines[1:-1] for event in line["events"] if event["type"] == "CardDealt"
    )
    dealt["ordinal"] = 9
    log.write_bytes(chained(map(dump, lines)))
    status, told = run(log, "replay")
    assert status in {1, 2}
    assert str(log) in told
    assert run(log, "explain")[0] == 2


@pytest.mark.parametrize("before", [b'"command":{', b'"events":[{'])
def test_a_name_that_is_not_text_is_reported(before: bytes, log: Path) -> None:
    """It is ignored where raw JSON is read, as a field that nothing has."""
    log.write_bytes(whole().replace(before, before + b'"\xb2":1,', 1))
    assert is_broken(log)
    assert run(log, "verify")[0] in {1, 2}


@pytest.mark.parametrize("out", ["tables", "tables --format csv", "tables.sqlite", "tables.duckdb"])
@pytest.mark.parametrize("copies", [1, 2])
def test_an_export_names_the_log_with_a_number_that_no_table_holds(
    out: str, copies: int, log: Path
) -> None:
    lines = [json.loads(one) for one in bodies(whole())]
    bought = next(
        event for line in lines[1:-1] for event in line["events"] if event["type"] == "ChipsBought"
    )
    bought["cents"] = 2**63
    logs = [log, *[log.with_name("other.jsonl")] * (copies - 1)]
    for path in logs:
        lines[0]["stream"] = path.stem
        path.write_bytes(chained(map(dump, lines)))
    name, *more = out.split()
    told = told_with(2, "export", *logs, "-o", log.with_name(name), *more).stderr
    assert f"{log}: it has a number of more than 64 bits" in " ".join(told.split())
    assert not log.with_name(name).exists()


Place = tuple[dict[str, Any] | list[Any], str | int]


def leaves(value: object) -> Iterator[Place]:
    """Yield the place of each number, text, and truth value."""
    inside = value.items() if isinstance(value, dict) else enumerate(value)  # type: ignore[arg-type]
    for key, one in inside:
        if isinstance(one, dict | list):
            yield from leaves(one)
        # An older version of an event is read as what it means today, and a text that no event of
        # the entry has, such as the dealer who shuffles, is only asserted.
        elif key != "v" and one != "":
            yield value, key  # type: ignore[misc]


def another_value(value: object, chance: random.Random) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice((-1, 1, 100, -(10**9), 10**400))
    if value is None:
        return chance.choice((0, "x", False, []))
    return chance.choice((f"{value}x", "", 7, None, [], {}))


@pytest.mark.parametrize("seed", range(volume(160, 32, most=2_000)))
def test_a_random_value_sealed_again_is_found_by_deriving_events(seed: int, log: Path) -> None:
    chance = random.Random(f"value {seed}")
    lines = [json.loads(one) for one in bodies(whole())]
    line = chance.choice(lines[1:-1])
    places = [*leaves({name: line[name] for name in ("command", "events")})]
    held, key = chance.choice(places)
    before = held[key]  # type: ignore[index]
    held[key] = another_value(before, chance)  # type: ignore[index]
    log.write_bytes(chained(map(dump, lines)))
    where = (line["command"], key, before)
    assert run(log, "verify")[0] in {1, 2}, where
    run(log, chance.choice([*READERS]))


CLEARED: Final = has("LayoutCleared")


def rounds_of(lines: list[Line]) -> list[tuple[int, int]]:
    """Return the first line of each round but the first, and the line after its last."""
    ends = [at + 1 for at, line in enumerate(lines) if "events" in line and CLEARED(line)]
    return [*pairwise(ends)]


def _timed(lines: list[Line]) -> None:
    """Give the times in order to entries that were moved."""
    for line, at in zip(lines[1:-1], sorted(one["at"] for one in lines[1:-1]), strict=True):
        line["at"] = at


def _another_seat(lines: list[Line], chance: random.Random) -> None:
    found = [
        event for line in lines[1:-1] for event in line["events"]
        if "seat" in event and "cents" in event
    ]  # fmt: skip
    event = chance.choice(found)
    event["seat"] += 3 - 2 * event["seat"]


def _swapped_commands(lines: list[Line], chance: random.Random) -> None:
    placed = [line for line in lines[1:-1] if does("PlaceWagers")(line)]
    one = chance.choice(placed)
    other = next(it for it in placed if it["command"]["seat"] != one["command"]["seat"])
    one["command"], other["command"] = other["command"], one["command"]


def _other_clauses(lines: list[Line], chance: random.Random) -> None:
    event = chance.choice([event for line in lines[1:-1] for event in line["events"]])
    clauses = event["clauses"]
    event["clauses"] = chance.choice(([*clauses, "NJ-MINI:99"], clauses[1:] or ["NJ-MINI:1"]))


def _another_office(lines: list[Line], chance: random.Random) -> None:
    line = chance.choice([line for line in lines[1:-1] if does("DrawCard")(line)])
    line["by"] = [{"person": "Patron 1", "office": "patron", "device": "", "seat": 1}]


def _look_alike(lines: list[Line], chance: random.Random) -> None:
    found = [line for line in lines[1:-1] if has("PatronSeated")(line)]
    event_of(chance.choice(found), "PatronSeated")["patron"] = "P\u0430tron 1"


def _stake_and_payment(lines: list[Line], chance: random.Random) -> None:
    at = chance.choice([at for at, line in enumerate(lines[:-1]) if at and has("WagerPaid")(line)])
    paid = event_of(lines[at], "WagerPaid")
    paid["cents"] *= 2
    for line in lines[1:at]:
        if does("PlaceWagers")(line) and line["command"]["seat"] == paid["seat"]:
            for stakes in (line["command"]["stakes"], event_of(line, "WagersPlaced")["stakes"]):
                stakes[paid["wager"]] = 2 * stakes.get(paid["wager"], 0)


def _moved_to_the_next_round(lines: list[Line], chance: random.Random) -> None:
    begin, end = rounds_of(lines)[0]
    line = lines.pop(chance.randrange(begin - 9, begin))
    lines.insert(chance.randrange(begin + 3, end - 1), line)
    _timed(lines)


def _round_taken_out(lines: list[Line], _: random.Random) -> None:
    begin, end = rounds_of(lines)[0]
    del lines[begin:end]
    for line in lines[begin:-1]:
        for event in line["events"]:
            if "round" in event:
                event["round"] -= 1


def _round_repeated(lines: list[Line], _: random.Random) -> None:
    begin, end = rounds_of(lines)[0]
    lines[end:end] = deepcopy(lines[begin:end])
    _timed(lines)


def _an_hour_earlier(lines: list[Line], chance: random.Random) -> None:
    """Shift what follows by the hour that a clock is set back."""
    for line in lines[chance.randrange(2, len(lines) - 1) : -1]:
        line["at"] = line["at"].replace("T12:", "T11:")


def _with_an_offset(lines: list[Line], chance: random.Random) -> None:
    line = chance.choice(lines[1:-1])
    line["at"] = line["at"].replace("Z", "+00:00")


def _far_away(lines: list[Line], chance: random.Random) -> None:
    line = chance.choice(lines[1:-1])
    line["at"] = f"{chance.choice(('1', '9', '-'))}{line['at']}"


def _events_in_another_order(lines: list[Line], chance: random.Random) -> None:
    events = chance.choice([line for line in lines[1:-1] if len(line["events"]) > 1])["events"]
    events.insert(0, events.pop())


def _a_deep_value(lines: list[Line], chance: random.Random) -> None:
    held, key = chance.choice([*leaves({"events": [line["events"] for line in lines[1:-1]]})])
    held[key] = chance.choice(("x" * 200_000, -(10**18), [[[[]]]], {"a": {"b": 1}}))  # type: ignore[index]


SEALED: Final = (
    _another_seat, _swapped_commands, _other_clauses, _another_office, _look_alike,
    _stake_and_payment, _moved_to_the_next_round, _round_taken_out, _round_repeated,
    _an_hour_earlier, _with_an_offset, _far_away, _events_in_another_order, _a_deep_value,
)  # fmt: skip
"""Changes of entries that are all numbered and sealed again: whoever derives events finds each."""


@pytest.mark.parametrize("seed", range(volume(180, 42, most=2_800)))
def test_a_random_forgery_is_found_by_deriving_events(seed: int, log: Path) -> None:
    chance = random.Random(f"forgery {seed}")
    lines = read(whole())
    change = SEALED[seed % len(SEALED)]
    change(lines, chance)
    data = forged(lines)
    assert data != whole()
    log.write_bytes(data)
    begun = process_time()
    assert run(log, "verify")[0] in {1, 2}, change
    command = chance.choice([*READERS])
    status, told = run(log, command)
    assert not is_broken(log) or status in {1, 2}, (change, command, told)
    assert process_time() - begun < 10, (change, command)
