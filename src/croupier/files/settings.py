"""The settings file ``croupier.toml`` of the current folder."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from croupier.files.errors import FileError
from croupier.files.suggest import did_you_mean
from croupier.files.toml import Toml, read_toml

SETTINGS: Final = "croupier.toml"
_KEYS: Final = ("laws", "serve")


def read_settings() -> Toml | None:
    """Return the settings, if there is a file. Raises ``FileError``."""
    path = Path(SETTINGS)
    if not path.is_file():
        return None
    file = read_toml(path)
    for key in file.tables:
        if key not in _KEYS:
            known = ", ".join(_KEYS)
            hint = did_you_mean(key, _KEYS)
            raise FileError(file.located(key, f"unknown key; the keys are {known}{hint}"))
    return file
