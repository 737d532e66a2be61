"""Custom wagers: a small TOML pay table over the facts of a coup."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from typing import Final, NamedTuple

from msgspec.structs import replace

from croupier.baccarat.wagers import (
    FACTS,
    LOSE,
    NO_FACT,
    PUSH,
    WAGERS,
    Wager,
    When,
    errors_in,
    facts_wager,
)
from croupier.files.errors import MAX_FAULTS, did_you_mean
from croupier.files.toml import Toml
from croupier.law.usage import amount_of, currency_in_use
from croupier.law.values import Kind, Odds, parse_value
from croupier.rules.offers import Award, CustomWagerError, Offer, Pays, unit_of
from croupier.rules.submission import Limit, limit_of

__all__ = ["wager_of", "with_limits"]

_MAX_LINES: Final = 100
"""Maximum plausible number of pay table lines."""


class _Line(NamedTuple):
    name: str
    when: When
    pays: Pays


class _Errors:
    def __init__(self, file: Toml) -> None:
        self.file = file
        self.found: list[str] = []

    def add(self, key: str, message: str) -> None:
        if len(self.found) < MAX_FAULTS:
            self.found.append(f"{self.file.place(key)}: {message}")

    def unknown(self, table: Mapping[str, object], known: Sequence[str], key: str, of: str) -> None:
        """Report unknown keys: a misspelled one would count as missing."""
        for name in table:
            if name not in known and len(self.found) < MAX_FAULTS:
                hint = did_you_mean(name, known) or ";"
                message = f"{of}: unknown key {name!r}{hint} known: {', '.join(known)}"
                self.add(f"{key}.{name}", message)


def offer_of_definition(definition: Mapping[str, object]) -> Offer:
    return wager_of(Toml(Path("own"), dict(definition), {}))


def with_limits(offer: Offer, limits: Sequence[str]) -> Offer:
    head = {**_table(offer.definition.get("wager")), "limits": list(limits)}
    return offer_of_definition({**offer.definition, "wager": head})


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
    errors.unknown(head, _HEAD, "wager", "[wager]")
    stake = _stake(head, errors)
    meters = _meters(_table(tables.get("meter")), errors)
    keeps = head.get("award_is", "to-one") == "for-one"
    if head.get("award_is", "to-one") not in {"to-one", "for-one"}:
        errors.add("wager.award_is", "[wager] award_is: write to-one or for-one")
    terms = _Terms(stake, meters, keeps)
    limit = _limit(head, stake, errors)
    items = tables.get("line")
    raw = items if isinstance(items, list) else []
    lines = [_line(item, at, terms, errors) for at, item in enumerate(raw[:_MAX_LINES], start=1)]
    if not 1 <= len(raw) <= _MAX_LINES:
        errors.add("line", f"[[line]]: a wager has 1 to {_MAX_LINES} lines, not {len(raw)}")
    # A push needs no name.
    counts = Counter(line.name for line in lines if line.name != PUSH)
    for line_name in sorted(line_name for line_name, count in counts.items() if count > 1):
        errors.add("line", f"two lines have the name {line_name}")
    meters_paid = {line.pays.meter for line in lines if isinstance(line.pays, Award)}
    for unpaid in sorted(set(meters) - meters_paid):
        errors.add(f"meter.{unpaid}", f"meter {unpaid}: no line pays it")
    if errors.found:
        raise CustomWagerError(errors.found)
    wager = facts_wager(str(name), str(title), [(line.name, line.when) for line in lines])
    return _offer(replace(wager, meters=tuple(meters)), lines, terms, tables, limit)


_TABLES: Final = ("wager", "line", "meter")
_HEAD: Final = ("id", "title", "stake", "limits", "award_is", "source")


class _Meter(NamedTuple):
    seed_cents: int
    increment: Fraction


class _Terms(NamedTuple):
    stake_cents: int | None
    meters: Mapping[str, _Meter]
    keeps_stake: bool


def _offer(
    wager: Wager,
    lines: Sequence[_Line],
    terms: _Terms,
    tables: Mapping[str, object],
    limit: Limit | None,
) -> Offer:
    pays = {line.name: line.pays for line in lines if line.name != PUSH}
    return Offer(
        wager,
        pays,
        limit,
        unit_of(pays),
        (),
        dict.fromkeys((*pays, LOSE, PUSH), ()),
        seeds={name: meter.seed_cents for name, meter in terms.meters.items()},
        increments={name: meter.increment for name, meter in terms.meters.items()},
        definition=tables,
    )


def _table(raw: object) -> Mapping[str, object]:
    return raw if isinstance(raw, dict) else {}


def _stake(head: Mapping[str, object], errors: _Errors) -> int | None:
    value = head.get("stake")
    if value is None:
        return None
    try:
        return amount_of(value if isinstance(value, str) else "")
    except ValueError:
        example = f'"{currency_in_use().plain(500)}"'
        errors.add("wager.stake", f"[wager] stake: write an amount as text, such as {example}")
        return None


def _limit(head: Mapping[str, object], stake: int | None, errors: _Errors) -> Limit | None:
    value = head.get("limits")
    if value is None:
        return None if stake is None else Limit(stake, stake)
    if stake is not None:
        errors.add("wager.limits", "[wager] limits: this wager has a fixed stake; remove them")
        return None
    try:
        return limit_of(value)
    except ValueError as error:
        errors.add("wager.limits", f"[wager] limits: {error}")
        return None


def _meters(tables: Mapping[str, object], errors: _Errors) -> dict[str, _Meter]:
    meters: dict[str, _Meter] = {}
    for name, raw in tables.items():
        table = _table(raw)
        errors.unknown(table, ("seed", "increment"), f"meter.{name}", f"meter {name}")
        seed, increment = table.get("seed"), table.get("increment", "0%")
        cents, share = 0, Fraction()
        try:
            cents = amount_of(seed if isinstance(seed, str) else "")
        except ValueError:
            errors.add(f"meter.{name}", f'meter {name}: seed: write an amount, as "1000.00"')
        try:
            share = Fraction(str(parse_value(Kind.RATE, increment)))
        except ValueError:
            errors.add(f"meter.{name}", f'meter {name}: increment: write a rate, as "5%"')
        meters[name] = _Meter(cents, share)
    return meters


def _line(raw: object, number: int, terms: _Terms, errors: _Errors) -> _Line:
    path, label = f"line[{number}]", f"line {number}"
    table = _table(raw)
    errors.unknown(table, ("name", "when", "pays"), path, label)
    name = table.get("name", f"line_{number}")
    if not isinstance(name, str) or name in {LOSE, PUSH}:
        errors.add(f"{path}.name", f"{label}: name: write a word other than lose or push")
    condition = _table(table.get("when"))
    for key, error in errors_in(condition):
        hint = ""
        if error.endswith(NO_FACT):
            # A comparison names the fact; otherwise the key does.
            name = error.removesuffix(NO_FACT)[2:] or key.rpartition(".")[2]
            hint = did_you_mean(name, (*FACTS, "any", "all", "not"))
            hint = hint or did_you_mean(f"player_{name}", FACTS)
            hint = hint or "; `croupier help side-bets` lists them"
        message = f"{label}: {key or 'when'}{error}{hint}".rstrip(";")
        errors.add(f"{path}.when.{key}" if key else f"{path}.when", message)
    pays = _pays(table.get("pays"), (path, label), terms, errors)
    is_unnamed = table.get("pays") == "push" and "name" not in table
    return _Line(PUSH if is_unnamed else str(name), condition, pays)


def _pays(pay: object, place: tuple[str, str], terms: _Terms, errors: _Errors) -> Pays:
    path, label = place
    if pay == "push":
        return None
    meter, sign = _table(pay).get("meter"), currency_in_use().sign
    try:
        if isinstance(meter, str) and meter in terms.meters and terms.stake_cents:
            return Award(0, meter, terms.keeps_stake)
        if isinstance(pay, str) and pay.startswith(sign) and terms.stake_cents:
            cents = amount_of(pay.removeprefix(sign).replace(",", ""))
            return Award(cents, None, terms.keeps_stake)
        if isinstance(pay, str) and not pay.startswith(sign):
            return Odds.parse(pay)
    except ValueError as error:
        errors.add(f"{path}.pays", f"{label}: {error}")
        return None
    advice = f'{label}: pays: write odds, such as "12:1", or "push"'
    if not terms.stake_cents:
        advice += f'; an amount ("{sign}500") and a meter need [wager] stake = "5.00"'
    else:
        advice += f', an amount ("{sign}500"), or {{ meter = "name" }} of a [meter.name]'
    errors.add(f"{path}.pays", advice)
    return None
