"""Sections shared by pages."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import zip_longest
from typing import Any, Final, Literal

from croupier.acts.command import TERMS
from croupier.acts.roles import OTHER_SIDE, POSTED, Role
from croupier.records.view.documents import EntrySeen, LineSeen, SeatSeen, WagerSeen
from croupier.reports.figures import rank_and_suit
from croupier.reports.roads import ROADS, draw_mark, draw_road
from croupier.reports.screen import (
    CLOSED,
    MISREAD,
    ShownHand,
    lines_of,
    named_patron,
    odds_of,
    place_of_card,
    staked,
)
from croupier.reports.tags import Html, details, hidden_inputs, hint, join, tag
from croupier.reports.words import dollars, say, typed
from croupier.server.pages.looked import Looked
from croupier.server.pages.once import once

_PAUSE: Final = TERMS["PauseTable"].does
_FONT: Final = "system-ui, sans-serif"

Cell = Html | str | int | None


def part(name: str, title: str, *body: Cell, **more: str) -> Html:
    heading = _heading(name, title)
    return tag(
        "section", heading, *body, id=name, aria_labelledby=f"{name}-title", data_part=name, **more
    )


@lru_cache(256)
def _heading(name: str, title: str) -> Html:
    focus = "-1" if name in {"next", "entries"} else None
    return tag("h2", title, id=f"{name}-title", tabindex=focus)


def table_of(
    caption: str, heads: Iterable[Cell], rows: Iterable[Sequence[Any]], *labels: str
) -> Html:
    """Scrollable table; a row's first cell is its header, the others may have labels."""
    lines = [
        _row(tuple(row), tuple(isinstance(cell, Html) for cell in row), labels) for row in rows
    ]
    head = tag("thead", tag("tr", *(tag("th", one, scope="col") for one in heads)))
    made = tag("table", tag("caption", caption), head, tag("tbody", *lines))
    return tag("div", made, class_="scroll", role="group", aria_label=caption, tabindex="0")


@lru_cache(4096)
def _row(cells: tuple[Cell, ...], are_html: tuple[bool, ...], labels: tuple[str, ...]) -> Html:
    """Return a row; the flags keep text and equal markup apart in the cache."""
    del are_html
    labeled = zip_longest(cells[1:], labels[1:])
    values = (tag("td", cell, data_label=label) for cell, label in labeled)
    return tag("tr", tag("th", cells[0], scope="row"), *values)


def facts_list(said: Mapping[str, Cell]) -> Html:
    rows = (_fact(name, one, isinstance(one, Html)) for name, one in said.items())
    return tag("dl", *rows, class_="facts")


@lru_cache(1024)
def _fact(name: str, said: Cell, is_html: bool) -> Html:  # noqa: FBT001  (what it is kept by)
    del is_html
    return tag("div", tag("dt", name), tag("dd", said))


def keys_said(office: str, keys: str) -> str:
    """Keys of a page in words, with those for consents and a pause if the office may give them."""
    answer, pause = office in POSTED and "keys.answer", office in _PAUSE and "keys.pause"
    return " ".join(say(one) for one in (keys, answer, pause) if one)


# --- cards and hands -----------------------------------------------------------------------------


def card(one: str, place: Mapping[str, Any] | None = None) -> Html:
    """Card with a suit symbol and hidden text; with its place, a link to correct it."""
    if one == CLOSED:
        return tag("span", "?", class_="card back", role="img", aria_label=say("face.down"))
    rank, suit = rank_and_suit(one)
    name, kind = f"{rank} {say(f'suit.{suit}')}", "span" if place is None else "a"
    fix = say("card.misread", card=name)
    own = {"role": "img", "aria_label": name} if place is None else {
        "href": f"#ask-{MISREAD}-0", "data_place": json.dumps(place), "title": fix,
        "aria_label": fix,
    }  # fmt: skip
    return tag(kind, rank, tag("span", suit), class_="card red" if suit in "♦♥" else "card", **own)


def hands(look: Looked, *, corrects: bool = False) -> Html:
    waits = [tag("li", one) for one in look.screen.waiting]
    rows = (_hand(hand, corrects) for hand in look.screen.hands)
    return join(tag("div", *rows, class_="hands"), tag("ul", *waits) if waits else None)


def turn(look: Looked) -> Html:
    """Form that shows the table from its other side."""
    fields = hidden_inputs(look.asked)
    button = tag("button", say("turn"), name="side", value=OTHER_SIDE[look.screen.side])
    return tag("form", fields, button, action=f"/tables/{look.name}", class_="turn")


MOST_CARDS: Final = 3
"""Cards of a hand; those to come keep their places."""


def down(look: Looked) -> Html | None:
    """Sign of a shuffling device that failed, until one works."""
    if not look.seen["device_down"]:
        return None
    return tag("p", say("device.down"), class_="wrong down")


