"""The mapping file: another writer's names for columns and values."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from msgspec import Struct, field

from croupier.baccarat.cards import Card
from croupier.baccarat.coup import WINNERS
from croupier.baccarat.wagers import WAGERS
from croupier.files.errors import MAX_FAULTS, FileError, did_you_mean
from croupier.files.lines import MAX_LINE
from croupier.files.text import encoding_named
from croupier.files.toml import Toml, read_toml
from croupier.law.usage import currency_in_use
from croupier.records.rounds.cells import readable
from croupier.records.rounds.record import MARKS

FORMATS: Final = ("csv", "jsonl", "parquet", "xlsx")

COLUMNS: Final = {
    "shoe": "the name of the shoe",
    "round": "the number of the round",
    "player": "the cards of Player's Hand, in the order dealt to it",
    "banker": "the cards of Banker's Hand, in the order dealt to it",
    "winner": "player, banker, or tie",
    "player_total": "the Point Count of Player's Hand",
    "banker_total": "the Point Count of Banker's Hand",
    "seat": "the seat whose wagers the row records",
    "burned": "cards that left the shoe since the previous round and belong to no hand",
    "marks": "irregularities: void, simulated, disclosed=9h, and so on",
    "cards": "instead of player and banker: all cards as they left the shoe, or P: 9h 4c/B: Kd 2s",
    "wagers": "the list of wagers, in JSON Lines and Parquet",
}
"""Fields of a round; each is found by its own name unless the mapping has another."""

MANY_COLUMNS: Final = frozenset({"shoe", "player", "banker", "burned", "cards", "marks"})
"""Fields that several columns may share, such as one for each card, or table and shoe."""

AMOUNTS: Final = {
    "stake": "the stake",
    "net": "the bettor's net result, after vigorish",
    "paid": "what was paid on it",
    "vigorish": "the vigorish taken on it",
    "coupon": "the match play coupon with it",
    "added": "the part of a House Money payout added to it",
}
"""Fields of a wager, in columns such as ``stake:banker`` unless named otherwise."""

ROW_WAGER: Final = {
    "wager": "the name of the wager that the row records, one wager a row",
    **{name: f"{text}, of the wager of the row" for name, text in AMOUNTS.items()},
}
"""Fields of a row if each row of a round is one wager."""

SEAT: Final = "{seat}"
"""What stands for the number of a seat in the name of a wager's columns."""

SLOT: Final = "{slot}"
"""What stands for a number in the names of columns that are of one wager of the row."""

STAKED: Final = ("stake", "coupon", "added")
RESULTS: Final = ("net", "paid", "vigorish")
_MOST_STAKE: Final = 10**10
_NUMBERED: Final = tuple(
    f"{start}-{52 * decks - 1 + start}" for decks in (1, 6, 8) for start in (0, 1)
)
_NUMBERS_NEED: Final = (
    'numbers = "0-51", "1-52", or "1-416" in a shoe of 8 decks, suits and ranks in their order '
    '(such as "cdhs" and "A23456789TJQK"), and by = "suit" (numbers next to each other share a '
    'suit) or "rank"'
)

NO_MARK: Final = "none"

ENTRY_KEYS: Final = ("seat", "wager", *AMOUNTS)

_RANKS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "T", "J", "Q", "K")
_SUITS: Final = ("c", "d", "h", "s")

TABLES: Final[Mapping[str, Mapping[str, tuple[str, ...]]]] = {
    "file": {"format": FORMATS, "delimiter": (), "encoding": (), "sheet": (), "columns": ()},
    "money": {
        "unit": ("dollars", "cents", "thousands"),
        "decimal": (".", ","),
        "paid": ("winnings", "returned"),
        "vigorish": ("deducted", "apart"),
        "limits": ("checked", "unchecked"),
        "amounts": ("checked", "unchecked"),
    },
    "cards": {
        "order": ("rank-suit", "suit-rank"),
        "tens": ("ten", "ten-valued"),
        "numbers": _NUMBERED,
        "suits": (),
        "ranks": (),
        "by": ("suit", "rank"),
    },
    "shoe": {
        "reshuffled": ("never", "each-round", "unknown"),
        "rounds": ("all", "wagered-only"),
    },
}
"""Tables of settings: each key with its permitted values, empty if unrestricted."""

_NO_TEXTS: Final = {"file": ("header", "skip")}

MOST_ABOVE: Final = 100
"""The header must be within this many lines."""

VALUES: Final[Mapping[str, tuple[str, ...]]] = {
    "winner": WINNERS,
    "rank": _RANKS,
    "suit": _SUITS,
    "mark": (*MARKS, NO_MARK),
    "wager": tuple(WAGERS),
}
"""Tables of the writer's names for values, such as ``[values.winner]``, and their meanings."""


