"""Every command by every office at every point of the procedure, asked of a service over HTTP.

What is expected follows from the table of offices and from ``decide`` beside the service. It is
written down here anew, and asks nothing of what the service itself asks.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from croupier import acts as c
from croupier.acts import Command
from croupier.acts.command import BEFORE_TIME, TERMS, CommandTerms
from croupier.acts.roles import POSTED, Role
from croupier.records.codec import COMMANDS, CodecError, decode_command, dump, from_json
from croupier.records.entry import SteppedClock
from croupier.records.header import new_header
from croupier.records.recorder import Recorder
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Append
from croupier.records.view.sight import asks_of_closed
from croupier.rules import TableRules, read_rules
from croupier.scenarios.stage import Stage
from croupier.scenarios.starts import Start, starts
from croupier.scenarios.vectors.answers import probes
from croupier.table import Refusal, decide
from croupier.table.cards.out_of_use import RetiredDecks
from croupier.table.machine import hooks
from croupier.table.machine.core import Events
from croupier.table.machine.offered import acts
from croupier.table.machine.position import (
    NO_STAMP,
    Actor,
    Position,
    Proposal,
    Stamp,
    at_moment,
    opening_position,
    propose,
)
from croupier.table.machine.session import Clock
from croupier.table.parts.timed_decks import TimedDecks
from croupier.table.people.duty import Duty
from support.raw import Wire
from support.samples import sample_of
from support.served import Served

SUPERVISORS: Final = (Role.FLOORPERSON, Role.PIT_BOSS)
NOBODY: Final = "Nobody"
SECOND: Final = "another of accounting"
"""Who counts with the person of that office that gives it."""


# --- where it is asked ---


class Point(NamedTuple):
    """A table at a point of the procedure: the record that leads there, and its position."""

    name: str
    entries: tuple[Proposal, ...]
    position: Position


def points(file: Path) -> Iterator[Point]:
    """Yield the tables of a submission at every start, and some where more was done."""
    rules = read_rules(file)
    found, clock = starts(rules), SteppedClock()
    for name, start in found.items():
        chain = tuple(_chain(start, found))
        # What no command leads to is in no record.
        if any(one.given for one in chain):
            continue
        entries = [*_played(rules, chain, clock)]
        entries += _assigned(entries[-1].after if entries else opening_position(rules), clock)
        at = entries[-1].after if entries else opening_position(rules)
        yield Point(f"{file.stem}.{name}", tuple(entries), at)
        for more, (there, commands) in _BY_HAND.items():
            if there == name:
                done = (*entries, *_done(at, commands, clock))
                yield Point(f"{file.stem}.{name}-{more}", done, done[-1].after)


_CHIPS: Final = {10_000: 3}
_WATCH: Final = Stamp((Actor(Role.SURVEILLANCE, Role.SURVEILLANCE),))
_BY_HAND: Final[Mapping[str, tuple[str, Sequence[Command]]]] = {
    "paused": ("seated", (c.PauseTable("the lamp is out"),)),
    "watched": ("seated", (c.PauseTable("a camera is out"),)),
    "fill": ("seated", (c.RequestFill(1, _CHIPS), c.IssueFill(1, _CHIPS))),
    "credit": ("seated", (c.RequestCredit(1, _CHIPS),)),
    "drop": ("seated", (c.RemoveDrop("x", "y"),)),
    "sealed": (
        "decks-removed",
        (
            c.SealDecks(1, 416, "x"),
            c.ExamineDecks(1, "nothing", intact=True, keep=False),
        ),
    ),
}
"""What else is done at a start, by name."""


def _done(position: Position, commands: Iterable[Command], clock: Clock) -> Iterator[Proposal]:
    for command in commands:
        is_watch = isinstance(command, c.PauseTable) and "camera" in command.reason
        made = propose(position, command, _WATCH if is_watch else NO_STAMP, clock())
        assert isinstance(made, Proposal), made
        position = made.after
        yield made


def _chain(start: Start, found: Mapping[str, Start]) -> Sequence[Start]:
    before = () if start.after is None else _chain(found[start.after], found)
    return (*before, start)


def _played(rules: TableRules, chain: Iterable[Start], clock: Clock) -> Iterator[Proposal]:
    position = opening_position(rules)
    for start in chain:
        for command, answer in start.stage.heard:
            if isinstance(answer, Refusal):
                continue
            made = propose(position, command, at=clock())
            assert isinstance(made, Proposal), (start.name, command, made)
            position = made.after
            yield made


def _assigned(position: Position, clock: Clock) -> Iterator[Proposal]:
    """Have every office held by somebody who is named as it is, where the table takes that."""
    for office, person in (*((one, str(one)) for one in POSTED), (Role.ACCOUNTING, SECOND)):
        made = propose(position, c.AssignOffice(office, person), at=clock())
        if isinstance(made, Proposal):
            position = made.after
            yield made


# --- what is asked ---

_TWO_OF_ONE_OFFICE: Final = {"ChangeShift", "HandOverForms"}
"""Commands that take two people of one office; here each office is one person."""


def commands_at(position: Position) -> Iterator[dict[str, Any]]:
    """Yield a command of every kind: one that the table takes, if any is found, or any other."""
    state, rules = position.state, position.rules
    offered: dict[str, Command] = {}
    for act in acts(state, rules):
        try:
            offered.setdefault(act.command.__name__, act.plain())
        except ValueError:
            continue
    tried: dict[str, Command] = {}
    for one in probes(_staged(position)):
        name = type(one).__name__
        if name in offered or (name in tried and not _refuses(position, tried[name])):
            continue
        if name not in tried or not _refuses(position, one):
            tried[name] = one
    for name in COMMANDS:
        if name in _TWO_OF_ONE_OFFICE:
            continue
        made = [among[name].to_dict() for among in (offered, tried) if name in among]
        yield next(data for data in (*made, sample_of(name)) if _is_read(data))


def _is_read(data: Mapping[str, Any]) -> bool:
    """Return whether JSON is a command: what is offered may lack what somebody has to say."""
    try:
        decode_command(data)
    except CodecError:
        return False
    return True


def _staged(position: Position) -> Stage:
    return Stage(position.rules, position.state)


def _refuses(position: Position, command: Command) -> bool:
    return isinstance(decide(position.state, command, position.rules), Refusal)


# --- who asks ---


class Persona(NamedTuple):
    """Somebody with a grant; a patron with a seat at one table."""

    office: str
    person: str
    seat: int | None = None


def personas(position: Position) -> tuple[Persona, ...]:
    """Return one person of each office, a dealer who is not on duty, and patrons of two seats."""
    seats = position.state.seats
    patrons = [Persona(Role.PATRON, one.name, seat) for seat, one in seats.items()][:2]
    return (
        *(Persona(office, str(office)) for office in POSTED),
        Persona(Role.MACHINE, "vault"),
        Persona("board", "board"),
        Persona(Role.DEALER, "Another dealer"),
        *patrons,
        Persona(Role.PATRON, NOBODY, position.rules.submission.layout.seats),
    )


# --- what must come of it ---


class Forecast(NamedTuple):
    """What must come of a command: a status; code and clauses if it is refused by the table.

    Under status 0 the ledger decides: it is ``taken``, or refused.
    """

    status: int
    code: str = ""
    clauses: tuple[str, ...] | None = None
    taken: int = 200


def _holds(office: Role, persona: Persona) -> bool:
    return persona.office == office or (office is Role.SUPERVISOR and persona.office in SUPERVISORS)


def _gives(row: CommandTerms, position: Position, command: Command, persona: Persona) -> bool:
    """Return whether an act is of a persona's office and seat, as the table of offices says."""
    state = position.state
    seat = getattr(command, "seat", None)
    if persona.office == Role.PATRON:
        sits = state.seats.get(persona.seat or 0)
        if sits is None or sits.name != persona.person:
            return False
        deals = hooks.seat_that_deals.ask(state) == persona.seat
        return (Role.PATRON in row.does and seat == persona.seat) or (
            Role.CURATOR in row.does and deals
        )
    if persona.office == Role.DEALER and Role.PATRON in row.does and seat in state.seats:
        return True
    return any(_holds(office, persona) for office in row.does)


