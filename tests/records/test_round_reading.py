"""Cells of other people's rounds: cards, amounts, winners and marks, however they are written."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path

import pytest

from croupier.baccarat.cards import parse_cards
from croupier.files.lines import blocks_of
from croupier.records.rounds.card_cells import CardReader, mark_reader, winner_reader
from croupier.records.rounds.cells import AmountReader, amount_like
from croupier.records.rounds.mapping import MappingError, mapping_of
from croupier.records.rounds.reading import open_rounds
from croupier.records.rounds.record import RoundRecord, Unreadable, shown_text


@pytest.mark.parametrize(
    "text",
    [
        "9h Kd Tc",
        "9H,KD,10C",
        "9♥ K♦ 10♣",
        "9hKdTc",
        "9h/Kd/Tc",
        " 9h  kd; 10c ",
        "9♡K♢T♧",
        "9h|Kd|Tc",
        "9♥️ K♦️ T♣️",
    ],
)
def test_cards_are_read_however_they_are_written(text: str) -> None:
    assert CardReader()(text) == parse_cards("9h Kd Tc")


def test_cards_of_a_list_by_rank_and_face_down() -> None:
    assert CardReader()(["9h", "Kd"]) == parse_cards("9h Kd")
    assert [shown_text(card) for card in CardReader()("A 10 q ?")] == ["A", "T", "Q", "?"]
    objects = [{"rank": "9", "suit": "h"}, {"rank": "10", "suit": "D"}]
    assert CardReader()(objects) == parse_cards("9h Td")
    assert CardReader(suit_first=True)(objects) == parse_cards("9h Td")
    assert CardReader(suit_first=True)("h9 dK") == parse_cards("9h Kd")
    assert CardReader({"B": "J"}, {"k": "c"})("Bk 9h") == parse_cards("Jc 9h")


@pytest.mark.parametrize("text", ["1h", "11c", "Zz", "9hh", "h9", "9h Kd x", "٣h", "0"])
def test_what_is_no_card_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="no cards"):
        CardReader()(text)


@pytest.mark.parametrize(
    ("value", "cents"),
    [
        ("9.5", 950), ("23.75", 2_375), ("-25.0", -2_500), ("-0.0", 0), ("$1,250.00", 125_000),
        ("+5", 500), ("\u221212.50", -1_250), (".5", 50), ("5.", 500), ("1e2", None), ("", None),
        ("31.349999999999998", 3_135), ("0.30000000000000004", 30), ("4.845", Fraction(969, 2)),
        ("($1,234.50)", -123_450), ("(3.00)", -300), ("$-17.5", -1_750), ("-$17.50", -1_750),
        ("- $5", -500), ("17.25-", -1_725), ("USD 1,250", 125_000), ("5 €", 500), ("£5", 500),
        ("HK$12", 1_200), ("1'250.50", 125_050), ("1\u202f250", 125_000), ("1 250 000", 125_000_000),
        (12, 1_200), (9.5, 950), (Decimal("23.75"), 2_375), (31.349999999999998, 3_135), (None, None),
    ],
)  # fmt: skip
def test_amounts_of_dollars(value: object, cents: object) -> None:
    read = AmountReader(100)
    if value == "1e2":
        with pytest.raises(ValueError, match="not an amount"):
            read(value)
        return
    assert read(value) == cents


@pytest.mark.parametrize(
    "value",
    [
        "nan",
        "inf",
        "1.2.3",
        "1,2",
        "--5",
        "5 dollars",
        "1" * 40,
        True,
        [5],
        "(5",
        "5)",
        "(-5)",
        "-5-",
        "()",
        "$",
        "-",
        "$5 €",
        "1,23,456",
        "1234,567",
        "1,234 567",
        "10K",
        "10MM",
        "5 USDT",
    ],
)
def test_what_is_no_amount_is_refused(value: object) -> None:
    with pytest.raises(ValueError, match=r"amount|number"):
        AmountReader(100)(value)


def test_amounts_of_cents_and_with_a_decimal_comma() -> None:
    assert AmountReader(1)("2375") == 2_375
    assert AmountReader(1)("2375.5") == Fraction(4_751, 2)
    assert AmountReader(100, decimal_comma=True)("1.250,50") == 125_050


def test_amounts_of_one_record_are_of_one_currency() -> None:
    read = AmountReader(100, decimal_comma=True)
    assert [read(text) for text in ("5", "-1.250,00 €", "7,50", "€ 2")] == [500, -125_000, 750, 200]
    with pytest.raises(ValueError, match="another currency than the first amounts, which have €"):
        read("$5")


@pytest.mark.parametrize(
    ("cents", "like", "written"),
    [
        (-500, "(10.00)", "(5.00)"), (500, "(£10.00)", "£5.00"), (500, "9 €", "5 €"),
        (-500, "USD 9", "-USD 5"), (-500, "$-9.00", "-$5.00"), (-500, "9.00-", "-5.00"),
        (0, "(9)", "0"), (125_000, "($1,234.50)", "$1250.00"),
    ],
)  # fmt: skip
def test_a_repaired_amount_is_written_as_the_one_that_stands_there(
    cents: int, like: str, written: str
) -> None:
    assert amount_like(cents, like) == written
    assert AmountReader(100)(written) == cents


def test_a_dash_is_no_wager_but_no_result_of_one(tmp_path: Path) -> None:
    header = "player,banker,stake:player,net:player,stake:banker,net:banker"
    hands = "Kd 5h 6c,4c 2s Ah"
    (path := tmp_path / "r.csv").write_text(f"{header}\n{hands},-,-,100,95\n{hands},100,-,-,-\n")
    first, second = open_rounds(path, mapping_of({}))
    assert isinstance(first, RoundRecord)
    assert [(one.wager, one.stake_cents, one.net_cents) for one in first.wagers] == [
        ("banker", 10_000, 9_500)
    ]
    assert isinstance(second, Unreadable)
    assert second.message == "net:player: '-' is not an amount of dollars"


def test_winners_and_marks() -> None:
    read = winner_reader({"Punto": "player"})
    assert [read(text) for text in ("P", "banker", "TIE", "punto", "")] == [
        "player",
        "banker",
        "tie",
        "player",
        None,
    ]
    marks = mark_reader(CardReader(), {"Fehler": "drawn-in-error"})
    assert list(map(str, marks("void; disclosed=9h, Free Hand"))) == [
        "void",
        "disclosed=9h",
        "free-hand",
    ]
    assert list(map(str, marks(["Fehler: Kd", {"kind": "face-up", "card": "3c"}]))) == [
        "drawn-in-error=Kd",
        "face-up=3c",
    ]
    for wrong in ("disclosed", "void=9h", "what", "disclosed=9h Kd", "disclosed=?"):
        with pytest.raises(ValueError, match="mark"):
            marks(wrong)


def test_lines_are_cut_alike_wherever_a_block_ends(tmp_path: Path) -> None:
    path = tmp_path / "lines"
    for ending in ("\n", "\r\n", "\r"):
        lines = [str(number) * (number % 7) for number in range(30_000)]
        path.write_bytes(ending.join(lines).encode())
        assert [line for block in blocks_of(path) for line in block] == lines


def test_a_round_that_cannot_be_read_tells_all_that_is_wrong_with_it(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(
        "shoe,round,player,banker,winner,stake:tie\n3,7,9x,Kd Kd,nobody,five\n", encoding="utf-8"
    )
    (found,) = open_rounds(path)
    assert isinstance(found, Unreadable)
    assert (found.line, found.shoe, found.round) == (2, "3", "7")
    assert all(word in found.message for word in ("player:", "winner:", "stake:tie:"))


@pytest.mark.parametrize(
    "cell",
    [
        "P: 9H 4C / B: KD 2S",
        "p:9h4c/b:kd2s",
        "Player: 9♥ 4♣. Banker: K♦ 2♠",
        "P 9H,4C | B KD,2S",
        "Banker's Hand = Kd-2s; Player's Hand = 9h-4c",
        "Punto (9h 4c) Banco (Kd 2s)",
        "P: 9h 4c - / B: Kd 2s -",
    ],
)
def test_a_cell_may_have_both_hands_with_their_names(tmp_path: Path, cell: str) -> None:
    (path := tmp_path / "rounds.csv").write_text(f'round,cards\n1,"{cell}"\n', encoding="utf-8")
    (record,) = open_rounds(path)
    assert isinstance(record, RoundRecord), record
    assert (record.player, record.banker) == (parse_cards("9h 4c"), parse_cards("Kd 2s"))


@pytest.mark.parametrize(
    "cell", ["P: 9H 4C", "P: 9H 4C / P: KD 2S", "P: 9H / B: KD / P: 4C", "9H P: 4C / B: KD 2S",
             "P: 9X 4C / B: KD 2S"],
)  # fmt: skip
def test_a_cell_with_other_names_is_refused(tmp_path: Path, cell: str) -> None:
    (path := tmp_path / "rounds.csv").write_text(f'round,cards\n1,"{cell}"\n', encoding="utf-8")
    (record,) = open_rounds(path)
    assert isinstance(record, Unreadable)
    assert record.message.count("cards: ") == 1


def test_dotted_names_and_own_keys_lead_into_json(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    path.write_text(
        '{"game": {"id": 7}, "hands": {"p": ["9h", "Kd"], "b": ["Th", "7c"]},'
        ' "wagers": [{"spot": 3, "wager": "Dragon P", "stake": 5, "back": 10}]}\n',
        encoding="utf-8",
    )
    mapping = mapping_of(
        {
            "columns": {"round": "game.id", "player": "hands.p", "banker": "hands.b"},
            "entries": {"seat": "spot", "paid": "back"},
            "money": {"paid": "returned"},
            "values": {"wager": {"dragon p": "bonus_player"}},
        }
    )
    (found,) = open_rounds(path, mapping)
    assert isinstance(found, RoundRecord)
    assert (found.round, found.player) == ("7", parse_cards("9h Kd"))
    (wager,) = found.wagers
    assert (wager.seat, wager.wager, wager.stake_cents, wager.net_cents) == (
        3,
        "bonus_player",
        500,
        500,
    )


def test_a_mapping_tells_every_error_at_once() -> None:
    with pytest.raises(MappingError) as caught:
        mapping_of(
            {
                "colums": {},
                "columns": {"player": [], "winner": ["a", "b"], "round": "x", "shoe": "x"},
                "wagers": {"tie": {"net": "n"}, "lucky": {}},
                "money": {"unit": "pence"},
                "values": {"winner": {"p": "punto"}},
                "file": {"delimiter": "::", "encoding": "base64"},
            }
        )
    told = "\n".join(caught.value.errors)
    for word in ("did you mean columns?", "columns.player", "give exactly one column", "its stake is missing", "lucky", "pence", "punto", "delimiter", "encoding", "more than once"):  # fmt: skip
        assert word in told, word
