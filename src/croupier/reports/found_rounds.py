"""Rounds, irregularities, and sets of decks found in table logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any, Final

from croupier.acts.command import EVENT_TERMS
from croupier.law.usage import money
from croupier.reports.audit import counted
from croupier.reports.comparisons import words
from croupier.reports.document import document
from croupier.reports.tree import Cell, Conclusion, DataTable, Figure, Node, Note, Tree, Value, row

_ROUNDS: Final = (
    Figure("round", "Round", "count"),
    Figure("shoe", "Shoe", "count"),
    Figure("at", "Ended", "word"),
    Figure("player", "Player", "word"),
    Figure("banker", "Banker", "word"),
    Figure("winner", "Winner", "word"),
    Figure("nets", "Net by seat", "word"),
    Figure("irregular", "Irregularities", "word"),
)
_WAGERS: Final = (
    Figure("of_round", "Round", "count"),
    Figure("seat", "Seat", "count"),
    Figure("patron", "Patron"),
    Figure("wager", "Wager", "word"),
    Figure("stake", "Stake", "cents"),
    Figure("outcome", "Outcome", "word"),
    Figure("paid", "Paid", "cents"),
    Figure("vigorish", "Vigorish", "cents"),
    Figure("net", "Net", "cents"),
)


def found_rounds_tree(found: Mapping[str, Any], faces: Callable[[Sequence[str]], str]) -> Tree:
    """``faces`` writes cards as the terminal or the paper has them."""
    rounds = found["rounds"]
    nodes: list[Node] = [Note("No round was found.")] if not rounds else []
    if rounds:
        nodes.append(DataTable(_ROUNDS, [
            (
                round_["round"], round_["shoe"], round_["ended_at"][11:19],
                *(faces((round_[hand] or "").split()) for hand in ("player", "banker")),
                _winner(round_), _nets(round_), _irregular(round_),
            )
            for round_ in rounds
        ], "Rounds"))  # fmt: skip
    wagers = [(round_["round"], wager) for round_ in rounds for wager in round_["wagers"]]
    if wagers:
        nodes.append(DataTable(_WAGERS, [
            (
                number, one["seat"], one["patron"] or "", words(one["wager"]), one["stake_cents"],
                one["outcome"], one["paid_cents"], one["vigorish_cents"], one["net_cents"],
            )
            for number, one in wagers
        ], "Wagers"))  # fmt: skip
    streams = {round_["stream"] for round_ in rounds}
    subject = f"{len(rounds)} rounds in {len(streams)} {'log' if len(streams) == 1 else 'logs'}"
    return document("Rounds found", found, *nodes, about=subject)


def _nets(round_: Mapping[str, Any]) -> str:
    nets: Counter[int] = Counter()
    for wager in round_["wagers"]:
        nets[wager["seat"]] += wager["net_cents"] or 0
    return ", ".join(
        f"{seat}: {'+' if cents > 0 else ''}{money(cents)}" for seat, cents in sorted(nets.items())
    )


def _irregular(round_: Mapping[str, Any]) -> str:
    events = {found["event"] for found in round_["irregularities"]}
    kinds = (terms.irregular for event, terms in EVENT_TERMS.items() if event.__name__ in events)
    return ", ".join(filter(None, kinds))


def _winner(round_: Mapping[str, Any]) -> str:
    if round_["void"]:
        return "void"
    return str(round_["winner"] or ("simulated" if round_["simulated"] else ""))


_GROUPS: Final = (
    Figure("name", "Group"),
    Figure("rounds", "Rounds", "count"),
    Figure("irregularities", "Irregularities", "count"),
    Figure("rate", "Per 1,000", "number", 2),
    Figure("kinds", "Kinds"),
)
_ENTRIES: Final = (
    Figure("table", "Table", "word"),
    Figure("gaming_date", "Day", "word"),
    Figure("round", "Round", "count"),
    Figure("entry", "Entry", "count"),
    Figure("dealer", "Dealer"),
    Figure("shift", "Shift", "word"),
    Figure("kind", "Kind", "word"),
    Figure("clauses", "Clauses", "clauses"),
)


def irregularities_tree(found: Mapping[str, Any]) -> Tree:
    groups = found["groups"]
    rates = [
        (
            one["name"], one["rounds"], one["irregularities"],
            None if one["per_thousand_rounds"] is None else Fraction(one["per_thousand_rounds"]),
            "; ".join(f"{kind} {many}" for kind, many in one["kinds"].items()),
        )
        for one in groups
    ]  # fmt: skip
    titles = {
        (it["table"], it["gaming_date"], it["entry"]): it for one in groups for it in one["entries"]
    }
    entries = [one for _, one in sorted(titles.items())]
    nodes: list[Node] = [DataTable(_GROUPS, rates, f"By {found['by']}")]
    if entries:
        nodes.append(_listed(_ENTRIES, entries, "Entries"))
    subject = f"{found['irregularities']} irregularities in {found['rounds']} rounds"
    return document("Irregularities", found, *nodes, about=subject)


_SETS: Final = (
    Figure("set", "Set"),
    Figure("tables", "Tables"),
    Figure("cards", "Cards", "count"),
    Figure("shoes", "Shoes", "count"),
    Figure("status", "Status"),
    Figure("envelope", "Envelope", "word"),
    Figure("ordered_by", "Ordered off by"),
    Figure("gaps", "Gaps", "count"),
)
_GAPS: Final = (
    Figure("set", "Set"),
    Figure("gap", "Gap", "word"),
    Figure("says", "Says"),
    Figure("table", "Table", "word"),
    Figure("entry", "Entry", "count"),
)
_STEPS: Final = (
    Figure("set", "Set"),
    Figure("table", "Table", "word"),
    Figure("gaming_date", "Day", "word"),
    Figure("at", "Time (UTC)", "word"),
    Figure("entry", "Entry", "count"),
    Figure("says", "Recorded"),
    Figure("persons", "By"),
    Figure("clauses", "Clauses", "clauses"),
)


def decks_tree(found: Mapping[str, Any]) -> Tree:
    sets = found["sets"]
    gaps = [{"set": one["set"], **gap} for one in sets for gap in one["gaps"]]
    of = counted(len(sets), "set")
    sentence = f"{counted(len(gaps), 'gap')} in the record of {of}" if gaps else "No set has a gap"
    nodes: list[Node] = [Conclusion(f"{sentence}.", passes=not gaps)]
    if gaps:
        nodes.append(_listed(_GAPS, gaps, "Gaps"))
    rows = [_row(_SETS, {**one, "gaps": len(one["gaps"])}) for one in sets]
    nodes.append(DataTable(_SETS, rows, "Sets"))
    steps = [
        {"set": one["set"], **step, "at": step["at"][11:19]} for one in sets for step in one["life"]
    ]
    nodes.append(_listed(_STEPS, steps, "Life of each set"))
    return document("Sets of decks", found, *nodes, about=f"{of} of decks")


_OFTEN_ONE: Final = {"set", "table", "gaming_date", "shift"}
"""Columns that are left out where every row has the same."""


def _listed(figures: Sequence[Figure], rows: Sequence[Mapping[str, Any]], title: str) -> DataTable:
    columns = [
        figure
        for figure in figures
        if figure.id not in _OFTEN_ONE or len({row[figure.id] for row in rows}) > 1
    ]
    return DataTable(columns, [_row(columns, one) for one in rows], title)


def _row(columns: Sequence[Figure], data: Mapping[str, Any]) -> list[Value | Cell]:
    listed = {one.id for one in columns if one.unit == "text" and isinstance(data[one.id], list)}
    return row(columns, data, **{name: "; ".join(data[name]) for name in listed})
