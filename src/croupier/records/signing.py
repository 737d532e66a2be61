"""Ed25519 keys and signatures."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from croupier.files.errors import FileError
from croupier.files.text import read_text

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
    private = kinds.Ed25519PrivateKey.generate()
    return (
        private.private_bytes(form.Encoding.PEM, form.PrivateFormat.PKCS8, form.NoEncryption()),
        private.public_key().public_bytes(
            form.Encoding.PEM, form.PublicFormat.SubjectPublicKeyInfo
        ),
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


def check_signature(where: str, public_key: str, signature: str, message: bytes) -> None:
    key = _public_key(where, public_key)
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415  (as above)

    try:
        key.verify(base64.b64decode(signature, validate=True), message)
    except (InvalidSignature, ValueError) as error:
        raise SignatureError(f"{where}: not signed with this key") from error


def key_id(where: str, public_key: str) -> str:
    """Return the SHA-256 of a public key (DER, SubjectPublicKeyInfo). Raises ``SignatureError``.

    It is that of ``openssl pkey -pubin -in KEY.pub -outform DER | sha256sum``.
    """
    key, (_, form) = _public_key(where, public_key), _package()
    raw = key.public_bytes(form.Encoding.DER, form.PublicFormat.SubjectPublicKeyInfo)
    return hashlib.sha256(raw).hexdigest()


def _public_key(where: str, pem: str) -> ed25519.Ed25519PublicKey:
    kinds, form = _package()
    try:
        key = form.load_pem_public_key(pem.encode())
    except ValueError as error:
        raise SignatureError(f"{where}: not a public key: {error}") from error
    if not isinstance(key, kinds.Ed25519PublicKey):
        raise SignatureError(f"{where}: not an Ed25519 key")
    found: ed25519.Ed25519PublicKey = key
    return found
