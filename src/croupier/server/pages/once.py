"""A cache for page fragments."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from typing import Generic, ParamSpec, TypeVar

P = ParamSpec("P")
Made = TypeVar("Made")


class Once(Generic[Made]):
    """A least-recently-used cache of up to ``most`` values."""

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


def once(
    most: int, place: Callable[..., tuple[Hashable, object]]
) -> Callable[[Callable[P, Made]], Callable[P, Made]]:
    """Keep up to ``most`` results of a function, each under its place.

    ``place`` takes the same arguments. It returns the place with the documents whose ``id`` is in
    it: they stay alive, so that no ``id`` is reused.
    """

    def keeping(make: Callable[P, Made]) -> Callable[P, Made]:
        kept = Once[tuple[object, Made]](most)

        @wraps(make)
        def made(*args: P.args, **kwargs: P.kwargs) -> Made:
            where, source = place(*args, **kwargs)
            return kept.of(where, lambda: (source, make(*args, **kwargs)))[1]

        return made

    return keeping
