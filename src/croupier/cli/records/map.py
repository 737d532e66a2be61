"""``croupier map``: propose a mapping of a record, and show ten rounds read by it."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from croupier.baccarat.coup import Hand
from croupier.cli.common.files import document_options
from croupier.cli.common.output import command_line, exit_unless, fail, print_json
from croupier.cli.records.record_options import (
    encoding_asked,
    encoding_option,
    record_argument,
    submission_option,
)
from croupier.cli.records.rounds import unread
from croupier.cli.submission.rules import own_option, priced_of, with_own
from croupier.files.errors import FileError
from croupier.files.pipes import shown_name
from croupier.files.streams import echo, note, say
from croupier.files.toml import toml_key, toml_value
from croupier.law.usage import counted, money
from croupier.records.rounds.cells import readable
from croupier.records.rounds.finding import sheets_of_rounds
from croupier.records.rounds.mapping import RoundMapping, mapping_of
from croupier.records.rounds.proposing import MappingProposal
from croupier.records.rounds.reading import open_rounds
from croupier.records.rounds.record import RoundRecord, Unreadable, WagerRecord, shown_text
from croupier.rules import TableRules
from croupier.rules.documents import made
from croupier.verify.rounds.inferring import Inference, infer, plain_rules

if TYPE_CHECKING:
    from croupier.cli.common.documents import ProposedMapping

_ROUNDS: Final = 10


@click.command("map")
@record_argument
@submission_option
@own_option
@encoding_option
@click.option("--sheet", metavar="NAME", help="Sheet of a spreadsheet that has the rounds.")
@click.option(
    "--ask", is_flag=True, help="Show three rounds in words, and ask what the rounds leave open."
)
@document_options("toml", "json")
def map_record(  # noqa: PLR0913  (each is an option of the command)
    record: Path,
    *,
    submission: Path | None,
    own: tuple[Path, ...],
    sheet: str | None,
    ask: bool,
    output_format: str,
) -> None:
    """Propose a mapping for RECORD, external rounds with columns of another system, and show the
    first ten rounds as the mapping reads them.

    The first rounds are settled in every plausible way: payouts with and without the stake, cards
    as numbers, amounts in cents. The mapping with the fewest divergences is printed as a mapping
    file (TOML) with its evidence as comments: check it, save it, and use it with `croupier verify
    --mapping`. With --submission, wagers are settled under the rules of their table; otherwise
    under default elections. Exit status: 1 if the mapping lacks what a round needs, such as its
    cards; 2 if the file cannot be read.
    """  # noqa: D205  (the command's help is its first paragraph)
    first_mapping = RoundMapping(encoding=encoding_asked(), sheet=sheet)
    if own and submission is None:
        fail("--own adds a wager to a table: name its --submission")
    rules = None if submission is None else with_own(priced_of(submission), own)
    try:
        sheets = sheets_of_rounds(record, first_mapping)
        if len(sheets) > 1:
            first_mapping = RoundMapping(encoding=first_mapping.encoding, sheet=sheets[0])
        inference = infer(record, rules, first_mapping)
    except FileError as error:
        unread(record, error)
    proposal = inference.proposal
    if len(sheets) > 1:
        proposal.why["file.sheet"] = (
            f"rounds are on {', '.join(sheets)} too: without it, verify reads each that has these "
            "columns"
        )
    if ask:
        proposal = answered(record, inference, rules)
    rounds, errors = _rounds(record, proposal)
    if output_format == "json":
        document: ProposedMapping = {
            "format": "croupier-proposed-mapping/1",
            **made(command_line()),
            "mapping": proposal.tables,
            "reasons": proposal.why,
            "unread": list(proposal.unread),
            "rounds": [_as_data(round_) for round_ in rounds],
            "errors": errors,
        }
        print_json(document)
    for line in _lines(record, proposal, rounds, errors) if output_format == "toml" else ():
        # A comment has no control characters; a value has none that are not escaped.
        kinds = map(unicodedata.category, line)
        shown_lines = (
            "?" if kind in {"Cc", "Cs"} else one for one, kind in zip(line, kinds, strict=True)
        )
        echo("".join(shown_lines))
    if errors:
        say(f"{shown_name(record)}: no rounds can be read by this mapping: {errors[0]}")
    exit_unless(not errors)


def _rounds(path: Path, found: MappingProposal) -> tuple[list[RoundRecord | Unreadable], list[str]]:
    try:
        reader = open_rounds(path, found.mapping)
        return list(islice(reader, _ROUNDS)), []
    except (FileError, ValueError) as error:
        return [], list(getattr(error, "errors", [str(error)]))


def _as_data(item: RoundRecord | Unreadable) -> dict[str, object]:
    if isinstance(item, Unreadable):
        return {"line": item.line, "error": item.message}
    return {
        "line": item.line,
        "shoe": item.shoe,
        "round": item.round,
        "player": " ".join(map(shown_text, item.player)),
        "banker": " ".join(map(shown_text, item.banker)),
        "winner": item.winner,
        "wagers": [
            {"wager": bet.wager, "stake_cents": bet.stake_cents, "net_cents": bet.net_cents}
            for bet in item.wagers
        ],
    }


def _lines(
    path: Path,
    proposal: MappingProposal,
    rounds: Sequence[RoundRecord | Unreadable],
    errors: Sequence[str],
) -> Iterator[str]:
    yield f"# A mapping proposed for {readable(shown_name(path))}: check it before you use it."
    for name in ("file", "columns", "entries", "wagers", "money", "cards", "shoe", "values"):
        table = proposal.tables.get(name, {})
        if name in {"wagers", "values"}:
            for subname, columns in table.items():
                yield from _table(f"{name}.{subname}", columns, proposal.why)
        elif table:
            yield from _table(name, table, proposal.why)
    listed = {f"{name}.{key}" for name, table in proposal.tables.items() for key in table}
    listed |= proposal.tables.keys() - {"wagers", "values"}
    yield from (f"# {name}: {why}" for name, why in proposal.why.items() if name not in listed)
    if proposal.unread:
        yield ""
        yield f"# Not read: {', '.join(readable(name) for name in proposal.unread)}"
    yield ""
    for error in errors:
        yield f"# Missing: {readable(error, 200)}"
    if rounds:
        yield f"# The first {counted(len(rounds), 'round')} as this mapping reads them:"
    for round_ in rounds:
        yield f"#   {_shown(round_)}"


def _table(name: str, table: Mapping[str, Any], reasons: Mapping[str, str]) -> Iterator[str]:
    yield ""
    if name in reasons:
        yield f"# {reasons[name]}"
    yield f"[{'.'.join(map(toml_key, name.split('.')))}]"
    for key, value in table.items():
        reason = reasons.get(f"{name}.{key}")
        yield f"{toml_key(key)} = {toml_value(value)}{f'  # {reason}' if reason else ''}"


def _shown(item: RoundRecord | Unreadable) -> str:
    if isinstance(item, Unreadable):
        return f"line {item.line} cannot be read: {readable(item.message, 120)}"
    bets = [
        ("" if bet.seat is None else f"seat {bet.seat} ")
        + f"{bet.wager} {money(bet.stake_cents)}"
        + ("" if bet.net_cents is None else f" net {money(bet.net_cents)}")
        for bet in item.wagers
    ]
    shoe = f"shoe {readable(item.shoe)}, " if item.shoe else ""
    parts = [
        f"{shoe}round {readable(item.round)}",
        *_hands(item),
        item.winner or "no winner",
        *bets,
    ]
    return "; ".join(parts)


def _hands(item: RoundRecord) -> list[str]:
    return [
        f"{hand.value.capitalize()} {' '.join(map(shown_text, item.hand(hand))) or 'none'}"
        for hand in Hand
    ]


_SHOWN: Final = 3
_LOOKED_AT: Final = 600
_SAYS: Final = {"player": "Player wins", "banker": "Banker wins", "tie": "a tie", None: "no winner"}


def answered(path: Path, inference: Inference, rules: TableRules | None) -> MappingProposal:
    found = inference.proposal
    tables = [found.tables, *(choice for q in inference.questions for choice in q.choices.values())]
    for line in _in_words(path, tables):
        note(line)
    for question in inference.questions:
        found = found._replace(tables=question.choices[_choice(question.about, question.choices)])
        found.why.update(dict.fromkeys(_ASKED & found.why.keys(), "as answered"))
    offers = (plain_rules() if rules is None else rules).wagers
    by_title = {offer.title: wager for wager, offer in offers.items()} | {"none of these": ""}
    for name in found.unknown:
        wager = by_title[_choice(f"Which wager is {name!r}?", by_title)]
        if wager:
            found.tables.setdefault("values", {}).setdefault("wager", {})[name] = wager
            found.why.pop("values.wager of your own", None)
    if not inference.questions and not found.unknown:
        note("The rounds leave nothing open.")
    return found


_ASKED: Final = frozenset({"cards", "money", "money.paid"})


def _choice(subject: str, choices: Mapping[str, Any]) -> str:
    labels = list(choices)
    note(subject)
    for number, label in enumerate(labels, start=1):
        note(f"  {number}. {label}")
    try:
        number = click.prompt(
            "Number", type=click.IntRange(1, len(labels)), err=True, prompt_suffix=": "
        )
    except click.Abort:
        fail(f"{subject} is not answered; write the number of one of: {', '.join(labels)}")
    return labels[number - 1]


def _in_words(path: Path, tables: list[dict[str, Any]]) -> list[str]:
    readings = [_first(path, table) for table in tables]
    lines = []
    for index in range(min(map(len, readings))):
        one = readings[0][index]
        shoe = f"shoe {one.shoe}, " if one.shoe else ""
        dealt = ", ".join((*_hands(one), _SAYS[one.winner]))
        lines.append(f"Line {one.line}, {shoe}round {one.round}: {dealt}.")
        for number, bet in enumerate(one.wagers):
            ways = [
                _result(reading[index].wagers[number])
                for reading in readings
                if len(reading[index].wagers) > number
            ]
            seat_text = "" if bet.seat is None else f"seat {bet.seat} had "
            stake = f"{seat_text}{money(bet.stake_cents)} on {bet.wager}"
            lines.append(f"  {stake} and {', or '.join(dict.fromkeys(ways))}")
    return lines


def _first(path: Path, tables: Mapping[str, Any]) -> list[RoundRecord]:
    try:
        rounds = islice(open_rounds(path, mapping_of(tables, tables.get("wagers", ()))), _LOOKED_AT)
        with_wagers = (one for one in rounds if isinstance(one, RoundRecord) and one.wagers)
        return list(islice(with_wagers, _SHOWN))
    except FileError:
        return []


def _result(bet: WagerRecord) -> str:
    net = bet.paid_cents if bet.net_cents is None else bet.net_cents
    if net is None:
        return "no result is recorded"
    if net == 0:
        return "neither won nor lost"
    return f"{'won' if net > 0 else 'lost'} {money(abs(net))}"
