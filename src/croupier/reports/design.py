"""The report of a custom wager's pay tables."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any

from croupier.reports.audit import counted
from croupier.reports.document import (
    DEVIATION,
    HIT_FREQUENCY,
    HOUSE_EDGE,
    RTP,
    document,
    fact,
    plain,
    shoe_of,
)
from croupier.reports.tree import DataTable, Drawn, FactItem, FactList, Figure, Note, Section, Tree


def design_tree(data: Mapping[str, Any]) -> Tree:
    found = data["candidates"]
    lines = list(found[0]["pays"]) if found else []
    decks = list(found[0]["edge_by_decks"]) if found else []
    shoes = list(found[0]["gain_per_100_rounds"]) if found else []
    names = [", ".join(f"{one['pays'][line]}" for line in lines) for one in found]
    order = ", ".join(line.replace("_", " ") for line in lines) or "no line"
    pays = Figure("pays", "Pays", "word")
    edges = DataTable(
        (
            pays, plain(HOUSE_EDGE), plain(RTP), plain(HIT_FREQUENCY),
            Figure("top_award", "Top award", "count"), plain(DEVIATION),
            *(Figure(f"edge_{deck}_decks", f"Edge, {deck} decks", "percent") for deck in decks),
        ),
        [
            (
                name,
                Fraction(one["house_edge"]),
                Fraction(one["return_to_player"]),
                Fraction(one["hit_frequency"]),
                one["top_award"],
                sqrt(Fraction(one["variance"])),
                *(Fraction(one["edge_by_decks"][number]) for number in decks),
            )
            for name, one in zip(names, found, strict=True)
        ],
        page="Pay tables",
        drawn=[Drawn(["house_edge"])],
    )  # fmt: skip
    table = DataTable(
        (
            pays,
            *(Figure(f"gain_{one}", f"Gain, {one} dealt", "number") for one in shoes),
            Figure("correlation", "Correlation", "number"),
            Figure("tags", "Tags"),
        ),
        [
            (
                name,
                *(one["gain_per_100_rounds"][share] for share in shoes),
                one["correlation"],
                one["tags"] or "none",
            )
            for name, one in zip(names, found, strict=True)
        ],
        page="Vulnerability to counting",
        drawn=[Drawn([f"gain_{shoes[-1]}"])] if shoes else [],
    )
    outcomes = DataTable(
        (Figure("line", "Line"), Figure("probability", "Probability", "percent")),
        [(line.replace("_", " "), Fraction(chance)) for line, chance in data["chances"].items()],
        page="Outcomes",
        drawn=[Drawn(["probability"])],
    )
    limits = (
        f"Within the bounds: {counted(data['within_bounds'], 'pay table')}, those nearest the "
        f"middle first. Pays: to one, of {order}; a line that pays 0 loses."
    )
    if any(Fraction(one["house_edge"]) < 0 for one in found):
        limits += " Where the house edge is below zero, the bettor has an advantage."
    linear = (
        "The best small tags, their correlation with the effects of removal, and the units won per "
        "100 rounds by how much of the shoe is dealt: an estimate by linear theory."
    )
    return document(
        f"Design: {data['wager'].replace('_', ' ')}",
        data,
        FactList(
            [
                fact("Wager", data["wager"]),
                fact("Shoe", shoe_of(data)),
                FactItem(plain(HIT_FREQUENCY), Fraction(data["hit_frequency"])),
            ]
        ),
        Section("Pay tables", [Note(limits, "meaning"), edges]),
        Section("Vulnerability to counting", [Note(linear, "meaning"), table]),
        Section("Outcomes", [outcomes]),
    )
