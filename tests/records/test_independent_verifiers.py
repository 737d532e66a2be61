"""The verifiers in examples/verifiers need no Croupier, and agree with its reader of the chain."""

from __future__ import annotations

import ast
import base64
import gzip
import hashlib
import json
import re
import runpy
import shutil
import subprocess
import sys
from datetime import timedelta
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, Literal

import pytest
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    PublicFormat,
    load_pem_public_key,
)
from jsonschema_rs import Draft202012Validator

from croupier.cli.common.schema import SCHEMAS
from croupier.files.lines import MAX_JSON_LINE
from croupier.records.checkpoints import Checkpoints
from croupier.records.entry import last_body, seal
from croupier.records.pit_log import new_pit_header, pit_header_body, sealed_pit_entry
from croupier.records.reader import LogReader
from croupier.records.signing import Signer, new_key
from croupier.table import Refusal
from croupier.table.machine.position import Actor, Stamp
from croupier.table.pit import GiveNotice, PitPosition, propose_in_pit
from support.axe import violations
from support.browsers import chromium
from support.changed_logs import CHANGES, Found
from support.command_line import told_with
from support.forged_logs import play
from support.pits import BOTH, NOON, ORDER
from support.project import PLAIN, ROOT
from support.table_log_document import header_schema
from support.volume import spread

SCRIPT: Final = ROOT / "examples" / "verifiers" / "verify_record.py"
PAGE: Final = ROOT / "examples" / "verifiers" / "verify_record.html"
KEPT: Final = sorted((ROOT / "tests" / "data" / "logs").glob("**/*.jsonl.gz"))
OPEN: Final = ROOT / "tests" / "data" / "logs" / "laws"
"""Logs that were kept open, with the law that they store."""
NODE: Final = shutil.which("node")
BY_NODE: Final = pytest.mark.skipif(NODE is None, reason="node is not installed")

# The chain holds, and only a program that knows the commands and events sees what is wrong.
BEYOND_A_CHAIN: Final = {
    "true for 1", "text for a number", "an unknown field of an event", "an unknown event",
    "an unknown version of an event", "an unknown command",
}  # fmt: skip
# The law refuses these headers; their chain holds.
BY_LAW: Final = {"another law", "a date before the law", "an election that the law refuses"}
# Croupier reads no log with such a header; to the chain, the header alone is at fault.
OF_HEADER: Final = {"an unknown key of the header"}


def expected(name: str) -> int:
    """Return the exit status that a change has."""
    found = CHANGES[name].found
    if found is Found.REFUSED:
        return 0 if name in BY_LAW else 1 if name in OF_HEADER else 2
    return int(found is Found.CHAIN and name not in BEYOND_A_CHAIN)


