"""Ed25519 keys and signatures, and the keys that are trusted, each for a time."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from croupier.files.errors import FileError, did_you_mean
from croupier.files.text import read_text
from croupier.files.toml import Toml, read_toml
from croupier.records.entry import moment
from croupier.records.json_schema import DIALECT, Schema

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric import ed25519


class SignatureError(ValueError):
    """An unreadable key, or a signature of another key or message."""


class MissingSigningError(Exception):
    def __init__(self) -> None:
        super().__init__("signatures need an extra: pip install 'croupier[sign]'")


def _package() -> tuple[Any, Any]:
    try:
        from cryptography.hazmat.primitives import serialization  # noqa: PLC0415  (an extra)
        from cryptography.hazmat.primitives.asymmetric import ed25519  # noqa: PLC0415
    except ModuleNotFoundError as error:
        raise MissingSigningError from error
    return ed25519, serialization


def new_key() -> tuple[bytes, bytes]:
    kinds, form = _package()
    key = kinds.Ed25519PrivateKey.generate()
    return (
        key.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()),
        key.public_key().public_bytes(form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo),
    )


class Signer:
    """A private key. Raises ``SignatureError``."""

    def __init__(self, path: Path) -> None:
        kinds, form = _package()
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
        self.key_id: Final[str] = key_id(str(path), self.public_key)

    def sign(self, message: bytes) -> str:
        return base64.b64encode(self._key.sign(message)).decode()


def check_signature(place: str, public_key: str, signature: str, message: bytes) -> None:
    key = _public_key(place, public_key)
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  (as above)

    try:
        key.verify(base64.b64decode(signature, validate=True), message)
    except (InvalidSignature, ValueError) as error:
        raise SignatureError(f"{place}: not signed with this key") from error


def key_id(place: str, public_key: str) -> str:
    """Return the SHA-256 of a public key, as DER. Raises ``SignatureError``."""
    key, (_, form) = _public_key(place, public_key), _package()
    raw = key.public_bytes(form.Encoding.DER, form.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(raw).hexdigest()


def _public_key(place: str, pem: str) -> ed25519.Ed25519PublicKey:
    kinds, form = _package()
    if pem.count("-----BEGIN ") > 1:
        raise SignatureError(f"{place}: more than one key")
    try:
        key = form.load_pem_public_key(pem.encode())
    except ValueError as error:
        raise SignatureError(f"{place}: not a public key: {error}") from error
    if not isinstance(key, kinds.Ed25519PublicKey):
        raise SignatureError(f"{place}: not an Ed25519 key")
    read_key: ed25519.Ed25519PublicKey = key
    return read_key


FORMAT: Final = "croupier-trust/1"
_TIMES: Final = ("valid_from", "valid_until", "revoked")


class TrustedKey(NamedTuple):
    """A public key; times are in log format, or empty."""

    label: str
    pem: str
    id: str
    valid_from: str = ""
    valid_until: str = ""
    revoked: str = ""

    def why_not(self, time: str) -> str:
        """Why a signature of a time does not count, if so."""
        if time < self.valid_from:
            return f"the key is valid from {self.valid_from}"
        if self.revoked and time >= self.revoked:
            return f"the key was revoked at {self.revoked}"
        if self.valid_until and time >= self.valid_until:
            return f"the key was valid until {self.valid_until}"
        return ""


class Trust(NamedTuple):
    keys: Mapping[str, TrustedKey]

    def signer_of(self, signature: str, message: bytes) -> TrustedKey | None:
        for key in self.keys.values():
            try:
                check_signature(key.label, key.pem, signature, message)
            except SignatureError:
                continue
            return key
        return None


def trust_in(public_keys: Iterable[Path]) -> Trust:
    """Trust keys of files at any time. Raises ``SignatureError``."""
    keys = []
    for path in public_keys:
        try:
            keys.append(_key(str(path), read_text(path)))
        except FileError as error:
            raise SignatureError(f"{path}: not a public key: {error}") from error
    return Trust({key.id: key for key in keys})


def read_trust(path: Path) -> Trust:
    """Raise ``FileError`` with every error."""
    toml = read_toml(path)
    errors: list[str] = []
    keys: dict[str, TrustedKey] = {}
    if unknown_names := [name for name in toml.tables if name not in {"format", "key"}]:
        errors += [toml.located(name, "not a key of a trust file") for name in unknown_names]
    if toml.tables.get("format") != FORMAT:
        errors.append(toml.located("format", f'write format = "{FORMAT}"'))
    rows = toml.tables.get("key")
    if not isinstance(rows, list) or not rows:
        errors.append(toml.located("key", "write a [[key]] for each public key"))
        rows = []
    for number, row in enumerate(rows, start=1):
        place = f"key[{number}]"
        errors += (faults := [*_faults(toml, place, row)])
        if faults:
            continue
        times = {name: moment(row[name]) for name in _TIMES if name in row}
        try:
            key = _key(row["label"], row["public_key"])._replace(**times)
        except SignatureError:
            errors.append(toml.located(f"{place}.public_key", "not an Ed25519 public key in PEM"))
            continue
        if key.id in keys or key.label in {trusted_key.label for trusted_key in keys.values()}:
            errors.append(toml.located(place, "its label or public key is that of another"))
        if key.valid_until and key.valid_until <= key.valid_from:
            errors.append(toml.located(f"{place}.valid_until", "not after valid_from"))
        keys[key.id] = key
    if errors:
        raise FileError(*errors)
    return Trust(keys)


def _faults(toml: Toml, place: str, row: Any) -> Iterable[str]:
    if not isinstance(row, dict):
        yield toml.located(place, "write [[key]]")
        return
    known_names = ("label", "public_key", *_TIMES)
    for name, value in row.items():
        key = f"{place}.{name}"
        if name not in known_names:
            yield toml.located(key, f"not a key of a trust file{did_you_mean(name, known_names)}")
        elif name in _TIMES:
            if not _is_moment(value):
                yield toml.located(key, "write a time with its zone: 2026-01-01T00:00:00Z")
        elif not isinstance(value, str) or not value.strip():
            yield toml.located(key, "write text")
    for name in known_names[:2]:
        if name not in row:
            yield toml.located(place, f"{name} is missing")


def _is_moment(value: Any) -> bool:
    try:
        return isinstance(value, datetime) and value.tzinfo is not None and bool(moment(value))
    except OverflowError:
        return False


def _key(label: str, pem: str) -> TrustedKey:
    return TrustedKey(label, pem, key_id(label, pem))


def trust_file() -> Schema:
    word = {"type": "string", "pattern": r"\S"}
    time = {"type": "string", "format": "date-time"}
    key = {
        "type": "object",
        "properties": {"label": word, "public_key": word, **dict.fromkeys(_TIMES, time)},
        "required": ["label", "public_key"],
        "additionalProperties": False,
    }
    return {
        "$schema": DIALECT,
        "title": FORMAT,
        "type": "object",
        "properties": {
            "format": {"const": FORMAT},
            "key": {"type": "array", "items": key, "minItems": 1},
        },
        "required": ["format", "key"],
        "additionalProperties": False,
    }
