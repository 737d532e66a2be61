"""The session that the options of ``croupier session`` describe.

Imports numba. The command module does not, so its help needs no extra.
"""

from __future__ import annotations

import importlib.util
import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final

from croupier.cli.common.files import check_outputs, writer
from croupier.cli.common.output import command_line, fail, progress_bar, requiring
from croupier.files.streams import DONE, of_signal, signals_noted
from croupier.files.toml import read_toml
from croupier.files.write import WriteError, Writer
from croupier.law.usage import currency_in_use
from croupier.odds.counting import effects_of_removal, parse_tags, small_tags
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules
from croupier.simulation.documents import SessionReport
from croupier.simulation.plan import SimulationError, plan_of
from croupier.simulation.sessions.export import RoundsExport, SessionsExport, form_of
from croupier.simulation.sessions.play import MOST_SESSIONS, SessionChunk, SessionPlan, Watch, play
from croupier.simulation.sessions.report import session_data
from croupier.simulation.sessions.results import Results
from croupier.simulation.sessions.systems import System, count_system, parse_ramp, progression
from croupier.simulation.sessions.table import session_table

_PLOT_FORMS: Final = (".svg", ".png")


def played(
    rules: TableRules, shoe: ShoeComposition, options: Mapping[str, Any]
) -> tuple[SessionReport, int]:
    _check_files(options)
    return _report(_session(rules, shoe, options), options)


def _session(rules: TableRules, shoe: ShoeComposition, options: Mapping[str, Any]) -> SessionPlan:
    if options["sessions"] > MOST_SESSIONS:
        fail(f"--sessions {options['sessions']}: {MOST_SESSIONS:,} is the maximum")
    plan = plan_of(rules, shoe=shoe, cards_behind=options["cards_behind"])
    table = session_table(rules, options["wagers"], shoe=shoe, chip_cents=options["chip"])
    return SessionPlan(
        table,
        plan,
        _system(rules, shoe, options),
        options["bankroll"],
        options["unit"],
        options["seed"],
        options["shoes"],
        options["rounds"],
        options["goal"],
    )


def _system(rules: TableRules, shoe: ShoeComposition, options: Mapping[str, Any]) -> System:
    name, tags, ramp = options["system_text"], options["tags"], options["ramp"]
    if name != "count":
        if tags is not None or ramp is not None:
            raise SimulationError("--tags and --ramp require --system count")
        if not name.endswith(".toml"):
            return _own_system(name) if ".py:" in name else progression(name)
        tags, ramp = _count_in(Path(name))
    if ramp is None:
        raise SimulationError(
            "--system count requires a ramp: --ramp 4=1,5=2 bets 1 unit from a true count of 4"
        )
    steps = parse_ramp(ramp)
    if tags is not None:
        return count_system(parse_tags(tags), steps)
    return count_system(small_tags(effects_of_removal(rules, options["wagers"][0], shoe)), steps)


def _count_in(path: Path) -> tuple[str | None, str | None]:
    file = read_toml(path)
    settings = file.tables
    errors = [
        file.located(key, "a count requires tags and a ramp, each a string such as '4=-1,8=2'")
        for key, value in settings.items()
        if key not in {"tags", "ramp"} or not isinstance(value, str)
    ]
    if errors:
        raise SimulationError(*errors)
    return settings.get("tags"), settings.get("ramp")


def _system_files(options: Mapping[str, Any]) -> list[Path]:
    file = options["system_text"].rpartition(":")[0] or options["system_text"]
    return [Path(file)] if file.endswith((".toml", ".py")) else []


def _own_system(text: str) -> System:
    file, _, name = text.rpartition(":")
    path = Path(file)
    spec = importlib.util.spec_from_file_location(path.stem, path)
    if spec is None or spec.loader is None or not path.is_file():
        raise SimulationError(f"{file}: no such file")
    module = importlib.util.module_from_spec(spec)
    try:
        spec.loader.exec_module(module)
    except Exception as error:
        # Any exception from a user's file is reported, and no session is played.
        raise SimulationError(f"{file} cannot be run: {type(error).__name__}: {error}") from error
    bet = getattr(module, name, None)
    if not callable(bet):
        raise SimulationError(f"{file} has no function {name!r}")
    return System(f"{path.name}:{name}", bet)


