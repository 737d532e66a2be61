"""The parts of a PAR sheet that are made if asked for."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from croupier.reports.catalog import PROBABILITY, RTP, WAGER, WAYS, plain
from croupier.reports.figures import outcome_title
from croupier.reports.tree import DataTable, Drawn, FactItem, FactList, Figure, Note, Section, Value

Data = Mapping[str, Any]

_REACH: Final = "NORMSINV((1+{confidence})/2)*{band_deviation}/SQRT({band_wagers})"
_BANDS: Final = (
    WAGER,
    Figure("band_wagers", "Wagers", "count"),
    Figure("confidence", "Confidence", "percent", 1),
    plain(RTP),
    Figure("band_deviation", "Std. dev.", "number", 6),
    Figure("normal_low", "Normal from", "percent", formula=f"{{return_to_player}}-{_REACH}"),
    Figure("normal_high", "Normal to", "percent", formula=f"{{return_to_player}}+{_REACH}"),
    Figure("exact_low", "Exact from", "percent"),
    Figure("exact_high", "Exact to", "percent"),
)
_INDEPENDENT: Final = (
    "The band has the RTP of so many independent wagers with the confidence given, and at most "
    "half of the rest on either side: by the normal law, and exactly, by convolution of the "
    "outcomes. The two agree if their ends differ by at most 1% of the half-width. Rounds of one "
    "shoe depend on each other; croupier simulate measures their design effect."
)

_TICKET: Final = Figure("ticket", "Ticket")
_NET: Final = Figure("net_cents", "Net", "cents", signed=True)
_PART: Final = Figure(
    "net_part", "Contribution", "cents", signed=True, formula="{net_cents}*{probability}"
)
_NETS: Final = (_NET, WAYS, PROBABILITY, _PART)
_SQUARES: Final = "SUMPRODUCT({Nets:probability},({Nets:net_cents}-{mean_cents})^2)"
_TICKETS: Final = (
    _TICKET,
    Figure("staked_cents", "Staked", "cents"),
    Figure("mean_cents", "Mean", "cents", signed=True, formula="{Nets:net_part.total}"),
    Figure("ticket_edge", "House edge", "percent", formula="-{mean_cents}/{staked_cents}"),
    Figure("ticket_deviation", "Std. dev.", "cents", formula=f"SQRT({_SQUARES})"),
    Figure(
        "ticket_hits", "Gains", "percent",
        formula='SUMIF({Nets:net_cents},">0",{Nets:probability})',
    ),
    Figure(
        "ticket_pushes", "Even", "percent",
        formula='SUMIF({Nets:net_cents},"=0",{Nets:probability})',
    ),
    Figure("min_net_cents", "Largest loss", "cents", signed=True, formula="MIN({Nets:net_cents})"),
    Figure("max_net_cents", "Largest gain", "cents", signed=True, formula="MAX({Nets:net_cents})"),
)  # fmt: skip


_WINS: Final = ("Per seat and hour", "Per hour", "Per shoe")


def parts_of(sheet: Data) -> Iterator[Section]:
    """Yield the sections of a sheet's parts."""
    titles = {one["id"]: one["title"] for one in sheet["wagers"]}
    deviations = {one["id"]: one["standard_deviation"] for one in sheet["wagers"]}
    if sheet["bands"]:
        yield _bands(sheet["bands"], titles, deviations)
    if sheet["stakes"]:
        yield _stakes(sheet["stakes"], titles)
    if sheet["tickets"]:
        yield _tickets(sheet["tickets"])
    if sheet["pace"] is not None:
        yield _pace(sheet["pace"], titles)


def _bands(
    bands: list[Data], titles: Mapping[str, str], deviations: Mapping[str, float]
) -> Section:
    rows = [
        (
            titles[wager["wager"]],
            one["wagers"],
            Fraction(one["confidence"]),
            Fraction(wager["return_to_player"]),
            deviations[wager["wager"]],
            one["normal_low"],
            one["normal_high"],
            *(_or_words(one[key], "too large") for key in ("exact_low", "exact_high")),
        )
        for wager in bands
        for one in wager["bands"]
    ]
    agreed = [
        (titles[wager["wager"]], Fraction(one["confidence"]), one["wagers"] or "not reached")
        for wager in bands
        for one in wager["agree_from"]
    ]
    columns = (WAGER, _BANDS[2], Figure("agree_from", "Agree from", "count"))
    return Section(
        "Confidence bands of the RTP",
        [
            Note(_INDEPENDENT, "meaning"),
            DataTable(_BANDS, rows, page="Bands"),
            DataTable(columns, agreed, "Wagers from which both bands agree", "Agreement of bands"),
        ],
        together=False,
    )


def _or_words(value: str | None, words: str) -> Value:
    return words if value is None else Fraction(value)


