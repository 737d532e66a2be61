"""Malformed scenarios are refused with all that is wrong, and expectations that fail are reported."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from copy import deepcopy
from datetime import time
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import pytest

from croupier.files.toml import toml_key, toml_value
from croupier.scenarios.acceptance import play
from croupier.scenarios.acceptance.files import MalformedScenariosError, Scenario, read_scenarios
from support.scenarios import play_scenario

_SOUND = """
[[scenario]]
id = "sound"
title = "A natural nine"
law = "us-nj/minibaccarat@2011-02-22"
rests_on = [{ clause = "7.9(a)", says = "Naturals end the hand." }]
patrons = [{ seat = 4, name = "Wim", chips = "$500.00" }]
[[scenario.steps]]
wager = { 4 = { player = "$20.00" } }
[[scenario.steps]]
play = "9h 8d Kh Ks"
events = [{ event = "WagerPaid", seat = 4, cents = "$20.00" }]
no_events = ["RoundVoided"]
cites = ["7.10(a)"]
[scenario.outcome]
chips = { 4 = "$520.00" }
table_win = "-$20.00"
phase = "betting"
next = ["CallNoMoreBets"]
"""


def _read(text: str) -> tuple[Scenario, ...]:
    with TemporaryDirectory() as folder:
        path = Path(folder, "made-up.toml")
        path.write_text(text, encoding="utf-8")
        return read_scenarios(path)


def _errors(text: str) -> str:
    with pytest.raises(MalformedScenariosError) as raised:
        _read(text)
    return str(raised.value)


def test_a_sound_scenario_is_played(tmp_path: Path) -> None:
    """Nothing is raised where everything comes out as expected."""
    (scenario,) = _read(_SOUND)
    play_scenario(scenario, tmp_path)


@pytest.mark.parametrize(
    ("sound", "unsound", "said"),
    [
        ("$520.00", "$519.99", "chips is { 4 = $520.00 }, not { 4 = $519.99 }"),
        ('["7.10(a)"]', '["7.10(a)"]\nrounds = 7', "play 9h 8d Kh Ks: rounds is 1, not 7"),
        (
            '"$20.00" } }\n',
            '"$20.00" } }\nstaked = {}\n',
            "staked is { 4 = { player = $20.00 } }, not {}",
        ),
        ('Kh Ks"\n', 'Kh Ks 2c"\n', "no card is due: 2c is not dealt in this round"),
        ('"9h 8d Kh Ks"\n', '"4h 8d Kh"\n', "a card is due that the step does not name"),
        ("-$20.00", "$20.00", "table_win is -$20.00, not $20.00"),
        ("$520.00", "A$520.00", "'A$520.00' is not an amount of this law: write it as $12.50"),
        ('"$20.00" } }', '"$20.005" } }', "'$20.005' is not an amount of this law"),
        ('"betting"', '"decided"', "phase is betting, not decided"),
        ('["CallNoMoreBets"]', '["DrawCard"]', "next is ['CallNoMoreBets'], not ['DrawCard']"),
        ('cents = "$20.00"', 'cents = "$21.00"', "no {'event': 'WagerPaid'"),
        ('"RoundVoided"', '"ResultAnnounced"', "there must be no ResultAnnounced"),
        (
            "[scenario.outcome]",
            "[[scenario.steps]]\ncheck = {}\nrounds = 7\n[scenario.outcome]",
            "check: rounds is 1, not 7",
        ),
        ('cites = ["7.10(a)"]', 'cites = ["7.11(e)"]', "does not cite 7.11(e)"),
        ('cites = ["7.10(a)"]', 'not_cites = ["7.10(a)"]', "must not cite ['NJ-MINI:7.10(a)"),
        ('play = "9h', 'refused = true\nplay = "9h', None),
    ],
)
def test_what_comes_out_otherwise_is_reported(
    sound: str, unsound: str, said: str | None, tmp_path: Path
) -> None:
    """Each kind of expectation bites."""
    assert sound in _SOUND
    text = _SOUND.replace(sound, unsound)
    if said is None:
        assert "what is refused has no events" in _errors(text)
        return
    (scenario,) = _read(text)
    with pytest.raises(AssertionError) as raised:
        play_scenario(scenario, tmp_path)
    assert said in str(raised.value)


def test_all_that_is_wrong_with_a_file_is_said_at_once() -> None:
    """Every error comes with its place and with what was meant."""
    found = _errors(
        _SOUND.replace('id = "sound"', 'id = "Not Sound"')
        .replace("7.9(a)", "7.99(a)")
        .replace("wager =", "wagre =")
        .replace("WagerPaid", "WagerPayed")
        .replace("CallNoMoreBets", "CallNoMoreBet")
        .replace("table_win", "table_winn")
    )
    for said in (
        "'Not Sound': write lower-case words",
        "'7.99(a)' is not a clause of us-nj/minibaccarat@2011-02-22",
        "do one thing of",
        "'WagerPayed' is not an event; did you mean WagerPlaced or WagerPaid",
        "'CallNoMoreBet' is not a command; did you mean CallNoMoreBets?",
        "unknown key; did you mean table_win?",
    ):
        assert said in found
    assert all("/made-up.toml:" in line.split()[0] for line in found.splitlines())


def test_the_clock_of_a_table_begins_where_the_scenario_says(tmp_path: Path) -> None:
    """Decks that were received at nine are a day old at nine, though other tables begin at noon."""
    text = """
