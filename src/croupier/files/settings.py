"""The settings file ``croupier.toml`` of the current folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from croupier.files.errors import FileError
from croupier.files.suggest import did_you_mean
from croupier.files.toml import Toml, read_toml

SETTINGS: Final = "croupier.toml"
_KEYS: Final = ("laws", "serve")


def read_settings(faults: list[str] | None = None) -> Toml | None:
    """Return any settings. Raises ``FileError``; adds unknown keys to ``faults`` if it is given."""
    path = Path(SETTINGS)
    if not path.is_file():
        return None
    file = read_toml(path)
    known = ", ".join(_KEYS)
    found = [
        file.located(key, f"unknown key; the keys are {known}{did_you_mean(key, _KEYS)}")
        for key in file.tables
        if key not in _KEYS
    ]
    if found and faults is None:
        raise FileError(*found)
    if faults is not None:
        faults.extend(found)
    return file
