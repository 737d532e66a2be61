"""The accounts of a table log by gaming day and shoe."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from croupier.reports.document import Data, document, fact
from croupier.reports.tree import (
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
from croupier.reports.verification import chain_in_words, chain_warnings

WIN: Final = Figure("win_cents", "Win", "cents")
TABLE_WIN: Final = Figure("table_win_cents", "Table win", "cents")
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
    ("tray_short_cents", "Short in counts of the tray, in the win"),
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
