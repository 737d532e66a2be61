"""Comparison of the state a log carries over with the end of the log before."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from croupier.records.carried import Carried, carried_data
from croupier.records.codec import CodecError, from_json
from croupier.records.days import StoredRecords, day_of, name_of_day
from croupier.records.header import LogError, LogHeader
from croupier.records.log import LogLines, Resumed, carried_from, ended_lines, ended_log
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
    """Compare the state a log carries over with the unverified log before."""
    carried = verdict.header.continues
    if verdict.divergence is not None or carried is None:
        return
    verdict.divergence = _differs(verdict, carried, ended_lines(path, lines), path)
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
    return _differs(later, carried, ended_log(path, table), path)


def _of_another(carried: Carried, header: LogHeader, path: Path) -> LogDivergence | None:
    if header.stream == carried.stream:
        return None
    message = f"it continues another log than {path}, which is of another opening or table"
    return _divergence(message, carried.stream, header.stream)


def _differs(later: Verdict, carried: Carried, found: Resumed, path: Path) -> LogDivergence | None:
    if another := _of_another(carried, found.header, path):
        return another
    try:
        expected = carried_from(found)
    except ValueError as error:
        return _divergence(f"{path}: {error}")
    if expected.seal != carried.seal:
        message = f"{path} ends with another seal than the one it continues: it was sealed again"
        return _divergence(message, expected.seal, carried.seal)
    if expected.position.rules.sha256 != later.header.rules.sha256:
        message = f"it begins under other rules than those under which {path} ended"
        return _divergence(message, expected.position.rules.sha256, later.header.rules.sha256)
    # A field that came after the log is in what the log before it ended with alone.
    later.unrecorded.update(".".join(one) for one in carried.unrecorded)
    ended, begins = (carried_data(one, carried.unrecorded) for one in (expected, carried))
    differing = [name for name in ended if ended[name] != begins[name]]
    if not differing:
        return None
    return _divergence(
        f"{' and '.join(differing)} carried over {'are' if differing[1:] else 'is'} not what"
        f" {path} ended with",
        {name: ended[name] for name in differing},
        {name: begins[name] for name in differing},
    )


def _divergence(message: str, expected: object = None, found: object = None) -> LogDivergence:
    return LogDivergence(1, 0, "continues", (), message, expected, found)
