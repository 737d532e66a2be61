"""Regulations: the list, their history, the register of interpretations, and comparisons."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from pathlib import PurePath
from typing import Any, Final

from croupier.law.usage import counted
from croupier.reports.document import (
    CLAUSE,
    CLAUSES,
    READING,
    SAYS,
    Data,
    document,
    fact,
    table_section,
)
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
    Value,
)

LACKS: Final = "\N{EN DASH}"
"""Shown if a regulation has no such rule."""

_MOST_COLUMNS: Final = 3
"""Maximum number of columns; more regulations are listed by value."""

_RULE: Final = Figure("rule", "Rule")
_TITLE: Final = Figure("rule_title", "Title", hidden=True)


def law_list_tree(data: Data) -> Tree:
    number = counted(len(data["laws"]), "regulation")
    return document("Regulations", data, *map(_listed, data["laws"]), about=number)


def _listed(law: Data) -> Section:
    in_force = f"from {law['in_force_from']}, known to {law['in_force_known']}"
    extent = "partial" if law["partial"] else "complete"
    facts = [
        fact("Citation", f"{law['authority']}, {law['cited_as']}"),
        fact("In force", in_force),
        fact("Extent", f"{counted(law['clauses'], 'clause')}, {extent}"),
    ]
    return Section(f"{key_of(law)}  {law['law_title']}", [FactList(facts)])


def key_of(law: Data) -> str:
    return f"{law['law']}@{law['in_force_from']}"


def law_history_tree(data: Data) -> Tree:
    spans = [(_days(span), _included(span)) for span in data["spans"]]
    columns = (Figure("days", "Days", "word"), Figure("included", "Version"))
    partial = {
        span["law"]["in_force_from"]: span["law"]["partial"]
        for span in data["spans"]
        if span["law"] is not None
    }
    days: list[Sequence[Value]] = []
    for day in data["days"]:
        inclusion = ("excerpt" if partial[day["on"]] else "whole") if day["held"] else "no"
        lines = [
            (one["sections"], ". ".join(part for part in (one["by"], one["note"]) if part))
            for one in day["amendments"]
        ]
        days += [(day["on"], inclusion, *line) for line in lines or [(["not recorded"], "")]]
    heads = (
        Figure("on", "Amended", "word"), Figure("held", "Text", "word"),
        Figure("sections", "Sections", "clauses"), Figure("amendments", "Amendments on record"),
    )  # fmt: skip
    none = Note("No version records an amendment.")
    return document(
        f"History of {data['law']}",
        data,
        Section("Versions", [DataTable(columns, spans, page="Versions")]),
        Section("Amendments", [DataTable(heads, days, page="Amendments") if days else none]),
        about="Amendments as far as the versions record them",
    )


def _days(span: Data) -> str:
    first_day, last_day = span["from"], span["to"]
    if first_day is None:
        return f"until {last_day}"
    if last_day is None:
        return f"from {first_day}"
    return f"{first_day} to {last_day}" if first_day < last_day else str(first_day)


def _included(span: Data) -> str:
    if (law := span["law"]) is not None:
        excerpt = ", an excerpt" if law["partial"] else ""
        return f"{key_of(law)}, {counted(law['clauses'], 'clause')}{excerpt}"
    note = "" if span["to"] is not None else "; Croupier makes no claim about later law"
    return f"no version{note}"


def register_tree(data: Data, *, clauses: bool) -> Tree:
    entries = data["interpretations"]
    return document(
        "Register of interpretations",
        data,
        *(_entry(entry, clauses=clauses) for entry in entries),
        *([] if entries else [Note("No entry of the register matches.")]),
        about=counted(len(entries), "entry", "entries"),
    )


def _entry(entry: Data, *, clauses: bool) -> Section:
    readings = [
        (name, says, "adopted" if name == entry["reading"] else "alternative")
        for name, says in entry["readings"].items()
    ]
    columns = (READING, SAYS, Figure("status", "Status", "word"))
    nodes: list[Node] = [FactList([*_about_entry(entry, texts=not clauses)])]
    if readings:
        nodes.append(DataTable(columns, readings, page="Readings", of=_of(entry)))
    nodes += [Note(f"{name}: {says}", "warning") for name, says in entry["warnings"].items()]
    if clauses and entry["laws"]:
        heads = (Figure("text", "Text", "word"), _RULE, CLAUSES)
        rows = [
            (key_of(law), rule, cited)
            for law in entry["laws"]
            for rule, cited in (
                *((("", law["clauses"]),) if law["clauses"] else ()),
                *((rule["id"], rule["cites"]) for rule in law["rules"]),
            )
        ]
        nodes.append(DataTable(heads, rows, page="Texts", of=_of(entry)))
    return Section(f"{entry['id']}  {entry['title']}", nodes)


def _of(entry: Data) -> FactItem:
    return FactItem(Figure("entry", "Entry", "word"), entry["id"])


def _about_entry(entry: Data, *, texts: bool) -> Iterator[FactItem]:
    yield fact("Question", entry["problem"])
    if entry["name"] is not None:
        yield fact("Name", entry["name"])
    if not entry["readings"]:
        yield fact("Adopted", entry["reading"])
    yield fact("Standing", entry["standing"])
    if entry["acknowledge"]:
        yield fact("Required", "a submission must name the reading or it is refused")
    yield fact("Affected rules", ", ".join(entry["rests"]))
    if texts:
        yield fact("Texts", ", ".join(map(key_of, entry["laws"])) or "none included")


def law_elections_tree(data: Data) -> Tree:
    number = counted(len(data["elections"]), "election")
    return document(
        f"Elections under {key_of(data)}",
        data,
        *(_election(election) for election in data["elections"]),
        *(_constraint(constraint) for constraint in data["constraints"]),
        *(_entry(reading, clauses=True) for reading in data["readings"]),
        about=f"{data['law_title']}, {data['cited_as']}: {number}",
    )


def _election(one: Data) -> Section:
    pairs = [(_written(choice["choice"]), choice["cites"]) for choice in one["choices"]]
    rule = FactItem(Figure("rule_id", "Rule", "word"), one["id"])
    choices = DataTable((Figure("choice", "Choice"), CLAUSES), pairs, page="Choices", of=rule)
    interpretations = [name for name in one["interpretations"] if name not in one["cites"]]
    facts = [
        fact("Title", one["title"]),
        fact("Open", one["open"]),
        fact("Default", "none: fill it in" if one["default"] is None else _written(one["default"])),
    ]
    if one["may_be_left_out"]:
        facts.append(fact("Left out", "a submission without it takes the default"))
    if one["only_with"] is not None:
        facts.append(fact("Only with", one["only_with"]))
    facts += [
        FactItem(CLAUSES, one["cites"]),
        fact("Standing", " ".join([one["standing"], *interpretations])),
    ]
    table = [choices] if any(choice["cites"] for choice in one["choices"]) else []
    return Section(one["id"], [FactList(facts), *table])


def _written(choice: object) -> str:
    return str(choice).lower() if isinstance(choice, bool) else str(choice)


def _constraint(data: Data) -> Section:
    sentence = f"{data['says'][0].upper()}{data['says'][1:]}."
    facts = [fact("Says", sentence), fact("Binds", data["binds"]), FactItem(CLAUSES, data["cites"])]
    return Section(f"{data['id']}, {data['kind']}", [FactList(facts)])


def law_comparison_tree(data: Data) -> Tree:
    """Several regulations side by side, or by value if there are many."""
    laws, rules = data["laws"], data["rules"]
    names = [law["name"] for law in laws]
    if not rules:
        nodes: list[Node] = [Note("No regulation has such a rule; --all shows every rule.")]
    else:
        legend = [
            (law["name"], f"{key_of(law)}, {law['cited_as']}{', an excerpt' * law['partial']}")
            for law in laws
        ]
        columns = (Figure("text", "Text", "word"), Figure("is", "Is"))
        by_column = len(laws) <= _MOST_COLUMNS
        part = _side_by_side if by_column else _by_value
        mark = f"with {LACKS}" if by_column else "that is not listed under a rule"
        nodes = [
            DataTable(columns, legend, page="Regulations"),
            *(
                Section(heading(group), [part(names, list(of_group))], together=False)
                for group, of_group in groupby(rules, itemgetter("group"))
            ),
            *map(Note, what_lacks(laws, f"A regulation {mark}")),
        ]
    subject = f"{counted(len(rules), 'rule')} of {counted(len(laws), 'regulation')}"
    return document("Comparison of regulations", data, *nodes, about=subject)


def heading(group: str) -> str:
    return group[:1].upper() + group[1:]


def what_lacks(laws: Sequence[Data], subject: str) -> Iterator[str]:
    """Yield the possible meanings of a rule that regulations lack."""
    yield f"{subject} has no such rule."
    if any(law["partial"] for law in laws):
        yield (
            "A rule missing from an excerpt is not formalized here; the regulation itself may "
            "have had it."
        )


def _side_by_side(names: Sequence[str], rules: Sequence[Data]) -> DataTable:
    columns = (_RULE, _TITLE, *(Figure(f"law_{at}", name) for at, name in enumerate(names)))
    rows = [
        (
            rule["id"],
            rule["title"],
            *(LACKS if law["says"] is None else law["says"] for law in rule["laws"]),
        )
        for rule in rules
    ]
    return DataTable(columns, rows, page="Rules")


def _by_value(names: Sequence[str], rules: Sequence[Data]) -> DataTable:
    rows = []
    for rule in rules:
        saying: dict[str, list[str]] = {}
        for name, law in zip(names, rule["laws"], strict=True):
            if law["says"] is not None:
                saying.setdefault(law["says"], []).append(name)
        rows += [(rule["id"], rule["title"], who, says) for says, who in saying.items()]
    return DataTable(
        (_RULE, _TITLE, Figure("who", "Regulations", "clauses"), SAYS), rows, page="Rules"
    )


def law_coverage_tree(data: Data) -> Tree:
    laws = data["laws"]
    columns = (CLAUSE, Figure("class", "Class", "word"), Figure("covered", "Disposition and tests"))
    totals = [f"{key_of(law)}: {_totals(law['totals'])}" for law in laws] if len(laws) > 1 else []
    return document(
        "Coverage of clauses",
        data,
        *(
            section
            for law in laws
            for section in table_section(key_of(law), columns, list(map(_covered, law["clauses"])))
        ),
        Section("Totals", [Bullets([*totals, _totals(data["totals"])])]),
        about=counted(len(laws), "regulation"),
    )


def _covered(row: Data) -> tuple[str, str, str]:
    if row["disposition"] is None:
        became = "no such clause"
    else:
        status = f" ({row['standing']})" if row["standing"] in {"reading", "silent"} else ""
        became = f"{row['disposition']}{status}: {', '.join(row['by'])}"
    modules = Counter(PurePath(test.partition("::")[0]).stem for test in row["tests"])
    tests = ", ".join(f"{module} ({count})" for module, count in modules.items())
    return row["id"], row["class"] or "?", f"{became}\ntests: {tests}" if tests else became


def _totals(totals: Data) -> str:
    by_class, by_disposition = (
        ", ".join(f"{number} {name}" for name, number in totals[key].items())
        for key in ("by_class", "by_disposition")
    )
    return (
        f"{counted(totals['number'], 'clause')} by class: {by_class}; "
        f"by disposition: {by_disposition}; {counted(totals['gaps'], 'gap')}"
    )


_COLUMNS = (Figure("scenario", "Scenario", "word"), CLAUSES, Figure("result", "Result", "word"))


def law_test_tree(found: Mapping[str, Any]) -> Tree:
    failures = [scenario for scenario in found["scenarios"] if scenario["result"] == "fail"]
    count = found["passed"] + found["failed"]
    parts: list[Node] = [
        Conclusion(
            f"{'PASS' if not failures else 'FAIL'} {found['passed']}/{count}",
            not failures,
            wrong=[
                f"{scenario['file']}:{scenario['line']}: {scenario['id']}: {difference}"
                for scenario in failures
                for difference in scenario["differences"]
            ],
        ),
        FactList([
            FactItem(Figure("passed", "Passed", "count"), found["passed"]),
            FactItem(Figure("failed", "Failed", "count"), found["failed"]),
            FactItem(Figure("pending", "Pending", "count"), found["pending"]),
        ]),
        DataTable(_COLUMNS, [
            (scenario["id"], scenario["clauses"], scenario["result"])
            for scenario in found["scenarios"]
        ], "Scenarios"),
        *(
            Section(f"Not covered by a scenario: {law['law']}", [
                Bullets([*law["clauses"], *law["choices"]] or ["nothing"])
            ])
            for law in found["untested"]
        ),
    ]  # fmt: skip
    if found["mutants"]:
        survived = [mutant for mutant in found["mutants"] if mutant["noticed_by"] is None]
        noticed = len(found["mutants"]) - len(survived)
        several = len({mutant["law"] for mutant in found["mutants"]}) > 1
        parts.append(
            Section(
                "Changed values",
                [
                    Conclusion(
                        f"{noticed} of {len(found['mutants'])} changed values are noticed",
                        not survived,
                        wrong=[
                            f"{mutant['law'] + ' ' if several else ''}{mutant['rule']}: "
                            f"no scenario notices {mutant['changed']} instead of {mutant['value']}"
                            for mutant in survived
                        ],
                    )
                ],
            )
        )
    return document("Scenarios of a regulation", found, *parts, about=counted(count, "scenario"))
