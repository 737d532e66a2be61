"""One law at two whole dates: a made-up amendment adds a wager, drops a choice, moves a section."""

import json
from collections.abc import Iterator
from datetime import UTC, date, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from msgspec.structs import replace

from croupier import acts as commands
from croupier.acts import WagerPaid
from croupier.baccarat.cards import parse_cards
from croupier.cli import main
from croupier.law.compare import ChangeKind, compare_texts
from croupier.law.elect import SubmissionError
from croupier.law.faults import LawError
from croupier.law.resolve import resolve
from croupier.records.explanation import read_header
from croupier.rules import TableRules, default_submission, table_rules
from croupier.table import Phase, Refusal
from croupier.table.machine.inputs import next_gaming_day
from croupier.table.pit import (
    AdmitTable,
    GiveNotice,
    PitCommand,
    PitState,
    TableAdmitted,
    WithdrawTable,
    decide_pit,
    evolve_pit,
)
from croupier.verify.log import verify_log
from support.amendment import AMENDED, AMENDED_KEY, amended_shelf
from support.command_line import told_with
from support.games import Game, advance
from support.logs import recorded
from support.oracles.odds import fresh
from support.par import census
from support.table import MINIBACCARAT, only, play, wager
from support.texts import NJ_MINI

LAW: Final = "us-nj/minibaccarat"
DROPPED: Final = "vigorish-then-payment"
KEPT: Final = "payments-first"
SIX_ON_THREE: Final = "2h 3d Kh Qs 2c 3h"
"""Player's Hand has four, Banker's six with three cards."""

CLOSING: Final = datetime(2011, 2, 22, 23, tzinfo=UTC)
OPENING: Final = datetime(2011, 2, 23, 10, tzinfo=UTC)


@pytest.fixture(autouse=True)
def _both_held(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with amended_shelf(tmp_path, monkeypatch):
        yield


def rules_of(on: date, **elections: Any) -> TableRules:
    return table_rules(default_submission(LAW, on, **elections))


run = partial(told_with, 0)


# --- which text is meant -----------------------------------------------------------------------


def test_each_day_has_its_text_and_latest_is_the_later_one() -> None:
    assert resolve(LAW, on=NJ_MINI).in_force_from == NJ_MINI
    assert resolve(LAW, on=AMENDED).in_force_from == AMENDED
    assert resolve(LAW, on="latest").in_force_from == AMENDED
    with pytest.raises(LawError, match="is not known here"):
        resolve(LAW, on=AMENDED + timedelta(days=1))


def test_a_submission_is_judged_by_the_text_of_its_day() -> None:
    assert "lucky_6" not in rules_of(NJ_MINI).offers
    assert rules_of(AMENDED).offers["lucky_6"].wager.title == "Lucky 6"
    assert rules_of(NJ_MINI, settlement__order=DROPPED).value("settlement.order", str) == DROPPED
    with pytest.raises(SubmissionError) as refused:
        rules_of(AMENDED, settlement__order=DROPPED)
    (detail,) = refused.value.errors
    assert detail.where == "settlement.order"
    assert "NJ-MINI:7.10(b)4" not in detail.clauses


def test_rules_of_two_dates_are_other_rules_and_cite_the_section_under_its_number() -> None:
    old, new = rules_of(NJ_MINI), rules_of(AMENDED)
    assert old.sha256 != new.sha256
    assert old.law.cites(["device.continuous"]) == ("NJ-MINI:7.12",)
    assert new.law.cites(["device.continuous"]) == ("NJ-MINI:7.13",)


# --- tables ------------------------------------------------------------------------------------


def evening(*acts: PitCommand) -> PitState:
    """A pit after its last day under the old text, with what was done until the next morning."""
    pit = PitState()
    for to in ("surveillance", "Commission"):
        pit = done(pit, GiveNotice({"settlement.order": DROPPED}, to, CLOSING - timedelta(hours=9)))
    rules = rules_of(NJ_MINI, settlement__order=DROPPED)
    pit = done(pit, AdmitTable("MB-1", rules, CLOSING - timedelta(hours=8)))
    for act in (WithdrawTable("MB-1"), *acts):
        pit = done(pit, act)
    return pit


def done(pit: PitState, act: PitCommand) -> PitState:
    events = decide_pit(pit, act)
    assert not isinstance(events, Refusal), events
    for event in events:
        pit = evolve_pit(pit, event)
    return pit


def notice(to: str, at: datetime) -> GiveNotice:
    return GiveNotice({"settlement.order": KEPT}, to, at)


def test_a_table_that_takes_up_the_new_text_owes_notice_of_the_choice_that_replaces_the_dropped() -> (
    None
):
    taken_up = AdmitTable("MB-1", rules_of(AMENDED, settlement__order=KEPT), OPENING)
    refusal = decide_pit(evening(), taken_up)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.clauses) == ("notice", ("NJ-MINI:7.10(c)3",))
    late = (notice("surveillance", CLOSING), notice("Commission", OPENING - timedelta(minutes=29)))
    refusal = decide_pit(evening(*late), taken_up)
    assert isinstance(refusal, Refusal)
    assert refusal.message.endswith("not notified 30 minutes before: Commission")


