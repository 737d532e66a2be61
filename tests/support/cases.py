"""A test of very many cases that take no time, as one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from functools import wraps
from typing import Any

import pytest

Test = Callable[..., None]


def each(names: str | Sequence[str], cases: Iterable[Any]) -> Callable[[Test], Test]:
    """Try each case in one test, where ``parametrize`` would make a test of it; all that fail are named.

    It is for cases of less than a millisecond: a test of its own takes some four, in the processes
    that collect, run, and report it. What a fixture returns is shared by all cases.
    """
    fields = [names] if isinstance(names, str) else [*names]
    every = [(case,) if isinstance(names, str) else tuple(case) for case in cases]
    assert every, "no case is tried"

    def decorated(test: Test) -> Test:
        @wraps(test)
        def tried(**given: Any) -> None:
            failed: list[BaseException] = []
            for values in every:
                case = dict(zip(fields, values, strict=True))
                try:
                    test(**given, **case)
                except (Exception, pytest.fail.Exception) as error:  # noqa: BLE001  (told below)
                    error.add_note(", ".join(f"{name} = {one!r}" for name, one in case.items()))
                    failed.append(error)
            if failed:
                raise BaseExceptionGroup(f"{len(failed)} of {len(every)} cases failed", failed)

        signature = inspect.signature(test)
        others = [one for one in signature.parameters.values() if one.name not in fields]
        vars(tried)["__signature__"] = signature.replace(parameters=others)
        return tried

    return decorated
