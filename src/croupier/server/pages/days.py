"""A table's gaming days."""

from __future__ import annotations

from croupier.acts.roles import Role
from croupier.reports.tags import Html, details, hint, join, post_form, tag
from croupier.reports.words import say
from croupier.server.pages.forms import hidden
from croupier.server.pages.looked import DaySeen, Looked
from croupier.server.pages.pieces import part, table_of


def days_part(look: Looked) -> list[Html]:
    if not look.days:
        return []
    place = f"/tables/{look.name}?day="
    rows = [
        (
            tag("a", say("day.number", day=day.number), href=f"{place}{day.number}"),
            _entries(day),
            say("day.ended" if day.ended else "day.open"),
        )
        for day in reversed(look.days)
    ]
    days = table_of(say("days"), map(say, ("gaming.day", "entries", "phase")), rows)
    return [part("days", say("days"), days, _end(look))]


def _entries(day: DaySeen) -> str:
    if day.last < day.first:
        return say("none")
    return say("day.entries", first=day.first, last=day.last)


def _end(look: Looked) -> Html | None:
    if look.day_goes_on is None or look.at is not None:
        return None
    if look.day_goes_on:
        return hint(say("day.not.yet", why=look.day_goes_on))
    amends = look.session.office == Role.LICENSEE
    form = post_form(
        f"/tables/{look.name}/days",
        hidden(look, f"day-{len(look.days)}"),
        hint(say("day.amend.words" if amends else "day.end.words")),
        *(_amended() if amends else ()),
        tag("button", say("day.end")),
        id="end-day", class_="act",
    )  # fmt: skip
    title = say("day.amend" if amends else "day.end")
    return details(title, form, id="day-ends")


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