def slots(cards: Sequence[str]) -> Html:
    """Places of cards that are not dealt."""
    return Html(tag("span", class_="slot") * (MOST_CARDS - len(cards)))


def _hand(shown: ShownHand, corrects: bool) -> Html:  # noqa: FBT001
    hand, mark = shown
    name = hand["hand"]
    count = None if hand["count"] is None else tag("strong", hand["count"], class_="total")
    dealt = (
        card(one, place_of_card(one, name, at) if corrects else None)
        for at, one in enumerate(hand["cards"], start=1)
    )
    cards = join(*dealt, slots(hand["cards"]))
    won = tag("span", mark, class_="won tied" if shown.is_tied else "won") if mark else None
    title = tag("h3", say(f"hand.{name}"), won, count)
    return tag("div", title, tag("p", cards), class_=f"hand {name}{' winner' if mark else ''}")


# --- the stakes ----------------------------------------------------------------------------------


@once(64, lambda look: ((id(look.seen), look.screen.settled, look.screen.side), look))
def grid(look: Looked) -> Html:
    """Stakes by seat and wager, with what is owed and, before settlement, its order."""
    seen, seats = look.seen, look.screen.seats
    marks = {
        (one.seat, one.wager): (order, one.paid_cents)
        for order, one in enumerate(look.screen.settled, start=1)
    }
    stakes = {(stake["seat"], stake["wager"]): staked(stake) for stake in seen["stakes"]}
    heads = [tag("th", say("wager"), scope="col"), *map(_seat_head, seats)]
    rows = [
        tag(
            "tr",
            tag("th", wager["title"], tag("small", pays_most(wager)), scope="row"),
            *(_stake((seat["seat"], wager["wager"]), stakes, marks) for seat in seats),
            class_=wager["wager"],
        )
        for wager in seen["wagers"]
    ]
    taken = [seat for seat in seats if seat["taken"]]
    foot = [
        tag(
            "tr",
            tag("th", say(name), scope="row"),
            *(tag("td", amount(dollars(seat[key]))) for seat in seats),
        )
        for name, key in _SEAT_MONEY.items()
        if (look.owes or name != "owed") and any(seat[key] is not None for seat in taken)
    ]
    made = tag(
        "table",
        tag("caption", say("seats")),
        tag("thead", tag("tr", *heads)),
        tag("tbody", *rows),
        tag("tfoot", *foot) if foot else None,
    )
    hidden = any(cents is None for cents in stakes.values())
    why = why_hidden(look, Html(say("hidden"))) if hidden else None
    counted = all(seat["chips_cents"] is not None for seat in taken)
    unseen = None if counted else hint(say("hidden.chips"))
    return join(
        tag("div", made, class_="scroll grid", role="group", aria_label=say("seats"), tabindex="0"),
        why,
        unseen,
    )


_SEAT_MONEY: Final[Mapping[str, Literal["owed_cents", "chips_cents"]]] = {
    "owed": "owed_cents",
    "chips": "chips_cents",
}


def _seat_head(seat: SeatSeen) -> Html:
    name = named_patron(seat)
    away = tag("small", say("away")) if seat["away"] else None
    who = tag("small", name, title=name) if name else None
    return tag(
        "th", seat["seat"], who, away, scope="col", class_="taken" if seat["taken"] else None
    )


def _stake(
    place: tuple[int, str],
    stakes: Mapping[tuple[int, str], int | None],
    marks: Mapping[tuple[int, str], tuple[int, int | None]],
) -> Html:
    if place not in stakes:
        return tag("td")
    said = amount(dollars(stakes[place]) or say("hidden"))
    mark = marks.get(place)
    if mark is None:
        return tag("td", tag("b", said), class_="stake")
    order, paid = mark
    number = tag("i", order)
    if paid is None:
        return tag("td", number, tag("s", said), class_="stake takes")
    won = tag("b", amount(f"+{dollars(paid)}"))
    return tag("td", number, tag("small", said), won, class_="stake pays")


@lru_cache(1024)
def amount(said: str) -> Html:
    """Amount on one line, marked where it is too long for a narrow column."""
    found = _AMOUNT.fullmatch(said)
    if found is None:
        return join(said)
    more, sign, number = found.groups()
    wide = len(more + sign[1:] + number)
    size = next((name for name, most in _WIDTHS.items() if wide <= len(most)), "longest")
    sign = tag("span", sign, class_="sign letters" if len(sign) > 1 else "sign")
    return tag("span", more, sign, number, class_=f"amount {size}")


_WIDTHS: Final = {"short": "+500", "long": "+1,234", "longer": "1,234,567"}
"""The longest amount of each width that has a type of its own."""
_AMOUNT: Final = re.compile(r"([+−]?)(\D*)(\d.*)")


# --- roads and results ---------------------------------------------------------------------------


