"""Faults of the disk while a table is dealt: what was acknowledged is kept, and the table goes on.

    .venv/bin/python bench/faults.py [--store file|sqlite] [--fault NAME ...]

A child deals rounds and acknowledges each over a pipe once it is durable. Meanwhile ``strace`` lets
system calls on the record fail, a small file system fills up, or a limit of the length of files is
reached. The child says what failed, and goes on from where the table was. Then the record is read
back: every acknowledged seal must be in it, and verification must find no divergence. Needs
``strace``, and for the small file system the right to mount one.
"""

from __future__ import annotations

import argparse
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final, NamedTuple

from croupier.records.entry import system_clock
from croupier.records.header import LogError
from croupier.records.log import LogLines, begin_log, resume_log
from croupier.records.stores.stream import StoreError
from croupier.rules import default_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from croupier.verify.log import verify_log

ROUNDS: Final = 25
SUFFIXES: Final = {"file": "jsonl", "sqlite": "sqlite"}
SYNC: Final = 9
"""Synchronizations after which a table is open."""
WRITE: Final = {"jsonl": 9, "sqlite": 150}
"""Writes after which it is, and between two that fail; SQLite makes many of one commit."""
LARGER: Final = {"jsonl": 1, "sqlite": 5}
"""How many times the room a record needs."""
SYNCS: Final = "fsync,fdatasync"
WRITES: Final = "write,pwrite64,writev"


class Fault(NamedTuple):
    """What goes wrong: calls that fail, the length files may have, the size of the file system.

    ``WRITE`` stands for a number of writes, by the store; length and size are those of a file.
    """

    calls: tuple[str, ...] = ()
    length: int = 0
    size: int = 0
    goes_on: bool = True


FAULTS: Final[Mapping[str, Fault]] = {
    "fsync fails once": Fault((f"{SYNCS}:error=EIO:when={SYNC}",)),
    "fsync fails now and then": Fault((f"{SYNCS}:error=EIO:when={SYNC}+5",)),
    "fsync fails from now on": Fault((f"{SYNCS}:error=EIO:when={SYNC}+",), goes_on=False),
    "write: no space, once": Fault((f"{WRITES}:error=ENOSPC:when=WRITE",)),
    "write: bad disk, now and then": Fault((f"{WRITES}:error=EIO:when=WRITE+WRITE",)),
    "write: no space from now on": Fault((f"{WRITES}:error=ENOSPC:when=WRITE+",), goes_on=False),
    "nothing can be taken back": Fault(
        (f"{WRITES}:error=EIO:when=WRITE", "ftruncate:error=EIO:when=1")
    ),
    "a limit of the length of files": Fault(length=60_000),
    "a small file system": Fault(size=100),
}


def child(path: Path, length: int) -> None:
    """Deal rounds; say what is durable and what failed, and go on after each failure."""
    rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    recorder, stream = begin_log(path, rules, shuffle="cryptographic")
    session = TableSession(rules, record=recorder, clock=system_clock)
    pilot = Autopilot(session, Chance(), patrons=2)
    with session.together():
        pilot.open(date(2011, 2, 22))
    if length:
        resource.setrlimit(resource.RLIMIT_FSIZE, (length, resource.RLIM_INFINITY))
    failures = 0
    while session.state.rounds < ROUNDS and failures < ROUNDS:
        try:
            pilot.play_shoe(1)
            print("ack", recorder.sequence, recorder.head, flush=True)
        except StoreError as error:
            failures += 1
            print("failed", error, flush=True)
            # Whoever looks after the disk answers by now.
            sys.stdin.readline()
            resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY,) * 2)
            if "resume it" in str(error):
                stream.close()
                try:
                    found, stream = resume_log(path)
                except LogError as gone:
                    print("failed", gone, flush=True)
                    continue
                recorder = found.recorder(stream)
                session = found.session(recorder, system_clock)
            pilot = Autopilot(session, Chance(), patrons=2)
            pilot.take_over()
    print("end", session.state.rounds, flush=True)


