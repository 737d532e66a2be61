"""The display above a table."""

from __future__ import annotations

from typing import TYPE_CHECKING

from croupier.reports.words import dollars, say
from croupier.server.pages.html import Html, tag
from croupier.server.pages.pieces import hands, limits, meters, part, road_twins, roads

if TYPE_CHECKING:
    from croupier.server.pages.looked import Looked


def _last(look: Looked) -> Html:
    round_, results = look.seen["round"], look.seen["results"]
    if round_ is not None and round_["winner"] is not None:
        winner = round_["winner"]
        counts: dict[str, int | None] = {one["hand"]: one["count"] for one in round_["hands"]}
        said = say(f"last.{winner}", **counts)
    elif results:
        one = results[-1]
        winner = one["winner"]
        said = say(f"last.{winner}", player=one["player_count"], banker=one["banker_count"])
    else:
        return tag("p", say("last.none"), class_="big")
    return tag("p", said, class_=f"big {winner}")


def _limits(look: Looked) -> Html:
    shown = (
        tag(
            "div",
            tag("dt", one["title"]),
            tag("dd", dollars(one["min_cents"] or 0) if one["max_cents"] is None else
                say("limits.range", least=dollars(one["min_cents"] or 0),
                    most=dollars(one["max_cents"]))),
        )
        for one in look.seen["wagers"]
    )  # fmt: skip
    return tag("dl", *shown, class_="ranges")


def board_parts(look: Looked) -> list[Html]:
    """Return the display's sections."""
    moving = meters(look)
    pays = tag("details", tag("summary", say("pays")), limits(look), id="pays")
    return [
        part("last", say("last"), _last(look)),
        part("cards", say("hands"), hands(look.seen)),
        part("limits", say("limits.main"), _limits(look)),
        *([part("meters", say("meters"), moving)] if moving else []),
        part("roads", say("roads"), roads(look)),
        part("twins", say("in.words"), road_twins(look), pays),
    ]
