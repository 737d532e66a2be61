"""Comparisons of exact figures: two tables, elections, and a vendor's figures."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from fractions import Fraction
from types import MappingProxyType
from typing import Final

from msgspec.structs import replace

from croupier.acts.words import cards_words
from croupier.reports.document import (
    CLAUSES,
    HIT_FREQUENCY,
    HOUSE_EDGE,
    OUTCOME,
    RTP,
    VARIANCE,
    WAGER,
    WAGER_ID,
    Data,
    document,
    fact,
    package_figure,
    package_value,
    plain,
    shoe_of,
    sides,
    table_section,
)
from croupier.reports.figures import kind
from croupier.reports.tree import (
    Cell,
    Conclusion,
    DataTable,
    Drawn,
    FactItem,
    FactList,
    Figure,
    Node,
    Note,
    Section,
    Tree,
    Value,
    row,
)

BEFORE: Final = Figure("before", "Before", "percent")
AFTER: Final = Figure("after", "After", "percent")
CHANGE: Final = Figure("change", "Change", "percent", signed=True)
ELECTIONS: Final = Figure("elections", "Elections")
_DECKS: Final = Figure("decks", "Decks", "count")
EXACT: Final = Figure("value", "Exactly", "word", decoration=True)
_PACKAGE: Final = Figure("package_title", "Package")
_ROW: Final = Figure("row_title", "Row")
_COLUMN: Final = Figure("column_title", "Column")
_PACKAGE_IDS: Final = tuple(
    Figure(place, f"{place.capitalize()} id", "word", hidden=True)
    for place in ("package", "row", "column")
)
_FILE_BYTES: Final = Figure("file_bytes", "Bytes of the file", "count")
_VERDICTS: Final = {"equal": "equal", "rounded_otherwise": "rounded otherwise", "wrong": "WRONG"}


Titles = Mapping[str, str]


def words(name: str, titles: Titles = MappingProxyType({})) -> str:
    """Title of a wager by its id, or else the id in words.

    >>> words("my_wager"), words("my_wager", {"my_wager": "A wager of mine"})
    ('My wager', 'A wager of mine')
    """
    return titles.get(name) or name.replace("_", " ").capitalize()


def _rate(text: str | None, if_missing: str = "not offered") -> Value:
    return if_missing if text is None else Fraction(text)


# --- two tables ----------------------------------------------------------------------------------


def comparison_tree(data: Data, titles: Titles = MappingProxyType({})) -> Tree:
    rows: list[tuple[Value, ...]] = []
    for wager in data["wagers"]:
        change = _rate(wager["change"], "")
        edges = (_rate(wager["before"]), _rate(wager["after"]))
        rows.append((words(wager["wager"], titles), *edges, change, "", None, wager["wager"]))
        rows += [
            (
                "", None, None, Fraction(step["change"]), step["group"],
                [*dict.fromkeys((*step["cites"]["before"], *step["cites"]["after"]))],
                wager["wager"],
            )
            for step in wager["steps"]
        ]  # fmt: skip
    columns = (
        WAGER, BEFORE, AFTER, CHANGE, Figure("cause", "Cause"),
        Figure(CLAUSES.id, CLAUSES.title, "clauses"), WAGER_ID,
    )  # fmt: skip
    changed = [package for package in data["packages"] if package["before"] != package["after"]]
    heads = (
        _PACKAGE, _ROW, _COLUMN, Figure("package_before", "Before"),
        Figure("package_after", "After"),
        Figure("before_exactly", "Before, exactly", "word", hidden=True),
        Figure("after_exactly", "After, exactly", "word", hidden=True), *_PACKAGE_IDS,
    )  # fmt: skip
    packages = [
        row(
            heads,
            one,
            **_named(one),
            package_before=_of_package(one["unit"], one["before"], "before"),
            package_after=_of_package(one["unit"], one["after"], "after"),
            before_exactly=one["before"],
            after_exactly=one["after"],
        )
        for one in changed
    ]
    differing = sum(wager["before"] != wager["after"] for wager in data["wagers"])
    return document(
        f"Comparison: {data['before']['title']} and {data['after']['title']}",
        data,
        Note(f"House edges that differ: {differing} of {len(data['wagers'])}."),
        *sides(("Before", data["before"]), ("After", data["after"])),
        *table_section("House edges", columns, rows),
        *table_section("Packages", heads, packages),
        about="House edges before and after, and the steps that add up to each change",
    )


def _named(figure: Data) -> dict[str, str]:
    return {f"{one.id}_title": words(figure[one.id] or "") for one in _PACKAGE_IDS}


def _of_package(unit: str, text: str | None, name: str) -> Value | Cell:
    if text is None:
        return "none"
    return Cell(package_value(unit, text), package_figure(name, "Figure", unit))


# --- every election ------------------------------------------------------------------------------


def sweep_tree(data: Data, titles: Titles = MappingProxyType({})) -> Tree:
    columns = (
        WAGER, _DECKS, ELECTIONS, plain(HOUSE_EDGE), plain(RTP), plain(HIT_FREQUENCY),
        plain(VARIANCE), replace(CLAUSES, hidden=True), WAGER_ID,
    )  # fmt: skip
    names = [(words(one["wager"], titles), _elected(one)) for one in data["figures"]]
    rows = [
        row(columns, figure, wager_title=title, elections=elected)
        for (title, elected), figure in zip(names, data["figures"], strict=True)
    ]
    # The clauses of a wager are the same for any number of decks.
    cites = {name: one["cites"] for name, one in zip(names, data["figures"], strict=True)}
    heads = (
        _PACKAGE, _DECKS, ELECTIONS, _ROW, _COLUMN, Figure("figure", "Figure"), EXACT,
        Figure("unit", "Unit", "word", hidden=True), CLAUSES, *_PACKAGE_IDS,
    )  # fmt: skip
    packages = [
        row(
            heads,
            package,
            **_named(package),
            elections=_elected(package),
            figure=_of_package(package["unit"], package["value"], "figure"),
        )
        for package in data["packages"]
    ]
    return document(
        f"Sweep: {data['law_title']}",
        data,
        *table_section("Wagers", columns, rows),
        *table_section(
            "Clauses", (WAGER, ELECTIONS, CLAUSES), [(*name, cites[name]) for name in cites]
        ),
        *table_section("Packages", heads, packages),
    )


def _elected(election: Data) -> str:
    return "; ".join(f"{name}={value}" for name, value in election["elections"].items())


# --- a vendor's figures --------------------------------------------------------------------------


def vendor_tree(found: Data, titles: Titles = MappingProxyType({})) -> Tree:
    counts, number = found["counts"], len(found["figures"])
    name, files = found["source"], found["files"]
    if len(files) > 1:
        name += f", {len(files)} files"
    elif files[0]["page"] is not None:
        name += f", page {files[0]['page']}"
    sentence = (
        f"PASS: {name}: no figure of {number} is wrong."
        if found["agrees"]
        else f"FAIL: {name}: {counts['wrong']} of {number} figures are wrong."
    )
    details = (
        f"{counts['equal']} equal at the digits given, {counts['rounded_otherwise']} rounded "
        f"otherwise, {counts['wrong']} wrong."
    )
    wagers = dict.fromkeys(figure["wager"] for figure in found["figures"])
    return document(
        f"Check of {found['source']}",
        found,
        Conclusion(sentence, found["agrees"], [details]),
        *([Section("Files", [_by_file(found)])] if len(files) > 1 else []),
        *(_checked(found, wager, titles) for wager in wagers),
        *_rest(found, titles),
        facts=[
            *(
                fact("File SHA-256" if len(files) == 1 else file["file"], file["file_sha256"])
                for file in files
            ),
            *([FactItem(_FILE_BYTES, files[0]["file_bytes"])] if len(files) == 1 else []),
            fact("Shoe", shoe_of(found)),
            FactItem(Figure("sheet_ways", "Ways", "ways"), found["total_ways"]),
        ],
    )


def _by_file(found: Data) -> DataTable:
    verdicts = Counter((figure["file"], figure["verdict"]) for figure in found["figures"])
    columns = (
        Figure("file", "File"),
        Figure("page", "Page"),
        _FILE_BYTES,
        *(Figure(key, title.capitalize(), "count") for key, title in _VERDICTS.items()),
    )
    rows = [
        row(columns, file, **{key: verdicts[file["file"], key] for key in _VERDICTS})
        for file in found["files"]
    ]
    return DataTable(columns, rows, page="Files")


def _checked(found: Data, wager: str, titles: Titles) -> Section:
    figures = [figure for figure in found["figures"] if figure["wager"] == wager]
    columns = (
        Figure("file", "File", hidden=len(found["files"]) == 1),
        Figure("line", "Line", "count"),
        OUTCOME,
        Figure("figure", "Figure"),
        Figure("stated", "Stated", "word"),
        Figure("verdict", "Verdict"),
        Figure("expected", "Exact, to those digits", "word"),
        Figure("difference", "Difference", "word"),
        Figure("note", "Note"),
        WAGER_ID,
    )
    rows = [
        row(
            columns,
            figure,
            outcome=(figure["outcome"] or "").replace("_", " "),
            figure=figure["figure"].replace("_", " "),
            verdict=_VERDICTS[figure["verdict"]],
        )
        for figure in figures
    ]
    cites = [*dict.fromkeys(clause for figure in figures for clause in figure["cites"])]
    title = words(wager, titles)
    nodes: list[Node] = [DataTable(columns, rows, page="Figures", of=FactItem(WAGER, title))]
    nodes += [FactList([FactItem(CLAUSES, cites)])] if cites else []
    return Section(title, nodes)


def _rest(found: Data, titles: Titles) -> Iterator[Section]:
    missing = [
        words(one["wager"], titles)
        + (f" ({one['outcome'].replace('_', ' ')})" if one["outcome"] else "")
        for one in found["not_stated"]
    ]
    files = found["files"]
    unread = [one["column"] for file in files for one in file["columns"] if one["read_as"] is None]
    pages = [page for file in files for page in file["other_pages"]]
    captions = (
        ("Not in the file" if len(files) == 1 else "Not in the files", missing),
        ("Columns not read", list(dict.fromkeys(unread))),
        ("Pages not read", pages),
        ("Files not read", found["other_files"]),
    )
    facts = [fact(title, ", ".join(names)) for title, names in captions if names]
    if facts:
        yield Section("Not compared", [FactList(facts)])


# --- in mid-round --------------------------------------------------------------------------------


def odds_tree(data: Data, titles: Titles = MappingProxyType({})) -> Tree:
    columns = (
        WAGER,
        Figure("wins", "Wins", "percent"),
        Figure("pushes", "Pushes", "percent"),
        Figure("loses", "Loses", "percent"),
        Figure("expectation", "EV per unit", "number", 6, signed=True),
        WAGER_ID,
    )
    rows = [
        row(columns, wager, wager_title=words(wager["id"], titles), wager=wager["id"],
            **_shares(wager))
        for wager in data["wagers"]
    ]  # fmt: skip
    heads = (
        WAGER, OUTCOME, Figure("pays", "Pays", "word"),
        Figure("probability", "Probability", "percent"), Figure("ways", "Ways", "ways"),
    )  # fmt: skip
    lines = [
        row(heads, line, wager_title=words(wager["id"], titles),
            outcome=line["outcome"].replace("_", " "))
        for wager in data["wagers"]
        for line in wager["lines"]
    ]  # fmt: skip
    return document(
        "Odds of a round",
        data,
        _known(data),
        Section(
            "Wagers", [DataTable(columns, rows, page="Wagers", drawn=[Drawn(["expectation"])])]
        ),
        *table_section("Outcomes", heads, lines),
    )


def _known(data: Data) -> FactList:
    number = data["unseen"]
    return FactList(
        [
            *(fact(f"{hand}'s Hand", cards_words(data[hand.lower()]) or "nothing known")
              for hand in ("Player", "Banker")),
            fact("Shoe", shoe_of(data)),
            *([FactItem(
                Figure("unseen", "Cards gone unseen", "count"), number, "any may be among them"
            )] if number else []),
        ]
    )  # fmt: skip


def _shares(wager: Data) -> dict[str, Fraction]:
    shares = {"wins": Fraction(), "pushes": Fraction(), "loses": Fraction()}
    for line in wager["lines"]:
        name = {"win": "wins", "push": "pushes"}.get(kind(line["pays"]), "loses")
        shares[name] += Fraction(line["probability"])
    return shares


def odds_table_tree(data: Data, titles: Titles = MappingProxyType({})) -> Tree:
    grouping = data["by"].replace("-", " ")
    case = Figure("condition", grouping.capitalize(), "word")
    columns = (
        case,
        Figure("probability", "Probability", "percent"),
        Figure("player_wins", "Player wins", "percent"),
        Figure("banker_wins", "Banker wins", "percent"),
        Figure("ties", "Tie", "percent"),
    )
    rows = [row(columns, one) for one in data["conditions"]]
    wagers = [wager["id"] for wager in data["conditions"][0]["wagers"]]
    values = [
        (one["condition"], *(Fraction(wager["expectation"]) for wager in one["wagers"]))
        for one in data["conditions"]
    ]
    heads = (
        case,
        *(Figure(f"ev_{name}", words(name, titles), "number", 6, signed=True) for name in wagers),
    )
    return document(
        f"Odds by {grouping}",
        data,
        _known(data),
        Section("Results", [DataTable(columns, rows, page="Results")]),
        Section("Expected value per unit", [DataTable(heads, values, page="Expected value")]),
    )
