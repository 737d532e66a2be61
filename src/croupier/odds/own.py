"""Wagers of one's own: a small TOML paytable over the facts of a coup, or a Python function.

Such a wager stands beside those of the law and is weighed, settled and simulated like them. No law
names it, so it has no clause; no table log holds it.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from math import gcd, lcm
from pathlib import Path
from typing import Any, NamedTuple

from croupier.baccarat.wagers import LOSE, PUSH, WAGERS, Wager, When, errors_in, facts_wager
from croupier.law.values import Odds
from croupier.rules import Offer, Pays

__all__ = ["OwnWagerError", "own_offer", "read_wager"]


class OwnWagerError(ValueError):
    """A wager that cannot be read; ``faults`` lists all that is wrong with it."""

    def __init__(self, faults: Sequence[str]) -> None:
        super().__init__("\n".join(faults))
        self.faults = tuple(faults)


class _Line(NamedTuple):
    name: str
    when: When
    pays: Pays


def own_offer(wager: Wager, pays: Mapping[str, Odds | None]) -> Offer:
    """Return the offer of a wager that a Python function decides, with what its lines pay.

    Raises ``OwnWagerError`` where a line pays nothing, or the wager has the name of one of the law.

    >>> from croupier.baccarat.coup import Facts
    >>> def tiger(facts: Facts) -> str:
    ...     won = facts.banker_count == 6 and facts.player_count < 6
    ...     return f"{facts.banker_cards}_cards" if won else "lose"
    >>> offer = own_offer(
    ...     Wager("tiger", "Tiger", ("2_cards", "3_cards"), tiger),
    ...     {"2_cards": Odds(12, 1), "3_cards": Odds(20, 1)},
    ... )
    >>> offer.decide(Facts(2, 6, 2, 3)).odds
    Odds(pays=20, stake=1)
    """
    faults = [f"{wager.id}: {line} pays nothing" for line in wager.lines if line not in pays]
    if wager.id in WAGERS:
        faults.append(f"{wager.id}: the law has a wager of that name")
    if "royals" in wager.asks and len(wager.asks) > 1:
        faults.append(f"{wager.id}: royals are counted by themselves, without {wager.asks}")
    if faults:
        raise OwnWagerError(faults)
    grounds = (*pays, LOSE, PUSH)
    odds = [one for one in pays.values() if one is not None]
    # Every line is paid in whole cents.
    unit_cents = lcm(*(one.stake // gcd(*one) for one in odds))
    return Offer(wager, dict(pays), None, unit_cents, (), dict.fromkeys(grounds, ()))


def read_wager(path: Path) -> Offer:
    """Read a wager from its TOML file. Raises ``OwnWagerError`` with every fault."""
    try:
        tables = tomllib.loads(path.read_bytes().decode())
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
        raise OwnWagerError([f"{path}: not TOML that can be read: {error}"]) from error
    return wager_of(tables, str(path))


def wager_of(tables: Mapping[str, Any], where: str) -> Offer:
    """Read a wager from its tables. Raises ``OwnWagerError`` with every fault."""
    faults: list[str] = []
    head = tables.get("wager")
    head = head if isinstance(head, dict) else {}
    name, title = head.get("id"), head.get("title")
    if not isinstance(name, str) or not name.isidentifier() or name in WAGERS:
        faults.append(f"{where}: [wager] id: write a name of its own, as lucky_6")
    if not isinstance(title, str) or not title:
        faults.append(f"{where}: [wager] title: write what it is called")
    faults += [
        f"{where}: unknown table {key!r}; known: wager, line"
        for key in sorted(set(tables) - {"wager", "line"})
    ]
    faults += _unknown(head, ("id", "title"), f"{where}: [wager]")
    raw = tables.get("line")
    lines = [_line(one, number, where, faults) for number, one in enumerate(_listed(raw), start=1)]
    if not lines:
        faults.append(f"{where}: [[line]]: a wager has one line or more")
    # Pushes need no names: whatever is void is void.
    names = [one.name for one in lines if one.name != PUSH]
    faults += [
        f"{where}: two lines are called {one}" for one in sorted(set(names)) if names.count(one) > 1
    ]
    if faults:
        raise OwnWagerError(faults)
    wager = facts_wager(str(name), str(title), [(one.name, one.when) for one in lines])
    return own_offer(wager, {one.name: one.pays for one in lines if isinstance(one.pays, Odds)})


def _listed(raw: object) -> list[object]:
    return raw if isinstance(raw, list) else []


def _unknown(table: Mapping[str, object], known: Sequence[str], place: str) -> list[str]:
    """Return a fault for every key that is none: a slip in one would pass for its absence."""
    told = ", ".join(known)
    return [f"{place}: unknown key {key!r}; known: {told}" for key in table if key not in known]


def _line(raw: object, number: int, where: str, faults: list[str]) -> _Line:
    place = f"{where}: line {number}"
    table = raw if isinstance(raw, dict) else {}
    faults += _unknown(table, ("name", "when", "pays"), place)
    name = table.get("name", f"line_{number}")
    if not isinstance(name, str) or name in {LOSE, PUSH}:
        faults.append(f"{place}: name: write a word other than lose and push")
    when = table.get("when")
    if not isinstance(when, dict) or not when:
        faults.append(f"{place}: when: write what must be so, as {{ winner = 'banker' }}")
        when = {}
    faults += [f"{place}: {error}" for error in errors_in(when)]
    pays: Pays = None
    told = table.get("pays")
    if told != "push":
        try:
            pays = Odds.parse(told) if isinstance(told, str) else None
        except ValueError as error:
            faults.append(f"{place}: {error}")
        if not isinstance(told, str):
            faults.append(f'{place}: pays: write odds, as "12:1", or "push"')
    return _Line(str(name) if told != "push" else PUSH, when, pays)
