"""Shapes: parameterized families of wagers, for the catalog and law files."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any, Final, TypeAlias

from msgspec import Struct
from msgspec.structs import replace

from croupier.baccarat.coup import CardFacts, Facts, Hand, is_natural, written
from croupier.baccarat.wagers.facts import COMPARED, FACTS, NO_FACT, comparison_error, unfit
from croupier.baccarat.wagers.record import LOSE, PUSH, Wager

When: TypeAlias = Mapping[str, object]
"""Facts by value, values, or range ``{from, to}``; ``any`` and ``all`` are lists, ``not`` one."""

_ANY, _ALL, _NOT = "any", "all", "not"
_DEEPEST: Final = 8


class Condition(Struct, frozen=True):
    """A condition on the facts of a coup, satisfied if all its tests are."""

    facts: tuple[tuple[str, tuple[object, ...]], ...] = ()
    parts: tuple[Condition, ...] = ()
    of_any: bool = False
    negated: bool = False

    def holds(self, facts: Facts) -> bool:
        # A plain loop, because it runs for some hundred thousand hands.
        for name, values in self.facts:
            if FACTS[name].find(facts) not in values:
                return self.negated
        if self.parts:
            results = (part.holds(facts) for part in self.parts)
            return (any(results) if self.of_any else all(results)) is not self.negated
        return not self.negated

    @property
    def asked(self) -> Iterator[str]:
        yield from (name for name, _ in self.facts)
        for part in self.parts:
            yield from part.asked


def condition(when: When) -> Condition:
    """Build a valid condition.

    >>> either = condition({"any": [{"player_pair": True}, {"banker_pair": True}]})
    >>> either.holds(Facts(2, 6, 2, 3, banker_pair=True)), either.holds(Facts(2, 6, 2, 3))
    (True, False)
    """
    tests = tuple(
        (name, _values(name, value))
        for name, value in when.items()
        if name not in {_ANY, _ALL, _NOT}
    )
    parts = []
    for name, value in when.items():
        if name in {_ANY, _ALL} and isinstance(value, list):
            parts.append(Condition((), tuple(map(condition, value)), of_any=name == _ANY))
        if name == _NOT and isinstance(value, Mapping):
            parts.append(Condition((), (condition(value),), negated=True))
    return Condition(tests, tuple(parts))


def _values(name: str, value: object) -> tuple[object, ...]:
    if isinstance(value, Mapping):
        low, high = value.get("from"), value.get("to")
        values = FACTS[name].values
        return values[values.index(low) : values.index(high) + 1]
    values = tuple(value) if isinstance(value, (list, tuple)) else (value,)
    return tuple(_in_order(name, item) for item in values)


def _in_order(name: str, value: object) -> object:
    turned = value[::-1] if isinstance(value, str) and name.endswith("_two_ranks") else value
    return value if unfit(name, value) is None else turned


def errors_in(when: When, depth: int = 0) -> list[tuple[str, str]]:
    """Errors of a condition: the key path, and the message.

    >>> errors_in({"winner": ["banker", "house"]})
    [('winner', " = 'house': write player, banker, or tie")]
    >>> errors_in({"not": {"margin": -1}})
    [('not.margin', ' = -1: write an integer from 0 to 9')]
    """
    errors: list[tuple[str, str]] = []
    if not when:
        return [("", ": write what must be true, as { winner = 'banker' }")]
    if depth > _DEEPEST:
        return [("", f": conditions lie more than {_DEEPEST} deep")]
    for name, value in when.items():
        if name in {_ANY, _ALL}:
            errors += _errors_in_list(name, value, depth)
        elif name == _NOT:
            inner = value if isinstance(value, Mapping) else {}
            errors += [(_joined(name, key), error) for key, error in errors_in(inner, depth + 1)]
        else:
            no_fact = None if name in FACTS else NO_FACT
            problem = comparison_error(name) if COMPARED.search(name) else no_fact
            problems = [problem] if problem else _errors_in_value(name, value)
            errors += [(name, error) for error in problems]
    return errors


def _joined(name: str, key: str) -> str:
    return f"{name}.{key}" if key else name


def _errors_in_list(name: str, value: object, depth: int) -> list[tuple[str, str]]:
    if not isinstance(value, list) or not value or not all(isinstance(o, Mapping) for o in value):
        return [(name, ": write a list of conditions, as [{ winner = 'banker' }, { cards = 4 }]")]
    return [
        (_joined(f"{name}[{number}]", key), error)
        for number, item in enumerate(value, start=1)
        for key, error in errors_in(item, depth + 1)
    ]


def _errors_in_value(name: str, value: object) -> Iterator[str]:
    if isinstance(value, Mapping):
        low, high = value.get("from"), value.get("to")
        values = FACTS[name].values
        if set(value) != {"from", "to"} or low not in values or high not in values:
            yield f" = {dict(value)!r}: write {{ from = {values[0]!r}, to = {values[-1]!r} }}"
        elif values.index(low) > values.index(high):
            yield f" = {dict(value)!r}: nothing lies from {low!r} to {high!r}"
        return
    items = value if isinstance(value, (list, tuple)) else (value,)
    if not items:
        yield " = []: a fact has one of some values; name them"
    for entry in items:
        problem = unfit(name, _in_order(name, entry))
        if problem is not None:
            yield f" = {entry!r}: {problem}"


CARDS: Final = "cards"
"""Marker for wagers that depend on cards."""

_PAIRS: Final = frozenset({"pairs", "player_pair", "banker_pair"})
BONUS_LEAST_MARGIN: Final = 4
"""Minimum margin of a bonus hand without a natural."""


class ByFacts(Struct, frozen=True):
    """Decides a wager by the first satisfied line; otherwise it loses."""

    lines: tuple[tuple[str, Condition], ...]

    @classmethod
    def of(cls, lines: Iterable[tuple[str, When]]) -> ByFacts:
        return cls(tuple((line, condition(when)) for line, when in lines))

    def __call__(self, facts: Facts) -> str:
        for line, when in self.lines:
            if when.holds(facts):
                return line
        return LOSE

    @property
    def asked(self) -> frozenset[str]:
        return frozenset(name for _, when in self.lines for name in when.asked)

    def say(self, facts: Facts) -> str:
        facts_asked = self.asked
        phrases = []
        if facts_asked & _PAIRS:
            hands = (("Player", facts.player_pair), ("Banker", facts.banker_pair))
            pairs = [name for name, pair in hands if pair]
            # A wager on the pair of one hand may lose when the other has one.
            suffix = "" if len(pairs) != 1 else " alone"
            phrases.append(f"{' and '.join(pairs) or 'neither hand'}{suffix} began with a pair")
        if "cards" in facts_asked:
            phrases.append(f"{facts.cards} cards were required")
        of_cards = frozenset(name for name in facts_asked - _PAIRS if FACTS[name].parts)
        if of_cards and isinstance(facts, CardFacts):
            player_cards, banker_cards = written(facts.player_dealt), written(facts.banker_dealt)
            phrases.append(f"the cards are Player {player_cards}, Banker {banker_cards}")
        if facts_asked - _PAIRS - of_cards - {"cards"}:
            phrases.append(_say_hands(facts, facts_asked))
        return " and ".join(phrases)


def _say_hands(facts: Facts, names: frozenset[str]) -> str:
    player, banker = f"{facts.player_count}", f"{facts.banker_count}"
    player_suffix = f" with {facts.player_cards} cards" if "player_cards" in names else ""
    banker_suffix = f" with {facts.banker_cards} cards" if "banker_cards" in names else ""
    if banker_suffix and not player_suffix:
        return f"Banker has {banker}{banker_suffix}, Player {player}"
    return f"Player has {player}{player_suffix}, Banker {banker}{banker_suffix}"


def facts_wager(
    wager_id: str, title: str, lines: Sequence[tuple[str, When]], **record: Any
) -> Wager:
    """Wager with lines by facts, evaluated in order.

    >>> lucky = facts_wager("lucky_6", "Lucky 6", [
    ...     ("two_cards", {"winner": "banker", "banker_count": 6, "banker_cards": 2}),
    ...     ("three_cards", {"winner": "banker", "banker_count": 6, "banker_cards": 3}),
    ... ])
    >>> lucky.line_of(Facts(2, 6, 2, 3)), lucky.say(Facts(2, 6, 2, 3))
    ('three_cards', 'Banker has 6 with 3 cards, Player 2')
    """
    decide = ByFacts.of(lines)
    names = decide.asked
    fields = (*(("counts",) if names - _PAIRS else ()), *(("pairs",) if names & _PAIRS else ()))
    if any(FACTS[name].parts for name in names - _PAIRS):
        fields = (CARDS, *sorted(names))
    winning = tuple(dict.fromkeys(line for line, _ in lines if line != PUSH))
    return Wager(wager_id, title, winning, decide, decide.say, fields, **record)


class ByMargin(Struct, frozen=True):
    """Decides a wager won by one hand's natural, or by a margin."""

    hand: Hand
    least: int = BONUS_LEAST_MARGIN

    def _both(self, facts: Facts) -> tuple[int, bool, int, bool]:
        player = facts.player_count, is_natural(facts.player_count, facts.player_cards)
        banker = facts.banker_count, is_natural(facts.banker_count, facts.banker_cards)
        return (*player, *banker) if self.hand is Hand.PLAYER else (*banker, *player)

    def __call__(self, facts: Facts) -> str:
        """Line hit: equal naturals push."""
        count, natural, other_count, against_natural = self._both(facts)
        if natural:
            if not against_natural or count > other_count:
                return "natural"
            return PUSH if count == other_count else LOSE
        margin = count - other_count
        return f"win_by_{margin}" if margin >= self.least else LOSE

    def ground_of(self, facts: Facts) -> str:
        count, natural, other_count, against_natural = self._both(facts)
        line = self(facts)
        if line == "natural":
            return "natural_9_over_8" if against_natural else "natural_over_none"
        if line == LOSE:
            if natural:
                return "natural_8_under_9"
            return "not_ahead" if count <= other_count else "ahead_by_too_little"
        return line

    def say(self, facts: Facts) -> str:
        hands = (
            ("Player", facts.player_count, facts.player_cards),
            ("Banker", facts.banker_count, facts.banker_cards),
        )
        sentence = " and ".join(
            f"{name} has {'a natural ' if is_natural(count, cards) else ''}{count}"
            for name, count, cards in hands
        )
        if self.ground_of(facts) != "ahead_by_too_little":
            return sentence
        return f"{sentence}: ahead by less than {_NUMBERS[self.least]}, without a natural"


