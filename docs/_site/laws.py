"""The pages of the regulations: every clause with its disposition, rules, functions, and tests.

They are made of what `croupier law` prints as JSON.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any

from sphinx.application import Sphinx

from _site.pages import make_pages
from croupier.law.model import Instrument, section
from croupier.law.resolve import instruments
from croupier.law.wording import constraint_in_words

__all__ = ["setup"]

Data = Mapping[str, Any]

_TRACEABILITY = """# Traceability

The page of each regulation lists its clauses with their class, standing, disposition,
implementation, and tests: see [the regulations](laws/index.md). `croupier law coverage` prints the
same, and `croupier law coverage --format markdown` prints it as one document.
"""


def setup(app: Sphinx) -> None:
    """Add the pages, which take the place of the traceability list."""
    make_pages(app, "laws", _pages)
    app.connect("source-read", _replace)


def _replace(app: Sphinx, docname: str, source: list[str]) -> None:
    """Give the traceability list, half of all documents by size, as the pages made here."""
    del app
    if docname == "traceability":
        source[0] = _TRACEABILITY


def _printed(*words: str) -> Any:
    """Return what a command prints as JSON."""
    command = [sys.executable, "-m", "croupier", "law", *words, "--format", "json"]
    done = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603  (ours)
    return json.loads(done.stdout)


def _key(law: Data) -> str:
    return f"{law['law']}@{law['in_force_from']}"


def _slug(text: str) -> str:
    """Return a name that a file and a target of a link may have, the same for the same text."""
    return re.sub(r"[^a-z0-9]+", "-", text.lower()).strip("-")


def _pages() -> Mapping[str, str]:
    laws = _printed("list")["laws"]
    tests = {
        _key(law): {row["id"]: row["tests"] for row in law["clauses"]}
        for law in _printed("coverage")["laws"]
    }
    shown = {_key(law): _printed("show", _key(law)) for law in laws}
    pages = {f"{_slug(key)}.md": _law(law, tests[key]) for key, law in shown.items()}
    pages["interpretations.md"] = _interpretations(_printed("interpretations"))
    pages["index.md"] = _index(shown)
    return {name: "\n".join(lines) + "\n" for name, lines in pages.items()}


def _index(shown: Mapping[str, Data]) -> Iterator[str]:
    yield "# The regulations"
    yield ""
    yield "Each page has one regulation as of one date, paraphrased clause by clause, with what"
    yield "became of each clause: the rules and functions that implement it, and the tests that"
    yield "name it. Nothing is claimed about current law. `croupier law show` prints the same."
    yield ""
    yield "| regulation | in force from | known to | clauses |"
    yield "|---|---|---|--:|"
    for key, law in shown.items():
        known = law["in_force_known"] or ""
        extent = ", excerpt" if law["partial"] else ""
        yield (
            f"| [{law['law_title']}]({_slug(key)}.md){extent} | {law['in_force_from']} | {known} "
            f"| {len(law['clauses'])} |"
        )
    yield ""
    yield "Where a text contradicts itself, cites wrongly, or is silent, the [register of"
    yield "interpretations](interpretations.md) records the reading that is used."
    yield ""
    yield "```{toctree}"
    yield ":hidden:"
    yield ""
    for key, law in shown.items():
        yield f"{law['law_title']}, {law['in_force_from']} <{_slug(key)}>"
    yield "interpretations"
    yield "```"


def _law(law: Data, tests: Mapping[str, list[str]]) -> Iterator[str]:
    key = _key(law)
    (text,) = (one for one in instruments() if one.key == key)
    known = {*text.rules, *(one.id for one in text.constraints)}
    yield f"# {law['law_title']}, {law['in_force_from']}"
    yield ""
    yield from _about(law)
    for name, clauses in groupby(law["clauses"], lambda one: section(one["id"])):
        yield f"## {_heading(name)}"
        yield ""
        for clause in clauses:
            yield from _clause(key, clause, tests.get(clause["id"], []), known)
    yield from _rules(key, law)
    yield from _constraints(text)


def _heading(name: str) -> str:
    """Return a section as a heading: `, section 1` of some texts, `-7.3` of others."""
    name = name.lstrip(", ").removeprefix("-")
    return f"Section {name}" if name[:1].isdigit() or name[:1] == "(" else name.capitalize()


def _about(law: Data) -> Iterator[str]:
    known = f", known to {law['in_force_known']}" if law["in_force_known"] else ""
    yield f"`{_key(law)}`. {law['authority']}."
    yield f"In force from {law['in_force_from']}{known}; the text was read on {law['observed_on']}."
    if law["partial"]:
        yield "This is an excerpt: what it leaves out is not known."
    yield "The clauses are paraphrased. Classes, dispositions, and standings are defined in"
    yield "[the law file](../law-file.md)."
    yield ""
    yield f"SHA-256 of the law file: `{law['law_hash'][:16]}…`"
    yield ""


def _clause(key: str, clause: Data, tests: list[str], known: set[str]) -> Iterator[str]:
    marks = [f"class {clause['class']}", clause["disposition"]]
    if clause["standing"] != "text":
        marks.append(clause["standing"])
    entries = [f"[{one}](interpretations.md#{_slug(one)})" for one in clause["interpretations"]]
    yield f"(clause-{_slug(key)}-{_slug(_spelled(clause['id']))})="
    yield f"`{clause['id']}` {', '.join((*marks, *entries))}  "
    yield f"{_plain(clause['says'])}"
    yield ""
    if clause["reason"]:
        yield f"* Why: {_plain(clause['reason'])}"
    if clause["implemented_by"]:
        yield f"* Implemented by: {', '.join(_implementation(key, clause, known))}"
    if clause["functions"]:
        yield f"* Functions: {_codes(clause['functions'])}"
    if clause["commands"]:
        yield f"* Commands: {_codes(clause['commands'])}"
    if clause["events"]:
        yield f"* Events: {_codes(clause['events'])}"
    if clause["outside"] is not None:
        yield f"* Outside the table: {_plain(clause['outside'] or 'kept on file')}"
    yield ""
    if tests:
        yield from _folded(tests)


def _spelled(clause_id: str) -> str:
    """Return a clause id whose signs stay apart in a target: #1 is not (1)."""
    return clause_id.replace("#", " part ").replace('"', " word ")


