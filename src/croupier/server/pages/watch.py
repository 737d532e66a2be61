"""The page of surveillance, and a table's gaming days."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from operator import itemgetter
from typing import Any, Final
from urllib.parse import urlencode

from croupier.acts.roles import POSTED, Access, Role, has_access
from croupier.records.view.documents import ActorSeen, EntrySeen
from croupier.reports.screen import lines_of, people_in_words
from croupier.reports.tags import Html, details, hidden_inputs, hint, join, labeled, post_form, tag
from croupier.reports.words import dollars, office_words, person_words, say
from croupier.server.pages import pieces
from croupier.server.pages.dealer import (
    acts_part,
    consents,
    drawer,
    irregular_drawer,
    roads_drawer,
    screen,
)
from croupier.server.pages.forms import clauses_of, hidden, place_of
from croupier.server.pages.looked import DaySeen, Looked
from croupier.server.pages.once import once
from croupier.server.pages.pieces import part


def _place(look: Looked, at: int, more: str = "") -> str:
    return f"/tables/{look.name}?at={at}{more}"


def _step(look: Looked, words: str, key: str, at: int | None, name: str) -> Html:
    if at is None:
        return tag("span", say(words), class_="hint")
    sign = tag("kbd", key, aria_hidden="true")
    return tag("a", say(words), sign, href=_place(look, at), id=name)


def _slider(look: Looked) -> Html:
    at, seen = look.at or look.last, look.watched
    said = say("entry.now" if look.at is None else "entry.at", seq=at, last=look.last)
    before, after = (None, None) if seen is None else (seen.before, seen.after)
    links = [
        _step(look, "entry.before", "[", at - 1 if at > 1 else None, "before"),
        _step(look, "entry.after", "]", at + 1 if at < look.last else None, "after"),
        _step(look, "round.before", "{", before, "round-before"),
        _step(look, "round.after", "}", after, "round-after"),
        tag("a", say("entry.newest"), href=f"/tables/{look.name}"),
        *([tag("b", say("board.paused"), class_="waits")] if look.seen["paused"] else ()),
    ]
    slider = tag(
        "form",
        tag("p", said, class_="prompt"),
        labeled(
            say("entry"),
            tag("input", type="range", name="at", id="slider", min="1", max=max(1, look.last),
                value=at),
            _marks(look), of="slider", class_="field wide",
        ),
        tag("button", say("entry.go"), id="go"),
        method="get", action=f"/tables/{look.name}", id="look-back", class_="whole",
    )  # fmt: skip
    odd = (tag("a", one, href=_place(look, one)) for one in look.irregular[-_LINKED:])
    return join(
        slider,
        tag("nav", *links, aria_label=say("look.back")),
        tag("nav", say("irregular.at"), *odd, aria_label=say("irregular.at"))
        if look.irregular
        else None,
    )


_LINKED: Final = 8
"""The newest irregularities, of which each has a link."""


def _marks(look: Looked) -> Html:
    alarm = None if look.alarm is None else look.alarm["entry"]
    found = [(one, "odd") for one in look.irregular] + ([(alarm, "differs")] if alarm else [])
    ticks = (tag("rect", x=one, width="1", height="1", class_=kind) for one, kind in found)
    return tag("svg", *ticks, class_="marks", viewBox=f"0 0 {look.last + 1} 1",
               preserveAspectRatio="none", aria_hidden="true")  # fmt: skip


def _search(look: Looked) -> Html:
    sought = {} if look.watched is None else look.watched.sought or {}
    offices = [(role, office_words(role)) for role in POSTED]
    seats = [(str(seat["seat"]), str(seat["seat"])) for seat in look.seen["seats"]]
    kinds = [(name, say(f"line.{name}")) for name in ("money", "card", "ruling", "spoken", "act")]
    return tag(
        "form",
        labeled(
            say("search"),
            tag("input", type="text", name="q", id="search", value=sought.get("q", ""),
                maxlength="100", autocomplete="off"),
            of="search", class_="field grows",
        ),
        *(
            labeled(
                say(words),
                tag("select", *(tag("option", said, value=value, selected=value == sought.get(name))
                                for value, said in [("", say("all")), *choices]),
                    name=name, id=f"by-{name}"),
                of=f"by-{name}",
            )
            for name, words, choices in (
                ("office", "by", offices), ("seat", "seat", seats), ("kind", "what", kinds))
        ),
        labeled(
            say("amount.from"),
            tag("input", type="text", name="amount", id="by-amount", inputmode="decimal", size="6",
                value=sought.get("amount", ""), autocomplete="off"),
            of="by-amount",
        ),
        tag("button", say("search.go"), class_="primary"),
        method="get", action=f"/tables/{look.name}", id="look-for", class_="act",
    )  # fmt: skip


def alarm_words(look: Looked) -> Html | None:
    alarm = look.alarm
    if alarm is None:
        return None
    entry = alarm["entry"]
    if entry is None:
        through = alarm["through"]
        said = say("alarm.none", through=through) if through else say("alarm.begun")
        return tag("p", said, class_="fine" if through else "going")
    return tag(
        "div",
        tag("p", tag("b", say("alarm.differs", seq=entry, kind=alarm["kind"])), " ",
            tag("a", say("alarm.look"), href=_place(look, max(1, entry - 1)))
            if has_access(look.session.office, Access.EARLIER) else None),
        tag("p", alarm["message"] or say("face.down.why")),
        clauses_of(look, alarm["clauses"]),
        hint(say("alarm.what")),
        class_="alarmed",
    )  # fmt: skip


def _owed(look: Looked) -> Html:
    report = None if look.watched is None else look.watched.owed
    if report is None:
        return hint(say("roads.none"))
    compared = _compared(report)
    if not look.exports:
        return compared
    paper = post_form(
        f"/tables/{look.name}/clips",
        hidden(look, "paper", kind="pdf", last=str(report["last"])),
        tag("button", say("clip.pdf", number=report["round"])),
        data_whole=True,
        id="clip-pdf", class_="act",
    )  # fmt: skip
    return join(compared, paper)


@once(64, lambda report: (id(report["wagers"]), report["wagers"]))
def _compared(report: Mapping[str, Any]) -> Html:
    wrong = [wager for wager in report["wagers"] if wager["owed_cents"] != wager["paid_cents"]]
    said = say("owed.of", number=report["round"], result=report["result"])
    if not report["wagers"]:
        return tag("p", said, " ", say("owed.nothing"))
    verdict = say("owed.wrong", many=len(wrong)) if wrong else say("owed.right")
    shown = tag("p", said, " ", tag("b", verdict, class_="wrong" if wrong else "fine"))
    names = ("seat", "wager", "stake", "owed.paid", "owed.due", "vigorish", "owed.compare", "why")
    heads = [say(name) for name in names]
    differs = (
        pieces.table_of(say("owed.differences"), heads, map(_compared_row, wrong))
        if wrong
        else None
    )
    every = pieces.table_of(say("owed.side"), heads, map(_compared_row, report["wagers"]))
    all_ = say("owed.all", many=len(report["wagers"]))
    return join(shown, differs, details(all_, every, id="paid-all"))


def _compared_row(row: Mapping[str, Any]) -> tuple[Html | str | int, ...]:
    difference = row["paid_cents"] - row["owed_cents"]
    same = say("owed.differs", cents=dollars(difference)) if difference else say("owed.same")
    return (
        row["seat"],
        row["title"],
        dollars(row["stake_cents"]),
        dollars(row["paid_cents"]),
        dollars(row["owed_cents"]),
        dollars(row["vigorish_cents"]),
        tag("b", same, class_="wrong") if difference else same,
        row["why"],
    )


def _clips(look: Looked) -> Html:
    if not look.exports:
        return hint(say("clip.none"))
    at = look.at or look.last
    report = None if look.watched is None else look.watched.owed
    steps = [] if report is None else report["steps"]
    first, last = (steps[0]["entry"], steps[-1]["entry"]) if steps else (max(1, at - 11), at)
    place: dict[str, str | int | None]
    place = {"method": "post", "action": f"/tables/{look.name}/clips", "data_whole": True}
    fields = (
        labeled(
            say(f"clip.{name}"),
            tag("input", type="text", inputmode="numeric", name=name, value=value, size="6",
                id=f"clip-{name}", autocomplete="off", required=True),
            of=f"clip-{name}",
        )
        for name, value in (("first", first), ("last", last))
    )  # fmt: skip
    excerpt = tag(
        "form", hidden(look, "clip", kind="log"), *fields, tag("button", say("clip.log")),
        id="clip-log", class_="act", **place,
    )  # fmt: skip
    return join(hint(say("clip.words")), excerpt)


def _flag(look: Looked) -> Html | None:
    if not look.notes:
        return None
    at = look.at or look.last
    return post_form(
        place_of(look),
        hidden(look, f"flag-{at}", command="WriteNote"),
        hidden_inputs({"json.of": at}),
        labeled(
            join(say("flag.words", seq=at), tag("kbd", "f", aria_hidden="true")),
            tag("input", type="text", name="text.text", id="flag", required=True, maxlength="500",
                autocomplete="off"),
            of="flag", class_="field grows",
        ),
        tag("button", say("flag.do")),
        id="flag-entry", class_="act",
        data_command="WriteNote",
    )  # fmt: skip


def _entries(look: Looked) -> Html:
    sought = None if look.watched is None else look.watched.sought
    heads = [say(name) for name in ("entry", "when", "by", "what")]
    if sought is None:
        rows = [_entry(look, entry) for entry in reversed(look.recent)]
        return pieces.table_of(say("entries"), heads, rows)
    rows = [_entry(look, entry) for entry in sought["entries"]]
    asked = {name: one for name, one in sought.items() if name not in {"entries", "read"} and one}
    said = say("search.found", many=len(rows), words=", ".join(asked.values()), read=sought["read"])
    query = urlencode({**asked, "until": sought["read"] - 1})
    further = (
        tag("a", say("search.further"), href=f"/tables/{look.name}?{query}#entries")
        if sought["read"] > 1
        else None
    )
    return join(
        tag("p", said),
        pieces.table_of(say("entries"), heads, rows) if rows else None,
        tag("p", further, " ", tag("a", say("search.end"), href=f"/tables/{look.name}")),
    )


@once(1024, lambda look, entry: ((look.name, id(entry)), entry))
def _entry(look: Looked, entry: EntrySeen) -> list[Html | str]:
    lines = [
        tag("div", said, class_=f"line {line['kind']}-line", title=said)
        for line in lines_of(entry)
        for said in (" ".join([line["text"], *line["details"]]),)
    ]
    when, by = (entry["at"] or "")[11:19], entry["by"] or ()
    return [
        tag("a", entry["seq"], href=_place(look, entry["seq"])),
        when,
        tag("span", *_people(by), title=people_in_words(by)),
        join(*lines),
    ]


def _people(by: Iterable[ActorSeen]) -> Iterator[Html | str]:
    for order, actor in enumerate(by):
        yield from (", " if order else "", person_words(actor["person"]))
        yield tag("span", f" ({office_words(actor['office'])})", class_="office")


def _odds(look: Looked) -> Html:
    at = look.at or look.last
    if look.odds is None:
        place = f"/tables/{look.name}?odds=1" if look.at is None else _place(look, at, "&odds=1")
        words = say("odds.follow") if look.at is None else say("odds.show")
        return tag("p", tag("a", words, href=f"{place}#odds"))
    end = tag("p", tag("a", say("odds.end"), href=f"/tables/{look.name}" if look.at is None
              else _place(look, at)))  # fmt: skip
    if "none" in look.odds:
        return join(tag("p", say("odds.none", why=look.odds["none"])), end)
    titles = {wager["wager"]: wager["title"] for wager in look.seen["wagers"]}
    rows = [
        [titles.get(wager["id"], wager["id"]), f"{wager['expectation_percent']:+.4f}%"]
        for wager in look.odds["wagers"]
    ]
    odds_table = pieces.table_of(say("odds"), [say("odds.wager"), say("odds.value")], rows)
    return join(odds_table, hint(say("face.down.why")), end)


def _refusals(look: Looked) -> Html:
    if not look.refusals:
        return hint(say("refusals.none"))
    rows = [
        [f"{datetime.fromtimestamp(at / 1000, UTC):%H:%M:%S}", by, command, code]
        for at, by, command, code in map(itemgetter("at", "by", "command", "code"), look.refusals)
    ]
    return pieces.table_of(say("refusals"), map(say, ("when", "by", "what", "code")), rows)


def watch_parts(look: Looked) -> list[Html]:
    # Acts of surveillance itself: notes, pauses, consents.
    waits = [] if look.at else [part("consents", say("consents"), consents([look]))]
    acts = [] if look.at else [irregular_drawer(look), drawer("acts", "o", acts_part(look))]
    return screen(
        [
            part("seats", say("seats"), pieces.grid(look)),
            part("cards", say("hands"), pieces.hands(look)),
            part("back", say("look.back"), _slider(look)),
        ],
        [
            part("paid", say("owed.side"), _owed(look)),
            part("alarm", say("alarm"), alarm_words(look)),
            part("entries", say("entries"), _entries(look)),
            *waits,
        ],
        *acts,
        drawer("search", "/", part("seek", say("search"), _search(look))),
        drawer("odds", "e", part("odds", say("odds"), _odds(look))),
        drawer("flag", "m", part("flags", say("flag.do"), _flag(look)),
               part("clips", say("clips"), _clips(look))),
        drawer("refusals", "x", part("refusals", say("refusals"), _refusals(look))),
        roads_drawer(look),
        drawer("table", "i", part("facts", say("facts"), pieces.turn(look), pieces.facts(look)),
               *days_part(look)),
    )  # fmt: skip


# --- gaming days ---


def days_part(look: Looked) -> list[Html]:
    if not look.days:
        return []
    place = f"/tables/{look.name}?day="
    rows = [
        (
            tag("a", say("day.number", day=day.number), href=f"{place}{day.number}"),
            _entries_of(day),
            say("day.ended" if day.ended else "day.open"),
        )
        for day in reversed(look.days)
    ]
    days = pieces.table_of(say("days"), map(say, ("gaming.day", "entries", "phase")), rows)
    return [part("days", say("days"), days, _end(look))]


def _entries_of(day: DaySeen) -> str:
    return say("day.entries" if day.first <= day.last else "none", first=day.first, last=day.last)


def _end(look: Looked) -> Html | None:
    if look.day_goes_on is None or look.at is not None:
        return None
    if look.day_goes_on:
        return hint(say("day.not.yet", why=look.day_goes_on))
    amends = look.session.office == Role.LICENSEE
    title = say("day.amend" if amends else "day.end")
    form = post_form(
        f"/tables/{look.name}/days",
        hidden(look, f"day-{len(look.days)}"),
        hint(say("day.amend.words" if amends else "day.end.words")),
        *(_amended() if amends else ()),
        tag("button", title),
        id="end-day", class_="act",
    )  # fmt: skip
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
        else join(tag("b", say("day.number", day=day.number)), ": ", _entries_of(day))
    )
    newest = tag("a", say("day.all"), href=f"/tables/{look.name}")
    return [part("back", say("look.back"), tag("p", said), tag("p", newest))]
