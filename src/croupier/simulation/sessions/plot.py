"""Plots of sessions: bankroll paths and the distribution of results, equal byte for byte."""

from __future__ import annotations

from collections.abc import Sequence
from typing import IO, Any, Final, NamedTuple

import matplotlib as mpl
import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure
from matplotlib.ticker import FuncFormatter, PercentFormatter

from croupier.law.usage import counted, currency_in_use, money
from croupier.odds.arrays import Floats, Integers
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.play import SessionPlan, bettor_of, parts_of
from croupier.simulation.sessions.results import Results

_PATHS: Final = 60
_MOST_ROUNDS: Final = 20_000_000
"""Maximum rounds played again for paths, in addition to the first session."""
_POINTS: Final = 400
_BARS: Final = 48
_TALLEST: Final = 4
"""A bar more than this many times as high as the next is truncated."""
_EDGES: Final = (0.002, 0.998)
"""Results beyond these quantiles are included in the outermost bars."""

_INK, _FAINT, _GOOD, _BAD = "#1c2733", "#c3c8cd", "#1f6fb2", "#d5761a"
_STYLE: Final[dict[Any, Any]] = {
    "svg.hashsalt": "croupier",
    "svg.fonttype": "none",
    "font.family": "sans-serif",
    "font.size": 10,
    "text.color": _INK,
    "axes.edgecolor": _FAINT,
    "axes.labelcolor": _INK,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.titlelocation": "left",
    "axes.titlesize": 11,
    "xtick.color": _INK,
    "ytick.color": _INK,
    "path.simplify": True,
}


class BankrollPath(NamedTuple):
    """The bankroll of a session over time, in dollars."""

    rounds: Integers
    bankroll: Floats
    ruined: bool


