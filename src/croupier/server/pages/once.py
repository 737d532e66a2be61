"""A cache for page fragments."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Once(Generic[Made]):
    """A least-recently-used cache of up to ``most`` values.

    >>> kept = Once[str](2)
    >>> kept.of("9h", lambda: "nine of hearts"), kept.of("9h", lambda: "made again")
    ('nine of hearts', 'nine of hearts')
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, Made] = OrderedDict()

    def of(self, place: Hashable, make: Callable[[], Made]) -> Made:
        found = self._made.get(place)
        if found is None:
            found = self._made[place] = make()
            if len(self._made) > self._most:
                self._made.popitem(last=False)
        else:
            self._made.move_to_end(place)
        return found
