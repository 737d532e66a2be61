"""The generator against known answers, and its numbers against what chance would give.

Seeds are fixed, so a test either always passes or never does. A statistic must lie between what
chance leaves out once in 10,000 at either end: one that fits too well is as bad as one that does not.
"""

import os
import subprocess
import sys
from math import sqrt
from pathlib import Path
from statistics import NormalDist
from typing import Final, TypeAlias

import numpy as np
import numpy.typing as npt
import pytest

from croupier.odds.census import point_census
from croupier.odds.compiled import compiled
from croupier.odds.shoe import ShoeComposition
from croupier.rules import TableRules, default_submission, read_submission, table_rules
from croupier.simulation.generator import next_number
from croupier.simulation.plan import facts_of, plan_of
from croupier.simulation.scalar import ScalarEngine, replay_block
from croupier.simulation.streams import States, stream_states
from support.texts import NJ_MINI

Numbers: TypeAlias = npt.NDArray[np.uint64]

ROOT: Final = Path(__file__).parents[2]
SEEDS: Final = (0, 1, 2**64 - 1)
RARE: Final = 1e-4
NUMBERS: Final = 2**20

each_seed = pytest.mark.parametrize("seed", SEEDS)


@compiled
def fill(states: States, numbers: Numbers) -> None:
    for stream in range(len(states)):
        for at in range(numbers.shape[1]):
            numbers[stream, at] = next_number(states[stream])


def numbers_of(seed: int, first: int = 0, streams: int = 1, number: int = NUMBERS) -> Numbers:
    """Return numbers of streams that follow one another, a row for each stream."""
    numbers = np.empty((streams, number), dtype=np.uint64)
    fill(stream_states(seed, first, streams), numbers)
    return numbers


def likely(statistic: float, degrees: int) -> bool:
    """Tell whether chi-square comes to that: its cube root is as good as normal."""
    spread = 2 / (9 * degrees)
    z: float = ((statistic / degrees) ** (1 / 3) - (1 - spread)) / sqrt(spread)
    return abs(z) < -NormalDist().inv_cdf(RARE)


def likely_normal(z: float) -> bool:
    return abs(z) < -NormalDist().inv_cdf(RARE)


def chi_square(counts: npt.NDArray[np.int64]) -> float:
    """Return the statistic of cells that are all as likely."""
    expected = counts.sum() / counts.size
    assert expected > 10
    return float(((counts - expected) ** 2 / expected).sum())


def bits(numbers: Numbers, lowest: int, number: int) -> npt.NDArray[np.int64]:
    cut: npt.NDArray[np.int64] = ((numbers >> np.uint64(lowest)) & np.uint64(2**number - 1)).astype(
        np.int64
    )
    return cut


# --- known answers -------------------------------------------------------------------------------


def test_the_generator_gives_the_numbers_that_are_known_of_it() -> None:
    # The first numbers from the state 1, 2, 3, 4, as other implementations test themselves.
    state = np.array([1, 2, 3, 4], dtype=np.uint64)
    assert [int(next_number(state)) for _ in range(10)] == [
        641, 1573767, 3222811527, 3517856514, 836907274, 4247214768, 3867114732, 1355841295,
        495546011, 621204420,
    ]  # fmt: skip


def test_a_seed_is_spread_as_splitmix_spreads_it() -> None:
    (state,) = stream_states(1477776061723855037, 0, 1)
    zero, one, two, three = (int(word) for word in state)
    assert (zero | one << 32, two | three << 32) == (1985237415132408290, 2979275885539914483)


# --- one stream ----------------------------------------------------------------------------------


@each_seed
def test_bytes_come_alike(seed: int) -> None:
    (numbers,) = numbers_of(seed)
    for place in (0, 8, 16, 24):
        assert likely(chi_square(np.bincount(bits(numbers, place, 8), minlength=256)), 255), place


@each_seed
def test_every_bit_is_set_half_of_the_time(seed: int) -> None:
    (numbers,) = numbers_of(seed)
    for place in range(32):
        ones = int(bits(numbers, place, 1).sum())
        assert likely_normal((ones - NUMBERS / 2) / sqrt(NUMBERS / 4)), place


