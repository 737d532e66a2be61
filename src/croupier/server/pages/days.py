"""A table's gaming days."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.acts.roles import Role
from croupier.reports.words import say
from croupier.server.pages.forms import hidden
from croupier.server.pages.html import Html, join, tag
from croupier.server.pages.pieces import part, table_of

if TYPE_CHECKING:
    from croupier.server.pages.looked import DaySeen, Looked


def days_part(look: Looked) -> list[Html]:
    if not look.days:
        return []
    rows = [
        (
            tag("a", say("day.number", day=day.number), href=_place(look, day)),
            _entries(day),
            say("day.ended" if day.ended else "day.open"),
        )
        for day in reversed(look.days)
    ]
    heads = [say("gaming.day"), say("entries"), say("phase")]
    return [part("days", say("days"), table_of(say("days"), heads, rows), _end(look))]


def _place(look: Looked, day: DaySeen) -> str:
    return f"/tables/{look.name}?day={day.number}"


def _entries(day: DaySeen) -> str:
    if day.last < day.first:
        return say("none")
    return say("day.entries", first=day.first, last=day.last)


def _end(look: Looked) -> Html | None:
    if look.day_goes_on is None or look.at is not None:
        return None
    if look.day_goes_on:
        return tag("p", say("day.not.yet", why=look.day_goes_on), class_="hint")
    amends = look.session.office == Role.LICENSEE
    form = tag(
        "form",
        hidden(look, f"day-{len(look.days)}"),
        tag("p", say("day.amend.words" if amends else "day.end.words"), class_="hint"),
        *(_amended() if amends else ()),
        tag("button", say("day.end")),
        method="post", action=f"/tables/{look.name}/days", id="end-day", class_="act",
    )  # fmt: skip
    title = say("day.amend" if amends else "day.end")
    return tag("details", tag("summary", title), form, id="day-ends")


def _amended() -> tuple[Html, ...]:
    return (
        tag("label", say("day.submission"), for_="day-submission"),
        tag("textarea", name="submission", id="day-submission", rows="8", required=True),
        tag("label", say("day.notified"), for_="day-notified"),
        tag("input", name="notified", id="day-notified", placeholder="2026-11-22T12:00Z"),
    )


def back_part(look: Looked) -> list[Html]:
    if look.at is None and not look.day:
        return []
    day = look.days[look.day - 1] if look.day else None
    said = (
        say("entry.at", seq=look.at, last=look.last)
        if day is None
        else join(tag("b", say("day.number", day=day.number)), ": ", _entries(day))
    )
    newest = tag("a", say("day.all"), href=f"/tables/{look.name}")
    return [part("back", say("look.back"), tag("p", said), tag("p", newest))]
