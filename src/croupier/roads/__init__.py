"""The roads of a shoe: its results as the boards at a table show them. They foretell nothing."""

from croupier.roads.data import road_data
from croupier.roads.keeping import RoadKeeper, roads_of
from croupier.roads.model import DERIVED, ROWS, Bead, Big, Derived, Mark, Place, Result, Roads

__all__ = [
    "DERIVED",
    "ROWS",
    "Bead",
    "Big",
    "Derived",
    "Mark",
    "Place",
    "Result",
    "RoadKeeper",
    "Roads",
    "road_data",
    "roads_of",
]
