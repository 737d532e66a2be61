"""The guide of operators, docs/running.md: its files, scripts, and commands are run or checked."""

from __future__ import annotations

import json
import os
import re
import shlex
import shutil
import socket
import sqlite3
import ssl
import subprocess
import sys
import threading
import tomllib
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing, contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from ipaddress import ip_network
from itertools import pairwise
from pathlib import Path
from time import monotonic, sleep
from typing import Any, NamedTuple

import click
import httpx
import psycopg
import pytest
from click.testing import CliRunner
from jsonschema_rs import Draft202012Validator

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.files import shipped
from croupier.records.stores.postgres_store import PostgresStore
from croupier.server.equipment import read_equipment
from croupier.server.run import Address
from croupier.server.sign_on import Group, SignOn
from support.certificates import make_certificate
from support.databases import cluster, new_cluster
from support.processes import Process
from support.project import ROOT
from support.served import NJ, Served, served
from support.tables import NOTIFIED, make_table, open_table, opened
from support.volume import WHOLE

GUIDE = ROOT / "docs" / "running.md"
FILES = ROOT / "docs" / "examples" / "operations"
HOST = "pit.casino.example"
SIGN_IN = "/oauth2/sign_in?rd="


def tool(name: str) -> str:
    found = shutil.which(name) or shutil.which(name, path="/usr/sbin:/sbin")
    if found is None:
        assert not WHOLE or name == "systemd-analyze", name
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
            r"(?:^|bin/|&& |-u croupier )croupier ((?:serve|grant|store|key)\b.*)",
            block,
            re.MULTILINE,
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


PARTS = {
    "Installation": (
        "test_systemd_accepts_the_units", "test_systemd_is_told_when_requests_are_taken", "test_settings_that_are_shown_are_valid",
        "test_the_container_is_built_and_serves",
    ),
    "The operator": ("test_the_operator_of_a_database_enters_and_copies_it",),
    "In a container": ("test_the_container_is_built_and_serves",),
    "Proxy and TLS": (
        "test_caddy_accepts_its_file", "test_a_person_enters_through_the_proxy_of_the_guide",
        "test_the_settings_of_the_sign_on_fit_the_proxies",
        "test_the_authority_of_equipment_issues_and_revokes",
    ),
    "Monitoring": ("test_promtool_accepts_the_alert_rules",
                   "test_alerts_and_dashboard_ask_for_metrics_that_exist"),
    "Alarms": ("test_every_alert_has_a_response",),
    "Copies and the restore drill": ("test_a_copy_is_drilled_and_the_table_goes_on",),
    "PostgreSQL": ("test_the_operator_of_a_database_enters_and_copies_it",),
    "Recovery to a point in time": ("test_a_database_is_recovered_to_a_second",),
    "Upgrade and rollback": ("test_a_version_is_tried_beside_the_one_in_use_and_goes_back",),
    "Capacity": (),
}  # fmt: skip
"""The tests that run each part of the guide; the figures of the last one come from benchmarks."""


def test_each_part_of_the_guide_is_run_by_a_test() -> None:
    headings = re.findall(r"^###? (.+)$", GUIDE.read_text(encoding="utf-8"), re.MULTILINE)
    assert headings == [*PARTS]
    here = Path(__file__)
    texts = [one.read_text(encoding="utf-8") for one in (here, here.with_name("test_probes.py"))]
    tests = set(re.findall(r"^def (test_\w+)", "".join(texts), re.MULTILINE))
    assert {one for names in PARTS.values() for one in names} <= tests


def test_the_samples_have_every_file_of_the_guide() -> None:
    # The guide begins with the wheel alone.
    folder = "docs/examples/operations"
    samples = {
        one.removeprefix(f"{folder}/") for one in shipped.samples() if one.startswith(folder)
    }
    linked = re.findall(r"\(examples/operations/([^)]+)\)", GUIDE.read_text(encoding="utf-8"))
    assert set(linked) <= samples
    assert samples == {one.name for one in FILES.iterdir()}


