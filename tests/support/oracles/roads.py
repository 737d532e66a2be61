"""A second judge of the roads, who reads them off a drawn board. It imports nothing of the package.

Results are a text of ``B``, ``P`` and ``T``. The big road is drawn without end downward; a derived
road looks at cells of that drawing and at no lengths.
"""

from __future__ import annotations


def wins(results: str) -> str:
    return results.replace("T", "")


def board(marks: str) -> dict[tuple[int, int], str]:
    """Draw streaks in columns without end: cells by row and column."""
    cells: dict[tuple[int, int], str] = {}
    row = column = -1
    before = ""
    for mark in marks:
        row, column = (row + 1, column) if mark == before else (0, column + 1)
        cells[row, column] = mark
        before = mark
    return cells


def derived(results: str, back: int) -> list[str]:
    """Return the marks of the derived road that looks ``back`` columns back: ``R`` and ``B``."""
    marks = []
    drawn = ""
    for win in wins(results):
        drawn += win
        cells = board(drawn)
        row, column = list(cells)[-1]
        if row > 0:
            # Beside this cell, and one above that: alike, both marked or both empty, is red.
            if column - back < 0:
                continue
            beside, above = (row, column - back), (row - 1, column - back)
            alike = (beside in cells) == (above in cells)
        else:
            # A new column asks what the mark would have been, had the streak before gone on: the
            # opposite of that.
            if column - 1 - back < 0:
                continue
            end = max(r for r, c in cells if c == column - 1)
            beside, above = (end + 1, column - 1 - back), (end, column - 1 - back)
            alike = (beside in cells) != (above in cells)
        marks.append("R" if alike else "B")
    return marks


def laid_out(marks: str, rows: int = 6) -> list[tuple[int, int]]:
    """Lay streaks out on a board of so many rows, on a sheet of paper that is scanned for room."""
    sheet: list[list[str]] = [[" "] * (len(marks) + 1) for _ in range(rows)]
    places: list[tuple[int, int]] = []
    row = column = first = 0
    sideways = False
    for number, mark in enumerate(marks):
        if number == 0:
            pass
        elif mark != marks[number - 1]:
            sideways, row = False, 0
            first = next(c for c in range(first + 1, len(marks) + 1) if sheet[0][c] == " ")
            column = first
        elif sideways or row == rows - 1 or sheet[row + 1][column] != " ":
            sideways = True
            column += 1
        else:
            row += 1
        assert sheet[row][column] == " ", "two marks in one cell"
        sheet[row][column] = mark
        places.append((row, column))
    return places