def _is_on_duty(position: Position, command: Command, persona: Persona) -> bool:
    if persona.office in {Role.PATRON, Role.MACHINE}:
        return True
    duty = position.state[Duty]
    match command:
        case c.OpenTable(dealer=dealer, floorperson=floorperson):
            if persona.person in {dealer, floorperson}:
                return True
        case c.AssignOffice():
            if not any(duty.persons(one) for one in TERMS["AssignOffice"].does):
                return True
        case _:
            pass
    return persona.person in duty.persons(persona.office)


def _is_early(position: Position) -> bool:
    """Return whether nothing requires that the decks leave: Massachusetts alone changes them so."""
    state = at_moment(position, datetime.now(UTC)).state
    timed = state[TimedDecks]
    if position.rules.law.id != "us-ma/minibaccarat" or state.flawed:
        return False
    now = timed.now if state.at is None else state.at
    aged = (
        timed.received is not None
        and now is not None
        and now - timed.received >= timedelta(hours=24)
    )
    return not (aged or state[RetiredDecks].ordered)


def _needs(row: CommandTerms, position: Position) -> list[Role]:
    watched = bool({Role.SURVEILLANCE, Role.MACHINE} & set(position.house.paused_by))
    round_ = position.state.round
    drawn = round_ is not None and bool(round_.coup.player)
    cases = {
        "once a card is drawn": drawn,
        "if surveillance or the machine paused it": watched,
        BEFORE_TIME: _is_early(position),
    }
    return [*row.together, *(one for one, case in row.besides.items() if cases[case])]


