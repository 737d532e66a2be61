"""Rows of a CSV file in numbered batches."""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import pairwise
from typing import Final, NamedTuple

from croupier.files.errors import MAX_FAULTS, FileError, by_caller, did_you_mean
from croupier.files.lines import MAX_LINE
from croupier.records.rounds.cells import readable
from croupier.records.rounds.fields import FIELDS, RecordBuilder, Target, shown_target
from croupier.records.rounds.mapping import AMOUNTS, COLUMNS, SEAT, SLOT, STAKED
from croupier.records.rounds.record import RoundRecord, Unreadable

_DELIMITERS: Final = ",;\t|"
_FEW: Final = 3
"""A line with at most this many cells may be a title."""

_NOT_FIRST: Final = "if the names of the columns stand further down, say so: [file] header = 3"
_OF_FIXED_WIDTH: Final = (
    "if the columns have a fixed width, name the first and last position of each in a mapping: "
    '[file] columns = "1-4,6-8"'
)
MOST_LINES_IN_A_ROW: Final = 20
"""A quoted cell of more lines is unclosed."""
MOST_COLUMNS: Final = 10_000
"""A table with a column for each amount of each seat has some thousand."""


class ColumnsError(FileError):
    """Rounds whose columns are not understood: a mapping may name them."""


def check_columns(names: Sequence[str]) -> None:
    """Check that the columns are not too many to be understood. Raises ``FileError``."""
    if len(names) > MOST_COLUMNS:
        raise FileError(
            f"the rounds have more than {MOST_COLUMNS:,} columns, the first of which is "
            f"{readable(names[0])!r}: export only those of the rounds"
        )


class RowBatch(NamedTuple):
    """Consecutive rows of cells; a row's additional lines are rows without cells."""

    first: int
    rows: list[list[str]]


class CsvHeader(NamedTuple):
    names: tuple[str, ...]
    targets: tuple[Target | None, ...]


def delimiter_of(line: str) -> str:
    return max(_DELIMITERS, key=line.count)


FIXED: Final = "\x1f"
"""The delimiter of a fixed-width text once its columns are cut."""

_RULE: Final = frozenset("-=_+ |")


def cut(lines: Iterable[str], spans: Sequence[tuple[int, int]]) -> list[str]:
    """Delimit lines of fixed width; a ruled line becomes blank, and a title stays whole."""
    edges = {
        edge for (_, end), (start, _) in pairwise(spans) if end < start for edge in (end, start)
    }
    return [
        ""
        if _RULE.issuperset(line)
        else line.strip()
        if not line.lstrip()[:1].isdigit()
        and any(len(line[edge - 1 : edge + 1].strip()) == 2 for edge in edges)
        else FIXED.join(cells_at(line, spans))
        for line in lines
    ]


