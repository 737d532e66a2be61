"""An exam paper and its key as they are printed: each answer says what it takes."""

from __future__ import annotations

import json
import re
import subprocess
from functools import partial
from pathlib import Path

import pytest

from support.command_line import croupier
from support.printed import pages_of

run = partial(croupier, "drill")
LAW = "us-nj/minibaccarat@2011-02-22"
ORDERED = re.compile(r"Order\s*([a-z]+): 1\. ")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Write a paper of long questions and of orders, with its key."""
    made = tmp_path_factory.mktemp("printed")
    for form in ("pdf", "html", "json"):
        result = run(
            "paper", "--law", LAW, "--questions", 12, "--level", 3, "--seed", 3, "--paper",
            "letter", "--kinds", "order,irregularities,corrections", "-o", made / f"paper.{form}",
            "--key", made / f"key.{form}",
        )  # fmt: skip
        assert result.exit_code == 0, result.output
    return made


def text_of(folder: Path, name: str) -> list[str]:
    pages = pages_of((folder / name).read_bytes(), folder)
    assert pages.pop() == ""
    return pages


@pytest.mark.parametrize("name", ["paper.pdf", "key.pdf"])
def test_each_page_is_numbered_and_nothing_touches(folder: Path, name: str) -> None:
    pages = text_of(folder, name)
    for number, page in enumerate(pages, 1):
        assert f"{number} of {len(pages)}" in page
        # The kind stands apart from the words of its question.
        assert not re.search(r"\S ?(order|irregularities|corrections), level 3", page)
    assert "in force from 2011-02-22" in pages[0]


def test_a_line_says_what_is_written_on_it(folder: Path) -> None:
    asked = json.loads((folder / "paper.json").read_text(encoding="utf-8"))["questions"]
    text = "\n".join(text_of(folder, "paper.pdf"))
    takes = [field["takes"] for one in asked for field in one["fields"]]
    assert {*takes} > {"a number"}
    for one in set(takes) - {"the letter of one choice"}:
        assert text.count(one.rstrip(".")) >= takes.count(one), one


@pytest.mark.parametrize("form", ["pdf", "html"])
def test_the_key_has_the_letters_that_a_student_writes(folder: Path, form: str) -> None:
    asked = json.loads((folder / "paper.json").read_text(encoding="utf-8"))["questions"]
    keys = json.loads((folder / "key.json").read_text(encoding="utf-8"))["keys"]
    if form == "pdf":
        text = "\n".join(text_of(folder, "key.pdf"))
    else:
        text = re.sub("<[^>]+>", "", (folder / "key.html").read_text(encoding="utf-8"))
    wanted = []
    for one, key in zip(asked, keys, strict=True):
        for field in one["fields"]:
            letters = {choice["value"]: choice["letter"] for choice in field["choices"]}
            if field["kind"] == "order":
                wanted.append("".join(letters[value] for value in key["key"]["order"].split()))
    assert ORDERED.findall(text) == wanted
    assert wanted


def test_a_paper_that_is_handed_out_does_not_say_how_its_key_is_made(folder: Path) -> None:
    for name in ("paper.pdf", "paper.html"):
        if name.endswith("pdf"):
            text = "\n".join(text_of(folder, name))
        else:
            page = (folder / name).read_text(encoding="utf-8")
            # A long document lists its sections, too.
            text = re.sub("<[^>]+>", " ", re.sub("<nav.*?</nav>", "", page, flags=re.DOTALL))
        assert "Seed" not in text
        assert "--seed" not in text
        assert "--key" not in text
        # Points for each field, and their sum.
        asked = json.loads((folder / "paper.json").read_text(encoding="utf-8"))["questions"]
        points = sum(len(one["fields"]) for one in asked)
        assert f"Points of {points}" in text
        assert sum(map(int, re.findall(r"\((\d+) points?\)", text))) == points
        # Cards are faces.
        assert not re.search(r"\b[A2-9TJQK][cdhs]\b", text)
    key = "\n".join(text_of(folder, "key.pdf"))
    assert "Seed" in key


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_hands_are_drawn_as_cards(folder: Path, form: str) -> None:
    asked = json.loads((folder / "paper.json").read_text(encoding="utf-8"))["questions"]
    hands = [
        line["text"].split(" (")[0].split()
        for one in asked
        for line in one["shown"]
        if line["label"] in {"Player's Hand", "Banker's Hand"}
    ]
    assert hands
    if form == "html":
        page = (folder / "paper.html").read_text(encoding="utf-8")
        # Each card is a white face with its rank above its suit.
        drawn = re.findall(r"<g><title>(10|[2-9AJQK])([♣♦♥♠])</title><rect", page)
        assert ["".join(one) for one in drawn] == [card for hand in hands for card in hand]
    else:
        text = "\n".join(text_of(folder, "paper.pdf"))
        assert text.count("Cards of question") == sum(
            any("Hand" in line["label"] for line in one["shown"]) for one in asked
        )


def test_a_sentence_that_begins_with_a_card_is_not_drawn(tmp_path: Path) -> None:
    result = run(
        "paper", "--law", LAW, "--questions", 2, "--seed", 4,
        "--kinds", "last-hand", "-o", tmp_path / "paper.html",
    )  # fmt: skip
    assert result.exit_code == 0, result.output
    page = (tmp_path / "paper.html").read_text(encoding="utf-8")
    assert re.search("[♣♦♥♠] lies face up in the shoe", page)
    assert "Cards of question" not in page


def test_the_type_of_a_paper_is_large_enough(folder: Path) -> None:
    shown = subprocess.run(  # noqa: S603  (poppler's)
        ["pdftotext", "-bbox-layout", folder / "paper.pdf", "-"],  # noqa: S607
        capture_output=True, text=True, check=True,
    ).stdout  # fmt: skip
    boxes = re.findall(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">(Count|Player|Order)', shown)
    assert boxes
    # The box of a word is at least as high as its type.
    assert min(float(bottom) - float(top) for top, bottom, _ in boxes) >= 11
