"""Forms of the tray under a law: which copies there are, and who keeps each."""

from __future__ import annotations

from collections.abc import Mapping

from croupier import acts
from croupier.law.cite import cites
from croupier.law.contracts import contracts, copies_rule, copies_rules
from croupier.rules import TableRules
from croupier.table.machine import core
from croupier.table.machine.core import Events
from croupier.table.people.duties import terms_under

core.no_effect(acts.CopiesDistributed)


@cites(*copies_rules())
def copies_of(command: acts.Command, number: int | None, rules: TableRules) -> Events:
    """Return where the copies of an act's Form go; nothing if the law names none."""
    act = type(command).__name__
    form = contracts().forms[act]
    copies = rules.settled.get(copies_rule(form))
    if not isinstance(copies, Mapping):
        return ()
    terms = terms_under(act, rules)
    signed = tuple(map(str, dict.fromkeys((terms.does[0], *terms.together))))
    keepers = tuple(map(str, copies.values()))
    clauses = rules.cites(copies_rule(form))
    return (acts.CopiesDistributed(form, number, tuple(copies), keepers, signed, clauses),)
