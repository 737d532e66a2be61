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

from croupier.baccarat.wagers import (
    FACTS,
    LOSE,
    NO_FACT,
    PUSH,
    WAGERS,
    ByFacts,
    Wager,
    When,
    errors_in,
    facts_wager,
)
from croupier.files.errors import MAX_FAULTS, FileError
from croupier.files.suggest import did_you_mean
from croupier.files.toml import Toml, read_toml
from croupier.frozen import replace
from croupier.law.values import Kind, Odds, cents_of, parse_value
from croupier.odds.par import census_of
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Award, Limit, Offer, Pays, TableRules

__all__ = ["CustomWagerError", "custom_offer", "read_wager"]

MOST_TABLE_DECKS: Final = 8
"""Of so many decks every round can be dealt that can be dealt of more."""

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


def read_wager(path: Path, rules: TableRules | None = None) -> Offer:
    """Read a wager from its TOML file.

    With ``rules`` every line must come about at their table. Raises ``CustomWagerError`` with every
    error.
    """
    try:
        file = read_toml(path)
    except FileError as error:
        raise CustomWagerError(error.errors) from error
    offer = wager_of(file)
    if rules is not None and (errors := _dead_lines(offer, rules, file)):
        raise CustomWagerError(errors)
    return offer


def _dead_lines(offer: Offer, rules: TableRules, file: Toml) -> list[str]:
    """Return an error for each line that is never hit: it cannot come, or others take it all."""
    decide = offer.wager.line_of
    if not isinstance(decide, ByFacts):
        return []
    facts = list(census_of(ShoeComposition.of_decks(MOST_TABLE_DECKS), rules, offer.wager.asks))
    errors = []
    for number, (_, when) in enumerate(decide.lines):
        held = [one for one in facts if when.holds(one)]
        before = [
            at
            for at, (_, other) in enumerate(decide.lines[:number])
            if any(other.holds(one) for one in held)
        ]
        taken = all(any(decide.lines[at][1].holds(one) for at in before) for one in held)
        if not held:
            message = "it can never be hit: no round comes to that"
        elif taken:
            lines = " and ".join(f"line {at + 1}" for at in before)
            message = f"it can never be hit: {lines} always hit first"
        else:
            continue
        errors.append(f"{file.place(f'line[{number + 1}].when')}: line {number + 1}: {message}")
    return errors


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
    """Read a wager from its tables. Raises ``CustomWagerError`` with every error."""
    errors = _Errors(file)
    tables = file.tables
    head = _table(tables.get("wager"))
    name, title = head.get("id"), head.get("title")
    if not isinstance(name, str) or not name.isidentifier() or name in WAGERS:
        errors.add("wager.id", "[wager] id: write a unique id, such as lucky_6")
    if not isinstance(title, str) or not title:
        errors.add("wager.title", "[wager] title: write the title of the wager")
    for key in sorted(set(tables) - set(_TABLES)):
        hint = did_you_mean(key, _TABLES) or ";"
        errors.add(key, f"unknown table {key!r}{hint} known: {', '.join(_TABLES)}")
    errors.unknown(head, ("id", "title", "stake", "award_is", "source"), "wager", "[wager]")
    stake = _stake(head, errors)
    meters = _meters(_table(tables.get("meter")), errors)
    keeps = head.get("award_is", "to-one") == "for-one"
    if head.get("award_is", "to-one") not in {"to-one", "for-one"}:
        errors.add("wager.award_is", "[wager] award_is: write to-one or for-one")
    terms = _Terms(stake, meters, keeps)
    raw = _listed(tables.get("line"))
    lines = [_line(one, at, terms, errors) for at, one in enumerate(raw[:_MAX_LINES], start=1)]
    if not 1 <= len(raw) <= _MAX_LINES:
        errors.add("line", f"[[line]]: a wager has 1 to {_MAX_LINES} lines, not {len(raw)}")
    # Pushes need no names: whatever is void is void.
    counts = Counter(one.name for one in lines if one.name != PUSH)
    for twice in sorted(one for one, count in counts.items() if count > 1):
        errors.add("line", f"two lines have the name {twice}")
    paid = {one.pays.meter for one in lines if isinstance(one.pays, Award)}
    for unpaid in sorted(set(meters) - paid):
        errors.add(f"meter.{unpaid}", f"meter {unpaid}: no line pays it")
    if errors.found:
        raise CustomWagerError(errors.found)
    wager = facts_wager(str(name), str(title), [(one.name, one.when) for one in lines])
    return _offer(replace(wager, meters=tuple(meters)), lines, terms, tables)