def test_commands_that_use_a_file_of_the_guide_go_to_its_folder() -> None:
    # Commands are pasted one after the other, and those before may have gone elsewhere.
    names = "|".join(re.escape(one.name) for one in FILES.iterdir())
    for block in blocks("sh"):
        folder, from_wheel = "", "croupier samples" in block
        for line in block.splitlines():
            folder = line[3:] if line.startswith("cd ") else folder
            named = re.findall(rf"(?<![\w/.-])(?:{names})(?![\w-])", line)
            if line.startswith(("cp ", "install ")) and named:
                assert folder.endswith("/samples/docs/examples/operations"), line
        assert not from_wheel or folder, block


def test_the_settings_of_the_sign_on_fit_the_proxies() -> None:
    settings = tomllib.loads((FILES / "oauth2-proxy.cfg").read_text(encoding="utf-8"))
    assert (settings["reverse_proxy"], settings["set_xauthrequest"]) == (True, True)
    assert settings["redirect_url"] == f"https://{HOST}/oauth2/callback"
    for name in ("croupier.caddyfile", "nginx.conf"):
        assert settings["http_address"] in (FILES / name).read_text(encoding="utf-8")


def test_systemd_is_told_when_requests_are_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    unit = (FILES / "croupier.service").read_text(encoding="utf-8")
    assert "\nType=notify\n" in unit
    with socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM) as manager:
        manager.bind(str(tmp_path / "notify"))
        manager.settimeout(10)
        monkeypatch.setenv("NOTIFY_SOCKET", str(tmp_path / "notify"))
        with served(tmp_path / "pit.sqlite") as house:
            assert manager.recv(64) == b"READY=1"
            assert house.anybody().get("/readyz").is_success


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
    assert (found.exit_code, found.output) == (0, "No faults: 1 submission can be served\n")


def test_the_authority_of_equipment_issues_and_revokes(tmp_path: Path) -> None:
    tool("openssl")
    shutil.copy(FILES / "equipment.cnf", tmp_path)
    (block,) = [one for one in blocks("sh") if "openssl ca" in one]
    runs("sh", "-e", "-c", block, cwd=tmp_path)
    machines = [{"name": "shoe 7", "tables": ["MB-101"]}]
    assert read_equipment(tmp_path / "equipment.pem", machines, tls=True)[1] == []

    def verifies() -> int:
        asked = ["openssl", "verify", "-crl_check", "-CAfile", "equipment.pem", "shoe-7.pem"]
        return subprocess.run(asked, cwd=tmp_path, capture_output=True, check=False).returncode  # noqa: S603

    assert verifies() == 0
    again = next(one for one in block.splitlines() if "-gencrl" in one)
    runs("sh", "-e", "-c", again, cwd=tmp_path)
    assert verifies() != 0


# --- units ---


