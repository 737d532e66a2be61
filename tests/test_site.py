"""The check of the documentation site finds what is wrong with its pages."""

from pathlib import Path

import pytest

from _site.links import broken_links


@pytest.mark.parametrize(
    ("body", "wrong"),
    [
        ('<a href="b.html#here">', []),
        ('<a href="b.html">', []),
        ('<a href="#top">', []),
        ('<a href="https://example.com/">', []),
        ('<img src="data:image/png;base64,AA==">', []),
        ('<a href="c.html">', ["a.html: c.html"]),
        ('<a href="b.html#gone">', ["a.html: b.html#gone"]),
        ('<img src="gone.png">', ["a.html: gone.png"]),
        ("<a title='1 > 0' href='&#99;.html'>", ["a.html: c.html"]),
        ('<!-- <a href="c.html"> -->', []),
        ("<script>\"<a href='c.html'>\"</script>", []),
        (
            '<script src="https://example.com/x.js"></script>',
            ["a.html: loads https://example.com/x.js"],
        ),
        (
            '<link rel="stylesheet" href="//example.com/x.css">',
            ["a.html: loads //example.com/x.css"],
        ),
    ],
)
def test_a_link_that_leads_nowhere_is_named(body: str, wrong: list[str], tmp_path: Path) -> None:
    (tmp_path / "a.html").write_text(body, encoding="utf-8")
    (tmp_path / "b.html").write_text('<p id="here">', encoding="utf-8")
    assert list(broken_links(tmp_path)) == wrong
