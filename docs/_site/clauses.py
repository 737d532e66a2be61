"""One clause of a regulation as HTML, and the links between clauses, rules, and readings."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from html import escape
from itertools import groupby
from typing import Any

from croupier.law.model import section

Data = Mapping[str, Any]

_LETTERS = re.compile("[DS]{11}")
"""A row of the third-card table: without a third card of Player, then on one of 0 to 9."""


def safe(text: object) -> str:
    """Return text as HTML on one line, so that it cannot end a block of HTML in Markdown."""
    return escape(" ".join(str(text).split()))


def slug(text: str) -> str:
    """Return a name that a file and a target of a link may have, the same for the same text."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def codes(names: Iterable[str]) -> str:
    """Return names as code, each a link to what the site has about it."""
    return ", ".join(
        f'<a href="../../search.html?q={one}"><code>{safe(one)}</code></a>' for one in names
    )


class Law:
    """A regulation, and where its clauses and rules are in the book."""

    def __init__(self, data: Data) -> None:
        self.data = data
        self.key = f"{data['law']}@{data['in_force_from']}"
        self.slug = slug(self.key)
        self.title = f"{data['law_title']}, {data['in_force_from']}"
        self.place = f"{data['law_title']} {data['in_force_from'][:4]}"
        self.sections: Mapping[str, Sequence[Data]] = {
            name: list(inside)
            for name, inside in groupby(data["clauses"], lambda one: section(one["id"]))
        }
        self.rules = {one["id"]: one for one in data["rules"]}
        self.constraints = {one["id"] for one in data["constraints"]}
        self.entries = {one["id"]: one for one in data["interpretations"]}
        self._clauses = {one["id"]: one for one in data["clauses"]}

    def page(self, name: str) -> str:
        """Return the page of a section, by its name in the ids of clauses."""
        return f"section-{slug(name)}"

    def cited(self, name: str) -> str:
        """Return a section as it is cited: its first clause, up to what is inside the section."""
        first = str(self.sections[name][0]["citation"])
        return first[: first.index(name) + len(name)] if name in first else f"{first} {name}"

    def heading(self, name: str) -> str:
        """Return a section as a heading."""
        return f"Section {name.removeprefix('19:47-')}"

    def short(self, one: Data) -> str:
        """Return a clause as its section names it, with the part that it is."""
        cited = str(one["citation"]).removeprefix(self.data["citation"]).lstrip(", ")
        part = re.search(r"#(\w+)", one["id"])
        return f"{cited}, part {part[1]}" if part else cited

    def target(self, clause_id: str) -> str:
        """Return the target of a clause. Signs stay apart: #1 is not (1)."""
        spelled = clause_id.replace("#", " part ").replace('"', " word ").replace("~", " old ")
        return f"clause-{self.slug}-{slug(spelled)}"

    def rule_target(self, rule_id: str) -> str:
        """Return the target of a rule or a constraint."""
        return f"rule-{slug(rule_id)}"

    def link(self, one: Data) -> str:
        """Return the address of a clause from another page of its regulation."""
        return f"{self.page(section(one['id']))}.html#{self.target(one['id'])}"

    def links(self, cites: Iterable[str], laws: str = "../") -> str:
        """Return clauses and entries of the register as links, from below the folder of laws."""
        return ", ".join(self._cited(one, laws) for one in cites)

    def _cited(self, name: str, laws: str) -> str:
        if name not in self._clauses:
            return f'<a href="{laws}interpretations.html#{slug(name)}">{safe(name)}</a>'
        one = self._clauses[name]
        return f'<a href="{laws}{self.slug}/{self.link(one)}">{safe(self.short(one))}</a>'


class Book:
    """All regulations, with the tests that name each clause."""

    def __init__(self, laws: Sequence[Law], tests: Mapping[str, Sequence[str]]) -> None:
        self.laws = laws
        self.tests = tests

    def of(self, data: Data) -> Law:
        """Return the regulation that data of a command name."""
        key = f"{data['law']}@{data['in_force_from']}"
        return next(one for one in self.laws if one.key == key)


def clause(book: Book, law: Law, one: Data) -> Iterator[str]:
    """Yield a clause: paraphrase, readings, rules, tests, and what is checked outside the table."""
    marks = [f"class {one['class']}", one["disposition"]]
    if one["standing"] != "text":
        marks.append(one["standing"])
    yield f'<p class="says">{safe(one["says"])}</p>'
    yield f'<p class="ids"><code>{safe(one["id"])}</code> {safe(", ".join(marks))}</p>'
    yield '<dl class="clause">'
    if one["reason"]:
        yield f"<dt>Why</dt><dd>{safe(one['reason'])}</dd>"
    if one["outside"] is not None:
        checked = one["outside"] or "kept on file"
        yield f"<dt>People check outside the table</dt><dd>{safe(checked)}</dd>"
    for name in one["implemented_by"]:
        yield from _rule(book, law, name)
    if one["functions"]:
        names = ", ".join(f"<code>{safe(name)}</code>" for name in one["functions"])
        yield f"<dt>Functions</dt><dd>{names}</dd>"
    for title, names in (("Commands", one["commands"]), ("Events", one["events"])):
        if names:
            yield f"<dt>{title}</dt><dd>{codes(names)}</dd>"
    for name in one["interpretations"]:
        if name in law.entries:
            yield from _reading(law.entries[name])
    yield from _tests(book.tests.get(one["id"], ()))
    yield "</dl>"
    yield from _near(law, one)


