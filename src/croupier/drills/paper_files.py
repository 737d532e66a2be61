"""An exam paper or its marking key as PDF, HTML, or JSON."""

from __future__ import annotations

import json
from typing import Any

from croupier.drills.documents import DrillKey, DrillPaper, FieldAsked, QuestionAsked, QuestionKey
from croupier.drills.told import reading_told
from croupier.reports.page import html_page
from croupier.reports.pdf import pdf_document

_SHORT = 12


def written_paper(
    paper: DrillPaper, form: str, size: str = "a4", key: DrillKey | None = None
) -> bytes:
    """Return a paper, or with ``key`` its marking key, as ``pdf``, ``html``, or ``json``.

    Raises ``MissingExtraError`` if a required package is not installed.
    """
    if form == "json":
        return f"{json.dumps(key or paper, indent=2, ensure_ascii=False)}\n".encode()
    if form == "html":
        return html_page("drill.html.j2", lambda: {"paper": _view(paper, size, key)}).encode()
    return pdf_document("drill.typ", lambda: _view(paper, size, key), size)


def _view(paper: DrillPaper, size: str, key: DrillKey | None) -> dict[str, Any]:
    keys = {} if key is None else {one["number"]: one for one in key["keys"]}
    made = paper if key is None else key
    facts = [
        ("Questions", [str(len(paper["questions"]))]),
        ("Seed", [str(paper["seed"])]),
        ("Hash of the rules", [paper["rules_hash"]]),
        ("Hash of the paper", [paper["seal"]]),
        ("Program", [f"{paper['program']} {paper['version']}"]),
        ("Reproduce with", [made["reproduce"]]),
    ]
    return {
        "heading": "Exam paper" if key is None else "Marking key",
        "is_key": key is not None,
        "title": paper["title"],
        "law": paper["law"],
        "law_title": paper["law_title"],
        "in_force_from": paper["in_force_from"],
        "rules_short": paper["rules_hash"][:_SHORT],
        "warnings": paper["warnings"],
        "provenance": facts,
        "size": size,
        "questions": [_question(one, keys.get(one["number"])) for one in paper["questions"]],
    }


def _question(one: QuestionAsked, key: QuestionKey | None) -> dict[str, Any]:
    return {
        "number": one["number"],
        "kind": one["kind"],
        "level": one["level"],
        "words": one["words"],
        "shown": [(line["label"], line["text"]) for line in one["shown"]],
        "fields": [
            {
                "label": field["label"],
                "kind": field["kind"],
                "takes": field["takes"],
                "choices": [(choice["letter"], choice["words"]) for choice in field["choices"]],
                "answer": "" if key is None else key["words"][field["label"]],
                "lead": "" if key is None else _letters(field, key["key"][field["name"]]),
            }
            for field in one["fields"]
        ],
        "why": []
        if key is None
        else [(line["text"], ", ".join(line["clauses"])) for line in key["why"]],
        "readings": []
        if key is None
        else [
            f"{entry}, {name}: {reading_told(entry, name)}"
            for entry, name in key["readings"].items()
        ],
    }


def _letters(field: FieldAsked, value: str) -> str:
    letters = {choice["value"]: choice["letter"] for choice in field["choices"]}
    if field["kind"] == "order":
        return f"{''.join(letters[one] for one in value.split())}: "
    return f"{letters[value]}) " if value in letters else ""