_NUMBERS: Final = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine")
_MARGIN_GROUNDS: Final = {
    "natural_over_none": "natural",
    "natural_9_over_8": "natural",
    "natural_8_under_9": LOSE,
    "not_ahead": LOSE,
    "ahead_by_too_little": LOSE,
}


def margin_wager(
    wager_id: str, title: str, hand: Hand, least: int = BONUS_LEAST_MARGIN, **record: Any
) -> Wager:
    """Wager won by a hand's natural or margin.

    >>> bonus = margin_wager("bonus", "Bonus", Hand.BANKER)
    >>> bonus.lines[-1], bonus.line_of(Facts(1, 7, 3, 2))
    ('win_by_4', 'win_by_6')
    """
    decide = ByMargin(hand, least)
    lines = ("natural", *(f"win_by_{margin}" for margin in range(9, least - 1, -1)))
    ground_of, grounds = decide.ground_of, _MARGIN_GROUNDS
    return Wager(
        wager_id, title, lines, decide, decide.say, ground_of=ground_of, grounds=grounds, **record
    )


def _read_facts(data: Mapping[str, Any], record: Wager, errors: list[str]) -> Wager:
    lines = data.get("lines")
    if not isinstance(lines, Mapping) or not lines:
        errors.append(
            "lines: write each line with its facts, such as { win = { winner = 'banker' } }"
        )
        return record
    conditions: list[tuple[str, When]] = []
    for line, when in lines.items():
        if not isinstance(when, Mapping) or not when:
            errors.append(f"lines.{line}: write the condition, such as {{ winner = 'banker' }}")
            continue
        errors += [f"lines.{line}.{key}{error}" for key, error in errors_in(when)]
        conditions.append((line, when))
    if LOSE in lines:
        errors.append("lines.lose: a wager that hits no line loses: remove it")
    return record if errors else facts_wager(record.id, record.title, conditions)


