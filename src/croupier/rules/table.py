"""The joint: a law and the licensee's elections become the rules of one table, frozen and hashed.

Nothing above this module asks which state it is in. It asks ``TableRules`` for a value, or for the
clauses behind a rule id, and rule ids are the same under every law.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from croupier.baccarat import hand, tableau, wagers
from croupier.baccarat.coup import Coup
from croupier.baccarat.tableau import Tableau
from croupier.files.suggest import did_you_mean, near
from croupier.files.toml import read_toml
from croupier.frozen import frozen
from croupier.law.cite import register_implementation
from croupier.law.elect import ErrorDetail, SubmissionError, condition_holds, resolve_elections
from croupier.law.interpretations import interpretations, reading_ids, readings_for
from croupier.law.load import LawError
from croupier.law.model import Instrument, Rule
from croupier.law.resolve import resolve
from croupier.law.values import Value, canonical, parse_value
from croupier.rules.elections import Elections
from croupier.rules.offering import METERS, check_chairs, check_meters, offers_of
from croupier.rules.offers import Offer
from croupier.rules.submission import (
    TABLES,
    MalformedSubmissionError,
    Submission,
    TableLayout,
    located,
    submission_of,
)

__all__ = ["TableRules", "read_rules", "table_rules"]

# The game's functions know no law, so the joint says which rules they carry out.
_GAME: Final[Mapping[str, Callable[..., object]]] = {
    "point_count": hand.point_count,
    "wagers.player": wagers.player,
    "wagers.banker": wagers.banker,
    "wagers.tie": wagers.tie,
    "wagers.total_cards": wagers.total_cards,
    "wagers.bonus": wagers.bonus,
    "wagers.dragon_7": wagers.dragon_7,
    "wagers.panda_8": wagers.panda_8,
    "wagers.house_money": wagers.house_money,
    "wagers.royal_9": wagers.royal_9,
    "deal.two_hands": Coup,
    "deal.four_cards": Coup.with_card,
    "third.natural": tableau.Tableau.player_draws_third,
    "third.reading": tableau.Tableau.banker_draws_third,
    "third.decide": Coup.with_card,
}
for _rule_id, _function in _GAME.items():
    register_implementation(_rule_id, _function)

_NEEDED: Final = (
    "deal.option",
    "third.player",
    "third.banker",
    "announce.no_more_bets",
    "settlement.collect_first",
    "shoe.load",
)
"""Rules without which there is no round: the deal, the drawing table, the settlement."""

MOST_DECKS: Final = 64
"""More decks than any table holds; a submission that asks for more has a slip in it."""


@frozen
class TableRules(Elections):
    """All that binds one table: the law's values, the licensee's elections, limits and layout.

    Build it with ``table_rules``. ``sha256`` names it in every record that rests on it. ``own`` are
    wagers that somebody has added to those of the law, to weigh or to simulate them.
    """

    own: tuple[Offer, ...] = ()

    # Two objects are never compared field by field: `sha256` says whether rules are the same.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @cached_property
    def tableau(self) -> Tableau:
        """The drawing table, read from the law's own tables."""
        player = self.value("third.player", dict)
        banker = self.value("third.banker", dict)
        draws = [int(count) for count, letter in player.items() if letter == "D"]
        return Tableau.of(draws, {int(count): row for count, row in banker.items()})

    @cached_property
    def offers(self) -> Mapping[str, Offer]:
        """The wagers on offer, by id, in the order in which a dealer settles them."""
        return {**offers_of(self), **{offer.wager.id: offer for offer in self.own}}

    @property
    def missing(self) -> tuple[str, ...]:
        """What a table cannot be dealt without and this text does not settle, by rule id."""
        return tuple(rule_id for rule_id in _NEEDED if not self.applies(rule_id))

    @cached_property
    def meter_seeds(self) -> Mapping[str, int]:
        """What each progressive meter shows at the beginning, in cents; none where none is kept."""
        if not self.applies("wagers.royal_9"):
            return {}
        names = {meter: f"wagers.royal_9.meters.{meter}.seed" for meter in METERS}
        if self.applies("wagers.royal_9.stax"):
            names["stax"] = "wagers.royal_9.stax.seed"
        return {meter: self.value(rule_id, int) for meter, rule_id in names.items()}

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        """What everybody must be told who meets these rules, each with its interpretation's id."""
        register = interpretations()
        return tuple(
            f"{name}: {register[name].warnings[reading]}"
            for name, reading in self.readings.items()
            if reading in register[name].warnings
        )

    @property
    def decks_per_shoe(self) -> int:
        """How many decks one shoe holds: all of them, or one batch where there are two."""
        return self.value("decks", int) // self.batches

    @property
    def batches(self) -> int:
        """Into how many batches the decks are parted: two with an automated shuffler, else one."""
        return self.value("device.batches", int) if self.applies("device.batches") else 1

    @cached_property
    def canonical(self) -> Mapping[str, Any]:
        """The rules as plain data, one way only: what the hash is taken of."""
        submission = self.submission
        limits = submission.limits or {}
        data: dict[str, Any] = {
            "law": self.law.id,
            "in_force_from": self.law.in_force_from.isoformat(),
            "rules": {
                rule_id: {"value": canonical(value), "cites": list(self.cites(rule_id))}
                for rule_id, value in sorted(self.settled.items())
            },
            "procedures": sorted(self.in_force - set(self.settled)),
            "layout": {
                name: getattr(submission.layout, name) for name in TableLayout.__match_args__
            },
            "limits": {
                wager: [limit.min_cents, limit.max_cents] for wager, limit in sorted(limits.items())
            },
            "readings": dict(self.readings),
        }
        return {**data, **self._own_as_data()}

    def _own_as_data(self) -> Mapping[str, Any]:
        """Return the wagers that were added; nothing, and no key, where there are none."""
        own = {
            offer.wager.id: {line: str(pays) for line, pays in offer.pays.items()}
            for offer in self.own
        }
        return {"own": own} if own else {}

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the canonical text, in hexadecimal."""
        text = json.dumps(self.canonical, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def _plain(self, rule: Rule) -> Value | None:
        """Return what the plain game elects for a rule."""
        tables = {**rule.at_least_any, **rule.one_of}
        if tables and isinstance(rule.default, str):
            return self.law.rules[tables[rule.default]].value
        return None if rule.default is None else parse_value(rule.kind, rule.default)

    def __str__(self) -> str:
        departures = [
            f"{rule.id} = {json.dumps(canonical(self.settled[rule.id]))}"
            for rule in self.law.elections
            if rule.id in self.settled and self.settled[rule.id] != self._plain(rule)
        ]
        return f"{self.law.title} as of {self.law.in_force_from}: " + (
            ", ".join(departures) if departures else "the plain game"
        )


def _check_readings(law: Instrument, named: Mapping[str, str]) -> list[ErrorDetail]:
    register = interpretations()
    electable = ", ".join(reading_ids())
    errors = [
        ErrorDetail(
            f"interpretations.{entry.id}",
            f"must be acknowledged: {entry.problem} Name one of {', '.join(entry.readings)}",
            law.cites(entry.rests),
        )
        for entry in register.values()
        if entry.acknowledge and entry.id not in named and entry.about(law.key, law.rules)
    ]
    for name, reading in named.items():
        where = f"interpretations.{name}"
        if name not in register:
            hint = did_you_mean(name, reading_ids())
            errors.append(
                ErrorDetail(where, f"no such reading is open to election: {electable}{hint}")
            )
        elif reading not in register[name].readings:
            offered = ", ".join(register[name].readings) or "none; the reading is taken as it is"
            hint = did_you_mean(reading, register[name].readings)
            errors.append(
                ErrorDetail(where, f"{reading!r} is no reading to elect here: {offered}{hint}")
            )
        elif not register[name].about(law.key, law.rules):
            errors.append(ErrorDetail(where, "no rule of this law rests on it: leave it out"))
    return errors


def _check_limits(rules: TableRules) -> list[ErrorDetail]:
    limits = rules.submission.limits
    if limits is None:
        return []
    errors = [
        ErrorDetail(
            f"limits.{wager}",
            f"this table does not offer that wager{did_you_mean(wager, rules.offers)}",
            rules.cites("wagers.permitted"),
        )
        for wager in limits
        if wager not in rules.offers
    ]
    for wager, offer in rules.offers.items():
        limit = limits.get(wager, offer.limit)
        if limit is None:
            errors.append(
                ErrorDetail(f"limits.{wager}", "the least and the most of it are missing")
            )
        elif limit != offer.limit:
            message = "the law fixes what this wager is, and leaves it no other limits"
            errors.append(
                ErrorDetail(f"limits.{wager}", message, rules.cites_if_any(f"wagers.{wager}.stake"))
            )
        elif limit.min_cents % offer.unit_cents:
            errors.append(
                ErrorDetail(
                    f"limits.{wager}",
                    f"the least must be a multiple of {offer.unit_cents} cents, or what it is paid"
                    " or charged comes to a fraction of a cent",
                    offer.unit_cites,
                )
            )
    return errors


def _check_decks(rules: TableRules) -> list[ErrorDetail]:
    decks = rules.settled.get("decks")
    if not isinstance(decks, int) or decks <= MOST_DECKS:
        return []
    message = f"{decks} decks: no table here is dealt from more than {MOST_DECKS}"
    return [ErrorDetail("decks", message, rules.cites("decks"))]


def _check_card_values(law: Instrument) -> None:
    """Hold the game's values against the law's: the law decides, and the game must follow."""
    rule = law.rules.get("cards.values")
    ours = {rank.value: value for rank, value in hand.POINT_VALUE.items()}
    if rule is not None and rule.value != ours:
        raise LawError(f"{law.id} gives cards other values than the game: {rule.value}")


def read_rules(path: Path) -> TableRules:
    """Return the rules of a submission's file.

    Raises ``SubmissionError`` with every fault, of the file's form and under its law, and
    ``FileError`` if the file cannot be read as TOML.
    """
    file = read_toml(path)
    try:
        return table_rules(submission_of(file.tables, file))
    except MalformedSubmissionError as error:
        more = located(_also_unlawful(error), file)
        raise MalformedSubmissionError((*error.errors, *more)) from error
    except SubmissionError as error:
        raise SubmissionError(located(error.errors, file)) from error


def _also_unlawful(error: MalformedSubmissionError) -> Iterator[ErrorDetail]:
    """Yield what the law says against a malformed submission that is not malformed itself."""
    if error.draft is None:
        return
    told = [detail.where.strip("[]") for detail in error.errors]
    tables = {near(name, TABLES)[0] for name in told if "." not in name and near(name, TABLES)}
    try:
        table_rules(error.draft)
    except SubmissionError as unlawful:
        for detail in unlawful.errors:
            beneath = detail.where.partition(".")[0]
            if detail.where not in told and beneath not in tables | set(told):
                yield detail


def table_rules(submission: Submission) -> TableRules:
    """Hold a rules submission against its law and return the rules of the table.

    Raises ``SubmissionError`` with *every* fault, each with its clauses; a law or a date that is
    not held is one of them.

    >>> from croupier.rules import default_submission
    >>> rules = table_rules(default_submission("us-nj/minibaccarat", wagers__tie__pays="9:1"))
    >>> str(rules.offers["tie"].pays["win"]), rules.cites("wagers.tie.pays")
    ('9:1', ('NJ-MINI:7.3(b)',))
    """
    try:
        law = resolve(submission.law, on=submission.on)
    except LawError as error:
        raise SubmissionError((ErrorDetail("submission", str(error)),)) from error
    _check_card_values(law)
    errors = _check_readings(law, submission.readings)
    layout = {"layout.seats": submission.layout.seats}
    try:
        settled = resolve_elections(law, submission.elections, layout, submission.readings)
    except SubmissionError as error:
        raise SubmissionError((*error.errors, *errors)) from error
    in_force = frozenset(
        rule.id for rule in law.rules.values() if condition_holds(rule.applies_when, settled)
    )
    readings = readings_for(law.key, in_force, submission.readings)
    rules = TableRules(submission, law, settled, in_force, readings)
    errors += [*_check_decks(rules), *check_chairs(rules), *check_meters(rules)]
    if errors := errors or _check_limits(rules):
        raise SubmissionError(tuple(errors))
    return rules
