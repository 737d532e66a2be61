"""Conversion of a row's named cells to a round record."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from fractions import Fraction
from itertools import islice
from math import floor
from typing import Any, Final, NamedTuple, TypeVar

from msgspec.structs import replace

from croupier.baccarat.coup import Hand, Tableau
from croupier.law.usage import currency_in_use
from croupier.records.rounds.card_cells import (
    NO_CARD,
    CardReader,
    mark_reader,
    total_of,
    wager_name,
    winner_reader,
)
from croupier.records.rounds.cells import (
    AmountReader,
    is_amount,
    listed_in_cell,
    named_amounts,
    plain,
    readable,
    whole,
)
from croupier.records.rounds.mapping import (
    AMOUNTS,
    COLUMNS,
    ENTRY_KEYS,
    RESULTS,
    ROW_WAGER,
    SEAT,
    SLOT,
    STAKED,
    RoundMapping,
    numbering,
)
from croupier.records.rounds.record import RoundRecord, Shown, Unreadable, WagerRecord, shown_count

Value = TypeVar("Value")

_LONGEST_NAME: Final = 64
"""Maximum length of the name of a shoe or round; a longer one is a misplaced cell."""

_MOST_WAGERS: Final = 500

_MOST_COLUMNS: Final = 2_000
_MOST_SEATS: Final = 100_000
_MOST_FAULTS: Final = 5
_MOST_LABELS: Final = 20
_SHORT: Final = 4
_IN_SHOE: Final = re.compile(r"(.*[^\W_])[\W_]+[^\W\d_]{0,5}([0-9]{1,15})")
_WORD: Final = re.compile(r"[^\W\d_]+")
_MOST_DOTS: Final = 64
_MOST_BETS: Final = 100_000
NO_CARDS: Final = (
    "no cards and no mark: if the line is no round but a total or the like, name what it begins "
    'with in a mapping, as [file] skip = ["Total"]'
)

_PLAIN: Final = (str, int)
DEEPEST: Final = 6
"""Maximum depth of nested objects searched for dotted names."""


class Target(NamedTuple):
    """The meaning of a column; ``place`` orders columns that share one.

    Of an amount, it is one more than the number that the column has in its name. ``of`` is its
    wager, or ``{seat}`` or ``{slot}`` if another column with the same number names that.
    """

    name: str
    of: str = ""
    place: int = 0


Amount = int | Fraction
"""Cents: a fraction if a record has an amount that is not an integer number of cents."""

DASHES: Final = ("-", "\u2013", "\u2014", "n/a", "N/A", "NA", "null", "NULL", "None", "NaN", "nan")
"""Cells of amounts of a wager that was not placed."""

_ENTRY: Final = "[]"
"""The wager of a column in a list of wagers."""

FIELDS: Final = "fields"
"""The meaning of a column with a list of seats, or a text such as ``P:100;T:5``."""

_HANDS: Final = frozenset(hand.value for hand in Hand)
_NUMBERS: Final = frozenset({"shoe", "round"})

_PLACES: Final = {name: (Target(name), Target(name, place=1)) for name in (*COLUMNS, *ROW_WAGER)}

Cells = Mapping[Target, object]

_FlatAmounts = dict[tuple[str, int], dict[str, Amount | None]]
"""Amounts by name, of each wager and place."""


def normal(name: str) -> str:
    return "_".join(name.strip().casefold().split())


class RecordBuilder:
    """Builds the rounds of one file; ``tableau`` splits cards recorded in dealing order."""

    def __init__(self, mapping: RoundMapping, tableau: Tableau | None = None) -> None:
        self.mapping = mapping
        self.tableau = tableau
        values = mapping.values
        self.cards = CardReader(
            values.get("rank"), values.get("suit"), suit_first=mapping.suit_first,
            deck=mapping.deck, first_number=mapping.first_number,
        )  # fmt: skip
        self.winner = winner_reader(values.get("winner", {}))
        self.amount = AmountReader(mapping.unit_cents, decimal_comma=mapping.decimal_comma)
        self.marks = mark_reader(self.cards, values.get("mark", {}))
        self._of_rounds: dict[str, Callable[[object], object]] = {
            "player": self.cards, "banker": self.cards, "cards": self.cards.hands,
            "winner": self.winner, "marks": self.marks, "wager": plain, "wagers": bool,
        }  # fmt: skip
        self._cents = AmountReader(1)
        self._wagers = {name.casefold(): wager for name, wager in values.get("wager", {}).items()}
        self.entry_keys = {
            mapping.entries.get(name, name): (name, self.amount) for name in ENTRY_KEYS
        } | {f"{name}_cents": (name, self._cents) for name in AMOUNTS}
        self._targets: dict[str, Target] = {}
        self._shared: dict[Target, list[Target]] = {}
        """Other meanings of a column with the stake of several wagers."""
        for column, target in _named(mapping):
            first_target = self._targets.setdefault(column, target)
            if first_target is not target and target.name != "round":
                self._shared.setdefault(first_target, []).append(target)
        (wagers,) = mapping.columns.get("wagers", ("wagers",))
        self.inner = wagers.partition("[].")[2].removesuffix("[]")
        """The key of the wagers of each entry, if wagers are listed by participant."""
        self.seats: dict[str, int] = {}
        """Seats recorded by name, numbered in order of appearance."""
        self._numbered = [
            (re.compile("([0-9]{1,6})".join(map(re.escape, name.split(mark)))), name)
            for name in self._targets if (mark := numbering(name))
        ]  # fmt: skip
        self.containers = {part for name in self._targets for part in containers_of(name)}
        self._taken = {target for _, target in _named(mapping)}
        self._known: dict[str, Target | None] = {}
        self._stakes = {wager: self.amount(stake) for wager, stake in mapping.stakes.items()}
        self.bets: dict[tuple[object, ...], WagerRecord] = {}
        self.skipped = Counter[str]()
        """Lines skipped, by the text of the mapping, or what a remark begins with."""
        self.first_cell = ""
        """What the first round begins with."""
        self._if_recorded = {
            *self._stakes,
            *(item.of for target, aliases in self._shared.items() for item in (target, *aliases)),
        }
        """Wagers with a fixed stake: they are present if a result is recorded."""

    def skips(self, values: Iterable[object], cells: Cells) -> bool:
        """Whether a line has a text to skip in front, as shoe or round, or as a whole cell.

        None that may be a round is skipped.
        """
        texts = [str(value).strip() for value in values if value is not None]
        starts = [next(filter(None, texts), "")]
        starts += (str(cell).strip() for target, cell in cells.items() if target.name in _NUMBERS)
        for text in self.mapping.skip:
            if text in texts or any(start.startswith(text) for start in starts):
                is_skipped = not self._may_be_round(cells)
                self.skipped[text] += is_skipped
                return is_skipped
        return False

    def skips_remark(self, row: Sequence[str], cells: Cells) -> bool:
        """Whether a line that does not fill the columns is a remark, and begins like no round."""
        label = next(filter(None, map(str.strip, row)), '"')
        if label[0] in '"0123456789' or self.names_round(cells) or self._is_torn(label):
            return False
        if any(map(self._may_hold, cells.items())):
            return False
        name = re.split("[0-9]", label)[0][:_LONGEST_NAME].rstrip(" -,:(") or label[0]
        is_new = name not in self.skipped and len(self.skipped) >= _MOST_LABELS
        self.skipped["…" if is_new else name] += 1
        return True

    def _is_torn(self, label: str) -> bool:
        """Whether a line may be the beginning of one like the first."""
        shapes = [_WORD.sub("a", re.sub("[0-9]+", "9", text)) for text in (label, self.first_cell)]
        is_alike = "9" in shapes[0] and shapes[1].startswith(shapes[0])
        return is_alike or (bool(self.first_cell) and self.first_cell.startswith(label))

    def names_round(self, cells: Cells) -> bool:
        """Whether a line has what may be the number of a round, or a shoe."""
        texts = (str(cell).strip() for target, cell in cells.items() if target.name in _NUMBERS)
        return any(len(text.split()) == 1 and any(map(str.isdigit, text)) for text in texts)

    def _may_hold(self, item: tuple[Target, object]) -> bool:
        target, cell = item
        text = "" if target.name in _NUMBERS or cell is None else str(cell).strip()
        if is_amount(text) or (reader := self._of_rounds.get(target.name)) is None:
            return is_amount(text)
        with suppress(ValueError, ArithmeticError):
            return bool(text and reader(cell))
        # A damaged card is short, and no word.
        return any(len(word) < _SHORT and not word.isalpha() for word in text.split())

    def _may_be_round(self, cells: Cells) -> bool:
        """Whether a line has a card, winner, mark, or wager, or what may be a damaged one."""
        texts = {one: "" if cell is None else str(cell).strip() for one, cell in cells.items()}
        for target, text in texts.items():
            if target.name in self._of_rounds and text not in {"", "[]", *DASHES}:
                # A report may sum up what the cards are numbered by.
                is_text = not is_amount(text) and not text.startswith(self.mapping.skip)
                with suppress(ValueError, ArithmeticError):
                    if is_text or self._of_rounds[target.name](cells[target]):
                        return True
        numbers = [text for target, text in texts.items() if target.name in _NUMBERS]
        is_numbered = all(text and not text.startswith(self.mapping.skip) for text in numbers)
        has_amount = any(text for target, text in texts.items() if target.name in AMOUNTS)
        return bool(numbers) and is_numbered and has_amount

    def target(self, column: str) -> Target | None:
        if column not in self._known:
            if len(self._known) >= _MOST_COLUMNS:
                self._known.clear()
            self._known[column] = self._target(column)
        return self._known[column]

    def _target(self, column: str) -> Target | None:
        column = column.strip()
        if column in self._targets:
            return self._targets[column]
        for pattern, template in self._numbered:
            if found := pattern.fullmatch(column):
                return self._targets[template]._replace(place=1 + int(found[1]))
        if column in self.containers:
            return Target(FIELDS, column)
        name = normal(column)
        prefix, _, suffix = name.partition(":")
        meter = name.removeprefix("meters.").removeprefix("meter:")
        if name in COLUMNS or name in ROW_WAGER:
            target = Target(name)
        elif prefix in AMOUNTS and suffix:
            target = Target(prefix, self.wager(suffix))
        elif meter != name and meter:
            target = Target("meter", wager_name(meter))
        else:
            return None
        # The mapping takes this field from another column.
        return None if target in self._taken else target

    def lacks(self, names: Collection[str]) -> list[str]:
        """Return the columns of the mapping that are not among those of a file."""
        lacking = self._targets.keys() - {*names}
        for pattern, template in self._numbered:
            if any(map(pattern.fullmatch, names)):
                lacking.discard(template)
        return [
            name
            for name in self._targets
            if name in lacking and {*containers_of(name)}.isdisjoint(names)
        ]

    def targets(self, names: Sequence[str]) -> tuple[Target | None, ...]:
        """Return the meanings of all columns of a table."""
        targets = _with_wager(list(map(self.target, names)))
        # Names with dots may be those of columns, not of what another column contains.
        lacking_names = [name for name in self._targets if name not in names]
        unfolded = {part for name in lacking_names for part in containers_of(name)}
        return tuple(
            None if target and target.name == FIELDS and target.of not in unfolded else target
            for target in targets
        )

    @property
    def _read(self) -> dict[str, Target]:
        targets = zip(self._known, _with_wager([*self._known.values()]), strict=True)
        return {name: target for name, target in targets if target and target.name != FIELDS}

    @property
    def columns(self) -> tuple[list[str], list[str]]:
        """The columns read, and those ignored."""
        containers = {part for name in self._known for part in containers_of(name)}
        # An object cannot be one of our columns, whatever its name.
        mapped = [name for name, target in self._read.items()
                  if target.name == "wagers" or target.of or name not in containers]  # fmt: skip
        known_names = {"", *mapped, *containers}
        return mapped, [name for name in self._known if name not in known_names]

    @property
    def missing_hands(self) -> list[str]:
        """Columns that the mapping names for the cards of a hand, none of which any row had."""
        hands = (self.mapping.columns.get(hand, ()) for hand in ("cards", *sorted(_HANDS)))
        return [", ".join(names) for names in hands if names and not {*names} & {*self._known}]

    @property
    def names_read(self) -> set[str]:
        """What the columns that are read contain."""
        in_shoe = {"round"} if self.mapping.is_round_in_shoe else set()
        return in_shoe | {target.name for target in self._read.values()}

    @property
    def has_wagers(self) -> bool:
        """Whether an amount of a wager is read."""
        return not self.names_read.isdisjoint(AMOUNTS)

    @property
    def has_results(self) -> bool:
        """Whether what a wager brought is read."""
        return any(target.name in {"net", "paid"} for target in self._read.values())

    def hides_vigorish(self, wagers: Collection[str]) -> bool:
        """Payments may not show whether vigorish was taken."""
        if self.mapping.paid_returned or self.mapping.vigorish_deducted:
            return False
        targets = {*self._read.values()}
        return any(
            name == "paid"
            and wager in {*wagers, "", _ENTRY, SEAT, SLOT}
            and targets.isdisjoint({Target("vigorish", wager, place), Target("net", wager, place)})
            for name, wager, place in targets
        )

    def saw_entry(self, key: object) -> None:
        (name,) = self.mapping.columns.get("wagers", ("wagers",))
        column = f"{name.removesuffix('[]')}.{key}"
        if column not in self._known and len(self._known) < _MOST_COLUMNS:
            known_key = self.entry_keys.get(str(key))
            self._known[column] = None if known_key is None else Target(known_key[0], _ENTRY)

    def seat(self, value: object) -> int | None:
        """Seats recorded by name are numbered as they appear."""
        text = whole(plain(value))
        if not text:
            return None
        if text.isascii() and text.isdigit() and len(text) < 4:
            return int(text)
        if not any(map(str.isalpha, text)) or len(text) > _LONGEST_NAME:
            raise ValueError(f"{readable(text)!r} is not a seat number")
        if len(self.seats) < _MOST_SEATS:
            return self.seats.setdefault(text, len(self.seats) + 1)
        return self.seats.get(text, _MOST_SEATS + 1)

    def staked(self, amounts: _FlatAmounts) -> None:
        """Add fixed stakes to wagers with a recorded result."""
        for (wager, _), amounts_of_wager in amounts.items():
            if wager not in self._if_recorded:
                continue
            if all(amounts_of_wager.get(name) is None for name in RESULTS):
                amounts_of_wager["stake"] = None
            elif wager in self._stakes:
                amounts_of_wager["stake"] = self._stakes[wager]

    def has_stake(self, wager: str) -> bool:
        return wager in self._if_recorded

    def shared(self, cells: Cells) -> Cells:
        """Copy shared columns to each wager."""
        if not self._shared:
            return cells
        return {**cells, **{
            other._replace(place=target.place): value
            for target, value in cells.items()
            for other in self._shared.get(target._replace(place=0), ())
        }}  # fmt: skip

    def wager(self, name: str) -> str:
        return self._wagers.get(name.strip().casefold(), wager_name(name))

    def cells(
        self, fields: Mapping[str, Any], prefix: str = "", depth: int = 0
    ) -> dict[Target, Any]:
        """Find cells by meaning; nested ones have dotted names."""
        cells: dict[Target, Any] = {}
        for name, value in fields.items():
            if not isinstance(name, str) or len(name) > 200:
                continue
            target = self.target(prefix + name)
            # Most cells are text or numbers; the check for any mapping takes longer than all else.
            is_plain = isinstance(value, _PLAIN) or depth >= DEEPEST
            if not is_plain and isinstance(value, Mapping):
                cells |= (inner_cells := self.cells(value, f"{prefix}{name}.", depth + 1))
                # An object with cells to read cannot be one of our columns, despite its name.
                is_read = inner_cells or (target is not None and target.name == FIELDS)
                target = None if is_read else target
            if target is not None:
                cells[target] = value
        return cells

    def fields(self, value: Any) -> Mapping[str, Any]:
        """Return the objects of a list by seat, or the amounts of a text by name.

        Raises ``ValueError``.
        """
        value = listed_in_cell(value)
        if isinstance(value, Mapping):
            return value
        if not isinstance(value, list):
            text = plain(value)
            spans = {} if text in DASHES else named_amounts(text)
            return {name: text[start:end] for name, (start, end) in spans.items()}
        key = self.mapping.entries.get("seat", "seat")
        objects: dict[str, Any] = {}
        for number, entry in enumerate(value, start=1):
            if not isinstance(entry, Mapping):
                raise ValueError(f"entry {number} is not an object")
            seat = self.seat(entry.get(key)) if entry.get(key) is not None else number
            if str(seat) in objects:
                raise ValueError(f"seat {seat} is given twice")
            objects[str(seat)] = {name: item for name, item in entry.items() if name != key}
        return objects

    def record(self, line: int, cells: Cells, number: int) -> RoundRecord | Unreadable:
        return _Row(self, self.shared(cells)).record(line, number)


def _with_wager(targets: Sequence[Target | None]) -> Sequence[Target | None]:
    """Leave out the amounts of a row's wager if no column names that."""
    if Target("wager") in targets:
        return targets
    return [one if one and (one.of or one.name not in ROW_WAGER) else None for one in targets]


