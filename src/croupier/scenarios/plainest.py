"""The default next command."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier import acts
from croupier.acts import Command
from croupier.money.stax import commitment_to, mystery_cents
from croupier.rules import TableRules
from croupier.scenarios.people import NOON, SECRET
from croupier.table import Action, TableState
from croupier.table.cards.out_of_use import RetiredDecks
from croupier.table.machine.inputs import drawn_unseen, spare_card
from croupier.table.machine.offered import Act, hand_meant
from croupier.table.parts.progressive import Progressive

__all__ = ["drawn_unseen", "hand_meant", "plainest", "spare_card"]


def plainest(state: TableState, rules: TableRules, action: Action) -> Command:
    """Default command for a required action.

    Patrons accept offers, all secrets are kept, no payout is added to a wager, and the burn is an
    ace and a two. A mystery value to be revealed that an earlier round hit is replaced without a
    draw.
    """
    if action.command is acts.EndProgressiveRound and _hit_before(state, rules):
        return acts.ReplaceMystery("its secret was withheld", secret_of(state))
    fields = _FIELDS.get(action.command)
    return Act(action, state, rules).make(**fields(state, rules) if fields else {})


def secret_of(state: TableState) -> str:
    """Secret of the current commitment, or of the next: each is used once."""
    number = len(state[Progressive].spent)
    return commitment_to(f"{number:064x}") if number else SECRET


def sealing(state: TableState) -> dict[str, Any]:
    """Fields that seal the first set that is not sealed, with all of its cards."""
    sets = state[RetiredDecks].sets.items()
    number, retired_set = next(item for item in sets if not item[1].envelope)
    return {"removed": number, "cards": retired_set.cards, "envelope": f"envelope {number}"}


def _revealed(state: TableState, rules: TableRules) -> Mapping[str, Any]:
    must_hit_by = rules.value("wagers.royal_9.stax.must_hit_by", int)
    progressive = state[Progressive]
    is_hit = progressive.commitment and progressive.meters["stax"] >= must_hit_by
    return {"secret": secret_of(state)} if is_hit else {}


def _hit_before(state: TableState, rules: TableRules) -> bool:
    progressive = state[Progressive]
    maximum = rules.value("wagers.royal_9.stax.must_hit_by", int)
    if not progressive.opening or progressive.meters["stax"] < maximum:
        return False
    value = mystery_cents(secret_of(state), progressive.opening, progressive.above_cents, maximum)
    return progressive.stax_before >= value


_FIELDS: Final[Mapping[type[Command], Callable[[TableState, TableRules], Mapping[str, Any]]]] = {
    acts.CommitMystery: lambda state, _: {"commitment": commitment_to(secret_of(state))},
    acts.EndProgressiveRound: _revealed,
    acts.SealDecks: lambda state, _: sealing(state),
    acts.RecordTime: lambda _, __: {"at": NOON},
}
"""Fields from a vault or a clock; others have defaults."""
