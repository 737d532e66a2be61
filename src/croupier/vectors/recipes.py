"""Tables at every point of the procedure, each reached from another by commands."""

from __future__ import annotations

from typing import Final

from croupier.baccarat.hand import CARD_VALUE, Hand
from croupier.baccarat.wagers import BANKER, PLAYER, TIE
from croupier.cards import DECK, DECK_SIZE, Card
from croupier.table import Phase, commands
from croupier.table.commands import Command
from croupier.table.dealing import card_due, holder_of
from croupier.table.state import changed
from croupier.vectors.setting import (
    MOST_LOSSES,
    base_stakes,
    early_offer,
    early_stakes,
    fitting_stake,
    least_stake,
    needing_offer,
    patrons,
    start,
    waiving_stakes,
)
from croupier.vectors.stage import DEALER, FLOORPERSON, NOON, PIT_BOSS, PIT_CLERK, Stage

__all__: list[str] = []

_CHIPS_CENTS: Final = 10_000_000
_OPENED_ON: Final = "2000-01-01"
_INVENTORY_CENTS: Final = 1_000_000_000

_NATURAL: Final = "8h 9d Kh Ks"
"""Player's Hand has eight, Banker's nine: two naturals, and no more cards."""
_SEVENS: Final = "7h 7d Kh Ks"
"""Both hands have seven and stay."""
_FIRST_FOUR: Final = "2h 3d Kh Qs"
"""Player's Hand has two and draws, Banker's three."""
_BANKER_ALONE: Final = "7h 5d Kh Qs"
"""Player's Hand has seven and stays, Banker's five and draws."""


def _handed_over(stage: Stage) -> bool:
    return stage.rules.elected("deal.option", "hand-over")


def _has_shoe(stage: Stage) -> bool:
    return not stage.rules.elected("device", "continuous")


def _deferred(stage: Stage) -> bool:
    terms = stage.rules.vigorish
    return terms.deferred and terms.win_rate is not None


def _forms(stage: Stage) -> bool:
    return _deferred(stage) and stage.rules.applies("forms.prepared")


def _needing(stage: Stage) -> bool:
    return needing_offer(stage.rules) is not None


def _early(stage: Stage) -> bool:
    return early_offer(stage.rules) is not None


# --- the opening -------------------------------------------------------------------------------


@start(None)
def _closed(stage: Stage) -> None:
    """Begin with a new table."""


@start("closed")
def _open(stage: Stage) -> None:
    stage.do(commands.OpenTable(_INVENTORY_CENTS, DEALER, FLOORPERSON, _OPENED_ON))


@start("open")
def _seated(stage: Stage) -> None:
    rules = stage.rules
    if rules.applies("forms.prepared"):
        stage.do(commands.ReceiveForms(PIT_CLERK, 101, 199))
    if rules.applies("decks.change"):
        stage.do(commands.NoteTime(NOON))
    staked = sum(least_stake(rules, wager) for wager in rules.offers)
    for seat in range(1, patrons(rules) + 1):
        stage.do(commands.SeatPatron(seat, f"Patron {seat}"))
        stage.do(commands.BuyChips(seat, max(_CHIPS_CENTS, 100 * staked)))


@start("seated")
def _preshuffled(stage: Stage) -> None:
    stage.do(commands.ReceiveCards(stage.rules.value("decks", int), preshuffled=True))


@start("to-shuffle", lambda stage: stage.rules.applies("shuffle.steps"))
def _stack_turned(stage: Stage) -> None:
    stage.do(commands.WorkStack("riffle"), commands.WorkStack("turn"))


@start("to-cut", _has_shoe)
def _cut_declined(stage: Stage) -> None:
    while stage.state.cut.asked is not None:
        stage.do(commands.DeclineCut(stage.state.cut.asked))


@start("to-burn", _has_shoe)
def _burning(stage: Stage) -> None:
    stage.do(commands.DrawCard(Card.of("2s")))


@start("seated")
def _offered_play(stage: Stage) -> None:
    """Open the table for wagers; where participants deal, the shoe is on offer."""
    stage.until(Phase.BETTING)


@start("offered-play")
def _betting(stage: Stage) -> None:
    while stage.state.curating.asked or _to_commit(stage):
        stage.go_on()


def _to_commit(stage: Stage) -> bool:
    stax = stage.rules.applies("wagers.royal_9.stax")
    return stax and not stage.state.progressive.commitment


