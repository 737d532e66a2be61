"""A workbench for side bets: pay tables with a target edge, and their vulnerability to counting."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from itertools import product
from math import prod, sqrt
from typing import Final, NamedTuple

from croupier.baccarat.wagers import CARDS, LOSE
from croupier.law.values import Odds
from croupier.odds.chances import census_of
from croupier.odds.counting import RemovalEffects, correlation, gains, small_tags, tags_text
from croupier.odds.documents import DesignCandidate, DesignReport
from croupier.odds.sheet import fraction
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Offer, TableRules
from croupier.rules.documents import fields_of, provenance

MOST_CANDIDATES: Final = 200_000

_DECKS: Final = (4, 6, 8)
Pays = Mapping[str, int]


class Bounds(NamedTuple):
    least_edge: Fraction
    most_edge: Fraction
    most_deviation: float | None = None
    hits: tuple[Fraction, Fraction] = (Fraction(), Fraction(1))
    awards: tuple[int, int] = (1, 10**9)


class Candidate(NamedTuple):
    """A pay table: the payout of each line to one; a line that pays 0 loses."""

    pays: Pays
    house_edge: Fraction
    variance: Fraction
    hit_frequency: Fraction


class Design:
    """A custom wager, counted for all shoes, whose lines pay odds or push.

    Raises ``ValueError`` if a line pays an amount or a meter.
    """

    def __init__(self, rules: TableRules, offer: Offer, shoe: ShoeComposition) -> None:
        self.rules = rules.with_offers(offer)
        self.offer = offer
        self.shoe = shoe
        self.lines = tuple(line for line, pays in offer.pays.items() if isinstance(pays, Odds))
        self._pushes = tuple(line for line, pays in offer.pays.items() if pays is None)
        if names := ", ".join(sorted({*offer.pays}.difference(self.lines, self._pushes))):
            raise ValueError(f"{offer.wager.id}: {names}: a design is of lines that pay odds")
        if not self.lines:
            raise ValueError(f"{offer.wager.id}: no line pays odds")
        self.chances = self._chances(shoe)
        self._by_decks: Mapping[int, Mapping[str, Fraction]] = {}
        self._removed: list[Mapping[str, Fraction]] | None = None

    def _chances(self, shoe: ShoeComposition) -> Mapping[str, Fraction]:
        wager = self.offer.wager
        ways = census_of(shoe, self.rules, wager.asks).by(wager.line_of)
        lines = (*self.lines, *self._pushes, LOSE)
        return {line: Fraction(ways.get(line, 0), ways.total) for line in lines}

    @property
    def hit_frequency(self) -> Fraction:
        return sum((self.chances[line] for line in self.lines), Fraction())

    def candidates(
        self, ranges: Mapping[str, Sequence[int]], bounds: Bounds
    ) -> Iterator[Candidate]:
        """Raise ``ValueError`` for too many pay tables or an unknown line."""
        if unknown := set(ranges) - set(self.lines):
            raise ValueError(f"{', '.join(sorted(unknown))}: the lines are {', '.join(self.lines)}")
        choices = [ranges.get(line) or self._payouts_of(line) for line in self.lines]
        if (number := prod(map(len, choices))) > MOST_CANDIDATES:
            raise ValueError(f"{number:,} pay tables: {MOST_CANDIDATES:,} is the maximum")
        for values in product(*choices):
            pays = dict(zip(self.lines, values, strict=True))
            hits = sum((self.chances[line] for line, paid in pays.items() if paid), Fraction())
            if not (
                bounds.awards[0] <= max(values) <= bounds.awards[1]
                and bounds.hits[0] <= hits <= bounds.hits[1]
            ):
                continue
            edge = -self._mean(self.chances, pays)
            if not bounds.least_edge <= edge <= bounds.most_edge:
                continue
            squares = (self.chances[line] * (paid or -1) ** 2 for line, paid in pays.items())
            variance = sum(squares, Fraction()) + self.chances[LOSE] - edge**2
            if bounds.most_deviation is None or sqrt(variance) <= bounds.most_deviation:
                yield Candidate(pays, edge, variance, hits)

    def _payouts_of(self, line: str) -> Sequence[int]:
        odds = self.offer.pays[line]
        if not isinstance(odds, Odds) or odds.pays % odds.stake:
            raise ValueError(f"{line}: give a range of what it pays to one")
        return (odds.pays // odds.stake,)

    @staticmethod
    def _mean(chances: Mapping[str, Fraction], pays: Pays) -> Fraction:
        won = (chances[line] * (paid or -1) for line, paid in pays.items())
        return sum(won, Fraction()) - chances[LOSE]

    def effects(self, candidate: Candidate) -> RemovalEffects:
        if self._removed is None:
            self._removed = [self._without(place) for place in range(13)]
        full_shoe = -candidate.house_edge
        by_rank = tuple(self._mean(one, candidate.pays) - full_shoe for one in self._removed)
        return RemovalEffects(self.offer.wager.id, self.shoe, full_shoe, by_rank)

    def _without(self, place: int) -> Mapping[str, Fraction]:
        suited = self.shoe.suited
        if self.offer.wager.asks[0] != CARDS or suited is None:
            ranks = list(self.shoe.ranks)
            ranks[place] -= 1
            return self._chances(ShoeComposition(tuple(ranks)))
        found = []
        for card in range(place, len(suited), 13):
            left = (*suited[:card], suited[card] - 1, *suited[card + 1 :])
            by_rank = tuple(sum(left[rank::13]) for rank in range(13))
            found.append((suited[card], self._chances(ShoeComposition(by_rank, left))))
        number = sum(count for count, _ in found)
        return {
            line: sum((count * one[line] for count, one in found), Fraction()) / number
            for line in self.chances
        }

    def decks(self, candidate: Candidate) -> Mapping[int, Fraction]:
        if not self._by_decks:
            self._by_decks = {n: self._chances(ShoeComposition.of_decks(n)) for n in _DECKS}
        return {n: -self._mean(deck, candidate.pays) for n, deck in self._by_decks.items()}


def design_data(
    design: Design, found: Sequence[Candidate], number: int, reproduce: str = ""
) -> DesignReport:
    candidates: list[DesignCandidate] = []
    for candidate in found:
        effects = design.effects(candidate)
        tags = small_tags(effects) if effects.variance else None
        by_rank = zip(design.shoe.by_rank, effects.by_rank, strict=True)
        candidates.append(
            fields_of(
                DesignCandidate,
                candidate,
                return_to_player=fraction(1 - candidate.house_edge),
                top_award=max(candidate.pays.values()),
                edge_by_decks={
                    str(decks): fraction(edge) for decks, edge in design.decks(candidate).items()
                },
                effects_of_removal={rank: fraction(effect) for rank, effect in by_rank},
                tags=None if tags is None else tags_text(tags),
                correlation=None if tags is None else correlation(effects, tags),
                gain_per_100_rounds=gains(effects),
            )
        )
    return {
        "format": "croupier-design/2",
        **provenance(design.rules, reproduce),
        "wager": design.offer.wager.id,
        "wager_title": design.offer.wager.title,
        "shoe": {"cards": design.shoe.cards, "by_rank": design.shoe.by_rank},
        "hit_frequency": fraction(design.hit_frequency),
        "chances": {line: fraction(chance) for line, chance in design.chances.items()},
        "within_bounds": number,
        "candidates": candidates,
    }
