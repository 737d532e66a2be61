"""``croupier serve``: what it takes, how it begins, and how it ends."""

from __future__ import annotations

import json
import os
import re
import signal
import stat
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import httpx
import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.records.stores.sqlite_store import SQLiteStore
from support.browsers import chromium
from support.project import ROOT
from support.tables import NOTIFIED

NJ = ROOT / "submissions" / "nj-minibaccarat.toml"
OFFICES = 9
"""Offices that people hold, and the board."""


@contextmanager
def serving(
    *words: str, **variables: str
) -> Iterator[tuple[subprocess.Popen[str], str, list[str]]]:
    """Run the command; give its process, its address, and what it prints to begin with."""
    folder = tempfile.TemporaryDirectory()
    links = Path(folder.name) / "links.txt"
    process = subprocess.Popen(  # noqa: S603  (our own interpreter)
        [sys.executable, "-m", "croupier", "serve", *words, "--port", "0", "--links", str(links)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1", **variables},
    )
    try:
        assert process.stdout is not None
        first = process.stdout.readline()
        place = re.search(r"http://[0-9.:]+", first)
        assert place is not None, (first, process.communicate(timeout=10))
        assert stat.S_IMODE(links.stat().st_mode) == 0o600
        yield process, place[0], links.read_text(encoding="utf-8").splitlines()
    finally:
        if process.poll() is None:
            process.send_signal(signal.SIGTERM)
        process.communicate(timeout=20)
        folder.cleanup()


@pytest.mark.parametrize("ends", [signal.SIGTERM, signal.SIGINT])
def test_it_writes_a_link_for_each_office_and_ends_when_asked(
    tmp_path: Path, ends: signal.Signals
) -> None:
    store = tmp_path / "pit.sqlite"
    with serving(
        str(NJ),
        "--notified",
        NOTIFIED,
        "--store",
        str(store),
        "--cards",
        "sealed",
        "--person",
        "dealer=Dana",
        "--access-log",
        str(tmp_path / "access.jsonl"),
    ) as (
        process,
        place,
        lines,
    ):
        links = dict(re.findall(r"pit 1, ([a-z ]+?)(?: Dana)?: \S+link=(\S+)", "\n".join(lines)))
        assert len(links) == OFFICES
        with httpx.Client(base_url=place) as http:
            assert http.get("/readyz").json() == {"ready": True, "tables": 1}
            told = http.post("/v1/tokens", json={"link": links["dealer"]}).json()
            assert (told["person"], told["office"]) == ("Dana", "dealer")
            assert http.post("/v1/tokens", json={"link": links["dealer"]}).status_code == 410
        # Store, vault, and key are the user's alone.
        for path in tmp_path.iterdir():
            assert not path.stat().st_mode & (stat.S_IRWXG | stat.S_IRWXO), path
        second = CliRunner().invoke(main, ["serve", "--store", str(store), "--port", "0"])
        assert (second.exit_code, "another process has this store open" in second.output) == (
            2,
            True,
        )
        process.send_signal(ends)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (0, "")
    log = [
        json.loads(line)["event"] for line in (tmp_path / "access.jsonl").read_text().splitlines()
    ]
    assert (log[0], log[-1], "sign_in" in log) == ("started", "stopped", True)
    with SQLiteStore(store) as kept:
        assert kept.names == ("pit:1", "MB-101")
        # A table that was not opened starts from its header again.
        assert kept.snapshot("MB-101") is None
        text = b"".join(kept.documents("link").values()) + b"".join(
            kept.documents("token").values()
        )
    assert not any(link.encode() in text + store.read_bytes() for link in links.values())


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--host", "192.0.2.1"], "add --tls CERT KEY, or --behind-proxy HOST"),
        (["--person", "king=Lee"], "write OFFICE=NAME"),
        (["--person", "dealer"], "write OFFICE=NAME"),
        ([str(NJ), "--notified", "noon"], "write a time"),
        ([str(ROOT / "submissions" / "nj-blackjack-bonus.toml")], "no table can be dealt"),
    ],
)
def test_what_it_cannot_serve_is_refused(tmp_path: Path, words: list[str], said: str) -> None:
    store = tmp_path / "pit.sqlite"
    found = CliRunner().invoke(main, ["serve", "--store", str(store), "--port", "0", *words])
    assert (found.exit_code, said in found.output.replace("\n", " ")) == (2, True), found.output
    assert not store.exists()


