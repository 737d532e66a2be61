"""A release can be built again by anyone, bit by bit, and says what it is made of."""

import json
import os
import re
import shutil
import subprocess
import sys
import tarfile
import tomllib
import zipfile
from importlib.metadata import Distribution, distribution
from pathlib import Path
from typing import Any, Final

import pytest
from packaging.requirements import Requirement

import dependencies
import release
from support import licenses_document
from support.kept import assert_as_made
from support.project import ROOT, written
from support.wheel import link_packages, needed

CLOCK: Final = "import time\nreal = time.time\ntime.time = lambda: real() + 400 * 86_400\n"
"""A ``sitecustomize`` that puts the clock of a process 400 days ahead."""

# What may differ between two machines that build the same release.
HERE: Final = {"LC_ALL": "C", "TZ": "UTC", "PYTHONHASHSEED": "1"}
ELSEWHERE: Final = {"LC_ALL": "C.UTF-8", "TZ": "Asia/Kathmandu", "PYTHONHASHSEED": "2"}


def build(folder: Path, env: dict[str, str], umask: int, mtime: int) -> list[Path]:
    """Build the tracked files, as a machine would with its own settings."""
    source = release.export(folder / "source")
    before = os.umask(umask)
    try:
        for path in source.rglob("*"):
            os.utime(path, (mtime, mtime))
            if path.is_file():
                path.chmod((0o777 if os.access(path, os.X_OK) else 0o666) & ~umask)
        return release.build(source, folder, env)
    finally:
        os.umask(before)


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> list[Path]:
    return build(tmp_path_factory.mktemp("one"), HERE, 0o022, 1_000_000_000)


def test_two_builds_have_the_same_bytes(built: list[Path], tmp_path: Path) -> None:
    clock = tmp_path / "clock"
    clock.mkdir()
    (clock / "sitecustomize.py").write_text(CLOCK)
    folder = tmp_path / "another folder"
    again = build(folder, ELSEWHERE | {"PYTHONPATH": str(clock)}, 0o077, 1_700_000_000)
    assert [one.name for one in built] == [one.name for one in again]
    assert list(map(release.sha256, built)) == list(map(release.sha256, again))


def test_the_wheel_of_a_checkout_is_that_of_the_sdist(built: list[Path], tmp_path: Path) -> None:
    _, day = release.released()
    source = release.export(tmp_path / "source")
    command = [sys.executable, "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    env = os.environ | {"PYTHONPATH": "", "SOURCE_DATE_EPOCH": str(int(day.timestamp()))}
    subprocess.run(command, cwd=source, env=env, check=True, capture_output=True)  # noqa: S603
    (wheel,) = tmp_path.glob("*.whl")
    assert release.sha256(wheel) == release.sha256(built[1])


def test_a_build_needs_only_the_packages_that_it_declares(
    built: list[Path], tmp_path: Path
) -> None:
    # As pip builds a clone: nothing else is there, so the sources cannot import it.
    stated = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
    packages: dict[str, Distribution] = {}
    for one in map(Requirement, stated["build-system"]["requires"]):
        packages[one.name] = distribution(one.name)
        needed(packages[one.name], packages)
    only = tmp_path / "only"
    only.mkdir()
    link_packages(packages, only)
    _, day = release.released()
    env = os.environ | {"PYTHONPATH": str(only), "SOURCE_DATE_EPOCH": str(int(day.timestamp()))}
    command = [sys.executable, "-S", "-m", "hatchling", "build", "-t", "wheel", "-d", str(tmp_path)]
    source = release.export(tmp_path / "source")
    done = subprocess.run(command, cwd=source, env=env, capture_output=True, text=True, check=False)  # noqa: S603
    assert done.returncode == 0, done.stderr
    (wheel,) = tmp_path.glob("*.whl")
    assert release.sha256(wheel) == release.sha256(built[1])


@pytest.mark.parametrize(
    "name", ["docs/index.md", "docs/command-line.md", "docs/running.md", "docs/tutorials/pit.md"]
)
def test_a_document_installs_the_wheel_of_this_version(built: list[Path], name: str) -> None:
    text = (ROOT / name).read_text(encoding="utf-8")
    installed = {one for one in re.findall(r"croupier-[\w.-]+\.whl", text) if "VERSION" not in one}
    assert installed == {built[1].name}


def test_no_document_installs_croupier_from_an_index() -> None:
    # pip takes an extra of what is installed; by its bare name it would take a stranger's package.
    pages = [
        *ROOT.glob("*.md"),
        *written(".md"),
        *ROOT.glob("docs/examples/operations/*"),
    ]
    for page in pages:
        text = page.read_text(encoding="utf-8")
        found = re.findall(r"pip (?:install|download) (?:-\S+ )*['\"]?croupier\b(?!-|\[)", text)
        assert not found, page


def test_what_git_has_as_a_script_is_executable(built: list[Path]) -> None:
    git = ["git", "-C", str(ROOT), "ls-files", "-s"]
    listed = subprocess.run(git, check=True, capture_output=True, text=True).stdout  # noqa: S603
    scripts = {line.split("\t")[1] for line in listed.splitlines() if line.startswith("100755")}
    with tarfile.open(built[0]) as sdist:
        files = {one.name.partition("/")[2]: one.mode for one in sdist if one.isfile()}
    assert "docs/examples/operations/backup.sh" in scripts
    assert {name for name, mode in files.items() if mode & 0o100} == scripts & {*files}


def test_every_file_of_the_wheel_has_the_day_of_the_release(built: list[Path]) -> None:
    _, day = release.released()
    with zipfile.ZipFile(built[1]) as wheel:
        assert {one.date_time[:3] for one in wheel.infolist()} == {(day.year, day.month, day.day)}


# --- what a release needs ----------------------------------------------------------------------


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """The files that the checks of a release read."""
    version, _ = release.released()
    for name in (
        "CHANGELOG.md", "pyproject.toml", "src/croupier/files/version.py", f"docs/release-{version}.md",
    ):  # fmt: skip
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, tmp_path / name)
    return tmp_path


