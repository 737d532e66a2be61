"""The page of the dealer and the floorperson."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from croupier.acts.command import TERMS
from croupier.acts.roles import POSTED, Role
from croupier.reports.words import DRAW, GROUPS, awaited_words, dollars, say
from croupier.server.pages.consents import consents
from croupier.server.pages.forms import (
    COLLECT,
    act_form,
    card_pad,
    drawn_for,
    hidden,
    place_of,
    together,
)
from croupier.server.pages.html import Html, join, tag
from croupier.server.pages.once import Once
from croupier.server.pages.pieces import (
    MISREAD,
    facts,
    grid,
    hands,
    limits,
    lines_of,
    open_cards,
    part,
    prompt_clauses,
    road_twins,
    roads,
    told,
)

if TYPE_CHECKING:
    from croupier.records.view.documents import ActSeen, ChoiceSeen
    from croupier.server.pages.looked import Looked

_OTHERS: Final = Once[tuple[object, Html]](128)
"""Cached values keep their source documents alive, so that no ``id`` is reused."""


def is_pad(act: ActSeen) -> bool:
    """Return whether an act draws a card."""
    return act["command"] == DRAW


def _own(look: Looked) -> list[ActSeen]:
    """Return the viewer's acts that play or others wait for, unless they await a consent."""
    asked = {one["command"] for one in look.consents}
    return [
        one
        for one in look.acts
        if one["gives"] and (one["must"] or (one["awaited"] and one["command"] not in asked))
    ]


def due_acts(look: Looked) -> list[ActSeen]:
    """Return the acts that are next.

    The dealer goes on with the round, once a patron has chips for it; for every other office, what
    others wait for comes first.
    """
    own = _own(look)
    if opens := [one for one in own if one["awaited"] and one["command"] in _OPENS]:
        return opens[:1]
    round_ = [one for one in own if one["must"]] if look.session.office == Role.DEALER else []
    return round_ or sorted(own, key=lambda one: not one["awaited"])


_OPENS: Final = {"BuyChips", "SeatPatron"}
"""Acts without which nobody can wager."""


def _awaited(look: Looked) -> list[ActSeen]:
    """Return what others wait for while the dealer goes on with the round."""
    due = due_acts(look)
    return [one for one in _own(look) if one not in due]


def waiting(look: Looked) -> int:
    """Return how many acts wait for the viewer: consents to give, and awaited acts."""
    asked = sum(not one["mine"] for one in look.consents)
    return asked + sum(one["awaited"] for one in _own(look))


def prompt_words(look: Looked) -> str:
    """Return the required act in words."""
    due = due_acts(look)
    if owed := _owed(due):
        return say("collect.due", many=len(owed))
    if due:
        now = (one["words"] for one in due if one["awaited"] is due[0]["awaited"])
        return "; ".join(dict.fromkeys(now))
    if not all(one["mine"] for one in look.consents):
        return say("next.consent")
    waits = [one for one in look.acts if one["must"] or one["awaited"]]
    if waits and not waits[0]["gives"]:
        return awaited_words(waits)
    if not look.on_duty and look.session.office in _ASSIGNED:
        return say("next.off.duty")
    if look.seen["paused"]:
        return say("next.paused")
    return say("next.none")


_ASSIGNED: Final = {*POSTED, Role.PATRON} - {Role.LICENSEE}
"""Offices that act at a table once they are assigned to it; the licensee acts for the pit."""


def _next(look: Looked) -> Html:
    due = due_acts(look)
    prompt = look.seen["prompt"]
    placed = prompt["words"] if prompt is not None and any(map(is_pad, due)) else None
    cited = [one["clauses"] for one in due[:1]] + ([prompt["clauses"]] if prompt else [])
    owed = _owed(due)
    forms = [
        card_pad(look, one) if is_pad(one) else act_form(look, one, primary=at == 0 and not owed)
        for at, one in enumerate(due)
    ]
    spoken = [
        line["text"]
        for entry in ([look.due] if look.due else look.recent[-1:])
        for line in entry["narration"]
        if line["kind"] == "spoken"
    ]
    deals = look.session.office == Role.DEALER
    saying = say("say") if look.due else say("say.now")
    return join(
        prompt_clauses(look, *cited) if due else None,
        tag("p", prompt_words(look), class_="prompt"),
        _collect_all(look, owed) if owed else None,
        tag("details", tag("summary", say("collect.one")), *forms, id="collect-one")
        if owed
        else tag("div", *forms, class_="due"),
        tag("p", tag("b", saying), " ", " ".join(spoken), class_="spoken")
        if spoken and deals
        else None,
        tag("p", placed, class_="hint") if placed else None,
        None if owed else _money(look),
    )


def _owed(due: Iterable[ActSeen]) -> dict[int, int]:
    """Return the vigorish of each seat that pays all of it, if there are several."""
    found = {
        act["seat"]: field["default"]
        for act in due
        for field in act["fields"]
        if act["command"] == COLLECT
        and field["name"] == "cents"
        and act["seat"]
        and field["default"]
    }
    return found if len(found) > 1 else {}


def _collect_all(look: Looked, owed: Mapping[int, int]) -> Html:
    seats = (tag("input", type="hidden", name="seats.seat", value=one) for one in owed)
    lines = (say("collect.seat", seat=one, amount=dollars(owed[one])) for one in owed)
    total = say("collect.all", amount=dollars(sum(owed.values())))
    return tag(
        "form",
        hidden(look, "collect-all", command=COLLECT),
        *seats,
        tag("button", total, class_="primary"),
        tag("p", "; ".join(lines), class_="hint"),
        method="post", action=place_of(look), id="act-collect-all", class_="act must",
        data_command=COLLECT,
    )  # fmt: skip


