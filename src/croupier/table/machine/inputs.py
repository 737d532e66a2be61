"""Bounds and choices of each field of a command, from the functions that ``decide`` uses."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import date, timedelta
from typing import Any, Final

from msgspec.structs import replace

from croupier import acts
from croupier.acts.roles import NAMED_POSTS, Role
from croupier.baccarat.cards import DECK, DECK_SIZE, Card
from croupier.baccarat.coup import Hand
from croupier.law.usage import money
from croupier.rules import Offer, TableRules
from croupier.table.cards.cutting import burned_unseen
from croupier.table.cards.mixing import step_due
from croupier.table.cards.out_of_use import WRONG_CARDS
from croupier.table.dealing.dealing import holder_of
from croupier.table.dealing.hand_over import to_be_turned
from croupier.table.house.tray import ACTS_OF_SLIPS, Slip, Tray
from croupier.table.machine.core import Refusal, decide
from croupier.table.machine.offered import Field, Situation, fills_in, hand_meant
from croupier.table.machine.state import Phase, TableState
from croupier.table.people.duty import Duty
from croupier.table.settling.awards import HandPays

_CUT_AT: Final = 100
"""More than a deck from either end, as some regulations require."""
_MOST_CENTS: Final = 10**12 - 1
_GONE: Final = "the patron has walked away"
_ACE: Final = Card.of("As")
_TWO: Final = Card.of("2s")


def _always(kind: str, *fields: str, **terms: Any) -> None:
    fills_in(*fields)(lambda _situation, name: Field(name, kind, **terms))


# --- people ------------------------------------------------------------------------------------

_OFFICE_OF: Final = {
    "dealer": Role.DEALER,
    "floorperson": Role.FLOORPERSON,
    "leaving": Role.FLOORPERSON,
    "supervisor": Role.FLOORPERSON,
    "pit_boss": Role.PIT_BOSS,
    "pit_clerk": Role.PIT_CLERK,
    "relieved": Role.DEALER,
}


@fills_in(*_OFFICE_OF)
def _person(situation: Situation, name: str) -> Field:
    office = _OFFICE_OF[name]
    staff = situation.state[Duty].persons(office)
    choices = tuple((person, person) for person in staff)
    default = staff[0] if staff else office.value
    return Field(name, "person", choices=choices, default=default, source="person")


@fills_in("AssignOffice.person", "RelieveDealer.dealer", "RelieveFloorperson.floorperson")
def _newcomer(_situation: Situation, name: str) -> Field:
    return Field(name, "person", source="person", needed=True)


@fills_in("EndAssignment.person")
def _assigned(situation: Situation, name: str) -> Field:
    posts = situation.state[Duty].posts.values()
    choices = tuple((person, person) for persons in posts for person in persons)
    return Field(name, "person", choices=choices, source="person", needed=True)


@fills_in("ChangeShift.floorperson")
def _successor(situation: Situation, name: str) -> Field:
    field = _person(situation, name)
    return replace(
        field,
        choices=field.choices[1:],
        default=situation.state[Duty].persons(Role.FLOORPERSON)[-1],
    )


@fills_in("ShuffleCards.dealer")
def _shuffler(situation: Situation, name: str) -> Field:
    if not situation.rules.applies("shuffle.three_dealers"):
        return replace(_person(situation, name), default="")
    shufflers, dealers = situation.state.shuffled_by, situation.state[Duty].persons(Role.DEALER)
    others = [dealer for dealer in dealers if dealer not in shufflers]
    has_enough = len(dealers) >= situation.rules.value("shuffle.dealers", int)
    default = others[0] if others and has_enough else f"{Role.DEALER} {len(shufflers) + 1}"
    choices = tuple((dealer, dealer) for dealer in others)
    return Field(name, "person", choices=choices, default=default, source="person")


_always(
    "text", "shift", "patron", "identified", "next_box", "name", "finding", "link", "text",
    default="",
)  # fmt: skip
_always(
    "text", "SeatPatron.patron", "ReserveSeat.patron", "RecordNotice.to", "taken_by", "question",
    "ruling", "looked", "RemoveDrop.next_box", "WriteNote.text", source="person", needed=True,
)  # fmt: skip
_always("text", "RecallHand.reason", default=_GONE)
_always("text", "beside", default=())
_always("serials", "returned", default=())
# By default everything owed is documented.
_always("cents", "PrepareForm.cents")


@fills_in("reason")
def _reason(situation: Situation, name: str) -> Field:
    is_relief = situation.action.command in {acts.RelieveDealer, acts.RelieveFloorperson}
    needed = not is_relief or situation.state.phase.in_play
    return Field(name, "text", default="", source="person", needed=needed)


@fills_in("box")
def _box(situation: Situation, name: str) -> Field:
    tray = situation.state[Tray]
    if situation.action.command is acts.CountDrop:
        choices = tuple((box, box) for box in tray.uncounted)
        return Field(name, "choice", choices=choices, default=next(iter(tray.uncounted), ""))
    return Field(name, "text", default=tray.box)


@fills_in("gaming_date")
def _gaming_date(situation: Situation, name: str) -> Field:
    return Field(
        name, "date", default=next_gaming_day(situation.state, situation.rules, situation.today)
    )


def next_gaming_day(state: TableState, rules: TableRules, today: date | None) -> date:
    """Return ``today``, unless it is unknown, or this table or its law begins later."""
    law, last = rules.law, state.gaming_date
    earliest = law.in_force_from
    if last is not None:
        earliest = max(last + timedelta(days=1), law.first_day or last)
    return earliest if today is None else max(earliest, today)


_always(
    "choice",
    "office",
    choices=tuple((post.value, post.value) for post in NAMED_POSTS),
    default=Role.DEALER.value,
)


# --- seats and hands ---------------------------------------------------------------------------


@fills_in("seat")
def _seat(situation: Situation, name: str) -> Field:
    seats = (
        tuple(situation.state.seats) if situation.action.seat is None else (situation.action.seat,)
    )
    return Field(name, "seat", choices=_numbered(seats), default=next(iter(seats), None))


@fills_in("SeatPatron.seat", "ReserveSeat.seat", "to")
def _free_seat(situation: Situation, name: str) -> Field:
    last = situation.rules.submission.layout.seats
    seats = tuple(seat for seat in range(1, last + 1) if seat not in situation.state.seats)
    return Field(name, "seat", choices=_numbered(seats), default=next(iter(seats), None))


def _numbered(seats: tuple[int, ...]) -> tuple[tuple[object, str], ...]:
    return tuple((seat, f"Seat {seat}") for seat in seats)


@fills_in("hand")
def _hand(situation: Situation, name: str) -> Field:
    hand = hand_meant(situation.state)
    return Field(name, "hand", choices=((hand, hand.title),), default=hand)


@fills_in("RelinquishCards.hand", "RequireRelinquishment.hand")
def _held(of: Situation, name: str) -> Field:
    seat, hands = of.action.seat, to_be_turned(of.state)
    held = [hand for hand in hands if holder_of(of.state, hand, of.rules) == seat]
    held = held or [hand_meant(of.state)]
    choices = tuple((hand, hand.title) for hand in held)
    return Field(name, "hand", choices=choices, default=held[0])


_always(
    "hand",
    "dealt_to",
    "CorrectMisreadCard.hand",
    "CorrectSettlement.hand",
    choices=((None, "no hand"), *((hand, hand.title) for hand in Hand)),
)


# --- cards -------------------------------------------------------------------------------------


def drawn_unseen(state: TableState, rules: TableRules) -> bool:
    is_discard = state.to_discard > 0 and state.discard_unseen
    return is_discard or burned_unseen(state, rules)


def spare_card(state: TableState, among: Iterable[Card] = DECK) -> Card:
    return max(among, key=lambda card: state.shoe.unseen[card.index])


@fills_in("DrawCard.card")
def _drawn(situation: Situation, name: str) -> Field:
    """Propose a card that fits what is due: an ace for the burn, otherwise the most plentiful."""
    state = situation.state
    if drawn_unseen(state, situation.rules):
        # No reader sees a card that comes out face down to be burned or discarded.
        return Field(name, "card")
    default = _ACE if state.phase is Phase.TO_BURN and state.to_burn is None else _TWO
    card = default if state.shoe.unseen[default.index] else spare_card(state)
    return Field(name, "card", default=card, source="reader")


@fills_in("card", "recorded", "actual")
def _card(situation: Situation, name: str) -> Field:
    default = spare_card(situation.state) if situation.state.shoe.unseen else None
    return Field(name, "card", default=default, source="reader")


# --- counts ------------------------------------------------------------------------------------


@fills_in("position")
def _cut(situation: Situation, name: str) -> Field:
    minimum = situation.rules.bound("cut.from_ends")
    maximum = situation.rules.decks_per_shoe * DECK_SIZE - minimum
    position = min(max(minimum, _CUT_AT), maximum)
    return Field(name, "count", least=minimum, most=maximum, default=position)


@fills_in("from_back")
def _from_back(situation: Situation, name: str) -> Field:
    minimum = situation.rules.bound("cut.cutting_card_from_back")
    maximum = situation.rules.decks_per_shoe * DECK_SIZE - 1
    return Field(name, "count", least=minimum, most=maximum, default=minimum)


@fills_in("decks")
def _decks(situation: Situation, name: str) -> Field:
    decks = situation.rules.value("decks", int)
    return Field(name, "count", least=decks, most=decks, default=decks)


_always("count", "ordinal", default=0)


@fills_in("slip")
def _slip(situation: Situation, name: str) -> Field:
    tray = situation.state[Tray]
    if situation.action.command in {acts.RequestFill, acts.RequestCredit}:
        return Field(name, "count", least=1, default=max(tray.used, default=0) + 1)
    if situation.action.command in {acts.PayByHand, acts.PayKeptAmount}:
        last_paid = max(situation.state[HandPays].slips, default=0)
        return Field(name, "count", least=1, default=last_paid + 1)
    slips = _fitting(situation)
    choices = tuple((number, f"Slip {number}") for number in slips)
    return Field(name, "choice", choices=choices, default=next(iter(slips), None))


def _fitting(situation: Situation) -> Mapping[int, Slip]:
    command, slips = situation.action.command, situation.state[Tray].slips.items()
    return {
        number: slip
        for number, slip in slips
        if command in {acts.VoidSlip, ACTS_OF_SLIPS[slip.kind, slip.is_issued][0]}
    }


_always("count", "of", "number", "settled", least=1, source="person", needed=True)
_always("count", "WriteNote.of", least=1)


@fills_in("OpenDispute.settled", "CorrectSettlement.of")
def _settled_entry(situation: Situation, name: str) -> Field:
    rounds = situation.house.rounds
    return _entry(name, {entry: f"Round {one.round}" for entry, one in rounds})


@fills_in("CorrectWager.of")
def _wager_entry(situation: Situation, name: str) -> Field:
    wagers, said = situation.rules.wagers, {}
    for entry, placed in situation.house.placed.items():
        stakes = (f"{wagers[wager].title} {money(cents)}" for wager, cents in placed.cents.items())
        seat = "Bets closed" if placed.seat is None else f"Seat {placed.seat}"
        said[entry] = ", ".join((seat, *stakes))
    return _entry(name, said)


def _entry(name: str, said: Mapping[int, str]) -> Field:
    newest = sorted(said.items(), reverse=True)
    choices = tuple((entry, f"{words} (entry {entry})") for entry, words in newest)
    kind = "choice" if choices else "count"
    return Field(name, kind, choices=choices, least=1, source="person", needed=True)


# --- choices -----------------------------------------------------------------------------------

_always("flag", "accepted", "even", "dealer_confirms", "intact", default=True)
_always(
    "flag", "preshuffled", "face_up", "disclosed", "designate_dealer", "lit", "closing",
    "hand_begun", "informed", "keep", "canceled", default=False,
)  # fmt: skip
_always("choice", "kind", choices=tuple(WRONG_CARDS.items()), default="damaged")


@fills_in("step")
def _step(situation: Situation, name: str) -> Field:
    step = step_due(situation.state, situation.rules) or ""
    return Field(name, "choice", choices=((step, step),), default=step)


_always(
    "choice", "RequireRelinquishment.by", "OrderPass.by",
    choices=tuple((role.value, role.value) for role in (Role.DEALER, Role.FLOORPERSON)),
    default=Role.DEALER.value,
)  # fmt: skip
_GROUNDS: Final = {
    "RequireRelinquishment": "irregularity.relinquish.grounds",
    "OrderPass": "curator.ordered.grounds",
}


@fills_in("RequireRelinquishment.grounds", "OrderPass.grounds")
def _grounds(situation: Situation, name: str) -> Field:
    words = situation.rules.value(_GROUNDS[situation.action.command.__name__], tuple)
    return Field(name, "choice", choices=tuple((word, word) for word in words), default=words[0])


@fills_in("elections", "limits", "added", "shown", "into", "amounts")
def _none_given(_situation: Situation, name: str) -> Field:
    return Field(name, "stakes" if name in {"added", "amounts"} else "text", default={})


@fills_in("seen_by")
def _viewers(situation: Situation, name: str) -> Field:
    """Ask for seats only where patrons view cards that lie face down for all others."""
    is_hand_over = situation.rules.elected("deal.option", "hand-over")
    return Field(name, "serials" if is_hand_over else "text", default=())


_always("time", "at", "until", source="clock")
_always("secret", "commitment", source="vault", needed=True)
_always("secret", "secret", source="vault")

# --- money -------------------------------------------------------------------------------------


@fills_in("inventory_cents")
def _inventory(situation: Situation, name: str) -> Field:
    cents = situation.state[Tray].closing_cents
    if cents:
        return Field(name, "cents", least=cents, most=cents, default=cents)
    return Field(name, "cents", least=1, default=5_000_000)


_always("cents", "BuyChips.cents", least=1, default=10_000)
_always("cents", "coupon_cents", "cash_cents", default=0)
_always("cents", "CorrectWager.cents", source="person", needed=True)
_always("cents", "CorrectSettlement.cents", "paid_cents", source="person")
_always("card", "CorrectSettlement.actual")


@fills_in("CollectVigorish.cents")
def _vigorish(situation: Situation, name: str) -> Field:
    patron = situation.state.seats.get(situation.action.seat or 0)
    if patron is None:
        return Field(name, "cents")
    maximum = min(patron.owed_cents, patron.chips_cents)
    # A part is collected only on purpose.
    default = maximum if maximum == patron.owed_cents else None
    return Field(name, "cents", least=1, most=maximum or None, default=default)


@fills_in("CorrectWager.wager", "CorrectSettlement.wager")
def _any_wager(situation: Situation, name: str) -> Field:
    choices = tuple(
        (wager_id, offer.wager.title) for wager_id, offer in situation.rules.offers.items()
    )
    return Field(name, "choice", choices=choices, default="")


@fills_in("ReleaseSeat.seat", "CorrectSettlement.seat")
def _patron_seat(situation: Situation, name: str) -> Field:
    all_seats = range(1, situation.rules.submission.layout.seats + 1)
    seats = all_seats if situation.action.command is acts.ReleaseSeat else situation.state.seats
    return Field(name, "seat", choices=_numbered(tuple(seats)))


def _placeable(situation: Situation) -> Iterator[tuple[Offer, int, int]]:
    seat = situation.action.seat or 0
    patron = situation.state.seats.get(seat)
    for name, offer in situation.rules.offers.items():
        if patron is None:
            return
        before = situation.state.stakes.get((seat, name))
        minimum, maximum = _bounds(offer, 0 if before is None else before.cents, patron.chips_cents)
        if minimum <= maximum:
            answer = decide(situation.state, acts.PlaceWager(seat, name, minimum), situation.rules)
            if not isinstance(answer, Refusal):
                yield offer, minimum, maximum


def _bounds(offer: Offer, before: int, chips: int) -> tuple[int, int]:
    unit, limit = offer.unit_cents, offer.limit
    floor = max(offer.floor_cents, limit.min_cents if limit else 0, before + 1)
    minimum = -(-floor // unit) * unit - before
    ceiling = before + chips if limit is None else min(before + chips, limit.max_cents)
    return minimum, ceiling // unit * unit - before


@fills_in("PlaceWager.wager", "PlaceVerbalWager.wager", "WithdrawWager.wager")
def _wager(situation: Situation, name: str) -> Field:
    if situation.action.command is acts.WithdrawWager:
        ids = _withdrawable(situation)
    elif situation.action.command is acts.PlaceVerbalWager:
        ids = [wager_id for wager_id, offer in situation.rules.offers.items() if not offer.needs]
    else:
        ids = [offer.wager.id for offer, _, _ in _placeable(situation)]
    choices = tuple((wager_id, situation.rules.offers[wager_id].wager.title) for wager_id in ids)
    return Field(name, "choice", choices=choices, default=next(iter(ids), ""))


def _withdrawable(situation: Situation) -> list[str]:
    seat = situation.action.seat or 0
    return [
        wager
        for number, wager in situation.state.stakes
        if number == seat
        and not isinstance(
            decide(situation.state, acts.WithdrawWager(seat, wager), situation.rules), Refusal
        )
    ]


@fills_in("PlaceWager.cents")
def _staked(situation: Situation, name: str) -> Field:
    # The bounds are those of the first wager; views have those of each.
    for offer, minimum, maximum in _placeable(situation):
        unit = offer.unit_cents
        return Field(name, "cents", least=minimum, most=maximum, unit=unit, default=minimum)
    return Field(name, "cents", default=0)


@fills_in("PlaceVerbalWager.cents")
def _spoken_for(situation: Situation, name: str) -> Field:
    offer = next(candidate for candidate in situation.rules.offers.values() if not candidate.needs)
    seat = next(iter(situation.state.seats), 0)
    before = situation.state.stakes.get((seat, offer.wager.id))
    minimum, maximum = _bounds(offer, 0 if before is None else before.cents, _MOST_CENTS)
    unit = offer.unit_cents
    return Field(name, "cents", least=minimum, most=maximum, unit=unit, default=minimum)


@fills_in("stakes")
def _stakes(situation: Situation, name: str) -> Field:
    minimums = [(offer.wager, minimum) for offer, minimum, _ in _placeable(situation)]
    choices = tuple((wager.id, wager.title) for wager, _ in minimums)
    default = {wager.id: minimum for wager, minimum in minimums[:1]}
    return Field(name, "stakes", choices=choices, default=default)


@fills_in("chips", "taken", "given")
def _chips(situation: Situation, name: str) -> Field:
    slips = [*_fitting(situation).values()]
    values = {value for slip in slips for value in slip.chips} or set(
        situation.rules.law.currency.chips
    )
    choices = tuple((value, money(value, short=True)) for value in sorted(values, reverse=True))
    default = dict(slips[0].chips) if slips else {}
    # A count may state its total alone.
    needed = not default and situation.action.command in {
        acts.RequestFill,
        acts.RequestCredit,
        acts.ChangeChips,
    }
    return Field(name, "chips", choices=choices, default=default, source="person", needed=needed)
