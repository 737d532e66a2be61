"""``croupier vectors`` writes all of it or nothing, in one way, and over nothing of anybody else's."""

import hashlib
import json
import os
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from jsonschema_rs import Draft202012Validator, Registry

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.files.version import program_version
from croupier.files.write import WriteError
from croupier.rules import TableRules, default_submission, read_rules, table_rules
from croupier.scenarios.starts import starts
from croupier.scenarios.vectors import pack as packing
from croupier.scenarios.vectors.answers import Answers, refusals_data
from croupier.scenarios.vectors.deals import deals
from croupier.scenarios.vectors.documents import FILES, Refusals
from croupier.scenarios.vectors.pack import write, written
from support.disk import files_no_longer_than
from support.forged_logs import altered
from support.project import PLAIN, ROOT, UNDEALT
from support.texts import NJ_MINI
from support.vector_sets import SETS, known, made, read
from support.volume import spread

TOPICS: Final = ("rules", "deals", "settlement", "rounding", "procedures", "refusals")


def call(*words: str | Path) -> Result:
    return CliRunner().invoke(main, ["vectors", *map(str, words)])


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a folder with the vectors of the plain submission, as a command writes them (below)."""
    path = tmp_path_factory.mktemp("vectors") / "plain"
    write(made(PLAIN), path)
    return path


@pytest.fixture
def _made_before(monkeypatch: pytest.MonkeyPatch) -> None:
    """Have the command take vectors that were made before: to make them takes seconds."""

    monkeypatch.setattr(import_module("croupier.cli.analysis.vectors"), "pack", known)


def contents(folder: Path) -> dict[str, bytes]:
    files = (path for path in folder.rglob("*") if path.is_file())
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in files}


# --- what is written ----------------------------------------------------------------------------


def test_the_manifest_names_and_hashes_every_file(folder: Path) -> None:
    files = contents(folder)
    manifest = json.loads(files.pop("manifest.json"))
    assert [one["name"] for one in manifest["files"]] == sorted(
        files, key=[one["name"] for one in manifest["files"]].index
    )
    for one in manifest["files"]:
        content = files[one["name"]]
        assert one["bytes"] == len(content)
        assert one["sha256"] == hashlib.sha256(content).hexdigest()
    source = {"file": PLAIN.name, "sha256": hashlib.sha256(PLAIN.read_bytes()).hexdigest()}
    assert manifest["submission"] == source
    assert (manifest["law"], manifest["in_force_from"]) == ("us-nj/minibaccarat", "2011-02-22")
    assert manifest["gaps"] == []


def test_the_counts_are_those_of_the_files(folder: Path) -> None:
    manifest = json.loads((folder / "manifest.json").read_bytes())
    by_name = {one["name"]: one for one in manifest["files"]}
    for topic in TOPICS:
        data = json.loads((folder / f"{topic}.json").read_bytes())
        assert (data["program"], data["version"]) == ("croupier", program_version())
        assert data["format"] == FILES[topic] == by_name[f"{topic}.json"]["schema"]
        counted = {name: len(rows) for name, rows in data.items() if isinstance(rows, list)}
        assert by_name[f"{topic}.json"]["counts"] == counted
    assert by_name["deals.json"]["counts"]["rounds"] > 4000


def test_the_hash_of_the_rules_can_be_made_again(folder: Path) -> None:
    rules = json.loads((folder / "rules.json").read_bytes())
    text = json.dumps(rules["canonical"], sort_keys=True, separators=(",", ":"))
    manifest = json.loads((folder / "manifest.json").read_bytes())
    assert (
        hashlib.sha256(text.encode()).hexdigest() == manifest["rules_hash"] == rules["rules_hash"]
    )
    draws = {
        (row["hand"], row["point_count"], row["third"]): row["draws"] for row in rules["tableau"]
    }
    assert [draws["player", count, None] for count in range(10)] == [True] * 6 + [False] * 4
    assert [third for third in (*range(10), None) if draws["banker", 6, third]] == [6, 7]
    assert len(rules["tableau"]) == len(draws) == 10 + 10 * 11


@pytest.mark.parametrize("stem", ["nj-punto-banco-total-cards-5-percent", "ma-royal-9"])
def test_every_file_is_as_its_schema_says(stem: str) -> None:
    submission = ROOT / "submissions" / f"{stem}.toml"
    registry = Registry([("table-log.schema.json", SCHEMAS["table-log"]())])
    for topic in ("manifest", *TOPICS):
        schema = SCHEMAS[f"vectors-{topic}"]()
        data = made(submission).manifest if topic == "manifest" else read(submission, topic)
        errors = Draft202012Validator(schema, registry=registry).iter_errors(data)
        assert [detail.message for detail in errors] == []


@pytest.mark.parametrize("name", SCHEMAS)
def test_the_schemas_beside_the_vectors_are_those_that_are_printed(name: str) -> None:
    files = made(PLAIN).files
    path = f"schemas/{name}.schema.json"
    if path in files:
        assert files[path].decode() == CliRunner().invoke(main, ["schema", name]).stdout
    else:
        assert not name.startswith("vectors")


def test_a_scenario_goes_on_from_a_start_that_is_told() -> None:
    procedures = read(PLAIN, "procedures")
    names = [start["name"] for start in procedures["starts"]]
    assert len(set(names)) == len(names)
    for at, start in enumerate(procedures["starts"]):
        assert start["after"] in {None, *names[:at]}
    told = [one["start"] for one in (*procedures["scenarios"], *procedures["acts"])]
    told += [one["start"] for one in read(PLAIN, "refusals")["refusals"]]
    assert set(told) <= set(names)
    assert len({one["name"] for one in procedures["scenarios"]}) == len(procedures["scenarios"])


# --- the same bytes -----------------------------------------------------------------------------


def test_the_same_rules_give_the_same_bytes_in_any_process(folder: Path, tmp_path: Path) -> None:
    again = tmp_path / "again"
    for seed in spread(("1", "2"), 1):
        environment = {**os.environ, "PYTHONHASHSEED": seed}
        words = ["vectors", "--submission", str(PLAIN), "-o", str(again), "--force"]
        code = f"from croupier.cli import main; main({words})"
        program = [sys.executable, "-c", code]
        subprocess.run(program, env=environment, check=True, cwd=ROOT)  # noqa: S603
        assert contents(again) == contents(folder)


def test_another_paytable_gives_other_vectors(tmp_path: Path, folder: Path) -> None:
    changed = altered(tmp_path, ('wagers.bonus.paytable = "A"', 'wagers.bonus.paytable = "B"'))
    other = tmp_path / "other"
    assert call("--submission", changed, "-o", other).exit_code == 0
    ours, theirs = contents(folder), contents(other)
    assert ours.keys() == theirs.keys()
    differing = {name for name in ours if ours[name] != theirs[name]}
    assert {"manifest.json", "rules.json", "settlement.json", "rounding.json"} <= differing
    # The paytable changes no card.
    assert "deals.json" not in differing
    one, another = (json.loads(files["settlement.json"]) for files in (ours, theirs))
    line = "win_by_9"
    found = [
        data["wagers"]["bonus_player"]["grounds"][line]["pays"]["odds"] for data in (one, another)
    ]
    assert found == [{"pays": 30, "stake": 1}, {"pays": 20, "stake": 1}]


def test_other_drawing_rules_give_other_rounds() -> None:
    def rounds(stem: str) -> int:
        rules = read_rules(ROOT / "submissions" / f"{stem}.toml")
        return sum(1 for _ in deals(rules, starts(rules)))

    assert rounds("ny-mini-literal-row") < rounds("ny-mini")


def test_a_fraction_cannot_be_written() -> None:
    with pytest.raises(TypeError, match="integers"):
        written({"rate": 0.05})
    with pytest.raises(TypeError, match="text"):
        written({1: "player"})


# --- where it goes ------------------------------------------------------------------------------


@pytest.mark.usefixtures("_made_before")
def test_older_vectors_are_replaced_whole(folder: Path, tmp_path: Path) -> None:
    there = tmp_path / "there"
    write(made(SETS[0]), there)
    (there / "manifest.json").write_bytes(
        (there / "manifest.json").read_bytes().replace(b"deals.json", b"dealt.json")
    )
    (there / "deals.json").rename(there / "dealt.json")
    before = contents(there)
    refused = call("--submission", PLAIN, "-o", there)
    assert (refused.exit_code, contents(there)) == (2, before)
    assert "holds vectors already; --force replaces them" in refused.stderr
    assert call("--submission", PLAIN, "-o", there, "--force").exit_code == 0
    assert contents(there) == contents(folder)
    (there / "mine.txt").write_text("mine")
    refused = call("--submission", PLAIN, "-o", there, "--force")
    assert (refused.exit_code, (there / "mine.txt").read_text()) == (2, "mine")
    (there / "mine.txt").unlink()
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


@pytest.mark.usefixtures("_made_before")
@pytest.mark.parametrize("strange", ["notes.txt", "schemas/own.json", "manifest.json"])
def test_a_folder_of_somebody_else_is_left_alone(strange: str, tmp_path: Path) -> None:
    there = tmp_path / "there"
    (there / strange).parent.mkdir(parents=True)
    (there / strange).write_text("{}", encoding="utf-8")
    result = call("--submission", PLAIN, "-o", there)
    assert result.exit_code == 2
    assert strange in result.output
    assert contents(there) == {strange: b"{}"}


def test_a_strange_file_among_vectors_is_not_lost(tmp_path: Path) -> None:
    there = tmp_path / "there"
    write(made(PLAIN), there)
    (there / "notes.txt").write_text("mine", encoding="utf-8")
    with pytest.raises(WriteError, match=r"notes\.txt"):
        write(made(PLAIN), there)
    assert (there / "notes.txt").read_text(encoding="utf-8") == "mine"


def test_a_folder_is_refused_before_the_vectors_are_made(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(import_module("croupier.cli.analysis.vectors"), "pack", pytest.fail)
    (tmp_path / "notes.txt").write_text("mine", encoding="utf-8")
    refused = call("--submission", PLAIN, "-o", tmp_path)
    assert (refused.exit_code, "notes.txt" in refused.stderr) == (2, True)


@pytest.mark.usefixtures("_made_before")
def test_a_file_is_no_folder(tmp_path: Path) -> None:
    there = tmp_path / "there"
    there.write_text("mine", encoding="utf-8")
    assert call("--submission", PLAIN, "-o", there).exit_code == 2
    assert there.read_text(encoding="utf-8") == "mine"


def test_what_cannot_be_written_changes_nothing(tmp_path: Path) -> None:
    there = tmp_path / "there"
    write(made(PLAIN), there)
    before = contents(there)
    other = made(SETS[0])
    with files_no_longer_than(8192), pytest.raises(WriteError, match="File too large"):
        write(other, there, force=True)
    assert contents(there) == before
    assert [path.name for path in tmp_path.iterdir()] == ["there"]


# --- how it is called ---------------------------------------------------------------------------


@pytest.mark.usefixtures("_made_before")
def test_the_summary_for_a_person_and_for_a_program(tmp_path: Path) -> None:
    told = call("--submission", PLAIN, "-o", tmp_path / "one")
    assert "deals.json" in told.stdout
    assert "4,942 rounds" in " ".join(told.stdout.split())
    given = call("--submission", PLAIN, "-o", tmp_path / "two", "--format", "json")
    data = json.loads(given.stdout)
    assert data.pop("folder") == str(tmp_path / "two")
    assert data == json.loads((tmp_path / "two" / "manifest.json").read_bytes())


def test_a_law_with_its_plain_elections(tmp_path: Path) -> None:
    result = call(
        "--law", "us-nj/minibaccarat@2011-02-22", "-o", tmp_path / "law", "--format", "json"
    )
    assert result.exit_code == 0, result.output
    data = json.loads(result.stdout)
    assert data["submission"] is None
    rules = table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))
    assert data["rules_hash"] == rules.sha256
    assert shlex.split(data["reproduce"])[2:6] == [
        "--law", "us-nj/minibaccarat", "--as-of", rules.submission.on.isoformat()
    ]  # fmt: skip


def test_a_law_of_ones_own_is_named_with_its_folder_and_with_how_it_rounds_payments(
    tmp_path: Path,
) -> None:
    laws = ROOT / "examples" / "laws"
    words = ["--submission", str(laws / "au-nsw" / "table.toml"), "-o", str(tmp_path / "own")]
    result = CliRunner().invoke(main, ["--laws", str(laws), "vectors", *words])
    assert result.exit_code == 0, result.output
    manifest, settlement = (
        json.loads((tmp_path / "own" / f"{name}.json").read_bytes())
        for name in ("manifest", "settlement")
    )
    assert shlex.split(manifest["reproduce"])[2:6] == [
        "--submission",
        "table.toml",
        "--laws",
        "laws",
    ]
    assert settlement["vigorish"]["rounding_clauses"] == []
    # To the next 50 cents, in favor of the patron.
    rounding = {"unit_cents": 50, "direction": "up", "clauses": ["NSW-MINI:5.7"]}
    assert settlement["payments"] == rounding


@pytest.mark.parametrize("stem", UNDEALT)
def test_no_vectors_of_a_fragment_or_of_another_game(stem: str, tmp_path: Path) -> None:
    result = call("--submission", ROOT / "submissions" / f"{stem}.toml", "-o", tmp_path / "no")
    assert result.exit_code == 2
    assert not (tmp_path / "no").exists()


@pytest.mark.parametrize(
    "words",
    [
        (),
        ("-o", "x"),
        ("--submission", "none.toml", "-o", "x"),
        ("--law", "nobodys/law", "-o", "x"),
        ("--law", "us-nj/minibaccarat@2011-02-22"),
        ("--law", "us-nj/minibaccarat@2011-02-22", "--as-of", "1066-10-14", "-o", "x"),
        ("--law", "us-nj/minibaccarat@2011-02-22", "--submission", str(PLAIN), "-o", "x"),
    ],
)
def test_wrong_use(words: tuple[str, ...], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert call(*words).exit_code == 2
    assert list(tmp_path.iterdir()) == []


def test_a_gap_is_told_and_fails(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def with_gap(found: Answers, rules: TableRules) -> Refusals:
        data = refusals_data(found, rules)
        data["not_reached"][0]["why"] = None
        return data

    monkeypatch.setattr(packing, "refusals_data", with_gap)
    result = call("--submission", PLAIN, "-o", tmp_path / "gap")
    assert result.exit_code == 1
    manifest = json.loads((tmp_path / "gap" / "manifest.json").read_bytes())
    assert len(manifest["gaps"]) == 1
    assert manifest["gaps"][0] in result.output


# --- the document -------------------------------------------------------------------------------


def keys_of(data: Any) -> set[str]:
    """Return every key of the objects that a schema describes."""
    found: set[str] = set()
    if isinstance(data, dict):
        if isinstance(data.get("properties"), dict):
            found |= set(data["properties"])
        for value in data.values():
            found |= keys_of(value)
    elif isinstance(data, list):
        for one in data:
            found |= keys_of(one)
    return found


@pytest.mark.parametrize("name", [name for name in SCHEMAS if name.startswith("vectors")])
def test_every_key_is_explained(name: str) -> None:
    text = (ROOT / "docs" / "conformance.md").read_text(encoding="utf-8")
    assert [key for key in sorted(keys_of(SCHEMAS[name]())) if f"`{key}`" not in text] == []
