"""``croupier help`` prints documents, ``croupier samples`` writes the files that they name."""

import json
import re
from ast import literal_eval
from functools import partial
from pathlib import Path

import pytest

from croupier.files import shipped
from croupier.files.shipped import SAMPLES, samples, topics
from support.command_line import croupier
from support.project import ROOT

run = partial(croupier, columns=80)


def test_the_topics_are_listed_with_their_titles() -> None:
    lines = run("help").stdout.splitlines()
    assert ["table-log", "The table log"] in [line.split(maxsplit=1) for line in lines]
    assert len(lines) == len(topics()) + 1


@pytest.mark.parametrize("topic", ["par", "docs/par.md"])
def test_a_document_is_printed_as_it_is_where_there_is_no_terminal(topic: str) -> None:
    kept = (ROOT / "docs" / "par.md").read_text(encoding="utf-8")
    assert run("help", topic).stdout == kept


def test_a_mistyped_topic_gets_a_suggestion() -> None:
    result = run("help", "table-lgo")
    assert result.exit_code == 2
    assert "did you mean table-log?" in result.stderr
    assert "lists the topics" in run("help", "zzz").stderr


def test_the_samples_are_written_under_the_names_of_the_documents(tmp_path: Path) -> None:
    result = run("samples", tmp_path / "new")
    assert result.exit_code == 0, result.output
    written = {one for one in (tmp_path / "new").rglob("*.*") if one.is_file()}
    # The samples name a schema, which is written with them.
    assert len(written) == len(samples()) + 1
    schema = "docs/schemas/rules-submission.schema.json"
    found = (tmp_path / "new" / schema).read_text(encoding="utf-8")
    assert json.loads(found) == json.loads((ROOT / schema).read_text(encoding="utf-8"))
    names = ("submissions/nj-minibaccarat.toml", "docs/examples/rounds/wrong.csv")
    for name in (*names, "docs/notebooks/vendor-records.ipynb", "docs/notebooks/side-bet.ipynb"):
        assert (tmp_path / "new" / name).read_bytes() == (ROOT / name).read_bytes()


def test_what_an_installer_compiles_is_no_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = tmp_path / "docs" / "examples"
    (examples / "__pycache__").mkdir(parents=True)
    for name in ("follow.py", "__pycache__/follow.cpython-311.pyc"):
        (examples / name).write_bytes(b"")
    monkeypatch.setattr(shipped, "_root", lambda: tmp_path)
    assert [*samples()] == ["docs/examples/follow.py"]


def test_the_wheel_has_the_samples_that_a_checkout_has() -> None:
    hook = (ROOT / "hatch_build.py").read_text(encoding="utf-8")
    kept = next(line for line in hook.splitlines() if line.startswith("SAMPLES = "))
    assert literal_eval(kept.removeprefix("SAMPLES = ")) == SAMPLES


def test_the_facts_of_side_bets_are_a_topic() -> None:
    text = run("help", "side-bets").stdout
    for fact in ("player_two_color", "all_pips", "margin", "banker_natural"):
        assert re.search(rf"^\| .*`{fact}`", text, re.MULTILINE), fact


def test_the_samples_replace_nothing_unless_forced(tmp_path: Path) -> None:
    own = tmp_path / "submissions" / "ma.toml"
    own.parent.mkdir()
    own.write_text("mine", encoding="utf-8")
    result = run("samples", tmp_path)
    assert result.exit_code == 2
    assert [one for one in tmp_path.rglob("*.*") if one.is_file()] == [own]
    assert own.read_text(encoding="utf-8") == "mine"
    assert run("samples", tmp_path, "--force").exit_code == 0
    assert own.read_bytes() == (ROOT / "submissions" / "ma.toml").read_bytes()
