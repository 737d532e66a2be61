"""The notebooks run in an empty folder, twice in a row, and give what they were saved with."""

import re
from pathlib import Path

import nbformat
import pytest

from croupier.files.shipped import samples
from support.blocks import name_of
from support.notebooks import NOTEBOOKS, outputs, run
from support.project import ROOT

pytestmark = [
    # The kernel's own machinery, and not of this project.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_gives_what_it_was_saved_with(path: Path, tmp_path: Path) -> None:
    saved = list(outputs(nbformat.read(path, as_version=4)))  # type: ignore[no-untyped-call]
    assert len(saved) > 3
    for _ in range(2):
        given = list(outputs(run(path, tmp_path)))
        assert given == saved, "python -m support.notebooks, run in tests, saves what they give"


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_is_a_sample_and_names_its_extras(path: Path) -> None:
    assert path.relative_to(ROOT).as_posix() in samples()
    text = "".join(cell.source for cell in nbformat.read(path, as_version=4).cells)  # type: ignore[no-untyped-call]
    for module, extra in {
        "matplotlib": "plots",
        '"count"': "kernels",
        "session": "kernels",
    }.items():
        assert module not in text or re.search(rf"croupier\[[\w,]*{extra}", text), extra


def test_the_notebooks_are_those_that_readers_ask_for() -> None:
    names = {path.stem for path in NOTEBOOKS}
    assert {"par-sheet", "month", "side-bet", "dispute"} <= names
