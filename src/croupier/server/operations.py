"""Operator functions of the service: copies, checks, certificates, and hand-overs."""

from __future__ import annotations

import asyncio
import os
import platform
import re
import shutil
import sys
from collections.abc import Awaitable, Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from pathlib import Path
from sqlite3 import sqlite_version
from time import strftime
from typing import Final

from croupier.files.shipped import topics
from croupier.files.version import program_version
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.stream import StoreError
from croupier.server.certificates import Certificates
from croupier.server.http.probes import ServiceFigures
from croupier.server.http.problems import Problem
from croupier.server.pages.operator import AlarmLine
from croupier.server.service import Service

_ROOM: Final = 1e9
"""Free bytes that a copy must leave on its disk."""
_RAISED: Final[Mapping[str, tuple[str, Callable[[float], bool]]]] = {
    "CroupierNotReady": ("ready", lambda value: value == 0),
    "CroupierRecordDiffers": ("alarms", lambda value: value > 0),
    "CroupierShoeWithoutSecret": ("tables_without_secret", lambda value: value > 0),
    "CroupierDiskFull": ("store_free_bytes", lambda value: value < _ROOM),
    "CroupierClockJumped": ("clock_jump_age_seconds", lambda value: value < 600),
    "CroupierCertificateExpires": ("certificate_seconds", lambda value: value < 14 * 86_400),
    "CroupierLeaseOld": ("lease_age_seconds", lambda value: value > 3),
}
"""Alarms of the guide that one current figure decides; Prometheus evaluates the others."""


_COUNTED: Final = {
    "croupier_clock_jumps_total": "Jumps of the clock since the start",
    "croupier_sign_ins_total": "Sign-ins since the start",
    "croupier_listeners": "Open streams of events",
    "croupier_listeners_dropped_total": "Streams that were too slow",
}


_PROGRAM: Final = (
    "import sys; from croupier.cli import main; main(sys.stdin.read().split(chr(0)), 'croupier')"
)


@cache
def _guide() -> str:
    return topics()["running"]


def guide_commands() -> Mapping[str, tuple[str, ...]]:
    found: dict[str, tuple[str, ...]] = {}
    flags = re.MULTILINE | re.DOTALL
    for heading, text in re.findall(r"^##+ (.+?)$(.*?)(?=^##|\Z)", _guide(), flags):
        if blocks := tuple(re.findall(r"^```sh\n(.*?)\n```$", text, flags)):
            found[heading] = blocks
    return found


