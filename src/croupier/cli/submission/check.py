"""``croupier check``: check submissions singly, as the tables of a pit, or as a facility."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import click
from msgspec import Struct

from croupier.cli.common.files import (
    document_options,
    input_path,
    output_path,
    paper_option,
)
from croupier.cli.common.output import (
    FAILS,
    WRONG_USE,
    blank,
    command_line,
    headline,
    plain_table,
    print_json,
    print_table,
    print_text,
)
from croupier.cli.submission.report import check_report, write_report
from croupier.cli.submission.rules import print_warnings
from croupier.files.errors import FileError
from croupier.files.streams import say
from croupier.files.version import __version__
from croupier.law.checklist import checklist
from croupier.law.elect import ErrorDetail, SubmissionError
from croupier.law.standing import cited_note
from croupier.money.settlement import dollars
from croupier.rules import (
    MalformedSubmissionError,
    Offer,
    Pays,
    TableRules,
    VigorishTerms,
    pit_errors,
    read_rules,
)
from croupier.rules.documents import PROGRAM, made, of_rules

if TYPE_CHECKING:
    from croupier.cli.common.documents import (
        CheckedSubmission,
        ErrorToCorrect,
        RefusedSubmission,
        SubmissionCheck,
        TablesTogether,
        VigorishElected,
        WagerOffered,
    )


class _Checked(Struct):
    """The result for one file: the resolved rules, or the errors."""

    file: str
    rules: TableRules | None = None
    errors: tuple[ErrorDetail, ...] = ()
    unreadable: tuple[str, ...] = ()


class _Group(Struct, frozen=True):
    """Tables checked together, as a pit or a facility, and the uniformity rules they violate."""

    kind: str
    tables: int
    errors: tuple[ErrorDetail, ...]
    name: str | None = None


@click.command()
@click.argument(
    "submissions",
    metavar="SUBMISSION.toml...",
    nargs=-1,
    required=True,
    type=input_path,
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
    "--report",
    type=output_path,
    metavar="FILE",
    help="Write the dossier of one accepted submission to FILE: .pdf, .html, or .json.",
)
@paper_option
@document_options("text", "json", takes_force=True)
def check(  # noqa: PLR0913  (each is an option of the command)
    submissions: tuple[Path, ...],
    output_format: str,
    *,
    pit: bool,
    facility: bool,
    readings: bool,
    sign: bool,
    report: Path | None,
    paper: str,
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
    check_report(report, submissions, force=force)
    judged = [_judge(path) for path in submissions]
    tables = [one.rules for one in judged if one.rules is not None]
    # Check tables together only if every one was accepted: the rest cannot show uniformity.
    whole = len(tables) == len(judged)
    groups = _together(tables, facility=facility) if (pit or facility) and whole else ()
    if output_format == "json":
        _print_as_json(judged, groups, facility=facility)
    else:
        for one in judged:
            _print_verification(one, readings=readings)
            if sign and one.rules is not None:
                _print_checklist(one.rules)
        if pit or facility:
            _print_groups(groups, facility=facility)
    _say_unreadable(judged)
    if report is not None:
        rules = judged[0].rules
        vigorish = None if rules is None else _vigorish_told(rules)
        write_report(submissions[0], rules, vigorish, report, paper, force=force)
    if any(one.unreadable for one in judged):
        sys.exit(WRONG_USE)
    if any(one.errors for one in judged) or any(one.errors for one in groups):
        sys.exit(FAILS)


def _say_unreadable(judged: Sequence[_Checked]) -> None:
    for one in judged:
        for reason in one.unreadable:
            say(reason)


def _together(tables: Sequence[TableRules], *, facility: bool) -> Sequence[_Group]:
    """Check tables together: all as one pit, or as a facility grouped by pit."""
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
        rules = read_rules(path)
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
    """Return the errors in a bonus wager's amounts: sums beyond the data limits."""
    if not rules.applies("blackjack_bonus.house_advantage"):
        return ()
    from croupier.blackjack.bonus import schedule_errors  # noqa: PLC0415  (few check blackjack)

    return schedule_errors(rules)


def _print_verification(one: _Checked, *, readings: bool) -> None:
    if one.rules is not None:
        _print_accepted(one.file, one.rules, readings=readings)
    elif one.errors:
        count = len(one.errors)
        headline(f"{one.file}: refused, {count} {'error' if count == 1 else 'errors'}")
        _print_errors(one.errors)


