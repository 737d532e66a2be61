"""The full-screen interface. Needs textual."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import Any, ClassVar, Final

from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.screen import ModalScreen
from textual.widgets import Input, Label, OptionList, Static

from croupier.cli.tables.sitting import pieces
from croupier.cli.tables.sitting.answers import asked, hint, read_field, shown
from croupier.cli.tables.sitting.door import Document, Door
from croupier.cli.tables.sitting.sitting import TerminalSitting
from croupier.reports.figures import visible
from croupier.reports.words import DRAW, say

_DEALER: Final = "dealer"
_POLL: Final = 0.5
_NARRATED: Final = 60
_ROAD_COLUMNS: Final = 34
_ALL_COLUMNS: Final = 70


class TableApp(App[None]):
    """The full-screen application of a table."""

    CSS = """
    Screen { layout: vertical; background: $background; }
    ModalScreen { align: center middle; background: $background 60%; }
    #heading { height: 1; text-style: bold; padding: 0 1; background: $panel; }
    #next { height: auto; max-height: 9; padding: 0 1; border-left: thick $accent; }
    #pad { height: 1; padding: 0 1; text-style: bold; }
    #answer { height: auto; max-height: 4; padding: 0 1; text-style: bold; color: $text-error;
              display: none; }
    #middle { height: 1fr; }
    #left { width: 1fr; padding: 0 1; }
    #right { width: 1fr; padding: 0 1; border-left: solid $panel; }
    .title { text-style: bold; color: $text-accent; }
    #keys { height: auto; padding: 0 1; background: $panel; color: $text-muted; }
    """
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = []

    def __init__(self, door: Door, sitting: TerminalSitting | None = None) -> None:
        super().__init__()
        self.sitting: Final = TerminalSitting(door) if sitting is None else sitting
        self._connection = door.connection
        self._sending = False
        self._turn: Final = asyncio.Lock()

    def compose(self) -> ComposeResult:
        """Lay out the screen."""
        yield Static(id="heading", markup=False)
        yield Static(id="next", markup=False)
        yield Static(id="pad", markup=False)
        yield Static(id="answer", markup=False)
        with Horizontal(id="middle"):
            with VerticalScroll(id="left", can_focus=False):
                yield Static(say("hands"), classes="title")
                yield Static(id="hands", markup=False)
                yield Static(say("terminal.seats"), classes="title")
                yield Static(id="seats", markup=False)
                yield Static(say("big_road"), classes="title")
                yield Static(id="roads", markup=False)
            with VerticalScroll(id="right", can_focus=False):
                yield Static(say("terminal.record"), classes="title", id="right-title")
                yield Static(id="record", markup=False)
        yield Static(id="keys", markup=False)

    async def on_mount(self) -> None:
        """Show the table and start to poll for changes."""
        await self._refresh()
        if self.sitting.door.is_remote:
            self.set_interval(_POLL, self._heard)

    async def _call(self, work: Callable[[], Any]) -> Any:
        if self.sitting.door.is_remote:
            return await asyncio.to_thread(work)
        return work()

    async def _heard(self) -> None:
        if not self._turn.locked():
            await self._refresh(only_new=True)

    async def _refresh(self, *, only_new: bool = False) -> None:
        sitting = self.sitting
        async with self._turn:
            before = (sitting.look, sitting.answer, self._connection)
            new = await self._call(sitting.refresh)
            self._connection = sitting.door.connection
        if new or not only_new or before != (sitting.look, sitting.answer, self._connection):
            self._show()

    def _put(self, name: str, lines: Sequence[str]) -> None:
        self.query_one(f"#{name}", Static).update(Content("\n".join(lines)))

    def _show(self) -> None:
        sitting, seen = self.sitting, self.sitting.look.seen
        self._put("heading", [pieces.heading(sitting)])
        self._put("next", pieces.next_lines(sitting))
        self._put("pad", [self._pad()])
        self._answer()
        self._put("hands", pieces.hands(seen))
        self._put("seats", pieces.seats(seen))
        columns = max(_ROAD_COLUMNS, self.size.width // 2 - 6)
        self._put("roads", pieces.road_lines(sitting.look.roads, columns, ("big_road",))[1:])
        self._record()
        self._put("keys", [say(self._keys())])

    def _keys(self) -> str:
        sitting, door = self.sitting, self.sitting.door
        if not sitting.gives and not sitting.asked:
            return "keys.terminal.reading"
        deals = not door.is_remote or door.office == _DEALER
        return "keys.terminal" if deals else "keys.terminal.acting"

    def _record(self) -> None:
        owed = pieces.pay_lines(self.sitting)
        lines = owed or pieces.narrated(self.sitting.told[-_NARRATED:])
        self._put("right-title", [say("pay" if owed else "terminal.record")])
        self._put("record", lines or [say("terminal.told.none")])
        right = self.query_one("#right", VerticalScroll)
        if owed:
            right.scroll_home(animate=False)
        else:
            right.scroll_end(animate=False)

    def _pad(self) -> str:
        sitting = self.sitting
        if self._sending:
            return say("terminal.sending")
        if not self._connection.is_live:
            return say("terminal.nothing.here")
        if sitting.draw is not None and sitting.door.cards == "sealed":
            return say("terminal.enter.sealed")
        if sitting.draw is not None:
            card = sitting.entered
            if len(card) == 2:
                return say("terminal.enter.card", card=pieces.card(card))
            ends = "terminal.card.suit" if card else "terminal.card.rank"
            return say(ends, card=f"{card or '_'}_")
        if sitting.due is None:
            return ""
        return say("terminal.enter.asks" if sitting.needs(sitting.due) else "terminal.enter.does")

    def _answer(self) -> None:
        widget, answer = self.query_one("#answer", Static), self.sitting.answer
        widget.display = answer is not None
        if answer is not None:
            told = f"{answer.message}{pieces.cited(answer.clauses)}"
            widget.update(Content(visible(say("refused", why=told) if answer.refused else told)))

    # --- keys ---

    async def on_key(self, event: events.Key) -> None:
        """Handle a key, unless a form is open."""
        if len(self.screen_stack) > 1:
            return
        character, sitting = event.character or "", self.sitting
        if event.key == "enter":
            await self._enter()
        elif event.key in {"u", "escape", "backspace"}:
            sitting.cancel()
            self._show()
        elif sitting.gives and sitting.key(character):
            self._show()
        elif character in {"y", "n"} and sitting.asked:
            await self._consent(given=character == "y")
        elif character in _LISTS:
            await self._open(character)
        elif character == "x":
            self.exit()
        else:
            return
        event.stop()

    async def _open(self, character: str) -> None:
        sitting, look = self.sitting, self.sitting.look
        match character:
            case "o":
                self._choose(say("acts"), sitting.others)
            case "!":
                self._choose(say("irregular"), sitting.irregular)
            case "?":
                self.push_screen(Pages(say("terminal.clauses"), self._clauses()))
            case "r":
                lines = pieces.road_lines(look.roads, _ALL_COLUMNS)
                self.push_screen(Pages(say("roads"), lines))
            case "l":
                self.push_screen(Pages(say("terminal.limits.title"), pieces.limits(look.seen)))
            case _:
                self.push_screen(
                    Pages(say("terminal.record"), pieces.narrated(sitting.told), end=True)
                )

    def _clauses(self) -> list[str]:
        sitting = self.sitting
        cited = [*sitting.answer.clauses] if sitting.answer is not None else []
        due = sitting.due
        cited = cited or ([*due["clauses"]] if due is not None else [])
        if due is not None and due["command"] == DRAW and sitting.look.seen["prompt"]:
            cited += sitting.look.seen["prompt"]["clauses"]
        lines = [f"{one}: {visible(sitting.door.says(one))}" for one in dict.fromkeys(cited)]
        return lines or [say("terminal.clauses.none")]

    def _choose(self, title: str, acts: Sequence[Document]) -> None:
        async def chosen(act: Document | None) -> None:
            if act is not None:
                await self._fill(act)

        if acts:
            self.push_screen(Choosing(title, acts), chosen)
        else:
            self.push_screen(Pages(title, [say("terminal.kind.none")]))

    async def _fill(self, act: Document) -> None:
        async def filled(values: Document | None) -> None:
            if values is not None:
                await self._done(lambda: self.sitting.send(act, values))

        if asked(act):
            self.push_screen(Filling(self.sitting, act), filled)
        else:
            await self._done(lambda: self.sitting.send(act, {}))

    async def _enter(self) -> None:
        sitting, due = self.sitting, self.sitting.due
        if sitting.draw is not None and (sitting.entered or due is sitting.draw):
            if len(sitting.entered) != 1:
                await self._done(sitting.send_card)
        elif due is not None and sitting.needs(due):
            await self._fill(due)
        elif due is not None:
            await self._done(lambda: sitting.send(due, {}))

    async def _consent(self, *, given: bool) -> None:
        await self._done(lambda: self.sitting.consent(given=given))

    async def _done(self, work: Callable[[], bool]) -> None:
        if self._sending:
            return
        if not self.sitting.door.is_remote:
            work()
            await self._refresh()
            return
        self._sending = True
        self._put("pad", [self._pad()])
        self.run_worker(self._send(work))

    async def _send(self, work: Callable[[], bool]) -> None:
        try:
            await self._call(work)
        finally:
            self._sending = False
        await self._refresh()


_LISTS: Final = frozenset("o!?rln")


class _Box(ModalScreen[Any]):
    CSS = """
    #box { width: 76; height: auto; max-height: 22; border: round $accent; padding: 0 1;
           background: $surface; }
    #body { height: auto; max-height: 18; }
    OptionList { height: auto; max-height: 18; border: none; }
    .title { text-style: bold; color: $text-accent; }
    .wrong { color: $text-error; text-style: bold; height: auto; }
    Input { border: none; height: 1; padding: 0; background: $boost; }
    Label { width: 100%; height: auto; }
    """

    def __init__(self, title: str) -> None:
        super().__init__()
        self._title: Final = title

    def compose(self) -> ComposeResult:
        with Vertical(id="box"):
            yield Label(Content(self._title), classes="title")
            yield from self.body()

    def body(self) -> ComposeResult:
        yield from ()

    def key_escape(self) -> None:
        self.dismiss(None)


class Pages(_Box):
    """Text pages; scroll keys scroll, any other key closes."""

    def __init__(self, title: str, lines: Sequence[str], *, end: bool = False) -> None:
        super().__init__(title)
        self._lines: Final = lines
        self._end: Final = end

    def body(self) -> ComposeResult:
        """Lay out the text."""
        with VerticalScroll(id="body"):
            yield Static(Content("\n".join(self._lines)))

    def on_mount(self) -> None:
        """Scroll to the relevant line."""
        body = self.query_one("#body", VerticalScroll)
        body.focus()
        if self._end:
            body.scroll_end(animate=False)

    def on_key(self, event: events.Key) -> None:
        """Close, unless the key scrolls."""
        if event.key not in {"up", "down", "pageup", "pagedown", "home", "end", "escape"}:
            event.stop()
            self.dismiss(None)


class Choosing(_Box):
    """A list of acts to choose from."""

    def __init__(self, title: str, acts: Sequence[Document]) -> None:
        super().__init__(title)
        self._acts: Final = acts

    def body(self) -> ComposeResult:
        """Lay out the list."""
        yield OptionList(*(Content(pieces.act_line(one)) for one in self._acts))

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """Close with the chosen act."""
        self.dismiss(self._acts[event.option_index])


class Filling(_Box):
    """A form for the fields of an act; Enter on the last field submits it."""

    def __init__(self, sitting: TerminalSitting, act: Document) -> None:
        super().__init__(pieces.act_line(act))
        self._sitting: Final = sitting
        self._fields: Final = asked(act)
        self._values: dict[str, Any] = {"seat": act["seat"]}

    def body(self) -> ComposeResult:
        """Lay out a label and an input for each field."""
        with VerticalScroll(id="body", can_focus=False):
            for at in range(len(self._fields)):
                yield Label(id=f"label-{at}", markup=False)
                yield Input(id=f"field-{at}", select_on_focus=True)
            yield Label(id="wrong", classes="wrong", markup=False)
        yield Label(Content(say("terminal.fields")))

    def on_mount(self) -> None:
        """Focus the first field."""
        for at in range(len(self._fields)):
            self._label(at)
        self.query_one("#field-0", Input).focus()

    def _label(self, at: int) -> None:
        field = self._sitting.field(self._fields[at], self._values)
        line = self.query_one(f"#field-{at}", Input)
        line.placeholder = shown(field, field["default"])
        told = visible(f"{field['label']}: {hint(field)}")
        self.query_one(f"#label-{at}", Label).update(Content(told))

    def on_input_submitted(self, event: Input.Submitted) -> None:
        """Validate the fields up to this one, then go to the next or submit."""
        here = int((event.input.id or "").removeprefix("field-"))
        for at in range(here + 1):
            field = self._sitting.field(self._fields[at], self._values)
            line = self.query_one(f"#field-{at}", Input)
            try:
                self._values[field["name"]] = read_field(field, line.value)
            except ValueError as error:
                self.query_one("#wrong", Label).update(Content(visible(str(error))))
                line.focus()
                return
        self.query_one("#wrong", Label).update("")
        if here + 1 == len(self._fields):
            self.dismiss(self._values)
            return
        for at in range(here + 1, len(self._fields)):
            self._label(at)
        self.query_one(f"#field-{here + 1}", Input).focus()


def run_screen(door: Door) -> None:
    """Run the full-screen interface of a table."""
    TableApp(door).run()
