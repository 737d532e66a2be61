"""The wheel, built and installed bare: with what it needs, and without any extra."""

from __future__ import annotations

import subprocess
import sys
import venv
from collections.abc import Iterable, Mapping
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import NamedTuple

from packaging.requirements import Requirement

from support.project import ROOT


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
        env = {"PYTHONPATH": str(extras)} if extras else {}
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
    """Build the wheel and install it bare in a folder."""
    build = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(folder)]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)  # noqa: S603  (our own)
    (wheel,) = folder.glob("*.whl")
    venv.create(folder / "bare", with_pip=True, symlinks=True)
    programs = folder / "bare" / "bin"
    pip = [str(programs / "pip"), "install", "--no-index", "--no-deps", "--quiet", str(wheel)]
    subprocess.run(pip, check=True, capture_output=True)  # noqa: S603  (the install's own)
    (site,) = (folder / "bare").glob("lib/python*/site-packages")
    (information,) = site.glob("croupier-*.dist-info")
    own = Distribution.at(information)
    found = needed(own, {})
    link_packages(found, site)
    empty = folder / "empty"
    empty.mkdir()
    return Installed(programs, found, wheel, empty, own)
