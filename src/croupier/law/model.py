"""Model of a law file: clauses, rules and constraints."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from enum import Enum
from functools import cached_property
from typing import Any, Final

from msgspec import Struct, field

from croupier.files.errors import did_you_mean
from croupier.law.usage import US_DOLLARS, Currency, Usage
from croupier.law.values import Kind, Value, parse_value, size_of, written

TAKEN: Final = "taken"
"""Name of a reading without an alternative."""

Condition = Mapping[str, tuple[Value, ...]]
"""Permitted values by rule id; all rules must match."""


def condition_holds(condition: Condition, settled: Mapping[str, object]) -> bool:
    # A loop for speed: this runs several times for every rule of each submission.
    for rule_id, allowed in condition.items():  # noqa: SIM110
        if settled.get(rule_id) not in allowed:
            return False
    return True


class ClauseClass(Enum):
    """What a clause requires of a program."""

    LOGIC = "A"
    """Logic that must be computed."""
    PROCEDURE = "B"
    """The table prompts, enforces or records it."""
    PHYSICAL = "C"
    """A physical or filing condition, kept as a checklist item."""


class Disposition(Enum):
    """How a clause is implemented or set aside."""

    RULE = "rule"
    PROCEDURE = "procedure"
    SUBSTITUTE = "substitute"
    CONSTRAINT = "constraint"
    CHECKLIST = "checklist"
    OUT_OF_SCOPE = "out-of-scope"
    UNSUPPORTED = "unsupported"

    @property
    def is_written(self) -> bool:
        """Whether a law file states it; others follow from the rules."""
        return self in {Disposition.CHECKLIST, Disposition.OUT_OF_SCOPE, Disposition.UNSUPPORTED}


class Standing(Enum):
    """The basis of a rule or clause, strongest first."""

    TEXT = "text"
    """The text says it."""
    READING = "reading"
    """The text says it under a reading in the register."""
    SILENT = "silent"
    """The text is silent and the register decides."""
    SUBSTITUTE = "substitute"
    """Its text is not included, and other texts substitute."""
    UNVERIFIED = "unverified"
    """A clause that was not read in the regulation: what it says comes from elsewhere."""


class Clause(Struct, frozen=True):
    """One atomic clause: its id, paraphrase and class.

    ``set_aside`` is the disposition of a clause without an implementing rule. ``on_site`` is what
    people check of a clause that a rule implements in addition. ``meanwhile`` is
    ``by-hand`` for an unsupported clause, or ``refuse`` if no table may be dealt without it.
    """

    id: str
    says: str
    clause_class: ClauseClass
    set_aside: Disposition | None = None
    reason: str | None = None
    interpretations: tuple[str, ...] = ()
    standing: Standing | None = None
    applies_when: Condition = field(default_factory=dict)
    meanwhile: str = ""
    on_site: str | None = None


class Rule(Struct, frozen=True, dict=True):
    """One rule: settled by its ``value``, or left open to ``choices`` or a bound.

    An open rule ``by`` the licensee is an election; other actors, or the layout, are bounded by it.
    ``at_least_any`` has minimum pay tables by name, ``one_of`` those offered unchanged.
    """

    id: str
    kind: Kind
    title: str
    cites: tuple[str, ...]
    value: Value | None = None
    choices: tuple[Value, ...] = ()
    at_least: Value | None = None
    between: tuple[Value, Value] | None = None
    at_least_any: Mapping[str, str] = field(default_factory=dict)
    one_of: Mapping[str, str] = field(default_factory=dict)
    by: str = "licensee"
    applies_when: Condition = field(default_factory=dict)
    cites_by: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Clauses of one choice or table row."""
    default: object = None
    """As written in a submission; ``None`` if required."""
    may_be_left_out: bool = False
    """The election was added later."""
    value_by_reading: Mapping[str, Value] = field(default_factory=dict)
    """By entry and reading, as ``T41.literal``."""
    standing: Standing | None = None
    """Substitute or silent, if the text lacks the rule."""
    does: str = ""
    """Summary of a procedure, the same in texts that agree."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """The text's terms, used in events and transcripts."""
    currency: Currency = US_DOLLARS
    """In which its amounts are written."""

    @property
    def is_amount(self) -> bool:
        return self.kind in {Kind.MONEY, Kind.AWARDS}

    @cached_property
    def is_election(self) -> bool:
        """Whether the licensee's rules submission must contain this rule."""
        return self.value is None and self.kind is not Kind.PROCEDURE and self.by == "licensee"

    @property
    def values(self) -> tuple[Value, ...]:
        """The only values that a table may have; empty if the law does not list them."""
        if self.value is not None:
            return (self.value, *self.value_by_reading.values())
        return (False, True) if self.kind is Kind.FLAG else self.choices

    def written(self, value: Value) -> str:
        return written(self.kind, value, self.currency)

    def read(self, raw: object) -> Value:
        """Read a value as a file has it. Raises ``ValueError``."""
        return parse_value(self.kind, raw, self.currency)

    def unfit(self, value: Value) -> str | None:
        """Return why a value is not among the choices or within the bounds, if it is not."""
        name = self.written(value)
        if self.choices and value not in self.choices:
            hint = did_you_mean(name, map(self.written, self.choices))
            return f"{name} is not allowed: {self.left_open}{hint}"
        if self.at_least is not None and size_of(value) < size_of(self.at_least):
            return f"{name} is below the minimum of {self._bound(self.at_least)}"
        if self.between is not None:
            minimum, maximum = map(size_of, self.between)
            if not minimum <= size_of(value) <= maximum:
                return f"{name} is out of range: {self.left_open}"
        return None

    def _bound(self, value: Value) -> str:
        if self.kind is Kind.MONEY and isinstance(value, int):
            return self.currency.shown(value)
        return self.written(value)

    @property
    def left_open(self) -> str:
        if self.choices:
            return "one of " + ", ".join(map(self.written, self.choices))
        if self.at_least is not None:
            return f"at least {self._bound(self.at_least)}"
        if self.between is not None:
            return " to ".join(map(self._bound, self.between))
        if self.at_least_any:
            return f"one of the tables {', '.join(self.at_least_any)}, or better on every line"
        if self.one_of:
            return f"one of the tables {', '.join(self.one_of)}"
        words = {Kind.FLAG: "true or false", Kind.AWARDS: "an amount for each wager"}
        return words.get(self.kind, self.kind.value)