# The road objects are reused until a round ends.
@once(64, lambda look: (id(look.roads), look.roads))
def roads(look: Looked) -> Html:
    drawn = (road(look, which) for which in ROADS)
    return join(tag("div", *drawn, class_="roads"), next_marks(look))


@once(64, lambda look: (id(look.roads), look.roads))
def road_twins(look: Looked) -> Html:
    rows = [
        (
            "" if one["round"] is None else one["round"],
            say(f"hand.{one['winner']}"),
            ", ".join(say(mark) for mark in ("natural", "player_pair", "banker_pair") if one[mark]),
        )
        for one in look.roads["bead_plate"]
    ]
    twin = table_of(say("roads.twin"), map(say, ("round", "winner", "marks")), reversed(rows))
    marks = (tag("li", say(f"marks.{name}")) for name in ("letters", "corners", "ties", "derived"))
    return join(
        details(say("marks.what"), tag("ul", *marks), id="roads-marks"),
        details(say("roads.twin"), twin, id="roads-twin"),
    )


def road(look: Looked, which: str) -> Html:
    drawn = Html(draw_road(f"road-{which}", which, look.roads, font=_FONT))
    return tag(
        "figure",
        tag("figcaption", say(which)),
        tag("div", drawn, class_="newest", tabindex="0", role="group", aria_label=say(which)),
        class_=which.replace("_", "-"),
    )


def next_marks(look: Looked) -> Html:
    """Return the marks that the derived roads get after either win."""
    asked = [*next(iter(look.asks.values()), {})]
    rows = (
        tag(
            "p",
            tag("span", say("ask.if"), " ", tag("b", say(f"hand.{hand}"))),
            *(
                tag("span", say("ask.nothing"), class_="unseen")
                if (mark := marks[hand]) is None
                else Html(draw_mark(f"next-{hand}-{which}", which, mark))
                for which, marks in look.asks.items()
            ),
            class_=hand,
        )
        for hand in asked
    )
    return tag("div", *rows, class_="asks")


def result_words(look: Looked) -> str:
    beads = look.roads["bead_plate"]
    return say(f"hand.{beads[-1]['winner']}") if beads else ""


# --- what happened, and facts --------------------------------------------------------------------


def recent_narration(look: Looked) -> Html:
    lines = [line for entry in reversed(look.recent) for line in _entry_lines(entry)]
    if not lines:
        return tag("p", say("told.none"))
    return join(tag("ol", *lines, class_="told"), why_hidden(look, *lines))


@once(1024, lambda entry: (id(entry), entry))
def _entry_lines(entry: EntrySeen) -> tuple[Html, ...]:
    return tuple(
        tag(
            "li",
            tag("span", line["text"], class_=f"line {line['kind']}-line"),
            tag("ul", *(tag("li", one) for one in line["details"])) if line["details"] else None,
            data_seq=entry["seq"],
        )
        for line in lines_of(entry)
    )


def why_hidden(look: Looked, *shown: Html) -> Html | None:
    if not any(say("hidden") in one for one in shown):
        return None
    is_guest = Role(look.session.office).is_guest
    return hint(say("hidden.others" if is_guest else "hidden.stakes"))


def calls_of(look: Looked) -> str:
    """Last entry's calls, for the polite live region."""
    lines = (line for entry in look.recent[-1:] for line in lines_of(entry))
    return " · ".join(map(_call, lines))


def _call(line: LineSeen) -> str:
    told = "; ".join(one for one in line["details"] if say("hidden") not in one)
    return f"{line['text']} {told}" if told else line["text"].removesuffix(":")


@once(64, lambda look: (repr(look.seen["wagers"]), None))
def limits(look: Looked) -> Html:
    rows = [
        (
            wager["title"],
            dollars(wager["min_cents"]),
            dollars(wager["max_cents"]),
            ", ".join(odds_of(wager)),
        )
        for wager in look.seen["wagers"]
    ]
    return table_of(say("limits"), [say(name) for name in ("wager", "least", "most", "pays")], rows)


def pays_most(wager: WagerSeen) -> str:
    """Return a wager's odds, or the highest of several."""
    odds = odds_of(wager)
    return "".join(odds) if len(odds) < _SEVERAL else say("pays.to", most=max(odds, key=_ratio))


_SEVERAL: Final = 2


def _ratio(odds: str) -> Fraction:
    won, _, staked = odds.partition(":")
    if won.isdigit() and staked.isdigit():
        return Fraction(int(won), int(staked))
    return Fraction(typed(odds.partition(" ")[0]) or 0)


def meters(look: Looked) -> Html | None:
    shown = look.seen["meters"]
    if not shown:
        return None
    return facts_list({name: dollars(cents) for name, cents in shown.items()})


def facts(look: Looked) -> Html:
    said = {
        name: fact if isinstance(fact, str) else join(*(tag("p", each) for each in fact))
        for name, fact in look.screen.facts.items()
    }
    return facts_list(said)
