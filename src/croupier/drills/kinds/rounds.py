"""Rounds for questions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Final

from croupier import acts
from croupier.baccarat.cards import DECK, Card
from croupier.baccarat.coup import Coup, Facts
from croupier.baccarat.wagers import BANKER, PLAYER, Moment
from croupier.drills.room import Asking, rest_of
from croupier.law.usage import money
from croupier.rules import Offer, TableRules
from croupier.scenarios import Stage
from croupier.scenarios.stakes import fitting_stake, least_stake
from croupier.table.machine.state import Phase

_TRIES: Final = 400
_MOST_CENTS: Final = 150_000
"""A stake that every patron of a scenario can place on each wager."""
_WHOLE: Final = 500
"""Plain questions use whole five-dollar chips."""

Stakes = Mapping[int, Mapping[str, int]]


def stake_on(asking: Asking, wager: str) -> int:
    """Return a valid stake: round at level 1, down to the smallest chip at 3."""
    rules, chance = asking.room.rules, asking.chance
    least = least_stake(rules, wager)
    if asking.level == 1:
        wanted = least * (1 + chance.below(4))
    elif asking.level == 2:
        wanted = least + _WHOLE * chance.below(60)
    else:
        smallest = rules.law.currency.chips[0]  # stakes are made of chips
        wanted = least + smallest * chance.below(_MOST_CENTS // smallest)
    return fitting_stake(rules, wager, min(wanted, _MOST_CENTS))


def with_needed(asking: Asking, offer: Offer) -> dict[str, int]:
    """Stake on a wager and on the one it requires."""
    stakes = {}
    for need in offer.needs:
        name = asking.chance.choose([one for one in need.one_of if one in asking.room.rules.offers])
        stakes[name] = stake_on(asking, name)
    return {**stakes, offer.wager.id: stake_on(asking, offer.wager.id)}


def cards_of(asking: Asking, stage: Stage, first: Sequence[Card] = DECK) -> tuple[Card, ...]:
    unseen, coup = stage.state.shoe.unseen, Coup(asking.room.rules.tableau)
    cards: list[Card] = []
    while coup.due is not None:
        card = asking.chance.choose(first if len(cards) < 4 else DECK)
        if unseen[card.index] > cards.count(card):
            cards.append(card)
            coup = coup.with_card(card)
    return tuple(cards)


def telling_cards(offer: Offer) -> Sequence[Card]:
    """First cards for questions about a wager's awards."""
    ranks = {card[0] for own in offer.chairs.values() for card in own.split()}
    return [card for card in DECK if card.notation[0] in ranks] or DECK


def cards_that(
    asking: Asking,
    stage: Stage,
    wanted: Callable[[Facts], bool],
    moment: Moment | None = None,
    first: Sequence[Card] = DECK,
) -> tuple[Card, ...] | None:
    tableau = asking.room.rules.tableau
    for _ in range(_TRIES):
        cards = cards_of(asking, stage, first)
        coup = Coup.of(cards, tableau)
        if wanted(coup.initial_facts if moment is Moment.FOUR_CARDS else coup.facts):
            return cards
    return None


def decided(stage: Stage, stakes: Stakes, cards: tuple[Card, ...]) -> Stage:
    """Place wagers and deal to the result; return the table."""
    for seat, wagers in stakes.items():
        stage.execute(acts.PlaceWagers(seat, dict(wagers)))
    stage.deal(cards)
    rest_of(stage)
    stage.until(Phase.DECIDED)
    return stage


def shown_stakes(rules: TableRules, stakes: Stakes) -> tuple[tuple[str, str], ...]:
    return tuple(
        (
            f"Seat {seat}",
            ", ".join(
                f"{rules.offers[one].wager.title} {money(cents)}" for one, cents in wagers.items()
            ),
        )
        for seat, wagers in stakes.items()
    )


def base_wager(asking: Asking) -> str:
    return asking.chance.choose((PLAYER.id, BANKER.id))
