"""The chip tray and drop box: acts of the house, because no included regulation has any."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Final, Literal, TypeAlias

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.acts.command import TERMS
from croupier.acts.fields import Flag, HouseCents, HouseText, SlipNumber, TrayChips
from croupier.acts.roles import Role
from croupier.law.cite import cites
from croupier.law.contracts import contracts, copies_rule, copies_rules
from croupier.law.sight import Sight
from croupier.law.usage import money
from croupier.money import ledger
from croupier.money.chips import chips_in_words, fault_of, value_of
from croupier.money.ledger import Posting
from croupier.rules import TableRules
from croupier.table.machine import core
from croupier.table.machine.bookkeeping import moves
from croupier.table.machine.core import Answer, Events, Refusal, not_there
from croupier.table.machine.position import Position, house_decides
from croupier.table.machine.state import ANY_TIME, AT_TABLE, Phase, TableState, with_slice
from croupier.table.people.duty import Duty, may_hold, terms_under
from croupier.table.people.seating import name_key

Kind = Literal["fill", "credit"]


CarriedEvent: TypeAlias = (
    "acts.FillIssued | acts.FillReceived | acts.CreditIssued | acts.CreditReceived"
)

_CARRIED: Final[Mapping[type[acts.Command], tuple[Kind, bool, type[CarriedEvent]]]] = {
    acts.IssueFill: ("fill", False, acts.FillIssued),
    acts.ReceiveFill: ("fill", True, acts.FillReceived),
    acts.IssueCredit: ("credit", False, acts.CreditIssued),
    acts.ReceiveCredit: ("credit", True, acts.CreditReceived),
}
"""The kind of slip whose chips an act moves on, whether they have left, and its event."""

_ACCOUNTS: Final[Mapping[type[CarriedEvent], tuple[str, str]]] = {
    acts.FillIssued: (ledger.FILLS, ledger.IN_TRANSIT),
    acts.FillReceived: (ledger.IN_TRANSIT, ledger.INVENTORY),
    acts.CreditIssued: (ledger.INVENTORY, ledger.IN_TRANSIT),
    acts.CreditReceived: (ledger.IN_TRANSIT, ledger.CREDITS),
}

ACTS_OF_SLIPS: Final[Mapping[tuple[str, bool], tuple[type[acts.Command], Role]]] = {
    (kind, issued): (act, TERMS[act.__name__].does[0])
    for act, (kind, issued, _) in _CARRIED.items()
}
"""The act that moves the chips of a slip on, by its kind and whether they have left."""


class Slip(Struct, frozen=True):
    """A fill or credit in transit."""

    kind: Annotated[Kind, Sight.OPEN]
    chips: TrayChips
    is_issued: Flag = False


@core.keeps("tray", past_closing=True)
class Tray(Struct, frozen=True):
    """Open slips, used numbers, removed boxes, the closing count, and the day's later shifts."""

    slips: Annotated[Mapping[SlipNumber, Slip], Sight.PARTS] = field(default_factory=dict)
    used: Annotated[tuple[int, ...], Sight.KEPT] = ()
    box: HouseText = ""
    uncounted: Annotated[tuple[str, ...], Sight.HOUSE] = ()
    closing_cents: HouseCents | None = None
    shifts: Annotated[tuple[str, ...], Sight.OPEN] = ()


def _put(state: TableState, number: int, slip: Slip | None) -> TableState:
    tray = state[Tray]
    other_slips = {key: other_slip for key, other_slip in tray.slips.items() if key != number}
    slips = other_slips if slip is None else {**other_slips, number: slip}
    numbers = tray.used if number in tray.used else (*tray.used, number)
    return with_slice(state, replace(tray, slips=slips, used=numbers))


core.no_effect(acts.CopiesDistributed)


@cites(*copies_rules())
def copies_of(command: acts.Command, number: int | None, rules: TableRules) -> Events:
    """Places where the copies of an act's Form go; none if the regulation names none."""
    act = type(command).__name__
    form = contracts().forms[act]
    copies = rules.settled.get(copies_rule(form))
    if not isinstance(copies, Mapping):
        return ()
    terms = terms_under(act, rules)
    signers = tuple(map(str, dict.fromkeys((terms.does[0], *terms.together))))
    keepers = tuple(map(str, copies.values()))
    clauses = rules.cites(copies_rule(form))
    return (acts.CopiesDistributed(form, number, tuple(copies), keepers, signers, clauses),)


