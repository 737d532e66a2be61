"""Published odds, met to their last digit by the census and the sheets.

The figures are other people's: each row of both files names its source. ``test_published_figures``
meets the first file by a full count of hands; here it is met by what the odds are made of.
"""

import csv
import re
from collections.abc import Callable
from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.baccarat.coup import Facts, Hand
from croupier.baccarat.wagers import LOSE
from croupier.law.values import Odds
from croupier.odds.census import Census, pair_census, point_census
from croupier.odds.sheet import OutcomeLine, WagerSheet, wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules, default_submission, table_rules
from support.texts import NJ_MINI

DATA: Final = Path(__file__).parents[1] / "data"


def rows_of(name: str) -> list[dict[str, str]]:
    with (DATA / name).open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file, delimiter="\t"))


FIGURES: Final = [(row["figure"], row["published"]) for row in rows_of("published_figures.tsv")]
ODDS: Final = [
    (int(row["decks"]), row["figure"], row["published"]) for row in rows_of("published_odds.tsv")
]

SCHEMES: Final = {"5%": "5%", "4%": "4%", "no-comm 6 pays 1:2": "six-pays-half"}
OFFERED: Final[dict[str, dict[str, Any]]] = {
    "bonus": {"wagers__bonus__offered": True, "wagers__bonus__paytable": "A"},
    "total_cards": {"wagers__total_cards__offered": True},
    "ez": {"vigorish__scheme": "dragon-7"},
}

ROUNDED_TWICE: Final = {"total 5 EV"}
"""Published as three times the rounded chance of five cards, less one."""


def plain(**elections: Any) -> TableRules:
    return table_rules(default_submission("us-nj/minibaccarat", NJ_MINI, **elections))


@cache
def census_of(decks: int) -> Census[Facts]:
    return point_census(ShoeComposition.of_decks(decks), plain().tableau)


def sheet_of(decks: int, wager: str, **elections: Any) -> WagerSheet:
    return wager_sheet(plain(**elections), wager, census_of(decks))


def ways_of(of_sheet: WagerSheet, line: str) -> int:
    return sum(one.ways for one in of_sheet.lines if one.outcome == line)


def against(lines: Census[bool], pays: Odds, wager: str = "own") -> WagerSheet:
    """Return the sheet of a wager that wins where the flag is set, and loses otherwise."""
    win = OutcomeLine("win", lines.get(True, 0), pays.ratio, won=True)
    lose = OutcomeLine(LOSE, lines.get(False, 0), Fraction(-1), won=False)
    return WagerSheet(wager, lines.total, (win, lose))


def is_panda_8(facts: Facts) -> bool:
    return facts.winner is Hand.PLAYER and facts.player_count == 8 and facts.player_cards == 3


def panda_8() -> WagerSheet:
    return against(census_of(8).by(is_panda_8), Odds(25, 1))


def dragon_bonus(hand: str) -> WagerSheet:
    return sheet_of(8, f"bonus_{hand}", **OFFERED["bonus"])


def integer(name: str) -> int | None:
    """Return the ways that a figure of the first file tells, if it tells any."""
    census = census_of(8)

    def ways(wanted: Callable[[Facts], bool]) -> int:
        return census.ways(wanted)

    if match := re.fullmatch(r"combinations win_([BPT])", name):
        winner = {"B": Hand.BANKER, "P": Hand.PLAYER, "T": None}[match[1]]
        return ways(lambda facts: facts.winner is winner)
    if match := re.fullmatch(r"Dragon Bonus (player|banker) (win(\d)|nat_win|nat_tie)", name):
        line = {"nat_win": "natural", "nat_tie": "push"}.get(match[2], f"win_by_{match[3]}")
        return ways_of(dragon_bonus(match[1]), line)
    if match := re.fullmatch(r"(player|banker) wins with (\d)( cards)?", name):
        fact = f"{match[1]}_cards" if match[3] else f"{match[1]}_count"
        hand, number = Hand(match[1]), int(match[2])
        return ways(lambda facts: facts.winner is hand and getattr(facts, fact) == number)
    if match := re.fullmatch(r"tie with (\d)", name):
        number = int(match[1])
        return ways(lambda facts: facts.winner is None and facts.player_count == number)
    if match := re.fullmatch(r"(player|banker) final total (\d)", name):
        fact, number = f"{match[1]}_count", int(match[2])
        return ways(lambda facts: bool(getattr(facts, fact) == number))
    if name == "Dragon 7 combinations":
        return ways_of(sheet_of(8, "dragon_7", **OFFERED["ez"]), "win")
    return ways_of(panda_8(), "win") if name == "Panda 8 combinations" else None


