"""Repair of a file of rounds, and the list of its differences."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Final, NamedTuple

from croupier.files.text import safe_cell
from croupier.files.write import WriteError, Writer
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.reading import TableRounds, open_rounds
from croupier.records.rounds.record import RoundRecord
from croupier.records.rounds.rewriting import rewriting
from croupier.rules import TableRules
from croupier.verify.rounds.cached import CachedVerifier
from croupier.verify.rounds.differences import Account, WagerDifference
from croupier.verify.rounds.file import finished
from croupier.verify.rounds.findings import VerificationReport, VerifiedRound
from croupier.verify.rounds.inferring import Setting, explaining
from croupier.verify.rounds.repair import Repair, RowSource, with_rows
from croupier.verify.rounds.verifier import RecordVerifier, verified_rounds

_COLUMNS: Final = (
    "line", "shoe", "round", "seat", "wager",
    "expected_cents", "recorded_cents", "owed_cents", "clauses",
)  # fmt: skip

_FEW: Final = 20
"""An excerpt of fewer rounds may have nothing but wrong ones."""


class Repaired(NamedTuple):
    verification: VerificationReport
    repair: Repair
    account: Account


def repair_file(  # noqa: PLR0913  (each says what is judged, or where it goes)
    path: Path,
    rules: TableRules,
    mapping: RoundMapping | None = None,
    *,
    out: Path | None,
    differences: Path | None = None,
    cards_behind: int | None = None,
    limit: int | None = None,
    reads: Iterable[Path] = (),
    force: bool = False,
) -> Repaired:
    """Verify a file of rounds, and write it to ``out`` with expected results and settlements.

    Both files are written or neither. ``force`` replaces files, but never those in ``reads``, and
    permits a repair of more than half of the rounds. Raises ``FileError`` and ``WriteError``.
    """
    rounds = open_rounds(path, mapping, rules.tableau)
    verifier = RecordVerifier(rules, mapping, cards_behind=cards_behind, limit=limit)
    repair, account = Repair(), Account()
    if out is not None:
        _check_suffix(out, path, rounds.form)
    with Writer(reads=[path, *reads], force=force) as writer, ExitStack() as stack:
        rewriter = None if out is None else stack.enter_context(rewriting(rounds, writer.open(out)))
        write = None if differences is None else _differences_to(differences, writer)

        def add_amendments(verified: VerifiedRound, rows: Sequence[RoundRecord]) -> None:
            for amendment in repair.add(verified, rows):
                if rewriter is not None:
                    rewriter.amend(amendment)
            for difference in account.add(verified):
                if write is not None:
                    write(difference)

        if isinstance(rounds, TableRounds) and CachedVerifier.takes(rounds, rules):
            # Rows known to be correct are copied unchanged; each other one is a round.
            CachedVerifier(verifier, rounds, lambda one: add_amendments(one, (one.record,))).run()
        else:
            source = RowSource(rounds)
            for verified, rows in with_rows(verified_rounds(source, verifier), source):
                add_amendments(verified, rows)
        # Raises if no line was a round, before anything is written.
        verification = finished(verifier, rounds)
        if out is not None and not force:
            _check_extent(
                repair, verification, explaining(path, rules, mapping, verification.by_kind)
            )
    return Repaired(verification, repair, account)


def _check_extent(
    repair: Repair, verification: VerificationReport, setting: Setting | None
) -> None:
    rounds = verification.rounds
    if (rounds < _FEW or repair.rounds * 2 <= rounds) and setting is None:
        return
    cause = "" if setting is None else f"; {setting.why}: {setting.text} in the mapping explains it"
    raise WriteError(
        f"a repair would change {repair.rounds:,} of {rounds:,} rounds{cause}; nothing was "
        "written; use --force if the record is wrong and not its mapping"
    )


def _check_suffix(out: Path, record: Path, form: str) -> None:
    def suffix(path: Path) -> str:
        return (path.with_suffix("") if path.suffix == ".gz" else path).suffix.lower()

    if form == "xlsx":
        if suffix(out) != ".csv":
            raise WriteError(f"{out}: a spreadsheet is repaired as CSV: name it .csv")
    elif suffix(out) not in {f".{form}", suffix(record)}:
        raise WriteError(f"{out}: a repair must have the format of its record: name it .{form}")


def _differences_to(out: Path, writer: Writer) -> Callable[[WagerDifference], object]:
    form = out.with_suffix("").suffix if out.suffix == ".gz" else out.suffix
    if form not in {".csv", ".jsonl"}:
        raise WriteError(
            f"{out}: a list of differences must be named .csv or .jsonl, optionally with .gz"
        )
    target = writer.open(out)
    if form == ".csv":
        target.write((",".join(_COLUMNS) + "\n").encode())
    line = _csv if form == ".csv" else _json
    return lambda one: target.write(line(one).encode("utf-8", "backslashreplace"))


def _csv(difference: WagerDifference) -> str:
    data = difference.as_data() | {"clauses": " ".join(difference.clauses)}
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([safe_cell(data[name]) for name in _COLUMNS])
    return line.getvalue()


def _json(difference: WagerDifference) -> str:
    return json.dumps(difference.as_data(), ensure_ascii=False) + "\n"
