"""What is drawn: layouts of any number of seats, with chips on every area, and the roads of a shoe."""

from __future__ import annotations

from functools import cache
from typing import Final

from msgspec.structs import replace

from croupier.baccarat.coup import Hand
from croupier.records.layout import layout_of
from croupier.records.roads import Result, RoadsShown, road_data, roads_of
from croupier.reports.felt.plan import Felt, Lying
from croupier.rules import TableRules, read_rules
from support.project import ROOT

SUBMISSIONS: Final = sorted((ROOT / "submissions").glob("*.toml"))
HANDS: Final = {"P": Hand.PLAYER, "B": Hand.BANKER, "T": None}
SHOE: Final = "BBTPPPPPPPPBPTTBBPBPBBPPBBBPPPTP" * 2


@cache
def tables() -> list[tuple[str, TableRules]]:
    """Every submission at which baccarat is played, by name."""
    return [
        (path.stem, rules) for path in SUBMISSIONS if len((rules := read_rules(path)).offers) > 2
    ]


def seated(rules: TableRules, seats: int, numbering: str) -> Felt:
    """Return the layout of a table with other seats; Royal 9's chairs stay the six of its own."""
    layout = replace(rules.submission.layout, seats=seats, numbering=numbering)
    return layout_of(replace(rules, submission=replace(rules.submission, layout=layout)), "x")


def crowded(felt: Felt) -> Lying:
    """Return stakes on every area, markers, names and six cards, with amounts of every length."""
    amounts = (500, 2_500, 123_450, 10_000_000, 123_456_789)
    areas = [(seat, area["wager"]) for seat in felt["seats"] for area in felt["areas"]]
    return Lying(
        {place: amounts[number % len(amounts)] for number, place in enumerate(areas)},
        {seat: amounts[seat % len(amounts)] for seat in felt["seats"]},
        {seat: "Wilhelmina Ottermole-Nguyen"[: 3 + 2 * seat] for seat in felt["seats"]},
        ("9h", "Tc", "2d"),
        ("Ks", "??", "4h"),
        {"player": 1},
        frozenset(areas[::3]),
    )


def road(shoe: str, **marks: bool) -> RoadsShown:
    """Return the roads of a shoe whose rounds are numbered from one, all with the same marks."""
    return road_data(
        roads_of(
            Result(HANDS[letter], round=number, **marks)
            for number, letter in enumerate(shoe, start=1)
        )
    )
