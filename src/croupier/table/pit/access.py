"""Access to a pit as recorded, without tokens or codes: grants, links, sign-ins, exports."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import ClassVar

from msgspec.structs import replace

from croupier.acts.roles import Access, Role, with_access
from croupier.table.machine.core import Refusal
from croupier.table.machine.position import Actor
from croupier.table.pit.state import PitCommand, PitEvent, PitEvents, PitGrant, PitState

__all__ = [
    "AccessCommand", "AccessEvent", "ConsentToGrant", "DeclineConsent", "GrantOffice", "MakeLink",
    "NoteClockJump", "NoteExport", "RevokeGrants", "SignIn",
]  # fmt: skip


class AccessCommand(PitCommand, frozen=True):
    """An entry about access, made by the service."""

    given_by: ClassVar[Role | None] = None
    is_of_service = True
    readers = with_access(Access.PEOPLE)


class GrantOffice(AccessCommand, frozen=True):
    """Grant an office to a person, with a one-time link.

    ``made_by`` is the grant of ``maker``. Both are empty for a grant made on the command line.
    """

    title = "Grant an office"

    grant: str
    person: str
    office: str
    at: datetime
    until: datetime
    tables: tuple[str, ...] = ()
    seat: int | None = None
    device: str = "page"
    made_by: str = ""
    maker: str = ""


class ConsentToGrant(AccessCommand, frozen=True):
    """Consent, as ``consenter`` under ``consented_by``, to a grant made by another person."""

    title = "Consent to a grant"

    grant: str
    consented_by: str
    consenter: str


class MakeLink(AccessCommand, frozen=True):
    """Make another link to a grant, on the command line of the service."""

    title = "Make a link"

    grant: str


class SignIn(AccessCommand, frozen=True):
    """Redeem the link of a grant."""

    title = "Sign in"

    grant: str


class RevokeGrants(AccessCommand, frozen=True):
    """Revoke the first of these grants, and with it every grant made under it."""

    title = "Revoke a grant"

    grants: tuple[str, ...]


class DeclineConsent(AccessCommand, frozen=True):
    """Refuse consent to a pending act at a table, or to a ``grant``."""

    title = "Decline to consent"

    act: str
    asked_by: tuple[str, ...]
    table: str = ""
    grant: str = ""


class NoteExport(AccessCommand, frozen=True):
    """Record an export, with entries ``first`` to ``last`` if applicable."""

    title = "Export"

    what: str
    table: str = ""
    first: int = 0
    last: int = 0


class NoteClockJump(AccessCommand, frozen=True):
    """Record that the machine's clock jumped by some seconds, forward or back."""

    title = "Clock jump"

    seconds: int


class AccessEvent(PitEvent, frozen=True, kw_only=True):
    """An access event. The house grants access, so no clause is cited."""

    clauses: tuple[str, ...]


class OfficeGranted(AccessEvent, frozen=True):
    """A person has an office, or will have it once a second person consents."""

    grant: str
    person: str
    office: str
    at: datetime
    until: datetime
    made_by: str
    maker: str
    waits: bool


class LinkMade(AccessEvent, frozen=True):
    """A one-time link to a grant was made."""

    grant: str


class GrantConsented(AccessEvent, frozen=True):
    """A second person has consented to a grant."""

    grant: str
    consenter: str


class SignedIn(AccessEvent, frozen=True):
    """A link was redeemed for a token."""

    grant: str
    person: str
    office: str


class GrantsRevoked(AccessEvent, frozen=True):
    """Grants have ended, with their tokens and links."""

    grants: tuple[str, ...]


class ConsentDeclined(AccessEvent, frozen=True):
    """An office refused its consent."""

    act: str
    table: str
    grant: str


class Exported(AccessEvent, frozen=True):
    """Data were exported from the service."""

    what: str
    table: str


class ClockJumped(AccessEvent, frozen=True):
    """The times of earlier and later entries differ by a jump of the clock."""

    seconds: int


def misstated(command: PitCommand, by: tuple[Actor, ...]) -> Refusal | None:
    """Refuse an access entry that names another grant or person than it was made under."""
    match command:
        case GrantOffice(made_by=grant, maker=person):
            pass
        case ConsentToGrant(consented_by=grant, consenter=person):
            pass
        case SignIn(grant):
            person = ""
        case MakeLink():
            grant = person = ""
        case _:
            return None
    if any(
        one.device.partition(":")[2] == grant and one.person == (person or one.person) for one in by
    ):
        return None
    message = f"{type(command).__name__} is not given under the grant that it names"
    return Refusal("not_your_office", (), message)


