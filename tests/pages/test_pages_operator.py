"""The operator's page: what it shows and does, and that it is no way to cards, money, or patrons."""

from __future__ import annotations

import asyncio
import json
import re
import shutil
import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path
from time import monotonic, sleep
from typing import TYPE_CHECKING, Any, Final

import httpx
import pytest

from croupier.acts.roles import LOOKS, Role
from croupier.law.usage import Usage
from croupier.records.stores.postgres_store import PostgresStore
from croupier.server.desks.pit_desk import PitDesk
from croupier.server.http.app import RESOURCES
from croupier.server.logs import logged
from croupier.server.operations import guide_commands
from croupier.server.resources.page_calls import PAGES
from support.axe import violations
from support.browsers import chromium
from support.databases import cluster
from support.page_forms import browser_of, form_of, part_of, rows_of, sent
from support.project import ROOT
from support.served import Served, served
from support.tables import make_table, open_table
from support.windows import UNFOLD, windows

if TYPE_CHECKING:
    from playwright.sync_api import Browser

PAGE: Final = "/operator"
GUIDE: Final = ROOT / "docs" / "running.md"
STAFF: Final = ("accounting", "cage", "dealer", "floorperson", "pit boss", "pit clerk")


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "copies"


@pytest.fixture
def house(tmp_path: Path, folder: Path) -> Iterator[Served]:
    store = tmp_path / "pit.sqlite"
    log = logged(str(tmp_path / "access.jsonl"))
    with log, served(store, more=PAGES, copies=(str(store), folder)) as one:
        make_table(one)
        yield one


def acts(house: Served, browser: httpx.Client, act: str) -> httpx.Response:
    form = form_of(browser.get(PAGE).text, f"act-{act}")
    return sent(house, browser, f"{PAGE}/acts/{act}", form)


def ended(browser: httpx.Client, words: str, number: int = 1) -> str:
    """Return the page once it says that acts have ended."""
    end = monotonic() + 60
    while (text := browser.get(PAGE).text).count(words) < number:
        assert monotonic() < end, part_of(text, "acts")
        sleep(0.2)
    return text


def commands(house: Served, kind: str, pit: str = "1") -> list[dict[str, object]]:
    entries = map(json.loads, house.service.store.lines(f"pit:{pit}"))
    found = (one.get("command", {}) for one in entries)
    return [one for one in found if one.get("type") == kind]


# --- what it shows ---


def test_every_command_and_every_alarm_of_the_guide_is_on_the_page(house: Served) -> None:
    text = browser_of(house, "operator", "Oz").get(PAGE).text
    guide = GUIDE.read_text(encoding="utf-8")
    blocks = re.findall(r"^```sh\n(.*?)^```$", guide, re.MULTILINE | re.DOTALL)
    assert sum(map(len, guide_commands().values())) == len(blocks) > 8
    assert part_of(text, "acts").count("<pre") == len(blocks)
    # Without the script no button is shown that does nothing.
    assert text.count("data-copy") == len(
        re.findall(r"<button type=\"button\" hidden data-copy", text)
    )
    alarms = re.findall(r"^\| `(Croupier\w+)` \|", guide, re.MULTILINE)
    assert len(alarms) >= 10
    assert re.findall(r'id="alarm-(\w+)"', text) == alarms


