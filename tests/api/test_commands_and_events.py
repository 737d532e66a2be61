"""Commands and events are matched, written and read by public names, and wrong types are named."""

import json
from collections.abc import Callable
from datetime import date
from typing import Any, cast

import pytest

import croupier
from croupier import commands, events
from croupier.commands import DrawCard, PlaceWager
from croupier.records.codec import COMMANDS, EVENTS
from support.project import ROOT

RULES = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
CARDS = "Kd 4c 5h 2s 6c Ah"


def opened() -> croupier.LiveTable:
    return croupier.open_table(RULES, {3: 100_000})


def dealt() -> list[events.Event]:
    """Return every event of a round that Banker wins with 7."""
    table, found = opened(), list[events.Event]()
    steps = [
        PlaceWager(3, "banker", 10_000),
        commands.CallNoMoreBets(),
        *map(DrawCard, croupier.parse_cards(CARDS)),
        commands.SettleWagers(),
    ]
    for step in steps:
        found += table.execute(step)
    return found


def test_an_event_is_matched_by_its_class() -> None:
    paid = []
    for event in dealt():
        match event:
            case events.WagerPaid(seat=seat, wager=wager, cents=cents):
                paid.append((seat, wager, cents))
            case events.CardDealt(card=card):
                assert isinstance(card, croupier.Card)
    assert paid == [(3, "banker", 10_000)]


def test_each_module_has_its_own_classes_and_no_others() -> None:
    ours = {"Command", "Event", "from_dict", "from_json", "annotations", "TYPE_CHECKING"}
    for module, kinds in ((commands, COMMANDS), (events, EVENTS)):
        names = {name for name in vars(module) if not name.startswith("_")}
        assert names - ours == set(kinds)
        assert all(getattr(module, name) is kind for name, kind in kinds.items())


def test_a_command_and_an_event_go_to_data_and_json_and_back() -> None:
    for command in (
        DrawCard(croupier.Card.of("9h")),
        commands.OpenTable(5, "Dana", "Flo", date(2011, 2, 22)),
    ):
        assert (
            commands.from_dict(command.to_dict())
            == commands.from_json(command.to_json())
            == command
        )
        assert json.loads(command.to_json()) == command.to_dict()
    assert DrawCard(croupier.Card.of("9h")).to_dict() == {"type": "DrawCard", "card": "9h"}
    for event in dealt():
        data = event.to_dict()
        assert list(data)[:2] == ["type", "v"]
        assert (data["type"], data["v"]) == (type(event).__name__, event.VERSION)
        assert events.from_dict(data) == events.from_json(event.to_json()) == event
        assert json.loads(event.to_json()) == data


@pytest.mark.parametrize(
    ("read", "wrong"),
    [
        (commands.from_dict, {"type": "DrawCrad"}),
        (commands.from_dict, {"type": "PlaceWager", "seat": "3", "wager": "tie", "cents": 5}),
        (commands.from_dict, None),
        (commands.from_json, "{"),
        (events.from_dict, {"type": "SeatReserved", "v": 99}),
        (events.from_dict, {"type": ["SeatReserved"]}),
        (events.from_json, "[]"),
        (commands.from_json, '{"type": "DrawCard", "card": "9h", "card": "2c"}'),
        (
            events.from_json,
            '{"type":"SeatReserved","v":1,"seat":3,"seat":4,"patron":"Pat","until":null,"clauses":[]}',
        ),
    ],
)
def test_other_data_are_refused(read: Callable[[Any], object], wrong: object) -> None:
    with pytest.raises(ValueError, match=r"\S"):
        read(wrong)


def made(kind: Callable[..., commands.Command], *fields: Any) -> commands.Command:
    return kind(*fields)


