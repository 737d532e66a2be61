"""The tail of chi-square is that of its series, and that of the printed tables."""

from fractions import Fraction
from math import exp, factorial, inf

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.odds.tails import chi_square_quantile, chi_square_tail, errors_around

TABLE = [
    # degrees of freedom, chance, value: as any table of chi-square prints them
    (1, 0.05, 3.841), (1, 0.001, 10.828), (2, 0.01, 9.210), (5, 0.95, 1.145), (10, 0.05, 18.307),
    (10, 0.999, 1.479), (30, 0.001, 59.703), (50, 0.5, 49.335), (100, 0.05, 124.342),
    (100, 0.001, 149.449), (100, 0.999, 61.918),
]  # fmt: skip


@pytest.mark.parametrize(("degrees", "chance", "value"), TABLE)
def test_the_printed_tables(degrees: int, chance: float, value: float) -> None:
    assert chi_square_quantile(chance, degrees) == pytest.approx(value, abs=6e-4)
    assert chi_square_tail(value, degrees) == pytest.approx(chance, rel=2e-3)


def erlang(value: float, degrees: int) -> float:
    """The tail for even degrees of freedom: that of as many arrivals in a Poisson stream, half."""
    half = Fraction(value) / 2
    return float(sum(half**n / factorial(n) for n in range(degrees // 2))) * exp(-value / 2)


@given(st.integers(1, 60), st.floats(0.01, 250))
def test_even_degrees_against_their_closed_form(half: int, value: float) -> None:
    expected = erlang(value, 2 * half)
    assert chi_square_tail(value, 2 * half) == pytest.approx(expected, rel=1e-9, abs=1e-12)


@pytest.mark.parametrize("degrees", [1, 3, 204, 672, 2400])
@pytest.mark.parametrize("chance", [1e-6, 0.0005, 0.3, 0.9, 0.9995])
def test_a_quantile_is_reached_with_its_chance(degrees: int, chance: float) -> None:
    assert chi_square_tail(chi_square_quantile(chance, degrees), degrees) == pytest.approx(chance)


def test_the_ends_of_the_line() -> None:
    assert chi_square_tail(0, 5) == 1
    assert chi_square_tail(-1, 5) == 1
    assert chi_square_tail(inf, 5) == 0
    assert chi_square_tail(1e7, 5) == 0


def test_an_interval_of_99_percent_reaches_two_and_a_half_errors() -> None:
    assert errors_around(0.01) == pytest.approx(2.5758293)
    assert errors_around(0.05) == pytest.approx(1.9599640)
