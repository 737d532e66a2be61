"""Files spoiled at random, for every kind of reader: each is read, or refused as its reader says."""

from __future__ import annotations

import gzip
import random
import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from datetime import date
from pathlib import Path
from typing import Any, Final, NamedTuple

from croupier.blackjack.results import ResultsError, read_results
from croupier.cli.tables.run import _commands
from croupier.files.errors import FileError
from croupier.files.text import JsonError, read_json, read_text
from croupier.files.toml import read_toml
from croupier.law.elect import SubmissionError
from croupier.odds.custom_wagers import read_wager
from croupier.odds.shoe import ShoeError, parse_shoe
from croupier.records.entry import SteppedClock
from croupier.records.header import LogError
from croupier.records.reader import LogReader
from croupier.records.rounds.mapping import read_mapping
from croupier.records.rounds.reading import open_rounds
from croupier.rules import CustomWagerError, default_submission, read_rules, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from croupier.verify.log import verify_log
from croupier.verify.rounds.file import verify_file
from support.logs import recorded
from support.texts import NJ_MINI

Refusals = tuple[type[Exception], ...]


class Kind(NamedTuple):
    """A kind of file: good ones, what reads them, and how that refuses."""

    seeds: Callable[[Path], tuple[bytes, ...]]
    read: Callable[[Path], Any]
    refusals: Refusals = (FileError,)


class Outcome(NamedTuple):
    """What came of an attack: how many files were read, how many refused, and the longest time."""

    read: int
    refused: int
    worst_seconds: float
    worst: bytes


ROOT: Final = Path(__file__).parents[2]
RULES: Final = table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))

_TOKENS: Final = (
    b"[", b"]", b"{", b"}", b'"', b"'", b'"""', b"'''", b"=", b".", b",", b":", b"\n", b"\r\n", b"\r",
    b"\x00", b"\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\\u0000", b"\\ud800", b"#", b"-",
    b"0", b"9" * 70, b"9" * 5_000, b"1e999", b"-1", b"nan", b"inf", b"true", b"null", b"a.a" * 40,
    b"[[" * 600, b"{a=" * 100, b"2011-13-99", b"PK\x03\x04", b"\x1f\x8b\x08", b"sep=;\n", b"=1+1", b"?",
)  # fmt: skip


def _toml(*names: str) -> Callable[[Path], tuple[bytes, ...]]:
    return lambda _: tuple((ROOT / name).read_bytes() for name in names)


def _log(folder: Path) -> tuple[bytes, ...]:
    path = folder / "seed.jsonl"
    with recorded(path, RULES, shuffle="seed 1") as writer:
        pilot = Autopilot(TableSession(RULES, record=writer, clock=SteppedClock()), Chance(1))
        pilot.open(date(2011, 2, 22))
    return (path.read_bytes(),)


def _shoe(path: Path) -> object:
    return parse_shoe(read_text(path))


def _run(path: Path) -> object:
    return list(_commands(path, None, None))


_COMMANDS: Final = (
    b'{"type": "SeatPatron", "seat": 3, "name": "Pat"}\n'
    b'{"type": "PlaceWager", "seat": 3, "wager": "banker", "cents": 10000}\n'
    b'{"type": "DrawCard", "card": "9h"}\n'
)
_RESULTS: Final = (
    b'{"round": 1, "seat": 3, "hands": ["win", "push"], "streak": {"2": 500}}\n'
    b'{"round": 2, "seat": 3, "hands": ["lose"], "bonus": 100}\n'
)

KINDS: Final[Mapping[str, Kind]] = {
    "submission": Kind(
        _toml("submissions/nj-minibaccarat.toml"), read_rules, (FileError, SubmissionError)
    ),
    "custom wager": Kind(
        _toml("docs/examples/lucky-6.toml"), read_wager, (FileError, CustomWagerError)
    ),
    "mapping": Kind(_toml("docs/examples/rounds/other.toml"), read_mapping),
    "toml": Kind(lambda _: (b'tags = "4=-1,8=2"\nramp = "4=1,5=2"\n',), read_toml),
    "json": Kind(lambda _: (b'{"format": "x/1", "files": [{"name": "a"}]}',), read_json, (FileError, JsonError)),
    "shoe": Kind(lambda _: (b'{"by_rank": {"A": 32, "9": 8}}', b"A=32,2=31"), _shoe, (FileError, ShoeError)),
    "results": Kind(lambda _: (_RESULTS,), lambda path: read_results(read_text(path), 7), (FileError, ResultsError)),
    "commands": Kind(lambda _: (_COMMANDS,), _run),
    "log": Kind(_log, verify_log, (LogError,)),
    "log shown": Kind(_log, lambda path: list(LogReader(path).steps()), (LogError,)),
    "rounds csv": Kind(
        _toml("docs/examples/rounds/right.csv", "docs/examples/rounds/wrong.csv"),
        lambda path: verify_file(path, RULES),
    ),
    "rounds jsonl": Kind(
        _toml("docs/examples/rounds/irregular.jsonl"), lambda path: verify_file(path, RULES)
    ),
    "rounds": Kind(
        _toml("docs/examples/rounds/irregular.jsonl", "docs/examples/rounds/right.csv"),
        lambda path: list(open_rounds(path)),
    ),
}  # fmt: skip


def _spoil(chance: random.Random, data: bytearray) -> None:
    at = chance.randrange(len(data) + 1)
    to = min(len(data), at + chance.choice((1, 2, 8, 64)))
    token = chance.choice(_TOKENS)
    made = (
        chance.randbytes(to - at),
        b"",
        bytes(data[at:to]) * chance.choice((2, 3, 51, 1_001)),
        token,
        token * chance.choice((2, 40, 2_000)),
        bytes(one ^ 1 << chance.randrange(8) for one in data[at:to][:1]),
    )
    data[at:to] = chance.choice(made)
    if chance.randrange(8) == 0:
        del data[at:]


def spoiled(chance: random.Random, seeds: tuple[bytes, ...]) -> Iterator[bytes]:
    """Yield spoiled files without end; one in seven is compressed or in another encoding too."""
    wide = ("utf-16", "utf-16-le", "utf-16-be")
    while True:
        data = bytearray(chance.choice(seeds))
        for _ in range(chance.choice((1, 1, 1, 2, 4, 16))):
            _spoil(chance, data)
        made = bytes(data[: 1 << 20])
        as_it_is = [made] * 18
        compressed = gzip.compress(made)
        text = made.decode("utf-8", "replace").encode(chance.choice(wide))
        yield chance.choice([*as_it_is, compressed, compressed[: chance.randrange(400)], text])


def attack(name: str, folder: Path, cases: int, seed: int) -> Outcome:
    """Read so many spoiled files of a kind; whatever is raised and is no refusal goes through."""
    kind = KINDS[name]
    path = folder / "spoiled"
    seeds = kind.seeds(folder)
    # What is compiled once for each installation is no part of what a file costs.
    path.write_bytes(seeds[0])
    with suppress(*kind.refusals):
        kind.read(path)
    files = spoiled(random.Random(f"{name} {seed}"), seeds)
    read = refused = 0
    worst, slowest = 0.0, b""
    for _ in range(cases):
        data = next(files)
        path.write_bytes(data)
        began = time.process_time()
        try:
            kind.read(path)
            read += 1
        except kind.refusals as error:
            refused += bool(str(error))
        except BaseException:
            (folder / f"{name.replace(' ', '-')}.found").write_bytes(data)
            raise
        if (took := time.process_time() - began) > worst:
            worst, slowest = took, data
    return Outcome(read, refused, worst, slowest)
