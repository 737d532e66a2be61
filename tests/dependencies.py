"""Audit of what the program is built on: ``make check`` runs it, and it needs no network.

It fails for a locked package without a hash, one that nothing declared for its lock requires, one
that is required there and missing, one whose license is not among those allowed, a declared
dependency that is not installed as locked, or used nowhere, and for known vulnerabilities. Those come from ``requirements/audited.json``, the
dated answer of a vulnerability service to the locks of that day: ``make audit`` asks one (OSV), for
all packages in a single request, and writes it. Locks that have changed since are said to be
unaudited, which fails nothing: no network is no vulnerability.
"""

from __future__ import annotations

import argparse
import ast
import hashlib
import json
import re
import subprocess
import sys
import tomllib
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from importlib.metadata import Distribution, distributions
from pathlib import Path
from typing import Any, Final, NamedTuple

from packaging.markers import Marker
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT: Final = Path(__file__).resolve().parent.parent
SERVICE: Final = "https://api.osv.dev/v1/querybatch"
AUDITED: Final = "audited.json"
_MOST_BYTES: Final = 10_000_000

ALLOWED: Final = frozenset(
    {
        "0BSD", "Apache-2.0", "BSD", "BSD-2-Clause", "BSD-3-Clause", "CC0-1.0", "CNRI-Python",
        "HPND", "ISC", "LGPL-2.1-or-later", "LGPL-3.0", "MIT", "MIT-0", "MIT-CMU", "MPL-2.0", "PSF-2.0", "Unlicense",
        "Zlib", "ZPL-2.1",
    }
)  # fmt: skip
"""Licenses that a package may have: none asks anything of who only uses the program."""
_WITHIN: Final = frozenset({"LLVM-exception", "GPL-3.0-with-GCC-exception", "BSL-1.0"})
"""What comes inside of packages beside their own license."""
_CALLED: Final[Mapping[str, str]] = {
    "apache": "Apache-2.0",
    "apache 2.0": "Apache-2.0",
    "apache license 2.0": "Apache-2.0",
    "apache license, version 2.0": "Apache-2.0",
    "apache software license": "Apache-2.0",
    "bsd license": "BSD",
    "gnu lesser general public license v3 (lgplv3)": "LGPL-3.0",
    "historical permission notice and disclaimer (hpnd)": "HPND",
    "isc license (iscl)": "ISC",
    "mit license": "MIT",
    "mozilla public license 2.0 (mpl 2.0)": "MPL-2.0",
    "python software foundation license": "PSF-2.0",
    "lgpl-3.0-only": "LGPL-3.0",
    "lgpl-3.0-or-later": "LGPL-3.0",
    "the unlicense (unlicense)": "Unlicense",
    "zope public license": "ZPL-2.1",
}
"""What classifiers and older metadata call licenses."""

EXCEPTED: Final[Mapping[str, str]] = {
    "axe-playwright-python": "its metadata names none: it is under MIT, and axe-core under MPL-2.0",
    "docutils": "what is under the GPL in it is a mode for an editor, which nothing here uses",
}
"""Packages with a license that is not allowed, and why they are."""

NOT_IMPORTED: Final[Mapping[str, str]] = {
    "axe-playwright-python": "the script in it is read by a browser",
    "editables": "the build of an editable install asks for it",
    "furo": "the theme of the site, by name",
    "hatchling": "the build backend",
    "typst": "imported by name, and late",
    "ipykernel": "the kernel of the notebooks",
    "mypy": "a command",
    "myst-parser": "an extension of the site, by name",
    "psycopg": "imported by name, and late",
    "pytest-xdist": "a plugin of pytest",
    "python-multipart": "Starlette reads forms with it",
    "ruff": "a command",
    "schemathesis": "a command of tests, by name",
    "sphinx": "a command",
    "sphinx-autoapi": "an extension of the site, by name",
    "distributed": "imported by name, and late",
    "python-calamine": "imported by name, and late",
}
"""Declared dependencies that no import statement names, and why they are declared."""


class Lock(NamedTuple):
    """What a lock is for: extras and groups of the project, with all that they require.

    The dependencies of the project itself come with the extra of no name.
    """

    extras: tuple[str, ...] = ()
    groups: tuple[str, ...] = ()


