"""Recipes of rounds: wagers, results, payment of vigorish, and irregularities."""

from __future__ import annotations

from typing import Final

from croupier import acts
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import CARD_VALUE, NO_THIRD_CARD, Hand
from croupier.baccarat.wagers import BANKER, PLAYER, TIE
from croupier.scenarios.people import (
    DEALER,
    FLOORPERSON,
    MOST_LOSSES,
    PIT_BOSS,
    PIT_CLERK,
    base_stakes,
    early_offer,
    early_stakes,
    fitting_stake,
    least_stake,
    needing_offer,
    patrons,
    waiving_stakes,
)
from croupier.scenarios.recipes.recipe import (
    NATURAL,
    Recipes,
    everybody_leaves,
    play_natural,
    take_shoe,
)
from croupier.scenarios.stage import Stage
from croupier.table import Phase
from croupier.table.dealing.dealing import card_due, holder_of
from croupier.table.machine import hooks
from croupier.table.machine.core import due
from croupier.table.parts.curator import CuratorState
from croupier.table.parts.forms import FormBook
from croupier.table.parts.house_money import HouseMoneyPhase

RECIPES: Final = Recipes()

_SEVENS: Final = "7h 7d Kh Ks"
"""Both hands have seven and stay."""
_FIRST_FOUR: Final = "2h 3d Kh Qs"
"""Player's Hand has two and draws, Banker's three."""
_BANKER_ALONE: Final = "7h 5d Kh Qs"
"""Player's Hand has seven and stays, Banker's five and draws."""


def _handed_over(stage: Stage) -> bool:
    return stage.rules.elected("deal.option", "hand-over")


def _early(stage: Stage) -> bool:
    return early_offer(stage.rules) is not None


@RECIPES.start(
    "Every patron has declined the shoe, and the dealer has dealt two cards",
    "offered-play",
    "curator.offer",
)
def _dealer_deals(stage: Stage) -> None:
    while stage.state[CuratorState].asked:
        stage.execute(acts.DeclineShoe(stage.state[CuratorState].asked[0]))
    stage.execute(acts.PlaceWager(1, PLAYER.id, least_stake(stage.rules, PLAYER.id)))
    stage.deal("2h 3d")


@RECIPES.start(
    "Every patron has declined the shoe, and the dealer has dealt four cards", "dealer-deals"
)
def _dealer_dealt_four(stage: Stage) -> None:
    stage.deal("Kh Qs")


@RECIPES.start("The last patron has one cent left", "betting")
def _one_cent(stage: Stage) -> None:
    seat = patrons(stage.rules)
    stage.execute(acts.LeaveTable(seat), acts.SeatPatron(seat, "Patron 4"))
    stage.execute(acts.BuyChips(seat, 1))


@RECIPES.start("Every patron has wagered", "betting")
def _wagered(stage: Stage) -> None:
    for seat, stakes in base_stakes(stage.rules).items():
        stage.execute(acts.PlaceWagers(seat, stakes))


@RECIPES.start(
    "A wager is next to the one wager that it needs",
    "betting",
    lambda stage: needing_offer(stage.rules) is not None,
)
def _bonus_beside_one(stage: Stage) -> None:
    offer = needing_offer(stage.rules)
    wagers = (BANKER.id,) if offer is None else (BANKER.id, offer.wager.id)
    stakes = {wager: least_stake(stage.rules, wager) for wager in wagers}
    stage.execute(acts.PlaceWagers(1, stakes))


@RECIPES.start(
    "The totals of two wagers differ by as much as they may", "betting", "limits.differential"
)
def _far_apart(stage: Stage) -> None:
    wager, _ = stage.rules.members("limits.differential.between")
    stake = fitting_stake(stage.rules, wager, stage.rules.value("limits.differential", int))
    for seat in stage.state.seats:
        stage.execute(acts.PlaceWager(seat, wager, stake))


@RECIPES.start("No more bets has been called", "wagered")
def _called(stage: Stage) -> None:
    stage.begin()


@RECIPES.start(
    "Total cards wagers waive the vigorish of a winning Banker wager",
    "betting",
    lambda stage: stage.rules.vigorish.waived,
)
def _waiving(stage: Stage) -> None:
    stage.execute(acts.PlaceWagers(1, waiving_stakes(stage.rules)))
    stage.deal(NATURAL)
    stage.until(Phase.DECIDED)


@RECIPES.start("Two cards have been dealt", "called")
def _two_dealt(stage: Stage) -> None:
    stage.deal("2h 3d")


