"""The kernels give the census of plain Python, whole number by whole number."""

import subprocess
import sys
from collections.abc import Sequence
from math import perm
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.baccarat.coup import Facts, Tableau
from croupier.odds.census import point_census, point_ways
from croupier.odds.kernel import MOST_KERNEL_CARDS, Kernel
from croupier.odds.lanes import LANES
from croupier.odds.shoe import ShoeComposition, ShoeError
from croupier.rules import default_submission, table_rules
from support.texts import NJ_MINI
from support.volume import volume

STANDARD = table_rules(default_submission("us-nj/minibaccarat", NJ_MINI)).tableau
KERNEL = Kernel(STANDARD)

flags = st.booleans()
tableaux = st.builds(
    Tableau,
    st.tuples(*[flags] * 10),
    st.tuples(*[st.tuples(*[flags] * 11)] * 10),
)


@st.composite
def shoes(draw: st.DrawFn) -> tuple[int, ...]:
    """Ten numbers of cards: even or uneven, few or many, some values gone."""
    most = draw(st.sampled_from([1, 4, 32, 83]))
    left = draw(st.tuples(*[st.integers(0, most)] * 10))
    if draw(flags):
        left = (*left[:9], left[9] + max(0, 6 - sum(left)))
    else:
        left = (left[0] + max(0, 6 - sum(left)), *left[1:])
    # One value may make up the whole shoe.
    if draw(st.integers(0, 9)) == 0:
        value = draw(st.integers(0, 9))
        return tuple(832 if one == value else 0 for one in range(10))
    return left


def expected(kernel: Kernel, left: Sequence[int]) -> list[int]:
    ways = point_ways(left, kernel.tableau)
    assert set(ways) <= set(kernel.facts)
    return [ways.get(facts, 0) for facts in kernel.facts]


@settings(max_examples=volume(25, 12, most=100), deadline=None)
@given(shoes(), st.just(STANDARD) | tableaux)
def test_one_shoe_has_the_census_of_plain_python(left: tuple[int, ...], tableau: Tableau) -> None:
    kernel = Kernel(tableau)
    assert kernel.many([left]).tolist() == [expected(kernel, left)]


@settings(max_examples=volume(6, 3, most=20), deadline=None)
@given(st.lists(shoes(), min_size=1, max_size=2 * LANES + 1), st.just(STANDARD) | tableaux)
def test_many_shoes_have_each_the_census_of_plain_python(
    many: list[tuple[int, ...]], tableau: Tableau
) -> None:
    kernel = Kernel(tableau)
    ways = kernel.many(many)
    assert ways.tolist() == [expected(kernel, left) for left in many]


def test_many_shoes_are_those_of_plain_python_and_add_up() -> None:
    generator = np.random.default_rng(19_477)
    uneven = generator.integers(0, 83, (3_000, 10))
    depleted = generator.integers(0, 5, (3_000, 10)) + np.eye(10, dtype=np.int64)[0] * 6
    for left in (uneven[uneven.sum(axis=1) >= 6], depleted):
        ways = KERNEL.many(left)
        assert [expected(KERNEL, row) for row in left[:40].tolist()] == ways[:40].tolist()
        cards = left.sum(axis=1).tolist()
        assert [sum(row) for row in ways.tolist()] == [perm(number, 6) for number in cards]


@pytest.mark.parametrize("decks", [1, 8, 16])
def test_whole_decks_are_counted_exactly(decks: int) -> None:
    shoe = ShoeComposition.of_decks(decks)
    many = KERNEL.many([shoe.by_value] * (LANES + 1))
    assert set(map(tuple, many.tolist())) == {tuple(expected(KERNEL, shoe.by_value))}


def test_the_most_ways_of_sixteen_decks_fit_an_integer_of_64_bits() -> None:
    assert perm(MOST_KERNEL_CARDS, 6) < 2**63
    # And what the lanes hold in doubles before the last step: five cards in order, with room.
    assert 16 * perm(MOST_KERNEL_CARDS, 5) < 2**53


def test_the_classes_of_the_tableau_are_205() -> None:
    assert len(KERNEL.facts) == 205
    assert set(KERNEL.facts) == set(point_census(ShoeComposition.of_decks(8), STANDARD))
    assert Facts(0, 9, 2, 2) in KERNEL.facts


def test_an_array_that_is_given_is_filled() -> None:
    left = [ShoeComposition.of_decks(8).by_value] * 3
    ways = np.zeros((3, 205), dtype=np.int64)
    assert KERNEL.many(left, ways) is ways
    assert ways.sum(axis=1).tolist() == [perm(416, 6)] * 3
    with pytest.raises(ValueError, match="ways must be"):
        KERNEL.many(left, np.zeros((2, 205), dtype=np.int64))


def test_no_shoe_has_no_ways() -> None:
    assert KERNEL.many(np.zeros((0, 10), dtype=np.int64)).shape == (0, 205)


@pytest.mark.parametrize(
    "left",
    [
        [32] * 9,
        [32.5] * 10,
        ["32"] * 10,
        [*[32] * 9, -1],
        [1, 4, *[0] * 8],
        [833, *[0] * 9],
        [84] * 10,
        [2**62, 2**62, *[32] * 8],
    ],
)
def test_what_is_no_shoe_of_sixteen_decks_is_refused(left: list[Any]) -> None:
    with pytest.raises(ShoeError):
        KERNEL.many([[32] * 10, left])


def test_the_odds_of_one_shoe_import_neither_numba_nor_numpy() -> None:
    program = (
        "import sys, croupier.odds.census, croupier.odds.par; print([name for name in sys.modules"
        " if name in {'numba', 'numpy', 'llvmlite'}])"
    )
    found = subprocess.run(  # noqa: S603  (our own program, in our own words)
        [sys.executable, "-c", program], check=True, capture_output=True, text=True
    )
    assert found.stdout.strip() == "[]"
