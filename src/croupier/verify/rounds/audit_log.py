"""The audit of a table log."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from croupier import acts
from croupier.baccarat.coup import Facts
from croupier.records.explanation import LoggedRound, rounds_of
from croupier.records.reader import LogReader
from croupier.records.rounds.record import RoundRecord
from croupier.verify.log import Verdict, verify_log
from croupier.verify.rounds.audit import Audit, source_of
from croupier.verify.rounds.census import census_data
from croupier.verify.rounds.findings import RoundDivergence, VerificationReport, VerifiedRound

if TYPE_CHECKING:
    from croupier.verify.rounds import documents

_MEANS: Final = {
    "header": "a header that does not match its rules",
    "edition": "an edition of the regulation that is not known, so nothing is judged",
    "chain": "a line that was changed after it was sealed",
    "sequence": "an entry that is missing or out of order",
    "command": "a line that is not a table command",
    "refused": "a command that the rules refuse",
    "event": "an event that does not match its command",
    "missing event": "an event that is not recorded",
    "ledger": "a ledger out of balance",
}


def audit_log(
    path: Path, *, shoes: int, listed: int, table: str | None = None, reproduce: str = ""
) -> documents.Audit:
    """Verify a table log and report on it up to the first divergence. Raises ``LogError``."""
    verdict = verify_log(path, table=table, processes=os.cpu_count() or 1)
    rules = verdict.header.rules
    found = None if verdict.divergence is None else _found(verdict)
    audit, verification = (
        Audit(rules, shoes=shoes, listed=listed),
        VerificationReport(rules, limit=listed),
    )
    verification.noted = audit.noted
    counted: Counter[Facts] = Counter()
    names: set[str] = set()
    for verified in _rounds(path, table, verdict, found):
        for divergence in verified.divergences:
            verification.add(divergence)
        audit.add(verified)
        verification.rounds += 1
        names.add(verified.record.shoe)
        if verified.facts is not None:
            counted[verified.facts] += 1
    if found is not None and not verification.by_kind:
        verification.add(found)
    verification.shoes = len(names)
    if counted:
        verification.census = census_data(rules, counted, suited=True)
    if found is not None:
        verification.hints.append(
            "A log is verified up to its first divergence; the rest is not checked."
        )
    return audit.as_data(verification, source_of(path), None, reproduce, means=_MEANS)


def _found(verdict: Verdict) -> RoundDivergence:
    one = verdict.divergence
    assert one is not None  # noqa: S101  (asked for where there is one)
    number = str(one.round) if one.round else ""
    return RoundDivergence(
        one.line, "", number, one.kind, one.message, one.clauses, None, None, None, one.expected,
        one.found,
    )  # fmt: skip


def _rounds(
    path: Path, table: str | None, verdict: Verdict, found: RoundDivergence | None
) -> Iterator[VerifiedRound]:
    shoe = ""
    # After a divergence the lines are not trustworthy, so none is read.
    diverging = verdict.rounds + 1 if found is None else int(found.round or 0)
    rounds: Iterator[LoggedRound] = iter(())
    if diverging > 1:
        rounds = rounds_of(LogReader(path, table).events(), verdict.header.rules)
    for logged in rounds:
        for event in logged.events:
            if isinstance(event, acts.ShoeLoaded):
                shoe = str(event.shoe)
        record = RoundRecord(0, shoe, str(logged.number), *_cards(logged))
        yield VerifiedRound(record, logged.facts(), ())
        if found is not None and logged.number + 1 >= diverging:
            break
    if found is not None and found.round:
        yield VerifiedRound(RoundRecord(0, shoe, found.round, (), ()), None, (), (found,))


def _cards(logged: LoggedRound) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    for event in logged.events:
        if isinstance(event, acts.LayoutCleared) and not event.simulated:
            return event.player, event.banker
    return (), ()
