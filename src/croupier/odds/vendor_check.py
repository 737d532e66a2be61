"""A vendor's figures compared with the exact ones: a verdict for each, with its clauses."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from fractions import Fraction
from math import isqrt
from pathlib import Path
from typing import TYPE_CHECKING, Final, cast

from croupier.baccarat.wagers import TIE
from croupier.files.errors import MAX_FAULTS, FileError
from croupier.files.pipes import shown_name
from croupier.files.text import digest
from croupier.law.usage import currency_in_use
from croupier.odds.sheet import fraction, pays_text
from croupier.odds.stated import compared, shown_as
from croupier.odds.vendor_file import (
    ALL,
    RETURN,
    HowToRead,
    VendorFile,
    plain_name,
    read_vendor_file,
)
from croupier.rules import TableRules
from croupier.rules.documents import provenance

if TYPE_CHECKING:
    from croupier.odds import documents
    from croupier.odds.vendor_file import Claim

_SYNONYMS: Final[Mapping[str, tuple[str, ...]]] = {
    "win": ("wins", "won", "winner"),
    "lose": ("loses", "lost", "loss", "losing"),
    "push": ("pushes", "void", "standoff", TIE.id),
    ALL: ("total", "totals", "sum"),
}
_SUFFIXES: Final = frozenset({".csv", ".tsv", ".xlsx", ".xls", ".xlsb", ".ods"})
_ROOTS: Final = frozenset({"standard_deviation", "volatility_index", "deviation_at_hit"})
_OF_PACKAGE: Final[Mapping[str, str]] = {
    "chance": "probability",
    "edge": "house_edge",
    "variance_at_hit": "deviation_at_hit",
    "player": "beside_player",
    "banker": "beside_banker",
}
"""A vendor's names of package columns that have other names here."""
_OF_WAGER: Final = (
    "house_edge", "return_to_player", "edge_per_resolved", "resolved_frequency", "hit_frequency",
    "push_frequency", "variance", "hit_cycle",
)  # fmt: skip
"""Figures that the sheet of a wager has as fractions."""
_SCALE: Final = 10**40
_VOLATILITY: Final = Fraction("1.645")

Place = tuple[str, str | None, str]
"""A wager, an outcome, and a figure."""


def check_vendor(
    path: Path,
    rules: TableRules,
    sheet: documents.ParSheet,
    reading: HowToRead,
    reproduce: str = "",
) -> documents.VendorCheck:
    """Raise ``FileError`` with every error of the file, or of all files of a folder."""
    packages = packages_by_name(sheet)
    exact = {**_exact_figures(sheet["wagers"]), **dict(_of_packages(packages))}
    names = {**_names_of(sheet["wagers"]), **_names_of_packages(packages)}
    paths, other_files = _files(path)
    files: dict[Path, VendorFile] = {}
    errors: list[str] = []
    for sheet_path in paths:
        try:
            files[sheet_path] = read_vendor_file(sheet_path, names, reading, packages)
        except FileError as error:
            errors += error.errors
    if errors:
        raise FileError(*errors[:MAX_FAULTS])
    clauses = {wager["id"]: wager["cites"] for wager in sheet["wagers"]}
    clauses |= {name: package["cites"] for name, package in packages.items()}
    figures = [
        _checked(rules, clauses[claim.wager], shown_name(sheet_path), claim, exact)
        for sheet_path, file in files.items()
        for claim in _with_stake(file.claims, exact)
    ]
    counts = Counter(figure["verdict"] for figure in figures)
    return {
        "format": "croupier-par-check/2",
        **provenance(rules, reproduce),
        "source": shown_name(path),
        "files": [_sheet(sheet_path, file) for sheet_path, file in files.items()],
        "other_files": other_files,
        # The cards of these wagers are counted.
        "shoe": cast("documents.ShoeCards", sheet["shoe"]),
        "total_ways": cast("str", sheet["total_ways"]),
        "agrees": not counts["wrong"],
        "counts": {
            "equal": counts["equal"],
            "rounded_otherwise": counts["rounded_otherwise"],
            "wrong": counts["wrong"],
        },
        "figures": figures,
        "not_stated": list(
            _not_stated(sheet, [claim for file in files.values() for claim in file.claims])
        ),
    }


