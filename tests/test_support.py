"""Support, security, and the forms of issues name what there is, and no person."""

import re
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.cli import main
from support.project import ROOT

PAGES = (
    *(ROOT / name for name in ("SUPPORT.md", "SECURITY.md", "CONTRIBUTING.md")),
    *sorted((ROOT / ".github" / "ISSUE_TEMPLATE").glob("*.md")),
)


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_command_that_is_named_exists(path: Path) -> None:
    for words in re.findall(r"`croupier ([a-z][a-z -]*[a-z])", path.read_text(encoding="utf-8")):
        done = CliRunner().invoke(
            main, ["help", words[5:]] if words[:5] == "help " else [*words.split(), "--help"]
        )
        assert done.exit_code == 0, words


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_no_person_is_a_contact(path: Path) -> None:
    assert (
        re.search(
            r"[\w.]+@[\w-]+\.\w+|@\w+\b", re.sub(r"`[^`]*`", "", path.read_text(encoding="utf-8"))
        )
        is None
    )


@pytest.mark.parametrize("path", PAGES, ids=lambda path: path.name)
def test_every_link_leads_to_a_file(path: Path) -> None:
    for link in re.findall(r"\]\(([^)#]+)", path.read_text(encoding="utf-8")):
        assert (path.parent / link).exists(), link
