"""Linked progressive meters of several tables, as interpretation C140 leaves to the licensee."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from croupier.rules import Award, TableRules
from croupier.table.machine.core import Refusal
from croupier.table.pit.state import (
    LinkMeters,
    MeterLink,
    MetersLinked,
    MetersMoved,
    MetersUnlinked,
    MoveMeters,
    PitEvents,
    PitState,
    UnlinkMeters,
)


def link_meters(state: PitState, command: LinkMeters) -> PitEvents | Refusal:
    name, wager, tables = command.link, command.wager, command.tables
    if not name.strip() or name in state.links:
        return Refusal("link_known", (), f"link {name!r}: give it a name that no other link has")
    if refusal := _strange(state, tables):
        return refusal
    rules = {table: state.tables[table].rules for table in tables}
    terms = {table: {} if its is None else _terms(its, wager) for table, its in rules.items()}
    first = terms[tables[0]]
    for one in tables:
        if not terms[one]:
            message = f"table {one} has no meters of {wager} that tables may share"
            return Refusal("no_meters", (), message)
        if links := [link for link, its in state.links_of(one).items() if its.wager == wager]:
            return Refusal("linked", (), f"table {one}: its meters of {wager} are in {links[0]}")
        if differ := [meter for meter in first if terms[one].get(meter) != first[meter]]:
            message = (
                f"tables {tables[0]} and {one} differ in what goes into {', '.join(differ)}, where"
                " it begins, or what it pays: meters that are linked agree in that"
            )
            return Refusal("not_alike", (), message)
    if refusal := _unstated(command, first):
        return refusal
    seeds = {meter: meter_terms["seed"] for meter, meter_terms in first.items()}
    amounts = {
        meter: seed + sum(command.shown[one][meter] - seed for one in tables)
        for meter, seed in seeds.items()
    }
    return (MetersLinked(name, wager, tables, amounts, seeds, ()),)


def _strange(state: PitState, tables: Sequence[str]) -> Refusal | None:
    if len({*tables}) != len(tables) or len(tables) < 2:
        return Refusal("no_table", (), "name two tables or more, each once")
    if unknown := [table for table in tables if table not in state.tables]:
        return Refusal("no_table", (), f"table {', '.join(unknown)} is not in the pit")
    return None


def _terms(rules: TableRules, wager: str) -> Mapping[str, Mapping[str, Any]]:
    offer = rules.offers.get(wager)
    if offer is None:
        return {}
    return {
        meter: {
            "seed": rules.meter_seeds[meter],
            "share": rules.meter_shares[wager][meter],
            "stake": offer.fixed_cents,
            "pays": {
                line: pays
                for line, pays in offer.pays.items()
                if isinstance(pays, Award) and pays.meter == meter
            },
        }
        for meter in rules.linkable(wager)
    }


def goes_on(state: PitState, table: str, rules: TableRules) -> Refusal | None:
    """Return why a table's links cannot go on under an amended text, if so."""
    links, before = state.links_of(table), state.tables[table].rules
    for name, link in links.items():
        if before is None or _terms(before, link.wager) != _terms(rules, link.wager):
            message = (
                f"under the amended text its meters of {link.wager} differ from those of {name} in"
                " what goes into them, where they begin, or what they pay: unlink them first"
            )
            return Refusal("not_alike", (), f"table {table}: {message}")
    return None


def _unstated(command: LinkMeters, meters: Mapping[str, Mapping[str, Any]]) -> Refusal | None:
    for one in command.tables:
        amounts = command.shown.get(one, {})
        if amounts.keys() != meters.keys():
            return Refusal("meters", (), f"table {one}: say what {', '.join(meters)} show")
        if low := [name for name, its in meters.items() if amounts[name] < its["seed"]]:
            return Refusal("amount", (), f"table {one}: {', '.join(low)} show less than their seed")
    return None


def linked(state: PitState, event: MetersLinked) -> PitState:
    link = MeterLink(event.wager, event.tables, event.shown, event.seeds)
    return replace(state, links={**state.links, event.link: link})


def unlink_meters(state: PitState, command: UnlinkMeters) -> PitEvents | Refusal:
    """Remove a table from a link; the last table keeps the values."""
    link = state.links.get(command.link)
    if link is None or command.table not in link.tables:
        return Refusal("not_linked", (), f"table {command.table} is not in a link {command.link!r}")
    amounts = link.seeds if len(link.tables) > 1 else link.shown
    return (MetersUnlinked(command.link, command.table, amounts, ()),)


def unlinked(state: PitState, event: MetersUnlinked) -> PitState:
    link = state.links[event.link]
    tables = tuple(table for table in link.tables if table != event.table)
    others = {name: meter_link for name, meter_link in state.links.items() if name != event.link}
    return replace(
        state, links={**others, event.link: replace(link, tables=tables)} if tables else others
    )


def move_meters(state: PitState, command: MoveMeters) -> PitEvents | Refusal:
    """Apply a settlement to linked meters; it must have read their current values."""
    link = state.links.get(command.link)
    if link is None or command.table not in link.tables:
        return Refusal("not_linked", (), f"table {command.table} is not in a link {command.link!r}")
    amounts = (command.added, command.awarded, command.seeded)
    if any(one.keys() - link.shown.keys() or min(one.values(), default=0) < 0 for one in amounts):
        names = ", ".join(link.shown)
        message = f"the meters of the link are {names}, and no amount is below 0"
        return Refusal("meters", (), message)
    if command.read != link.shown:
        message = f"table {command.table} did not read the meters as they are: {dict(link.shown)}"
        return Refusal("stale_meters", (), message)
    contributions, awards, seeds = amounts
    new_amounts = {
        meter: cents + contributions.get(meter, 0) - awards.get(meter, 0) + seeds.get(meter, 0)
        for meter, cents in link.shown.items()
    }
    if any(cents < 0 for cents in new_amounts.values()):
        return Refusal("short", (), "a meter does not award more than it shows")
    return (MetersMoved(command.link, command.table, new_amounts, ()),)


def moved(state: PitState, event: MetersMoved) -> PitState:
    link = replace(state.links[event.link], shown=event.shown)
    return replace(state, links={**state.links, event.link: link})