# --- fills and credits -------------------------------------------------------------------------


@house_decides(acts.RequestFill, AT_TABLE)
@house_decides(acts.RequestCredit, AT_TABLE)
def _request(position: Position, command: acts.RequestFill | acts.RequestCredit) -> Answer:
    if fault := fault_of(command.chips):
        return Refusal("chips", (), fault)
    if command.slip < 1 or command.slip in position.state[Tray].used:
        message = f"slip {command.slip} was used before: each slip has a number of its own"
        return Refusal("slip", (), message)
    requested = (
        acts.FillRequested if isinstance(command, acts.RequestFill) else acts.CreditRequested
    )
    request = requested(command.slip, command.chips, value_of(command.chips), ())
    return (request, *copies_of(command, command.slip, position.rules))


@house_decides(acts.IssueFill, ANY_TIME)
@house_decides(acts.ReceiveFill, ANY_TIME)
@house_decides(acts.IssueCredit, ANY_TIME)
@house_decides(acts.ReceiveCredit, ANY_TIME)
def _carry(
    position: Position,
    command: acts.IssueFill | acts.ReceiveFill | acts.IssueCredit | acts.ReceiveCredit,
) -> Answer:
    kind, is_issued, event_type = _CARRIED[type(command)]
    slip = position.state[Tray].slips.get(command.slip)
    if slip is None or slip.kind != kind:
        return Refusal("slip", (), f"no {kind} is open on slip {command.slip}")
    if slip.is_issued is not is_issued:
        state = "have left already" if slip.is_issued else "have not left yet"
        return Refusal("slip", (), f"the chips of slip {command.slip} {state}")
    if command.chips != slip.chips:
        message = (
            f"slip {command.slip} says {chips_in_words(slip.chips)}, and this is"
            f" {chips_in_words(command.chips) or 'nothing'}: count again, or void the slip"
        )
        return Refusal("differs", (), message)
    copies = copies_of(command, command.slip, position.rules) if is_issued else ()
    return (event_type(command.slip, value_of(command.chips), ()), *copies)


@house_decides(acts.VoidSlip, ANY_TIME)
def _void(position: Position, command: acts.VoidSlip) -> Answer:
    slip = position.state[Tray].slips.get(command.slip)
    if slip is None:
        return Refusal("slip", (), f"slip {command.slip} is not open")
    if not command.reason.strip():
        return Refusal("reason", (), "a slip is voided for a reason, which stays in the record")
    cents = value_of(slip.chips) if slip.is_issued else 0
    return (acts.SlipVoided(command.slip, slip.kind, cents, command.reason, ()),)


@core.applies(acts.FillRequested, acts.CreditRequested)
def _requested(state: TableState, event: acts.FillRequested | acts.CreditRequested) -> TableState:
    kind: Kind = "fill" if isinstance(event, acts.FillRequested) else "credit"
    return _put(state, event.slip, Slip(kind, event.chips))


@core.applies(acts.FillIssued, acts.CreditIssued)
def _issued(state: TableState, event: acts.FillIssued | acts.CreditIssued) -> TableState:
    return _put(state, event.slip, replace(state[Tray].slips[event.slip], is_issued=True))


@core.applies(acts.FillReceived, acts.CreditReceived, acts.SlipVoided)
def _done(
    state: TableState, event: acts.FillReceived | acts.CreditReceived | acts.SlipVoided
) -> TableState:
    return _put(state, event.slip, None)


@moves(acts.FillIssued, acts.FillReceived, acts.CreditIssued, acts.CreditReceived)
def _carried(event: CarriedEvent) -> tuple[Posting, ...]:
    return ((*_ACCOUNTS[type(event)], event.cents),)


@moves(acts.SlipVoided)
def _returned(event: acts.SlipVoided) -> tuple[Posting, ...]:
    account = ledger.FILLS if event.kind == "fill" else ledger.INVENTORY
    return ((ledger.IN_TRANSIT, account, event.returned_cents),) if event.returned_cents else ()


# --- counts ------------------------------------------------------------------------------------


