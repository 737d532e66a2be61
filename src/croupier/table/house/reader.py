"""The lock of the card reader, recorded so that it survives a restart."""

from __future__ import annotations

from msgspec.structs import replace

from croupier import acts
from croupier.table.machine import core
from croupier.table.machine.core import Answer, Refusal, legal
from croupier.table.machine.house import Entry, House, notes
from croupier.table.machine.position import Position, house_decides
from croupier.table.machine.state import AT_TABLE


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
