"""docs/table-log.md says what is so: its tables are those of the program, its example is played."""

import json
import re
from pathlib import Path
from typing import Final

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.verify import continues, corrected, verdict
from croupier.verify import log as verifier
from support.forged_logs import play
from support.kept import assert_as_made
from support.project import PLAIN
from support.table_log_document import DOCUMENT, TABLES, filled

TEXT: Final = DOCUMENT.read_text(encoding="utf-8")


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_that_of_the_program(name: str) -> None:
    assert_as_made(TEXT, filled(TEXT, name), DOCUMENT.name)


@pytest.mark.parametrize(
    ("name", "field"),
    [
        ("ChangeChips", "`taken` integer by denomination in cents"),
        ("CountInventory", "`chips` integer by denomination in cents"),
        ("FillRequested", "`chips` integer by denomination in cents"),
        ("CompareForms", "`amounts` integer by serial"),
        ("SettleHouseMoney", "`added` text by seat"),
        ("PlaceWagers", "`stakes` integer by wager"),
        ("ReconcileMeters", "`shown` integer by meter"),
        ("MetersReconciled", "`expected` integer by meter"),
        ("AdoptElections", "`elections` choice by rule"),
        ("ElectionsAdopted", "`limits` `Limit` by wager"),
    ],
)
def test_a_mapping_says_what_its_keys_are(name: str, field: str) -> None:
    (row,) = re.findall(rf"^\| `{name}` \| (.*?) \|", TEXT, re.MULTILINE)
    assert field in row
    assert " by name" not in row


def example() -> str:
    (block,) = re.findall(r"^```json lines\n(.*?)^```$", TEXT, re.DOTALL | re.MULTILINE)
    return str(block)


def test_the_example_is_played_verified_and_explained(tmp_path: Path) -> None:
    commands, log = tmp_path / "commands.jsonl", tmp_path / "table.jsonl"
    commands.write_text(example(), encoding="utf-8")
    arguments = [str(one) for one in ("run", PLAIN, commands, "--log", log, "--cite")]
    played = CliRunner().invoke(main, arguments)
    assert played.exit_code == 0, played.output
    assert "Banker $100 pays $100 (1 to 1), Six cards $25 pays $50 (2 to 1)" in played.output
    assert "$5, owing $5" in played.output
    verified = CliRunner().invoke(main, ["verify", str(log), "--format", "json"])
    # 100 and 50 won, 5 of vigorish taken.
    assert json.loads(verified.output)["table_win_cents"] == -14_500
    assert CliRunner().invoke(main, ["explain", str(log), "--round", "1"]).exit_code == 0


def keys(section: str) -> list[str]:
    """Return the first column of the first table below a heading."""
    below = TEXT.partition(f"\n## {section}\n")[2].partition("\n## ")[0]
    return re.findall(r"^\| `([^`]+)` \|", below, re.MULTILINE)


def may_be_missing(key: str) -> bool:
    return re.search(rf"^\| `{key}` \| [^|]*may be missing \|", TEXT, re.MULTILINE) is not None


def test_every_field_of_a_line_is_explained(tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    play(log, rounds=1)
    header, entry, *_, last = (json.loads(line) for line in log.read_text().splitlines())
    required = [key for key in keys("The header") if not may_be_missing(key)]
    assert required == list(header)
    assert keys("Entries") == list(entry)
    assert keys("The last line") == list(last)


def test_every_kind_of_divergence_is_explained() -> None:
    told = keys("What `croupier verify` checks")
    modules = (verifier.__file__, corrected.__file__, verdict.__file__, continues.__file__)
    source = "".join(Path(one).read_text(encoding="utf-8") for one in modules)
    named = re.findall(r"``([a-z ]+)``", verifier.LogDivergence.__doc__ or "")
    assert named[0] == "kind"
    assert sorted(told) == sorted(named[1:])
    assert [kind for kind in told if f'"{kind}"' not in source] == []
