"""Laws outside the package: where they are found, and what they can and cannot replace."""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest

import croupier as package
from croupier.law.faults import LawError
from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget, keys, resolve, texts_of
from support.command_line import croupier, told_with
from support.own_law import NJ, OWN_ID, OWN_KEY, REGISTER, own_law, own_text
from support.project import ROOT

SUBMISSION = ROOT / "submissions/nj-minibaccarat.toml"


@pytest.fixture(autouse=True)
def _somewhere(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    # So that a folder added by a test is removed after it.
    monkeypatch.setenv(VARIABLE, "")
    forget()
    yield
    monkeypatch.undo()
    forget()


def test_an_option_before_or_after_the_command_names_a_folder(tmp_path: Path) -> None:
    own_law(tmp_path / "laws" / "xx")
    for words in (("--laws", "laws", "law", "show", OWN_KEY), ("law", "show", OWN_KEY, "--laws", "laws")):  # fmt: skip
        assert "XX-MINI:7.3(b)" in told_with(0, *words).stdout
    # It counts for one command.
    assert "no regulation has the id" in told_with(2, "law", "show", OWN_KEY).stderr


def test_a_variable_names_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_law(tmp_path / "laws")
    (tmp_path / "other").mkdir()
    (tmp_path / "other" / "b.toml").write_text(own_text("yy/mini"), encoding="utf-8")
    monkeypatch.setenv(VARIABLE, os.pathsep.join(("laws", "other")))
    forget()
    assert {OWN_KEY, "yy/mini@2011-02-22"} <= set(keys())


def test_a_settings_file_names_folders(tmp_path: Path) -> None:
    own_law(tmp_path / "laws")
    (tmp_path / "croupier.toml").write_text('laws = ["laws"]\n', encoding="utf-8")
    assert OWN_KEY in told_with(0, "law", "list").stdout


@pytest.mark.parametrize(
    ("settings", "reason"),
    [
        ('laws = ["nowhere"]', "croupier.toml: nowhere: no such folder of law files"),
        ("laws = 3", "croupier.toml:1:1: laws: must be a list of folders"),
        (
            'law = ["laws"]',
            "croupier.toml:1:1: law: unknown key; the keys are laws, serve; did you mean laws?",
        ),
        ("laws = [", "croupier.toml:1:9: not TOML"),
    ],
)
def test_bad_settings_are_refused(tmp_path: Path, settings: str, reason: str) -> None:
    (tmp_path / "croupier.toml").write_text(settings, encoding="utf-8")
    result = croupier("law", "list")
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr


def test_an_installed_package_brings_laws(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    own_law(tmp_path / "site" / "xx_laws")
    (tmp_path / "site" / "xx_laws" / "__init__.py").touch()
    metadata = tmp_path / "site" / "xx_laws-1.dist-info"
    metadata.mkdir()
    (metadata / "METADATA").write_text("Name: xx-laws\nVersion: 1\n", encoding="utf-8")
    (metadata / "entry_points.txt").write_text("[croupier.laws]\nxx = xx_laws\n", encoding="utf-8")
    monkeypatch.syspath_prepend(tmp_path / "site")
    forget()
    assert resolve(OWN_ID, on="latest").key == OWN_KEY
    (metadata / "entry_points.txt").write_text("[croupier.laws]\nxx = xx_law\n", encoding="utf-8")
    forget()
    with pytest.raises(LawError, match=r"entry point xx of .*: xx_law is not a package"):
        resolve(OWN_ID, on="latest")


def test_the_python_surface_adds_a_folder(tmp_path: Path) -> None:
    own_law(tmp_path / "laws")
    assert OWN_KEY in package.laws(tmp_path / "laws")
    assert package.default_rules(OWN_ID, date(2011, 2, 22)).law == OWN_ID
    with pytest.raises(package.LawError, match="no such folder"):
        package.laws(tmp_path / "nowhere")


@pytest.mark.parametrize("missing", ["nowhere", f"no{os.pathsep}where"])
def test_the_python_surface_names_the_folder_that_it_was_given(
    tmp_path: Path, missing: str
) -> None:
    if os.pathsep in missing:
        (tmp_path / missing).mkdir()
    with pytest.raises(package.LawError) as caught:
        package.laws(tmp_path / missing)
    assert str(caught.value).startswith(f"{tmp_path / missing}: ")


def test_an_included_id_cannot_be_replaced(tmp_path: Path) -> None:
    (tmp_path / "laws").mkdir()
    mine = tmp_path / "laws" / "mine.toml"
    mine.write_bytes(NJ.read_bytes())
    for words in (("law", "list"), ("law", "show", "us-nj/minibaccarat@latest")):
        error = told_with(2, "--laws", "laws", *words).stderr
        assert str(mine) in error
        assert str(NJ.parent) in error
    refused = told_with(1, "--laws", "laws", "check", SUBMISSION, "--format", "json")
    assert "give this one another id" in refused.stdout


def test_two_files_of_one_day_are_refused_by_name(tmp_path: Path) -> None:
    paths = [own_law(tmp_path / "laws" / one) for one in ("a", "b")]
    error = told_with(2, "--laws", "laws", "law", "show", OWN_KEY).stderr
    assert all(str(path) in error for path in paths)
    # One file found twice is one file.
    told_with(0, "--laws", "laws/a", "--laws", "laws/a", "law", "show", OWN_KEY)


def test_several_days_of_an_own_law_are_held(tmp_path: Path) -> None:
    own_law(tmp_path / "laws", name="first.toml")
    later = own_text().replace("2011-02-22", "2012-01-01")
    (tmp_path / "laws" / "second.toml").write_text(later, encoding="utf-8")
    told_with(0, "--laws", "laws", "law", "show", f"{OWN_ID}@2012-01-01")
    history = told_with(0, "--laws", "laws", "law", "history", OWN_ID).stdout
    assert OWN_KEY in history
    assert f"{OWN_ID}@2012-01-01" in history


def test_a_broken_law_does_not_stop_others(tmp_path: Path) -> None:
    own_law(tmp_path / "laws")
    (tmp_path / "laws" / "broken.toml").write_text("[instrument]\nid = ", encoding="utf-8")
    (tmp_path / "laws" / "submission.toml").write_bytes(SUBMISSION.read_bytes())
    told_with(0, "--laws", "laws", "law", "show", OWN_KEY)
    assert "broken.toml:2" in told_with(2, "--laws", "laws", "law", "list").stderr


def test_a_head_in_another_notation_is_found(tmp_path: Path) -> None:
    path = own_law(tmp_path / "laws")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace(f'id = "{OWN_ID}"', f'"id" = "{OWN_ID}"'), encoding="utf-8")
    told_with(0, "--laws", "laws", "law", "show", OWN_KEY)


def test_a_log_is_dealt_and_verified_and_says_which_law_is_missing(tmp_path: Path) -> None:
    path = own_law(tmp_path / "laws")
    laws = ("--laws", "laws")
    told_with(0, *laws, "new", OWN_KEY, "-o", "table.toml")
    told_with(0, *laws, "check", "table.toml")
    told_with(0, *laws, "deal", "table.toml", "--seed", "7", "--quiet", "-o", "log.jsonl")
    told_with(0, *laws, "verify", "log.jsonl")
    header = json.loads((tmp_path / "log.jsonl").read_bytes().splitlines()[0])
    head = header.get("body", header)
    assert head["readings"]["XX-1"] == "one"
    assert "T03" not in head["readings"]
    error = told_with(2, "verify", "log.jsonl").stderr
    assert f"log.jsonl:1: the log was made under {OWN_ID} of 2011-02-22" in error
    assert head["law_sha256"] in error
    assert "--laws FOLDER" in error
    # It is a log, and no record of others' rounds.
    assert "--submission" not in error
    assert "--submission" not in told_with(2, "audit", "log.jsonl").stderr
    # A changed law file is not the one of the log.
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace("Tie Bet", "tie bet"), encoding="utf-8")
    forget()
    assert "cannot be judged" in told_with(1, *laws, "verify", "log.jsonl").stdout


