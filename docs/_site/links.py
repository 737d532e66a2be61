"""The check of the built pages: every link leads somewhere, and nothing comes from another site."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

from sphinx.application import Sphinx
from sphinx.errors import ExtensionError

__all__ = ["broken_links", "setup"]

_LOADED = {"img": "src", "script": "src", "link": "href", "iframe": "src", "source": "src"}
"""What a browser fetches by itself, so what must not come from elsewhere."""


def setup(app: Sphinx) -> None:
    """Check the pages when they are written."""
    app.connect("build-finished", _check, priority=900)


def _check(app: Sphinx, error: Exception | None) -> None:
    if error is None and app.builder.name == "html":
        wrong = list(broken_links(Path(app.outdir)))
        if wrong:
            raise ExtensionError("broken links:\n" + "\n".join(wrong))


class _Page(HTMLParser):
    """The targets and the links of one page."""

    def __init__(self) -> None:
        super().__init__()
        self.targets = {"", "top"}
        self.links: list[str] = []
        self.loaded: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note what a tag names and where it leads."""
        given = dict(attrs)
        self.targets |= {value for key in ("id", "name") if (value := given.get(key))}
        link = given.get(_LOADED.get(tag, "href"))
        if link and tag in _LOADED and given.get("rel") not in {"canonical", "author"}:
            self.loaded.append(link)
        if link:
            self.links.append(link)


@cache
def _page(path: Path) -> _Page:
    page = _Page()
    page.feed(path.read_text(encoding="utf-8"))
    return page


def broken_links(site: Path) -> Iterator[str]:
    """Yield every link of the pages of a site that leads nowhere, or loads from elsewhere."""
    for path in sorted(site.rglob("*.html")):
        page = _page(path)
        name = path.relative_to(site)
        for link in page.loaded:
            if urlsplit(link).netloc:
                yield f"{name}: loads {link}"
        for link in page.links:
            parts = urlsplit(link)
            if not (parts.scheme or parts.netloc) and not _leads(path, link):
                yield f"{name}: {link}"


def _leads(path: Path, link: str) -> bool:
    parts = urlsplit(link)
    target = _found(path.parent, parts.path) if parts.path else path
    if target is None:
        return False
    if target.suffix != ".html" or not parts.fragment:
        return True
    return unquote(parts.fragment) in _page(target).targets


@cache
def _found(folder: Path, path: str) -> Path | None:
    """Return the file that a path leads to from a folder, for all of its pages."""
    target = (folder / unquote(path)).resolve()
    if target.is_dir():
        target /= "index.html"
    return target if target.is_file() else None
