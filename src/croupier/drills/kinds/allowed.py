"""Questions whether the table accepts or refuses something at a moment."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import partial
from typing import Any, Final

from croupier import acts
from croupier.acts import Command, PlaceWager, PlaceWagers
from croupier.acts.fields import keys_of
from croupier.drills.kinds.cards import shown_hands
from croupier.drills.marking import rests_on, why_answered
from croupier.drills.room import (
    Asking,
    FieldValues,
    Question,
    Shown,
    asks,
    debts,
    elected,
    nothing,
    shown_stakes,
    with_needed,
)
from croupier.law.usage import money, named
from croupier.rules import Offer
from croupier.scenarios import Stage
from croupier.scenarios.people import fitting_stake, least_stake
from croupier.table.machine.core import Events, Refusal, decide
from croupier.table.machine.offered import Act, Field
from croupier.table.parts.forms import FormBook

_ANSWERS: Final = (("yes", "Yes"), ("no", "No"))
_NEEDING: Final = 60
"""One draw in this many is about a wager that requires another, if there is one."""
_CHOSEN: Final = {"choice", "hand", "seat"}
_FACTS: Final = (
    acts.CorrectMisreadCard, acts.DrawCardInError, acts.FindBurnShort, acts.FindFaceUpCard,
    acts.FindShoeEmpty, acts.FindWrongCard, acts.RecordTime,
)  # fmt: skip
"""Reports of what has happened, which nobody may or may not do."""
_SAID: Final = {
    "reason": "given by the supervisor",
    "pit_clerk": "pit clerk",
    "taken_by": "another pit clerk",
}
"""Texts that an act needs and its form leaves empty."""


@asks("allowed", "May it be done now: wagers, limits, and procedure")
def _allowed(asking: Asking) -> Question | None:
    chance, room = asking.chance, asking.room
    offers = [offer for offer in room.rules.offers.values() if offer.needs]
    if offers and chance.below(_NEEDING) == 0:
        return _on_condition(asking, chance.choose(offers))
    name = chance.choose(tuple(room.starts))
    start, stage = room.starts[name], room.starts[name].stage.fork()
    is_allowed = chance.below(3) == 0
    act = _act(asking, name, is_allowed=is_allowed)
    if act is None or "?" in act.words:
        return None
    try:
        command, details = _made_command(asking, act)
    except (ValueError, LookupError, StopIteration, TypeError):
        return None
    if getattr(command, "seat", 0) is None:
        return None  # An act that waits for a seat to be named.
    if is_allowed is isinstance(decide(stage.state, command, stage.rules), Refusal):
        return None
    shown_details = (
        ("Table", named(start.title)), *elected(room.rules, "device"), *_layout(stage),
        *_forms(stage, command), ("Act", act.words), *details,
    )  # fmt: skip
    return permission(stage, command, shown_details)


def _layout(stage: Stage) -> Shown:
    state, stakes = stage.state, dict[int, dict[str, int]]()
    for (seat, wager), stake in state.stakes.items():
        stakes.setdefault(seat, {})[wager] = stake.cents
    is_open = state.round is None or not (state.round.down or state.round.offering)
    return (
        *(shown_hands(stage) if is_open else ()),
        *shown_stakes(stage.rules, dict(sorted(stakes.items()))),
        *debts(stage),
    )


def _forms(stage: Stage, command: Command) -> Shown:
    if not any("serial" in keys_of(type(command), name) for name in command.__struct_fields__):
        return ()
    book = stage.state[FormBook]
    next_form = "none is at the table" if book.next_serial is None else str(book.next_serial)
    undropped = (str(form.serial) for form in book.used.values() if not (form.dropped or form.void))
    originals = ", ".join(undropped) or "none"
    return ("Next Form", next_form), ("Originals not in the drop box", originals)


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
    lines = shown_stakes(rules, {seat: stakes}) if stakes else ((f"Seat {seat}", "no wager"),)
    words = f"Seat {seat} places {money(cents)} on {offer.wager.title}"
    conditions = rests_on(rules, *(need.rule_id for need in offer.needs))
    return permission(stage, command, (*lines, ("Act", words)), conditions)


def permission(
    stage: Stage,
    command: Command,
    details: Shown,
    rule_conditions: tuple[tuple[str, tuple[str, ...]], ...] = (),
    words: str = "May this be done now?",
) -> Question | None:
    """Return a question whether a table accepts a command; ``None`` if no clause says so."""
    answer = decide(stage.state, command, stage.rules)
    is_refused = isinstance(answer, Refusal)
    reasons = (*why_answered(answer, stage.rules), *rule_conditions)
    if not any(clauses for _, clauses in reasons):
        return None  # No clause is behind it: whether it may be done is nothing to learn.
    return Question(
        words,
        details,
        (Field("allowed", "choice", "Allowed", choices=_ANSWERS),),
        {"allowed": "no" if is_refused else "yes"},
        stage.fork(),
        () if is_refused else (command,),
        partial(_decided, stage.fork(), command),
        partial(_done_commands, command) if is_refused else nothing,
        reasons,
    )


def _act(asking: Asking, name: str, *, is_allowed: bool) -> Act | None:
    room = asking.room
    if is_allowed or asking.chance.below(2):
        offered_acts = [act for act in room.offered(name) if act.command not in _FACTS]
        return asking.chance.choose(offered_acts) if offered_acts else None
    actions = [action for action in room.everything.values() if action.command not in _FACTS]
    return Act(asking.chance.choose(actions), room.starts[name].stage.state, room.rules)


def _made_command(asking: Asking, act: Act) -> tuple[Command, tuple[tuple[str, str], ...]]:
    rules, values = asking.room.rules, dict[str, Any]()
    details = []
    for field in act.fields:
        if (field.needed and field.name not in _SAID) or field.kind in _UNASKED:
            continue
        value = _value(asking, field, values)
        is_said = value in _EMPTY and field.name in _SAID
        if is_said:
            value = named(_SAID[field.name])
        if value in _EMPTY and field.kind not in _OPTIONAL:
            raise ValueError(f"{field.name} is empty: there is nothing to ask")
        values[field.name] = value
        in_words = field.name == "seat" and _names_seat(act.words, value)
        is_left_out = field.source or value in _EMPTY or (field.kind == "cents" and not value)
        if is_said or not (in_words or is_left_out):
            in_detail = shown_stakes(rules, {0: value})[0][1] if field.kind == "stakes" else ""
            details.append((field.label, in_detail or _value_in_words(field, value)))
    limit = rules.offers[values["wager"]].limit if values.get("wager") else None
    if limit is not None:
        details.append(("Limits", f"{money(limit.min_cents)} to {money(limit.max_cents)}"))
    return act.make(**values), tuple(details)


_UNASKED: Final = {"card", "time"}
_OPTIONAL: Final = {"hand", "person", "text", "serials"}
_EMPTY: Final[tuple[Any, ...]] = (None, "", (), {})


def _value(asking: Asking, field: Field, values: Mapping[str, Any]) -> Any:
    chance, rules = asking.chance, asking.room.rules
    if field.name == "cents" and values.get("wager"):
        # About limits, if there are any, and in chips.
        wager, chip = values["wager"], rules.law.currency.chips[0]
        limit, minimum = rules.offers[wager].limit, least_stake(rules, wager)
        if limit is None or chance.below(2):
            return fitting_stake(rules, wager, minimum * (1 + chance.below(4)))
        return chance.choose((limit.min_cents - chip, limit.max_cents + chip))
    if field.kind == "stakes" and field.choices:
        return with_needed(asking, chance.choose(tuple(rules.offers.values())))
    if field.kind == "cents" and field.default and field.most and chance.below(2):
        return field.most + field.unit
    if field.kind == "count" and field.least is not None and chance.below(2):
        counts = (field.least, field.least - 1, (field.most or field.least) + field.unit)
        return chance.choose([count for count in counts if count > 0])
    if field.choices and field.kind in _CHOSEN:
        return chance.choose([choice for choice, _ in field.choices])
    return field.default


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
    if field.kind == "cents":
        return money(value)
    return str(getattr(value, "title", None) or value) if not isinstance(value, str) else value


def _decided(stage: Stage, command: Command, events: Events) -> FieldValues:
    del events
    is_refused = isinstance(decide(stage.state, command, stage.rules), Refusal)
    return {"allowed": "no" if is_refused else "yes"}


def _done_commands(command: Command, answer: FieldValues) -> tuple[Command, ...]:
    return (command,) if answer.get("allowed") == "yes" else ()
