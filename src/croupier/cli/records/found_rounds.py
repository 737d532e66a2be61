"""``croupier rounds``: find rounds of table logs by time, seat, patron, wager, amount, or card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec

from croupier.baccarat.cards import parse_cards
from croupier.cli.common.document import give
from croupier.cli.common.files import document_options, record_file
from croupier.cli.common.output import command_line
from croupier.cli.records.documents import FoundIrregularity, FoundRound, FoundRounds, FoundWager
from croupier.cli.records.record_options import TimeSpan, names_of, names_option, span_options
from croupier.cli.submission.rules import in_currency_of
from croupier.files.status import FAILS
from croupier.files.streams import say
from croupier.law.usage import currency_in_use
from croupier.records.export.tables import TABLES, LogTables
from croupier.records.pit_log import tables_in
from croupier.records.reader import ChangedLogError, LogPart, LogReader
from croupier.reports.found_rounds import found_rounds_tree
from croupier.rules.documents import made

T = TypeVar("T")


def _card(_: click.Context, __: click.Parameter, value: str | None) -> str | None:
    try:
        (card,) = () if value is None else parse_cards(value)
    except ValueError as error:
        if value is None:
            return None
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
@click.option("--card", metavar="CARD", callback=_card, help="Rounds in which this card was dealt.")
@document_options()
def rounds(records: Sequence[Path], output_format: str, **asked: Any) -> None:
    """Find rounds in table logs, or in every table of a store.

    All options must hold; those about a wager must hold for one and the same wager. A round was
    under way at some time between --from and --to; a time of day applies to every day. Each round
    is shown with its entries, cards, and the wagers found; explain --round shows one in full. Exit
    status: 1 if lines of a log were changed since they were sealed.
    """
    since, until = asked["since"], asked["until"]
    span = None if since is until is None else TimeSpan(since, until)
    found = read_each(records, lambda log: rounds_found(log, asked), span)
    document: FoundRounds = {
        "format": "croupier-found-rounds/1",
        **made(command_line()),
        "rounds": found,
    }
    give(document, found_rounds_tree, output_format)


def read_each(
    records: Sequence[Path], read: Callable[[LogReader], Iterable[T]], span: TimeSpan | None = None
) -> list[T]:
    """Return what is read of each log, and of every log of a store.

    Of a long log with an index, only the parts with rounds in a span are read. Exits with status 1
    if lines of a log were changed.
    """
    found: list[T] = []
    wanted = None if span is None else span.wants
    try:
        for path in records:
            for name in tables_in(path):
                log = LogReader(path, name, scanned=False, names=names_of(path), wanted=wanted)
                in_currency_of(log.header.rules)
                found += read(log)
    except ChangedLogError as error:
        say(f"{error}; judge it with croupier verify")
        raise SystemExit(FAILS) from error
    return found


_TABLES: Final = ("rounds", "wagers", "irregularities")


def rounds_found(log: LogReader, asked: Mapping[str, Any]) -> Iterator[FoundRound]:
    if asked["over"] is not None:
        cents = currency_in_use().typed(asked["over"])
        if cents is None:
            raise click.BadParameter(f"{asked['over']!r} is not an amount", param_hint="--over")
        asked = {**asked, "over": cents}
    for part in log.parts():
        yield from _found(part, asked)


def _found(part: LogPart, asked: Mapping[str, Any]) -> Iterator[FoundRound]:
    reader = LogTables(part.log.header, _TABLES, part.tables)
    wagers: list[dict[str, Any]] = []
    irregular: list[dict[str, Any]] = []
    round_: dict[str, Any] | None = None
    for _, entry in part.entries():
        reader.follow(entry)
        taken = reader.take()
        rows = {table: named(table, taken[table]) for table in _TABLES}
        irregular += rows["irregularities"]
        wagers += [wager for wager in rows["wagers"] if wager["outcome"] != "correction"]
        for round_ in rows["rounds"]:
            held = [wager for wager in wagers if _is_wager(wager, asked)]
            if _holds(round_, held, irregular, asked):
                yield _data(part.log, round_, held, irregular)
            wagers, irregular = [], []


def named(table: str, columns: Sequence[Sequence[Any]]) -> list[dict[str, Any]]:
    names = [column.name for column in TABLES[table]]
    return [dict(zip(names, row, strict=True)) for row in zip(*columns, strict=True)]


def _is_wager(wager: Mapping[str, Any], asked: Mapping[str, Any]) -> bool:
    return (
        asked["seat"] in {None, wager["seat"]}
        and asked["patron"] in {None, wager["patron"]}
        and asked["wager"] in {None, wager["wager"]}
        and (asked["over"] is None or wager["stake_cents"] > asked["over"])
        and (not asked["won"] or wager["outcome"] == "win")
    )


def _holds(
    round_: Mapping[str, Any],
    wagers: Sequence[Mapping[str, Any]],
    irregular: Sequence[Mapping[str, Any]],
    asked: Mapping[str, Any],
) -> bool:
    cards = f"{round_['player'] or ''} {round_['banker'] or ''}".split()
    of_wagers = asked["won"] or any(
        asked[name] is not None for name in ("seat", "patron", "wager", "over")
    )
    return (
        (not of_wagers or bool(wagers))
        and (not asked["irregular"] or bool(irregular))
        and asked["card"] in {None, *cards}
        and TimeSpan(asked["since"], asked["until"]).overlaps(
            round_["began_at"] or round_["ended_at"], round_["ended_at"]
        )
    )


def _data(
    log: LogReader,
    round_: Mapping[str, Any],
    wagers: Sequence[Mapping[str, Any]],
    irregular: Sequence[Mapping[str, Any]],
) -> FoundRound:
    row: Any = {
        "record": str(log.path),
        "stream": log.header.stream,
        **{name: round_[name] for name in FoundRound.__annotations__ if name in round_},
        "gaming_date": str(round_["gaming_date"]),
        "wagers": [{name: wager[name] for name in FoundWager.__annotations__} for wager in wagers],
        "irregularities": [
            {name: one[name] for name in FoundIrregularity.__annotations__}
            | {"clauses": one["clauses"].split()}
            for one in irregular
        ],
    }
    return msgspec.convert(row, FoundRound)
