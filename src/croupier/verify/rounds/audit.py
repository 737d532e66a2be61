"""The audit of a file of rounds, in bounded memory, and of a table log."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Final

from msgspec import Struct
from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.coup import Facts, facts_of
from croupier.files.pipes import shown_name
from croupier.files.text import digest
from croupier.odds.in_words import readings_in_words
from croupier.records.explanation import LoggedRound, rounds_of
from croupier.records.reader import LogReader
from croupier.records.rounds.finding import open_each
from croupier.records.rounds.mapping import RoundMapping
from croupier.records.rounds.record import RoundRecord
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.verify.log import Verdict, verify_log
from croupier.verify.rounds.board import Board
from croupier.verify.rounds.census import Runs, adjust, census_data
from croupier.verify.rounds.differences import Account, WagerDifference
from croupier.verify.rounds.documents import KINDS
from croupier.verify.rounds.file import finished, verify_all
from croupier.verify.rounds.findings import (
    RoundDivergence,
    VerificationReport,
    VerifiedRound,
    plain_name,
)
from croupier.verify.rounds.verifier import RecordVerifier

if TYPE_CHECKING:
    from croupier.verify.rounds import documents

LISTED: Final = 200
"""Divergences and differences listed one by one; all are counted."""


def source_of(path: Path) -> documents.File:
    """Name, size, and hash of a file. Raises ``OSError``."""
    size, sha256 = digest(path)
    return {"name": shown_name(path), "bytes": size, "sha256": sha256}


class _Cited(Struct):
    kinds: Counter[str]
    first: RoundDivergence


def _whole(clauses: Sequence[str]) -> list[str]:
    """Clauses without those that are parts of another one in the sequence.

    >>> _whole(("NJ-MINI:7.1(c)", "NJ-MINI:7.1(c)1", "NJ-MINI:7.2(a)1.i", "NJ-MINI:7.2(a)1.ii"))
    ['NJ-MINI:7.1(c)', 'NJ-MINI:7.2(a)1.i', 'NJ-MINI:7.2(a)1.ii']
    """
    return [clause for clause in clauses if not any(_is_part(clause, whole) for whole in clauses)]


def _is_part(clause: str, parent: str) -> bool:
    part, whole = (name.partition("~")[0] for name in (clause, parent))
    suffix = part.removeprefix(whole)
    # 7.2(a)1.ii has 7.2(a)1.i as a prefix, but is not a part of it.
    return suffix not in {"", part} and not (whole[-1:].isalnum() and suffix[0].isalnum())


class Audit:
    def __init__(self, rules: TableRules, *, shoes: int, limit: int = LISTED) -> None:
        self.rules: Final = rules
        self.account: Final = Account()
        self._board = Board(shoes)
        self._most: Final = limit
        self._cited: dict[str | None, _Cited] = {}
        self._listed: list[WagerDifference] = []
        self._pending: list[RoundDivergence] = []
        self._runs = Runs()
        self._wagers: dict[str, None] = {}

    def noted(self, divergence: RoundDivergence) -> None:
        self._pending.append(divergence)
        for clause in _whole(divergence.clauses) or (None,):
            citations = self._cited.setdefault(clause, _Cited(Counter(), divergence))
            citations.kinds[divergence.kind] += 1

    def amended(self, old: RoundDivergence, new: RoundDivergence) -> None:
        for citations in self._cited.values():
            if citations.first is old:
                citations.first = new

    def add(self, verified: VerifiedRound) -> None:
        self._take_late(verified.divergences)
        self._board.add(verified)
        if verified.facts is not None:
            self._runs.add(verified.record.shoe, verified.facts)
        for wager in verified.record.wagers:
            self._wagers.setdefault(wager.wager)
        for difference in self.account.add(verified):
            if len(self._listed) < self._most:
                self._listed.append(difference)

    def known(self, shoe: str, first: int, rounds: Sequence[Facts]) -> None:
        self._take_late()
        self._board.known(shoe, first, rounds)
        for facts in rounds:
            self._runs.add(shoe, facts)

    def _take_late(self, at_round: Sequence[RoundDivergence] = ()) -> None:
        for divergence in self._pending:
            if not any(divergence is known_divergence for known_divergence in at_round):
                self._board.late(divergence)
        self._pending.clear()

    def as_data(  # noqa: PLR0913  (each is a source, or what is made of them)
        self,
        verification: VerificationReport,
        rounds: documents.File,
        submission: documents.File | None,
        reproduce: str,
        meanings: Mapping[str, str] = KINDS,
        *,
        mapping: documents.File | None = None,
        custom_files: Sequence[documents.File] = (),
    ) -> documents.Audit:
        verified = verification.as_data()
        self._take_late()
        wagers, census = self.rules.wagers, verified["census"]
        listed = verified["divergences"][: self._most]
        scope: list[documents.CountedKind] = [
            {"kind": kind, "means": text, "divergences": verification.by_kind[kind]}
            for kind, text in meanings.items()
        ]
        return {
            "format": "croupier-audit/2",
            **provenance(self.rules, reproduce),
            "rounds_file": rounds,
            "submission_file": submission,
            "mapping_file": mapping,
            "custom_wager_files": list(custom_files),
            "columns": verified["columns"],
            "wagers": [
                {"wager": name, "title": wagers[name].title if name in wagers else name}
                for name in self._wagers
            ],
            "edition": self.rules.law.edition,
            "reading_texts": readings_in_words(self.rules),
            "clean": verified["clean"],
            "rounds": verified["rounds"],
            "shoes": verified["shoes"],
            "divergences": listed,
            "divergences_left_out": verification.by_kind.total() - len(listed),
            "by_kind": [count for count in scope if count["divergences"]],
            "scope": scope,
            "by_clause": self._by_clause(meanings),
            "unverified": verified["unverified"],
            "hints": verified["hints"],
            "census": None if census is None else adjust({**census, "runs": self._runs.as_data()}),
            "differences": {
                **self.account.as_data(),
                "listed": [difference.as_data() for difference in self._listed],
                "left_out": self.account.total.wagers - len(self._listed),
            },
            "board": self._board.as_data(),
        }

    def _by_clause(self, meanings: Mapping[str, str]) -> list[documents.CitedClause]:
        texts = {name: clause.says for name, clause in self.rules.law.clauses.items()}
        order = {name: place for place, name in enumerate(texts)}
        citations = sorted(
            self._cited.items(), key=lambda one: (order.get(str(one[0]), len(order)), str(one[0]))
        )
        return [
            {
                "clause": clause,
                "says": None if clause is None else texts.get(clause),
                "divergences": citation.kinds.total(),
                "kinds": {kind: citation.kinds[kind] for kind in meanings if citation.kinds[kind]},
                "first": {
                    "line": citation.first.line,
                    "shoe": plain_name(citation.first.shoe),
                    "round": plain_name(citation.first.round),
                    "message": citation.first.message,
                },
            }
            for clause, citation in citations
        ]


def audit_file(  # noqa: PLR0913  (each says what is judged, or how much is printed)
    path: Path,
    rules: TableRules,
    submission: Path | None = None,
    mapping: RoundMapping | None = None,
    *,
    cards_behind: int | None = None,
    shoes: int = 20,
    limit: int = LISTED,
    reproduce: str = "",
    sources: tuple[Path | None, Sequence[Path]] = (None, ()),
) -> documents.Audit:
    """Verify a file of rounds and report on it. Raises ``FileError`` if it has no round."""
    audit = Audit(rules, shoes=shoes, limit=limit)
    readers = open_each(path, mapping or RoundMapping(), rules.tableau)
    verifier = RecordVerifier(rules, mapping, cards_behind=cards_behind, limit=limit)
    verifier.verification.noted = audit.noted
    verifier.verification.amended = audit.amended
    for reader in readers:
        verify_all(reader, verifier, audit.add, audit.known)
    verification = finished(verifier, *readers)
    source = None if submission is None else source_of(submission)
    mapping_file, custom_files = sources
    return audit.as_data(
        verification,
        source_of(path),
        source,
        reproduce,
        mapping=None if mapping_file is None else source_of(mapping_file),
        custom_files=[source_of(used_path) for used_path in custom_files],
    )


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
    path: Path, *, shoes: int, limit: int, table: str | None = None, reproduce: str = ""
) -> documents.Audit:
    """Verify a table log and report on it up to the first divergence. Raises ``LogError``."""
    verdict = verify_log(path, table=table, processes=os.cpu_count() or 1)
    rules = verdict.header.rules
    log_divergence = None
    if (found := verdict.divergence) is not None:
        log_divergence = RoundDivergence(
            found.line, "", str(found.round or ""), found.kind, found.message, found.clauses,
            expected=found.expected, found=found.found,
        )  # fmt: skip
    audit = Audit(rules, shoes=shoes, limit=limit)
    verification = VerificationReport(rules, limit=limit, money="read")
    verification.noted = audit.noted
    counts: Counter[Facts] = Counter()
    names: set[str] = set()
    for verified in _rounds(path, table, verdict, log_divergence):
        for divergence in verified.divergences:
            verification.add(divergence)
        audit.add(verified)
        verification.rounds += 1
        names.add(verified.record.shoe)
        if verified.facts is not None:
            counts[verified.facts] += 1
    if log_divergence is not None and not verification.by_kind:
        verification.add(log_divergence)
    verification.shoes = len(names)
    if counts:
        verification.census = census_data(rules, counts, suited=True)
    corrections = (str(one) for one in verdict.findings if one.kind == "corrected")
    verification.hints += (f"Settled again: {correction}." for correction in corrections)
    if log_divergence is not None:
        verification.hints.append(
            "A log is verified up to its first divergence; the rest is not checked."
        )
    return audit.as_data(verification, source_of(path), None, reproduce, meanings=_MEANS)


class _LoggedRounds:
    """Rounds of a log as they were settled last, which may be until the table closes."""

    def __init__(self) -> None:
        self.ended: list[VerifiedRound] = []
        self.waiting: list[VerifiedRound] = []
        """Those of the last opening."""
        self.shoe = ""
        self._openings = 0
        self._again: acts.SettlementCorrected | None = None

    def read(self, entries: Iterable[tuple[acts.Event, ...]]) -> Iterator[tuple[acts.Event, ...]]:
        for events in entries:
            is_of_ended = False
            for event in events:
                if isinstance(event, acts.TableOpened):
                    self.ended, self.waiting = self.ended + self.waiting, []
                    self._openings += 1
                elif isinstance(event, acts.ShoeLoaded):
                    # Each opening of a table has a shoe 1.
                    suffix = f", opening {self._openings}" if self._openings > 1 else ""
                    self.shoe = f"{event.shoe}{suffix}"
                elif isinstance(event, acts.SettlementCorrected):
                    is_of_ended = self._correct(event)
            # Only of its own round does it say which card was recorded before.
            yield () if is_of_ended else events

    def add(self, round_: LoggedRound) -> None:
        record = RoundRecord(0, self.shoe, str(round_.number), (), ())
        self.waiting.append(VerifiedRound(record, round_.facts(as_settled=True), ()))
        if self._again is not None:
            self._correct(self._again)
            self._again = None

    def _correct(self, event: acts.SettlementCorrected) -> bool:
        """Correct a round, now or when it ends; return whether it has ended."""
        if not self.waiting or event.round > int(self.waiting[-1].record.round):
            self._again = event
            return False
        facts = facts_of(event.player, event.banker) if event.winner else None
        for place, one in enumerate(self.waiting):
            if facts and one.facts and one.record.round == str(event.round):
                self.waiting[place] = replace(one, facts=facts, is_corrected=True)
        return True


def _rounds(
    path: Path, table: str | None, verdict: Verdict, divergence: RoundDivergence | None
) -> Iterator[VerifiedRound]:
    log = _LoggedRounds()
    # After a divergence the lines are not trustworthy, so none is read; line 1 is the header.
    end = None if divergence is None else max(0, divergence.line - 2)
    entries = islice(() if end == 0 else LogReader(path, table).events(), end)
    for round_ in rounds_of(log.read(entries), verdict.header.rules):
        yield from log.ended
        log.ended.clear()
        log.add(round_)
    yield from log.ended
    if divergence is not None and divergence.round:
        if log.waiting and log.waiting[-1].record.round == divergence.round:
            log.waiting.pop()
        record = RoundRecord(0, log.shoe, divergence.round, (), ())
        log.waiting.append(VerifiedRound(record, None, (), (divergence,)))
    yield from log.waiting
