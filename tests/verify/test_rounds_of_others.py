"""Rounds of other people's dealers: the right ones come out clean, each wrong one shows its fault."""

import gzip
import json
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from msgspec.structs import replace

from croupier.records.rounds.mapping import RoundMapping, mapping_of
from croupier.rules import TableRules, read_submission, table_rules
from croupier.verify.rounds.documents import KINDS
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import RoundDivergence, VerificationReport
from support.external_rounds import House, Round, count, csv_lines, json_lines, shoes, winner_of
from support.volume import spread, volume

SUBMISSIONS = Path(__file__).parents[2] / "submissions"

FIVE = ("player", "banker", "tie", "bonus_player", "bonus_banker")
HOUSES = {
    "nj-minibaccarat": House((*FIVE, "four_cards", "five_cards", "six_cards")),
    "nj-minibaccarat-six-pays-half": House(("player", "banker", "tie"), six_pays_half=True, unit=None),
    "nj-minibaccarat-tie-vigorish": House(("player", "banker", "tie"), rate=Fraction(0), unit=None, tie_rate=Fraction(1, 4)),
    "ma": House(FIVE, unit=25),
    "ny-mini": House(FIVE, unit=5, bonus="C"),
}  # fmt: skip


def rules_of(name: str) -> TableRules:
    return table_rules(read_submission(SUBMISSIONS / f"{name}.toml"))


NJ = rules_of("nj-minibaccarat")
STAKES = range(2_500, 25_000, 500)


def written(path: Path, lines: Sequence[str]) -> Path:
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


def verified(
    path: Path,
    rounds: Sequence[Round],
    rules: TableRules = NJ,
    wagers: Sequence[str] = (),
    **how: Any,
) -> VerificationReport:
    cards_behind = how.pop("cards_behind", None)
    return verify_file(
        written(path, list(csv_lines(rounds, wagers, **how))), rules, cards_behind=cards_behind
    )


def only(verification: VerificationReport) -> RoundDivergence:
    told = "\n".join(map(str, verification.divergences))
    assert len(verification.divergences) == 1, told
    return verification.divergences[0]


def dealt(
    house: House = HOUSES["nj-minibaccarat"],
    number: int = 2,
    seed: int = 1,
    most: int | None = None,
) -> list[Round]:
    return list(shoes(house, number, seed, most=most, stakes=STAKES))


# --- right ones --------------------------------------------------------------------------------


@pytest.mark.parametrize("name", HOUSES)
@pytest.mark.parametrize("burn", [True, False], ids=["burn told", "no burn told"])
def test_right_rounds_are_clean(tmp_path: Path, name: str, burn: bool) -> None:  # noqa: FBT001
    house = HOUSES[name]
    shoes = volume(20, 4)
    rounds = dealt(house, shoes)
    rules = rules_of(name)
    if name == "ma":
        # There the first card of the burn is shown, and the others are not.
        for one in rounds:
            one.burned = one.burned[:1] + ["?"] * (len(one.burned) - 1)
    verification = verified(tmp_path / "r.csv", rounds, rules, house.wagers, burn=burn)
    assert verification.divergences == []
    assert (verification.rounds, verification.shoes) == (len(rounds), shoes)
    assert verification.unverified == {}


def lines_of(rounds: Sequence[Round], wagers: Sequence[str] = FIVE, **how: Any) -> list[str]:
    return list(csv_lines(rounds, wagers, **how))


def without_shoe(lines: list[str]) -> list[str]:
    return [line.partition(",")[2] for line in lines]


