"""The page of a patron's seat, for phones."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.reports.words import dollars, say
from croupier.server.pages.dealer import is_pad
from croupier.server.pages.forms import act_form, card_pad, hidden, place_of
from croupier.server.pages.html import Html, join, tag
from croupier.server.pages.pieces import (
    grid,
    hands,
    limits,
    lines_of,
    meters,
    part,
    road_twins,
    roads,
    told,
)

if TYPE_CHECKING:
    from croupier.records.view.documents import ActSeen, WagerSeen
    from croupier.server.pages.looked import Looked

_WAGERS = {"PlaceWager", "PlaceWagers", "WithdrawWager"}


def _acts(look: Looked, *, wagers: bool) -> list[ActSeen]:
    return [one for one in look.acts if one["gives"] and (one["command"] in _WAGERS) is wagers]


def seat_prompt(look: Looked) -> str:
    """Return the patron's prompt or available acts."""
    asked = [one["words"] for one in _acts(look, wagers=False) if one["must"]]
    if asked:
        return "; ".join(asked)
    if any(one["command"].startswith("Place") for one in _acts(look, wagers=True)):
        return say("bet")
    if look.seen["paused"]:
        return say("next.paused")
    return say("next.none", phase=look.seen["phase"]["words"])


def _own(look: Looked) -> Html:
    seat = next(one for one in look.seen["seats"] if one["seat"] == look.session.seat)
    if not seat["taken"]:
        return tag("p", say("own.none", seat=seat["seat"]))
    return join(
        tag("p", dollars(seat["chips_cents"] or 0), class_="big"),
        tag("p", f"{say('owed')}: {dollars(seat['owed_cents'] or 0)}"),
        tag("div", tag("h3", say("result.mine")), _mine(look), class_="mine"),
    )


def _mine(look: Looked) -> Html:
    own = f"seat {look.session.seat} "
    for entry in reversed(look.recent):
        if entry["command"]["type"] != "SettleWagers":
            continue
        told = [
            tag("li", line["text"], " ", ", ".join(mine).removeprefix(own))
            for line in lines_of(entry)
            if (mine := [one for one in line["details"] if one.startswith(own)])
        ]
        return tag("ul", *told) if told else tag("p", say("result.none"), class_="hint")
    return tag("p", say("result.wait"), class_="hint")


def _placed(look: Looked, wager: str) -> int:
    return sum(
        (one["chips_cents"] or 0) + (one["coupon_cents"] or 0)
        for one in look.seen["stakes"]
        if (one["seat"], one["wager"]) == (look.session.seat, wager)
    )


def _bets(look: Looked) -> Html:
    acts = {one["command"]: one for one in _acts(look, wagers=True)}
    found = acts.get("PlaceWagers")
    offered = (
        set()
        if found is None
        else {one["value"] for field in found["fields"] for one in field["choices"]}
    )
    # Unavailable controls keep their place, so that nothing moves under a finger.
    rows = [_bet(look, one, open_=one["wager"] in offered) for one in look.seen["wagers"]]
    closed = found is None
    bar = tag(
        "div",
        tag("output", "", id="bet-total", aria_live="off"),
        tag("button", say("bet.add"), class_="primary", disabled=closed),
        class_="bar",
    )
    return tag(
        "form",
        tag("p", say("bet.closed" if closed else "bet.open")),
        hidden(look, "bet", command="PlaceWagers"),
        tag("input", type="hidden", name="json.seat", value=look.session.seat),
        tag("ul", *rows, class_="bets"),
        bar,
        method="post", action=place_of(look), id="bets", class_="act", data_command="PlaceWagers",
    )  # fmt: skip


def _bet(look: Looked, wager: WagerSeen, *, open_: bool) -> Html:
    name, title = wager["wager"], wager["title"]
    placed = _placed(look, name)
    least, most = wager["min_cents"] or 0, wager["max_cents"]
    low = dollars(least)
    said = low if most is None else say("count.range", least=low, most=dollars(most))
    if placed:
        said = say("bet.placed", placed=dollars(placed))
    text = tag(
        "label",
        tag("span", title, class_=f"name {name}"),
        tag("small", said, class_="placed" if placed else None),
        for_=f"bet-{name}",
    )
    step = max(least, wager["unit_cents"])
    return tag(
        "li",
        text,
        tag("button", "−", type="button", data_step=-step, class_="step", data_for=f"bet-{name}",
            aria_label=say("bet.less", title=title), disabled=not open_),
        tag("input", type="text", inputmode="decimal", name=f"stakes.stakes.{name}",
            id=f"bet-{name}", size="5", autocomplete="off", placeholder="$", disabled=not open_),
        tag("button", "+", type="button", data_step=step, class_="step", data_for=f"bet-{name}",
            aria_label=say("bet.more", title=title), disabled=not open_),
    )  # fmt: skip


def _back(look: Looked) -> Html | None:
    act = next((one for one in look.acts if one["command"] == "WithdrawWager"), None)
    if act is None:
        return None
    choices = next(one["choices"] for one in act["fields"] if one["name"] == "wager")
    return join(*(_taken_back(look, one["value"], one["label"]) for one in choices))


def _taken_back(look: Looked, wager: str, title: str) -> Html:
    amount = dollars(_placed(look, wager))
    return tag(
        "form",
        hidden(look, f"back-{wager}", command="WithdrawWager"),
        tag("input", type="hidden", name="json.seat", value=look.session.seat),
        tag("input", type="hidden", name="text.wager", value=wager),
        tag("button", say("bet.back", title=title, amount=amount)),
        method="post", action=place_of(look), class_="act", data_command="WithdrawWager",
        id=f"back-{wager}",
    )  # fmt: skip


def _offers(look: Looked) -> Html | None:
    asked = [one for one in _acts(look, wagers=False) if one["must"]]
    forms = [
        card_pad(look, one) if is_pad(one) else act_form(look, one, primary=one["must"])
        for one in asked
    ]
    return join(*forms) if forms else None


def _others(look: Looked) -> Html:
    found = [one for one in _acts(look, wagers=False) if not one["must"]]
    forms = (
        tag(
            "details",
            tag("summary", one["words"]),
            act_form(look, one),
            id=f"other-{one['command']}",
        )
        for one in found
    )
    return join(*forms) if found else tag("p", say("acts.none"), class_="hint")


def seat_parts(look: Looked) -> list[Html]:
    """Return the page's sections."""
    asked = _offers(look)
    moving = meters(look)
    return [
        part("next", say("next"), tag("p", seat_prompt(look), class_="prompt"), asked),
        part("own", say("own"), _own(look)),
        part("cards", say("hands"), hands(look.seen, "patrons")),
        part("bet", say("bet"), _bets(look), _back(look)),
        part("told", say("told"), told(look)),
        part("roads", say("roads"), roads(look), road_twins(look)),
        *([part("meters", say("meters"), moving)] if moving else []),
        part("seats", say("seats"), grid(look, "patrons")),
        part("limits", say("limits"), limits(look)),
        part("acts", say("acts"), _others(look)),
    ]