def _print_errors(errors: Sequence[ErrorDetail]) -> None:
    for detail in errors:
        place = "" if detail.place is None else f"{detail.place}: "
        print_text(f"{place}{detail.where}: {detail.message}", indent=2)
        if detail.clauses:
            print_text(f"[{', '.join(detail.clauses)}]", indent=4)


def _print_accepted(file: str, rules: TableRules, *, readings: bool) -> None:
    headline(f"{file}: accepted")
    print_text(str(rules), indent=2)
    print_text(f"rules {rules.sha256}", indent=2)
    print_text(f"{PROGRAM} {__version__}: {command_line()}", indent=2)
    print_warnings(rules)
    blank()
    if rules.offers:
        _print_offers(rules)
    else:
        _print_elections(rules)
    blank()
    if vigorish := _vigorish_told(rules):
        print_text(f"Vigorish (commission): {vigorish}")
        blank()
    _print_substitutes(rules)
    _print_readings(rules, whole=readings)
    blank()


def _print_checklist(rules: TableRules) -> None:
    """Print the physical and filing conditions of a table, each with room for a signature."""
    items = checklist(rules.law, rules.settled)
    layout = rules.submission.layout
    place = f"pit {layout.pit}, table {layout.table}" if layout.table else "this table"
    headline(f"Checklist for the opening of {place}: {len(items)} items")
    print_text(f"{rules.law.title} as of {rules.law.in_force_from}; rules {rules.sha256}", indent=2)
    for item in items:
        print_text(f"[ ] {item.says}  [{cited_note(rules.law, item.id)}]", indent=2)
        print_text(f"{item.reason or 'Kept on file with the submission.'}", indent=6)
        print_text("Signed: ____________________  Date and time: ____________________", indent=6)
    blank()


def _print_offers(rules: TableRules) -> None:
    table = plain_table("Wager", "Pays", "Min bet", "Max bet", "Unit")
    for offer in rules.offers.values():
        least, most = _limits(offer)
        table.add_row(
            offer.wager.title,
            "\n".join(_pays(offer)),
            "none" if least is None else dollars(least),
            "none" if most is None else dollars(most),
            dollars(offer.unit_cents),
        )
    print_table(table)


def _print_elections(rules: TableRules) -> None:
    """Print the elections under a regulation whose wagers are not baccarat wagers."""
    table = plain_table("Election", "Elected")
    for rule in rules.law.elections:
        if rule.id in rules.settled:
            table.add_row(rule.id, rule.written(rules.settled[rule.id]))
    print_table(table)


def _filled_in(rules: TableRules, entry: str) -> list[str]:
    """Return the rules in force that the text does not state and an entry stands for."""
    held = rules.law.rules
    return [
        rule_id
        for rule_id in sorted(rules.in_force)
        if rule_id in held and held[rule_id].standing is not None and entry in held[rule_id].cites
    ]


def _print_substitutes(rules: TableRules) -> None:
    """Print what the text does not state, and what stands in for it or decides it."""
    register = rules.law.register
    for name in rules.readings:
        if filled := _filled_in(rules, name):
            entry = register[name]
            print_text(f"Not in this regulation ({entry.standing.value} {name}): {entry.title}")
            print_text(", ".join(filled), indent=2)
            blank()


def _print_readings(rules: TableRules, *, whole: bool) -> None:
    """Print the readings that the rules rely on, in full for those with alternatives."""
    register = rules.law.register
    print_text(f"Relies on {len(rules.readings)} readings from the interpretations register:")
    table = plain_table("Reading", "Says")
    others = []
    for name, reading in rules.readings.items():
        entry = register[name]
        if whole or entry.readings:
            elected = f" ({reading})" if entry.readings else ""
            table.add_row(name, f"{entry.title}{elected}: {entry.says(reading)}")
        else:
            others.append(name)
    if table.row_count:
        print_table(table)
    if others:
        beside = "and, with" if table.row_count else "With"
        print_text(f"{beside} no alternative, {', '.join(others)}; --readings shows them in full.")


def _limits(offer: Offer) -> tuple[int, int] | tuple[None, None]:
    return (None, None) if offer.limit is None else (offer.limit.min_cents, offer.limit.max_cents)


def _pays(offer: Offer) -> list[str]:
    """Return the wager's payouts, line by line if the lines differ: ``win by 9 30:1``."""
    if len(set(offer.pays.values())) == 1:
        return [_odds(next(iter(offer.pays.values())))]
    return [f"{line.replace('_', ' ')}: {_odds(odds)}" for line, odds in offer.pays.items()]


