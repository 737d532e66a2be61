"""``croupier replay``: a table log as a page with every entry."""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator, Mapping
from datetime import datetime, time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from croupier.acts.roles import Role, Side
from croupier.cli.common.files import check_outputs, force_option, output_path, put_file
from croupier.cli.common.output import command_line, fail, print_text, usual_option
from croupier.cli.records.logs import log_shown
from croupier.cli.records.record_options import (
    TimeSpan,
    names_option,
    record_argument,
    span_options,
    table_asked,
    table_option,
)
from croupier.files.pipes import shown_name
from croupier.files.streams import FAILS, say
from croupier.law.usage import counted, money
from croupier.records.entry import moment
from croupier.records.header import LogError
from croupier.records.layout import layout_of
from croupier.records.log import IMPOSSIBLE
from croupier.records.reader import LogPart, LogReader
from croupier.records.view.projection import projection, results_after, roads_shown
from croupier.records.view.seen import seen_entry
from croupier.records.view.sight import VIEWERS, Viewer
from croupier.reports.charts import FONT
from croupier.reports.felt.drawing import draw_felt
from croupier.reports.felt.plan import Lying
from croupier.reports.replay import Shown, frames, replay_page
from croupier.reports.roads import draw_roads
from croupier.reports.screen import OfficeView, facts_shown, named_patron, people_in_words, staked
from croupier.reports.verification import chain_in_words, chain_warnings
from croupier.rules.documents import provenance
from croupier.verify import verify_log
from croupier.verify.verdict import Verdict

_MOST_ROUNDS: Final = 500
"""A page of more takes gigabytes to make and to show."""

if TYPE_CHECKING:
    from croupier.records.view.documents import EntrySeen, ResultSeen, TableSeen
    from croupier.rules import TableRules


def _rounds(text: str) -> range:
    match = re.fullmatch(r"([0-9]{1,9})(?:-([0-9]{1,9}))?", text)
    if match is None or int(match[2] or match[1]) < int(match[1]):
        raise click.BadParameter(f"{text!r}: write a round, such as 3, or from and to, such as 3-5")
    return range(int(match[1]), int(match[2] or match[1]) + 1)


@click.command()
@record_argument
@table_option
@names_option
@click.option(
    "-o",
    "--out",
    type=output_path,
    metavar="FILE.html",
    help="Write to FILE.html.  [default: the name of the log, in this folder]",
)
@usual_option(
    "--as",
    "office",
    type=click.Choice(sorted(map(str, VIEWERS))),
    default=str(Role.SURVEILLANCE),
    help="Show what this office may see.",
)
@click.option("--seat", type=click.IntRange(min=1), help="The seat of a patron: --as patron.")
@click.option(
    "--side",
    type=click.Choice(["patrons", "dealer"]),
    help="From which side the table is seen.  [default: as on the live page of the office]",
)
@click.option(
    "--round",
    "rounds",
    metavar="N or N-M",
    type=_rounds,
    help="Show these rounds alone.  [default: all]",
)
@span_options
@force_option
def replay(  # noqa: PLR0913  (one for each option)
    record: Path,
    *,
    out: Path | None,
    office: str,
    seat: int | None,
    side: Side | None,
    rounds: range | None,
    since: datetime | time | None,
    until: datetime | time | None,
    force: bool,
) -> None:
    """Make a page of RECORD, a table log, that goes through it entry by entry: the layout with its
    chips and cards, the roads, what was said and ruled with its clauses, and the table's money.

    The page has at most 500 rounds, needs nothing else, and is read only. Without scripts it shows
    the end of the record and the whole transcript. It says whether `croupier verify` finds the log
    clean; if it does not, or lines of the log were changed, the exit status is 1. Of a long log,
    chosen rounds are found by an index, and only their entries are read and not verified.
    """  # noqa: D205  (the command's help is its first paragraph)
    target = out or Path(f"{record.name.removesuffix('.gz').removesuffix('.jsonl')}.html")
    if target.suffix != ".html":
        fail(f"{target}: a replay is a page: name a file that ends in .html")
    check_outputs(target, force=force)
    try:
        viewer = Viewer.of(office, seat)
    except ValueError as error:
        fail(str(error))
    span = TimeSpan(since, until, rounds or TimeSpan().rounds)
    with log_shown(record, wanted_rounds=None if span == TimeSpan() else span.wants) as log:
        verdict = None if log.index else verify_log(record, table=table_asked())
        page = _page(log, viewer, span, verdict, side or Role(office).side)
        put_file(target, page.encode(), force=force)
        print_text(f"Replay of {shown_name(record)}: {target}")
    if verdict is not None and not verdict.is_clean:
        say(f"{record}: {_verdict(verdict)}")
        sys.exit(FAILS)


