"""What ``croupier session`` plays: the session that the options make, with a bar and an interrupt.

It imports numba; the command itself does not, so that its help needs no extra.
"""

from __future__ import annotations

import importlib.util
import os
import shlex
import signal
import sys
import tomllib
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from threading import Event
from types import FrameType
from typing import Any, Final, NamedTuple

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

from croupier.cli.output import fail
from croupier.odds.counting import CountingError, effects_of_removal, parse_tags, small_tags
from croupier.odds.own import OwnWagerError, read_wager
from croupier.odds.shoe import Shoe, ShoeError
from croupier.rules import TableRules
from croupier.simulation.plan import SimulationError, plan_of
from croupier.simulation.sessions.export import RoundsExport, SessionsExport, form_of
from croupier.simulation.sessions.play import MOST_SESSIONS, Part, Session, Watch, play
from croupier.simulation.sessions.report import session_data
from croupier.simulation.sessions.results import Results
from croupier.simulation.sessions.systems import System, count_system, parse_ramp, progression
from croupier.simulation.sessions.table import session_table
from croupier.simulation.streams import MOST_SEED

__all__ = ["played"]

_OWN_SYSTEM: Final = ".py:"
_PLOT_FORMS: Final = (".svg", ".png")


def played(rules: TableRules, shoe: Shoe, told: Mapping[str, Any]) -> dict[str, Any]:
    """Play the sessions that the options tell, and return their report.

    Exits with status 2, and tells every fault, where there is none to play.
    """
    try:
        rules = rules.with_offers(*map(read_wager, told["own"]))
        _check_files(told)
        session = _session(rules, shoe, told)
        return _report(session, told)
    except (OwnWagerError, CountingError, ShoeError, SimulationError) as error:
        fail("\n".join(error.faults))


def _session(rules: TableRules, shoe: Shoe, told: Mapping[str, Any]) -> Session:
    if not 0 <= told["seed"] <= MOST_SEED:
        fail(f"--seed {told['seed']}: a seed is a whole number from 0 to {MOST_SEED}")
    if told["sessions"] > MOST_SESSIONS:
        fail(f"--sessions {told['sessions']}: {MOST_SESSIONS:,} at most")
    table = session_table(rules, told["wagers"], shoe=shoe, chip_cents=told["chip"])
    return Session(
        table,
        plan_of(rules, shoe=shoe, behind=told["behind"]),
        _system(rules, shoe, told),
        told["bankroll"],
        told["unit"],
        told["seed"],
        told["shoes"],
        told["rounds"],
        told["goal"],
    )


def _system(rules: TableRules, shoe: Shoe, told: Mapping[str, Any]) -> System:
    name, tags, ramp = told["system_told"], told["tags"], told["ramp"]
    if name != "count":
        if tags is not None or ramp is not None:
            raise SimulationError("--tags and --ramp go with --system count")
        if not name.endswith(".toml"):
            return _own_system(name) if _OWN_SYSTEM in name else progression(name)
        tags, ramp = _count_in(Path(name))
    if ramp is None:
        raise SimulationError("a count needs a ramp: --ramp 4=1,5=2 bets a unit from four on")
    steps = parse_ramp(ramp)
    if tags is not None:
        return count_system(parse_tags(tags), steps)
    return count_system(small_tags(effects_of_removal(rules, told["wagers"][0], shoe)), steps)


def _count_in(path: Path) -> tuple[str | None, str | None]:
    """Return the tags and the ramp of a count that a file tells."""
    try:
        told = tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise SimulationError(f"{path}: it cannot be read as a count: {error}") from error
    faults = [
        f"{path}: {key}: a count has tags and a ramp, each a text such as '4=-1,8=2'"
        for key, value in told.items()
        if key not in {"tags", "ramp"} or not isinstance(value, str)
    ]
    if faults:
        raise SimulationError(*faults)
    return told.get("tags"), told.get("ramp")


