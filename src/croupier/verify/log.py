"""Verification of a table log against its rules."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import timedelta
from functools import cache, lru_cache
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.coup import winner_name
from croupier.law.interpretations import edition_of, editions
from croupier.law.model import ConstraintKind
from croupier.law.resolve import texts_of
from croupier.law.usage import counted
from croupier.money.stax import mystery_cents
from croupier.records.chain import AFTER_CLOSE, command_as_recorded
from croupier.records.codec import COMMANDS, CodecError, decode_command, from_json, read_command
from croupier.records.entry import (
    EntryHead,
    body_of,
    entry_body,
    entry_head,
    is_last,
    last_body,
    moment,
    sha256,
    stamp_of,
    unseal,
    written_body,
)
from croupier.records.header import LogError, LogHeader, header_body, header_of
from croupier.records.log import LogLines
from croupier.records.stores.snapshot import read_snapshot, snapshot
from croupier.table.machine.core import Events, Refusal
from croupier.table.machine.position import Position, advanced, allowed, at_moment, rack_short
from croupier.table.machine.state import Phase, TableState
from croupier.table.parts.progressive import Progressive, cards_of
from croupier.verify.corrected import (
    EventReader,
    FormerRules,
    before_readings,
    how_it_differs,
    name_of,
    named_every_line,
)
from croupier.verify.pieces import (
    DeadProcessError,
    HeldError,
    Piece,
    cut,
    first_lines,
    judged_in_order,
    pool,
)
from croupier.verify.verdict import (
    Diverged,
    LogDifference,
    LogDivergence,
    LogFinding,
    Verdict,
    diverge,
    entry_of,
    time_in_order,
)

__all__ = ["LogDivergence", "Verdict", "verify_lines", "verify_log"]

_FAR: Final = timedelta(days=366)
_NEAR: Final = timedelta(days=2)
_JUDGED: Final = (
    "entries", "events", "rounds", "results", "ledger", "divergence", "is_open", "head", "heads",
    "differences", "unrecorded", "findings", "is_other_edition", "at_end", "kinds", "corrections",
)  # fmt: skip
_ENTRY_KEYS: Final = {"seq", "prev", "at", "by", "key", "corrects", "command", "events"}


def verify_log(
    path: Path, *, table: str | None = None, heads: Iterable[str] = (), processes: int = 1
) -> Verdict:
    """Verify a log: resolve its rules and derive every event from the commands.

    ``heads`` are seals that the log must contain. Raises ``LogError`` for an unreadable log.
    """
    source = LogLines(path, table)
    stream = iter(source)
    line = next(stream)
    replay = Replay(path, Verdict(_header_of(path, line)), heads)
    replay.verdict.findings += _of_stored_law(replay.verdict.header)
    try:
        replay.begin(line)
        if processes > 1:
            if not _judged_in_pieces(replay, line, stream, processes):
                return verify_log(path, table=table, heads=heads)
        else:
            replay.follow_all(stream)
        replay.end(source.torn)
    except Diverged as error:
        replay.verdict.divergence = error.divergence
    return replay.verdict


def verify_lines(path: Path, lines: Iterable[bytes], heads: Iterable[str] = ()) -> Verdict:
    stream = iter(lines)
    replay = Replay(path, Verdict(_header_of(path, line := next(stream, b""))), heads)
    replay.verdict.findings += _of_stored_law(replay.verdict.header)
    try:
        replay.begin(line)
        replay.follow_all(stream)
        replay.end(None)
    except Diverged as error:
        replay.verdict.divergence = error.divergence
    return replay.verdict


def _judged_in_pieces(replay: Replay, line: bytes, stream: Iterable[bytes], processes: int) -> bool:
    """Return ``False`` if the pieces do not join or a process dies; verify line by line then."""
    source = HeldError(stream)
    lines = iter(source)
    piece_lines, is_all = first_lines(lines)
    if is_all:
        replay.follow_all(piece_lines)
        source.release()
        return True
    seal = replay.verdict.head
    start = Piece(replay.path, line, seal, replay.wanted)
    cuts = cut(start, replay.position, chain(piece_lines, lines))
    end = snapshot(seal, replay.position, seal)
    try:
        with pool(processes) as executor:
            for piece, outcome in judged_in_order(_judge_piece, cuts, executor, processes):
                if piece.begin != end:
                    return False
                end = outcome.end
                replay.take(outcome)
    except DeadProcessError:
        return False
    source.release()
    return cuts.is_whole


class _Outcome(NamedTuple):
    verdict: Mapping[str, Any]
    line: int
    end: bytes
    error: str | None


def _judge_piece(piece: Piece) -> _Outcome:
    replay = Replay(piece.path, Verdict(_header(piece.path, piece.header)), piece.heads)
    replay.begin(piece.header)
    replay.go_on(piece)
    error = None
    try:
        replay.follow_all(piece.lines)
    except LogError as read_error:
        error = str(read_error)
    except Diverged as failure:
        replay.verdict.divergence = failure.divergence
    verdict = {name: getattr(replay.verdict, name) for name in _JUDGED}
    end = snapshot(piece.seal, replay.position, replay.verdict.head)
    return _Outcome(verdict, replay.line, end, error)


class _Entry(NamedTuple):
    body: bytes
    head: EntryHead
    command: acts.Command
    position: Position


def _header_of(path: Path, line: bytes) -> LogHeader:
    return header_of(path, body_of(line))


_header: Final = lru_cache(maxsize=1)(_header_of)
"""The parsed header, cached because the pieces of a worker process share it."""


class Replay:
    def __init__(self, path: Path, verdict: Verdict, heads: Iterable[str]) -> None:
        self.path = path
        self.verdict = verdict
        self.position = verdict.header.opening
        self.wanted = frozenset(heads)
        self.line = 1
        self.round = 0
        time = self.position.at
        self.at = "" if time is None else moment(time)
        verdict.ledger = self.position.ledger

    def _diverge(self, kind: str, message: str, **more: Any) -> Diverged:
        return diverge(self.line, kind, message, round=self.round, **more)

    def begin(self, line: bytes) -> None:
        verdict, header = self.verdict, self.verdict.header
        rules = header.rules
        unsealed = unseal(line)
        if unsealed is None or unsealed[1] != sha256(unsealed[0]):
            raise self._diverge("chain", "the header's hash does not match its content")
        self.former = self._edition()
        hashes = self.former.hashes(rules, header.readings)
        if header.binding_sha256 not in (
            hashes or self.former.hashes(rules, rules.binding_readings)
        ):
            raise self._diverge(
                "header",
                "the header's elections do not give the rules that the table used",
                expected=hashes[0] if hashes else rules.sha256,
                found=header.binding_sha256,
            )
        verdict.is_other_edition = self.former.rules(rules).sha256 != rules.sha256
        verdict.is_cited_otherwise = header.cited_sha256 != rules.cited_sha256
        readings = header.readings if hashes else rules.binding_readings
        body = header_body(replace(header, readings=readings))
        if unsealed[0] != body:
            raise self._header_differs(body, unsealed[0])
        is_of_this_law = header.law_sha256 == rules.law.sha256 and verdict.is_cited_otherwise
        if is_of_this_law and header.cited_sha256 not in rules.cited_sha256_before():
            raise self._diverge(
                "header",
                "the header's cited_sha256 does not match its rules",
                expected=rules.cited_sha256,
                found=header.cited_sha256,
            )
        self._record_seal(unsealed[1])

    def _edition(self) -> FormerRules:
        header, law = self.verdict.header, self.verdict.header.rules.law
        edition = edition_of(law, header.edition, header.law_sha256)
        if edition is not None:
            return FormerRules(edition, header.rules, header.cited_sha256)
        numbers = sorted({one.edition for one in editions() if one.law == law.key} | {law.edition})
        raise self._diverge(
            "edition",
            f"the log cannot be judged: edition {header.edition} of {law.key} with the law file"
            f" {header.law_sha256} is not known to this program; it knows the editions"
            f" {', '.join(map(str, numbers))}, each with its law files; a law of your own is given"
            " as it was for that table with --laws",
            expected={"edition": law.edition, "law_sha256": law.sha256},
            found={"edition": header.edition, "law_sha256": header.law_sha256},
        )

    def _header_differs(self, body: bytes, found_body: bytes) -> Diverged:
        expected, header = from_json(body), from_json(found_body)
        names = [name for name in expected if expected[name] != header[name]]
        message = (
            f"the header's {' and '.join(names)} do not match its rules"
            if names
            else "the header is not in the canonical form"
        )
        return self._diverge(
            "header",
            message,
            expected={name: expected[name] for name in names},
            found={name: header[name] for name in names},
        )

    def _record_seal(self, digest: str) -> None:
        verdict = self.verdict
        verdict.head = digest
        if digest in self.wanted:
            verdict.heads[digest] = verdict.last, not verdict.is_open

    def go_on(self, piece: Piece) -> None:
        verdict = self.verdict
        start = read_snapshot(piece.begin, piece.seal, verdict.header.rules)
        if start is None:
            raise LogError(f"{self.path}: a piece of the log cannot be passed to a worker")
        self.position, verdict.head = start.position, start.head
        verdict.entries = start.position.sequence - verdict.header.before
        self.line = verdict.entries + 1
        time = start.position.at
        self.at = "" if time is None else moment(time)
        verdict.ledger = start.position.ledger
        self.round = start.position.state.rounds

    def follow_all(self, lines: Iterable[bytes]) -> None:
        """Compare lines in turn, and note what is reported after the last one."""
        for line in lines:
            self.follow(line)
        position = self.position
        findings = (
            _open_secret(position),
            _paper_findings(position),
            _time_findings(position, self.verdict.header),
            _day_findings(position),
        )
        self.verdict.at_end = tuple(chain.from_iterable(findings))

    def take(self, outcome: _Outcome) -> None:
        verdict, data = self.verdict, outcome.verdict
        for name in ("entries", "ledger", "head", "is_open", "at_end"):
            setattr(verdict, name, data[name])
        for name in (
            "events",
            "rounds",
            "results",
            "findings",
            "differences",
            "kinds",
            "corrections",
        ):
            setattr(verdict, name, getattr(verdict, name) + data[name])
        for name in ("unrecorded", "is_other_edition", "heads"):
            setattr(verdict, name, getattr(verdict, name) | data[name])
        self.line = outcome.line
        if data["divergence"] is not None:
            raise Diverged(data["divergence"])
        if outcome.error is not None:
            raise LogError(outcome.error)

    def follow(self, line: bytes) -> None:
        self.line += 1
        if not self.verdict.is_open:
            raise LogError(f"{self.path}:{self.line}: {AFTER_CLOSE}")
        unsealed = unseal(line)
        if unsealed is None or sha256(unsealed[0]) != unsealed[1]:
            raise self._diverge("chain", "the line's hash does not match its content")
        body, digest = unsealed
        head = entry_head(body)
        is_next = head is not None and (head.seq, head.prev) == self._next
        command = read_command(head.command) if head is not None and is_next else None
        if head is None or command is None:
            entry = entry_of(body, self._diverge)
            if is_last(entry):
                self._close(body, entry)
                self._record_seal(digest)
                return
            self._check_place(entry)
            self._command(entry)
            raise self._diverge("command", "the entry is not in the canonical form")
        position = at_moment(self.position, time_in_order(head.at, self.at, self._diverge))
        self._judge(body, head, command, position)
        self.at = head.at
        self._record_seal(digest)

    @property
    def _next(self) -> tuple[int, str]:
        return self.verdict.last + 1, self.verdict.head

    def _judge(
        self, body: bytes, head: EntryHead, command: acts.Command, position: Position
    ) -> None:
        verdict = self.verdict
        stamp = stamp_of(head)
        answer = allowed(position, command, stamp)
        if isinstance(answer, Refusal):
            message = f"{type(command).__name__} is not allowed: {answer.message}"
            divergence = self._diverge(
                "refused", message, clauses=answer.clauses, found=command.to_dict()
            )
            events = self._formerly(_Entry(body, head, command, position), answer, divergence)
        else:
            events = answer
            expected_body = entry_body(self._next, head.at, stamp, command, events)
            if body != expected_body:
                events = self._former_events(_Entry(body, head, command, position), events)
        self.position = advanced(position, command, events, stamp.by)
        if shortage := rack_short(self.position):
            raise self._diverge("ledger", f"{type(command).__name__}: {shortage.message}")
        for event in events:
            self._note_findings(command, event, position)
        verdict.entries += 1
        verdict.kinds.append(_number_of(type(command)))
        if stamp.corrects is not None and type(command) is not acts.WriteNote:
            verdict.corrections.append((verdict.last, stamp.corrects))
        verdict.events += len(events)
        self.round = self.position.state.rounds
        verdict.ledger = self.position.ledger

    def _note_findings(self, command: acts.Command, event: acts.Event, position: Position) -> None:
        verdict = self.verdict
        if type(event) is acts.MysteryReplaced:
            verdict.findings.append(_secret_finding(event, position))
        if type(command) is acts.AdoptElections and type(event) is acts.ElectionsAdopted:
            verdict.findings += _pit_findings(command, self.position)
        if type(event) is acts.TableOpened:
            verdict.findings += _time_findings(self.position, verdict.header)
        if type(event) is acts.NoMoreBetsCalled:
            verdict.rounds += 1
        if type(event) is acts.ResultAnnounced:
            verdict.results[winner_name(event.winner)] += 1
        if position.state.phase is Phase.DECIDED:
            verdict.results.subtract(self._retracted(event, position.state))
        if type(event) is acts.SettlementCorrected and event.winner != event.winner_was:
            verdict.results.update({event.winner_was: -1, event.winner: 1})
            entry = self.position.sequence  # Each opening of a table has a round 1.
            message = f"entry {entry} corrected the result {event.winner_was} to {event.winner}"
            verdict.findings.append(LogFinding(event.round, "corrected", message, fails=False))

    def _retracted(self, event: acts.Event, before: TableState) -> Sequence[str]:
        """Return the announced winner that a misread card retracts before settlement."""
        is_again = type(event) is acts.ResultAnnounced
        is_open = type(event) is acts.CardMisread and self.position.state.phase is not before.phase
        facts = None if before.round is None else before.round.facts
        return (facts.winner_name,) if facts is not None and (is_again or is_open) else ()

    def _former_events(self, read_entry: _Entry, events: Events) -> Events:
        entry = entry_of(read_entry.body, self._diverge)
        self._command(entry)  # Read strictly: a field too many is reported as such.
        if set(entry) != _ENTRY_KEYS:
            raise self._diverge("event", "the entry is not in the canonical form", found=entry)
        if position := named_every_line(read_entry.position, entry["events"]):
            read_entry = read_entry._replace(position=position)
            answer = allowed(position, read_entry.command, stamp_of(read_entry.head))
            events = events if isinstance(answer, Refusal) else answer
        bound_events = self.former.bound(read_entry.position, read_entry.command, events)
        if self._is_recorded(read_entry, events) or self._is_recorded(read_entry, bound_events):
            return events
        return self._formerly(read_entry, events, self._compare(entry, events))

    def _formerly(self, entry: _Entry, answer: Events | Refusal, diverged: Diverged) -> Events:
        _, head, command, position = entry
        request = position, command, stamp_of(head)
        answers = self.former.answers(*request, answer)
        if self.verdict.is_cited_otherwise:
            answers = chain(answers, before_readings(*request))
        for corrections, events in answers:
            if self._is_recorded(entry, events):
                self.verdict.is_other_edition = True
                self.verdict.differences.append(LogDifference(diverged.divergence, corrections))
                return events
        raise diverged

    def _is_recorded(self, entry: _Entry, events: Events) -> bool:
        body, head, command, _ = entry
        if body == entry_body(self._next, head.at, stamp_of(head), command, events):
            return True
        data = from_json(head.events)
        if not isinstance(data, list) or len(data) != len(events):
            return False
        reader = self._reader()
        is_same = all(map(reader.same, events, data))
        if not is_same or not (reader.is_older or self.verdict.is_cited_otherwise):
            return False
        raw_command = command_as_recorded(command, head.command)
        if body != written_body(self._next, head.at, stamp_of(head), raw_command, reader.written):
            return False
        if reader.is_older:
            self.verdict.unrecorded |= reader.unrecorded
        return True

    def _reader(self) -> EventReader:
        verdict = self.verdict
        return EventReader(verdict.header.rules.law, with_citations=not verdict.is_cited_otherwise)

    def _close(self, body: bytes, entry: dict[str, Any]) -> None:
        verdict = self.verdict
        expected = last_body(verdict.last, verdict.head)
        if body != expected:
            raise self._diverge(
                "sequence",
                "the last line does not close the log that comes before it",
                expected=from_json(expected),
                found=entry,
            )
        phase = self.position.state.phase
        if phase is not Phase.CLOSED:
            message = (
                f"the log ends here, but the table is {phase.value}: the last line is written when"
                " it is closed"
            )
            raise self._diverge("sequence", message, expected=Phase.CLOSED.value, found=phase.value)
        verdict.is_open = False

    def end(self, torn_line: int | None) -> None:
        verdict = self.verdict
        verdict.findings += _corrections(verdict)
        verdict.findings += (note for note in verdict.at_end if note not in verdict.findings)
        verdict.torn = torn_line
        if torn_line is not None and not verdict.is_open:
            raise LogError(f"{self.path}:{torn_line}: {AFTER_CLOSE}")
        if not verdict.ledger.in_balance:
            balances = dict(verdict.ledger.balances)
            raise self._diverge("ledger", "the ledger is out of balance", found=balances)
        if absent_heads := self.wanted - verdict.heads.keys():
            raise self._diverge(
                "head",
                "no line of this log has the hash given: it is a different log, or was "
                "truncated or resealed",
                expected=sorted(absent_heads),
                found=verdict.head,
            )
        verdict.has_head = bool(self.wanted)

    def _command(self, entry: dict[str, Any]) -> acts.Command:
        try:
            return decode_command(entry.get("command"))
        except CodecError as error:
            raise self._diverge("command", str(error)) from error

    def _check_place(self, entry: dict[str, Any]) -> None:
        for name, expected in zip(("seq", "prev"), self._next, strict=True):
            if entry.get(name) != expected:
                raise self._diverge(
                    "sequence",
                    f"an entry is missing or out of order: its {name!r} is not consecutive",
                    expected=expected,
                    found=entry.get(name),
                )

    def _compare(self, entry: dict[str, Any], events: Events) -> Diverged:
        recorded_events = entry.get("events")
        recorded_events = recorded_events if isinstance(recorded_events, list) else []
        reader = self._reader()
        for place, event in enumerate(events):
            event_data = recorded_events[place] if place < len(recorded_events) else None
            if not reader.same(event, event_data):
                kind, message, expected = how_it_differs(event, event_data)
                return self._diverge(
                    kind, message, clauses=event.clauses, expected=expected, found=event_data
                )
        if surplus := recorded_events[len(events) :]:
            message = f"{name_of(surplus[0])} is recorded but did not happen"
            return self._diverge("event", message, found=surplus[0])
        message = "the entry is not in the canonical form"
        return self._diverge("event", message, found=entry)


def _of_stored_law(header: LogHeader) -> Iterator[LogFinding]:
    if header.stored is not None and header.is_from_log:
        register = header.stored.register_sha256
        note = f", its register SHA-256 {register}" if register else ""
        message = (
            f"{header.rules.law.key} is not known here: it was verified under the law stored in the"
            f" log itself, law file SHA-256 {header.law_sha256}{note}; only the log vouches for it"
        )
        yield LogFinding(0, "law", message, fails=False)


def _pit_findings(command: acts.AdoptElections, position: Position) -> Iterator[LogFinding]:
    """Report a change that other tables of the pit must make too, if the entry names none."""
    pit = position.rules.submission.layout.pit
    if not pit or command.beside:
        return
    for limit in position.rules.law.constraints:
        names = sorted(set(limit.rules) & set(command.elections))
        if limit.kind is ConstraintKind.UNIFORM and limit.beside is None and names:
            message = (
                f"{', '.join(names)} was changed at this table, and the entry names no other table"
                f" of pit {pit}: whether they agree must be looked at [{', '.join(limit.cites)}]"
            )
            yield LogFinding(position.state.rounds, "pit", message, fails=False)


@cache
def _number_of(kind: type[acts.Command]) -> int:
    return [*COMMANDS].index(kind.__name__)


def _corrections(verdict: Verdict) -> Iterator[LogFinding]:
    """Report entries that correct one of another kind; a note may be about any."""
    names, entries_before = [*COMMANDS], verdict.header.before
    for entry, original in verdict.corrections:
        kind = verdict.kinds[entry - entries_before - 1]
        # What an entry corrects by its ``of`` was decided with it.
        if "of" in COMMANDS[names[kind]].__struct_fields__ or original <= entries_before:
            continue
        if kind != (other_kind := verdict.kinds[original - entries_before - 1]):
            message = (
                f"entry {entry}, {names[kind]}, says that it corrects entry {original}, which is"
                f" {names[other_kind]}"
            )
            yield LogFinding(0, "corrects", message, fails=False)


def _time_findings(position: Position, header: LogHeader) -> Iterator[LogFinding]:
    """Report a time far from the gaming day; the clock of a seeded dealer begins in 2000."""
    day, time = position.state.gaming_date, position.at
    if day is None or time is None or header.is_seeded or abs(time.date() - day) <= _NEAR:
        return
    time_text = f"entry {position.sequence} has {moment(time)}"
    message = f"times do not lie near the gaming day {day}: {time_text}"
    yield LogFinding(position.state.rounds, "date", message, fails=False)


def _day_findings(position: Position) -> Iterator[LogFinding]:
    day, law = position.state.gaming_date, position.rules.law
    if day is None:
        return
    texts = (text for text in texts_of(law.id) if not text.partial)
    later = [text.key for text in texts if law.in_force_from < text.in_force_from <= day]
    message = (
        f"the gaming day {day} was dealt under {law.key}, but {later[-1]} was in force"
        if later
        else f"the gaming day {day} is long after {law.in_force_known}, the last day on which"
        f" {law.key} is known to have been in force"
    )
    if later or day - law.in_force_known > _FAR:
        yield LogFinding(position.state.rounds, "date", message, fails=bool(later))


def _paper_findings(position: Position) -> Iterator[LogFinding]:
    day = position.state.gaming_date
    for paper in position.rules.submission.documents:
        if paper.expires is not None and day is not None and paper.expires < day:
            message = f"documents.{paper.name} had expired on the gaming day {day}: {paper.says}"
            yield LogFinding(position.state.rounds, "document", message, fails=False)


def _open_secret(position: Position) -> Iterator[LogFinding]:
    progressive = position.state[Progressive]
    if not progressive.commitment:
        return
    start, time = progressive.committed_at, position.at
    age = "" if start is None or time is None else f", for {counted((time - start).days, 'day')}"
    period = "" if start is None else f" since {moment(start)}{age}"
    message = f"the secret under {progressive.commitment[:16]}… of a must-hit award is open{period}"
    yield LogFinding(position.state.rounds, "open", message, fails=False)


def _secret_finding(event: acts.MysteryReplaced, position: Position) -> LogFinding:
    """Report a secret that was never revealed, revealed too late, or given up without need."""
    progressive, round_ = position.state[Progressive], position.state.rounds
    seed = progressive.opening or (event.seats and cards_of(position.state)) or ""
    maximum = position.rules.value("wagers.royal_9.stax.must_hit_by", int)
    value = maximum
    if event.secret and seed:
        value = mystery_cents(event.secret, seed, progressive.above_cents, maximum)
    if event.secret and (not seed or progressive.meters["stax"] < value):
        message = f"the secret of a must-hit award was given up before it was hit: {event.reason}"
        return LogFinding(round_, "unneeded", message, fails=True)
    if event.secret:
        message = f"the secret of a must-hit award was withheld and replaced: {event.reason}"
        return LogFinding(round_, "withheld", message, fails=True)
    message = f"the secret of a must-hit award was lost and replaced: {event.reason}"
    return LogFinding(round_, "lost", message, fails=False)
