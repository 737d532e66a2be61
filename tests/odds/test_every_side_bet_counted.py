"""Every line of every side bet that is given as an example, counted again by what imports nothing."""

from __future__ import annotations

from fractions import Fraction
from functools import cache
from math import perm
from typing import Final

import pytest

from croupier.odds.chances import census_of
from croupier.odds.custom_wagers import read_wager
from croupier.odds.sheet import wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import default_submission, table_rules
from support.oracles.side_bets import Lines, side_bets
from support.project import ROOT
from support.texts import NJ_MINI
from support.volume import spread

FOLDER: Final = ROOT / "docs" / "examples" / "side-bets"
NAMES: Final = sorted(path.stem for path in FOLDER.glob("*.toml"))
PLAIN: Final = table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))
SHOES: Final = [
    *((name, 8) for name in spread(NAMES, 18)),
    *((name, 6) for name in spread([name for name in NAMES if name != "jackpot"], 12)),
]
"""Three cards of a hand by rank and suit take the program seconds: one shoe is enough of them."""

counted = cache(side_bets)


def edge(lines: Lines, total: int) -> Fraction:
    """What is not won back: the stake, less each line with the stake that it returns."""
    return 1 - sum(((pays + 1) * ways for pays, ways in lines.values()), Fraction()) / total


def test_every_example_is_counted() -> None:
    assert sorted(counted(8)) == NAMES
    assert len(NAMES) >= 35


def test_figures_known_by_hand() -> None:
    # The second of two cards is one of 31 of 415 of the rank of the first; the fourth too.
    total = perm(416, 6)
    found = counted(8)
    assert Fraction(found["player-pair"]["win"][1], total) == Fraction(31, 415)
    # Out of 4,998,398,275,503,360 orders, by Wizard of Odds.
    assert found["fortune-7"]["win"][1] == 112_633_011_329_024
    assert found["golden-8"]["win"][1] == 172_660_763_262_976


@pytest.mark.parametrize(("name", "decks"), SHOES)
def test_every_line_is_hit_as_often_as_by_dealing(name: str, decks: int) -> None:
    lines = counted(decks)[name]
    offer = read_wager(FOLDER / f"{name}.toml")
    rules = PLAIN.with_offers(offer)
    ways = census_of(ShoeComposition.of_decks(decks), rules, offer.wager.asks)
    found = wager_sheet(rules, offer.wager.id, ways, meters=rules.meter_seeds)
    total = perm(52 * decks, 6)
    assert found.total == total
    of_lines = {line.outcome: (line.net, line.ways) for line in found.lines}
    lost = total - sum(number for _, number in lines.values())
    assert of_lines == {**lines, "lose": (Fraction(-1), lost)}
    assert found.house_edge == edge(lines, total)
