"""All that deals means the same: fed the same cards, or numbers, it counts the same."""

from collections import Counter

import numpy as np
import pytest
from msgspec.structs import replace

from croupier.odds.shoe import ShoeComposition
from croupier.rules import default_submission, table_rules
from croupier.simulation import lane_kernel, lanes
from croupier.simulation.lane_kernel import WIDTH
from croupier.simulation.lanes import FEW, LaneEngine
from croupier.simulation.plan import Plan, TallyResult, plan_of
from croupier.simulation.scalar import ScalarEngine
from croupier.simulation.shoes import tallied_shoes
from support.dealt_again import dealt_shoes, tally_shoes
from support.texts import NJ_MINI
from support.volume import spread, volume

LEVELS = ("counts", "pairs", "royals")


def plain() -> Plan:
    return plan_of(table_rules(default_submission("us-nj/minibaccarat", NJ_MINI)))


def tableaus() -> dict[str, Plan]:
    """Drawing tables by name: the law's, and one that no threshold tells."""
    lawful = plain()
    generator = np.random.default_rng(41)
    wild = lawful.course._replace(
        takes=generator.integers(0, 2, 8), draws=generator.integers(0, 2, (11, 8))
    )
    return {"lawful": lawful, "wild": replace(lawful, course=wild)}


def courses(plan: Plan) -> dict[str, Plan]:
    """Courses of a shoe by name."""
    course = plan.course
    return {
        "burned": plan,
        "unburned": replace(plan, course=course._replace(burns=0)),
        "three burned": replace(plan, course=course._replace(burns=0, burned=3)),
        "forty burned": replace(plan, course=course._replace(burns=0, burned=40)),
        "cut deep": replace(plan, course=course._replace(cards_behind=200)),
        "ends at first": replace(plan, course=course._replace(ends_at_first=1)),
        "three hands": replace(plan, course=course._replace(last_hands=3)),
        "ends at first, three hands": replace(
            plan, course=course._replace(last_hands=3, ends_at_first=1)
        ),
        "to the last card": replace(plan, course=course._replace(cards_behind=1, last_hands=9)),
        "continuous": replace(
            plan,
            course=course._replace(
                single=1, burns=0, cards_behind=0, last_hands=0, ends_at_first=0
            ),
        ),
    }


def shoes() -> dict[str, ShoeComposition]:
    """Shoes by name: the smallest, a great one, and an odd one with few of some cards."""
    odd = {"9h": 5, "9s": 1, "Kd": 9, "Jh": 2, "Qc": 40, "5c": 3, "6d": 30, "As": 7, "7h": 11}
    return {
        "one deck": ShoeComposition.of_decks(1),
        "sixteen decks": ShoeComposition.of_decks(16),
        "odd": ShoeComposition.of(odd),
    }


CASES = {
    **{
        f"{table}, {name}": plan
        for table, one in tableaus().items()
        for name, plan in courses(one).items()
    },
    **{f"{name} of cards": replace(plain(), shoe=shoe) for name, shoe in shoes().items()},
}


of_each_case = pytest.mark.parametrize(
    ("name", "level"), spread(((name, level) for name in CASES for level in LEVELS), 24)
)


@of_each_case
def test_the_scalar_engine_counts_what_the_lanes_counted_of_the_same_cards(
    name: str, level: str
) -> None:
    plan, blocks = replace(CASES[name], level=level), volume(2, 1, most=3)
    played, dealt = dealt_shoes(LaneEngine(plan, 2011), 5, blocks)
    assert len(dealt) == played.shoes == blocks * WIDTH
    whole = Counter(plan.cards)
    assert all(Counter(shoe) == whole for shoe in dealt.tolist())
    again = tally_shoes(plan, dealt)
    assert again.cells.tolist() == played.cells.tolist()
    assert again.royals.tolist() == played.royals.tolist()
    assert again.lengths.tolist() == played.lengths.tolist()
    assert again.shoes == played.shoes


def as_lists(played: TallyResult) -> list[object]:
    return [
        played.shoes,
        *(array.tolist() for array in (played.cells, played.royals, played.lengths)),
    ]


@of_each_case
def test_a_few_rounds_are_those_of_the_kernel_that_is_not_loaded_for_them(
    name: str, level: str
) -> None:
    plan = replace(CASES[name], level=level)
    assert lanes.WIDTH == lane_kernel.WIDTH
    for block, most in ((0, 1), (2, 65), (7, 4_000)):
        played = lanes.few_rounds(plan, 31, block, most)
        if level == "royals" or plan.course.single:
            # Suits, and shoes of one round, are the kernel's.
            assert played is None
        else:
            assert played is not None
            assert as_lists(played) == as_lists(LaneEngine(plan, 31).play(block, most))
    assert lanes.few_rounds(plan, 31, 0, FEW + 1) is None


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", [name for name, plan in CASES.items() if not plan.course.single])
def test_shoes_side_by_side_are_the_first_of_each_stream(name: str, level: str) -> None:
    plan, shoes = replace(CASES[name], level=level), volume(20, 10, most=40)
    (found,) = tallied_shoes(plan, 2011, shoes)
    for stream in range(shoes):
        rounds = int(found.cells[stream].sum())
        played = ScalarEngine(plan, 2011).play(stream, rounds)
        assert played.cells.tolist() == found.cells[stream].tolist()
        assert played.royals.tolist() == found.royals[stream].tolist()
        # The shoe has no round more: the next one begins another.
        assert ScalarEngine(plan, 2011).play(stream, rounds + 1).shoes == 1
