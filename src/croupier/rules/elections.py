"""A law under one licensee's elections: what each rule is settled to, and its clauses."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import cached_property, lru_cache, wraps
from typing import Any, ParamSpec, TypeVar, cast

from croupier.frozen import frozen
from croupier.law.interpretations import interpretations, reading_ids
from croupier.law.load import LawError
from croupier.law.model import Instrument
from croupier.law.resolve import known_rule_ids
from croupier.law.values import Value
from croupier.rules.submission import Submission

__all__ = ["Elections", "VigorishTerms", "once", "remembered"]

P = ParamSpec("P")
Found = TypeVar("Found")
ValueType = TypeVar("ValueType")


@frozen
class VigorishTerms:
    """What the house takes from the Banker wager, and when.

    ``win_rate`` is taken of the amount won, ``tie_rate`` of the wager on equal counts; ``None``
    where the scheme takes neither. ``waived`` tells whether total cards stakes that reach the
    Banker stake waive it. ``rounding_unit_cents`` is ``None`` where it is taken exactly;
    ``rounded_by`` is the rule that sets it.
    """

    scheme: str
    win_rate: Fraction | None
    tie_rate: Fraction | None
    waived: bool
    rounding_unit_cents: int | None
    deferred: bool
    rounded_by: str


@frozen
class Elections:
    """The rules of a law with a licensee's choices filled in, by rule id.

    ``settled`` holds the value of every rule that has one here, ``in_force`` the rules that these
    choices leave room for, ``readings`` the reading taken of every interpretation they rest on.
    """

    submission: Submission
    law: Instrument
    settled: Mapping[str, Value]
    in_force: frozenset[str]
    readings: Mapping[str, str]

    # Two objects are never compared field by field: `sha256` says whether rules are the same.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    def value(self, rule_id: str, kind: type[ValueType]) -> ValueType:
        """Return the value of a rule. Raises ``LawError`` where it has none of that type here."""
        value = self.settled.get(rule_id)
        if not isinstance(value, kind):
            raise LawError(f"{self.law.id} settles no {kind.__name__} under {rule_id!r}")
        return value

    def applies(self, rule_id: str) -> bool:
        """Tell whether the law has that rule and these elections leave room for it.

        Raises ``LawError`` for an id that no text has: it is a slip of whoever asks.
        """
        return rule_id in self.in_force or self._nowhere(rule_id)

    def elected(self, rule_id: str, choice: Value) -> bool:
        """Tell whether a rule was settled to that choice. Raises as ``applies`` does."""
        settled = self.settled.get(rule_id)
        return self._nowhere(rule_id) if settled is None else settled == choice

    def bound(self, rule_id: str) -> int:
        """Return the least that the law lets someone at the table choose, for a counted rule."""
        least = self.law.rules[rule_id].at_least
        if not isinstance(least, int):
            raise LawError(f"{self.law.id} sets no least count under {rule_id!r}")
        return least

    @cached_property
    def memory(self) -> dict[tuple[str, tuple[object, ...]], object]:
        """What ``remembered`` functions have made of these rules."""
        return {}

    @cached_property
    def _cites(self) -> Mapping[str, tuple[str, ...]]:
        carriers = {one.id: one.cites for one in self.law.constraints}
        return carriers | {rule.id: rule.cites for rule in self.law.rules.values()}

    def cites(self, rule_id: str) -> tuple[str, ...]:
        """Return the clauses on which a rule or constraint stands; none where this law has none.

        Raises ``LawError`` for an id that no text has: it is a slip of whoever asks.
        """
        found = self._cites.get(rule_id)
        if found is None:
            self._nowhere(rule_id)
            return ()
        return found

    def cites_if_any(self, rule_id: str) -> tuple[str, ...]:
        """Return the clauses of a rule named from outside, or made up of names; none for none."""
        return self._cites.get(rule_id, ())

    @cached_property
    def _ids(self) -> frozenset[str]:
        return known_rule_ids().union(self._cites)

    def _nowhere(self, rule_id: str) -> bool:
        """Answer that a rule of other texts is not here. Raises ``LawError`` where none has it."""
        if rule_id in self._ids:
            return False
        raise LawError(f"no text has a rule {rule_id!r}")

    def cites_for(self, rule_id: str, *choices: str) -> tuple[str, ...]:
        """Return the clauses behind one choice of a rule, or one row of its table.

        Of several choices, from the widest to the narrowest, the last that has clauses of its own
        counts; where none has, those of the whole rule.
        """
        rule = self.law.rules.get(rule_id)
        if rule is None:
            return self.cites(rule_id)
        found = rule.cites
        for choice in choices:
            found = rule.cites_by.get(choice, found)
        return found

    def reading(self, name: str) -> str | None:
        """Return the reading taken of what the register names so; ``None`` where no rule asks.

        Raises ``LawError`` for a name that the register does not have.
        """
        ids = reading_ids()
        if name not in ids:
            raise LawError(f"the register names no reading {name!r}; it names {', '.join(ids)}")
        return self.readings.get(ids[name])

    def rest_on(self, *rule_ids: str) -> list[str]:
        """Return the ids of the interpretations on which some of these rules rest."""
        register = interpretations()
        return [one for one in self.readings if not set(register[one].rests).isdisjoint(rule_ids)]

    @cached_property
    def vigorish(self) -> VigorishTerms:
        """What is taken from the Banker wager under the scheme elected."""
        rates = ("vigorish.5_percent", "vigorish.4_percent", "vigorish.rate_unwaived")
        win = next((self.settled[rate] for rate in rates if rate in self.settled), None)
        tie = self.settled.get("vigorish.tie_rate")
        rounded_by = "" if win is None else f"vigorish.{_percent(win)}_percent.rounds_to"
        unit = self.settled.get(rounded_by) if rounded_by and self.applies(rounded_by) else None
        return VigorishTerms(
            self.value("vigorish.scheme", str),
            win if isinstance(win, Fraction) else None,
            tie if isinstance(tie, Fraction) else None,
            self.applies("vigorish.waiver"),
            unit if isinstance(unit, int) else None,
            self.elected("vigorish.collection", "deferred"),
            rounded_by,
        )


def remembered(function: Callable[P, Found]) -> Callable[P, Found]:
    """Keep on a table's rules what a function makes of them, for as long as they live.

    The rules are the last argument; the others must be hashable, and few kinds of them met.
    """
    name = f"{function.__module__}.{function.__qualname__}"

    @wraps(function)
    def ask(*args: Any) -> Found:
        memory = args[-1].memory
        key = name, args[:-1]
        if key not in memory:
            memory[key] = function(*args)  # type: ignore[call-arg]  # as the caller gave them
        return cast("Found", memory[key])

    return cast("Callable[P, Found]", ask)


@lru_cache(maxsize=4096)
def once(*groups: tuple[str, ...]) -> tuple[str, ...]:
    """Return the clauses of several groups, each once, in their order.

    >>> once(("7.5(e)", "7.5(f)"), ("7.5(e)",))
    ('7.5(e)', '7.5(f)')
    """
    return tuple(dict.fromkeys(clause for group in groups for clause in group))


def _percent(rate: Value) -> int:
    """Return a rate of whole percents as their number."""
    percent = Fraction(rate if isinstance(rate, Fraction) else 0) * 100
    return percent.numerator
