"""The audit of dependencies finds what it is there for, and asks a service once."""

from __future__ import annotations

import json
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from typing import Any

import pytest

import dependencies
from support.project import ROOT

HASH = "--hash=sha256:" + "a" * 64


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A project of two packages, which are here, and locked as they are."""
    locked = {
        one.name: one.version
        for one in dependencies.read_lock((ROOT / "requirements" / "dev.txt").read_text())
        if one.name in {"click", "msgspec"}
    }
    (tmp_path / "requirements").mkdir()
    for name in dependencies.LOCKS:
        lines = [f"{one}=={version} {HASH}\n" for one, version in locked.items()]
        (tmp_path / "requirements" / name).write_text("".join(lines))
    (tmp_path / "pyproject.toml").write_text(
        "[project]\nname = 'it'\ndependencies = ['click>=8', 'msgspec']\n"
        "[project.optional-dependencies]\n[dependency-groups]\n"
    )
    (tmp_path / "src").mkdir()
    (tmp_path / "src" / "it.py").write_text("import click\nfrom msgspec import json\n")
    return tmp_path


def test_our_own_dependencies_are_as_they_should_be() -> None:
    # What is not installed at all is the matter of `make check`, on the machine that it is run on.
    assert [one for one in dependencies.faults() if not one.endswith("not installed")] == []


@pytest.mark.parametrize(
    ("file", "old", "new", "said"),
    [
        ("requirements/dev.txt", HASH, "", "has no hash"),
        ("requirements/dev.txt", "click==", "click==0.", "installed as"),
        ("requirements/serve.txt", "a" * 64, "b" * 64, "has other hashes than in dev.txt"),
        ("requirements/run.txt", "click==", "click==0.", "is not in dev.txt"),
        ("requirements/dev.txt", "click==", "rich==14.0 " + HASH + "\nclick==", "requires it"),
        ("pyproject.toml", "'msgspec'", "'msgspec<0.1'", "declared"),
        ("pyproject.toml", "'msgspec'", "'msgspec', 'numba'", "not locked"),
        ("requirements/serve.txt", "click==", "# click==", "serve.txt: click is declared and not"),
        ("requirements/run.txt", "msgspec==", "# msgspec==", "run.txt: msgspec is declared and"),
        (
            "requirements/run.txt",
            "click==",
            "rich==14.0 " + HASH + "\nclick==",
            "run.txt: rich is locked",
        ),
        ("src/it.py", "import click", "", "no file imports it"),
    ],
)
def test_what_is_wrong_is_found(tree: Path, file: str, old: str, new: str, said: str) -> None:
    assert list(dependencies.faults(tree)) == []
    path = tree / file
    assert old in path.read_text()
    path.write_text(path.read_text().replace(old, new))
    assert any(said in one for one in dependencies.faults(tree))


def test_no_package_can_be_taken_out_of_a_lock(tmp_path: Path) -> None:
    """Take each package out of our own locks: that it is missing is found, of each."""
    shutil.copytree(ROOT / "requirements", tmp_path / "requirements")
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    (tmp_path / "src").mkdir()
    out = set()
    for name in dependencies.LOCKS:
        path = tmp_path / "requirements" / name
        text = path.read_text()
        out |= {(name, one.name) for one in dependencies.read_lock(text) if not one.marker}
        path.write_text("")
    words = [one.split() for one in dependencies.faults(tmp_path)]
    found = {(one[0].removesuffix(":"), one[1]) for one in words if one[-2:] == ["not", "locked"]}
    assert len(out) > 100
    assert out - found == set()


@pytest.mark.parametrize("hash_", ["md5:" + "a" * 32, "sha256:abc", "sha256:" + "g" * 64])
def test_a_hash_that_holds_no_file_to_anything_is_an_error(tree: Path, hash_: str) -> None:
    path = tree / "requirements" / "dev.txt"
    path.write_text(path.read_text() + f"rich==14.0 {HASH} --hash={hash_}\n")
    with pytest.raises(ValueError, match="is not a hash"):
        list(dependencies.faults(tree))


def test_a_license_that_is_not_allowed_is_found(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(dependencies, "ALLOWED", frozenset({"MIT"}))
    found = list(dependencies.faults(tree))
    assert [one for one in found if one.startswith("click: its license")]


@contextmanager
def service(answers: Any) -> Iterator[tuple[str, list[Any]]]:
    """A vulnerability service on loopback, and what it was asked."""
    asked: list[Any] = []

    class Handler(BaseHTTPRequestHandler):
        def do_POST(self) -> None:
            length = int(self.headers["Content-Length"])
            asked.append(json.loads(self.rfile.read(length)))
            body = json.dumps(answers(asked[-1])).encode()
            self.send_response(200)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Say nothing."""

    with HTTPServer(("127.0.0.1", 0), Handler) as server:
        thread = threading.Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}/", asked
        server.shutdown()
        thread.join()


def vulnerable(asked: Any) -> Any:
    found = {"vulns": [{"id": "GHSA-1"}, {"id": "CVE-2"}]}
    return {
        "results": [found if one["package"]["name"] == "click" else {} for one in asked["queries"]]
    }


def test_a_service_is_asked_once_and_its_answer_is_recorded(tree: Path) -> None:
    assert "no service was ever asked" in dependencies.known(tree)[1]
    with service(vulnerable) as (address, asked):
        record = dependencies.audit(address, tree)
    assert [len(one["queries"]) for one in asked] == [2]
    assert record["found"] == {"click": ["CVE-2", "GHSA-1"]}
    open_, said = dependencies.known(tree)
    assert open_ == ["click: CVE-2", "click: GHSA-1"]
    assert "the locks are those of that day" in said
    # One that does not matter here has a reason, which the next answer keeps.
    path = tree / "requirements" / dependencies.AUDITED
    record["accepted"] = {"CVE-2": "no file of this kind is read", "GHSA-1": " "}
    path.write_text(json.dumps(record))
    assert dependencies.known(tree)[0] == ["click: GHSA-1"]
    with service(vulnerable) as (address, _):
        dependencies.audit(address, tree)
    assert dependencies.known(tree)[0] == ["click: GHSA-1"]
    lock = tree / "requirements" / "run.txt"
    lock.write_text(lock.read_text() + "\n")
    assert "changed since: run.txt" in dependencies.known(tree)[1]


@pytest.mark.parametrize("answer", [{"results": []}, {"results": [{"next_page_token": "x"}] * 2}])
def test_an_answer_that_is_not_whole_is_not_recorded(tree: Path, answer: Any) -> None:
    with (
        service(lambda _: answer) as (address, _),
        pytest.raises(ValueError, match="answer"),
    ):
        dependencies.audit(address, tree)
    assert dependencies.recorded(tree) == {}
