"""``croupier rounds`` finds rounds, and finds no others."""

from __future__ import annotations

import csv
import json
import re
from datetime import date
from pathlib import Path
from typing import Any

import pytest

from croupier import acts
from croupier.baccarat.cards import DECK
from croupier.cli.records.record_options import MOMENT, TimeSpan
from croupier.records.entry import SteppedClock
from croupier.rules import read_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.scenarios.plainest import given_by
from croupier.table.cards.chance import Chance
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from support.command_line import croupier, told_with
from support.logs import recorded
from support.project import ROOT

ROYAL = ROOT / "submissions" / "ma-royal-9.toml"


@pytest.fixture(scope="module")
def log(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a log with dealer errors; its clock begins at noon and goes on second by second."""
    path = tmp_path_factory.mktemp("rounds") / "table.jsonl"
    words = ("--seed", 11, "--patrons", 4, "--dealer-errors", 15, "--quiet", "-o", path)
    told_with(0, "deal", ROYAL, *words)
    return path


def found(log: Path, *words: object) -> list[dict[str, Any]]:
    rounds: list[dict[str, Any]] = json.loads(
        told_with(0, "rounds", log, *words, "--format", "json").stdout
    )["rounds"]
    return rounds


def events(log: Path) -> list[tuple[int, str, dict[str, Any]]]:
    lines = [json.loads(line) for line in log.read_text().splitlines()[1:]]
    return [(one["seq"], one["at"], event) for one in lines for event in one.get("events", ())]


def test_every_round_is_listed_without_options(log: Path) -> None:
    called = [
        e for _, _, e in events(log) if e["type"] in {"NoMoreBetsCalled", "SimulatedRoundBegun"}
    ]
    assert len(found(log)) == len(called)


def test_a_line_has_the_net_of_each_seat(log: Path) -> None:
    """The net of a seat is the sum of its wagers, as they are listed below the rounds."""
    for options in (("--over", 0), ("--seat", 2)):
        told = croupier("rounds", log, *options, columns=250).stdout.partition("Wagers:")[0]
        lines = {time: line for line in told.splitlines() for time in line.split()[2:3]}
        for one in found(log, *options):
            nets: dict[int, int] = {}
            for wager in one["wagers"]:
                nets[wager["seat"]] = nets.get(wager["seat"], 0) + (wager["net_cents"] or 0)
            for seat, cents in nets.items():
                sign = "-" if cents < 0 else "+" if cents else ""
                amount = f"{abs(cents) // 100:,}.{abs(cents) % 100:02}"
                assert f"{seat}: {sign}${amount}" in lines[one["ended_at"][11:19]]


def test_a_seat_and_a_winning_wager_belong_to_one_wager(log: Path) -> None:
    paid = {
        seq
        for seq, _, e in events(log)
        if e["type"] == "WagerPaid" and (e["seat"], e["wager"]) == (2, "banker")
    }
    rounds = found(log, "--seat", 2, "--wager", "banker", "--won")
    assert paid
    assert len(rounds) == len(paid)
    for one in rounds:
        assert any(one["first_entry"] <= seq <= one["last_entry"] for seq in paid)
        assert {(it["seat"], it["wager"], it["outcome"]) for it in one["wagers"]} == {
            (2, "banker", "win")
        }


def test_amount_time_and_card_narrow_the_search(log: Path) -> None:
    everything = found(log)
    some = everything[len(everything) // 2]
    at = some["ended_at"][11:16]
    within = found(log, "--from", at, "--to", at)
    assert some["round"] in {one["round"] for one in within}
    assert len(within) < len(everything)
    for one in found(log, "--over", "50.00"):
        assert max(it["stake_cents"] for it in one["wagers"]) > 5_000
    assert found(log, "--over", "0") == [one for one in everything if one["wagers"]]
    card = some["player"].split()[0]
    assert all(
        card in f"{one['player'] or ''} {one['banker'] or ''}".split()
        for one in found(log, "--card", card)
    )
    assert found(log, "--patron", "Nobody") == []
    of_one = found(log, "--patron", "Patron 2")
    assert of_one == found(log, "--seat", 2)
    assert 0 < len(of_one) <= len(everything)


def test_irregular_rounds_name_events_and_clauses(log: Path) -> None:
    rounds = found(log, "--irregular")
    assert rounds
    assert all(it["event"] for one in rounds for it in one["irregularities"])
    assert any(it["clauses"] for one in rounds for it in one["irregularities"])


def test_what_is_found_before_the_table_closes_belongs_to_the_last_round(tmp_path: Path) -> None:
    rules, path = read_rules(ROYAL), tmp_path / "table.jsonl"
    with recorded(path, rules) as recorder:
        table = TableSession(rules, record=recorder, clock=SteppedClock())
        pilot = Autopilot(table, Chance(3), patrons=2)
        pilot.open(date(2030, 5, 1))
        pilot.play_shoe()
        last, unseen = table.state.rounds, table.state.shoe.unseen
        card = next(one for one in DECK if unseen[one.index])
        command = acts.FindFaceUpCard(card)
        table.execute(command, Stamp(given_by(table.state, command, rules)))
        pilot.close()
        for following in range(2):
            if following:
                pilot.open(date(2030, 5, 2))
                pilot.play_shoe(1)
            (one,) = found(path, "--irregular")
            assert (one["gaming_date"], one["round"]) == ("2030-05-01", last)
            assert [it["event"] for it in one["irregularities"]] == ["FaceUpCardFound"]


def test_what_is_found_between_rounds_belongs_to_the_one_that_follows(
    log: Path, tmp_path: Path
) -> None:
    """Rounds, exports, and rates number it alike; views have the rows of exports."""
    told_with(0, "export", log, "-o", tmp_path / "irregularities.csv", "--tables", "irregularities")
    with (tmp_path / "irregularities.csv").open(encoding="utf-8", newline="") as file:
        exported = {int(row["entry"]): int(row["round"]) for row in csv.DictReader(file)}
    called = {e["round"]: entry for entry, _, e in events(log) if e["type"] == "NoMoreBetsCalled"}
    cleared = [entry for entry, _, e in events(log) if e["type"] == "LayoutCleared"]
    between = {
        entry: number for entry, number in exported.items()
        if entry < called[number] and any(end < entry for end in cleared)
    }  # fmt: skip
    assert len(between) > 5
    assert all(entry > called.get(number - 1, 0) for entry, number in between.items())
    shown = {
        it["entry"]: one["round"] for one in found(log) for it in one["irregularities"]
    }  # fmt: skip
    assert shown == exported
    rates = told_with(0, "irregularities", log, "--format", "json").stdout
    for group in json.loads(rates)["groups"]:
        assert all(it["round"] == exported[it["entry"]] for it in group["entries"])


@pytest.mark.parametrize(
    "words", [("--from", "25:00"), ("--over", "1.234"), ("--card", "9h 9d"), ("--card", "1x")]
)
def test_bad_options_exit_with_2(log: Path, words: tuple[str, ...]) -> None:
    told_with(2, "rounds", log, *words)


def test_a_wager_of_no_table_is_refused_with_those_close_to_it(log: Path) -> None:
    refused = told_with(2, "rounds", log, "--wager", "playr")
    assert "no table of these logs has such a wager; did you mean player?" in refused.stderr
    refused = told_with(2, "rounds", log, "--wager", "zzz")
    assert "--wager zzz: no table of these logs has such a wager; they have: " in refused.stderr
    told_with(0, "rounds", log, "--wager", "dragon_7")  # It is known, and not offered here.


def test_a_changed_log_exits_with_1(log: Path, tmp_path: Path) -> None:
    changed = tmp_path / "changed.jsonl"
    lines = log.read_bytes().splitlines(keepends=True)
    changed.write_bytes(b"".join([*lines[:40], *lines[41:]]))
    assert f"{changed}:41:" in told_with(1, "rounds", changed).output


@pytest.mark.parametrize(
    ("began", "ended", "since", "until", "within"),
    [
        ("21:13:40", "21:14:10", "21:14", "21:14", True),
        ("21:14:50", "21:15:20", "21:14", "21:14", True),
        ("21:15:00", "21:15:20", "21:14", "21:14", False),
        ("21:13:00", "21:13:59", "21:14", "21:14", False),
        ("21:13:00", "21:13:59", "21:14:30", "21:14:30", False),
        ("23:59:50", "00:00:10", "23:30", "00:30", True),
        ("00:10:00", "00:11:00", "23:30", "00:30", True),
        ("00:40:00", "00:41:00", "23:30", "00:30", False),
        ("23:59:50", "00:00:10", None, "00:00", True),
        ("23:50:00", "23:51:00", "23:52", None, False),
        ("21:14:00", "21:15:00", "2026-11-25T21:14", "2026-11-25T21:14", True),
        ("21:15:00", "21:16:00", "2026-11-25T21:14", "2026-11-25T21:14", False),
        ("21:15:00", "21:16:00", "2026-11-26T00:00", None, False),
    ],
)
def test_a_round_under_way_within_a_span_is_found(
    began: str, ended: str, since: str | None, until: str | None, *, within: bool
) -> None:
    """A span may cross midnight; through a minute is through its last second."""
    last = "26" if ended < began else "25"
    first, final = (
        None if one is None else MOMENT.convert(one, None, None) for one in (since, until)
    )
    span = TimeSpan(first, final)
    place = f"2026-11-25T{began}.000Z", f"2026-11-{last}T{ended}.000Z"
    assert span.overlaps(*place) is within


def test_a_dispute_at_a_time_and_a_seat_is_explained(log: Path) -> None:
    everything = [one for one in found(log, "--seat", 2) if not one["simulated"]]
    some = everything[len(everything) // 2]
    at = some["began_at"][11:19]
    words = ("explain", log, "--time", at, "--seat", 2, "--format", "json")
    data = json.loads(told_with(0, *words).stdout)
    assert (data["round"], [one["seat"] for one in data["seats"]]) == (some["round"], [2])
    several = told_with(2, "explain", log, "--time", at[:5], "--seat", 2).output
    assert f"round {some['round']}, {some['began_at']}" in several
    assert "choose one with --round" in several
    assert "no round at 03:00:00" in told_with(2, "explain", log, "--time", "03:00").output
    external = told_with(
        2, "explain", log, "--round", 1, "--shoe", 2, "--encoding", "cp1252"
    ).output
    assert "--shoe and --encoding are of external rounds: remove them for a table log" in external
    told_with(2, "explain", log, "--time", at, "--round", 3)
    told_with(2, "explain", log, "--time", "9 pm")


def test_every_filter_finds_the_same_in_a_store(log: Path, tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    words = ("--seed", 11, "--patrons", 4, "--dealer-errors", 15, "--quiet", "-o", store)
    told_with(0, "deal", ROYAL, *words, "--table", "A")
    told_with(0, "deal", ROYAL, *words, "--table", "B")
    some = found(log)[30]
    for filters in (
        ("--seat", 3), ("--patron", "Patron 1"), ("--wager", "tie"), ("--over", "100"), ("--won",),
        ("--irregular",), ("--card", some["player"].split()[0]),
        ("--from", some["began_at"][11:19], "--to", some["ended_at"][11:19]),
    ):  # fmt: skip
        wanted = [(one["round"], one["wagers"]) for one in found(log, *filters)]
        assert wanted, filters
        assert [(one["round"], one["wagers"]) for one in found(store, *filters)] == 2 * wanted


def test_what_happened_is_listed_in_words_with_its_card_and_clauses(log: Path) -> None:
    shown = croupier("rounds", log, "--irregular", columns=120).stdout.partition("Provenance")[0]
    assert not re.search(r"\b[A2-9TJQK][cdhs]\b", shown)
    assert "Wagers:" not in shown
    lines = [
        re.split(r"  +|, ", it.strip()) for it in shown.partition("Irregularities:")[2].splitlines()
    ]
    listed = 0
    for round_ in found(log, "--irregular"):
        for event in round_["irregularities"]:
            if event["kind"] is None:
                continue
            (cells,) = (
                it for it in lines if it[:2] == [f"{round_['round']:,}", f"{event['entry']:,}"]
            )
            assert cells[2] == event["kind"]
            assert cells[-len(event["clauses"]) :] == event["clauses"]
            listed += 1
    assert listed > 5
    nothing = croupier("rounds", log, "--over", 10**9, "--irregular").stdout
    assert "No round was found." in nothing
    assert "Rounds:" not in nothing
