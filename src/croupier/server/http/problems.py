"""Refusals as ``application/problem+json``, with a code, clauses, and a remedy."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from http import HTTPStatus
from typing import Any, Final

from croupier.law.model import Instrument, is_entry
from croupier.records.stores.store import FullError, LostError
from croupier.records.stores.stream import StoreError
from croupier.table.machine.core import Refusal

MEDIA_TYPE: Final = "application/problem+json"

CODES: Final[Mapping[str, tuple[int, str]]] = {
    "malformed": (422, "The request cannot be read"),
    "no_token": (401, "No valid token came with the request"),
    "not_allowed": (403, "This office may not do this"),
    "not_trusted": (403, "The request comes from a peer that may not sign people in"),
    "wrong_origin": (403, "A page of another origin sent the request"),
    "not_found": (404, "There is nothing of that name here"),
    "method": (405, "This resource has no such method"),
    "exists": (409, "There is one of that name"),
    "two_offices": (409, "A person holds one office"),
    "not_consented": (403, "A second office has not consented"),
    "lookalike": (409, "The name reads like that of somebody else"),
    "refused_submission": (422, "The submission is refused"),
    "day_under_way": (409, "The gaming day is not over"),
    "no_amendment": (409, "An amendment does not change these rules so"),
    "overdraw": (409, "No card is due"),
    "no_odds": (409, "There are no odds at this point"),
    "no_shoe": (409, "There is no such shoe or card of the service's own"),
    "gone": (410, "It has expired or was used before"),
    "stale": (412, "The table is at another entry"),
    "too_large": (413, "The request is too large"),
    "media_type": (415, "The request is of another media type than this resource reads"),
    "wrong_host": (421, "The request is for another host"),
    "key_reused": (422, "The idempotency key came before with another request"),
    "key_missing": (428, "The request needs an idempotency key"),
    "too_many": (429, "There are too many requests"),
    "no_pdf": (501, "This service makes no PDF"),
    "failed": (500, "The service has failed"),
    "not_stored": (503, "The request could not be stored"),
    "not_owner": (503, "Another process serves this table"),
    "no_store": (503, "The store does not answer"),
    "busy": (503, "Other long queries come first"),
    "closing": (503, "The service is shutting down"),
    "timeout": (408, "The request did not arrive in time"),
    "disk_full": (507, "There is no space left"),
}
"""The service's own codes with status and title. Tables have further codes."""

_FORBIDDEN: Final = frozenset({"not_your_office", "not_your_seat", "not_on_duty", "two_persons"})
"""Refusals of a table that concern the actor."""


class Problem(Exception):  # noqa: N818  (what it is called in RFC 9457)
    """A refused request. Nothing was done; it may succeed in ``retry`` seconds, if that is set."""

    def __init__(  # noqa: PLR0913  (the fields of a problem)
        self,
        code: str,
        detail: str,
        *,
        status: int | None = None,
        clauses: Iterable[Mapping[str, str]] = (),
        seq: int | None = None,
        legal: Iterable[Mapping[str, Any]] | None = None,
        errors: Iterable[Mapping[str, Any]] | None = None,
        owner: str = "",
        headers: Mapping[str, str] | None = None,
        retry: int = 0,
    ) -> None:
        super().__init__(detail)
        stated, title = CODES.get(code, (HTTPStatus.CONFLICT, "The table refuses the command"))
        self.code: Final = code
        self.status: Final = stated if status is None else status
        self.headers: Final = dict(headers or {})
        if retry:
            self.headers["Retry-After"] = str(retry)
        self.body: Final[dict[str, Any]] = {
            "type": f"urn:croupier:problem:{code}",
            "title": title,
            "status": int(self.status),
            "code": code,
            "detail": detail,
            "clauses": list(clauses),
        }
        if owner:
            self.body["owner"] = owner
        for name, value in (("seq", seq), ("legal", legal), ("errors", errors)):
            if value is not None:
                self.body[name] = value if isinstance(value, int) else list(value)


def no_store(error: StoreError) -> Problem:
    """Problem of a write that failed, maybe after others of its request; only the log names it."""
    if isinstance(error, FullError):
        return Problem("disk_full", "the store is full: make space, look again, then ask again")
    if isinstance(error, LostError):
        return Problem("no_store", "the store is lost: ask again once the service has restarted")
    detail = "the store does not answer: ask again, under the same key if it has one"
    return Problem("no_store", detail, retry=1)


def status_of_refusal(refusal: Refusal) -> int:
    """Return 403 if another person may do it, else 409."""
    return HTTPStatus.FORBIDDEN if refusal.code in _FORBIDDEN else HTTPStatus.CONFLICT


def refused(refusal: Refusal, law: Instrument) -> Problem:
    return Problem(
        refusal.code,
        refusal.message,
        status=status_of_refusal(refusal),
        clauses=clauses_in_words(law, refusal.clauses),
    )


def clauses_in_words(law: Instrument, clauses: Iterable[str]) -> list[dict[str, str]]:
    return [
        {
            "id": clause,
            "says": law.register[clause].title if is_entry(clause) else law.clauses[clause].says,
        }
        for clause in clauses
    ]
