"""The verifier catches what a forger does to the wagers and procedures that only some texts have."""

from collections.abc import Callable
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest

from croupier.records.header import LogError
from support.forged_logs import Line, does, event_of, forged, has, read, where
from support.playthroughs import GOLDEN
from support.verified import verify_log

Forgery = Callable[[list[Line]], int]
"""Changes the lines of a log and returns the index of the line at which it must be caught."""


@cache
def log_of(submission: str) -> bytes:
    """Return the true log of a submission's golden playthrough."""
    golden = next(one for one in GOLDEN if one.submission == submission)
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        golden.play(path)
        return path.read_bytes()


def exchanged(kind: str, wanted: dict[str, object], change: dict[str, object]) -> Forgery:
    """Return a forgery that changes one event: the first of a kind with some values."""

    def forge(lines: list[Line]) -> int:
        at_line = where(lines, has(kind, **wanted))
        found = next(
            event
            for event in lines[at_line]["events"]
            if event["type"] == kind and event.items() >= wanted.items()
        )
        assert found.items().isdisjoint(change.items())
        found |= change
        return at_line

    return forge


def left_out(kind: str) -> Forgery:
    """Return a forgery that drops the first event of a kind."""

    def forge(lines: list[Line]) -> int:
        at_line = where(lines, has(kind))
        lines[at_line]["events"].remove(event_of(lines[at_line], kind))
        return at_line

    return forge


def a_payout_added_that_nobody_asked_for(lines: list[Line]) -> int:
    at_line = where(lines, has("PayoutAdded"))
    lines[at_line]["command"]["added"] = {}
    return at_line


def a_payout_added_where_none_was_won(lines: list[Line]) -> int:
    at_line = where(
        lines, lambda line: does("SettleHouseMoney")(line) and not has("WagerPaid")(line)
    )
    lines[at_line]["command"]["added"] = {"1": "player"}
    return at_line


def a_meter_that_grew_less(lines: list[Line]) -> int:
    at_line = where(lines, has("MetersAdvanced"))
    event_of(lines[at_line], "MetersAdvanced")["meters"]["spade"] -= 1
    return at_line


def a_secret_of_somebody_else(lines: list[Line]) -> int:
    at_line = where(lines, does("EndProgressiveRound"))
    lines[at_line]["command"]["secret"] = "5e" * 32
    return at_line


def a_shoe_taken_out_of_turn(lines: list[Line]) -> int:
    at_line = where(lines, does("AcceptShoe"))
    seat = lines[at_line]["command"]["seat"]
    lines[at_line]["command"]["seat"] = event_of(lines[at_line], "CuratorNamed")["seat"] = (
        seat % 3 + 1
    )
    return at_line


def a_cut_less_than_a_deck_deep(lines: list[Line]) -> int:
    at_line = where(lines, has("StackCut"))
    lines[at_line]["command"]["position"] = event_of(lines[at_line], "StackCut")["position"] = 51
    return at_line


def a_hand_turned_by_a_player(lines: list[Line]) -> int:
    """In mini baccarat of New York no player touches a card."""
    at_line = where(lines, has("CardDealt", hand="banker", ordinal=2))
    command = {"type": "HandCards", "hand": "player"}
    lines.insert(at_line + 1, {"seq": 0, "prev": "0" * 64, "command": command, "events": []})
    return at_line + 1


