"""The report of a custom wager's pay tables."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from croupier.law.usage import counted
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
from croupier.reports.tree import (
    Conclusion,
    DataTable,
    Drawn,
    FactItem,
    FactList,
    Figure,
    Note,
    Section,
    Tree,
)

_NONE: Final = (
    "No pay table is within the bounds. Widen --edge, or vary what a line pays with --pays "
    "LINE=LOW..HIGH."
)


def design_tree(data: Mapping[str, Any]) -> Tree:
    hits = FactItem(plain(HIT_FREQUENCY), Fraction(data["hit_frequency"]))
    outcomes = DataTable(
        (Figure("line", "Line"), Figure("probability", "Probability", "percent")),
        [(line.replace("_", " "), Fraction(chance)) for line, chance in data["chances"].items()],
        page="Outcomes",
        drawn=[Drawn(["probability"])],
    )
    return document(
        f"Design: {data['wager_title']}",
        data,
        *([] if data["candidates"] else [Conclusion(_NONE, passes=False)]),
        FactList([fact("Shoe", shoe_of(data)), hits]),
        *(_candidates(data) if data["candidates"] else []),
        Section("Outcomes", [outcomes]),
    )


def _candidates(data: Mapping[str, Any]) -> list[Section]:
    found = data["candidates"]
    lines, decks, shoes = (
        list(found[0][key]) for key in ("pays", "edge_by_decks", "gain_per_100_rounds")
    )
    names = [", ".join(f"{one['pays'][line]}" for line in lines) for one in found]
    order = ", ".join(line.replace("_", " ") for line in lines)
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
        drawn=[Drawn([f"gain_{shoes[-1]}"])],
    )
    limits = (
        f"The {counted(len(found), 'pay table')} nearest the middle, of {data['within_bounds']:,} "
        f"within the bounds. Pays: what {order} pay to one; a line that pays 0 loses."
    )
    if any(Fraction(one["house_edge"]) < 0 for one in found):
        limits += " Where the house edge is below zero, the bettor has an advantage."
    linear = (
        "The best small tags, their correlation with the effects of removal, and the units won per "
        "100 rounds by how much of the shoe is dealt: an estimate by linear theory."
    )
    return [
        Section("Pay tables", [Note(limits, "meaning"), edges]),
        Section("Vulnerability to counting", [Note(linear, "meaning"), table]),
    ]
