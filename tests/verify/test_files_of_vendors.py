"""Files as vendors send them: read as they are meant, or refused with what to do; never guessed."""

import json
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from croupier.files.errors import FileError
from croupier.odds.custom_wagers import read_wager
from croupier.records.rounds.mapping import MappingError, mapping_of
from croupier.rules import TableRules, read_submission, table_rules
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import VerificationReport

ROOT = Path(__file__).parents[2]
NJ: TableRules = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))
HEADER = "shoe,round,player,banker,winner"


def judged(
    tmp_path: Path,
    *lines: str,
    mapping: dict[str, Any] | None = None,
    rules: TableRules = NJ,
    encoding: str = "utf-8",
) -> VerificationReport:
    path = tmp_path / "r.csv"
    path.write_bytes(("\n".join(lines) + "\n").encode(encoding))
    own = [offer.wager.id for offer in rules.own]
    return verify_file(path, rules, None if mapping is None else mapping_of(mapping, own))


def kinds(report: VerificationReport) -> list[str]:
    return [one.kind for one in report.divergences]


# --- cards -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("player", "banker"),
    [
        ("9c Kd", "7h Js"),
        ("9♣ K♦", "7♥ J♠"),
        ("9C/KD", "7H/JS"),
        ("9 K", "7 J"),
        ("9 13", "7 11"),
        ("nine of clubs king of diamonds", "Seven of Hearts; Jack of Spades"),
        ("NineClubs KingDiamonds", "7 of Hearts  J of Spades"),
        ("Nine King", "Seven Jack"),
        ("9c Kd -", "7h Js --"),
    ],
)
def test_cards_are_read_as_people_write_them(tmp_path: Path, player: str, banker: str) -> None:
    report = judged(tmp_path, HEADER, f"1,1,{player},{banker},P")
    assert report.is_clean, report.divergences


@pytest.mark.parametrize(
    "winner", ["PUNTO", "Player wins", "Player Win", "punto", "P", "WIN_PLAYER"]
)
def test_winners_are_read_as_people_write_them(tmp_path: Path, winner: str) -> None:
    assert judged(tmp_path, HEADER, f"1,1,9c Kd,7h Js,{winner}").is_clean
    assert kinds(judged(tmp_path, HEADER, f"1,1,7h Js,9c Kd,{winner}")) == ["winner"]


def test_ranks_by_number_are_read_and_said_to_be_so(tmp_path: Path) -> None:
    report = judged(tmp_path, HEADER, "1,1,1 7,12 6,PUNTO", "1,2,13 9,7 11,Player wins")
    assert report.is_clean
    assert any("were read as ranks" in hint for hint in report.hints)


def test_numbers_that_are_all_ranks_are_said_to_be_read_so(tmp_path: Path) -> None:
    report = judged(tmp_path, HEADER, "1,1,3 5,2 7,B")
    assert any("were read as ranks" in hint for hint in report.hints)
    report = judged(tmp_path, HEADER, "1,1,3 5,2 7,B", "1,2,9 K,7 J,P")
    assert not report.hints


def test_one_number_among_letters_spoils_its_line_alone(tmp_path: Path) -> None:
    report = judged(tmp_path, HEADER, "1,1,9 K,7 J,P", "1,2,25 3,7 J,P")
    assert [(one.kind, one.line) for one in report.divergences] == [("format", 3)]


@pytest.mark.parametrize("cell", ["11", "12", "111"])
def test_a_number_that_may_be_two_cards_is_not_read(tmp_path: Path, cell: str) -> None:
    report = judged(tmp_path, HEADER, f"1,1,{cell},9c Kd,B", "1,2,9c Kd,7h Js,P")
    assert kinds(report) == ["format"]


@pytest.mark.parametrize(("player", "card"), [("- 8s Kh", 1), ("8s - Kh", 2), ("8s \u2013 Kh", 2)])
def test_a_dash_before_a_card_is_a_card_missing(tmp_path: Path, player: str, card: int) -> None:
    report = judged(tmp_path, HEADER, f"1,1,{player},6c Qd,P", "1,2,9c Kd,7h Js,P")
    assert kinds(report) == ["format"]
    assert f"card {card} is missing" in report.divergences[0].message


