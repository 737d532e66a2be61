"""What a law file holds: an instrument of clauses, rules and constraints."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from datetime import date
from enum import Enum
from functools import cached_property

from msgspec import Struct, field

from croupier.law.values import Kind, Value, parse_value, written

Condition = Mapping[str, tuple[Value, ...]]
"""Rule id to the values that satisfy; every rule named must have one of its values."""


class ClauseClass(Enum):
    """What a clause asks of a program."""

    LOGIC = "A"
    """Logic that must be computed."""
    PROCEDURE = "B"
    """Procedure that the table prompts, enforces or records."""
    PHYSICAL = "C"
    """A physical or filing condition, kept as an item of a check-list."""


class Disposition(Enum):
    """What became of a clause."""

    RULE = "rule"
    PROCEDURE = "procedure"
    SUBSTITUTE = "substitute"
    CONSTRAINT = "constraint"
    CHECKLIST = "checklist"
    OUT_OF_SCOPE = "out-of-scope"


class Standing(Enum):
    """On what a rule or a clause stands, the firmest first."""

    TEXT = "text"
    """The text says it."""
    READING = "reading"
    """The text says it once it is read as the register of interpretations reads it."""
    SILENT = "silent"
    """The text says nothing of it: the register decides."""
    SUBSTITUTE = "substitute"
    """It belongs to a text that is not held, and what other texts say stands in."""


class Clause(Struct, frozen=True):
    """One atomic clause: its id, what it says in our own words, its class.

    ``set_aside`` is the disposition of a clause that no rule implements, with the ``reason`` for
    it. Where ``standing`` is written, what the clause asks for is not in the text that is held. An
    item of the check-list counts only while ``applies_when`` holds.
    """

    id: str
    says: str
    clause_class: ClauseClass
    set_aside: Disposition | None = None
    reason: str | None = None
    interpretations: tuple[str, ...] = ()
    standing: Standing | None = None
    applies_when: Condition = field(default_factory=dict)


class Rule(Struct, frozen=True, dict=True):
    """One rule: settled by its ``value``, or left open to ``choices`` or a bound.

    A rule that is left open and ``by`` the licensee is an election. ``by`` anyone else it is a
    bound on what that person does at the table. ``at_least_any`` maps the names that a licensee may
    give to rules whose pay tables are minimums: the licensee offers one of them, or better on every
    line; ``one_of`` to rules whose pay tables are offered unchanged. A rule ``by`` the layout
    bounds a fact of the table. The rule counts only while ``applies_when`` holds.
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
    """The clauses of one choice or one row of a table, where they are fewer than ``cites``."""
    default: object = None
    """The default election, as written in a submission; ``None`` if it must be given."""
    may_be_left_out: bool = False
    """Whether a submission takes the default by saying nothing: the election was added later."""
    value_by_reading: Mapping[str, Value] = field(default_factory=dict)
    """The value under a reading other than the one taken, by ``T41.literal``."""
    standing: Standing | None = None
    """Written where the text does not say it: substitute or silent."""
    does: str = ""
    """What a procedure does, in a sentence that is the same in all texts that say the same."""
    terms: Mapping[str, str] = field(default_factory=dict)
    """The text's own words for parts of a procedure, where events and transcripts use them."""

    @cached_property
    def is_election(self) -> bool:
        """Whether the licensee's rules submission must fill this rule in."""
        return self.value is None and self.kind is not Kind.PROCEDURE and self.by == "licensee"

    def written(self, value: Value) -> str:
        """Write a value of this rule for a person."""
        return written(self.kind, value)

    @property
    def left_open(self) -> str:
        """What the rule leaves open, for a person."""
        if self.choices:
            return "one of " + ", ".join(map(self.written, self.choices))
        if self.at_least is not None:
            return f"at least {self.written(self.at_least)}"
        if self.between is not None:
            return f"{self.written(self.between[0])} to {self.written(self.between[1])}"
        if self.at_least_any:
            return f"one of the tables {', '.join(self.at_least_any)}, or better on every line"
        if self.one_of:
            return f"one of the tables {', '.join(self.one_of)}"
        return "true or false" if self.kind is Kind.FLAG else self.kind.value


class ConstraintKind(Enum):
    """How a constraint binds several rules."""

    REQUIRES = "requires"
    EXCLUDES = "excludes"
    UNIFORM = "uniform"
    NOTICE = "notice"
    MOMENT = "moment"


