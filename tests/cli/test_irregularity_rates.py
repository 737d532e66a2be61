"""``croupier irregularities``: what went wrong, for whom, per thousand rounds."""

from __future__ import annotations

import json
from fractions import Fraction
from pathlib import Path

import pytest

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.records.entry import seal
from croupier.table import Phase
from support.command_line import told_with
from support.games import advance
from support.logs import recorded
from support.table import MINIBACCARAT, deal

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")


@pytest.fixture
def log(tmp_path: Path) -> Path:
    """Three rounds of a first dealer, two of a second; of the first, a card and a payment are wrong, and one is disputed."""
    path, rules = tmp_path / "table.jsonl", MINIBACCARAT.rules()
    with recorded(path, rules) as record:
        session = MINIBACCARAT.open(rules, 1, record=record)
        advance(session, Phase.BETTING)
        for number in range(1, 6):
            if number == 2:
                session.execute(acts.DrawCardInError(Card.of("2h"), disclosed=False))
            if number == 4:
                session.execute(acts.RelieveDealer("Second", reason="the shift ends"))
                session.execute(acts.EndGamingDay("Clark"))
                settled = max(session.position.house.settled)
                session.execute(
                    acts.CorrectSettlement(settled, "the camera", Hand.PLAYER, 1, Card.of("8h"))
                )
                session.execute(acts.OpenDispute(1, settled, "the amount"))
            session.execute(acts.PlaceWager(1, "player", 10_000))
            session.execute(acts.CallNoMoreBets())
            if number == 2:
                session.execute(acts.UseHeldCard())
            deal(session, "8d Kh Ks" if number == 2 else "9h 8d Kh Ks")
            advance(session, Phase.BETTING)
    return path


def told(log: Path, by: str) -> dict[str, tuple[int | Fraction, ...]]:
    data = json.loads(told_with(0, "irregularities", log, "--by", by, "--format", "json").stdout)
    assert (data["rounds"], data["irregularities"]) == (5, 3)
    return {
        one["name"]: (one["rounds"], one["irregularities"], Fraction(one["per_thousand_rounds"]))
        for one in data["groups"]
    }


def test_a_corrected_round_counts_for_whoever_dealt_it(log: Path) -> None:
    found = told(log, "dealer")
    assert found.pop("Second") == (2, 0, 0)
    assert [*found.values()] == [(3, 3, 1_000)]


def test_it_counts_on_the_day_on_which_it_was_dealt(log: Path) -> None:
    assert told(log, "day") == {"2011-02-22": (3, 3, 1000), "2011-02-23": (2, 0, 0)}


def test_equal_entries_of_two_tables_of_one_name_are_both_listed(log: Path) -> None:
    other = log.with_name("other.jsonl")
    first, *lines = log.read_bytes().splitlines(keepends=True)
    stream = json.loads(first)["stream"]
    previous = ""
    with other.open("wb") as file:
        for line in (first.replace(stream.encode(), stream[::-1].encode()), *lines):
            data = json.loads(line)
            del data["sha256"]
            previous = data["prev"] = previous or data["prev"]
            content, previous = seal(
                json.dumps(data, ensure_ascii=False, separators=(",", ":")).encode()
            )
            file.write(content)
    text = told_with(0, "irregularities", log, other).stdout
    assert text.count("  settlement corrected  ") == 2


def test_an_entry_counts_once_by_kind_and_under_each_of_its_clauses(log: Path) -> None:
    assert told(log, "kind") == {
        "card drawn in error": (5, 1, 200),
        "dispute": (5, 1, 200),
        "settlement corrected": (5, 1, 200),
    }
    assert told(log, "clause")["NJ-MINI:7.11(b)"] == (5, 1, 200)


def test_people_read_the_rates(log: Path) -> None:
    text = told_with(0, "irregularities", log, "--by", "kind").stdout
    assert "3 irregularities in 5 rounds" in text
    assert "200.00" in text


def test_a_dealer_and_a_span_choose_the_rounds(log: Path) -> None:
    def counts(*options: object) -> tuple[int, int]:
        found = told_with(0, "irregularities", log, *options, "--format", "json").stdout
        data = json.loads(found)
        return data["rounds"], data["irregularities"]

    rounds = json.loads(told_with(0, "rounds", log, "--format", "json").stdout)["rounds"]
    first = next(one["dealer"] for one in rounds)
    assert counts("--dealer", "Second") == (2, 0)
    assert counts("--dealer", first) == (3, 3)
    assert counts("--dealer", "Nobody of the kind") == (0, 0)
    # What was found of round 3 while round 4 was prepared is of the time of round 3.
    assert counts("--to", rounds[2]["ended_at"]) == (3, 3)
    assert counts("--from", rounds[3]["ended_at"]) == (2, 0)
    # The card was drawn in error between rounds 1 and 2.
    both = ("--from", rounds[0]["ended_at"], "--to", rounds[1]["ended_at"])
    assert counts(*both) == (2, 1)
    assert counts(*both, "--dealer", "Second") == (0, 0)
