"""Files of nineteen vendors, through `map`, `verify`, and `audit`: right ones pass, one error is told once.

An independent dealer deals and settles the rounds, side bets and a jackpot among them; each vendor
writes them in a form of its own.
"""

from __future__ import annotations

import csv
import gzip
import io
import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

import pytest
import xlsxwriter  # type: ignore[import-untyped]  # it has no types
from click.testing import CliRunner, Result
from msgspec import Struct
from msgspec.structs import replace

from croupier.cli import main
from support.external_rounds import RANKS, House, Round, shoes
from support.project import PLAIN, ROOT
from support.side_bets import BETS, JACKPOT_PART, JACKPOT_SEED, jackpot, settled
from support.volume import spread

BASE: Final = ("player", "banker", "tie")
SUIT: Final = {"c": "Clubs", "d": "Diamonds", "h": "Hearts", "s": "Spades"}
SIGN: Final = {"c": "♣", "d": "♦", "h": "♥", "s": "♠"}
WORD: Final = dict(
    zip(
        RANKS,
        ["Ace", "Two", "Three", "Four", "Five", "Six", "Seven", "Eight", "Nine", "Ten", "Jack", "Queen", "King"],
        strict=True,
    )
)  # fmt: skip
OWN: Final = [
    f"--own={ROOT / 'docs' / 'examples' / 'side-bets' / name}.toml" for name in BETS
]  # fmt: skip


class Told(Struct, frozen=True):
    """A round with every wager that was settled in it, in cents, and what the jackpot showed."""

    at: Round
    bets: Mapping[str, tuple[int, int]]
    meter: int
    reshuffled: bool = False


def told(seed: int = 41, number: int = 2) -> list[Told]:
    found, meter = [], JACKPOT_SEED
    for one in shoes(House(BASE), number, seed, stakes=range(2_500, 9_000, 500)):
        meter += JACKPOT_PART
        side = {name: (1_000, 1_000 * times) for name, times in settled(one).items()}
        won = jackpot(one, meter)
        found.append(Told(one, {**one.wagers, **side, "suited_jackpot": (500, won)}, meter))
        meter = JACKPOT_SEED if won == meter else meter
    return found


# --- errors ------------------------------------------------------------------------------------

Spoil = Callable[[list[Told]], list[Told]]


def _first(rounds: list[Told], fits: Callable[[Told], bool], change: Callable[[Told], Told]) -> list[Told]:  # fmt: skip
    at = next(at for at, one in enumerate(rounds) if at > 10 and fits(one))
    return [*rounds[:at], change(rounds[at]), *rounds[at + 1 :]]


def other_winner(rounds: list[Told]) -> list[Told]:
    return _first(
        rounds,
        lambda one: one.at.winner == "player",
        lambda one: replace(one, at=replace(one.at, winner="banker")),
    )


def third_card_gone(rounds: list[Told]) -> list[Told]:
    # A ten leaves count, winner, and payments as they are.
    return _first(
        rounds,
        lambda one: len(one.at.banker) == 3 and one.at.banker[2][0] in "TJQK" and len(one.at.player) == 2,
        lambda one: replace(one, at=replace(one.at, banker=one.at.banker[:2])),
    )  # fmt: skip


def paid(wager: str, cents: int) -> Spoil:
    """Pay a wager that lost so much."""

    def change(one: Told) -> Told:
        return replace(one, bets={**one.bets, wager: (one.bets[wager][0], cents)})

    return lambda rounds: _first(rounds, lambda one: one.bets[wager][1] < 0, change)


def no_vigorish(rounds: list[Told]) -> list[Told]:
    return _first(
        rounds,
        lambda one: one.bets["banker"][1] > 0,
        lambda one: replace(one, bets={**one.bets, "banker": (one.bets["banker"][0],) * 2}),
    )


def dropped(rounds: list[Told]) -> list[Told]:
    return [*rounds[:20], *rounds[21:]]


def doubled(rounds: list[Told]) -> list[Told]:
    return [*rounds[:20], *rounds[19:]]


# --- how vendors write -------------------------------------------------------------------------

Write = Callable[[list[Told]], bytes]


def table(rows: Sequence[Mapping[str, object]], delimiter: str = ",") -> str:
    text = io.StringIO()
    made = csv.DictWriter(text, list(rows[0]), delimiter=delimiter, lineterminator="\r\n")
    made.writeheader()
    made.writerows(rows)
    return text.getvalue()


def money(cents: int, point: str = ".") -> str:
    return f"{cents / 100:.2f}".replace(".", point)


def hand(cards: Sequence[str], write: Callable[[str], str], between: str = " ") -> str:
    return between.join(map(write, cards))