def test_the_schema_of_submissions_has_own_laws(tmp_path: Path) -> None:
    own_law(tmp_path / "laws")
    schema = json.loads(told_with(0, "--laws", "laws", "schema", "rules-submission").stdout)
    assert OWN_ID in schema["properties"]["submission"]["properties"]["law"]["enum"]


def test_fifty_laws_cost_little(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Heads alone are read: 50 files of 75 kB take less than 50 ms."""
    for number in range(50):
        folder = tmp_path / "laws" / f"l{number}"
        folder.mkdir(parents=True)
        (folder / "mini.toml").write_text(own_text(f"x{number}/mini"), encoding="utf-8")
    monkeypatch.setenv(VARIABLE, "laws")
    took = []
    for _ in range(3):
        forget()
        texts_of("us-nj/minibaccarat")
        without, start = time.perf_counter(), 0.0
        forget()
        start = time.perf_counter()
        texts_of("us-nj/minibaccarat")
        took.append(time.perf_counter() - start)
        assert start > without
    (tmp_path / "laws").rename(tmp_path / "elsewhere")
    monkeypatch.setenv(VARIABLE, "")
    forget()
    start = time.perf_counter()
    texts_of("us-nj/minibaccarat")
    assert min(took) - (time.perf_counter() - start) < 0.05


# --- the register of a folder ------------------------------------------------------------------


def test_every_required_reading_must_be_answered(tmp_path: Path) -> None:
    own_law(tmp_path / "laws", register="")
    text = (tmp_path / "laws" / "mini.toml").read_text(encoding="utf-8")
    plain = text.replace('"XX-1"', '"T01"').replace('"XX-2"', '"T01"')
    (tmp_path / "laws" / "mini.toml").write_text(plain, encoding="utf-8")
    error = told_with(2, "--laws", "laws", "law", "show", OWN_KEY).stderr
    assert "face_up_ten.discards: is not answered" in error
    assert "cutting_card_first.hands: is not answered" in error
    assert "one of none, one, ten" in error


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('"XX-1"', '"T03"', "is the id of an included entry"),
        ('id = "XX-1"', 'id = "XX:1"', "is not an id"),
        ('id = "XX-1"', 'id = "XX-2"', "is the id of several entries"),
        ("face_up_ten.discards", "face_up_ten.discard", "did you mean face_up_ten.discards?"),
        ("one = ", "two = ", "the program implements no reading 'two' of face_up_ten.discards"),
        ('reading = "one"', 'reading = "ten"', "'reading' is not one of its readings: one, none"),
        ('rests = ["irregularity.face_up_card"]', "rests = []", "'rests' names no rule"),
        ('name = "face_up_ten.discards"\n', "", "'readings' requires a 'name'"),
        ('title = "A ten found face up"\n', "", "missing required field `title`"),
        ('title = "A ten found face up"\n', "titel = 1\n", "interpretations.toml:1:1"),
    ],
)
def test_a_faulty_register_is_refused(tmp_path: Path, old: str, new: str, reason: str) -> None:
    assert old in REGISTER
    own_law(tmp_path / "laws", register=REGISTER.replace(old, new, 1))
    assert reason in told_with(2, "--laws", "laws", "law", "show", OWN_KEY).stderr


def test_a_submission_elects_an_own_reading_by_name(tmp_path: Path) -> None:
    own_law(tmp_path / "laws")
    told_with(0, "--laws", "laws", "new", OWN_KEY, "-o", "table.toml", "--reading", "face_up_ten.discards=none")  # fmt: skip
    checked = json.loads(told_with(0, "--laws", "laws", "check", "table.toml", "--format", "json").stdout)  # fmt: skip
    assert "No further card" in json.dumps(checked)
    refused = croupier("--laws", "laws", "new", OWN_KEY, "--reading", "face_up_ten.discards=ten")
    assert refused.exit_code == 2
    assert "'ten' is not a reading that can be elected here: one, none" in refused.output
