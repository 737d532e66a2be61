"""Money in a table's record."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from croupier import acts
from croupier.acts.command import EVENT_TERMS
from croupier.records.accounts import AccountReader, DayAccounts
from croupier.records.codec import read_events
from croupier.records.entry import entry_head
from croupier.server.rounds import Followed
from croupier.table.machine.core import Events

_KEPT: Final = 200
"""Number of items kept of each kind; older ones are only in the exported record."""


class Books(Followed):
    def __init__(self) -> None:
        self._accounts: Final = AccountReader()
        self._begun: Final[list[int]] = []
        self.counts: list[dict[str, Any]] = []
        self.slips: dict[int, dict[str, Any]] = {}
        self.boxes: dict[str, dict[str, Any]] = {}
        self.compared: list[dict[str, Any]] = []

    def days(self, span: range) -> Sequence[DayAccounts]:
        days = self._accounts.finish().days
        return [day for at, day in zip(self._begun, days, strict=True) if at in span]

    def follow(self, first: int, lines: Sequence[bytes]) -> None:
        for at, line in enumerate(lines, start=first):
            head = entry_head(line)
            if head is not None and at > self.sequence:
                self.take(at, head.at, read_events(head.events))

    def take(self, at: int, time: str, events: Events) -> None:
        place = {"seq": at, "at": time}
        for event in events:
            self._accounts.follow(event)
            self._begun.extend([at] * (len(self._accounts.days) - len(self._begun)))
            self._note(event, place)
        for by_entry in (self.counts, self.compared):
            del by_entry[:-_KEPT]
        self.sequence = at

    def _note(self, event: acts.Event, place: dict[str, Any]) -> None:
        match event:
            case acts.InventoryCounted():
                title = "closing" if event.closing else "tray"
                amounts = {"cents": event.cents, "expected_cents": event.expected_cents}
                self.counts.append({**place, "what": title, "box": None, **amounts})
            case acts.DropRemoved():
                self.boxes[event.box] = {**place, "box": event.box, "next": event.next_box}
            case acts.DropCounted():
                amounts = {"cents": event.cash_cents, "expected_cents": event.expected_cents}
                self.counts.append({**place, "what": "box", "box": event.box, **amounts})
                self.boxes.pop(event.box, None)
            case acts.SlipVoided():
                self._slip(event.slip, event.kind, "void", place, None)
            case acts.FormsCompared():
                found = {
                    name: [*getattr(event, name)]
                    for name in ("matched", "without_original", "without_duplicate", "differing")
                }
                self.compared.append({**place, **found})
            case _ if (terms := EVENT_TERMS.get(type(event))) and terms.slip:
                kind, state = terms.slip
                transfer: Any = event
                self._slip(transfer.slip, kind, state, place, transfer.cents)

    def _slip(
        self, slip: int, kind: str, state: str, place: dict[str, Any], cents: int | None
    ) -> None:
        found = self.slips.setdefault(slip, {"slip": slip, "kind": kind, "cents": cents})
        found.update(place, state=state)
        while len(self.slips) > _KEPT:
            del self.slips[next(iter(self.slips))]
