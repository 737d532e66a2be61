"""The built form of a law file says what its TOML says, and nothing where it is not of that TOML."""

import json
import sys
import tomllib
from pathlib import Path

import pytest

from croupier.law import built
from croupier.law.resolve import instruments
from support.project import ROOT

LAW = ROOT / "src" / "croupier" / "law"
FILES = sorted(LAW.rglob("*.toml"))
TEXT = b'[instrument]\non = 2011-02-22\n[[clause]]\nid = "a"\ndays = [2001-01-16]\n'


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A law file on a shelf whose built forms are kept."""
    monkeypatch.setattr(built, "INCLUDED", tmp_path)
    monkeypatch.setattr(sys, "dont_write_bytecode", False)
    path = tmp_path / "law@2011-02-22.toml"
    path.write_bytes(TEXT)
    return path


@pytest.mark.shipped
def test_there_are_law_files() -> None:
    assert sum(LAW / "instruments" in path.parents for path in FILES) == len(instruments())


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_a_built_form_holds_the_tables_of_its_toml(path: Path, shelf: Path) -> None:
    shelf.write_bytes(path.read_bytes())
    first, second = built.read_law(shelf), built.read_law(shelf)
    assert built.built_path(shelf).is_file()
    assert (first.built, second.built) == (False, True)
    assert first[:3] == second[:3]
    assert second.tables == tomllib.loads(path.read_text(encoding="utf-8"))


def test_the_built_form_is_what_is_read(shelf: Path) -> None:
    read = built.read_law(shelf)
    kept = built.built_path(shelf)
    form = json.loads(kept.read_bytes())
    form["tables"]["clause"][0]["id"] = "b"
    kept.write_text(json.dumps(form), encoding="utf-8")
    assert read.tables["clause"][0]["id"] == "a"
    assert built.read_law(shelf).tables["clause"][0]["id"] == "b"


def test_a_changed_law_file_is_never_read_from_the_form_of_the_former(shelf: Path) -> None:
    built.read_law(shelf)
    shelf.write_bytes(TEXT.replace(b'"a"', b'"b"'))
    assert built.read_law(shelf).tables["clause"][0]["id"] == "b"
    assert json.loads(built.built_path(shelf).read_bytes())["tables"]["clause"][0]["id"] == "b"


@pytest.mark.parametrize("damage", [b"", b"{", b"[]", b"null", b'{"sha256": 1}', b"\xff"])
def test_a_damaged_built_form_is_made_again(shelf: Path, damage: bytes) -> None:
    read = built.read_law(shelf)
    kept = built.built_path(shelf)
    whole = kept.read_bytes()
    kept.write_bytes(damage)
    assert built.read_law(shelf)[:3] == read[:3]
    assert kept.read_bytes() == whole


def test_a_law_file_is_read_where_nothing_can_be_written(shelf: Path) -> None:
    (shelf.parent / "__built__").write_bytes(b"a file is in the way")
    assert built.read_law(shelf).tables == tomllib.loads(TEXT.decode())


def test_nothing_is_kept_beside_the_law_files_of_others(
    shelf: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    path = tmp_path_factory.mktemp("theirs") / shelf.name
    path.write_bytes(TEXT)
    built.read_law(path)
    assert list(path.parent.iterdir()) == [path]


def test_a_built_form_beside_the_law_files_of_others_is_not_read(
    shelf: Path, tmp_path_factory: pytest.TempPathFactory
) -> None:
    built.read_law(shelf)
    path = tmp_path_factory.mktemp("theirs") / shelf.name
    path.write_bytes(TEXT)
    built.built_path(path).parent.mkdir()
    form = built.built_path(shelf).read_bytes()
    built.built_path(path).write_bytes(form.replace(b'"id": "a"', b'"id": "b"'))
    assert built.read_law(path).tables["clause"][0]["id"] == "a"


def test_nothing_is_kept_where_python_keeps_no_bytecode(
    shelf: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "dont_write_bytecode", True)
    built.read_law(shelf)
    assert list(shelf.parent.iterdir()) == [shelf]