RIGHT_FORMS: dict[str, Callable[[list[Round]], list[str]]] = {
    "header in capitals": lambda rounds: [
        line.upper() if number == 0 else line for number, line in enumerate(lines_of(rounds))
    ],
    "winners by letter": lambda rounds: lines_of([replace(one, winner=one.winner[0].upper()) for one in rounds]),
    "winners in words": lambda rounds: lines_of([replace(one, winner=one.winner.title()) for one in rounds]),
    "winner alone": lambda rounds: lines_of(rounds, (), columns=("winner",)),
    "totals alone": lambda rounds: lines_of(rounds, (), columns=("player_total", "banker_total")),
    "cards alone": lambda rounds: lines_of(rounds, (), columns=()),
    "tens as 10": lambda rounds: [line.replace("T", "10") for line in lines_of(rounds)],
    "no suits": lambda rounds: lines_of(
        [replace(one, player=[c[0] for c in one.player], banker=[c[0] for c in one.banker]) for one in rounds]
    ),
    "numbers from nought": lambda rounds: lines_of([replace(one, number=one.number - 1) for one in rounds]),
    "numbers across shoes": lambda rounds: lines_of(
        [replace(one, number=number) for number, one in enumerate(rounds, start=7)]
    ),
    "one shoe without its column": lambda rounds: without_shoe(lines_of([r for r in rounds if r.shoe == 1])),
    "shoes without a column": lambda rounds: without_shoe(lines_of(rounds)),
    "broken off in the middle": lambda rounds: lines_of(rounds)[:100],
    "begun in the middle": lambda rounds: [lines_of(rounds)[0], *lines_of(rounds)[40:]],
    "tabs": lambda rounds: [line.replace(",", "\t") for line in lines_of(rounds)],
    "every cell quoted": lambda rounds: [
        ",".join(f'"{cell}"' for cell in line.split(",")) for line in lines_of(rounds)
    ],
    "blank lines between": lambda rounds: [part for line in lines_of(rounds) for part in (line, "")],
    "blank lines and no numbers": lambda rounds: [
        part
        for line in lines_of([one for one in rounds if one.shoe == 1])
        for part in (line.split(",", 2)[2], "", ",,")
    ],
    "cards joined": lambda rounds: lines_of(
        [replace(one, player=["".join(one.player)], banker=["".join(one.banker)]) for one in rounds]
    ),
    "two tables in turns": lambda rounds: [
        lines_of(rounds)[0],
        *(
            line
            for pair in zip(
                lines_of([r for r in rounds if r.shoe == 1])[1:60],
                lines_of([r for r in rounds if r.shoe == 2])[1:60],
                strict=True,
            )
            for line in pair
        ),
    ],
}  # fmt: skip


@pytest.mark.parametrize("form", RIGHT_FORMS)
def test_right_rounds_are_clean_however_they_are_written(tmp_path: Path, form: str) -> None:
    path = written(tmp_path / "r.csv", RIGHT_FORMS[form](dealt()))
    verification = verify_file(path, NJ)
    assert verification.divergences == []
    assert verification.rounds > 50


def test_what_is_packed_and_what_windows_wrote_is_read(tmp_path: Path) -> None:
    text = "\r\n".join(lines_of(dealt())) + "\r\n"
    for encoding in ("utf-8-sig", "utf-16", "latin-1"):
        path = tmp_path / f"{encoding}.csv.gz"
        path.write_bytes(gzip.compress(text.encode(encoding)))
        assert verify_file(path, NJ).is_clean


def test_a_mapping_reads_other_names_and_values(tmp_path: Path) -> None:
    signs = str.maketrans("cdhs", "♣♦♥♠")
    lines = ["ShoeNo;GameNo;P1;B1;P2;B2;P3;B3;Result;BankerBet;BankerWin"]
    for one in dealt():
        cards = [
            hand[place].translate(signs).replace("T", "10") if len(hand) > place else ""
            for place in range(3)
            for hand in (one.player, one.banker)
        ]
        stake, net = one.wagers["banker"]
        result = {"player": "punto", "banker": "banco", "tie": "egalité"}[one.winner]
        lines.append(
            ";".join([str(one.shoe), str(one.number), *cards, result, str(stake), str(net)])
        )
    mapping = mapping_of(
        {
            "columns": {
                "shoe": "ShoeNo",
                "round": "GameNo",
                "player": ["P1", "P2", "P3"],
                "banker": ["B1", "B2", "B3"],
                "winner": "Result",
            },
            "wagers": {"banker": {"stake": "BankerBet", "net": "BankerWin"}},
            "money": {"unit": "cents"},
            "values": {"winner": {"punto": "player", "banco": "banker", "egalité": "tie"}},
        }
    )
    verification = verify_file(written(tmp_path / "r.csv", lines), NJ, mapping)
    assert verification.divergences == []
    assert verification.rounds == len(lines) - 1


def test_cards_in_the_order_dealt_are_parted_by_the_drawing_table(tmp_path: Path) -> None:
    lines = ["shoe,round,cards,winner"]
    for one in dealt():
        order = [card for place in range(2) for card in (one.player[place], one.banker[place])]
        order += one.player[2:] + one.banker[2:]
        lines.append(f"{one.shoe},{one.number},{' '.join(order)},{one.winner}")
    assert verify_file(written(tmp_path / "r.csv", lines), NJ).is_clean


def test_right_json_lines_are_clean(tmp_path: Path) -> None:
    house = House(("player", "banker", "tie"))
    path = written(tmp_path / "r.jsonl", json_lines(dealt(house)))
    assert verify_file(path, NJ).divergences == []


