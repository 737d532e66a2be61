"""Law files in a signed pack: the same on another machine, or refused."""

from __future__ import annotations

import hashlib
import json
import shutil
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget
from croupier.records import law_pack
from croupier.records.law_pack import PackError, Unpacked
from croupier.records.signing import SignatureError, Signer
from support.command_line import told_with
from support.project import ROOT

LAWS = ROOT / "examples" / "laws"


@pytest.fixture(autouse=True)
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(VARIABLE, "")
    forget()
    told_with(0, "key", "new", "key")
    told_with(0, "law", "pack", LAWS, "--key", "key", "-o", "two.croupierlaw")
    yield tmp_path / "two.croupierlaw"
    monkeypatch.undo()
    forget()


def test_a_log_is_verified_elsewhere_under_the_laws_of_a_pack(packed: Path) -> None:
    table = LAWS / "us-pa" / "table.toml"
    told_with(0, "--laws", LAWS, "deal", table, "--seed", "2", "--quiet", "--log", "log.jsonl")
    forget()
    assert "PASS" not in told_with(2, "verify", "log.jsonl").stdout
    told_with(0, "law", "add", packed, "-o", "laws", "--key", "key.pub")
    assert "PASS: log.jsonl" in told_with(0, "--laws", "laws", "verify", "log.jsonl").stdout
    # No file is replaced.
    told_with(2, "law", "add", packed, "-o", "laws")


def test_verification_says_whose_pack_vouches_for_the_law(packed: Path) -> None:
    table = LAWS / "us-pa" / "table.toml"
    told_with(0, "--laws", packed, "deal", table, "--seed", "2", "--quiet", "--log", "log.jsonl")
    forget()
    words = "verify", "log.jsonl", "--format", "json"
    found = json.loads(told_with(0, "--laws", packed, *words).stdout)["law_vouched_by"]
    assert found == Unpacked(packed).key_id
    assert found in told_with(0, "--laws", packed, "verify", "log.jsonl").stdout
    # A key of somebody else's trust is not that of the pack, though the log itself is signed with it.
    told_with(0, "key", "new", "other")
    signing = "--sign", "other", "--log", "signed.jsonl"
    told_with(0, "--laws", packed, "deal", table, "--seed", "2", "--quiet", *signing)
    for key, status in (("other.pub", 1), ("key.pub", 1)):
        judged = told_with(status, "--laws", packed, "verify", "signed.jsonl", "--public-key", key)
        assert ("no trusted key has signed, but" in judged.stdout) == (key == "other.pub")
    both = "--public-key", "other.pub", "--public-key", "key.pub"
    told_with(0, "--laws", packed, "verify", "signed.jsonl", *both)
    forget()
    assert json.loads(told_with(0, "--laws", LAWS, *words).stdout)["law_vouched_by"] is None
    raw = bytearray(packed.read_bytes())
    raw[len(raw) // 2] ^= 1
    packed.write_bytes(raw)
    refused = told_with(2, "--laws", packed, *words)
    assert "--laws" in refused.stderr
    assert "Traceback" not in refused.stderr


def test_a_pack_with_one_changed_byte_is_refused(packed: Path) -> None:
    raw = packed.read_bytes()
    changed = packed.with_name("changed.croupierlaw")
    for place in (*range(0, len(raw), 997), *range(100), *range(len(raw) - 100, len(raw))):
        changed.write_bytes(raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :])
        with pytest.raises((PackError, SignatureError)):
            Unpacked(changed)
    for other in (b"", raw[:-1], raw + b" "):
        changed.write_bytes(other)
        assert "Traceback" not in told_with(2, "law", "add", changed, "-o", "laws").stderr
    assert not Path("laws").exists()


def test_a_pack_of_another_key_is_refused(packed: Path) -> None:
    told_with(0, "key", "new", "other")
    refused = told_with(2, "law", "add", packed, "-o", "laws", "--key", "other.pub")
    assert "signed with another key" in refused.stderr
    assert not Path("laws").exists()


def test_an_archive_with_another_file_is_refused(packed: Path) -> None:
    with zipfile.ZipFile(packed, "a") as archive:
        archive.writestr("../outside.toml", "")
    assert "not as signed" in told_with(2, "law", "add", packed, "-o", "laws").stderr


