"""A log of every submission, dealt with dealer errors by the program of its edition, conforms.

``tests/data/logs/editions`` has some rounds of each, closed early. They are never made anew; a new
edition of a law file gets one more.
"""

from __future__ import annotations

import gzip
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.law.interpretations import editions
from croupier.law.resolve import instruments
from croupier.money.ledger import INVENTORY
from croupier.money.stax import commitment_to
from croupier.records.codec import dump
from croupier.rules import table_rules
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from croupier.verify import corrected
from croupier.verify.verdict import Verdict
from support import table
from support.forged_logs import chained, read
from support.games import advance
from support.logs import recorded
from support.massachusetts import (
    PLAYER_9_BANKER_8,
    STAX,
    deal,
    open_table,
    rules_of,
    settle,
)
from support.project import ROOT, SUBMISSIONS
from support.punto_banco import PUNTO_BANCO
from support.table import wager
from support.verified import verify_log

KEPT: Final = sorted((ROOT / "tests" / "data" / "logs" / "editions").glob("*.gz"))


@pytest.mark.parametrize("path", KEPT, ids=lambda path: path.name)
def test_a_kept_log_conforms_under_its_edition(path: Path) -> None:
    verdict = verify_log(path)
    assert verdict.divergence is None
    assert verdict.is_clean
    assert not verdict.is_open
    assert verdict.rounds >= 10
    assert f".edition-{verdict.header.edition}." in path.name
    corrections = {one.of[0] for one in verdict.header.rules.law.corrections if one.binds}
    assert all({*one.corrections} <= corrections for one in verdict.differences)


def test_there_is_a_kept_log_of_every_submission() -> None:
    kept = {path.name.partition(".")[0] for path in KEPT}
    assert kept == {path.stem for path in SUBMISSIONS}


def test_there_is_a_kept_log_of_every_edition() -> None:
    complete = {law.key for law in instruments() if not law.partial}
    known = {(one.law, one.edition) for one in editions() if one.law in complete}
    headers = [read(gzip.decompress(path.read_bytes()))[0] for path in KEPT]
    assert {(f"{one['law']}@{_in_force(one)}", one["edition"]) for one in headers} == known


def _in_force(header: dict[str, object]) -> str:
    found = (one for one in instruments() if one.id == header["law"] and not one.partial)
    return str(next(found).in_force_from)


def test_a_third_card_was_any_other_before_it_had_a_clause_of_its_own(tmp_path: Path) -> None:
    """Edition 3 of Massachusetts had a seen third card for Player's Hand, dealt after Banker's
    Hand had drawn, begin a simulated round; today's reads so where a licensee elects it.
    """
    path = tmp_path / "table.jsonl"
    plain = rules_of()
    submission = plain.submission
    readings = {**submission.readings, "C153": "any-other"}
    rules = table_rules(replace(submission, readings=readings))
    with recorded(path, rules) as writer:
        session = open_table(rules, 2, record=writer)
        advance(session, Phase.BETTING)
        wager(session, (2, "player", 5_000))
        deal(session, "6h 2d Th Qs 4c")
        session.execute(acts.DrawCardInError(Card.of("9c"), disclosed=True, dealt_to=Hand.PLAYER))
    header, *entries = read(path.read_bytes())
    del header["interpretations"]["C153"], header["readings"]["C153"]
    header |= {"binding_sha256": plain.sha256, "cited_sha256": plain.cited_sha256}
    today = header["edition"], header["law_sha256"]
    edition = next(one for one in editions() if (one.law, one.edition) == (plain.law.key, 3))
    for (number, file), told in (((3, edition.files[0]), 1), (today, 0)):
        header |= {"edition": number, "law_sha256": file}
        path.write_bytes(chained(map(dump, (header, *entries))))
        verdict = verify_log(path)
        assert len(verdict.differences) == told
        assert (verdict.divergence is None) == bool(told)
    assert verdict.divergence is not None
    assert verdict.divergence.line == len(entries) + 1


def test_a_reading_that_was_counted_as_binding_is_still_read() -> None:
    """C78 was among what binds a table for some time; both kinds of logs are honest."""
    named = {
        path.name: "C78" in read(gzip.decompress(path.read_bytes()))[0]["readings"]
        for path in KEPT
        if path.name.startswith("ma-house-money.")
    }
    assert named == {
        "ma-house-money.edition-1.jsonl.gz": False,
        "ma-house-money.edition-5.jsonl.gz": True,
    }


def test_bankers_third_card_was_held_while_players_third_lay_face_down(tmp_path: Path) -> None:
    """Edition 5 of Massachusetts held the next card for the next hand; today it waits."""
    path = tmp_path / "table.jsonl"
    plain = rules_of()
    submission = plain.submission
    readings = {**submission.readings, "C11": "error"}
    rules = table_rules(replace(submission, readings=readings))
    with recorded(path, rules) as writer:
        session = open_table(rules, 2, record=writer)
        advance(session, Phase.BETTING)
        wager(session, (2, "player", 5_000))
        deal(session, "2h 3d Th Qs")
        session.execute(acts.DrawCard(Card.of("4c")))
        early = acts.DrawCardInError(Card.of("9c"), disclosed=False, dealt_to=Hand.BANKER)
        session.execute(early)
    header, *entries = read(path.read_bytes())
    del header["interpretations"]["C11"]
    header["readings"] = dict(plain.binding_readings)
    header |= {"binding_sha256": plain.sha256, "cited_sha256": plain.cited_sha256}
    today = header["edition"], header["law_sha256"]
    edition = next(one for one in editions() if (one.law, one.edition) == (plain.law.key, 5))
    for (number, file), told in (((5, edition.files[0]), 1), (today, 0)):
        header |= {"edition": number, "law_sha256": file}
        path.write_bytes(chained(map(dump, (header, *entries))))
        verdict = verify_log(path)
        assert [one.corrections for one in verdict.differences] == [
            ("irregularity.drawn_in_error",)
        ] * told
        assert (verdict.divergence is None) == bool(told)


