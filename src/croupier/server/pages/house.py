"""The pages of the floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from croupier.acts.roles import POSTED, Access, Role, admits, has_access
from croupier.reports.words import dollars, percent, say
from croupier.server.pages.consents import consents
from croupier.server.pages.days import back_part, days_part
from croupier.server.pages.dealer import desk_parts, drawer, prompt_words, waiting
from croupier.server.pages.forms import hidden
from croupier.server.pages.html import Html, join, tag
from croupier.server.pages.pieces import Cell, facts_list, part, result_words, table_of
from croupier.server.pages.shell import page
from croupier.server.pages.watch import alarm_words

if TYPE_CHECKING:
    from croupier.server.pages.looked import Looked, Session


def floor_parts(look: Looked) -> list[Html]:
    """Return a table's sections for the floor."""
    more = back_part(look)
    if look.alarm is not None:
        more.append(part("alarm", say("alarm"), alarm_words(look)))
    below = [*days_part(look), part("elections", say("elections"), elections(look))]
    if admits(look.session.office, Role.PATRON):
        below.insert(0, part("link", say("link"), _link(look)))
    return desk_parts(look, *more, drawers=[drawer("more", "m", *below)])


def elections(look: Looked) -> Html:
    """Return the elections in force and pending notices."""
    seen = look.seen
    notices = seen["notices"] or ()
    given = [
        (one["rule"], _elected(one["value"]), one["to"], one["at"][:16].replace("T", " "))
        for one in notices
    ]
    heads = [say(one) for one in ("rule", "elected", "notice.to", "when")]
    pending = (
        table_of(say("notices"), heads, given)
        if given
        else tag("p", say("notices.none"), class_="hint")
    )
    rows = [(rule, _elected(value)) for rule, value in seen["elections"].items()]
    listed = table_of(say("elections"), [say("rule"), say("elected")], rows)
    return join(
        pending,
        tag("details", tag("summary", say("elections.all", many=len(rows))), listed, id="elected"),
    )


def _elected(value: Any) -> str:
    if isinstance(value, dict):
        return ", ".join(f"{name}: {_elected(one)}" for name, one in value.items())
    if isinstance(value, list | tuple):
        return ", ".join(map(_elected, value))
    return str(value)


def _link(look: Looked) -> Html:
    seats = (tag("option", one["seat"], value=one["seat"]) for one in look.seen["seats"])
    return tag(
        "form",
        hidden(look, "link"),
        tag("p", say("link.words"), class_="hint"),
        tag("label", tag("span", say("link.person")),
            tag("input", type="text", name="person", required=True, maxlength="40",
                autocomplete="off", id="link-person"),
            for_="link-person", class_="field"),
        tag("label", tag("span", say("seat")), tag("select", *seats, name="seat", id="link-seat"),
            for_="link-seat", class_="field"),
        tag("button", say("link.make")),
        method="post", action=f"/tables/{look.name}/links", id="make-link", class_="act whole",
        data_whole=True,
    )  # fmt: skip


def pit_page(
    session: Session, looks: list[Looked], decided: Mapping[str, Any] | None = None
) -> str:
    """Return the pit overview, with the visible decisions."""
    cards = tag("ul", *map(_table, looks), class_="glances") if looks else tag("p", say("none"))
    parts = [part("tables", say("tables"), cards)]
    if any(one.seen["house"] is not None for one in looks):
        parts.append(part("wins", say("wins.tables"), _wins(looks)))
    if decided is not None:
        more = tag("p", tag("a", say("pit.open"), href=f"/pits/{session.pit}"))
        parts.append(part("pit", say("pit.decided"), decided_words(decided), more))
    if session.office in POSTED:
        waits = consents(looks, "?back=pit")
        parts.insert(0, part("consents", say("consents"), waits))
    is_floor = has_access(session.office, Access.EARLIER)
    return page(
        session, say("tables.of", pit=session.pit), parts, kind="pit",
        data={"here": "/tables", "poll": "/tables"}, keys=say("keys.pit") if is_floor else "",
    )  # fmt: skip


def decided_words(decided: Mapping[str, Any]) -> Html:
    """Return a pit's notices and pending changes."""
    given = [
        (one["rule_id"], _elected(one["value"]), one["to"], f"{one['at']:%Y-%m-%d %H:%M}")
        for one in decided["notices"]
    ]
    heads = [say(one) for one in ("rule", "elected", "notice.to", "when")]
    notices = (
        table_of(say("notices"), heads, given)
        if given
        else tag("p", say("notices.none"), class_="hint")
    )
    waits = [
        tag("li", say("pit.waits", table=one["table"], entry=one["entry"]))
        for one in decided["waiting"]
    ]
    return join(notices, tag("ul", *waits) if waits else None)


def _table(look: Looked) -> Html:
    seen, place = look.seen, f"/tables/{look.name}"
    alarm = None if look.alarm is None else look.alarm["entry"]
    marks = [
        tag("p", say("alarm.short", seq=alarm), class_="wrong") if alarm is not None else None,
        tag("p", say("paused"), class_="wrong") if seen["paused"] else None,
        tag("p", say("flawed"), ": ", seen["flawed"], class_="wrong") if seen["flawed"] else None,
        tag("p", say("waits.many", many=many), class_="waits") if (many := waiting(look)) else None,
    ]
    said: dict[str, Cell] = {
        say("phase"): seen["phase"]["words"],
        say("last"): result_words(look) or say("none"),
        say("rounds"): seen["rounds"],
        say("pace"): say("pace.hour", many=f"{look.pace:,}") if look.pace else say("pace.none"),
        say("irregular.many"): len(look.irregular),
    }
    if seen["house"] is not None:
        said[say("win")] = dollars(seen["house"]["win_cents"])
    said |= {office.capitalize(): ", ".join(held) for office, held in (seen["staff"] or {}).items()}
    return tag(
        "li",
        tag("h3", tag("a", look.name, href=place)),
        *marks,
        facts_list(said),
        tag("p", prompt_words(look), class_="hint"),
        id=f"at-{look.name}",
    )


def _wins(looks: Sequence[Looked]) -> Html:
    shown: list[tuple[str, Sequence[int]]] = [
        (one.name, [house["win_cents"], house["drop_cents"], house["fills_cents"],
                    house["credits_cents"]])
        for one in looks
        if (house := one.seen["house"]) is not None
    ]  # fmt: skip
    if len(shown) > 1:
        shown.append((say("all"), [*map(sum, zip(*(one for _, one in shown), strict=True))]))
    rows = [(name, *_money(*amounts)) for name, amounts in shown]
    heads = [say(one) for one in ("table.short", "win", "drop", "hold", "fills", "credits")]
    return table_of(say("wins.tables"), heads, rows)


def _money(win: int, drop: int, fills: int, credits_: int) -> tuple[str, ...]:
    hold = percent(win, drop)
    return dollars(win), dollars(drop), hold, dollars(fills), dollars(credits_)
