"""Mutations of right rounds: each spoils one round of a shoe, or its place, as some engine has."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable

from msgspec.structs import replace

from support.external_rounds import SUITS, Round

Shoe = list[Round]
Mutation = Callable[[Shoe, random.Random], Shoe | None]
"""Spoils a shoe in one place and returns it; ``None`` where the shoe has no place for that."""


def _at(rounds: Shoe, chance: random.Random, fits: Callable[[Round], bool] = bool) -> int | None:
    """Pick a round that is neither the first nor the last, of those that fit."""
    places = [at for at in range(1, len(rounds) - 1) if fits(rounds[at])]
    return chance.choice(places) if places else None


def _change(
    fits: Callable[[Round], bool], change: Callable[[Round, random.Random], Round]
) -> Mutation:
    def mutate(rounds: Shoe, chance: random.Random) -> Shoe | None:
        at = _at(rounds, chance, fits)
        if at is None:
            return None
        return [*rounds[:at], change(rounds[at], chance), *rounds[at + 1 :]]

    return mutate


def _always(one: Round) -> bool:
    return bool(one.player)


def _other_winner(one: Round, chance: random.Random) -> Round:
    return replace(one, winner=chance.choice(sorted({"player", "banker", "tie"} - {one.winner})))


def _wrong_total(one: Round, chance: random.Random) -> Round:
    return replace(one, player_total=(one.player_total + chance.randrange(1, 10)) % 10)


def _with_net(one: Round, wager: str, net: int) -> Round:
    return replace(one, wagers={**one.wagers, wager: (one.wagers[wager][0], net)})


def _net_off(wager: str, cents: int) -> Callable[[Round, random.Random], Round]:
    return lambda one, _: _with_net(one, wager, one.wagers[wager][1] + cents)


def _no_vigorish(one: Round, _: random.Random) -> Round:
    return _with_net(one, "banker", one.wagers["banker"][0])


def _sign(one: Round, _: random.Random) -> Round:
    return _with_net(one, "player", -one.wagers["player"][1])


def _below_limit(one: Round, _: random.Random) -> Round:
    net = one.wagers["player"][1]
    return replace(one, wagers={**one.wagers, "player": (100, (net > 0) * 100 - (net < 0) * 100)})


def _without_third(hand: str) -> Callable[[Round, random.Random], Round]:
    return lambda one, _: replace(one, **{hand: getattr(one, hand)[:2]})


def _with_card(hand: str) -> Callable[[Round, random.Random], Round]:
    def add(one: Round, chance: random.Random) -> Round:
        # A ten leaves every total as it is: nothing but the card itself is wrong.
        return replace(one, **{hand: [*getattr(one, hand), chance.choice("TJQK") + "?"]})

    return add


def _garbage(one: Round, chance: random.Random) -> Round:
    return replace(one, banker=[chance.choice(["zz", "9x", "14h", "h9"]), *one.banker[1:]])


def _drop(rounds: Shoe, chance: random.Random) -> Shoe | None:
    at = _at(rounds, chance)
    return None if at is None else [*rounds[:at], *rounds[at + 1 :]]


def _double(rounds: Shoe, chance: random.Random) -> Shoe | None:
    at = _at(rounds, chance)
    return None if at is None else [*rounds[: at + 1], *rounds[at:]]


def _double_later(rounds: Shoe, chance: random.Random) -> Shoe | None:
    # The cards of a round that comes twice must not be too many for the decks.
    at, to = chance.randrange(0, 5), chance.randrange(8, 12)
    return [*rounds[:to], rounds[at], *rounds[to:]]


def _swap(rounds: Shoe, chance: random.Random) -> Shoe | None:
    at = chance.randrange(1, len(rounds) - 2)
    return [*rounds[:at], rounds[at + 1], rounds[at], *rounds[at + 2 :]]


def _move(rounds: Shoe, chance: random.Random) -> Shoe | None:
    at, to = chance.sample(range(1, len(rounds) - 1), 2)
    rest = [*rounds[:at], *rounds[at + 1 :]]
    return [*rest[:to], rounds[at], *rest[to:]]


def _one_card_too_many(rounds: Shoe, chance: random.Random) -> Shoe | None:
    """Give a third card the suit of one of its rank that the shoe has dealt eight times."""
    seen = Counter(card for one in rounds for card in (*one.player, *one.banker))
    places = [
        (at, card[0] + suit)
        for at, one in enumerate(rounds[:-1])
        for card in one.player[2:]
        for suit in SUITS
        if suit != card[1] and seen[card[0] + suit] == 8
    ]
    if not places:
        return None
    at, card = chance.choice(places)
    one = rounds[at]
    return [*rounds[:at], replace(one, player=[*one.player[:2], card]), *rounds[at + 1 :]]


def _won_by_banker(one: Round) -> bool:
    return one.winner == "banker"


def _drew(hand: str) -> Callable[[Round], bool]:
    return lambda one: len(getattr(one, hand)) == 3


def _stood(hand: str) -> Callable[[Round], bool]:
    return lambda one: len(getattr(one, hand)) == 2 and len(one.banker) == len(one.player) == 2


MUTATIONS: dict[str, tuple[str, Mutation]] = {
    "another winner": ("winner", _change(_always, _other_winner)),
    "another total": ("totals", _change(_always, _wrong_total)),
    "Player's net off by a cent": ("settlement", _change(_always, _net_off("player", 1))),
    "a bonus off by a cent": ("settlement", _change(_always, _net_off("bonus_banker", -1))),
    "the sign of a net": ("settlement", _change(lambda one: one.winner != "tie", _sign)),
    "no vigorish": ("vigorish", _change(_won_by_banker, _no_vigorish)),
    "a stake below the minimum": ("limit", _change(_always, _below_limit)),
    "Player's third card gone": ("third_card", _change(_drew("player"), _without_third("player"))),
    "Banker's third card gone": ("third_card", _change(_drew("banker"), _without_third("banker"))),
    "a third card too many for Banker": ("third_card", _change(_stood("banker"), _with_card("banker"))),
    "a third card too many for Player": ("third_card", _change(_stood("player"), _with_card("player"))),
    "a fourth card for Player": ("cards", _change(_drew("player"), _with_card("player"))),
    "a fourth card for Banker": ("cards", _change(_drew("banker"), _with_card("banker"))),
    "a cell that is no card": ("format", _change(_always, _garbage)),
    "a card too many of its suit": ("composition", _one_card_too_many),
    "a round dropped": ("procedure", _drop),
    "a round doubled": ("procedure", _double),
    "a round doubled later": ("procedure", _double_later),
    "neighbors swapped": ("procedure", _swap),
    "a round moved": ("procedure", _move),
    "a shoe doubled": ("procedure", lambda rounds, _: [*rounds, *rounds]),
}  # fmt: skip
"""Each mutation, with the kind of divergence that it makes, once."""
