"""Every command of the program, each as it is really called, in a process of its own.

The processes are forked from one that has imported the program, so that a whole table of commands
runs in a few seconds. ``python -m support.every_command FOLDER SCENARIO`` runs one scenario for
those that are tried, and prints as JSON what came of each: its status, what it printed, and what it
left.
"""

from __future__ import annotations

import fcntl
import gzip
import importlib
import io
import json
import os
import shutil
import signal
import sys
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from itertools import islice
from pathlib import Path
from typing import Any, Final

import croupier.cli
from croupier.records.names import Names, new_names
from support.project import PLAIN, ROOT
from support.texts import dated
from support.volume import MOST, WHOLE

OPENING: Final = (
    '{"type":"OpenTable","inventory_cents":1000000,"dealer":"Dana","floorperson":"Flo",'
    '"gaming_date":"2011-02-22"}\n'
)
PUBLIC_KEY: Final = """\
-----BEGIN PUBLIC KEY-----
MCowBQYDK2VwAyEA11qYAYKxCrfVS/7TyWQHOg7hcvPapiMlrwIaaPcHURo=
-----END PUBLIC KEY-----
"""
RIGHT: Final = "docs/examples/rounds/right.csv"
WRONG: Final = "docs/examples/rounds/wrong.csv"
LAW: Final = dated("us-nj/minibaccarat")
TABLE: Final = ("--submission", "table.toml")

COMMANDS: Final[Mapping[str, tuple[tuple[str, ...], int]]] = {
    "help": (("--help",), 0),
    "law list": (("law", "list"), 0),
    "law show": (("law", "show", LAW, "7.5(f)"), 0),
    "law diff": (("law", "diff", LAW, dated("us-ma/minibaccarat")), 0),
    "law compare": (("law", "compare", "--format", "markdown"), 0),
    "law elections": (("law", "elections", LAW), 0),
    "law search": (("law", "search", "commission"), 0),
    "law acts": (("law", "acts", "shuffle", "--law", LAW), 0),
    "law test": (("law", "test", "scenarios.toml"), 0),
    "law history": (("law", "history", LAW), 0),
    "law interpretations": (("law", "interpretations"), 0),
    "new": (("new", LAW, "--vigorish", "4%"), 0),
    "check": (("check", "table.toml"), 0),
    "submission diff": (("submission", "diff", "table.toml", "table.toml"), 0),
    "check a refused one": (("check", "refused.toml"), 1),
    "deal": (("deal", "table.toml", "--seed", "1", "--patrons", "1", "--log", "new.jsonl"), 0),
    "run": (("run", "table.toml", "commands.jsonl", "--log", "new.jsonl"), 0),
    "verify": (("verify", "right.csv", *TABLE, "--format", "json"), 0),
    "verify wrong rounds": (
        ("verify", "wrong.csv", *TABLE, "--repair", "new.csv", "--differences", "new.jsonl"),
        1,
    ),
    "explain": (("explain", "wrong.csv", *TABLE, "--shoe", "1", "--round", "3"), 0),
    "layout": (("layout", "table.toml"), 0),
    "drill": (("drill", "counts", *TABLE, "--format", "json"), 0),
    "table": (("table", "table.toml", "--log", "new.jsonl", "--as", "Dana (dealer)"), 0),
    "drill paper": (("drill", "paper", *TABLE, "--questions", "2", "-o", "new.json"), 0),
    "store": (("store", "check", "no-store.sqlite"), 2),
    "grant": (("grant", "--office", "dealer", "-o", "no-service.txt"), 2),
    "serve": (("serve", "--host", "192.0.2.1"), 2),
    "replay": (("replay", "begun.jsonl", "-o", "replay.html"), 0),
    "ledger": (("ledger", "dealt.jsonl.gz"), 0),
    "rounds": (("rounds", "dealt.jsonl.gz", "--seat", "1"), 0),
    "irregularities": (("irregularities", "dealt.jsonl.gz", "--by", "kind"), 0),
    "decks": (("decks", "dealt.jsonl.gz"), 0),
    "export": (("export", "dealt.jsonl.gz", "-o", "new"), 0),
    "draw verify": (("draw", "verify", "royal.jsonl.gz"), 0),
    "audit": (("audit", "wrong.csv", *TABLE), 1),
    "map": (("map", "wrong.csv"), 0),
    "blackjack": (("blackjack", "--submission", "streak.toml", "--seed", "1"), 0),
    "par": (("par", "--law", LAW), 0),
    "par json": (("par", "--law", LAW, "--format", "json"), 0),
    "par csv": (("par", "--law", LAW, "--format", "csv"), 0),
    "par check": (("par", "check", "vendor.csv", *TABLE), 1),
    "par compare": (("par", "compare", "table.toml", "table.toml"), 0),
    "par blackjack": (("par", "blackjack", "streak.toml", "--results", "win=43,push=9,lose=48"), 0),
    "odds": (("odds", "--law", LAW, "--player", "9h"), 0),
    "design": (("design", "lucky-6.toml", "--law", LAW, "--edge", "10%..20%"), 0),
    "simulate": (("simulate", *TABLE, "--rounds", "1000", "--threads", "1"), 0),
    "simulate csv": (("simulate", *TABLE, "--rounds", "1000", "--format", "csv"), 0),
    "session": (
        ("session", *TABLE, "--wager", "banker", "--unit", "25", "--bankroll", "1000",
         "--shoes", "1", "--sessions", "20", "--rounds-out", "new.csv"),
        0,
    ),
    "count": (("count", *TABLE, "--wager", "tie", "--shoes", "10", "--plot", "new.svg"), 0),
    "vectors": (("vectors", "--law", LAW, "-o", "new"), 0),
    "key new": (("key", "new", "table.key"), 0),
    "key trust": (("key", "trust", "signing.key.pub"), 0),
    "key vault": (("key", "vault", "vault.key"), 0),
    "names new": (("names", "new", "new.names"), 0),
    "names list": (("names", "list", "pat.names"), 0),
    "names erase": (
        ("names", "erase", "pat.names", "Pat", "--by", "Ann", "--reason", "asked"),
        0,
    ),
    "doctor": (("doctor", "--format", "json"), 0),
    "completion": (("completion", "bash"), 0),
    "schema": (("schema", "par"), 0),
    "help on a topic": (("help", "table-log"), 0),
    "samples": (("samples", "new"), 0),
}  # fmt: skip
"""Each command as its words, and its status where nothing hinders it."""

