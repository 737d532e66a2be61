"""Corrections where meters, House Money, markers, and changes of elections have their say."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import pytest

from croupier import acts
from croupier.acts import Command, Difference, SettlementCorrected
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.table import Phase, Refusal
from croupier.table.machine.offered import acts as offered_acts
from croupier.table.machine.session import TableSession
from croupier.verify.log import verify_log
from support import massachusetts
from support.forged_logs import event_of, forged, has, read, where
from support.games import advance
from support.logs import recorded
from support.table import deal, only, open_table, ready, rules_of, wager

BANKER_WINS: Final = "8h 9d Kh Ks"


def differences(session: TableSession, command: Command) -> tuple[Difference, ...]:
    """Carry out a correction; every account stays as it may be."""
    found = only(session.execute(command), SettlementCorrected).differences
    assert session.ledger.in_balance
    return found


def refused(session: TableSession, command: Command) -> str:
    answer = session.try_execute(command)
    assert isinstance(answer, Refusal), answer
    return answer.code


def low(of: int, *returned: int) -> acts.CorrectSettlement:
    """Say that Banker's 9 was a 7, so that Player wins."""
    return acts.CorrectSettlement(
        of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("7d"), returned=returned
    )


def settled(session: TableSession, *wagers: tuple[int, str, int]) -> int:
    wager(session, *wagers)
    deal(session, BANKER_WINS)
    session.execute(acts.SettleWagers())
    of = session.position.sequence
    session.execute(acts.ClearLayout())
    return of


def test_vigorish_that_was_collected_is_given_back_in_chips() -> None:
    session = ready(3, vigorish__collection="deferred")
    of = settled(session, (3, "banker", 100_00))
    session.execute(acts.CollectVigorish(3))
    (one,) = differences(session, low(of))
    # Won 100 and should have lost 100; the 5 of vigorish were not due.
    assert (one.cents, one.marked_cents, one.vigorish_cents) == (-195_00, 0, -5_00)
    assert session.state.seats[3].owed_cents == 0


def test_a_correction_that_the_register_does_not_allow_is_refused_under_its_entry() -> None:
    session = ready(3, 5)
    of = settled(session, (3, "banker", 100_00))
    session.execute(acts.LeaveTable(3))
    moved = acts.CorrectWager(of, 5, "banker", 100_00, "camera")
    for command, code, entry in (
        (low(1), "entry", "C112"),
        (low(of, 3), "returned", "C112"),
        (low(of, 5), "returned", "C112"),
        (moved, "entry", "C111"),
    ):
        answer = session.try_execute(command)
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.clauses) == (code, (entry,))


def test_who_has_left_returns_nothing_and_who_has_no_chips_neither() -> None:
    session = ready(3, 5)
    of = settled(session, (3, "banker", 100_00))
    session.execute(acts.LeaveTable(3))
    assert refused(session, low(of, 3)) == "returned"
    (one,) = differences(session, low(of))
    assert (one.now, one.outcome) == (None, "uncollected")
    session = ready(3, chips_cents=100_00)
    of = settled(session, (3, "banker", 100_00))
    wager(session, (3, "player", 195_00))
    assert refused(session, low(of, 3)) == "chips"


