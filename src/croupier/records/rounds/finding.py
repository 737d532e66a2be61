"""The sheet, header, and columns of a record of another system, found before its mapping."""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import pairwise
from pathlib import Path
from typing import Final

from msgspec.structs import replace

from croupier.baccarat.coup import Tableau
from croupier.files.errors import FileError
from croupier.files.lines import blocks_of
from croupier.files.workbooks import sheets_of
from croupier.records.rounds.fields import RecordBuilder
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.proposing import MappingProposal, has_cards, proposed
from croupier.records.rounds.reading import (
    RoundReader,
    WorkbookRounds,
    form_of_rounds,
    open_rounds,
)
from croupier.records.rounds.sampling import Sample, sample_of, sheet_head

_DEEPEST_HEADER: Final = 20
_LEAST_COLUMNS: Final = 3
_RULE: Final = re.compile(r"[-=_]+")


def find_mapping(path: Path, mapping: RoundMapping, bets: Collection[str] = ()) -> MappingProposal:
    """Propose a mapping, with settings of the file. Raises ``FileError``."""
    form = mapping.format or form_of_rounds(path, mapping)
    if form == "xlsx" and mapping.sheet is None:
        return _of_sheets(path, mapping, bets)
    if form == "csv" and not mapping.spans and (ruling := _ruled(path, mapping)) is not None:
        spans, header = ruling
        proposal, _ = _below_titles(path, replace(mapping, spans=spans, header=header), bets)
        if has_cards(proposal):
            columns = ",".join(f"{start + 1}-{end}" for start, end in spans)
            proposal.why["file.columns"] = "by the ruled line below the names of the columns"
            return _with_file(proposal, mapping, header, columns=columns)
    proposal, header = _below_titles(path, mapping, bets)
    return _with_file(proposal, mapping, header)


def sheets_of_rounds(path: Path, mapping: RoundMapping, own: Collection[str] = ()) -> list[str]:
    """Name the sheets of a workbook that have rounds; with columns of a mapping, those columns.

    It is empty for another file, and if a sheet is named. Raises ``FileError``.
    """
    if mapping.sheet is not None or (mapping.format or form_of_rounds(path, mapping)) != "xlsx":
        return []
    names = sheets_of(path)
    return [name for name in names if len(names) > 1 and _has_rounds(path, mapping, name, own)]


def open_each(
    path: Path, mapping: RoundMapping, tableau: Tableau, own_bets: Collection[str] = ()
) -> list[RoundReader]:
    """Open a record, or each sheet of a workbook that has rounds. Raises ``FileError``."""
    sheets = sheets_of_rounds(path, mapping, own_bets)
    if len(sheets) < 2:
        sheet = sheets[0] if sheets else mapping.sheet
        return [open_rounds(path, replace(mapping, sheet=sheet), tableau)]
    builder = RecordBuilder(mapping, tableau)
    return [WorkbookRounds(path, builder, name) for name in sheets]


def _has_rounds(path: Path, mapping: RoundMapping, name: str, own_bets: Collection[str]) -> bool:
    sheet = replace(mapping, sheet=name)
    if not mapping.columns:
        return has_cards(_below_titles(path, sheet, own_bets)[0])
    try:
        open_rounds(path, sheet)
    except FileError:
        return False
    return True


def _with_file(
    proposal: MappingProposal, mapping: RoundMapping, header: int, **extra: str
) -> MappingProposal:
    settings = {"encoding": mapping.encoding, "sheet": mapping.sheet, "header": header, **extra}
    for key, value in settings.items():
        if value not in {None, 1}:
            proposal.tables.setdefault("file", {})[key] = value
    return proposal


def _of_sheets(path: Path, mapping: RoundMapping, own_bets: Collection[str]) -> MappingProposal:
    names = sheets_of(path)
    of_rounds = names if len(names) < 2 else sheets_of_rounds(path, mapping, own_bets)
    if len(of_rounds) != 1:
        summary = f"rounds are on {', '.join(of_rounds)}" if of_rounds else "no sheet has rounds"
        raise FileError(f"{summary}; name one of {', '.join(names)} with croupier map --sheet")
    sheet = mapping if len(names) < 2 else replace(mapping, sheet=of_rounds[0])
    proposal, header = _below_titles(path, sheet, own_bets)
    if sheet.sheet is not None:
        proposal.why["file.sheet"] = f"the only one of {len(names)} sheets with a header of rounds"
    return _with_file(proposal, sheet, header)


def _below_titles(
    path: Path, mapping: RoundMapping, own_bets: Collection[str]
) -> tuple[MappingProposal, int]:
    form = mapping.format or form_of_rounds(path, mapping)
    head = sheet_head(path, mapping.sheet) if form == "xlsx" else None
    sample = sample_of(path, mapping, head)
    first_proposal = proposed(sample, own_bets)
    if has_cards(first_proposal):
        return first_proposal, mapping.header
    for header in range(mapping.header + 1, _DEEPEST_HEADER + 1):
        if (lower := _below(path, mapping, header, head)) is None:
            break
        # Blank lines before the header give the same sample: the last of them is the one before.
        if lower.names != sample.names and has_cards(candidate := proposed(lower, own_bets)):
            while (more := _below(path, mapping, header + 1, head)) and more.names == lower.names:
                header += 1  # noqa: PLW2901  (what was looked for is found)
            return candidate, header
        sample = lower
    return first_proposal, mapping.header


def _below(
    path: Path, mapping: RoundMapping, header: int, head_rows: list[list[str]] | None
) -> Sample | None:
    try:
        return sample_of(path, replace(mapping, header=header), head_rows)
    except FileError:
        return None


def _ruled(path: Path, mapping: RoundMapping) -> tuple[tuple[tuple[int, int], ...], int] | None:
    lines = next((lines for lines in blocks_of(path, mapping.encoding) if any(lines)), [])
    for number, line in enumerate(lines[:_DEEPEST_HEADER]):
        starts = [match.start() for match in _RULE.finditer(line)]
        if number and len(starts) >= _LEAST_COLUMNS and not set(line) - set("-=_ "):
            ends = [match.end() for match in _RULE.finditer(line)]
            # A value may be longer than the rule above it, up to the next column.
            spans = [(start, end - 1) for start, end in pairwise(starts)]
            return (*spans, (starts[-1], ends[-1] + 20)), number
    return None