OUTPUTS: Final[Mapping[str, tuple[tuple[str, ...], str, str]]] = {
    "deal --log": (("deal", "table.toml", "--seed", "1", "--patrons", "1", "--log"), "jsonl", "table.toml"),
    "run --log": (("run", "table.toml", "commands.jsonl", "--log"), "jsonl", "commands.jsonl"),
    "verify --repair": (("verify", "wrong.csv", *TABLE, "--repair"), "csv", "wrong.csv"),
    "verify --differences": (("verify", "wrong.csv", *TABLE, "--differences"), "csv", "wrong.csv"),
    "audit -o": (("audit", "wrong.csv", *TABLE, "-o"), "json", "table.toml"),
    "audit --out": (("audit", "wrong.csv", *TABLE, "--out"), "html", "wrong.csv"),
    "map -o": (("map", "wrong.csv", "-o"), "toml", "wrong.csv"),
    "check -o": (("check", "table.toml", "-o"), "json", "table.toml"),
    "verify -o": (("verify", "wrong.csv", *TABLE, "-o"), "txt", "wrong.csv"),
    "odds --out": (("odds", *TABLE, "--out"), "json", "table.toml"),
    "layout -o": (("layout", "table.toml", "-o"), "svg", "table.toml"),
    "replay -o": (("replay", "dealt.jsonl.gz", "-o"), "html", "dealt.jsonl.gz"),
    "ledger -o": (("ledger", "dealt.jsonl.gz", "-o"), "csv", "dealt.jsonl.gz"),
    "ledger --out": (("ledger", "dealt.jsonl.gz", "--out"), "xlsx", "dealt.jsonl.gz"),
    "par -o": (("par", *TABLE, "-o"), "csv", "table.toml"),
    "par check --out": (("par", "check", "vendor.csv", *TABLE, "--out"), "txt", "vendor.csv"),
    "par --out": (("par", *TABLE, "--own", "lucky-6.toml", "--out"), "xlsx", "lucky-6.toml"),
    "session --rounds-out": ((*COMMANDS["session"][0][:-1],), "csv", "table.toml"),
    "session --sessions-out": ((*COMMANDS["session"][0][:-2], "--sessions-out"), "parquet", "table.toml"),
    "session --plot": ((*COMMANDS["session"][0][:-2], "--plot"), "svg", "table.toml"),
    "count -o": (("count", *TABLE, "--wager", "tie", "--shoes", "10", "-o"), "html", "table.toml"),
    "count --plot": ((*COMMANDS["count"][0][:-1],), "svg", "table.toml"),
}  # fmt: skip
"""Each option that names a file to write: the words before it, a suffix, and a file that is read."""


