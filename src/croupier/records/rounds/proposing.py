"""Mapping proposals from the names and contents of columns, for a person to check."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from itertools import chain, pairwise, product
from typing import Any, Final, NamedTuple

from croupier.baccarat.cards import DECK, Rank
from croupier.baccarat.coup import TIED
from croupier.baccarat.wagers import WAGERS
from croupier.files.text import broken_byte
from croupier.records.rounds.card_cells import (
    PAIR_OF_NUMBERS,
    CardReader,
    hands_in_cell,
    owned_cards,
    wager_name,
    winner_reader,
)
from croupier.records.rounds.cells import SECOND, is_amount, named_amounts, plain, readable, whole
from croupier.records.rounds.column_names import (
    AMOUNT_OF,
    AMOUNT_WORDS,
    COUNTERS,
    COUPONS,
    METERS,
    MONEY,
    NAMES_OF_WAGERS,
    NOT_OF_CARDS,
    NUMBERS,
    OF_WAGERS,
    PLAIN_NAMES,
    SEATS,
    SEQUENCES,
    SHOES,
    SIDES,
    STATE_WORDS,
    TIES,
    TOTAL_WORDS,
    UNNAMED,
    amount_named,
    looks_like_amount,
    names_shoe,
    plain_name,
    sides_named,
    unit_named,
    words_of,
)
from croupier.records.rounds.fields import DASHES, RecordBuilder, flat, name_in_shoe
from croupier.records.rounds.mapping import (
    COLUMNS,
    NO_MARK,
    ROW_WAGER,
    SEAT,
    SLOT,
    RoundMapping,
    mapping_of,
    numbering,
)
from croupier.records.rounds.record import Shown, shown_count
from croupier.records.rounds.sampling import Sample

_NOT_ZERO: Final = re.compile("[1-9]")
_NUMBER_OF_SEAT: Final = re.compile("(?<![0-9])[0-9]{1,2}(?![0-9])")
_MAY_BE_CARDS: Final = re.compile("[0-9AJQKTajqkt♠♥♦♣]|(?i:two|five|six|seven|nine)")
_SUIT_CELL: Final = re.compile("[♠♥♦♣]|(?i:[cdhs]|(?:club|diamond|heart|spade)s?)")
_NO_ROUND: Final = "(?:grand |sub)?total|summe|gesamt|heart-?beat|keep-?alive|footer|trailer"
_TOTALS: Final = re.compile(f"(?i){_NO_ROUND}|sum$")
_TOTAL: Final = re.compile(f"(?i)(?:{_NO_ROUND}|sum)s?")
_MOST_RIGHT: Final = 0.9
_DOLLAR: Final = 100
_WITHOUT_THIRDS: Final = 4
_MOST_CARDS: Final = 6
_LEAST_PAIRS: Final = 20
_ORDER_OF_SUITS: Final = "the order of the suits cannot be seen in results: check it"
_NUMBERED: Final = re.compile("(?:card|carta|karte|carte|c) ?[1-6]")
_MOST_STATES: Final = 6
_OF_A_BET: Final = re.compile("(?i:win|won|lose|lost|loss|push(?:ed)?|returned|void(?:ed)?)")
_VOID: Final = re.compile("(?i:void(?:ed)?|cancell?ed|annulled|aborted)")
_REPLACED: Final = re.compile("(?i:replaced|superseded|reversed|overridden|obsolete)")
_SIMULATED: Final = re.compile("(?i:simulated)")
_STATES: Final = {"void": _VOID, "replaced": _REPLACED, "simulated": _SIMULATED}
_YES: Final = re.compile("(?i:y(?:es)?|true|t|1|x)")
_MOST_WINNERS: Final = 3
_MOST_NAMED: Final = 20
_PLACES: Final = {name: place for place, name in enumerate((*COLUMNS, *ROW_WAGER))}
_MAIN: Final = {TIED: (TIED, TIED[0], *TIES), **SIDES}
_SUITS: Final = "cdhs"
_RANKS: Final = "".join(rank.value for rank in Rank)


class MappingProposal(NamedTuple):
    tables: dict[str, Any]
    why: dict[str, str]
    unread: tuple[str, ...]
    orders: tuple[dict[str, str], ...] = ()
    """Possible orders of cards recorded as numbers, if the results do not decide."""
    unknown: tuple[str, ...] = ()
    is_order_assumed: bool = False
    """Whether no name says which of two columns of cards is Player's Hand."""
    has_decimals: bool = False

    @property
    def mapping(self) -> RoundMapping:
        """The proposed mapping. Raises ``MappingError``."""
        return mapping_of(self.tables, self.tables.get("wagers", {}))


def proposed(sample: Sample, custom_wagers: Collection[str] = ()) -> MappingProposal:
    return _Proposing(sample, custom_wagers).propose()


def has_cards(proposal: MappingProposal) -> bool:
    return _has_hands(proposal.tables.get("columns", {}))


def _has_hands(columns: Mapping[str, Any]) -> bool:
    return "cards" in columns or SIDES.keys() <= columns.keys()


def has_money(sample: Sample, name: str) -> bool:
    """Return whether a column may have amounts, or lists with some."""
    cells = sample.cells(name)
    if not any(_NOT_ZERO.search(cell) for cell in cells):
        return False
    if any(isinstance(row.get(name), list) for row in sample.rows):
        return any(map(MONEY.search, cells))
    is_named = amount_named(words_of(name)) is not None
    return looks_like_amount(name) and (
        is_named or sample.numbers(name) or any(map(_names_amounts, cells))
    )


def _names_amounts(text: str) -> bool:
    with suppress(ValueError):
        return not {*":="}.isdisjoint(text) and bool(named_amounts(text))
    return False


