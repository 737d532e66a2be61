"""Kills a dealing process at random instants, and compares what it acknowledged with its record.

    .venv/bin/python bench/kill.py [--kills 1000] [--store file|sqlite] [--seed 1]

A child process deals a table and acknowledges every round over a pipe once it is durable: the
number of its last entry and its seal. It is killed with SIGKILL after a random time, now and then
before the table is open or while a snapshot is kept. Then the record is read
back: every acknowledged seal must be in it, the chain must hold, verification must find no
divergence, and a table must be able to go on from it. Prints the kills and the rounds acknowledged,
and what was lost or done twice.
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import sys
import tempfile
import time
from datetime import date
from pathlib import Path
from typing import NoReturn

from croupier.records.entry import system_clock, unseal
from croupier.records.header import LogError, new_header
from croupier.records.log import resume
from croupier.records.recorder import Recorder
from croupier.records.stores.file_stream import FileStream
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.stream import StoreError, Stream
from croupier.rules import TableRules, default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table import Phase
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from croupier.verify.log import verify_log
from yardstick import print_yardstick

NAME = "table 1"

SNAPSHOT_EVERY = 40
"""Entries between two snapshots, so that a child dies while it keeps one too."""

LONGEST = 0.15
"""Seconds after which the last child is killed; they are killed at any time before that."""


def hold(condition: bool, message: str) -> None:  # noqa: FBT001  (as an assertion has it)
    """End the run where something is not as it must be."""
    if not condition:
        sys.exit(message)


def opened(store: str, path: Path, *, anew: bool) -> Stream:
    """Open the record of the one table, or make it."""
    if store == "file":
        return FileStream.create(path) if anew else FileStream.open(path)
    kept = SQLiteStore(path)
    return kept.create(NAME) if anew else kept.open(NAME)


def child(store: str, path: Path, seed: int, rules: TableRules, pipe: int) -> NoReturn:
    """Deal until killed, and acknowledge every round."""
    recorder = Recorder.begin(opened(store, path, anew=True), new_header(rules, f"seed {seed}"))
    recorder.every = SNAPSHOT_EVERY
    session = TableSession(rules, record=recorder, clock=system_clock)
    pilot = Autopilot(session, Chance(seed), patrons=2, dealer_errors=10)
    with session.together():
        pilot.open(date(2011, 2, 22))
    while True:
        pilot.play_shoe(1)
        os.write(pipe, f"{recorder.sequence} {recorder.head}\n".encode())


def killed(
    store: str, path: Path, seed: int, rules: TableRules, after: float
) -> list[tuple[int, str]]:
    """Fork a child, kill it some time after its record is there; return what it acknowledged."""
    out, pipe = os.pipe()
    process = os.fork()
    if process == 0:
        try:
            child(store, path, seed, rules, pipe)
        finally:
            os._exit(1)
    os.close(pipe)
    while not path.exists() or path.stat().st_size == 0:
        time.sleep(0.0005)
    time.sleep(after)
    os.kill(process, signal.SIGKILL)
    _, status = os.waitpid(process, 0)
    hold(os.waitstatus_to_exitcode(status) == -signal.SIGKILL, "the child ended by itself")
    with os.fdopen(out, "rb") as pipe_read:
        whole = pipe_read.read().rpartition(b"\n")[0].decode().splitlines()
    return [(int(sequence), seal) for sequence, _, seal in (line.partition(" ") for line in whole)]


def judged(store: str, path: Path, acknowledged: list[tuple[int, str]]) -> int:
    """Check a record after a kill, and return how many entries it holds."""
    try:
        stream = opened(store, path, anew=False)
        found = resume(stream)
    except (StoreError, LogError) as error:
        # It was killed before its header was durable: nothing can have been acknowledged.
        hold(not acknowledged, f"entries were acknowledged, and {error}")
        return 0
    lines = list(stream.lines())
    seals = [sealed[1] for sealed in map(unseal, lines) if sealed is not None]
    for sequence, seal in acknowledged:
        hold(seals[sequence] == seal, f"entry {sequence} was acknowledged, and is not there")
    recorder = found.recorder(stream)
    session = found.session(recorder, system_clock)
    copy = path.with_suffix(".copy")
    copy.write_bytes(b"".join(lines))
    verdict = verify_log(copy)
    hold(verdict.is_clean, f"the record diverges: {verdict.divergence}")
    hold(verdict.entries == found.position.sequence, "verification and resumption disagree")
    pilot = Autopilot(session, Chance(), patrons=2)
    if session.state.phase is Phase.CLOSED:
        pilot.open(date(2011, 2, 22))
    else:
        pilot.take_over()
    pilot.play_shoe(2)
    hold(stream.count == recorder.sequence + 1, "the record did not go on from where it was")
    stream.close()
    if store == "sqlite":
        stream.store.close()  # type: ignore[attr-defined]
    return found.position.sequence


def main() -> None:
    """Kill children and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--kills", type=int, default=1000)
    parser.add_argument("--store", choices=["file", "sqlite"], default="file")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    print_yardstick()
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    chance = random.Random(options.seed)
    rounds = entries = 0
    for number in range(options.kills):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "record"
            seed = chance.randrange(1 << 30)
            acknowledged = killed(options.store, path, seed, rules, chance.uniform(0, LONGEST))
            entries += judged(options.store, path, acknowledged)
            rounds += len(acknowledged)
        if (number + 1) % 100 == 0:
            print(f"{number + 1} kills, {rounds} rounds acknowledged, {entries} entries kept")
    print(
        f"{options.kills} kills of {options.store}: {rounds} rounds acknowledged, 0 lost, 0 twice;"
        f" {entries} entries kept, every record verified and gone on with"
    )


if __name__ == "__main__":
    main()
