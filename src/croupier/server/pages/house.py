"""The pages of the floor."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from math import sqrt
from typing import Any, Final

from croupier.acts.roles import POSTED, Access, Role, admits, has_access
from croupier.reports.tags import Html, details, hint, join, labeled, post_form, tag
from croupier.reports.words import dollars, office_words, percent, person_words, say, typed
from croupier.server.pages.dealer import beside, consents, desk_parts, drawer
from croupier.server.pages.forms import hidden, pit_form
from croupier.server.pages.looked import Looked, PitActSeen, Session, WinPoint
from croupier.server.pages.pieces import (
    Cell,
    facts_list,
    hands,
    keys_said,
    part,
    result_words,
    table_of,
)
from croupier.server.pages.shell import page
from croupier.server.pages.watch import alarm_words, back_part, days_part

_BAND_WIDTH: Final = 240
_BAND_HEIGHT: Final = 56
_MOST_DRAWN: Final = 60
"""The most rounds of a day that a band is drawn from."""


def floor_parts(look: Looked) -> list[Html]:
    more = back_part(look)
    if look.alarm is not None:
        more.append(part("alarm", say("alarm"), alarm_words(look)))
    below = [*days_part(look), part("elections", say("elections"), elections(look))]
    if admits(look.session.office, Role.PATRON):
        below.insert(0, part("link", say("link"), _link(look)))
    return desk_parts(look, *more, drawers=[drawer("more", "m", *below)])


def elections(look: Looked) -> Html:
    seen = look.seen
    pending = _notices(
        (
            (one["rule"], one["value"], office_words(one["to"]), one["at"][:16].replace("T", " "))
            for one in seen["notices"] or ()
        ),
        look.amounts,
    )
    rows = [
        (rule, _elected(value, is_amount=rule in look.amounts))
        for rule, value in seen["elections"].items()
    ]
    listed = table_of(say("elections"), [say("rule"), say("elected")], rows)
    return join(
        pending,
        details(say("elections.all", many=len(rows)), listed, id="elected"),
    )


def _notices(given: Iterable[tuple[str, Any, str, str]], amounts: Collection[str]) -> Html:
    rows = [
        (rule, _elected(value, is_amount=rule in amounts), to, when)
        for rule, value, to, when in given
    ]
    heads = map(say, ("rule", "elected", "notice.to", "when"))
    return table_of(say("notices"), heads, rows) if rows else hint(say("notices.none"))


def _elected(value: Any, *, is_amount: bool) -> str:
    if isinstance(value, dict):
        return ", ".join(
            f"{name}: {_elected(item, is_amount=is_amount)}" for name, item in value.items()
        )
    if isinstance(value, list | tuple):
        return ", ".join(_elected(item, is_amount=is_amount) for item in value)
    # A list of awards may be elected by its name.
    if is_amount and (cents := typed(str(value))) is not None:
        return dollars(cents)
    return str(value).lower() if isinstance(value, bool) else str(value)


def _link(look: Looked) -> Html:
    seats = (tag("option", seat["seat"], value=seat["seat"]) for seat in look.seen["seats"])
    return post_form(
        f"/tables/{look.name}/links",
        hidden(look, "link"),
        hint(say("link.words")),
        labeled(
            say("link.person"),
            tag("input", type="text", name="person", required=True, maxlength="40",
                autocomplete="off", id="link-person"),
            of="link-person",
        ),
        labeled(say("seat"), tag("select", *seats, name="seat", id="link-seat"), of="link-seat"),
        tag("button", say("link.make")),
        id="make-link", class_="act whole",
        data_whole=True,
    )  # fmt: skip


def pit_page(
    session: Session,
    looks: Sequence[Looked],
    bands: Mapping[str, Sequence[WinPoint]],
    decided: Mapping[str, Any] | None = None,
) -> str:
    """Overview of a pit: alarms first, then the widest deviation, with visible decisions."""
    looks = sorted(looks, key=lambda look: _rank(look, bands.get(look.name, ())))
    glances = (_table(look, bands.get(look.name, ())) for look in looks)
    cards = tag("ul", *glances, class_="glances") if looks else tag("p", say("none"))
    parts, shown = [part("tables", say("tables"), cards)], []
    if session.office in POSTED:
        shown.append(part("consents", say("consents"), consents(looks, "?back=pit")))
    if decided is not None:
        more = tag("p", tag("a", say("pit.open"), href=f"/pits/{session.pit}"))
        shown.append(part("pit", say("pit.decided"), decided_words(decided), more))
    if shown:
        below = [part("duties", say("staff"), _duties(looks))]
        if any(look.seen["house"] is not None for look in looks):
            below.insert(0, part("wins", say("wins.tables"), _wins(looks)))
        parts.insert(0, beside(shown, [drawer("more", "m", *below)]))
    keys = keys_said(session.office, "keys.pit" if shown else "")
    return page(
        session, say("tables.of", pit=session.pit), parts, kind="pit", keys=keys,
        data={"here": "/tables", "poll": "/tables"},
    )  # fmt: skip


def decided_words(decided: Mapping[str, Any]) -> Html:
    given = (
        (one["rule_id"], one["value"], office_words(one["to"]), f"{one['at']:%Y-%m-%d %H:%M}")
        for one in decided["notices"]
    )
    notices = _notices(given, decided["amounts"])
    waits = [
        tag("li", say("pit.waits", table=one["table"], entry=one["entry"]))
        for one in decided["waiting"]
    ]
    return join(notices, tag("ul", *waits) if waits else None)


def _table(look: Looked, points: Sequence[WinPoint]) -> Html:
    seen, place = look.seen, f"/tables/{look.name}"
    alarm = None if look.alarm is None else look.alarm["entry"]
    marks = [
        tag("p", say("alarm.short", seq=alarm), class_="wrong") if alarm is not None else None,
        tag("p", say("paused"), class_="wrong") if seen["paused"] else None,
        tag("p", say("flawed"), ": ", seen["flawed"], class_="wrong") if seen["flawed"] else None,
        tag("p", say("waits.many", many=many), class_="waits")
        if (many := look.screen.many)
        else None,
    ]
    said: dict[str, Cell] = {}
    if seen["house"] is not None:
        said[say("win")] = dollars(seen["house"]["win_cents"])
    if points:
        off = f"{points[-1].deviations:+.1f}".replace("-", "−")
        said[say("win.off")] = say("win.deviations", many=off)
    shown = [
        hands(look) if has_access(look.session.office, Access.WATCH) else None,
        _band(points) if points else None,
    ]
    return tag(
        "li",
        tag("div", tag("h3", tag("a", look.name, href=place)), *marks),
        tag("div", tag("p", look.screen.status), facts_list(said), hint(look.screen.press)),
        tag("div", *shown) if any(shown) else None,
        id=f"at-{look.name}",
    )


def _duties(looks: Iterable[Looked]) -> Html:
    rows = [
        (
            look.name,
            result_words(look) or say("none"),
            look.seen["rounds"],
            say("pace.hour", many=f"{look.pace:,}") if look.pace else say("pace.none"),
            len(look.irregular),
            "; ".join(
                f"{office_words(office).capitalize()}: {', '.join(map(person_words, held))}"
                for office, held in (look.seen["staff"] or {}).items()
            ),
        )
        for look in looks
    ]
    heads = map(say, ("table.short", "last", "rounds", "pace", "irregular.many", "staff"))
    return table_of(say("staff"), heads, rows)


def _rank(look: Looked, points: Sequence[WinPoint]) -> tuple[bool, float]:
    is_quiet = look.alarm is None or look.alarm["entry"] is None
    return is_quiet, -abs(points[-1].deviations) if points else 0.0


def _band(points: Sequence[WinPoint]) -> Html:
    shown = points[:: -(-len(points) // _MOST_DRAWN)]
    shown = shown if shown[-1] is points[-1] else [*shown, points[-1]]
    middle = [0.0, *(point.mean for point in shown)]
    spread = [0.0, *(2 * sqrt(point.variance) for point in shown)]
    low = [one - two for one, two in zip(middle, spread, strict=True)]
    high = [one + two for one, two in zip(middle, spread, strict=True)]
    win = [0, *(point.win_cents for point in shown)]
    least, most = min(*low, *win), max(*high, *win)

    def line(heights: Sequence[float]) -> list[str]:
        return [
            f"{_BAND_WIDTH * at / len(shown):.1f},"
            f"{_BAND_HEIGHT * (most - height) / ((most - least) or 1):.1f}"
            for at, height in enumerate(heights)
        ]

    said = say("win.band", win=dollars(points[-1].win_cents), many=f"{len(points):,}",
               mean=dollars(round(middle[-1])), low=dollars(round(low[-1])),
               high=dollars(round(high[-1])))  # fmt: skip
    return tag(
        "svg",
        tag("title", said),
        tag("polygon", points=" ".join([*line(low), *reversed(line(high))])),
        tag("polyline", points=" ".join(line(middle)), class_="mean"),
        tag("polyline", points=" ".join(line(win))),
        class_="band", role="img", viewBox=f"0 -2 {_BAND_WIDTH} {_BAND_HEIGHT + 4}",
        preserveAspectRatio="none",
    )  # fmt: skip


def _wins(looks: Sequence[Looked]) -> Html:
    shown: list[tuple[str, Sequence[int]]] = [
        (look.name, [house["win_cents"], house["drop_cents"], house["fills_cents"],
                    house["credits_cents"]])
        for look in looks
        if (house := look.seen["house"]) is not None
    ]  # fmt: skip
    if len(shown) > 1:
        shown.append((say("all"), [*map(sum, zip(*(one for _, one in shown), strict=True))]))
    rows = [
        (name, dollars(win), dollars(drop), percent(win, drop), dollars(fills), dollars(credits_))
        for name, (win, drop, fills, credits_) in shown
    ]
    heads = [say(name) for name in ("table.short", "win", "drop", "hold", "fills", "credits")]
    return table_of(say("wins.tables"), heads, rows, *heads)


def decided_page(
    session: Session,
    decided: Mapping[str, Any] | None,
    tables: Mapping[str, bool],
    acts: Sequence[PitActSeen],
    answer: Html | None = None,
) -> str:
    forms = [details(act.words, pit_form(session, act), id=f"pit-{act.command}") for act in acts]
    rows = [(name, say("yes" if there else "no")) for name, there in tables.items()]
    others = () if decided is None else decided["others"]
    rows += [(f"{one['table']} ({one['game']})", say("yes")) for one in others]
    heads = [say("table.short"), say("pit.admitted")]
    said = decided_words(decided) if decided else hint(say("pit.none"))
    asked = join(*forms) if forms else hint(say("pit.licensee"))
    parts = [
        part("pit-acts", say("pit.acts"), asked),
        part("pit", say("pit.decided"), said),
        part("pit-tables", say("tables"), table_of(say("tables"), heads, rows)),
    ]
    here = {"here": f"/pits/{session.pit}"}
    return page(session, say("pit.title", pit=session.pit), parts, kind="pit", answer=answer,
                data=here)  # fmt: skip
