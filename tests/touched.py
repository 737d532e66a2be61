"""Runs the tests that go through what has been changed since a commit.

    python tests/touched.py --record                      # once, and now and then
    python tests/touched.py [COMMIT] [PYTEST OPTIONS]     # what differs from `main` if no commit is named
    python tests/touched.py --for src/croupier/FILE.py    # print the files of tests for a module

``--record`` runs all tests but the slow ones, and keeps in ``build/touched`` which test calls which function.
Functions are known by their names, so the record holds while lines move about. Of a change outside of any function
(a table, a class, an import) the tests are run that call any function of that module; of a file of tests all are. What
is made once and shared (a cache, a fixture of a module) is known by the test that came first alone, and no record
tells who reads a law file: so this is for while you work, and `make test` for before you commit.

``--for`` needs no record. It prints the files that import the module, or a helper of ``tests/support`` that does; if no
test does, those for the modules that import it. Files of slow tests alone go to stderr.
"""

# ruff: noqa: T201, S603, S607  (a command prints, and asks git)

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import sys
from collections import defaultdict
from collections.abc import Generator, Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any, Final

import pytest

from slow import listed

ROOT: Final = Path(__file__).parents[1]
RECORD: Final = ROOT / "build" / "touched"
SOURCE: Final = f"{ROOT / 'src'}{os.sep}"

HUNK: Final = re.compile(r"^@@ -\S+ \+(\d+)(?:,(\d+))? @@", re.MULTILINE)

Called = dict[str, set[str]]
"""The tests that call a function, by ``path::qualified name``."""


# --- what a test calls -------------------------------------------------------------------------


class Recorder:
    """A pytest plugin that writes down, in a file for each process, which functions each test calls."""

    def __init__(self) -> None:
        self.called: Called = defaultdict(set)
        self.code: set[Any] = set()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        """Note every function that is called while a test runs, its fixtures among it."""
        self.code.clear()
        sys.setprofile(self._seen)
        try:
            return (yield)
        finally:
            sys.setprofile(None)
            for code in self.code:
                if code.co_filename.startswith(SOURCE):
                    name = f"{Path(code.co_filename).relative_to(ROOT)}::{code.co_qualname}"
                    self.called[name].add(item.nodeid)

    def _seen(self, frame: FrameType, event: str, _: object) -> None:
        if event == "call":
            self.code.add(frame.f_code)

    def pytest_sessionfinish(self) -> None:
        """Write down what this process has seen."""
        if self.called:
            RECORD.mkdir(parents=True, exist_ok=True)
            # A test calls hundreds of functions: its name is written once.
            tests = sorted(set().union(*self.called.values()))
            number = {test: at for at, test in enumerate(tests)}
            called = {name: [number[test] for test in of] for name, of in self.called.items()}
            text = json.dumps({"tests": tests, "called": called}, separators=(",", ":"))
            (RECORD / f"{os.getpid()}.json").write_text(text, encoding="utf-8")


def pytest_configure(config: pytest.Config) -> None:
    """Record, where this file is named as a plugin (``-p touched``)."""
    config.pluginmanager.register(Recorder(), "recorder")


def recorded() -> Called:
    """Return what all processes of the last recorded run have seen."""
    called: Called = defaultdict(set)
    for path in RECORD.glob("*.json"):
        part = json.loads(path.read_text(encoding="utf-8"))
        for name, numbers in part["called"].items():
            called[name].update(part["tests"][number] for number in numbers)
    return called


# --- what has changed --------------------------------------------------------------------------


def git(*words: str) -> str:
    return subprocess.run(
        ["git", *words], cwd=ROOT, check=True, capture_output=True, text=True
    ).stdout


def functions_of(source: str) -> dict[str, range]:
    """Return the lines of each function, by its qualified name."""
    found: dict[str, range] = {}

    def walk(node: ast.AST, before: str) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
                name = f"{before}{child.name}"
                if isinstance(child, ast.ClassDef):
                    walk(child, f"{name}.")
                    continue
                first = min([child.lineno, *(one.lineno for one in child.decorator_list)])
                found[name] = range(first, (child.end_lineno or first) + 1)
                walk(child, f"{name}.<locals>.")
            else:
                walk(child, before)

    walk(ast.parse(source), "")
    return found


