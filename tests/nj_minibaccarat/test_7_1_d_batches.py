"""19:47-7.1(d): two batches that take turns between the shoe and an automated shuffler."""

import pytest

from croupier import acts
from croupier.acts import BatchesExchanged, CardDealt, CardHeld, Event, ShoeLoaded
from croupier.baccarat.cards import Card
from croupier.table import Phase
from croupier.table.machine.session import TableSession
from support.games import advance
from support.table import (
    deal,
    due,
    load_short_shoe,
    only,
    open_table,
    play,
    play_out,
    ready,
    refused,
    rules_of,
)

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

NATURAL = "9h 8d Kh Ks"


def table() -> TableSession:
    """A table with sixteen decks in two batches, just opened, both batches stacked."""
    session = open_table(rules_of(device="shuffler", decks=16), 1)
    advance(session, Phase.TO_EXCHANGE)
    return session


def shoe_completed() -> TableSession:
    session = table()
    load_short_shoe(session)
    play_out(session, NATURAL)
    return session


@pytest.mark.clause("NJ-MINI:7.1(d)4", "NJ-MINI:7.1(d)5")
def test_at_the_opening_the_first_batch_comes_out_as_the_second_goes_in() -> None:
    session = table()
    first = only(session.execute(acts.ExchangeBatches()), BatchesExchanged)
    assert (first.into_device, first.out_of_device) == (1, None)
    # Nothing has come out yet, so there is nothing to finish, cut or deal.
    assert due(session) == {acts.ExchangeBatches}
    refused(session, acts.LaceStack(), "not_now")
    second = only(session.execute(acts.ExchangeBatches()), BatchesExchanged)
    assert (second.into_device, second.out_of_device) == (2, 1)
    assert due(session) == {acts.LaceStack}
    assert (session.state.batch, session.state.in_device) == (1, 2)


@pytest.mark.clause("NJ-MINI:7.1(d)4")
def test_while_one_batch_is_dealt_the_other_is_in_the_device() -> None:
    session = table()
    seen: list[tuple[int, int | None]] = []

    def listen(command: acts.Command, events: tuple[Event, ...]) -> None:
        del command, events
        if session.state.round is not None:
            seen.append((session.state.shoe.batch, session.state.in_device))

    session.listeners.append(listen)
    for _ in range(4):
        load_short_shoe(session)
        play_out(session, NATURAL)
        session.execute(acts.ExchangeBatches())
    assert set(seen) == {(1, 2), (2, 1)}


@pytest.mark.clause("NJ-MINI:7.1(d)4")
def test_with_a_shuffler_the_batch_is_not_shuffled_by_hand() -> None:
    session = shoe_completed()
    refusal = refused(session, acts.ShuffleCards(), "exchange")
    assert {"NJ-MINI:7.1(d)4", "NJ-MINI:7.1(d)5"} <= set(refusal.clauses)
    assert due(session) == {acts.ExchangeBatches}


@pytest.mark.clause("NJ-MINI:7.1(d)5")
def test_each_batch_is_used_for_every_other_shoe() -> None:
    session = table()
    loaded: list[tuple[int, int, int]] = []

    def listen(command: acts.Command, events: tuple[Event, ...]) -> None:
        del command
        loaded.extend(
            (event.shoe, event.batch, event.decks)
            for event in events
            if isinstance(event, ShoeLoaded)
        )

    session.listeners.append(listen)
    for _ in range(5):
        load_short_shoe(session)
        play_out(session, NATURAL)
    assert loaded == [(1, 1, 8), (2, 2, 8), (3, 1, 8), (4, 2, 8), (5, 1, 8)]


@pytest.mark.clause("NJ-MINI:7.1(d)5")
def test_the_batch_that_was_dealt_goes_in_as_the_shuffled_one_comes_out() -> None:
    session = shoe_completed()
    for into, out in ((1, 2), (2, 1), (1, 2)):
        exchanged = only(session.execute(acts.ExchangeBatches()), BatchesExchanged)
        assert (exchanged.into_device, exchanged.out_of_device) == (into, out)
        assert {"NJ-MINI:7.1(d)4", "NJ-MINI:7.1(d)5"} <= set(exchanged.clauses)
        load_short_shoe(session)
        play_out(session, NATURAL)


@pytest.mark.clause("NJ-MINI:7.1(d)6")
def test_the_batches_are_exchanged_before_a_card_of_the_other_can_reach_the_rack() -> None:
    session = shoe_completed()
    for command in (
        acts.CallNoMoreBets(),
        acts.LaceStack(),
        acts.CutStack(100),
        acts.LoadShoe(),
        acts.ReturnDiscards(),
    ):
        refused(session, command, "not_now")
    exchanged = only(session.execute(acts.ExchangeBatches()), BatchesExchanged)
    assert "NJ-MINI:7.1(d)6" in exchanged.clauses
    load_short_shoe(session)
    # Burned and dealt, the cards of this shoe alone are out of it: 416 less the two of its burn.
    assert (session.state.shoe.batch, session.state.shoe.remaining) == (2, 414)


@pytest.mark.clause("NJ-MINI:7.1(d)6")
def test_the_batches_are_not_exchanged_while_the_cards_of_a_shoe_are_in_play_or_in_the_rack() -> (
    None
):
    session = ready(1, device="shuffler", decks=16)
    assert refused(session, acts.ExchangeBatches(), "not_now").clauses == ()
    session.execute(acts.CallNoMoreBets())
    refused(session, acts.ExchangeBatches(), "not_now")


@pytest.mark.clause("NJ-MINI:7.1(d)6")
def test_a_card_held_at_the_end_of_a_shoe_does_not_reach_the_rack_with_the_other_batch() -> None:
    session = table()
    load_short_shoe(session)
    while session.state.hands_left is None:
        play(session, NATURAL)
    deal(session, NATURAL)
    error = acts.DrawCardInError(Card.of("3c"), disclosed=False)
    assert only(session.execute(error), CardHeld).card == Card.of("3c")
    session.execute(acts.SettleWagers())
    session.execute(acts.ClearLayout())
    assert (session.state.phase, session.state.held) == (Phase.SHOE_COMPLETED, ())
    load_short_shoe(session)
    assert (session.state.shoe.batch, session.state.held) == (2, ())
    # The next hand begins with a card of the batch in play, not with the one that was held.
    session.execute(acts.CallNoMoreBets())
    refused(session, acts.UseHeldCard(), "no_held_card")
    assert only(session.execute(acts.DrawCard(Card.of("9h"))), CardDealt).source == "shoe"


@pytest.mark.clause("NJ-MINI:7.1(d)")
def test_a_table_without_a_shuffler_has_no_batches_to_exchange() -> None:
    session = open_table(rules_of(), 1)
    load_short_shoe(session)
    play_out(session, NATURAL)
    assert refused(session, acts.ExchangeBatches(), "no_device").clauses == ()
