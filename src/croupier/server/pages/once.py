"""Pieces of pages that are kept, as most of a page is the same after the next entry."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Made = TypeVar("Made")


class Once(Generic[Made]):
    """What was made of something, until ``most`` others have been asked for since.

    >>> kept = Once[str](2)
    >>> kept.of("9h", lambda: "nine of hearts"), kept.of("9h", lambda: "made again")
    ('nine of hearts', 'nine of hearts')
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._made: OrderedDict[Hashable, Made] = OrderedDict()

    def of(self, place: Hashable, make: Callable[[], Made]) -> Made:
        """Return what was made of something before, or make it now."""
        found = self._made.get(place)
        if found is None:
            found = self._made[place] = make()
            if len(self._made) > self._most:
                self._made.popitem(last=False)
        else:
            self._made.move_to_end(place)
        return found