class ConstraintKind(Enum):
    """How a constraint binds several rules."""

    REQUIRES = "requires"
    EXCLUDES = "excludes"
    UNIFORM = "uniform"
    NOTICE = "notice"
    MOMENT = "moment"


class Constraint(Struct, frozen=True):
    """A relation between elections: requires, excludes, uniform, notice, or moment.

    While ``when`` holds, ``then`` must hold (requires) or must not (excludes). ``rules`` are
    uniform ``across`` a pit or licensee, or need notice of ``minutes`` to each of ``to``. With
    ``beside``, only pits with a table of that game are bound. ``moment`` is when ``rules`` change:
    after a ``"round"``, or with the ``"submission"`` alone.
    """

    id: str
    kind: ConstraintKind
    says: str
    cites: tuple[str, ...]
    when: Condition = field(default_factory=dict)
    then: Condition = field(default_factory=dict)
    at_least: Mapping[str, int] = field(default_factory=dict)
    at_most: Mapping[str, int] = field(default_factory=dict)
    multiple_of: Mapping[str, int] = field(default_factory=dict)
    rules: tuple[str, ...] = ()
    minutes: int | None = None
    to: tuple[str, ...] = ()
    beside: str | None = None
    across: str = "pit"
    moment: str = ""

    @property
    def named(self) -> set[str]:
        """The rules whose values decide whether it is broken."""
        return {*self.when, *self.then, *self.at_least, *self.at_most, *self.multiple_of}

    def is_broken(self, settled: Mapping[str, object]) -> bool:
        """Whether settled values break what the constraint requires or excludes."""
        if not condition_holds(self.when, settled):
            return False
        if self.kind is ConstraintKind.EXCLUDES:
            return condition_holds(self.then, settled)
        if self.kind is not ConstraintKind.REQUIRES:
            return False
        return any(self.unmet(settled)) or any(self.broken_counts(settled))

    def unmet(self, settled: Mapping[str, object]) -> Iterator[str]:
        """Yield the rules in ``then`` that are settled otherwise."""
        for name, allowed in self.then.items():
            if settled.get(name, allowed[0]) not in allowed:
                yield name

    def broken_counts(self, settled: Mapping[str, object]) -> Iterator[tuple[str, str]]:
        """Yield the bounds that settled counts break, by rule."""
        bounds: tuple[tuple[str, Mapping[str, int], Callable[[int, int], bool]], ...] = (
            ("at least", self.at_least, lambda count, minimum: count < minimum),
            ("at most", self.at_most, lambda count, maximum: count > maximum),
            ("a multiple of", self.multiple_of, lambda count, factor: count % factor != 0),
        )
        for words, bound, is_out in bounds:
            for name, number in bound.items():
                count = settled.get(name)
                if isinstance(count, int) and is_out(count, number):
                    yield name, f"{words} {number}"