def rule_value(rule: Data) -> str:
    """Return what a rule says: a value, an election, a table, or a procedure."""
    value = rule["value"]
    if value is not None:
        if isinstance(value, Mapping) and all(
            _LETTERS.fullmatch(str(one)) for one in value.values()
        ):
            return _drawing_table(value)
        return f"<strong>{safe(_text(value))}</strong>"
    if rule["open"]:
        return f"the {safe(rule['by'])} elects {safe(rule['open'])}"
    return safe(rule["does"] or "a procedure")


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _drawing_table(value: Mapping[str, str]) -> str:
    """Return a drawing table: D draws, S stays, by count and by third card."""
    heads = ("no third card", *range(10))
    head = "".join(f'<th scope="col">{one}</th>' for one in heads)
    rows = "".join(
        f'<tr><th scope="row">{safe(count)}</th>'
        + "".join(f'<td class="{letter.lower()}">{safe(letter)}</td>' for letter in letters)
        + "</tr>"
        for count, letters in value.items()
    )
    return (
        '<div class="table-wrapper"><table class="draws"><caption>D draws, S stays'
        f'</caption><thead><tr><th scope="col">count</th>{head}</tr></thead><tbody>{rows}</tbody>'
        "</table></div>"
    )


def _rule(book: Book, law: Law, name: str) -> Iterator[str]:
    link = f'<a href="rules.html#{law.rule_target(name)}"><code>{safe(name)}</code></a>'
    if name in law.constraints:
        yield f"<dt>Constraint</dt><dd>{link}</dd>"
        return
    rule = law.rules.get(name)
    if rule is None:
        yield f"<dt>Rule</dt><dd><code>{safe(name)}</code></dd>"
        return
    value = rule_value(rule)
    title = "" if value == safe(rule["title"]) else f"{safe(rule['title'])}: "
    yield f"<dt>Rule</dt><dd>{title}{value} {link}"
    elsewhere = [(other, other.rules[name]) for other in book.laws if name in other.rules]
    found = [
        f"<li>{safe(other.place)}: {safe(same['in_words'])} {other.links(same['cites'][:1])}</li>"
        for other, same in elsewhere
        if other is not law and same["in_words"] != rule["in_words"]
    ]
    alike = [
        f"{safe(other.place)} {other.links(same['cites'][:1])}"
        for other, same in elsewhere
        if other is not law and same["in_words"] == rule["in_words"]
    ]
    if alike:
        found.append(f"<li>the same: {'; '.join(alike)}</li>")
    if found:
        yield f"<details><summary>in other regulations</summary><ul>{''.join(found)}</ul></details>"
    yield "</dd>"


def _reading(entry: Data) -> Iterator[str]:
    link = f'<a href="../interpretations.html#{slug(entry["id"])}">{entry["id"]}</a>'
    readings = entry["readings"]
    used = readings.get(entry["reading"], entry["reading"])
    yield f"<dt>Reading {link}</dt><dd><details><summary>{safe(entry['title'])}</summary>"
    yield f"<p>{safe(entry['problem'])}</p><p><strong>Used:</strong> {safe(used)}</p>"
    others = [
        f"<li><code>{safe(name)}</code> {safe(_text(words))}</li>"
        for name, words in readings.items()
        if name != entry["reading"]
    ]
    if others:
        yield f"<p>Alternatives, by election:</p><ul>{''.join(others)}</ul>"
    yield "</details></dd>"


def _tests(tests: Sequence[str]) -> Iterator[str]:
    """Yield the tests of a clause, folded away: what they ask, by file."""
    if not tests:
        return
    count = f"{len(tests)} test{'s' * (len(tests) != 1)}"
    yield f"<dt>Tests</dt><dd><details><summary>{count}</summary><ul>"
    for file, named in groupby(tests, lambda one: one.partition("::")[0]):
        asked = (one.rpartition("::")[2].removeprefix("test_").replace("_", " ") for one in named)
        yield f"<li><code>{file.removeprefix('tests/')}</code>: {safe('; '.join(asked))}</li>"
    yield "</ul></details></dd>"


def _near(law: Law, one: Data) -> Iterator[str]:
    """Yield the clauses before and after, also across sections."""
    clauses = law.data["clauses"]
    at = clauses.index(one)
    before = clauses[at - 1] if at else None
    after = clauses[at + 1] if at + 1 < len(clauses) else None
    yield '<p class="near">'
    if before:
        yield f'<a href="{law.link(before)}">← {safe(law.short(before))}</a>'
    if after:
        yield f'<a href="{law.link(after)}">{safe(law.short(after))} →</a>'
    yield "</p>"
