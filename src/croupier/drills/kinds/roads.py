"""Questions about the roads of a shoe."""

from __future__ import annotations

from functools import partial
from typing import Final

from croupier.baccarat.coup import Hand, winner_name
from croupier.drills.room import Asking, FieldValues, Question, asks
from croupier.records.roads import DERIVED, Result, Roads, roads_of
from croupier.table.machine.core import Events
from croupier.table.machine.offered import Field

_LETTERS: Final = {"player": "P", "banker": "B", "tie": "T"}
_TITLES: Final = {
    "big_eye_boy": "Big eye boy",
    "small_road": "Small road",
    "cockroach_pig": "Cockroach pig",
}
_MARKS: Final = (("red", "A red mark"), ("blue", "A blue mark"), ("none", "No mark"))


@asks("roads", "The roads of a shoe, and what the next win would mark")
def _roads(asking: Asking) -> Question | None:
    stage = asking.room.at("closed")
    if stage is None:
        return None
    chance = asking.chance
    winners = tuple(_winner(asking) for _ in range(6 + chance.below(8 * asking.level)))
    letters = " ".join(_LETTERS[winner_name(winner)] for winner in winners)
    details = (("Results", letters),)
    if asking.level == 1:
        answer_of = partial(_big, winners)
        return Question(
            "Where on the big road is the last win, counted from 1?", details,
            (Field("row", "count", "Row"), Field("column", "count", "Column")),
            answer_of(()), stage, (), answer_of,
            why=(("A streak goes down its column; a new winner begins the next column", ()),),
        ) if any(winners) else None  # fmt: skip
    hand = chance.choose(tuple(Hand))
    name = chance.choose(tuple(DERIVED))
    answer_of = partial(_asked, winners, hand, name)
    return Question(
        f"{hand.title} wins next. What does that mark on the {_TITLES[name].lower()}?", details,
        (Field("mark", "choice", _TITLES[name], choices=_MARKS),),
        answer_of(()), stage, (), answer_of,
        why=((_rule(name), ()),),
    )  # fmt: skip


def _winner(asking: Asking) -> Hand | None:
    hands: tuple[Hand | None, ...] = (*Hand, *Hand, *Hand, None)
    return asking.chance.choose(hands)


def _rule(name: str) -> str:
    distance = DERIVED[name]
    columns = "one column" if distance == 1 else f"{distance} columns"
    return (
        f"The {_TITLES[name].lower()} compares with the big road {columns} back: red where it"
        " repeats itself, blue where it does not"
    )


def _roads_of(winners: tuple[Hand | None, ...]) -> Roads:
    return roads_of(Result(winner) for winner in winners)


def _big(winners: tuple[Hand | None, ...], events: Events) -> FieldValues:
    del events
    place = _roads_of(winners).big_road[-1].place
    return {"row": str(place.row + 1), "column": str(place.column + 1)}


def _asked(winners: tuple[Hand | None, ...], hand: Hand, name: str, events: Events) -> FieldValues:
    del events
    old_cells, new_cells = (_roads_of(one).derived[name] for one in (winners, (*winners, hand)))
    return {"mark": new_cells[-1].mark.value if len(new_cells) > len(old_cells) else "none"}
