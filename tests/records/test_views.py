"""What each office sees of a table: the rows of who may know what, the turn of a hand, and seals."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

import pytest
from jsonschema_rs import Draft202012Validator

from croupier import acts
from croupier.baccarat.cards import Card
from croupier.baccarat.coup import Hand
from croupier.cli.common.schema import SCHEMAS
from croupier.records.chain import decode_entry
from croupier.records.codec import dump, from_json
from croupier.records.entry import SteppedClock, entry_head, sealed_entry, unseal
from croupier.records.log import replayed
from croupier.records.view.projection import projection, results_after
from croupier.records.view.seen import seen_acts, seen_entry
from croupier.records.view.sight import VIEWERS, Viewer, asks_of_closed, is_open, masked
from croupier.scenarios.autopilot import Autopilot
from croupier.table import Refusal
from croupier.table.cards.chance import Chance
from croupier.table.machine.position import Actor, Proposal, Stamp
from croupier.table.machine.session import TableSession
from support import massachusetts, table

LETTERS: Final = {
    "D": Viewer("dealer"), "F": Viewer("floorperson"), "B": Viewer("pit boss"),
    "S": Viewer("patron", 3), "O": Viewer("patron", 4), "X": Viewer("board"),
    "V": Viewer("surveillance"), "K": Viewer("pit clerk"), "A": Viewer("accounting"),
    "G": Viewer("cage"), "L": Viewer("licensee"),
}  # fmt: skip
"""S sits in the seat concerned, O in another one; X is the board."""

FORM: Final = acts.FormPrepared(
    7, 500, date(2011, 2, 22), "1", "2", "Pat", "Dana", "Bo", "Clark", patron_signed=True,
    statement=None, stated_by=None, clauses=(),
)  # fmt: skip

SEEN: Final = (
    (acts.PatronSeated(3, "Pat", ()), "patron", "DFBSV"),
    (acts.WagerPlaced(3, "tie", 500, 0, ()), "cents", "DFBSOXV"),
    (acts.WagerPaid(3, "tie", "win", "8:1", 500, ()), "cents", "DFBSOXV"),
    (acts.VigorishMarked(3, 500, 700, ()), "owed_cents", "DFBSV"),
    (acts.ChipsBought(3, 500, ()), "cents", "DFBSV"),
    (acts.TableOpened(500, "Dana", "Flo", date(2011, 2, 22), {}, ()), "inventory_cents", "DFBVAGL"),
    (acts.TableOpened(500, "Dana", "Flo", date(2011, 2, 22), {}, ()), "dealer", "DFBVKAGL"),
    (acts.FillReceived(1, 500, ()), "cents", "DFBVAGL"),
    (acts.InventoryCounted({}, 500, 600, True, ()), "expected_cents", "FBVAGL"),  # noqa: FBT003
    (acts.DropRemoved("1", "2", 500, 0, ()), "cash_cents", "FBVAGL"),
    (FORM, "patron", "DFBVKAGL"),
    (FORM, "cents", "DFBVKAGL"),
    (acts.RulingGiven("m", "", "Flo", "Pat is ill", 3, ()), "reason", "DFBVKAGL"),
    (acts.EndProgressiveRound("5e" * 32), "secret", ""),
    (acts.ReplaceMystery("lost", "5e" * 32), "secret", ""),
)


@pytest.mark.parametrize(("told", "field", "who"), SEEN, ids=lambda one: type(one).__name__)
def test_a_field_is_shown_to_those_who_may_see_it_and_to_no_one_else(
    told: Any, field: str, who: str
) -> None:
    shown = getattr(told, field)
    seen = {
        letter
        for letter, viewer in LETTERS.items()
        if getattr(masked(told, viewer, None), field) == shown
    }
    assert "".join(letter for letter in LETTERS if letter in seen) == "".join(
        letter for letter in LETTERS if letter in who
    )


def test_what_is_hidden_keeps_its_place() -> None:
    board = LETTERS["X"]
    assert masked(acts.PatronSeated(3, "Pat", ()), board, None).patron == "patron"
    assert masked(acts.OfficeAssigned("pit boss", "Bo", ()), board, None).person == "pit boss"
    assert masked(acts.ChipsBought(3, 500, ()), board, None).cents is None
    drawn: Any = masked(acts.DrawCard(Card.of("9h")), LETTERS["V"], None)
    assert drawn.card == "??"
    placed: Any = masked(acts.WagersPlaced(3, {"tie": 500}, ()), LETTERS["K"], None)
    assert placed.stakes == {"tie": None}


@pytest.mark.parametrize(
    ("office", "seat", "why"),
    [("croupier", None, "not an office"), ("patron", None, "seat"), ("dealer", 3, "seat")],
)
def test_no_one_else_looks_at_a_table(office: str, seat: int | None, why: str) -> None:
    with pytest.raises(ValueError, match=why):
        Viewer.of(office, seat)
    assert Viewer.of("patron", 3) == LETTERS["S"]


# --- a hand that is turned ---------------------------------------------------------------------


def watched(session: TableSession) -> list[Proposal]:
    """The entries of a session from now on."""
    entries: list[Proposal] = []
    session.record, session.clock = entries.extend, SteppedClock()
    return entries


def cards_of(session: TableSession, viewer: Viewer) -> list[list[str]]:
    round_ = projection(session.position, viewer)["round"]
    assert round_ is not None
    return [hand["cards"] for hand in round_["hands"]]


def test_a_card_is_shown_once_its_hand_is_turned() -> None:
    session = table.ready(1, deal__option="face-down")
    table.wager(session, (1, "player", 10_000))
    session.execute(acts.CallNoMoreBets())
    entries = watched(session)
    for card in ("9h", "8d", "Kh", "Ks"):
        session.execute(acts.DrawCard(Card.of(card)))
    everybody = [*LETTERS.values()]
    for viewer in everybody:
        seen = [seen_entry(viewer, entry) for entry in entries]
        assert [one["command"]["card"] for one in seen] == ["??"] * 4
        assert cards_of(session, viewer) == [["??", "??"], ["??", "??"]]
        assert not any(one["open_point"] for one in seen)
    session.execute(acts.TurnHand(Hand.PLAYER))
    for viewer in everybody:
        turn = seen_entry(viewer, entries[-1])
        assert [(one["hand"], one["ordinal"], one["card"]) for one in turn["opened"]] == [
            ("player", 1, "9h"), ("player", 2, "Kh"),
        ]  # fmt: skip
        assert cards_of(session, viewer) == [["9h", "Kh"], ["??", "??"]]
        assert not turn["open_point"]
    session.execute(acts.TurnHand(Hand.BANKER))
    for viewer in everybody:
        turn = seen_entry(viewer, entries[-1])
        assert [one["card"] for one in turn["opened"]] == ["8d", "Ks"]
        assert turn["open_point"]
    assert is_open(session.position)


def test_a_card_that_only_a_guess_could_name_is_not_spoken_of() -> None:
    session = table.ready(1, deal__option="face-down")
    table.wager(session, (1, "player", 10_000))
    session.execute(acts.CallNoMoreBets())
    for card in ("9h", "8d", "Kh", "Ks"):
        session.execute(acts.DrawCard(Card.of(card)))
    right = acts.CorrectMisreadCard(Card.of("9h"), Card.of("8h"), "Flo", Hand.PLAYER, 1)
    wrong = acts.CorrectMisreadCard(Card.of("7h"), Card.of("8h"), "Flo", Hand.PLAYER, 1)
    answers = [asks_of_closed(session.position, one) for one in (right, wrong)]
    assert isinstance(answers[0], Refusal)
    assert answers[0] == answers[1]
    session.execute(acts.TurnHand(Hand.PLAYER))
    assert asks_of_closed(session.position, right) is None


def test_a_burned_card_is_spoken_of_while_a_held_one_lies_face_down() -> None:
    session = table.ready(1)
    session.execute(acts.DrawCardInError(Card.of("9h"), disclosed=False))
    (burned, *_), other = session.state.shoe.burned, Card.of("Kd")
    assert burned is not None
    misread = acts.CorrectMisreadCard(burned, other, "Flo", ordinal=1)
    assert asks_of_closed(session.position, misread) is None
    # Another place would be that of the held card, in a log of an earlier program.
    for place in (0, 9):
        guess = acts.CorrectMisreadCard(Card.of("9h"), other, "Flo", ordinal=place)
        assert isinstance(asks_of_closed(session.position, guess), Refusal)


# Player's 6 and Banker's 7 stay. With an ace for the 9 Player has a natural, and with a 6 a third card
# to draw: either way the settlement stands, and so does what was announced.
@pytest.mark.parametrize("actual", ["9h", "Ad", "6d"])
def test_the_result_that_was_announced_stays_where_a_card_is_put_right_after_the_settlement(
    actual: str,
) -> None:
    session = table.ready(1)
    entries: list[Proposal] = []
    session.record = entries.extend
    table.wager(session, (1, "player", 10_000))
    session.execute(acts.CallNoMoreBets())
    for card in ("9d", "8s", "7h", "9s"):
        session.execute(acts.DrawCard(Card.of(card)))
    session.execute(acts.SettleWagers())
    misread = Card.of("9d"), Card.of(actual)
    session.execute(acts.CorrectMisreadCard(*misread, "Flo", Hand.PLAYER, 1))
    session.execute(acts.ClearLayout())
    results: list[Any] = []
    for one in entries:
        results = results_after(results, one)
    assert [(one["winner"], one["player_count"], one["banker_count"]) for one in results] == [
        ("banker", 6, 7)
    ]


def test_the_composition_of_the_shoe_counts_open_cards_alone_and_is_for_two_offices() -> None:
    session = table.ready(1, deal__option="face-down")
    table.wager(session, (1, "player", 10_000))
    session.execute(acts.CallNoMoreBets())
    session.execute(acts.DrawCard(Card.of("9h")))
    for letter, viewer in LETTERS.items():
        left = projection(session.position, viewer)["shoe"]["left"]
        assert (left is not None) == (letter in "VL")
        if left is not None:
            # Eight decks; the burn was an ace and a two, drawn face up and face down.
            assert left["9h"] == 8
            assert sum(left.values()) == session.state.shoe.remaining + 1


# --- who did it --------------------------------------------------------------------------------


def test_who_acts_is_shown_to_the_floor_and_to_those_whose_act_it_is() -> None:
    session = table.ready(1)
    entries = watched(session)
    by = (Actor(session.state.seats[1].name, "patron", seat=1),)
    session.execute(acts.PlaceWager(1, "player", 10_000), Stamp(by))
    seen = {letter for letter, viewer in LETTERS.items() if seen_entry(viewer, entries[-1])["by"]}
    assert seen == {"F", "B", "V"}


# --- a day, as documents -----------------------------------------------------------------------


@pytest.mark.parametrize("game", [table.MINIBACCARAT, massachusetts.MASSACHUSETTS])
def test_every_document_of_a_day_is_as_its_schema_says_and_nobody_is_told_a_strangers_name(
    game: Any,
) -> None:
    session = TableSession(game.rules(), clock=SteppedClock())
    entries: list[Proposal] = []
    session.record = entries.extend
    pilot = Autopilot(session, Chance(seed=4), patrons=3, dealer_errors=30)
    pilot.open(gaming_date=game.gaming_date)
    pilot.play_shoe(rounds=12)
    entry, whole = (Draft202012Validator(SCHEMAS[name]()) for name in ("entry-view", "table-view"))
    results: list[Any] = []
    seal, before = "0" * 64, entries[0].before
    for at, one in enumerate(entries):
        # What was stored shows the same again.
        line, seal = sealed_entry(seal, one)
        sealed = unseal(line)
        assert sealed is not None
        head = entry_head(sealed[0])
        assert head is not None
        again = replayed(before, decode_entry(head))
        before = again.after
        board = Viewer.of("board")
        assert seen_entry(board, again) == seen_entry(board, one)
        assert projection(again.after, board) == projection(one.after, board)
        results = results_after(results, one)
        for office in sorted(VIEWERS)[at % 3 :: 3]:
            viewer = Viewer(office, 1 if office == "patron" else None)
            seen = dump(seen_entry(viewer, one)), dump(projection(one.after, viewer, results))
            entry.validate(from_json(seen[0]))
            whole.validate(from_json(seen[1]))
            if office in {"patron", "board", "machine"}:
                assert b"Patron 2" not in b"".join(seen)
                assert b"Patron 3" not in b"".join(seen)
    announced = [
        one.before.state.round.number
        for one in entries
        if one.before.state.round is not None
        and any(isinstance(event, acts.ResultAnnounced) for event in one.events)
    ]
    assert [one["round"] for one in results] == announced
    assert len(announced) > 6


# --- what may be done next ---------------------------------------------------------------------


def test_each_office_is_shown_its_own_acts_and_no_card_before_it_is_drawn() -> None:
    session = table.ready(1, 3)
    seen = {
        letter: {(one["command"], one["gives"]) for one in seen_acts(viewer, session.acts())}
        for letter, viewer in LETTERS.items()
    }
    assert ("CallNoMoreBets", True) in seen["D"]
    # A dealer may enter what a patron does with the hands, and each patron what is their own.
    assert ("PlaceWager", True) in seen["D"] & seen["S"]
    assert ("PlaceWager", True) not in seen["O"] | seen["F"] | seen["V"]
    # The drop box is for accounting, and a count of the tray takes dealer and floorperson.
    assert ("RemoveDrop", True) in seen["A"] - seen["F"]
    assert ("CountInventory", True) in seen["D"] - seen["F"]
    assert ("CountInventory", False) in seen["F"]
    assert seen["X"] == set()
    table.wager(session, (1, "player", 10_000))
    session.execute(acts.CallNoMoreBets())
    (draw,) = (
        one for one in seen_acts(LETTERS["D"], session.acts()) if one["command"] == "DrawCard"
    )
    assert draw["words"] == "Draw the first card to Player's Hand"
    assert [(one["default"], one["source"]) for one in draw["fields"]] == [(None, "reader")]


def test_what_may_be_done_is_as_its_schema_says() -> None:
    schema = Draft202012Validator(SCHEMAS["acts-view"]())
    session = table.ready(1, 3)
    for office in sorted(VIEWERS):
        viewer = Viewer.of(office, 1 if office == "patron" else None)
        told = {"format": "croupier-acts-view/1", "acts": seen_acts(viewer, session.acts())}
        schema.validate(from_json(dump(told)))


@pytest.mark.parametrize("office", sorted(map(str, VIEWERS)))
def test_why_a_third_card_is_drawn_is_told_to_everyone(office: str) -> None:
    viewer = Viewer.of(office, 2 if office == "patron" else None)
    session = table.ready(1)
    table.wager(session, (1, "player", 10_000))
    session.execute(acts.CallNoMoreBets())
    entries = watched(session)
    # Five and six: both hands draw.
    for card in ("Kd", "4c", "5h", "2s", "6c", "Ah"):
        session.execute(acts.DrawCard(Card.of(card)))
    told = [line for entry in entries for line in seen_entry(viewer, entry)["narration"]]
    ruled = [line["text"] for line in told if line["kind"] == "ruling"]
    assert len(ruled) == 2
    assert not [one for one in ruled if "?" in one]
