"""Cards that go out of use: wrong ones, reported at every moment at which the set is at the table, and by order."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import (
    CallNoMoreBets,
    CardsRemoved,
    Command,
    DecksOrdered,
    FindWrongCard,
    OrderDecks,
    PlaceWager,
    RoundVoided,
    ShuffleCards,
    StakesReleased,
    WrongCardFound,
)
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.money.stax import commitment_to
from croupier.records.codec import COMMANDS, decode_command
from croupier.rules import TableRules
from croupier.scenarios.autopilot import Autopilot
from croupier.table import Phase, Refusal
from croupier.table.cards.chance import Chance
from croupier.table.machine.position import Position, Proposal, Stamp, propose
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import CARDS_IN_SHOE, AnyPhase
from croupier.table.parts.curator import CuratorState
from croupier.verify.corrected import before_readings
from support.games import Game, advance, plainest
from support.massachusetts import MASSACHUSETTS, STAX
from support.new_york import NEW_YORK
from support.punto_banco import PUNTO_BANCO, shoe_to
from support.samples import sample_of
from support.table import MINIBACCARAT, at, only, refused

GAMES: Final = (
    pytest.param(MINIBACCARAT, {}, marks=pytest.mark.under("us-nj/minibaccarat@2011-02-22")),
    pytest.param(
        MINIBACCARAT,
        {"device": "shuffler", "decks": 16},
        marks=pytest.mark.under("us-nj/minibaccarat@2011-02-22"),
    ),
    pytest.param(PUNTO_BANCO, {}, marks=pytest.mark.under("us-nj/punto-banco@2011-02-22")),
    pytest.param(MASSACHUSETTS, {}, marks=pytest.mark.under("us-ma/minibaccarat@2026-11-20")),
    pytest.param(NEW_YORK, {}, marks=pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")),
)
FOUND: Final = FindWrongCard("foreign", "Sup", Card.of("Kh"))
DAMAGED: Final = FindWrongCard("damaged", "Sup")
ON_THE_CARDS: Final = frozenset(
    {
        acts.InspectCards, acts.VerifyCards, acts.SpreadCards, acts.TurnSpreadUp, acts.ViewSpread,
        acts.WashCards, acts.StackCards, acts.ExchangeBatches, acts.DeclareIdle,
        acts.RequestInspection, acts.PerformShuffleStep, acts.ShuffleCards, acts.DirectShuffle,
        acts.FeatherStack, acts.VerifyFeather, acts.LaceStack, acts.ReshuffleStack, acts.AcceptCut,
        acts.DeclineCut, acts.CutStack, acts.RequireRecut, acts.InsertCuttingCards, acts.LoadShoe,
        acts.ReturnDiscards, acts.CallNoMoreBets, acts.DealFreeHand, acts.BeginSimulatedRound,
        acts.UseHeldCard, acts.DrawCard, acts.DrawCardInError, acts.FindFaceUpCard,
    }
)  # fmt: skip
"""Acts on the cards at the table: a set that was found wrong is removed in place of them."""
TAKING_IT_OFF: Final = frozenset({acts.RemoveCards, acts.OrderDecks, acts.CloseTable})
AT_THE_END_OF_A_SHOE: Final = frozenset(
    {acts.AcceptShoe, acts.DeclineShoe, acts.DesignateDealer, acts.PassShoe, acts.OrderPass}
)
"""Acts decided before a set goes to the shuffle, and again once it is removed in place of that."""


def removed(session: TableSession) -> None:
    """Go on in the plainest way until the set is off the table; it is not mixed or dealt meanwhile."""
    shoes = session.state.shoe.number
    for _ in range(40):
        if session.state.phase is Phase.OPEN:
            return
        session.execute(plainest(session))
        assert session.state.shoe.number == shoes
    raise AssertionError(session.state.phase)


@pytest.mark.parametrize(("game", "elections"), GAMES)
def test_a_wrong_card_can_be_reported_at_every_moment_at_which_a_set_is_at_the_table(
    game: Game, elections: dict[str, Any]
) -> None:
    session = game.arriving(game.rules(**elections), 1)
    phases: set[AnyPhase] = set()
    while Phase.SETTLED not in phases:
        phase, before = session.state.phase, session.position
        if phase is Phase.OPEN:
            refused(session, FOUND, "not_now")
        elif phase not in phases:
            assert FindWrongCard in {one.command for one in session.legal()}
            assert only(session.execute(FOUND), WrongCardFound).card == Card.of("Kh")
            # No shoe is at its end before one was begun, or while the next is prepared.
            assert (session.state.phase is Phase.OUT_OF_USE) == (phase not in CARDS_IN_SHOE)
            if phase not in CARDS_IN_SHOE:
                refused(session, CallNoMoreBets(), "cards_flawed")
                assert (
                    "waiting for the cards to be removed"
                    in refused(session, PlaceWager(1, "player", 10_000), "not_now").message
                )
            removed(session)
            session.position = before
        phases.add(phase)
        if phase is Phase.BETTING and not session.state.stakes:
            session.execute(PlaceWager(1, "player", 10_000))
        session.execute(plainest(session))
    assert {Phase.TO_CUT, Phase.CUT, Phase.TO_LOAD, Phase.TO_BURN, Phase.DEALING} < phases


def before_two_shoes(rules: TableRules) -> Iterator[Position]:
    """Yield a table at every moment before its first two shoes at which a set is on the table."""
    session = TableSession(rules)
    pilot = Autopilot(session, Chance(seed=3), patrons=3)
    session.execute(acts.OpenTable(100_000_000, "Dana", "Flo", rules.law.in_force_from))
    if rules.applies("decks.change"):
        session.execute(acts.RecordTime(datetime(2026, 11, 20, 12, tzinfo=UTC)))
    for seat in (1, 2, 3):
        session.execute(acts.SeatPatron(seat, f"Patron {seat}"))
        session.execute(acts.BuyChips(seat, 500_000))
    if rules.applies("forms.prepared"):
        session.execute(acts.ReceiveForms("Clark", 101, 199))
    session.execute(acts.ReceiveCards(rules.value("decks", int)))
    last = 1 if rules.elected("device", "continuous") else 2
    while session.state.phase is not Phase.BETTING or session.state.shoe.number < last:
        if session.state.phase not in CARDS_IN_SHOE:
            yield session.position
        pilot.step()


def of_the_house_and_its_patrons(position: Position) -> Iterator[Command]:
    """Yield acts of every kind that is not on the cards, most of them such as are carried out."""
    for name in COMMANDS:
        if COMMANDS[name] not in ON_THE_CARDS | TAKING_IT_OFF:
            yield decode_command(sample_of(name))
    chips = {10_000: 2}
    yield acts.SeatPatron(4, "A guest")
    yield acts.ChangeSeat(1, 5)
    yield acts.LeaveTable(2)
    yield acts.DismissPatron(2, "Sup", "asleep")
    yield acts.ReserveSeat(6, "A guest")
    yield acts.ChangeChips(1, {10_000: 1}, {5_000: 2})
    yield acts.RequestFill(7, chips)
    yield acts.RequestCredit(8, chips)
    yield acts.IssueFill(1, chips)
    yield acts.ReceiveFill(2, chips)
    yield acts.IssueCredit(3, chips)
    yield acts.ReceiveCredit(4, chips)
    yield acts.VoidSlip(1, "spoilt")
    yield acts.CountInventory({}, closing=True)
    yield acts.RemoveDrop("A 1", "A 2")
    yield acts.ChangeShift("night", {}, "Dana", "Flo", "Ron")
    yield acts.RelieveDealer("Dora", reason="the shift ends")
    yield acts.RelieveFloorperson("Ron", "a call")
    yield acts.AssignOffice("pit boss", "Bo")
    yield acts.EndGamingDay("Clark")
    yield acts.HandOverForms("Clark", "Carl")
    yield acts.TakeOverForms("Clark", "Carl", "Sup", "ill")
    yield acts.CarryForms("Clark", "MB-2")
    yield acts.RecordNotice({}, "the Commission")
    yield acts.AdoptElections({"vigorish.collection": "deferred"})
    yield acts.CommitMystery(commitment_to("11" * 32))
    yield acts.DecideDispute(1, "as settled", "Sup", informed=True)
    for entry in [*position.house.settled][-1:]:
        yield acts.OpenDispute(2, entry, "what was paid")
        yield acts.CorrectSettlement(entry, "the camera", Hand.PLAYER, 1, Card.of("2c"))
        yield acts.CorrectSettlement(entry, "the camera", seat=1, wager="tie", paid_cents=5_000)
        yield acts.CorrectWager(entry, 1, "tie", 5_000, "the camera")


def with_open_business(position: Position) -> Position:
    """Return a table with a slip at each stage, and a dispute about its last round."""
    chips = {10_000: 2}
    begun: list[Command] = [
        acts.RequestFill(1, chips),
        acts.RequestFill(2, chips),
        acts.IssueFill(2, chips),
        acts.RequestCredit(3, chips),
        acts.RequestCredit(4, chips),
        acts.IssueCredit(4, chips),
    ]
    begun += [acts.OpenDispute(1, at, "the cards") for at in [*position.house.settled][-1:]]
    for command in begun:
        position = asked_of(position, command).after
    return position


def asked_of(position: Position, command: Command) -> Proposal:
    answer = propose(position, command)
    assert isinstance(answer, Proposal), f"{command}: {answer}"
    return answer


def outcome_of(answer: Proposal | Refusal) -> object:
    """Return the code of a refusal, or the events but for the next offer of a cut."""
    if isinstance(answer, Refusal):
        return answer.code
    return [one for one in answer.events if not isinstance(one, acts.CutOffered)]


@pytest.mark.parametrize(
    ("game", "elections"),
    [*GAMES, pytest.param(MASSACHUSETTS, STAX, marks=GAMES[3].marks)],
)
def test_an_act_that_is_not_on_the_cards_is_decided_as_if_they_were_right(
    game: Game, elections: dict[str, Any]
) -> None:
    done: set[type[Command]] = set()
    for before in before_two_shoes(game.rules(**elections)):
        right = with_open_business(before)
        wrong = asked_of(right, DAMAGED).after
        assert wrong.state.phase is Phase.OUT_OF_USE
        for command in of_the_house_and_its_patrons(right):
            answer = propose(wrong, command)
            if type(command) is acts.PassOver:
                # The cut or the spread is no longer on offer.
                assert outcome_of(answer) == "no_offer"
            elif type(command) in AT_THE_END_OF_A_SHOE:
                assert outcome_of(answer) not in ("not_now", "cards_flawed")
            else:
                assert outcome_of(answer) == outcome_of(propose(right, command)), command
            done |= set() if isinstance(answer, Refusal) else {type(command)}
        for kind in ON_THE_CARDS:
            refusal = propose(wrong, decode_command(sample_of(kind.__name__)))
            assert outcome_of(refusal) == "cards_flawed"
    assert len(done) > 25


@pytest.mark.under("us-nj/punto-banco@2011-02-22")
@pytest.mark.clause("NJ-PB:3.11(a)", "NJ-PB:3.11(a)2", "NJ-PB:3.11(b)#1")
@pytest.mark.parametrize(
    "on",
    [acts.PassShoe(), acts.OrderPass("dealer", "delay")],
    ids=lambda act: type(act).__name__,
)
def test_the_shoe_goes_on_to_another_patron_while_a_wrong_set_waits_to_be_removed(
    on: Command,
) -> None:
    moments = 0
    for before in before_two_shoes(PUNTO_BANCO.rules()):
        wrong = asked_of(before, DAMAGED).after
        if not before.state.rounds:
            refusal = propose(wrong, on)
            assert isinstance(refusal, Refusal)
            assert refusal.code == "no_curator"
            continue
        moments += 1
        curator = before.state[CuratorState].curator
        session = TableSession(before.rules)
        session.position = wrong
        assert type(on) in {one.command for one in session.legal()}
        passed, offered = session.execute(on)
        assert isinstance(passed, acts.ShoePassed)
        assert isinstance(offered, acts.ShoeOffered)
        assert passed.seat == curator != offered.seat
        session.execute(acts.AcceptShoe(offered.seat or 0))
        session.execute(acts.RemoveCards())
        advance(session, Phase.BETTING)
        assert session.state[CuratorState].curator == offered.seat
    assert moments == 5


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
@pytest.mark.clause("NJ-MINI:7.1(a)#1")
def test_the_count_at_the_end_of_a_shoe_shows_that_there_are_too_many_of_a_card() -> None:
    session = at(Phase.TO_CUT)
    MINIBACCARAT.load_short_shoe(session)
    MINIBACCARAT.play_out(session, "9h 8d Kh Ks")
    refused(session, FindWrongCard("surplus", "Sup"), "possible")
    session.execute(FindWrongCard("surplus", "Sup", Card.of("2c")))
    refused(session, ShuffleCards(), "cards_flawed")
    removed(session)


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_a_log_of_a_version_that_voided_rounds_with_damaged_cards_is_still_understood() -> None:
    session = at(Phase.DEALING)
    bent = FindWrongCard("damaged", "Sup", Card.of("Kh"))
    ((entries, events),) = before_readings(session.position, bent, Stamp())
    assert entries == ("C190",)
    assert [type(one) for one in events] == [WrongCardFound, RoundVoided, StakesReleased]
    assert [type(one) for one in session.execute(bent)] == [WrongCardFound]


@pytest.mark.under("us-nj/punto-banco@2011-02-22")
@pytest.mark.clause("NJ-PB:3.5(c)#2")
def test_other_decks_leave_the_shoe_with_its_curator_who_is_offered_the_cut_first() -> None:
    session = PUNTO_BANCO.at(Phase.TO_CUT, 3, 6)
    PUNTO_BANCO.load_short_shoe(session)
    shoe_to(session, 3)
    PUNTO_BANCO.play_out(session, "8h 9d Kh Ks")
    events = session.execute(OrderDecks("Sup", "worn"))
    assert [type(one) for one in events] == [DecksOrdered, CardsRemoved]
    advance(session, Phase.TO_CUT)
    assert session.state.cut.asked == 3
    advance(session, Phase.BETTING)
    assert session.state[CuratorState].curator == 3
