"""A vendor's PAR sheet as a table: the meaning of its columns, and every stated figure."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple, TypeVar

from msgspec import Struct, field

from croupier.files.errors import MAX_FAULTS, FileError, did_you_mean
from croupier.files.workbooks import Cell, SentTable, read_tables
from croupier.odds.stated import Kind, Stated, stated_number, stated_pays

FIGURES: Final[Mapping[str, tuple[str, ...]]] = {
    "house_edge": ("edge", "house advantage", "ha"),
    "return_to_player": ("rtp", "payback", "payback percentage", "theoretical payback"),
    "expectation": ("ev", "expected value", "player edge", "player advantage"),
    "edge_per_resolved": (
        "edge per resolved bet", "edge excluding ties", "house edge excluding ties",
        "house edge resolved",
    ),
    "resolved_frequency": ("share of resolved bets", "resolved"),
    "hit_frequency": ("hit freq", "hit rate", "win frequency", "win probability"),
    "hit_cycle": (
        "cycle", "hits every", "one in", "1 in", "hit cycle 1 in", "hit cycle 1 in wagers",
    ),
    "push_frequency": ("push freq", "push rate", "push probability"),
    "variance": ("var",),
    "standard_deviation": ("std dev", "stdev", "sd", "std deviation"),
    "volatility_index": ("vi", "volatility"),
    "total_ways": ("total combinations", "total combos", "total permutations"),
}  # fmt: skip
"""The figures of a wager, with alternative column names."""

LINE_FIGURES: Final[Mapping[str, tuple[str, ...]]] = {
    "ways": ("combinations", "combos", "permutations", "number of ways", "number of combinations"),
    "probability": ("prob", "chance", "frequency"),
    "pays": (
        "pay", "payout", "payoff", "payout to 1", "pays to 1", "odds", "payout odds",
        "net per unit",
    ),
    "pays_for_one": ("payout for 1", "pays for 1", "pays for one", "payout for one"),
    "contribution": ("contribution to return", "return contribution", "net return"),
    "returned": ("return with stake", "contribution to rtp", "rtp contribution"),
    "square": ("part of variance",),
    "variance_share": ("of variance", "share of variance"),
}  # fmt: skip

PACKAGE_FIGURES: Final[Mapping[str, tuple[str, ...]]] = {
    "seed": ("seed amount", "reset amount", "starting amount"),
    "break_even": ("break even amount", "break even meter"),
    "break_even_at_means": ("break even others at means", "break even at means"),
    "edge_per_1000_dollars": ("edge per $1,000", "edge per $1000"),
    "reset": ("edge of reset", "return of reset"),
    "increment": ("increment rate", "contribution rate", "meter rate"),
    "mean_at_hit": ("mean", "average at hit", "mean amount"),
    "deviation_at_hit": ("deviation", "amount deviation", "variance at hit"),
    "wagers_to_hit": ("wagers to a hit", "bets to hit", "bets to a hit"),
    "worth": ("draw worth", "value of the draw"),
    "beside_player": ("with player",),
    "beside_banker": ("with banker",),
}  # fmt: skip
"""Further figures of a package row, such as a meter or a patron's choice."""

RETURN: Final = "return"
"""The contribution of an outcome, to the expectation or to the RTP, whichever is nearer; the
expectation of a wager, or its RTP if at least 1/2."""

_CYCLE: Final = "cycle"

_OF_OUTCOME: Final[Mapping[str, str]] = {
    "expectation": "contribution",
    RETURN: "contribution",
    "hit_frequency": "probability",
    "hit_cycle": _CYCLE,
}
"""Figures of a wager with their meanings in the row of an outcome."""

ALL: Final = "all"
"""The outcome of a row of totals."""

_WAGER: Final = "wager"
_OUTCOME: Final = "outcome"
_PART: Final = "part"
"""The column that names the table of a row, in a sheet of ours."""

