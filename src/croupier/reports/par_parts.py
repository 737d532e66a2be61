"""The optional parts of a PAR sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Final

from msgspec.structs import replace

from croupier.law.usage import currency_in_use
from croupier.reports.document import PROBABILITY, RTP, WAGER, WAYS, Data
from croupier.reports.figures import outcome_title
from croupier.reports.tree import DataTable, Drawn, FactItem, Figure, Note, Section, row

_REACH: Final = "NORMSINV((1+{confidence})/2)*{band_deviation}/SQRT({band_wagers})"
_BANDS: Final = (
    WAGER,
    Figure("band_wagers", "Wagers", "count"),
    Figure("confidence", "Confidence", "percent", 1),
    replace(RTP, formula="1+{Lines:contribution.total}"),
    Figure(
        "band_deviation", "Std. dev.", "number", 6,
        formula="SQRT(SUMPRODUCT({Lines:probability},({Lines:net}-{Lines:contribution.total})^2))",
    ),
    Figure("normal_low", "Normal from", "percent", formula=f"{{return_to_player}}-{_REACH}"),
    Figure("normal_high", "Normal to", "percent", formula=f"{{return_to_player}}+{_REACH}"),
    Figure("exact_low", "Exact from", "percent"),
    Figure("exact_high", "Exact to", "percent"),
)  # fmt: skip
_INDEPENDENT: Final = (
    "The RTP of this number of independent wagers is in the band with the confidence given, and "
    "at most half of the rest is on either side: by the normal law, and exactly, by convolution of "
    "the outcomes. The two agree if their ends differ by at most 1% of the half-width; agreement "
    "is tested at 10, 20, 50, 100, ... wagers and begins with the first of three in a row. Between "
    "these, steps of the payouts may keep the ends further apart. Rounds of one shoe depend on "
    "each other; croupier simulate measures their design effect."
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

_ENDINGS: Final = (
    _TICKET,
    Figure("bankroll_cents", "Bankroll", "cents"),
    Figure("goal_cents", "Goal", "cents"),
    Figure("rounds", "Limit", "count"),
    Figure("ruin", "Ruin", "percent"),
    Figure("goal", "Goal reached", "percent"),
    Figure("mean_rounds", "Mean rounds", "number", 4),
    Figure("error", "Error"),
)
_REPEATED: Final = (
    "The ticket is made again in each round, dealt from the shoe of the sheet, until the bankroll "
    "is below the stakes (ruin), reaches the goal, or the rounds are over. The figures differ from "
    "the exact ones by the error at most."
)


def parts_of(sheet: Data) -> Iterator[Section]:
    titles = {wager["id"]: wager["title"] for wager in sheet["wagers"]}
    deviations = {wager["id"]: wager["standard_deviation"] for wager in sheet["wagers"]}
    if sheet["bands"]:
        yield _bands(sheet["bands"], titles, deviations)
    if sheet["tickets"]:
        yield _tickets(sheet["tickets"], titles)


def _bands(
    bands: list[Data], titles: Mapping[str, str], deviations: Mapping[str, float]
) -> Section:
    rows = [
        row(
            _BANDS,
            band,
            wager_title=titles[wager["wager"]],
            band_wagers=band["wagers"],
            return_to_player=Fraction(wager["return_to_player"]),
            band_deviation=deviations[wager["wager"]],
            **{key: "too large" for key in ("exact_low", "exact_high") if band[key] is None},
        )
        for wager in bands
        for band in wager["bands"]
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


def _tickets(tickets: list[Data], titles: Mapping[str, str]) -> Section:
    rows = [
        row(
            _TICKETS,
            ticket,
            ticket=ticket["title"],
            ticket_edge=Fraction(ticket["house_edge"]),
            ticket_deviation=ticket["standard_deviation_cents"],
            ticket_hits=Fraction(ticket["hit_frequency"]),
            ticket_pushes=Fraction(ticket["push_frequency"]),
        )
        for ticket in tickets
    ]
    nodes: list[DataTable | Note] = [DataTable(_TICKETS, rows, page="Tickets", checks=True)]
    for ticket in tickets:
        nodes += [_nets(ticket), _covariances(ticket, titles)]
    ended = [(ticket["title"], ticket["ending"]) for ticket in tickets if ticket["ending"]]
    if ended:
        nodes += [Note(_REPEATED, "meaning"), _endings(ended)]
    return Section("Several wagers together", nodes, together=False)


def _endings(ended: list[tuple[str, Data]]) -> DataTable:
    rows = [
        row(_ENDINGS, one, ticket=title,
            error=f"{float(Fraction(one['error'])):.0e}" if Fraction(one["error"]) else "exact")
        for title, one in ended
    ]  # fmt: skip
    return DataTable(_ENDINGS, rows, "Ruin and duration of repeated tickets", "Ruin")


def _nets(ticket: Data) -> DataTable:
    name = ticket["title"]
    rows = [
        row(_NETS, net, net_part=net["net_cents"] * Fraction(net["probability"]))
        for net in ticket["nets"]
    ]
    foot = (None, ticket["total_ways"], Fraction(1), Fraction(ticket["mean_cents"]))
    charts = [Drawn(["probability"], "Probability of each net result")]
    return DataTable(
        _NETS, rows, f"{name}: net results", "Nets", foot, FactItem(_TICKET, name), charts
    )


def _covariances(ticket: Data, titles: Mapping[str, str]) -> DataTable:
    name, wagers = ticket["title"], list(ticket["stakes_cents"])
    # A sheet of some wagers may have a ticket with others.
    titles = {wager: titles.get(wager, outcome_title(wager)) for wager in wagers}
    cells = {(one["wager"], one["other"]): one for one in ticket["covariances"]}
    square, unit = currency_in_use().minor ** 2, currency_in_use().unit
    return DataTable(
        (WAGER, *(Figure(f"covariance_{wager}", titles[wager], "number", 2) for wager in wagers)),
        [
            (titles[a], *(Fraction(cells[a, b]["square_cents"]) / square for b in wagers))
            for a in wagers
        ],
        f"{name}: covariances in square {unit}",
        "Covariances",
        of=FactItem(_TICKET, name),
    )
