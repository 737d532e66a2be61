"""docs/law-rules.md, made of the contracts: every rule that the program implements."""

from __future__ import annotations

from typing import Final

from croupier.law.contracts import Contract, contracts
from croupier.law.interpretations import interpretations, reading_ids
from croupier.law.resolve import rule_titles
from croupier.law.values import parse_value, written
from support.elections_document import code, table
from support.project import ROOT

DOCUMENT: Final = ROOT / "docs" / "law-rules.md"

_HEAD: Final = """\
# Every rule a law can state

Every rule that the program implements, with its contract: [law-file.md](law-file.md#contracts) explains the columns. The
title is that of the latest included law that has the rule, or else of the contract. This page is generated from
`src/croupier/law/contracts.toml`; `croupier schema law-file` prints the same for an editor.

"""


_READINGS: Final = """\
## Readings

A law to which one of these conditions applies needs an answer, from the register of the package or from
[its own](law-file.md#the-register-of-a-folder).

"""


def document() -> str:
    """Return the page."""
    register = interpretations()
    ids = reading_ids(register)
    titles = rule_titles()
    rows = (
        (
            code(rule_id),
            titles[rule_id],
            one.kind.value,
            _allowed(one),
            ", ".join(one.needed_by),
            _when(one),
        )
        for rule_id, one in contracts().rules.items()
    )
    rules = table(("rule", "what it determines", "kind", "allowed", "needed by", "needed"), *rows)
    cited = code(*contracts().constraints)
    asked = table(
        ("reading", "answers", "asked for if"),
        *(
            (code(name), code(*register[ids[name]].readings), " or ".join(map(code, one.when)))
            for name, one in contracts().readings.items()
        ),
    )
    return f"{_HEAD}{rules}\n\n{_READINGS}{asked}\n\nConstraints may have any id; functions cite {cited}.\n"


def _allowed(contract: Contract) -> str:
    parts = [code(*(written(contract.kind, one) for one in contract.allowed))]
    if contract.only is not None:
        parts.append(
            f"only {code(written(contract.kind, parse_value(contract.kind, contract.only)))}"
        )
    if contract.rows:
        parts.append(f"rows {code(*contract.rows)}")
    if contract.pattern:
        parts.append(f"each {code(contract.pattern)}")
    parts += [f"{row} {code(pattern)}" for row, pattern in contract.row_patterns.items()]
    if contract.by != "licensee":
        parts.append(f"by {contract.by}")
    return "; ".join(part for part in parts if part)


def _when(contract: Contract) -> str:
    when = " or ".join(map(code, contract.when))
    unless = " or ".join(map(code, contract.unless))
    return " ".join(
        part
        for part in (f"if {when}" if when else "", f"unless {unless}" if unless else "")
        if part
    )
