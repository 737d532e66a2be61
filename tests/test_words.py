"""The words that people read are plain American technical English.

What is checked are the strings, docstrings and comments of the program, the law files, and the
documents. A word is banned where a better one always fits; the name of each ban says which.
"""

import io
import re
import tokenize
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Final

import pytest

from support.project import ROOT, written

SOURCES: Final = ROOT / "src" / "croupier"

BANS: Final = {
    "gender: repeat the noun, use a plural, or they": r"\b(he|his|him|himself|she|her|hers)\b",
    "British spelling": (
        r"\w*(colour|neighbour|favour|behaviour|licence|judgement|formalis|recognis|organis"
        r"|normalis|initialis|catalogue|modelled|labelled\b|cancelled|travell|centre)\w*"
    ),
    "zero": r"\bnought\b",
    "greater than zero, or negative": r"\b(more|less) than nothing\b",
    "on average": r"\bin the mean\b",
    "billion": r"\bthousand million\b",
    "custom": r"\bof one's own\b",
    "default elections": r"\bplain game\b",
    "disposition": r"(?<![.\w])fates?\b",
    "depends on": r"\b(hangs?|goes) on the\b(?! (layout|table|felt))|\bhangs? on\b",
    "conforms to the rules, or expected": r"\b(by|keeps?|departs? from) the book\b|\bthe book has\b",
    "returns whether, or says whether": r"\btells? whether\b",
    "predict": r"\bforetells?\b",
    "anyone, or no one": r"\banybody\b",
    "is not a": r"\bis no (whole )?(number|card|text|date|rate|count|multiple|object|tag)\b",
    "certifies nothing: verified, tested": r"\bcertified\b",
}
"""What to write instead, and what is banned."""

ALLOWED: Final = (
    # The tagline; the verb of a patron's book of Forms and the words of a player are others.
    re.compile(r"(games|table) by the book\b"),
)


def prose_of_python(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the strings and comments of a module, with the line on which each begins."""
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type in {tokenize.STRING, tokenize.COMMENT}:
            yield token.start[0], " ".join(token.string.split())


def prose_of_document(path: Path) -> Iterator[tuple[int, str]]:
    """Yield the paragraphs of a document, with the line on which each begins."""
    held: list[str] = []
    start = 1
    for number, line in enumerate([*path.read_text(encoding="utf-8").splitlines(), ""], start=1):
        if line.strip():
            start = start if held else number
            held.append(line.strip())
        elif held:
            yield start, " ".join(held)
            held = []


@cache
def prose() -> tuple[tuple[str, str], ...]:
    """Return everything that is written for people, by the place where it stands."""
    found: list[tuple[str, str]] = []
    for path in sorted(SOURCES.rglob("*.py")):
        found += ((f"{path.relative_to(ROOT)}:{at}", text) for at, text in prose_of_python(path))
    documents = (
        *SOURCES.rglob("*.toml"), *ROOT.glob("*.md"),
        *written(".md", ".toml", ".py"),
    )  # fmt: skip
    for path in sorted(documents):
        # Traceability names tests, whose names are not words for readers.
        if path.name != "traceability.md":
            place = path.relative_to(ROOT)
            found += ((f"{place}:{at}", text) for at, text in prose_of_document(path))
    return tuple(found)


def banned(text: str, ban: str) -> list[str]:
    """Return what a text has of a ban, apart from what is allowed."""
    for allowed in ALLOWED:
        text = allowed.sub("", text)
    return [found[0] for found in re.finditer(ban, text, re.IGNORECASE)]


@pytest.mark.parametrize("instead", BANS)
def test_no_banned_word_is_written_for_people(instead: str) -> None:
    ban = re.compile(BANS[instead], re.IGNORECASE)
    found = [
        f"{place}: {word}"
        for place, text in prose()
        if ban.search(text)
        for word in banned(text, BANS[instead])
    ]
    assert found == [], f"write instead: {instead}"


@pytest.mark.parametrize(
    ("instead", "text"),
    [
        ("gender: repeat the noun, use a plural, or they", "The dealer shows his cards."),
        ("British spelling", "cutting cards of one colour"),
        ("zero", "It begins with nought."),
        ("greater than zero, or negative", "a stake of more than nothing"),
        ("conforms to the rules, or expected", "The record keeps the book."),
        ("depends on", "The edge hangs on the shoe."),
    ],
)
def test_a_banned_word_is_found(instead: str, text: str) -> None:
    assert len(banned(text, BANS[instead])) == 1


def test_the_tagline_is_allowed() -> None:
    text = "Croupier runs regulated table games by the book."
    assert banned(text, BANS["conforms to the rules, or expected"]) == []


def test_the_words_of_modules_law_files_and_documents_are_all_read() -> None:
    places = {place.partition(":")[0] for place, _ in prose()}
    assert {
        "README.md", "docs/par.md", "src/croupier/law/interpretations.toml",
        "src/croupier/table/wagering/wagering.py", "docs/adr/0007-exact-odds.md", "docs/examples/follow.py",
    } <= places  # fmt: skip
