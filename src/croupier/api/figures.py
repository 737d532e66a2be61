"""Exact odds, the PAR sheet, and simulation: results over the documents that commands write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from typing import Any, ClassVar, Self

import msgspec

from croupier.api.result import Figures, TypedResult, percent
from croupier.api.rounds import Hands
from croupier.api.rules import GameRules
from croupier.baccarat.hand import Hand
from croupier.cards import Card, Rank, parse_shown
from croupier.odds import documents
from croupier.odds.chances import chances, chances_data
from croupier.odds.knowledge import Knowledge
from croupier.odds.par import par_sheet as sheet_of
from croupier.odds.shoe import ShoeComposition, ShoeError

__all__ = [
    "Document",
    "OutcomeOdds",
    "ParSheet",
    "RoundOdds",
    "Shoe",
    "ShoeError",
    "WagerOdds",
    "composition",
    "par_sheet",
    "round_odds",
]

Shoe = int | Mapping[str, int] | None
"""A number of decks, or counts by rank (``A``) or by card (``Ah``); ``None`` for the table's."""


class _Formed(TypedResult, frozen=True):
    form: ClassVar[Any]


class Document(_Formed, frozen=True):
    """A result whose data are a document, the JSON that the command of that name writes.

    ``document`` must not be changed; ``to_dict`` gives a copy. Its JSON Schema is the one that
    ``croupier schema`` prints.
    """

    document: Mapping[str, Any]

    def to_dict(self) -> dict[str, Any]:
        """Return the document as plain data that the caller may change."""
        return deepcopy(dict(self.document))

    def to_json(self) -> str:
        """Return the document as JSON text."""
        return msgspec.json.encode(self.document).decode()

    @classmethod
    def _read(cls, data: object) -> Self:
        return cls(msgspec.convert(data, cls.form))


class OutcomeOdds(TypedResult, frozen=True):
    """One outcome of a wager: how likely it is, and what it pays for a unit staked."""

    outcome: str
    probability: Fraction
    pays: str

    def figures(self) -> Iterator[Figures]:
        """Yield the outcome as one row."""
        row = (self.outcome, percent(self.probability), self.pays)
        yield Figures("Outcome", ("Outcome", "Probability", "Pays"), (row,))


class WagerOdds(TypedResult, frozen=True):
    """A wager weighed exactly: its outcomes, and what the house keeps of a unit on average."""

    wager: str
    outcomes: tuple[OutcomeOdds, ...]
    house_edge: Fraction

    @property
    def expectation(self) -> Fraction:
        """What a unit staked brings the bettor on average."""
        return -self.house_edge

    def figures(self) -> Iterator[Figures]:
        """Yield the outcomes."""
        rows = [(one.outcome, percent(one.probability), one.pays) for one in self.outcomes]
        title = f"{self.wager}: house edge {percent(self.house_edge)}"
        yield Figures(title, ("Outcome", "Probability", "Pays"), rows)


def _outcomes(lines: Sequence[Mapping[str, Any]]) -> tuple[OutcomeOdds, ...]:
    return tuple(
        OutcomeOdds(one["outcome"], Fraction(one["probability"]), one["pays"]) for one in lines
    )


class _Weighed(Document, frozen=True):
    """A document with wagers that are weighed."""

    @property
    def wagers(self) -> tuple[WagerOdds, ...]:
        """Every wager on offer, in the order of the layout."""
        raise NotImplementedError

    def __getitem__(self, wager: str) -> WagerOdds:
        """Return one wager by its id. Raises ``KeyError`` where it is not on offer."""
        return {one.wager: one for one in self.wagers}[wager]

    def figures(self) -> Iterator[Figures]:
        """Yield every wager with its house edge."""
        rows = [(one.wager, percent(one.house_edge)) for one in self.wagers]
        yield Figures(self._title, ("Wager", "House edge"), rows)

    @property
    def _title(self) -> str:
        return f"{self.document['title']}, {self.document['shoe']['cards']} cards"


class RoundOdds(_Weighed, frozen=True):
    """The exact odds of every wager from some state of a round."""

    form = documents.RoundOdds

    @property
    def wagers(self) -> tuple[WagerOdds, ...]:
        """Every wager on offer, in the order of the layout."""
        return tuple(
            WagerOdds(one["id"], _outcomes(one["lines"]), -Fraction(one["expectation"]))
            for one in self.document["wagers"]
        )

    @property
    def cards(self) -> tuple[str, ...]:
        """What is known of the cards of the round: Player's, then Banker's."""
        return tuple(one for hand in Hand for one in self.document[hand.value])

    @property
    def _title(self) -> str:
        return f"Odds after {' '.join(self.cards) or 'no card'}: {super()._title}"


class ParSheet(_Weighed, frozen=True):
    """The PAR sheet of a table: every wager on offer, exact and cited."""

    form = documents.ParSheet

    @property
    def wagers(self) -> tuple[WagerOdds, ...]:
        """Every wager on offer, in the order of the layout."""
        return tuple(
            WagerOdds(one["id"], _outcomes(one["lines"]), Fraction(one["house_edge"]))
            for one in self.document["wagers"]
        )

    @property
    def _title(self) -> str:
        return f"PAR sheet: {super()._title}"


def composition(rules: GameRules, shoe: Shoe) -> ShoeComposition:
    """Return the shoe that is meant. Raises ``ShoeError`` for one that cannot be."""
    if isinstance(shoe, Mapping):
        return ShoeComposition.of(shoe)
    return ShoeComposition.of_decks(rules.table.decks_per_shoe if shoe is None else shoe)


def round_odds(rules: GameRules, cards: str | Hands = "", *, shoe: Shoe = None) -> RoundOdds:
    """Return the exact odds of every wager by what is known of a round.

    ``cards`` are those face up, in the order in which they left the shoe; or by hand, where a card
    may be known by rank, as ``0`` for one of value 0, or not at all (``?``). ``shoe`` is what it
    was before the round. Raises ``ValueError`` for cards that the drawing table does not take, and
    ``ShoeError`` where the shoe does not hold them, or what is known cannot be.

    >>> from datetime import date
    >>> import croupier
    >>> rules = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22))
    >>> croupier.round_odds(rules, "9h Kd Th 7c")["player"].expectation
    Fraction(1, 1)
    """
    table, before = rules.table, composition(rules, shoe)
    if isinstance(cards, str):
        known = Knowledge.dealt(table.tableau, _shown(cards))
    else:
        hands = {Hand(name): text for name, text in cards.items()}
        known = Knowledge.of(hands.get(Hand.PLAYER, ""), hands.get(Hand.BANKER, ""))
    return RoundOdds(chances_data(table, before, known, chances(table, before, known)))


def _shown(text: str) -> tuple[Card | Rank, ...]:
    cards = parse_shown(text)
    if None in cards:
        raise ValueError(f"{text!r}: write the hands apart where a card is face down")
    return tuple(card for card in cards if card is not None)


def par_sheet(rules: GameRules, *, shoe: Shoe = None) -> ParSheet:
    """Return the PAR sheet of a table: every wager's exact house edge.

    Raises ``ShoeError`` for a shoe that cannot be, or that does not tell the suits a wager needs.

    >>> from datetime import date
    >>> import croupier
    >>> rules = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22))
    >>> print(f"{float(croupier.par_sheet(rules)['banker'].house_edge):.4%}")
    1.0579%
    """
    return ParSheet(sheet_of(rules.table, composition(rules, shoe)))
