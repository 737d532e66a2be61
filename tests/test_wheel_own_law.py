"""From the wheel, in an empty folder: a law of one's own from its draft to a served table."""

from __future__ import annotations

import re
import signal
import subprocess
from pathlib import Path
from typing import Final

import pytest

from support.wheel import Installed, install

LAW: Final = "xx-isle/minibaccarat@2020-01-01"
FILE: Final = f"laws/{LAW}.toml"
SCENARIO: Final = f"""\
[[scenario]]
id = "player-wins"
title = "Player wins nine to two, at even money"
law = "{LAW}"
rests_on = [{{ clause = "1", says = "The higher count wins." }}]
patrons = [{{ seat = 2, name = "Ada Brook", chips = "HK$800.00" }}]
steps = [
  {{ wager = {{ 2 = {{ player = "HK$100.00" }} }} }},
  {{ play = "9h 2d Kh Ks" }},
]
outcome = {{ chips = {{ 2 = "HK$900.00" }} }}
"""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(tmp_path_factory.mktemp("wheel"))


class Isle:
    """An empty folder, in which only the programs of the wheel are run."""

    def __init__(self, installed: Installed, folder: Path) -> None:
        self.installed = installed
        self.folder = folder
        self.extras = folder.with_name("extras")
        self.extras.mkdir()
        installed.unpack(("server", "sign"), self.extras)

    def told(self, *words: str, status: int = 0, folder: Path | None = None) -> str:
        done = self.installed.run("croupier", *words, cwd=folder or self.folder, extras=self.extras)
        assert "Traceback" not in done.stdout + done.stderr, done.stderr
        assert done.returncode == status, (words, done.stdout, done.stderr)
        return done.stdout + done.stderr

    def edits(self) -> None:
        """Answer the questions of the draft: one clause, its citation, a currency, an office."""
        for name, table in ((FILE, "clause"), (f"{Path(FILE).parent}/interpretations.toml", "interpretation")):  # fmt: skip
            path = self.folder / name
            blocks = path.read_text(encoding="utf-8").split("\n\n")
            taken = [re.sub(r"(?m)^#(?! )", "", one) if f"#[[{table}]]" in one else one for one in blocks]  # fmt: skip
            path.write_text("\n\n".join(taken), encoding="utf-8")
        path = self.folder / FILE
        text = path.read_text(encoding="utf-8")
        text = text.replace("\ncites = []", '\ncites = ["XX-ISLE-MINIBACCARAT:1"]')
        text = text.replace('#[currency]\n#code = "USD"\n#sign = "$"\n#decimals = 2\n', '[currency]\ncode = "HKD"\nsign = "HK$"\ndecimals = 2\n\n[offices]\ndealer = "croupier"\n')  # fmt: skip
        assert "HKD" in text
        path.write_text(text, encoding="utf-8")


@pytest.fixture
def isle(installed: Installed, tmp_path: Path) -> Isle:
    (tmp_path / "empty").mkdir()
    return Isle(installed, tmp_path / "empty")


def test_a_law_from_its_draft_to_a_served_table_and_to_another_machine(
    isle: Isle, tmp_path: Path
) -> None:
    day = "2020-01-01"
    isle.told("law", "new", LAW.partition("@")[0], "--from", "us-nj/minibaccarat@2011-02-22", "--on", day, "-o", "laws")  # fmt: skip
    refused = isle.told("law", "check", FILE, status=1)
    assert "[citation]" in refused
    isle.edits()
    assert "accepted" in isle.told("law", "check", FILE)
    (isle.folder / "croupier.toml").write_text('laws = ["laws"]\n', encoding="utf-8")
    (isle.folder / "laws/scenarios.toml").write_text(SCENARIO, encoding="utf-8")
    assert "PASS" in isle.told("law", "test", "laws")
    isle.told("new", LAW, "-o", "table.toml")
    assert "accepted" in isle.told("check", "table.toml")
    assert "HK$" in isle.told("par", "--submission", "table.toml")
    dealt = isle.told("deal", "table.toml", "--seed", "7", "--log", "log.jsonl", "--with-law")
    assert "The croupier inspects the cards" in dealt
    assert "$" not in dealt.replace("HK$", "")
    assert "PASS" in isle.told("verify", "log.jsonl")
    isle.told("drill", "mixed", "--submission", "table.toml", "--seed", "4", "-o", "drill.json")
    served(isle)
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    log = (isle.folder / "log.jsonl").read_bytes()
    (elsewhere / "log.jsonl").write_bytes(log)
    verified = isle.told("verify", "log.jsonl", folder=elsewhere)
    assert "only the log vouches for it" in " ".join(verified.split())
    # One changed byte of the law in the log is refused.
    changed = log.replace(b"HK$", b"HK@", 1) if log.count(b"HK$") else log.replace(b"HKD", b"HKE", 1)  # fmt: skip
    assert changed != log
    (elsewhere / "changed.jsonl").write_bytes(changed)
    isle.told("verify", "changed.jsonl", folder=elsewhere, status=2)


def served(isle: Isle) -> None:
    command = [str(isle.installed.programs / "croupier"), "serve", "table.toml", "--store", "pit.sqlite", "--port", "0", "--with-law"]  # fmt: skip
    service = subprocess.Popen(  # noqa: S603  (the install's own program)
        command,
        cwd=isle.folder,
        env={"COLUMNS": "80", "PYTHONPATH": str(isle.extras)},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert service.stdout is not None
    said = ""
    for line in service.stdout:
        said += line
        if "http://" in line or "Traceback" in line:
            break
    service.send_signal(signal.SIGTERM)
    said += service.communicate(timeout=60)[0]
    assert "http://" in said
    assert "Traceback" not in said, said
