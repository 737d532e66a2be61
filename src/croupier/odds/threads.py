"""Calls on threads, with their results in order."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Generator, Iterable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import TypeVar

Argument = TypeVar("Argument")
Result = TypeVar("Result")


def in_turn(
    call: Callable[[Argument], Result], arguments: Iterable[Argument], threads: int
) -> Generator[Result]:
    """Yield the results in order. Only a few calls are pending; closing cancels them."""
    pool = ThreadPoolExecutor(threads)
    futures: deque[Future[Result]] = deque()
    try:
        for argument in arguments:
            futures.append(pool.submit(call, argument))
            if len(futures) > 2 * threads:
                yield futures.popleft().result()
        while futures:
            yield futures.popleft().result()
    finally:
        pool.shutdown(cancel_futures=True)
