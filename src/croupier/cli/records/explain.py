"""``croupier explain``: describe one round in words, with its clauses."""

from __future__ import annotations

from datetime import datetime, time
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click

from croupier.cli.common.files import (
    check_report,
    document_options,
    give,
    output_path,
    paper_option,
)
from croupier.cli.common.output import command_line, fail, option_group
from croupier.cli.records.found_rounds import rounds_found
from croupier.cli.records.logs import log_shown
from croupier.cli.records.record_options import (
    MOMENT,
    RoundAsked,
    TimeSpan,
    encoding_asked,
    encoding_option,
    limits_option,
    mapping_option,
    names_option,
    record_argument,
    submission_option,
    table_option,
)
from croupier.cli.submission.rules import own_option
from croupier.cli.tables.transcript import line_data
from croupier.law.standing import standing_note
from croupier.records.explanation import explain_wagers
from croupier.records.indexing import numbered
from croupier.records.log import possible
from croupier.records.narration import narrate
from croupier.records.reader import LogReader, ReplayedRound, replayed_round
from croupier.reports.rounds import explained_tree, round_tree
from croupier.rules.documents import provenance
from croupier.verify.round_report import nets_of, place_of, report_of, steps_of

if TYPE_CHECKING:
    from croupier.cli.common.documents import LoggedRoundExplained


_LISTED: Final = 10
_ADVICE: Final = "To explain external rounds"


@click.command()
@record_argument
@option_group(
    click.option("--round", "number", metavar="ROUND", help="Round number."),
    click.option(
        "--time",
        "moment",
        type=MOMENT,
        help="The round of a table log at this time (UTC), such as 21:14; --seat: with a wager"
        " there.",
    ),
    click.option(
        "--line",
        type=click.IntRange(1),
        metavar="N",
        help="Line of an external round; the record is read up to it.",
    ),
    click.option(
        "--shoe",
        metavar="SHOE",
        help="Shoe of an external round, or its sheet, if several have that round number.",
    ),
    submission_option,
    mapping_option,
    own_option,
    limits_option,
    encoding_option,
    table_option,
    names_option,
    click.option("--seat", type=click.IntRange(0), help="Explain the wagers of this seat alone."),
    click.option(
        "--report",
        type=output_path,
        metavar="FILE",
        help="Write the round to FILE, with the layout as it was: .pdf, .html, or .json.",
    ),
    click.option(
        "--at",
        type=click.IntRange(1),
        metavar="ENTRY",
        help="Draw the layout of the report as it was after this entry of the log.",
    ),
    paper_option,
    kind=RoundAsked,
)
@document_options("text", "json", takes_force=True)
def explain(  # noqa: PLR0913  (each is an option of the command)
    record: Path,
    *,
    asked: RoundAsked,
    submission: Path | None,
    mapping: Path | None,
    own: tuple[Path, ...],
    output_format: str,
    force: bool,
) -> None:
    """Explain a round of RECORD: what was done and announced, why each card was drawn or not, and
    why each wager won, lost, or was void.

    RECORD is a Croupier table log or, with --submission, a file of external rounds. A log is
    explained as recorded; to check whether it conforms to the rules, use `croupier verify`. For
    external rounds, the expected result is shown next to the recorded one. Exit status 1 means that
    lines of a log were changed since they were sealed.

    With --report, the round is written as a page to hand in: the layout as it was, each step (of a
    log, with its time and actor), each wager with what it was owed and why, and the net by seat.
    """  # noqa: D205  (the command's help is its first paragraph)
    number, moment = asked.number, asked.moment
    if (number, moment, asked.line).count(None) != 2:
        raise click.UsageError(
            "name a round with --round ROUND or --time TIME, or an external one with --line N"
        )
    if asked.report is None and asked.at is not None:
        raise click.UsageError("--at draws the layout of a report: add --report FILE")
    if submission is not None and (asked.at, moment) != (None, None):
        raise click.UsageError("--at and --time are of a table log: remove --submission")
    if asked.report is not None:
        check_report(asked.report, force=force)
    if submission is not None:
        from croupier.cli.records.explain_rounds import explain_round  # noqa: PLC0415  (a log needs none)

        explain_round(record, submission, mapping, own, asked, output_format, force=force)
        return
    external = {
        "--shoe": asked.shoe, "--line": asked.line, "--mapping": mapping, "--own": own or None,
        "--encoding": encoding_asked(),
    }  # fmt: skip
    if given := [option for option, value in external.items() if value is not None]:
        is_one = len(given) == 1
        fail(
            f"{' and '.join(given)} {'is' if is_one else 'are'} of external rounds: remove "
            f"{'it' if is_one else 'them'} for a table log, whose rounds are numbered through all "
            "shoes, or add --submission FILE for external rounds"
        )
    last = None
    if moment is not None:
        number, last = _round_at(record, moment, asked.seat)
    number = number or ""
    if not (number.isascii() and number.isdigit() and int(number) >= 1):
        fail(f"--round {number}: the rounds of a table log are numbered from 1")
    in_text = asked.report is None and output_format == "text"
    wanted_rounds = numbered(range(int(number), int(number) + 1))
    with log_shown(record, in_text=in_text, wanted_rounds=wanted_rounds, advice=_ADVICE) as log:
        round_ = replayed_round(log, int(number), last)
        if asked.report is None:
            law = round_.logged.rules.law
            cited = partial(standing_note, law)
            tree = partial(explained_tree, prefix=law.clause_prefix, cited=cited)
            give(_explained(log, round_, asked.seat), tree, output_format)
            return
        report = report_of(
            record, round_, command_line(), chain=log.data(), seat=asked.seat, entry=asked.at
        )
        give(report, round_tree, None, asked.report, force=force)


