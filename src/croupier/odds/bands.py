"""Confidence bands of the RTP over N wagers: normal, and exact by convolution."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import ceil, exp, lcm, log, sqrt
from statistics import NormalDist
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np

from croupier.odds.sheet import WagerSheet, fraction

if TYPE_CHECKING:
    from croupier.odds.arrays import Floats
    from croupier.odds.documents import Band, WagerBands

_MOST_POINTS: Final = 2**22
"""Largest number of points of a convolution; above it the exact band is not calculated."""

_BEYOND: Final = log(1e-15)
"""Logarithm of the probability that is left out at each end."""

_AGREE: Final = Fraction(1, 100)
"""Largest distance of the ends of two bands that agree, in half-widths of the normal one."""

_GRID: Final = tuple(step * 10**power for power in range(1, 9) for step in (1, 2, 5))
_IN_A_ROW: Final = 3
"""Numbers in a row at which bands must agree: a lattice meets the normal law by chance."""


class _Law(NamedTuple):
    """The net result of one wager in steps of ``1 / unit``."""

    unit: int
    chances: Mapping[int, Fraction]

    @classmethod
    def of(cls, sheet: WagerSheet) -> _Law:
        unit = lcm(*(line.net.denominator for line in sheet.lines))
        chances: dict[int, Fraction] = {}
        for line in sheet.lines:
            steps = int(line.net * unit)
            chances[steps] = chances.get(steps, Fraction()) + Fraction(line.ways, sheet.total)
        return cls(unit, chances)

    def reach(self, wagers: int, side: int) -> int:
        """Return a result that a sum exceeds with a negligible probability (Chernoff bound)."""
        ends = [side * steps for steps in self.chances]
        highest = max(ends)
        spread = highest - min(ends)
        best = float(wagers * highest)
        for power in range(-160, 24):
            slope = exp(power / 4) / spread
            logs = (
                log(chance.numerator) - log(chance.denominator) + slope * (side * steps - highest)
                for steps, chance in self.chances.items()
                if chance
            )
            total = log(sum(map(exp, logs))) + slope * highest
            best = min(best, (wagers * total - _BEYOND) / slope)
        return side * ceil(best)

    def of_sum(self, wagers: int) -> tuple[int, Floats] | None:
        """First result and the probabilities of a sum; ``None`` if they are too many."""
        low, high = self.reach(wagers, -1), self.reach(wagers, 1)
        points = 1 << (high - low).bit_length()
        if points > _MOST_POINTS:
            return None
        one: Floats = np.zeros(points)
        for steps, chance in self.chances.items():
            one[steps % points] += float(chance)
        found = np.fft.irfft(np.fft.rfft(one) ** wagers, points)
        return low, np.roll(np.maximum(found, 0.0), -(low % points))


def wager_bands(
    sheet: WagerSheet, rounds: Sequence[int], confidences: Sequence[Fraction]
) -> WagerBands:
    """Bands of a wager's RTP, and from which number of wagers they agree to 1%."""
    law = _Law.of(sheet)
    return {
        "wager": sheet.wager,
        "return_to_player": fraction(1 - sheet.house_edge),
        "bands": [band for number in rounds for band in _bands(law, sheet, number, confidences)],
        "agree_from": [
            {"confidence": fraction(confidence), "wagers": wagers}
            for confidence, wagers in zip(
                confidences, _agree_from(law, sheet, confidences), strict=True
            )
        ],
    }


def _bands(
    law: _Law, sheet: WagerSheet, wagers: int, confidences: Sequence[Fraction]
) -> Iterator[Band]:
    found = law.of_sum(wagers)
    for confidence in confidences:
        low, high = _normal(sheet, wagers, confidence)
        exact = None if found is None else _quantiles(law, found, wagers, confidence)
        yield {
            "wagers": wagers,
            "confidence": fraction(confidence),
            "normal_low": low,
            "normal_high": high,
            "exact_low": None if exact is None else fraction(exact[0]),
            "exact_high": None if exact is None else fraction(exact[1]),
        }


def _normal(sheet: WagerSheet, wagers: int, confidence: Fraction) -> tuple[float, float]:
    reach = NormalDist().inv_cdf(float((1 + confidence) / 2))
    reach *= sheet.standard_deviation / sqrt(wagers)
    mean = float(1 - sheet.house_edge)
    return mean - reach, mean + reach


def _quantiles(
    law: _Law, found: tuple[int, Floats], wagers: int, confidence: Fraction
) -> tuple[Fraction, Fraction]:
    first, chances = found
    tail = float((1 - confidence) / 2)
    # Each tail is summed from its end: small probabilities keep their digits.
    low = int(np.searchsorted(np.cumsum(chances), tail, side="right"))
    high = len(chances) - 1 - int(np.searchsorted(np.cumsum(chances[::-1]), tail, side="right"))
    return tuple(1 + Fraction(first + at, law.unit * wagers) for at in (low, high))  # type: ignore[return-value]


def _agree_from(
    law: _Law, sheet: WagerSheet, confidences: Sequence[Fraction]
) -> Sequence[int | None]:
    runs: list[list[int]] = [[] for _ in confidences]
    for wagers in _GRID:
        if all(len(run) >= _IN_A_ROW for run in runs):
            break
        found = law.of_sum(wagers)
        if found is None:
            break
        for run, confidence in zip(runs, confidences, strict=True):
            if len(run) >= _IN_A_ROW:
                continue
            normal = _normal(sheet, wagers, confidence)
            room = float(_AGREE) * (normal[1] - normal[0]) / 2
            exact = _quantiles(law, found, wagers, confidence)
            near = all(abs(float(a) - b) <= room for a, b in zip(exact, normal, strict=True))
            run[:] = [*run, wagers] if near else []
    return [run[0] if len(run) >= _IN_A_ROW else None for run in runs]
