"""Upcasting of recorded events to their newest version."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

Upcaster = Callable[[Mapping[str, Any]], Mapping[str, Any]]

UPCASTERS: Final[dict[tuple[str, int], Upcaster]] = {}
"""By event and version: the function that returns the next version's fields."""


def upcasts(name: str, version: int) -> Callable[[Upcaster], Upcaster]:
    """Register an upcaster of an event's fields from ``version`` to ``version + 1``."""

    def register(function: Upcaster) -> Upcaster:
        UPCASTERS[name, version] = function
        return function

    return register


def upcast(name: str, version: object, newest: int, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of an event in its newest version.

    Raises ``ValueError`` for a version unknown to this program.
    """
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


@upcasts("MysteryCommitted", 1)
def _above_the_seed(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Leave the meter unknown: the value was more than the seed, which the event omitted."""
    return {**fields, "above_cents": 0}


@upcasts("StaxWon", 1)
def _without_cards(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Leave the cards out: value and draw followed from the secret alone."""
    kept = {name: value for name, value in fields.items() if name != "late"}
    return {**kept, "opening": "", "cards": ""}


@upcasts("TableOpened", 1)
def _meters_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Leave the meters unknown: their accounts begin with the first contribution."""
    return {**fields, "meters": {}}


@upcasts("MetersAdvanced", 1)
def _without_reserve(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Set the reserve to zero: a meter could exceed its must-hit amount."""
    return {**fields, "reserved_cents": 0}


@upcasts("MeterReset", 1)
def _from_seed_alone(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**fields, "from_reserve_cents": 0}


@upcasts("FormPrepared", 1)
def _author_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Leave the author of the statement unknown; a day missing from the Form was empty."""
    return {**fields, "gaming_date": fields.get("gaming_date") or None, "stated_by": None}


@upcasts("DuplicatesForwarded", 1)
def _day_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**fields, "gaming_date": None, "next_date": None}


@upcasts("FormsCompared", 1)
def _without_amounts(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Report no differing amounts: only serials were compared."""
    return {**fields, "differing": []}


@upcasts("CardsReceived", 1)
def _unnamed(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**fields, "name": ""}


@upcasts("CardsSpread", 1)
def _laid_out_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**fields, "laid_out": ""}


@upcasts("CardDrawnInError", 1)
def _dealt_by_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**fields, "curator": None}


@upcasts("SettlementCorrected", 1)
def _amounts_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Leave the wagers and meters out: only the patrons' differences were recorded."""
    hands = {"player": [], "banker": [], "winner_was": "", "winner": ""}
    return {**fields, **hands, "amounts": [], "meters": {}}


PARTLY_CITED: Final = {("SettlementCorrected", 1)}
"""Versions of events that cited only some of the clauses of today's."""


@upcasts("CardMisread", 1)
def _settled_early_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**fields, "settled_early": False}


@upcasts("TableClosed", 2)
def _closing_meters_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**fields, "meters": {}}


def _cause_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    return {**fields, "cause": ""}


for _event in ("SimulatedRoundOrdered", "SimulatedRoundBegun"):
    upcasts(_event, 1)(_cause_unsaid)


def _clauses_left_out(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Remove clauses that were cited in error."""
    return {**fields, "clauses": []} if isinstance(fields.get("clauses"), list) else fields


for _event in ("PatronLeft", "TableClosed"):
    upcasts(_event, 1)(_clauses_left_out)
