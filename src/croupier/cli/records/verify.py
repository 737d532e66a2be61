"""``croupier verify``: verify a table log, a pit log, or external rounds."""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar, cast

import click
from msgspec import to_builtins
from msgspec.structs import asdict

from croupier.cli.common.files import document_options, give, input_file, output_path, record_file
from croupier.cli.common.output import command_line, exit_unless, fail
from croupier.cli.common.terminal import law_vouched_by
from croupier.cli.records.logs import public_key_option, rounds_advised, trust_of, trust_option
from croupier.cli.records.record_options import (
    encoding_asked,
    external_options,
    limits_checked,
    table_asked,
)
from croupier.cli.submission.rules import in_currency_of
from croupier.files.pipes import PipedFile
from croupier.records.checkpoints import (
    SignedThrough,
    Vouched,
    checkpoints_of,
    misplaced,
    read_checkpoints,
)
from croupier.records.explanation import read_header
from croupier.records.header import LogError
from croupier.records.log import LogLines
from croupier.records.pit_log import is_pit_header
from croupier.records.signing import Trust
from croupier.reports.verification import (
    log_verification_tree,
    logs_verification_tree,
    pit_verification_tree,
)
from croupier.rules.documents import made, provenance
from croupier.verify.continues import verify_continued
from croupier.verify.log import LogDivergence, Verdict, verify_log
from croupier.verify.pieces import pool
from croupier.verify.pit_log import verify_pit_log
from croupier.verify.verdict import LogFinding

if TYPE_CHECKING:
    from croupier.cli.common import documents


Function = TypeVar("Function", bound=Callable[..., Any])

_OF_LOG: Final = (
    "--head, --trust, --public-key, --beside, --continues, and --table are for table logs: remove"
    " --submission"
)
_OF_TABLE: Final = (
    "--head, --trust, --public-key, --checkpoints, --continues, and --threads are for table logs"
)
_ADVICE: Final = "To verify external rounds"
_OF_ONE: Final = "--head, --checkpoints, --table, --beside, and --continues are for one log"


def _logs_option(name: str, text: str) -> Callable[[Function], Function]:
    return click.option(name, multiple=True, type=record_file, metavar="LOG", help=text)


class _Head(NamedTuple):
    """A seal that was noted, with its entry if that was noted too."""

    entry: int | None
    seal: str


def _head_of(text: str) -> _Head:
    found = re.fullmatch(r"(?:(\d+):)?([0-9a-fA-F]{64})", text, re.ASCII)
    if found is None:
        fail(f"--head {text!r}: write a seal of 64 digits, or 12:5f6c... with its entry")
    return _Head(None if found[1] is None else int(found[1]), found[2].lower())


