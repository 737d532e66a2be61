"""The state of a terminal session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from croupier.cli.tables.sitting.answers import read_card
from croupier.cli.tables.sitting.door import Document, Door, Reply
from croupier.reports.screen import OfficeView, Screen, screen
from croupier.reports.words import DRAW

if TYPE_CHECKING:
    from croupier.records.view.documents import ActSeen


class TerminalSitting:
    def __init__(self, door: Door) -> None:
        self.door: Final = door
        self.view: OfficeView = door.look()
        self.screen: Screen = screen(self.view)
        self.answer: Reply | None = None

    def refresh(self) -> Sequence[Document]:
        new = self.door.news()
        self.view = self.door.look()
        self.screen = screen(self.view)
        self.answer = self.door.outcome() or self.answer
        return new

    @property
    def listed(self) -> list[ActSeen]:
        shown = self.screen
        return [*shown.due, *shown.awaited, *shown.others]

    @property
    def draw(self) -> ActSeen | None:
        return next((one for one in self.listed if one["command"] == DRAW), None)

    def field(self, field: Document, values: Mapping[str, Any]) -> Document:
        """Return a field with the limits of its wager; the table decides."""
        seen, wager = self.view.seen, values.get("wager")
        found = [one for one in seen["wagers"] if one["wager"] == wager]
        if field["kind"] != "cents" or field["least"] is None or not found:
            return field
        least, unit = found[0]["min_cents"], found[0]["unit_cents"]
        seat = values.get("seat")
        if any((stake["seat"], stake["wager"]) == (seat, wager) for stake in seen["stakes"]):
            least = unit
        bounds = {"least": least, "most": found[0]["max_cents"], "unit": unit, "default": least}
        return {**field, **bounds, "needed": least is None}

    def send_card(self, text: str = "") -> bool:
        """Send a card; none means that its face was not seen."""
        if self.draw is None:
            return False
        card = read_card(text) if text else "next" if self.door.cards == "sealed" else None
        return self.send(self.draw, {"card": card})

    def send(self, act: Document, values: Mapping[str, Any], then: str | None = None) -> bool:
        """Send an act, and the one that goes on with it; return whether it was done."""
        command = {"type": act["command"]} | {
            field["name"]: values.get(field["name"], field["default"]) for field in act["fields"]
        }
        if isinstance(place := command.get("recorded"), Mapping):
            # The card that was misread, with its place.
            command |= place
        self.answer = self.door.do(command, then)
        return self.answer is None

    def consent(self, *, given: bool) -> bool:
        """Consent to the first pending act or decline it; return whether there is one.

        Without one, a decline withdraws the first act that this user asked for.
        """
        pending = sorted(self.screen.consents, key=lambda consent: consent.is_own)
        if not pending or (given and pending[0].is_own):
            return False
        self.answer = self.door.consent(pending[0].id, given=given)
        return True