@pytest.mark.parametrize("first", ["-", ""])
def test_a_blank_cell_before_a_card_is_a_card_missing(tmp_path: Path, first: str) -> None:
    mapping = {"columns": {"player": ["p1", "p2", "p3"], "banker": ["b1", "b2", "b3"]}}
    header = "shoe,round,p1,p2,p3,b1,b2,b3,winner"
    report = judged(
        tmp_path, header, f"1,1,{first},8s,Kh,6c,Qd,,P", "1,2,9c,Kd,,7h,Js,-,P", mapping=mapping
    )
    assert kinds(report) == ["format"]
    assert "card 1 is missing" in report.divergences[0].message


def test_a_line_of_totals_is_refused_with_the_way_to_skip_it(tmp_path: Path) -> None:
    report = judged(tmp_path, HEADER, "1,1,9c Kd,7h Js,P", "Total,,,,")
    assert report.is_clean
    assert any("skipped: 1 of 'Total'" in hint for hint in report.hints)
    report = judged(tmp_path, HEADER, "1,1,9c Kd,7h Js,P", "Total,2,,,")
    (one,) = report.divergences
    assert (one.kind, one.line) == ("format", 3)
    assert one.message.startswith("no cards and no mark: if the line is no round but a total")


def test_counts_are_read_as_data_frames_write_them(tmp_path: Path) -> None:
    header = "shoe,round,player,banker,player_total,banker_total"
    rounds = ("1,1,9c Kd,7h Js,9.0,7.0", "1,2,9c Kd,7h Js,,", "1,3,9c Kd,7h Js,8.0,7.00")
    report = judged(tmp_path, header, *rounds)
    assert [(one.kind, one.line) for one in report.divergences] == [("totals", 4)]
    assert kinds(judged(tmp_path, header, "1,1,9c Kd,7h Js,9,7", "1,2,9c Kd,7h Js,9.5,7")) == [
        "format"
    ]


# --- cards by number ---------------------------------------------------------------------------

RANKS, SUITS = "A23456789TJQK", "cdhs"


def deal(draw: Any) -> tuple[list[str], list[str]]:
    """Deal a round by the table that everybody knows, from cards as ``9h``."""

    def worth(cards: list[str]) -> int:
        return sum({"A": 1}.get(c[0], int(c[0]) if c[0].isdigit() else 0) for c in cards) % 10

    player, banker = [draw()], [draw()]
    player.append(draw())
    banker.append(draw())
    own, other = worth(player), worth(banker)
    if max(own, other) >= 8:
        return player, banker
    third = None
    if own <= 5:
        player.append(draw())
        third = worth(player[2:])
    if other <= 2 or (
        other <= 5
        if third is None
        else third
        in {3: (0, 1, 2, 3, 4, 5, 6, 7, 9), 4: (2, 3, 4, 5, 6, 7), 5: (4, 5, 6, 7), 6: (6, 7)}.get(
            other, ()
        )
    ):
        banker.append(draw())
    return player, banker  # fmt: skip


def shoe(seed: int, rounds: int = 60) -> list[tuple[list[str], list[str]]]:
    cards = [rank + suit for rank in RANKS for suit in SUITS] * 8
    random.Random(seed).shuffle(cards)
    return [deal(cards.pop) for _ in range(rounds)]


def written(
    order: Sequence[str], first: int, rounds: Sequence[tuple[list[str], list[str]]]
) -> list[str]:
    number = {card: str(place) for place, card in enumerate(order, start=first)}
    return ["shoe,round,player,banker"] + [
        f"1,{at},{' '.join(number[c] for c in player)},{' '.join(number[c] for c in banker)}"
        for at, (player, banker) in enumerate(rounds, start=1)
    ]


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("by", ["suit", "rank"])
@pytest.mark.parametrize("ranks", [RANKS, RANKS[1:] + "A"])
def test_cards_by_number_are_read_in_the_order_that_is_named(
    tmp_path: Path, first: int, by: str, ranks: str
) -> None:
    suits = "shcd"
    order = (
        [rank + suit for suit in suits for rank in ranks]
        if by == "suit"
        else [rank + suit for rank in ranks for suit in suits]
    )
    cards = {"numbers": f"{first}-{51 + first}", "suits": suits, "ranks": ranks, "by": by}
    lines = written(order, first, shoe(3))
    assert judged(tmp_path, *lines, mapping={"cards": cards}).is_clean
    wrong = dict(cards, ranks=RANKS if ranks != RANKS else RANKS[1:] + "A")
    assert not judged(tmp_path, *lines, mapping={"cards": wrong}).is_clean


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("rounds", [2, 10, 60])
def test_cards_by_number_are_never_read_as_ranks(tmp_path: Path, first: int, rounds: int) -> None:
    order = [rank + suit for suit in SUITS for rank in RANKS]
    lines = written(order, first, shoe(5, rounds))
    with pytest.raises(FileError, match="numbers 0 to 51 or 1 to 52"):
        judged(tmp_path, *lines)