def test_right_parquet_is_clean_and_wrong_parquet_is_not(tmp_path: Path) -> None:
    pyarrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    house = House(("player", "banker", "tie"))
    rows = [json.loads(line) for line in json_lines(dealt(house))]
    for row in rows:
        row["player"] = row["player"].split()
    path = tmp_path / "r.parquet"
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    verification = verify_file(path, NJ)
    assert (verification.divergences, verification.rounds) == ([], len(rows))
    rows[10]["winner"] = "tie" if rows[10]["winner"] != "tie" else "player"
    parquet.write_table(pyarrow.Table.from_pylist(rows), path)
    assert only(verify_file(path, NJ)).kind == "winner"


def test_rows_by_seat_make_one_round(tmp_path: Path) -> None:
    lines = ["shoe,round,seat,player,banker,stake:banker,net:banker"]
    for one in dealt():
        stake, net = one.wagers["banker"]
        hands = f"{' '.join(one.player)},{' '.join(one.banker)}"
        lines += [
            f"{one.shoe},{one.number},{seat},{hands},{stake / 100},{net / 100}" for seat in (1, 2)
        ]
    verification = verify_file(written(tmp_path / "r.csv", lines), NJ)
    assert verification.divergences == []
    assert verification.rounds == (len(lines) - 1) / 2


# --- wrong ones --------------------------------------------------------------------------------


def where(rounds: Sequence[Round], wanted: Callable[[Round], bool]) -> int:
    """Return the place of a round of the middle of a shoe."""
    return next(at for at, one in enumerate(rounds) if 3 < one.number < 50 and wanted(one))


def spare(one: Round) -> str:
    """Return a card that changes a hand's count and is not missed in a shoe."""
    return "4c" if "4c" not in one.player + one.banker else "4d"


def recounted(one: Round) -> None:
    """Count and judge a round as its hands lie there, as an engine does that drew wrongly."""
    one.player_total, one.banker_total = count(one.player), count(one.banker)
    one.winner = winner_of(one.player_total, one.banker_total)


def missing_third(rounds: list[Round]) -> int:
    at = where(
        rounds, lambda one: len(one.player) == 3 and len(one.banker) == 2 and count(one.banker) > 5
    )
    rounds[at].player.pop()
    recounted(rounds[at])
    return at


def players_third_too_many(rounds: list[Round]) -> int:
    at = where(
        rounds,
        lambda one: (
            len(one.player + one.banker) == 4
            and count(one.player) in {6, 7}
            and count(one.banker) in {6, 7}
        ),
    )
    rounds[at].player.append(spare(rounds[at]))
    recounted(rounds[at])
    return at


def bankers_third_after_natural(rounds: list[Round]) -> int:
    at = where(
        rounds,
        lambda one: len(one.player) == 2 and count(one.player) in {8, 9} and count(one.banker) < 5,
    )
    rounds[at].banker.append(spare(rounds[at]))
    recounted(rounds[at])
    return at


def bankers_third_missing(rounds: list[Round]) -> int:
    at = where(rounds, lambda one: len(one.banker) == 3)
    rounds[at].banker.pop()
    recounted(rounds[at])
    return at


def banker_draws_on_three_against_eight(rounds: list[Round]) -> int:
    at = where(
        rounds, lambda one: len(one.banker) == 2 and len(one.player) == 3 and count(one.banker) == 7
    )
    one = rounds[at]
    # The hands are made, so that the drawing table is read where it is most often read wrongly.
    one.player, one.banker = ["2c", "3d", "8h"], ["Kc", "3s", "5c"]
    recounted(one)
    return at


def fourth_card(rounds: list[Round]) -> int:
    at = where(rounds, lambda one: len(one.player) == 3)
    rounds[at].player.append("Kc")
    return at


def one_card(rounds: list[Round]) -> int:
    at = where(rounds, lambda one: len(one.banker) == 2)
    rounds[at].banker.pop()
    return at


def wrong_total(rounds: list[Round]) -> int:
    at = where(rounds, lambda one: one.winner == "player" and one.player_total == 7)
    rounds[at].player_total = 8
    return at


def wrong_winner(rounds: list[Round]) -> int:
    at = where(rounds, lambda one: one.winner == "banker" and one.banker_total > 1)
    rounds[at].winner = "player"
    return at


def wager_changed(
    wager: str, change: Callable[[int, int], tuple[int, int]], wanted: Callable[[Round], bool]
) -> Callable[[list[Round]], int]:
    def detail(rounds: list[Round]) -> int:
        at = where(rounds, wanted)
        rounds[at].wagers[wager] = change(*rounds[at].wagers[wager])
        return at

    return detail


