"""Both engines deal by the exact law of a round, and nothing that it calls impossible.

A round from a whole shoe has that law, and so has any round that is dealt in every shoe, as the
cards after those that were seen are as likely to be any as the first were. Rounds near the end of a
shoe are dealt in some shoes only, those whose earlier rounds took few cards: they are left out.
"""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from msgspec.structs import replace

from croupier.odds.arrays import Floats
from croupier.odds.census import pair_census, royal_census
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules, default_submission, table_rules
from croupier.simulation.engines import ENGINES, engine_of
from croupier.simulation.lane_kernel import CELL
from croupier.simulation.lanes import LaneEngine
from croupier.simulation.plan import (
    PAIR_CELLS,
    WHOLE,
    Plan,
    SimulationError,
    facts_of,
    plan_of,
    royals_of,
)
from croupier.simulation.scalar import replay_block
from support.chi_square import deviation
from support.dealt_again import tally_shoes
from support.texts import DAYS

LAWS: dict[str, dict[str, str]] = {
    "us-nj/minibaccarat": {},
    "us-ny/mini-midi-baccarat": {"T36": "new-jersey-family", "T41": "literal"},
}


def rules_of(law: str) -> TableRules:
    return table_rules(replace(default_submission(law, DAYS[law]), readings=LAWS[law]))


def continuous(plan: Plan) -> Plan:
    """Return the plan with each round dealt from a whole shoe."""
    course = plan.course._replace(single=1, burns=0, cards_behind=0, last_hands=0, ends_at_first=0)
    return replace(plan, course=course)


def chances(plan: Plan, rules: TableRules) -> Floats:
    """Return the exact chance of each cell of pairs."""
    census = pair_census(plan.shoe, rules.tableau)
    return np.array([census.get(facts, 0) / census.total for facts in facts_of(PAIR_CELLS)])


def agrees(counted: npt.NDArray[Any], exact: Floats) -> bool:
    """Tell whether counts are what the exact law may give; cells hardly ever met count as one."""
    assert not counted[exact == 0].any(), "an impossible coup"
    expected = exact * counted.sum()
    often = expected > 10
    rare = ~often & (exact > 0)
    if rare.any():
        often = np.append(often, True)
        counted, expected = (np.append(one, one[rare].sum()) for one in (counted, expected))
    return deviation(counted[often], expected[often]) < 4


@pytest.mark.parametrize("law", LAWS)
@pytest.mark.parametrize("name", ENGINES)
def test_rounds_from_whole_shoes_have_the_exact_law(name: str, law: str) -> None:
    rules = rules_of(law)
    plan = continuous(replace(plan_of(rules), level="pairs"))
    engine = engine_of(plan, 4, name)
    blocks = 8 if name == "lanes" else 2000
    counted = sum(
        (engine.play(block, WHOLE).cells for block in range(blocks)), np.zeros(1, dtype=np.int64)
    )
    assert agrees(counted, chances(plan, rules))


@pytest.mark.parametrize("name", ENGINES)
def test_suits_of_rounds_from_whole_shoes_have_the_exact_law(name: str) -> None:
    rules = rules_of("us-nj/minibaccarat")
    plan = continuous(replace(plan_of(rules), level="royals"))
    engine = engine_of(plan, 4, name)
    blocks = 8 if name == "lanes" else 2000
    counted = sum(
        (engine.play(block, WHOLE).royals for block in range(blocks)), np.zeros(1, dtype=np.int64)
    )
    census = royal_census(ShoeComposition.of_decks(8))
    assert agrees(counted, np.array([census.get(hands, 0) / census.total for hands in royals_of()]))


def test_the_sixtieth_round_of_a_shoe_has_the_exact_law() -> None:
    rules = rules_of("us-nj/minibaccarat")
    plan = replace(plan_of(rules), level="pairs")
    exact = chances(plan, rules)
    engine = LaneEngine(plan, 8)
    cells = np.concatenate([engine.replay(block, 1)[1][59, CELL] for block in range(1000)])
    assert agrees(np.bincount(cells, minlength=PAIR_CELLS), exact)
    single = continuous(plan)
    counted = np.zeros(PAIR_CELLS)
    for block in range(30):
        told = replay_block(plan, 8, block)
        cards = told.cards[told.round == 59]
        # Whatever stands where no card was drawn is never read.
        counted += tally_shoes(single, np.where(cards == 255, 0, cards).astype(np.uint8)).cells
    assert agrees(counted, exact)


@pytest.mark.parametrize("name", ENGINES)
def test_a_shoe_of_eight_decks_has_eighty_one_rounds_and_a_half(name: str) -> None:
    plan = plan_of(rules_of("us-nj/minibaccarat"))
    played = engine_of(plan, 6, name).play(0, WHOLE)
    again = engine_of(plan, 6, name).play(1, WHOLE)
    both = played.plus(again)
    assert both.rounds / both.shoes == pytest.approx(81.49, abs=0.1)


def test_the_literal_row_is_no_threshold() -> None:
    """Against an ace Banker draws with three, and stands with less."""
    plan = plan_of(rules_of("us-ny/mini-midi-baccarat"))
    assert plan.course.draws[1, :4].tolist() == [0, 0, 0, 1]


def test_a_shoe_that_the_burn_may_empty_is_refused() -> None:
    rules = rules_of("us-nj/minibaccarat")
    odd = ShoeComposition.of({"Kd": 10, "2c": 6})
    with pytest.raises(SimulationError, match="16 cards: the burn may take 11 and a round 6"):
        plan_of(rules, shoe=odd)
    assert plan_of(rules, shoe=ShoeComposition.of({"Kd": 10, "2c": 7})).shoe.cards == 17