def touched(path: str, source: str, lines: set[int], called: Called) -> set[str]:
    """Return the tests that call a function of a module in which one of some lines stands."""
    functions = functions_of(source)
    within = {line: [name for name, span in functions.items() if line in span] for line in lines}
    if all(within.values()):
        names = {f"{path}::{name}" for found in within.values() for name in found}
        return set().union(*(called.get(name, set()) for name in names))
    return set().union(*(tests for name, tests in called.items() if name.startswith(f"{path}::")))


def chosen(commit: str, called: Called) -> Iterator[str]:
    """Yield the tests to be run: of changed functions, and the files of tests that were changed."""
    base = git("merge-base", commit, "HEAD").strip()
    new = git("ls-files", "--others", "--exclude-standard").split()
    for path in sorted({*git("diff", "--name-only", "--diff-filter=d", base).split(), *new}):
        file = ROOT / path
        if Path(path).name.startswith("test_") and path.endswith(".py"):
            yield path
        elif path.startswith("src/") and path.endswith(".py"):
            source = file.read_text(encoding="utf-8")
            hunks = HUNK.findall(git("diff", "-U0", base, "--", path))
            lines = {
                line
                for start, count in hunks
                # Where lines were only taken away, the one before them stands for them.
                for line in range(int(start), int(start) + max(1, int(count or 1)))
            }
            yield from touched(path, source, lines or {0}, called)


# --- the tests for a module --------------------------------------------------------------------


@cache
def imported(path: Path) -> set[str]:
    """Return the modules and the names that a file imports, with all packages around them."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            found.update({node.module, *(f"{node.module}.{alias.name}" for alias in node.names)})
    return found


def dotted(path: Path) -> str:
    """Return the name by which a file is imported."""
    for folder in (ROOT / "src", ROOT / "tests"):
        if path.is_relative_to(folder):
            return ".".join(path.relative_to(folder).with_suffix("").parts).removesuffix(
                ".__init__"
            )
    raise ValueError(f"{path}: not below src or tests")


def files_for(path: Path) -> list[Path]:
    """Return the files of tests that import a module, directly, by a helper, or by another module."""
    tests = {one: imported(one) for one in sorted((ROOT / "tests").rglob("*.py"))}
    sources = {one: imported(one) for one in sorted((ROOT / "src").rglob("*.py"))}
    wanted, seen = {dotted(path)}, set[str]()
    while wanted and not wanted <= seen:
        helpers = {
            dotted(one) for one, names in tests.items()
            if "support" in one.parts and wanted & names
        }  # fmt: skip
        found = [
            one for one, names in tests.items()
            if one.name.startswith("test_") and (wanted | helpers) & names
        ]  # fmt: skip
        if found:
            # A file that imports little else is about this module.
            return sorted(found, key=lambda one: (not wanted & tests[one], len(tests[one]), one))
        seen |= wanted
        wanted = {dotted(one) for one, names in sources.items() if wanted & names}
    return []


def print_files_for(words: list[str]) -> int:
    """Print the files of tests for some modules, the most specific first; slow ones to stderr."""
    found: dict[str, bool] = {}
    for word in words:
        path = (ROOT / word).resolve()
        if not path.is_file() or not path.is_relative_to(ROOT / "src"):
            print(
                f"{word}: not a file below src; name one such as src/croupier/baccarat/cards.py",
                file=sys.stderr,
            )
            return 2
        names = (one.relative_to(ROOT / "tests").as_posix() for one in files_for(path))
        found.update((f"tests/{name}", name in listed()) for name in names)
    for name, is_slow in found.items():
        print(name, file=sys.stderr if is_slow else sys.stdout)
    return 0


def main(words: list[str]) -> int:
    if words[:1] == ["--for"]:
        return print_files_for(words[1:])
    pytest_words = [sys.executable, "-m", "pytest"]
    if words[:1] == ["--record"]:
        for path in RECORD.glob("*.json"):
            path.unlink()
        return subprocess.call(
            [*pytest_words, "-p", "touched", "-m", "not slow", *words[1:]], cwd=ROOT
        )
    named = words[:1] if words and not words[0].startswith("-") else []
    tests = sorted(set(chosen(named[0] if named else "main", recorded())))
    whole = {test for test in tests if "::" not in test}
    tests = [test for test in tests if test in whole or test.partition("::")[0] not in whole]
    print(f"{len(tests)} tests, or files of tests, go through what has changed")
    if not tests:
        return 0
    names = RECORD / "names.txt"
    names.write_text("\n".join(tests) + "\n", encoding="utf-8")
    return subprocess.call([*pytest_words, *words[len(named) :], f"@{names}"], cwd=ROOT)


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
