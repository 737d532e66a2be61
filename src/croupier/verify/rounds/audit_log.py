"""An audit of a table log of our own: its verdict, and the roads of its shoes."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

from croupier.baccarat.coup import Facts
from croupier.records.explanation import Telling, read_rounds
from croupier.records.rounds.record import RoundRecord
from croupier.table import events as e
from croupier.verify.log import Verdict, verify_log
from croupier.verify.rounds.audit import Audit, source_of
from croupier.verify.rounds.census import census_data
from croupier.verify.rounds.findings import Divergence, JudgedRound, Judgement

__all__ = ["audit_log"]

_MEANS: Final = {
    "header": "a header that is not what its rules make of it",
    "chain": "a line that was changed after it was sealed",
    "sequence": "an entry that is missing, or out of place",
    "command": "a line that is no command of a table",
    "refused": "a command that the rules refuse",
    "event": "an event that is not what comes of its command",
    "missing event": "an event that is not recorded",
    "ledger": "a ledger out of balance",
}
"""What each kind of divergence of a log means."""


def audit_log(path: Path, *, shoes: int, listed: int, reproduce: str = "") -> dict[str, Any]:
    """Verify a table log and return the report of it, as the data of its JSON form.

    A log is judged up to its first divergence; its rounds are told as they stand there. Raises
    ``LogError`` where it cannot be read.
    """
    verdict = verify_log(path)
    rules = verdict.header.rules
    found = None if verdict.divergence is None else _found(verdict)
    audit, judgement = Audit(rules, shoes=shoes, listed=listed), Judgement(rules, limit=listed)
    judgement.noted = audit.noted
    counted: Counter[Facts] = Counter()
    names: set[str] = set()
    for judged in _rounds(path, verdict, found):
        for one in judged.divergences:
            judgement.add(one)
        audit.add(judged)
        judgement.rounds += 1
        names.add(judged.record.shoe)
        if judged.facts is not None:
            counted[judged.facts] += 1
    if found is not None and not judgement.by_kind:
        judgement.add(found)
    judgement.shoes = len(names)
    if counted:
        judgement.census = census_data(rules, counted, suited=True)
    if found is not None:
        judgement.hints.append("A log is judged up to its first divergence; what follows is not.")
    return audit.as_data(judgement, source_of(path), None, reproduce, means=_MEANS)


def _found(verdict: Verdict) -> Divergence:
    one = verdict.divergence
    assert one is not None  # noqa: S101  (asked for where there is one)
    number = str(one.round) if one.round else ""
    return Divergence(
        one.line, "", number, one.kind, one.message, one.clauses, None, None, None, one.expected,
        one.found,
    )  # fmt: skip


def _rounds(path: Path, verdict: Verdict, found: Divergence | None) -> Iterator[JudgedRound]:
    """Yield the rounds of a log, up to the one that diverges, whose cards nobody vouches for."""
    shoe = ""
    # From the divergence on, lines may be anything: none of them is read.
    diverging = verdict.rounds + 1 if found is None else int(found.round or 0)
    tellings = read_rounds(path, verdict.header.rules) if diverging > 1 else iter(())
    for telling in tellings:
        for event in telling.events:
            if isinstance(event, e.ShoeLoaded):
                shoe = str(event.shoe)
        record = RoundRecord(0, shoe, str(telling.number), *_cards(telling))
        yield JudgedRound(record, telling.facts(), ())
        if found is not None and telling.number + 1 >= diverging:
            break
    if found is not None and found.round:
        yield JudgedRound(RoundRecord(0, shoe, found.round, (), ()), None, (), (found,))


def _cards(telling: Telling) -> tuple[tuple[Any, ...], tuple[Any, ...]]:
    for event in telling.events:
        if isinstance(event, e.LayoutCleared) and not event.simulated:
            return event.player, event.banker
    return (), ()
