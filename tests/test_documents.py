"""Every document that leaves the program is as its schema says, and names what it was made by."""

import json
import shlex
import shutil
from collections.abc import Iterator, Mapping
from pathlib import Path
from random import Random
from typing import Annotated, Any, Final, TypedDict

import pytest
from click.testing import CliRunner
from jsonschema_rs import Draft202012Validator

from croupier.baccarat.cards import DECK
from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.files.version import program_version
from croupier.records.codec import dump, from_json
from croupier.records.entry import seal
from croupier.records.json_schema import schema_of
from croupier.rules import read_submission, table_rules
from croupier.rules.documents import Keywords
from support.every_command import OPENING
from support.forged_logs import play
from support.project import PLAIN, ROOT
from support.texts import dated
from support.volume import spread

TABLE: Final = ROOT / "submissions" / "ma-house-money.toml"
OTHER: Final = ROOT / "submissions" / "ma-ez.toml"
BLACKJACK: Final = ROOT / "submissions" / "nj-blackjack-streak.toml"
LAW: Final = "us-ma/minibaccarat"
NJ: Final = "us-nj/minibaccarat"

GIVEN: Final[Mapping[str, tuple[str, ...]]] = {
    f"par --submission {TABLE}": ("par", "rules"),
    f"par blackjack {BLACKJACK} --results win=433,push=87,lose=480": ("par", "rules"),
    f"par check {ROOT / 'tests' / 'data' / 'vendor.csv'} --submission {PLAIN}": (
        "par-check",
        "rules",
    ),
    f"par compare {TABLE} {OTHER}": ("par-comparison",),
    f"par sweep {dated(LAW)}": ("par-sweep", "law"),
    f"odds --submission {TABLE} --player 9h,2c --banker Kd,4s": ("odds", "rules"),
    f"count --submission {OTHER} --wager dragon_7 --shoes 40": ("count", "rules"),
    f"count --submission {OTHER} --wager dragon_7 --cards FOLDER/shoe.txt": (
        "count-rounds",
        "rules",
    ),
    f"simulate --submission {TABLE} --rounds 2000": ("simulation", "rules"),
    f"verify FOLDER/rounds.csv --submission {PLAIN}": ("rounds-verification", "rules"),
    f"verify FOLDER/rounds.csv --submission {PLAIN} --repair FOLDER/right.csv --force": (
        "rounds-verification",
        "rules",
    ),
    "map FOLDER/rounds.csv": ("proposed-mapping",),
    "audit FOLDER/rounds.csv --submission FOLDER/table.toml": ("audit", "rules"),
    "audit FOLDER/table.jsonl": ("audit", "rules"),
    "audit FOLDER/rounds.csv --submission FOLDER/own.toml --laws FOLDER/laws": ("audit",),
    "--laws FOLDER/laws simulate --submission FOLDER/own.toml --rounds 2000": ("simulation",),
    f"check {TABLE}": ("check",),
    f"check --facility {TABLE} {OTHER}": ("check",),
    f"check {ROOT / 'docs' / 'examples' / 'refused.toml'}": ("check",),
    f"deal {PLAIN} --seed 7 --patrons 1": ("deal", "rules"),
    f"run {PLAIN} FOLDER/commands.jsonl --log FOLDER/run.jsonl --force": ("run", "rules"),
    "verify FOLDER/table.jsonl": ("log-verification", "rules"),
    "verify FOLDER/table.jsonl FOLDER/table.jsonl": ("verified-logs",),
    "explain FOLDER/table.jsonl --round 1": ("round", "rules"),
    f"explain FOLDER/rounds.csv --submission {PLAIN} --round 3": ("external-round", "rules"),
    f"blackjack --submission {BLACKJACK} --seed 7 --rounds 5": ("blackjack", "rules"),
    f"blackjack --submission {BLACKJACK} --simulate --seed 7 --rounds 100000": (
        "blackjack-simulation",
        "rules",
    ),
    "law list": ("law-list",),
    f"law show {dated(LAW)}": ("law", "law"),
    f"law coverage --law {LAW}": ("law-coverage",),
    "law interpretations": ("law-interpretations",),
    f"law elections {dated(LAW)}": ("law-elections", "law"),
    "law history us-nj/minibaccarat": ("law-history",),
    f"law diff {dated(NJ)} {dated(LAW)}": ("law-diff",),
    f"law diff {NJ}@latest {LAW}@latest": ("law-diff",),
    f"law test {ROOT / 'docs' / 'examples' / 'scenarios'} --coverage": ("law-test",),
    f"law compare {dated(NJ)} {dated(LAW)} --all": ("law-comparison",),
    f"session --submission {OTHER} --wager banker --unit 25 --bankroll 1000 --sessions 3 --shoes 1": (
        "session",
        "rules",
    ),
}
"""Commands, the schema of what each gives, and whether it is about a law or the rules of a table."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the files are that commands read."""
    made = tmp_path_factory.mktemp("documents")
    cards = [card.notation for card in DECK for _ in range(8)]
    Random(1).shuffle(cards)
    (made / "shoe.txt").write_text(" ".join(cards), encoding="utf-8")
    shutil.copy(ROOT / "docs" / "examples" / "rounds" / "wrong.csv", made / "rounds.csv")
    shutil.copy(PLAIN, made / "table.toml")
    shutil.copytree(ROOT / "examples" / "laws", made / "laws")
    shutil.copy(made / "laws" / "au-nsw" / "table.toml", made / "own.toml")
    play(made / "table.jsonl", rounds=2)
    (made / "commands.jsonl").write_text(OPENING, encoding="utf-8")
    return made


