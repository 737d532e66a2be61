"""A table at a terminal, alone on a log."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, TypeVar

from croupier.acts import Command
from croupier.acts.roles import SEATED, Role
from croupier.cli.tables.sitting.sitting import Document, Door, Reply
from croupier.law.model import is_entry
from croupier.records.codec import CodecError, decode_command, dump, from_json
from croupier.records.names import NameRefusedError, Names, NamesError
from croupier.records.view.documents import ActSeen, EntrySeen, ResultSeen
from croupier.records.view.projection import projection, results_after, roads_shown
from croupier.records.view.seen import due_answer, foreseen, next_act, seen_acts, seen_entry
from croupier.records.view.sight import VIEWERS, Viewer
from croupier.reports.screen import OfficeView
from croupier.scenarios.plainest import given_by
from croupier.table.machine.core import Refusal
from croupier.table.machine.offered import Act, acts
from croupier.table.machine.position import Actor, Stamp
from croupier.table.machine.session import TableSession
from croupier.table.people.duty import Duty, terms_under

T = TypeVar("T")


class LogDoor(Door):
    """A table on a log: each entry names who acts.

    ``people`` holds who takes each vacant office, ``results`` the rounds of the shoe so far.
    """

    def __init__(
        self,
        session: TableSession,
        people: Mapping[str, str],
        results: Sequence[ResultSeen] = (),
        names: Names | None = None,
    ) -> None:
        self.name = session.rules.submission.layout.table or "1"
        self.office, self.person = next(iter(people.items()))
        self._session: Final = session
        self._people: Final = people
        self._viewer: Final = Viewer.of(Role.DEALER)
        self._names: Final = names
        self._results: Sequence[ResultSeen] = results
        self._new: list[EntrySeen] = []

    def look(self) -> OfficeView:
        results, latest = self._results, self._session.announced
        position = self._session.position if latest is None else latest.after
        clock = self._session.clock
        today = None if clock is None else clock().astimezone().date()
        open_acts = acts(position.state, position.rules, position.house, today)
        answer = due_answer(position)
        due_act = foreseen(self._viewer, answer)
        view = projection(position, self._viewer, results)
        then = None if due_act is None else next_act(answer)
        named = self._named(view)
        given = self._named([self._filled(seen) for act in open_acts for seen in _seen(act)])
        return OfficeView(
            self._viewer.office, named, given, roads_shown(results), self._named(due_act), then=then
        )

    def _filled(self, act: ActSeen) -> ActSeen:
        people = self._people
        return {**act, "fields": [
            {**field, "default": people.get(field["default"], field["default"])}
            if field["kind"] == "person" else field for field in act["fields"]
        ]}  # fmt: skip

    def do(self, command: Document, next_command: str | None = None) -> Reply | None:
        refusal = self._do(command)
        return self._do({"type": next_command}) if refusal is None and next_command else refusal

    def _do(self, command: Document) -> Reply | None:
        session = self._session
        try:
            data = dict(command) if self._names is None else self._names.tokens(command)
            decoded_command = decode_command(data)
        except (CodecError, NameRefusedError, NamesError) as error:
            return Reply(str(error))
        proposal = session.propose(decoded_command, Stamp(self._by(decoded_command)))
        if isinstance(proposal, Refusal):
            return Reply(self._named(proposal.message), proposal.clauses)
        if session.record is not None:
            session.record((proposal,))
        session.accept(proposal)
        self._results = results_after(self._results, proposal)
        self._new.append(self._named(seen_entry(self._viewer, proposal)))
        return None

    def _named(self, document: T) -> T:
        if self._names is None:
            return document
        named_document: T = from_json(self._names.shown(dump(document)))
        return named_document

    def _by(self, command: Command) -> tuple[Actor, ...]:
        position = self._session.position
        actors = given_by(position.state, command, position.rules, position.house)
        if not actors:
            row = terms_under(type(command).__name__, position.rules)
            offices = [*row.does[:1], *row.together]
            return tuple(Actor(self._people.get(office, office), office) for office in offices)
        if actors[0].office == Role.PATRON and len(actors) == 1:
            calling = position.state[Duty].persons(Role.DEALER)[:1]
            return (*actors, *(Actor(person, Role.DEALER) for person in calling))
        return actors

    def consent(self, act: str, *, given: bool) -> Reply | None:
        del act, given
        return Reply("nothing waits for consent")

    def news(self) -> Sequence[EntrySeen]:
        new_entries, self._new = self._new, []
        return new_entries

    def says(self, clause: str) -> str:
        if is_entry(clause):
            return self._session.rules.law.register[clause].title
        found_clause = self._session.rules.law.clauses.get(clause)
        return "" if found_clause is None else found_clause.says


def _seen(act: Act) -> list[ActSeen]:
    office = act.who[0]
    role = Role.DEALER if office in SEATED or office not in VIEWERS else office
    return seen_acts(Viewer.of(role), (act,))
