"""Finds the text that was in force on a date, and says so where nobody knows."""

from __future__ import annotations

from datetime import date
from functools import cache
from pathlib import Path

from croupier.files.suggest import did_you_mean
from croupier.law.load import LawError, load_instrument
from croupier.law.model import Instrument

__all__ = ["RULE_IDS", "instruments", "known_rule_ids", "resolve", "rule_ids", "texts_of"]

_SHELF = Path(__file__).parent / "instruments"
RULE_IDS = Path(__file__).with_name("rule_ids.txt")


@cache
def instruments() -> tuple[Instrument, ...]:
    """Return every text on the shelf, by id and then by date. Raises ``LawError`` for a bad one."""
    loaded = (load_instrument(path) for path in sorted(_SHELF.rglob("*.toml")))
    return tuple(sorted(loaded, key=lambda one: (one.id, one.in_force_from)))


@cache
def known_rule_ids() -> frozenset[str]:
    """Return the id of every rule and constraint of the texts on the shelf.

    They stand in a list beside the texts, so that none has to be read to know a slip.

    >>> "wagers.tie.pays" in known_rule_ids(), "wagers.tie.pay" in known_rule_ids()
    (True, False)
    """
    return frozenset(RULE_IDS.read_text(encoding="utf-8").split())


def rule_ids() -> list[str]:
    """Return what ``known_rule_ids`` lists, from the texts themselves."""
    rules = {rule_id for text in instruments() for rule_id in text.rules}
    return sorted(rules | {one.id for text in instruments() for one in text.constraints})


@cache
def texts_of(law_id: str) -> tuple[Instrument, ...]:
    """Return the texts that are held under an id, by date. Raises ``LawError`` for a bad one.

    A table stands under one text: files in which the id is not written are not read as law, which
    spares a command most of the time that the shelf takes.
    """
    named = (path for path in _SHELF.rglob("*.toml") if law_id in path.read_text(encoding="utf-8"))
    held = (one for one in map(load_instrument, named) if one.id == law_id)
    return tuple(sorted(held, key=lambda one: one.in_force_from))


def resolve(law_id: str, *, on: date | None = None) -> Instrument:
    """Return the text of that id that is known to have been in force on a date.

    Without a date there must be one whole text of that id; a partial one must be named by its
    date, unless nothing else is held. Never guesses: raises ``LawError`` where no text of that id
    is held, or where none is known to have been in force on the day.

    >>> from datetime import date
    >>> resolve("us-nj/minibaccarat", on=date(2011, 2, 22)).title
    'New Jersey minibaccarat'
    """
    held = texts_of(law_id)
    if not held:
        known = sorted({one.id for one in instruments()})
        hint = did_you_mean(law_id, known) or ";"
        raise LawError(f"no regulation has the id {law_id!r}{hint} included: {', '.join(known)}")
    spans = ", ".join(f"{one.in_force_from} to {one.in_force_known}" for one in held)
    if on is None:
        whole = tuple(one for one in held if not one.partial) or held
        if len(whole) == 1:
            return whole[0]
        raise LawError(f"several texts of {law_id} are held ({spans}): name a date")
    for one in held:
        if one.in_force_from <= on <= one.in_force_known:
            return one
    raise LawError(
        f"what {law_id} said on {on} is not known here: the text held is known to have been in"
        f" force {spans}, and nothing is claimed for other days"
    )
