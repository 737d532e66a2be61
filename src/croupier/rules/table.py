"""The rules of one table: a law under a licensee's elections, frozen and hashed."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Collection, Container, Iterator, Mapping
from fractions import Fraction
from functools import cached_property, wraps
from pathlib import Path
from types import FunctionType
from typing import Any, Final, TypeVar, cast

from msgspec import Struct, field
from msgspec.structs import replace

from croupier.baccarat import coup
from croupier.baccarat.cards import DECK_SIZE
from croupier.baccarat.coup import CardFacts, Coup, Facts, Tableau
from croupier.baccarat.wagers import CARDS, LOSE, PUSH, WAGERS, Wager, shaped_wager
from croupier.files.toml import read_toml
from croupier.law.cite import register_implementation
from croupier.law.contracts import contracts_of, known_rule_ids, needed
from croupier.law.elect import flatten, unsupported
from croupier.law.faults import LawError, LawFault
from croupier.law.interpretations import is_listed, reading_ids
from croupier.law.load import load_instrument
from croupier.law.model import Instrument, Rule
from croupier.law.standing import unverified
from croupier.law.usage import US_DOLLARS
from croupier.law.values import Kind, Value, canonical
from croupier.rules.offers import (
    Award,
    CustomWagerError,
    Offer,
    VigorishTerms,
    vigorish_terms,
)
from croupier.rules.submission import Submission, TableLayout

__all__ = ["TableRules", "checked_law", "remembered"]

ValueType = TypeVar("ValueType")
Way = TypeVar("Way")
Function = TypeVar("Function", bound=Callable[..., Any])

# The game's functions cannot import the law, so their rules are registered here.
_GAME: Final[Mapping[str, Callable[..., object]]] = {
    "point_count": coup.point_count,
    "deal.two_hands": Coup,
    "deal.four_cards": Coup.with_card,
    "third.natural": coup.Tableau.player_draws_third,
    "third.reading": coup.Tableau.banker_draws_third,
    "third.decide": Coup.with_card,
}
for _rule_id, _function in _GAME.items():
    register_implementation(_rule_id, _function)
for _wager in WAGERS.values():
    _decides = _wager.at_chair or _wager.line_of
    _is_plain = isinstance(_decides, FunctionType)
    register_implementation(_wager.offered_by, _decides if _is_plain else type(_decides))

AWARD_KEEPS_STAKE: Final[Mapping[str, bool]] = {"for-one": True, "to-one": False}
"""Whether the house keeps the stake, by a rule's word."""

_COUPONS: Final = frozenset({"match play coupon", "promotional coupon"})

_CITING: Final = 5
"""Version of the program's citations; increment it when an act cites other rules or entries.

Tables under another version are verified without comparing clauses.
"""

_CITING_OWN: Final = 12
"""The version for laws without a table of editions; increment it also when a procedure of the
program is corrected (``verify.corrected``)."""

_UNKNOWN: Final = object()
_FEW: Final = 6
_MOST_REMEMBERED: Final = 4096
"""Most tables need some hundreds."""


def remembered(function: Function) -> Function:
    """Cache a function's results on the rules, its last argument. All arguments are positional."""

    @wraps(function)
    def wrapper(*arguments: Any) -> Any:
        cache = arguments[-1].remembered
        answers = cache.get(function)
        if answers is None:
            answers = cache[function] = {}
        key = arguments[:-1]
        answer = answers.get(key, _UNKNOWN)
        if answer is _UNKNOWN:
            if len(answers) >= _MOST_REMEMBERED:
                answers.clear()
            answer = answers[key] = function(*arguments)
        return answer

    return cast("Function", wrapper)


def _shaped(law: Instrument, rule: Rule) -> Wager:
    value = rule.value if isinstance(rule.value, Mapping) else {}
    name = rule.id.rpartition(".")[2]
    if name in WAGERS:
        raise LawError(f"{law.id}: {rule.id}: {name} is a wager of the catalog: use another name")
    try:
        return shaped_wager(name, value, rule.id)
    except ValueError as error:
        raise LawError(f"{law.id}: {rule.id}: {error}") from error


