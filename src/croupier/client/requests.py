"""Requests and answers shared by both clients."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple
from urllib.parse import parse_qs, quote, urlsplit

from croupier.acts import Command
from croupier.records.codec import CodecError, dump, from_json

AGAIN: Final = frozenset({"not_stored", "not_owner", "closing", "too_many"})
"""Codes after which a request is retried under its key, and so done once."""


class ServiceError(Exception):
    """A refusal: nothing was done, unless its status is 500 or more and its text does not say so.

    ``code`` is for programs, ``clauses`` are the reason, and ``legal`` lists permitted
    alternatives.
    """

    def __init__(self, status: int, document: Mapping[str, Any]) -> None:
        super().__init__(f"{document.get('code', status)}: {document.get('detail', '')}")
        self.status: Final = status
        self.code: Final[str] = str(document.get("code", ""))
        self.clauses: Final[Sequence[Mapping[str, str]]] = document.get("clauses", ())
        self.legal: Final[Sequence[Mapping[str, Any]]] = document.get("legal", ())
        self.told: Final = document


class ServiceEvent(NamedTuple):
    """An event of a stream: ``entry`` with its number, ``resync``, or ``bye``."""

    kind: str
    sequence: int | None
    data: Mapping[str, Any]


class Wanted(NamedTuple):
    method: str
    path: str
    body: bytes = b""
    headers: Mapping[str, str] = {}
    query: Mapping[str, str] = {}
    member: str = ""
    """The member of the answer that is returned, if not all."""
    is_raw: bool = False
    """Whether the answer is returned as bytes."""

    @property
    def arguments(self) -> dict[str, Any]:
        """Keyword arguments for ``httpx``'s ``request``."""
        return {
            "method": self.method,
            "url": self.path,
            "content": self.body,
            "headers": dict(self.headers),
            "params": dict(self.query),
        }


def of_owner(wanted: Wanted, error: Exception, place: str) -> Wanted:
    """Return a request addressed to the process named by a refusal, or else unchanged.

    The token is sent only to addresses named by the service, and never from TLS to plain HTTP.

    >>> refused = ServiceError(503, {"code": "not_owner", "owner": "http://127.0.0.1:8751"})
    >>> of_owner(Wanted("GET", "/v1/tables/T"), refused, "http://127.0.0.1:8750").path
    'http://127.0.0.1:8751/v1/tables/T'
    >>> of_owner(Wanted("GET", "/v1/tables/T"), refused, "https://pit.example").path
    '/v1/tables/T'
    """
    if not isinstance(error, ServiceError) or error.code != "not_owner":
        return wanted
    owner = urlsplit(str(error.told.get("owner", "")))
    named = owner.scheme in {"http", "https"} and owner.netloc and not owner.path
    if not named or (owner.scheme == "http" and place.startswith("https:")):
        return wanted
    return wanted._replace(path=f"{owner.geturl()}{wanted.path}")


def new_key() -> str:
    """Return a unique idempotency key."""
    return secrets.token_urlsafe(18)


def written(command: Command | Mapping[str, Any]) -> bytes:
    return dump(command.to_dict() if isinstance(command, Command) else dict(command))


def keyed(
    key: str | None, expected: int | None = None, kind: str = "application/json"
) -> dict[str, str]:
    """Headers of a request done once under its key, at entry ``expected``."""
    headers = {"Content-Type": kind, "Idempotency-Key": new_key() if key is None else key}
    if expected is not None:
        headers["If-Match"] = f'"{expected}"'
    return headers


def pit_path(pit: str) -> str:
    """Path of a pit; its name is quoted, for it may have spaces."""
    return f"/v1/pits/{quote(pit, safe='')}"


def table_path(table: str) -> str:
    return f"/v1/tables/{quote(table, safe='')}"


def data_of(path: str, data: Mapping[str, Any], member: str = "") -> Wanted:
    headers = {"Content-Type": "application/json"}
    return Wanted("POST", path, json.dumps(data).encode(), headers, member=member)


def redeeming(link: str, code: str) -> Wanted:
    """Request of a token for a link as it is printed, or for what follows ``link=`` in it."""
    part = parse_qs(urlsplit(link).query).get("link", [link])[0]
    return data_of("/v1/tokens", {"link": part, "code": code}, "token")


def read_answer(status: int, body: bytes, wanted: Wanted | None = None) -> Any:
    """Content of an answer. Raises ``ServiceError`` if it is a refusal."""
    if wanted is not None and wanted.is_raw and status < 400:
        return body
    try:
        document = from_json(body) if body else {}
    except CodecError:
        document = {"detail": body[:200].decode("utf-8", "replace")}
    if status >= 400:
        raise ServiceError(status, document if isinstance(document, dict) else {})
    return document[wanted.member] if wanted is not None and wanted.member else document


class EventLines:
    """Parser of an event stream's lines."""

    def __init__(self) -> None:
        self._fields: dict[str, str] = {}

    def __call__(self, line: str) -> Iterable[ServiceEvent]:
        """Return the event completed by a line, if any."""
        if line:
            name, _, value = line.partition(": ")
            self._fields[name] = value
            return ()
        fields, self._fields = self._fields, {}
        if "event" not in fields:
            return ()
        number = fields.get("id", "")
        sequence = int(number) if number.isdigit() else None
        return (ServiceEvent(fields["event"], sequence, from_json(fields["data"])),)
