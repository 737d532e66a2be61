"""Comparison of the state a log carries over with the end of the log before."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import suppress
from pathlib import Path

from croupier.records.carried import Carried, carried_data, under_rules
from croupier.records.codec import CodecError, from_json
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
    later = verdict
    for path in logs:
        if verdict.divergence is not None:
            return
        carried = later.header.continues
        if carried is None:
            message = f"its header continues no log, and {path} is given as the one before it"
            verdict.divergence = _divergence(message, found=None)
            return
        table = _record_of(path, carried.stream)
        earlier = verify_log(path, table=table, processes=processes)
        verdict.divergence = _departure(later, carried, earlier, path, table)
        if count := len(earlier.differences):
            message = (
                f"{path}, which it continues, was recorded under edition {earlier.header.edition}:"
                f" today {count} of its entries would differ"
            )
            verdict.findings.append(LogFinding(0, "edition", message, fails=False))
        verdict.continued = verdict.divergence is None
        later = earlier


def compare_lines(verdict: Verdict, path: Path, lines: Iterable[bytes]) -> None:
    """Compare the state a log carries over with the unverified log before it."""
    carried = verdict.header.continues
    if verdict.divergence is not None or carried is None:
        return
    verdict.divergence = _differs(verdict, carried, path, lines)
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
    later: Verdict, carried: Carried, earlier: Verdict, path: Path, table: str | None
) -> LogDivergence | None:
    if found := _of_another(carried, earlier.header, path):
        return found
    if earlier.divergence is not None:
        return _divergence(f"{path}, which it continues, diverges at {earlier.divergence}")
    return _differs(later, carried, path, LogLines(path, table))


def _noted(lines: Iterable[bytes], notes: list[str]) -> Iterator[bytes]:
    for line in lines:
        if b'"command":{"type":"WriteNote"' in line:
            notes.append(line.decode("utf-8", "replace"))
        yield line


def _of_another(carried: Carried, header: LogHeader, path: Path) -> LogDivergence | None:
    if header.stream == carried.stream:
        return None
    message = f"it continues another log than {path}, which is of another opening or table"
    return _divergence(message, carried.stream, header.stream)


def _differs(
    later: Verdict, carried: Carried, path: Path, lines: Iterable[bytes]
) -> LogDivergence | None:
    notes: list[str] = []
    found = ended_lines(path, _noted(lines, notes))
    if another := _of_another(carried, found.header, path):
        return another
    try:
        expected = carried_from(found)
    except ValueError as error:
        return _divergence(f"{path}: {error}")
    if expected.seal != carried.seal:
        message = f"{path} ends with another seal than the one it continues: it was sealed again"
        return _divergence(message, expected.seal, carried.seal)
    ended_under = expected.position.rules
    try:
        expected = under_rules(expected, later.header.rules)
    except ValueError as error:
        message = f"it begins under other rules than those under which {path} ended: {error}"
        return _divergence(message, ended_under.sha256, later.header.rules.sha256)
    if expected.amended is not None and not any(later.header.rules.law.key in one for one in notes):
        message = f"no note in {path} names the amendment to {later.header.rules.law.key}"
        later.findings.append(LogFinding(0, "amended", message, fails=False))
    # A field that came after the log is in what the log before it ended with alone.
    later.unrecorded.update(".".join(one) for one in carried.unrecorded)
    ended, begins = (carried_data(one, carried.unrecorded) for one in (expected, carried))
    differing = [name for name in {**ended, **begins} if ended.get(name) != begins.get(name)]
    if not differing:
        return None
    return _divergence(
        f"{' and '.join(differing)} carried over {'are' if differing[1:] else 'is'} not what"
        f" {path} ended with",
        {name: ended.get(name) for name in differing},
        {name: begins.get(name) for name in differing},
    )


def _divergence(message: str, expected: object = None, found: object = None) -> LogDivergence:
    return LogDivergence(1, 0, "continues", (), message, expected, found)
