"""``croupier rounds`` and ``irregularities``: what several table logs have, by any of its facts."""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec
from msgspec import Struct

from croupier import acts
from croupier.baccarat.cards import parse_cards
from croupier.baccarat.wagers import WAGERS
from croupier.cli.common.files import document_options, give, record_file
from croupier.cli.common.output import command_line, fail
from croupier.cli.records.documents import (
    FoundIrregularity,
    FoundRound,
    FoundRounds,
    FoundWager,
    IrregularEntry,
    Irregularities,
    IrregularityGroup,
)
from croupier.cli.records.logs import logs_of
from croupier.cli.records.record_options import TimeSpan, names_of, names_option, span_options
from croupier.cli.submission.rules import in_currency_of
from croupier.files.errors import did_you_mean
from croupier.files.streams import FAILS, say
from croupier.law.usage import currency_in_use
from croupier.odds.sheet import fraction
from croupier.records.codec import from_json
from croupier.records.explanation import round_in_question
from croupier.records.export.tables import TABLES, LogTables
from croupier.records.reader import ChangedLogError, LogPart, LogReader
from croupier.reports.found_rounds import found_rounds_tree, irregularities_tree
from croupier.rules.documents import made

T = TypeVar("T")


def _card(value: str) -> str:
    try:
        (card,) = parse_cards(value)
    except ValueError as error:
        raise click.BadParameter(f"{value!r} is not one card, such as 9h") from error
    return card.notation


@click.command("rounds")
@click.argument("records", metavar="LOG|STORE...", nargs=-1, required=True, type=record_file)
@names_option
@span_options
@click.option("--seat", type=click.IntRange(1), help="Rounds with a wager at this seat.")
@click.option("--patron", metavar="NAME", help="Rounds with a wager of this patron.")
@click.option("--wager", metavar="ID", help="Rounds with this wager.")
@click.option("--over", metavar="AMOUNT", help="... of more than this amount.")
@click.option("--won", is_flag=True, help="... that won.")
@click.option("--irregular", is_flag=True, help="Rounds with an irregularity or a correction.")
@click.option("--card", metavar="CARD", type=_card, help="Rounds in which this card was dealt.")
@document_options()
def rounds(records: Sequence[Path], output_format: str, **asked: Any) -> None:
    """Find rounds in table logs, or in every table of a store.

    All options must hold; those about a wager must hold for one and the same wager. A round was
    under way at some time between --from and --to; a time of day applies to every day. Each round
    is shown with its cards and irregularities, and with the wagers found if options ask for some;
    JSON has all of them, and explain --round shows a round in full. Exit status: 1 if lines of a
    log were changed since they were sealed.
    """
    start, end = asked["since"], asked["until"]
    span = None if start is end is None else TimeSpan(start, end)
    titles: dict[str, str] = {}

    def found_in(log: LogReader) -> list[FoundRound]:
        titles.update((name, wager.title) for name, wager in log.header.rules.wagers.items())
        return rounds_found(log, asked)

    found_rounds = read_each(records, found_in, span)
    if asked["wager"] not in {None, *titles, *WAGERS}:
        hint = did_you_mean(asked["wager"], titles) or f"; they have: {', '.join(titles)}"
        fail(f"--wager {asked['wager']}: no table of these logs has such a wager{hint}")
    document: FoundRounds = {
        "format": "croupier-found-rounds/1",
        **made(command_line()),
        "rounds": found_rounds,
    }
    tree = partial(found_rounds_tree, titles=titles, wagers=_asks_for_wagers(asked))
    give(document, tree, output_format)


def read_each(
    records: Sequence[Path], read: Callable[[LogReader], Iterable[T]], span: TimeSpan | None = None
) -> list[T]:
    """Return what is read of each log, and of every log of a store.

    Of a long log with an index, only the parts with rounds in a span are read. Exits with status 1
    if lines of a log were changed.
    """
    results: list[T] = []
    wanted_rounds = None if span is None else span.wants
    try:
        for path, name in logs_of(records):
            log = LogReader(
                path, name, is_scanned=False, names=names_of(path), wanted_rounds=wanted_rounds
            )
            in_currency_of(log.header.rules)
            results += read(log)
    except ChangedLogError as error:
        say(f"{error}; to see more, run croupier verify")
        raise SystemExit(FAILS) from error
    return results


_TABLES: Final = ("rounds", "wagers", "irregularities")


def rounds_found(log: LogReader, filters: Mapping[str, Any]) -> list[FoundRound]:
    if filters["over"] is not None:
        cents = currency_in_use().typed(filters["over"])
        if cents is None:
            raise click.BadParameter(f"{filters['over']!r} is not an amount", param_hint="--over")
        filters = {**filters, "over": cents}
    found: list[FoundRound] = []
    disputes: dict[int, int] = {}
    for part in log.parts():
        _find(part, filters, found, disputes)
    return _irregular(found) if filters["irregular"] else found