def numbering(column: str) -> str:
    """Return ``{seat}`` or ``{slot}`` if a column's name has one of them instead of a number."""
    return next((mark for mark in (SEAT, SLOT) if column.count(mark) == 1), "")


class MappingError(FileError):
    """An invalid mapping; ``errors`` lists all its errors."""


class RoundMapping(Struct, frozen=True):
    """How to read a round record; by default, with our own names."""

    columns: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    wagers: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    entries: Mapping[str, str] = field(default_factory=dict)
    meters: Mapping[str, str] = field(default_factory=dict)
    values: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    format: str | None = None
    delimiter: str | None = None
    spans: tuple[tuple[int, int], ...] = ()
    """First and last position of each column of a fixed-width text, as a slice."""
    encoding: str | None = None
    header: int = 1
    """The line with the column names, or a blank one before it."""
    skip: tuple[str, ...] = ()
    """Prefixes of rows that are not rounds: totals, remarks, repeated headers."""
    unit_cents: int = field(default_factory=lambda: currency_in_use().minor)
    decimal_comma: bool = False
    paid_returned: bool = False
    """Whether ``paid`` is the total returned to the bettor, including the stake."""
    vigorish_deducted: bool | None = None
    """Whether vigorish is deducted from ``paid``; ``None`` if either is accepted."""
    suit_first: bool = False
    sheet: str | None = None
    stakes: Mapping[str, object] = field(default_factory=dict)
    limits_checked: bool = True
    amounts_checked: bool = True
    """Whether columns that look like amounts have to be read."""
    tens_alike: bool = False
    """Whether a ten represents every card worth zero: ten, jack, queen, king."""
    deck: tuple[Card, ...] | None = None
    first_number: int = 0
    reshuffled: str = "never"
    """When cards are reshuffled within a shoe: ``each-round``, or at any time (``unknown``)."""
    wagered_only: bool = False
    """Whether rounds without wagers are not recorded."""

    @property
    def is_round_in_shoe(self) -> bool:
        """Whether one column has the number of the round after the name of its shoe."""
        return self.columns.get("round", ())[-1:] == self.columns.get("shoe", (None,))[-1:]


def read_mapping(path: Path, own_bets: Collection[str] = ()) -> RoundMapping:
    """Read a mapping file; ``own_bets`` are custom wagers. Raises ``FileError``."""
    file = read_toml(path)
    if not file.tables:
        raise MappingError(f"{path}: the mapping is empty; name a column, or leave out the mapping")
    return mapping_of(file.tables, own_bets, file)


def cents_in(unit: str) -> int:
    """Return the cents in one of the units of ``[money] unit``."""
    cents = currency_in_use().minor
    return {"cents": 1, "thousands": 1000 * cents}.get(unit, cents)


def mapping_of(
    tables: Mapping[str, Any], own_bets: Collection[str] = (), file: Toml | None = None
) -> RoundMapping:
    """Check a mapping's tables. Raises ``MappingError``."""
    errors, wagers = _Errors(file), (*WAGERS, *own_bets)
    known_names = (*TABLES, "columns", "wagers", "entries", "meters", "values")
    errors.unknown("", tables, known_names)
    settings = {
        (name, key): errors.one_of(f"{name}.{key}", table.get(key), values)
        for name, keys in TABLES.items()
        for table in (errors.table(tables, name, (*keys, *_NO_TEXTS.get(name, ()))),)
        for key, values in keys.items()
    }
    by_wager, stakes = _wagers(errors.table(tables, "wagers"), errors, wagers)
    header = errors.table(tables, "file").get("header")
    if header is not None and (type(header) is not int or not 1 <= header <= MOST_ABOVE):
        errors.add("file.header", f"{header!r}: write the number of a line, 1 to {MOST_ABOVE}")
        header = None
    skip = errors.table(tables, "file").get("skip", [])
    if not isinstance(skip, list) or not all(isinstance(one, str) and one.strip() for one in skip):
        errors.add("file.skip", f"{skip!r}: write a list of texts that lines to skip begin with")
        skip = []
    mapping = RoundMapping(
        columns=_columns(errors.table(tables, "columns", (*COLUMNS, *ROW_WAGER)), errors),
        wagers=by_wager,
        entries=errors.texts("entries", errors.table(tables, "entries", ENTRY_KEYS)),
        meters=errors.texts("meters", errors.table(tables, "meters")),
        values=_values(errors.table(tables, "values", tuple(VALUES)), errors, wagers),
        format=settings["file", "format"],
        delimiter=_delimiter(settings["file", "delimiter"], errors),
        spans=_spans(settings["file", "columns"], errors),
        encoding=_encoding(settings["file", "encoding"], errors),
        header=header or 1,
        skip=tuple(prefix.strip() for prefix in skip),
        unit_cents=cents_in(settings["money", "unit"] or ""),
        decimal_comma=settings["money", "decimal"] == ",",
        paid_returned=settings["money", "paid"] == "returned",
        vigorish_deducted={"deducted": True, "apart": False}.get(
            settings["money", "vigorish"] or ""
        ),
        suit_first=settings["cards", "order"] == "suit-rank",
        sheet=settings["file", "sheet"],
        stakes=stakes,
        limits_checked=settings["money", "limits"] != "unchecked",
        amounts_checked=settings["money", "amounts"] != "unchecked",
        tens_alike=settings["cards", "tens"] == "ten-valued",
        deck=_numbered_deck(settings, errors),
        first_number=int((settings["cards", "numbers"] or "").startswith("1")),
        reshuffled=settings["shoe", "reshuffled"] or "never",
        wagered_only=settings["shoe", "rounds"] == "wagered-only",
    )
    _check_twice(mapping, errors)
    if errors.found:
        raise MappingError(*errors.found)
    return mapping


