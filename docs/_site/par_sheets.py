"""The PAR sheet of every sample submission as a page, as `croupier par` writes it in HTML."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from importlib.resources import files
from pathlib import Path
from typing import NamedTuple

from sphinx.application import Sphinx

from _site.commands import RefusedError, printed, run, samples
from _site.pages import make_pages

_WANTED = "this-will-duplicate-information-and-it-is-still-useful-here"


class _Sheet(NamedTuple):
    title: str
    law: str
    body: str
    edges: Mapping[str, str]


def setup(app: Sphinx) -> None:
    """Add the sheets, and the style in which the program writes them."""
    make_pages(app, "par-sheets", _pages)
    app.add_css_file("report.css")
    app.connect("build-finished", _style)


def _pages() -> Mapping[str, str]:
    sheets: dict[str, _Sheet] = {}
    without: dict[str, str] = {}
    with samples() as folder:
        for path in sorted(folder.glob("submissions/*")):
            try:
                sheets[path.stem] = _sheet(path, folder)
            except RefusedError as refused:
                without[path.stem] = str(refused).removeprefix("croupier: ").strip()
    pages = {f"{name}.md": _page(name, sheet) for name, sheet in sheets.items()}
    return {"index.md": "\n".join(_index(sheets, without)) + "\n", **pages}


def _sheet(path: Path, folder: Path) -> _Sheet:
    law = tomllib.loads(path.read_text(encoding="utf-8"))["submission"]["law"]
    named = f"submissions/{path.name}"
    edges = {}
    if law.endswith("/blackjack-wagers"):
        words = ["par", "blackjack", named]
    else:
        words = ["par", "--submission", named]
        wagers = printed(*words)["wagers"]
        edges = {one["id"]: f"{one['house_edge_percent']:.4f}%" for one in wagers}
    run(*words, "-o", f"{path.stem}.html")
    text = (folder / f"{path.stem}.html").read_text(encoding="utf-8")
    title = text.partition("<h1>")[2].partition("</h1>")[0]
    about = text.partition('<p class="law">')[2].partition("</p>")[0]
    body = text.partition("<main>")[2].partition("</main>")[0]
    state = law.partition("/")[0].removeprefix("us-").upper()
    return _Sheet(f"{state}: {title.removeprefix('PAR sheet: ')}", about, body, edges)


def _index(sheets: Mapping[str, _Sheet], without: Mapping[str, str]) -> Iterator[str]:
    yield "# PAR sheets"
    yield ""
    yield "The sheet of every sample submission, calculated when this site was built: the exact"
    yield "house edge, hit frequency, and variance of each wager, with its clauses. [PAR"
    yield "sheets](../par.md) explains the figures."
    yield ""
    yield "| table | regulation | Player | Banker | Tie |"
    yield "|---|---|--:|--:|--:|"
    for name, one in sheets.items():
        edges = " | ".join(one.edges.get(wager, "") for wager in ("player", "banker", "tie"))
        yield f"| [{one.title}]({name}.md) | {one.law.partition(' (')[0]} | {edges} |"
    yield ""
    for name, reason in without.items():
        yield f"`submissions/{name}.toml` has no sheet: {reason}."
        yield ""
    yield "```{toctree}"
    yield ":hidden:"
    yield ""
    yield from (f"{one.title} <{name}>" for name, one in sheets.items())
    yield "```"


def _page(name: str, sheet: _Sheet) -> str:
    # A blank line would end the block of HTML. The theme warns of lists of contents in a page.
    body = "\n".join(line for line in sheet.body.splitlines() if line.strip())
    body = body.replace('class="contents"', f'class="contents {_WANTED}"')
    return (
        f"---\nhide-toc: true\n---\n# PAR sheet {sheet.title}\n\n{sheet.law}. Submission: "
        f"`submissions/{name}.toml`.\n\n"
        f'<div class="report">\n{body}\n</div>\n'
    )


def _style(app: Sphinx, error: Exception | None) -> None:
    """Write the style of the reports for their part of a page, light or dark as the site is."""
    if error is None and app.builder.name == "html":
        style = (files("croupier.reports.formats") / "house.css").read_text(encoding="utf-8")
        light, dark, paper = re.findall(r":root \{(.*?)\}", style, flags=re.DOTALL)
        scheme = "@media (prefers-color-scheme: dark)"
        text = (
            f".report {{ {light} }}\n"
            f"body[data-theme=dark] .report {{ {dark} }}\n"
            f"{scheme} {{ body:not([data-theme=light]) .report {{ {dark} }} }}\n"
            f".report {{\n{style}\n}}\n"
            f"@media print {{ body[data-theme] .report {{ {paper} }} }}\n"
        )
        (Path(app.outdir) / "_static" / "report.css").write_text(text, encoding="utf-8")