def test_with_notice_in_time_the_table_opens_under_the_new_text() -> None:
    pit = evening(
        *(notice(to, OPENING - timedelta(minutes=30)) for to in ("surveillance", "Commission"))
    )
    (admitted,) = decide_pit(
        pit, AdmitTable("MB-1", rules_of(AMENDED, settlement__order=KEPT), OPENING)
    )  # type: ignore[misc]
    assert isinstance(admitted, TableAdmitted)
    assert admitted.table.rules is not None
    assert admitted.table.rules.law.key == AMENDED_KEY
    assert len(admitted.spent) == 2


@pytest.mark.under("us-nj/minibaccarat@2011-02-23")
@pytest.mark.clause("NJ-MINI:7.2(a)9", "NJ-MINI:7.3(z)#2")
def test_a_table_deals_and_pays_the_new_wager_from_its_day_on() -> None:
    game = Game(LAW, AMENDED, AMENDED, MINIBACCARAT.dealer, MINIBACCARAT.floorperson)
    session = game.at(Phase.BETTING, 3)
    session.execute(commands.PlaceWager(3, "lucky_6", 500))
    session.execute(commands.CallNoMoreBets())
    for card in parse_cards(SIX_ON_THREE):
        session.execute(commands.DrawCard(card))
    paid = only(session.execute(commands.SettleWagers()), WagerPaid)
    assert (paid.wager, paid.odds, paid.cents) == ("lucky_6", "20:1", 10_000)
    old = MINIBACCARAT.open(rules_of(NJ_MINI), 3)
    advance(old, Phase.BETTING)
    answer = old.try_execute(commands.PlaceWager(3, "lucky_6", 500))
    assert isinstance(answer, Refusal)
    assert answer.code == "not_offered"


def test_the_logs_of_both_days_are_verified_each_under_its_own_text(tmp_path: Path) -> None:
    for on in (NJ_MINI, AMENDED):
        path = tmp_path / f"{on}.jsonl"
        rules = rules_of(on)
        with recorded(path, rules, shuffle="given") as writer:
            session = replace(MINIBACCARAT, gaming_date=on).open(rules, 1, record=writer)
            advance(session, Phase.BETTING)
            wager(session, (1, "banker", 1000))
            play(session, SIX_ON_THREE)
    for on, wagers in ((NJ_MINI, set()), (AMENDED, {"lucky_6"})):
        path = tmp_path / f"{on}.jsonl"
        assert verify_log(path).is_clean
        held = read_header(path).rules
        assert held.law.in_force_from == on
        assert held.offers.keys() & {"lucky_6"} == wagers


def test_a_day_under_a_later_text_is_held_against_whoever_dealt_it_under_the_former(
    tmp_path: Path,
) -> None:
    findings = {}
    for on in (AMENDED - timedelta(days=1), AMENDED, AMENDED + timedelta(days=900)):
        path = tmp_path / f"{on}.jsonl"
        with recorded(path, rules_of(NJ_MINI), shuffle="given") as writer:
            replace(MINIBACCARAT, gaming_date=on).open(rules_of(NJ_MINI), 1, record=writer)
        findings[on] = [one.message for one in verify_log(path).findings if one.fails]
    before, *after = findings.values()
    assert before == []
    for on, said in zip([*findings][1:], after, strict=True):
        (told,) = said
        assert (
            told
            == f"the gaming day {on} was dealt under {LAW}@{NJ_MINI}, but {LAW}@{AMENDED} was in force"
        )


