"""Logs verified twice: line by line, and in small pieces; the verdicts must be the same.

What a process of its own would be sent and would send back is pickled here too.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable, Iterable
from concurrent.futures import Executor, Future
from pathlib import Path
from typing import Any

import pytest

from croupier.records.header import LogError
from croupier.verify import log, pieces
from croupier.verify.log import Verdict

LINES = 7


class Inline(Executor):
    """Does at once and in this process what another one would be given."""

    def submit(self, function: Callable[..., Any], /, *args: Any, **_: Any) -> Future[Any]:
        future: Future[Any] = Future()
        outcome = function(*pickle.loads(pickle.dumps(args)))  # noqa: S301  (pickled in this line)
        future.set_result(pickle.loads(pickle.dumps(outcome)))  # noqa: S301  (as above)
        return future


def in_pieces(path: Path, *, heads: Iterable[str] = (), lines: int = LINES) -> Verdict:
    """Verify a log in pieces of so many lines, without processes."""
    log._header.cache_clear()  # noqa: SLF001  (a test may have put another law on the shelf)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pieces, "PIECE_LINES", lines)
        patch.setattr(log, "pool", lambda _: Inline())
        return log.verify_log(path, heads=heads, processes=3)


def verify_log(path: Path, *, heads: Iterable[str] = ()) -> Verdict:
    """Verify a log in both ways. Raises what verifying it raises, which must be the same too."""
    heads = tuple(heads)
    whole, parted = _came(log.verify_log, path, heads), _came(in_pieces, path, heads)
    if isinstance(whole, LogError) or isinstance(parted, LogError):
        assert (type(whole), str(whole)) == (type(parted), str(parted))
    if isinstance(whole, LogError):
        raise whole
    assert isinstance(parted, Verdict)
    assert parted.header.stream == whole.header.stream
    parted.header = whole.header
    assert parted == whole
    return whole


def _came(verify: Callable[..., Verdict], path: Path, heads: tuple[str, ...]) -> Verdict | LogError:
    try:
        return verify(path, heads=heads)
    except LogError as error:
        return error
