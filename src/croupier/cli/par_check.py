"""What ``croupier par check`` prints."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from croupier.cli.output import blank, headline, plain_table, print_table, print_text
from croupier.odds.vendor_check import packages_by_name

if TYPE_CHECKING:
    from croupier.odds.documents import ParSheet
    from croupier.odds.vendor_documents import CheckedFigure, VendorCheck

_VERDICTS: Final = {
    "equal": "equal",
    "rounded_otherwise": "rounded otherwise",
    "wrong": "WRONG",
}


def print_check(found: VendorCheck, sheet: ParSheet) -> None:
    """Print the verdict on each figure, wager by wager."""
    counts, stated = found["counts"], len(found["figures"])
    page = "" if found["page"] is None else f", page {found['page']}"
    if found["agrees"]:
        headline(f"PASS: {found['file']}{page}: no figure of {stated} is wrong.")
    else:
        headline(f"FAIL: {found['file']}{page}: {counts['wrong']} of {stated} figures are wrong.")
    print_text(
        f"{counts['equal']} equal at the digits given, {counts['rounded_otherwise']} rounded "
        f"otherwise, {counts['wrong']} wrong."
    )
    print_text(f"{found['law_title']} ({found['law']}), in force from {found['in_force_from']}")
    print_text(f"Rules {found['rules_hash'][:16]}. {found['shoe']['cards']} cards.")
    print_text(f"File SHA-256 {found['file_sha256']}")
    for warning in found["warnings"]:
        print_text(f"WARNING {warning}")
    titles = {one["id"]: one["title"] for one in sheet["wagers"]}
    titles |= {name: one["title"] for name, one in packages_by_name(sheet).items()}
    figures = sorted(found["figures"], key=lambda one: list(titles).index(one["wager"]))
    for wager, of_wager in groupby(figures, key=lambda one: one["wager"]):
        blank()
        headline(titles[wager])
        _print_figures(list(of_wager))
    _print_rest(found, titles)


def _print_figures(figures: Sequence[CheckedFigure]) -> None:
    table = plain_table("Line", "Outcome", "Figure", "Stated", "Verdict")
    for one in figures:
        verdict = _VERDICTS[one["verdict"]]
        if one["verdict"] != "equal":
            verdict += f": exact {one['expected']}, difference {one['difference'] or 'none'}"
        table.add_row(
            str(one["line"]),
            _words(one["outcome"] or ""),
            _words(one["figure"]),
            one["stated"],
            verdict + (f"; {one['note']}" if one["note"] else ""),
        )
    print_table(table)
    cites = dict.fromkeys(clause for one in figures for clause in one["cites"])
    if cites:
        print_text(f"[{', '.join(cites)}]", indent=2)


def _words(name: str) -> str:
    return name.replace("_", " ")


def _print_rest(found: VendorCheck, titles: Mapping[str, str]) -> None:
    """Print what the file does not state, and what of it was not read."""
    missing = [
        titles[one["wager"]] + (f" ({_words(one['outcome'])})" if one["outcome"] else "")
        for one in found["not_stated"]
    ]
    unread = [one["column"] for one in found["columns"] if one["read_as"] is None]
    for said, names in (
        ("Not in the file", missing),
        ("Columns not read", unread),
        ("Pages not read", found["other_pages"]),
    ):
        if names:
            blank()
            print_text(f"{said}: {', '.join(names)}.")