def furnish(folder: Path) -> None:
    """Put into a folder what the commands read."""
    for name, source in {
        "table.toml": PLAIN,
        "refused.toml": ROOT / "docs/examples/refused.toml",
        "streak.toml": ROOT / "submissions/nj-blackjack-streak.toml",
        "lucky-6.toml": ROOT / "docs/examples/lucky-6.toml",
        "dealt.jsonl.gz": ROOT / "tests/data/logs/nj-minibaccarat.format-2.jsonl.gz",
        "royal.jsonl.gz": ROOT / "tests/data/logs/ma-royal-9.format-2.jsonl.gz",
        "right.csv": ROOT / RIGHT,
        "vendor.csv": ROOT / "tests/data/vendor.csv",
        "wrong.csv": ROOT / WRONG,
        "scenarios.toml": ROOT / "docs/examples/scenarios/nj-minibaccarat.toml",
    }.items():
        (folder / name).write_bytes(source.read_bytes())
    (folder / "commands.jsonl").write_text(OPENING, encoding="utf-8")
    (folder / "signing.key.pub").write_text(PUBLIC_KEY, encoding="ascii")
    new_names(folder / "pat.names")
    Names(folder / "pat.names").token("Pat")
    (folder / "pat.names.lock").unlink()
    # A page is made of each entry: the first ones are enough where it is not the page that is tested.
    with gzip.open(folder / "dealt.jsonl.gz") as dealt:
        (folder / "begun.jsonl").write_bytes(b"".join(islice(dealt, 120)))


class Child:
    """A command that runs in a process of its own, in the folder of this one."""

    def __init__(self, words: tuple[str, ...], out: int, encoding: str = "utf-8") -> None:
        self._errors = os.memfd_create("errors")
        self.pid = os.fork()
        if self.pid == 0:
            os.dup2(out, 1)
            os.dup2(self._errors, 2)
            sys.stdout = io.TextIOWrapper(io.BufferedWriter(io.FileIO(1, "wb")), encoding=encoding)
            sys.stderr = io.TextIOWrapper(
                io.BufferedWriter(io.FileIO(2, "wb")), encoding=encoding, line_buffering=True
            )
            sys.argv = ["croupier", *words]
            code: object = 99
            try:
                croupier.cli.main(prog_name="croupier")
            except SystemExit as end:
                code = end.code
            finally:
                os._exit(code if isinstance(code, int) else 98)

    def blocked(self) -> bool:
        """Return whether it waits for somebody to read what it prints."""
        return "pipe" in Path(f"/proc/{self.pid}/wchan").read_text(encoding="ascii")

    def ended(self) -> int | None:
        """Return its status, once it has one; below zero for the signal that killed it."""
        pid, status = os.waitpid(self.pid, os.WNOHANG)
        return os.waitstatus_to_exitcode(status) if pid else None

    def status(self) -> int:
        """Wait for its end, and return its status."""
        return os.waitstatus_to_exitcode(os.waitpid(self.pid, 0)[1])

    def errors(self) -> str:
        """Return what it printed on standard error."""
        size = os.fstat(self._errors).st_size
        return os.pread(self._errors, size, 0).decode("utf-8", "backslashreplace")