class _Errors:
    def __init__(self, file: Toml | None) -> None:
        self.file = file
        self.found: list[str] = []

    def add(self, place: str, message: str) -> None:
        if len(self.found) < MAX_FAULTS:
            self.found.append(
                f"{place}: {message}" if self.file is None else self.file.located(place, message)
            )

    def unknown(self, place: str, table: Mapping[str, Any], names: tuple[str, ...]) -> None:
        for key in table:
            if key not in names:
                self.add(
                    f"{place}{key}",
                    f"unknown{did_you_mean(key, names) or ';'} known: {', '.join(names)}",
                )

    def table(
        self, tables: Mapping[str, Any], name: str, names: tuple[str, ...] = (), place: str = ""
    ) -> Mapping[str, Any]:
        table = tables.get(name, {})
        if not isinstance(table, dict):
            self.add(f"{place}{name}", "must be a table")
            return {}
        if names:
            self.unknown(f"{place}{name}.", table, names)
            return {key: value for key, value in table.items() if key in names}
        return table

    def one_of(self, place: str, value: object, values: tuple[str, ...]) -> str | None:
        if value is None:
            return None
        if not isinstance(value, str) or (values and value not in values):
            options = f"one of {', '.join(values)}" if values else "text"
            hint = did_you_mean(str(value), values)
            self.add(place, f"{readable(str(value))!r}: write {options}{hint}")
            return None
        return value

    def texts(self, place: str, table: Mapping[str, Any]) -> dict[str, str]:
        texts = {}
        for key, value in table.items():
            if isinstance(value, str) and value.strip():
                texts[key] = value.strip()
            else:
                self.add(f"{place}.{key}", f"{value!r}: write the name of a column")
        return texts


def _columns(table: Mapping[str, Any], errors: _Errors) -> dict[str, tuple[str, ...]]:
    columns = {}
    for name, value in table.items():
        names = value if isinstance(value, list) else [value]
        if not names or not all(isinstance(column, str) and column.strip() for column in names):
            errors.add(f"columns.{name}", f"{value!r}: write the name of a column")
        elif len(names) > 1 and name not in MANY_COLUMNS:
            errors.add(f"columns.{name}", f"{value!r}: give exactly one column")
        else:
            columns[name] = tuple(column_name.strip() for column_name in names)
    numbered = numbering(*columns.get("wager", ("",)))
    for name in filter(columns.__contains__, AMOUNTS):
        if "wager" not in columns:
            errors.add(
                f"columns.{name}",
                "it needs columns.wager, which names the wager of each row; a column of one "
                f"wager is named under that, as [wagers.player] {name}",
            )
        elif numbered and numbering(*columns[name]) != numbered:
            errors.add(f"columns.{name}", f"the number is missing: write {numbered} for it")
    return columns


def _wagers(
    table: Mapping[str, Any], errors: _Errors, known_names: Sequence[str]
) -> tuple[dict[str, dict[str, str]], dict[str, object]]:
    by_wager: dict[str, dict[str, str]] = {}
    stakes: dict[str, object] = {}
    errors.unknown("wagers.", table, tuple(known_names))
    for wager in table:
        columns = dict(errors.table(table, wager, tuple(AMOUNTS), "wagers."))
        place = f"wagers.{wager}"
        stake = columns.get("stake")
        if isinstance(stake, int | float) and not isinstance(stake, bool):
            stakes[wager] = columns.pop("stake")
            if not 0 < stake < _MOST_STAKE:
                errors.add(f"{place}.stake", f"{stake}: a stake is greater than zero, and finite")
            if columns.keys().isdisjoint(RESULTS):
                errors.add(place, f"a fixed stake needs a column for one of {', '.join(RESULTS)}")
        elif columns and stake is None:
            errors.add(place, "its stake is missing: name its column, or write the amount")
        by_wager[wager] = errors.texts(place, columns)
    return by_wager, stakes


