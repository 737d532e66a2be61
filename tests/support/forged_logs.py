"""A forger of table logs: tears the seals off, changes what he likes, and seals the whole again."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any, Final

from croupier.acts import Event
from croupier.records.codec import dump, from_json
from croupier.records.entry import SteppedClock, seal, unseal
from croupier.rules import read_submission, table_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from support.logs import recorded
from support.project import PLAIN

Line = dict[str, Any]

_CHAINED: Final = re.compile(rb'"prev":"[0-9a-f]{64}"')


def altered(folder: Path, *changes: tuple[str, str]) -> Path:
    """Return a copy of the plain submission, in a folder, with some of its text replaced."""
    text = PLAIN.read_text(encoding="utf-8")
    for old, new in changes:
        assert old in text
        text = text.replace(old, new)
    path = folder / "altered.toml"
    path.write_text(text, encoding="utf-8")
    return path


def play(
    log: Path,
    submission: Path = PLAIN,
    *,
    seed: int = 1,
    patrons: int = 2,
    dealer_errors: int = 0,
    rounds: int | None = None,
) -> list[Event]:
    """Play a shoe, or some rounds of it, close the table, keep the log; return every event."""
    rules = table_rules(read_submission(submission))
    chance = Chance(seed)
    told: list[Event] = []
    with recorded(log, rules, shuffle=chance.described) as writer:
        session = TableSession(
            rules, lambda _, events: told.extend(events), record=writer, clock=SteppedClock()
        )
        pilot = Autopilot(session, chance, patrons=patrons, dealer_errors=dealer_errors)
        pilot.open(rules.submission.on)
        pilot.play_shoe(rounds)
        pilot.close()
    return told


def bodies(log: bytes) -> list[bytes]:
    """Return each line of a log without its seal."""
    torn = []
    for line in log.splitlines(keepends=True):
        sealed = unseal(line)
        assert sealed is not None, line
        torn.append(sealed[0])
    return torn


def read(log: bytes) -> list[Line]:
    """Return each line of a log as an object, without its seal."""
    return [from_json(body) for body in bodies(log)]


def chained(torn: Iterable[bytes], *, as_is: int | None = None) -> bytes:
    """Seal lines, each chained to the one before; one of them goes in as it is."""
    lines, previous = [], b""
    for at, body in enumerate(torn):
        link = b'"prev":"' + previous + b'"'
        whole = body if at in {0, as_is} else _CHAINED.sub(link, body, count=1)
        line, digest = seal(whole)
        lines.append(line)
        previous = digest.encode()
    return b"".join(lines)


def forged(lines: list[Line]) -> bytes:
    """Write, number, count and seal lines as if they were the true log."""
    header, *entries, last = lines
    written: list[Line] = []
    at: object = "2000-01-01T12:00:00.000Z"
    for sequence, entry in enumerate(entries, start=1):
        whole: Line = {"seq": sequence, "prev": "0" * 64, "at": at, "by": [], "key": None}
        whole |= {"corrects": None, "command": None, "events": None}
        written.append(whole | entry | {"seq": sequence})
        at = written[-1]["at"]
    last["entries"] = len(entries)
    return chained(map(dump, (header, *written, last)))


def where(lines: list[Line], found: Callable[[Line], bool]) -> int:
    """Return the index of the first entry for which something holds."""
    return next(at for at, line in enumerate(lines) if "command" in line and found(line))


def event_of(line: Line, kind: str) -> dict[str, Any]:
    """Return the first event of that type in an entry."""
    found = next(event for event in line["events"] if event["type"] == kind)
    assert isinstance(found, dict)
    return found


def has(kind: str, **fields: object) -> Callable[[Line], bool]:
    """Tell whether an entry has an event of that type with those values."""

    def found(line: Line) -> bool:
        return any(
            event["type"] == kind and all(event[name] == value for name, value in fields.items())
            for event in line["events"]
        )

    return found


def does(kind: str) -> Callable[[Line], bool]:
    """Tell whether an entry's command is of that type."""
    return lambda line: line["command"]["type"] == kind
