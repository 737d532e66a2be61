"""Law files in a signed pack: the same on another machine, or refused."""

from __future__ import annotations

import json
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget
from croupier.records.law_pack import PackError, Unpacked
from croupier.records.signing import SignatureError
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


def test_a_law_with_faults_is_not_packed() -> None:
    folder = Path("bad")
    folder.mkdir()
    text = next(LAWS.glob("us-pa/*@*.toml")).read_text(encoding="utf-8")
    (folder / "law.toml").write_text(text.replace('"wagers.tie.pays"', '"wagers.tie.pay"'))
    refused = told_with(2, "law", "pack", folder, "--key", "key", "-o", "bad.croupierlaw")
    assert "wagers.tie.pay" in refused.stderr
    assert not Path("bad.croupierlaw").exists()