LOCKS: Final[Mapping[str, Lock]] = {
    "dev.txt": Lock(("", "all"), ("dev",)),
    "run.txt": Lock(("",), ("build",)),
    "serve.txt": Lock(("", "server"), ("build",)),
}


class Locked(NamedTuple):
    """A package of a lock."""

    name: str
    version: str
    marker: str
    hashes: frozenset[str]


def read_lock(text: str) -> Iterator[Locked]:
    """Yield the packages of a lock. Raises ``ValueError`` for a line that is none."""
    lines = text.replace("\\\n", " ").splitlines()
    for line in (one.partition(" #")[0].strip() for one in lines):
        if not line or line.startswith("#"):
            continue
        stated, *hashes = re.split(r"\s+--hash=", line)
        requirement = Requirement(stated)
        version = re.fullmatch(r"==([^,*]+)", str(requirement.specifier))
        if version is None or requirement.url:
            raise ValueError(f"{line[:60]}: a lock has exact versions alone")
        found = frozenset(one.strip() for one in hashes)
        if wrong := [one for one in found if not re.fullmatch(r"sha256:[0-9a-f]{64}", one)]:
            raise ValueError(f"{line[:60]}: {wrong[0]} is not a hash that pip can hold a file to")
        marker = "" if requirement.marker is None else str(requirement.marker)
        yield Locked(canonicalize_name(requirement.name), version[1], marker, found)


def declared(project: Mapping[str, Any]) -> dict[str, Requirement]:
    """Return every dependency that the project declares, of any extra or group, by name."""
    every = Lock(
        ("", *project["project"]["optional-dependencies"]), (*project["dependency-groups"],)
    )
    return {canonicalize_name(one.name): one for one in roots(project, every)}


def roots(project: Mapping[str, Any], lock: Lock) -> list[Requirement]:
    """Return what the project declares for a lock; an extra or a group may include others."""
    stated, groups = project["project"], project["dependency-groups"]
    extras = {"": stated["dependencies"], **stated["optional-dependencies"]}
    waiting = [*(extras.get(one, ()) for one in lock.extras), *map(groups.get, lock.groups)]
    own, found = canonicalize_name(stated["name"]), list[Requirement]()
    while waiting:
        for text in waiting.pop() or ():
            one = Requirement(text) if isinstance(text, str) else None
            if one is None:
                waiting.append(groups[text["include-group"]])
            elif canonicalize_name(one.name) == own:
                waiting += [extras[extra] for extra in one.extras]
            else:
                found.append(one)
    return found


def _applies(marker: str | Marker | None, extra: str = "") -> bool:
    if not marker:
        return True
    return (Marker(marker) if isinstance(marker, str) else marker).evaluate({"extra": extra})


def required(
    roots: Iterable[Requirement], installed: Mapping[str, Distribution]
) -> set[tuple[str, str]]:
    """Return what is required, by name and by extra, as the installed packages declare it."""
    found: set[tuple[str, str]] = set()
    waiting = [(canonicalize_name(one.name), extra) for one in roots for extra in ("", *one.extras)]
    while waiting:
        place = waiting.pop()
        if place in found:
            continue
        found.add(place)
        name, extra = place
        if name not in installed:
            continue
        for text in installed[name].requires or ():
            one = Requirement(text)
            if _applies(one.marker, extra):
                more = ("", *one.extras)
                waiting += [(canonicalize_name(one.name), each) for each in more]
    return found


def license_of(package: Distribution) -> set[str]:
    """Return the licenses of a package, each by its short name as far as that is known."""
    data: Any = package.metadata
    stated = data.get("License-Expression")
    if stated is None:
        classified = [
            one.rpartition(" :: ")[2]
            for one in data.get_all("Classifier") or ()
            if one.startswith("License :: OSI Approved ::")
        ]
        # Some packages have the whole text where the name of a license belongs.
        stated = " AND ".join(f"({one})" for one in classified) or data.get("License", "")
    words = [_bare(one) for one in re.split(r"\s+(?:AND|OR|WITH)\s+", stated)]
    return {_CALLED.get(one.lower(), one) for one in words}


