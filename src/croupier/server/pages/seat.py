"""The page of a patron's seat, and the board that all see."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Final

from croupier.records.view.documents import WagerSeen
from croupier.reports.screen import ShownHand, hands_shown, range_of, staked
from croupier.reports.tags import Html, details, hidden_inputs, hint, join, post_form, tag
from croupier.reports.words import SCRIPT, chip_rail, dollars, say
from croupier.server.pages import pieces
from croupier.server.pages.dealer import drawer, is_pad, roads_drawer
from croupier.server.pages.forms import act_form, card_pad, hidden, place_of
from croupier.server.pages.looked import Looked
from croupier.server.pages.pieces import card, meters, next_marks, part, pays_most, road, slots

_WAGERS = {"PlaceWager", "PlaceWagers", "WithdrawWager"}


def _own(look: Looked) -> Html:
    seat = next(one for one in look.seen["seats"] if one["seat"] == look.session.seat)
    if not seat["taken"]:
        return tag("p", say("own.none", seat=seat["seat"]))
    net = _net(look)
    is_void = any(event["type"] == "RoundVoided" for event in look.settled)
    last = say("result.none" if look.settled else "result.wait") if net is None else join(
        say("result.mine"), " ", tag("b", f"{'+' if net > 0 else ''}{dollars(net)}", class_="net"),
        say("result.void") if is_void else "",
    )  # fmt: skip
    return join(
        tag("p", dollars(seat["chips_cents"] or 0), class_="big"),
        tag("p", f"{say('owed')}: {dollars(seat['owed_cents'] or 0)}") if look.owes else None,
        *_by_hand(look),
        pieces.down(look),
        tag("p", last, class_="mine"),
    )


def _by_hand(look: Looked) -> Iterator[Html]:
    """Awards that do not come from the tray: due until the cage pays them."""
    paid = {event["number"] for event in look.settled if event["type"] == "PaidByHand"}
    awards = (event for event in look.settled if event["type"] == "HandPayDue")
    own = [one for one in awards if one["seat"] == look.session.seat and one["number"] in paid]
    sums = {"award.due": look.due_by_hand, "award.paid": sum(one["cents"] for one in own)}
    return (tag("p", say(name, amount=dollars(cents))) for name, cents in sums.items() if cents)


_LOST: Final = {"LosingWagersCollected", "StakesKept"}
_PAID: Final = {"WagerPaid", "AwardPaid"}


def _net(look: Looked) -> int | None:
    own, net, had = look.session.seat, 0, False
    for event in look.settled:
        stakes = [one for one in event.get("stakes", ()) if one["seat"] == own]
        here = event.get("seat") == own
        net -= sum(one["cents"] for one in stakes) if event["type"] in _LOST else 0
        net += event["cents"] if here and event["type"] in _PAID else 0
        net -= event["cents"] if here and event["type"] == "VigorishCollected" else 0
        had = had or here or bool(stakes)
    return net if had else None


def _last_stakes(look: Looked) -> dict[str, int]:
    own = look.session.seat
    found = {
        stake["wager"]: stake["cents"]
        for event in look.settled
        for stake in event.get("stakes", ())
        if stake["seat"] == own
    }
    for event in look.settled:
        # A payout that was added to a wager was not placed on it.
        if event["type"] == "PayoutAdded" and event["seat"] == own and event["to"] in found:
            found[event["to"]] -= event["cents"]
    return found


def _placed(look: Looked, wager: str) -> int:
    return sum(
        staked(stake) or 0
        for stake in look.seen["stakes"]
        if (stake["seat"], stake["wager"]) == (look.session.seat, wager)
    )


def _bets(look: Looked) -> Html:
    closed = all(one["command"] != "PlaceWagers" for one in look.screen.others)
    # Unavailable controls keep their place, so that nothing moves under a finger.
    # A wager that needs another may be placed together with it.
    areas = [_area(look, wager, open_=not closed) for wager in look.seen["wagers"]]
    rail = chip_rail()
    chips = (
        tag("button", pieces.amount(dollars(value)), type="button", class_="chip", data_chip=value,
            disabled=closed, aria_pressed="true" if at == min(1, len(rail) - 1) else "false")
        for at, value in enumerate(rail)
    )  # fmt: skip
    again = (
        tag("button", say(f"bet.{name}"), type="button", data_bets=name, disabled=closed)
        for name in ("undo", "double", "repeat")
    )
    nothing = SCRIPT["total"].replace("{amount}", dollars(0))
    total = tag("output", nothing, id="bet-total", aria_live="off")
    place = tag("button", say("bet.add"), " ", total, class_="primary", disabled=closed)
    return post_form(
        place_of(look),
        hidden(look, "bet", command="PlaceWagers"),
        hidden_inputs({"json.seat": look.session.seat}),
        tag("ul", *areas, class_="bets"),
        tag("div", *chips, class_="row chips"),
        tag("div", *again, class_="row"),
        tag("div", place, class_="row"),
        id="bets", class_="act", data_command="PlaceWagers",
        data_last=json.dumps(_last_stakes(look)),
    )  # fmt: skip


def _area(look: Looked, wager: WagerSeen, *, open_: bool) -> Html:
    name = wager["wager"]
    placed = _placed(look, name)
    # A phone has room for the amount alone, in a field that looks like a chip.
    lies = join(tag("span", say("bet.placed"), " "), pieces.amount(dollars(placed)))
    said = lies if placed else pieces.pays_most(wager)
    limits = range_of(wager)
    if len(limits) > _LONG:
        limits = say("bet.from", least=dollars(wager["min_cents"]))
    text = tag(
        "label",
        tag("span", wager["title"], class_=f"name {name}"),
        tag("small", said, class_="placed" if placed else None),
        for_=f"bet-{name}",
        data_wager=name,
    )
    return tag(
        "li",
        text,
        tag("input", type="text", inputmode="decimal", name=f"stakes.stakes.{name}",
            id=f"bet-{name}", size="5", autocomplete="off",
            placeholder=limits, disabled=not open_, data_placed=placed),
        tag("small", "", class_="error", id=f"error-{name}"),
    )  # fmt: skip


def _back(look: Looked) -> Html | None:
    act = next((one for one in look.screen.others if one["command"] == "WithdrawWager"), None)
    if act is None:
        return None
    choices = next(field["choices"] for field in act["fields"] if field["name"] == "wager")
    return join(*(_taken_back(look, choice["value"], choice["label"]) for choice in choices))


def _taken_back(look: Looked, wager: str, title: str) -> Html:
    amount = dollars(_placed(look, wager))
    return post_form(
        place_of(look),
        hidden(look, f"back-{wager}", command="WithdrawWager"),
        hidden_inputs({"json.seat": look.session.seat, "text.wager": wager}),
        tag("button", say("bet.back", title=title, amount=amount)),
        class_="act", data_command="WithdrawWager",
        id=f"back-{wager}",
    )  # fmt: skip


def _countdown(look: Looked) -> Html | None:
    left = look.seconds_left
    if left is None:
        return None
    return join(
        " ", tag("span", SCRIPT["left"].replace("{seconds}", str(left)), id="left", data_left=left)
    )


def _offers(look: Looked) -> Html | None:
    forms = [
        card_pad(look, one) if is_pad(one) else act_form(look, one, primary=True)
        for one in look.screen.due
    ]
    return join(*forms) if forms else None


def _others(look: Looked) -> Html:
    found = [one for one in look.screen.others if one["command"] not in _WAGERS]
    forms = (
        details(act["words"], act_form(look, act), id=f"other-{act['command']}") for act in found
    )
    return join(*forms) if found else hint(say("acts.none"))


def seat_parts(look: Looked) -> list[Html]:
    moving = pieces.meters(look)
    drawers = (
        drawer("acts", "o", part("acts", say("acts"), _back(look), _others(look))),
        roads_drawer(look),
        drawer("told", "w", part("told", say("told"), pieces.recent_narration(look)),
               part("seats", say("seats"), pieces.grid(look))),
        drawer("limits", "i", part("limits", say("limits"), pieces.turn(look), pieces.limits(look)),
               *([part("meters", say("meters"), moving)] if moving else [])),
    )  # fmt: skip
    return [
        part(
            "next",
            say("next"),
            tag("p", look.screen.prompt, _countdown(look), class_="prompt"),
            _offers(look),
        ),
        part("cards", say("hands"), pieces.hands(look)),
        part("bet", say("bet"), _bets(look)),
        part("own", say("own"), _own(look)),
        tag("div", *drawers, class_="drawers"),
    ]


_OPEN: Final = "betting"
_BLANK: Final = Html("&nbsp;")
"""Keeps the place of a line that says nothing."""
_LONG: Final = 12
"""Characters of a range of limits that a column or a field has room for."""


def board_parts(look: Looked) -> list[Html]:
    moving = meters(look)
    return [
        part("status", say("phase"), _status(look)),
        tag(
            "section",
            *(road(look, which) for which in ("big_road", "bead_plate")),
            tag("div", *(road(look, which) for which in look.asks), class_="derived"),
            next_marks(look),
            id="roads",
            aria_label=say("roads"),
        ),
        tag(
            "div",
            _last(look),
            part("counts", say("board.counts"), _counts(look)),
            part("limits", say("limits.main"), _limits(look.seen["wagers"])),
            part("meters", say("meters"), moving) if moving else None,
            class_="column",
        ),
    ]


def _status(look: Looked) -> Html:
    seen = look.seen
    is_open = seen["phase"]["id"] == _OPEN and not seen["paused"]
    shoe = seen["shoe"]["number"]
    number = seen["rounds"] + (not seen["phase"]["in_play"] and is_open)
    return join(
        tag("p", look.screen.status, class_="state open" if is_open else "state"),
        tag("p", say("board.place", shoe=shoe, round=number) if shoe else _BLANK),
        tag("p", tag("b", look.name)),
    )


def _last(look: Looked) -> Html:
    round_, last = look.seen["round"], look.last_round
    lying = round_ is not None and any(hand["cards"] for hand in round_["hands"])
    shown = round_ if lying else None if look.void else last
    none = say("last.returned") if look.void else _BLANK
    decided = round_ if round_ is not None and round_["winner"] is not None else last
    if look.void:
        title, said, winner = say("board.result", round=look.void), say("last.void"), None
    elif decided is None:
        title, said, winner = say("last"), say("last.none"), None
    else:
        title = say("board.result", round=decided["number"])
        winner = decided["winner"]
        said = say(f"last.{winner}", **{hand["hand"]: hand["count"] for hand in decided["hands"]})
    return part(
        "last",
        title,
        tag("p", said, class_=f"big {winner or ''}"),
        # Without cards, their line keeps its place.
        tag("p", say("board.dealt", round=shown["number"]) if shown else none, class_="dealt"),
        *map(_hand, hands_shown(shown, look.screen.side)),
    )


def _hand(shown: ShownHand) -> Html:
    name, cards, count = shown.hand["hand"], shown.hand["cards"], shown.hand["count"]
    won = shown.result and not shown.is_tied
    return tag(
        "div",
        tag("h3", say(f"hand.{name}")),
        tag("p", *map(card, cards), slots(cards)),
        tag("strong", "" if count is None else count, class_="total"),
        class_=f"hand {name}{' winner' if won else ''}",
    )


def _counts(look: Looked) -> Html:
    many = {"banker": 0, "player": 0, "tie": 0, "natural": 0, "banker_pair": 0, "player_pair": 0}
    for cell in look.roads["bead_plate"]:
        many[cell["winner"]] += 1
        for name in many.keys() & cell.keys():
            many[name] += cell[name]
    said = (
        tag("div", tag("dt", say(f"counts.{name}")), tag("dd", number), class_=name)
        for name, number in many.items()
    )
    return tag("dl", *said)


def _limits(wagers: Sequence[WagerSeen]) -> Html:
    rows = (
        tag(
            "tr",
            tag("th", wager["title"], scope="row"),
            tag("td", pays_most(wager)),
            tag("td", range_of(wager)),
            class_=wager["wager"],
        )
        for wager in wagers
    )
    # A range that is longer than its column is broken in two, in smaller type.
    is_long = any(len(range_of(wager)) > _LONG for wager in wagers)
    return tag("table", *rows, class_="long" if is_long else None)
