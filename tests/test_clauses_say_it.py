"""A refusal cites clauses that speak of what was asked, or none; an event those that it carries out.

The conformance vectors hold what is answered to everything at every start of every table. Each
clause in them must have, in our paraphrase of it, one of the words that ``data/subjects.toml`` gives
for the place in the code that refuses, or for the event.
"""

import re
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.law.interpretations import interpretations
from croupier.law.model import is_entry
from croupier.rules import TableRules, read_submission, table_rules
from croupier.scenarios.vectors.sites import sites
from support.vector_sets import SETS, read

SUBJECTS: Final = tomllib.loads(
    (Path(__file__).parent / "data" / "subjects.toml").read_text(encoding="utf-8")
)
REFUSALS: Final[dict[str, str]] = SUBJECTS["refusals"]
EVENTS: Final[dict[str, str]] = SUBJECTS["events"]

TABLES: Final = [pytest.param(path, id=path.stem) for path in SETS]

Cited = tuple[str, tuple[str, ...]]


@cache
def cited(path: Path) -> tuple[TableRules, frozenset[Cited], frozenset[Cited]]:
    """Return what refusals cite by their place, and what events cite by their kind."""
    refused = {
        (one["place"], tuple(one["refused"]["clauses"]))
        for one in read(path, "refusals")["refusals"]
    }
    told = frozenset(events_in(read(path, "procedures")))
    return table_rules(read_submission(path)), frozenset(refused), told


def events_in(data: Any) -> Iterator[Cited]:
    """Yield the kind and the clauses of every event, wherever it stands."""
    if isinstance(data, dict):
        if "type" in data and "clauses" in data:
            yield data["type"], tuple(data["clauses"])
        data = list(data.values())
    if isinstance(data, list):
        for one in data:
            yield from events_in(one)


def subject_of(site: str) -> str | None:
    """Return the words that a refusal's clauses must have one of, by the narrowest name."""
    name = re.sub(r" \(\d+\)$", "", site)
    for key in (name, name.partition(":")[0], name.partition(".")[0]):
        if key in REFUSALS:
            return REFUSALS[key]
    return None


def strangers(rules: TableRules, clauses: tuple[str, ...], words: str | None) -> Iterator[str]:
    """Yield the clauses that speak of something else, with what they say."""
    for clause in clauses:
        if is_entry(clause):
            if clause not in interpretations():
                yield f"{clause}, which is not in the register"
        elif words is None:
            yield f"{clause}: give the words of its subject in tests/data/subjects.toml"
        elif not re.search(words, says := rules.law.clauses[clause].says, re.IGNORECASE):
            yield f"{clause} ({says}), which has none of {words}"


@pytest.mark.parametrize("path", TABLES)
def test_a_refusal_cites_clauses_that_speak_of_what_was_asked(path: Path) -> None:
    rules, refused, _ = cited(path)
    wrong = [
        f"{site} cites {one}"
        for site, clauses in sorted(refused)
        for one in strangers(rules, clauses, subject_of(site))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", TABLES)
def test_an_event_cites_clauses_that_speak_of_it(path: Path) -> None:
    rules, _, told = cited(path)
    wrong = [
        f"{event} cites {one}"
        for event, clauses in sorted(told)
        for one in strangers(rules, clauses, EVENTS.get(event))
    ]
    assert not wrong, "\n".join(wrong)


@pytest.mark.parametrize("path", TABLES)
def test_what_comes_at_another_moment_is_refused_without_a_clause(path: Path) -> None:
    _, refused, _ = cited(path)
    assert {clauses for site, clauses in refused if site == "core.not_now: not_now"} == {()}


def test_words_are_given_only_for_places_that_refuse() -> None:
    names = {re.sub(r" \(\d+\)$", "", site.name) for site in sites()}
    known = names | {one.partition(":")[0] for one in names} | {site.module for site in sites()}
    assert set(REFUSALS) <= known, sorted(set(REFUSALS) - known)
