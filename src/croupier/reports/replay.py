"""A replay of a table's record as one page of edits."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterable, Iterator, Sequence
from difflib import SequenceMatcher
from functools import cache
from hashlib import sha256
from importlib.resources import files
from typing import Any, Final, NamedTuple, TypedDict

from croupier.reports.figures import extra

_MARK: Final = re.compile(r"(?=<[^/])")
Edit = tuple[int, int, list[str]]


class Shown(NamedTuple):
    """The pictures and facts after an entry."""

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
    """Return a drawing's marks, each with the ends that follow it."""
    return [mark for mark in _MARK.split(drawing) if mark]


def edits(before: Sequence[str], after: Sequence[str]) -> list[Edit]:
    """Return the edits between two sequences of marks, last place first.

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


def frames(shown: Iterable[tuple[int, int, Shown]]) -> Iterator[Frame]:
    """Yield each entry's changes."""
    felt: list[str] = []
    roads: list[str] = []
    facts: dict[str, str] = {}
    for seq, number, card in shown:
        now, then = marks_of(card.felt), marks_of(card.roads)
        yield {
            "seq": seq,
            "round": number,
            "felt": edits(felt, now),
            "roads": [] if roads == then else edits(roads, then),
            "facts": {
                name: card.facts.get(name, "")
                for name in {**facts, **card.facts}
                if facts.get(name, "") != card.facts.get(name, "")
            },
        }
        felt, roads, facts = now, then, card.facts


def replay_page(about: dict[str, Any], entries: Sequence[dict[str, Any]], last: Shown) -> str:
    """Return a self-contained page. Raises ``MissingExtraError`` without Jinja."""
    script = _beside("replay.js")
    # An end of the element within the data would end the script.
    data = json.dumps([entry["frame"] for entry in entries], separators=(",", ":")).replace(
        "<", "\\u003c"
    )
    page: str = _template(extra("html")).render(
        style=_beside("formats/house.css").rstrip(),
        about=about,
        entries=entries,
        last=last,
        script=script,
        script_hash=b64encode(sha256(script.encode()).digest()).decode(),
        replay_style=_beside("replay.css"),
        frames=data,
    )
    return page + "\n"


@cache
def _template(jinja2: Any) -> Any:
    # Everything is escaped except the drawings, which escape their own text.
    return jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(_beside),
    ).get_template("replay.html.j2")


def _beside(name: str) -> str:
    return (files("croupier.reports") / name).read_text(encoding="utf-8")
