"""What a table keeps is carried over the day on which an amendment takes effect, and nothing else."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec.structs import asdict, replace

from croupier import acts
from croupier.law.laying_out import MARK, lay_out
from croupier.law.resolve import instruments, resolve, source_of, texts_of
from croupier.records.carried import carried_data, under_rules
from croupier.records.codec import dump
from croupier.records.entry import SteppedClock
from croupier.records.header import LogError
from croupier.records.log import begin_log, carried_from, continued_log, ended_log
from croupier.rules import (
    TableLayout,
    TableRules,
    default_submission,
    read_submission,
    table_rules,
)
from croupier.table.machine.session import TableSession
from croupier.verify.continues import verify_continued
from croupier.verify.log import Verdict, verify_log
from support.amendment import AMENDED, AMENDED_KEY, amended_shelf
from support.command_line import croupier
from support.days import DAYS, WholeDay
from support.forged_logs import chained, read
from support.project import ROOT
from support.texts import NJ_MINI

LAW = "us-nj/minibaccarat"
NJ = ROOT / "submissions" / "nj-minibaccarat.toml"
NAMED = f"The law is {AMENDED_KEY} from tomorrow"
COUNTED = acts.CountInventory({100_00: 390, 25_00: 40}, closing=True)


@pytest.fixture(autouse=True)
def _both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with amended_shelf(tmp_path, monkeypatch):
        yield


def rules_of(on: date, **elections: Any) -> TableRules:
    return table_rules(default_submission(LAW, on, **elections))


def recorded(
    log: Path, rules: TableRules, *given: acts.Command, before: Path | None = None
) -> None:
    """Play a day whose log continues another, and close its log."""
    carried = None if before is None else continued_log(before, None, rules)
    recorder, stream = begin_log(log, rules, shuffle="seed 1", continues=carried)
    position = None if carried is None else carried.position
    clock = (
        SteppedClock()
        if position is None or position.at is None
        else SteppedClock.after(position.at)
    )
    session = TableSession(rules, record=recorder, clock=clock, position=position)
    for command in given:
        session.execute(command)
    recorder.finish()
    stream.close()


def opened(on: date) -> acts.OpenTable:
    return acts.OpenTable(40_000_00, "Dunja", "Femke", on)


@pytest.fixture
def before(tmp_path: Path) -> Path:
    log = tmp_path / "before.jsonl"
    note = acts.WriteNote(NAMED)
    recorded(log, rules_of(NJ_MINI), opened(NJ_MINI), note, acts.CloseTable(), COUNTED)
    return log


@pytest.fixture
def after(before: Path) -> Path:
    log = before.with_name("after.jsonl")
    recorded(log, rules_of(AMENDED), opened(AMENDED), acts.CloseTable(), before=before)
    return log


def across(log: Path, before: Path) -> Verdict:
    verdict = verify_log(log)
    assert verdict.divergence is None, verdict.divergence
    verify_continued(verdict, [before])
    return verdict


def test_the_tray_is_carried_over_and_the_changes_are_named_in_both_logs(
    before: Path, after: Path
) -> None:
    verdict = across(after, before)
    assert (verdict.is_clean, verdict.continued) == (True, True)
    assert not [one for one in verdict.findings if one.kind == "amended"]
    written = read(after.read_bytes())[0]["continues"]
    assert written["amended"] == {
        "law": f"{LAW}@{NJ_MINI}",
        "binding_sha256": rules_of(NJ_MINI).sha256,
        "changes": ["wagers.lucky_6", "wagers.lucky_6.pays"],
    }
    assert written["kept"]["tray"]["closing_cents"] == 40_000_00
    assert NAMED.encode() in before.read_bytes()


def test_a_log_before_that_does_not_name_the_amendment_is_remarked(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    recorded(one, rules_of(NJ_MINI), opened(NJ_MINI), acts.CloseTable(), COUNTED)
    recorded(other, rules_of(AMENDED), opened(AMENDED), acts.CloseTable(), before=one)
    verdict = across(other, one)
    (found,) = [each for each in verdict.findings if each.kind == "amended"]
    assert found.message == f"no note in {one} names the amendment to {AMENDED_KEY}"
    assert verdict.is_clean


def test_an_opening_that_differs_from_the_closing_count_is_refused_as_on_any_day(
    before: Path,
) -> None:
    carried = continued_log(before, None, rules_of(AMENDED))
    session = TableSession(carried.position.rules, position=carried.position)
    answer = session.try_execute(acts.OpenTable(39_000_00, "Dunja", "Femke", AMENDED))
    assert getattr(answer, "code", None) is not None


def changed_limits(rules: TableRules) -> TableRules:
    limits = dict(rules.submission.limits or {})
    limits["banker"] = replace(limits["banker"], max_cents=limits["banker"].max_cents + 100)
    return table_rules(replace(rules.submission, limits=limits))


def another_layout(rules: TableRules) -> TableRules:
    layout = replace(rules.submission.layout, seats=rules.submission.layout.seats - 1)
    assert isinstance(layout, TableLayout)
    return table_rules(replace(rules.submission, layout=layout))


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (lambda: rules_of(AMENDED, decks=6), "the amendment does not change decks"),
        (lambda: another_layout(rules_of(AMENDED)), "the layout"),
        (lambda: rules_of(NJ_MINI, decks=6), "no amendment lies between them"),
        (
            lambda: table_rules(default_submission("us-nj/punto-banco", NJ_MINI)),
            "no amendment lies between them",
        ),
    ],
)
def test_nothing_else_is_changed_under_cover_of_an_amendment(
    before: Path, change: Callable[[], TableRules], told: str
) -> None:
    with pytest.raises(LogError, match=told):
        continued_log(before, None, change())


def test_an_election_in_a_table_of_a_file_is_compared_too(tmp_path: Path) -> None:
    log, text = tmp_path / "log.jsonl", NJ.read_text(encoding="utf-8")
    amended = text.replace(f"on = {NJ_MINI}", f"on = {AMENDED}")
    amended = amended.replace("[limits]", "[limits]\nlucky_6 = [5, 500]")

    def rules(of: str) -> TableRules:
        (tmp_path / "table.toml").write_text(of, encoding="utf-8")
        return table_rules(read_submission(tmp_path / "table.toml"))

    recorded(log, rules(text), opened(NJ_MINI), acts.CloseTable(), COUNTED)
    assert continued_log(log, None, rules(amended)).amended is not None
    for was, becomes, name in (
        ("reshuffle = false", "reshuffle = true", r"shuffle\.reshuffle"),
        ("ten_extra = 10", "ten_extra = 1", r"irregularity\.ten_extra"),
    ):
        assert was in amended
        with pytest.raises(LogError, match=f"does not change {name}"):
            continued_log(log, None, rules(amended.replace(was, becomes)))


def test_an_election_that_the_amendment_drops_is_replaced(tmp_path: Path) -> None:
    log = tmp_path / "dropped.jsonl"
    old = rules_of(NJ_MINI, settlement__order="vigorish-then-payment")
    recorded(log, old, opened(NJ_MINI), acts.CloseTable(), COUNTED)
    new = rules_of(AMENDED, settlement__order="payments-first")
    found = continued_log(log, None, new).amended
    assert found is not None
    assert "settlement.order" in found.changes
    # The choice that stays is not the licensee's to change with it.
    kept = tmp_path / "kept.jsonl"
    recorded(kept, rules_of(NJ_MINI), opened(NJ_MINI), acts.CloseTable(), COUNTED)
    with pytest.raises(LogError, match=r"does not change settlement\.order"):
        continued_log(kept, None, new)


@pytest.mark.parametrize(
    "change",
    [
        lambda one: one["amended"].update(changes=[]),
        lambda one: one["amended"].update(law=f"{LAW}@2001-01-01"),
        lambda one: one["amended"].update(binding_sha256="1" * 64),
        lambda one: one.pop("amended"),
        lambda one: one["kept"]["tray"].update(closing_cents=1),
        lambda one: one["balances"].update(inventory=1),
    ],
)
def test_what_the_header_says_of_the_amendment_is_compared(
    before: Path, after: Path, change: Callable[[dict[str, Any]], object]
) -> None:
    lines = read(after.read_bytes())
    change(lines[0]["continues"])
    after.write_bytes(chained(map(dump, lines)))
    verdict = verify_log(after)
    verify_continued(verdict, [before])
    assert verdict.divergence is not None
    shown = croupier("verify", after, "--continues", before)
    assert shown.exit_code in {1, 2}


def test_no_day_invents_an_amendment(before: Path) -> None:
    log = before.with_name("next.jsonl")
    recorded(log, rules_of(NJ_MINI), opened(NJ_MINI), acts.CloseTable(), before=before)
    assert across(log, before).continued
    lines = read(log.read_bytes())
    lines[0]["continues"]["amended"] = {"law": LAW, "binding_sha256": "1" * 64, "changes": []}
    log.write_bytes(chained(map(dump, lines)))
    verdict = verify_log(log)
    verify_continued(verdict, [before])
    assert verdict.divergence is not None
    assert "amended" in verdict.divergence.message


def laid_out(law: str, folder: Path, patch: pytest.MonkeyPatch) -> date:
    """Hold a copy of a regulation, amended on the day after the last on which it is known."""
    text = resolve(law, on="latest")
    on = text.in_force_known + timedelta(days=1)
    lines = lay_out(text, source_of(text), on).splitlines(keepends=True)
    copy = "".join(line for line in lines if not line.startswith(MARK))
    (folder / "copies").mkdir()
    (folder / "copies" / "copy.toml").write_text(copy, encoding="utf-8")
    module = sys.modules["croupier.law.resolve"]
    patch.setattr(module, "_SHELVES", (*module.__dict__["_SHELVES"], folder / "copies"))
    for held in (instruments, texts_of):
        held.cache_clear()
    return on


@pytest.mark.parametrize("day", DAYS, ids=lambda day: day.name)
def test_meters_forms_decks_and_whatever_else_is_kept_is_carried_over(
    day: WholeDay, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "day.jsonl"
    day.play(log)
    carried = carried_from(ended_log(log))
    old = carried.position.rules
    on = laid_out(old.law.id, tmp_path, monkeypatch)
    # The amendment adds a wager, which has limits of its own.
    limits = dict(old.submission.limits or {})
    if limits and "wagers.lucky_6" in resolve(old.law.id, on=on).rules:
        limits["lucky_6"] = limits["tie"]
    new = table_rules(replace(old.submission, on=on, limits=limits or None))
    assert new.law.key != old.law.key
    found = under_rules(carried, new)
    was, becomes = (json.loads(dump(carried_data(one))) for one in (carried, found))
    assert becomes.pop("amended")["law"] == old.law.key
    assert was == becomes
    kept = {
        name: asdict(one)
        for name, one in ((type(x).__name__, x) for x in found.position.state.slices.values())
    }
    wanted = {
        "day-nj-minibaccarat": {"Tray", "FormBook"},
        "day-ma-royal-9": {"Tray", "Progressive"},
    }
    assert wanted[day.name] <= kept.keys()
    monkeypatch.undo()
    for held in (instruments, texts_of):
        held.cache_clear()
