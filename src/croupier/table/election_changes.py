"""Elections that change while a table is open: between rounds, with notice where it is wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, Final

from croupier.frozen import replace
from croupier.law.cite import once
from croupier.law.elect import SubmissionError, flatten
from croupier.rules import TableRules, fitting, table_rules
from croupier.table import hooks
from croupier.table.commands import AdoptElection
from croupier.table.core import Action, Events, Refusal, applies, decides, offers
from croupier.table.events import ElectionAdopted, Event
from croupier.table.notice import changes_in, wanting_notice
from croupier.table.roles import Role
from croupier.table.state import Phase, TableState

__all__ = ["rules_after", "with_elections"]

_BETWEEN_ROUNDS: Final = (Phase.BETTING, Phase.SHOE_COMPLETED)
_CHANGEABLE: Final = ("wagers.", "vigorish.", "settlement.", "irregularity.", "deal.")
"""What may change between two rounds; cards and devices change with the opening of the table."""


def with_elections(rules: TableRules, chosen: Mapping[str, Any]) -> TableRules:
    """Return a table's rules with other choices, less what these leave no room for.

    Raises ``SubmissionError`` with every fault.
    """
    law = rules.law
    given = flatten(rules.submission.elections, law.rules)
    kept = fitting(law, given, chosen)
    return table_rules(replace(rules.submission, elections=kept))


def rules_after(rules: TableRules, events: Iterable[Event]) -> TableRules:
    """Return the rules that a table plays by after some events: other ones only after a change."""
    for event in events:
        if isinstance(event, ElectionAdopted):
            rules = with_elections(rules, {event.rule_id: event.value})
    return rules


@decides(AdoptElection, *_BETWEEN_ROUNDS, cites=("wagers.bonus.change",))
def _take_up(state: TableState, command: AdoptElection, rules: TableRules) -> Events | Refusal:
    rule_id = command.rule_id
    clauses = rules.cites_if_any(rule_id)
    if not rule_id.startswith(_CHANGEABLE) or hooks.fixed_while_open.ask(rule_id):
        return Refusal("not_now", clauses, f"{rule_id} must be elected before the table opens")
    if state.stakes:
        return Refusal(
            "wagers", clauses, "wagers are on the layout: change elections after the round"
        )
    try:
        new = with_elections(rules, {rule_id: command.value})
    except SubmissionError as error:
        found = once(*(detail.clauses for detail in error.errors))
        return Refusal("elections", found, "; ".join(detail.message for detail in error.errors))
    if new.sha256 == rules.sha256:
        return Refusal("no_change", clauses, f"{rule_id} already has this election")
    for change in changes_in(rules.law, rules.settled, new.settled):
        for constraint in wanting_notice(change):
            if untold := [to for to in constraint.to if to not in command.notified]:
                message = f"{constraint.says}; not notified: {', '.join(untold)}"
                return Refusal("notice", constraint.cites, message)
    changed = {
        f"{one.offered_by}.change" for one in rules.wagers.values() if one.paid_by == rule_id
    }
    under = once(*(rules.cites(one) for one in sorted(changed) if one in rules.in_force))
    return (ElectionAdopted(rule_id, command.value, new.sha256, once(clauses, under)),)


@applies(ElectionAdopted)
def _taken_up(state: TableState, event: ElectionAdopted) -> TableState:
    """Leave the state: it is the rules that change, and whoever holds them asks ``rules_after``."""
    del event
    return state


@offers(*_BETWEEN_ROUNDS, optional=True)
def _may_change(state: TableState, rules: TableRules) -> tuple[Action, ...]:
    del rules
    if state.stakes:
        return ()
    return (Action(AdoptElection, Role.LICENSEE, (), must=False),)
