"""Exports as vendors write them, each with planted faults that are listed next to it.

Deals by ``support.external_rounds`` and settles by its own integer arithmetic. Nothing of the
program is imported: neither the mapper, which must find out how each file is written, nor the
settlement, whose amounts are compared with these.
"""

from __future__ import annotations

import csv
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pyarrow as pa
import xlsxwriter  # type: ignore[import-untyped]  # it has no types
from msgspec import Struct
from pyarrow import parquet

from support.external_rounds import RANKS, House, Round, count, net, shoes, winner_of

TABLE = "nj-minibaccarat"
"""The submission of every export but the one of the dragon 7 table."""

_LABEL = {"player": "Player", "banker": "Banker", "tie": "Tie", "bonus_player": "Player Dragon Bonus",
          "bonus_banker": "Banker Dragon Bonus"}  # fmt: skip


class Bet(Struct):
    """A wager as written: what it must bring, and what the record says it brought, in cents."""

    seat: int
    wager: str
    stake: int
    due: int
    net: int
    vigorish: int = 0


class Hand(Struct):
    """A round as written, with its wagers."""

    dealt: Round
    bets: list[Bet]
    winner: str
    player_total: int
    banker_total: int


class Fault(Struct, frozen=True):
    """A planted fault: the divergence it must be, and by how much the bettor was paid too little."""

    kind: str
    shoe: str
    round: str
    owed: int = 0


class Export(Struct):
    """A file, the submission of its table, and its planted faults."""

    path: Path
    faults: list[Fault]
    submission: str = TABLE


# --- rounds and faults -------------------------------------------------------------------------


