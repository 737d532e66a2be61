"""The index of the decisions has each of them once, under a question, and marks what is superseded."""

import re
from typing import Final

from support.project import ROOT

ADR: Final = ROOT / "docs" / "adr"
ROW: Final = re.compile(r"^\| ([^|*]+\?) \| \[(\d+)\. [^\]]+\]\((\d{4}-[\w-]+\.md)\) \| ([^|]+) \|$", re.MULTILINE)  # fmt: skip


def rows() -> list[tuple[str, str, str, str]]:
    return ROW.findall((ADR / "index.md").read_text(encoding="utf-8"))


def test_every_decision_is_in_the_index_once() -> None:
    assert sorted(name for _, _, name, _ in rows()) == sorted(one.name for one in ADR.glob("0*.md"))
    assert all(int(number) == int(name[:4]) for _, number, name, _ in rows())
    assert len({question for question, _, _, _ in rows()}) == len(rows())


def test_a_superseded_decision_is_marked_in_the_index_and_on_its_page() -> None:
    states = {"Superseded by": "no; ", "Superseded in part by": "in part; "}
    found = {}
    for _, number, name, state in rows():
        first = (ADR / name).read_text(encoding="utf-8").split("\n\n")[1]
        said = next((state for words, state in states.items() if first.startswith(words)), "yes")
        later = re.findall(r"\]\((\d{4})-", first) if said != "yes" else []
        assert state == said + ", ".join(str(int(one)) for one in later), name
        assert all(int(one) > int(number) for one in later), name
        found[number] = state
    assert (found["5"], found["25"], found["1"]) == ("no; 13", "in part; 30, 41", "yes")