def staked(wager: str, stake: int, net: Callable[[int], int]) -> Callable[[list[Round]], int]:
    def detail(rounds: list[Round]) -> int:
        at = where(rounds, lambda one: one.winner == "banker")
        rounds[at].wagers[wager] = (stake, net(stake))
        return at

    return detail


def no_round(rounds: list[Round]) -> int:
    at = where(rounds, lambda one: one.number == 20)
    del rounds[at]
    return at


def twice(rounds: list[Round]) -> int:
    at = where(rounds, lambda one: one.number == 20)
    rounds.insert(at, replace(rounds[at]))
    return at + 1


def ninth_ace_of_hearts(rounds: list[Round]) -> int:
    """Write every ace as that of hearts, as an engine does whose suits are broken."""
    held, place = 0, 0
    for at, one in enumerate(rounds):
        if one.shoe != 1:
            break
        for hand in (one.player, one.banker):
            for number, card in enumerate(hand):
                if card[0] == "A":
                    hand[number] = "Ah"
                    held += 1
                    place = at if held == 9 else place
    return place


FAULTS: dict[str, tuple[Callable[[list[Round]], int], str, str | None, str]] = {
    "Player's third card missing": (missing_third, "third_card", "player", "NJ-MINI:7.9(b)#1"),
    "Player's third card too many": (players_third_too_many, "third_card", "player", "NJ-MINI:7.9(b)#2"),
    "Banker's third card after a natural": (bankers_third_after_natural, "third_card", "banker", "NJ-MINI:7.9(a)"),
    "Banker's third card missing": (bankers_third_missing, "third_card", "banker", "NJ-MINI:7.9(c)"),
    "Banker draws on 3 against 8": (banker_draws_on_three_against_eight, "third_card", "banker", "NJ-MINI:7.9(c)"),
    "a fourth card": (fourth_card, "cards", "player", "NJ-MINI:7.8(d)"),
    "a hand of one card": (one_card, "cards", "banker", "NJ-MINI:7.7(c)"),
    "a wrong total": (wrong_total, "totals", "player", "NJ-MINI:7.1"),
    "a wrong winner": (wrong_winner, "winner", None, "NJ-MINI:7.10(a)"),
    "a losing wager paid": (wager_changed("tie", lambda stake, _: (stake, 8 * stake), lambda one: one.winner == "banker"), "settlement", None, "NJ-MINI:7.2(a)3"),
    "a tie that took a Player wager": (wager_changed("player", lambda stake, _: (stake, -stake), lambda one: one.winner == "tie"), "settlement", None, "NJ-MINI:7.2(a)2.iii"),
    "a bonus at the wrong odds": (wager_changed("bonus_banker", lambda stake, net: (stake, net + stake), lambda one: one.wagers["bonus_banker"][1] > 0), "settlement", None, "NJ-MINI:7.2(a)5"),
    "no vigorish": (wager_changed("banker", lambda stake, _: (stake, stake), lambda one: one.winner == "banker"), "vigorish", None, "NJ-MINI:7.3"),
    "four percent": (wager_changed("banker", lambda *_: (10_000, 9_600), lambda one: one.winner == "banker"), "vigorish", None, "NJ-MINI:7.3"),
    "vigorish rounded down": (wager_changed("banker", lambda *_: (2_530, 2_405), lambda one: one.winner == "banker"), "vigorish", None, "NJ-MINI:7.3"),
    "a stake below the least": (staked("player", 500, lambda stake: -stake), "limit", None, ""),
    "a stake above the most": (staked("tie", 60_000, lambda stake: -stake), "limit", None, ""),
    "a wager that is not offered": (staked("dragon_7", 2_500, lambda stake: -stake), "offer", None, "NJ-MINI:7.2"),
    "a round missing": (no_round, "procedure", None, ""),
    "a round told twice": (twice, "procedure", None, ""),
    "a ninth ace of hearts": (ninth_ace_of_hearts, "composition", None, "NJ-MINI:7.1"),
}  # fmt: skip


def and_beyond(rounds: list[Round], at: int) -> list[Round]:
    """Return the rounds to a place, and those beyond it: to the next shoe at least."""
    return rounds[: volume(len(rounds), at + 60)]


