"""Each fault of an engine that writes a row a seat, with side bets and vigorish: told once, each of many times."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest

from croupier.rules import TableRules, read_rules
from croupier.verify.rounds.file import verify_file
from support.external_rounds import House, Round, shoes, vigorish
from support.project import ROOT
from support.side_bets import (
    JACKPOT_PART,
    JACKPOT_SEED,
    JACKPOT_STAKE,
    SIDE_BETS,
    jackpot,
    settled,
    with_bets,
)
from support.volume import volume

HOUSE = House(("player", "banker"))
SEATS = (1, 4)
BET: Final = 1_000
MOST: Final = volume(60, 20, most=500)
ROUNDS: Final = 5

Row = dict[str, str]
Shoe = list[list[Row]]
"""Rounds, each with a row a seat."""
Mutation = Callable[[list[Row], random.Random], list[Row] | None]
"""Spoils a round; ``None`` where it has no place for that."""


def money(cents: int) -> str:
    return f"{cents / 100:.2f}"


def row(one: Round, seat: int, meter: int) -> Row:
    stake, net = one.wagers["banker"]
    taken = vigorish(HOUSE, stake) if net > 0 else 0
    cells = {
        "shoe": str(one.shoe), "round": str(one.number), "player": " ".join(one.player),
        "banker": " ".join(one.banker), "winner": one.winner, "seat": str(seat),
        "meter:jackpot": money(meter), "stake:banker": money(stake), "net:banker": money(net),
        "paid:banker": money(max(0, net) + taken), "vigorish:banker": money(taken),
        "stake:suited_jackpot": money(JACKPOT_STAKE),
        "net:suited_jackpot": money(jackpot(one, meter)),
    }  # fmt: skip
    for name, won in settled(one).items():
        cells |= {f"stake:{name}": money(BET), f"net:{name}": money(BET * won)}
    return cells


def dealt() -> Iterator[Shoe]:
    """Deal the first rounds of shoes, with a meter that every seat's stake feeds."""
    meter = JACKPOT_SEED
    rounds = shoes(HOUSE, 24 * MOST, seed=5, most=ROUNDS, stakes=range(2_550, 25_000, 50))
    for _, of_shoe in groupby(rounds, key=lambda one: one.shoe):
        shoe = []
        for one in of_shoe:
            meter += JACKPOT_PART * len(SEATS)
            shoe.append([row(one, seat, meter) for seat in SEATS])
            meter = JACKPOT_SEED if jackpot(one, meter) == meter else meter
        yield shoe


# --- what is spoiled ----------------------------------------------------------------------------


def on_a_row(fits: Callable[[Row], bool], change: Callable[[Row], Row]) -> Mutation:
    """Spoil one seat's row of a round that fits."""

    def mutate(rows: list[Row], chance: random.Random) -> list[Row] | None:
        at = chance.randrange(len(rows))
        if not fits(rows[at]):
            return None
        return [*rows[:at], {**rows[at], **change(rows[at])}, *rows[at + 1 :]]

    return mutate


def on_all(fits: Callable[[Row], bool], change: Callable[[Row], Row]) -> Mutation:
    """Spoil every row of a round that fits, the same way."""
    return lambda rows, _: [{**one, **change(one)} for one in rows] if fits(rows[0]) else None


def off(column: str, cents: int) -> Callable[[Row], Row]:
    return lambda one: {column: money(round(float(one[column]) * 100) + cents)}


def net(name: str, times: int) -> Callable[[Row], Row]:
    return lambda _: {f"net:{name}": money(BET * times)}


def came_to(name: str, times: int) -> Callable[[Row], bool]:
    return lambda one: one[f"net:{name}"] == money(BET * times)


def always(one: Row) -> bool:
    return bool(one)


def won(one: Row) -> bool:
    return one["winner"] == "banker"


def uneven(one: Row) -> bool:
    # 5% of this is no multiple of five cents.
    return won(one) and round(float(one["stake:banker"]) * 100) % 100 != 0


def less_taken(one: Row) -> Row:
    """Round the vigorish down, and pay by that."""
    stake = round(float(one["stake:banker"]) * 100)
    taken = stake // 100 * 5
    return {"vigorish:banker": money(taken), "net:banker": money(stake - taken)}


def not_taken(one: Row) -> Row:
    return {"vigorish:banker": "0.00", "net:banker": one["stake:banker"]}


def cards(name: str, number: int) -> Callable[[Row], bool]:
    return lambda one: len(one[name].split()) == number


def without_third(name: str) -> Callable[[Row], Row]:
    return lambda one: {name: one[name][:5]}


def stood(one: Row) -> bool:
    return len(one["player"].split()) == len(one["banker"].split()) == 2


def twice(rows: list[Row], chance: random.Random) -> list[Row]:
    del chance
    return [*rows, *rows]


def seat_twice(rows: list[Row], chance: random.Random) -> list[Row]:
    at = chance.randrange(len(rows))
    return [*rows[: at + 1], *rows[at:]]


def other_winner(one: Row) -> Row:
    return {"winner": "player" if one["winner"] == "banker" else "banker"}