def _odds(pays: Pays) -> str:
    return "push" if pays is None else str(pays)


def _vigorish_told(rules: TableRules) -> str | None:
    return _vigorish(rules.vigorish) if "vigorish.scheme" in rules.settled else None


def _vigorish(terms: VigorishTerms) -> str:
    if terms.win_rate is None and terms.tie_rate is None:
        return f"none ({terms.scheme})"
    if terms.tie_rate is not None:
        return f"{terms.tie_rate * 100}% of the Banker wager on a tie, none on wins"
    rate = f"{(terms.win_rate or 0) * 100}% of Banker wager winnings"
    rounded = (
        "not rounded"
        if terms.rounding_unit_cents is None
        else f"rounded up to {dollars(terms.rounding_unit_cents)}"
    )
    collected = "deferred" if terms.deferred else "collected immediately"
    waived = (
        "; waived where the patron's total cards wagers reach the Banker wager"
        if terms.waived
        else ""
    )
    return f"{rate}, {rounded}, {collected}{waived}"


def _print_groups(groups: Sequence[_Group], *, facility: bool) -> None:
    if not groups:
        what = "facility" if facility else "pit"
        headline(f"{what}: not checked, because not every table was accepted")
    for one in groups:
        name = one.kind if one.name is None else f"{one.kind} {one.name}"
        if one.errors:
            count = len(one.errors)
            headline(f"{name}: refused, {count} {'error' if count == 1 else 'errors'}")
            _print_errors(one.errors)
        else:
            headline(f"{name}: accepted, {one.tables} {'table' if one.tables == 1 else 'tables'}")


def _print_as_json(judged: Sequence[_Checked], groups: Sequence[_Group], *, facility: bool) -> None:
    together = [_group_data(one) for one in groups]
    document: SubmissionCheck = {
        "format": "croupier-check/1",
        **made(command_line()),
        "submissions": [_verification_data(one) for one in judged],
        "pit": together[0] if together and not facility else None,
        "facility": {**together[-1], "pits": together[:-1]} if together and facility else None,
    }
    print_json(document)


def _group_data(one: _Group) -> TablesTogether:
    return {
        "name": one.name,
        "tables": one.tables,
        "accepted": not one.errors,
        "errors": _error_data(one.errors),
    }


def _verification_data(one: _Checked) -> CheckedSubmission | RefusedSubmission:
    if one.rules is None:
        return {
            "file": one.file,
            "accepted": False,
            "errors": _error_data(one.errors),
            "unreadable": list(one.unreadable),
        }
    rules = one.rules
    register = rules.law.register
    return {
        "file": one.file,
        "accepted": True,
        **of_rules(rules),
        "departures": str(rules),
        "wagers": [_offer_data(name, offer) for name, offer in rules.offers.items()],
        "vigorish": _vigorish_data(rules),
        "interpretations": [
            {
                "id": name,
                "title": register[name].title,
                "reading": reading,
                "says": register[name].says(reading),
                "standing": register[name].standing.value,
                "fills_in": _filled_in(rules, name),
            }
            for name, reading in rules.readings.items()
        ],
        "checklist": [
            {
                "clause": item.id,
                "citation": rules.law.speak(item.id),
                "says": item.says,
                "reason": item.reason,
                "signed_by": None,
                "signed_at": None,
            }
            for item in checklist(rules.law, rules.settled)
        ],
    }


def _vigorish_data(rules: TableRules) -> VigorishElected | None:
    """Return the vigorish terms; a regulation without Banker wagers has none."""
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
    }


def _offer_data(name: str, offer: Offer) -> WagerOffered:
    least, most = _limits(offer)
    return {
        "wager": name,
        "pays": {line: None if odds is None else str(odds) for line, odds in offer.pays.items()},
        "min_cents": least,
        "max_cents": most,
        "unit_cents": offer.unit_cents,
        "cites": list(offer.unit_cites),
    }


def _error_data(errors: Sequence[ErrorDetail]) -> list[ErrorToCorrect]:
    return [
        {
            "where": one.where,
            "line": None if one.place is None else one.place.line,
            "column": None if one.place is None else one.place.column,
            "message": one.message,
            "clauses": list(one.clauses),
        }
        for one in errors
    ]
