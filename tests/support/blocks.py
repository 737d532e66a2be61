"""The fenced blocks of a document, and the commands that a ``console`` block shows.

Of such a block every ``$`` line is a command, and the lines after it must be printed (``...`` stands
for any text). Where ``$ echo $?`` follows, the exit status is what stands below it; otherwise it is
zero.
"""

from __future__ import annotations

import re
import shlex
from collections.abc import Iterator
from pathlib import Path
from typing import Final, NamedTuple

from support.project import ROOT

FENCE: Final = re.compile(r"^```(\S.*)?$")


class Block(NamedTuple):
    """A fenced block: where its first line stands, how it is marked, and what it holds."""

    path: Path
    line: int
    info: str
    text: str

    def __str__(self) -> str:
        return f"{name_of(self.path)}:{self.line}"


def blocks_of(path: Path) -> Iterator[Block]:
    info, start, held = None, 0, list[str]()
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
        fence = FENCE.match(line)
        if fence is None:
            held.append(line)
        elif info is None:
            info, start, held = fence[1] or "", number + 1, []
        else:
            yield Block(path, start, info, "".join(f"{one}\n" for one in held))
            info = None
    assert info is None, f"{path}:{start}: a block that does not end"


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


class Call(NamedTuple):
    """A command line of a console block, what it must print, and with which status it exits."""

    words: list[str]
    printed: list[str]
    status: int


def calls_of(block: Block) -> Iterator[Call]:
    call: Call | None = None
    lines = iter(block.text.splitlines())
    for line in lines:
        if line == "$ echo $?":
            assert call is not None, f"{block}: no command before it"
            call = call._replace(status=int(next(lines)))
        elif line.startswith("$ "):
            if call is not None:
                yield call
            words = shlex.split(line.removeprefix("$ "), comments=True)
            call = Call(words, [], 0)
        elif call is not None and line.strip():
            call.printed.append(line)
    if call is not None:
        yield call


def loosely(text: str) -> str:
    """Return text with its line breaks undone: how wide the terminal is does not matter."""
    return " ".join(text.split())


def assert_printed(call: Call, output: str, where: str) -> None:
    """Compare what a command printed with what its block shows, line by line."""
    printed = loosely(output)
    for line in call.printed:
        wanted = ".*".join(map(re.escape, loosely(line).split("...")))
        assert re.search(wanted, printed), f"{where}: {line!r} is not in: {output}"
