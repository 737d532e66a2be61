"""Plain data for states, commands, events, refusals, and payouts."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from datetime import date, datetime
from enum import Enum
from functools import cache
from typing import Annotated, Any, Final, get_args, get_origin, get_type_hints

from msgspec import Struct
from msgspec.structs import asdict

from croupier.acts import Command
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import Coup, Facts, Hand
from croupier.law.sight import Key
from croupier.law.values import Odds
from croupier.rules import Award
from croupier.rules import Pays as LinePays
from croupier.scenarios.vectors.documents import OMITTED, Pays, Refused, Step
from croupier.table import AnyPhase, Refusal, TableState
from croupier.table.machine.core import SLICES, Events
from croupier.table.machine.state import TableShoe

Data = dict[str, Any]


def refused_data(refusal: Refusal) -> Refused:
    return {"code": refusal.code, "clauses": list(refusal.clauses), "message": refusal.message}


def steps_data(exchanges: Iterable[tuple[Command, Events | Refusal]]) -> list[Step]:
    steps: list[Step] = []
    for command, answer in exchanges:
        step: Step = {"command": command.to_dict()}
        if isinstance(answer, Refusal):
            step["refused"] = refused_data(answer)
        else:
            step["events"] = [event.to_dict() for event in answer]
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
    return _fields(state, OMITTED) | {
        entry.name: _plain(state[kind]) for kind, entry in SLICES.items()
    }


def _fields(record: Struct, omitted: Collection[str] = ()) -> Data:
    keys = _keys(type(record))
    fields = asdict(record).items()
    return {name: _field(value, keys.get(name)) for name, value in fields if name not in omitted}


@cache
def _keys(kind: type[Struct]) -> Mapping[str, Any]:
    hints = get_type_hints(kind, include_extras=True)
    plain = {name: hint.__origin__ if get_origin(hint) is Annotated else hint
             for name, hint in hints.items()}  # fmt: skip
    return {
        name: get_args(one)[0] for name, one in plain.items() if get_origin(one) in {Mapping, dict}
    }


def _field(value: object, key: Any) -> Any:
    return _rows(value, key) if isinstance(value, Mapping) and key is not None else _plain(value)


def _plain(value: object) -> Any:
    for kind, convert in _FORMS:
        if isinstance(value, kind):
            return convert(value)
    if isinstance(value, Struct):
        return _fields(value)
    return value


def _rows(value: Mapping[Any, Any], key: Any) -> Any:
    if key is Hand:
        return [{"hand": hand.value, "seat": seat} for hand, seat in value.items()]
    if get_origin(key) is tuple:
        return [
            {"seat": seat, "wager": wager, **stake._asdict()}
            for (seat, wager), stake in value.items()
        ]
    if key is str:
        return {name: _plain(item) for name, item in value.items()}
    (name,) = (item.what.partition(" ")[0] for item in key.__metadata__ if isinstance(item, Key))
    number_of = "count" if name == "denomination" else "cents"
    return [
        {name: number, **(_fields(item) if isinstance(item, Struct) else {number_of: item})}
        for number, item in value.items()
    ]


def _shoe(shoe: TableShoe) -> Data:
    cards_drawn = {
        card.notation: shoe.decks - count
        for card, count in zip(DECK, shoe.unseen, strict=False)
        if count < shoe.decks
    }
    return {
        "number": shoe.number,
        "decks": shoe.decks,
        "remaining": shoe.remaining,
        "cards_behind": shoe.cards_behind,
        "batch": shoe.batch,
        "drawn": cards_drawn,
        "burned": _plain(shoe.burned),
        "discarded": _plain(shoe.discarded),
    }


_FORMS: Final[tuple[tuple[type, Callable[[Any], Any]], ...]] = (
    (AnyPhase, lambda phase: phase.name.lower()),
    (Enum, lambda member: member.value),
    (Card, lambda card: card.notation),
    (datetime, lambda moment: moment.isoformat().replace("+00:00", "Z")),
    (date, lambda day: day.isoformat()),
    (TableShoe, _shoe),
    (Coup, lambda coup: {"player": _plain(coup.player), "banker": _plain(coup.banker)}),
    (Facts, lambda facts: {name: _plain(value) for name, value in facts._asdict().items()}),
    (Mapping, lambda named: {name: _plain(one) for name, one in named.items()}),
    (tuple, lambda several: [_plain(one) for one in several]),
)
"""Encoders by type; the first match applies, since facts are also a tuple, and a moment is a
date.
"""
