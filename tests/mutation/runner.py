"""Asks the tests about mutants: first inside one loaded process, then with a fresh import.

Cosmic Ray writes a mutant to the disk and starts a test runner for it, which takes seconds for each of
thousands. Here a process that has loaded the package and collected the tests forks for each mutant,
puts the mutant's code into the functions that it changes, and runs the tests that pass through the
changed statement, first those that have told the most mutants. What that process cannot show (a table
made at import, a default, a decorator) is asked of a process that imports the package anew with the
mutant in it.

A test that does not come to an end is stopped after a number of steps, which are calls and lines that
the interpreter goes through: no clock decides an answer, and every run comes to the same.
"""

import ast
import functools
import gc
import os
import resource
import signal
import sys
import traceback
from collections import Counter, defaultdict
from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass
from importlib.abc import MetaPathFinder
from importlib.machinery import ModuleSpec, SourceFileLoader
from importlib.util import spec_from_file_location
from pathlib import Path
from types import CodeType, FrameType, FunctionType, ModuleType
from typing import Any, Final, NamedTuple

import pytest

from mutation.mutants import Mutant

MOST: Final = 300
"""No more tests are asked about one mutant beside those that are about its module."""

FIRST: Final = 8
"""So many of them are asked first in a fresh import, as each has its file to be loaded."""

NOBODY: Final = ""
TIMED_OUT: Final = "timed out"
BROKE_OFF: Final = "the process broke off"

_UNFIT: Final = 3
_MEMORY_BYTES: Final = 4 << 30
_FREE_STEPS: Final = 1_000_000
_TIMES_THE_STEPS: Final = 10
"""A test fails that takes so many times its own steps, and so many more."""
_IMPORT_STEPS: Final = 200_000_000
"""The steps that may be taken to import the package and to collect the tests."""
_NEVER_SECONDS: Final = 3600
"""Time of the processor after which the run is given up: it answers nothing."""

_FUNCTION: Final = 1  # The flag CO_OPTIMIZED: code of a function, not of a module or a class.

Tell = Callable[[str], None]
Swaps = list[tuple[CodeType, CodeType]]


class Question(NamedTuple):
    """A mutant of a module, to be told from the module itself."""

    module: str
    path: Path
    mutant: Mutant
    about: tuple[str, ...] = ()
    """How the names of the tests begin that are about its module: all of those are asked."""

    @property
    def statement(self) -> range:
        """The lines of the smallest statement that was changed; of a compound one, its head."""
        line = self.mutant.line
        found = range(line, line + 1)
        for node in ast.walk(_tree(self.path)):
            if isinstance(node, ast.stmt) and node.lineno <= line <= (node.end_lineno or 0):
                body = getattr(node, "body", None)
                end = body[0].lineno - 1 if body and line < body[0].lineno else node.end_lineno
                found = range(node.lineno, (end or line) + 1)
        return found


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


@dataclass(frozen=True)
class Measured:
    """How many steps each test takes, and which tests pass through each line of a module."""

    steps: dict[str, int]
    lines: dict[str, dict[int, set[str]]]

    def through(self, path: Path, span: range | None = None) -> set[str]:
        """Return the tests that pass through some lines of a module, or through any."""
        by_line = self.lines.get(str(path), {})
        chosen = [tests for line, tests in by_line.items() if span is None or line in span]
        return set().union(*chosen)

    def rarity(self, path: Path) -> dict[str, int]:
        """Return of each test how many pass through the line of a module that the fewest reach."""
        found: dict[str, int] = {}
        for tests in self.lines.get(str(path), {}).values():
            for test in tests:
                found[test] = min(found.get(test, len(tests)), len(tests))
        return found

    @functools.cached_property
    def reach(self) -> Counter[str]:
        """How many lines of all the modules each test passes through: of a direct test, few."""
        lines = (tests for by_line in self.lines.values() for tests in by_line.values())
        return Counter(test for tests in lines for test in tests)


