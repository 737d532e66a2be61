"""``croupier doctor`` examines an installation, however broken it is, and never ends with a traceback."""

import hashlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
import time
import tomllib
from collections.abc import Mapping
from contextlib import closing
from importlib import metadata
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NamedTuple

import pytest

from croupier.cli.common import doctor
from croupier.records.stores.places import open_store
from croupier.records.stores.sqlite_reading import VERSION
from support.command_line import croupier
from support.project import ROOT
from support.texts import dated

LAW = "us-nj/minibaccarat"
DATABASE = "postgresql://owner:secret@db.example/pit"


class Found(NamedTuple):
    status: int
    by_name: Mapping[str, Any]

    def faults(self) -> set[str]:
        return {name for name, one in self.by_name.items() if one["standing"] == "fault"}


def examined(*words: object) -> Found:
    result = croupier("doctor", *words, "--format", "json")
    assert result.stderr == "", result.stderr
    data = json.loads(result.stdout)
    assert data["is_sound"] is (result.exit_code == 0)
    found = {one["name"]: one for one in data["found"]}
    assert all(one["advice"] for one in found.values() if one["standing"] != "good")
    return Found(result.exit_code, found)


def in_process(cwd: Path, *words: str, **env: str) -> subprocess.CompletedProcess[str]:
    """Run the doctor with no environment but what is given."""
    done = subprocess.run(  # noqa: S603  (our own interpreter and words)
        [sys.executable, "-m", "croupier", "doctor", *words],
        cwd=cwd,
        env={"PYTHONPATH": f"{ROOT / 'src'}", **env},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert "Traceback" not in done.stdout + done.stderr
    assert done.returncode in {0, 1}, done.stderr
    return done


@pytest.fixture(autouse=True)
def _in_an_empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)


def test_a_sound_installation_has_no_fault() -> None:
    found = examined()
    assert (found.status, found.faults()) == (0, set())
    assert {one["area"] for one in found.by_name.values()} == {
        *("python", "extra", "law", "clock", "fonts", "terminal", "disk"),
    }
    law = (ROOT / "src/croupier/law/instruments" / f"{dated(LAW)}.toml").read_bytes()
    assert hashlib.sha256(law).hexdigest() in found.by_name[dated(LAW)]["found"]


def test_it_uses_no_network(monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object, **__: object) -> None:
        raise AssertionError("a connection")

    monkeypatch.setattr("socket.socket.connect", refused)
    monkeypatch.setattr("socket.getaddrinfo", refused)
    assert examined("--store", DATABASE).faults() == set()


def test_an_address_with_a_password_is_not_printed() -> None:
    for store in (["--store", DATABASE], [f"--store={DATABASE}"]):
        result = croupier("doctor", *store)
        assert "secret" not in result.stdout
        assert "croupier store check" in result.stdout
        assert "--store" in result.stdout.partition("Provenance")[2]


# --- extras ------------------------------------------------------------------------------------


def test_every_extra_is_described() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert {*doctor.EXTRAS} == project["optional-dependencies"].keys() - {"all"}


def test_a_missing_extra_is_a_note_with_the_way_to_add_it(monkeypatch: pytest.MonkeyPatch) -> None:
    def version(name: str) -> str:
        if name == "typst":
            raise metadata.PackageNotFoundError(name)
        return "9999"

    monkeypatch.setattr(metadata, "version", version)
    found = examined()
    assert found.status == 0
    assert found.by_name["reports"]["standing"] == "note"
    assert found.by_name["reports"]["advice"] == (
        "for it, pip install 'croupier[reports]' (typst is missing)"
    )
    assert found.by_name["server"]["standing"] == "good"


def test_a_package_that_is_too_old_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(metadata, "version", lambda _: "0.5.dev1+local")
    found = examined()
    assert found.status == 1
    assert "click 0.5.dev1+local is older than 8.4" in found.by_name["required packages"]["found"]
    assert found.by_name["kernels"]["advice"] == "pip install 'croupier[kernels]'"


