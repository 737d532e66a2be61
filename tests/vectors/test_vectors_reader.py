"""The reader in JavaScript agrees with the vectors, and sees what was tampered with."""

import hashlib
import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.scenarios.vectors.pack import write
from support.project import ROOT
from support.vector_sets import SETS, made

READER: Final = ROOT / "examples" / "conformance" / "check.mjs"
NODE: Final = shutil.which("node")

# Where the whole check runs, a test that is skipped fails (tests/conftest.py).
pytestmark = pytest.mark.skipif(NODE is None, reason="node is not installed")

ROYAL: Final = ROOT / "submissions" / "ma-royal-9.toml"
WAIVED: Final = ROOT / "submissions" / "nj-punto-banco-total-cards-5-percent.toml"

Data = dict[str, Any]


def run(folder: Path) -> subprocess.CompletedProcess[str]:
    assert NODE is not None, "install nodejs"
    words = [NODE, str(READER), str(folder)]
    return subprocess.run(words, capture_output=True, text=True, check=False)  # noqa: S603


@pytest.mark.parametrize("submission", SETS, ids=lambda path: path.stem)
def test_the_reader_agrees(submission: Path, tmp_path: Path) -> None:
    write(made(submission), tmp_path / "vectors")
    result = run(tmp_path / "vectors")
    assert result.returncode == 0, result.stderr
    assert result.stdout.endswith("all agree\n")
    tally = {
        line[:20].strip(): [int(word) for word in line[20:].split() if word.isdigit()]
        for line in result.stdout.splitlines()[2:-1]
    }
    assert all(differ == 0 for _, differ in tally.values())
    assert min(tally[topic][0] for topic in ("rounds", "settlement", "rounding")) > 500


def test_the_reader_takes_nothing_from_anywhere() -> None:
    for path in READER.parent.glob("*.mjs"):
        imported = [
            line for line in path.read_text(encoding="utf-8").splitlines() if " from " in line
        ]
        modules = [line.split('"')[1] for line in imported if line.startswith("import")]
        assert all(one.startswith(("node:", "./")) for one in modules)


# --- tampered with ------------------------------------------------------------------------------


def tampered(submission: Path, folder: Path, topic: str, change: Callable[[Data], object]) -> None:
    """Write vectors with one thing changed, and the hash in the manifest made to fit."""
    write(made(submission), folder)
    path = folder / f"{topic}.json"
    data = json.loads(path.read_bytes())
    change(data)
    content = json.dumps(data).encode()
    path.write_bytes(content)
    manifest = json.loads((folder / "manifest.json").read_bytes())
    for file in manifest["files"]:
        if file["name"] == path.name:
            file["sha256"] = hashlib.sha256(content).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")


def taken(data: Data) -> Data:
    """Return the row of a Banker stake that is taken, with vigorish on a win."""
    row: Data = next(
        row for row in data["stakes"] if row["wager"] == "banker" and row.get("settled")
    )
    return row


def first_waived(data: Data) -> Data:
    row: Data = next(row for row in data["waivers"] if row["waived"])
    return row


def first_event(data: Data, kind: str) -> Data:
    """Return the first event of a kind in a scenario."""
    steps = [step for one in data["scenarios"] for step in one["steps"]]
    event: Data = next(event for step in steps for event in step["events"] if event["type"] == kind)
    return event


@pytest.mark.parametrize(
    ("rule", "value", "named"),
    [
        ("vigorish.scheme", "commission", "vigorish.scheme = commission"),
        ("settlement.rounds_to", "0.25", "settlement.rounds_to"),
        ("third.banker", {"5": "SSSSSDDDDSS"}, "third.banker, row 5"),
    ],
)
def test_rules_that_the_reader_does_not_have_are_named_and_not_counted(
    tmp_path: Path, rule: str, value: Any, named: str
) -> None:
    def change(data: Data) -> None:
        rules = data["canonical"]["rules"]
        rules[rule] = {**rules[rule], **value} if isinstance(value, dict) else value

    tampered(WAIVED, tmp_path / "vectors", "rules", change)
    result = run(tmp_path / "vectors")
    assert (result.returncode, result.stdout) == (2, "")
    assert result.stderr.endswith(f"cannot be read: baccarat.mjs has no {named}\n")


@pytest.mark.parametrize(
    ("submission", "topic", "where", "change"),
    [
        (WAIVED, "deals", "rounds", lambda data: data["rounds"][7].update(winner="nobody")),
        (WAIVED, "deals", "rounds", lambda data: data["rounds"][7].update(cards="2h 3d Kh Qs")),
        (WAIVED, "deals", "cells", lambda data: data["cells"][5].update(draws=None)),
        (WAIVED, "deals", "hands", lambda data: data["hands"][5].update(point_count=9)),
        (
            WAIVED,
            "settlement",
            "settlement",
            lambda data: data["classes"][3]["settled"]["tie"][0].update(won_cents=1),
        ),
        (
            ROYAL,
            "settlement",
            "settlement",
            lambda data: data["classes"][-1]["settled"]["royal_9"][2].update(returned_cents=1),
        ),
        (WAIVED, "rounding", "stakes taken", lambda data: data["stakes"][8].update(chips_cents=3)),
        (
            WAIVED,
            "rounding",
            "rounding",
            lambda data: taken(data)["settled"]["win"].update(vigorish_cents=4),
        ),
        (WAIVED, "rounding", "waivers", lambda data: first_waived(data).update(waived=False)),
        (
            WAIVED,
            "procedures",
            "rounds in scenarios",
            lambda data: first_event(data, "LayoutCleared").update(banker=["9h", "9d", "2c"]),
        ),
        (
            WAIVED,
            "procedures",
            "chips in scenarios",
            lambda data: first_event(data, "WagerPaid").update(cents=1),
        ),
        (WAIVED, "rules", "files", lambda data: data["canonical"].update(law="another")),
        (
            WAIVED,
            "refusals",
            "refusals told",
            lambda data: data["refusals"][0]["refused"].update(code="NO!"),
        ),
    ],
)
def test_the_reader_sees_what_was_changed(
    tmp_path: Path, submission: Path, topic: str, where: str, change: Callable[[Data], object]
) -> None:
    tampered(submission, tmp_path / "vectors", topic, change)
    result = run(tmp_path / "vectors")
    assert result.returncode == 1, result.stdout
    line = next(line for line in result.stdout.splitlines() if line.startswith(f"{where:20}"))
    assert int(line.split()[-2]) >= 1
    assert result.stderr.startswith(f"{where}: ")


def test_the_reader_sees_a_file_that_is_not_the_one_that_was_hashed(tmp_path: Path) -> None:
    folder = tmp_path / "vectors"
    write(made(WAIVED), folder)
    with (folder / "deals.json").open("ab") as file:
        file.write(b"\n")
    result = run(folder)
    assert result.returncode == 1
    assert "files: deals.json" in result.stderr


@pytest.mark.parametrize("content", ["", "[]", '{"format": "croupier-vectors/1"}'])
def test_what_is_no_set_of_vectors(content: str, tmp_path: Path) -> None:
    (tmp_path / "manifest.json").write_text(content, encoding="utf-8")
    assert run(tmp_path).returncode == 2
    assert run(tmp_path / "nowhere").returncode == 2
