"""What the commands share about the rules of a table: to settle, tell and write them as data."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from croupier.cli.output import fail, tell
from croupier.law.elect import SubmissionError
from croupier.rules import TableRules, table_rules
from croupier.submission import read_submission

__all__ = ["rules_data", "rules_of", "tell_rules"]


def rules_of(path: Path) -> TableRules:
    """Return the rules that a submission's file makes.

    Exits with status 2 where the file cannot be read as a submission, or the law refuses it, and
    tells every fault: no table opens under bad rules. To judge a submission is for ``check``.
    """
    try:
        submission = read_submission(path)
    except SubmissionError as error:
        fail(_told(f"{path} is no rules submission", error))
    try:
        return table_rules(submission)
    except SubmissionError as error:
        fail(_told(f"{path} is refused", error))


def _told(verdict: str, error: SubmissionError) -> str:
    return "\n".join([f"{verdict}:", *(f"  {fault}" for fault in error.faults)])


def tell_rules(rules: TableRules) -> None:
    """Print which law the rules stand under, and the hash that names them."""
    tell(f"{rules.law.title} as of {rules.law.in_force_from}")
    tell(f"rules {rules.sha256}")


def rules_data(rules: TableRules) -> dict[str, Any]:
    """Return what names the rules: the law, its date, their hash and the readings they rest on."""
    return {
        "law": rules.law.id,
        "in_force_from": rules.law.in_force_from.isoformat(),
        "rules_sha256": rules.sha256,
        "readings": dict(rules.readings),
    }
