"""States, commands, events and refusals of a table as plain data, and what a line pays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import Field, fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any, Final

from croupier.baccarat.coup import Coup, Facts
from croupier.baccarat.hand import Hand
from croupier.cards import DECK, Card
from croupier.law.values import Odds
from croupier.records.codec import dump, from_json, to_json
from croupier.rules import Award, Pays
from croupier.table import AnyPhase, Refusal, TableState
from croupier.table.commands import Command
from croupier.table.core import SLICES, Events
from croupier.table.state import TableShoe

__all__ = ["UNTOLD", "answer_data", "command_data", "pays_data", "state_data", "steps_data"]

Data = dict[str, Any]

UNTOLD: Final = frozenset({"tableau", "course", "slices"})
"""What a state holds of the law, which stands in the file of the rules and never changes; and the
slices of parts, each of which is told under its name."""


def command_data(command: Command) -> Data:
    """Return a command as a flat object with its type first, cards in their notation.

    >>> from croupier.table import commands
    >>> command_data(commands.DrawCard(Card.of("9h")))
    {'type': 'DrawCard', 'card': '9h'}
    """
    return _flat(command)


def _flat(value: Command | object) -> Data:
    # The table log writes it so, and what leaves the program has one form.
    made: Data = from_json(dump(to_json(value)))  # type: ignore[arg-type]
    return made


def answer_data(answer: Events | Refusal) -> Data:
    """Return what became of a command: its ``events``, or ``refused`` with code and clauses."""
    if isinstance(answer, Refusal):
        told = {"code": answer.code, "clauses": list(answer.clauses), "message": answer.message}
        return {"refused": told}
    return {"events": [_flat(event) for event in answer]}


def steps_data(heard: Iterable[tuple[Command, Events | Refusal]]) -> list[Data]:
    """Return commands one after another, each with what became of it."""
    return [{"command": command_data(command), **answer_data(answer)} for command, answer in heard]


def pays_data(pays: Pays) -> Data | None:
    """Return what a line pays: odds as an integer pair, an amount, a meter; ``None`` for nothing.

    >>> pays_data(Odds(3, 2))
    {'odds': [3, 2]}
    """
    if isinstance(pays, Odds):
        return {"odds": [pays.pays, pays.stake]}
    if isinstance(pays, Award):
        amount = {"cents": pays.cents} if pays.meter is None else {"meter": pays.meter}
        return amount | {"keeps_stake": pays.keeps_stake}
    return None


def state_data(state: TableState) -> Data:
    """Return all that the commands so far have made of a table, without what the law says."""
    general = {one.name: one for one in fields(state) if one.name not in UNTOLD}
    told = {name: _field(one, getattr(state, name)) for name, one in general.items()}
    return told | {kept.name: _plain(state[kind]) for kind, kept in SLICES.items()}


def _fields(holder: Any) -> Data:
    return {one.name: _field(one, getattr(holder, one.name)) for one in fields(holder)}


def _field(one: Field[Any], value: object) -> Any:
    if isinstance(value, Mapping) and not value:
        # An empty mapping has no keys to tell by: one by seat is a list of no rows.
        return {} if "Mapping[str," in str(one.type) else []
    return _plain(value)


def _plain(value: object) -> Any:
    for kind, plain in _FORMS:
        if isinstance(value, kind):
            return plain(value)
    if is_dataclass(value):
        return _fields(value)
    return value


def _rows(value: Mapping[Any, object]) -> Any:
    """Return a mapping by name as an object, and one by seat as rows that name the seat."""
    if all(isinstance(key, str) for key in value):
        return {key: _plain(told) for key, told in value.items()}
    rows = []
    for key, told in value.items():
        match key:
            case (seat, wager):
                amounts = told._asdict()  # type: ignore[attr-defined]  # it is a stake
                rows.append({"seat": seat, "wager": wager, **amounts})
            case Hand():
                rows.append({"hand": key.value, "seat": told})
            case _:
                name = "serial" if type(told).__name__ == "Form" else "seat"
                rows.append({name: key, **_plain(told)})
    return rows


def _shoe(shoe: TableShoe) -> Data:
    """Return a shoe: how many cards are left, and which have left it with their faces seen."""
    drawn = {
        card.notation: shoe.decks - left
        for card, left in zip(DECK, shoe.unseen, strict=False)
        if left < shoe.decks
    }
    return {
        "number": shoe.number,
        "decks": shoe.decks,
        "remaining": shoe.remaining,
        "cards_behind": shoe.cards_behind,
        "batch": shoe.batch,
        "drawn": drawn,
    }


_FORMS: Final[tuple[tuple[type, Callable[[Any], Any]], ...]] = (
    (AnyPhase, lambda phase: phase.name.lower()),
    (Enum, lambda one: one.value),
    (Card, lambda card: card.notation),
    (datetime, lambda moment: moment.isoformat().replace("+00:00", "Z")),
    (TableShoe, _shoe),
    (Coup, lambda coup: {"player": _plain(coup.player), "banker": _plain(coup.banker)}),
    (Facts, lambda facts: {name: _plain(told) for name, told in facts._asdict().items()}),
    (Mapping, _rows),
    (tuple, lambda several: [_plain(one) for one in several]),
)
"""How each kind of value is written; the first that fits, as facts are a tuple too."""
