"""``croupier table``: a table at the terminal, line by line."""

from __future__ import annotations

import fcntl
import os
import pty
import re
import struct
import subprocess
import sys
import termios
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from croupier.acts.roles import LOOKS, Role
from croupier.cli import main
from croupier.cli.records.table_log import LogDoor
from croupier.cli.tables.sitting.lines import run_lines, table_lines
from croupier.records.codec import from_json
from croupier.records.entry import SteppedClock, system_clock
from croupier.records.log import LogLines
from croupier.reports.screen import OfficeView
from croupier.rules import read_submission, table_rules
from croupier.table.machine.session import TableSession
from croupier.verify import verify_log
from support.project import ROOT

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

NJ: Final = ROOT / "submissions" / "nj-minibaccarat.toml"
PEOPLE: Final = ("--as", "Dana (dealer)", "--as", "Flo (floorperson)")
OPENING: Final = (
    *("open", "", "", "", "2011-02-22"),
    *("seat a patron", "3", "Pat"),
    *("change cash", "500"),
    *("receive the cards", "yes", ""),
    *("", "", "", ""),  # verified, cut, cutting cards, loaded
    *("As", "2s"),
)
BETS: Final = ("place a wager", "banker", "100", "", "call")
CLOSED: Final[Any] = {
    "round": None, "phase": {"id": "closed", "words": "closed"}, "paused": False, "prompt": None,
    "waiting": [], "wagers": [], "seats": [], "stakes": [], "shoe": {"burned": [], "discarded": [], "remaining": 0, "hands_left": None},
    "tray": None, "house": None, "flawed": "", "device_down": False, "warnings": [], "gaming_date": None, "rounds": 0,
    "curator": None, "staff": None,
}  # fmt: skip
"""The view of a table before it opens, as far as a screen depends on it."""
DEAL: Final = ("Kd", "4c", "5h", "2s", "6c", "Ah")


def sat(log: Path, *lines: str, people: tuple[str, ...] = PEOPLE) -> Result:
    """Sit at a table on a log, and type lines."""
    typed = "".join(f"{line}\n" for line in lines)
    return CliRunner().invoke(main, ["table", str(NJ), "--log", str(log), *people], input=typed)


def entries(log: Path) -> list[dict[str, Any]]:
    """Return the entries of a log as they are written."""
    return [one for one in map(from_json, LogLines(log)) if "command" in one]


def test_a_name_has_a_letter_and_help_is_understood(tmp_path: Path) -> None:
    done = sat(tmp_path / "table.jsonl", "Dana", "?", "Flo", "help", "x", people=())
    assert done.output.count("Name of the floorperson") == 2
    assert "not understood" not in done.output
    assert done.exit_code == 0


def test_acts_that_end_a_round_or_a_shoe_are_listed_last(tmp_path: Path) -> None:
    done = sat(tmp_path / "table.jsonl", *OPENING, *BETS, "!", "", "x")
    listed = re.findall(r"^\d+\. (.*?)(?: \[|$)", done.output, re.MULTILINE)
    assert [one.split(",")[0] for one in listed[-2:]] == [
        "Report that the shoe is empty", "Report a card that cannot be there",
    ]  # fmt: skip
    assert len(listed) > 2, done.output


