"""Every field of a command, an event, and the state says who may see it; a new one must too."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final, get_args, get_type_hints

from msgspec import Struct

from croupier.acts.command import TERMS
from croupier.acts.fields import sight_of
from croupier.baccarat.cards import Card
from croupier.law.sight import Sight
from croupier.records.codec import COMMANDS, EVENTS
from croupier.records.view.sight import CARDS
from croupier.table.machine.core import SLICES
from croupier.table.machine.state import TableState

SEEN_WHOLE: Final = {"Coup", "Facts", "Tableau", "DealTakenOver", "Form"}
"""Types that are shown whole, or not at all, by the field that holds them."""
STATES: Final = {"TableState", "RoundState", "TableShoe", "Patron", "Cut", "Offering", "EarlyCard"}


def inside(hint: Any) -> Iterator[type]:
    """Every class that a type is made of."""
    if isinstance(hint, type) and not get_args(hint):
        yield hint
    for one in get_args(hint):
        yield from inside(one)


def parts(kind: type, found: dict[str, type]) -> dict[str, type]:
    """A dataclass of the project and all that its fields are made of, by name."""
    if kind.__name__ in found or not issubclass(kind, Struct):
        return found
    found[kind.__name__] = kind
    for hint in get_type_hints(kind).values():
        for one in inside(hint):
            parts(one, found)
    return found


def every_type(*kinds: type) -> dict[str, type]:
    found: dict[str, type] = {}
    for kind in kinds:
        parts(kind, found)
    return {name: one for name, one in found.items() if name not in SEEN_WHOLE}


TOLD: Final = every_type(*COMMANDS.values(), *EVENTS.values())
STATE: Final = every_type(TableState, *SLICES)


def undeclared(types: dict[str, type]) -> list[str]:
    return [
        f"{name}.{field}"
        for name, kind in types.items()
        for field in get_type_hints(kind)
        if sight_of(kind, field) is None and field != "VERSION"
    ]


def fields_of(types: dict[str, type]) -> Iterator[tuple[type, str, Any]]:
    for kind in types.values():
        for field, hint in get_type_hints(kind).items():
            yield kind, field, hint


def test_every_field_of_a_command_and_of_an_event_is_declared() -> None:
    assert len(TOLD) > 200
    assert undeclared(TOLD) == []


def test_every_field_of_the_state_is_declared() -> None:
    assert STATE.keys() >= STATES
    assert undeclared(STATE) == []


def test_a_new_event_is_found_until_its_fields_are_declared() -> None:
    class CardPeekedAt(Struct, frozen=True):
        card: Card
        seat: int

    # The name of a field says nothing: its type declares who sees it.
    assert undeclared({"CardPeekedAt": CardPeekedAt}) == ["CardPeekedAt.card", "CardPeekedAt.seat"]


def test_what_is_made_of_cards_is_declared_a_card_and_nothing_else_is() -> None:
    for kind, field, hint in fields_of(TOLD):
        is_card = Card in set(inside(hint))
        assert (sight_of(kind, field) is Sight.CARD) == is_card, f"{kind.__name__}.{field}"
        assert (f"{kind.__name__}.{field}" in CARDS) == is_card, f"{kind.__name__}.{field}"


def test_an_amount_of_cents_is_never_open_but_on_a_meter() -> None:
    on_a_meter = {
        "MysteryCommitted.above_cents", "StaxWon.cents", "StaxWon.mystery_cents",
        "MeterReset.cents", "Limit.min_cents", "Limit.max_cents",
    }  # fmt: skip
    assert on_a_meter == {
        f"{kind.__name__}.{field}"
        for kind, field, _ in fields_of(TOLD)
        if field.endswith("cents") and sight_of(kind, field) is Sight.OPEN
    }


def test_a_field_that_names_a_person_in_an_office_is_a_name() -> None:
    for act, row in TERMS.items():
        for field in row.names:
            assert sight_of(row.command, field) is Sight.STAFF, f"{act}.{field}"