class Interpretation(Struct, frozen=True, forbid_unknown_fields=True):
    """One entry: the problem, the reading taken, and the readings that a licensee may elect.

    ``name`` is that of an electable entry in code. ``reading`` names the default of ``readings``,
    or is the reading itself if there are none. ``rests`` are the rules that depend on the entry,
    ``unless`` those that decide its matter where they apply,
    ``laws`` the texts concerned, if others have the rules without the problem. An entry to
    ``acknowledge`` substitutes for a text that is not included: a submission must name it.
    ``warnings`` are mandatory, by reading. ``added`` is the day of an entry added after tables had
    played under the register, ``named`` that on which an older entry's readings got names.
    ``ruling`` is the matter of a supervisor's ruling. ``standing`` is that of its rules; a note on
    the text itself is ``text``.
    """

    id: str
    title: str
    problem: str
    reading: str
    rests: tuple[str, ...]
    readings: Mapping[str, str] = field(default_factory=dict)
    unless: tuple[str, ...] = ()
    laws: tuple[str, ...] = ()
    name: str = ""
    acknowledge: bool = False
    warnings: Mapping[str, str] = field(default_factory=dict)
    added: date | None = None
    named: date | None = None
    ruling: str = ""
    standing: Standing = Standing.READING

    def about(self, law_id: str, rule_ids: Collection[str]) -> bool:
        """Whether one of those rules of a law depends on this interpretation.

        ``law_id`` may name a dated text, as ``us-nj/minibaccarat@1999-07-06``; ``laws`` may name
        that text or all texts of an id.
        """
        if not any(rule_id in rule_ids for rule_id in self.rests):
            return False
        return not self.laws or not {law_id, law_id.partition("@")[0]}.isdisjoint(self.laws)

    def bound_as(self, reading: str, *, counted: bool = False) -> str | None:
        """Return a reading's name in the binding hash; ``None`` if it does not bind.

        The default reading of an entry added later describes earlier practice, so earlier records
        stay valid. The default keeps the form from before its readings had names. A ``counted``
        entry binds under its own name, as if it had always existed.
        """
        if counted:
            return reading
        if self.added is not None and reading in {self.reading, TAKEN}:
            return None
        return TAKEN if self.named is not None and reading == self.reading else reading

    def says(self, name: str) -> str:
        return self.readings.get(name, self.reading)


class Amendment(Struct, frozen=True):
    """One amendment: its day, sections, and order; ``None`` if the text is silent."""

    on: date
    sections: tuple[str, ...]
    by: str | None = None
    note: str | None = None


class Correction(Struct, frozen=True):
    """A corrected mistake in a law file; it ``binds`` if of a value or procedure."""

    on: date
    of: tuple[str, ...]
    why: str
    binds: bool


class Mechanism(Struct, frozen=True):
    """An installed package that implements rules: its version, files' SHA-256, and contracts."""

    name: str
    package: str
    version: str
    sha256: str
    module: str
    contracts: Mapping[str, Any]

    def __str__(self) -> str:
        return f"mechanism {self.name} {self.version} of {self.package}"

    @property
    def stated(self) -> dict[str, str]:
        return {"package": self.package, "version": self.version, "sha256": self.sha256}


