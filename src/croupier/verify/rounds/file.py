"""Verification of a file of external rounds, as by ``croupier verify``."""

from __future__ import annotations

from collections import Counter
from importlib import import_module
from pathlib import Path
from typing import Any, Final

from msgspec.structs import replace

from croupier.files.errors import FileError, by_caller
from croupier.files.text import broken_byte
from croupier.records.rounds.cells import readable
from croupier.records.rounds.column_names import looks_like_amount
from croupier.records.rounds.fields import NO_CARDS, RecordBuilder
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.proposing import has_money
from croupier.records.rounds.reading import PieceRounds, RoundReader, TableRounds, open_rounds
from croupier.records.rounds.sampling import sample_again
from croupier.records.rounds.tables import ColumnsError, listed, without_hands
from croupier.rules import TableRules
from croupier.verify.rounds.cached import (
    CachedVerifier,
    Known,
    PartVerifier,
    RoundListener,
    has_parts,
)
from croupier.verify.rounds.census import census_data
from croupier.verify.rounds.findings import VerificationReport
from croupier.verify.rounds.verifier import RecordVerifier, verified_rounds

LEAST_BYTES = 1 << 20
"""Smaller files are verified faster than the compiled loops load."""

LEAST_BYTES_TO_COMPILE = 1 << 25
"""Smaller files are verified faster than the loops compile, if they are not cached yet."""

_OFTEN: Final = 4
"""If one round in this many has the same divergence, the table's rules may be different."""

_LEAST_ROUNDS: Final = 20
_MOST_NAMED: Final = 20
_NO_FACES: Final = (
    "No jack, queen, or king is recorded: if a ten stands for any of them, say so in a mapping, as "
    '[cards] tens = "ten-valued".'
)
_SKIPPED: Final = "lines that are no rounds are skipped: what these contain"
_SHUFFLED: Final = {
    "unknown": "the cards are reshuffled at times that are not recorded: composition, last hand",
    "each-round": "the cards are shuffled before each round: whether the rules permit that",
}
_WAGERED: Final = "rounds without wagers are not recorded: the cards of these, and missing rounds"
_UNSEEN: Final = (
    "payments are recorded without vigorish, and may be before or after it: whether it was taken"
)
_OF_THE_TABLE: Final = ("third_card", "settlement", "vigorish", "offer", "limit")


def verify_file(
    path: Path,
    rules: TableRules,
    mapping: RoundMapping | None = None,
    *,
    cards_behind: int | None = None,
    limit: int | None = None,
) -> VerificationReport:
    """Verify a file of rounds in bounded memory. Raises ``FileError`` if it has no round."""
    rounds = open_rounds(path, mapping, rules.tableau)
    verifier = RecordVerifier(rules, mapping, cards_behind=cards_behind, limit=limit)
    verify_all(rounds, verifier)
    return finished(verifier, rounds)


def verify_all(
    rounds: RoundReader,
    verifier: RecordVerifier,
    listener: RoundListener | None = None,
    known: Known | None = None,
) -> None:
    """Verify rounds by the fastest method; ``known`` gets those known to be correct."""
    if (program := _compiled(rounds, verifier.rules)) is not None:
        compiled, rows = program
        judge: CachedVerifier
        if has_parts(rows):
            judge = PartVerifier(verifier, rows, listener, known)
        else:
            remembers = CachedVerifier.takes(rows, verifier.rules)
            judge = CachedVerifier(verifier, rows, listener, known, remembers=remembers)
        compiled.CompiledVerifier(judge, rows).run()
        return
    if isinstance(rounds, TableRounds) and CachedVerifier.takes(rounds, verifier.rules):
        CachedVerifier(verifier, rounds, listener, known).run()
        return
    for round_ in verified_rounds(rounds, verifier):
        if listener is not None:
            listener(round_)


def _compiled(rounds: RoundReader, rules: TableRules) -> tuple[Any, PieceRounds] | None:
    size = rounds.size
    if size < LEAST_BYTES:
        return None
    try:
        kernels = import_module("croupier.odds.compiled")
        compiled = import_module("croupier.verify.rounds.compiled")
        objects = import_module("croupier.verify.rounds.object_rows")
    except ImportError:
        return None
    rows = rounds if isinstance(rounds, PieceRounds) else objects.rows_of_objects(rounds, rules)
    if rows is None or not compiled.takes(rows, rules):
        return None
    if size < LEAST_BYTES_TO_COMPILE and not kernels.has_machine_code(*compiled.loops_of(rows)):
        return None
    return compiled, rows


