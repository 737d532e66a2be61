"""Section 3(c): the decks in use are changed at least once every 24 hours."""

from __future__ import annotations

from datetime import date, datetime, timedelta, timezone

import pytest

from croupier import acts
from croupier.acts import CardsRemoved, RoundVoided, ShoeLoaded, TimeRecorded
from croupier.baccarat.cards import DECK, Card
from croupier.rules import TableRules
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance, plainest
from support.massachusetts import (
    NOON,
    SHUFFLER,
    at,
    deal,
    load_short_shoe,
    ma,
    play,
    ready,
    rules_of,
    settle,
    shoe_completed,
)
from support.table import due, every, only, refused, wager

DAY = timedelta(hours=24)
A_MOMENT = timedelta(microseconds=1)
OLD = acts.RecordTime(NOON + DAY)

pytestmark = [
    pytest.mark.under("us-ma/minibaccarat@2026-11-20"),
    pytest.mark.clause("MA-MINI:3(c)"),
]


def may_remove(session: TableSession) -> set[bool]:
    """Whether the decks may be taken away now, as what must be done or as what may be."""
    return {one.must for one in session.legal() if one.command is acts.RemoveCards}


def kept(session: TableSession) -> tuple[Card, ...]:
    """The cards that are out of the shoe for a hand to come."""
    return session.state.kept


def hands_left(session: TableSession) -> int | None:
    return session.state.hands_left


def opened(rules: TableRules) -> TableSession:
    session = TableSession(rules)
    session.execute(acts.OpenTable(100_000_000, "Dana", "Flo", date(2026, 11, 20)))
    return session


def test_no_decks_are_received_before_somebody_has_looked_at_the_clock() -> None:
    session = opened(rules_of())
    assert due(session) == {acts.RecordTime}
    assert refused(session, acts.ReceiveCards(8), "time_unknown").clauses == ma("3(c)")
    noted = only(session.execute(acts.RecordTime(NOON)), TimeRecorded)
    assert (noted.at, noted.clauses) == (NOON, ma("3(c)"))
    session.execute(acts.ReceiveCards(8))


def test_the_clock_is_told_in_utc_and_never_goes_back() -> None:
    session = ready(1)
    eastern = timezone(timedelta(hours=-5))
    for wrong in (
        datetime(2026, 11, 21, 12),  # noqa: DTZ001  (of no zone: that is what is wrong)
        datetime(2026, 11, 21, 12, tzinfo=eastern),
        NOON - A_MOMENT,
    ):
        assert refused(session, acts.RecordTime(wrong), "time").clauses == ma("3(c)")
    session.execute(acts.RecordTime(NOON))


def test_decks_are_dealt_until_a_day_is_over_and_not_a_moment_longer() -> None:
    session = ready(1)
    session.execute(acts.RecordTime(NOON + DAY - A_MOMENT))
    assert may_remove(session) == {False}
    play(session, "9h 8d Th Js")
    session.execute(OLD)
    assert may_remove(session) == {True}
    wager(session, (1, "tie", 100))
    answer = refused(session, acts.CallNoMoreBets(), "decks_too_old")
    assert answer.clauses == ma("3(c)")
    assert "24 hours" in answer.message


def test_a_day_counts_from_the_receipt_of_the_decks_and_not_from_the_opening() -> None:
    session = opened(rules_of())
    session.execute(acts.RecordTime(NOON))
    session.execute(acts.RecordTime(NOON + DAY))
    session.execute(acts.ReceiveCards(8))
    session.execute(acts.RecordTime(NOON + DAY + DAY - A_MOMENT))
    session.execute(acts.SeatPatron(1, "Patron 1"))
    session.execute(acts.BuyChips(1, 10_000))
    advance(session, Phase.BETTING)
    play(session, "9h 8d Th Js")
    session.execute(acts.RecordTime(NOON + DAY + DAY))
    assert due(session) == {acts.RemoveCards}


def test_a_round_in_play_is_finished_when_the_day_ends() -> None:
    session = ready(1)
    wager(session, (1, "player", 1000))
    deal(session, "9h 8d")
    assert acts.RecordTime not in {one.command for one in session.legal()}
    session.execute(OLD)
    refused(session, acts.RemoveCards(), "not_now")
    deal(session, "Th Js")
    session.execute(acts.SettleWagers())
    session.execute(acts.ClearLayout())
    assert due(session) == {acts.RemoveCards}


def test_a_wager_that_waits_goes_back_before_old_decks_are_removed() -> None:
    session = ready(1)
    wager(session, (1, "player", 1000))
    session.execute(OLD)
    assert refused(session, acts.RemoveCards(), "wagers").clauses == ()
    session.execute(acts.WithdrawWager(1, "player"))
    session.execute(acts.RemoveCards())


@pytest.mark.clause("MA-MINI:12(d)(2)(i)")
def test_vigorish_that_is_owed_is_collected_before_the_decks_are_changed() -> None:
    session = ready(1, vigorish__collection="deferred")
    play(session, "8h 9d Jh Ts", (1, "banker", 10_000))
    session.execute(OLD)
    answer = refused(session, acts.RemoveCards(), "vigorish_outstanding")
    assert answer.clauses == ma("12(d)(2)(i)")
    session.execute(acts.CollectVigorish(1))
    assert only(session.execute(acts.RemoveCards()), CardsRemoved).clauses == ma("3(c)")


def test_no_free_hand_is_dealt_from_old_decks() -> None:
    session = ready(1, free_hand__allowed=True)
    session.execute(OLD)
    assert refused(session, acts.DealFreeHand(1), "decks_too_old").clauses == ma("3(c)")


