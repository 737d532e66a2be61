"""Mapping proposals from the names and contents of columns, for a person to check."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import product
from typing import Any, Final, NamedTuple

from croupier.baccarat.cards import DECK, Rank
from croupier.baccarat.coup import TIED
from croupier.baccarat.hand import Hand
from croupier.baccarat.wagers import WAGERS
from croupier.files.text import broken_byte
from croupier.records.rounds.card_cells import CardReader
from croupier.records.rounds.cells import wager_name, winner_reader
from croupier.records.rounds.mapping import RoundMapping, mapping_of
from croupier.records.rounds.record import Shown, shown_value
from croupier.records.rounds.sampling import Sample

_OTHER: Final = {
    "shoe": "table tableid tableno tablename tisch mesa shoe shoeno shoeid shoenumber shoename "
    "shoenum schuh sabot",
    "round": "round roundno roundid roundnumber hand handno handid handnumber handnum handnr game "
    "gameno gameid coup coupno runde rundennr ronda mano tour gamen roundn handn",
    "winner": "winner result res outcome win winninghand gameresult ergebnis sieger gewinner "
    "resultado ganador risultato vincitore gagnant",
    "burned": "burned burn burncards burnt",
    "seat": "seat seatno position box",
    "marks": "marks mark irregularity",
    "cards": "cards allcards dealt sequence",
}
_SIDES: Final = {
    hand.value: (hand.value, hand.value[0], *names.split())
    for hand, names in zip(
        Hand,
        ("punto spieler joueur jugador giocatore", "bank banco banque banquier banca"),
        strict=True,
    )
}
_TOTAL_WORDS: Final = (
    "total", "totals", "score", "scores", "points", "point", "count", "sum", "value",
)  # fmt: skip
_CARD_WORDS: Final = ("", "card", "cards", "hand", "c")
_LETTERS: Final = {"s": "player", "j": "player", "g": "player"}
"""Letters for a hand in other languages, followed by a card number."""

_METERS: Final = frozenset({"jp", "jackpot", "meter", "progressive", "pot", "pott"})
_AMOUNT_WORDS: Final = {
    "stake": "stake bet wager wagered staked bets amount amt einsatz apuesta mise puntata",
    "net": "net netto neto win profit result winloss pl pnl gewinn ganancia gain vincita",
    "paid": "paid payout pay payment return returned winnings",
    "vigorish": "vigorish vig commission comm",
}
_WORDS: Final = {word: amount for amount, words in _AMOUNT_WORDS.items() for word in words.split()}
_NAMES_OF_WAGERS: Final = frozenset(
    {"wager", "wagertype", "wagername", "bet", "bettype", "betname", "type", "name", "market"}
)
_TIES: Final = ("draw", "egalite", "égalité", "unentschieden", "empate", "pareggio")
_LISTS_OF_WAGERS: Final = ("wagers", "bets")
_MAY_BE_CARDS: Final = re.compile("[0-9AJQKTajqkt♠♥♦♣]|(?i:two|five|six|seven|nine)")
_DOLLAR: Final = 100
_WITHOUT_THIRDS: Final = 4
_MOST_WINNERS: Final = 3
_SUITS: Final = "cdhs"
_RANKS: Final = "".join(rank.value for rank in Rank)


class MappingProposal(NamedTuple):
    """A mapping as tables, with reasons for some settings."""

    tables: dict[str, Any]
    why: dict[str, str]
    unread: tuple[str, ...]

    @property
    def mapping(self) -> RoundMapping:
        """The proposed mapping. Raises ``MappingError``."""
        return mapping_of(self.tables, self.tables.get("wagers", {}))


def proposed(sample: Sample, own: Collection[str] = ()) -> MappingProposal:
    """Return the mapping suggested by the first rows."""
    return _Proposing(sample, own).propose()


def has_cards(found: MappingProposal) -> bool:
    """Return whether a proposal finds the cards of both hands."""
    columns = found.tables.get("columns", {})
    return "cards" in columns or _SIDES.keys() <= columns.keys()


def _plain(name: str) -> str:
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])", " ", name)
    return " ".join(re.split(r"[\W_]+", parted.casefold())).strip()


def _joined(plain: str) -> str:
    return plain.replace("win loss", "winloss").replace("profit loss", "pnl")


class _Proposing:
    def __init__(self, sample: Sample, own: Collection[str]) -> None:
        self.sample = sample
        self.wagers = {_plain(name): name for name in (*WAGERS, *own)}
        for side, names in _SIDES.items():
            self.wagers |= dict.fromkeys(names, side)
        self.wagers |= dict.fromkeys((TIED[0], *_TIES), TIED)
        self.columns: dict[str, list[str]] = {}
        self.bets: dict[str, dict[str, str]] = {}
        self.tables: dict[str, dict[str, Any]] = {}
        self.why: dict[str, str] = {}
        self.entries: dict[str, str] = {}
        self.listed: list[Mapping[str, Any]] = []
        """Keys of the entries in a list of wagers, by meaning, and the entries."""
        self.others: dict[str, dict[str, str]] = {}
        """Amount columns by name of an unknown wager."""

    def propose(self) -> MappingProposal:
        names = [(name, _plain(name)) for name in self.sample.names]
        for name, plain in names:
            self.column(name, plain)
        columns = {name: told[0] if len(told) == 1 else told for name, told in self.columns.items()}
        self.tables["columns"] = columns
        self.row_wager(names)
        self.list_of_wagers()
        self.cards()
        self.winner()
        self.money()
        self.encoding()
        for wager, told in self.others.items():
            if len(told) > 1 and wager not in self.wagers and "wager" not in self.columns:
                named = ", ".join(f"{amount} {name!r}" for amount, name in told.items())
                self.why[f"wagers.{wager.replace(' ', '_')}"] = (
                    f"{named}: define the wager in a file (--own), and name these columns here"
                )
        for name, plain in names:
            if not _METERS.isdisjoint(plain.split()) and self.sample.numbers(name):
                self.why.setdefault(
                    "meters", f"{name!r} may be what a meter shows: if so, name it in [meters]"
                )
        read = {one for told in self.columns.values() for one in told}
        read |= {one for told in self.bets.values() for one in told.values()}
        unread = tuple(name for name in self.sample.names if name not in read)
        tables = {name: table for name, table in self.tables.items() if table}
        if self.bets:
            tables["wagers"] = self.bets
        return MappingProposal(tables, self.why, unread)

    def column(self, name: str, plain: str) -> None:
        joined = plain.replace(" ", "")
        # A nested field is named by its own place, such as game.shoe.
        inner = _plain(name.rpartition(".")[2]).replace(" ", "")
        for target, names in _OTHER.items():
            # A column with the cards of both hands does not belong to one hand.
            if {joined, inner} & {*names.split()} and (target != "cards" or inner == joined):
                if target == "shoe" or target not in self.columns:
                    self.columns.setdefault(target, []).append(name)
                return
        if self.side(name, joined) or self.bet(name, plain):
            return
        if inner in _LISTS_OF_WAGERS and any(isinstance(one, list) for one in self.values(name)):
            self.columns["wagers"] = [name]

    def values(self, name: str) -> list[Any]:
        return [row[name] for row in self.sample.rows if row.get(name) is not None]

    def row_wager(self, names: Sequence[tuple[str, str]]) -> None:
        joined = {plain.replace(" ", ""): name for name, plain in names}
        found = next((joined[one] for one in ("wager", "bettype", "wagertype", "betname", "bet")
                      if one in joined and not self.sample.numbers(joined[one])), None)  # fmt: skip
        if found is None or self.bets:
            return
        columns = {"wager": found}
        taken = {one for told in self.columns.values() for one in told} | {found}
        for name, plain in names:
            words = _joined(plain).split()
            words = [word for word in words if word not in {"amount", "amt"}] or ["amount"]
            words = [word for word in words if word not in {"bet", "wager"}] or words
            amount = _WORDS.get(words[0]) if len(words) == 1 else None
            if amount == "net" and {*"-("}.isdisjoint("".join(self.sample.cells(name))):
                amount = "paid"  # Nothing is ever lost in what is only paid.
            if amount is not None and name not in taken and self.sample.numbers(name):
                columns.setdefault(amount, name)
        self.tables["columns"] |= columns
        self.columns |= {key: [name] for key, name in columns.items()}
        self.wager_names(self.sample.cells(found))

    def list_of_wagers(self) -> None:
        for name in self.columns.get("wagers", []):
            found = [one for one in self.values(name) if isinstance(one, list)]
            entries = [entry for one in found for entry in one if isinstance(entry, Mapping)]
            keys: dict[str, str] = {}
            for key in dict.fromkeys(key for entry in entries for key in entry):
                plain = _plain(str(key)).replace(" ", "")
                of_seat = plain in _OTHER["seat"].split()
                target = "seat" if of_seat else "wager" if plain in _NAMES_OF_WAGERS else None
                keys.setdefault(target or _WORDS.get(plain, ""), str(key))
            keys.pop("", None)
            self.entries, self.listed = keys, entries
            self.tables["entries"] = {ours: key for ours, key in keys.items() if ours != key}
            told = keys.get("wager")
            self.wager_names([str(entry.get(told)) for entry in entries if told in entry])

    def wager_names(self, names: Sequence[str]) -> None:
        seen = dict.fromkeys(name for name in names if wager_name(name) not in WAGERS)
        meant = {name: self.wagers[_plain(name)] for name in seen if _plain(name) in self.wagers}
        if meant:
            self.tables.setdefault("values", {})["wager"] = meant
        if rest := [name for name in seen if name not in meant]:
            self.why["values.wager of your own"] = (
                f"{', '.join(map(repr, rest[:20]))}: define what is not in the catalog in a file "
                "(--own), and say here which wager each name means"
            )

    def encoding(self) -> None:
        texts = (str(value) for row in self.sample.rows for value in (*row, *row.values()))
        if any(map(broken_byte, texts)):
            self.why["file.encoding"] = (
                "some bytes are not UTF-8: name the encoding with --encoding, such as cp1252"
            )

    def side(self, name: str, joined: str) -> bool:
        for side, names in _SIDES.items():
            for own in names:
                rest = joined.removeprefix(own)
                if rest == joined:
                    rest = joined.removesuffix(own)
                    # A single letter at the end of a word is not sufficient evidence.
                    if len(own) == 1 and (not rest or rest not in {*_CARD_WORDS, *_TOTAL_WORDS}):
                        continue
                if rest == joined:
                    continue
                if rest in _TOTAL_WORDS:
                    self.columns[f"{side}_total"] = [name]
                    return True
                if rest.rstrip("123") in _CARD_WORDS and self.tells_cards(name):
                    self.columns.setdefault(side, []).append(name)
                    return True
        hand = _LETTERS.get(joined.rstrip("123"))
        if hand is not None and joined[-1:].isdigit() and self.tells_cards(name):
            self.columns.setdefault(hand, []).append(name)
            return True
        return False

    def tells_cards(self, name: str) -> bool:
        cells = self.sample.cells(name)
        return all(map(_MAY_BE_CARDS.search, cells)) and not any(
            re.fullmatch(r"-?[0-9]*[.][0-9]+", cell) for cell in cells
        )

    def bet(self, name: str, plain: str) -> bool:
        words = _joined(plain).split()
        for at in (len(words) - 1, 0):
            amount = _WORDS.get(words[at]) if len(words) > 1 else None
            wager = self.wagers.get(" ".join(words[:at] + words[at + 1 :]))
            if amount is not None and wager is not None:
                self.bets.setdefault(wager, {}).setdefault(amount, name)
                return True
            if amount is not None and self.sample.numbers(name):
                rest = " ".join(words[:at] + words[at + 1 :])
                self.others.setdefault(rest, {}).setdefault(amount, name)
        return False

    # --- values ---

    def hands(self, reader: CardReader) -> Iterator[tuple[tuple[Shown, ...], ...]]:
        for row in self.sample.rows:
            hands: list[tuple[Shown, ...]] = []
            for column in self.columns.get("cards", []):
                with suppress(ValueError):
                    dealt = reader(row.get(column))
                    # The cards alone do not show which hand has a third card.
                    hands = [dealt[::2], dealt[1::2]] if len(dealt) == _WITHOUT_THIRDS else []
            for side in () if "cards" in self.columns else _SIDES:
                cells = [row.get(name) for name in self.columns.get(side, [])]
                value: object = cells[0] if len(cells) == 1 else cells
                try:
                    hands.append(reader(value))
                except ValueError:
                    break
            yield tuple(hands) if len(hands) == len(_SIDES) else ()

    def read(self, **how: Any) -> int:
        found = self.hands(CardReader(**how))
        return sum(bool(both) and all(len(hand) in {2, 3} for hand in both) for both in found)

    def cards(self) -> None:
        reader = self.reader = CardReader()
        both = list(self.hands(reader))
        if reader.counts["beyond"] and not reader.counts["lettered"]:
            self.numbers()
            return
        if self.read(suit_first=True) > self.read():
            self.tables["cards"] = {"order": "suit-rank"}
            self.reader = CardReader(suit_first=True)
            return
        ranks = Counter(card for hands in both for hand in hands for card in hand)
        faces = sum(ranks[rank] for rank in (Rank.JACK, Rank.QUEEN, Rank.KING))
        suited = sum(count for card, count in ranks.items() if not isinstance(card, Rank))
        if not faces and not suited and ranks[Rank.TEN] * 5 > ranks.total():
            self.tables["cards"] = {"tens": "ten-valued"}
            self.why["cards.tens"] = "no jack, queen, or king is recorded, and many tens are"

    def numbers(self) -> None:
        fits: list[dict[str, str]] = []
        fits_by: list[CardReader] = []
        for first, ranks, by in product((0, 1), (_RANKS, _RANKS[1:] + "A"), ("suit", "rank")):
            order = [ranks.index(card.rank.value) for card in DECK]
            suit = [card.index // len(Rank) for card in DECK]
            place = [
                13 * s + r if by == "suit" else 4 * r + s for r, s in zip(order, suit, strict=True)
            ]
            deck = [card for _, card in sorted(zip(place, DECK, strict=True), key=lambda x: x[0])]
            reader = CardReader(deck=deck, first_number=first)
            if self.agrees(reader):
                fits_by.append(reader)
                fits.append({"numbers": f"{first}-{51 + first}", "ranks": ranks, "by": by})
        if len(fits) == 1:
            self.tables["cards"] = {**fits[0], "suits": _SUITS}
            self.reader = fits_by[0]
            self.why["cards.numbers"] = "the only order under which the recorded results are right"
            self.why["cards.suits"] = "the order of the suits cannot be seen in results: check it"
        else:
            self.why["cards"] = (
                "the cards are numbers, and their order cannot be seen: name it as numbers, suits, "
                "ranks, and by"
            )

    def agrees(self, reader: CardReader) -> bool:
        read = winner_reader({})
        rows = 0
        for row, both in zip(self.sample.rows, self.hands(reader), strict=True):
            if not both:
                if "cards" in self.columns:
                    continue
                return False
            counts = [sum(shown_value(c) for c in hand if c is not None) % 10 for hand in both]
            for side, count in zip(_SIDES, counts, strict=True):
                for name in self.columns.get(f"{side}_total", []):
                    if str(row.get(name)) not in {str(count), ""}:
                        return False
                    rows += 1
            for name in self.columns.get("winner", [])[:1]:
                try:
                    told = read(row.get(name))
                except ValueError:
                    continue
                if told is not None and told != _winner(counts):
                    return False
                rows += told is not None
        return rows > 0

    def winner(self) -> None:
        if "winner" not in self.columns:
            return
        (name,) = self.columns["winner"][:1]
        read = winner_reader({})
        seen: dict[str, Counter[str]] = {}
        hands = self.hands(self.reader)
        for row, both in zip(self.sample.rows, hands, strict=True):
            told = str(row.get(name, "")).strip()
            if not told or not both:
                continue
            try:
                read(told)
            except ValueError:
                counts = [sum(shown_value(c) for c in h if c is not None) % 10 for h in both]
                seen.setdefault(told, Counter())[_winner(counts)] += 1
        meant = {told: found.most_common(1)[0][0] for told, found in seen.items()}
        if meant and len(meant) <= _MOST_WINNERS:
            self.tables.setdefault("values", {})["winner"] = meant
            self.why["values.winner"] = "by the cards of the first rounds"

    def money(self) -> None:
        named = [(amount, name) for told in self.bets.values() for amount, name in told.items()]
        named += [(key, told[0]) for key, told in self.columns.items() if key in _AMOUNT_WORDS]
        cells = [cell for _, name in named for cell in self.sample.cells(name)]
        for key in _AMOUNT_WORDS.keys() & self.entries.keys():
            named.append((key, self.entries[key]))
            of_key = (one.get(self.entries[key]) for one in self.listed)
            cells += [str(amount) for amount in of_key if amount is not None]
        money: dict[str, str] = {}
        if any(re.search(r"[0-9],[0-9]{1,2}(?![0-9])", cell) for cell in cells):
            money["decimal"] = ","
        whole = [int(cell) for cell in cells if re.fullmatch(r"[+-]?[0-9]{1,12}", cell)]
        stakes = [abs(one) for one in whole if one]
        large = len(whole) == len(cells) and min(stakes, default=0) >= _DOLLAR
        if large and any(one % _DOLLAR for one in stakes):
            money["unit"] = "cents"
            self.why["money.unit"] = "every amount is a whole number of 100 or more: check it"
        if any(amount == "paid" and "return" in _plain(name) for amount, name in named):
            money["paid"] = "returned"
            self.why["money.paid"] = "by its name it holds the stake that came back: check it"
        self.tables["money"] = money
        for wager, told in list(self.bets.items()):
            if "stake" not in told:
                self.why[f"wagers.{wager}"] = "no column has its stake: write the amount as stake"
                del self.bets[wager]


def _winner(counts: Sequence[int]) -> str:
    read: Mapping[int, str] = dict(enumerate(_SIDES))
    return TIED if counts[0] == counts[1] else read[int(counts[1] > counts[0])]
