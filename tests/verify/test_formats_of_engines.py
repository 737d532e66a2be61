"""Rounds of other engines in formats of their own: proposed, read, and judged like any others.

An independent dealer deals and settles them; what `map` proposes is used as it stands wherever it
needs nothing that no file can tell.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
import tomllib
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner

from croupier.cli import main
from croupier.odds.custom_wagers import read_wager
from croupier.records.rounds.mapping import MappingError, mapping_of
from croupier.rules import TableRules, read_rules
from croupier.verify.rounds.file import verify_file
from croupier.verify.rounds.findings import VerificationReport
from croupier.verify.rounds.repair import repair_file
from support.external_rounds import House, Round, shoes
from support.project import PLAIN, ROOT

RULES: Final = read_rules(PLAIN).with_offers(
    *(
        read_wager(ROOT / "docs" / "examples" / "side-bets" / f"{name}.toml")
        for name in ("player-pair", "tiger", "tiger-pair")
    )
)
SIGNS: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
WORDS: Final = {"c": "Kreuz", "d": "Karo", "h": "Herz", "s": "Pik"}
COURT: Final = {"A": "As", "T": "10", "J": "Bube", "Q": "Dame", "K": "König"}
ROUNDS: Final = tuple(shoes(House(), seed=23, number=2))


def side_nets(one: Round) -> dict[str, int]:
    """What ten dollars on each side bet bring, by the cards."""
    pairs = [hand[0][0] == hand[1][0] for hand in (one.player, one.banker)]
    same = all(pairs) and one.player[0][0] == one.banker[0][0]
    both = 100 if same else 20
    tiger = 20 if len(one.banker) == 3 else 12
    six = one.winner == "banker" and one.banker_total == 6
    return {
        "own_player_pair": 11_000 if pairs[0] else -1_000,
        "tiger": tiger * 1_000 if six else -1_000,
        "tiger_pair": (both if all(pairs) else 4) * 1_000 if any(pairs) else -1_000,
    }


def bets(one: Round) -> Iterator[tuple[str, int, int]]:
    """Each wager of a round: its name, its stake, and its net result."""
    for wager, (stake, net) in one.wagers.items():
        if wager in {"player", "banker", "tie"}:
            yield wager, stake, net
    for wager, net in side_nets(one).items():
        yield wager, 1_000, net


def rows(*lines: list[Any], delimiter: str = ",") -> bytes:
    text = io.StringIO()
    csv.writer(text, delimiter=delimiter, lineterminator="\n").writerows(lines)
    return text.getvalue().encode()


def one_wager_a_row() -> bytes:
    head = ["ShoeId", "RoundId", "PlayerHand", "BankerHand", "Result", "BetType", "BetAmount"]
    lines: list[list[Any]] = [[*head, "WinAmount"]]
    for one in ROUNDS:
        for wager, stake, net in bets(one):
            lines.append(
                [one.shoe, one.number, "".join(one.player), "".join(one.banker), one.winner.upper(),
                 wager, f"{stake / 100:.2f}", f"{net / 100:.2f}"]
            )  # fmt: skip
    return rows(*lines, delimiter="\t")


def nested() -> bytes:
    lines = [
        json.dumps(
            {
                "game": {"shoe": f"S{one.shoe}", "hand": one.number},
                "cards": {"player": one.player, "banker": [c.upper() for c in one.banker]},
                "scores": {"player": one.player_total, "banker": one.banker_total},
                "outcome": one.winner,
                "bets": [
                    {"type": wager, "amount": stake, "return": stake + net}
                    for wager, stake, net in bets(one)
                ],
            }
        )
        for one in ROUNDS
    ]
    return gzip.compress("\n".join(lines).encode())


def numbered() -> bytes:
    def number(card: str) -> int:
        return "A23456789TJQK".index(card[0]) + 13 * "cdhs".index(card[1])

    lines: list[list[Any]] = [
        ["game", "p1", "b1", "p2", "b2", "p3", "b3", "p_score", "b_score", "outcome"]
    ]
    for at, one in enumerate(ROUNDS, start=1):
        hands = [[*map(number, hand), -1][:3] for hand in (one.player, one.banker)]
        cards = [card for pair in zip(*hands, strict=True) for card in pair]
        code = {"player": 1, "banker": 2, "tie": 0}[one.winner]
        lines.append([at, *cards, one.player_total, one.banker_total, code])
    return rows(*lines)


def titled() -> bytes:
    head = ["Shoe #", "Hand #", "Player Cards", "Banker Cards", "Winner", "Bet: Banker"]
    lines: list[list[Any]] = [["Hands of the week"], [], [*head, "Win/Loss: Banker"]]
    for one in ROUNDS:
        cards = [
            " ".join(card[0].replace("T", "10") + SIGNS[card[1]] for card in hand)
            for hand in (one.player, one.banker)
        ]
        stake, net = one.wagers.get("banker", (0, 0))
        amounts = [stake / 100, net / 100] if stake else ["", ""]
        lines.append([one.shoe, one.number, *cards, one.winner, *amounts])
    return rows(*lines)


def as_dealt() -> bytes:
    lines: list[list[Any]] = [["Shoe", "Game", "Cards", "Res"]]
    for one in ROUNDS:
        cards = [one.player[0], one.banker[0], one.player[1], one.banker[1]]
        cards += one.player[2:] + one.banker[2:]
        lines.append([one.shoe, one.number, " ".join(cards), one.winner[0].upper()])
    return rows(*lines, delimiter="|")


FORMATS: Final[dict[str, Callable[[], bytes]]] = {
    "one wager a row": one_wager_a_row,
    "nested objects": nested,
    "numbered cards": numbered,
    "a title above": titled,
    "as dealt": as_dealt,
}


def proposed(path: Path, *more: str) -> dict[str, Any]:
    told = CliRunner().invoke(main, ["map", str(path), *more])
    assert told.exit_code == 0, told.output
    return tomllib.loads(told.stdout)


def judged(path: Path, mapping: dict[str, Any], rules: TableRules = RULES) -> VerificationReport:
    return verify_file(path, rules, mapping_of(mapping, [one.wager.id for one in rules.own]))


@pytest.mark.parametrize("name", FORMATS)
def test_what_is_proposed_reads_right_rounds_as_right(tmp_path: Path, name: str) -> None:
    path = tmp_path / "rounds"
    path.write_bytes(FORMATS[name]())
    mapping = proposed(path)
    mapping.setdefault("money", {})["limits"] = "unchecked"
    report = judged(path, mapping)
    assert report.is_clean, report.divergences[:3]
    assert report.rounds == len(ROUNDS)


def test_wagers_that_columns_name_are_counted_among_those_judged(tmp_path: Path) -> None:
    path = tmp_path / "rounds"
    path.write_bytes(titled())
    mapping = proposed(path)
    assert mapping["file"]["header"] == 3
    assert mapping["wagers"] == {"banker": {"stake": "Bet: Banker", "net": "Win/Loss: Banker"}}


def test_a_wrong_row_of_one_wager_is_found_and_repaired(tmp_path: Path) -> None:
    path, out = tmp_path / "rounds.csv", tmp_path / "right.csv"
    right = one_wager_a_row()
    lines = right.decode().splitlines()
    at = next(n for n, line in enumerate(lines) if "\ttiger_pair\t" in line and "-10.00" in line)
    lines[at] = lines[at].replace("-10.00", "40.00")
    path.write_text("\n".join(lines) + "\n")
    mapping = {**proposed(path), "money": {"limits": "unchecked"}}
    report = judged(path, mapping)
    assert [(one.kind, one.wager) for one in report.divergences] == [("settlement", "tiger_pair")]
    named = mapping_of(mapping, [one.wager.id for one in RULES.own])
    repair_file(path, RULES, named, out=out)
    assert out.read_bytes() == right


def test_amounts_without_a_wager_in_the_row_are_refused_in_a_mapping() -> None:
    with pytest.raises(MappingError, match=r"columns.stake: it needs columns.wager"):
        mapping_of({"columns": {"stake": "Bet"}})


def test_bare_amounts_tell_nothing_where_no_column_names_the_wager(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text("shoe,round,player,banker,winner,stake,net\n1,1,9c Kd,7h Js,P,100,1\n")
    report = judged(path, {})
    assert (report.by_kind, report.money) == ({}, "unread")
    assert report.columns_unread == ["stake", "net"]
    line = '{"shoe": 1, "round": 1, "player": "9c Kd", "banker": "7h Js", "stake": 5, "net": 9}\n'
    path.write_text(line)
    report = judged(path, {})
    assert (report.by_kind, report.money) == ({}, "unread")
    assert report.columns_unread == ["stake", "net"]


def test_a_row_whose_amounts_have_no_wager_cannot_be_read(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    head = "shoe,round,player,banker,winner,wager,stake,net\n"
    path.write_text(f"{head}1,1,9c Kd,7h Js,P,,100,100\n1,2,9d Kd,7h Jc,P,player,100,100\n")
    report = judged(path, {})
    assert [one.kind for one in report.divergences] == ["format"]
    assert "no wager is named" in report.divergences[0].message


def test_suits_in_words_of_the_writer_stand_apart_from_their_ranks(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    lines: list[list[Any]] = [["Schuh", "Hand-Nr.", "Spieler", "Bank", "Ergebnis"]]
    for one in ROUNDS:
        cards = [
            ", ".join(f"{WORDS[card[1]]} {COURT.get(card[0], card[0])}" for card in hand)
            for hand in (one.player, one.banker)
        ]
        winner = {"player": "Spieler", "banker": "Bank", "tie": "Unentschieden"}[one.winner]
        lines.append([one.shoe, one.number, *cards, winner])
    path.write_bytes(rows(*lines, delimiter=";").decode().encode("cp1252"))
    told = CliRunner().invoke(main, ["map", str(path)])
    assert "some bytes are not UTF-8: name the encoding with --encoding" in told.stdout
    mapping = {
        **proposed(path, "--encoding", "cp1252"),
        "cards": {"order": "suit-rank"},
        "values": {
            "suit": {name: suit for suit, name in WORDS.items()},
            "rank": {name: rank for rank, name in COURT.items() if rank != "T"},
        },
    }
    report = judged(path, mapping)
    assert report.is_clean, report.divergences[:3]
    assert report.rounds == len(ROUNDS)


@pytest.mark.parametrize("absent", ["-1", "None", "null", "NaN", "-"])
def test_what_programs_write_for_no_card_is_none(tmp_path: Path, absent: str) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text(f"round,p1,p2,p3,banker\n1,9c,Kd,{absent},7h Js\n2,{absent},9c,Kd,7h Js\n")
    mapping = {"columns": {"player": ["p1", "p2", "p3"]}}
    report = judged(path, mapping)
    assert [(one.line, one.kind) for one in report.divergences] == [(3, "format")]
    assert "card 1 is missing" in report.divergences[0].message


def test_a_rank_before_a_word_that_begins_like_a_suit_stays_alone(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text("round,player,banker,winner\n1,9 Dame,7 8 h,P\n2,9 h Dame d,7 h 8 c,P\n")
    report = judged(path, {"values": {"rank": {"Dame": "Q"}}})
    assert report.is_clean, report.divergences


def test_a_lost_pair_of_one_hand_is_explained_by_the_pair_of_the_other(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    head = "shoe,round,player,banker,winner,stake:player,net:player"
    bets = "stake:own_player_pair,net:own_player_pair"
    path.write_text(f"{head},{bets}\n1,1,4s 5h,Ac Ad Ks,P,25,25,5,-5\n")
    own = ROOT / "docs" / "examples" / "side-bets" / "player-pair.toml"
    words = ("--submission", str(PLAIN), "--own", str(own), "--round", "1")
    told = CliRunner().invoke(main, ["explain", str(path), *words])
    assert "lost, for Banker alone began with a pair" in " ".join(told.output.split())
