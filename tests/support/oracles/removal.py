"""An oracle for effects of removal, written from the rules as printed: it imports nothing of the game.

It deals every order in which six cards may leave a small shoe, rank by rank, and plays each out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Final, NamedTuple

RANKS: Final = "A23456789TJQK"
VALUES: Final = (1, 2, 3, 4, 5, 6, 7, 8, 9, 0, 0, 0, 0)


class Played(NamedTuple):
    """A round that was played out: both totals, both numbers of cards, both pairs."""

    player: int
    banker: int
    player_cards: int
    banker_cards: int
    player_pair: bool
    banker_pair: bool


def banker_draws(total: int, third: int | None) -> bool:
    """Tell whether Banker draws, as the usual table of third cards has it."""
    if third is None:
        return total <= 5
    if total <= 2:
        return True
    return third in {
        3: (0, 1, 2, 3, 4, 5, 6, 7, 9),
        4: (2, 3, 4, 5, 6, 7),
        5: (4, 5, 6, 7),
        6: (6, 7),
    }.get(total, ())


def play(cards: Sequence[int]) -> Played:
    """Play six ranks in the order dealt: Player, Banker, Player, Banker, then third cards."""
    first, second, third, fourth = (VALUES[rank] for rank in cards[:4])
    player, banker = (first + third) % 10, (second + fourth) % 10
    player_cards = banker_cards = 2
    drawn, taken = 4, None
    if player < 8 and banker < 8:
        if player <= 5:
            taken = VALUES[cards[4]]
            player, player_cards, drawn = (player + taken) % 10, 3, 5
        if banker_draws(banker, taken):
            banker, banker_cards = (banker + VALUES[cards[drawn]]) % 10, 3
    return Played(
        player, banker, player_cards, banker_cards, cards[0] == cards[2], cards[1] == cards[3]
    )


def orders(shoe: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Yield six ranks as they may leave a shoe, and in how many ways they do."""
    left = list(shoe)

    def deal(before: tuple[int, ...], ways: int) -> Iterator[tuple[tuple[int, ...], int]]:
        if len(before) == 6:
            yield before, ways
            return
        for rank, number in enumerate(left):
            if number:
                left[rank] -= 1
                yield from deal((*before, rank), ways * number)
                left[rank] += 1

    yield from deal((), 1)


def player_wager(played: Played) -> Fraction:
    return Fraction((played.player > played.banker) - (played.player < played.banker))


def banker_wager(played: Played) -> Fraction:
    won = played.banker > played.player
    return Fraction(19, 20) if won else Fraction(-int(played.banker < played.player))


def tie_wager(played: Played) -> Fraction:
    return Fraction(8 if played.player == played.banker else -1)


def dragon_7(played: Played) -> Fraction:
    hit = played.banker == 7 and played.banker_cards == 3 and played.player < 7
    return Fraction(40 if hit else -1)


def house_money(played: Played) -> Fraction:
    return Fraction((-1, 3, 15)[played.player_pair + played.banker_pair])


WAGERS: Final[dict[str, Callable[[Played], Fraction]]] = {
    "player": player_wager,
    "banker": banker_wager,
    "tie": tie_wager,
    "dragon_7": dragon_7,
    "house_money": house_money,
}


def expectation(shoe: Sequence[int], wager: str) -> Fraction:
    """Return what a unit on a wager brings in the mean, from a shoe by rank."""
    total, brought = 0, Fraction()
    for cards, ways in orders(shoe):
        total += ways
        brought += ways * WAGERS[wager](play(cards))
    return brought / total


def effects(shoe: Sequence[int], wager: str) -> list[Fraction]:
    """Return the effect of removal of each rank; nought for one that the shoe has not."""
    whole = expectation(shoe, wager)
    found = []
    for rank, number in enumerate(shoe):
        left = list(shoe)
        left[rank] -= 1
        found.append(expectation(left, wager) - whole if number else Fraction())
    return found
