"""Questions for dealers: each can be answered, and its key is what the table decides."""

from __future__ import annotations

from functools import cache
from typing import Final

import pytest
from hypothesis import HealthCheck, given, settings

from croupier.drills import DRILLS, DrillRoom, Question, mark, question
from croupier.drills.answers import read_answer
from croupier.law.model import Instrument
from croupier.law.resolve import instruments
from croupier.rules import read_rules, submission_of, table_rules
from croupier.table import Refusal
from support.oracles import law as printed
from support.project import ROOT
from support.random_submissions import Tables, legal

WHOLE: Final = [law for law in instruments() if not law.partial and "third.banker" in law.rules]
EACH: Final = 3


@cache
def room_of(sample: str) -> DrillRoom:
    return DrillRoom(read_rules(ROOT / "submissions" / f"{sample}.toml"))


def drawn(sample: str, kind: str, count: int, level: int | None = None) -> list[Question]:
    found = (question(room_of(sample), kind, 11, number, level) for number in range(count))
    return [one for one in found if one is not None]


def check(one: Question) -> None:
    """Carry out a question at its table, and mark its key and answers that are not its key."""
    stage = one.stage.fork()
    for command in one.commands:
        assert not isinstance(stage.try_execute(command), Refusal), (one.kind, command)
    assert dict(one.found(tuple(stage.events))) == dict(one.key)
    assert one.key.keys() == {field.name for field in one.fields}
    for field in one.fields:
        values = {str(value) for value, _ in field.choices}
        assert field.kind != "choice" or one.key[field.name] in values
        assert len({words for _, words in field.choices}) == len(values)
        assert read_answer(field, one.key[field.name]) is not None
    assert mark(one, one.key).is_right
    assert not mark(one, {}).is_right
    for field in one.fields:
        for value, _ in field.choices if field.kind == "choice" else ():
            if str(value) != one.key[field.name]:
                marked = mark(one, {**one.key, field.name: str(value)})
                assert not marked.is_right
                assert marked.broken


@pytest.mark.parametrize("kind", DRILLS)
@pytest.mark.parametrize("law", WHOLE, ids=lambda law: law.key)
def test_every_question_has_an_answer_that_the_table_accepts(law: Instrument, kind: str) -> None:
    @given(tables=legal(law))
    @settings(
        max_examples=4, derandomize=True, deadline=None, database=None,
        suppress_health_check=[HealthCheck.too_slow],
    )  # fmt: skip
    def ask(tables: Tables) -> None:
        room = DrillRoom(table_rules(submission_of(tables)))
        for number in range(EACH):
            one = question(room, kind, 5, number)
            if one is not None:
                check(one)

    ask()


@pytest.mark.parametrize("kind", DRILLS)
def test_the_same_seed_asks_the_same(kind: str) -> None:
    first, again = (
        [(one.words, one.shown, dict(one.key)) for one in drawn("ma-house-money", kind, 6)]
        for _ in range(2)
    )
    assert first == again
    other = [question(room_of("ma-house-money"), kind, 12, number) for number in range(6)]
    assert [(one.words, one.shown, dict(one.key)) for one in other if one] != first or not first


# --- against the printed tables, and not against the program -----------------------------------


def hands(one: Question) -> tuple[list[str], list[str]]:
    """Return the cards of both hands as they are shown."""
    shown = dict(one.shown)
    player, banker = (
        shown[title].partition(" (")[0].split() for title in ("Player's Hand", "Banker's Hand")
    )
    return player, banker


@pytest.mark.parametrize(
    ("sample", "literal"),
    [("ny-mini-literal-row", True), ("ny-mini", False), ("ma", False), ("nj-punto-banco", False)],
)
def test_third_cards_are_those_of_the_printed_table(sample: str, literal: bool) -> None:  # noqa: FBT001
    cells = set()
    for one in drawn(sample, "third-card", 1200, level=2):
        player, banker = hands(one)
        counts = printed.count(player[:2]), printed.count(banker)
        third = printed.value(player[2]) if len(player) == 3 else None
        if third is None and printed.player_draws(*counts):
            right = "player"
        else:
            draws = printed.banker_draws(*counts, third, literal=literal)
            right = "banker" if draws else "none"
            cells.add((counts[1], third))
        assert one.key["next"] == right, (player, banker)
    assert cells == {(count, third) for count in range(8) for third in (None, *range(10))}


def test_the_literal_row_of_new_york_is_asked_as_a_trap() -> None:
    trapped = [
        one
        for one in drawn("ny-mini-literal-row", "third-card", 40, level=3)
        if printed.count(hands(one)[1]) < 3
        and len(hands(one)[0]) == 3
        and one.key["next"] == "none"
    ]
    assert len(trapped) > 5
    wrong = mark(trapped[0], {"next": "banker"})
    assert "NY-MINIMIDI:(h)(4)#1" in {clause for _, clauses in wrong.broken for clause in clauses}
    assert any(text.startswith("The table refuses it") for text, _ in wrong.broken)


def test_counts_and_winners_are_those_of_the_printed_text() -> None:
    for one in drawn("nj-minibaccarat", "counts", 80, level=2):
        player, banker = map(printed.count, hands(one))
        winner = "tie" if player == banker else "player" if player > banker else "banker"
        assert dict(one.key) == {"player": str(player), "banker": str(banker), "winner": winner}
    for one in drawn("nj-minibaccarat", "counts", 80, level=1):
        count = printed.count(one.shown[0][1].split())
        assert dict(one.key) == {"count": str(count), "natural": "yes" if count > 7 else "no"}
