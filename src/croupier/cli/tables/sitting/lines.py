"""A terminal session, line by line: what is shown, and what is typed."""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import zip_longest
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from croupier.acts.command import TERMS
from croupier.acts.roles import offices_in_words
from croupier.baccarat.cards import faces
from croupier.cli.tables.sitting.sitting import (
    Document,
    Door,
    TerminalSitting,
    asked,
    hint,
    read_card,
    read_field,
    shown,
)
from croupier.law.usage import named
from croupier.reports.figures import visible
from croupier.reports.roads import ROADS
from croupier.reports.screen import (
    OfficeView,
    Pending,
    Screen,
    lines_of,
    named_patron,
    odds_of,
    range_of,
    screen,
    staked,
    title_of,
)
from croupier.reports.words import DRAW, dollars, say

if TYPE_CHECKING:
    from croupier.records.view.documents import LineSeen, TableSeen

_ROWS: Final = 6


def cited(clauses: Iterable[str]) -> str:
    text = ", ".join(clauses)
    return f" [{text}]" if text else ""


def heading(sitting: TerminalSitting) -> str:
    door = sitting.door
    user = named(door.office)
    if door.person:
        office = user if door.seat is None else say("terminal.seat", office=user, seat=door.seat)
        user = f"{door.person} ({office})"
    link = door.connection
    parts = [
        say("table", table=door.name),
        sitting.screen.status,
        user,
        *([say("terminal.live" if link.is_live else "terminal.lost")] if link.words else []),
    ]
    return visible(" · ".join(parts))


def next_lines(sitting: TerminalSitting) -> list[str]:
    page, link = sitting.screen, sitting.door.connection
    lines = [] if link.is_live else [f"{link.words[:1].upper()}{link.words[1:]}."]
    words = page.press or page.prompt or page.status
    if page.amounts and page.prompt and words != page.prompt:
        amount = f"{page.prompt[:1].lower()}{page.prompt[1:]}"
        words = say("next.amount", words=words, amount=amount)
    lines.append(words + cited(page.clauses))
    if page.placed:
        lines.append(say("terminal.how", words=page.placed))
    if page.says:
        lines.append(" ".join(page.says))
    lines += (
        say(_pending_words(one), act=one.words, asked=one.asked, needs=one.needs)
        for one in page.consents
    )
    return [visible(line) for line in lines]


def _pending_words(one: Pending) -> str:
    if one.is_ended:
        return "terminal.noted" if one.is_own else "terminal.ended"
    return "terminal.waits" if one.is_own else "terminal.consent"


def due_lines(sitting: TerminalSitting) -> list[str]:
    first_line, *more_lines = next_lines(sitting)
    amounts = line_texts(sitting.screen.amounts)
    pay = [f"{say('pay')}:", *amounts] if amounts else []
    return [say("terminal.next", words=first_line), *more_lines, *pay]


def line_texts(lines: Iterable[LineSeen]) -> list[str]:
    found = ([line["text"], *(f"  {detail}" for detail in line["details"])] for line in lines)
    return [visible(text) for line in found for text in line]


def act_line(act: Document) -> str:
    also = act["also"]
    suffix = say("terminal.also", needs=named(offices_in_words(also))) if also else ""
    seat = "" if act["seat"] is None else say("terminal.act.seat", seat=act["seat"])
    # Acts of two seats may have the same text.
    names_seat = re.search(rf"\b{seat}\b", act["words"], re.IGNORECASE)
    place = f" ({seat})" if seat and not names_seat else ""
    return visible(f"{act['words']}{place}{suffix}{cited(act['clauses'])}")


def narrated(entries: Iterable[Document]) -> list[str]:
    return line_texts(line for entry in entries for line in lines_of(entry))


def hands(page: Screen) -> list[str]:
    lines = []
    for hand, result in page.hands:
        count = "" if hand["count"] is None else f"= {hand['count']}"
        holder = "" if hand["holder"] is None else say("terminal.holder", seat=hand["holder"])
        name = say(f"hand.{hand['hand']}")
        cards = f"{name}  {faces(hand['cards']):11} {count:3}".rstrip()
        lines.append(" · ".join(filter(None, (cards, holder, result))))
    return [*lines, *page.waiting]