def forecast(position: Position, command: Command, persona: Persona) -> Forecast:
    """Return what must come of a command that one persona gives alone."""
    name = type(command).__name__
    row, rules = TERMS[name], position.rules
    clauses = rules.cites(row.rule) if row.rule in rules.in_force else ()
    if not _gives(row, position, command, persona) or not _is_on_duty(position, command, persona):
        return Forecast(403, "", clauses)
    named = {field: getattr(command, field) for field in row.names if getattr(command, field)}
    if any(
        # Whoever gives it is the one whom it names in that office; and nobody is named in two.
        (_holds(office, persona) and named.get(field, persona.person) != persona.person)
        or (not _holds(office, persona) and named.get(field) == persona.person)
        for field, office in row.names.items()
    ):
        return Forecast(403, "", clauses)
    held = position.state[Duty]
    if any(
        (office := held.office_of(person)) is not None
        and office != row.names[field]
        and not (row.names[field] is Role.SUPERVISOR and office in SUPERVISORS)
        for field, person in named.items()
    ):
        return Forecast(403, "two_persons", clauses)
    which = str(getattr(command, "box", None) or getattr(command, "serial", None) or "")
    if any(persona.person in held.doers(one, which) for one in row.apart):
        return Forecast(403, "two_persons", clauses)
    if (closed := asks_of_closed(position, command)) is not None:
        return Forecast(409, closed.code, closed.clauses)
    found = decided(position, command)
    if found.status in {0, 200} and _needs(row, position) and not _alone(row, position, persona):
        return Forecast(202) if found.status else Forecast(0, taken=202)
    return found


def _alone(row: CommandTerms, position: Position, persona: Persona) -> bool:
    """Return whether nobody else has to consent to what a persona gives."""
    return all(
        _holds(one, persona) and (row.consents_by_giving or one not in row.does)
        for one in _needs(row, position)
    )


def decided(position: Position, command: Command) -> Forecast:
    """Return what must come of a command that everybody has given who must."""
    if position.house.pause and not TERMS[type(command).__name__].while_paused:
        return Forecast(409, "paused", ())
    # The clock of the service stamps the entry, and decks age by it.
    state = at_moment(position, datetime.now(UTC)).state
    answer: Events | Refusal = decide(state, command, position.rules)
    if not isinstance(answer, Refusal):
        return Forecast(200)
    if answer.code == "house":
        # The house has no clause to cite, and no word in the regulation.
        return Forecast(0)
    return Forecast(409, answer.code, answer.clauses)


# --- asking ---


class ForgetfulStore(SQLiteStore):
    """A store that forgets what is given to it once ``forgets`` is set."""

    forgets = False

    def commit(self, appends: Sequence[Append]) -> Mapping[str, Any]:
        """Store nothing, and say that it is stored."""
        return {} if self.forgets else super().commit(appends)