def _money(look: Looked) -> Html | None:
    lines = [one for one in (lines_of(look.due) if look.due else ()) if one["kind"] == "money"]
    if not lines or any(say("hidden") in told for one in lines for told in one["details"]):
        return None
    steps = (
        tag("li", tag("b", one["text"]), tag("ol", *(tag("li", told) for told in one["details"])))
        for one in lines
    )
    return tag(
        "div",
        tag("h3", say("pay")),
        tag("ol", *steps, class_="steps"),
        class_="pay",
        tabindex="0",
        role="group",
        aria_label=say("pay"),
    )


def irregular(look: Looked) -> Html | None:
    """Return questions that open acts about irregularities."""
    found = [one for one in look.acts if one["gives"] and TERMS[one["command"]].asks]
    if not found:
        return None
    cards = open_cards(look.seen)
    place = ("irregular", *drawn_for(look), *map(id, found), repr(cards))
    return _OTHERS.of(place, lambda: (found, _questions(look, [*_placed(found, cards)])))[1]


def _placed(found: Iterable[ActSeen], cards: list[ChoiceSeen]) -> Iterator[ActSeen]:
    """Ask which of the open cards was misread, in place of its hand and place in it."""
    for one in found:
        if one["command"] != MISREAD:
            yield one
        elif cards:
            asked = (field for field in one["fields"] if field["name"] not in {"hand", "ordinal"})
            yield {**one, "fields": [
                {**field, "kind": "choice", "choices": cards, "default": cards[-1]["value"]}
                if field["name"] == "recorded" else field for field in asked
            ]}  # fmt: skip


def _questions(look: Looked, found: Sequence[ActSeen]) -> Html:
    asked = (
        tag(
            "details",
            tag("summary", TERMS[one["command"]].asks),
            act_form(look, one),
            id=f"ask-{one['command']}-{one['seat'] or 0}",
        )
        for one in together(found)
    )
    return join(tag("p", say("irregular.words")), *asked)


def _corrects(look: Looked) -> bool:
    return any(one["command"] == MISREAD and one["gives"] for one in look.acts)


_GROUPED_FROM: Final = 7


def _others(look: Looked) -> Html:
    listed = _own(look)
    found = together(
        one
        for one in look.acts
        if one["gives"] and one not in listed and not TERMS[one["command"]].asks
    )
    if not found:
        return tag("p", say("acts.none"), class_="hint")
    place = (*drawn_for(look), *map(id, found))
    return _OTHERS.of(place, lambda: (found, _grouped(look, found)))[1]


def _grouped(look: Looked, found: Sequence[ActSeen]) -> Html:
    if len(found) < _GROUPED_FROM:
        return join(*(_opens(look, one) for one in found))
    groups: dict[str, list[Html]] = {name: [] for name in (*GROUPS, "other")}
    for one in found:
        groups[TERMS[one["command"]].group or "other"].append(_opens(look, one))
    return join(
        *(join(tag("h3", say(f"about.{name}")), *forms) for name, forms in groups.items() if forms)
    )


def _opens(look: Looked, act: ActSeen) -> Html:
    return tag(
        "details",
        tag("summary", act["words"]),
        act_form(look, act),
        id=f"other-{act['command']}-{act['seat'] or 0}",
    )


def next_part(look: Looked) -> Html:
    """Return the next act's section."""
    return part("next", say("next"), _next(look))


def columns(beside: Iterable[Html], below: Iterable[Html]) -> list[Html]:
    """Return a two-column layout."""
    return [tag("div", *beside, id="beside"), tag("div", *below, id="wide")]


def acts_part(look: Looked) -> Html:
    """Return the section of other available acts."""
    return part("acts", say("acts"), _others(look))


def drawer(name: str, key: str, *sections: Html) -> Html:
    """Return sections that open over the table, without moving it."""
    summary = tag("summary", say(f"drawer.{name}"), tag("kbd", key, aria_hidden="true"))
    sheet = tag("div", *sections, class_="sheet", tabindex="0", role="group",
                aria_label=say(f"drawer.{name}"))  # fmt: skip
    return tag("details", summary, sheet, id=f"drawer-{name}", name="drawer", class_="drawer",
               data_key=key)  # fmt: skip


def irregular_drawer(look: Looked) -> Html:
    """Return the drawer of questions about irregularities."""
    asked = irregular(look) or tag("p", say("acts.none"), class_="hint")
    return drawer("irregular", "!", part("irregular", say("irregular"), asked))


def screen(table: Iterable[Html], beside: Iterable[Html], *drawers: Html) -> list[Html]:
    """Return one screen: the table, what is next to it, and drawers over it."""
    held = tag("div", *drawers, class_="drawers")
    return [tag("div", *table, id="desk"), tag("div", *beside, held, id="beside")]


def desk_parts(look: Looked, *more: Html, drawers: Iterable[Html] = ()) -> list[Html]:
    """Return the screen for running a table; ``more`` follow the next act."""
    return screen(
        [
            part("seats", say("seats"), grid(look)),
            part("cards", say("hands"), hands(look, corrects=_corrects(look))),
        ],
        [
            next_part(look),
            part(
                "consents",
                say("consents"),
                consents([look]),
                *(_opens(look, one) for one in _awaited(look)),
            ),
            *more,
        ],
        irregular_drawer(look),
        drawer("acts", "o", acts_part(look)),
        drawer("roads", "r", part("roads", say("roads"), roads(look), road_twins(look))),
        drawer("told", "w", part("told", say("told"), told(look))),
        drawer(
            "table",
            "i",
            part("facts", say("facts"), facts(look)),
            part("limits", say("limits"), limits(look)),
        ),
        *drawers,
    )
