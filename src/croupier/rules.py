"""The joint: a law and the licensee's elections become the rules of one table, frozen and hashed.

Nothing above this module asks which state it is in. It asks ``TableRules`` for a value, or for the
clauses behind a rule id, and rule ids are the same under every law.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import cached_property
from math import gcd, lcm
from typing import Any, Final, TypeVar

from croupier.baccarat import hand, tableau, wagers
from croupier.baccarat.coup import Coup, Facts
from croupier.baccarat.tableau import Tableau
from croupier.baccarat.wagers import LOSE, PUSH, WAGERS, Wager
from croupier.law.cite import bind
from croupier.law.elect import Fault, SubmissionError, elect, holds
from croupier.law.interpretations import interpretations, readings_for
from croupier.law.load import LawError
from croupier.law.model import Instrument, Rule
from croupier.law.resolve import resolve
from croupier.law.values import Odds, Value, canonical, parse_value
from croupier.submission import Layout, Limit, Submission

__all__ = ["Decision", "Offer", "Outcome", "TableRules", "VigorishTerms", "table_rules"]

ValueType = TypeVar("ValueType")

# The game's functions know no law, so the joint says which rules they carry out.
_GAME: Final[Mapping[str, Callable[..., object]]] = {
    "point_count": hand.point_count,
    "wagers.player": wagers.player,
    "wagers.banker": wagers.banker,
    "wagers.tie": wagers.tie,
    "wagers.total_cards": wagers.total_cards,
    "wagers.bonus": wagers.bonus,
    "wagers.dragon_7": wagers.dragon_7,
    "deal.two_hands": Coup,
    "deal.four_cards": Coup.with_card,
    "third.natural": tableau.Tableau.player_draws_third,
    "third.reading": tableau.Tableau.banker_draws_third,
    "third.decide": Coup.with_card,
}
for _rule_id, _function in _GAME.items():
    bind(_rule_id, _function)

MOST_DECKS: Final = 64
"""More decks than any table holds; a submission that asks for more has a slip in it."""

# Which rule offers each wager, and which rule says what its lines pay.
_OFFERED_BY: Final = {
    "player": "wagers.player",
    "banker": "wagers.banker",
    "tie": "wagers.tie",
    "four_cards": "wagers.total_cards",
    "five_cards": "wagers.total_cards",
    "six_cards": "wagers.total_cards",
    "bonus_player": "wagers.bonus",
    "bonus_banker": "wagers.bonus",
    "dragon_7": "wagers.dragon_7",
}
_PAID_BY: Final = {wager: f"wagers.{wager}.pays" for wager in _OFFERED_BY} | {
    "bonus_player": "wagers.bonus.paytable",
    "bonus_banker": "wagers.bonus.paytable",
}

# Lines of a wager that a rule of their own may single out.
_SINGLED_OUT: Final = {
    ("banker", "win_with_six"): "wagers.banker.pays_on_six",
    ("banker", "dragon_7"): "wagers.banker.on_dragon_7",
}


class Outcome(Enum):
    """What became of a wager."""

    WIN = "win"
    LOSE = "lose"
    PUSH = "push"

    __hash__ = object.__hash__


@dataclass(frozen=True, slots=True)
class Decision:
    """How a coup decided a wager: the outcome, the line hit, the odds where it won, the clauses."""

    outcome: Outcome
    line: str
    odds: Odds | None = None
    clauses: tuple[str, ...] = ()


@dataclass(frozen=True)
class Offer:
    """A wager that the table offers: what each winning line pays, and its limits.

    A line that pays ``None`` is a push at this table. ``unit_cents`` is what a stake must be a
    multiple of, so that no line and no vigorish comes to a fraction of a cent.
    """

    wager: Wager
    pays: Mapping[str, Odds | None]
    limit: Limit | None
    unit_cents: int
    unit_cites: tuple[str, ...]
    cites: Mapping[str, tuple[str, ...]]
    """The clauses behind each line, and each ground of one: what makes it, and what it pays."""

    @cached_property
    def _decisions(self) -> Mapping[str, Decision]:
        """Return the decision for each line, and for each ground of one."""
        decisions = {}
        for ground, clauses in self.cites.items():
            line = self.wager.grounds.get(ground, ground)
            odds = self.pays.get(line)
            outcome = Outcome.LOSE if line == LOSE else Outcome.PUSH
            if odds is not None:
                outcome = Outcome.WIN
            decisions[ground] = Decision(outcome, line, odds, clauses)
        return decisions

    def decide(self, facts: Facts) -> Decision:
        """Return how a finished coup decides this wager at this table."""
        ground_of = self.wager.ground_of or self.wager.line_of
        return self._decisions[ground_of(facts)]


@dataclass(frozen=True, slots=True)
class VigorishTerms:
    """What the house takes from the Banker wager, and when.

    ``win_rate`` is taken of the amount won, ``tie_rate`` of the wager on equal counts; ``None``
    where the scheme takes neither. ``waived`` tells whether total cards stakes that reach the
    Banker stake waive it. ``rounding_unit_cents`` is ``None`` where it is taken exactly.
    """

    scheme: str
    win_rate: Fraction | None
    tie_rate: Fraction | None
    waived: bool
    rounding_unit_cents: int | None
    deferred: bool


@dataclass(frozen=True, eq=False)
class TableRules:
    """All that binds one table: the law's values, the licensee's elections, limits and layout.

    Build it with ``table_rules``. ``sha256`` names it in every record that rests on it.
    """

    submission: Submission
    law: Instrument
    settled: Mapping[str, Value]
    in_force: frozenset[str]
    readings: Mapping[str, str]

    def value(self, rule_id: str, kind: type[ValueType]) -> ValueType:
        """Return the value of a rule. Raises ``LawError`` where it has none of that type here."""
        value = self.settled.get(rule_id)
        if not isinstance(value, kind):
            raise LawError(f"{self.law.id} settles no {kind.__name__} under {rule_id!r}")
        return value

    def applies(self, rule_id: str) -> bool:
        """Tell whether the law has that rule and these elections leave room for it."""
        return rule_id in self.in_force

    def elected(self, rule_id: str, choice: Value) -> bool:
        """Tell whether a rule was settled to that choice."""
        return self.settled.get(rule_id) == choice

    def bound(self, rule_id: str) -> int:
        """Return the least that the law lets someone at the table choose, for a counted rule."""
        least = self.law.rules[rule_id].at_least
        if not isinstance(least, int):
            raise LawError(f"{self.law.id} sets no least count under {rule_id!r}")
        return least

    @cached_property
    def _cites(self) -> Mapping[str, tuple[str, ...]]:
        carriers = {one.id: one.cites for one in self.law.constraints}
        return carriers | {rule.id: rule.cites for rule in self.law.rules.values()}

    def cites(self, rule_id: str) -> tuple[str, ...]:
        """Return the clauses on which a rule or constraint stands; none where the law has none."""
        return self._cites.get(rule_id, ())

    def cites_for(self, rule_id: str, choice: str) -> tuple[str, ...]:
        """Return the clauses behind one choice of a rule, or one row of its table."""
        rule = self.law.rules.get(rule_id)
        return self.cites(rule_id) if rule is None else rule.cites_by.get(choice, rule.cites)

    @cached_property
    def tableau(self) -> Tableau:
        """The drawing table, read from the law's own tables."""
        player = self.value("third.player", dict)
        banker = self.value("third.banker", dict)
        draws = [int(count) for count, letter in player.items() if letter == "D"]
        return Tableau.of(draws, {int(count): row for count, row in banker.items()})

    @cached_property
    def vigorish(self) -> VigorishTerms:
        """What is taken from the Banker wager under the scheme elected."""
        rates = ("vigorish.5_percent", "vigorish.4_percent", "vigorish.rate_unwaived")
        win = next((self.settled[rate] for rate in rates if rate in self.settled), None)
        tie = self.settled.get("vigorish.tie_rate")
        unit = self.settled.get("vigorish.rounding_unit")
        return VigorishTerms(
            self.value("vigorish.scheme", str),
            win if isinstance(win, Fraction) else None,
            tie if isinstance(tie, Fraction) else None,
            self.applies("vigorish.waiver"),
            unit if isinstance(unit, int) else None,
            self.elected("vigorish.collection", "deferred"),
        )

    @cached_property
    def offers(self) -> Mapping[str, Offer]:
        """The wagers on offer, by id, in the order in which a dealer settles them."""
        limits = self.submission.limits
        offers = {}
        for wager_id, rule_id in _OFFERED_BY.items():
            if self.applies(rule_id):
                pays = self._pays(wager_id)
                offers[wager_id] = Offer(
                    WAGERS[wager_id],
                    pays,
                    None if limits is None else limits.get(wager_id),
                    self._unit(wager_id, pays),
                    self._unit_cites(wager_id),
                    self._line_cites(wager_id, rule_id, pays),
                )
        return offers

    def _pays(self, wager_id: str) -> Mapping[str, Odds | None]:
        if wager_id.startswith("bonus_"):
            return self.value("wagers.bonus.paytable", dict)
        odds = self.value(_PAID_BY[wager_id], Odds)
        pays: dict[str, Odds | None] = dict.fromkeys(WAGERS[wager_id].lines, odds)
        if wager_id == "banker":
            if self.applies("wagers.banker.pays_on_six"):
                pays["win_with_six"] = self.value("wagers.banker.pays_on_six", Odds)
            if self.elected("wagers.banker.on_dragon_7", "push"):
                pays["dragon_7"] = None
        return pays

    def _line_cites(
        self, wager_id: str, offered_by: str, pays: Mapping[str, Odds | None]
    ) -> Mapping[str, tuple[str, ...]]:
        """Return the clauses behind each line and ground: what decides it, and what it pays."""
        cites = {}
        grounds = WAGERS[wager_id].grounds
        for ground in (*pays, LOSE, PUSH, *grounds):
            line = grounds.get(ground, ground)
            decided = self.cites_for(offered_by, ground)
            paid = self._paid_cites(wager_id) if line in pays else ()
            singled_out = _SINGLED_OUT.get((wager_id, line), "")
            if self.applies(singled_out):
                paid = self.cites(singled_out)
                if pays[line] is None:
                    # It is void notwithstanding the clause by which it would have won.
                    decided = ()
            cites[ground] = decided + paid
        return cites

    def _paid_cites(self, wager_id: str) -> tuple[str, ...]:
        """Return the clauses of a wager's odds; those of Banker stand with the vigorish scheme."""
        return self.cites_for(_PAID_BY[wager_id], self.vigorish.scheme)

    def _unit_cites(self, wager_id: str) -> tuple[str, ...]:
        """Return the clauses that decide which stakes can be paid and charged exactly."""
        cites = self._paid_cites(wager_id)
        if wager_id == "banker":
            cites += self.cites_for("vigorish.scheme", self.vigorish.scheme)
            if self.vigorish.rounding_unit_cents is not None:
                cites += self.cites("vigorish.rounding_unit")
        return tuple(dict.fromkeys(cites))

    def _unit(self, wager_id: str, pays: Mapping[str, Odds | None]) -> int:
        unit = lcm(*(odds.stake // gcd(*odds) for odds in pays.values() if odds is not None))
        terms = self.vigorish
        if wager_id != "banker":
            return unit
        if terms.tie_rate is not None:
            unit = lcm(unit, terms.tie_rate.denominator)
        if terms.rounding_unit_cents is not None:
            # Or the vigorish on a stake of a few cents, rounded upward, would be more than it won.
            unit = lcm(unit, terms.rounding_unit_cents)
        if terms.win_rate is not None and terms.rounding_unit_cents is None:
            for odds in filter(None, pays.values()):
                unit = lcm(unit, (terms.win_rate * odds.ratio).denominator)
        return unit

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
        return {
            "law": self.law.id,
            "in_force_from": self.law.in_force_from.isoformat(),
            "rules": {
                rule_id: {"value": canonical(value), "cites": list(self.cites(rule_id))}
                for rule_id, value in sorted(self.settled.items())
            },
            "procedures": sorted(self.in_force - set(self.settled)),
            "layout": {name: getattr(submission.layout, name) for name in Layout.__slots__},
            "limits": {
                wager: [limit.least_cents, limit.most_cents]
                for wager, limit in sorted(limits.items())
            },
            "readings": dict(self.readings),
        }

    @cached_property
    def sha256(self) -> str:
        """The SHA-256 of the canonical text, in hexadecimal."""
        text = json.dumps(self.canonical, sort_keys=True, separators=(",", ":"))
        return hashlib.sha256(text.encode()).hexdigest()

    def _plain(self, rule: Rule) -> Value | None:
        """Return what the plain game elects for a rule."""
        tables = {**rule.at_least_any, **rule.one_of}
        if tables and isinstance(rule.plain, str):
            return self.law.rules[tables[rule.plain]].value
        return None if rule.plain is None else parse_value(rule.kind, rule.plain)

    def __str__(self) -> str:
        departures = [
            f"{rule.id} = {json.dumps(canonical(self.settled[rule.id]))}"
            for rule in self.law.elections
            if rule.id in self.settled and self.settled[rule.id] != self._plain(rule)
        ]
        return f"{self.law.title} as of {self.law.in_force_from}: " + (
            ", ".join(departures) if departures else "the plain game"
        )


def _check_readings(law: Instrument, named: Mapping[str, str]) -> list[Fault]:
    register = interpretations()
    electable = ", ".join(entry.id for entry in register.values() if entry.readings)
    faults = [
        Fault(
            f"interpretations.{entry.id}",
            f"must be acknowledged: {entry.problem} Name one of {', '.join(entry.readings)}",
            law.cites(entry.rests),
        )
        for entry in register.values()
        if entry.acknowledge and entry.id not in named and entry.about(law.id, law.rules)
    ]
    for name, reading in named.items():
        where = f"interpretations.{name}"
        if name not in register:
            faults.append(Fault(where, f"no such reading is open to election: {electable}"))
        elif reading not in register[name].readings:
            offered = ", ".join(register[name].readings) or "none; the reading is taken as it is"
            faults.append(Fault(where, f"{reading!r} is no reading to elect here: {offered}"))
    return faults


def _check_limits(rules: TableRules) -> list[Fault]:
    limits = rules.submission.limits
    if limits is None:
        return []
    faults = [
        Fault(
            f"limits.{wager}",
            "this table does not offer that wager",
            rules.cites("wagers.permitted"),
        )
        for wager in limits
        if wager not in rules.offers
    ]
    for wager, offer in rules.offers.items():
        limit = limits.get(wager)
        if limit is None:
            faults.append(Fault(f"limits.{wager}", "the least and the most of it are missing"))
        elif limit.least_cents % offer.unit_cents:
            faults.append(
                Fault(
                    f"limits.{wager}",
                    f"the least must be a multiple of {offer.unit_cents} cents, or what it is paid"
                    " or charged comes to a fraction of a cent",
                    offer.unit_cites,
                )
            )
    return faults


def _check_decks(rules: TableRules) -> list[Fault]:
    decks = rules.value("decks", int)
    if decks <= MOST_DECKS:
        return []
    message = f"{decks} decks: no table here is dealt from more than {MOST_DECKS}"
    return [Fault("decks", message, rules.cites("decks"))]


def _check_card_values(law: Instrument) -> None:
    """Hold the game's values against the law's: the law decides, and the game must follow."""
    rule = law.rules.get("cards.values")
    ours = {rank.value: value for rank, value in hand.POINT_VALUE.items()}
    if rule is not None and rule.value != ours:
        raise LawError(f"{law.id} gives cards other values than the game: {rule.value}")


def table_rules(submission: Submission) -> TableRules:
    """Hold a rules submission against its law and return the rules of the table.

    Raises ``SubmissionError`` with *every* fault, each with its clauses; a law or a date that is
    not held is one of them.

    >>> from croupier.submission import plain_submission
    >>> rules = table_rules(plain_submission("us-nj/minibaccarat", wagers__tie__pays="9:1"))
    >>> str(rules.offers["tie"].pays["win"]), rules.cites("wagers.tie.pays")
    ('9:1', ('NJ-MINI:7.3(b)',))
    """
    try:
        law = resolve(submission.law, on=submission.on)
    except LawError as error:
        raise SubmissionError((Fault("submission", str(error)),)) from error
    _check_card_values(law)
    faults = _check_readings(law, submission.readings)
    layout = {"layout.seats": submission.layout.seats}
    try:
        settled = elect(law, submission.elections, layout, submission.readings)
    except SubmissionError as error:
        raise SubmissionError((*error.faults, *faults)) from error
    in_force = frozenset(
        rule.id for rule in law.rules.values() if holds(rule.applies_when, settled)
    )
    readings = readings_for(law.id, in_force, submission.readings)
    rules = TableRules(submission, law, settled, in_force, readings)
    if faults := [*faults, *_check_decks(rules), *_check_limits(rules)]:
        raise SubmissionError(tuple(faults))
    return rules