def decimal(name: str) -> Fraction:
    """Return the figure of the first file that is no whole number of ways."""
    if match := re.fullmatch(r"Dragon Bonus A (player|banker) HE%", name):
        return 100 * dragon_bonus(match[1]).house_edge
    if match := re.fullmatch(r"banker[ _](\S+|no-comm.*) HE%", name):
        scheme = SCHEMES[match[1].replace("pct", "%")]
        return 100 * sheet_of(8, "banker", vigorish__scheme=scheme).house_edge
    if match := re.fullmatch(r"tie_(\d)to1 HE%", name):
        return 100 * sheet_of(8, "tie", wagers__tie__pays=f"{match[1]}:1").house_edge
    if match := re.fullmatch(r"(?:P\(total cards=|total )(\d)(\)| EV)", name):
        wager = {"4": "four_cards", "5": "five_cards", "6": "six_cards"}[match[1]]
        total = sheet_of(8, wager, **OFFERED["total_cards"])
        return total.hit_frequency if match[2] == ")" else -total.house_edge
    return {
        "player HE%": lambda: 100 * sheet_of(8, "player").house_edge,
        "EZ banker HE%": lambda: 100 * sheet_of(8, "banker", **OFFERED["ez"]).house_edge,
        "Dragon 7 HE%": lambda: 100 * sheet_of(8, "dragon_7", **OFFERED["ez"]).house_edge,
        "Dragon 7 SD": lambda: Fraction(
            sheet_of(8, "dragon_7", **OFFERED["ez"]).standard_deviation
        ),
        "Panda 8 HE%": lambda: 100 * panda_8().house_edge,
    }[name]()


def assert_rounds_to(figure: Fraction, published: str, *, last: int = 1) -> None:
    """Hold a figure to what is published: half of its last digit, or ``last`` halves, is allowed."""
    unit = Fraction(1, 10 ** len(published.partition(".")[2]))
    assert abs(figure - Fraction(published)) <= last * unit / 2, float(figure)


@pytest.mark.parametrize(("name", "published"), FIGURES)
def test_a_published_figure_is_met_to_its_last_digit(name: str, published: str) -> None:
    ways = integer(name)
    if ways is not None:
        assert ways == int(published)
    else:
        assert_rounds_to(decimal(name), published, last=2 if name in ROUNDED_TWICE else 1)


WINNERS: Final = {"banker": Hand.BANKER, "player": Hand.PLAYER, "tie": None}


def figure(decks: int, name: str) -> Fraction:
    """Return a figure of the second file."""
    kind, of, *rest = name.split(" ")
    if rest[:1] == ["pair"]:
        return pair_figure(decks, kind, of, rest[-1])
    if kind in {"ways", "chance%"}:
        census, winner = census_of(decks), WINNERS[of]
        ways = census.ways(lambda facts: facts.winner is winner)
        return Fraction(ways) if kind == "ways" else Fraction(100 * ways, census.total)
    elections: dict[str, Any] = {}
    if of == "banker":
        elections = {"vigorish__scheme": rest[0]}
    elif of == "tie":
        elections = {"wagers__tie__pays": rest[0]}
    elif of == "dragon_7":
        elections = OFFERED["ez"]
    elif of.startswith("bonus"):
        elections = OFFERED["bonus"]
    of_sheet = sheet_of(decks, of, **elections)
    return 100 * (of_sheet.house_edge if kind == "edge%" else of_sheet.hit_frequency)


def pair_figure(decks: int, kind: str, hand: str, pays: str) -> Fraction:
    def has_pair(facts: Facts) -> bool:
        return facts.player_pair if hand == "player" else facts.banker_pair

    census = pair_census(ShoeComposition.of_decks(decks), plain().tableau).by(has_pair)
    pair = against(census, Odds.parse(pays) if ":" in pays else Odds(1, 1))
    return 100 * (pair.house_edge if kind == "edge%" else pair.hit_frequency)


@pytest.mark.parametrize(("decks", "name", "published"), ODDS)
def test_published_odds_of_other_decks_and_of_pairs_are_met_to_their_last_digit(
    decks: int, name: str, published: str
) -> None:
    assert_rounds_to(figure(decks, name), published)


def test_both_files_are_read_whole() -> None:
    assert len(FIGURES) == 86
    assert len(ODDS) == 36
