"""``croupier deal``: open a table, deal shoes, record and verify them."""

from __future__ import annotations

import os
import tempfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import ExitStack
from datetime import UTC, date, datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, cast

import click
from rich.console import Console
from rich.table import Table
from rich.text import Text

from croupier.cli.common.arguments import seed_option
from croupier.cli.common.files import force_option, input_file, read_files
from croupier.cli.common.output import (
    console,
    exit_unless,
    fail,
    format_option,
    print_json,
    print_paragraph,
    print_table,
    usual_option,
)
from croupier.cli.records.logs import (
    TableLog,
    continues_option,
    log_option,
    resume_option,
    table_log,
)
from croupier.cli.records.record_options import table_option, with_law_option
from croupier.cli.records.verify import verdict_data
from croupier.cli.submission.rules import own_option, table_of, with_own
from croupier.cli.tables.deal_shown import DealTally, ShownAsked, shown, shown_options
from croupier.cli.tables.transcript import print_disclaimer
from croupier.files.write import check_targets
from croupier.law.usage import money
from croupier.money.stax import Vault
from croupier.records.checkpoints import Checkpoints, checkpoints_of
from croupier.records.entry import SteppedClock, system_clock
from croupier.records.header import LogError
from croupier.records.log import Resumed
from croupier.records.recorder import Continuation
from croupier.records.signing import Signer
from croupier.records.stores.vault import SealedVault
from croupier.rules import TableRules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.inputs import next_gaming_day
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import WITH_SHOE, Phase
from croupier.verify.log import LogDivergence, Verdict, verify_log

if TYPE_CHECKING:
    from croupier.cli.common.documents import DealSummary, ShoeHead

_FIRST_MOMENT: Final = datetime(2000, 1, 1, 12, tzinfo=UTC)
"""When a table that is dealt from a seed opens: its clock is part of what is repeated."""

_CONTINUOUS_ROUNDS = 80
"""Rounds in place of a shoe where a continuous device never ends one."""


@click.command()
@click.argument("submission", type=input_file)
@own_option
@log_option
@table_option
@with_law_option
@force_option
@click.option(
    "--shoes",
    type=click.IntRange(1),
    help="Number of shoes (default: 1, or with --resume those that the log has begun).",
)
@click.option("--patrons", type=click.IntRange(1), help="Number of patrons (default: every seat).")
@seed_option("Reproduce the same cards and choices (default: cryptographically random)", None)
@usual_option(
    "--dealer-errors",
    type=click.IntRange(0, 1000),
    default=0,
    help="Dealer errors per 1,000 steps, each corrected under the irregularity rules.",
)
@click.option("--cite", is_flag=True, help="Show the clauses behind each line.")
@click.option("--quiet", is_flag=True, help="Print only the summary.")
@shown_options
@click.option(
    "--sign",
    "key_path",
    metavar="KEY",
    type=input_file,
    help="Sign a checkpoint at each shoe's end and at the closing, in LOG.checkpoints.",
)
@click.option(
    "--vault",
    "vault_paths",
    metavar="FILE KEY",
    nargs=2,
    type=click.Path(dir_okay=False, path_type=Path),
    help="Keep secrets of a must-hit award in FILE, sealed under KEY, so that --resume has them.",
)
@resume_option
@continues_option
@format_option
def deal(  # noqa: PLR0913  (each is an option of the command)
    submission: Path,
    own: tuple[Path, ...],
    log_path: Path | None,
    *,
    shoes: int | None,
    patrons: int | None,
    seed: int | None,
    dealer_errors: int,
    quiet: bool,
    asked: ShownAsked,
    resume_path: Path | None,
    continues: Path | None,
    key_path: Path | None,
    vault_paths: tuple[Path, Path] | None,
    output_format: str,
) -> None:
    """Deal whole shoes at a table under SUBMISSION, and verify its log from scratch.

    Each round is on disk before it is shown. An interrupted log stays open, and --resume continues
    it: with --seed and the original options, with the same cards that would have come next; else
    the cards still in the shoe are shuffled again. --continues begins the log of the next gaming
    day. Note the head printed at each shoe's end: verify --head checks the log against it.

    Exit status: 1 if the log diverges, 2 if the submission is refused or a file cannot be used.
    """
    rules = with_own(table_of(submission), own, dealt=True)
    text = output_format == "text"
    asked.check(is_hidden=quiet or not text)
    chance = Chance(seed)
    if vault_paths is not None and seed is not None:
        fail("--vault keeps secrets that nobody can repeat: leave out --seed, or the vault")
    vault = None if vault_paths is None else SealedVault(*vault_paths)
    reads = read_files()
    signer = None if key_path is None else _signer(key_path, log_path or resume_path, reads)
    with tempfile.TemporaryDirectory() as scratch:
        unkept = log_path is None and resume_path is None
        path = Path(scratch) / "table.jsonl" if unkept else log_path
        clock = system_clock if seed is None else SteppedClock(_FIRST_MOMENT)
        with table_log(
            rules, path, resume_path,
            shuffle=chance.described, reads=reads, replace=asked.force, clock=clock,
            continues=continues,
        ) as log:  # fmt: skip
            checkpoints = None
            if signer is not None:
                is_new = log.resumed is None and log.table is None
                checkpoints = Checkpoints(signer, log.path, log.recorder.opening, is_new=is_new)
            number = _shoes_asked(log, shoes)
            pilot = _pilot(log, chance, patrons=patrons, dealer_errors=dealer_errors, vault=vault)
            tally = DealTally(pilot.session)
            with ExitStack() as stack:
                if text and not quiet:
                    listeners = shown(
                        pilot.session, tally.results,
                        lambda to: _introduce(to, rules, chance, cite=asked.cite), asked,
                    )  # fmt: skip
                    pilot.session.listeners.extend(stack.enter_context(listeners))
                pilot.session.listeners.append(tally)
                # A seed deals the same log on any day.
                today = datetime.now(tz=UTC).astimezone().date() if seed is None else None
                shoe_heads = _play(pilot, log, number, checkpoints, today)
        verdict = verify_log(log.path, table=log.table, processes=os.cpu_count() or 1)
    if checkpoints is not None and verdict.is_clean:
        checkpoints.sign(verdict.last, verdict.head, is_closed=not verdict.is_open)
    summary = _summary(verdict, pilot.session, log_path or resume_path, shoe_heads)
    if text:
        _print_summary(console(), summary, rules, verdict.divergence, asked.transcript)
        if not quiet:
            tally.show(console())
    else:
        print_json(summary)
    exit_unless(verdict.is_clean)