def shown_target(target: Target) -> str:
    """Return the name of an amount: ``stake:banker``, or ``stake:banker of seat 3``."""
    if target.of in {"", SEAT, SLOT}:
        return f"{target.name} {target.place - 1}" if target.of else target.name
    of_seat = f" of seat {target.place - 1}" if target.place else ""
    return f"{target.name}:{target.of}{of_seat}"


def inner_entries(entry: Mapping[str, Any], key: str) -> list[Mapping[str, Any]]:
    value = entry.get(key)
    entries = value if isinstance(value, list) else []
    return [item for item in entries[:_MOST_WAGERS] if isinstance(item, Mapping)]


def flat(fields: Mapping[str, Any], prefix: str = "", depth: int = 0) -> Iterator[tuple[str, Any]]:
    for name, value in fields.items():
        if isinstance(value, Mapping) and depth < DEEPEST:
            yield from flat(value, f"{prefix}{name}.", depth + 1)
        else:
            yield f"{prefix}{name}", value


def name_in_shoe(text: object) -> tuple[str, str]:
    """Part the number of a round from the name of its shoe. Raises ``ValueError``.

    >>> name_in_shoe("T7/003/010"), name_in_shoe("T7-S001-R012")
    (('T7/003', '10'), ('T7-S001', '12'))
    """
    if (parts := _IN_SHOE.fullmatch(str(text))) is None:
        raise ValueError(f"{readable(str(text))!r} is not a shoe followed by the number of a round")
    return parts[1], parts[2].lstrip("0") or "0"


