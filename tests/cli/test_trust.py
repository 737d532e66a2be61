"""Trust files, keys that change or end, the extent of signatures, and chained checkpoints."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier.records.checkpoints import Checkpoints
from croupier.records.signing import Signer
from croupier.records.stores.places import open_store
from support.command_line import croupier
from support.forged_logs import forged, has, read, where
from support.project import ROOT
from support.signed_logs import DEALING, killed_log, made_key, trust_file

run = partial(croupier, columns=400)


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with a log of three shoes: two signed with ``first``, one with ``second``."""
    folder = tmp_path_factory.mktemp("dealt")
    log = killed_log(folder, made_key(folder, "first"))
    resumed = run(*DEALING, "--resume", log, "--sign", made_key(folder, "second"))
    assert resumed.exit_code == 0, resumed.output
    return folder


@pytest.fixture
def folder(dealt: Path, tmp_path: Path) -> Path:
    return shutil.copytree(dealt, tmp_path / "log")


def checked(folder: Path, trust: Path) -> tuple[int, dict[str, Any]]:
    result = run("verify", folder / "log.jsonl", "--trust", trust, "--format", "json")
    return result.exit_code, json.loads(result.stdout)


def both(folder: Path, *, first: str = "", second: str = "") -> Path:
    return trust_file(
        folder / "trust.toml",
        ("Pit 4", folder / "first", first),
        ("Pit 4, new", folder / "second", second),
    )


def signatures(document: dict[str, Any]) -> list[str]:
    return [one["message"] for one in document["findings"] if one["kind"] == "signature"]


def checkpoints(folder: Path) -> list[dict[str, Any]]:
    lines = (folder / "log.jsonl.checkpoints").read_bytes().splitlines()
    return [json.loads(line) for line in lines]


def rewrite(folder: Path, change: Callable[[list[bytes]], list[bytes]]) -> None:
    path = folder / "log.jsonl.checkpoints"
    path.write_bytes(b"".join(change(path.read_bytes().splitlines(keepends=True))))


def test_a_key_may_change_in_an_open_log(folder: Path) -> None:
    status, document = checked(folder, both(folder))
    assert (status, signatures(document)) == (0, [])
    last, signed = document["head"], document["signed_through"]
    assert (signed["entry"], signed["sha256"]) == (last["entry"], last["sha256"])
    assert (signed["key"], signed["closed"], signed["unsigned"]) == ("Pit 4, new", True, 0)
    keys = ("--public-key", folder / "first.pub", "--public-key", folder / "second.pub")
    assert run("verify", folder / "log.jsonl", *keys).exit_code == 0
    # With the new key alone the log is vouched for by what it signed.
    status, document = checked(folder, trust_file(folder / "t", ("B", folder / "second", "")))
    assert (status, len(signatures(document))) == (0, 2)
    assert "is not trusted" in signatures(document)[0]
    assert document["signed_through"]["key"] == "B"


def test_the_verdict_states_how_far_signatures_reach(folder: Path) -> None:
    rewrite(folder, lambda lines: lines[:2])
    trust = both(folder)
    status, document = checked(folder, trust)
    signed, last = document["signed_through"], document["head"]["entry"]
    at, entry = checkpoints(folder)[1]["at"], checkpoints(folder)[1]["entry"]
    assert status == 0
    assert (signed["entry"], signed["unsigned"], signed["closed"]) == (entry, last - entry, False)
    text = run("verify", folder / "log.jsonl", "--trust", trust).output
    left = last - entry
    told = f"Signed through entry {entry} of {last} by Pit 4 at {at}; {left} unsigned."
    assert told in " ".join(text.split())
    # "Pit 4" is what the author of the trust file wrote; the key is known by its hash.
    assert signed["key_id"] in "".join(text.split())


