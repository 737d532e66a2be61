"""Commands of the program, run for a page in a folder that has the sample submissions."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import chdir, contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from click.testing import CliRunner
from sphinx.errors import ExtensionError

from croupier.cli import main

ROOT: Final = Path(__file__).parents[2]


class RefusedError(ExtensionError):
    """A command that did not do what was asked, with its words."""


@contextmanager
def samples() -> Iterator[Path]:
    """Enter a folder with the submissions, so that no page names a folder of this machine."""
    with TemporaryDirectory() as name, chdir(name):
        Path("submissions").symlink_to(ROOT / "submissions")
        yield Path(name)


def run(*words: str) -> str:
    """Run a command, and return what it prints."""
    done = CliRunner().invoke(main, words, prog_name="croupier")
    if done.exit_code:
        raise RefusedError(done.stderr or f"croupier {' '.join(words)}: {done.exception}")
    return done.stdout


def printed(*words: str) -> Any:
    """Return what a command prints as JSON."""
    return json.loads(run(*words, "--format", "json"))
