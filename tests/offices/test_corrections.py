"""A wager is corrected until it is settled, a settlement until the table closes; to the cent."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    Difference,
    Event,
    SettlementCorrected,
    WagerCorrected,
)
from croupier.acts.command import EVENT_TERMS
from croupier.acts.roles import Role
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import Hand
from croupier.baccarat.wagers import WAGERS
from croupier.money import ledger
from croupier.records.codec import EVENTS
from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log
from croupier.records.narration import narrate
from croupier.records.stores.snapshot import read_snapshot, snapshot
from croupier.scenarios.vectors.sites import is_of_house
from croupier.table import Phase, Refusal
from croupier.table.machine.position import Stamp
from croupier.table.machine.session import TableSession
from croupier.table.people.offices import Actor
from croupier.verify.log import verify_log
from support.accounts import accounts_of
from support.games import Game, advance
from support.massachusetts import MASSACHUSETTS
from support.new_york import NEW_YORK
from support.punto_banco import PUNTO_BANCO
from support.table import (
    MINIBACCARAT,
    at,
    code_of,
    deal,
    load_short_shoe,
    only,
    play,
    play_out,
    ready,
    rules_of,
    wager,
)

SEAT: Final = 3
BANKER_WINS: Final = "8h 9d Kh Ks"
"""Player 8, Banker 9: naturals, no third card."""


def entry(session: TableSession) -> int:
    """Return the number of the last entry."""
    return session.position.sequence


def settled(session: TableSession, cards: str, *wagers: tuple[int, str, int]) -> int:
    """Play a round as far as its settlement, and return the entry that settled it."""
    wager(session, *wagers)
    deal(session, cards)
    session.execute(acts.SettleWagers())
    return entry(session)


def corrected(session: TableSession, command: acts.CorrectSettlement) -> tuple[Difference, ...]:
    """Carry out a correction; every account stays as it may be."""
    events = session.execute(command)
    assert session.ledger.in_balance
    for seat, patron in session.state.seats.items():
        assert session.ledger.balance(ledger.patron(seat)) == patron.chips_cents
        assert session.ledger.balance(ledger.owed(seat)) == patron.owed_cents
    return only(events, SettlementCorrected).differences


# --- a wager -----------------------------------------------------------------------------------


def test_a_wager_recorded_too_low_is_what_lies_on_the_layout() -> None:
    session = ready(SEAT)
    wager(session, (SEAT, "banker", 100_00))
    placed = entry(session)
    deal(session, "8h 9d Kh Ks")
    events = session.execute(acts.CorrectWager(placed, SEAT, "banker", 1_000_00, "mis-keyed"))
    assert only(events, WagerCorrected).clauses == ("NJ-MINI:7.2(c)#1", "C111")
    assert session.state.stakes[SEAT, "banker"].chips_cents == 1_000_00
    assert session.ledger.balance(ledger.layout(SEAT)) == 1_000_00
    session.execute(acts.SettleWagers())
    # Bought $10,000; $1,000 on Banker wins $1,000 less 5%.
    assert session.state.seats[SEAT].chips_cents == 10_000_00 + 950_00


def test_a_wager_recorded_on_another_area_is_corrected_by_two_entries() -> None:
    session = ready(SEAT)
    wager(session, (SEAT, "banker", 100_00))
    placed = entry(session)
    session.execute(acts.CorrectWager(placed, SEAT, "player", 100_00, "it lies on Player"))
    session.execute(acts.CorrectWager(placed, SEAT, "banker", 0, "it lies on Player"))
    assert {key[1]: one.chips_cents for key, one in session.state.stakes.items()} == {
        "player": 100_00
    }
    assert session.ledger.in_balance


def test_an_entry_is_corrected_again_by_its_own_number() -> None:
    session = ready(SEAT)
    wager(session, (SEAT, "banker", 100_00), (SEAT, "banker", 50_00))
    second = entry(session)
    session.execute(acts.CorrectWager(second, SEAT, "banker", 70_00, "three chips"))
    session.execute(acts.CorrectWager(second, SEAT, "banker", 60_00, "no, two"))
    assert session.state.stakes[SEAT, "banker"].chips_cents == 160_00
    assert code_of(session, acts.CorrectWager(second, SEAT, "banker", 60_00, "x")) == "same"


@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"of": 1}, "entry"),
        ({"seat": 6}, "seat_empty"),
        ({"reason": " "}, "reason"),
        ({"cents": -1}, "amount"),
        ({"cents": True}, "amount"),
        ({"cents": 10_001_00}, "chips"),
        ({"wager": "roulette"}, "not_offered"),
        ({"cents": 1}, "fraction_of_a_cent"),
    ],
)
def test_what_is_no_correction_of_a_wager(change: dict[str, Any], code: str) -> None:
    session = ready(SEAT, 5)
    wager(session, (SEAT, "banker", 100_00))
    fields: dict[str, Any] = {
        "of": entry(session), "seat": SEAT, "wager": "banker", "cents": 200_00, "reason": "keyed",
    } | change  # fmt: skip
    assert code_of(session, acts.CorrectWager(**fields)) == code


def test_a_wager_recorded_for_another_seat_has_an_entry_of_its_own_once_it_is_put_right() -> None:
    session = ready(SEAT, 5)
    wager(session, (5, "banker", 100_00))
    of = entry(session)
    session.execute(acts.CorrectWager(of, 5, "banker", 0, "the other seat"))
    session.execute(acts.CorrectWager(of, SEAT, "banker", 100_00, "the other seat"))
    right = entry(session)
    assert code_of(session, acts.CorrectWager(of, SEAT, "banker", 0, "x")) == "same"
    assert code_of(session, acts.CorrectWager(right, SEAT, "banker", 100_00, "x")) == "same"
    session.execute(acts.CorrectWager(right, SEAT, "banker", 90_00, "no, nine chips"))
    assert {key: stake.cents for key, stake in session.state.stakes.items()} == {
        (SEAT, "banker"): 90_00
    }
    play(session, BANKER_WINS)
    assert code_of(session, acts.CorrectWager(right, SEAT, "banker", 9_00, "late")) == "entry"


def test_a_wager_is_not_corrected_after_its_settlement() -> None:
    session = ready(SEAT)
    wager(session, (SEAT, "banker", 100_00))
    placed = entry(session)
    play(session, BANKER_WINS)
    assert code_of(session, acts.CorrectWager(placed, SEAT, "banker", 9_00, "late")) == "entry"


def test_a_wager_that_was_withdrawn_is_not_corrected() -> None:
    session = ready(SEAT)
    wager(session, (SEAT, "banker", 100_00))
    placed = entry(session)
    session.execute(acts.WithdrawWager(SEAT, "banker"))
    assert code_of(session, acts.CorrectWager(placed, SEAT, "banker", 9_00, "late")) == "entry"


# --- a settlement ------------------------------------------------------------------------------


def test_a_misread_card_turns_a_lost_round_into_a_won_one() -> None:
    session = ready(SEAT, 5)
    # Recorded: Player 8, Banker 9. In truth Banker's first card was 7d: Player wins 8 to 7.
    of = settled(session, BANKER_WINS, (SEAT, "player", 200_00), (5, "banker", 100_00))
    before = session.ledger.table_win_cents
    first, second = sorted(
        corrected(
            session,
            acts.CorrectSettlement(of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("7d")),
        ),
        key=lambda one: one.seat,
    )
    # Seat 3 lost 200 and should have won 200. Seat 5 won 100 less 5 and should have lost 100.
    assert (first.seat, first.cents, first.outcome) == (SEAT, 400_00, "paid")
    assert (second.seat, second.cents, second.outcome) == (5, -195_00, "uncollected")
    assert session.state.seats[SEAT].chips_cents == 10_000_00 + 200_00
    assert session.state.seats[5].chips_cents == 10_000_00 + 95_00
    assert session.ledger.balance(ledger.UNCOLLECTED) == 195_00
    assert session.ledger.balance(ledger.VIGORISH_TAKEN) == 0
    assert session.ledger.table_win_cents == before - 400_00
    # The shoe counts the card that was there: 9d may be drawn eight times again.
    assert session.state.shoe.unseen[Card.of("9d").index] == 8
    assert session.state.shoe.unseen[Card.of("7d").index] == 7
    assert session.state.round is not None
    assert session.state.round.coup.banker[0] is Card.of("7d")


def test_what_was_given_too_much_is_returned_at_once_or_later() -> None:
    for at_once in (True, False):
        session = ready(SEAT)
        of = settled(session, BANKER_WINS, (SEAT, "banker", 100_00))
        truth: dict[str, Any] = {"hand": Hand.BANKER, "ordinal": 1, "actual": Card.of("7d")}
        returned = (SEAT,) if at_once else ()
        corrected(session, acts.CorrectSettlement(of, "camera", **truth, returned=returned))
        if not at_once:
            assert session.ledger.balance(ledger.UNCOLLECTED) == 195_00
            corrected(session, acts.CorrectSettlement(of, "came back", returned=(SEAT,)))
        assert session.ledger.balance(ledger.UNCOLLECTED) == 0
        assert session.ledger.balance(ledger.DIFFERENCES) == 0
        assert session.state.seats[SEAT].chips_cents == 10_000_00 - 100_00
        again = acts.CorrectSettlement(of, "again", returned=(SEAT,))
        assert code_of(session, again) == "returned"


def test_a_patron_who_has_left_is_kept_what_is_due() -> None:
    session = ready(SEAT, 5)
    of = settled(session, BANKER_WINS, (SEAT, "player", 200_00), (5, "tie", 25_00))
    session.execute(acts.ClearLayout())
    session.execute(acts.LeaveTable(SEAT))
    session.execute(acts.SeatPatron(SEAT, f"Patron {SEAT}"))
    inventory = session.ledger.balance(ledger.INVENTORY)
    (one,) = corrected(
        session,
        acts.CorrectSettlement(of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("7d")),
    )
    assert (one.now, one.outcome, one.cents) == (None, "unpaid", 400_00)
    assert session.ledger.balance(ledger.UNPAID) == 400_00
    assert session.ledger.balance(ledger.INVENTORY) == inventory - 400_00
    # Whoever has the seat now, and the same name, is another patron.
    assert session.state.seats[SEAT].chips_cents == 0


def test_a_patron_who_has_moved_is_paid_where_the_patron_sits() -> None:
    session = ready(SEAT)
    of = settled(session, BANKER_WINS, (SEAT, "player", 200_00))
    session.execute(acts.ClearLayout())
    session.execute(acts.ChangeSeat(SEAT, 6))
    (one,) = corrected(
        session,
        acts.CorrectSettlement(of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("7d")),
    )
    assert (one.seat, one.now, one.outcome) == (SEAT, 6, "paid")
    assert session.state.seats[6].chips_cents == 10_000_00 + 200_00


def test_a_stake_that_was_settled_wrong() -> None:
    session = ready(SEAT, 5)
    of = settled(session, BANKER_WINS, (SEAT, "banker", 100_00), (5, "player", 100_00))
    (won,) = corrected(
        session,
        acts.CorrectSettlement(of, "mis-keyed", seat=SEAT, wager="banker", cents=300_00),
    )
    # 300 at 1 to 1 less 5% is 285, and 95 were paid.
    assert (won.cents, won.outcome, won.vigorish_cents) == (190_00, "paid", 10_00)
    (lost,) = corrected(
        session,
        acts.CorrectSettlement(
            of, "mis-keyed", seat=5, wager="player", cents=300_00, returned=(5,)
        ),
    )
    assert (lost.cents, lost.outcome) == (-200_00, "returned")
    assert session.state.seats[5].chips_cents == 10_000_00 - 300_00
    assert session.ledger.balance(ledger.VIGORISH_TAKEN) == 15_00


def test_a_payment_that_was_handed_over_wrong() -> None:
    session = ready(SEAT, 5)
    of = settled(session, BANKER_WINS, (SEAT, "banker", 100_00), (5, "banker", 100_00))
    inventory = session.ledger.balance(ledger.INVENTORY)
    short = acts.CorrectSettlement(of, "count", seat=SEAT, wager="banker", paid_cents=90_00)
    (one,) = corrected(session, short)
    # The record has $100 and $5 of vigorish; $90 of the $100 were handed over.
    assert (one.cents, one.outcome, one.misstated_cents) == (10_00, "paid", -10_00)
    assert session.ledger.balance(ledger.INVENTORY) == inventory
    assert code_of(session, short) == "same"
    over = acts.CorrectSettlement(of, "count", seat=5, wager="banker", paid_cents=125_00)
    (two,) = corrected(session, over)
    assert (two.cents, two.outcome) == (-25_00, "uncollected")
    assert session.ledger.balance(ledger.INVENTORY) == inventory - 25_00
    assert session.state.seats[5].chips_cents == 10_000_00 + 95_00 + 25_00
    assert session.ledger.balance(ledger.UNCOLLECTED) == 25_00


def test_a_patron_who_left_without_part_of_a_payment() -> None:
    session = ready(SEAT, 5)
    of = settled(session, BANKER_WINS, (SEAT, "banker", 100_00))
    session.execute(acts.ClearLayout())
    session.execute(acts.LeaveTable(SEAT))
    win, cage = session.ledger.table_win_cents, session.ledger.balance(ledger.CAGE)
    corrected(
        session,
        acts.CorrectSettlement(of, "count", seat=SEAT, wager="banker", paid_cents=90_00),
    )
    # The record had $10 carried to the cage that were never handed over.
    assert session.ledger.balance(ledger.UNPAID) == 10_00
    assert session.ledger.balance(ledger.CAGE) == cage - 10_00
    assert session.ledger.table_win_cents == win


def test_a_marker_is_corrected_with_the_settlement() -> None:
    session = ready(SEAT, vigorish__collection="deferred")
    of = settled(session, BANKER_WINS, (SEAT, "banker", 100_00))
    assert session.state.seats[SEAT].owed_cents == 5_00
    (one,) = corrected(
        session,
        acts.CorrectSettlement(of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("7d")),
    )
    assert (one.cents, one.marked_cents, one.vigorish_cents) == (-200_00, -5_00, 0)
    assert session.state.seats[SEAT].owed_cents == 0


def test_a_third_card_that_the_true_cards_do_not_call_for_counts_for_no_hand() -> None:
    session = ready(SEAT)
    # Recorded: Player 5 draws a 4 for 9; Banker, with 7, stays. Player wins.
    of = settled(session, "5h 7d Kh Ks 4c", (SEAT, "player", 100_00))
    # In truth Player had 9h: a natural, which wins 9 to 7 without a third card.
    assert (
        corrected(
            session,
            acts.CorrectSettlement(of, "camera", hand=Hand.PLAYER, ordinal=1, actual=Card.of("9h")),
        )
        == ()
    )
    assert session.state.seats[SEAT].chips_cents == 10_000_00 + 100_00


def test_where_a_card_was_due_that_was_not_dealt_the_settlement_stands() -> None:
    session = ready(SEAT)
    of = settled(session, BANKER_WINS, (SEAT, "player", 100_00))
    # Player with 2 would have drawn: Banker's 9 was a natural, so Banker had 9d; make both low.
    lower = acts.CorrectSettlement(of, "x", hand=Hand.BANKER, ordinal=1, actual=Card.of("2d"))
    corrected(session, lower)
    lower = acts.CorrectSettlement(of, "x", hand=Hand.PLAYER, ordinal=1, actual=Card.of("2h"))
    assert code_of(session, lower) == "not_dealt"


def test_a_card_reported_before_is_counted_once() -> None:
    session = ready(SEAT)
    of = settled(session, BANKER_WINS, (SEAT, "player", 200_00))
    session.execute(acts.CorrectMisreadCard(Card.of("9d"), Card.of("7d"), "Flo", Hand.BANKER, 1))
    corrected(
        session,
        acts.CorrectSettlement(of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("7d")),
    )
    assert session.state.shoe.unseen[Card.of("9d").index] == 8
    assert session.state.shoe.unseen[Card.of("7d").index] == 7


@pytest.mark.parametrize(
    ("fields", "code"),
    [
        ({"of": 1, "returned": (SEAT,)}, "entry"),
        ({"reason": ""}, "reason"),
        ({}, "truth"),
        ({"seat": SEAT, "wager": "banker", "cents": 1_00, "paid_cents": 1_00}, "truth"),
        ({"hand": Hand.PLAYER, "ordinal": 3, "actual": Card.of("2c")}, "not_there"),
        ({"hand": Hand.PLAYER, "ordinal": 1, "actual": Card.of("8h")}, "not_there"),
        ({"ordinal": 1, "actual": Card.of("2c")}, "not_there"),
        ({"seat": 6, "wager": "banker", "cents": 1_00}, "seat"),
        ({"seat": SEAT, "wager": "banker", "cents": -1}, "amount"),
        ({"seat": SEAT, "wager": "banker", "cents": 100_00}, "same"),
        ({"seat": SEAT, "wager": "roulette", "cents": 100_00}, "not_offered"),
        ({"seat": SEAT, "wager": "tie", "paid_cents": 1_00}, "no_wager"),
        ({"seat": SEAT, "wager": "banker", "paid_cents": 100_00}, "same"),
        ({"returned": (SEAT,)}, "returned"),
    ],
)
def test_what_is_no_correction_of_a_settlement(fields: dict[str, Any], code: str) -> None:
    session = ready(SEAT)
    of = settled(session, BANKER_WINS, (SEAT, "banker", 100_00))
    given = {"of": of, "reason": "camera", **fields}
    assert code_of(session, acts.CorrectSettlement(**given)) == code


def test_no_settlement_is_corrected_after_the_close() -> None:
    session = ready(SEAT)
    wager(session, (SEAT, "banker", 100_00))
    play(session, BANKER_WINS)
    of = entry(session) - 1
    assert session.position.house.settled_by(of) is not None
    session.execute(acts.LeaveTable(SEAT))
    session.execute(acts.CloseTable())
    late = acts.CorrectSettlement(of, "late", seat=SEAT, wager="banker", cents=1_00)
    for command, cited in ((late, "C112"), (acts.OpenDispute(SEAT, of, "late"), "C181")):
        answer = session.try_execute(command)
        assert isinstance(answer, Refusal)
        assert (answer.code, answer.clauses) == ("not_now", (cited,))


# --- who ---------------------------------------------------------------------------------------

FLOOR, DEALER = Actor("Flo", Role.FLOORPERSON), Actor("Dana", Role.DEALER)
CAMERA = Actor("Vito", Role.SURVEILLANCE)


def test_a_corrected_wager_takes_two_and_surveillance_once_a_card_is_drawn() -> None:
    session = ready(SEAT)
    session.execute(acts.AssignOffice("surveillance", "Vito"))
    wager(session, (SEAT, "banker", 100_00))
    of = entry(session)
    correct = acts.CorrectWager(of, SEAT, "banker", 120_00, "keyed")
    assert code_of(session, correct, FLOOR) == "consent_needed"
    assert code_of(session, correct, DEALER) == "not_your_office"
    session.execute(correct, Stamp((FLOOR, DEALER)))
    deal(session, "8h 9d Kh Ks")
    correct = acts.CorrectWager(of, SEAT, "banker", 140_00, "keyed")
    assert code_of(session, correct, FLOOR, DEALER) == "consent_needed"
    session.execute(correct, Stamp((FLOOR, DEALER, CAMERA)))
    assert session.state.stakes[SEAT, "banker"].chips_cents == 140_00


def test_a_corrected_settlement_takes_three() -> None:
    session = ready(SEAT)
    session.execute(acts.AssignOffice("surveillance", "Vito"))
    of = settled(session, BANKER_WINS, (SEAT, "banker", 100_00))
    correct = acts.CorrectSettlement(of, "keyed", seat=SEAT, wager="banker", cents=120_00)
    everybody = (FLOOR, DEALER, CAMERA)
    for one in everybody:
        others = tuple(other for other in everybody if other is not one)
        expected = "not_your_office" if one is FLOOR else "consent_needed"
        assert code_of(session, correct, *others) == expected
    session.execute(correct, Stamp(everybody))


def test_an_entry_that_is_not_recorded_is_not_corrected() -> None:
    session = ready(SEAT)
    last = session.position.sequence
    for of in (0, -1, last + 1, 99_999):
        before = session.position
        refused = session.try_execute(
            acts.WriteNote("the count was read twice"), Stamp(corrects=of)
        )
        assert isinstance(refused, Refusal)
        assert (refused.code, session.position) == ("corrects", before)
    session.execute(acts.WriteNote("the count was read twice"), Stamp(corrects=last))


def test_a_correction_and_its_entry_name_the_same_entry() -> None:
    session = ready(SEAT)
    wager(session, (SEAT, "banker", 100_00))
    of = entry(session)
    correct = acts.CorrectWager(of, SEAT, "banker", 120_00, "keyed")
    before = session.position
    other = session.try_execute(correct, Stamp(corrects=of - 1))
    assert isinstance(other, Refusal)
    assert (other.code, session.position) == ("corrects", before)
    proposal = session.propose(correct)
    assert not isinstance(proposal, Refusal)
    assert proposal.stamp.corrects == of


def test_a_settlement_of_an_earlier_shoe_leaves_the_count_of_this_one() -> None:
    session = at(Phase.TO_CUT, SEAT)
    load_short_shoe(session)
    wager(session, (SEAT, "player", 200_00))
    play(session, BANKER_WINS)
    of = entry(session) - 1
    play_out(session, "8h 9d Kh Ks")
    advance(session, Phase.BETTING)
    unseen = session.state.shoe.unseen
    truth = acts.CorrectSettlement(of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("7d"))
    (one,) = corrected(session, truth)
    assert one.cents == 400_00
    assert session.state.shoe.unseen == unseen


# --- as if it had been right -------------------------------------------------------------------

STAKES: Final = ((1, "player", 60_00), (1, "tie", 5_00), (4, "banker", 35_00), (6, "tie", 10_00))


def purses(session: TableSession) -> dict[str, int]:
    """Return what everybody has after a round: chips, markers, the tray, and vigorish."""
    balances = session.ledger.balances
    return {name: cents for name, cents in balances.items() if cents}


def dealt(cards: Sequence[Card], **elections: Any) -> TableSession:
    """Play a round with these cards, as many of them as are due."""
    session = ready(1, 4, 6, **elections)
    wager(session, *STAKES)
    session.execute(acts.CallNoMoreBets())
    for card in cards:
        if session.state.phase is Phase.DEALING:
            session.execute(acts.DrawCard(card))
    while session.state.phase is Phase.DEALING:
        session.execute(acts.DrawCard(Card.of("2s")))
    session.execute(acts.SettleWagers())
    return session


@pytest.mark.parametrize("elections", [{}, {"vigorish__collection": "deferred"}])
def test_a_misread_card_corrected_is_the_round_dealt_rightly(elections: dict[str, Any]) -> None:
    chance, compared = Random(20111122), 0
    for _ in range(150):
        cards = chance.sample(DECK, 6)
        ordinal, wrong = chance.randrange(4), chance.choice(DECK)
        if wrong in cards:
            continue
        read = [wrong if index == ordinal else card for index, card in enumerate(cards)]
        recorded = dealt(read, **elections)
        hand = Hand.BANKER if ordinal % 2 else Hand.PLAYER
        correct = acts.CorrectSettlement(
            entry(recorded), "camera", hand=hand, ordinal=ordinal // 2 + 1, actual=cards[ordinal]
        )
        proposal = recorded.propose(correct)
        if isinstance(proposal, Refusal):
            assert proposal.code == "not_dealt"
            continue
        (event,) = proposal.events
        assert isinstance(event, SettlementCorrected)
        owing = {one.seat for one in event.differences if one.outcome == "uncollected"}
        corrected(recorded, replace(correct, returned=tuple(sorted(owing))))
        hands = recorded.position.house.settled_by(correct.of)
        assert hands is not None
        order = [hands.player[0], hands.banker[0], hands.player[1], hands.banker[1]]
        order += [*hands.player[2:], *hands.banker[2:]]
        rightly = dealt(order, **elections)
        assert purses(recorded) == purses(rightly), (cards, ordinal, wrong)
        compared += 1
    assert compared > 60


def test_a_mis_keyed_wager_corrected_is_the_round_wagered_rightly() -> None:
    chance = Random(7)
    for _ in range(60):
        cards = chance.sample(DECK, 6)
        right, wrong = (chance.randrange(1, 40) * 5_00 for _ in range(2))
        if right == wrong:
            continue
        name = chance.choice(["banker", "player", "tie"])
        tables = []
        for cents in (right, wrong):
            session = ready(1, 4, 6)
            wager(session, *STAKES, (4, name, cents) if name == "tie" else (6, name, cents))
            session.execute(acts.CallNoMoreBets())
            for card in (*cards, *cards):
                if session.state.phase is Phase.DEALING:
                    session.execute(acts.DrawCard(card))
            session.execute(acts.SettleWagers())
            tables.append(session)
        rightly, recorded = tables
        seat = 4 if name == "tie" else 6
        command = acts.CorrectSettlement(
            entry(recorded), "mis-keyed", seat=seat, wager=name, cents=right
        )
        events = recorded.propose(command)
        assert not isinstance(events, Refusal)
        owing = only(events.events, SettlementCorrected).differences
        returned = tuple(one.seat for one in owing if one.outcome == "uncollected")
        corrected(recorded, replace(command, returned=returned))
        assert purses(recorded) == purses(rightly), (cards, name, right, wrong)


AT_ONCE: Final = {"vigorish.collection": "at-once"}
DEFERRED: Final = {"vigorish.collection": "deferred"}
TIE_8, TIE_9 = ({"wagers.tie.pays": odds} for odds in ("8:1", "9:1"))
DRAGON_7: Final = {"vigorish.scheme": "dragon-7", "wagers.dragon_7.pays": "40:1"}
PLAIN: Final = {"vigorish.scheme": "5%", "vigorish.rounded": True, **DEFERRED}
CHANGED: Final[Sequence[tuple[Game, dict[str, Any], dict[str, Any]]]] = (
    (MINIBACCARAT, AT_ONCE, DEFERRED),
    (MINIBACCARAT, DEFERRED, AT_ONCE),
    (MINIBACCARAT, TIE_8, TIE_9),
    (MINIBACCARAT, DRAGON_7, PLAIN),
    (PUNTO_BANCO, TIE_8, TIE_9),
    (MASSACHUSETTS, TIE_8, TIE_9),
    (NEW_YORK, AT_ONCE, DEFERRED),
)


@pytest.mark.parametrize(("game", "first", "then"), CHANGED)
def test_a_round_is_settled_again_under_the_elections_of_its_time(
    game: Game, first: dict[str, Any], then: dict[str, Any], tmp_path: Path
) -> None:
    chosen = {name.replace(".", "__"): choice for name, choice in first.items()}
    rules, path = game.rules(**chosen), tmp_path / "table.jsonl"
    recorder, stream = begin_log(path, rules, shuffle="by hand")
    session = game.open(rules, 1, 2, record=recorder)
    advance(session, Phase.BETTING)
    stakes = [(1, wagered, 5_000) for wagered in rules.offers if wagered != "player"]
    stakes.append((2, "player", 5_000))
    rounds = []
    for choices in (then, first):
        wager(session, *(one for one in stakes if one[1] in session.rules.offers))
        game.play(session, BANKER_WINS)
        of = max(session.position.house.settled)
        wrong = [
            acts.CorrectSettlement(of, "camera", Hand.BANKER, 1, actual=Card.of("8c")),
            acts.CorrectSettlement(of, "camera", Hand.PLAYER, 2, actual=Card.of("Ad")),
            acts.CorrectSettlement(of, "camera", seat=1, wager="banker", cents=7_500),
            acts.CorrectSettlement(of, "camera", seat=1, wager="tie", cents=0),
            acts.CorrectSettlement(of, "camera", seat=1, wager="banker", paid_cents=4_000),
        ]
        rounds += [(command, _outcome(session, command)) for command in wrong]
        if first is DRAGON_7:
            session.execute(
                acts.RecordNotice({"vigorish.scheme": choices["vigorish.scheme"]}, "patrons")
            )
        session.execute(acts.AdoptElections(choices))
        assert [_outcome(session, command) for command, _ in rounds] == [was for _, was in rounds]
    for command, _ in rounds[::5]:
        corrected(session, command)
    kept = read_snapshot(snapshot("h", session.position, "s"), "h", rules)
    assert kept is not None
    assert kept.position.house == session.position.house
    stream.close()
    verdict = verify_log(path)
    assert verdict.divergence is None
    assert verdict.ledger == session.ledger


def _outcome(session: TableSession, command: acts.CorrectSettlement) -> object:
    answer = session.propose(command)
    return answer.code if isinstance(answer, Refusal) else answer.events


def test_a_correction_is_told_and_stands_in_the_ledger_and_the_log_is_verified(
    tmp_path: Path,
) -> None:
    path = tmp_path / "table.jsonl"
    recorder, stream = begin_log(path, rules_of(), shuffle="by hand")
    session = TableSession(rules_of(), record=recorder, clock=SteppedClock())
    heard: list[Event] = []
    session.listeners.append(lambda _, events: heard.extend(events))
    session.execute(acts.OpenTable(5_000_000, "Dana", "Flo", date(2011, 2, 22)))
    session.execute(acts.SeatPatron(SEAT, "Rosa"))
    session.execute(acts.BuyChips(SEAT, 10_000_00))
    advance(session, Phase.BETTING)
    of = settled(session, BANKER_WINS, (SEAT, "banker", 100_00))
    session.execute(
        acts.CorrectSettlement(of, "camera", hand=Hand.BANKER, ordinal=1, actual=Card.of("7d"))
    )
    stream.close()
    verdict = verify_log(path)
    assert verdict.is_clean, verdict.divergence
    assert verdict.ledger == session.ledger
    *_, line = narrate(heard, WAGERS)
    assert line.text == (
        f"The settlement of round 1, entry {of}, is corrected, 7d for 9d in the Banker's Hand"
        " (camera): Rosa was given $195.00 too much, not collected"
    )
    day = accounts_of(heard).days[0]
    assert (day.corrected_cents, day.uncollected_cents, day.unpaid_cents) == (0, 195_00, 0)
    assert day.reconciles


def test_a_snapshot_keeps_what_may_be_corrected() -> None:
    session = ready(SEAT)
    settled(session, BANKER_WINS, (SEAT, "banker", 100_00))
    wager_of = session.position
    line = snapshot("h", wager_of, "s")
    read = read_snapshot(line, "h", session.rules)
    assert read is not None
    assert read.position.house == wager_of.house


def test_every_act_of_the_house_is_told() -> None:
    of_house = {kind for kind in EVENTS.values() if is_of_house(kind.__module__)}
    assert len(of_house) > 15
    assert of_house <= EVENT_TERMS.keys()


@pytest.mark.parametrize("deferred", [False, True])
@pytest.mark.parametrize("leaves", [False, True])
@pytest.mark.parametrize("payment_first", [False, True])
def test_a_wrong_payment_and_a_misread_card_are_corrected_in_either_order(
    *, deferred: bool, leaves: bool, payment_first: bool
) -> None:
    """What was handed over is that of the settlement, whatever was corrected since."""
    session = ready(1, 2, vigorish__collection="deferred" if deferred else "at-once")
    before = session.state.seats[1].chips_cents
    wagers = (1, "player", 100_00), (1, "banker", 200_00)
    of = settled(session, "9h 8d Kh Ks", *wagers)
    if leaves:
        session.execute(acts.LeaveTable(1))
    # Player's 9 was a 7, and Banker's 8 wins; of the $100 for Player $50 were handed over.
    card = acts.CorrectSettlement(of, "x", hand=Hand.PLAYER, ordinal=1, actual=Card.of("7h"))
    payment = acts.CorrectSettlement(of, "x", seat=1, wager="player", paid_cents=50_00)
    for command in (payment, card) if payment_first else (card, payment):
        session.execute(command)
    # Lost 100 on Player and won 200 on Banker, of which five percent are vigorish.
    if leaves:
        # By the record $100 were lost in all, and $50 less were given: $90 are won.
        assert session.ledger.balance(ledger.UNPAID) == 90_00 + 100_00 + 50_00
        return
    patron = session.state.seats[1]
    assert patron.chips_cents - patron.owed_cents == before - 100_00 + 200_00 - 10_00
    assert session.ledger.balance(ledger.UNCOLLECTED) == 0


def test_a_payment_is_compared_with_the_settlement_and_not_with_a_corrected_stake() -> None:
    session = ready(1, 2)
    before = session.state.seats[1].chips_cents
    of = settled(session, "9h 8d Kh Ks", (1, "player", 100_00))
    session.execute(acts.CorrectSettlement(of, "x", seat=1, wager="player", cents=200_00))
    same = acts.CorrectSettlement(of, "x", seat=1, wager="player", paid_cents=100_00)
    answer = session.try_execute(same)
    assert isinstance(answer, Refusal)
    assert (answer.code, answer.message) == ("same", "that is what the record says was paid")
    session.execute(replace(same, paid_cents=50_00))
    # Of the 200 that were due 50 were handed over, and then 100 and 50.
    assert session.state.seats[1].chips_cents == before + 200_00
