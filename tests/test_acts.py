"""What may be done next, with words and fields: enough to give every command, and within its bounds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import cache
from typing import Any, Final

import pytest

from croupier import acts as commands
from croupier.acts.command import TERMS
from croupier.acts.fields import label_of
from croupier.acts.roles import Role
from croupier.baccarat.cards import Card
from croupier.money.stax import commitment_to
from croupier.rules import read_submission, table_rules
from croupier.scenarios.people import NOON, SECRET
from croupier.scenarios.starts import Start, starts
from croupier.scenarios.vectors.answers import probes
from croupier.table import Action, Refusal, decide, new_table
from croupier.table.machine.offered import MAKERS, Act, Field, act_due, acts
from support import punto_banco, table
from support.project import SUBMISSIONS
from support.volume import spread

BY_NAME: Final = {path.stem: path for path in SUBMISSIONS}
FILES: Final = spread(sorted(BY_NAME), 6, 14)

KEPT: Final[dict[type, dict[str, Any]]] = {
    commands.CommitMystery: {"commitment": commitment_to(SECRET)},
    commands.RecordTime: {"at": NOON},
}
"""What the vault and the clock would say."""


@cache
def every_start(name: str) -> tuple[Start, ...]:
    rules = table_rules(read_submission(BY_NAME[name]))
    if rules.missing or not rules.offers:
        return ()
    return tuple(starts(rules).values())


def of_law(act: Act) -> bool:
    return not TERMS[act.command.__name__].house


def told(act: Act, **values: Any) -> commands.Command:
    return act.make(**{**KEPT.get(act.command, {}), **values})


def accepted(start: Start, command: commands.Command) -> bool:
    answer = decide(start.stage.state, command, start.stage.rules)
    return not isinstance(answer, Refusal)


def at(start: Start) -> tuple[Act, ...]:
    return acts(start.stage.state, start.stage.rules)


def test_every_command_has_words_and_every_field_a_label_and_a_maker() -> None:
    by_name = {one.__name__: one for one in commands.Command.__subclasses__()}
    assert by_name.keys() == TERMS.keys()
    for name, command in by_name.items():
        assert TERMS[name].title
        for field in command.__struct_fields__:
            assert f"{name}.{field}" in MAKERS or field in MAKERS, f"{name}.{field}"
            assert label_of(command, field)


@pytest.mark.parametrize("name", FILES)
def test_whatever_must_be_done_is_done_by_its_plain_command(name: str) -> None:
    """A secret that is due, and the time that no clock has told yet, are told."""
    for start in every_start(name):
        for act in at(start):
            if not act.must:
                continue
            secret = act.command is commands.EndProgressiveRound
            done = accepted(start, told(act)) or (
                secret and accepted(start, told(act, secret=SECRET))
            )
            assert done, f"{start.name}: {told(act)}"


@pytest.mark.parametrize("name", FILES)
def test_words_name_every_seat_and_a_text_may_be_left_empty_only_if_the_table_takes_it(
    name: str,
) -> None:
    for start in every_start(name):
        for act in filter(of_law, at(start)):
            assert "?" not in act.words, f"{start.name}: {act.words}"
            empty = {one.name: "" for one in act.fields if one.kind == "text" and one.default == ""}
            must = {one.name for one in act.fields if one.needed}
            if empty and must <= empty.keys() and accepted(start, act.make(**_written(empty))):
                optional = dict.fromkeys(empty.keys() - must, "")
                assert accepted(start, act.make(**_written(empty) | optional)), (
                    f"{start.name}: {act}"
                )


def _written(texts: Mapping[str, str]) -> dict[str, str]:
    return dict.fromkeys(texts, "Lee")


@pytest.mark.parametrize("name", FILES)
def test_a_field_takes_its_least_and_its_most_and_nothing_beyond(name: str) -> None:
    tried = 0
    for start in every_start(name):
        for act in filter(of_law, at(start)):
            if any(one.needed and one.name not in KEPT.get(act.command, {}) for one in act.fields):
                continue
            if not accepted(start, told(act)):
                continue
            for field in act.fields:
                tried += _bounds_hold(start, act, field)
    assert tried > 10 or not every_start(name)


def _bounds_hold(start: Start, act: Act, field: Field) -> int:
    tried = 0
    for bound, beyond in ((field.least, -field.unit), (field.most, field.unit)):
        if bound is None:
            continue
        tried += 1
        inside, outside = (told(act, **{field.name: bound + by}) for by in (0, beyond))
        assert accepted(start, inside), f"{start.name}: {inside}"
        assert not accepted(start, outside), f"{start.name}: {outside}"
    return tried


@pytest.mark.parametrize("name", FILES)
def test_no_command_that_the_table_takes_is_left_out(name: str) -> None:
    for start in every_start(name):
        offered = {act.command for act in at(start)}
        for command in probes(start.stage):
            if type(command) not in offered:
                assert not accepted(start, command), f"{start.name}: {command}"


@pytest.mark.parametrize("name", FILES)
def test_a_choice_among_wagers_is_one_that_the_table_takes(name: str) -> None:
    for start in every_start(name):
        for act in at(start):
            if act.command is commands.WithdrawWager:
                for wager, _ in next(one for one in act.fields if one.name == "wager").choices:
                    assert accepted(start, act.make(wager=wager))


# --- words, and who ----------------------------------------------------------------------------


def test_the_words_say_what_the_next_card_is_for() -> None:
    session = table.ready(1)
    table.wager(session, (1, "player", 10_000))
    said = []
    session.execute(commands.CallNoMoreBets())
    for card in ("5h", "6d", "Kh", "Ks"):
        due = act_due(session.state, session.rules)
        assert due is not None
        said.append(due.words)
        session.execute(due.make(card=Card.of(card)))
    due = act_due(session.state, session.rules)
    assert due is not None
    assert [*said, due.words] == [
        "Draw the first card to Player's Hand", "Draw the first card to Banker's Hand",
        "Draw the second card to Player's Hand", "Draw the second card to Banker's Hand",
        "Draw the third card to Player's Hand",
    ]  # fmt: skip


def test_an_order_to_pass_the_shoe_names_both_offices_that_may_give_it() -> None:
    rules = punto_banco.rules_of()
    ordered = Act(Action(commands.OrderPass, Role.DEALER, ()), new_table(rules), rules)
    assert {Role.DEALER, Role.FLOORPERSON} <= {*ordered.who}


def test_a_field_that_comes_from_the_vault_has_no_default() -> None:
    rules = table.rules_of()
    commit = Act(Action(commands.CommitMystery, Role.MACHINE, ()), new_table(rules), rules)
    with pytest.raises(ValueError, match="needs commitment: it comes from the vault"):
        commit.plain()
    with pytest.raises(ValueError, match="has no field card; it has commitment"):
        commit.make(commitment="0", card=None)


def test_a_title_without_its_fields_is_still_a_sentence() -> None:
    titles = {name: terms.plain_title for name, terms in TERMS.items()}
    assert titles["DeclineCards"] == "Decline a hand"
    assert titles["PermitTurning"] == "Let a seat turn a hand"
    assert titles["SeatPatron"] == "Seat a patron"
    assert titles["DrawCard"] == "Draw card"
    for name, title in titles.items():
        assert not re.search(r"[{}]|\bthe$|\b(the|of|from) (to|on|turn|cannot|go)\b", title), name
        assert title[0].isupper(), name