def run(log: Path, *words: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-I", str(SCRIPT), str(log), *words]
    return subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603


def lines_of(output: str) -> list[int]:
    return [int(line) for line in re.findall(r"^line (\d+): ", output, re.MULTILINE)]


RUNNER: Final = """
const { readFileSync } = require("node:fs");
const source = /<script id="verifier">(.*?)<\\/script>/s.exec(readFileSync(process.argv[1], "utf8"))[1];
const { verifyRecord, unpacked, sha256 } = new Function(`${source}; return { verifyRecord, unpacked, sha256 }`)();
(async () => {
  const found = [];
  for (const path of JSON.parse(readFileSync(0, "utf8"))) {
    const bytes = new Uint8Array(readFileSync(path));
    try {
      const { seen, ...record } = verifyRecord(...await unpacked(bytes));
      found.push({ ...record, seen: [...seen], sha256: sha256(bytes) });
    } catch (error) {
      found.push({ unreadable: error.message, sha256: sha256(bytes) });
    }
  }
  console.log(JSON.stringify(found));
})();
"""


def by_page(*logs: Path) -> list[dict[str, Any]]:
    """Return what the core of the page finds in logs."""
    assert NODE is not None, "install nodejs"
    asked = json.dumps([str(log) for log in logs])
    command = [NODE, "-e", RUNNER, str(PAGE)]
    result = subprocess.run(command, input=asked, capture_output=True, text=True, check=False)  # noqa: S603
    assert result.returncode == 0, result.stderr
    found: list[dict[str, Any]] = json.loads(result.stdout)
    return found


def status_of(found: dict[str, Any]) -> int:
    return 2 if "unreadable" in found else int(bool(found["faults"]))


@cache
def whole() -> bytes:
    """Return a log of two rounds, closed."""
    with TemporaryDirectory() as folder:
        path = Path(folder) / "table.jsonl"
        play(path, rounds=2)
        return path.read_bytes()


def written(path: Path, name: str) -> Path:
    """Write a log with a change."""
    path.write_bytes(CHANGES[name].change(whole()))
    return path


def pit_log() -> bytes:
    """Return a closed log of a pit with two notices."""
    line, previous = seal(pit_header_body(new_pit_header("1")))
    lines, position = [line], PitPosition()
    stamp = Stamp((Actor("Zoë Ó", "licensee", "desk 1"),), None)
    for number, to in enumerate(BOTH):
        notice = GiveNotice({ORDER: "payments-first"}, to, NOON)
        step = propose_in_pit(position, notice, stamp, NOON + timedelta(seconds=number))
        assert not isinstance(step, Refusal), step
        line, previous = sealed_pit_entry(previous, step)
        lines.append(line)
        position = step.after
    return b"".join((*lines, seal(last_body(len(BOTH), previous))[0]))


def test_the_verifiers_know_the_keys_of_a_header_in_their_order() -> None:
    keys = header_schema()
    known, optional = [*keys["properties"]][:-1], {*keys["properties"]} - {*keys["required"]}
    script = runpy.run_path(str(SCRIPT))
    assert script["HEADERS"]["croupier-table-log/2"] == known
    assert script["OPTIONAL"] == optional
    page = PAGE.read_text(encoding="utf-8")
    formats = page[page.index('"croupier-table-log/2"') : page.index('"croupier-pit-log/1"')]
    assert re.sub(r'"\s*\+ "', "", formats).split('"')[3].split() == known
    assert re.findall(r'const OPTIONAL = "([a-z_ ]+)"', page)[0].split() == [
        key for key in known if key in optional
    ]


@BY_NODE
@pytest.mark.parametrize("more", [0, 1])
def test_no_line_is_longer_than_a_record_may_have(more: int, tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    header, entry, *others = whole().splitlines()
    spaces = b" " * (MAX_JSON_LINE + more - len(entry))
    log.write_bytes(b"\n".join((header, entry[:-1] + spaces + b"}", *others, b"")))
    status = 1 + more
    assert run(log).returncode == status
    assert status_of(by_page(log)[0]) == status
    assert ("longer than 1,048,576" in told_with(status, "verify", log).output) == bool(more)


# --- kept logs ----------------------------------------------------------------------------------


@pytest.mark.parametrize("log", spread(KEPT, 6), ids=lambda log: log.name)
def test_the_script_agrees_on_kept_logs(log: Path) -> None:
    record = LogReader(log).data()
    assert (record["chain"], record["open"]) == ("intact", log.parent == OPEN)
    head = f"{record['head']['entry']}:{record['head']['sha256']}"
    result = run(log, "--head", head)
    state = "still open" if log.parent == OPEN else "closed"
    assert (result.returncode, result.stdout) == (0, f"intact, {state}, head {head}\n")


@BY_NODE
def test_the_page_agrees_on_kept_logs() -> None:
    logs = spread(KEPT, 6)
    for log, found in zip(logs, by_page(*logs), strict=True):
        record = LogReader(log).data()
        head = f"{record['head']['entry']}:{record['head']['sha256']}"
        assert (found["closed"], found["faults"], found["torn"]) == (log.parent != OPEN, [], None)
        assert found["head"] == head
        assert head in found["seen"]
        assert found["sha256"] == hashlib.sha256(log.read_bytes()).hexdigest()


# --- changed logs -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", CHANGES)
def test_the_script_finds_what_the_chain_shows(name: str, tmp_path: Path) -> None:
    log = written(tmp_path / "log.jsonl", name)
    result = run(log)
    assert result.returncode == expected(name), result.stdout + result.stderr
    assert "Traceback" not in result.stderr
    if CHANGES[name].found is Found.REFUSED:
        return
    record = LogReader(log).data()
    head = f"{record['head']['entry']}:{record['head']['sha256']}"
    if expected(name):
        assert lines_of(result.stdout) == [fault["line"] for fault in record["faults"]]
    else:
        state = "still open" if record["open"] else "closed"
        assert result.stdout.startswith(f"intact, {state}, head {head}\n")
        assert ("breaks off" in result.stdout) == (record["torn_line"] is not None)


@BY_NODE
def test_the_page_finds_what_the_chain_shows(tmp_path: Path) -> None:
    logs = [written(tmp_path / f"{at}.jsonl", name) for at, name in enumerate(CHANGES)]
    for name, log, found in zip(CHANGES, logs, by_page(*logs), strict=True):
        assert status_of(found) == expected(name), (name, found)
        if CHANGES[name].found is Found.REFUSED:
            continue
        record = LogReader(log).data()
        if expected(name):
            lines = [fault["line"] for fault in found["faults"]]
            named = [fault["line"] for fault in record["faults"]]
            # A stream that fails may drop what it unpacked just before.
            assert lines == named or (log.read_bytes()[:1] == b"\x1f" and lines <= named), name
        else:
            assert found["closed"] != record["open"], name
            assert found["torn"] == record["torn_line"], name
            assert found["head"] == f"{record['head']['entry']}:{record['head']['sha256']}", name


def test_the_exceptions_are_changes() -> None:
    assert {*BEYOND_A_CHAIN, *BY_LAW, *OF_HEADER} <= CHANGES.keys()


# --- logs of pits, logs that continue another, heads --------------------------------------------


def test_the_log_of_a_pit(tmp_path: Path) -> None:
    good, bad = tmp_path / "pit.jsonl.gz", tmp_path / "bad.jsonl"
    good.write_bytes(gzip.compress(pit_log()))
    bad.write_bytes(pit_log().replace("Zoë".encode(), "Zoé".encode(), 1))
    assert run(good).stdout.startswith("intact, closed, head 2:")
    assert (run(bad).returncode, lines_of(run(bad).stdout)) == (1, [2])
    if NODE is not None:
        assert [status_of(found) for found in by_page(good, bad)] == [0, 1]


def test_a_log_that_continues_another_goes_on_with_its_numbers(tmp_path: Path) -> None:
    first, second = tmp_path / "first.jsonl", tmp_path / "second.jsonl"
    dealt = ("--seed", "1", "--patrons", "1", "--quiet")
    told_with(0, "deal", PLAIN, "--log", first, *dealt)
    told_with(0, "deal", PLAIN, "--continues", first, "--log", second, *dealt)
    before, record = LogReader(first).data(), LogReader(second).data()
    assert record["head"]["entry"] > before["head"]["entry"] > 0
    head = f"{record['head']['entry']}:{record['head']['sha256']}"
    assert run(second).stdout == f"intact, closed, head {head}\n"
    if NODE is not None:
        (found,) = by_page(second)
        assert (found["faults"], found["head"]) == ([], head)


def test_a_head_that_no_line_has(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    log.write_bytes(whole())
    seal_of_9 = json.loads(whole().splitlines()[9])["sha256"]
    assert run(log, "--head", f"9:{seal_of_9}").returncode == 0
    result = run(log, "--head", f"8:{seal_of_9}")
    assert (result.returncode, result.stdout[:8]) == (1, "head 8:" + seal_of_9[0])
    assert run(log, "--head", "nonsense").returncode == 2
    # A log that was cut and closed anew is intact, but lacks the head that was noted.
    noted = LogReader(log).data()["head"]
    cut = written(tmp_path / "cut.jsonl", "cut, a new last line")
    assert run(cut).returncode == 0
    assert run(cut, "--head", f"{noted['entry']}:{noted['sha256']}").returncode == 1


def test_the_signed_bytes_of_a_checkpoint(tmp_path: Path) -> None:
    private, public = new_key()
    (tmp_path / "key").write_bytes(private)
    log = tmp_path / "log"
    checkpoints = Checkpoints(Signer(tmp_path / "key"), log, "Zoë", is_new=False)
    checkpoints.sign(9, "f" * 64, is_closed=False)
    checkpoints.sign(12, "e" * 64, is_closed=True)
    first, second = Path(f"{log}.checkpoints").read_bytes().splitlines()
    signed, signature = second.removesuffix(b'"}').split(b',"signature":"')
    begin, at = signed.split(b',"at":"')
    assert begin == (
        b'{"format":"croupier-checkpoint/2","number":2,"prev":"'
        + hashlib.sha256(first).hexdigest().encode()
        + b'","stream":"Zo\\u00eb","entry":12,"sha256":"'
        + b"e" * 64
        + b'","closed":true'
    )
    key = load_pem_public_key(public)
    assert isinstance(key, Ed25519PublicKey)
    der = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    assert at[24:] == b'","key":"' + hashlib.sha256(der).hexdigest().encode() + b'"'
    # Raises InvalidSignature.
    key.verify(base64.b64decode(signature, validate=True), signed + b"}")
    assert first.startswith(b'{"format":"croupier-checkpoint/2","number":1,"prev":"' + 64 * b"0")
    Draft202012Validator(SCHEMAS["checkpoint"]()).validate(json.loads(second))


def test_a_file_that_cannot_be_read(tmp_path: Path) -> None:
    binary = tmp_path / "binary"
    binary.write_bytes(bytes(range(256)) * 9)
    short = tmp_path / "short.gz"
    short.write_bytes(b"\x1f\x8b\x08")
    for path in (tmp_path / "missing", tmp_path, binary, short):
        result = run(path)
        assert (result.returncode, result.stdout) == (2, "")
        assert "Traceback" not in result.stderr
    if NODE is not None:
        assert [status_of(found) for found in by_page(binary, short)] == [2, 2]


@BY_NODE
def test_the_page_reckons_sha_256(tmp_path: Path) -> None:
    sizes = (*range(130), 1000, 100_003)
    files = [tmp_path / str(size) for size in sizes]
    for file, size in zip(files, sizes, strict=True):
        file.write_bytes(bytes(at * size & 255 for at in range(size)))
    for file, found in zip(files, by_page(*files), strict=True):
        assert found["sha256"] == hashlib.sha256(file.read_bytes()).hexdigest(), file.name


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_page_opens_from_disk_on_a_phone(
    scheme: Literal["light", "dark"], tmp_path: Path
) -> None:
    good, bad, neither = (tmp_path / name for name in ("good.jsonl.gz", "bad.jsonl", "neither"))
    good.write_bytes(gzip.compress(whole()))
    written(bad, "a line doubled")
    neither.write_text("hello\n")
    with chromium() as browser:
        page = browser.new_page(color_scheme=scheme, viewport={"width": 360, "height": 640})
        page.goto(PAGE.as_uri())
        verdict = page.locator("#verdict")
        for file, text in (
            (good, "This record is intact."),
            (neither, "This file cannot be read as a record."),
            (bad, "This record was changed."),
        ):
            page.set_input_files("#file", file)
            page.wait_for_function(
                "text => document.getElementById('verdict').textContent === text", arg=text
            )
            assert verdict.text_content() == text
            assert violations(page) == []
            assert page.evaluate("document.documentElement.scrollWidth") <= 360
        assert "Line 10: an entry is missing" in page.inner_text("#faults")
        page.set_input_files("#file", good)
        page.fill("#head", "9:" + "0" * 64)
        page.locator("#head").blur()
        page.wait_for_selector("#faults >> text=no line has this number and seal")


# --- the files themselves -----------------------------------------------------------------------


def test_the_verifiers_need_nothing_else() -> None:
    tree = ast.parse(SCRIPT.read_text(encoding="utf-8"))
    imported = {
        name.partition(".")[0]
        for node in ast.walk(tree)
        for name in (
            [alias.name for alias in node.names]
            if isinstance(node, ast.Import)
            else [node.module or ""]
            if isinstance(node, ast.ImportFrom)
            else []
        )
    }
    assert imported <= sys.stdlib_module_names
    page = PAGE.read_text(encoding="utf-8")
    assert re.findall(r"\bsrc=|\bhref=|https?:|\bimport\b|\brequire\(|\bfetch\(", page) == []
    assert max(len(path.read_text(encoding="utf-8").splitlines()) for path in (SCRIPT, PAGE)) < 300