def _numbered_deck(
    settings: Mapping[tuple[str, str], str | None], errors: _Errors
) -> tuple[Card, ...] | None:
    texts = {key: settings["cards", key] for key in ("numbers", "suits", "ranks", "by")}
    if not any(texts.values()):
        return None
    names = {"suits": _SUITS, "ranks": _RANKS}
    orders: dict[str, str] = {}
    for key, text in texts.items():
        if text is None:
            errors.add(f"cards.{key}", f"missing: cards by number need {_NUMBERS_NEED}")
        elif key in names:
            orders[key] = text.upper() if key == "ranks" else text.lower()
            if sorted(orders[key]) != sorted(names[key]):
                errors.add(f"cards.{key}", f"{text!r}: name each of {''.join(names[key])} once")
                return None
    if len(orders) < len(names) or texts["by"] is None or texts["numbers"] is None:
        return None
    suits, ranks = orders["suits"], orders["ranks"]
    deck = [Card.of(rank + suit) for suit in suits for rank in ranks]
    if texts["by"] == "rank":
        deck = [Card.of(rank + suit) for rank in ranks for suit in suits]
    decks = (int(texts["numbers"].partition("-")[2]) + 1) // len(deck)
    return tuple(deck * decks)


def _values(
    table: Mapping[str, Any], errors: _Errors, wagers: Sequence[str]
) -> dict[str, dict[str, str]]:
    mapped_values: dict[str, dict[str, str]] = {}
    for name in table:
        meanings = mapped_values.setdefault(name, {})
        values = tuple(wagers) if name == "wager" else VALUES[name]
        for cell_name, value in errors.table(table, name, place="values.").items():
            place = f"values.{name}.{cell_name}"
            if not cell_name.strip():
                errors.add(place, "an empty name: leave the cell blank instead")
            elif value := errors.one_of(place, value, values):
                meanings[cell_name.strip()] = value
    common_names = {rank.upper() for rank in mapped_values.get("rank", {})} & {
        suit.upper() for suit in mapped_values.get("suit", {})
    }
    for cell_name in sorted(common_names):
        errors.add(f"values.rank.{cell_name}", "it is also the name of a suit")
    return mapped_values


def _delimiter(value: str | None, errors: _Errors) -> str | None:
    if value is not None and (len(value) != 1 or value in '"\r\n'):
        errors.add("file.delimiter", f"{value!r}: write one character, such as ; or a tab")
        return None
    return value


def _spans(value: str | None, errors: _Errors) -> tuple[tuple[int, int], ...]:
    spans: list[tuple[int, int]] = []
    for span in (value or "").split(",") if value is not None else ():
        start, dash, end = (part.strip() for part in span.partition("-"))
        if not (start.isdecimal() and end.isdecimal() and dash):
            errors.add("file.columns", f"{span!r}: write positions from 1, such as 1-5,8-11")
            return ()
        spans.append((int(start) - 1, int(end)))
        if not (spans[-2][1] if len(spans) > 1 else 0) <= spans[-1][0] < spans[-1][1] < MAX_LINE:
            errors.add("file.columns", f"{span!r}: write each column after the one before it")
            return ()
    return tuple(spans)


def _encoding(value: str | None, errors: _Errors) -> str | None:
    if value is None:
        return None
    try:
        return encoding_named(value)
    except ValueError as error:
        errors.add("file.encoding", str(error))
        return None


def _check_twice(mapping: RoundMapping, errors: _Errors) -> None:
    users: dict[str, list[str]] = {}
    for name, column_names in mapping.columns.items():
        for column in column_names:
            users.setdefault(column, []).append(f"columns.{name}")
    for wager, columns in mapping.wagers.items():
        for amount, column in columns.items():
            users.setdefault(column, []).append(f"wagers.{wager}.{amount}")
    for meter, column in mapping.meters.items():
        users.setdefault(column, []).append(f"meters.{meter}")
    for column, places in users.items():
        # Several wagers may share one stake column.
        is_round_in_shoe = mapping.is_round_in_shoe and places == ["columns.shoe", "columns.round"]
        are_stakes = all(place.endswith(".stake") for place in places)
        if len(places) > 1 and not are_stakes and not is_round_in_shoe:
            errors.add(" and ".join(places), f"the column {column!r} is named more than once")
