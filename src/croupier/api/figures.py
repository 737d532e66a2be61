"""Exact odds, PAR sheets, and simulations, based on the commands' JSON documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any, ClassVar, Self

import msgspec

from croupier.api.result import Figures, Frame, TypedResult, percent
from croupier.api.rounds import Hands, texts_by_hand
from croupier.api.rules import GameRules
from croupier.baccarat.cards import Card, Cards, Rank, cards_text, parse_shown
from croupier.baccarat.coup import Hand
from croupier.files.arguments import checks_types
from croupier.odds import documents
from croupier.odds.chances import chances, chances_data
from croupier.odds.knowledge import Knowledge
from croupier.odds.par import par_sheet as sheet_of
from croupier.odds.shoe import ShoeComposition, ShoeError

__all__ = [
    "Document", "OutcomeOdds", "ParSheet", "RoundOdds", "Shoe", "ShoeError", "WagerOdds",
    "composition", "par_sheet", "round_odds",
]  # fmt: skip

Shoe = int | Mapping[str, int] | None
"""A number of decks, or counts by rank (``A``) or card (``Ah``); ``None`` for the table's shoe."""


class Document(TypedResult, frozen=True):
    """A result whose data are the JSON document of the corresponding command.

    Do not modify ``document``; ``to_dict`` gives a copy. ``croupier schema`` prints its JSON
    Schema.
    """

    form: ClassVar[Any]
    document: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return a copy of the document as plain data."""
        return deepcopy(dict(self.document))

    def to_json(self) -> str:
        """Return the document as JSON text."""
        return msgspec.json.encode(self.document).decode()

    @classmethod
    def _read(cls, data: object) -> Self:
        return cls(msgspec.convert(data, cls.form))


class OutcomeOdds(TypedResult, frozen=True):
    """One outcome of a wager: its probability, and its payout per unit staked."""

    outcome: str
    probability: Fraction
    pays: str

    def figures(self) -> Iterator[Figures]:
        """Yield the outcome as one row."""
        row = (self.outcome, percent(self.probability), self.pays)
        yield Figures("Outcome", ("Outcome", "Probability", "Pays"), (row,))


class WagerOdds(TypedResult, frozen=True):
    """Exact odds of a wager: its outcomes and house edge."""

    wager: str
    outcomes: tuple[OutcomeOdds, ...]
    house_edge: Fraction

    def _frame(self) -> Frame:
        return (WagerOdds, OutcomeOdds), ((self, outcome) for outcome in self.outcomes)

    @property
    def expectation(self) -> Fraction:
        """The bettor's expected value per unit staked."""
        return -self.house_edge

    def figures(self) -> Iterator[Figures]:
        """Yield the outcomes."""
        rows = [(odds.outcome, percent(odds.probability), odds.pays) for odds in self.outcomes]
        title = f"{self.wager}: house edge {percent(self.house_edge)}"
        yield Figures(title, ("Outcome", "Probability", "Pays"), rows)


def _outcomes(lines: Sequence[Mapping[str, Any]]) -> tuple[OutcomeOdds, ...]:
    return tuple(
        OutcomeOdds(line["outcome"], Fraction(line["probability"]), line["pays"]) for line in lines
    )


class _Weighed(Document, frozen=True):
    def _frame(self) -> Frame:
        rows = ((wager, outcome) for wager in self.wagers for outcome in wager.outcomes)
        return (WagerOdds, OutcomeOdds), rows

    @property
    def wagers(self) -> tuple[WagerOdds, ...]:
        """Every wager on offer, in layout order."""
        raise NotImplementedError

    def __getitem__(self, wager: str) -> WagerOdds:
        """Return one wager by its id. Raises ``KeyError`` if it is not on offer."""
        return {odds.wager: odds for odds in self.wagers}[wager]

    def figures(self) -> Iterator[Figures]:
        """Yield every wager with its house edge."""
        rows = [(wager.wager, percent(wager.house_edge)) for wager in self.wagers]
        yield Figures(self._title, ("Wager", "House edge"), rows)

    @property
    def _title(self) -> str:
        return f"{self.document['title']}, {self.document['shoe']['cards']} cards"


