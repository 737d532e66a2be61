"""Irregularities that a record marks are judged by the procedure that the licensee has elected."""

import tomllib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from croupier.rules import TableRules, submission_of, table_rules
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import VerificationReport

SUBMISSIONS = Path(__file__).parents[2] / "submissions"

HEAD = "shoe,round,player,banker,winner,burned,marks,stake:player,net:player"
FIRST = "1,1,9h Kd,Th 7c,player,5c 8s Qh 7s 9c 7h,,25,25"
# Both hands stand: a third card for Player's Hand is one that neither hand may have.
ERROR = "1,2,6h Kd,Th 7c,banker,,{mark},25,-25"
NEXT = "1,3,{player},Th 7c,player,{burned},{mark},{money}"


def rules_of(name: str, **elected: Any) -> TableRules:
    tables = tomllib.loads((SUBMISSIONS / f"{name}.toml").read_text(encoding="utf-8"))
    irregularity = {name: value for name, value in elected.items() if value is not None}
    kept = {key: value for key, value in tables["elections"]["irregularity"].items() if not elected}
    tables["elections"]["irregularity"] = irregularity or kept
    return table_rules(submission_of(tables))


BY_VALUE = rules_of("nj-minibaccarat")
BY_VALUE_ONE = rules_of("nj-minibaccarat", disclosed_card="discard-by-value", ten_extra=1)
ONE = rules_of("nj-minibaccarat", disclosed_card="discard-one")
SIMULATED = rules_of("nj-minibaccarat", disclosed_card="simulated-round")
MA = rules_of("ma")


def verified(path: Path, rules: TableRules, lines: Sequence[str]) -> VerificationReport:
    path.write_text("\n".join([HEAD, *lines]) + "\n", encoding="utf-8")
    return verify_file(path, rules)


def after(
    path: Path,
    rules: TableRules,
    mark: str,
    *,
    player: str = "9d Kc",
    burned: str = "",
    then: str = "",
    money: str = "25,25",
) -> tuple[str, ...]:
    """Judge a round with a mark and the one after it; return what is found, by its clauses."""
    lines = [
        FIRST,
        ERROR.format(mark=mark),
        NEXT.format(player=player, burned=burned, mark=then, money=money),
    ]
    found = verified(path, rules, lines).divergences
    assert {one.kind for one in found} <= {"procedure"}, found
    return tuple(clause for one in found for clause in one.clauses[-1:])


@pytest.mark.parametrize(
    ("rules", "burned", "right"),
    [
        (BY_VALUE, "3h 2c 4c 5c", True),
        (BY_VALUE, "3h 2c 4c", False),
        (BY_VALUE, "", False),
        (BY_VALUE, "3h 2c", False),
        (ONE, "3h ?", True),
        (ONE, "3h 2c 4c 5c", False),
        (SIMULATED, "3h ?", False),
        (SIMULATED, "3h 2c 4c 5c", False),
    ],
)
def test_a_disclosed_card_goes_where_the_licensee_has_it_go(
    tmp_path: Path,
    rules: TableRules,
    burned: str,
    right: bool,  # noqa: FBT001
) -> None:
    found = after(tmp_path / "r.csv", rules, "disclosed=3h", burned=burned)
    assert (found == ()) is right
    assert all(clause.startswith("NJ-MINI:7.11(c)") for clause in found)


def test_a_disclosed_ten_goes_with_one_more_or_with_ten(tmp_path: Path) -> None:
    ten = " ".join(["Kh", *["2c"] * 5, *["4d"] * 5])
    assert after(tmp_path / "r.csv", BY_VALUE, "disclosed=Kh", burned=ten) == ()
    assert after(tmp_path / "r.csv", BY_VALUE_ONE, "disclosed=Kh", burned="Kh 2c") == ()
    assert after(tmp_path / "r.csv", BY_VALUE, "disclosed=Kh", burned="Kh 2c") != ()
    assert after(tmp_path / "r.csv", BY_VALUE_ONE, "disclosed=Kh", burned=ten) != ()


