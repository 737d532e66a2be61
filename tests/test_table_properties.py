"""What holds at every table whatever is done at it: elections, commands and cards at random."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, date, datetime
from itertools import product
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec.structs import replace

from croupier import acts
from croupier.acts import (
    CardBurned,
    CardDealt,
    CardDiscarded,
    CardDrawnInError,
    CardMisread,
    CardsRemoved,
    Command,
    CuttingCardAppeared,
    DiscardsReturned,
    Event,
    FaceUpCardFound,
    RoundVoided,
    ShoeFoundEmpty,
    ShoeLoaded,
)
from croupier.acts.command import TERMS
from croupier.baccarat.cards import DECK, Card, parse_cards
from croupier.baccarat.coup import Hand
from croupier.baccarat.wagers import WAGERS
from croupier.money import ledger
from croupier.money.ledger import Ledger
from croupier.rules import TableLayout, TableRules, default_submission, table_rules
from croupier.table import Action, Phase, Refusal, decide, evolve, new_table
from croupier.table.cards.out_of_use import RetiredDecks
from croupier.table.machine import core
from croupier.table.machine.bookkeeping import booked
from croupier.table.machine.session import TableSession
from croupier.table.parts.forms import FormBook
from support.games import plainest
from support.table import every, ready, rules_of
from support.texts import NJ_MINI
from support.volume import volume

CLOCKWISE = TableLayout(seats=7, numbering="clockwise")

# Together these elect every choice that the law leaves to a licensee at the table.
RULE_SETS: Final[dict[str, TableRules]] = {
    "plain": rules_of(),
    "handed over, deferred, clockwise": rules_of(
        layout=CLOCKWISE,
        readings={"T03": "ten", "T08": "last", "T20": "counts"},
        deal__option="hand-over",
        deal__banker_first=True,
        vigorish__scheme="4%",
        vigorish__rounded=True,
        vigorish__collection="deferred",
        settlement__order="payments-first",
        irregularity__disclosed_card="simulated-round",
    ),
    "face down, waiver, bonus": rules_of(
        readings={"T03": "one"},
        deal__option="face-down",
        deal__banker_first=True,
        vigorish__scheme="total-cards",
        vigorish__collection="deferred",
        wagers__total_cards__offered=True,
        wagers__bonus__offered=True,
        wagers__bonus__paytable="B",
        settlement__order="vigorish-first",
        irregularity__disclosed_card="discard-one",
        shuffle__reshuffle=True,
        cut__recut_by="next-entitled",
    ),
    "dragon 7": rules_of(
        vigorish__scheme="dragon-7",
        settlement__order="vigorish-then-payment",
        irregularity__disclosed_card="discard-by-value",
        irregularity__ten_extra=10,
        shuffle__finish="feather",
    ),
    "tie charged, handed over": rules_of(
        deal__option="hand-over",
        vigorish__scheme="tie-25%",
        settlement__order="vigorish-first",
        irregularity__disclosed_card="discard-by-value",
        irregularity__ten_extra=1,
    ),
    "six pays half, shuffler": rules_of(
        device="shuffler",
        decks=12,
        vigorish__scheme="six-pays-half",
        wagers__bonus__offered=True,
        wagers__bonus__needs_base=False,
        wagers__bonus__paytable="C",
        irregularity__disclosed_card="simulated-round",
    ),
    "continuous, deferred": rules_of(
        device="continuous",
        device__approval="Order 1",
        deal__option="face-down",
        vigorish__collection="deferred",
        irregularity__disclosed_card="simulated-round",
    ),
    "shuffler, deferred, handed over": rules_of(
        layout=CLOCKWISE,
        device="shuffler",
        decks=16,
        deal__option="hand-over",
        vigorish__collection="deferred",
        wagers__total_cards__offered=True,
        irregularity__disclosed_card="discard-one",
        shuffle__finish="feather",
    ),
}

SEATS: Final = tuple(range(1, 8))

# What may be asked for at (nearly) any time, and so is not listed as what comes next.
ANY_TIME: Final = frozenset(
    {
        acts.SeatPatron, acts.BuyChips, acts.LeaveTable, acts.CloseTable,
        acts.CollectVigorish, acts.PrepareForm, acts.ReceiveForms, acts.VoidForm,
        acts.DropForm, acts.EndGamingDay, acts.CompareForms, acts.ChangeSeat,
        acts.DismissPatron, acts.RecordNotice, acts.AdoptElections,
        acts.ReplaceForm,
    }
)  # fmt: skip

# A verbal wager is placed where a wager is.
LISTED_AS: Final[dict[type[Command], type[Command]]] = {acts.PlaceVerbalWager: acts.PlaceWager}


class Table:
    """A table with a real shuffled shoe beside it, and a record of all that has happened."""

    def __init__(self, rules: TableRules, seed: int) -> None:
        self.session = TableSession(rules)
        self.chance = random.Random(seed)
        self.shoe: list[Card] = []
        self.events: list[Event] = []
        self.session.execute(acts.OpenTable(10**12, "Dana", "Flo", date(2011, 2, 22)))
        # The opening is the first event of the record.
        self.events += decide(
            new_table(rules), acts.OpenTable(10**12, "Dana", "Flo", date(2011, 2, 22)), rules
        )  # type: ignore[arg-type]
        self.execute(acts.ReceiveForms("Clem", 1, 1_000_000))

    @property
    def next_card(self) -> Card:
        """The next card of the shoe; any card where there is none."""
        return self.shoe[-1] if self.shoe else DECK[0]

    @property
    def on_layout(self) -> tuple[Card, ...]:
        """The first card that lies in a hand, or waits for one; the next where none does."""
        state = self.session.state
        in_hand = () if state.round is None else state.round.coup.player
        return (*in_hand, *state.kept, self.next_card)[:1]

    def execute(self, command: Command) -> tuple[Event, ...]:
        """Carry out a command that is expected to be allowed."""
        answer = self.try_execute(command)
        assert not isinstance(answer, Refusal), f"{command}: {answer}"
        return answer

    def try_execute(self, command: Command) -> tuple[Event, ...] | Refusal:
        """Ask for a command; a refusal leaves everything as it was."""
        before, balances = self.session.state, self.session.ledger.balances
        answer = self.session.try_execute(command)
        if isinstance(answer, Refusal):
            assert self.session.state is before
            assert self.session.ledger.balances == balances
            assert answer.code
            assert answer.message
            return answer
        self.events += answer
        for event in answer:
            self._follow(event)
        return answer

    def _follow(self, event: Event) -> None:
        """Keep the shoe beside the table in step with what happens at it."""
        match event:
            case ShoeLoaded():
                self.shoe = [card for _ in range(event.decks) for card in DECK]
                self.chance.shuffle(self.shoe)
            case DiscardsReturned():
                kept = Counter(self.session.state.kept)
                full = Counter(dict.fromkeys(DECK, self.session.state.shoe.decks))
                self.shoe = list((full - kept).elements())
                self.chance.shuffle(self.shoe)
            case CardDiscarded(from_shoe=True, card=None):
                self.shoe.pop()
            case CardDealt(source="shoe") | CardDiscarded(from_shoe=True):
                assert self.shoe.pop() is event.card
            case CardBurned() | CardDrawnInError() | FaceUpCardFound():
                assert self.shoe.pop() is event.card
            case ShoeFoundEmpty():
                self.shoe.clear()
            case CardMisread() if event.actual in self.shoe:
                self.shoe[self.shoe.index(event.actual)] = event.recorded
            case _:
                pass

    def suitable(self, action: Action) -> Command:
        """The command that carries out an action that must be done."""
        kind = action.command
        seat = 0 if action.seat is None else action.seat
        state = self.session.state
        if kind is acts.DrawCard:
            unseen = state.to_discard > 0 and state.discard_unseen
            return acts.DrawCard(None if unseen else self.next_card)
        if kind is acts.PrepareForm:
            serial = state[FormBook].next_serial or 0
            return acts.PrepareForm(serial, seat, "Clem", "Dana", "Bo", patron_signed=True)
        if kind is acts.SealDecks:
            sets = state[RetiredDecks].sets
            removed = next(number for number, one in sets.items() if not one.envelope)
            return acts.SealDecks(removed, sets[removed].cards, f"E-{removed}")
        arguments = {
            "seat": seat,
            "hand": self._hand(),
            "decks": self.session.rules.value("decks", int),
            "position": 10,
            "from_back": 14,
            "face_up": False,
            "floorperson": "Flo",
            "supervisor": "Sue",
            "reason": "slip",
            "name": self._others(),
        }
        names = kind.__struct_fields__
        return kind(**{name: value for name, value in arguments.items() if name in names})

    def _others(self) -> str:
        """Name decks that have not lain here; those of the opening need no name."""
        removed = len(every(self.events, CardsRemoved))
        return f"Decks {removed + 1}" if removed else ""

    def _hand(self) -> Hand | None:
        """The hand that is on offer, or is to be turned next."""
        round_ = self.session.state.round
        if round_ is None:
            return None
        if round_.offering is not None:
            return round_.offering.hand
        return round_.down[0] if round_.down else None

    def musts(self) -> list[Command]:
        """Every command that must be done next, where the patron can pay what it asks for."""
        state = self.session.state
        return [
            self.suitable(action)
            for action in self.session.legal()
            if action.must
            and not (
                action.command is acts.CollectVigorish
                and action.seat is not None
                and state.seats[action.seat].chips_cents < state.seats[action.seat].owed_cents
            )
        ]

    def go_on(self) -> tuple[Event, ...]:
        """Do the first of the things that must be done."""
        return self.execute(self.musts()[0])


NOON: Final = datetime(2011, 2, 22, 12, tzinfo=UTC)


def domains(table: Table) -> dict[str, tuple[Any, ...]]:
    """Return plausible values of the fields of commands, by name."""
    size = table.session.rules.decks_per_shoe * 52
    return {
        "seat": SEATS, "to": SEATS, "hand": tuple(Hand), "card": (table.next_card,), "wager": ("player", "tie"),
        "cents": (10000,), "coupon_cents": (0,), "dealer_confirms": (True,), "supervisor": ("Sue",),
        "position": (100,), "from_back": (14, size - 10), "decks": (8, 12, 16), "face_up": (True,),
        "preshuffled": (False,), "disclosed": (False, True), "dealt_to": (None, *Hand),
        "seen_by": ((), (1,)),
        "by": ("dealer",), "grounds": ("delay",), "reason": ("slip",), "inventory_cents": (10**12,),
        "stakes": ({"player": 10000, "banker": 20000},), "floorperson": ("Flo",), "accepted": (True, False), "even": (True, False), "dealer": ("Dana",), "gaming_date": (date(2011, 2, 23),),
        "designate_dealer": (False, True), "step": ("riffle",), "at": (NOON,), "commitment": ("0" * 64,),
        "elections": ({"settlement.order": "payments-first"},), "limits": ({},), "beside": ((),),
        "secret": (None, "0" * 64), "added": ({},), "kind": ("foreign", "surplus"),
        "recorded": table.on_layout, "actual": (table.next_card,), "ordinal": (0, 1, 3), "pit_clerk": ("Pia",), "taken_by": ("Tess",), "gone": ("Pia",), "name": ("set",),
        "table": ("T2",), "hand_begun": (False, True), "case": ("other-device", "no-device"),
        "damaged": (0, 2),
    }  # fmt: skip


def candidates(values: dict[str, tuple[Any, ...]], kind: type[Command]) -> Iterator[Command]:
    """Yield commands of a type with every combination of plausible arguments."""
    if kind is acts.DrawCard:
        values = values | {"card": (*values["card"], None)}
    if kind is acts.RecordNotice:
        values = values | {"to": ("surveillance", "Commission")}
    for arguments in product(*(values[name] for name in kind.__struct_fields__)):
        yield kind(*arguments)


KINDS: Final = tuple(
    sorted(
        (
            kind
            for kind in Command.__subclasses__()
            if kind not in ANY_TIME and not TERMS[kind.__name__].house
        ),
        key=lambda kind: kind.__name__,
    )
)


class TableMachine(RuleBasedStateMachine):
    """A table at which all is done that can be, in any order."""

    table: Table

    @initialize(
        elections=st.sampled_from(sorted(RULE_SETS)),
        seed=st.integers(0, 2**16),
        seats=st.sets(st.sampled_from(SEATS), max_size=4),
        steps=st.integers(0, 40),
    )
    def open(self, elections: str, seed: int, seats: set[int], steps: int) -> None:
        self.table = Table(RULE_SETS[elections], seed)
        for seat in sorted(seats):
            self.sit_down(seat)
        self.carry_on(steps)

    def sit_down(self, seat: int) -> None:
        self.table.try_execute(acts.SeatPatron(seat, f"Patron {seat}"))
        self.table.try_execute(acts.BuyChips(seat, 1_000_000))

    @rule(seat=st.sampled_from(SEATS))
    def sit(self, seat: int) -> None:
        self.sit_down(seat)

    @rule(steps=st.integers(1, 40))
    def carry_on(self, steps: int) -> None:
        for _ in range(steps):
            if not self.table.musts():
                return
            self.table.go_on()

    @rule(data=st.data())
    def do_one_of_what_must_be_done(self, data: st.DataObject) -> None:
        musts = self.table.musts()
        if musts:
            self.table.execute(data.draw(st.sampled_from(musts)))

    @rule(
        seat=st.sampled_from(SEATS),
        wager=st.sampled_from([*WAGERS, "streak"]),
        cents=st.sampled_from([-100, 0, 100, 2500, 10000, 10000, 10**9]),
        coupon=st.sampled_from([0, 0, 0, 100, 2500]),
    )
    def place(self, seat: int, wager: str, cents: int, coupon: int) -> None:
        self.table.try_execute(acts.PlaceWager(seat, wager, cents, coupon))

    @rule(cents=st.sampled_from([2500, 10000]))
    def everybody_wagers_on_both_hands(self, cents: int) -> None:
        for seat in self.table.session.state.seats:
            for wager in ("player", "banker"):
                self.table.try_execute(acts.PlaceWager(seat, wager, cents))

    @rule(disclosed=st.booleans(), dealt_to=st.sampled_from([None, *Hand]))
    def draw_in_error(self, disclosed: bool, dealt_to: Hand | None) -> None:  # noqa: FBT001
        self.table.try_execute(acts.DrawCardInError(self.table.next_card, disclosed, dealt_to))

    @rule()
    def find_face_up(self) -> None:
        self.table.try_execute(acts.FindFaceUpCard(self.table.next_card))

    @rule(from_back=st.sampled_from([14, 20, 300, 306, 410, 411]))
    def cut_the_shoe_short(self, from_back: int) -> None:
        self.table.try_execute(acts.InsertCuttingCards(from_back))

    @rule(data=st.data(), kind=st.sampled_from(KINDS))
    def ask_for_anything(self, data: st.DataObject, kind: type[Command]) -> None:
        asked = list(candidates(domains(self.table), kind))
        self.table.try_execute(data.draw(st.sampled_from(asked)))

    @rule(
        seat=st.sampled_from(SEATS),
        kind=st.sampled_from([acts.CollectVigorish, acts.LeaveTable]),
    )
    def pay_or_leave(self, seat: int, kind: type[Any]) -> None:
        self.table.try_execute(kind(seat))

    @invariant()
    def chips_are_neither_made_nor_lost(self) -> None:
        accounts, state = self.table.session.ledger, self.table.session.state
        assert accounts.in_balance
        on_layout = Counter(dict.fromkeys(SEATS, 0))
        coupons = 0
        for (seat, _), stake in state.stakes.items():
            on_layout[seat] += stake.cents
            coupons += stake.coupon_cents
        chips = accounts.balance(ledger.CAGE) + accounts.balance(ledger.INVENTORY)
        for seat in SEATS:
            patron = state.seats.get(seat)
            assert accounts.balance(ledger.patron(seat)) == (patron.chips_cents if patron else 0)
            assert accounts.balance(ledger.owed(seat)) == (patron.owed_cents if patron else 0)
            assert accounts.balance(ledger.layout(seat)) == on_layout[seat]
            chips += accounts.balance(ledger.patron(seat)) + accounts.balance(ledger.layout(seat))
        assert chips == coupons

    @invariant()
    def the_shoe_is_the_one_beside_the_table(self) -> None:
        shoe = self.table.session.state.shoe
        if self.table.session.state.phase in {
            Phase.BETTING, Phase.DEALING, Phase.DECIDED, Phase.SETTLED,
        }:  # fmt: skip
            assert shoe.remaining == len(self.table.shoe)
            held = Counter(self.table.shoe)
            assert all(shoe.unseen[card.index] >= number for card, number in held.items())
        assert self.table.session.state.to_discard <= shoe.remaining

    @invariant()
    def what_must_be_done_can_be_done(self) -> None:
        session = self.table.session
        for command in self.table.musts():
            answer = decide(session.state, command, session.rules)
            assert not isinstance(answer, Refusal), f"{command}: {answer}"

    @invariant()
    def the_table_is_never_at_a_loss(self) -> None:
        """Somebody can always do something: only an empty or a closed table waits for people."""
        session = self.table.session
        waits = {Phase.CLOSED, Phase.SPREAD_UP, Phase.SPREAD_DOWN}
        assert session.legal() or (session.state.phase in waits and not session.state.seats)

    @invariant()
    def what_is_not_listed_is_refused(self) -> None:
        session = self.table.session
        listed = {action.command for action in session.legal()}
        values = domains(self.table)
        first = core.due(session.state, session.rules)
        with pytest.MonkeyPatch.context() as patch:
            # Refusals of one moment name the same next act, which takes half of their time to find.
            patch.setattr(core, "due", lambda *_: first)
            for kind in KINDS:
                if LISTED_AS.get(kind, kind) in listed:
                    continue
                for command in candidates(values, kind):
                    answer = decide(session.state, command, session.rules)
                    assert isinstance(answer, Refusal), f"{command} is not listed, but carried out"

    def teardown(self) -> None:
        """Play the record again from a closed table: state and ledger come out the same."""
        if not hasattr(self, "table"):
            return
        session = self.table.session
        state, accounts = new_table(session.rules), Ledger()
        for event in self.table.events:
            state = evolve(state, event)
            accounts = booked(accounts, (event,))
        assert state == session.state
        assert accounts.balances == session.ledger.balances
        assert accounts.table_win_cents == session.ledger.table_win_cents


TestTable = pytest.mark.filterwarnings("error")(TableMachine.TestCase)
TestTable.settings = settings(
    max_examples=volume(60, 20, most=300),
    stateful_step_count=40,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


# --- whole shoes -------------------------------------------------------------------------------

SHOES: Final = sorted(name for name in RULE_SETS if "continuous" not in name)


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
@pytest.mark.clause("NJ-MINI:7.8(e)#3", "NJ-MINI:7.5(f)#2")
@given(elections=st.sampled_from(SHOES), seed=st.integers(0, 2**32))
@settings(max_examples=volume(20, 4, most=80), derandomize=True, deadline=None)
def test_a_shoe_with_the_cutting_card_fourteen_from_the_back_never_runs_short(
    elections: str, seed: int
) -> None:
    table = Table(RULE_SETS[elections], seed)
    table.execute(acts.SeatPatron(1, "Patron 1"))
    while table.session.state.phase is not Phase.SHOE_COMPLETED:
        table.go_on()
    assert not every(table.events, RoundVoided)
    (at,) = (n for n, event in enumerate(table.events) if isinstance(event, CuttingCardAppeared))
    cards_behind = len(every(table.events[at:], CardDealt))
    # The cutting card appears before a card of some hand, which has at most six, and one more
    # hand may follow: at most twelve of the fourteen cards behind it.
    assert cards_behind <= 12
    assert table.session.state.shoe.remaining == 14 - cards_behind >= 2


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
@pytest.mark.clause("NJ-MINI:7.8(e)#3", "NJ-MINI:7.5(f)#2")
def test_in_the_worst_case_twelve_of_the_fourteen_cards_behind_the_cutting_card_are_dealt() -> None:
    session = ready(1)
    shoe = replace(session.state.shoe, remaining=14, cards_behind=14)
    session.position = replace(session.position, state=replace(session.state, shoe=shoe))
    for _ in range(2):
        session.execute(acts.CallNoMoreBets())
        for card in parse_cards("2h 3d Kh Ks 4c 5d"):
            session.execute(acts.DrawCard(card))
        session.execute(acts.SettleWagers())
        session.execute(plainest(session))
    assert session.state.phase is Phase.SHOE_COMPLETED
    assert session.state.shoe.remaining == 2


def test_a_field_that_a_state_does_not_have_is_an_error() -> None:
    state = new_table(table_rules(default_submission("us-nj/minibaccarat", NJ_MINI)))
    with pytest.raises(TypeError, match="no field 'phaze'"):
        replace(state, phaze=state.phase)
