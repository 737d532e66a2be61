"""Documents of commands, printed or written in one of the formats."""

from __future__ import annotations

import json
import os
import shutil
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from croupier.cli.common.files import FORMS, put_file
from croupier.cli.common.terminal import is_plain
from croupier.files.write import form_of

if TYPE_CHECKING:
    from croupier.reports.tree import Tree

_PIPED_WIDTH: Final = 80

Made = Callable[[Mapping[str, Any]], "Tree"]


def give(  # noqa: PLR0913  (the options of a document)
    data: Mapping[str, Any],
    tree: Made,
    form: str | None,
    out: Path | None = None,
    *,
    paper: str = "a4",
    force: bool = False,
) -> None:
    """Print a document, or write it to ``out``, in a format or that of the suffix of ``out``.

    JSON needs no ``tree``.
    """
    if form is None:
        form = "text" if out is None else form_of(out, FORMS)
    if out is None and form == "text":
        print_tree(tree(data))
        return
    if form == "json":
        content = f"{json.dumps(data, indent=2, ensure_ascii=False)}\n".encode()
    else:
        from croupier.reports.formats import written  # noqa: PLC0415  (as asked)

        content = written(tree(data), form, paper)
    if out is not None:
        put_file(out, content, force=force)
    elif form in {"json", "csv"}:
        sys.stdout.write(content.decode())
    else:
        sys.stdout.buffer.write(content)


def print_tree(tree: Tree) -> None:
    from croupier.reports.formats.text import text  # noqa: PLC0415  (text output only)

    is_terminal = sys.stdout.isatty()
    columns = os.environ.get("COLUMNS", "")
    given = int(columns) if columns.isdecimal() else 0
    size = shutil.get_terminal_size().columns if is_terminal else _PIPED_WIDTH
    width, free = given or size, not (is_terminal or given)
    styled = is_terminal and not is_plain() and "NO_COLOR" not in os.environ
    sys.stdout.write(text(tree, width, styled=styled, plain=is_plain(), free=free))