@RECIPES.start("Four cards have been dealt", "called")
def _four_dealt(stage: Stage) -> None:
    stage.deal(_FIRST_FOUR)


@RECIPES.start("Player's Hand has been handed to a patron", "four-dealt", _handed_over)
def _handed(stage: Stage) -> None:
    stage.execute(acts.HandCards(Hand.PLAYER))


@RECIPES.start(
    "The patron who held Player's Hand has relinquished it",
    "handed",
    "irregularity.relinquish",
)
def _relinquished(stage: Stage) -> None:
    round_ = stage.state.round
    seat = None if round_ is None else holder_of(stage.state, Hand.PLAYER, stage.rules)
    stage.execute(acts.RelinquishCards(seat or 0, Hand.PLAYER))


@RECIPES.start(
    "Banker's Hand is to be turned first, as a patron asked",
    "four-dealt",
    lambda stage: stage.rules.elected("deal.banker_first", choice=True),
)
def _banker_first(stage: Stage) -> None:
    if hooks.seat_that_deals.ask(stage.state) is not None:
        stage.execute(acts.DealForCurator(FLOORPERSON, "the curator was taken ill"))
    stage.execute(acts.RequestBankerFirst(1))


@RECIPES.start("Banker's Hand was turned first", "banker-first")
def _banker_turned(stage: Stage) -> None:
    while stage.state.round is not None and stage.state.round.down[0] is Hand.BANKER:
        stage.go_on()


@RECIPES.start("Player's third card lies face down", "four-dealt", _handed_over)
def _third_face_down(stage: Stage) -> None:
    while not card_due(stage.state):
        stage.go_on()
    stage.execute(acts.DrawCard(Card.of("6h")))


@RECIPES.start(
    "There is no wager on Banker, and the Banker's Hand is face down", "betting", _handed_over
)
def _nobody_on_banker(stage: Stage) -> None:
    stage.execute(acts.PlaceWager(1, PLAYER.id, least_stake(stage.rules, PLAYER.id)))
    stage.deal(_FIRST_FOUR)
    while stage.state.round is not None and stage.state.round.down[0] is Hand.PLAYER:
        stage.go_on()


@RECIPES.start("A patron has walked away from the wagers in play", "called")
def _walked_away(stage: Stage) -> None:
    holder = holder_of(stage.state, Hand.PLAYER, stage.rules)
    stage.execute(acts.LeaveTable(holder or 1))


@RECIPES.start(
    "The patron who would turn Player's Hand has walked away", "walked-away", _handed_over
)
def _nobody_to_hand_to(stage: Stage) -> None:
    stage.deal(_FIRST_FOUR[:-3])
    stage.execute(acts.DrawCard(Card.of("Qs")))


@RECIPES.start(
    "The dealer deals the rest of the round for the curator",
    "two-dealt",
    "curator.dealer",
)
def _deal_taken_over(stage: Stage) -> None:
    stage.execute(acts.DealForCurator(FLOORPERSON, "the curator was taken ill"))


@RECIPES.start("Every patron has left", "betting")
def _everybody_left(stage: Stage) -> None:
    everybody_leaves(stage)


@RECIPES.start("House Money is due", "called", _early)
def _house_money(stage: Stage) -> None:
    stage.deal("2h 3d 2s Qs")
    stage.until(HouseMoneyPhase.HOUSE_MONEY)


@RECIPES.start(
    "House Money is due, and Banker's third card, dealt to Player before its time, was seen",
    "called",
    _early,
)
def _house_money_disclosed(stage: Stage) -> None:
    stage.deal("7h 5d Kh 5s")
    stage.until(HouseMoneyPhase.HOUSE_MONEY)
    stage.execute(acts.DrawCardInError(Card.of("5h"), disclosed=True, dealt_to=Hand.PLAYER))


@RECIPES.start("House Money has won on a stake of odd cents", "betting", _early)
def _odd_house_money(stage: Stage) -> None:
    stakes = {BANKER.id: least_stake(stage.rules, BANKER.id)}
    if (offer := early_offer(stage.rules)) is not None:
        stakes[offer.wager.id] = early_stakes(stage.rules, offer.wager.id)[1]
    stage.execute(acts.PlaceWagers(1, stakes))
    stage.deal("2h 3d 2s Qs")
    stage.until(HouseMoneyPhase.HOUSE_MONEY)


@RECIPES.start(
    "Banker's Hand is due a third card",
    "called",
    lambda stage: stage.rules.tableau.banker_draws[5][NO_THIRD_CARD],
)
def _banker_draws(stage: Stage) -> None:
    stage.deal(_BANKER_ALONE)
    while not card_due(stage.state):
        stage.go_on()


