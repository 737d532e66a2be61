"""The layout as a picture: whatever the table, nothing on it overlaps and every label is read."""

from itertools import combinations
from pathlib import Path
from typing import Final, Literal, get_args
from xml.etree import ElementTree as ET

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.records.layout import layout_of
from croupier.reports.felt.drawing import draw_felt
from croupier.reports.felt.plan import WIDTH, Box, Felt, Lying, height_of, plan_of
from support.browsers import chromium
from support.drawings import crowded, seated, tables
from support.project import ROOT
from support.volume import spread

SVG: Final = "{http://www.w3.org/2000/svg}"
Side = Literal["patrons", "dealer"]
SIDES: Final = get_args(Side)

# What may lie on what: chips in areas, cards in theirs.
LIES_ON: Final = {"chip": "area", "card": "hand"}


def overlap(one: Box, other: Box) -> bool:
    return (
        one.x < other.x + other.wide
        and other.x < one.x + one.wide
        and one.y < other.y + other.high
        and other.y < one.y + one.high
    )


@pytest.mark.parametrize("seats", spread(range(1, 15), 4))
def test_nothing_on_a_layout_overlaps_or_leaves_it(seats: int) -> None:
    for name, rules in tables():
        for numbering in ("clockwise", "counterclockwise"):
            felt = seated(rules, seats, numbering)
            for side in SIDES:
                hold_apart(name, felt, plan_of(felt, crowded(felt), side))


def hold_apart(name: str, felt: Felt, boxes: list[Box]) -> None:
    for box in boxes:
        assert 0 <= box.x <= box.x + box.wide <= WIDTH, (name, box)
        assert 0 <= box.y <= box.y + box.high <= height_of(felt), (name, box)
    for one, other in combinations(boxes, 2):
        if LIES_ON.get(other.kind) != one.kind:
            assert not overlap(one, other), (name, one, other)
        elif overlap(one, other):
            inside = one.x <= other.x and other.x + other.wide <= one.x + one.wide
            assert inside, (name, one, other)
            assert (one.wager, one.seat) == (other.wager, other.seat)


def test_every_name_of_a_wager_is_whole_up_to_fourteen_seats() -> None:
    for name, rules in tables():
        felt = seated(rules, 14, "clockwise")
        titles = {area["title"] for area in felt["areas"]}
        said = {" ".join(box.lines[:-1]) for box in plan_of(felt) if box.kind == "area"}
        assert said == titles, name


def test_patrons_see_the_dealers_right_hand_at_their_left() -> None:
    rules = dict(tables())["nj-minibaccarat"]
    for numbering, first in (("counterclockwise", 1), ("clockwise", 5)):
        felt = seated(rules, 5, numbering)
        assert felt["seats"][0] == first
        for side in SIDES:
            boxes = plan_of(felt, None, side)
            at = {box.seat: box.x for box in boxes if box.kind == "seat"}
            (shoe,) = (box for box in boxes if box.kind == "shoe")
            (rack,) = (box for box in boxes if box.kind == "rack")
            from_patrons = side == "patrons"
            # The dealer draws with the left hand: the shoe is there, the rack at the other side.
            assert (at[first] == min(at.values())) is from_patrons
            assert (shoe.x > rack.x) is from_patrons


def test_spaces_and_signs_stand_where_the_elections_ask_for_them() -> None:
    felts = {name: layout_of(rules, "x") for name, rules in tables()}
    assert felts["nj-minibaccarat"]["marker_spaces"]
    assert not felts["ny-midi"]["marker_spaces"]
    assert felts["ma-ez"]["sign"] == "Banker pushes on dragon 7"
    assert felts["ma"]["sign"] == ""
    chairs = next(area for area in felts["ma-royal-9"]["areas"] if area["chairs"])["chairs"]
    assert set(chairs["1"].split()) == {"K♠", "9♥"}
    spaces = [box for box in plan_of(felts["nj-minibaccarat"]) if box.kind == "space"]
    assert sorted(box.seat for box in spaces) == list(range(1, 8))


def test_an_area_says_what_it_pays() -> None:
    felts = {name: layout_of(rules, "x") for name, rules in tables()}
    pays = {area["wager"]: area["pays"] for area in felts["nj-minibaccarat"]["areas"]}
    assert pays["tie"] == "8:1"
    assert pays["banker"] == "1:1 less 5%"
    assert pays["four_cards"] == "3:2"
    assert pays["bonus_banker"] == "30:1 to 1:1"
    half = {area["wager"]: area["pays"] for area in felts["ny-mini-six-pays-half"]["areas"]}
    assert half["banker"] == "1:1 to 1:2"


def test_a_drawing_tells_in_words_what_it_shows_and_shows_no_card_face_down() -> None:
    felt = layout_of(dict(tables())["nj-punto-banco"], "x")
    drawn = draw_felt("f", felt, Lying(player=("9h", "??"), names={4: "A <b>"}))
    root = ET.fromstring(drawn)  # noqa: S314  (our own text)
    title = next(one for one in root if one.tag.endswith("title")).text or ""
    assert "Player's Hand: 9♥, face down" in title
    assert "A &lt;b&gt;" in drawn
    assert drawn.count("A card face down") == 1


def test_type_on_a_desk_of_1040_pixels_is_twelve_pixels_high() -> None:
    # The layout has 680 of them, beside what is next.
    felt = seated(dict(tables())["nj-minibaccarat"], 7, "clockwise")
    sizes = {box.kind: box.size for box in plan_of(felt, crowded(felt)) if box.lines}
    for kind in ("area", "chip", "seat"):
        assert sizes[kind] * 680 / WIDTH >= 11.9, kind


@pytest.mark.parametrize("form", ["text", "json", "svg"])
def test_the_command_shows_a_layout_in_every_form(form: str) -> None:
    path = ROOT / "submissions" / "ma-ez.toml"
    result = CliRunner().invoke(main, ["layout", str(path), "--format", form])
    assert result.exit_code == 0, result.output
    assert "Panda 8" in result.output


def test_a_layout_is_drawn_into_a_file(tmp_path: Path) -> None:
    path = ROOT / "submissions" / "ny-midi.toml"
    out = tmp_path / "felt.svg"
    result = CliRunner().invoke(main, ["layout", str(path), "--side", "dealer", "-o", str(out)])
    assert result.exit_code == 0, result.output
    assert ET.fromstring(out.read_text()).tag.endswith("svg")  # noqa: S314  (our own)


def test_a_browser_finds_every_line_of_type_within_its_box() -> None:
    with chromium() as browser:
        page = browser.new_page()
        for name, rules in spread(tables(), 4):
            for seats in (1, 7, 14):
                felt = seated(rules, seats, "clockwise")
                boxes = plan_of(felt, crowded(felt))
                page.set_content(draw_felt("f", felt, crowded(felt)))
                texts = page.evaluate(
                    "[...document.querySelectorAll('text')].map(t => {const b = t.getBBox();"
                    " return [t.textContent, b.x, b.y, b.width, b.height]})"
                )
                assert len(texts) > 3 * seats
                for said, x, y, wide, high in texts:
                    held = [
                        box
                        for box in boxes
                        if box.x - 1 <= x and x + wide <= box.x + box.wide + 1
                        and box.y - 2 <= y and y + high <= box.y + box.high + 3
                    ]  # fmt: skip
                    assert held, (name, seats, said)
