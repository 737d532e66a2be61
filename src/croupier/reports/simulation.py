"""The reports of simulations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from math import ceil, log10
from typing import Final

from croupier.reports.document import (
    CLAUSES,
    OUTCOME,
    PAYS,
    WAGER,
    WAGER_ID,
    Data,
    P,
    Z,
    document,
    fact,
    shoe_of,
)
from croupier.reports.tree import (
    Conclusion,
    DataTable,
    Drawn,
    FactItem,
    FactList,
    Figure,
    Node,
    Note,
    Section,
    Tree,
    row,
)

_FEWEST_PLACES, _MOST_PLACES = 4, 8


def simulation_tree(data: Data) -> Tree:
    edges = [*data["wagers"], *data["packages"]]
    warning = (
        f"Interrupted: {data['rounds_asked']:,} rounds were requested; all figures are for the "
        "rounds played."
    )
    return document(
        f"Simulation: {data['title'] or data['law_title']}",
        data,
        *([Note(warning, "warning")] if data["ended"] == "interrupted" else []),
        FactList(list(_played(data))),
        *([_edges(edges)] if edges else []),
        *_censuses(data),
        *(Note(note) for note in data["notes"]),
        *([_outcomes(data["wagers"])] if data["wagers"] else []),
    )


def _played(data: Data) -> Iterator[FactItem]:
    device = ", each from a continuous device" if data["device"] == "continuous" else ""
    yield FactItem(Figure("rounds", "Rounds", "count"), data["rounds"], device.removeprefix(", "))
    yield FactItem(Figure("shoes", "Shoes completed", "count"), data["shoes"])
    yield fact("Shoe", shoe_of(data))
    if data["cards_behind"] is not None:
        yield FactItem(Figure("cards_behind", "Cards behind", "count"), data["cards_behind"])
    yield fact("Engine", data["engine"])
    yield fact("Seed", str(data["seed"]))
    if (found := data["rounds_per_shoe"]) is not None:
        spread = f"from {found['least']} to {found['most']}"
        yield FactItem(
            Figure("rounds_per_shoe", "Rounds per shoe", "number"), found["mean"], spread
        )
        error = Figure("rounds_per_shoe_error", "Standard error of that", "number")
        yield FactItem(error, found["standard_error"])
        deviation = Figure("rounds_per_shoe_deviation", "Standard deviation of that", "number")
        yield FactItem(deviation, found["standard_deviation"])
    for target in data["until"]:
        outcome = "reached" if target["reached"] else "not reached in this number of rounds"
        precision = f"{target['within']:.9f}".rstrip("0")
        yield fact(f"{target['wager']} edge +-{precision}", outcome, "until")


def _edges(bets: Sequence[Data]) -> Section:
    errors = [bet["standard_error"] * 100 for bet in bets if bet["standard_error"]]
    places = ceil(-log10(min(errors))) + 1 if errors else _FEWEST_PLACES
    # Two significant digits of the smallest standard error.
    places = min(max(places, _FEWEST_PLACES), _MOST_PLACES)
    columns = (
        WAGER,
        WAGER_ID,
        Figure("edge", "House edge", "percent", places),
        Figure("standard_error", "Std. error", "percent", places),
        Figure("low", "99% from", "percent", places),
        Figure("high", "to", "percent", places),
        Figure("exact_edge", "Exact edge", "percent", places),
        Z,
        Figure("design_effect", "Design effect", "number"),
    )
    rows = [
        # The title of a package is a sentence, so its id is shown.
        row(columns, bet, wager_title=bet["title"] if "lines" in bet else bet["id"],
            wager=bet["id"], **bet["interval"])
        for bet in bets
    ]  # fmt: skip
    meaning = (
        "The house edge of the simulated rounds with its 99% interval, next to the exact one. z is "
        "their difference in standard errors, which allow for the dependence of the rounds of a "
        "shoe."
    )
    return Section(
        "House edges",
        [
            Note(meaning, "meaning"),
            DataTable(columns, rows, page="House edges", drawn=[Drawn(["z"], "z of each wager")]),
        ],
    )


def _censuses(data: Data) -> Iterator[Node]:
    rows = [
        (
            census["facts"], test["corrected"], test["degrees_of_freedom"], test["p"],
            test["bounds"]["low"], test["bounds"]["high"], test["chi_square"],
            test["design_effect"], test["cells"], test["pooled"],
        )
        for census in data["censuses"]
        if (test := census["test"]) is not None
    ]  # fmt: skip
    columns = (
        Figure("census", "Census of"),
        Figure("corrected", "Chi-square", "number", 1),
        Figure("degrees_of_freedom", "Degrees of freedom", "count"),
        P,
        Figure("bound_low", "99.9% bounds", "number", 1),
        Figure("bound_high", "to", "number", 1),
        Figure("chi_square", "Pearson's", "number", 1),
        Figure("mean_design_effect", "Mean design effect", "number"),
        Figure("cells", "Cells", "count"),
        Figure("pooled", "Pooled", "count"),
    )
    notes: list[Node] = [
        Note(f"Census of {census['facts']}: too few rounds for a test.")
        for census in data["censuses"]
        if census["test"] is None
    ]
    for census in data["censuses"]:
        notes += _verdict(census, by_shoe=data["device"] == "shoe")
    if data["censuses"]:
        meaning = "Chi-square is Pearson's statistic over the mean design effect of its cells."
        if rows:
            notes = [Note(meaning, "meaning"), DataTable(columns, rows, page="Census"), *notes]
        yield Section("Census of rounds", notes)


def _verdict(census: Data, *, by_shoe: bool) -> list[Node]:
    test = census["test"]
    if test is None:
        return []
    if test["impossible"]:
        found = [
            ", ".join(f"{name} {value}" for name, value in cell.items() if value != "")
            for cell in test["impossible"]
        ]
        sentence = "Impossible rounds were dealt under the regulation: the dealing engine is wrong."
        return [Conclusion(sentence, passes=False, more=found)]
    if test["bounds"]["low"] <= test["corrected"] <= test["bounds"]["high"]:
        return []
    cut_card = " From about 10^10 rounds, so is the cut-card effect." if by_shoe else ""
    sentence = (
        f"Census of {census['facts']}: OUTSIDE the 99.9% bounds; expected in 1 of 1,000 "
        f"simulations.{cut_card}"
    )
    return [Conclusion(sentence, passes=False)]


_FREQUENCY: Final = Figure("frequency", "Frequency", "percent")


def _outcomes(wagers: Sequence[Data]) -> Section:
    columns = (
        WAGER,
        WAGER_ID,
        OUTCOME,
        Figure(PAYS.id, PAYS.title, "word"),
        Figure("outcome_rounds", "Rounds", "count"),
        _FREQUENCY,
        Figure("probability", "Probability", "percent"),
    )
    rows = [
        row(
            columns,
            line,
            wager_title=wager["title"],
            wager=wager["id"],
            outcome=line["outcome"].replace("_", " "),
            outcome_rounds=line["rounds"],
        )
        for wager in wagers
        for line in wager["lines"]
    ]
    return Section(
        "Outcomes",
        [
            Note("How often each outcome came, next to its exact probability.", "meaning"),
            DataTable(columns, rows, page="Outcomes"),
        ],
        together=False,
    )


# --- blackjack -----------------------------------------------------------------------------------

_EDGE: Final = Figure("edge", "House edge", "percent")
_SHARE: Final = Figure("won", "Won", "percent")
_ESTIMATE: Final = (
    Figure("standard_error", "Std. error", "percent"),
    Figure("low", "99% from", "percent"),
    Figure("high", "to", "percent"),
)
_SHEET: Final = Figure("par_house_edge", "PAR sheet", "percent")
_EXCESS: Final = Figure("excess", "Excess", "percent", signed=True)


def blackjack_simulation_tree(data: Data) -> Tree:
    is_streak = any(wager["id"].startswith("streak_") for wager in data["wagers"])
    warning = Note("Interrupted: all figures are for the rounds played.", "warning")
    facts = [
        fact("Source", data["source"]),
        FactItem(Figure("rounds", "Rounds", "count"), data["rounds"]),
        FactItem(Figure("shoes", "Shoes", "count"), data["shoes"]),
        fact("Seed", str(data["seed"])),
        *(
            FactItem(Figure(name, title, "count"), data["results"][name], effect * is_streak)
            for name, title, effect in (
                ("win", "Rounds won", "advance a streak"),
                ("push", "Rounds pushed", "hold a streak"),
                ("lose", "Rounds lost", "end a streak"),
            )
        ),
        *([] if is_streak else _naturals(data["naturals"])),
    ]
    sheet = (
        "The PAR sheet uses the same wins and losses, as if rounds were independent."
        if is_streak
        else "The PAR sheet uses the payout schedule."
    )
    return document(
        f"Simulation: {data['title'] or data['law_title']}",
        data,
        *([warning] if data["ended"] == "interrupted" else []),
        FactList(facts),
        Section("House edges", [Note(sheet, "meaning"), _streak_edges(data["wagers"])]),
        *([_runs(data)] if is_streak else []),
        _plain_game(data),
        Section("Outcomes", [_streak_outcomes(data["wagers"])]),
    )


def _plain_game(data: Data) -> Section:
    game, rounds = data["game"], data["rounds"]
    value, error, low, high = _estimated(game["expected_value"])
    facts = [
        FactItem(Figure("expected_value", "Expected value", "percent", signed=True), value),
        FactItem(Figure("value_error", "Standard error", "percent"), error),
        FactItem(Figure("value_from", "99% interval from", "percent", signed=True), low),
        FactItem(Figure("value_to", "99% interval to", "percent", signed=True), high),
        FactItem(Figure("game_deviation", "Std. dev.", "number", 6), game["standard_deviation"]),
    ]
    rows = [
        (net, number, Fraction(number, rounds)) for net, number in game["rounds_by_net"].items()
    ]
    columns = (
        Figure("net_units", "Net", "word"), Figure("net_rounds", "Rounds", "count"),
        Figure("net_share", "Share", "percent"),
    )  # fmt: skip
    sentence = f"In units, of one unit staked at first in each round. {game['rules']}"
    return Section(
        "The game without side wagers",
        [Note(sentence), FactList(facts), DataTable(columns, rows, page="Net results")],
    )


def _naturals(found: Data) -> Iterator[FactItem]:
    share, above = found["share"], found["above_first_round"]
    yield FactItem(Figure("naturals", "Rounds with a natural", "count"), found["number"])
    yield FactItem(Figure("natural_share", "Share of naturals", "percent"), share["value"])
    error = Figure("natural_share_error", "Standard error of that", "percent")
    yield FactItem(error, share["standard_error"])
    figure = Figure("first_round_share", "Share in the first round of a shoe", "percent")
    yield FactItem(figure, share["value"] - above["value"])
    yield FactItem(Figure("natural_z", "z of the difference", "number", 2, signed=True), above["z"])


def _estimated(estimate: Data) -> tuple[float, ...]:
    low, high = estimate["interval_99"]["low"], estimate["interval_99"]["high"]
    return estimate["value"], estimate["standard_error"], low, high


def _streak_edges(wagers: Sequence[Data]) -> DataTable:
    rows = [
        (
            wager["title"],
            wager["id"],
            *_estimated(wager["house_edge"]),
            Fraction(wager["par_house_edge"]),
            wager["above_par"]["value"],
            wager["above_par"]["z"],
        )
        for wager in wagers
    ]
    columns = (WAGER, WAGER_ID, _EDGE, *_ESTIMATE, _SHEET, _EXCESS, Z)
    return DataTable(columns, rows, page="House edges")


def _runs(data: Data) -> Section:
    longest = data["runs"][-1]
    rows = [
        (
            f"{run['won_before']}{' or more' if run is longest else ''} won",
            run["rounds"],
            *_estimated(run["won"]),
            run["above_all"]["value"],
            run["above_all"]["z"],
        )
        for run in data["runs"]
    ]
    columns = (
        Figure("after", "After"), Figure("resolved", "Rounds", "count"), _SHARE, *_ESTIMATE,
        _EXCESS, Z,
    )  # fmt: skip
    foot = ("all", sum(run["rounds"] for run in data["runs"]), *_estimated(data["won"]), None, None)
    table = DataTable(columns, rows, page="Runs", foot=foot)
    return Section("Share of resolved rounds that are won", [table])


def _streak_outcomes(wagers: Sequence[Data]) -> DataTable:
    rows = [
        (wager["title"], wager["placed"], wager["won"], outcome, number, wager["cites"])
        for wager in wagers
        for outcome, number in wager["lines"].items()
    ]
    columns = (
        WAGER, Figure("placed", "Placed", "count"), Figure("wagers_won", "Won", "count"), OUTCOME,
        Figure("outcome_rounds", "Rounds", "count"), CLAUSES,
    )  # fmt: skip
    return DataTable(columns, rows, page="Outcomes")
