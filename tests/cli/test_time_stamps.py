"""Time stamps over signed heads, by an authority that the tests run with ``openssl ts``."""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from time import sleep
from typing import Final

import pytest
from cryptography import x509
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

from croupier.records.stores.sqlite_store import SQLiteStore
from support.command_line import croupier
from support.forged_logs import play
from support.signed_logs import made_key

pytestmark = pytest.mark.skipif(shutil.which("openssl") is None, reason="openssl is not installed")
run = partial(croupier, "store", columns=400)
CONFIG: Final = """
[tsa]
serial = serial
signer_digest = sha256
default_policy = 1.2.3.4.1
digests = sha256, sha512
ess_cert_id_alg = sha256
"""


class Authority:
    """A time stamp authority with a root of its own."""

    def __init__(self, folder: Path, *, seconds: int = 3600) -> None:
        self.folder = folder
        folder.mkdir()
        now = datetime.now(tz=UTC)
        root_key, key = (rsa.generate_private_key(65537, 2048) for _ in range(2))
        root = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, f"Root {folder.name}")])
        name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, "Time Stamps")])

        def certified(of: x509.Name, public: rsa.RSAPublicKey, *, is_root: bool) -> bytes:
            ends = now + (timedelta(days=9) if is_root else timedelta(seconds=seconds))
            made = (
                x509.CertificateBuilder()
                .subject_name(of)
                .issuer_name(root)
                .public_key(public)
                .serial_number(x509.random_serial_number())
                .not_valid_before(now - timedelta(minutes=1))
                .not_valid_after(ends)
                .add_extension(x509.BasicConstraints(ca=is_root, path_length=None), critical=True)
            )
            if not is_root:
                usage = x509.ExtendedKeyUsage([ExtendedKeyUsageOID.TIME_STAMPING])
                made = made.add_extension(usage, critical=True)
            return made.sign(root_key, SHA256()).public_bytes(Encoding.PEM)

        self.root = folder / "root.pem"
        self.root.write_bytes(certified(root, root_key.public_key(), is_root=True))
        (folder / "tsa.pem").write_bytes(certified(name, key.public_key(), is_root=False))
        (folder / "tsa.key").write_bytes(
            key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())
        )
        (folder / "serial").write_text("01\n")
        (folder / "tsa.cnf").write_text(CONFIG)

    def answer(self, request: Path) -> Path:
        """Answer a request; return the response."""
        response = request.with_suffix(f".{self.folder.name}.tsr")
        words = ("openssl", "ts", "-reply", "-queryfile", request, "-config", "tsa.cnf",
                 "-section", "tsa", "-signer", "tsa.pem", "-inkey", "tsa.key", "-out", response)  # fmt: skip
        subprocess.run(  # noqa: S603  (our own words)
            [os.fspath(one) for one in words], cwd=self.folder, check=True, capture_output=True
        )
        return response


@pytest.fixture
def heads(tmp_path: Path) -> Path:
    """Return a file of two signed heads of a store."""
    play(tmp_path / "log", rounds=3)
    lines = (tmp_path / "log").read_bytes().splitlines(keepends=True)
    key, path = made_key(tmp_path, "key"), tmp_path / "heads"
    for count in (30, len(lines)):
        store = tmp_path / f"{count}.sqlite"
        with SQLiteStore(store) as kept:
            kept.create("T1").append(0, lines[:count])
        done = run("heads", store, "--key", key, "-o", path)
        assert done.exit_code == 0, done.output
    return path


@pytest.fixture
def authority(tmp_path: Path) -> Authority:
    return Authority(tmp_path / "authority")


def requested(heads: Path) -> Path:
    request = heads.with_name("request.tsq")
    done = run("stamp", heads, "--request", request, "--force")
    assert done.exit_code == 0, done.output
    return request


def verified(heads: Path, response: Path, authority: Authority) -> tuple[int, str]:
    done = run("stamp", heads, "--response", response, "--authority", authority.root)
    return done.exit_code, done.output


def test_the_last_head_is_stamped_and_verified_offline(heads: Path, authority: Authority) -> None:
    request = requested(heads)
    # What is stamped is the digest of the line, which the next line repeats as its ``prev``.
    digest = hashlib.sha256(heads.read_bytes().splitlines()[-1]).digest()
    assert digest in request.read_bytes()
    before = datetime.now(tz=UTC).replace(microsecond=0)
    response = authority.answer(request)
    status, told = verified(heads, response, authority)
    assert (status, "line 2 and those before it existed at" in told) == (0, True)
    at = datetime.fromisoformat(told.rpartition(" existed at ")[2].strip())
    assert before <= at <= datetime.now(tz=UTC)
    # It holds when the file has gone on.
    more = heads.with_name("more.sqlite")
    play(heads.parent / "other", rounds=2)
    with SQLiteStore(more) as kept:
        for name, log in (("T1", "log"), ("T2", "other")):
            lines = (heads.parent / log).read_bytes().splitlines(keepends=True)
            kept.create(name).append(0, lines)
    assert run("heads", more, "--key", heads.with_name("key"), "-o", heads).exit_code == 0
    assert verified(heads, response, authority) == (0, told)