@pytest.mark.parametrize("missing", ["numbers", "suits", "ranks", "by"])
def test_an_order_of_numbers_is_named_whole(missing: str) -> None:
    cards = {"numbers": "1-52", "suits": "cdhs", "ranks": RANKS, "by": "suit"}
    del cards[missing]
    with pytest.raises(MappingError) as error:
        mapping_of({"cards": cards})
    assert [one.partition(":")[0] for one in error.value.errors] == [f"cards.{missing}"]


def test_values_of_cards_are_read_once_it_is_said_that_0_is_ten_valued(tmp_path: Path) -> None:
    rows = ["1,1,9 0,7 0,P", "1,2,0 6,8 0,B"]
    with pytest.raises(
        FileError, match=r"numbers 0 to 9: if 0 stands for ten, jack, queen, and king"
    ):
        judged(tmp_path, HEADER, *rows)
    mapping = {"values": {"rank": {"0": "T"}}, "cards": {"tens": "ten-valued"}}
    assert judged(tmp_path, HEADER, *rows, mapping=mapping).is_clean
    assert kinds(judged(tmp_path, HEADER, rows[0], "1,2,0 6,8 0,P", mapping=mapping)) == ["winner"]


# --- ten-valued ranks --------------------------------------------------------------------------


def test_tens_that_stand_for_faces_too_are_counted_together(tmp_path: Path) -> None:
    tens = {"cards": {"tens": "ten-valued"}}
    rows = [f"1,{number},T T,T {8 + number % 2},B" for number in range(1, 44)]
    assert judged(tmp_path, HEADER, *rows[:42], mapping=tens).is_clean
    report = judged(tmp_path, HEADER, *rows, mapping=tens)
    assert kinds(report) == ["composition"]
    assert "the 129th ten-valued card of this shoe" in report.divergences[0].message
    report = judged(tmp_path, HEADER, *rows[:11])
    assert kinds(report) == ["composition"]
    assert any("No jack, queen, or king is recorded" in hint for hint in report.hints)
    report = judged(tmp_path, HEADER, *rows[:11], "1,12,K 9,Q 8,P")
    assert not report.hints


# --- shoes -------------------------------------------------------------------------------------


def test_an_engine_that_reshuffles_each_round_may_deal_a_card_in_every_one(tmp_path: Path) -> None:
    rows = [f"1,{number},9c 9s,Kh Kd,P" for number in range(1, 30)]
    report = judged(tmp_path, HEADER, *rows, mapping={"shoe": {"reshuffled": "each-round"}})
    assert report.is_clean
    assert any("shuffled before each round" in why for why in report.unverified)
    one_round = judged(
        tmp_path, HEADER, "1,1,9c 9c,Kh Kd,P", *[f"1,{n},9c 9c,Kh Kd,P" for n in range(2, 9)]
    )
    assert kinds(one_round) == ["composition"]


def test_a_reshuffle_that_is_marked_begins_the_count_anew(tmp_path: Path) -> None:
    mapping = {
        "columns": {"marks": "shuffle"},
        "values": {"mark": {"1": "reshuffled", "0": "none"}},
    }
    rows = [f"1,{number},9c 9s,Kh Kd,P,{int(number == 8)}" for number in range(1, 15)]
    assert judged(tmp_path, HEADER + ",shuffle", *rows, mapping=mapping).is_clean
    rows = [row[:-1] + "0" for row in rows]
    assert (
        kinds(judged(tmp_path, HEADER + ",shuffle", *rows, mapping=mapping)) == ["composition"] * 4
    )


def test_an_unknown_reshuffle_leaves_composition_unchecked_and_says_so(tmp_path: Path) -> None:
    rows = [f"1,{number},9c 9s,Kh Kd,P" for number in range(1, 30)]
    report = judged(tmp_path, HEADER, *rows, mapping={"shoe": {"reshuffled": "unknown"}})
    assert report.is_clean
    assert any("composition" in why for why in report.unverified)


def test_a_round_of_two_shoes_is_counted_against_neither(tmp_path: Path) -> None:
    rows = [f"1,{number},9c 9s,Kh Kd,P," for number in range(1, 9)]
    report = judged(tmp_path, HEADER + ",marks", *rows, "1,9,9c 9s,Kh Kd,P,next-shoe")
    assert report.is_clean
    assert any("two shoes" in why for why in report.unverified)


