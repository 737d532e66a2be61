"""What an HTML page holds, read by the standard library."""

from __future__ import annotations

from html.parser import HTMLParser


class Page(HTMLParser):
    """The elements of a page, their attributes, and its words."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.elements: list[tuple[str, dict[str, str | None]]] = []
        self.words: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note an element."""
        self.elements.append((tag, dict(attrs)))

    def handle_data(self, data: str) -> None:
        """Note words."""
        self.words.append(data)

    def all(self, tag: str) -> list[dict[str, str | None]]:
        """Return the attributes of every element of that tag."""
        return [attributes for name, attributes in self.elements if name == tag]
