"""``croupier map``: a proposal that reads the file, is a mapping file, and says what it is not sure of."""

import json
import random
import tomllib
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema_rs import Draft202012Validator

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.records.rounds.mapping import mapping_of
from croupier.records.rounds.tables import check_columns
from croupier.rules import read_submission, table_rules
from croupier.verify.rounds.file import verify_file
from support.external_rounds import House, Round, shoes
from support.project import ROOT

NJ = table_rules(read_submission(ROOT / "submissions" / "nj-minibaccarat.toml"))
ROUNDS = list(shoes(House(("player", "banker", "tie")), 1, 11, stakes=range(2500, 9000, 500)))
RANKS = "A23456789TJQK"


def proposal(path: Path, *options: str) -> str:
    done = CliRunner().invoke(main, ["map", str(path), *options])
    # It says whether the mapping reads the rounds.
    assert done.exit_code == ("# Missing: " in done.stdout), done.output
    return done.stdout


def place(cards: list[str], at: int) -> str:
    return cards[at] if at < len(cards) else ""


def numbers(cards: list[str]) -> str:
    return " ".join(str("shcd".index(c[1]) * 13 + RANKS.index(c[0]) + 1) for c in cards)


def word(card: str) -> str:
    ranks = [
        "Ace",
        "Two",
        "Three",
        "Four",
        "Five",
        "Six",
        "Seven",
        "Eight",
        "Nine",
        "Ten",
        "Jack",
        "Queen",
        "King",
    ]
    suits = {"c": "Clubs", "d": "Diamonds", "h": "Hearts", "s": "Spades"}
    return f"{ranks[RANKS.index(card[0])]} of {suits[card[1]]}"


def signs(cards: list[str]) -> str:
    return " ".join("♣♦♥♠"["cdhs".index(c[1])] + c[0] for c in cards)


def dialect(name: str, one: Round) -> dict[str, object]:
    """Write a round as one of several vendors does."""
    bank, play = one.wagers["banker"], one.wagers["player"]
    match name:
        case "a card a column":
            cards = {f"P{n + 1}": place(one.player, n) for n in range(3)}
            cards |= {f"B{n + 1}": place(one.banker, n) for n in range(3)}
            return {"Table": "B7", "ShoeNo": one.shoe, "Hand": one.number, **cards,
                    "Result": one.winner[0].upper(), "BankBet": bank[0], "BankWin": bank[1]}  # fmt: skip
        case "numbers":
            return {"shoe_id": one.shoe, "game_no": one.number, "player_cards": numbers(one.player),
                    "banker_cards": numbers(one.banker), "player_score": one.player_total,
                    "banker_score": one.banker_total, "outcome": one.winner}  # fmt: skip
        case "signs first":
            return {"Shoe": one.shoe, "Round": one.number, "Punto": signs(one.player),
                    "Banco": signs(one.banker), "Winner": {"player": "1", "banker": "2", "tie": "0"}[one.winner]}  # fmt: skip
        case "decimal comma":
            comma = f"{play[1] / 100:.2f}".replace(".", ",")
            return {"shoe": one.shoe, "round": one.number, "player": " ".join(one.player),
                    "banker": " ".join(one.banker), "player_bet": f"{play[0] / 100:.2f}".replace(".", ","),
                    "player_net": comma}  # fmt: skip
        case "German":
            spieler = {f"S{n + 1}": place(one.player, n) for n in range(3)}
            bank_cards = {f"B{n + 1}": place(one.banker, n) for n in range(3)}
            euro = [f"{cents / 100:.2f} €".replace(".", ",") for cents in play]
            return {"Schuh": one.shoe, "Runde": one.number, **spieler, **bank_cards,
                    "Sieger": {"player": "Spieler", "banker": "Bank", "tie": "Unentschieden"}[one.winner],
                    "Spieler Einsatz": euro[0], "Spieler Netto": euro[1]}  # fmt: skip
        case "a bet a row":
            won = f"{abs(play[1]) / 100:.2f}"
            return {"Shoe": one.shoe, "Hand": one.number, "Player": " ".join(one.player),
                    "Banker": " ".join(one.banker), "Outcome": one.winner, "Seat": 1, "BetType": "Player",
                    "BetAmount": f"${play[0] / 100:.2f}", "WinLoss": f"(${won})" if play[1] < 0 else f"${won}"}  # fmt: skip
    flat = {c: "T" if c[0] in "TJQK" else c[0] for c in (*one.player, *one.banker)}
    return {"shoe": one.shoe, "round": one.number, "PlayerHand": " ".join(flat[c] for c in one.player),
            "BankerHand": " ".join(flat[c] for c in one.banker), "result": one.winner.upper()}  # fmt: skip


