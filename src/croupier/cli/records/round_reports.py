"""``croupier explain --report``."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

from croupier.baccarat.hand import Hand
from croupier.cli.common.document import give
from croupier.cli.common.files import FORMS
from croupier.cli.common.output import command_line
from croupier.cli.records.log_reading import log_shown
from croupier.cli.tables.transcript import line_data
from croupier.files.pipes import shown_name
from croupier.files.write import form_of
from croupier.money.settlement import Settled
from croupier.records.explanation import explain_settled
from croupier.records.indexing import numbered
from croupier.records.layout import layout_of
from croupier.records.replay import replayed_round
from croupier.records.rounds.record import RoundRecord, WagerRecord, shown_text
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.verify.round_report import OUTCOMES, report_of
from croupier.verify.rounds.differences import recorded_cents, recorded_void_cents
from croupier.verify.rounds.findings import VerifiedRound, plain_name
from croupier.verify.rounds.narration import narrate_round
from croupier.verify.rounds.wagers import net_of

if TYPE_CHECKING:
    from croupier.cli.records.external_documents import (
        ExternalLayout,
        ExternalRoundReport,
        ExternalSeat,
        ExternalWager,
    )


_UNKNOWN: Final = "??"


def write_external_report(  # noqa: PLR0913  (each is an option of the command)
    path: Path,
    verified: VerifiedRound,
    rules: TableRules,
    report: Path,
    *,
    seat: int | None,
    paper: str,
    force: bool,
) -> None:
    from croupier.reports.rounds import round_tree  # noqa: PLC0415  (it draws a layout)

    found = external_report_of(path, verified, rules, seat)
    give(found, round_tree, form_of(report, FORMS), report, paper=paper, force=force)


def external_report_of(
    path: Path, verified: VerifiedRound, rules: TableRules, seat: int | None = None
) -> ExternalRoundReport:
    """Return the report of a round; ``seat`` if its wagers are of one alone."""
    record = verified.record
    pairs = zip(record.wagers, verified.settled, strict=True)
    wagers = [_wager(verified, wager, settled, rules) for wager, settled in pairs]
    return {
        "format": "croupier-external-round-report/1",
        **provenance(rules, command_line()),
        "file": shown_name(path),
        "line": record.line,
        "shoe": plain_name(record.shoe),
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
    verified: VerifiedRound, wager: WagerRecord, settled: Settled | None, rules: TableRules
) -> ExternalWager:
    known = rules.wagers.get(wager.wager)
    outcome: Literal["win", "lose", "push", "void"] | None = None
    why, clauses, due, recorded = "no settlement under the rules", tuple[str, ...](), None, None
    if verified.record.marked("void"):
        outcome, why = "void", "void, like the whole round; the stake is returned"
        due, recorded = 0, recorded_void_cents(wager)
    elif settled is not None and verified.facts is not None:
        line = explain_settled(settled, verified.facts, rules, seated=False)
        outcome, why, clauses = OUTCOMES[settled.decision.outcome], line.text, line.clauses
        due, recorded = net_of(settled), recorded_cents(wager, settled)
    return {
        "seat": wager.seat,
        "wager": wager.wager,
        "title": wager.wager if known is None else known.title,
        "stake_cents": wager.stake_cents,
        "outcome": outcome,
        "expected_cents": due,
        "recorded_cents": recorded,
        "owed_cents": None if due is None or recorded is None else due - recorded,
        "why": why,
        "clauses": list(clauses),
    }


def _seats(wagers: list[ExternalWager]) -> Iterator[ExternalSeat]:
    for seat in dict.fromkeys(wager["seat"] for wager in wagers):
        mine = [wager for wager in wagers if wager["seat"] == seat]
        yield {
            "seat": seat,
            "staked_cents": sum(wager["stake_cents"] for wager in mine),
            "expected_cents": _sum(wager["expected_cents"] for wager in mine),
            "recorded_cents": _sum(wager["recorded_cents"] for wager in mine),
            "owed_cents": _sum(wager["owed_cents"] for wager in mine),
        }


def _sum(amounts: Iterator[int | None]) -> int | None:
    known = list(amounts)
    return None if None in known else sum(one for one in known if one is not None)


def write_report(  # noqa: PLR0913  (each is an option of the command)
    path: Path,
    number: int,
    report: Path,
    *,
    seat: int | None,
    at: int | None,
    paper: str,
    force: bool,
) -> None:
    from croupier.reports.rounds import round_tree  # noqa: PLC0415  (it draws a layout)

    with log_shown(path, wanted=numbered(range(number, number + 1))) as log:
        played = replayed_round(log, number)
        found = report_of(path, played, command_line(), chain=log.data(), seat=seat, at=at)
        give(found, round_tree, form_of(report, FORMS), report, paper=paper, force=force)
