"""Compilation of small functions into the loop that calls them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def folded(function: Function) -> Function:
    """Compile a function inline, because passing its arrays would cost more than its work."""
    compiles: Any = partial(njit, nogil=True, error_model="numpy", forceinline=True)
    made: Function
    try:
        made = compiles(cache=True)(function)
    except RuntimeError:
        # There is no writable cache directory.
        made = compiles()(function)
    return made