def checked_law(path: Path) -> Instrument:
    """Read a law file and check its wagers. Raises ``LawError`` with every fault and its place."""
    law = load_instrument(path)
    faults = [*_wager_faults(law)]
    if faults:
        file, places = read_toml(path), {name: at for at, name in enumerate(law.rules, start=1)}
        raise LawError(
            faults=[
                LawFault(file.place(f"rule[{places[item]}].id"), item, message, "contract")
                for item, message in faults
            ]
        )
    return law


def _wager_faults(law: Instrument) -> Iterator[tuple[str, str]]:
    for rule in law.rules.values():
        if rule.kind is not Kind.WAGER:
            continue
        try:
            wager = _shaped(law, rule)
        except LawError as error:
            yield rule.id, str(error).removeprefix(f"{law.id}: {rule.id}: ")
            continue
        pays = law.rules[wager.paid_by]
        tables = [value for value in (pays.value, *pays.choices) if isinstance(value, Mapping)]
        if any(set(pay_table) != set(wager.lines) for pay_table in tables):
            yield pays.id, f"must pay exactly the lines {', '.join(wager.lines)}"
        if unknown := sorted(
            set(rule.cites_by).difference(wager.lines, (LOSE, PUSH), wager.grounds)
        ):
            yield rule.id, f"cites_by names no line of the wager: {', '.join(unknown)}"