@pytest.mark.parametrize(
    ("file", "old", "new", "message"),
    [
        ("pyproject.toml", 'version = "0.1.0"', 'version = "0.2.0"', "version is 0.2.0; CHANGELOG.md has 0.1.0"),
        ("CHANGELOG.md", "## [Unreleased]", "## [9.9.0] - 2027-01-01", "__version__ is not 9.9.0"),
        ("CHANGELOG.md", "## [Unreleased]", "## [9.9.0] - 2027-01-01", "docs/release-9.9.0.md: the notes"),
        ("CHANGELOG.md", "## [Unreleased]", "## [Unreleased]\n\n- A change.", "[Unreleased] has entries"),
        ("docs/release-0.1.0.md", "November 27, 2026", "November 26, 2026", "another day than 2026-11-27"),
        ("pyproject.toml", '  "Private :: Do Not Upload",\n', "", "add the classifier"),
        ("pyproject.toml", "croupier.example", "croupier.invalid-but-real.org", "remove the classifier"),
    ],
)  # fmt: skip
def test_a_release_is_refused(tree: Path, file: str, old: str, new: str, message: str) -> None:
    # What is merged after a release waits for the next one.
    assert [one for one in release.faults(tree) if "[Unreleased]" not in one] == []
    text = (tree / file).read_text(encoding="utf-8")
    assert old in text
    (tree / file).write_text(text.replace(old, new), encoding="utf-8")
    assert any(message in one for one in release.faults(tree))


def test_a_changelog_without_a_date_is_no_release(tree: Path) -> None:
    (tree / "CHANGELOG.md").write_text("## [Unreleased]\n\n## [0.1.0]\n", encoding="utf-8")
    with pytest.raises(ValueError, match="no version has a date"):
        release.released(tree)


def test_nothing_can_be_uploaded_while_an_address_is_reserved() -> None:
    # Registries refuse every classifier that begins with "Private ::".
    stated = release.project()
    assert len(release.reserved(stated)) == len(stated["urls"]) == 5
    assert release.PRIVATE in stated["classifiers"]


# --- the software bill of materials ------------------------------------------------------------


@pytest.fixture(scope="module")
def bill() -> dict[str, Any]:
    return release.bill_of_materials()


def test_the_bill_has_each_locked_package_with_each_of_its_hashes(bill: dict[str, Any]) -> None:
    for name in dependencies.LOCKS:
        lock = (ROOT / "requirements" / name).read_text(encoding="utf-8")
        parts = {(one["name"], one["version"]): one for one in bill["components"]}
        for one in dependencies.read_lock(lock):
            part = parts[one.name, one.version]
            (files,) = part["externalReferences"]
            assert {f"sha256:{each['content']}" for each in files["hashes"]} == one.hashes
            assert part["purl"] == f"pkg:pypi/{one.name}@{one.version}"
    assert len(parts) == lock_lines()


def lock_lines() -> int:
    """Return how many packages the largest lock has, counted in its text."""
    text = (ROOT / "requirements" / "dev.txt").read_text(encoding="utf-8")
    return len(re.findall(r"^[\w.-]+==", text, re.MULTILINE))


def test_the_bill_says_what_is_installed_with_the_program(bill: dict[str, Any]) -> None:
    scopes = {one["name"]: one["scope"] for one in bill["components"]}
    required = {name for name, scope in scopes.items() if scope == "required"}
    # What a bare install has: tests/test_wheel.py installs it.
    assert required == {"click", "markdown-it-py", "mdurl", "msgspec", "pygments", "rich"}
    assert (scopes["numba"], scopes["starlette"]) == ("optional", "optional")
    assert (scopes["pytest"], scopes["hatchling"]) == ("excluded", "excluded")


