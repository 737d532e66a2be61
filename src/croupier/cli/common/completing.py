"""Completion in a shell, with values found by the name of a parameter."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Final, TypeAlias

import click

from croupier.cli.common.terminal import COMPLETING
from croupier.files.streams import echo

if TYPE_CHECKING:
    from click.shell_completion import CompletionItem

_Completer: TypeAlias = Callable[[click.Context, str], "list[CompletionItem[str]]"]

# bash takes @ for the end of a word, so that it would ask for what follows in us-nj/...@2011 alone.
_BASH: Final = "COMP_WORDBREAKS=${COMP_WORDBREAKS//@/}\n"

_WHERE: Final = {
    "bash": 'eval "$(croupier completion bash)" in ~/.bashrc',
    "zsh": 'eval "$(croupier completion zsh)" in ~/.zshrc, after compinit',
    "fish": "croupier completion fish | source in ~/.config/fish/config.fish",
}

_MOST_FILES: Final = 1_000
_DEEPEST: Final = 3
_BEGINNING: Final = 4_096
"""Bytes of a TOML file that are looked at for the mark of a submission."""


@click.command("completion", short_help="Print the completion script of a shell.")
@click.argument("shell", type=click.Choice(list(_WHERE)))
def completion(shell: str) -> None:
    """Print the script that completes commands, options, and values in SHELL.

    Have the shell read it whenever it starts: eval "$(croupier completion bash)" in ~/.bashrc; the
    same with zsh in ~/.zshrc, after compinit; croupier completion fish | source in
    ~/.config/fish/config.fish.
    """
    from click.shell_completion import get_completion_class  # noqa: PLC0415  (for this alone)

    kind = get_completion_class(shell)
    if kind is None:
        raise AssertionError(shell)
    script = kind(click.Command("croupier"), {}, "croupier", COMPLETING)
    # Without the check of the version, which asks the bash that is found first.
    text = script.source_template % script.source_vars()
    echo(f"# {_WHERE[shell]}\n{_BASH if shell == 'bash' else ''}{text}")


def complete_values(command: click.Command) -> None:
    for param in command.params:
        is_path = isinstance(param.type, click.Path)
        if param.type is click.STRING or is_path:
            completer = (_OF_PATHS if is_path else _OF_TEXTS).get(param.name or "")
            if completer is not None:
                # The parameter alone: its type may be that of others too.
                vars(param).update(shell_complete=completer)


def _matching(values: Iterable[str], incomplete: str) -> list[CompletionItem[str]]:
    from click.shell_completion import CompletionItem  # noqa: PLC0415  (only when completing)

    return [CompletionItem(value) for value in values if value.startswith(incomplete)]


def _laws() -> Iterable[str]:
    from croupier.law.faults import LawError  # noqa: PLC0415  (only when a law is completed)
    from croupier.law.resolve import keys  # noqa: PLC0415  (only when a law is completed)

    with suppress(LawError):
        return keys()
    return ()


def _wagers() -> Iterable[str]:
    from croupier.baccarat.wagers import WAGERS  # noqa: PLC0415  (only when a wager is completed)

    return sorted(WAGERS)


def _topics() -> Iterable[str]:
    from croupier.files.shipped import topic_files  # noqa: PLC0415  (only when a topic is completed)

    return topic_files()


def _one_of(values: Callable[[], Iterable[str]]) -> _Completer:
    return lambda _, incomplete: _matching(values(), incomplete)


def _submissions(ctx: click.Context, incomplete: str) -> list[CompletionItem[str]]:
    del ctx
    from click.shell_completion import CompletionItem  # noqa: PLC0415  (only when completing)

    paths = sorted(path for path in _files_below(incomplete) if _is_submission(path))
    items = _matching((path.as_posix() for path in paths), incomplete.removeprefix("./"))
    return items or [CompletionItem(incomplete, type="file")]


def _files_below(incomplete: str) -> Iterator[Path]:
    folder_name, _, start = incomplete.rpartition("/")
    folders = [(Path(folder_name or ("/" if incomplete.startswith("/") else ".")), 0)]
    count = 0
    for folder, depth in folders:
        try:
            entries = sorted(folder.iterdir())
        except OSError:
            continue
        for entry in entries:
            count += 1
            if count > _MOST_FILES:
                return
            if entry.name.startswith(".") or (depth == 0 and not entry.name.startswith(start)):
                continue
            if entry.suffix == ".toml":
                yield entry
            elif depth < _DEEPEST and entry.is_dir():
                folders.append((entry, depth + 1))


def _is_submission(path: Path) -> bool:
    from croupier.files.text import open_bytes  # noqa: PLC0415  (only when a file is completed)

    try:
        with open_bytes(path) as file:
            return b"[submission]" in file.read(_BEGINNING)
    except OSError:
        return False


_OF_TEXTS: Final[dict[str, _Completer]] = {
    **dict.fromkeys(("law", "law_id", "law_ids", "first", "second"), _one_of(_laws)),
    **dict.fromkeys(("wager", "wagers"), _one_of(_wagers)),
    "topic": _one_of(_topics),
}

_OF_PATHS: Final[dict[str, _Completer]] = dict.fromkeys(
    ("submission", "submissions", "one", "other", "old", "new"), _submissions
)
