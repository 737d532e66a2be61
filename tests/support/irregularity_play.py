"""Plays the cells of the tables of irregularities: sets the table, reports the card, goes on."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any, Final

from croupier import acts
from croupier.acts import Command, Event
from croupier.baccarat.cards import DECK, Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.rules import TableRules
from croupier.scenarios.acceptance.files import TableSpec
from croupier.scenarios.acceptance.tables import (
    PlayedTable,
    TableClock,
    begin_table,
    scenario_rules,
)
from croupier.table import Phase, Refusal
from croupier.table.machine.session import TableSession
from croupier.verify.log import verify_log
from support.irregularities import TEXTS, Cell, Row
from support.logs import recorded

CARD: Final = Card.of("5c")
"""The card that leaves the shoe."""

_NEITHER: Final = "6h 7d Th Qs"
_BANKER: Final = "6h 2d Th Qs"
_PLAYER: Final = "2h 7d Th Qs"
_ASTRAY: Final = Card.of("3s")
"""The card of a slip before the one that is looked at."""

_READINGS: Final = {"third-card": "early_third_card.use", "error": "early_third_card.use",
                    "void": "disclosed_card.fate", "complete": "disclosed_card.fate"}  # fmt: skip


def _spec(table: str, cell: Cell) -> TableSpec:
    """Return the table that a cell is at: its rules, patrons, and where it is brought first."""
    elections: dict[str, Any] = {"irregularity.disclosed_card": cell.elected}
    reading = {_READINGS[one]: one for one in cell.reading}
    if table == "us-ny-mini-midi-baccarat":
        reading["T36"] = "new-jersey-family"
    if cell.phase.startswith(("unturned", "down")) and table != "us-ma-minibaccarat":
        elections["deal.option"] = "face-down"
    if cell.phase.startswith("house"):
        elections["wagers.house_money.offered"] = True
    short = cell.phase in {"shoe-completed", "last-card-2", "last-decided"}
    starts = {"burn": "to-burn", "shoe-empty": "cut"}
    return TableSpec(
        "",
        {
            "elections": elections,
            "reading": reading,
            "patrons": [
                {"seat": 2, "name": "Ilse", "chips": "$900.00"},
                {"seat": 4, "name": "Omar", "chips": "$900.00"},
            ],
            "start": "cut" if short else starts.get(cell.phase, "betting"),
        },
    )


def rules_of_cell(table: str, cell: Cell) -> TableRules:
    """Return the rules of a cell."""
    return scenario_rules(_spec(table, cell), TEXTS[table], Path())


def _wager(played: PlayedTable, *, house: bool = False) -> None:
    more = {"house_money": 500} if house else {}
    played.execute(acts.PlaceWagers(2, {"player": 2_000, **more}))
    played.execute(acts.PlaceWagers(4, {"banker": 5_000}))


def _out(played: PlayedTable, cards: str, *, turn: bool = True) -> None:
    """Call no more bets and draw cards; turn what is turned between and after them."""
    state = played.session.state
    if state.phase is Phase.BETTING and not state.round:
        played.execute(acts.CallNoMoreBets())
    for card in parse_cards(cards):
        _turn(played)
        played.execute(acts.DrawCard(card))
    if turn:
        _turn(played)


def _turn(played: PlayedTable) -> None:
    while played.session.state.round is not None and played.session.state.round.down:
        played.go_on()


def _short_shoe(played: PlayedTable) -> None:
    """Bring a shoe into play whose second round is its last."""
    size = played.session.rules.decks_per_shoe * 52
    played.execute(acts.InsertCuttingCards(size - 5))
    played.until("betting")
    _wager(played)
    played.play(parse_cards(_NEITHER))
    played.until("betting")
    _wager(played)


def _empty(played: PlayedTable) -> None:
    """Empty the shoe in the middle of a round."""
    played.execute(acts.InsertCuttingCards(14))
    played.until("betting")
    _wager(played)
    _out(played, "6h 2d")
    while played.session.state.shoe.remaining:
        state = played.session.state
        unseen = max(range(52), key=lambda index: state.shoe.unseen[index])
        card = DECK[unseen]
        if state.to_discard:
            played.execute(acts.DrawCard(None if state.discard_unseen else card))
        elif played.session.rules.elected("irregularity.face_up", "simulated-round"):
            # A card face up voids the round there: the missing cards are found out instead.
            played.execute(acts.FindShoeEmpty("Ana Reyes"))
        else:
            played.execute(acts.FindFaceUpCard(card))


def _simulated(played: PlayedTable, first: str, cards: str = "") -> None:
    played.execute(acts.DrawCardInError(Card.of(first), disclosed=True))
    played.execute(acts.BeginSimulatedRound())
    _out(played, cards)


def _discards(played: PlayedTable) -> None:
    _wager(played)
    rules = played.session.rules
    if rules.applies("irregularity.disclosed_other"):
        _out(played, _NEITHER)
        report = acts.DrawCardInError(_ASTRAY, disclosed=True, dealt_to=Hand.PLAYER)
        played.execute(report)
    else:
        played.execute(acts.FindFaceUpCard(_ASTRAY))


def _held(played: PlayedTable, *, called: bool) -> None:
    played.execute(acts.DrawCardInError(_ASTRAY, disclosed=False))
    _wager(played)
    if called:
        played.execute(acts.CallNoMoreBets())


def _round(cards: str, *, turn: bool = True, house: bool = False) -> Callable[[PlayedTable], None]:
    def build(played: PlayedTable) -> None:
        _wager(played, house=house)
        _out(played, cards, turn=turn)

    return build


def _settled(played: PlayedTable) -> None:
    _round(_NEITHER)(played)
    played.until("settled")


def _last(cards: str) -> Callable[[PlayedTable], None]:
    def build(played: PlayedTable) -> None:
        _short_shoe(played)
        _out(played, cards)

    return build


def _over(played: PlayedTable) -> None:
    _last(_NEITHER)(played)
    played.until("shoe-completed")


def _owed(played: PlayedTable) -> None:
    _wager(played)
    played.execute(acts.DrawCardInError(_ASTRAY, disclosed=True))


_BUILD: Final[Mapping[str, Callable[[PlayedTable], None]]] = {
    "burn": lambda _: None,
    "betting": _wager,
    "card-1": _round(""),
    "card-2": _round("6h"),
    "card-3": _round("6h 2d"),
    "card-4": _round("6h 2d Th"),
    "down-card-3": _round("6h 2d"),
    "unturned-player": _round(_PLAYER, turn=False),
    "unturned-banker": _round(_BANKER, turn=False),
    "unturned-neither": _round(_NEITHER, turn=False),
    "house-player": _round(_PLAYER, house=True),
    "house-banker": _round(_BANKER, house=True),
    "house-neither": _round(_NEITHER, house=True),
    "player-third": _round("2h 2d Th Qs"),
    "banker-alone": _round(_BANKER),
    "banker-after": _round("2h 2d Th Qs 3c"),
    "both-stayed": _round(_NEITHER),
    "natural": _round("9h 8d Kh Ks"),
    "five-cards": _round("2h 7d Th Qs 3c"),
    "settled": _settled,
    "last-card-2": _last("6h"),
    "last-decided": _last(_NEITHER),
    "shoe-completed": _over,
    "shoe-empty": _empty,
    "simulated-card-2": lambda played: _simulated(played, "6h"),
    "simulated-third": lambda played: _simulated(played, "2h", "2d Th Qs"),
    "simulated-banker": lambda played: _simulated(played, "6h", "2d Th Qs"),
    "simulated-over": lambda played: _simulated(played, "6h", "7d Th Qs"),
    "simulated-owed": _owed,
    "held-betting": lambda played: _held(played, called=False),
    "held-called": lambda played: _held(played, called=True),
    "discards-due": _discards,
}


# --- the report, and what becomes of the card ------------------------------------------------


def _report(cell: Cell) -> Command:
    if cell.where == "shoe":
        return acts.FindFaceUpCard(CARD)
    hand = {"player": Hand.PLAYER, "banker": Hand.BANKER}.get(cell.where)
    return acts.DrawCardInError(CARD, cell.disclosed, hand)


def _of(events: Iterable[Event], kind: type[Event] | tuple[type[Event], ...]) -> list[Any]:
    return [event for event in events if isinstance(event, kind)]


def _drawn(played: PlayedTable, kind: type[Event]) -> None:
    """Draw the card as the one that is due."""
    state = played.session.state
    unseen = state.to_discard > 0 and state.discard_unseen
    unseen = unseen or (kind is acts.CardBurned and state.to_burn is not None)
    events = played.execute(acts.DrawCard(None if unseen else CARD))
    assert any(one.card is (None if unseen else CARD) for one in _of(events, kind)), events


def _finish(played: PlayedTable) -> list[Event]:
    """Go on to the end of the round in hand."""
    events: list[Event] = []
    while played.session.state.phase.in_play:
        events += played.go_on()
    return events


def _third(played: PlayedTable, hand: str) -> list[Event]:
    events: list[Event] = []
    while True:
        round_ = played.session.state.round
        assert round_ is not None
        if len(getattr(round_.coup, hand)) == 3:
            assert getattr(round_.coup, hand)[2] is CARD
            return events
        events += played.go_on()


def _begins_simulated(played: PlayedTable) -> None:
    """Go on until the card begins a simulated round; no shoe is completed before it."""
    for _ in range(60):
        state = played.session.state
        assert state.phase is not Phase.SHOE_COMPLETED, "the shoe ended before the simulated round"
        due = played.session.due()
        assert due is not None
        if due.command is acts.BeginSimulatedRound and state.simulate_with[0].card is CARD:
            begun = played.execute(acts.BeginSimulatedRound())
            dealt = _of(begun, acts.CardDealt)[0]
            assert (dealt.card, dealt.hand, dealt.ordinal) == (CARD, Hand.PLAYER, 1)
            return
        played.go_on()
    raise AssertionError(f"{CARD} never began a simulated round")


def _begins_next_hand(played: PlayedTable) -> None:
    """Go on until the card is among those that begin the next hand of play."""
    for _ in range(60):
        state = played.session.state
        if state.phase is Phase.BETTING and not state.stakes and not state.simulate_with:
            _wager(played)
        if state.round is not None and CARD in state.round.begins_with:
            while state.round is not None and CARD in state.round.begins_with:
                events = played.execute(acts.UseHeldCard())
                state = played.session.state
            assert any(
                one.card is CARD and one.source == "held" for one in _of(events, acts.CardDealt)
            )
            return
        played.go_on()
    raise AssertionError(f"{CARD} never began a hand")


def _check(played: PlayedTable, outcome: str, answer: list[Event]) -> list[Event]:
    """Hold what follows to the outcome; return all events up to where the card is used."""
    match outcome:
        case "next-hand":
            assert not _of(answer, acts.RoundVoided)
            more = [] if _of(answer, acts.CardHeld) else _finish(played)
            assert any(one.card is CARD for one in _of([*answer, *more], acts.CardHeld))
            _begins_next_hand(played)
            return [*answer, *more]
        case "player-third" | "banker-third":
            return [*answer, *_third(played, outcome.partition("-")[0])]
        case "rack-value" | "rack-one":
            more = (
                [] if _of(answer, (acts.CardDiscarded, acts.FaceUpCardFound)) else _to_rack(played)
            )
            _racked(played, [*answer, *more], outcome)
            return [*answer, *more]
        case "simulated" | "void-simulated":
            more = [] if _of(answer, acts.SimulatedRoundOrdered) else _ordered(played)
            voided = _of([*answer, *more], acts.RoundVoided)
            assert bool(voided) == (outcome == "void-simulated"), [*answer, *more]
            if voided:
                assert not played.session.state.stakes
                assert {seat: one.chips_cents for seat, one in played.session.state.seats.items()} == {
                    2: 90_000, 4: 90_000
                } or played.session.state.hands_left is not None  # fmt: skip
            _begins_simulated(played)
            return [*answer, *more]
        case "gathered":
            state = played.session.state
            assert state.phase is Phase.SHOE_COMPLETED
            assert (state.held, state.simulate_with, state.to_discard) == ((), (), 0)
            return answer
        case "rack":
            assert _of(answer, acts.CardHeld)
            events = played.until("shoe-completed")
            assert not any(one.card is CARD for one in _of(events, acts.CardDealt))
            assert CARD not in played.session.state.kept
            return answer
    raise AssertionError(f"{outcome} is no outcome")


def _ordered(played: PlayedTable) -> list[Event]:
    events: list[Event] = []
    while not _of(events, acts.SimulatedRoundOrdered):
        events += played.go_on()
    return events


def _to_rack(played: PlayedTable) -> list[Event]:
    events: list[Event] = []
    while not _of(events, acts.CardDiscarded):
        events += played.go_on()
    return events


def _racked(played: PlayedTable, events: list[Event], outcome: str) -> None:
    state = played.session.state
    if outcome == "rack-one":
        (one,) = _of(events, acts.CardDiscarded)
        assert (one.card, one.unseen, state.to_discard) == (CARD, True, 1)
        return
    (one,) = _of(events, (acts.CardDiscarded, acts.FaceUpCardFound))
    assert one.card is CARD
    # Five is the value of the card; some may have been due before it.
    assert state.to_discard >= 5
    assert not state.discard_unseen


def play_cell(table: str, cell: Cell, row: Row, folder: Path) -> set[str]:
    """Play a cell, hold it to its row, and verify its log; return the clauses of the report."""
    rules = rules_of_cell(table, cell)
    path = folder / "cell.jsonl"
    clock = TableClock(datetime.combine(rules.submission.on, time(12), UTC))
    with recorded(path, rules) as record:
        played = PlayedTable(TableSession(rules, record=record, clock=clock), clock)
        begin_table(played, _spec(table, cell))
        _BUILD[cell.phase](played)
        answer = played.session.try_execute(_report(cell))
        if row.outcome in _AS_DUE:
            assert isinstance(answer, Refusal), answer
            assert answer.code in _AS_DUE[row.outcome], answer
            if kind := _KINDS.get(row.outcome):
                _drawn(played, kind)
            cited = set(answer.clauses)
        else:
            assert not isinstance(answer, Refusal), answer
            events = _check(played, row.outcome, list(answer))
            cited = {clause for event in events for clause in event.clauses}
        assert played.session.ledger.in_balance
    verdict = verify_log(path)
    assert verdict.is_clean, verdict.divergence
    return cited


_AS_DUE: Final[Mapping[str, frozenset[str]]] = {
    "belongs": frozenset({"card_due"}),
    "burned": frozenset({"card_due"}),
    "discarded": frozenset({"discards_due"}),
    "impossible": frozenset({"shoe_empty"}),
}
_KINDS: Final[Mapping[str, type[Event]]] = {
    "belongs": acts.CardDealt,
    "burned": acts.CardBurned,
    "discarded": acts.CardDiscarded,
}
