"""A plain line to a service: what a client of good manners would not send can be sent on it."""

from __future__ import annotations

import http.client
from collections.abc import Mapping
from typing import Final


class Wire:
    """One connection that is kept open, and made again when it was closed."""

    def __init__(self, place: str, seconds: float = 20) -> None:
        self.host: Final = place.removeprefix("http://")
        self._seconds: Final = seconds
        self._line = http.client.HTTPConnection(self.host, timeout=seconds)

    def ask(
        self, method: str, path: str, body: bytes | None, headers: Mapping[str, str]
    ) -> tuple[int, Mapping[str, str], bytes]:
        """Return status, headers and body of an answer; a line that was closed is made again."""
        for again in (True, False):
            try:
                self._line.request(method, path, body, dict(headers))
                answer = self._line.getresponse()
                return answer.status, dict(answer.getheaders()), answer.read()
            except (http.client.HTTPException, ConnectionError):
                self._line.close()
                if not again:
                    raise
        raise AssertionError

    def close(self) -> None:
        """End the connection."""
        self._line.close()