@pytest.mark.parametrize("detail", FAULTS)
def test_each_error_is_found_once_with_its_kind_and_clause(tmp_path: Path, detail: str) -> None:
    spoil, kind, hand, clause = FAULTS[detail]
    house = HOUSES["nj-minibaccarat"]
    # Rounds enough of each shoe, and not so many that a card put in is missed at its end.
    rounds = dealt(house, 8, seed=4, most=50)
    at = spoil(rounds)
    rounds = and_beyond(rounds, at)
    wagers = (*house.wagers, "dragon_7") if kind == "offer" else house.wagers
    for form in (wagers, ()):
        if not form and kind in {"settlement", "vigorish", "limit", "offer"}:
            continue
        verification = verified(tmp_path / "r.csv", rounds, NJ, form)
        found = only(verification)
        assert (found.kind, found.hand) == (kind, hand), found
        assert found.line == at + 2, found
        assert not clause or any(one.startswith(clause) for one in found.clauses), found
        assert verification.by_kind == {kind: 1}
        assert verification.rounds == len(rounds)


def test_of_a_wager_that_won_the_first_clause_is_what_it_is_paid_by(tmp_path: Path) -> None:
    house = HOUSES["nj-minibaccarat"]
    rounds = dealt(house, 8, seed=4, most=50)
    wager_changed("tie", lambda stake, _: (stake, 9 * stake), lambda one: one.winner == "tie")(
        rounds
    )
    found = only(verified(tmp_path / "r.csv", rounds, NJ, house.wagers))
    assert (found.kind, found.clauses) == ("settlement", ("NJ-MINI:7.3(b)", "NJ-MINI:7.2(a)3"))


def test_every_kind_is_made_by_some_error() -> None:
    made = {kind for _, kind, _, _ in FAULTS.values()}
    assert made | {"format"} == set(KINDS)


def test_two_errors_of_one_round_are_two_divergences(tmp_path: Path) -> None:
    rounds = dealt()
    at = wrong_total(rounds)
    stake, _ = rounds[at].wagers["tie"]
    rounds[at].wagers["tie"] = (stake, 0)
    verification = verified(tmp_path / "r.csv", rounds, NJ, ("tie",))
    assert verification.by_kind == {"totals": 1, "settlement": 1}


def test_what_follows_from_a_error_is_named_with_it(tmp_path: Path) -> None:
    rounds = dealt()
    at = wrong_winner(rounds)
    one = rounds[at]
    one.wagers = {"player": (2_500, 2_500), "banker": (2_500, -2_500), "tie": (2_500, -2_500)}
    found = only(verified(tmp_path / "r.csv", rounds, NJ, ("player", "banker", "tie")))
    assert found.kind == "winner"
    assert found.follows == ("settlement",)
    assert (found.expected, found.found) == ("banker", "player")