def containers_of(name: str) -> Iterator[str]:
    spots = (spot for spot, letter in enumerate(name) if letter == "." and spot)
    return (name[:spot] for spot in islice(spots, _MOST_DOTS))


def _named(mapping: RoundMapping) -> Iterator[tuple[str, Target]]:
    for name, columns in mapping.columns.items():
        for place, column in enumerate(columns):
            # Wagers of participants are read from the list of participants.
            outer_name = column.partition("[]")[0] if name == "wagers" else column
            of = numbering(column) if name in {*ROW_WAGER, "seat"} else ""
            yield outer_name, Target(name, of, place)
    for wager, amounts in mapping.wagers.items():
        for amount, column in amounts.items():
            yield column, Target(amount, wager)
    for meter, column in mapping.meters.items():
        yield column, Target("meter", meter)


class _Row:
    def __init__(self, builder: RecordBuilder, cells: Cells) -> None:
        self.builder = builder
        self.errors: list[str] = []
        is_nested = bool(builder.containers)
        fields = [target for target in cells if target.name == FIELDS] if is_nested else ()
        self.cells: Cells = {**cells, **self.unfolded(fields, cells)} if fields else cells

    def unfolded(self, columns: Iterable[Target], cells: Cells) -> dict[Target, object]:
        inner_cells: dict[Target, object] = {}
        for target in columns:
            fields = self.taken(target.of, cells[target], self.builder.fields) or {}
            inner_cells |= self.builder.cells(fields, f"{target.of}.")
        return inner_cells

    def record(self, line: int, number: int) -> RoundRecord | Unreadable:
        builder = self.builder
        shoe = self.read("shoe", self.name) if Target("shoe") in self.cells else ""
        round_ = self.read("round", self.name) if Target("round") in self.cells else str(number)
        shoe, round_ = whole(shoe or ""), whole(round_ or "")
        if builder.mapping.is_round_in_shoe:
            name = self.taken("round", shoe, name_in_shoe)
            shoe, round_ = name or (shoe, "")
        player, banker = self.hands()
        burned = self.read("burned", builder.cards) if Target("burned") in self.cells else None
        seat = self.read("seat", builder.seat)
        record = RoundRecord(
            line,
            shoe,
            round_,
            player,
            banker,
            self.read("winner", builder.winner),
            self.read("player_total", total_of),
            self.read("banker_total", total_of),
            (*self.flat_wagers(seat), *self.listed_wagers(seat)),
            burned,
            self.read("marks", builder.marks) or (),
            self.meters(),
            seat,
            Target("wager") in self.cells,
        )
        self.check(record)
        if not self.errors:
            return record
        return Unreadable(line, "; ".join(self.errors[:_MOST_FAULTS]), record.shoe, record.round)

    def hands(self) -> tuple[tuple[Shown, ...], tuple[Shown, ...]]:
        player = self.read("player", self.builder.cards) or ()
        banker = self.read("banker", self.builder.cards) or ()
        dealt, *more_hands = self.read("cards", self.builder.cards.hands) or ((),)
        if not dealt and not more_hands:
            return player, banker
        if player or banker:
            self.errors.append("cards: remove either cards or the columns of the hands")
            return player, banker
        if more_hands:
            return dealt, more_hands[0]
        first_cards, thirds = dealt[:4], dealt[4:]
        player, banker = first_cards[::2], first_cards[1::2]
        tableau = self.builder.tableau
        if not thirds or tableau is None or None in first_cards:
            return player, (*banker, *thirds)
        if tableau.player_draws_third(shown_count(player), shown_count(banker)):
            return (*player, thirds[0]), (*banker, *thirds[1:])
        return player, (*banker, *thirds)

    def check(self, record: RoundRecord) -> None:
        if None in (*record.player, *record.banker):
            self.errors.append("a card of a hand is face down: every card of a round must be named")
        # If a round spans several rows, one may have the cards for all.
        has_data = record.player or record.banker or record.marks
        if not has_data and not (record.is_part and record.wagers) and not self.errors:
            self.errors.append(NO_CARDS)
        elif not record.round and not record.marked("simulated"):
            self.errors.append("round: no number")

    def read(self, name: str, reader: Callable[[object], Value]) -> Value | None:
        whole_target, part_target = _PLACES[name]
        cells = self.cells
        if whole_target not in cells and part_target not in cells:
            return None
        value = cells.get(whole_target)
        parts = [value]
        if part_target in cells:
            while (target := Target(name, place=len(parts))) in cells:
                parts.append(cells[target])
        try:
            if len(parts) > 1:
                texts = [plain(part) for part in parts]
                # A blank cell keeps its place in a hand: one before a card means a missing card.
                absence = NO_CARD if name in _HANDS else ""
                cell_texts = [text or absence for text in texts]
                joined_shoe = "/".join(map(whole, texts))
                value = joined_shoe if name == "shoe" else " ".join(filter(None, cell_texts))
            return reader(value)
        except (ValueError, ArithmeticError, RecursionError) as error:
            self.errors.append(f"{name}: {error}")
            return None

    @staticmethod
    def name(value: object) -> str:
        text = readable(plain(value), limit=_LONGEST_NAME + 1)
        if len(text) > _LONGEST_NAME:
            raise ValueError(f"{readable(text)!r} is too long for a name")
        return text

    def meters(self) -> dict[str, int]:
        meters = {}
        for target, value in self.cells.items():
            if target.name == "meter":
                cents = self.taken(f"meter {target.of}", value, self.builder.amount)
                if isinstance(cents, int):
                    meters[target.of] = cents
                elif cents is not None:
                    self.errors.append(f"meter {target.of}: not a whole number of cents")
        return meters

    def taken(
        self, place: str | Target, value: object, reader: Callable[[object], Value]
    ) -> Value | None:
        try:
            return reader(value)
        except (ValueError, ArithmeticError, RecursionError) as error:
            name = place if isinstance(place, str) else shown_target(place)
            self.errors.append(f"{name}: {error}")
            return None

    def cell(self, target: Target, reader: Callable[[object], Value]) -> Value | None:
        return self.taken(target, self.cells.get(target), reader)

    def flat_wagers(self, seat: int | None) -> Iterator[WagerRecord]:
        for (wager, place), amounts in self.amounts_by_wager().items():
            if not any(amounts.values()):
                continue
            if wager not in {"", SEAT, SLOT}:
                yield self.wager(place - 1 if place else seat, wager, amounts)
            elif name := self.cell(Target("wager", wager, place), self.name):
                of_wager = self.cell(Target("seat", wager, place), self.builder.seat)
                if of_wager is None:
                    of_wager = place - 1 if wager == SEAT else seat
                bet = self.wager(of_wager, self.builder.wager(name), amounts)
                yield replace(bet, slot=place) if place else bet
            else:
                self.errors.append("wager: no wager is named beside its amounts")

    def amounts_by_wager(self) -> _FlatAmounts:
        by_wager: _FlatAmounts = {}
        dashes: list[Target] = []
        names_wager = Target("wager") in self.cells
        for target, value in self.cells.items():
            name, bet, place = target
            if name in AMOUNTS and (bet or names_wager):
                # Most cells of a row are blank.
                is_blank = value is None or value == ""
                if not is_blank and (is_blank := value in DASHES):
                    dashes.append(target)
                cents = None if is_blank else self.cell(target, self.builder.amount)
                by_wager.setdefault((bet, place), {})[name] = cents
        for target in dashes:
            if any(by_wager[target.of, target.place].values()):  # Of a wager it is no amount.
                self.cell(target, self.builder.amount)
        self.builder.staked(by_wager)
        return by_wager

    def listed_wagers(self, seat: int | None) -> Iterator[WagerRecord]:
        entries = listed_in_cell(self.cells.get(Target("wagers")))
        if entries is None or entries == "":
            return
        if not isinstance(entries, Sequence) or isinstance(entries, str):
            self.errors.append("wagers: write a list of objects")
            return
        if len(entries) > _MOST_WAGERS:
            self.errors.append(f"wagers: {len(entries)} of them")
            return
        for number, entry in enumerate(entries, start=1):
            if not isinstance(entry, Mapping):
                self.errors.append(f"wagers: entry {number} is not an object")
                continue
            if not self.builder.inner:
                yield from self.entry(f"wagers: entry {number}", entry, seat)
                continue
            outer = {key: value for key, value in entry.items() if key != self.builder.inner}
            for inner_entry in inner_entries(entry, self.builder.inner):
                yield from self.entry(f"wagers: entry {number}", {**outer, **inner_entry}, number)

    def entry(
        self, place: str, entry: Mapping[str, object], seat: int | None
    ) -> Iterator[WagerRecord]:
        amounts: dict[str, Amount | None] = {}
        wager = ""
        for key, value in entry.items():
            self.builder.saw_entry(key)
            if key not in self.builder.entry_keys:
                continue
            name, reader = self.builder.entry_keys[key]
            spot = f"{place}, {name}"
            if name == "wager":
                wager = self.builder.wager(self.taken(spot, value, self.name) or "")
            elif name == "seat":
                seat = self.taken(spot, value, self.builder.seat)
            else:
                amounts[name] = self.taken(spot, value, reader)
        if not wager:
            self.errors.append(f"{place}: no wager is given")
        elif amounts:
            yield self.wager(seat, wager, amounts)

    def wager(
        self, seat: int | None, wager: str, amounts: Mapping[str, Amount | None]
    ) -> WagerRecord:
        key, known, errors = (seat, wager, *amounts.items()), self.builder.bets, len(self.errors)
        if key not in known:
            bet = self._wager(seat, wager, amounts)
            if len(self.errors) > errors:
                return bet
            if len(known) >= _MOST_BETS:
                known.clear()
            known[key] = bet
        return known[key]

    def _wager(
        self, seat: int | None, wager: str, amounts: Mapping[str, Amount | None]
    ) -> WagerRecord:
        broken = {
            name: f"{float(cents) / currency_in_use().minor:.6f}".rstrip("0")
            for name, cents in amounts.items()
            if isinstance(cents, Fraction)
        }
        results = [name for name in RESULTS if amounts.get(name)]
        if results and amounts.keys().isdisjoint(STAKED):
            self.errors.append(f"{wager}: {results[0]} is recorded, but no stake")
        floors = {name: None if cents is None else floor(cents) for name, cents in amounts.items()}
        stake, coupon, added = (floors.get(name) or 0 for name in STAKED)
        if min(stake, coupon, added) < 0:
            self.errors.append(f"{wager}: a negative stake")
        if not broken.keys().isdisjoint(STAKED):
            self.errors.append(f"{wager}: the stake is not a whole number of cents")
        net, payment, vigorish = (floors.get(name) for name in ("net", "paid", "vigorish"))
        deducted = self.builder.mapping.vigorish_deducted
        is_gross = False
        if payment is not None and self.builder.mapping.paid_returned:
            # The total returned includes the stake, and the vigorish unless that is recorded
            # separately.
            win = payment - stake - added
            is_gross = net is None and vigorish is None and deducted is False
            if net is not None and _contradicts(win, net, vigorish, is_deducted=deducted):
                broken.setdefault("paid", f"{payment / currency_in_use().minor:.2f}")
            if "paid" in broken:
                broken["net"] = broken["paid"] = f"{broken['paid']} returned"
            net, payment = win - (0 if deducted else vigorish or 0) if net is None else net, None
        elif net is not None and payment is None and deducted is False:
            net, is_gross = net - (vigorish or 0), vigorish is None
        return WagerRecord(
            seat, wager, stake, net, payment, vigorish, coupon, added, broken, deducted, is_gross
        )


def _contradicts(win: int, net: int, vigorish: int | None, *, is_deducted: bool | None) -> bool:
    if vigorish is None and not is_deducted:
        return win < net  # The vigorish that it may include is not known.
    return win not in {net, net + (0 if is_deducted else vigorish or 0)}
