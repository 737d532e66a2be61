"""``croupier irregularities``: what went wrong at tables, per thousand rounds."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import click
from msgspec import Struct

from croupier.cli.common.document import give
from croupier.cli.common.files import document_options, record_file
from croupier.cli.common.output import command_line
from croupier.cli.records.documents import IrregularEntry, Irregularities, IrregularityGroup
from croupier.cli.records.found_rounds import named, read_each
from croupier.odds.sheet import fraction
from croupier.records.codec import from_json
from croupier.records.export.tables import LogTables
from croupier.records.reader import LogReader
from croupier.reports.found_rounds import irregularities_tree
from croupier.rules.documents import made

_BY: Final = {
    "dealer": "dealer", "table": "table", "shift": "shift", "day": "gaming_date", "kind": "",
    "clause": "",
}  # fmt: skip
"""What can be compared, and the column of the rounds that it is measured against; all without."""


class _Round(Struct, frozen=True, gc=False):
    first: int
    last: int
    round: int
    table: str
    gaming_date: str
    dealer: str
    shift: str


@click.command("irregularities")
@click.argument("records", metavar="LOG|STORE...", nargs=-1, required=True, type=record_file)
@click.option("--by", type=click.Choice([*_BY]), default="dealer", help="What to compare.")
@document_options()
def irregularities(records: Sequence[Path], by: str, output_format: str) -> None:
    """Count irregularities and corrections per thousand rounds dealt.

    Compares dealers, tables, shifts, gaming days, kinds, or clauses. An entry counts once, as what
    was found; its consequences do not count. A disputed or corrected round counts for whoever dealt
    it, in the shift in which it ended. Void and simulated rounds are rounds dealt. Exit status: 1
    if lines of a log were changed since they were sealed.
    """
    logs = read_each(records, lambda log: (_read(log),))
    rounds = [round_ for of_log, _ in logs for round_ in of_log]
    found = [entry for _, of_log in logs for entry in of_log]
    document: Irregularities = {
        "format": "croupier-irregularities/1",
        **made(command_line()),
        "by": by,
        "rounds": len(rounds),
        "irregularities": len(found),
        "groups": [*_groups(by, rounds, found)],
    }
    give(document, irregularities_tree, output_format)


def _read(log: LogReader) -> tuple[Sequence[_Round], Sequence[IrregularEntry]]:
    tables = LogTables(log.header, ("rounds", "irregularities"))
    table = log.header.rules.submission.layout.table or log.header.stream
    for _, entry in log.entries():
        tables.follow(entry)
    taken = tables.take()
    rounds = [
        _Round(
            row["first_entry"], row["last_entry"], row["round"], table, str(row["gaming_date"]),
            row["dealer"] or "nobody", row["shift"],
        )
        for row in named("rounds", taken["rounds"])
    ]  # fmt: skip
    rows = named("irregularities", taken["irregularities"])
    return rounds, [_entry(row, table, rounds) for row in rows if row["kind"] is not None]


def _entry(row: dict[str, Any], table: str, rounds: Sequence[_Round]) -> IrregularEntry:
    fields = from_json(row["fields"].encode())
    # Corrections and disputes name an entry of the round that they are about.
    about = fields.get("entry") or fields.get("settled") or row["entry"]
    at = bisect_left(rounds, about, key=lambda one: one.last)
    round_ = rounds[at] if at < len(rounds) and rounds[at].first <= about else None
    return {
        "table": table,
        "entry": row["entry"],
        "round": row["round"] if round_ is None else round_.round,
        "gaming_date": str(row["gaming_date"]),
        "dealer": row["dealer"] or "nobody" if round_ is None else round_.dealer,
        "shift": row["shift"] if round_ is None else round_.shift,
        "kind": row["kind"],
        "clauses": row["clauses"].split(),
    }


def _groups(
    by: str, rounds: Sequence[_Round], found: Sequence[IrregularEntry]
) -> Iterator[IrregularityGroup]:
    column = _BY[by]
    dealt = Counter(getattr(round_, column) for round_ in rounds) if column else Counter[str]()
    groups: dict[str, list[IrregularEntry]] = {name: [] for name in sorted(dealt)}
    for entry in found:
        for name in entry["clauses"] if by == "clause" else [entry[column or "kind"]]:  # type: ignore[literal-required]
            groups.setdefault(name, []).append(entry)
    rated = [(name, many, dealt[name] if column else len(rounds)) for name, many in groups.items()]
    for name, many, number in sorted(rated, key=lambda one: -Fraction(len(one[1]), one[2] or 1)):
        yield {
            "name": name,
            "rounds": number,
            "irregularities": len(many),
            "per_thousand_rounds": fraction(Fraction(1000 * len(many), number)) if number else None,
            "kinds": dict(sorted(Counter(entry["kind"] for entry in many).items())),
            "entries": many,
        }
