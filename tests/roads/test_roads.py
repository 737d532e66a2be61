"""The roads of a shoe, worked by hand, held against a second judge, and by what must always hold."""

from itertools import groupby, pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.baccarat.coup import Facts, Hand
from croupier.records.roads import DERIVED, ROWS, Result, RoadBuilder, RoadMark, Roads, roads_of
from support.oracles import roads as roads_oracle

HANDS = {"P": Hand.PLAYER, "B": Hand.BANKER, "T": None}
LETTERS = {hand: letter for letter, hand in HANDS.items()}

# Shoes of every kind: chopping, streaky, with many ties.
SHOES = st.one_of(
    st.text("PBT", max_size=90),
    st.lists(
        st.tuples(st.sampled_from("PB"), st.integers(1, 15), st.sampled_from(["", "T", "TT"])),
        max_size=14,
    ).map(lambda runs: "".join(hand * long + ties for hand, long, ties in runs)),
)


def roads(shoe: str) -> Roads:
    return roads_of(Result(HANDS[letter]) for letter in shoe)


def drawn(found: Roads) -> list[str]:
    """Draw the big road as rows of letters."""
    wide = max((cell.place.column for cell in found.big_road), default=-1) + 1
    rows = [[" "] * wide for _ in range(ROWS)]
    for cell in found.big_road:
        rows[cell.place.row][cell.place.column] = LETTERS[cell.result.winner]
    return ["".join(row).rstrip() for row in rows]


def marks(found: Roads, name: str) -> str:
    return "".join("R" if cell.mark is RoadMark.RED else "B" for cell in found.derived[name])


# --- by hand -----------------------------------------------------------------------------------


def test_a_streak_goes_down_and_the_next_begins_a_column() -> None:
    assert drawn(roads("BBPPPB")) == ["BPB", "BP", " P", "", "", ""]


def test_a_tie_is_counted_at_the_win_before_it_and_breaks_no_streak() -> None:
    found = roads("BTTBPT")
    assert [cell.ties for cell in found.big_road] == [2, 0, 1]
    assert drawn(found) == ["BP", "B", "", "", "", ""]


def test_ties_before_the_first_win_wait_for_its_cell() -> None:
    assert roads("TT") == Roads(roads("TT").bead_plate, (), roads("").derived, leading_ties=2)
    assert roads("TTP").leading_ties == 2
    assert [cell.ties for cell in roads("TTPT").big_road] == [1]


def test_the_bead_plate_goes_down_six_and_then_one_to_the_right() -> None:
    found = roads("PBTPBTP")
    assert [tuple(cell.place) for cell in found.bead_plate][4:] == [(4, 0), (5, 0), (0, 1)]
    assert [LETTERS[cell.result.winner] for cell in found.bead_plate] == list("PBTPBTP")


def test_a_full_column_turns_right() -> None:
    assert drawn(roads("B" * 9)) == ["B", "B", "B", "B", "B", "BBBB"]


def test_a_streak_that_meets_a_tail_turns_right_above_it() -> None:
    assert drawn(roads("B" * 9 + "P" * 7)) == ["BP", "BP", "BP", "BP", "BPPP", "BBBB"]


def test_a_tail_that_has_turned_stays_in_its_row_past_the_end_of_what_barred_it() -> None:
    assert drawn(roads("B" * 7 + "P" * 8))[3:] == ["BP", "BPPPP", "BB"]


def test_a_new_streak_begins_beside_the_head_of_the_one_before_and_not_beside_its_tail() -> None:
    assert drawn(roads("B" * 9 + "PB"))[0] == "BPB"


def test_a_column_whose_head_is_taken_by_a_tail_is_passed_over() -> None:
    # Each streak is barred one row higher, till one turns right in the top row itself.
    runs = "".join("BP"[number % 2] * 12 for number in range(6))
    found = drawn(roads(runs + "B"))
    assert found[0] == "BPBPB" + "P" * 12 + "B"


def test_each_derived_road_begins_where_the_trade_has_it() -> None:
    # The second win of the second, third or fourth column, or the head of the column after it.
    for number, name in enumerate(DERIVED, start=2):
        before = "".join("BP"[at % 2] for at in range(number - 1))
        latest = "BP"[(number - 1) % 2]
        assert marks(roads(before + latest), name) == ""
        assert len(marks(roads(before + latest * 2), name)) == 1
        after = "BP"[number % 2]
        assert len(marks(roads(before + latest + after), name)) == 1
        assert len(marks(roads(before + latest * 2 + after), name)) == 2


@pytest.mark.parametrize(
    ("shoe", "expected"),
    [
        # The second column goes on past the end of the first: blue, and then red for good.
        ("BPP", "B"),
        ("BPPP", "BR"),
        ("BPPPP", "BRR"),
        # It goes on beside the first: red.
        ("BBPP", "R"),
        ("BBPPP", "RB"),
        # A new column: two columns as long as one another, red, otherwise blue.
        ("BPB", "R"),
        ("BBPPB", "RR"),
        ("BBPB", "B"),
        ("BPPB", "BB"),
    ],
)
def test_big_eye_boy_by_hand(shoe: str, expected: str) -> None:
    assert marks(roads(shoe), "big_eye_boy") == expected