def _bare(text: str) -> str:
    """Return a name without the parentheses around it, or those of a group that it is part of."""
    text = text.strip()
    while text.startswith("("):
        text = text[1:].removesuffix(")").strip()
    return text.removesuffix(")") if text.count(")") > text.count("(") else text


def imported(folders: Iterable[Path]) -> set[str]:
    """Return every top module that a file imports."""
    found = set()
    for folder in folders:
        for path in folder.rglob("*.py"):
            for node in _statements(ast.parse(path.read_text(encoding="utf-8")).body):
                if isinstance(node, ast.Import):
                    found |= {one.name.partition(".")[0] for one in node.names}
                elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                    found.add(node.module.partition(".")[0])
    return found


def _statements(body: Iterable[ast.AST]) -> Iterator[ast.AST]:
    """Yield statements and those below them, which is where every import stands."""
    for node in body:
        yield node
        for below in ("body", "orelse", "finalbody", "handlers", "cases"):
            yield from _statements(getattr(node, below, ()))


def faults(root: Path = ROOT) -> Iterator[str]:
    """Yield what is wrong with the dependencies, a sentence each."""
    locks = {
        name: list(read_lock((root / "requirements" / name).read_text(encoding="utf-8")))
        for name in LOCKS
    }
    every = locks["dev.txt"]
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))
    direct = declared(project)
    installed: dict[str, Distribution] = {
        canonicalize_name(one.metadata["Name"]): one for one in distributions()
    }
    yield from _of_locks(locks, direct)
    here = [one for one in every if _applies(one.marker)]
    for one in here:
        yield from _as_installed(one, installed.get(one.name))
    for name, lock in LOCKS.items():
        needed = {one for one, _ in required(roots(project, lock), installed)}
        yield from _of_need(name, locks, needed, set(direct))
    yield from _unused(direct, installed, root)


def _of_locks(
    locks: Mapping[str, Iterable[Locked]], direct: Mapping[str, Requirement]
) -> Iterator[str]:
    """Yield what is wrong with the locks by themselves: several versions have a marker each."""
    every = {(one.name, one.version): one for one in locks["dev.txt"]}
    for name, packages in locks.items():
        for one in packages:
            if not one.hashes:
                yield f"{name}: {one.name} has no hash"
            if (one.name, one.version) not in every:
                yield f"{name}: {one.name} {one.version} is not in dev.txt"
            elif one.hashes != every[one.name, one.version].hashes:
                yield f"{name}: {one.name} has other hashes than in dev.txt"
    for name, wanted in direct.items():
        for version in (version for other, version in every if other == name):
            if not wanted.specifier.contains(version, prereleases=True):
                yield f"{name} {version} is locked, and {wanted} declared"


def _of_need(
    name: str, locks: Mapping[str, Iterable[Locked]], needed: set[str], direct: set[str]
) -> Iterator[str]:
    """Yield what a lock has and nothing requires, and what it should have and lacks."""
    has = {one.name for one in locks[name] if _applies(one.marker)}
    for one in sorted(has - needed):
        yield f"{name}: {one} is locked, and nothing requires it"
    for one in sorted(needed - has):
        what = "declared" if one in direct else "required"
        yield f"{name}: {one} is {what} and not locked"


def _as_installed(one: Locked, found: Distribution | None) -> Iterator[str]:
    if found is None or found.version != one.version:
        has = "not installed" if found is None else f"installed as {found.version}"
        yield f"{one.name} {one.version} is locked, and {has}"
    elif one.name not in EXCEPTED and (bad := license_of(found) - ALLOWED - _WITHIN):
        yield f"{one.name}: its license is not among those allowed: {', '.join(sorted(bad))}"


def _unused(
    direct: Iterable[str], installed: Mapping[str, Distribution], root: Path
) -> Iterator[str]:
    names = imported(root / one for one in ("src", "tests", "docs", "bench"))
    for name in direct:
        package = installed.get(name)
        if package is None or name in NOT_IMPORTED:
            continue
        modules = {path.parts[0].removesuffix(".py") for path in package.files or ()}
        if not names & modules:
            yield f"{name} is declared, and no file imports it"


# --- vulnerabilities ---------------------------------------------------------------------------


