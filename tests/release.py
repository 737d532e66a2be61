"""A release: its files built twice and compared, their hashes, and the software bill of materials.

``make release`` runs it. It reads the files that git tracks, as they are committed, and writes to ``build/release``:
the sdist, the wheel, ``croupier-VERSION.cdx.json`` (CycloneDX 1.6), and ``SHA256SUMS``. The date of the
version in CHANGELOG.md is the time of every file, so that everyone who builds it gets the same bytes.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import uuid
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

import dependencies

ROOT: Final = Path(__file__).resolve().parent.parent
TARGET: Final = ROOT / "build" / "release"
PRIVATE: Final = "Private :: Do Not Upload"
SECTIONS: Final[Mapping[str, str]] = {
    "required": "Installed with Croupier",
    "optional": "Installed with an extra",
    "excluded": "Used to build, test, and document",
}
"""Section of ``docs/licenses.md`` by scope."""
_RELEASED: Final = re.compile(r"^## \[(\d[^\]]*)\] - (\d{4}-\d{2}-\d{2})$", re.MULTILINE)
_NO_SPDX_ID: Final = frozenset({"BSD"})


def project(root: Path = ROOT) -> dict[str, Any]:
    """Return the table ``project`` of pyproject.toml."""
    stated = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    found: dict[str, Any] = stated["project"]
    return found


def released(root: Path = ROOT) -> tuple[str, datetime]:
    """Return the latest version in CHANGELOG.md, and midnight UTC of its date.

    Raises ``ValueError`` if there is none.
    """
    found = _RELEASED.search((root / "CHANGELOG.md").read_text(encoding="utf-8"))
    if found is None:
        raise ValueError("CHANGELOG.md: no version has a date; ## [VERSION] - YYYY-MM-DD")
    return found[1], datetime.fromisoformat(found[2]).replace(tzinfo=UTC)


def faults(root: Path = ROOT) -> Iterator[str]:
    """Yield what forbids a release, a sentence each."""
    stated, (version, day) = project(root), released(root)
    module = (root / "src" / "croupier" / "files" / "version.py").read_text(encoding="utf-8")
    if stated["version"] != version:
        yield f"pyproject.toml: version is {stated['version']}; CHANGELOG.md has {version}"
    if f'__version__ = "{version}"' not in module:
        yield f"src/croupier/files/version.py: __version__ is not {version}, as in CHANGELOG.md"
    later = (root / "CHANGELOG.md").read_text(encoding="utf-8").partition("## [Unreleased]")[2]
    if later.partition("\n## [")[0].strip():
        yield "CHANGELOG.md: [Unreleased] has entries; a release leaves none there"
    notes = root / "docs" / f"release-{version}.md"
    if not notes.exists():
        yield f"docs/{notes.name}: the notes of the release are missing"
    elif f"\n{day:%B} {day.day}, {day.year}. " not in notes.read_text(encoding="utf-8"):
        yield f"docs/{notes.name}: it is of another day than {day.date()}, as in CHANGELOG.md"
    if reserved(stated) and PRIVATE not in stated["classifiers"]:
        yield f"pyproject.toml: urls are reserved addresses; add the classifier {PRIVATE!r}"
    if not reserved(stated) and PRIVATE in stated["classifiers"]:
        yield f"pyproject.toml: urls are real; remove the classifier {PRIVATE!r}"


def reserved(stated: Mapping[str, Any]) -> list[str]:
    """Return the project URLs that lead nowhere: hosts below ``.example`` (RFC 2606)."""
    hosts = {url: url.partition("://")[2].partition("/")[0] for url in stated["urls"].values()}
    return [url for url, host in hosts.items() if host.endswith(".example")]


def export(target: Path, root: Path = ROOT) -> Path:
    """Copy the files that git tracks to a folder, and return it."""
    git = ["git", "-C", str(root), "ls-files", "-z"]
    listed = subprocess.run(git, check=True, capture_output=True, text=True).stdout  # noqa: S603
    for name in filter(None, listed.split("\0")):
        copy = target / name
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(root / name, copy)  # Scripts stay executable.
    return target


def build(source: Path, target: Path, env: Mapping[str, str] | None = None) -> list[Path]:
    """Build the sdist of a folder, and the wheel of that sdist. Return both."""
    _, day = released(source)
    # The project's own modules would otherwise be found in this environment's checkout.
    environ = {**os.environ, "PYTHONPATH": "", **(env or {})}
    environ["SOURCE_DATE_EPOCH"] = str(int(day.timestamp()))
    command = [sys.executable, "-m", "hatchling", "build", "-d", str(target)]
    _run([*command, "-t", "sdist"], source, environ)
    (sdist,) = target.glob("*.tar.gz")
    with TemporaryDirectory() as folder:
        with tarfile.open(sdist) as archive:
            # Python 3.11.2 has no filter; from 3.14 on this one is the default.
            archive.extraction_filter = getattr(tarfile, "data_filter", None)
            archive.extractall(folder)  # noqa: S202  (our own archive)
        _run([*command, "-t", "wheel"], Path(folder) / sdist.name.removesuffix(".tar.gz"), environ)
    (wheel,) = target.glob("*.whl")
    return [sdist, wheel]


def _run(command: list[str], folder: Path, environ: Mapping[str, str]) -> None:
    done = subprocess.run(  # noqa: S603  (the build backend)
        command, cwd=folder, env=environ, capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise OSError(f"{folder}: {' '.join(command)} failed: {done.stderr.strip()}")


def sha256(path: Path) -> str:
    """Return the SHA-256 of a file in hexadecimal digits."""
    return hashlib.sha256(path.read_bytes()).hexdigest()


# --- the software bill of materials ------------------------------------------------------------


def scopes(root: Path = ROOT) -> dict[str, str]:
    """Return what each required package is for: ``required``, or ``optional`` (an extra).

    Every other package of the locks builds or tests the program, and is not installed with it. What
    another platform or version of Python installs is required by nothing that is installed here: it
    has the scope that ``docs/licenses.md`` lists it under.
    """
    stated = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    installed = installed_packages()
    found = {name: scope for name, scope in _scopes_listed(root) if name not in installed}
    for scope, extras in (("optional", ("", "all")), ("required", ("",))):
        wanted = dependencies.roots(stated, dependencies.Lock(extras))
        found |= {name: scope for name, _ in dependencies.required(wanted, installed)}
    return found


def installed_packages() -> dict[str, Distribution]:
    """Return the packages of this environment by name."""
    return {canonicalize_name(one.metadata["Name"]): one for one in distributions()}


def locked(root: Path = ROOT) -> list[dependencies.Locked]:
    """Return every package of the locks: ``dev.txt`` has those of the others."""
    text = (root / "requirements" / "dev.txt").read_text(encoding="utf-8")
    return sorted(dependencies.read_lock(text))


def bill_of_materials(root: Path = ROOT) -> dict[str, Any]:
    """Return the software bill of materials, in CycloneDX 1.6."""
    version, day = released(root)
    installed, scope, listed = installed_packages(), scopes(root), licenses_listed(root)
    direct = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    names: dict[str, list[str]] = {}
    for one in locked(root):
        names.setdefault(one.name, []).append(_purl(one))
    wanted = dependencies.roots(direct, dependencies.Lock(("", "all")))
    every = dependencies.roots(direct, dependencies.LOCKS["dev.txt"])
    asked = dependencies.required(every, installed)
    own = f"pkg:pypi/croupier@{version}"
    found: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": f"{day:%Y-%m-%dT%H:%M:%SZ}",
            "component": {
                "type": "application",
                "bom-ref": own,
                "name": "croupier",
                "version": version,
                "purl": own,
                "licenses": [{"expression": project(root)["license"]}],
            },
        },
        "components": [
            _component(one, scope.get(one.name, "excluded"), installed.get(one.name), listed)
            for one in locked(root)
        ],
        "dependencies": [
            {"ref": own, "dependsOn": _refs(wanted, names)},
            *(
                {"ref": _purl(one), "dependsOn": _refs(_needs(one.name, asked, installed), names)}
                for one in locked(root)
            ),
        ],
    }
    content = json.dumps(found, sort_keys=True)
    return {**found, "serialNumber": uuid.uuid5(uuid.NAMESPACE_OID, content).urn}


def _purl(one: dependencies.Locked) -> str:
    return f"pkg:pypi/{one.name}@{one.version}"


def _needs(
    name: str, asked: Iterable[tuple[str, str]], installed: Mapping[str, Distribution]
) -> Iterator[Requirement]:
    """Yield what a package requires, with those of its extras that are asked for."""
    extras = [extra for one, extra in asked if one == name]
    for text in (installed[name].requires if name in installed else None) or ():
        wanted = Requirement(text)
        if any(wanted.marker is None or wanted.marker.evaluate({"extra": one}) for one in extras):
            yield wanted


def _refs(wanted: Iterable[Requirement], names: Mapping[str, list[str]]) -> list[str]:
    found = {canonicalize_name(one.name) for one in wanted}
    return sorted(each for one in found for each in names.get(one, ()))


def _component(
    one: dependencies.Locked,
    scope: str,
    package: Distribution | None,
    listed: Mapping[tuple[str, str], str],
) -> dict[str, Any]:
    component: dict[str, Any] = {
        "type": "library",
        "bom-ref": _purl(one),
        "name": one.name,
        "version": one.version,
        "purl": _purl(one),
        "scope": scope,
        # A lock admits several files of a version: those of each platform, and the sources.
        "externalReferences": [
            {
                "type": "distribution",
                "url": _purl(one),
                "hashes": [
                    {"alg": "SHA-256", "content": each.removeprefix("sha256:")}
                    for each in sorted(one.hashes)
                ],
            }
        ],
    }
    if one.marker:
        component["properties"] = [{"name": "croupier:marker", "value": one.marker}]
    if package is not None and package.version == one.version:
        component["licenses"] = _licenses(package)
    if not component.get("licenses"):
        # Another platform or version of Python installs it, or its metadata names none.
        component["licenses"] = [{"license": {"name": listed[one.name, one.version]}}]
    return component


def licenses_listed(root: Path = ROOT) -> dict[tuple[str, str], str]:
    """Return the license in ``docs/licenses.md`` of each package and version."""
    text = (root / "docs" / "licenses.md").read_text(encoding="utf-8")
    return {(name, version): license_ for name, version, license_, *_ in _rows(text)}


def _scopes_listed(root: Path) -> Iterator[tuple[str, str]]:
    text = (root / "docs" / "licenses.md").read_text(encoding="utf-8")
    for scope, title in SECTIONS.items():
        section = text.partition(f"## {title}\n")[2].partition("\n## ")[0]
        yield from ((row[0], scope) for row in _rows(section))


def _rows(text: str) -> Iterator[list[str]]:
    for line in text.splitlines():
        if line.startswith("| "):
            yield line.removeprefix("| ").split(" | ")


def _licenses(package: Distribution) -> list[dict[str, Any]]:
    stated: Any = package.metadata
    if expression := stated.get("License-Expression"):
        return [{"expression": expression}]
    names = sorted(dependencies.license_of(package) - {""})
    known = dependencies.ALLOWED - _NO_SPDX_ID
    return [{"license": {"id" if name in known else "name": name}} for name in names]


# --- the command -------------------------------------------------------------------------------


def main() -> int:
    """Build the release in ``build/release``. Return 1 if something forbids it."""
    wrong = list(faults())
    git = ["git", "-C", str(ROOT), "status", "--porcelain"]
    if changed := subprocess.run(git, check=True, capture_output=True, text=True).stdout:  # noqa: S603
        wrong.append(f"{len(changed.splitlines())} files are not committed; git status lists them")
    with TemporaryDirectory() as folder:
        places = [Path(folder) / name for name in ("first", "second")]
        built = [build(export(one / "source"), one) for one in places] if not wrong else []
        for first, second in zip(*built, strict=True) if built else ():
            if sha256(first) != sha256(second):
                wrong.append(f"{first.name}: two builds differ")
        if not wrong:
            shutil.rmtree(TARGET, ignore_errors=True)
            TARGET.mkdir(parents=True)
            files = [Path(shutil.copy(one, TARGET)) for one in built[0]]
    for one in wrong:
        print(f"FAIL: {one}")  # noqa: T201
    if wrong:
        return 1
    bill = TARGET / f"croupier-{released()[0]}.cdx.json"
    bill.write_text(json.dumps(bill_of_materials(), indent=2) + "\n", encoding="utf-8")
    sums = "".join(f"{sha256(one)}  {one.name}\n" for one in sorted([*files, bill]))
    (TARGET / "SHA256SUMS").write_text(sums, encoding="utf-8")
    print(sums, end="")  # noqa: T201
    if urls := reserved(project()):
        print(f"Not for upload: {len(urls)} project URLs are reserved addresses (.example)")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main())