_TABLES: Final = ("wager", "line", "meter")


class _Terms(NamedTuple):
    """What the lines of a wager share: its fixed stake, its meters, and whether awards keep it."""

    stake_cents: int | None
    meters: Mapping[str, int]
    keeps_stake: bool


def _offer(
    wager: Wager, lines: Sequence[_Line], terms: _Terms, tables: Mapping[str, object]
) -> Offer:
    pays = {one.name: one.pays for one in lines if one.pays is not None}
    odds = [one for one in pays.values() if isinstance(one, Odds)]
    unit_cents = lcm(*(one.stake // gcd(*one) for one in odds))
    stake = terms.stake_cents
    return Offer(
        wager,
        pays,
        None if stake is None else Limit(stake, stake),
        unit_cents,
        (),
        dict.fromkeys((*pays, LOSE, PUSH), ()),
        seeds=terms.meters,
        definition=tables,
    )


def _table(raw: object) -> Mapping[str, object]:
    return raw if isinstance(raw, dict) else {}


def _listed(raw: object) -> list[object]:
    return raw if isinstance(raw, list) else []


def _stake(head: Mapping[str, object], errors: _Errors) -> int | None:
    """Return the stake in cents that awards are paid for, if there is one."""
    told = head.get("stake")
    if told is None:
        return None
    try:
        return cents_of(told if isinstance(told, str) else "")
    except ValueError:
        errors.add("wager.stake", '[wager] stake: write an amount of dollars, as "5.00"')
        return None


def _meters(tables: Mapping[str, object], errors: _Errors) -> dict[str, int]:
    """Return the seeds of the meters in cents, by name."""
    seeds: dict[str, int] = {}
    for name, raw in tables.items():
        table = _table(raw)
        errors.unknown(table, ("seed", "increment"), f"meter.{name}", f"meter {name}")
        seed, increment = table.get("seed"), table.get("increment", "0%")
        try:
            seeds[name] = cents_of(seed if isinstance(seed, str) else "")
        except ValueError:
            errors.add(f"meter.{name}", f'meter {name}: seed: write an amount, as "1000.00"')
        try:
            parse_value(Kind.RATE, increment)
        except ValueError:
            errors.add(f"meter.{name}", f'meter {name}: increment: write a rate, as "5%"')
    return seeds


def _line(raw: object, number: int, terms: _Terms, errors: _Errors) -> _Line:
    at, of = f"line[{number}]", f"line {number}"
    table = _table(raw)
    errors.unknown(table, ("name", "when", "pays"), at, of)
    name = table.get("name", f"line_{number}")
    if not isinstance(name, str) or name in {LOSE, PUSH}:
        errors.add(f"{at}.name", f"{of}: name: write a word other than lose or push")
    when = _table(table.get("when"))
    for key, error in errors_in(when):
        last = key.rpartition(".")[2]
        hint = did_you_mean(last, (*FACTS, "any", "all", "not")) if error == NO_FACT else ""
        hint = hint or ("; `croupier schema own-wager` lists them" if error == NO_FACT else "")
        message = f"{of}: {key or 'when'}{error}{hint}".rstrip(";")
        errors.add(f"{at}.when.{key}" if key else f"{at}.when", message)
    pays = _pays(table.get("pays"), (at, of), terms, errors)
    return _Line(str(name) if table.get("pays") != "push" else PUSH, when, pays)


def _pays(told: object, place: tuple[str, str], terms: _Terms, errors: _Errors) -> Pays:
    """Return what a line pays: odds, an amount, what a meter shows, or nothing for a push."""
    at, of = place
    if told == "push":
        return None
    meter = _table(told).get("meter")
    try:
        if isinstance(meter, str) and meter in terms.meters and terms.stake_cents:
            return Award(0, meter, terms.keeps_stake)
        if isinstance(told, str) and told.startswith("$") and terms.stake_cents:
            return Award(cents_of(told[1:].replace(",", "")), None, terms.keeps_stake)
        if isinstance(told, str) and not told.startswith("$"):
            return Odds.parse(told)
    except ValueError as error:
        errors.add(f"{at}.pays", f"{of}: {error}")
        return None
    how = f'{of}: pays: write odds, such as "12:1", or "push"'
    if not terms.stake_cents:
        how += '; an amount ("$500") and a meter need [wager] stake = "5.00"'
    else:
        how += ', an amount ("$500"), or { meter = "name" } of a [meter.name]'
    errors.add(f"{at}.pays", how)
    return None
