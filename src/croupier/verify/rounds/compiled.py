"""Verification of rows by compiled loops, and of the rest by a verifier."""

from __future__ import annotations

import os
from collections import deque
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from itertools import product
from typing import Any, Final, NamedTuple

import numpy as np

from croupier.baccarat.cards import DECK, DECK_SIZE
from croupier.baccarat.coup import CARD_VALUE, NO_THIRD_CARD, Facts, first_two
from croupier.files.errors import TornError
from croupier.odds.arrays import Integers
from croupier.records.rounds.fields import RecordBuilder, Target
from croupier.records.rounds.mapping import AMOUNTS
from croupier.records.rounds.reading import PieceRounds, PlainLines
from croupier.records.rounds.record import Unreadable
from croupier.records.rounds.tables import RowBatch
from croupier.rules import Decision, Offer, Outcome, TableRules
from croupier.verify.rounds import part_kernel, shoe_kernel
from croupier.verify.rounds import row_kernel as kernel
from croupier.verify.rounds.cached import CachedVerifier, PartVerifier, are_settled_alone, has_parts
from croupier.verify.rounds.shoe import ShoeState

_NO_EDGE: Final = 1 << 40
_NAMED_AND_NUMBERED: Final = 3
_NO_LIMIT: Final = 1 << 50
THREADS = os.cpu_count() or 1

_AHEAD: Final = 2
"""Maximum number of pieces that each thread reads ahead."""

_KINDS: Final = {
    "shoe": kernel.SHOE, "round": kernel.ROUND, "player": kernel.PLAYER, "banker": kernel.BANKER,
    "winner": kernel.WINNER, "player_total": kernel.PLAYER_TOTAL,
    "banker_total": kernel.BANKER_TOTAL, "seat": kernel.SEAT, "wager": kernel.WAGER,
    "stake": kernel.STAKE, "net": kernel.NET, "paid": kernel.PAID, "vigorish": kernel.VIGORISH,
}  # fmt: skip
_PAID_AS: Final = {
    None: (kernel.EITHER, kernel.RETURNED),
    True: (kernel.DEDUCTED, kernel.RETURNED_LESS),
    False: (kernel.WHOLE, kernel.RETURNED),
}
_BLANKS: Final = {"burned", "marks", "coupon", "added"}
_WORDS: Final = tuple(
    word
    for name in ("player", "banker", "tie")
    for one in (name, name[0])
    for word in (one, one.upper(), one.capitalize())
)
_WHO: Final = ("tie", "player", "banker")

FACTS: Final = tuple(
    Facts(cell // 160, cell // 16 % 10, 2 + (cell >> 3 & 1), 2 + (cell >> 2 & 1),
          bool(cell & 2), bool(cell & 1))
    for cell in range(kernel.CELLS)
)  # fmt: skip


def takes(source: PieceRounds, rules: TableRules) -> bool:
    mapping, targets = source.builder.mapping, [field for field in source.header.targets if field]
    names = {target.name for target in targets}
    wagers = _wagers_of(source, rules)
    is_plain = not (
        mapping.values.get("rank") or mapping.values.get("suit") or mapping.suit_first
        or mapping.deck or mapping.decimal_comma or mapping.tens_alike or mapping.skip
        or mapping.is_round_in_shoe
    )  # fmt: skip
    return (
        is_plain
        and are_settled_alone(wagers, rules)
        and not rules.applies("settlement.rounds_to")
        and not (rules.not_together(wagers) and (has_parts(source) or _seats_of(source) > 1))
        and not (
            mapping.vigorish_deducted is False
            and (names.isdisjoint({"net", "vigorish"}) if mapping.paid_returned else "net" in names)
        )
        and len(source.delimiter.encode()) == 1
        and names <= _KINDS.keys() | _BLANKS
        and {"player", "banker"} <= names
        and ("round" in names or not has_parts(source))
        and len({*targets}) == len(targets)
        and not any(target.place for target in targets if target.name not in AMOUNTS)
        and len(wagers) * _seats_of(source) <= kernel.MOST_WAGERS
        and not any(map(source.builder.has_stake, wagers))
    )


def loops_of(source: PieceRounds) -> tuple[Callable[..., Any], ...]:
    return part_kernel.read_parts if has_parts(source) else kernel.read_rows, shoe_kernel.follow


def _wagers_of(source: PieceRounds, rules: TableRules) -> list[str]:
    targets = [target for target in source.header.targets if target is not None]
    wagers = [target.of for target in targets if target.of]
    if Target("wager") in targets:
        wagers += [name for name, offer in rules.offers.items() if offer.wager.at_chair is None]
    return list(dict.fromkeys(wagers))


