"""What the commands share about the rules of a table: to settle, tell and write them as data."""

from __future__ import annotations

from pathlib import Path

from croupier import __version__
from croupier.cli.output import command_line, fail, print_text
from croupier.documents import PROGRAM
from croupier.files.errors import FileError
from croupier.law.elect import SubmissionError
from croupier.rules import MalformedSubmissionError, TableRules, read_rules

__all__ = ["print_rules", "print_warnings", "rules_of", "table_of"]


def rules_of(path: Path) -> TableRules:
    """Return the rules that a submission's file makes.

    Exits with status 2 where the file cannot be read as a submission, or the law refuses it, and
    tells every fault: no table opens under bad rules. To judge a submission is for ``check``.
    """
    try:
        return read_rules(path)
    except FileError as error:
        errors = "\n".join(f"  {detail}" for detail in error.errors)
        fail(f"{path} is no rules submission:\n{errors}")
    except MalformedSubmissionError as error:
        fail(_told(f"{path} is no rules submission", error))
    except SubmissionError as error:
        fail(_told(f"{path} is refused", error))


def table_of(path: Path) -> TableRules:
    """Return the rules of a table that can be played: as ``rules_of``, but of a whole text.

    Exits with status 2 where the text is a fragment, or of a game that is not dealt here.
    """
    rules = rules_of(path)
    if missing := rules.missing:
        extent = "a fragment" if rules.law.partial else "of another game"
        fail(
            f"{path}: no table is dealt under {rules.law.title} as of {rules.law.in_force_from}:"
            f" the text held is {extent}, and settles nothing under {', '.join(missing)}. Nothing"
            " is filled in from another text; `croupier check` judges what it does settle."
        )
    return rules


def _told(verdict: str, error: SubmissionError) -> str:
    return "\n".join([f"{verdict}:", *(f"  {detail}" for detail in error.errors)])


def print_rules(rules: TableRules) -> None:
    """Print which law the rules stand under, and the hash that names them."""
    print_text(f"{rules.law.title} as of {rules.law.in_force_from}")
    print_text(f"rules {rules.sha256}")
    print_text(f"{PROGRAM} {__version__}: {command_line()}")
    print_warnings(rules)


def print_warnings(rules: TableRules) -> None:
    """Print what everybody must be told who meets these rules."""
    for warning in rules.warnings:
        print_text(f"WARNING {warning}")
