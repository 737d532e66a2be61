"""``croupier map --ask``: three rounds in words, and what they leave open."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import islice
from pathlib import Path
from typing import Any, Final

import click

from croupier.cli.common.output import fail
from croupier.files.errors import FileError
from croupier.files.streams import note
from croupier.law.usage import money
from croupier.records.rounds.mapping import mapping_of
from croupier.records.rounds.proposing import MappingProposal
from croupier.records.rounds.reading import open_rounds
from croupier.records.rounds.record import RoundRecord, WagerRecord, shown_text
from croupier.rules import TableRules
from croupier.verify.rounds.inferring import Inference, plain_rules

_SHOWN: Final = 3
_LOOKED_AT: Final = 600
_SAYS: Final = {"player": "Player wins", "banker": "Banker wins", "tie": "a tie", None: "no winner"}


def answered(path: Path, inference: Inference, rules: TableRules | None) -> MappingProposal:
    found = inference.proposal
    tables = [found.tables, *(choice for q in inference.questions for choice in q.choices.values())]
    for line in _in_words(path, tables):
        note(line)
    for question in inference.questions:
        found = found._replace(tables=question.choices[_choice(question.about, question.choices)])
        found.why.update(dict.fromkeys(_ASKED & found.why.keys(), "as answered"))
    offers = (plain_rules() if rules is None else rules).wagers
    by_title = {offer.title: wager for wager, offer in offers.items()} | {"none of these": ""}
    for name in found.unknown:
        wager = by_title[_choice(f"Which wager is {name!r}?", by_title)]
        if wager:
            found.tables.setdefault("values", {}).setdefault("wager", {})[name] = wager
            found.why.pop("values.wager of your own", None)
    if not inference.questions and not found.unknown:
        note("The rounds leave nothing open.")
    return found


_ASKED: Final = frozenset({"cards", "money", "money.paid"})


def _choice(about: str, choices: Mapping[str, Any]) -> str:
    labels = list(choices)
    note(about)
    for number, label in enumerate(labels, start=1):
        note(f"  {number}. {label}")
    try:
        number = click.prompt(
            "Number", type=click.IntRange(1, len(labels)), err=True, prompt_suffix=": "
        )
    except click.Abort:
        fail(f"{about} is not answered; write the number of one of: {', '.join(labels)}")
    return labels[number - 1]


def _in_words(path: Path, tables: list[dict[str, Any]]) -> list[str]:
    read = [_first(path, table) for table in tables]
    lines = []
    for at in range(min(map(len, read))):
        one = read[0][at]
        hands = ", ".join(
            f"{side} {' '.join(map(shown_text, cards))}"
            for side, cards in (("Player", one.player), ("Banker", one.banker))
        )
        shoe = f"shoe {one.shoe}, " if one.shoe else ""
        lines.append(f"Line {one.line}, {shoe}round {one.round}: {hands}, {_SAYS[one.winner]}.")
        for number, bet in enumerate(one.wagers):
            ways = [
                _result(other[at].wagers[number])
                for other in read
                if len(other[at].wagers) > number
            ]
            who = "" if bet.seat is None else f"seat {bet.seat} had "
            stake = f"{who}{money(bet.stake_cents)} on {bet.wager}"
            lines.append(f"  {stake} and {', or '.join(dict.fromkeys(ways))}")
    return lines


def _first(path: Path, tables: Mapping[str, Any]) -> list[RoundRecord]:
    try:
        rounds = islice(open_rounds(path, mapping_of(tables, tables.get("wagers", ()))), _LOOKED_AT)
        with_wagers = (one for one in rounds if isinstance(one, RoundRecord) and one.wagers)
        return list(islice(with_wagers, _SHOWN))
    except FileError:
        return []


def _result(bet: WagerRecord) -> str:
    net = bet.paid_cents if bet.net_cents is None else bet.net_cents
    if net is None:
        return "no result is recorded"
    if net == 0:
        return "neither won nor lost"
    return f"{'won' if net > 0 else 'lost'} {money(abs(net))}"
