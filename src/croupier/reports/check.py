"""Rules submissions, checked: the games or every error; and the dossier of an accepted one."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from typing import Final

from croupier.law.usage import counted
from croupier.reports.document import (
    CLAUSE,
    CLAUSES,
    HIT_FREQUENCY,
    HOUSE_EDGE,
    MAX_BET,
    MAX_WIN,
    MIN_BET,
    READING,
    RTP,
    SAYS,
    WAGER,
    WAGER_ID,
    Data,
    document,
    fact,
    in_words,
    plain,
    table_section,
)
from croupier.reports.tree import (
    Bullets,
    Conclusion,
    DataTable,
    Drawn,
    FactList,
    Figure,
    Node,
    Note,
    Section,
    SignatureLines,
    Tree,
    Value,
    row,
)

_PAYS: Final = Figure("pays", "Pays")
_UNIT: Final = Figure("unit_cents", "Unit", "cents")


def check_tree(
    data: Data, together: str = "", *, readings: bool = False, checklist: bool = False
) -> Tree:
    """Report on checked submissions.

    ``together`` is ``pit`` or ``facility`` if the tables were to be checked as one. ``readings``
    lists every reading in full, ``checklist`` the items that people sign.
    """
    nodes: list[Node] = []
    for submission in data["submissions"]:
        if not submission["accepted"]:
            nodes.append(_refused(submission["file"], submission))
            continue
        nodes.append(_accepted(submission, readings=readings))
        if checklist:
            nodes.append(_checklist(submission))
    if together:
        nodes += _together(data, together)
    number = counted(len(data["submissions"]), "file")
    return document("Check of rules submissions", data, *nodes, about=f"{number} checked")


def _refused(name: str, submission: Data) -> Section:
    if submission.get("unreadable"):
        return Section(f"{name}: not a rules submission", [Bullets(submission["unreadable"])])
    errors = [
        f"{_place(name, error)}{error['where']}: {error['message']}"
        + (f"\n[{', '.join(error['clauses'])}]" if error["clauses"] else "")
        for error in submission["errors"]
    ]
    sentence = f"{name}: refused, {counted(len(errors), 'error')}"
    return Section(sentence, [Bullets(errors)])


def _place(file: str, error: Data) -> str:
    numbers = [str(number) for number in (error["line"], error["column"]) if number is not None]
    return f"{':'.join([file, *numbers])}: " if numbers else ""


def _together(data: Data, together: str) -> Iterator[Node]:
    result = data[together]
    if result is None:
        sentence = f"{together}: not checked, because not every table was accepted"
        yield Conclusion(sentence, passes=False)
        return
    groups = [(f"pit {pit['name']}", pit) for pit in result.get("pits", ())]
    for name, group in [*groups, (together, result)]:
        yield (
            Conclusion(f"{name}: accepted, {counted(group['tables'], 'table')}", passes=True)
            if group["accepted"]
            else _refused(name, group)
        )


def _accepted(game: Data, *, readings: bool) -> Section:
    name, _, elected = game["departures"].partition(": ")
    facts = [
        fact("Regulation", name),
        fact("Not default", "none" if elected == "default elections" else elected),
        fact("Submission", game["title"] or "untitled"),
        fact("Rules SHA-256", game["rules_hash"]),
        fact("Law SHA-256", game["law_hash"]),
    ]
    vigorish = game["vigorish"]
    return Section(
        f"{game['file']}: accepted",
        [
            FactList(facts),
            *(Note(warning, "warning") for warning in game["warnings"]),
            _wagers(game["wagers"]) if game["wagers"] else _elections(game["elected"]),
            *([] if vigorish is None else [Note(f"Vigorish (commission): {vigorish['says']}")]),
            *_substitutes(game["interpretations"]),
            *_readings(game["interpretations"], whole=readings),
        ],
        together=False,
    )


def _wagers(wagers: Sequence[Data]) -> DataTable:
    rows = [
        (
            wager["title"],
            _pays(wager["pays"]),
            *("none" if wager[key] is None else wager[key] for key in ("min_cents", "max_cents")),
            wager["unit_cents"],
            wager["wager"],
        )
        for wager in wagers
    ]
    return DataTable((WAGER, _PAYS, MIN_BET, MAX_BET, _UNIT, WAGER_ID), rows, page="Wagers")


def _pays(lines: Mapping[str, str | None]) -> str:
    if len(set(lines.values())) == 1:
        return next(iter(lines.values())) or "push"
    # A way to win that this text does not know pays as any other win.
    titles = {
        line: pays
        for line, pays in lines.items()
        if not (line.startswith("win_") and pays == lines.get("win"))
    }
    return "\n".join(f"{line.replace('_', ' ')}: {pays or 'push'}" for line, pays in titles.items())


def _elections(elections: Mapping[str, str]) -> DataTable:
    columns = (Figure("election", "Election", "word"), Figure("elected", "Elected"))
    return DataTable(columns, list(elections.items()), page="Elections")


def _substitutes(entries: Sequence[Data]) -> Iterator[Node]:
    for entry in entries:
        if entry["fills_in"]:
            status = f"{entry['standing']} {entry['id']}"
            yield Note(f"Not in this regulation ({status}): {entry['title']}")
            yield Bullets([", ".join(entry["fills_in"])])


def _readings(entries: Sequence[Data], *, whole: bool) -> Iterator[Node]:
    yield Note(f"Relies on {counted(len(entries), 'reading')} from the interpretations register.")
    rows, other_entries = [], []
    for entry in entries:
        if whole or entry["alternatives"]:
            elected = f" ({entry['reading']})" if entry["alternatives"] else ""
            rows.append((entry["id"], f"{entry['title']}{elected}: {entry['says']}"))
        else:
            other_entries.append(entry["id"])
    if rows:
        yield DataTable((READING, SAYS), rows, page="Readings")
    if other_entries:
        names = ", ".join(other_entries)
        yield Note(f"With no alternative: {names}; --readings shows them in full.")


def on_file(item: Data) -> str:
    reason = item["reason"] or ("" if item["documents"] else "Kept on file with the submission.")
    return "\n".join([*filter(None, [reason]), *(f"On file: {one}" for one in item["documents"])])


def _checklist(game: Data) -> Section:
    items = [
        f"[ ] {item['says']} [{item['cited']}]\n"
        f"{on_file(item)}\n"
        "Signed: ____________________  Date and time: ____________________"
        for item in game["checklist"]
    ]
    place = f"pit {game['pit']}, table {game['table']}" if game["table"] else "this table"
    title = f"Checklist for the opening of {place}: {counted(len(items), 'item')}"
    return Section(title, [Bullets(items)], together=False)


# --- the dossier ----------------------------------------------------------------------------------


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
        _wager_sections, _election_sections, _exact, _procedures, _constraints, _notices,
        _reading_sections, _checklist_sections,
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


def _wager_sections(dossier: Data) -> list[Section]:
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


def _election_sections(dossier: Data) -> list[Section]:
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


def _reading_sections(dossier: Data) -> list[Section]:
    rows = [
        (
            text["id"],
            f"{text['title']}. {text['problem']}",
            text["says"] + (" (elected)" if text["is_elected"] else ""),
        )
        for text in dossier["reading_texts"]
    ]
    return table_section("Readings", _words("Entry", "In doubt", "Reading taken"), rows)


def _checklist_sections(dossier: Data) -> list[Section]:
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