def _explained(log: LogReader, replay: ReplayedRound, seat: int | None) -> LoggedRoundExplained:
    round_ = replay.logged
    rules = round_.rules
    with possible(f"{log.path}: round {round_.number} is not a possible round"):
        story = list(narrate(round_.events, rules.wagers))
        wagers, nets = list(explain_wagers(round_)), nets_of(replay)
        later = list(steps_of(replay.later, seat))
    if seat is not None:
        wagers = [line for line in wagers if line.text.startswith(f"Seat {seat}, ")]
        if not wagers:
            fail(f"{log.path}: seat {seat} has no wager in round {round_.number}")
    return {
        "format": "croupier-round/1",
        **provenance(rules, command_line()),
        "record": log.data(),
        "round": round_.number,
        **place_of(replay, seat),
        "narration": [line_data(line, rules.law) for line in story],
        "wagers": [line_data(line, rules.law) for line in wagers],
        "later": later,
        "seats": [
            {"seat": one, "net_cents": cents} for one, cents in nets.items() if seat in {None, one}
        ],
    }


def _round_at(path: Path, moment: datetime | time, seat: int | None) -> tuple[str, int]:
    """Return the number and the last entry of a round."""
    span = TimeSpan(moment, moment)
    filters = dict.fromkeys(("patron", "wager", "over", "won", "irregular", "card"))
    filters |= {"seat": seat, "since": moment, "until": moment}
    with log_shown(path, wanted_rounds=span.wants, advice=_ADVICE) as log:
        found = [item for item in rounds_found(log, filters) if not item["simulated"]]
    place = f"at {moment}" if seat is None else f"at {moment} with a wager at seat {seat}"
    if not found:
        fail(f"{path}: no round {place}; list others with croupier rounds --from TIME --to TIME")
    rounds = "; ".join(
        f"round {one['round']}, {one['began_at']} to {one['ended_at']}" for one in found[:_LISTED]
    )
    if len(found) > 1:
        suffix = f"; and {len(found) - _LISTED} more" if len(found) > _LISTED else ""
        fail(f"{path}: {len(found)} rounds {place}: choose one with --round: {rounds}{suffix}")
    return str(found[0]["round"]), found[0]["last_entry"]
