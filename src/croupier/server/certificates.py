"""Renewed certificates, taken over without a restart."""

from __future__ import annotations

import asyncio
import logging
import ssl
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from cryptography.x509 import load_pem_x509_certificate

from croupier.files.text import read_bytes
from croupier.server.equipment import Equipment
from croupier.server.logs import note

_LOOK: Final = 5.0
"""Seconds between checks of the files."""


def loads(tls: tuple[Path, Path]) -> None:
    """Raise ``OSError`` if a certificate chain and key cannot be used together."""
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*tls)


class Certificates:
    """The TLS contexts of a service: new files are taken over without a restart."""

    def __init__(self, tls: tuple[Path, Path], equipment: Equipment | None) -> None:
        self._tls: Final = tls
        self._equipment: Final = equipment
        self._files: Final = [*tls] if equipment is None else [*tls, equipment.authorities]
        self._current: ssl.SSLContext | None = None
        self.until = 0.0
        """When the certificate in use expires, in seconds since 1970."""

    def use(self, first: ssl.SSLContext) -> None:
        """Make connections to a first context use the newest one. Raises ``OSError``."""
        if self._equipment is not None:
            self._equipment.ask(first)
        first.sni_callback = self._newest
        self._take(first)

    def _take(self, context: ssl.SSLContext) -> None:
        chain = load_pem_x509_certificate(read_bytes(self._tls[0]))
        self._current, self.until = context, chain.not_valid_after_utc.timestamp()

    def _newest(self, line: ssl.SSLObject, _: str | None, __: ssl.SSLContext) -> None:
        line.context = self._current  # type: ignore[assignment]

    async def renew(self) -> None:
        """Use new files for new connections, as soon as all are there and match."""
        state = _state(self._files)
        while True:
            await asyncio.sleep(_LOOK)
            current = _state(self._files)
            if current == state:
                continue
            state = current
            self.reload()

    def reload(self) -> bool:
        """Use the files for new connections; return whether they match."""
        try:
            # Certificates that do not match must not damage the context in use.
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(*self._tls)
            if self._equipment is not None:
                self._equipment.ask(context)
            self._take(context)
        except (OSError, ValueError) as error:
            message = f"{self._tls[0]}: not taken over: {error}"
            note("certificate", message, level=logging.ERROR)
            return False
        note("certificate", f"{self._tls[0]}: the new certificate is used")
        return True


def _state(files: Sequence[Path]) -> list[tuple[int, int] | None]:
    found: list[tuple[int, int] | None] = []
    for path in files:
        try:
            stat = path.stat()
        except OSError:
            found.append(None)
        else:
            found.append((stat.st_mtime_ns, stat.st_ino))
    return found
