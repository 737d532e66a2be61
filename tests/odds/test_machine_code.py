"""Machine code of the kernels is kept apart for each state of their sources."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numba
import pytest

from croupier.odds import compiled as kernels
from croupier.odds import lanes
from support.sources import PACKAGE, Source, modules, none_of


def twice(number: int) -> int:
    return 2 * number


def thrice(number: int) -> int:
    return 3 * number


def kept_in(function: Any) -> str | None:
    path: str | None = vars(function)["_cache"].cache_path
    return path


def test_a_changed_source_is_another_key(tmp_path: Path) -> None:
    one, other = tmp_path / "one.py", tmp_path / "other.py"
    one.write_text("a = 1\n", encoding="utf-8")
    other.write_text("b = 1\n", encoding="utf-8")
    before = kernels.key_of([one, other])
    assert kernels.key_of([other, one]) == before
    other.write_text("b = 2\n", encoding="utf-8")
    assert kernels.key_of([one, other]) != before


def test_no_machine_code_lies_beside_the_sources() -> None:
    kept = [kept_in(one) for one in vars(lanes).values() if hasattr(one, "_cache")]
    folder = kernels.cache_folder()
    assert folder is not None
    key = kernels.key_of(
        path
        for part in ("odds", "simulation", "verify/rounds")
        for path in (PACKAGE / part).rglob("*.py")
    )
    assert folder.name == key
    assert any(kept)
    assert all(path is None or path.startswith(str(folder)) for path in kept)


def test_the_folder_that_numba_is_told_is_used(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr("numba.config.CACHE_DIR", str(tmp_path))
    folder = kernels.cache_folder()
    assert folder is not None
    assert folder.parent == tmp_path
    monkeypatch.setattr("croupier.odds.compiled._FOLDER", folder)
    made = kernels.compiled(twice)
    assert not kernels.has_machine_code(made)
    assert made(21) == 42
    (kept,) = folder.rglob("*.nbi")
    assert kernels.has_machine_code(made)
    # What was made of the same source at another place is of no use here.
    other = kept.parent.with_name("elsewhere")
    kept.parent.rename(other)
    assert not kernels.has_machine_code(made)
    other.rename(kept.parent)
    assert kernels.has_machine_code(made)
    assert not kernels.has_machine_code(made, kernels.compiled(thrice))
    assert tmp_path == Path(vars(numba.config)["CACHE_DIR"])


def test_where_nothing_can_be_kept_kernels_are_compiled_anew(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    taken = tmp_path / "file"
    taken.touch()
    monkeypatch.setattr("numba.config.CACHE_DIR", str(taken / "cache"))
    assert kernels.cache_folder() is None
    monkeypatch.setattr("croupier.odds.compiled._FOLDER", None)
    made = kernels.compiled(twice)
    assert made(21) == 42
    assert kept_in(made) is None
    assert not kernels.has_machine_code(made)


COMPILED = {"compiled", "lean", "inlined", "folded"}


def slices_assigned(source: Source) -> Iterator[str]:
    """Yield where a function that is compiled assigns to a slice of an array."""
    if not any(f"@{decorator}" in source.text for decorator in COMPILED):
        return
    for function in source.nodes:
        if not isinstance(function, ast.FunctionDef):
            continue
        if not any(
            isinstance(one, ast.Name) and one.id in COMPILED for one in function.decorator_list
        ):
            continue
        for node in ast.walk(function):
            # A number in every place has no shape that could differ.
            if not isinstance(node, ast.Assign) or isinstance(node.value, ast.Constant):
                continue
            for target in node.targets:
                if isinstance(target, ast.Subscript) and any(
                    isinstance(one, ast.Slice) for one in ast.walk(target.slice)
                ):
                    yield f"{source}:{node.lineno}: write a loop: this compiles for seconds"


def test_no_kernel_assigns_a_slice() -> None:
    # The words of its error alone, of shapes that differ, take the compiler three seconds.
    none_of(one for source in modules() for one in slices_assigned(source))


def test_a_slice_that_a_kernel_assigns_is_found(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("support.sources.ROOT", tmp_path)
    path = tmp_path / "kernel.py"
    path.write_text("@folded\ndef begin(line):\n    line[1:3] = line[4:6]\n    line[0] = 1\n")
    assert [one.split(":")[1] for one in slices_assigned(Source(path))] == ["3"]