def ten(card: str) -> str:
    return card.replace("T", "10").upper()


def sign_first(card: str) -> str:
    return SIGN[card[1]] + card[0].replace("T", "10")


def word(card: str) -> str:
    return f"{WORD[card[0]]} of {SUIT[card[1]]}"


def tens_alike(card: str) -> str:
    return "T" if card[0] in "TJQK" else card[0]


def of(one: Told, write: Callable[[str], str] = str, **more: int) -> dict[str, object]:
    return {
        "shoe": one.at.shoe, "round": one.at.number, "player": hand(one.at.player, write),
        "banker": hand(one.at.banker, write), "winner": one.at.winner, **more,
    }  # fmt: skip


def wagers(one: Told, *names: str) -> dict[str, str]:
    return {
        f"{part}:{name}": money(cents)
        for name in names
        for part, cents in zip(("stake", "net"), one.bets[name], strict=True)
    }


def pairs_with_a_mark_of_order(rounds: list[Told]) -> bytes:
    names = ("banker", "own_player_pair", "own_banker_pair", "tiger")
    return table([{**of(one, ten), **wagers(one, *names)} for one in rounds]).encode("utf-8-sig")


def german(rounds: list[Told]) -> str:
    winner = {"player": "Spieler", "banker": "Bank", "tie": "Unentschieden"}
    rows = [
        {"Schuh": one.at.shoe, "Runde": one.at.number, "Spieler": hand(one.at.player, ten),
         "Bank": hand(one.at.banker, ten), "Sieger": winner[one.at.winner],
         "Bank Einsatz": money(one.bets["banker"][0], ","), "Bank Netto": money(one.bets["banker"][1], ","),
         "Tiger Einsatz": money(one.bets["tiger"][0], ","), "Tiger Netto": money(one.bets["tiger"][1], ",")}
        for one in rounds
    ]  # fmt: skip
    return table(rows, ";")


def signs(rounds: list[Told]) -> bytes:
    names = ("tie", "perfect_pair")
    return table([{**of(one, sign_first), **wagers(one, *names)} for one in rounds], "\t").encode()


def numbered(first: int, suits: str, by: str) -> Write:
    def number(card: str) -> str:
        rank, suit = RANKS.index(card[0]), suits.index(card[1])
        return str(first + (suit * 13 + rank if by == "suit" else rank * 4 + suit))

    return lambda rounds: table(
        [{**of(one, number), **wagers(one, "tiger_pair", "perfect_pair")} for one in rounds]
    ).encode()


def numbers(first: int, suits: str, by: str) -> dict[str, str]:
    return {"numbers": f"{first}-{first + 51}", "suits": suits, "ranks": RANKS, "by": by}


def words(rounds: list[Told]) -> bytes:
    rows = [
        {**of(one), "player": hand(one.at.player, word, ", "), "banker": hand(one.at.banker, word, ", ")}
        for one in rounds
    ]  # fmt: skip
    return table(rows).encode()


def ranks_by_number(rounds: list[Told]) -> bytes:
    return table([of(one, lambda card: str(RANKS.index(card[0]) + 1)) for one in rounds]).encode()


def no_faces(rounds: list[Told]) -> bytes:
    return table([{**of(one, tens_alike), **wagers(one, "tiger")} for one in rounds]).encode()


def interleaved(rounds: list[Told]) -> bytes:
    """Two tables whose rounds take turns in one file."""
    of_shoe = [[one for one in rounds if one.at.shoe == shoe] for shoe in (1, 2)]
    rows = []
    for at in range(max(map(len, of_shoe))):
        for place, shoe in enumerate(of_shoe):
            if at < len(shoe):
                rows.append({"table": f"B{place + 1}", **of(shoe[at]), **wagers(shoe[at], "tiger")})
    return table(rows).encode()


def never_ending(rounds: list[Told]) -> bytes:
    """One shoe that is shuffled again in its middle, as a column says."""
    rows = []
    for number, one in enumerate(rounds, start=1):
        fresh = int(number > 1 and one.at.number == 1)
        rows.append({**of(one, reshuffle=fresh), "shoe": "machine 7", "round": number})
    return table(rows).encode()


def workbook(rounds: list[Told]) -> bytes:
    names = ("player", "own_player_pair", "suited_jackpot")
    rows: list[dict[str, object]] = [
        {**of(one), **wagers(one, *names), "meter:jackpot": money(one.meter)} for one in rounds
    ]
    data = io.BytesIO()
    with xlsxwriter.Workbook(data) as book:
        sheet = book.add_worksheet("Hands")
        sheet.write_row(0, 0, list(rows[0]))
        for at, row in enumerate(rows, start=1):
            for place, (name, cell) in enumerate(row.items()):
                sheet.write(at, place, float(str(cell)) if ":" in name else cell)
    return data.getvalue()