class Operations:
    """The state of a service, and the actions on its pages.

    ``place`` is that of the store, and ``copies`` the folder for its copies. No path, address, or
    name in a request is used.
    """

    def __init__(
        self, service: Service, figures: ServiceFigures, certificates: Certificates | None = None,
        place: str = "", copies: Path | None = None,
    ) -> None:  # fmt: skip
        self._service: Final = service
        self._place: Final = place or str(service.store.path)
        self._copies: Final = copies
        self._certificates: Final = certificates
        self._figures: Final = figures
        self._tasks: Final[dict[str, asyncio.Task[None]]] = {}
        self.results: Final[dict[str, tuple[int, str]]] = {}
        """The last change of each act, in milliseconds, and its result by name."""

    @property
    def acts(self) -> tuple[str, ...]:
        service = self._service
        able = {
            "check": True,
            "copy": self._copies is not None,
            "certificates": self._certificates is not None,
            "hand-over": service.leases is not None,
        }
        return tuple(one for one, can in able.items() if can)

    def alarms(self) -> Iterator[AlarmLine]:
        figures = {name: value for name, (_, value) in self._figures.figures().items()}
        rows = re.findall(r"^\| `(Croupier\w+)` \| (.+?) \| (.+?) \|$", _guide(), re.MULTILINE)
        for name, meaning, do in rows:
            figure, is_raised = _RAISED.get(name, ("", bool))
            raised = is_raised(figures[figure]) if figure in figures else None
            if figure and raised is None:
                raised = False  # No leases, no certificate, or no jump of the clock.
            yield AlarmLine(name, meaning, re.sub(r"\[([^]]+)\]\([^)]+\)", r"\1", do), raised)

    async def facts(self) -> Mapping[str, str]:
        service, now, python = self._service, self._service.clock(), platform.python_version()
        times = [desk.durable.at for desk in service.desks.values() if desk.durable.at is not None]
        lead = max(((time - now).total_seconds() for time in times), default=0.0)
        facts = {
            "Versions": f"Croupier {program_version()}, Python {python}, SQLite {sqlite_version}",
            "Address": service.address,
            "Process": service.owner,
            "Store": str(service.store.path),
            "Fault of the store": str(service.store_fault or "none"),
            "Clock (UTC)": f"{now:%Y-%m-%d %H:%M:%S}",
            "Records ahead of the clock": f"{max(0.0, lead):.1f} s",
        }
        if isinstance(service.store, PostgresStore):
            facts["Clock of the database"] = "not reached"
            with suppress(StoreError, TimeoutError):
                async with asyncio.timeout(1):
                    difference = await asyncio.to_thread(service.store.now) - service.now()
                    facts["Clock of the database"] = f"{difference / 1000:+.1f} s"
        counted = {says: f"{service.metrics.value(one):,.0f}" for one, says in _COUNTED.items()}
        figures = self._figures.figures().items()
        return facts | counted | {says: _shown(name, value) for name, (says, value) in figures}

    async def do(self, act: str, pit: str, copied: Callable[[], Awaitable[None]]) -> None:
        """Begin an act, or do a short one; ``copied`` records a copy first. Raises ``Problem``."""
        self._check(act)
        if act == "copy":
            copy = await asyncio.to_thread(self._new_copy)
            await copied()
            self._check(act)
            self._begin(act, ("backup", self._place, os.fspath(copy)), copy)
        elif act == "check":
            self._begin(act, ("check", self._place))
        elif act == "hand-over":
            await self._hand_over(pit)
        else:
            is_done = self._certificates is not None and self._certificates.reload()
            self._ended(act, "done" if is_done else "failed")

    def _check(self, act: str) -> None:
        if act not in self.acts:
            raise Problem("not_found", f"this service does no {act}: use the command of the guide")
        if act in self._tasks and not self._tasks[act].done():
            raise Problem("exists", f"{act} is under way: wait for its end")

    def _begin(self, act: str, words: Sequence[str], copy: Path | None = None) -> None:
        async def run() -> None:
            result = "failed"
            try:
                result = await _stored(words)
            finally:
                self._ended(act, result)
                # A killed process leaves its draft, with everything it has read.
                for path in () if copy is None else copy.parent.glob(f".{copy.name}.*"):
                    path.unlink(missing_ok=True)

        self._ended(act, "runs")
        self._tasks[act] = asyncio.get_running_loop().create_task(run())

    def _ended(self, act: str, result: str) -> None:
        self.results[act] = self._service.now(), result

    def _new_copy(self) -> Path:
        folder = self._copies
        if folder is None:
            raise TypeError(folder)
        store = self._service.store
        try:
            if isinstance(store, PostgresStore):
                size = store.size()
            else:
                size = Path(store.path).stat().st_size
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            free_bytes = shutil.disk_usage(folder).free
        except OSError as error:
            raise Problem("not_stored", f"copies: {error.strerror}") from error
        if free_bytes < _ROOM + 2 * size:
            raise Problem(
                "disk_full", "copies: less than 1 GB would be left; make space, ask again"
            )
        return folder / strftime("%Y%m%dT%H%M%SZ.sqlite", self._service.clock().utctimetuple())

    async def _hand_over(self, pit: str) -> None:
        service = self._service
        found = service.pits.get(pit)
        if service.leases is None or found is None or found.lost:
            raise Problem("not_owner", "another process serves this pit: its page hands it over")
        count = await service.leases.hand_over(found)
        self._ended("hand-over", "done" if count else "stayed")

    async def end(self) -> None:
        for task in self._tasks.values():
            task.cancel()
        await asyncio.gather(*self._tasks.values(), return_exceptions=True)


def _shown(name: str, value: float) -> str:
    if name.endswith("_bytes"):
        return f"{value / 1e9:,.2f} GB"
    return f"{value:,.0f} s" if name.endswith("_seconds") else f"{value:,.0f}"


async def _stored(words: Sequence[str]) -> str:
    """Run ``croupier store``; its input, which may be secret, and output are not shown."""
    none = asyncio.subprocess.DEVNULL
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-P", "-c", _PROGRAM, stdin=asyncio.subprocess.PIPE, stdout=none,
        stderr=none,
    )  # fmt: skip
    try:
        with suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, process.pid, 10)
        await process.communicate("\0".join(("store", *words)).encode())
        status = await process.wait()
    finally:
        if process.returncode is None:
            process.kill()
            await process.wait()
    return {0: "done", 1: "differs"}.get(status, "failed")
