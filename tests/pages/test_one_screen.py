"""Pages, the terminal, and the JSON of a table say the same in the same order, at every moment."""

from __future__ import annotations

import io
import re
import time
from collections.abc import Iterable, Iterator, Mapping
from datetime import date
from html import unescape
from operator import itemgetter
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
from rich.console import Console

from croupier.acts import Command
from croupier.acts.command import TERMS
from croupier.acts.roles import LOOKS, OfficePage, Role
from croupier.cli.records.table_log import LogDoor
from croupier.cli.tables.deal_shown import DealShown, live_table
from croupier.cli.tables.sitting import lines
from croupier.cli.tables.sitting.served import served_table, view_of
from croupier.cli.tables.sitting.sitting import TerminalSitting
from croupier.law.resolve import using
from croupier.law.usage import Currency, Usage, under
from croupier.reports.screen import Screen, face, named_patron, screen
from croupier.reports.words import DRAW, dollars
from croupier.rules import read_rules
from croupier.scenarios.autopilot import Autopilot
from croupier.server.resources.page_calls import PAGES
from croupier.table.cards.chance import Chance
from croupier.table.machine.core import Events
from croupier.table.machine.session import TableSession
from croupier.table.machine.state import Phase
from support.moments import ended, moments
from support.page_forms import browser_of, part_of
from support.project import PLAIN, ROOT
from support.served import Served, served
from support.sources import PACKAGE
from support.tables import make_table

if TYPE_CHECKING:
    from croupier.records.view.documents import ActSeen

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "MB-101"
OFFICES: Final = tuple(role for role in LOOKS if role not in {Role.MACHINE, Role.SUPERVISOR})
GRANTS: Final[Mapping[str, dict[str, Any]]] = {
    Role.PATRON: {"person": "Patron 1", "seat": 1, "tables": (T,)}
}