@house_decides(acts.CountInventory, ANY_TIME)
def _count(position: Position, command: acts.CountInventory) -> Answer:
    state = position.state
    if refusal := _uncountable(state, command):
        return refusal
    if command.closing and (state.phase is not Phase.CLOSED or not state.gaming_date):
        return Refusal("not_now", (), "the closing count is made once the table is closed")
    if command.closing and (refusal := _slips_open(state)):
        return refusal
    if command.closing and state[Tray].closing_cents is not None:
        return Refusal("counted", (), "the closing count was made: the opening will be held to it")
    expected = position.ledger.balance(ledger.INVENTORY)
    counted = value_of(command.chips)
    copies = copies_of(command, None, position.rules) if command.closing else ()
    return (acts.InventoryCounted(command.chips, counted, expected, command.closing, ()), *copies)


def _uncountable(
    state: TableState, command: acts.CountInventory | acts.ChangeShift
) -> Refusal | None:
    if command.chips and (fault := fault_of(command.chips)):
        return Refusal("chips", (), fault)
    if state.phase.in_play:
        return Refusal("in_play", (), "a round is in hand: the tray is counted between rounds")
    return None


def _slips_open(state: TableState) -> Refusal | None:
    if not state[Tray].slips:
        return None
    open_slips = ", ".join(map(str, sorted(state[Tray].slips)))
    message = f"slips are open ({open_slips}): carry them out or void them before the count"
    return Refusal("slips_open", (), message)


OPENING_SHIFT: Final = "opening"
"""The shift that begins with the gaming day at a closed table."""


@house_decides(acts.ChangeShift, AT_TABLE)
def _change_shift(position: Position, command: acts.ChangeShift) -> Answer:
    state, duty = position.state, position.state[Duty]
    before = state[Tray].shifts
    if name_key(command.shift) in {"", OPENING_SHIFT, *map(name_key, before)}:
        message = f"name the shift that begins; this gaming day had: {', '.join(before)}"
        return Refusal("shift", (), message.removesuffix("; this gaming day had: "))
    if refusal := _uncountable(state, command) or _slips_open(state):
        return refusal
    for role, person in ((Role.DEALER, command.dealer), (Role.FLOORPERSON, command.leaving)):
        if person not in duty.persons(role):
            return Refusal("not_assigned", (), f"{person} is not assigned as {role}")
    office, leaving, successor = Role.FLOORPERSON.value, command.leaving, command.floorperson
    relief: acts.AssignmentEnded | acts.OfficeRelieved = acts.AssignmentEnded(office, leaving, ())
    if successor not in duty.persons(office):
        if refusal := may_hold(duty, office, successor):
            return refusal
        relief = acts.OfficeRelieved(office, leaving, successor, "", ())
    expected = position.ledger.balance(ledger.INVENTORY)
    signers = command.dealer, leaving, successor
    count = command.chips, value_of(command.chips), expected
    return (acts.ShiftChanged(command.shift, *count, *signers, ()), relief)


@core.applies(acts.ShiftChanged)
def _shift_changed(state: TableState, event: acts.ShiftChanged) -> TableState:
    tray = state[Tray]
    return with_slice(state, replace(tray, shifts=(*tray.shifts, event.shift)))


@core.applies(acts.InventoryCounted)
def _counted(state: TableState, event: acts.InventoryCounted) -> TableState:
    if not event.closing:
        return state
    return with_slice(state, replace(state[Tray], closing_cents=event.cents))


@moves(acts.ShiftChanged)
def _shift_variance(event: acts.ShiftChanged) -> tuple[Posting, ...]:
    return _booked(ledger.INVENTORY, event.cents - event.expected_cents)


@moves(acts.InventoryCounted)
def _variance(event: acts.InventoryCounted) -> tuple[Posting, ...]:
    """Post the difference of a closing count. A count in between may be wrong."""
    return _booked(ledger.INVENTORY, event.cents - event.expected_cents) if event.closing else ()


def _booked(account: str, difference: int) -> tuple[Posting, ...]:
    if not difference:
        return ()
    parties = (ledger.VARIANCE, account) if difference > 0 else (account, ledger.VARIANCE)
    return ((*parties, abs(difference)),)


def opening_fault(state: TableState, cents: int) -> Refusal | None:
    counted_cents = state[Tray].closing_cents
    if counted_cents is None or counted_cents == cents:
        return None
    message = f"the tray was closed with {money(counted_cents)}, and is opened with {money(cents)}"
    return Refusal("differs", (), message)