def test_a_round_is_settled_again_under_the_elections_it_was_settled_under() -> None:
    session = ready(3)
    of = settled(session, (3, "banker", 100_00), (3, "tie", 5_00))
    session.execute(acts.AdoptElections({"wagers.tie.pays": "9:1"}))
    tie = acts.CorrectSettlement(of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("8d"))
    (one,) = differences(session, tie)
    # The $5 on Tie win $40 at 8:1 and come back; $95 of Banker's payment were not due.
    assert one.cents == 40_00 + 5_00 - 95_00


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
def test_an_award_of_a_meter_that_tables_share_is_not_corrected() -> None:
    session = massachusetts.ready(1, **massachusetts.ROYAL_9)
    meters = {"star": 10_000_00, "spade": 1_000_00, "heart": 1_000_00}
    session.execute(acts.ReadMeters("floor", meters))
    massachusetts.settle(session, "Ks 2d 9h 5s", (1, "player", 25_00), (1, "royal_9", 5_00))
    of = session.position.sequence
    queen = acts.CorrectSettlement(of, "x", hand=Hand.PLAYER, ordinal=1, actual=Card.of("Qs"))
    assert refused(session, queen) == "meter"
    # Another wager of the round is corrected, and the award stands.
    (one,) = differences(
        session, acts.CorrectSettlement(of, "x", seat=1, wager="player", paid_cents=10_00)
    )
    assert (one.cents, one.outcome) == (15_00, "paid")


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
def test_an_award_due_by_hand_is_withdrawn_before_the_cage_pays_it() -> None:
    session = massachusetts.ready(
        1,
        **massachusetts.ROYAL_9,
        wagers__royal_9__hand_pay__offered=True,
        wagers__royal_9__hand_pay__above="500.00",
    )
    massachusetts.settle(session, "Ks 2d 9h 5s", (1, "player", 25_00), (1, "royal_9", 5_00))
    of = session.position.sequence
    paid = acts.CorrectSettlement(of, "x", seat=1, wager="royal_9", paid_cents=25_00)
    assert refused(session, paid) == "by_hand"
    queen = acts.CorrectSettlement(of, "x", hand=Hand.PLAYER, ordinal=1, actual=Card.of("Qs"))
    (one,) = differences(session, queen)
    # The $25.00 of any Royal 9 are paid at the table, and nothing is due by hand any more.
    assert (one.cents, one.outcome) == (25_00, "paid")
    assert refused(session, acts.PayByHand(1, 7)) == "nothing_due"
    assert session.ledger.balance("hand pays") == 0
    assert session.ledger.balance("meter:heart") == 1_000_10


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
def test_a_payout_that_was_not_due_was_not_the_patrons_to_add() -> None:
    session = massachusetts.ready(1, **massachusetts.HOUSE_MONEY)
    wager(session, (1, "house_money", 10_00), (1, "player", 25_00))
    placed = session.position.sequence
    massachusetts.deal(session, "2h 3d 2c Ks")
    session.execute(acts.SettleHouseMoney({1: "player"}))
    again = acts.CorrectWager(placed, 1, "house_money", 20_00, "it was paid already")
    assert refused(session, again) == "settled"
    massachusetts.deal(session, "5h Kc")
    assert session.state.phase is Phase.DECIDED
    session.execute(acts.SettleWagers())
    # A pair pays 3 to 1 on 10: 30, which go on Player; with 9 to 3 Player pays 55.
    assert session.state.seats[1].chips_cents == massachusetts.HELD + 30_00 + 55_00
    of = session.position.sequence
    # In truth 2h and 3c are no pair, and Player's 0 loses to Banker's 3: 10 and 25 are lost.
    (one,) = differences(
        session,
        acts.CorrectSettlement(
            of, "camera", hand=Hand.PLAYER, ordinal=2, actual=Card.of("3c"), returned=(1,)
        ),
    )
    assert one.cents == -35_00 - 85_00
    assert session.state.seats[1].chips_cents == massachusetts.HELD - 35_00