MUTATIONS: dict[str, tuple[str, Mutation]] = {
    "a pair paid that is none": ("settlement", on_a_row(came_to("own_player_pair", -1), net("own_player_pair", 11))),
    "a pair not paid": ("settlement", on_a_row(came_to("own_banker_pair", 11), net("own_banker_pair", -1))),
    "Tiger of three cards paid as of two": ("settlement", on_a_row(came_to("tiger", 20), net("tiger", 12))),
    "Tiger of two cards paid as of three": ("settlement", on_a_row(came_to("tiger", 12), net("tiger", 20))),
    "Tiger taken": ("settlement", on_a_row(came_to("tiger", 12), net("tiger", -1))),
    "one pair paid as two": ("settlement", on_a_row(came_to("tiger_pair", 4), net("tiger_pair", 20))),
    "a perfect pair taken": ("settlement", on_a_row(came_to("perfect_pair", 25), net("perfect_pair", -1))),
    "a perfect pair that is a pair": ("settlement", on_a_row(came_to("perfect_pair", -1), net("perfect_pair", 25))),
    **{
        f"{name} off by a cent": ("settlement", on_a_row(always, off(f"net:{name}", 1)))
        for name in (*SIDE_BETS, "suited_jackpot")
    },
    "the vigorish off by a cent": ("vigorish", on_a_row(won, off("vigorish:banker", 1))),
    "vigorish rounded down": ("vigorish", on_a_row(uneven, less_taken)),
    "no vigorish": ("vigorish", on_a_row(won, not_taken)),
    "what was paid off by a cent": ("settlement", on_a_row(won, off("paid:banker", -1))),
    "a stake of the jackpot that is another": ("limit", on_a_row(always, lambda _: {"stake:suited_jackpot": "6.00", "net:suited_jackpot": ""})),
    "another winner on one row": ("winner", on_a_row(always, other_winner)),
    "another winner on all rows": ("winner", on_all(always, other_winner)),
    "Player's third card gone": ("third_card", on_all(cards("player", 3), without_third("player"))),
    "Banker's third card gone": ("third_card", on_all(cards("banker", 3), without_third("banker"))),
    "a third card too many": ("third_card", on_all(stood, lambda one: {"banker": f"{one['banker']} Kd"})),
    "other cards on one row": ("format", on_a_row(stood, lambda one: {"player": f"{one['player'][:3]}Xx"})),
    "a round told twice": ("procedure", twice),
    "a seat told twice": ("procedure", seat_twice),
    "a wager of no name": ("format", on_a_row(always, lambda _: {"net:tiger": "lost"})),
}  # fmt: skip
"""Each mutation, with the kind of divergence that it makes, once."""


@pytest.fixture(scope="module")
def table() -> TableRules:
    """A table with every one of the bets, each weighed as it is read."""
    return with_bets(read_rules(ROOT / "submissions" / "nj-minibaccarat.toml"))


@pytest.fixture(scope="module")
def shoes_dealt() -> list[Shoe]:
    return list(dealt())


def spoiled(shoes_dealt: list[Shoe], name: str) -> Iterator[Shoe]:
    mutate, chance = MUTATIONS[name][1], random.Random(name)
    for shoe in shoes_dealt:
        for at in chance.sample(range(1, ROUNDS - 1), ROUNDS - 2):
            changed = mutate(shoe[at], chance)
            if changed is not None:
                yield [*shoe[:at], changed, *shoe[at + 1 :]]
                break


@pytest.mark.parametrize("name", MUTATIONS)
def test_a_mutation_of_a_row_is_told_once_with_its_kind(
    tmp_path: Path, shoes_dealt: list[Shoe], table: TableRules, name: str
) -> None:
    wrong = [shoe for shoe, _ in zip(spoiled(shoes_dealt, name), range(MOST), strict=False)]
    assert len(wrong) == MOST
    columns = list(wrong[0][0][0])
    rows = [one for shoe in wrong for rows in shoe for one in rows]
    path = tmp_path / "r.csv"
    lines = (",".join(one[column] for column in columns) for one in rows)
    path.write_text("\n".join([",".join(columns), *lines]), encoding="utf-8")
    found: dict[str, list[tuple[str, str]]] = {shoe[0][0]["shoe"]: [] for shoe in wrong}
    for one in verify_file(path, table).divergences:
        found[one.shoe].append((one.kind, one.message))
    kind = MUTATIONS[name][0]
    others = {shoe: one for shoe, one in found.items() if [k for k, _ in one] != [kind]}
    sorts = Counter(tuple(k for k, _ in one) for one in found.values())
    assert not others, f"{sorts} {list(others.items())[:3]}"


def test_shoes_as_they_are_dealt_are_right(
    tmp_path: Path, shoes_dealt: list[Shoe], table: TableRules
) -> None:
    rows = [one for shoe in shoes_dealt[:40] for rows in shoe for one in rows]
    path = tmp_path / "r.csv"
    lines = (",".join(one.values()) for one in rows)
    path.write_text("\n".join([",".join(rows[0]), *lines]), encoding="utf-8")
    report = verify_file(path, table)
    assert report.is_clean
    assert not report.unverified