def full_disk(words: tuple[str, ...]) -> dict[str, Any]:
    """Run a command whose standard output is a full disk."""
    out = os.open("/dev/full", os.O_WRONLY)
    child = Child(words, out)
    status = child.status()
    os.close(out)
    return {"status": status, "errors": child.errors()}


def closed_pipe(words: tuple[str, ...]) -> dict[str, Any]:
    """Run a command whose output nobody reads."""
    reader, out = os.pipe()
    os.close(reader)
    child = Child(words, out)
    status = child.status()
    os.close(out)
    return {"status": status, "errors": child.errors()}


def plain(words: tuple[str, ...], encoding: str) -> dict[str, Any]:
    """Run a command on a terminal of some encoding, and return what it printed."""
    out = os.memfd_create("out")
    child = Child(words, out, encoding)
    status = child.status()
    printed = os.pread(out, os.fstat(out).st_size, 0)
    os.close(out)
    return {"status": status, "errors": child.errors(), "printed": printed.decode("latin-1")}


def stopped(words: tuple[str, ...], number: int) -> dict[str, Any]:
    """Send a command a signal while it prints, or before its end where it prints little.

    Its standard output is a pipe that is full already, so that it waits for us.
    """
    reader, out = os.pipe()
    fcntl.fcntl(out, fcntl.F_SETPIPE_SZ, 4096)
    os.set_blocking(out, False)
    with suppress(BlockingIOError):
        while True:
            os.write(out, b"x")
    os.set_blocking(out, True)
    child = Child(words, out)
    status = child.ended()
    while status is None and not child.blocked():
        time.sleep(0.01)
        status = child.ended()
    if status is None:
        os.kill(child.pid, number)
        status = child.status()
    os.close(reader)
    os.close(out)
    return {"status": status, "errors": child.errors()}


SCENARIOS: Final[Mapping[str, Callable[[tuple[str, ...]], dict[str, Any]]]] = {
    "ascii": lambda words: plain(words, "ascii"),
    "full": full_disk,
    "closed": closed_pipe,
    "SIGINT": lambda words: stopped(words, signal.SIGINT),
    "SIGTERM": lambda words: stopped(words, signal.SIGTERM),
}


HALVES: Final = {"full": (0, 1), "closed": (2, 3), "SIGINT": (0, 2), "SIGTERM": (1, 3)}
"""Which of every four commands meet a scenario, so that each pair of a stream and a signal is met."""


def tried(scenario: str) -> list[str]:
    """Return the commands that a scenario is for: usually each command is in one of them.

    What a command prints is shown on the terminal without Unicode: twice as many are tried there. In
    the whole check all are, and each command meets one bad stream and one signal; for a night all
    meet all.
    """
    names, which = [*COMMANDS], [*SCENARIOS].index(scenario)
    if MOST or (WHOLE and which == 0):
        return names
    every, these = (4, HALVES[scenario]) if WHOLE else (6, (0, 5) if which == 0 else (which,))
    share = [name for at, name in enumerate(names) if at % every in these]
    return [*dict.fromkeys(["deal", *share])]


def main() -> None:
    """Run one scenario for commands in a new folder, and print what came of each."""
    folder, run = Path(sys.argv[1]), SCENARIOS[sys.argv[2]]
    furnish(folder)
    os.chdir(folder)
    # What the commands would each import is imported once, before they are forked.
    for name in (
        *(
            "cli.tables.deal",
            "cli.records.verify",
            "cli.records.audit",
            "cli.analysis.par",
            "cli.analysis.simulate",
            "cli.analysis.session_play",
        ),
        *(
            "cli.analysis.count",
            "cli.analysis.vectors",
            "simulation.simulate",
            "simulation.lanes",
            "odds.study",
        ),
    ):
        importlib.import_module(f"croupier.{name}")
    before = set(folder.iterdir())
    found = {}
    for name in tried(sys.argv[2]):
        found[name] = run(COMMANDS[name][0])
        left = sorted(set(folder.iterdir()) - before)
        found[name]["left"] = [one.name for one in left]
        for one in left:
            if one.is_dir():
                shutil.rmtree(one)
            else:
                one.unlink()
    sys.stdout.write(json.dumps(found))


if __name__ == "__main__":
    main()
