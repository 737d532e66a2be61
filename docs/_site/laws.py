"""The regulations as a book: a page for each section, with its clauses in order.

The pages are made of what `croupier law` prints as JSON. `clauses` draws one clause.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from itertools import groupby, pairwise

from sphinx.application import Sphinx

from _site.clauses import Book, Data, Law, clause, rule_value, safe, slug
from _site.commands import printed
from _site.pages import make_pages
from croupier.law.resolve import instruments
from croupier.law.wording import constraint_in_words

_TRACEABILITY = """# Traceability

The [regulations](laws/index.md) list their clauses with their class, standing, disposition,
implementation, and tests. `croupier law coverage` prints the same, and `croupier law coverage
--format markdown` prints it as one document.
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


@cache
def book() -> Book:
    """Return all included regulations, with the tests of each clause."""
    ids = [f"{one['law']}@{one['in_force_from']}" for one in printed("law", "list")["laws"]]
    tests = {
        row["id"]: row["tests"]
        for law in printed("law", "coverage")["laws"]
        for row in law["clauses"]
    }
    return Book([Law(printed("law", "show", key)) for key in ids], tests)


def _pages() -> Mapping[str, str]:
    pages: dict[str, Iterator[str]] = {"index.md": _index()}
    for law in book().laws:
        pages[f"{law.slug}/index.md"] = _contents(law)
        for name, inside in law.sections.items():
            pages[f"{law.slug}/{law.page(name)}.md"] = _section(law, name, inside)
        pages[f"{law.slug}/rules.md"] = _rules(law)
    complete = [one.key for one in book().laws if not one.data["partial"]]
    pages["states.md"] = _states(printed("law", "compare", *complete, "--all"))
    pages["dates.md"] = _dates()
    pages["interpretations.md"] = _interpretations(printed("law", "interpretations"))
    return {name: "\n".join(lines) + "\n" for name, lines in pages.items()}


def _index() -> Iterator[str]:
    yield "# The regulations"
    yield ""
    yield "Each regulation is a book: clause by clause, in our own words, with the readings of the"
    yield "register, the rules, commands, and events that implement the clause, its tests, and what"
    yield "people check outside the table. Each is a regulation as of a stated date; nothing is"
    yield "claimed about current law. `croupier law show` prints the same."
    yield ""
    yield "| regulation | in force from | known to | clauses |"
    yield "|---|---|---|--:|"
    for law in book().laws:
        extent = ", excerpt" if law.data["partial"] else ""
        yield (
            f"| [{law.data['law_title']}]({law.slug}/index.md){extent} "
            f"| {law.data['in_force_from']} | {law.data['in_force_known'] or ''} "
            f"| {len(law.data['clauses'])} |"
        )
    yield ""
    yield "* [Differences between states and games](states.md), rule by rule"
    yield "* [Differences between dates](dates.md): what a later version changed"
    yield "* [Register of interpretations](interpretations.md): where a text contradicts itself,"
    yield "  cites wrongly, or is silent, the reading that is used, and its alternatives"
    yield ""
    yield "```{toctree}"
    yield ":hidden:"
    yield ""
    for law in book().laws:
        yield f"{law.title} <{law.slug}/index>"
    yield "states"
    yield "dates"
    yield "interpretations"
    yield "```"


def _contents(law: Law) -> Iterator[str]:
    data = law.data
    yield f"# {law.title}"
    yield ""
    known = f", known to {data['in_force_known']}" if data["in_force_known"] else ""
    yield f"`{law.key}`. {data['authority']}."
    yield f"In force from {data['in_force_from']}{known}; the text was read on"
    yield f"{data['observed_on']}."
    if data["partial"]:
        yield "This is an excerpt: what it leaves out is not known."
    yield "The clauses are paraphrased. Classes, dispositions, and standings are defined in"
    yield "[the law file](../../law-file.md). The [rules](rules.md) list what the clauses come to."
    yield ""
    yield f"SHA-256 of the law file: `{data['law_hash'][:16]}…`"
    yield ""
    for name, inside in law.sections.items():
        yield f"## {law.heading(name)}"
        yield ""
        yield '<ul class="clauses">'
        for one in inside:
            link = f'<a href="{law.link(one)}">{safe(law.short(one))}</a>'
            yield f"<li>{link} {safe(one['says'])}</li>"
        yield "</ul>"
        yield ""
    yield "```{toctree}"
    yield ":hidden:"
    yield ""
    for name in law.sections:
        yield f"{law.heading(name)} <{law.page(name)}>"
    yield "rules"
    yield "```"


def _section(law: Law, name: str, inside: Sequence[Data]) -> Iterator[str]:
    yield f"# {law.cited(name)}"
    yield ""
    yield f"[{law.title}](index.md), paraphrased."
    yield ""
    for one in inside:
        yield f"({law.target(one['id'])})="
        yield f"## {_plain(law.short(one))}"
        yield ""
        yield from clause(book(), law, one)
        yield ""