def test_what_was_burned_may_stand_with_the_round_of_the_mark(tmp_path: Path) -> None:
    lines = [FIRST, "1,2,6h Kd,Th 7c,banker,3h 2c 4c 5c,disclosed=3h,25,-25"]
    assert verified(tmp_path / "r.csv", BY_VALUE, lines).is_clean
    lines = [FIRST, "1,2,6h Kd,Th 7c,banker,3h 2c,disclosed=3h,25,-25"]
    assert verified(tmp_path / "r.csv", BY_VALUE, lines).by_kind == {"procedure": 1}


def test_a_simulated_round_is_dealt_where_it_is_elected(tmp_path: Path) -> None:
    simulated = {"player": "3h 5c", "then": "simulated", "money": ","}
    assert after(tmp_path / "r.csv", SIMULATED, "disclosed=3h", **simulated) == ()
    other = {**simulated, "player": "4h 5c"}
    assert after(tmp_path / "r.csv", SIMULATED, "disclosed=3h", **other) != ()
    assert after(tmp_path / "r.csv", BY_VALUE, "disclosed=3h", **simulated) != ()
    assert after(tmp_path / "r.csv", BY_VALUE, "", **simulated) != ()
    # Where the law leaves the choice for one card alone, a record does not say which it was.
    assert after(tmp_path / "r.csv", MA, "disclosed=3h", **simulated) == ()


def test_a_simulated_round_has_no_wagers_and_counts_for_nothing(tmp_path: Path) -> None:
    lines = [FIRST, "1,2,3h 5c,Th 7c,player,,simulated,25,25"]
    verification = verified(tmp_path / "r.csv", SIMULATED, lines)
    assert [one.clauses for one in verification.divergences] == [("NJ-MINI:7.11(c)3",)]
    assert verification.census is not None
    assert verification.census["rounds"] == 1


def test_a_simulated_round_draws_by_the_table_and_may_bear_the_number_before_it(
    tmp_path: Path,
) -> None:
    lines = [FIRST, "1,1,3h 2c,Th 7c,banker,,simulated,,", "1,2,9h Kd,Th 7c,player,,,25,25"]
    assert verified(tmp_path / "r.csv", SIMULATED, lines).by_kind == {"third_card": 1}
    lines[1] = "1,1,3h 2c 2d,Th 7c,tie,,simulated,,"
    assert verified(tmp_path / "r.csv", SIMULATED, lines).is_clean


def test_a_simulated_round_may_bear_the_number_of_the_round_after_it(tmp_path: Path) -> None:
    simulated, *rest = "1,2,3h 2c 2d,Th 7c,,,simulated,,", "1,2,9h Kd,Th 7c,player,,,25,25"
    assert verified(tmp_path / "r.csv", SIMULATED, [FIRST, simulated, *rest]).is_clean
    twice = [FIRST, simulated, *rest, *rest]
    assert verified(tmp_path / "r.csv", SIMULATED, twice).by_kind == {"procedure": 1}


def test_a_card_drawn_in_error_begins_the_next_hand(tmp_path: Path) -> None:
    assert after(tmp_path / "r.csv", BY_VALUE, "drawn-in-error=3h", player="3h 5c") == ()
    found = after(tmp_path / "r.csv", BY_VALUE, "drawn-in-error=3h", player="4h 5c")
    assert found == ("NJ-MINI:7.11(b)",)


def test_a_card_that_bankers_hand_was_to_have_is_no_more_to_be_seen_to(tmp_path: Path) -> None:
    lines = [
        FIRST,
        "1,2,6h Kd,Th 4c 3h,banker,,drawn-in-error=3h,25,-25",
        "1,3,9h Kd,Th 7c,player,,,25,25",
    ]
    assert verified(tmp_path / "r.csv", BY_VALUE, lines).is_clean


def test_a_card_face_up_in_the_shoe_is_discarded_with_its_value(tmp_path: Path) -> None:
    assert after(tmp_path / "r.csv", BY_VALUE, "face-up=3h", burned="3h 2c 4c 5c") == ()
    assert after(tmp_path / "r.csv", BY_VALUE, "face-up=Kh", burned="Kh") == ()
    assert after(tmp_path / "r.csv", BY_VALUE, "face-up=Kh", burned="Kh 2c")[0].startswith(
        "NJ-MINI:7.11(d)"
    )
    assert after(tmp_path / "r.csv", MA, "face-up=3h", burned="3h 2c 4c 5c")[0].startswith(
        "MA-MINI:13(d)"
    )