def _signer(key_path: Path, log: Path | None, reads: Iterable[Path]) -> Signer:
    if log is None:
        fail("--sign requires a log: add --log FILE")
    check_targets([checkpoints_of(log)], reads=reads, force=True)
    return Signer(key_path)


def _pilot(
    log: TableLog, chance: Chance, *, patrons: int | None, dealer_errors: int, vault: Vault | None
) -> Autopilot:
    session = log.session
    is_seeded = log.resumed is not None and log.resumed.header.shuffle.startswith("seed ")
    if log.resumed is not None and is_seeded:
        if log.resumed.header.shuffle != chance.described:
            raise LogError(
                f"{log.path}: this log was dealt from {log.resumed.header.shuffle}: resume it with"
                " --seed and the number"
            )
        session = _dealt_again(log, log.resumed)
    pilot = Autopilot(session, chance, patrons=patrons, dealer_errors=dealer_errors, vault=vault)
    if log.resumed is not None:
        try:
            if not is_seeded:
                pilot.take_over()
            elif session.position.sequence and log.resumed.snapshot is not None:
                pilot.recall(cast("Mapping[str, Any]", log.resumed.snapshot.dealer))
        except ValueError as error:
            raise LogError(f"{log.path}: it cannot be resumed: {error}") from error
    if chance.described != Chance().described:
        log.recorder.dealer = lambda position: pilot.memory(position.state)
        if log.resumed is None and session.state.at is not None:
            session.clock = SteppedClock.after(session.state.at)
    log.session = session
    return pilot


def _shoes_asked(log: TableLog, shoes: int | None) -> int:
    # A table cannot be closed within a shoe.
    begun = 1 if log.resumed is None else max(1, _shoes_begun(log.resumed))
    if shoes is not None and shoes < begun:
        raise LogError(
            f"{log.path}: shoe {begun} has begun, but --shoes is {shoes}: give --shoes {begun} or"
            " more, or leave it out"
        )
    return shoes or begun


