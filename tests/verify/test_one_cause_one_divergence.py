"""One cause makes one divergence: what follows from it is named with it, what cannot be known is not told."""

from pathlib import Path

import pytest

from croupier.rules import TableRules, read_submission, table_rules
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import VerificationReport

NJ: TableRules = table_rules(
    read_submission(Path(__file__).parents[2] / "submissions" / "nj-minibaccarat.toml")
)


def judged(tmp_path: Path, *lines: str) -> VerificationReport:
    path = tmp_path / "r.csv"
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return verify_file(path, NJ)


def told(report: VerificationReport) -> list[tuple[int, str, tuple[str, ...]]]:
    return [(one.line, one.kind, one.follows) for one in report.divergences]


HEADER = "shoe,round,player,banker,winner"


def test_a_winner_by_a_fourth_card_follows_from_that_card(tmp_path: Path) -> None:
    report = judged(tmp_path, HEADER, "1,1,Kd 7h,2c 3s Qh 4d,B")
    assert told(report) == [(2, "cards", ("winner",))]


def test_a_wager_paid_by_a_fourth_card_follows_from_that_card(tmp_path: Path) -> None:
    # Banker has 9 against 7 as the cards lie: $100 wins $95.
    report = judged(tmp_path, HEADER + ",stake:banker,net:banker", "1,1,Kd 7h,2c 3s Qh 4d,B,100,95")
    assert told(report) == [(2, "cards", ("winner", "settlement"))]


def test_a_winner_that_no_reading_of_a_fourth_card_makes_is_told(tmp_path: Path) -> None:
    # 7 against 5, or against 9: never a tie.
    report = judged(tmp_path, HEADER, "1,1,Kd 7h,2c 3s Qh 4d,T")
    assert [kind for _, kind, _ in told(report)] == ["cards", "winner"]


def test_four_cards_where_two_must_do_are_one_cause(tmp_path: Path) -> None:
    report = judged(tmp_path, HEADER, "1,1,Kd 8h 2c 3d,2c 3s,P")
    assert [kind for _, kind, _ in told(report)] == ["cards"]


def test_every_impossible_card_is_told_once(tmp_path: Path) -> None:
    rows = [f"1,{number},9c 9s,Kh Kd,P" for number in range(1, 12)]
    report = judged(tmp_path, HEADER, *rows)
    assert [one.kind for one in report.divergences] == ["composition"] * 4
    assert [one.line for one in report.divergences] == [10] * 4
    named = {word for one in report.divergences for word in one.message.split()}
    assert {"9♣", "9♠", "K♥", "K♦"} <= named


def test_banker_is_not_blamed_for_a_card_that_nobody_knows(tmp_path: Path) -> None:
    # Player draws on 2, the card is not there; Banker stays on 5 against 0 to 3, 8 and 9.
    report = judged(tmp_path, HEADER, "1,1,2c Qh,5d Ks,B")
    assert [(one.kind, one.hand) for one in report.divergences] == [("third_card", "player")]
    assert any("Banker's decision" in reason for reason in report.unverified)


def test_banker_is_blamed_where_every_card_would_have_it_draw(tmp_path: Path) -> None:
    report = judged(tmp_path, HEADER, "1,1,2c Qh,2d Ks,T")
    assert [(one.kind, one.hand) for one in report.divergences] == [
        ("third_card", "player"),
        ("third_card", "banker"),
    ]
    assert not any("Banker's decision" in reason for reason in report.unverified)


TOTALS = HEADER + ",player_total,banker_total"


def test_the_total_and_winner_of_a_hand_with_its_lost_card_follow_from_the_loss(
    tmp_path: Path,
) -> None:
    report = judged(tmp_path, TOTALS, "1,1,2c Qh,7d Kh,T,7,7")
    assert told(report) == [(2, "third_card", ("totals", "winner"))]


def test_a_total_that_no_lost_card_makes_is_told(tmp_path: Path) -> None:
    # Banker stayed on 6, so Player's card was no 6 or 7: Player has not 8 or 9.
    assert told(judged(tmp_path, TOTALS, "1,1,2c Qh,6d Kh,P,7,6")) == [
        (2, "third_card", ("totals", "winner"))
    ]
    report = judged(tmp_path, TOTALS, "1,1,2c Qh,6d Kh,P,8,6")
    assert [kind for _, kind, _ in told(report)] == ["third_card", "totals"]


def test_a_winner_that_the_total_of_a_lost_card_does_not_make_is_told(tmp_path: Path) -> None:
    report = judged(tmp_path, TOTALS, "1,1,2c Qh,7d Kh,P,7,7")
    assert [kind for _, kind, _ in told(report)] == ["third_card", "winner"]


RIGHT = {1: "9c Kd,7h Js,P", 2: "Qh 6s,8d Td,B", 3: "9d Qc,7s Kh,P", 4: "9h Qs,7d Ks,P"}


def in_order(tmp_path: Path, *places: str) -> VerificationReport:
    rows = [f"{place.replace('.', ',')},{RIGHT[int(place[-1]) % 4 + 1]}" for place in places]
    return judged(tmp_path, HEADER, *rows)