def _rules(law: Law) -> Iterator[str]:
    yield f"# Rules of {law.title}"
    yield ""
    yield "What the clauses come to, by rule. Rule ids are the same in all regulations."
    yield ""
    for kind, rules in groupby(law.data["rules"], lambda one: one["id"].partition(".")[0]):
        yield f"## {kind.replace('_', ' ').capitalize()}"
        yield ""
        yield "<dl class='rules'>"
        for rule in rules:
            yield f'<dt id="{law.rule_target(rule["id"])}">{safe(rule["title"])}</dt>'
            yield f"<dd><div>{rule_value(rule)}{_condition(rule)}</div>"
            yield f"<p class='ids'><code>{rule['id']}</code> {law.links(rule['cites'])}</p></dd>"
        yield "</dl>"
        yield ""
    (text,) = (one for one in instruments() if one.key == law.key)
    if text.constraints:
        yield "## Constraints"
        yield ""
        yield "<dl class='rules'>"
        for one in text.constraints:
            words = constraint_in_words(one, text)
            yield f'<dt id="{law.rule_target(one.id)}"><code>{one.id}</code></dt>'
            yield f"<dd><p>{safe(words)}</p><p class='ids'>{law.links(one.cites)}</p></dd>"
        yield "</dl>"


def _condition(rule: Data) -> str:
    if not rule["applies_when"]:
        return ""
    terms = (f"{one} is {wanted}" for one, wanted in rule["applies_when"].items())
    return f" <span class='when'>if {safe(', '.join(terms))}</span>"


def _states(compared: Data) -> Iterator[str]:
    yield "# Differences between states and games"
    yield ""
    yield "Each rule on which the complete regulations differ, with its value in each."
    yield "`croupier law compare` prints the same for any regulations."
    yield f"{_plain(_names(compared['laws']))}."
    yield ""
    alike = []
    for group, rules in groupby(compared["rules"], lambda one: one["id"].partition(".")[0]):
        differing = []
        for rule in rules:
            if len({one["says"] for one in rule["laws"]}) > 1:
                differing.append(rule)
            else:
                alike.append(rule)
        if differing:
            yield f"## {group.replace('_', ' ').capitalize()}"
            yield ""
            yield "<dl class='rules'>"
            for rule in differing:
                yield from _by_value(rule)
            yield "</dl>"
            yield ""
    yield "## The same in all"
    yield ""
    yield "<dl class='rules'>"
    for rule in alike:
        yield f"<dt>{safe(rule['title'])}</dt><dd>{safe(rule['laws'][0]['says'] or 'none')}</dd>"
    yield "</dl>"


def _names(laws: Sequence[Data]) -> str:
    return "; ".join(book().of(one).title for one in laws)


def _by_value(rule: Data) -> Iterator[str]:
    """Yield a rule with each of its values, and the regulations that have it."""
    yield f"<dt>{safe(rule['title'])}</dt>"
    values: dict[str, list[str]] = {}
    for one in rule["laws"]:
        law = book().of(one)
        words = one["says"] or "no such rule"
        cited = law.links(one["rule"]["cites"][:1], "../laws/") if one["rule"] else ""
        name = f"{safe(law.place)} {cited}".strip()
        values.setdefault(words, []).append(name)
    for words, names in values.items():
        yield f"<dd><p>{safe(words)}</p><p class='ids'>{'; '.join(names)}</p></dd>"


def _dates() -> Iterator[str]:
    yield "# Differences between dates"
    yield ""
    yield "What changed from one version of a regulation to the next, as far as the included"
    yield "excerpts show. `croupier law diff` prints the same for any two regulations."
    yield ""
    for _, editions in groupby(book().laws, lambda one: one.data["law"]):
        versions = list(editions)
        for old, new in pairwise(versions):
            found = printed("law", "diff", old.key, new.key)
            days = f"{old.data['in_force_from']} to {new.data['in_force_from']}"
            yield f"## {new.data['law_title']}: {days}"
            yield ""
            yield f"{found['alike']} rules are alike."
            yield ""
            yield "<dl class='rules'>"
            for one in found["differences"]:
                if not one["excerpt"]:
                    yield f"<dt>{safe(one['title'])} <span>({one['change']})</span></dt>"
                    yield from _side(old, one["a"], "Was")
                    yield from _side(new, one["b"], "Now")
            yield "</dl>"
            yield ""


def _side(law: Law, side: Data | None, when: str) -> Iterator[str]:
    if side:
        links = law.links(side["clauses"], "../laws/")
        yield f"<dd><p><strong>{when}:</strong> {safe(side['says'] or 'none')}</p>"
        yield f"<p class='ids'>{links}</p></dd>"


def _interpretations(register: Data) -> Iterator[str]:
    yield "# Register of interpretations"
    yield ""
    yield "Where a regulation contradicts itself, cites wrongly, or is silent, this register has"
    yield "the problem and the reading that is used. It is an engineering record, not legal advice."
    yield "`croupier law interpretations` prints it."
    yield ""
    for entry in register["interpretations"]:
        yield f"({slug(entry['id'])})="
        yield f"## {entry['id']}: {_plain(entry['title'])}"
        yield ""
        yield _plain(entry["problem"])
        yield ""
        yield f"**Reading used** ({entry['standing']}): {_plain(entry['reading'])}"
        yield ""
        for name, reading in entry["readings"].items():
            yield f"* `{name}`: {_plain(reading)}"
        yield ""
        for one in entry["laws"]:
            if one["clauses"]:
                law = book().of(one)
                links = law.links(one["clauses"], "../laws/")
                yield f"<p class='ids'>{safe(law.title)}: {links}</p>"
                yield ""


def _plain(text: str) -> str:
    """Return text that Markdown must not read as marks of its own."""
    return re.sub(r"([\\`*_{}\[\]<>|#])", r"\\\1", text)