class Instrument(Struct, frozen=True, dict=True):
    """One regulation text, known in force from ``in_force_from`` to ``in_force_known``."""

    id: str
    title: str
    authority: str
    citation: str
    clause_prefix: str
    in_force_from: date
    in_force_known: date
    observed_on: date
    partial: bool
    amended: tuple[date, ...]
    note: str
    sha256: str
    clauses: Mapping[str, Clause]
    rules: Mapping[str, Rule]
    constraints: tuple[Constraint, ...]
    amendments: tuple[Amendment, ...] = ()
    corrections: tuple[Correction, ...] = ()
    register: Mapping[str, Interpretation] = field(default_factory=dict)
    """The register of interpretations, with the entries of this law's folder."""
    source: Mapping[str, str] = field(default_factory=dict)
    """Where the text was read, when, and by whom, if the file says so."""
    usage: Usage = field(default_factory=Usage)
    """Its currency, and what it calls offices."""
    mechanisms: Mapping[str, Mechanism] = field(default_factory=dict)
    """The installed packages that implement some of its rules, by name."""

    @property
    def currency(self) -> Currency:
        return self.usage.currency

    @property
    def edition(self) -> int:
        return 1 + len(self.corrections)

    @cached_property
    def key(self) -> str:
        """Id and date of the text: ``us-nj/minibaccarat@2011-02-22``."""
        return f"{self.id}@{self.in_force_from}"

    @property
    def first_day(self) -> date | None:
        """The first gaming day under it, unless only the day is known on which it was read."""
        return self.in_force_from if self.in_force_from < self.observed_on else None

    @property
    def game(self) -> str:
        """The game, the last part of the id: ``minibaccarat``."""
        return self.id.rpartition("/")[2]

    @cached_property
    def elections(self) -> tuple[Rule, ...]:
        return tuple(rule for rule in self.rules.values() if rule.is_election)

    @cached_property
    def concerned(self) -> Mapping[str, Interpretation]:
        """The entries of the register that a rule depends on, whatever is elected."""
        always = {name for name, rule in self.rules.items() if not rule.applies_when}
        return {
            name: entry
            for name, entry in self.register.items()
            if entry.about(self.key, self.rules) and always.isdisjoint(entry.unless)
        }

    @cached_property
    def entries_by_rule(self) -> Mapping[str, Sequence[Interpretation]]:
        """The entries of the register by each rule that depends on them."""
        entries: dict[str, list[Interpretation]] = {}
        for entry in self.register.values():
            if entry.about(self.key, entry.rests):
                for rule_id in dict.fromkeys(entry.rests):
                    entries.setdefault(rule_id, []).append(entry)
        return entries

    @cached_property
    def unsupported(self) -> tuple[Clause, ...]:
        unsupported = Disposition.UNSUPPORTED
        return tuple(one for one in self.clauses.values() if one.set_aside is unsupported)

    @cached_property
    def implemented_by(self) -> Mapping[str, tuple[Rule | Constraint, ...]]:
        carriers: dict[str, list[Rule | Constraint]] = {clause: [] for clause in self.clauses}
        all_carriers: tuple[Rule | Constraint, ...] = (*self.rules.values(), *self.constraints)
        for carrier in all_carriers:
            for cited in carrier.cites:
                if not is_entry(cited):
                    carriers[cited].append(carrier)
        return {clause: tuple(items) for clause, items in carriers.items()}

    def read(self, rule_id: str, raw: object) -> Value:
        """Value as a licensee writes it: the name of a table, or its contents."""
        rule = self.rules[rule_id]
        table_id = {**rule.at_least_any, **rule.one_of}.get(raw) if isinstance(raw, str) else None
        value = None if table_id is None else self.rules[table_id].value
        return rule.read(raw) if value is None else value

    def cites(self, rule_ids: Iterable[str]) -> tuple[str, ...]:
        groups = (self.rules[rule_id].cites for rule_id in rule_ids if rule_id in self.rules)
        return tuple(dict.fromkeys(clause for clauses in groups for clause in clauses))

    def disposition(self, clause_id: str) -> Disposition:
        """Return a clause's disposition; a function takes precedence over a stated value."""
        carriers = self.implemented_by[clause_id]
        clause = self.clauses[clause_id]
        if clause.standing is Standing.SUBSTITUTE:
            return Disposition.SUBSTITUTE
        if any(isinstance(rule, Rule) and rule.kind is Kind.PROCEDURE for rule in carriers):
            return Disposition.PROCEDURE
        if any(isinstance(rule, Rule) for rule in carriers):
            return Disposition.RULE
        return clause.set_aside or Disposition.CONSTRAINT

    def speak(self, clause_id: str) -> str:
        """Clause in its cited form: ``N.J.A.C. 19:47-7.5(e)``."""
        place = re.split("[~#]", clause_id.partition(":")[2])[0]
        return self.citation + place.replace("_", " ")


def is_entry(citation: str) -> bool:
    """Whether a citation is an entry of the register, such as ``T47``."""
    return ":" not in citation


def section(clause_id: str) -> str:
    """Section of a clause: ``7.9`` of ``7.9_Table_2#1``, ``(f)`` of ``(f)(3)(i)``."""
    match = re.match(r"\(\w+\)|[^(#_~]*", clause_id.partition(":")[2])
    return match[0] if match else ""
