"""How long a caller waits who asked too often."""

from __future__ import annotations

import pytest

from croupier.server.http import limits
from croupier.server.http.limits import Limits, Rates
from croupier.server.http.problems import Problem


@pytest.mark.parametrize(
    ("cost", "seconds"),
    # Two a second come back, and none is left: 1 takes 0.5 s, 2 take 1 s, and 3 take 1.5 s.
    [(1, "1"), (2, "1"), (3, "2"), (4, "2"), (5, "3"), (20, "10")],
)
def test_retry_after_is_the_first_whole_second_that_suffices(
    monkeypatch: pytest.MonkeyPatch, cost: float, seconds: str
) -> None:
    now = 100.0
    monkeypatch.setattr(limits, "monotonic", lambda: now)
    rates = Rates(Limits(per_second=2, burst=20))
    rates.take("Ada", 20)
    with pytest.raises(Problem) as refused:
        rates.take("Ada", cost)
    assert refused.value.headers["Retry-After"] == seconds
    now += int(seconds)
    rates.take("Ada", cost)