def _seats_of(source: PieceRounds) -> int:
    return 1 + max((one.place for one in source.header.targets if one and one.of), default=0)


def tables_of(source: PieceRounds, rules: TableRules) -> kernel.Tables:
    targets, mapping = source.header.targets, source.builder.mapping
    wagers = _wagers_of(source, rules)
    kinds = [
        kernel.UNREAD if one is None else _KINDS.get(one.name, kernel.BLANK) for one in targets
    ]
    seats, count = _seats_of(source), len(wagers)
    # The amounts of a wager named in a row come after those of all wagers.
    numbers = [
        0 if one is None else one.place * count + wagers.index(one.of) if one.of else count
        for one in targets
    ]
    cards = np.full(1 << 16, kernel.NO_CARD, np.uint8)
    for card in DECK:
        rank, suit = card.notation.encode()
        cards[rank | suit << 8] = card.index
    asks_royals = any("royals" in offer.wager.asks for offer in rules.offers.values())
    starts = np.zeros(DECK_SIZE * DECK_SIZE, np.uint8)
    for code in range(DECK_SIZE):
        for code_after in range(DECK_SIZE):
            pair, royal = first_two(code, code_after)
            starts[code * DECK_SIZE + code_after] = pair + 2 * (asks_royals and royal != "")
    takes_card, draws = _draws(rules)
    words = _words(source.builder)
    names = _names(source, wagers) if Target("wager") in targets else {}
    lines, terms = _lines(rules, wagers)
    return kernel.Tables(
        ord(source.delimiter),
        source.builder.mapping.unit_cents,
        _PAID_AS[mapping.vigorish_deducted][mapping.paid_returned],
        np.array(kinds, np.int64),
        np.array(numbers, np.int64),
        cards,
        np.array([CARD_VALUE[code] for code in range(DECK_SIZE)], np.int64),
        starts,
        takes_card,
        draws,
        np.array([int.from_bytes(word.encode(), "little") for word in words], np.uint64),
        np.array(list(words.values()), np.int64),
        np.tile(lines, seats),
        terms,
        _stakes(rules, wagers, seats),
        np.frombuffer(b"".join(name.ljust(24, b"\0") for name in names), np.uint64),
        np.array(list(names.values()), np.int64),
    )


def _draws(rules: TableRules) -> tuple[kernel.Bytes, kernel.Bytes]:
    tableau, counts = rules.tableau, range(10)
    takes_card = [tableau.player_draws_third(count, other) for count in counts for other in counts]
    draws = [
        tableau.banker_draws_third(count, count_after, third)
        for count in counts
        for count_after in counts
        for third in (*range(10), NO_THIRD_CARD)
    ]
    return np.array(takes_card, np.uint8), np.array(draws, np.uint8)


def _words(builder: RecordBuilder) -> dict[str, int]:
    mapped_words = [word for word in builder.mapping.values.get("winner", {}) if word.isascii()]
    words = {}
    for word in (*_WORDS, *mapped_words):
        winner = builder.winner(word)
        if winner is not None and len(word) <= 8:
            words[word] = _WHO.index(winner)
    return words


def _names(source: PieceRounds, wagers: list[str]) -> dict[bytes, int]:
    texts = [*source.builder.mapping.values.get("wager", {})]
    for wager in wagers:
        words = wager.split("_")
        for text in ("_".join(words), " ".join(words), "-".join(words), "".join(words)):
            texts += [text, text.upper(), text.capitalize(), text.title()]
    names = {}
    for name in texts:
        wager = source.builder.wager(name)
        if wager in wagers and name.isascii() and 0 < len(name) <= 24:
            names[name.encode()] = wagers.index(wager)
    return names


class _Term(NamedTuple):
    pays: int
    on: int
    award: int
    lost: bool
    rate: int
    of: int
    unit: int
    of_stake: bool


def _lines(rules: TableRules, wagers: list[str]) -> tuple[kernel.Places, Integers]:
    lines = np.full((max(1, len(wagers)), kernel.CELLS), -1, np.int32)
    terms: dict[_Term, int] = {}
    for place, wager in enumerate(wagers):
        offer = rules.offers.get(wager)
        if offer is None:
            continue
        step = 1 if "pairs" in offer.wager.asks else 4
        for cell in range(0, kernel.CELLS, step):
            term = _term(rules, offer, offer.decide(FACTS[cell]))
            if term is not None:
                lines[place, cell : cell + step] = terms.setdefault(term, len(terms))
    rows = [list(map(int, term)) for term in terms] or [[0] * len(_Term._fields)]
    return lines.ravel(), np.array(rows, np.int64)