def hands(
    seed: int, number: int = 2, wagers: Sequence[str] = ("player", "banker", "tie"), *, seats: int = 1,
    betless: bool = True,
) -> list[Hand]:  # fmt: skip
    """Deal shoes and place wagers: each seat at most once on each of two wagers."""
    chance = random.Random(seed)
    house = House()
    found = []
    for one in shoes(house, number, seed):
        bets = []
        for seat in range(1, seats + 1):
            if betless and chance.random() < (0.15 if seats == 1 else 0.5):
                continue
            placed = {chance.choice(("player", "banker")), chance.choice(wagers)}
            for wager in sorted(placed):
                stake = 100 * chance.choice((25, 35, 50, 75, 110, 250))
                due = net(house, wager, stake, one.player, one.banker)
                taken = -(-stake // 100) * 5 if wager == "banker" and due > 0 else 0
                bets.append(Bet(seat, wager, stake, due, due, taken))
        found.append(Hand(one, bets, one.winner, one.player_total, one.banker_total))
    return found


def plant(found: Sequence[Hand], *wanted: str, table: str = "") -> list[Fault]:
    """Make one fault of each wanted sort, far into the file and apart from each other."""
    planted = []
    at = len(found) // 3
    for sort in wanted:
        while (fault := _planted(found[at], sort)) is None:
            at += 1
        kind, owed = fault
        planted.append(
            Fault(kind, f"{table}{found[at].dealt.shoe}", str(found[at].dealt.number), owed)
        )
        at += 7
    return planted


def _planted(one: Hand, sort: str) -> tuple[str, int] | None:
    if sort == "winner":
        one.winner = {"player": "banker", "banker": "tie", "tie": "player"}[one.winner]
        return "winner", 0
    if sort == "total":
        one.banker_total = (one.banker_total + 1) % 10
        return "totals", 0
    for bet in one.bets:
        if sort == "vigorish" and bet.wager == "banker" and bet.due > 0:
            # Paid at even money, without vigorish: the bettor owes what was not taken.
            bet.net = bet.stake
            return "vigorish", bet.due - bet.stake
        if sort == "short" and bet.wager == "player" and bet.due > 0:
            bet.net -= 500
            return "settlement", 500
        if sort == "tie short" and bet.wager == "tie" and bet.due > 0:
            bet.net -= bet.stake
            return "settlement", bet.stake
        if sort == "lost tie" and bet.wager in {"player", "banker"} and bet.due == 0:
            bet.net = -bet.stake
            return "settlement", bet.stake
        if sort == "lost win" and bet.wager == "dragon_7" and bet.due > 0:
            bet.net = -bet.stake
            return "settlement", bet.due + bet.stake
    return None


def dollars(cents: int) -> str:
    sign, cents = ("-" if cents < 0 else ""), abs(cents)
    return f"{sign}{cents // 100}.{cents % 100:02}"


def place(cards: Sequence[str], at: int) -> str:
    return cards[at] if at < len(cards) else ""


def rows(
    path: Path, header: Sequence[str], lines: Iterator[Sequence[object]], by: str = ","
) -> None:
    text = [by.join(header), *(by.join(map(str, line)) for line in lines)]
    path.write_text("\n".join(text) + "\n", encoding="utf-8")


# --- the twelve --------------------------------------------------------------------------------


def returned(folder: Path) -> Export:
    """Payouts with the stake, an id of the game before the number of the hand, words in names."""
    found = hands(101, 6)
    faults = plant(found, "vigorish", "short", "winner", "lost tie")
    header = ["ShoeId", "GameId", "HandNo", "PlayedAt", "PlayerCards", "BankerCards", "Result",
              "PlayerBetAmt", "PlayerBetPayout", "BankerBetAmt", "BankerBetPayout", "TieBetAmt",
              "TieBetPayout"]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for at, one in enumerate(found):
            by = {bet.wager: bet for bet in one.bets}
            money: list[str] = []
            for wager in ("player", "banker", "tie"):
                bet = by.get(wager, Bet(1, wager, 0, 0, 0))
                money += [dollars(bet.stake), dollars(bet.stake + bet.net)]
            yield [one.dealt.shoe, 7_000_113 + 3 * at, one.dealt.number, f"2026-03-04T18:{at % 60:02}:07Z",
                   "".join(one.dealt.player).upper(), "".join(one.dealt.banker).upper(),
                   one.winner.upper(), *money]  # fmt: skip

    rows(path := folder / "hands_export.csv", header, lines())
    return Export(path, faults)


def workbook(folder: Path) -> Export:
    """A workbook with a cover sheet, titles above the header, cells of numbers, and totals."""
    found = hands(102, 3)
    faults = plant(found, "tie short", "total", "vigorish")
    book = xlsxwriter.Workbook(path := folder / "monthly.xlsx")
    cover = book.add_worksheet("Info")
    for at, line in enumerate(
        (("Casino", "Pine Barrens"), ("Period", "March 2026"), ("Hands", len(found)))
    ):
        cover.write_row(at, 0, line)
    sheet = book.add_worksheet("Hands")
    sheet.write_row(0, 0, ["Hand history"])
    sheet.write_row(1, 0, ["printed 2026-04-01", "", "page 1"])
    header = ["Shoe", "Hand", "P1", "P2", "P3", "B1", "B2", "B3", "P Total", "B Total", "Winner"]
    header += [f"{who} {what}" for who in ("Player", "Banker", "Tie") for what in ("Stake", "Net")]
    sheet.write_row(3, 0, header)
    for at, one in enumerate(found, start=4):
        cells: list[object] = [one.dealt.shoe, one.dealt.number]
        cells += [place(hand, n) for hand in (one.dealt.player, one.dealt.banker) for n in range(3)]
        cells += [one.player_total, one.banker_total, one.winner.capitalize()]
        by = {bet.wager: bet for bet in one.bets}
        for wager in ("player", "banker", "tie"):
            cells += [by[wager].stake / 100, by[wager].net / 100] if wager in by else ["", ""]
        sheet.write_row(at, 0, cells)
    staked = [
        sum(bet.stake for one in found for bet in one.bets if bet.wager == w) / 100 for w in _LABEL
    ]
    sheet.write_row(
        len(found) + 4, 0, ["Total", len(found), *[""] * 9, staked[0], "", staked[1], "", staked[2]]
    )
    book.close()
    return Export(path, faults)


def feed(folder: Path) -> Export:
    """A nested feed: participants and their bets, cards in a list below the result."""
    found = hands(103, 2, ("player", "banker", "tie", "bonus_player"), seats=3)
    faults = plant(found, "short", "vigorish", "lost tie", table="lt-44/")
    code = {"player": "PLAYER", "banker": "BANKER", "tie": "TIE", "bonus_player": "PLAYER_BONUS"}
    lines = []
    for at, one in enumerate(found):
        guests = []
        for seat in sorted({bet.seat for bet in one.bets}):
            bets = [
                {"code": code[bet.wager], "amount": bet.stake / 100, "payout": (bet.stake + bet.net) / 100}
                for bet in one.bets if bet.seat == seat
            ]  # fmt: skip
            guests.append({"playerId": f"p{seat}", "currency": "USD", "bets": bets})
        lines.append(json.dumps({
            "id": f"g-{at:05x}", "startedAt": f"2026-03-04T18:{at % 60:02}:07Z",
            "table": {"id": "lt-44", "name": "Speed Baccarat C"},
            "shoe": one.dealt.shoe, "roundInShoe": one.dealt.number, "participants": guests,
            "result": {"outcome": one.winner.capitalize(),
                       "player": {"cards": [c.upper() for c in one.dealt.player], "score": one.player_total},
                       "banker": {"cards": [c.upper() for c in one.dealt.banker], "score": one.banker_total}},
        }))  # fmt: skip
    (path := folder / "feed.jsonl").write_text("\n".join(lines) + "\n")
    return Export(path, faults)


def wager_rows(folder: Path) -> Export:
    """A row for each wager, patrons by name, and no row for a round without wagers."""
    found = hands(104, 8, ("player", "banker", "tie", "bonus_banker"), seats=2)
    faults = plant(
        [one for one in found if one.bets], "vigorish", "short", "tie short", table="MB-9/"
    )
    header = ["TableName", "ShoeNo", "RoundNo", "PlayerHand", "BankerHand", "Outcome", "Patron", "Bet Type",
              "Bet Amount", "Returned"]  # fmt: skip
    names = {1: "Ada", 2: "Grace"}

    def lines() -> Iterator[list[object]]:
        for one in found:
            for bet in one.bets:
                yield ["MB-9", one.dealt.shoe, one.dealt.number, " ".join(one.dealt.player),
                       " ".join(one.dealt.banker), one.winner[0].upper(), names[bet.seat], _LABEL[bet.wager],
                       f"${dollars(bet.stake)}", f"${dollars(bet.stake + bet.net)}"]  # fmt: skip

    rows(path := folder / "wagers.csv", header, lines())
    return Export(path, faults)


def numbered(folder: Path) -> Export:
    """Cards as numbers, winners as codes, amounts in cents."""
    found = hands(105, 3)
    faults = plant(found, "total", "winner", "short", "vigorish")
    code = {"player": 1, "banker": 2, "tie": 3}
    header = ["shoe_no", "hand_no", *(f"player_card{n}" for n in (1, 2, 3)),
              *(f"banker_card{n}" for n in (1, 2, 3)), "player_points", "banker_points", "result_code",
              *(f"{who}_{what}" for who in ("player", "banker", "tie") for what in ("wager", "winloss"))]  # fmt: skip

    def number(card: str) -> object:
        return "cdhs".index(card[1]) * 13 + RANKS.index(card[0]) if card else -1

    def lines() -> Iterator[list[object]]:
        for one in found:
            by = {bet.wager: bet for bet in one.bets}
            money: list[object] = []
            for wager in ("player", "banker", "tie"):
                money += [by[wager].stake, by[wager].net] if wager in by else [0, 0]
            cards = [
                number(place(h, n)) for h in (one.dealt.player, one.dealt.banker) for n in range(3)
            ]
            yield [one.dealt.shoe, one.dealt.number, *cards, one.player_total, one.banker_total,
                   code[one.winner], *money]  # fmt: skip

    rows(path := folder / "rng_engine.csv", header, lines())
    return Export(path, faults)


def scoreboard(folder: Path) -> Export:
    """A printed scoreboard in columns of fixed width."""
    found = hands(106, 2)
    faults = plant(found, "winner", "total")
    lines = ["SCOREBOARD  TABLE 12", "", " Shoe  Hand  Player     Banker     PT  BT  Winner"]
    lines += ["-----  ----  ---------  ---------  --  --  ------"]
    for one in found:
        cards = [" ".join(h).upper() for h in (one.dealt.player, one.dealt.banker)]
        lines.append(f"{one.dealt.shoe:>5}  {one.dealt.number:>4}  {cards[0]:<9}  {cards[1]:<9}  "
                     f"{one.player_total:>2}  {one.banker_total:>2}  {one.winner.upper():<6}".rstrip())  # fmt: skip
    (path := folder / "scoreboard.txt").write_text("\n".join(lines) + "\n")
    return Export(path, faults)


def columnar(folder: Path) -> Export:
    """Parquet: lists of cards, and a list of wagers in a row for each round."""
    found = hands(107, 3, ("player", "banker", "tie", "bonus_player"), seats=3)
    faults = plant(found, "lost tie", "vigorish", "winner")
    table = pa.Table.from_pylist([
        {"shoe_id": one.dealt.shoe, "game_number": one.dealt.number, "player_hand": one.dealt.player,
         "banker_hand": one.dealt.banker, "outcome": one.winner,
         "bets": [{"position": bet.seat, "bet_type": _LABEL[bet.wager], "bet_amount": bet.stake / 100,
                   "total_return": (bet.stake + bet.net) / 100} for bet in one.bets]}
        for one in found
    ])  # fmt: skip
    parquet.write_table(table, path := folder / "warehouse.parquet")
    return Export(path, faults)


def german(folder: Path) -> Export:
    """Semicolons, decimal commas, words of another language."""
    found = hands(108, 3)
    faults = plant(found, "short", "winner", "vigorish", table="Tisch 3/")
    header = ["Tisch", "Schuh", "Runde", "Spieler Karten", "Bank Karten", "Sieger", "Einsatz Spieler",
              "Gewinn Spieler", "Einsatz Bank", "Gewinn Bank", "Einsatz Unentschieden",
              "Gewinn Unentschieden"]  # fmt: skip
    sieger = {"player": "Spieler", "banker": "Bank", "tie": "Unentschieden"}

    def euro(cents: int) -> str:
        sign, cents = ("-" if cents < 0 else ""), abs(cents)
        return f"{sign}{cents // 100:,}".replace(",", ".") + f",{cents % 100:02} €"

    def lines() -> Iterator[list[object]]:
        for one in found:
            by = {bet.wager: bet for bet in one.bets}
            money: list[str] = []
            for wager in ("player", "banker", "tie"):
                money += [euro(by[wager].stake), euro(by[wager].net)] if wager in by else ["", ""]
            yield ["Tisch 3", one.dealt.shoe, one.dealt.number, " ".join(one.dealt.player),
                   " ".join(one.dealt.banker), sieger[one.winner], *money]  # fmt: skip

    rows(path := folder / "Spielprotokoll.csv", header, lines(), ";")
    return Export(path, faults)


def seat_rows(folder: Path) -> Export:
    """A row for each seat, separated by tabs; winnings before commission, which has a column."""
    found = hands(109, 3, seats=3, betless=False)
    faults = plant(found, "short", "winner")
    header = ["Shoe", "Round", "Seat", "Player Hand", "Banker Hand", "Winner", "Player Bet", "Player Win",
              "Banker Bet", "Banker Win", "Banker Commission", "Tie Bet", "Tie Win"]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for one in found:
            for seat in sorted({bet.seat for bet in one.bets}):
                by = {bet.wager: bet for bet in one.bets if bet.seat == seat}
                money: list[str] = []
                for wager in ("player", "banker", "tie"):
                    bet = by.get(wager, Bet(seat, wager, 0, 0, 0))
                    won = bet.net + bet.vigorish if bet.net > 0 else 0
                    money += [dollars(bet.stake), dollars(won)]
                    money += [dollars(bet.vigorish)] if wager == "banker" else []
                yield [one.dealt.shoe, one.dealt.number, seat, " ".join(one.dealt.player),
                       " ".join(one.dealt.banker), one.winner.capitalize(), *money]  # fmt: skip

    rows(path := folder / "seats.tsv", header, lines(), "\t")
    return Export(path, faults)


def objects(folder: Path) -> Export:
    """Objects of cards, and an object of bets with what each returned."""
    found = hands(110, 3)
    faults = plant(found, "tie short", "short", "vigorish")

    def cards(hand: Sequence[str]) -> list[dict[str, str]]:
        suits = {"c": "clubs", "d": "diamonds", "h": "hearts", "s": "spades"}
        return [{"rank": "10" if c[0] == "T" else c[0], "suit": suits[c[1]]} for c in hand]

    lines = [
        json.dumps({
            "shoeNumber": one.dealt.shoe, "gameNumber": one.dealt.number,
            "hands": {"player": cards(one.dealt.player), "banker": cards(one.dealt.banker)},
            "winningHand": f"{one.winner.upper()}_WIN" if one.winner != "tie" else "TIE",
            "bets": {bet.wager: {"stake": bet.stake / 100, "payout": (bet.stake + bet.net) / 100}
                     for bet in one.bets},
        })
        for one in found
    ]  # fmt: skip
    (path := folder / "games.jsonl").write_text("\n".join(lines) + "\n")
    return Export(path, faults)


def dragon(folder: Path) -> Export:
    """A table without vigorish: ranks without suits, a push of three-card sevens, 40 to 1."""
    chance = random.Random(111)
    found = []
    for one in shoes(House(decks=8, burn=False), 4, 111):
        own, other = count(one.player), count(one.banker)
        winner = winner_of(own, other)
        seven = winner == "banker" and len(one.banker) == 3 and other == 7
        bets = []
        for wager in ("player", "banker", "dragon_7"):
            stake = 100 * chance.choice((25, 50, 100))
            due = {
                "player": 0 if winner == "tie" else stake if winner == "player" else -stake,
                "banker": 0
                if winner == "tie" or seven
                else stake
                if winner == "banker"
                else -stake,
                "dragon_7": 40 * stake if seven else -stake,
            }[wager]
            bets.append(Bet(1, wager, stake, due, due))
        found.append(Hand(one, bets, winner, own, other))
    faults = plant(found, "short", "lost win")
    header = ["Shoe#", "Hand#", "Player", "Banker", "Win", "PlayerStake", "PlayerReturn", "BankerStake",
              "BankerReturn", "Dragon7Stake", "Dragon7Return"]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for one in found:
            money = [dollars(c) for bet in one.bets for c in (bet.stake, bet.stake + bet.net)]
            hands_ = [
                " ".join(c[0].replace("T", "10") for c in h)
                for h in (one.dealt.player, one.dealt.banker)
            ]
            yield [one.dealt.shoe, one.dealt.number, *hands_, one.winner[0].upper(), *money]

    rows(path := folder / "ez_export.csv", header, lines())
    return Export(path, faults, "nj-minibaccarat-dragon-7")


def dealt_order(folder: Path) -> Export:
    """Two tables that take turns, all cards in one column in the order dealt, losses in brackets."""
    tables = {name: hands(seed, 1) for name, seed in (("B1", 112), ("B2", 212))}
    faults = [
        fault
        for name, found in tables.items()
        for fault in plant(found, "short", "vigorish", table=f"{name}/")
    ]
    header = ["Table", "Shoe", "Game", "All Cards", "Winner", "Player Bet", "Player P&L", "Banker Bet",
              "Banker P&L", "Tie Bet", "Tie P&L"]  # fmt: skip

    def money(cents: int) -> str:
        return f"(${dollars(-cents)})" if cents < 0 else f"${dollars(cents)}"

    def lines() -> Iterator[list[object]]:
        for at in range(max(map(len, tables.values()))):
            for name, found in tables.items():
                if at >= len(found):
                    continue
                one = found[at]
                player, banker = one.dealt.player, one.dealt.banker
                cards = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
                by = {bet.wager: bet for bet in one.bets}
                cells: list[str] = []
                for wager in ("player", "banker", "tie"):
                    cells += (
                        [money(by[wager].stake), money(by[wager].net)] if wager in by else ["", ""]
                    )
                yield [name, one.dealt.shoe, one.dealt.number, " ".join(cards), one.winner, *cells]

    rows(path := folder / "floor.txt", header, lines(), "|")
    return Export(path, faults)


def _amounts(
    one: Hand, written: Callable[[int], str] = dollars, *, returned: bool = False
) -> list[str]:
    """The stakes on Player, Banker, and tie, each with what came of it; blank without a wager."""
    by = {bet.wager: bet for bet in one.bets}
    cells = []
    for wager in ("player", "banker", "tie"):
        bet = by.get(wager)
        cells.append("" if bet is None else written(bet.stake))
        cells.append("" if bet is None else written(bet.net + bet.stake * returned))
    return cells


def french(folder: Path) -> Export:
    """UTF-16 with a mark, accents, suits as signs before the rank, euros with what came back."""
    found = hands(902, 3)
    faults = plant(found, "vigorish", "lost tie", "total")
    sign = dict(zip("cdhs", "♣♦♥♠", strict=True))
    names = {"player": "Joueur", "banker": "Banque", "tie": "Egalité"}
    header = ["Sabot", "Main", "Cartes Joueur", "Cartes Banque", "Points Joueur", "Points Banque", "Gagnant",
              *(f"{what} {name}" for name in names.values() for what in ("Mise", "Retour"))]  # fmt: skip

    def cards(hand: Sequence[str]) -> str:
        return " ".join(sign[card[1]] + card[0].replace("T", "10") for card in hand)

    def euro(cents: int) -> str:
        return f"{cents // 100:,}".replace(",", " ") + f",{cents % 100:02} €"

    lines = [
        ";".join(map(str, (
            one.dealt.shoe, one.dealt.number, cards(one.dealt.player), cards(one.dealt.banker),
            one.player_total, one.banker_total, names[one.winner], *_amounts(one, euro, returned=True),
        )))
        for one in found
    ]  # fmt: skip
    path = folder / "sabot.csv"
    path.write_bytes("\n".join([";".join(header), *lines, ""]).encode("utf-16"))
    return Export(path, faults)


def suits_apart(folder: Path) -> Export:
    """Ranks and suits in columns of their own, letters for wagers, what came back."""
    found = hands(903, 3)
    faults = plant(found, "short", "vigorish", "winner")
    suits = {"c": "Clubs", "d": "Diamonds", "h": "Hearts", "s": "Spades"}
    header = ["shoe_id", "coup", *(f"{hand}{n}_{part}" for hand in "PB" for n in (1, 2, 3)
              for part in ("rank", "suit")), "res", *(f"{one}_{part}" for one in "pbt"
              for part in ("bet", "pay"))]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for one in found:
            cards = [
                place(hand, n) for hand in (one.dealt.player, one.dealt.banker) for n in range(3)
            ]
            parts = [
                part for card in cards
                for part in ((card[0].replace("T", "10"), suits[card[1]]) if card else ("", ""))
            ]  # fmt: skip
            yield [one.dealt.shoe, one.dealt.number, *parts, one.winner[0].upper(),
                   *_amounts(one, returned=True)]  # fmt: skip

    rows(path := folder / "suits.csv", header, lines())
    return Export(path, faults)


def sequences(folder: Path) -> Export:
    """Numbers of cards with hyphens between them, codes of results, words run together."""
    found = hands(904, 3)
    faults = plant(found, "short", "winner", "vigorish")
    code = {"player": 1, "banker": 2, "tie": 3}
    header = ["ShoeSeq", "RoundSeq", "PCards", "BCards", "PScore", "BScore", "WinCode",
              "PBet", "PNet", "BBet", "BNet", "TBet", "TNet"]  # fmt: skip

    def numbers(hand: Sequence[str]) -> str:
        return "-".join(str(RANKS.index(card[0]) + 13 * "cdhs".index(card[1])) for card in hand)

    def lines() -> Iterator[list[object]]:
        for one in found:
            yield [one.dealt.shoe, one.dealt.number, numbers(one.dealt.player), numbers(one.dealt.banker),
                   one.player_total, one.banker_total, code[one.winner], *_amounts(one)]  # fmt: skip

    rows(path := folder / "sequences.txt", header, lines(), "|")
    return Export(path, faults)


def before_commission(folder: Path) -> Export:
    """Net results before commission, which has a column that names no wager."""
    found = hands(907, 3)
    faults = plant(found, "short", "winner")
    header = ["Shoe No.", "Hand No.", "Player Cards", "Banker Cards", "Winning Side", "Bet Player", "Won Player",
              "Bet Banker", "Won Banker", "Bet Tie", "Won Tie", "Commission"]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for one in found:
            taken = sum(bet.vigorish for bet in one.bets)
            for bet in one.bets:
                bet.net += bet.vigorish
            yield [one.dealt.shoe, one.dealt.number, " ".join(one.dealt.player), " ".join(one.dealt.banker),
                   one.winner.capitalize(), *_amounts(one), dollars(taken) if taken else ""]  # fmt: skip

    rows(path := folder / "commission.csv", header, lines())
    return Export(path, faults)


def bets_in_a_cell(folder: Path) -> Export:
    """The wagers of a round as JSON in a cell."""
    found = hands(908, 3, ("player", "banker", "tie", "bonus_player"))
    faults = plant(found, "short", "vigorish", "winner")
    path = folder / "bets.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow(["shoe", "round", "player_hand", "banker_hand", "outcome", "bets"])
        for one in found:
            bets = [{"type": _LABEL[bet.wager], "stake": bet.stake / 100,
                     "payout": (bet.stake + bet.net) / 100} for bet in one.bets]  # fmt: skip
            hand = (" ".join(one.dealt.player), " ".join(one.dealt.banker))
            writer.writerow([one.dealt.shoe, one.dealt.number, *hand, one.winner, json.dumps(bets)])
    return Export(path, faults)


def live(folder: Path) -> Export:
    """Nested objects in camel case: spots by name, cents, a time in milliseconds."""
    found = hands(910, 3, seats=3)
    faults = plant(found, "short", "vigorish", "winner", table="S-")
    lines = []
    for at, one in enumerate(found):
        player, banker = (
            [{"r": card[0].replace("T", "10"), "s": card[1].upper()} for card in hand]
            for hand in (one.dealt.player, one.dealt.banker)
        )
        bets = [{"seatNo": bet.seat, "spot": bet.wager.upper(), "stakeCents": bet.stake,
                 "returnCents": bet.stake + bet.net} for bet in one.bets]  # fmt: skip
        round_ = {
            "shoeId": f"S-{one.dealt.shoe}", "seqInShoe": one.dealt.number,
            "startTs": 1_777_900_000_123 + 47_000 * at, "hands": {"player": player, "banker": banker},
            "outcome": {"winner": one.winner.upper(), "playerScore": one.player_total,
                        "bankerScore": one.banker_total},
        }  # fmt: skip
        lines.append(json.dumps({"gameRound": round_, "wagers": bets}))
    (path := folder / "live.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Export(path, faults)


def abbreviated(folder: Path) -> Export:
    """Abbreviations below remarks, ringgit in quotes, dashes without a wager."""
    found = hands(915, 3)
    faults = plant(found, "lost tie", "vigorish", "total")
    code = {"player": "PLY", "banker": "BNK", "tie": "TIE"}
    header = ["sh", "rd", *(f"{hand}{n}" for hand in "pb" for n in (1, 2, 3)), "ptot", "btot", "win",
              *(f"{part}_{one}" for one in ("ply", "bnk", "tie") for part in ("bet", "pd"))]  # fmt: skip

    def ringgit(cents: int) -> str:
        return f'"RM {"-" if cents < 0 else ""}{abs(cents) // 100:,}.{abs(cents) % 100:02}"'

    lines = ["# table 4", "# all rounds", ",".join(header)]
    for one in found:
        cards = [place(hand, n) for hand in (one.dealt.player, one.dealt.banker) for n in range(3)]
        amounts = [cell or "-" for cell in _amounts(one, ringgit)]
        cells = [one.dealt.shoe, one.dealt.number, *cards, one.player_total, one.banker_total,
                 code[one.winner], *amounts]  # fmt: skip
        lines.append(",".join(map(str, cells)))
    (path := folder / "rounds.csv").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Export(path, faults)


def merged_headings(folder: Path) -> Export:
    """A workbook whose columns have the same names below merged headings."""
    found = hands(909, 3)
    faults = plant(found, "short", "vigorish", "winner")
    path = folder / "merged.xlsx"
    book = xlsxwriter.Workbook(str(path))
    sheet = book.add_worksheet()
    sheet.merge_range(0, 0, 0, 14, "Round log")
    groups = {0: "Game", 2: "Player", 5: "Banker", 9: "Player Bet", 11: "Banker Bet", 13: "Tie Bet"}
    for first, name in groups.items():
        sheet.merge_range(1, first, 1, first + (2 if first in {2, 5} else 1), name)
    sheet.write(1, 8, "Result")
    cards = [f"Card {n}" for n in (1, 2, 3)]
    sheet.write_row(2, 0, ["Shoe", "Hand", *cards, *cards, "Winner", *["Stake", "Paid"] * 3])
    for at, one in enumerate(found):
        hand = [place(hand, n) for hand in (one.dealt.player, one.dealt.banker) for n in range(3)]
        amounts = [float(cell) if cell else "" for cell in _amounts(one, returned=True)]
        cells = [one.dealt.shoe, one.dealt.number, *hand, one.winner.title(), *amounts]
        sheet.write_row(3 + at, 0, cells)
    book.close()
    return Export(path, faults)


def wager_codes(folder: Path) -> Export:
    """A row for each wager, named by a code; quoted cells, decimal commas, times with a zone."""
    found = hands(911, 3, seats=4, betless=False)
    faults = plant(found, "short", "vigorish", table="BAC07/")
    code = {"player": "PL", "banker": "BK", "tie": "TI"}
    header = [
        "BetID",
        "Table",
        "ShoeID",
        "HandID",
        "SettledAt",
        "Seat",
        "BetCode",
        "Amount",
        "WinLoss",
        "P",
        "B",
    ]

    def lines() -> Iterator[list[object]]:
        for at, one in enumerate(found):
            for bet in one.bets:
                cells = [at, "BAC07", one.dealt.shoe, one.dealt.number, f"2026-05-04T20:{at % 60:02}:03-05:00",
                         bet.seat, code[bet.wager], dollars(bet.stake).replace(".", ","),
                         dollars(bet.net).replace(".", ","), " ".join(one.dealt.player),
                         " ".join(one.dealt.banker)]  # fmt: skip
                yield [f'"{cell}"' for cell in cells]

    rows(path := folder / "bets_settled.csv", header, lines(), ";")
    return Export(path, faults)


def _both(
    folder: Path, seed: int, name: str, both: Callable[[list[str], list[str]], str], by: str
) -> Export:
    """The cards of both hands in one cell, which names each hand."""
    found = hands(seed, 3)
    faults = plant(found, "short", "vigorish", "winner")
    header = ["Date", "Shoe", "Coup", name, "Winner", "Player Bet", "Player Net", "Banker Bet",
              "Banker Net", "Tie Bet", "Tie Net"]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for one in found:
            bets = {bet.wager: bet for bet in one.bets}
            money = [
                dollars(amount)
                for wager in ("player", "banker", "tie")
                for bet in (bets.get(wager, Bet(1, wager, 0, 0, 0)),)
                for amount in (bet.stake, bet.net)
            ]
            cards = both(one.dealt.player, one.dealt.banker)
            yield ["2026-05-11", one.dealt.shoe, one.dealt.number, cards, one.winner, *money]

    rows(path := folder / "coups.csv", header, lines(), by)
    return Export(path, faults)


def lettered_hands(folder: Path) -> Export:
    def both(player: list[str], banker: list[str]) -> str:
        return f"P: {' '.join(player).upper()} / B: {' '.join(banker).upper()}"

    return _both(folder, 811, "Cards", both, ",")


def worded_hands(folder: Path) -> Export:
    """Banker first, in a column whose name is that of a winner."""

    def both(player: list[str], banker: list[str]) -> str:
        return f"Banker: {' '.join(banker)} Player: {' '.join(player)}"

    return _both(folder, 812, "Result", both, "\t")


def barred_hands(folder: Path) -> Export:
    def both(player: list[str], banker: list[str]) -> str:
        return f"P {','.join(player).upper()} | B {','.join(banker).upper()}"

    return _both(folder, 813, "Hand", both, ";")


_WAGERS = ("player", "banker", "tie")


def _six(one: Hand, write: Callable[[str], str], none: str = "") -> list[str]:
    places = [place(hand, n) for hand in (one.dealt.player, one.dealt.banker) for n in range(3)]
    return [write(card) if card else none for card in places]


def _ten(card: str) -> str:
    return card.replace("T", "10").upper()


def after_commission(folder: Path) -> Export:
    """Amounts returned after commission, with the commission in a column of its own."""
    found = hands(1001, 3)
    faults = plant(found, "short", "winner", "vigorish", "lost tie")
    header = ["Date", "Shoe No", "Hand No", "P1", "P2", "P3", "B1", "B2", "B3", "Outcome",
              *(f"{name} {what}" for name in ("Player", "Banker", "Tie") for what in ("Bet", "Payout")),
              "Commission"]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for one in found:
            taken = sum(bet.vigorish for bet in one.bets)
            yield ["03/11/2026 08:04:11 PM", one.dealt.shoe, one.dealt.number, *_six(one, _ten),
                   one.winner[0].upper(), *_amounts(one, returned=True),
                   dollars(taken) if taken else ""]  # fmt: skip

    rows(path := folder / "hands.txt", header, lines(), "\t")
    return Export(path, faults)


def results_of_bets(folder: Path) -> Export:
    """A row for each wager with its own result before that of the hand; a line of totals."""
    found = hands(1002, 2, seats=3, betless=False)
    faults = plant(found, "short", "vigorish")
    header = ["BetID", "ShoeNumber", "HandNumber", "PlayerId", "BetType", "Stake", "Payout",
              "BetResult", "P", "B", "HandResult"]  # fmt: skip
    lines: list[list[object]] = []
    for one in found:
        for bet in one.bets:
            result = "WIN" if bet.net > 0 else "LOSE" if bet.net < 0 else "PUSH"
            hand = (" ".join(map(_ten, cards)) for cards in (one.dealt.player, one.dealt.banker))
            lines.append([70_000 + len(lines), one.dealt.shoe, one.dealt.number, f"CU{9000 + bet.seat}",
                          bet.wager[0].upper(), dollars(bet.stake), dollars(bet.stake + bet.net),
                          result, *hand, one.winner[0].upper()])  # fmt: skip
    lines.append(
        ["TOTAL", "", "", "", "", dollars(sum(b.stake for h in found for b in h.bets)), *[""] * 5]
    )
    rows(path := folder / "bets.csv", header, iter(lines))
    return Export(path, faults)


def coded_winners(folder: Path) -> Export:
    """Cards numbered from 1, with 0 for none, and winners as codes."""
    found = hands(1003, 3)
    faults = plant(found, "short", "vigorish", "winner", table="MB07/")
    header = ["table", "shoe", "game", *(f"{hand}card{n}" for hand in "pb" for n in (1, 2, 3)), "result",
              *(f"{what}_{wager}" for wager in _WAGERS for what in ("bet", "win"))]  # fmt: skip

    def number(card: str) -> str:
        return str(1 + 13 * "shdc".index(card[1]) + RANKS.index(card[0]))

    def lines() -> Iterator[list[object]]:
        for one in found:
            yield ["MB07", one.dealt.shoe, one.dealt.number, *_six(one, number, "0"),
                   1 + _WAGERS.index(one.winner), *_amounts(one)]  # fmt: skip

    rows(path := folder / "engine.csv", header, lines())
    return Export(path, faults)


def numbered_shoe(folder: Path) -> Export:
    """Every card of the shoe has a number of its own: 1 to 416."""
    found = hands(1009, 3)
    faults = plant(found, "short", "vigorish", "winner")
    header = ["Shoe", "Round", "Player", "Banker", "Winner", *(f"{wager}_{what}" for wager in _WAGERS for what in ("stake", "net"))]  # fmt: skip
    seen: dict[tuple[str, str], int] = {}

    def number(shoe: str, card: str) -> str:
        before = seen.setdefault((shoe, card), 0)
        seen[shoe, card] += 1
        return str(1 + 52 * before + 13 * "shdc".index(card[1]) + RANKS.index(card[0]))

    def lines() -> Iterator[list[object]]:
        for one in found:
            both = (
                " ".join(number(str(one.dealt.shoe), card) for card in hand)
                for hand in (one.dealt.player, one.dealt.banker)
            )
            yield [one.dealt.shoe, one.dealt.number, *both, one.winner, *_amounts(one)]

    rows(path := folder / "shoe.csv", header, lines())
    return Export(path, faults)


def spanish(folder: Path) -> Export:
    """Spanish names, bars, decimal commas, dashes for no card, amounts returned."""
    found = hands(1004, 3)
    faults = plant(found, "short", "vigorish", "winner", table="7/")
    wagers = ("JUGADOR", "BANCA", "EMPATE")
    header = ["FECHA", "MESA", "ZAPATO", "MANO", *(f"{hand}_CARTA{n}" for hand in wagers[:2] for n in (1, 2, 3)),
              "GANADOR", *(f"{what}_{name}" for name in wagers for what in ("APUESTA", "PAGO")),
              "COMISION"]  # fmt: skip

    def comma(cents: int) -> str:
        return dollars(cents).replace(".", ",")

    def lines() -> Iterator[list[object]]:
        for one in found:
            taken = sum(bet.vigorish for bet in one.bets)
            yield ["20260311200411", 7, one.dealt.shoe, one.dealt.number, *_six(one, _ten, "--"),
                   wagers[_WAGERS.index(one.winner)], *_amounts(one, comma, returned=True),
                   comma(taken)]  # fmt: skip

    rows(path := folder / "mesa7.dat", header, lines(), "|")
    return Export(path, faults)


def chinese(folder: Path) -> Export:
    """Chinese names and winners, suits before ranks."""
    found = hands(1005, 3)
    faults = plant(found, "short", "vigorish", "winner")
    header = ["日期", "靴号", "局号", "闲家牌", "庄家牌", "结果", *(f"{name}{what}" for name in "闲庄和" for what in ("投注", "派彩"))]  # fmt: skip

    def sign(card: str) -> str:
        return dict(zip("shdc", "♠♥♦♣", strict=True))[card[1]] + card[0].replace("T", "10")

    def lines() -> Iterator[list[object]]:
        for one in found:
            both = (" ".join(map(sign, hand)) for hand in (one.dealt.player, one.dealt.banker))
            yield ["2026年3月11日", one.dealt.shoe, one.dealt.number, *both,
                   "闲庄和"[_WAGERS.index(one.winner)], *_amounts(one)]  # fmt: skip

    rows(path := folder / "rounds.csv", header, lines())
    return Export(path, faults)


def prefixed_codes(folder: Path) -> Export:
    """Wagers of participants by a code with the prefix of the game."""
    found = hands(1006, 3, seats=3, betless=False)
    faults = plant(found, "short", "vigorish", "winner")
    lines = []
    for one in found:
        parts: dict[int, list[Bet]] = {}
        for bet in one.bets:
            parts.setdefault(bet.seat, []).append(bet)
        participants = [
            {"playerId": f"u{seat}", "bets": [{"code": f"BAC_{bet.wager.capitalize()}", "stake": dollars(bet.stake),
             "payout": dollars(bet.stake + bet.net)} for bet in bets]} for seat, bets in parts.items()
        ]  # fmt: skip
        result = {"outcome": one.winner.capitalize(), "player": {"cards": one.dealt.player},
                  "banker": {"cards": one.dealt.banker}}  # fmt: skip
        number = {"shoeNumber": one.dealt.shoe, "number": one.dealt.number}
        data = {"gameRound": number, "result": result, "participants": participants}
        lines.append(json.dumps({"event": "round.settled", "data": data}))
    (path := folder / "stream.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Export(path, faults)


def paged(folder: Path) -> Export:
    """Remarks, a header on each page, and n/a without a wager."""
    found = hands(1007, 3)
    faults = plant(found, "short", "vigorish", "winner")
    header = ["Shoe", "Round", "Player", "Banker", "Winner", *(f"{wager} {what}" for wager in _WAGERS for what in ("bet", "net"))]  # fmt: skip

    def lines() -> Iterator[Sequence[object]]:
        for at, one in enumerate(found):
            if at == 30:
                yield from ([], ["# page 2"], header)
            both = (" ".join(map(_ten, hand)) for hand in (one.dealt.player, one.dealt.banker))
            amounts = [cell or "n/a" for cell in _amounts(one)]
            yield [one.dealt.shoe, one.dealt.number, *both, one.winner, *amounts]
        yield from ([], [f"# {len(found)} rounds"])

    rows(path := folder / "paged.csv", header, lines())
    text = path.read_text(encoding="utf-8")
    path.write_text(f"# Vendor: Acme\n# exported 2026-03-12\n\n{text}", encoding="utf-8")
    return Export(path, faults)


def card_columns(folder: Path) -> Export:
    """Six columns of cards in the order dealt."""
    found = hands(1008, 3)
    faults = plant(found, "short", "vigorish", "winner")
    header = ["shoe", "game", *(f"card{n}" for n in range(1, 7)), "result",
              *(f"{wager.capitalize()} {what}" for wager in _WAGERS for what in ("In", "Out"))]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for one in found:
            player, banker = one.dealt.player, one.dealt.banker
            cards = [player[0], banker[0], player[1], banker[1], *player[2:], *banker[2:]]
            yield [one.dealt.shoe, one.dealt.number, *(place(cards, n) for n in range(6)),
                   one.winner[0], *_amounts(one, returned=True)]  # fmt: skip

    rows(path := folder / "sequence.csv", header, lines())
    return Export(path, faults)


def _bet(one: Hand, seat: int, wager: str) -> Bet:
    of_seat = (bet for bet in one.bets if (bet.seat, bet.wager) == (seat, wager))
    return next(of_seat, Bet(seat, wager, 0, 0, 0))


def seat_columns(folder: Path) -> Export:
    """Columns for each wager of each seat, and for the commission of each seat."""
    found = hands(1009, 3, seats=5)
    faults = plant(found, "short", "tie short", "lost tie", "winner")
    header = ["SHOE", "COUP", "P", "B", "WIN",
              *(f"S{seat}_{wager.upper()}_{what}" for seat in range(1, 6) for wager in _WAGERS
                for what in ("BET", "WIN")),
              *(f"S{seat}_COMM" for seat in range(1, 6))]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for one in found:
            money = []
            for seat in range(1, 6):
                for wager in _WAGERS:
                    bet = _bet(one, seat, wager)
                    money += [dollars(bet.stake), dollars(bet.net + bet.vigorish)]
            money += [dollars(_bet(one, seat, "banker").vigorish) for seat in range(1, 6)]
            both = ("".join(hand) for hand in (one.dealt.player, one.dealt.banker))
            yield [one.dealt.shoe, one.dealt.number, *both, one.winner[0].upper(), *money]

    rows(path := folder / "boxes.csv", header, lines(), ";")
    return Export(path, faults)


def seat_objects(folder: Path) -> Export:
    """An object for each seat, from 0, with one for each of its wagers; no seat has all of them."""
    found = hands(1010, 3, seats=4)
    faults = plant(found, "short", "vigorish", "lost tie", table="S")
    lines = []
    for one in found:
        boxes: dict[str, dict[str, object]] = {}
        for bet in one.bets:
            amounts = {"stake": bet.stake / 100, "returned": (bet.stake + bet.net) / 100}
            boxes.setdefault(f"Box{bet.seat - 1}", {})[bet.wager] = amounts
        lines.append(json.dumps({
            "game": {"shoe": f"S{one.dealt.shoe}", "no": one.dealt.number},
            "player": one.dealt.player, "banker": one.dealt.banker, "result": one.winner, **boxes,
        }))  # fmt: skip
    (path := folder / "boxes.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Export(path, faults)


def slots(folder: Path) -> Export:
    """Numbered groups of columns, each of one wager that it names, with its seat; void cells dashed."""
    found = hands(1501, 3, ("player", "banker", "tie", "bonus_player"), seats=2)
    faults = plant(found, "short", "vigorish", "lost tie", "winner")
    header = ["shoe", "hand", "player_cards", "banker_cards", "result",
              *(f"bet{n}_{what}" for n in range(1, 5) for what in ("seat", "type", "amount", "payout"))]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for one in found:
            bets: list[object] = []
            for bet in sorted(one.bets, key=lambda bet: (bet.wager, bet.seat)):
                bets += [
                    bet.seat,
                    _LABEL[bet.wager],
                    dollars(bet.stake),
                    dollars(bet.stake + bet.net),
                ]
            bets += ["", "-", "-", "-"] * (4 - len(one.bets))
            both = (" ".join(hand) for hand in (one.dealt.player, one.dealt.banker))
            yield [one.dealt.shoe, one.dealt.number, *both, one.winner, *bets]

    rows(path := folder / "slots.csv", header, lines())
    return Export(path, faults)


def keyed_seats(folder: Path) -> Export:
    """A list of seats, each with objects of its stakes and of its payouts, keyed by wager."""
    found = hands(1502, 3, ("player", "banker", "tie", "bonus_player"), seats=3)
    faults = plant(found, "short", "vigorish", "tie short", "winner")
    lines = []
    for one in found:
        seats: dict[int, dict[str, Any]] = {}
        for bet in one.bets:
            seat = seats.setdefault(bet.seat, {"seatNo": bet.seat, "bets": {}, "payouts": {}})
            seat["bets"][bet.wager] = bet.stake / 100
            seat["payouts"][bet.wager] = (bet.stake + bet.net) / 100
        lines.append(json.dumps({
            "shoe": one.dealt.shoe, "round": one.dealt.number, "player": one.dealt.player,
            "banker": one.dealt.banker, "winner": one.winner, "seats": [*seats.values()],
        }))  # fmt: skip
    (path := folder / "keyed.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return Export(path, faults)


def named_amounts(folder: Path) -> Export:
    """All stakes in one cell and all net results in another, as ``P:100,00;T:5,00``."""
    found = hands(1503, 3)
    faults = plant(found, "short", "vigorish", "lost tie", "winner")
    letter = {"player": "P", "banker": "B", "tie": "T"}

    def cell(one: Hand, amount: str) -> str:
        amounts = [f"{letter[bet.wager]}:{dollars(getattr(bet, amount))}" for bet in one.bets]
        return " | ".join(amounts).replace(".", ",")

    def lines() -> Iterator[list[object]]:
        for one in found:
            both = (" ".join(hand) for hand in (one.dealt.player, one.dealt.banker))
            yield [
                one.dealt.shoe,
                one.dealt.number,
                *both,
                one.winner,
                cell(one, "stake"),
                cell(one, "net"),
            ]

    rows(path := folder / "named.csv", ["Shoe", "Coup", "Player", "Banker", "Winner", "Bets", "Wins"],
         lines(), ";")  # fmt: skip
    return Export(path, faults)


def _number_pair(card: str) -> str:
    return f"{RANKS.index(card[0]) + 1}-{'cdhs'.index(card[1]) + 1}"


def number_pairs(folder: Path) -> Export:
    """Cards as a rank and a suit in numbers; stakes and winnings in cells, commission in a column."""
    found = hands(1601, 3)
    faults = plant(found, "short", "lost tie", "winner")
    letter = {"player": "P", "banker": "B", "tie": "T"}

    def cell(one: Hand, amount: Callable[[Bet], int]) -> str:
        return ";".join(f"{letter[bet.wager]}:{dollars(amount(bet))}" for bet in one.bets)

    def lines() -> Iterator[list[object]]:
        for one in found:
            yield [
                one.dealt.shoe, one.dealt.number,
                *(" ".join(map(_number_pair, hand)) for hand in (one.dealt.player, one.dealt.banker)),
                one.winner, cell(one, lambda bet: bet.stake),
                cell(one, lambda bet: bet.net + bet.vigorish),
                dollars(sum(bet.vigorish for bet in one.bets)),
            ]  # fmt: skip

    rows(path := folder / "pairs.csv",
         ["Shoe", "Round", "Player", "Banker", "Winner", "Bets", "Wins", "Commission"], lines())  # fmt: skip
    return Export(path, faults)


def stakes_and_payouts(folder: Path) -> Export:
    """Each wager with its stake and its payout in one cell, as ``P:100:195``."""
    found = hands(1602, 3)
    faults = plant(found, "short", "vigorish", "tie short")
    letter = {"player": "P", "banker": "B", "tie": "T"}

    def lines() -> Iterator[list[object]]:
        for one in found:
            bets = (f"{letter[bet.wager]}:{bet.stake // 100}:{dollars(bet.stake + bet.net)}"
                    for bet in one.bets)  # fmt: skip
            both = (" ".join(hand) for hand in (one.dealt.player, one.dealt.banker))
            yield [one.dealt.shoe, one.dealt.number, *both, one.winner, "|".join(bets)]

    rows(path := folder / "payouts.csv",
         ["Shoe", "Round", "Player", "Banker", "Winner", "Bets"], lines())  # fmt: skip
    return Export(path, faults)


def free_bets(folder: Path) -> Export:
    """Free bets on Player, which win even money and cost nothing, in a column of their own."""
    found = hands(1603, 4)
    faults = plant(found, "short", "winner")
    header = ["Shoe", "Round", "Player", "Banker", "Winner", "PlayerBet", "PlayerFreeBet", "PlayerPayout",
              "BankerBet", "BankerPayout", "TieBet", "TiePayout"]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for at, one in enumerate(found):
            stake, paid, *others = _amounts(one, returned=True)
            free = 2500 if at % 50 == 40 else 0
            if free:
                bet = _bet(one, 1, "player")
                won = free if one.dealt.winner == "player" else 0
                stake, paid = dollars(bet.stake), dollars(bet.stake + bet.net + won)
            both = (" ".join(hand) for hand in (one.dealt.player, one.dealt.banker))
            yield [
                one.dealt.shoe,
                one.dealt.number,
                *both,
                one.winner,
                stake,
                dollars(free),
                paid,
                *others,
            ]

    rows(path := folder / "free_bets.csv", header, lines())
    return Export(path, faults)


def headings_that_end(folder: Path) -> Export:
    """Merged headings in the first row, called as our own columns, and columns below none."""
    found = hands(2601, 3, ("player",), betless=False)
    faults = plant(found, "vigorish", "short", "winner")
    book = xlsxwriter.Workbook(path := folder / "headings.xlsx")
    sheet = book.add_worksheet()
    for first, name in {2: "Player", 5: "Banker", 9: "Bet"}.items():
        sheet.merge_range(0, first, 0, first + 2, name)
    cards = [f"Card {n}" for n in (1, 2, 3)]
    sheet.write_row(1, 0, ["Shoe", "Round", *cards, *cards, "Result", "On", "Stake", "Net"])
    bets = [(one, bet) for one in found for bet in one.bets]
    for at, (one, bet) in enumerate(bets, start=2):
        hand = [place(hand, n) for hand in (one.dealt.player, one.dealt.banker) for n in range(3)]
        amounts = [bet.stake / 100, bet.net / 100]
        cells = [one.dealt.shoe, one.dealt.number, *hand, one.winner.title(), bet.wager.title()]
        sheet.write_row(at, 0, [*cells, *amounts])
    book.close()
    return Export(path, faults)


def _listed(found: Sequence[Hand]) -> Iterator[tuple[Hand, Bet, list[str]]]:
    for one in found:
        for bet in one.bets:
            yield one, bet, [" ".join(hand) for hand in (one.dealt.player, one.dealt.banker)]


def listing(folder: Path) -> Export:
    """A printed listing: names cut short, a title as wide as the columns, and a footer."""
    found = hands(2602, 3, ("player",), betless=False)
    faults = plant(found, "short", "vigorish", "winner")
    lines = [
        "ACME BACCARAT SYSTEM                    ROUND LISTING                 RUN 2026-05-02",
        "",
    ]
    lines += ["SHOE RND  PLAYER    BANKER    RES    BET ON       STAKE         NET"]
    lines += ["---- ---- --------- --------- ------ -------  --------- -----------"]
    lines += [
        f"{one.dealt.shoe:<5}{one.dealt.number:<5}{both[0]:<10}{both[1]:<10}{one.winner.title():<7}"
        f"{bet.wager.title():<8}{dollars(bet.stake):>10}{dollars(bet.net):>12}"
        for one, bet, both in _listed(found)
    ]
    lines += ["", f"*** END OF REPORT - {len(found)} ROUNDS ***"]
    (path := folder / "listing.txt").write_text("\n".join(lines) + "\n")
    return Export(path, faults)


def pages(folder: Path) -> Export:
    """A printed report with a title and the names of the columns on each page."""
    found = hands(2603, 3, ("player",), betless=False)
    faults = plant(found, "vigorish", "short", "winner")
    lines: list[str] = []
    for at, (one, bet, both) in enumerate(_listed(found)):
        if at % 60 == 0:
            feed_ = "\f" if at else ""
            lines += [f"{feed_}CASINO ROYAL   BACCARAT ROUNDS   PAGE {at // 60 + 1}", ""]
            lines += ["SHOE  ROUND  PLAYER     BANKER     WINNER  WAGER    STAKE        NET"]
            lines += ["----  -----  ---------  ---------  ------  ------  ---------  ---------"]
        lines.append(
            f"{one.dealt.shoe:>4}  {one.dealt.number:>5}  {both[0]:<9}  {both[1]:<9}  "
            f"{one.winner.title():<6}  {bet.wager.title():<6}  {dollars(bet.stake):>9}  "
            f"{dollars(bet.net):>9}"
        )
    lines += ["", f"TOTAL ROUNDS: {len(found)}"]
    (path := folder / "pages.txt").write_text("\n".join(lines) + "\n")
    return Export(path, faults)


def winnings(folder: Path) -> Export:
    """Winnings after commission, what came back in a tie in a column of its own, and a remark."""
    found = hands(2604, 4, ("player",))
    faults = plant(found, "vigorish", "short", "winner")
    wagers = ("player", "banker", "tie")
    header = ["round_id", "shoe_id", "cards_player", "cards_banker", "outcome"]
    header += [f"{name}_{what}" for what in ("bet", "win") for name in wagers] + ["refund"]

    def lines() -> Iterator[list[object]]:
        for one in found:
            bets = [_bet(one, 1, name) for name in wagers]
            both = (" ".join(hand) for hand in (one.dealt.player, one.dealt.banker))
            yield [one.dealt.number, one.dealt.shoe, *both, one.winner,
                   *(dollars(bet.stake) for bet in bets), *(dollars(max(bet.net, 0)) for bet in bets),
                   dollars(sum(bet.stake for bet in bets if not bet.net))]  # fmt: skip
        yield [f"# {len(found)} records", " exported by ops"]

    rows(path := folder / "winnings.csv", header, lines())
    return Export(path, faults)


def names_in_one(folder: Path) -> Export:
    """Shoe and round in one name, bonus wagers called dragons, and commission owed."""
    found = hands(2606, 4, ("player", "bonus_player", "bonus_banker"), betless=False)
    faults = plant(found, "short", "vigorish", "winner")
    # What was owed and not recorded.
    faults = [Fault(one.kind, f"T7/{int(one.shoe):03}", one.round,
                    -one.owed if one.kind == "vigorish" else one.owed) for one in faults]  # fmt: skip
    label = {"player": "Player", "banker": "Banker", "bonus_player": "Player Dragon",
             "bonus_banker": "Banker Dragon"}  # fmt: skip
    header = ["Round ID", "Timestamp (UTC)", "Player", "Banker", "Result", "Wager", "Wagered", "Won",
              "Commission owed", "Void?"]  # fmt: skip

    def lines() -> Iterator[list[object]]:
        for one, bet, both in _listed(found):
            name = f"T7/{one.dealt.shoe:03}/{one.dealt.number:03}"
            is_short = bet.wager == "player" and bet.net != bet.due
            won = bet.net if bet.wager != "banker" or is_short or bet.due <= 0 else bet.stake
            yield [name, "2026-05-01T18:00:00Z", *both, one.winner.title(), label[bet.wager],
                   f"${dollars(bet.stake)}", f"${dollars(max(won, 0))}", f"${dollars(max(won, 0) - max(bet.net, 0))}",
                   "N"]  # fmt: skip

    rows(path := folder / "names.csv", header, lines(), ";")
    return Export(path, faults)


def owned_cards(folder: Path) -> Export:
    """A list of the cards dealt, each with its hand, and rounds numbered by a key named no."""
    found = hands(2607, 3)
    faults = plant(found, "short", "vigorish", "winner", "lost tie")
    lines = []
    for one in found:
        player, banker = one.dealt.player, one.dealt.banker
        dealt = [("P", player[0]), ("B", banker[0]), ("P", player[1]), ("B", banker[1])]
        dealt += [*(("P", card) for card in player[2:]), *(("B", card) for card in banker[2:])]
        bets = {
            bet.wager: {"stake": dollars(bet.stake), "payout": dollars(bet.stake + bet.net)}
            for bet in one.bets
        }
        cards = [{"to": to, "card": card.upper()} for to, card in dealt]
        lines.append(json.dumps({"id": "LIVE-3", "shoe": one.dealt.shoe, "no": one.dealt.number,
                                 "deal": cards, "outcome": one.winner, "bets": bets}))  # fmt: skip
    (path := folder / "deals.jsonl").write_text("\n".join(lines) + "\n")
    return Export(path, faults)


EXPORTS: dict[str, Callable[[Path], Export]] = {
    made.__name__: made
    for made in (
        returned, workbook, feed, wager_rows, numbered, scoreboard, columnar, german, seat_rows, objects,
        dragon, dealt_order, french, suits_apart, sequences, before_commission, bets_in_a_cell, live,
        abbreviated, merged_headings, wager_codes, lettered_hands, worded_hands, barred_hands,
        after_commission, results_of_bets, coded_winners, numbered_shoe, spanish, chinese, prefixed_codes, paged,
        card_columns, seat_columns, seat_objects, slots, keyed_seats, named_amounts,
        number_pairs, stakes_and_payouts, free_bets, headings_that_end, listing, pages,
        winnings, names_in_one, owned_cards,
    )
}  # fmt: skip