class _OfSeat(NamedTuple):
    wager: str
    amount: str
    is_named: bool
    """Whether the names say that the number is that of a seat, and what the amount is."""


class _Proposing:
    def __init__(self, sample: Sample, custom_wagers: Collection[str]) -> None:
        # A report may sum up every column with numbers.
        self.of_totals = [row for row in sample.rows if _label(row, sample.names)]
        self.sample = sample._replace(
            rows=[row for row in sample.rows if row not in self.of_totals]
        )
        named = {name: frozenset(words_of(name)) for name in (*WAGERS, *custom_wagers)}
        self.wagers = {frozenset({name, "dragon"}): f"bonus_{side}"
                       for side, names in SIDES.items() for name in names}  # fmt: skip
        self.wagers |= {words: name for name, words in named.items()}
        self.wagers |= {frozenset({name}): main for main, names in _MAIN.items() for name in names}
        self.words_of_others = frozenset[str]().union(
            *(words for name, words in named.items() if name not in _MAIN)
        )
        """Words that name other wagers than Player, Banker, and Tie."""
        self.columns: dict[str, list[str]] = {}
        self.bets: dict[str, dict[str, str]] = {}
        self.numbered: dict[tuple[str, str], list[str]] = {}
        """Columns with a number in their names, by what is before and after it."""
        for name in sample.names:
            for number in _NUMBER_OF_SEAT.finditer(name):
                parts = name[: number.start()], name[number.end() :]
                self.numbered.setdefault(parts, []).append(name)
        self.sources: dict[str, list[str]] = {}
        """Columns behind a name in the mapping: of all numbers, or the one that a field is in."""
        self.inside: dict[str, list[str]] = {}
        """The cells of each field that is in a column."""
        self.tables: dict[str, dict[str, Any]] = {}
        self.why: dict[str, str] = {}
        self.entries: dict[str, str] = {}
        self.listed: list[Mapping[str, Any]] = []
        """Keys of the entries in a list of wagers, by meaning, and the entries."""
        self.orders: tuple[dict[str, str], ...] = ()
        self.unknown: tuple[str, ...] = ()
        self.is_order_assumed = self.has_decimals = False
        self.others: dict[str, dict[str, str]] = {}
        """Amount columns by name of an unknown wager."""

    def propose(self) -> MappingProposal:
        self.seats()
        of_seats = {*chain(*self.sources.values())}
        for name in self.sample.names:
            if name not in of_seats:
                self.column(name)
        self.numbered_cards()
        for side in SIDES.keys() & self.columns.keys():
            self.columns[side].sort(
                key=lambda name: (re.findall("[0-9]", name), "suit" in words_of(name))
            )
        self.two_hands()
        self.shoes()
        self.counter()
        self.round_in_shoe()
        columns = {
            name: names[0] if len(names) == 1 else names
            for name, names in sorted(self.columns.items(), key=lambda item: _PLACES[item[0]])
        }
        self.tables["columns"] = columns
        self.list_of_wagers()
        self.unfold()
        self.vigorish()
        self.row_wager()
        self.cards()
        self.winner()
        self.voids()
        self.money()
        self.encoding()
        self.totals()
        self.unknown_wagers()
        for name in self.sample.names:
            if not METERS.isdisjoint(words_of(name)) and self.sample.numbers(name):
                self.why.setdefault(
                    "meters", f"{name!r} may be what a meter shows: if so, name it in [meters]"
                )
        amounts = (amounts.values() for amounts in self.bets.values())
        columns_read = chain.from_iterable((*self.columns.values(), *amounts))
        read_names = {name for column in columns_read for name in self.named(column)}
        unread_names = tuple(name for name in self.sample.names if name not in read_names)
        if unread_names and _has_hands(self.columns) and (checks := self.missing()):
            names = ", ".join(map(readable, unread_names[:_MOST_NAMED]))
            self.why["columns"] = (
                f"NOT CHECKED: {', '.join(checks)}; no column of them was found. If one is among "
                f"{names}, name it in a mapping"
            )
        tables = {name: table for name, table in self.tables.items() if table}
        if self.bets:
            tables["wagers"] = self.bets
        return MappingProposal(
            tables, self.why, unread_names, self.orders, self.unknown,
            self.is_order_assumed, self.has_decimals,
        )  # fmt: skip

    def unknown_wagers(self) -> None:
        for wager, amounts in self.others.items():
            if len(amounts) > 1 and "wager" not in self.columns:
                columns = ", ".join(f"{amount} {name!r}" for amount, name in amounts.items())
                self.why[f"wagers.{wager.replace(' ', '_')}"] = (
                    f"{columns}: define the wager in a file (--own), and name these columns here"
                )

    def missing(self) -> list[str]:
        is_found = {
            "the order of rounds": "round" in self.columns,
            "the winner": "winner" in self.columns,
            "wagers": bool(self.bets) or not {"wager", "wagers"}.isdisjoint(self.columns),
        }
        return [check for check, has_column in is_found.items() if not has_column]

    def column(self, name: str) -> None:
        key = plain_name(name).replace(" ", "")
        values = [*filter(None, self.values(name))]
        if values and (all(map(hands_in_cell, values)) or all(map(owned_cards, values))):
            self.columns["cards"] = [name]
            return
        # A nested field is named by its own place, such as game.shoe or data.table.id.
        last_keys = {
            plain_name(".".join(name.split(".")[-parts:])).replace(" ", "") for parts in (1, 2)
        }
        for target, names in PLAIN_NAMES.items():
            # A column with the cards of both hands does not belong to one hand.
            if last_keys & {*names.split()} and (target != "cards" or "." not in name):
                if target == "winner" and not self.names_winner(name):
                    continue  # It may be a win in money, or the result of a wager.
                if target in {"shoe", "round"} or target not in self.columns:
                    self.columns.setdefault(target, []).append(name)
                return
        words = words_of(name)
        if self.side(name, key) or self.bet(name, words):
            return
        # A sequence of the shoe numbers shoes; one in the shoe, or of a round, numbers rounds.
        of_shoe = names_shoe(name) and "in" not in words
        of_shoe = of_shoe and (words[-1] in SHOES or COUNTERS & {*words} <= {*SEQUENCES})
        if not of_shoe and not COUNTERS.isdisjoint(words) and self.counted(name):
            self.columns.setdefault("round", []).append(name)
        elif names_shoe(name):
            self.columns.setdefault("shoe", []).append(name)
        elif (
            "winner" not in self.columns
            and not {"result", "winner", "outcome", "win"}.isdisjoint(words)
            and self.names_winner(name)
            and len({*self.sample.cells(name)}) <= _MOST_WINNERS
        ):
            self.columns["winner"] = [name]

    def names_winner(self, name: str) -> bool:
        cells = self.sample.cells(name)
        is_of_bet = bool(cells) and all(map(_OF_A_BET.fullmatch, cells))
        return not is_of_bet and not self.sample.amounts(name)

    def values(self, name: str) -> list[Any]:
        return [row[name] for row in self.sample.rows if row.get(name) is not None]

    # --- shoes and rounds ---

    def counted(self, name: str) -> bool:
        cells = self.sample.cells(name)
        return bool(cells) and all(re.fullmatch("[0-9]{1,15}", whole(cell)) for cell in cells)

    def shoes(self) -> None:
        """Keep one of several columns that part the rows alike; a table alone is no shoe."""
        by_cells: dict[tuple[object, ...], str] = {}
        for name in self.columns.pop("shoe", []):
            numbers: dict[str, int] = {}
            cells = (str(row.get(name)) for row in self.sample.rows)
            key = *(numbers.setdefault(cell, len(numbers)) for cell in cells), names_shoe(name)
            by_cells.setdefault(key, name)
        names = list(by_cells.values())
        if any(map(names_shoe, names)) or any(len({*self.sample.cells(n)}) > 1 for n in names):
            self.columns["shoe"] = names

    def counter(self) -> None:
        """Choose the column that counts the rounds of each shoe, rather than an id."""
        names = self.columns.get("round") or [
            name for name in self.sample.names
            if plain_name(name.split(".")[-1]) in NUMBERS and self.steps(name)[0] > _MOST_RIGHT
        ]  # fmt: skip
        if len(names) < 2:
            self.columns |= {"round": names} if names else {}
            return
        steps = {name: self.steps(name) for name in names}

        counter = max(names, key=lambda name: (steps[name], -names.index(name)))
        self.columns["round"] = [counter]
        share = f"{steps[counter][0]:.0%}"
        if steps[counter][0]:
            rest = ", ".join(name for name in names if name != counter)
            self.why["columns.round"] = (
                f"it counts on within a shoe in {share} of the rows; {rest} may name the round"
            )

    def round_in_shoe(self) -> None:
        """Find names of a shoe and the number of the round, such as ``T7/003/010``."""
        if any(map(self.counted, self.columns.get("round", ()))):
            return
        for name in self.sample.names:
            if name not in self.columns.get("round", ()) and COUNTERS.isdisjoint(words_of(name)):
                continue
            numbers: dict[str, list[int]] = {}
            with suppress(ValueError):
                for shoe, number in map(name_in_shoe, self.sample.cells(name)):
                    numbers.setdefault(shoe, []).append(int(number))
                steps = [
                    after - one for of_shoe in numbers.values() for one, after in pairwise(of_shoe)
                ]
                if sum(step in {0, 1} for step in steps) <= len(steps) * _MOST_RIGHT:
                    continue
                rows = [row for row in self.sample.rows if row.get(name)]
                shoes = [column for column in self.columns.get("shoe", ())
                         if len({(row.get(column), name_in_shoe(row[name])[0]) for row in rows})
                         > len(numbers)]  # fmt: skip
                self.columns |= {"shoe": [*shoes, name], "round": [name]}
                self.why["columns.round"] = "it is the last number of each name, after its shoe"
                return

    def steps(self, name: str) -> tuple[float, bool, int]:
        """How often a column counts on in its shoe, whether it begins by one, and its end, negated.

        Of two that count on, one may begin anew with each shoe.
        """
        if not self.counted(name):
            return 0.0, False, 0
        last_numbers: dict[tuple[str, ...], int] = {}
        shoe = self.columns.get("shoe", [])
        scores: list[float] = []
        cards: list[object] = []
        for row in self.sample.rows:
            text = whole(str(row.get(name) or ""))
            if not text.isdecimal():
                continue
            key, number = tuple(str(row.get(name)) for name in shoe), int(text)
            cards_before, cards = cards, [row.get(column) for column in self.dealt_columns]
            if key in last_numbers:
                step = number - last_numbers[key]
                if any(cards) and bool(step) == (cards == cards_before):
                    scores.append(0)  # Rows of one round have its cards, and no others do.
                elif step in {0, 1} or number <= 1:
                    scores.append(1)
                else:
                    scores.append(0.5 if 0 < step < 10 else 0)
            last_numbers[key] = number
        share = round(sum(scores) / len(scores), 2) if scores else 0.0
        numbers = [int(whole(cell)) for cell in self.sample.cells(name)]
        return share, min(numbers) <= 1, -max(numbers)

    # --- wagers ---

    def wager(self, words: Iterable[str]) -> str | None:
        name_words = frozenset(words)
        if wager := self.wagers.get(name_words):
            return wager
        wager = self.wagers.get(rest := name_words - UNNAMED)
        is_of_another = wager in _MAIN and not self.words_of_others.isdisjoint(name_words - rest)
        return None if is_of_another else wager

    def row_wager(self) -> None:
        """Find the wager that a row names, or several in columns such as ``Bet 1 Type``."""
        columns = {name: [name] for name in self.sample.names}
        for (before, after), names in self.numbered.items():
            mark = SEAT if {*words_of(before)[-1:]} & (SEATS - OF_WAGERS) else SLOT
            columns[f"{before}{mark}{after}"] = names
        named = {
            column: words
            for column, names in columns.items()
            if (words := self.words_by_number(column)) and (names == [column] or len(names) > 1)
        }
        by_key = {"".join(words): column for column, words in reversed(named.items())}
        candidates = (by_key[key] for key in NAMES_OF_WAGERS[:-3] if key in by_key)
        wager_column = next(
            (column for column in candidates
             if not all(map(is_amount, self.cells_in(columns[column])))), None,
        )  # fmt: skip
        if wager_column is None or self.bets or "wagers" in self.columns:
            return
        found = {"wager": wager_column}
        used_names = {name for names in self.columns.values() for name in names} | {wager_column}
        for column, words in named.items():
            cells = self.cells_in(columns[column])
            if numbering(column) != numbering(wager_column) or column in used_names or not cells:
                continue
            amount = (
                amount_named(words)
                if all(one in AMOUNT_OF or one in UNNAMED for one in words)
                else None
            )
            if amount == "net" and {*"-("}.isdisjoint("".join(cells)):
                amount = "paid"  # Nothing is ever lost in what is only paid.
            if amount is not None and all(map(is_amount, cells)):
                found.setdefault(amount, column)
            elif numbering(column) and {*words} - {*AMOUNT_OF} and {*words} <= SEATS | OF_WAGERS:
                found.setdefault("seat", column)
        self.sources |= {column: columns[column] for column in found.values()}
        self.tables["columns"] |= found
        self.columns |= {key: [name] for key, name in found.items()}
        self.wager_names(self.cells_in(columns[wager_column]))

    @staticmethod
    def words_by_number(column: str) -> list[str]:
        """Return the words of a column's name, without the seat if its number is that of a seat."""
        mark = numbering(column)
        before, after = map(words_of, column.split(mark)) if mark else (words_of(column), ())
        return [*(before[:-1] if mark == SEAT else before), *after]

    def cells_in(self, names: Iterable[str]) -> list[str]:
        cells = chain.from_iterable(map(self.sample.cells, names))
        return [cell for cell in cells if cell.strip("-–—") and cell not in DASHES]

    def list_of_wagers(self) -> None:
        for name in self.sample.names:
            lists = [value for value in self.values(name) if isinstance(value, list)]
            items = [entry for list_ in lists for entry in list_ if isinstance(entry, Mapping)]
            keys = dict.fromkeys(key for entry in items for key in entry)
            inner_key = next(
                (key for key in keys if any(map(_is_listed, (e.get(key) for e in items)))), ""
            )
            entries = items if not inner_key else [
                {**{key: entry[key] for key in entry if key != inner_key}, **wager}
                for entry in items for wager in entry.get(inner_key) or []
            ]  # fmt: skip
            if self.entry_keys(entries):
                column = f"{name}[].{inner_key}[]" if inner_key else name
                self.columns["wagers"], self.sources[column] = [column], [name]
                self.tables["columns"]["wagers"] = column
                return

    def entry_keys(self, entries: Sequence[Mapping[str, Any]]) -> bool:
        keys: dict[str, str] = {}
        for key in dict.fromkeys(str(key) for entry in entries for key in entry):
            key_text = plain_name(key).replace(" ", "")
            of_seat = key_text in PLAIN_NAMES["seat"].split()
            texts = [entry[key] for entry in entries if isinstance(entry.get(key), str)]
            are_wagers = bool(texts) and all(
                self.wager(words_of(text)) or wager_name(text) in WAGERS for text in texts
            )
            target = "wager" if are_wagers or key_text in NAMES_OF_WAGERS else None
            target = "seat" if of_seat and not are_wagers else target
            cells = [str(entry[key]) for entry in entries if entry.get(key) is not None]
            amount = amount_named(words_of(key)) if cells and all(map(is_amount, cells)) else None
            keys.setdefault(target or amount or "", key)
        keys.pop("", None)
        if not keys.keys() & {"wager"} or not keys.keys() & {"stake"}:
            return False
        self.entries, self.listed = keys, list(entries)
        self.tables["entries"] = {field: key for field, key in keys.items() if field != key}
        wager_key = keys["wager"]
        self.wager_names([str(entry.get(wager_key)) for entry in entries if wager_key in entry])
        return True

    def wager_names(self, names: Sequence[str]) -> None:
        unknown_names = dict.fromkeys(name for name in names if wager_name(name) not in WAGERS)
        meanings = {name: wager for name in unknown_names if (wager := self.wager(words_of(name)))}
        if meanings:
            self.tables.setdefault("values", {})["wager"] = meanings
        if others := [name for name in unknown_names if name not in meanings]:
            self.unknown = tuple(others)
            self.why["values.wager of your own"] = (
                f"{', '.join(map(repr, others[:20]))}: define what is not in the catalog in a file "
                "(--own), and say here which wager each name means"
            )

    def encoding(self) -> None:
        texts = (str(value) for row in self.sample.rows for value in (*row, *row.values()))
        if any(map(broken_byte, texts)):
            self.why["file.encoding"] = (
                "some bytes are not UTF-8: name the encoding with --encoding, such as cp1252"
            )

    def totals(self) -> None:
        """Skip lines of totals among the rows; a row with cards is a round, whatever its name."""
        rows = [*self.sample.rows, *self.of_totals]
        of_wager = self.columns.get("wager", ())  # It may be on the total of cards.
        names = [name for name in self.sample.names if name not in of_wager]
        # A report may sum up what the cards are numbered by.
        texts = [
            (_label(row, names) or _start(row), any(hands))
            for row, hands in zip(rows, self.hands(self.reader, rows), strict=True)
        ]
        of_rounds = [text for text, is_dealt in texts if is_dealt]
        starts = dict.fromkeys(text for text, is_dealt in texts if not is_dealt)
        labels: list[str] = []
        for start in starts:
            if word := _TOTALS.match(start):  # Such as Total 1, Total 2, and so on.
                is_of_round = any(text.startswith(word[0]) for text in of_rounds)
                labels.append(start if is_of_round else word[0])
        labels = [*dict.fromkeys(labels), *["#"] * any(start[:1] == "#" for start in starts)]
        if labels:
            self.tables.setdefault("file", {})["skip"] = labels
            self.why["file.skip"] = "such lines are totals or remarks, not rounds"

    def side(self, name: str, key: str) -> bool:
        for side, words in sides_named(words_of(name), key):
            if TOTAL_WORDS & words:
                if words <= TOTAL_WORDS | NOT_OF_CARDS and self.totalled(name):
                    self.columns[f"{side}_total"] = [name]
                    return True
            elif words <= NOT_OF_CARDS and self.tells_cards(name):
                self.columns.setdefault(side, []).append(name)
                return True
        return False

    def totalled(self, name: str) -> bool:
        cells = map(whole, self.sample.cells(name))
        return all(len(cell) == 1 and cell.isdecimal() for cell in cells)

    def tells_cards(self, name: str) -> bool:
        cells, words = self.cells_in([name]), words_of(name)
        # A card that is missing in another row makes numbers of cards decimal.
        cells = [*map(whole, cells)] if "card" in words else cells
        pattern = _SUIT_CELL.fullmatch if "suit" in words else _MAY_BE_CARDS.search
        return all(map(pattern, cells)) and not any(
            re.fullmatch(r"-?[0-9]*[.][0-9]+|(?i:cards?|carta|karte|carte)\b.*", cell)
            for cell in cells
        )

    def numbered_cards(self) -> None:
        """Find cards in the order dealt; a gap between them parts the two hands instead."""
        names = [name for name in self.sample.names if _NUMBERED.fullmatch(plain_name(name))]
        if len(names) != _MOST_CARDS or not SIDES.keys().isdisjoint(self.columns):
            return
        cells = [
            [bool(str(row.get(name) or "").strip(" -")) for name in names]
            for row in self.sample.rows
        ]
        if all(hands == sorted(hands, reverse=True) for hands in cells):
            self.columns["cards"] = names
        else:
            self.columns |= dict(zip(SIDES, (names[:3], names[3:]), strict=True))
            self.is_order_assumed = True

    def two_hands(self) -> None:
        """Find the cards of both hands by content, if no name says which."""
        if SIDES.keys() <= self.columns.keys() or "cards" in self.columns:
            return
        used_names = {name for columns in self.columns.values() for name in columns}
        readers = CardReader(), CardReader(suit_first=True)
        names = [
            name for name in self.sample.names
            if name not in used_names and any(self.dealt(name, reader) for reader in readers)
        ]  # fmt: skip
        if len(names) == len(SIDES):
            self.columns |= {side: [name] for side, name in zip(SIDES, names, strict=True)}
            self.is_order_assumed = True
        elif len(names) == 1:
            self.columns["cards"] = names

    def dealt(self, name: str, reader: CardReader) -> bool:
        if self.sample.numbers(name):
            return False
        with suppress(ValueError):
            if 2 <= len(reader(name)) <= _MOST_CARDS:
                return False  # It is a round: the file has no header.
        try:
            hands = [reader(value) for value in self.values(name)]
        except ValueError:
            return False
        return bool(hands) and all(2 <= len(hand) <= _MOST_CARDS for hand in hands)

    def bet(self, name: str, words: Sequence[str]) -> bool:
        is_coupon = not COUPONS.isdisjoint(words)
        amount = "coupon" if is_coupon else amount_named(words)
        if amount is None or len(words) < 2:
            return False
        other_words = [word for word in words if word not in AMOUNT_OF and word not in COUPONS]
        wager = self.wager(other_words)
        if is_coupon and not any(map(_NOT_ZERO.search, self.sample.cells(name))):
            return False  # None was played.
        has_seats = any(SEAT in column for column in self.bets.get(wager or "", {}).values())
        if wager is not None and not has_seats and amount not in self.bets.get(wager, {}):
            self.bets.setdefault(wager, {})[amount] = name
            if is_coupon:
                self.why[f"wagers.{wager}.coupon"] = "read as a match play coupon: check it"
            return True
        if self.sample.numbers(name):
            self.others.setdefault(" ".join(other_words), {}).setdefault(amount, name)
        return False

    def seats(self) -> None:
        """Find columns with the number of a seat in their names, such as ``Seat 1 Player Bet``."""
        found: dict[str, _OfSeat] = {}
        columns: dict[str, list[str]] = {}
        for parts, names in self.numbered.items():
            words, others = [*map(words_of, parts)], {*chain(*columns.values())}
            of_seats = [(name, one) for name in names
                        if name not in others and (one := self.of_seat(name, *words))]  # fmt: skip
            if of_seats:
                found[column := SEAT.join(parts)] = of_seats[0][1]
                columns[column] = [name for name, _ in of_seats]
        unsure = {one.wager for one in found.values() if not one.is_named}
        for column, (wager, amount, is_named) in found.items():
            if wager and (is_named or len(unsure) > 1 < len(columns[column])):
                self.bets.setdefault(wager, {}).setdefault(amount, column)
        bearing = self.bearing()
        for column, (wager, amount, _) in found.items():
            if not wager and len(bearing) == 1:
                self.bets[bearing[0]].setdefault(amount, column)
        read = {column for amounts in self.bets.values() for column in amounts.values()}
        self.sources = {column: names for column, names in columns.items() if column in read}
        if read:
            self.why["wagers"] = f"{SEAT} is the number of a seat, in the names of its columns"

    def of_seat(self, name: str, before: Sequence[str], after: Sequence[str]) -> _OfSeat | None:
        amount = amount_named([*before, *after])
        rest = [word for word in (*before, *after) if word not in AMOUNT_OF]
        cells = self.cells_in([name])
        if (amount is None and not self.sample.numbers(name)) or not all(map(is_amount, cells)):
            return None
        if before and before[-1] in SEATS:
            others = [one for one in (*before[:-1], *after) if one not in AMOUNT_OF]
            if wager := self.wager(others):
                return _OfSeat(wager, amount or "stake", is_named=amount is not None)
            if amount == "vigorish" and not others:
                return _OfSeat("", amount, is_named=True)
        wager = self.wager(rest)
        return None if wager is None or amount is None else _OfSeat(wager, amount, is_named=False)

    def bearing(self) -> list[str]:
        return [name for name in self.bets if name in WAGERS and WAGERS[name].bears_vigorish]

    def vigorish(self) -> None:
        """Find the column of the vigorish of the only wager that bears it."""
        names = [
            name
            for name in self.sample.names
            if {AMOUNT_OF.get(word) for word in words_of(name) if word not in UNNAMED}
            == {"vigorish"}
        ]
        bearing = self.bearing()
        if len(bearing) == len(names) == 1 and SEAT not in "".join(self.bets[bearing[0]].values()):
            self.bets[bearing[0]].setdefault("vigorish", names[0])

    def named(self, column: str) -> list[str]:
        return self.sources.get(column, [column])

    def cells_of(self, column: str) -> list[str]:
        return self.inside.get(column) or self.cells_in(self.named(column))

    # --- wagers in the cells of a column ---

    def unfold(self) -> None:
        """Find wagers in lists of seats, and in cells such as ``P:100;T:5``."""
        used_names = {name for names in self.columns.values() for name in names}
        of_columns = {*self.bets}
        for name in self.sample.names if "wagers" not in self.columns else ():
            fields = {} if name in used_names else self.fields(name)
            for field, cells in fields.items():
                first_field = field.removesuffix(SECOND)
                words = words_of(first_field.removeprefix(name).replace(SEAT, ""))
                wager = self.wager(word for word in words if word not in AMOUNT_OF)
                amount = amount_named(words) or amount_named(words_of(name))
                amount = "paid" if field != first_field in fields else amount
                if SEAT in field and words_of(name)[-1].rstrip("s") in SEATS:
                    amount = amount or "stake"  # Of another list, it may be a total.
                if amount and wager and wager not in of_columns and all(map(is_amount, cells)):
                    self.bets.setdefault(wager, {}).setdefault(amount, field)
                    self.sources[field], self.inside[field] = [name], cells

    def fields(self, name: str) -> dict[str, list[str]]:
        """Return the cells of each field of a column's lists or texts."""
        values = self.values(name)
        entries = chain.from_iterable(value for value in values if isinstance(value, list))
        keys = [key for entry in entries if isinstance(entry, Mapping) for key in entry
                if plain_name(key).replace(" ", "") in PLAIN_NAMES["seat"].split()]  # fmt: skip
        if keys and keys[0] != "seat":
            self.tables["entries"] = {"seat": keys[0]}
        builder = RecordBuilder(RoundMapping(entries=self.tables.get("entries", {})))
        cells: dict[str, list[str]] = {}
        failures = 0
        for value in values:
            try:
                fields = builder.fields(value)
            except ValueError:
                failures += 1
                continue
            for key, item in fields.items():
                place = f"{name}.{SEAT if isinstance(value, list) else key}"
                for field, cell in flat({place: item}):
                    if cell is not None and cell != "":
                        cells.setdefault(field, []).append(str(cell))
        # Totals and names of columns may be among the rows.
        return cells if failures * 10 <= len(values) else {}

    # --- values ---

    @property
    def dealt_columns(self) -> list[str]:
        return [name for key in ("cards", *SIDES) for name in self.columns.get(key, [])]

    def hands(
        self, reader: CardReader, rows: Iterable[Mapping[str, Any]] | None = None
    ) -> Iterator[tuple[tuple[Shown, ...], ...]]:
        for row in self.sample.rows if rows is None else rows:
            hands: list[tuple[Shown, ...]] = []
            for column in self.columns.get("cards", []):
                with suppress(ValueError):
                    dealt, *other_hands = hands = [*reader.hands(row.get(column))]
                    # Cards in dealing order do not show which hand has a third card.
                    if not other_hands:
                        is_alternating = len(dealt) == _WITHOUT_THIRDS
                        hands = [dealt[::2], dealt[1::2]] if is_alternating else []
            for side in () if "cards" in self.columns else SIDES:
                cells = [row.get(name) for name in self.columns.get(side, [])]
                value: object = cells[0] if len(cells) == 1 else cells
                try:
                    hands.append(reader(value))
                except ValueError:
                    break
            yield tuple(hands) if len(hands) == len(SIDES) else ()

    def read(self, **options: Any) -> int:
        all_hands = self.hands(CardReader(**options))
        return sum(bool(pair) and all(len(hand) in {2, 3} for hand in pair) for pair in all_hands)

    def pairs_of_numbers(self) -> bool:
        """Find cards such as ``13-2``, a rank and a suit."""
        cells = self.cells_in(self.dealt_columns)
        pairs = [pair for cell in cells for pair in PAIR_OF_NUMBERS.findall(cell)]
        rest = {*PAIR_OF_NUMBERS.sub("", " ".join(cells))}
        if len(pairs) < _LEAST_PAIRS or not rest <= {*" ,;|/-[]'"}:
            return False
        most = [max(map(int, numbers)) for numbers in zip(*pairs, strict=True)]
        if min(most) > len(_SUITS) or max(most) != len(_RANKS):
            return False
        suit_first = most[0] < most[1]
        first = min(int(pair[not suit_first]) for pair in pairs)
        suits = {str(number): suit for number, suit in enumerate(_SUITS, start=first)}
        self.tables["cards"] = {"order": "suit-rank"} if suit_first else {}
        self.tables.setdefault("values", {})["suit"] = suits
        self.why["values.suit"] = _ORDER_OF_SUITS
        self.reader = CardReader(suits=suits, suit_first=suit_first)
        return True

    def cards(self) -> None:
        if self.pairs_of_numbers():
            return
        reader = self.reader = CardReader()
        pairs = list(self.hands(reader))
        if reader.counts["beyond"] and not reader.counts["lettered"]:
            self.numbers()
            return
        if self.read(suit_first=True) > self.read():
            self.tables["cards"] = {"order": "suit-rank"}
            self.reader = CardReader(suit_first=True)
            return
        ranks = Counter(card for hands in pairs for hand in hands for card in hand)
        faces = sum(ranks[rank] for rank in (Rank.JACK, Rank.QUEEN, Rank.KING))
        suit_count = sum(count for card, count in ranks.items() if not isinstance(card, Rank))
        if not faces and not suit_count and ranks[Rank.TEN] * 5 > ranks.total():
            self.tables["cards"] = {"tens": "ten-valued"}
            self.why["cards.tens"] = "no jack, queen, or king is recorded, and many tens are"

    def numbers(self) -> None:
        candidates: list[tuple[float, dict[str, str], CardReader]] = []
        cells = " ".join(self.cells_in(self.dealt_columns))
        maximum = max(map(int, re.findall("[0-9]{1,3}", cells)))
        decks = next((decks for decks in (1, 6) if maximum <= len(DECK) * decks), 8)
        for start, ranks, by in product((0, 1), (_RANKS, _RANKS[1:] + "A"), ("suit", "rank")):
            order = [ranks.index(card.rank.value) for card in DECK]
            suit = [card.index // len(Rank) for card in DECK]
            place = [
                13 * s + r if by == "suit" else 4 * r + s for r, s in zip(order, suit, strict=True)
            ]
            deck = [card for _, card in sorted(zip(place, DECK, strict=True), key=lambda x: x[0])]
            reader = CardReader(deck=deck * decks, first_number=start)
            end = len(DECK) * decks - 1 + start
            settings = {"numbers": f"{start}-{end}", "ranks": ranks, "by": by}
            candidates.append((self.agreement(reader), settings, reader))
        candidates.sort(key=lambda candidate: candidate[0], reverse=True)
        (share, settings, reader), (next_share, *_) = candidates[:2]
        if share > max(next_share, _MOST_RIGHT):
            self.tables["cards"] = {**settings, "suits": _SUITS}
            self.reader = reader
            self.why["cards.numbers"] = (
                f"under this order {share:.0%} of the recorded results are right, under no other "
                f"more than {next_share:.0%}"
            )
            self.why["cards.suits"] = _ORDER_OF_SUITS
        else:
            self.orders = tuple({**settings, "suits": _SUITS} for _, settings, _ in candidates)
            self.why["cards"] = (
                "the cards are numbers, and their order cannot be seen: name it as numbers, suits, "
                "ranks, and by"
            )

    def agreement(self, reader: CardReader) -> float:
        winner_of = winner_reader({})
        outcomes: list[bool] = []
        codes: dict[str, Counter[str]] = {}
        """Winners by code: one code has one winner under the right order of cards."""
        for row, hands in zip(self.sample.rows, self.hands(reader), strict=True):
            if not any(hands):  # A line of a report may have no card.
                outcomes += [] if hands else ["cards" in self.columns]
                continue
            counts = [*map(shown_count, hands)]
            for side, count in zip(SIDES, counts, strict=True):
                totals = [str(row.get(name, "")) for name in self.columns.get(f"{side}_total", [])]
                outcomes += [whole(text) == str(count) for text in totals if text]
            for name in self.columns.get("winner", [])[:1]:
                try:
                    winner = winner_of(row.get(name))
                except ValueError:
                    codes.setdefault(str(row[name]), Counter())[_winner(counts)] += 1
                else:
                    outcomes += [winner == _winner(counts)] if winner is not None else []
        for meanings in codes.values() if len(codes) <= _MOST_WINNERS else ():
            top = max(meanings.values())
            outcomes += [True] * top + [False] * (meanings.total() - top)
        return sum(outcomes) / len(outcomes) if outcomes else 0.0

    def winner(self) -> None:
        if "winner" not in self.columns:
            return
        (name,) = self.columns["winner"][:1]
        winner_of = winner_reader({})
        tallies: dict[str, Counter[str]] = {}
        hands = self.hands(self.reader)
        for row, row_hands in zip(self.sample.rows, hands, strict=True):
            text = str(row.get(name, "")).strip()
            if not text or not any(row_hands):
                continue
            try:
                winner_of(text := plain(row[name]))
            except ValueError:
                winner = _winner([*map(shown_count, row_hands)])
                tallies.setdefault(text, Counter())[winner] += 1
        meanings = {word: tally.most_common(1)[0][0] for word, tally in tallies.items()}
        if meanings and len(meanings) <= _MOST_WINNERS:
            self.tables.setdefault("values", {})["winner"] = meanings
            self.why["values.winner"] = "by the cards of the first rounds"

    def voids(self) -> None:
        """Find the columns of void and simulated rounds, or of rows that others replaced."""
        found: dict[str, dict[str, str]] = {}
        for name in () if "marks" in self.columns else self.sample.names:
            states = {*self.sample.cells(name)}
            # A void round, or a correction, is rare: none may be among the first.
            text = plain_name(name)
            is_named = any(pattern.fullmatch(text) for pattern in _STATES.values())
            is_named = is_named or not STATE_WORDS.isdisjoint(text.split())
            if is_named and len(states) <= _MOST_STATES:
                states = self.sample.states(name)
            meanings = dict.fromkeys(sorted(states), NO_MARK)
            for mark, pattern in _STATES.items():
                test = _YES if pattern.fullmatch(text) else pattern
                meanings |= dict.fromkeys(filter(test.fullmatch, meanings), mark)
            marked_states = {state for state, mark in meanings.items() if mark != NO_MARK}
            if not marked_states or len(states) > _MOST_STATES:
                continue
            if self.columns.get("wager") and not numbering(self.columns["wager"][0]):
                if not is_named or not self.are_replaced(name, marked_states):
                    continue  # It may be the wager that is void.
                meanings |= dict.fromkeys(marked_states, "replaced")
            found[name] = meanings
        # Words of several columns are read together, which none may leave blank.
        names = [name for name in found if all(row.get(name) for row in self.sample.rows)]
        if names := names if len(names) > 1 else [*found][:1]:
            self.columns["marks"] = names
            self.tables["columns"]["marks"] = names if len(names) > 1 else names[0]
            self.tables.setdefault("values", {})["mark"] = {
                " ".join(words): min(marks, key=[*_STATES, NO_MARK].index)
                for items in product(*(found[name].items() for name in names))
                for words, marks in [zip(*items, strict=True)]
            }

    def are_replaced(self, name: str, states: set[str]) -> bool:
        """Whether each row of these states has another of its round."""
        of_round = [*self.columns.get("shoe", ()), *self.columns.get("round", ())]
        valid_rounds, replaced_rounds = (
            {tuple(str(row.get(column)) for column in of_round) for row in self.sample.every()
             if (str(row.get(name)).strip() in states) == is_replaced}
            for is_replaced in (False, True)
        )  # fmt: skip
        return bool(of_round) and replaced_rounds <= valid_rounds

    def money(self) -> None:
        amounts = [(amount, name) for bet in self.bets.values() for amount, name in bet.items()]
        amounts += [(key, names[0]) for key, names in self.columns.items() if key in AMOUNT_WORDS]
        cells = [cell for _, name in amounts for cell in self.cells_of(name)]
        for key in AMOUNT_WORDS.keys() & self.entries.keys():
            amounts.append((key, self.entries[key]))
            of_key = (item.get(self.entries[key]) for item in self.listed)
            cells += [str(amount) for amount in of_key if amount is not None]
        money: dict[str, str] = {}
        # A workbook or a data frame may write a whole number of cents as 2500.0.
        self.has_decimals = any(re.search(r"[.,][0-9]{2}(?![0-9])", cell) for cell in cells)
        if any(re.search(r"[0-9],[0-9]{1,2}(?![0-9])", cell) for cell in cells):
            money["decimal"] = ","
        whole_amounts = [int(cell) for cell in cells if re.fullmatch(r"[+-]?[0-9]{1,12}", cell)]
        stakes = [abs(cents) for cents in whole_amounts if cents]
        are_large = len(whole_amounts) == len(cells) and min(stakes, default=0) >= _DOLLAR
        units = {unit_named(name) for _, name in amounts}
        if len(units) > 1:
            self.why["money.unit"] = "the amounts are in different units, which are not read"
            self.bets.clear()
        elif units - {""}:
            (money["unit"],) = units
            self.why["money.unit"] = "by the names of the amounts"
        elif are_large and any(stake % _DOLLAR for stake in stakes):
            money["unit"] = "cents"
            self.why["money.unit"] = "every amount is a whole number of 100 or more: check it"
        if any(amount == "paid" and "return" in plain_name(name) for amount, name in amounts):
            money["paid"] = "returned"
            self.why["money.paid"] = "by its name it holds the stake that came back: check it"
        self.tables["money"] = money
        for wager, by_amount in list(self.bets.items()):
            if "stake" not in by_amount:
                self.why[f"wagers.{wager}"] = "no column has its stake: write the amount as stake"
                del self.bets[wager]


def _label(row: Mapping[str, Any], names: Iterable[str]) -> str:
    """Return what a line of totals or the like begins with, or the word alone in another cell."""
    if _TOTALS.match(start := _start(row)):
        return start
    return next(filter(_TOTAL.fullmatch, (str(row.get(name, "")).strip() for name in names)), "")


def _start(row: Mapping[str, Any]) -> str:
    texts = (str(value).strip() for value in row.values() if value is not None)
    return next(filter(None, texts), "")


def _is_listed(value: object) -> bool:
    return isinstance(value, list) and any(isinstance(item, Mapping) for item in value)


def _winner(counts: Sequence[int]) -> str:
    sides: Mapping[int, str] = dict(enumerate(SIDES))
    return TIED if counts[0] == counts[1] else sides[int(counts[1] > counts[0])]