def _own_system(told: str) -> System:
    """Return the system that a function of a file is."""
    file, _, name = told.rpartition(":")
    path = Path(file)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SimulationError(f"{file}: there is no such file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        # Whatever a file of somebody else's raises is told, and no session is played.
        raise SimulationError(f"{file} cannot be run: {type(error).__name__}: {error}") from error
    bet = getattr(module, name, None)
    if not callable(bet):
        raise SimulationError(f"{file} has no function {name!r}")
    return System(f"{path.name}:{name}", bet)


# --- to play -------------------------------------------------------------------------------------


def _check_files(told: Mapping[str, Any]) -> None:
    """Refuse files that are of no form, there already, or the same, before anything is played."""
    faults: list[str] = []
    if told["plot"] is not None and told["plot"].suffix not in _PLOT_FORMS:
        faults.append(f"{told['plot']}: a plot is named *{' or *'.join(_PLOT_FORMS)}")
    paths = [path for path in (told["rounds_out"], told["sessions_out"]) if path is not None]
    for path in paths:
        try:
            form_of(path)
        except SimulationError as error:
            faults += error.faults
    for path in (*paths, told["plot"]):
        if path is not None and path.exists() and not told["force"]:
            faults.append(f"{path}: there is a file already; --force replaces it")
        if path is not None and not path.parent.is_dir():
            faults.append(f"{path}: there is no folder {path.parent}")
    if len(set(paths)) < len(paths):
        faults.append(f"{paths[0]}: rounds and sessions go to files of their own")
    if told["plot"] is not None and importlib.util.find_spec("matplotlib") is None:
        faults.append(
            "to draw takes matplotlib, which comes with the extra croupier[plots]:"
            " pip install 'croupier[plots]'"
        )
    if faults:
        raise SimulationError(*faults)


def _report(session: Session, told: Mapping[str, Any]) -> dict[str, Any]:
    sessions, threads = told["sessions"], told["threads"] or os.cpu_count() or 1
    results = Results(session)
    with ExitStack() as files, _until_interrupted() as stopped, _bar(sessions) as progress:
        exports = _exports(session, told, files)

        def part(number: int, one: Part) -> None:
            if exports.rounds is not None:
                exports.rounds.part(number, one)
            progress(number + _share(session, one), 0)

        alone = sessions == 1 or exports.rounds is not None
        for batch in play(session, sessions, threads, Watch(part if alone else None, stopped)):
            results.add(batch)
            if exports.sessions is not None:
                exports.sessions.batch(batch)
            progress(results.sessions, results.sums["rounds"])
        if told["plot"] is not None and results.sessions:
            _draw(results, told["plot"])
    reproduce = shlex.join(["croupier", *sys.argv[1:]])
    return session_data(results, asked=sessions, pace=told["pace"], reproduce=reproduce)


def _draw(results: Results, path: Path) -> None:
    from croupier.simulation.sessions.plot import courses_of, draw  # noqa: PLC0415  (an extra)

    try:
        draw(results, courses_of(results.session, results.sessions), path)
    except OSError as error:
        fail(f"{path}: it cannot be written: {error.strerror}")


class _Exports(NamedTuple):
    """The files that are written as sessions are played."""

    rounds: RoundsExport | None
    sessions: SessionsExport | None


def _exports(session: Session, told: Mapping[str, Any], files: ExitStack) -> _Exports:
    rounds, sessions = told["rounds_out"], told["sessions_out"]
    try:
        return _Exports(
            None if rounds is None else files.enter_context(RoundsExport(rounds, session)),
            None if sessions is None else files.enter_context(SessionsExport(sessions, session)),
        )
    except ModuleNotFoundError as error:
        if error.name != "pyarrow":
            raise
        fail(
            "to write Parquet takes pyarrow, which comes with the extra croupier[parquet]:"
            " pip install 'croupier[parquet]'"
        )
    except OSError as error:
        fail(f"{error.filename}: it cannot be written: {error.strerror}")


def _share(session: Session, part: Part) -> float:
    """Return how much of a session is over after a part of it."""
    if session.shoes is not None:
        return (part.shoes_before + 1) / session.shoes
    return part.rounds_before / int(session.rounds or 1)


@contextmanager
def _until_interrupted() -> Iterator[Callable[[], bool]]:
    """Give what tells whether the keyboard interrupted; a second interrupt ends everything."""
    interrupted = Event()

    def interrupt(_signal: int, _frame: FrameType | None) -> None:
        interrupted.set()
        signal.signal(signal.SIGINT, before)

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield interrupted.is_set
    finally:
        signal.signal(signal.SIGINT, before)


@contextmanager
def _bar(sessions: int) -> Iterator[Callable[[float, int], None]]:
    """Show a bar on standard error, where that is a terminal."""
    err = Console(stderr=True)
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=err, transient=True, disable=not err.is_terminal) as bar:
        task = bar.add_task("Making ready; the first time, compiling", total=sessions)

        def progress(done: float, rounds: int) -> None:
            told = f", {rounds:,} rounds" if rounds else ""
            bar.update(
                task, completed=done, description=f"{int(done):,} of {sessions:,} sessions{told}"
            )

        yield progress
