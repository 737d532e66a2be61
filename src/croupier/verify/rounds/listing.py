"""Difference lists as files."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable
from pathlib import Path
from typing import Final

from croupier.files.write import WriteError, Writer
from croupier.verify.rounds.differences import WagerDifference

COLUMNS: Final = (
    "line", "shoe", "round", "seat", "wager",
    "expected_cents", "recorded_cents", "owed_cents", "clauses",
)  # fmt: skip

_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r")


def differences_to(out: Path, writer: Writer) -> Callable[[WagerDifference], None]:
    """Return a function that writes to a new list, CSV or JSON Lines by its name.

    Raises ``WriteError``.
    """
    form = out.with_suffix("").suffix if out.suffix == ".gz" else out.suffix
    if form not in {".csv", ".jsonl"}:
        raise WriteError(
            f"{out}: a list of differences must be named .csv or .jsonl, optionally with .gz"
        )
    target = writer.open(out)
    write = _csv if form == ".csv" else _json
    if form == ".csv":
        target.write((",".join(COLUMNS) + "\n").encode())
    return lambda one: _put(target.write, write(one))


def _put(write: Callable[[bytes], object], text: str) -> None:
    write(text.encode("utf-8", "backslashreplace"))


def _csv(one: WagerDifference) -> str:
    data = one.as_data() | {"clauses": " ".join(one.clauses)}
    line = io.StringIO()
    csv.writer(line, lineterminator="\n").writerow([_safe(data[name]) for name in COLUMNS])
    return line.getvalue()


def _safe(value: object) -> object:
    """Escape a cell that spreadsheets would take for a formula: its names come from outside."""
    return f"'{value}" if isinstance(value, str) and value.startswith(_FORMULA) else value


def _json(one: WagerDifference) -> str:
    return json.dumps(one.as_data(), ensure_ascii=False) + "\n"