def test_systemd_accepts_the_units(tmp_path: Path) -> None:
    analyze = tool("systemd-analyze")
    units = []
    for path in FILES.glob("croupier*.*"):
        if path.suffix in {".service", ".timer"}:
            text = re.sub(
                r"(/opt/croupier/current|/usr/local)/bin/[\w.]+",
                "/bin/true",
                path.read_text(encoding="utf-8"),
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
    # The processes of long queries set their priority and limits, and would be killed for it.
    text = (FILES / "croupier.service").read_text(encoding="utf-8")
    denied = re.findall(r"^SystemCallFilter=~(.*)", text, re.MULTILINE)
    assert denied == ["@privileged"]


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
        if self.path.startswith("/oauth2/sign_in?"):
            self.send_response(200)
            self.end_headers()
            return
        known = {"s=dana": ("Dana", "dealers"), "s=flo": ("Flo", "floor,staff")}
        person = known.get(self.headers.get("Cookie", "").partition(";")[0])
        self.send_response(202 if person else 401)
        for name, value in zip(("User", "Groups"), person or (), strict=False):
            self.send_header(f"X-Auth-Request-{name}", value)
        if person == known["s=flo"]:
            self.send_header("Set-Cookie", "s=flo; Path=/; HttpOnly; Secure")
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
    deadline = monotonic() + 20
    while not getattr(house._server, "servers", ()) and monotonic() < deadline:  # noqa: SLF001
        sleep(0.02)  # It listens a moment after it is ready.
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
    # A person is sent to the sign-on, and comes back to the page.
    person = {"Host": HOST, "Sec-Fetch-Mode": "navigate"}
    sent = http.get("/tables", headers=person, extensions={"sni_hostname": HOST})
    assert sent.status_code == 302
    assert sent.headers["location"].endswith(f"{SIGN_IN}/tables")
    asked = http.get(f"{SIGN_IN}/tables", headers=person, extensions={"sni_hostname": HOST})
    assert asked.status_code == 200
    wanted = {"office": "dealer", "pit": "1"}
    told = asks("POST", "/v1/tokens", "s=dana", json=wanted)
    assert told.status_code == 201, told.text
    assert told.headers["strict-transport-security"]
    cookie = f"__Host-croupier={told.json()['token']}"
    mine = asks("GET", "/v1/tokens/mine", f"s=dana; {cookie}")
    assert (mine.status_code, mine.json()["person"]) == (200, "Dana")
    assert mine.headers.get("set-cookie") is None
    other = asks("GET", "/v1/tokens/mine", f"s=flo; {cookie}")
    # The sign-on has refreshed this session.
    assert (other.status_code, other.headers["set-cookie"]) == (
        401,
        "s=flo; Path=/; HttpOnly; Secure",
    )
    wanted["office"] = "floorperson"
    assert asks("POST", "/v1/tokens", "s=dana", json=wanted).status_code == 403
    assert asks("POST", "/v1/tokens", "s=flo", json=wanted).status_code == 201
    # A header that Connection names is for the proxy alone, which would send nobody's request.
    strips = {
        "Host": HOST,
        "Cookie": "s=dana",
        "Connection": "X-Forwarded-User, X-Forwarded-Groups",
    }
    page = http.get("/enter", headers=strips, extensions={"sni_hostname": HOST})
    assert "Dana" in page.text


# --- copies, the drill, and upgrades ---


@pytest.fixture
def environment(tmp_path: Path) -> dict[str, str]:
    """Return an environment in which the scripts find the program of this tree."""
    program = tmp_path / "bin" / "croupier"
    program.parent.mkdir()
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m croupier "$@"\n', encoding="utf-8")
    program.chmod(0o755)
    return {**os.environ, "PATH": f"{program.parent}:{os.environ['PATH']}"}


def test_a_copy_is_drilled_and_the_table_goes_on(
    tmp_path: Path, environment: dict[str, str]
) -> None:
    store, copies = tmp_path / "pit.sqlite", tmp_path / "copies"
    copies.mkdir()
    with served(store) as house:
        make_table(house)
        house.record_grants()
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


def connects(path: Path) -> int:
    with socket.socket(socket.AF_UNIX) as made:
        return made.connect_ex(str(path))


def test_the_operator_of_a_database_enters_and_copies_it(tmp_path: Path) -> None:
    key, control, link = (tmp_path / one for one in ("vault.key", "pit.control", "link.txt"))
    assert CliRunner().invoke(main, ["key", "vault", str(key)]).exit_code == 0
    words = ("--vault-key", key, "--control", control, "--copies", tmp_path / "copies")
    address = cluster().database()
    process = Process(
        address, str(NJ), "--notified", NOTIFIED, "--cards", "sealed", *map(str, words)
    )
    try:
        (block,) = [one for one in blocks("sh") if "--office operator" in one]
        asked = shlex.split(block.partition("-u croupier croupier ")[2])
        asked[asked.index("operator.txt")] = str(link)
        end = monotonic() + 20
        while not control.is_socket() or connects(control) != 0:
            assert monotonic() < end
            sleep(0.05)
        found = CliRunner().invoke(main, [*asked, "--control", str(control), "--store", address])
        assert found.exit_code == 0, found.output
        assert link.stat().st_mode & 0o777 == 0o600
        with httpx.Client(base_url=process.place, headers={"Origin": process.place}) as browser:
            code = link.read_text(encoding="utf-8").strip().partition("enter?link=")[2]
            assert browser.post("/enter", data={"link": code}).headers["location"] == "/"
            page = browser.get("/operator").text
            form = re.search(r'name="form" value="(\w+)"', page)
            assert form is not None
            assert "Clock of the database" in page
            for act in ("copy", "check"):
                answer = browser.post(f"/operator/acts/{act}", data={"form": form[1]})
                assert answer.status_code == 303, answer.text
            end = monotonic() + 60
            while browser.get("/operator").text.count("Done at") < 2:
                assert monotonic() < end
                sleep(0.5)
        (copy,) = (tmp_path / "copies").iterdir()
        found = CliRunner().invoke(main, ["store", "check", str(copy)])
        assert (found.exit_code, "MB-101" in found.output) == (0, True), found.output
    finally:
        process.ask_to_end()
        process.wait()


def test_a_database_is_recovered_to_a_second() -> None:
    cluster = new_cluster()
    wal, base = cluster.folder / "wal", cluster.folder / "base"
    with ExitStack() as ends:
        ends.callback(cluster.stop)
        cluster.run("/bin/mkdir", wal)
        kept = (FILES / "archive.conf").read_text(encoding="utf-8")
        with (cluster.folder / "c" / "postgresql.conf").open("a", encoding="utf-8") as conf:
            conf.write(kept.replace("/var/backups/postgresql/wal", str(wal)))
        cluster.kill()
        cluster.start()
        place = cluster.database()
        cluster.run(
            "pg_basebackup", "-c", "fast", "-D", base, "-h", cluster.folder, "-U", "postgres"
        )
        with served(PostgresStore(place)) as house:
            dealer, floor = opened(house)
            house.record_grants()
            assert dealer.does("MB-101", {**SEAT, "seat": 3}).json()["seq"] == 2
            with psycopg.connect(place, autocommit=True) as asked:
                sleep(0.2)
                second = str(asked.execute("select clock_timestamp()").fetchone()[0])  # type: ignore[index]
                sleep(0.2)
                # What must not have happened.
                assert dealer.does("MB-101", {**SEAT, "seat": 5}).json()["seq"] == 3
                mine = dealer.sees("/v1/tokens/mine")["id"]
                assert floor.http.delete(f"/v1/grants/{mine}").status_code == 204
                asked.execute("select pg_switch_wal()")
            token = dealer.token
        cluster.kill()
        shutil.move(cluster.folder / "c", cluster.folder / "lost")
        cluster.run(FILES / "recover.sh", base, wal, cluster.folder / "c", second)
        cluster.start()
        with served(_recovered(place)) as house:
            http, mine = house.anybody(), "/v1/tokens/mine"
            http.headers["Authorization"] = f"Bearer {token}"
            assert http.get("/v1/tables/MB-101").json()["seq"] == 2
            # The grant is in force again, as the guide says.
            assert http.get(mine).json()["person"] == "Dana"
            licensee = house.person("licensee", "Lee")
            assert licensee.http.delete(f"/v1/grants/{http.get(mine).json()['id']}").is_success
            assert http.get(mine).status_code == 401
            assert licensee.sees("/v1/tables/MB-101/verify")["clean"]
            # The lease of the service that ended is in force again, too, for some seconds.
            end = monotonic() + 15
            while house.service.tables["MB-101"].desk.lost:
                assert monotonic() < end
                sleep(0.05)
            again = house.person("dealer", "Dana").does("MB-101", {**SEAT, "seat": 6})
            assert (again.status_code, again.json()["seq"]) == (200, 3)
        # It is not done over what there is.
        with pytest.raises(subprocess.CalledProcessError):
            cluster.run(FILES / "recover.sh", base, wal, cluster.folder / "c", second)


SEAT = {"type": "SeatPatron", "patron": "Pat"}


def _recovered(place: str) -> PostgresStore:
    """Return the store once the database has left recovery."""
    end = monotonic() + 20
    while True:
        with psycopg.connect(place) as asked:
            row = asked.execute("select pg_is_in_recovery()").fetchone()
        if row == (False,):
            return PostgresStore(place)
        assert monotonic() < end
        sleep(0.2)


# --- the container ---

WHEELS = ROOT / "build" / "wheels"
OF_THE_SYSTEM = ("usr", "bin", "lib", "lib64", "sbin")


def rooted(root: Path, script: str) -> str:
    """Run a script in a root with the system's programs, with processes and network of its own."""
    mounts = "".join(
        f'mkdir -p "{root}/{one}" && mount --bind /{one} "{root}/{one}" && '
        for one in (*OF_THE_SYSTEM, "dev")
        if Path("/", one).exists()
    )
    inside = root / "script"
    inside.write_text(script, encoding="utf-8")
    words = f'{mounts} mkdir -p "{root}/proc" && mount -t proc proc "{root}/proc" && exec chroot "{root}" /bin/sh -eu /script'
    return runs(
        "unshare", "--mount", "--pid", "--net", "--fork", "--kill-child", "sh", "-c", words,
        env={"PATH": "/usr/sbin:/usr/bin:/sbin:/bin"}, timeout=240,
    )  # fmt: skip


def test_the_container_is_built_and_serves(tmp_path: Path) -> None:
    if not WHEELS.exists():
        assert not WHOLE, "make build/wheels"
        pytest.skip("run make build/wheels first")
    if os.geteuid() != 0:
        pytest.skip("a root of its own takes root")
    root = tmp_path / "root"
    for one in ("etc", "tmp", "var/lib", "opt"):
        (root / one).mkdir(parents=True)
    for one in (
        "passwd",
        "group",
        "shadow",
        "gshadow",
        "login.defs",
        "nsswitch.conf",
        "ld.so.cache",
    ):
        if Path("/etc", one).exists():
            shutil.copy2(Path("/etc", one), root / "etc" / one)
    steps = dict.fromkeys(("WORKDIR", "USER", "HEALTHCHECK", "ENTRYPOINT", "CMD"), "")
    for line in (FILES / "Containerfile").read_text(encoding="utf-8").splitlines():
        step, _, said = line.partition(" ")
        if step == "COPY":
            source, target = said.split()
            assert source == WHEELS.name
            shutil.copytree(WHEELS, root / target.lstrip("/"))
        elif step == "RUN" and not said.startswith("apt-get "):
            rooted(root, said)
        elif step in steps:
            steps[step] = said
    home = root / steps["WORKDIR"].lstrip("/")
    assert home.stat().st_mode & 0o777 == 0o700
    (home / "croupier.toml").write_text('[serve]\nbehind-proxy = "pit.example"\n')
    probe = shlex.join(json.loads(steps["HEALTHCHECK"].partition("CMD ")[2]))
    program = shlex.join([*json.loads(steps["ENTRYPOINT"]), *json.loads(steps["CMD"])])
    as_user = f"setpriv --reuid={steps['USER']} --regid={steps['USER']} --clear-groups"
    said = rooted(
        root,
        f"""ip link set lo up; cd {steps["WORKDIR"]}
{as_user} {program} 2>/tmp/log & served=$!
for one in $(seq 100); do {as_user} {probe} 2>/dev/null && break; sleep 0.2; done
{as_user} {probe}
{as_user} /opt/croupier/current/bin/croupier grant --office licensee --out link.txt
kill -TERM $served; wait $served; echo "ended with $?"; cat /tmp/log; ls -ln croupier.sqlite link.txt
""",
    )
    assert "ended with 0" in said
    assert '"event": "stopped"' in said
    assert len(re.findall(r"^-rw------- 1 950 ", said, re.MULTILINE)) == 2


# Each version is this tree, but 0.3.0 moves the layout of the store and does not start.
PROGRAMS = {
    "croupier": f"""#!/bin/sh
version=$(basename "$(dirname "$(dirname "$(readlink -f "$0")")")")
echo "$version $1 $2" >>calls
if [ "$version $*" = "0.3.0 serve" ]; then
  if [ -e pit.sqlite ]; then
    {sys.executable} -c "import sqlite3; sqlite3.connect('pit.sqlite').execute('pragma user_version=99')"
  else
    grep -o 'postgresql:[^"]*' croupier.toml | xargs psql -qc 'update layout set version = 99'
  fi
  exit 1
fi
exec {sys.executable} -m croupier "$@"
""",  # noqa: S608  (our own words)
    "pip": '#!/bin/sh\nsleep 1\necho "installed ${3##*/}" >>calls\n',
    "python": f'#!/bin/sh\nexec {sys.executable} "$@"\n',
    "python3": """#!/bin/sh
mkdir -p "$4/bin"
for one in croupier pip python; do cp "$(dirname "$0")/$one" "$4/bin/"; done
""",
    "systemctl": """#!/bin/sh
echo "$1" >>calls
case $1 in
start)
  "$OPT/current/bin/croupier" serve --check >>log || exit 1
  "$OPT/current/bin/croupier" serve >>log 2>&1 &
  echo $! >pid
  sleep 0.1 ;;
stop)
  kill $(cat pid)
  while kill -0 $(cat pid); do sleep 0.02; done ;;
is-active) kill -0 $(cat pid) ;;
esac 2>>log || [ "$1" = stop ]
""",
}


class Machine(NamedTuple):
    """A machine that serves: its settings, a browser, and the address of its probe."""

    folder: Path
    environment: dict[str, str]
    http: httpx.Client
    ready: str

    def upgrades(self, *words: str) -> subprocess.CompletedProcess[str]:
        (self.folder / "calls").write_text("")
        return subprocess.run(  # noqa: S603
            [FILES / "upgrade.sh", *words], env=self.environment, cwd=self.folder,
            capture_output=True, text=True, check=False,
        )  # fmt: skip

    def calls(self) -> list[str]:
        done = (self.folder / "calls").read_text().splitlines()
        return [call for call in done if call != "is-active"]

    def enter(self) -> None:
        runs(
            "croupier", "grant", "--office", "surveillance", "--out", "link.txt",
            env=self.environment, cwd=self.folder,
        )  # fmt: skip
        link = self.folder / "link.txt"
        code = link.read_text().strip().partition("enter?link=")[2]
        link.unlink()
        assert self.http.post("/enter", data={"link": code}).is_redirect

    def entries(self) -> int:
        return int(self.http.get("/v1/tables/MB-101").json()["seq"])

    @property
    def version(self) -> str:
        return str((self.folder / "opt" / "current").readlink())


def wheel(version: str) -> str:
    return f"/root/croupier-{version}-py3-none-any.whl"


STARTED = ["stop", "start", "0.2.0 serve --check", "0.2.0 serve "]


@contextmanager
def machine(tmp_path: Path, store: str) -> Iterator[Machine]:
    """Serve version 0.1.0."""
    with socket.create_server(("127.0.0.1", 0)) as one, socket.create_server(("", 0)) as other:
        port, metrics = one.getsockname()[1], other.getsockname()[1]
    (tmp_path / "croupier.toml").write_text(
        f'[serve]\nsubmissions = ["{NJ}"]\nnotified = "{NOTIFIED}"\nstore = "{store}"\n'
        f'cards = "autopilot"\npace = 0.05\ncontrol = "pit.control"\nport = {port}\nmetrics = "127.0.0.1:{metrics}"\n'
    )
    for name, text in PROGRAMS.items():
        program = tmp_path / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text)
        program.chmod(0o755)
    ready, versions = f"http://127.0.0.1:{metrics}/readyz", tmp_path / "opt"
    path = f"{tmp_path / 'bin'}:{os.environ['PATH']}"
    environment = {**os.environ, "PATH": path, "OPT": str(versions), "READY": ready}
    runs("python3", "-m", "venv", "--clear", versions / "0.1.0", env=environment)
    (versions / "current").symlink_to("0.1.0")
    runs("systemctl", "start", env=environment, cwd=tmp_path)
    try:
        place = f"http://127.0.0.1:{port}"
        with httpx.Client(base_url=place, headers={"Origin": place}, verify=False) as http:  # noqa: S501
            with asking(ready):
                pass
            yield Machine(tmp_path, environment, http, ready)
    finally:
        runs("systemctl", "stop", env=environment, cwd=tmp_path)