@click.command()
@click.argument("records", metavar="RECORD...", nargs=-1, required=True, type=record_file)
@external_options
@click.option(
    "--max-listed",
    type=click.IntRange(1),
    metavar="NUMBER",
    help="Number of divergences listed (default: 20 as text, 10,000 as data).",
)
@click.option(
    "--repair",
    type=output_path,
    metavar="OUT",
    help="Write the rounds as they should have been, and who is owed what; more than half of the"
    " rounds are changed only with --force.",
)
@click.option(
    "--differences",
    type=output_path,
    metavar="FILE",
    help="List every wager that came out wrong, as .csv or .jsonl.",
)
@click.option(
    "--head",
    metavar="SEAL",
    help="Check that a log holds the line with this seal, as it was noted or published before.",
)
@trust_option
@public_key_option
@click.option(
    "--checkpoints",
    type=input_file,
    help="Signed checkpoints of a log; LOG.checkpoints by default.",
)
@_logs_option(
    "--beside",
    "Log of another table of the licensee, to check that both agree where the regulation"
    " requires it; repeatable.",
)
@_logs_option(
    "--continues",
    "Log that this one continues, to check both, and what was carried over; repeatable, each"
    " the one before the last.",
)
@click.option(
    "--threads",
    type=click.IntRange(1),
    help="Number of processes for a long log, or several files (default: all cores).",
)
@document_options(takes_force=True)
def verify(  # noqa: PLR0913  (each is an option of the command)
    records: tuple[Path, ...],
    *,
    submission: Path | None,
    mapping: Path | None,
    own: tuple[Path, ...],
    cards_behind: int | None,
    max_listed: int | None,
    repair: Path | None,
    differences: Path | None,
    head: str | None,
    trust_path: Path | None,
    public_keys: tuple[Path, ...],
    checkpoints: Path | None,
    beside: tuple[Path, ...],
    continues: tuple[Path, ...],
    threads: int | None,
    force: bool,
    output_format: str,
) -> None:
    """Verify RECORD: a table log, a pit log, or, with --submission, external rounds.

    Several files of rounds have one verdict. Each is verified by itself, and no shoe continues in
    the next file.

    For a table log, every event is derived again from its commands: wagers are settled again under
    the regulation, the chain of hashes is checked, and each line is compared with the expected
    events. A pit log is verified in the same way, and each --beside log is compared with it: did
    the table do what its pit ordered? The first divergence is reported. Several table logs are each
    verified by themselves.

    External rounds are CSV, JSON Lines, or Parquet, gzip-compressed or not, or a workbook. Third
    cards, totals, winners, wagers, and vigorish are checked against the regulation, and each shoe
    against its decks. The first divergence is shown first, then the number of each kind.

    A log without its last line is open, and is verified through its last entry. --head checks that
    it was not truncated or sealed again since that seal was noted; --continues checks what it
    carries over. Exit status: 1 if the record diverges, 2 if it cannot be read.
    """
    of_log = head, trust_path, public_keys or None, checkpoints, threads
    if submission is not None:
        from croupier.cli.records.rounds import ExternalAsked, verify_external  # noqa: PLC0415  (a log needs none of it)

        if (*of_log[:4], table_asked()) != (None,) * 5 or beside or continues:
            fail(_OF_LOG)
        of_rounds = ExternalAsked(
            submission, mapping, own, cards_behind, max_listed, repair, differences, force,
            output_format,
        )  # fmt: skip
        verify_external(records, of_rounds, threads)
        return
    record_options = mapping, cards_behind, max_listed, repair, differences, encoding_asked()
    if record_options != (None,) * 6 or own or not limits_checked():
        fail("external rounds are verified against the rules of their table: add --submission FILE")
    trust = trust_of(trust_path, public_keys)
    if len(records) > 1:
        if (head, checkpoints, table_asked()) != (None,) * 3 or beside or continues:
            fail(_OF_ONE)
        if any(is_pit_log(log, None) for log in records):
            fail("the log of a pit is verified alone: give the logs of its tables with --beside")
        logs = _data_of_logs(records, _Asked(trust, threads))
        several: documents.VerifiedLogs = {
            **made(command_line()),
            "format": "croupier-verified-logs/1",
            "clean": all(one["clean"] for one in logs),
            "logs": [{**one, "log": str(log)} for one, log in zip(logs, records, strict=True)],
        }
        give(several, logs_verification_tree, output_format)
        exit_unless(several["clean"])
        return
    record = records[0]
    if is_pit_log(record, table_asked()):
        if of_log != (None,) * 5 or continues:
            fail(_OF_TABLE)
        verify_pit(record, table_asked(), beside, output_format)
        return
    if checkpoints is not None and trust is None:
        fail("--checkpoints are checked with keys: give --trust or --public-key")
    noted = None if head is None else _head_of(head)
    document = _log_data(record, _Asked(trust, threads, noted, checkpoints, beside, continues))
    give(document, partial(log_verification_tree, log=str(record)), output_format)
    exit_unless(document["clean"])


class _Asked(NamedTuple):
    trust: Trust | None
    threads: int | None
    head: _Head | None = None
    checkpoints: Path | None = None
    beside: tuple[Path, ...] = ()
    continues: tuple[Path, ...] = ()


def _data_of_logs(logs: tuple[Path, ...], asked: _Asked) -> list[documents.LogVerification]:
    for log in logs:
        with rounds_advised(log, _ADVICE):
            in_currency_of(read_header(log, None).rules)
    processes = min(asked.threads or os.cpu_count() or 1, len(logs))
    if processes == 1 or not hasattr(os, "fork"):
        return [_log_data(log, asked) for log in logs]
    with pool(processes) as workers:
        return [*workers.map(partial(_log_data, asked=asked._replace(threads=1)), logs)]


def _log_data(log: Path, asked: _Asked) -> documents.LogVerification:
    trust, head = asked.trust, asked.head
    evidence, signatures = (None, []) if trust is None else _vouched(log, trust, asked.checkpoints)
    hashes = [
        *([] if head is None else [head.seal]),
        *(checkpoint.sha256 for checkpoint in signatures),
    ]
    verdict = _verified(log, hashes, asked.threads, asked.continues)
    in_currency_of(verdict.header.rules)
    if head is not None and head.seal in verdict.heads:
        entry, _ = verdict.heads[head.seal]
        if head.entry not in {None, entry}:
            message = f"the seal given is of entry {entry}, not of entry {head.entry}"
            verdict.findings.append(LogFinding(0, "head", message, fails=True))
    if trust is not None and evidence is not None:
        law_key = law_vouched_by(verdict.header.law_sha256)
        verdict.findings += _signature_findings(verdict, evidence, signatures, trust, law_key)
    if asked.beside and verdict.divergence is None:
        from croupier.verify.pit import departures_beside  # noqa: PLC0415  (of several logs alone)

        verdict.findings += departures_beside(log, asked.beside)
    return {
        "format": "croupier-log-verification/1",
        **verdict_data(verdict),
        "signed_through": _signed_through(verdict, signatures),
    }