def cells_at(line: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    return [line[start:end].strip() for start, end in spans]


def below_groups(names: Sequence[str], names_above: Sequence[str]) -> list[str]:
    """Return names of columns; where some are alike, with the merged headings above them.

    A heading may end before the next one: what is alike in no group is not below one of those.

    >>> below_groups(
    ...     ["Shoe", "Card 1", "Card 1", "Result", "On"], ["", "Player", "Banker", "", "Bet"]
    ... )
    ['Shoe', 'Player Card 1', 'Banker Card 1', 'Result', 'Bet On']
    """
    names, group, groups = [name.strip() for name in names], "", []
    for place in range(len(names)):
        group = (names_above[place].strip() if place < len(names_above) else "") or group
        groups.append(group)
    counts = Counter(filter(None, names))
    alike = {group for name, group in zip(names, groups, strict=True) if counts[name] > 1}
    grouped = [
        f"{group} {name}".strip() if name and (counts[name] > 1 or group not in alike) else name
        for name, group in zip(names, groups, strict=True)
    ]
    are_told_apart = max(Counter(filter(None, grouped)).values(), default=0) < 2
    return grouped if alike and are_told_apart else names


def header_of(cells: Sequence[str], builder: RecordBuilder) -> CsvHeader:
    """Find the columns' meanings. Raises ``FileError``."""
    names = tuple(cell.strip() for cell in cells)
    check_columns(names)
    targets = builder.targets(names)
    counts = Counter(filter(None, targets))
    name_counts = Counter(names)
    errors = [
        f"the column {readable(name)!r} is defined more than once"
        for name, count in name_counts.items()
        if name and count > 1
    ][:MAX_FAULTS]
    errors += [
        f"the mapping names a column {column!r}, which does not exist"
        f"{readable(did_you_mean(column, names), 200)}"
        for column in builder.lacks(name_counts)
    ]
    repeats = {target for target, count in counts.items() if count > 1}
    errors += [
        f"more than one column contains {target.name}" for target in sorted(repeats)[:MAX_FAULTS]
    ]
    errors += _without_stake(counts, builder)
    known_names = {target.name for target in counts}
    errors += without_hands(known_names)
    if errors:
        hints = () if len(names) > _FEW else (_NOT_FIRST,)
        width_hints = (_OF_FIXED_WIDTH,) if len(names) == 1 and "  " in names[0] else ()
        raise ColumnsError(*errors, listed(names), *hints, *width_hints)
    return CsvHeader(names, targets)


def without_hands(known_names: Collection[str]) -> list[str]:
    """Say which hands no column contains."""
    return [
        f"no column contains {hand}, {COLUMNS[hand]}; name the columns of other programs "
        f"with {by_caller('--mapping', 'mapping=FILE')}"
        for hand in ("player", "banker")
        if not {hand, "cards"} & {*known_names}
    ]


def listed(names: Sequence[str]) -> str:
    return f"the columns are: {', '.join(map(readable, names[:30]))}"


def _without_stake(targets: Collection[Target], builder: RecordBuilder) -> Iterator[str]:
    amounts: dict[tuple[str, int], set[str]] = {}
    for target in targets:
        if target.name in AMOUNTS:
            amounts.setdefault((target.of, target.place), set()).add(target.name)
    unfolded = tuple(f"{target.of}." for target in targets if target.name == FIELDS)
    for (wager, place), names in amounts.items():
        is_inside = builder.mapping.wagers.get(wager, {}).get("stake", "").startswith(unfolded)
        if names.isdisjoint(STAKED) and not builder.has_stake(wager) and not is_inside:
            if wager in {"", SEAT, SLOT}:
                yield "the wager of each row has no stake: add a column stake"
                continue
            results = " and ".join(
                shown_target(Target(name, wager, place)) for name in AMOUNTS if name in names
            )
            yield (
                f"{results} without a stake: add a column stake:{wager}, or give the stake in a "
                f"mapping, as [wagers.{wager}] stake = 100"
            )


def rows_of(blocks: Iterable[list[str]], delimiter: str, line: int) -> Iterator[RowBatch]:
    for lines in blocks:
        if not any(lines):
            line += len(lines)
            continue
        # Quotes are rare, and parsing them takes three times as long.
        if any('"' in line for line in lines):
            yield from _quoted(lines, delimiter, line)
        else:
            yield RowBatch(line, [line.split(delimiter) if line else [] for line in lines])
        line += len(lines)


def _quoted(lines: list[str], delimiter: str, line: int) -> Iterator[RowBatch]:
    rows: list[list[str]] = []
    place = 0
    while place < len(lines):
        count = 1
        text = lines[place]
        while text.count('"') % 2 and count < MOST_LINES_IN_A_ROW and place + count < len(lines):
            text = f"{text}\n{lines[place + count]}"
            count += 1
        if text.count('"') % 2:
            # The quote is never closed: this line is torn, and the next ones are read separately.
            text, count = lines[place], 1
        rows += [_cells(text, delimiter), *[[] for _ in range(count - 1)]]
        place += count
    yield RowBatch(line, rows)


def _cells(text: str, delimiter: str) -> list[str]:
    if not text:
        return []
    if '"' not in text or len(text) > MAX_LINE:
        return text.split(delimiter)
    if text.count('"') % 2:
        return ['"']
    try:
        return next(csv.reader(text.split("\n"), delimiter=delimiter), [])
    except csv.Error:
        return ['"']


def row_record(
    builder: RecordBuilder, header: CsvHeader, row: Sequence[str], line: int, number: int
) -> RoundRecord | Unreadable | None:
    """Read a row; ``None`` if it is blank."""
    width = len(header.targets)
    title = row if len(row) == 1 < width and builder.mapping.spans else []
    row = cells_at(row[0], builder.mapping.spans) if title else row
    cells = {
        target: cell
        for target, cell in zip(header.targets, row, strict=False)
        if target is not None
    }
    has_names = any(target.name in {"shoe", "round"} for target in cells)
    if title and has_names and not builder.names_round(cells):
        row, cells = title, {}  # Words that lie across the columns are of none.
    # A report may have the names of the columns on each page.
    is_header = tuple(map(str.strip, row)) == header.names
    if builder.mapping.skip and builder.skips(row, {} if is_header else cells):
        return None
    is_narrow = len(row) < width or not row[-1] or row[-1].isspace()
    if is_narrow and builder.skips_remark(row, cells):
        return None
    if len(row) != width:
        if not any(cell.strip() for cell in row):
            return None
        if len(row) < width or any(cell.strip() for cell in row[width:]):
            content = "an unterminated quotation" if row == ['"'] else f"{len(row)} cells"
            if sum(map(len, row)) > MAX_LINE:
                content = f"a line of more than {MAX_LINE:,} characters"
            return Unreadable(line, f"{content} where the header has {width}")
    elif is_header or not any(row):
        return None
    record = builder.record(line, cells, number)
    builder.first_cell = builder.first_cell or row[0].strip()
    return record