def test_a_whole_shoe_by_hand() -> None:
    # Seven columns, of 2, 1, 3, 3, 1, 2 and 1, worked out on paper and parted by column.
    found = roads("BBPBBBPPPBPPB")
    assert marks(found, "big_eye_boy") == "BBRBRRRBBB"
    assert marks(found, "small_road") == "RBBBRBBRB"
    assert marks(found, "cockroach_pig") == "RBBRRB"


def test_a_derived_road_takes_a_tail_for_as_long_as_it_is() -> None:
    # The eighth Player win stands beside the eighth of Banker, though that has turned right.
    assert marks(roads("B" * 8 + "P" * 9), "big_eye_boy") == "R" * 7 + "B"


def test_the_result_of_a_coup_is_marked_with_its_natural_and_its_pairs() -> None:
    found = Result.of(Facts(3, 8, 3, 2, banker_pair=True), 17)
    assert found == Result(Hand.BANKER, natural=True, banker_pair=True, round=17)
    assert not Result.of(Facts(3, 8, 2, 3)).natural
    assert Result.of(Facts(8, 8, 2, 2)) == Result(None, natural=True)


# --- what always holds --------------------------------------------------------------------------


@given(SHOES)
def test_no_two_marks_stand_in_one_cell_and_none_below_the_last_row(shoe: str) -> None:
    found = roads(shoe)
    for places in (
        [cell.place for cell in found.bead_plate],
        [cell.place for cell in found.big_road],
        *([cell.place for cell in cells] for cells in found.derived.values()),
    ):
        assert len(set(places)) == len(places)
        assert all(0 <= row < ROWS and column >= 0 for row, column in places)


@given(SHOES)
def test_the_shoe_can_be_read_off_the_big_road(shoe: str) -> None:
    found = roads(shoe)
    told = "T" * found.leading_ties
    for cell in found.big_road:
        told += LETTERS[cell.result.winner] + "T" * cell.ties
    assert told == shoe
    lengths = [len(list(run)) for _, run in groupby(shoe.replace("T", ""))]
    assert [(cell.streak, cell.depth) for cell in found.big_road] == [
        (streak, depth) for streak, long in enumerate(lengths) for depth in range(long)
    ]


@given(SHOES)
def test_every_cell_is_beside_or_below_the_one_before_or_heads_a_column(shoe: str) -> None:
    cells = roads(shoe).big_road
    for before, cell in pairwise(cells):
        (row, column), place = before.place, tuple(cell.place)
        if cell.depth:
            assert place in {(row + 1, column), (row, column + 1)}
        else:
            assert place[0] == 0


@given(SHOES)
def test_the_second_judge_marks_the_same(shoe: str) -> None:
    found = roads(shoe)
    assert [tuple(cell.place) for cell in found.big_road] == roads_oracle.laid_out(
        roads_oracle.wins(shoe)
    )
    for name, back in DERIVED.items():
        expected = "".join(roads_oracle.derived(shoe, back))
        assert marks(found, name) == expected
        places = [tuple(cell.place) for cell in found.derived[name]]
        assert places == roads_oracle.laid_out(expected)


@given(SHOES)
def test_each_derived_mark_tells_which_win_brought_it_about(shoe: str) -> None:
    found = roads(shoe)
    for name, cells in found.derived.items():
        first = cells[0].of if cells else len(found.big_road)
        assert [cell.of for cell in cells] == list(range(first, len(found.big_road))), name


@given(SHOES, SHOES)
def test_what_is_added_later_changes_no_roads_taken_before(shoe: str, more: str) -> None:
    keeper = RoadBuilder()
    for letter in shoe:
        keeper.add(Result(HANDS[letter]))
    before = keeper.roads
    for letter in more:
        keeper.add(Result(HANDS[letter]))
    assert before == roads(shoe)
    assert keeper.roads == roads(shoe + more)


def test_roads_do_not_change() -> None:
    found = roads("BP")
    with pytest.raises(AttributeError):
        found.leading_ties = 1  # type: ignore[misc]
    with pytest.raises(TypeError):
        found.derived["big_eye_boy"] = ()  # type: ignore[index]


# --- what a next win would mark ----------------------------------------------------------------


@given(SHOES)
def test_what_a_next_win_would_mark_is_what_it_then_marks(shoe: str) -> None:
    keeper = RoadBuilder()
    for letter in shoe:
        keeper.add(Result(HANDS[letter]))
    before, told = keeper.roads, keeper.next_marks()
    assert keeper.roads == before
    assert set(told) == set(DERIVED)
    for hand in Hand:
        after = roads(shoe + LETTERS[hand])
        for name, marks_told in told.items():
            new = [one.mark for one in after.derived[name][len(before.derived[name]) :]]
            assert marks_told[hand] is (new[0] if new else None)
