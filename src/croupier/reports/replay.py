"""A replay of a table's record as one page of edits."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from difflib import SequenceMatcher
from importlib.resources import files
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypedDict

from croupier.law.usage import named
from croupier.reports.felt.drawing import TURN, TURN_CSS
from croupier.reports.formats.html import lines, self_contained
from croupier.reports.tags import Child, Html, join, tag

if TYPE_CHECKING:
    from croupier.records.view.documents import LineSeen

_MARK: Final = re.compile(r"(?:^|<(?!/))[^<]*(?:</[^<]*)*")
_HASH: Final = re.compile(r"([0-9a-f]{64}[.;]?)")
Edit = tuple[int, int, list[str]]


class Shown(NamedTuple):
    felt: str
    roads: str
    facts: dict[str, str]


class Frame(TypedDict):
    """An entry's edits of marks, and changed facts."""

    seq: int
    round: int
    felt: list[Edit]
    roads: list[Edit]
    facts: dict[str, str]


def marks_of(drawing: str) -> list[str]:
    """Split a drawing into marks, each with the closing tags that follow it."""
    return [mark for mark in _MARK.findall(drawing) if mark]


def edits(before: Sequence[str], after: Sequence[str]) -> list[Edit]:
    """Edits between two sequences of marks, last place first.

    Each has the first mark removed, the number removed, and the marks inserted.

    >>> edits(["a", "b", "c"], ["a", "x", "c", "d"])
    [(3, 0, ['d']), (1, 1, ['x'])]
    """
    start = 0
    for one, other in zip(before, after, strict=False):
        if one != other:
            break
        start += 1
    end = 0
    while end < min(len(before), len(after)) - start and before[-1 - end] == after[-1 - end]:
        end += 1
    old, new = before[start : len(before) - end], after[start : len(after) - end]
    changes = SequenceMatcher(None, old, new, autojunk=False).get_opcodes()
    return [
        (start + first, last - first, list(new[into:until]))
        for kind, first, last, into, until in reversed(changes)
        if kind != "equal"
    ]


def frames(cards: Iterable[tuple[int, int, Shown]]) -> Iterator[Frame]:
    drawn = {"felt": "", "roads": ""}
    marks: dict[str, list[str]] = {"felt": [], "roads": []}
    facts: dict[str, str] = {}
    for seq, number, card in cards:
        changed: dict[str, list[Edit]] = {"felt": [], "roads": []}
        for name, drawing in (("felt", card.felt), ("roads", card.roads)):
            if drawing != drawn[name]:
                before, drawn[name], marks[name] = marks[name], drawing, marks_of(drawing)
                changed[name] = edits(before, marks[name])
        yield {
            "seq": seq,
            "round": number,
            "felt": changed["felt"],
            "roads": changed["roads"],
            "facts": {
                name: card.facts.get(name, "")
                for name in {**facts, **card.facts}
                if facts.get(name, "") != card.facts.get(name, "")
            },
        }
        facts = card.facts


def replay_page(facts: Mapping[str, Any], entries: Sequence[dict[str, Any]], last: Shown) -> str:
    data = json.dumps([entry["frame"] for entry in entries], separators=(",", ":"))
    chain, head, more = _HASH.split(facts["chain"], maxsplit=1)
    verdict = tag(
        "div",
        *(tag("p", fault, class_="wrong") for fault in facts["broken"]),
        tag("p", f"{facts['verdict']} {chain}", tag("span", head, class_="head"), more),
        class_="verdict" if facts["clean"] else "verdict diverges",
    )
    law = tag(
        "p",
        f"{facts['law_title']} ({facts['law']}), in force from ",
        tag("span", facts["in_force_from"], class_="date"),
        ". Rules ",
        tag("code", f"{facts['rules_hash'][:16]}…"),
        f". Seen by: {named(facts['viewer'])}.",
        class_="law",
    )
    program = f"Made by Croupier {facts['version']}: "
    command = tag("p", program, tag("code", facts["reproduce"]), class_="meaning")
    clauses = _named((tag("code", clause), says) for clause, says in facts["clauses"])
    transcript = lines("ol", *map(_entry, entries), id="transcript")
    return self_contained(
        facts["title"],
        tag("header", tag("h1", facts["title"]), law, verdict),
        tag("main", _controls(len(entries)), _stage(last), data_open=facts["failed"]),
        _folded("transcript", "Transcript", transcript, is_open=True),
        _folded("clauses", "Clauses cited", clauses),
        tag("footer", command),
        # An end of the element within the data would end the script.
        tag("script", Html(data.replace("<", "\\u003c")), type="application/json", id="frames"),
        styles=(_own_file("replay.css"), TURN_CSS),
        script=_own_file("replay.js"),
    )


