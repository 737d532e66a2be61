"""Comparison of several regulations, rule by rule."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from fnmatch import fnmatchcase
from typing import Final

from msgspec import Struct

from croupier.law.model import Instrument, Rule
from croupier.law.values import Kind
from croupier.law.wording import rule_in_words, stood_in

OVERVIEW: Final[Mapping[str, tuple[str, ...]]] = {
    "Decks": ("decks", "device", "layout.seats"),
    "Cut": (
        "cut.by", "cut.offer_from", "cut.from_ends", "cut.cutting_card_from_back",
        "cut.recut_until", "cut.recut_by",
    ),
    "Burn": ("burn.*",),
    "Deal": ("game", "deal.option", "deal.banker_first", "deal.unwagered_hand", "curator.deals"),
    "Wagers": ("wagers.tender", "wagers.*offered", "wagers.bonus.on", "wagers.bonus.needs_base"),
    "Odds": (
        "wagers.*.pays", "wagers.*.pays_on_six", "wagers.*.on_dragon_7", "wagers.bonus.paytable",
        "wagers.*.awards",
    ),
    "Vigorish": (
        "vigorish.scheme", "vigorish.*_percent", "vigorish.tie_rate", "vigorish.*.rounds_to",
        "vigorish.collection",
    ),
    "Settlement": ("settlement.order", "discard.place"),
    "Irregularities": ("irregularity.*",),
}  # fmt: skip
"""Key rules of baccarat by group."""


class ComparedRule(Struct, frozen=True):
    group: str
    id: str
    title: str
    cells: tuple[Rule | None, ...]


def overview(texts: Sequence[Instrument]) -> tuple[ComparedRule, ...]:
    """Rows for each key rule of at least one text, by group."""
    names = _names(texts)
    return tuple(
        _row(group, rule_id, texts)
        for group, patterns in OVERVIEW.items()
        for pattern in patterns
        for rule_id in names
        if fnmatchcase(rule_id, pattern)
    )


def rows_below(
    texts: Sequence[Instrument], prefixes: Collection[str] = ()
) -> tuple[ComparedRule, ...]:
    """Rows for each rule below a prefix such as ``wagers.bonus``, by family."""
    above = tuple(f"{prefix.removesuffix('.')}." for prefix in prefixes)
    return tuple(
        _row(rule_id.partition(".")[0], rule_id, texts)
        for rule_id in _names(texts)
        if not prefixes or f"{rule_id}.".startswith(above)
    )


def _names(texts: Sequence[Instrument]) -> tuple[str, ...]:
    by_size = sorted(texts, key=lambda text: -len(text.rules))
    found = dict.fromkeys(rule_id for text in by_size for rule_id in text.rules)
    families: dict[str, list[str]] = {}
    for rule_id in found:
        families.setdefault(rule_id.partition(".")[0], []).append(rule_id)
    return tuple(rule_id for family in families.values() for rule_id in family)


def _row(group: str, rule_id: str, texts: Sequence[Instrument]) -> ComparedRule:
    cells = tuple(text.rules.get(rule_id) for text in texts)
    titles = Counter(rule.title for rule in cells if rule is not None)
    return ComparedRule(group, rule_id, titles.most_common(1)[0][0], cells)


def cell_in_words(rule: Rule) -> str:
    """Return a rule's value or choices in short, and the chooser if not the licensee."""
    if rule.value is not None or rule.kind is Kind.PROCEDURE:
        return stood_in(rule) + rule_in_words(rule)
    chooser = "" if rule.by == "licensee" else f"{rule.by}: "
    return stood_in(rule) + chooser + rule.left_open
