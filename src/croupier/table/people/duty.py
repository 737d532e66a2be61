"""Assignments, which cite no clause, and who gives and consents to an act under a law."""

from __future__ import annotations

from collections.abc import Container, Mapping
from typing import Annotated, Final

from msgspec import Struct, field
from msgspec.structs import replace

from croupier import acts
from croupier.acts.command import TERMS, CommandTerms
from croupier.acts.roles import POSTED, Role, includes
from croupier.law.cite import cites
from croupier.law.contracts import consent_rule, contracts, duty_rule, duty_rules, signatures_rule
from croupier.law.model import Instrument
from croupier.law.sight import Sight
from croupier.rules import TableRules, remembered
from croupier.table.machine import core
from croupier.table.machine.core import Answer, Refusal
from croupier.table.machine.state import ANY_TIME, AT_TABLE, TableState, with_slice

_APART: Final = frozenset(role for role in POSTED if role.office.apart)
"""Holders of these have no other office at the table on that gaming day."""

_NEEDED: Final = frozenset(role for role in POSTED if role.office.required)
"""An open table needs a holder of each: they are relieved, not removed."""


@core.keeps("duty", past_closing=True)
class Duty(Struct, frozen=True):
    """Holders of each office in order of assignment, and earlier ones of the gaming day.

    ``did`` names the last person to perform each act that needs another's approval.
    """

    posts: Annotated[Mapping[str, tuple[str, ...]], Sight.STAFF] = field(default_factory=dict)
    held: Annotated[Mapping[str, tuple[str, ...]], Sight.STAFF] = field(default_factory=dict)
    did: Annotated[Mapping[str, tuple[str, ...]], Sight.KEPT] = field(default_factory=dict)

    def persons(self, office: str) -> tuple[str, ...]:
        return self.posts.get(office, ())

    def office_of(self, person: str) -> str | None:
        return next((office for office, persons in self.posts.items() if person in persons), None)

    def with_person(self, office: str, person: str) -> Duty:
        posts = {**self.posts, office: (*self.persons(office), person)}
        before = tuple(earlier for earlier in self.held.get(person, ()) if earlier != office)
        return Duty(posts, {**self.held, person: (*before, office)}, self.did)

    def without(self, office: str, person: str) -> Duty:
        remaining = tuple(other for other in self.persons(office) if other != person)
        return replace(self, posts={**self.posts, office: remaining})

    def having_done(self, act: str, detail: str, persons: tuple[str, ...]) -> Duty:
        """Register after an act to be approved; ``which`` identifies the box or Form."""
        return replace(self, did={**self.did, f"{act} {detail}": persons})

    def without_act(self, act: str) -> Duty:
        doers = {name: persons for name, persons in self.did.items() if name.split(" ")[0] != act}
        return replace(self, did=doers)

    def doers(self, act: str, detail: str) -> tuple[str, ...]:
        """Persons who performed an act, for all boxes or Forms if none is named."""
        if detail:
            return self.did.get(f"{act} {detail}", ())
        groups = (persons for name, persons in self.did.items() if name.split(" ")[0] == act)
        return tuple(person for persons in groups for person in persons)


def may_hold(duty: Duty, office: str, person: str) -> Refusal | None:
    """Refuse a second office, or one that excludes another on the gaming day."""
    if not person or person != person.strip():
        return Refusal("person", (), "an assignment names a person")
    now = duty.office_of(person)
    if now == office:
        return Refusal("assigned", (), f"{person} is assigned as {office} already")
    if now is not None:
        message = f"{person} is assigned as {now}, and nobody holds two offices: end that first"
        return Refusal("two_offices", (), message)
    for held in duty.held.get(person, ()):
        if held != office and (held in _APART or office in _APART):
            message = f"{person} was {held} on this gaming day, and cannot be {office} on it"
            return Refusal("two_offices", (), message)
    return None


@core.decides(acts.AssignOffice, ANY_TIME)
def _assign(state: TableState, command: acts.AssignOffice, _rules: TableRules) -> Answer:
    if command.office not in POSTED:
        offices = ", ".join(POSTED)
        return Refusal("office", (), f"{command.office!r} is no office here; there are: {offices}")
    if refusal := may_hold(state[Duty], command.office, command.person):
        return refusal
    return (acts.OfficeAssigned(command.office, command.person, ()),)


@core.applies(acts.OfficeAssigned)
def _assigned(state: TableState, event: acts.OfficeAssigned) -> TableState:
    return with_slice(state, state[Duty].with_person(event.office, event.person))


