"""Query parameters, for parsing and the API description."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from croupier.acts.roles import OTHER_SIDE
from croupier.server.service import CARDS


class Query(NamedTuple):
    """A query parameter; an integer if it has a maximum ``most``."""

    name: str
    says: str
    example: str | int
    most: int | None = None
    choices: tuple[str, ...] = ()
    written: str = ""
    """The JSON Schema format of a text."""

    @property
    def described(self) -> Mapping[str, Any]:
        schema: dict[str, Any] = {"type": "string"}
        if self.most is not None:
            schema = {"type": "integer", "minimum": 0, "maximum": self.most}
        elif self.choices:
            schema["enum"] = [*self.choices]
        elif self.written:
            schema["format"] = self.written
        return {
            "name": self.name, "in": "query", "description": self.says, "example": self.example,
            "schema": schema,
        }  # fmt: skip


NUMBERED: Final = 10**12

TABLE: Final = Query("table", "The name of the table; that of its submission by default.", "MB-101")
CARDS_FROM: Final = Query(
    "cards", "Where its cards come from; from the dealer by default.", "sealed", choices=CARDS
)
PATRONS: Final = Query(
    "patrons", "How many patrons the autopilot seats; 0 for as many as it likes.", 3, 14
)
NOTIFIED: Final = Query(
    "notified",
    "When notice of its elections was given, if the regulation wants it before their first use.",
    "2026-11-22T09:00:00Z",
    written="date-time",
)
CORRECTS: Final = Query("corrects", "The entry that the command corrects.", 12, NUMBERED)
AFTER: Final = Query(
    "after", "The entry after which events are sent; the last one by default.", 12, NUMBERED
)
DAY: Final = Query(
    "day", "The gaming day, counted from 1; the last one by default.", 1, 10**9
)  # fmt: skip
REFUSED: Final = Query("most", "How many refusals, the newest first; 100 by default.", 20, 1000)
LINK: Final = Query("link", "The code of a one-time link.", "the code")

# Parameters of pages.
AT: Final = Query("at", "The entry at which the table is shown.", 12, NUMBERED)
SIDE: Final = Query("side", "From where the table is seen.", "dealer", choices=(*OTHER_SIDE,))
SIDE_COOKIE: Final = "croupier-side"
REFUSALS: Final = Query("refusals", "How many refusals are shown; 20 by default.", 20, 200)
UNTIL: Final = Query("until", "The entry before which words are looked for.", 12, NUMBERED)
