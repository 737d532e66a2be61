"""Verifications of logs and of an installation, chains in words, and the accounts of a log."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Final

from croupier.law.usage import counted
from croupier.reports.document import CLAUSES, Data, document, fact
from croupier.reports.tree import (
    Bullets,
    Conclusion,
    DataTable,
    FactItem,
    FactList,
    Figure,
    Node,
    Note,
    Section,
    Tree,
)

ENTRIES: Final = Figure("entries", "Entries recomputed", "count")
EVENTS: Final = Figure("events", "Events recomputed", "count")
ROUNDS: Final = Figure("rounds", "Rounds recomputed", "count")
TABLE_WIN: Final = Figure("table_win_cents", "Table win", "cents")


def log_verification_tree(data: Data, log: str = "The log") -> Tree:
    return document(f"Verification of {log}", data, *_verified(data, log))


def logs_verification_tree(data: Data) -> Tree:
    logs, counts = data["logs"], (ENTRIES, ROUNDS, TABLE_WIN)
    failed = [one for one in logs if not one["clean"]]
    says = (
        f"FAIL: {len(failed)} of {len(logs)} logs do not conform" if failed else "PASS: all conform"
    )
    columns = [Figure("log", "Log"), *counts, Figure("clean", "Conforms")]
    rows = [[one["log"], *(one[of.id] for of in counts), _conforms(one)] for one in logs]
    return document(
        f"Verification of {counted(len(logs), 'log')}",
        data,
        Conclusion(f"{says} to the rules.", passes=not failed),
        DataTable(columns, rows),
        *(node for one in failed for node in _verified(one, one["log"])),
        *(Section(one["log"], [Bullets(_in_short(one))]) for one in logs if one["clean"]),
        about=", ".join(dict.fromkeys(one["law_title"] for one in logs)),
    )


def _conforms(data: Data) -> str:
    if not data["clean"]:
        return "NO"
    return "so far" if data["open"] else "yes"


def _in_short(data: Data) -> list[str]:
    verdict = _verdict(data, data["log"])
    return [verdict.says, *verdict.more, *_sentences(data)]


def _verified(data: Data, log: str) -> list[Node]:
    found, sentences = data["divergence"], [*_sentences(data)]
    facts = [
        FactItem(ENTRIES, data["entries"]),
        FactItem(EVENTS, data["events"]),
        FactItem(ROUNDS, data["rounds"]),
        *(
            FactItem(Figure(name, _title(name), "count"), number)
            for name, number in data["results"].items()
            if number or name != "no_result"
        ),
        FactItem(TABLE_WIN, data["table_win_cents"]),
        fact("Ledger", "in balance" if data["ledger_in_balance"] else "NOT in balance"),
        fact("Head", f"entry {data['head']['entry']}, {data['head']['sha256']}"),
        fact("Edition of the regulation", str(data["edition"])),
        # A label of a trust file is what its author wrote.
        *(
            fact(title, f"the key whose SHA-256 is {key}")
            for title, key in (
                ("Law vouched for by", data.get("law_vouched_by")),
                ("Signed with", (data.get("signed_through") or {}).get("key_id")),
            )
            if key
        ),
    ]
    return [
        _verdict(data, log),
        *([] if found is None else [_divergence(found)]),
        Section("What was verified" if found is None else "Before it", [FactList(facts)]),
        *([Section("Notes", [Bullets(sentences)])] if sentences else []),
    ]


def _title(result: str) -> str:
    return "Rounds without a result" if result == "no_result" else f"{result.capitalize()} results"


def place_of(found: Data) -> str:
    place = f"round {found['round']}" if found["round"] else "before the first round"
    clauses = f" [{', '.join(found['clauses'])}]" if found["clauses"] else ""
    return f"line {found['line']}, {place}: {found['message']}{clauses}"


def _verdict(data: Data, log: str) -> Conclusion:
    if (found := data["divergence"]) is not None:
        fails = "does not conform to the rules" if data["judged"] else "cannot be judged"
        return Conclusion(f"FAIL: {log} {fails}.", passes=False, more=[place_of(found)])
    if not data["clean"]:
        details = [
            finding["message"]
            for finding in data["findings"]
            if finding["fails"] and finding["kind"] == "signature"
        ]
        sentence = (
            f"FAIL: the signatures of {log} do not vouch for it."
            if details
            else f"FAIL: {log} records what is held against its keeper."
        )
        return Conclusion(sentence, passes=False, more=details)
    edition, signed = data["edition"], _signed(data)
    if data["other_edition"]:
        sentence = (
            f"OTHER EDITION: {log} was recorded under edition {edition} of the regulation, which "
            "was corrected since; it conforms in all that does not depend on the correction."
        )
        return Conclusion(sentence, passes=True, more=signed)
    extent = f" through entry {data['head']['entry']}; still open" if data["open"] else ""
    clauses = (
        f" (recorded under edition {edition}; citations since corrected)"
        if data["citations_corrected"]
        else ""
    )
    return Conclusion(
        f"PASS: {log} conforms to the rules{extent}{clauses}.", passes=True, more=signed
    )


def _signed(data: Data) -> list[str]:
    if (found := data["signed_through"]) is None:
        return []
    closed = ", the closing line included," if found["closed"] else ""
    sentence = f"Signed through entry {found['entry']} of {data['head']['entry']}{closed}"
    return [f"{sentence} by {found['key']} at {found['at']}; {found['unsigned']} unsigned."]


def _divergence(found: Data) -> Section:
    values = [
        fact(title, json.dumps(found[key], ensure_ascii=False))
        for key, title in (("expected", "Expected"), ("found", "Found"))
        if found[key] is not None
    ]
    facts = [
        FactItem(Figure("line", "Line", "count"), found["line"]),
        FactItem(Figure("round", "Round", "count"), found["round"]),
        fact("Kind", found["kind"]),
        FactItem(CLAUSES, found["clauses"]),
        *values,
    ]
    return Section("First divergence", [FactList(facts)])


def _sentences(data: Data) -> Iterator[str]:
    if data["torn_line"] is not None:
        yield f"Line {data['torn_line']} breaks off and was left out: it was never acknowledged."
    if differences := data["differences"]:
        yield f"Under today's edition {counted(len(differences), 'entry', 'entries')} would differ:"
        for difference in differences:
            yield f"{place_of(difference)}; corrected since: {', '.join(difference['corrections'])}"
    for finding in data["findings"]:
        round_ = f", round {finding['round']}" if finding["round"] else ""
        yield f"Finding{round_}: {finding['message']}."
    if data["unrecorded"]:
        names = ", ".join(data["unrecorded"])
        yield f"Not recorded by the version that wrote this log: {names}."
    head = f"Head: entry {data['head']['entry']}, {data['head']['sha256']}."
    if data["head_given"]:
        yield f"Every head given is in this log. {head}"
    elif data["divergence"] is not None:
        yield head
    else:
        yield (
            "No head was given, so nobody vouches that the log is whole and was not sealed again."
            f" {head}"
        )
    if (carried := data["continues"]) is not None and data["divergence"] is None:
        yield (
            "What it carries over is what the log before it ended with."
            if carried["compared"]
            else f"It continues log {carried['stream']} after entry {carried['entry']}, and what it"
            " carries over was not compared: give that log with --continues."
        )


def pit_verification_tree(data: Data, log: str = "The log") -> Tree:
    found, extent = data["divergence"], ""
    if data["open"]:
        extent = f" through entry {data['entries']}; still open"
    if found is not None:
        clauses = f" [{', '.join(found['clauses'])}]" if found["clauses"] else ""
        place = f"line {found['line']}: {found['message']}{clauses}"
        sentence = f"FAIL: {log} does not conform to the rules."
        verdict = Conclusion(sentence, passes=False, more=[place])
    elif data["clean"]:
        verdict = Conclusion(f"PASS: {log} conforms to the rules{extent}.", passes=True)
    else:
        verdict = Conclusion(f"FAIL: records of tables depart from {log}.", passes=False)
    tables = ", ".join(data["tables"]) or "no table; name their logs with --beside"
    facts = [
        fact("Pit", data["pit"]),
        FactItem(ENTRIES, data["entries"]),
        FactItem(EVENTS, data["events"]),
        fact("Checked against it", tables),
        fact("Head", f"entry {data['head']['entry']}, {data['head']['sha256']}"),
    ]
    meters = [
        (link, meter, cents) for link, of in data["meters"].items() for meter, cents in of.items()
    ]
    columns = (
        Figure("link", "Linked as"),
        Figure("meter", "Meter"),
        Figure("meter_cents", "Comes to", "cents"),
    )
    findings = [(one["table"], str(one["entry"] or ""), one["message"]) for one in data["findings"]]
    heads = (
        Figure("table", "Table", "word"), Figure("entry", "Entry", "word"),
        Figure("message", "Finding"),
    )  # fmt: skip
    return document(
        f"Verification of {log}",
        data,
        verdict,
        FactList(facts),
        *([Section("Meters", [DataTable(columns, meters, page="Meters")])] if meters else []),
        *([Section("Findings", [DataTable(heads, findings, page="Findings")])] if findings else []),
        about=f"The log of pit {data['pit']}",
    )


_LISTED: Final = 10
"""Maximum number of changed lines shown to people; a document lists them all."""


def chain_warnings(chain: Mapping[str, Any]) -> list[str]:
    """Return a warning for each of the first ten changed lines, and one for the rest."""
    faults = chain["faults"]
    warnings = [
        f"line {one['line']}: this record was changed: {one['message']}" for one in faults[:_LISTED]
    ]
    if others := len(faults) - len(warnings):
        warnings.append(f"{others:,} more lines of this record were changed")
    return [f"WARNING: {warning}" for warning in warnings]


def chain_in_words(chain: Mapping[str, Any]) -> str:
    head = chain["head"]
    extent = f"through entry {head['entry']}, {head['sha256']}"
    if chain["faults"]:
        return f"The chain of this record is BROKEN; it was checked {extent}."
    torn = "" if chain["torn_line"] is None else f" Line {chain['torn_line']} breaks off."
    is_open = "; still open" if chain["open"] else ""
    if part := chain.get("index"):
        return (
            f"Entries {part['first']} to {part['last']} of this record were read, and fit their"
            f" seals and an index made at {part['made_at']}, when the chain was intact"
            f" {extent}{is_open}.{torn} The rest was not read now: croupier verify checks it all."
        )
    return f"The chain of this record is intact {extent}{is_open}.{torn}"


# --- an installation -----------------------------------------------------------------------------


def doctor_tree(data: Data) -> Tree:
    faults = [item for item in data["found"] if item["standing"] == "fault"]
    verdict = f"Faults: {len(faults)}" if faults else "No fault"
    columns = (
        Figure("area", "Area", "word"),
        Figure("name", "Examined"),
        Figure("standing", "Standing", "word"),
        Figure("found", "Found"),
    )
    rows = [tuple(item[column.id] for column in columns) for item in data["found"]]
    advice = [
        f"{one['area']}, {one['name']}: {one['advice']}"
        for one in (*faults, *(item for item in data["found"] if item["standing"] == "note"))
    ]
    conclusion = Conclusion(verdict, not faults, advice)
    return document(
        "Examination", data, conclusion, DataTable(columns, rows), about="This installation"
    )


# --- the accounts of a table log ------------------------------------------------------------------


WIN: Final = Figure("win_cents", "Win", "cents")
HOLD: Final = Figure("hold", "Hold", "percent", 2)

_WIN_OF: Final = (
    ("in_transit_cents", "Chips in transit"),
    ("drop_cents", "Drop"),
    ("drop_short_cents", "Less: short in the drop count"),
    ("forms_cents", "Forms"),
    ("credits_cents", "Credits"),
    ("fills_cents", "Less: fills"),
    ("hand_pays_cents", "Less: awards paid by hand"),
    ("opened_cents", "Less: tray at the opening"),
)
"""Amounts besides the tray that determine the win."""

_IN_WIN: Final = (
    ("vigorish_cents", "Vigorish collected, in the win"),
    ("tray_short_cents", "Short in counts of the tray, in the win (over if negative)"),
    ("corrected_cents", "Corrected settlements, in the win"),
    ("unpaid_cents", "Kept for patrons who have left"),
    ("paid_later_cents", "Paid to patrons who came back for it"),
    ("uncollected_cents", "Not collected from patrons"),
)

_METERS: Final = (
    ("meters_opened_cents", "Meters at the opening"),
    ("seed_funding_cents", "Seed funding"),
    ("contributions_cents", "Contributions"),
    ("awarded_cents", "Awarded from meters"),
    ("linked_cents", "From linked tables"),
    ("meters_cents", "Meters and reserve at the end"),
    ("meters_off_cents", "Meters show more than their accounts"),
)
_DAY: Final = Figure("gaming_date", "Gaming day", "word", hidden=True)
_OF_SHOE: Final = (Figure("shoe", "Shoe", "count"), Figure("rounds", "Rounds", "count"), WIN)
_OF_SHIFT: Final = (
    Figure("shift", "Shift"),
    Figure("rounds", "Rounds", "count"),
    Figure("opened_cents", "Tray at the beginning", "cents"),
    Figure("tray_cents", "Tray at the end", "cents"),
    Figure("tray_short_cents", "Short", "cents"),
    Figure("drop_cents", "Drop", "cents"),
    WIN,
)
_ALWAYS: Final = {
    "drop_cents", "opened_cents", "vigorish_cents", "meters_opened_cents", "seed_funding_cents",
    "contributions_cents", "awarded_cents", "meters_cents",
}  # fmt: skip
"""Amounts that are shown even if they are zero."""


def ledger_tree(accounts: Data, *, is_warned: bool = False) -> Tree:
    record = accounts["record"]
    warnings = [] if is_warned else chain_warnings(record)
    days = accounts["days"]
    balances = [(name, cents) for name, cents in accounts["balances"].items() if cents]
    columns = (Figure("account", "Account"), Figure("balance_cents", "Balance", "cents"))
    return document(
        f"Ledger: {accounts['title']}",
        accounts,
        *(Note(warning) for warning in warnings),
        *([] if days else [Note("The table has not been opened.")]),
        *(Section(f"Gaming day {day['gaming_date']}", list(_day(day))) for day in days),
        Section(
            "Accounts at the end of the log",
            [
                DataTable(columns, balances, page="Accounts"),
                FactList([FactItem(TABLE_WIN, accounts["win_cents"])]),
                Note(chain_in_words(record)),
            ],
        ),
    )


def _day(day: Data) -> Iterator[Node]:
    if not day["reconciles"]:
        yield Conclusion(
            "The win does not follow from these amounts: verify the log.", passes=False
        )
    state = "closing count" if day["is_counted"] else "by the record, not counted"
    tray = Figure("tray_cents", f"Tray at the end, {state}", "cents")
    yield FactList(
        [
            fact("Gaming date", day["gaming_date"]),
            FactItem(Figure("rounds", "Rounds", "count"), day["rounds"]),
            FactItem(tray, day["tray_cents"]),
            *_amounts(day, _WIN_OF),
            FactItem(WIN, day["win_cents"]),
            *([] if day["hold"] is None else [FactItem(HOLD, Fraction(day["hold"]))]),
            *_amounts(day, _IN_WIN),
            *(_amounts(day, _METERS) if day["meters_opened_cents"] or day["meters_cents"] else ()),
        ]
    )
    for name, columns in (("shifts", _OF_SHIFT), ("shoes", _OF_SHOE)):
        # A single shift is the whole day.
        if len(day[name]) > (name == "shifts"):
            rows = [(day["gaming_date"], *(one[it.id] for it in columns)) for one in day[name]]
            yield DataTable((_DAY, *columns), rows, page=name.capitalize())


def _amounts(day: Data, captions: tuple[tuple[str, str], ...]) -> Iterator[FactItem]:
    for name, title in captions:
        if day[name] or name in _ALWAYS:
            yield FactItem(Figure(name, title, "cents"), day[name])
