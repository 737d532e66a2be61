"""Section 14: a continuous shuffling shoe or device in the place of section 5."""

from __future__ import annotations

from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import CardsWashed, DiscardsReturned, ShoeLoaded
from croupier.table import Phase
from support.massachusetts import (
    HOUSE_MONEY,
    PLAYER_9_BANKER_8,
    at,
    errors_of,
    ma,
    play,
    ready,
    rules_of,
)
from support.table import due, only, refused, wager

CONTINUOUS: Final[dict[str, Any]] = {"device": "continuous", "device__approval": "Order 1"}

pytestmark = [pytest.mark.under("us-ma/minibaccarat@2026-11-20"), pytest.mark.clause("MA-MINI:14")]


def test_the_device_and_its_procedures_need_an_approval() -> None:
    assert ("device.approval", ma("14")) in errors_of(device="continuous")
    rules_of(**CONTINUOUS)


def test_washed_cards_go_into_the_device_and_nothing_of_section_5_is_asked_for() -> None:
    session = at(Phase.VIEWED, **CONTINUOUS)
    assert only(session.execute(acts.WashCards()), CardsWashed).for_device
    for spared in (
        acts.ShuffleCards(),
        acts.PerformShuffleStep("riffle"),
        acts.CutStack(100),
    ):
        refused(session, spared, "not_now")
    loaded = only(session.execute(acts.LoadShoe()), ShoeLoaded)
    assert (loaded.from_back, loaded.clauses) == (None, ma("14"))
    # No burn: the table is open for wagers.
    assert session.state.phase is Phase.BETTING
    for elections in ({"cut__by": "dealer"}, {"burn__exposure": "all"}):
        assert len(errors_of(**CONTINUOUS, **elections)) == 1


def test_the_cards_go_back_into_the_device_round_by_round() -> None:
    session = ready(1, **CONTINUOUS, **HOUSE_MONEY)
    play(session, PLAYER_9_BANKER_8, (1, "player", 1_000), (1, "house_money", 500))
    wager(session, (1, "player", 1_000))
    assert refused(session, acts.CallNoMoreBets(), "return_discards").clauses == ma("14")
    assert due(session) == {acts.ReturnDiscards}
    assert only(session.execute(acts.ReturnDiscards()), DiscardsReturned).clauses == ma("14")
    assert session.state.shoe.remaining == 416
    refused(session, acts.DirectShuffle("Flo"), "no_such_procedure")