# --- stakes ------------------------------------------------------------------------------------

NETS = ("1,1,9c Kd,7h Js,P,-100", "1,2,Qh 6s,8d Td,B,95")


def test_nets_of_a_fixed_stake_are_judged(tmp_path: Path) -> None:
    mapping = {"wagers": {"banker": {"stake": 100, "net": "bank_net"}}}
    assert judged(tmp_path, HEADER + ",bank_net", *NETS, mapping=mapping).is_clean
    wrong = NETS[1].replace("95", "96")
    assert kinds(judged(tmp_path, HEADER + ",bank_net", NETS[0], wrong, mapping=mapping)) == [
        "vigorish"
    ]


def test_a_fixed_stake_lies_only_where_a_result_is_told(tmp_path: Path) -> None:
    mapping = {"wagers": {"banker": {"stake": 1, "net": "bank_net"}}}
    # $1 is below the limit of this table: a round without a result has no such wager.
    report = judged(tmp_path, HEADER + ",bank_net", "1,1,9c Kd,7h Js,P,", mapping=mapping)
    assert report.is_clean


def test_one_stake_of_several_wagers_is_judged(tmp_path: Path) -> None:
    mapping = {
        "wagers": {
            "player": {"stake": "bet", "net": "pn"},
            "banker": {"stake": "bet", "net": "bn"},
        }
    }
    header = HEADER + ",bet,pn,bn"
    rows = ["1,1,9c Kd,7h Js,P,100,100,-100", "1,2,Qh 6s,8d Td,B,100,-100,95"]
    assert judged(tmp_path, header, *rows, mapping=mapping).is_clean
    rows[0] = rows[0].replace("100,100,", "100,101,")
    report = judged(tmp_path, header, *rows, mapping=mapping)
    assert [(one.kind, one.wager) for one in report.divergences] == [("settlement", "player")]


def test_nets_without_stakes_are_an_error_of_the_header(tmp_path: Path) -> None:
    with pytest.raises(FileError) as error:
        judged(tmp_path, HEADER + ",net:banker", *NETS)
    assert "stake:banker" in error.value.errors[0]


