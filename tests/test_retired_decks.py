"""What becomes of cards that left a table, and what nobody does with them alone."""

from __future__ import annotations

from datetime import UTC, date, datetime, timedelta
from itertools import permutations
from pathlib import Path
from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import CardsRemoved, Command, HeldCardsReleased, TableClosed
from croupier.acts.command import TERMS
from croupier.acts.roles import Role
from croupier.baccarat.cards import DECK_SIZE, Card
from croupier.records.carried import read_slice, slices_data
from croupier.records.codec import dump, from_json
from croupier.records.entry import SteppedClock
from croupier.records.log import begin_log, carried_from, ended_log
from croupier.server.desks.stock import used_at_another
from croupier.table import Phase, Refusal
from croupier.table.cards.out_of_use import RetiredDecks
from croupier.table.machine.offered import acts as offered_acts
from croupier.table.machine.position import Actor, Stamp
from croupier.table.machine.session import TableSession
from croupier.table.parts.progressive import Progressive
from croupier.table.people.offices import may
from croupier.verify.corrected import before_readings
from croupier.verify.log import verify_log
from support import massachusetts
from support.closing import closing_command
from support.games import Game, advance
from support.logs import recorded
from support.massachusetts import MASSACHUSETTS
from support.new_york import NEW_YORK
from support.punto_banco import PUNTO_BANCO
from support.served import problem, served
from support.table import MINIBACCARAT, only
from support.tables import asked, consented, given, opened

