"""Malformed scenarios are refused with all that is wrong, and expectations that fail are reported."""

from __future__ import annotations

from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

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
        ("{ player = ['9h', 'Kh'] }", "write cards as text"),
        ("{ held = '9h Zz' }", "write cards as text"),
        ("{ chips = '$520.00' }", "write a table"),
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
