"""Compilation options of kernels, and arrays on the stack."""

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

# Fused multiply-add is allowed, but no other relaxation of floating point.
_OPTIONS: Final[dict[str, Any]] = {"error_model": "numpy", "fastmath": {"contract"}}


# Numba sets its attributes at import, so their types are unknown.
_CONFIG: Final[Any] = _config


def key_of(sources: Iterable[Path]) -> str:
    """Hash of sources that identifies their machine code."""
    digest = hashlib.sha256()
    for source in sorted(sources):
        content = source.read_bytes()
        digest.update(f"{source.name} {len(content)}\n".encode() + content)
    return digest.hexdigest()[:16]


def cache_folder() -> Path | None:
    """Return ``None`` if none is writable. Numba checks neither callees nor argument types."""
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
    """Check the outermost functions: callees are cached before their callers."""
    # Only this private attribute of numba identifies cache entries of this source.
    caches = (vars(function)["_cache"] for function in functions)
    return all(
        cache.cache_path is not None and cache._cache_file._load_index()  # noqa: SLF001
        for cache in caches
    )


def compiled(function: Function) -> Function:
    """Compile a function at its first call, and cache the machine code."""
    return _cached(function, _OPTIONS)


def lean(function: Function) -> Function:
    """Compile without reference counting, for functions that neither create nor slice arrays."""
    return _cached(function, {**_OPTIONS, "_nrt": False})


def _cached(function: Function, options: dict[str, Any]) -> Function:
    # The folder is for our functions only; other code in this process keeps its own.
    folder, _CONFIG.CACHE_DIR = _CONFIG.CACHE_DIR, str(_FOLDER or "")
    compiled_function: Function
    try:
        compiled_function = njit(cache=_FOLDER is not None, nogil=True, **options)(function)
    except RuntimeError:
        # Numba caches only functions whose source is a file.
        compiled_function = njit(nogil=True, **options)(function)
    finally:
        _CONFIG.CACHE_DIR = folder
    return compiled_function


@compiled
def copied(source: Any, target: Any) -> None:
    """Copy an array; assigning a slice would spend seconds compiling error messages."""
    for place in range(len(target)):
        target[place] = source[place]


def inlined(function: Function) -> Function:
    """Compile a function into its callers, where its arrays are known not to overlap."""
    compiled_function: Function = njit(inline="always", **_OPTIONS)(function)
    return compiled_function


def folded(function: Function) -> Function:
    """Compile a function into its callers, inferring types once."""
    return _cached(function, {**_OPTIONS, "forceinline": True})


def operation(generator: Callable[..., Any]) -> Callable[..., Any]:
    intrinsic_operation: Callable[..., Any] = intrinsic(generator)
    return intrinsic_operation


def _room(element: Any, stored: Any) -> Any:
    """Reserve stack arrays; only these are known not to overlap, as vectorizing requires."""

    @operation
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
