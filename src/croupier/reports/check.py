"""Rules submissions, checked: the resulting games, or every error with its clauses."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from croupier.law.usage import counted
from croupier.reports.document import (
    MAX_BET,
    MIN_BET,
    READING,
    SAYS,
    WAGER,
    WAGER_ID,
    Data,
    document,
    fact,
)
from croupier.reports.tree import (
    Bullets,
    Conclusion,
    DataTable,
    FactList,
    Figure,
    Node,
    Note,
    Section,
    Tree,
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
