"""Conditions as data: required values of facts, combined by any, all, and not."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final, TypeAlias

from msgspec import Struct

from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers.facts import COMPARED, FACTS, NO_FACT, comparison_error, unfit

When: TypeAlias = Mapping[str, object]
"""Facts by value, values, or range ``{from, to}``; ``any`` and ``all`` are lists, ``not`` one."""

_ANY, _ALL, _NOT = "any", "all", "not"
_DEEPEST: Final = 8


class Condition(Struct, frozen=True):
    """A condition on the facts of a coup, satisfied if all its tests are."""

    facts: tuple[tuple[str, tuple[object, ...]], ...] = ()
    parts: tuple[Condition, ...] = ()
    of_any: bool = False
    negated: bool = False

    def holds(self, facts: Facts) -> bool:
        # A plain loop, because it runs for some hundred thousand hands.
        for name, values in self.facts:
            if FACTS[name].find(facts) not in values:
                return self.negated
        if self.parts:
            held = (part.holds(facts) for part in self.parts)
            return (any(held) if self.of_any else all(held)) is not self.negated
        return not self.negated

    @property
    def asked(self) -> Iterator[str]:
        yield from (name for name, _ in self.facts)
        for part in self.parts:
            yield from part.asked


def condition(when: When) -> Condition:
    """Build a valid condition.

    >>> either = condition({"any": [{"player_pair": True}, {"banker_pair": True}]})
    >>> either.holds(Facts(2, 6, 2, 3, banker_pair=True)), either.holds(Facts(2, 6, 2, 3))
    (True, False)
    """
    tests = tuple(
        (name, _values(name, value))
        for name, value in when.items()
        if name not in {_ANY, _ALL, _NOT}
    )
    parts = []
    for name, value in when.items():
        if name in {_ANY, _ALL} and isinstance(value, list):
            parts.append(Condition((), tuple(map(condition, value)), of_any=name == _ANY))
        if name == _NOT and isinstance(value, Mapping):
            parts.append(Condition((), (condition(value),), negated=True))
    return Condition(tests, tuple(parts))


def _values(name: str, value: object) -> tuple[object, ...]:
    if isinstance(value, Mapping):
        low, high = value.get("from"), value.get("to")
        values = FACTS[name].values
        return values[values.index(low) : values.index(high) + 1]
    values = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    return tuple(_in_order(name, one) for one in values)


def _in_order(name: str, value: object) -> object:
    turned = value[::-1] if isinstance(value, str) and name.endswith("_two_ranks") else value
    return value if unfit(name, value) is None else turned


def errors_in(when: When, depth: int = 0) -> list[tuple[str, str]]:
    """Errors of a condition: the key path, and the message.

    >>> errors_in({"winner": ["banker", "house"]})
    [('winner', " = 'house': write player, banker, or tie")]
    >>> errors_in({"not": {"margin": -1}})
    [('not.margin', ' = -1: write an integer from 0 to 9')]
    """
    errors: list[tuple[str, str]] = []
    if not when:
        return [("", ": write what must be true, as { winner = 'banker' }")]
    if depth > _DEEPEST:
        return [("", f": conditions lie more than {_DEEPEST} deep")]
    for name, value in when.items():
        if name in {_ANY, _ALL}:
            errors += _errors_in_list(name, value, depth)
        elif name == _NOT:
            inner = value if isinstance(value, Mapping) else {}
            errors += [(_joined(name, key), error) for key, error in errors_in(inner, depth + 1)]
        else:
            known = None if name in FACTS else NO_FACT
            why = comparison_error(name) if COMPARED.search(name) else known
            found = [why] if why else _errors_in_value(name, value)
            errors += [(name, error) for error in found]
    return errors


def _joined(name: str, key: str) -> str:
    return f"{name}.{key}" if key else name


def _errors_in_list(name: str, value: object, depth: int) -> list[tuple[str, str]]:
    if not isinstance(value, list) or not value or not all(isinstance(o, Mapping) for o in value):
        return [(name, ": write a list of conditions, as [{ winner = 'banker' }, { cards = 4 }]")]
    return [
        (_joined(f"{name}[{number}]", key), error)
        for number, item in enumerate(value, start=1)
        for key, error in errors_in(item, depth + 1)
    ]


def _errors_in_value(name: str, value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        low, high = value.get("from"), value.get("to")
        values = FACTS[name].values
        if set(value) != {"from", "to"} or low not in values or high not in values:
            yield f" = {dict(value)!r}: write {{ from = {values[0]!r}, to = {values[-1]!r} }}"
        elif values.index(low) > values.index(high):
            yield f" = {dict(value)!r}: nothing lies from {low!r} to {high!r}"
        return
    given = value if isinstance(value, (list, tuple)) else (value,)
    if not given:
        yield " = []: a fact has one of some values; name them"
    for one in given:
        why = unfit(name, _in_order(name, one))
        if why is not None:
            yield f" = {one!r}: {why}"
