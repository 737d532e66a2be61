"""A table at one entry as a viewer may see it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Final

from croupier.acts import LayoutCleared, SettlementCorrected, ShoeLoaded
from croupier.baccarat.cards import DECK
from croupier.baccarat.coup import TIED, Facts, Hand, facts_of, point_count
from croupier.law.sight import Sight
from croupier.money import ledger as accounts
from croupier.records.entry import moment
from croupier.records.roads import Result, RoadsShown, road_data, roads_of
from croupier.records.view.sight import CLOSED, Place, Viewer, closed_cards, closed_places, is_open
from croupier.rules import Offer, TableRules
from croupier.table.cards.device import Device
from croupier.table.dealing.dealing import card_due, holder_of
from croupier.table.elections.election_changes import NoticeBoard
from croupier.table.house.tray import Tray
from croupier.table.machine import hooks
from croupier.table.machine.offered import dealing_prompt
from croupier.table.machine.position import Position, Proposal
from croupier.table.machine.state import WITH_SHOE, RoundState, TableState
from croupier.table.parts.curator import CuratorState
from croupier.table.parts.forms import FormBook
from croupier.table.parts.progressive import Progressive
from croupier.table.people.duty import Duty
from croupier.table.people.seating import counterclockwise_from_dealer

if TYPE_CHECKING:
    from croupier.records.view import documents

_HANDS: Final = (Hand.PLAYER, Hand.BANKER)
_WINNERS: Final = {TIED: None, **{hand.value: hand for hand in _HANDS}}


def projection(
    position: Position, viewer: Viewer, results: Sequence[documents.ResultSeen] = ()
) -> documents.TableSeen:
    """Hidden fields are ``null``, face-down cards ``??``."""
    state, rules = position.state, position.rules
    layout, prompt = rules.submission.layout, dealing_prompt(state, rules)
    time = state.at if viewer.sees_actors(()) else None
    return {
        "format": "croupier-table-view/1",
        "seq": position.sequence,
        "at": None if time is None else moment(time),
        "open_point": is_open(position),
        "law": rules.law.id,
        "law_title": rules.law.title,
        "rules_sha256": rules.sha256,
        "elections": dict(rules.elections),
        "warnings": list(rules.warnings),
        "pit": layout.pit,
        "table": layout.table,
        "gaming_date": None if state.gaming_date is None else state.gaming_date.isoformat(),
        "phase": {
            "id": state.phase.name.lower(),
            "words": rules.law.usage.named(state.phase.value),
            "in_play": state.phase.in_play,
        },
        "prompt": prompt and {"words": prompt.words, "clauses": list(prompt.clauses)},
        "seats": [_seat(state, seat, viewer) for seat in counterclockwise_from_dealer(layout)],
        "wagers": [_offered(offer) for offer in rules.offers.values()],
        "stakes": list(_stakes(state, viewer)),
        "round": None if state.round is None else _round(state, state.round, rules),
        "rounds": state.rounds,
        "waiting": list(_waiting(state)),
        "offers": list(_offers(state)),
        "shoe": _shoe(state, rules, viewer),
        "curator": _curator(state),
        "meters": dict(state[Progressive].meters),
        "mystery": state[Progressive].commitment,
        "results": list(results),
        "flawed": state.flawed,
        "device_down": state[Device].down,
        "paused": bool(position.house.pause),
        "staff": {office: list(people) for office, people in state[Duty].posts.items() if people}
        if viewer.sees(Sight.STAFF)
        else None,
        "tray": _tray(position) if viewer.sees(Sight.RACK) else None,
        "house": _house(position) if viewer.sees(Sight.HOUSE) else None,
        "forms": _forms(state, rules) if viewer.sees(Sight.PAPER) else None,
        "notices": [
            {"rule": one.rule_id, "value": one.value, "to": one.to, "at": moment(one.at)}
            for one in state[NoticeBoard].notices
        ]
        if viewer.sees(Sight.TEXT)
        else None,
    }


# --- patrons and wagers ------------------------------------------------------------------------


def _seat(state: TableState, seat: int, viewer: Viewer) -> documents.SeatSeen:
    patron = state.seats.get(seat)
    chips = patron is not None and viewer.sees(Sight.CHIPS, seat)
    is_named = patron is not None and viewer.sees(Sight.PATRON, seat)
    return {
        "seat": seat,
        "taken": patron is not None,
        "patron": patron.name if patron is not None and is_named else None,
        "chips_cents": patron.chips_cents if patron is not None and chips else None,
        "owed_cents": patron.owed_cents if patron is not None and chips else None,
        "away": patron is not None and patron.away,
    }


def _offered(offer: Offer) -> documents.WagerSeen:
    limit = offer.limit
    return {
        "wager": offer.wager.id,
        "title": offer.wager.title,
        "min_cents": None if limit is None else limit.min_cents,
        "max_cents": None if limit is None else limit.max_cents,
        "unit_cents": offer.unit_cents,
        "pays": {line: "" if odds is None else str(odds) for line, odds in offer.pays.items()},
    }


def _stakes(state: TableState, viewer: Viewer) -> Iterator[documents.StakeSeen]:
    is_shown = viewer.sees(Sight.STAKE)
    for (seat, wager), stake in sorted(state.stakes.items()):
        yield {
            "seat": seat,
            "wager": wager,
            "chips_cents": stake.chips_cents if is_shown else None,
            "coupon_cents": stake.coupon_cents if is_shown else None,
        }


# --- cards -------------------------------------------------------------------------------------


def _round(state: TableState, round_: RoundState, rules: TableRules) -> documents.RoundSeen:
    places, facts = closed_places(state, rules), round_.facts
    hand_due = round_.coup.due if card_due(state) else None
    winner = None if facts is None else facts.winner
    return {
        "number": round_.number,
        "simulated": round_.simulated,
        "void": round_.void,
        "due": None if hand_due is None else hand_due.value,
        "winner": None if facts is None else TIED if winner is None else winner.value,
        "hands": [_hand(state, round_, hand, places, rules) for hand in _HANDS],
    }


def _hand(
    state: TableState, round_: RoundState, hand: Hand, places: frozenset[Place], rules: TableRules
) -> documents.HandSeen:
    cards = round_.coup.hand(hand)
    ordinals = [place for place in range(len(cards)) if (hand, place) in places]
    return {
        "hand": hand.value,
        "cards": [CLOSED if at in ordinals else card.notation for at, card in enumerate(cards)],
        "count": None if ordinals or not cards else point_count(cards),
        "holder": holder_of(state, hand, rules),
        "handed": round_.handed is hand,
        "to_turn": round_.down[:1] == (hand,),
    }


def _waiting(state: TableState) -> Iterator[documents.WaitingCard]:
    round_ = state.round
    if round_ is not None:
        for _ in round_.begins_with:
            yield {"card": CLOSED, "waits_for": "this hand"}
        if round_.early is not None:
            card = round_.early.card.notation if round_.early.disclosed else CLOSED
            yield {"card": card, "waits_for": "third card"}
    for _ in state.held:
        yield {"card": CLOSED, "waits_for": "next hand"}
    for order in state.simulate_with:
        yield {"card": order.card.notation, "waits_for": "simulated round"}


def _shoe(state: TableState, rules: TableRules, viewer: Viewer) -> documents.ShoeSeen:
    shoe = state.shoe
    return {
        "number": shoe.number,
        "decks": shoe.decks,
        "batch": shoe.batch,
        "remaining": shoe.remaining,
        "cards_behind": shoe.cards_behind,
        "cutting_card_out": state.cutting_card_out,
        "hands_left": state.hands_left,
        "to_burn": state.to_burn,
        "burned": [CLOSED if card is None else card.notation for card in shoe.burned],
        "discarded": [one.card.notation if one.card else CLOSED for one in shoe.discarded],
        "to_discard": state.to_discard,
        "left": _left(state, rules) if viewer.sees(Sight.ODDS) else None,
    }


def _left(state: TableState, rules: TableRules) -> dict[str, int] | None:
    # After the shoe was found empty, its unseen cards are on the layout.
    if state.phase not in WITH_SHOE or state.flawed:
        return None
    cards = {card.notation: count for card, count in zip(DECK, state.shoe.unseen, strict=False)}
    for card in closed_cards(state, rules):
        cards[card.notation] += 1
    return cards


def results_after(
    results: Sequence[documents.ResultSeen], entry: Proposal
) -> list[documents.ResultSeen]:
    updated = list(results)
    round_ = entry.before.state.round
    for event in entry.events:
        if isinstance(event, ShoeLoaded):
            updated = []
        elif isinstance(event, LayoutCleared) and round_ is not None and round_.facts is not None:
            hands = entry.before.house.corrected_hands(round_.number)
            facts = round_.facts if hands is None else facts_of(*hands)
            updated.append(_result(round_.number, facts, is_corrected=hands is not None))
        elif isinstance(event, SettlementCorrected) and event.winner:
            facts = facts_of(event.player, event.banker)
            now = _result(event.round, facts, is_corrected=True)
            updated = [now if result["round"] == event.round else result for result in updated]
    return updated


def roads_shown(results: Iterable[documents.ResultSeen]) -> RoadsShown:
    results_of_roads = (
        Result(
            _WINNERS[result["winner"]],
            result["natural"],
            result["player_pair"],
            result["banker_pair"],
            result["round"],
            result["corrected"],
        )
        for result in results
    )
    return road_data(roads_of(results_of_roads))


def _result(number: int, facts: Facts, *, is_corrected: bool) -> documents.ResultSeen:
    return {
        "round": number,
        "winner": TIED if facts.winner is None else facts.winner.value,
        "player_count": facts.player_count,
        "banker_count": facts.banker_count,
        "natural": Result.of(facts).natural,
        "player_pair": facts.player_pair,
        "banker_pair": facts.banker_pair,
        "corrected": is_corrected,
    }


# --- who is asked, and who deals ---------------------------------------------------------------


def _offers(state: TableState) -> Iterator[documents.OfferSeen]:
    if state.cut.asked is not None:
        yield {"what": "cut", "seat": state.cut.asked, "hand": None}
    if seat_and_hand := state[CuratorState].asked:
        yield {"what": "shoe", "seat": seat_and_hand[0], "hand": None}
    offering = None if state.round is None else state.round.offering
    if offering is not None:
        yield {"what": "hand", "seat": offering.seat, "hand": offering.hand.value}


def _curator(state: TableState) -> documents.CuratorSeen | None:
    curating = state[CuratorState]
    if not curating.chosen:
        return None
    seat = hooks.seat_that_deals.ask(state)
    return {"seat": curating.curator, "dealer_deals": seat is None}


# --- the house ---------------------------------------------------------------------------------


def _tray(position: Position) -> documents.TraySeen:
    ledger, tray = position.ledger, position.state[Tray]
    return {
        "inventory_cents": ledger.balance(accounts.INVENTORY),
        "in_transit_cents": ledger.balance(accounts.IN_TRANSIT),
        "slips": [
            {
                "slip": number,
                "kind": slip.kind,
                "chips": {str(value): count for value, count in slip.chips.items()},
                "issued": slip.is_issued,
            }
            for number, slip in sorted(tray.slips.items())
        ],
    }


def _house(position: Position) -> documents.HouseSeen:
    ledger, tray = position.ledger, position.state[Tray]
    return {
        "win_cents": ledger.table_win_cents,
        "drop_cents": ledger.balance(accounts.DROP),
        "fills_cents": -ledger.balance(accounts.FILLS),
        "credits_cents": ledger.balance(accounts.CREDITS),
        "forms_cents": ledger.balance(accounts.FORMS),
        "vigorish_cents": ledger.balance(accounts.VIGORISH_TAKEN),
        "box": tray.box,
        "boxes_to_count": list(tray.uncounted),
    }


def _forms(state: TableState, rules: TableRules) -> documents.FormsSeen | None:
    if not rules.applies("forms.prepared"):
        return None
    book = state[FormBook]
    return {
        "custodian": book.custodian,
        "next_serial": book.next_serial,
        "last_serial": book.last_serial,
        "used": [
            {
                "serial": form.serial,
                "patron": form.patron,
                "cents": form.cents,
                "void": form.void,
                "dropped": form.dropped,
            }
            for form in book.used.values()
        ],
    }
