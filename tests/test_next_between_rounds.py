"""What comes next between two rounds: vigorish that may wait or must not, the next shoe, the end of play."""

from __future__ import annotations

import pytest

from croupier.scenarios import starts
from croupier.table import Action, Phase, commands, core
from croupier.table.commands import Command
from croupier.table.events import VigorishCollected
from croupier.table.session import TableSession
from support import new_york
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

WATCHED: tuple[type[Command], ...] = (
    commands.CloseTable,
    commands.CollectVigorish,
    commands.DeclareIdle,
    commands.ExchangeBatches,
    commands.PrepareForm,
    commands.ReturnDiscards,
    commands.ShuffleCards,
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
    session.execute(commands.CollectVigorish(1))
    assert after(session) == {"DeclareIdle": False, "ShuffleCards": True}


@pytest.mark.clause("NJ-MINI:7.1(d)5")
def test_with_two_batches_the_other_one_is_next() -> None:
    session = open_table(rules_of(device="shuffler", decks=12), 1, 2)
    advance(session, Phase.CUT)
    # Of the six decks of a batch, eight cards are before the cutting card.
    session.execute(commands.InsertCuttingCards(304))
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
    session.execute(commands.CollectVigorish(1))
    session.execute(commands.ReturnDiscards())
    assert after(session) == before


def test_play_does_not_end_over_a_wager() -> None:
    session = ready(1)
    assert after(session) == {"DeclareIdle": False}
    session.execute(commands.PlaceWager(1, "player", 10_000))
    assert after(session) == {}


def test_a_table_may_be_closed_once_nobody_is_seated_and_need_not_be() -> None:
    session = ready(1)
    session.execute(commands.LeaveTable(1))
    assert after(session)["CloseTable"] is False


@pytest.mark.clause("NJ-MINI:7.5(h)#1")
def test_a_table_is_declared_idle_only_where_the_text_has_it() -> None:
    assert after(ready(1)) == {"DeclareIdle": False}
    assert after(new_york.ready(1)) == {}


@pytest.mark.parametrize("forms", [True, False])
def test_whoever_cannot_pay_is_told_what_the_text_leaves_to_be_done(forms: bool) -> None:  # noqa: FBT001
    game = MINIBACCARAT if forms else new_york.NEW_YORK
    session = game.ready(1, chips_cents=10_000, vigorish__collection="deferred")
    for seat, name, cents in ((1, "banker", 10_000), (1, "player", 20_000)):
        session.execute(commands.PlaceWager(seat, name, cents))
        game.play(session, "8h 9d Kh Ks")
    session.execute(commands.BuyChips(1, 499))
    told = refused(session, commands.CollectVigorish(1), "chips").message
    assert told.startswith("seat 1 owes $5.00 and has $4.99 in chips: have the patron buy chips")
    assert ("document" in told) is forms


def test_who_must_leave_before_a_table_is_closed_is_told_by_seat() -> None:
    told = refused(ready(1, 3, 4), commands.CloseTable(), "patrons").message
    assert told == "patrons are seated at 1, 3, 4: they must leave first"


# --- a part of what is owed ----------------------------------------------------------------------


@pytest.mark.clause("NJ-MINI:7.3(c)2#3", "NJ-MINI:7.3(c)2#4")
def test_the_marker_shows_what_is_left_when_a_part_is_collected_and_is_removed_with_the_last() -> (
    None
):
    session = owing()
    chips = session.state.seats[1].chips_cents
    (part,) = session.execute(commands.CollectVigorish(1, 499))
    assert isinstance(part, VigorishCollected)
    assert (part.cents, session.state.seats[1].owed_cents) == (499, 1)
    assert "NJ-MINI:7.3(c)2#3" in part.clauses
    assert "NJ-MINI:7.3(c)2#4" not in part.clauses
    (last,) = session.execute(commands.CollectVigorish(1, 1))
    assert "NJ-MINI:7.3(c)2#4" in last.clauses
    assert session.state.seats[1].owed_cents == 0
    assert session.state.seats[1].chips_cents == chips - 500


@pytest.mark.parametrize("cents", [-1, 0, 501, True])
def test_no_more_is_collected_than_is_owed_and_no_less_than_a_cent(cents: int) -> None:
    told = refused(owing(), commands.CollectVigorish(1, cents), "amount")
    assert told.message == "seat 1 owes $5.00: collect no more than that"


def test_whoever_cannot_pay_all_pays_the_part_that_is_asked_for() -> None:
    session = ready(1, chips_cents=10_000, vigorish__collection="deferred")
    for name, cents in (("banker", 10_000), ("player", 20_000)):
        session.execute(commands.PlaceWager(1, name, cents))
        MINIBACCARAT.play(session, "8h 9d Kh Ks")
    session.execute(commands.BuyChips(1, 300))
    refused(session, commands.CollectVigorish(1, 301), "chips")
    session.execute(commands.CollectVigorish(1, 300))
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
