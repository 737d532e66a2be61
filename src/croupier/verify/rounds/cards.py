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
    pair, royal, is_suited = False, "", False
    if len(cards) >= _FEWEST:
        card, card_after = cards[:2]
        if isinstance(card, Card) and isinstance(card_after, Card):
            is_suited = True
            pair, royal = first_two(card.index, card_after.index)
        else:
            pair = _rank(card) is _rank(card_after)
    third = values[2] if len(values) >= _MOST else None
    first, total = sum(values[:2]) % 10, sum(values) % 10
    return HandShown(len(cards), first, third, total, pair, royal, is_suited)


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
        ruling = self._known.get(key)
        if ruling is None:
            if len(self._known) >= _MOST_KNOWN:
                self._known.clear()
            ruling = self._known[key] = _Round(self._rules, player, banker).verify()
        return ruling


class _Round:
    def __init__(self, rules: TableRules, player: HandShown, banker: HandShown) -> None:
        self.rules = rules
        self.player = player
        self.banker = banker
        self.findings: list[Finding] = []
        self.unverified: list[str] = []

    def verify(self) -> Ruled:
        self.count()
        is_suited = self.player.suited and self.banker.suited
        if min(self.player.cards, self.banker.cards) < _FEWEST:
            return Ruled(None, None, tuple(self.findings), is_suited, complete=False)
        # A fourth card counts in the recorded hand, though no rule permits it.
        as_dealt = self.facts(self.player.third, self.banker.third)._replace(
            player_count=self.player.total, banker_count=self.banker.total
        )
        facts = self.third_cards()
        candidates = () if facts is not None else tuple(self.possible())
        return Ruled(
            facts, as_dealt, tuple(self.findings), is_suited, facts is not None, candidates,
            tuple(self.unverified),
        )  # fmt: skip

    def count(self) -> None:
        if not self.player.cards and not self.banker.cards:
            clauses = self.rules.cites("deal.four_cards")
            message = "neither hand has a card"
            self.findings.append(Finding("cards", message, clauses, None, 2 * _FEWEST, 0))
            return
        for hand, hand_facts in ((Hand.PLAYER, self.player), (Hand.BANKER, self.banker)):
            if _FEWEST <= hand_facts.cards <= _MOST:
                continue
            is_short = hand_facts.cards < _FEWEST
            bound = f"at least {_FEWEST}" if is_short else f"no more than {_MOST}"
            count_text = "1 card" if hand_facts.cards == 1 else f"{hand_facts.cards} cards"
            message = f"{hand.title} has {count_text}, but must have {bound}"
            most_clauses = self.rules.cites("third.most") or self.rules.cites("third.decide")
            clauses = self.rules.cites("deal.four_cards") if is_short else most_clauses
            expected = _FEWEST if is_short else _MOST
            finding = Finding("cards", message, clauses, hand.value, expected, hand_facts.cards)
            self.findings.append(finding)

    @cached_property
    def players_draw(self) -> bool:
        return self.rules.tableau.player_draws_third(self.player.first, self.banker.first)

    def bankers_draw(self, third: int | None) -> bool:
        column = NO_THIRD_CARD if third is None else third
        counts = self.player.first, self.banker.first
        return self.rules.tableau.banker_draws_third(*counts, column)

    def third_cards(self) -> Facts | None:
        """After a wrong third card of Player's, Banker may follow either the recorded card or none.

        If Player's is missing, any value is possible.
        """
        has_drawn, bankers = self.player.third is not None, self.banker.third
        if has_drawn != self.players_draw:
            self.finding(Hand.PLAYER, None, draws=self.players_draw)
            # A third card that Player's Hand may not have belongs to Banker, if that hand must
            # draw.
            goes_over = self.rules.applies("irregularity.player_card")
            thirds = (None, self.player.third) if has_drawn else (None, *_VALUES)
            draws = {self.bankers_draw(third) for third in thirds}
            is_excused = has_drawn and goes_over and bankers is None
            if (bankers is not None) not in draws and not is_excused:
                self.finding(Hand.BANKER, None, draws=bankers is None)
            if not has_drawn:
                if len(draws) > 1:
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
        is_unknown = self.players_draw and self.player.third is None
        thirds: Sequence[int | None] = _VALUES if is_unknown else (self.player.third,)
        has_drawn = self.banker.third is not None
        possible_thirds = [third for third in thirds if self.bankers_draw(third) == has_drawn]
        for third in possible_thirds or thirds:
            needs_card = not has_drawn and self.bankers_draw(third)
            for bankers in _VALUES if needs_card else (self.banker.third,):
                yield self.facts(third, bankers)

    def finding(self, hand: Hand, third: int | None, *, draws: bool) -> None:
        hand_facts = self.player if hand is Hand.PLAYER else self.banker
        if hand_facts.cards > _MOST:
            index = next(n for n, finding in enumerate(self.findings) if finding.hand == hand.value)
            self.findings[index] = self.findings[index]._replace(follows=("third_card",))
            return
        ruling = ThirdCardRuling(hand, self.player.first, self.banker.first, third, draws)
        decision = third_card_ruled(ruling, self.rules)
        verb = "did not draw a third card" if draws else "drew a third card"
        message = f"{hand.title} {verb}: {decision.reason}"
        expected, found = ("draw", "stay") if draws else ("stay", "draw")
        self.findings.append(
            Finding("third_card", message, decision.clauses, hand.value, expected, found)
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
        is_blurred = tens_alike and any(card is Rank.TEN for card in cards)
        return frozenset({"value"} if is_blurred else {"value", "rank"})
    is_blurred = tens_alike and any(isinstance(c, Card) and c.rank is Rank.TEN for c in cards)
    return ALL - {"rank"} if is_blurred else ALL


def card_facts(record: RoundRecord, facts: Facts) -> CardFacts | None:
    """Facts with the cards that the rules require; a suit not recorded may be any."""
    player, banker = list(record.player), list(record.banker)
    # A third card of Player's that belonged to Banker is placed in Banker's Hand.
    if len(banker) < facts.banker_cards and len(player) > facts.player_cards:
        banker.append(player[facts.player_cards])
    hands = []
    for cards, number in ((player, facts.player_cards), (banker, facts.banker_cards)):
        known_cards = [card if isinstance(card, Card) else _BY_RANK[card] for card in cards if card]
        if len(known_cards) < max(number, _FEWEST):
            return None
        hands.append(tuple(known_cards[:number]))
    return CardFacts.of(hands[0], hands[1])
