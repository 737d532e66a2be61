"""The wheel, built and installed bare: with what it needs, and without any extra."""

from __future__ import annotations

import fcntl
import hashlib
import shutil
import subprocess
import sys
import venv
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Final, NamedTuple

from packaging.requirements import Requirement

from support.project import ROOT

KEPT: Final = ROOT / ".pytest_cache" / "wheel"
DONE: Final = "installed"
"""Stands in an install that was finished."""


class Installed(NamedTuple):
    """A bare install: its programs, its packages, and a directory to work in."""

    programs: Path
    packages: Mapping[str, Distribution]
    wheel: Path
    folder: Path
    own: Distribution

    def run(
        self, *words: str, cwd: Path | None = None, extras: Path | None = None
    ) -> subprocess.CompletedProcess[str]:
        """Run a program of the install in the directory, and nothing of this environment.

        ``extras`` is a folder of further packages, as ``unpack`` makes one.
        """
        command = [str(self.programs / words[0]), *words[1:]]
        # The documentation shows text at this width.
        env = {"COLUMNS": "80"} | ({"PYTHONPATH": str(extras)} if extras else {})
        return subprocess.run(  # noqa: S603  (the install's own programs)
            command,
            cwd=cwd or self.folder,
            env=env,
            capture_output=True,
            text=True,
            check=False,
        )

    def unpack(self, extras: Iterable[str], target: Path) -> Path:
        """Put the packages of some extras into a folder, and return it."""
        link_packages(needed(self.own, dict(self.packages), tuple(extras)), target)
        return target


def needed(
    one: Distribution, found: dict[str, Distribution], extras: Iterable[str] = ()
) -> dict[str, Distribution]:
    """Return the packages that one and its extras need, as they are in this environment."""
    for requirement in map(Requirement, one.requires or ()):
        name, marker = requirement.name, requirement.marker
        wanted = marker is None or any(marker.evaluate({"extra": asked}) for asked in ("", *extras))
        if wanted and name not in found:
            found[name] = distribution(name)
            needed(found[name], found, requirement.extras)
    return found


def link_packages(packages: Mapping[str, Distribution], target: Path) -> None:
    """Link packages of this environment into a folder, without what else is there."""
    for one in packages.values():
        for top in {file.parts[0] for file in one.files or () if file.parts[0] != ".."}:
            if not (target / top).exists() and top != "__pycache__":
                (target / top).symlink_to(Path(str(one.locate_file(top))))


def install(folder: Path) -> Installed:
    """Return the wheel, built and installed bare once for each state of the project.

    ``folder`` is where its programs work. What they compile is kept with the place of their sources,
    so the install stays where it is.
    """
    bare = KEPT / _state()
    KEPT.mkdir(parents=True, exist_ok=True)
    with (KEPT / "lock").open("w", encoding="utf-8") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (bare / DONE).exists():
            for older in KEPT.glob("[0-9a-f]" * 16):
                shutil.rmtree(older)
            _install(bare)
            (bare / DONE).touch()
    (wheel,) = bare.glob("*.whl")
    own = _own(bare)
    empty = folder / "empty"
    empty.mkdir()
    return Installed(bare / "bin", needed(own, {}), wheel, empty, own)


def _install(folder: Path) -> None:
    """Build the wheel and install it bare in a folder."""
    venv.create(folder, symlinks=True)
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)  # noqa: S603  (our own)
    (wheel,) = folder.glob("*.whl")
    python = ["--python", str(folder / "bin" / "python")]
    pip = [sys.executable, "-m", "pip", *python, "install", "--no-index", "--no-deps", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)  # noqa: S603  (our own)
    (site,) = folder.glob("lib/python*/site-packages")
    link_packages(needed(_own(folder), {}), site)


def _own(folder: Path) -> Distribution:
    (information,) = folder.glob("lib/python*/site-packages/croupier-*.dist-info")
    return Distribution.at(information)


def _state() -> str:
    """Return what names the install: a hash of all that it may be made of, and of this environment."""
    digest = hashlib.sha256(f"{sys.version} {sys.prefix} {ROOT}".encode())
    for top in sorted(ROOT.iterdir()):
        if top.name.startswith(".") or top.name in {"tests", "bench", "build", "dist"}:
            continue
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and "__pycache__" not in path.parts:
                digest.update(f"{path}\0".encode() + path.read_bytes())
    return digest.hexdigest()[:16]
