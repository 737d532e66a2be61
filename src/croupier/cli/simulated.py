"""The report of a simulation, as text or CSV."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping, Sequence
from fractions import Fraction
from math import ceil, log10
from typing import Any, Final

from rich.table import Table

from croupier.cli.output import blank, headline, plain_table, print_table, print_text
from croupier.reports.csv_form import harmless

Data = Mapping[str, Any]

_NAMED: Final = ("in_force_from", "law_hash", "program", "version", "reproduce")
COLUMNS: Final = (
    "law", "rules_hash", "engine", "seed", "rounds", "wager", "title", "edge",
    "standard_error", "low", "high", "exact_edge", "exact_edge_decimal", "z", "design_effect",
    *_NAMED,
)  # fmt: skip
"""The columns of the CSV form, which are stable."""

_FEWEST_PLACES, _MOST_PLACES = 4, 8
_ROOMY_PLACES: Final = 4
"""With more places the columns are closer, so an interval fits in 80 columns."""


def print_csv(data: Data) -> None:
    """Print a row for each wager and package, with the run's facts in every row."""
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(COLUMNS)
    for one in (*data["wagers"], *data["packages"]):
        ends = one["interval"]["low"], one["interval"]["high"]
        figures = (one["edge"], one["standard_error"], *ends)
        writer.writerow(
            [
                *(data[name] for name in ("law", "rules_hash", "engine", "seed", "rounds")),
                one["id"],
                harmless(one["title"]),
                *(f"{figure:.12f}" for figure in figures),
                one["exact_edge"],
                f"{float(Fraction(one['exact_edge'])):.12f}",
                "" if one["z"] is None else f"{one['z']:.6f}",
                f"{one['design_effect']:.6f}",
                *(harmless(data[name]) for name in _NAMED),
            ]
        )


def print_report(data: Data) -> None:
    """Print the report of a simulation, for a terminal of 80 columns or more."""
    headline(f"Simulation: {data['title'] or data['law_title']}")
    print_text(f"{data['law_title']} as of {data['in_force_from']}")
    print_text(f"rules {data['rules_hash']}")
    for warning in data["warnings"]:
        print_text(f"WARNING {warning}")
    _tell_played(data)
    blank()
    bets = (*data["wagers"], *data["packages"])
    if bets:
        print_table(_bets(bets))
        blank()
    for census in data["censuses"]:
        _tell_census(census, by_shoe=data["device"] == "shoe")
    for note in data["notes"]:
        blank()
        print_text(note)


def _tell_played(data: Data) -> None:
    cards = data["shoe"]["cards"]
    if data["device"] == "continuous":
        told = f"{data['rounds']:,} rounds, each from {cards} cards in a continuous device"
    else:
        told = (
            f"{data['rounds']:,} rounds from shoes of {cards} cards, {data['cards_behind']} behind"
            " the cutting card"
        )
    print_text(f"{told}; engine {data['engine']}, seed {data['seed']}")
    found = data["rounds_per_shoe"]
    if found is not None:
        print_text(
            f"{found['mean']:.4f} rounds per shoe, from {found['least']} to {found['most']} "
            f"(standard error {found['standard_error']:.4f}, {found['shoes']:,} shoes)"
        )
    if data["ended"] == "interrupted":
        print_text(
            f"INTERRUPTED: {data['rounds_asked']:,} rounds were requested; all figures are for "
            "the rounds played."
        )
    for until in data["until"]:
        told = "reached" if until["reached"] else "not reached in this number of rounds"
        within = f"{until['within']:.9f}".rstrip("0")
        print_text(f"{until['wager']} edge +-{within}: {told}")


def _bets(bets: Sequence[Data]) -> Table:
    """Return the table of bets, with two significant digits of the smallest standard error."""
    errors = [one["standard_error"] * 100 for one in bets if one["standard_error"]]
    places = ceil(-log10(min(errors))) + 1 if errors else _FEWEST_PLACES
    places = min(max(places, _FEWEST_PLACES), _MOST_PLACES)
    table = plain_table("Wager", "House edge", "Std. error", "99% interval", "Exact", "z")
    if places > _ROOMY_PLACES:
        table.padding = (0, 1, 0, 0)
    for column in table.columns[1:]:
        column.justify = "right"
    for one in bets:
        low, high = (f"{end * 100:.{places}f}" for end in one["interval"].values())
        table.add_row(
            # A package has a title too, which is a sentence.
            one["title"] if "lines" in one else one["id"],
            f"{one['edge_percent']:.{places}f}%",
            f"{one['standard_error'] * 100:.{places}f}%",
            f"{low} to {high}%",
            f"{one['exact_edge_percent']:.{places}f}%",
            "" if one["z"] is None else f"{one['z']:+.2f}",
        )
    return table


def _tell_census(census: Data, *, by_shoe: bool) -> None:
    told = census["test"]
    if told is None:
        print_text(f"Census of {census['facts']}: too few rounds for a test.")
        return
    low, high = told["bounds"]["low"], told["bounds"]["high"]
    print_text(
        f"Census of {census['facts']}: chi-square {told['corrected']:.1f} with "
        f"{told['degrees_of_freedom']} degrees of freedom, p {told['p']:.4g}; 99.9% bounds "
        f"{low:.1f} to {high:.1f}."
    )
    if told["design_effect"] != 1:
        effect = f"{told['design_effect']:.4f}"
        print_text(
            f"(Pearson's {told['chi_square']:.1f} over a mean design effect of {effect}.)", indent=2
        )
    for facts in told["impossible"]:
        print_text(
            "IMPOSSIBLE: "
            + ", ".join(f"{name} {value}" for name, value in facts.items() if value != ""),
            indent=2,
        )
    if told["impossible"]:
        print_text(
            "These rounds are impossible under the regulation: the dealing engine is wrong.",
            indent=2,
        )
    elif not low <= told["corrected"] <= high:
        besides = " From about 10^10 rounds, so is the cut-card effect." if by_shoe else ""
        print_text(
            f"OUTSIDE the 99.9% bounds; expected in 1 of 1,000 simulations.{besides}", indent=2
        )