@each_seed
def test_serial_pairs_come_alike(seed: int) -> None:
    (numbers,) = numbers_of(seed, number=2 * NUMBERS)
    for place in (0, 13, 26):
        cut = bits(numbers, place, 6)
        # A number with the next, and with those two and seven numbers on; none is in two pairs.
        for lag in (1, 2, 7):
            rows = cut[: len(cut) // (2 * lag) * 2 * lag].reshape(-1, 2, lag)
            pairs = (rows[:, 0] * 64 + rows[:, 1]).reshape(-1)
            assert likely(chi_square(np.bincount(pairs, minlength=4096)), 4095), (place, lag)


@each_seed
def test_runs_of_a_bit_are_as_many_and_as_long_as_chance_makes_them(seed: int) -> None:
    (numbers,) = numbers_of(seed)
    for place in (0, 15, 31):
        ends = np.flatnonzero(np.diff(bits(numbers, place, 1)))
        assert likely_normal((len(ends) - (NUMBERS - 1) / 2) / sqrt((NUMBERS - 1) / 4))
        lengths = np.bincount(np.minimum(np.diff(ends), 13), minlength=14)[1:]
        expected = lengths.sum() * 0.5 ** np.array([*range(1, 13), 12])
        assert likely(float(((lengths - expected) ** 2 / expected).sum()), 12)


@each_seed
def test_runs_up_are_as_long_as_chance_makes_them(seed: int) -> None:
    (numbers,) = numbers_of(seed)
    # The number that ends a run is thrown away, and the next run does not hang on it.
    rises = numbers[1:] > numbers[:-1]
    lengths, at, falls = [], 0, np.append(np.flatnonzero(~rises), len(rises))
    ends = falls[np.searchsorted(falls, np.arange(len(rises)))].tolist()
    while at < len(rises):
        lengths.append(min(ends[at] - at + 1, 6))
        at = ends[at] + 2
    found = np.bincount(lengths[:-1], minlength=7)[1:]
    chances = np.array([1 / 2, 1 / 3, 1 / 8, 1 / 30, 1 / 144, 1 / 720])
    expected = found.sum() * chances
    assert likely(float(((found - expected) ** 2 / expected).sum()), 5)


# --- streams beside one another ------------------------------------------------------------------


@each_seed
def test_neighbouring_streams_do_not_hang_together(seed: int) -> None:
    numbers = numbers_of(seed, first=1000, streams=65, number=2**16)
    centred = numbers.astype(np.float64) - (2**32 - 1) / 2
    for place in (0, 26):
        cut = bits(numbers, place, 6)
        pairs = (cut[:-1:2] * 64 + cut[1::2]).reshape(-1)
        assert likely(chi_square(np.bincount(pairs, minlength=4096)), 4095)
    for lag in (0, 1, 2):
        length = numbers.shape[1] - lag
        products = centred[:-1, :length] * centred[1:, lag:]
        scale = (2.0**64 - 1) / 12
        z = products.sum(axis=1) / scale / sqrt(length)
        assert likely(float((z**2).sum()), len(z)), lag


def test_seeds_that_differ_by_one_do_not_hang_together() -> None:
    rows = np.concatenate([numbers_of(seed, number=2**16) for seed in range(64)])
    changed = np.bitwise_count(rows[1:] ^ rows[:-1]).sum()
    every = 32 * rows[1:].size
    assert likely_normal((int(changed) - every / 2) / sqrt(every / 4))
    first = numbers_of(5, streams=2**14, number=1)
    assert likely(chi_square(np.bincount(bits(first, 24, 8).reshape(-1), minlength=256)), 255)


# --- cards ---------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def firsts() -> npt.NDArray[np.int64]:
    """The first four cards of many shoes of eight decks, the burned ones among them."""
    plan = plan_of(table_rules(default_submission("us-nj/minibaccarat", NJ_MINI)))
    rows = []
    for block in range(60):
        told = replay_block(plan, 2**64 - 1, block)
        opening = told.cards[told.round == 0]
        burned = (told.burned != 255).sum(axis=1)
        assert (burned >= 2).all()
        rows.append(np.hstack([told.burned[:, :2], opening[:, :2]]))
    return np.concatenate(rows).astype(np.int64)


def test_every_card_lies_in_every_place_as_often(firsts: npt.NDArray[np.int64]) -> None:
    for place in range(4):
        assert likely(chi_square(np.bincount(firsts[:, place], minlength=52)), 51)


def test_two_cards_that_follow_one_another_come_as_often_as_without_replacement(
    firsts: npt.NDArray[np.int64],
) -> None:
    chances = np.full((52, 52), 8 * 8 / (416 * 415))
    np.fill_diagonal(chances, 8 * 7 / (416 * 415))
    for one, other in ((0, 1), (2, 3)):
        pairs = firsts[:, one] * 52 + firsts[:, other]
        counts = np.bincount(pairs, minlength=52 * 52).reshape(52, 52)
        expected = len(firsts) * chances
        assert likely(float(((counts - expected) ** 2 / expected).sum()), 52 * 52 - 1)


def test_cards_are_alike_as_often_as_chance_makes_them(firsts: npt.NDArray[np.int64]) -> None:
    # Of all cards 7 in 415 are like one that is gone; of the next shoe's, 8 in 416.
    alike = [(firsts[:, place] == firsts[:, place + 1], 7 / 415) for place in (0, 2)]
    alike += [(firsts[1:, place] == firsts[:-1, place], 8 / 416) for place in (0, 1)]
    for found, chance in alike:
        spread = sqrt(chance * (1 - chance) * len(found))
        assert likely_normal((int(found.sum()) - chance * len(found)) / spread)


def continuous() -> TableRules:
    return table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat-continuous.toml"))


@each_seed
def test_the_census_of_fresh_shoes_is_that_of_the_exact_law(seed: int) -> None:
    rules = continuous()
    plan = plan_of(rules)
    counts = sum(ScalarEngine(plan, seed).play(block, 2**62).cells for block in range(500))
    assert isinstance(counts, np.ndarray)
    exact = point_census(ShoeComposition.of_decks(8), rules.tableau)
    facts = facts_of(plan.cells)
    plain = np.zeros(len(facts))
    for cell, one in enumerate(facts):
        # Pairs are in cells of their own, and are told apart by nothing here.
        if not one.player_pair and not one.banker_pair:
            plain[cell] = exact.get(one, 0)
    together = counts.reshape(-1, 4).sum(axis=1) if len(facts) > 400 else counts
    ways = plain.reshape(-1, 4)[:, 0] if len(facts) > 400 else plain
    assert not together[ways == 0].any()
    expected = together.sum() * ways[ways > 0] / exact.total
    assert expected.min() > 10
    found = together[ways > 0]
    assert likely(float(((found - expected) ** 2 / expected).sum()), len(found) - 1)


# --- the script that feeds a battery of tests ----------------------------------------------------


def written(*words: str) -> bytes:
    done = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, str(ROOT / "bench" / "stream.py"), *words],
        capture_output=True,
        check=True,
        timeout=60,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    )
    return done.stdout


def test_the_raw_stream_is_written_as_a_battery_of_tests_reads_it() -> None:
    streams = numbers_of(7, first=3, streams=3, number=400_000)
    expected = streams.T.reshape(-1)[:1_000_001].astype("<u4").tobytes()
    words = ("--seed", "7", "--first", "3", "--interleave", "3", "--numbers", "1000001")
    assert written(*words) == expected


def test_the_raw_stream_ends_with_its_reader() -> None:
    with subprocess.Popen(  # noqa: S603  (our own interpreter and script)
        [sys.executable, str(ROOT / "bench" / "stream.py"), "--seed", "0"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "PYTHONPATH": str(ROOT / "src")},
    ) as process:
        assert process.stdout is not None
        assert process.stderr is not None
        start = process.stdout.read(4000)
        process.stdout.close()
        assert process.wait(60) == 0
        assert process.stderr.read() == b""
    assert start == numbers_of(0, number=1000)[0].astype("<u4").tobytes()
