"""The end of meters between gaming days, and the beginning of others in their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

from croupier import acts
from croupier.acts.roles import Role
from croupier.money import ledger
from croupier.money.ledger import Posting
from croupier.rules import TableRules
from croupier.table.machine import core, hooks
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Action, Answer, Events, Refusal
from croupier.table.machine.offered import also_offers
from croupier.table.machine.state import Phase, TableState, with_slice
from croupier.table.parts.controller import controller_lost
from croupier.table.parts.progressive import Progressive
from croupier.table.settling.unclaimed_amounts import register_entry

_RESERVE = "reserve"


@core.decides(acts.RetireMeters, Phase.CLOSED)
def _retire(state: TableState, command: acts.RetireMeters, rules: TableRules) -> Answer:
    before, clauses = state[Progressive], register_entry("meters-retired", rules)
    if refusal := controller_lost(state, rules):
        return refusal
    if not command.reason.strip():
        return Refusal("reason", clauses, "say why the meters end: it stays on record")
    if not before.meters or command.into.keys() != before.meters.keys():
        known = ", ".join(before.meters) or "none"
        message = f"say of each meter where its money goes; meters of this table: {known}"
        return Refusal("meters", clauses, message)
    if state.gaming_date is None:
        return Refusal("not_opened", clauses, "the table was never opened: its meters are empty")
    if before.linked:
        message = f"{', '.join(before.linked)}: unlink the meters that tables share first"
        return Refusal("linked", clauses, message)
    seeds = {name: min(rules.meter_seeds[name], cents) for name, cents in before.meters.items()}
    contributed = {name: cents - seeds[name] for name, cents in before.meters.items()}
    fields = (before.commitment, command.reason, clauses)
    return (acts.MetersRetired(contributed, seeds, command.into, *fields),)


@moves(acts.MetersRetired)
def _posted(event: acts.MetersRetired) -> Iterator[Posting]:
    for name, cents in event.contributed.items():
        yield (ledger.meter(name), ledger.RESERVE, cents)
        yield (ledger.meter(name), ledger.SEED_FUNDING, event.seeds[name])


@core.applies(acts.MetersRetired)
def _retired(state: TableState, event: acts.MetersRetired) -> TableState:
    before = state[Progressive]
    waiting = Counter(before.waiting)
    waiting[_RESERVE] += before.reserve_cents - waiting.total()
    for name, cents in event.contributed.items():
        waiting[event.into[name]] += cents
    spent = (*before.spent, event.commitment) if event.commitment else before.spent
    ended = Progressive(spent=spent, reserve_cents=waiting.total(), waiting=dict(waiting))
    return with_slice(state, ended)


@hooks.on_opening.join
def _begin(state: TableState, rules: TableRules) -> Events:
    """Begin meters with their seeds, and with what retired ones left to them."""
    before = state[Progressive]
    if before.meters:
        return ()
    clauses = register_entry("meters-retired", rules)
    given = {name: before.waiting.get(name, 0) for name in rules.meter_seeds}
    return tuple(
        acts.MeterReset(name, seed + given[name], given[name], clauses)
        for name, seed in rules.meter_seeds.items()
    )


@also_offers(Phase.CLOSED)
def _may_end(state: TableState, rules: TableRules) -> Iterator[Action]:
    if (
        state[Progressive].meters
        and state.gaming_date is not None
        and controller_lost(state, rules) is None
    ):
        clauses = register_entry("meters-retired", rules)
        yield Action(acts.RetireMeters, Role.LICENSEE, clauses, must=False)
