"""Each tutorial leads where it says: walked as written, from the wheel, in an empty directory.

Of a ``console`` block the ``pip`` line says which extras are there; every other line is run, and must
print what is shown. A block of another language that names a file is saved under that name, as the
reader is asked to do. ``python`` blocks are run as one session, last of all.
"""

import re
from pathlib import Path
from typing import Final

import pytest

from support.blocks import Block, Call, assert_printed, blocks_of, calls_of, name_of
from support.project import ROOT
from support.volume import spread
from support.wheel import Installed, install

TUTORIALS: Final = sorted((ROOT / "docs" / "tutorials").glob("*.md"))
EXTRA: Final = re.compile(r"^croupier\S*\[(.*)\]")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Installed:
    return install(tmp_path_factory.mktemp("wheel"))


class Walk:
    """A reader of a tutorial: what is installed so far, and the directory to work in."""

    def __init__(self, installed: Installed, folder: Path) -> None:
        self.installed = installed
        self.folder = folder / "empty"
        self.folder.mkdir()
        self.extras = folder / "extras"
        self.extras.mkdir()
        self.session: list[str] = []

    def read(self, block: Block) -> None:
        language, _, name = block.info.partition(" ")
        if language == "console":
            for call in calls_of(block):
                self.run(call, str(block))
        elif language == "python":
            self.session.append(block.text)
        elif name:
            (self.folder / name).write_text(block.text, encoding="utf-8")
        else:
            assert language in {"", "text"}, f"{block}: neither run nor saved"

    def run(self, call: Call, where: str) -> None:
        if call.words[:2] == ["pip", "install"]:
            extra = EXTRA.search(call.words[2])
            self.installed.unpack(extra[1].split(",") if extra else (), self.extras)
            return
        done = self.installed.run(*call.words, cwd=self.folder, extras=self.extras)
        assert done.returncode == call.status, (where, call.words, done.stdout, done.stderr)
        assert_printed(call, done.stdout + done.stderr, where)

    def finish(self) -> None:
        if self.session:
            session = self.folder / "session.txt"
            session.write_text("\n".join(self.session), encoding="utf-8")
            words = ("python", "-m", "doctest", session.name)
            done = self.installed.run(*words, cwd=self.folder, extras=self.extras)
            assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.parametrize("path", spread(TUTORIALS, 4), ids=name_of)
def test_a_tutorial_leads_to_its_result(path: Path, installed: Installed, tmp_path: Path) -> None:
    walk = Walk(installed, tmp_path)
    for block in blocks_of(path):
        walk.read(block)
    walk.finish()


def test_there_is_a_tutorial_for_each_kind_of_user() -> None:
    start = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    linked = set(re.findall(r"\(tutorials/([a-z-]+)\.md\)", start))
    assert linked == {path.stem for path in TUTORIALS}
