"""The page of surveillance: entries with time and actor, any earlier one, odds, refusals."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import TYPE_CHECKING

from croupier.reports.words import say
from croupier.server.pages.dealer import acts_part, columns
from croupier.server.pages.html import Html, join, tag
from croupier.server.pages.pieces import (
    facts,
    felt,
    hands,
    lines_of,
    part,
    roads,
    seats_table,
    table_of,
)

if TYPE_CHECKING:
    from croupier.records.view.documents import EntrySeen
    from croupier.server.pages.looked import Looked

__all__ = ["watch_parts"]


def _place(look: Looked, at: int, more: str = "") -> str:
    return f"/tables/{look.name}?at={at}{more}"


def _slider(look: Looked) -> Html:
    at = look.at or look.last
    said = (
        say("entry.now", last=look.last)
        if look.at is None
        else say("entry.at", seq=at, last=look.last)
    )
    links = [
        tag("a", say("entry.before"), href=_place(look, max(1, at - 1)), id="before", rel="prev"),
        tag("a", say("entry.after"), href=_place(look, min(look.last, at + 1)), id="after",
            rel="next"),
        tag("a", say("entry.newest"), href=f"/tables/{look.name}"),
    ]  # fmt: skip
    return tag(
        "form",
        tag("p", said, class_="prompt"),
        tag("label", tag("span", say("entry")),
            tag("input", type="range", name="at", id="slider", min="1", max=look.last, value=at),
            for_="slider", class_="field wide"),
        tag("nav", tag("button", say("entry.go")), *links),
        method="get", action=f"/tables/{look.name}", id="look-back", class_="whole",
    )  # fmt: skip


def _entries(look: Looked) -> Html:
    rows = [_entry(look, one) for one in reversed(look.recent)]
    return table_of(say("entries"), [say(one) for one in ("entry", "when", "by", "what")], rows)


def _entry(look: Looked, one: EntrySeen) -> list[Html | str]:
    by = ", ".join(f"{who['person']} ({who['office']})" for who in one["by"] or ())
    lines = [
        tag("div", " ".join([line["text"], *line["details"]]), class_=f"line {line['kind']}-line")
        for line in lines_of(one)
    ]
    when = (one["at"] or "")[11:23]
    return [tag("a", one["seq"], href=_place(look, one["seq"])), when, by, join(*lines)]


def _odds(look: Looked) -> Html:
    at = look.at or look.last
    ask = tag("p", tag("a", say("odds.show"), href=_place(look, at, "&odds=1#odds")))
    if look.odds is None:
        return ask
    if "none" in look.odds:
        return tag("p", say("odds.none", why=look.odds["none"]))
    titles = {one["wager"]: one["title"] for one in look.seen["wagers"]}
    rows = [
        [titles.get(one["id"], one["id"]), f"{one['expectation_percent']:+.4f}%"]
        for one in look.odds["wagers"]
    ]
    return join(table_of(say("odds"), [say("odds.wager"), say("odds.value")], rows), ask)


def _refusals(look: Looked) -> Html:
    if not look.refusals:
        return tag("p", say("refusals.none"), class_="hint")
    rows = [
        [
            datetime.fromtimestamp(one["at"] / 1000, UTC).strftime("%H:%M:%S"),
            one["by"],
            one["command"],
            one["code"],
        ]
        for one in look.refusals
    ]
    heads = [say(one) for one in ("when", "by", "what", "code")]
    return table_of(say("refusals"), heads, rows)


def watch_parts(look: Looked) -> list[Html]:
    """Return the parts of the page of surveillance."""
    # What surveillance may do itself: notes, pauses, consents.
    acts = [] if look.at else [acts_part(look)]
    return columns(
        [
            part("back", say("look.back"), _slider(look)),
            part("cards", say("hands"), hands(look.seen)),
            part("odds", say("odds"), _odds(look)),
            part("refusals", say("refusals"), _refusals(look)),
            *acts,
        ],
        [
            part("layout", say("layout"), felt(look)),
            part("entries", say("entries"), _entries(look)),
            part("seats", say("seats"), seats_table(look)),
            part("roads", say("roads"), roads(look)),
            part("facts", say("facts"), facts(look)),
        ],
    )
