"""Lists the tests that take long, from reports of runs: what counts is the longest time of each case.

    make test PYTEST_ADDOPTS=--junitxml=build/tests.xml
    python tests/slow.py build/tests.xml [REPORT ...]

Give the report of `make quick` too: of what tests share, the first of the quick ones pays there.
``slow.txt`` has a line for each test function, or for a whole module that has hardly any other:
``make quick`` leaves them out, and reads no such module. Of a test with very many short cases it
runs some: ``test_scenarios.py::test_a_scenario 12`` is every twelfth.
"""

import re
import sys
from collections import defaultdict
from collections.abc import Iterator, Mapping
from math import ceil
from pathlib import Path
from typing import Final
from xml.etree import ElementTree as ET

TESTS: Final = Path(__file__).parent
LIST: Final = TESTS / "slow.txt"

UNREAD: Final = frozenset({
    "simulation/test_cluster.py", "simulation/test_session_plot.py", "test_notebooks.py",
})  # fmt: skip
"""Modules whose imports (distributed, matplotlib, nbclient) take longer than their quick tests."""

_EVERY: Final = re.compile(r" (\d+)$")

_CASE: Final = 0.04
"""The most seconds that a case of a quick test takes, on average."""

_CASES: Final = 0.25
"""The most seconds that all cases of a quick test take together."""

_SHORT: Final = 0.02
"""The most seconds that a case takes, on average, where some of very many are quick."""

_HARDLY_ANY: Final = 0.25
"""The share of a module's tests that are not worth reading it for."""


def listed() -> Mapping[str, int]:
    """Return the modules, and the test functions as ``module::name``, that are slow.

    With each is which of its cases are quick all the same: every such one, or none at 0.
    """
    lines = (_EVERY.split(line) for line in LIST.read_text(encoding="utf-8").splitlines())
    return {name: int(every[0]) if every else 0 for name, *every in lines}


def seconds_of(*reports: Path) -> Mapping[str, Mapping[str, float]]:
    """Return the seconds of each case of each test function, with what it waited for to be set up.

    Which test of a module waits for what all of them share differs from run to run.
    """
    found = defaultdict[str, dict[str, float]](dict)
    for report in reports:
        for case in ET.parse(report).getroot().iter("testcase"):  # noqa: S314  (made by pytest, here)
            module, inside = _module(case.get("classname", "").split(".")[1:])
            name, bracket, parameters = case.get("name", "").partition("[")
            test = "::".join([module, *inside, name])
            case_name = f"{test}{bracket}{parameters}"
            took = float(case.get("time", "0"))
            found[test][case_name] = max(took, found[test].get(case_name, 0))
    return found


def _module(parts: list[str]) -> tuple[str, list[str]]:
    """Return the module of a dotted name, and the classes within it."""
    for end in range(len(parts), 0, -1):
        path = "/".join(parts[:end]) + ".py"
        if (TESTS / path).is_file():
            return path, parts[end:]
    raise ValueError(f"no module of tests: {'.'.join(parts)}")


def slow_of(seconds: Mapping[str, Mapping[str, float]]) -> Iterator[str]:
    """Yield the lines of the list, in order."""
    modules = defaultdict[str, list[str]](list)
    for test in seconds:
        modules[test.partition("::")[0]].append(test)
    for module, tests in sorted(modules.items()):
        lines = {test: list(_lines(test, seconds[test])) for test in sorted(tests)}
        slow = sum(found == [test] for test, found in lines.items())
        if module in UNREAD or slow >= (1 - _HARDLY_ANY) * len(tests):
            yield module
        else:
            yield from (line for found in lines.values() for line in found)


def _lines(test: str, cases: Mapping[str, float]) -> Iterator[str]:
    """Yield the lines of a test: the test, which of its cases are quick, or cases that are not."""
    long = [case for case, took in cases.items() if took > _CASES]
    others = [took for took in cases.values() if took <= _CASES]
    if sum(others) > _CASES and sum(others) < _SHORT * len(others):
        yield f"{test} {ceil(sum(others) / _CASES)}"
    elif not others or sum(others) > min(_CASES, _CASE * len(others)):
        yield test
        return
    yield from long


if __name__ == "__main__":
    LIST.write_text("".join(f"{one}\n" for one in slow_of(seconds_of(*map(Path, sys.argv[1:])))))