def test_a_log_whose_line_names_another_entry_diverges(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with recorded(path, rules_of()) as writer:
        session = open_table(rules_of(), 3, record=writer)
        advance(session, Phase.BETTING)
        wager(session, (3, "banker", 100_00))
        of = session.position.sequence
        session.execute(acts.CorrectWager(of, 3, "banker", 120_00, "keyed"))
    assert verify_log(path).is_clean
    lines = [*read(path.read_bytes()), {"entries": 0, "prev": "0" * 64}]
    assert lines[-2]["corrects"] == of
    for other in (of - 1, None):
        lines[-2]["corrects"] = other
        path.write_bytes(forged(lines))
        divergence = verify_log(path).divergence
        assert divergence is not None
        assert f"about entry {of}" in divergence.message


def test_a_corrected_stake_from_before_it_cited_the_law_still_conforms(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with recorded(path, rules_of()) as writer:
        session = open_table(rules_of(), 3, record=writer)
        advance(session, Phase.BETTING)
        wager(session, (3, "banker", 100_00))
        of = session.position.sequence
        events = session.execute(acts.CorrectWager(of, 3, "banker", 120_00, "keyed"))
    # A wager is made in chips: 7.2(c).
    assert only(events, acts.WagerCorrected).clauses == ("NJ-MINI:7.2(c)#1", "C111")
    lines = [*read(path.read_bytes()), {"entries": 0, "prev": "0" * 64}]
    told = event_of(lines[-2], "WagerCorrected")
    for clauses, conforms in ((["C111"], True), (["C112"], False)):
        told |= {"v": 1, "clauses": clauses}
        path.write_bytes(b"".join(forged(lines).splitlines(keepends=True)[:-1]))
        assert (verify_log(path).divergence is None) == conforms


def test_a_correction_from_before_it_cited_the_law_still_conforms(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    with recorded(path, rules_of()) as writer:
        session = open_table(rules_of(), 3, record=writer)
        advance(session, Phase.BETTING)
        of = settled(session, (3, "player", 100_00))
        events = session.execute(low(of))
        session.execute(acts.LeaveTable(3))
        session.execute(acts.CloseTable())
    # Player's 8 beats 7: the stake comes back with what it won.
    amount = only(events, SettlementCorrected).amounts[0]
    assert amount.clauses == ("NJ-MINI:7.10(b)3", "NJ-MINI:7.2(a)2.i", "NJ-MINI:7.3(a)")
    lines = read(path.read_bytes())
    if "entries" not in lines[-1]:
        lines.append({"entries": 0, "prev": "0" * 64})
    told = event_of(lines[where(lines, has("SettlementCorrected"))], "SettlementCorrected")
    told |= {"v": 1, "clauses": ["C112"]}
    for name in ("amounts", "meters", "player", "banker", "winner_was", "winner"):
        del told[name]
    path.write_bytes(forged(lines))
    verdict = verify_log(path)
    assert verdict.divergence is None
    assert "SettlementCorrected.clauses" in verdict.unrecorded
    # A clause that today's correction does not cite was never cited.
    told["clauses"] = ["C113"]
    path.write_bytes(forged(lines))
    assert verify_log(path).divergence is not None


def test_a_wager_that_no_entry_recorded_is_added_to_the_entry_of_no_more_bets() -> None:
    session = ready(1, 2)
    chips = session.state.seats[2].chips_cents
    session.execute(acts.CallNoMoreBets())
    of = session.position.sequence
    offered = offered_acts(session.state, session.rules)
    assert acts.CorrectWager in {act.command for act in offered}
    correct = acts.CorrectWager(of, 2, "player", 100_00, "the chips lay there")
    deal(session, "9h 8d Kh Ks")
    # The tie of the first entry is put right by that of the correction, as any other.
    session.execute(acts.CorrectWager(of, 2, "tie", 50_00, "so did these"))
    session.execute(acts.CorrectWager(session.position.sequence, 2, "tie", 0, "they did not"))
    session.execute(correct)
    session.execute(acts.SettleWagers())
    # Player's 9 beats 8 at 1 to 1.
    assert session.state.seats[2].chips_cents == chips + 100_00
    assert session.ledger.in_balance
    assert refused(session, correct) == "entry"
    session.execute(acts.ClearLayout())
    assert refused(session, correct) == "entry"
    session.execute(acts.CallNoMoreBets())
    assert refused(session, correct) == "entry"


@pytest.mark.parametrize("simulated", [False, True])
def test_no_wager_is_added_to_a_round_that_can_have_none(*, simulated: bool) -> None:
    session = ready(1, 2, irregularity__disclosed_card="simulated-round")
    session.execute(acts.CallNoMoreBets())
    of = session.position.sequence
    if simulated:
        deal(session, "9h 8d Kh Ks")
        session.execute(acts.SettleWagers())
        session.execute(acts.ClearLayout())
        session.execute(acts.DrawCardInError(Card.of("8h"), disclosed=True))
        session.execute(acts.BeginSimulatedRound())
    else:
        session.execute(acts.FindShoeEmpty("Flo"))
        session.execute(acts.VoidRound())
    correct = acts.CorrectWager(of, 2, "player", 100_00, "the chips lay there")
    assert refused(session, correct) == "entry"
