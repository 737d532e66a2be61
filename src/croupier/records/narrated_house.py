"""Acts of the house in words: posts, cutting cards, chips that come and go, and corrections."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial
from typing import Any, Final

from croupier.law.resolve import instruments
from croupier.money.chips import Chips, chips_in_words
from croupier.money.settlement import dollars
from croupier.records.irregularities import HANDS
from croupier.table import events as e


def _amount(cents: int | None) -> str:
    """Write an amount; one that is not for the reader is ``None``."""
    return "??" if cents is None else dollars(cents)


def _chips(chips: Chips) -> str:
    """List chips; those that are not for the reader are left out of the event."""
    return chips_in_words(chips) or "??"


def _differs(cents: int | None, expected: int | None) -> str:
    """Say what a count found beside the record, where the reader may know both."""
    if cents is None or expected is None or cents == expected:
        return ""
    return (
        f", {dollars(abs(cents - expected))} {'more' if cents > expected else 'less'} than expected"
    )


def _cutting_cards_inserted(event: e.CuttingCardsInserted) -> str:
    """Say where the cutting cards lie: one at the end only where a cited clause says so."""
    places = (law.cites(["cut.second_at_end"]) for law in instruments())
    at_end = any(place and {*place} <= {*event.clauses} for place in places)
    told = (
        f"{event.moved} cards go to the back; the cutting card is {event.from_back} from the back"
    )
    return f"{told}, the other at the end" if at_end else told


def _counted(event: e.InventoryCounted) -> str:
    what = "The closing count" if event.closing else "A count"
    differs = _differs(event.cents, event.expected_cents)
    return f"{what} of the tray: {_amount(event.cents)}{differs}"


def _drop_counted(event: e.DropCounted) -> str:
    differs = _differs(event.cash_cents, event.expected_cents)
    return f"Box {event.box} is counted: {_amount(event.cash_cents)}{differs}"


def _wager_corrected(event: e.WagerCorrected) -> str:
    return (
        f"Entry {event.entry} is corrected, seat {event.seat}, {event.wager}: "
        f"{_amount(event.cents)} for {_amount(event.recorded_cents)} ({event.reason})"
    )


def _settlement_corrected(event: e.SettlementCorrected) -> str:
    told = "; ".join(map(_difference, event.differences)) or "no one's chips change"
    truth = f", {_truth(event)}" if _truth(event) else ""
    return (
        f"The settlement of round {event.round}, entry {event.entry}, is corrected{truth}"
        f" ({event.reason}): {told}"
    )


def _truth(event: e.SettlementCorrected) -> str:
    if event.actual is not None and event.hand is not None:
        return f"{event.actual} for {event.recorded} in the {HANDS[event.hand]}"
    if event.stake_cents is not None:
        return f"{_amount(event.stake_cents)} on {event.wager} at seat {event.seat}"
    if event.paid_cents is not None:
        return f"{_amount(event.paid_cents)} handed to seat {event.seat} for {event.wager}"
    return ""


_OUTCOMES: Final = {
    "paid": "is paid {}",
    "unpaid": "has left, and {} is kept",
    "unkept": "has left, was given {} too much, and it is taken from what is kept",
    "returned": "returns {}",
    "uncollected": "was given {} too much, not collected",
    "none": "is even",
}


def _difference(one: e.Difference) -> str:
    cents: int | None = one.cents
    less = one.outcome == "unpaid" and cents is not None and cents < 0
    said = _OUTCOMES["unkept" if less else one.outcome].format(
        _amount(None if cents is None else abs(cents))
    )
    marker = f", marker {_amount(one.marked_cents)}" if one.marked_cents else ""
    return f"{one.patron} {said}{marker}"


def _kept_amount_paid(event: e.KeptAmountPaid) -> str:
    left = f", and {_amount(event.left_cents)} stays there" if event.left_cents else ""
    known = f" ({event.identified})" if event.identified else ""
    return (
        f"The cage pays {event.patron}{known} {_amount(event.cents)} that was kept from the round"
        f" of entry {event.entry}, slip {event.slip}{left}"
    )


def _assigned(event: e.OfficeAssigned) -> str:
    if event.person == event.office:
        return f"The {event.office} is on duty"
    return f"{event.person} is assigned as {event.office}"


def _reserved(event: e.SeatReserved) -> str:
    until = "" if event.until is None else f" until {event.until:%Y-%m-%d %H:%M} UTC"
    return f"Seat {event.seat} is kept for {event.patron}{until}"


def _relieved(event: e.OfficeRelieved) -> str:
    reason = f": {event.reason}" if event.reason else ""
    return f"{event.person} relieves {event.relieved} as {event.office}{reason}"


def _moved(words: str, event: Any) -> str:
    return words.format(event.slip, _amount(event.cents))


def _slips() -> Iterator[tuple[type[e.Event], tuple[str, Callable[[Any], str]]]]:
    yield (
        e.FillRequested,
        ("act", lambda x: f"Fill {x.slip} is requested: {_chips(x.chips)}"),
    )
    yield (
        e.CreditRequested,
        ("act", lambda x: f"Credit {x.slip} is announced: {_chips(x.chips)}"),
    )
    said: Mapping[type[e.Event], str] = {
        e.FillIssued: "Fill {} leaves the cage: {}",
        e.FillReceived: "Fill {} is counted into the tray: {}",
        e.CreditIssued: "Credit {} is counted out of the tray: {}",
        e.CreditReceived: "Credit {} is at the cage: {}",
    }
    for kind, words in said.items():
        yield kind, ("money", partial(_moved, words))


HOUSE: Final[Mapping[type[e.Event], tuple[str, Callable[[Any], str]]]] = {
    e.CuttingCardsInserted: ("act", _cutting_cards_inserted),
    **dict(_slips()),
    e.SlipVoided: ("act", lambda x: f"Slip {x.slip} is void: {x.reason}"),
    e.InventoryCounted: ("money", _counted),
    e.DropRemoved: ("act", lambda x: f"Box {x.box} is removed, and {x.next_box} put in its place"),
    e.DropCounted: ("money", _drop_counted),
    e.ChipsChanged: ("money", lambda x: f"Seat {x.seat} changes {_amount(x.cents)} in chips"),
    e.OfficeAssigned: ("act", _assigned),
    e.AssignmentEnded: ("act", lambda x: f"{x.person} is {x.office} no more"),
    e.OfficeRelieved: ("act", _relieved),
    e.TablePaused: ("act", lambda x: f"The table is paused: {x.reason}"),
    e.TableResumed: ("act", lambda _: "The table is open for play again"),
    e.NoteWritten: (
        "act",
        lambda x: f"Note{'' if x.entry is None else f' on entry {x.entry}'}: {x.text}",
    ),
    e.SeatReserved: ("act", _reserved),
    e.SeatReleased: ("act", lambda x: f"Seat {x.seat} is kept for {x.patron} no longer"),
    e.WagerCorrected: ("ruling", _wager_corrected),
    e.SettlementCorrected: ("ruling", _settlement_corrected),
    e.KeptAmountPaid: ("money", _kept_amount_paid),
}
"""What a line says of each event, and of what kind it is."""