def test_two_neighbors_swapped_are_one_divergence_that_says_so(tmp_path: Path) -> None:
    report = in_order(tmp_path, "1.1", "1.3", "1.2", "1.4")
    assert [(one.kind, one.line) for one in report.divergences] == [("procedure", 3)]
    assert report.divergences[0].message == "rounds 2 and 3 are out of order"


def test_the_first_two_swapped_are_one_divergence(tmp_path: Path) -> None:
    report = in_order(tmp_path, "1.2", "1.1", "1.3", "1.4")
    assert [one.message for one in report.divergences] == ["round 1 follows round 2"]


@pytest.mark.parametrize(
    ("order", "says"),
    [
        ("1 2 4 5 6 3 7", "rounds 3 and 4 are out of order"),
        ("1 5 2 3 4 6", "round 5 follows round 1: rounds 2 to 5 are out of order"),
        ("1 2 5 6", "round 5 follows round 2: rounds 3 to 4 are missing"),
        ("1 2 6 4 7", "round 6 follows round 2: rounds 3 and 5 are missing, and round 4 is out of order"),
        ("1 2 3 2 4", "round 2 follows round 3"),
        ("1 2 3 1 4", "round 1 is recorded again after round 3"),
        ("1 2 2 3", "round 2 is recorded a second time"),
    ],
)  # fmt: skip
def test_a_row_out_of_its_place_is_one_divergence(tmp_path: Path, order: str, says: str) -> None:
    report = in_order(tmp_path, *(f"1.{number}" for number in order.split()))
    assert [one.message for one in report.divergences] == [says]
    assert report.shoes == 1


def test_a_shoe_that_comes_back_is_told_where_it_does(tmp_path: Path) -> None:
    report = in_order(tmp_path, "1.1", "1.2", "2.1", "1.1", "1.2")
    assert [(one.line, one.kind, one.shoe) for one in report.divergences] == [(5, "procedure", "1")]
    assert report.divergences[0].message == "shoe 1 comes back; it ended at line 3"


def test_a_shoe_told_twice_in_a_row_is_one_divergence(tmp_path: Path) -> None:
    report = in_order(tmp_path, "1.1", "1.2", "1.3", "1.1", "1.2", "1.3", "2.1")
    assert [(one.line, one.kind) for one in report.divergences] == [(5, "procedure")]
    assert report.shoes == 3


def test_a_shoe_is_remembered_when_many_others_came_between(tmp_path: Path) -> None:
    others = [f"{shoe},1,{RIGHT[1]}" for shoe in range(2, 200)]
    report = judged(tmp_path, HEADER, f"1,1,{RIGHT[1]}", *others, f"1,2,{RIGHT[2]}")
    assert [(one.line, one.message) for one in report.divergences] == [
        (200 + 1, "shoe 1 comes back; it ended at line 2")
    ]


def test_a_row_that_names_another_shoe_is_found(tmp_path: Path) -> None:
    # Its number follows that of the row before, as if rounds were numbered through the file.
    report = in_order(tmp_path, "1.1", "1.2", "1.3", "2.1", "1.2", "2.3")
    assert [(one.line, one.message) for one in report.divergences] == [
        (6, "round 2 follows round 3")
    ]


def test_below_the_name_of_a_shoe_its_rows_may_be_blank(tmp_path: Path) -> None:
    report = in_order(tmp_path, "1.1", ".2", ".3", "2.1", ".2", "2.3", ".4")
    assert (report.is_clean, report.rounds, report.shoes) == (True, 7, 2)
    (hint,) = report.hints
    assert hint == (
        "Line 3 does not name its shoe: like others without a name, it is read as of shoe 1, the "
        "one before it."
    )
    report = in_order(tmp_path, "1.1", ".2", "2.1", ".3")
    assert [(one.line, one.shoe, one.message) for one in report.divergences] == [
        (5, "2", "round 3 follows round 1: round 2 is missing")
    ]


def test_shoes_in_turns_are_right_and_said_to_be_so(tmp_path: Path) -> None:
    report = in_order(tmp_path, "1.1", "2.1", "1.2", "2.2", "1.3")
    assert report.is_clean
    (hint,) = report.hints
    assert hint.startswith("Shoes are interleaved, first at line 4, where shoe 1 continues after")


# Each row has two kings of spades: 9 against 8.
KINGS = [f"1,{number},Ks 9h,Ks 8d,P" for number in range(1, 5)]


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        # A fourth card of Banker, who drew on 5 against 7.
        ("1,5,Kd 7h,2c 3s Qh Ks,P", "cards"),
        # A third card of Player on a natural.
        ("1,5,Kd 9c Ks,2c 6s,P", "third_card"),
    ],
)
def test_a_card_beyond_the_rules_counts_for_its_shoe(tmp_path: Path, row: str, kind: str) -> None:
    report = judged(tmp_path, HEADER, *KINGS, row, "1,6,Ks 9h,Kd 8d,P")
    assert [(one.line, one.kind) for one in report.divergences] == [
        (6, kind),
        (6, "composition"),
    ]
    assert report.divergences[1].message.startswith("the 9th K♠ of this shoe")