def _stakes(stakes: list[Data], titles: Mapping[str, str]) -> Section:
    rows = [
        (
            titles[one["wager"]],
            one["worst_stake_cents"],
            Fraction(one["worst_return"]),
            one["best_stake_cents"],
            Fraction(one["best_return"]),
        )
        for one in stakes
    ]
    ends = (
        WAGER, Figure("worst_stake_cents", "Worst stake", "cents"),
        Figure("worst_return", "RTP", "percent"),
        Figure("best_stake_cents", "Best stake", "cents"), Figure("best_return", "RTP", "percent"),
    )  # fmt: skip
    columns = (
        Figure("from_cents", "Stakes from", "cents"),
        Figure("to_cents", "Stakes to", "cents"),
        plain(RTP),
    )
    tables = [
        DataTable(
            columns,
            [
                (of["from_cents"], of["to_cents"], Fraction(of["return_to_player"]))
                for of in one["stakes"]
            ],
            f"{titles[one['wager']]}: RTP by stake",
            "RTP by stake",
            of=FactItem(WAGER, titles[one["wager"]]),
        )
        for one in stakes
    ]
    says = "As the table pays, with rounding and limits; of equal stakes, the smallest is named."
    return Section(
        "RTP by stake",
        [Note(says, "meaning"), DataTable(ends, rows, page="Worst stakes"), *tables],
        together=False,
    )


def _tickets(tickets: list[Data]) -> Section:
    rows = [
        (
            one["title"],
            one["staked_cents"],
            Fraction(one["mean_cents"]),
            Fraction(one["house_edge"]),
            one["standard_deviation_cents"],
            Fraction(one["hit_frequency"]),
            Fraction(one["push_frequency"]),
            one["min_net_cents"],
            one["max_net_cents"],
        )
        for one in tickets
    ]
    nodes = [DataTable(_TICKETS, rows, page="Tickets", checks=True)]
    for one in tickets:
        nodes += [_nets(one), *_matrices(one)]
    return Section("Several wagers together", nodes, together=False)


def _nets(ticket: Data) -> DataTable:
    name = ticket["title"]
    rows = [
        (
            one["net_cents"],
            one["ways"],
            Fraction(one["probability"]),
            one["net_cents"] * Fraction(one["probability"]),
        )
        for one in ticket["nets"]
    ]
    foot = (None, ticket["total_ways"], Fraction(1), Fraction(ticket["mean_cents"]))
    drawn = [Drawn(["probability"], "Probability of each net result")]
    return DataTable(
        _NETS, rows, f"{name}: net results", "Nets", foot, FactItem(_TICKET, name), drawn
    )


def _matrices(ticket: Data) -> Iterator[DataTable]:
    name, wagers = ticket["title"], list(ticket["stakes_cents"])
    titles = {one: outcome_title(one) for one in wagers}
    cells = {(one["wager"], one["other"]): one for one in ticket["covariances"]}
    # Square cents are shown as square dollars.
    yield DataTable(
        (WAGER, *(Figure(f"covariance_{one}", titles[one], "number", 2) for one in wagers)),
        [
            (
                titles[a],
                *(Fraction(cells[a, b]["square_cents"]) / 10_000 for b in wagers),
            )
            for a in wagers
        ],
        f"{name}: covariances in square dollars",
        "Covariances",
        of=FactItem(_TICKET, name),
    )
    yield DataTable(
        (WAGER, *(Figure(f"correlation_{one}", titles[one], "number") for one in wagers)),
        [(titles[a], *(cells[a, b]["correlation"] for b in wagers)) for a in wagers],
        f"{name}: correlations",
        "Correlations",
        of=FactItem(_TICKET, name),
    )


def _pace(pace: Data, titles: Mapping[str, str]) -> Section:
    keys = ("per_seat_hour_cents", "per_hour_cents", "per_shoe_cents")
    rows = [
        (
            titles[one["wager"]],
            one["stake_cents"],
            *(_or_words(one[key], "not asked") for key in keys),
        )
        for one in pace["wins"]
    ]
    columns = (
        WAGER, Figure("stake_cents", "Stake", "cents"),
        *(Figure(key, head, "cents") for key, head in zip(keys, _WINS, strict=True)),
    )  # fmt: skip
    given = (
        ("rounds_per_hour", "Rounds per hour"), ("seats", "Seats"),
        ("rounds_per_shoe", "Rounds per shoe"),
    )  # fmt: skip
    facts = [
        FactItem(Figure(key, title, "count"), pace[key])
        for key, title in given
        if pace[key] is not None
    ]
    says = "The stake times the house edge, if each seat makes this wager in each round."
    hits = [(meter, Fraction(one)) for meter, one in pace["hits_per_year"].items()]
    heads = (Figure("meter", "Meter"), Figure("hits_per_year", "Hits per year", "number"))
    return Section(
        "Theoretical win",
        [
            Note(says, "meaning"),
            FactList(facts),
            DataTable(columns, rows, page="Theoretical win"),
            *([DataTable(heads, hits, "In 365 days of 24 hours", "Hits")] if hits else []),
        ],
    )
