"""Every way in which a review changed a table log, and who can find it."""

from __future__ import annotations

import gzip
import re
from collections.abc import Callable, Iterable
from enum import Enum
from typing import Final, NamedTuple

from croupier.records.entry import last_body, seal
from support.forged_logs import Line, bodies, chained, does, event_of, forged, has, read, where

Change = Callable[[bytes], bytes]


class Found(Enum):
    """Who finds a change."""

    CHAIN = "every reader: the chain of seals is broken"
    REFUSED = "every reader: the file is not a log, or its header is refused"
    RULES = "only who derives every event again: all of it was sealed anew"
    NOBODY = "nobody without a head that was noted before"
    WHOLE = "nobody has to: it is the same log, or an open one"


class Changed(NamedTuple):
    """A change of a log; ``line`` is the one that a reader of the chain names."""

    change: Change
    found: Found
    line: int | None = None


_MIDDLE: Final = 40
"""An entry's line in the middle of a log: its index among the lines."""


def _lines(log: bytes) -> list[bytes]:
    return log.splitlines(keepends=True)


def _edited(at: int, change: Callable[[bytes], bytes], *, resealed: bool = False) -> Change:
    """Return a change of the bytes of one line, which keeps its seal or is sealed again."""

    def edit(log: bytes) -> bytes:
        lines = _lines(log)
        body = bodies(lines[at])[0]
        after = change(body)
        assert after != body, body
        line = seal(after)[0] if resealed else after[:-1] + lines[at][len(body) - 1 :]
        lines[at] = line
        return b"".join(lines)

    return edit


def _line_with(kind: bytes, log: bytes) -> int:
    return next(at for at, line in enumerate(_lines(log)) if b'"type":"%b"' % kind in line)


def _sub(old: bytes, new: bytes) -> Callable[[bytes], bytes]:
    return lambda body: re.sub(old, new, body, count=1)


def _resealed(kind: bytes, change: Callable[[bytes], bytes], *, as_is: bool = False) -> Change:
    """Return a change of the first line with an event of a kind; everything is sealed again."""

    def edit(log: bytes) -> bytes:
        torn = bodies(log)
        at = 0 if kind == b"header" else _line_with(kind, log)
        after = change(torn[at])
        assert after != torn[at]
        torn[at] = after
        return chained(torn, as_is=at if as_is else None)

    return edit


def _parsed(change: Callable[[list[Line]], object]) -> Change:
    """Return a change of the lines as objects, all numbered and sealed again."""

    def edit(log: bytes) -> bytes:
        lines = read(log)
        change(lines)
        return forged(lines)

    return edit


def _order(change: Callable[[list[bytes]], Iterable[bytes]]) -> Change:
    """Return a change of which lines there are, as they are."""
    return lambda log: b"".join(change(_lines(log)))


def _renumbered(log: bytes) -> bytes:
    """Drop a line, and number those after it again: each is sealed, and none linked anew."""
    torn = bodies(log)
    del torn[_MIDDLE]
    for at in range(_MIDDLE, len(torn) - 1):
        torn[at] = re.sub(rb'^{"seq":\d+', b'{"seq":%d' % at, torn[at])
    return b"".join(seal(body)[0] for body in torn)


def _closed_early(log: bytes) -> bytes:
    lines = _lines(log)[: _MIDDLE + 1]
    last = last_body(_MIDDLE, lines[-1][-67:-3].decode())
    return b"".join((*lines, seal(last)[0]))


def _other(log: bytes) -> bytes:
    """Return another log of the same table: that of another opening."""
    return _parsed(lambda lines: lines[0].update(stream="0" * 36))(log)


def _shifted(lines: list[Line]) -> None:
    for one in lines[1:-1]:
        one["at"] = one["at"].replace("2000-", "2026-")


def _set(kind: str, **fields: object) -> Callable[[list[Line]], None]:
    def change(lines: list[Line]) -> None:
        event_of(lines[where(lines, has(kind))], kind).update(fields)

    return change