def test_the_bill_names_a_license_of_each_package_and_who_requires_it(bill: dict[str, Any]) -> None:
    parts = {one["bom-ref"]: one for one in bill["components"]}
    assert [one["name"] for one in parts.values() if not one["licenses"]] == []
    named = {one["name"]: one["licenses"] for one in parts.values()}
    # Only Windows installs it.
    assert named["colorama"] == [{"license": {"name": "BSD"}}]
    needs = {one["ref"]: one["dependsOn"] for one in bill["dependencies"]}
    reached, waiting = set[str](), [bill["metadata"]["component"]["bom-ref"]]
    while waiting:
        if (ref := waiting.pop()) not in reached:
            reached.add(ref)
            waiting += needs[ref]
    # An extra of a package may require another one, as psycopg[binary] does. What another Python
    # installs is required by nothing here.
    here = release.installed_packages().keys()
    assert {one["name"] for one in parts.values() if one["scope"] != "excluded"} & here == {
        parts[ref]["name"] for ref in reached & {*parts}
    }


def test_the_bill_is_of_the_form_of_cyclonedx(bill: dict[str, Any]) -> None:
    """The keys and values that the published schema of CycloneDX 1.6 asks for, of what is written."""
    assert (bill["bomFormat"], bill["specVersion"], bill["version"]) == ("CycloneDX", "1.6", 1)
    assert re.fullmatch(r"urn:uuid:[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}", bill["serialNumber"])
    assert bill["metadata"]["timestamp"] == "2026-11-27T00:00:00Z"
    root = bill["metadata"]["component"]
    refs = [root["bom-ref"], *(one["bom-ref"] for one in bill["components"])]
    assert len(refs) == len(set(refs))
    for one in (root, *bill["components"]):
        assert one["type"] in {"application", "library"}
        for licensed in one.get("licenses", ()):
            assert licensed.keys() in ({"expression"}, {"license"})
            assert "expression" in licensed or licensed["license"].keys() in ({"id"}, {"name"})
        if any("expression" in licensed for licensed in one.get("licenses", ())):
            assert len(one["licenses"]) == 1
        for file in one.get("externalReferences", ()):
            assert all(re.fullmatch("[0-9a-f]{64}", each["content"]) for each in file["hashes"])
            assert {each["alg"] for each in file["hashes"]} == {"SHA-256"}
    assert [one["ref"] for one in bill["dependencies"]] == refs
    assert {ref for one in bill["dependencies"] for ref in one["dependsOn"]} < set(refs)


def test_the_bill_is_the_same_each_time(bill: dict[str, Any]) -> None:
    assert json.dumps(release.bill_of_materials()) == json.dumps(bill)
    # Addresses of registries go stale; a package URL is a name.
    assert "://" not in json.dumps(bill)


# --- the list of licenses ----------------------------------------------------------------------


def test_the_list_of_licenses_is_that_of_the_packages_installed() -> None:
    # Rows of packages that another platform or Python installs are kept as they were made there.
    written = licenses_document.DOCUMENT.read_text(encoding="utf-8")
    assert_as_made(written, licenses_document.document(), licenses_document.DOCUMENT.name)
    listed = {one for one in licenses_document.kept_rows() if one[0] != "package"}
    assert listed == {(one.name, one.version) for one in release.locked()}


def test_another_python_makes_the_same_list_of_licenses(monkeypatch: pytest.MonkeyPatch) -> None:
    # A package whose marker another Python meets is not installed here, nor is what it requires.
    marked = {one.name for one in release.locked() if one.marker}
    assert {"importlib-metadata", "zipp"} <= marked
    here = release.installed_packages()
    others = {name: package for name, package in here.items() if name not in marked}
    monkeypatch.setattr(release, "installed_packages", lambda: others)
    written = licenses_document.DOCUMENT.read_text(encoding="utf-8")
    assert_as_made(written, licenses_document.document(), licenses_document.DOCUMENT.name)
    scopes = {one["name"]: one["scope"] for one in release.bill_of_materials()["components"]}
    assert (scopes["zipp"], scopes["numpy"], scopes["sphinx"]) == (
        "optional",
        "optional",
        "excluded",
    )


def test_the_list_of_licenses_names_those_that_are_known_by_hand() -> None:
    written = licenses_document.DOCUMENT.read_text(encoding="utf-8")
    for package, license_ in (("msgspec", "BSD"), ("pyarrow", "Apache-2.0"), ("psycopg", "LGPL")):
        assert re.search(rf"^\| {package} \| [\d.]+ \| [^|]*{license_}", written, re.MULTILINE)
