"""Verifies a table log from scratch: every event is derived again from the commands alone."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from croupier.baccarat.coup import winner_name
from croupier.frozen import frozen
from croupier.money.ledger import Ledger
from croupier.records.codec import (
    CodecError,
    decode_command,
    dump,
    from_json,
    read_command,
    to_json,
)
from croupier.records.log import (
    FIRST,
    LogError,
    LogHeader,
    entry_body,
    entry_head,
    header_body,
    header_of,
    is_last,
    last_body,
    lines,
    sha256,
    unseal,
)
from croupier.rules import TableRules
from croupier.table.bookkeeping import booked
from croupier.table.commands import AdoptElection, Command
from croupier.table.core import Events, Refusal, decide, evolve_all, new_table
from croupier.table.election_changes import rules_after
from croupier.table.events import Event, ResultAnnounced
from croupier.table.state import TableState

__all__ = ["LogDivergence", "Verdict", "verify_log"]


@frozen
class LogDivergence:
    """The first place where a log departs from what the book makes of its commands.

    ``kind`` is ``header``, ``chain``, ``sequence``, ``command``, ``refused``, ``event``,
    ``missing event`` or ``ledger``.
    """

    line: int
    round: int
    kind: str
    clauses: tuple[str, ...]
    message: str
    expected: object = None
    found: object = None

    def __str__(self) -> str:
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        place = f"round {self.round}" if self.round else "before the first round"
        return f"line {self.line}, {place}: {self.message}{law}"


@dataclass(slots=True)
class Verdict:
    """What came of verifying a log: what it holds, and the first divergence if there is one."""

    header: LogHeader
    entries: int = 0
    events: int = 0
    rounds: int = 0
    results: Counter[str] = field(default_factory=Counter)
    ledger: Ledger = field(default_factory=Ledger)
    divergence: LogDivergence | None = None

    @property
    def is_clean(self) -> bool:
        """Whether the log keeps the book throughout."""
        return self.divergence is None


class _Diverged(Exception):  # noqa: N818  (it carries a finding, not an error)
    def __init__(self, divergence: LogDivergence) -> None:
        super().__init__(str(divergence))
        self.divergence = divergence


def verify_log(path: Path) -> Verdict:
    """Judge a log: the rules are settled again from the law, every event is derived again.

    Returns a verdict with the first divergence. Raises ``LogError`` where the log cannot be read
    at all, or is cut off before its last line.
    """
    stream = lines(path)
    first = next(stream)
    sealed = unseal(first)
    header = header_of(path, first if sealed is None else sealed[0])
    verdict = Verdict(header)
    try:
        _check_header(first, header)
        _replay(path, stream, verdict, first)
    except _Diverged as found:
        verdict.divergence = found.divergence
    return verdict


def _diverge(line: int, kind: str, message: str, **more: Any) -> _Diverged:
    clauses = more.pop("clauses", ())
    return _Diverged(LogDivergence(line, more.pop("round", 0), kind, clauses, message, **more))


def _check_header(line: bytes, header: LogHeader) -> None:
    rules = header.rules
    sealed = unseal(line)
    if sealed is None or sealed[1] != sha256(sealed[0]):
        raise _diverge(1, "chain", "the header's hash is not that of what it says")
    if header.rules_sha256 != rules.sha256:
        raise _diverge(
            1,
            "header",
            "the rules that the header's elections make are not those that the table played by",
            expected=rules.sha256,
            found=header.rules_sha256,
        )
    # The law's own data may have been edited since without changing these rules, so its hash and
    # the free texts are taken as they stand; everything else must be as this program writes it.
    body = header_body(rules, header.shuffle, header.law_sha256, header.version)
    if sealed[0] == body:
        return
    expected, found = from_json(body), from_json(sealed[0])
    differing = [name for name in expected if expected[name] != found[name]]
    message = (
        f"the header's {' and '.join(differing)} are not what its rules make of them"
        if differing
        else "the header is not written as this format writes it"
    )
    raise _diverge(
        1,
        "header",
        message,
        expected={name: expected[name] for name in differing},
        found={name: found[name] for name in differing},
    )


def _replay(path: Path, stream: Iterator[bytes], verdict: Verdict, first: bytes) -> None:
    """Carry out every command again and hold each line against what comes of it."""
    rules = verdict.header.rules
    state = new_table(rules)
    sealed = unseal(first)
    previous = FIRST if sealed is None else sealed[1]
    number = 1
    for number, line in enumerate(stream, start=2):
        sealed = unseal(line)
        if sealed is None or sha256(sealed[0]) != sealed[1]:
            message = "the line's hash is not that of what it says"
            raise _diverge(number, "chain", message, round=state.rounds)
        sequence = verdict.entries + 1
        command = _follow(sealed[0], sequence, previous)
        if command is None:
            entry = _entry(sealed[0], number, state)
            if is_last(entry):
                _check_end(sealed[0], entry, verdict, (number, previous))
                for _ in stream:
                    raise LogError(f"{path}:{number + 1}: lines follow the one that closes the log")
                return
            _check_place(entry, number, state, (sequence, previous))
            command = _command(entry, number, state)
        events = _derive(state, command, rules, number)
        if sealed[0] != entry_body(sequence, previous, command, events):
            entry = _entry(sealed[0], number, state)
            _command(entry, number, state)  # Read strictly: a field too many is told as such.
            raise _compare(entry, events, number, state)
        state = evolve_all(state, events)
        if type(command) is AdoptElection:
            rules = rules_after(rules, events)
        verdict.ledger = booked(verdict.ledger, events)
        for event in events:
            if type(event) is ResultAnnounced:
                verdict.results[winner_name(event.winner)] += 1
        verdict.entries = sequence
        verdict.events += len(events)
        verdict.rounds = state.rounds
        previous = sealed[1]
    raise LogError(f"{path}:{number}: the log is cut off: its last line is missing")


def _follow(body: bytes, sequence: int, previous: str) -> Command | None:
    """Return the command of an entry that follows as it should; ``None`` if it must be looked at.

    The entry's events are compared as bytes with those derived, and read only if they differ.
    """
    head = entry_head(body)
    if head is None or head.seq != sequence or head.prev != previous:
        return None
    return read_command(head.command)


def _entry(body: bytes, number: int, state: TableState) -> dict[str, Any]:
    try:
        entry = from_json(body)
    except CodecError as error:
        raise _diverge(number, "command", str(error), round=state.rounds) from error
    if not isinstance(entry, dict):
        raise _diverge(number, "command", "the line is no entry of a log", round=state.rounds)
    return entry


def _command(entry: dict[str, Any], number: int, state: TableState) -> Command:
    try:
        return decode_command(entry.get("command"))
    except CodecError as error:
        raise _diverge(number, "command", str(error), round=state.rounds) from error


def _derive(state: TableState, command: Command, rules: TableRules, number: int) -> Events:
    answer = decide(state, command, rules)
    if isinstance(answer, Refusal):
        raise _diverge(
            number,
            "refused",
            f"{type(command).__name__} is not allowed: {answer.message}",
            round=state.rounds,
            clauses=answer.clauses,
            found=to_json(command),
        )
    return tuple(answer)


def _check_end(body: bytes, entry: dict[str, Any], verdict: Verdict, at: tuple[int, str]) -> None:
    number, previous = at
    expected = last_body(verdict.entries, previous)
    if body != expected:
        raise _diverge(
            number,
            "sequence",
            "the last line does not close the log that stands before it",
            round=verdict.rounds,
            expected=from_json(expected),
            found=entry,
        )
    if not verdict.ledger.in_balance:
        raise _diverge(
            number,
            "ledger",
            "the ledger is out of balance",
            round=verdict.rounds,
            found=dict(verdict.ledger.balances),
        )


def _check_place(
    entry: dict[str, Any], number: int, state: TableState, at: tuple[int, str]
) -> None:
    """Hold an entry's number and its link to the line before it, before what it says is judged."""
    for name, expected in zip(("seq", "prev"), at, strict=True):
        if entry.get(name) != expected:
            raise _diverge(
                number,
                "sequence",
                f"an entry is missing, or out of place: its {name!r} does not follow",
                round=state.rounds,
                expected=expected,
                found=entry.get(name),
            )