def _with_stake(claims: Sequence[Claim], exact: Mapping[Place, Fraction]) -> Iterator[Claim]:
    """Yield claims; a wager's returns are read as including the stake if more then agree."""
    of_outcome = {one for one in claims if (one.column, one.figure) == (RETURN, "contribution")}
    agreements, nearer = Counter[str](), defaultdict[str, Fraction](Fraction)
    for claim in of_outcome:
        for figure, sign in (("contribution", -1), ("returned", 1)):
            value = exact.get((claim.wager, claim.outcome, figure), Fraction())
            agreements[claim.wager] += sign * (compared(claim.stated, value) != "wrong")
            nearer[claim.wager] -= sign * abs(claim.stated.value - value)
    for claim in claims:
        # One wrong figure, however far off, must not decide how the others are read.
        is_better = claim in of_outcome and (agreements[claim.wager], nearer[claim.wager]) > (0, 0)
        yield claim._replace(figure="returned") if is_better else claim


def _files(path: Path) -> tuple[list[Path], list[str]]:
    if not path.is_dir():
        return [path], []
    entries = sorted(entry for entry in path.iterdir() if entry.is_file() and entry.name[0] != ".")
    sheets = [one for one in entries if one.suffix.casefold() in _SUFFIXES]
    if not sheets:
        raise FileError(f"{path}: no sheets; a name ends with {', '.join(sorted(_SUFFIXES))}")
    return sheets, [one.name for one in entries if one not in sheets]


def _sheet(path: Path, file: VendorFile) -> documents.VendorSheet:
    size, sha256 = digest(path)
    return {
        "file": shown_name(path),
        "file_sha256": sha256,
        "file_bytes": size,
        "page": file.page,
        "other_pages": list(file.other_pages),
        "columns": [{"column": head, "read_as": key} for head, key in file.columns],
    }