# --- the round ---------------------------------------------------------------------------------


@start("offered-play", lambda stage: stage.rules.applies("curator.offer"))
def _dealer_deals(stage: Stage) -> None:
    """Have everybody decline the shoe, so that the dealer deals a round."""
    while stage.state.curating.asked:
        stage.do(commands.DeclineShoe(stage.state.curating.asked[0]))
    stage.do(commands.PlaceWager(1, PLAYER.id, least_stake(stage.rules, PLAYER.id)))
    stage.deal("2h 3d")


@start("dealer-deals")
def _dealer_dealt_four(stage: Stage) -> None:
    stage.deal("Kh Qs")


@start("betting")
def _one_cent(stage: Stage) -> None:
    """Leave the last patron with a single cent in chips."""
    seat = patrons(stage.rules)
    stage.do(commands.LeaveTable(seat), commands.SeatPatron(seat, "Patron 4"))
    stage.do(commands.BuyChips(seat, 1))


@start("betting")
def _wagered(stage: Stage) -> None:
    for seat, stakes in base_stakes(stage.rules).items():
        stage.do(commands.PlaceWagers(seat, stakes))


@start("betting", _needing)
def _bonus_beside_one(stage: Stage) -> None:
    """Have a wager stand beside one wager alone, which it needs."""
    offer = needing_offer(stage.rules)
    wagers = (BANKER.id,) if offer is None else (BANKER.id, offer.wager.id)
    stakes = {wager: least_stake(stage.rules, wager) for wager in wagers}
    stage.do(commands.PlaceWagers(1, stakes))


@start("wagered")
def _called(stage: Stage) -> None:
    stage.begin()


@start("betting", lambda stage: stage.rules.vigorish.waived)
def _waiving(stage: Stage) -> None:
    """Wager as much on total cards as on Banker, which wins, so that vigorish is waived."""
    stage.do(commands.PlaceWagers(1, waiving_stakes(stage.rules)))
    stage.deal(_NATURAL)
    stage.until(Phase.DECIDED)


@start("called")
def _two_dealt(stage: Stage) -> None:
    stage.deal("2h 3d")


@start("called")
def _four_dealt(stage: Stage) -> None:
    stage.deal(_FIRST_FOUR)


@start("four-dealt", _handed_over)
def _handed(stage: Stage) -> None:
    stage.do(commands.HandCards(Hand.PLAYER))


@start("handed", lambda stage: stage.rules.applies("irregularity.relinquish"))
def _relinquished(stage: Stage) -> None:
    round_ = stage.state.round
    seat = None if round_ is None else holder_of(stage.state, Hand.PLAYER, stage.rules)
    stage.do(commands.RelinquishCards(seat or 0, Hand.PLAYER))


@start("betting", _handed_over)
def _nobody_on_banker(stage: Stage) -> None:
    stage.do(commands.PlaceWager(1, PLAYER.id, least_stake(stage.rules, PLAYER.id)))
    stage.deal(_FIRST_FOUR)
    while stage.state.round is not None and stage.state.round.down[0] is Hand.PLAYER:
        stage.go_on()


@start("called", _early)
def _house_money(stage: Stage) -> None:
    stage.deal("2h 3d 2s Qs")
    stage.until(Phase.HOUSE_MONEY)


@start("betting", _early)
def _odd_house_money(stage: Stage) -> None:
    """Have House Money win on a stake of odd cents."""
    stakes = {BANKER.id: least_stake(stage.rules, BANKER.id)}
    if (offer := early_offer(stage.rules)) is not None:
        stakes[offer.wager.id] = early_stakes(stage.rules, offer.wager.id)[1]
    stage.do(commands.PlaceWagers(1, stakes))
    stage.deal("2h 3d 2s Qs")
    stage.until(Phase.HOUSE_MONEY)


@start("called")
def _banker_draws(stage: Stage) -> None:
    stage.deal(_BANKER_ALONE)
    while not card_due(stage.state):
        stage.go_on()


@start("called")
def _decided(stage: Stage) -> None:
    stage.deal(_NATURAL)
    stage.until(Phase.DECIDED)


@start("called")
def _both_stayed(stage: Stage) -> None:
    stage.deal(_SEVENS)
    stage.until(Phase.DECIDED)