GAMES: Final = (
    pytest.param(MINIBACCARAT, marks=pytest.mark.under("us-nj/minibaccarat@2011-02-22")),
    pytest.param(PUNTO_BANCO, marks=pytest.mark.under("us-nj/punto-banco@2011-02-22")),
    pytest.param(MASSACHUSETTS, marks=pytest.mark.under("us-ma/minibaccarat@2026-11-20")),
    pytest.param(NEW_YORK, marks=pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")),
)
DAMAGED: Final = acts.FindWrongCard("damaged", "Sup", Card.of("Kh"))


def marked(game: Game, **more: Any) -> TableSession:
    """Return a table off which a marked set was taken."""
    session = game.arriving(game.rules(**more), 1)
    advance(session, Phase.BETTING)
    session.execute(DAMAGED)
    session.execute(acts.RemoveCards())
    return session


def steps(session: TableSession) -> tuple[Command, ...]:
    cards = session.rules.value("decks", int) * DECK_SIZE
    return (
        acts.SealDecks(1, cards, "E-1"),
        acts.ExamineDecks(1, "a mark on the king", intact=True, keep=False),
        acts.DestroyDecks(1, "E-1"),
    )


@pytest.mark.parametrize("game", GAMES)
def test_a_marked_set_is_sealed_and_examined_and_destroyed_in_no_other_order(game: Game) -> None:
    session = marked(game)
    right, begun = steps(session), session.position
    for order in permutations(right):
        session.position = begun
        done: list[Command] = []
        for command in order:
            before = session.state
            answer = session.try_execute(command)
            if command == right[len(done)]:
                done.append(command)
                assert not isinstance(answer, Refusal)
            else:
                assert isinstance(answer, Refusal)
                assert answer.clauses[0] == "C220"
                assert session.state == before
        assert bool(session.state[RetiredDecks].sets) is (tuple(done) != right)
        for command in right[: len(done)]:
            # Nothing is done twice, but surveillance may look again.
            if not isinstance(command, acts.ExamineDecks) or len(done) == len(right):
                assert isinstance(session.try_execute(command), Refusal)


@pytest.mark.parametrize("game", GAMES)
def test_cards_out_of_use_leave_as_the_table_closes_and_no_other_version_said_so(
    game: Game,
) -> None:
    session = game.arriving(game.rules(), 1)
    advance(session, Phase.BETTING)
    session.execute(DAMAGED)
    session.execute(acts.LeaveTable(1))
    before = session.position
    removed, closed = session.execute(acts.CloseTable())
    assert (removed, type(closed)) == (CardsRemoved(("C220",)), TableClosed)
    assert session.state.phase is Phase.CLOSED
    ((entries, events),) = before_readings(before, acts.CloseTable(), Stamp())
    assert (entries, events) == (("C220",), (closed,))


@pytest.mark.parametrize("game", GAMES)
def test_a_set_that_left_waits_across_gaming_days(game: Game) -> None:
    session = marked(game)
    session.execute(steps(session)[0])
    session.execute(acts.LeaveTable(1))
    session.execute(acts.CloseTable())
    kept = session.state[RetiredDecks]
    written = from_json(dump(slices_data(session.state)["retired_decks"]))
    assert read_slice("retired_decks", written) == kept
    following = (session.state.gaming_date or date.max) + timedelta(days=1)
    session.execute(acts.OpenTable(100_000_000, game.dealer, game.floorperson, following))
    assert session.state[RetiredDecks] == kept
    assert kept.sets[1].envelope == "E-1"
    assert kept.sets[1].shoes == 1


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_a_set_is_examined_and_destroyed_in_the_log_of_the_next_day(tmp_path: Path) -> None:
    friday, saturday = tmp_path / "friday.jsonl", tmp_path / "saturday.jsonl"
    rules = MINIBACCARAT.rules()
    with recorded(friday, rules) as record:
        session = MINIBACCARAT.open(rules, 1, record=record)
        advance(session, Phase.BETTING)
        session.execute(DAMAGED)
        session.execute(acts.RemoveCards())
        seal, examine, destroy = steps(session)
        session.execute(seal)
        session.execute(acts.LeaveTable(1))
        session.execute(acts.CloseTable())
    before = carried_from(ended_log(friday))
    following = (session.state.gaming_date or date.max) + timedelta(days=1)
    recorder, stream = begin_log(saturday, rules, shuffle="given", continues=before)
    assert before.position.state.at is not None
    session = TableSession(
        rules,
        record=recorder,
        position=before.position,
        clock=SteppedClock.after(before.position.state.at),
    )
    who = MINIBACCARAT.dealer, MINIBACCARAT.floorperson
    session.execute(acts.OpenTable(100_000_000, *who, following))
    assert isinstance(session.try_execute(seal), Refusal)
    assert isinstance(session.try_execute(destroy), Refusal)
    session.execute(examine)
    session.execute(destroy)
    assert isinstance(session.try_execute(destroy), Refusal)
    assert not session.state[RetiredDecks].sets
    session.execute(acts.CloseTable())
    recorder.finish()
    stream.close()
    assert verify_log(saturday).is_clean


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_a_set_served_as_many_shoes_as_were_loaded_with_it() -> None:
    session = MINIBACCARAT.at(Phase.TO_CUT)
    for _ in range(3):
        MINIBACCARAT.load_short_shoe(session)
        while session.state.phase is not Phase.SHOE_COMPLETED:
            MINIBACCARAT.play_out(session, "9h 8d Kh Ks")
        if session.state.shoe.number < 3:
            advance(session, Phase.TO_CUT)
    session.execute(acts.OrderDecks("Sup", "worn"))
    assert session.state[RetiredDecks].sets[1].shoes == 3


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_an_order_and_a_marked_card_concern_no_set_that_is_received_later() -> None:
    rules = MINIBACCARAT.rules(readings={"C220": "elsewhere"})
    session = MINIBACCARAT.arriving(rules, 1)
    advance(session, Phase.BETTING)
    session.execute(acts.OrderDecks("Sup", "worn"))
    session.execute(DAMAGED)
    session.execute(acts.LeaveTable(1))
    session.execute(acts.CloseTable())
    following = (session.state.gaming_date or date.max) + timedelta(days=1)
    who = MINIBACCARAT.dealer, MINIBACCARAT.floorperson
    session.execute(acts.OpenTable(100_000_000, *who, following))
    session.execute(acts.ReceiveCards(session.rules.value("decks", int), name="red 2"))
    kept = session.state[RetiredDecks]
    assert (kept.name, kept.reason, kept.flawed, kept.ordered) == ("red 2", "", False, False)
    session.execute(acts.SeatPatron(1, "Ada"))
    advance(session, Phase.BETTING)
    assert session.state[RetiredDecks].name == "red 2"


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_a_table_whose_removed_sets_are_recorded_elsewhere_records_none() -> None:
    session = marked(MINIBACCARAT, readings={"C220": "elsewhere"})
    for command in steps(session):
        refusal = session.try_execute(command)
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.clauses) == ("not_elected", ("C220",))
    offered = {one.command for one in offered_acts(session.state, session.rules)}
    assert offered.isdisjoint(map(type, steps(session)))