_STEPS: Final = {
    "first": ("First", "First entry (Home)"),
    "round-back": ("« Round", "Round before (Shift ←)"),
    "back": ("‹ Entry", "Entry before (←)"),
    "play": ("Play", "Play or pause (Space)"),
    "on": ("Entry ›", "Next entry (→)"),
    "round-on": ("Round »", "Next round (Shift →)"),
    "last": ("Last", "Last entry (End)"),
}
"""The buttons by id: the label, and the hint with the key."""

_NORMAL: Final = 900
_SPEEDS: Final = {2000: "slow", _NORMAL: "normal", 300: "fast", 60: "very fast"}
"""Milliseconds per entry."""


def _controls(number: int) -> Html:
    buttons = (
        tag("button", says, type="button", id=name, title=hint)
        for name, (says, hint) in _STEPS.items()
    )
    speeds = (
        tag("option", says, value=pause, selected=pause == _NORMAL)
        for pause, says in _SPEEDS.items()
    )
    last = number - 1
    return tag(
        "div",
        *buttons,
        tag("label", "Speed ", tag("select", *speeds, id="speed")),
        tag("span", "← → entry · Shift with them round · Space plays", class_="hint"),
        tag("input", type="range", id="slider", min=0, max=last, value=last, aria_label="Entry"),
        id="controls",
        hidden=True,
    )


def _stage(last: Shown) -> Html:
    pictures = (
        tag("div", Html(drawn), id=name, role="group", aria_label=says, tabindex=0)
        for name, says, drawn in (("felt", "Layout", last.felt), ("roads", "Roads", last.roads))
    )
    panel = tag(
        "aside",
        tag("p", id="here"),
        TURN,
        tag("div", id="told", aria_live="polite"),
        tag("ul", id="stakes", aria_label="Stakes"),
        _named(((name, fact) for name, fact in last.facts.items() if fact), id="facts"),
        id="panel",
        aria_label="Entry",
    )
    return tag("div", tag("div", *pictures), panel, id="stage")


def _folded(name: str, title: str, content: Html, *, is_open: bool = False) -> Html:
    summary = tag("summary", tag("h2", title, id=f"{name}-title"))
    box = tag("details", summary, content, id=f"{name}-box", open=is_open)
    return tag("section", box, aria_labelledby=f"{name}-title")


def _named(words: Iterable[tuple[Child, str]], **attributes: str) -> Html:
    parts = (join(tag("dt", name), tag("dd", says)) for name, says in words)
    return lines("dl", *parts, **attributes)


def _entry(entry: dict[str, Any]) -> Html:
    seq = entry["frame"]["seq"]
    link = tag("a", seq, href=f"#entry-{seq}")
    details = "".join(f" · {words}" for words in (entry["at"], entry["by"]) if words)
    return tag(
        "li",
        tag("p", link, details, class_="when"),
        *(part for line in entry["lines"] for part in _narration_line(line)),
        id=f"entry-{seq}",
    )


def _narration_line(line: LineSeen) -> Iterator[Html]:
    clauses = tag("span", ", ".join(line["clauses"]), class_="cites") if line["clauses"] else None
    yield tag("p", line["text"], clauses and " ", clauses, class_=f"line {line['kind']}")
    if line["details"]:
        yield tag("ul", *(tag("li", detail) for detail in line["details"]), class_="details")


def _own_file(name: str) -> str:
    return (files("croupier.reports") / name).read_text(encoding="utf-8")
