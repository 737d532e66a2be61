"""``croupier check``: check submissions singly, as the tables of a pit, or as a facility."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from msgspec import Struct

from croupier.cli.common.files import check_report, document_options, give, input_path, output_path
from croupier.cli.common.output import command_line, exit_unless
from croupier.cli.submission.consequences import of_priced
from croupier.cli.submission.rules import in_currency_of
from croupier.files.errors import FileError
from croupier.files.streams import WRONG_USE, say
from croupier.law.elect import ErrorDetail, SubmissionError, checklist, what_is_checked
from croupier.law.standing import cited_note
from croupier.rules import MalformedSubmissionError, Offer, TableRules, pit_errors, read_rules
from croupier.rules.documents import made

if TYPE_CHECKING:
    from croupier.cli.common import documents
    from croupier.reports.tree import Tree


class _Checked(Struct):
    file: str
    rules: TableRules | None = None
    errors: tuple[ErrorDetail, ...] = ()
    unreadable: tuple[str, ...] = ()


class _Group(Struct, frozen=True):
    kind: str
    tables: int
    errors: tuple[ErrorDetail, ...]
    name: str | None = None


@click.command()
@click.argument(
    "submissions", metavar="SUBMISSION.toml...", nargs=-1, required=True, type=input_path
)
@click.option("--pit", is_flag=True, help="Treat the submissions as the tables of one pit.")
@click.option("--facility", is_flag=True, help="Treat them as all the tables of one licensee.")
@click.option("--readings", is_flag=True, help="List every reading that the rules rely on.")
@click.option(
    "--checklist",
    "sign",
    is_flag=True,
    help="Print the items that people check and sign at opening.",
)
@click.option(
    "--until",
    type=click.DateTime(["%Y-%m-%d"]),
    metavar="DATE",
    help="Also warn of documents on file that expire up to this day.",
)
@click.option(
    "--report",
    type=output_path,
    metavar="FILE",
    help="Write the dossier of one accepted submission to FILE: .pdf, .html, or .json.",
)
@document_options(takes_force=True)
def check(  # noqa: PLR0913  (each is an option of the command)
    submissions: tuple[Path, ...],
    output_format: str,
    *,
    pit: bool,
    facility: bool,
    readings: bool,
    sign: bool,
    until: datetime | None,
    report: Path | None,
    force: bool,
) -> None:
    """Check rules submissions against the regulation each one names.

    For an accepted submission, print the resulting game; otherwise, list every error with its
    clauses. With --facility, check that the tables of each named pit agree with one another, and
    that all tables agree on what must be uniform everywhere. With --report, write the dossier of a
    submission: what is elected, by which clause, what follows for every wager, readings,
    constraints, notices, the checklist, hashes, and room for signatures. Exit status: 1 if a
    submission, pit, or facility is refused, 2 if a file cannot be read as a submission.
    """
    if pit and facility:
        raise click.UsageError(
            "--pit and --facility cannot be combined: --pit treats all tables as one pit"
        )
    if report is not None:
        if len(submissions) > 1:
            raise click.UsageError("--report is of one submission: give one file")
        check_report(report, force=force)
    results = [_judge(path) for path in submissions]
    tables = [submission.rules for submission in results if submission.rules is not None]
    # Check tables together only if every one was accepted: the rest cannot show uniformity.
    is_complete = len(tables) == len(results)
    groups = _together(tables, facility=facility) if (pit or facility) and is_complete else ()
    scope = "facility" if facility else "pit" if pit else ""
    document = _data(results, groups, until, facility=facility)
    tree = partial(_tree, together=scope, readings=readings, checklist=sign)
    if output_format != "text" or any(not submission.unreadable for submission in results):
        give(document, tree, output_format)
    for reason in (reason for submission in results for reason in submission.unreadable):
        say(reason)
    if report is not None:
        write_report(submissions[0], results[0].rules, report, force=force)
    if any(submission.unreadable for submission in results):
        sys.exit(WRONG_USE)
    errors = [*(submission.errors for submission in results), *(group.errors for group in groups)]
    exit_unless(not any(errors))


def _together(tables: Sequence[TableRules], *, facility: bool) -> Sequence[_Group]:
    if not facility:
        return (_Group("pit", len(tables), pit_errors(tables)),)
    pits: dict[str, list[TableRules]] = {}
    for table in tables:
        pits.setdefault(table.submission.layout.pit, []).append(table)
    return (
        *(
            _Group("pit", len(of_pit), pit_errors(of_pit, across="pit"), name)
            for name, of_pit in pits.items()
        ),
        _Group("facility", len(tables), pit_errors(tables, across="licensee")),
    )


def _judge(path: Path) -> _Checked:
    try:
        rules = in_currency_of(read_rules(path))
    except FileError as error:
        return _Checked(str(path), unreadable=error.errors)
    except MalformedSubmissionError as error:
        return _Checked(str(path), unreadable=tuple(map(str, error.errors)))
    except SubmissionError as error:
        return _Checked(str(path), errors=error.errors)
    if errors := _schedule_errors(rules):
        return _Checked(str(path), errors=errors)
    return _Checked(str(path), rules)


def _schedule_errors(rules: TableRules) -> tuple[ErrorDetail, ...]:
    if not rules.applies("blackjack_bonus.house_advantage"):
        return ()
    from croupier.blackjack.bonus import schedule_errors  # noqa: PLC0415  (few check blackjack)

    return schedule_errors(rules)


def _expiring(rules: TableRules, until: datetime | None) -> Iterator[str]:
    for document in rules.submission.documents:
        if until and document.expires and rules.submission.on <= document.expires <= until.date():
            yield f"documents.{document.name} expires by {until.date()}: {document.says}"


def _filled_in(rules: TableRules, entry: str) -> list[str]:
    held = rules.law.rules
    return [
        rule_id
        for rule_id in sorted(rules.in_force)
        if rule_id in held and held[rule_id].standing is not None and entry in held[rule_id].cites
    ]


def _tree(data: Mapping[str, Any], **options: Any) -> Tree:
    from croupier.reports.check import check_tree  # noqa: PLC0415  (JSON needs none of it)

    return check_tree(data, **options)


def _data(
    results: Sequence[_Checked],
    groups: Sequence[_Group],
    until: datetime | None,
    *,
    facility: bool,
) -> documents.SubmissionCheck:
    together: list[documents.TablesTogether] = [
        {
            "name": group.name,
            "tables": group.tables,
            "accepted": not group.errors,
            "errors": _error_data(group.errors),
        }
        for group in groups
    ]
    return {
        "format": "croupier-check/1",
        **made(command_line()),
        "submissions": [_verification_data(submission, until) for submission in results],
        "pit": together[0] if together and not facility else None,
        "facility": {**together[-1], "pits": together[:-1]} if together and facility else None,
    }


def _verification_data(
    submission: _Checked, until: datetime | None
) -> documents.CheckedSubmission | documents.RefusedSubmission:
    if submission.rules is None:
        return {
            "file": submission.file,
            "accepted": False,
            "errors": _error_data(submission.errors),
            "unreadable": list(submission.unreadable),
        }
    rules = submission.rules
    register = rules.law.register
    return {
        "file": submission.file,
        "accepted": True,
        **(priced := of_priced(rules)),
        "warnings": [*priced["warnings"], *_expiring(rules, until)],
        "departures": str(rules),
        "pit": rules.submission.layout.pit,
        "table": rules.submission.layout.table,
        "elected": {
            rule.id: rule.written(rules.settled[rule.id])
            for rule in rules.law.elections
            if rule.id in rules.settled
        },
        "wagers": [_offer_data(name, offer) for name, offer in rules.offers.items()],
        "vigorish": _vigorish_data(rules),
        "interpretations": [
            {
                "id": name,
                "title": register[name].title,
                "reading": reading,
                "alternatives": list(register[name].readings),
                "says": register[name].says(reading),
                "standing": register[name].standing.value,
                "fills_in": _filled_in(rules, name),
            }
            for name, reading in rules.readings.items()
        ],
        "checklist": [
            {
                "clause": item.id,
                "cited": cited_note(rules.law, item.id),
                "citation": rules.law.speak(item.id),
                "says": item.says,
                "reason": what_is_checked(item) or None,
                "documents": [*rules.submission.on_file(item.id)],
                "signed_by": None,
                "signed_at": None,
            }
            for item in checklist(rules.law, rules.settled)
        ],
    }


def _vigorish_data(rules: TableRules) -> documents.VigorishElected | None:
    if "vigorish.scheme" not in rules.settled:
        return None
    terms = rules.vigorish
    return {
        "scheme": terms.scheme,
        "win_rate": None if terms.win_rate is None else str(terms.win_rate),
        "tie_rate": None if terms.tie_rate is None else str(terms.tie_rate),
        "waived_by_total_cards": terms.waived,
        "rounding_unit_cents": terms.rounding_unit_cents,
        "deferred": terms.deferred,
        "says": str(terms),
    }


def _offer_data(name: str, offer: Offer) -> documents.WagerOffered:
    limit = offer.limit
    return {
        "wager": name,
        "title": offer.wager.title,
        "pays": {line: None if odds is None else str(odds) for line, odds in offer.pays.items()},
        "min_cents": None if limit is None else limit.min_cents,
        "max_cents": None if limit is None else limit.max_cents,
        "unit_cents": offer.unit_cents,
        "cites": list(offer.unit_cites),
    }


def _error_data(errors: Sequence[ErrorDetail]) -> list[documents.ErrorToCorrect]:
    return [
        {
            "where": error.where,
            "line": None if error.place is None else error.place.line,
            "column": None if error.place is None else error.place.column,
            "message": error.message,
            "clauses": list(error.clauses),
        }
        for error in errors
    ]


def write_report(path: Path, rules: TableRules | None, report: Path, *, force: bool) -> None:
    if rules is None:
        say(f"{report}: not written, because the submission is refused")
        return
    from croupier.cli.submission.dossier import dossier_of  # noqa: PLC0415  (if asked for)
    from croupier.reports.check import dossier_tree  # noqa: PLC0415

    dossier = dossier_of(path, rules)
    give(dossier, dossier_tree, None, report, force=force)