_NAMES: Final[Mapping[str, tuple[str, ...]]] = {
    _WAGER: ("bet", "wager title", "wager name", "bet name", "wager type", "bet type", "side bet"),
    _OUTCOME: ("result", "event", "pay line", "line", "winning hand", "outcome name"),
}
Found = TypeVar("Found")

_COUNTS: Final = frozenset({"ways", "total_ways"})
_NUMBERS: Final = frozenset(
    {"hit_cycle", "variance", "standard_deviation", "volatility_index", "wagers_to_hit", "square"}
)
_DOLLARS: Final = frozenset({"seed", "break_even", "mean_at_hit", "deviation_at_hit"})
_SEARCHED: Final = 50
"""Number of rows searched for a table's header."""

_FORMS: Final = frozenset({"decimal", "exactly"})
"""Words in a column name that describe its format, not its figure."""

_PERCENT: Final = re.compile(r"%|\bpercent\b|\bpct\b")


def plain_name(name: str) -> str:
    """Name as lowercase letters and digits.

    >>> plain_name("House_Edge (%)"), plain_name("Std. Dev.")
    ('house edge', 'std dev')
    """
    bare = _PERCENT.sub(" ", name.casefold().replace("_", " "))
    return " ".join(word for word in re.findall(r"[^\W_]+", bare) if word not in _FORMS)


def _known() -> dict[str, str]:
    tables: tuple[Mapping[str, tuple[str, ...]], ...] = (
        _NAMES, PACKAGE_FIGURES, FIGURES, LINE_FIGURES,
    )  # fmt: skip
    initials = {"".join(word[0] for word in key.split("_")): key for key in FIGURES if "_" in key}
    returns = {"return": RETURN, "returns": RETURN, "total return": RETURN}
    return (
        initials
        | returns
        | {
            plain_name(name): key
            for table in tables
            for key, names in table.items()
            for name in (key, *names)
        }
    )


_KNOWN: Final = _known()


class Claim(NamedTuple):
    line: int
    wager: str
    outcome: str | None
    figure: str
    stated: Stated
    column: str


class VendorFile(NamedTuple):
    page: str | None
    other_pages: Sequence[str]
    columns: Sequence[tuple[str, str | None]]
    claims: Sequence[Claim]


class HowToRead(Struct, frozen=True):
    """Mappings of a file's column, wager, and outcome names, and the position of its table."""

    names: Mapping[str, str] = field(default_factory=dict)
    encoding: str | None = None
    page: str | None = None


class _Named(NamedTuple):
    at: int
    key: str
    percent: bool


def read_vendor_file(
    path: Path,
    wagers: Mapping[str, Mapping[str, str]],
    how: HowToRead,
    packages: Collection[str] = (),
) -> VendorFile:
    """Read the figures of a vendor's file, CSV or a workbook.

    ``wagers`` maps a wager's plain names to its outcomes by name, with its id under an empty name.
    Raises ``FileError`` with every error.
    """
    page = how.page
    names = {plain_name(theirs): ours for theirs, ours in how.names.items()}
    reading = _Reading(path, wagers, names, packages)
    tables = read_tables(path, how.encoding)
    pages = [table.page for table in tables if table.page is not None]
    if page is not None and page not in pages:
        raise FileError(f"{path}: no page {page!r}; it has {', '.join(pages) or 'no pages'}")
    for table in tables:
        if page is None or table.page == page:
            header = reading.header(table)
            if header is not None:
                claims = reading.claims(table, *header)
                other_pages = [one for one in pages if one != table.page]
                return VendorFile(table.page, other_pages, reading.columns, claims)
    raise FileError(reading.no_header(tables))


