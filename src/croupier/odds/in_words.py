"""A table in words: its third-card rules, its wagers, and the cited clauses and readings."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import TYPE_CHECKING, Final

from croupier.baccarat.coup import NATURALS, NO_THIRD_CARD, Tableau
from croupier.baccarat.wagers import ByFacts, Condition
from croupier.rules import Offer, TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import DrawingRules, Package, ParWager

_COUNTS: Final = tuple(count for count in range(10) if count not in NATURALS)
_THIRDS: Final = range(10)


def say_drawing(tableau: Tableau) -> list[str]:
    draws = [count for count in _COUNTS if tableau.player_draws[count]]
    staying_counts = [count for count in _COUNTS if not tableau.player_draws[count]]
    sentences = [
        f"A natural, {_listed(sorted(NATURALS))} with two cards, ends the round for both hands."
    ]
    sentences += [f"Player's Hand draws on {_listed(draws)}."] if draws else []
    sentences += [f"Player's Hand stays on {_listed(staying_counts)}."] if staying_counts else []
    for row, counts in groupby(_COUNTS, lambda count: tableau.banker_draws[count]):
        sentences.append(f"Banker's Hand on {_listed(list(counts))} {_say_row(row)}.")
    return sentences


def _say_row(row: Sequence[bool]) -> str:
    thirds, if_none = [third for third in _THIRDS if row[third]], row[NO_THIRD_CARD]
    if not thirds:
        return "draws if Player's Hand has no third card" if if_none else "stays"
    if len(thirds) == len(_THIRDS):
        return "draws" if if_none else "draws if Player's Hand has a third card"
    no_card = ", or if there is none" if if_none else ""
    return f"draws if Player's third card counts {_listed(thirds)}{no_card}"


def _listed(numbers: Sequence[int]) -> str:
    """Numbers in words, with ranges of three or more.

    >>> _listed([0, 1, 2, 3, 6, 7])
    '0 to 3, 6, or 7'
    """
    runs: list[list[int]] = []
    for number in numbers:
        if runs and number == runs[-1][-1] + 1:
            runs[-1].append(number)
        else:
            runs.append([number])
    parts = [
        part
        for run in runs
        for part in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else map(str, run))
    ]
    if len(parts) < 3:
        return " or ".join(parts)
    return f"{', '.join(parts[:-1])}, or {parts[-1]}"


def drawing_rules(rules: TableRules) -> DrawingRules:
    return {
        "says": say_drawing(rules.tableau),
        "player_draws": "".join(
            "D" if rules.tableau.player_draws[count] else "S" for count in _COUNTS
        ),
        "banker_draws": [
            "".join(
                "D" if rules.tableau.banker_draws[count][third] else "S"
                for third in (NO_THIRD_CARD, *_THIRDS)
            )
            for count in _COUNTS
        ],
        "cites": list(
            dict.fromkeys(
                clause
                for rule in ("third.natural", "third.player", "third.banker")
                for clause in rules.cites_if_any(rule)
            )
        ),
    }


def definition(offer: Offer) -> list[str]:
    """Definition of each line by facts, or nothing if clauses define it."""
    decide = offer.wager.line_of
    if not isinstance(decide, ByFacts):
        return []
    texts = [f"{_plain(line)}: {_say_condition(when)}" for line, when in decide.lines]
    return [*texts, "otherwise it loses"]


def _say_condition(when: Condition, *, within: bool = False) -> str:
    parts = [
        f"{_plain(name)} = {' or '.join(map(_say_value, values))}" for name, values in when.facts
    ]
    parts += [_say_condition(part, within=True) for part in when.parts]
    text = (" or " if when.of_any else " and ").join(parts)
    if when.negated:
        return f"not ({text})"
    return f"({text})" if within and len(parts) > 1 else text


def _say_value(value: object) -> str:
    return {True: "true", False: "false"}[value] if isinstance(value, bool) else str(value)


def _plain(name: str) -> str:
    return name.replace("_", " ")


def cited_by(*parts: DrawingRules | ParWager | Package) -> list[str]:
    return list(dict.fromkeys(clause for part in parts for clause in part["cites"]))


def clauses_in_words(rules: TableRules, cited: Iterable[str]) -> dict[str, str]:
    register, clauses = rules.law.register, rules.law.clauses
    return {
        name: clauses[name].says if name in clauses else register[name].title
        for name in dict.fromkeys(cited)
        if name in clauses or name in register
    }


def readings_in_words(rules: TableRules) -> dict[str, str]:
    register = rules.law.register
    return {
        name: f"{register[name].title}: {register[name].says(reading)}"
        for name, reading in rules.readings.items()
    }