def _sha256(data: object) -> str:
    text = json.dumps(data, sort_keys=True, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def as_elected(rule: Rule, value: Value) -> Any:
    """Value of a rule as a submission writes it.

    >>> from fractions import Fraction
    >>> as_elected(Rule("vigorish.rate", Kind.RATE, "", ()), Fraction(1, 20))
    '5%'
    """
    if isinstance(value, tuple) and rule.kind is Kind.ORDER:
        return list(value)
    if isinstance(value, Mapping):
        return {name: as_elected(rule, row) for name, row in value.items()}
    is_plain = isinstance(value, bool | int | str) and not rule.is_amount
    return value if is_plain else rule.written(value)


class TableRules(Struct, frozen=True, dict=True):
    """Everything that binds one table: the law's values, elections, limits and layout.

    ``settled`` has every rule's value, ``in_force`` the applicable rules, and ``readings`` those of
    every interpretation they depend on. ``offers`` are in settlement order. ``own`` are custom
    wagers.
    """

    submission: Submission
    law: Instrument
    settled: Mapping[str, Value]
    in_force: frozenset[str]
    readings: Mapping[str, str]
    offers: Mapping[str, Offer] = field(default_factory=dict)
    own: tuple[Offer, ...] = ()

    # Rules are compared by `sha256`, never field by field.
    __eq__ = object.__eq__
    __hash__ = object.__hash__

    @property
    def title(self) -> str:
        """The title of the submission, or of the law if it has none."""
        return self.submission.title or self.law.title

    @cached_property
    def remembered(self) -> dict[Callable[..., Any], dict[Any, Any]]:
        return {}

    def value(self, rule_id: str, kind: type[ValueType]) -> ValueType:
        """Value of a rule. Raises ``LawError`` if it has none of that type."""
        value = self.settled.get(rule_id)
        if not isinstance(value, kind):
            raise LawError(f"{self.law.id} has no {kind.__name__} value for {rule_id!r}")
        return value

    def applies(self, rule_id: str) -> bool:
        """Whether the law has that rule and these elections make it applicable."""
        return rule_id in self.in_force or self._nowhere(rule_id)

    def elected(self, rule_id: str, choice: Value) -> bool:
        value = self.settled.get(rule_id)
        return self._nowhere(rule_id) if value is None else value == choice

    def members(self, rule_id: str) -> tuple[Any, ...]:
        """Members of an order or of groups; none if this law lacks the rule."""
        return self.value(rule_id, tuple) if self.applies(rule_id) else ()

    def not_together(self, wagers: Container[str]) -> list[str]:
        """Wagers of which a patron may make only one, if these have several."""
        for group in self.members("wagers.not_together"):
            if len(excluded := [wager for wager in group if wager in wagers]) > 1:
                return excluded
        return []

    def by_word(self, rule_id: str, ways: Mapping[str, Way]) -> Way:
        word = self.value(rule_id, str)
        if word not in ways:
            raise LawError(f"{self.law.id}: {rule_id}: {word!r} is not implemented")
        return ways[word]

    @cached_property
    def burned(self) -> int | None:
        """Number of cards burned, if it does not depend on the first one."""
        return self.value("burn.fixed", int) if self.applies("burn.fixed") else None

    @cached_property
    def burn_shown(self) -> int:
        """Maximum number of burned cards that are shown."""
        if self.burned == 0 or not self.applies("burn.exposure"):
            return 0
        all_cards = self.decks_per_shoe * DECK_SIZE
        return self.by_word("burn.exposure", {"all": all_cards, "first": 1, "none": 0})

    @property
    def burn_cites(self) -> tuple[str, ...]:
        return self.cites("burn.count" if self.burned is None else "burn.fixed")

    def bound(self, rule_id: str) -> int:
        """Minimum that the law permits someone at the table to choose for a count."""
        rule = self.law.rules.get(rule_id)
        minimum = None if rule is None else rule.at_least
        if not isinstance(minimum, int):
            raise LawError(f"{self.law.id} sets no minimum for {rule_id!r}")
        return minimum

    @cached_property
    def _cites(self) -> Mapping[str, tuple[str, ...]]:
        cites_by_id = {constraint.id: constraint.cites for constraint in self.law.constraints}
        return cites_by_id | {rule.id: rule.cites for rule in self.law.rules.values()}

    def cites(self, rule_id: str) -> tuple[str, ...]:
        """Clauses of a rule or constraint; empty if this law lacks it.

        Raises ``LawError`` for an id that no text has.
        """
        clauses = self._cites.get(rule_id)
        if clauses is None:
            self._nowhere(rule_id)
            return ()
        return clauses

    def cites_if_any(self, rule_id: str) -> tuple[str, ...]:
        """Clauses of a rule; empty if no text has it."""
        return self._cites.get(rule_id, ())

    @cached_property
    def _ids(self) -> frozenset[str]:
        return known_rule_ids().union(self._cites, contracts_of(self.law.mechanisms.values()))

    def _nowhere(self, rule_id: str) -> bool:
        if rule_id in self._ids:
            return False
        raise LawError(f"no regulation has a rule {rule_id!r}")

    def cites_for(self, rule_id: str, *choices: str) -> tuple[str, ...]:
        """Clauses of one choice of a rule, or one row of its table.

        ``choices`` go from the widest to the narrowest; the last with its own clauses counts.
        """
        rule = self.law.rules.get(rule_id)
        if rule is None:
            return self.cites(rule_id)
        clauses = rule.cites
        for choice in choices:
            clauses = rule.cites_by.get(choice, clauses)
        return clauses

    def reading(self, name: str) -> str | None:
        """Return the reading taken of a named entry; ``None`` if it is not applicable.

        Raises ``LawError`` for a name that the register lacks.
        """
        ids = self._reading_ids
        if name not in ids:
            raise LawError(f"the register has no reading {name!r}; it has {', '.join(ids)}")
        return self.readings.get(ids[name])

    def entry(self, name: str) -> str:
        return self._reading_ids[name]

    @cached_property
    def _reading_ids(self) -> Mapping[str, str]:
        return reading_ids(self.law.register)

    @cached_property
    def binding_readings(self) -> Mapping[str, str]:
        """The readings in the hash of the rules and in the header of a log.

        Entries added later are left out unless another reading is elected.
        """
        return self.binding_readings_with(())

    def binding_readings_with(self, counted: Collection[str]) -> Mapping[str, str]:
        """Binding readings of a program that also ``counted`` these later entries."""
        register = self.law.register
        bound = {
            name: register[name].bound_as(reading, counted=name in counted)
            for name, reading in self.readings.items()
        }
        return {name: reading for name, reading in bound.items() if reading is not None}

    def cites_reading(self, name: str) -> tuple[str, ...]:
        """Register entry of this name, if it concerns this regulation."""
        return () if self.reading(name) is None else (self.entry(name),)

    def ruling(self, matter: str) -> tuple[str, ...]:
        """Register entry under which a supervisor rules on a matter, if there is one."""
        register = self.law.register
        return tuple(one for one in self.readings if register[one].ruling == matter)[:1]

    def rest_on(self, *rule_ids: str) -> list[str]:
        register = self.law.register
        return [one for one in self.readings if not set(register[one].rests).isdisjoint(rule_ids)]

    @cached_property
    def vigorish(self) -> VigorishTerms:
        terms = vigorish_terms(self.value("vigorish.scheme", str), self.settled, self.in_force)
        if terms.scheme != "dragon-7" or self.reading("ez_table.charge") != "quarter":
            return terms
        rate = self.law.rules["vigorish.tie_rate"].value
        return replace(terms, tie_rate=rate if isinstance(rate, Fraction) else None)

    @property
    def tie_vigorish_cites(self) -> tuple[str, ...]:
        """Clauses of the rate that is taken of a returned wager."""
        if self.applies("vigorish.tie_rate"):
            return self.cites("vigorish.tie_rate")
        return self.cites_for("wagers.banker", "push") + self.cites_reading("ez_table.charge")

    @cached_property
    def bearing(self) -> Offer:
        return next(offer for offer in self.offers.values() if offer.wager.bears_vigorish)

    @cached_property
    def feeding(self) -> Offer | None:
        return next((offer for offer in self.offers.values() if offer.meters), None)

    @cached_property
    def wagers(self) -> Mapping[str, Wager]:
        """Every wager known under these rules, by id, whether on offer or not."""
        law_wagers = (
            _shaped(self.law, rule) for rule in self.law.rules.values() if rule.kind is Kind.WAGER
        )
        law_wagers_by_id = {wager.id: wager for wager in law_wagers}
        return {**WAGERS, **law_wagers_by_id, **{offer.wager.id: offer.wager for offer in self.own}}

    @cached_property
    def tableau(self) -> Tableau:
        """The drawing table, read from the law's tables. Raises ``LawError`` without one."""
        if not self.applies("third.player"):
            raise LawError(
                f"{self.law.key} is an excerpt without a drawing table, and none is taken from"
                " another regulation unasked: name the text whose third-card rules count, as"
                ' drawing_table = "ID@DATE" under [submission]'
            )
        player = self.value("third.player", dict)
        banker = self.value("third.banker", dict)
        draws = [int(count) for count, letter in player.items() if letter == "D"]
        return Tableau.of(draws, {int(count): row for count, row in banker.items()})

    def with_offers(self, *offers: Offer) -> TableRules:
        """Rules with custom wagers, which become part of the submission."""
        ids, meters = set(self.wagers), set(self.meter_seeds)
        errors = []
        for offer in offers:
            name = offer.wager.id
            if name in ids:
                errors.append(f"{name}: another wager of this table has that id")
            errors += [
                f"{name}: another wager of this table has a meter {meter}"
                for meter in sorted(meters.intersection(offer.seeds))
            ]
            ids.add(name)
            meters.update(offer.seeds)
        if errors:
            raise CustomWagerError(errors)
        all_own = (*self.own, *offers)
        defined = tuple(offer.definition for offer in all_own if offer.definition)
        named = {offer.wager.id: offer for offer in all_own}
        submission = replace(self.submission, own=defined)
        return replace(self, offers={**self.offers, **named}, own=all_own, submission=submission)

    def facts_of(self, coup: Coup) -> Facts:
        """Facts of a finished coup, with cards if a wager on offer needs them."""
        if not self._of_cards:
            return coup.facts
        return CardFacts.of(coup.player, coup.banker) if coup.is_complete else coup.facts

    @cached_property
    def _of_cards(self) -> bool:
        return any(CARDS in offer.wager.asks for offer in self.own)

    @property
    def missing(self) -> tuple[str, ...]:
        """Ids of rules required for dealing that this text does not settle."""
        contracts = contracts_of(self.law.mechanisms.values())
        return tuple(needed({"deal"}, {**dict.fromkeys(self.in_force), **self.settled}, contracts))

    @property
    def missing_in_words(self) -> str:
        *names, last = (*self.missing[:_FEW], f"and {len(self.missing) - _FEW} more")
        return ", ".join((*names, last) if len(self.missing) > _FEW else names)

    @cached_property
    def elections(self) -> Mapping[str, Any]:
        """What the table elects, as a submission writes it; a pay table by name if it was named."""
        elections = flatten(self.submission.elections, self.law.rules)
        return {
            rule.id: elections[rule.id]
            if elections.get(rule.id) in (*rule.at_least_any, *rule.one_of)
            else as_elected(rule, self.settled[rule.id])
            for rule in self.law.elections
            if rule.id in self.settled
        }

    @property
    def is_priced(self) -> bool:
        """Whether the text has wagers and a drawing table, for pricing and verification."""
        return bool(self.offers) and self.applies("third.player") and self.applies("third.banker")

    @cached_property
    def meter_seeds(self) -> Mapping[str, int]:
        """Meter seeds in cents."""
        return {
            meter: self.value(f"{rule_id}.seed", int)
            for offer in self.offers.values()
            for meter, rule_id in offer.meters.items()
        } | {meter: cents for offer in self.own for meter, cents in offer.seeds.items()}

    def linkable(self, wager: str) -> tuple[str, ...]:
        """Meters of a wager that tables may share: all but must-hit meters."""
        offer = self.offers.get(wager)
        if offer is None:
            return ()
        alone = {one for one, at in offer.meters.items() if f"{at}.must_hit_by" in self.in_force}
        return tuple(meter for meter in (*offer.meters, *offer.seeds) if meter not in alone)

    @cached_property
    def meter_shares(self) -> Mapping[str, Mapping[str, Fraction]]:
        """Share of each stake that feeds each meter, by wager and meter."""
        return {
            wager: {
                **{
                    meter: self.value(f"{rule_id}.increment", Fraction)
                    for meter, rule_id in offer.meters.items()
                },
                **offer.increments,
            }
            for wager, offer in self.offers.items()
            if offer.meters or offer.increments
        }

    @cached_property
    def warnings(self) -> tuple[str, ...]:
        register = self.law.register
        warnings = [
            f"{name}: {register[name].warnings[reading]}"
            for name, reading in self.readings.items()
            if reading in register[name].warnings
        ]
        warnings += [
            f"{clause.id}: not carried out by the program, done by hand: {clause.says}"
            for clause in unsupported(self.law, self.settled)
        ]
        warnings += [
            f"documents.{document.name} expired before {self.submission.on}: {document.says}"
            for document in self.submission.documents
            if document.expires is not None and document.expires < self.submission.on
        ]
        if unread := unverified(self.law, self.law.clauses):
            prefix = self.law.clause_prefix
            names = ", ".join(entry_id.removeprefix(f"{prefix}:") for entry_id in unread)
            warnings.append(f"{prefix}: not read in the regulation, and unverified: {names}")
        if source := self.submission.drawing_table:
            warnings.append(
                f"T23: third cards are drawn by {source}, as this excerpt has no such rules"
            )
        return tuple(warnings)

    @property
    def coupon(self) -> str | None:
        """The law's name of the coupon wagered with chips, if any."""
        tender = self.value("wagers.tender", tuple)
        return next((name for name in tender if name in _COUPONS), None)

    @property
    def decks_per_shoe(self) -> int:
        """Decks per shoe: all, or one of two batches."""
        return self.value("decks", int) // self.batches

    @property
    def batches(self) -> int:
        """Batches of decks: two with an automated shuffler, else one."""
        return self.value("device.batches", int) if self.applies("device.batches") else 1

    @cached_property
    def canonical(self) -> Mapping[str, Any]:
        submission = self.submission
        limits = submission.limits or {}
        data: dict[str, Any] = {
            "law": self.law.id,
            "in_force_from": self.law.in_force_from.isoformat(),
            "rules": {
                rule_id: canonical(value)
                for rule_id, value in sorted(self.settled.items())
                if not (rule := self.law.rules[rule_id]).may_be_left_out
                or value != self._plain(rule)
            },
            "procedures": sorted(self.in_force - set(self.settled)),
            "layout": {
                name: getattr(submission.layout, name) for name in TableLayout.__match_args__
            },
            "limits": {
                wager: [limit.min_cents, limit.max_cents] for wager, limit in sorted(limits.items())
            },
            "readings": dict(self.binding_readings),
        }
        if self.own:
            data["own"] = {
                offer.wager.id: {
                    **offer.definition,
                    "pays": {
                        line: pays.bound if isinstance(pays, Award) else str(pays)
                        for line, pays in offer.pays.items()
                    },
                }
                for offer in self.own
            }
        # Left out for the currency of laws that do not name theirs.
        if (currency := self.law.currency) != US_DOLLARS:
            data["currency"] = {"code": currency.code, "decimals": currency.decimals}
            if currency.own_chips:
                data["currency"]["chips"] = currency.chips
        return data

    @cached_property
    def cited(self) -> Mapping[str, tuple[str, ...]]:
        """The clauses of everything in force, by rule; not binding."""
        return {rule_id: self.cites(rule_id) for rule_id in sorted(self.in_force)}

    @cached_property
    def sha256(self) -> str:
        """SHA-256 of what binds the table, without citations."""
        return _sha256(self.canonical)

    def sha256_with(self, counted: Collection[str]) -> str:
        """Return ``sha256`` as of a program that also ``counted`` these later entries."""
        return _sha256({**self.canonical, "readings": self.binding_readings_with(counted)})

    @cached_property
    def cited_sha256(self) -> str:
        return self._cited_by(self._citing)

    def cited_sha256_before(self) -> Mapping[str, int]:
        """Return ``cited_sha256`` under each earlier version of the program's citations."""
        return {self._cited_by(version): version for version in range(1, self._citing)}

    @property
    def _citing(self) -> int:
        return _CITING if is_listed(self.law) else _CITING_OWN

    def _cited_by(self, version: int) -> str:
        held = self.law.rules
        parts = {
            name: held[name].cites_by for name in self.cited if name in held and held[name].cites_by
        }
        return _sha256({"cited": self.cited, "parts": parts, "citing": version})

    def _plain(self, rule: Rule) -> Value | None:
        return None if rule.default is None else self.law.read(rule.id, rule.default)

    def _elected(self, rule: Rule) -> str:
        value, shown = self.settled[rule.id], rule.currency.shown
        if rule.kind is Kind.MONEY and isinstance(value, int):
            return shown(value)
        if rule.kind is Kind.AWARDS and isinstance(value, Mapping):
            return ", ".join(f"{name} {shown(cast('int', cents))}" for name, cents in value.items())
        return json.dumps(canonical(value))

    def __str__(self) -> str:
        departures = [
            f"{rule.id} = {self._elected(rule)}"
            for rule in self.law.elections
            if rule.id in self.settled and self.settled[rule.id] != self._plain(rule)
        ]
        return f"{self.law.title} as of {self.law.in_force_from}: " + (
            ", ".join(departures) if departures else "default elections"
        )