class Matrix:
    """Asks a service; whatever it takes is undone, so that each cell finds its table as it was."""

    def __init__(self, house: Served, found: Sequence[Point]) -> None:
        self.house = house
        self.wire = Wire(house.place)
        self.points = found
        self.count: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._tokens: dict[tuple[Persona, str], str] = {}
        self._keys = 0
        for one in house.service.tables.values():
            _goes_back(one.desk)

    @staticmethod
    def prepared(path: Path, files: Iterable[Path]) -> tuple[ForgetfulStore, list[Point]]:
        """Write the records that lead to every point of submissions into a new store."""
        store = ForgetfulStore(path)
        found = [point for file in files for point in points(file)]
        for point in found:
            rules = point.entries[0].before.rules if point.entries else point.position.rules
            record = Recorder.begin(store.create(point.name), new_header(rules, "by hand"))
            record(point.entries)
            store.put("table", point.name, b'{"pit":"1"}')
        return store, found

    def ask_all(self, every: int = 1) -> None:
        """Ask every cell, or one of so many."""
        number = 0
        for point in self.points:
            for data in commands_at(point.position):
                for persona in personas(point.position):
                    number += 1
                    if number % every == 0:
                        self.ask(point, data, persona)

    def ask(self, point: Point, data: dict[str, Any], persona: Persona) -> None:
        """Ask one cell, and have everybody consent who must."""
        command = decode_command(data)
        position = self.house.service.tables[point.name].desk.durable
        assert position.sequence == point.position.sequence
        wanted = forecast(position, command, persona)
        status, told = self._send(persona, point.name, "commands", data)
        cell = f"{point.name} {data['type']} {persona}: "
        self._compare(cell, wanted, status, told)
        if status == 202:
            self._consent(cell, point, command, persona, told["consent"])

    def _consent(
        self, cell: str, point: Point, command: Command, persona: Persona, waits: Any
    ) -> None:
        """Have everybody consent who must; first somebody tries who may not."""
        position = self.house.service.tables[point.name].desk.durable
        path, consent = f"consents/{waits['id']}", {"consent": True}
        for other in (Persona("board", "board"), persona):
            status, told = self._send(other, point.name, path, consent)
            self._compare(cell + "no consent: ", Forecast(403, "", None), status, told)
        needs, status, told = [*waits["needs"]], 202, waits
        for office in needs:
            holder = Role.FLOORPERSON if office == Role.SUPERVISOR else office
            person = str(holder)
            if holder == persona.office:
                holder, person = (
                    (holder, SECOND) if holder == Role.ACCOUNTING else (Role.PIT_BOSS, "pit boss")
                )
            path = f"consents/{told['consent']['id'] if 'consent' in told else waits['id']}"
            status, told = self._send(Persona(holder, person), point.name, path, consent)
        lacking = [one for one in needs if not position.state[Duty].persons(one)]
        if status == 403 and (lacking or told["code"] in {"not_on_duty", "two_persons"}):
            self.count["consent refused"] += 1
            return
        self._compare(cell + "consented: ", decided(position, command), status, told)

    def _compare(self, cell: str, wanted: Forecast, status: int, told: Any) -> None:
        self.count["asked"] += 1
        self.count[str(status)] += 1
        if status >= 400 and not told.get("code"):
            self.wrong.append(f"{cell}{status} without a code")
        cited = tuple(one["id"] for one in told.get("clauses", ()))
        self.count["with a clause"] += bool(cited)
        right = (
            status in {wanted.taken, 409}
            if wanted.status == 0
            else status == wanted.status
            and (not wanted.code or told.get("code") == wanted.code)
            and (wanted.clauses is None or cited == wanted.clauses)
        )
        if not right:
            self.wrong.append(f"{cell}{status} {told.get('code')} {cited}, not {wanted}")

    def _send(
        self, persona: Persona, table: str, path: str, data: Mapping[str, Any]
    ) -> tuple[int, Any]:
        self._keys += 1
        status, _, body = self.wire.ask(
            "POST",
            f"/v1/tables/{table}/{path}",
            dump(data),
            {
                "Authorization": f"Bearer {self.token(persona, table)}",
                "Content-Type": "application/json",
                "Idempotency-Key": f"k{self._keys}",
            },
        )
        return status, from_json(body)

    def token(self, persona: Persona, table: str) -> str:
        """Return the token of somebody, made when it is first asked for."""
        of = table if persona.seat is not None else ""
        if (persona, of) not in self._tokens:
            more = {} if persona.seat is None else {"seat": persona.seat, "tables": (table,)}
            self._tokens[persona, of] = self.house.token(
                persona.office, persona.person, id=f"g{len(self._tokens)}", **more
            )
        return self._tokens[persona, of]


def _goes_back(desk: Any) -> None:
    """Have a table stand again where it stood, whatever it takes."""
    begin, head = desk.durable, desk.head

    def back(_: object) -> None:
        desk.ahead = desk.durable = begin
        desk._head = desk.head = head  # noqa: SLF001  (nothing else may do this)

    desk.listeners.append(back)
