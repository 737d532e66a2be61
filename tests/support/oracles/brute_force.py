"""The slow and obvious count of coups, by which the odds are judged. It imports nothing of croupier.

Cards are words such as ``9h``. A table is a pair: for each two-card count whether Player draws, and
for each whether Banker does, by the value of Player's third card, with the eleventh place for none.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import permutations
from math import perm
from typing import NamedTuple

Table = tuple[Sequence[bool], Sequence[Sequence[bool]]]


class Coup(NamedTuple):
    """What became of a coup: counts, numbers of cards, pairs, and hands of a nine and a face card."""

    player_count: int
    banker_count: int
    player_cards: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool
    player_royal: str | None
    banker_royal: str | None


def value(card: str) -> int:
    if card[0] == "A":
        return 1
    return int(card[0]) if card[0] in "23456789" else 0


def deal(cards: Sequence[str], table: Table) -> Coup:
    """Deal a coup from six cards, of which it may leave the last."""
    rest = iter(cards[4:])
    player, banker = [cards[0], cards[2]], [cards[1], cards[3]]
    own, other = total(player), total(banker)
    if own < 8 and other < 8:
        third = 10
        if table[0][own]:
            player.append(next(rest))
            third = value(player[2])
        if table[1][other][third]:
            banker.append(next(rest))
    return Coup(
        total(player),
        total(banker),
        len(player),
        len(banker),
        player[0][0] == player[1][0],
        banker[0][0] == banker[1][0],
        royal(player[:2]),
        royal(banker[:2]),
    )


def total(cards: Iterable[str]) -> int:
    return sum(map(value, cards)) % 10


def royal(cards: Sequence[str]) -> str | None:
    """Return a nine and a jack, queen or king, the nine first, or nothing."""
    for nine, face in (cards, cards[::-1]):
        if nine[0] == "9" and face[0] in "JQK":
            return f"{nine} {face}"
    return None


def count_orders(shoe: Sequence[str], table: Table, seen: Sequence[str] = ()) -> Counter[Coup]:
    """Deal every order of every card of a small shoe, and count what becomes of each.

    ``shoe`` has the cards that are left, without those seen.
    """
    return Counter(deal((*seen, *order), table) for order in permutations(shoe, 6 - len(seen)))


def count_values(
    left: Sequence[int], table: Table, seen: Sequence[int] = ()
) -> Counter[tuple[int, int, int, int]]:
    """Count coups by values, card after card in the order of dealing, for a shoe of any size.

    ``left`` has the cards that are left by value; the result is by counts and numbers of cards.
    """
    found: Counter[tuple[int, int, int, int]] = Counter()
    _count(list(left), table, list(seen), 1, found)
    return found


def _count(
    left: list[int],
    table: Table,
    dealt: list[int],
    ways: int,
    found: Counter[tuple[int, int, int, int]],
) -> None:
    facts = _finished(dealt, table)
    if facts is not None:
        found[facts] += ways * perm(sum(left), 6 - len(dealt))
        return
    for card in range(10):
        number = left[card]
        if number:
            left[card] -= 1
            dealt.append(card)
            _count(left, table, dealt, ways * number, found)
            dealt.pop()
            left[card] += 1


def _finished(dealt: Sequence[int], table: Table) -> tuple[int, int, int, int] | None:
    if len(dealt) < 4:
        return None
    own, other = (dealt[0] + dealt[2]) % 10, (dealt[1] + dealt[3]) % 10
    if own > 7 or other > 7:
        return own, other, 2, 2
    rest = list(dealt[4:])
    final, third = own, 10
    if table[0][own]:
        if not rest:
            return None
        third = rest.pop(0)
        final = (own + third) % 10
    cards = 3 if table[0][own] else 2
    if not table[1][other][third]:
        return final, other, cards, 2
    return (final, (other + rest[0]) % 10, cards, 3) if rest else None
