"""Output on a terminal: plain if the user asks for it, and through a pager if long.

``--plain`` and ``CROUPIER_PLAIN=1`` are for screen readers: no color, moving bars, columns, or
pager.
"""

from __future__ import annotations

import io
import os
import shlex
import signal
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO, TYPE_CHECKING, Any, Final, TextIO

import click

from croupier.files.streams import print_in_ascii

if TYPE_CHECKING:
    from subprocess import Popen

COMPLETING: Final = "_CROUPIER_COMPLETE"
"""The environment variable that a shell sets when it asks how a word goes on."""

GLOBAL_OPTIONS: Final = ("--ascii", "--plain", "--no-pager")
"""Options of every command, which change how a result is printed and never the result."""

LAWS_OPTION: Final = "--laws"

_PLAIN: Final = "croupier.plain"
_PACKS: Final = "croupier.packs"
_LAWS: Final = "croupier.laws"

_PAGED: Final = frozenset(
    {"audit", "check", "completion", "count", "design", "doctor", "draw", "explain", "help"}
    | {"law", "layout", "ledger", "odds", "par", "schema", "submission", "verify"}
)
"""The commands that print a document and end. The others go on, or ask."""


def is_plain() -> bool:
    context = click.get_current_context(silent=True)
    is_asked = context is not None and context.find_root().meta.get(_PLAIN, False)
    return bool(is_asked or os.environ.get("CROUPIER_PLAIN"))