@RECIPES.start("Two naturals, and the result announced", "called")
def _decided(stage: Stage) -> None:
    stage.deal(NATURAL)
    stage.until(Phase.DECIDED)


@RECIPES.start("Both hands have stayed, and the result announced", "called")
def _both_stayed(stage: Stage) -> None:
    stage.deal(_SEVENS)
    stage.until(Phase.DECIDED)


@RECIPES.start("Player's Hand has been dealt a third card in error, face up", "both-stayed")
def _third_disclosed(stage: Stage) -> None:
    stage.execute(acts.DrawCardInError(Card.of("5h"), disclosed=True, dealt_to=Hand.PLAYER))


@RECIPES.start("Every wager has been settled", "decided")
def _settled(stage: Stage) -> None:
    stage.until(Phase.SETTLED)


@RECIPES.start("Before the second round, with deferred vigorish owed", "settled")
def _second_round(stage: Stage) -> None:
    stage.until(Phase.BETTING)
    take_shoe(stage)


@RECIPES.start(
    "A patron who walked away in the round before owes vigorish",
    "decided",
    lambda stage: stage.rules.vigorish.deferred,
)
def _debtor_gone(stage: Stage) -> None:
    for seat in {seat for seat, wager in stage.state.stakes if wager == BANKER.id}:
        stage.execute(acts.LeaveTable(seat))
    _second_round(stage)


@RECIPES.start("The curator has passed the shoe", "second-round", "curator.offer")
def _passed(stage: Stage) -> None:
    stage.execute(acts.PassShoe())


@RECIPES.start(
    "Discards are to be returned to the continuous device",
    "settled",
    lambda stage: stage.rules.elected("device", "continuous"),
)
def _to_return(stage: Stage) -> None:
    while stage.state.phase is Phase.SETTLED:
        stage.go_on()


def _deferred(stage: Stage) -> bool:
    terms = stage.rules.vigorish
    return terms.deferred and terms.win_rate is not None


def _forms(stage: Stage) -> bool:
    is_owed = any(patron.owed_cents for patron in stage.state.seats.values())
    return is_owed and stage.rules.applies("forms.prepared")


@RECIPES.start("A patron owes vigorish and has too few chips to pay it", "betting", _deferred)
def _short_of_chips(stage: Stage) -> None:
    rules, seat = stage.rules, patrons(stage.rules)
    stake = least_stake(rules, BANKER.id)
    stage.execute(acts.LeaveTable(seat), acts.SeatPatron(seat, "Patron 4"))
    stage.execute(acts.BuyChips(seat, stake), acts.PlaceWager(seat, BANKER.id, stake))
    play_natural(stage)
    for _ in range(MOST_LOSSES):
        patron = stage.state.seats[seat]
        if patron.chips_cents < patron.owed_cents:
            return
        for wager in (PLAYER.id, TIE.id):
            chips = stage.state.seats[seat].chips_cents
            if chips >= least_stake(rules, wager):
                lost = fitting_stake(rules, wager, chips)
                stage.execute(acts.PlaceWager(seat, wager, lost))
        patron, action = stage.state.seats[seat], due(stage.state, rules)
        is_collection = action is not None and action.command is acts.CollectVigorish
        # A continuous device takes back each round's cards: vigorish is due before the next.
        if not stage.state.stakes or (is_collection and patron.chips_cents < patron.owed_cents):
            return
        play_natural(stage)


@RECIPES.start("A Complimentary Vigorish Form has been voided", "betting", "forms.prepared")
def _form_void(stage: Stage) -> None:
    serial = stage.state[FormBook].next_serial or 0
    stage.execute(acts.VoidForm(serial, PIT_CLERK, PIT_BOSS))


@RECIPES.start("The table has closed with Forms unused", "form-void")
def _closed_with_forms(stage: Stage) -> None:
    everybody_leaves(stage)
    stage.close()


@RECIPES.start("The gaming day of a closed table has been ended", "closed-with-forms")
def _day_ended(stage: Stage) -> None:
    stage.execute(acts.EndGamingDay(PIT_CLERK))


@RECIPES.start("A Complimentary Vigorish Form has been prepared", "second-round", _forms)
def _form_prepared(stage: Stage) -> None:
    seat = min(seat for seat, patron in stage.state.seats.items() if patron.owed_cents)
    serial = stage.state[FormBook].next_serial or 0
    command = acts.PrepareForm(serial, seat, PIT_CLERK, DEALER, PIT_BOSS, patron_signed=True)
    stage.execute(command)


