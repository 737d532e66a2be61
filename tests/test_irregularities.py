"""A card that leaves the shoe: every row of the tables in ``tests/data/irregularities``, in its cells."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from support.irregularities import (
    TEXTS,
    Cell,
    Row,
    about_irregularities,
    beside,
    cases_of,
    cells,
    rows,
)
from support.irregularity_play import play_cell, rules_of_cell
from support.volume import spread


@pytest.mark.parametrize("table", TEXTS)
def test_each_cell_is_covered_once(table: str) -> None:
    """No cell is empty, and none says two things."""
    every = rows(table)
    covered = {cell: [row.line for row in every if row.covers(cell)] for cell in cells(table)}
    assert {cell: lines for cell, lines in covered.items() if len(lines) != 1} == {}


@pytest.mark.parametrize("table", TEXTS)
def test_each_row_covers_something(table: str) -> None:
    """A row that covers no cell says nothing."""
    idle = [row.line for row in rows(table) if not any(row.covers(cell) for cell in cells(table))]
    assert idle == []


def _cases() -> Iterator[object]:
    for table in TEXTS:
        phases: set[str] = set()
        for row in rows(table):
            found = list(cases_of(table, row))
            tried = spread(found, 3)
            for cell in found:
                # Each row has cases of its own, and so has each phase that a table can be in.
                if cell in tried or cell.phase not in phases:
                    phases.add(cell.phase)
                    yield pytest.param(table, cell, row, id=f"{table}-{row.line}-{cell.name}")


@pytest.mark.parametrize(("table", "cell", "row"), [*_cases()])
def test_the_card_goes_where_the_text_has_it_go(
    table: str, cell: Cell, row: Row, tmp_path: Path
) -> None:
    """The card comes to the outcome of its row, under its clauses and none next door."""
    prefix = rules_of_cell(table, cell).law.clause_prefix
    cited = {clause.removeprefix(f"{prefix}:") for clause in play_cell(table, cell, row, tmp_path)}
    for clause in row.clauses:
        assert any(one == clause or one.startswith(f"{clause}#") for one in cited), cited
    if row.clauses and table != "us-ny-mini-midi-baccarat":
        assert {one for one in cited if about_irregularities(table, one)} <= beside(row.clauses)
