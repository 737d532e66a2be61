"""Acts available in a pit, with labels and fields for forms."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from croupier.acts.fields import label_of
from croupier.law.model import ConstraintKind, Instrument, Rule
from croupier.law.values import Kind
from croupier.table.machine.offered import Choices, Field
from croupier.table.pit.deciding import as_stated, laws_of
from croupier.table.pit.state import (
    AdmitOtherGame,
    AdmitTable,
    ChangeElections,
    GiveNotice,
    LinkMeters,
    PitCommand,
    PitState,
    PitTable,
    UnlinkMeters,
    WithdrawTable,
)

__all__ = ["PitAct", "pit_acts"]

_YES_NO: Final[Choices] = ((True, "true"), (False, "false"))


class PitAct(Struct, frozen=True):
    """An act available in a pit.

    Each election is a separate field, ``elections.RULE``.
    """

    command: type[PitCommand]
    fields: tuple[Field, ...]

    @classmethod
    def of(cls, command: type[PitCommand], *fields: Field) -> PitAct:
        labeled = (
            one if one.label else replace(one, label=label_of(command, one.name)) for one in fields
        )
        return cls(command, tuple(labeled))

    @property
    def words(self) -> str:
        return self.command.title


def pit_acts(
    state: PitState,
    table_ids: Sequence[str] = (),
    other_pits: Mapping[str, Sequence[str]] = MappingProxyType({}),
) -> tuple[PitAct, ...]:
    """Acts available in a pit.

    ``waiting`` are tables not yet admitted, ``elsewhere`` the licensee's tables of other pits, by
    pit, which may change with these in one act.

    >>> [one.words for one in pit_acts(PitState(), ["MB-1"])]
    ['Admit a table', 'Admit a table of another game']
    """
    return tuple(_acts(state, table_ids, other_pits))


def _acts(
    state: PitState, table_ids: Sequence[str], other_pits: Mapping[str, Sequence[str]]
) -> Iterator[PitAct]:
    tables = tuple(state.tables.values())
    with_rules = [table for table in tables if table.rules is not None]
    if with_rules:
        elections = tuple(_elections(with_rules, noticed=True))
        if elections:
            addressee = _chosen("to", addressees(laws_of(with_rules)).items())
            pits = tuple((pit, pit) for pit in other_pits)
            pit_field = (Field("pits", "tables", "Other pits", pits),) if pits else ()
            yield PitAct.of(GiveNotice, *elections, addressee, *pit_field, _field("at", "time"))
        named = [one.id for one in tables] + [name for ids in other_pits.values() for name in ids]
        text_fields = _field("companions", "lines"), _field("limits", "lines")
        yield PitAct.of(ChangeElections, _tables(named), *_elections(with_rules), *text_fields)
    if tables:
        yield PitAct.of(WithdrawTable, _chosen("table", ((table.id, table.id) for table in tables)))
    yield from _meters(state, with_rules)
    if table_ids:
        names = _chosen("table", ((table_id, table_id) for table_id in table_ids))
        yield PitAct.of(AdmitTable, names, _field("notified", "time"))
    other = (_field("table", "text"), _field("game", "text"), _field("elections", "lines"))
    yield PitAct.of(AdmitOtherGame, *other)


def _meters(state: PitState, tables: Sequence[PitTable]) -> Iterator[PitAct]:
    wagers = Counter(
        wager
        for pit_table in tables
        if pit_table.rules is not None
        for wager in pit_table.rules.offers
        if pit_table.rules.linkable(wager)
    )
    linkable = [(wager, wager) for wager, number in wagers.items() if number > 1]
    if linkable:
        yield PitAct.of(
            LinkMeters,
            _field("link", "text"),
            _tables(pit_table.id for pit_table in tables),
            _chosen("wager", linkable),
        )
    if state.links:
        link = _chosen("link", ((link_id, link_id) for link_id in state.links))
        table_ids = dict.fromkeys(table for one in state.links.values() for table in one.tables)
        yield PitAct.of(UnlinkMeters, link, _chosen("table", ((name, name) for name in table_ids)))


def _field(name: str, kind: str, choices: Choices = (), default: object = None) -> Field:
    return Field(name, kind, "", choices, default=default)


def _chosen(name: str, choices: Iterable[tuple[object, str]]) -> Field:
    pairs = tuple(choices)
    return _field(name, "one", pairs, pairs[0][0])


def _tables(names: Iterable[str]) -> Field:
    return _field("tables", "tables", tuple((name, name) for name in names))


def addressees(laws: Iterable[Instrument]) -> dict[str, str]:
    return {
        addressee: law.usage.offices.get(addressee, addressee)
        for law in laws
        for constraint in law.constraints
        for addressee in constraint.to
    }


def _elections(tables: Sequence[PitTable], *, noticed: bool = False) -> Iterator[Field]:
    seen: set[str] = set()
    for law in laws_of(tables):
        wanting = {
            rule
            for constraint in law.constraints
            if constraint.kind is ConstraintKind.NOTICE
            for rule in constraint.rules
        }
        for rule in law.rules.values():
            if rule.is_election and rule.id not in seen and (not noticed or rule.id in wanting):
                seen.add(rule.id)
                yield _election(rule, tables)


def _election(rule: Rule, tables: Iterable[PitTable]) -> Field:
    now = dict[str, list[str]]()
    for table in tables:
        if rule.id in table.elections:
            now.setdefault(rule.written(table.elections[rule.id]), []).append(table.id)
    current = "; ".join(f"{value} ({', '.join(table_ids)})" for value, table_ids in now.items())
    label = f"{rule.title} ({rule.id})" + (f": {current}" if current else "")
    kind, choices = "text", tuple[tuple[object, str], ...]()
    if rule.kind is Kind.FLAG:
        kind, choices = "choice", _YES_NO
    elif rule.choices:
        kind = "choice"
        choices = tuple((as_stated(rule, choice), rule.written(choice)) for choice in rule.choices)
    elif values := (*rule.at_least_any, *rule.one_of):
        kind, choices = "choice", tuple((value, value) for value in values)
    elif rule.kind is Kind.COUNT:
        kind = "count"
    minimum = rule.at_least if kind == "count" and isinstance(rule.at_least, int) else None
    return Field(f"elections.{rule.id}", kind, label, choices, minimum)
