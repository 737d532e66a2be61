"""Changes of elections, and the notice of them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, TypeAlias

from msgspec import Struct, field

from croupier.acts.command import Command, command
from croupier.acts.event import Event, event
from croupier.acts.fields import (
    Label,
    Moment,
    RuleId,
    StaffText,
    WagerId,
    Word,
)
from croupier.acts.opening import OpeningProcedure
from croupier.acts.roles import Role
from croupier.acts.words import short
from croupier.law.cited import Clauses
from croupier.law.sight import Sight
from croupier.rules import Limit


def _adopted(event: ElectionsAdopted) -> str:
    limits = (
        f"{wager} from {short(one.min_cents)} to {short(one.max_cents)}"
        for wager, one in event.limits.items()
    )
    told = dict.fromkeys(f"{one.to} at {one.at:%Y-%m-%d %H:%M} UTC" for one in event.notices)
    changes = ", ".join(filter(None, (_elections(event.elections), *limits)))
    after = f"; notice to {', '.join(told)}" if told else ""
    return f"From now on {changes}{after}"


def _elections(elections: Mapping[str, Choice]) -> str:
    return ", ".join(f"{rule_id} is {_chosen(value)}" for rule_id, value in elections.items())


def _chosen(value: Choice) -> str:
    if isinstance(value, Mapping):
        return " ".join(f"{line} {odds}" for line, odds in value.items())
    return str(value).lower() if isinstance(value, bool) else str(value)


Choice: TypeAlias = str | bool | int | Mapping[str, str]
"""The elected value of a rule, as in a submission."""

Elections = Annotated[Mapping[RuleId, Choice], Sight.OPEN]
Limits = Annotated[Mapping[WagerId, Limit], Sight.OPEN]


class OtherTable(Struct, frozen=True):
    """Another table of the licensee: its place, game, regulation, and elections.

    ``pit`` is empty for the pit of the table with this entry, ``law`` for a regulation that is not
    included.
    """

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
    """Record the written notice of intended elections that one addressee was given.

    ``at`` is the time of the notice in UTC; by default the time of the record.
    """

    elections: Elections
    to: StaffText
    at: Moment | None = None


@command("Adopt new elections", by=(Role.LICENSEE, Role.MACHINE), group="rules")
class AdoptElections(Command, frozen=True):
    """Adopt new elections, with those they require and their limits: all of them or none.

    Elections excluded by the new ones are dropped. ``at`` is the time in UTC, by default the time
    of the record; ``beside`` are the other tables of the licensee with their elections at that
    time.
    """

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
    """An addressee was given written notice of intended elections."""

    elections: Elections
    to: StaffText
    at: Moment
    clauses: Clauses


@event(_adopted)
class ElectionsAdopted(Event, frozen=True):
    """New elections and limits apply from now on; ``notices`` are those that announced them.

    The hash identifies the resulting rules; ``course`` is the new opening procedure, if the table
    was closed.
    """

    elections: Elections
    limits: Limits
    at: Moment | None
    notices: tuple[Notice, ...]
    course: OpeningProcedure | None
    rules_sha256: Word
    clauses: Clauses
