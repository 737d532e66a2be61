"""``croupier map``: propose a mapping of a record, and show ten rounds read by it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click
from msgspec.structs import replace

from croupier.cli.common.files import document_options
from croupier.cli.common.output import command_line, print_json
from croupier.cli.records.record_options import encoding_asked, encoding_option, record_argument
from croupier.cli.records.rounds import unread
from croupier.files.errors import FileError
from croupier.files.streams import echo
from croupier.money.settlement import dollars
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.plain_cells import readable
from croupier.records.rounds.proposing import MappingProposal, has_cards, proposed
from croupier.records.rounds.reading import open_rounds
from croupier.records.rounds.record import RoundRecord, Unreadable, shown_text
from croupier.records.rounds.sampling import Sample, sample_of
from croupier.rules.documents import made

if TYPE_CHECKING:
    from croupier.cli.common.documents import ProposedMapping

_ROUNDS: Final = 10
_DEEPEST_HEADER: Final = 20


@click.command("map")
@record_argument
@encoding_option
@click.option("--sheet", metavar="NAME", help="Sheet of a spreadsheet that has the rounds.")
@document_options("toml", "json")
def map_record(record: Path, *, sheet: str | None, output_format: str) -> None:
    """Propose a mapping for RECORD, external rounds with columns of another system, and show the
    first ten rounds as the mapping reads them.

    The text is a mapping file (TOML) with the rounds as comments: check it, save it, and use it
    with `croupier verify --mapping`. A proposal is a guess by names and contents of columns, and
    nothing is ever verified by a guess. Exit status: 2 if the file cannot be read.
    """  # noqa: D205  (the command's help is its first paragraph)
    told = RoundMapping(encoding=encoding_asked(), sheet=sheet)
    try:
        found, header = _proposed(record, told)
    except FileError as error:
        unread(record, error)
    file = ("encoding", told.encoding), ("sheet", sheet), ("header", header)
    for key, value in file:
        if value not in {None, 1}:
            found.tables.setdefault("file", {})[key] = value
    rounds, errors = _rounds(record, found)
    if output_format == "json":
        document: ProposedMapping = {
            "format": "croupier-proposed-mapping/1",
            **made(command_line()),
            "mapping": found.tables,
            "reasons": found.why,
            "unread": list(found.unread),
            "rounds": [_as_data(one) for one in rounds],
            "errors": errors,
        }
        print_json(document)
        return
    for line in _lines(record, found, rounds, errors):
        # A comment has no control characters; a value has none that are not escaped.
        echo("".join("?" if _is_control(one) else one for one in line))


def _proposed(record: Path, told: RoundMapping) -> tuple[MappingProposal, int]:
    sample = sample_of(record, told)
    first = proposed(sample)
    if has_cards(first):
        return first, 1
    for header in range(2, _DEEPEST_HEADER + 1):
        if (below := _below(record, told, header)) is None:
            break
        # Blank lines before the header give the same sample: the last of them is the one before.
        if below.names != sample.names and has_cards(found := proposed(below)):
            while (more := _below(record, told, header + 1)) and more.names == below.names:
                header += 1  # noqa: PLW2901  (what was looked for is found)
            return found, header
        sample = below
    return first, 1


def _below(record: Path, told: RoundMapping, header: int) -> Sample | None:
    try:
        return sample_of(record, replace(told, header=header))
    except FileError:
        return None


def _rounds(path: Path, found: MappingProposal) -> tuple[list[RoundRecord | Unreadable], list[str]]:
    try:
        reader = open_rounds(path, found.mapping)
        return list(islice(reader, _ROUNDS)), []
    except (FileError, ValueError) as error:
        return [], list(getattr(error, "errors", [str(error)]))


def _as_data(one: RoundRecord | Unreadable) -> dict[str, object]:
    if isinstance(one, Unreadable):
        return {"line": one.line, "error": one.message}
    return {
        "line": one.line,
        "shoe": one.shoe,
        "round": one.round,
        "player": " ".join(map(shown_text, one.player)),
        "banker": " ".join(map(shown_text, one.banker)),
        "winner": one.winner,
        "wagers": [
            {"wager": bet.wager, "stake_cents": bet.stake_cents, "net_cents": bet.net_cents}
            for bet in one.wagers
        ],
    }


# --- as a mapping file -------------------------------------------------------------------------


def _lines(
    path: Path,
    found: MappingProposal,
    rounds: Sequence[RoundRecord | Unreadable],
    errors: Sequence[str],
) -> Iterator[str]:
    yield f"# A mapping proposed for {readable(path.name)}: check it before you use it."
    for name in ("file", "columns", "entries", "wagers", "money", "cards", "values"):
        table = found.tables.get(name, {})
        if name in {"wagers", "values"}:
            for inner, columns in table.items():
                yield from _table(f"{name}.{inner}", columns, found.why)
        elif table:
            yield from _table(name, table, found.why)
    told = {f"{name}.{key}" for name, table in found.tables.items() for key in table}
    yield from (f"# {name}: {why}" for name, why in found.why.items() if name not in told)
    if found.unread:
        yield ""
        yield f"# Not read: {', '.join(readable(name) for name in found.unread)}"
    yield ""
    for error in errors:
        yield f"# Missing: {readable(error, 200)}"
    if rounds:
        yield f"# The first {len(rounds)} rounds as this mapping reads them:"
    for one in rounds:
        yield f"#   {_shown(one)}"


def _table(name: str, table: Mapping[str, Any], why: Mapping[str, str]) -> Iterator[str]:
    yield ""
    if name in why:
        yield f"# {why[name]}"
    yield f"[{'.'.join(map(_key, name.split('.')))}]"
    for key, value in table.items():
        reason = why.get(f"{name}.{key}")
        yield f"{_key(key)} = {_value(value)}{f'  # {reason}' if reason else ''}"


def _key(key: str) -> str:
    plain = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if plain else _value(key)


def _value(value: object) -> str:
    if isinstance(value, list | tuple):
        return f"[{', '.join(map(_value, value))}]"
    if not isinstance(value, str):
        return str(value)
    escaped = "".join(
        f"\\u{ord(one):04x}" if _is_control(one) else one
        for one in value.replace("\\", "\\\\").replace('"', '\\"')
    )
    return f'"{escaped}"'


def _is_control(one: str) -> bool:
    return unicodedata.category(one) in {"Cc", "Cs"}


def _shown(one: RoundRecord | Unreadable) -> str:
    if isinstance(one, Unreadable):
        return f"line {one.line} cannot be read: {readable(one.message, 120)}"
    hands = [
        f"{side} {' '.join(map(shown_text, cards)) or 'none'}"
        for side, cards in (("Player", one.player), ("Banker", one.banker))
    ]
    bets = [
        f"{bet.wager} {dollars(bet.stake_cents)}"
        + ("" if bet.net_cents is None else f" net {dollars(bet.net_cents)}")
        for bet in one.wagers
    ]
    shoe = f"shoe {readable(one.shoe)}, " if one.shoe else ""
    parts = [f"{shoe}round {readable(one.round)}", *hands, one.winner or "no winner", *bets]
    return "; ".join(parts)
