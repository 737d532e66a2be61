"""The dossier of an accepted submission."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal, get_args

from croupier.cli.common.output import command_line
from croupier.cli.submission import documents
from croupier.cli.submission.consequences import cites_of, elected_of, procedures_of
from croupier.files.text import read_bytes
from croupier.law.elect import checklist, what_is_checked
from croupier.law.model import ConstraintKind, condition_holds, is_entry
from croupier.odds.par import par_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import Offer, TableLayout, TableRules, condition_text
from croupier.rules.documents import fields_of, provenance

if TYPE_CHECKING:
    from croupier.odds.documents import ParWager

_Binding = Literal["requires", "excludes", "uniform", "moment"]
_BINDING: Final[tuple[_Binding, ...]] = get_args(_Binding)


def dossier_of(path: Path, rules: TableRules) -> documents.Dossier:
    content = read_bytes(path)
    law, layout = rules.law, rules.submission.layout
    elections, wagers = list(_elections(rules)), list(_wagers(rules))
    constraints, notices = list(_constraints(rules)), list(_notices(rules))
    procedures, items = list(_procedures(rules)), list(_items(rules))
    clause_ids = [
        *(clause for election in elections for clause in election["cites"]),
        *(clause for wager in wagers for clause in wager["cites"]),
        *(clause for constraint in constraints for clause in constraint["cites"]),
        *(clause for notice in notices for clause in notice["cites"]),
        *(clause for procedure in procedures for clause in procedure["cites"]),
    ]
    return {
        "format": "croupier-dossier/1",
        **provenance(rules, command_line()),
        "file": {
            "name": path.name,
            "bytes": len(content),
            "sha256": hashlib.sha256(content).hexdigest(),
        },
        "citation": law.citation,
        "authority": law.authority,
        "edition": law.edition,
        "in_force_known": law.in_force_known.isoformat(),
        "table": {name: str(getattr(layout, name)) for name in TableLayout.__match_args__},
        "elections": elections,
        "wagers": wagers,
        "vigorish": (str(rules.vigorish) if "vigorish.scheme" in rules.settled else None),
        "reading_texts": list(_readings(rules)),
        "constraints": constraints,
        "notices": notices,
        "procedures": procedures,
        "checklist": items,
        "clauses": _clauses(rules, clause_ids),
    }


def _elections(rules: TableRules) -> Iterator[documents.ElectionOfDossier]:
    for rule_id, choice in elected_of(rules).items():
        rule = rules.law.rules[rule_id]
        default = None if rule.default is None else rules.law.read(rule_id, rule.default)
        yield {
            "id": rule_id,
            "title": rule.title,
            "elected": choice,
            "is_default": default is not None and rules.settled[rule_id] == default,
            "left_open": rule.left_open,
            "cites": cites_of(rules, rule_id, choice),
        }


def _wagers(rules: TableRules) -> Iterator[documents.WagerOfDossier]:
    priced: dict[str, ParWager] = {}
    if rules.is_priced:
        sheet = par_sheet(rules, ShoeComposition.of_decks(rules.decks_per_shoe))
        priced = {wager["id"]: wager for wager in sheet["wagers"]}
    for name, offer in rules.offers.items():
        figures = priced.get(name)
        limit = offer.limit
        yield {
            "id": name,
            "title": offer.wager.title,
            "pays": _pays(offer),
            "min_cents": None if limit is None else limit.min_cents,
            "max_cents": None if limit is None else limit.max_cents,
            "unit_cents": offer.unit_cents,
            "max_win_cents": None if figures is None else figures["max_win_cents"],
            "max_win_meters": [] if figures is None else figures["max_win_meters"],
            "house_edge": None if figures is None else figures["house_edge"],
            "return_to_player": None if figures is None else figures["return_to_player"],
            "hit_frequency": None if figures is None else figures["hit_frequency"],
            "cites": list(dict.fromkeys(one for cites in offer.cites.values() for one in cites)),
        }


def _pays(offer: Offer) -> list[str]:
    lines = {line: "push" if odds is None else str(odds) for line, odds in offer.pays.items()}
    if len(set(lines.values())) == 1:
        return [next(iter(lines.values()))]
    return [f"{line.replace('_', ' ')}: {payout}" for line, payout in lines.items()]


def _readings(rules: TableRules) -> Iterator[documents.ReadingOfDossier]:
    register = rules.law.register
    for name, reading in rules.readings.items():
        yield fields_of(
            documents.ReadingOfDossier,
            register[name],
            reading=reading,
            says=register[name].says(reading),
            is_elected=name in rules.submission.readings,
        )


def _constraints(rules: TableRules) -> Iterator[documents.ConstraintOfDossier]:
    for limit in rules.law.constraints:
        kind = next((word for word in _BINDING if word == limit.kind.value), None)
        binds = not limit.rules or any(name in rules.settled for name in limit.rules)
        if kind is not None and binds and condition_holds(limit.when, rules.settled):
            yield {"id": limit.id, "kind": kind, "says": limit.says, "cites": list(limit.cites)}


def _notices(rules: TableRules) -> Iterator[documents.NoticeOfDossier]:
    for constraint in rules.law.constraints:
        elections = [name for name in constraint.rules if name in rules.settled]
        if constraint.kind is ConstraintKind.NOTICE and elections:
            yield fields_of(documents.NoticeOfDossier, constraint, elections=elections)


def _procedures(rules: TableRules) -> Iterator[documents.ProcedureOfDossier]:
    for rule in procedures_of(rules).values():
        because = {
            name: tuple(value for value in values if rules.settled.get(name) == value)
            for name, values in rule.applies_when.items()
            if rules.law.rules[name].is_election
        }
        if because:
            yield {
                "id": rule.id,
                "says": rule.does or rule.title,
                "because": condition_text(rules.law, because),
                "cites": list(rule.cites),
            }


def _items(rules: TableRules) -> Iterator[documents.ItemOfDossier]:
    for item in checklist(rules.law, rules.settled):
        yield {
            "clause": item.id,
            "citation": rules.law.speak(item.id),
            "says": item.says,
            "reason": what_is_checked(item) or None,
            "documents": [*rules.submission.on_file(item.id)],
        }


def _clauses(rules: TableRules, clause_ids: Iterable[str]) -> dict[str, str]:
    names, register = set(clause_ids), rules.law.register
    texts = {clause.id: clause.says for clause in rules.law.clauses.values() if clause.id in names}
    entries = sorted(entry_id for entry_id in names if is_entry(entry_id))
    return texts | {entry: register[entry].title for entry in entries}
