"""Fast verification of CSV rows by remembering verified cells."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping, Sequence
from operator import contains, itemgetter
from typing import Any, Final

from croupier.baccarat.cards import DECK_SIZE, Rank
from croupier.baccarat.coup import Facts, Hand
from croupier.files.errors import TornError
from croupier.records.rounds.fields import Target
from croupier.records.rounds.mapping import RESULTS
from croupier.records.rounds.reading import TableRounds
from croupier.records.rounds.record import RoundRecord, Unreadable
from croupier.records.rounds.tables import row_record
from croupier.rules import TableRules
from croupier.verify.rounds.cards import HandShown, Ruled, hand_shown
from croupier.verify.rounds.findings import VerifiedRound
from croupier.verify.rounds.merging import Merger
from croupier.verify.rounds.round import RoundFindings
from croupier.verify.rounds.shoe import ShoeState, code_of
from croupier.verify.rounds.verifier import RecordVerifier

_MOST_HANDS: Final = 300_000
"""Maximum number of remembered hands: twice those of two and three suited cards."""

_MOST_WAGERS: Final = 100_000
_MOST_CLASSES: Final = 1 << 14
_MOST_AT_ONCE: Final = 256
_READ: Final = {"shoe", "round", "player", "banker", "winner", "player_total", "banker_total"}
_BLANK: Final = {"burned", "marks"}
"""Columns that require full verification unless the cell is blank."""

_LONG_NAME: Final = 32
_NO_HAND: Final = (_MOST_CLASSES - 1, b"")

Cells = Callable[[Sequence[str]], Any]
Pair = tuple[str, ...]
"""The stake of a wager and its results, as written."""

_SEVERAL: Final = frozenset({"shoe", "player", "banker"})
RoundListener = Callable[[VerifiedRound], object]
Known = Callable[[str, int, Sequence[Facts]], object]


def has_parts(source: TableRounds) -> bool:
    return any(Target(name) in source.header.targets for name in ("seat", "wager"))


def are_settled_alone(wagers: Collection[str], rules: TableRules) -> bool:
    """Whether these depend on no seat and no other wager, and nothing on offer on cards."""
    known_wagers = [rules.offers[wager].wager for wager in wagers if wager in rules.offers]
    return not (
        any("cards" in offer.wager.asks for offer in rules.offers.values())
        or rules.applies("limits.of_all_patrons")
        or (rules.vigorish.waived and any(wager.bears_vigorish for wager in known_wagers))
        or any(wager.at_chair is not None for wager in known_wagers)
    )


class _Verdict:
    __slots__ = ("count", "facts", "results", "ruled", "wagers")

    def __init__(self, facts: Facts, ruled: Ruled, wagers: tuple[set[Pair], ...]) -> None:
        self.facts = facts
        self.ruled = ruled
        self.count = 0
        self.results: set[Any] = set()
        self.wagers = wagers


class CachedVerifier:
    """Verifies CSV rows, with a ``RecordVerifier`` for rows not known to be correct."""

    def __init__(
        self, verifier: RecordVerifier, source: TableRounds, listener: RoundListener | None = None,
        known: Known | None = None, *, remembers: bool = True,
    ) -> None:  # fmt: skip
        self._remembers = remembers
        self._merger = Merger()
        self.verifier = verifier
        self.source = source
        self.listener = listener
        self.known = known
        self.columns = _Columns(source, verifier.rules)
        offers = verifier.rules.offers.values()
        self._asked = {question for offer in offers for question in offer.wager.asks}
        self._hands: dict[str | tuple[str, ...], tuple[int, bytes]] = {}
        self._classes: dict[HandShown, int] = {}
        self._verdicts: dict[int, _Verdict] = {}
        self._lines: dict[tuple[str, str], set[Pair]] = {}
        self._based: set[Any] = set()
        self._differs: tuple[_Verdict, bytes] | None = None
        """What is known of the cards of a row that differs in its result or its wagers alone."""
        self.state: ShoeState | None = None
        self.shoe = ""

    @staticmethod
    def takes(source: TableRounds, rules: TableRules) -> bool:
        """Whether all columns can be cached by cell."""
        mapping = source.builder.mapping
        if mapping.skip or mapping.is_round_in_shoe or source.is_one_of_several:
            return False
        targets = [target for target in source.header.targets if target is not None]
        amounts = {target for target in targets if target.name in {"stake", *RESULTS}}
        if {target.name for target in targets if target not in amounts} - _READ - _BLANK:
            return False
        if any(target.place for target in targets if target.name not in _SEVERAL):
            return False
        wagers = {amount.of for amount in amounts}
        if wagers != {amount.of for amount in amounts if amount.name == "stake"}:
            return False
        return are_settled_alone(wagers, rules)

    def run(self) -> None:
        try:
            for batch in self.source.batches():
                self.batch(batch.rows, batch.first)
        except TornError as error:
            self.take(Unreadable(self.source.line + 1, str(error)))
        self.finish()

    def finish(self) -> None:
        for item in self._merger.rest():
            self._judge(item)
        for verdict in self._verdicts.values():
            if verdict.count:
                census = self.verifier.census
                census[verdict.facts] = census.get(verdict.facts, 0) + verdict.count
        self.verifier.finish()

    def batch(self, rows: list[list[str]], first: int) -> None:
        place = 0
        while place < len(rows):
            if not rows[place]:
                place += 1
                continue
            state = self.state_of(rows[place])
            start = place
            if state is not None and self.runs_on(state):
                place = self._known(state, rows, place, first)
                if self._differs is not None and self._judged_in_part(
                    state, rows[place], first + place, *self._differs
                ):
                    place += 1
            if place == start:
                self.at_length(rows[place], first + place)
                place += 1
        self.source.line = first + len(rows) - 1

    def runs_on(self, state: ShoeState) -> bool:
        """Whether a row without errors continues a shoe.

        An object may name a shoe, a round, or a seat although the others do not.
        """
        return (
            state.quiet
            and not self.waits
            and (self.columns.shoe is not None or not state.name)
            and (self.columns.round is not None or state.last == self.source.number)
        )

    def state_of(self, row: list[str]) -> ShoeState | None:
        shoe_at, round_at = self.columns.shoe, self.columns.round
        if shoe_at is None or round_at is None or len(row) != self.columns.width or self.waits:
            return self.state
        name = shoe_at(row)
        if name == self.shoe and self.state is not None:
            return self.state
        blanks = self.columns.blanks
        is_plain = name.isalnum() and len(name) < _LONG_NAME and row[round_at] in {"0", "1"}
        if not is_plain or self.verifier.knows(name) or (blanks is not None and any(blanks(row))):
            return self.state
        # An unreadable row does not begin a shoe.
        record = row_record(self.source.builder, self.source.header, row, 0, 0)
        return (
            self.begin(name, int(row[round_at])) if isinstance(record, RoundRecord) else self.state
        )

    def begin(self, name: str, number: int) -> ShoeState:
        self.state = state = self.verifier.shoe_of(name, number)
        state.begin(number)
        self.shoe = name
        return state

    def _known(self, state: ShoeState, rows: list[list[str]], at: int, first: int) -> int:  # noqa: C901, PLR0912  (each cell has its turn)
        columns, shoe_at, round_at = self.columns, self.columns.shoe, self.columns.round
        width, player_of, banker_of = columns.width, columns.player, columns.banker
        result, blanks, base = columns.result, columns.blanks, columns.base
        amounts = columns.amounts
        hands, verdicts, bases = self._hands, self._verdicts, self._based
        name, round_number, edge = self.shoe, state.last or 0, state.terms.edge - state.drawn
        hands_over, limit = state.over, 1 + state.terms.hands_after
        cards = bytearray()
        passed_verdicts: list[_Verdict] = []
        self._differs = None
        for row in rows[at : at + _MOST_AT_ONCE]:
            if len(row) != width or (shoe_at is not None and shoe_at(row) != name):
                break
            if round_at is not None and row[round_at] != str(round_number + 1):
                break
            player = hands.get(cells := player_of(row)) or self._hand(cells)
            banker = hands.get(cells := banker_of(row)) or self._hand(cells)
            verdict = verdicts.get(player[0] * _MOST_CLASSES + banker[0])
            if verdict is None:
                break
            if blanks is not None and any(blanks(row)):
                break
            if base is not None and base(row) not in bases:
                break
            if result(row) not in verdict.results or not all(
                map(contains, verdict.wagers, zip(*(cells(row) for cells in amounts), strict=True))
            ):
                self._differs = verdict, player[1] + banker[1]
                break
            cards += player[1]
            cards += banker[1]
            if len(cards) > edge and state.terms.bounded and state.is_named:
                if hands_over >= limit:
                    del cards[-verdict.facts.cards :]
                    break
                hands_over += 1
            round_number += 1
            passed_verdicts.append(verdict)
        if not passed_verdicts:
            return at
        if state.terms.bounded and not self._fits(state, cards):
            self._differs = None
            for number, row in enumerate(rows[at : at + len(passed_verdicts)], start=first + at):
                self.at_length(row, number)
        else:
            state.over = hands_over
            if self.known is not None:
                passed_rows = rows[at : at + len(passed_verdicts)]
                facts = list(map(self._facts_of, passed_rows, passed_verdicts))
                self.known(state.name, (state.last or 0) + 1, facts)
            self._pass(state, first + at, passed_verdicts, cards)
        return at + len(passed_verdicts)

    def _judged_in_part(
        self, state: ShoeState, row: list[str], line: int, verdict: _Verdict, cards: bytes
    ) -> bool:
        """Verify the result of a row, and the wagers not known to be correct, if that is enough."""
        builder, header, number = self.source.builder, self.source.header, self.source.number + 1
        if self.listener is not None or self.known is not None or not self._fits(state, cards):
            return False
        if state.drawn + len(cards) > state.terms.edge and state.is_named:
            return False
        record = row_record(builder, header, row, line, number)
        if not isinstance(record, RoundRecord) or record.marks:
            return False
        pairs = zip(*(amount(row) for amount in self.columns.amounts), strict=True)
        known_pairs = zip(self.columns.names, verdict.wagers, pairs, strict=True)
        names = {name for name, known, pair in known_pairs if pair not in known}
        rounds = self.verifier.rounds
        found = rounds.verify_part(record, verdict.ruled, verdict.facts, names)
        if found.unverified:
            return False
        for finding in found.findings:
            divergence = finding.at(line, record.source, record.round)
            self.verifier.verification.add(divergence)
        if not found.findings:
            self._learn(row, record, found)
        state.line = state.line if state.rounds else line
        self._pass(state, line, [verdict], bytearray(cards))
        return True

    def _facts_of(self, row: list[str], verdict: _Verdict) -> Facts:
        # The verdict may not depend on pairs: they are computed per row.
        pairs = [
            len({code % len(Rank) for code in self._hand(cells(row))[1][:2]}) == 1
            for cells in (self.columns.player, self.columns.banker)
        ]
        return verdict.facts._replace(player_pair=pairs[0], banker_pair=pairs[1])

    def _pass(self, state: ShoeState, first: int, passed: list[_Verdict], cards: bytearray) -> None:
        for verdict in passed:
            verdict.count += 1
        if state.terms.bounded:
            state.drawn += len(cards)
            counts = state.counts
            for code, number in Counter(cards).items():
                counts[code] += number
        self.passed(state, len(passed), first + len(passed) - 1)

    def passed(self, state: ShoeState, number: int, line: int) -> None:
        state.rounds += number
        state.run_on(number)
        state.place = (line, str(state.last))
        self.verifier.passed(state, number)
        self.source.passed(number)

    @staticmethod
    def _fits(state: ShoeState, cards: bytes | bytearray) -> bool:
        if state.drawn + len(cards) > state.terms.cards:
            return False
        counts, decks = state.counts, state.terms.decks
        extra = Counter(cards)
        if any(counts[code] + number > decks for code, number in extra.items() if code < DECK_SIZE):
            return False
        if not any(counts[DECK_SIZE:]) and max(extra) < DECK_SIZE:
            return True
        return all(
            sum(counts[code] + extra[code] for code in range(rank, DECK_SIZE + 13, 13)) <= 4 * decks
            for rank in range(13)
        )

    def at_length(self, row: list[str], line: int) -> None:
        """Verify a row in full, and remember its correct parts."""
        record = self.read(row, line)
        if self.state is None or self.waits or not isinstance(record, RoundRecord):
            return
        if self.columns.shoe is not None:
            self.shoe = self.columns.shoe(row)
        findings = self.verifier.found
        if (
            findings is None
            or not self._remembers
            or findings.findings
            or findings.unverified
            or record.marks
        ):
            return
        self._learn(row, record, findings)

    def read(self, row: list[str], line: int) -> RoundRecord | Unreadable | None:
        """Verify a row in full, once its round is complete."""
        self.source.line = line
        record = self.source.record(row, line)
        if record is not None:
            self.take(record)
        return record

    def take(self, item: RoundRecord | Unreadable) -> None:
        for merged in self._merger.with_item(item):
            self._judge(merged)

    @property
    def waits(self) -> bool:
        return self._merger.waits_for is not None

    def _judge(self, item: RoundRecord | Unreadable) -> None:
        verified = self.verifier.verify(item)
        self.shoe, self.state = "", None
        if verified is None:
            return
        if self.listener is not None:
            self.listener(verified)
        self.state = self.verifier.shoe_of_last

    def _hand(self, text: str | tuple[str, ...]) -> tuple[int, bytes]:
        hand = self._hands.get(text)
        if hand is not None:
            return hand
        try:
            cards = self.source.builder.cards(text)
        except ValueError:
            return _NO_HAND
        facts, details = hand_shown(cards), self._asked
        facts = facts._replace(
            pair=facts.pair and "pairs" in details, royal=facts.royal if "royals" in details else ""
        )
        code = self._classes.setdefault(facts, len(self._classes))
        if None in cards or code >= _NO_HAND[0]:
            return _NO_HAND
        if len(self._hands) >= _MOST_HANDS:
            self._hands.clear()
        codes = bytes(code_of(card) for card in cards if card is not None)
        self._hands[text] = result = (code, codes)
        return result

    def _learn(self, row: list[str], record: RoundRecord, findings: RoundFindings) -> None:
        columns, facts = self.columns, findings.facts
        codes = [self._hand(cells(row))[0] for cells in (columns.player, columns.banker)]
        if facts is None or _NO_HAND[0] in codes:
            return
        key = codes[0] * _MOST_CLASSES + codes[1]
        verdict = self._verdicts.get(key)
        if verdict is None:
            known_sets = tuple(self._set(wager, facts) for wager in columns.names)
            verdict = self._verdicts[key] = _Verdict(facts, findings.ruled, known_sets)
        verdict.results.add(columns.result(row))
        if len(verdict.results) > _MOST_WAGERS:
            verdict.results.clear()
        stakes = {wager.wager for wager in record.wagers if wager.stake_cents}
        if columns.base is not None and not any(map(stakes.isdisjoint, columns.needed)):
            self._based.add(columns.base(row))
            if len(self._based) > _MOST_WAGERS:
                self._based.clear()
        cells = zip(*(amount(row) for amount in columns.amounts), strict=True)
        for pair, pairs in zip(cells, verdict.wagers, strict=True):
            pairs.add(pair)
            if len(pairs) > _MOST_WAGERS:
                pairs.clear()

    def _set(self, wager: str, facts: Facts) -> set[Pair]:
        offer = self.verifier.rules.offers.get(wager)
        line = "" if offer is None else offer.decide(facts).line
        return self._lines.setdefault((wager, line), set())


class PartVerifier(CachedVerifier):
    """Verifies every row in full, once its round is complete: rows may be parts of rounds."""

    def batch(self, rows: list[list[str]], first: int) -> None:
        for line, row in enumerate(rows, start=first):
            if row:
                self.at_length(row, line)
        self.source.line = first + len(rows) - 1

    def at_length(self, row: list[str], line: int) -> None:
        self.read(row, line)

    def goes_on(self, shoe: str, number: int) -> bool:
        """Whether the pending round is this one; otherwise, verify it."""
        if self._merger.waits_for == (shoe, str(number)):
            return True
        for item in self._merger.rest():
            self._judge(item)
        return False

    def _judge(self, item: RoundRecord | Unreadable) -> None:
        super()._judge(item)
        self.shoe = item.shoe


class _Columns:
    def __init__(self, source: TableRounds, rules: TableRules) -> None:
        targets = source.header.targets
        places = {target: place for place, target in enumerate(targets) if target is not None}
        self.width = len(targets)
        self.shoe: Cells | None = _several(places, "shoe")
        if self.shoe is not None and Target("shoe", place=1) in places:
            name_of = self.shoe
            self.shoe = lambda row: "/".join(name_of(row))
        self.round = places.get(Target("round"))
        self.player, self.banker = (_several(places, hand.value) or _cells([0]) for hand in Hand)
        names = ("winner", "player_total", "banker_total")
        self.result: Cells = _cells([places[Target(n)] for n in names if Target(n) in places])
        blank_places = [place for target, place in places.items() if target.name in _BLANK]
        self.blanks: Cells | None = _cells(blank_places, is_several=True) if blank_places else None
        self.names = tuple(dict.fromkeys(place.of for place in places if place.name == "stake"))
        stakes = [places[Target("stake", name)] for name in self.names]
        results = [name for name in RESULTS if any(place.name == name for place in places)]
        self.amounts: tuple[Cells, ...] = (
            _cells(stakes, is_several=True),
            *(
                _cells(
                    [places.get(Target(kind, name), column)
                     for name, column in zip(self.names, stakes, strict=True)],
                    is_several=True,
                )
                for kind in results
            ),
        )  # fmt: skip
        offers = [rules.offers[name] for name in self.names if name in rules.offers]
        self.needed = {needs.one_of for offer in offers for needs in offer.needs}
        base_bets = {name for one_of in self.needed for name in one_of}
        base = [
            spot
            for target, spot in places.items()
            if target.name == "stake" and target.of in base_bets
        ]
        self.base: Cells | None = _cells(base) if self.needed else None


def _several(places: Mapping[Target, int], name: str) -> Cells | None:
    cells = sorted((target.place, place) for target, place in places.items() if target.name == name)
    return _cells([place for _, place in cells]) if cells else None


def _cells(places: Sequence[int], *, is_several: bool = False) -> Cells:
    if not places:
        return lambda _: ()
    if is_several and len(places) == 1:
        place = places[0]
        return lambda row: (row[place],)
    return itemgetter(*places)