def decide_access(state: PitState, command: AccessCommand) -> PitEvents | Refusal:
    match command:
        case GrantOffice():
            return _grant(state, command)
        case ConsentToGrant():
            return _consent(state, command)
        case RevokeGrants(grants):
            return _revoke(state, grants)
        case DeclineConsent(act, _, table, grant):
            is_pending = not grant or (grant in state.grants and state.grants[grant].waits)
            return (ConsentDeclined(act, table, grant, clauses=()),) if is_pending else _none(grant)
        case NoteExport(document, table):
            return (Exported(document, table, clauses=()),)
        case NoteClockJump(seconds):
            return (ClockJumped(seconds, clauses=()),)
        case SignIn() | MakeLink():
            return _link(state, command)
        case _:
            raise TypeError(f"{command!r} is not a command about access")


def _link(state: PitState, command: SignIn | MakeLink) -> PitEvents | Refusal:
    grant = command.grant
    pit_grant = state.grants.get(grant)
    if pit_grant is None:
        return _none(grant)
    if isinstance(command, MakeLink):
        return (LinkMade(grant, clauses=()),)
    if pit_grant.waits:
        message = f"the grant of {pit_grant.person} waits for the consent of a second person"
        return Refusal("not_consented", (), message)
    return (SignedIn(grant, pit_grant.person, pit_grant.office, clauses=()),)


def _none(grant: str) -> Refusal:
    return Refusal("gone", (), f"the record has no grant {grant} to which this can be done")


def _grant(state: PitState, command: GrantOffice) -> PitEvents | Refusal:
    if command.grant in state.grants:
        return Refusal("exists", (), f"there is a grant {command.grant}")
    is_pending = _waits(command)
    if is_pending and command.person == command.maker:
        message = f"{command.person} cannot grant an office to {command.person}"
        return Refusal("two_persons", (), message)
    maker = state.grants.get(command.made_by)
    if maker is not None and (maker.waits or command.until > maker.until):
        return Refusal("outlives", (), f"a grant ends with that of its maker, at {maker.until}")
    granted = OfficeGranted(
        command.grant,
        command.person,
        command.office,
        command.at,
        command.until,
        command.made_by,
        command.maker,
        is_pending,
        clauses=(),
    )
    return granted, LinkMade(command.grant, clauses=())


# Apart from what it decides, so that a test can leave the second person out.
def _waits(command: GrantOffice) -> bool:
    return bool(command.made_by) and command.office != Role.BOARD


def _consent(state: PitState, command: ConsentToGrant) -> PitEvents | Refusal:
    found = state.grants.get(command.grant)
    if found is None or not found.waits:
        return _none(command.grant)
    if command.consenter in {found.person, found.maker} or command.consented_by == found.made_by:
        message = f"{command.consenter} has a part in this grant: a second person consents to it"
        return Refusal("two_persons", (), message)
    return (GrantConsented(command.grant, command.consenter, clauses=()),)


def _revoke(state: PitState, grants: tuple[str, ...]) -> PitEvents | Refusal:
    ending = set(grants)
    dependents = [name for name, grant in state.grants.items() if grant.made_by in ending]
    if missing := [name for name in dependents if name not in ending]:
        message = f"grants made under these end with them: {', '.join(missing)}"
        return Refusal("made_under", (), message)
    return (GrantsRevoked(grants, clauses=()),)


def evolve_access(state: PitState, event: AccessEvent) -> PitState:
    return replace(state, grants=_grants_after(state.grants, event))


def _grants_after(grants: Mapping[str, PitGrant], event: AccessEvent) -> Mapping[str, PitGrant]:
    match event:
        case OfficeGranted():
            new_grant = PitGrant(
                event.person, event.office, event.until, event.made_by, event.maker, event.waits
            )
            # The record lasts for years, so ended grants are removed from the state.
            current = {name: one for name, one in grants.items() if one.until > event.at}
            return {**current, event.grant: new_grant}
        case GrantConsented(grant):
            return {**grants, grant: replace(grants[grant], waits=False)}
        case GrantsRevoked(revoked):
            return {name: one for name, one in grants.items() if name not in revoked}
        case ConsentDeclined(grant=declined) if declined:
            return {name: one for name, one in grants.items() if name != declined}
        case _:
            return grants
