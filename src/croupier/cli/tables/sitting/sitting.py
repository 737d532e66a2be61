"""The state of a terminal session."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

from croupier.acts.command import TERMS
from croupier.cli.tables.sitting.answers import read_card
from croupier.cli.tables.sitting.door import Document, Door, Reply
from croupier.reports.screen import OfficeView, Screen, screen
from croupier.reports.words import DRAW

_KEPT: Final = 500


class TerminalSitting:
    """The last view of the table, and the last refusal."""

    def __init__(self, door: Door) -> None:
        self.door: Final = door
        self.view: OfficeView = door.look()
        self.answer: Reply | None = None
        self.told: list[Document] = []

    def refresh(self) -> Sequence[Document]:
        """Refresh the view and return the new entries."""
        new = self.door.news()
        self.told = [*self.told, *new][-_KEPT:]
        self.view = self.door.look()
        self.answer = self.door.outcome() or self.answer
        return new

    @property
    def screen(self) -> Screen:
        """What this user is shown."""
        return screen(self.view)

    # --- what may be done ---

    @property
    def gives(self) -> list[Document]:
        """Acts available to this user: first those of play, then those that others wait for."""
        own = [one for one in self.view.acts if one["gives"]]
        return sorted(own, key=lambda one: (not one["must"], not one["awaited"]))

    @property
    def asked(self) -> list[Document]:
        """Pending acts that this user may consent to."""
        person = self.door.person
        given = {
            one["id"] for one in self.view.consents for who in one["by"] if who["person"] == person
        }
        return [one for one in self.view.consents if one["id"] not in given]

    @property
    def due(self) -> Document | None:
        """The first act that play or others wait for, if available to this user."""
        return next((one for one in self.gives if one["must"] or one["awaited"]), None)

    @property
    def then(self) -> str | None:
        """The act that Enter gives after the due one, if nothing is open between them."""
        due, then = self.due, self.view.then
        return then if due is not None and TERMS[due["command"]].then == then else None

    @property
    def draw(self) -> Document | None:
        """The act that draws a card from the shoe, if available to this user."""
        return next((one for one in self.gives if one["command"] == DRAW), None)

    @property
    def irregular(self) -> list[Document]:
        """Acts that report an irregularity."""
        return [one for one in self.gives if TERMS[one["command"]].asks]

    @property
    def others(self) -> list[Document]:
        """All other acts available to this user."""
        return [one for one in self.gives if not TERMS[one["command"]].asks]

    # --- doing it ---

    def needs(self, act: Document) -> list[Document]:
        """Return the fields of an act without a default."""
        return [one for one in act["fields"] if one["needed"]]

    def field(self, field: Document, values: Mapping[str, Any]) -> Document:
        """Return a field with the limits of its wager; the table decides."""
        seen, wager = self.view.seen, values.get("wager")
        found = [one for one in seen["wagers"] if one["wager"] == wager]
        if field["kind"] != "cents" or field["least"] is None or not found:
            return field
        least, unit = found[0]["min_cents"], found[0]["unit_cents"]
        seat = values.get("seat")
        if any((one["seat"], one["wager"]) == (seat, wager) for one in seen["stakes"]):
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
            one["name"]: values.get(one["name"], one["default"]) for one in act["fields"]
        }
        self.answer = self.door.do(command, then)
        return self.answer is None

    def consent(self, *, given: bool) -> bool:
        """Consent to the first pending act or decline it; return whether there is one.

        Without one, a decline withdraws the first act that this user asked for.
        """
        own = [] if given else [one for one in self.view.consents if one["mine"]]
        if not (found := self.asked or own):
            return False
        self.answer = self.door.consent(found[0]["id"], given=given)
        return True
