"""Judging a file of rounds: what ``croupier verify`` does with a record that others kept."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from croupier.files.errors import FileError
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.reading import CsvRounds, RoundReader, open_rounds
from croupier.rules import TableRules
from croupier.verify.rounds.cached import CachedVerifier, Known, RoundListener
from croupier.verify.rounds.census import census_data
from croupier.verify.rounds.findings import VerificationReport
from croupier.verify.rounds.verifier import RecordVerifier, verified_rounds

__all__ = ["finished", "verify_all", "verify_file"]

_OFTEN: Final = 4
"""Where one round in so many has the same fault, it may be the table's rules that are others."""

_LEAST_ROUNDS: Final = 20
_OF_THE_TABLE: Final = ("third_card", "settlement", "vigorish", "offer", "limit")


def verify_file(
    path: Path,
    rules: TableRules,
    mapping: RoundMapping | None = None,
    *,
    cards_behind: int | None = None,
    limit: int | None = None,
) -> VerificationReport:
    """Judge a file of rounds by the rules of its table, and count what became of them.

    ``mapping`` names other people's columns and values, ``cards_behind`` is how many cards lie
    behind the cutting card where that is told, ``limit`` how many divergences are kept. Memory does
    not grow with the file. Raises ``FileError`` where not one line of the file can be read as a
    round.
    """
    verifier = RecordVerifier(rules, cards_behind=cards_behind, limit=limit)
    verify_all(open_rounds(path, mapping, rules.tableau), verifier)
    return finished(verifier)


def verify_all(
    rounds: RoundReader,
    verifier: RecordVerifier,
    told: RoundListener | None = None,
    known: Known | None = None,
) -> None:
    """Judge the rounds of a file by the quickest way that takes it.

    ``told`` is given every round, or those alone that are not known to be right: then ``known`` is
    given the others, as ``CachedVerifier`` says.
    """
    if isinstance(rounds, CsvRounds) and CachedVerifier.takes(rounds, verifier.rules):
        CachedVerifier(verifier, rounds, told, known).run()
        return
    for one in verified_rounds(rounds, verifier):
        if told is not None:
            told(one)


def finished(verifier: RecordVerifier) -> VerificationReport:
    """Return a verification with its census. Raises ``FileError`` where no round was read."""
    verification = verifier.verification
    if not verification.rounds:
        lines = verification.by_kind["format"]
        if not lines:
            raise FileError("the file contains no rounds")
        kept = [f"line {one.line}: {one.message}" for one in verification.divergences[:3]]
        raise FileError(f"not one of {lines} lines can be read as a round", *kept)
    verification.hints += _hints(verification)
    verification.census = census_data(verifier.rules, verifier.census, suited=verifier.suited)
    return verification


def _hints(verification: VerificationReport) -> list[str]:
    """Return what may be behind divergences of one kind that come again and again."""
    if verification.rounds < _LEAST_ROUNDS:
        return []
    often = [
        f"{kind} in {verification.by_kind[kind]:,} of {verification.rounds:,} rounds"
        for kind in _OF_THE_TABLE
        if verification.by_kind[kind] * _OFTEN >= verification.rounds
    ]
    if not often:
        return []
    return [
        f"This frequent ({', '.join(often)}): is this the submission of the table that dealt them?"
    ]
