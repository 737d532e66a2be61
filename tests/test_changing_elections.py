"""Elections that change at an open table: between rounds, with notice, and the record tells it."""

from pathlib import Path
from typing import Any

import pytest

from croupier import acts
from croupier.acts import ElectionsAdopted, WagerPaid
from croupier.law.elect import SubmissionError
from croupier.law.values import Odds
from croupier.records.explanation import explain_wagers, rounds_of
from croupier.records.reader import LogReader
from croupier.rules import Limit, rules_with
from croupier.table import Phase
from croupier.verify.log import verify_log
from support.games import advance
from support.logs import recorded
from support.pits import NOON, after
from support.table import (
    at,
    deal,
    load_short_shoe,
    only,
    open_table,
    play,
    play_out,
    ready,
    refused,
    rules_of,
    wager,
)

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

TIE_WINS = "9h 9d Kh Ks"


def test_a_change_counts_from_the_next_round_on() -> None:
    session = ready(1, wagers__tie__pays="8:1")
    wager(session, (1, "tie", 1000))
    assert only(play(session, TIE_WINS), WagerPaid).cents == 8000
    session.execute(acts.AdoptElections({"wagers.tie.pays": "9:1"}))
    wager(session, (1, "tie", 1000))
    assert only(play(session, TIE_WINS), WagerPaid).cents == 9000
    assert session.rules.offers["tie"].pays["win"] == Odds(9, 1)


def test_a_change_waits_while_wagers_lie_on_the_layout() -> None:
    session = ready(1)
    wager(session, (1, "tie", 1000))
    refused(session, acts.AdoptElections({"wagers.tie.pays": "9:1"}), "wagers")


def test_a_change_that_the_law_refuses_is_refused_with_its_clause() -> None:
    session = ready(1)
    refusal = refused(session, acts.AdoptElections({"wagers.tie.pays": "7:1"}), "elections")
    assert refusal.clauses == ("NJ-MINI:7.3(b)",)
    with pytest.raises(SubmissionError):
        rules_with(session.rules, {"wagers.tie.pays": "7:1"})


def test_a_change_is_remembered_by_the_rules_that_it_was_asked_of_and_never_for_another() -> None:
    rules, others = rules_of(wagers__tie__pays="8:1"), rules_of(vigorish__scheme="4%")
    nine = rules_with(rules, {"wagers.tie.pays": "9:1"})
    assert rules_with(rules, {"wagers.tie.pays": "9:1"}) is nine
    assert rules_with(others, {"wagers.tie.pays": "9:1"}).sha256 != nine.sha256
    limits = dict.fromkeys(("player", "banker", "tie"), Limit(500, 100_000))
    limited = rules_with(rules, {"wagers.tie.pays": "9:1"}, limits)
    assert limited.submission.limits == limits
    assert nine.submission.limits is None
    # Six, and six as text or as a fraction, are two things to elect, and each is answered for itself.
    rules_with(rules, {"decks": 6})
    for wrong in ("6", 6.0):
        for _ in range(2):
            with pytest.raises(SubmissionError) as told:
                rules_with(rules, {"decks": wrong})
            assert [one.where for one in told.value.errors] == ["decks"]


def test_what_the_cards_go_by_is_not_changed_at_an_open_table() -> None:
    session = ready(1)
    refused(session, acts.AdoptElections({"decks": 6}), "not_now")
    refused(
        session,
        acts.AdoptElections({"device": "continuous", "device.approval": "on file"}),
        "not_now",
    )


def test_a_change_to_what_is_elected_already_is_none() -> None:
    refused(ready(1), acts.AdoptElections({"wagers.tie.pays": "8:1"}), "no_change")


def test_a_change_waits_for_the_end_of_the_round_and_no_clause_says_so() -> None:
    session = ready(1, wagers__tie__pays="8:1")
    wager(session, (1, "tie", 1000))
    deal(session, "9h 8d")
    change = acts.AdoptElections({"wagers.tie.pays": "9:1"})
    refusal = refused(session, change, "not_now")
    assert (refusal.clauses, "round" in refusal.message) == ((), True)
    deal(session, "Kh Ks")
    # The Tie wager lost and is gone once it is settled: the round is over when the layout is clear.
    session.execute(acts.SettleWagers())
    assert not session.state.stakes
    refused(session, change, "not_now")
    session.execute(acts.ClearLayout())
    assert only(session.execute(change), ElectionsAdopted)


