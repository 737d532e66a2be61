"""``croupier rounds``: find rounds of table logs by time, seat, patron, wager, amount, or card."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, time
from pathlib import Path
from typing import Any, Final, TypeVar

import click
import msgspec

from croupier.baccarat.cards import parse_cards
from croupier.cli.common.currency import in_currency_of
from croupier.cli.common.document import give
from croupier.cli.common.files import FILES, FORMS, document_options, record_file
from croupier.cli.common.output import command_line, fail
from croupier.cli.records.documents import FoundRound, FoundRounds, FoundWager
from croupier.cli.records.record_options import names_of, names_option
from croupier.files.status import FAILS
from croupier.files.streams import say
from croupier.law.usage import currency_in_use
from croupier.records.export.tables import TABLES, LogTables, Row
from croupier.records.header import LogError
from croupier.records.names import NamesError
from croupier.records.reader import ChangedLogError, LogReader
from croupier.records.stores.places import is_store
from croupier.records.stores.sqlite_reading import names_in
from croupier.reports.found_rounds import found_rounds_tree
from croupier.rules.documents import made

T = TypeVar("T")


class _Moment(click.ParamType[datetime | time]):
    """A time of day, or a date and time, in UTC."""

    name = "time"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> datetime | time:
        text = str(value).removesuffix("Z")
        try:
            return time.fromisoformat(text)
        except ValueError:
            pass
        try:
            return datetime.fromisoformat(text).replace(tzinfo=UTC)
        except ValueError:
            self.fail(f"{value!r}: write 21:14, or 2026-11-25T21:14, in UTC", param, ctx)


_MOMENT: Final = _Moment()


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
@click.option("--from", "since", type=_MOMENT, help="Rounds that end at this time or later (UTC).")
@click.option("--to", "until", type=_MOMENT, help="Rounds that begin at this time or before (UTC).")
@click.option("--seat", type=click.IntRange(1), help="Rounds with a wager at this seat.")
@click.option("--patron", metavar="NAME", help="Rounds with a wager of this patron.")
@click.option("--wager", metavar="ID", help="Rounds with this wager.")
@click.option("--over", metavar="AMOUNT", help="... of more than this amount.")
@click.option("--won", is_flag=True, help="... that won.")
@click.option("--irregular", is_flag=True, help="Rounds with an irregularity or a correction.")
@click.option("--card", metavar="CARD", callback=_card, help="Rounds in which this card was dealt.")
@document_options(*FORMS, to_file=FILES)
def rounds(records: Sequence[Path], output_format: str, **asked: Any) -> None:
    """Find rounds in table logs, or in every table of a store.

    All options must hold; those about a wager must hold for one and the same wager. A time of day
    applies to every day. Each round is shown with its entries, cards, and the wagers found; explain
    --round shows one in full. Exit status: 1 if lines of a log were changed since they
    were sealed.
    """
    found = read_each(records, lambda log: _found(log, asked))
    document: FoundRounds = {
        "format": "croupier-found-rounds/1",
        **made(command_line()),
        "rounds": found,
    }
    give(document, found_rounds_tree, output_format)


def read_each(records: Sequence[Path], read: Callable[[LogReader], Iterable[T]]) -> list[T]:
    """Return what is read of each log, and of every log of a store.

    Exits with 1 if lines of a log were changed, with 2 if one cannot be read.
    """
    found: list[T] = []
    try:
        for path in records:
            for name in names_in(path) if is_store(path) else (None,):
                log = LogReader(path, name, scanned=False, names=names_of(path))
                in_currency_of(log.header.rules)
                found += read(log)
    except ChangedLogError as error:
        say(f"{error}; judge it with croupier verify")
        raise SystemExit(FAILS) from error
    except (LogError, NamesError) as error:
        fail(str(error))
    return found


_TABLES: Final = ("rounds", "wagers", "irregularities")


def _found(log: LogReader, asked: Mapping[str, Any]) -> Iterator[FoundRound]:
    reader = LogTables(log.header, _TABLES)
    if asked["over"] is not None:
        cents = currency_in_use().typed(asked["over"])
        if cents is None:
            raise click.BadParameter(f"{asked['over']!r} is not an amount", param_hint="--over")
        asked = {**asked, "over": cents}
    wagers: list[dict[str, Any]] = []
    irregular: list[dict[str, Any]] = []
    round_: dict[str, Any] | None = None
    for _, entry in log.entries():
        rows: dict[str, list[dict[str, Any]]] = {name: [] for name in _TABLES}
        for table, row in reader.follow(entry):
            rows[table].append(named(table, row))
        irregular += rows["irregularities"]
        wagers += [one for one in rows["wagers"] if one["outcome"] != "correction"]
        for round_ in rows["rounds"]:
            held = [one for one in wagers if _is_wager(one, asked)]
            if _holds(round_, held, irregular, asked):
                yield _data(log, round_, held, irregular)
            wagers, irregular = [], []


def named(table: str, row: Row) -> dict[str, Any]:
    """Return a row of an exported table by column."""
    return {column.name: value for column, value in zip(TABLES[table], row, strict=True)}


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
    of_wagers = any(asked[one] for one in ("seat", "patron", "wager", "won")) or asked["over"]
    return (
        (not of_wagers or bool(wagers))
        and (not asked["irregular"] or bool(irregular))
        and asked["card"] in {None, *cards}
        and _within(round_["ended_at"], asked["since"], first=True)
        and _within(round_["began_at"] or round_["ended_at"], asked["until"], first=False)
    )


def _within(at: str, bound: datetime | time | None, *, first: bool) -> bool:
    if bound is None:
        return True
    moment = datetime.fromisoformat(at)
    found = moment.time() if isinstance(bound, time) else moment
    # Up to a minute is meant with its seconds.
    if isinstance(bound, time) and not first and not bound.second:
        bound = bound.replace(second=59, microsecond=999_999)
    return bound <= found if first else found <= bound  # type: ignore[operator]


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
        "wagers": [{name: one[name] for name in FoundWager.__annotations__} for one in wagers],
        "irregularities": [
            {
                "entry": one["entry"],
                "event": one["event"],
                "card": one["card"],
                "clauses": one["clauses"].split(),
            }
            for one in irregular
        ],
    }
    return msgspec.convert(row, FoundRound)