def _read_margin(data: Mapping[str, Any], record: Wager, errors: list[str]) -> Wager:
    hand, minimum = data.get("hand"), data.get("least", BONUS_LEAST_MARGIN)
    hands = [member for member in Hand if member.value == hand]
    if not hands:
        errors.append(f"hand = {hand!r}: write player or banker")
    if type(minimum) is not int or not 1 <= minimum <= 9:
        errors.append(f"least = {minimum!r}: write an integer from 1 to 9")
    return record if errors else margin_wager(record.id, record.title, hands[0], minimum)


_Reader: TypeAlias = Callable[[Mapping[str, Any], Wager, list[str]], Wager]

SHAPES: Final[Mapping[str, tuple[tuple[str, ...], _Reader]]] = {
    "facts": (("lines",), _read_facts),
    "margin": (("hand", "least"), _read_margin),
}
"""Each shape by name: its parameters, and its builder."""


def shaped_wager(wager_id: str, data: Mapping[str, Any], offered_by: str) -> Wager:
    """Wager of a shape. Raises ``ValueError`` with every error.

    >>> data = {"shape": "facts", "title": "Egalite 6", "lines": {"win": {"winner": "tie"}}}
    >>> shaped_wager("egalite_6", data, "wagers.egalite_6").paid_by
    'wagers.egalite_6.pays'
    """
    name = data.get("shape")
    if not isinstance(name, str) or name not in SHAPES:
        raise ValueError(f"shape = {name!r}: no such shape; the shapes are {', '.join(SHAPES)}")
    parameters, read_shape = SHAPES[name]
    keys = ("shape", "title", *parameters)
    errors = [
        f"unknown key {key!r}; the keys are {', '.join(keys)}" for key in data if key not in keys
    ]
    title = data.get("title")
    if not isinstance(title, str) or not title:
        errors.append("title: write the title of the wager")
    bare = Wager(wager_id, str(title), (), lambda _: LOSE)
    wager = read_shape(data, bare, errors)
    if errors:
        raise ValueError("; ".join(errors))
    return replace(wager, offered_under=offered_by, paid_under=f"{offered_by}.pays")
