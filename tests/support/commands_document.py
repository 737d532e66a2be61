"""docs/commands.md, made of the table: what decides each command, by which rules and clauses."""

from __future__ import annotations

from typing import Final

from croupier.acts.command import TERMS, CommandTerms
from croupier.law.resolve import instruments
from croupier.table.machine.core import deciders
from support.elections_document import code, table
from support.project import ROOT

DOCUMENT: Final = ROOT / "docs" / "commands.md"

HEAD: Final = """# Commands

What decides each command of a table: the function, the rules that it carries out, and the clauses of all texts on
which these rules stand. The first rule answers a command that comes at the wrong time. What a command needs, and what
comes of it, stands in the function and in [table-log.md](table-log.md). This page is made by `tests/regolden.py`.
"""


def _clauses(rules: tuple[str, ...]) -> tuple[str, ...]:
    return tuple(
        dict.fromkeys(
            clause
            for text in instruments()
            for rule_id in rules
            if rule_id in text.rules
            for clause in text.rules[rule_id].cites
        )
    )


def _who(row: CommandTerms) -> str:
    """Return which office does an act, with whose consent, and whose act it may not be."""
    told = " or ".join(row.does)
    if row.together:
        # An office that consents to its own act is another person of it.
        others = (
            f"another {one}"
            if row.consents_of(one) > 1
            else f"a {one} unless one gives it"
            if one in row.does
            else one
            for one in row.together
        )
        told += f", with {' and '.join(others)}"
    for office, case in row.besides.items():
        told += f", and {office} {case}"
    if row.apart:
        told += f", not by whoever did {code(*row.apart)}"
    return told if row.rule else f"{told} (house)"


def document() -> str:
    """Return the page."""
    rows = sorted(
        (
            f"`{command.__name__}`",
            _who(TERMS[command.__name__]),
            f"`{function.__module__.removeprefix('croupier.')}.{function.__name__}`",
            code(*rules),
            code(*_clauses(rules)),
        )
        for command, (function, rules) in deciders().items()
    )
    return f"{HEAD}\n{table(('command', 'office', 'decided by', 'rules', 'clauses'), *rows)}\n"