@start("both-stayed")
def _third_disclosed(stage: Stage) -> None:
    """Player's Hand got a third card that it may not have, and everybody saw it."""
    stage.do(commands.DrawCardInError(Card.of("5h"), disclosed=True, dealt_to=Hand.PLAYER))


@start("decided")
def _settled(stage: Stage) -> None:
    stage.until(Phase.SETTLED)


@start("settled")
def _second_round(stage: Stage) -> None:
    """One round was played, and vigorish that is deferred is owed."""
    stage.until(Phase.BETTING)
    while stage.state.curating.asked:
        stage.go_on()


@start("second-round", lambda stage: stage.rules.applies("curator.offer"))
def _passed(stage: Stage) -> None:
    stage.do(commands.PassShoe())


@start("settled", lambda stage: stage.rules.elected("device", "continuous"))
def _to_return(stage: Stage) -> None:
    while stage.state.phase is Phase.SETTLED:
        stage.go_on()


# --- vigorish that is owed ---------------------------------------------------------------------


@start("betting", _deferred)
def _short_of_chips(stage: Stage) -> None:
    """Have a patron owe vigorish, and lose the chips that could pay it."""
    rules, seat = stage.rules, patrons(stage.rules)
    stake = least_stake(rules, BANKER.id)
    stage.do(commands.LeaveTable(seat), commands.SeatPatron(seat, "Patron 4"))
    stage.do(commands.BuyChips(seat, stake), commands.PlaceWager(seat, BANKER.id, stake))
    stage.play(_NATURAL)
    for _ in range(MOST_LOSSES):
        patron = stage.state.seats[seat]
        if patron.chips_cents < patron.owed_cents:
            return
        for wager in (PLAYER.id, TIE.id):
            chips = stage.state.seats[seat].chips_cents
            if chips >= least_stake(rules, wager):
                lost = fitting_stake(rules, wager, chips)
                stage.do(commands.PlaceWager(seat, wager, lost))
        if not stage.state.stakes:
            return
        stage.play(_NATURAL)


@start("betting", lambda stage: stage.rules.applies("forms.prepared"))
def _form_void(stage: Stage) -> None:
    serial = stage.state.forms.next_serial or 0
    stage.do(commands.VoidForm(serial, PIT_CLERK, PIT_BOSS))


@start("form-void")
def _closed_with_forms(stage: Stage) -> None:
    for seat in tuple(stage.state.seats):
        stage.do(commands.LeaveTable(seat))
    stage.do(commands.CloseTable())


@start("second-round", _forms)
def _form_prepared(stage: Stage) -> None:
    seat = min(seat for seat, one in stage.state.seats.items() if one.owed_cents)
    serial = stage.state.forms.next_serial or 0
    signed = commands.PrepareForm(serial, seat, PIT_CLERK, DEALER, PIT_BOSS, patron_signed=True)
    stage.do(signed)


@start("form-prepared")
def _form_dropped(stage: Stage) -> None:
    serial = max(stage.state.forms.used)
    stage.do(commands.DropForm(serial, PIT_BOSS, PIT_CLERK))


# --- cards that went astray --------------------------------------------------------------------


@start("betting")
def _card_held(stage: Stage) -> None:
    stage.do(commands.DrawCardInError(Card.of("9h"), disclosed=False))


@start("card-held")
def _held_card_called(stage: Stage) -> None:
    for seat, stakes in base_stakes(stage.rules).items():
        stage.do(commands.PlaceWagers(seat, stakes))
    stage.do(commands.CallNoMoreBets())


@start("betting")
def _card_disclosed(stage: Stage) -> None:
    stage.do(commands.DrawCardInError(Card.of("5h"), disclosed=True))


@start("wagered")
def _found_face_up(stage: Stage) -> None:
    stage.do(commands.FindFaceUpCard(Card.of("5h")))


@start("card-disclosed", lambda stage: bool(stage.state.simulate_with))
def _simulated(stage: Stage) -> None:
    stage.do(commands.BeginSimulatedRound())


@start("betting")
def _nine_gone(stage: Stage) -> None:
    """Every nine of hearts has left the shoe."""
    for _ in range(stage.state.shoe.decks):
        stage.do(commands.DrawCardInError(Card.of("9h"), disclosed=False))


