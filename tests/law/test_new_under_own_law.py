"""Every line that ``croupier new`` writes can be taken, whatever kind of choice a law leaves open."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

from croupier.law.elect import SubmissionError
from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget
from croupier.rules import read_rules
from support.command_line import told_with
from support.own_law import OWN_KEY, own_law

CHOICES: Final = {
    "count": "[1, 2]",
    "money": '["0.50", "1.00", "2.50"]',
    "odds": '["8:1", "9:1"]',
    "rate": '["5%", "1/3"]',
    "word": '["a", "b c"]',
    "text": '["x", "y"]',
    "order": '[["a", "b"], ["b", "a"]]',
    "table": "[{ A = 1, T = 0 }, { A = 2, T = 1 }]",
    "paytable": '[{ win = "8:1" }, { "win b" = "9:1" }]',
    "awards": '[{ royal = "25.00" }, { royal = "0.50" }]',
}

LEAST: Final = {"count": "2", "money": '"2.50"', "odds": '"8:1"', "rate": '"5%"'}


def _rules() -> Iterator[str]:
    for kind, choices in CHOICES.items():
        default = re.match(r"\[((\{.*?\}|\[.*?\]|[^,]+?))(,|\])", choices)
        assert default
        yield (
            f'[[rule]]\nid = "salon.{kind}"\nkind = "{kind}"\ntitle = "Salon"\n'
            f'cites = ["XX-MINI:7.3(b)"]\nchoices = {choices}\ndefault = {default[1]}\n'
        )
    yield '[[rule]]\nid = "salon.flag"\nkind = "flag"\ntitle = "S"\ncites = ["XX-MINI:7.3(b)"]\ndefault = true\n'
    for kind, least in LEAST.items():
        yield (
            f'[[rule]]\nid = "salon.least_{kind}"\nkind = "{kind}"\ntitle = "S"\n'
            f'cites = ["XX-MINI:7.3(b)"]\nat_least = {least}\n'
        )
    least_of = (f"least_{kind}" for kind in LEAST)
    names = ", ".join(f'"salon.{kind}"' for kind in (*CHOICES, "flag", *least_of))
    yield (
        '[[constraint]]\nid = "salon.alike"\nkind = "uniform"\nsays = "all salons alike"\n'
        f'cites = ["XX-MINI:7.3(b)"]\nrules = [{names}]\n'
    )


@pytest.fixture(params=[True, False], ids=["defaults", "no defaults"])
def written(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest
) -> Iterator[Path]:
    path = own_law(tmp_path / "laws")
    rules = "\n".join(_rules())
    if not request.param:
        # The licensee must choose: the first choice is written, and not called a default.
        rules = re.sub(r"(?m)^default = .*\n?", "", rules)
    path.write_text(path.read_text(encoding="utf-8") + rules, encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "laws"))
    forget()
    submission = tmp_path / "table.toml"
    told_with(0, "new", OWN_KEY, "-o", submission)
    yield submission
    monkeypatch.undo()
    forget()


def _taken(lines: list[str]) -> Iterator[tuple[str, str]]:
    """Yield each key with the text in which its commented line is taken."""
    for number, line in enumerate(lines):
        if found := re.match(r'#((?!:)[\w."-]+) = ', line):
            others = [f"#{one}" if one.startswith(f"{found[1]} = ") else one for one in lines]
            others[number] = line[1:]
            yield found[1], "\n".join(others)


def test_every_line_can_be_taken(written: Path) -> None:
    lines = written.read_text(encoding="utf-8").splitlines()
    taken = set()
    for key, text in _taken(lines):
        written.write_text(text, encoding="utf-8")
        try:
            read_rules(written)
        except SubmissionError as error:
            # A choice may need another one, or exclude it; its value is right.
            for one in error.errors:
                assert not re.search(
                    "not allowed: one of|is not an? |must be (a |true)", one.message
                ), (
                    key,
                    one,
                )
        taken.add(key)
    assert {f"salon.{kind}" for kind in (*CHOICES, "flag")} <= taken
    assert "XX-1" in taken