def test_a_head_that_was_changed_is_not_the_one_stamped(heads: Path, authority: Authority) -> None:
    response = authority.answer(requested(heads))
    whole = heads.read_bytes()
    first, last = whole.splitlines(keepends=True)
    for changed in (first, first + last.replace(b'"closed":true', b'"closed":false'), last):
        heads.write_bytes(changed)
        assert verified(heads, response, authority)[0] == 1
    heads.write_bytes(first.replace(b'"lines":30', b'"lines":31') + last)
    status, told = verified(heads, response, authority)
    assert (status, "a line before it is missing, out of place, or changed" in told) == (1, True)


def test_another_authority_is_not_trusted(
    heads: Path, authority: Authority, tmp_path: Path
) -> None:
    response = Authority(tmp_path / "other").answer(requested(heads))
    status, told = verified(heads, response, authority)
    assert (status, "not signed by the authority" in told) == (1, True)


def test_a_response_that_was_changed_is_refused(heads: Path, authority: Authority) -> None:
    response = authority.answer(requested(heads))
    right, raw = verified(heads, response, authority), response.read_bytes()
    for place in range(40, len(raw), 211):
        response.write_bytes(raw[:place] + bytes([raw[place] ^ 1]) + raw[place + 1 :])
        found = verified(heads, response, authority)
        # Not every byte beside the signed time is signed, such as the name of the status.
        assert found[0] in {1, 2} or found == right, place
    response.write_bytes(b"no response")
    assert verified(heads, response, authority)[0] == 2


def _der(tag: int, content: bytes) -> bytes:
    length = len(content)
    size = b"" if length < 128 else length.to_bytes((length.bit_length() + 7) // 8)
    return bytes([tag, 128 | len(size) if size else length]) + size + content


def test_the_time_is_that_of_the_signed_part(heads: Path, authority: Authority) -> None:
    response = authority.answer(requested(heads))
    right, raw = verified(heads, response, authority), response.read_bytes()
    at = raw.index(b"\x30\x03\x02\x01\x00")
    # The text of the status is not signed, and is printed as it is.
    soon = datetime.now(tz=UTC) + timedelta(minutes=5)
    said = f"x\nTST info:\nTime stamp: {soon:%b %d %H:%M:%S %Y} GMT\n".encode()
    status = _der(0x30, b"\x02\x01\x00" + _der(0x30, _der(0x0C, said)))
    response.write_bytes(_der(0x30, status + raw[at + 5 :]))
    assert verified(heads, response, authority) == right


def test_a_stamp_holds_when_the_certificate_has_expired(heads: Path, tmp_path: Path) -> None:
    authority = Authority(tmp_path / "short", seconds=2)
    response = authority.answer(requested(heads))
    sleep(2.5)
    assert verified(heads, response, authority)[0] == 0


def test_a_stamp_that_was_made_after_the_certificate_expired_is_refused(
    heads: Path, tmp_path: Path
) -> None:
    authority = Authority(tmp_path / "expired", seconds=-1)
    status, told = verified(heads, authority.answer(requested(heads)), authority)
    assert (status, "not signed by the authority" in told) == (1, True)


def test_a_stamp_of_other_content_is_refused(heads: Path, authority: Authority) -> None:
    for algorithm in ("sha256", "sha512"):
        request = heads.with_name(f"{algorithm}.tsq")
        words = (
            "openssl",
            "ts",
            "-query",
            "-data",
            heads,
            f"-{algorithm}",
            "-cert",
            "-out",
            request,
        )
        subprocess.run([os.fspath(one) for one in words], check=True, capture_output=True)  # noqa: S603
        status, told = verified(heads, authority.answer(request), authority)
        assert (status, "is the one that was stamped" in told) == (1, True)


def test_a_stamp_without_the_certificate_or_truncated_is_refused(
    heads: Path, authority: Authority
) -> None:
    request = heads.with_name("bare.tsq")
    digest = hashlib.sha256(heads.read_bytes().splitlines()[-1]).hexdigest()
    words = ("openssl", "ts", "-query", "-digest", digest, "-sha256", "-out", request)
    subprocess.run([os.fspath(one) for one in words], check=True, capture_output=True)  # noqa: S603
    status, told = verified(heads, authority.answer(request), authority)
    assert (status, "by the authority: signer certificate not found" in told) == (1, True)
    response = authority.answer(requested(heads))
    refused = run("stamp", heads, "--response", response, "--authority", request)
    assert (refused.exit_code, f"{request}: it has no certificate" in refused.output) == (2, True)
    raw = response.read_bytes()
    for count in (0, 1, len(raw) // 2, len(raw) - 1):
        response.write_bytes(raw[:count])
        assert verified(heads, response, authority)[0] == 2, count


def test_what_it_takes(heads: Path, authority: Authority, monkeypatch: pytest.MonkeyPatch) -> None:
    for words in (
        (),
        ("--authority", authority.root),
        ("--response", authority.root),
        ("--request", heads.with_name("r"), "--response", heads, "--authority", authority.root),
    ):
        refused = run("stamp", heads, *words)
        assert (refused.exit_code, "--request FILE, or --response" in refused.output) == (2, True)
    empty = heads.with_name("empty")
    empty.write_bytes(b"")
    assert run("stamp", empty, "--request", heads.with_name("r")).exit_code == 2
    monkeypatch.setenv("PATH", "")
    refused = run("stamp", heads, "--request", heads.with_name("r"))
    assert (refused.exit_code, "need the program openssl" in refused.output) == (2, True)
    assert not heads.with_name("r").exists()
