"""The check of the built pages: every link leads somewhere, and nothing comes from another site."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from html import unescape
from pathlib import Path
from posixpath import normpath
from urllib.parse import SplitResult, unquote, urlsplit

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


_TAG = re.compile(
    r"""<!--.*?--> | <(script|style)\b((?:[^>"']|"[^"]*"|'[^']*')*)>.*?</\1\s*>
    | <([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>""",
    re.DOTALL | re.IGNORECASE | re.VERBOSE,
)
"""A comment, a script or style, or another tag: its name, and what is given."""
_GIVEN = re.compile(r"""([^\s/"'=>]+)\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>"']+))""")


class _Page:
    """The targets and the links of one page."""

    def __init__(self, text: str) -> None:
        self.targets = {"", "top"}
        self.links: dict[str, None] = {}
        self.loaded: list[str] = []
        for raw, of_raw, other, of_other in _TAG.findall(text):
            if "=" in (written := of_raw or of_other):
                self._note((raw or other).lower(), written)

    def _note(self, tag: str, written: str) -> None:
        """Note what a tag names and where it leads."""
        given = {key.lower(): unescape("".join(value)) for key, *value in _GIVEN.findall(written)}
        self.targets |= {value for key in ("id", "name") if (value := given.get(key))}
        link = given.get(_LOADED.get(tag, "href"))
        if link and tag in _LOADED and given.get("rel") not in {"canonical", "author"}:
            self.loaded.append(link)
        if link:
            self.links[link] = None


@cache
def _page(path: str) -> _Page:
    return _Page(Path(path).read_text(encoding="utf-8"))


def broken_links(site: Path) -> Iterator[str]:
    """Yield every link of the pages of a site that leads nowhere, or loads from elsewhere."""
    files = frozenset(path.as_posix() for path in site.rglob("*") if path.is_file())
    for path in sorted(site.rglob("*.html")):
        page = _page(path.as_posix())
        name = path.relative_to(site)
        for link in page.loaded:
            if urlsplit(link).netloc:
                yield f"{name}: loads {link}"
        for link in page.links:
            parts = urlsplit(link)
            if not (parts.scheme or parts.netloc) and not _leads(path.as_posix(), parts, files):
                yield f"{name}: {link}"


def _leads(path: str, link: SplitResult, files: frozenset[str]) -> bool:
    target = _found(path.rpartition("/")[0], link.path, files) if link.path else path
    if target is None:
        return False
    if not (target.endswith(".html") and link.fragment):
        return True
    return unquote(link.fragment) in _page(target).targets


@cache
def _found(folder: str, path: str, files: frozenset[str]) -> str | None:
    """Return the file that a path leads to from a folder, for all of its pages."""
    target = normpath(f"{folder}/{unquote(path)}")
    return next((one for one in (target, f"{target}/index.html") if one in files), None)
