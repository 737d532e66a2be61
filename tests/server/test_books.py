"""The slips that the books of a table keep."""

from __future__ import annotations

from croupier.acts import FillRequested
from croupier.server.rounds import Books


def test_the_oldest_slips_are_forgotten_and_the_newest_kept() -> None:
    books = Books()
    for slip in range(1, 204):
        event = FillRequested(slip, {10_000: 1}, 10_000, ())
        books.take(slip, "2026-11-20T12:00:00Z", (event,))
    # 200 of each kind are kept: 1, 2, and 3 are gone.
    assert [*books.slips] == [*range(4, 204)]
    assert books.slips[203]["seq"] == 203
