"""The display above a table: a kiosk page without links."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from croupier.records.view.documents import WagerSeen
from croupier.reports.screen import ShownHand, hands_shown, range_of
from croupier.reports.tags import Html, join, tag
from croupier.reports.words import say
from croupier.server.pages.looked import Looked
from croupier.server.pages.pieces import card, meters, next_marks, part, pays_most, road, slots

_OPEN: Final = "betting"
_LONG: Final = 12
"""Characters of a range of limits that a column has room for."""


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
    number = seen["rounds"] + (not seen["phase"]["in_play"] and is_open)
    return join(
        tag("p", look.screen.status, class_="state open" if is_open else "state"),
        tag("p", say("board.place", shoe=seen["shoe"]["number"], round=number)),
        tag("p", tag("b", look.name)),
    )


def _last(look: Looked) -> Html:
    round_, last = look.seen["round"], look.last_round
    lying = round_ is not None and any(hand["cards"] for hand in round_["hands"])
    shown = round_ if lying else last
    decided = round_ if round_ is not None and round_["winner"] is not None else last
    if decided is None:
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
        tag("p", say("board.dealt", round=shown["number"]) if shown else "\u00a0", class_="dealt"),
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