def _put(at: int, **fields: object) -> Callable[[list[Line]], None]:
    return lambda lines: lines[at].update(fields)


def _invent(lines: list[Line]) -> None:
    event = {"type": "ChipsBought", "v": 1, "seat": 1, "cents": 500_000, "clauses": []}
    lines[where(lines, does("ClearLayout"))]["events"].append(event)


def _of_date(lines: list[Line]) -> None:
    lines[1]["command"]["gaming_date"] = "1900-01-01"
    event_of(lines[1], "TableOpened")["gaming_date"] = "1900-01-01"


def _dropped(lines: list[Line]) -> None:
    del lines[_MIDDLE]


def _swapped(lines: list[Line]) -> None:
    lines[30], lines[31] = lines[31], lines[30]


def _key_order(body: bytes) -> bytes:
    return _sub(rb'("at":"[^"]*"),("by":\[.*?\]),', rb"\2,\1,")(body)


def _bank_note(cents: bytes) -> Callable[[bytes], bytes]:
    return _sub(rb'"cents":\d+', b'"cents":' + cents)


_GZ_TAIL: Final = 8
"""The length and the checksum at the end of a gzip member."""

LINE_OF_DEAL: Final = b"CardDealt"
LINE_OF_MONEY: Final = b"WagerPaid"

