"""Certificates of tests, made by openssl."""

from __future__ import annotations

import subprocess
from pathlib import Path


def make_certificate(folder: Path, host: str, name: str = "pit") -> tuple[Path, Path]:
    """Make a certificate for a host and its key in a folder; return both files."""
    chain, key = folder / f"{name}.pem", folder / f"{name}.key"
    subprocess.run(  # noqa: S603  (a tool of the system)
        ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256",  # noqa: S607
         "-nodes", "-keyout", key, "-out", chain, "-days", "2", "-subj", f"/CN={host}",
         "-addext", f"subjectAltName=DNS:{host}"],
        check=True, capture_output=True,
    )  # fmt: skip
    return chain, key
