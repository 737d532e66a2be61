"""A served table is carried over the day of an amendment, by the licensee alone and whole or not."""

from __future__ import annotations

import os
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from datetime import timedelta
from multiprocessing import get_context
from pathlib import Path
from time import monotonic, sleep
from typing import Any, Final

import httpx
import pytest

from croupier.client import Client
from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget
from croupier.records.codec import from_json
from croupier.records.entry import SteppedClock
from croupier.records.stores.places import open_store
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Append, Store
from croupier.records.stores.stream import StoreError
from croupier.rules import default_submission, table_rules
from croupier.server.resources.page_calls import PAGES
from croupier.server.service import Opened
from support.amendment import AMENDED, AMENDED_KEY, amended_shelf
from support.command_line import told_with
from support.own_law import OWN_ID, own_law
from support.page_forms import browser_of, form_of, part_of, sent
from support.pits import NOON
from support.served import NJ, Person, Served, answered_here, problem, served
from support.tables import CLOSE, NOTIFIED, OPEN, a_day, asked, ends, given, make_table

pytest_plugins = ["support.store_fixtures"]

T: Final = "MB-101"
BEFORE: Final = "us-nj/minibaccarat@2011-02-22"
Opens = Callable[[], Store]


@pytest.fixture(autouse=True)
def _both(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    answered_here(monkeypatch)
    with amended_shelf(tmp_path, monkeypatch):
        yield


def amended_submission() -> str:
    """The table's submission under the amended text, with limits for the wager that it adds."""
    text = NJ.read_text(encoding="utf-8")
    assert "on = 2011-02-22" in text
    text = text.replace("on = 2011-02-22", f"on = {AMENDED}")
    return text.replace("[limits]", "[limits]\nlucky_6 = [5, 500]")


def amends(
    person: Person, text: str, key: str = "amend", notified: str = NOTIFIED
) -> httpx.Response:
    return person.http.post(
        f"/v1/tables/{T}/days",
        params={"notified": notified} if notified else {},
        content=text.encode(),
        headers={"Idempotency-Key": key, "Content-Type": "application/toml"},
    )


def lines(house: Served, day: int) -> list[dict[str, Any]]:
    text = house.person("surveillance").http.get(f"/v1/tables/{T}/log", params={"day": day}).content
    return [from_json(line) for line in text.splitlines()]


def test_the_day_after_is_under_the_amended_text_and_both_logs_name_it(place: str) -> None:
    with served(open_store(place), clock=SteppedClock(NOON)) as house:
        licensee = make_table(house)
        dealer, floor = a_day(house)
        told = amends(licensee, amended_submission())
        assert told.status_code == 200, told.text
        assert told.json()["day"] == 2
        again = amends(licensee, amended_submission())
        assert (again.content, again.headers["idempotent-replay"]) == (told.content, "true")
        monday, tuesday = lines(house, 1), lines(house, 2)
        note = monday[-2]["command"]
        assert note["type"] == "WriteNote"
        assert AMENDED_KEY in note["text"]
        assert "wagers.lucky_6" in note["text"]
        header = tuesday[0]
        assert header["on"] == str(AMENDED)
        assert header["continues"]["amended"]["law"] == BEFORE
        assert "wagers.lucky_6" in header["continues"]["amended"]["changes"]
        # The tray is opened with the chips with which it was closed.
        opening = {**OPEN, "gaming_date": str(AMENDED)}
        wrong = asked(floor, dealer, {**opening, "inventory_cents": 6_000_000})
        problem(wrong, 409, "differs")
        given(floor, dealer, opening)
        given(floor, dealer, CLOSE)
        assert house.person("surveillance").sees(f"/v1/tables/{T}/verify")["clean"]
        assert house.person("surveillance").sees("/v1/pits/1/verify")["clean"]
    checked = told_with(0, "store", "check", place).output
    assert checked.count("verified") == 3
    with served(open_store(place), clock=SteppedClock(NOON)) as house:
        assert house.service.tables[T].desk.rules.law.key == AMENDED_KEY
        in_pit = house.service.pits["1"].ahead.state.tables[T].rules
        assert in_pit is not None
        assert in_pit.law.key == AMENDED_KEY


def test_the_licensee_amends_by_a_form_without_scripts(tmp_path: Path) -> None:
    place = str(tmp_path / "pit.sqlite")
    with served(open_store(place), more=PAGES, clock=SteppedClock(NOON)) as house:
        make_table(house)
        browser, days = browser_of(house, "licensee"), f"/tables/{T}/days"
        assert "has not been opened" in part_of(browser.get(f"/tables/{T}").text, "days")
        a_day(house)
        form = form_of(browser.get(f"/tables/{T}").text, "end-day") | {"notified": NOTIFIED}
        for text, status in (
            ("seats =", 422),
            (amended_submission().replace("seats = 7", "seats = 99"), 422),
            (amended_submission().replace("seats = 7", "seats = 6"), 409),
        ):
            refused = sent(
                house, browser, days, form | {"submission": text, "key": f"k{len(text)}"}
            )
            assert refused.status_code == status, refused.text
            assert ("seats: " in refused.text) is ("99" in text), refused.text
            assert len(house.service.tables[T].desk.days.all) == 1
        form |= {"submission": amended_submission()}
        assert sent(house, browser, days, form | {"notified": "noon"}).status_code == 422
        without = {name: one for name, one in form.items() if name != "submission"}
        assert sent(house, browser, days, without).status_code == 403
        for office in ("floorperson", "pit boss"):
            other = browser_of(house, office)
            own = form_of(other.get(f"/tables/{T}").text, "end-day")
            assert sent(house, other, days, form | own).status_code == 403
        assert sent(house, browser, days, form).status_code == 303
        assert sent(house, browser, days, form).status_code == 303
        assert [one[0]["on"] for one in (lines(house, 1), lines(house, 2))] == [
            "2011-02-22",
            str(AMENDED),
        ]
        # No later text is held: nothing is left to amend.
        assert "end-day" not in browser.get(f"/tables/{T}").text


def test_a_table_whose_law_is_in_its_record_alone_has_no_later_text(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = own_law(tmp_path / "laws")
    monkeypatch.setenv(VARIABLE, str(path.parent))
    forget()
    rules = table_rules(default_submission(OWN_ID, "latest"))
    with served(open_store(str(tmp_path / "pit.sqlite")), more=PAGES) as house:
        house.do(house.service.create(rules, Opened("1"), T, notified=NOON - timedelta(days=60)))
        # As after a start without the folder: a record of --with-law has its law.
        monkeypatch.delenv(VARIABLE)
        forget()
        answer = browser_of(house, "licensee").get(f"/tables/{T}")
        assert (answer.status_code, "end-day" in answer.text) == (200, False)


def test_a_client_amends(tmp_path: Path) -> None:
    place = str(tmp_path / "pit.sqlite")
    with served(open_store(place), clock=SteppedClock(NOON)) as house:
        make_table(house)
        a_day(house)
        with Client(house.place, house.token("licensee", "Lee", id="client")) as client:
            told = client.end_day(T, amended=amended_submission().encode(), notified=NOTIFIED)
        assert told["day"] == 2
        assert lines(house, 2)[0]["on"] == str(AMENDED)


def test_nobody_else_amends_and_nothing_else_is_changed_with_it(tmp_path: Path) -> None:
    place = str(tmp_path / "pit.sqlite")
    with served(open_store(place), clock=SteppedClock(NOON)) as house:
        licensee = make_table(house)
        problem(amends(licensee, amended_submission(), "early"), 409, "day_under_way")
        _, floor = a_day(house)
        for office in ("floorperson", "pit boss", "dealer", "surveillance"):
            answer = amends(house.person(office), amended_submission(), office)
            assert answer.status_code in {403, 422}, office
        problem(ends(licensee, "without"), 403, "not_allowed")
        for number, wrong in enumerate((
            NJ.read_text(encoding="utf-8"),
            amended_submission().replace("seats = 7", "seats = 6"),
            amended_submission().replace("banker = [25, 5000]", "banker = [25, 9000]"),
            amended_submission().replace("reshuffle = false", "reshuffle = true"),
        )):  # fmt: skip
            answer = amends(licensee, wrong, f"wrong-{number}")
            assert answer.status_code == 409, (number, answer.text)
            assert answer.json()["code"] == "no_amendment"
        assert f"{T}/2" not in house.service.store.names
        # Nothing is left of what was refused: the day goes on, and ends as any other.
        given(floor, house.person("dealer", "Dana"), {"type": "WriteNote", "text": "still here"})
        assert [one["command"]["type"] for one in lines(house, 1)[1:]][-1] == "WriteNote"
        assert ends(floor, "end").json()["day"] == 2
        assert lines(house, 2)[0]["on"] == "2011-02-22"
    told_with(0, "store", "check", place)


def test_what_the_pit_refuses_has_not_withdrawn_the_table(tmp_path: Path) -> None:
    """The pit withdraws the table and then admits it: a refusal of the second undoes the first."""
    place = str(tmp_path / "pit.sqlite")
    with served(open_store(place), clock=SteppedClock(NOON)) as house:
        licensee = make_table(house)
        _, floor = a_day(house)
        pit = house.service.pits["1"]
        before, to_come = pit.durable.sequence, "2011-02-22T18:00:00Z"
        problem(amends(licensee, amended_submission(), "early", to_come), 409, "time")
        assert pit.ahead.sequence == pit.durable.sequence == before
        assert f"{T}/2" not in house.service.store.names
        in_pit = pit.ahead.state.tables[T].rules
        assert in_pit is not None
        assert in_pit.law.key == BEFORE
        other = amended_submission().replace(f'table = "{T}"', 'table = "MB-102"')
        problem(amends(licensee, other, "other"), 409, "no_amendment")
        given(floor, house.person("dealer", "Dana"), {"type": "WriteNote", "text": "still here"})
        assert amends(licensee, amended_submission()).json()["day"] == 2
        # Not twice, not back, and not another text or notice under the same key.
        for text, key in (
            (amended_submission(), "twice"),
            (NJ.read_text(encoding="utf-8"), "back"),
        ):
            problem(amends(licensee, text, key), 409, "day_under_way")
        problem(amends(licensee, other), 422, "key_reused")
        noticed = "2001-01-02T12:00:00Z"
        problem(amends(licensee, amended_submission(), notified=noticed), 422, "key_reused")
        assert len(house.service.tables[T].desk.days.all) == 2
    told_with(0, "store", "check", place)


def killed_at(moment: str, store: Any) -> None:
    """Have this process kill itself before, within, or after the commit that begins a day."""
    commit: Callable[[Sequence[Append]], Mapping[str, StoreError]] = store.commit

    def dies(*_: object) -> None:
        os.kill(os.getpid(), signal.SIGKILL)

    def committed(appends: Sequence[Append]) -> Mapping[str, StoreError]:
        if not any(one.name == f"{T}/2" and one.lines for one in appends):
            return commit(appends)
        if moment == "before":
            dies()
        if moment == "within" and isinstance(store, SQLiteStore):
            insert = store._insert  # noqa: SLF001

            def inserted(table: str, rows: Any) -> None:
                insert(table, rows)
                dies()

            vars(store)["_insert"] = inserted
        elif moment == "within":
            writing = store._writing  # noqa: SLF001

            @contextmanager
            def written() -> Iterator[Any]:
                with writing() as connection:
                    yield connection
                    dies()

            vars(store)["_writing"] = written
        found = commit(appends)
        dies()
        return found

    vars(store)["commit"] = committed


def amended_by_a_process_that_dies(place: str, moment: str) -> None:
    store = open_store(place)
    with served(store, clock=SteppedClock(NOON)) as house:
        licensee = make_table(house)
        a_day(house)
        house.record_grants()
        killed_at(moment, store)
        amends(licensee, amended_submission())


def owned(ask: Callable[[], httpx.Response]) -> httpx.Response:
    """Ask again while the lease of the process that died lasts."""
    end = monotonic() + 30
    while (answer := ask()).status_code == 503 and monotonic() < end:
        sleep(0.2)
    assert answer.status_code != 503, answer.text
    return answer


@pytest.mark.parametrize("moment", ["before", "within", "after"])
def test_a_service_killed_in_the_middle_has_amended_the_day_or_not(place: str, moment: str) -> None:
    child = get_context("fork").Process(target=amended_by_a_process_that_dies, args=(place, moment))
    child.start()
    child.join(60)
    assert child.exitcode == -signal.SIGKILL
    with served(open_store(place), clock=SteppedClock(NOON)) as house:
        desk, pit = house.service.tables[T].desk, house.service.pits["1"]
        in_pit = pit.ahead.state.tables[T].rules
        assert in_pit is not None
        is_amended = moment == "after"
        assert len(desk.days.all) == 1 + is_amended
        assert desk.rules.law.key == in_pit.law.key == (AMENDED_KEY if is_amended else BEFORE)
        notes = [
            one for one in lines(house, 1)[1:] if one.get("command", {}).get("type") == "WriteNote"
        ]
        assert len(notes) == is_amended
        if not is_amended:
            licensee = house.person("licensee")
            told = owned(lambda: amends(licensee, amended_submission(), "again"))
            assert told.status_code == 200, told.text
        floor = house.person("floorperson", "Flo")
        assert (
            owned(lambda: floor.does(T, {**OPEN, "gaming_date": str(AMENDED)})).status_code == 202
        )
    told_with(0, "store", "check", place)
