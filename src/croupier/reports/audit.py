"""The verification of recorded rounds, and their audit as a test report."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final

from croupier.law.usage import counted
from croupier.reports.audit_prose import LIMITATIONS, LOG_METHOD, METHOD
from croupier.reports.document import (
    CLAUSE,
    CLAUSES,
    READING,
    WAGER,
    Data,
    P,
    Z,
    document,
    fact,
    in_words,
)
from croupier.reports.figures import grouped, visible
from croupier.reports.roads import draw_roads, print_roads, roads_alt_text
from croupier.reports.tree import (
    Bullets,
    Cell,
    Conclusion,
    DataTable,
    FactItem,
    FactList,
    Figure,
    Medium,
    Node,
    Note,
    Picture,
    Section,
    SignatureLines,
    Tree,
    Value,
    row,
)

_Title = Callable[[str], str]

_MOST_NAMES: Final = 60
_LEVEL: Final = 0.01
"""Adjusted p-values below this are called notable."""

_LEAST_ROUNDS: Final = 100
"""With fewer rounds, documents omit the census; JSON includes it."""

DIVERGENCES: Final = Figure("divergences", "Divergences", "count")
_KIND: Final = Figure("kind", "Kind")
_FILE: Final = Figure("file", "File", "word")
_ROUNDS: Final = Figure("rounds", "Rounds", "count")
_SHOES: Final = Figure("shoes", "Shoes", "count")
_VERDICT: Final = Figure("verdict", "Verdict", "word")
_LINE: Final = Figure("line", "Line", "count")
_SHOE: Final = Figure("shoe", "Shoe", "word")
_ROUND: Final = Figure("round", "Round", "word")
_SEAT: Final = Figure("seat", "Seat", "word")
_ADJUSTED: Final = Figure("adjusted_p", "Adjusted p", "p")
_TALLY: Final = (
    Figure("wagers", "Wagers", "count"),
    Figure("owed_cents", "Owed to patrons", "cents"),
    Figure("overpaid_cents", "Overpaid", "cents"),
    Figure("net_cents", "Net", "cents"),
)


def audit_tree(audit: Data) -> Tree:
    law = f"{audit['law_title']} ({audit['law']}), in force from {audit['in_force_from']}"
    program = fact("Program", f"{audit['program']} {audit['version']}")
    made = [program, fact("Reproduce with", audit["reproduce"])]
    method = METHOD if audit["submission_file"] is not None else LOG_METHOD
    return Tree(
        f"Test report: {audit['rounds_file']['name']}",
        f"{audit['title'].strip() or 'untitled'}. {law}",
        [
            _verdict(audit),
            *(Note(warning, "warning") for warning in audit["warnings"]),
            Section("1. What was tested", [FactList(list(_subject(audit)))]),
            Section("2. Requirements", [FactList(list(_required(audit)))]),
            Section("3. Method", [Bullets(method), FactList(made)]),
            _results(audit),
            *_owed(audit),
            *_census(audit, "5. Results compared with the exact odds"),
            Section("6. Limitations", [Bullets([*_notes(audit), *LIMITATIONS])]),
            *_roads(audit),
            *in_words("Readings", READING, audit["reading_texts"]),
            Section(
                "Signatures",
                [
                    SignatureLines(("Tested by", "Reviewed by")),
                    SignatureLines(("",), ("Report number",)),
                ],
            ),
        ],
        {name: str(audit[name]) for name in ("law", "in_force_from", "rules_hash")},
        audit["rules_hash"],
    )


def rounds_verification_tree(data: Data, record: str, kinds: Mapping[str, str]) -> Tree:
    """``record`` names the file, ``kinds`` describes each kind of divergence."""
    rounds, shoes = counted(data["rounds"], "round"), counted(data["shoes"], "shoe")
    sentences = [f"Checked {rounds} in {shoes}."]
    if data["divergences"]:
        first = data["divergences"][0]
        clauses = f" [{', '.join(first['clauses'])}]" if first["clauses"] else ""
        sentences.insert(0, _first(first) + clauses)
    sentences = [*_explained(data), *sentences, *_money(data)]
    verdict, under = "PASS: {} conforms to the rules", ""
    if data["assumptions"]:
        sentences.append("No mapping was given: the record was read under the assumptions below.")
        under = " if the assumptions below are right"
    if _passed(data) == "INCOMPLETE":
        verdict, under = f"INCOMPLETE{verdict[4:]}{under}", ", but its amounts were not checked"
    elif not data["clean"]:
        verdict, under = "FAIL: {} does not conform to the rules", ""
    return document(
        f"Verification of {record}",
        data,
        Conclusion(f"{verdict.format(record)}{under}.", data["clean"], sentences),
        *([_divergences(data, kinds)] if data["by_kind"] else []),
        *([Section("Assumptions", [Bullets(data["assumptions"])])] if data["assumptions"] else []),
        *_repair(data["repair"]),
        *_owed(data),
        *_census(data, "Results compared with the exact odds"),
        *([Section("Notes", [Bullets(_notes(data))])] if _notes(data) else []),
        facts=list(_columns(data)),
    )


def verified_files_tree(data: Data) -> Tree:
    files = data["files"]
    verdicts = Counter(map(_passed, files))
    under = " if the assumptions below are right" * any(file["assumptions"] for file in files)
    verdict = f"PASS: all {len(files)} files conform to the rules{under}."
    if verdicts["INCOMPLETE"]:
        unread = f"the amounts of {verdicts['INCOMPLETE']} were not checked"
        verdict = f"INCOMPLETE: all {len(files)} files conform to the rules, but {unread}."
    if verdicts["FAIL"]:
        verdict = f"FAIL: {verdicts['FAIL']} of {len(files)} files do not conform to the rules."
    rounds, shoes = counted(data["rounds"], "round"), counted(data["shoes"], "shoe")
    columns = (_FILE, _ROUNDS, _SHOES, DIVERGENCES, _VERDICT)
    rows = [
        row(columns, file, divergences=sum(file["by_kind"].values()),
            verdict=_passed(file))
        for file in files
    ]  # fmt: skip
    return document(
        f"Verification of {counted(len(files), 'file')}",
        data,
        Conclusion(verdict, data["clean"], [f"Checked {rounds} in {shoes}."]),
        Section("Files", [DataTable(columns, rows, page="Files")]),
        *(
            Section(
                file["file"],
                [Bullets(_of_file(file)), *([_listed(file)] if file["divergences"] else [])],
            )
            for file in files
            if _of_file(file)
        ),
    )


def _of_file(one: Data) -> list[str]:
    kinds = [f"{_words(kind)}: {grouped(number)}" for kind, number in one["by_kind"].items()]
    return [
        *_explained(one),
        *kinds,
        *_money(one),
        *map("Assumed: {}".format, one["assumptions"]),
        *_notes(one),
    ]


_MONEY: Final = {
    "in part": "Columns that look like amounts were not read: the notes name them.",
    "unread": "Money was not checked: no column of amounts was read. The notes name those that look"
    " like amounts; name them in a mapping, or say there that they are not to be checked, as"
    ' [money] amounts = "unchecked".',
    "stakes": "Stakes are recorded without results, so no settlement was checked.",
    "left out": "Money was not checked: the mapping says so.",
    "none": "No wager is recorded, so no money was checked.",
}


def _money(data: Data) -> list[str]:
    return [_MONEY[money]] if (money := data["columns"].get("money")) in _MONEY else []


def _passed(data: Data) -> str:
    if data["clean"]:
        return "PASS"
    return "FAIL" if data["by_kind"] or data.get("explained_by") else "INCOMPLETE"


def _explained(data: Data) -> list[str]:
    if (names := data["explained_by"]) is None:
        return []
    left = sum(data["by_kind"].values())
    text = (
        f"One setting explains {grouped(names['explains'])} of {grouped(names['explains'] + left)} "
        f"divergences: {names['says']}. Add {names['setting']} to the mapping; with it, "
        f"{counted(left, 'divergence')} {'remains' if left == 1 else 'remain'}."
    )
    return [text]


def _divergences(data: Data, kinds: Mapping[str, str]) -> Section:
    rows = [(_words(kind), kinds[kind], number) for kind, number in data["by_kind"].items()]
    columns = (_KIND, Figure("means", "A divergence is"), DIVERGENCES)
    left_out = data["divergences_left_out"]
    note = f"{grouped(left_out)} more not shown; use --max-listed NUMBER to show more."
    nodes: list[Node] = [DataTable(columns, rows, page="By kind"), _listed(data)]
    return Section("Divergences", nodes + [Note(note)] * bool(left_out), together=False)


def _repair(repair: Data | None) -> list[Section]:
    if repair is None:
        return []
    rounds, wagers = counted(repair["rounds"], "round"), counted(repair["wagers"], "wager")
    sentence = (
        f"{rounds} rewritten, with {wagers} settled under the rules; every other line is unchanged."
    )
    items = [
        f"Not repaired, {counted(number, 'time')}: {why}." for why, number in repair["left"].items()
    ]
    return [Section(f"Repaired: {repair['file']}", [Bullets([sentence, *items])])]


def place_of(finding: Data) -> str:
    """Place of a finding.

    >>> place_of({"line": 12, "shoe": 3, "round": None})
    'line 12, shoe 3'
    """
    parts = [f"line {finding['line']}"]
    parts += [f"{name} {finding[name]}" for name in ("shoe", "round") if finding[name] is not None]
    return ", ".join(parts)


def message_of(finding: Data) -> str:
    """Message of a finding, with its seat and the kinds of its consequences.

    >>> message_of({"seat": None, "message": "a card too many", "follows": ["third_card"]})
    'a card too many; also affected: third card'
    """
    consequences = ", ".join(map(_words, finding["follows"]))
    seat = "" if finding["seat"] is None else f"Seat {finding['seat']}, "
    return f"{seat}{finding['message']}" + (
        f"; also affected: {consequences}" if consequences else ""
    )


def _verdict(audit: Data) -> Conclusion:
    rounds, shoes = counted(audit["rounds"], "round"), counted(audit["shoes"], "shoe")
    money, passed = _money(audit), _passed(audit)
    if passed != "FAIL":
        but = "" if audit["clean"] else ", but its amounts were not checked"
        text = f"{passed}: the record conforms to the rules{but}: {rounds} in {shoes} checked."
        return Conclusion(text, passes=audit["clean"], more=money)
    found = counted(sum(row["divergences"] for row in audit["by_kind"]), "divergence")
    text = f"FAIL: the record does not conform to the rules: {found}; {rounds} in {shoes} checked."
    lines = []
    if audit["divergences"]:
        first_divergence = audit["divergences"][0]
        lines.append(_first(first_divergence))
        paraphrases = {entry["clause"]: entry["says"] for entry in audit["by_clause"]}
        for clause in first_divergence["clauses"]:
            words = paraphrases.get(clause)
            lines.append(f"{clause}: {words}" if words else clause)
    return Conclusion(text, passes=False, more=[*lines, *money])


def _first(found: Data) -> str:
    return f"First divergence: {place_of(found)} ({_words(found['kind'])}): {message_of(found)}"


def _words(name: str) -> str:
    return name.replace("_", " ")


def _file(file: Data, label: str) -> list[FactItem]:
    return [
        fact(label, f"{file['name']}, {counted(file['bytes'], 'byte')}"),
        fact(f"Hash of {label.lower()}", file["sha256"]),
    ]


def _subject(audit: Data) -> Iterator[FactItem]:
    yield from _file(audit["rounds_file"], "Record")
    if audit["mapping_file"] is not None:
        yield from _file(audit["mapping_file"], "Mapping")
    extent = f"{counted(audit['rounds'], 'round')} in {counted(audit['shoes'], 'shoe')}"
    yield fact("Extent", extent)
    if audit["wagers"]:
        yield fact("Wagers", ", ".join(one["title"] for one in audit["wagers"]), "tested_wagers")
    yield from _columns(audit)


def _columns(audit: Data) -> Iterator[FactItem]:
    if audit["columns"]["read"]:
        yield fact("Columns read", _names(audit["columns"]["read"]))
        yield fact("Columns not read", _names(audit["columns"]["unread"]) or "none")


def _names(names: Sequence[str]) -> str:
    others = len(names) - _MOST_NAMES
    return ", ".join(names[:_MOST_NAMES]) + (f", and {others} more" if others > 0 else "")


def _required(audit: Data) -> Iterator[FactItem]:
    yield fact("Regulation", f"{audit['law_title']} ({audit['law']})")
    yield fact("In force from", f"{audit['in_force_from']}, edition {audit['edition']}", "edition")
    yield fact("Hash of regulation", audit["law_hash"])
    yield fact("Submission", audit["title"].strip() or "untitled")
    if audit["submission_file"] is not None:
        yield from _file(audit["submission_file"], "Submission file")
    for file in audit["custom_wager_files"]:
        yield from _file(file, "Custom wager")
    yield fact("Hash of rules", audit["rules_hash"])
    yield fact("Readings", ", ".join(audit["readings"]) or "none")


def _results(audit: Data) -> Section:
    total = sum(row["divergences"] for row in audit["by_kind"])
    scope = DataTable(
        (Figure("kind", "Requirement"), Figure("means", "A divergence is"), DIVERGENCES),
        [(_words(note["kind"]), note["means"], note["divergences"]) for note in audit["scope"]],
        "By requirement",
        "By requirement",
        ("all", "", total),
    )
    if not audit["by_kind"]:
        return Section("4. Results", [scope])
    clauses = DataTable(
        (CLAUSE, Figure("says", "Paraphrase"), Figure("first_at", "First at"), DIVERGENCES),
        [
            (row["clause"] or "none", row["says"] or "", place_of(row["first"]), row["divergences"])
            for row in audit["by_clause"]
        ],
        "By clause",
        "By clause",
    )
    left_out = _left_out(audit["divergences_left_out"], "divergence")
    notes = [Note(left_out, "meaning")] if left_out else []
    return Section("4. Results", [scope, clauses, _listed(audit), *notes], together=False)


def _listed(audit: Data) -> DataTable:
    left_out, listed = audit["divergences_left_out"], len(audit["divergences"])
    few = f"The first {grouped(listed)} of {grouped(listed + left_out)} divergences"
    return DataTable(
        (_LINE, _SHOE, _ROUND, _KIND, Figure("finding", "Finding"), CLAUSES),
        [
            (one["line"], *_where(one), _words(one["kind"]), message_of(one), one["clauses"])
            for one in audit["divergences"]
        ],
        few if left_out else "All divergences",
        "Divergences",
    )


def _where(finding: Data) -> list[str]:
    return ["" if finding[name] is None else str(finding[name]) for name in ("shoe", "round")]


def _left_out(number: int, noun: str) -> str:
    if not number:
        return ""
    verb = "is" if number == 1 else "are"
    return f"{counted(number, f'more {noun}')} {verb} counted and not listed."


def _titles(audit: Data) -> _Title:
    titles = {wager["wager"]: wager["title"] for wager in audit.get("wagers", ())}
    return lambda name: titles.get(name) or _words(name).capitalize()


def _seat(seat: int | None) -> str:
    return "not recorded" if seat is None else str(seat)


def _owed(audit: Data) -> list[Section]:
    differences, title = audit["differences"], _titles(audit)
    if differences is None:
        return []
    total = row(_TALLY, differences["total"])
    nodes: list[Node] = []
    if not differences["by_seat"] and "listed" not in differences:
        nodes = [Note("Every recorded wager was settled as expected.")]
    elif differences["by_seat"]:
        left_out = _left_out(differences.get("left_out", 0), "difference")
        meaning = (
            "Net result of the patron, expected and recorded, after vigorish. A negative amount "
            f"owed was overpaid. {left_out}"
        )
        columns = (_SEAT, *_TALLY)
        rows = [row(columns, seat, seat=_seat(seat["seat"])) for seat in differences["by_seat"]]
        nodes = [
            DataTable(columns, rows, "By seat", "Owed by seat", ("all", *total)),
            _by_clause(differences, total, title),
            *([_each(differences, title)] if differences.get("listed") else []),
            Note(meaning.strip(), "meaning"),
        ]
    unsettled = [
        f"{counted(number, 'wager')} on {title(wager)}"
        for wager, number in differences["unsettled"].items()
    ]
    if unsettled:
        sentence = "Not settled, because a card is missing or the rules do not define how: "
        nodes.append(Note(f"{sentence}{', '.join(unsettled)}."))
    return [Section("Amounts owed", nodes, together=False)] if nodes else []


def _by_clause(differences: Data, total: list[Value | Cell], title: _Title) -> DataTable:
    rows = [
        (_seat(seat["seat"]), title(part["wager"]), part["clause"] or "none", *row(_TALLY, part))
        for seat in differences["by_seat"]
        for part in seat["parts"]
    ]
    foot = ("all", "", "", *total)
    caption = "By seat, wager and clause"
    return DataTable((_SEAT, WAGER, CLAUSE, *_TALLY), rows, caption, "Owed by clause", foot)


def _each(differences: Data, title: _Title) -> DataTable:
    columns = (
        _LINE, _SHOE, _ROUND, _SEAT, WAGER,
        Figure("expected_cents", "Expected", "cents"),
        Figure("recorded_cents", "Recorded", "cents"),
        Figure("difference_cents", "Owed", "cents"),
    )  # fmt: skip
    rows = [
        (
            difference["line"],
            *_where(difference),
            _seat(difference["seat"]),
            title(difference["wager"]),
            *(difference[name] for name in ("expected_cents", "recorded_cents", "owed_cents")),
        )
        for difference in differences["listed"]
    ]
    return DataTable(columns, rows, "Each wager", "Owed, each wager")


def _census(audit: Data, heading: str) -> list[Section]:
    census = audit["census"]
    if not census or not census["rounds"]:
        return []
    rounds = counted(census["rounds"], "round")
    if census["rounds"] < _LEAST_ROUNDS:
        few = f"{rounds}: too few to compare with the exact odds."
        return [Section(heading, [Note(few, "meaning")])]
    classes = DataTable(
        (
            Figure("class", "Result"),
            Figure("expected", "Expected", "number", 1),
            Figure("found", "Observed", "count"),
        ),
        [(one["class"], one["expected"], one["found"]) for one in census["classes"]],
        f"Results in {rounds}, compared with the exact odds of {census['shoe_cards']} cards",
        "Results",
        ("all", None, census["rounds"]),
    )
    outcome = [Note(_outcome(census), "meaning")] if census["tests"] else []
    notes = [*outcome, Note(census["warning"], "meaning")]
    tables = [classes, _tests(census), _returns(census, _titles(audit))]
    return [Section(heading, [*tables, *notes], together=False)]


def _returns(census: Data, title: _Title) -> DataTable:
    columns = (
        WAGER,
        Figure("exact_return", "Exact return", "number", 6, signed=True),
        Figure("observed", "Observed", "number", 6, signed=True),
        Figure("low", "95% interval from", "number", 4, signed=True),
        Figure("high", "to", "number", 4, signed=True),
        Z,
        P,
        *_adjusted(census),
    )
    keys = ("expected", "found", "low", "high", "z", "p", "adjusted_p")[: len(columns) - 1]
    rows = [(title(wager["wager"]), *(wager[key] for key in keys)) for wager in census["wagers"]]
    return DataTable(columns, rows, "Wagers, 1 unit on every round", "Returns")


def _tests(census: Data) -> DataTable:
    chi_square, runs = census["chi_square"], census["runs"]
    names = [P.id, *(figure.id for figure in _adjusted(census))]
    rows: list[Sequence[Value | Cell]] = []
    if chi_square is not None:
        statistic = (
            f"{chi_square['statistic']:.2f} with {chi_square['degrees_of_freedom']} degrees of "
            "freedom"
        )
        tested = [chi_square[name] for name in names]
        rows.append(("Winner and number of cards (chi-square)", statistic, *tested))
    if runs is not None:
        statistic = (
            f"{grouped(runs['runs'])} runs, {runs['expected']:,.1f} expected, z {runs['z']:+.2f}"
        )
        tested = [runs[name] for name in names]
        rows.append(("Order of Player and Banker (runs)", statistic, *tested))
    columns = (Figure("test", "Test"), Figure("statistic", "Statistic"), P, *_adjusted(census))
    return DataTable(columns, rows, "Tests of all rounds", "Tests")


def _adjusted(census: Data) -> tuple[Figure, ...]:
    return (_ADJUSTED,) if census["tests"] else ()


def _outcome(census: Data) -> str:
    tests = [test for test in (census["chi_square"], census["runs"], *census["wagers"]) if test]
    values = [test["adjusted_p"] for test in tests if test["adjusted_p"] is not None]
    if not values:
        return "Too few rounds for a test."
    lowest = min(values)
    judgment = "is notable" if lowest < _LEVEL else "is not unusual"
    level = f"{lowest:.4f}" if lowest >= 0.0001 else "<0.0001"
    return (
        f"{counted(len(values), 'test')}; the smallest p-value adjusted for their number is "
        f"{level}, which {judgment} at the {_LEVEL:.0%} level."
    )


def _notes(audit: Data) -> list[str]:
    unverified = [f"{grouped(number)}: {why}" for why, number in audit["unverified"].items()]
    return [*unverified, *audit["hints"]]


def _roads(audit: Data) -> list[Section]:
    board = audit["board"]
    nodes: list[Node] = []
    parts = [
        counted(board["left_out"][kind], f"{kind} shoe")
        for kind in ("diverging", "clean")
        if board["left_out"][kind]
    ]
    if parts:
        nodes.append(Note(f"Not shown here: {' and '.join(parts)}.", "meaning"))
    nodes += [_road(shoe, number) for number, shoe in enumerate(board["shown"], 1)]
    return [Section("7. Roads", nodes, together=False)] if board["shown"] else []


def _drawn(  # noqa: PLR0913, PLR0917  (the last two are those of a picture)
    name: str, title: str, roads: Any, found: Sequence[int], font: str, medium: Medium
) -> list[str]:
    if medium == "paper":
        return print_roads(name, title, roads, found, font=font)
    return [draw_roads(name, title, roads, found, font=font)]


def _road(road: Data, number: int) -> Picture:
    title = f"Shoe {'not recorded' if road['shoe'] is None else visible(road['shoe'])}"
    parts = [counted(road["rounds"], "round")]
    if road["divergences"]:
        parts.append(counted(road["divergences"], "divergence"))
    if road["rounds_without_result"]:
        parts.append(f"{grouped(road['rounds_without_result'])} without a result")
    if hidden := road["rounds"] - road["rounds_without_result"] - road["rounds_shown"]:
        parts.append(f"the last {grouped(hidden)} not shown")
    if found := road["found"]:
        parts.append(f"marked: round{'s' * (len(found) > 1)} {', '.join(map(str, found))}")
    draw = partial(_drawn, f"shoe-{number}", f"{title}: roads", road["roads"], found)
    return Picture(draw, roads_alt_text(road["roads"]), f"{title}: {'; '.join(parts)}")
