"""``croupier grant``: links next to a running service, for its own user alone."""

from __future__ import annotations

import os
import pty
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from functools import partial
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import httpx
import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from croupier.records.codec import from_json
from croupier.records.stores.stream import StoreError
from croupier.server import opening
from croupier.server.control import ask, control_of
from support.served import NJ, Served, served
from support.tables import NOTIFIED


def grant(*words: str) -> Result:
    return CliRunner().invoke(main, ["grant", *words])


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    store = tmp_path / "pit.sqlite"
    kept: dict[str, Served] = {}

    async def answers(asked: bytes) -> object:
        return await opening.wanted_link(kept["house"].service, asked)

    with served(store, control=(control_of(store), answers)) as one:
        kept["house"] = one
        made = one.person("licensee", "Lou").http.post(
            "/v1/tables", params={"notified": NOTIFIED}, content=NJ.read_bytes(),
            headers={"Content-Type": "application/toml"},
        )  # fmt: skip
        assert made.status_code == 201, made.text
        yield one


def signs_in(house: Served, link: str) -> httpx.Response:
    assert link.startswith(f"{house.place}/enter?link=")
    code = parse_qs(urlsplit(link).query)["link"][0]
    return httpx.post(f"{house.place}/v1/tokens", json={"link": code})


def test_a_link_is_written_to_a_new_file_of_this_user(house: Served, tmp_path: Path) -> None:
    out, store = tmp_path / "link.txt", tmp_path / "pit.sqlite"
    words = ("--office", "dealer", "--person", "Dana", "--table", "MB-101", "--store", str(store))
    found = grant(*words, "--out", str(out))
    assert found.exit_code == 0, found.output
    assert "link=" not in found.output
    assert stat.S_IMODE(out.stat().st_mode) == 0o600
    link = out.read_text(encoding="utf-8").strip()
    told = signs_in(house, link)
    assert told.status_code == 201
    assert (told.json()["person"], told.json()["tables"]) == ("Dana", ["MB-101"])
    assert signs_in(house, link).status_code == 410

    record = [from_json(line) for line in [*house.service.store.lines("pit:1")][1:]]
    made = next(one for one in record if one["command"]["type"] == "GrantOffice")
    assert made["by"] == [{"person": "licensee", "office": "licensee", "device": "command line"}]
    assert parse_qs(urlsplit(link).query)["link"][0] not in str(record)

    # The file is not replaced, and no link is made that nobody gets.
    before = len(record)
    again = grant(*words, "--out", str(out))
    assert (again.exit_code, "name a new file" in again.output) == (2, True)
    assert len([*house.service.store.lines("pit:1")]) - 1 == before


def test_a_link_is_printed_on_a_terminal_alone(house: Served, tmp_path: Path) -> None:
    words = ["grant", "--office", "floorperson", "--store", str(tmp_path / "pit.sqlite")]
    piped = CliRunner().invoke(main, words)
    assert (piped.exit_code, "standard output is not a terminal" in piped.output) == (2, True)
    ours, theirs = pty.openpty()
    subprocess.run([sys.executable, "-m", "croupier", *words], stdout=theirs, check=True)  # noqa: S603
    os.close(theirs)
    link = os.read(ours, 4096).decode().strip()
    os.close(ours)
    assert signs_in(house, link).json()["office"] == "floorperson"


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--office", "dealer", "--table", "MB-9"], "table: there is no MB-9; there are MB-101"),
        (["--office", "dealer", "--table", "MB-101", "--pit", "7"], "no MB-101 in pit 7"),
        (["--office", "patron", "--table", "MB-101"], "seat: a patron has one"),
        (["--office", "dealer", "--seat", "3"], "seat: a patron has one, and nobody else"),
        (["--office", "dealer", "--person", "Lou"], "Lou is licensee"),
        (["--office", "dealer", "--person", " x "], "person: write 1 to 40 characters"),
        (["--office", "king"], "'king' is not one of"),
        (["--office", "dealer", "--hours", "0"], "--hours"),
    ],
)
def test_what_cannot_be_granted_is_refused(
    house: Served, tmp_path: Path, words: list[str], said: str
) -> None:
    before = [*house.service.store.lines("pit:1")]
    out = tmp_path / "link.txt"
    found = grant(*words, "--store", str(tmp_path / "pit.sqlite"), "--out", str(out))
    assert (found.exit_code, said in " ".join(found.output.split())) == (2, True), found.output
    assert not out.exists()
    assert [*house.service.store.lines("pit:1")] == before