def hashes_of(root: Path = ROOT) -> dict[str, str]:
    """Return the SHA-256 of each lock."""
    return {
        name: hashlib.sha256((root / "requirements" / name).read_bytes()).hexdigest()
        for name in LOCKS
    }


def ask(service: str, packages: Iterable[Locked]) -> dict[str, list[str]]:
    """Return the known vulnerabilities of packages, by name; one request asks for all of them.

    Raises ``OSError`` if the service cannot be reached, ``ValueError`` for another answer.
    """
    asked = list(packages)
    queries = [
        {"package": {"name": one.name, "ecosystem": "PyPI"}, "version": one.version}
        for one in asked
    ]
    request = urllib.request.Request(  # noqa: S310  (the address is ours, or the caller's)
        service,
        json.dumps({"queries": queries}).encode(),
        {"Content-Type": "application/json"},
    )
    with urllib.request.urlopen(request, timeout=60) as answer:  # noqa: S310
        results = json.loads(answer.read(_MOST_BYTES))["results"]
    if len(results) != len(asked):
        raise ValueError(f"{service}: it answered for {len(results)} of {len(asked)} packages")
    if any(one.get("next_page_token") for one in results):
        raise ValueError(f"{service}: it did not answer in full")
    return {
        one.name: sorted(each["id"] for each in found["vulns"])
        for one, found in zip(asked, results, strict=True)
        if found.get("vulns")
    }


def audit(service: str, root: Path = ROOT) -> dict[str, Any]:
    """Ask a service about every locked package, and write what it says, with the day."""
    lock = (root / "requirements" / "dev.txt").read_text(encoding="utf-8")
    packages = list(read_lock(lock))
    record = {
        "at": datetime.now(tz=UTC).isoformat(timespec="seconds"),
        "service": service,
        "packages": len(packages),
        "locks": hashes_of(root),
        "found": ask(service, packages),
        "accepted": recorded(root).get("accepted", {}),
    }
    text = json.dumps(record, indent=2, sort_keys=True) + "\n"
    (root / "requirements" / AUDITED).write_text(text, encoding="utf-8")
    return record


def recorded(root: Path = ROOT) -> dict[str, Any]:
    """Return the last answer of a service; nothing if none was ever asked."""
    path = root / "requirements" / AUDITED
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {}
    return found


def known(root: Path = ROOT) -> tuple[list[str], str]:
    """Return the vulnerabilities that nobody has accepted, and how far the record can be relied on.

    ``accepted`` in the record names a vulnerability with the reason why it does not matter here.
    """
    last = recorded(root)
    if not last:
        return [], "Vulnerabilities: no service was ever asked about these locks: make audit"
    open_ = [
        f"{name}: {one}"
        for name, several in last["found"].items()
        for one in several
        if not last["accepted"].get(one, "").strip()
    ]
    asked = f"{last['service']} was asked about {last['packages']} packages on {last['at']}"
    changed = sorted(
        name for name, one in hashes_of(root).items() if last["locks"].get(name) != one
    )
    if changed:
        return open_, f"Vulnerabilities: {asked}; changed since: {', '.join(changed)}: make audit"
    return open_, f"Vulnerabilities: {asked}, and the locks are those of that day"


def main() -> int:
    """Audit; with ``--ask``, ask a vulnerability service first."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--ask", nargs="?", const=SERVICE, metavar="ADDRESS")
    asked = parser.parse_args()
    if asked.ask is not None:
        try:
            audit(asked.ask)
        except (OSError, ValueError, KeyError) as error:
            print(f"FAIL: {asked.ask} gave no answer, and nothing was recorded: {error}")  # noqa: T201
            return 2
    wrong = list(faults())
    check = subprocess.run(
        [sys.executable, "-m", "pip", "check", "--disable-pip-version-check"],
        capture_output=True,
        text=True,
        check=False,
    )
    if check.returncode:
        wrong += [f"pip check: {one}" for one in check.stdout.splitlines()]
    open_, said = known()
    wrong += [f"vulnerable: {one}" for one in open_]
    for one in wrong:
        print(f"FAIL: {one}")  # noqa: T201
    print(said)  # noqa: T201
    if not wrong:
        print("Dependencies: hashes, versions, licenses, and use are as they should be")  # noqa: T201
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
