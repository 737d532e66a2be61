"""The roads of a shoe. They predict nothing."""

from croupier.records.roads.builder import RoadBuilder, roads_of
from croupier.records.roads.data import road_data
from croupier.records.roads.model import (
    DERIVED,
    ROWS,
    Bead,
    Big,
    Derived,
    Result,
    RoadMark,
    RoadPlace,
    Roads,
)

__all__ = [
    "DERIVED",
    "ROWS",
    "Bead",
    "Big",
    "Derived",
    "Result",
    "RoadBuilder",
    "RoadMark",
    "RoadPlace",
    "Roads",
    "road_data",
    "roads_of",
]
