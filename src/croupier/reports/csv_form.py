"""A sheet as CSV: a row for each outcome line of a wager, then one for each figure of a package.

The columns are stable. A row of a package has no wager, and the row of a wager no package. Facts of
a wager or of the sheet are repeated in each row. Fractions are exact, and each is followed by its
decimal value.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from croupier.reports.figures import Sheet, decimal, exact, visible

COLUMNS: Final = (
    "law",
    "in_force_from",
    "title",
    "rules_hash",
    "law_hash",
    "cards",
    "wager",
    "wager_title",
    "scheme",
    "outcome",
    "ways",
    "probability",
    "probability_decimal",
    "pays",
    "contribution",
    "contribution_decimal",
    "house_edge",
    "house_edge_percent",
    "return_to_player",
    "edge_per_resolved",
    "resolved_frequency",
    "hit_frequency",
    "hit_cycle",
    "rounds_per_wager",
    "hit_cycle_rounds",
    "push_frequency",
    "variance",
    "standard_deviation",
    "volatility_index",
    "min_cents",
    "max_cents",
    "max_win_cents",
    "cites",
    "interpretations",
    "package",
    "package_row",
    "figure",
    "unit",
    "value",
    "value_decimal",
    "program",
    "version",
    "reproduce",
)

_PLACES: Final = 12

_FIGURE: Final = re.compile(r"-?\d+([./:]\d+)?", re.ASCII)
_STARTS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n")


def harmless(text: object) -> str:
    """Return text that no spreadsheet evaluates as a formula; numbers are unchanged.

    >>> harmless("=1+1"), harmless("-19/20"), harmless("- six")
    ("'=1+1", '-19/20', "'- six")
    """
    shown = visible(text)
    if _FIGURE.fullmatch(shown):
        return shown
    # Spreadsheets ignore spaces before the sign.
    risky = shown.startswith(_STARTS_A_FORMULA) or shown.lstrip().startswith(_STARTS_A_FORMULA)
    return f"'{shown}" if risky else shown


def csv_sheet(sheet: Sheet) -> str:
    """Return the sheet as CSV, with a header and LF line endings."""
    file = io.StringIO()
    writer = csv.writer(file, lineterminator="\n")
    writer.writerow(COLUMNS)
    rows = (_row(wager, line) for wager in sheet["wagers"] for line in wager["lines"])
    figures = (row for package in sheet["packages"] for row in _figures(package))
    whole = _whole(sheet)
    for row in (*rows, *figures):
        cells = {**dict.fromkeys(COLUMNS), **whole, **row}
        writer.writerow("" if cells[name] is None else harmless(cells[name]) for name in COLUMNS)
    return file.getvalue()


def _whole(sheet: Sheet) -> dict[str, object]:
    """Return what every row says of the sheet."""
    named = (
        "law", "in_force_from", "title", "rules_hash", "law_hash",
        "program", "version", "reproduce",
    )  # fmt: skip
    return {**{name: sheet[name] for name in named}, "cards": sheet["shoe"]["cards"]}


def _figures(package: Mapping[str, Any]) -> Iterator[dict[str, object]]:
    """Yield a row for each figure of a package; one that never comes has no value."""
    units = {column["id"]: column["unit"] for column in package["columns"]}
    for row in package["rows"]:
        for name, value in row["figures"].items():
            yield {
                "package": package["id"],
                "package_row": row["id"],
                "figure": name,
                "unit": units[name],
                "value": value,
                "value_decimal": None if value is None else decimal(exact(value), _PLACES),
                "cites": " ".join(package["cites"]),
                "interpretations": " ".join(package["interpretations"]),
            }


def _row(wager: Mapping[str, Any], line: Mapping[str, Any]) -> dict[str, object]:
    of_wager = (
        "scheme",
        "house_edge",
        "return_to_player",
        "edge_per_resolved",
        "resolved_frequency",
        "hit_frequency",
        "hit_cycle",
        "rounds_per_wager",
        "hit_cycle_rounds",
        "push_frequency",
        "variance",
        "min_cents",
        "max_cents",
        "max_win_cents",
    )
    return {
        "wager": wager["id"],
        "wager_title": wager["title"],
        **{name: wager[name] for name in of_wager},
        **{name: line[name] for name in ("outcome", "ways", "probability", "pays", "contribution")},
        "probability_decimal": decimal(exact(line["probability"]), _PLACES),
        "contribution_decimal": decimal(exact(line["contribution"]), _PLACES),
        "house_edge_percent": decimal(exact(wager["house_edge"]) * 100, _PLACES),
        "standard_deviation": f"{wager['standard_deviation']:.{_PLACES}f}",
        "volatility_index": f"{wager['volatility_index']:.{_PLACES}f}",
        "cites": " ".join(wager["cites"]),
        "interpretations": " ".join(wager["interpretations"]),
    }
