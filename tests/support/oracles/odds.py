"""An oracle of exact odds: every coup counted card by card, every wager weighed, by rules of its own.

It counts what comes about by dealing it, in the order in which it is dealt, and knows no formula.
Drawing, results and payouts are written from the regulations by hand; it imports nothing of the
program, whose figures are held against these.
"""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, cached_property
from itertools import product
from math import ceil, perm
from typing import Final, NamedTuple

RANKS: Final = "A23456789TJQK"
SUITS: Final = "cdhs"
VALUE: Final = {rank: min(place, 10) % 10 for place, rank in enumerate(RANKS, start=1)}

# Player's third card, by Banker's first two: those on which Banker draws.
BANKER_DRAWS: Final = {
    0: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    1: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    2: {0, 1, 2, 3, 4, 5, 6, 7, 8, 9},
    3: {0, 1, 2, 3, 4, 5, 6, 7, 9},
    4: {2, 3, 4, 5, 6, 7},
    5: {4, 5, 6, 7},
    6: {6, 7},
    7: set[int](),
}
LITERAL_ROW: Final = {0}
"""The damaged row of New York by the letter: on counts of 0 to 2 a third card of zero alone."""

Shoe = Mapping[str, int]
"""Cards by rank, or by card."""


class Coup(NamedTuple):
    """A finished coup: counts, numbers of cards, and pairs by rank in the first two."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool

    @property
    def cards(self) -> int:
        return self.player_cards + self.banker_cards

    @property
    def margin(self) -> int:
        return self.player - self.banker


# --- dealing -----------------------------------------------------------------------------------


def fresh(decks: int) -> dict[str, int]:
    """A fresh shoe, by card."""
    return {rank + suit: decks for suit in SUITS for rank in RANKS}


def by_rank(shoe: Shoe) -> dict[str, int]:
    counts = dict.fromkeys(RANKS, 0)
    for name, count in shoe.items():
        counts[name[0]] += count
    return counts


def next_hand(player: Sequence[int], banker: Sequence[int], *, literal: bool = False) -> str:
    """Whose the next card is: P or B, or nothing where the coup is finished. Cards are values."""
    dealt = len(player) + len(banker)
    if dealt < 4:
        return "PBPB"[dealt]
    own, other = sum(player[:2]) % 10, sum(banker[:2]) % 10
    if own in {8, 9} or other in {8, 9} or len(banker) == 3:
        return ""
    if len(player) == 2:
        if own <= 5:
            return "P"
        return "B" if other <= 5 else ""
    draws = LITERAL_ROW if literal and other <= 2 else BANKER_DRAWS[other]
    return "B" if player[2] in draws else ""


Values = tuple[int, ...]


Ended = tuple[int, int, int, int]
"""Counts and numbers of cards, Player's before Banker's."""


@cache
def endings(left: Values, player: Values, banker: Values, ahead: int, *, literal: bool) -> dict[Ended, int]:  # fmt: skip
    """Every way on from here, by values: the cards ahead that are not required may be any."""
    found: dict[Ended, int] = {}
    shoe = list(left)

    def go_on(own: Values, other: Values, ways: int, cards: int, ahead: int) -> None:
        whose = next_hand(own, other, literal=literal)
        if not whose:
            ended = sum(own) % 10, sum(other) % 10, len(own), len(other)
            found[ended] = found.get(ended, 0) + ways * perm(cards, ahead)
            return
        for value, count in enumerate(shoe):
            if count:
                hands = ((*own, value), other) if whose == "P" else (own, (*other, value))
                shoe[value] -= 1
                go_on(*hands, ways * count, cards - 1, ahead - 1)
                shoe[value] += 1

    go_on(player, banker, 1, sum(shoe), ahead)
    return found


def first_fours(counts: dict[str, int], player: str, banker: str) -> Iterator[tuple[str, str, int]]:
    """Every way to the first two cards of both hands, by rank, in the order dealt."""
    dealt = len(player) + len(banker)
    if dealt >= 4:
        yield player, banker, 1
        return
    for rank, count in counts.items():
        if count:
            rest = {**counts, rank: count - 1}
            hands = (player, banker + rank) if dealt % 2 else (player + rank, banker)
            for own, other, ways in first_fours(rest, *hands):
                yield own, other, ways * count


def coups(
    shoe: Shoe, player: str = "", banker: str = "", *, literal: bool = False
) -> Counter[Coup]:
    """Every coup from a shoe and the ranks that the hands have already, in ways over six cards.

    The shoe holds the cards that were seen.
    """
    counts = by_rank(shoe)
    for rank in player + banker:
        counts[rank] -= 1
    assert min(counts.values()) >= 0
    starts: Counter[tuple[Values, Values, bool, bool]] = Counter()
    for own, other, ways in first_fours(counts, player, banker):
        hands = (tuple(VALUE[rank] for rank in hand) for hand in (own, other))
        mine, his = (tuple(sorted(hand[:2])) + hand[2:] for hand in hands)
        starts[mine, his, own[0] == own[1], other[0] == other[1]] += ways
    seen = [VALUE[rank] for rank in player + banker]
    whole = values(counts)
    found: Counter[Coup] = Counter()
    for (own_hand, other_hand, pair, other_pair), ways in starts.items():
        left = list(whole)
        drawn = Counter((*own_hand, *other_hand)) - Counter(seen)
        for value, number in drawn.items():
            left[value] -= number
        ahead = 6 - len(own_hand) - len(other_hand)
        ended = endings(tuple(left), own_hand, other_hand, ahead, literal=literal)
        for facts, more in ended.items():
            found[Coup(*facts, pair, other_pair)] += ways * more
    endings.cache_clear()
    assert sum(found.values()) == perm(sum(counts.values()), 6 - len(seen))
    return found


def values(counts: Shoe) -> Values:
    by_value = [0] * 10
    for rank, count in counts.items():
        by_value[VALUE[rank[0]]] += count
    return tuple(by_value)


# --- results and payouts -----------------------------------------------------------------------


def odds(text: str) -> Fraction:
    pays, _, stake = text.partition(":")
    return Fraction(int(pays), int(stake))


def _table(natural: int, *by_margin: int) -> dict[str, Fraction]:
    table = {f"win_by_{margin}": Fraction(pays) for margin, pays in zip(range(9, 3, -1), by_margin, strict=True)}  # fmt: skip
    return {"natural": Fraction(natural), **table}


PAYTABLES: Final = {
    "A": _table(1, 30, 10, 6, 4, 2, 1),
    "B": _table(1, 20, 8, 7, 4, 3, 1),
    "C": _table(1, 30, 10, 4, 4, 2, 2),
}
TOTAL_CARDS: Final = {
    "four_cards": (4, Fraction(3, 2)),
    "five_cards": (5, Fraction(2)),
    "six_cards": (6, Fraction(2)),
}
LOSES: Final = Fraction(-1)


@dataclass(frozen=True)
class Terms:
    """What a table elected of that which moves an edge."""

    scheme: str = "5%"
    unwaived: Fraction = Fraction(5, 100)
    tie: Fraction = Fraction(8)
    bonus: Mapping[str, Fraction] = field(default_factory=lambda: PAYTABLES["A"])
    dragon_7: Fraction = Fraction(40)
    literal: bool = False

    @cached_property
    def rate(self) -> Fraction:
        """Vigorish on what a Banker wager wins."""
        return {
            "5%": Fraction(5, 100), "4%": Fraction(4, 100), "total-cards": self.unwaived,
        }.get(self.scheme, Fraction())  # fmt: skip


Result = tuple[str, Fraction]
"""The outcome, and what it brings for one unit staked."""


def banker(coup: Coup, terms: Terms) -> Result:
    if coup.margin == 0:
        return "push", -Fraction(1, 4) if terms.scheme == "tie-25%" else Fraction()
    if coup.margin > 0:
        return "lose", LOSES
    if terms.scheme == "six-pays-half" and coup.banker == 6:
        return "win_with_six", Fraction(1, 2)
    if terms.scheme == "dragon-7" and (coup.banker, coup.banker_cards) == (7, 3):
        return "dragon_7", Fraction()
    return "win", 1 - terms.rate


def bonus(own: int, own_cards: int, other: int, other_cards: int, terms: Terms) -> Result:
    natural = own_cards == 2 and own in {8, 9}
    other_natural = other_cards == 2 and other in {8, 9}
    if natural and other_natural and own == other:
        return "push", Fraction()
    if natural and own > other:
        return "natural", terms.bonus["natural"]
    if not natural and own - other >= 4:
        return f"win_by_{own - other}", terms.bonus[f"win_by_{own - other}"]
    return "lose", LOSES


def won(hit: bool, pays: int | Fraction) -> Result:  # noqa: FBT001  (it is all that it asks)
    return ("win", Fraction(pays)) if hit else ("lose", LOSES)


def result(wager: str, coup: Coup, terms: Terms) -> Result:  # noqa: C901  (one case for each wager)
    """What a coup makes of a unit on a wager, vigorish deducted."""
    own, other, own_cards, other_cards, pair, other_pair = coup
    match wager:
        case "player":
            return ("push", Fraction()) if own == other else won(own > other, 1)
        case "banker":
            return banker(coup, terms)
        case "tie":
            return won(own == other, terms.tie)
        case "four_cards" | "five_cards" | "six_cards":
            number, pays = TOTAL_CARDS[wager]
            return won(coup.cards == number, pays)
        case "bonus_player":
            return bonus(own, own_cards, other, other_cards, terms)
        case "bonus_banker":
            return bonus(other, other_cards, own, own_cards, terms)
        case "dragon_7":
            return won(other == 7 and other_cards == 3 and own < 7, terms.dragon_7)
        case "panda_8":
            return won(own == 8 and own_cards == 3 and other < 8, 25)
        case "house_money":
            if pair and other_pair:
                return "both_pairs", Fraction(15)
            return ("one_pair", Fraction(3)) if pair or other_pair else ("lose", LOSES)
    raise KeyError(wager)


class Weighed(NamedTuple):
    """A wager weighed: ways and net by outcome, and its figures by their definitions."""

    lines: dict[tuple[str, Fraction], int]

    @property
    def total(self) -> int:
        return sum(self.lines.values())

    def mean(self) -> Fraction:
        return sum((net * ways for (_, net), ways in self.lines.items()), Fraction()) / self.total

    def variance(self) -> Fraction:
        mean = self.mean()
        return (
            sum(((net - mean) ** 2 * ways for (_, net), ways in self.lines.items()), Fraction())
            / self.total
        )

    def chance(self, *outcomes: str) -> Fraction:
        found = sum(ways for (outcome, _), ways in self.lines.items() if outcome in outcomes)
        return Fraction(found, self.total)


VOID: Final = ("push",)


def is_void(outcome: str, net: Fraction) -> bool:
    """A push, with vigorish or without; and a line of another name that is void."""
    return outcome == "push" or (outcome in {"dragon_7", "banker_nine"} and net == 0)


def weighed(wager: str, found: Mapping[Coup, int], terms: Terms) -> Weighed:
    lines: Counter[tuple[str, tuple[int, int]]] = Counter()
    for coup, ways in found.items():
        outcome, net = result(wager, coup, terms)
        # It takes long to find a fraction among others.
        lines[outcome, net.as_integer_ratio()] += ways
    return Weighed({(outcome, Fraction(*net)): ways for (outcome, net), ways in lines.items()})


def vigorish_cents(won_cents: int, rate: Fraction, unit_cents: int) -> int:
    """Vigorish rounded up to a unit."""
    return ceil(won_cents * rate / unit_cents) * unit_cents


# --- packages ----------------------------------------------------------------------------------


class HouseMoney(NamedTuple):
    """House Money beside a wager: its edge by what is done with a payout, and what an added unit
    brings by the counts of the first two cards, and by the values of the cards of a start."""

    take: Fraction
    always: Fraction
    best: Fraction
    by_counts: Fraction
    brings: dict[tuple[int, int], Fraction]
    by_units: dict[tuple[int, int], Fraction]
    starts: dict[tuple[Values, Values], Fraction]


def house_money(shoe: Shoe, base: str, terms: Terms, portion: Fraction) -> HouseMoney:
    """Every start with a pair, by rank; what is added is worth what the wager is from there."""
    counts = by_rank(shoe)
    total = perm(sum(counts.values()), 4)
    worth: dict[tuple[Values, Values], Fraction] = {}
    take = always = best = Fraction()
    cells: dict[tuple[int, int], list[Fraction]] = {}
    added: defaultdict[tuple[int, int], int] = defaultdict(int)
    paid: defaultdict[tuple[int, int], Fraction] = defaultdict(Fraction)
    starts: Counter[tuple[tuple[Values, Values], int]] = Counter()
    for own, other, ways in first_fours(counts, "", ""):
        pairs = (own[0] == own[1]) + (other[0] == other[1])
        if not pairs:
            take -= ways
            continue
        hands = tuple(sorted(VALUE[one] for one in own)), tuple(sorted(VALUE[one] for one in other))
        starts[hands, 15 if pairs == 2 else 3] += ways
    for (hands, payout), ways in starts.items():
        if hands not in worth:
            left = list(values(counts))
            for value in (*hands[0], *hands[1]):
                left[value] -= 1
            ended = endings(tuple(left), *hands, 2, literal=terms.literal)
            of_base = weighed(
                base,
                {
                    Coup(*one, player_pair=False, banker_pair=False): number
                    for one, number in ended.items()
                },
                terms,
            )
            worth[hands] = of_base.mean()
        brings = worth[hands]
        take += ways * payout
        always += ways * payout * portion * brings
        best += ways * payout * portion * max(brings, Fraction())
        cell = cells.setdefault((sum(hands[0]) % 10, sum(hands[1]) % 10), [Fraction(), Fraction()])
        cell[0] += ways * brings
        cell[1] += ways
        added[sum(hands[0]) % 10, sum(hands[1]) % 10] += ways * payout
        paid[sum(hands[0]) % 10, sum(hands[1]) % 10] += ways * payout * portion * brings
    endings.cache_clear()
    means = {counts: brings / ways for counts, (brings, ways) in cells.items()}
    followed = sum((paid[counts] for counts, mean in means.items() if mean > 0), Fraction())
    return HouseMoney(
        -take / total,
        -(take + always) / total,
        -(take + best) / total,
        -(take + followed) / total,
        means,
        {counts: paid[counts] / portion / units for counts, units in added.items()},
        worth,
    )


LADDER: Final = (
    "star", "spade", "heart", "other_personal", "suited_both", "royal_both", "suited", "royal",
)  # fmt: skip
AWARDS: Final = {
    "other_personal": 5_000, "suited_both": 1_500, "royal_both": 250, "suited": 50, "royal": 25,
}  # fmt: skip
"""Dollars for a wager of five dollars."""


def royal(hand: tuple[str, str]) -> frozenset[str]:
    """A nine and a face card, in whatever order; empty for any other hand."""
    ranks = {card[0] for card in hand}
    return frozenset(hand) if "9" in ranks and ranks & set("JQK") else frozenset()


def rung(player: tuple[str, str], banker: tuple[str, str], own: frozenset[str], others: Collection[frozenset[str]]) -> str:  # fmt: skip
    """The highest award that two hands of two cards win at a chair, or ``lose``."""
    mine, his = royal(player), royal(banker)
    suited = [len({card[1] for card in hand}) == 1 for hand in (mine, his)]
    if own in {mine, his}:
        return "star" if mine == his else "heart" if mine == own else "spade"
    if mine == his and mine in others:
        return "other_personal"
    if mine and his:
        if all(suited):
            return "suited_both"
        return "royal_both"
    return ("suited" if any(suited) else "royal") if mine or his else "lose"


def royal_9(shoe: Shoe, own: str, others: Sequence[str], seen: Sequence[str] = ()) -> Counter[str]:
    """Rungs by ways over the first four cards: every two hands of two cards, in every order.

    ``seen`` are the first cards of the round, in the order dealt; the shoe holds them. Cards that
    are no nine and no face card are alike here.
    """
    symbols: Counter[str] = Counter()
    for card, count in shoe.items():
        symbols[_kind(card)] += count
    begun = tuple(_kind(card) for card in seen[:4])
    symbols.subtract([_kind(card) for card in seen])
    chair = frozenset(own.split())
    rest = [frozenset(one.split()) for one in others]
    found: Counter[str] = Counter()
    for cards in product(symbols, repeat=4 - len(begun)):
        ways = 1
        for place, card in enumerate(cards):
            ways *= max(symbols[card] - cards[:place].count(card), 0)
        if ways:
            first = (*begun, *cards)
            found[rung((first[0], first[2]), (first[1], first[3]), chair, rest)] += ways
    return found


def _kind(card: str) -> str:
    return card if card[0] in "9JQK" else ".."