def _judged(
    path: Path, entries: list[dict[str, object]], header: dict[str, object], correction: str
) -> list[int]:
    """Return how many differences a log has before a correction and today; -1 diverges."""
    found = []
    law = f"{header['law']}@{_in_force(header)}"
    today = header["edition"], header["law_sha256"]
    before = [one for one in editions() if one.law == law and correction not in one.corrected][-1]
    for number, file in ((before.edition, before.files[0]), today):
        path.write_bytes(
            chained(map(dump, (header | {"edition": number, "law_sha256": file}, *entries)))
        )
        verdict = verify_log(path)
        found.append(-1 if verdict.divergence else len(verdict.differences))
    return found


@contextmanager
def minibaccarat(path: Path, *seats: int) -> Iterator[TableSession]:
    """Open a recorded table under today's rules."""
    rules = table.rules_of()
    with recorded(path, rules) as writer:
        yield table.MINIBACCARAT.open(rules, *seats, record=writer)


def test_third_cards_were_not_ruled_on_again_after_a_misread_card(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with minibaccarat(path, 2) as session:
        advance(session, Phase.BETTING)
        wager(session, (2, "player", 5_000))
        table.deal(session, "Kd Th 5h 3s 4s")
        session.execute(
            acts.CorrectMisreadCard(Card.of("5h"), Card.of("6h"), "Flo", Hand.PLAYER, 2)
        )
    header, *entries = read(path.read_bytes())
    events = entries[-1]["events"]
    rulings = [one for one in events if one["type"] == "ThirdCardRuled"]
    assert len(rulings) == 2
    entries[-1]["events"] = [one for one in events if one not in rulings]
    assert _judged(path, entries, header, "third.decide") == [1, -1]


def test_a_gaming_day_could_be_ended_again_at_once(tmp_path: Path) -> None:
    path, rules = tmp_path / "table.jsonl", table.rules_of()
    with minibaccarat(path) as session:
        session.execute(acts.EndGamingDay("Clark"))
        session.execute(acts.EndGamingDay("Clark", "Flo", "again"))
    header, *entries = read(path.read_bytes())
    del entries[-1]["command"]["supervisor"], entries[-1]["command"]["reason"]
    header["cited_sha256"] = min(rules.cited_sha256_before())
    assert entries[-1]["events"].pop(0)["type"] == "RulingGiven"
    assert _judged(path, entries, header, "forms.duplicate") == [1, -1]


def test_entries_of_the_register_had_other_numbers(tmp_path: Path) -> None:
    """C203 and C204 were C173 and C174 in programs of one day."""
    path, rules = tmp_path / "table.jsonl", table.rules_of()
    with minibaccarat(path, 2) as session:
        advance(session, Phase.TO_BURN)
        session.execute(acts.FindBurnShort("Flo", "counted", hand_begun=True))
        session.execute(acts.EndGamingDay("Clark"))
        session.execute(acts.EndGamingDay("Clark", "Flo", "again"))
    header, *entries = read(path.read_bytes())
    ruling, short = (
        next(one for entry in entries for one in entry["events"] if one["type"] == kind)
        for kind in ("RulingGiven", "BurnFellShort")
    )
    assert (ruling["entry"], short["clauses"][-1]) == ("C204", "C203")
    ruling["entry"], short["clauses"][-1] = "C174", "C173"
    for cited, stands in ((max(rules.cited_sha256_before()), True), (rules.cited_sha256, False)):
        header["cited_sha256"] = cited
        path.write_bytes(chained(map(dump, (header, *entries))))
        assert (verify_log(path).divergence is None) == stands
    ruling["entry"] = "C999"
    header["cited_sha256"] = max(rules.cited_sha256_before())
    path.write_bytes(chained(map(dump, (header, *entries))))
    assert verify_log(path).divergence is not None


def test_a_supervisor_could_be_blank(tmp_path: Path) -> None:
    path, rules = tmp_path / "table.jsonl", table.rules_of()
    with minibaccarat(path, 2) as session:
        advance(session, Phase.BETTING)
        refusal = table.refused(session, acts.DismissPatron(2, " ", "asleep"), "nobody")
        assert refusal.message == "'supervisor' is blank: name the supervisor"
        session.execute(acts.DismissPatron(2, "Flo", "asleep"))
    header, *entries = read(path.read_bytes())
    *_, last = entries
    last["command"]["supervisor"] = last["events"][0]["supervisor"] = " "
    for cited, stands in ((max(rules.cited_sha256_before()), True), (rules.cited_sha256, False)):
        header["cited_sha256"] = cited
        path.write_bytes(chained(map(dump, (header, *entries))))
        verdict = verify_log(path)
        assert (verdict.divergence is None) == stands
        assert [one.corrections for one in verdict.differences] == [("blank names",)] * stands


def test_an_ordered_pass_cited_the_order_alone_though_banker_lost(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    rules = PUNTO_BANCO.rules()
    with recorded(path, rules) as writer:
        session = PUNTO_BANCO.open(rules, 1, 2, record=writer)
        advance(session, Phase.BETTING)
        session.execute(acts.AcceptShoe(1))
        wager(session, (2, "player", 5_000))
        PUNTO_BANCO.call(session)
        session.execute(acts.OrderPass("dealer", "delay"))
        PUNTO_BANCO.play(session, "9h 8d Kh Ks")
    header, *entries = read(path.read_bytes())
    passed = next(
        one for entry in entries for one in entry["events"] if one["type"] == "ShoePassed"
    )
    assert passed["clauses"] == ["NJ-PB:3.11(a)2", "NJ-PB:3.11(a)1"]
    passed["clauses"] = ["NJ-PB:3.11(a)2"]
    assert _judged(path, entries, header, "curator.must_pass") == [1, -1]
    passed["clauses"] = []
    assert _judged(path, entries, header, "curator.must_pass") == [-1, -1]


def test_newcomers_at_an_empty_table_answered_the_offer_of_a_passed_shoe(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    rules = PUNTO_BANCO.rules()
    with recorded(path, rules) as writer:
        session = PUNTO_BANCO.open(rules, 1, record=writer)
        advance(session, Phase.BETTING)
        PUNTO_BANCO.play(session, "8h 9d Kh Ks")
        for command in (acts.LeaveTable(1), acts.SeatPatron(4, "Dora"), acts.AcceptShoe(4)):
            session.execute(command)
    header, *entries = read(path.read_bytes())
    (named,) = entries[-1]["events"]
    assert named["clauses"] == ["NJ-PB:3.6(b)", "NJ-PB:3.6(c)"]
    named["clauses"] = ["NJ-PB:3.11(b)#2"]
    assert _judged(path, entries, header, "curator.next") == [1, -1]
    named["clauses"] = ["NJ-PB:3.6(b)"]
    assert _judged(path, entries, header, "curator.next") == [-1, -1]


def test_the_cut_began_with_the_curator_who_had_to_pass_the_shoe_at_once(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    rules = PUNTO_BANCO.rules(readings={"C88": "at-once"})
    with recorded(path, rules) as writer:
        session = PUNTO_BANCO.open(rules, 1, 2, 3, record=writer)
        PUNTO_BANCO.load_short_shoe(session)
        while session.state.hands_left is None:
            PUNTO_BANCO.play(session, "8h 9d Kh Ks")
        PUNTO_BANCO.call(session)
        session.execute(acts.OrderPass("dealer", "delay"))
        session.execute(acts.AcceptShoe(2))
        PUNTO_BANCO.play(session, "8h 9d Kh Ks")
        session.execute(acts.ShuffleCards())
        session.execute(acts.LaceStack())
    header, *entries = read(path.read_bytes())
    offered = entries[-1]["events"][-1]
    assert (offered["type"], offered["seat"], offered["waiting"]) == ("CutOffered", 2, [1, 3])
    offered |= {"seat": 1, "waiting": [3, 2]}
    assert _judged(path, entries, header, "cut.offer_from") == [1, -1]
    offered |= {"seat": 1, "waiting": [2, 3]}
    assert _judged(path, entries, header, "cut.offer_from") == [-1, -1]


def test_one_dealer_counted_as_several_of_three(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    rules = PUNTO_BANCO.rules(shuffle__finish="three-dealers")
    with recorded(path, rules) as writer:
        session = PUNTO_BANCO.open(rules, 1, record=writer)
        advance(session, Phase.TO_SHUFFLE)
        for dealer in ("Dana", "Dora"):
            session.execute(acts.ShuffleCards(dealer))
        table.refused(session, acts.ShuffleCards("dana "), "dealer")
    header, *entries = read(path.read_bytes())
    command, (shuffled,) = entries[-1]["command"], entries[-1]["events"]
    command["dealer"] = shuffled["dealer"] = "dana "
    assert _judged(path, entries, header, "shuffle.three_dealers") == [1, -1]
    command["dealer"] = shuffled["dealer"] = "Dana"
    assert _judged(path, entries, header, "shuffle.three_dealers") == [-1, -1]


def test_a_patron_who_walked_away_looked_at_the_spread(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with minibaccarat(path, 1, 2) as session:
        advance(session, Phase.BETTING)
        wager(session, (2, "player", 5_000))
        table.deal(session, "9h 8d Kh Ks")
        arrival = acts.SeatPatron(5, "Ida")
        for command in (acts.LeaveTable(2), acts.SettleWagers(), acts.ClearLayout(),
                        acts.LeaveTable(1), acts.DeclareIdle(face_up=True), arrival):  # fmt: skip
            session.execute(command)
        table.refused(session, acts.ViewSpread(2), "walked_away")
        session.execute(acts.ViewSpread(5))
    header, *entries = read(path.read_bytes())
    view, (viewed,) = entries[-1]["command"], entries[-1]["events"]
    view["seat"] = viewed["seat"] = 2
    assert _judged(path, entries, header, "opening.spread") == [1, -1]
    view["seat"] = viewed["seat"] = 4
    assert _judged(path, entries, header, "opening.spread") == [-1, -1]


def test_a_patron_who_walked_away_withdrew_and_saw_a_card(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with minibaccarat(path, 1, 2) as session:
        advance(session, Phase.BETTING)
        wager(session, (1, "player", 5_000), (2, "player", 5_000))
        session.execute(acts.CallNoMoreBets())
        session.execute(acts.LeaveTable(2))
        error = acts.DrawCardInError(Card.of("9c"), disclosed=True, seen_by=(2,))
        table.refused(session, error, "walked_away")
        table.refused(session, acts.ChangeChips(2, {10_000: 1}, {2_500: 4}), "walked_away")
        session.execute(acts.ChangeChips(1, {10_000: 1}, {2_500: 4}))
    header, *entries = read(path.read_bytes())
    command, (changed,) = entries[-1]["command"], entries[-1]["events"]
    command["seat"] = changed["seat"] = 2
    assert _judged(path, entries, header, "wagers.closed") == [1, -1]
    command["seat"] = changed["seat"] = 3
    assert _judged(path, entries, header, "wagers.closed") == [-1, -1]


def test_a_burn_with_discards_in_it_was_not_completed(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with minibaccarat(path, 2) as session:
        advance(session, Phase.TO_BURN)
        session.execute(acts.DrawCard(Card.of("2h")))
        session.execute(acts.FindFaceUpCard(Card.of("As")))
        for card in ("4h", "5h", "6h"):
            session.execute(acts.DrawCard(Card.of(card)))
        assert session.state.phase is Phase.BETTING
        session.execute(acts.CorrectMisreadCard(Card.of("2h"), Card.of("5h"), "Flo", None, 1))
    header, *entries = read(path.read_bytes())
    again = entries[-1]["events"][-1]
    assert (again["due"], again["burned"], again["to_burn"]) == (5, 2, 3)
    again["to_burn"] = 0
    assert _judged(path, entries, header, "wagers.closed") == [1, -1]
    again["to_burn"] = 1
    assert _judged(path, entries, header, "wagers.closed") == [-1, -1]


def test_chips_were_given_back_for_vigorish_on_a_form(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    rules = table.rules_of(vigorish__collection="deferred")
    with recorded(path, rules) as writer:
        session = table.open_table(rules, 1, 2, record=writer)
        advance(session, Phase.BETTING)
        session.execute(acts.ReceiveForms("Clark", 101, 103))
        wager(session, (1, "banker", 10_000), (2, "banker", 10_000))
        table.play(session, "8h 9d Kh Ks")
        wager(session, (2, "banker", 10_000))
        table.play(session, "8h 9d Kh Ks")
        paper = table.form()
        session.execute(paper)
        session.execute(acts.DropForm(101, paper.pit_boss, paper.pit_clerk))
        session.execute(acts.CollectVigorish(2))
        entry = next(iter(session.position.house.settled))
        truth = acts.CorrectSettlement(entry, "a seven", Hand.BANKER, 1, Card.of("7d"))
        session.execute(replace(truth, returned=(1, 2)))
    header, *entries = read(path.read_bytes())
    corrected_now = entries[-1]["events"][0]
    first, second = corrected_now["differences"]
    # The patron gives back $200 without the $5 that are on the Form; the other had paid them.
    assert (first["cents"], first["vigorish_cents"]) == (-20_000, 0)
    assert (second["cents"], second["vigorish_cents"]) == (-19_500, -500)
    first |= {"cents": -19_500, "vigorish_cents": -500}
    corrected_now["clauses"].remove("C266")
    assert _judged(path, entries, header, "wagers.closed") == [1, -1]
    first |= {"cents": -19_000, "vigorish_cents": -1_000}
    assert _judged(path, entries, header, "wagers.closed") == [-1, -1]


def test_a_wager_recorded_after_the_end_of_its_round_was_drawn_alone(tmp_path: Path) -> None:
    path, rules = tmp_path / "table.jsonl", rules_of(**STAX)
    with recorded(path, rules) as writer:
        session = open_table(rules, 1, 2, record=writer)
        advance(session, Phase.BETTING)
        session.execute(acts.CommitMystery(commitment_to("00" * 32)))
        session.execute(acts.PlaceWagers(1, {"tie": 500, "royal_9": 500}))
        settle(session, PLAYER_9_BANKER_8, (2, "tie", 500))
        session.execute(acts.EndProgressiveRound())
        of = next(iter(session.position.house.settled))
        session.execute(acts.CorrectSettlement(of, "seen", seat=2, wager="royal_9", cents=500))
    header, *entries = read(path.read_bytes())
    meters = entries[-1]["events"][-1]
    assert (meters["type"], meters["seats"]) == ("MetersCorrected", [])
    meters["seats"] = [2]
    assert _judged(path, entries, header, "wagers.royal_9") == [1, -1]
    meters["seats"] = [1, 2]
    assert _judged(path, entries, header, "wagers.royal_9") == [-1, -1]


def test_a_ruling_named_an_entry_that_corrected_another_round(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with minibaccarat(path, 2) as session:
        advance(session, Phase.BETTING)
        for _ in range(2):
            wager(session, (2, "player", 5_000))
            table.play(session, "9h 8d Kh Ks")
        first, second = session.position.house.settled
        session.execute(acts.OpenDispute(2, first, "more lay there"))
        for of in (first, second):
            correction = acts.CorrectSettlement(of, "seen", seat=2, wager="player", cents=7_000)
            session.execute(correction)
        right, wrong = session.position.sequence - 1, session.position.sequence
        ruling = acts.DecideDispute(1, "it did", "Flo", informed=True, corrected=right)
        for other in (wrong, first, second, wrong + 1, 0, -1):
            refusal = table.refused(session, replace(ruling, corrected=other), "entry")
            assert refusal.clauses == ("C181",)
            assert refusal.message.startswith(
                f"entry {other} did not correct the round that entry {first} settled"
            )
        session.execute(ruling)
    header, *entries = read(path.read_bytes())
    command, (decided,) = entries[-1]["command"], entries[-1]["events"]
    assert _judged(path, entries, header, "settlement.pay") == [0, 0]
    command["corrected"] = decided["corrected"] = wrong
    assert _judged(path, entries, header, "settlement.pay") == [1, -1]
    command["corrected"] = right
    assert _judged(path, entries, header, "settlement.pay") == [-1, -1]


def test_a_round_was_drawn_again_once_its_only_wager_was_removed(tmp_path: Path) -> None:
    path, rules = tmp_path / "table.jsonl", rules_of(**STAX)
    with recorded(path, rules) as writer:
        session = open_table(rules, 1, 2, record=writer)
        advance(session, Phase.BETTING)
        session.execute(acts.CommitMystery(commitment_to("00" * 32)))
        session.execute(acts.PlaceWagers(1, {"tie": 500, "royal_9": 500}))
        settle(session, PLAYER_9_BANKER_8, (2, "tie", 500))
        session.execute(acts.EndProgressiveRound())
        of = next(iter(session.position.house.settled))
        for seat, cents in ((1, 0), (2, 500)):
            session.execute(
                acts.CorrectSettlement(
                    of, "it lay at the other chair", seat=seat, wager="royal_9", cents=cents
                )
            )
    header, *entries = read(path.read_bytes())
    meters = entries[-1]["events"][-1]
    assert (meters["type"], meters["seats"]) == ("MetersCorrected", [])
    meters["seats"] = [2]
    assert _judged(path, entries, header, "settlement.pay") == [1, -1]
    meters["seats"] = [1]
    assert _judged(path, entries, header, "settlement.pay") == [-1, -1]


@pytest.mark.parametrize("correction", ["settlement.pay", "wagers.royal_9"])
@pytest.mark.parametrize("is_cleared", [False, True])
def test_no_edition_drew_again_for_a_removed_wager_or_once_the_layout_was_cleared(
    tmp_path: Path,
    correction: str,
    is_cleared: bool,  # noqa: FBT001  (a case)
) -> None:
    path, rules = tmp_path / "table.jsonl", rules_of(**STAX)
    with recorded(path, rules) as writer:
        session = open_table(rules, 1, 2, record=writer)
        advance(session, Phase.BETTING)
        session.execute(acts.CommitMystery(commitment_to("00" * 32)))
        session.execute(acts.PlaceWagers(1, {"tie": 500, "royal_9": 500}))
        settle(session, PLAYER_9_BANKER_8, (2, "tie", 500))
        session.execute(acts.EndProgressiveRound())
        of = next(iter(session.position.house.settled))
        removed = acts.CorrectSettlement(of, "none lay there", seat=1, wager="royal_9", cents=0)
        session.execute(removed)
        if is_cleared:
            session.execute(acts.ClearLayout())
            session.execute(replace(removed, seat=2, cents=500))
    header, *entries = read(path.read_bytes())
    assert _judged(path, entries, header, correction) == [0, 0]
    meters = entries[-1]["events"][-1]
    assert (meters["type"], meters["seats"]) == ("MetersCorrected", [])
    meters["seats"] = [entries[-1]["command"]["seat"]]
    assert _judged(path, entries, header, correction) == [-1, -1]


def test_the_award_of_a_draw_was_paid_while_its_round_was_in_dispute(tmp_path: Path) -> None:
    hand_pay = {"wagers__royal_9__hand_pay__offered": True, "wagers__royal_9__hand_pay__above": "1"}
    full = {**STAX, **hand_pay, "wagers__royal_9__stax__must_hit_by": "500.05"}
    path, rules = tmp_path / "table.jsonl", rules_of(**full)
    with recorded(path, rules) as writer:
        session = open_table(rules, 1, record=writer)
        advance(session, Phase.BETTING)
        session.execute(acts.CommitMystery(commitment_to("00" * 32)))
        # The King-9 of chair 1 is due by hand as well.
        settle(session, "Ks 2d 9h 5s", (1, "player", 2_500), (1, "royal_9", 500))
        session.execute(acts.OpenDispute(1, session.position.sequence, "the amount"))
        session.execute(acts.EndProgressiveRound("00" * 32))
        for number in (1, 2):
            table.refused(session, acts.PayByHand(number, 1), "disputed")
        session.execute(acts.DecideDispute(1, "it stands", "Flo", informed=True))
        session.execute(acts.PayByHand(2, 1))
    header, *entries = read(path.read_bytes())
    # Before the ruling, which then is not reached.
    entries[-2]["command"], entries[-2]["events"] = entries[-1]["command"], entries[-1]["events"]
    entries.pop()
    assert _judged(path, entries, header, "settlement.pay") == [1, -1]
    command, (paid,) = entries[-1]["command"], entries[-1]["events"]
    command["number"] = paid["number"] = 1
    assert _judged(path, entries, header, "settlement.pay") == [-1, -1]


def test_no_award_of_a_draw_was_paid_while_a_round_of_the_day_before_was_in_dispute(
    tmp_path: Path,
) -> None:
    hand_pay = {"wagers__royal_9__hand_pay__offered": True, "wagers__royal_9__hand_pay__above": "1"}
    full = {**STAX, **hand_pay, "wagers__royal_9__stax__must_hit_by": "500.05"}
    path, rules = tmp_path / "table.jsonl", rules_of(**full)
    with recorded(path, rules) as writer:
        session = open_table(rules, 1, record=writer)
        advance(session, Phase.BETTING)
        settle(session, PLAYER_9_BANKER_8, (1, "tie", 500))
        session.execute(acts.OpenDispute(1, session.position.sequence, "more lay there"))
        for command in (acts.ClearLayout(), acts.LeaveTable(1), acts.CloseTable()):
            session.execute(command)
        tray = session.ledger.balance(INVENTORY)
        session.execute(acts.OpenTable(tray, "Maya", "Miro", date(2026, 11, 21)))
        session.execute(acts.SeatPatron(1, "Patron 1"))
        session.execute(acts.BuyChips(1, 10_000))
        advance(session, Phase.BETTING)
        session.execute(acts.CommitMystery(commitment_to("00" * 32)))
        settle(session, PLAYER_9_BANKER_8, (1, "player", 2_500), (1, "royal_9", 500))
        session.execute(acts.OpenDispute(1, session.position.sequence, "the amount"))
        session.execute(acts.EndProgressiveRound("00" * 32))
        table.refused(session, acts.PayByHand(1, 1), "disputed")
        ruling = acts.DecideDispute(1, "it stands", "Miro", informed=True)
        session.execute(ruling)
        session.execute(replace(ruling, dispute=2))
        session.execute(acts.PayByHand(1, 1))
    header, *entries = read(path.read_bytes())
    before, second, paid = entries[-3:]
    now = {key: paid[key] for key in ("command", "events")}
    # Once the older dispute is decided, as an older edition paid it; and before.
    assert _judged(path, [*entries[:-2], second | now], header, "settlement.pay") == [1, -1]
    assert _judged(path, [*entries[:-3], before | now], header, "settlement.pay") == [-1, -1]


@pytest.mark.parametrize("log", [path for path in KEPT if ".payment." in path.name], ids=str)
def test_a_payment_was_compared_with_what_was_due_by_an_earlier_correction(
    log: Path, tmp_path: Path
) -> None:
    path, (header, *entries) = tmp_path / "table.jsonl", read(gzip.decompress(log.read_bytes()))
    path.write_bytes(chained(map(dump, (header, *entries))))
    verdict = verify_log(path)
    assert {one.corrections for one in verdict.differences} == {("settlement.collect_first",)}
    law = verdict.header.rules.law
    assert law.corrections[-1].of == ("settlement.collect_first",)
    many = len(verdict.differences)
    today = {"edition": law.edition, "law_sha256": law.sha256}
    assert _judged(path, entries, header | today, "settlement.collect_first") == [many, -1]
    # Of other amounts no edition is an excuse.
    line = verdict.differences[0].found.line
    (corrected_event, *_) = entries[line - 2]["events"]
    corrected_event["differences"][0]["misstated_cents"] += 500
    assert _judged(path, entries, header | today, "settlement.collect_first") == [-1, -1]


def test_an_offer_took_the_place_of_another(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    rules = table.rules_of(deal__option="hand-over", deal__banker_first=False)
    with recorded(path, rules) as writer:
        session = table.open_table(rules, 1, 2, 3, 4, record=writer)
        advance(session, Phase.BETTING)
        wager(session, (1, "player", 10_000), (2, "banker", 10_000))
        table.deal(session, "2h 3d Kh Ks")
        for command in (acts.RelinquishCards(1, Hand.PLAYER), acts.DeclineCards(2, Hand.PLAYER),
                        acts.AcceptCards(3, Hand.PLAYER), acts.HandCards(Hand.PLAYER),
                        acts.ReturnCards(3, Hand.PLAYER),
                        acts.RelinquishCards(2, Hand.BANKER), acts.LeaveTable(3)):  # fmt: skip
            session.execute(command)
    header, *entries = read(path.read_bytes())
    events = entries[-1]["events"]
    names = [event["type"] for event in events]
    assert names == ["PatronLeft", "RightRelinquished", "CardsOffered"]
    other = events[-1] | {"hand": "player", "waiting": [2]}
    events.insert(2, other)
    assert _judged(path, entries, header, "wagers.closed") == [1, -1]
    other["waiting"] = []
    assert _judged(path, entries, header, "wagers.closed") == [-1, -1]


def test_a_hand_left_beside_an_offer_was_the_dealers(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    rules = table.rules_of(deal__option="hand-over", deal__banker_first=False)
    with recorded(path, rules) as writer:
        session = table.open_table(rules, 1, 2, 3, 4, record=writer)
        advance(session, Phase.BETTING)
        wager(session, (1, "player", 10_000), (2, "banker", 10_000))
        table.deal(session, "2h 3d Kh Ks")
        for command in (acts.RelinquishCards(1, Hand.PLAYER), acts.DeclineCards(2, Hand.PLAYER),
                        acts.AcceptCards(3, Hand.PLAYER), acts.RelinquishCards(2, Hand.BANKER),
                        acts.AcceptCards(3, Hand.BANKER), acts.LeaveTable(3),
                        acts.AcceptCards(4, Hand.PLAYER)):  # fmt: skip
            session.execute(command)
    header, *entries = read(path.read_bytes())
    *_, left, accepted = entries
    names = [event["type"] for event in left["events"]]
    assert names == ["PatronLeft", "RightRelinquished", "CardsOffered", "RightRelinquished"]
    # Banker's Hand is offered once Player's Hand is taken.
    next_offer = accepted["events"].pop()
    assert (next_offer["hand"], next_offer["seat"], next_offer["waiting"]) == ("banker", 4, [1])
    assert _judged(path, entries, header, "deal.hand_over") == [1, -1]
    # Or it took the place of the offer of Player's Hand, which nobody could then take.
    entries.pop()
    left["events"].append(next_offer)
    assert _judged(path, entries, header, "deal.hand_over") == [1, -1]
    next_offer["waiting"] = []
    assert _judged(path, entries, header, "deal.hand_over") == [-1, -1]


def test_a_winner_was_shown_without_a_word_in_the_record(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    rules = rules_of(**{**STAX, "wagers__royal_9__stax__must_hit_by": "500.05"})
    with recorded(path, rules) as writer:
        session = open_table(rules, 1, 2, record=writer)
        advance(session, Phase.BETTING)
        session.execute(acts.CommitMystery(commitment_to("11" * 32)))
        for seat in (1, 2):
            session.execute(acts.PlaceWagers(seat, {"tie": 100, "royal_9": 500}))
        settle(session, PLAYER_9_BANKER_8)
        session.execute(acts.EndProgressiveRound("11" * 32))
    header, *entries = read(path.read_bytes())
    events = entries[-1]["events"]
    assert events.pop(1)["type"] == "StaxWinnerShown"
    assert _judged(path, entries, header, "wagers.royal_9.stax") == [1, -1]
    events.pop(0)
    assert _judged(path, entries, header, "wagers.royal_9.stax") == [-1, -1]


def test_a_value_was_committed_to_over_wagers_after_one_was_given_up(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    rules = rules_of(**STAX)
    with recorded(path, rules) as writer:
        session = open_table(rules, 1, record=writer)
        advance(session, Phase.BETTING)
        session.execute(acts.CommitMystery(commitment_to("11" * 32)))
        session.execute(acts.PlaceWagers(1, {"tie": 100, "royal_9": 500}))
        session.execute(acts.ReplaceMystery("the secret was lost"))
        another = acts.CommitMystery(commitment_to("22" * 32))
        table.refused(session, another, "wagered")
    header, *entries = read(path.read_bytes())
    first = next(one for one in entries if one["command"]["type"] == "CommitMystery")
    given = {"commitment": another.commitment}
    (committed,) = (event | given for event in first["events"])
    over = {"command": first["command"] | given, "events": [committed]}
    entries = [*entries, entries[-1] | over | {"seq": entries[-1]["seq"] + 1}]
    assert _judged(path, entries, header, "wagers.royal_9.stax.must_hit_by") == [1, -1]
    committed["above_cents"] += 1
    assert _judged(path, entries, header, "wagers.royal_9.stax.must_hit_by") == [-1, -1]


def test_a_stack_shuffled_by_hand_beside_a_shuffler_was_cut_without_a_finish(
    tmp_path: Path,
) -> None:
    path = tmp_path / "table.jsonl"
    rules = rules_of(device="shuffler", decks=16)
    with recorded(path, rules) as writer:
        session = open_table(rules, 1, record=writer)
        advance(session, Phase.BETTING)
        session.execute(acts.DeclareIdle(face_up=True))
        session.execute(acts.ViewSpread(1))
        session.execute(acts.StackCards())
        session.execute(acts.ExchangeBatches())
        session.execute(acts.RequestInspection(1))
        session.execute(acts.ViewSpread(1))
        session.execute(acts.WashCards())
        table.refused(session, acts.ShuffleCards(), "steps")
        for step in ("riffle", "turn", "riffle", "strip"):
            session.execute(acts.PerformShuffleStep(step))
        session.execute(acts.ShuffleCards())
        table.refused(session, acts.LaceStack(), "finish")
        session.execute(acts.FeatherStack())
        session.execute(acts.VerifyFeather("Miro", even=True))
    header, *entries = read(path.read_bytes())
    *_, washed, _riffle, _turn, _again, _strip, shuffled, _feathered, verified = entries
    offered = verified["events"][-1]
    assert offered["type"] == "CutOffered"
    cut = shuffled | {"events": [*shuffled["events"], offered], "seq": washed["seq"] + 1}
    entries = [*entries[: entries.index(washed) + 1], cut]
    assert _judged(path, entries, header, "shuffle.finish") == [1, -1]


def test_a_payout_that_was_added_was_among_the_wagers_on_a_hand(tmp_path: Path) -> None:
    """The kept log cites equal wagers by what they were with the payout, as its edition did."""
    (kept,) = (path for path in KEPT if ".added-payout." in path.name)
    rules = verify_log(kept).header.rules
    header, *entries = read(gzip.decompress(kept.read_bytes()))
    header["cited_sha256"] = rules.cited_sha256
    path = tmp_path / "table.jsonl"
    path.write_bytes(chained(map(dump, (header, *entries))))
    verdict = verify_log(path)
    assert {one.corrections for one in verdict.differences} == {("deal.holder",)}
    assert all("CardsHanded" in one.found.message for one in verdict.differences)
    law = rules.law
    today = header | {"edition": law.edition, "law_sha256": law.sha256}
    path.write_bytes(chained(map(dump, (today, *entries))))
    divergence = verify_log(path).divergence
    assert divergence is not None
    assert divergence.line == verdict.differences[0].found.line


@pytest.mark.parametrize(
    ("kept", "held_under", "plain", "many"),
    [
        ("nj-minibaccarat.edition-7", "NJ-MINI:7.11(a)#2", "NJ-MINI:7.11(b)", 4),
        ("nj-punto-banco.edition-9", "NJ-PB:3.12(a)#2", "NJ-PB:3.12(b)", 4),
        ("ma.edition-11", "MA-MINI:13(b)#2", "MA-MINI:13(a)", 2),
    ],
)
def test_a_third_card_held_for_the_next_hand_began_it_under_the_general_clause(
    tmp_path: Path, kept: str, held_under: str, plain: str, many: int
) -> None:
    """The kept log has third cards that a hand began with, and one that it passed over."""
    (found,) = (one for one in KEPT if one.name == f"{kept}.held-third.jsonl.gz")
    header, *entries = read(gzip.decompress(found.read_bytes()))
    path = tmp_path / "table.jsonl"
    path.write_bytes(chained(map(dump, (header, *entries))))
    verdict = verify_log(path)
    assert {one.corrections for one in verdict.differences} == {("deal.four_cards",)}
    assert len(verdict.differences) == many
    law = verdict.header.rules.law
    header |= {"edition": law.edition, "law_sha256": law.sha256}
    assert _judged(path, entries, header, "deal.four_cards") == [many, -1]
    used = next(one for one in entries if one["command"]["type"] == "UseHeldCard")
    cited = used["events"][0]["clauses"]
    assert cited[0] == plain
    cited[0] = held_under.replace("#2", "#1")
    assert _judged(path, entries, header, "deal.four_cards") == [-1, -1]


@pytest.mark.parametrize(
    ("kept", "before_shoe", "after_shoe", "last_hand"),
    [
        ("ma.edition-11", 0, 6, "MA-MINI:9(e)#3"),
        ("nj-minibaccarat.edition-7", 3, 3, "NJ-MINI:7.8(e)#3"),
        ("nj-punto-banco.edition-9", 3, 3, "NJ-PB:3.8(e)#3"),
        ("ny-mini.edition-6", 3, 3, "T47"),
    ],
)
def test_every_shoe_ended_with_a_last_hand(
    tmp_path: Path, kept: str, before_shoe: int, after_shoe: int, last_hand: str
) -> None:
    """The kept log has cards that left a shoe whose cards were found damaged at its end or
    shuffled by direction, and others that left it after the next shoe was begun to be mixed.
    """
    (found,) = (one for one in KEPT if one.name == f"{kept}.set-found-wrong.jsonl.gz")
    header, *entries = read(gzip.decompress(found.read_bytes()))
    path = tmp_path / "table.jsonl"
    path.write_bytes(chained(map(dump, (header, *entries))))
    verdict = verify_log(path)
    assert {one.corrections for one in verdict.differences} == {("irregularity.face_up_card",)}
    refused = [one for one in verdict.differences if "not allowed" in one.found.message]
    assert (len(refused), len(verdict.differences)) == (before_shoe, before_shoe + after_shoe)
    law = verdict.header.rules.law
    header |= {"edition": law.edition, "law_sha256": law.sha256}
    many = before_shoe + after_shoe
    assert _judged(path, entries, header, "irregularity.face_up_card") == [many, -1]
    events = [event for entry in entries for event in entry.get("events", ())]
    left = next(one for one in events if one["clauses"] == [last_hand, "C202"])
    left["clauses"] = ["C202"]
    assert _judged(path, entries, header, "irregularity.face_up_card") == [-1, -1]


@pytest.mark.parametrize(
    ("law", "corrections"),
    [
        ("au-nsw", {"irregularity.face_up_card": 2}),
        ("us-pa", {"irregularity.face_up_card": 2}),
        ("no-hand-after-call", {"announce.last_hand": 4, "irregularity.face_up_card": 2}),
    ],
)
def test_a_law_of_ones_own_had_the_procedures_of_its_program(
    tmp_path: Path, law: str, corrections: dict[str, int]
) -> None:
    """The kept log, with its law in it, has what the version of its citations did, and no more."""
    kept = ROOT / "tests" / "data" / "logs" / "laws" / f"{law}.jsonl.gz"
    header, *entries = read(gzip.decompress(kept.read_bytes()))
    path = tmp_path / "table.jsonl"

    def judged(cited_sha256: object) -> Verdict:
        stated = header | {"cited_sha256": cited_sha256}
        path.write_bytes(chained(map(dump, (stated, *entries))))
        return verify_log(path)

    verdict = judged(header["cited_sha256"])
    assert verdict.is_clean
    assert Counter(one.corrections for one in verdict.differences) == {
        (name,): many for name, many in corrections.items()
    }
    rules, first = verdict.header.rules, verdict.differences[0].found.line
    # A correction raises the version of citations of laws that are not included.
    earlier = rules.cited_sha256_before()
    assert all(until <= len(earlier) for until, _ in corrected._FORMER.values())  # noqa: SLF001
    divergence = judged(rules.cited_sha256).divergence
    assert divergence is not None
    assert divergence.line <= first
    left = next(one for one in entries if one["command"]["type"] == "DrawCardInError")
    left["events"][0]["disclosed"] = not left["events"][0]["disclosed"]
    assert judged(header["cited_sha256"]).divergence is not None


@pytest.mark.parametrize("clauses", [["NO-LAW:1"], ["MA-MINI:99(z)"], "MA-MINI:4(a)", [7], {}])
def test_a_log_of_an_earlier_edition_cites_what_there_is(tmp_path: Path, clauses: object) -> None:
    """Which clauses an earlier version cited is unknown, not that they are clauses."""
    kept = next(path for path in KEPT if path.name == "ma-royal-9.edition-3.jsonl.gz")
    header, *entries = read(gzip.decompress(kept.read_bytes()))
    event = next(one for entry in entries for one in entry["events"] if one["clauses"])
    path = tmp_path / "table.jsonl"
    path.write_bytes(chained(map(dump, (header | {"cited_sha256": "0" * 64}, *entries))))
    assert verify_log(path).divergence is None
    event["clauses"] = clauses
    path.write_bytes(chained(map(dump, (header | {"cited_sha256": "0" * 64}, *entries))))
    assert verify_log(path).divergence is not None