def test_what_to_do_names_offices_as_the_law_does(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    offices = {"surveillance": "monitor room"}
    monkeypatch.setattr(PitDesk, "usage", Usage(offices=offices))
    alarms = part_of(browser_of(house, "operator", "Oz").get(PAGE).text, "alarms")
    assert "give both to monitor room before play goes on" in alarms
    assert "surveillance" not in alarms


@pytest.mark.parametrize(
    ("figure", "value", "alarm"),
    [
        ("ready", 0, "CroupierNotReady"),
        ("alarms", 1, "CroupierRecordDiffers"),
        ("tables_without_secret", 1, "CroupierShoeWithoutSecret"),
        ("store_free_bytes", 9e8, "CroupierDiskFull"),
        ("certificate_seconds", 13 * 86_400, "CroupierCertificateExpires"),
        ("lease_age_seconds", 4, "CroupierLeaseOld"),
    ],
)
def test_an_alarm_is_raised_by_its_figure(
    house: Served, monkeypatch: pytest.MonkeyPatch, figure: str, value: float, alarm: str
) -> None:
    from croupier.server.http.probes import ServiceFigures  # noqa: PLC0415

    browser, figures = browser_of(house, "operator", "Oz"), ServiceFigures.figures
    assert "No alarm is raised" in part_of(browser.get(PAGE).text, "alarms")
    monkeypatch.setattr(
        ServiceFigures, "figures", lambda self: figures(self) | {figure: ("changed", value)}
    )
    shown = part_of(browser.get(PAGE).text, "alarms")
    assert "Raised now: 1" in shown
    assert shown.index(f"{alarm}: raised") < shown.index("not raised")


def test_a_jump_of_the_clock_is_an_alarm(house: Served) -> None:
    house.service.metrics.clock_jumps.inc()
    house.service.clock_jumped = monotonic()
    browser = browser_of(house, "operator", "Oz")
    text = browser.get(PAGE).text
    assert "CroupierClockJumped: raised" in text
    # Ten minutes later it has ended, as that of Prometheus does.
    house.service.clock_jumped -= 601
    assert "CroupierClockJumped: not raised" in browser.get(PAGE).text
    assert "<dt>Jumps of the clock since the start</dt><dd>1</dd>" in text


def test_grants_lie_below_those_of_their_makers_and_patrons_have_no_name(house: Served) -> None:
    floor = house.person("floorperson", "Flo")
    boss = house.person("pit boss", "Bo")
    made = floor.http.post("/v1/grants", json={"person": "Dora", "office": "dealer"}).json()
    wanted = {"person": "Patricia", "office": "patron", "tables": ["MB-101"], "seat": 3}
    seat = floor.http.post("/v1/grants", json=wanted).json()
    for one in (made, seat):
        assert boss.http.post(f"/v1/grants/{one['id']}", json={"consent": True}).is_success
    browser = browser_of(house, "operator", "Oz")
    text = browser.get(PAGE).text
    rows = rows_of(text, "grants")[1:]
    names = [row[0] for row in rows]
    at = names.index("Flo, floorperson")
    assert {*names[at + 1 : at + 3]} == {"└ Dora, dealer", "└ Patron, patron (MB-101, seat 3)"}
    assert "Patricia" not in text
    assert rows[at][2].startswith("1, 2")


# --- what it does ---


def test_the_store_is_copied_and_the_pit_records_it(house: Served, folder: Path) -> None:
    browser = browser_of(house, "operator", "Oz")
    assert acts(house, browser, "copy").status_code == 303
    ended(browser, "Done at")
    (copy,) = folder.iterdir()
    assert copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(copy)) as store:
        assert store.execute("pragma integrity_check").fetchone() == ("ok",)
    assert [one["what"] for one in commands(house, "NoteExport")] == ["store"]


