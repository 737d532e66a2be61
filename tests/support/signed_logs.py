"""Keys of the tests' own, and a signed log whose dealer was killed in the third shoe."""

from __future__ import annotations

from pathlib import Path

import pytest

from croupier.records.header import LogError
from croupier.scenarios.autopilot import Autopilot
from support.command_line import croupier
from support.project import PLAIN

DEALING = ("deal", PLAIN, "--seed", 9, "--patrons", 1, "--shoes", 3, "--quiet")


def made_key(folder: Path, name: str) -> Path:
    """Make a pair of keys in a folder; return the secret one."""
    key = folder / name
    assert croupier("key", "new", key).exit_code == 0
    return key


def killed_log(folder: Path, key: Path) -> Path:
    """Deal two shoes and three rounds, signed with a key, as far as a killed process has written."""
    log, true = folder / "log.jsonl", Autopilot.play_shoe

    def play_shoe(self: Autopilot, rounds: int | None = None) -> None:
        if self.session.state.shoe.number < 2:
            true(self, rounds)
            return
        true(self, 3)
        raise LogError("killed")

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Autopilot, "play_shoe", play_shoe)
        ended = croupier(*DEALING, "--log", log, "--sign", key)
    assert (ended.exit_code, "killed" in ended.output) == (2, True)
    return log


def trust_file(path: Path, *keys: tuple[str, Path, str]) -> Path:
    """Write a trust file: the label, the secret key beside the public one, and further lines."""
    text = 'format = "croupier-trust/1"\n'
    for label, key, more in keys:
        pem = Path(f"{key}.pub").read_text()
        text += f'[[key]]\nlabel = "{label}"\npublic_key = """\n{pem}"""\n{more}\n'
    path.write_text(text)
    return path
