"""The yardstick of every benchmark: the processor time of ``python -c pass`` in the same run.

Machines differ by three times from one day to the next, so a benchmark prints the yardstick with
its figures and states its bars as ratios to something measured in the same run.
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence

__all__ = ["cpu_seconds", "print_yardstick"]


def _environment() -> Mapping[str, str]:
    """Return the environment of a user: where nothing compiles its sources anew at each start."""
    return {name: at for name, at in os.environ.items() if name != "PYTHONDONTWRITEBYTECODE"}


def cpu_seconds(*arguments: str) -> float:
    """Run the interpreter with arguments and return its user and system seconds."""
    command: Sequence[str] = (sys.executable, *arguments)
    process = subprocess.Popen(command, stdout=subprocess.DEVNULL, env=_environment())
    _, status, usage = os.wait4(process.pid, 0)
    # The process is reaped: its object is told, or it would warn that it was left behind.
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode:
        raise SystemExit(f"{' '.join(arguments)} exits with {process.returncode}")
    return usage.ru_utime + usage.ru_stime


def print_yardstick(repeat: int = 7) -> float:
    """Print and return the least seconds of processor time that ``python -c pass`` takes."""
    least = min(cpu_seconds("-c", "pass") for _ in range(repeat))
    print(f"yardstick: python -c pass takes {1000 * least:.1f} ms of processor, least of {repeat}")
    return least
