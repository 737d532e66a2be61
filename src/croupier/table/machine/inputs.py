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
    fills_in(*fields)(lambda _of, name: Field(name, kind, **terms))


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
def _person(of: Situation, name: str) -> Field:
    office = _OFFICE_OF[name]
    there = of.state[Duty].persons(office)
    choices = tuple((one, one) for one in there)
    default = there[0] if there else office.value
    return Field(name, "person", choices=choices, default=default, source="person")


@fills_in("AssignOffice.person", "RelieveDealer.dealer", "RelieveFloorperson.floorperson")
def _newcomer(_of: Situation, name: str) -> Field:
    return Field(name, "person", source="person", needed=True)


@fills_in("EndAssignment.person")
def _assigned(of: Situation, name: str) -> Field:
    held = of.state[Duty].posts.values()
    choices = tuple((person, person) for persons in held for person in persons)
    return Field(name, "person", choices=choices, source="person", needed=True)


@fills_in("ChangeShift.floorperson")
def _successor(of: Situation, name: str) -> Field:
    coming = _person(of, name)
    return replace(
        coming, choices=coming.choices[1:], default=of.state[Duty].persons(Role.FLOORPERSON)[-1]
    )


@fills_in("ShuffleCards.dealer")
def _shuffler(of: Situation, name: str) -> Field:
    if not of.rules.applies("shuffle.three_dealers"):
        return replace(_person(of, name), default="")
    done, present = of.state.shuffled_by, of.state[Duty].persons(Role.DEALER)
    there = [one for one in present if one not in done]
    enough = len(present) >= of.rules.value("shuffle.dealers", int)
    default = there[0] if there and enough else f"{Role.DEALER} {len(done) + 1}"
    choices = tuple((one, one) for one in there)
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
_always("text", "beside", "returned", default=())
# By default the patron signs, and everything owed is documented.
_always("text", "stated_by", "corrected", "statement")
_always("cents", "PrepareForm.cents")


@fills_in("reason")
def _reason(of: Situation, name: str) -> Field:
    relieved = of.action.command in {acts.RelieveDealer, acts.RelieveFloorperson}
    needed = not relieved or of.state.phase.in_play
    return Field(name, "text", default="", source="person", needed=needed)


@fills_in("box")
def _box(of: Situation, name: str) -> Field:
    return Field(name, "text", default=of.state[Tray].box)


@fills_in("gaming_date")
def _gaming_date(of: Situation, name: str) -> Field:
    return Field(name, "date", default=next_gaming_day(of.state, of.rules, of.today))


def next_gaming_day(state: TableState, rules: TableRules, today: date | None) -> date:
    """Return ``today``, unless it is unknown, or this table or its law begins later."""
    last = state.gaming_date
    earliest = rules.law.in_force_from if last is None else last + timedelta(days=1)
    return earliest if today is None else max(earliest, today)


_always(
    "choice",
    "office",
    choices=tuple((post.value, post.value) for post in NAMED_POSTS),
    default=Role.DEALER.value,
)


# --- seats and hands ---------------------------------------------------------------------------


@fills_in("seat")
def _seat(of: Situation, name: str) -> Field:
    seats = tuple(of.state.seats) if of.action.seat is None else (of.action.seat,)
    return Field(name, "seat", choices=_numbered(seats), default=next(iter(seats), None))


@fills_in("SeatPatron.seat", "ReserveSeat.seat", "to")
def _free_seat(of: Situation, name: str) -> Field:
    last = of.rules.submission.layout.seats
    free = tuple(seat for seat in range(1, last + 1) if seat not in of.state.seats)
    return Field(name, "seat", choices=_numbered(free), default=next(iter(free), None))


def _numbered(seats: tuple[int, ...]) -> tuple[tuple[object, str], ...]:
    return tuple((seat, f"Seat {seat}") for seat in seats)


@fills_in("hand")
def _hand(of: Situation, name: str) -> Field:
    hand = hand_meant(of.state)
    return Field(name, "hand", choices=((hand, hand.title),), default=hand)


@fills_in("RelinquishCards.hand", "RequireRelinquishment.hand")
def _held(of: Situation, name: str) -> Field:
    seat, hands = of.action.seat, to_be_turned(of.state)
    held = [hand for hand in hands if holder_of(of.state, hand, of.rules) == seat]
    choices = tuple((hand, hand.title) for hand in held)
    return Field(name, "hand", choices=choices, default=held[0] if held else None)


_always(
    "hand",
    "dealt_to",
    "CorrectMisreadCard.hand",
    "CorrectSettlement.hand",
    choices=((None, "no hand"), *((hand, hand.title) for hand in Hand)),
)


# --- cards -------------------------------------------------------------------------------------


def drawn_unseen(state: TableState, rules: TableRules) -> bool:
    discarded = state.to_discard > 0 and state.discard_unseen
    return discarded or burned_unseen(state, rules)


