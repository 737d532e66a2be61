"""The charts: what they draw is in proportion, what they say is text, and nothing is markup."""

from fractions import Fraction
from xml.etree import ElementTree as ET

import pytest

from croupier.reports.charts import WIDTH, Bar, Segment, bars, stack

SVG = "{http://www.w3.org/2000/svg}"
RISKY = '</text><script>alert("x")</script> & \x00 \x1b'

BARS = (
    Bar("Banker", Fraction(1, 100), "1%"),
    Bar("Tie", Fraction(4, 100), "4%"),
    Bar("Royal", Fraction(-2, 100), "-2%"),
)
PARTS = (
    Segment("win", Fraction(2, 10), "20%", "win"),
    Segment("push", Fraction(3, 10), "30%", "push"),
    Segment("lose", Fraction(5, 10), "50%", "loses"),
)


def read(svg: str) -> ET.Element:
    return ET.fromstring(svg)  # noqa: S314  (we made it)


def rectangles(svg: str) -> list[tuple[float, float, str]]:
    """Return where each rectangle starts, how wide it is, and its colour."""
    return [
        (float(one.attrib["x"]), float(one.attrib["width"]), one.attrib["fill"])
        for one in read(svg).iter(f"{SVG}rect")
    ]


def words(svg: str) -> list[str]:
    return [one.text or "" for one in read(svg).iter(f"{SVG}text")]


def test_bars_are_as_long_as_their_values() -> None:
    (_, banker, _), (_, tie, _), (_, royal, _) = rectangles(bars("edges", "Edges", BARS))
    assert tie == pytest.approx(4 * banker, abs=0.05)
    assert royal == pytest.approx(2 * banker, abs=0.05)


def test_a_negative_bar_lies_on_the_other_side_of_zero_in_another_colour() -> None:
    (zero, _, blue), _, (start, wide, orange) = rectangles(bars("edges", "Edges", BARS))
    assert start + wide == pytest.approx(zero, abs=0.02)
    assert blue != orange


def test_a_value_too_small_to_see_is_seen_and_nothing_is_not() -> None:
    items = (
        Bar("some", Fraction(1, 10**9), "a bit"),
        Bar("all", Fraction(1), "1"),
        Bar("no", Fraction(), "0"),
    )
    assert [wide for _, wide, _ in rectangles(bars("n", "t", items))][::2] == [1.0, 0.0]


def test_bars_and_values_do_not_overlap() -> None:
    svg = read(bars("edges", "Edges", BARS))
    ends = [float(one.attrib["x"]) + float(one.attrib["width"]) for one in svg.iter(f"{SVG}rect")]
    longest = max(len(one.written) for one in BARS)
    assert max(ends) < WIDTH - longest * 6


def test_the_parts_of_a_stack_fill_its_width_in_proportion() -> None:
    # The first three rectangles are the bar, the others its legend; a part gives a unit to its gap.
    parts = rectangles(stack("n", "t", PARTS))[:3]
    assert [start for start, _, _ in parts] == pytest.approx([0, WIDTH * 0.2, WIDTH * 0.5])
    assert [wide + 1 for _, wide, _ in parts] == pytest.approx(
        [WIDTH * 0.2, WIDTH * 0.3, WIDTH * 0.5]
    )


def test_win_push_and_loss_differ_in_lightness_too() -> None:
    def lightness(colour: str) -> float:
        red, green, blue = (int(colour[at : at + 2], 16) for at in (1, 3, 5))
        return 0.299 * red + 0.587 * green + 0.114 * blue

    win, push, lose = (lightness(colour) for _, _, colour in rectangles(stack("n", "t", PARTS))[:3])
    assert push - lose > 40
    assert lose - win > 30


@pytest.mark.parametrize("svg", [bars("n", "A title", BARS), stack("n", "A title", PARTS)])
def test_a_chart_names_and_describes_itself_for_who_cannot_see_it(svg: str) -> None:
    chart = read(svg)
    assert chart.attrib["role"] == "img"
    title = chart.find(f"{SVG}title")
    told = chart.find(f"{SVG}desc")
    assert title is not None
    assert told is not None
    assert title.text == "A title"
    assert title.attrib["id"] == chart.attrib["aria-labelledby"]
    assert told.attrib["id"] == chart.attrib["aria-describedby"]
    items = BARS if "Royal" in svg else PARTS
    assert told.text == "; ".join(f"{one.label} {one.written}" for one in items)


def test_the_legend_has_every_label_and_value_as_text() -> None:
    shown = words(stack("n", "t", PARTS))
    for part in PARTS:
        assert part.label in shown
        assert part.written in shown


def test_a_label_too_long_is_cut_in_the_picture_and_whole_in_its_description() -> None:
    long = "a wager with a name that takes more than half of the chart"
    svg = bars("n", "t", (Bar(long, Fraction(1), "100%"),))
    assert words(svg)[0].endswith("…")
    assert f"{long} 100%" in svg


@pytest.mark.parametrize(
    "svg",
    [
        bars("n", RISKY, (Bar(RISKY, Fraction(1), RISKY),)),
        stack("n", RISKY, (Segment(RISKY, Fraction(1), RISKY, "win"),)),
    ],
)
def test_no_text_becomes_markup(svg: str) -> None:
    assert {one.tag.removeprefix(SVG) for one in read(svg).iter()} <= {
        "svg",
        "title",
        "desc",
        "rect",
        "text",
        "path",
    }
    assert "\x1b" not in svg


def test_charts_of_nothing_are_charts() -> None:
    assert rectangles(bars("n", "t", ())) == []
    assert rectangles(stack("n", "t", ())) == []
