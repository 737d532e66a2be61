"""An exam paper or its marking key, in any format of a document."""

from __future__ import annotations

import json
from datetime import date
from typing import Any, Final

from msgspec.structs import replace

from croupier.drills.documents import DrillKey, DrillPaper, FieldAsked, QuestionAsked, QuestionKey
from croupier.drills.marking import reading_in_words
from croupier.law.model import Instrument
from croupier.law.resolve import resolve
from croupier.reports.document import CLAUSES, document, fact
from croupier.reports.felt.drawing import draw_hands
from croupier.reports.figures import CARDS
from croupier.reports.formats import written
from croupier.reports.tree import (
    Bullets,
    Choices,
    DataTable,
    FactList,
    Figure,
    Medium,
    Node,
    Note,
    Picture,
    Section,
    SignatureLines,
    Tree,
)

_STYLE: Final = """\
.hands { display: block; width: 30rem; max-width: 100%; height: auto; }
.hand-title { fill: var(--ink); }"""
_TYPE: Final = 12
"""Points, from which the type of facts is one smaller."""


def written_paper(
    paper: DrillPaper, form: str, size: str = "a4", key: DrillKey | None = None
) -> bytes:
    """Paper, or with ``key`` its marking key. Raises ``MissingExtraError``."""
    if form == "json":
        return f"{json.dumps(key or paper, indent=2, ensure_ascii=False)}\n".encode()
    return written(paper_tree(paper, key), form, size)


def paper_tree(paper: DrillPaper, key: DrillKey | None = None) -> Tree:
    keys = {} if key is None else {key_data["number"]: key_data for key_data in key["keys"]}
    law = resolve(paper["law"], on=date.fromisoformat(paper["in_force_from"]))
    title = f"{'Exam paper' if key is None else 'Marking key'}: {paper['title']}"
    data: dict[str, Any] = {**paper, "reproduce": None if key is None else key["reproduce"]}
    points = sum(len(question["fields"]) for question in paper["questions"])
    paper_document = document(
        title,
        data,
        *([SignatureLines(("",), ("Name", "Date", f"Points of {points}"))] if key is None else []),
        *(_question(item, keys.get(item["number"]), law) for item in paper["questions"]),
        facts=[
            fact("Questions", str(len(paper["questions"]))),
            fact("Points", str(points)),
            # With the seed, a student with the program could make the key.
            *([] if key is None else [fact("Seed", str(paper["seed"]))]),
            fact("Hash of the paper", paper["seal"]),
        ],
    )
    return replace(paper_document, points=_TYPE)


def _question(question: QuestionAsked, key: QuestionKey | None, law: Instrument) -> Section:
    facts = [fact(line["label"], line["text"]) for line in question["shown"]]
    nodes: list[Node] = [Note(f"{question['kind']}, level {question['level']}", "meaning")]
    nodes += [FactList(facts)] if facts else []
    card_matches = ((line["label"], CARDS.fullmatch(line["text"])) for line in question["shown"])
    if hands := {label: cards[1].split() for label, cards in card_matches if cards}:
        nodes.append(_drawing(question["number"], hands))
    if key is None:
        for field in question["fields"]:
            choices = [(choice["letter"], choice["words"]) for choice in field["choices"]]
            is_ticked = field["kind"] == "choice"
            nodes.append(Choices(field["label"], field["takes"], choices, is_ticked))
    else:
        answers = [
            fact(field["label"], f"{_lead(field, key)}{key['words'][field['label']]}")
            for field in question["fields"]
        ]
        nodes.append(FactList(answers))
        why = [(line["text"], line["clauses"]) for line in key["why"]]
        nodes += [DataTable((Figure("why", "Why"), CLAUSES), why, page="Why")] if why else []
        readings = [
            f"{entry}, {name}: {reading_in_words(law, entry, name)}"
            for entry, name in key["readings"].items()
        ]
        nodes += [Bullets(readings)] if readings else []
    points = len(question["fields"])
    points_text = f"{points} point{'' if points == 1 else 's'}"
    return Section(f"{question['number']}. {question['words']} ({points_text})", nodes)


def _drawing(number: int, hands: dict[str, list[str]]) -> Picture:
    def draw(font: str, _: Medium) -> list[str]:
        return [draw_hands(f"hands-{number}", hands, font)]

    return Picture(draw, "; ".join(hands), f"Cards of question {number}", _STYLE)


def _lead(field: FieldAsked, key: QuestionKey) -> str:
    value = key["key"][field["name"]]
    letters = {choice["value"]: choice["letter"] for choice in field["choices"]}
    if field["kind"] == "order":
        return f"{''.join(letters[word] for word in value.split())}: "
    return f"{letters[value]}) " if value in letters else ""