CHANGES: Final[dict[str, Changed]] = {
    # One line, its seal kept: the line itself does not fit.
    "an amount": Changed(lambda log: _edited(_line_with(b"WagerPaid", log), _bank_note(b"975"))(log), Found.CHAIN),
    "a card": Changed(lambda log: _edited(_line_with(b"CardDealt", log), _sub(rb'"card":"\w\w"', b'"card":"9h"'))(log), Found.CHAIN),
    "an actor": Changed(_edited(_MIDDLE, _sub(rb'"person":"', b'"person":"X')), Found.CHAIN, _MIDDLE + 1),
    "a time": Changed(_edited(_MIDDLE, _sub(rb'"at":"2000', b'"at":"2001')), Found.CHAIN, _MIDDLE + 1),
    "a number": Changed(_edited(_MIDDLE, _sub(rb'"seq":\d+', b'"seq":7')), Found.CHAIN, _MIDDLE + 1),
    "a link": Changed(_edited(_MIDDLE, _sub(rb'"prev":"..', b'"prev":"zz')), Found.CHAIN, _MIDDLE + 1),
    "an event left out": Changed(_edited(_MIDDLE, _sub(rb'"events":\[.*\]', b'"events":[]')), Found.CHAIN, _MIDDLE + 1),
    "a seal": Changed(_order(lambda lines: (*lines[:9], lines[9][:-5] + b'zz"}\n', *lines[10:])), Found.CHAIN, 10),
    "a line without a seal": Changed(_order(lambda lines: (*lines[:9], bodies(lines[9])[0] + b"\n", *lines[10:])), Found.CHAIN, 10),
    "the count of the last line": Changed(_edited(-1, _sub(rb'"entries":\d+', b'"entries":7')), Found.CHAIN),
    "the header's title": Changed(_edited(0, _sub(rb'"title":"', b'"title":"X')), Found.CHAIN, 1),
    "the header's stream": Changed(_edited(0, _sub(rb'"stream":"', b'"stream":"X')), Found.CHAIN, 1),
    # One line, sealed again: the line after it does not follow.
    "an amount, line resealed": Changed(lambda log: _edited(_line_with(b"WagerPaid", log), _bank_note(b"975"), resealed=True)(log), Found.CHAIN),
    "a card, line resealed": Changed(lambda log: _edited(_line_with(b"CardDealt", log), _sub(rb'"card":"\w\w"', b'"card":"9h"'), resealed=True)(log), Found.CHAIN),
    "an actor, line resealed": Changed(_edited(_MIDDLE, _sub(rb'"person":"', b'"person":"X'), resealed=True), Found.CHAIN, _MIDDLE + 2),
    "a time, line resealed": Changed(_edited(_MIDDLE, _sub(rb'"at":"2000', b'"at":"2001'), resealed=True), Found.CHAIN, _MIDDLE + 2),
    "the header's title, resealed": Changed(_edited(0, _sub(rb'"title":"', b'"title":"X'), resealed=True), Found.CHAIN, 2),
    "the count of the last line, resealed": Changed(_edited(-1, _sub(rb'"entries":\d+', b'"entries":7'), resealed=True), Found.CHAIN),
    "the link of the header": Changed(_resealed(b"header", _sub(rb'"prev":"0', b'"prev":"1')), Found.CHAIN, 1),
    # Which lines there are.
    "a line dropped": Changed(_order(lambda lines: (*lines[:_MIDDLE], *lines[_MIDDLE + 1 :])), Found.CHAIN, _MIDDLE + 1),
    "the first entry dropped": Changed(_order(lambda lines: (lines[0], *lines[2:])), Found.CHAIN, 2),
    "the last entry dropped": Changed(_order(lambda lines: (*lines[:-2], lines[-1])), Found.CHAIN),
    "dropped and renumbered, each line resealed": Changed(_renumbered, Found.CHAIN, _MIDDLE + 1),
    "a line doubled": Changed(_order(lambda lines: (*lines[:9], lines[8], *lines[9:])), Found.CHAIN, 10),
    "two lines swapped": Changed(_order(lambda lines: (*lines[:9], lines[10], lines[9], *lines[11:])), Found.CHAIN, 10),
    "a line moved to the end": Changed(_order(lambda lines: (*lines[:9], *lines[10:-1], lines[9], lines[-1])), Found.CHAIN, 10),
    "lines of another log": Changed(lambda log: b"".join((*_lines(log)[:9], *_lines(_other(log))[9:20], *_lines(log)[20:])), Found.CHAIN, 10),
    "the header of another log": Changed(lambda log: b"".join((_lines(_other(log))[0], *_lines(log)[1:])), Found.CHAIN, 2),
    "the end of another log": Changed(lambda log: b"".join((*_lines(log)[:30], *_lines(_other(log))[30:])), Found.CHAIN, 31),
    "another log behind it": Changed(lambda log: log + _other(log), Found.CHAIN),
    "itself behind it": Changed(lambda log: log * 2, Found.CHAIN),
    "an object behind it": Changed(lambda log: log + b"{}\n", Found.CHAIN),
    "text behind it": Changed(lambda log: log + b"paid", Found.CHAIN),
    "an empty line in it": Changed(_order(lambda lines: (*lines[:9], b"\n", *lines[9:])), Found.CHAIN, 10),
    "an empty line behind it": Changed(lambda log: log + b"\n", Found.CHAIN),
    "the last line in the middle": Changed(_order(lambda lines: (*lines[:9], lines[-1], *lines[9:])), Found.CHAIN, 10),
    "cut, the last line kept": Changed(_order(lambda lines: (*lines[:_MIDDLE], lines[-1])), Found.CHAIN, _MIDDLE + 1),
    "a number without a line": Changed(_order(lambda lines: (*lines[:9], b"17\n", *lines[9:])), Found.CHAIN, 10),
    # Cuts.
    "cut at a line": Changed(_order(lambda lines: lines[:-1]), Found.WHOLE),
    "cut in a line": Changed(lambda log: log[:-30], Found.WHOLE),
    "the header alone": Changed(_order(lambda lines: lines[:1]), Found.WHOLE),
    "cut in the header": Changed(lambda log: log[:100], Found.REFUSED),
    "cut, a new last line": Changed(_closed_early, Found.NOBODY),
    # Sealed again throughout.
    "an amount, all resealed": Changed(_parsed(_set("WagerPaid", cents=97_500)), Found.RULES),
    "a card, all resealed": Changed(_parsed(_set("CardDealt", card="9h", ordinal=2)), Found.RULES),
    "an entry dropped, renumbered, all resealed": Changed(_parsed(_dropped), Found.RULES),
    "two entries swapped, all resealed": Changed(_parsed(_swapped), Found.CHAIN),
    "an event invented, all resealed": Changed(_parsed(_invent), Found.RULES),
    "an actor, all resealed": Changed(_resealed(LINE_OF_DEAL, _sub(rb'"person":"', b'"person":"X')), Found.RULES),
    "a gaming date before the law": Changed(_parsed(_of_date), Found.RULES),
    "a negative amount": Changed(_parsed(_set("ChipsBought", cents=-500)), Found.RULES),
    "an amount of 400 nines": Changed(_parsed(_set("ChipsBought", cents=int("9" * 400))), Found.RULES),
    "a time that goes backward": Changed(_resealed(LINE_OF_DEAL, _sub(rb'"at":"2000', b'"at":"1999')), Found.CHAIN),
    "a time that runs ahead": Changed(_resealed(LINE_OF_DEAL, _sub(rb'"at":"2000', b'"at":"2001')), Found.CHAIN),
    "a time in another format": Changed(_resealed(LINE_OF_DEAL, _sub(rb'("at":"[^T]*)T', rb"\1 ")), Found.CHAIN),
    "a time without a zone": Changed(_resealed(LINE_OF_DEAL, _sub(rb'("at":"[^Z]*)Z', rb"\1")), Found.CHAIN),
    "a time of the year 12000": Changed(_resealed(b"LayoutCleared", _sub(rb'"at":"2000', b'"at":"12000')), Found.CHAIN),
    "times of the first year": Changed(_parsed(lambda lines: [one.update(at="0001-01-01T00:00:00.000Z") for one in lines[1:-1]]), Found.CHAIN, 2),
    "times of the last year": Changed(_parsed(lambda lines: [one.update(at="9999-12-31T00:00:00.000Z") for one in lines[1:-1]]), Found.CHAIN, 2),
    "every time moved": Changed(_parsed(_shifted), Found.NOBODY),
    "a patron renamed": Changed(lambda log: chained(one.replace(b"Patron 1", b"Nobody") for one in bodies(log)), Found.NOBODY),
    "a key added": Changed(_parsed(_put(_MIDDLE, key="k")), Found.NOBODY),
    "a correction of nothing": Changed(_parsed(_put(_MIDDLE, corrects=99_999)), Found.RULES),
    # The header, everything sealed again.
    "another law": Changed(_parsed(_put(0, law="us-xx/minibaccarat")), Found.REFUSED),
    "a date before the law": Changed(_parsed(_put(0, on="1900-01-01")), Found.REFUSED),
    "another format": Changed(_parsed(_put(0, format="croupier-table-log/9")), Found.REFUSED),
    "an old format": Changed(_parsed(_put(0, format="croupier-table-log/1")), Found.REFUSED),
    "an unknown key of the header": Changed(_parsed(_put(0, extra=1)), Found.REFUSED),
    "an election that the law refuses": Changed(_parsed(_put(0, elections={"shoe.decks": 99})), Found.REFUSED),
    "no limits": Changed(_parsed(_put(0, limits=None)), Found.RULES),
    "another binding hash": Changed(_parsed(_put(0, binding_sha256="1" * 64)), Found.NOBODY),
    "another title": Changed(_parsed(_put(0, title="Another")), Found.NOBODY),
    "another stream": Changed(_other, Found.NOBODY),
    "another version": Changed(_parsed(_put(0, version="9.9.9")), Found.NOBODY),
    "another edition": Changed(_parsed(_put(0, edition=99)), Found.NOBODY),
    "another law hash": Changed(_parsed(_put(0, law_sha256="0" * 64)), Found.NOBODY),
    # The form, everything sealed again.
    "a key doubled": Changed(_resealed(LINE_OF_MONEY, _sub(rb'"cents":', b'"cents":1,"cents":')), Found.CHAIN),
    "a key of the header doubled": Changed(_resealed(b"header", _sub(rb'"title":', b'"title":"X","title":')), Found.CHAIN, 1),
    "a float": Changed(_resealed(LINE_OF_MONEY, _sub(rb'"cents":(\d+)', rb'"cents":\1.0')), Found.CHAIN),
    "not a number": Changed(_resealed(LINE_OF_MONEY, _bank_note(b"NaN")), Found.CHAIN),
    "an exponent": Changed(_resealed(LINE_OF_MONEY, _bank_note(b"1e3")), Found.CHAIN),
    "true for 1": Changed(_resealed(LINE_OF_MONEY, _sub(rb'"seat":\d', b'"seat":true')), Found.CHAIN),
    "text for a number": Changed(_resealed(LINE_OF_MONEY, _bank_note(b'"1000"')), Found.CHAIN),
    "a space": Changed(_resealed(LINE_OF_MONEY, _sub(rb'"cents":', b'"cents": ')), Found.CHAIN),
    "a space in the header": Changed(_resealed(b"header", _sub(rb'"title":', b'"title": ')), Found.CHAIN, 1),
    "an escape": Changed(_resealed(LINE_OF_MONEY, _sub(rb'"wager":"b', b'"wager":"\\\\u0062')), Found.CHAIN),
    "the order of the keys": Changed(_resealed(LINE_OF_MONEY, _key_order), Found.CHAIN),
    "an unknown field of an event": Changed(_resealed(LINE_OF_MONEY, _sub(rb'"cents":', b'"extra":1,"cents":')), Found.CHAIN),
    "an unknown key of an entry": Changed(_parsed(_put(_MIDDLE, extra=1)), Found.CHAIN, _MIDDLE + 1),
    "an unknown event": Changed(_resealed(LINE_OF_MONEY, _sub(rb'"WagerPaid"', b'"WagerPayed"')), Found.CHAIN),
    "an unknown version of an event": Changed(_resealed(LINE_OF_MONEY, _sub(rb'"v":\d+', b'"v":99')), Found.CHAIN),
    "an unknown command": Changed(_resealed(LINE_OF_MONEY, _sub(rb'"command":{"type":"', b'"command":{"type":"X')), Found.CHAIN),
    "no events": Changed(_parsed(_put(_MIDDLE, events=None)), Found.CHAIN, _MIDDLE + 1),
    # Encodings and compression.
    "bytes that are not UTF-8": Changed(_resealed(LINE_OF_DEAL, _sub(rb'"person":"', b'"person":"\xff')), Found.CHAIN),
    "a byte order mark": Changed(lambda log: b"\xef\xbb\xbf" + log, Found.REFUSED),
    "CRLF": Changed(lambda log: log.replace(b"\n", b"\r\n"), Found.REFUSED),
    "CR": Changed(lambda log: log.replace(b"\n", b"\r"), Found.REFUSED),
    "UTF-16": Changed(lambda log: log.decode().encode("utf-16"), Found.REFUSED),
    "empty": Changed(lambda _: b"", Found.REFUSED),
    "not JSON": Changed(lambda log: log[1:], Found.REFUSED),
    "compressed": Changed(gzip.compress, Found.WHOLE),
    "compressed in two members": Changed(lambda log: gzip.compress(log[:9_000]) + gzip.compress(log[9_000:]), Found.WHOLE),
    "compressed and cut": Changed(lambda log: gzip.compress(log)[:-200], Found.CHAIN),
    "compressed and cut in its checksum": Changed(lambda log: gzip.compress(log)[: -_GZ_TAIL // 2], Found.CHAIN),
    "compressed with another checksum": Changed(lambda log: gzip.compress(log)[:-_GZ_TAIL] + b"\0" * _GZ_TAIL, Found.CHAIN),
    "compressed with text behind it": Changed(lambda log: gzip.compress(log) + b"paid", Found.CHAIN),
    "compressed with another log behind it": Changed(lambda log: gzip.compress(log) + gzip.compress(_other(log)), Found.CHAIN),
}  # fmt: skip