[[scenario]]
id = "clock"
title = "Old decks"
law = "us-ma/minibaccarat@2026-11-20"
rests_on = [{ clause = "3(c)", says = "Decks are changed every 24 hours." }]
patrons = [{ seat = 4 }]
clock = 2026-11-20T09:00:00Z
steps = [{ do = "RecordTime", at = 2026-11-21T09:01:00Z, next = ["RemoveCards"] }]
outcome = { phase = "betting" }
"""
    (scenario,) = _read(text)
    play_scenario(scenario, tmp_path)


def test_a_scenario_that_expects_nothing_is_refused() -> None:
    """A scenario that could not fail is none."""
    text = _SOUND[: _SOUND.index("events")]
    assert "nothing is expected anywhere" in _errors(text)


@pytest.mark.parametrize(
    ("check", "said"),
    [
        ("{ next = ['DrawCrad'] }", "'DrawCrad' is not a command"),
        ("{ phase = 'betting' }, refused = true", "check does nothing, so it has no answer"),
        ("{ phase = 'betting' }, cites = ['7.9(a)']", "check does nothing, so it has no answer"),
        ("{ player = ['9h', 'Kh'] }", "must be cards as text"),
        ("{ held = '9h Zz' }", "must be cards as text"),
        ("{ chips = '$520.00' }", "must be a table"),
    ],
)
def test_a_check_says_what_can_be_looked_at(check: str, said: str) -> None:
    """What a check cannot compare is refused before the scenario is played."""
    start, end = _SOUND.split("[scenario.outcome]")
    step = "[[scenario.steps]]\ncheck = " + check.replace(", refused", "\nrefused").replace(
        ", cites", "\ncites"
    )
    assert said in _errors(f"{start}{step}\n[scenario.outcome]{end}")


def test_a_step_that_cannot_be_played_hides_no_difference_before_it(tmp_path: Path) -> None:
    """The first difference is what a later refusal comes from."""
    text = _SOUND.replace(
        'cites = ["7.10(a)"]',
        'rounds = 7\n[[scenario.steps]]\ndo = "DrawCard"\ncard = "9c"',
    )
    (scenario,) = _read(text)
    with pytest.raises(AssertionError, match=r"rounds is 1, not 7[^$]*do DrawCard"):
        play_scenario(scenario, tmp_path)


_WHOLE: Final = """
id = "whole"
title = "Every key of a scenario"
law = "us-ma/minibaccarat@2026-11-20"
rests_on = [{ clause = "3(c)", says = "Decks are changed every 24 hours." }]
submission = "ma"
elections = { "vigorish.collection" = "at-once" }
limits = { tie = ["$1.00", "$200.00"] }
reading = { "damaged_card.fate" = "void" }
layout = { seats = 7, numbering = "clockwise", pit = "2", table = "M-1" }
patrons = [{ seat = 4, name = "Ada", chips = "$900.00" }]
dealer = "Dora"
floorperson = "Flo"
gaming_date = 2026-11-20
clock = 2026-11-20T09:00:00Z
tray = "$100000.00"
start = "betting"
steps = [
  { do = "RecordTime", at = 2026-11-20T09:01:00Z, next = [], why = "a note" },
  { do = "RequestFill", slip = 1, chips = { 10000 = 5 } },
  { wager = { 4 = { player = "$30.00" } }, may_not = ["DrawCard"], staked = { 4 = { player = "$30.00" } } },
  { do = "CorrectWager", of = "PlaceWagers", seat = 4, wager = "player", cents = "$40.00", reason = "seen", cites = ["7(b)"], not_cites = ["8(b)"], events = [{ event = "WagerCorrected", cents = "$40.00" }], no_events = ["WagerPaid"] },
  { play = "9h 8d Kh Ks", times = 1, events = ["WagerPaid"] },
  { do = "DrawCardInError", card = "4c", disclosed = false, held = "4c", in_shoe = 409, to_discard = 0 },
  { do = "PlaceWager", seat = 5, wager = "tie", cents = 100, refused = "seat_empty" },
  { check = { phase = "betting", rounds = 1, seats = { 4 = "Ada" }, simulated_next = "" } },
  { until = "betting" },
]
outcome = { phase = "betting", chips = { 4 = "$940.00" }, owed = { 4 = "$0.00" }, tray = "$99060.00", table_win = "-$40.00", books = { uncollected = "$0.00" }, elected = { "vigorish.collection" = "at-once" } }
"""
_OF_EVERY_TYPE: Final[tuple[object, ...]] = (5, 1.5, True, "x", time(9), ["x"], {"x": 1})


def _paths(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    items = value.items() if isinstance(value, dict) else enumerate(value)
    for key, item in items:
        yield (*path, key)
        if isinstance(item, dict | list):
            yield from _paths(item, (*path, key))


def _with(table: dict[str, Any], path: tuple[Any, ...], value: object) -> str:
    changed: Any = deepcopy(table)
    item = changed
    for key in path[:-1]:
        item = item[key]
    item[path[-1]] = value
    lines = (f"{toml_key(key)} = {toml_value(item)}" for key, item in changed.items())
    return "\n".join(("[[scenario]]", *lines))


def test_every_field_of_another_type_is_refused_with_its_place_and_what_is_expected(
    tmp_path: Path,
) -> None:
    table, path, refused = tomllib.loads(_WHOLE), tmp_path / "whole.toml", 0
    path.write_text(f"[[scenario]]{_WHOLE}", encoding="utf-8")
    assert play.play_scenario(read_scenarios(path)[0]) == ()
    for field in _paths(table):
        for value in _OF_EVERY_TYPE:
            path.write_text(_with(table, field, value), encoding="utf-8")
            errors, told = _errors_or_played(path)
            named = [key for key in field if isinstance(key, str)]
            refused += bool(errors)
            assert all(line.startswith(f"{path}:") for line in errors), errors
            assert not errors or any(key in line for key in named for line in errors), errors
            assert not any("TypeError" in one or "AttributeError" in one for one in told), told
    assert refused > 500


def _errors_or_played(path: Path) -> tuple[list[str], tuple[str, ...]]:
    try:
        (scenario,) = read_scenarios(path)
    except MalformedScenariosError as error:
        return str(error).splitlines(), ()
    return [], play.play_scenario(scenario)
