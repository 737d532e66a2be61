"""Each fault of an engine, many times among right shoes: told once each time, with its kind, in its shoe."""

import random
from collections import Counter
from itertools import groupby
from pathlib import Path
from typing import Final

import pytest

from croupier.rules import read_submission, table_rules
from croupier.verify.rounds.file import verify_file
from support.external_rounds import House, Round, csv_lines, shoes
from support.mutations import MUTATIONS
from support.project import ROOT
from support.volume import spread, volume

NJ = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))
FIVE = ("player", "banker", "tie", "bonus_player", "bonus_banker")
MOST: Final = volume(50, 10, most=500)


def right(number: int) -> list[list[Round]]:
    rounds = shoes(House(FIVE), number, seed=2026, stakes=range(2_500, 25_000, 500))
    return [list(shoe) for _, shoe in groupby(rounds, key=lambda one: one.shoe)]


@pytest.fixture(scope="module")
def shoes_dealt() -> list[list[Round]]:
    return right(MOST)


def told(path: Path, spoiled: list[list[Round]]) -> dict[str, list[tuple[str, str]]]:
    """Return what is told of each shoe: kinds and messages."""
    rounds = [one for shoe in spoiled for one in shoe]
    # Cards of a rank alone are written so, without the sign for a suit that nobody told.
    lines = (line.replace("?", "") for line in csv_lines(rounds, FIVE))
    path.write_text("\n".join(lines), encoding="utf-8")
    found: dict[str, list[tuple[str, str]]] = {str(shoe[0].shoe): [] for shoe in spoiled}
    for one in verify_file(path, NJ).divergences:
        found[one.shoe].append((one.kind, one.message))
    return found


ADDED = {
    *("a third card too many for Player", "a third card too many for Banker"),
    *("a fourth card for Player", "a fourth card for Banker"),
}
"""Mutations that add a card to a hand of a shoe that is recorded to its end."""


@pytest.mark.parametrize("name", spread(MUTATIONS, 11))
def test_a_mutation_is_told_once_with_its_kind(
    tmp_path: Path, shoes_dealt: list[list[Round]], name: str
) -> None:
    kind, mutate = MUTATIONS[name]
    chance = random.Random(name)
    spoiled = [done for shoe in shoes_dealt if (done := mutate(shoe, chance)) is not None]
    found = told(tmp_path / "r.csv", spoiled)
    # A card that is added counts for its shoe, which may not hold another one like it.
    kinds = [[kind], [kind, "composition"]] if name in ADDED else [[kind]]
    wrong = {shoe: one for shoe, one in found.items() if [k for k, _ in one] not in kinds}
    sorts = Counter(tuple(k for k, _ in one) for one in found.values())
    assert not wrong, f"{sorts} {list(wrong.items())[:3]}"
    assert len(spoiled) >= MOST * 9 // 10
