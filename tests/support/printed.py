"""What is printed: the text of a PDF, page by page."""

from __future__ import annotations

import shutil
import subprocess
from pathlib import Path

import pytest


def pages_of(content: bytes, folder: Path) -> list[str]:
    """Return the text of each page of a PDF, without the places where a long word may break."""
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext reads a PDF, and is not there")
    path = folder / "sheet.pdf"
    path.write_bytes(content)
    done = subprocess.run(  # noqa: S603  (our own words)
        ["pdftotext", "-layout", str(path), "-"],  # noqa: S607
        check=True,
        capture_output=True,
    )
    return done.stdout.decode().replace("\u200b", "").split("\f")
