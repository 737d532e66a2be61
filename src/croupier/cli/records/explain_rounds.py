"""``croupier explain`` for an external round."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from msgspec.structs import replace

from croupier.cli.common.document import give
from croupier.cli.common.output import command_line, fail
from croupier.cli.records.rounds import mapping_named, unread
from croupier.cli.submission.rules import table_of, with_own
from croupier.cli.tables.transcript import line_data
from croupier.files.errors import FileError
from croupier.law.standing import standing_note
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.reading import open_rounds
from croupier.reports.rounds import explained_tree
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.verify.rounds.findings import VerifiedRound, plain_name
from croupier.verify.rounds.inferring import inferred, read_as
from croupier.verify.rounds.narration import narrate_round, narrate_wagers
from croupier.verify.rounds.verifier import RecordVerifier, verified_rounds

if TYPE_CHECKING:
    from croupier.cli.common.documents import RoundExplained

_SHOWN = 5


class RoundAsked(NamedTuple):
    shoe: str | None
    number: str | None
    line: int | None
    seat: int | None
    report: Path | None
    paper: str
    force: bool


def explain_round(  # noqa: PLR0913, PLR0917  (each is an option of the command)
    path: Path,
    submission: Path,
    mapping: Path | None,
    own: Sequence[Path],
    asked: RoundAsked,
    output_format: str,
) -> None:
    """Explain a round; those before it are verified too, as an error in a shoe shows in one."""
    rules = with_own(table_of(submission), own)
    named = mapping_named(mapping, rules)
    try:
        if mapping is None and (inference := inferred(path, rules, named or RoundMapping())):
            named = read_as(inference, named)
    except FileError as error:
        unread(path, error)
    if asked.line is not None:
        verified = _on_line(path, rules, named, asked.line)
    else:
        verified = _found(path, rules, named, (asked.shoe, asked.number))
    record = verified.record
    if asked.seat is not None:
        verified = _of_seat(path, verified, asked.seat)
    if asked.report is not None:
        from croupier.cli.records.round_reports import write_external_report  # noqa: PLC0415

        write_external_report(
            path, verified, rules, asked.report,
            seat=asked.seat, paper=asked.paper, force=asked.force,
        )  # fmt: skip
        return
    document: RoundExplained = {
        "format": "croupier-external-round/1",
        **provenance(rules, command_line()),
        "line": record.line,
        "shoe": plain_name(record.shoe),
        "round": plain_name(record.round),
        "divergences": [divergence.as_data() for divergence in verified.divergences],
        "narration": [line_data(line, rules.law) for line in narrate_round(verified, rules)],
        "wagers": [line_data(line, rules.law) for line in narrate_wagers(verified, rules)],
    }
    cited = partial(standing_note, rules.law)
    tree = partial(explained_tree, prefix=rules.law.clause_prefix, cited=cited)
    give(document, tree, output_format)


def _of_seat(path: Path, verified: VerifiedRound, seat: int) -> VerifiedRound:
    record = verified.record
    pairs = zip(record.wagers, verified.settled, strict=True)
    mine = [(wager, settled) for wager, settled in pairs if wager.seat == seat]
    if not mine:
        fail(f"{path}: seat {seat} has no wager in round {record.round}")
    wagers, settled = zip(*mine, strict=True)
    found = tuple(one for one in verified.divergences if one.seat in {None, seat})
    return replace(
        verified, record=replace(record, wagers=wagers), settled=settled, divergences=found
    )


def _on_line(
    path: Path, rules: TableRules, mapping: RoundMapping | None, line: int
) -> VerifiedRound:
    last: VerifiedRound | None = None
    try:
        rounds = open_rounds(path, mapping, rules.tableau)
        for verified in verified_rounds(rounds, RecordVerifier(rules, mapping, limit=0)):
            if verified.record.line > line:
                break
            last = verified
            if verified.record.line == line and not verified.record.is_part:
                break
    except FileError as error:
        unread(path, error)
    # The other lines of a round that has several follow its first.
    if last is None or (
        last.record.line < line and (not last.record.is_part or line > rounds.line)
    ):
        where = "" if last is None else f"; the last one before it is {_place(last)}"
        fail(f"{path}: there is no round on line {line}{where}")
    return last


def _found(
    path: Path, rules: TableRules, mapping: RoundMapping | None, at: tuple[str | None, str | None]
) -> VerifiedRound:
    shoe, number = at
    found: list[VerifiedRound] = []
    last: VerifiedRound | None = None
    try:
        rounds = open_rounds(path, mapping, rules.tableau)
        for verified in verified_rounds(rounds, RecordVerifier(rules, mapping, limit=0)):
            last = verified
            if verified.record.round == number and shoe in {None, verified.record.shoe}:
                found.append(verified)
                if shoe is not None or len(found) > _SHOWN:
                    break
    except FileError as error:
        unread(path, error)
    if (fault := rounds.builder.cards.number_fault) is not None:
        unread(path, FileError(fault))
    if not found:
        place = f"round {number}" if shoe is None else f"round {number} of shoe {shoe}"
        where = "" if last is None else f"; the last one is {_place(last)}"
        fail(f"{path}: there is no {place}{where}")
    if len(found) > 1:
        places = "\n".join(f"  {_place(verified_round)}" for verified_round in found[:_SHOWN])
        more = "\n  and more" if len(found) > _SHOWN else ""
        fail(f"{path}: several shoes have that round; select one with --shoe:\n{places}{more}")
    return found[0]


def _place(verified: VerifiedRound) -> str:
    record = verified.record
    shoe = f" of shoe {record.shoe}" if record.shoe else ""
    return f"round {record.round}{shoe}, line {record.line}"
