"""The dossier of a rules submission."""

from __future__ import annotations

from fractions import Fraction
from typing import Final

from croupier.reports.check import on_file
from croupier.reports.document import (
    CLAUSE,
    CLAUSES,
    HIT_FREQUENCY,
    HOUSE_EDGE,
    MAX_BET,
    MAX_WIN,
    MIN_BET,
    RTP,
    WAGER,
    WAGER_ID,
    Data,
    fact,
    in_words,
    plain,
    table_section,
)
from croupier.reports.tree import (
    Conclusion,
    Drawn,
    FactList,
    Figure,
    Note,
    Section,
    SignatureLines,
    Tree,
    Value,
    row,
)

_SIGNED: Final = ("Prepared by", "Checked by", "Approved by")
"""Signatures of a dossier; the regulation specifies the required ones."""

_KINDS: Final = {
    "requires": "Met",
    "excludes": "Met",
    "uniform": "Same at all tables",
    "moment": "When it changes",
}

_MEANING: Final = (
    "House edge is the average amount kept per unit staked, exact for a fresh shoe; RTP (return to "
    "player) is 100% minus the house edge. Odds are before vigorish (commission), and the edge is "
    "after it."
)

_LINE: Final = "_" * 16
"""Line for a signature or a date."""


def dossier_tree(dossier: Data) -> Tree:
    table = dossier["table"]
    place = (
        f"Pit {table['pit']}, table {table['table']}: {table['seats']} seats, numbered"
        f" {table['numbering']}"
    )
    law = f"{dossier['law_title']} ({dossier['law']}), in force from {dossier['in_force_from']}"
    elections = len(dossier["elections"])
    vigorish = dossier["vigorish"]
    verdict = Conclusion(
        f"Accepted: the regulation permits these {elections} elections.",
        passes=True,
        more=[] if vigorish is None else [f"Vigorish (commission): {vigorish}."],
    )
    parts = (
        _wagers, _elections, _exact, _procedures, _constraints, _notices, _readings, _checklist,
    )  # fmt: skip
    return Tree(
        f"Rules submission: {dossier['title'].strip() or 'untitled'}",
        f"{law}. {place}.",
        [
            verdict,
            *(Note(warning, "warning") for warning in dossier["warnings"]),
            _provenance(dossier),
            *(section for part in parts for section in part(dossier)),
            Section("Signatures", [SignatureLines(_SIGNED)]),
            *in_words(
                "Clauses cited", CLAUSE, dossier["clauses"], "In the order of the regulation"
            ),
        ],
        {name: str(dossier[name]) for name in ("law", "in_force_from", "title", "rules_hash")},
        dossier["rules_hash"],
    )


def _provenance(dossier: Data) -> FactList:
    file = dossier["file"]
    citation = dossier["citation"].rstrip("- ")
    facts = (
        ("Regulation", f"{dossier['law_title']} ({dossier['law']}), {citation}"),
        ("Authority", dossier["authority"]),
        ("In force", f"from {dossier['in_force_from']}, known to {dossier['in_force_known']}"),
        ("Law edition", str(dossier["edition"])),
        ("Law SHA-256", dossier["law_hash"]),
        ("Submission file", f"{file['name']}, {file['bytes']:,} bytes"),
        ("File SHA-256", file["sha256"]),
        ("Rules SHA-256", dossier["rules_hash"]),
        ("Program", f"{dossier['program']} {dossier['version']}"),
        ("Reproduce with", dossier["reproduce"]),
    )
    return FactList([fact(*one) for one in facts])


def _words(*names: str) -> list[Figure]:
    return [Figure(name.lower().replace(" ", "_"), name) for name in names]


