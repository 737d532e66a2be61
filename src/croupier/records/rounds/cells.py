"""Cells of external records. Functions raise ``ValueError``."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Final

from croupier.baccarat.coup import WINNERS
from croupier.records.rounds.card_cells import CardReader
from croupier.records.rounds.plain_cells import LONGEST_CELL, plain, readable
from croupier.records.rounds.record import MARKS, IrregularityMark

_WINNERS: Final = (
    {name: name for name in WINNERS}
    | {name[0]: name for name in WINNERS}
    | {
        name: winner
        for winner, names in {
            "player": "punto joueur spieler jugador giocatore",
            "banker": "bank banco banque banquier bankier banca",
            "tie": "draw égalité egalite empate pareggio unentschieden standoff stand-off",
        }.items()
        for name in names.split()
    }
)
_WINS: Final = re.compile(r"^win[_ ]+|[_ ]+(?:wins?|won|hand|game)$")


def wager_name(text: str) -> str:
    """Return the id of a wager from its written name.

    >>> wager_name("Dragon 7"), wager_name("Bonus-Player")
    ('dragon_7', 'bonus_player')
    """
    return re.sub(r"[\s-]+", "_", text.strip().casefold())


def winner_reader(names: Mapping[str, str]) -> Callable[[object], str | None]:
    known = _WINNERS | {name.strip().casefold(): winner for name, winner in names.items()}

    def winner_of(value: object) -> str | None:
        text = plain(value)
        if not text:
            return None
        winner = known.get(text.casefold()) or known.get(_WINS.sub("", text.casefold()))
        if winner is None:
            raise ValueError(f"{readable(text)!r} is not a winner: write player, banker, or tie")
        return winner

    return winner_of


def total_of(value: object) -> int | None:
    text = plain(value)
    if not text:
        return None
    if not re.fullmatch(r"[0-9]{1,2}", text):
        raise ValueError(f"{readable(text)!r} is not a Point Count: write 0 to 9")
    return int(text)


def mark_reader(
    cards_of: CardReader, names: Mapping[str, str]
) -> Callable[[object], tuple[IrregularityMark, ...]]:
    """Read marks such as ``void`` or ``disclosed=9h; void``."""
    own = {name.strip().casefold(): kind for name, kind in names.items()}

    def mark_of(text: str) -> IrregularityMark | None:
        kind, _, card = re.sub(r"\s*[=:]\s*", "=", text).partition("=")
        named = own.get(kind.strip().casefold())
        kind = kind.strip().casefold().replace("_", "-").replace(" ", "-")
        kind = kind if named is None else named
        if not kind or kind == "none":
            return None
        if kind not in MARKS:
            raise ValueError(f"{readable(text)!r} is not a mark: the marks are {', '.join(MARKS)}")
        cards = cards_of(card)
        if len(cards) != MARKS[kind]:
            wants = f"one card, such as {kind}=9h" if MARKS[kind] else "no card"
            raise ValueError(f"{readable(text)!r}: this mark requires {wants}")
        if None in cards:
            raise ValueError(f"{readable(text)!r}: the mark must name a card")
        return IrregularityMark(kind, cards[0] if cards else None)

    def marks_of(value: object) -> tuple[IrregularityMark, ...]:
        if isinstance(value, list | tuple):
            if len(value) > LONGEST_CELL:
                raise ValueError(f"{len(value)} marks on one round")
            texts = [_mark_text(item) for item in value]
        else:
            texts = re.split(r"[;,]", plain(value))
        return tuple(mark for mark in map(mark_of, texts) if mark is not None)

    return marks_of


def _mark_text(value: object) -> str:
    if isinstance(value, Mapping):
        kind, card = plain(value.get("kind")), plain(value.get("card"))
        return f"{kind}={card}" if card else kind
    return plain(value)
