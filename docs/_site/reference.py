"""The reference of the docstrings: which packages it covers, and the page of the public names."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from sphinx.application import Sphinx

import croupier
from _site.pages import make_pages

__all__ = ["ignored", "setup"]

_PACKAGES = {
    "api": "the names above",
    "baccarat": "the game: hands, the third-card rules, and the catalog of wagers",
    "law": "regulations as data: clauses, rules, elections, and interpretations",
    "money": "integer cents, settlement, and the ledger",
    "odds": "exact odds and PAR sheets",
    "rules": "a submission and a regulation become the rules of a table",
    "table": "commands, events, and decisions of a table",
}
"""What has a reference: the public surface, and the parts of `croupier` that it leads to."""


def ignored() -> Iterator[str]:
    """Yield the patterns of the modules without a reference."""
    for path in Path(croupier.__file__).parent.iterdir():
        if path.stem not in {*_PACKAGES, "__init__"}:
            yield f"*/croupier/{path.name}/*" if path.is_dir() else f"*/croupier/{path.name}"


def setup(app: Sphinx) -> None:
    """Add the page that lists what `import croupier` offers."""
    make_pages(app, "reference", lambda: {"python-names.md": "\n".join(_page())})
    app.connect("source-read", _set_apart)


def _set_apart(app: Sphinx, docname: str, source: list[str]) -> None:
    """Keep the modules out of the menu, which every page repeats."""
    del app
    if docname == "api/croupier/index":
        source[0] = f":orphan:\n\n{source[0]}"


def _page() -> Iterator[str]:
    yield "# Python names"
    yield ""
    yield "`import croupier` offers these names, and [the Python page](../python.md) shows them at"
    yield "work. Programs may rely on them; everything else in the package is private to the"
    yield "project."
    yield ""
    yield "| name | what it is |"
    yield "|---|---|"
    for name in sorted(croupier.__all__, key=str.lower):
        yield f"| {_link(name)} | {_first_line(getattr(croupier, name))} |"
    yield ""
    yield "## Modules behind them"
    yield ""
    yield "The pages below document the modules that these names come from and lead to."
    yield ""
    for package, what in _PACKAGES.items():
        yield f"* [`croupier.{package}`](../api/croupier/{package}/index.rst): {what}"
    yield ""


def _link(name: str) -> str:
    value = getattr(croupier, name)
    home = getattr(value, "__module__", None)
    full = f"{home}.{value.__name__}" if home else value.__name__
    return f"{{py:obj}}`{name} <{full}>`"


def _first_line(value: object) -> str:
    return (value.__doc__ or "").strip().partition("\n")[0].replace("``", "`").replace("|", "\\|")