def _irregular(found: Iterable[FoundRound]) -> list[FoundRound]:
    return [round_ for round_ in found if round_["irregularities"]]


def _find(
    part: LogPart, filters: Mapping[str, Any], found: list[FoundRound], disputes: dict[int, int]
) -> None:
    """Add the rounds of a part, and what was recorded later about those found."""
    reader = LogTables(part.log.header, _TABLES, part.tables)
    wagers: list[dict[str, Any]] = []
    irregular_rows: list[dict[str, Any]] = []
    corrected = ""
    ended = part.opening.sequence
    for _, entry in part.entries():
        reader.follow(entry)
        columns = reader.take()
        rows = {table: named(table, columns[table]) for table in _TABLES}
        if filters["irregular"] and isinstance(entry.command, acts.OpenTable):
            # Nothing is settled again once the table closed.
            found[:] = _irregular(found)
        if isinstance(entry.command, acts.CloseTable):
            # What came after the last round belongs to it: no other round follows.
            if found and found[-1]["last_entry"] == ended:
                found[-1]["irregularities"] += _converted(irregular_rows, FoundIrregularity)
            irregular_rows = []
        settled = round_in_question(entry.events, disputes)
        winner = next(
            (it.winner for it in entry.events if isinstance(it, acts.SettlementCorrected)), ""
        )
        if settled is not None and settled <= ended:
            for it in found:
                if it["first_entry"] <= settled <= it["last_entry"]:
                    corrections = [row for row in rows["wagers"] if _is_of(row, filters)]
                    it["wagers"] += _converted(corrections, FoundWager)
                    it["irregularities"] += _converted(rows["irregularities"], FoundIrregularity)
                    it["corrected_winner"] = winner or it["corrected_winner"]
            continue
        irregular_rows += rows["irregularities"]
        wagers += rows["wagers"]
        corrected = winner or corrected
        for round_ in rows["rounds"]:
            ended = round_["last_entry"]
            matching_wagers = [wager for wager in wagers if _is_wager(wager, filters)]
            if _holds(round_, matching_wagers, filters):
                round_["corrected_winner"] = corrected or None
                found.append(_data(part.log, round_, matching_wagers, irregular_rows))
            wagers, irregular_rows, corrected = [], [], ""