@pytest.mark.parametrize(
    ("limits", "why"),
    [
        ("revoked = 2001-01-01T00:00:00Z", "the key was revoked at 2001-01-01T00:00:00.000Z"),
        ("valid_until = 2001-01-01T00:00:00Z", "was valid until 2001-01-01T00:00:00.000Z"),
        ("valid_from = 2999-01-01T00:00:00Z", "is valid from 2999-01-01T00:00:00.000Z"),
        ("valid_from = 2998-12-31T19:00:00-05:00", "is valid from 2999-01-01T00:00:00.000Z"),
    ],
)
def test_a_signature_outside_the_time_of_its_key_is_not_counted(
    folder: Path, limits: str, why: str
) -> None:
    status, document = checked(folder, both(folder, second=limits))
    told = signatures(document)
    assert (status, len(told), why in told[0]) == (0, 2, True)
    assert document["signed_through"]["key"] == "Pit 4"
    assert document["signed_through"]["unsigned"] > 0
    status, document = checked(folder, both(folder, first=limits, second=limits))
    assert (status, document["signed_through"]) == (1, None)
    assert "no trusted key has signed" in signatures(document)[-1]


def test_a_key_counts_within_its_time(folder: Path) -> None:
    limits = "valid_from = 2020-01-01T00:00:00Z\nrevoked = 2999-01-01T00:00:00Z"
    status, document = checked(folder, both(folder, first=limits, second=limits))
    assert (status, signatures(document)) == (0, [])


@pytest.mark.parametrize(
    "change",
    [
        lambda lines: lines[:1] + lines[2:],
        lambda lines: lines[1:],
        lambda lines: [lines[1], lines[0], *lines[2:]],
        lambda lines: [*lines, lines[-1]],
        lambda lines: [lines[0].replace(b'"closed":false', b'"closed":true'), *lines[1:]],
    ],
)
def test_checkpoints_are_a_chain(
    folder: Path, change: Callable[[list[bytes]], list[bytes]]
) -> None:
    rewrite(folder, change)
    status, document = checked(folder, both(folder))
    assert status == 1
    assert any("changed" in one or "signed with this key" in one for one in signatures(document))
    text = run("verify", folder / "log.jsonl", "--trust", both(folder)).output
    assert "do not vouch for it" in text


def test_checkpoints_of_the_first_format_verify_and_are_gone_on_with(tmp_path: Path) -> None:
    log = killed_log(tmp_path, key := made_key(tmp_path, "key"))
    signer, lines = Signer(key), []
    for one in checkpoints(tmp_path):
        unsigned = {"format": "croupier-checkpoint/1"}
        unsigned |= {name: one[name] for name in ("stream", "entry", "sha256", "at")}
        text = json.dumps(unsigned, separators=(",", ":"))
        signature = signer.sign(text.encode())
        lines.append(f'{text[:-1]},"signature":"{signature}"}}\n'.encode())
    rewrite(tmp_path, lambda _: lines)
    trust = trust_file(tmp_path / "trust.toml", ("Pit 4", key, ""))
    assert checked(tmp_path, trust)[0] == 0
    assert run(*DEALING, "--resume", log, "--sign", key).exit_code == 0
    status, document = checked(tmp_path, trust)
    assert (status, document["signed_through"]["unsigned"]) == (0, 0)
    assert [one["format"][-1] for one in checkpoints(tmp_path)] == ["1", "1", "2", "2"]
    rewrite(tmp_path, lambda lines: lines[1:])
    assert checked(tmp_path, trust)[0] == 1


@pytest.mark.parametrize(("entry", "closed"), [(5, False), (10**6, False), (4, True)])
def test_a_checkpoint_has_the_seal_of_its_own_entry(
    tmp_path: Path, entry: int, *, closed: bool
) -> None:
    store, key = tmp_path / "pit.sqlite", made_key(tmp_path, "first")
    trust = trust_file(tmp_path / "trust.toml", ("Pit 4", key, ""))
    dealt = run(*DEALING[:-2], 1, "--quiet", "-o", store, "--table", "T1")
    assert dealt.exit_code == 0, dealt.output
    with closing(open_store(str(store))) as kept:
        header, fourth = (json.loads(next(iter(kept.lines("T1", at, at)))) for at in (0, 4))
    assert fourth["seq"] == 4
    signs = Checkpoints(Signer(key), store, header["stream"], is_new=True)
    verify = ("verify", store, "--trust", trust)
    signs.sign(4, fourth["sha256"], is_closed=False)
    assert "Signed through entry 4 of" in (done := run(*verify)).output
    assert done.exit_code == 0
    signs.sign(entry, fourth["sha256"], is_closed=closed)
    for done in (run(*verify), run("store", "check", store, "--trust", trust)):
        assert (done.exit_code, "has the seal of a line of entry 4" in done.output) == (1, True)
    extent = json.loads(run(*verify, "--format", "json").stdout)["signed_through"]
    assert (extent["entry"], extent["closed"]) == (4, False)