def test_held_cards_that_a_hand_does_not_need_begin_the_one_after_it(tmp_path: Path) -> None:
    marks = " ".join(f"drawn-in-error={card}" for card in ("9d", "Td", "Kc", "7d", "8h"))
    lines = [
        FIRST,
        ERROR.format(mark=marks.replace(" ", ";")),
        NEXT.format(player="9d Kc", burned="", mark="", money="25,25").replace("Th 7c", "Td 7d"),
        "1,4,8h Kd,Th 7s,player,,,25,25",
    ]
    assert verified(tmp_path / "r.csv", BY_VALUE, lines).divergences == []
    lines[-1] = "1,4,9s Kd,Th 7s,player,,,25,25"
    (found,) = verified(tmp_path / "r.csv", BY_VALUE, lines).divergences
    assert found.clauses == ("NJ-MINI:7.11(b)",)


def test_a_third_card_dealt_before_its_time_is_players_if_player_draws(tmp_path: Path) -> None:
    lines = [
        FIRST,
        "1,2,2h Kd 6c,Th 7c,player,,drawn-in-error=6c,25,25",
        NEXT.format(player="9d Kc", burned="", mark="", money="25,25"),
    ]
    assert verified(tmp_path / "r.csv", MA, lines).divergences == []


def test_cards_burned_without_a_mark_are_held_against_every_procedure(tmp_path: Path) -> None:
    assert after(tmp_path / "r.csv", BY_VALUE, "", burned="3h 2c 4c 5c") == ()
    assert after(tmp_path / "r.csv", BY_VALUE, "", burned="3h 2c") != ()


