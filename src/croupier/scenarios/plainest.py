"""The plainest next command: what anyone does who only wants the table to go on.

Every client that drives a table without a will of its own starts here: scenarios, tests, and the
autopilot, which replaces some of the answers with choices by chance.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Final

from croupier.baccarat.hand import Hand
from croupier.cards import DECK, Card
from croupier.money.stax import commitment_to
from croupier.rules import TableRules
from croupier.scenarios.people import DEALER, FLOORPERSON, NOON, SECRET
from croupier.table import Action, Phase, TableState
from croupier.table import commands as c
from croupier.table.commands import Command
from croupier.table.cutting import burned_unseen
from croupier.table.mixing import step_due
from croupier.table.parts.progressive import Progressive
from croupier.table.parts.timed_decks import others

__all__ = ["drawn_unseen", "hand_to_turn", "next_card", "plainest", "spare_card"]

_CUT_AT: Final = 100
"""Where the stack is cut: more than a deck from either end, as some regulations require."""

_GONE: Final = "the patron has walked away"

_ACE: Final = Card.of("As")
_TWO: Final = Card.of("2s")


def plainest(state: TableState, rules: TableRules, action: Action) -> Command:
    """Return the plainest command for an action that must be done.

    Patrons accept what they are offered, all secrets are kept, no payout is added to a wager, and
    the burn is an ace and a two.

    >>> from datetime import date
    >>> from croupier.rules import default_submission, table_rules
    >>> from croupier.table import new_table
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
    >>> plainest(new_table(rules), rules, Action(c.VerifyCards, "floorperson", ()))
    VerifyCards(floorperson='floorperson', accepted=True)
    """
    answer = _ANSWERS.get(action.command)
    return action.command() if answer is None else answer(state, rules, action)


def hand_to_turn(state: TableState) -> Hand:
    """Return the hand that is to be turned next; Player's Hand where none lies face down."""
    round_ = state.round
    return Hand.PLAYER if round_ is None or not round_.down else round_.down[0]


def drawn_unseen(state: TableState, rules: TableRules) -> bool:
    """Return whether the next card leaves the shoe without its face being seen."""
    discarded = state.to_discard > 0 and state.discard_unseen
    return discarded or burned_unseen(state, rules)


def next_card(state: TableState, rules: TableRules) -> Card | None:
    """Return a card for whatever is due: an ace begins the burn, and other cards are plentiful."""
    if drawn_unseen(state, rules):
        return None
    wanted = _ACE if state.phase is Phase.TO_BURN and state.to_burn is None else _TWO
    return wanted if state.shoe.unseen[wanted.index] else spare_card(state)


def spare_card(state: TableState, among: Iterable[Card] = DECK) -> Card:
    """Return the card of which most are left in the shoe, among some."""
    return max(among, key=lambda card: state.shoe.unseen[card.index])


def _by_floorperson(state: TableState, rules: TableRules, action: Action) -> Command:
    del state, rules
    make: Callable[[str], Command] = action.command
    return make(FLOORPERSON)


def _by_seat(state: TableState, rules: TableRules, action: Action) -> Command:
    del state, rules
    make: Callable[[int], Command] = action.command
    return make(action.seat or 0)


def _on_hand(state: TableState, rules: TableRules, action: Action) -> Command:
    del rules
    make: Callable[[Hand], Command] = action.command
    return make(hand_to_turn(state))


def _on_hand_by_seat(state: TableState, rules: TableRules, action: Action) -> Command:
    del rules
    make: Callable[[int, Hand], Command] = action.command
    return make(action.seat or 0, hand_to_turn(state))


def _end_progressive_round(state: TableState, rules: TableRules, action: Action) -> Command:
    """End a round for the progressive; the secret is revealed once the meter shows its most."""
    del action
    must_hit_by = rules.value("wagers.royal_9.stax.must_hit_by", int)
    return c.EndProgressiveRound(
        SECRET if state[Progressive].meters["stax"] >= must_hit_by else None
    )


def _shuffle(state: TableState, rules: TableRules, action: Action) -> Command:
    del action
    if rules.applies("shuffle.three_dealers"):
        return c.ShuffleCards(f"{DEALER} {len(state.shuffled_by) + 1}")
    return c.ShuffleCards()


_Answer = Callable[[TableState, TableRules, Action], Command]

_ANSWERS: Final[Mapping[type[Command], _Answer]] = {
    c.VerifyCards: _by_floorperson,
    c.VerifyFeather: _by_floorperson,
    c.ViewSpread: _by_seat,
    c.CollectVigorish: _by_seat,
    c.AcceptShoe: _by_seat,
    c.TurnHand: _on_hand,
    c.HandCards: _on_hand,
    c.ReturnCards: _on_hand_by_seat,
    c.AcceptCards: _on_hand_by_seat,
    # The dealer acts for a holder who has walked away.
    c.RelinquishCards: _on_hand_by_seat,
    c.RecallHand: lambda state, _, __: c.RecallHand(hand_to_turn(state), FLOORPERSON, _GONE),
    c.AcceptCut: lambda _, __, action: c.AcceptCut(action.seat or 0, _CUT_AT),
    c.CutStack: lambda _, __, ___: c.CutStack(_CUT_AT),
    c.InsertCuttingCards: lambda _, rules, __: c.InsertCuttingCards(
        rules.bound("cut.cutting_card_from_back")
    ),
    c.SettleHouseMoney: lambda _, __, ___: c.SettleHouseMoney({}),
    c.CommitMystery: lambda _, __, ___: c.CommitMystery(commitment_to(SECRET)),
    c.EndProgressiveRound: _end_progressive_round,
    c.DeclareIdle: lambda _, __, ___: c.DeclareIdle(face_up=False),
    c.RecordTime: lambda _, __, ___: c.RecordTime(NOON),
    c.ReceiveCards: lambda state, rules, _: c.ReceiveCards(
        rules.value("decks", int), name=others(state)
    ),
    c.PerformShuffleStep: lambda state, rules, _: c.PerformShuffleStep(
        step_due(state, rules) or ""
    ),
    c.ShuffleCards: _shuffle,
    c.DrawCard: lambda state, rules, _: c.DrawCard(next_card(state, rules)),
}
"""What a command needs besides its name; the others need nothing."""