def _term(rules: TableRules, offer: Offer, decision: Decision) -> _Term | None:
    multiple, on, award = 0, 1, 0
    if decision.odds is not None:
        multiple, on = decision.odds.pays, decision.odds.stake
    if decision.award is not None:
        if decision.award.meter is not None:
            return None
        multiple, on, award = 0, 1, decision.award.cents
    rate, unit, of_stake = None, 0, False
    if offer.wager.bears_vigorish:
        if decision.outcome is Outcome.WIN:
            rate, unit = rules.vigorish.win_rate, rules.vigorish.rounding_unit_cents or 0
        elif decision.outcome is Outcome.PUSH:
            rate, of_stake = rules.vigorish.tie_rate, True
    is_lost = decision.outcome is Outcome.LOSE or decision.keeps_stake
    vigorish, base = (0, 1) if rate is None else (rate.numerator, rate.denominator)
    return _Term(multiple, on, award, is_lost, vigorish, base, unit, of_stake)


def _stakes(rules: TableRules, wagers: list[str], seats: int) -> Integers:
    rows = []
    for place, wager in product(range(seats), wagers):
        offer = rules.offers.get(wager)
        if offer is None:
            rows.append([0, -1, 1])
            continue
        low, high = 1, _NO_LIMIT
        if offer.limit is not None:
            low, high = offer.limit.min_cents, offer.limit.max_cents
        masks = [
            sum(
                1 << place * len(wagers) + wagers.index(bet) for bet in base.one_of if bet in wagers
            )
            or 1 << 62
            for base in offer.needs
        ]
        rows.append([max(low, offer.floor_cents), min(high, _NO_LIMIT), offer.unit_cents, *masks])
    width = max(map(len, rows), default=3)
    table = np.zeros((len(rows), width), np.int64)
    for index, row in enumerate(rows):
        table[index, : len(row)] = row
    return table


class _Read(NamedTuple):
    piece: PlainLines
    data: kernel.Bytes
    found: kernel.Found
    rows: int

    def line(self, row: int) -> int:
        return self.piece.first + (int(self.found.lines[row]) if len(self.found.lines) else row)