DIALECTS = (
    "a card a column",
    "numbers",
    "signs first",
    "decimal comma",
    "tens alike",
    "German",
    "a bet a row",
)


@pytest.mark.parametrize("name", DIALECTS)
def test_a_proposal_reads_the_file_and_verifies_it(tmp_path: Path, name: str) -> None:
    rows = [dialect(name, one) for one in ROUNDS]
    path = tmp_path / "rounds.csv"
    lines = [";".join(rows[0]), *(";".join(map(str, row.values())) for row in rows)]
    path.write_text("\n".join(lines), encoding="utf-8")
    text = proposal(path)
    mapping = mapping_of(tomllib.loads(text))
    if name == "numbers":
        # Suits make no difference to results: they are a person's to name.
        assert "check it" in text
    report = verify_file(path, NJ, mapping)
    assert report.is_clean, report.divergences[:3]
    assert text.count("; Player ") == 10


def test_a_proposal_for_json_names_nested_keys(tmp_path: Path) -> None:
    path = tmp_path / "rounds.jsonl"
    rows = [
        {"game": {"shoeNo": one.shoe, "round_no": one.number}, "playerCards": one.player,
         "bankerCards": one.banker, "result": one.winner}
        for one in ROUNDS
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)))
    mapping = mapping_of(tomllib.loads(proposal(path)))
    assert verify_file(path, NJ, mapping).is_clean


def test_a_proposal_for_json_finds_hands_of_an_object_of_cards_and_what_bets_are(
    tmp_path: Path,
) -> None:
    path = tmp_path / "rounds.jsonl"
    rows = [
        {"game": {"shoe": one.shoe, "hand": one.number, "res": one.winner.upper()},
         "cards": {"p": list(map(word, one.player)), "b": list(map(word, one.banker))},
         "bets": [{"type": "Banker", "amt": one.wagers["banker"][0], "pl": one.wagers["banker"][1]}],
         "jackpot": 1_000_000}
        for one in ROUNDS
    ]  # fmt: skip
    path.write_text("\n".join(map(json.dumps, rows)))
    text = proposal(path)
    assert "'jackpot' may be what a meter shows" in text
    report = verify_file(path, NJ, mapping_of(tomllib.loads(text)))
    assert report.is_clean
    assert {"cards.p", "cards.b", "game.hand", "bets.pl"} <= {*report.columns_read}


def test_a_file_in_which_nothing_is_known_says_what_is_missing(tmp_path: Path) -> None:
    path = tmp_path / "rounds.csv"
    path.write_text('foo,b"ar\n1,2\n')
    text = proposal(path)
    tomllib.loads(text)
    assert "# Missing: no column contains player" in text
    done = CliRunner().invoke(main, ["map", str(path), "--format", "json"])
    assert done.exit_code == 1
    assert "no rounds can be read by this mapping: no column contains player" in done.stderr


@pytest.mark.parametrize("seed", range(40))
def test_whatever_the_header_is_a_proposal_is_toml(tmp_path: Path, seed: int) -> None:
    chance = random.Random(seed)
    letters = "aB1 _.-\"\\#[]=\u00e9\u2660'\x07"
    names = ["".join(chance.choices(letters, k=chance.randrange(1, 9))) for _ in range(6)]
    path = tmp_path / "rounds.csv"
    path.write_text(f"player {names[0]}\tbanker\tplayer\t{chr(9).join(names)}\n9\t8\t7\t1\n")
    tomllib.loads(proposal(path))


