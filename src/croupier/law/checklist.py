"""What people see to before a table opens: the physical and filing conditions that it wakes."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.law.elect import condition_holds
from croupier.law.model import Clause, ClauseClass, Disposition, Instrument
from croupier.law.values import Value


def checklist(law: Instrument, settled: Mapping[str, Value]) -> tuple[Clause, ...]:
    """Return the clauses of class C that count under some elections, in the regulation's order.

    ``settled`` holds the value of every rule that has one at the table. A clause that is out of
    scope binds no table, and one with a condition counts only while that holds.

    >>> from croupier.law.resolve import resolve
    >>> law = resolve("us-ma/minibaccarat", on="latest")
    >>> ez = {one.id for one in checklist(law, {"vigorish.scheme": "dragon-7"})}
    >>> plain = {one.id for one in checklist(law, {"vigorish.scheme": "5%"})}
    >>> sorted(ez - plain)[1]
    'MA-MINI:2(b)(3)(ii)'
    """
    return tuple(
        clause
        for clause in law.clauses.values()
        if clause.clause_class is ClauseClass.PHYSICAL
        and clause.set_aside is not Disposition.OUT_OF_SCOPE
        and condition_holds(clause.applies_when, settled)
    )
