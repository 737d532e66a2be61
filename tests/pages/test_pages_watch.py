"""What surveillance looks at: any entry, what was paid and owed, a search, exports, and the alarm."""

from __future__ import annotations

import json
import re
import sqlite3
import sys
import time
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlencode

import pytest
from msgspec.structs import replace

from croupier.records.entry import seal, unseal
from croupier.records.log import replayed
from croupier.server.desks import days
from croupier.server.resources.page_calls import PAGES
from croupier.table.machine.position import Position
from support.page_forms import browser_of, form_of, rows_of, sent
from support.project import ROOT
from support.served import FREELY, Served, answered_here, served
from support.tables import make_table
from support.windows import SCROLLED, dealt, prepared, ready, windows

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")

T: Final = "/tables/MB-101"
# Player 9 against 5, so both stay; $100 on Player wins $100, $50 on Banker loses.
NATURAL: Final = "9h 2c Ts 3d"
# Banker 7 against 6: $100 on Banker wins $100, of which 5% is owed as vigorish.
BANKER: Final = "2h 3c 4s 4d"


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with ready(tmp_path) as one:
        # Who notes anything in a record is assigned to its table.
        assigned = {"type": "AssignOffice", "person": "surveillance", "office": "surveillance"}
        answer = one.person("floorperson").does("MB-101", assigned)
        assert answer.status_code == 200, answer.text
        yield one


def test_what_was_paid_stands_next_to_what_should_have_been(house: Served) -> None:
    dealt(house, NATURAL, {(1, "player"): 10_000, (2, "banker"): 5_000})
    dealt(house, BANKER, {(2, "banker"): 10_000, (1, "tie"): 2_500})
    watch = browser_of(house, "surveillance")
    _, banker, tie = rows_of(watch.get(T).text, "paid")
    # Seat, wager, stake, paid, owed, vigorish, and how they compare.
    assert banker[:7] == ["2", "Banker", "$100", "$100", "$100", "$5", "as owed"]
    assert tie[:7] == ["1", "Tie", "$25", "$0", "$0", "$0", "as owed"]
    # Back in the first round it is the first round's.
    first = house.service.tables["MB-101"].board
    assert first is not None
    text = watch.get(f"{T}?at={first.all[0].last - 1}").text
    assert rows_of(text, "paid")[1][:7] == ["1", "Player", "$100", "$100", "$100", "$0", "as owed"]
    assert "Every wager was paid what it was owed." in text


