"""Shared functions for the rules of a table."""

from __future__ import annotations

from pathlib import Path
from typing import Final

import click

from croupier.cli.common.output import command_line, fail, fail_with, print_text
from croupier.files.errors import FileError
from croupier.files.version import program_version
from croupier.law.elect import SubmissionError
from croupier.law.faults import LawError
from croupier.law.usage import money, under
from croupier.rules import MalformedSubmissionError, TableRules, VigorishTerms, read_rules
from croupier.rules.documents import PROGRAM

_CURRENCY: Final = "croupier.currency"


def in_currency_of(rules: TableRules) -> TableRules:
    """Return rules; amounts are in their currency until the command ends.

    Exits with status 2 if the command has rules of another currency: amounts would not compare.
    """
    context = click.get_current_context()
    before, currency = context.meta.get(_CURRENCY), rules.law.currency
    if before is None:
        context.meta[_CURRENCY] = currency
        context.with_resource(under(rules.law.usage))
    elif before != currency:
        fail(f"amounts in {before.code} and in {currency.code}: name tables of one currency")
    return rules


def rules_of(path: Path) -> TableRules:
    """Return the resolved rules of a submission, or exit with status 2 and every error."""
    try:
        return in_currency_of(read_rules(path))
    except (FileError, MalformedSubmissionError) as error:
        fail_with(f"{path} is not a valid rules submission", error.errors)
    except SubmissionError as error:
        fail_with(f"{path} is refused", error.errors)


def table_of(path: Path) -> TableRules:
    return playable(rules_of(path), path)


def priced_of(path: Path) -> TableRules:
    """Return rules under which wagers can be priced and given rounds judged."""
    rules = rules_of(path)
    if not rules.law.partial:
        return playable(rules, path)
    if not rules.offers:
        fail(f"{path}: {rules.law.key} is an excerpt that does not say what any wager pays")
    try:
        rules.tableau  # noqa: B018 - its message names what the submission must add
    except LawError as error:
        fail(f"{path}: {error}")
    return rules


def playable(rules: TableRules, path: Path) -> TableRules:
    if rules.missing:
        extent = (
            "the regulation included is a fragment, and" if rules.law.partial else "as elected, it"
        )
        fail(
            f"{path}: no table can be dealt under {rules.law.title} as of "
            f"{rules.law.in_force_from}: {extent} has no rules for "
            f"{rules.missing_in_words}. Nothing is taken from another regulation; `croupier "
            "check` checks what it does have."
        )
    return rules


def print_rules(rules: TableRules) -> None:
    print_text(f"{rules.law.title} as of {rules.law.in_force_from}")
    print_text(f"rules {rules.sha256}")
    print_text(f"{PROGRAM} {program_version()}: {command_line()}")
    print_warnings(rules)


def print_warnings(rules: TableRules) -> None:
    for warning in rules.warnings:
        print_text(f"WARNING {warning}")


def vigorish_in_words(terms: VigorishTerms) -> str:
    if terms.win_rate is None and terms.tie_rate is None:
        return f"none ({terms.scheme})"
    if terms.tie_rate is not None:
        return f"{terms.tie_rate * 100}% of the Banker wager on a tie, none on wins"
    rate = f"{(terms.win_rate or 0) * 100}% of Banker wager winnings"
    rounded = (
        "not rounded"
        if terms.rounding_unit_cents is None
        else f"rounded up to {money(terms.rounding_unit_cents)}"
    )
    collected = "deferred" if terms.deferred else "collected immediately"
    waived = (
        "; waived where the patron's total cards wagers reach the Banker wager"
        if terms.waived
        else ""
    )
    return f"{rate}, {rounded}, {collected}{waived}"