def objects(rounds: list[Told]) -> Iterator[dict[str, object]]:
    for one in rounds:
        listed = [
            {"wager": name, "stake": stake / 100, "net": net / 100}
            for name, (stake, net) in one.bets.items()
        ]
        cards = {"player": one.at.player, "banker": list(map(ten, one.at.banker))}
        yield {**of(one), **cards, "wagers": listed, "meter:jackpot": one.meter / 100}


def lines_of_json(rounds: list[Told]) -> bytes:
    return gzip.compress("\n".join(map(json.dumps, objects(rounds))).encode())


def parquet(rounds: list[Told]) -> bytes:
    arrow, writer = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    names = ("player", "own_banker_pair", "tiger_pair")
    rows = [
        {**of(one), **{name: float(str(cell)) for name, cell in wagers(one, *names).items()}}
        for one in rounds
    ]
    data = io.BytesIO()
    writer.write_table(arrow.Table.from_pylist(rows), data)
    return data.getvalue()


def row_a_bet(rounds: list[Told]) -> bytes:
    names = {"banker": "Bank", "tiger": "Tiger", "own_player_pair": "P Pair"}
    rows = [
        {**of(one), "bet": name, "amount": money(one.bets[wager][0]), "win": money(one.bets[wager][1])}
        for one in rounds
        for wager, name in names.items()
    ]  # fmt: skip
    return table(rows).encode()


def row_a_seat(rounds: list[Told]) -> bytes:
    names = ("banker", "tiger", "perfect_pair")
    rows = [{**of(one, seat=seat), **wagers(one, *names)} for one in rounds for seat in (2, 5)]
    return table(rows).encode()


class Vendor(Struct, frozen=True):
    """How a vendor writes, what a person tells of it, and one error with its kind."""

    write: Write
    kind: str
    spoil: Spoil
    mapping: str = ""
    options: tuple[str, ...] = ()
    name: str = "r.csv"
    by_pipe: bool = False


def toml(cards: Mapping[str, str]) -> str:
    return "[cards]\n" + "".join(f'{name} = "{value}"\n' for name, value in cards.items())


GERMAN: Final = """
[columns]
shoe = "Schuh"
round = "Runde"
player = "Spieler"
banker = "Bank"
winner = "Sieger"
[wagers.banker]
stake = "Bank Einsatz"
net = "Bank Netto"
[wagers.tiger]
stake = "Tiger Einsatz"
net = "Tiger Netto"
[money]
decimal = ","
[values.winner]
Spieler = "player"
Bank = "banker"
Unentschieden = "tie"
"""
BETS_BY_NAME: Final = """
[columns]
wager = "bet"
stake = "amount"
net = "win"
[values.wager]
Bank = "banker"
Tiger = "tiger"
"P Pair" = "own_player_pair"
"""
TABLES: Final = '[columns]\nshoe = ["table", "shoe"]\n'
SHUFFLED: Final = '[columns]\nmarks = "reshuffle"\n[values.mark]\n1 = "reshuffled"\n0 = "none"\n'
TENS: Final = '[cards]\ntens = "ten-valued"\n'
ORDER: Final = '[cards]\norder = "suit-rank"\n'

