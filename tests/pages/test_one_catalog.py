"""No page and no terminal has words of its own: all that a person reads is in one catalog."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from typing import Final

from croupier.reports.words import WORDS, say
from support.sources import PACKAGE

FACES: Final = ("server/pages", "cli/tables/sitting")
READ: Final = re.compile(
    r"[A-Za-z]{2,}[,;:]? +[A-Za-z]{2,}|^[A-Z][a-z]+[:.]? *$|\b[a-z]{3,} $|^ [a-z]{2,}"
)
"""Two words, one with a capital, or the end of a sentence that goes on in another piece."""
MARKUP: Final = frozenset({"class_", "role", "inputmode", "autocomplete", "content", "font"})
"""What an element is called with that nobody reads."""
NOT_READ: Final = {
    "<!doctype html>": "markup",
    "system-ui, sans-serif": "a font",
    "Made": "a type variable",
    " to ": "what is typed between two amounts",
    "table ": "the name of a thread",
    "not answered again": "an exception that the same module handles",
}
"""Texts that no person reads, each with what it is."""


def literals(tree: ast.Module) -> Iterator[tuple[int, str]]:
    """Yield the texts of a module that a person might read, each with its line."""
    skipped: set[int] = set()
    for one in ast.walk(tree):
        match one:
            case ast.Expr(ast.Constant() as text):
                skipped.add(id(text))
            case ast.keyword(arg, value) if arg in MARKUP:
                skipped.update(map(id, ast.walk(value)))
            case ast.Call(ast.Name("say" | "tag"), [first, *_]):
                skipped.add(id(first))
            case ast.Assign([ast.Name("__all__")], value):
                skipped.update(map(id, ast.walk(value)))
            case ast.AnnAssign(ast.Name("CSS" | "DEFAULT_CSS"), value=ast.Constant() as text):
                skipped.add(id(text))
            case ast.Assign([ast.Name("CSS" | "DEFAULT_CSS")], ast.Constant() as text):
                skipped.add(id(text))
    for one in ast.walk(tree):
        if isinstance(one, ast.Constant) and isinstance(one.value, str) and id(one) not in skipped:
            yield one.lineno, one.value


def test_no_face_has_words_of_its_own() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}:{line}: {text!r}"
        for face in FACES
        for path in sorted((PACKAGE / face).glob("*.py"))
        for line, text in literals(ast.parse(path.read_text("utf-8")))
        if READ.search(text) and text not in NOT_READ
    ]
    assert found == []


def test_what_is_exempt_is_still_there() -> None:
    texts = {
        text
        for face in FACES
        for path in (PACKAGE / face).glob("*.py")
        for _, text in literals(ast.parse(path.read_text("utf-8")))
    }
    assert NOT_READ.keys() <= texts


def test_a_sentence_is_found_wherever_it_stands() -> None:
    for source in ('x = "Nothing was done."', 'x = f"Refused: {why}"', 'put(["Record"])'):
        assert [text for _, text in literals(ast.parse(source)) if READ.search(text)]
    for source in ('"""Nothing was done."""', 'tag("p", class_="act must")', 'say("a.b")'):
        assert not [text for _, text in literals(ast.parse(source)) if READ.search(text)]


def test_every_key_that_a_face_names_is_in_the_catalog() -> None:
    for face in FACES:
        for path in (PACKAGE / face).glob("*.py"):
            for one in ast.walk(ast.parse(path.read_text("utf-8"))):
                match one:
                    case ast.Call(ast.Name("say"), [ast.Constant(str() as key)], keywords=[]):
                        assert say(key), f"{path.name}:{one.lineno}"
    assert "terminal.help" not in WORDS
    assert say("terminal.help").startswith("Enter: ")
