"""Faults of the rules on a shuffling device that fails, with their line and column."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.command_line import told_with
from support.project import ROOT

NSW = ROOT / "examples" / "laws" / "au-nsw"
LAW = "mini-baccarat@2004-01-01.toml"


def faults(folder: Path, old: str, new: str) -> str:
    """Return what ``law check`` says of the law of New South Wales with one change."""
    for name in (LAW, "interpretations.toml"):
        (folder / name).write_bytes((NSW / name).read_bytes())
    path = folder / LAW
    text = path.read_text(encoding="utf-8")
    assert old in text
    path.write_text(text.replace(old, new, 1), encoding="utf-8")
    return told_with(1, "law", "check", str(path)).stdout.replace(str(path), "law")


def line_of(part: str) -> int:
    """Return the line of the law that has a text first."""
    text = (NSW / LAW).read_text(encoding="utf-8")
    return text[: text.index(part)].count("\n") + 1


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ('"void" }', '"lost" }', "row disadvantage must match"),
        (', disadvantage = "void"', ', advantage = "void"', "must have the rows"),
        ('value = "replaced"', 'value = "repaired"', "did you mean replaced?"),
        ('"device.failure.damaged"', '"device.failure.damage"', "did you mean device."),
    ],
)
def test_a_rule_on_a_failure_is_checked_as_it_is_loaded(
    tmp_path: Path, old: str, new: str, fault: str
) -> None:
    said = faults(tmp_path, old, new)
    assert fault in said
    assert f"law:{line_of(old)}:" in said
