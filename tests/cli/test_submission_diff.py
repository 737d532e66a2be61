"""`croupier submission diff`: what differs, and which notices are due before the change."""

from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from hypothesis import HealthCheck, given, settings
from jsonschema_rs import Draft202012Validator

from croupier import acts
from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.cli.submission.differences import differences
from croupier.law.elect import SubmissionError, flatten
from croupier.law.model import Instrument
from croupier.law.resolve import instruments
from croupier.rules import TableRules, read_rules, submission_of, table_rules
from croupier.table import Refusal, decide
from croupier.table.machine.core import evolve_all, new_table
from support.project import ROOT
from support.random_submissions import Tables, legal

PLAIN: Final = ROOT / "submissions" / "nj-minibaccarat.toml"
NOON: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)

drawn = partial(
    settings, max_examples=12, derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip


def diff(*words: object) -> Result:
    return CliRunner().invoke(main, ["submission", "diff", *map(str, words)])


def compared(old: Path, new: Path) -> dict[str, Any]:
    result = diff(old, new, "--format", "json")
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(result.stdout)
    Draft202012Validator(SCHEMAS["submission-diff"]()).validate(found)
    return found


@pytest.fixture
def changed(tmp_path: Path) -> Path:
    """A submission that departs from the plain one in something of every sort."""
    text = PLAIN.read_text(encoding="utf-8")
    for old, new in {
        'vigorish.scheme = "5%"': 'vigorish.scheme = "4%"',
        "shuffle.reshuffle = false": "shuffle.reshuffle = true",
        '"payment-then-vigorish"': '"payments-first"',
        '"discard-by-value"': '"simulated-round"',
        "irregularity.ten_extra = 10\n": "",
        "wagers.total_cards.offered = true": "wagers.total_cards.offered = false",
        "player = [25, 5000]": "player = [100, 20000]",
        "four_cards = [5, 1000]\n": "",
        "five_cards = [5, 1000]\n": "",
        "six_cards = [5, 1000]\n": "",
        "seats = 7": "seats = 9",
        "[table]": '[interpretations]\nT20 = "counts"\n\n[table]',
    }.items():
        assert old in text
        text = text.replace(old, new)
    path = tmp_path / "new.toml"
    path.write_text(text, encoding="utf-8")
    return path


def test_every_changed_election_has_both_values_and_the_clauses_of_each(changed: Path) -> None:
    found = {one["id"]: one for one in compared(PLAIN, changed)["elections"]}
    assert {name: (one["old"], one["new"]) for name, one in found.items()} == {
        "wagers.total_cards.offered": ("true", "false"),
        "vigorish.scheme": ("5%", "4%"),
        "shuffle.reshuffle": ("false", "true"),
        "settlement.order": ("payment-then-vigorish", "payments-first"),
        "irregularity.disclosed_card": ("discard-by-value", "simulated-round"),
        "irregularity.ten_extra": ("10", None),
    }
    assert found["settlement.order"]["old_cites"] == ["NJ-MINI:7.10(b)3"]
    assert found["settlement.order"]["new_cites"] == ["NJ-MINI:7.10(b)1"]
    assert found["irregularity.ten_extra"]["new_cites"] == []


def test_limits_seats_and_readings_are_compared(changed: Path) -> None:
    found = compared(PLAIN, changed)
    limits = {one["wager"]: (one["old"], one["new"]) for one in found["limits"]}
    assert limits["player"] == (
        {"min_cents": 2500, "max_cents": 500000},
        {"min_cents": 10000, "max_cents": 2000000},
    )
    assert limits["four_cards"] == ({"min_cents": 500, "max_cents": 100000}, None)
    assert set(limits) == {"player", "four_cards", "five_cards", "six_cards"}
    assert found["table"] == [{"key": "seats", "old": "7", "new": "9"}]
    readings = {one["id"]: (one["old"], one["new"]) for one in found["readings"]}
    # The simulated round was not elected before.
    assert readings["T20"] == (None, "counts")


def test_edges_are_exact_and_those_of_every_wager(changed: Path) -> None:
    found = {one["wager"]: one for one in compared(PLAIN, changed)["edges"]}
    # Banker wins 2,292,252,566,437,888 of 4,998,398,275,503,360 ways, and Player 2,230,518,282,592,256.
    wins, loses = 2_292_252_566_437_888, 2_230_518_282_592_256
    for key, rate in (("old", Fraction(1, 20)), ("new", Fraction(1, 25))):
        edge = (loses - wins * (1 - rate)) / 4_998_398_275_503_360
        assert Fraction(found["banker"][key]) == edge
        assert found["banker"][f"{key}_percent"] == pytest.approx(float(edge * 100), abs=1e-9)
    change = Fraction(found["banker"]["new"]) - Fraction(found["banker"]["old"])
    assert Fraction(found["banker"]["change"]) == change
    assert found["player"]["change"] == "0/1"
    assert (found["four_cards"]["new"], found["four_cards"]["change"]) == (None, None)


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_the_notices_due_are_those_of_the_regulation(changed: Path) -> None:
    found = compared(PLAIN, changed)
    due = {one["election"]: (one["to"], one["minutes"], one["cites"]) for one in found["notices"]}
    office = ["surveillance", "Commission"]
    # From 5% to 4% the rate goes down: no notice is due of that.
    assert due == {
        "shuffle.reshuffle": (office, 30, ["NJ-MINI:7.5(b)2.ii"]),
        "settlement.order": (office, 30, ["NJ-MINI:7.10(c)3"]),
    }
    assert found["notices"][0]["citations"][0].startswith("N.J.A.C. 19:47-7.5(b)2.ii")
    back = compared(changed, PLAIN)["notices"]
    assert [one["to"] for one in back if one["election"] == "vigorish.scheme"] == [["patrons"]]
    moments = {one["elections"][0]: one["moment"] for one in found["moments"]}
    assert moments["irregularity.disclosed_card"] == "submission"
    together = {(*one["elections"], one["across"]) for one in found["uniformity"]}
    assert together == {("shuffle.reshuffle", "pit"), ("settlement.order", "pit")}
    assert read_rules(PLAIN).cites("notice.settlement") == ("NJ-MINI:7.10(c)3",)


@pytest.mark.parametrize(
    "law", [text for text in instruments() if not text.partial], ids=lambda law: law.key
)
def test_a_table_adopts_the_change_after_these_notices_and_no_fewer(law: Instrument) -> None:
    @drawn()
    @given(legal(law), legal(law))
    def holds(first: Tables, then: Tables) -> None:
        kept = {name: first[name] for name in ("interpretations", "table")}
        try:
            new = table_rules(submission_of({**then, **kept}))
        except SubmissionError:
            return
        old = table_rules(submission_of(first))
        if any(
            old.settled.get(one) != new.settled.get(one)
            for one in law.rules
            if "meters" in one or "stax" in one
        ):
            return
        due = differences((PLAIN, PLAIN), (old, new))["notices"]
        pairs = sorted({(one["election"], to) for one in due for to in one["to"]})
        assert adopted(old, new, pairs)
        for left_out in pairs:
            assert not adopted(old, new, [one for one in pairs if one != left_out])

    with CliRunner().isolation(), main.make_context("croupier", ["check"]):
        holds()


def adopted(old: TableRules, new: TableRules, notices: list[tuple[str, str]]) -> bool:
    """Tell whether a table adopts all elections half an hour after some notices."""
    given_now = flatten(new.submission.elections, new.law.rules)
    wanted: dict[str, Any] = {
        one.id: given_now[one.id]
        for one in new.law.elections
        if one.id in given_now and "royal_9.meters" not in one.id and "royal_9.stax" not in one.id
    }
    state = new_table(old)
    for election, to in notices:
        told = decide(
            state, acts.RecordNotice({election: wanted.get(election, False)}, to, NOON), old
        )
        assert not isinstance(told, Refusal)
        state = evolve_all(state, told)
    later = NOON + timedelta(minutes=30)
    limits = new.submission.limits or {}
    answer = decide(state, acts.AdoptElections(wanted, limits, later), old)
    if isinstance(answer, Refusal):
        assert answer.code in {"notice", "no_change"}, answer
        return answer.code == "no_change"
    return True


def test_a_submission_does_not_differ_from_itself() -> None:
    found = compared(PLAIN, PLAIN)
    parts = ("elections", "limits", "table", "readings", "procedures", "notices", "moments")
    assert [found[part] for part in parts] == [[]] * len(parts)
    assert all(one["change"] == "0/1" for one in found["edges"])
    told = [" ".join(line.split()) for line in diff(PLAIN, PLAIN).stdout.splitlines()]
    assert any(line.startswith("Banker 1.0579% 1.0579% 0.0000%") for line in told)


def test_the_text_names_addressees_times_and_clauses(changed: Path) -> None:
    # On a page this wide, each row is a line.
    wide = {"COLUMNS": "1000"}
    text = CliRunner().invoke(main, ["submission", "diff", str(PLAIN), str(changed)], env=wide)
    told = [" ".join(line.split()) for line in text.stdout.splitlines()]
    assert any("(settlement.order) payment-then-vigorish payments-first " in one for one in told)
    assert "Player $25.00 $5,000.00 $100.00 $20,000.00" in told
    assert any(one.startswith("Banker 1.0579% 0.5993% -0.4586% ") for one in told)
    (notice,) = (one for one in told if one.startswith("settlement.order = "))
    assert "surveillance and Commission 30 minutes before" in notice
    assert notice.endswith("NJ-MINI:7.10(c)3")
    assert any("T20 The simulated round does not apply counts" in one for one in told)


def test_notices_are_not_determined_from_one_regulation_to_another() -> None:
    other = ROOT / "submissions" / "ma.toml"
    found = compared(PLAIN, other)
    assert (found["notices"], found["moments"], found["uniformity"]) == ([], [], [])
    assert "under different regulations" in diff(PLAIN, other).stdout


def test_what_was_in_force_in_another_year_is_compared_with_its_own_clauses() -> None:
    older = ROOT / "submissions" / "nj-minibaccarat-2001.toml"
    found = {one["id"]: one for one in compared(older, PLAIN)["elections"]}
    assert found["decks"]["old_cites"] == ["NJ-OLD:19:47-7.1(a)~old#1"]
    assert found["decks"]["new_cites"] == ["NJ-MINI:7.1(a)#1"]


def test_it_is_written_to_a_file_by_its_suffix(changed: Path, tmp_path: Path) -> None:
    out = tmp_path / "diff.json"
    assert diff(PLAIN, changed, "-o", out).exit_code == 0
    assert json.loads(out.read_text(encoding="utf-8"))["format"] == "croupier-submission-diff/1"
    refused = diff(PLAIN, ROOT / "docs" / "examples" / "refused.toml", "-o", tmp_path / "no.json")
    assert refused.exit_code == 2
    assert not (tmp_path / "no.json").exists()


def test_the_first_line_says_how_much_differs(changed: Path) -> None:
    assert "\nNothing differs.\n" in diff(PLAIN, PLAIN).stdout
    found = compared(PLAIN, changed)
    first = diff(PLAIN, changed).stdout.split("\n\n")[1].replace("\n", " ")
    assert first.startswith("Different: ")
    for noun in ("election", "limit", "reading", "procedure"):
        assert f"{len(found[f'{noun}s'])} {noun}" in first
    edges = sum(edge["old"] != edge["new"] for edge in found["edges"])
    assert f"{len(found['table'])} table detail" in first
    assert f"{edges} house edge" in first
