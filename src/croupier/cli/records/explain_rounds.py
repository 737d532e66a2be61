"""``croupier explain`` for an external round, and its reports."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import chain
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from msgspec.structs import replace

from croupier.baccarat.coup import Hand
from croupier.cli.common.files import give
from croupier.cli.common.output import command_line, fail
from croupier.cli.records.rounds import mapping_named, unread
from croupier.cli.submission.rules import table_of, with_own
from croupier.cli.tables.transcript import line_data
from croupier.files.errors import FileError
from croupier.files.pipes import shown_name
from croupier.law.standing import standing_note
from croupier.money.settlement import Settled
from croupier.records.explanation import explain_settled
from croupier.records.layout import layout_of
from croupier.records.rounds.finding import open_each, sheets_of_rounds
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.reading import RoundReader
from croupier.records.rounds.record import RoundRecord, WagerRecord, shown_text
from croupier.reports.rounds import explained_tree, round_tree
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.verify.round_report import OUTCOMES
from croupier.verify.rounds.differences import recorded_cents, recorded_void_cents
from croupier.verify.rounds.findings import VerifiedRound, plain_name
from croupier.verify.rounds.inferring import inferred, read_as
from croupier.verify.rounds.narration import (
    narrate_round,
    narrate_wagers,
    title_of,
    why_unsettled,
)
from croupier.verify.rounds.verifier import RecordVerifier, verified_rounds
from croupier.verify.rounds.wagers import net_of

if TYPE_CHECKING:
    from croupier.cli.common.documents import RoundExplained
    from croupier.cli.records.documents import (
        ExternalLayout,
        ExternalRoundReport,
        ExternalSeat,
        ExternalWager,
    )
    from croupier.cli.records.record_options import RoundAsked


_SHOWN = 5


def explain_round(  # noqa: PLR0913, PLR0917  (each is an option of the command)
    path: Path,
    submission: Path,
    mapping: Path | None,
    custom_wagers: Sequence[Path],
    options: RoundAsked,
    output_format: str,
    *,
    force: bool,
) -> None:
    """Explain a round; those before it are verified too, as an error in a shoe shows in one."""
    rules = with_own(table_of(submission), custom_wagers)
    own_mapping = mapping_named(mapping, rules)
    try:
        own_wagers = [offer.wager.id for offer in rules.own]
        sheets = sheets_of_rounds(path, initial := own_mapping or RoundMapping(), own_wagers)
        first = replace(initial, sheet=initial.sheet or (sheets[0] if sheets else None))
        if mapping is None and (inference := inferred(path, rules, first)):
            own_mapping = read_as(inference, own_mapping)
            own_mapping = replace(own_mapping, sheet=None) if len(sheets) > 1 else own_mapping
        readers = open_each(path, own_mapping or RoundMapping(), rules.tableau, own_wagers)
        of_sheet = [one for one in readers if one.sheet == options.shoe and len(readers) > 1]
        if of_sheet:
            readers, options = of_sheet, replace(options, shoe=None)
    except FileError as error:
        unread(path, error)
    if options.line is not None:
        if len(readers) > 1:
            names = ", ".join(str(reader.sheet) for reader in readers)
            fail(f"{path}: rounds are on {names}: name one with --shoe")
        verified = _on_line(readers[0], RecordVerifier(rules, own_mapping, limit=0), options.line)
    else:
        verifier = RecordVerifier(rules, own_mapping, limit=0)
        verified = _found(readers, verifier, (options.shoe, options.number))
    record = verified.record
    if options.seat is not None:
        verified = _of_seat(path, verified, options.seat)
    if options.report is not None:
        report = external_report_of(path, verified, rules, options.seat)
        give(report, round_tree, None, options.report, force=force)
        return
    document: RoundExplained = {
        "format": "croupier-external-round/1",
        **provenance(rules, command_line()),
        "line": record.line,
        "shoe": plain_name(record.source),
        "round": plain_name(record.round),
        "divergences": [divergence.as_data() for divergence in verified.divergences],
        "narration": [line_data(line, rules.law) for line in narrate_round(verified, rules)],
        "wagers": [line_data(line, rules.law) for line in narrate_wagers(verified, rules)],
    }
    note_of = partial(standing_note, rules.law)
    tree = partial(explained_tree, prefix=rules.law.clause_prefix, cited=note_of)
    give(document, tree, output_format)


def _of_seat(path: Path, verified: VerifiedRound, seat: int) -> VerifiedRound:
    record = verified.record
    pairs = zip(record.wagers, verified.settled, strict=True)
    pairs_of_seat = [(wager, settlement) for wager, settlement in pairs if wager.seat == seat]
    if not pairs_of_seat:
        fail(f"{path}: seat {seat} has no wager in round {record.round}")
    wagers, settlements = zip(*pairs_of_seat, strict=True)
    findings = tuple(finding for finding in verified.divergences if finding.seat in {None, seat})
    return replace(
        verified, record=replace(record, wagers=wagers), settled=settlements, divergences=findings
    )


def _on_line(rounds: RoundReader, verifier: RecordVerifier, line: int) -> VerifiedRound:
    path = rounds.path
    previous: VerifiedRound | None = None
    try:
        for verified in verified_rounds(rounds, verifier):
            if verified.record.line > line:
                break
            previous = verified
            if verified.record.line == line and not verified.record.is_part:
                break
    except FileError as error:
        unread(path, error)
    # The other lines of a round that has several follow its first.
    if previous is None or (
        previous.record.line < line and (not previous.record.is_part or line > rounds.line)
    ):
        suffix = "" if previous is None else f"; the last one before it is {_place(previous)}"
        fail(f"{path}: there is no round on line {line}{suffix}")
    return previous


def _found(
    readers: Sequence[RoundReader], verifier: RecordVerifier, at: tuple[str | None, str | None]
) -> VerifiedRound:
    shoe, number = at
    path, builder = readers[0].path, readers[0].builder
    matches: list[VerifiedRound] = []
    last_round: VerifiedRound | None = None
    try:
        rounds = (verified_rounds(reader, verifier) for reader in readers)
        for verified in chain.from_iterable(rounds):
            last_round = verified
            if verified.record.round == number and shoe in {None, verified.record.shoe}:
                matches.append(verified)
                if shoe is not None or len(matches) > _SHOWN:
                    break
    except FileError as error:
        unread(path, error)
    if (fault := builder.cards.number_fault) is not None:
        unread(path, FileError(fault))
    if not matches:
        place = f"round {number}" if shoe is None else f"round {number} of shoe {shoe}"
        suffix = "" if last_round is None else f"; the last one is {_place(last_round)}"
        fail(f"{path}: there is no {place}{suffix}")
    if len(matches) > 1:
        places = "\n".join(f"  {_place(verified_round)}" for verified_round in matches[:_SHOWN])
        more_text = "\n  and more" if len(matches) > _SHOWN else ""
        how = "SHOE or SHEET" if len(readers) > 1 else "SHOE"
        fail(
            f"{path}: several shoes have that round; select one with --shoe {how}:\n"
            f"{places}{more_text}"
        )
    return matches[0]


def _place(verified: VerifiedRound) -> str:
    record = verified.record
    shoe = f" of shoe {record.shoe}" if record.shoe else ""
    shoe = shoe or (f" of sheet {record.sheet}" if record.sheet else "")
    return f"round {record.round}{shoe}, line {record.line}"


_UNKNOWN: Final = "??"


def external_report_of(
    path: Path, verified: VerifiedRound, rules: TableRules, seat: int | None = None
) -> ExternalRoundReport:
    record = verified.record
    pairs = zip(record.wagers, verified.settled, strict=True)
    wagers = [_wager(verified, wager, settlement, rules) for wager, settlement in pairs]
    return {
        "format": "croupier-external-round-report/1",
        **provenance(rules, command_line()),
        "file": shown_name(path),
        "line": record.line,
        "shoe": plain_name(record.source),
        "round": plain_name(record.round),
        "seat": seat,
        "result": _result(verified),
        "divergences": [divergence.as_data() for divergence in verified.divergences],
        "layout": _layout(record, rules),
        "narration": [line_data(line, rules.law) for line in narrate_round(verified, rules)],
        "wagers": wagers,
        "seats": list(_seats(wagers)),
    }


def _result(verified: VerifiedRound) -> str:
    facts = verified.facts
    if facts is None:
        return "void" if verified.record.marked("void") else ""
    totals = f"Player {facts.player_count}, Banker {facts.banker_count}"
    winner = "tie" if facts.winner is None else f"{facts.winner_name.capitalize()} wins"
    return f"{totals}, {winner}"


def _layout(record: RoundRecord, rules: TableRules) -> ExternalLayout:
    hands = {
        hand.value: [_UNKNOWN if card is None else shown_text(card) for card in record.hand(hand)]
        for hand in Hand
    }
    seats = rules.submission.layout.seats
    return {
        "layout": layout_of(rules, ""),
        "stakes": [
            {"seat": wager.seat, "wager": wager.wager, "cents": wager.stake_cents}
            for wager in record.wagers
            if wager.seat is not None and wager.seat <= seats and wager.wager in rules.offers
        ],
        "hands": hands,
        "totals": {hand.value: total for hand in Hand if (total := record.total(hand)) is not None},
        "winner": record.winner,
    }


def _wager(
    verified: VerifiedRound, wager: WagerRecord, settlement: Settled | None, rules: TableRules
) -> ExternalWager:
    outcome: Literal["win", "lose", "push", "void"] | None = None
    reason, clauses, due, recorded = why_unsettled(verified), tuple[str, ...](), None, None
    if verified.record.marked("void"):
        outcome, due, recorded = "void", 0, recorded_void_cents(wager)
    elif settlement is not None and verified.facts is not None:
        line = explain_settled(settlement, verified.facts, rules, is_seated=False)
        outcome, reason, clauses = OUTCOMES[settlement.decision.outcome], line.text, line.clauses
        due, recorded = net_of(settlement), recorded_cents(wager, settlement)
    return {
        "seat": wager.seat,
        "wager": wager.wager,
        "title": title_of(wager, rules),
        "stake_cents": wager.stake_cents,
        "outcome": outcome,
        "expected_cents": due,
        "recorded_cents": recorded,
        "owed_cents": None if due is None or recorded is None else due - recorded,
        "why": reason,
        "clauses": list(clauses),
    }


def _seats(wagers: list[ExternalWager]) -> Iterator[ExternalSeat]:
    for seat in dict.fromkeys(wager["seat"] for wager in wagers):
        wagers_of_seat = [wager for wager in wagers if wager["seat"] == seat]
        yield {
            "seat": seat,
            "staked_cents": sum(wager["stake_cents"] for wager in wagers_of_seat),
            "expected_cents": _sum(wager["expected_cents"] for wager in wagers_of_seat),
            "recorded_cents": _sum(wager["recorded_cents"] for wager in wagers_of_seat),
            "owed_cents": _sum(wager["owed_cents"] for wager in wagers_of_seat),
        }


def _sum(amounts: Iterator[int | None]) -> int | None:
    all_amounts = list(amounts)
    return None if None in all_amounts else sum(one for one in all_amounts if one is not None)
