"""A sheet as formatted text: every figure as page, document and terminal show it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct

from croupier.reports.charts import FONT, WIDTH, Bar, Segment, bars, chart_alt_text, stack
from croupier.reports.figures import (
    Sheet,
    decimal,
    dollars,
    exact,
    grouped,
    kind,
    outcome_title,
    package_figure,
    percent,
    visible,
)

OUTCOMES: Final = {"win": "won", "lose": "lost", "push": "push", "void": "void", None: "?"}
"""What came of a wager, in words; the result may be unknown."""

CONTRIBUTION: Final = (
    "Contribution is what an outcome adds to the bettor's average return, in percent of the "
    "stake; contributions sum to minus the house edge. RTP (return to player) is 100% minus the "
    "house edge. The volatility index is the distance from the mean, in stakes, that would contain "
    "90% of normally distributed results."
)
"""The footnote that explains the columns."""


class Grid(Struct, frozen=True):
    """A table as text: its columns, which of them are words, its rows, and its footer."""

    columns: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]
    words: tuple[int, ...] = (0,)
    foot: tuple[str, ...] = ()

    def data(self) -> dict[str, Any]:
        """Return the table as plain data, for a template."""
        return {
            "columns": list(self.columns),
            "rows": [list(row) for row in self.rows],
            "words": list(self.words),
            "foot": list(self.foot),
        }


def summary_of(sheet: Sheet) -> Grid:
    """Return all wagers in one table."""
    return Grid(
        (
            "Wager",
            "House edge",
            "RTP",
            "Edge per resolved bet",
            "Hit frequency",
            "Push frequency",
            "Std. dev.",
            "Volatility index",
            "Min bet",
            "Max bet",
            "Max win",
        ),
        tuple(_summary_row(wager) for wager in sheet["wagers"]),
    )


def _summary_row(wager: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        visible(wager["title"]),
        percent(exact(wager["house_edge"])),
        percent(exact(wager["return_to_player"])),
        percent(exact(wager["edge_per_resolved"])),
        percent(exact(wager["hit_frequency"])),
        percent(exact(wager["push_frequency"])),
        f"{wager['standard_deviation']:.4f}",
        f"{wager['volatility_index']:.4f}",
        _money(wager["min_cents"]),
        _money(wager["max_cents"]),
        "no bound" if wager["max_win_meters"] else _money(wager["max_win_cents"]),
    )


def _title(text: str) -> str:
    """Return a title, never empty: screen readers need heading text."""
    return visible(text).strip() or "untitled"


def _money(cents: int | None) -> str:
    return "none" if cents is None else dollars(cents)


def lines_of(wager: Mapping[str, Any]) -> Grid:
    """Return the outcome lines of a wager, with their totals."""
    lines = wager["lines"]
    ways = sum(int(line["ways"]) for line in lines)
    chance = sum((exact(line["probability"]) for line in lines), Fraction())
    comes_to = sum((exact(line["contribution"]) for line in lines), Fraction())
    return Grid(
        ("Outcome", "Pays", "Probability", "Contribution", "Ways", "Exactly"),
        tuple(
            (
                outcome_title(line["outcome"]),
                visible(line["pays"]),
                percent(exact(line["probability"])),
                percent(exact(line["contribution"])),
                grouped(line["ways"]),
                visible(line["probability"]),
            )
            for line in lines
        ),
        foot=("all", "", percent(chance), percent(comes_to), grouped(ways), _fraction(chance)),
    )


def _fraction(value: Fraction) -> str:
    return f"{value.numerator}/{value.denominator}"


def rounding_of(wager: Mapping[str, Any]) -> Grid | None:
    """Return the edge at some stakes with rounded vigorish; None if vigorish is not rounded."""
    if not wager["rounding"]:
        return None
    plain = exact(wager["house_edge"])
    return Grid(
        ("Stake", "Vigorish", "House edge", "Above exact"),
        tuple(
            (
                dollars(one["stake_cents"]),
                dollars(one["vigorish_cents"]),
                percent(exact(one["house_edge"])),
                percent(exact(one["house_edge"]) - plain),
            )
            for one in wager["rounding"]
        ),
        words=(),
    )


def describe_shoe(sheet: Sheet) -> str:
    """Return the cards of the shoe, abbreviated if every rank has the same number.

    >>> describe_shoe({"shoe": {"cards": 5, "by_rank": {"A": 3, "2": 2}}})
    '5 cards: A 3, 2 2'
    """
    cards, by_rank = sheet["shoe"]["cards"], sheet["shoe"]["by_rank"]
    counts = set(by_rank.values())
    if len(counts) == 1:
        return visible(f"{cards} cards, {counts.pop()} of each rank")
    return visible(f"{cards} cards: " + ", ".join(f"{a} {b}" for a, b in by_rank.items()))


def provenance(sheet: Sheet) -> list[tuple[str, str | list[str]]]:
    """Return the provenance of the sheet, as names and values."""
    return [
        ("Law", visible(f"{sheet['law_title']} ({sheet['law']})")),
        ("In force from", visible(sheet["in_force_from"])),
        ("Submission", visible(sheet["title"])),
        ("Scheme", visible(sheet["scheme"])),
        ("Shoe", describe_shoe(sheet)),
        ("Ways", grouped(sheet["total_ways"])),
        ("Rules SHA-256", visible(sheet["rules_hash"])),
        ("Law SHA-256", visible(sheet["law_hash"])),
        ("Program", f"{visible(sheet['program'])} {visible(sheet['version'])}"),
        ("Reproduce with", visible(sheet["reproduce"])),
    ]


def definition_of(part: Mapping[str, Any], clauses: Mapping[str, str]) -> list[str]:
    """Return what defines a wager: what makes each line, or else what its clauses say."""
    said = part["definition"] or [clauses.get(clause, "") for clause in part["cites"]]
    return [visible(one) for one in dict.fromkeys(said) if one]


def wager_view(
    wager: Mapping[str, Any],
    number: int,
    font: str = FONT,
    width: int = WIDTH,
    clauses: Mapping[str, str] = MappingProxyType({}),
) -> dict[str, Any]:
    """Return one wager as text and charts; ``number`` identifies it on its page."""
    title = _title(wager["title"])
    rounding = rounding_of(wager)
    parts, contributions = _parts(wager), _contributions(wager)
    limits = " to ".join(
        dollars(cents) for cents in (wager["min_cents"], wager["max_cents"]) if cents is not None
    )
    facts: list[tuple[str, str | list[str]]] = [
        ("House edge", _both(wager["house_edge"])),
        ("RTP", _both(wager["return_to_player"])),
        ("Edge per resolved bet", [_both(wager["edge_per_resolved"]), _divisor(wager)]),
        ("Hit frequency", _both(wager["hit_frequency"])),
        ("Hit cycle", _cycle(wager)),
        ("Push frequency", _both(wager["push_frequency"])),
        ("Variance", f"{decimal(exact(wager['variance']), 6)} = {visible(wager['variance'])}"),
        ("Standard deviation", f"{wager['standard_deviation']:.6f}"),
        ("Volatility index", f"{wager['volatility_index']:.6f}"),
        ("Limits", limits or "none"),
        ("Max win", _max_win(wager)),
        ("Vigorish", visible(wager["scheme"])),
        ("Clauses", _names(wager["cites"])),
        ("Readings", _names(wager["interpretations"])),
    ]
    return {
        "anchor": f"wager-{number}",
        "title": title,
        "id": visible(wager["id"]),
        "definition": definition_of(wager, clauses),
        "lines": lines_of(wager).data(),
        "facts": _facts(facts),
        "rounding": None if rounding is None else rounding.data(),
        "outcomes": stack(
            f"outcomes-{number}",
            f"{title}: probability of each outcome",
            parts,
            font=font,
            width=width,
        ),
        "outcomes_told": chart_alt_text(parts),
        "contributions": bars(
            f"contributions-{number}",
            f"{title}: contribution of each outcome",
            contributions,
            font=font,
            width=width,
        ),
        "contributions_told": chart_alt_text(contributions),
    }


def _divisor(wager: Mapping[str, Any]) -> str:
    """Return by what the edge per resolved bet divides."""
    share = percent(exact(wager["resolved_frequency"]))
    what = f"divided by the {share} of bets whose whole stake is won or lost"
    if any(line["pays"].startswith("takes") for line in wager["lines"]):
        edge = percent(exact(wager["house_edge"]))
        what += f"; by all bets, a tie that takes part of the stake included, it is {edge}"
    return what


def _cycle(wager: Mapping[str, Any]) -> str | list[str]:
    if wager["hit_cycle"] is None:
        return "never hit"
    rounds = _once_in(wager["hit_cycle_rounds"], "rounds")
    if exact(wager["rounds_per_wager"]) == 1:
        return rounds
    lasts = f"{decimal(exact(wager['rounds_per_wager']), 4)} rounds per wager"
    return [_once_in(wager["hit_cycle"], "wagers"), f"{rounds}, at {lasts}"]


def _once_in(cycle: str, unit: str) -> str:
    return f"once in {decimal(exact(cycle), 4)} {unit} = {visible(cycle)}"


def _both(text: str) -> str:
    return f"{percent(exact(text))} = {visible(text)}"


def _max_win(wager: Mapping[str, Any]) -> str:
    if not wager["max_win_meters"]:
        return _money(wager["max_win_cents"])
    return f"no bound: what a meter shows ({visible(', '.join(wager['max_win_meters']))})"


def _names(names: Sequence[str]) -> list[str]:
    return [visible(name) for name in names] or ["none"]


def _facts(facts: Sequence[tuple[str, str | list[str]]]) -> list[list[Any]]:
    """Return names and values as plain data; each value is a list that may break across lines."""
    return [[name, [value] if isinstance(value, str) else value] for name, value in facts]


def _parts(wager: Mapping[str, Any]) -> list[Segment]:
    parts = [
        Segment(
            outcome_title(line["outcome"]),
            exact(line["probability"]),
            percent(exact(line["probability"])),
            kind(line["pays"]),
        )
        for line in wager["lines"]
    ]
    order = ("win", "push", "loses")
    return sorted(parts, key=lambda part: order.index(part.kind))


def _contributions(wager: Mapping[str, Any]) -> list[Bar]:
    return [
        Bar(
            outcome_title(line["outcome"]),
            exact(line["contribution"]),
            percent(exact(line["contribution"])),
        )
        for line in wager["lines"]
    ]


def _package(package: Mapping[str, Any]) -> dict[str, Any]:
    columns = package["columns"]
    rows = tuple(
        (
            visible(row["title"]),
            *(
                package_figure(one["unit"], row["figures"][one["id"]])
                if one["id"] in row["figures"]
                else ""
                for one in columns
            ),
        )
        for row in package["rows"]
    )
    heads = (visible(package["of"]), *(visible(one["title"]) for one in columns))
    return {
        "title": _title(package["title"]),
        "says": visible(package["says"]),
        "table": Grid(heads, rows).data(),
        "facts": _facts(
            [
                ("Clauses", _names(package["cites"])),
                ("Readings", _names(package["interpretations"])),
            ]
        ),
    }


def view(sheet: Sheet, font: str = FONT, width: int = WIDTH) -> dict[str, Any]:
    """Return the whole sheet as text and charts, in plain data for a template.

    ``width`` is the width of each of a wager's two charts, which are side by side.
    """
    edges = [
        Bar(visible(one["title"]), exact(one["house_edge"]), percent(exact(one["house_edge"])))
        for one in sheet["wagers"]
    ]
    return {
        "title": _title(sheet["title"]),
        "shoe": describe_shoe(sheet),
        "law": visible(sheet["law"]),
        "law_title": visible(sheet["law_title"]),
        "in_force_from": visible(sheet["in_force_from"]),
        "rules_short": visible(sheet["rules_hash"])[:16],
        "warnings": [visible(warning) for warning in sheet["warnings"]],
        "provenance": _facts(provenance(sheet)),
        "summary": summary_of(sheet).data(),
        "edges": bars("edges", "House edge of each wager", edges, font=font),
        "edges_told": chart_alt_text(edges),
        "meaning": CONTRIBUTION,
        "wagers": [
            wager_view(one, number, font, width, sheet["clauses"])
            for number, one in enumerate(sheet["wagers"], 1)
        ],
        "drawing": None if sheet["drawing"] is None else _drawing(sheet["drawing"]),
        "packages": [_package(one) for one in sheet["packages"]],
        "interpretations": [
            [visible(name), visible(reading)] for name, reading in sheet["readings"].items()
        ],
        "clauses": in_words(("Clause", "Says"), sheet["clauses"]),
        "readings": in_words(("Reading", "Says"), sheet["reading_texts"]),
    }


def in_words(heads: tuple[str, str], texts: Mapping[str, str]) -> dict[str, Any]:
    """Return a table of what is cited by its id, with what it says."""
    rows = tuple((visible(name), visible(says)) for name, says in texts.items())
    return Grid(heads, rows, words=(0, 1)).data()


def _drawing(drawing: Mapping[str, Any]) -> dict[str, Any]:
    """Return the third-card rules: sentences, and Banker's table with D for draw, S for stay."""
    rows = tuple((str(count), *letters) for count, letters in enumerate(drawing["banker_draws"]))
    return {
        "says": [visible(one) for one in drawing["says"]],
        "table": Grid(("Banker's Hand", "none", *map(str, range(10))), rows).data(),
        "facts": _facts([("Clauses", _names(drawing["cites"]))]),
    }
