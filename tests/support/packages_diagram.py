"""The diagram of the packages, ``docs/pictures/packages.svg``, drawn from the imports of their modules.

``make diagram`` draws it anew. A line leads from a package to one that it imports, above to below. What follows
from other lines is left out: a package that imports ``table`` may import what ``table`` imports, too.
"""

from __future__ import annotations

from html import escape
from itertools import pairwise
from statistics import fmean
from typing import Final

from support.project import ROOT
from support.sources import PUBLIC, modules

DIAGRAM: Final = ROOT / "docs" / "pictures" / "packages.svg"
_EVERYWHERE: Final = "msgspec"
_SHOWN: Final = 2
"""As many libraries as a box has room for."""
_BOX: Final = (160, 44)
_STEP: Final = (176, 84)
_STYLE: Final = """
svg { background: #ffffff; } rect { fill: #eef3f8; stroke: #5b6b7b; } polyline { stroke: #5b6b7b; fill: none; }
.name { fill: #15202b; font-size: 16px; } .uses { fill: #44525f; font-size: 11px; }
@media (prefers-color-scheme: dark) {
  svg { background: #14181c; } rect { fill: #22303c; stroke: #9fb0c0; } polyline { stroke: #9fb0c0; }
  .name { fill: #f2f5f8; } .uses { fill: #c3ced8; }
}
"""


def packages() -> dict[str, set[str]]:
    """Return the packages that each package imports, the public surface of ``import croupier`` left out."""
    found: dict[str, set[str]] = {}
    for module in modules():
        if not module.part.startswith("__"):
            named = {one.split(".")[1] for one in module.imported if one.startswith("croupier.")}
            found.setdefault(module.part, set()).update(named - PUBLIC - {module.part})
    return {name: below & found.keys() for name, below in found.items()}


def libraries() -> dict[str, list[str]]:
    """Return the libraries that each package imports, but for the one that most do."""
    found: dict[str, set[str]] = {}
    for module in modules():
        found.setdefault(module.part, set()).update(module.others - {_EVERYWHERE})
    return {name: sorted(used) for name, used in found.items()}


def direct(imported: dict[str, set[str]]) -> dict[str, set[str]]:
    """Return the imports that do not follow from others (the transitive reduction)."""
    reach: dict[str, set[str]] = {}

    def reached(name: str) -> set[str]:
        if name not in reach:
            reach[name] = imported[name].union(*map(reached, imported[name]))
        return reach[name]

    return {
        name: {one for one in below if not any(one in reached(other) for other in below - {one})}
        for name, below in imported.items()
    }


def layers(imported: dict[str, set[str]]) -> tuple[list[list[str]], list[list[str]]]:
    """Return the packages in rows, the roots first, and each line as the places that it goes through.

    A line that passes a row has a place of its own there, so that it crosses no box.
    """
    depth: dict[str, int] = {}

    def deep(name: str) -> int:
        if name not in depth:
            depth[name] = 1 + max(map(deep, imported[name]), default=-1)
        return depth[name]

    found: list[list[str]] = [[] for _ in range(1 + max(map(deep, imported)))]
    for name in sorted(imported):
        found[deep(name)].append(name)
    paths, under = [], dict[str, set[str]]()
    for name in sorted(imported):
        for below in sorted(imported[name]):
            passed = {row: f"{name}>{below}@{row}" for row in range(deep(below) + 1, deep(name))}
            paths.append([below, *passed.values(), name])
            for number, place in passed.items():
                found[number].append(place)
            for lower, upper in pairwise(paths[-1]):
                under.setdefault(upper, set()).add(lower)
    for below_row, row in pairwise(found):
        places = {name: place / len(below_row) for place, name in enumerate(below_row)}
        middles = {name: fmean(places[each] for each in under[name]) for name in row}
        row[:] = [name for _, name in sorted((middle, name) for name, middle in middles.items())]
    return found, paths


def diagram() -> str:
    """Return the SVG."""
    used = libraries()
    found, paths = layers(direct(packages()))
    width = max(map(len, found)) * _STEP[0]
    at = {
        name: (
            (width - len(row) * _STEP[0]) // 2 + place * _STEP[0] + _STEP[0] // 2,
            16 + (len(found) - 1 - number) * _STEP[1],
        )
        for number, row in enumerate(found)
        for place, name in enumerate(row)
    }
    lines = []
    for path in paths:
        # A place that a line passes is as high as a box.
        points = [f"{at[one][0]},{at[one][1] + edge}" for one in path for edge in (_BOX[1], 0)]
        lines.append(f'<polyline points="{" ".join(points[1:-1])}"/>')
    boxes = [
        f'<rect x="{x - _BOX[0] // 2}" y="{y}" width="{_BOX[0]}" height="{_BOX[1]}" rx="6"/>'
        f'<text class="name" x="{x}" y="{y + 19}">{name}</text>'
        f'<text class="uses" x="{x}" y="{y + 35}">{escape(_short(used[name]))}</text>'
        for name, (x, y) in at.items()
        if name in used
    ]
    head = (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {len(found) * _STEP[1]}" '
        'role="img" text-anchor="middle" font-family="system-ui, sans-serif">'
        "<title>The packages of Croupier: each imports those below that a line leads to</title>"
    )
    return "\n".join([head, f"<style>{_STYLE}</style>", *lines, *boxes, "</svg>", ""])


def _short(names: list[str]) -> str:
    more = f" +{len(names) - _SHOWN}" if len(names) > _SHOWN else ""
    return ", ".join(names[:_SHOWN]) + more


if __name__ == "__main__":
    DIAGRAM.write_text(diagram(), encoding="utf-8")