@core.hears(acts.TableOpened)
def _opened(state: TableState, _event: acts.TableOpened) -> TableState:
    tray = state[Tray]
    after = replace(tray, closing_cents=None, shifts=())
    return state if tray == Tray() else with_slice(state, after)


# --- the drop box ------------------------------------------------------------------------------


@house_decides(acts.RemoveDrop, ANY_TIME)
def _remove_drop(position: Position, command: acts.RemoveDrop) -> Answer:
    tray, accounts = position.state[Tray], position.ledger
    if tray.box and command.box != tray.box:
        return Refusal("box", (), f"the drop box at this table is {tray.box}, not {command.box}")
    if not command.box.strip() or not command.next_box.strip():
        return Refusal("box", (), "both boxes have a number: the one removed and the next one")
    if command.next_box == command.box or command.next_box in tray.uncounted:
        return Refusal("box", (), f"box {command.next_box} is not empty: put another one in place")
    cash, coupons = accounts.balance(ledger.DROP), accounts.balance(ledger.COUPON_DROP)
    return (acts.DropRemoved(command.box, command.next_box, cash, coupons, ()),)


@core.applies(acts.DropRemoved)
def _drop_removed(state: TableState, event: acts.DropRemoved) -> TableState:
    tray = state[Tray]
    uncounted = (*tray.uncounted, event.box)
    return with_slice(state, replace(tray, box=event.next_box, uncounted=uncounted))


@moves(acts.DropRemoved)
def _drop_taken(event: acts.DropRemoved) -> tuple[Posting, ...]:
    cash = (ledger.DROP, ledger.drop_box(event.box), event.cash_cents)
    coupons = (ledger.COUPON_DROP, ledger.coupon_box(event.box), event.coupon_cents)
    return tuple(posting for posting in (cash, coupons) if posting[2])


@house_decides(acts.CountDrop, ANY_TIME)
def _count_drop(position: Position, command: acts.CountDrop) -> Answer:
    if command.box not in position.state[Tray].uncounted:
        return Refusal("box", (), f"box {command.box} was not taken from this table, or is counted")
    if command.cash_cents < 0 or command.coupon_cents < 0:
        return Refusal("amount", (), "a count is not below nothing")
    expected = position.ledger.balance(ledger.drop_box(command.box))
    coupons = position.ledger.balance(ledger.coupon_box(command.box))
    amounts = (command.cash_cents, expected, command.coupon_cents, coupons)
    return (acts.DropCounted(command.box, *amounts, ()),)


@core.applies(acts.DropCounted)
def _drop_counted(state: TableState, event: acts.DropCounted) -> TableState:
    tray = state[Tray]
    boxes = tuple(box for box in tray.uncounted if box != event.box)
    return with_slice(state, replace(tray, uncounted=boxes))


@moves(acts.DropCounted)
def _to_count_room(event: acts.DropCounted) -> tuple[Posting, ...]:
    cash, coupons = ledger.drop_box(event.box), ledger.coupon_box(event.box)
    cash_difference = _booked(cash, event.cash_cents - event.expected_cents)
    more = _booked(coupons, event.coupon_cents - event.expected_coupon_cents)
    cash_counted = (cash, ledger.COUNT_ROOM, event.cash_cents)
    cancelled = (coupons, ledger.COUPONS, event.coupon_cents)
    return (*cash_difference, *more, *(move for move in (cash_counted, cancelled) if move[2]))


# --- change ------------------------------------------------------------------------------------


@house_decides(acts.ChangeChips, AT_TABLE)
def _change(position: Position, command: acts.ChangeChips) -> Answer:
    if refusal := not_there(position.state, command.seat):
        return refusal
    patron = position.state.seats[command.seat]
    if fault := fault_of(command.taken) or fault_of(command.given):
        return Refusal("chips", (), fault)
    cents = value_of(command.taken)
    if cents != value_of(command.given):
        chips_value = money(value_of(command.given))
        message = f"{money(cents)} is taken and {chips_value} is given: chips change at their value"
        return Refusal("unequal", (), message)
    if cents > patron.chips_cents:
        return Refusal("chips", (), f"seat {command.seat} has {money(patron.chips_cents)} in chips")
    return (acts.ChipsChanged(command.seat, command.taken, command.given, cents, ()),)


# The value of everybody's chips is the same.
core.no_effect(acts.ChipsChanged)
