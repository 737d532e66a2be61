"""HTML of reports and of the service's pages: all text that is not ``Html`` is escaped."""

from __future__ import annotations

from functools import lru_cache
from html import escape
from typing import Final

from croupier.reports.figures import visible


class Html(str):
    """Markup inserted without escaping."""

    __slots__ = ()


_EMPTY: Final = {"input", "link", "meta", "br"}
"""Elements without an end tag."""

Child = str | int | None


def join(*children: Child) -> Html:
    """Concatenate children, escaping plain text."""
    return Html("".join(map(_escaped, children)))


def _escaped(child: Child) -> str:
    if isinstance(child, Html):
        return child
    return "" if child is None else _text(str(child))


@lru_cache(8192)
def _text(said: str) -> str:
    return escape(visible(said))


@lru_cache(8192)
def _attribute(name: str, value: str) -> str:
    return f' {_name(name)}="{escape(visible(value))}"'


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def head(title: str, *more: Html) -> Html:
    """Return the head that every page has, with the elements of this one."""
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        *more,
    )


def tag(name: str, /, *children: Child, **attributes: str | int | None) -> Html:
    """Return an element, without attributes that are ``None`` or ``False``.

    A trailing ``_`` avoids Python keywords; other underscores become hyphens.

    >>> tag("p", "1 < 2", class_="law", data_seq=3, hidden=True)
    '<p class="law" data-seq="3" hidden>1 &lt; 2</p>'
    """
    said = "".join(
        f" {_name(key)}" if value is True else _attribute(key, str(value))
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _EMPTY:
        return Html(f"<{name}{said}>")
    return Html(f"<{name}{said}>{''.join(map(_escaped, children))}</{name}>")
