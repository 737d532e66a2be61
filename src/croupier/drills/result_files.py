"""Files of answers and results, in JSON and CSV."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from croupier.drills.documents import DrillBoxes, DrillLearners, DrillPaper, DrillResults
from croupier.drills.papers import seal_of
from croupier.files.errors import FileError
from croupier.files.text import JsonError, decoded, parse_json, read_bytes, safe_cell
from croupier.files.workbooks import tables_of

_COLUMNS: Final = (
    "student", "paper", "rules_hash", "seed", "question", "kind", "level", "is_right", "seconds",
    "field", "given", "right", "field_is_right", "clauses",
)  # fmt: skip


def _file_content(
    data: Mapping[str, Any], form: str, columns: Iterable[str], rows: Iterable[Iterable[object]]
) -> bytes:
    if form == "json":
        return f"{json.dumps(data, indent=2, ensure_ascii=False)}\n".encode()
    buffer = io.StringIO()
    writer = csv.writer(buffer, lineterminator="\n")
    writer.writerows([columns, *(map(safe_cell, row) for row in rows)])
    return buffer.getvalue().encode()


def written_results(results: DrillResults, form: str) -> bytes:
    """Results as ``json``, or as ``csv`` by field."""
    columns = (results["student"], results["paper"], results["rules_hash"], results["seed"])
    rows = (
        (
            *columns, item["number"], item["kind"], item["level"], _yes(is_right=item["is_right"]),
            item["seconds"], part["name"], part["given"], part["right"],
            _yes(is_right=part["is_right"]), " ".join(item["clauses"]),
        )
        for item in results["questions"]
        for part in item["fields"]
    )  # fmt: skip
    return _file_content(results, form, _COLUMNS, rows)


def written_progress(document: DrillBoxes | DrillLearners, student: str, form: str) -> bytes:
    """Spaced repetition as ``json``, or as ``csv`` by clause."""
    learners = (
        [(learner["student"], learner["laws"]) for learner in document["learners"]]
        if document["format"] == "croupier-drill-learners/1"
        else [(student, document["laws"])]
    )
    rows = (
        (student_name, law, clause, spaced_clause["box"], spaced_clause["due"])
        for student_name, laws in learners
        for law, clauses in laws.items()
        for clause, spaced_clause in clauses.items()
    )
    return _file_content(document, form, ("student", "regulation", "clause", "box", "due"), rows)


def _yes(*, is_right: bool) -> str:
    return "yes" if is_right else "no"


Answers = Mapping[int, Mapping[str, str]]


def read_paper(path: Path) -> DrillPaper:
    """Return a paper from its JSON. Raises ``FileError``, also for a seal of another."""
    data = _json(path, read_bytes(path))
    if not isinstance(data, dict) or data.get("format") != "croupier-drill/1":
        raise FileError(f'{path}: not a paper: its "format" must be croupier-drill/1')
    if data.get("seal") != seal_of(data):
        raise FileError(f"{path}: the seal does not match: the paper was changed after it was made")
    paper: Any = data
    typed_paper: DrillPaper = paper
    return typed_paper


def read_answers(path: Path) -> Answers:
    """Return answers from JSON, as ``{"1": {"next": "b"}}``, or from a table.

    Its columns are ``question``, ``field``, and ``answer``. Raises ``FileError``.
    """
    raw = read_bytes(path)
    # Standard input has no suffix.
    is_json = path.suffix == ".json" or raw.lstrip().startswith((b"{", b"["))
    return _from_json(path, raw) if is_json else _from_table(path, raw)


def _json(path: Path, raw: bytes) -> Any:
    try:
        return parse_json(decoded(raw, path))
    except JsonError as error:
        raise FileError(f"{path}: {error}") from error


def _from_json(path: Path, raw: bytes) -> Answers:
    data = _json(path, raw)
    answers = data.get("answers", data) if isinstance(data, dict) else data
    if not isinstance(answers, dict) or not all(isinstance(one, dict) for one in answers.values()):
        message = 'answers are an object by question, such as {"1": {"next": "b"}}'
        raise FileError(f"{path}: {message}")
    return {
        _number(path, number): {str(name): str(text) for name, text in fields.items()}
        for number, fields in answers.items()
    }


def _from_table(path: Path, raw: bytes) -> Answers:
    rows = [row for _, row in tables_of(raw, path)[0].rows if any(row)]
    names = [str(cell).strip().casefold() for cell in rows[0]] if rows else []
    missing_columns = {"question", "field", "answer"} - set(names)
    if missing_columns:
        raise FileError(f"{path}: no column {', '.join(sorted(missing_columns))} in its first row")
    question, name, answer = (names.index(name) for name in ("question", "field", "answer"))
    answers: dict[int, dict[str, str]] = {}
    for row in rows[1:]:
        cells = ["" if cell is None else str(cell).strip() for cell in row] + [""] * len(names)
        answers.setdefault(_number(path, cells[question]), {})[cells[name]] = cells[answer]
    return answers


def _number(path: Path, text: Any) -> int:
    if not (digits := str(text).strip()).isdecimal() or len(digits) > 6:
        raise FileError(f"{path}: {text!r} is not the number of a question")
    return int(digits)