@RECIPES.start("A Complimentary Vigorish Form has been dropped", "form-prepared")
def _form_dropped(stage: Stage) -> None:
    serial = max(stage.state[FormBook].used)
    stage.execute(acts.DropForm(serial, PIT_BOSS, PIT_CLERK))


@RECIPES.start("The patron of a Complimentary Vigorish Form has left", "form-prepared", _forms)
def _form_of_one_gone(stage: Stage) -> None:
    seat = next(iter(stage.state[FormBook].used.values())).seat
    stage.execute(acts.LeaveTable(seat))


@RECIPES.start("A card drawn in error is held for the next hand", "betting")
def _card_held(stage: Stage) -> None:
    stage.execute(acts.DrawCardInError(Card.of("9h"), disclosed=False))


@RECIPES.start("No more bets, with a held card to be used first", "card-held")
def _held_card_called(stage: Stage) -> None:
    for seat, stakes in base_stakes(stage.rules).items():
        stage.execute(acts.PlaceWagers(seat, stakes))
    stage.execute(acts.CallNoMoreBets())


@RECIPES.start("A card drawn in error has been disclosed", "betting")
def _card_disclosed(stage: Stage) -> None:
    stage.execute(acts.DrawCardInError(Card.of("5h"), disclosed=True))


@RECIPES.start("A card has been found face up in the shoe", "wagered")
def _found_face_up(stage: Stage) -> None:
    stage.execute(acts.FindFaceUpCard(Card.of("5h")))


@RECIPES.start(
    "A simulated round has begun", "card-disclosed", lambda stage: bool(stage.state.simulate_with)
)
def _simulated(stage: Stage) -> None:
    stage.execute(acts.BeginSimulatedRound())


@RECIPES.start("Every nine of hearts has left the shoe", "betting")
def _nine_gone(stage: Stage) -> None:
    for _ in range(stage.state.shoe.decks):
        stage.execute(acts.DrawCardInError(Card.of("9h"), disclosed=False))


@RECIPES.start("Another card is held, too", "nine-gone")
def _nine_gone_and_another(stage: Stage) -> None:
    stage.execute(acts.DrawCardInError(Card.of("2c"), disclosed=False))


@RECIPES.start("The shoe was found empty before its count", "betting")
def _cards_flawed(stage: Stage) -> None:
    stage.execute(acts.FindShoeEmpty(FLOORPERSON))


@RECIPES.start(
    "The shoe was found empty before its count, with deferred vigorish owed",
    "second-round",
    lambda stage: stage.state.owed_cents > 0,
)
def _cards_flawed_owing(stage: Stage) -> None:
    stage.execute(acts.FindShoeEmpty(FLOORPERSON))


@RECIPES.start("The shoe was found empty while House Money is due", "house-money")
def _house_money_cards_flawed(stage: Stage) -> None:
    stage.execute(acts.FindShoeEmpty(FLOORPERSON))


def _may_run_out(stage: Stage) -> bool:
    return not stage.rules.elected("irregularity.face_up", "in-play")


@RECIPES.start("The shoe has run out after two cards of a round", "two-dealt", _may_run_out)
def _shoe_empty(stage: Stage) -> None:
    _run_out(stage)


@RECIPES.start("The shoe has run out before the last card of a round", "banker-draws", _may_run_out)
def _shoe_empty_last(stage: Stage) -> None:
    _run_out(stage)


@RECIPES.start(
    "The shoe has run out before a round", "wagered", lambda stage: not _may_run_out(stage)
)
def _shoe_empty_before_round(stage: Stage) -> None:
    _run_out(stage)


@RECIPES.start("A round has been void because the shoe ran out of cards", "shoe-empty")
def _round_void(stage: Stage) -> None:
    while stage.state.phase is not Phase.SHOE_COMPLETED:
        stage.go_on()


def _run_out(stage: Stage) -> None:
    while stage.state.shoe.remaining:
        if stage.state.to_discard:
            card = None if stage.state.discard_unseen else _any_card(stage)
            stage.execute(acts.DrawCard(card))
        elif _may_run_out(stage):
            # A burn card of high value takes more cards, if any are burned after it.
            stage.execute(acts.FindFaceUpCard(_any_card(stage)))
        else:
            stage.execute(acts.DrawCardInError(_any_card(stage), disclosed=True))


def _any_card(stage: Stage) -> Card:
    unseen = stage.state.shoe.unseen
    cards = [card for card in DECK if unseen[card.index]]
    return max(cards, key=lambda card: (unseen[card.index], CARD_VALUE[card.index]))
