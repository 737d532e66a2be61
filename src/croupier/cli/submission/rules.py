"""Shared functions for the rules of a table: resolve, print, and write as data."""

from __future__ import annotations

from pathlib import Path

from croupier.cli.common.output import command_line, fail, print_text
from croupier.files.errors import FileError
from croupier.files.version import __version__
from croupier.law.elect import SubmissionError
from croupier.law.load import LawError
from croupier.rules import MalformedSubmissionError, TableRules, read_rules
from croupier.rules.documents import PROGRAM


def rules_of(path: Path) -> TableRules:
    """Return the resolved rules of a submission file.

    Exits with status 2 and every error if the file cannot be read as a submission or is refused: no
    table opens under bad rules. The ``check`` command exits with 1 instead.
    """
    try:
        return read_rules(path)
    except FileError as error:
        errors = "\n".join(f"  {detail}" for detail in error.errors)
        fail(f"{path} is not a valid rules submission:\n{errors}")
    except MalformedSubmissionError as error:
        fail(_told(f"{path} is not a valid rules submission", error))
    except SubmissionError as error:
        fail(_told(f"{path} is refused", error))


def table_of(path: Path) -> TableRules:
    """Return the rules of a playable table: as ``rules_of``, but only of a whole regulation.

    Exits with status 2 if the regulation is a fragment, or of a game that is not dealt here.
    """
    return playable(rules_of(path), path)


def priced_of(path: Path) -> TableRules:
    """Return rules under which wagers can be priced and given rounds judged.

    An excerpt that has no drawing table needs its submission to name one of another text.
    """
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
    """Return the rules of a submission file if a table can be dealt under them; otherwise exit."""
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


def _told(verdict: str, error: SubmissionError) -> str:
    return "\n".join([f"{verdict}:", *(f"  {detail}" for detail in error.errors)])


def print_rules(rules: TableRules) -> None:
    """Print the regulation and the hash of the rules."""
    print_text(f"{rules.law.title} as of {rules.law.in_force_from}")
    print_text(f"rules {rules.sha256}")
    print_text(f"{PROGRAM} {__version__}: {command_line()}")
    print_warnings(rules)


def print_warnings(rules: TableRules) -> None:
    """Print the warnings of the rules."""
    for warning in rules.warnings:
        print_text(f"WARNING {warning}")