class RoundOdds(_Weighed, frozen=True):
    """The exact odds of every wager from some state of a round."""

    form = documents.RoundOdds

    @property
    def wagers(self) -> tuple[WagerOdds, ...]:
        """Every wager on offer, in layout order."""
        return tuple(
            WagerOdds(wager["id"], _outcomes(wager["lines"]), -Fraction(wager["expectation"]))
            for wager in self.document["wagers"]
        )

    @property
    def cards(self) -> tuple[str, ...]:
        """What is known of the round's cards: Player's, then Banker's."""
        return tuple(card for hand in Hand for card in self.document[hand.value])

    @property
    def _title(self) -> str:
        return f"Odds after {' '.join(self.cards) or 'no card'}: {super()._title}"


class ParSheet(_Weighed, frozen=True):
    """The PAR sheet of a table: exact odds of every wager on offer, with citations."""

    form = documents.ParSheet

    @property
    def wagers(self) -> tuple[WagerOdds, ...]:
        """Every wager on offer, in layout order."""
        return tuple(
            WagerOdds(wager["id"], _outcomes(wager["lines"]), Fraction(wager["house_edge"]))
            for wager in self.document["wagers"]
        )

    @property
    def _title(self) -> str:
        return f"PAR sheet: {super()._title}"


def composition(rules: GameRules, shoe: Shoe) -> ShoeComposition:
    """Return a shoe's composition. Raises ``ShoeError`` for an impossible one."""
    if isinstance(shoe, Mapping):
        return ShoeComposition.of(shoe)
    return ShoeComposition.of_decks(rules.table.decks_per_shoe if shoe is None else shoe)


@checks_types
def round_odds(rules: GameRules, cards: Cards | Hands = "", *, shoe: Shoe = None) -> RoundOdds:
    """Return the exact odds of every wager, given the known cards of a round.

    ``cards`` are those face up in dealing order, or by hand. By hand, a card may be known by rank,
    as ``0`` for one of value 0, or unknown (``?``). ``shoe`` is the shoe before the round. Raises
    ``ValueError`` for cards that the drawing table does not permit, and ``ShoeError`` for cards not
    in the shoe or an impossible state.

    >>> from datetime import date
    >>> import croupier
    >>> rules = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22))
    >>> croupier.round_odds(rules, "9h Kd Th 7c")["player"].expectation
    Fraction(1, 1)
    """
    table, whole_shoe = rules.table, composition(rules, shoe)
    if not isinstance(cards, Mapping):
        known = Knowledge.dealt(table.tableau, _shown(cards_text(cards)))
    else:
        hands = texts_by_hand(cards)
        known = Knowledge.of(hands.get(Hand.PLAYER, ""), hands.get(Hand.BANKER, ""))
    return RoundOdds(chances_data(table, whole_shoe, known, chances(table, whole_shoe, known)))


def _shown(text: str) -> tuple[Card | Rank, ...]:
    cards = parse_shown(text)
    if None in cards:
        raise ValueError(f"{text!r}: write the hands apart where a card is face down")
    return tuple(card for card in cards if card is not None)


@checks_types
def par_sheet(rules: GameRules, *, shoe: Shoe = None) -> ParSheet:
    """Return the PAR sheet of a table: every wager's exact house edge.

    Raises ``ShoeError`` for an impossible shoe, or one without suits that a wager needs.

    >>> from datetime import date
    >>> import croupier
    >>> rules = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22))
    >>> print(f"{float(croupier.par_sheet(rules)['banker'].house_edge):.4%}")
    1.0579%
    """
    return ParSheet(sheet_of(rules.table, composition(rules, shoe)))