@pytest.mark.parametrize("game", GAMES)
def test_an_order_that_ends_the_shoe_takes_no_further_wager(game: Game) -> None:
    session = game.arriving(game.rules(readings={"C222": "round"}), 1)
    advance(session, Phase.BETTING)
    place = acts.PlaceWager(1, "player", 10_000)
    session.execute(place)
    session.execute(acts.OrderDecks("Sup", "worn"))
    for command in (place, acts.PlaceWagers(1, {"player": 10_000})):
        refusal = session.try_execute(command)
        assert isinstance(refusal, Refusal)
        assert (refusal.code, refusal.clauses) == ("decks_ordered", ("C191", "C222"))
    assert isinstance(session.try_execute(acts.CallNoMoreBets()), Refusal)
    refusal = session.try_execute(acts.RemoveCards())
    assert isinstance(refusal, Refusal)
    assert (refusal.code, refusal.clauses) == ("wagers", ("C222",))
    offered = {one.command for one in offered_acts(session.state, session.rules)}
    assert offered.isdisjoint({acts.PlaceWager, acts.PlaceWagers, acts.CallNoMoreBets})
    assert acts.WithdrawWager in offered
    session.execute(acts.WithdrawWager(1, "player"))
    session.execute(acts.RemoveCards())


# --- alone ---


def test_nobody_alone_seals_or_destroys_and_no_one_at_the_table_examines() -> None:
    seal, examine, destroy = (TERMS[one] for one in ("SealDecks", "ExamineDecks", "DestroyDecks"))
    assert (seal.does, seal.together) == ((Role.FLOORPERSON,), (Role.DEALER,))
    assert (examine.does, examine.together) == ((Role.SURVEILLANCE,), ())
    assert Role.DEALER not in destroy.does
    assert destroy.together == (Role.SURVEILLANCE,)


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_a_dealer_does_not_destroy_a_marked_set_before_surveillance_saw_it(tmp_path: Path) -> None:
    with served(tmp_path / "store") as house:
        dealer, floor = opened(house)
        watch = house.person("surveillance", "Sue")
        given(floor, dealer, {"type": "AssignOffice", "office": "surveillance", "person": "Sue"})
        given(dealer, floor, {"type": "ReceiveCards", "decks": 8, "name": "red 1"})
        wrong = {"type": "FindWrongCard", "kind": "damaged", "supervisor": "Flo", "card": "Kh"}
        given(floor, dealer, wrong)
        given(dealer, floor, {"type": "RemoveCards"})
        table = "MB-101"
        seal = {"type": "SealDecks", "removed": 1, "cards": 416, "envelope": "E-1"}
        destroy = {"type": "DestroyDecks", "removed": 1, "envelope": "E-1"}
        examine = {"type": "ExamineDecks", "removed": 1, "finding": "a mark", "intact": True}
        problem(dealer.does(table, seal), 403, "not_your_office")
        problem(dealer.does(table, destroy), 403, "not_your_office")
        problem(floor.does(table, {**examine, "keep": False}), 403, "not_your_office")
        waits = floor.does(table, seal)
        assert waits.json()["consent"]["needs"] == ["dealer"]
        assert consented(dealer, waits).status_code == 200
        problem(asked(floor, watch, destroy), 409, "unexamined")
        assert watch.does(table, {**examine, "keep": True}).status_code == 200
        problem(asked(floor, watch, destroy), 409, "kept")
        assert watch.does(table, {**examine, "keep": False}).status_code == 200
        waits = floor.does(table, destroy)
        assert waits.json()["consent"]["needs"] == ["surveillance"]
        assert consented(watch, waits).status_code == 200
        again = {"type": "ReceiveCards", "decks": 8, "name": "Red 1"}
        problem(dealer.does(table, again), 409, "decks_removed")


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
@pytest.mark.clause("MA-MINI:3(c)", "MA-MINI:4(e)")
def test_no_dealer_alone_exchanges_the_decks_before_their_time() -> None:
    """Not for pre-shuffled ones either, which nobody inspects; at their hour the text requires it."""
    session = massachusetts.ready(1)
    session.execute(acts.AssignOffice(Role.DEALER, "Dora"))
    state = session.state
    dealer, floor = Actor("Dora", Role.DEALER), Actor(MASSACHUSETTS.floorperson, Role.FLOORPERSON)
    alone = may(state, acts.RemoveCards(), (dealer,), session.rules)
    assert alone is not None
    assert (alone.code, alone.clauses) == ("consent_needed", ("MA-MINI:3(c)", "C231"))
    assert may(state, acts.RemoveCards(), (dealer, floor), session.rules) is None
    # A dealer in two offices is not two persons.
    both = may(state, acts.RemoveCards(), (dealer, Actor("Dora", Role.FLOORPERSON)), session.rules)
    assert both is not None
    elected = MASSACHUSETTS.rules(readings={"C231": "dealer"})
    assert may(state, acts.RemoveCards(), (dealer,), elected) is None
    for reason in (
        acts.OrderDecks("Sup", "worn"), DAMAGED, acts.RecordTime(datetime(2026, 11, 21, 12, tzinfo=UTC)),
    ):  # fmt: skip
        required = massachusetts.ready(1)
        required.execute(acts.AssignOffice(Role.DEALER, "Dora"))
        required.execute(reason)
        if isinstance(reason, acts.OrderDecks):
            required.execute(acts.DirectShuffle("Sup"))
        assert may(required.state, acts.RemoveCards(), (dealer,), required.rules) is None


