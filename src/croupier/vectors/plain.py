"""Plain data for states, commands, events, refusals, and payouts."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import Any, Final, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import asdict

from croupier.acts import Command
from croupier.baccarat.coup import Coup, Facts
from croupier.baccarat.hand import Hand
from croupier.cards import DECK, Card
from croupier.law.values import Odds
from croupier.money.forms import Form
from croupier.records.codec import dump, from_json, to_json
from croupier.rules import Award
from croupier.rules import Pays as LinePays
from croupier.table import AnyPhase, Refusal, TableState
from croupier.table.machine.core import SLICES, Events
from croupier.table.machine.state import TableShoe
from croupier.vectors.documents import UNTOLD, Pays, Refused, Step

Data = dict[str, Any]


def command_data(command: Command) -> Data:
    """Return a command as a flat object with its type first, cards in their notation.

    >>> from croupier import acts
    >>> command_data(acts.DrawCard(Card.of("9h")))
    {'type': 'DrawCard', 'card': '9h'}
    """
    return _flat(command)


def _flat(value: Command | object) -> Data:
    # The same form as in the table log.
    made: Data = from_json(dump(to_json(value)))  # type: ignore[arg-type]
    return made


def events_data(events: Events) -> list[Data]:
    """Return events as flat objects with the type first."""
    return [_flat(event) for event in events]


def refused_data(refusal: Refusal) -> Refused:
    """Return a refusal as plain data."""
    return {
        "code": refusal.code,
        "clauses": list(refusal.clauses),
        "message": refusal.message,
    }


def steps_data(heard: Iterable[tuple[Command, Events | Refusal]]) -> list[Step]:
    """Return commands in order, each with its ``events`` or its refusal (``refused``)."""
    steps: list[Step] = []
    for command, answer in heard:
        step: Step = {"command": command_data(command)}
        if isinstance(answer, Refusal):
            step["refused"] = refused_data(answer)
        else:
            step["events"] = events_data(answer)
        steps.append(step)
    return steps


def pays_data(pays: LinePays) -> Pays:
    """Return a line's payout: odds, an amount, or a meter; ``None`` for none.

    >>> pays_data(Odds(3, 2))
    {'odds': {'pays': 3, 'stake': 2}}
    """
    if isinstance(pays, Odds):
        return {"odds": {"pays": pays.pays, "stake": pays.stake}}
    if isinstance(pays, Award):
        cents = pays.cents if pays.meter is None else None
        return {"cents": cents, "meter": pays.meter, "keeps_stake": pays.keeps_stake}
    return None


def state_data(state: TableState) -> Data:
    """Return the state of a table without constant rules."""
    general = {name: value for name, value in _fields(state).items() if name not in UNTOLD}
    return general | {kept.name: _plain(state[kind]) for kind, kept in SLICES.items()}


def _fields(record: Struct) -> Data:
    by_name = _mappings_by_name(type(record))
    return {name: _field(value, name in by_name) for name, value in asdict(record).items()}


@cache
def _mappings_by_name(kind: type[Struct]) -> frozenset[str]:
    hints = get_type_hints(kind).items()
    return frozenset(
        name
        for name, hint in hints
        if get_origin(hint) in {Mapping, dict} and get_args(hint)[0] is str
    )


def _field(value: object, by_name: bool) -> Any:  # noqa: FBT001
    if isinstance(value, Mapping) and not value:
        return {} if by_name else []
    return _plain(value)


def _plain(value: object) -> Any:
    for kind, plain in _FORMS:
        if isinstance(value, kind):
            return plain(value)
    if isinstance(value, Struct):
        return _fields(value)
    return value


def _rows(value: Mapping[Any, object]) -> Any:
    """Return a mapping by name as an object, one by seat as rows with the seat."""
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
                name = "serial" if isinstance(told, Form) else "seat"
                rows.append({name: key, **_plain(told)})
    return rows


def _shoe(shoe: TableShoe) -> Data:
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
    (date, lambda day: day.isoformat()),
    (TableShoe, _shoe),
    (Coup, lambda coup: {"player": _plain(coup.player), "banker": _plain(coup.banker)}),
    (Facts, lambda facts: {name: _plain(told) for name, told in facts._asdict().items()}),
    (Mapping, _rows),
    (tuple, lambda several: [_plain(one) for one in several]),
)
"""Encoders by type; the first match applies, since facts are also a tuple, and a moment is a
date.
"""
