"""Repair of rounds and of files of them: expected results; cards stay as recorded."""

from __future__ import annotations

import csv
import io
import json
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.baccarat.coup import Facts
from croupier.files.text import safe_cell
from croupier.files.write import WriteError, Writer
from croupier.money.settlement import Settled
from croupier.records.rounds.mapping import RESULTS, RoundMapping
from croupier.records.rounds.reading import TableRounds, open_rounds
from croupier.records.rounds.record import RoundRecord, Unreadable, WagerRecord
from croupier.records.rounds.rewriting import RowCorrection, rewriting
from croupier.rules import TableRules
from croupier.verify.rounds.cached import CachedVerifier
from croupier.verify.rounds.differences import Account, WagerDifference
from croupier.verify.rounds.file import finished
from croupier.verify.rounds.findings import RoundDivergence, VerificationReport, VerifiedRound
from croupier.verify.rounds.inferring import Setting, explaining
from croupier.verify.rounds.verifier import RecordVerifier, verified_rounds
from croupier.verify.rounds.wagers import net_of

if TYPE_CHECKING:
    from croupier.verify.rounds import documents

REPAIRED: Final = frozenset({"totals", "winner", "settlement", "vigorish"})
"""Kinds of divergence that a repair corrects if the round can be verified."""


def corrected(verified: VerifiedRound) -> RoundRecord:
    """Correct the record of a round; missing fields stay missing."""
    record, facts = verified.record, verified.facts
    if record.marked("void"):
        wagers = tuple(map(_with_stake_back, record.wagers))
        right_record = replace(record, winner=None, wagers=wagers)
    else:
        wagers = tuple(
            wager if settlement is None else _correct_wager(wager, settlement)
            for wager, settlement in zip(record.wagers, verified.settled, strict=True)
        )
        result = {} if facts is None else _result(record, facts)
        right_record = replace(record, wagers=wagers, **result)
    return record if right_record == record else right_record


def _result(record: RoundRecord, facts: Facts) -> dict[str, Any]:
    winner = facts.winner_name
    results = {
        "winner": (record.winner, winner),
        "player_total": (record.player_total, facts.player_count),
        "banker_total": (record.banker_total, facts.banker_count),
    }
    return {name: expected for name, (value, expected) in results.items() if value is not None}


def _with_stake_back(record: WagerRecord) -> WagerRecord:
    names = [f"{name}_cents" for name in RESULTS]
    amounts = {name: 0 for name in names if getattr(record, name) is not None}
    return replace(record, **amounts, broken={})


def _correct_wager(wager: WagerRecord, settlement: Settled) -> WagerRecord:
    cents = wager.paid_cents
    win, vigorish = settlement.won_cents, settlement.vigorish_cents
    due = net_of(settlement) + (vigorish if wager.is_gross else 0)
    if cents is not None and wager.deducted:
        cents = win - vigorish
    elif cents is not None and (
        (wager.vigorish_cents, wager.deducted) != (None, None) or cents not in {win - vigorish, due}
    ):
        cents = win
    return replace(
        wager,
        net_cents=None if wager.net_cents is None else due,
        paid_cents=cents,
        vigorish_cents=None if wager.vigorish_cents is None else vigorish,
        broken={},
    )


class Repair(Struct):
    rounds: int = 0

    wagers: int = 0

    left: Counter[str] = field(default_factory=Counter)
    """Number of wrong results and settlements left, by reason."""

    def add(self, verified: VerifiedRound, rows: Iterable[RoundRecord]) -> Iterator[RowCorrection]:
        for divergence in verified.divergences:
            if divergence.kind in REPAIRED and (reason := _why_left(verified, divergence)):
                self.left[reason] += 1
        changes, place = 0, 0
        record = verified.record
        for row in rows:
            if (row.player, row.banker) not in {(record.player, record.banker), ((), ())}:
                continue  # A row with other cards was taken for none of the round.
            if row.marked("replaced") or row.marked("void") != record.marked("void"):
                continue
            settlements = verified.settled[place : place + len(row.wagers)]
            place += len(row.wagers)
            right_row = corrected(VerifiedRound(row, verified.facts, settlements))
            if right_row is row:
                continue
            changes += 1
            self.wagers += sum(
                wager != fixed for wager, fixed in zip(row.wagers, right_row.wagers, strict=True)
            )
            yield RowCorrection(row, right_row)
        self.rounds += changes > 0

    def as_data(self, by_kind: Mapping[str, int]) -> documents.Repair:
        counts = self.left.copy()
        for kind, reason in _STANDS.items():
            counts[reason] += by_kind.get(kind, 0)
        return {"rounds": self.rounds, "wagers": self.wagers, "left": {**(+counts)}}


