"""``croupier serve`` in processes of its own, to be killed, stopped, and asked.

They are forked from one process that has imported what a service needs: to import it takes several
times as long as to begin to serve. ``tests/cli/test_serve_command.py`` calls the program itself.
"""

from __future__ import annotations

import io
import multiprocessing
import os
import re
import signal
import sys
import tempfile
from functools import cache, partial
from multiprocessing.connection import Connection
from multiprocessing.context import ForkServerContext
from pathlib import Path

from croupier.cli import main
from croupier.server import service
from croupier.server.desks.leases import USUAL, Terms
from support.hurried import hurry

_IMPORTED = ("support.processes", "croupier.cli.tables.serve", "croupier.server.opening",
             "croupier.server.resources.page_calls", "croupier.server.run", "psycopg",
             "uvicorn.protocols.http.h11_impl", "croupier.records.stores.places")  # fmt: skip


class Process:
    """A service in a process of its own: its address, and the one-time link of each office."""

    def __init__(self, place: str, *words: str, terms: Terms = USUAL) -> None:
        reader, writer = multiprocessing.Pipe(duplex=False)
        folder = tempfile.TemporaryDirectory()
        links = Path(folder.name) / "links.txt"
        said = ("serve", *words, "--store", place, "--port", "0", "--links", str(links))
        self._process = _forks().Process(target=_served, args=(said, terms, writer), daemon=True)
        self._process.start()
        writer.close()
        self.links: dict[str, str] = {}
        with os.fdopen(os.dup(reader.fileno()), encoding="utf-8") as told:
            reader.close()
            found = re.search(r"Serving .* at (http://[0-9.:]+)", told.readline())
            assert found is not None, "it ended"
            self.place = found[1]
            while "links.txt" not in (line := told.readline()):
                assert line, "it ended"
        with folder:
            for line in links.read_text(encoding="utf-8").splitlines():
                if one := re.search(r"pit 1, ([a-z ]+): \S+link=(\S+)", line):
                    self.links[one[1]] = one[2]

    @property
    def is_alive(self) -> bool:
        """Whether it has not ended yet."""
        return self._process.is_alive()

    def send(self, number: signal.Signals) -> None:
        """Send it a signal."""
        assert self._process.pid is not None
        os.kill(self._process.pid, number)

    def kill(self) -> None:
        """Kill it, unless that is done."""
        self._process.kill()
        self._process.join(20)
        assert not self.is_alive

    def ask_to_end(self) -> None:
        """Ask it to end, though it was stopped, unless it has."""
        if self.is_alive:
            self.send(signal.SIGCONT)
            self.send(signal.SIGTERM)

    def wait(self) -> None:
        """Wait until it has ended."""
        self._process.join(30)
        assert not self.is_alive


@cache
def _forks() -> ForkServerContext:
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload([*_IMPORTED])
    return context


def _served(words: tuple[str, ...], terms: Terms, writer: Connection) -> None:
    """Be the command, which prints into a pipe."""
    os.dup2(writer.fileno(), 1)
    sys.stdout = io.TextIOWrapper(io.FileIO(1, "wb"), write_through=True)
    service.Service = partial(service.Service, terms=terms)  # type: ignore[assignment,misc]
    hurry()
    sys.argv = ["croupier", *words]
    main(prog_name="croupier")
