"""The line-by-line interface."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from croupier.cli.tables.sitting import pieces
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
from croupier.reports.figures import visible
from croupier.reports.words import DRAW, say

Ask = Callable[[str], str | None]
"""Shows a prompt and returns the line typed, or ``None`` at the end of input."""

_POLL: Final = 0.2


def _sentence(words: str) -> str:
    return f"{words[:1].upper()}{words[1:]}."


def _begins(act: Document, text: str) -> bool:
    words = str(act["words"]).casefold()
    return f": {words}".find(f": {text.casefold()}") >= 0


class _Lines:
    """``refused`` counts refused commands; ``columns`` is the width of a terminal, or 0."""

    def __init__(self, door: Door, ask: Ask, say: Callable[[str], None], columns: int) -> None:
        self.sitting: Final = TerminalSitting(door)
        self._ask: Final = ask
        self._say: Final = say
        self._columns: Final = columns
        self.refused = 0

    def run(self) -> None:
        sitting = self.sitting
        typed = "terminal.type.remote" if sitting.door.is_remote else "terminal.type"
        self._tell(pieces.heading(sitting), say(typed))
        while self._caught_up():
            self._tell(*pieces.due_lines(sitting))
            text = self._ask("> ")
            if text is None or text.strip().casefold() in {"x", "q", "quit", "exit"}:
                return
            self._do(text.strip())
            if sitting.answer is not None:
                self.refused += sitting.answer.refused
                self._say(self._answered())

    def _caught_up(self) -> bool:
        door = self.sitting.door
        self._news()
        if not door.connection.is_live and not door.connection.is_over:
            self._tell(_sentence(door.connection.words), say("terminal.waiting"))
            while not door.connection.is_live and not door.connection.is_over:
                time.sleep(_POLL)
                self._news()
        if door.connection.is_over:
            self._say(_sentence(door.connection.words))
            self.refused += 1
        return not door.connection.is_over

    def _news(self) -> None:
        before = self.sitting.answer
        self._tell(*pieces.narrated(self.sitting.refresh()))
        if self.sitting.answer is not before:
            self._say(self._answered())

    def _wait(self) -> None:
        sitting, door = self.sitting, self.sitting.door
        shown = sitting.listed, sitting.screen.consents
        try:
            while door.connection.is_live and (sitting.listed, sitting.screen.consents) == shown:
                time.sleep(_POLL)
                self._news()
        except KeyboardInterrupt:
            self._say("")

    def _tell(self, *lines: str) -> None:
        for line in lines:
            self._say(line)

    def _answered(self) -> str:
        answer = self.sitting.answer
        if answer is None:
            return ""
        message = f"{answer.message}{pieces.cited(answer.clauses)}"
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
        named = [act for act in acts if _begins(act, text)]
        if named and len(text) > 1:
            self._choose(named, "", "1" if len(named) == 1 else "")
            return
        seen, roads = self.sitting.view.seen, self.sitting.view.roads
        match text:
            case "t":
                self._tell(*pieces.table_lines(self.sitting.view, self._columns))
            case "r" if self._columns:
                self._tell(*pieces.road_lines(roads, self._columns))
            case "r":
                self._tell(*pieces.road_words(roads))
            case "i":
                self._tell(*pieces.facts(self.sitting.screen))
            case "l":
                self._tell(*pieces.limits(seen))
            case "h" | "help":
                self._tell(*say("terminal.help").split("\n"))
            case _:
                self._say(say("terminal.strange", text=visible(text)))

    def _enter(self) -> None:
        sitting, shown = self.sitting, self.sitting.screen
        for due in shown.due if shown.owed else shown.due[:1]:
            if due["command"] == DRAW:
                sitting.send_card()
            elif due["awaited"] or any(field["needed"] for field in due["fields"]):
                self._fill(due)
            elif not sitting.send(due, {}, shown.then):
                return

    def _choose(self, acts: Sequence[Document], none: str, text: str = "") -> None:
        if not acts:
            self._say(none)
            return
        if not text.isdecimal():
            self._tell(*(f"{at}. {pieces.act_line(act)}" for at, act in enumerate(acts, 1)))
            text = (self._ask(say("terminal.which")) or "").strip()
        if text.isdecimal() and 0 < int(text) <= len(acts):
            self._fill(acts[int(text) - 1])
        else:
            self._say(say("terminal.nothing"))

    def _fill(self, act: Document) -> None:
        values: dict[str, Any] = {"seat": act["seat"]}
        self._say(pieces.act_line(act))
        for one in asked(act):
            field = self.sitting.field(one, values)
            default = shown(field, field["default"])
            prompt = f"{field['label']} ({hint(field)}){f' [{default}]' if default else ''}: "
            is_read = False
            while not is_read:
                text = self._ask(visible(prompt))
                if text is None or text.strip() == "u":
                    self._say(say("terminal.nothing"))
                    return
                try:
                    values[field["name"]] = read_field(field, text)
                    is_read = True
                except ValueError as error:
                    self._say(visible(str(error)))
        self.sitting.send(act, values)

    def _clauses(self, refused: Iterable[str]) -> None:
        clauses = [*refused] or self.sitting.screen.clauses
        self._tell(*(f"{clause}: {self.sitting.door.says(clause)}" for clause in clauses))
        if not clauses:
            self._say(say("terminal.clauses.none"))


def run_lines(door: Door, ask: Ask, say: Callable[[str], None], columns: int = 0) -> int:
    """Return the number of refused commands."""
    lines = _Lines(door, ask, say, columns)
    lines.run()
    return lines.refused
