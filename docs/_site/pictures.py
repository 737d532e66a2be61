"""The pictures of the site, made anew by commands: ``make pictures``, and look at them.

It needs the extras ``reports`` and ``server``, playwright with Debian's chromium for the pages of
a live table, and poppler's ``pdftoppm`` for those of a PDF.
"""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.console import Console
from rich.text import Text

__all__ = ["main"]

_ROOT = Path(__file__).parents[2]
_PICTURES = _ROOT / "docs" / "pictures"
_SUBMISSION = "submissions/nj-minibaccarat.toml"
_LOG = "table.jsonl"
_FONT = "ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace"


def main() -> None:
    """Make every picture."""
    with TemporaryDirectory() as name:
        folder = Path(name)
        # A report names the command that made it, and no folder of this machine.
        (folder / "submissions").symlink_to(_ROOT / "submissions")
        _run(folder, "layout", _SUBMISSION, "-o", "layout.svg")
        shutil.copy(folder / "layout.svg", _PICTURES)
        _page(folder, "par", "par", "--submission", _SUBMISSION)
        _run(folder, "deal", _SUBMISSION, "--seed", "7", "--quiet", "--log", _LOG)
        _page(folder, "audit", "audit", _LOG)
        _roads(folder)
        _terminal(folder)
    # The pages of a live table take a service and a browser, which nothing above needs.
    pages = Path(__file__).with_name("page_pictures.py")
    subprocess.run([sys.executable, str(pages)], check=True)  # noqa: S603  (our own program)


def _run(folder: Path, *words: str) -> str:
    """Run a command in a folder, as on a terminal of 80 columns, and return what it prints."""
    done = subprocess.run(  # noqa: S603  (our own program)
        [sys.executable, "-m", "croupier", *words],
        cwd=folder,
        env={**os.environ, "COLUMNS": "80"},
        capture_output=True,
        text=True,
        check=True,
    )
    return done.stdout


def _page(folder: Path, name: str, *words: str) -> None:
    """Make a picture of the first page of a report."""
    pdf = folder / f"{name}.pdf"
    _run(folder, *words, "-o", pdf.name)
    command = ["pdftoppm", "-r", "90", "-png", "-singlefile", str(pdf), str(_PICTURES / name)]
    subprocess.run(command, check=True)  # noqa: S603  (poppler's)


def _roads(folder: Path) -> None:
    """Take the roads of the shoe out of the report of an audit."""
    _run(folder, "audit", _LOG, "-o", "audit.html")
    text = (folder / "audit.html").read_text(encoding="utf-8")
    drawn = re.findall(r"<svg.*?</svg>", text, flags=re.DOTALL)
    roads = max(drawn, key=len)
    if "xmlns=" not in roads.partition(">")[0]:
        roads = roads.replace("<svg", '<svg xmlns="http://www.w3.org/2000/svg"', 1)
    (_PICTURES / "roads.svg").write_text(f"{roads}\n", encoding="utf-8")


def _terminal(folder: Path) -> None:
    """Draw a terminal in which a round is explained."""
    lines = _run(folder, "explain", _LOG, "--round", "12").splitlines()
    start = next(at for at, line in enumerate(lines) if "No More Bets" in line)
    shown = ["$ croupier explain table.jsonl --round 12", "...", *lines[start : start + 14], "..."]
    console = Console(record=True, width=80, file=StringIO())
    console.print(Text("\n".join(shown)))
    drawn = console.export_svg(title="croupier explain")
    # The fonts that it names are on another site, and so is whoever it thanks.
    drawn = re.sub(r"@font-face \{.*?\}|<!--.*?-->", "", drawn, flags=re.DOTALL)
    drawn = drawn.replace("Fira Code, monospace", _FONT).replace("Fira Code", "monospace")
    text = "\n".join(line.rstrip() for line in drawn.splitlines() if line.strip())
    (_PICTURES / "terminal.svg").write_text(f"{text}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
