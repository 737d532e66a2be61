"""The list of the licenses of all dependencies, ``docs/licenses.md``, from the metadata installed."""

from __future__ import annotations

import tomllib
from typing import Any, Final

import dependencies
import release
from support.project import ROOT

DOCUMENT: Final = ROOT / "docs" / "licenses.md"
ELSEWHERE: Final = "not installed by a version that was tested"
_INTRODUCTION: Final = """\
# Licenses of the dependencies

Croupier is under the Apache License 2.0. It contains no code of the packages below: pip installs them, each under its
own license. The list has every package of `requirements/dev.txt`, with the license that its metadata names. `BSD` is the
word of packages that do not say which BSD license they mean. `make check` refuses a license that is not allowed, and
`make release` writes the same packages, with their hashes, as the software bill of materials of the release,
`croupier-VERSION.cdx.json` (CycloneDX 1.6): there the three tables below are the scopes `required`, `optional`, and `excluded`.
"""


def document() -> str:
    """Return the document."""
    text = _INTRODUCTION
    for scope, title in release.SECTIONS.items():
        text += f"\n## {title}\n\n| package | version | license | extras |\n|---|---|---|---|\n"
        text += "".join(f"{row}\n" for row in rows(scope))
    return text


def rows(scope: str) -> list[str]:
    """Return the rows of the packages of a scope, as ``release.scopes`` has it."""
    found, installed, extras = release.scopes(), release.installed_packages(), _extras()
    lines, kept = [], kept_rows()
    for one in release.locked():
        if found.get(one.name, "excluded") == scope:
            package = installed.get(one.name)
            if package is None or package.version != one.version:
                # Another platform or version of Python installs it: keep the row made there.
                row = f"| {one.name} | {one.version} | {ELSEWHERE} |  |"
                lines.append(kept.get((one.name, one.version), row))
                continue
            metadata: Any = package.metadata
            named = metadata.get("License-Expression")
            named = named or ", ".join(sorted(dependencies.license_of(package) - {""}))
            named = named or dependencies.EXCEPTED[one.name]
            by = ", ".join(extras.get(one.name, ())) if scope == "optional" else ""
            lines.append(f"| {one.name} | {one.version} | {named} | {by} |")
    return lines


def kept_rows() -> dict[tuple[str, str], str]:
    """Return the rows of the document by package and version."""
    rows = [
        row for row in DOCUMENT.read_text(encoding="utf-8").splitlines() if row.startswith("| ")
    ]
    return {(row.split(" | ")[0].removeprefix("| "), row.split(" | ")[1]): row for row in rows}


def _extras() -> dict[str, list[str]]:
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    installed, found = release.installed_packages(), dict[str, list[str]]()
    for extra in sorted(stated["project"]["optional-dependencies"].keys() - {"all"}):
        wanted = dependencies.roots(stated, dependencies.Lock((extra,)))
        for name in sorted({name for name, _ in dependencies.required(wanted, installed)}):
            found.setdefault(name, []).append(extra)
    return found
