"""Forms as pages draw them, and as they are read again: without a service, and without a browser."""

from __future__ import annotations

import re
from html import unescape
from types import SimpleNamespace
from typing import Any

import pytest

from croupier.law.usage import Usage, under
from croupier.reports.screen import _together
from croupier.server.pages.forms import (
    FormError,
    act_form,
    command_of,
    commands_of,
    pit_form,
    together,
)
from croupier.server.pages.looked import PitActSeen, Session

SESSION = Session("Lou", "licensee", None, "1", "form", "key")


def field(name: str, kind: str, **more: Any) -> Any:
    """Return a field of an act as a view has it."""
    plain: dict[str, Any] = {
        "name": name, "kind": kind, "label": name.capitalize(), "choices": [], "least": None,
        "most": None, "unit": 1, "default": None, "source": "", "needed": False,
    }  # fmt: skip
    return plain | more


def act(command: str, words: str, *fields: Any, seat: int | None = None, **more: Any) -> Any:
    """Return an act as a view has it."""
    plain: dict[str, Any] = {
        "command": command, "must": False, "seat": seat, "words": words, "clauses": [],
        "who": ["dealer"], "also": [], "awaited": False, "gives": True, "fields": [*fields],
    }  # fmt: skip
    return plain | more


def look() -> Any:
    """Return as much of a table as a form depends on."""
    return SimpleNamespace(
        session=SESSION, name="MB-1", seen={"rules_sha256": "x"}, says={},
        screen=SimpleNamespace(then=None),
    )  # fmt: skip


def sent(form: str, **changed: str) -> dict[str, list[str]]:
    """Return what a browser sends of a form: its inputs, and what each list has chosen."""
    found: dict[str, list[str]] = {}
    for written in re.findall(r"<input[^>]*>", form):
        stated = dict(re.findall(r'([a-z-]+)="([^"]*)"', written))
        found[stated["name"]] = [unescape(stated.get("value", ""))]
    for name, options in re.findall(r'<select name="([^"]*)".*?>(.*?)</select>', form, re.DOTALL):
        values = re.findall(r'value="([^"]*)"( selected)?', options)
        chosen = [value for value, selected in values if selected] or [values[0][0]]
        found[name] = [unescape(chosen[0])]
    known = found.keys()
    assert {name.replace("__", ".") for name in changed} <= known
    return found | {name.replace("__", "."): [value] for name, value in changed.items()}


def seats(*numbers: int) -> Any:
    """Return the field of a seat with some choices, the only one of them chosen."""
    choices = [{"value": one, "label": str(one)} for one in numbers]
    return field("seat", "seat", choices=choices, default=numbers[0])


# --- a form is read as the command that it was drawn for ---


def test_a_form_that_nobody_fills_in_is_the_act_with_its_defaults() -> None:
    drawn = act_form(
        look(),
        act(
            "BuyChips", "Change cash for chips", seats(3),
            field("cents", "cents", default=250_050),
            field("closing", "flag", default=False),
        ),
    )  # fmt: skip
    assert command_of(sent(drawn)) == {
        "type": "BuyChips", "seat": 3, "cents": 250_050, "closing": False,
    }  # fmt: skip


def test_what_is_chosen_and_written_is_what_is_read() -> None:
    drawn = act_form(
        look(),
        act(
            "PlaceWager", "Place a wager", seats(3, 5),
            field("wager", "choice", choices=[
                {"value": "tie", "label": "Tie"}, {"value": "banker", "label": "Banker"},
            ]),
            field("cents", "cents"), field("count", "count"), field("at", "time"),
        ),
    )  # fmt: skip
    changed = sent(
        drawn, json__seat="5", json__wager='"banker"', cents__cents="$1,000", count__count="14"
    )
    assert command_of(changed) == {
        "type": "PlaceWager", "seat": 5, "wager": "banker", "cents": 100_000, "count": 14,
        "at": None,
    }  # fmt: skip


def test_stakes_that_are_left_out_are_not_placed() -> None:
    wagers = [{"value": one, "label": one} for one in ("player", "banker", "tie")]
    drawn = act_form(look(), act("PlaceWagers", "x", field("stakes", "stakes", choices=wagers)))
    assert command_of(sent(drawn)) == {"type": "PlaceWagers", "stakes": {}}
    placed = sent(drawn, stakes__stakes__banker="25", stakes__stakes__tie="5.50")
    assert command_of(placed)["stakes"] == {"banker": 2_500, "tie": 550}


def test_chips_are_read_by_value_and_number() -> None:
    trays = [{"value": one, "label": one} for one in (50, 500, 2_500, 10_000)]
    drawn = act_form(look(), act("CountInventory", "x", field("chips", "chips", choices=trays)))
    assert command_of(sent(drawn)) == {"type": "CountInventory", "chips": {}}
    counted = sent(drawn, count__chips__10000="5", count__chips__2500="4", count__chips__50="2")
    assert command_of(counted)["chips"] == {"10000": 5, "2500": 4, "50": 2}


# --- what is not stated ---


def labels(form: str) -> list[tuple[str, str]]:
    """Return the options of a form: the value of each, and its label."""
    return re.findall(r'<option value="([^"]*)"[^>]*>([^<]*)<', form)