def printed(command: str, folder: Path) -> str:
    words = shlex.split(command.replace("FOLDER", str(folder)))
    result = CliRunner().invoke(main, [*words, "--format", "json"])
    assert result.exit_code in {0, 1}, result.output
    return result.stdout


@pytest.mark.parametrize("command", spread(GIVEN, 16))
def test_a_document_is_as_its_schema_says_and_names_what_made_it(
    command: str, folder: Path
) -> None:
    name, *about = GIVEN[command]
    data = json.loads(printed(command, folder))
    Draft202012Validator(SCHEMAS[name]()).validate(data)
    assert (data["program"], data["version"]) == ("croupier", program_version())
    if about == ["rules"]:
        named = [word for word in shlex.split(command) if word.endswith(".toml")]
        rules = table_rules(
            read_submission(Path(named[0].replace("FOLDER", str(folder))) if named else PLAIN)
        )
        assert (data["rules_hash"], data["law_hash"]) == (rules.sha256, rules.law.sha256)
        assert data["in_force_from"] == rules.law.in_force_from.isoformat()
        assert data["law"] == rules.law.id
    if about == ["law"]:
        assert data["law"] == LAW


# The head of a log is not made again: each log has an identity of its own.
@pytest.mark.parametrize(
    "command", spread((one for one in GIVEN if one.split()[0] not in {"deal", "run"}), 12)
)
def test_a_document_is_made_again_to_the_byte_by_the_command_that_it_names(
    command: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # An audit names its files without their folder, and is made again where they lie.
    monkeypatch.chdir(folder)
    first = printed(command, folder)
    again = shlex.split(json.loads(first)["reproduce"])
    assert again[0] == "croupier"
    words = [word for word in again[1:] if word not in {"--format", "json"}]
    second = printed(shlex.join(words), folder)
    # What names itself may name itself in another way; all else is the same.
    assert without_command(second) == without_command(first)


def without_command(text: str) -> list[str]:
    return [line for line in text.splitlines() if '"reproduce":' not in line]


def test_a_table_log_names_the_program_that_wrote_it_and_one_of_another_version_verifies(
    folder: Path,
) -> None:
    lines = [from_json(line) for line in (folder / "table.jsonl").read_bytes().splitlines()]
    assert (lines[0]["program"], lines[0]["version"]) == ("croupier", program_version())
    older = folder / "older.jsonl"
    for number, (program, clean) in enumerate((("croupier", True), ("another", False))):
        lines[0] |= {"program": program, "version": f"0.0.{number}"}
        previous, sealed = lines[0]["prev"], []
        for line in lines:
            body = {name: value for name, value in line.items() if name != "sha256"}
            made, previous = seal(dump(body | {"prev": previous}))
            sealed.append(made)
        older.write_bytes(b"".join(sealed))
        assert json.loads(printed(f"verify {older}", folder))["clean"] is clean


@pytest.mark.parametrize(
    "command",
    ["verify FOLDER/table.jsonl", "explain FOLDER/table.jsonl --round 1", f"check {TABLE}"],
)
def test_a_verdict_names_the_program_and_the_rules_as_data_and_in_words(
    command: str, folder: Path
) -> None:
    data = json.loads(printed(command, folder))
    assert (data["program"], data["version"]) == ("croupier", program_version())
    assert shlex.split(data["reproduce"])[1] == command.split(maxsplit=1)[0]
    about = data["submissions"][0] if command.startswith("check") else data
    assert len(about["rules_hash"]) == len(about["law_hash"]) == 64
    words = shlex.split(command.replace("FOLDER", str(folder)))
    assert f"croupier {program_version()}" in " ".join(
        CliRunner().invoke(main, words).stdout.split()
    )


# --- the schemas -------------------------------------------------------------------------------


def parts(schema: Any) -> Iterator[Mapping[str, Any]]:
    """Yield a schema and all schemas in it."""
    if isinstance(schema, list):
        for one in schema:
            yield from parts(one)
    elif isinstance(schema, dict):
        yield schema
        for one in schema.values():
            yield from parts(one)


DOCUMENTS: Final = sorted({name for name, *_ in GIVEN.values()})


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_list_has_no_places_that_mean_something(name: str) -> None:
    for one in parts(SCHEMAS[name]()):
        assert "prefixItems" not in one
        if one.get("type") == "array":
            assert set(one) <= {"type", "items", "description", "minItems"}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_an_object_has_its_keys_and_no_others(name: str) -> None:
    found = [one for one in parts(SCHEMAS[name]()) if "properties" in one and "type" in one]
    assert found
    for one in found:
        assert one["additionalProperties"] is False
        assert one["required"] == list(one["properties"])
    assert {"program", "version", "reproduce"} <= set(SCHEMAS[name]()["required"])


class Coin(TypedDict):
    """A coin,
    as somebody describes it."""

    cents: Annotated[int, "What it is worth.", Keywords(minimum=1)]
    sides: Mapping[str, list[str]]
    owner: str | None


def test_a_schema_is_made_of_a_type() -> None:
    schema = schema_of(Coin, "coin")
    assert schema["description"] == "A coin, as somebody describes it."
    assert schema["properties"] == {
        "cents": {"type": "integer", "description": "What it is worth.", "minimum": 1},
        "sides": {
            "type": "object",
            "additionalProperties": {"type": "array", "items": {"type": "string"}},
        },
        "owner": {"type": ["string", "null"]},
    }
    coin = {"cents": 5, "sides": {"head": []}, "owner": None}
    validator = Draft202012Validator(schema)
    assert validator.is_valid(coin)
    for wrong in (
        {"cents": 0},
        {"cents": True},
        {"owner": 5},
        {"sides": {"head": [5]}},
        {"year": 1},
    ):
        assert not validator.is_valid(coin | wrong), wrong
    assert not validator.is_valid({"cents": 5, "sides": {}})


def test_a_type_of_which_no_json_is_made_is_refused() -> None:
    for kind in (bytes, set[int], tuple[int, str], complex):
        with pytest.raises(TypeError, match="has no JSON form"):
            schema_of(kind)
