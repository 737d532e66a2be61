"""Published figures of the game, from a full count through the same code that deals and settles.

Every coup of the first six cards of a shoe of eight decks is counted, one card standing for all
cards of its value. The figures are other people's: each row of the file names its source.
"""

import csv
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from fractions import Fraction
from math import perm, sqrt
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.baccarat.cards import parse_cards
from croupier.baccarat.coup import Coup, Facts, Hand
from croupier.baccarat.wagers import WAGERS
from croupier.money.settlement import Stake, settle
from croupier.rules import Outcome, TableRules, default_submission, table_rules
from support.texts import NJ_MINI

Census = Mapping[Facts, int]

DECKS: Final = 8
CARDS: Final = 52 * DECKS
ALL_WAYS: Final = perm(CARDS, 6)

# One card of each value; of the value zero there are four ranks.
OF_VALUE: Final = parse_cards("Kc Ac 2c 3c 4c 5c 6c 7c 8c 9c")
SHOE: Final = (16 * DECKS, *[4 * DECKS] * 9)

PANDA_8_PAYS: Final = 25
STAKE_CENTS: Final = 10000

ROUNDED_TWICE: Final = {"total 5 EV"}
"""Published as three times the rounded chance of five cards, less one."""

with (Path(__file__).parent / "data" / "published_figures.tsv").open(
    encoding="utf-8", newline=""
) as file:
    PUBLISHED: Final = [
        (row["figure"], row["published"]) for row in csv.DictReader(file, delimiter="\t")
    ]


def plain(**elections: Any) -> TableRules:
    return table_rules(default_submission("us-nj/minibaccarat", NJ_MINI, **elections))


def count_coups(coup: Coup, left: list[int], ways: int, dealt: int, census: Counter[Facts]) -> None:
    """Add every way in which a coup may go on, each counted over six cards of the shoe."""
    if coup.is_complete:
        # The cards up to the sixth that the coup does not take may be any that are left.
        census[coup.facts] += ways * perm(CARDS - dealt, 6 - dealt)
        return
    for value, card in enumerate(OF_VALUE):
        number = left[value]
        left[value] -= 1
        count_coups(coup.with_card(card), left, ways * number, dealt + 1, census)
        left[value] += 1


@pytest.fixture(scope="module")
def census() -> Census:
    counted: Counter[Facts] = Counter()
    count_coups(Coup(plain().tableau), list(SHOE), 1, 0, counted)
    return counted


def ways(census: Census, wanted: Callable[[Facts], bool]) -> int:
    return sum(number for facts, number in census.items() if wanted(facts))


def line_ways(census: Census, wager: str, lines: Iterable[str]) -> int:
    return ways(census, lambda facts: WAGERS[wager].line_of(facts) in set(lines))


def returns(rules: TableRules, facts: Facts, wager: str) -> int:
    """Return what one wager wins or loses on a coup, vigorish deducted, in cents."""
    (settled,) = settle(rules, facts, {(1, wager): Stake(STAKE_CENTS)})
    lost = STAKE_CENTS if settled.decision.outcome is Outcome.LOSE else 0
    return settled.won_cents - lost - settled.vigorish_cents


def expectation(census: Census, wager: str, **elections: Any) -> Fraction:
    """Return what one unit on a wager wins on average."""
    rules = plain(**elections)
    total = sum(number * returns(rules, facts, wager) for facts, number in census.items())
    return Fraction(total, ALL_WAYS * STAKE_CENTS)


def deviation(census: Census, wager: str, **elections: Any) -> Fraction:
    rules = plain(**elections)
    mean = expectation(census, wager, **elections)
    square = sum(number * returns(rules, facts, wager) ** 2 for facts, number in census.items())
    return Fraction(sqrt(Fraction(square, ALL_WAYS * STAKE_CENTS**2) - mean**2))


def is_panda_8(facts: Facts) -> bool:
    return facts.winner is Hand.PLAYER and facts.player_count == 8 and facts.player_cards == 3


BONUS = {"wagers__bonus__offered": True, "wagers__bonus__paytable": "A"}
TOTAL_CARDS = {"wagers__total_cards__offered": True}
DRAGON_7 = {"vigorish__scheme": "dragon-7"}

