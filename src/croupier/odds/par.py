"""The PAR sheet of a table: every wager on offer, exact and cited."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Final, NamedTuple

from croupier.baccarat.coup import Facts
from croupier.law.standing import entries_named
from croupier.money.settlement import Stake, settle
from croupier.odds import documents, in_words
from croupier.odds.census import Census
from croupier.odds.chances import census_of
from croupier.odds.packages import Pace, packages_of
from croupier.odds.progressive import at_meters, by_seats
from croupier.odds.sheet import (
    WagerSheet,
    alike,
    bettors_advantages,
    every_sheet,
    fraction,
    is_taken,
    wager_sheet,
)
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Offer, TableRules
from croupier.rules.documents import fields_of, provenance

if TYPE_CHECKING:
    from croupier.odds.tickets import Purse

STAKES: Final = (500, 700, 1_000, 2_500, 2_600, 3_300, 10_000, 10_100)
"""Default stakes in cents for the effect of rounding."""


class AlsoAsked(NamedTuple):
    bands: Callable[[WagerSheet], documents.WagerBands] | None = None
    """Confidence bands of a wager; their kernel needs an extra."""
    stakes: Sequence[int] = ()
    """Stakes in cents for the RTP by stake."""
    tickets: Sequence[Mapping[str, int]] = ()
    purse: Purse | None = None
    """Bankroll, goal, and rounds of repeated tickets."""
    pace: Pace | None = None
    wagers: Sequence[str] = ()
    """Wagers of the sheet and its parts; all if empty."""
    meters: Mapping[str, int] = MappingProxyType({})
    """Amounts in cents that meters show."""
    seats: int | None = None
    """Seats that make a progressive wager in each round."""


def par_sheet(
    rules: TableRules,
    shoe: ShoeComposition,
    *,
    reproduce: str = "",
    stakes: Sequence[int] = STAKES,
    also: AlsoAsked | None = None,
) -> documents.ParSheet:
    """PAR sheet of a table. Raises ``ShoeError`` if a wager depends on unknown suits."""
    also = AlsoAsked() if also is None else also
    census = partial(census_of, shoe, rules)
    sheets, counts = every_sheet(rules, census), census(("counts",))
    wagers = [
        _wager(rules, offer, sheets[wager], census(offer.wager.asks), stakes)
        for wager, offer in rules.offers.items()
        if not also.wagers or wager in also.wagers
    ]
    provenance_data = provenance(rules, reproduce)
    provenance_data["warnings"] += bettors_advantages(sheets, rules, census)
    packages, drawing = packages_of(rules, shoe, counts, sheets), in_words.drawing_rules(rules)
    return {
        "format": "croupier-par/5",
        **provenance_data,
        "scheme": rules.vigorish.scheme,
        "source": None,
        "drawing": drawing,
        "shoe": {"cards": shoe.cards, "by_rank": shoe.by_rank},
        "total_ways": str(counts.total),
        "wagers": wagers,
        **_optional_parts(rules, shoe, sheets, packages, also),
        "clauses": in_words.clauses_in_words(rules, in_words.cited_by(drawing, *wagers, *packages)),
        "reading_texts": _reading_texts(rules, drawing, wagers if also.wagers else ()),
    }


def _reading_texts(
    rules: TableRules, drawing: documents.DrawingRules, wagers: Sequence[documents.ParWager]
) -> Mapping[str, str]:
    """Return every reading in words, or those of the drawing and of certain wagers."""
    texts = in_words.readings_in_words(rules)
    law = rules.law  # An excerpt is drawn by the table of another law.
    own_cites = (one for one in drawing["cites"] if one in law.clauses or one in law.register)
    named = {*entries_named(law, own_cites)}.union(*(one["interpretations"] for one in wagers))
    return {name: text for name, text in texts.items() if not wagers or name in named}


def meters_of(offer: Offer) -> frozenset[str]:
    return frozenset({*offer.wager.meters, *offer.meters})


def _optional_parts(
    rules: TableRules,
    shoe: ShoeComposition,
    sheets: Mapping[str, WagerSheet],
    packages: Sequence[documents.Package],
    also: AlsoAsked,
) -> documents.ParParts:
    wagers = [sheet for name, sheet in sheets.items() if not also.wagers or name in also.wagers]
    bands = [] if also.bands is None else [also.bands(wager) for wager in wagers]
    packages, tickets = [*packages], []
    for offer in rules.offers.values():
        if not meters_of(offer) or not (also.meters or also.seats):
            continue
        meters = {one: cents for one, cents in also.meters.items() if one in meters_of(offer)}
        ways = census_of(shoe, rules, offer.wager.asks)
        if meters:
            packages.append(at_meters(rules, offer, ways, meters, also.seats or 1))
        if also.seats:
            packages.append(by_seats(rules, offer, ways, also.seats))
    if also.stakes or also.pace is not None:
        from croupier.odds.packages import by_stake, theoretical_win  # noqa: PLC0415  (few ask)

        for wager in wagers:
            packages += by_stake(rules, shoe, wager.wager, also.stakes)
        if also.pace is not None:
            packages += theoretical_win(rules, wagers, packages, also.pace)
    if also.tickets:
        from croupier.odds.tickets import ticket_data  # noqa: PLC0415  (few ask)

        tickets = [ticket_data(rules, shoe, ticket, also.purse) for ticket in also.tickets]
    return {"packages": packages, "bands": bands, "tickets": tickets}


def packages_at(rules: TableRules, shoe: ShoeComposition) -> list[documents.Package]:
    sheets = every_sheet(rules, lambda asks: census_of(shoe, rules, asks))
    return packages_of(rules, shoe, census_of(shoe, rules, ("counts",)), sheets)


def _wager(
    rules: TableRules,
    offer: Offer,
    sheet: WagerSheet,
    ways: Census[Facts],
    stakes: Sequence[int],
) -> documents.ParWager:
    wager = offer.wager
    limit = offer.limit
    cites = tuple(dict.fromkeys(clause for clauses in offer.cites.values() for clause in clauses))
    entries = entries_named(rules.law, cites)
    return {
        "id": wager.id,
        "title": wager.title,
        "scheme": rules.vigorish.scheme if wager.bears_vigorish else None,
        **wager_figures(sheet),
        "min_cents": None if limit is None else limit.min_cents,
        "max_cents": None if limit is None else limit.max_cents,
        "max_win_cents": None
        if limit is None or wager.meters
        else int(max(sheet.most_won, Fraction()) * limit.max_cents),
        "max_win_meters": list(wager.meters),
        "rounding": _rounding(rules, sheet, ways, stakes),
        "definition": in_words.definition(offer),
        "cites": list(cites),
        "interpretations": [name for name in rules.readings if name in entries],
    }


def wager_figures(sheet: WagerSheet) -> documents.WagerFigures:
    lines = [
        fields_of(
            documents.ParLine,
            line,
            ways=str(line.ways),
            probability=fraction(Fraction(line.ways, sheet.total)),
            contribution=fraction(Fraction(line.ways, sheet.total) * line.net),
            cycle=_or_none(Fraction(sheet.total, line.ways) if line.ways else None),
            variance_share=_or_none(sheet.variance_share(line)),
        )
        for line in sheet.lines
    ]
    return fields_of(
        documents.WagerFigures,
        sheet,
        lines=lines,
        house_edge_percent=float(sheet.house_edge * 100),
        return_to_player=fraction(1 - sheet.house_edge),
        resolved_frequency=fraction(1 - sheet.push_frequency),
    )


def _or_none(value: Fraction | None) -> str | None:
    return None if value is None else fraction(value)


def _rounding(
    rules: TableRules, sheet: WagerSheet, ways: Census[Facts], stakes: Sequence[int]
) -> list[documents.Rounding]:
    offer = rules.offers[sheet.wager]
    is_rounded = offer.wager.bears_vigorish and rules.vigorish.rounding_unit_cents is not None
    if not is_rounded and not rules.applies("settlement.rounds_to"):
        return []
    rows: list[documents.Rounding] = []
    for stake in stakes:
        if not is_taken(offer, stake):
            continue
        at_stake = wager_sheet(rules, sheet.wager, ways, stake_cents=stake)
        if not is_rounded and at_stake.house_edge == sheet.house_edge:
            continue
        rows.append(
            {
                "stake_cents": stake,
                "vigorish_cents": max(
                    settle(rules, facts, {(1, sheet.wager): Stake(stake)})[0].vigorish_cents
                    for facts in alike(rules, sheet.wager, ways)
                ),
                "house_edge": fraction(at_stake.house_edge),
                "house_edge_percent": float(at_stake.house_edge * 100),
                "above_exact_percent": float((at_stake.house_edge - sheet.house_edge) * 100),
            }
        )
    return rows
