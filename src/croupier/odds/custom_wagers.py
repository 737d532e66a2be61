"""Custom wagers read from files, and checked against the rounds that a table can deal."""

from __future__ import annotations

from pathlib import Path
from typing import Final

from croupier.baccarat.wagers import ByFacts
from croupier.files.errors import FileError
from croupier.files.toml import Toml, read_toml
from croupier.odds.chances import census_of
from croupier.odds.shoe import ShoeComposition
from croupier.rules import CustomWagerError, Offer, TableRules, wager_of

MOST_TABLE_DECKS: Final = 8
"""With this many decks, every round is possible that more decks allow."""


def read_wager(path: Path, rules: TableRules | None = None) -> Offer:
    """Read a wager from its TOML file. With ``rules``, every line must be possible.

    Raises ``CustomWagerError`` with every error.
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
    decide = offer.wager.line_of
    if not isinstance(decide, ByFacts):
        return []
    facts = list(census_of(ShoeComposition.of_decks(MOST_TABLE_DECKS), rules, offer.wager.asks))
    errors = []
    hit = [
        frozenset(at for at, one in enumerate(facts) if when.holds(one)) for _, when in decide.lines
    ]
    for number, held in enumerate(hit):
        before = [at for at, other in enumerate(hit[:number]) if other & held]
        taken = held <= frozenset[int]().union(*(hit[at] for at in before))
        if not held:
            message = "it can never be hit: no round comes to that"
        elif taken:
            lines = " and ".join(f"line {at + 1}" for at in before)
            message = f"it can never be hit: {lines} always hit first"
        else:
            continue
        errors.append(f"{file.place(f'line[{number + 1}].when')}: line {number + 1}: {message}")
    return errors
