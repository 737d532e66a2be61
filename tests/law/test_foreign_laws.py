"""Regulations of other jurisdictions, as examples outside the package, work like the included ones."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from random import Random

import pytest
from msgspec.structs import replace

import croupier
from croupier.baccarat.coup import Facts
from croupier.law.elect import SubmissionError
from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget
from croupier.money.settlement import Stake, settle
from croupier.odds.sheet import net_cents
from croupier.rules import default_submission, read_rules, table_rules
from croupier.simulation.plan import PAIR_CELLS, SimulationError, facts_of
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.table import session_table
from support.command_line import told_with
from support.judged_twice import agree, by_bytes, judged
from support.project import ROOT
from support.simulations import brought
from support.volume import WHOLE

LAWS = ROOT / "examples" / "laws"
TABLES = sorted(LAWS.glob("*/*table.toml"))


@pytest.fixture(autouse=True)
def in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, str(LAWS))
    forget()
    yield
    monkeypatch.undo()
    forget()


def told(*words: object) -> str:
    return told_with(0, *map(str, words)).stdout


@pytest.mark.parametrize("path", sorted(LAWS.glob("*/*@*.toml")), ids=lambda path: path.stem)
def test_a_foreign_law_has_no_fault(path: Path) -> None:
    assert "accepted" in told("law", "check", path)


def test_every_clause_and_choice_has_a_scenario_that_passes() -> None:
    data = json.loads(told("law", "test", LAWS, "--coverage", "--format", "json"))
    assert data["passed"] == len(data["scenarios"]) > 100


@pytest.mark.parametrize("table", TABLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_a_table_is_checked_priced_dealt_verified_drilled_and_simulated(table: Path) -> None:
    assert "accepted" in told("check", table)
    told("par", "--submission", table)
    told("deal", table, "--seed", "3", "--quiet", "--log", "log.jsonl", "--dealer-errors", "50")
    assert "PASS: log.jsonl" in told("verify", "log.jsonl")
    told("drill", "mixed", "--submission", table, "--seed", "4", "--level", "3", "-o", "drill.json")
    told("simulate", "--submission", table, "--rounds", "2000", "--seed", "1")


@pytest.mark.parametrize("path", TABLES, ids=lambda path: f"{path.parent.name}-{path.stem}")
def test_sessions_settle_any_stake_as_the_table_does(path: Path) -> None:
    rules, chance = read_rules(path), Random(path.stem)
    for wager, offer in rules.offers.items():
        beside = [need.one_of[0] for need in offer.needs]
        for chip in (50, 100, 2_500):
            table = session_table(rules, [wager, *beside], chip_cents=chip)
            step = int(table.layout.terms[at.STEP, 0])
            for facts in chance.sample(facts_of(PAIR_CELLS), 20):
                stake = step * chance.randrange(1, 4_000)
                settled = settle(rules, facts, {(1, wager): Stake(stake)})
                assert brought(table, facts, stake) == net_cents(settled), (wager, facts, stake)


def test_payments_in_chips_are_settled_alike_by_sessions_and_compiled_verification(
    tmp_path: Path,
) -> None:
    """Rounded up to 50 cents: $25 on Banker wins 23.75, paid as 24; $27 wins 25.65, paid as 26."""
    rules = read_rules(LAWS / "au-nsw" / "table.toml")
    table = session_table(rules, ["banker"])
    for stake, net in ((2_500, 2_400), (2_700, 2_600), (3_000, 2_850), (10_000, 9_500)):
        assert brought(table, Facts(3, 7, 3, 2), stake) == net

    # Of the ways of 416 cards, Banker wins 2292252566437888 and Player 2230518282592256.
    text = (LAWS / "au-nsw" / "table.toml").read_text(encoding="utf-8")
    (tmp_path / "five.toml").write_text(text.replace("banker = [25,", "banker = [5,"))
    at_five = "Banker: the bettor has an advantage of 1.2351% at A$5.00"
    for command in (["check", "five.toml"], ["par", "--submission", "five.toml"]):
        assert at_five in " ".join(told(*command).split())

    path = tmp_path / "rounds.csv"
    nets = ["24.00,1.00"] * 4 + ["23.75,1.25"] * 3
    rows = [f"1,{at},8c 7d,9s Kd,25.00,{net}" for at, net in enumerate(nets, start=1)]
    rows.insert(0, "shoe,round,player,banker,stake:banker,net:banker,vigorish:banker")
    path.write_text("\n".join(rows), encoding="utf-8")
    found = judged(path, None, by_bytes, rules)[0]["divergences"]
    wrong = [one for one in found if one["kind"] == "vigorish"]
    assert [one["round"] for one in wrong] == [5, 6, 7]
    assert all("rounded up to the smallest chip" in one["message"] for one in wrong)
    assert all("NSW-MINI:5.7" in one["clauses"] for one in wrong)
    words = [path, "--shoe", 1, "--round", 1, "--submission", LAWS / "au-nsw" / "table.toml"]
    said = " ".join(told("explain", *words).split())
    assert "vigorish A$1; the payment is rounded up to a multiple of A$0.50 [" in said
    assert "5.7" in said


def test_wagers_that_one_player_may_not_make_are_reported_where_seats_are_known(
    tmp_path: Path,
) -> None:
    rules = read_rules(LAWS / "au-nsw" / "table.toml")
    head = "shoe,round,player,banker,{}stake:player,net:player,stake:banker,net:banker"
    rows = [f"1,{at},8c 7d,9s Kd,{{}}25.00,-25.00,25.00,24.00" for at in range(1, 5)]
    for seat, found in (("", []), ("3,", [1, 2, 3, 4])):
        text = "\n".join([head.format("seat," if seat else ""), *rows]).replace("{}", seat)
        verdict = agree(tmp_path / "r.csv", text.encode(), rules=rules)[0]["divergences"]
        assert [one["round"] for one in verdict] == found
        assert {(*one["clauses"], one["kind"]) for one in verdict} <= {("NSW-MINI:5.6", "offer")}
    with pytest.raises(SimulationError, match=r"Player and Banker together \(NSW-MINI:5.6\)"):
        session_table(rules, ["player", "banker"])
    table = LAWS / "au-nsw" / "table.toml"
    ticket = ("par", "--submission", table, "--ticket", "player=25,banker=25")
    assert "may not wager on player and banker" in told_with(2, *map(str, ticket)).stderr
    both = tuple(croupier.PlacedWager(3, name, 2_500) for name in ("player", "banker"))
    with pytest.raises(croupier.RoundError) as refused:
        croupier.settle_round(croupier.load_rules(table), "8c Kd 7d 9s", both)
    assert {fault.code for fault in refused.value.faults} == {"not_together"}


@pytest.mark.skipif(not WHOLE, reason="the whole check makes the vectors of a foreign law")
def test_whatever_a_foreign_law_allows_is_in_a_vector(tmp_path: Path) -> None:
    table = LAWS / "au-nsw" / "table.toml"
    told("vectors", "--submission", table, "-o", tmp_path / "vectors")


def test_a_reading_is_refused_at_a_table_for_which_the_law_decides_it() -> None:
    """New South Wales says what becomes of a round once its continuous device fails."""
    elected = default_submission("au-nsw/mini-baccarat", "latest", device="continuous")
    fault = "this regulation decides it: remove it [NSW-MINI:12.1]"
    with pytest.raises(SubmissionError, match=re.escape(fault)):
        table_rules(replace(elected, readings={"C233": "void"}))


# By hand, from the published probabilities of eight decks: Banker 1.0579 %, Player 1.2351 %, Tie 14.3596 %.
@pytest.mark.parametrize("table", [one for one in TABLES if one.stem == "table"], ids=str)
def test_the_house_edges_are_those_of_eight_decks(table: Path) -> None:
    data = json.loads(told("par", "--submission", table, "--format", "json"))
    edges = {one["id"]: round(one["house_edge_percent"], 4) for one in data["wagers"]}
    assert (edges["player"], edges["banker"], edges["tie"]) == (1.2351, 1.0579, 14.3596)


def test_they_are_compared_with_the_included_laws() -> None:
    shown = told("law", "compare", "--format", "json")
    laws = {one["law"] for one in json.loads(shown)["laws"]}
    assert {"au-nsw/mini-baccarat", "us-pa/minibaccarat", "us-ma/minibaccarat"} <= laws
    assert {"us-nj/minibaccarat", "us-nj/punto-banco", "us-ny/mini-midi-baccarat"} <= laws


def test_what_is_unsupported_or_was_not_read_is_never_silent() -> None:
    table = LAWS / "au-nsw" / "table.toml"
    shown = json.loads(told("law", "show", "au-nsw/mini-baccarat@2004-01-01", "--format", "json"))
    unread = [one["id"] for one in shown["clauses"] if one["standing"] == "unverified"]
    sections = {one.removeprefix("NSW-MINI:").partition(".")[0] for one in unread}
    assert sections == {"4", "6", "7", "8", "9", "10", "11"}
    warned = told("check", table)
    assert "not read in the regulation" in warned
    assert "NSW-MINI:3.9: not carried out" in warned
    text = table.read_text(encoding="utf-8").partition("[unsupported]")[0]
    Path("silent.toml").write_text(text, encoding="utf-8")
    assert "NSW-MINI:3.9" in told_with(1, "check", "silent.toml").stdout
