"""A Python and a TypeScript client, generated of the service's description, play a round each."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from support.project import ROOT
from support.served import NJ, Served, served

TOOLS = ROOT / "build" / "clients"
"""Made by ``make build/clients``: the generators come from two package registries."""
CLIENTS = ROOT / "tests" / "clients"

pytestmark = pytest.mark.skipif(
    not (TOOLS / "node_modules").exists(), reason="run make build/clients first"
)


def run(*arguments: object, **environment: str) -> str:
    done = subprocess.run(  # noqa: S603  (the generators of this tree)
        [str(one) for one in arguments], env={**os.environ, **environment}, capture_output=True,
        text=True, check=False, timeout=240,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def described(house: Served, folder: Path) -> tuple[Path, list[str]]:
    """Write the description to a file; return it, and the arguments of a client."""
    place = folder / "openapi.json"
    place.write_bytes(house.anybody().get("/openapi.json").content)
    submission = folder / "submission.json"
    submission.write_text(json.dumps(tomllib.loads(NJ.read_text()), default=str))
    people = {"licensee": "Lee", "floorperson": "Flo", "dealer": "Dana"}
    tokens = [house.token(office, person) for office, person in people.items()]
    return place, [house.place, *tokens, str(submission)]


def played(house: Served, output: str) -> None:
    """Check that a round was played as the client saw it."""
    told = json.loads(output.splitlines()[-1])
    state = house.service.tables["MB-101"].desk.durable
    assert told == {"seq": state.sequence, "round": 1, "rounds": 1}
    assert state.state.rounds == 1
    watch = house.person("surveillance", "Sue")
    assert watch.sees("/v1/tables/MB-101/verify")["clean"]


def test_a_generated_python_client_plays_a_round(tmp_path: Path) -> None:
    with served(tmp_path / "pit.sqlite") as house:
        place, arguments = described(house, tmp_path)
        run(
            TOOLS / "bin" / "openapi-python-client", "generate", "--path", place, "--meta", "none",
            "--output-path", tmp_path / "generated", PATH=f"{TOOLS / 'bin'}:{os.environ['PATH']}",
        )  # fmt: skip
        client = CLIENTS / "play.py"
        played(house, run(sys.executable, client, *arguments, PYTHONPATH=str(tmp_path)))


def test_a_generated_typescript_client_plays_a_round(tmp_path: Path) -> None:
    modules = TOOLS / "node_modules"
    with served(tmp_path / "pit.sqlite") as house:
        place, arguments = described(house, tmp_path)
        run(modules / ".bin" / "openapi-typescript", place, "-o", tmp_path / "api.ts")
        shutil.copy(CLIENTS / "play.ts", tmp_path)
        shutil.copy(CLIENTS / "package.json", tmp_path)
        (tmp_path / "node_modules").symlink_to(modules)
        run(
            modules / ".bin" / "tsc", "--strict", "--target", "es2022", "--module", "nodenext",
            "--skipLibCheck", "--typeRoots", modules / "@types", "--outDir", tmp_path, tmp_path / "play.ts",
        )  # fmt: skip
        played(house, run("node", tmp_path / "play.js", *arguments))