@start("two-dealt")
def _shoe_empty(stage: Stage) -> None:
    """Run the shoe out in the middle of a round."""
    _run_out(stage)


@start("banker-draws")
def _shoe_empty_last(stage: Stage) -> None:
    """Run the shoe out before the last card of a round."""
    _run_out(stage)


@start("shoe-empty")
def _round_void(stage: Stage) -> None:
    while stage.state.phase is not Phase.SHOE_COMPLETED:
        stage.go_on()


def _run_out(stage: Stage) -> None:
    while stage.state.shoe.remaining:
        stage.do(_next_out(stage))


def _next_out(stage: Stage) -> Command:
    """Return what takes the next card out of the shoe, whatever the state of the round."""
    if stage.state.to_discard:
        return commands.DrawCard(None if stage.state.discard_unseen else _any_card(stage))
    # A card of a high value takes more after it, where any go after it at all.
    return commands.FindFaceUpCard(_any_card(stage))


def _any_card(stage: Stage) -> Card:
    unseen = stage.state.shoe.unseen
    there = [card for card in DECK if unseen[card.index]]
    return max(there, key=lambda card: (unseen[card.index], CARD_VALUE[card.index]))


# --- the end of the shoe, and the table at rest ------------------------------------------------


@start("cut", _has_shoe)
def _last_card_first(stage: Stage) -> None:
    """Lay the cutting card so far in front that the first round brings the last hand."""
    size = stage.rules.decks_per_shoe * DECK_SIZE
    stage.do(commands.InsertCuttingCards(size - 3))
    stage.until(Phase.BETTING)
    while stage.state.curating.asked or _to_commit(stage):
        stage.go_on()


@start("last-card-first")
def _last_hand(stage: Stage) -> None:
    stage.do(commands.PlaceWager(1, BANKER.id, least_stake(stage.rules, BANKER.id)))
    stage.play(_NATURAL)


@start("last-hand")
def _shoe_completed(stage: Stage) -> None:
    for _ in range(5):
        if stage.state.phase is Phase.SHOE_COMPLETED:
            return
        while stage.state.curating.asked:
            stage.go_on()
        stage.do(commands.PlaceWager(1, PLAYER.id, least_stake(stage.rules, PLAYER.id)))
        stage.play(_NATURAL)


@start("shoe-completed")
def _reshuffling(stage: Stage) -> None:
    while stage.state.phase is Phase.SHOE_COMPLETED:
        stage.go_on()


def _idles(stage: Stage) -> bool:
    return stage.rules.applies("idle.spread")


@start("betting", _idles)
def _idle_face_down(stage: Stage) -> None:
    stage.do(commands.DeclareIdle(face_up=False))


@start("betting")
def _nobody_there(stage: Stage) -> None:
    for seat in tuple(stage.state.seats):
        stage.do(commands.LeaveTable(seat))


@start("nobody-there", _idles)
def _idle_nobody(stage: Stage) -> None:
    stage.do(commands.DeclareIdle(face_up=False))


@start("idle-face-down", _idles)
def _idle_viewed(stage: Stage) -> None:
    stage.until(Phase.VIEWED)


@start("idle-viewed", lambda stage: stage.rules.batches == 2)
def _idle_batch_out(stage: Stage) -> None:
    stage.until(Phase.TO_FINISH, Phase.TO_CUT)


@start("betting", lambda stage: stage.rules.applies("shuffle.directed"))
def _shuffle_directed(stage: Stage) -> None:
    stage.do(commands.DirectShuffle(FLOORPERSON))


@start("betting", lambda stage: stage.rules.applies("decks.change"))
def _decks_too_old(stage: Stage) -> None:
    hours = stage.rules.value("decks.changed_within", int)
    day, hour = divmod(NOON.hour + hours, 24)
    stage.do(commands.NoteTime(NOON.replace(day=NOON.day + day, hour=hour)))


# --- the progressive ---------------------------------------------------------------------------


@start("settled", lambda stage: stage.rules.applies("wagers.royal_9.stax"), given=True)
def _must_be_hit(stage: Stage) -> None:
    """Have the meter show all that it may: so many wagers are more than any list of commands."""
    progressive = stage.state.progressive
    most = stage.rules.value("wagers.royal_9.stax.must_hit_by", int)
    full = changed(progressive, meters={**progressive.meters, "stax": most})
    stage.state = changed(stage.state, progressive=full)