def test_one_value_of_several_may_stay_as_it_is_and_one_alone_is_not_stated() -> None:
    choices = [{"value": 6, "label": "6"}, {"value": 8, "label": "8"}]
    alone = pit_form(SESSION, PitActSeen("X", "x", [field("decks", "choice", choices=choices)]))
    several = pit_form(
        SESSION, PitActSeen("X", "x", [field("elections.decks", "choice", choices=choices)])
    )
    assert labels(alone)[0] == ("null", "not stated")
    assert labels(several)[0] == ("null", "as it is")
    assert command_of(sent(alone)) == {"type": "X", "decks": None}
    assert command_of(sent(several)) == {"type": "X", "elections": {}}
    stated = sent(several, json__elections__decks="8")
    assert command_of(stated) == {"type": "X", "elections": {"decks": 8}}


# --- acts of several seats ---


def test_acts_that_differ_in_the_seat_alone_are_one_form() -> None:
    cents = field("cents", "cents", default=500)
    acts = [
        act("CollectVigorish", f"Seat {seat}: collect the vigorish", seats(seat), cents, seat=seat)
        for seat in (2, 5)
    ]
    (one,) = together(acts)
    # Its title: nobody's seat is in it.
    assert one["words"] == "Collect the vigorish of a seat"
    assert [each["value"] for each in one["fields"][0]["choices"]] == [2, 5]
    drawn = act_form(look(), one)
    assert command_of(sent(drawn, json__seat="5")) == {
        "type": "CollectVigorish", "seat": 5, "cents": 500,
    }  # fmt: skip


def test_a_form_of_several_seats_has_the_names_of_the_law() -> None:
    acts = [
        act("DesignateDealer", f"Seat {at}: have the croupier deal", seats(at), seat=at)
        for at in (2, 5)
    ]
    with under(Usage(offices={"dealer": "croupier"})):
        (one,) = together(acts)
        (said,) = _together(acts)
    assert one["words"] == "Have the croupier deal"
    assert said == "Seats 2, 5: have the croupier deal"


def test_acts_that_differ_in_more_than_the_seat_stay_apart() -> None:
    acts = [
        act("CollectVigorish", "Seat 2: x", seats(2), field("cents", "cents", default=500), seat=2),
        act("CollectVigorish", "Seat 5: x", seats(5), field("cents", "cents", default=700), seat=5),
        act("LeaveTable", "Seat 2: x", seats(2), field("cents", "cents", default=500), seat=2),
        act("CallNoMoreBets", "Call"),
        act("CallNoMoreBets", "Call again"),
    ]
    assert together(acts) == acts


# --- what cannot be read ---


@pytest.mark.parametrize(
    ("form", "says"),
    [
        ({"cents.cents": ["25,5.5"]}, "cents: write dollars, such as 25 or 2.50"),
        ({"cents.cents": ["-25"]}, "cents: write dollars, such as 25 or 2.50"),
        ({"stakes.stakes.tie": ["five"]}, "tie: write dollars, such as 25 or 2.50"),
        ({"count.cards": ["1.5"]}, "cards: write a whole number"),
        ({"count.cards": ["٣"]}, "cards: write a whole number"),
        ({"count.chips.2500": ["25x4"]}, "2500: write a whole number"),
        ({"card.card": ["1h"]}, "card: "),
        ({"json.seat": ["{"]}, "seat: choose one of the list"),
        ({"suit.card": ["h"]}, "choose a rank before the suit"),
        # One name for a value and for several: no page has such a form.
        ({"json.recorded": ['"2h"'], "json.recorded.x": ["1"]}, "recorded: choose one of the list"),
        ({"text.rules": ["x"], "lines.rules": ["decks = 8"]}, "rules: choose one of the list"),
        ({"lines.rules": ["decks"]}, "rules: a line for each: rule = value"),
    ],
)
def test_a_form_that_is_no_command_says_which_field(form: dict[str, list[str]], says: str) -> None:
    with pytest.raises(FormError) as refused:
        command_of({"command": ["X"], **form})
    assert str(refused.value).startswith(says)


@pytest.mark.parametrize(
    "form",
    [
        {"json.type": ["[]"]},
        {"text.type": ["OpenTable"]},
        {"each.type": ["OpenTable"]},
        {"json.recorded": ['{"type":["OpenTable"]}']},
    ],
)
def test_no_field_of_a_form_is_its_command(form: dict[str, list[str]]) -> None:
    assert commands_of({"command": ["WriteNote"], **form}) == [{"type": "WriteNote"}]


def test_a_list_among_several_values_is_one_of_them() -> None:
    """It is the command that says what it takes."""
    assert command_of({"command": ["X"], "json.decks.a": ["[]"], "json.decks.b": ["null"]}) == {
        "type": "X",
        "decks": {"a": []},
    }


@pytest.mark.parametrize(
    ("form", "card"),
    [
        ({"rank.card": ["T"], "suit.card": ["s"]}, "Ts"),
        ({"card.card": ["10D"]}, "Td"),
        ({"card.card": ["as"]}, "As"),
        ({"card.card": ["next"]}, "next"),
        ({"json.card": ["null"]}, None),
    ],
)
def test_a_card_is_read_from_the_pad_or_as_it_is_written(
    form: dict[str, list[str]], card: str | None
) -> None:
    assert command_of({"command": ["DrawCard"], **form}) == {"type": "DrawCard", "card": card}
