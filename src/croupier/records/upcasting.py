"""What an event of an older version means today: functions from one version to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

Upcaster = Callable[[Mapping[str, Any]], Mapping[str, Any]]

UPCASTERS: Final[dict[tuple[str, int], Upcaster]] = {}
"""By event and version: what makes the fields of the next version of it."""


def upcasts(name: str, version: int) -> Callable[[Upcaster], Upcaster]:
    """Register what makes version ``version + 1`` of an event's fields out of ``version``."""

    def register(function: Upcaster) -> Upcaster:
        UPCASTERS[name, version] = function
        return function

    return register


def upcast(name: str, version: object, newest: int, fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the fields of an event in its newest version.

    Raises ``ValueError`` for a version that this program does not know.
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
    """Say nothing of the meter: the value was more than the seed, which the event left out."""
    return {**fields, "above_cents": 0}


@upcasts("StaxWon", 1)
def _without_cards(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Name no cards: value and draw followed from the secret alone."""
    kept = {name: value for name, value in fields.items() if name != "late"}
    return {**kept, "opening": "", "cards": ""}


@upcasts("TableOpened", 1)
def _meters_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say nothing of meters: their accounts begin with the first round that goes into them."""
    return {**fields, "meters": {}}


@upcasts("MetersAdvanced", 1)
def _without_reserve(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Keep nothing in reserve: a meter went beyond the amount by which it had to be hit."""
    return {**fields, "reserved_cents": 0}


@upcasts("MeterReset", 1)
def _from_seed_alone(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Begin a meter at its seed alone: nothing was kept in reserve."""
    return {**fields, "from_reserve_cents": 0}


@upcasts("FormPrepared", 1)
def _author_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say nothing of whose statement it is; a day that the Form does not record was empty."""
    return {**fields, "gaming_date": fields.get("gaming_date") or None, "stated_by": None}


@upcasts("DuplicatesForwarded", 1)
def _day_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say nothing of the gaming day that was ended."""
    return {**fields, "gaming_date": None, "next_date": None}


@upcasts("FormsCompared", 1)
def _without_amounts(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Find no amounts that differ: serials alone were compared."""
    return {**fields, "differing": []}


@upcasts("CardsReceived", 1)
def _unnamed(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Give the decks no name."""
    return {**fields, "name": ""}


@upcasts("CardsSpread", 1)
def _laid_out_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say nothing of rows or columns, which the event did not tell."""
    return {**fields, "laid_out": ""}


@upcasts("CardDrawnInError", 1)
def _dealt_by_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Name no curator: the event did not say who dealt the card."""
    return {**fields, "curator": None}


def _cause_unsaid(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Say nothing of why a round without wagers is dealt."""
    return {**fields, "cause": ""}


for _event in ("SimulatedRoundOrdered", "SimulatedRoundBegun"):
    upcasts(_event, 1)(_cause_unsaid)


def _clauses_left_out(fields: Mapping[str, Any]) -> Mapping[str, Any]:
    """Leave out clauses that were cited for what they do not say."""
    return {**fields, "clauses": []} if isinstance(fields.get("clauses"), list) else fields


for _event in ("PatronLeft", "TableClosed"):
    upcasts(_event, 1)(_clauses_left_out)
