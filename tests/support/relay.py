"""A connection to a service that a test can cut, or whose answers it can lose."""

from __future__ import annotations

import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from croupier.server.run import Address
from support.served import Served, served
from support.tables import make_table
from support.windows import prepared


class Relay:
    """Passes bytes on between a client and a service; ``to`` is the port of the service."""

    def __init__(self) -> None:
        self.to = 0
        self._listens = socket.create_server(("127.0.0.1", 0))
        self.port = int(self._listens.getsockname()[1])
        self._is_cut = False
        self._loses = b""
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        threading.Thread(target=self._accept, daemon=True).start()

    def cut(self) -> None:
        """End every connection, and take no new one."""
        self._is_cut = True
        self._end()

    def lose_answers(self) -> None:
        """Let the next request through and lose its answer; then the connection is cut."""
        self._loses = b"HTTP/1.1 "

    def lose_requests(self) -> None:
        """Lose the next request that does something; then the connection is cut."""
        self._loses = b"POST "

    def mend(self) -> None:
        """Pass bytes on again."""
        self._is_cut, self._loses = False, b""

    def close(self) -> None:
        """End for good."""
        self.cut()
        self._listens.close()

    def _end(self) -> None:
        with self._lock:
            ends, self._open = self._open, set()
        for one in ends:
            with suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            one.close()

    def _accept(self) -> None:
        while True:
            try:
                near, _ = self._listens.accept()
            except OSError:
                return
            if self._is_cut:
                near.close()
                continue
            try:
                far = socket.create_connection(("127.0.0.1", self.to), 5)
            except OSError:
                near.close()
                continue
            far.settimeout(None)
            with self._lock:
                self._open |= {near, far}
            for pair in ((near, far), (far, near)):
                threading.Thread(target=self._pass, args=pair, daemon=True).start()

    def _pass(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65_536):
                if self._loses and data.startswith(self._loses):
                    self.cut()
                    return
                other.sendall(data)
        with suppress(OSError):
            other.shutdown(socket.SHUT_RDWR)


@contextmanager
def relayed() -> Iterator[Relay]:
    """Run a relay until the block ends."""
    relay = Relay()
    try:
        yield relay
    finally:
        relay.close()


@contextmanager
def behind(relay: Relay, folder: Path) -> Iterator[Served]:
    """Serve a table that is ready for wagers, at a port of its own and at that of a relay."""
    with socket.create_server(("127.0.0.1", 0)) as free:
        relay.to = free.getsockname()[1]
    address = Address(port=relay.to, origin=f"127.0.0.1:{relay.port}")
    with served(folder / "pit.sqlite", address=address) as house:
        house.place = f"http://127.0.0.1:{relay.to}"
        make_table(house)
        house.do(prepared(house, "MB-101", 2))
        yield house