def _compare(entry: dict[str, Any], events: Events, number: int, state: TableState) -> _Diverged:
    """Find the first thing in an entry that is not as the book has it."""
    recorded = entry.get("events")
    recorded = recorded if isinstance(recorded, list) else []
    for place, event in enumerate(events):
        expected = from_json(dump(to_json(event)))
        found = recorded[place] if place < len(recorded) else None
        if found != expected:
            return _wrong_event(event, expected, found, number, state)
    extra = recorded[len(events) :]
    if extra:
        return _diverge(
            number,
            "event",
            f"{_name(extra[0])} is recorded and did not happen",
            round=state.rounds,
            found=extra[0],
        )
    message = "the entry is not written as this format writes it"
    return _diverge(number, "event", message, round=state.rounds, found=entry)


def _wrong_event(
    event: Event, expected: dict[str, Any], found: object, number: int, state: TableState
) -> _Diverged:
    name = type(event).__name__
    if not isinstance(found, dict) or found.get("type") != name:
        instead = "nothing" if found is None else _name(found)
        message = f"{name} should be recorded, and {instead} is"
        kind = "missing event"
    else:
        differing = [key for key in expected if found.get(key) != expected[key]]
        differing += [key for key in found if key not in expected]
        shown = "; ".join(
            f"{key} is {found.get(key)!r} and should be {expected.get(key)!r}" for key in differing
        )
        message, kind = f"{name}: {shown}", "event"
    return _diverge(
        number,
        kind,
        message,
        round=state.rounds,
        clauses=event.clauses,
        expected=expected,
        found=found,
    )


def _name(event: object) -> str:
    return str(event.get("type")) if isinstance(event, dict) else repr(event)