CASES: Final[list[tuple[str, str, Forgery, str, str]]] = [
    (
        "a pair paid as two",
        "ma-house-money",
        exchanged("WagerPaid", {"wager": "house_money", "odds": "3:1"}, {"odds": "15:1"}),
        "event",
        "MA-MINI:12(h)#2",
    ),
    (
        "more added than was won",
        "ma-house-money",
        exchanged("PayoutAdded", {}, {"cents": 1_000_000}),
        "event",
        "MA-MINI:8(c)(3)(i)a#1",
    ),
    (
        "a payout told to lie on the tie",
        "ma-house-money-half",
        exchanged("PayoutAdded", {}, {"to": "tie"}),
        "event",
        "MA-MINI:8(c)(3)(i)a#1",
    ),
    (
        "a payout added that nobody asked for",
        "ma-house-money",
        a_payout_added_that_nobody_asked_for,
        "event",
        "MA-MINI:8(c)(3)(i)b",
    ),
    (
        "a payout added where none was won",
        "ma-house-money",
        a_payout_added_where_none_was_won,
        "refused",
        "MA-MINI:8(c)(3)(i)#2",
    ),
    (
        "an award of another line",
        "ma-royal-9",
        exchanged("AwardPaid", {"line": "royal"}, {"line": "suited", "cents": 5000}),
        "event",
        "MA-MINI:12(i)_Table_1#8",
    ),
    (
        "a progressive paid short",
        "ma-royal-9",
        exchanged("AwardPaid", {"line": "spade"}, {"cents": 250_000}),
        "event",
        "MA-MINI:12(i)_Table_1#2",
    ),
    (
        "a meter that was not emptied",
        "ma-royal-9",
        left_out("MeterReset"),
        "missing event",
        "MA-MINI:12(i)_Table_1#2",
    ),
    (
        "a meter that grew less",
        "ma-royal-9",
        a_meter_that_grew_less,
        "event",
        "C23",
    ),
    (
        "a stake not kept for an award",
        "ma-royal-9",
        left_out("StakesKept"),
        "missing event",
        "MA-MINI:12(i)_Table_1#8",
    ),
    (
        "a secret of somebody else",
        "ma-royal-9",
        a_secret_of_somebody_else,
        "refused",
        "MA-MINI:12(j)#1",
    ),
    (
        "a panda 8 paid as a dragon 7",
        "ny-mini-ez",
        exchanged("WagerPaid", {"wager": "panda_8"}, {"odds": "40:1"}),
        "event",
        "NY-MINIMIDI:(c)(9)",
    ),
    (
        "a six paid as any other count",
        "ny-mini-six-pays-half",
        exchanged("WagerPaid", {"wager": "banker", "line": "win_with_six"}, {"odds": "1:1"}),
        "event",
        "NY-MINIMIDI:(c)(6)#1",
    ),
    (
        "a hand turned by a player",
        "ny-mini",
        a_hand_turned_by_a_player,
        "refused",
        "NY-MINIMIDI:(f)(3)(i)(e)",
    ),
    (
        "a shoe that was not passed",
        "nj-punto-banco",
        left_out("ShoePassed"),
        "missing event",
        "NJ-PB:3.11(a)1",
    ),
    (
        "a shoe taken out of turn",
        "nj-punto-banco-4-percent",
        a_shoe_taken_out_of_turn,
        "refused",
        "NJ-PB:3.6(b)",
    ),
    (
        "no call to begin the deal",
        "nj-punto-banco",
        left_out("CardsCalled"),
        "missing event",
        "NJ-PB:3.7(b)",
    ),
    (
        "vigorish not waived",
        "nj-punto-banco-total-cards",
        left_out("VigorishWaived"),
        "missing event",
        "NJ-PB:3.3(e)2",
    ),
    (
        "a cut less than a deck deep",
        "ma-shuffler",
        a_cut_less_than_a_deck_deep,
        "refused",
        "MA-MINI:5(c)",
    ),
]


@pytest.mark.parametrize(
    ("submission", "forgery", "kind", "clause"),
    [case[1:] for case in CASES],
    ids=[case[0].replace(" ", "_") for case in CASES],
)
def test_a_forgery_is_caught_with_line_kind_and_clause(
    tmp_path: Path, submission: str, forgery: Forgery, kind: str, clause: str
) -> None:
    path = tmp_path / "table.jsonl"
    lines = read(log_of(submission))
    at_line = forgery(lines)
    path.write_bytes(forged(lines))
    found = verify_log(path).divergence
    assert found is not None
    assert (found.line, found.kind) == (at_line + 1, kind)
    assert (clause in found.clauses) if clause else (found.clauses == ())


def test_another_reading_in_the_header_makes_another_table(tmp_path: Path) -> None:
    """The damaged row of New York is read in two ways: the rules that a log names are of one."""
    path = tmp_path / "table.jsonl"
    lines = read(log_of("ny-mini-literal-row"))
    del lines[0]["interpretations"]["T41"]
    path.write_bytes(forged(lines))
    found = verify_log(path).divergence
    assert found is not None
    assert (found.line, found.kind) == (1, "header")


def test_a_header_without_what_must_be_acknowledged_is_no_header(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    lines = read(log_of("ny-mini"))
    del lines[0]["interpretations"]["T36"]
    path.write_bytes(forged(lines))
    with pytest.raises(LogError, match="T36"):
        verify_log(path)
