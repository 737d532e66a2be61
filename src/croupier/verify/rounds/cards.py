"""Verification of a round's cards by the third-card rules, and the cards that wagers need."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property
from typing import Final, NamedTuple

from croupier.baccarat.cards import DECK, Card, Rank
from croupier.baccarat.coup import NO_THIRD_CARD, CardFacts, Facts, Hand, first_two
from croupier.baccarat.wagers import FACTS, ByFacts, Wager
from croupier.records.rounds.record import RoundRecord, Shown, shown_value
from croupier.rules import TableRules
from croupier.table.dealing.dealing import ThirdCardRuling, third_card_ruled
from croupier.verify.rounds.findings import Finding

ALL: Final = frozenset({"value", "rank", "suit", "color"})

_BY_RANK: Final = {rank: DECK[place] for place, rank in enumerate(Rank)}

_MOST_KNOWN: Final = 100_000
_FEWEST: Final = 2
_MOST: Final = 3
_VALUES: Final = range(10)
_BANKER_UNKNOWN: Final = "Player's third card is missing: Banker's decision, which depends on it"


class HandShown(NamedTuple):
    """A hand's properties; ``first`` is the Point Count of its first two cards."""

    cards: int
    first: int
    third: int | None
    total: int
    pair: bool
    royal: str
    suited: bool


def hand_shown(cards: Sequence[Shown]) -> HandShown:
    values = [shown_value(card) for card in cards if card is not None]
    pair, royal, suited = False, "", False
    if len(cards) >= _FEWEST:
        one, other = cards[:2]
        suited = isinstance(one, Card) and isinstance(other, Card)
        if isinstance(one, Card) and isinstance(other, Card):
            pair, royal = first_two(one.index, other.index)
        else:
            pair = _rank(one) is _rank(other)
    third = values[2] if len(values) >= _MOST else None
    first, total = sum(values[:2]) % 10, sum(values) % 10
    return HandShown(len(cards), first, third, total, pair, royal, suited)


def _rank(card: Shown) -> Rank | None:
    return card.rank if isinstance(card, Card) else card


class Ruled(NamedTuple):
    """The required and the recorded facts of a round.

    ``facts`` is ``None`` if a required card is missing, ``as_dealt`` if a hand has fewer than two.
    """

    facts: Facts | None
    as_dealt: Facts | None
    findings: tuple[Finding, ...]
    suited: bool
    complete: bool
    """Whether neither hand requires another card."""
    possible: tuple[Facts, ...] = ()
    """The facts for each possible value of a missing required card."""
    unverified: tuple[str, ...] = ()


class CardVerifier:
    def __init__(self, rules: TableRules) -> None:
        self._rules = rules
        self._known: dict[tuple[HandShown, HandShown], Ruled] = {}

    def verify(self, player: HandShown, banker: HandShown) -> Ruled:
        key = (player, banker)
        found = self._known.get(key)
        if found is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            found = self._known[key] = _Round(self._rules, player, banker).verify()
        return found


