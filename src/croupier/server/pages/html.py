"""HTML as text that was escaped in one place: whatever is not ``Html`` is text, and is escaped."""

from __future__ import annotations

from html import escape
from typing import Final

from croupier.reports.figures import visible

__all__ = ["Html", "join", "tag"]


class Html(str):
    """Markup that may stand in a page as it is."""

    __slots__ = ()


_EMPTY: Final = {"input", "link", "meta", "br"}
"""Elements without an end tag."""

Child = str | int | None


def join(*children: Child) -> Html:
    """Return children one after the other, escaped where they are text."""
    return Html("".join(map(_escaped, children)))


def _escaped(child: Child) -> str:
    if child is None:
        return ""
    return child if isinstance(child, Html) else escape(visible(child))


def tag(name: str, /, *children: Child, **attributes: str | int | None) -> Html:
    """Return an element. An attribute that is ``None`` or ``False`` is left out.

    A name may end in ``_`` where Python has a word of that name, and ``_`` stands for a hyphen.

    >>> tag("p", "1 < 2", class_="law", data_seq=3, hidden=True)
    '<p class="law" data-seq="3" hidden>1 &lt; 2</p>'
    """
    said = "".join(
        f" {key.rstrip('_').replace('_', '-')}"
        + ("" if value is True else f'="{escape(visible(value))}"')
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in _EMPTY:
        return Html(f"<{name}{said}>")
    return Html(f"<{name}{said}>{join(*children)}</{name}>")
