"""What `croupier deal` shows: a part of a shoe, a step at a time, or all of it in a file."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

import click
import pytest
from click.testing import CliRunner, Result
from rich.console import Console

from croupier.acts import Command, RoundVoided
from croupier.cli import main
from croupier.cli.tables.deal_shown import DealShown, DealTally, ShownAsked, live_table
from croupier.rules import read_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.core import Events
from croupier.table.machine.session import TableSession
from support.project import PLAIN, ROOT

SEED: Final = ("--seed", "7", "--patrons", "2")


def deal(*words: object) -> Result:
    runner = CliRunner(env={"COLUMNS": "100"})
    return runner.invoke(main, ["deal", str(PLAIN), *map(str, (*SEED, *words))])


def rounds_in(text: str) -> list[int]:
    return [int(one) for one in re.findall(r"^Round (\d+)$", text, re.MULTILINE)]


@pytest.fixture(scope="module")
def whole() -> str:
    """The transcript of a shoe, without its summary."""
    return deal().stdout.partition("\nSummary\n")[0]


def between(text: str, first: int, last: int) -> str:
    """Return the part of a transcript from one round to another."""
    begun = text[text.index(f"\nRound {first}\n") :]
    return begun.partition(f"\nRound {last + 1}\n")[0]


def test_a_part_of_a_shoe_is_shown_as_it_stands_in_the_whole(whole: str) -> None:
    part = deal("--round", "12-14").stdout
    assert rounds_in(part) == [12, 13, 14]
    assert (
        between(part.partition("\nSummary\n")[0], 12, 14).strip() == between(whole, 12, 14).strip()
    )
    assert rounds_in(deal("--round", "3").stdout) == [3]


def test_the_summary_is_that_of_the_whole_shoe() -> None:
    one = deal("--round", "12-14").stdout.partition("\nSummary\n")[2]
    assert [line for line in one.splitlines() if line.startswith(("rounds", "drop", "table"))] == [
        line
        for line in deal().stdout.partition("\nSummary\n")[2].splitlines()
        if line.startswith(("rounds", "drop", "table"))
    ]


def test_the_transcript_goes_to_a_file_and_the_opening_and_one_round_are_shown(
    tmp_path: Path, whole: str
) -> None:
    path = tmp_path / "transcript.txt"
    result = deal("--transcript", path)
    shown, _, summary = result.stdout.partition("\nSummary\n")
    assert rounds_in(shown) == [1]
    assert shown.index("cut") < shown.index("Round 1")
    # A long path is wrapped.
    assert f"transcript{path}" in "".join(summary.split())
    assert path.read_text(encoding="utf-8").strip() == whole.strip()
    other = deal("--transcript", path, "--round", "5-6", "--force")
    assert rounds_in(other.stdout) == [5, 6]


def test_no_file_is_written_or_replaced_where_something_is_wrong(tmp_path: Path) -> None:
    kept, log = tmp_path / "kept.txt", tmp_path / "table.jsonl"
    for path in (kept, log):
        path.write_text("mine", encoding="utf-8")
    for words in (
        ("--transcript", kept),
        ("--step", "--log", log, "--force"),
        ("--transcript", tmp_path),
        ("--round", "0"),
        ("--round", "9-3"),
        ("--round", "a-b"),
        ("--quiet", "--round", "3"),
        ("--format", "json", "--transcript", tmp_path / "new.txt"),
    ):
        assert deal(*words).exit_code == 2, words
        assert {one.name: one.read_text(encoding="utf-8") for one in tmp_path.iterdir()} == {
            "kept.txt": "mine",
            "table.jsonl": "mine",
        }


def stepped(keys: Iterator[str], rounds: range | None = None) -> tuple[str, list[int]]:
    """Deal a few rounds with keys, and return the text with how much was shown at each key."""
    rules = read_rules(PLAIN)
    text, seen = io.StringIO(), list[int]()

    def key() -> str:
        seen.append(len(text.getvalue()))
        return next(keys)

    shown = DealShown(Console(file=text, width=100), rules, rounds=rounds, key=key)
    session = TableSession(rules)
    session.listeners.append(shown)
    pilot = Autopilot(session, Chance(7), patrons=2)
    pilot.open(date(2011, 2, 22))
    pilot.play_shoe(4)
    shown.flush()
    return text.getvalue(), seen


def test_each_step_waits_for_a_key_and_shows_something_new() -> None:
    text, seen = stepped(iter(" " * 1000))
    assert len(seen) > 40
    assert seen == sorted(seen)
    assert len(set(seen)) > 0.9 * len(seen)
    before_result = next(at for at in seen if "No More Bets" in text[:at])
    assert "wins" not in text[:before_result].split("Round 1")[-1]


def test_keys_deal_to_the_end_of_the_round_or_of_the_shoe() -> None:
    many = len(stepped(iter(" " * 1000))[1])
    by_round = len(stepped(iter("r" * 1000))[1])
    at_once = len(stepped(iter("q"))[1])
    assert (at_once, 1 < by_round < many / 3) == (1, True)
    # For the opening, where the first round begins, for the ends of four, and for what follows.
    assert by_round <= 7


def test_only_the_rounds_that_are_shown_wait() -> None:
    text, seen = stepped(iter(" " * 1000), range(2, 3))
    assert rounds_in(text) == [2]
    assert 5 < len(seen) < 30


def test_the_key_is_read_from_the_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    pressed = iter("q")
    monkeypatch.setattr(click, "getchar", lambda: next(pressed))
    monkeypatch.setattr(ShownAsked, "check", lambda *_, **__: None)
    result = deal("--step", "--round", "2")
    assert result.exit_code == 0
    assert rounds_in(result.stdout) == [2]
    assert next(pressed, None) is None


def test_make_deal_names_the_files_that_the_documents_name() -> None:
    make = (ROOT / "Makefile").read_text(encoding="utf-8")
    for name in ("--log build/table.jsonl", "--transcript build/transcript.txt"):
        assert name in make
    for document in ("README.md", "docs/command-line.md"):
        assert "build/transcript.txt" in (ROOT / document).read_text(encoding="utf-8")


@pytest.mark.parametrize("errors", [0, 60])
def test_the_end_has_the_roads_and_the_win_by_wager(errors: int) -> None:
    whole = deal("--dealer-errors", errors).stdout
    _, _, end = whole.partition("Roads of the last shoe\n")
    roads, _, table = end.partition("Wager ")
    assert roads.startswith("Bead plate\n")
    rounds = whole.partition("\nrounds ")[2].partition("\n")[0]
    results = dict(re.findall(r"(Player|Banker|Tie) (\d+)", rounds))
    beads = roads.partition("Big road")[0].partition("\n")[2]
    assert {one: beads.count(one[0]) for one in results} == {
        one: int(many) for one, many in results.items()
    }
    won = sum(
        int(f"{sign}{dollars.replace(',', '')}{cents}")
        for sign, dollars, cents in re.findall(r" (-?)\$([\d,]+)\.(\d\d)$", table, re.MULTILINE)
    )
    (table_win,) = re.findall(r"^table win +(-?)\$([\d,]+)\.(\d\d)$", whole, re.MULTILINE)
    assert won == int(f"{table_win[0]}{table_win[1].replace(',', '')}{table_win[2]}")


def test_a_terminal_has_one_live_round_after_another(monkeypatch: pytest.MonkeyPatch) -> None:
    rules, waited = read_rules(PLAIN), list[float]()
    monkeypatch.setattr(time, "sleep", waited.append)
    page = io.StringIO()
    out = Console(file=page, width=100, force_terminal=True, color_system="standard")
    session = TableSession(rules)
    session.listeners.append(DealShown(out, rules, live_sitting=live_table(session)))
    pilot = Autopilot(session, Chance(7), patrons=2)
    pilot.open(date(2011, 2, 22))
    pilot.play_shoe(3)
    text = page.getvalue()
    assert waited == [1.0, 1.0, 1.0]
    # Each round has the screen to itself, and red suits are red.
    screens = text.split("\x1b[2J")
    assert [re.findall(r"Round (\d+)", one) for one in screens[1:]] == [["1"], ["2"], ["3"]]
    assert re.search(r"\x1b\[31m(?:10|[2-9AJQK])[♦♥]", text)
    assert not re.search(r"\x1b\[31m(?:10|[2-9AJQK])[♣♠]", text)


@pytest.mark.parametrize(("columns", "rows"), [(60, 24), (80, 24), (120, 30), (200, 50)])
def test_a_live_round_has_its_road_and_every_seat_at_any_width(
    monkeypatch: pytest.MonkeyPatch, columns: int, rows: int
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    rules, page = read_rules(PLAIN), io.StringIO()
    out = Console(file=page, width=columns, height=rows, force_terminal=True, color_system=None)
    session = TableSession(rules)
    counted = DealTally(session)
    shown = DealShown(out, rules, live_sitting=live_table(session, counted.results))
    session.listeners += [counted, shown]
    pilot = Autopilot(session, Chance(7))
    pilot.open(date(2011, 2, 22))
    pilot.play_shoe(20)
    for screen in page.getvalue().split("\x1b[2J\x1b[H")[1:]:
        lines = screen.splitlines()
        assert len(lines) < rows
        assert max(map(len, lines)) <= columns
        assert "Big road" in screen
        assert ("Bead plate" in screen) is (columns >= 120)
        assert all(re.search(rf"^ {seat} ", screen, re.MULTILINE) for seat in range(1, 8))
        assert "\nNext: " in screen
        # Hands of as many tens as there may be count in one column.
        counts = re.findall(r"^(?:Player|Banker) [^=\n]*=", screen, re.MULTILINE)
        assert [len(one) for one in counts] == [21, 21]
    assert re.search(r" [PB]1? +[PB]1? +[PB]", screen)


def test_a_live_round_follows_a_terminal_that_is_resized(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes = iter(("120", "60", "60"))
    monkeypatch.setattr(time, "sleep", lambda _: monkeypatch.setenv("COLUMNS", next(sizes)))
    rules, page = read_rules(PLAIN), io.StringIO()
    for name in ("COLUMNS", "LINES"):
        monkeypatch.delenv(name, raising=False)
    # A size that is given as a console is made stays.
    out = Console(file=page, force_terminal=True, color_system=None)
    monkeypatch.setenv("COLUMNS", "120")
    monkeypatch.setenv("LINES", "40")
    session = TableSession(rules)
    session.listeners.append(DealShown(out, rules, live_sitting=live_table(session)))
    pilot = Autopilot(session, Chance(7), patrons=7)
    pilot.open(date(2011, 2, 22))
    pilot.play_shoe(3)
    wide, _, narrow = page.getvalue().split("\x1b[2J\x1b[H")[1:]
    assert max(map(len, wide.splitlines())) > 60 >= max(map(len, narrow.splitlines()))


def test_a_live_round_that_is_void_has_a_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    rules, page, void = read_rules(ROOT / "submissions/ma.toml"), io.StringIO(), list[int]()
    out = Console(file=page, width=80, height=60, force_terminal=True, color_system=None)
    session = TableSession(rules)

    def note(command: Command, events: Events) -> None:
        del command
        void.extend(event.round for event in events if isinstance(event, RoundVoided))

    session.listeners += [note, DealShown(out, rules, live_sitting=live_table(session))]
    pilot = Autopilot(session, Chance(7), patrons=1, dealer_errors=100)
    pilot.open(date(2011, 2, 22))
    pilot.play_shoe(3)
    screens = page.getvalue().split("\x1b[2J")[1:]
    drawn = [rounds_in(screen.replace("\x1b[H", "")) for screen in screens]
    assert void
    for number in void:
        assert [number] in drawn
        assert f"Round {number} is void" in screens[drawn.index([number])]


def test_a_live_table_that_is_stepped_has_a_screen_for_each_key() -> None:
    rules, page = read_rules(PLAIN), io.StringIO()
    keys, seen = iter(" " * 30 + "r" + " " * 20 + "q"), list[str]()
    out = Console(file=page, width=80, height=60, force_terminal=True, color_system=None)
    session = TableSession(rules)

    def key() -> str:
        seen.append(page.getvalue().rpartition("\x1b[2J")[2])
        return next(keys)

    session.listeners.append(DealShown(out, rules, key=key, live_sitting=live_table(session)))
    pilot = Autopilot(session, Chance(7), patrons=2)
    pilot.open(date(2011, 2, 22))
    pilot.play_shoe(6)
    assert len(seen) == 52
    assert all("Table MB-101 · " in one and "\nNext: " in one for one in seen)
    # After r the round is shown as it was decided, not the layout that was cleared.
    assert " · waiting for settlement · " in seen[31]
    # After q the transcript goes on.
    assert rounds_in(page.getvalue().rpartition("\x1b[2J")[2])[-1] == 6


def test_cards_are_written_in_ascii_if_asked() -> None:
    words = deal("--round", "3").stdout
    plain = deal("--round", "3", "--ascii").stdout
    assert re.search(r"first card: (?:10|[2-9AJQK])[♣♦♥♠]", words)
    assert re.search(r"first card: [2-9TAJQK][cdhs]\n", plain)
    assert plain.isascii()
    # So are the quotes of a call.
    assert ("“No More Bets”" in words, '"No More Bets"' in plain) == (True, True)
    # It holds for this call alone.
    assert re.search("[♣♦♥♠]", deal("--round", "3").stdout)


def test_amounts_of_a_table_end_at_its_right() -> None:
    table = deal("--round", "1").stdout.partition("Wager ")[2].partition("\n\n")[0].splitlines()
    # The longest wager name and the longest amount leave two blanks between them.
    assert len(table) > 5
    assert len({len(line) for line in table[1:]}) == 1
    assert table[1].endswith(".00") or table[1].endswith(".50")
