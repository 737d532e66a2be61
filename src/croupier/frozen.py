"""Frozen dataclasses that cost little: a program starts with two hundred, a round makes sixty.

The standard library's decorator compiles six methods for each class, which was most of what the
import of a table took. Here a method is compiled when it is first asked for. ``__init__`` writes
into the object's own dictionary, which takes half the time of ``object.__setattr__``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final, NoReturn, TypeVar, cast, dataclass_transform

__all__ = ["field", "frozen", "replace"]

Made = TypeVar("Made")
Defaults = Mapping[str, object]

_REQUIRED: Final = object()
"""In place of the default of a field that has none."""


class _Made:
    """The default of a field that is made anew for each object."""

    def __init__(self, factory: Callable[[], object]) -> None:
        self.factory = factory


def field(*, default_factory: Callable[[], Made]) -> Made:
    """Give a field a default that is made anew for each object, as ``dataclasses.field`` does.

    The standard library's brings ``inspect`` with it, a tenth of what importing a table takes.
    """
    default: Any = _Made(default_factory)
    return cast("Made", default)


def replace(one: Made, /, **changes: Any) -> Made:
    """Return an object with some fields replaced, made by ``__init__``.

    Raises ``TypeError`` for a name that no field has.
    """
    cls: Any = type(one)
    made: Made = cls(**{name: getattr(one, name) for name in cls.__frozen__} | changes)
    return made


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(cls: type[Made]) -> type[Made]:
    """Make a class a frozen dataclass; a field may have a plain default or a factory.

    >>> @frozen
    ... class Point:
    ...     x: int
    ...     y: int = 0
    ...     labels: dict[str, str] = field(default_factory=dict)
    >>> replace(Point(3), y=4)
    Point(x=3, y=4, labels={})
    """
    defaults: dict[str, object] = {}
    for base in reversed(cls.__mro__[1:]):
        defaults |= base.__dict__.get("__frozen__", {})
    own = cls.__dict__
    defaults |= {name: own.get(name, _REQUIRED) for name in cls.__annotations__}
    if any(type(default).__module__ == "dataclasses" for default in defaults.values()):
        raise TypeError(f"{cls.__qualname__}: a field of dataclasses: import croupier.frozen's")
    for name, value in _ADDED.items():
        if own.get(name) is None:
            setattr(cls, name, value)
    type.__setattr__(cls, "__frozen__", defaults)
    type.__setattr__(cls, "__match_args__", tuple(defaults))
    return cls


class _Late:
    """An attribute of a class that is made when it is first asked for, and takes this one's place.

    A special method may be one too: Python looks it up through the class, as any attribute.
    """

    def __init__(self, make: Callable[[Any], object]) -> None:
        self.make = make

    def __get__(self, instance: object, cls: type) -> Any:
        name = next(name for name, one in _ADDED.items() if one is self)
        # Another thread may have been here in between: what it made is as good.
        for owner in cls.__mro__:
            if owner.__dict__.get(name) is self:
                setattr(owner, name, self.make(owner))
        return getattr(cls if instance is None else instance, name)


def _fields(cls: type) -> object:
    import dataclasses  # noqa: PLC0415  (a module that many a command never needs)

    for name, value in list(cls.__dict__.items()):
        if isinstance(value, _Made):
            type.__setattr__(cls, name, dataclasses.field(default_factory=value.factory))
    made: Any = dataclasses.dataclass(init=False, repr=False, eq=False, match_args=False)(cls)
    return made.__dataclass_fields__


def _init(cls: Any) -> object:
    scope: dict[str, Any] = {"_REQUIRED": _REQUIRED}
    heads, body = ["self"], ["_held = self.__dict__"]
    for name, default in cls.__frozen__.items():
        given, head = name, name
        if isinstance(default, _Made):
            scope[f"_default_{name}"], head = default.factory, f"{name}=_REQUIRED"
            given = f"_default_{name}() if {name} is _REQUIRED else {name}"
        elif default is not _REQUIRED:
            scope[f"_default_{name}"], head = default, f"{name}=_default_{name}"
        heads.append(head)
        body.append(f"_held[{name!r}] = {given}")
    return _compiled(cls, "__init__", heads, body, scope)


def _eq(cls: Any) -> object:
    body = [
        "if other.__class__ is not self.__class__: return NotImplemented",
        f"return {_values('self', cls)} == {_values('other', cls)}",
    ]
    return _compiled(cls, "__eq__", ["self", "other"], body, {})


def _hash(cls: Any) -> object:
    return _compiled(cls, "__hash__", ["self"], [f"return hash({_values('self', cls)})"], {})


def _values(holder: str, cls: Any) -> str:
    return f"({''.join(f'{holder}.{name}, ' for name in cls.__frozen__)})"


def _compiled(
    cls: type, name: str, heads: list[str], body: list[str], scope: dict[str, Any]
) -> object:
    source = f"def {name}({', '.join(heads)}):\n " + "\n ".join(body)
    exec(source, scope)  # noqa: S102  (the names are those of the class's own fields)
    method = scope[name]
    method.__qualname__, method.__module__ = f"{cls.__qualname__}.{name}", cls.__module__
    return method


def _repr(self: Any) -> str:
    fields = ", ".join(f"{name}={getattr(self, name)!r}" for name in self.__frozen__)
    return f"{type(self).__qualname__}({fields})"


def _refuse(self: object, name: str, *_: object) -> NoReturn:
    from dataclasses import FrozenInstanceError  # noqa: PLC0415  (as above)

    raise FrozenInstanceError(f"cannot assign to field {name!r} of {type(self).__qualname__}")


_ADDED: Final[Mapping[str, object]] = {
    "__init__": _Late(_init),
    "__eq__": _Late(_eq),
    "__hash__": _Late(_hash),
    "__dataclass_fields__": _Late(_fields),
    "__repr__": _repr,
    "__setattr__": _refuse,
    "__delattr__": _refuse,
}