# The figures that are means, by the name under which they are published: wager and elections.
EDGES: Final[dict[str, tuple[str, dict[str, Any]]]] = {
    "Dragon Bonus A player HE%": ("bonus_player", BONUS),
    "Dragon Bonus A banker HE%": ("bonus_banker", BONUS),
    "EZ banker HE%": ("banker", DRAGON_7),
    "Dragon 7 HE%": ("dragon_7", DRAGON_7),
    "banker 5% HE%": ("banker", {"vigorish__scheme": "5%"}),
    "banker_5pct HE%": ("banker", {"vigorish__scheme": "5%"}),
    "banker_4pct HE%": ("banker", {"vigorish__scheme": "4%"}),
    "banker no-comm 6 pays 1:2 HE%": ("banker", {"vigorish__scheme": "six-pays-half"}),
    "player HE%": ("player", {}),
    "tie_9to1 HE%": ("tie", {"wagers__tie__pays": "9:1"}),
    "tie_8to1 HE%": ("tie", {"wagers__tie__pays": "8:1"}),
}
WAGER_OF_TOTAL: Final = {4: "four_cards", 5: "five_cards", 6: "six_cards"}


def counted(name: str, census: Census) -> int | None:
    """Return the ways behind a figure that is a whole number of them."""
    if match := re.fullmatch(r"combinations win_([BPT])", name):
        winner = {"B": Hand.BANKER, "P": Hand.PLAYER, "T": None}[match[1]]
        return ways(census, lambda facts: facts.winner is winner)
    if match := re.fullmatch(r"Dragon Bonus (player|banker) (win(\d)|nat_win|nat_tie)", name):
        line = {"nat_win": "natural", "nat_tie": "push"}.get(match[2], f"win_by_{match[3]}")
        return line_ways(census, f"bonus_{match[1]}", [line])
    if match := re.fullmatch(r"(player|banker) wins with (\d) cards", name):
        hand, cards = Hand(match[1]), int(match[2])
        return ways(
            census,
            lambda facts: facts.winner is hand and getattr(facts, f"{hand.value}_cards") == cards,
        )
    if match := re.fullmatch(r"(player|banker) wins with (\d)", name):
        hand, count = Hand(match[1]), int(match[2])
        return ways(
            census,
            lambda facts: facts.winner is hand and getattr(facts, f"{hand.value}_count") == count,
        )
    if match := re.fullmatch(r"tie with (\d)", name):
        count = int(match[1])
        return ways(census, lambda facts: facts.winner is None and facts.player_count == count)
    if match := re.fullmatch(r"(player|banker) final total (\d)", name):
        count_of, count = f"{match[1]}_count", int(match[2])
        return ways(census, lambda facts: getattr(facts, count_of) == count)
    if name == "Dragon 7 combinations":
        return line_ways(census, "dragon_7", ["win"])
    return ways(census, is_panda_8) if name == "Panda 8 combinations" else None


def measured(name: str, census: Census) -> Fraction:
    """Return the mean or the chance behind a figure."""
    if name in EDGES:
        wager, elections = EDGES[name]
        return -100 * expectation(census, wager, **elections)
    if match := re.fullmatch(r"P\(total cards=(\d)\)", name):
        number = line_ways(census, WAGER_OF_TOTAL[int(match[1])], ["win"])
        return Fraction(number, ALL_WAYS)
    if match := re.fullmatch(r"total (\d) EV", name):
        return expectation(census, WAGER_OF_TOTAL[int(match[1])], **TOTAL_CARDS)
    if name == "Panda 8 HE%":
        chance = Fraction(ways(census, is_panda_8), ALL_WAYS)
        return 100 * (1 - (PANDA_8_PAYS + 1) * chance)
    if name == "Dragon 7 SD":
        return deviation(census, "dragon_7", **DRAGON_7)
    raise KeyError(name)


def test_the_census_holds_every_order_of_six_cards_of_the_shoe(census: Census) -> None:
    assert ALL_WAYS == 4_998_398_275_503_360
    assert sum(census.values()) == ALL_WAYS


@pytest.mark.parametrize(("name", "published"), PUBLISHED)
def test_a_published_figure_is_met_to_its_last_digit(
    name: str, published: str, census: Census
) -> None:
    number = counted(name, census)
    if number is not None:
        assert number == int(published)
        return
    digits = len(published.partition(".")[2])
    unit = Fraction(1, 10**digits)
    allowed = unit if name in ROUNDED_TWICE else unit / 2
    assert abs(measured(name, census) - Fraction(published)) <= allowed


def test_the_file_of_figures_is_read_whole() -> None:
    assert len(PUBLISHED) == 86
    assert len({name for name, _ in PUBLISHED}) == 86
