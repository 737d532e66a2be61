"""What comes next between two rounds: vigorish that may wait or must not, the next shoe, the end of play."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import Command, VigorishCollected
from croupier.baccarat.cards import Card, parse_cards
from croupier.scenarios import starts
from croupier.table import Action, Phase
from croupier.table.machine import core
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import SimulatedOrder
from croupier.table.parts.timed_decks import TimedDecks
from support import massachusetts, new_york
from support.games import advance
from support.table import (
    MINIBACCARAT,
    banker_wins,
    load_short_shoe,
    open_table,
    owing,
    play_out,
    ready,
    refused,
    rules_of,
)

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

NOON: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)

WATCHED: tuple[type[Command], ...] = (
    acts.CloseTable,
    acts.CollectVigorish,
    acts.DeclareIdle,
    acts.ExchangeBatches,
    acts.PrepareForm,
    acts.ReturnDiscards,
    acts.ShuffleCards,
)


def after(session: TableSession) -> dict[str, bool]:
    """What may be done next, of what is watched, and whether it must be before all else."""
    return {
        action.command.__name__: action.must
        for action in session.legal()
        if action.command in WATCHED
    }


def with_device(device: str, **elections: object) -> TableSession:
    """Seats 1 and 2 at a table with a device, where vigorish is collected later."""
    return ready(1, 2, device=device, vigorish__collection="deferred", **elections)


@pytest.mark.clause("NJ-MINI:7.3(c)2#2")
def test_vigorish_may_wait_while_no_card_is_reshuffled() -> None:
    assert after(owing()) == {"CollectVigorish": False, "PrepareForm": False}


@pytest.mark.clause("NJ-MINI:7.3(c)2#2", "NJ-MINI:7.5(a)")
def test_when_the_shoe_is_completed_vigorish_must_be_seen_to_and_then_the_cards_are_shuffled() -> (
    None
):
    session = open_table(rules_of(vigorish__collection="deferred"), 1, 2)
    load_short_shoe(session)
    banker_wins(session, (1, 10_000))
    play_out(session, "8h 9d Kh Ks")
    # No Form is prepared at a table that has been sent none.
    assert after(session) == {"CollectVigorish": True, "PrepareForm": True}
    session.execute(acts.CollectVigorish(1))
    assert after(session) == {"DeclareIdle": False, "ShuffleCards": True}


@pytest.mark.clause("NJ-MINI:7.1(d)5")
def test_with_two_batches_the_other_one_is_next() -> None:
    session = open_table(rules_of(device="shuffler", decks=12), 1, 2)
    advance(session, Phase.CUT)
    # Of the six decks of a batch, eight cards are before the cutting card.
    session.execute(acts.InsertCuttingCards(304))
    advance(session, Phase.BETTING)
    play_out(session, "8h 9d Kh Ks")
    assert after(session) == {"DeclareIdle": False, "ExchangeBatches": True}


@pytest.mark.clause("NJ-MINI:7.3(c)2#2")
def test_with_a_continuous_device_vigorish_must_be_seen_to_while_cards_wait_to_go_back() -> None:
    session = with_device("continuous", device__approval="Approved on file")
    before = after(session)
    assert "CollectVigorish" not in before
    banker_wins(session, (1, 10_000))
    assert after(session)["CollectVigorish"] is True
    session.execute(acts.CollectVigorish(1))
    session.execute(acts.ReturnDiscards())
    assert after(session) == before


def test_play_does_not_end_over_a_wager() -> None:
    session = ready(1)
    assert after(session) == {"DeclareIdle": False}
    session.execute(acts.PlaceWager(1, "player", 10_000))
    assert after(session) == {}


def test_a_table_may_be_closed_once_nobody_is_seated_and_need_not_be() -> None:
    session = ready(1)
    session.execute(acts.LeaveTable(1))
    assert after(session)["CloseTable"] is False


@pytest.mark.clause("NJ-MINI:7.5(h)#1")
def test_a_table_is_declared_idle_only_where_the_text_has_it() -> None:
    assert after(ready(1)) == {"DeclareIdle": False}
    assert after(new_york.ready(1)) == {}


# --- nobody is there to play ----------------------------------------------------------------------


def standing(session: TableSession, **changes: object) -> TableSession:
    """A table whose state is another in this."""
    state = replace(session.state, **changes)
    session.position = replace(session.position, state=state)
    return session


def away(session: TableSession, seat: int = 1, **changes: object) -> TableSession:
    """A table whose patron has walked away, and has not left."""
    patron = replace(session.state.seats[seat], away=True, **changes)
    return standing(session, seats={**session.state.seats, seat: patron})


def deserted() -> TableSession:
    """A table that everybody has left."""
    session = ready(1)
    session.execute(acts.LeaveTable(1))
    return session


@pytest.mark.clause("NJ-MINI:7.5(h)#1")
def test_a_table_that_everybody_has_left_must_be_declared_idle_and_may_be_closed() -> None:
    assert after(deserted()) == {"CloseTable": False, "DeclareIdle": True}
    # Between two shoes the cards are out of the shoe anyhow.
    assert after(standing(deserted(), phase=Phase.SHOE_COMPLETED)) == {
        "CloseTable": False, "DeclareIdle": False, "ShuffleCards": True,
    }  # fmt: skip
    left = new_york.ready(1)
    left.execute(acts.LeaveTable(1))
    assert after(left) == {"CloseTable": False}


@pytest.mark.clause("NJ-MINI:7.5(h)#1")
def test_whoever_walked_away_leaves_the_table_idle_and_keeps_it_open() -> None:
    assert after(away(ready(1))) == {"DeclareIdle": True}
    assert after(away(ready(1, 4))) == {"DeclareIdle": False}


@pytest.mark.clause("NJ-MINI:7.3(c)2#2")
def test_what_somebody_who_walked_away_owes_comes_before_the_cards_leave_the_shoe() -> None:
    session = owing()
    for seat in session.state.seats:
        away(session, seat)
    # Settled before the next round (C192), whoever may still play.
    assert after(session) == {"CollectVigorish": True, "PrepareForm": True}


def test_a_wager_of_somebody_who_walked_away_is_played() -> None:
    session = ready(1)
    session.execute(acts.PlaceWager(1, "player", 10_000))
    assert after(away(session)) == {}


@pytest.mark.parametrize(
    ("owed", "code"),
    [
        ({"to_discard": 3, "discard_rule": "irregularity.disclosed_card"}, "discards_due"),
        ({"simulate_with": (SimulatedOrder(Card.of("7s"), ""),)}, "simulated_round_due"),
    ],
    ids=["discards", "a simulated round"],
)
def test_what_the_shoe_owes_comes_before_the_table_is_idle_or_closed(
    owed: dict[str, object], code: str
) -> None:
    session = standing(deserted(), **owed)
    assert after(session) == {}
    refused(session, acts.CloseTable(), code)


def test_cards_that_are_at_fault_are_taken_out_of_use_and_not_spread_or_shuffled() -> None:
    flaw = "a card is missing"
    assert after(standing(ready(1), flawed=flaw)) == {}
    assert after(standing(deserted(), flawed=flaw)) == {"CloseTable": False}
    completed = standing(ready(1), flawed=flaw, phase=Phase.SHOE_COMPLETED)
    assert "ShuffleCards" not in after(completed)


def test_decks_that_are_too_old_are_changed_before_the_table_is_idle() -> None:
    session = massachusetts.ready(1)
    session.execute(acts.LeaveTable(1))
    assert after(session)["DeclareIdle"] is True
    too_old = TimedDecks(now=NOON + timedelta(days=1), received=NOON)
    assert after(standing(session, slices={**session.state.slices, TimedDecks: too_old})) == {
        "CloseTable": False
    }


def test_vigorish_must_be_seen_to_before_decks_that_are_too_old_are_changed() -> None:
    session = massachusetts.ready(1, vigorish__collection="deferred")
    patron = replace(session.state.seats[1], owed_cents=500)
    standing(session, seats={1: patron})
    assert after(session)["CollectVigorish"] is False
    too_old = TimedDecks(now=NOON + timedelta(days=1), received=NOON)
    standing(session, slices={**session.state.slices, TimedDecks: too_old})
    assert after(session)["CollectVigorish"] is True
    # A round that began before goes on.
    assert after(standing(session, phase=Phase.SETTLED))["CollectVigorish"] is False


@pytest.mark.clause("NJ-MINI:7.3(c)2#2")
def test_with_a_continuous_device_vigorish_may_wait_until_the_cards_go_back() -> None:
    session = with_device("continuous", device__approval="Approved on file")
    owed = {1: replace(session.state.seats[1], owed_cents=500)}
    # Every card is in the device, so that none waits to be reshuffled.
    assert after(standing(session, seats=owed))["CollectVigorish"] is False
    less = replace(session.state.shoe, remaining=session.state.shoe.remaining - 1)
    assert after(standing(session, shoe=less))["CollectVigorish"] is True
    # While a round goes on its cards lie on the layout.
    dealt = with_device("continuous", device__approval="Approved on file")
    dealt.execute(acts.PlaceWager(1, "banker", 10_000))
    dealt.execute(acts.CallNoMoreBets())
    for card in parse_cards("8h 9d Kh Ks"):
        dealt.execute(acts.DrawCard(card))
    dealt.execute(acts.SettleWagers())
    assert dealt.state.seats[1].owed_cents == 500
    assert after(dealt)["CollectVigorish"] is False


@pytest.mark.parametrize("forms", [True, False])
def test_whoever_cannot_pay_is_told_what_the_text_leaves_to_be_done(forms: bool) -> None:  # noqa: FBT001
    game = MINIBACCARAT if forms else new_york.NEW_YORK
    session = game.ready(1, chips_cents=10_000, vigorish__collection="deferred")
    for seat, name, cents in ((1, "banker", 10_000), (1, "player", 20_000)):
        session.execute(acts.PlaceWager(seat, name, cents))
        game.play(session, "8h 9d Kh Ks")
    session.execute(acts.BuyChips(1, 499))
    told = refused(session, acts.CollectVigorish(1), "chips").message
    assert told.startswith("seat 1 owes $5.00 and has $4.99 in chips: have the patron buy chips")
    assert ("document" in told) is forms


def test_who_must_leave_before_a_table_is_closed_is_told_by_seat() -> None:
    told = refused(ready(1, 3, 4), acts.CloseTable(), "patrons").message
    assert told == "patrons are seated at 1, 3, 4: they must leave first"


# --- a part of what is owed ----------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)2#3", "NJ-MINI:7.3(c)2#4")
def test_the_marker_shows_what_is_left_when_a_part_is_collected_and_is_removed_with_the_last() -> (
    None
):
    session = owing()
    chips = session.state.seats[1].chips_cents
    (part,) = session.execute(acts.CollectVigorish(1, 499))
    assert isinstance(part, VigorishCollected)
    assert (part.cents, session.state.seats[1].owed_cents) == (499, 1)
    assert "NJ-MINI:7.3(c)2#3" in part.clauses
    assert "NJ-MINI:7.3(c)2#4" not in part.clauses
    (last,) = session.execute(acts.CollectVigorish(1, 1))
    assert "NJ-MINI:7.3(c)2#4" in last.clauses
    assert session.state.seats[1].owed_cents == 0
    assert session.state.seats[1].chips_cents == chips - 500


@pytest.mark.parametrize("cents", [-1, 0, 501, True])
def test_no_more_is_collected_than_is_owed_and_no_less_than_a_cent(cents: int) -> None:
    told = refused(owing(), acts.CollectVigorish(1, cents), "amount")
    assert told.message == "seat 1 owes $5.00: collect no more than that"


def test_whoever_cannot_pay_all_pays_the_part_that_is_asked_for() -> None:
    session = ready(1, chips_cents=10_000, vigorish__collection="deferred")
    for name, cents in (("banker", 10_000), ("player", 20_000)):
        session.execute(acts.PlaceWager(1, name, cents))
        MINIBACCARAT.play(session, "8h 9d Kh Ks")
    session.execute(acts.BuyChips(1, 300))
    refused(session, acts.CollectVigorish(1, 301), "chips")
    session.execute(acts.CollectVigorish(1, 300))
    assert (session.state.seats[1].chips_cents, session.state.seats[1].owed_cents) == (0, 200)


def test_what_comes_next_does_not_depend_on_which_module_was_imported_first(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Modules say it in turns of their own: reversed, they say the same in the same order."""
    rules = rules_of(deal__option="hand-over", irregularity__disclosed_card="discard-by-value")
    begun = starts(rules)

    def said() -> dict[str, tuple[Action, ...]]:
        core._offerers.cache_clear()  # noqa: SLF001  (what modules say is kept by phase)
        return {name: core.legal(one.stage.state, rules) for name, one in begun.items()}

    before = said()
    assert len(before) > 20
    registered = core._OFFERERS  # noqa: SLF001
    backward = sorted(registered, key=lambda one: one.function.__module__, reverse=True)
    assert backward != registered
    monkeypatch.setattr(core, "_OFFERERS", backward)
    assert said() == before
    monkeypatch.undo()
    said()