def read(html: str) -> str:
    """Return what a person reads of markup."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


class Faces:
    """A table as its page, a terminal, and the JSON have it for one office."""

    def __init__(self, house: Served, office: Role) -> None:
        grant = GRANTS.get(office, {})
        self.office = office
        self.page: str = browser_of(house, office, **grant).get(f"/tables/{T}").text
        person = house.person(office, **grant)
        looked = person.sees(f"/v1/tables/{T}/look")
        self.json: Screen = screen(view_of(office, looked))
        with served_table(house.place, person.token) as door:
            self.sitting = TerminalSitting(door)
        self.heading = lines.heading(self.sitting)
        self.table = lines.table_lines(self.sitting.view, 80)
        self.next = lines.next_lines(self.sitting)

    def every(self, pattern: str) -> list[str]:
        """Return the texts of a page that match a pattern, in their order."""
        return [read(one) for one in re.findall(pattern, self.page, re.DOTALL)]


@pytest.fixture(scope="module")
def faces(tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, list[Faces]]:
    """Every office at every moment."""
    folder: Path = tmp_path_factory.mktemp("faces")
    with served(folder / "pit.sqlite", more=PAGES) as house:
        make_table(house)
        found = {one: [Faces(house, office) for office in OFFICES] for one in moments(house)}
    with served(folder / "short.sqlite", more=PAGES) as house:
        make_table(house)
        house.do(ended(house))
        return found | {"end of shoe": [Faces(house, office) for office in OFFICES]}


def all_of(faces: Mapping[str, list[Faces]]) -> Iterator[tuple[str, Faces]]:
    return ((f"{moment}, {one.office}", one) for moment, found in faces.items() for one in found)


def test_hands_are_the_same_from_the_same_side(faces: Mapping[str, list[Faces]]) -> None:
    for where, one in all_of(faces):
        hands = [shown.hand["hand"].capitalize() for shown in one.json.hands]
        results = [shown.result for shown in one.json.hands if shown.result]
        assert [line.split()[0] for line in one.table[:2]] == hands, where
        for line, shown in zip(one.table, one.json.hands, strict=False):
            assert all(face(card) in line for card in shown.hand["cards"]), where
            assert line.endswith(shown.result), where
        if Role(one.office).office.page is not OfficePage.BOOKS:
            drawn = one.every(r'<div class="hand [^"]*"><h3>(.*?)</h3>')
            assert [said.split()[0] for said in drawn] == hands, where
            if one.office != Role.BOARD:
                assert one.every(r'<span class="won[^"]*">(.*?)</span>') == results, where


def test_seats_stand_as_the_office_sees_them(faces: Mapping[str, list[Faces]]) -> None:
    for where, one in all_of(faces):
        order = [str(seat["seat"]) for seat in one.json.seats]
        assert order == [*"1234567"][:: 1 if one.json.side == "patrons" else -1], where
        for head in re.findall(r"Seats and stakes</caption><thead>(.*?)</thead>", one.page):
            assert re.findall(r"<th[^>]*>(\d)", head) == order, where
        listed = [line.split()[0] for line in one.table if re.match(r" \d ", line)]
        assert listed == [seat for seat in order if seat in listed], where


def test_the_state_of_the_table_is_said_once(faces: Mapping[str, list[Faces]]) -> None:
    for where, one in all_of(faces):
        assert f" · {one.json.status} · " in one.heading, where
        if Role(one.office).office.page is not OfficePage.SEAT:
            assert one.json.status in read(one.page), where


def commands(acts: Iterable[ActSeen]) -> list[str]:
    """Return the commands of acts, each once: a page asks the seat of those that differ in it."""
    return [*dict.fromkeys(one["command"] for one in acts)]


def test_what_is_next_is_the_same_act_with_the_same_defaults(
    faces: Mapping[str, list[Faces]],
) -> None:
    for where, one in all_of(faces):
        shown, terminal = one.json, one.sitting.screen
        assert (terminal.prompt, terminal.press, terminal.due) == (
            shown.prompt, shown.press, shown.due), where  # fmt: skip
        said = shown.press or shown.prompt or shown.status
        if shown.amounts and shown.prompt and said != shown.prompt:
            # The page has the sums of a settlement over the button of the act.
            said += f": {shown.prompt[:1].lower()}{shown.prompt[1:]}"
        assert one.next[0] == said + lines.cited(shown.clauses), where
        if one.office == Role.BOARD:
            continue
        assert one.every(r'<p[^>]* id="due"[^>]*>(.*?)</p>') == [read(shown.prompt)], where
        if Role(one.office).office.page is OfficePage.WATCH:
            continue
        assert one.every(r'<p class="prompt">(.*?)</p>')[0].startswith(read(shown.prompt)), where
        part = part_of(one.page, "next")
        made = re.findall(r'<form[^>]*data-command="(\w+)"', part)
        assert [*dict.fromkeys(made)] == commands(shown.due), where
        for act in shown.due[:1]:
            if act["command"] != DRAW:
                # One form has the seats of an act that several may do.
                one_seat = shown.owed or commands(shown.due) == [
                    *map(itemgetter("command"), shown.due)
                ]
                said = shown.press if one_seat else TERMS[act["command"]].plain_title
                assert read(f"<b>{said}") in read(part), where
        for amount in shown.owed.values():
            assert dollars(amount) in read(part), where


def test_what_lies_in_drawers_has_one_order(faces: Mapping[str, list[Faces]]) -> None:
    for where, one in all_of(faces):
        shown, listed = one.json, one.sitting.listed
        assert listed == [*shown.due, *shown.awaited, *shown.others], where
        assert one.sitting.screen.irregular == shown.irregular, where
        drawn = re.findall(r'<details id="other-([A-Za-z]+)', one.page)
        page = Role(one.office).office.page
        if page is OfficePage.SEAT:
            assert drawn == [name for name in commands(shown.others) if "Wager" not in name], where
        elif page is not OfficePage.BOARD:
            assert [*dict.fromkeys(drawn)] == commands([*shown.awaited, *shown.others]), where
        asked = re.findall(r'<details id="ask-([A-Za-z]+)', one.page)
        if page in {OfficePage.DEALER, OfficePage.FLOOR, OfficePage.WATCH}:
            assert [*dict.fromkeys(asked)] == commands(shown.irregular), where


def test_what_is_next_names_its_totals(faces: Mapping[str, list[Faces]]) -> None:
    prompts = {where: one.json.prompt for where, one in all_of(faces)}
    # Seats 2, 3, 5, and 7 have $50 on each of Player, Tie, and Banker; Tie pays 8 to 1.
    assert prompts["decided, dealer"] == "Pay $1,600"
    fill = "Fill 1: ten $100 chips, $1,000"
    assert prompts["requested, cage"] == f"Send the chips of a fill to the table. {fill}"
    assert prompts["end of shoe, dealer"].startswith("Collect $")
    assert " of vigorish from " in prompts["end of shoe, dealer"]
    # Five patrons owe vigorish; the sentence names them once.
    documented = "Seats 1 to 5: document the vigorish of a seat on a Form"
    assert prompts["end of shoe, pit clerk"] == documented
    assert " until you let it go on, " in prompts["paused, floorperson"]
    assert " until the floorperson resumes it" in prompts["paused, dealer"]


@pytest.mark.under("au-nsw/mini-baccarat@2004-01-01")
def test_totals_have_the_sign_of_the_law() -> None:
    prompts: list[str] = []
    with using([ROOT / "examples" / "laws"]), under(Usage(Currency("AUD", "A$"))):
        session = TableSession(read_rules(ROOT / "examples" / "laws" / "au-nsw" / "table.toml"))

        def note(command: Command, events: Events) -> None:
            del command, events
            if session.announced and session.announced.after.state.phase is Phase.DECIDED:
                told = TableSession(session.rules, position=session.announced.after)
                prompts.append(screen(LogDoor(told, {Role.DEALER: ""}).look()).prompt)

        session.listeners.append(note)
        pilot = Autopilot(session, Chance(7), patrons=3)
        pilot.open(date(2004, 1, 1))
        pilot.play_shoe(5)
    assert any(" then " in one for one in prompts)
    assert [one for one in prompts if one.count("A$") != one.count("$")] == []


DECIDED: Final = re.compile(
    r'\["must"\]|Role\(.*\)\.side\b'
    r'|say\("(?:next\.(?:none|other|paused|consent|off\.duty)|bet\.(?:open|closed)|waiting'
    r'|collect\.(?:due|all)|status\.paused)"'
)
"""What the screen alone decides: what must be done, from which side it is seen; its sentences."""


def test_no_renderer_decides_again() -> None:
    found = [
        f"{path.relative_to(PACKAGE)}: {one[0]}"
        for faces in ("server/pages/*.py", "cli/tables/sitting/*.py", "cli/tables/deal*.py")
        for path in sorted(PACKAGE.glob(faces))
        for one in DECIDED.finditer(path.read_text("utf-8"))
    ]
    assert found == []


def test_a_decision_of_a_renderer_is_found() -> None:
    for text in ('one["must"]', "Role(look.session.office).side", 'say("next.none")'):
        assert DECIDED.search(text), text


def test_amounts_stand_in_the_order_of_the_hands(faces: Mapping[str, list[Faces]]) -> None:
    counted = 0
    for where, one in all_of(faces):
        shown = one.json
        assert one.sitting.screen.amounts == shown.amounts, where
        assert lines.line_texts(one.sitting.screen.amounts) == [
            said for line in shown.amounts
            for said in (line["text"], *(f"  {told}" for told in line["details"]))
        ], where  # fmt: skip
        steps = re.findall(r'<ol class="steps">(.*?)</ol></li></ol>', one.page)
        if Role(one.office).office.page not in {
            OfficePage.BOARD,
            OfficePage.SEAT,
            OfficePage.WATCH,
        }:
            told = [
                read(said) for line in shown.amounts for said in (line["text"], *line["details"])
            ]
            drawn = [
                one for step in steps for one in re.findall(r"<b>(.*?)</b>|<li>([^<]+)<", step)
            ]
            assert [read("".join(one)) for one in drawn] == told, where
            counted += len(told)
        marks = re.findall(r'<td class="stake [^"]*"><i>(\d+)</i>', one.page)
        if Role(one.office).office.page not in {OfficePage.BOARD, OfficePage.BOOKS}:
            assert sorted(map(int, marks)) == [*range(1, len(shown.settled) + 1)], where
        if shown.says is not None:
            assert " ".join(shown.says) in one.next, where
            assert read(" ".join(shown.says)) in one.every(r'<p class="spoken">(.*?)</p>'), where
    assert counted


def test_pending_consents_are_the_same_sentences(faces: Mapping[str, list[Faces]]) -> None:
    asked = own = 0
    for where, one in all_of(faces):
        assert one.sitting.screen.consents == one.json.consents, where
        lines = one.next[-len(one.json.consents) :] if one.json.consents else []
        drawn = re.findall(r'<form[^>]*id="consent-.*?</form>', one.page, re.DOTALL)
        assert len(drawn) == len(one.json.consents), where
        for form, line, pending in zip(drawn, lines, one.json.consents, strict=True):
            for said in (pending.words, pending.asked, pending.needs):
                assert said in read(form), where
                assert said in line, where
            assert ("y consents" in line) is ('value="yes"' in form) is not pending.is_own, where
            own, asked = own + pending.is_own, asked + (not pending.is_own)
    assert asked
    assert own


def test_facts_at_a_glance_have_one_order(faces: Mapping[str, list[Faces]]) -> None:
    for where, one in all_of(faces):
        told = {
            name: said if isinstance(said, str) else " ".join(said)
            for name, said in one.json.facts.items()
        }
        listed = [line.partition(": ")[0] for line in lines.facts(one.sitting.screen)]
        assert [*dict.fromkeys(listed)] == [*told], where
        if Role(one.office).office.page in {OfficePage.BOARD, OfficePage.SEAT}:
            continue
        drawn = part_of(one.page, "facts")
        found = re.findall(r"<dt>(.*?)</dt><dd>(.*?)</dd>", drawn)
        assert [(read(name), read(said)) for name, said in found] == [*told.items()], where


@pytest.mark.parametrize("columns", [40, 80, 120])
def test_a_live_deal_says_the_same_in_the_same_order(
    columns: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    page = io.StringIO()
    out = Console(file=page, width=columns, height=200, force_terminal=True, color_system=None)
    rules = read_rules(PLAIN)
    session = TableSession(rules)
    screens: list[Screen] = []

    def note(command: Command, events: Events) -> None:
        del command, events
        if session.announced and session.announced.after.state.phase is Phase.DECIDED:
            told = TableSession(rules, position=session.announced.after)
            screens.append(screen(LogDoor(told, {Role.DEALER: ""}).look()))

    session.listeners += [note, DealShown(out, rules, live_sitting=live_table(session))]
    pilot = Autopilot(session, Chance(7), patrons=3)
    pilot.open(date(2011, 2, 22))
    pilot.play_shoe(3)
    drawn = page.getvalue().split("\x1b[2J")[1:]
    assert len(drawn) == len(screens) == 3
    for text, shown in zip(drawn, screens, strict=True):
        assert all(len(line) <= columns for line in text.splitlines())
        # Roads stand on the right of a wide terminal.
        left = re.sub(
            r" {3,}(?:Bead plate|Big road|[.BPT]\d?(?: .*)?)$", "", text, flags=re.MULTILINE
        )
        said = [shown.status]
        for hand, result in shown.hands:
            said += [hand["hand"].capitalize(), *map(face, hand["cards"]), result]
        said += [f" {seat['seat']} {named_patron(seat)}" for seat in shown.seats if seat["taken"]]
        said += [shown.press, *shown.clauses]
        for line in shown.amounts:
            said += [line["text"], *line["details"]]
        at, read_text = 0, "".join(left.split())
        for sentence in filter(None, said):
            found = read_text.find("".join(sentence.split()), at)
            assert found >= 0, (sentence, text)
            at = found + len("".join(sentence.split()))
        # At every width, rows are broken only between the parts of a seat.
        lying = left[left.index("\nBanker  ") : left.index("\nNext: ")].split("\n")[1:]
        assert all(re.match(r"(?:Banker|Player)  | \d |    · |$", row) for row in lying), text


def test_a_live_deal_keeps_its_hands_on_a_low_terminal(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(time, "sleep", lambda _: None)
    page = io.StringIO()
    out = Console(file=page, width=80, height=16, force_terminal=True, color_system=None)
    session = TableSession(read_rules(PLAIN))
    session.listeners.append(DealShown(out, session.rules, live_sitting=live_table(session)))
    pilot = Autopilot(session, Chance(7))
    pilot.open(date(2011, 2, 22))
    pilot.play_shoe(1)
    rows = page.getvalue().split("\x1b[2J")[1].splitlines()
    assert len(rows) < 16
    assert rows[-1] == "…"
    assert [row for row in rows if row.startswith("Banker ")]
