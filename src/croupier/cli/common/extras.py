"""Refusals for want of an extra."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from croupier.cli.common.output import fail

COMPILED: Final = ("numba", "numpy", "llvmlite")
_MODULES: Final = {"kernels": COMPILED, "parquet": ("pyarrow",)}


@contextmanager
def requiring(work: str, extra: str) -> Iterator[None]:
    """Exit with status 2 if a module of an extra is missing; other modules are never missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        if error.name not in _MODULES[extra]:
            raise
        fail(
            f"{work} requires {error.name}, which is in the extra croupier[{extra}]: pip install "
            f"'croupier[{extra}]'"
        )


@contextmanager
def needing(work: str, extra: str) -> Iterator[None]:
    """Exit with status 2 if any module is missing."""
    try:
        yield
    except ModuleNotFoundError as error:
        fail(f"{work} needs {error.name}: pip install 'croupier[{extra}]'")
