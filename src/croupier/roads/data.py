"""The roads of a shoe as plain data, for a drawing or another program."""

from __future__ import annotations

from typing import Any

from croupier.roads.model import Result, RoadPlace, Roads

__all__ = ["TIE", "road_data"]

TIE = "tie"


def road_data(roads: Roads) -> dict[str, Any]:
    """Return the roads as JSON has them: cells with row and column, both from nought, and marks.

    >>> from croupier.baccarat.hand import Hand
    >>> from croupier.roads.builder import roads_of
    >>> data = road_data(roads_of([Result(Hand.BANKER, round=7), Result(None, round=8)]))
    >>> [(one["winner"], one["round"], one["ties"]) for one in data["big_road"]]
    [('banker', 7, 1)]
    """
    return {
        "bead_plate": [_cell(one.place) | _result(one.result) for one in roads.bead_plate],
        "leading_ties": roads.leading_ties,
        "big_road": [
            _cell(one.place)
            | _result(one.result)
            | {"streak": one.streak, "depth": one.depth, "ties": one.ties}
            for one in roads.big_road
        ],
        **{
            name: [_cell(one.place) | {"mark": one.mark.value, "of": one.of} for one in cells]
            for name, cells in roads.derived.items()
        },
    }


def _cell(place: RoadPlace) -> dict[str, Any]:
    return {"row": place.row, "column": place.column}


def _result(result: Result) -> dict[str, Any]:
    return {
        "winner": TIE if result.winner is None else result.winner.value,
        "natural": result.natural,
        "player_pair": result.player_pair,
        "banker_pair": result.banker_pair,
        "round": result.round,
    }
