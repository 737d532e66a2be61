"""A regulation, or some of its clauses with all related data."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from itertools import groupby
from operator import itemgetter
from typing import Final

from croupier.law.usage import counted
from croupier.reports.document import Data, document, fact
from croupier.reports.tree import (
    DataTable,
    FactItem,
    FactList,
    Figure,
    Node,
    Note,
    Section,
    Tree,
    row,
)  # fmt: skip

_CLASSES: Final = {"A": "logic", "B": "procedure at the table", "C": "physical or filing condition"}
_CODE: Final = ("Functions", "Commands", "Events")
_SOURCE: Final = {
    "address": "Read at",
    "sha256": "SHA-256 of what was read",
    "read_on": "Read on",
    "reader": "Reader",
    "second_reader": "Second reader",
}
_CLAUSE: Final = Figure("clause", "Clause", "word")
_STANDING: Final = Figure("standing", "Standing", "word")
_SAYS: Final = Figure("says", "Says")
_RULES: Final = (
    Figure("rule", "Rule", "word"),
    _STANDING,
    Figure("in_words", "Value, or what is left open"),
    Figure("entries", "Readings", "word"),
)


def law_tree(law: Data, *, below: Collection[str] = (), code: bool = False) -> Tree:
    """Clauses ``below`` are only listed; ``code`` adds functions, commands, events, and tests."""
    nodes = _text(law) if law["asked"] is None else _clauses(law, below, code=code)
    return document(
        law["law_title"] if law["asked"] is None else f"{law['law']} {law['asked']}",
        law,
        *nodes,
        facts=[
            fact("Authority", law["authority"]),
            fact("Known to have been in force", f"until {law['in_force_known']}"),
            fact("Observed", law["observed_on"]),
            *(fact(_SOURCE[key], value) for key, value in law["source"].items()),
            *(fact(f"Mechanism {name}", one) for name, one in law["mechanisms"].items()),
            fact("Extent", "partial" if law["partial"] else "complete"),
        ],
    )


def _text(law: Data) -> Iterator[Node]:
    rules_placed: set[str] = set()
    for name, group in groupby(law["clauses"], lambda one: _section(one["id"])):
        clauses = [*group]
        rules = [rule for rule in law["rules"] if _section(rule["cites"][0]) == name]
        rules_placed.update(rule["id"] for rule in rules)
        columns = (
            _CLAUSE,
            Figure("class", "Class", "word"),
            Figure("disposition", "Disposition", "word"),
            _STANDING,
            _SAYS,
        )
        rows = [row(columns, one, clause=one["id"]) for one in clauses]
        heading = clauses[0]["citation"].partition("(")[0]
        yield Section(heading, [DataTable(columns, rows), *_rule_table(rules)], together=False)
    if other_rules := [rule for rule in law["rules"] if rule["id"] not in rules_placed]:
        title = "What this text does not say, and its substitute"
        yield Section(title, [*_rule_table(other_rules)], together=False)


def _section(clause: str) -> str:
    return clause.partition("(")[0].partition("_")[0]


def _rule_table(rules: list[Data]) -> Iterator[Node]:
    if rules:
        yield DataTable(_RULES, [
            (rule["id"], rule["standing"], rule["in_words"], " ".join(rule["interpretations"]))
            for rule in rules
        ])  # fmt: skip


def _clauses(law: Data, below: Collection[str], *, code: bool) -> Iterator[Node]:
    printed: set[str] = set()
    for clause in law["clauses"]:
        if clause["id"] not in below:
            title = f"{clause['id']} ({clause['citation']})"
            yield Section(title, [*_clause(clause, law, printed, code=code)], together=False)
    if below:
        columns = (_CLAUSE, _SAYS)
        rows = [(one["id"], one["says"]) for one in law["clauses"] if one["id"] in below]
        hint = Note("--all shows them in full.")
        yield Section(f"Below {law['asked']}", [hint, DataTable(columns, rows)], together=False)
    interpretation_ids = {one for clause in law["clauses"] for one in clause["implemented_by"]}
    for rule in law["rules"]:
        if rule["id"] not in interpretation_ids:
            title = f"{rule['id']}: not in {law['citation'].strip(' ,')}"
            yield Section(title, [*_rule(rule), *_entries(rule, law, printed)], together=False)


def _clause(clause: Data, law: Data, printed: set[str], *, code: bool) -> Iterator[Node]:
    yield Note(clause["says"])
    reason = f": {clause['reason']}" if clause["reason"] else ""
    facts = [
        fact("Standing", clause["standing"]),
        fact("Class", f"{clause['class']}, {_CLASSES[clause['class']]}"),
        fact("Disposition", f"{clause['disposition']}{reason}"),
    ]
    if code:
        names = ((name, ", ".join(clause[name.lower()])) for name in _CODE)
        facts += [fact(name, listed or "none") for name, listed in names]
        facts.append(fact("Tests", _tests(clause["tests"])))
    if clause["outside"] is not None:
        facts.append(fact("Outside the table", clause["outside"] or "kept on file"))
    yield FactList(facts)
    for rule in law["rules"]:
        if rule["id"] in clause["implemented_by"]:
            yield from _rule(rule)
    for constraint in law["constraints"]:
        if constraint["id"] in clause["implemented_by"]:
            yield Note(f"constraint {constraint['id']}, {constraint['kind']}: {constraint['says']}")
    yield from _entries(clause, law, printed)


def _tests(names: list[str]) -> str:
    counts: dict[str, int] = {}
    for name in names:
        file = name.partition("::")[0].rpartition("/")[2]
        counts[file] = counts.get(file, 0) + 1
    return ", ".join(f"{file} ({count})" for file, count in counts.items()) or "none"


def _rule(rule: Data) -> Iterator[Node]:
    entries = f" [{' '.join(rule['interpretations'])}]" if rule["interpretations"] else ""
    yield Note(f"rule {rule['id']}, {rule['standing']}{entries}: {rule['title']}")
    if rule["kind"] != "procedure" or (rule["does"] and rule["does"] != rule["title"]):
        yield Note(rule["in_words"])


def _entries(source: Data, law: Data, printed: set[str]) -> Iterator[Node]:
    for entry in law["interpretations"]:
        if entry["id"] not in source["interpretations"]:
            continue
        yield Note(f"{entry['standing']} {entry['id']}: {entry['title']}")
        if entry["id"] in printed:
            continue
        printed.add(entry["id"])
        yield Note(entry["problem"])
        adopted = entry["readings"].get(entry["reading"], entry["reading"])
        name = f" ({entry['reading']})" if entry["readings"] else ""
        yield Note(f"Adopted{name}: {adopted}")
        for option, text in entry["readings"].items():
            if option != entry["reading"]:
                yield Note(f"Alternative ({option}): {text}")


_STEPS: Final = (
    Figure("citation", "Clause", "word"),
    Figure("done", "Said, shown, placed"),
    Figure("persons", "Persons"),
    Figure("says", "Says"),
    Figure("when", "When"),
)


def act_sheets_tree(found: Data) -> Tree:
    sheets = [(law, act) for law in found["laws"] for act in law["acts"]]
    nodes = [
        Section(f"{act['title']} ({act['act']}), {law['law']}", [*_act_sheet(act)])
        for law, act in sheets
    ]
    return document("Acts of a table", found, *nodes, about=f"{len(sheets)} sheets")


def _act_sheet(act: Data) -> Iterator[Node]:
    seen_by = [f"{one['label']}: {', '.join(one['seen_by']) or 'no one'}" for one in act["entered"]]
    names = (
        ("Act", act["says"]),
        ("By", " or ".join(act["by"])),
        ("With the consent of", " and ".join(act["together"])),
        ("Not by a person who did", ", ".join(act["apart"])),
        ("Entered, and who sees it", "; ".join(seen_by)),
        ("Words", "; ".join(f'"{sentence}"' for sentence in act["said"])),
    )
    yield FactList([fact(name, words) for name, words in names if words])
    if not act["steps"]:
        yield Note("No included regulation mentions this act: it is the house's own.")
        return
    list_fields = ("done", "persons")
    rows = [
        tuple(", ".join(step[it.id]) if it.id in list_fields else step[it.id] for it in _STEPS)
        for step in act["steps"]
    ]
    command = FactItem(Figure("command", "Command", "word"), act["act"])
    yield DataTable(_STEPS, rows, page="Steps", of=command)


def search_tree(found: Data) -> Tree:
    return _found_tree(found, Figure("id", "Name", "word"), _name)


def help_tree(found: Data) -> Tree:
    return _found_tree(found, Figure("more", "Read more"), itemgetter("more"))


def _found_tree(found: Data, column: Figure, name: Callable[[Data], str]) -> Tree:
    columns = (Figure("kind", "Kind", "word"), column, Figure("says", "Says"))
    rows = [(hit["kind"], name(hit), _short(hit["says"])) for hit in found["found"]]
    title = f"Found: {' '.join(found['words'])}"
    matches = found["matches"]
    subject = counted(matches, "match", "matches")
    if len(rows) < matches:
        subject += f", the best {len(rows)} listed"
    unknown = ", ".join(found["unknown"])
    notes = [Note(f"Nothing found has: {unknown}.")] if unknown else []
    return document(title, found, *notes, DataTable(columns, rows), about=subject)


def _name(found: Data) -> str:
    # The prefix of a clause names its law.
    return f"{found['law']} {found['id']}" if found["kind"] == "rule" else str(found["id"])


def _short(text: str) -> str:
    return text if len(text) <= 160 else f"{text[:157].rsplit(' ', 1)[0]} ..."