@pytest.mark.clause("MA-MINI:4(a)#1", "MA-MINI:4(b)#1", "MA-MINI:4(c)")
def test_after_the_old_decks_others_are_received_inspected_spread_and_washed() -> None:
    session = ready(1)
    play(session, "9h 8d Th Js")
    session.execute(OLD)
    session.execute(acts.RemoveCards())
    assert due(session) == {acts.ReceiveCards}
    refused(session, acts.PlaceWager(1, "player", 1000), "not_now")
    order = []
    while session.state.phase is not Phase.TO_SHUFFLE:
        (command,) = due(session)
        order.append(command)
        session.execute(plainest(session))
    assert order == [
        acts.ReceiveCards, acts.InspectCards, acts.VerifyCards, acts.SpreadCards,
        acts.ViewSpread, acts.WashCards,
    ]  # fmt: skip


@pytest.mark.clause("MA-MINI:5(h)(1)")
def test_new_decks_have_nothing_to_plug_though_cards_were_left_of_the_old_ones() -> None:
    session = ready(1)
    play(session, "9h 8d Th Js")
    session.execute(acts.RemoveCards())
    advance(session, Phase.TO_SHUFFLE)
    answer = refused(session, acts.PerformShuffleStep("plug"), "step")
    assert answer.clauses == ma("5(h)(1)")
    advance(session, Phase.BETTING)
    # A whole shoe again, less the two cards of its burn; and it may run for another day.
    assert session.state.shoe.remaining == 414
    session.execute(acts.RecordTime(NOON + DAY - A_MOMENT))
    play(session, "9h 8d Th Js")


def test_the_decks_may_be_changed_before_their_day_is_over() -> None:
    session = ready(1)
    session.execute(acts.RecordTime(NOON + timedelta(hours=3)))
    session.execute(acts.RemoveCards())
    advance(session, Phase.BETTING)
    session.execute(acts.RecordTime(NOON + timedelta(hours=27) - A_MOMENT))
    assert may_remove(session) == {False}
    session.execute(acts.RecordTime(NOON + timedelta(hours=27)))
    assert may_remove(session) == {True}


def test_at_the_end_of_a_shoe_old_decks_are_changed_and_not_shuffled() -> None:
    session = shoe_completed(1)
    session.execute(OLD)
    assert due(session) == {acts.RemoveCards}
    assert refused(session, acts.ShuffleCards(), "decks_too_old").clauses == ma("3(c)")
    assert refused(session, acts.PerformShuffleStep("plug"), "decks_too_old").clauses == ma("3(c)")


@pytest.mark.parametrize("phase", [Phase.SPREAD_DOWN, Phase.SPREAD_UP, Phase.TO_SHUFFLE])
def test_decks_that_outlive_their_day_at_an_idle_table_are_changed(phase: Phase) -> None:
    session = ready(1)
    session.execute(acts.DeclareIdle(face_up=phase is not Phase.SPREAD_DOWN))
    advance(session, phase)
    session.execute(OLD)
    assert may_remove(session) == {True}
    if phase is Phase.TO_SHUFFLE:
        assert due(session) == {acts.RemoveCards}
        refused(session, acts.PerformShuffleStep("riffle"), "decks_too_old")
    session.execute(acts.RemoveCards())
    advance(session, Phase.VIEWED)
    # The new decks come as at any opening: they are no idle table's cards.
    washed = session.execute(acts.WashCards())
    assert washed[0].clauses == ma("4(c)")
    advance(session, Phase.BETTING)
    play(session, "9h 8d Th Js")


def test_a_card_held_for_the_next_hand_goes_with_the_old_decks() -> None:
    session = ready(1)
    settle(session, "9h 8d Th Js", (1, "player", 1000))
    session.execute(acts.DrawCardInError(Card.of("5c"), disclosed=False))
    session.execute(acts.ClearLayout())
    assert kept(session) == (Card.of("5c"),)
    session.execute(OLD)
    session.execute(acts.RemoveCards())
    assert kept(session) == ()
    advance(session, Phase.BETTING)
    # All 416 cards of the new shoe may be drawn but the ace of the burn.
    assert sum(session.state.shoe.unseen) == 8 * len(DECK) - 1
    wager(session, (1, "tie", 100))
    session.execute(acts.CallNoMoreBets())
    session.execute(acts.DrawCard(Card.of("5c")))


def test_both_batches_are_changed_together() -> None:
    session = ready(1, **SHUFFLER)
    session.execute(OLD)
    session.execute(acts.RemoveCards())
    loaded: list[tuple[int, int]] = []
    session.listeners.append(
        lambda _, events: loaded.extend((one.batch, one.decks) for one in every(events, ShoeLoaded))
    )
    advance(session, Phase.BETTING)
    assert (loaded, session.state.in_device) == ([(1, 8)], 2)


def test_a_shoe_of_new_decks_begins_without_the_cover_card_of_the_last() -> None:
    session = at(Phase.TO_CUT, 1)
    load_short_shoe(session)
    for _ in range(2):
        play(session, "9h 8d Th Js")
    assert hands_left(session) == 1
    session.execute(OLD)
    session.execute(acts.RemoveCards())
    advance(session, Phase.BETTING)
    assert hands_left(session) is None
    for _ in range(3):
        events = play(session, "9h 8d Th Js")
    assert session.state.phase is Phase.BETTING
    assert not every(events, RoundVoided)
