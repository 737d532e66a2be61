"""Changes of elections, and their notice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from msgspec import Struct, field

from croupier.acts.command import Command, Event, command, event
from croupier.acts.fields import Count, Flag, Label, Moment, RuleId, StaffText, WagerId, Word
from croupier.acts.roles import Role
from croupier.acts.words import short
from croupier.law.cite import Clauses
from croupier.law.sight import Sight
from croupier.rules import Limit


def _adopted(event: ElectionsAdopted) -> str:
    limits = (
        f"{wager} from {short(limit.min_cents)} to {short(limit.max_cents)}"
        for wager, limit in event.limits.items()
    )
    notices = dict.fromkeys(f"{one.to} at {one.at:%Y-%m-%d %H:%M} UTC" for one in event.notices)
    changes = ", ".join(filter(None, (_elections(event.elections), *limits)))
    notice = f"; notice to {', '.join(notices)}" if notices else ""
    return f"From now on {changes}{notice}"


def _elections(elections: Mapping[str, Choice]) -> str:
    return ", ".join(f"{rule_id} is {_chosen(value)}" for rule_id, value in elections.items())


def _chosen(value: Choice) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{line} {odds}" for line, odds in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


Choice: TypeAlias = str | bool | int | Mapping[str, str]
"""A rule's elected value."""

Elections = Annotated[Mapping[RuleId, Choice], Sight.OPEN]
Limits = Annotated[Mapping[WagerId, Limit], Sight.OPEN]


class OpeningProcedure(Struct, frozen=True):
    """The required steps from the receipt of the cards to the first round.

    ``verifies`` is set if the floorperson verifies the inspection, ``seals`` if also the seals of
    pre-shuffled cards.
    """

    verifies: Flag = True
    spread: Flag = True
    seals: Flag = True
    batches: Count = 1


class OtherTable(Struct, frozen=True):
    """Another table of the licensee: its place, game, regulation, and elections."""

    table: Word
    game: Word
    elections: Elections
    pit: Word = ""
    law: Word = ""


@command(
    "Record a notice of intended elections",
    by=(Role.LICENSEE, Role.MACHINE),
    while_paused=True,
    group="rules",
)
class RecordNotice(Command, frozen=True):
    """Record one addressee's written notice of intended elections, given at a time in UTC."""

    elections: Elections
    to: StaffText
    at: Moment | None = None


@command("Adopt new elections", by=(Role.LICENSEE, Role.MACHINE), group="rules")
class AdoptElections(Command, frozen=True):
    """Adopt elections together, with those they require, and drop those they exclude."""

    elections: Elections
    limits: Limits = field(default_factory=dict)
    at: Moment | None = None
    beside: Annotated[tuple[OtherTable, ...], Sight.TEXT, Label("The licensee's other tables")] = ()


class Notice(Struct, frozen=True):
    """A written notice: the election, the addressee, and the time in UTC."""

    rule_id: Word
    value: Annotated[Choice, Sight.OPEN]
    to: StaffText
    at: Moment


@event(lambda x: f"Notice to {x.to}, {x.at:%Y-%m-%d %H:%M} UTC: {_elections(x.elections)}")
class NoticeRecorded(Event, frozen=True):
    """Written notice of intended elections was given."""

    elections: Elections
    to: StaffText
    at: Moment
    clauses: Clauses


@event(_adopted)
class ElectionsAdopted(Event, frozen=True):
    """New elections and limits apply from now on; ``notices`` announced them."""

    elections: Elections
    limits: Limits
    at: Moment | None
    notices: tuple[Notice, ...]
    course: OpeningProcedure | None
    rules_sha256: Word
    clauses: Clauses
