"""``croupier irregularities``: what went wrong at tables, per thousand rounds."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import click
from msgspec import Struct, field

from croupier.acts.event import EVENT_TERMS
from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options, record_file
from croupier.cli.common.output import command_line, fail
from croupier.cli.records.documents import Irregularities, IrregularityGroup
from croupier.cli.records.found_rounds import logs_of, named
from croupier.files.status import FAILS
from croupier.files.streams import say
from croupier.records.codec import EVENTS, from_json
from croupier.records.export.tables import LogTables
from croupier.records.header import LogError
from croupier.records.reader import ChangedLogError, LogReader
from croupier.reports.found_rounds import irregularities_tree
from croupier.rules.documents import made

_BY: Final = ("dealer", "table", "day", "kind", "clause")
_OF_ROUNDS: Final = frozenset({"dealer", "table", "day"})
"""Groups with rounds of their own; the others are measured against all rounds."""


class _Occurrence(Struct, frozen=True):
    table: str
    entry: int
    round: int | None
    day: str
    dealer: str
    kind: str
    clauses: tuple[str, ...]

    def groups(self, by: str) -> Sequence[str]:
        """Return the groups that it counts in."""
        if by == "clause":
            return self.clauses
        return (getattr(self, by),)


class _Seen(Struct):
    rounds: list[dict[str, Any]] = field(default_factory=list)
    found: list[_Occurrence] = field(default_factory=list)


@click.command("irregularities")
@click.argument("records", metavar="LOG|STORE...", nargs=-1, required=True, type=record_file)
@click.option("--by", type=click.Choice(_BY), default="dealer", help="What to compare.")
@document_options(*FORMS, to_file=FILES)
def irregularities(records: Sequence[Path], by: str, output_format: str) -> None:
    """Count irregularities and corrections per thousand rounds dealt.

    Compares dealers, tables, gaming days, kinds, or clauses. An entry counts once, as what was
    found; its consequences do not count. A corrected round counts for whoever dealt it. Void and
    simulated rounds are rounds dealt. Exit status: 1 if lines of a log were changed since they were
    sealed.
    """
    seen = _Seen()
    try:
        for log in (log for path in records for log in logs_of(path)):
            _read(log, seen)
    except ChangedLogError as error:
        say(f"{error}; judge it with croupier verify")
        raise SystemExit(FAILS) from error
    except LogError as error:
        fail(str(error))
    document: Irregularities = {
        "format": "croupier-irregularities/1",
        **made(command_line()),
        "by": by,
        "rounds": len(seen.rounds),
        "irregularities": len(seen.found),
        "groups": [*_groups(seen, by)],
    }
    give(document, irregularities_tree, output_format)


def _read(log: LogReader, seen: _Seen) -> None:
    tables = LogTables(log.header, ("rounds", "irregularities"))
    rounds: list[dict[str, Any]] = []
    rows: list[dict[str, Any]] = []
    for _, entry in log.entries():
        for name, values in tables.follow(entry):
            (rounds if name == "rounds" else rows).append(named(name, values))
    table = log.header.rules.submission.layout.table or log.header.stream
    last = 0
    ends = [one["last_entry"] for one in rounds]
    for row in rows:
        kind = EVENT_TERMS[EVENTS[row["event"]]].irregular
        if not kind or row["entry"] == last:
            continue
        last = row["entry"]
        of = from_json(row["fields"].encode()).get("entry", last)
        at = bisect_left(ends, of)
        round_ = rounds[at] if at < len(rounds) and rounds[at]["first_entry"] <= of else None
        seen.found.append(
            _Occurrence(
                table,
                row["entry"],
                row["round"] if round_ is None else round_["round"],
                str(row["gaming_date"]),
                (row if round_ is None else round_)["dealer"] or "nobody",
                kind,
                tuple(row["clauses"].split()),
            )
        )
    seen.rounds += ({**one, "table": table} for one in rounds)


def _groups(seen: _Seen, by: str) -> Iterator[IrregularityGroup]:
    dealt = Counter[str]()
    for row in seen.rounds:
        dealt[str(row.get("gaming_date" if by == "day" else by) or "nobody")] += 1
    groups: dict[str, list[_Occurrence]] = {}
    if by in _OF_ROUNDS:
        groups |= {name: [] for name in sorted(dealt)}
    for one in seen.found:
        for name in one.groups(by):
            groups.setdefault(name, []).append(one)
    rated = [
        (name, found, dealt[name] if by in _OF_ROUNDS else len(seen.rounds))
        for name, found in groups.items()
    ]
    for name, found, rounds in sorted(rated, key=lambda one: -Fraction(len(one[1]), one[2] or 1)):
        rate = None if not rounds else Fraction(1000 * len(found), rounds)
        yield {
            "name": name,
            "rounds": rounds,
            "irregularities": len(found),
            "per_thousand_rounds": None if rate is None else f"{rate.numerator}/{rate.denominator}",
            "kinds": dict(sorted(Counter(one.kind for one in found).items())),
            "entries": [
                {
                    "table": one.table,
                    "entry": one.entry,
                    "round": one.round,
                    "gaming_date": one.day,
                    "dealer": one.dealer,
                    "kind": one.kind,
                    "clauses": [*one.clauses],
                }
                for one in found
            ],
        }
