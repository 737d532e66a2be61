"""Differences between two rules submissions, and between two regulations."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from typing import Final

from croupier.law.usage import counted
from croupier.reports.document import CLAUSES, WAGER, WAGER_ID, Data, document, fact, sides
from croupier.reports.law import key_of
from croupier.reports.tree import (
    DataTable,
    FactItem,
    FactList,
    Figure,
    Node,
    Note,
    Section,
    Tree,
    Value,
)

_OLD: Final = Figure("old", "Old")
_NEW: Final = Figure("new", "New")
_SAYS: Final = Figure("says", "Says")
_EDGES: Final = (
    Figure("old_edge", "Old", "percent"),
    Figure("new_edge", "New", "percent"),
    Figure("change", "Change", "percent", signed=True),
    Figure("old_exactly", "Old, exactly", "word"),
    Figure("new_exactly", "New, exactly", "word"),
)
_MOMENTS: Final = {
    "round": "after a round is concluded",
    "submission": "with the rules submission, while the table is closed",
}


def submission_diff_tree(found: Data) -> Tree:
    parts = [
        _elections(found),
        _limits(found),
        _part("Table", [_words("Fact"), _OLD, _NEW], [
            (one["key"], one["old"], one["new"]) for one in found["table"]
        ]),
        _readings(found),
        _edges(found),
        _procedures(found),
    ]  # fmt: skip
    if found["old"]["law"] == found["new"]["law"]:
        parts += [_notices(found), _moments(found), _uniformity(found)]
    else:
        warning = "Not determined: the submissions are under different regulations."
        parts.append(Section("Notices due before the change", [Note(warning)]))
    return document(
        "Comparison of two rules submissions",
        found,
        Note(_what_differs(found)),
        *sides(("Old", found["old"]), ("New", found["new"])),
        *parts,
        about=f"From {found['old']['file']} to {found['new']['file']}",
    )


def _what_differs(found: Data) -> str:
    edges = [one for one in found["edges"] if one["old"] != one["new"]]
    parts = (
        *((found[f"{noun}s"], noun) for noun in ("election", "limit", "reading", "procedure")),
        (found["table"], "table detail"),
        (edges, "house edge"),
    )
    differing = ", ".join(counted(len(rows), noun) for rows, noun in parts if rows)
    return f"Different: {differing}." if differing else "Nothing differs."


def _words(title: str) -> Figure:
    return Figure(title.lower().replace(" ", "_"), title)


def _part(title: str, columns: Sequence[Figure], rows: Sequence[Sequence[Value]]) -> Section:
    if not rows:
        return Section(title, [Note("None.")])
    return Section(title, [DataTable(columns, rows, page=title)], together=False)


def _elections(found: Data) -> Section:
    rows = [
        (
            f"{election['title']} ({election['id']})",
            election["old"] or "not elected",
            election["new"] or "not elected",
            # A dropped election has only its former clauses.
            election["new_cites"] or election["old_cites"],
        )
        for election in found["elections"]
    ]
    return _part("Elections", (_words("Election"), _OLD, _NEW, CLAUSES), rows)


def _limits(found: Data) -> Section:
    columns = (
        WAGER,
        *(
            Figure(f"{side}_{end}_cents", f"{side.capitalize()} {name}", "cents")
            for side in ("old", "new")
            for end, name in (("min", "minimum"), ("max", "maximum"))
        ),
        WAGER_ID,
    )
    rows = [
        (
            limit["title"],
            *(
                "none" if limit[side] is None else limit[side][end]
                for side in ("old", "new")
                for end in ("min_cents", "max_cents")
            ),
            limit["wager"],
        )
        for limit in found["limits"]
    ]
    return _part("Limits", columns, rows)


def _readings(found: Data) -> Section:
    rows = [
        (
            reading["id"],
            reading["title"],
            reading["old"] or "does not apply",
            reading["new"] or "does not apply",
            reading["new_says"] or reading["old_says"] or "",
        )
        for reading in found["readings"]
    ]
    columns = (Figure("entry", "Entry", "word"), _words("Title"), _OLD, _NEW, _SAYS)
    return _part("Readings", columns, rows)


def _edges(found: Data) -> Section:
    rows = [
        (
            one["title"],
            *("not offered" if one[key] is None else Fraction(one[key]) for key in ("old", "new")),
            None if one["change"] is None else Fraction(one["change"]),
            one["old"] or "not offered",
            one["new"] or "not offered",
            one["wager"],
        )
        for one in found["edges"]
    ]
    return _part("House edge", (WAGER, *_EDGES, WAGER_ID), rows)


def _procedures(found: Data) -> Section:
    rows = [(one["change"], one["says"], one["cites"]) for one in found["procedures"]]
    return _part("Procedures", (Figure("begins", "Change", "word"), _SAYS, CLAUSES), rows)


def _notices(found: Data) -> Section:
    rows = [
        (
            f"{one['election']} = {one['value']}",
            " and ".join(one["to"]),
            "before the change" if one["minutes"] is None else f"{one['minutes']} minutes before",
            one["says"],
            one["cites"],
        )
        for one in found["notices"]
    ]
    columns = (_words("A change to"), _words("Notice to"), _words("When"), _SAYS, CLAUSES)
    return _part("Notices due before the change", columns, rows)


def _moments(found: Data) -> Section:
    rows = [
        (", ".join(one["elections"]), _MOMENTS[one["moment"]], one["says"], one["cites"])
        for one in found["moments"]
    ]
    columns = (_words("Elections"), _words("When"), _SAYS, CLAUSES)
    return _part("When the elections may change", columns, rows)


def _uniformity(found: Data) -> Section:
    rows = [
        (
            ", ".join(difference["elections"]),
            f"all tables of {'the pit' if difference['across'] == 'pit' else 'the licensee'}",
            difference["says"],
            difference["cites"],
        )
        for difference in found["uniformity"]
    ]
    columns = (_words("Elections"), _words("Tables"), _SAYS, CLAUSES)
    return _part("Other tables that must change", columns, rows)


# --- two regulations -----------------------------------------------------------------------------

_HEADS: Final = {
    "value": "Other values",
    "procedure": "Other procedures",
    "reading": "Other readings that may be adopted",
    "choices": "Other choices or bounds",
    "condition": "Other conditions",
    "cites": "Other locations in the regulation",
    "substitute": "Missing from one regulation, which has a substitute",
    "constraint": "Constraints",
    "removed": "Only in A",
    "added": "Only in B",
}


def law_diff_tree(found: Data) -> Tree:
    changes = dict.fromkeys(difference["change"] for difference in found["differences"])
    nodes: list[Node] = [
        Section(letter, [FactList(_named(found[letter.lower()], letter))]) for letter in "AB"
    ]
    alike = Figure("alike", "Rules on which both regulations agree", "count")
    nodes.append(FactList([FactItem(alike, found["alike"])]))
    nodes += [
        Note(
            f"{letter} is an excerpt. A rule only in {other} is not formalized in {letter}; the "
            "regulation of that date may have had it."
        )
        for letter, other in (("A", "B"), ("B", "A"))
        if found[letter.lower()]["partial"]
    ]
    nodes += [_group(change, found) for change in _HEADS if change in changes]
    if not changes:
        nodes.append(Note("No difference of the kinds asked for."))
    return document(
        "Differences between two regulations",
        found,
        *nodes,
        about=f"From {key_of(found['a'])} to {key_of(found['b'])}",
    )


def _named(law: Data, letter: str) -> list[FactItem]:
    excerpt = ", an excerpt" if law["partial"] else ""
    key = letter.lower()
    return [
        fact("Regulation", key_of(law), f"{key}_law"),
        fact("Title", f"{law['law_title']}, {law['cited_as']}{excerpt}", f"{key}_title"),
        fact("Law SHA-256", law["law_hash"], f"{key}_law_hash"),
    ]


def _group(change: str, found: Data) -> Section:
    group = [difference for difference in found["differences"] if difference["change"] == change]
    lacking = {"removed": "b", "added": "a"}.get(change, "")
    note = ""
    if lacking and found[lacking]["partial"]:
        note = f", not formalized in {lacking.upper()}"
    columns = (
        _words("Rule"), _words("Regulation"), _SAYS, Figure("standing", "Standing", "word"), CLAUSES
    )  # fmt: skip
    rows = [row for difference in group for row in _rows(difference, alone=bool(lacking))]
    title = f"{_HEADS[change]}{note}: {len(group)}"
    return Section(title, [DataTable(columns, rows, page=_HEADS[change])], together=False)


def _rows(found: Data, *, alone: bool) -> Iterator[tuple[Value, ...]]:
    name = f"{found['id']}  {found['title']}"
    for letter in "ab":
        side = found[letter]
        if side is not None:
            yield name, letter.upper(), side["says"], side["standing"], side["clauses"]
        elif not alone:
            lacks = "not formalized in this excerpt" if found["excerpt"] else "no such constraint"
            yield name, letter.upper(), lacks, "", None
        name = "" if found["a"] is not None else name