@pytest.mark.parametrize(
    ("command", "said"),
    [
        (made(PlaceWager, "3", "banker", 500), "PlaceWager: seat is '3': Expected `int`, got `str`"),
        (made(PlaceWager, 3, 4, 5.0), "PlaceWager: wager is 4: Expected `str`, got `int`; cents is 5.0: Expected `int`, got `float`"),
        (made(commands.SeatPatron, 4, 5), "SeatPatron: patron is 5: Expected `str`, got `int`"),
        (made(DrawCard, 7), "DrawCard: card is 7: 7 is not a card: write it as a string, such as 9h"),
        (made(DrawCard, "Kx"), "DrawCard: card is 'Kx': 'Kx' is not a card: write a rank"),
        (commands.SeatPatron(seat=True, patron="Pat"), "SeatPatron: seat is True: Expected `int`, got `bool`"),
        (None, "None is not a command: give an object of croupier.commands"),
        ("DrawCard", "'DrawCard' is not a command"),
        (DrawCard, "is not a command"),
    ],
)  # fmt: skip
def test_a_wrong_type_is_one_type_error_that_names_command_field_and_type(
    command: Any, said: str
) -> None:
    table = opened()
    before = table.position
    for do in (table.execute, table.try_execute):
        with pytest.raises(TypeError) as error:
            do(command)
        assert said in str(error.value)
    assert table.position is before


@pytest.mark.parametrize(
    ("make", "problem"),
    [
        (lambda: made(PlaceWager, 3), "missing wager, cents"),
        (lambda: made(PlaceWager, 3, "tie", 500, 0, 1), "Extra positional arguments provided"),
        (lambda: cast("Any", PlaceWager)(3, "tie", 500, amount=1), "Unexpected keyword argument 'amount'"),
    ],
)  # fmt: skip
def test_wrong_arguments_of_a_command_are_refused_with_its_fields(
    make: Callable[[], object], problem: str
) -> None:
    with pytest.raises(TypeError) as error:
        make()
    fields = "; its fields: seat, wager, cents, coupon_cents"
    assert str(error.value) == f"PlaceWager: {problem}{fields}"


def test_a_card_of_a_command_may_be_text() -> None:
    table = opened()
    table.execute(PlaceWager(3, "banker", 10_000))
    table.execute(commands.CallNoMoreBets())
    found = [event for one in CARDS.split() for event in table.execute(DrawCard(cast("Any", one)))]
    assert [event.card for event in found if isinstance(event, events.CardDealt)] == [
        *croupier.parse_cards(CARDS)
    ]


FORMS: list[Any] = [
    CARDS,
    croupier.parse_cards(CARDS),
    CARDS.split(),
    ["Kd 4c", *croupier.parse_cards("5h 2s"), "6cAh"],
    iter(croupier.parse_cards(CARDS)),
    {"player": "Kd 5h 6c", "banker": croupier.parse_cards("4c 2s Ah")},
    {"player": ["Kd", croupier.Card.of("5h"), "6c"], "banker": ("4c", "2s Ah")},
]


@pytest.mark.parametrize("cards", FORMS, ids=range(len(FORMS)))
def test_cards_are_text_cards_or_a_sequence_of_either(cards: Any) -> None:
    if not hasattr(cards, "__next__"):
        assert (
            croupier.round_odds(RULES, cards)["banker"].expectation
            == croupier.round_odds(RULES, CARDS)["banker"].expectation
        )
        (settled,) = croupier.settle_rounds(RULES, [croupier.Round(cards)])
        assert settled == croupier.settle_round(RULES, CARDS)
    assert croupier.settle_round(RULES, cards) == croupier.settle_round(RULES, CARDS)


def test_cards_are_parsed_from_every_form() -> None:
    nine = croupier.Card.of("9h")
    for form in ("9h", nine, [nine], ("9h",), iter(["9h"])):
        assert croupier.parse_cards(form) == (nine,)


@pytest.mark.parametrize("wrong", [None, 9, [9], {"9h": 1}, b"9h", [["9h"]]])
def test_what_is_not_cards_is_refused(wrong: Any) -> None:
    with pytest.raises(TypeError, match="is not cards: give text"):
        croupier.parse_cards(wrong)
    if not isinstance(wrong, dict):
        with pytest.raises(TypeError, match="is not cards: give text"):
            croupier.round_odds(RULES, wrong)
        with pytest.raises(croupier.RoundError, match="is not cards: give text"):
            croupier.settle_round(RULES, wrong)