@pytest.mark.clause("NJ-MINI:7.5(a)", "NJ-MINI:7.5(b)")
def test_how_the_cards_are_mixed_is_not_changed_while_a_shoe_is_in_play() -> None:
    laced: dict[str, Any] = {"shuffle__finish": "lace", "shuffle__reshuffle": False}
    change = acts.AdoptElections({"shuffle.finish": "feather"})
    assert refused(ready(1, **laced), change, "not_now").clauses == ()
    between = at(Phase.TO_CUT, 1, **laced)
    load_short_shoe(between)
    play_out(between, "9h 8d Kh Ks")
    assert only(between.execute(change), ElectionsAdopted)


@pytest.mark.clause("NJ-MINI:7.10(c)3")
def test_both_have_notice_thirty_minutes_before_and_of_each_change() -> None:
    session = ready(1)
    first = {"settlement.order": "payments-first"}
    session.execute(acts.RecordNotice(first, "surveillance", NOON))
    # The Commission was told nothing, and then a quarter of an hour after surveillance.
    refused(session, acts.AdoptElections(first, at=after(60)), "notice")
    session.execute(acts.RecordNotice(first, "Commission", after(15)))
    refused(session, acts.AdoptElections(first, at=after(44, 59)), "notice")
    was = session.rules.settled["settlement.order"]
    session.execute(acts.AdoptElections(first, at=after(45)))
    back = {"settlement.order": str(was)}
    for to in ("surveillance", "Commission"):
        session.execute(acts.RecordNotice(back, to, after(50)))
    session.execute(acts.AdoptElections(back, at=after(80)))
    # The notices of the first change served that one.
    refused(session, acts.AdoptElections(first, at=after(90)), "notice")


def test_nothing_is_recorded_with_a_time_before_the_last() -> None:
    session = ready(1)
    order = {"settlement.order": "payments-first"}
    session.execute(acts.RecordNotice(order, "surveillance", after(10)))
    early = acts.RecordNotice(order, "Commission", after(9))
    assert refused(session, early, "time").clauses == ()
    too_early = acts.AdoptElections({"wagers.tie.pays": "9:1"}, at=after(9))
    assert refused(session, too_early, "time").clauses == ()


def test_whoever_must_have_notice_is_told_first() -> None:
    session = ready(1)
    change = acts.AdoptElections({"settlement.order": "payments-first"})
    refusal = refused(session, change, "notice")
    assert refusal.clauses == ("NJ-MINI:7.10(c)3",)
    for to in ("surveillance", "Commission"):
        session.execute(acts.RecordNotice(change.elections, to, NOON))
    late = acts.AdoptElections(change.elections, at=after(30))
    taken = only(session.execute(late), ElectionsAdopted)
    assert taken.rules_sha256 == session.rules.sha256


def test_a_log_with_a_change_is_verified_and_each_round_explained_by_its_own_rules(
    tmp_path: Path,
) -> None:
    path = tmp_path / "table.jsonl"
    rules = rules_of(wagers__tie__pays="8:1")
    with recorded(path, rules, shuffle="given") as writer:
        session = open_table(rules, 1, record=writer)
        advance(session, Phase.BETTING)
        for odds in ("", "9:1"):
            if odds:
                session.execute(acts.AdoptElections({"wagers.tie.pays": odds}))
            wager(session, (1, "tie", 1000))
            play(session, TIE_WINS)
    assert verify_log(path).is_clean
    log = LogReader(path)
    told = [
        line.text
        for telling in rounds_of(log.events(), log.header.rules)
        for line in explain_wagers(telling)
    ]
    assert [text.partition(", for")[0] for text in told] == [
        "Seat 1, Tie $10 pays $80 (8 to 1)",
        "Seat 1, Tie $10 pays $90 (9 to 1)",
    ]
