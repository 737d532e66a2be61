"""Parts of a table in words and lines of text, for the whole screen and line by line alike."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, Final

from croupier.reports.figures import dollars, visible
from croupier.reports.words import said_of_hidden, say
from croupier.terminal.answers import shown
from croupier.terminal.door import Document
from croupier.terminal.sitting import TerminalSitting

__all__ = [
    "act_line", "hands", "heading", "limits", "narrated", "next_lines", "pay_lines", "road_lines",
    "road_words", "seats",
]  # fmt: skip

_SUITS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
_HANDS: Final = {"player": "Player", "banker": "Banker", "tie": "Tie"}
_ROADS: Final = {
    "bead_plate": "Bead plate",
    "big_road": "Big road",
    "big_eye_boy": "Big eye boy",
    "small_road": "Small road",
    "cockroach_pig": "Cockroach pig",
}
_ROWS: Final = 6


def money(cents: int | None) -> str:
    """Return an amount without its cents where it has none; nothing if it is not shown.

    >>> money(2500), money(1250), money(None)
    ('$25', '$12.50', '')
    """
    return "" if cents is None else dollars(cents).removesuffix(".00")


def card(notation: str) -> str:
    """Return a card with the sign of its suit.

    >>> card("Th"), card("??")
    ('T♥', '??')
    """
    return notation[0] + _SUITS.get(notation[1], notation[1])


def cited(clauses: Iterable[str]) -> str:
    """Return clauses in brackets, or nothing."""
    told = ", ".join(clauses)
    return f" [{told}]" if told else ""


def heading(sitting: TerminalSitting) -> str:
    """Return which table this is, who sits here, and where the table stands."""
    seen, door = sitting.look.seen, sitting.door
    seat = "" if door.seat is None else f", seat {door.seat}"
    who = f"{door.person} ({door.office}{seat})" if door.person else door.office
    paused = ", PAUSED" if seen["paused"] else ""
    link = door.connection
    state = f" · {'live' if link.is_live else 'NOT LIVE'}" if link.words else ""
    return visible(f"Table {door.name} · {seen['phase']['words']}{paused} · {who}{state}")


# --- what is next ------------------------------------------------------------------------------


def next_lines(sitting: TerminalSitting) -> list[str]:
    """Return what is next in words with its clauses, and how the card is placed."""
    due, seen, link = sitting.due, sitting.look.seen, sitting.door.connection
    lines = [] if link.is_live else [f"{link.words[:1].upper()}{link.words[1:]}."]
    lines += [_waiting(sitting) if due is None else due["words"] + cited(due["clauses"])]
    prompt = seen["prompt"]
    if prompt is not None and sitting.draw is not None and due is sitting.draw:
        lines.append(f"How: {prompt['words']}{cited(prompt['clauses'])}")
    for one in sitting.look.waits:
        given = _given_act(sitting, one)
        if one in sitting.asked:
            lines.append(f"Consent is asked of you: {given}. Press y or n.")
        else:
            needs = " and the ".join(one["needs"])
            lines.append(f"It waits for the consent of the {needs}: {given}.")
    return [visible(one) for one in lines]


def _given_act(sitting: TerminalSitting, waiting: Document) -> str:
    """Return an act that waits, in the words of the list of acts, and who gave it."""
    who = ", ".join(f"{who['person']} ({who['office']})" for who in waiting["by"])
    values = waiting.get("fields", {})
    listed = [one for one in sitting.look.acts if one["command"] == waiting["command"]]
    own = [one for one in listed if one["seat"] in {None, values.get("seat")}]
    if not own:
        return f"{waiting['command']}, given by {who}"
    told = (
        f"{field['label']}: {shown(field, values[field['name']])}"
        for field in own[0]["fields"]
        if values.get(field["name"]) not in {None, ""}
    )
    return f"{own[0]['words']} ({', '.join(told)}), given by {who}"


def _waiting(sitting: TerminalSitting) -> str:
    asked = next((one for one in sitting.look.acts if one["must"]), None)
    if asked is not None:
        return f"Waiting for the {' or '.join(asked['who'])}: {asked['words']}"
    if sitting.look.seen["paused"]:
        return say("next.paused")
    if sitting.gives:
        return "Nothing has to be done now. Choose an act."
    return f"The table is {sitting.look.seen['phase']['words']}."


def pay_lines(sitting: TerminalSitting) -> list[str]:
    """Return whom to collect from and pay, in the order in which it is done."""
    due = sitting.look.due
    if due is None:
        return []
    lines = []
    for line in due["narration"]:
        if line["kind"] == "money":
            lines.append(visible(said_of_hidden(line["text"])))
            lines += (f"  {visible(said_of_hidden(one))}" for one in line["details"])
    return lines


def act_line(act: Document) -> str:
    """Return an act in words, with its clauses and whose consent it takes."""
    also = f", with the {' and the '.join(act['also'])}" if act["also"] else ""
    return visible(f"{act['words']}{also}{cited(act['clauses'])}")


def narrated(entries: Iterable[Document]) -> list[str]:
    """Return what happened, line by line."""
    lines = []
    for entry in entries:
        for line in entry["narration"]:
            lines.append(visible(said_of_hidden(line["text"])))
            lines += (f"  {visible(said_of_hidden(one))}" for one in line["details"])
    return lines


# --- the table ---------------------------------------------------------------------------------


def hands(seen: Document) -> list[str]:
    """Return the two hands with their counts, and cards that wait.

    >>> hand = {"hand": "player", "cards": ["9h", "??"], "count": None, "holder": 3}
    >>> hands({"round": {"hands": [hand], "winner": None}, "waiting": []})
    ['Player  9♥ ??     held by seat 3']
    """
    round_ = seen["round"]
    lines = []
    for one in round_["hands"] if round_ else ():
        cards = " ".join(map(card, one["cards"]))
        count = "" if one["count"] is None else f"= {one['count']}"
        holder = "" if one["holder"] is None else f"held by seat {one['holder']}"
        won = "wins" if round_["winner"] == one["hand"] else ""
        told = " ".join(filter(None, (f"{cards:8} {count:3}".rstrip(), won)))
        lines.append(f"{_HANDS[one['hand']]}  {told:10}{holder}".rstrip())
    if round_ and round_["winner"] and not any(line.endswith("wins") for line in lines):
        lines.append("Tie")
    lines += (f"{card(one['card'])} waits for {one['waits_for']}" for one in seen["waiting"])
    return lines or ["No cards are dealt."]


def seats(seen: Document) -> list[str]:
    """Return each seat that is taken, with chips, stakes, and vigorish owed."""
    titles = {one["wager"]: one["title"] for one in seen["wagers"]}
    lines = []
    for one in seen["seats"]:
        if not one["taken"]:
            continue
        name = visible(one["patron"]) if one["patron"] else "patron"
        parts = [f"{one['seat']:>2} {name}", money(one["chips_cents"])]
        parts += (
            f"{titles.get(stake['wager'], stake['wager'])} {_stake(stake)}"
            for stake in seen["stakes"]
            if stake["seat"] == one["seat"]
        )
        parts.append(f"owes {money(one['owed_cents'])}" if one["owed_cents"] else "")
        parts.append("away" if one["away"] else "")
        lines.append(" · ".join(filter(None, parts)))
    return lines or ["No seat is taken."]


def _stake(stake: Mapping[str, Any]) -> str:
    coupon = stake["coupon_cents"]
    return money(stake["chips_cents"]) + (f" and a coupon for {money(coupon)}" if coupon else "")


def limits(seen: Document) -> list[str]:
    """Return each wager with its limits and what it pays."""
    return [
        f"{one['title']}: {_limit(one)}; pays " + ", ".join(filter(None, one["pays"].values()))
        for one in seen["wagers"]
    ]


def _limit(wager: Document) -> str:
    least, most = wager["min_cents"], wager["max_cents"]
    if least is None or most is None:
        return "no limits"
    return f"{money(least)} to {money(most)}, in steps of {money(wager['unit_cents'])}"


# --- roads -------------------------------------------------------------------------------------


def road_lines(roads: Document, columns: int, only: Sequence[str] = tuple(_ROADS)) -> list[str]:
    """Return roads as text: their last columns, each with its title.

    P, B, and T are the hands and ties, a digit the ties that followed; in the derived roads ``o``
    is a red and ``x`` a blue mark.
    """
    lines = []
    for name in only:
        lines += [_ROADS[name], *_grid(roads[name], columns)]
    return lines


def road_words(roads: Document) -> list[str]:
    """Return roads in words, for whoever does not see a grid: the big road by its streaks.

    >>> cell = {"row": 0, "column": 0, "winner": "banker", "ties": 1, "streak": 0}
    >>> none = {"big_eye_boy": [], "small_road": [], "cockroach_pig": []}
    >>> road_words({"bead_plate": [cell], "big_road": [cell], **none})
    ['Rounds of this shoe: Banker', 'Streaks: Banker 1']
    """
    if not roads["bead_plate"]:
        return ["No round of this shoe is over."]
    streaks: dict[int, tuple[str, int]] = {}
    for one in roads["big_road"]:
        before = streaks.get(one["streak"], ("", 0))[1]
        streaks[one["streak"]] = (_HANDS[one["winner"]], before + 1)
    lines = ["Rounds of this shoe: " + ", ".join(_HANDS[o["winner"]] for o in roads["bead_plate"])]
    if streaks:
        lines.append("Streaks: " + ", ".join(f"{who} {many}" for who, many in streaks.values()))
    for name, title in _ROADS.items():
        marks = [one["mark"] for one in roads[name] if "mark" in one]
        lines += [f"{title}: {', '.join(marks)}"] if marks else []
    return lines


def _grid(cells: Sequence[Document], columns: int) -> Iterator[str]:
    marks = {(one["row"], one["column"]): _mark(one) for one in cells}
    wide = max((len(mark) for mark in marks.values()), default=1) + 1
    shown = max(1, columns // wide)
    first = max(0, max((column for _, column in marks), default=0) + 1 - shown)
    for row in range(_ROWS):
        told = (marks.get((row, column), ".") for column in range(first, first + shown))
        yield "".join(f"{one:{wide}}" for one in told).rstrip()


def _mark(cell: Document) -> str:
    if "mark" in cell:
        return "o" if cell["mark"] == "red" else "x"
    ties = cell.get("ties", 0)
    return str(_HANDS[cell["winner"]])[0] + (str(ties) if ties else "")
