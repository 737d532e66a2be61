"""What the compiled kernels share: how they are compiled, and room that costs nothing to make."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

from llvmlite import ir
from numba import config as _config
from numba import njit, types
from numba.core import cgutils
from numba.extending import intrinsic
from numba.misc.appdirs import AppDirs

Function = TypeVar("Function", bound=Callable[..., Any])

# A product and a sum may be taken in one step. Nothing else of floating point is loosened.
_OPTIONS: Final[dict[str, Any]] = {"error_model": "numpy", "fastmath": {"contract"}}


# Numba sets its attributes when it is imported; no type of them can be known.
_CONFIG: Final[Any] = _config


def key_of(sources: Iterable[Path]) -> str:
    """Return what names the machine code made of some sources: a hash of them all."""
    digest = hashlib.sha256()
    for source in sorted(sources):
        content = source.read_bytes()
        digest.update(f"{source.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """Return where the machine code of these kernels is kept; ``None`` where nothing can be.

    Numba looks whether the source of a function is newer than its machine code, and not whether
    what the function calls or takes has changed. So each state of all kernels has a folder of its
    own, and an upgrade never meets the code of another version.
    """
    base = Path(_CONFIG.CACHE_DIR or AppDirs("croupier", appauthor=False).user_cache_dir)
    package = Path(__file__).parents[1]
    kernels = (package / part for part in ("odds", "simulation", "verify/rounds"))
    folder = base / key_of(path for part in kernels for path in part.rglob("*.py"))
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None


_FOLDER: Final = cache_folder()


def has_machine_code(*functions: Callable[..., Any]) -> bool:
    """Return whether each of some functions was compiled and kept before, of this very source.

    What a function calls is kept before it is: ask for those that nothing compiled calls. The same
    source at another place, or written anew, has machine code of its own.
    """
    return all(_kept_of(function) for function in functions)


def _kept_of(function: Any) -> bool:
    # Numba alone knows which of what is kept is of this source; it has no other name for that.
    kept = vars(function)["_cache"]
    return kept.cache_path is not None and bool(kept._cache_file._load_index())  # noqa: SLF001


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
    # The folder is for our functions alone: whoever else compiles in this process has one's own.
    before, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, str(_FOLDER or "")
    made: Function
    try:
        made = njit(cache=_FOLDER is not None, nogil=True, **options)(function)
    except RuntimeError:
        # Its source is not a file, and numba keeps only what has one.
        made = njit(nogil=True, **options)(function)
    finally:
        _CONFIG.CACHE_DIR = before
    return made


@compiled
def copied(source: Any, to: Any) -> None:
    """Copy an array: to assign a slice would compile for seconds the words of its errors."""
    for place in range(len(to)):
        to[place] = source[place]


def inlined(function: Function) -> Function:
    """Compile a function into each that calls it, where its arrays are known not to overlap."""
    made: Function = njit(inline="always", **_OPTIONS)(function)
    return made


def folded(function: Function) -> Function:
    """Compile a function of plain numbers into each that calls it, but read it only once.

    Its types are found once and not at every call, which is most of what ``inlined`` costs.
    """
    made: Function = njit(forceinline=True, **_OPTIONS)(function)
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