def test_the_next_day_after_an_amendment_is_its_first() -> None:
    rules = rules_of(AMENDED)
    later = AMENDED + timedelta(days=5)
    for last, day in (
        (AMENDED - timedelta(days=30), AMENDED),
        (AMENDED, AMENDED + timedelta(days=1)),
    ):
        state = replace(MINIBACCARAT.open(rules_of(NJ_MINI), 1).state, gaming_date=last)
        assert next_gaming_day(state, rules, None) == day
        assert next_gaming_day(state, rules, later) == later


def test_what_was_tested_under_the_new_text_alone_is_no_gap_of_it() -> None:
    tests = Path(__file__).parent
    result = CliRunner().invoke(
        main, ["law", "coverage", "--law", AMENDED_KEY, "--tests", str(tests), "--gaps"]
    )
    gaps = {line.split(": ")[1] for line in result.stderr.splitlines() if line.startswith("gap: ")}
    assert result.exit_code == 1
    assert not gaps & {"NJ-MINI:7.2(a)9", "NJ-MINI:7.3(z)#2"}
    # What this module does not name under the new text, it names under none.
    assert {"NJ-MINI:7.3(z)#1", "NJ-MINI:7.3(b)", "NJ-MINI:7.10(c)3"} <= gaps


# --- reading and weighing both -----------------------------------------------------------------


def test_the_diff_names_what_the_amendment_changed_and_nothing_else() -> None:
    compared = compare_texts(resolve(LAW, on=NJ_MINI), resolve(LAW, on=AMENDED))
    found = {
        change: {difference.id for difference in differences}
        for change, differences in compared.by_change(ChangeKind).items()
        if differences
    }
    assert found == {
        ChangeKind.CHOICES: {"settlement.order"},
        ChangeKind.ADDED: {"wagers.lucky_6", "wagers.lucky_6.pays"},
        ChangeKind.CITES: {
            "device", "device.approval", "device.continuous", "settlement.order", "settlement.pay",
        },
    }  # fmt: skip


def test_the_history_tells_of_the_amendment_and_leaves_no_day_between() -> None:
    told = json.loads(run("law", "history", LAW, "--format", "json").stdout)
    day = next(one for one in told["days"] if one["on"] == str(AMENDED))
    assert day["held"]
    assert day["amendments"][0]["by"] == "R.2011 d.0"
    held = [
        (one["from"], one["to"])
        for one in told["spans"]
        if one["from"] in {str(NJ_MINI), str(AMENDED)}
    ]
    assert held == [("2011-02-22", "2011-02-22"), ("2011-02-23", "2011-02-23")]


def test_the_sheets_of_both_dates_agree_but_for_the_wager_that_was_added() -> None:
    old, new = (
        {
            wager["id"]: wager
            for wager in json.loads(run("par", "--law", f"{LAW}@{on}", "--format", "json").stdout)[
                "wagers"
            ]
        }
        for on in (NJ_MINI, AMENDED)
    )
    assert new.keys() - old.keys() == {"lucky_6"}
    for name, sheet in old.items():
        assert new[name]["house_edge"] == sheet["house_edge"]
    ways = {2: 0, 3: 0}
    total = 0
    for coup, number in census(fresh(8)).items():
        total += number
        if coup.banker == 6 and coup.margin < 0:
            ways[coup.banker_cards] += number
    lines = {line["outcome"]: int(line["ways"]) for line in new["lucky_6"]["lines"]}
    assert lines == {
        "two_cards": ways[2],
        "three_cards": ways[3],
        "lose": total - ways[2] - ways[3],
    }


def test_a_sheet_of_the_latest_says_which_text_it_took() -> None:
    result = run("par", "--law", f"{LAW}@latest", "--wager", "lucky_6", "--format", "json")
    assert result.stderr == f"latest: {AMENDED_KEY}\n"
    assert json.loads(result.stdout)["reproduce"] == (
        f"croupier par --law {AMENDED_KEY} --wager lucky_6 --format json"
    )
