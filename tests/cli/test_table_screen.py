"""``croupier table`` on the whole screen, 80 columns by 24 lines, driven by keys alone."""

from __future__ import annotations

import asyncio
import sys
from pathlib import Path

import pytest

from croupier.cli.records.table_log import LogDoor
from croupier.cli.tables import table
from croupier.cli.tables.sitting.screen import TableApp
from croupier.records.clock import SteppedClock
from croupier.records.log import begin_log
from croupier.rules import read_rules
from croupier.table.machine.session import TableSession
from croupier.verify import verify_log
from support.project import ROOT
from support.whole_screen import Hands

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")


async def play(app: TableApp) -> None:
    """Play a round with a refusal and an irregularity, and look at what is shown on the way."""
    async with app.run_test(size=(80, 24)) as pilot:
        hands = Hands(app, pilot)
        await hands.choose("Open the table", "", "", "", "2011-02-22")
        await hands.choose("Seat a patron", "3", "Pat")
        await hands.choose("Change cash", "500")
        await hands.choose("Receive the cards", "y", "")
        for words in ("Verify", "cut the cards", "cutting cards", "Load the shoe"):
            assert words in hands.shows("next")
            await hands.press("enter")
        await hands.press(*"As", "enter", *"2s", "enter")
        await hands.choose("Seat 3: place a wager", "banker", "100", "")
        await hands.press("enter")
        # Nothing is sent before it is confirmed.
        await hands.press(*"Kd", "u")
        assert hands.shows("hands") == "Player\nBanker"
        for card in ("Kd", "4c", "5h", "2s"):
            await hands.press(*card, "enter")
        assert "Draw the third card to Player's Hand [NJ-MINI:7.8(b)]" in hands.shows("next")
        await hands.press("enter")
        assert hands.shows("answer").startswith("Refused: name the card")
        await hands.press("6")
        assert app.query_one("#answer").display, "a refusal stays until the next act"
        await hands.press("u")
        await hands.choose("face up in the shoe", "9c", key="!")
        assert not app.query_one("#answer").display
        await hands.press("x")


def test_a_round_with_a_refusal_and_an_irregularity(tmp_path: Path) -> None:
    rules = read_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    log = tmp_path / "table.jsonl"
    recorder, _ = begin_log(log, rules, shuffle="by hand")
    session = TableSession(rules, record=recorder, clock=SteppedClock())
    door = LogDoor(session, {"dealer": "Dana", "floorperson": "Flo"})
    asyncio.run(play(TableApp(door)))
    recorder.close()
    verdict = verify_log(log)
    assert verdict.is_clean
    assert verdict.is_open
    assert session.state.round is not None


def test_without_the_extra_one_sentence_names_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    rules = read_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    door = LogDoor(TableSession(rules), {"dealer": "Dana"})
    for name in [one for one in sys.modules if one.partition(".")[0] == "textual"]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.delitem(sys.modules, "croupier.cli.tables.sitting.screen", raising=False)
    monkeypatch.setitem(sys.modules, "textual", None)
    monkeypatch.setattr(sys.stdin, "isatty", lambda: True, raising=False)
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    with pytest.raises(SystemExit):
        table._sit(door)  # noqa: SLF001  (the door that a person comes through)
    assert "pip install 'croupier[terminal]'" in capsys.readouterr().err
    assert not tmp_path.joinpath("table.jsonl").exists()