def _implementation(key: str, clause: Data, known: set[str]) -> Iterator[str]:
    for name in clause["implemented_by"]:
        link = f"(#rule-{_slug(key)}-{_slug(name)})"
        yield f"[`{name}`]{link}" if name in known else f"`{name}`"


def _folded(tests: list[str]) -> Iterator[str]:
    """Yield the tests of a clause, folded away: what they ask, by file."""
    yield f"<details><summary>{len(tests)} test{'s' * (len(tests) != 1)}</summary><ul>"
    for file, named in groupby(tests, lambda one: one.partition("::")[0]):
        asked = (one.rpartition("::")[2].removeprefix("test_").replace("_", " ") for one in named)
        yield f"<li><code>{file.removeprefix('tests/')}</code>: {'; '.join(asked)}</li>"
    yield "</ul></details>"
    yield ""


def _rules(key: str, law: Data) -> Iterator[str]:
    yield "## Rules"
    yield ""
    yield "What the clauses come to, by rule. Rule ids are the same in all regulations."
    yield ""
    for rule in law["rules"]:
        yield f"(rule-{_slug(key)}-{_slug(rule['id'])})="
        yield f"`{rule['id']}` {rule['kind']}  "
        yield f"{_plain(rule['title'])}: {_value(rule)}  "
        yield f"{_condition(rule)}[{_codes(rule['cites'])}]"
        yield ""


def _value(rule: Data) -> str:
    if rule["value"] is not None:
        return f"**{_plain(_text(rule['value']))}**"
    if rule["open"]:
        return f"the {rule['by']} elects {_plain(rule['open'])}"
    return _plain(rule["does"] or "a procedure")


def _text(value: object) -> str:
    if isinstance(value, Mapping):
        return ", ".join(f"{name} {_text(one)}" for name, one in value.items())
    if isinstance(value, list):
        return ", ".join(map(_text, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)


def _condition(rule: Data) -> str:
    if not rule["applies_when"]:
        return ""
    terms = (f"`{one}` is {_text(wanted)}" for one, wanted in rule["applies_when"].items())
    return f"Applies when {', '.join(terms)}. "


def _constraints(law: Instrument) -> Iterator[str]:
    if not law.constraints:
        return
    yield "## Constraints"
    yield ""
    for one in law.constraints:
        yield f"(rule-{_slug(law.key)}-{_slug(one.id)})="
        yield f"`{one.id}`: {_plain(constraint_in_words(one, law))} [{_codes(one.cites)}]"
        yield ""


def _interpretations(register: Data) -> Iterator[str]:
    yield "# Register of interpretations"
    yield ""
    yield "Where a regulation contradicts itself, cites wrongly, or is silent, this register has"
    yield "the problem and the reading that is used. It is an engineering record, not legal advice."
    yield "`croupier law interpretations` prints it."
    yield ""
    for entry in register["interpretations"]:
        yield f"({_slug(entry['id'])})="
        yield f"## {entry['id']}: {_plain(entry['title'])}"
        yield ""
        yield _plain(entry["problem"])
        yield ""
        yield f"**Reading used** ({entry['standing']}): {_plain(entry['reading'])}"
        yield ""
        for name, reading in entry["readings"].items():
            yield f"* `{name}`: {_plain(_text(reading))}"
        yield ""
        for law in entry["laws"]:
            clauses = [_clause_link(_key(law), one) for one in law["clauses"]]
            if clauses:
                yield f"[{law['law_title']}, {law['in_force_from']}]({_slug(_key(law))}.md): "
                yield f"{', '.join(clauses)}"
                yield ""


def _clause_link(key: str, clause_id: str) -> str:
    target = f"clause-{_slug(key)}-{_slug(_spelled(clause_id))}"
    return f"[`{clause_id}`]({_slug(key)}.md#{target})"


def _plain(text: str) -> str:
    """Return text that Markdown must not read as marks of its own."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", text)


def _codes(names: Iterable[str]) -> str:
    return ", ".join(f"`{one}`" for one in names)