def test_a_round_line_by_line(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    done = sat(log, *OPENING, *BETS, *DEAL, "", "r", "x")
    assert done.exit_code == 0, done.output
    assert verify_log(log).is_clean
    # Player K 5 6 is 1, Banker 4 2 A is 7; 5% of $100 is $5, shown by a marker.
    assert "“Player 1, Banker 7, Banker wins, six cards”" in done.output
    before, _, after = done.output.partition("Collect and pay, in this order:")
    assert after.startswith(
        "\nPaid:\n  seat 3  Banker $100 pays $100 (1 to 1)\nVigorish marked:\n  seat 3  $5, owing $5"
    )
    assert "Paid:" not in before
    assert "Streaks: Banker 1\n" in done.output


def test_one_enter_settles_and_clears_in_the_order_of_the_text(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    done = sat(log, *OPENING, *BETS, *DEAL, "", "x")
    assert "Next: Settle and clear: pay $100, then mark $5 of vigorish [NJ-MINI:" in done.output
    last = entries(log)[-2:]
    assert [one["command"]["type"] for one in last] == ["SettleWagers", "ClearLayout"]
    assert [[who["office"] for who in one["by"]] for one in last] == [["dealer"], ["dealer"]]
    assert verify_log(log).is_clean


def test_the_dealer_has_the_hand_of_the_banker_first_and_a_patron_second(tmp_path: Path) -> None:
    shown = sat(tmp_path / "table.jsonl", *OPENING, *BETS, *DEAL, "t", "x").output
    assert 0 < shown.index("\nBanker  4♣") < shown.index("\nPlayer  K♦")
    for role in LOOKS:
        first = "Player" if role in {Role.PATRON, Role.BOARD} else "Banker"
        assert table_lines(OfficeView(role, CLOSED), 80)[0].strip() == first


def test_the_act_by_its_name_is_done_alone(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    done = sat(log, *OPENING, *BETS, *DEAL, "collect the losing", "x")
    assert entries(log)[-1]["command"]["type"] == "SettleWagers"
    assert "Next: Pick up the cards" in done.output


def test_entries_name_who_acts(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    assert sat(log, *OPENING, *BETS, "x").exit_code == 0
    by = {
        one["command"]["type"]: [(who["person"], who["office"]) for who in one["by"]]
        for one in entries(log)
    }
    assert by["OpenTable"] == [("Flo", "floorperson"), ("Dana", "dealer")]
    assert by["VerifyCards"] == [("Flo", "floorperson")]
    assert by["DrawCard"] == [("Dana", "dealer")]
    assert by["PlaceWager"] == [("Pat", "patron"), ("Dana", "dealer")]


@pytest.mark.clause("NJ-MINI:7.11(d)#1")
def test_an_irregularity_and_a_refusal(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    # A third card is due: it is dealt face up, so its face is known.
    done = sat(log, *OPENING, *BETS, *DEAL[:4], "", "?", "!", "report a card face up", "9c", "x")
    assert done.exit_code == 2, "a command was refused"
    assert "Refused: " in done.output
    assert entries(log)[-1]["command"] == {"type": "FindFaceUpCard", "card": "9c"}
    assert "Report a card face up in the shoe [NJ-MINI:7.11(d)#1" in done.output
    assert verify_log(log).is_clean


def test_an_open_log_is_continued(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    sat(log, *OPENING, *BETS, *DEAL, "", "x")
    first = len(entries(log))
    done = sat(log, "r", *BETS, *DEAL[:2], "x")
    assert done.exit_code == 0, done.output
    assert len(entries(log)) == first + 4
    assert "Rounds of this shoe: Banker\n" in done.output
    assert verify_log(log).is_clean


def test_names_are_asked_for(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    done = sat(log, "Dana", "", "open", "", "", "", "2011-02-22", "x", people=())
    assert "Name of the dealer [dealer]: Dana\n" in done.output
    command = entries(log)[0]["command"]
    assert (command["dealer"], command["floorperson"]) == ("Dana", "floorperson")


@pytest.mark.parametrize(
    ("people", "said"),
    [
        (("--as", "Dana"), "write 'NAME (OFFICE)'"),
        (("--as", "Dana (king)"), "write 'NAME (OFFICE)'"),
        (("--as", "Dana (dealer)", "--as", "Dana (floorperson)"), "each to another person"),
    ],
)
def test_who_cannot_sit_is_refused(tmp_path: Path, people: tuple[str, ...], said: str) -> None:
    log = tmp_path / "table.jsonl"
    done = sat(log, "x", people=people)
    assert (done.exit_code, said in done.output) == (2, True), done.output
    assert not log.exists()


def test_a_wrong_value_is_asked_for_again(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    done = sat(log, *OPENING, "place a wager", "red", "banker", "7", "40", "", "t", "x")
    assert "Wager: choose 1 Player, 2 Banker" in done.output
    assert "Amount: $25 to $5,000, in steps of $0.01; u leaves it undone\n" in done.output
    assert " 3 Pat · $460 · Banker $40" in done.output


def test_a_closed_log_is_not_continued(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    sat(log, "open", "", "", "", "2011-02-22", "close the table", "x")
    done = sat(log, "x")
    assert (done.exit_code, "the log is closed" in done.output) == (2, True), done.output


def test_through_a_pipe_on_a_real_terminal(tmp_path: Path) -> None:
    """The input is a pipe and the output a terminal: it is line by line, with nothing but text."""
    log = tmp_path / "table.jsonl"
    typed = "".join(f"{line}\n" for line in (*OPENING, *BETS, *DEAL, "", "x"))
    controller, terminal = pty.openpty()
    with subprocess.Popen(  # noqa: S603  (our own program)
        [sys.executable, "-m", "croupier", "table", str(NJ), "--log", str(log), *PEOPLE],
        stdin=subprocess.PIPE,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm"},
    ) as process:
        os.close(terminal)
        assert process.stdin is not None
        process.stdin.write(typed.encode())
        process.stdin.close()
        text = b""
        while True:
            try:
                text += os.read(controller, 65_536)
            except OSError:  # The other side is closed.
                break
    os.close(controller)
    assert process.returncode == 0, text
    assert b"Banker wins, six cards" in text
    assert b"Card, such as 9h > " in text
    assert b"\x1b" not in text
    assert verify_log(log).is_clean


def test_a_terminal_that_is_resized_is_followed(tmp_path: Path) -> None:
    controller, terminal = pty.openpty()
    with subprocess.Popen(  # noqa: S603  (our own program)
        [
            sys.executable,
            "-m",
            "croupier",
            "table",
            str(NJ),
            "--log",
            str(tmp_path / "t.jsonl"),
            *PEOPLE,
        ],
        stdin=terminal,
        stdout=terminal,
        stderr=terminal,
        env={**os.environ, "TERM": "xterm", "COLUMNS": ""},
    ) as process:
        os.close(terminal)
        widths = []
        for columns, typed in ((80, None), (80, b"assign\n"), (40, b"strange\n")):
            fcntl.ioctl(controller, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
            if typed is not None:
                os.write(controller, typed)
            text = b""
            while not text.rstrip(b" ").endswith((b">", b"]:")):
                text += os.read(controller, 65_536)
            widths.append(max(map(len, text.decode().splitlines())))
        os.write(controller, b"u\nx\n")
        with suppress(OSError):  # The other side is closed.
            while os.read(controller, 65_536):
                pass
    os.close(controller)
    assert process.returncode == 0
    # The offices that may be assigned are asked for in lines as long as the terminal is wide.
    assert 60 < widths[1] <= 80
    assert 20 < widths[2] <= 40


def test_a_closed_table_begins_with_the_act_that_opens_it(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    # Enter chooses it; the values of the opening are asked for, each with its default.
    # A date that cannot be read is asked for again.
    days = [system_clock().astimezone().date().isoformat()]
    done = sat(log, "", "60000", "", "", "27.11.2026", "", "x")
    days.append(system_clock().astimezone().date().isoformat())
    assert done.exit_code == 0, done.output
    assert "\nGaming date: write a date, such as 2011-02-22; u leaves it undone\n" in done.output
    assert "Next: Open the table\n" in done.output
    opening = entries(log)[0]["command"]
    assert (opening["type"], opening["inventory_cents"]) == ("OpenTable", 6_000_000)
    assert opening["gaming_date"] in days, "today is proposed"
    assert "Next: Receive the cards" in done.output


def test_a_fill_and_a_misread_card(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    asked = ("ask the cage", "", "", "10 x 100", "send the chips", "")
    assigned = ("assign a person", "cage", "Cass")
    again = ("send the chips", "", "count the chips of a fill", "")
    misread = (*BETS, "5c", "!", "correct a card", "5c", "6h")
    done = sat(
        log, *OPENING, *asked, *assigned, *again, *misread, "end a person", "cage", "Cass", "x"
    )
    assert done.output.count("Chips (write chips") == 5, "a fill names its chips"
    assert "cage is not assigned as cage at this table: the floorperson assigns cage" in done.output
    given = [one["command"]["type"] for one in entries(log)]
    assert given.index("RequestFill") < given.index("AssignOffice") < given.index("ReceiveFill")
    assert given[-2:] == ["CorrectMisreadCard", "EndAssignment"]


def test_nothing_is_said_before_the_act_that_it_goes_with(tmp_path: Path) -> None:
    without_chips = *OPENING[:8], *OPENING[10:]
    shown = sat(tmp_path / "table.jsonl", *without_chips, "", "500", "x").output
    before, _, after = shown.partition("Next: Change cash for chips\n")
    assert "Say “No More Bets”" not in before + after.partition("Next: ")[0]
    assert "Next: Call “no more bets” [NJ-MINI:7.7(b)]\nSay “No More Bets”\n" in after


def test_words_are_not_cut_and_what_an_act_needs_is_asked_for_again() -> None:
    rules = table_rules(read_submission(ROOT / "submissions" / "ma.toml"))
    opened, shuffled, burned = [""] * 9, [""] * 12, ["2h", "", ""]
    lines = [
        *opened,
        "",
        "4",
        "",
        "Pat",
        *shuffled,
        *burned,
        "",
        "200",
        "place a wager",
        "",
        "",
        "",
    ]
    typed = iter([*lines, "call", "5h", "6h"])
    said: list[str] = []

    def ask(prompt: str) -> str | None:
        said.append(prompt)
        return next(typed, None)

    session = TableSession(rules, clock=SteppedClock())
    run_lines(LogDoor(session, {"dealer": "Dana"}), ask, said.append, lambda: 48)
    assert max(map(len, said)) <= 48
    assert "Name: write a text; u leaves it undone" in said, "nobody sits down without a name"
    assert said.count("Enter: a card, face down > ") == 2
    assert "Next: Wagers are open until the call." in said
    assert session.state.stakes
    # How a card is placed is said once, not with each card.
    assert sum(line.startswith("How: ") for line in said) == 1
    assert said.count("Card, such as 9h > ") == 4


def test_a_wide_terminal_has_the_roads_along_with_the_table() -> None:
    hand = {"hand": "player", "cards": ["9h", "Td"], "count": 9, "holder": None}
    seat = {"seat": 3, "taken": True, "patron": "Pat", "chips_cents": 50_000, "owed_cents": 0,
            "away": False}  # fmt: skip
    seen: Any = {**CLOSED, "round": {"hands": [hand], "winner": "player"}, "seats": [seat]}
    cell = {"row": 0, "column": 0, "winner": "banker", "ties": 0}
    roads = {"bead_plate": [cell], "big_road": [cell]}
    wide = table_lines(OfficeView("dealer", seen, roads=roads), 120)
    assert wide[0].startswith("Player")
    assert wide[0].endswith("Bead plate")
    assert wide[1].startswith(" 3 Pat · $500 ")
    assert wide[1].endswith(" B")
    assert max(map(len, wide)) <= 120
    assert table_lines(OfficeView("dealer", seen, roads=roads), 80) == [
        one.split("   Bead")[0].rstrip() for one in wide[:1]
    ] + [" 3 Pat · $500"]
    # A held hand keeps its result apart, and a long row of stakes does not run into the roads.
    hand["holder"] = 7
    seat["patron"] = " ".join(["Patricia"] * 6)
    seat["owed_cents"] = 500
    held = table_lines(OfficeView("dealer", seen, roads=roads), 120)
    assert held[0].startswith("Player  9♥ 10♦      = 9 · held by seat 7 · Winner ")
    assert held[2].startswith("    · $500 · owes $5 ")
    assert max(map(len, held)) <= 120