class _Reading:
    def __init__(
        self,
        path: Path,
        wagers: Mapping[str, Mapping[str, str]],
        names: Mapping[str, str],
        packages: Collection[str],
    ) -> None:
        self.path = path
        self.packages = packages
        self.wagers = wagers
        self.names = names
        self.columns: list[tuple[str, str | None]] = []
        self.errors: list[str] = []
        self.listed: set[str] = set()

    def key(self, head: Cell) -> str | None:
        plain = plain_name(str(head))
        figure = self.names.get(plain)
        return _KNOWN.get(plain if figure is None else plain_name(figure))

    def header(self, table: SentTable) -> tuple[int, list[_Named]] | None:
        # Without a column of wagers, one of outcomes may contain both.
        for name in (_WAGER, _OUTCOME):
            for at, (line, row) in enumerate(table.rows[:_SEARCHED]):
                keys = [_WAGER if (key := self.key(cell)) == name else key for cell in row]
                if _WAGER in keys and any(key not in {None, _WAGER, _OUTCOME} for key in keys):
                    return at, self._named(line, row, keys)
        return None

    def _named(self, line: int, row: Sequence[Cell], keys: Sequence[str | None]) -> list[_Named]:
        self.columns = [
            (str(head), key) for head, key in zip(row, keys, strict=True) if str(head).strip()
        ]
        for head, key in self.columns:
            left_out = plain_name(head) in self.names
            hint = "" if key or left_out else did_you_mean(plain_name(head), _KNOWN)
            if hint:
                self._fault(
                    line,
                    f"column {head!r} is not known{hint} Name it with --map '{head}=NAME', or leave"
                    f" it out with --map '{head}='",
                )
        return [
            _Named(at, key, bool(_PERCENT.search(str(row[at]).casefold().replace("_", " "))))
            for at, key in enumerate(keys)
            if key is not None
        ]

    def _fault(self, line: int, message: str) -> None:
        self.errors.append(f"{self.path}:{line}: {message}")

    def claims(self, table: SentTable, head: int, columns: Sequence[_Named]) -> list[Claim]:
        found, wager = list[Claim](), ""
        is_ours = any(name == _PART for name, _ in self.columns)
        for line, row in table.rows[head + 1 :]:
            cells = [
                (column, row[column.at])
                for column in columns
                if column.at < len(row) and str(row[column.at]).strip()
            ]
            if not any(column.key not in {_WAGER, _OUTCOME} for column, _ in cells):
                continue
            if is_ours and not any(column.key == _WAGER for column, _ in cells):
                continue
            # A name stands for the rows below it too, as in merged cells.
            wager = next((str(cell) for column, cell in cells if column.key == _WAGER), wager)
            found += self._of_row(line, wager, cells)
        if self.errors:
            raise FileError(*self.errors[:MAX_FAULTS])
        if not found:
            raise FileError(f"{self.path}: no figures below the header")
        # A file may repeat a figure of a wager in each of its rows.
        seen: dict[object, Claim] = {}
        for claim in _of_whole_wagers(found):
            seen.setdefault((claim[1:4], claim.stated), claim)
        return list(seen.values())

    def _of_row(
        self, line: int, wager: str, cells: Sequence[tuple[_Named, Cell]]
    ) -> Iterator[Claim]:
        names = self._names(line, wager, cells)
        if names is None:
            return
        outcomes, outcome = names
        of_package = outcomes[""] in self.packages
        for column, cell in cells:
            if column.key in {_WAGER, _OUTCOME}:
                continue
            if column.key in PACKAGE_FIGURES and not of_package:
                self._fault(line, f"{column.key}: {wager} is a wager, and has no such figure")
                continue
            figure = _figure(column.key, None if of_package else outcome)
            of_line = of_package or figure in {*LINE_FIGURES, _CYCLE}
            if of_line and outcome is None:
                self._fault(line, f"{column.key}: of which outcome? The row has none")
                continue
            try:
                number = _number(column, cell)
            except ValueError as error:
                self._fault(line, f"{column.key}: {error}")
                continue
            if figure == RETURN:
                figure = _whole_return(number)
            line_outcome = outcome if of_line else None
            yield Claim(line, outcomes[""], line_outcome, figure, number, column.key)

    def _names(
        self, line: int, wager: str, cells: Sequence[tuple[_Named, Cell]]
    ) -> tuple[Mapping[str, str], str | None] | None:
        stated = next((str(cell) for column, cell in cells if column.key == _OUTCOME), None)
        if stated is None and (parts := self._split(wager)):
            return parts
        outcomes = self._find(line, "wager", wager, self.wagers)
        if outcomes is None or stated is None:
            return None if outcomes is None else (outcomes, None)
        outcome = self._find(line, f"outcome of {wager}", stated, outcomes)
        return None if outcome is None else (outcomes, outcome)

    def _split(self, cell: str) -> tuple[Mapping[str, str], str] | None:
        plain = plain_name(self.names.get(plain_name(cell), cell))
        words = plain.split()
        for at in range(len(words) - 1, 0, -1):
            outcomes = self.wagers.get(" ".join(words[:at]), {})
            if (name := " ".join(words[at:])) in outcomes and plain not in self.wagers:
                return outcomes, outcomes[name]
        return None

    def _find(self, line: int, what: str, stated: str, known: Mapping[str, Found]) -> Found | None:
        plain = plain_name(self.names.get(plain_name(stated), stated))
        if plain in known:
            return known[plain]
        hint = did_you_mean(plain, [one for one in known if one])
        listed = ""
        if what not in self.listed:
            self.listed.add(what)
            listed = f"; known: {', '.join(dict.fromkeys(one for one in known if one))}"
        name = "WAGER or WAGER/OUTCOME" if known is self.wagers else "NAME"
        self._fault(
            line,
            f"{what}: {stated!r} is not known{hint}{listed}. Name it with --map '{stated}={name}'",
        )
        return None

    def no_header(self, tables: Sequence[SentTable]) -> str:
        names = "wager, outcome, " + ", ".join((*FIGURES, *LINE_FIGURES, *PACKAGE_FIGURES))
        problem = "no header: a row with a column 'wager' and one of a figure is needed"
        lines = [f"{self.path}: {problem}; known: {names}. Name others with --map THEIRS=OURS"]
        for table in tables:
            page = "" if table.page is None else f"page {table.page}: "
            header = next((row for _, row in table.rows if any(map(str, row))), ())
            lines += [
                f"{page}column {str(head)!r}{hint}"
                for head in header
                if (hint := did_you_mean(plain_name(str(head)), _KNOWN)) and self.key(head) is None
            ]
        return "\n  ".join(lines)


