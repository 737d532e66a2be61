"""Frozen dataclasses that are quick to make: a table makes sixty of them for a round.

A frozen dataclass sets each field through ``object.__setattr__``. Here the generated ``__init__``
writes into the object's own dictionary instead, which takes half the time; everything else is the
standard library's dataclass.
"""

from __future__ import annotations

from dataclasses import MISSING, dataclass, fields
from typing import TypeVar, dataclass_transform

__all__ = ["frozen"]

Made = TypeVar("Made")


@dataclass_transform(frozen_default=True)
def frozen(cls: type[Made]) -> type[Made]:
    """Make a class a frozen dataclass with a quick ``__init__``; its fields need plain defaults.

    >>> @frozen
    ... class Point:
    ...     x: int
    ...     y: int = 0
    >>> Point(3)
    Point(x=3, y=0)
    """
    made = dataclass(frozen=True)(cls)
    names = [one.name for one in fields(made)]  # type: ignore[arg-type]
    defaults = {
        one.name: one.default
        for one in fields(made)  # type: ignore[arg-type]
        if one.default is not MISSING
    }
    heads = ", ".join(f"{name}=_{name}" if name in defaults else name for name in names)
    body = "".join(f"\n    own[{name!r}] = {name}" for name in names) or "\n    pass"
    source = f"def __init__(self, {heads}):\n    own = self.__dict__{body}"
    scope: dict[str, object] = {f"_{name}": value for name, value in defaults.items()}
    exec(source, scope)  # noqa: S102  (the names are those of the class's own fields)
    type.__setattr__(made, "__init__", scope["__init__"])
    return made
