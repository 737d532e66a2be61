"""Rounds, irregularities, and sets of decks found in table logs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from operator import itemgetter
from typing import Any, Final

from msgspec.structs import replace

from croupier.acts.words import cards_words
from croupier.law.usage import counted, money, named
from croupier.reports.comparisons import words
from croupier.reports.document import WAGER, WAGER_ID, document
from croupier.reports.tree import (
    Cell,
    Conclusion,
    DataTable,
    FactItem,
    Figure,
    Node,
    Note,
    Tree,
    Value,
    row,
)
from croupier.reports.words import person_words

_ROUND: Final = Figure("round", "Round", "count")
_TABLE: Final = Figure("stream", "Table", "word")
_DAY: Final = Figure("gaming_date", "Gaming date", "word")
_ROUNDS: Final = (
    Figure("shoe", "Shoe", "count"),
    Figure("ended", "Ended (UTC)", "word"),
    Figure("player", "Player", "word"),
    Figure("banker", "Banker", "word"),
    Figure("winner", "Winner", "word"),
)
_NETS: Final = Figure("nets", "Net by seat", "word")
_IRREGULARITIES: Final = (
    Figure("entry", "Entry", "count"),
    Figure("kind", "What happened"),
    Figure("card", "Card", "word"),
    Figure("clauses", "Clauses", "clauses"),
)
_WAGERS: Final = (
    Figure("seat", "Seat", "count"),
    Figure("patron", "Patron"),
    WAGER,
    Figure("stake", "Stake", "cents"),
    Figure("outcome", "Outcome", "word"),
    Figure("paid", "Paid", "cents"),
    Figure("vigorish", "Vigorish", "cents"),
    Figure("net", "Net", "cents"),
    WAGER_ID,
)


def found_rounds_tree(found: Mapping[str, Any], titles: Mapping[str, str], *, wagers: bool) -> Tree:
    rounds = found["rounds"]
    if not rounds:
        return document("Rounds found", found, Note("No round was found."), about="none")
    places = _varying((_ROUND, _TABLE, _DAY), rounds)

    def table(
        title: str,
        columns: Sequence[Figure],
        name: str,
        row: Callable[[Any, Any], tuple[Value, ...]],
    ) -> DataTable:
        rows = [
            (*(round_[place.id] for place in places), *row(round_, it))
            for round_ in rounds
            for it in (round_[name] if name else [{}])
            if name != "irregularities" or it["kind"]
        ]
        return DataTable((*places, *columns), rows, title, page=title)

    nodes = [table("Rounds", (*_ROUNDS, *[_NETS] * wagers), "", lambda round_, _: (
        round_["shoe"], round_["ended_at"][11:19],
        *(cards_words((round_[hand] or "").split()) for hand in ("player", "banker")),
        _winner(round_), *[_nets(round_)] * wagers,
    ))]  # fmt: skip
    nodes.append(table("Irregularities", _IRREGULARITIES, "irregularities", lambda _, it: (
        it["entry"], it["kind"], cards_words([it["card"] or ""]), it["clauses"],
    )))  # fmt: skip
    if wagers:
        nodes.append(table("Wagers", _WAGERS, "wagers", lambda _, it: (
            it["seat"], it["patron"] or "", words(it["wager"] or "", titles), it["stake_cents"],
            it["outcome"], it["paid_cents"], it["vigorish_cents"], it["net_cents"],
            it["wager"] or "",
        )))  # fmt: skip
    streams = {round_["stream"] for round_ in rounds}
    subject = " in ".join(
        counted(many, noun) for many, noun in ((len(rounds), "round"), (len(streams), "log"))
    )
    return document("Rounds found", found, *(it for it in nodes if it.rows), about=subject)


def _nets(round_: Mapping[str, Any]) -> str:
    nets: Counter[int] = Counter()
    for wager in round_["wagers"]:
        nets[wager["seat"]] += wager["net_cents"] or 0
    return ", ".join(
        f"{seat}: {'+' if cents > 0 else ''}{money(cents)}" for seat, cents in sorted(nets.items())
    )


def _winner(round_: Mapping[str, Any]) -> str:
    if round_["void"]:
        return "Void"
    winner = round_["winner"] or ("simulated" if round_["simulated"] else "")
    corrected = round_["corrected_winner"]
    suffix = f", corrected to {corrected.capitalize()}" if corrected else ""
    return f"{winner.capitalize()}{suffix}"


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
            person_words(one["name"]), one["rounds"], one["irregularities"],
            None if one["per_thousand_rounds"] is None else Fraction(one["per_thousand_rounds"]),
            "; ".join(f"{kind} {many}" for kind, many in one["kinds"].items()),
        )
        for one in groups
    ]  # fmt: skip
    titles = {(it["stream"], it["entry"]): it for one in groups for it in one["entries"]}
    order = itemgetter("table", "gaming_date", "stream", "entry")
    entries = sorted(titles.values(), key=order)
    columns = _varying(_ENTRIES, entries)
    # By kind, a group is named after its kind.
    heads = [replace(one, hidden=one.id == "kinds" == f"{found['by']}s") for one in _GROUPS]
    nodes: list[Node] = [DataTable(heads, rates, title := named(f"By {found['by']}"), page=title)]
    if entries:
        rows = [
            tuple(person_words(it[one.id]) if one.id == "dealer" else it[one.id] for one in columns)
            for it in entries
        ]
        columns = tuple(replace(one, title=named(one.title)) for one in columns)
        nodes.append(DataTable(columns, rows, "Entries", page="Entries"))
    subject = (
        f"{counted(found['irregularities'], 'irregularity', 'irregularities')} in "
        f"{counted(found['rounds'], 'round')}"
    )
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
        nodes.append(DataTable(_GAPS, [_row(_GAPS, one) for one in gaps], "Gaps", page="Gaps"))
    rows = [_row(_SETS, {**one, "gaps": len(one["gaps"])}) for one in sets]
    nodes.append(DataTable(_SETS, rows, "Sets", page="Sets"))
    columns = _varying(_STEPS, [step for one in sets for step in one["life"]])
    for one in sets:
        rows = [_row(columns, {**step, "at": step["at"][11:19]}) for step in one["life"]]
        of_set = FactItem(_SETS[0], one["set"])
        nodes.append(DataTable(columns, rows, f"Life of {one['set']}", "Life", of=of_set))
    return document("Sets of decks", found, *nodes, about=f"{of} of decks")


def _varying(columns: Sequence[Figure], rows: Sequence[Mapping[str, Any]]) -> tuple[Figure, ...]:
    places = {"stream", "table", "gaming_date", "shift"}
    same = {place for place in places if len({row.get(place) for row in rows}) == 1}
    return tuple(column for column in columns if column.id not in same)


def _row(columns: tuple[Figure, ...], data: Mapping[str, Any]) -> list[Value | Cell]:
    listed = {one.id for one in columns if one.unit == "text" and isinstance(data[one.id], list)}
    return row(columns, data, **{name: "; ".join(map(person_words, data[name])) for name in listed})