def test_nets_without_stakes_in_json_are_an_error_of_the_line(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    row = {"round": 1, "player": "9c Kd", "banker": "7h Js"}
    wagers = [{"wager": "banker", "net": -100}]
    path.write_text(f"{json.dumps(row)}\n{json.dumps(row | {'round': 2, 'wagers': wagers})}\n")
    report = verify_file(path, NJ)
    assert [(one.kind, one.line) for one in report.divergences] == [("format", 2)]
    assert "no stake" in report.divergences[0].message


def test_limits_can_be_left_unchecked_and_a_wrong_net_is_still_found(tmp_path: Path) -> None:
    header, row = HEADER + ",stake:player,net:player", "1,1,9c Kd,7h Js,P,1,1"
    assert kinds(judged(tmp_path, header, row)) == ["limit"]
    unchecked = {"money": {"limits": "unchecked"}}
    report = judged(tmp_path, header, row, mapping=unchecked)
    assert report.is_clean
    assert any("limits" in why for why in report.unverified)
    assert kinds(judged(tmp_path, header, row + ".01", mapping=unchecked)) == ["settlement"]


# --- columns -----------------------------------------------------------------------------------


def test_columns_that_are_not_read_are_named(tmp_path: Path) -> None:
    report = judged(
        tmp_path, HEADER + ",banker_net,player_nett,note", "1,1,9c Kd,7h Js,P,-5000,x,y"
    )
    data = report.as_data()
    assert data["columns"] == {
        "read": HEADER.split(","),
        "unread": ["banker_net", "player_nett", "note"],
        "money": "unread",
    }
    (hint,) = data["hints"]
    assert "banker_net, player_nett." in hint
    assert "--mapping" in hint
    assert "net:banker" in hint


def test_keys_that_are_not_read_are_named(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    wager = {"wager": "player", "stake": 100, "net": 100, "profit": 1}
    row = {"player": "9c Kd", "banker": "7h Js", "game": {"id": 4}, "wagers": [wager]}
    path.write_text(json.dumps(row))
    columns = verify_file(path, NJ).as_data()["columns"]
    assert columns == {
        "read": ["player", "banker", "wagers", "wagers.wager", "wagers.stake", "wagers.net"],
        "unread": ["game.id", "wagers.profit"],
        "money": "in part",
    }


# --- encodings ---------------------------------------------------------------------------------


def test_bytes_that_are_not_utf_8_are_told_and_not_guessed(tmp_path: Path) -> None:
    rows = ["Égalité1,1,9c Kd,7h Js,P", "1,2,Qh 6s,8d Td,B"]
    report = judged(tmp_path, HEADER, *rows, encoding="cp1252")
    assert [(one.kind, one.line) for one in report.divergences] == [("format", 2)]
    assert "byte 0xc9" in report.divergences[0].message
    assert "--encoding" in report.divergences[0].message
    mapping = {"file": {"encoding": "cp1252"}}
    assert judged(tmp_path, HEADER, *rows, mapping=mapping, encoding="cp1252").is_clean


def test_bytes_in_a_column_that_is_not_read_are_nobodys_business(tmp_path: Path) -> None:
    row = "1,1,9c Kd,7h Js,P,Qualité"
    assert judged(tmp_path, HEADER + ",note", row, encoding="cp1252").is_clean


def test_a_column_whose_name_is_not_utf_8_is_pointed_out(tmp_path: Path) -> None:
    report = judged(tmp_path, HEADER + ",Größe", "1,1,9c Kd,7h Js,P,3", encoding="cp1252")
    (hint,) = report.hints
    assert "byte 0xf6" in hint
    assert "--encoding" in hint


def test_a_line_of_json_that_is_not_utf_8_says_so(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    row = b'{"player":"9c Kd","banker":"7h Js","note":"caf%s"}\n'
    path.write_bytes(row % b"e" + row % b"\xe9")
    report = verify_file(path, NJ)
    assert [(one.kind, one.line) for one in report.divergences] == [("format", 2)]
    assert "byte 0xe9" in report.divergences[0].message


# --- custom wagers -----------------------------------------------------------------------------


def with_bets(*names: str) -> TableRules:
    folder = ROOT / "docs" / "examples" / "side-bets"
    return NJ.with_offers(*(read_wager(folder / f"{name}.toml", NJ) for name in names))


def test_custom_wagers_are_judged_to_the_cent(tmp_path: Path) -> None:
    mapping = {"wagers": {"own_player_pair": {"stake": "ps", "net": "pn"}}}
    header = HEADER + ",ps,pn"
    rows = ["1,1,9c Kd,7h Js,P,10,-10", "1,2,6h 6s,8d Td,B,10,110"]
    rules = with_bets("player-pair")
    assert judged(tmp_path, header, *rows, mapping=mapping, rules=rules).is_clean
    rows[1] = rows[1].replace("110", "109.99")
    report = judged(tmp_path, header, *rows, mapping=mapping, rules=rules)
    assert [(one.kind, one.line) for one in report.divergences] == [("settlement", 3)]


def test_custom_wagers_by_cards_are_judged_from_the_cards(tmp_path: Path) -> None:
    rules = with_bets("tiger-pair", "royal-match")
    header = HEADER + ",stake:tiger_pair,net:tiger_pair"
    rows = [
        "1,1,4c 4d,4h 4s,B,10,1000",  # the same pair in both hands
        "1,2,6h 6s 2c,8d Td,B,10,40",  # one pair; a third card against a natural is wrong
        "1,3,9h 9s,Ts Td,P,10,200",  # two pairs
        "1,4,9h 8s,Ts 9d,B,10,-10",
    ]
    # Player 8, Banker 8 in the first: a tie. Only that and the third card are wrong.
    report = judged(tmp_path, header, *rows, rules=rules)
    assert [(one.line, one.kind) for one in report.divergences] == [
        (2, "winner"),
        (3, "third_card"),
    ]
    assert report.census is not None
    wagers = {one["wager"]: one for one in report.census["wagers"]}
    # 100 + 4 + 20 - 1 over four rounds.
    assert wagers["tiger_pair"]["found"] == pytest.approx(123 / 4)


def test_a_custom_wager_by_ranks_needs_no_suits_and_one_by_suits_does(tmp_path: Path) -> None:
    rules = with_bets("tiger-pair", "perfect-pair")
    header = HEADER + ",stake:tiger_pair,net:tiger_pair,stake:perfect_pair,net:perfect_pair"
    report = judged(tmp_path, header, "1,1,4 4,4 4,T,10,999,10,-10", rules=rules)
    assert [(one.kind, one.wager) for one in report.divergences] == [("settlement", "tiger_pair")]
    assert any("depends on suits" in why for why in report.unverified)