def test_a_void_round_gives_every_stake_back(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    void = "7,60,6h Kd,Th,,,void,25,0"
    assert verified(path, BY_VALUE, [void]).is_clean
    found = verified(path, BY_VALUE, [void.replace("25,0", "25,-25")]).divergences
    assert [(one.kind, one.clauses) for one in found] == [("settlement", ("NJ-MINI:7.11(e)#1",))]
    found = verified(path, BY_VALUE, [void.replace("Th,,", "Th,player,")]).divergences
    assert [one.kind for one in found] == ["winner"]
    found = verified(path, BY_VALUE, [void.replace("Th,,", "Th 7c,,")]).divergences
    assert "not void" in found[0].message
    found = verified(path, BY_VALUE, [void, "7,61,9h Kd,Th 7c,player,,,25,25"]).divergences
    assert [one.clauses for one in found] == [("NJ-MINI:7.11(e)#2",)]


def test_a_round_is_not_void_while_the_shoe_has_cards(tmp_path: Path) -> None:
    found = verified(tmp_path / "r.csv", BY_VALUE, [FIRST, "1,2,6h Kd,Th,,,void,25,0"]).divergences
    assert [(one.kind, one.clauses) for one in found] == [("procedure", ("NJ-MINI:7.11(e)#1",))]


def test_a_free_hand_is_dealt_where_the_law_and_the_licensee_let_it(tmp_path: Path) -> None:
    free = "7,8,9h Kd,Th 7c,player,,free-hand,,"
    found = verified(tmp_path / "r.csv", MA, [free]).divergences
    assert [one.kind for one in found] == ["procedure"]
    assert found[0].clauses[0].startswith("MA-MINI:")
    staked = verified(tmp_path / "r.csv", BY_VALUE, ["7,8,9h Kd,Th 7c,player,,free-hand,25,25"])
    assert staked.by_kind == {"procedure": 1}


def test_what_was_done_and_is_not_told_is_not_judged(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    lines = ["shoe,round,player,banker,marks", "1,4,6h Kd,Th 7c,disclosed=3h", "1,5,9h Kd,Th 7c,"]
    path.write_text("\n".join(lines), encoding="utf-8")
    verification = verify_file(path, BY_VALUE)
    assert verification.is_clean
    assert [
        number for reason, number in verification.unverified.items() if "disclosed" in reason
    ] == [1]


def test_a_void_round_after_unrecorded_cards_is_not_accused(tmp_path: Path) -> None:
    """Discards may have left the shoe empty; only a record of all its cards shows that not."""
    path, reason = tmp_path / "r.csv", "too few cards for a void round"
    rows = ["1,1,9h Kd,Th 7c,player,25,25,", "1,2,6h Kd,Th,,25,0,void"]
    head = "shoe,round,player,banker,winner,stake:player,net:player,marks"
    path.write_text("\n".join([head, *rows]), encoding="utf-8")
    report = verify_file(path, BY_VALUE)
    assert report.is_clean
    assert [number for text, number in report.unverified.items() if reason in text] == [1]
    # With burned cards all of the shoe is known, unless rounds are missing before it.
    void = "1,{},6h Kd,Th,,,void,25,0"
    found = verified(path, BY_VALUE, [FIRST, void.format(2)]).divergences
    assert [one.kind for one in found] == ["procedure"]
    found = verified(path, BY_VALUE, [FIRST, void.format(4)]).divergences
    assert [one.message for one in found] == ["round 4 follows round 1: rounds 2 to 3 are missing"]
    # The next shoe shows that the void round ended its own, not that a last hand is missing.
    then = "2,1,9h Kd,Th 7c,player,5c 8s Qh 7s 9c 7h,,25,25"
    rows = ["7,60,6h Kd,Th,,,cutting-card;void,25,0", then]
    assert verified(path, BY_VALUE, rows).is_clean


@pytest.mark.parametrize(
    ("marks", "burned", "is_right"),
    [
        # 3h takes three more, and 2d among them two more: seven cards.
        ("face-up=3h;face-up=2d", "3h 2d 5c 5d 5h 6c 6d", True),
        ("face-up=3h;disclosed=2d", "2d 5c 5d 3h 5h 6c 6d", True),
        ("face-up=3h;face-up=2d", "3h 2d 5c 5d 5h 6c", False),
    ],
)
def test_discards_of_irregularities_that_come_together(
    tmp_path: Path, marks: str, burned: str, *, is_right: bool
) -> None:
    found = after(tmp_path / "r.csv", BY_VALUE, marks, burned=burned)
    assert (found == ()) is is_right
    # Those of the row itself, and those after the burn of a five and five more.
    path = tmp_path / "r.csv"
    own = f"1,2,6h Kd,Th 7c,banker,{burned},{marks},25,-25"
    assert verified(path, BY_VALUE, [FIRST, own]).is_clean is is_right
    first = FIRST.replace("7h,,", f"7h {burned},{marks},")
    assert verified(path, BY_VALUE, [first]).is_clean is is_right


def test_each_of_them_is_discarded(tmp_path: Path) -> None:
    found = after(tmp_path / "r.csv", BY_VALUE, "face-up=3h;face-up=2d", burned="3h 5c 5d 5h")
    assert [clause.split("#")[0] for clause in found] == ["NJ-MINI:7.11(d)"]


def test_a_void_round_whose_discards_ran_out(tmp_path: Path) -> None:
    void = "7,60,6h Kd,Th,,{},{}void,25,0"
    for burned, marks in (
        ("8h 2c", "face-up=8h;"),
        ("8h 2c", ""),
        ("8h 2c", "face-up=8h;face-up=2c;"),
    ):
        assert verified(tmp_path / "r.csv", BY_VALUE, [void.format(burned, marks)]).is_clean
    found = verified(tmp_path / "r.csv", BY_VALUE, [void.format("2c 8h 8d 8s", "face-up=2c;")])
    assert found.by_kind == {"procedure": 1}


def test_several_simulated_rounds_follow_one_another(tmp_path: Path) -> None:
    """Under Massachusetts each card begins a round of its own, in order; a ten is no other."""
    lines = [
        FIRST,
        "1,2,6h Kd,Th,,,face-up=Kc;face-up=2d;void,25,0",
        "1,3,Kc 9s,Th 7c,,,simulated,,",
        "1,4,2d 7s,Th 7c,,,simulated,,",
    ]
    assert verified(tmp_path / "r.csv", MA, lines).divergences == []
    found = verified(tmp_path / "r.csv", MA, [*lines[:3], "1,4,9d Kc,Th 7c,player,,,25,25"])
    assert [one.clauses[0] for one in found.divergences] == ["MA-MINI:13(d)"]


def test_a_card_may_void_a_round_that_has_all_of_its_own(tmp_path: Path) -> None:
    report = verified(tmp_path / "r.csv", MA, [FIRST, "1,2,6h Kd,Th 7c,,,face-up=Kc;void,25,0"])
    assert report.is_clean
    assert "why a round whose hands have all their cards is void" in report.unverified
