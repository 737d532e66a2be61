"""The report of a bettor's sessions."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier.law.usage import counted
from croupier.reports.document import Data, Z, document, fact
from croupier.reports.tree import (
    Cell,
    DataTable,
    Drawn,
    FactItem,
    FactList,
    Figure,
    Note,
    Section,
    Tree,
    Value,
)

SESSIONS: Final = Figure("sessions", "Sessions", "count")
SHARE: Final = Figure("share", "Share", "percent", 2)
RESULT: Final = Figure("result_cents", "Result", "cents", signed=True)
DRAWDOWN: Final = Figure("drawdown_cents", "Largest drawdown", "cents")
STAKE: Final = Figure("greatest_stake_cents", "Largest stake", "cents")
LOSING_RUN: Final = Figure("longest_losing_run", "Longest losing streak", "count")
ROUNDS: Final = Figure("rounds", "Rounds", "count")
HOURS: Final = Figure("hours", "Hours", "number", 1)
EXACT_EDGE: Final = Figure("exact_edge", "Exact edge of the amount staked", "percent")

_DEVIATION: Final = Figure("deviation_cents", "Std. dev.", "cents")
_MEAN: Final = Figure("mean", "Mean", "number", 2)


def session_tree(data: Data) -> Tree:
    first_wager, *_ = data["wagers"]
    title = f"{first_wager['title']}, {data['system']}: sessions of a bettor"
    if not data["sessions"]:
        return document(title, data, Note("No session was played."), _request(data))
    return document(
        title,
        data,
        _request(data),
        _results(data),
        _endings(data),
        _theory(data),
        *([] if data["dealt"]["by_shoe"] is None else [_shoes(data["dealt"]["by_shoe"])]),
        _streaks(data["streaks"]),
    )


def _request(data: Data) -> FactList:
    length = (
        counted(data["rounds_asked"], "round")
        if data["shoes_asked"] is None
        else counted(data["shoes_asked"], "shoe")
    )
    cut = (
        [] if data["complete"] else [fact("Interrupted, requested", f"{data['sessions_asked']:,}")]
    )
    facts = [
        fact("Wagers", ", ".join(wager["title"] for wager in data["wagers"])),
        fact("System", data["system"]),
        FactItem(Figure("unit_cents", "Unit", "cents"), data["unit_cents"]),
        FactItem(Figure("bankroll_cents", "Bankroll", "cents"), data["bankroll_cents"]),
        *_optional(Figure("goal_cents", "Goal", "cents"), data["goal_cents"]),
        FactItem(Figure("sessions_played", "Sessions", "count"), data["sessions"], f"of {length}"),
        *cut,
        fact("Seed", str(data["seed"])),
        FactItem(Figure("shoe_cards", "Cards in the shoe", "count"), data["shoe_cards"]),
        *_optional(Figure("cards_behind", "Cards behind", "count"), data["cards_behind"]),
    ]
    return FactList(facts)


def _optional(figure: Figure, value: Value) -> list[FactItem]:
    return [] if value is None else [FactItem(figure, value)]


def _measured(data: Data) -> list[tuple[Figure, Data]]:
    return [
        (RESULT, data["result"]),
        (DRAWDOWN, data["drawdown_cents"]),
        (STAKE, data["greatest_stake_cents"]),
        (LOSING_RUN, data["longest_losing_run"]),
        (ROUNDS, data["time"]["rounds"]),
    ]


def _results(data: Data) -> Section:
    measured, pace = _measured(data), data["time"]["rounds_per_hour"]
    columns = (Figure("session", "Session", "word"), *(figure for figure, _ in measured), HOURS)
    percentiles = [
        (
            f"{float(at):.0%} have at most",
            *(figures["quantiles"][at] for _, figures in measured),
            data["time"]["rounds"]["quantiles"][at] / pace,
        )
        for at in data["result"]["quantiles"]
    ]
    captions = {
        "mean": "mean",
        "standard_deviation": "standard deviation",
        "least": "minimum",
        "most": "maximum",
    }
    spreads = [
        (
            name,
            *(_spread(figure, key, values[key]) for figure, values in measured),
            data["time"]["rounds"][key] / pace,
        )
        for key, name in captions.items()
    ]
    meaning = (
        "The value that the given share of the sessions does not exceed, each column by itself. "
        f"Hours at {pace:g} rounds per hour."
    )
    return Section(
        "Results",
        [
            Note(meaning, "meaning"),
            DataTable(columns, percentiles, page="Percentiles", drawn=[Drawn(["result_cents"])]),
            DataTable(columns, spreads, page="Means and extremes"),
        ],
    )


def _spread(figure: Figure, key: str, value: float) -> Value | Cell:
    if figure.unit == "count" and isinstance(value, float):
        return Cell(value, Figure(figure.id, figure.title, "number", 2))
    return Cell(value, _DEVIATION) if key == "standard_deviation" else value


def _endings(data: Data) -> Section:
    result, count = data["result"], data["sessions"]
    rows: list[tuple[Value, ...]] = [
        (name, round(result[name] * count), result[name], None, None)
        for name in ("ahead", "even", "behind")
    ]
    rows += [
        (name, ending["sessions"], ending["share"], ending["low_99"], ending["high_99"])
        for name, ending in (("ruined", data["ruin"]), ("reached the goal", data["goal"]))
        if ending is not None
    ]
    columns = [
        Figure("ending", "Ended", "word"),
        SESSIONS,
        SHARE,
        Figure("low_99", "99% interval from", "percent", 2),
        Figure("high_99", "to", "percent", 2),
    ]
    notes, apart = [], data["theory"]["independent_rounds"]
    if apart is not None:
        columns.append(Figure("independent", "Independent rounds", "percent", 2))
        shares = {"ruined": apart["ruin"], "reached the goal": apart["goal"]}
        rows = [(*row, shares.get(str(row[0]))) for row in rows]
        limit = counted(apart["rounds"], "round") if apart["rounds"] else "no limit of rounds"
        notes = [
            Note(
                f"Independent rounds: exact for {limit}, each from a fresh shoe; sessions then "
                f"last {apart['mean_rounds']:,.2f} rounds on average.",
                "meaning",
            )
        ]
    table = DataTable(columns, rows, page="Endings", drawn=[Drawn(["share"])])
    return Section("How sessions ended", [*notes, table])


def _theory(data: Data) -> Section:
    totals, theory, result = data["totals"], data["theory"], data["result"]
    expected = Figure("expected_cents", "Expected result of a session", "cents", signed=True)
    difference = Figure("difference_cents", "Difference from expectation", "cents", signed=True)
    mean = Figure("mean_cents", "Mean result of a session", "cents", signed=True)
    error = Figure("standard_error_cents", "Standard error of the mean", "cents")
    from_chance = Figure("difference_error_cents", "Standard error of the difference", "cents")
    compared = (
        []
        if theory["edge"] is None
        else [
            FactItem(EXACT_EDGE, theory["edge"]),
            FactItem(expected, theory["expected_per_session_cents"]),
            FactItem(difference, theory["difference_per_session_cents"]),
            FactItem(from_chance, theory["standard_error_cents"]),
            *_optional(Z, theory["z"]),
        ]
    )
    facts = [
        FactItem(Figure("staked_cents", "Staked", "cents"), totals["staked_cents"]),
        FactItem(Figure("bets", "Rounds bet", "count"), totals["bets"]),
        FactItem(Figure("rounds_played", "Rounds played", "count"), totals["rounds"]),
        FactItem(Figure("rounds_ahead", "Rounds won", "count"), totals["rounds_ahead"]),
        FactItem(Figure("rounds_behind", "Rounds lost", "count"), totals["rounds_behind"]),
        FactItem(Figure("fitted", "Stakes changed to fit", "count"), totals["fitted"]),
        FactItem(Figure("net_cents", "Net result", "cents", signed=True), totals["net_cents"]),
        FactItem(mean, result["mean"]),
        FactItem(error, result["standard_error_cents"]),
        *compared,
    ]
    return Section("Comparison with the exact odds", [FactList(facts)])


def _shoes(shoes: Data) -> Section:
    columns = (
        Figure("per_shoe", "Per shoe", "word"),
        _MEAN,
        Figure("standard_deviation", "Std. dev.", "number", 2),
        Figure("least", "Min", "count"),
        Figure("q05", "5%", "count"),
        Figure("median", "Median", "count"),
        Figure("q95", "95%", "count"),
        Figure("most", "Max", "count"),
    )
    captions = (
        ("rounds", "rounds"), ("Player wins", "player_wins"), ("Banker wins", "banker_wins"),
        ("ties", "ties"), ("result", "net_cents"),
    )  # fmt: skip
    rows: list[list[Value | Cell]] = []
    for name, key in captions:
        shoe = shoes[key]
        middle = [shoe["quantiles"][share] for share in ("0.05", "0.5", "0.95")]
        values = [shoe["mean"], shoe["standard_deviation"], shoe["least"], *middle, shoe["most"]]
        if key == "net_cents":
            units = [RESULT, _DEVIATION, *[RESULT] * 5]
            values = [Cell(value, unit) for value, unit in zip(values, units, strict=True)]
        rows.append([name, *values])
    facts = [
        FactItem(Figure("shoes_dealt", "Shoes dealt", "count"), shoes["shoes"]),
        FactItem(Figure("shoes_played", "Shoes played", "count"), shoes["begun"]),
    ]
    return Section("Shoes", [FactList(facts), DataTable(columns, rows, page="Shoes")])


def _streaks(streaks: Mapping[str, Data]) -> Section:
    lengths = range(1, 9)
    columns = (
        Figure("hand", "Hand", "word"),
        Figure("streaks", "Streaks", "count"),
        *(Figure(f"length_{length}", str(length), "percent", 1) for length in lengths),
        Figure("longer", "More", "percent", 1),
        Figure("mean_length", "Mean", "number", 3),
        Figure("longest", "Longest", "count"),
    )
    rows = []
    for name, streak in streaks.items():
        number = streak["streaks"]
        if not number:
            continue
        shares = [streak["by_length"].get(str(length), 0) / number for length in lengths]
        rest = max(1 - sum(shares), 0)
        rows.append((name.title(), number, *shares, rest, streak["mean_length"], streak["longest"]))
    meaning = "Share of the streaks by length; streaks cut off by a new shoe are excluded."
    table = DataTable(columns, rows, page="Streaks")
    return Section("Streaks (ties excluded)", [Note(meaning, "meaning"), table])
