"""The facts of a coup by name: what a pay table written as data may ask for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from croupier.baccarat.coup import WINNERS, Facts
from croupier.baccarat.hand import is_natural

__all__ = ["FACTS", "unfit"]


def _player_natural(facts: Facts) -> bool:
    return is_natural(facts.player_count, facts.player_cards)


def _banker_natural(facts: Facts) -> bool:
    return is_natural(facts.banker_count, facts.banker_cards)


_COUNTS: Final[Mapping[str, Callable[[Facts], object]]] = {
    "player_count": lambda facts: facts.player_count,
    "banker_count": lambda facts: facts.banker_count,
    "player_cards": lambda facts: facts.player_cards,
    "banker_cards": lambda facts: facts.banker_cards,
    "cards": lambda facts: facts.cards,
    "margin": lambda facts: abs(facts.player_count - facts.banker_count),
    "pairs": lambda facts: facts.player_pair + facts.banker_pair,
}
_FLAGS: Final[Mapping[str, Callable[[Facts], object]]] = {
    "natural": lambda facts: _player_natural(facts) or _banker_natural(facts),
    "player_natural": _player_natural,
    "banker_natural": _banker_natural,
    "player_pair": lambda facts: facts.player_pair,
    "banker_pair": lambda facts: facts.banker_pair,
}

FACTS: Final[Mapping[str, Callable[[Facts], object]]] = {
    "winner": lambda facts: facts.winner_name,
    **_COUNTS,
    **_FLAGS,
}
"""How each fact is found, by its name; ``margin`` is between the counts, ``cards`` of both hands.

>>> FACTS["margin"](Facts(3, 6, 3, 2)), FACTS["winner"](Facts(3, 6, 3, 2))
(3, 'banker')
"""


def unfit(name: str, value: object) -> str | None:
    """Say why a value is none that a fact can have; ``None`` where it is one.

    >>> unfit("banker_cards", "two"), unfit("winner", "tie")
    ('write an integer', None)
    """
    if name == "winner":
        return None if value in WINNERS else f"write {', '.join(WINNERS[:-1])}, or {WINNERS[-1]}"
    if name in _FLAGS:
        return None if isinstance(value, bool) else "write true or false"
    return None if type(value) is int else "write an integer"
