"""The notebooks run in an empty folder, and give what they were saved with."""

from pathlib import Path

import nbformat
import pytest

from support.blocks import name_of
from support.notebooks import NOTEBOOKS, outputs, run

pytestmark = [
    # The kernel's own machinery, and not of this project.
    pytest.mark.filterwarnings("ignore::DeprecationWarning"),
    pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning"),
]


@pytest.mark.parametrize("path", NOTEBOOKS, ids=name_of)
def test_a_notebook_gives_what_it_was_saved_with(path: Path, tmp_path: Path) -> None:
    saved = list(outputs(nbformat.read(path, as_version=4)))  # type: ignore[no-untyped-call]
    assert len(saved) > 4
    given = list(outputs(run(path, tmp_path)))
    assert given == saved, "python -m support.notebooks, run in tests, saves what they give"
