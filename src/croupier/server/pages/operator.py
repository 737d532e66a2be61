"""The operator's page: the state of the service, its grants, and the commands of the guide."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Final, NamedTuple

from croupier.reports.tags import Html, details, hint, post_form, tag
from croupier.reports.words import office_words, say
from croupier.server.pages.looked import Session
from croupier.server.pages.people import GrantSeen, form_field, revoke_form, time_of, title_of
from croupier.server.pages.pieces import facts_list, part, table_of
from croupier.server.pages.shell import page

HERE: Final = "/operator"


class AlarmLine(NamedTuple):
    """An alarm of the guide; ``raised`` is ``None`` where only Prometheus judges it."""

    name: str
    means: str
    do: str
    raised: bool | None


class GrantLine(NamedTuple):
    """A grant, ``depth`` grants below one without a maker, and its sessions in words."""

    grant: GrantSeen
    depth: int
    sessions: str


class OperatorSeen(NamedTuple):
    """The state of a service; ``acts`` are those it can do, with their last results."""

    facts: Mapping[str, str]
    alarms: Sequence[AlarmLine]
    records: Sequence[Sequence[str]]
    grants: Sequence[GrantLine]
    acts: Mapping[str, str]
    commands: Mapping[str, Sequence[str]]


def operator_page(session: Session, seen: OperatorSeen, answer: Html | None = None) -> str:
    acts = (_form(session, one, result) for one, result in seen.acts.items())
    heads = [say(f"operator.{one}") for one in ("record", "owner", "entries", "last", "followers")]
    records = say("operator.records")
    parts = [
        part("alarms", say("operator.alarms"), *_alarms(seen.alarms)),
        part("acts", say("operator.acts"), *acts, *_commands(seen.commands)),
        part("grants", say("people.grants"), _grants(session, seen.grants)),
        part("service", say("operator.state"), facts_list(seen.facts), tabindex="0"),
        part("records", records, table_of(records, heads, seen.records)),
    ]  # fmt: skip
    data = {"here": HERE, "poll": HERE}
    return page(session, say("operator"), parts, kind="operator", answer=answer, data=data)


def _alarms(alarms: Sequence[AlarmLine]) -> tuple[Html, ...]:
    raised = [alarm for alarm in alarms if alarm.raised]
    said = say("operator.raised", count=len(raised)) if raised else say("operator.none")
    lines = (
        details(
            say(f"operator.{_STATES[alarm.raised]}", name=alarm.name),
            tag("p", office_words(alarm.means)),
            hint(office_words(alarm.do)),
            id=f"alarm-{alarm.name}",
            class_="raised" if alarm.raised else None,
        )
        for alarm in sorted(alarms, key=lambda alarm: not alarm.raised)
    )
    return tag("p", said, role="status", class_="raised" if raised else None), *lines


_STATES: Final = {True: "alarm", False: "quiet", None: "elsewhere"}


def _form(session: Session, act: str, result: str) -> Html:
    return post_form(
        f"{HERE}/acts/{act}",
        form_field(session),
        tag("button", say(f"operator.do.{act}")),
        hint(result or say(f"operator.of.{act}")),
        id=f"act-{act}", class_="act", data_whole=True,
    )  # fmt: skip


def _commands(commands: Mapping[str, Sequence[str]]) -> tuple[Html, ...]:
    button = tag("button", say("operator.copy"), type="button", hidden=True, data_copy=True)
    return tuple(
        details(
            heading,
            *(tag("div", tag("pre", tag("code", block), tabindex="0"), button) for block in blocks),
            id=f"guide-{number}",
        )
        for number, (heading, blocks) in enumerate(commands.items())
    )


def _grants(session: Session, grants: Sequence[GrantLine]) -> Html:
    names = ("people.person", "people.until", "operator.sessions", "people.revoke")
    rows = [
        (
            f"{'└ ' * depth}{title_of(grant)}",
            time_of(grant.until),
            sessions,
            revoke_form(session, grant, f"{HERE}/grants/{grant.id}") if grant.may else "",
        )
        for grant, depth, sessions in grants
    ]
    return table_of(say("people.grants"), [say(name) for name in names], rows)