def spare_card(state: TableState, among: Iterable[Card] = DECK) -> Card:
    return max(among, key=lambda card: state.shoe.unseen[card.index])


@fills_in("DrawCard.card")
def _drawn(of: Situation, name: str) -> Field:
    """Propose a card that fits what is due: an ace for the burn, otherwise the most plentiful."""
    state = of.state
    if drawn_unseen(state, of.rules):
        # No reader sees a card that comes out face down to be burned or discarded.
        return Field(name, "card")
    wanted = _ACE if state.phase is Phase.TO_BURN and state.to_burn is None else _TWO
    card = wanted if state.shoe.unseen[wanted.index] else spare_card(state)
    return Field(name, "card", default=card, source="reader")


@fills_in("card", "recorded", "actual")
def _card(of: Situation, name: str) -> Field:
    default = spare_card(of.state) if of.state.shoe.unseen else None
    return Field(name, "card", default=default, source="reader")


# --- counts ------------------------------------------------------------------------------------


@fills_in("position")
def _cut(of: Situation, name: str) -> Field:
    least = of.rules.bound("cut.from_ends")
    most = of.rules.decks_per_shoe * DECK_SIZE - least
    at = min(max(least, _CUT_AT), most)
    return Field(name, "count", least=least, most=most, default=at)


@fills_in("from_back")
def _from_back(of: Situation, name: str) -> Field:
    least = of.rules.bound("cut.cutting_card_from_back")
    most = of.rules.decks_per_shoe * DECK_SIZE - 1
    return Field(name, "count", least=least, most=most, default=least)


@fills_in("decks")
def _decks(of: Situation, name: str) -> Field:
    decks = of.rules.value("decks", int)
    return Field(name, "count", least=decks, most=decks, default=decks)


_always("count", "ordinal", default=0)


@fills_in("slip")
def _slip(of: Situation, name: str) -> Field:
    tray = of.state[Tray]
    if of.action.command in {acts.RequestFill, acts.RequestCredit}:
        return Field(name, "count", least=1, default=max(tray.used, default=0) + 1)
    if of.action.command in {acts.PayByHand, acts.PayKeptAmount}:
        paid = max(of.state[HandPays].slips, default=0)
        return Field(name, "count", least=1, default=paid + 1)
    fitting = _fitting(of)
    choices = tuple((one, f"Slip {one}") for one in fitting)
    return Field(name, "choice", choices=choices, default=next(iter(fitting), None))


def _fitting(of: Situation) -> Mapping[int, Slip]:
    """Open slips that an act may concern."""
    command, slips = of.action.command, of.state[Tray].slips.items()
    return {
        at: slip
        for at, slip in slips
        if command in {acts.VoidSlip, ACTS_OF_SLIPS[slip.kind, slip.is_issued][0]}
    }


_always("count", "of", "number", "settled", "dispute", least=1, source="person", needed=True)
_always("count", "WriteNote.of", least=1)

# --- choices -----------------------------------------------------------------------------------

_always("flag", "accepted", "even", "dealer_confirms", "patron_signed", "intact", default=True)
_always(
    "flag", "preshuffled", "face_up", "disclosed", "designate_dealer", "lit", "closing",
    "hand_begun", "informed", "keep", "canceled", default=False,
)  # fmt: skip
_always("choice", "kind", choices=tuple(WRONG_CARDS.items()), default="damaged")


@fills_in("step")
def _step(of: Situation, name: str) -> Field:
    due = step_due(of.state, of.rules) or ""
    return Field(name, "choice", choices=((due, due),), default=due)


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
def _grounds(of: Situation, name: str) -> Field:
    words = of.rules.value(_GROUNDS[of.action.command.__name__], tuple)
    return Field(name, "choice", choices=tuple((word, word) for word in words), default=words[0])


@fills_in("elections", "limits", "added", "shown", "into", "amounts")
def _none_given(_of: Situation, name: str) -> Field:
    return Field(name, "stakes" if name in {"added", "amounts"} else "text", default={})


@fills_in("seen_by")
def _viewers(of: Situation, name: str) -> Field:
    """Ask for seats only where patrons view cards that lie face down for all others."""
    viewed = of.rules.elected("deal.option", "hand-over")
    return Field(name, "serials" if viewed else "text", default=())


_always("time", "at", "until", source="clock")
_always("secret", "commitment", source="vault", needed=True)
_always("secret", "secret", source="vault")

# --- money -------------------------------------------------------------------------------------


@fills_in("inventory_cents")
def _inventory(of: Situation, name: str) -> Field:
    counted = of.state[Tray].closing_cents
    if counted:
        return Field(name, "cents", least=counted, most=counted, default=counted)
    return Field(name, "cents", least=1, default=5_000_000)


