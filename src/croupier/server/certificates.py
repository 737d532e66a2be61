"""Renewed certificates, taken over without a restart."""

from __future__ import annotations

import asyncio
import logging
import ssl
from pathlib import Path
from typing import Final

from croupier.server.logs import note

_LOOK: Final = 5.0
"""Seconds between looks at the files."""


def loads(tls: tuple[Path, Path]) -> None:
    """Raise ``OSError`` if a certificate chain and key cannot be used together."""
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(*tls)


async def renew(context: ssl.SSLContext, tls: tuple[Path, Path]) -> None:
    """Use new certificate files for new connections, as soon as both are there and match."""
    before = _state(tls)
    while True:
        await asyncio.sleep(_LOOK)
        now = _state(tls)
        if now == before:
            continue
        before = now
        try:
            # A pair that does not match must not damage the context in use.
            loads(tls)
            context.load_cert_chain(*tls)
        except OSError as error:
            note("certificate", f"{tls[0]}: not taken over: {error}", level=logging.ERROR)
        else:
            note("certificate", f"{tls[0]}: the new certificate is used")


def _state(tls: tuple[Path, Path]) -> list[tuple[int, int] | None]:
    found: list[tuple[int, int] | None] = []
    for path in tls:
        try:
            read = path.stat()
        except OSError:
            found.append(None)
        else:
            found.append((read.st_mtime_ns, read.st_ino))
    return found