VENDORS: Final = {
    "BOM, 10H, pairs": Vendor(pairs_with_a_mark_of_order, "settlement", paid("own_player_pair", 11_000)),
    "UTF-16, semicolon, decimal comma": Vendor(lambda rounds: german(rounds).encode("utf-16"), "vigorish", no_vigorish, GERMAN),
    "UTF-16 without a mark": Vendor(lambda rounds: german(rounds).encode("utf-16-le"), "settlement", paid("tiger", 12_000), GERMAN, ("--encoding", "utf-16-le")),
    "signs before ranks, tabs": Vendor(signs, "settlement", paid("perfect_pair", 25_000), ORDER),
    "0 to 51": Vendor(numbered(0, "shcd", "suit"), "settlement", paid("tiger_pair", 4_000), toml(numbers(0, "shcd", "suit"))),
    "1 to 52": Vendor(numbered(1, "cdhs", "rank"), "settlement", paid("perfect_pair", 25_000), toml(numbers(1, "cdhs", "rank"))),
    "words": Vendor(words, "winner", other_winner),
    "ranks 1 to 13": Vendor(ranks_by_number, "third_card", third_card_gone),
    "ten-valued ranks": Vendor(no_faces, "settlement", paid("tiger", 20_000), TENS),
    "two tables by turns": Vendor(interleaved, "winner", other_winner, TABLES),
    "a shoe shuffled in its middle": Vendor(never_ending, "winner", other_winner, SHUFFLED),
    "a workbook": Vendor(workbook, "settlement", paid("suited_jackpot", 25_000), name="r.xlsx"),
    "packed JSON Lines": Vendor(lines_of_json, "settlement", paid("suited_jackpot", 6_000), name="r.jsonl.gz"),
    "Parquet": Vendor(parquet, "settlement", paid("own_banker_pair", 11_000), name="r.parquet"),
    "packed, by standard input": Vendor(lambda rounds: gzip.compress(pairs_with_a_mark_of_order(rounds)), "vigorish", no_vigorish, by_pipe=True),
    "a row a bet": Vendor(row_a_bet, "settlement", paid("tiger", 12_000), BETS_BY_NAME),
    "a row a seat": Vendor(row_a_seat, "third_card", third_card_gone),
    "a round lost": Vendor(pairs_with_a_mark_of_order, "procedure", dropped),
    "a round doubled": Vendor(lines_of_json, "procedure", doubled, name="r.jsonl.gz"),
}  # fmt: skip


def called(vendor: Vendor, folder: Path, command: str, rounds: list[Told]) -> Result:
    data = vendor.write(rounds)
    path = folder / vendor.name
    path.write_bytes(data)
    told: list[str] = [command, "-" if vendor.by_pipe else str(path), *vendor.options]
    if command != "map":
        told += ["--submission", str(PLAIN), *OWN, "--format", "json"]
        if vendor.mapping:
            (folder / "mapping.toml").write_text(vendor.mapping, encoding="utf-8")
            told += ["--mapping", str(folder / "mapping.toml")]
    return CliRunner().invoke(main, told, input=data if vendor.by_pipe else None)


def document(result: Result, status: int) -> Any:
    assert result.exit_code == status, result.output[:2000]
    return json.loads(result.stdout)


@pytest.fixture(scope="module")
def rounds() -> list[Told]:
    return told()


@pytest.mark.parametrize("name", spread(VENDORS, 7))
def test_a_right_file_passes_verify_and_audit(
    tmp_path: Path, rounds: list[Told], name: str
) -> None:
    vendor = VENDORS[name]
    verified = document(called(vendor, tmp_path, "verify", rounds), 0)
    assert (verified["clean"], verified["rounds"]) == (True, len(rounds))
    audited = document(called(vendor, tmp_path, "audit", rounds), 0)
    assert (audited["clean"], audited["rounds"]) == (True, len(rounds))


@pytest.mark.parametrize("name", spread(VENDORS, 10))
def test_one_error_is_told_once_with_its_kind(
    tmp_path: Path, rounds: list[Told], name: str
) -> None:
    vendor = VENDORS[name]
    wrong = vendor.spoil(rounds)
    verified = document(called(vendor, tmp_path, "verify", wrong), 1)
    assert verified["by_kind"] == {vendor.kind: 1}, verified["divergences"]
    assert called(vendor, tmp_path, "audit", wrong).exit_code == 1


@pytest.mark.parametrize("name", VENDORS)
def test_a_mapping_is_proposed_that_shows_the_rounds(
    tmp_path: Path, rounds: list[Told], name: str
) -> None:
    vendor = VENDORS[name]
    result = called(vendor, tmp_path, "map", rounds)
    assert result.exit_code == 0, result.output
    assert "round 1; Player" in result.stdout


@pytest.mark.parametrize("name", ["0 to 51", "1 to 52"])
def test_numbers_of_cards_never_pass_as_ranks(
    tmp_path: Path, rounds: list[Told], name: str
) -> None:
    vendor = replace(VENDORS[name], mapping="")
    # Verification finds out how cards are numbered by the results, and says so; an audit assumes nothing.
    verified = called(vendor, tmp_path, "verify", rounds)
    assert verified.exit_code == 0
    read = f"[cards] numbers = {name.replace(' to ', '-')}, "
    assert any(one.startswith(read) for one in json.loads(verified.stdout)["assumptions"])
    for command in ("verify", "audit"):
        if command == "audit":
            result = called(vendor, tmp_path, command, rounds)
            assert result.exit_code == 2
            assert "numbers 0 to 51 or 1 to 52" in result.stderr
        # Nor do the few rounds of them that happen to be ranks.
        few = [one for one in rounds if all(c[1] == "c" for c in (*one.at.player, *one.at.banker))]
        assert called(vendor, tmp_path, command, [*few, rounds[0]]).exit_code != 0
