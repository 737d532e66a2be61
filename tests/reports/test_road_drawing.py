"""The drawing of the roads: every mark has its cell, what is found is shown, nothing is markup."""

from xml.etree import ElementTree as ET

import pytest

from croupier.records.roads import DERIVED
from croupier.reports.roads import SCREEN, draw_roads, print_roads, roads_alt_text
from support.drawings import SHOE, road

SVG = "{http://www.w3.org/2000/svg}"
USE = f"{SVG}use"
FONT = "system-ui, sans-serif"


def read(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314  (we made it)


def used(svg: str, what: str) -> list[tuple[float, float]]:
    """Return where a mark is drawn, legend and all."""
    return [
        (float(one.attrib["x"]), float(one.attrib["y"]))
        for one in read(svg).iter(f"{SVG}use")
        if one.attrib["href"].startswith(f"#n-{what}")
    ]


def found_cells(svg: str) -> int:
    """Return how many cells stand on the ground of what is found, without the legend."""
    paths = [one for one in read(svg).iter(f"{SVG}path") if one.attrib.get("class") == "found"]
    return sum(one.attrib["d"].count("M") for one in paths[:-1])


@pytest.mark.parametrize("shoe", ["", "T", "TTP", SHOE])
def test_every_mark_is_drawn_in_a_place_of_its_own(shoe: str) -> None:
    data, svg = road(shoe), draw_roads("n", "Shoe", road(shoe), font=FONT)
    # Each legend shows a mark once, or twice where there are two of it.
    assert len(used(svg, "bead-")) == len(set(used(svg, "bead-"))) == len(data["bead_plate"])
    assert len(set(used(svg, "big-"))) == len(data["big_road"]) + 2
    for name in DERIVED:
        assert len(set(used(svg, f"{name}-"))) == len(data[name]) + 2  # type: ignore[literal-required]
    shown = [cell for cell in data["big_road"] if cell["ties"]]
    assert len(used(svg, "tie")) >= len(shown) + 1


def test_ties_before_the_first_win_stand_in_the_first_cell() -> None:
    for shoe, number in (("TT", "2"), ("TTP", "2"), ("TTPT", "3")):
        svg = draw_roads("n", "Shoe", road(shoe), font=FONT)
        corner = (0.0, 20.0)
        assert corner in used(svg, "tie")
        assert number in [one.text for one in read(svg).iter(f"{SVG}text")]


def test_pairs_and_naturals_are_marked() -> None:
    plain = draw_roads("n", "Shoe", road("BP"), font=FONT)
    for mark in ("natural", "player_pair", "banker_pair"):
        svg = draw_roads("n", "Shoe", road("BP", **{mark: True}), font=FONT)
        # Two on the bead plate, two on the big road, one in the legend.
        assert (len(used(plain, mark)), len(used(svg, mark))) == (1, 5)
        bead = read(svg).find(f"{SVG}g/{SVG}title")
        assert bead is not None
        assert bead.text == f"Round 1: Banker, {mark.replace('_', ' ')}"


def test_a_round_in_which_something_was_found_stands_out_on_both_roads() -> None:
    assert found_cells(draw_roads("n", "Shoe", road("BPB"), {2}, font=FONT)) == 2
    # Two findings in one cell of the big road, for a tie stands in the cell of the win before it.
    assert found_cells(draw_roads("n", "Shoe", road("BPTB"), {2, 3}, font=FONT)) == 3
    assert found_cells(draw_roads("n", "Shoe", road("TPTB"), {1}, font=FONT)) == 2
    assert 'class="found"' not in draw_roads("n", "Shoe", road("BPB"), font=FONT)


def test_a_road_too_wide_goes_on_in_a_further_band() -> None:
    narrow, wide = "BP" * 20, "BP" * 200
    svg = draw_roads("n", "Shoe", road(wide), font=FONT)
    assert max(x for x, _ in used(svg, "")) < SCREEN.width
    assert len(set(used(svg, "big-"))) == 402
    heights = [
        float(read(draw_roads("n", "Shoe", road(shoe), font=FONT)).attrib["height"])
        for shoe in (narrow, wide)
    ]
    assert heights[1] > 3 * heights[0]


def test_titles_are_text_and_no_markup() -> None:
    risky = '</title><script>alert("x")</script> & \x00'
    svg = draw_roads("n", risky, road("B"), font=FONT)
    assert read(svg)[0].text == risky.replace("\x00", "\\x00")
    assert "<script" not in svg


def test_who_cannot_see_is_told_the_rounds() -> None:
    assert roads_alt_text(road("BPT")) == "3 rounds, in order: Banker, Player, Tie"
    assert roads_alt_text(road("")) == "0 rounds, in order: none"
    svg = draw_roads("n", "Shoe", road("BPT"), font=FONT)
    assert read(svg)[1].text == roads_alt_text(road("BPT"))


def test_a_whole_shoe_is_drawn_small_and_always_alike() -> None:
    svg = draw_roads("n", "Shoe", road(SHOE + SHOE[:12]), font=FONT)
    assert svg == draw_roads("n", "Shoe", road(SHOE + SHOE[:12]), font=FONT)
    assert len(svg) < 40_000


@pytest.mark.parametrize("shoe", [SHOE * 4, "TT" + "PB" * 250, "B" * 240, "T" * 500])
def test_roads_taller_than_a_page_are_printed_in_parts(shoe: str) -> None:
    data = road(shoe)
    found = {1, 100, len(shoe)}
    parts = print_roads("n", "Shoe", data, found, font=FONT)
    assert len(parts) > 1
    assert all(float(read(part).attrib["height"]) <= 941 for part in parts)
    # Every mark is in one part, in a place of its own, and the legend in the first.
    marks = [use.attrib["href"].split("-", 2)[-1] for part in parts for use in read(part).iter(USE)]
    legend = {"bead": 0, "big": 2, "big_eye_boy": 2, "small_road": 2, "cockroach_pig": 2}
    for name, more in legend.items():
        kinds = {"bead": "bead_plate", "big": "big_road"}
        drawn = sum(one.startswith(f"{name}-") for one in marks)
        assert drawn == len(data[kinds.get(name, name)]) + more  # type: ignore[literal-required]
    for part in parts:
        used_at = [
            (use.attrib["href"], use.attrib["x"], use.attrib["y"]) for use in read(part).iter(USE)
        ]
        assert len(used_at) == len(set(used_at))
        words = [text.text or "" for text in read(part).iter(f"{SVG}text")]
        assert ("Banker, Player" in words) == (part is parts[0])
        assert any(one.endswith("continued") for one in words) == (part is not parts[0])
    grounds = sum(
        one.attrib["d"].count("M")
        for part in parts
        for one in read(part).iter(f"{SVG}path")
        if one.attrib.get("class") == "found"
    )
    # Each finding is on the bead plate and, unless no hand has won, on the big road.
    assert grounds == 1 + len(found) + (0 if set(shoe) == {"T"} else len({*found}))