def _verified(
    log: Path, head_hashes: list[str], threads: int | None, continues: tuple[Path, ...]
) -> Verdict:
    with rounds_advised(log, _ADVICE):
        processes = threads or os.cpu_count() or 1
        verdict = verify_log(log, table=table_asked(), heads=head_hashes, processes=processes)
        verify_continued(verdict, continues, processes=processes)
        return verdict


def _vouched(
    log: Path, trust: Trust, checkpoints: Path | None
) -> tuple[Vouched, list[SignedThrough]]:
    if checkpoints is None and isinstance(log, PipedFile):
        fail(f"{log}: a pipe has no checkpoints next to it; give them with --checkpoints FILE")
    path = checkpoints or checkpoints_of(log)
    evidence = read_checkpoints(path, trust)
    if evidence == Vouched({}, [], []):
        fail(f"{path}: it has no checkpoint")
    # The file of a store has the checkpoints of all its tables.
    return evidence, evidence.through.get(read_header(log, table_asked()).stream, [])


def _signature_findings(
    verdict: Verdict,
    evidence: Vouched,
    signatures: list[SignedThrough],
    trust: Trust,
    law_key: str | None,
) -> Iterator[LogFinding]:
    for message in (*evidence.faults, *misplaced(signatures, verdict.heads)):
        yield LogFinding(0, "signature", message, fails=True)
    for message in evidence.uncounted:
        yield LogFinding(0, "signature", message, fails=False)
    if not signatures:
        message = "no trusted key has signed a checkpoint of this log"
        yield LogFinding(0, "signature", message, fails=True)
    if law_key is not None and law_key not in trust.keys:
        message = f"the law file is from a pack that no trusted key has signed, but {law_key}"
        yield LogFinding(0, "signature", message, fails=True)


def _signed_through(verdict: Verdict, proofs: list[SignedThrough]) -> documents.SignedExtent | None:
    proofs = [checkpoint for checkpoint in proofs if not [*misplaced([checkpoint], verdict.heads)]]
    if not proofs or not verdict.has_head:
        return None
    last = max(proofs, key=lambda checkpoint: (checkpoint.entry, checkpoint.closed))
    return cast("documents.SignedExtent", last._asdict() | {"unsigned": verdict.last - last.entry})


def verdict_data(verdict: Verdict) -> documents.DealtTable:
    divergence = verdict.divergence
    return {
        **provenance(verdict.header.rules, command_line()),
        "entries": verdict.entries,
        "events": verdict.events,
        "rounds": verdict.rounds,
        "results": verdict.rounds_by_result,
        "table_win_cents": verdict.table_win_cents,
        "ledger_in_balance": verdict.ledger.in_balance,
        "clean": verdict.is_clean,
        "open": verdict.is_open,
        "torn_line": verdict.torn,
        "head": {"entry": verdict.last, "sha256": verdict.head},
        "head_given": verdict.has_head,
        "edition": verdict.header.edition,
        "law_vouched_by": law_vouched_by(verdict.header.law_sha256),
        "citations_corrected": verdict.is_cited_otherwise,
        "judged": verdict.is_judged,
        "other_edition": verdict.is_other_edition,
        "differences": [
            {**_divergence_data(difference.found), "corrections": list(difference.corrections)}
            for difference in verdict.differences
        ],
        "unrecorded": sorted(verdict.unrecorded),
        "continues": None
        if (carry := verdict.header.continues) is None
        else {
            "stream": carry.stream,
            "entry": carry.position.sequence,
            "compared": verdict.continued,
        },
        "findings": [
            cast("documents.FindingOfLog", asdict(finding)) for finding in verdict.findings
        ],
        "divergence": None if divergence is None else _divergence_data(divergence),
    }


def _divergence_data(found: LogDivergence) -> documents.DivergenceOfLog:
    return cast("documents.DivergenceOfLog", asdict(found) | {"clauses": list(found.clauses)})


def is_pit_log(path: Path, table: str | None) -> bool:
    try:
        return is_pit_header(next(iter(LogLines(path, table)), b""))
    except LogError:
        return False


def verify_pit(log: Path, table: str | None, others: tuple[Path, ...], output_format: str) -> None:
    verdict = verify_pit_log(log, others, table)
    divergence = verdict.divergence
    document: documents.PitLogVerification = {
        **made(command_line()),
        "format": "croupier-pit-log-verification/1",
        "pit": verdict.header.pit,
        "entries": verdict.entries,
        "events": verdict.events,
        "clean": verdict.is_clean,
        "open": verdict.is_open,
        "torn_line": verdict.torn,
        "head": {"entry": verdict.entries, "sha256": verdict.head},
        "tables": [*verdict.tables],
        "meters": verdict.meters,
        "findings": to_builtins(verdict.findings),
        "divergence": None
        if divergence is None
        else {
            "line": divergence.line,
            "kind": divergence.kind,
            "clauses": list(divergence.clauses),
            "message": divergence.message,
        },
    }
    give(document, partial(pit_verification_tree, log=str(log)), output_format)
    exit_unless(verdict.is_clean)