def named(table: str, columns: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    names = [column.name for column in TABLES[table]]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _is_of(wager: Mapping[str, Any], filters: Mapping[str, Any]) -> bool:
    """Whether it is of the seat, patron, and wager; a corrected card is of no wager."""
    return (
        filters["seat"] in {None, wager["seat"]}
        and filters["patron"] in {None, wager["patron"]}
        and (wager["wager"] is None or filters["wager"] in {None, wager["wager"]})
    )


def _is_wager(wager: Mapping[str, Any], filters: Mapping[str, Any]) -> bool:
    return (
        _is_of(wager, filters)
        and (filters["over"] is None or wager["stake_cents"] > filters["over"])
        and (not filters["won"] or wager["outcome"] == "win")
    )


def _asks_for_wagers(filters: Mapping[str, Any]) -> bool:
    return bool(filters["won"]) or any(
        filters[name] is not None for name in ("seat", "patron", "wager", "over")
    )


def _holds(
    round_: Mapping[str, Any],
    wagers: Sequence[Mapping[str, Any]],
    filters: Mapping[str, Any],
) -> bool:
    cards = f"{round_['player'] or ''} {round_['banker'] or ''}".split()
    return (
        (not _asks_for_wagers(filters) or bool(wagers))
        and filters["card"] in {None, *cards}
        and TimeSpan(filters["since"], filters["until"]).overlaps(
            round_["began_at"] or round_["ended_at"], round_["ended_at"]
        )
    )


def _data(
    log: LogReader,
    round_: Mapping[str, Any],
    wagers: Sequence[Mapping[str, Any]],
    irregular_rows: Sequence[Mapping[str, Any]],
) -> FoundRound:
    row: Any = {
        "record": str(log.path),
        "stream": log.header.stream,
        **{name: round_[name] for name in FoundRound.__annotations__ if name in round_},
        "gaming_date": str(round_["gaming_date"]),
        "wagers": _converted(wagers, FoundWager),
        "irregularities": _converted(irregular_rows, FoundIrregularity),
    }
    return msgspec.convert(row, FoundRound)


def _converted(rows: Sequence[Mapping[str, Any]], kind: type[T]) -> list[T]:
    rows = [{**row, "clauses": row.get("clauses", "").split()} for row in rows]
    names = kind.__annotations__
    return [msgspec.convert({name: row[name] for name in names}, kind) for row in rows]


_BY: Final = {
    "dealer": "dealer", "table": "table", "shift": "shift", "day": "gaming_date", "kind": "",
    "clause": "",
}  # fmt: skip
"""What can be compared, and the column of the rounds that it is measured against; all without."""


class _Round(Struct, frozen=True, gc=False):
    first: int
    last: int
    round: int
    times: tuple[str, str]
    table: str
    gaming_date: str
    dealer: str
    shift: str


@click.command("irregularities")
@click.argument("records", metavar="LOG|STORE...", nargs=-1, required=True, type=record_file)
@click.option("--by", type=click.Choice([*_BY]), default="dealer", help="What to compare.")
@click.option("--dealer", metavar="NAME", help="Rounds of this dealer alone.")
@span_options
@document_options()
def irregularities(records: Sequence[Path], by: str, output_format: str, **asked: Any) -> None:
    """Count irregularities and corrections per thousand rounds dealt.

    Compares dealers, tables, shifts, gaming days, kinds, or clauses. An entry counts once, as what
    was found; its consequences do not count. A disputed or corrected round counts for whoever dealt
    it, in the shift in which it ended, and at its time. Void and simulated rounds are rounds dealt.
    Exit status: 1 if lines of a log were changed since they were sealed.
    """
    span, dealer = TimeSpan(asked["since"], asked["until"]), asked["dealer"]
    logs = read_each(records, lambda log: (_read(log, span),))
    rounds = [round_ for of_log, _ in logs for round_ in of_log if dealer in {None, round_.dealer}]
    entries = [entry for _, of_log in logs for entry in of_log if dealer in {None, entry["dealer"]}]
    document: Irregularities = {
        "format": "croupier-irregularities/1",
        **made(command_line()),
        "by": by,
        "rounds": len(rounds),
        "irregularities": len(entries),
        "groups": [*_groups(by, rounds, entries)],
    }
    give(document, irregularities_tree, output_format)


def _read(log: LogReader, span: TimeSpan) -> tuple[Sequence[_Round], Sequence[IrregularEntry]]:
    tables = LogTables(log.header, ("rounds", "irregularities"))
    table = log.header.rules.submission.layout.table or log.header.stream
    for _, entry in log.entries():
        tables.follow(entry)
    columns = tables.take()
    rounds = [
        _Round(
            row["first_entry"], row["last_entry"], row["round"],
            (row["began_at"] or row["ended_at"], row["ended_at"]), table, str(row["gaming_date"]),
            row["dealer"] or "nobody", row["shift"],
        )
        for row in named("rounds", columns["rounds"])
    ]  # fmt: skip
    rows = [row for row in named("irregularities", columns["irregularities"]) if row["kind"]]
    found = [(row, _round_of(row, table, rounds)) for row in rows]
    return [round_ for round_ in rounds if span.overlaps(*round_.times)], [
        _entry(row, round_) for row, round_ in found if span.overlaps(*round_.times)
    ]


def _round_of(row: dict[str, Any], table: str, rounds: Sequence[_Round]) -> _Round:
    """Return the round that an entry is about; one of its own for an entry about none."""
    fields = from_json(row["fields"].encode())
    # Corrections and disputes name an entry of the round that they are about.
    entry, at = row["entry"], row["recorded_at"]
    entry_number = fields.get("entry") or fields.get("settled") or entry
    index = bisect_left(rounds, entry_number, key=lambda round_: round_.last)
    if index < len(rounds) and rounds[index].first <= entry_number:
        return rounds[index]
    return _Round(
        entry, entry, row["round"], (at, at), table, str(row["gaming_date"]),
        row["dealer"] or "nobody", row["shift"],
    )  # fmt: skip


def _entry(row: dict[str, Any], round_: _Round) -> IrregularEntry:
    return {
        "stream": row["stream"],
        "table": round_.table,
        "entry": row["entry"],
        "round": round_.round,
        "gaming_date": round_.gaming_date,
        "dealer": round_.dealer,
        "shift": round_.shift,
        "kind": row["kind"],
        "clauses": row["clauses"].split(),
    }


def _groups(
    grouping: str, rounds: Sequence[_Round], entries: Sequence[IrregularEntry]
) -> Iterator[IrregularityGroup]:
    column = _BY[grouping]
    dealt = Counter(getattr(round_, column) for round_ in rounds) if column else Counter[str]()
    groups: dict[str, list[IrregularEntry]] = {name: [] for name in sorted(dealt)}
    for entry in entries:
        for name in entry["clauses"] if grouping == "clause" else [entry[column or "kind"]]:  # type: ignore[literal-required]
            groups.setdefault(name, []).append(entry)
    rates = [(name, many, dealt[name] if column else len(rounds)) for name, many in groups.items()]
    for name, many, number in sorted(rates, key=lambda one: -Fraction(len(one[1]), one[2] or 1)):
        yield {
            "name": name,
            "rounds": number,
            "irregularities": len(many),
            "per_thousand_rounds": fraction(Fraction(1000 * len(many), number)) if number else None,
            "kinds": dict(sorted(Counter(entry["kind"] for entry in many).items())),
            "entries": many,
        }