@contextmanager
def asking(ready: str) -> Iterator[list[float]]:
    """Ask whether a service is ready, again and again; yield the times when it was."""
    times: list[float] = []
    ends = threading.Event()

    def ask() -> None:
        while not ends.wait(0.02):
            with suppress(httpx.TransportError):
                if httpx.get(ready, verify=False).is_success:  # noqa: S501  (not TLS)
                    times.append(monotonic())

    thread = threading.Thread(target=ask)
    thread.start()
    try:
        end = monotonic() + 20
        while not times:
            assert monotonic() < end
            sleep(0.02)
        yield times
        sleep(0.2)
    finally:
        ends.set()
        thread.join()


def longest(times: Sequence[float]) -> float:
    return max(later - sooner for sooner, later in pairwise(times))


def test_a_version_is_tried_beside_the_one_in_use_and_goes_back(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    store = tmp_path / "pit.sqlite"
    with machine(tmp_path, "pit.sqlite") as one:
        with asking(one.ready) as times:
            one.enter()
            dealt = one.entries()
            found = one.upgrades("pit.sqlite", "before.sqlite", wheel("0.2.0"))
            assert found.returncode == 0, found.stderr
            # Whatever takes long precedes the stop.
            assert one.calls() == [
                "installed croupier-0.2.0-py3-none-any.whl[server]", "0.2.0 serve --check",
                "0.1.0 store backup", "0.2.0 store check", *STARTED,
            ]  # fmt: skip
            assert (one.version, one.entries() >= dealt) == ("0.2.0", True)
            gap = longest(times)

            # The same layout: nothing that was entered is lost.
            dealt, asked = one.entries(), len(times) - 1
            found = one.upgrades("--back", "pit.sqlite", "before.sqlite")
            assert found.returncode == 0, found.stderr
            assert (one.version, one.entries() >= dealt) == ("0.1.0", True)
            restarted = longest(times[asked:])
        with capsys.disabled():
            sys.stdout.write(
                f"\n{gap:.2f} s from stop to ready; a restart takes {restarted:.2f} s\n"
            )
        assert gap < 2 * restarted + 1

        # A version that does not start.
        if os.geteuid() == 0:
            shutil.chown(store, "nobody")  # as the service's own user has it
        dealt = one.entries()
        found = one.upgrades("pit.sqlite", "second.sqlite", wheel("0.3.0"))
        assert (found.returncode, "back to 0.1.0" in found.stderr) == (1, True), found.stderr
        assert one.version == "0.1.0"
        assert httpx.get(one.ready, verify=False).is_success  # noqa: S501
        aside = tmp_path / "pit.sqlite.failed" / "pit.sqlite"
        assert store.owner() == aside.owner()
        assert one.http.get("/v1/tables").status_code == 401  # Grants of a copy are void.
        with closing(sqlite3.connect(store)) as kept:
            (number,) = kept.execute("select max(number) from line").fetchone()
        assert number >= dealt

        # What cannot be upgraded is left as it is.
        for words in (
            ("pit.sqlite", "third.sqlite", wheel("0.1.0")),
            ("pit.sqlite", "second.sqlite", wheel("0.4.0")),
            ("other.sqlite", "third.sqlite", wheel("0.4.0")),
        ):
            assert (one.upgrades(*words).returncode, one.calls()) == (2, [])


@pytest.fixture
def owned() -> Iterator[str]:
    """Return the address of a database for its owner; the role of the service is croupier."""
    made = new_cluster(waits_for_the_disk=False)
    try:
        place = made.database()
        owner = place.replace("postgres@", "pit_owner@")
        with psycopg.connect(place, autocommit=True) as asked:
            asked.execute("create role croupier login")
            asked.execute("create role pit_owner login createdb")
            (name,) = asked.execute("select current_database()").fetchone() or ("",)
            asked.execute(f'alter database "{name}" owner to pit_owner'.encode())
        PostgresStore(owner).close()
        (rights,) = [one for one in blocks("text") if "to croupier;" in one]
        with psycopg.connect(owner, autocommit=True) as asked:
            asked.execute(rights.encode())
        yield owner
    finally:
        made.stop()


def asked_of(place: str, query: str) -> list[Any]:
    with psycopg.connect(place, autocommit=True) as asked:
        return [value for (value,) in asked.execute(query.encode())]


def test_a_version_is_tried_on_a_copy_of_a_database_and_goes_back(
    tmp_path: Path, owned: str
) -> None:
    databases = "select datname from pg_database where not datistemplate and datname <> 'postgres'"
    (name,) = asked_of(owned, "select current_database()")
    with machine(tmp_path, owned.replace("pit_owner@", "croupier@")) as one:
        one.enter()
        dealt = one.entries()
        found = one.upgrades(owned, "before", wheel("0.2.0"))
        assert found.returncode == 0, found.stderr
        assert one.calls() == [
            "installed croupier-0.2.0-py3-none-any.whl[server,postgres]", "0.2.0 serve --check",
            "0.2.0 store check", *STARTED,
        ]  # fmt: skip
        assert (one.version, one.entries() >= dealt) == ("0.2.0", True)
        assert {*asked_of(owned, databases)} == {name, "before"}
        copy = owned.replace(f"/{name}?", "/before?")
        assert asked_of(copy, "select max(number) from line")[0] >= dealt

        # The same layout: nothing that was entered is lost.
        dealt = one.entries()
        found = one.upgrades("--back", owned, "before")
        assert found.returncode == 0, found.stderr
        assert (one.version, one.entries() >= dealt) == ("0.1.0", True)

        # A version that does not start.
        dealt = one.entries()
        found = one.upgrades(owned, "second", wheel("0.3.0"))
        assert (found.returncode, "back to 0.1.0" in found.stderr) == (1, True), found.stderr
        assert (one.version, httpx.get(one.ready, verify=False).is_success) == ("0.1.0", True)  # noqa: S501
        assert one.http.get("/v1/tables").status_code == 401  # Grants of a copy are void.
        one.enter()
        assert one.entries() >= dealt
        assert {*asked_of(owned, databases)} == {name, "before", f"{name}.failed"}
        assert asked_of(owned, "select version from layout") != [99]

        # A database that others use is not copied, and the service goes on.
        with psycopg.connect(owned):
            found = one.upgrades(owned, "third", wheel("0.2.0"))
        assert (found.returncode, "third cannot be written" in found.stderr) == (1, True)
        assert (one.version, one.entries() >= dealt) == ("0.1.0", True)

        # What cannot be upgraded is left as it is.
        gone = owned.replace(f"/{name}?", "/gone?")
        for words in (
            (owned, "third", wheel("0.1.0")),
            (owned, "before", wheel("0.4.0")),
            (gone, "third", wheel("0.4.0")),
        ):
            assert (one.upgrades(*words).returncode, one.calls()) == (2, [])
