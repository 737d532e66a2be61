"""The page of the dealer and the floorperson."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import groupby
from typing import Final

from croupier.acts.command import TERMS
from croupier.records.view.documents import ActSeen, LineSeen
from croupier.reports.screen import COLLECT, MISREAD, Pending, group_of
from croupier.reports.tags import Html, details, hidden_inputs, hint, join, post_form, tag
from croupier.reports.words import DRAW, dollars, say
from croupier.server.pages import pieces
from croupier.server.pages.forms import (
    act_form,
    card_pad,
    clauses_of,
    consent_buttons,
    drawn_for,
    hidden,
    place_of,
    together,
)
from croupier.server.pages.looked import Looked
from croupier.server.pages.once import once
from croupier.server.pages.pieces import part


def is_pad(act: ActSeen) -> bool:
    return act["command"] == DRAW


def next_part(look: Looked) -> Html:
    shown = look.screen
    owed = shown.owed
    forms = [
        card_pad(look, one) if is_pad(one) else act_form(look, one, primary=at == 0 and not owed)
        for at, one in enumerate(shown.due if owed else together(shown.due))
    ]
    return part(
        "next",
        say("next"),
        clauses_of(look, shown.clauses),
        pieces.down(look),
        tag("p", shown.prompt, class_="prompt"),
        _collect_all(look, owed) if owed else None,
        details(say("collect.one"), *forms, id="collect-one")
        if owed
        else tag("div", *forms, class_="due"),
        tag("p", tag("b", shown.says[0]), " ", shown.says[1], class_="spoken")
        if shown.says
        else None,
        hint(shown.placed) if shown.placed else None,
        _money(shown.amounts) if shown.amounts else None,
    )


def _collect_all(look: Looked, owed: Mapping[int, int]) -> Html:
    seats = (hidden_inputs({"seats.seat": payment}) for payment in owed)
    lines = (say("collect.seat", seat=payment, amount=dollars(owed[payment])) for payment in owed)
    return post_form(
        place_of(look),
        hidden(look, "collect-all", command=COLLECT),
        *seats,
        tag("button", look.screen.press, class_="primary"),
        hint("; ".join(lines)),
        id="act-collect-all", class_="act must",
        data_command=COLLECT,
    )  # fmt: skip


_MOST_OPEN: Final = 6
"""Seats with amounts that are listed at once; the layout marks the order of all."""


def _money(lines: Sequence[LineSeen]) -> Html:
    steps = (
        tag("li", tag("b", one["text"]), tag("ol", *(tag("li", text) for text in one["details"])))
        for one in lines
    )
    is_short = sum(len(one["details"]) for one in lines) <= _MOST_OPEN
    return details(
        say("pay"), tag("ol", *steps, class_="steps"), id="pay", class_="pay", open=is_short
    )


@once(128, lambda look, found: ((*drawn_for(look), repr(found)), None))
def _questions(look: Looked, found: Sequence[ActSeen]) -> Html:
    asked = (
        details(
            TERMS[act["command"]].asks,
            act_form(look, act),
            id=f"ask-{act['command']}-{act['seat'] or 0}",
        )
        for act in together(found)
    )
    return join(tag("p", say("irregular.words")), *asked)


_GROUPED_FROM: Final = 7


@once(128, lambda look, found: ((*drawn_for(look), *map(id, found)), found))
def _grouped(look: Looked, found: Sequence[ActSeen]) -> Html:
    if len(found) < _GROUPED_FROM:
        return join(*(_opens(look, act) for act in found))
    groups = (
        join(tag("h3", say(f"about.{name}")), *(_opens(look, act) for act in acts))
        for name, acts in groupby(found, group_of)
    )
    return join(*groups)


def _opens(look: Looked, act: ActSeen) -> Html:
    place = f"other-{act['command']}-{act['seat'] or 0}"
    return details(act["words"], act_form(look, act), id=place)


def consents(looks: Iterable[Looked], back: str = "") -> Html:
    forms = [_consent(look, consent, back) for look in looks for consent in look.screen.consents]
    return join(*forms) if forms else hint(say("consents.none"))


def _consent(look: Looked, pending: Pending, back: str) -> Html:
    word = say("consent.noted" if pending.is_ended else "consent.withdraw")
    withdraw = tag("button", word, name="consent", value="no") if pending.is_own else None
    # The time of one that has ended is over.
    said, *more = filter(None, ("" if pending.is_ended else pending.asked, pending.needs))
    return post_form(
        f"/tables/{look.name}/consents/{pending.id}{back}",
        hidden(look, f"c-{pending.id}"),
        tag("h3", pending.words),
        *map(hint, (f"{look.name}: {said}", *more)),
        withdraw if pending.is_own or pending.is_ended else consent_buttons(),
        id=f"consent-{pending.id}",
        class_="act consent",
    )


def acts_part(look: Looked) -> Html:
    found = together(look.screen.others)
    shown = _grouped(look, found) if found else hint(say("acts.none"))
    return part("acts", say("acts"), shown)


def drawer(name: str, key: str, *sections: Html) -> Html:
    """Sections that open over the table, without moving it."""
    title = say(f"drawer.{name}")
    sheet = tag("div", *sections, class_="sheet", tabindex="0", role="group", aria_label=title)
    return details(
        join(title, tag("kbd", key, aria_hidden="true")), sheet, id=f"drawer-{name}",
        name="drawer", class_="drawer", data_key=key,
    )  # fmt: skip


def roads_drawer(look: Looked) -> Html:
    shown = pieces.roads(look), pieces.road_twins(look)
    return drawer("roads", "r", part("roads", say("roads"), *shown))


def irregular_drawer(look: Looked) -> Html:
    found = look.screen.irregular
    asked = _questions(look, found) if found else hint(say("acts.none"))
    return drawer("irregular", "!", part("irregular", say("irregular"), asked))


def screen(table: Iterable[Html], shown: Iterable[Html], *drawers: Html) -> list[Html]:
    """Return one screen: the table, what is next to it, and drawers over it."""
    return [tag("div", *table, id="desk"), beside(shown, drawers)]


def beside(sections: Iterable[Html], drawers: Iterable[Html]) -> Html:
    """Return what is next to a table or to the tables of a pit; with it, a page is one screen."""
    return tag("div", *sections, tag("div", *drawers, class_="drawers"), id="beside")


def desk_parts(look: Looked, *more: Html, drawers: Iterable[Html] = ()) -> list[Html]:
    """Screen for running a table; ``more`` follow the next act."""
    corrects = any(one["command"] == MISREAD for one in look.screen.irregular)
    opened = (_opens(look, one) for one in look.screen.awaited)
    return screen(
        [
            part("seats", say("seats"), pieces.grid(look)),
            part("cards", say("hands"), pieces.hands(look, corrects=corrects)),
        ],
        [
            next_part(look),
            part("consents", say("consents"), consents([look]), *opened),
            *more,
        ],
        irregular_drawer(look),
        drawer("acts", "o", acts_part(look)),
        roads_drawer(look),
        drawer("told", "w", part("told", say("told"), pieces.recent_narration(look))),
        drawer(
            "table",
            "i",
            part("facts", say("facts"), pieces.turn(look), pieces.facts(look)),
            part("limits", say("limits"), pieces.limits(look)),
        ),
        *drawers,
    )
