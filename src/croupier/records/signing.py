"""Signed checkpoints (Ed25519), which detect a log that was resealed entirely."""

from __future__ import annotations

import base64
import json
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from msgspec import Struct

from croupier.files.errors import FileError
from croupier.files.json import parse_json
from croupier.files.lines import numbered_lines
from croupier.files.text import read_text
from croupier.records.clock import system_clock
from croupier.records.entry import moment
from croupier.records.stores.file_stream import FileStream

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ed25519

_FORMAT: Final = "croupier-checkpoint/1"


class SignatureError(ValueError):
    """An unreadable key, or a checkpoint not signed with it."""


class MissingSigningError(Exception):
    """The signing package is not installed."""

    def __init__(self) -> None:
        super().__init__("signatures need an extra: pip install 'croupier[sign]'")


class Checkpoint(Struct, frozen=True):
    """A statement that a stream had an entry with this seal at this time."""

    stream: str
    entry: int
    sha256: str
    at: str
    signature: str

    @property
    def message(self) -> bytes:
        """The bytes that are signed."""
        return _compact(self._fields)

    @property
    def line(self) -> bytes:
        """The checkpoint as a line of JSON."""
        return _compact(self._fields | {"signature": self.signature}) + b"\n"

    @property
    def _fields(self) -> dict[str, object]:
        return {
            "format": _FORMAT,
            "stream": self.stream,
            "entry": self.entry,
            "sha256": self.sha256,
            "at": self.at,
        }


def _compact(data: Mapping[str, object]) -> bytes:
    return json.dumps(data, separators=(",", ":")).encode()


def _ed25519() -> Any:
    try:
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415  (an extra)
    except ModuleNotFoundError as error:
        raise MissingSigningError from error
    return ed25519


def new_key() -> tuple[bytes, bytes]:
    """Return a private key and its public key as PEM."""
    private = _ed25519().Ed25519PrivateKey.generate()
    from cryptography.hazmat.primitives import serialization as form  # noqa: PLC0415  (as above)

    return (
        private.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()),
        private.public_key().public_bytes(
            form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo
        ),
    )


class Signer:
    """Signer of checkpoints. Raises ``SignatureError``."""

    def __init__(self, path: Path) -> None:
        kinds = _ed25519()
        from cryptography.hazmat.primitives import serialization as form  # noqa: PLC0415  (as above)

        try:
            key = form.load_pem_private_key(read_text(path).encode(), None)
        except (ValueError, TypeError, FileError) as error:
            raise SignatureError(f"{path}: not a private key: {error}") from error
        if not isinstance(key, kinds.Ed25519PrivateKey):
            raise SignatureError(f"{path}: not an Ed25519 key: make one with croupier key new")
        self._key: ed25519.Ed25519PrivateKey = key
        raw = key.public_key().public_bytes(
            form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo
        )
        self.public_key: Final[str] = raw.decode()

    def sign(self, message: bytes) -> str:
        """Return the signature of a message, in base 64."""
        return base64.b64encode(self._key.sign(message)).decode()

    def checkpoint(self, stream: str, entry: int, sha256: str, at: str) -> Checkpoint:
        """Return a signed checkpoint."""
        unsigned = Checkpoint(stream, entry, sha256, at, "")
        return Checkpoint(stream, entry, sha256, at, self.sign(unsigned.message))


class Checkpoints:
    """The checkpoints of a log, durable before play continues. Raises ``StoreError``."""

    def __init__(self, signer: Signer, log: Path, stream: str, *, anew: bool) -> None:
        self._signer: Final = signer
        self._path: Final = checkpoints_of(log)
        self._stream: Final = stream
        self._anew = anew

    def sign(self, entry: int, sha256: str) -> None:
        """Sign a log up to an entry now."""
        line = self._signer.checkpoint(self._stream, entry, sha256, moment(system_clock())).line
        if self._anew:
            self._path.unlink(missing_ok=True)
            self._anew = False
        there = self._path.exists()
        with FileStream.open(self._path) if there else FileStream.create(self._path) as file:
            file.append(file.count, [line])


def checkpoints_of(log: Path) -> Path:
    """Return the path of a log's checkpoints."""
    return log.with_name(f"{log.name}.checkpoints")


def check_signatures(public_key: Path, checkpoints: list[Checkpoint]) -> None:
    """Raise ``SignatureError`` unless the public key verifies all checkpoints."""
    try:
        pem = read_text(public_key)
    except FileError as error:
        raise SignatureError(f"{public_key}: not a public key: {error}") from error
    key = _public_key(str(public_key), pem)
    for number, one in enumerate(checkpoints, start=1):
        where = f"checkpoint {number}, of entry {one.entry}"
        _check(where, key, one.signature, one.message)


def check_signature(where: str, public_key: str, signature: str, message: bytes) -> None:
    """Raise ``SignatureError`` unless the public key, as PEM, verifies a signature."""
    _check(where, _public_key(where, public_key), signature, message)


def _public_key(where: str, pem: str) -> ed25519.Ed25519PublicKey:
    kinds = _ed25519()
    from cryptography.hazmat.primitives import serialization as form  # noqa: PLC0415  (as above)

    try:
        key = form.load_pem_public_key(pem.encode())
    except ValueError as error:
        raise SignatureError(f"{where}: not a public key: {error}") from error
    if not isinstance(key, kinds.Ed25519PublicKey):
        raise SignatureError(f"{where}: not an Ed25519 key")
    found: ed25519.Ed25519PublicKey = key
    return found


def _check(where: str, key: ed25519.Ed25519PublicKey, signature: str, message: bytes) -> None:
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  (as above)

    try:
        key.verify(base64.b64decode(signature, validate=True), message)
    except (InvalidSignature, ValueError) as error:
        raise SignatureError(f"{where}: not signed with this key") from error


_KINDS: Final[Mapping[str, type]] = {
    "format": str, "stream": str, "entry": int, "sha256": str, "at": str, "signature": str,
}  # fmt: skip


def read_checkpoints(path: Path) -> list[Checkpoint]:
    """Read a file of checkpoints without a torn last line. Raises ``FileError``."""
    found, errors = [], []
    for number, line in numbered_lines(path):
        if not line.endswith(b"\n"):
            break
        try:
            data = parse_json(line.decode())
        except ValueError as error:
            errors.append(f"{path}:{number}: {error}")
            continue
        kinds = {key: type(value) for key, value in data.items()} if isinstance(data, dict) else {}
        if kinds != _KINDS or data["format"] != _FORMAT:
            errors.append(f"{path}:{number}: not a checkpoint of format {_FORMAT}")
            continue
        found.append(
            Checkpoint(data["stream"], data["entry"], data["sha256"], data["at"], data["signature"])
        )
    if errors:
        raise FileError(*errors)
    return found