def _shoes_begun(resumed_log: Resumed) -> int:
    state = resumed_log.position.state
    if resumed_log.header.rules.elected("device", "continuous"):
        rounds = state.rounds + (state.phase is Phase.BETTING and bool(state.stakes))
        return -(-rounds // _CONTINUOUS_ROUNDS)
    with_shoe = state.phase in WITH_SHOE or state.phase in {Phase.SHOE_COMPLETED, Phase.CLOSED}
    return state.shoe.number + (not with_shoe)


def _dealt_again(log: TableLog, resumed_log: Resumed) -> TableSession:
    """From the last snapshot; only what the log lacks is recorded."""
    rules, snapshot = resumed_log.header.rules, resumed_log.snapshot
    start = resumed_log.header.opening if snapshot is None else snapshot.position
    record = Continuation(log.recorder, snapshot)
    clock = SteppedClock(_FIRST_MOMENT) if start.at is None else SteppedClock.after(start.at)
    return TableSession(rules, record=record, clock=clock, position=start)


def _play(
    pilot: Autopilot,
    log: TableLog,
    shoes: int,
    checkpoint: Checkpoints | None,
    today: date | None,
) -> list[ShoeHead]:
    session = pilot.session
    shoe_heads: list[ShoeHead] = []

    def note() -> None:
        # What is only dealt again has its head behind it already.
        if session.position.sequence == log.recorder.sequence:
            shoe = session.state.shoe.number
            shoe_heads.append(
                {"shoe": shoe, "entry": log.recorder.sequence, "sha256": log.recorder.head}
            )
            if checkpoint is not None:
                checkpoint.sign(log.recorder.sequence, log.recorder.head, is_closed=False)

    if session.state.phase is Phase.CLOSED:
        with session.together():
            pilot.open(_gaming_day(log, today))
    for rounds in _shoes_left(session, shoes):
        pilot.play_shoe(rounds)
        note()
    with session.together():
        pilot.close()
    return shoe_heads


def _shoes_left(session: TableSession, shoes: int) -> Iterator[int | None]:
    """Yield the rounds left of each shoe to be dealt, ``None`` for all.

    A continuous device has rounds in place of shoes.
    """
    state = session.state
    if session.rules.elected("device", "continuous"):
        for last_shoe in range(1, shoes + 1):
            if (rounds_left := last_shoe * _CONTINUOUS_ROUNDS - session.state.rounds) >= 0:
                yield rounds_left
        return
    dealt = state.shoe.number
    shoes_done = dealt if state.phase is Phase.SHOE_COMPLETED else max(dealt - 1, 0)
    yield from [None] * (shoes - shoes_done)


def _gaming_day(log: TableLog, today: date | None) -> date:
    position = None if log.resumed is None else log.resumed.position
    if position is not None and position.house.opened and position.state.gaming_date is not None:
        return position.state.gaming_date
    return next_gaming_day(log.session.state, log.session.rules, today)


def _introduce(out: Console, rules: TableRules, chance: Chance, *, cite: bool) -> None:
    print_paragraph(out, Text(str(rules), style="bold"), 0)
    notes = f"{rules.law.authority}. Rules {rules.sha256[:16]}. Chance: {chance.described}."
    if cite:
        notes += f" Clauses are those of {rules.law.clause_prefix}."
    print_paragraph(out, Text(notes), 0)
    for warning in rules.warnings:
        print_paragraph(out, Text(f"WARNING {warning}"), 0)
    print_disclaimer(out)


def _summary(
    verdict: Verdict, session: TableSession, log_path: Path | None, shoe_heads: list[ShoeHead]
) -> DealSummary:
    ledger, opening_ledger = verdict.ledger, verdict.header.opening.ledger

    def moved(account: str) -> int:
        return ledger.balance(account) - opening_ledger.balance(account)

    return {
        "format": "croupier-deal/1",
        **verdict_data(verdict),
        "shuffle": verdict.header.shuffle,
        "shoes": session.state.shoe.number,
        "drop_cents": moved("drop"),
        "vigorish_collected_cents": moved("vigorish taken"),
        "vigorish_documented_cents": moved("forms"),
        "vigorish_outstanding_cents": session.state.owed_cents,
        "ledger_in_balance": ledger.in_balance and ledger.balances == session.ledger.balances,
        "log": None if log_path is None else str(log_path),
        "heads": shoe_heads,
    }


def _print_summary(
    out: Console,
    summary: Mapping[str, Any],
    rules: TableRules,
    divergence: LogDivergence | None,
    transcript: Path | None,
) -> None:
    def total(name: str) -> str:
        return money(summary[name])

    counts = ", ".join(
        f"{name.replace('_', ' ').capitalize()} {count}"
        for name, count in summary["results"].items()
        if count or name != "no_result"
    )
    rows = {
        "law": f"{rules.law.title} as of {rules.law.in_force_from}",
        "shoes": str(summary["shoes"]),
        "rounds": f"{summary['rounds']} ({counts})",
        "drop": total("drop_cents"),
        "table win": total("table_win_cents"),
        "vigorish": f"{total('vigorish_collected_cents')} collected,"
        f" {total('vigorish_documented_cents')} documented,"
        f" {total('vigorish_outstanding_cents')} outstanding",
        "ledger": "in balance" if summary["ledger_in_balance"] else "OUT OF BALANCE",
        "log": f"{summary['log'] or 'not kept'}, {summary['entries']} entries",
        "head": "\n".join(
            f"after shoe {shoe_head['shoe']}: entry {shoe_head['entry']}, {shoe_head['sha256']}"
            for shoe_head in summary["heads"]
        )
        + f"\nat the closing: entry {summary['head']['entry']}, {summary['head']['sha256']}",
        "verification": "all events recomputed; no differences"
        if divergence is None
        else str(divergence),
    }
    if transcript is not None:
        rows["transcript"] = str(transcript)
    if rules.warnings:
        rows["WARNING"] = "\n".join(rules.warnings)
    table = Table(box=None, show_header=False, pad_edge=False, padding=(0, 2, 0, 0))
    table.add_column(style="bold", no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in rows.items():
        table.add_row(name, Text(value))
    out.print()
    out.print(Text("Summary", style="bold underline"))
    print_table(table)
