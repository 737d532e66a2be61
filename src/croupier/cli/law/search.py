"""``croupier law search``: find clauses, rules, readings, commands, and events by words."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Final

import click

from croupier.acts.command import TERMS
from croupier.cli.common.document import give
from croupier.cli.common.files import document_options
from croupier.cli.common.output import command_line, fail
from croupier.cli.common.text_named import texts_named
from croupier.cli.law.documents import Found, LawSearch
from croupier.cli.law.texts import is_named
from croupier.law.model import Instrument
from croupier.law.wording import rule_in_words
from croupier.reports.law_show import search_tree
from croupier.rules.documents import made

_SYNONYMS: Final = (
    ("vigorish", "commission"),
    ("coup", "round", "hand"),
    ("rack", "tray", "inventory"),
    ("burn", "burned", "burning"),
    ("cut", "cutting"),
    ("payout", "pay", "paid", "odds"),
    ("bet", "wager", "stake"),
    ("seed", "meter", "jackpot", "progressive"),
    ("curator", "shoe"),
    ("void", "canceled", "returned"),
    ("exposed", "disclosed", "face-up"),
    ("mistake", "error", "misdeal", "irregularity"),
    ("supervisor", "floorperson", "floor", "pit"),
    ("draw", "third", "tableau"),
    ("turn", "squeeze", "peek"),
    ("shuffler", "device", "machine"),
    ("damaged", "broken", "bent", "torn", "marked"),
    ("surplus", "foreign", "counterfeit", "wrong"),
    ("surveillance", "camera"),
    ("owed", "unpaid", "debt", "documented"),
    ("away", "absent", "walk-out", "walked"),
)
"""Words of the trade that a regulation may use for one another."""

_MOST: Final = 60


@click.command("search", short_help="Find clauses, rules, readings, and acts by words.")
@click.argument("words", nargs=-1, required=True)
@click.option("--law", "law_id", metavar="ID", help="One regulation (default: all included).")
@document_options()
def search_law(words: Sequence[str], law_id: str | None, output_format: str) -> None:
    """Find what contains WORDS, or what a citation names.

    Words are compared by their beginnings and by synonyms of the trade: commission finds vigorish.
    A printed citation finds its clauses. The best matches come
    first. Exit status: 2 if nothing is found.
    """
    texts = texts_named(law_id)
    asked = " ".join(words)
    found = [*cited(asked, texts)]
    if not found:
        wanted = alike(asked)
        scored: Iterator[Found] = (
            {**hit, "score": score(hit["id"], hit["says"], wanted)} for hit in candidates(texts)
        )
        ranked = sorted(scored, key=lambda hit: (-hit["score"], len(hit["says"])))
        best = ranked[0]["score"] if ranked else 0
        # A match of fewer words is shown only if no other has more than one of them.
        found = [hit for hit in ranked if hit["score"] and hit["score"] * 2 > best][:_MOST]
    if not found:
        fail(f"nothing contains {asked!r}: try fewer words, or croupier law list")
    document: LawSearch = {
        "format": "croupier-law-search/1",
        **made(command_line()),
        "words": [*words],
        "found": found,
    }
    give(document, search_tree, output_format)


def alike(asked: str) -> list[re.Pattern[str]]:
    """Return a pattern for each word: its beginning, or that of a synonym."""
    words = dict.fromkeys(re.findall(r"\w[\w-]*", asked.lower()))
    begun = ("|".join(map(re.escape, _synonyms(word))) for word in words)
    return [re.compile(rf"\b(?:{beginnings})") for beginnings in begun]


def _synonyms(word: str) -> tuple[str, ...]:
    stem = word if len(word) < 5 else re.sub(r"(ing|ed|es|s)$", "", word)
    group = next((synonym for synonym in _SYNONYMS if word in synonym or stem in synonym), ())
    return (stem, *group)


def score(name: str, says: str, wanted: Sequence[re.Pattern[str]]) -> int:
    # A command is found by any of its words.
    words = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    text = f"{name} {words} {says}".lower()
    return sum(pattern.search(text) is not None for pattern in wanted)


def cited(asked: str, texts: Sequence[Instrument]) -> Iterator[Found]:
    if not re.search(r"\d", asked):
        return
    for text in texts:
        for clause in text.clauses.values():
            if is_named(text, clause, asked):
                yield _found("clause", text.key, clause.id, clause.says)


def candidates(texts: Sequence[Instrument]) -> Iterator[Found]:
    from croupier.records.codec import EVENTS  # noqa: PLC0415  (all acts, to search in)

    for text in texts:
        for clause in text.clauses.values():
            yield _found("clause", text.key, clause.id, clause.says)
        for rule in text.rules.values():
            says = f"{rule.title}: {rule_in_words(rule)}"
            yield _found("rule", text.key, rule.id, says)
    for entry in {one.id: one for text in texts for one in text.register.values()}.values():
        says = f"{entry.title}: {entry.problem} {entry.says(entry.reading)}"
        yield _found("reading", None, entry.id, says)
    for name, terms in TERMS.items():
        yield _found("command", None, name, terms.title)
    for name, event in EVENTS.items():
        yield _found("event", None, name, (event.__doc__ or "").partition("\n")[0])


def _found(kind: str, law: str | None, name: str, says: str) -> Found:
    return {"kind": kind, "law": law, "id": name, "says": says, "score": 1}