def test_sources_that_are_not_installed_are_a_note(monkeypatch: pytest.MonkeyPatch) -> None:
    def requires(name: str) -> list[str]:
        raise metadata.PackageNotFoundError(name)

    monkeypatch.setattr(metadata, "requires", requires)
    assert examined().by_name["croupier"]["standing"] == "note"


# --- law ---------------------------------------------------------------------------------------


def own_law(folder: Path, change: tuple[str, str] = ("", "")) -> Path:
    source = ROOT / "examples" / "laws" / "au-nsw"
    folder.mkdir()
    for path in source.glob("*.toml"):
        (folder / path.name).write_text(path.read_text(encoding="utf-8").replace(*change))
    return folder


def test_a_law_of_your_own_is_listed_with_its_hash(tmp_path: Path) -> None:
    folder = own_law(tmp_path / "laws")
    found = examined("--laws", folder)
    assert found.status == 0
    assert str(folder) in found.by_name["au-nsw/mini-baccarat@2004-01-01"]["found"]


@pytest.mark.parametrize(
    "change", [("[instrument]", "[instrument"), ("[[clause]]", "[[clauze]]"), ("id = ", "id = 5 #")]
)
def test_a_faulty_law_file_is_a_fault_with_advice(tmp_path: Path, change: tuple[str, str]) -> None:
    folder = own_law(tmp_path / "laws", change)
    found = examined("--laws", folder)
    assert found.status == 1
    (path,) = (name for name in found.faults() if name.endswith("@2004-01-01.toml"))
    assert found.by_name[path]["advice"] in {f"croupier law check {path}", "correct the file"}


def test_two_files_of_one_text_are_a_fault(tmp_path: Path) -> None:
    one, other = own_law(tmp_path / "one"), own_law(tmp_path / "other")
    assert examined("--laws", one, "--laws", other).status == 1


def test_a_pipe_among_the_laws_blocks_nothing(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "law.toml")
    assert "no law file" in in_process(tmp_path, CROUPIER_LAWS=str(tmp_path)).stdout


def test_an_empty_folder_of_laws_is_noticed(tmp_path: Path) -> None:
    (tmp_path / "laws").mkdir()
    found = examined("--laws", tmp_path / "laws")
    assert found.by_name[f"{tmp_path / 'laws'}"]["found"] == "no law file"


@pytest.mark.parametrize(
    "settings", ["laws = 5", "laws = [", 'laws = ["nowhere"]', "lawz = 1", "\x00", "laws = [''']"]
)
def test_faulty_settings_are_a_fault(tmp_path: Path, settings: str) -> None:
    (tmp_path / "croupier.toml").write_text(settings)
    assert examined().faults() == {"folders"}


@pytest.mark.parametrize("named", ["nowhere", "~/laws", "~nobody-here/laws", os.pathsep * 3])
def test_folders_that_do_not_exist_never_end_in_a_traceback(tmp_path: Path, named: str) -> None:
    in_process(tmp_path, CROUPIER_LAWS=named)


# --- stores ------------------------------------------------------------------------------------


def store_of(folder: Path, version: int | None = None) -> Path:
    path = folder / "pit.sqlite"
    open_store(path).close()
    if version is not None:
        with closing(sqlite3.connect(path)) as connection, connection:
            connection.execute(f"pragma user_version = {version}")
    return path


def test_the_layout_of_a_store_is_named(tmp_path: Path) -> None:
    path = store_of(tmp_path)
    found = examined("--store", path).by_name[str(path)]
    assert (found["found"], found["standing"]) == (f"layout {VERSION}, 0 records", "good")