def courses_of(session: SessionPlan, sessions: int) -> list[BankrollPath]:
    """Play the first sessions again and return their bankroll paths, thinned out."""
    length = session.rounds or (session.shoes or 1) * (session.plan.shoe.cards // 5)
    number = max(1, min(sessions, _PATHS, _MOST_ROUNDS // length))
    step = max(length // _POINTS, 1)
    found = []
    for place in range(number):
        bettor = bettor_of(session)
        rounds, bankrolls = [0], [session.bankroll_cents]
        for part in parts_of(session, place, bettor):
            first = -part.rounds_before % step
            rounds_shown = range(first, part.seen, step)
            rounds += [part.rounds_before + row + 1 for row in rounds_shown]
            bankrolls += part.book.bankroll[first : part.seen : step].tolist()
        rounds.append(int(bettor.marks[at.ROUNDS]))
        bankrolls.append(int(bettor.marks[at.BANKROLL]))
        ruined = int(bettor.marks[at.ENDING]) == at.RUINED
        found.append(BankrollPath(np.array(rounds), np.array(bankrolls) / _minor(), ruined))
    return found


def draw(results: Results, courses: Sequence[BankrollPath], file: IO[bytes], form: str) -> None:
    with mpl.rc_context(_STYLE):
        figure = Figure(figsize=(9, 7.5), layout="constrained")
        FigureCanvasAgg(figure)
        upper, lower = figure.subplots(2, 1)
        _draw_courses(upper, results, courses)
        _draw_spread(lower, results)
        figure.suptitle(_title(results), fontsize=13, x=0.01, ha="left", color=_INK)
        if form == "svg":
            figure.savefig(file, format="svg", metadata={"Date": None, "Title": _title(results)})
        else:
            figure.savefig(file, format="png", dpi=150)


def _title(results: Results) -> str:
    session = results.session
    first = session.table.rules.offers[session.table.wagers[0]].wager.title
    unit_of_length = "round" if session.shoes is None else "shoe"
    length = counted(session.shoes or session.rounds or 0, unit_of_length)
    unit = money(session.unit_cents, short=True)
    sessions = counted(results.sessions, "session")
    return f"{first}, {session.system.name}, unit {unit}: {sessions} of {length}"


def _draw_courses(axes: Axes, results: Results, courses: Sequence[BankrollPath]) -> None:
    session = results.session
    for course in sorted(courses, key=lambda bankroll_path: bankroll_path.ruined):
        color = _BAD if course.ruined else _GOOD
        axes.plot(course.rounds, course.bankroll, color=color, linewidth=0.8, alpha=0.55)
    ruined = sum(course.ruined for course in courses)
    axes.plot([], [], color=_GOOD, label=f"{len(courses) - ruined} not ruined")
    axes.plot([], [], color=_BAD, label=f"{ruined} ruined")
    axes.axhline(session.bankroll_cents / _minor(), color=_INK, linewidth=0.8)
    if session.goal_cents is not None:
        axes.axhline(
            session.goal_cents / _minor(), color=_INK, linewidth=0.8, linestyle="--", label="goal"
        )
    axes.set_title(f"Bankroll, the first {counted(len(courses), 'session')}")
    axes.set_xlabel("rounds")
    axes.set_ylabel("bankroll")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda rounds, _: f"{rounds:,.0f}"))
    axes.yaxis.set_major_formatter(FuncFormatter(_whole))
    axes.margins(x=0.01)
    _legend(axes)


def _legend(axes: Axes) -> None:
    axes.legend(frameon=False, loc="lower right", bbox_to_anchor=(1, 0.98), ncols=3, fontsize=9)


def _minor() -> int:
    return currency_in_use().minor


def _whole(amount: float, _place: int = 0) -> str:
    return f"{'-' if amount < 0 else ''}{currency_in_use().sign}{abs(amount):,.0f}"


def _draw_spread(axes: Axes, results: Results) -> None:
    nets = results.nets
    low, high = (nets.quantile(share) / _minor() for share in _EDGES)
    step = _step(max(high - low, 1.0))
    edges = np.arange(np.floor(low / step), np.floor(high / step) + 2) * step
    values = np.array(list(nets.counts)) / _minor()
    weights = np.array(list(nets.counts.values())) / nets.number
    inside = np.clip(values, edges[0], np.nextafter(edges[-1], -np.inf))
    heights, _ = np.histogram(inside, edges, weights=weights)
    colors = [_GOOD if edge >= 0 else _BAD for edge in edges[:-1]]
    axes.bar(edges[:-1], heights, step * 0.92, align="edge", color=colors)
    _cut(axes, edges, heights)
    mean = nets.mean / _minor()
    expected = float(results.expected / results.sessions) / _minor()
    axes.axvline(mean, color=_INK, linewidth=1, label=f"mean {_whole(mean)}")
    axes.axvline(
        expected, color=_INK, linewidth=1, linestyle="--",
        label=f"by the exact edge {_whole(expected)}",
    )  # fmt: skip
    ruin = results.ended("ruined")
    sessions = counted(results.sessions, "session")
    axes.set_title(f"Results of {sessions}, {ruin.share:.1%} of them ruined")
    axes.set_xlabel("won or lost")
    axes.set_ylabel("share of sessions")
    axes.xaxis.set_major_formatter(FuncFormatter(_whole))
    axes.yaxis.set_major_formatter(PercentFormatter(1))
    _legend(axes)


def _cut(axes: Axes, edges: Floats, heights: Floats) -> None:
    sorted_heights = np.sort(heights)
    if len(sorted_heights) < 2 or not 0 < sorted_heights[-2] < sorted_heights[-1] / _TALLEST:
        return
    axes.set_ylim(0, sorted_heights[-2] * 1.5)
    axes.annotate(
        f" {sorted_heights[-1]:.1%}",
        (edges[int(heights.argmax()) + 1], sorted_heights[-2] * 1.4),
        color=_INK,
        va="center",
    )


def _step(span: float) -> float:
    """Round bar width.

    >>> _step(1000.0)
    25.0
    """
    return next(
        part * 10.0**power
        for power in range(-2, 14)
        for part in (1, 2, 2.5, 5)
        if part * 10.0**power * _BARS >= span
    )
