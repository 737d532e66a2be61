"""Pauses, notes, reserved seats, and the lock of the card reader: acts of the house."""

from __future__ import annotations

from typing import Final

from msgspec.structs import replace

from croupier import acts
from croupier.table.machine import core
from croupier.table.machine.core import Answer, Refusal, legal, no_seat
from croupier.table.machine.house import Entry, House, Reservation, notes
from croupier.table.machine.position import Position, guards, house_decides
from croupier.table.machine.state import ANY_TIME, AT_TABLE
from croupier.table.people.seating import same_name

_LONGEST: Final = 500


# Only the house's book records these.
core.no_effect(
    acts.TablePaused, acts.TableResumed, acts.NoteWritten, acts.SeatReserved, acts.SeatReleased
)


@house_decides(acts.PauseTable, AT_TABLE)
def _pause(position: Position, command: acts.PauseTable) -> Answer:
    if position.house.pause:
        return Refusal("paused", (), f"the table is paused already: {position.house.pause}")
    if not command.reason.strip():
        return Refusal("reason", (), "a table is paused for a reason, which stays in the record")
    return (acts.TablePaused(command.reason, ()),)


@house_decides(acts.ResumeTable, AT_TABLE)
def _resume(position: Position, _command: acts.ResumeTable) -> Answer:
    if not position.house.pause:
        return Refusal("not_paused", (), "the table is not paused")
    return (acts.TableResumed(()),)


@notes(acts.TablePaused)
def _paused(house: House, event: acts.TablePaused, entry: Entry) -> House:
    return replace(house, pause=event.reason, paused_by=entry.offices)


@notes(acts.TableResumed)
def _resumed(house: House, _event: acts.TableResumed, _entry: Entry) -> House:
    return replace(house, pause="", paused_by=())


@house_decides(acts.WriteNote, ANY_TIME)
def _note(position: Position, command: acts.WriteNote) -> Answer:
    if not command.text.strip() or len(command.text) > _LONGEST:
        return Refusal("text", (), f"a note has 1 to {_LONGEST} characters")
    if command.of is not None and not 1 <= command.of <= position.sequence:
        message = f"there is no entry {command.of}: the last one is {position.sequence}"
        return Refusal("entry", (), message)
    return (acts.NoteWritten(command.text, command.of, ()),)


@house_decides(acts.ReserveSeat, AT_TABLE)
def _reserve(position: Position, command: acts.ReserveSeat) -> Answer:
    seat, state = command.seat, position.state
    if refusal := no_seat(seat, position.rules):
        return refusal
    if not command.patron.strip():
        return Refusal("patron", (), "name the patron for whom the seat is kept")
    if seat in state.seats:
        return Refusal("seat_taken", (), f"seat {seat} is taken by {state.seats[seat].name}")
    if (reservation := _kept(position, seat)) is not None:
        return Refusal("reserved", (), f"seat {seat} is kept for {reservation.patron}")
    if command.until is not None and command.until.tzinfo is None:
        return Refusal("until", (), "give the time with its zone, such as 2011-02-22T20:15:00Z")
    if command.until is not None and state.at is not None and command.until <= state.at:
        return Refusal("until", (), f"{command.until:%Y-%m-%d %H:%M} is over")
    return (acts.SeatReserved(seat, command.patron, command.until, ()),)


@house_decides(acts.ReleaseSeat, AT_TABLE)
def _release(position: Position, command: acts.ReleaseSeat) -> Answer:
    reservation = position.house.reserved.get(command.seat)
    if reservation is None:
        return Refusal("not_reserved", (), f"seat {command.seat} is kept for no one")
    return (acts.SeatReleased(command.seat, reservation.patron, ()),)


def _kept(position: Position, seat: int) -> Reservation | None:
    reservation, now = position.house.reserved.get(seat), position.state.at
    over = (
        reservation is not None
        and reservation.until is not None
        and now is not None
        and reservation.until <= now
    )
    return None if over else reservation


@guards(acts.SeatPatron)
def _not_for(position: Position, command: acts.SeatPatron) -> Refusal | None:
    reservation = _kept(position, command.seat)
    if reservation is None or same_name(reservation.patron, command.patron):
        return None
    return Refusal("reserved", (), f"seat {command.seat} is kept for {reservation.patron}")


@guards(acts.ChangeSeat)
def _not_to(position: Position, command: acts.ChangeSeat) -> Refusal | None:
    reservation, patron = _kept(position, command.to), position.state.seats.get(command.seat)
    if reservation is None or (patron is not None and same_name(patron.name, reservation.patron)):
        return None
    return Refusal("reserved", (), f"seat {command.to} is kept for {reservation.patron}")


@notes(acts.SeatReserved)
def _reserved(house: House, event: acts.SeatReserved, _entry: Entry) -> House:
    reservation = Reservation(event.patron, event.until)
    return replace(house, reserved={**house.reserved, event.seat: reservation})


@notes(acts.SeatReleased)
def _released(house: House, event: acts.SeatReleased, _entry: Entry) -> House:
    return house.without_reservation(event.seat)


def card_is_due(position: Position) -> bool:
    return any(action.command is acts.DrawCard for action in legal(position.state, position.rules))


@house_decides(acts.ReportOverdraw, AT_TABLE)
def _overdrawn(position: Position, command: acts.ReportOverdraw) -> Answer:
    if position.house.reader_locked:
        return Refusal("locked", (), "the card reader is locked already")
    if card_is_due(position):
        return Refusal("card_due", (), "a card is due: it is drawn, and no overdraw")
    return (acts.ReaderLocked(command.card, ()),)


@house_decides(acts.UnlockReader, AT_TABLE)
def _unlock(position: Position, _command: acts.UnlockReader) -> Answer:
    if not position.house.reader_locked:
        return Refusal("not_locked", (), "the card reader is not locked")
    return (acts.ReaderUnlocked(()),)


core.no_effect(acts.ReaderLocked, acts.ReaderUnlocked)


@notes(acts.ReaderLocked, acts.ReaderUnlocked)
def _noted(house: House, event: object, _entry: Entry) -> House:
    return replace(house, reader_locked=isinstance(event, acts.ReaderLocked))