class Ranking:
    """The tests in the order in which they are asked: the tellers first, then the short ones."""

    def __init__(self, measured: Measured) -> None:
        self.measured = measured
        self.told: Counter[str] = Counter()

    def order(self, question: Question, *, everywhere: bool = False) -> list[str]:
        """Return the tests to be asked: those that pass through what was changed, or its module.

        Where there are too many, a third of those that are not about the module are those that reach what few others do, as a test
        of a fault does; a third those that reach little else; a third from all over the files. A row
        of a test comes before a second row of any. Which are chosen does not hang on what was told.
        """
        tests = self.measured.through(question.path, None if everywhere else question.statement)
        if not everywhere and len(tests) > MOST:
            about = {test for test in tests if test.startswith(question.about)}
            tests = about | self._chosen(tests - about, question.path)
        steps = self.measured.steps
        return sorted(tests, key=lambda test: (-self.told[test], steps[test], test))

    def _chosen(self, tests: set[str], path: Path) -> set[str]:
        rarity = self.measured.rarity(path)
        reach = self.measured.reach
        functions: Counter[str] = Counter()
        files: Counter[tuple[str, int]] = Counter()
        places = {}
        for test in sorted(tests):
            function = test.partition("[")[0]
            file = test.partition("::")[0]
            row = functions[function]
            functions[function] += 1
            places[test] = (row, files[file, row], file)
            files[file, row] += 1
        thirds = (
            sorted(tests, key=lambda test: (rarity[test], test)),
            sorted(tests, key=lambda test: (places[test][0], reach[test], test)),
            sorted(tests, key=lambda test: (places[test], test)),
        )
        return {test for third in thirds for test in third[: MOST // 3]}


# --- a process for each question ---------------------------------------------------------------


class _UnfitError(Exception):
    """A mutant cannot be shown in a process that has loaded the module already."""


def _in_a_child(work: Callable[[Tell], None]) -> str | None:
    """Do some work in a child process; return what it tells, or ``None`` where it is unfit.

    Nothing told is ``NOBODY``; a child that has taken all its steps tells ``TIMED_OUT``.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        os.close(reading)
        os._exit(_work(work, writing))
    os.close(writing)
    told = b""
    while more := os.read(reading, 4096):
        told += more
    os.close(reading)
    status = os.waitpid(child, 0)[1]
    if os.WIFEXITED(status) and os.WEXITSTATUS(status) == _UNFIT:
        return None
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) == signal.SIGPROF:
        raise SystemExit(f"a question had no answer after {_NEVER_SECONDS} seconds")
    return told.decode() or (NOBODY if status == 0 else BROKE_OFF)


def _work(work: Callable[[Tell], None], writing: int) -> int:
    resource.setrlimit(resource.RLIMIT_AS, (_MEMORY_BYTES, _MEMORY_BYTES))
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    signal.setitimer(signal.ITIMER_PROF, _NEVER_SECONDS)

    def tell(test: str) -> None:
        os.write(writing, test.encode())
        os._exit(0)

    try:
        work(tell)
    except _UnfitError:
        return _UNFIT
    except BaseException:  # noqa: BLE001  (whatever a mutant does, it has been told)
        return 1
    return 0


class _Steps:
    """Counts calls anywhere and lines of some files, as they are run."""

    def __init__(
        self,
        paths: Container[str],
        passed: Callable[[str, int], None] = lambda *_: None,
        spent: Callable[[], None] = lambda: None,
    ) -> None:
        self.paths = paths
        self.passed = passed
        self.spent = spent
        self.taken, self.most = 0, sys.maxsize

    def begin(self, most: int = sys.maxsize) -> None:
        """Count from nothing, at most so many."""
        self.taken, self.most = 0, most
        sys.settrace(self._called)

    def end(self) -> int:
        """Count no more, and return how many there were."""
        sys.settrace(None)
        return self.taken

    def _called(self, frame: FrameType, _: str, __: Any) -> Any:
        self._step()
        return self._line if frame.f_code.co_filename in self.paths else None

    def _line(self, frame: FrameType, event: str, _: Any) -> Any:
        if event == "line":
            self._step()
            self.passed(frame.f_code.co_filename, frame.f_lineno)
        return self._line

    def _step(self) -> None:
        self.taken += 1
        if self.taken > self.most:
            self.spent()


class _Teller:
    """Tells the first test that fails, and ends a test that does not come to an end by itself."""

    def __init__(
        self, tell: Tell, steps: Mapping[str, int] | None = None, path: Path | None = None
    ) -> None:
        self.tell = tell
        self.steps = steps
        self.counter = _Steps({str(path)}, spent=lambda: tell(TIMED_OUT))

    def pytest_runtest_logstart(self, nodeid: str) -> None:
        if self.steps is not None:
            self.counter.begin(_FREE_STEPS + _TIMES_THE_STEPS * self.steps.get(nodeid, 0))

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtest_makereport(self, item: pytest.Item, call: pytest.CallInfo[None]) -> None:
        # Before the report is made, which takes longer than most tests.
        if call.excinfo is not None and not call.excinfo.errisinstance(pytest.skip.Exception):
            self.tell(item.nodeid)

    def pytest_collectreport(self, report: pytest.CollectReport) -> None:
        if report.failed:
            self.tell(report.nodeid)


# --- inside one loaded process -----------------------------------------------------------------


class Loaded:
    """A pytest plugin that, instead of running the tests, measures them and asks them.

    ``answer`` takes the number of a question and what was told; a question that is not answered
    must be asked with a fresh import.
    """

    def __init__(
        self,
        questions: Sequence[Question],
        measured: Callable[[Measured], None],
        answer: Callable[[int, str], None],
        processes: int,
    ) -> None:
        self.questions = questions
        self.measured = measured
        self.answer = answer
        self.processes = processes

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        paths = {str(question.path) for question in self.questions}
        measured = _measure(session, paths)
        ranking = Ranking(measured)
        items = {item.nodeid: item for item in session.items}
        self.measured(measured)
        functions = functions_of(paths)
        gc.collect()
        gc.freeze()
        in_processes(
            self.processes,
            len(self.questions),
            lambda number: self._ask(number, session, items, functions, ranking),
        )
        return True

    def _ask(
        self,
        number: int,
        session: pytest.Session,
        items: Mapping[str, pytest.Item],
        functions: Mapping[CodeType, Sequence[FunctionType]],
        ranking: Ranking,
    ) -> None:
        question = self.questions[number]
        tests = ranking.order(question)
        swaps = _swaps(question) if tests else None
        if swaps is None:
            return
        found = [
            (function, after) for before, after in swaps for function in functions.get(before, ())
        ]
        chosen = [items[test] for test in tests]
        teller = functools.partial(_Teller, steps=ranking.measured.steps, path=question.path)
        told = _in_a_child(functools.partial(_ask_loaded, session, chosen, found, teller))
        if told is not None:
            ranking.told[told] += 1
            self.answer(number, told)


def in_processes(processes: int, count: int, ask: Callable[[int], None]) -> None:
    """Ask questions by number in several processes, dealt out to them in turn."""
    children = []
    for first in range(processes):
        child = os.fork()
        if not child:
            try:
                for number in range(first, count, processes):
                    ask(number)
            except BaseException:  # noqa: BLE001  (whatever it is, it ends here and is shown)
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        children.append(child)
    statuses = [os.waitpid(child, 0)[1] for child in children]
    if any(statuses):
        raise SystemExit("a process that asked the tests broke off")


def _measure(session: pytest.Session, paths: set[str]) -> Measured:
    """Run every test once, and note how many steps it takes and what it passes through."""
    measured = Measured({}, {path: defaultdict(set) for path in paths})
    passed: dict[str, set[int]] = {path: set() for path in paths}
    failed: list[str] = []

    counter = _Steps(paths, lambda path, line: passed[path].add(line))
    session.config.pluginmanager.register(teller := _Teller(failed.append))
    for item in session.items:
        _forget_everything()
        counter.begin()
        item.ihook.pytest_runtest_protocol(item=item, nextitem=None)
        measured.steps[item.nodeid] = counter.end()
        for path, lines in passed.items():
            for one in lines:
                measured.lines[path][one].add(item.nodeid)
            lines.clear()
        if failed:
            # Said here, as pytest keeps to itself with what it is left.
            sys.stderr.write(f"{failed[0]} fails where nothing is mutated\n")
            raise SystemExit(1)
    session.config.pluginmanager.unregister(teller)
    return measured


def functions_of(paths: set[str]) -> dict[CodeType, list[FunctionType]]:
    """Return every function object made of the modules' code."""
    found: dict[CodeType, list[FunctionType]] = defaultdict(list)
    # What was collected is frozen when the tests are, and would not be among the objects.
    gc.unfreeze()
    for one in gc.get_objects():
        # One that stands for an object that is gone has no class to be asked for.
        if type(one) is FunctionType and one.__code__.co_filename in paths:
            found[one.__code__].append(one)
    return found


def _swaps(question: Question) -> Swaps | None:
    """Return which code takes the place of which; ``None`` where more than functions change."""
    path = str(question.path)
    before = compile(question.path.read_text(encoding="utf-8"), path, "exec", dont_inherit=True)
    after = compile(question.mutant.source, path, "exec", dont_inherit=True)
    swaps: Swaps = []
    return swaps if _pair(before, after, swaps) else None


def _pair(before: CodeType, after: CodeType, swaps: Swaps) -> bool:
    if before.co_flags & _FUNCTION:
        if before != after:
            swaps.append((before, after))
    elif _own(before) != _own(after):
        return False
    inside, other = (
        [one for one in code.co_consts if isinstance(one, CodeType)] for code in (before, after)
    )
    if len(inside) != len(other):
        return bool(before.co_flags & _FUNCTION)
    # Every pair is looked at: a function that was made in another holds its code by itself.
    fit = [_pair(one, changed, swaps) for one, changed in zip(inside, other, strict=True)]
    return all(fit)


def _own(code: CodeType) -> tuple[object, ...]:
    """Return what a module or a class does when it is read, without what its functions do."""
    values = [repr(one) for one in code.co_consts if not isinstance(one, CodeType)]
    return code.co_name, code.co_code, code.co_names, values


def _ask_loaded(
    session: pytest.Session,
    items: Sequence[pytest.Item],
    changes: Sequence[tuple[FunctionType, CodeType]],
    teller: Callable[[Tell], _Teller],
    tell: Tell,
) -> None:
    for function, code in changes:
        if len(function.__code__.co_freevars) != len(code.co_freevars):
            raise _UnfitError
        function.__code__ = code
    _forget_everything()
    session.config.pluginmanager.register(teller(tell))
    for item in items:
        item.ihook.pytest_runtest_protocol(item=item, nextitem=None)


def _forget_everything() -> None:
    """Empty the caches of the package, which may hold what the unchanged code has answered."""
    for module in list(sys.modules.values()):
        if module.__name__.startswith("croupier.") and ".law" not in module.__name__:
            _forget(module)


def _forget(module: ModuleType) -> None:
    for one in vars(module).values():
        if isinstance(one, functools._lru_cache_wrapper):  # noqa: SLF001  (it has no other name)
            one.cache_clear()


# --- with a fresh import -----------------------------------------------------------------------


class _Imported(MetaPathFinder, SourceFileLoader):  # type: ignore[misc]
    """Imports the mutant where the module is asked for."""

    def __init__(self, question: Question) -> None:
        super().__init__(question.module, str(question.path))
        self.mutant = question.mutant

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        del path, target
        if fullname != self.name:
            return None
        return spec_from_file_location(fullname, self.path, loader=self)

    def get_code(self, fullname: str) -> CodeType:
        del fullname
        return compile(self.mutant.source, self.path, "exec", dont_inherit=True)


class _Chosen:
    """A pytest plugin that runs some of the tests collected, in an order of its own."""

    def __init__(self, tests: Sequence[str]) -> None:
        self.place = {test: number for number, test in enumerate(tests)}

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = sorted(
            (item for item in items if item.nodeid in self.place),
            key=lambda item: self.place[item.nodeid],
        )


def ask_imported(question: Question, ranking: Ranking) -> str:
    """Ask the tests about a mutant that is there from the import on; return which one told.

    No test passes through a statement that is run at the import, and any may see what comes of it: so
    all are asked that pass through its module.
    """
    measured = ranking.measured
    order = ranking.order(question, everywhere=True)
    for some in (order[:FIRST], order[FIRST:]):
        if some:
            told = _in_a_child(functools.partial(_import_and_ask, question, some, measured))
            if told:
                ranking.told[told] += 1
                return told
    return NOBODY


def _import_and_ask(
    question: Question, tests: Sequence[str], measured: Measured, tell: Tell
) -> None:
    sys.meta_path.insert(0, _Imported(question))
    teller = _Teller(tell, measured.steps, question.path)
    teller.counter.begin(_IMPORT_STEPS)
    files = list(dict.fromkeys(test.partition("::")[0] for test in tests))
    if run(files, [_Chosen(tests), teller]):
        tell("the tests could not be run")


def run(files: Sequence[str], plugins: Sequence[object]) -> int:
    """Run pytest in silence."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    # Nothing is told but which test fails: no assertion has to explain itself.
    arguments = ["-p", "no:cacheprovider", "-p", "no:hypothesispytest", "--assert=plain", "-x"]
    return int(pytest.main([*arguments, *files], plugins=list(plugins)))
