"""Comparison of the state a log carries over with the end of the log before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from croupier.records.carried import Carried, carried_data, under_rules
from croupier.records.codec import CodecError, dump, from_json
from croupier.records.header import LogError, LogHeader, StoredRecords, day_of, name_of_day
from croupier.records.log import LogLines, carried_from, ended_lines
from croupier.records.stores.places import is_store, names_in
from croupier.records.stores.stream import StoreError
from croupier.verify.log import verify_log
from croupier.verify.verdict import LogDivergence, LogFinding, Verdict


def verify_continued(verdict: Verdict, logs: Iterable[Path], *, processes: int = 1) -> None:
    """Verify the logs that a log continues, and compare the state carried over.

    Raises ``LogError``.
    """
    current = verdict
    for path in logs:
        if verdict.divergence is not None:
            return
        carry = current.header.continues
        if carry is None:
            message = f"its header continues no log, and {path} is given as the one before it"
            verdict.divergence = _divergence(message, value=None)
            return
        table = _record_of(path, carry.stream)
        earlier = verify_log(path, table=table, processes=processes)
        verdict.divergence = _departure(current, carry, earlier, path, table)
        if count := len(earlier.differences):
            message = (
                f"{path}, which it continues, was recorded under edition {earlier.header.edition}:"
                f" today {count} of its entries would differ"
            )
            verdict.findings.append(LogFinding(0, "edition", message, fails=False))
        verdict.continued = verdict.divergence is None
        current = earlier


def compare_lines(verdict: Verdict, path: Path, lines: Iterable[bytes]) -> None:
    """Compare the state a log carries over with the unverified log before it."""
    carry = verdict.header.continues
    if verdict.divergence is not None or carry is None:
        return
    verdict.divergence = _difference(verdict, carry, path, lines)
    verdict.continued = verdict.divergence is None


def compare_days(verdict: Verdict, name: str, records: StoredRecords) -> None:
    """Compare the state carried over into a gaming day with the day before."""
    table, day = day_of(name)
    if day == 1 or verdict.divergence is not None:
        return
    before = name_of_day(table, day - 1)
    if before not in records.names:
        verdict.divergence = _divergence(f"{before}, the day before it, is missing")
    elif verdict.header.continues is None:
        verdict.divergence = _divergence(f"its header continues no log, and {before} comes before")
    else:
        compare_lines(verdict, Path(before), records.lines(before))


def _record_of(path: Path, stream: str) -> str | None:
    if not is_store(path):
        return None
    try:
        for name in names_in(path):
            with suppress(LogError, CodecError):
                if from_json(next(iter(LogLines(path, name))))["stream"] == stream:
                    return name
    except StoreError as error:
        raise LogError(str(error)) from error
    raise LogError(f"{path}: it holds no record of the stream {stream}")


def _departure(
    verdict: Verdict, carry: Carried, verdict_before: Verdict, path: Path, table: str | None
) -> LogDivergence | None:
    if divergence := _other_stream(carry, verdict_before.header, path):
        return divergence
    if verdict_before.divergence is not None:
        return _divergence(f"{path}, which it continues, diverges at {verdict_before.divergence}")
    return _difference(verdict, carry, path, LogLines(path, table))


def _with_notes(lines: Iterable[bytes], notes: list[str]) -> Iterator[bytes]:
    for line in lines:
        if b'"command":{"type":"WriteNote"' in line:
            notes.append(line.decode("utf-8", "replace"))
        yield line


def _other_stream(carry: Carried, header: LogHeader, path: Path) -> LogDivergence | None:
    if header.stream == carry.stream:
        return None
    message = f"it continues another log than {path}, which is of another opening or table"
    return _divergence(message, carry.stream, header.stream)


def _difference(
    later: Verdict, carry: Carried, path: Path, lines: Iterable[bytes]
) -> LogDivergence | None:
    notes: list[str] = []
    logged_state = ended_lines(path, _with_notes(lines, notes))
    if divergence := _other_stream(carry, logged_state.header, path):
        return divergence
    try:
        expected = carried_from(logged_state)
    except ValueError as error:
        return _divergence(f"{path}: {error}")
    if expected.seal != carry.seal:
        message = f"{path} ends with another seal than the one it continues: it was sealed again"
        return _divergence(message, expected.seal, carry.seal)
    ended_under = expected.position.rules
    try:
        expected = under_rules(expected, later.header.rules)
    except ValueError as error:
        message = f"it begins under other rules than those under which {path} ended: {error}"
        return _divergence(message, ended_under.sha256, later.header.rules.sha256)
    if expected.amended is not None and not any(later.header.rules.law.key in law for law in notes):
        message = f"no note in {path} names the amendment to {later.header.rules.law.key}"
        later.findings.append(LogFinding(0, "amended", message, fails=False))
    # A field that came after the log is in what the log before it ended with alone.
    later.unrecorded.update(".".join(path_of_fact) for path_of_fact in carry.unrecorded)
    end_data, begin_data = (carried_data(state, carry.unrecorded) for state in (expected, carry))
    names = [
        name for name in {**end_data, **begin_data} if end_data.get(name) != begin_data.get(name)
    ]
    if not names:
        return None
    return _divergence(
        f"{' and '.join(names)} carried over {'are' if names[1:] else 'is'} not what"
        f" {path} ended with",
        *(
            from_json(dump({key: data.get(key) for key in names}))
            for data in (end_data, begin_data)
        ),
    )


def _divergence(message: str, expected: object = None, value: object = None) -> LogDivergence:
    return LogDivergence(1, 0, "continues", (), message, expected, value)
