"""Questions whether the table accepts or refuses something at a moment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from croupier.acts import Command, FindShoeEmpty, PlaceWager, PlaceWagers
from croupier.acts.fields import keys_of
from croupier.drills.marking import rests_on, why_answered
from croupier.drills.room import (
    Asking,
    FieldValues,
    Question,
    Shown,
    asks,
    nothing,
    shown_stakes,
    with_needed,
)
from croupier.law.usage import money, named
from croupier.rules import Offer
from croupier.scenarios import Stage
from croupier.table.house.tray import Tray
from croupier.table.machine.core import Action, Events, Refusal, decide
from croupier.table.machine.offered import Act, Field
from croupier.table.parts.forms import FormBook

_ANSWERS: Final = (("yes", "Yes"), ("no", "No"))
_NEEDING: Final = 60
"""One draw in this many is about a wager that requires another, if there is one."""
_NUMERIC: Final = {"cents", "count"}
_CHOSEN: Final = {"choice", "hand", "seat"}


@asks("allowed", "May it be done now: wagers, limits, and procedure")
def _allowed(asking: Asking) -> Question | None:
    chance, room = asking.chance, asking.room
    needing = [offer for offer in room.rules.offers.values() if offer.needs]
    if needing and chance.below(_NEEDING) == 0:
        return _on_condition(asking, chance.choose(needing))
    name = chance.choose(tuple(room.starts))
    start, stage = room.starts[name], room.starts[name].stage.fork()
    wanted = chance.below(3) == 0
    act = _act(asking, name, allowed=wanted)
    if act is None or "?" in act.words:
        return None
    try:
        command, details = _made(asking, act)
    except (ValueError, LookupError, StopIteration, TypeError):
        return None
    if getattr(command, "seat", 0) is None:
        return None  # An act that waits for a seat to be named.
    if wanted is isinstance(decide(stage.state, command, stage.rules), Refusal):
        return None
    shown = (("Table", named(start.title)), *_numbers(stage, command), ("Act", act.words), *details)
    return _asked(stage, command, shown)


def _numbers(stage: Stage, command: Command) -> Shown:
    """Numbers in use on which an act on a Form or slip depends."""
    keys = [key for name in command.__struct_fields__ for key in keys_of(type(command), name)]
    shown = []
    if "serial" in keys:
        following = stage.state[FormBook].next_serial
        shown.append(("Next Form", "none is at the table" if following is None else str(following)))
    if "slip" in keys:
        used = stage.state[Tray].used
        shown.append(("Slips used", ", ".join(map(str, used)) or "none"))
    return tuple(shown)


def _on_condition(asking: Asking, offer: Offer) -> Question | None:
    stage = asking.room.at("betting")
    if stage is None or not stage.state.seats:
        return None
    rules, seat = asking.room.rules, asking.chance.choose(tuple(stage.state.seats))
    stakes = with_needed(asking, offer)
    cents = stakes.pop(offer.wager.id)
    if asking.chance.below(2):
        stakes = {}
    if stakes and isinstance(stage.try_execute(PlaceWagers(seat, stakes)), Refusal):
        return None
    command = PlaceWager(seat, offer.wager.id, cents)
    lies = shown_stakes(rules, {seat: stakes}) if stakes else ((f"Seat {seat}", "no wager"),)
    words = f"Seat {seat} places {money(cents)} on {offer.wager.title}"
    conditions = rests_on(rules, *(need.rule_id for need in offer.needs))
    return _asked(stage, command, (*lies, ("Act", words)), conditions)


def _asked(
    stage: Stage,
    command: Command,
    shown: Shown,
    more: tuple[tuple[str, tuple[str, ...]], ...] = (),
) -> Question | None:
    answer = decide(stage.state, command, stage.rules)
    refused = isinstance(answer, Refusal)
    why = (*why_answered(answer, stage.rules), *more)
    if not any(clauses for _, clauses in why):
        return None  # No clause is behind it: whether it may be done is nothing to learn.
    return Question(
        "May this be done now?",
        shown,
        (Field("allowed", "choice", "Allowed", choices=_ANSWERS),),
        {"allowed": "no" if refused else "yes"},
        stage.fork(),
        () if refused else (command,),
        partial(_decided, stage.fork(), command),
        partial(_done, command) if refused else nothing,
        why,
    )


def _act(asking: Asking, name: str, *, allowed: bool) -> Act | None:
    room = asking.room
    if allowed or asking.chance.below(2):
        # An empty shoe is a fact, not a choice.
        offered = [act for act in room.offered(name) if act.command is not FindShoeEmpty]
        return asking.chance.choose(offered) if offered else None
    action: Action = asking.chance.choose(tuple(room.everything.values()))
    return Act(action, room.starts[name].stage.state, room.rules)


def _made(asking: Asking, act: Act) -> tuple[Command, tuple[tuple[str, str], ...]]:
    values: dict[str, Any] = {}
    details = []
    for field in act.fields:
        if field.kind == "seat" and not field.choices and field.default is None:
            raise ValueError("no seat is free: there is nothing to ask")
        if field.source or field.needed:
            continue
        value = field.default
        if field.kind in _NUMERIC and field.least is not None and asking.chance.below(2):
            value = asking.chance.choose(
                (field.least, field.least - 1, (field.most or field.least) + field.unit)
            )
        elif field.choices and field.kind in _CHOSEN:
            value = asking.chance.choose([choice for choice, _ in field.choices])
        if value is None:
            continue
        if field.kind == "stakes" and not value:
            raise ValueError("nothing is wagered: there is nothing to ask")
        values[field.name] = value
        in_words = field.name == "seat" and _names_seat(act.words, value)
        if value not in ("", ()) and not in_words:
            details.append((field.label, _value_in_words(field, value)))
    return act.make(**values), tuple(details)


def _names_seat(words: str, seat: object) -> bool:
    """Whether words name a seat, rather than one with the same prefix.

    >>> [seat for seat in (1, 2, 12) if _names_seat("Seat 12 wagers", seat)]
    [12]
    """
    return re.search(rf"\bseat {seat}\b", words, re.IGNORECASE) is not None


def _value_in_words(field: Field, value: Any) -> str:
    words = next((text for choice, text in field.choices if choice == value), None)
    if words is not None:
        return words
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        titles = dict(field.choices)
        return ", ".join(
            f"{titles.get(one, one)} {_value_in_words(field, item)}" for one, item in value.items()
        )
    if field.kind in {"cents", "stakes"} and isinstance(value, int):
        return money(value)
    return str(getattr(value, "title", None) or value) if not isinstance(value, str) else value


def _decided(stage: Stage, command: Command, events: Events) -> FieldValues:
    del events
    refused = isinstance(decide(stage.state, command, stage.rules), Refusal)
    return {"allowed": "no" if refused else "yes"}


def _done(command: Command, answer: FieldValues) -> tuple[Command, ...]:
    return (command,) if answer.get("allowed") == "yes" else ()
