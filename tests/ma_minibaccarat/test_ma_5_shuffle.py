"""Section 5(a) and (h): when the cards are shuffled, in which steps, and the feathered stack."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    CardsShuffled,
    CutOffered,
    FeatherVerified,
    MixFoundUneven,
    PerformShuffleStep,
    ShuffleDirected,
    ShuffleStepPerformed,
    StackFeathered,
)
from croupier.baccarat.cards import Card
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance, plainest
from support.massachusetts import SHUFFLER, at, deal, ma, play, ready, shoe_completed
from support.table import due, only, refused, wager

pytestmark = pytest.mark.under("us-ma/minibaccarat@2026-11-20")

SHUFFLE = acts.ShuffleCards()


def work(session: TableSession, *steps: str) -> None:
    for step in steps:
        assert only(session.execute(PerformShuffleStep(step)), ShuffleStepPerformed).step == step


# --- 5(a): when --------------------------------------------------------------------------------


@pytest.mark.clause("MA-MINI:5(a)#1")
def test_cards_that_were_washed_are_shuffled_before_they_are_played() -> None:
    session = at(Phase.TO_SHUFFLE)
    for early in (acts.FeatherStack(), acts.CutStack(100), acts.LoadShoe()):
        refused(session, early, "not_now")
    work(session, "riffle", "turn", "riffle", "strip")
    assert due(session) == {acts.ShuffleCards}
    assert only(session.execute(SHUFFLE), CardsShuffled).clauses == ma("5(a)#1")


@pytest.mark.clause("MA-MINI:5(a)#1")
def test_the_cards_are_shuffled_after_each_shoe() -> None:
    session = shoe_completed(1)
    for early in (
        acts.PlaceWager(1, "player", 1000),
        acts.CallNoMoreBets(),
        acts.FeatherStack(),
        acts.AcceptCut(1, 100),
        acts.LoadShoe(),
    ):
        refused(session, early, "not_now")
    assert due(session) == {acts.PerformShuffleStep}
    advance(session, Phase.BETTING)
    assert (session.state.shoe.number, session.state.shoe.remaining) == (2, 414)


@pytest.mark.clause("MA-MINI:5(a)#1")
def test_whoever_is_floorperson_or_above_directs_a_shuffle_in_the_middle_of_a_shoe() -> None:
    session = ready(1)
    play(session, "9h 8d Th Js")
    listed = [one for one in session.legal() if one.command is acts.DirectShuffle]
    assert [(one.who, one.must) for one in listed] == [("floorperson", False)]
    assert refused(session, acts.DirectShuffle(""), "nobody").clauses == ma("5(a)#1")
    directed = only(session.execute(acts.DirectShuffle("Flo")), ShuffleDirected)
    assert (directed.supervisor, directed.clauses) == ("Flo", ma("5(a)#1"))
    refused(session, acts.CallNoMoreBets(), "not_now")
    advance(session, Phase.BETTING)
    assert (session.state.shoe.number, session.state.shoe.remaining) == (2, 414)


@pytest.mark.clause("MA-MINI:5(a)#1")
def test_no_shuffle_is_directed_while_wagers_lie_on_the_layout_or_a_round_is_in_play() -> None:
    session = ready(1)
    wager(session, (1, "player", 1000))
    waits = (*ma("5(a)#1"), "C262")
    assert refused(session, acts.DirectShuffle("Flo"), "wagers").clauses == waits
    for cards in ("9h 8d", "Th Js"):
        deal(session, cards)
        assert refused(session, acts.DirectShuffle("Flo"), "in_play").clauses == waits
    session.execute(acts.SettleWagers())
    assert refused(session, acts.DirectShuffle("Flo"), "in_play").clauses == waits
    session.execute(acts.ClearLayout())
    session.execute(acts.DirectShuffle("Flo"))


@pytest.mark.clause("MA-MINI:5(a)#1", "MA-MINI:5(b)#2")
@pytest.mark.parametrize("device", [{}, SHUFFLER], ids=["by-hand", "shuffler"])
@pytest.mark.parametrize("phase", [Phase.TO_CUT, Phase.CUT, Phase.TO_LOAD])
def test_a_stack_is_shuffled_again_where_a_shuffle_is_directed_before_it_is_in_the_shoe(
    phase: Phase, device: dict[str, Any]
) -> None:
    session = at(Phase.TO_CUT, 1, 2, **device)
    session.execute(acts.DeclineCut(2))
    advance(session, phase)
    assert acts.DirectShuffle in {one.command for one in session.legal()}
    session.execute(acts.DirectShuffle("Flo"))
    assert due(session) == {acts.PerformShuffleStep}
    advance(session, Phase.TO_CUT)
    # It is another stack: whoever declined the one before is asked again.
    assert session.state.cut.asked == 2
    advance(session, Phase.BETTING)
    assert (session.state.shoe.number, session.state.shoe.remaining) == (1, 414)


@pytest.mark.clause("MA-MINI:5(a)#1")
@pytest.mark.parametrize("burned", [0, 2])
def test_a_shoe_is_over_where_a_shuffle_is_directed_before_or_in_its_burn(burned: int) -> None:
    session = at(Phase.TO_BURN, 1)
    for _ in range(burned):
        session.execute(acts.DrawCard(Card.of("5h")))
    session.execute(acts.DirectShuffle("Flo"))
    assert session.state.phase is Phase.SHOE_COMPLETED
    advance(session, Phase.BETTING)
    assert (session.state.shoe.number, session.state.shoe.remaining) == (2, 414)


@pytest.mark.clause("MA-MINI:5(a)#1", "MA-MINI:12(d)(2)(i)")
def test_a_shuffle_that_is_directed_waits_for_vigorish_as_any_other() -> None:
    session = ready(1, vigorish__collection="deferred")
    play(session, "8h 9d Jh Ts", (1, "banker", 10_000))
    session.execute(acts.DirectShuffle("Flo"))
    assert due(session) == {acts.CollectVigorish}
    answer = refused(session, PerformShuffleStep("plug"), "vigorish_outstanding")
    assert answer.clauses == ma("12(d)(2)(i)")


@pytest.mark.clause("MA-MINI:5(a)#1", "MA-MINI:3(b)(4)")
def test_with_a_shuffler_a_shuffle_that_is_directed_brings_the_other_batch() -> None:
    session = ready(1, **SHUFFLER)
    session.execute(acts.DirectShuffle("Flo"))
    assert due(session) == {acts.ExchangeBatches}
    session.execute(acts.ExchangeBatches())
    # What a device has shuffled is not left feathered: it goes to the cut.
    assert due(session) == {acts.AcceptCut, acts.DeclineCut}
    advance(session, Phase.BETTING)
    assert session.state.shoe.batch == 2


@pytest.mark.clause("MA-MINI:5(a)#2")
def test_a_stack_shuffled_by_hand_is_left_feathered_and_the_floorperson_verifies_the_mix() -> None:
    session = at(Phase.TO_FINISH)
    for early in (acts.AcceptCut(1, 100), acts.VerifyFeather("Miro")):
        refused(session, early, "not_now")
    assert refused(session, acts.LaceStack(), "finish").clauses == ma("5(a)#2")
    feathered = only(session.execute(acts.FeatherStack()), StackFeathered)
    assert feathered.clauses == ma("5(a)#2")
    assert refused(session, acts.VerifyFeather(""), "nobody").clauses == ma("5(a)#2")
    events = session.execute(acts.VerifyFeather("Miro"))
    verified = only(events, FeatherVerified)
    assert (verified.floorperson, verified.clauses) == ("Miro", ma("5(a)#2"))
    assert only(events, CutOffered).seat == 1


@pytest.mark.clause("MA-MINI:5(a)#2", "MA-MINI:5(h)(1)")
def test_an_uneven_mix_is_shuffled_again_step_by_step_but_not_plugged_again() -> None:
    session = shoe_completed(1)
    advance(session, Phase.FEATHERED)
    uneven = only(session.execute(acts.VerifyFeather("Miro", even=False)), MixFoundUneven)
    assert uneven.clauses == ma("5(a)#2")
    assert refused(session, SHUFFLE, "steps").clauses == ma("5(h)")
    assert refused(session, PerformShuffleStep("plug"), "step").clauses == ma("5(h)(1)")
    work(session, "riffle", "turn", "riffle", "strip")
    session.execute(SHUFFLE)
    advance(session, Phase.BETTING)


# --- 5(h): the steps ---------------------------------------------------------------------------


def steps_of(session: TableSession) -> list[str]:
    """Shuffle as what must be done next tells, and return the steps that it took."""
    steps = []
    while due(session) == {acts.PerformShuffleStep}:
        steps.append(only(session.execute(plainest(session)), ShuffleStepPerformed).step)
    session.execute(SHUFFLE)
    return steps


@pytest.mark.clause("MA-MINI:5(h)")
def test_a_shuffle_by_hand_takes_in_every_step() -> None:
    session = shoe_completed(1)
    steps = steps_of(session)
    assert set(steps) == {"plug", "riffle", "turn", "strip"}
    # The last of the steps that the text lists follows: the cut.
    advance(session, Phase.TO_CUT)


@pytest.mark.clause("MA-MINI:5(h)")
@pytest.mark.parametrize(
    "missing",
    [
        ("riffle", "riffle", "strip", "turn", "riffle"),  # no plug
        ("plug", "riffle", "riffle", "strip"),  # no turn
        ("plug", "riffle", "turn", "riffle"),  # no strip
        ("plug",),
        (),
    ],
)
def test_a_shuffle_that_lacks_a_step_is_not_done(missing: tuple[str, ...]) -> None:
    session = shoe_completed(1)
    work(session, *missing)
    assert refused(session, SHUFFLE, "steps").clauses == ma("5(h)")


@pytest.mark.clause("MA-MINI:5(h)(1)")
def test_the_plug_takes_in_the_unused_cards_and_there_are_none_at_the_first_shoe() -> None:
    session = shoe_completed(1)
    assert session.state.shoe.remaining > 0
    worked = only(session.execute(PerformShuffleStep("plug")), ShuffleStepPerformed)
    assert worked.clauses == ma("5(h)(1)")
    # They lie in the stack from then on: there is nothing left to plug.
    assert refused(session, PerformShuffleStep("plug"), "step").clauses == ma("5(h)(1)")
    first = at(Phase.TO_SHUFFLE)
    assert refused(first, PerformShuffleStep("plug"), "step").clauses == ma("5(h)(1)")
    assert steps_of(first) == ["riffle", "turn", "riffle", "strip"]


@pytest.mark.clause("MA-MINI:5(h)(1)")
def test_the_plug_is_usually_the_first_step_and_need_not_be() -> None:
    session = shoe_completed(1)
    work(session, "riffle", "turn", "riffle", "plug", "strip")
    session.execute(SHUFFLE)


@pytest.mark.clause("MA-MINI:5(h)(2)")
def test_the_riffle_is_a_step_of_its_own_and_may_be_done_again_and_again() -> None:
    session = at(Phase.TO_SHUFFLE)
    for _ in range(5):
        assert only(
            session.execute(PerformShuffleStep("riffle")), ShuffleStepPerformed
        ).clauses == ma("5(h)(2)")


@pytest.mark.clause("MA-MINI:5(h)(3)")
@pytest.mark.parametrize("other", ["turn", "strip", "plug"])
def test_after_a_turn_the_two_stacks_are_riffled_together(other: str) -> None:
    session = shoe_completed(1)
    work(session, "riffle", "riffle")
    turned = only(session.execute(PerformShuffleStep("turn")), ShuffleStepPerformed)
    assert turned.clauses == ma("5(h)(3)")
    assert refused(session, PerformShuffleStep(other), "step").clauses == ma("5(h)(3)")
    work(session, "riffle", other)


@pytest.mark.clause("MA-MINI:5(h)(3)")
def test_a_turn_that_is_not_riffled_ends_no_shuffle() -> None:
    session = shoe_completed(1)
    work(session, "plug", "riffle", "riffle", "strip", "turn")
    assert refused(session, SHUFFLE, "steps").clauses == ma("5(h)")
    work(session, "riffle")
    session.execute(SHUFFLE)


@pytest.mark.clause("MA-MINI:5(h)(4)")
@pytest.mark.parametrize("riffles", [0, 1, 2, 3])
def test_no_strip_comes_before_two_riffles(riffles: int) -> None:
    session = at(Phase.TO_SHUFFLE)
    work(session, *["riffle"] * riffles)
    if riffles < 2:
        answer = refused(session, PerformShuffleStep("strip"), "step")
        assert answer.clauses == ma("5(h)(4)")
    else:
        stripped = only(session.execute(PerformShuffleStep("strip")), ShuffleStepPerformed)
        assert stripped.clauses == ma("5(h)(4)")


@pytest.mark.clause("MA-MINI:5(h)", "MA-MINI:5(h)(3)", "MA-MINI:5(h)(4)")
def test_of_all_orders_of_five_steps_those_go_through_that_the_text_allows() -> None:
    start = at(Phase.TO_SHUFFLE)
    for steps in product(("riffle", "turn", "strip"), repeat=5):
        session = TableSession(start.rules)
        session.position = replace(session.position, state=start.state)
        done = all(
            isinstance(session.try_execute(PerformShuffleStep(step)), tuple) for step in steps
        )
        # In words: a riffle after each turn, and no strip unless two riffles were before it.
        riffled = all(
            steps[at_turn + 1 : at_turn + 2] == ("riffle",)
            for at_turn, step in enumerate(steps[:-1])
            if step == "turn"
        )
        first = steps.index("strip") if "strip" in steps else 5
        two = steps[:first].count("riffle") >= 2 or first == 5
        assert done == (riffled and two), steps
        whole = done and {"turn", "strip"} <= set(steps) and steps[-1] != "turn"
        assert isinstance(session.try_execute(SHUFFLE), tuple) == whole, steps


@pytest.mark.clause("MA-MINI:5(h)(5)")
def test_the_cut_is_the_last_step_and_comes_when_the_stack_is_shuffled_and_verified() -> None:
    session = at(Phase.TO_SHUFFLE)
    answer = refused(session, PerformShuffleStep("cut"), "step")
    assert "MA-MINI:5(h)(5)" in answer.clauses
    work(session, "riffle", "turn", "riffle", "strip")
    refused(session, acts.AcceptCut(1, 100), "not_now")
    advance(session, Phase.TO_CUT)
    session.execute(acts.AcceptCut(1, 100))
    # Nothing but the cover card comes between the cut and the shoe.
    session.execute(acts.InsertCuttingCards(14))
    assert due(session) == {acts.LoadShoe}


@pytest.mark.clause("MA-MINI:5(h)")
def test_a_step_that_the_text_does_not_name_is_none() -> None:
    session = at(Phase.TO_SHUFFLE)
    answer = refused(session, PerformShuffleStep("overhand"), "step")
    assert "plug, riffle, turn, strip, cut" in answer.message


@pytest.mark.clause("MA-MINI:5(h)")
def test_with_a_shuffler_no_steps_are_asked_of_a_dealer() -> None:
    session = shoe_completed(1, **SHUFFLER)
    refused(session, PerformShuffleStep("riffle"), "exchange")