def finished(verifier: RecordVerifier, *sheets: RoundReader) -> VerificationReport:
    """Verification of one reader, or of those of several sheets, with its census and columns.

    Raises ``FileError`` if no round was read, or cards were numbers of an unknown order.
    """
    rounds = sheets[-1]
    verification, cards = verifier.verification, rounds.builder.cards
    if cards.number_fault:
        raise ColumnsError(cards.number_fault)
    verification.columns_read, verification.columns_unread = rounds.columns
    _check_read(verification, rounds)
    if "round" not in rounds.builder.names_read:  # The rows were counted.
        verification.divergences = [replace(one, round="") for one in verification.divergences]
    verification.hints += _hints(verification)
    _read_money(verification, rounds)
    if skipped := +rounds.builder.skipped:
        names = ", ".join(f"{count:,} of {readable(text)!r}" for text, count in skipped.items())
        verification.hints.append(f"Lines without cards, winner, or wager are skipped: {names}.")
    if len(sheets) > 1:
        names = ", ".join(str(reader.sheet) for reader in sheets)
        verification.hints.append(
            f"Rounds are on the sheets {names}: a line is that of its sheet, and a shoe has its "
            "sheet in front of its name."
        )
    if verification.by_kind["composition"] and not cards.has_faces:
        verification.hints.append(_NO_FACES)
    if cards.number_note:
        verification.hints.append(cards.number_note)
    verification.unverified |= _unverified(verifier.rules, rounds.builder)
    if seats := rounds.builder.seats:
        names = ", ".join(
            f"{readable(name)} is {seat}" for name, seat in [*seats.items()][:_MOST_NAMED]
        )
        verification.hints.append(f"Seats are recorded by name, and numbered here: {names}.")
    verification.census = census_data(
        verifier.rules, verifier.census, verifier.rounds.census, suited=verifier.suited
    )
    return verification


def _check_read(verification: VerificationReport, rounds: RoundReader) -> None:
    if not verification.rounds:
        lines = verification.by_kind["format"]
        if not lines:
            raise FileError("the file contains no rounds")
        names = [*verification.columns_read, *verification.columns_unread]
        lacks = without_hands(rounds.builder.names_read)
        if names and lacks and all(one.message == NO_CARDS for one in verification.divergences):
            raise ColumnsError(*lacks, listed(names))
        reasons = [f"line {fault.line}: {fault.message}" for fault in verification.divergences[:3]]
        refusal = ColumnsError if any(rounds.columns) else FileError
        raise refusal(f"not one of {lines} lines can be read as a round", *reasons)
    if missing := rounds.builder.missing_hands:
        raise ColumnsError(*(f"no row has the column {names} of the mapping" for names in missing))


def _unverified(rules: TableRules, builder: RecordBuilder) -> Counter[str]:
    wagers = [wager for wager in rules.offers if rules.wagers[wager].bears_vigorish]
    reasons = Counter({
        _SHUFFLED.get(builder.mapping.reshuffled, ""): 1,
        _WAGERED: int(builder.mapping.wagered_only),
        _UNSEEN: int(bool(rules.vigorish.win_rate) and builder.hides_vigorish(wagers)),
        _SKIPPED: builder.skipped.total(),
    })  # fmt: skip
    del reasons[""]
    return +reasons


def _read_money(verification: VerificationReport, rounds: RoundReader) -> None:
    unread, builder = verification.columns_unread, rounds.builder
    sample = sample_again(rounds) if unread else None
    amounts = [
        name
        for name in unread
        if sample is not None
        and (has_money(sample, name) if name in sample.names else looks_like_amount(name))
    ]
    is_read = builder.has_wagers
    if is_read and not builder.has_results and sample is not None:
        # Any numbers may be what the wagers brought.
        amounts = [name for name in unread if name in amounts or sample.numbers(name)]
        is_read = not amounts
    if is_read and not builder.has_results:
        verification.money = "stakes"
    elif is_read:
        verification.money = "in part" if amounts else "read"
    elif amounts:
        verification.money = "unread" if builder.mapping.amounts_checked else "left out"
    if looks := [name for name in unread if name in amounts or looks_like_amount(name)]:
        names = ", ".join(readable(name) for name in looks[:_MOST_NAMED])
        verification.hints.append(
            f"Not read, though they look like amounts: {names}. Name them in a mapping"
            f"{by_caller(' (--mapping)', '')}, or call them stake:banker, net:banker, and so on."
        )
    if broken := next(filter(None, map(broken_byte, unread)), None):
        verification.hints.append(f"The name of a column cannot be read: {broken}.")


def _hints(verification: VerificationReport) -> list[str]:
    if verification.rounds < _LEAST_ROUNDS:
        return []
    counts = ", ".join(
        f"{kind} in {verification.by_kind[kind]:,} of {verification.rounds:,} rounds"
        for kind in _OF_THE_TABLE
        if verification.by_kind[kind] * _OFTEN >= verification.rounds
    )
    question = f"This frequent ({counts}): is this the submission of the table that dealt them?"
    return [question] if counts else []