def _figure(key: str, outcome: str | None) -> str:
    if key == "pays_for_one":
        return "pays"
    return key if outcome in {None, ALL} else _OF_OUTCOME.get(key, key)


def _whole_return(stated: Stated) -> str:
    return "return_to_player" if stated.value >= Fraction(1, 2) else "expectation"


def _of_whole_wagers(claims: Sequence[Claim]) -> Iterator[Claim]:
    """Yield claims; a figure with one value in all rows of a wager is the wager's."""
    values = defaultdict[tuple[str, str], list[Fraction]](list)
    for claim in claims:
        if claim.outcome not in {None, ALL}:
            values[claim.wager, claim.column].append(claim.stated.value)
    for claim in claims:
        same = values[claim.wager, claim.column]
        if claim.column in _OF_OUTCOME and len(same) > 1 and len({*same, claim.stated.value}) == 1:
            figure = _whole_return(claim.stated) if claim.column == RETURN else claim.column
            yield claim._replace(outcome=None, figure=figure)
        else:
            yield claim


def _number(column: _Named, cell: Cell) -> Stated:
    if column.key in {"pays", "pays_for_one"}:
        return stated_pays(cell, for_one=column.key == "pays_for_one")
    if column.key == "hit_cycle" and isinstance(cell, str):
        cell = re.sub(r"^1\s*in\s*", "", cell.strip(), flags=re.IGNORECASE)
    kind: Kind = "share"
    if column.key in _COUNTS:
        kind = "count"
    elif column.key in _NUMBERS:
        kind = "number"
    elif column.key in _DOLLARS:
        kind = "money"
    return stated_number(cell, kind, percent=column.percent)