def signed_pack(packed: Path, more: dict[str, bytes], **stated: Any) -> Path:
    """Return a pack with more files, signed with the key of the first."""
    with zipfile.ZipFile(packed) as archive:
        files = {name: archive.read(name) for name in archive.namelist()}
    manifest = json.loads(files.pop("manifest.json"))
    del files["manifest.sig"]
    files |= more
    hashes = {name: hashlib.sha256(raw).hexdigest() for name, raw in files.items()}
    signer, raw = Signer(Path("key")), json.dumps(manifest | {"files": hashes} | stated).encode()
    made = packed.with_name("made.croupierlaw")
    signature = signer.sign(raw).encode()
    made.write_bytes(
        law_pack._archive({"manifest.json": raw, "manifest.sig": signature, **files})  # noqa: SLF001
    )
    return made


@pytest.mark.parametrize(
    "name",
    ["../x.toml", "/x.toml", "a/../../x.toml", "a\\x.toml", "C:x.toml", "a//x.toml", ".x.toml"],
)
def test_no_signature_lets_a_name_leave_the_folder(packed: Path, name: str) -> None:
    before = {*packed.parent.rglob("*")}
    refused = told_with(2, "law", "add", signed_pack(packed, {name: b""}), "-o", "laws/here")
    assert f"has the name {name!r}" in refused.stderr
    assert {*packed.parent.rglob("*")} == before | {packed.with_name("made.croupierlaw")}


@pytest.mark.parametrize(
    "more", [{"a.toml": b"", "a.toml/b.toml": b""}, {"a" * 300 + ".toml": b""}]
)
def test_names_that_cannot_be_files_are_refused(packed: Path, more: dict[str, bytes]) -> None:
    told_with(2, "law", "add", signed_pack(packed, more), "-o", "laws")
    assert not Path("laws").exists()


@pytest.mark.parametrize("value", [[], {}, 3, None])
def test_a_manifest_without_hashes_is_refused(packed: Path, value: Any) -> None:
    made = signed_pack(packed, {}, files={"us-pa/table.toml": value})
    assert "without its SHA-256" in told_with(2, "law", "add", made, "-o", "laws").stderr


def test_two_laws_of_one_key_are_neither_packed_nor_added(packed: Path) -> None:
    law = next(LAWS.glob("us-pa/*@*.toml"))
    other = law.read_text(encoding="utf-8").replace('title = "P', 'title = "Another p').encode()
    shutil.copytree(LAWS, "two")
    shutil.copytree("two/us-pa", "two/us-pb")
    Path("two/us-pb", law.name).write_bytes(other)
    refused = told_with(2, "law", "pack", "two", "--key", "key", "-o", "two.croupierlaw", "--force")
    assert "us-pa/minibaccarat@2014-02-01 is also in another file" in refused.stderr
    # One that a manifest conceals, because it has one hash for each law.
    register = (LAWS / "us-pa" / "interpretations.toml").read_bytes()
    more = {f"us-a/{law.name}": other, "us-a/interpretations.toml": register}
    refused = told_with(2, "law", "add", signed_pack(packed, more), "-o", "laws")
    assert "us-pa/minibaccarat@2014-02-01 is also in another file" in refused.stderr
    assert not Path("laws").exists()


def test_a_link_to_a_file_outside_the_folder_is_not_packed(tmp_path: Path) -> None:
    shutil.copytree(LAWS, "linked")
    (tmp_path / "secret.toml").write_text("password = 1")
    Path("linked/us-pa/more.toml").symlink_to(tmp_path / "secret.toml")
    refused = told_with(2, "law", "pack", "linked", "--key", "key", "-o", "linked.croupierlaw")
    assert "more.toml: is a link to a file outside linked" in refused.stderr
    assert not Path("linked.croupierlaw").exists()


def test_a_law_with_faults_is_not_packed() -> None:
    folder = Path("bad")
    folder.mkdir()
    text = next(LAWS.glob("us-pa/*@*.toml")).read_text(encoding="utf-8")
    (folder / "law.toml").write_text(text.replace('"wagers.tie.pays"', '"wagers.tie.pay"'))
    refused = told_with(2, "law", "pack", folder, "--key", "key", "-o", "bad.croupierlaw")
    assert "wagers.tie.pay" in refused.stderr
    assert not Path("bad.croupierlaw").exists()