def test_every_pit_records_a_copy_of_the_store_and_no_list_of_processes_has_its_place(
    house: Served, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    house.do(house.service.pit("2"))
    started: list[str] = []
    create = asyncio.create_subprocess_exec

    def note(process: int) -> None:
        started.append(Path(f"/proc/{process}/cmdline").read_text(encoding="utf-8"))

    async def noted(*words: str, **more: Any) -> asyncio.subprocess.Process:
        process = await create(*words, **more)
        note(process.pid)
        return process

    monkeypatch.setattr(asyncio, "create_subprocess_exec", noted)
    browser = browser_of(house, "operator", "Oz")
    house.record_grants()
    for number, act in enumerate(("copy", "check"), start=1):
        assert acts(house, browser, act).status_code == 303
        ended(browser, "Done at", number)
    assert [len(commands(house, "NoteExport", pit)) for pit in "12"] == [1, 1]
    assert len(started) == 2
    assert not any(str(folder.parent) in words or ".sqlite" in words for words in started)


def test_the_store_is_checked_and_what_differs_is_said_without_its_words(
    house: Served, folder: Path, tmp_path: Path
) -> None:
    open_table(house)
    browser = browser_of(house, "operator", "Oz")
    house.record_grants()
    assert acts(house, browser, "check").status_code == 303
    assert acts(house, browser, "check").status_code == 409
    ended(browser, "Done at")
    acts(house, browser, "copy")
    while not [*folder.glob("*.sqlite")]:
        sleep(0.1)
    (copy,) = folder.iterdir()
    with closing(sqlite3.connect(copy)) as store, store:
        guards = store.execute("select name from sqlite_master where type = 'trigger'").fetchall()
        for (name,) in guards:
            store.execute(f'drop trigger "{name}"')
        rows = store.execute("select rowid, content from line").fetchall()
        changed = [(one.replace(b'"Dana"', b'"Dina"'), row) for row, one in rows]
        store.executemany("update line set content = ? where rowid = ?", changed)
    with served(tmp_path / "other.sqlite", more=PAGES, copies=(str(copy), None)) as other:
        make_table(other)
        browser = browser_of(other, "operator", "Oz")
        acts(other, browser, "check")
        text = ended(browser, "A record differs")
        assert "Dina" not in text
        assert "act-copy" not in text


def test_a_copy_that_would_fill_the_disk_is_refused(
    house: Served, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("croupier.server.operations._ROOM", 1e18)
    assert acts(house, browser_of(house, "operator", "Oz"), "copy").status_code == 507
    assert not [*folder.iterdir()]
    assert commands(house, "NoteExport") == []


def test_a_copy_of_a_database_has_room_for_all_of_it(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    address = cluster().database()
    # An empty database has more than 5 MB.
    usage = shutil.disk_usage("/")._replace(free=1_005_000_000)
    monkeypatch.setattr("croupier.server.operations.shutil.disk_usage", lambda _: usage)
    with served(PostgresStore(address), more=PAGES, copies=(address, folder)) as house:
        make_table(house)
        assert acts(house, browser_of(house, "operator", "Oz"), "copy").status_code == 507
        assert commands(house, "NoteExport") == []


def test_a_service_that_ends_during_a_copy_leaves_no_part_of_it(
    tmp_path: Path, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def stored(words: Sequence[str]) -> str:
        copy = Path(words[-1])
        copy.with_name(f".{copy.name}.1.draft").touch()
        await asyncio.sleep(60)
        return "done"

    monkeypatch.setattr("croupier.server.operations._stored", stored)
    store = tmp_path / "pit.sqlite"
    with served(store, more=PAGES, copies=(str(store), folder)) as house:
        make_table(house)
        assert acts(house, browser_of(house, "operator", "Oz"), "copy").status_code == 303
        end = monotonic() + 10
        while not [*folder.iterdir()]:
            assert monotonic() < end
            sleep(0.05)
    assert not [*folder.iterdir()]


def test_an_act_that_does_not_begin_is_not_under_way(
    house: Served, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = browser_of(house, "operator", "Oz")
    monkeypatch.setattr("croupier.server.operations.sys.executable", "/nowhere/python")
    assert acts(house, browser, "check").status_code == 303
    ended(browser, "Not done, at ")
    assert acts(house, browser, "check").status_code == 303


def test_a_grant_is_revoked_with_those_below_it_but_not_who_watches(house: Served) -> None:
    floor, boss = house.person("floorperson", "Flo"), house.person("pit boss", "Bo")
    made = floor.http.post("/v1/grants", json={"person": "Dora", "office": "dealer"}).json()
    assert boss.http.post(f"/v1/grants/{made['id']}", json={"consent": True}).is_success
    watchers = [house.person(one, one) for one in ("surveillance", "licensee")]
    browser = browser_of(house, "operator", "Oz")
    own = floor.sees("/v1/tokens/mine")["id"]
    form = form_of(browser.get(PAGE).text, f"revoke-{own}")
    assert sent(house, browser, f"{PAGE}/grants/{own}", form).status_code == 200
    assert floor.http.get("/v1/tokens/mine").status_code == 401
    assert commands(house, "RevokeGrants") == [
        {"type": "RevokeGrants", "grants": [own, made["id"]]}
    ]
    for one in watchers:
        name = one.sees("/v1/tokens/mine")["id"]
        assert f"revoke-{name}" not in browser.get(PAGE).text
        assert sent(house, browser, f"{PAGE}/grants/{name}", form).status_code == 404
        assert one.http.get("/v1/tokens/mine").status_code == 200


def test_an_act_that_the_service_cannot_do_is_refused(house: Served) -> None:
    browser = browser_of(house, "operator", "Oz")
    form = form_of(browser.get(PAGE).text, "act-check")
    for act in ("certificates", "hand-over", "restore", "..%2fcheck"):
        assert sent(house, browser, f"{PAGE}/acts/{act}", form).status_code == 404, act


# --- who may, and what an operator reaches ---


@pytest.mark.parametrize("office", LOOKS)
def test_no_other_office_has_the_page_or_its_acts(house: Served, office: Role) -> None:
    more: dict[str, Any] = {"seat": 3, "tables": ("MB-101",)} if office == Role.PATRON else {}
    browser, oz = browser_of(house, office, **more), browser_of(house, "operator", "Oz")
    assert browser.get(PAGE).status_code == 403
    form = form_of(oz.get(PAGE).text, "act-check")
    for path in (f"{PAGE}/acts/check", f"{PAGE}/acts/copy", f"{PAGE}/grants/x"):
        assert sent(house, browser, path, form).status_code == 403
    assert commands(house, "NoteExport") == []


def test_a_foreign_page_and_a_form_of_another_session_do_nothing(house: Served) -> None:
    oz, other = browser_of(house, "operator", "Oz"), browser_of(house, "operator", "Ozzy")
    form = form_of(other.get(PAGE).text, "act-check")
    assert sent(house, oz, f"{PAGE}/acts/check", form).status_code == 403
    form = form_of(oz.get(PAGE).text, "act-check")
    path = f"{PAGE}/acts/check"
    assert sent(house, oz, path, form, origin="http://evil.example").status_code == 403
    assert house.anybody().get(PAGE).status_code == 401


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """An open table of which everything is asked that an operator may not have."""
    with served(tmp_path_factory.mktemp("asked") / "pit.sqlite", more=PAGES) as one:
        make_table(one)
        open_table(one)
        yield one


READABLE: Final = {"/v1/tables", "/v1/pits", "/v1/tokens/mine", "/openapi.json", "/enter",
                   "/healthz", "/readyz", "/metrics"}  # fmt: skip


@pytest.mark.parametrize("one", [*RESOURCES, *PAGES], ids=lambda one: f"{one.method} {one.path}")
def test_an_operator_reaches_no_table_and_makes_no_grant(asked: Served, one: Any) -> None:
    if one.method != "GET" and one.path in {"/enter", "/leave", "/v1/tokens", "/v1/tokens/mine"}:
        return
    person = asked.person("operator", "Oz")
    path = one.path.replace("{table}", "MB-101").replace("{pit}", "1").replace("{number:int}", "1")
    path = re.sub(r"\{\w+\}", "x", path)
    headers = {"Idempotency-Key": person.key(), "Accept": "application/json"}
    body = {"person": "Dora", "office": "dealer"} if one.path == "/v1/grants" else {}
    answer = person.http.request(one.method, path, headers=headers, json=body or None)
    if one.method == "GET" and (one.path in READABLE or path.endswith((".css", ".js", ".svg"))):
        assert answer.status_code == 200
        assert "MB-101" not in answer.text or one.path == "/openapi.json"
    elif path == "/":
        assert answer.headers["location"] == PAGE
    else:
        assert answer.status_code in {403, 404, 415, 422, 428}, answer.text
        assert answer.json()["code"] in {"not_allowed", "not_found", "wrong_origin", "two_persons",
                                         "gone", "malformed"}, answer.text  # fmt: skip


def test_a_page_that_is_closed_to_the_operator_leads_back(house: Served) -> None:
    browser = browser_of(house, "operator", "Oz")
    for path in ("/tables", "/people", "/drills", "/pits/1", "/tables/MB-101"):
        refused = browser.get(path)
        assert refused.status_code in {403, 404}, path
        assert '<a href="/">' in refused.text, path
    assert browser.get("/", follow_redirects=True).url.path == PAGE


def test_an_operator_is_made_by_two_persons_and_makes_nobody(house: Served) -> None:
    lou, sue = house.person("licensee", "Lou"), house.person("surveillance", "Sue")
    made = lou.http.post("/v1/grants", json={"person": "Oz", "office": "operator"}).json()
    refused = house.anybody().post("/v1/tokens", json={"link": made["link"]})
    assert refused.json()["code"] == "not_consented"
    code = sue.http.post(f"/v1/grants/{made['id']}", json={"consent": True}).json()["code"]
    token = house.anybody().post("/v1/tokens", json={"link": made["link"], "code": code}).json()
    assert token["office"] == "operator"
    oz = {"Authorization": f"Bearer {token['token']}"}
    wait = lou.http.post("/v1/grants", json={"person": "Cay", "office": "cage"}).json()["id"]
    for office in (*STAFF, "operator", "board", "machine"):
        wanted = {"person": "Eve", "office": office}
        assert house.anybody().post("/v1/grants", json=wanted, headers=oz).status_code == 403
    asked = house.anybody().post(f"/v1/grants/{wait}", json={"consent": True}, headers=oz)
    assert asked.json()["code"] == "two_persons"
    for office in ("pit boss", "floorperson", "dealer", "surveillance"):
        person = house.person(office, f"{office} 2")
        assert person.http.post("/v1/grants", json={"person": "Ozz", "office": "operator"}
                                ).status_code == 403  # fmt: skip


def test_what_the_operator_did_is_in_the_access_log(house: Served, tmp_path: Path) -> None:
    browser = browser_of(house, "operator", "Oz")
    acts(house, browser, "check")
    browser.get("/v1/tables/MB-101")
    log, end = tmp_path / "access.jsonl", monotonic() + 10
    while '"not_found"' not in log.read_text() and monotonic() < end:
        sleep(0.02)
    lines = [json.loads(one) for one in log.read_text().splitlines()]
    (did,) = [one for one in lines if one["event"] == "operation"]
    assert (did["person"], did["office"], did["operation"]) == ("Oz", "operator", "check")
    assert did["status"] == 303


# --- in a browser ---


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


def test_the_page_fits_a_screen_and_a_phone_without_violations(
    browser: Browser, house: Served
) -> None:
    for number in range(6):
        house.token("dealer", f"Dealer {number}")
    with windows(browser, house) as opened:
        page = opened.page("operator", "Oz", PAGE)
        page.locator("body[data-state=live]").wait_for()
        page.set_viewport_size({"width": 1280, "height": 800})
        assert page.evaluate("document.documentElement.scrollHeight") <= 800
        assert violations(page) == []
        page.emulate_media(color_scheme="dark")
        page.evaluate(UNFOLD)
        assert violations(page) == []
        for width in (360, 320):
            page.set_viewport_size({"width": width, "height": 800})
            assert page.evaluate("document.documentElement.scrollWidth") <= width
        assert violations(page) == []


def test_a_command_is_copied_and_an_act_ends_on_the_page(browser: Browser, house: Served) -> None:
    with windows(browser, house) as opened:
        page = opened.page("operator", "Oz", PAGE)
        page.locator("body[data-state=live]").wait_for()
        house.record_grants()
        page.context.grant_permissions(["clipboard-read", "clipboard-write"])
        page.click("#guide-0 summary")
        page.click("#guide-0 [data-copy]")
        page.get_by_text("Copied.").wait_for()
        (first, *_) = guide_commands()["Installation"]
        assert page.evaluate("navigator.clipboard.readText()") == first
        page.click("#act-check button")
        page.locator("#act-check").get_by_text("Done at").wait_for(timeout=60_000)