class RowSource:
    def __init__(self, rounds: Iterable[RoundRecord | Unreadable]) -> None:
        self._rounds: Final = rounds
        self._read: deque[RoundRecord] = deque()

    def __iter__(self) -> Iterator[RoundRecord | Unreadable]:
        for item in self._rounds:
            if isinstance(item, RoundRecord):
                self._read.append(item)
            yield item

    def before(self, line: int | None) -> Iterator[RoundRecord]:
        """Yield and release the rows before a line, or all."""
        while self._read and (line is None or self._read[0].line < line):
            yield self._read.popleft()


def with_rows(
    verified: Iterable[VerifiedRound], rows: RowSource
) -> Iterator[tuple[VerifiedRound, list[RoundRecord]]]:
    held_round: VerifiedRound | None = None
    for verified_round in verified:
        if held_round is not None:
            yield held_round, list(rows.before(verified_round.record.line))
        held_round = verified_round
    if held_round is not None:
        yield held_round, list(rows.before(None))


_STANDS: Final = {
    "third_card": "cards are left as dealt; the round is settled on the required cards",
    "cards": "a hand with too few or too many cards is left as dealt",
    "composition": "cards that the shoe cannot contain are left as recorded",
    "offer": "the rules do not define the settlement of a wager that the table does not offer",
    "limit": "a stake is left as placed and settled",
    "procedure": "procedure is left as recorded",
    "format": "a line that cannot be read is copied unchanged",
}
"""Why divergences of each other kind are left."""


def _why_left(verified: VerifiedRound, divergence: RoundDivergence) -> str | None:
    if verified.record.marked("void"):
        return None
    if divergence.wager is None:
        return (
            None if verified.facts else "the result of a round is not known while a card is missing"
        )
    for wager, outcome in zip(verified.record.wagers, verified.settled, strict=True):
        if (wager.seat, wager.wager) == (divergence.seat, divergence.wager) and outcome is not None:
            return None
    return "a wager that cannot be settled from the record"


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


def _suffix(path: Path) -> str:
    return (path.with_suffix("") if path.suffix == ".gz" else path).suffix.lower()


def _check_suffix(out: Path, record: Path, form: str) -> None:
    if form == "xlsx":
        if _suffix(out) != ".csv":
            raise WriteError(f"{out}: a spreadsheet is repaired as CSV: name it .csv")
    elif _suffix(out) not in {f".{form}", _suffix(record)}:
        raise WriteError(f"{out}: a repair must have the format of its record: name it .{form}")


def _differences_to(out: Path, writer: Writer) -> Callable[[WagerDifference], object]:
    if (form := _suffix(out)) not in {".csv", ".jsonl"}:
        raise WriteError(
            f"{out}: a list of differences must be named .csv or .jsonl, optionally with .gz"
        )
    target = writer.open(out)
    if form == ".csv":
        target.write((",".join(_COLUMNS) + "\n").encode())
    line = _csv if form == ".csv" else _json
    return lambda difference: target.write(line(difference).encode("utf-8", "backslashreplace"))


def _csv(difference: WagerDifference) -> str:
    data = difference.as_data() | {"clauses": " ".join(difference.clauses)}
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([safe_cell(data[name]) for name in _COLUMNS])
    return line.getvalue()


def _json(difference: WagerDifference) -> str:
    return json.dumps(difference.as_data(), ensure_ascii=False) + "\n"
