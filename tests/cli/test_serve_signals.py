"""``croupier serve`` is asked to end at random moments of its start."""

from __future__ import annotations

import os
import random
import re
import signal
import subprocess
import sys
from pathlib import Path
from time import monotonic, sleep

import pytest

from croupier.records.stores.sqlite_store import SQLiteStore
from support.project import ROOT
from support.tables import NOTIFIED
from support.volume import volume

MA = ROOT / "submissions" / "ma-ez.toml"
STATUSES = {
    signal.SIGTERM: {0, 143, -signal.SIGTERM},
    signal.SIGINT: {0, 130, -signal.SIGINT},
}
"""A shell reports 143 and 130 for a process that the signal itself ended, too."""


def started(store: Path) -> subprocess.Popen[str]:
    words = [str(MA), "--notified", NOTIFIED, "--store", str(store), "--cards", "sealed"]
    links = store.with_name("links.txt")
    links.unlink(missing_ok=True)
    words += ["--links", str(links)]
    return subprocess.Popen(  # noqa: S603  (our own interpreter)
        [sys.executable, "-m", "croupier", "serve", *words, "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    )


def until_it_is_ours(process: subprocess.Popen[str]) -> None:
    """Wait until Python has begun: it reports an interrupt of its own start with a traceback."""
    status = Path(f"/proc/{process.pid}/status")
    if not status.exists():
        pytest.skip("this system does not show which signals a process catches")
    was_caught = False
    while True:
        (caught,) = re.findall(r"SigCgt:\s*([0-9a-f]+)", status.read_text())
        catches = bool(int(caught, 16) & 1 << signal.SIGINT - 1)
        if was_caught and not catches:
            return
        was_caught = was_caught or catches
        sleep(0.002)


def ended(process: subprocess.Popen[str], number: signal.Signals) -> tuple[int, str, float]:
    """Send a signal; return the status, what was written on standard error, and the seconds."""
    begin = monotonic()
    process.send_signal(number)
    try:
        _, errors = process.communicate(timeout=10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        pytest.fail("it goes on")
    return process.returncode, errors, monotonic() - begin


def random_moments(number: signal.Signals) -> list[tuple[int, float]]:
    chance = random.Random(f"signals {number}")
    return [(index, chance.random()) for index in range(volume(12, 4, most=100))]


@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_at_any_moment_of_its_start(tmp_path: Path, number: signal.Signals) -> None:
    store = tmp_path / "pit.sqlite"
    slow = []
    for index, moment in random_moments(number):
        if index % 10 == 0:
            # A new store, and one that goes on, are begun in different ways.
            store = tmp_path / f"pit-{index}.sqlite"
        process = started(store)
        if number == signal.SIGINT:
            until_it_is_ours(process)
        sleep(moment)
        status, errors, seconds = ended(process, number)
        assert (status in STATUSES[number], errors) == (True, ""), (index, moment, status, errors)
        if seconds > 2:
            slow.append((index, moment, seconds))
    # One is slow where the machine is busy; a signal that was lost is never obeyed.
    assert len(slow) <= 1, slow
    assert_it_starts(store)


AT_ONCE = """
import os
from croupier.cli import main

found = type(main).MOMENT

def moment(*words, **options):
    result = found(*words, **options)
    os.kill(os.getpid(), NUMBER)
    return result

type(main).MOMENT = moment
main(["COMMAND"])
"""
"""A signal that comes while a command is found, or once it has ended."""


@pytest.mark.parametrize(
    ("moment", "command"),
    [("make_context", "serve"), ("resolve_command", "serve"), ("invoke", "completion")],
)
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_writes_nothing_when_a_signal_comes_before_the_command_or_after_it(
    number: signal.Signals, moment: str, command: str
) -> None:
    words = f'"{command}", "--demo"' if command == "serve" else f'"{command}", "bash"'
    script = AT_ONCE.replace("NUMBER", str(int(number))).replace("MOMENT", moment)
    script = script.replace('"COMMAND"', words)
    done = subprocess.run(  # noqa: S603  (our own interpreter)
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=60
    )
    assert (done.returncode, done.stderr) == (128 + number, "")


def assert_it_starts(store: Path) -> None:
    process = started(store)
    assert process.stdout is not None
    first = process.stdout.readline()
    assert first.startswith("Serving 1 table at http"), (first, process.stderr)
    assert ended(process, signal.SIGTERM)[:2] in {(0, ""), (-signal.SIGTERM, "")}
    with SQLiteStore(store) as kept:
        assert len(kept.names) == 2, "its pit and its table"


@pytest.mark.parametrize("pause", [0, 0.02, 0.1])
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT])
def test_it_ends_right_after_the_last_link(
    tmp_path: Path, number: signal.Signals, pause: float
) -> None:
    process = started(tmp_path / "pit.sqlite")
    assert process.stdout is not None
    while "links.txt" not in (line := process.stdout.readline()):
        assert line
    sleep(pause)
    status, errors, seconds = ended(process, number)
    assert (status in STATUSES[number], errors) == (True, "")
    assert seconds < 4, "a signal that is lost is never obeyed; a busy machine takes its time"
