"""A card that leaves the shoe: every cell of the tables in ``tests/data/irregularities``."""

from __future__ import annotations

import pytest

from support.irregularities import TEXTS, cells, rows


@pytest.mark.parametrize("table", TEXTS)
def test_each_cell_is_covered_once(table: str) -> None:
    """No cell is empty, and none says two things."""
    covered = {cell: [row.line for row in rows(table) if row.covers(cell)] for cell in cells(table)}
    assert {cell: lines for cell, lines in covered.items() if len(lines) != 1} == {}


@pytest.mark.parametrize("table", TEXTS)
def test_each_row_covers_something(table: str) -> None:
    """A row that covers no cell says nothing."""
    idle = [row.line for row in rows(table) if not any(row.covers(cell) for cell in cells(table))]
    assert idle == []