@pytest.mark.parametrize("in_use", [False, True])
def test_nothing_is_made_next_to_a_store(tmp_path: Path, *, in_use: bool) -> None:
    path = store_of(tmp_path)
    service = open_store(path) if in_use else None
    link = tmp_path / "link"
    link.symlink_to(path)
    before = {one.name: one.read_bytes() for one in tmp_path.iterdir()}
    for place in (path, link):
        found = examined("--store", place).by_name[str(place)]
        assert (found["found"], found["standing"]) == (f"layout {VERSION}, 0 records", "good")
    assert {one.name for one in tmp_path.iterdir()} == {*before}
    assert path.read_bytes() == before[path.name]
    if service is not None:
        service.close()


def test_an_older_store_is_good_with_advice(tmp_path: Path) -> None:
    path = store_of(tmp_path, VERSION - 1)
    found = examined("--store", path).by_name[str(path)]
    assert found["standing"] == "note"
    assert "back it up" in found["advice"]


@pytest.mark.parametrize("version", [0, -1, VERSION + 1, 99])
def test_a_store_of_another_version_is_a_fault(tmp_path: Path, version: int) -> None:
    path = store_of(tmp_path, version)
    before = path.read_bytes()
    found = examined("--store", path)
    assert (found.status, found.faults()) == (1, {str(path)})
    assert path.read_bytes() == before


@pytest.mark.parametrize("content", [None, b"", b"no store", b"SQLite format 3\0" + b"\xff" * 4096])
def test_what_is_no_store_is_a_fault(tmp_path: Path, content: bytes | None) -> None:
    path = tmp_path / "pit.sqlite"
    if content is not None:
        path.write_bytes(content)
    assert examined("--store", path, "--store", tmp_path).faults() == {str(path), str(tmp_path)}


# --- clock, terminal, disk ---------------------------------------------------------------------


def test_a_clock_that_jumps_or_is_not_that_of_the_files_is_a_fault(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    real, seconds = time.time, iter(range(0, 10_000, 60))
    monkeypatch.setattr(doctor, "time", SimpleNamespace(
        time=lambda: real() + next(seconds), monotonic=time.monotonic, sleep=lambda _: None,
    ))  # fmt: skip
    assert examined().faults() == {"steadiness", "file system"}


def test_little_space_is_a_fault_and_a_read_only_folder_a_note(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    found = examined().by_name["current folder"]
    assert found["found"].endswith("read-only")
    assert "-o FILE" in found["advice"]
    monkeypatch.setattr(shutil, "disk_usage", lambda _: SimpleNamespace(free=5 << 20))
    assert examined().faults() == {"current folder", "temporary folder"}


def test_a_bare_environment_is_examined(tmp_path: Path) -> None:
    done = in_process(tmp_path, LANG="C", LC_ALL="C", PYTHONUTF8="0", PYTHONIOENCODING="ascii")
    assert done.returncode == 0
    assert "UTF-8 locale" in done.stdout
    assert done.stdout.isascii()


@pytest.mark.parametrize(
    "env", [{"TMPDIR": "/nowhere"}, {"COLUMNS": "20"}, {"COLUMNS": "x", "TERM": ""}, {"HOME": ""}]
)
def test_an_odd_environment_is_examined(tmp_path: Path, env: dict[str, str]) -> None:
    in_process(tmp_path, **env)


def test_a_folder_that_was_removed_is_a_fault(tmp_path: Path) -> None:
    gone = tmp_path / "gone"
    gone.mkdir()
    words = f"cd {gone}; rmdir {gone}; exec {sys.executable} -m croupier doctor"
    done = subprocess.run(  # noqa: S603  (our own words)
        ["/bin/sh", "-c", words],
        env={"PYTHONPATH": f"{ROOT / 'src'}"},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1
    assert "Traceback" not in done.stdout + done.stderr
    assert "repair what the error names" in " ".join(done.stdout.split())


def test_what_cannot_be_examined_is_a_fault(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_: object) -> None:
        raise RuntimeError("out of order")

    monkeypatch.setattr(doctor, "law_files", broken)
    found = examined()
    assert found.by_name["examination"]["found"] == "RuntimeError: out of order"
    assert found.status == 1
