"""The tables of what comes of a card that leaves the shoe: read, and expanded cell by cell."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import product
from pathlib import Path
from typing import Final

from support.project import ROOT

FOLDER: Final = ROOT / "tests" / "data" / "irregularities"

TEXTS: Final[Mapping[str, str]] = {
    "us-ma-minibaccarat": "us-ma/minibaccarat@2026-11-20",
    "us-nj-minibaccarat": "us-nj/minibaccarat@2011-02-22",
    "us-nj-punto-banco": "us-nj/punto-banco@2011-02-22",
    "us-ny-mini-midi-baccarat": "us-ny/mini-midi-baccarat@2021-06-02",
}
"""The text of each table."""

_MASSACHUSETTS: Final = "us-ma-minibaccarat"

_EVERYWHERE: Final = (
    "burn", "betting", "card-1", "card-2", "card-3", "card-4", "unturned-player",
    "unturned-banker", "unturned-neither", "player-third", "banker-alone", "banker-after",
    "both-stayed", "natural", "five-cards", "settled", "last-card-2", "last-decided",
    "shoe-completed", "shoe-empty", "held-betting", "held-called",
)  # fmt: skip
_SIMULATED: Final = (
    "simulated-card-2", "simulated-third", "simulated-banker", "simulated-over", "simulated-owed",
)  # fmt: skip
_HOUSE: Final = ("house-player", "house-banker", "house-neither")


@dataclass(frozen=True)
class Cell:
    """A place in a table: where the table is, where the card lay, whether it was seen, and so on."""

    phase: str
    where: str
    disclosed: bool
    elected: str
    reading: frozenset[str]

    @property
    def name(self) -> str:
        """The cell in a few words."""
        seen = "seen" if self.disclosed else "unseen"
        return "-".join((self.phase, self.where, seen, self.elected, *sorted(self.reading)))


@dataclass(frozen=True)
class Row:
    """A row: the cells that it covers, and what comes of the card in each."""

    line: int
    phases: tuple[str, ...]
    wheres: tuple[str, ...]
    disclosed: tuple[bool, ...]
    elected: tuple[str, ...]
    reading: frozenset[str]
    outcome: str
    clauses: tuple[str, ...]
    says: str

    def covers(self, cell: Cell) -> bool:
        """Return whether a cell is one of this row."""
        return (
            (not self.phases or cell.phase in self.phases)
            and (not self.wheres or cell.where in self.wheres)
            and (not self.disclosed or cell.disclosed in self.disclosed)
            and (not self.elected or cell.elected in self.elected)
            and self.reading <= cell.reading
        )


def readings_of(table: str) -> tuple[frozenset[str], ...]:
    """Return every combination of readings under a text; the first is the one taken by default."""
    early = ("third-card", "error")
    if table != _MASSACHUSETTS:
        return tuple(frozenset({one}) for one in early)
    return tuple(frozenset(pair) for pair in product(early, ("void", "complete")))


def procedures_of(table: str) -> tuple[str, ...]:
    """Return what may be elected under a text; the first is elected by default."""
    both = ("discard-one", "simulated-round")
    return both if table == _MASSACHUSETTS else ("discard-by-value", *both)


def phases_of(table: str, elected: str) -> tuple[str, ...]:
    """Return every phase that a table can be in under a text and an election."""
    if table == _MASSACHUSETTS:
        discards = ("discards-due",) if elected == "discard-one" else ()
        return (*_EVERYWHERE, *_HOUSE, *_SIMULATED, *discards)
    simulated = _SIMULATED if elected == "simulated-round" else ()
    return (*_EVERYWHERE, "down-card-3", "discards-due", *simulated)


@cache
def cells(table: str) -> tuple[Cell, ...]:
    """Return every cell that the table of a text must cover."""
    return tuple(_cells(table))


def _cells(table: str) -> Iterator[Cell]:
    for elected, reading in product(procedures_of(table), readings_of(table)):
        for phase in phases_of(table, elected):
            for where, disclosed in product(("player", "banker", "nowhere"), (False, True)):
                yield Cell(phase, where, disclosed, elected, reading)
            yield Cell(phase, "shoe", disclosed=True, elected=elected, reading=reading)


def cases_of(table: str, row: Row) -> Iterator[Cell]:
    """Yield the cells of a row that are played: what it leaves open is as elected by default."""
    procedures, readings = procedures_of(table), readings_of(table)
    for cell in cells(table):
        if not row.covers(cell):
            continue
        possible = [one for one in procedures if cell.phase in phases_of(table, one)]
        default = next(one for one in readings if row.reading <= one)
        if (row.elected or cell.elected == possible[0]) and cell.reading == default:
            yield cell


_SECTION: Final[Mapping[str, str]] = {
    "us-ma-minibaccarat": "13(",
    "us-nj-minibaccarat": "7.11(",
    "us-nj-punto-banco": "3.12(",
    "us-ny-mini-midi-baccarat": "(j)",
}

_BESIDE: Final[Mapping[str, tuple[str, ...]]] = {
    "13(c)(1)": ("13(c)#2", "13(c)#3"),
    "13(c)(2)": ("13(c)#2", "13(c)#3"),
    "13(e)#1": ("13(e)#2",),
    "(c)1#1": ("(a)#2", "(b)", "(c)", "(c)#1", "(c)#2", "(c)1#2"),
    "(c)2": ("(a)#2", "(b)", "(c)", "(c)#1", "(c)#2"),
    "(c)3": ("(a)#2", "(b)", "(c)", "(c)#1", "(c)#2"),
    "(e)#1": ("(e)#2",),
}
"""The clauses that another leads to or from, and that may be cited beside it."""


def about_irregularities(table: str, clause: str) -> bool:
    """Return whether a clause is of the section on irregularities of a text."""
    return clause.startswith(_SECTION[table])


def beside(clauses: tuple[str, ...]) -> set[str]:
    """Return these clauses, and those that may be cited beside them."""
    found = set(clauses)
    for clause in clauses:
        section = clause[: clause.index("(")] if clause[0] in "37" else ""
        for other in _BESIDE.get(clause.removeprefix(section), ()):
            found.add(section + other)
    return found


def _values(text: str) -> tuple[str, ...]:
    return () if text == "*" else tuple(text.split(","))


def rows(table: str) -> tuple[Row, ...]:
    """Return the rows of the table of a text."""
    path: Path = FOLDER / f"{table}.tsv"
    lines = path.read_text(encoding="utf-8").splitlines()
    found = []
    for number, line in enumerate(lines[1:], start=2):
        phase, where, disclosed, elected, reading, outcome, clauses, says = line.split("\t")
        found.append(
            Row(
                number,
                _values(phase),
                _values(where),
                tuple(one == "yes" for one in _values(disclosed)),
                _values(elected),
                frozenset() if reading == "*" else frozenset(reading.split("+")),
                outcome,
                () if clauses == "-" else tuple(clauses.split(";")),
                says,
            )
        )
    return tuple(found)
