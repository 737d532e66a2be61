"""Proposing a mapping for a record: what its columns seem to tell, by their names and contents.

A proposal is for a person to check. Nothing is verified by it until it is written into a file.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import product
from typing import Any, Final, NamedTuple

from croupier.baccarat.coup import TIED
from croupier.baccarat.hand import Hand
from croupier.baccarat.wagers import WAGERS
from croupier.cards import DECK, Rank
from croupier.records.rounds.card_cells import CardReader
from croupier.records.rounds.cells import winner_reader
from croupier.records.rounds.mapping import RoundMapping, mapping_of
from croupier.records.rounds.record import Shown, shown_value
from croupier.records.rounds.sampling import Sample

__all__ = ["MappingProposal", "proposed"]

_OTHER: Final = {
    "shoe": "table tableid tableno tablename shoe shoeno shoeid shoenumber shoename",
    "round": "round roundno roundid roundnumber hand handno handid handnumber game gameno gameid "
    "coup coupno",
    "winner": "winner result outcome win winninghand gameresult",
    "burned": "burned burn burncards burnt",
    "seat": "seat seatno position box",
    "marks": "marks mark irregularity",
    "cards": "cards allcards dealt sequence",
}
_SIDES: Final = {
    hand.value: (hand.value, hand.value[0], *names.split())
    for hand, names in zip(Hand, ("punto", "bank banco"), strict=True)
}
_TOTAL_WORDS: Final = ("total", "score", "points", "point", "count", "sum", "value")
_CARD_WORDS: Final = ("", "card", "cards", "hand", "c")
_AMOUNT_WORDS: Final = {
    "stake": "stake bet wager wagered staked bets amount",
    "net": "net win profit result winloss pl",
    "paid": "paid payout pay payment return returned winnings",
    "vigorish": "vigorish vig commission comm",
}
_WORDS: Final = {word: amount for amount, words in _AMOUNT_WORDS.items() for word in words.split()}
_DOLLAR: Final = 100
_MOST_WINNERS: Final = 3
_SUITS: Final = "cdhs"
_RANKS: Final = "".join(rank.value for rank in Rank)


class MappingProposal(NamedTuple):
    """A mapping as tables, and for some of its settings why they were chosen, by dotted name."""

    tables: dict[str, Any]
    why: dict[str, str]
    unread: tuple[str, ...]

    @property
    def mapping(self) -> RoundMapping:
        """The mapping itself. Raises ``MappingError`` where it cannot be one."""
        return mapping_of(self.tables, self.tables.get("wagers", {}))


def proposed(sample: Sample, own: Collection[str] = ()) -> MappingProposal:
    """Return the mapping that the first rows of a record suggest; ``own`` are custom wagers."""
    return _Proposing(sample, own).propose()


def _plain(name: str) -> str:
    """Return a name by its words: ``BankBet`` and ``bank_bet`` are ``bank bet``."""
    parted = re.sub(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Za-z])(?=[0-9])", " ", name)
    return " ".join(re.split(r"[\W_]+", parted.casefold())).strip()


class _Proposing:
    """One record while a mapping is proposed for it."""

    def __init__(self, sample: Sample, own: Collection[str]) -> None:
        self.sample = sample
        self.wagers = {_plain(name): name for name in (*WAGERS, *own)}
        for side, names in _SIDES.items():
            self.wagers |= dict.fromkeys(names, side)
        self.wagers |= {TIED[0]: TIED, "egalite": TIED}
        self.columns: dict[str, list[str]] = {}
        self.bets: dict[str, dict[str, str]] = {}
        self.tables: dict[str, dict[str, Any]] = {}
        self.why: dict[str, str] = {}

    def propose(self) -> MappingProposal:
        names = [(name, _plain(name)) for name in self.sample.names]
        for name, plain in names:
            self.column(name, plain)
        columns = {name: told[0] if len(told) == 1 else told for name, told in self.columns.items()}
        self.tables["columns"] = columns
        self.cards()
        self.winner()
        self.money()
        read = {one for told in self.columns.values() for one in told}
        read |= {one for told in self.bets.values() for one in told.values()}
        unread = tuple(name for name in self.sample.names if name not in read)
        tables = {name: table for name, table in self.tables.items() if table}
        if self.bets:
            tables["wagers"] = self.bets
        return MappingProposal(tables, self.why, unread)

    def column(self, name: str, plain: str) -> None:
        """Note what one column seems to tell."""
        joined = plain.replace(" ", "")
        for target, names in _OTHER.items():
            if joined in names.split():
                if target == "shoe" or target not in self.columns:
                    self.columns.setdefault(target, []).append(name)
                return
        if self.side(name, joined) or self.bet(name, plain):
            return
        if joined == "wagers":
            self.columns["wagers"] = [name]

    def side(self, name: str, joined: str) -> bool:
        """Note a column of one hand: its cards, one of them, or its total."""
        for side, names in _SIDES.items():
            for own in names:
                rest = joined.removeprefix(own)
                if rest == joined:
                    continue
                if rest in _TOTAL_WORDS:
                    self.columns[f"{side}_total"] = [name]
                    return True
                if rest.rstrip("123") in _CARD_WORDS and self.tells_cards(name):
                    self.columns.setdefault(side, []).append(name)
                    return True
        return False

    def tells_cards(self, name: str) -> bool:
        """Return whether cells of a column look like cards; where all are blank they may be."""
        cells = self.sample.cells(name)
        return all(re.search(r"[0-9AJQKTajqkt♠♥♦♣]", cell) for cell in cells) and not any(
            re.fullmatch(r"-?[0-9]*[.][0-9]+", cell) for cell in cells
        )

    def bet(self, name: str, plain: str) -> bool:
        """Note a column of an amount of one wager."""
        words = plain.split()
        for at in (len(words) - 1, 0):
            amount = _WORDS.get(words[at]) if len(words) > 1 else None
            wager = self.wagers.get(" ".join(words[:at] + words[at + 1 :]))
            if amount is not None and wager is not None:
                self.bets.setdefault(wager, {}).setdefault(amount, name)
                return True
        return False

    # --- values ---

    def hands(self, reader: CardReader) -> Iterator[tuple[tuple[Shown, ...], ...]]:
        """Yield both hands of each row, as a reader reads them; none where it cannot."""
        for row in self.sample.rows:
            hands = []
            for side in _SIDES:
                cells = [row.get(name) for name in self.columns.get(side, [])]
                value: object = cells[0] if len(cells) == 1 else cells
                try:
                    hands.append(reader(value))
                except ValueError:
                    break
            yield tuple(hands) if len(hands) == len(_SIDES) else ()

    def read(self, **how: Any) -> int:
        """Return how many rows have hands that are read so, each of two or three cards."""
        found = self.hands(CardReader(**how))
        return sum(bool(both) and all(len(hand) in {2, 3} for hand in both) for both in found)

    def cards(self) -> None:
        """Find how cards are written."""
        reader = CardReader()
        both = list(self.hands(reader))
        if reader.counts["beyond"] and not reader.counts["lettered"]:
            self.numbers()
            return
        if self.read(suit_first=True) > self.read():
            self.tables["cards"] = {"order": "suit-rank"}
            return
        ranks = Counter(card for hands in both for hand in hands for card in hand)
        faces = sum(ranks[rank] for rank in (Rank.JACK, Rank.QUEEN, Rank.KING))
        suited = sum(count for card, count in ranks.items() if not isinstance(card, Rank))
        if not faces and not suited and ranks[Rank.TEN] * 5 > ranks.total():
            self.tables["cards"] = {"tens": "ten-valued"}
            self.why["cards.tens"] = "no jack, queen, or king is recorded, and many tens are"

    def numbers(self) -> None:
        """Find the order of cards by number under which the winners recorded are right."""
        fits = []
        for first, ranks, by in product((0, 1), (_RANKS, _RANKS[1:] + "A"), ("suit", "rank")):
            order = [ranks.index(card.rank.value) for card in DECK]
            suit = [card.index // len(Rank) for card in DECK]
            place = [
                13 * s + r if by == "suit" else 4 * r + s for r, s in zip(order, suit, strict=True)
            ]
            deck = [card for _, card in sorted(zip(place, DECK, strict=True), key=lambda x: x[0])]
            reader = CardReader(deck=deck, first_number=first)
            if self.agrees(reader):
                fits.append({"numbers": f"{first}-{51 + first}", "ranks": ranks, "by": by})
        if len(fits) == 1:
            self.tables["cards"] = {**fits[0], "suits": _SUITS}
            self.why["cards.numbers"] = "the only order under which the recorded results are right"
            self.why["cards.suits"] = "the order of the suits cannot be seen in results: check it"
        else:
            self.why["cards"] = (
                "the cards are numbers, and their order cannot be seen: name it as numbers, suits, "
                "ranks, and by"
            )

    def agrees(self, reader: CardReader) -> bool:
        """Return whether totals by the cards, as a reader reads them, make what is recorded."""
        read = winner_reader({})
        rows = 0
        for row, both in zip(self.sample.rows, self.hands(reader), strict=True):
            if not both:
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
        """Find what words for winners mean that are not known, by the cards beside them."""
        if "winner" not in self.columns:
            return
        (name,) = self.columns["winner"][:1]
        read = winner_reader({})
        seen: dict[str, Counter[str]] = {}
        suit_first = self.tables.get("cards", {}).get("order") == "suit-rank"
        hands = self.hands(CardReader(suit_first=suit_first))
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
            self.tables["values"] = {"winner": meant}
            self.why["values.winner"] = "by the cards of the first rounds"

    def money(self) -> None:
        """Find the unit and the decimal sign of amounts."""
        names = [name for told in self.bets.values() for name in told.values()]
        cells = [cell for name in names for cell in self.sample.cells(name)]
        money: dict[str, str] = {}
        if any(re.fullmatch(r"-?[0-9.]+,[0-9]{1,2}", cell) for cell in cells):
            money["decimal"] = ","
        whole = [int(cell) for cell in cells if re.fullmatch(r"[+-]?[0-9]{1,12}", cell)]
        stakes = [abs(one) for one in whole if one]
        large = len(whole) == len(cells) and min(stakes, default=0) >= _DOLLAR
        if large and any(one % _DOLLAR for one in stakes):
            money["unit"] = "cents"
            self.why["money.unit"] = "every amount is a whole number of 100 or more: check it"
        self.tables["money"] = money
        for wager, told in list(self.bets.items()):
            if "stake" not in told:
                self.why[f"wagers.{wager}"] = "no column has its stake: write the amount as stake"
                del self.bets[wager]


def _winner(counts: Sequence[int]) -> str:
    """Return who has the higher total, by the names of records."""
    read: Mapping[int, str] = dict(enumerate(_SIDES))
    return TIED if counts[0] == counts[1] else read[int(counts[1] > counts[0])]
