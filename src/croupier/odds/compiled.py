"""What the compiled kernels share: how they are compiled, and arrays that cost nothing to make."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, TypeAlias, TypeVar

import numpy as np
import numpy.typing as npt
from llvmlite import ir
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic

__all__ = ["Floats", "Integers", "compiled", "float_room", "inlined", "integer_room", "lean"]

Floats: TypeAlias = npt.NDArray[np.float64]
Integers: TypeAlias = npt.NDArray[np.int64]

Function = TypeVar("Function", bound=Callable[..., Any])

# A product and a sum may be taken in one step. Nothing else of floating point is loosened.
_OPTIONS: Final[dict[str, Any]] = {"error_model": "numpy", "fastmath": {"contract"}}


def compiled(function: Function) -> Function:
    """Compile a function at its first call, and keep the machine code on disk for the next run."""
    return _kept(function, _OPTIONS)


def lean(function: Function) -> Function:
    """Compile, as ``compiled`` does, a function that makes no arrays and takes no slices of any.

    It does not count who refers to an array whenever it looks into one, which costs a function that
    does little with each of many arrays more than what it does.
    """
    return _kept(function, {**_OPTIONS, "_nrt": False})


def _kept(function: Function, options: dict[str, Any]) -> Function:
    made: Function
    try:
        made = njit(cache=True, nogil=True, **options)(function)
    except RuntimeError:
        # There is nowhere to keep it: neither beside the source nor in the user's cache.
        made = njit(nogil=True, **options)(function)
    return made


def inlined(function: Function) -> Function:
    """Compile a function into each that calls it, where its arrays are known not to overlap."""
    made: Function = njit(inline="always", **_OPTIONS)(function)
    return made


def _room(element: Any, stored: Any) -> Any:
    """Return a function that reserves a constant number of elements on the stack.

    Of two such places the compiler knows that they do not overlap, which it cannot know of arrays
    that were passed or that numpy made; only then do loops over lanes become vector instructions.
    """

    @intrinsic
    def reserve(_context: Any, size: Any) -> Any:
        if not isinstance(size, types.IntegerLiteral):
            return None
        length = size.literal_value

        def generate(_target: Any, builder: Any, _signature: Any, _given: Any) -> Any:
            place = cgutils.alloca_once(builder, ir.ArrayType(stored, length))
            place.align = 64
            return builder.bitcast(place, stored.as_pointer())

        return types.CPointer(element)(size), generate

    return reserve


float_room: Final = _room(types.float64, ir.DoubleType())
integer_room: Final = _room(types.int64, ir.IntType(64))