def test_a_line_that_cannot_be_read_is_told_by_its_number_and_the_rest_is_judged(
    tmp_path: Path,
) -> None:
    lines = lines_of(dealt())
    lines[5] = lines[5][: len(lines[5]) // 2]
    lines[9] = f"{lines[9].partition(',')[0]},what,is,this"
    lines[20] = lines[20].replace(" ", " Zz ", 1)
    verification = verify_file(written(tmp_path / "r.csv", lines), NJ)
    assert [one.line for one in verification.divergences if one.kind == "format"] == [6, 10, 21]
    assert verification.rounds == len(lines) - 4
    # The rounds that could not be read are missing from the order of the others.
    assert set(verification.by_kind) == {"format"}


def test_words_in_place_of_a_round_are_named_and_the_round_is_missing(tmp_path: Path) -> None:
    lines = lines_of(dealt())
    lines[9] = "what is this"
    verification = verify_file(written(tmp_path / "r.csv", lines), NJ)
    (found,) = verification.divergences
    assert (found.kind, found.line) == ("procedure", 11)
    assert found.message.endswith("is missing")
    assert any("skipped: 1 of 'what is this'" in hint for hint in verification.hints)


def test_a_fraction_of_a_cent_is_a_matter_of_vigorish(tmp_path: Path) -> None:
    lines = ["round,player,banker,stake:banker,net:banker", "1,2c Kd,4h 5s,25.30,24.035"]
    found = only(verify_file(written(tmp_path / "r.csv", lines), NJ))
    assert (found.kind, found.expected, found.found) == ("vigorish", 2_400, "24.035")


def test_a_table_that_pays_in_floats_is_read_as_it_meant(tmp_path: Path) -> None:
    lines = ["round,player,banker,stake:banker,net:banker"]
    lines += ["1,2c Kd,4h 5s,33,31.349999999999998", "2,9c Kd,4h 4s,33.0,-33.0"]
    assert verify_file(written(tmp_path / "r.csv", lines), NJ).divergences == []


@pytest.mark.parametrize("spoiled", [0, 3, 40])
def test_a_glance_and_a_long_look_come_to_the_same(tmp_path: Path, spoiled: int) -> None:
    rounds = dealt(HOUSES["nj-minibaccarat"], volume(12, 4), seed=9)
    for number in range(spoiled):
        one = rounds[volume(17, 7) * number + 3]
        wager = FIVE[number % 5]
        stake, net = one.wagers[wager]
        one.wagers[wager] = (stake, net + 500)
    path = written(tmp_path / "r.csv", lines_of(rounds, FIVE))
    quick = verify_file(path, NJ)
    # A column of seats is nothing that is judged at a glance.
    lines = [
        f"{line},{'seat' if number == 0 else ''}"
        for number, line in enumerate(lines_of(rounds, FIVE))
    ]
    slow = verify_file(written(tmp_path / "s.csv", lines), NJ)
    assert slow.columns_read == [*quick.columns_read, "seat"]
    slow.columns_read.pop()
    assert quick.as_data() == slow.as_data()
    assert quick.by_kind.total() == spoiled


def test_a_cutting_card_of_known_place_tells_too_few_cards(tmp_path: Path) -> None:
    house = replace(HOUSES["nj-minibaccarat"], cut_from_back=60)
    rounds = dealt(house, 4)
    assert verified(tmp_path / "r.csv", rounds, cards_behind=60, burn=True).is_clean
    found = only(
        verified(
            tmp_path / "r.csv",
            [one for one in rounds if one.shoe != 2 or one.number < 50],
            cards_behind=60,
            burn=True,
        )
    )
    assert (found.kind, found.shoe) == ("procedure", "2")
    assert "too few cards" in found.message
    over = verified(tmp_path / "r.csv", rounds, cards_behind=100, burn=True).divergences
    assert [one.shoe for one in over] == ["1", "2", "3", "4"]
    assert all(one.clauses == ("NJ-MINI:7.8(e)#3",) for one in over)


def test_hands_after_the_last_one_are_found_by_the_cutting_card(tmp_path: Path) -> None:
    house = replace(HOUSES["nj-minibaccarat"], cut_from_back=60, hands_after=3)
    rounds = dealt(house, 3)
    # Where nobody tells of the cutting card, it may have lain anywhere.
    assert verified(tmp_path / "r.csv", rounds, burn=True).is_clean
    assert {
        one.shoe
        for one in verified(tmp_path / "r.csv", rounds, cards_behind=60, burn=True).divergences
    } == {"1", "2", "3"}
    last = next(at for at, one in enumerate(rounds) if one.last_of_shoe)
    rounds[last - 3].marks = ["cutting-card"]
    found = only(verified(tmp_path / "r.csv", rounds, marks=True))
    assert (found.kind, found.line, found.clauses) == ("procedure", last + 1, ("NJ-MINI:7.8(e)#3",))
    del rounds[last - 2 : last + 1]
    found = only(verified(tmp_path / "r.csv", rounds, marks=True))
    assert "last hand was not dealt" in found.message


def test_a_file_that_ends_with_the_cutting_card_was_cut_off(tmp_path: Path) -> None:
    rounds = dealt(number=1)
    rounds[-1].marks = ["cutting-card"]
    assert verified(tmp_path / "r.csv", rounds, marks=True).is_clean


def test_a_thirty_third_ace_is_found_without_suits(tmp_path: Path) -> None:
    aces = [f"1,{number},A 8,A 7" for number in range(1, 18)]
    path = written(tmp_path / "r.csv", ["shoe,round,player,banker", *aces])
    found = only(verify_file(path, NJ))
    assert (found.kind, found.line, found.found) == ("composition", 18, 33)
    assert found.clauses == ("NJ-MINI:7.1(a)#1",)


def test_a_burn_is_held_against_its_first_card(tmp_path: Path) -> None:
    rounds = dealt(most=40)
    rounds[0].burned = ["7c", "2d", "3d"]
    found = only(verified(tmp_path / "r.csv", rounds, burn=True))
    assert (found.kind, found.expected, found.found) == ("procedure", 8, 3)
    rounds[0].burned = ["7c"]  # Only the first is told.
    assert verified(tmp_path / "r.csv", rounds, burn=True).is_clean
    assert found.clauses == ("NJ-MINI:7.5(f)#5",)


def test_an_unmapped_mapping_is_no_different(tmp_path: Path) -> None:
    path = written(tmp_path / "r.csv", lines_of(dealt()))
    assert verify_file(path, NJ, RoundMapping()).as_data() == verify_file(path, NJ).as_data()


# --- other texts, other elections --------------------------------------------------------------

OF_EVERY_TEXT = ["Player's third card missing", "Player's third card too many", "Banker's third card after a natural", "Banker's third card missing", "Banker draws on 3 against 8", "a fourth card", "a hand of one card", "a wrong total", "a wrong winner", "a losing wager paid", "a tie that took a Player wager", "a bonus at the wrong odds", "no vigorish", "a stake below the least", "a wager that is not offered", "a round missing", "a ninth ace of hearts"]  # fmt: skip
PREFIXES = {"ma": "MA-MINI:", "ny-mini": "NY-MINIMIDI:"}


@pytest.mark.parametrize(("detail", "name"), spread(product(OF_EVERY_TEXT, PREFIXES), 12))
def test_each_error_is_found_under_other_texts_by_their_clauses(
    tmp_path: Path, name: str, detail: str
) -> None:
    spoil, kind, hand, clause = FAULTS[detail]
    house = HOUSES[name]
    rounds = dealt(house, 8, seed=5, most=50)
    at = spoil(rounds)
    rounds = and_beyond(rounds, at)
    wagers = (*house.wagers, "dragon_7") if kind == "offer" else house.wagers
    found = only(verified(tmp_path / "r.csv", rounds, rules_of(name), wagers))
    assert (found.kind, found.hand, found.line) == (kind, hand, at + 2)
    assert bool(found.clauses) is bool(clause)
    # What a natural is stands in a text that is not held: the register is cited beside.
    assert all(one.startswith((PREFIXES[name], "T47")) for one in found.clauses)


def settled_wagers(
    tmp_path: Path, rules: TableRules, cells: str, *, hands: str = "2c Kd,4h 5s"
) -> VerificationReport:
    lines = [
        f"round,player,banker,{cells.partition('|')[0]}",
        f"1,{hands},{cells.partition('|')[2]}",
    ]
    return verify_file(written(tmp_path / "r.csv", lines), rules)


def test_wagers_that_exclude_each_other_are_told_with_the_clause_that_does_so(
    tmp_path: Path,
) -> None:
    dragon = rules_of("nj-minibaccarat-dragon-7")
    both = "stake:dragon_7,stake:four_cards|25,25"
    found = only(settled_wagers(tmp_path, dragon, both))
    assert (found.kind, found.wager) == ("offer", "four_cards")
    assert found.clauses == ("NJ-MINI:7.2(b)#1", "NJ-MINI:7.2(a)6.iii")
    found = only(settled_wagers(tmp_path, NJ, both))
    assert (found.kind, found.wager) == ("offer", "dragon_7")
    assert "NJ-MINI:7.2(a)6.iii" in found.clauses


def test_a_bonus_wager_stands_beside_a_wager_on_a_hand(tmp_path: Path) -> None:
    alone = "stake:player,stake:bonus_banker,net:bonus_banker|,25,25"
    found = only(settled_wagers(tmp_path, NJ, alone))
    assert (found.kind, found.wager) == ("offer", "bonus_banker")
    beside = "stake:player,stake:bonus_banker,net:bonus_banker|25,25,25"
    assert settled_wagers(tmp_path, NJ, beside).is_clean


@pytest.mark.parametrize(
    ("net", "kind"), [("50", None), ("48", "vigorish"), ("47.5", "vigorish"), ("25", "settlement")]
)
def test_vigorish_is_waived_for_total_cards_wagers(
    tmp_path: Path, net: str, kind: str | None
) -> None:
    rules = rules_of("nj-minibaccarat-total-cards")
    cells = f"stake:banker,net:banker,stake:four_cards,net:four_cards|50,{net},50,75"
    verification = settled_wagers(tmp_path, rules, cells)
    assert set(verification.by_kind) == ({kind} if kind else set())
    unwaived = "stake:banker,net:banker,stake:four_cards,net:four_cards|50,48,45,67.5"
    assert settled_wagers(tmp_path, rules, unwaived).is_clean


@pytest.mark.parametrize(
    ("cells", "kind"),
    [
        ("stake:banker,paid:banker,vigorish:banker|100,100,5", None),
        ("stake:banker,paid:banker,vigorish:banker|100,100,4", "vigorish"),
        ("stake:banker,paid:banker,vigorish:banker|100,95,5", "settlement"),
        ("stake:banker,paid:banker|100,95", None),
        ("stake:banker,paid:banker|100,100", None),
        ("stake:banker,paid:banker|100,90", "settlement"),
        ("stake:player,paid:player|100,0", None),
        ("stake:player,net:player|100,0", "settlement"),
        ("stake:banker,net:banker|100,50", "settlement"),
        ("stake:banker,net:banker,paid:banker,vigorish:banker|100,96,100,4", "vigorish"),
    ],
)
def test_what_was_paid_and_what_was_taken_are_judged_apart(
    tmp_path: Path, cells: str, kind: str | None
) -> None:
    verification = settled_wagers(tmp_path, NJ, cells)
    assert dict(verification.by_kind) == ({kind: 1} if kind else {})


def test_a_wager_by_suits_is_not_judged_without_them(tmp_path: Path) -> None:
    rules = rules_of("ma-royal-9")
    cells = "stake:player,stake:royal_9,net:royal_9|25,5,-5"
    assert settled_wagers(tmp_path, rules, cells).unverified == {}
    verification = settled_wagers(tmp_path, rules, cells, hands="2 K,4 5")
    assert verification.is_clean
    assert any("suits" in reason for reason in verification.unverified)


def test_a_third_card_that_was_bankers_to_have_makes_the_result(tmp_path: Path) -> None:
    # Player has six and takes a card all the same; Banker has four: the card is Banker's.
    lines = ["round,player,banker,winner,stake:player,net:player", "1,6c Kd 3h,4h Ks,player,25,25"]
    found = only(verify_file(written(tmp_path / "r.csv", lines), NJ))
    assert (found.kind, found.hand, found.follows) == (
        "third_card",
        "player",
        ("winner", "settlement"),
    )


def test_rounds_of_another_table_are_told_to_be_so(tmp_path: Path) -> None:
    house = replace(HOUSES["nj-minibaccarat"], rate=Fraction(4, 100))
    verification = verified(tmp_path / "r.csv", dealt(house), wagers=("banker",))
    assert set(verification.by_kind) == {"vigorish"}
    assert "submission of the table" in verification.hints[0]
    assert verified(tmp_path / "r.csv", dealt()).hints == []


def test_numbers_that_begin_anew_in_a_shoe_are_told_once(tmp_path: Path) -> None:
    rounds = [replace(one, shoe=1) for one in dealt(most=10)]
    found = only(verified(tmp_path / "r.csv", rounds))
    assert (found.kind, found.expected, found.found) == ("procedure", 11, 1)


@pytest.mark.parametrize("suits", [True, False], ids=["suits", "ranks"])
def test_cards_too_many_are_found_among_rows_that_are_known(tmp_path: Path, suits: bool) -> None:  # noqa: FBT001
    rounds = dealt(House((), cut_from_back=60), 60)
    place, held = 0, 0
    for at, one in enumerate(rounds):
        for hand in (one.player, one.banker):
            for number, card in enumerate(hand):
                if one.shoe == 59 and card[0] in ("A" if suits else "TJQK"):
                    hand[number] = "Ah" if suits else "Kh"
                    held += 1
                    place = at if held == (9 if suits else 33) else place
                if not suits:
                    hand[number] = hand[number][0]
    # Only that they stand there is wrong: a row by itself is like those of other shoes.
    found = only(verified(tmp_path / "r.csv", rounds))
    assert (found.kind, found.shoe, found.line) == ("composition", "59", place + 2)


def paid_as_if_it_lost(one: Round) -> None:
    stake, net = one.wagers["player"]
    one.wagers["player"] = (stake, -net)


def won_by_the_other(one: Round) -> None:
    one.winner = {"player": "banker", "banker": "player"}[one.winner]


def counted_alike(one: Round) -> None:
    one.player_total, one.banker_total = one.banker_total, one.banker_total


def without_a_base(one: Round) -> None:
    del one.wagers["player"]


LATE_FAULTS: Final[dict[Callable[[Round], None], str]] = {
    paid_as_if_it_lost: "settlement",
    won_by_the_other: "winner",
    counted_alike: "totals",
    without_a_base: "offer",
}


@pytest.mark.parametrize("spoil", LATE_FAULTS, ids=lambda spoil: spoil.__name__)
def test_cells_that_are_right_elsewhere_are_wrong_where_they_are_not(
    tmp_path: Path, spoil: Callable[[Round], None]
) -> None:
    # Two stakes alone: by the last shoes every pair of cells has been met, and been right.
    house = House(("player", "bonus_player"))
    rounds = list(shoes(house, 60, 6, stakes=(2_500, 5_000)))
    for one in rounds[::3]:
        if one.shoe < 59:
            one.wagers = {}
    at = next(
        at
        for at, one in enumerate(rounds)
        if one.shoe == 59 and one.winner == "player" and one.number > 9
    )
    spoil(rounds[at])
    path = written(tmp_path / "r.csv", lines_of(rounds, house.wagers))
    found = only(verify_file(path, NJ))
    assert (found.kind, found.line) == (LATE_FAULTS[spoil], at + 2)