def _check_files(options: Mapping[str, Any]) -> None:
    errors: list[str] = []
    if options["plot"] is not None and options["plot"].suffix not in _PLOT_FORMS:
        errors.append(f"{options['plot']}: a plot must be named *{' or *'.join(_PLOT_FORMS)}")
    paths = [path for path in (options["rounds_out"], options["sessions_out"]) if path is not None]
    for path in paths:
        try:
            form_of(path)
        except SimulationError as error:
            errors += error.errors
    try:
        check_outputs(*paths, options["plot"], force=options["force"], reads=_system_files(options))
    except WriteError as error:
        errors += str(error).splitlines()
    if options["plot"] is not None and importlib.util.find_spec("matplotlib") is None:
        errors.append(
            "plotting requires matplotlib, which is in the extra croupier[plots]: pip install "
            "'croupier[plots]'"
        )
    if errors:
        raise SimulationError(*errors)


def _report(session: SessionPlan, options: Mapping[str, Any]) -> tuple[SessionReport, int]:
    sessions, threads = options["sessions"], options["threads"] or os.cpu_count() or 1
    results = Results(session)
    with (
        writer(force=options["force"], reads=_system_files(options)) as files,
        ExitStack() as stack,
        signals_noted() as signals,
        _bar(sessions) as progress,
    ):
        rounds_out, sessions_out = _exports(session, options, files, stack)

        def part(number: int, chunk: SessionChunk) -> None:
            if rounds_out is not None:
                rounds_out.part(number, chunk)
            progress(number + _share(session, chunk), 0)

        is_single = sessions == 1 or rounds_out is not None
        for batch in play(
            session, sessions, threads, Watch(part if is_single else None, lambda: bool(signals))
        ):
            results.add(batch)
            if sessions_out is not None:
                sessions_out.batch(batch)
            progress(results.sessions, results.sums["rounds"])
        plot: Path | None = options["plot"]
        if plot is not None and results.sessions:
            from croupier.simulation.sessions.plot import courses_of, draw  # noqa: PLC0415  (an extra)

            courses = courses_of(results.session, results.sessions)
            draw(results, courses, files.open(plot), plot.suffix[1:])
    data = session_data(
        results,
        asked=sessions,
        rounds_per_hour=options["rounds_per_hour"],
        reproduce=command_line(),
    )
    return data, of_signal(signals[0]) if signals else DONE


def _exports(
    session: SessionPlan, options: Mapping[str, Any], files: Writer, stack: ExitStack
) -> tuple[RoundsExport | None, SessionsExport | None]:
    rounds, sessions = options["rounds_out"], options["sessions_out"]
    if (rounds or sessions) and currency_in_use().decimals != 2:
        fail(f"--rounds-out and --sessions-out write cents, which {currency_in_use().code} has not")
    with requiring("writing Parquet", "parquet"):
        return (
            None if rounds is None else stack.enter_context(RoundsExport(rounds, files, session)),
            None
            if sessions is None
            else stack.enter_context(SessionsExport(sessions, files, session)),
        )


def _share(session: SessionPlan, part: SessionChunk) -> float:
    if session.shoes is not None:
        return (part.shoes_before + 1) / session.shoes
    return part.rounds_before / int(session.rounds or 1)


@contextmanager
def _bar(sessions: int) -> Iterator[Callable[[float, int], None]]:
    with progress_bar() as bar:

        def progress(sessions_done: float, rounds: int) -> None:
            suffix = f", {rounds:,} rounds" if rounds else ""
            bar(sessions_done, sessions, f"{int(sessions_done):,} of {sessions:,} sessions{suffix}")

        yield progress
