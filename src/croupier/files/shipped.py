"""The location of the documents and samples: in the wheel or in the source checkout."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Final

SAMPLES: Final = (
    "submissions/*.toml",
    "docs/examples/**/*.*",
    "docs/examples/operations/Containerfile",
    "docs/notebooks/*.ipynb",
    "examples/**/*.*",
)
"""Where the samples are, as hatch_build.py puts them into the wheel."""

_PACKAGE: Final = Path(__file__).parents[1]


def _root() -> Path:
    folder = _PACKAGE / "shipped"
    return folder if folder.is_dir() else _PACKAGE.parents[1]


def topic_files() -> Mapping[str, Path]:
    """Documents by file name, in the order of the site's menu."""
    docs = _root() / "docs"
    menu = (docs / "index.md").read_text(encoding="utf-8").splitlines()
    # The traceability list has its own command, and the start page of the site is the menu.
    paths = (path for path in docs.glob("*.md") if path.stem not in {"index", "traceability"})

    def place(path: Path) -> int:
        return menu.index(path.stem) if path.stem in menu else len(menu)

    other_paths = sorted(paths, key=lambda path: (place(path), path))
    return {path.stem: path for path in (*sorted(docs.glob("tutorials/*.md")), *other_paths)}


def topics() -> Mapping[str, str]:
    return {name: path.read_text(encoding="utf-8") for name, path in topic_files().items()}


def examples(words: str) -> list[str]:
    """Sample calls of a command, without those of the commands below it."""
    text = (_root() / "docs" / "examples" / "commands.sh").read_text(encoding="utf-8")
    return [line for line in text.splitlines() if f"{line} ".startswith(f"croupier {words} ")]


def sample_submissions() -> tuple[Path, ...]:
    return tuple(sorted(_root().glob("submissions/*.toml")))


def samples() -> Mapping[str, bytes]:
    """Sample files by the path that the documents use."""
    root = _root()
    paths = (path for pattern in SAMPLES for path in root.glob(pattern))
    return {
        path.relative_to(root).as_posix(): path.read_bytes()
        for path in sorted(paths)
        # An installer compiles the examples.
        if path.is_file() and path.parent.name != "__pycache__"
    }