def test_a_service_that_does_not_run_is_named(tmp_path: Path) -> None:
    found = grant(
        "--office", "dealer", "--store", str(tmp_path / "x.sqlite"), "--out", str(tmp_path / "l")
    )
    assert (found.exit_code, "no service answers there" in found.output) == (2, True)
    found = grant("--office", "dealer", "--store", "postgresql://x/y", "--out", str(tmp_path / "l"))
    assert (found.exit_code, "--control FILE" in found.output) == (2, True)


def test_the_socket_is_of_this_user_and_goes_with_the_service(tmp_path: Path) -> None:
    # Longer than the address of a socket may be.
    folder = tmp_path / ("x" * 120)
    folder.mkdir()
    at = control_of(folder / "pit.sqlite")
    with served(folder / "pit.sqlite", control=(at, partial(_echo))):
        assert stat.S_IMODE(at.stat().st_mode) == 0o600
        assert ask(at, {"a": 1}) == {"asked": '{"a":1}\n'}
    assert not at.exists()
    at.write_text("a file of somebody")
    with pytest.raises(OSError, match="in use"), served(folder / "pit.sqlite", control=(at, _echo)):
        pass
    assert at.read_text() == "a file of somebody"


async def _echo(asked: bytes) -> object:
    return {"asked": asked.decode()}


def test_a_socket_that_is_in_use_is_left_to_its_service(tmp_path: Path) -> None:
    at = tmp_path / "pit.control"
    with served(tmp_path / "one.sqlite", control=(at, _echo)):
        with (
            pytest.raises(OSError, match="in use"),
            served(tmp_path / "two.sqlite", control=(at, _echo)),
        ):
            pass
        assert ask(at, {}) == {"asked": "{}\n"}
    # One that a killed service has left is replaced.
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(at))
    with served(tmp_path / "one.sqlite", control=(at, _echo)):
        assert ask(at, {}) == {"asked": "{}\n"}


def test_a_store_that_fails_is_the_answer(tmp_path: Path) -> None:
    at = tmp_path / "pit.sqlite.control"

    async def fails(asked: bytes) -> object:
        if asked == b"{}\n":
            raise StoreError("the disk is full")
        raise ZeroDivisionError

    with served(tmp_path / "pit.sqlite", control=(at, fails)):
        assert ask(at, {}) == {"error": "the disk is full"}
        out = tmp_path / "link"
        found = grant("--office", "dealer", "--store", at.name[:-8], "--out", str(out),
                      "--control", str(at))  # fmt: skip
        assert (found.exit_code, "it gave no answer" in found.output) == (2, True), found.output


@pytest.mark.parametrize(
    "more", [{"hours": 1e300}, {"hours": -1.0}, {"pit": "7"}, {"pit": "a/b"}, {"office": 3}]
)
def test_a_request_that_the_command_would_not_send_changes_nothing(
    house: Served, tmp_path: Path, more: dict[str, object]
) -> None:
    before = house.service.store.names
    answer = ask(control_of(tmp_path / "pit.sqlite"), {"office": "dealer", **more})
    assert [*answer] == ["error"]
    assert house.service.store.names == before


def test_the_store_that_is_given_is_asked(
    house: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("croupier.toml").write_text(
        "[serve]\nstore = 'pit.sqlite'\ncontrol = 'pit.sqlite.control'\n", encoding="utf-8"
    )
    words = ("--office", "cage", "--out", "link.txt")
    found = grant(*words, "--store", "other.sqlite")
    assert (found.exit_code, "other.sqlite.control: no service" in found.output) == (2, True)
    assert grant(*words, "--store", "pit.sqlite").exit_code == 0
    assert signs_in(house, Path("link.txt").read_text().strip()).status_code == 201


def test_settings_name_the_store(
    house: Served, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("croupier.toml").write_text('[serve]\nstore = "pit.sqlite"\n', encoding="utf-8")
    assert grant("--office", "cage", "--out", "link.txt").exit_code == 0
    assert signs_in(house, Path("link.txt").read_text().strip()).status_code == 201
