"""Conversion of roads to JSON documents."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.records.roads.model import Result, RoadPlace, Roads

if TYPE_CHECKING:
    from croupier.records.roads.documents import DerivedCell, ResultShown, RoadsShown

TIE = "tie"


def road_data(roads: Roads) -> RoadsShown:
    """Return the roads as a JSON document.

    >>> from croupier.baccarat.hand import Hand
    >>> from croupier.records.roads.builder import roads_of
    >>> data = road_data(roads_of([Result(Hand.BANKER, round=7), Result(None, round=8)]))
    >>> [(one["winner"], one["round"], one["ties"]) for one in data["big_road"]]
    [('banker', 7, 1)]
    """
    return {
        "bead_plate": [_result(bead.place, bead.result) for bead in roads.bead_plate],
        "leading_ties": roads.leading_ties,
        "big_road": [
            {
                **_result(cell.place, cell.result),
                "streak": cell.streak,
                "depth": cell.depth,
                "ties": cell.ties,
            }
            for cell in roads.big_road
        ],
        "big_eye_boy": _derived(roads, "big_eye_boy"),
        "small_road": _derived(roads, "small_road"),
        "cockroach_pig": _derived(roads, "cockroach_pig"),
    }


def _derived(roads: Roads, name: str) -> list[DerivedCell]:
    return [
        {
            "row": mark.place.row,
            "column": mark.place.column,
            "mark": mark.mark.value,
            "of": mark.of,
        }
        for mark in roads.derived[name]
    ]


def _result(place: RoadPlace, result: Result) -> ResultShown:
    return {
        "row": place.row,
        "column": place.column,
        "winner": TIE if result.winner is None else result.winner.value,
        "natural": result.natural,
        "player_pair": result.player_pair,
        "banker_pair": result.banker_pair,
        "round": result.round,
        "corrected": result.corrected,
    }
