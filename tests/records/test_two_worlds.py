"""A card that lies face down is in no byte that leaves the table: two worlds nobody can tell apart."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from typing import Any, Final

import pytest

from croupier.records.view import projection as projected
from croupier.records.view import seen, sight
from croupier.rules import TableRules
from support import massachusetts, new_york, punto_banco, table
from support.two_worlds import LeakError, TwoWorlds
from support.volume import volume

STEPS: Final = int(os.environ.get("TWO_WORLDS_STEPS", str(volume(600, 400, most=2_000))))

TABLES: Final[dict[str, Callable[[], TableRules]]] = {
    "NY mini face down": lambda: new_york.NEW_YORK.rules(deal__option="face-down"),
    "NY midi": lambda: new_york.NEW_YORK.rules(game="midi", deal__option="hand-over"),
    "NJ punto banco curator": punto_banco.rules_of,
    "NJ punto banco handed over": lambda: punto_banco.rules_of(deal__option="hand-over"),
    "MA": massachusetts.MASSACHUSETTS.rules,
    "NJ face-down": lambda: table.rules_of(deal__option="face-down"),
    "NJ handed over": lambda: table.rules_of(deal__option="hand-over"),
    "NJ face-up, with cards held": table.rules_of,
}


@pytest.mark.parametrize("name", TABLES)
def test_nobody_tells_two_worlds_apart_that_differ_in_closed_cards_alone(name: str) -> None:
    worlds = TwoWorlds(TABLES[name](), random.Random(sum(map(ord, name))))
    # Face up, only a card drawn in error that nobody saw lies closed: few are in a thousand steps.
    is_up = "face-up" in name
    worlds.go(max(STEPS, 2000) if is_up else max(STEPS * 3 // 2, 800), close_one_in=10**9)
    least = 3 if is_up else STEPS // 60
    assert worlds.hidden > least
    assert worlds.turned > least // 3


CLAIMS: Final = {
    "closed_places": "a card that is dealt face down",
    "_waiting": "a card drawn in error that nobody saw",
}


@pytest.mark.parametrize("name", CLAIMS)
def test_a_program_that_forgets_a_closed_card_is_found(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    empty: Any = frozenset() if name == "closed_places" else ()
    for module in (sight, seen, projected):
        monkeypatch.setattr(module, name, lambda *_: empty, raising=False)
    worlds = TwoWorlds(TABLES["NJ handed over"](), random.Random(1))
    with pytest.raises(LeakError):
        worlds.go(STEPS, close_one_in=10**9)


@pytest.mark.parametrize("field", ["DrawCard.card", "CardDealt.card"])
def test_a_field_that_shows_a_closed_card_is_found(
    field: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sight.CARDS, field, lambda *_: False)
    worlds = TwoWorlds(TABLES["NY mini face down"](), random.Random(1))
    with pytest.raises(LeakError):
        worlds.go(STEPS, close_one_in=10**9)