def test_a_demonstration_leaves_nothing_behind(tmp_path: Path) -> None:
    """Three tables are dealt, each office has a link, and one browser holds them all apart."""
    browser = tmp_path / "browser"
    browser.write_text(f'#!/bin/sh\necho "$1" > {tmp_path}/opened\n')
    browser.chmod(0o700)
    folder = tmp_path / "folder"
    folder.mkdir()
    variables = {"TMPDIR": str(folder), "BROWSER": str(browser)}
    with serving("--demo", "--open", "--pace", "0.02", **variables) as (process, place, lines):
        links = dict(re.findall(r"pit 1, ([a-zP 1]+): (http\S+)", "".join(lines)))
        assert len(links) == OFFICES + 1
        assert len({link.partition("/enter")[0] for link in links.values()}) == len(links)
        with httpx.Client(base_url=place) as http:
            assert http.get("/readyz").json() == {"ready": True, "tables": 3}
            code = links["board"].partition("link=")[2]
            token = http.post("/v1/tokens", json={"link": code}).json()["token"]
            bearer = {"Authorization": f"Bearer {token}"}
            for _ in range(200):
                seen = http.get("/v1/tables/103/look", headers=bearer).json()
                if seen["seen"]["rounds"]:
                    break
                time.sleep(0.1)
            assert seen["seen"]["rounds"]
        with chromium() as one:
            context = one.new_context()
            dealer, patron = context.new_page(), context.new_page()
            for window, who in ((dealer, "dealer"), (patron, "patron Patron 1")):
                window.goto(links[who])
                window.get_by_role("button", name="Enter").click()
                window.locator("main").wait_for()
            dealer.goto(dealer.url.partition("/tables")[0] + "/tables/102")
            assert "102" in dealer.inner_text("h1")
            assert "Patron 1" in patron.inner_text("body")
        assert (tmp_path / "opened").read_text().strip() == links["dealer"]
        process.send_signal(signal.SIGINT)
        _, errors = process.communicate(timeout=20)
        assert (process.returncode, errors) == (0, "")
    assert [*folder.iterdir()] == []


def test_a_demonstration_takes_no_tables_of_others(tmp_path: Path) -> None:
    for words in ((str(NJ),), ("--store", str(tmp_path / "pit.sqlite"))):
        found = CliRunner().invoke(main, ["serve", "--demo", *words])
        assert (found.exit_code, "leave out SUBMISSIONS" in found.output) == (2, True)


def test_a_table_whose_notice_nobody_stated_is_not_served(tmp_path: Path) -> None:
    found = CliRunner().invoke(
        main, ["serve", "--store", str(tmp_path / "pit.sqlite"), "--port", "0", str(NJ)]
    )
    said = " ".join(found.output.split())
    assert found.exit_code == 2
    assert "[NJ-MINI:7.10(c)3]" in said
    assert "--notified TIME" in said


def test_nothing_else_imports_a_server() -> None:
    script = (
        "import sys, croupier, croupier.cli\n"
        "from croupier.cli.submission import check\n"
        "from croupier.cli.tables import deal, run\n"
        "from croupier.cli.records import verify\n"
        "print([one for one in ('starlette', 'uvicorn', 'httpx', 'prometheus_client', 'asyncio')"
        " if one in sys.modules])"
    )
    done = subprocess.run(  # noqa: S603  (our own interpreter)
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.strip() == "[]"