class _Round:
    def __init__(self, rules: TableRules, player: HandShown, banker: HandShown) -> None:
        self.rules = rules
        self.player = player
        self.banker = banker
        self.findings: list[Finding] = []
        self.unverified: list[str] = []

    def verify(self) -> Ruled:
        self.count()
        suited = self.player.suited and self.banker.suited
        if min(self.player.cards, self.banker.cards) < _FEWEST:
            return Ruled(None, None, tuple(self.findings), suited, complete=False)
        # A fourth card counts in the recorded hand, though no rule permits it.
        as_dealt = self.facts(self.player.third, self.banker.third)._replace(
            player_count=self.player.total, banker_count=self.banker.total
        )
        facts = self.third_cards()
        possible = () if facts is not None else tuple(self.possible())
        return Ruled(
            facts, as_dealt, tuple(self.findings), suited, facts is not None, possible,
            tuple(self.unverified),
        )  # fmt: skip

    def count(self) -> None:
        if not self.player.cards and not self.banker.cards:
            clauses = self.rules.cites("deal.four_cards")
            message = "neither hand has a card"
            self.findings.append(Finding("cards", message, clauses, None, 2 * _FEWEST, 0))
            return
        for hand, shown in ((Hand.PLAYER, self.player), (Hand.BANKER, self.banker)):
            if _FEWEST <= shown.cards <= _MOST:
                continue
            few = shown.cards < _FEWEST
            least = f"at least {_FEWEST}" if few else f"no more than {_MOST}"
            has = "1 card" if shown.cards == 1 else f"{shown.cards} cards"
            message = f"{hand.title} has {has}, but must have {least}"
            most = self.rules.cites("third.most") or self.rules.cites("third.decide")
            clauses = self.rules.cites("deal.four_cards") if few else most
            expected = _FEWEST if few else _MOST
            self.findings.append(
                Finding("cards", message, clauses, hand.value, expected, shown.cards)
            )

    @cached_property
    def players_draw(self) -> bool:
        return self.rules.tableau.player_draws_third(self.player.first, self.banker.first)

    def bankers_draw(self, third: int | None) -> bool:
        column = NO_THIRD_CARD if third is None else third
        first = self.player.first, self.banker.first
        return self.rules.tableau.banker_draws_third(*first, column)

    def third_cards(self) -> Facts | None:
        """After a wrong third card of Player's, Banker may follow either the recorded card or none.

        If Player's is missing, any value is possible.
        """
        drew, bankers = self.player.third is not None, self.banker.third
        if drew != self.players_draw:
            self.finding(Hand.PLAYER, None, draws=self.players_draw)
            # A third card that Player's Hand may not have belongs to Banker, if that hand must
            # draw.
            goes_over = self.rules.applies("irregularity.player_card")
            thirds = (None, self.player.third) if drew else (None, *_VALUES)
            right = {self.bankers_draw(third) for third in thirds}
            excused = drew and goes_over and bankers is None
            if (bankers is not None) not in right and not excused:
                self.finding(Hand.BANKER, None, draws=bankers is None)
            if not drew:
                if len(right) > 1:
                    self.unverified.append(_BANKER_UNKNOWN)
                return None
            if not self.bankers_draw(None):
                return self.facts(None, None)
            return self.facts(None, self.player.third if goes_over else bankers)
        draws_banker = self.bankers_draw(self.player.third)
        if draws_banker == (bankers is not None):
            return self.facts(self.player.third, bankers)
        self.finding(Hand.BANKER, self.player.third, draws=draws_banker)
        return None if draws_banker else self.facts(self.player.third, None)

    def possible(self) -> Iterator[Facts]:
        missing = self.players_draw and self.player.third is None
        thirds: Sequence[int | None] = _VALUES if missing else (self.player.third,)
        drew = self.banker.third is not None
        consistent = [third for third in thirds if self.bankers_draw(third) == drew]
        for third in consistent or thirds:
            lacks = not drew and self.bankers_draw(third)
            for bankers in _VALUES if lacks else (self.banker.third,):
                yield self.facts(third, bankers)

    def finding(self, hand: Hand, third: int | None, *, draws: bool) -> None:
        shown = self.player if hand is Hand.PLAYER else self.banker
        if shown.cards > _MOST:
            at = next(n for n, finding in enumerate(self.findings) if finding.hand == hand.value)
            self.findings[at] = self.findings[at]._replace(follows=("third_card",))
            return
        ruling = ThirdCardRuling(hand, self.player.first, self.banker.first, third, draws)
        ruled = third_card_ruled(ruling, self.rules)
        did = "did not draw a third card" if draws else "drew a third card"
        message = f"{hand.title} {did}: {ruled.reason}"
        self.findings.append(
            Finding(
                "third_card",
                message,
                ruled.clauses,
                hand.value,
                "draw" if draws else "stay",
                "stay" if draws else "draw",
            )
        )

    def facts(self, players_third: int | None, bankers_third: int | None) -> Facts:
        return Facts(
            (self.player.first + (players_third or 0)) % 10,
            (self.banker.first + (bankers_third or 0)) % 10,
            2 if players_third is None else 3,
            2 if bankers_third is None else 3,
            self.player.pair,
            self.banker.pair,
            self.player.royal,
            self.banker.royal,
        )


def wanted_by(wager: Wager) -> frozenset[str]:
    """Card information a wager needs, as in ``CardPart.tells``."""
    if isinstance(wager.line_of, ByFacts):
        parts = [part for name in wager.line_of.asked for part in FACTS[name].parts]
        return frozenset().union(*(part.tells for part in parts))
    if "cards" in wager.asks or "royals" in wager.asks:
        return ALL
    return frozenset({"rank"}) if "pairs" in wager.asks else frozenset()


def recorded_details(cards: Sequence[Shown], *, tens_alike: bool) -> frozenset[str]:
    if any(not isinstance(card, Card) for card in cards):
        blurred = tens_alike and any(card is Rank.TEN for card in cards)
        return frozenset({"value"} if blurred else {"value", "rank"})
    blurred = tens_alike and any(isinstance(c, Card) and c.rank is Rank.TEN for c in cards)
    return ALL - {"rank"} if blurred else ALL


def card_facts(record: RoundRecord, facts: Facts) -> CardFacts | None:
    """Facts with the cards that the rules require; a suit not recorded may be any."""
    player, banker = list(record.player), list(record.banker)
    # A third card of Player's that belonged to Banker is placed in Banker's Hand.
    if len(banker) < facts.banker_cards and len(player) > facts.player_cards:
        banker.append(player[facts.player_cards])
    hands = []
    for cards, number in ((player, facts.player_cards), (banker, facts.banker_cards)):
        whole = [card if isinstance(card, Card) else _BY_RANK[card] for card in cards if card]
        if len(whole) < max(number, _FEWEST):
            return None
        hands.append(tuple(whole[:number]))
    return CardFacts.of(hands[0], hands[1])
