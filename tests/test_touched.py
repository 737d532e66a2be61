"""The files of tests that ``touched.py --for`` names for a module."""

from __future__ import annotations

import pytest

from support.project import ROOT
from touched import files_for, main

SOURCE = ROOT / "src" / "croupier"


def test_the_tests_that_import_a_module_come_before_those_of_a_helper() -> None:
    first, *_ = files_for(SOURCE / "server" / "rounds.py")
    assert first == ROOT / "tests" / "server" / "test_books.py"


def test_a_module_that_no_test_imports_has_those_of_its_users() -> None:
    # Only other pages import the shell of a page.
    assert ROOT / "tests" / "pages" / "test_pages_people.py" in files_for(
        SOURCE / "server/pages/shell.py"
    )


def test_every_module_is_named_to_some_test() -> None:
    modules = [
        SOURCE / name
        for name in ("baccarat/cards.py", "acts/tray.py", "odds/sheet.py", "__init__.py")
    ]
    assert all(map(files_for, modules))


def test_what_is_no_module_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--for", "nothing.py"]) == 2
    assert "nothing.py: not a file below src" in capsys.readouterr().err
