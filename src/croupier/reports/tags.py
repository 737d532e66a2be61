"""HTML of reports and of the service's pages: all text that is not ``Html`` is escaped."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from html import escape

from croupier.reports.figures import visible


class Html(str):
    """Markup inserted without escaping."""

    __slots__ = ()


Child = str | int | None


def join(*children: Child) -> Html:
    """Concatenate children, escaping plain text."""
    return Html("".join(map(_escaped, children)))


def _escaped(child: Child) -> str:
    if isinstance(child, Html):
        return child
    return "" if child is None else _text(str(child))


@lru_cache(8192)
def _text(text: str) -> str:
    return escape(visible(text))


@lru_cache(8192)
def _attribute(name: str, value: str) -> str:
    return f' {_name(name)}="{escape(visible(value))}"'


def _name(key: str) -> str:
    return key.rstrip("_").replace("_", "-")


def head(title: str, *more: Html) -> Html:
    return tag(
        "head",
        tag("meta", charset="utf-8"),
        tag("meta", name="viewport", content="width=device-width, initial-scale=1"),
        tag("meta", name="color-scheme", content="light dark"),
        tag("title", title),
        *more,
    )


def tag(name: str, /, *children: Child, **attributes: str | int | None) -> Html:
    """Element, without attributes that are ``None`` or ``False``.

    A trailing ``_`` avoids Python keywords; other underscores become hyphens.

    >>> tag("p", "1 < 2", class_="law", data_seq=3, hidden=True)
    '<p class="law" data-seq="3" hidden>1 &lt; 2</p>'
    """
    attributes_text = "".join(
        f" {_name(key)}" if value is True else _attribute(key, str(value))
        for key, value in attributes.items()
        if value is not None and value is not False
    )
    if name in {"input", "link", "meta", "br", "wbr"}:
        return Html(f"<{name}{attributes_text}>")
    return Html(f"<{name}{attributes_text}>{''.join(map(_escaped, children))}</{name}>")


def hint(words: Child) -> Html:
    return tag("p", words, class_="hint")


def hidden_inputs(values: Mapping[str, str | int | None]) -> Html:
    return join(
        *(tag("input", type="hidden", name=name, value=one) for name, one in values.items())
    )


def labeled(
    words: Child, control: Html, *more: Html | None, of: str, class_: str = "field"
) -> Html:
    """Control with the id ``of`` below its label."""
    return tag("label", tag("span", words), control, *more, for_=of, class_=class_)


def boxed(words: Child, **control: str | int | None) -> Html:
    return tag("label", tag("input", **control), tag("span", words))


def details(summary: Child, *body: Child, **more: str | int | None) -> Html:
    return tag("details", tag("summary", summary), *body, **more)


def post_form(action: str, *children: Child, **more: str | int | None) -> Html:
    return tag("form", *children, method="post", action=action, **more)
