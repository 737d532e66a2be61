"""Linked meters in table and pit records, as verification reads them, too."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.table.machine.position import Position, Proposal
from croupier.table.machine.state import with_slice
from croupier.table.parts.progressive import Progressive
from croupier.table.pit import MoveMeters, PitState

READS: Final = (acts.ReadController, acts.ReconcileMeters, acts.ReportController, acts.SettleWagers)
"""Commands before which a table reads linked meters."""


def reading_key(sequence: int) -> str:
    return f"pit-{sequence}-meters"


def linked_meters(state: PitState, table: str) -> Mapping[str, int]:
    links = state.links_of(table).values()
    return {meter: cents for link in links for meter, cents in link.shown.items()}


def with_meters(position: Position, shown: Mapping[str, int]) -> Position:
    kept = position.state[Progressive]
    if all(kept.meters[meter] == cents for meter, cents in shown.items()):
        return position
    state = with_slice(position.state, replace(kept, meters={**kept.meters, **shown}))
    ledger = position.ledger.posted(position.ledger.reading(shown))
    return replace(position, state=state, ledger=ledger)


class WithLinkedMeters:
    def __init__(self) -> None:
        self._found: tuple[Position, Mapping[str, int], Position] | None = None

    def __call__(self, state: PitState | None, table: str, position: Position) -> Position:
        if state is None or not state.links:
            return position
        shown, found = linked_meters(state, table), self._found
        if found is None or found[0] is not position or found[1] != shown:
            found = self._found = position, shown, with_meters(position, shown)
        return found[2]


def readings(
    state: PitState, table: str, position: Position, command: acts.Command
) -> Iterator[acts.ReadMeters]:
    """Yield meters moved by others, to be read before a command."""
    if not isinstance(command, READS):
        return
    known = position.state[Progressive].meters
    staked = {wager for _, wager in position.state.stakes}
    for name, link in state.links_of(table).items():
        concerned = not isinstance(command, acts.SettleWagers) or link.wager in staked
        if concerned and any(known[meter] != cents for meter, cents in link.shown.items()):
            yield acts.ReadMeters(name, link.shown)


def meters_moved(table: str, stream: str, entry: Proposal) -> Iterator[MoveMeters]:
    before = entry.before.state[Progressive]
    for link in dict.fromkeys(before.linked.values()):
        read = {name: before.meters[name] for name, one in before.linked.items() if one == link}
        added, awarded, seeded = Counter[str](), Counter[str](), Counter[str]()
        for event in entry.events:
            match event:
                case acts.MetersAdvanced(meters):
                    added.update({name: meters[name] - cents for name, cents in read.items()})
                case acts.AwardPaid(meter=str(meter)) | acts.HandPayDue(meter=str(meter)) if (
                    meter in read
                ):
                    awarded[meter] += event.cents
                case acts.MeterReset(meter, cents, kept) if meter in read:
                    seeded[meter] += cents - kept
        moved = [{name: cents for name, cents in counter.items() if cents}
                 for counter in (added, awarded, seeded)]  # fmt: skip
        if any(moved):
            number = entry.after.sequence
            yield MoveMeters(link, table, stream, number, read, *moved)
