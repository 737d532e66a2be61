"""The settings of ``croupier serve`` in ``croupier.toml``, and their check without a start."""

from __future__ import annotations

import json
import os
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner, Result
from jsonschema_rs import Draft202012Validator, meta

from croupier.cli import main
from croupier.cli.tables.serve import serve
from support.certificates import make_certificate
from support.project import ROOT

NJ = ROOT / "submissions" / "nj-minibaccarat.toml"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def checks(text: str, *words: str) -> Result:
    Path("croupier.toml").write_text(text, encoding="utf-8")
    return CliRunner().invoke(main, ["serve", "--check", *words])


def certificate(*names: str) -> None:
    for name in names:
        make_certificate(Path.cwd(), "pit.example", name)


def test_what_serving_would_refuse_is_found_before(here: Path) -> None:
    text = f'[serve]\nsubmissions = ["{NJ}"]\nstore = "pit.sqlite"\n'
    found = checks(text)
    assert found.exit_code == 2
    assert "order of settlement" in found.stderr
    assert "--notified TIME" in found.stderr
    assert "7.10(c)3" in found.stderr
    assert checks(text, "--notified", "2026-11-22T12:00Z").exit_code == 0
    assert [path.name for path in here.iterdir()] == ["croupier.toml"]


GOOD = f"""
[serve]
submissions = ["{NJ}"]
notified = "2026-11-22T12:00Z"
store = "data/pit.sqlite"
host = "0.0.0.0"
port = 8750
name = ["pit.example", "pit"]
tls = ["pit.pem", "pit.key"]
metrics = "9750"
access-log = "access.jsonl"
person = ["dealer=Dana"]
cards = "sealed"
pace = 2
no-links = true
trusted-proxy = ["127.0.0.1"]

[[serve.groups]]
group = "casino-dealers"
office = "dealer"
tables = ["MB-101"]
"""


def test_good_settings_have_no_fault_and_start_nothing(here: Path) -> None:
    certificate("pit")
    before = {one.name for one in here.iterdir()}
    found = checks(GOOD)
    assert (found.exit_code, found.output) == (0, "No faults: 1 submission can be served\n")
    assert {*before, "croupier.toml"} == {one.name for one in here.iterdir()}


def test_every_fault_is_reported_at_once(here: Path) -> None:
    certificate("pit", "other")
    (here / "bad.toml").write_text("[submission]\n", encoding="utf-8")
    found = checks(
        """
[serve]
submissions = ["bad.toml"]
prot = 8750
port = 70000
cards = "magic"
name = "pit.example"
no-links = "yes"
pace = true
metrics = "somewhere"
tls = ["pit.pem", "other.key"]
store = "bad.toml/pit.sqlite"
trusted-proxy = ["127.0.0.1"]
groups = [{group = "kings", office = "king"}]
equipment = [{name = "shoe 7", tables = [], office = "dealer"}]
client-ca = "pit.pem"
""",
        "--host",
        "192.0.2.1",
        "--person",
        "king=Lee",
    )
    assert found.exit_code == 2
    told = " ".join(found.output.split())
    for words in (
        "croupier.toml:4:1: serve.prot: unknown key;",
        "did you mean port?",
        "croupier.toml:5:1: serve.port: 70000 is not in the range 0<=x<=65535",
        "croupier.toml:6:1: serve.cards: 'magic' is not one of",
        "croupier.toml:7:1: serve.name: must be an array",
        "croupier.toml:8:1: serve.no-links: must be a boolean",
        "croupier.toml:9:1: serve.pace: must be a number",
        "croupier.toml:10:1: serve.metrics: somewhere: write [HOST:]PORT",
        "bad.toml",
        "--person king=Lee: write OFFICE=NAME",
        "--tls:",
        "serve.groups[1]: office: 'king' is not one of",
        "serve.equipment[1]: office: 'dealer' is not one of board, machine",
        "serve.equipment[1]: tables: name at least one",
        "--client-ca: pit.pem: add an authority and its revocation list, in PEM",
        "--store: bad.toml/pit.sqlite:",
    ):
        assert words in told, (words, told)


