"""What is printed: the text of a PDF, page by page, and how high its type is."""

from __future__ import annotations

import re
import shutil
import subprocess
from pathlib import Path
from typing import Final

import pytest

_WORD: Final = re.compile(r'yMin="([\d.]+)" xMax="[\d.]+" yMax="([\d.]+)">([^<]+)<')
_LINE: Final = 1.14
"""The height of a word in type of one point: every cut of Libertinus Serif has it."""


def pages_of(content: bytes, folder: Path) -> list[str]:
    """Return the text of each page of a PDF, without the places where a long word may break."""
    return _read(content, folder, "-layout").replace("\u200b", "").split("\f")


def type_of(content: bytes, folder: Path) -> dict[str, float]:
    """Return the words of a PDF, each with its smallest type in points."""
    found: dict[str, float] = {}
    for top, bottom, word in _WORD.findall(_read(content, folder, "-bbox")):
        points = round((float(bottom) - float(top)) / _LINE, 2)
        found[word] = min(points, found.get(word, points))
    return found


def _read(content: bytes, folder: Path, form: str) -> str:
    if shutil.which("pdftotext") is None:
        pytest.skip("pdftotext reads a PDF, and is not there")
    path = folder / "sheet.pdf"
    path.write_bytes(content)
    done = subprocess.run(  # noqa: S603  (our own words)
        ["pdftotext", form, str(path), "-"],  # noqa: S607
        check=True,
        capture_output=True,
    )
    return done.stdout.decode()