class Constraint(Struct, frozen=True):
    """A tie between elections: requires, excludes, the same for the whole pit, notice, a moment.

    While ``when`` holds, ``then`` must hold (requires) or must not (excludes); ``at_least`` and
    ``at_most`` and ``multiple_of`` bound counts by rule id. ``rules`` names the elections that are
    uniform ``across`` a pit or all the tables of a licensee, or that need notice of ``minutes`` to
    each of ``to`` before a change. A uniform constraint with ``beside`` binds only where a table of
    that game stands in the pit, and takes it in. ``moment`` is when ``rules`` change: ``"round"``,
    after a round is concluded, or ``"submission"``, with the rules submission alone.
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


class Amendment(Struct, frozen=True):
    """What the text tells of a day on which it was changed: which sections, by what order.

    ``by`` is what changed it, as people cite it, and ``note`` what the text says of the change, in
    our own words; both ``None`` where it is silent.
    """

    on: date
    sections: tuple[str, ...]
    by: str | None = None
    note: str | None = None


class Correction(Struct, frozen=True):
    """A mistake in a law file that was put right: when, in which rules or clauses, and why.

    ``binds`` marks a correction of what binds a table: a value or a procedure. Any other is of
    citations or wording, and tables that played under the edition before it did nothing wrong.
    """

    on: date
    of: tuple[str, ...]
    why: str
    binds: bool


class Instrument(Struct, frozen=True, dict=True):
    """One text as it stood on a date: where it comes from, and all that it says.

    ``in_force_from`` to ``in_force_known`` is the span in which the text is known to have been
    in force; outside it nothing is claimed.
    """

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

    @property
    def edition(self) -> int:
        """The edition of this file: 1, and one more for each correction since it was first held."""
        return 1 + len(self.corrections)

    @cached_property
    def key(self) -> str:
        """The text among those of its id: ``us-nj/minibaccarat@2011-02-22``."""
        return f"{self.id}@{self.in_force_from}"

    @property
    def game(self) -> str:
        """The game, which the id names after the place: ``minibaccarat``."""
        return self.id.rpartition("/")[2]

    @cached_property
    def elections(self) -> tuple[Rule, ...]:
        """The rules that the licensee must fill in, in the regulation's order."""
        return tuple(rule for rule in self.rules.values() if rule.is_election)

    @cached_property
    def implemented_by(self) -> Mapping[str, tuple[Rule | Constraint, ...]]:
        """The rules and constraints that carry each clause, by clause id."""
        carriers: dict[str, list[Rule | Constraint]] = {clause: [] for clause in self.clauses}
        all_carriers: tuple[Rule | Constraint, ...] = (*self.rules.values(), *self.constraints)
        for carrier in all_carriers:
            for cited in carrier.cites:
                if not is_entry(cited):
                    carriers[cited].append(carrier)
        return {clause: tuple(found) for clause, found in carriers.items()}

    def read(self, rule_id: str, raw: object) -> Value:
        """Return a value as a licensee writes it: by the name of a table, or all of it.

        Raises ``ValueError`` for what is neither.
        """
        rule = self.rules[rule_id]
        named = {**rule.at_least_any, **rule.one_of}.get(raw) if isinstance(raw, str) else None
        value = None if named is None else self.rules[named].value
        return parse_value(rule.kind, raw) if value is None else value

    def cites(self, rule_ids: Iterable[str]) -> tuple[str, ...]:
        """Return the clauses on which some rules stand, each once; rules not held have none."""
        found = (self.rules[rule_id].cites for rule_id in rule_ids if rule_id in self.rules)
        return tuple(dict.fromkeys(clause for clauses in found for clause in clauses))

    def disposition(self, clause_id: str) -> Disposition:
        """Return what became of a clause: a function's work counts before a stated value."""
        carriers = self.implemented_by[clause_id]
        clause = self.clauses[clause_id]
        if clause.standing is Standing.SUBSTITUTE:
            return Disposition.SUBSTITUTE
        if any(isinstance(one, Rule) and one.kind is Kind.PROCEDURE for one in carriers):
            return Disposition.PROCEDURE
        if any(isinstance(one, Rule) for one in carriers):
            return Disposition.RULE
        return clause.set_aside or Disposition.CONSTRAINT

    def speak(self, clause_id: str) -> str:
        """Return the clause as people cite it: ``N.J.A.C. 19:47-7.5(e)``.

        What follows ``~`` or ``#`` tells clauses of the inventory apart and is nobody's citation.
        """
        place = re.split("[~#]", clause_id.partition(":")[2])[0]
        return self.citation + place.replace("_", " ")


def is_entry(citation: str) -> bool:
    """Return whether a citation is an entry of the register, such as ``T47``, and not a clause."""
    return ":" not in citation


def section(clause_id: str) -> str:
    """Return the section of a clause: ``7.9`` of ``7.9_Table_2#1``, ``(f)`` of ``(f)(3)(i)``."""
    found = re.match(r"\(\w+\)|[^(#_~]*", clause_id.partition(":")[2])
    return found[0] if found else ""
