"""Custom wagers: a small TOML paytable over the facts of a coup, or a Python function.

Such a wager stands beside those of the law and is weighed, settled and simulated like them. No law
names it, so it has no clause; no table log holds it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from math import gcd, lcm
from pathlib import Path
from typing import Final, NamedTuple

from croupier.baccarat.wagers import FACTS, LOSE, PUSH, WAGERS, Wager, When, facts_wager, unfit
from croupier.files.errors import MAX_FAULTS, FileError
from croupier.files.suggest import did_you_mean
from croupier.files.toml import Toml, read_toml
from croupier.law.values import Odds
from croupier.rules import Offer, Pays

__all__ = ["CustomWagerError", "custom_offer", "read_wager"]

_MAX_LINES: Final = 100
"""More lines than any pay table has."""


class CustomWagerError(ValueError):
    """A wager that cannot be read; ``errors`` lists all that is wrong with it."""

    def __init__(self, errors: Sequence[str]) -> None:
        super().__init__("\n".join(errors))
        self.errors = tuple(errors)


class _Line(NamedTuple):
    name: str
    when: When
    pays: Pays


def custom_offer(wager: Wager, pays: Mapping[str, Odds | None]) -> Offer:
    """Return the offer of a wager that a Python function decides, with what its lines pay.

    Raises ``CustomWagerError`` where a line pays nothing, or the wager has the name of one of the
    law.

    >>> from croupier.baccarat.coup import Facts
    >>> def tiger(facts: Facts) -> str:
    ...     won = facts.banker_count == 6 and facts.player_count < 6
    ...     return f"{facts.banker_cards}_cards" if won else "lose"
    >>> offer = custom_offer(
    ...     Wager("tiger", "Tiger", ("2_cards", "3_cards"), tiger),
    ...     {"2_cards": Odds(12, 1), "3_cards": Odds(20, 1)},
    ... )
    >>> offer.decide(Facts(2, 6, 2, 3)).odds
    Odds(pays=20, stake=1)
    """
    errors = [f"{wager.id}: {line} pays nothing" for line in wager.lines if line not in pays]
    if wager.id in WAGERS:
        errors.append(f"{wager.id}: the regulation has a wager with that id")
    if "royals" in wager.asks and len(wager.asks) > 1:
        errors.append(f"{wager.id}: Royal 9 facts cannot be combined with {wager.asks}")
    if errors:
        raise CustomWagerError(errors)
    grounds = (*pays, LOSE, PUSH)
    odds = [one for one in pays.values() if one is not None]
    # Every line is paid in whole cents.
    unit_cents = lcm(*(one.stake // gcd(*one) for one in odds))
    return Offer(wager, dict(pays), None, unit_cents, (), dict.fromkeys(grounds, ()))


def read_wager(path: Path) -> Offer:
    """Read a wager from its TOML file. Raises ``CustomWagerError`` with every fault."""
    try:
        file = read_toml(path)
    except FileError as error:
        raise CustomWagerError(error.errors) from error
    return wager_of(file)


class _Errors:
    """Gathers what is wrong with a wager's file, each with its place in it."""

    def __init__(self, file: Toml) -> None:
        self.file = file
        self.found: list[str] = []

    def add(self, key: str, message: str) -> None:
        if len(self.found) < MAX_FAULTS:
            self.found.append(f"{self.file.place(key)}: {message}")

    def unknown(self, table: Mapping[str, object], known: Sequence[str], key: str, of: str) -> None:
        """Note every key that is unknown: a typing error would pass for its absence."""
        for one in table:
            if one not in known and len(self.found) < MAX_FAULTS:
                hint = did_you_mean(one, known) or ";"
                message = f"{of}: unknown key {one!r}{hint} known: {', '.join(known)}"
                self.add(f"{key}.{one}", message)


def wager_of(file: Toml) -> Offer:
    """Read a wager from its tables. Raises ``CustomWagerError`` with every fault."""
    errors = _Errors(file)
    tables = file.tables
    head = tables.get("wager")
    head = head if isinstance(head, dict) else {}
    name, title = head.get("id"), head.get("title")
    if not isinstance(name, str) or not name.isidentifier() or name in WAGERS:
        errors.add("wager.id", "[wager] id: write a unique id, such as lucky_6")
    if not isinstance(title, str) or not title:
        errors.add("wager.title", "[wager] title: write the title of the wager")
    for key in sorted(set(tables) - {"wager", "line"}):
        hint = did_you_mean(key, ("wager", "line")) or ";"
        errors.add(key, f"unknown table {key!r}{hint} known: wager, line")
    errors.unknown(head, ("id", "title"), "wager", "[wager]")
    raw = _listed(tables.get("line"))
    lines = [_line(one, at, errors) for at, one in enumerate(raw[:_MAX_LINES], start=1)]
    if not 1 <= len(raw) <= _MAX_LINES:
        errors.add("line", f"[[line]]: a wager has 1 to {_MAX_LINES} lines, not {len(raw)}")
    # Pushes need no names: whatever is void is void.
    counts = Counter(one.name for one in lines if one.name != PUSH)
    for twice in sorted(one for one, count in counts.items() if count > 1):
        errors.add("line", f"two lines have the name {twice}")
    if errors.found:
        raise CustomWagerError(errors.found)
    wager = facts_wager(str(name), str(title), [(one.name, one.when) for one in lines])
    return custom_offer(wager, {one.name: one.pays for one in lines if isinstance(one.pays, Odds)})


def _listed(raw: object) -> list[object]:
    return raw if isinstance(raw, list) else []


def _line(raw: object, number: int, errors: _Errors) -> _Line:
    at, of = f"line[{number}]", f"line {number}"
    table = raw if isinstance(raw, dict) else {}
    errors.unknown(table, ("name", "when", "pays"), at, of)
    name = table.get("name", f"line_{number}")
    if not isinstance(name, str) or name in {LOSE, PUSH}:
        errors.add(f"{at}.name", f"{of}: name: write a word other than lose or push")
    when = table.get("when")
    if not isinstance(when, dict) or not when:
        errors.add(
            f"{at}.when", f"{of}: when: write the condition, such as {{ winner = 'banker' }}"
        )
        when = {}
    for key, value in when.items():
        if key not in FACTS:
            hint = did_you_mean(key, FACTS) or ";"
            message = f"{of}: {key}: no such fact{hint} known: {', '.join(FACTS)}"
            errors.add(f"{at}.when.{key}", message)
            continue
        for one in value if isinstance(value, list) else (value,):
            if (why := unfit(key, one)) is not None:
                errors.add(f"{at}.when.{key}", f"{of}: {key} = {one!r}: {why}")
    pays: Pays = None
    told = table.get("pays")
    if told != "push":
        try:
            pays = Odds.parse(told) if isinstance(told, str) else None
        except ValueError as error:
            errors.add(f"{at}.pays", f"{of}: {error}")
        if not isinstance(told, str):
            errors.add(f"{at}.pays", f'{of}: pays: write odds, such as "12:1", or "push"')
    return _Line(str(name) if told != "push" else PUSH, when, pays)
