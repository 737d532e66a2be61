"""Checklist before a table opens, and clauses that the program does not carry out."""

from __future__ import annotations

from collections.abc import Mapping

from croupier.law.elect import condition_holds
from croupier.law.model import Clause, ClauseClass, Disposition, Instrument
from croupier.law.values import Value


def checklist(law: Instrument, settled: Mapping[str, Value]) -> tuple[Clause, ...]:
    """Applicable clauses that people check, in the regulation's order.

    They are those of class C, those with a part on site, and the unsupported ones.
    """
    return tuple(
        clause
        for clause in law.clauses.values()
        if what_is_checked(clause) is not None and condition_holds(clause.applies_when, settled)
    )


def what_is_checked(clause: Clause) -> str | None:
    """Return what people check of a clause: empty if it only goes on file, ``None`` if nothing."""
    if clause.on_site is not None or clause.set_aside is Disposition.UNSUPPORTED:
        return clause.on_site or clause.reason
    physical = clause.clause_class is ClauseClass.PHYSICAL
    if physical and clause.set_aside is not Disposition.OUT_OF_SCOPE:
        return clause.reason or ""
    return None


def unsupported(law: Instrument, settled: Mapping[str, Value] | None = None) -> tuple[Clause, ...]:
    return tuple(
        clause
        for clause in law.clauses.values()
        if clause.set_aside is Disposition.UNSUPPORTED
        and (settled is None or condition_holds(clause.applies_when, settled))
    )


def by_hand(law: Instrument) -> tuple[str, ...]:
    return tuple(clause.id for clause in unsupported(law) if clause.meanwhile == "by-hand")
