"""The rounds of a shoe with given cards, by the table's procedure."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import NamedTuple

from croupier.baccarat.cards import Card
from croupier.baccarat.coup import CARD_VALUE, TENS, Coup
from croupier.odds.chances import census_of
from croupier.odds.counting import CountingError
from croupier.odds.sheet import wager_sheet
from croupier.odds.shoe import LEAST_CARDS, ShoeComposition, ShoeError
from croupier.rules import TableRules


class ShoeProcedure(NamedTuple):
    burns: bool
    """Whether the first card is burned, and as many after it as its value."""
    burned: int
    """Number of cards burned, if their number is fixed."""
    burn_shown: int
    """Maximum number of burned cards that are shown."""
    cards_behind: int
    last_hands: int
    """Number of rounds dealt after the last hand is called."""
    ends_at_first: bool
    """Whether a round that begins with the cutting card is the last."""


def shoe_procedure(
    rules: TableRules, shoe: ShoeComposition, cards_behind: int | None = None
) -> ShoeProcedure:
    """Raise ``CountingError`` for a continuous device or an invalid cutting card."""
    if rules.elected("device", "continuous"):
        raise CountingError(
            "this table deals from a continuous device: every card returns, so there is nothing "
            "to count"
        )
    least = rules.bound("cut.cutting_card_from_back")
    cards_behind = least if cards_behind is None else cards_behind
    if not least <= cards_behind < shoe.cards:
        raise CountingError(
            f"{cards_behind} cards behind the cutting card: there must be at least {least}, and "
            f"fewer than the {shoe.cards} of the shoe"
        )
    return ShoeProcedure(
        rules.burned is None,
        rules.burned or 0,
        rules.burn_shown,
        cards_behind,
        rules.value("shoe.hands_after_call", int),
        rules.reading("cutting_card_first.hands") == "last",
    )


class RoundStart(NamedTuple):
    number: int
    drawn: int
    unseen: ShoeComposition


class _Cards:
    def __init__(self, shoe: ShoeComposition, cards: Sequence[Card | None]) -> None:
        if len(cards) > shoe.cards:
            raise ShoeError(f"{len(cards)} cards are given, but the shoe has {shoe.cards}")
        # Check all given cards at once: drawing them would report only the first missing one.
        shoe.without(card for card in cards if card is not None)
        self._cards = cards
        self.given = len(cards)
        self.unseen = shoe
        self.left = shoe.cards
        self.drawn = 0

    def draw(self) -> Card:
        card = self._cards[self.drawn]
        if card is None:
            raise ShoeError(f"card {self.drawn + 1} is unknown, but it was dealt face up")
        self.unseen = self.unseen.without((card,))
        self.pass_by()
        return card

    def pass_by(self) -> None:
        self.drawn += 1
        self.left -= 1


def rounds_of(
    rules: TableRules,
    cards: Sequence[Card | None],
    *,
    shoe: ShoeComposition | None = None,
    cards_behind: int | None = None,
) -> Iterator[RoundStart]:
    """Yield the start of each round; the cards begin with the burn, ``None`` is face down.

    The round after the last card still starts. Raises ``ShoeError`` for cards not in the shoe, and
    ``CountingError`` like ``shoe_procedure``.
    """
    shoe = ShoeComposition.of_decks(rules.decks_per_shoe) if shoe is None else shoe
    course = shoe_procedure(rules, shoe, cards_behind)
    source = _Cards(shoe, cards)
    if not _burn(source, course):
        return
    number, hands_left, cutting_card_out = 0, -1, False
    while hands_left and source.left >= LEAST_CARDS:
        number += 1
        yield RoundStart(number, source.drawn, source.unseen)
        coup, at_first = Coup(rules.tableau), False
        while coup.due is not None:
            if source.drawn == source.given:
                return
            if not cutting_card_out and source.left <= course.cards_behind:
                cutting_card_out, at_first = True, not coup.player
            coup = coup.with_card(source.draw())
        if hands_left > 0:
            hands_left -= 1
        elif cutting_card_out:
            hands_left = 0 if at_first and course.ends_at_first else course.last_hands


def _burn(source: _Cards, course: ShoeProcedure) -> bool:
    due = 1 if course.burns else course.burned
    while source.drawn < due:
        if source.drawn == source.given:
            return False
        if source.drawn >= course.burn_shown:
            source.pass_by()
            continue
        card = source.draw()
        if course.burns and source.drawn == 1:
            due += 10 if card.rank in TENS else CARD_VALUE[card.index]
    return True


class Advantage(NamedTuple):
    start: RoundStart
    advantage: Fraction


def advantages_of(
    rules: TableRules,
    wager: str,
    cards: Sequence[Card | None],
    *,
    shoe: ShoeComposition | None = None,
    cards_behind: int | None = None,
) -> tuple[Advantage, ...]:
    """Take the arguments of ``rounds_of``. Raises ``KeyError`` too, for a wager not on offer."""
    asks = rules.offers[wager].wager.asks
    found = []
    for start in rounds_of(rules, cards, shoe=shoe, cards_behind=cards_behind):
        ways = census_of(start.unseen, rules, asks)
        sheet = wager_sheet(rules, wager, ways, meters=rules.meter_seeds)
        found.append(Advantage(start, sheet.expectation))
    return tuple(found)
