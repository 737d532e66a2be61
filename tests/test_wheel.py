"""The wheel is whole: installed bare, in an empty directory, it does what the README and the tour show."""

import json
import os
import re
import shlex
from pathlib import Path, PurePosixPath
from typing import Final
from zipfile import ZipFile

import pytest

from croupier.files.version import program_version
from croupier.law.built import built_form
from support.project import ROOT
from support.wheel import Installed, install

MOST_PACKAGES: Final = 8
EXTRAS: Final = {"simulate": "kernels"}
"""Which of the tour's commands need an extra, and which."""


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(tmp_path_factory.mktemp("wheel"))


def test_a_bare_install_is_of_few_packages(installed: Installed) -> None:
    assert {"click", "rich", "msgspec"} <= set(installed.packages)
    assert len(installed.packages) + 1 <= MOST_PACKAGES


def test_no_module_of_an_extra_is_there(installed: Installed) -> None:
    for module in ("numpy", "numba", "typst", "pytest"):
        assert installed.run("python", "-c", f"import {module}").returncode == 1


def shown_commands() -> list[tuple[list[str], int]]:
    """Return every command in the console blocks of README and tour, with the status shown."""
    commands: list[tuple[list[str], int]] = []
    text = "".join(
        (ROOT / name).read_text(encoding="utf-8") for name in ("README.md", "docs/tour.md")
    )
    for block in re.findall(r"^```console\n(.*?)^```", text, flags=re.MULTILINE | re.DOTALL):
        lines = block.splitlines()
        for line, following in zip(lines, [*lines[1:], ""], strict=True):
            if line == "$ echo $?":
                commands[-1] = (commands[-1][0], int(following))
            elif line.startswith("$ "):
                commands.append((shlex.split(line.removeprefix("$ "), comments=True), 0))
    return commands


def test_every_command_of_the_readme_and_the_tour_runs(installed: Installed) -> None:
    assert installed.run("croupier", "samples").returncode == 0
    ran = []
    for words, status in shown_commands():
        done = installed.run(*words)
        ran.append(words[1])
        if words[1] in EXTRAS:
            assert done.returncode == 2, words
            assert f"pip install 'croupier[{EXTRAS[words[1]]}]'" in done.stderr
            assert len(done.stderr.splitlines()) == 1
        else:
            assert done.returncode == status, (words, done.stderr)
    assert {"check", "par", "odds", "audit", "deal", "verify", "explain", "law", *EXTRAS} <= set(
        ran
    )


@pytest.mark.parametrize(
    "words",
    [
        ("python", "-m", "croupier", "law", "coverage"),
        ("croupier", "law", "show", "us-nj/minibaccarat@2011-02-22", "--format", "json"),
        ("croupier", "help"),
        ("croupier", "help", "table-log"),
        ("croupier", "schema", "par"),
    ],
    ids=" ".join,
)
def test_a_command_works_without_the_sources(installed: Installed, words: tuple[str, ...]) -> None:
    done = installed.run(*words)
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout


def test_the_doctor_examines_a_bare_install(installed: Installed) -> None:
    done = installed.run("croupier", "doctor", "--format", "json")
    assert (done.returncode, done.stderr) == (0, "")
    found = {one["name"]: one for one in json.loads(done.stdout)["found"]}
    assert found["required packages"]["standing"] == "good"
    assert "pip install 'croupier[kernels]'" in found["kernels"]["advice"]


def test_the_wheel_is_searched(installed: Installed) -> None:
    done = installed.run("croupier", "help", "burn", "card")
    assert (done.returncode, done.stderr) == (0, "")
    assert "croupier help glossary" in done.stdout


def test_the_wheel_has_a_built_form_of_each_of_its_law_files(installed: Installed) -> None:
    with ZipFile(installed.wheel) as wheel:
        laws = [
            Path(name) for name in wheel.namelist() if re.match(r"croupier/law/.*\.toml$", name)
        ]
        assert len(laws) > 1
        for law in laws:
            built = law.parent / "__built__" / f"{law.stem}.json"
            assert wheel.read(built.as_posix()) == built_form(wheel.read(law.as_posix()))


def test_the_wheel_names_the_build_of_its_sources(installed: Installed) -> None:
    assert installed.run("croupier", "--version").stdout.split()[-1] == program_version()


def test_every_link_of_its_documents_leads_to_a_file_of_the_wheel(installed: Installed) -> None:
    documents = []
    with ZipFile(installed.wheel) as wheel:
        names = set(wheel.namelist())
        for name in names:
            if name.endswith(".md") and "/shipped/" in name:
                documents.append(PurePosixPath(name).name)
                text = re.sub(r"`[^`\n]*`", "", wheel.read(name).decode())
                for link in re.findall(r"\]\(([^)\s#]+)", text):
                    target = os.path.normpath(f"{PurePosixPath(name).parent}/{link}")
                    assert "://" in link or target in names, (name, link)
    assert {"par.md", "command-line.md", "mathematician.md"} <= set(documents)
    assert "traceability.md" not in documents


def test_the_readme_of_an_index_page_links_to_no_file(installed: Installed) -> None:
    text = installed.own.metadata.get_payload()  # type: ignore[attr-defined]
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.startswith(readme.partition("[")[0])
    assert [link for link in re.findall(r"\]\(([^)]+)\)", text) if "://" not in link] == []
    documents = {PurePosixPath(one).stem for one in re.findall(r"\]\((docs/[^)#]+\.md)", readme)}
    named = set(re.findall(r"`croupier help ([\w.-]+)`", text))
    assert documents
    assert documents == named - set(re.findall(r"`croupier help ([\w.-]+)`", readme))
    for topic in named:
        assert installed.run("croupier", "help", topic).returncode == 0, topic


def test_the_extra_all_is_every_extra(installed: Installed) -> None:
    with ZipFile(installed.wheel) as wheel:
        (name,) = (one for one in wheel.namelist() if one.endswith("METADATA"))
        lines = wheel.read(name).decode().splitlines()
    packages: dict[str, set[str]] = {}
    for line in lines:
        if match := re.fullmatch(r"Requires-Dist: (.*); extra == '(\w+)'", line):
            packages.setdefault(match[2], set()).add(match[1])
    everything = packages.pop("all")
    assert set(EXTRAS.values()) < set(packages)
    assert everything == set().union(*packages.values())


def test_every_document_that_a_help_text_names_is_a_topic(installed: Installed) -> None:
    named = set()
    for path in (ROOT / "src").rglob("*.py"):
        text = " ".join(path.read_text(encoding="utf-8").split())
        named |= set(re.findall(r"croupier help ((?!lists\b)[a-z][a-z-]*[a-z])", text))
    assert {"table-log", "blackjack"} <= named
    for name in named:
        assert installed.run("croupier", "help", name).returncode == 0
