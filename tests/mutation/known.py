"""Shows a few slips, each to one test that must tell it, and prints those that pass.

It runs in a process of its own, as the package must not have been imported before.
"""

import json
import os
import sys
from pathlib import Path
from typing import Final, NamedTuple

from mutation.mutants import Mutant
from mutation.runner import TIMED_OUT, Measured, Question, Ranking, ask_imported

ROOT: Final = Path(__file__).parents[2]


class Slip(NamedTuple):
    """A line of a module, what a slip makes of it, and the test that must tell."""

    module: str
    right: str
    wrong: str
    test: str
    told: str | None = None
    """What is told in place of the test's name."""


NJ: Final = "tests/nj_minibaccarat"
WAGERS: Final = f"{NJ}/test_7_2_wagers.py"
ODDS: Final = f"{NJ}/test_7_3_payout_odds_and_vigorish.py"

SLIPS: Final = (
    Slip(
        "baccarat/coup", "NATURALS: Final = frozenset({8, 9})", "NATURALS: Final = frozenset({9})",
        f"{WAGERS}::test_a_bonus_is_void_between_equal_naturals[8]",
    ),
    Slip(
        "baccarat/wagers/shapes", "BONUS_LEAST_MARGIN: Final = 4", "BONUS_LEAST_MARGIN: Final = 5",
        f"{WAGERS}::test_a_two_card_seven_is_no_natural_and_wins_by_four_against_three",
    ),
    Slip(
        "money/settlement", "Fraction(ceil(exact / unit) * unit)", "Fraction(floor(exact / unit) * unit)",
        f"{ODDS}::test_vigorish_is_rounded_for_each_wager_by_itself",
    ),
    Slip(
        "money/settlement", "return waiving >= banker_stake.cents", "return waiving > banker_stake.cents",
        f"{ODDS}::test_vigorish_is_waived_where_total_cards_wagers_reach_the_banker_wager[as much]",
    ),
    # What never ends is stopped after its steps.
    Slip(
        "baccarat/coup", "    return cards == 2 and count in NATURALS", "    while cards:\n        pass\n    return False",
        f"{WAGERS}::test_a_bonus_is_void_between_equal_naturals[8]", TIMED_OUT,
    ),
    # No slip at all: a runner for which everything fails would tell this one too.
    Slip("rules/offers", "return self.decisions[line_of(facts)]", "return self.decisions[line_of(facts)]", f"{ODDS}::test_a_winning_player_wager_is_paid_one_to_one"),
)  # fmt: skip


def asked(slip: Slip) -> str:
    """Return which test told the slip, or what else came of it; nothing where it passed."""
    path = ROOT / "src" / "croupier" / f"{slip.module}.py"
    source = path.read_text(encoding="utf-8")
    if source.count(slip.right) != 1:
        return f"{slip.right!r} stands {source.count(slip.right)} times in {slip.module}"
    changed = source.replace(slip.right, slip.wrong)
    mutant = Mutant(1, "", "", "", changed)
    question = Question(f"croupier.{slip.module.replace('/', '.')}", path, mutant)
    measured = Measured({slip.test: 1_000_000}, {str(path): {1: {slip.test}}})
    return ask_imported(question, Ranking(measured))


if __name__ == "__main__":
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT / "src"))
    sys.stdout.write(json.dumps([asked(slip) for slip in SLIPS]))
