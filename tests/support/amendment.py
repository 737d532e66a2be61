"""A made-up amendment of New Jersey minibaccarat, and a shelf that holds it beside the real texts.

It adds the wager Lucky 6, drops a way of settling, and moves section 7.12 to 7.13. It is laid out
by ``croupier law amend`` and changed as ``tests/data/amendment.toml`` tells.
"""

from __future__ import annotations

import atexit
import shutil
import sys
import tempfile
import tomllib
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from pathlib import Path
from typing import Final

import pytest

from croupier.law.laying_out import MARK, lay_out
from croupier.law.resolve import instruments, resolve, source_of, texts_of
from support.project import ROOT
from support.texts import NJ_MINI

_EDITS: Final = tomllib.loads((ROOT / "tests/data/amendment.toml").read_text(encoding="utf-8"))
_ADDED: Final = ROOT / "tests/data/lucky_6.toml"

AMENDED: Final[date] = _EDITS["on"]
AMENDED_KEY: Final = f"{_EDITS['law']}@{AMENDED}"


def laid_out() -> str:
    """What ``croupier law amend`` gives for the day of the made-up amendment."""
    text = resolve(_EDITS["law"], on=NJ_MINI)
    return lay_out(text, source_of(text), AMENDED)


def amended_text() -> str:
    """The law file of the made-up amendment, with no place left to look at."""
    text = "".join(
        line for line in laid_out().splitlines(keepends=True) if not line.startswith(MARK)
    )
    for edit in _EDITS["edit"]:
        assert edit["was"] in text, edit["was"]
        text = text.replace(edit["was"], edit["becomes"])
    return f"{text}\n{_ADDED.read_text(encoding='utf-8')}"


def dated_text(law: str, on: date) -> str:
    """The law file of an amendment that changes nothing but the date of a law's latest text."""
    text = resolve(law, on="latest")
    laid = lay_out(text, source_of(text), on).splitlines(keepends=True)
    return "".join(line for line in laid if not line.startswith(MARK))


def put_on_the_shelf(folder: Path, patch: pytest.MonkeyPatch, text: str = "") -> None:
    """Hold an amendment, written into a folder, beside the texts that are shipped."""
    (folder / "amended.toml").write_text(text or amended_text(), encoding="utf-8")
    # By its name: in the package, resolve is the function.
    module = sys.modules["croupier.law.resolve"]
    patch.setattr(module, "_SHELVES", (*module.__dict__["_SHELVES"], folder))
    _forget()


@contextmanager
def dated_shelf(
    folder: Path, patch: pytest.MonkeyPatch, law: str, on: date, change: tuple[str, str] = ("", "")
) -> Iterator[None]:
    """Let a law's latest text be held under a later date, too, with one change if wanted."""
    text = dated_text(law, on)
    assert change[0] in text
    put_on_the_shelf(folder, patch, text.replace(*change, 1))
    try:
        yield
    finally:
        patch.undo()
        _forget()


@contextmanager
def amended_shelf(folder: Path, patch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let the made-up amendment be held beside the texts that are shipped."""
    if any(one.key == AMENDED_KEY for one in texts_of(_EDITS["law"])):
        yield
        return
    folder = folder / "amended"
    folder.mkdir()
    put_on_the_shelf(folder, patch)
    yield
    patch.undo()
    _forget()


def hold_the_amendment() -> None:
    """Hold the made-up amendment in all tests of this process, to find what takes a text for granted."""
    folder = Path(tempfile.mkdtemp(prefix="croupier-shelf-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    put_on_the_shelf(folder, pytest.MonkeyPatch())


def _forget() -> None:
    for held in (instruments, texts_of):
        held.cache_clear()
