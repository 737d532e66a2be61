"""Verification of a shoe's rounds together."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

from croupier.baccarat.cards import DECK_SIZE, Card, Rank, face
from croupier.baccarat.coup import TENS
from croupier.law.usage import counted
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.record import RoundRecord, shown_text
from croupier.rules import TableRules
from croupier.table.cards.cutting import cards_following
from croupier.verify.rounds.cards import Ruled
from croupier.verify.rounds.findings import Finding, RoundDivergence
from croupier.verify.rounds.irregular import Irregularities, rank_of
from croupier.verify.rounds.order import RoundOrder, number_of

CODES: Final = DECK_SIZE + len(Rank)
"""Number of card codes: those of a deck, and one for each rank without a suit."""

_RANK: Final = {rank: place for place, rank in enumerate(Rank)}
_LEAST_BURNED: Final = 2
_MOST_BURNED: Final = 11
_TEN_RANKS: Final = tuple(_RANK[rank] for rank in TENS)
_RESHUFFLED: Final = "the cards were reshuffled within a shoe: whether the rules permit that"
_STRADDLES: Final = "a round takes cards from two shoes: the composition of its cards"
_NOT_COUNTED: Final = (
    "whether the shoe had too few cards for a void round: not every card that left it is recorded"
)
_NO_BOUNDS: Final = "no column identifies the shoe: the composition of a shoe"


def code_of(card: Card | Rank) -> int:
    """Return a card's index, or a rank's code after those."""
    return card.index if isinstance(card, Card) else DECK_SIZE + _RANK[card]


class ShoeTerms(NamedTuple):
    """The rules of a shoe.

    ``cards_behind`` is the minimum number behind the cutting card unless ``exact``.
    """

    rules: TableRules
    decks: int
    cards_behind: int
    exact: bool
    hands_after: int
    burned: tuple[int, int]
    """The fewest and the most cards that are burned."""
    bounded: bool
    tens_alike: bool = False
    """Whether a record does not distinguish ten, jack, queen, and king."""
    each_round: bool = False
    """Whether the cards are shuffled before every round."""
    wagered_only: bool = False
    """Whether rounds without wagers are not recorded."""

    @classmethod
    def of(
        cls, rules: TableRules, cards_behind: int | None = None, mapping: RoundMapping | None = None
    ) -> ShoeTerms:
        mapping = RoundMapping() if mapping is None else mapping
        minimum = 0
        if "cut.cutting_card_from_back" in rules.law.rules:
            minimum = rules.bound("cut.cutting_card_from_back")
        hands = rules.settled.get("shoe.hands_after_call")
        by_value = (_LEAST_BURNED, _MOST_BURNED) if rules.applies("burn.count") else (0, 0)
        return cls(
            rules,
            rules.decks_per_shoe,
            minimum if cards_behind is None else cards_behind,
            cards_behind is not None and not mapping.wagered_only,
            hands if isinstance(hands, int) else 1,
            by_value if rules.burned is None else (rules.burned, rules.burned),
            not rules.elected("device", "continuous") and mapping.reshuffled != "unknown",
            mapping.tens_alike,
            mapping.reshuffled == "each-round",
            mapping.wagered_only,
        )

    @property
    def cards(self) -> int:
        return self.decks * DECK_SIZE

    @property
    def edge(self) -> int:
        """Number of cards in front of the cutting card."""
        return self.cards - self.cards_behind


class ShoeState:
    """The known state of one shoe.

    ``over`` counts rounds past the cutting card, ``hands_left`` those after a recorded one.
    """

    def __init__(self, terms: ShoeTerms, name: str, after: int | None) -> None:
        self.terms = terms
        self.name = name
        self.is_named = name != ""
        self.after = after
        self.counts = [0] * CODES
        minimum, maximum = terms.burned if terms.bounded else (0, 0)
        self.drawn, self.slack = minimum, maximum - minimum
        self.rounds = 0
        self.unread = 0
        """Unreadable lines since its last round, which may have been rounds."""
        self.order = RoundOrder()
        self.began = False
        self.over = 0
        self.hands_left: int | None = None
        self.voided = False
        self.ended = False
        self.place = (0, "")
        self.line = 0
        """The line of its first round, if that was verified in full."""
        self.before: ShoeState | None = None
        """The state before a round began the shoe again."""
        self.came_back: RoundDivergence | None = None
        """The divergences of that round."""
        self.irregularities = Irregularities(terms.rules)
        self.unverified: list[str] = []
        self._flagged: set[object] = set()
        self._kept: list[RoundDivergence] = []

    @property
    def quiet(self) -> bool:
        """Whether only order, cards, and cutting card affect the next rounds."""
        waits = self.irregularities.pending or self.voided or self.ended or self.terms.each_round
        return not waits and self.hands_left is None and (self.rounds > 0 or self.began)

    @property
    def last(self) -> int | None:
        return self.order.last

    @property
    def _lacks_rounds(self) -> bool:
        """Whether rounds before the one that is verified are not recorded, or may not be."""
        first, last = self.order.first, self.last
        is_counted = first is not None and last is not None and last - first <= self.rounds
        return self.terms.wagered_only or not is_counted

    def begin(self, number: int) -> None:
        self.began, self.order.first, self.order.last = True, number, number - 1

    def run_on(self, number: int) -> None:
        last = self.order.last or 0
        # A shoe whose earlier rounds have no numbers begins here.
        self.order.first = last + 1 if self.order.first is None else self.order.first
        self.order.last = last + number

    def see(
        self, record: RoundRecord, ruling: Ruled, last_of_all: int | None
    ) -> list[RoundDivergence]:
        is_first = self.rounds == 0
        self.line = record.line if is_first else self.line
        findings = list(self._order(record, last_of_all))
        if not self.order.repeated:
            findings += self.irregularities.before(record, first=is_first and self.began)
            findings += self._end(record)
            if record.marked("reshuffled"):
                self.unverified.append(_RESHUFFLED)
            if record.marked("reshuffled") or self.terms.each_round:
                self._shuffle()
            if record.marked("next-shoe"):
                self.unverified.append(_STRADDLES)
            elif self.terms.bounded:
                findings += self._burn(record) if is_first else ()
                findings += self._compose(record)
                findings += self._beyond(record)
            findings += self.irregularities.after(record, first=is_first and self.began)
            findings += self._marks(record, ruling)
        self.rounds += 1
        self.unread = 0
        self.place = (record.line, record.round)
        divergences = [finding.at(record.line, record.source, record.round) for finding in findings]
        self.order.note_divergences(divergences)
        return divergences

    def _order(self, record: RoundRecord, last_of_all: int | None) -> Iterator[Finding]:
        number = number_of(record.round)
        if number is None:
            self.began = self.began or self.rounds == 0
            return
        if self.last is None:
            self.began = number <= 1 or (self.after is not None and number == self.after + 1)
        elif self.terms.wagered_only and number > self.last:
            self.order.last, self.order.repeated = number, False
            return
        yield from self.order.see(number, record, self.unread, last_of_all)

    def _burn(self, record: RoundRecord) -> Iterator[Finding]:
        burned, fixed_count = record.burned or (), self.terms.rules.burned
        by_value = fixed_count is None and self.terms.burned[1] and burned and burned[0] is not None
        if not self.began or not burned or (fixed_count is None and not by_value):
            return
        clauses, reason = self.terms.rules.burn_cites, ""
        count = fixed_count or 0
        if fixed_count is None and burned[0] is not None:
            due, amount = cards_following(rank_of(burned[0]))
            count, clauses = 1 + due, self.terms.rules.cites_for("burn.count", amount)
            reason = f"the first card burned is {shown_text(burned[0])}, so "
        self.slack = 0
        # Composition counts recorded cards; if only the first is recorded, the others left too.
        self.drawn += count - self.terms.burned[0] - len(burned)
        if len(burned) == count or (len(burned) == 1 and count):
            return
        self.drawn += len(burned) - count
        if self.irregularities.explain(record, len(burned) - count):
            return
        message = f"{reason}{counted(count, 'card')} must be burned in all; recorded: {len(burned)}"
        yield Finding("procedure", message, clauses, None, count, len(burned))

    def _shuffle(self) -> None:
        self.counts = [0] * CODES
        self.drawn = self.over = 0
        self.slack = self.terms.burned[1]
        self._flagged.clear()

    def _compose(self, record: RoundRecord) -> Iterator[Finding]:
        # A card that a hand may not have counts too: it left the shoe.
        faults: list[Finding] = []
        for card in (*(record.burned or ()), *record.player, *record.banker):
            self.drawn += 1
            if card is not None:
                self.counts[code := code_of(card)] += 1
                # Suited cards, up to one of each deck, are never too many of a rank.
                by_suit = code < DECK_SIZE and not self.terms.tens_alike
                fits = by_suit and self.counts[code] <= self.terms.decks
                if not fits or self.counts[DECK_SIZE + code % len(Rank)]:
                    faults += self._too_many(card)
        if self.drawn > self.terms.cards and not self._flagged:
            self._flagged.add("cards")
            message = f"{self.drawn} cards have left a shoe of {self.terms.cards}"
            clauses = self.terms.rules.cites("decks")
            faults.append(
                Finding("composition", message, clauses, None, self.terms.cards, self.drawn)
            )
        if self.is_named:
            yield from faults
        else:
            self._kept += [
                finding.at(record.line, record.source, record.round) for finding in faults
            ]

    def _too_many(self, card: Card | Rank) -> Iterator[Finding]:
        # An excess card is not counted again in the excess of its rank.
        decks, rank = self.terms.decks, rank_of(card)
        if self.terms.tens_alike and rank in TENS:
            key: object = TENS
            name, maximum = "ten-valued card", 16 * decks
            count = sum(sum(self.counts[place::13]) for place in _TEN_RANKS)
        elif isinstance(card, Card) and self.counts[card.index] > decks:
            key = card
            name, maximum, count = face(card), decks, self.counts[card.index]
        else:
            key, name, maximum, count = rank, rank.name.lower(), 4 * decks, self.of_rank(rank)
        if count <= maximum or key in self._flagged:
            return
        self._flagged.add(key)
        message = f"the {_nth(count)} {name} of this shoe, but {decks} decks contain {maximum}"
        yield Finding("composition", message, self.terms.rules.cites("decks"), None, maximum, count)

    def of_rank(self, rank: Rank) -> int:
        """Count the cards of a rank that have left, suited ones up to one per deck."""
        place, decks = _RANK[rank], self.terms.decks
        count_by_suit = sum(min(count, decks) for count in self.counts[place:DECK_SIZE:13])
        return count_by_suit + self.counts[DECK_SIZE + place]

    def _end(self, record: RoundRecord) -> Iterator[Finding]:
        rules = self.terms.rules
        counts = not record.marked("simulated")
        if self.voided and not self.ended:
            self.ended = True
            clauses = rules.cites_for("irregularity.insufficient", "reshuffle")
            message = "after a void round all cards must be reshuffled; this shoe continues"
            yield Finding("procedure", message, clauses, None, "reshuffle", record.round)
        if self.hands_left is not None and counts and not self.ended:
            if self.hands_left == 0:
                yield self._after_last_hand(record)
            self.hands_left -= 1

    def _beyond(self, record: RoundRecord) -> Iterator[Finding]:
        if not self.is_named or self.drawn <= self.terms.edge or record.marked("simulated"):
            return
        self.over += 1
        if self.over > 1 + self.terms.hands_after and not self.ended:
            yield self._after_last_hand(record)

    def _after_last_hand(self, record: RoundRecord) -> Finding:
        self.ended = True
        hands = self.terms.hands_after
        verb = "hand is" if hands == 1 else "hands are"
        message = f"{hands} {verb} dealt after the cutting card came out; the shoe continues"
        rules = self.terms.rules
        clauses = rules.cites("shoe.hands_after_call") or rules.cites("shoe.cutting_card")
        return Finding("procedure", message, clauses, None, "the shoe ends", record.round)

    def _marks(self, record: RoundRecord, ruled: Ruled) -> Iterator[Finding]:
        rules = self.terms.rules
        if record.marked("cutting-card") and self.hands_left is None:
            self.hands_left = self.terms.hands_after
        if record.marked("void") and rules.reading("disclosed_card.fate") != "void":
            self.voided = True
            most = self.drawn + self.slack
            if not self.began or most >= self.terms.cards or ruled.complete:
                return
            if record.burned is None or self._lacks_rounds:
                self.unverified.append(_NOT_COUNTED)
            elif self.terms.bounded:
                clauses = rules.cites_for("irregularity.insufficient", "void")
                message = (
                    "a round is void only if the shoe has too few cards for it; it had "
                    f"{self.terms.cards - most} or more"
                )
                yield Finding("procedure", message, clauses, None, "the round continues", "void")

    def close(self, *, followed: bool) -> tuple[list[RoundDivergence], str | None]:
        """Divergences of the whole shoe, and why it could not be verified."""
        divergences = list(self._kept)
        if divergences and self.drawn > self.terms.cards:
            return [], _NO_BOUNDS
        if followed and not self.ended and not self.voided and self.is_named:
            divergences += [
                finding.at(self.place[0], self.name, self.place[1]) for finding in self._too_few()
            ]
        return divergences, None

    def _too_few(self) -> Iterator[Finding]:
        terms = self.terms
        clauses = terms.rules.cites("shoe.hands_after_call")
        if self.hands_left:
            message = "the cutting card came out, but the last hand was not dealt"
            yield Finding("procedure", message, clauses, None, terms.hands_after, 0)
        elif terms.exact and self.began and self.drawn + self.slack <= terms.edge:
            message = (
                f"too few cards: the cutting card comes after {terms.edge} of {terms.cards}, but "
                f"the shoe ended after {self.drawn}"
            )
            yield Finding("procedure", message, clauses, None, terms.edge, self.drawn)


def _nth(number: int) -> str:
    suffix = "th" if 10 < number % 100 < 14 else {1: "st", 2: "nd", 3: "rd"}.get(number % 10, "th")
    return f"{number}{suffix}"
