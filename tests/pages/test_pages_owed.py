"""Acts with their amounts filled in: vigorish at the end of a shoe, and a relief."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date, timedelta
from pathlib import Path

import httpx
import pytest

from croupier.acts import CollectVigorish, DecideDispute
from croupier.cli.tables.sitting.lines import run_lines
from croupier.cli.tables.sitting.served import served_table
from croupier.rules import read_rules
from croupier.server.pages.forms import FormError, commands_of
from croupier.server.resources.page_calls import PAGES
from croupier.table.irregular.disputes import Dispute, Disputes
from croupier.table.machine.core import new_table
from croupier.table.machine.house import House
from croupier.table.machine.offered import acts as offered
from croupier.table.machine.state import with_slice
from support.moments import ended, royal_9
from support.page_forms import browser_of, part_of
from support.served import NJ, Served, served
from support.tables import make_table
from support.windows import SCROLLED, Opened, dealt, prepared

pytest_plugins = ["support.page_fixtures"]
pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with served(tmp_path / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        one.do(ended(one))
        yield one


def owed(house: Served) -> dict[int, int]:
    state = house.service.tables["MB-101"].desk.durable.state
    return {seat: one.owed_cents for seat, one in state.seats.items() if one.owed_cents}


@pytest.mark.parametrize("scripts", [True, False])
def test_one_press_collects_the_vigorish_of_every_seat(
    opened: Opened, house: Served, *, scripts: bool
) -> None:
    page = opened.page("dealer", java_script_enabled=scripts)
    due = owed(house)

    assert len(due) > 1
    sequence = house.service.tables["MB-101"].desk.durable.sequence
    for seat, cents in due.items():
        field = page.locator(f"#CollectVigorish-{seat}-cents-cents")
        assert field.input_value() == f"{cents / 100:.2f}".removesuffix(".00")
        assert f"Seat {seat}: ${cents / 100:.2f}".removesuffix(".00") in page.inner_text("#next")
    total = f"Collect all: ${sum(due.values()) / 100:.2f}".removesuffix(".00")
    assert page.inner_text("#next .primary") == total
    if scripts:
        page.locator("body[data-state=live]").wait_for()
        page.keyboard.press("Enter")
        page.locator("#next .primary", has_text="Collect all").wait_for(state="detached")
    else:
        page.click("#next .primary")
    assert owed(house) == {}
    # An entry for each seat, with its clauses.
    table = house.service.tables["MB-101"]
    entries = house.do(table.past.entries(sequence + 1, table.desk.durable.sequence))
    assert [one.command for one in entries] == [CollectVigorish(seat) for seat in due]
    assert all(event.clauses for one in entries for event in one.events)


def test_a_label_on_a_phone_is_not_set_letter_below_letter(opened: Opened, house: Served) -> None:
    (first, *_), dealer = owed(house), house.person("dealer")
    for seat in owed(house):
        if seat != first:
            collected = {"type": "CollectVigorish", "seat": seat}
            assert dealer.does("MB-101", collected).status_code == 200
    page = opened.page("dealer", width=360)
    page.set_viewport_size({"width": 360, "height": 740})
    label, bounds = (
        page.locator(f".due .field > {one}").bounding_box() for one in ("span", "small")
    )
    assert label is not None
    assert bounds is not None
    assert label["height"] < 30
    assert bounds["x"] + bounds["width"] <= 360


def test_one_enter_at_a_terminal_collects_as_the_page_says(house: Served) -> None:
    due, said, typed = owed(house), list[str](), iter(("", "x"))

    def ask(prompt: str) -> str:
        del prompt
        return next(typed)

    page = part_of(browser_of(house, "dealer").get("/tables/MB-101").text, "next")
    with served_table(house.place, house.token("dealer")) as door:
        assert run_lines(door, ask, said.append) == 0, said
    (press, *_) = [one for one in said if one.startswith("Next: ")]
    assert press.startswith("Next: Collect all: $")
    assert press.removeprefix("Next: ").partition(" [")[0] in page
    assert (len(due) > 1, owed(house)) == (True, {})


def test_a_form_that_collects_from_seats_names_seats() -> None:
    sent = {"command": ["CollectVigorish"], "seats.seat": ["3", "1"]}
    assert commands_of(sent) == [
        {"type": "CollectVigorish", "seat": 3}, {"type": "CollectVigorish", "seat": 1},
    ]  # fmt: skip
    with pytest.raises(FormError):
        commands_of({**sent, "seats.seat": ["all"]})
    # No other act takes several seats.
    assert commands_of({**sent, "command": ["ClearLayout"]}) == [{"type": "ClearLayout"}]


def test_who_relieves_is_chosen_from_the_staff_of_the_pit(opened: Opened, house: Served) -> None:
    house.token("dealer", "Ben")
    house.token("floorperson", "Fay")
    house.token("patron", "Pat", seat=2, tables=("MB-101",))
    house.token("dealer", "Elsewhere", pit="2")
    page = opened.page("floorperson")
    page.locator("body[data-state=live]").wait_for()
    # Who leaves is filled in, and who comes is not: the field names whoever may come.
    assert page.input_value("#RelieveDealer-0-text-relieved") == "dealer"
    assert page.input_value("#RelieveDealer-0-text-dealer") == ""
    assert page.get_attribute("#RelieveDealer-0-text-dealer", "required") is not None
    named = "(one) => [...one.list.options].map((each) => each.value)"
    assert page.locator("#RelieveDealer-0-text-dealer").evaluate(named) == ["Ben"]
    # Nobody is named to an office that does not see the grants of the pit.
    dealer = opened.page("dealer").content()
    assert "Fay" not in dealer
    assert "Ben" not in dealer


@pytest.mark.parametrize(("office", "said"), [
    ("dealer", "You are dealer at Table MB-101, until "),
    ("surveillance", "You are surveillance at Pit 1, until "),
])  # fmt: skip
def test_the_way_in_says_where_it_leads(house: Served, office: str, said: str) -> None:
    tables = ("MB-101",) if office == "dealer" else ()
    code = house.link(office, "Dana", tables=tables, hours_ms=3 * 24 * 3_600_000)
    # A grant of days ends on another day.
    said += f"{house.service.clock() + timedelta(days=3):%Y-%m-%d}"
    for _ in range(2):
        # A look redeems nothing, and names nobody.
        answer = httpx.get(f"{house.place}/enter", params={"link": code})
        assert said in answer.text
        assert "Dana" not in answer.text
    entered = httpx.post(
        f"{house.place}/enter", data={"link": code}, headers={"Origin": house.place}
    )
    assert entered.status_code == 303
    for gone in (code, "x" * 43, ""):
        text = httpx.get(f"{house.place}/enter", params={"link": gone} if gone else {}).text
        assert "You are" not in text


@pytest.mark.parametrize("office", ["floorperson", "pit boss"])
def test_who_decides_a_dispute_sees_what_is_asked_of_which_round_and_by_whom(
    opened: Opened, house: Served, office: str
) -> None:
    desk, floor = house.service.tables["MB-101"].desk, house.person("floorperson")
    (settled, one), *_ = desk.durable.house.settled.items()
    for question in ("the amount", "whether the last card counted, as the cutting card came"):
        asked = {"type": "OpenDispute", "seat": 2, "settled": settled, "question": question}
        assert floor.does("MB-101", asked).status_code == 200
    said = [f"1: Patron 2, round {one.round}: the amount"]
    said.append(f"2: Patron 2, round {one.round}: {question}")
    with browser_of(house, office) as browser:
        text = browser.get("/tables/MB-101").text
    assert all(f">{label}</option>" in text for label in said)
    page = opened.page(office)
    page.locator("body[data-state=live]").wait_for()
    for width, height in ((1280, 800), (1024, 768), (360, 740)):
        page.set_viewport_size({"width": width, "height": height})
        prompt = page.locator("#next .prompt")
        assert prompt.inner_text() == f"Decide a dispute. {'; '.join(said)}"
        assert page.evaluate(SCROLLED) == [], width
    # One that is decided is no longer next; nobody else is told of it.
    ruling = {"type": "DecideDispute", "dispute": 1, "ruling": "stands", "informed": True,
              "supervisor": "floorperson"}  # fmt: skip
    assert floor.does("MB-101", ruling).status_code == 200
    with browser_of(house, office) as browser:
        due = part_of(browser.get("/tables/MB-101").text, "next")
    assert f"Decide a dispute. {said[1]}" in due
    patron = browser_of(house, "patron", "Patron 1", seat=1, tables=("MB-101",))
    assert "whether the last card" not in part_of(patron.get("/tables/MB-101").text, "next")


def test_what_a_settlement_comes_to_is_not_said_of_a_dispute(tmp_path: Path) -> None:
    with served(tmp_path / "decided.sqlite", more=PAGES) as house:
        make_table(house)
        house.do(prepared(house, "MB-101", 2))
        wagers = {(1, "player"): 10_000, (2, "banker"): 25_000, (2, "tie"): 2_500}
        dealt(house, "9h 2c Ts 3d", wagers)
        (settled,) = house.service.tables["MB-101"].desk.durable.house.settled
        dealt(house, "As Ah 6c 6d", wagers, upto="SettleWagers")
        asked = {"type": "OpenDispute", "seat": 1, "settled": settled, "question": "the amount"}
        assert house.person("floorperson").does("MB-101", asked).status_code == 200
        due = part_of(browser_of(house, "floorperson").get("/tables/MB-101").text, "next")
        assert "Decide a dispute. 1: Patron 1, round 1: the amount<" in due
        assert "Pay $200" not in due
        assert "Collect and pay" not in due
        # The dealer goes on with the round.
        due = part_of(browser_of(house, "dealer").get("/tables/MB-101").text, "next")
        assert "Pay $200" in due
        assert "Collect and pay" in due


def test_a_dispute_of_an_earlier_day_is_told_from_one_of_today() -> None:
    rules, day = read_rules(NJ), House(disputed={2: (7, "the amount")})
    disputes = Disputes({1: Dispute("Ana", 40), 2: Dispute("Bo", 90)}, 2)
    found = offered(with_slice(new_table(rules), disputes), rules, day, date(2011, 2, 22))
    (dispute, *_) = next(act.fields for act in found if act.command is DecideDispute)
    labels = [label for _, label in dispute.choices]
    assert labels == ["1: Ana, a round of an earlier day", "2: Bo, round 7: the amount"]


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
def test_the_cage_sees_which_award_it_pays_and_to_whom(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite", more=PAGES) as house:
        royal_9(house, tmp_path)
        for name in ("SettleWagers", "ClearLayout"):
            assert house.person("dealer").does("MA-301", {"type": name}).status_code == 200
        with browser_of(house, "cage", tables=("MA-301",)) as cage:
            text = cage.get("/tables/MA-301").text
        assert ">Patron 1, $10,000.15</option>" in part_of(text, "next")
        assert "Needs the consent of the floorperson and surveillance." in part_of(text, "next")
        # What the cage pays by hand is paid as owed.
        with browser_of(house, "surveillance", tables=("MA-301",)) as watching:
            assert "Every wager was paid what it was owed" in watching.get("/tables/MA-301").text
        # A wager of one amount is no range.
        assert ">$5–$5<" not in text