def _ask_for_plain(context: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: FBT001  (click)
    del param
    if value:
        context.find_root().meta[_PLAIN] = True


def _ask_for_ascii(context: click.Context, param: click.Parameter, value: bool) -> None:  # noqa: FBT001  (click)
    del param
    if value or not has_symbols():
        from croupier.baccarat.cards import without_symbols  # noqa: PLC0415  (few show cards)

        context.with_resource(without_symbols())
    if value:
        print_in_ascii()


def has_symbols() -> bool:
    try:
        "♣♦♥♠".encode(sys.stdout.encoding or "utf-8")
    except UnicodeEncodeError:
        return False
    return True


def _search_laws(context: click.Context, param: click.Parameter, places: tuple[Path, ...]) -> None:
    del param
    if places:
        context.meta[_LAWS] = places
        from croupier.law.resolve import use, using  # noqa: PLC0415  (few commands read law)

        if context.resilient_parsing:
            # A shell asks for completions after the context is closed.
            use(place for place in places if place.is_dir())
        else:
            context.with_resource(using([_folder_of(context, place) for place in places]))


def _folder_of(context: click.Context, place: Path) -> Path:
    """Return a folder of law files; those of a pack are there until the command ends."""
    if place.is_dir():
        return place
    from tempfile import TemporaryDirectory  # noqa: PLC0415  (few name a pack)

    from croupier.files.errors import FileError  # noqa: PLC0415  (the same)
    from croupier.records.law_pack import PackError, Unpacked  # noqa: PLC0415  (the same)
    from croupier.records.signing import MissingSigningError, SignatureError  # noqa: PLC0415

    try:
        pack = Unpacked(place)
    except (PackError, SignatureError, MissingSigningError, FileError) as error:
        raise click.BadParameter(str(error)) from error
    folder = Path(context.with_resource(TemporaryDirectory(prefix="croupier-laws-")))
    pack.write(folder)
    keys_by_law = context.meta.setdefault(_PACKS, {})
    keys_by_law.update((sha256, pack.key_id) for sha256 in pack.laws.values())
    return folder


def advised(words: str) -> str:
    """Return a command line to advise, with the ``--laws`` of this one.

    >>> advised("check table.toml")
    'croupier check table.toml'
    """
    options = [word for folder in laws_asked() for word in (LAWS_OPTION, str(folder))]
    return " ".join(["croupier", shlex.join(options), words] if options else ["croupier", words])


def laws_asked() -> tuple[Path, ...]:
    context = click.get_current_context(silent=True)
    return () if context is None else context.meta.get(_LAWS, ())


def law_vouched_by(law_sha256: str) -> str | None:
    context = click.get_current_context(silent=True)
    keys_by_law = {} if context is None else context.meta.get(_PACKS, {})
    return keys_by_law.get(law_sha256)


def global_options(*, is_hidden: bool) -> list[click.Option]:
    """Return the options of every command; its own help does not list those of all."""
    attributes: dict[str, Any] = {"is_eager": True, "expose_value": False, "hidden": is_hidden}
    return [
        *(
            click.Option([name], is_flag=True, callback=callback, help=text, **attributes)
            for name, callback, text in (
                ("--ascii", _ask_for_ascii, "Print ASCII alone: cards as Qc and Ts."),
                ("--plain", _ask_for_plain, "Print plain text, as for a screen reader."),
                ("--no-pager", None, "Print long output at once on a terminal."),
            )
        ),
        click.Option(
            [LAWS_OPTION],
            metavar="FOLDER",
            multiple=True,
            type=click.Path(exists=True, path_type=Path),
            callback=_search_laws,
            help="Also use the law files in FOLDER, or in a pack of law pack; repeatable.",
            **attributes,
        ),
    ]


def pages(words: Sequence[str]) -> bool:
    if "--no-pager" in words or "--plain" in words or os.environ.get("CROUPIER_PLAIN"):
        return False
    pairs = zip(("", *words), words, strict=False)
    named = (word for last, word in pairs if last != LAWS_OPTION and not word.startswith("-"))
    command = next(named, "")
    return command in _PAGED or not {"-h", "--help"}.isdisjoint(words)


@contextmanager
def paged() -> Iterator[None]:
    stream = sys.stdout
    pager = _pager() if stream.isatty() else None
    if pager is None:
        yield
        return
    output = _Output(stream, pager)
    sys.stdout = output
    try:
        yield
    finally:
        sys.stdout = stream
        output.finish()


def _pager() -> list[str] | None:
    words = shlex.split(os.environ.get("PAGER", "less"))
    if not words or words == ["cat"] or os.environ.get("TERM", "dumb") == "dumb":
        return None
    import shutil  # noqa: PLC0415  (few calls need it)

    return words if shutil.which(words[0]) else None


class _Output(io.TextIOBase):
    """Standard output that keeps what fits the screen, and gives all to a pager if more comes."""

    def __init__(self, terminal: TextIO, pager: list[str]) -> None:
        self._terminal = terminal
        self._command = pager
        self._kept: list[str] = []
        import shutil  # noqa: PLC0415  (few calls need it)

        size = shutil.get_terminal_size()
        self._columns, self._left = max(size.columns, 1), size.lines - 1
        self._process: Popen[str] | None = None

    @property
    def encoding(self) -> str:  # type: ignore[override]  # what a stream has as an attribute
        return self._terminal.encoding

    def isatty(self) -> bool:
        return True

    def fileno(self) -> int:
        return self._terminal.fileno()

    def writable(self) -> bool:
        return True

    def write(self, text: str, /) -> int:
        if not isinstance(text, str):
            # So click learns whether a stream takes bytes.
            raise TypeError("text is written here")
        if self._process is None:
            self._kept.append(text)
            self._left -= sum(
                max(0, len(click.unstyle(line)) - 1) // self._columns + 1
                for line in text.split("\n")[:-1]
            )
            if self._left < 0:
                self._start()
        else:
            self._pass_on(text)
        return len(text)

    def _start(self) -> None:
        from subprocess import PIPE, Popen  # noqa: PLC0415  (for long output alone)

        # Quit if all fits after all, show colors, and leave the text on the screen.
        env = {"LESS": "FRX", **os.environ}
        self._process = Popen(  # noqa: S603  (the user's pager)
            self._command,
            stdin=PIPE,
            env=env,
            encoding=self._terminal.encoding,
            errors=self._terminal.errors,
        )
        text, self._kept = "".join(self._kept), []
        self._pass_on(text)

    def _pass_on(self, text: str) -> None:
        # A reader who has seen enough ends the pager, which is no fault of the command.
        with suppress(BrokenPipeError, ValueError):
            self._input.write(text)

    @property
    def _input(self) -> IO[str]:
        if self._process is None or self._process.stdin is None:
            raise AssertionError("no pager was started")
        return self._process.stdin

    def finish(self) -> None:
        if self._process is None:
            self._terminal.write("".join(self._kept))
            self._terminal.flush()
            return
        with suppress(BrokenPipeError, ValueError):
            self._input.close()
        handler: Any = signal.signal(signal.SIGINT, signal.SIG_IGN)
        try:
            self._process.wait()
        finally:
            signal.signal(signal.SIGINT, handler)
