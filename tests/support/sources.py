"""The sources of the program and of its tests, each read and parsed once for all who look at them."""

from __future__ import annotations

import ast
import sys
from collections.abc import Iterable, Iterator
from functools import cache, cached_property
from pathlib import Path
from typing import Final

from support.project import ROOT

PACKAGE: Final = ROOT / "src" / "croupier"
PUBLIC: Final = {"client", "commands", "events"}
"""The modules that programs may import besides the package itself."""


class Source:
    """A Python file: its text, its syntax tree, and every module that it imports."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.text = path.read_text(encoding="utf-8")

    def __str__(self) -> str:
        return self.path.relative_to(ROOT).as_posix()

    @cached_property
    def part(self) -> str:
        """The part of the package that a module belongs to: ``law``, ``rules``, ``cli``.

        The other public modules belong to ``__init__``.
        """
        first = self.path.relative_to(PACKAGE).with_suffix("").parts[0]
        return "__init__" if first in PUBLIC else first

    @cached_property
    def name(self) -> str:
        """The module's path below the package, as in ``odds/kernel``."""
        return self.path.relative_to(PACKAGE).with_suffix("").as_posix()

    @cached_property
    def tree(self) -> ast.Module:
        """The syntax tree: not every one is looked at."""
        return ast.parse(self.text)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """Every node of the tree."""
        return tuple(ast.walk(self.tree))

    @cached_property
    def imported(self) -> tuple[str, ...]:
        """The modules imported anywhere in the file."""
        return tuple(self._imported())

    def _imported(self) -> Iterator[str]:
        for node in self.nodes:
            if isinstance(node, ast.Import):
                yield from (alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom):
                assert node.level == 0, f"{self}:{node.lineno}: a relative import"
                assert node.module is not None
                # `from croupier import rules` imports croupier.rules; a mere name is no harm here.
                below = node.module == "croupier"
                yield from (
                    (f"croupier.{one.name}" for one in node.names) if below else (node.module,)
                )

    @property
    def names_imported(self) -> Iterator[str]:
        """Every name imported from a module, below it: the modules of a package among them."""
        for node in self.nodes:
            if isinstance(node, ast.ImportFrom):
                yield from (f"{node.module}.{one.name}" for one in node.names)

    @property
    def others(self) -> set[str]:
        """The packages imported that are neither this one nor of the standard library."""
        return {one.split(".")[0] for one in self.imported} - {"croupier"} - sys.stdlib_module_names


@cache
def source_of(path: Path) -> Source:
    """Return a file, parsed once."""
    return Source(path)


@cache
def modules() -> tuple[Source, ...]:
    """Return every module of the package."""
    return tuple(source_of(path) for path in sorted(PACKAGE.rglob("*.py")))


def none_of(found: Iterable[str]) -> None:
    """Fail with every offender by name, if there is one."""
    offenders = "\n".join(found)
    assert not offenders, f"\n{offenders}"