def seats(view: OfficeView, page: Screen, *, is_brief: bool = False) -> list[str]:
    """Return a line for each seat taken; a brief one has the sum of its wagers alone."""
    stakes = {(stake["seat"], stake["wager"]): staked(stake) for stake in view.seen["stakes"]}
    taken = [seat for seat in page.seats if seat["taken"]]
    longest = max((len(visible(named_patron(seat))) for seat in taken), default=0)
    widest = max((len(dollars(seat["chips_cents"])) for seat in taken), default=0)
    lines = []
    for seat in taken:
        name, chips = visible(named_patron(seat)), dollars(seat["chips_cents"])
        parts = [f"{seat['seat']:>2} {name:{longest}}", f"{chips:>{widest}}"]
        wagers = [
            f"{wager['title']} {dollars(stakes[place]) or say('hidden')}"
            for wager in view.seen["wagers"]
            if (place := (seat["seat"], wager["wager"])) in stakes
        ]
        if is_brief and wagers:
            total = sum(cents or 0 for place, cents in stakes.items() if place[0] == seat["seat"])
            wagers = [say("terminal.staked", amount=dollars(total))]
        parts += wagers
        parts.append(
            say("terminal.owes", amount=dollars(seat["owed_cents"])) if seat["owed_cents"] else ""
        )
        parts.append(say("away") if seat["away"] else "")
        lines.append(" · ".join(filter(str.strip, parts)))
    return lines or [say("terminal.seats.none")]


_WIDE: Final = 100
"""Columns that hold a table and its roads next to each other."""


def table_lines(view: OfficeView, columns: int) -> list[str]:
    """Return hands and seats, with the roads on their right where the terminal is wide."""
    page = screen(view)
    width = columns // 2 if columns >= _WIDE else columns or sys.maxsize
    lines = [*hands(page), *seats(view, page)]
    table = [part for line in lines for part in wrapped(line, width)]
    if columns < _WIDE:
        return table
    left_width = max(map(len, table)) + 3
    return _beside(left_width, table, road_lines(view.roads, columns - left_width, ROADS[:2]))


def _beside(width: int, *blocks: Sequence[str]) -> list[str]:
    rows = zip_longest(*blocks, fillvalue="")
    return ["".join(f"{part:{width}}" for part in row).rstrip() for row in rows]


def wrapped(line: str, columns: int) -> list[str]:
    """Break a line of parts between them alone."""
    kept = line
    if " · " in line:
        kept = line.replace(" ", "\xa0").replace("\xa0·\xa0", " ·\xa0")
    parts = wrap(kept, columns, subsequent_indent="    ", break_on_hyphens=False)
    return [part.replace("\xa0", " ") for part in parts] or [""]


def facts(page: Screen) -> list[str]:
    return [
        visible(f"{name}: {line}")
        for name, fact_text in page.facts.items()
        for line in ([fact_text] if isinstance(fact_text, str) else fact_text)
    ]


def limits(view: TableSeen) -> list[str]:
    return [
        say(
            "terminal.limits",
            title=wager["title"],
            limits=range_of(wager) or say("terminal.limits.none"),
            pays=", ".join(odds_of(wager)),
        )
        for wager in view["wagers"]
    ]


def road_lines(roads: Document, columns: int, names: Sequence[str] = ROADS) -> list[str]:
    """Return the last columns of roads as text, each with its title, derived ones in one row.

    A digit counts the ties after a win. In derived roads ``o`` is a red and ``x`` a blue mark.
    """
    third = columns // 3
    lines = [line for name in names[:2] for line in (say(name), *_grid(roads[name], columns))]
    derived = ([say(name), *_grid(roads[name], third - 1)] for name in names[2:])
    return lines + _beside(third, *derived)


def road_words(roads: Document) -> list[str]:
    """Return roads in words for screen readers: the big road by its streaks.

    >>> cell = {"row": 0, "column": 0, "winner": "banker", "ties": 1, "streak": 0}
    >>> none = {"big_eye_boy": [], "small_road": [], "cockroach_pig": []}
    >>> road_words({"bead_plate": [cell], "big_road": [cell], **none})
    ['Rounds of this shoe: Banker', 'Streaks: Banker 1']
    """
    if not roads["bead_plate"]:
        return [say("roads.none")]
    streaks: dict[int, tuple[str, int]] = {}
    for cell in roads["big_road"]:
        count_before = streaks.get(cell["streak"], ("", 0))[1]
        streaks[cell["streak"]] = (say(f"hand.{cell['winner']}"), count_before + 1)
    winners = ", ".join(say(f"hand.{cell['winner']}") for cell in roads["bead_plate"])
    lines = [say("terminal.rounds", winners=winners)]
    if streaks:
        text = ", ".join(f"{winner} {count}" for winner, count in streaks.values())
        lines.append(say("terminal.streaks", streaks=text))
    for name in ROADS:
        marks = [mark["mark"] for mark in roads[name] if "mark" in mark]
        lines += [f"{say(name)}: {', '.join(marks)}"] if marks else []
    return lines