@contextmanager
def small(folder: Path, kilobytes: int) -> Iterator[None]:
    """Mount a file system of a size over a folder; of none if it is zero."""
    if not kilobytes:
        yield
        return
    mount = shutil.which("mount") or sys.exit("no mount")
    told = subprocess.run(
        [mount, "-t", "tmpfs", "-o", f"size={kilobytes}k", "none", str(folder)], check=False
    )
    if told.returncode:
        sys.exit("no file system can be mounted here")
    try:
        yield
    finally:
        subprocess.run([shutil.which("umount") or "umount", "-l", str(folder)], check=True)


def command_of(fault: Fault, path: Path) -> list[str]:
    """Return the command that starts a child under a fault."""
    child_command = [sys.executable, __file__, "--child", str(path)]
    child_command += ["--length", str(fault.length * LARGER[path.suffix[1:]])]
    if not fault.calls:
        return child_command
    strace = shutil.which("strace") or sys.exit("no strace")
    places = [f"{path}{more}" for more in ("", "-wal")]
    first = str(WRITE[path.suffix[1:]])
    calls = ",".join({one.partition(":")[0] for one in fault.calls})
    return [
        strace, "-f", "-qq", "-o", "/dev/null", "-e", f"trace={calls}",
        *(part for place in places for part in ("-P", place)),
        *(
            part
            for call in fault.calls
            for part in ("-e", f"inject={call.replace('WRITE', first)}")
        ),
        *child_command,
    ]  # fmt: skip


def dealt(fault: Fault, path: Path) -> tuple[list[tuple[int, str]], list[str], int]:
    """Run a child; return what it acknowledged, what failed, and its acknowledgments after that."""
    acknowledged: list[tuple[int, str]] = []
    failed: list[str] = []
    after = 0
    with subprocess.Popen(
        command_of(fault, path), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdin is None or process.stdout is None:
            sys.exit("no pipe")
        for line in process.stdout:
            kind, _, rest = line.strip().partition(" ")
            if kind == "ack":
                sequence, _, seal = rest.partition(" ")
                acknowledged.append((int(sequence), seal))
                after += bool(failed)
            elif kind == "failed":
                failed.append(rest)
                if fault.size:
                    mount = shutil.which("mount") or ""
                    more = ["-o", "remount,size=16m", str(path.parent)]
                    subprocess.run([mount, *more], check=True)
                process.stdin.write("\n")
                process.stdin.flush()
    if process.returncode:
        sys.exit(f"the child ended with {process.returncode}")
    return acknowledged, failed, after


def judged(name: str, store: str) -> str:
    """Deal under a fault, check what is left, and say what came of it."""
    fault = FAULTS[name]
    with (
        tempfile.TemporaryDirectory() as folder,
        small(Path(folder), fault.size * LARGER[SUFFIXES[store]]),
    ):
        path = Path(folder) / f"table.{SUFFIXES[store]}"
        acknowledged, failed, after = dealt(fault, path)
        seals = [line[-67:-3].decode() for line in LogLines(path)]
        for sequence, seal in acknowledged:
            if seals[sequence] != seal:
                sys.exit(f"{name}: entry {sequence} was acknowledged, and is not there")
        verdict = verify_log(path)
    if not verdict.is_clean:
        sys.exit(f"{name}: the record diverges: {verdict.divergence}")
    if not failed or (fault.goes_on and not after):
        sys.exit(f"{name}: {len(failed)} failures, {after} rounds after the first")
    return (
        f"{store}, {name}: {len(acknowledged)} rounds acknowledged, {after} of them after the first"
        f" of {len(failed)} failures; 0 lost, the record verified"
    )


def main() -> None:
    """Deal under each fault and print what came of it."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--store", choices=list(SUFFIXES), default="file")
    parser.add_argument("--fault", choices=list(FAULTS), nargs="*", default=list(FAULTS))
    parser.add_argument("--child", type=Path, help=argparse.SUPPRESS)
    parser.add_argument("--length", type=int, default=0, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.child is not None:
        child(options.child, options.length)
        return
    for name in options.fault:
        print(judged(name, options.store), flush=True)


if __name__ == "__main__":
    main()
