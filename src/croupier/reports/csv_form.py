"""A sheet as CSV: one table with a row for each outcome line of a wager.

The columns are stable. Facts of a wager or of the sheet are repeated in each row. Fractions are
exact, and each is followed by its decimal value.
"""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Mapping
from typing import Any, Final

from croupier.reports.figures import Sheet, decimal, exact, visible

__all__ = ["COLUMNS", "csv_sheet", "harmless"]

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
    "edge_per_resolved",
    "hit_frequency",
    "push_frequency",
    "variance",
    "standard_deviation",
    "volatility_index",
    "min_cents",
    "max_cents",
    "max_win_cents",
    "cites",
    "interpretations",
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
    for wager in sheet["wagers"]:
        for line in wager["lines"]:
            row = _row(sheet, wager, line)
            writer.writerow("" if row[name] is None else harmless(row[name]) for name in COLUMNS)
    return file.getvalue()


def _row(sheet: Sheet, wager: Mapping[str, Any], line: Mapping[str, Any]) -> dict[str, object]:
    as_told = (
        "law", "in_force_from", "title", "rules_hash", "law_hash",
        "program", "version", "reproduce",
    )  # fmt: skip
    of_wager = (
        "scheme",
        "house_edge",
        "edge_per_resolved",
        "hit_frequency",
        "push_frequency",
        "variance",
        "min_cents",
        "max_cents",
        "max_win_cents",
    )
    return {
        **{name: sheet[name] for name in as_told},
        "cards": sheet["shoe"]["cards"],
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
