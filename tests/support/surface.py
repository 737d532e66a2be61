"""The public names with their shapes, and the rule by which they may change.

``tests/data/public_surface.tsv`` has a line for each: the name, its signature or fields, the version
that brought it, and the version that deprecates it. What a released version has stays as it is until
a version after the one that deprecates it; such a name warns meanwhile.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Final, NamedTuple

import msgspec

import croupier
from croupier import client, commands, events
from support.project import ROOT

KEPT: Final = ROOT / "tests" / "data" / "public_surface.tsv"
CLIENT: Final = ("AsyncClient", "Client", "ServiceError", "ServiceEvent", "new_key")
_PLAIN: Final = (object, Exception, ValueError, tuple, msgspec.Struct)
_INNER: Final = {"form", "accept", "propose", "prompt", "as_data", "of_data"}
"""Members of public classes that the project itself uses."""
_HEAD: Final = "name\tshape\tsince\tdeprecated\n"


class Line(NamedTuple):
    """A public name: ``since`` is the version that brought it."""

    name: str
    shape: str
    since: str
    deprecated: str = ""


def public() -> dict[str, object]:
    """Return every public name."""
    named = {f"croupier.{name}": getattr(croupier, name) for name in croupier.__all__}
    named |= {f"croupier.client.{name}": getattr(client, name) for name in CLIENT}
    for module in (commands, events):
        named |= {f"{module.__name__}.{name}": getattr(module, name) for name in _names_of(module)}
    return named


def shapes() -> dict[str, str]:
    """Return the shape of every public name, and of the public members of every class."""
    return {
        name: shape
        for one, value in sorted(public().items())
        for name, shape in _shapes(one, value)
    }


def _names_of(module: ModuleType) -> list[str]:
    return [
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and (inspect.isclass(value) or inspect.isfunction(value))
    ]


def _shapes(name: str, value: object) -> Iterator[tuple[str, str]]:
    if isinstance(value, ModuleType):
        yield name, "module"
    elif not inspect.isclass(value):
        yield name, str(inspect.signature(value))  # type: ignore[arg-type]
    else:
        fields = getattr(value, "__struct_fields__", getattr(value, "_fields", None))
        yield name, "class" if fields is None else f"({', '.join(fields)})"
        plain = {member for base in _PLAIN for member in dir(base)} | {*(fields or ())}
        # Commands and events have the members of their base, which is listed once.
        if len(name.split(".")) < 3 or value.__name__ in {
            "Command",
            "Event",
            "Client",
            "AsyncClient",
        }:
            members = {one for one in dir(value) if one[0] != "_"} - plain - _INNER
            for member in sorted(
                members & {"close", "names"} if value is croupier.Store else members
            ):
                yield f"{name}.{member}", _member(inspect.getattr_static(value, member))


def _member(value: object) -> str:
    if isinstance(value, staticmethod | classmethod):
        value = value.__func__
    return str(inspect.signature(value)) if inspect.isfunction(value) else "attribute"


def lines_of(text: str) -> dict[str, Line]:
    """Return the lines of the file by their names."""
    lines = (Line(*line.split("\t")) for line in text.splitlines()[1:])
    return {line.name: line for line in lines}


def surface(kept: str, found: Mapping[str, str], version: str) -> str:
    """Return the file for the shapes found. Raises ``ValueError`` for changes against the rule."""
    before, errors = lines_of(kept), list[str]()
    for name, line in before.items():
        is_free = line.since == version or (
            line.deprecated and _order(line.deprecated) < _order(version)
        )
        if not (is_free or _same(name, line.shape, found.get(name))):
            now = found.get(name, "gone")
            errors.append(
                f"{name} was {line.shape} since {line.since}, and is {now}: deprecate it first"
            )
    if errors:
        raise ValueError("\n".join(errors))
    lines = []
    for name, shape in found.items():
        old = before.get(name)
        lines.append(Line(name, shape, version) if old is None else old._replace(shape=shape))
    return _HEAD + "".join("\t".join(line) + "\n" for line in lines)


def _same(name: str, before: str, now: str | None) -> bool:
    """Return whether a shape keeps what it had. A program is sent events, so they may have more fields."""
    if now is None or not name.startswith("croupier.events."):
        return now == before
    fields = iter(now.strip("()").split(", "))
    return all(field in fields for field in before.strip("()").split(", "))


def _order(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))