@core.decides(acts.EndAssignment, ANY_TIME)
def _end(state: TableState, command: acts.EndAssignment, _rules: TableRules) -> Answer:
    persons = state[Duty].persons(command.office)
    if command.person not in persons:
        return Refusal("not_assigned", (), f"{command.person} is not assigned as {command.office}")
    if command.office in _NEEDED and len(persons) == 1 and state.phase in AT_TABLE:
        message = f"an open table has a {command.office}: relieve {command.person} instead"
        return Refusal("needed", (), message)
    return (acts.AssignmentEnded(command.office, command.person, ()),)


@core.applies(acts.AssignmentEnded)
def _ended(state: TableState, event: acts.AssignmentEnded) -> TableState:
    return with_slice(state, state[Duty].without(event.office, event.person))


@core.decides(acts.RelieveFloorperson, AT_TABLE)
@core.decides(acts.RelieveDealer, AT_TABLE)
def _relieve(
    state: TableState, command: acts.RelieveDealer | acts.RelieveFloorperson, _rules: TableRules
) -> Answer:
    if isinstance(command, acts.RelieveDealer):
        office, relieved, person = Role.DEALER, command.relieved, command.dealer
    else:
        office, relieved, person = Role.FLOORPERSON, "", command.floorperson
    duty, reason = state[Duty], command.reason
    persons = duty.persons(office)
    if not relieved and len(persons) > 1:
        message = f"several {office}s stand here ({', '.join(persons)}): say who is relieved"
        return Refusal("relieved", (), message)
    predecessor = relieved or persons[0]
    if predecessor not in persons:
        return Refusal("not_assigned", (), f"{predecessor} is not assigned as {office}")
    if state.phase.in_play and not reason.strip():
        message = f"a round is in hand: a {office} is relieved between rounds, or for a reason"
        return Refusal("in_play", (), message)
    if refusal := may_hold(duty, office, person):
        return refusal
    return (acts.OfficeRelieved(office, predecessor, person, reason, ()),)


@core.applies(acts.OfficeRelieved)
def _relieved(state: TableState, event: acts.OfficeRelieved) -> TableState:
    duty = state[Duty]
    persons = list(duty.persons(event.office))
    taken = duty.with_person(event.office, event.person)
    persons[persons.index(event.relieved)] = event.person
    return with_slice(state, replace(taken, posts={**taken.posts, event.office: tuple(persons)}))


@core.hears(acts.CardsReceived)
def _received(state: TableState, _event: acts.CardsReceived) -> TableState:
    duty = state[Duty]
    return with_slice(state, duty.without_act("InspectCards")) if duty.did else state


@core.hears(acts.TableOpened)
def _opened(state: TableState, event: acts.TableOpened) -> TableState:
    before = state[Duty]
    posts = {
        office: persons
        for office, persons in before.posts.items()
        if office not in _NEEDED and persons
    }
    # A drop that was removed yesterday is still counted by others.
    offices_held = {person: (office,) for office, persons in posts.items() for person in persons}
    duty = Duty(posts, offices_held, before.did)
    for office, person in ((Role.DEALER, event.dealer), (Role.FLOORPERSON, event.floorperson)):
        if person not in duty.persons(office):
            duty = duty.with_person(office, person)
    return with_slice(state, duty)


@remembered
def terms_under(act: str, rules: TableRules) -> CommandTerms:
    return terms_of(act, rules.law, rules.in_force)


@cites(*duty_rules())
def terms_of(act: str, law: Instrument, rule_ids: Container[str]) -> CommandTerms:
    """Terms of an act with a law's duties.

    A law narrows the offices that give an act, and adds offices that consent. Consents that the
    program requires remain.
    """
    terms = TERMS[act]
    signs = signatures_rule(contracts().forms.get(act, ""))
    gives, consents, signers = (
        _offices(law, rule) if rule in rule_ids else ()
        for rule in (duty_rule(act), consent_rule(act), signs)
    )
    if not gives and not consents and not signers:
        return terms
    offices = gives or terms.does
    # Whoever gives the act signs its Form; the others who sign consent.
    consents += tuple(signer for signer in signers if signer not in offices)
    # A dealer who alone gives an act names the supervisor who consents.
    supervises = len(gives) == 1 and includes(gives[0], Role.SUPERVISOR)
    return replace(
        terms,
        does=offices,
        together=tuple(dict.fromkeys((*terms.together, *consents))),
        consents_by_giving=terms.consents_by_giving and {*offices}.isdisjoint(consents),
        rule=next(one for one in (duty_rule(act), consent_rule(act), signs) if one in rule_ids),
        named_as={Role.SUPERVISOR: gives[0]} if supervises else {},
    )


def _offices(law: Instrument, rule_id: str) -> tuple[Role, ...]:
    value = law.rules[rule_id].value
    return tuple(Role(str(item)) for item in value) if isinstance(value, tuple) else ()