def _page(
    log: LogReader, viewer: Viewer, span: TimeSpan, verdict: Verdict | None, side: Side
) -> str:
    start = span.rounds.start
    rules = log.header.rules
    faults: list[str] = []
    entries: list[dict[str, Any]] = []
    seen_frames: list[tuple[int, int, Shown]] = []
    rounds, last_number = 0, 0
    for number, entry, picture in _seen(log, viewer, span, side, faults):
        # Each opening of a table numbers its rounds from 1.
        rounds, last_number = rounds + (number != last_number), number
        if rounds > _MOST_ROUNDS:
            raise LogError(
                f"{log.path}: a page has at most {_MOST_ROUNDS} rounds, and these are more: choose"
                f" some, such as --round {max(start, 1)}-{max(start, 1) + _MOST_ROUNDS - 1}"
            )
        seen_frames.append((entry["seq"], number, picture))
        entry_time, people = entry["at"], people_in_words(entry["by"])
        time_text = "" if entry_time is None else f"{entry_time[:10]} {entry_time[11:19]} UTC"
        entries.append({"at": time_text, "by": people, "lines": entry["narration"]})
    if not entries:
        raise LogError(
            faults[0] if faults else f"{log.path}: the log has no entries of these rounds"
        )
    for row, frame in zip(entries, frames(seen_frames), strict=True):
        row["frame"] = frame
    page_data = _about(rules, viewer)
    page_data["clauses"] = _cited(rules, entries)
    page_data["chain"] = chain_in_words(log.data())
    page_data["verdict"] = _verdict(verdict)
    page_data["broken"] = [*chain_warnings(log.data()), *faults]
    diverges = None if verdict is None else verdict.divergence
    page_data["failed"] = "" if diverges is None else diverges.line - 1
    page_data["clean"] = (verdict is None or verdict.is_clean) and not page_data["broken"]
    return replay_page(page_data, entries, seen_frames[-1][2])


def _seen(
    log: LogReader, viewer: Viewer, span: TimeSpan, side: Side, faults: list[str]
) -> Iterator[tuple[int, EntrySeen, Shown]]:
    try:
        for part in log.parts():
            yield from _seen_of(part, viewer, span, side)
    except LogError as error:
        faults.append(f"Nothing more can be shown. {error}")


def _seen_of(
    part: LogPart, viewer: Viewer, span: TimeSpan, side: Side
) -> Iterator[tuple[int, EntrySeen, Shown]]:
    layout = layout_of(part.log.header.rules, "")
    results: list[ResultSeen] = [*part.results]
    last_results: list[ResultSeen] | None = None
    last_lying: Lying | None = None
    roads = felt = ""
    for _, step in part.steps():
        results = results_after(results, step)
        state = step.after.state
        # Wagers are placed before their round begins.
        number = state.rounds + 1 if state.round is None else state.round.number
        time_text = "" if step.after.at is None else moment(step.after.at)
        if not span.wants(number, time_text, time_text):
            continue
        if results != last_results:
            board, last_results = roads_shown(results), results
            roads = draw_roads("roads", "Roads of this shoe", board, font=FONT)
        table = projection(step.after, viewer, results)
        if (lying := _lying(table)) != last_lying:
            felt, last_lying = draw_felt("table", layout, lying, side=side, turns=True), lying
        try:
            entry = seen_entry(viewer, step)
        except IMPOSSIBLE as error:
            raise LogError(
                f"{part.log.path}: entry {step.after.sequence} says what cannot be ({error!r})"
            ) from error
        yield number, entry, Shown(felt, roads, _facts(viewer, table))


def _lying(table: TableSeen) -> Lying:
    hands = {} if table["round"] is None else {one["hand"]: one for one in table["round"]["hands"]}
    cards: dict[str, list[str]] = {name: hand["cards"] for name, hand in hands.items()}
    return Lying(
        stakes={
            (stake["seat"], stake["wager"]): cents
            for stake in table["stakes"]
            if (cents := staked(stake)) is not None
        },
        markers={seat["seat"]: seat["owed_cents"] for seat in table["seats"] if seat["owed_cents"]},
        names={seat["seat"]: named_patron(seat) for seat in table["seats"]},
        player=cards.get("player", ()),
        banker=cards.get("banker", ()),
        totals={name: hand["count"] for name, hand in hands.items() if hand["count"] is not None},
    )


def _facts(viewer: Viewer, table: TableSeen) -> dict[str, str]:
    all_facts = facts_shown(OfficeView(viewer.office, table))
    facts = {name: fact_text for name, fact_text in all_facts.items() if isinstance(fact_text, str)}
    round_ = table["round"]
    if round_ is not None and round_["winner"] is not None:
        facts["Winner"] = round_["winner"].capitalize()
    facts |= {f"Meter: {name}": money(cents) for name, cents in table["meters"].items()}
    return facts | {
        f"Chips of seat {seat['seat']}": money(seat["chips_cents"], short=True)
        for seat in table["seats"]
        if seat["taken"] and seat["chips_cents"] is not None
    }


def _cited(rules: TableRules, entries: list[dict[str, Any]]) -> list[tuple[str, str]]:
    ids = {clause for entry in entries for line in entry["lines"] for clause in line["clauses"]}
    clauses = rules.law.clauses
    return [(clause_id, clauses[clause_id].says) for clause_id in clauses if clause_id in ids]


def _about(rules: TableRules, viewer: Viewer) -> dict[str, Any]:
    layout = rules.submission.layout
    office = viewer.office if viewer.seat is None else f"the patron of seat {viewer.seat}"
    origin: Mapping[str, Any] = provenance(rules, command_line())
    return {
        **origin,
        "law_title": rules.law.title,
        "title": f"{rules.title}: table {layout.table}",
        "viewer": office,
    }


def _verdict(verdict: Verdict | None) -> str:
    if verdict is None:
        return "NOT verified: the record is long, and rounds were chosen. Run croupier verify."
    if verdict.divergence is not None:
        return f"Verified: it DIVERGES at {verdict.divergence}"
    if not verdict.is_clean:
        return f"Verified: {'; '.join(str(one) for one in verdict.findings if one.fails)}"
    suffix = ", still open" if verdict.is_open else ""
    if count := len(verdict.differences):
        return (
            f"Verified under edition {verdict.header.edition} of the regulation, which was"
            f" corrected since: {counted(count, 'entry', 'entries')} would differ today{suffix}."
        )
    return f"Verified: all events recomputed, with no differences{suffix}."