def _names_of(wagers: Iterable[documents.ParWager]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for wager in wagers:
        outcomes = {"": wager["id"]}
        lines = [line["outcome"] for line in wager["lines"]]
        for outcome in (*lines, ALL):
            outcomes[plain_name(outcome)] = outcome
            for synonym in _SYNONYMS.get(outcome, ()):
                outcomes.setdefault(synonym, outcome)
        for name in (wager["id"], wager["title"]):
            found[plain_name(name)] = outcomes
    return found


def packages_by_name(sheet: documents.ParSheet) -> dict[str, documents.Package]:
    wagers = {wager["id"] for wager in sheet["wagers"]}
    return {
        f"{package['id']}_package" if package["id"] in wagers else package["id"]: package
        for package in sheet["packages"]
    }


def _names_of_packages(packages: Mapping[str, documents.Package]) -> dict[str, dict[str, str]]:
    found: dict[str, dict[str, str]] = {}
    for package_name, package in packages.items():
        rows = {"": package_name}
        for row in package["rows"]:
            rows |= {plain_name(name): row["id"] for name in (row["id"], row["title"])}
        for name in (package_name, package["title"]):
            found[plain_name(name)] = rows
    return found


def _of_packages(packages: Mapping[str, documents.Package]) -> Iterator[tuple[Place, Fraction]]:
    for package_name, package in packages.items():
        for column in package["columns"]:
            name = _OF_PACKAGE.get(column["id"], column["id"])
            for row in package["rows"]:
                text = row["figures"].get(column["id"])
                if text is None:
                    continue
                value = Fraction(text)
                if column["unit"] == "cents":
                    value /= currency_in_use().minor
                elif column["unit"] == "square_cents":
                    value = _root(value) / currency_in_use().minor
                yield (package_name, row["id"], name), value


def _root(value: Fraction) -> Fraction:
    return Fraction(isqrt(value.numerator * _SCALE**2 // value.denominator), _SCALE)


def _exact_figures(wagers: Iterable[documents.ParWager]) -> dict[Place, Fraction]:
    exact: dict[Place, Fraction] = {}
    for wager in wagers:
        name, figures = wager["id"], cast("Mapping[str, str | None]", wager)
        for key in _OF_WAGER:
            if (text := figures[key]) is not None:
                exact[name, None, key] = Fraction(text)
        ways = sum(int(line["ways"] or 0) for line in wager["lines"])
        exact[name, None, "total_ways"] = Fraction(ways)
        exact[name, None, "expectation"] = -Fraction(wager["house_edge"])
        root = _root(Fraction(wager["variance"]))
        exact[name, None, "standard_deviation"] = root
        exact[name, None, "volatility_index"] = root * _VOLATILITY
        for line in wager["lines"]:
            share = Fraction(line["variance_share"] or 0)
            for outcome in (line["outcome"], ALL):
                for key, value in (
                    ("ways", Fraction(line["ways"] or 0)),
                    ("probability", Fraction(line["probability"])),
                    ("contribution", Fraction(line["contribution"])),
                    ("returned", Fraction(line["contribution"]) + Fraction(line["probability"])),
                    ("square", share * Fraction(wager["variance"])),
                    ("variance_share", share),
                ):
                    place = name, outcome, key
                    exact[place] = exact.get(place, Fraction()) + value
        for line in wager["lines"]:
            chance = exact[name, line["outcome"], "probability"]
            if chance:
                net = exact[name, line["outcome"], "contribution"] / chance
                exact[name, line["outcome"], "pays"] = net
                exact[name, line["outcome"], "cycle"] = 1 / chance
    return exact


def _checked(
    rules: TableRules,
    clauses: list[str],
    file: str,
    claim: Claim,
    exact: Mapping[Place, Fraction],
) -> documents.CheckedFigure:
    value = exact.get((claim.wager, claim.outcome, claim.figure))
    offer = rules.offers.get(claim.wager)
    cites = (() if offer is None else offer.cites.get(claim.outcome or "", ())) or clauses
    found: documents.CheckedFigure = {
        "file": file,
        "line": claim.line,
        "wager": claim.wager,
        "outcome": claim.outcome,
        "figure": claim.figure,
        "stated": claim.stated.text,
        "expected": "none",
        "exact": None,
        "verdict": "wrong",
        "difference": "",
        "note": "",
        "cites": list(cites),
    }
    if value is None:
        return found
    found["expected"] = shown_as(value, claim.stated)
    if claim.figure == "pays" and not claim.stated.unit:
        found["expected"] = pays_text(value)
    found["exact"] = None if claim.figure in _ROOTS else fraction(value)
    found["verdict"] = compared(claim.stated, value)
    if found["verdict"] != "equal":
        found["difference"] = _difference(claim, value)
    if found["verdict"] == "wrong":
        found["note"] = _note(claim, value, exact)
    return found


def _difference(claim: Claim, value: Fraction) -> str:
    difference = claim.stated.value - value
    if claim.stated.percent:
        return f"{float(difference * 100):+.4g} percentage points"
    return f"{int(difference):+,}" if difference.denominator == 1 else f"{float(difference):+.4g}"


def _note(claim: Claim, value: Fraction, exact: Mapping[Place, Fraction]) -> str:
    stated = claim.stated
    for text, number, unit in (
        ("as a percentage", stated.value / 100, stated.unit / 100),
        ("as a fraction of 1", stated.value * 100, stated.unit * 100),
        ("with the sign reversed", -stated.value, stated.unit),
        ("as paid for one, with the stake", stated.value - 1, stated.unit),
    ):
        if text.startswith("as paid") and claim.figure != "pays":
            continue
        if compared(stated._replace(value=number, unit=unit), value) == "equal":
            return f"equal {text}"
    if stated.unit > Fraction(1, 1000):  # A figure with few digits would match by chance.
        return ""
    for (wager, outcome, figure), other_value in exact.items():
        is_other = (wager, outcome) == (claim.wager, claim.outcome) and figure != claim.figure
        if is_other and compared(stated, other_value) == "equal":
            return f"equal to the {figure.replace('_', ' ')}"
    return ""


def _not_stated(
    sheet: documents.ParSheet, claims: Sequence[Claim]
) -> Iterator[documents.NotStated]:
    wagers_stated = {claim.wager for claim in claims}
    outcomes = {(claim.wager, claim.outcome) for claim in claims if claim.outcome}
    wagers_listed = {wager for wager, _ in outcomes}
    rows = {wager["id"]: [line["outcome"] for line in wager["lines"]] for wager in sheet["wagers"]}
    rows |= {
        name: [row["id"] for row in one["rows"]] for name, one in packages_by_name(sheet).items()
    }
    for name, listing in rows.items():
        if name not in wagers_stated:
            yield {"wager": name, "outcome": None}
        elif name in wagers_listed:
            for outcome in dict.fromkeys(listing):
                if (name, outcome) not in outcomes:
                    yield {"wager": name, "outcome": outcome}