def test_every_key_is_reported_with_the_others(here: Path) -> None:
    told = checks(
        """
law = []
sreve = 1
[serve]
notified = "soon"
prot = 1
access-log = "syslog:host:door"
heads = "heads.jsonl"
trusted-proxy = ["127.0.0.1"]
groups = [{group = "", office = "dealer"}]
"""
    )
    assert told.exit_code == 2
    output = " ".join(told.output.split())
    for words in (
        "croupier.toml:2:1: law: unknown key;",
        "croupier.toml:3:1: sreve: unknown key;",
        "croupier.toml:5:1: serve.notified: soon: write a time",
        "croupier.toml:6:1: serve.prot: unknown key;",
        "--access-log: syslog:host:door: write syslog:HOST:PORT",
        "give --heads FILE and --sign KEY",
        "serve.groups[1]: group: ''",
    ):
        assert words in output, (words, output)
    assert [one.name for one in here.iterdir()] == ["croupier.toml"]


@pytest.mark.usefixtures("here")
@pytest.mark.parametrize("place", ["syslog:host:door", "syslog:host:70000", "."])
def test_a_place_of_logs_that_cannot_be_used_is_refused(place: str) -> None:
    for words in (["--check"], ["--port", "0"]):
        found = CliRunner().invoke(main, ["serve", *words, "--access-log", place])
        assert (found.exit_code, place in found.output) == (2, True), (
            found.output,
            found.exception,
        )


def test_the_command_line_comes_before_the_file() -> None:
    found = checks(
        "[serve]\nport = 1\ncards = 'sealed'\nhost = '192.0.2.1'\n", "--host", "127.0.0.1"
    )
    assert found.exit_code == 0, found.output


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("serve = 3\n", "croupier.toml:1:1: serve: must be a table, as [serve]"),
        ("[server]\n", "croupier.toml:1:2: server: unknown key; the keys are laws, serve"),
        ("[serve\n", "not TOML"),
        ("[serve]\nhost = '0.0.0.0'\nbehind-proxy = ''\n", "is open to others"),
        ("[serve]\nhost = '::'\ntls = ['a', 'b']\n", "serve.tls: File 'a' does not exist"),
    ],
)
def test_bad_settings_are_refused_by_a_start_too(text: str, said: str) -> None:
    found = checks(text)
    assert (found.exit_code, said in " ".join(found.output.split())) == (2, True), found.output
    started = CliRunner().invoke(main, ["serve", "--store", "pit.sqlite"])
    assert (started.exit_code, said in " ".join(started.output.split())) == (2, True)
    assert not Path("pit.sqlite").exists()


def test_every_address_without_a_name_is_refused() -> None:
    certificate("pit")
    found = checks("[serve]\nhost = '0.0.0.0'\ntls = ['pit.pem', 'pit.key']\n")
    assert (found.exit_code, "add --name HOST" in found.output) == (2, True)


def test_the_schema_takes_what_the_reader_takes() -> None:
    schema = json.loads(CliRunner().invoke(main, ["schema", "settings"]).output)
    meta.validate(schema)
    taken = Draft202012Validator(schema)
    taken.validate(tomllib.loads(GOOD))
    taken.validate({"laws": ["laws"]})
    wrongs: tuple[dict[str, object], ...] = (
        {"law": []}, {"serve": {"prot": 1}}, {"serve": {"port": "1"}}, {"serve": {"port": 70000}},
        {"serve": {"cards": "magic"}}, {"serve": {"tls": ["one"]}}, {"serve": {"check": True}},
        {"serve": {"no-links": 1}}, {"serve": 3},
    )  # fmt: skip
    for wrong in wrongs:
        assert not taken.is_valid(wrong), wrong
    options = {
        one.opts[0].removeprefix("--") for one in serve.params if not getattr(one, "hidden", False)
    } - {"check"} | {"groups", "equipment"}
    assert options == schema["properties"]["serve"]["properties"].keys()


@pytest.mark.parametrize(
    "words", ["serve --check", "key new pit.key", "key vault pit.key", "store backup none copy"]
)
def test_the_mode_of_new_files_is_private_only_during_the_command(words: str) -> None:
    before = os.umask(0o022)
    try:
        CliRunner().invoke(main, words.split())
        assert os.umask(0o022) == 0o022
    finally:
        os.umask(before)
    assert all(one.stat().st_mode & 0o077 == 0 for one in Path.cwd().glob("*.key*"))
