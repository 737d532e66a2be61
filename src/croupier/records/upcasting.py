"""Upcasting of recorded events to their newest version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from croupier.law.mechanisms import reserve

Upcaster = Callable[[Mapping[str, Any]], Mapping[str, Any]]

UPCASTERS: Final[dict[tuple[str, int], Upcaster]] = {}
"""By event and version: the function that returns the next version's fields."""


def upcasts(name: str, version: int) -> Callable[[Upcaster], Upcaster]:
    def register(function: Upcaster) -> Upcaster:
        reserve(function, "@upcasts")
        UPCASTERS[name, version] = function
        return function

    return register


def upcast(name: str, version: object, newest: int, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Bring fields to the newest version. Raises ``ValueError``."""
    if type(version) is not int or version < 1:
        raise ValueError(f"{name}: 'v' must be its version, a number from 1 to {newest}")
    if version > newest:
        raise ValueError(
            f"{name} has version {version}, but this program supports 1 to {newest}: a newer "
            "program wrote this log"
        )
    for step in range(version, newest):
        fields = UPCASTERS[name, step](fields)
    return fields


def _adds(**unsaid: Any) -> Upcaster:
    return lambda fields: {**fields, **unsaid}


# The value was more than the seed, which the event omitted.
upcasts("MysteryCommitted", 1)(_adds(above_cents=0))
# Their accounts begin with the first contribution.
upcasts("TableOpened", 1)(_adds(meters={}))
# A meter could exceed its must-hit amount.
upcasts("MetersAdvanced", 1)(_adds(reserved_cents=0))
upcasts("MeterReset", 1)(_adds(from_reserve_cents=0))
upcasts("DuplicatesForwarded", 1)(_adds(gaming_date=None, next_date=None))
# Only serials were compared.
upcasts("FormsCompared", 1)(_adds(differing=[]))
upcasts("CardsReceived", 1)(_adds(name=""))
upcasts("CardsSpread", 1)(_adds(laid_out=""))
upcasts("CardDrawnInError", 1)(_adds(curator=None))
upcasts("CardDrawnInError", 2)(_adds(seen_by=()))
upcasts("SimulatedRoundOrdered", 1)(_adds(cause=""))
upcasts("SimulatedRoundBegun", 1)(_adds(cause=""))
upcasts("CardMisread", 1)(_adds(settled_early=False))
upcasts("TableClosed", 2)(_adds(meters={}))
upcasts("WagerCorrected", 1)(_adds())
upcasts("SettlementCorrected", 1)(
    _adds(player=(), banker=(), winner_was="", winner="", amounts=(), meters={})
)


@upcasts("StaxWon", 1)
def _without_cards(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    # Value and draw followed from the secret alone.
    kept = {name: value for name, value in fields.items() if name != "late"}
    return {**kept, "opening": "", "cards": ""}


@upcasts("FormPrepared", 1)
def _author_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**fields, "gaming_date": fields.get("gaming_date") or None, "stated_by": None}


NAMED_EVERY_LINE: Final = (
    ("SettlementCorrected", 1), ("SettlementCorrected", 2), ("StakesReleased", 1), ("WagerPaid", 1),
)  # fmt: skip
"""Versions of events that named lines of a wager even where the table's rules did not."""
for _older in NAMED_EVERY_LINE[1:]:
    upcasts(*_older)(_adds())

PARTLY_CITED: Final = {("SettlementCorrected", 1), ("WagerCorrected", 1)}
"""Versions of events that cited only some of today's clauses."""


@upcasts("PatronLeft", 1)
@upcasts("TableClosed", 1)
def _clauses_left_out(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    # They were cited in error.
    return {**fields, "clauses": []} if isinstance(fields.get("clauses"), list) else fields
