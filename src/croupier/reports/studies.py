"""What the reports of counting, design, and simulation show, from their plain data."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from croupier.reports.figures import Sheet, dollars
from croupier.reports.study import StudyReport, StudyTable
from croupier.reports.view import describe_shoe

_MOST_BINS: Final = 31
"""True counts that are shown: those that come most often."""


def count_report(data: Sheet) -> StudyReport:
    """Return the report of a card count over simulated shoes."""
    often = sorted(data["bins"], key=lambda one: -one["rounds"])[:_MOST_BINS]
    common = sorted(often, key=lambda one: one["true_count"])
    facts = [
        ("Wager", data["wager"]),
        ("Shoe", describe_shoe(data)),
        ("Played", f"{data['shoes']:,} shoes, seed {data['seed']}, {data['rounds']:,} rounds"),
        ("Cards behind", str(data["cards_behind"])),
        *_numbers(
            data,
            ("Betting correlation", "correlation_with_effects"),
            ("Betting efficiency", "betting_efficiency"),
            ("Correlation of true count and advantage", "correlation"),
            ("Value of one true count", "worth_of_true_count"),
            ("Best threshold", "best_threshold"),
            ("Share of perfect play won", "efficiency"),
        ),
    ]
    tables = (_effects(data), _bins(data, common), _thresholds(data, common))
    return StudyReport(f"Card counting: {_words(data['wager'])}", data, facts, tables)


def _effects(data: Sheet) -> StudyTable:
    return StudyTable(
        "Effects of removal",
        "How much the expected value of a unit changes if one card of the rank leaves the shoe, and"
        " the tags of the count. The expected value from the full shoe is "
        f"{float(Fraction(data['expectation'])):+.6f}.",
        (
            ("Rank", "text"),
            ("Effect of removal", "percent"),
            ("Best tag", "number"),
            ("Tag", "number"),
        ),
        [
            (
                rank,
                Fraction(effect),
                None if data["best_tags"] is None else data["best_tags"][rank],
                Fraction(data["tags"][rank]),
            )
            for rank, effect in data["effects_of_removal"].items()
        ],
        drawn=1,
    )


def _bins(data: Sheet, common: Sequence[Mapping[str, Any]]) -> StudyTable:
    return StudyTable(
        "Advantage by true count",
        "The bettor's mean advantage in rounds that begin at each true count, for those that come "
        "most often.",
        (
            ("True count", "text"),
            ("Advantage", "percent"),
            ("Share of rounds", "percent"),
            ("Rounds", "count"),
        ),
        [
            (
                f"{one['true_count']:g}",
                one["advantage"],
                Fraction(one["rounds"], data["rounds"]),
                one["rounds"],
            )
            for one in common
        ],
        drawn=1,
    )


def _thresholds(data: Sheet, common: Sequence[Mapping[str, Any]]) -> StudyTable:
    shown = {one["true_count"] for one in common}
    return StudyTable(
        "Betting from a true count on",
        "What one unit brings that is bet in every round from a true count on, in 100 shoes.",
        (
            ("Bet from", "text"),
            ("Units won", "number"),
            ("Standard error", "number"),
            ("Bets", "number"),
            ("Advantage", "percent"),
        ),
        [
            (
                name,
                one["units_per_100_shoes"],
                one["standard_error"],
                one["bets_per_100_shoes"],
                one["advantage"],
            )
            for name, one in (
                *((f"{one['true_count']:g}", one) for one in data["thresholds"]
                  if one["true_count"] in shown),
                *([("perfect play", data["perfect"])] if data["perfect"] else []),
            )
        ],
        drawn=1,
    )  # fmt: skip


def session_report(data: Sheet) -> StudyReport:
    """Return the report of the sessions of a bettor."""
    measured = (
        ("Result", "dollars", data["result"], 100),
        ("Largest drawdown", "dollars", data["drawdown_cents"], 100),
        ("Largest stake", "dollars", data["greatest_stake_cents"], 100),
        ("Longest losing run", "number", data["longest_losing_run"], 1),
        ("Rounds", "number", data["time"]["rounds"], 1),
    )
    percentiles = StudyTable(
        "Percentiles of a session",
        "The value that the given share of the sessions does not exceed, each column by itself.",
        (("Share", "text"), *((head, form) for head, form, _, _ in measured)),
        [
            (f"{float(at):.0%}", *(one["quantiles"][at] / per for _, _, one, per in measured))
            for at in data["result"]["quantiles"]
        ],
        drawn=1,
    )
    means = StudyTable(
        "Means of a session",
        "The mean, the standard deviation, and the extremes.",
        (
            ("Figure", "text"),
            ("Mean", "number"),
            ("Std. dev.", "number"),
            ("Minimum", "number"),
            ("Maximum", "number"),
        ),
        [
            (
                head if form == "number" else f"{head}, dollars",
                *(one[key] / per for key in ("mean", "standard_deviation", "least", "most")),
            )
            for head, form, one, per in measured
        ],
    )
    shares = StudyTable(
        "How sessions ended",
        "Ahead, even, or behind, and the sessions that ended in ruin.",
        (("Session", "text"), ("Share", "percent")),
        [
            *((name, data["result"][name]) for name in ("ahead", "even", "behind")),
            ("in ruin", data["ruin"]["share"]),
        ],
        drawn=1,
    )
    facts = [
        ("Wagers", ", ".join(one["title"] for one in data["wagers"])),
        ("System", data["system"]),
        ("Unit", dollars(data["unit_cents"])),
        *(
            []
            if data["bankroll_cents"] is None
            else [("Bankroll", dollars(data["bankroll_cents"]))]
        ),
        ("Played", f"{data['sessions']:,} sessions, seed {data['seed']}"),
    ]
    title = f"Sessions: {data['system']}"
    return StudyReport(title, data, facts, (percentiles, shares, means))


def _words(name: str) -> str:
    return name.replace("_", " ")


def _numbers(data: Sheet, *named: tuple[str, str]) -> list[tuple[str, str]]:
    return [(name, f"{data[key]:.4f}") for name, key in named if data[key] is not None]


def design_report(data: Sheet) -> StudyReport:
    """Return the report of the pay tables of a custom wager."""
    found = data["candidates"]
    lines = list(found[0]["pays"]) if found else []
    decks = list(found[0]["edge_by_decks"]) if found else []
    dealt = list(found[0]["gain_per_100_rounds"]) if found else []
    names = [", ".join(f"{one['pays'][line]}" for line in lines) for one in found]
    order = ", ".join(_words(line) for line in lines)
    tables = [
        StudyTable(
            "Pay tables",
            f"{data['within_bounds']:,} pay tables are within the bounds; these are nearest the "
            f"middle. Pays: to one, of {order or 'no line'}.",
            (
                ("Pays", "text"),
                ("House edge", "percent"),
                ("RTP", "percent"),
                ("Std. dev.", "number"),
                *((f"Edge, {one} decks", "percent") for one in decks),
            ),
            [
                (
                    name,
                    Fraction(one["house_edge"]),
                    Fraction(one["return_to_player"]),
                    float(Fraction(one["variance"])) ** 0.5,
                    *(Fraction(one["edge_by_decks"][number]) for number in decks),
                )
                for name, one in zip(names, found, strict=True)
            ],
            drawn=1,
        ),
        StudyTable(
            "Vulnerability to counting",
            "The best small tags, their correlation with the effects of removal, and the units won "
            "per 100 rounds by how much of the shoe is dealt: an estimate by linear theory.",
            (
                ("Pays", "text"),
                *((f"Gain, {one} dealt", "number") for one in dealt),
                ("Correlation", "number"),
                ("Tags", "text"),
            ),
            [
                (
                    name,
                    *(one["gain_per_100_rounds"][share] for share in dealt),
                    one["correlation"],
                    one["tags"] or "none",
                )
                for name, one in zip(names, found, strict=True)
            ],
            drawn=len(dealt) or None,
        ),
        StudyTable(
            "Outcomes",
            "How likely each line of the wager is.",
            (("Line", "text"), ("Probability", "percent")),
            [(_words(line), Fraction(one)) for line, one in data["chances"].items()],
            drawn=1,
        ),
    ]
    facts = [("Wager", data["wager"]), ("Shoe", describe_shoe(data))]
    return StudyReport(f"Design: {_words(data['wager'])}", data, facts, tables)


def simulation_report(data: Sheet) -> StudyReport:
    """Return the report of a simulation: every wager next to its exact odds."""

    def row(one: dict[str, Any]) -> tuple[Any, ...]:
        exact = one["exact_edge"]
        return (
            one["title"],
            one["z"],
            one["edge"],
            one["standard_error"],
            None if exact is None else Fraction(exact),
            one["design_effect"],
        )

    edges = StudyTable(
        "House edges",
        "The edge of the simulated rounds next to the exact one. z is their difference in standard "
        "errors, which allow for the dependence of the rounds of a shoe; the bars show it.",
        (
            ("Wager", "text"),
            ("z", "number"),
            ("Simulated edge", "percent"),
            ("Standard error", "percent"),
            ("Exact edge", "percent"),
            ("Design effect", "number"),
        ),
        [row(one) for one in data["wagers"]],
        drawn=1,
    )
    outcomes = StudyTable(
        "Outcomes",
        "How often each outcome of a wager came, next to its exact probability.",
        (
            ("Wager", "text"),
            ("Outcome", "text"),
            ("Rounds", "count"),
            ("Frequency", "percent"),
            ("Probability", "percent"),
        ),
        [
            (
                one["title"],
                _words(line["outcome"]),
                line["rounds"],
                line["frequency"],
                None if line["probability"] is None else Fraction(line["probability"]),
            )
            for one in data["wagers"]
            for line in one["lines"]
        ],
    )
    facts = [
        ("Shoe", describe_shoe(data)),
        ("Played", f"{data['rounds']:,} rounds, {data['shoes']:,} shoes, seed {data['seed']}"),
        ("Engine", data["engine"]),
        ("Cards behind", str(data["cards_behind"])),
    ]
    return StudyReport(f"Simulation: {data['title']}", data, facts, (edges, outcomes))
