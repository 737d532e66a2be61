"""Draft the law file of an amended regulation: a full copy with ``# AMEND:`` review marks."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final

from croupier.law.faults import LawError
from croupier.law.model import Instrument, section

MARK: Final = "# AMEND:"
"""Prefix of the comment above a place that needs review."""


def lay_out(text: Instrument, source: str, on: date) -> str:
    if on <= text.in_force_known:
        raise LawError(
            f"{text.key} is known to have been in force until {text.in_force_known}: an "
            f"amendment must come into force after that date, not on {on}"
        )
    lines = source.splitlines()
    begin = lines.index("[instrument]")
    end = next(number for number in range(begin + 1, len(lines)) if lines[number].startswith("[["))
    # Comments above the first table belong to it.
    while not lines[end - 1] or lines[end - 1].startswith("#"):
        end -= 1
    laid = [
        *_opening(text, on),
        *_head(lines[begin:end], text, on),
        *_order(on),
        *_body(lines[end:], text),
    ]
    return "\n".join(laid) + "\n"


def _opening(text: Instrument, on: date) -> Iterator[str]:
    yield f"# {text.title}, as amended on {on}; laid out from {text.key}."
    yield f"# Compare each place below {MARK.removeprefix('# ')} with the new text, then delete it."
    alone = [entry.id for entry in text.register.values() if text.key in entry.laws]
    if alone:
        yield f"{MARK} the register names {text.key} in {', '.join(alone)}: add {text.id}@{on}"
        yield "# there if the doubt remains."
    yield ""


def _head(lines: Sequence[str], text: Instrument, on: date) -> Iterator[str]:
    new = {"in_force_from": on, "in_force_known": on, "observed_on": max(on, text.observed_on)}
    marks = {
        "in_force_known": "the last date on which this text is known to have been in force",
        "observed_on": "the date on which the source was read",
        "partial": "whether the text is complete",
        "note": "what a reader should know about the source",
    }
    listing = False
    for line in lines:
        key = line.partition(" = ")[0]
        if key in marks:
            yield f"{MARK} {marks[key]}"
        listing |= key == "amended"
        if listing and line.endswith("]"):
            listing = False
            days = line.removesuffix("]")
            if days:
                yield days if days.endswith(("[", ",")) else f"{days},"
            yield f"  {on},"
            yield "]"
        else:
            yield f"{key} = {new[key]}" if key in new else line


def _order(on: date) -> Iterator[str]:
    # The contents of the amendment are unknown here.
    yield f"{MARK} what the text says about this amendment; omit if nothing"
    yield "# [[amendment]]"
    yield f"# on = {on}"
    yield '# sections = ["..."]'
    yield '# by = "the order, as people cite it"'
    yield '# note = "what changed, paraphrased"'


def _body(lines: Iterable[str], text: Instrument) -> Iterator[str]:
    seen: set[str] = set()
    held: list[str] = []
    for line in lines:
        if line == "[[clause]]":
            held.append(line)
            continue
        found = re.fullmatch(r"""id = (["'])(.+)\1""", line)
        clause = text.clauses.get(found[2]) if held and found else None
        if clause is not None:
            place = section(clause.id)
            if place not in seen:
                seen.add(place)
                yield (
                    f"{MARK} {text.citation}{place}: clauses added, changed, removed, or renumbered"
                )
            if clause.interpretations:
                yield f"{MARK} does {', '.join(clause.interpretations)} still stand?"
        yield from held
        held.clear()
        yield line