def test_a_proposal_as_data_is_as_its_schema_says() -> None:
    text = proposal(ROOT / "docs" / "examples" / "rounds" / "other.csv", "--format", "json")
    data = json.loads(text)
    Draft202012Validator(SCHEMAS["proposed-mapping"]()).validate(data)
    assert data["mapping"]["columns"]["player"] == ["P1", "P2", "P3"]
    assert data["rounds"][0]["wagers"] == [
        {"wager": "banker", "stake_cents": 3500, "net_cents": 3325}
    ]


def test_a_header_on_a_last_line_without_an_end_is_found_once(tmp_path: Path) -> None:
    # The reader gives such a line in a block of its own.
    path = tmp_path / "rounds.csv"
    path.write_text("Report\nshoe,round,player,banker")
    assert tomllib.loads(proposal(path))["file"]["header"] == 2


@pytest.mark.parametrize("form", ["csv", "jsonl"])
@pytest.mark.parametrize("command", ["map", "verify"])
def test_rounds_of_too_many_columns_are_refused(tmp_path: Path, form: str, command: str) -> None:
    path = tmp_path / f"rounds.{form}"
    names = [f"c{number}" for number in range(9_997)]
    if form == "csv":  # 4 columns of rounds and 9,997 others are 10,001.
        path.write_text(f"round,player,banker,winner,{','.join(names)}\n1,9s 8h,2d 3c,player\n")
    else:  # No line alone has as many.
        fields = {"round": 1, "player": "9s 8h", "banker": "2d 3c", "winner": "player"}
        parts = (names[:5000], names[5000:])
        path.write_text(
            "\n".join(json.dumps(fields | dict.fromkeys(part, 0)) for part in parts) + "\n"
        )
    submission = ROOT / "submissions" / "nj-minibaccarat.toml"
    options = ["--submission", str(submission)] if command == "verify" else []
    done = CliRunner().invoke(main, [command, str(path), *options])
    assert done.exit_code == 2
    assert "more than 10,000 columns, the first of which is 'round'" in done.output


def test_as_many_columns_as_can_be_told_apart_are_not_refused() -> None:
    check_columns(["a"] * 10_000)


@pytest.mark.parametrize(("stake", "paid_name"), [("Stake", "Paid"), ("Coin In", "Coin Out")])
@pytest.mark.parametrize(("paid", "status"), [("20.00", 0), ("27.35", 1)])
def test_names_of_columns_on_each_page_are_no_values(
    tmp_path: Path, stake: str, paid_name: str, paid: str, status: int
) -> None:
    header = f"Shoe No,Hand No,Pos,Bet Type,{stake},{paid_name},Player Cards,Banker Cards,Result"
    rows = [  # Naturals: 9 against 5, 5 against 9, 8 against 8; what is paid holds the stake.
        ("Player,10.00,20.00", "9S KH,2D 3C,Player"),
        ("Banker,20.00,39.00", "2H 3S,9C KC,Banker"),
        ("Player,10.00,10.00", "4D 4H,3H 5S,Tie"),
        ("Banker,20.00,0.00", "9D QH,2C 3H,Player"),
    ] * 3
    lines = [f"1,{number},4,{bet},{hands}" for number, (bet, hands) in enumerate(rows, start=1)]
    lines[8] = lines[8].replace("20.00", paid)
    path = tmp_path / "pages.csv"
    path.write_text("\n".join([header, *lines[:6], header, *lines[6:]]) + "\n")
    submission = ROOT / "submissions" / "nj-minibaccarat.toml"
    options = ["--submission", str(submission), "--no-limits", "--format", "json"]
    done = CliRunner().invoke(main, ["verify", str(path), *options])
    assert done.exit_code == status, done.output
    divergences = json.loads(done.stdout)["divergences"]
    found = [(str(one["round"]), one["found"] - one["expected"]) for one in divergences]
    assert found == [("9", 735)] * status
