"""A dealer of somebody else's: deals shoes, settles wagers and writes rounds, right or wrong.

It has its own drawing rules, counts, payments and vigorish, and imports nothing of the program.
Each fault that it can be told to make is one that some engine has made.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from typing import Any

from msgspec import Struct, field

RANKS = "A23456789TJQK"
SUITS = "cdhs"
VALUES = {rank: (0 if rank in "TJQK" else 1 if rank == "A" else int(rank)) for rank in RANKS}

BONUS_PAYS: dict[str, dict[Any, int]] = {
    "A": {"natural": 1, 9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1},
    "C": {"natural": 1, 9: 30, 8: 10, 7: 4, 6: 4, 5: 2, 4: 2},
}


class House(Struct):
    """What a table pays and takes: odds to one, vigorish, and what it rounds up to in cents."""

    wagers: tuple[str, ...] = ("player", "banker", "tie", "bonus_player", "bonus_banker")
    decks: int = 8
    rate: Fraction = Fraction(5, 100)
    unit: int | None = 5
    tie_pays: int = 8
    bonus: str = "A"
    total_cards_pay: dict[int, Fraction] = field(
        default_factory=lambda: {4: Fraction(3, 2), 5: Fraction(2), 6: Fraction(2)}
    )
    six_pays_half: bool = False
    tie_rate: Fraction | None = None
    cut_from_back: int = 16
    hands_after: int = 1
    burn: bool = True


class Round(Struct):
    """One round as it is written down."""

    shoe: int
    number: int
    player: list[str]
    banker: list[str]
    winner: str
    player_total: int
    banker_total: int
    wagers: dict[str, tuple[int, int]]
    burned: list[str] = field(default_factory=list)
    marks: list[str] = field(default_factory=list)
    last_of_shoe: bool = False


def value(card: str) -> int:
    return VALUES[card[0]]


def count(cards: Sequence[str]) -> int:
    return sum(map(value, cards)) % 10


def bankers_turn(banker: int, third: int | None) -> bool:
    """Tell whether Banker draws, by the table as everybody knows it."""
    if third is None:
        return banker <= 5
    if banker <= 2:
        return True
    lowest, highest = {3: (0, 9), 4: (2, 7), 5: (4, 7), 6: (6, 7)}.get(banker, (1, 0))
    return lowest <= third <= highest and not (banker == 3 and third == 8)


def dealt(draw: Callable[[], str]) -> tuple[list[str], list[str]]:
    """Deal one coup."""
    one, two, three, four = draw(), draw(), draw(), draw()
    player, banker = [one, three], [two, four]
    own, other = count(player), count(banker)
    if own >= 8 or other >= 8:
        return player, banker
    third = None
    if own <= 5:
        player.append(draw())
        third = value(player[2])
    if bankers_turn(other, third):
        banker.append(draw())
    return player, banker


def winner_of(player: int, banker: int) -> str:
    return "player" if player > banker else "banker" if banker > player else "tie"


def vigorish(house: House, won: int) -> int:
    exact = won * house.rate
    if house.unit is None:
        assert exact.denominator == 1
        return exact.numerator
    units = exact / house.unit
    return -(-units.numerator // units.denominator) * house.unit


def bonus_net(house: House, stake: int, hands: tuple[Sequence[str], Sequence[str]]) -> int:
    own, other = hands
    mine, theirs = count(own), count(other)
    natural = len(own) == 2 and mine >= 8
    against = len(other) == 2 and theirs >= 8
    if natural:
        if against and mine == theirs:
            return 0
        if not against or mine > theirs:
            return stake * BONUS_PAYS[house.bonus]["natural"]
        return -stake
    return stake * BONUS_PAYS[house.bonus].get(mine - theirs, -1)


def net(house: House, wager: str, stake: int, player: Sequence[str], banker: Sequence[str]) -> int:
    """Return what a bettor is ahead by, vigorish deducted, in cents."""
    own, other = count(player), count(banker)
    winner = winner_of(own, other)
    match wager:
        case "player":
            return 0 if winner == "tie" else stake if winner == "player" else -stake
        case "banker":
            return bankers_net(house, stake, winner, other)
        case "tie":
            return stake * house.tie_pays if winner == "tie" else -stake
        case "bonus_player":
            return bonus_net(house, stake, (player, banker))
        case "bonus_banker":
            return bonus_net(house, stake, (banker, player))
        case "four_cards" | "five_cards" | "six_cards":
            cards = {"four_cards": 4, "five_cards": 5, "six_cards": 6}[wager]
            pays = house.total_cards_pay[cards]
            return int(stake * pays) if len(player) + len(banker) == cards else -stake
    raise AssertionError(wager)


def bankers_net(house: House, stake: int, winner: str, total: int) -> int:
    if winner == "player":
        return -stake
    if winner == "tie":
        return 0 if house.tie_rate is None else -int(stake * house.tie_rate)
    if house.six_pays_half:
        return stake // 2 if total == 6 else stake
    return stake - vigorish(house, stake)


def shoes(
    house: House, number: int, seed: int, *, most: int | None = None, stakes: Sequence[int] = ()
) -> Iterator[Round]:
    """Deal whole shoes: burn, rounds, cutting card, last hand."""
    chance = random.Random(seed)
    for shoe in range(1, number + 1):
        cards = [rank + suit for rank in RANKS for suit in SUITS] * house.decks
        chance.shuffle(cards)
        yield from _shoe(house, shoe, cards, chance, most, stakes or range(2_500, 12_500, 500))


def _shoe(  # noqa: PLR0917  (a dealer is told all at once)
    house: House,
    shoe: int,
    cards: list[str],
    chance: random.Random,
    most: int | None,
    stakes: Sequence[int],
) -> Iterator[Round]:
    burned = []
    if house.burn:
        burned = [cards.pop()]
        burned += [cards.pop() for _ in range(10 if burned[0][0] in "TJQK" else value(burned[0]))]
    out, number, left = False, 0, house.hands_after
    while left > 0 and len(cards) > 6 and (most is None or number < most):
        left -= out
        number += 1

        def draw() -> str:
            nonlocal out
            if len(cards) <= house.cut_from_back:
                out = True
            return cards.pop()

        player, banker = dealt(draw)
        wagers = {}
        for wager in house.wagers:
            stake = chance.choice(stakes)
            wagers[wager] = (stake, net(house, wager, stake, player, banker))
        own, other = count(player), count(banker)
        yield Round(
            shoe, number, player, banker, winner_of(own, other), own, other, wagers,
            burned if number == 1 else [], [], left == 0,
        )  # fmt: skip


# --- writing -----------------------------------------------------------------------------------


def dollars(cents: int) -> str:
    """Write cents as a program in floats does."""
    return str(cents / 100)


def csv_lines(
    rounds: Sequence[Round] | Iterator[Round],
    wagers: Sequence[str] = (),
    *,
    columns: Sequence[str] = ("winner", "player_total", "banker_total"),
    burn: bool = False,
    marks: bool = False,
) -> Iterator[str]:
    """Write rounds as CSV, a line at a time."""
    more = [*columns, *(["burned"] if burn else []), *(["marks"] if marks else [])]
    money = [f"{part}:{wager}" for wager in wagers for part in ("stake", "net")]
    yield ",".join(["shoe", "round", "player", "banker", *more, *money])
    for one in rounds:
        cells = [str(one.shoe), str(one.number), " ".join(one.player), " ".join(one.banker)]
        cells += [str(getattr(one, column)) for column in columns]
        cells += [" ".join(one.burned)] if burn else []
        cells += ["; ".join(one.marks)] if marks else []
        for wager in wagers:
            cells += (
                [dollars(cents) for cents in one.wagers[wager]] if wager in one.wagers else ["", ""]
            )
        yield ",".join(cells)


def json_lines(rounds: Sequence[Round]) -> list[str]:
    """Write rounds as JSON, one object a line, each with a list of its wagers."""
    told = []
    for one in rounds:
        wagers = []
        for seat, (wager, (stake, net)) in enumerate(one.wagers.items(), start=1):
            due = -(-stake // 100) * 5 if wager == "banker" and net > 0 else 0
            paid = max(net, 0) + due
            wagers.append(
                {
                    "seat": seat % 2,
                    "wager": wager,
                    "stake": stake / 100,
                    "paid": paid / 100,
                    "vigorish": due / 100,
                }
            )
        told.append(json.dumps({
            "shoe": one.shoe, "round": one.number, "player": " ".join(one.player),
            "banker": one.banker, "winner": one.winner, "wagers": wagers,
        }))  # fmt: skip
    return told
