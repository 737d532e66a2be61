"""A service keeps elected names out of its store, its logs, and its answers kept for retries."""

from __future__ import annotations

import json
import re
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

from croupier.records.names import Names, names_beside, new_names
from croupier.records.stores.backup import back_up
from croupier.records.stores.postgres_store import PostgresStore
from croupier.records.stores.sqlite_store import SQLiteStore
from croupier.records.stores.store import Store
from croupier.server.resources.page_calls import PAGES
from support.command_line import told_with
from support.databases import cluster
from support.project import ROOT
from support.served import Person, Served, problem, served
from support.tables import make_table, open_table

NAME = "Maria Núñez"
TOKEN = re.compile(r"name-[0-9a-f]{32}")


class Place(NamedTuple):
    name: str
    store: Store
    vault: Path
    folder: Path


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Place]:
    if request.param == "sqlite":
        name = str(tmp_path / "pit.sqlite")
        store: Store = SQLiteStore(Path(name))
        vault = names_beside(Path(name))
    else:
        name = cluster().database()
        store, vault = PostgresStore(name), tmp_path / "pit.names"
    new_names(vault)
    with closing(store):
        yield Place(name, store, vault, tmp_path)


@pytest.fixture
def one(place: Place) -> Iterator[Served]:
    with served(place.store, names=Names(place.vault), more=PAGES) as service:
        yield service


def opened(one: Served) -> tuple[Person, Person, Person]:
    licensee = make_table(one, table="T")
    return licensee, *open_table(one, "T")


def stored(place: Place) -> bytes:
    """Return every byte that the store and the files next to it have, but for the vault."""
    rows: list[object] = []
    copy = place.folder / "copy.sqlite"
    back_up(place.name, copy)
    with closing(sqlite3.connect(copy)) as inside:
        for (table,) in inside.execute("select name from sqlite_master where type = 'table'"):
            rows += [[*inside.execute(f'select * from "{table}"')]]  # noqa: S608  (its own names)
    files = [path for path in place.folder.rglob("*") if path.is_file() and path != place.vault]
    found = b"".join(path.read_bytes() for path in files)
    copy.unlink()
    return found + repr(rows).encode()


def is_in(name: str, found: bytes) -> bool:
    escaped = json.dumps(name)[1:-1].encode()
    return name.encode() in found or escaped in found or repr(name.encode())[2:-1].encode() in found


def test_the_store_has_tokens_and_pages_have_names_until_one_is_erased(
    place: Place, one: Served
) -> None:
    _, dealer, floor = opened(one)
    command = {"type": "SeatPatron", "seat": 3, "patron": NAME}
    answer = dealer.does("T", command, key="seating")
    assert answer.status_code == 200, answer.text
    assert NAME in answer.text
    # A refused one is kept for surveillance, and answered under its key.
    assert dealer.does("T", {**command, "patron": "Lee Refused"}).status_code >= 400
    linked = floor.http.post(
        "/v1/grants", json={"person": NAME, "office": "patron", "tables": ["T"], "seat": 3}
    )
    assert (linked.status_code, linked.json()["person"]) == (201, NAME), linked.text
    assert NAME in floor.http.get("/tables/T").text
    found = stored(place)
    assert not is_in(NAME, found)
    assert not is_in("Lee Refused", found)
    token = Names(place.vault).token(NAME)
    assert token.encode() in found

    told_with(0, "names", "erase", place.vault, NAME, "--by", "Ann", "--reason", "asked")
    assert not is_in(NAME, place.vault.read_bytes())
    said = f"erased {token[5:13]}"
    seen = floor.http.get("/v1/tables/T").text
    page = floor.http.get("/tables/T").text
    again = dealer.does("T", {**command, "patron": said}, key="seating")
    for text in (seen, page, again.text):
        assert said in text
        assert NAME not in text
        assert token not in text
    # The patron still sits there, and plays on under what the page shows.
    assert again.headers["Idempotent-Replay"] == "true"
    assert dealer.does("T", {"type": "BuyChips", "seat": 3, "cents": 10_000}).status_code == 200
    one.record_grants()
    told_with(0, "store", "check", place.name)


def test_no_digest_of_a_request_lets_a_name_be_guessed(place: Place, one: Served) -> None:
    """Whoever reads the store could hash the request of every name in a directory."""
    _, dealer, _ = opened(one)
    command = {"type": "SeatPatron", "seat": 3, "patron": NAME}
    assert dealer.does("T", command, key="seating").status_code == 200
    assert dealer.does("T", command, key="seating").headers["Idempotent-Replay"] == "true"
    other = dealer.does("T", {**command, "patron": "Lee"}, key="seating")
    problem(other, 422, "key_reused")
    found = stored(place)
    compact = json.dumps(command, separators=(",", ":"), ensure_ascii=False)
    bodies = (json.dumps(command).encode(), msgspec.json.encode(command), compact.encode())
    for body in bodies:
        digest = sha256(b"application/json\n" + body).digest()
        assert digest not in found
        assert repr(digest)[2:-1].encode() not in found


