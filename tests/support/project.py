"""The places of the project: its root, and the sample submissions that tests deal under."""

from __future__ import annotations

from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]

UNDEALT: Final = ("nj-minibaccarat-2001", "nj-blackjack-streak", "nj-blackjack-bonus")
"""Submissions under a fragment of a text, or of another game: no baccarat is dealt under them."""

SUBMISSIONS: Final = tuple(
    path for path in sorted((ROOT / "submissions").glob("*.toml")) if path.stem not in UNDEALT
)
PLAIN: Final = ROOT / "submissions" / "nj-minibaccarat.toml"

_BUILT: Final = tuple(
    ROOT / line
    for line in (ROOT / ".gitignore").read_text(encoding="utf-8").split()
    if line.startswith("docs/")
)
"""Folders of pages that a build of the site makes, and leaves there if it is cut off."""


def written(*suffixes: str) -> tuple[Path, ...]:
    """Return the files in ``docs`` that are written rather than built, with these suffixes."""
    return tuple(
        path
        for path in sorted((ROOT / "docs").rglob("*"))
        if path.suffix in suffixes and not any(path.is_relative_to(folder) for folder in _BUILT)
    )
