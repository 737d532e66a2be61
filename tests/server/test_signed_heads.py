"""Signed heads that a service keeps in a second place, and what it refuses to go on with."""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path
from secrets import token_hex
from time import monotonic, sleep
from typing import Any

import pytest

from croupier.records.heads import ContradictedError, HeadsFile
from croupier.records.signing import Signer
from croupier.records.stores.places import open_store
from croupier.server.desks.signing_heads import SigningHeads
from support.command_line import croupier
from support.databases import cluster
from support.served import NJ, served
from support.signed_logs import made_key, trust_file
from support.tables import a_day, ends, make_table

pytest_plugins = ["support.store_fixtures"]

T = "MB-101"


@pytest.fixture
def key(tmp_path: Path) -> Path:
    return made_key(tmp_path, "key")


def file_of(key: Path) -> HeadsFile:
    return HeadsFile(key.with_name("heads.jsonl"), Signer(key))


def lines(key: Path) -> list[dict[str, Any]]:
    path = key.with_name("heads.jsonl")
    return [json.loads(line) for line in path.read_bytes().splitlines()] if path.exists() else []


def heads(key: Path) -> dict[str, tuple[int, bool]]:
    """Return the last head of each record: its lines, and whether it is closed."""
    return {
        one["record"]: (one["lines"], one["closed"])
        for line in lines(key)
        for one in line["records"]
    }


def wait(until: Callable[[], bool]) -> None:
    end = monotonic() + 20
    while not until():
        assert monotonic() < end
        sleep(0.02)


def copied(place: str, change: Callable[[str, list[bytes]], list[bytes]]) -> str:
    """Return the place of a new store with the changed records of another."""
    new = f"{place}.{token_hex(4)}.sqlite"
    new = cluster().database() if place.startswith("post") else new
    one, other = open_store(place), open_store(new)
    for name in one.names:
        if found := change(name, [*one.lines(name)]):
            other.create(name).append(0, found)
            other.put("table", name, one.document("table", name))
    one.close()
    other.close()
    return new


def test_a_day_is_signed_and_a_store_that_is_older_is_refused(place: str, key: Path) -> None:
    with served(open_store(place), heads=file_of(key)) as house:
        make_table(house)
        a_day(house)
        wait(lambda: T in heads(key))
        assert ends(house.person("floorperson", "Flo")).status_code == 200
        wait(lambda: f"{T}/2" in heads(key))
        # The header, three entries, the last line.
        assert (heads(key)[T], heads(key)[f"{T}/2"]) == ((5, True), (1, False))
    number = len(lines(key))
    with served(open_store(place), heads=file_of(key)):
        pass
    # Nothing has changed, so nothing is signed.
    assert len(lines(key)) == number
    trust = trust_file(key.with_name("trust.toml"), ("Pit", key, ""))
    checked = ("store", "check", place, "--heads", key.with_name("heads.jsonl"), "--trust", trust)
    done = croupier(*checked)
    assert done.exit_code == 0, done.output
    for change in (
        lambda name, found: found[:-2] if name == T else found,
        lambda name, found: [] if name == f"{T}/2" else found,
    ):
        other = copied(place, change)
        with (
            pytest.raises(ContradictedError, match=T),
            served(open_store(other), heads=file_of(key)),
        ):
            pass
        command = ("serve", "--store", other, "--port", 0, "--no-links")
        refused = croupier(*command, "--heads", key.parent, "--sign", key)
        assert (refused.exit_code, "FAIL: MB-101" in refused.output) == (1, True)
    assert len(lines(key)) == number


def test_a_shoe_is_signed_when_it_is_over(tmp_path: Path, key: Path) -> None:
    with served(tmp_path / "pit.sqlite", heads=file_of(key), pace=0.0) as house:
        make_table(house, NJ, cards="autopilot", patrons="1")
        desk = house.service.tables[T].desk
        wait(lambda: T in heads(key) and desk.durable.state.shoe.number > 0)
        found = [json.loads(one) for one in house.service.store.lines(T)][1:]
    ended = [
        one["seq"] for one in found if any(it["type"] == "ShoeCompleted" for it in one["events"])
    ]
    assert heads(key)[T][0] > ended[0]


def test_heads_that_cannot_be_written_do_not_stop_play(
    tmp_path: Path, key: Path, caplog: pytest.LogCaptureFixture
) -> None:
    path = key.with_name("heads.jsonl")
    with (
        caplog.at_level(logging.ERROR),
        served(tmp_path / "pit.sqlite", heads=file_of(key)) as house,
    ):
        make_table(house)
        a_day(house)
        wait(lambda: T in heads(key))
        kept = path.read_bytes()
        path.unlink()
        assert ends(house.person("floorperson", "Flo")).status_code == 200
        wait(lambda: "no head was signed" in caplog.text)
        # A new file would lack what the former one had.
        assert not path.exists() or not path.read_bytes()
        path.write_bytes(kept)
        keeper = house.service.heads
        assert isinstance(keeper, SigningHeads)

        async def ask() -> None:
            keeper.ask()

        house.do(ask())
        wait(lambda: f"{T}/2" in heads(key))


def test_heads_need_their_key(tmp_path: Path, key: Path) -> None:
    store = ("serve", "--store", tmp_path / "pit.sqlite", "--port", 0)
    for words in (("--heads", tmp_path / "h"), ("--sign", key)):
        refused = croupier(*store, *words)
        assert (refused.exit_code, "give --heads FILE and --sign KEY" in refused.output) == (
            2,
            True,
        )
    other = made_key(tmp_path, "other")
    with served(tmp_path / "pit.sqlite", heads=file_of(key)) as house:
        make_table(house)
    given = ("--heads", tmp_path / "heads.jsonl", "--sign", other)
    refused = croupier(*store, *given)
    assert (refused.exit_code, "is not trusted" in refused.output) == (1, True)