class CompiledVerifier:
    def __init__(self, judge: CachedVerifier, source: PieceRounds) -> None:
        verifier = judge.verifier
        self._judge: Final = judge
        self._source: Final = source
        self._tables: Final = tables_of(source, verifier.rules)
        self._columns: Final = (judge.columns.shoe is not None) + 2 * (
            judge.columns.round is not None
        )
        terms = verifier.terms
        self._terms: Final = np.array(
            [
                terms.bounded, terms.cards, terms.decks, terms.edge, 1 + terms.hands_after,
                terms.burned[0] if terms.bounded else 0,
                self._columns == _NAMED_AND_NUMBERED and not terms.each_round, terms.edge,
            ],
            np.int64,
        )  # fmt: skip
        self._parts: Final = judge if isinstance(judge, PartVerifier) else None
        self._room: Final = shoe_kernel.shoes_in()
        self._tally: Final = np.zeros(kernel.CELLS, np.int64)
        self._wagers = 0

    def run(self) -> None:
        judge = self._judge
        try:
            for part in self._read_ahead():
                if isinstance(part, RowBatch):
                    judge.batch(part.rows, part.first)
                else:
                    self._shoes(part)
        except TornError as error:
            judge.take(Unreadable(self._source.line + 1, str(error)))
        census = judge.verifier.census
        for cell in np.flatnonzero(self._tally).tolist():
            census[FACTS[cell]] = census.get(FACTS[cell], 0) + int(self._tally[cell])
        for code in np.flatnonzero(self._room.seen[:DECK_SIZE]).tolist():
            # The reader takes notes on the cards of a file, but did not see these.
            self._source.builder.cards(DECK[code].notation)
        judge.finish()

    def _read_ahead(self) -> Iterator[RowBatch | _Read]:
        queue: deque[RowBatch | Future[_Read]] = deque()
        torn_error: TornError | None = None
        pieces = self._source.pieces()
        with ThreadPoolExecutor(THREADS) as executor:
            while True:
                while torn_error is None and len(queue) < _AHEAD * THREADS:
                    try:
                        part = next(pieces, None)
                    except TornError as error:
                        torn_error = error
                        break
                    if part is None:
                        break
                    queue.append(
                        part if isinstance(part, RowBatch) else executor.submit(self._read, part)
                    )
                if not queue:
                    break
                head = queue.popleft()
                yield head if isinstance(head, RowBatch) else head.result()
        if torn_error is not None:
            raise torn_error

    def _read(self, piece: PlainLines) -> _Read:
        size = len(piece.data)
        data = np.zeros(size + kernel.PADDING, np.uint8)
        data[:size] = np.frombuffer(piece.data, np.uint8)
        amounts = np.empty(4 * len(self._tables.stakes) + 4, np.int64)
        found = kernel.found_in(piece.lines, parts=self._parts is not None)
        if self._parts is None:
            return _Read(piece, data, found, kernel.read_rows(data, self._tables, found, amounts))
        seats = np.empty(2 * part_kernel.MOST_SEATS, np.int64)
        rows = part_kernel.read_parts(data, self._tables, found, amounts, seats)
        return _Read(piece, data, found, rows)

    def _shoes(self, read: _Read) -> None:
        judge, row = self._judge, 0
        self._show_new_wagers(read)
        while row < read.rows:
            if read.found.right[row] and self._goes_on(read, row):
                read.found.right[row] = 0
            if not read.found.right[row]:
                index = int(np.argmax(read.found.right[row : read.rows] != 0))
                end = row + index if index else read.rows
                judge.batch(self._cells(read, row, end), read.line(row))
                row = end
                continue
            state = judge.state
            end = row
            if state is not None and judge.runs_on(state):
                end = self._follow(state, read, row)
            if end == row:
                rows = self._cells(read, row, row + 1)
                if judge.state_of(rows[0]) is state:
                    for line, cells in enumerate(rows, start=read.line(row)):
                        judge.at_length(cells, line)
                    row += 1
            row = max(row, end)
        self._source.line = read.line(read.rows) - 1

    def _goes_on(self, read: _Read, row: int) -> bool:
        if self._parts is None or not self._parts.waits:
            return False
        start, end = read.found.names[2 * row : 2 * row + 2].tolist()
        shoe = read.piece.data[start:end].decode("ascii")
        return self._parts.goes_on(shoe, int(read.found.numbers[row]))

    def _show_new_wagers(self, read: _Read) -> None:
        stakes = np.where(read.found.right[: read.rows], read.found.staked[: read.rows], 0)
        while new_wagers := int(np.bitwise_or.reduce(stakes)) & ~self._wagers:
            row = int(np.argmax(stakes & new_wagers != 0))
            self._wagers |= int(stakes[row])
            read.found.right[row] = 0

    def _cells(self, read: _Read, row: int, end: int) -> list[list[str]]:
        start, end_offset = int(read.found.starts[row]), int(read.found.starts[end])
        return read.piece.rows(start, end_offset, self._source.delimiter)

    def _follow(self, state: ShoeState, read: _Read, row: int) -> int:
        if any(state.counts[DECK_SIZE:]):
            return row  # Cards were given by rank: the judge holds these together.
        shoes, arrays = self._room, read.found
        shoes.counts[0] = state.counts[:DECK_SIZE]
        shoes.states[0] = state.last or 0, state.drawn, state.over
        self._terms[3] = state.terms.edge if state.is_named else _NO_EDGE
        name = np.frombuffer(self._judge.shoe.encode("utf-8", "surrogatepass"), np.uint8)
        count = shoe_kernel.follow(
            read.data, arrays, row, read.rows, name, self._columns, self._terms, shoes
        )[1]
        ends, states = shoes.ends[: count + 1].tolist(), shoes.states[: count + 1].tolist()
        counts, start = shoes.counts[: count + 1].tolist(), row
        for shoe, end in enumerate(ends):
            if shoe:
                name_at, name_end = arrays.names[2 * start : 2 * start + 2].tolist()
                read_name = read.piece.data[name_at:name_end].decode("ascii")
                if self._judge.verifier.knows(read_name):
                    break
                state = self._judge.begin(read_name, int(arrays.numbers[start]))
            if end > start:
                self._pass(state, read, (start, end), (states[shoe], counts[shoe]))
            start = end
        self._tally[:] += np.bincount(arrays.facts[row:start], minlength=kernel.CELLS)
        return start

    def _pass(
        self,
        state: ShoeState,
        read: _Read,
        rows: tuple[int, int],
        shoe_state: tuple[list[int], list[int]],
    ) -> None:
        (start, end), ((_, count, excess), counts) = rows, shoe_state
        if self._judge.known is not None:
            facts = [FACTS[cell] for cell in read.found.facts[start:end].tolist()]
            self._judge.known(state.name, (state.last or 0) + 1, facts)
        state.counts[:DECK_SIZE] = counts
        state.drawn, state.over = count, excess
        self._judge.passed(state, end - start, read.line(end - 1))