def _grid(cells: Sequence[Document], columns: int) -> Iterator[str]:
    marks = {(cell["row"], cell["column"]): _mark(cell) for cell in cells}
    if not cells:
        yield "–"
        return
    width = max((len(mark) for mark in marks.values()), default=1) + 1
    last_column = max((column for _, column in marks), default=0) + 1
    column_count = min(last_column, max(1, columns // width))
    first = last_column - column_count
    for row in range(_ROWS):
        row_marks = (marks.get((row, column), ".") for column in range(first, first + column_count))
        yield "".join(f"{mark:{width}}" for mark in row_marks).rstrip()


def _mark(cell: Document) -> str:
    if "mark" in cell:
        return "o" if cell["mark"] == "red" else "x"
    ties = cell.get("ties", 0)
    return str(say(f"hand.{cell['winner']}"))[0] + (str(ties) if ties else "")


Ask = Callable[[str], str | None]
"""Shows a prompt and returns the line typed, or ``None`` at the end of input."""

_POLL: Final = 0.2


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _begins(act: Document, text: str) -> bool:
    words = str(act["words"]).casefold()
    return f": {words}".find(f": {text.casefold()}") >= 0


class _Lines:
    """``refused`` counts refused commands; ``width`` is that of a terminal at the moment, or 0."""

    def __init__(
        self, door: Door, ask: Ask, say: Callable[[str], None], width: Callable[[], int]
    ) -> None:
        self.sitting: Final = TerminalSitting(door)
        self._ask: Final = ask
        self._write: Final = say
        self._width: Final = width
        self._how = ""
        self.refused = 0

    def run(self) -> None:
        sitting = self.sitting
        prompt = "terminal.type.remote" if sitting.door.is_remote else "terminal.type"
        self._say(heading(sitting), say(prompt))
        while self._caught_up():
            how, before = say("terminal.how", words=visible(sitting.screen.placed)), self._how
            self._say(*(line for line in due_lines(sitting) if line != before))
            self._how = how
            text = self._ask(self._prompt())
            if text is None or text.strip().casefold() in {"x", "q", "quit", "exit"}:
                return
            self._do(text.strip())
            if sitting.answer is not None:
                self.refused += sitting.answer.refused
                self._say(self._answered())

    def _prompt(self) -> str:
        due = self.sitting.screen.due[:1]
        if self.sitting.door.cards != "dealer" or [act["command"] for act in due] != [DRAW]:
            return "> "
        is_seen = all(field["needed"] for field in due[0]["fields"])
        return say("terminal.card" if is_seen else "terminal.card.down")

    def _caught_up(self) -> bool:
        door = self.sitting.door
        self._news()
        if not door.connection.is_live and not door.connection.is_over:
            self._say(_sentence(door.connection.words), say("terminal.waiting"))
            while not door.connection.is_live and not door.connection.is_over:
                time.sleep(_POLL)
                self._news()
        if door.connection.is_over:
            self._say(_sentence(door.connection.words))
            self.refused += 1
        return not door.connection.is_over

    def _news(self) -> None:
        last_answer = self.sitting.answer
        self._say(*narrated(self.sitting.refresh()))
        if self.sitting.answer is not last_answer:
            self._say(self._answered())

    def _wait(self) -> None:
        sitting, door = self.sitting, self.sitting.door
        previous = sitting.listed, sitting.screen.consents
        try:
            while door.connection.is_live and (sitting.listed, sitting.screen.consents) == previous:
                time.sleep(_POLL)
                self._news()
        except KeyboardInterrupt:
            self._say("")

    def _say(self, *lines: str) -> None:
        for line in lines:
            for part in wrapped(line, self._width() or sys.maxsize):
                self._write(part)

    def _answered(self) -> str:
        answer = self.sitting.answer
        if answer is None:
            return ""
        message = f"{answer.message}{cited(answer.clauses)}"
        return visible(say("refused", why=message) if answer.refused else message)

    def _do(self, text: str) -> None:
        sitting, answer = self.sitting, self.sitting.answer
        sitting.answer = None
        if not text:
            self._enter()
        elif sitting.draw is not None and read_card(text):
            sitting.send_card(text)
        elif text == "!":
            self._choose(sitting.screen.irregular, say("acts.none"))
        elif text == "w" and sitting.door.is_remote:
            self._wait()
        elif text == "?":
            self._clauses(() if answer is None else answer.clauses)
        elif text in {"y", "n"} and sitting.consent(given=text == "y"):
            return
        elif text == "o" or text.isdecimal():
            self._choose(sitting.listed, say("acts.none"), text)
        else:
            self._show(text)

    def _show(self, text: str) -> None:
        acts = *self.sitting.listed, *self.sitting.screen.irregular
        matches = [act for act in acts if _begins(act, text)]
        if matches and len(text) > 1:
            self._choose(matches, "", "1" if len(matches) == 1 else "")
            return
        view, roads = self.sitting.view.seen, self.sitting.view.roads
        match text:
            case "t":
                self._say(*table_lines(self.sitting.view, self._width()))
            case "r" if self._width():
                self._say(*road_lines(roads, self._width()))
            case "r":
                self._say(*road_words(roads))
            case "i":
                self._say(*facts(self.sitting.screen))
            case "l":
                self._say(*limits(view))
            case "h" | "help":
                self._say(*say("terminal.help").split("\n"))
            case _:
                self._say(*self._not_now(text) or [say("terminal.strange", text=visible(text))])

    def _not_now(self, text: str) -> list[str]:
        page, found = self.sitting.screen, TERMS.values() if len(text) > 1 else ()
        titles = ((title_of(terms.command.__name__), terms) for terms in found)
        return [
            say("terminal.not.now", act=title, status=page.status,
                due=page.press or page.prompt, who=named(offices_in_words(terms.does, "or")))
            for title, terms in titles if _begins({"words": title}, text)
        ]  # fmt: skip

    def _enter(self) -> None:
        sitting, page = self.sitting, self.sitting.screen
        for act in page.due if page.owed else page.due[:1]:
            if act["command"] == DRAW:
                sitting.send_card()
            elif act["awaited"] or any(field["needed"] for field in act["fields"]):
                self._fill(act)
            elif not sitting.send(act, {}, page.then):
                return

    def _choose(self, acts: Sequence[Document], empty_text: str, text: str = "") -> None:
        if not acts:
            self._say(empty_text)
            return
        if not text.isdecimal():
            self._say(*(f"{number}. {act_line(act)}" for number, act in enumerate(acts, 1)))
            text = (self._ask(say("terminal.which")) or "").strip()
            begun = [at for at, act in enumerate(acts, 1) if text and _begins(act, text)]
            text = str(begun[0]) if len(begun) == 1 else text
        if text.isdecimal() and 0 < int(text) <= len(acts):
            self._fill(acts[int(text) - 1])
        else:
            self._say(say("terminal.nothing"))

    def _fill(self, act: Document) -> None:
        values: dict[str, Any] = {"seat": act["seat"]}
        self._say(act_line(act))
        for asked_field in asked(act):
            field = self.sitting.field(asked_field, values)
            default = shown(field, field["default"])
            prompt = f"{field['label']} ({hint(field)}){f' [{default}]' if default else ''}:"
            is_read = False
            while not is_read:
                *before, last = wrapped(visible(prompt), self._width() or sys.maxsize)
                self._say(*before)
                text = self._ask(f"{last} ")
                if text is None or text.strip() == "u":
                    self._say(say("terminal.nothing"))
                    return
                try:
                    values[field["name"]] = read_field(field, text)
                    is_read = True
                except ValueError as error:
                    self._say(visible(say("terminal.again", accepts=error)))
        self.sitting.send(act, values)

    def _clauses(self, clause_ids: Iterable[str]) -> None:
        clauses = [*clause_ids] or self.sitting.screen.clauses
        self._say(*(f"{clause}: {self.sitting.door.says(clause)}" for clause in clauses))
        if not clauses:
            self._say(say("terminal.clauses.none"))


def run_lines(
    door: Door, ask: Ask, say: Callable[[str], None], width: Callable[[], int] = lambda: 0
) -> int:
    """Return the number of refused commands."""
    lines = _Lines(door, ask, say, width)
    lines.run()
    return lines.refused
