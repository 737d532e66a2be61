"""19:47-7.12: a continuous shuffling device in place of the shuffle, the cut and the shoe."""

from typing import Any

import pytest

from croupier import acts as commands
from croupier.acts import CardsWashed, CuttingCardAppeared, DiscardsReturned, ShoeLoaded
from croupier.baccarat.cards import Card
from croupier.law.elect import ErrorDetail, SubmissionError
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.table import (
    deal,
    due,
    only,
    open_table,
    play,
    ready,
    refused,
    rules_of,
    steps_of,
    wager,
)

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

PLAYER_WINS = "9h 8d Kh Ks"
BANKER_WINS = "8h 9d Kh Ks"
DEVICE: dict[str, Any] = {"device": "continuous", "device__approval": "PRN 7 of 2010"}


def errors(**elections: Any) -> tuple[ErrorDetail, ...]:
    with pytest.raises(SubmissionError) as refusal:
        rules_of(**elections)
    return refusal.value.errors


def acts(session: TableSession) -> set[str]:
    return {action.command.__name__ for action in steps_of(session)}


@pytest.mark.clause("NJ-MINI:7.12")
def test_a_continuous_device_needs_its_approval() -> None:
    (detail,) = errors(device="continuous")
    assert (detail.where, detail.clauses) == ("device.approval", ("NJ-MINI:7.12",))
    assert rules_of(**DEVICE).value("device.approval", str) == "PRN 7 of 2010"


@pytest.mark.clause("NJ-MINI:7.12")
def test_no_approval_is_named_where_there_is_no_continuous_device() -> None:
    (detail,) = errors(device="none", device__approval="PRN 7 of 2010")
    assert (detail.where, detail.clauses) == ("device.approval", ("NJ-MINI:7.12",))


@pytest.mark.clause("NJ-MINI:7.12")
@pytest.mark.parametrize(
    ("rule", "choice"), [("shuffle.finish", "lace"), ("cut.recut_by", "last-cutter")]
)
def test_nothing_is_elected_for_a_shuffle_and_a_cut_that_the_device_replaces(
    rule: str, choice: str
) -> None:
    (detail,) = errors(**DEVICE, **{rule.replace(".", "__"): choice})
    assert detail.where == rule


@pytest.mark.clause("NJ-MINI:7.12")
def test_the_cards_are_inspected_and_go_into_the_device_without_shuffle_cut_or_burn() -> None:
    session = open_table(rules_of(**DEVICE), 1)
    advance(session, Phase.VIEWED)
    washed = only(session.execute(commands.WashCards()), CardsWashed)
    assert washed.for_device
    assert acts(session) == {"LoadShoe"}
    for command in (
        commands.ShuffleCards(),
        commands.FeatherStack(),
        commands.LaceStack(),
        commands.AcceptCut(1, 100),
        commands.CutStack(100),
        commands.InsertCuttingCards(14),
    ):
        refused(session, command, "not_now")
    loaded = only(session.execute(commands.LoadShoe()), ShoeLoaded)
    assert (loaded.decks, loaded.from_back, loaded.clauses) == (8, None, ("NJ-MINI:7.12",))
    assert session.state.phase is Phase.BETTING
    assert session.state.shoe.remaining == 416


@pytest.mark.clause("NJ-MINI:7.12")
def test_there_is_no_recut_of_cards_that_were_never_cut() -> None:
    session = open_table(rules_of(**DEVICE), 1)
    advance(session, Phase.TO_LOAD)
    assert refused(session, commands.RequireRecut("Sam", "at a guess"), "not_now").clauses == ()


@pytest.mark.clause("NJ-MINI:7.12")
def test_the_cards_of_a_round_go_back_into_the_device_before_the_next() -> None:
    session = ready(1, **DEVICE)
    play(session, PLAYER_WINS)
    assert session.state.shoe.remaining == 412
    refusal = refused(session, commands.CallNoMoreBets(), "return_discards")
    assert refusal.clauses == ("NJ-MINI:7.12",)
    assert due(session) == {commands.ReturnDiscards}
    returned = only(session.execute(commands.ReturnDiscards()), DiscardsReturned)
    assert returned.clauses == ("NJ-MINI:7.12",)
    assert session.state.shoe.remaining == 416
    assert set(session.state.shoe.unseen) == {8}
    assert due(session) == {commands.CallNoMoreBets}


@pytest.mark.clause("NJ-MINI:7.12")
def test_the_cards_do_not_go_back_in_the_middle_of_a_round() -> None:
    session = ready(1, **DEVICE)
    deal(session, "9h 8d")
    assert refused(session, commands.ReturnDiscards(), "not_now").clauses == ()


# Nine of one card are more than eight decks hold: only the return makes the ninth round possible.
# Without a cutting card no last hand is called, however long the play.
@pytest.mark.clause("NJ-MINI:7.12")
def test_a_continuous_device_has_no_cutting_card_and_comes_to_no_end() -> None:
    session = ready(1, **DEVICE)
    for _ in range(120):
        events = play(session, PLAYER_WINS)
        assert not [event for event in events if isinstance(event, CuttingCardAppeared)]
        session.execute(commands.ReturnDiscards())
    assert session.state.rounds == 120
    assert session.state.hands_left is None
    assert session.state.shoe.number == 1


@pytest.mark.clause("NJ-MINI:7.12")
def test_a_table_without_the_device_returns_no_discards() -> None:
    session = ready(1)
    play(session, PLAYER_WINS)
    refused(session, commands.ReturnDiscards(), "no_device")
    assert "ReturnDiscards" not in acts(session)


@pytest.mark.clause("NJ-MINI:7.12", "NJ-MINI:7.3(c)2#2")
def test_no_cards_go_back_into_the_device_while_deferred_vigorish_is_outstanding() -> None:
    session = ready(1, **DEVICE, vigorish__collection="deferred")
    wager(session, (1, "banker", 10_000))
    play(session, BANKER_WINS)
    refusal = refused(session, commands.ReturnDiscards(), "vigorish_outstanding")
    assert refusal.clauses == ("NJ-MINI:7.3(c)2#2",)
    session.execute(commands.CollectVigorish(1))
    session.execute(commands.ReturnDiscards())


@pytest.mark.clause("NJ-MINI:7.12", "NJ-MINI:7.11(c)2")
def test_a_card_that_must_go_to_the_rack_goes_there_before_any_goes_back_into_the_device() -> None:
    session = ready(1, **DEVICE, irregularity__disclosed_card="discard-one")
    play(session, PLAYER_WINS)
    session.execute(commands.DrawCardInError(Card.of("5c"), disclosed=True))
    refusal = refused(session, commands.ReturnDiscards(), "discards_due")
    assert refusal.clauses == ("NJ-MINI:7.11(c)2",)
    session.execute(commands.DrawCard(None))
    session.execute(commands.ReturnDiscards())
    assert session.state.shoe.remaining == 416


@pytest.mark.clause("NJ-MINI:7.12", "NJ-MINI:7.5(h)1")
def test_the_cards_of_an_idle_table_are_washed_and_go_back_into_the_device() -> None:
    session = ready(1, **DEVICE)
    play(session, PLAYER_WINS)
    session.execute(commands.DeclareIdle(face_up=True))
    session.execute(commands.ViewSpread(1))
    assert only(session.execute(commands.WashCards()), CardsWashed).for_device
    assert due(session) == {commands.LoadShoe}
    session.execute(commands.LoadShoe())
    assert session.state.shoe.remaining == 416
    assert due(session) == {commands.CallNoMoreBets}
