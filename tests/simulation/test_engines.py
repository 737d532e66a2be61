"""Both engines deal blocks that are the same each time, and as many rounds as are asked for."""

from hashlib import sha256

import pytest
from msgspec.structs import replace

from croupier.rules import default_submission, table_rules
from croupier.simulation.engines import ENGINES, engine_of, on_threads, run
from croupier.simulation.plan import WHOLE, Plan, SimulationError, TallyResult, plan_of
from support.texts import NJ_MINI

LEVELS = ("counts", "pairs", "royals")


def plan(level: str) -> Plan:
    return replace(
        plan_of(table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))), level=level
    )


def as_lists(played: TallyResult) -> list[object]:
    arrays = (played.cells, played.royals, played.lengths)
    return [played.shoes, *(array.tolist() for array in arrays)]


def test_the_fastest_engine_is_the_one_taken_unless_told() -> None:
    assert engine_of(plan("counts"), 1).name == "lanes"
    assert [engine_of(plan("counts"), 1, name).name for name in ENGINES] == ["lanes", "scalar"]


def test_an_engine_that_there_is_not_is_refused_with_those_that_there_are() -> None:
    with pytest.raises(SimulationError, match="no engine 'gpu': write one of lanes, scalar"):
        engine_of(plan("counts"), 1, "gpu")


@pytest.mark.parametrize("level", LEVELS)
@pytest.mark.parametrize("name", ENGINES)
def test_a_block_is_the_same_each_time_and_no_other_is(name: str, level: str) -> None:
    engine, again = (engine_of(plan(level), 11, name) for _ in range(2))
    assert as_lists(engine.play(3, 70_000)) == as_lists(again.play(3, 70_000))
    assert as_lists(engine.play(3, 70_000)) != as_lists(engine.play(4, 70_000))
    assert as_lists(engine.play(3, 70_000)) != as_lists(
        engine_of(plan(level), 12, name).play(3, 70_000)
    )


GOLDEN = {"lanes": "e4ab09d8f6817c6f", "scalar": "265bfe8213636bf5"}


@pytest.mark.parametrize("name", ENGINES)
def test_a_seed_names_the_same_result_in_every_version_and_on_every_machine(name: str) -> None:
    played = engine_of(plan("royals"), 5, name).play(3, 50_000)
    told = b"".join(array.astype("<i8").tobytes() for array in (played.cells, played.royals))
    assert sha256(told).hexdigest()[:16] == GOLDEN[name]


@pytest.mark.parametrize("name", ENGINES)
def test_a_block_may_be_dealt_as_far_as_asked_for(name: str) -> None:
    engine = engine_of(plan("royals"), 5, name)
    whole = engine.play(0, WHOLE)
    before = engine.play(0, 0)
    for most in (0, 1, 63, 64, 65, 1000, 70_001, whole.rounds - 1, whole.rounds):
        played = engine.play(0, most)
        assert played.rounds == most
        assert played.royals.sum() == most
        assert played.lengths.sum() == played.shoes
        # What was dealt before is dealt again, and only ever more.
        for name_of in ("cells", "royals", "lengths"):
            assert (getattr(played, name_of) >= getattr(before, name_of)).all()
        before = played
    assert as_lists(engine.play(0, whole.rounds)) == as_lists(whole)


@pytest.mark.parametrize("name", ENGINES)
def test_the_number_of_threads_changes_no_result(name: str) -> None:
    engine = engine_of(plan("pairs"), 5, name)
    found = []
    for threads in (1, 3):
        blocks = list(run(engine, on_threads(threads), 300_000))
        total = blocks[0]
        for block in blocks[1:]:
            total = total.plus(block)
        assert total.rounds == 300_000
        found.append(as_lists(total))
    assert found[0] == found[1]
