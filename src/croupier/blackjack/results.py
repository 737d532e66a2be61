"""Reader for external rounds: JSON Lines, one for each seat of each round."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from itertools import groupby
from typing import Any, Final, NamedTuple

from msgspec import Struct, field

from croupier.blackjack.acts import (
    HandOutcome,
    RoundOutcome,
    SeatOutcome,
    outcome_errors,
)
from croupier.files.errors import did_you_mean
from croupier.files.text import parse_json


class LineError(NamedTuple):
    line: int
    message: str

    def __str__(self) -> str:
        return f"{self.line}: {self.message}"


class ResultsError(ValueError):
    """A file of rounds that cannot be played."""

    def __init__(self, errors: Iterable[LineError]) -> None:
        self.errors = tuple(errors)
        super().__init__("\n".join(map(str, self.errors)))


class SeatPlay(Struct, frozen=True):
    """The play of one seat in a round: wagers in cents, and the amount displayed."""

    seat: int
    hands: tuple[HandOutcome, ...]
    streak: Mapping[int, int] = field(default_factory=dict)
    bonus_cents: int | None = None
    shows_cents: int | None = None
    confirmed_by: str | None = None
    line: int | None = None


class RoundPlay(Struct, frozen=True):
    """A round: its number in its source, its seats, and whether the dealer had a natural."""

    number: int
    seats: tuple[SeatPlay, ...]
    dealer_natural: bool = False

    @property
    def outcome(self) -> RoundOutcome:
        seats = tuple(SeatOutcome(seat.seat, seat.hands) for seat in self.seats)
        return RoundOutcome(seats, self.dealer_natural)


# --- one line ------------------------------------------------------------------------------------


def _whole(raw: Any) -> int:
    if type(raw) is int and raw > 0:
        return raw
    raise ValueError(f"{raw!r} is not an integer greater than zero")


def _flag(raw: Any) -> bool:
    if type(raw) is bool:
        return raw
    raise ValueError(f"{raw!r} must be true or false")


def _text(raw: Any) -> str:
    if isinstance(raw, str) and raw.strip():
        return raw
    raise ValueError(f"{raw!r} must be a nonempty string")


def _hands(raw: Any) -> tuple[HandOutcome, ...]:
    words = [outcome.value for outcome in HandOutcome]
    outcomes = ", ".join(words)
    if not isinstance(raw, list) or not raw:
        raise ValueError(f"{raw!r} must be a nonempty list of hands: each {outcomes}")
    if bad_items := [item for item in raw if item not in words]:
        raise ValueError(f"{bad_items[0]!r} is not one of {outcomes}")
    return tuple(map(HandOutcome, raw))


def _streak(raw: Any) -> Mapping[int, int]:
    if not isinstance(raw, dict) or not raw:
        raise ValueError(f'{raw!r} must be cents by streak length, such as {{"2": 500}}')
    # "02" is refused, because its cents would replace those of "2".
    if bad_items := [item for item in raw if item not in map(str, range(1, 100))]:
        raise ValueError(f"{bad_items[0]!r} is not a streak length")
    return {int(length): _whole(cents) for length, cents in raw.items()}


_KEYS: Final[Mapping[str, Callable[[Any], Any]]] = {
    "round": _whole,
    "seat": _whole,
    "hands": _hands,
    "dealer_natural": _flag,
    "streak": _streak,
    "bonus": _whole,
    "shows": _whole,
    "confirmed_by": _text,
}
_NEEDED: Final = ("round", "seat", "hands")


class _Line(NamedTuple):
    number: int
    read: Mapping[str, Any]

    @property
    def dealer_natural(self) -> bool:
        return bool(self.read.get("dealer_natural", False))

    @property
    def play(self) -> SeatPlay:
        return SeatPlay(
            self.read["seat"],
            self.read["hands"],
            self.read.get("streak", {}),
            self.read.get("bonus"),
            self.read.get("shows"),
            self.read.get("confirmed_by"),
            self.number,
        )


def _read_line(number: int, text: str, errors: list[LineError]) -> _Line | None:
    try:
        raw = parse_json(text)
    except ValueError as error:
        errors.append(LineError(number, str(error)))
        return None
    if not isinstance(raw, dict):
        errors.append(LineError(number, "must be an object; see croupier help blackjack"))
        return None
    fields, errors_before = {}, len(errors)
    errors += (LineError(number, f"{key} is missing") for key in _NEEDED if key not in raw)
    for key, value in raw.items():
        reader = _KEYS.get(key)
        if reader is None:
            keys = ", ".join(_KEYS)
            errors.append(
                LineError(
                    number,
                    f"{key!r}: unknown key{did_you_mean(key, _KEYS) or ';'} the keys are {keys}",
                )
            )
            continue
        try:
            fields[key] = reader(value)
        except ValueError as error:
            errors.append(LineError(number, f"{key}: {error}"))
    if "bonus" not in raw:
        companions = (key for key in ("shows", "confirmed_by") if key in raw)
        errors += (LineError(number, f"{key}: there is no bonus wager") for key in companions)
    elif "confirmed_by" in raw and "shows" not in raw:
        errors.append(LineError(number, "confirmed_by: shows, the amount confirmed, is missing"))
    return _Line(number, fields) if len(errors) == errors_before else None


# --- the file ------------------------------------------------------------------------------------


def read_results(text: str, seats: int) -> tuple[RoundPlay, ...]:
    """Return the rounds of a JSON Lines file, for a layout of ``seats``.

    Raises ``ResultsError`` with every error.

    >>> read_results('{"round": 1, "seat": 3, "hands": ["win", "push"]}', 7)[0].outcome.seats
    (SeatOutcome(seat=3, hands=(<HandOutcome.WIN: 'win'>, <HandOutcome.PUSH: 'push'>)),)
    """
    errors: list[LineError] = []
    numbered = enumerate(text.split("\n"), start=1)
    lines_read = [_read_line(number, line, errors) for number, line in numbered if line.strip()]
    lines = [row for row in lines_read if row is not None]
    rounds = []
    latest = 0
    for number, group in groupby(lines, key=lambda line: int(line.read["round"])):
        rows = list(group)
        if number <= latest:
            message = (
                f"round {number} comes after round {latest}: rounds must be in ascending order, "
                "each once"
            )
            errors.append(LineError(rows[0].number, message))
        latest = max(latest, number)
        errors += _round_errors(rows, seats)
        plays = tuple(row.play for row in rows)
        rounds.append(RoundPlay(number, plays, dealer_natural=rows[0].dealer_natural))
    if errors:
        raise ResultsError(sorted(errors))
    return tuple(rounds)


def _round_errors(lines: list[_Line], seats: int) -> Iterator[LineError]:
    first_line = lines[0]
    seats_seen: set[int] = set()
    for line in lines:
        play = line.play
        if play.seat > seats:
            message = f"there is no seat {play.seat}: the layout has {seats}"
            yield LineError(line.number, message)
        if play.seat in seats_seen:
            yield LineError(line.number, f"seat {play.seat} is recorded twice in the round")
        seats_seen.add(play.seat)
        if line.dealer_natural != first_line.dealer_natural:
            message = f"dealer_natural differs from line {first_line.number} of the same round"
            yield LineError(line.number, message)
        seat_outcome = RoundOutcome((SeatOutcome(play.seat, play.hands),), line.dealer_natural)
        yield from (LineError(line.number, detail) for detail in outcome_errors(seat_outcome))
