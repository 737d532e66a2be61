"""Help pages: in color on a terminal, and no wider than the terminal."""

from __future__ import annotations

import os
from collections.abc import Iterable
from functools import partial
from textwrap import wrap
from typing import Final

import click
from click.formatting import wrap_text

from croupier.cli.common.terminal import COMPLETING, global_options, is_plain

_WIDEST: Final = 80
"""A line longer than this is hard to read, whatever the terminal's width."""

_NARROWEST: Final = 20
_TWO_COLUMNS: Final = 60
"""Narrower pages put a description below its term, not next to it."""


def _style(text: str, *, color: str | None = None, bold: bool = False) -> str:
    return (
        text
        if is_plain() or os.environ.get("NO_COLOR")
        else click.style(text, fg=color, bold=bold or None)
    )


class _HelpFormatter(click.HelpFormatter):
    def __init__(
        self, indent_increment: int = 2, width: int | None = None, max_width: int | None = None
    ) -> None:
        if width is None:
            import shutil  # noqa: PLC0415  (few calls need it)

            widest = shutil.get_terminal_size().columns
            width = max(min(widest, max_width or _WIDEST), _NARROWEST)
        super().__init__(indent_increment, width)

    def write_usage(self, prog: str, args: str = "", prefix: str | None = None) -> None:
        heading = _style(prefix or "Usage: ", color="yellow", bold=True)
        super().write_usage(_style(prog, bold=True), args, heading)

    def write_heading(self, heading: str) -> None:
        super().write_heading(_style(heading, color="yellow", bold=True))

    def write_dl(
        self, rows: Iterable[tuple[str, str]], col_max: int = 30, col_spacing: int = 2
    ) -> None:
        rows = list(rows)
        longest = max((len(term) for term, _ in rows if len(term) <= col_max), default=0)
        column = longest + col_spacing if self.width >= _TWO_COLUMNS else 4
        for term, text in rows:
            colored = _style(term, color="cyan")
            if text and len(term) + col_spacing <= column:
                self._write_wrapped(text, colored + " " * (column - len(term)), column)
            else:
                self._write_wrapped(colored, "", 2 * self.indent_increment)
                self._write_wrapped(text, " " * column, column)

    def _write_wrapped(self, text: str, start: str, margin: int) -> None:
        if text:
            indent = " " * self.current_indent
            self.write(wrap_text(text, self.width, indent + start, indent + " " * margin) + "\n")


class _HelpContext(click.Context):
    formatter_class = _HelpFormatter


class HelpGroup(click.Group):
    context_class = _HelpContext

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:
        names = self.list_commands(ctx)
        commands = [(name, child) for name in names if (child := self.get_command(ctx, name))]
        with formatter.section("Commands"):
            formatter.write_dl([(name, one.get_short_help_str(_WIDEST)) for name, one in commands])


def _write_epilog(
    command: click.Command, ctx: click.Context, formatter: click.HelpFormatter
) -> None:
    from croupier.files import shipped  # noqa: PLC0415  (for help alone)

    names = []
    context: click.Context | None = ctx
    while context is not None and context.parent is not None:
        names.append(context.info_name or "")
        context = context.parent
    children = command.commands if isinstance(command, click.Group) else ()
    lines = shipped.examples(" ".join(reversed(names))) if names else []
    examples = [line for line in lines if not {*line.split()[1 + len(names) :][:1]} & {*children}]
    if examples:
        with formatter.section("Examples"):
            for example in examples:
                # A path with a hyphen stays whole.
                indent, margin = " " * formatter.current_indent, 2 * formatter.indent_increment
                page = wrap(
                    example,
                    formatter.width,
                    initial_indent=indent,
                    subsequent_indent=indent + " " * margin,
                    break_on_hyphens=False,
                )
                formatter.write("".join(f"{line}\n" for line in page))
    type(command).format_epilog(command, ctx, formatter)


_STATUS: Final = "Exit status: 0 success, 1 check failed, 2 usage error or unreadable input."


def dress(command: click.Command) -> click.Command:
    """Give a command and its subcommands these help pages and the global options."""
    command.context_class = _HelpContext
    # This command alone: its class may be click's own.
    vars(command).update(format_epilog=partial(_write_epilog, command))
    text = " ".join(f"{command.help} {command.epilog}".split())
    if not isinstance(command, click.Group) and "xit status" not in text:
        command.epilog = f"{command.epilog or ''}\n\n{_STATUS}".lstrip()
    if not any(param.name == "plain" for param in command.params):
        command.params += global_options(is_hidden=True)
    if os.environ.get(COMPLETING):
        from croupier.cli.common.completing import complete_values  # noqa: PLC0415  (only then)

        complete_values(command)
    for subcommand in command.commands.values() if isinstance(command, click.Group) else ():
        dress(subcommand)
    return command
