"""The guide of operators, docs/running.md: its files, scripts, and commands are run or checked."""

from __future__ import annotations

import os
import re
import shlex
import shutil
import ssl
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from pathlib import Path
from time import monotonic, sleep

import click
import httpx
import pytest
from click.testing import CliRunner
from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # it has no types

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.server.run import Address
from croupier.server.sign_on import Group, SignOn
from support.certificates import make_certificate
from support.project import ROOT
from support.served import NJ, Served, served
from support.tables import make_table, open_table

GUIDE = ROOT / "docs" / "running.md"
FILES = ROOT / "docs" / "examples" / "operations"
HOST = "pit.casino.example"


def tool(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        assert os.environ.get("CROUPIER_CHECK") != "whole" or name == "systemd-analyze", name
        pytest.skip(f"{name} is not installed")
    return found


def runs(*words: object, **more: object) -> str:
    done = subprocess.run(  # noqa: S603  (files of the project, and tools of the system)
        [str(one) for one in words], capture_output=True, text=True, check=False, **more  # type: ignore[call-overload]
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return str(done.stdout + done.stderr)


def blocks(kind: str) -> Sequence[str]:
    text = GUIDE.read_text(encoding="utf-8")
    return re.findall(rf"^```{kind}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


# --- what the guide says ---


def test_every_command_of_the_guide_exists_with_its_options() -> None:
    asked = []
    for block in blocks("sh"):
        runs("sh", "-n", "-c", block)
        asked += re.findall(
            r"(?:^|bin/|&& )croupier ((?:serve|grant|store|key)\b.*)", block, re.MULTILINE
        )
    assert len(asked) >= 5
    for line in asked:
        words = shlex.split(line)
        context = click.Context(main)
        command = main.resolve_command(context, words)[1]
        assert command is not None, line
        while isinstance(command, click.Group):
            words = words[1:]
            command = command.commands[words[0]]
        known = {name for one in command.params for name in one.opts}
        assert {one for one in words if one.startswith("--")} <= known, line


def test_every_alert_has_a_response() -> None:
    alerts = re.findall(r"alert: (\w+)", (FILES / "alerts.yml").read_text(encoding="utf-8"))
    rows = re.findall(r"^\| `(Croupier\w+)` \|", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(alerts) >= 10
    assert rows == alerts


def test_settings_that_are_shown_are_valid(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    schema = Draft202012Validator(SCHEMAS["settings"]())
    for text in (*blocks("toml"), (FILES / "croupier.toml").read_text(encoding="utf-8")):
        schema.validate(tomllib.loads(text))
    shutil.copy(FILES / "croupier.toml", tmp_path)
    shutil.copy(NJ, tmp_path)
    monkeypatch.chdir(tmp_path)
    found = CliRunner().invoke(main, ["serve", "--check"])
    assert (found.exit_code, found.output) == (0, "No faults: 1 submissions can be served\n")


# --- units ---


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    analyze = tool("systemd-analyze")
    units = []
    for path in FILES.glob("croupier*.*"):
        if path.suffix in {".service", ".timer"}:
            text = re.sub(
                r"/opt/croupier/bin/[\w.]+", "/bin/true", path.read_text(encoding="utf-8")
            )
            unit = tmp_path / path.name
            unit.write_text(text, encoding="utf-8")
            units.append(unit)
    assert len(units) == 3
    assert not runs(analyze, "verify", *units).strip()
    said = runs(
        analyze, "security", "--offline=true", "--threshold=20", tmp_path / "croupier.service"
    )
    assert "exposure level" in said


# --- proxies ---


def test_caddy_accepts_its_file() -> None:
    assert "Valid configuration" in runs(
        tool("caddy"),
        "validate",
        "--adapter",
        "caddyfile",
        "--config",
        FILES / "croupier.caddyfile",
    )


class _SignOn(BaseHTTPRequestHandler):
    """A sign-on that knows a person by a cookie, as oauth2-proxy answers."""

    def do_GET(self) -> None:
        known = {"s=dana": ("Dana", "dealers"), "s=flo": ("Flo", "floor,staff")}
        person = known.get(self.headers.get("Cookie", "").partition(";")[0])
        self.send_response(202 if person else 401)
        for name, value in zip(("User", "Groups"), person or (), strict=False):
            self.send_header(f"X-Auth-Request-{name}", value)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        """Say nothing."""


@contextmanager
def signing_on() -> Iterator[int]:
    server = ThreadingHTTPServer(("127.0.0.1", 0), _SignOn)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield server.server_address[1]
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


@contextmanager
def proxied(name: str, folder: Path, service: str, sign_on: int) -> Iterator[int]:
    """Run a proxy with its file of the guide, at other ports and with a certificate of the test."""
    with ThreadingHTTPServer(("127.0.0.1", 0), _SignOn) as free:
        port: int = free.server_address[1]
    chain, key = make_certificate(folder, HOST)
    text = (FILES / name).read_text(encoding="utf-8")
    text = text.replace("127.0.0.1:8750", service).replace(":4180", f":{sign_on}")
    if name == "nginx.conf":
        text = text.replace("listen 443", f"listen 127.0.0.1:{port}")
        text = re.sub(r".*listen \[::\].*\n", "", text)
        text = re.sub(r"/etc/letsencrypt\S+fullchain.pem", str(chain), text)
        text = re.sub(r"/etc/letsencrypt\S+privkey.pem", str(key), text)
        temporary = "".join(
            f"{kind}_temp_path {folder}/{kind};\n"
            for kind in ("client_body", "proxy", "fastcgi", "uwsgi", "scgi")
        )
        text = (
            f"user root; daemon off; pid {folder}/pid; error_log {folder}/log;\nevents {{}}\n"
            f"http {{ access_log off; {temporary} {text} }}"
        )
        words = [tool("nginx"), "-e", str(folder / "log"), "-c"]
    else:
        text = text.replace(
            "admin off", f"admin off\n\tauto_https off\n\tstorage file_system {folder}"
        )
        text = text.replace(
            f"{HOST} {{", f"https://{HOST}:{port} {{\n\tbind 127.0.0.1\n\ttls {chain} {key}"
        )
        words = [tool("caddy"), "run", "--adapter", "caddyfile", "--config"]
    config = folder / name
    config.write_text(text, encoding="utf-8")
    errors = (folder / "errors").open("w")
    with errors, subprocess.Popen([*words, config], stderr=errors, stdout=errors) as proxy:  # noqa: S603
        try:
            yield port
        finally:
            proxy.terminate()


@pytest.mark.parametrize("name", ["nginx.conf", "croupier.caddyfile"])
def test_a_person_enters_through_the_proxy_of_the_guide(tmp_path: Path, name: str) -> None:
    groups = (Group("dealers", "dealer"), Group("floor", "floorperson"))
    sign_on = SignOn((ip_network("127.0.0.1"),), "X-Forwarded-User", "X-Forwarded-Groups", groups)
    address = Address(port=0, origin=HOST, names=("127.0.0.1",), sign_on=sign_on)
    with (
        served(tmp_path / "pit.sqlite", address=address) as house,
        signing_on() as at,
        proxied(name, tmp_path, f"127.0.0.1:{_port(house)}", at) as front,
    ):
        place = f"https://127.0.0.1:{front}"
        trusted = ssl.create_default_context(cafile=tmp_path / "pit.pem")
        with httpx.Client(base_url=place, verify=trusted, headers={"Host": HOST}) as http:
            _enter(http)


def _port(house: Served) -> int:
    (front,) = house._server.servers  # noqa: SLF001
    port: int = front.sockets[0].getsockname()[1]
    return port


def _enter(http: httpx.Client) -> None:
    def asks(method: str, path: str, cookie: str, **more: object) -> httpx.Response:
        headers = {"Cookie": cookie, "X-Forwarded-User": "Eve", "X-Forwarded-Groups": "floor"}
        return http.request(
            method, path, headers=headers, extensions={"sni_hostname": HOST}, **more  # type: ignore[arg-type]
        )  # fmt: skip

    end = monotonic() + 15
    while True:
        try:
            assert asks("GET", "/healthz", "").status_code == 401
            break
        except httpx.ConnectError:
            assert monotonic() < end
            sleep(0.1)
    wanted = {"office": "dealer", "pit": "1"}
    told = asks("POST", "/v1/tokens", "s=dana", json=wanted)
    assert told.status_code == 201, told.text
    assert told.headers["strict-transport-security"]
    cookie = f"__Host-croupier={told.json()['token']}"
    mine = asks("GET", "/v1/tokens/mine", f"s=dana; {cookie}")
    assert (mine.status_code, mine.json()["person"]) == (200, "Dana")
    assert asks("GET", "/v1/tokens/mine", f"s=flo; {cookie}").status_code == 401
    wanted["office"] = "floorperson"
    assert asks("POST", "/v1/tokens", "s=dana", json=wanted).status_code == 403
    assert asks("POST", "/v1/tokens", "s=flo", json=wanted).status_code == 201


# --- copies, the drill, and upgrades ---


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which the scripts find the program of this tree."""
    program = tmp_path / "bin" / "croupier"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m croupier "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}", "INSTALL": "true"}


def test_a_copy_is_drilled_and_the_table_goes_on(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    store, copies = tmp_path / "pit.sqlite", tmp_path / "copies"
    copies.mkdir()
    with served(store) as house:
        make_table(house)
        said = runs(FILES / "backup.sh", store, copies, env=environment)
    assert "MB-101: 0 entries, 0 rounds, verified" in said
    (copy,) = copies.iterdir()
    restored = tmp_path / "restored.sqlite"
    runs("croupier", "store", "restore", copy, restored, env=environment)
    with served(restored) as house:
        dealer, _ = open_table(house)
        assert dealer.does("MB-101", {"type": "SeatPatron", "seat": 3, "patron": "Pat"}).is_success
    # A copy that does not verify fails, and so does the unit.
    assert subprocess.run(  # noqa: S603
        [FILES / "backup.sh", tmp_path / "none.sqlite", copies], env=environment, check=False,
        capture_output=True,
    ).returncode  # fmt: skip


def test_an_upgrade_makes_a_copy_and_goes_back(tmp_path: Path, environment: dict[str, str]) -> None:
    store, copy = tmp_path / "pit.sqlite", tmp_path / "before.sqlite"
    with served(store) as house:
        make_table(house)
    said = runs(FILES / "upgrade.sh", store, copy, env=environment, cwd=tmp_path)
    assert "No faults" in said
    with served(store) as house:
        token = house.token("licensee", "Lou 2")
    runs(FILES / "upgrade.sh", "--back", store, copy, env=environment, cwd=tmp_path)
    assert (tmp_path / "pit.sqlite.failed" / "pit.sqlite").exists()
    with served(store) as house:
        bearer = {"Authorization": f"Bearer {token}"}
        assert httpx.get(f"{house.place}/v1/tables", headers=bearer).status_code == 401
        assert list(house.service.tables) == ["MB-101"]