def test_a_round_is_followed_once_and_from_its_own_beginning(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    followed: list[int] = []

    def counted(position: Position, head: Any) -> Any:
        followed.append(position.sequence + 1)
        return replayed(position, head)

    dealt(house, NATURAL, {(1, "player"): 10_000})
    watch = browser_of(house, "surveillance")
    watch.get(T)
    monkeypatch.setattr(days, "replayed", counted)
    dealer = house.person("dealer")
    index = house.service.tables["MB-101"].board
    assert index is not None
    for _ in range(2):
        # While the next round goes on, nothing of the one before is followed again.
        followed.clear()
        dealt(house, NATURAL, {(1, "player"): 10_000}, upto="ClearLayout")
        watch.get(T)
        assert followed == []
        assert dealer.does("MB-101", {"type": "ClearLayout"}).status_code == 200
        watch.get(T)
        # The round that is over is followed to its last entry, each once, from the last position
        # that was kept before its first one: every eighth is.
        place = index.all[-1]
        assert followed == [*range((place.first - 1) // 8 * 8 + 1, place.last + 1)]


def test_links_step_by_entry_and_by_round(house: Served) -> None:
    for cards in (NATURAL, BANKER, NATURAL):
        dealt(house, cards, {(1, "player"): 10_000})
    watch = browser_of(house, "surveillance")
    text = watch.get(T).text
    index = house.service.tables["MB-101"].board
    assert index is not None
    cleared = [one.last for one in index.all]

    def link(text: str, name: str) -> int | None:
        found = re.search(rf'<a href="[^"]*at=(\d+)[^"]*" id="{name}"', text)
        return None if found is None else int(found[1])

    last = house.service.tables["MB-101"].desk.durable.sequence
    assert link(text, "before") == last - 1
    assert link(text, "after") is None
    # A round is shown with its cards, before they are taken up.
    assert (link(text, "round-before"), link(text, "round-after")) == (cleared[2] - 1, None)
    text = watch.get(f"{T}?at={cleared[1] - 1}").text
    assert (link(text, "round-before"), link(text, "round-after")) == (
        cleared[0] - 1,
        cleared[2] - 1,
    )
    assert (link(text, "before"), link(text, "after")) == (cleared[1] - 2, cleared[1])
    text = watch.get(f"{T}?at={cleared[0] + 2}").text
    assert (link(text, "round-before"), link(text, "round-after")) == (
        cleared[0] - 1,
        cleared[1] - 1,
    )


@pytest.mark.parametrize("first", [True, False])
def test_a_round_that_a_reshuffle_voids_is_a_step_between_rounds(
    house: Served, *, first: bool
) -> None:
    floor, dealer = house.person("floorperson"), house.person("dealer")
    desk = house.service.tables["MB-101"].desk
    dealt(house, NATURAL, {(1, "player"): 10_000})
    before = desk.durable.sequence - 1
    dealt(house, "" if first else "2h 3c 3s", {(1, "player"): 10_000}, upto="SettleWagers")
    empty = {"type": "FindShoeEmpty", "supervisor": "floorperson"}
    assert floor.does("MB-101", empty).status_code == 200
    laid = desk.durable.sequence
    waits = dealer.does("MB-101", {"type": "VoidRound"}).json()["consent"]["id"]
    given = floor.http.post(
        f"/v1{T}/consents/{waits}", json={"consent": True},
        headers={"Idempotency-Key": floor.key()},
    )  # fmt: skip
    assert given.status_code == 200
    watch = browser_of(house, "surveillance")

    def steps(at: int) -> list[int]:
        text = watch.get(f"{T}?at={at}").text
        return [int(one) for one in re.findall(r'at=(\d+)[^"]*" id="round-(?:before|after)"', text)]

    # It is shown with its stakes and cards, before they are taken up.
    assert steps(laid + 1) == [laid]
    assert steps(laid) == [before]
    assert steps(before) == [laid]
    assert "Every wager was paid what it was owed" in watch.get(f"{T}?at={laid}").text


def test_a_search_finds_entries_by_what_happened_and_by_who_did_it(house: Served) -> None:
    dealt(house, NATURAL, {(1, "player"): 10_000, (2, "banker"): 5_000})
    watch = browser_of(house, "surveillance")
    found = rows_of(watch.get(f"{T}?{urlencode({'q': 'no more bets'})}").text, "entries")[1:]
    assert [row[3] for row in found] == ["“No More Bets”"]
    by = rows_of(watch.get(f"{T}?q=patron%202").text, "entries")[1:]
    assert by
    assert all("Patron 2" in " ".join(row) for row in by)
    assert rows_of(watch.get(f"{T}?q=no+such+thing").text, "entries") == []
    # What is asked for is shown again as text, whatever it is.
    assert "<script>x" not in watch.get(f"{T}?{urlencode({'q': '<script>x'})}").text


def test_an_excerpt_is_the_stored_lines_and_is_noted_in_the_record(house: Served) -> None:
    dealt(house, NATURAL, {(1, "player"): 10_000})
    watch = browser_of(house, "surveillance")
    form = {**form_of(watch.get(T).text, "clip-log"), "first": "3", "last": "9"}
    answer = sent(house, watch, f"{T}/clips", form)
    assert answer.status_code == 200, answer.text
    assert answer.headers["content-disposition"] == 'attachment; filename="MB-101-3-9.jsonl"'
    stored = [*house.service.store.lines("MB-101", 0, 9)]
    assert answer.content == b"".join([stored[0], *stored[3:]])
    # Sent again it is one note, and another excerpt is another.
    assert sent(house, watch, f"{T}/clips", form).content == answer.content
    sent(house, watch, f"{T}/clips", {**form, "last": "10"})
    log = b"".join(house.service.store.lines("MB-101", 1, 1000)).decode()
    assert log.count("Exported entries 3 to 9 of the record.") == 2  # in command and event
    assert log.count("Exported entries 3 to 10 of the record.") == 2
    for wrong in ({"first": "0"}, {"last": "9999"}, {"first": "x"}, {"first": "9", "last": "3"}):
        assert sent(house, watch, f"{T}/clips", {**form, **wrong}).status_code == 422
    # Whoever is not assigned to watch this table notes nothing in its record, and exports nothing.
    others = (("surveillance", "Vera"), ("floorperson", ""), ("dealer", ""), ("board", ""))
    for office, person in others:
        other = browser_of(house, office, person)
        found = re.search(r'data-form="(\w+)"', other.get(T).text)
        borrowed = {**form, "form": found[1] if found else ""}
        assert sent(house, other, f"{T}/clips", borrowed).status_code == 403


def test_no_excerpt_goes_beyond_a_card_that_lies_face_down(tmp_path: Path) -> None:
    submission = ROOT / "submissions" / "nj-minibaccarat-total-cards.toml"
    file = tmp_path / "face-down.toml"
    file.write_text(re.sub('pit = ".*"', 'pit = "1"', submission.read_text()))
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        make_table(house, file)
        (name,) = house.service.tables
        house.do(prepared(house, name, 2))
        desk = house.service.tables[name].desk
        dealer, watch = house.person("dealer"), browser_of(house, "surveillance")
        for command in (
            {"type": "PlaceWager", "seat": 1, "wager": "player", "cents": 10_000},
            {"type": "CallNoMoreBets"},
            {"type": "DrawCard", "card": "Kh"},
        ):
            assert dealer.does(name, command).status_code == 200
        assigned = {"type": "AssignOffice", "person": "surveillance", "office": "surveillance"}
        assert house.person("floorperson").does(name, assigned).status_code == 200
        form = form_of(watch.get(f"/tables/{name}").text, "clip-log")
        wanted = {**form, "first": "1", "last": str(desk.durable.sequence)}
        answer = sent(house, watch, f"/tables/{name}/clips", wanted)
        assert answer.status_code == 422
        assert "Kh" not in answer.text


def test_the_report_of_a_round_is_a_pdf(house: Served) -> None:
    pytest.importorskip("typst")
    dealt(house, NATURAL, {(1, "player"): 10_000})
    watch = browser_of(house, "surveillance")
    form = form_of(watch.get(T).text, "clip-pdf")
    answer = sent(house, watch, f"{T}/clips", form)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "application/pdf")
    assert answer.content.startswith(b"%PDF")
    gone = sent(house, watch, f"{T}/clips", {**form, "last": "2"})
    assert gone.status_code == 404


PAID: Final = re.compile(rb'(\{[^{}]*"type":"WagerPaid"[^{}]*"cents":)10000\b')


def overpaid(path: Path) -> int:
    """Have the store say that a wager was paid $900 instead of $100, and seal the entry again."""
    with closing(sqlite3.connect(path)) as store, store:
        store.execute("drop trigger line_stands")
        found = store.execute("select rowid, number, content from line order by number").fetchall()
        row, number, line = [one for one in found if PAID.search(one[2])][-1]
        opened = unseal(line)
        assert opened is not None
        resealed, _ = seal(PAID.sub(rb"\g<1>90000", opened[0]))
        store.execute("update line set content = ? where rowid = ?", (resealed, row))
    return int(number)


@pytest.mark.parametrize("office", ["surveillance", "floorperson"])
def test_an_entry_that_is_not_as_decided_pauses_the_table_and_alarms(
    tmp_path: Path, office: str
) -> None:
    store = tmp_path / "pit.sqlite"
    judged = replace(FREELY, judge_seconds=0.1)
    with served(store, more=PAGES, limits=judged) as house:
        make_table(house)
        house.do(prepared(house, "MB-101", 2))
        dealt(house, NATURAL, {(1, "player"): 10_000}, upto="ClearLayout")
        alarm = house.service.tables["MB-101"].alarm
        wait_for(lambda: alarm.through == house.service.tables["MB-101"].desk.durable.sequence)
        text = browser_of(house, office).get(T).text
        assert f"Entries 1 to {alarm.through} are as decided." in text
    # $100 on Player that wins is paid $100; somebody makes it $900 in the store.
    entry = overpaid(store)
    with served(store, more=PAGES, limits=judged) as house:
        table = house.service.tables["MB-101"]
        wait_for(lambda: bool(table.desk.durable.house.pause))
        assert table.alarm.entry == entry
        assert table.desk.durable.house.pause.startswith(f"entry {entry} is not recorded")
        text = browser_of(house, office).get(T).text
        assert f"Alarm: entry {entry} is not recorded as it is decided (event)." in text
        assert f"Alarm: entry {entry} differs" in browser_of(house, office).get("/tables").text
        refused = house.person("dealer").does("MB-101", {"type": "ClearLayout"})
        assert (refused.status_code, refused.json()["code"]) == (409, "paused")


def test_a_wager_that_was_paid_otherwise_than_owed_stands_out(tmp_path: Path) -> None:
    store = tmp_path / "pit.sqlite"
    with ready(tmp_path) as house:
        dealt(house, NATURAL, {(1, "player"): 10_000})
    overpaid(store)
    with served(store, more=PAGES, limits=replace(FREELY, judge_seconds=0)) as house:
        text = browser_of(house, "surveillance").get(T).text
        assert rows_of(text, "paid")[1][3:7] == ["$900", "$100", "$0", "$800"]
        assert "Wagers paid otherwise than owed: 1" in text


CUT: Final = """() => [...document.querySelectorAll('#paid :is(th, td), #paid p, #alarm *, #entries tbody tr')]
  .filter((one) => one.checkVisibility() && !one.closest('.unseen') && getComputedStyle(one).clipPath === 'none')
  .map((one) => [one, one.getBoundingClientRect(), one.closest('section').getBoundingClientRect()])
  .filter(([one, box, part]) => box.right > part.right + 1 || box.bottom > part.bottom + 1
    || one.scrollWidth > one.clientWidth + 1 && one.clientWidth && !one.closest('#entries'))
  .map(([one]) => one.outerHTML.slice(0, 80))"""
"""What is said of a difference and cannot be seen whole, and entries that are scrolled to."""


def test_a_difference_is_seen_whole_beside_the_last_entries(
    tmp_path: Path, browser: Browser
) -> None:
    store = tmp_path / "pit.sqlite"
    with ready(tmp_path) as house:
        for _ in range(2):
            dealt(house, NATURAL, {(1, "player"): 10_000, (2, "banker"): 25_000})
    entry = overpaid(store)
    judged = replace(FREELY, judge_seconds=0.1)
    with served(store, more=PAGES, limits=judged) as house, windows(browser, house) as opened:
        table = house.service.tables["MB-101"]
        wait_for(lambda: bool(table.desk.durable.house.pause))
        for office in ("surveillance", "floorperson"):
            page = opened.page(office)
            page.locator("#alarm .alarmed", has_text=f"entry {entry} is not").wait_for()
            sizes = ((1024, 768), (1280, 800), *(() if office == "surveillance" else ((360, 740),)))
            for width, height in sizes:
                page.set_viewport_size({"width": width, "height": height})
                assert page.evaluate(SCROLLED) == [], (office, width)
                assert page.evaluate(CUT) == [], (office, width)
            if office == "surveillance":
                assert page.locator("#entries tbody tr").count() == 15


def wait_for(is_so: Any) -> None:
    end = time.monotonic() + 20
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.05)


def test_odds_follow_the_cards_as_they_fall(house: Served) -> None:
    dealt(house, "9h 2c", {(1, "player"): 10_000}, upto="SettleWagers")
    watch = browser_of(house, "surveillance")
    text = watch.get(f"{T}?odds=1").text
    place = re.search(r'data-parts="([^"]+)"', text)
    assert place is not None
    before = json.loads(watch.get(place[1]).text)["html"]
    first = rows_of(before, "odds")
    assert first[0] == ["Wager", "Expectation of a unit staked"]
    for card in ("Ts", "3d"):
        answer = house.person("dealer").does("MB-101", {"type": "DrawCard", "card": card})
        assert answer.status_code == 200
    # With Player 9 against 5 nothing is open any more: Player wins one to one, and the Tie loses.
    after = {
        row[0]: row[1] for row in rows_of(json.loads(watch.get(place[1]).text)["html"], "odds")
    }
    assert (after["Player"], after["Banker"], after["Tie"]) == ("+100.0000%", "-100.0000%",
                                                                "-100.0000%")  # fmt: skip


def test_a_service_without_the_extra_says_so_and_notes_nothing(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    dealt(house, NATURAL, {(1, "player"): 10_000})
    watch = browser_of(house, "surveillance")
    form, last = form_of(watch.get(T).text, "clip-pdf"), house.service.tables["MB-101"].desk.durable
    answered_here(monkeypatch)
    monkeypatch.setitem(sys.modules, "typst", None)
    answer = sent(house, watch, f"{T}/clips", form)
    assert answer.status_code == 501
    assert "croupier[reports]" in answer.text
    assert house.service.tables["MB-101"].desk.durable is last
