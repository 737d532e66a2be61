"""Slip numbers, decks, envelopes, and commitments used in a pit."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from croupier import acts
from croupier.rules import TableRules
from croupier.table.cards.out_of_use import RetiredDecks
from croupier.table.house.tray import Tray
from croupier.table.machine.core import Refusal
from croupier.table.machine.state import TableState
from croupier.table.parts.progressive import Progressive, spent_before
from croupier.table.parts.timed_decks import TimedDecks
from croupier.table.people.seating import name_key

TAKES_NEW: Final = (
    acts.CommitMystery,
    acts.ReceiveCards,
    acts.RequestCredit,
    acts.RequestFill,
    acts.SealDecks,
)
"""Commands that use something no other table of the pit may have used."""


def used_at_another(
    command: acts.Command, rules: TableRules, others: Mapping[str, TableState]
) -> tuple[str, Refusal] | None:
    """Another table that used the command's slip or decks, and the refusal."""
    for name, state in others.items():
        if refusal := _used_at(name, state, command, rules):
            return name, refusal
    return None


def _used_at(
    table: str, state: TableState, command: acts.Command, rules: TableRules
) -> Refusal | None:
    match command:
        case acts.RequestFill(slip=slip) | acts.RequestCredit(slip=slip) if (
            slip in state[Tray].used
        ):
            message = (
                f"slip {slip} was used at table {table}: each slip of a pit has a number of its own"
            )
            return Refusal("slip", (), message)
        case acts.ReceiveCards(name=decks) if name_key(decks):
            return _lay_there(decks, table, state, rules)
        case acts.CommitMystery(commitment=commitment):
            progressive = state[Progressive]
            if commitment in {*progressive.spent, progressive.commitment}:
                return spent_before(rules, f"at table {table}")
        case acts.SealDecks(envelope=envelope):
            envelopes = (retired_set.envelope for retired_set in state[RetiredDecks].sets.values())
            if name_key(envelope) in map(name_key, envelopes):
                message = f"envelope {envelope} has a set of table {table}: take another"
                return Refusal("envelope", (rules.entry("removed_decks.record"),), message)
    return None


def _lay_there(decks: str, table: str, state: TableState, rules: TableRules) -> Refusal | None:
    clauses = rules.cites("decks.change") if rules.applies("decks.change") else ()
    timed_decks, key = state[TimedDecks], name_key(decks)
    if key in map(name_key, (*timed_decks.removed, *state[RetiredDecks].gone)):
        message = f"decks {decks} were taken off table {table}: receive others"
        return Refusal("decks_removed", clauses, message)
    if key in map(name_key, (*timed_decks.known, timed_decks.name)):
        message = f"decks {decks} are those of table {table}: receive others"
        return Refusal("decks_in_use", clauses, message)
    return None