def test_a_log_that_fails_is_not_told_to_hold_its_heads(folder: Path) -> None:
    log = folder / "log.jsonl"
    lines = read(log.read_bytes())
    lines[where(lines, has("PatronSeated"))]["events"][0]["seat"] = 2
    log.write_bytes(forged(lines))
    trust = both(folder)
    status, document = checked(folder, trust)
    assert (status, document["head_given"], document["signed_through"]) == (1, False, None)
    text = run("verify", log, "--trust", trust).output
    assert "Every head given" not in text
    assert "Signed through" not in text


@pytest.mark.parametrize(
    ("text", "told"),
    [
        ("", ["format", "[[key]]"]),
        ('format = "croupier-trust/2"\nkeys = 1\n', ["keys: not a key", "croupier-trust/1"]),
        (
            'format = "croupier-trust/1"\n[[key]]\nlabel = 1\nrevokd = 1\nvalid_from = 2020-01-01',
            ["t.toml:3:1: key[1].label", "did you mean revoked", "with its zone", "public_key is"],
        ),
        (
            'format = "croupier-trust/1"\n[[key]]\nlabel = "A"\npublic_key = "no"\n',
            ["t.toml:4:1: key[1].public_key: not an Ed25519 public key"],
        ),
        (
            'format = "croupier-trust/1"\n[[key]]\nvalid_from = 0001-01-01T00:00:00+14:00\n',
            ["t.toml:3:1: key[1].valid_from: write a time with its zone"],
        ),
    ],
)
def test_a_trust_file_is_refused_with_all_that_is_wrong(
    folder: Path, text: str, told: list[str]
) -> None:
    path = folder / "t.toml"
    path.write_text(text)
    refused = run("verify", folder / "log.jsonl", "--trust", path)
    assert refused.exit_code == 2
    assert [one for one in told if one not in refused.output] == []


def test_one_key_has_one_entry(folder: Path) -> None:
    twice = trust_file(folder / "t", ("A", folder / "first", ""), ("B", folder / "first", ""))
    refused = run("verify", folder / "log.jsonl", "--trust", twice)
    assert (refused.exit_code, "of another" in refused.output) == (2, True)
    # Nor do two keys stand in one entry, the second of which would not count.
    both = (folder / "first.pub").read_text() + (folder / "second.pub").read_text()
    twice.write_text(
        f'format = "croupier-trust/1"\n[[key]]\nlabel = "A"\npublic_key = """{both}"""'
    )
    refused = run("verify", folder / "log.jsonl", "--trust", twice)
    assert (refused.exit_code, "key[1].public_key" in refused.output) == (2, True)


def test_a_trust_file_is_printed_for_keys(folder: Path) -> None:
    made = run("key", "trust", folder / "first.pub", folder / "second.pub")
    assert made.exit_code == 0
    trust = folder / "printed.toml"
    trust.write_text(made.stdout)
    status, document = checked(folder, trust)
    assert (status, document["signed_through"]["key"]) == (0, "second.pub")
    assert document["signed_through"]["key_id"] in made.stdout
    assert run("key", "trust", folder / "log.jsonl").exit_code == 2


def test_a_pack_of_laws_is_taken_from_a_trusted_key_alone(folder: Path) -> None:
    pack = folder / "two.croupierlaw"
    packed = run("law", "pack", ROOT / "examples" / "laws", "--key", folder / "first", "-o", pack)
    assert packed.exit_code == 0, packed.output
    trust = both(folder, first="revoked = 2001-01-01T00:00:00Z")
    refused = run("law", "add", pack, "-o", folder / "laws", "--trust", trust)
    assert (refused.exit_code, "the key was revoked" in refused.output) == (2, True)
    other = trust_file(folder / "t.toml", ("B", folder / "second", ""))
    assert run("law", "add", pack, "-o", folder / "laws", "--trust", other).exit_code == 2
    assert run("law", "add", pack, "-o", folder / "laws", "--trust", both(folder)).exit_code == 0