def _wagers(dossier: Data) -> list[Section]:
    columns = (
        WAGER, Figure("pays", "Pays"), MIN_BET, MAX_BET, Figure("unit_cents", "Unit", "cents"),
        plain(MAX_WIN), plain(HOUSE_EDGE), plain(RTP), WAGER_ID,
    )  # fmt: skip
    rows = [
        (
            wager["title"],
            "\n".join(wager["pays"]),
            *(_or(wager[key], "none") for key in ("min_cents", "max_cents", "unit_cents")),
            "no bound" if wager["max_win_meters"] else _or(wager["max_win_cents"], "none"),
            *(_rate(wager[key]) for key in ("house_edge", "return_to_player")),
            wager["id"],
        )
        for wager in dossier["wagers"]
    ]
    priced = any(wager["house_edge"] is not None for wager in dossier["wagers"])
    return table_section(
        "Wagers",
        columns,
        rows,
        *([Note(_MEANING, "meaning")] if priced else []),
        caption="What each wager pays, its limits, and what it keeps",
        drawn=[Drawn(["house_edge"], "House edge of each wager")],
    )


def _or(value: Value, if_missing: str) -> Value:
    return if_missing if value is None else value


def _rate(text: str | None) -> Value:
    return "not priced" if text is None else Fraction(text)


def _elections(dossier: Data) -> list[Section]:
    rows = [
        (
            f"{election['title']} ({election['id']})",
            election["elected"] + ("" if election["is_default"] else " *"),
            election["left_open"],
            election["cites"],
        )
        for election in dossier["elections"]
    ]
    asterisk = "An asterisk marks a choice other than the default of the program."
    columns = (*_words("Election", "Elected", "Left open"), CLAUSES)
    return table_section("Elections", columns, rows, Note(asterisk, "meaning"))


def _exact(dossier: Data) -> list[Section]:
    columns = (
        WAGER,
        plain(HOUSE_EDGE),
        Figure("house_edge_exactly", "Exactly"),
        plain(HIT_FREQUENCY),
        CLAUSES,
    )
    rows = [
        row(columns, wager, wager_title=wager["title"], house_edge_exactly=wager["house_edge"])
        for wager in dossier["wagers"]
        if wager["house_edge"] is not None
    ]
    return table_section("Exact figures", columns, rows)


def _procedures(dossier: Data) -> list[Section]:
    rows = [(one["says"], one["because"], one["cites"]) for one in dossier["procedures"]]
    title = "Procedures that follow from the elections"
    return table_section(title, (*_words("Procedure", "Because"), CLAUSES), rows)


def _constraints(dossier: Data) -> list[Section]:
    rows = [(one["says"], _KINDS[one["kind"]], one["cites"]) for one in dossier["constraints"]]
    return table_section("Constraints", (*_words("Constraint", "Status"), CLAUSES), rows)


def _notices(dossier: Data) -> list[Section]:
    rows = [
        (
            f"{', '.join(notice['elections'])}: {notice['says']}",
            ", ".join(notice["to"]),
            "before the change" if notice["minutes"] is None else f"{notice['minutes']} minutes",
            notice["cites"],
        )
        for notice in dossier["notices"]
    ]
    columns = (*_words("A change of", "Notice to", "How long before"), CLAUSES)
    return table_section("Notices", columns, rows)


def _readings(dossier: Data) -> list[Section]:
    rows = [
        (
            text["id"],
            f"{text['title']}. {text['problem']}",
            text["says"] + (" (elected)" if text["is_elected"] else ""),
        )
        for text in dossier["reading_texts"]
    ]
    return table_section("Readings", _words("Entry", "In doubt", "Reading taken"), rows)


def _checklist(dossier: Data) -> list[Section]:
    columns = (
        Figure("condition", "Condition"),
        Figure("citation", "Clause", "word"),
        Figure("reason", "Reason"),
        Figure("signed", "Signed", "word", decoration=True),
        Figure("signed_at", "Date, time", "word", decoration=True),
    )
    rows = [
        (item["says"], item["citation"], on_file(item), _LINE, _LINE)
        for item in dossier["checklist"]
    ]
    return table_section("Checklist: physical and filing conditions", columns, rows)
