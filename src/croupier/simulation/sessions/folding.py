"""How the small functions of a round are compiled: into the loop that calls them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

from numba import njit

Function = TypeVar("Function", bound=Callable[..., Any])


def folded(function: Function) -> Function:
    """Compile a function into its callers: to hand arrays over takes longer than what it does.

    Called from Python it is compiled by itself, and kept on disk as other kernels are.
    """
    compiles: Any = partial(njit, nogil=True, error_model="numpy", forceinline=True)
    made: Function
    try:
        made = compiles(cache=True)(function)
    except RuntimeError:
        # There is nowhere to keep it.
        made = compiles()(function)
    return made