def test_nobody_learns_a_name_by_sending_its_token(place: Place, one: Served) -> None:
    """An auditor with an exported record has tokens; none of them is shown as a name."""
    licensee, dealer, floor = opened(one)
    assert dealer.does("T", {"type": "SeatPatron", "seat": 3, "patron": NAME}).status_code == 200
    surveillance = one.person("surveillance", "Sue")
    token = Names(place.vault).token(NAME)
    for command in (
        {"type": "SeatPatron", "seat": 4, "patron": token},
        {"type": "WriteNote", "text": token},
    ):
        for person in (dealer, floor, surveillance):
            answer = person.does("T", command)
            assert answer.status_code in {400, 422}, answer.text
            assert NAME not in answer.text
    sent: dict[str, Any] = {"person": token, "office": "patron", "tables": ["T"], "seat": 3}
    escaped = "".join(f"\\u{ord(one):04x}" for one in token)
    quoted = "".join(f"%{ord(one):02x}" for one in token)
    key = {"Idempotency-Key": "k"}
    for method, path, more in (
        ("POST", "/v1/grants", {"json": sent}),
        ("POST", "/v1/grants", {"content": json.dumps(sent).replace(token, escaped)}),
        ("POST", "/v1/tables/T/commands", {"content": f'{{"type":"{escaped}"}}', "headers": key}),
        (
            "POST",
            "/v1/tables/T/commands",
            {"content": b"{}", "headers": key | {"Content-Type": token}},
        ),
        ("POST", "/tables/T/acts", {"data": {"type": token}, "headers": {"Origin": one.place}}),
        (
            "POST",
            "/tables/T/acts",
            {
                "content": f"type={quoted}",
                "headers": {
                    "Origin": one.place,
                    "Content-Type": "application/x-www-form-urlencoded",
                },
            },
        ),
        ("GET", f"/v1/tables/{token}", {}),
        ("GET", f"/v1/tables/{quoted}", {}),
        ("GET", "/v1/tables/T/entries", {"params": {"first": token}}),
        ("GET", "/v1/tables/T/entries", {"headers": {"Accept": token}}),
        ("POST", "/v1/tables", {"content": f'[submission]\ntitle = "{escaped}"'}),
    ):
        person = licensee if path == "/v1/tables" else floor
        answer = person.http.request(method, path, **more)
        assert answer.status_code >= 400, (path, answer.text)
        assert NAME not in answer.text, (path, answer.text)
        assert "not its token" in answer.text, (path, answer.text)


def test_who_sees_no_names_sees_neither_tokens_nor_erasures(place: Place, one: Served) -> None:
    _, dealer, _ = opened(one)
    assert dealer.does("T", {"type": "SeatPatron", "seat": 3, "patron": NAME}).status_code == 200
    told_with(0, "names", "erase", place.vault, NAME, "--by", "Ann", "--reason", "asked")
    board = one.person("board", "Board", tables=("T",))
    other = one.person("patron", "Lee", tables=("T",), seat=4)
    for person in (board, other):
        for text in (person.http.get("/v1/tables/T").text, person.http.get("/tables/T").text):
            assert NAME not in text
            assert "erased " not in text
            assert not TOKEN.search(text)


def test_who_is_refused_adds_no_name(place: Place, one: Served) -> None:
    """Otherwise a patron could fill the vault, and the disk, with names."""
    opened(one)
    patron = one.person("patron", "Lee", tables=("T",), seat=4)
    before = place.vault.read_bytes()
    answer = patron.does("T", {"type": "SeatPatron", "seat": 4, "patron": NAME})
    assert answer.status_code == 403, answer.text
    assert place.vault.read_bytes() == before
    assert not is_in(NAME, stored(place))


def test_an_exported_record_has_tokens(place: Place, one: Served) -> None:
    licensee, dealer, _ = opened(one)
    assert dealer.does("T", {"type": "SeatPatron", "seat": 3, "patron": NAME}).status_code == 200
    record = licensee.http.get("/v1/tables/T/log")
    assert record.status_code == 200
    assert not is_in(NAME, record.content)
    assert TOKEN.search(record.text)
    copied = place.folder / "record.jsonl"
    copied.write_bytes(record.content)
    told_with(0, "verify", copied)


def test_a_name_is_not_taken_by_a_member_of_the_staff(one: Served) -> None:
    """Tokens differ even for equal names, so names are compared as they are called."""
    _, dealer, floor = opened(one)
    assert dealer.token
    sent = {"person": "Dana", "office": "patron", "tables": ["T"], "seat": 3}
    problem(floor.http.post("/v1/grants", json=sent), 409, "two_offices")


def test_the_page_that_says_what_is_stored_names_every_kind_of_it() -> None:
    text = (ROOT / "docs" / "personal-data.md").read_text(encoding="utf-8")
    from croupier.records.stores import backup  # noqa: PLC0415

    for table in vars(backup)["_TABLES"]:
        assert f"`{table}`" in text, table
