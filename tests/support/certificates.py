"""Certificates of tests: of a host by openssl, of clients by an authority of their own."""

from __future__ import annotations

import subprocess
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from cryptography.x509.oid import NameOID


def make_certificate(
    folder: Path, host: str, name: str = "pit", days: int = 2
) -> tuple[Path, Path]:
    """Make a certificate for a host and its key in a folder; return both files."""
    chain, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(  # noqa: S603  (a tool of the system)
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",  # noqa: S607
         "-nodes", "-keyout", key, "-out", chain, "-days", str(days), "-subj", f"/CN={host}",
         "-addext", f"subjectAltName=DNS:{host}"],
        check=True, capture_output=True,
    )  # fmt: skip
    return chain, key


class Authority:
    """A certificate authority of tests, with the revocation list that goes with it."""

    def __init__(self, folder: Path, name: str = "ca") -> None:
        self._folder = folder
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = _named(f"Authority {name}")
        self._revoked: list[int] = []
        self.file = folder / f"{name}.pem"
        made = self._begun(self._name, self._key.public_key(), timedelta(days=2))
        made = made.add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
        self._certificate = made.sign(self._key, hashes.SHA256())
        self.publish()

    def publish(self) -> None:
        """Write the certificate of the authority, and the list of what it has revoked."""
        now = datetime.now(UTC)
        made = (
            x509.CertificateRevocationListBuilder()
            .issuer_name(self._name)
            .last_update(now - timedelta(minutes=1))
            .next_update(now + timedelta(days=1))
        )
        for serial in self._revoked:
            one = x509.RevokedCertificateBuilder().serial_number(serial).revocation_date(now)
            made = made.add_revoked_certificate(one.build())
        parts = self._certificate, made.sign(self._key, hashes.SHA256())
        self.file.write_bytes(b"".join(one.public_bytes(Encoding.PEM) for one in parts))

    def issue(self, name: str, lasts: timedelta = timedelta(days=1)) -> tuple[Path, Path]:
        """Return the files of a new client certificate and its key."""
        key = ec.generate_private_key(ec.SECP256R1())
        made = self._begun(_named(name), key.public_key(), lasts).sign(self._key, hashes.SHA256())
        self.last = made.serial_number
        chain, secret = (self._folder / f"{made.serial_number}.{one}" for one in ("pem", "key"))
        chain.write_bytes(made.public_bytes(Encoding.PEM))
        form = PrivateFormat.PKCS8
        secret.write_bytes(key.private_bytes(Encoding.PEM, form, NoEncryption()))
        return chain, secret

    def revoke_last(self) -> None:
        """Revoke the certificate that was issued last."""
        self._revoked.append(self.last)
        self.publish()

    def _begun(self, name: x509.Name, key: Any, lasts: timedelta) -> x509.CertificateBuilder:
        now = datetime.now(UTC)
        return (
            x509.CertificateBuilder()
            .subject_name(name)
            .issuer_name(self._name)
            .public_key(key)
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - timedelta(days=2))
            .not_valid_after(now + lasts)
        )


def _named(name: str) -> x509.Name:
    return x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
