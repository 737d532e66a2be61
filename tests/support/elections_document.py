"""docs/elections.md, made of the law files: what every text leaves to the licensee."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Final

from croupier.law.interpretations import interpretations
from croupier.law.model import Instrument, Interpretation, Rule
from croupier.law.resolve import instruments
from croupier.law.values import Value
from support.project import ROOT

DOCUMENT: Final = ROOT / "docs" / "elections.md"


def table(*rows: tuple[str, ...]) -> str:
    """Return rows as a table of Markdown; the first is its head."""
    head, *body = (f"| {' | '.join(row)} |" for row in rows)
    return "\n".join([head, "|" + "---|" * len(rows[0]), *body])


def code(*words: str) -> str:
    """Return words as code, with commas."""
    return ", ".join(f"`{word}`" for word in words)


def _choices(law: Instrument, rule: Rule) -> str:
    """Tell what may be elected, and the clauses of a choice that has some of its own."""

    def choice(value: Value) -> str:
        written = rule.written(value)
        own = rule.cites_by.get(written)
        return f"`{written}`" if own is None else f"`{written}` ({code(*own)})"

    if rule.choices:
        return ", ".join(map(choice, rule.choices))
    if tables := {**rule.at_least_any, **rule.one_of}:
        named = (f"`{name}` ({code(*law.rules[one].cites)})" for name, one in tables.items())
        return ", ".join(named) + (", or better on every line" if rule.at_least_any else "")
    return rule.left_open


def _condition(law: Instrument, wanted: Mapping[str, tuple[Value, ...]]) -> str:
    return "; ".join(
        f"`{name}` is {' or '.join(f'`{law.rules[name].written(value)}`' for value in values)}"
        for name, values in wanted.items()
    )


def _elections(law: Instrument) -> str:
    return table(
        ("election", "value", "choices", "counts only where", "clauses"),
        *(
            (
                code(rule.id),
                rule.title,
                _choices(law, rule),
                _condition(law, rule.applies_when),
                code(*rule.cites),
            )
            for rule in law.elections
        ),
    )


def _constraints(law: Instrument) -> str:
    return table(
        ("kind", "condition", "clauses"),
        *((one.kind.value, one.says, code(*one.cites)) for one in law.constraints),
    )


def readings() -> str:
    """Return the table of the readings that may be elected."""
    return table(
        ("id", "name", "in doubt", "readings; the first is taken unless another is named"),
        *(
            (code(entry.id), code(entry.name), entry.title, "<br>".join(_readings(entry)))
            for entry in interpretations().values()
            if entry.readings
        ),
    )


def _readings(entry: Interpretation) -> list[str]:
    taken_first = sorted(entry.readings, key=lambda name: name != entry.reading)
    told = [f"`{name}`: {entry.readings[name]}" for name in taken_first]
    return [*told, "Never taken unless it is named."] if entry.acknowledge else told


def _parts() -> Iterator[str]:
    yield "# What each text leaves to the licensee"
    yield (
        "Made of the law files, text by text: the elections that a rules submission fills in, and"
        " the ties between them. The format is described in"
        " [rules-submission.md](rules-submission.md)."
    )
    for law in instruments():
        if not law.elections:
            continue
        extent = ", of which a fragment is held" if law.partial else ""
        yield f"## {law.title}, as of {law.in_force_from}{extent}"
        yield f"`{law.id}`"
        yield _elections(law)
        if law.constraints:
            yield _constraints(law)


def document() -> str:
    """Return the whole document."""
    return "\n\n".join(_parts()) + "\n"