_always("cents", "BuyChips.cents", least=1, default=10_000)
_always("cents", "coupon_cents", "cash_cents", default=0)
_always("cents", "CorrectWager.cents", source="person", needed=True)
_always("cents", "CorrectSettlement.cents", "paid_cents", source="person")
_always("card", "CorrectSettlement.actual")


@fills_in("CollectVigorish.cents")
def _vigorish(of: Situation, name: str) -> Field:
    patron = of.state.seats.get(of.action.seat or 0)
    if patron is None:
        return Field(name, "cents")
    most = min(patron.owed_cents, patron.chips_cents)
    # A part is collected only on purpose.
    default = most if most == patron.owed_cents else None
    return Field(name, "cents", least=1, most=most or None, default=default)


@fills_in("CorrectWager.wager", "CorrectSettlement.wager")
def _any_wager(of: Situation, name: str) -> Field:
    choices = tuple((one, offer.wager.title) for one, offer in of.rules.offers.items())
    return Field(name, "choice", choices=choices, default="")


@fills_in("ReleaseSeat.seat", "CorrectSettlement.seat")
def _whose(of: Situation, name: str) -> Field:
    every = range(1, of.rules.submission.layout.seats + 1)
    seats = every if of.action.command is acts.ReleaseSeat else of.state.seats
    return Field(name, "seat", choices=_numbered(tuple(seats)))


def _placeable(of: Situation) -> Iterator[tuple[Offer, int, int]]:
    seat = of.action.seat or 0
    patron = of.state.seats.get(seat)
    for name, offer in of.rules.offers.items():
        if patron is None:
            return
        before = of.state.stakes.get((seat, name))
        least, most = _bounds(offer, 0 if before is None else before.cents, patron.chips_cents)
        if least <= most:
            answer = decide(of.state, acts.PlaceWager(seat, name, least), of.rules)
            if not isinstance(answer, Refusal):
                yield offer, least, most


def _bounds(offer: Offer, before: int, chips: int) -> tuple[int, int]:
    unit, limit = offer.unit_cents, offer.limit
    floor = max(offer.floor_cents, limit.min_cents if limit else 0, before + 1)
    least = -(-floor // unit) * unit - before
    ceiling = before + chips if limit is None else min(before + chips, limit.max_cents)
    return least, ceiling // unit * unit - before


@fills_in("PlaceWager.wager", "PlaceVerbalWager.wager", "WithdrawWager.wager")
def _wager(of: Situation, name: str) -> Field:
    if of.action.command is acts.WithdrawWager:
        ids = _withdrawable(of)
    elif of.action.command is acts.PlaceVerbalWager:
        ids = [one for one, offer in of.rules.offers.items() if not offer.needs]
    else:
        ids = [offer.wager.id for offer, _, _ in _placeable(of)]
    choices = tuple((one, of.rules.offers[one].wager.title) for one in ids)
    return Field(name, "choice", choices=choices, default=next(iter(ids), ""))


def _withdrawable(of: Situation) -> list[str]:
    seat = of.action.seat or 0
    return [
        wager
        for one, wager in of.state.stakes
        if one == seat
        and not isinstance(decide(of.state, acts.WithdrawWager(seat, wager), of.rules), Refusal)
    ]


@fills_in("PlaceWager.cents")
def _staked(of: Situation, name: str) -> Field:
    # The bounds are those of the first wager; views have those of each.
    for offer, least, most in _placeable(of):
        unit = offer.unit_cents
        return Field(name, "cents", least=least, most=most, unit=unit, default=least)
    return Field(name, "cents", default=0)


@fills_in("PlaceVerbalWager.cents")
def _spoken_for(of: Situation, name: str) -> Field:
    offer = next(one for one in of.rules.offers.values() if not one.needs)
    seat = next(iter(of.state.seats), 0)
    before = of.state.stakes.get((seat, offer.wager.id))
    least, most = _bounds(offer, 0 if before is None else before.cents, _MOST_CENTS)
    unit = offer.unit_cents
    return Field(name, "cents", least=least, most=most, unit=unit, default=least)


@fills_in("stakes")
def _stakes(of: Situation, name: str) -> Field:
    found = [(offer.wager, least) for offer, least, _ in _placeable(of)]
    choices = tuple((wager.id, wager.title) for wager, _ in found)
    default = {wager.id: least for wager, least in found[:1]}
    return Field(name, "stakes", choices=choices, default=default)


@fills_in("chips", "taken", "given")
def _chips(of: Situation, name: str) -> Field:
    slips = [*_fitting(of).values()]
    values = {value for slip in slips for value in slip.chips} or set(of.rules.law.currency.chips)
    choices = tuple((value, money(value, short=True)) for value in sorted(values, reverse=True))
    default = dict(slips[0].chips) if slips else {}
    # A count may state its total alone.
    needed = not default and of.action.command in {
        acts.RequestFill,
        acts.RequestCredit,
        acts.ChangeChips,
    }
    return Field(name, "chips", choices=choices, default=default, source="person", needed=needed)
