"""``croupier submission diff``: two submissions compared, and the notices that are then due."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from croupier.cli.files import document_options, input_file
from croupier.cli.output import blank, headline, print_json, print_text
from croupier.cli.rules import rules_of
from croupier.cli.submission.differences import differences
from croupier.money.settlement import dollars

if TYPE_CHECKING:
    from croupier.cli.submission.documents import (
        ChangedEdge,
        SubmissionDifferences,
    )

_MOMENTS: Final = {
    "round": "after a round is concluded",
    "submission": "with the rules submission, while the table is closed",
}

Lines = Iterator[tuple[int, str]]
"""The lines of a part, each with its indent."""


@click.command("diff", short_help="List what differs between two submissions, and notices due.")
@click.argument("old", type=input_file)
@click.argument("new", type=input_file)
@document_options("text", "json")
def diff(old: Path, new: Path, output_format: str) -> None:
    """List what differs between the submissions OLD and NEW: elections, limits, layout, readings,
    procedures, and the house edge of every wager.

    The notices that the regulation requires before the change are listed with their addressees,
    how long before, and their clauses, along with when the elections may change and which tables
    must change with them. Exit status: 2 if a submission is refused.
    """  # noqa: D205  (the command's help is its first paragraph)
    found = differences((old, new), (rules_of(old), rules_of(new)))
    if output_format == "json":
        print_json(found)
        return
    for word, side in (("Old", found["old"]), ("New", found["new"])):
        headline(f"{word}: {side['file']}")
        title = f"{side['title']}; " if side["title"] else ""
        print_text(f"{title}{side['law_title']} as of {side['in_force_from']}", indent=2)
        print_text(f"rules {side['rules_hash']}", indent=2)
        for warning in side["warnings"]:
            print_text(f"WARNING {warning}", indent=2)
    for title, lines in _parts(found).items():
        blank()
        headline(title)
        for indent, line in list(lines) or [(2, "none")]:
            print_text(line, indent=indent)


def _parts(found: SubmissionDifferences) -> Mapping[str, Lines]:
    parts = {
        "Elections": _elections(found),
        "Limits": _limits(found),
        "Table": ((2, f"{one['key']}: {one['old']} -> {one['new']}") for one in found["table"]),
        "Readings": _readings(found),
        "House edge": (line for one in found["edges"] for line in _edge(one)),
        "Procedures": _procedures(found),
    }
    if found["old"]["law"] != found["new"]["law"]:
        apart = "not determined: the submissions are under different regulations"
        return {**parts, "Notices due before the change": iter([(2, apart)])}
    return {
        **parts,
        "Notices due before the change": _notices(found),
        "When the elections may change": _moments(found),
        "Other tables that must change too": _uniformity(found),
    }


def _elections(found: SubmissionDifferences) -> Lines:
    for one in found["elections"]:
        yield 2, f"{one['id']}: {one['old'] or 'not elected'} -> {one['new'] or 'not elected'}"
        # Of an election that ends, the clauses are those that it had.
        yield 6, f"{one['title']} [{', '.join(one['new_cites'] or one['old_cites'])}]"


def _limits(found: SubmissionDifferences) -> Lines:
    for one in found["limits"]:
        yield 2, f"{one['title']}: {_span(one['old'])} -> {_span(one['new'])}"


def _span(limits: Mapping[str, Any] | None) -> str:
    if limits is None:
        return "none"
    return f"{dollars(limits['min_cents'])} to {dollars(limits['max_cents'])}"


def _readings(found: SubmissionDifferences) -> Lines:
    for one in found["readings"]:
        yield 2, f"{one['id']} {one['title']}: {_reading(one['old'])} -> {_reading(one['new'])}"
        if says := one["new_says"] or one["old_says"]:
            yield 6, says


def _reading(name: str | None) -> str:
    return name or "does not apply"


def _edge(one: ChangedEdge) -> Lines:
    was, becomes = _percent(one["old"]), _percent(one["new"])
    if one["old"] == one["new"]:
        yield 2, f"{one['title']}: {was}, unchanged"
        yield 6, f"exactly {one['old']}"
        return
    change = "" if one["change"] is None else f" ({_percent(one['change'], '+')})"
    yield 2, f"{one['title']}: {was} -> {becomes}{change}"
    yield 6, f"exactly {one['old'] or 'not offered'} -> {one['new'] or 'not offered'}"


def _percent(edge: str | None, sign: str = "") -> str:
    return "not offered" if edge is None else f"{float(Fraction(edge) * 100):{sign}.4f}%"


def _procedures(found: SubmissionDifferences) -> Lines:
    for one in found["procedures"]:
        yield 2, f"{one['change']}: {one['says']} [{', '.join(one['cites'])}]"


def _notices(found: SubmissionDifferences) -> Lines:
    for one in found["notices"]:
        span = "before the change" if one["minutes"] is None else f"{one['minutes']} minutes before"
        yield 2, f"{one['election']} = {one['value']}: to {' and '.join(one['to'])}, {span}"
        yield 6, f"{one['says']} [{', '.join(one['cites'])}]"


def _moments(found: SubmissionDifferences) -> Lines:
    for one in found["moments"]:
        yield 2, f"{', '.join(one['elections'])}: {_MOMENTS[one['moment']]}"
        yield 6, f"{one['says']} [{', '.join(one['cites'])}]"


def _uniformity(found: SubmissionDifferences) -> Lines:
    for one in found["uniformity"]:
        where = "the pit" if one["across"] == "pit" else "the licensee"
        yield 2, f"{', '.join(one['elections'])}: all tables of {where}"
        yield 6, f"{one['says']} [{', '.join(one['cites'])}]"