# --- in a pit ---


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
@pytest.mark.clause("MA-MINI:12(j)#1")
def test_a_commitment_that_stood_at_another_table_of_the_pit_is_refused() -> None:
    seal = "c" * 64
    session = massachusetts.ready(1, **massachusetts.STAX)
    others = {"MA-302": session.state}
    again = acts.CommitMystery(session.state[Progressive].commitment)
    name, refusal = used_at_another(again, session.rules, others) or ("", None)
    assert refusal is not None
    assert (name, refusal.code) == ("MA-302", "spent")
    assert refusal.clauses == ("MA-MINI:12(j)#1", "MA-MINI:12(j)#2", "C156")
    assert used_at_another(acts.CommitMystery(seal), session.rules, others) is None


@pytest.mark.parametrize("game", GAMES)
def test_an_envelope_and_a_removed_set_of_another_table_are_refused(game: Game) -> None:
    session = game.arriving(game.rules(), 1)
    session.execute(acts.ReceiveCards(session.rules.value("decks", int), name="red 1"))
    session.execute(DAMAGED)
    session.execute(acts.RemoveCards())
    session.execute(steps(session)[0])
    others = {"B": session.state}
    for command, code in (
        (acts.ReceiveCards(8, name="RED  1"), "decks_removed"),
        (acts.SealDecks(1, 416, " e-1"), "envelope"),
    ):
        _, refusal = used_at_another(command, session.rules, others) or ("", None)
        assert refusal is not None
        assert refusal.code == code
    assert used_at_another(acts.SealDecks(1, 416, "E-2"), session.rules, others) is None
    assert used_at_another(acts.ReceiveCards(8), session.rules, others) is None


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
@pytest.mark.clause("MA-MINI:13(a)", "MA-MINI:3(c)")
def test_a_held_card_leaves_with_its_set() -> None:
    session = massachusetts.ready(1)
    massachusetts.play(session, "9h 8d Kh Ks", (1, "player", 2_500))
    session.execute(acts.DrawCardInError(Card.of("5c"), disclosed=False))
    released = only(session.execute(acts.RemoveCards()), HeldCardsReleased)
    assert (released.cards, released.to) == ((Card.of("5c"),), "removed set")


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("fresh", ["order", "every-shoe"])
@pytest.mark.parametrize("sealed", ["closing", "before-others"])
def test_the_staff_alone_close_a_table_whose_sets_are_sealed_in_time(
    game: Game, sealed: str, fresh: str
) -> None:
    """Also with a marked set on the table, an order within a shoe, or a set that was dealt once."""
    rules = game.rules(readings={"C230": sealed, "C191": fresh})
    for moment in (Phase.OPEN, Phase.TO_CUT, Phase.TO_BURN, Phase.BETTING):
        for found in (None, DAMAGED, acts.OrderDecks("Sup", "worn")):
            session = game.arriving(rules, 1)
            advance(session, moment) if moment is not Phase.OPEN else None
            if found is not None:
                session.try_execute(found)
            for _ in range(200):
                session.execute(closing_command(session.position))
                if session.state.phase is Phase.CLOSED:
                    break
            assert session.state.phase is Phase.CLOSED
            assert all(one.envelope for one in session.state[RetiredDecks].sets.values())
