"""The diagram of the packages is that of today's imports, and shows each of them once."""

import re
from xml.etree import ElementTree as ET

from support import packages_diagram
from support.kept import assert_as_made
from test_tidy import MAY_IMPORT


def test_the_diagram_is_drawn_from_the_imports_of_today() -> None:
    kept = packages_diagram.DIAGRAM.read_text(encoding="utf-8")
    assert_as_made(kept, packages_diagram.diagram(), packages_diagram.DIAGRAM.name)


def test_the_diagram_shows_every_package_once() -> None:
    drawn = ET.fromstring(packages_diagram.diagram())  # noqa: S314  (our own)
    names = [text.text for text in drawn.iter() if text.get("class") == "name"]
    assert sorted(map(str, names)) == sorted(one for one in MAY_IMPORT if not one.startswith("__"))


def test_an_import_that_follows_from_others_has_no_line() -> None:
    chain = {"a": set[str](), "b": {"a"}, "c": {"a", "b"}}
    assert packages_diagram.direct(chain) == {"a": set(), "b": {"a"}, "c": {"b"}}
    found, paths = packages_diagram.layers({"a": set(), "b": {"a"}, "c": {"b"}, "d": {"c", "a"}})
    # The line from d to a passes two rows.
    assert ["a", "d>a@1", "d>a@2", "d"] in paths
    assert [row[0] for row in found] == ["a", "b", "c", "d"]


def test_each_line_leads_down() -> None:
    for line in re.findall(r'points="([^"]+)"', packages_diagram.diagram()):
        heights = [int(point.partition(",")[2]) for point in line.split()]
        assert heights == sorted(heights, reverse=True)
