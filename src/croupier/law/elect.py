"""A licensee's elections resolved against the law, and the clauses that people check."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from msgspec import Struct

from croupier.files.errors import MAX_FAULTS, PicklableError, Place, did_you_mean
from croupier.files.text import MAX_NESTING
from croupier.law.contracts import order_fault
from croupier.law.model import (
    Clause,
    ClauseClass,
    Constraint,
    ConstraintKind,
    Disposition,
    Instrument,
    Rule,
    condition_holds,
)
from croupier.law.values import Kind, Value, size_of
from croupier.law.wording import condition_in_words

_CLOSING: Final = {"wagers": "wagers.permitted", "vigorish": "vigorish.scheme"}
"""Rule that closes a family of rules to additions."""


class ErrorDetail(Struct, frozen=True):
    """One error in a rules submission."""

    where: str
    message: str
    clauses: tuple[str, ...] = ()
    place: Place | None = None
    """Place in the file, if the submission comes from one."""

    def __str__(self) -> str:
        place = "" if self.place is None else f"{self.place}: "
        law = f" [{', '.join(self.clauses)}]" if self.clauses else ""
        return f"{place}{self.where}: {self.message}{law}"


class SubmissionError(PicklableError, ValueError):
    """An unlawful rules submission; ``errors`` lists every error."""

    def __init__(self, errors: tuple[ErrorDetail, ...]) -> None:
        super().__init__("\n".join(map(str, errors)))
        self.errors = errors


def flatten(elections: Mapping[str, object], rules: Mapping[str, Rule]) -> dict[str, object]:
    """Flatten nested tables to dotted rule ids; a table that is a rule's value stays whole.

    Raises ``SubmissionError`` if two spellings of an id have different values.
    """
    flat: dict[str, object] = {}

    def is_whole(name: str) -> bool:
        return name in rules and rules[name].kind in {Kind.TABLE, Kind.PAYTABLE, Kind.AWARDS}

    def walk(table: Mapping[str, object], prefix: str, depth: int = 0) -> None:
        for key, value in table.items():
            name = f"{prefix}{key}"
            if isinstance(value, Mapping) and not is_whole(name) and depth < MAX_NESTING:
                walk(value, f"{name}.", depth + 1)
            elif (kept := flat.setdefault(name, value)) is not value and kept != value:
                raise SubmissionError((ErrorDetail(name, "has two values"),))

    walk(elections, "")
    return flat


class _Election:
    def __init__(
        self,
        law: Instrument,
        elections: Mapping[str, object],
        layout: Mapping[str, Value],
        readings: Mapping[str, str],
    ) -> None:
        self.law = law
        self.layout = layout
        self.given = flatten(elections, law.rules)
        self.errors: list[ErrorDetail] = []
        # Invalid elections; elections that depend on them are not checked.
        self.doubtful: set[str] = set()
        names = {f"{name}.{reading}" for name, reading in readings.items()}
        self.fixed: dict[str, Value] = {
            rule.id: rule.value
            if not rule.value_by_reading
            else next(
                (value for name, value in rule.value_by_reading.items() if name in names),
                rule.value,
            )
            for rule in law.rules.values()
            if rule.value is not None
        }
        self.settled = dict(self.fixed)

    def error(self, where: str, message: str, clauses: tuple[str, ...]) -> None:
        if len(self.errors) < MAX_FAULTS:
            self.errors.append(ErrorDetail(where, message, clauses))

    def run(self) -> dict[str, Value]:
        for name in self.given:
            if len(self.errors) < MAX_FAULTS:
                self._refuse_unknown(name)
        # A rule follows all that it depends on.
        for rule in self.law.rules.values():
            if rule.id in self.fixed:
                if not condition_holds(rule.applies_when, self.settled):
                    del self.settled[rule.id]
            elif rule.is_election:
                self._choose(rule)
            elif rule.by == "layout" and rule.id in self.layout:
                self._take_in(rule, self.layout[rule.id])
        self._drop_inapplicable()
        for constraint in self.law.constraints:
            self._hold_to(constraint)
        return self.settled

    def _refuse_unknown(self, name: str) -> None:
        rule = self.law.rules.get(name)
        if rule is None:
            hint = did_you_mean(name, [election.id for election in self.law.elections])
            if (table := name.partition(".")[0]) in {"limits", "interpretations", "table"}:
                hint = f"; did you mean a key of [{table}], outside [elections]?"
            closing = self.law.rules.get(_CLOSING.get(table, ""))
            message = f"this regulation has no rule of that name{hint}"
            self.error(name, message, () if closing is None else closing.cites)
        elif not rule.is_election:
            reason = None if rule.value is None else f"is settled: {rule.written(rule.value)}"
            explanation = reason or "is not a choice"
            self.error(name, f"{explanation}; the regulation leaves no election here", rule.cites)

    def _take_in(self, rule: Rule, value: Value) -> None:
        # Other elections are checked against an out-of-bounds value too.
        self.settled[rule.id] = value
        if reason := self._unfit(rule, value):
            self._doubt(rule, reason)

    def _doubt(self, rule: Rule, reason: str) -> None:
        self.doubtful.add(rule.id)
        self.error(rule.id, reason, rule.cites)

    def _choose(self, rule: Rule) -> None:
        if rule.id not in self.given:
            # A condition on a missing choice does not hold.
            if condition_holds(rule.applies_when, self.settled):
                if rule.may_be_left_out:
                    self.settled[rule.id] = rule.read(rule.default)
                    return
                self._doubt(rule, f"a choice is missing: {rule.title} ({rule.left_open})")
            return
        raw = self.given[rule.id]
        tables = {**rule.at_least_any, **rule.one_of}
        if tables and isinstance(raw, str):
            if raw in tables:
                self.settled[rule.id] = self.fixed[tables[raw]]
            else:
                self._doubt(rule, f"{raw!r} is not one of the tables {', '.join(tables)}")
            return
        try:
            value = rule.read(raw)
        except ValueError as error:
            self._doubt(rule, str(error))
        else:
            self._take_in(rule, value)

    def _unfit(self, rule: Rule, value: Value) -> str | None:
        if fault := rule.unfit(value):
            return fault
        if rule.one_of and value not in [self.fixed[name] for name in rule.one_of.values()]:
            return f"must be exactly one of the tables {', '.join(rule.one_of)}"
        if rule.kind is Kind.ORDER:
            return order_fault(rule, value)
        return self._below_every_table(rule, value) if rule.at_least_any else None

    def _below_every_table(self, rule: Rule, value: Value) -> str | None:
        if not isinstance(value, Mapping):
            return f"{rule.written(value)} is not a pay table"
        shortfalls = []
        for name, floor_id in rule.at_least_any.items():
            floor = self.fixed[floor_id]
            if not isinstance(floor, Mapping) or set(floor) != set(value):
                lines = floor if isinstance(floor, Mapping) else ()
                return f"must have the lines {', '.join(lines)} and no others"
            below = [line for line in floor if size_of(value[line]) < size_of(floor[line])]
            if not below:
                return None
            shortfalls.append(f"{name} on {', '.join(below)}")
        return (
            "pays less than every pay table in the regulation: less than "
            f"{'; less than '.join(shortfalls)}"
        )

    def _drop_inapplicable(self) -> None:
        for rule in self.law.rules.values():
            if rule.id not in self.given or rule.id not in self.settled:
                continue
            is_held = condition_holds(rule.applies_when, self.settled)
            if not is_held and self.doubtful.isdisjoint(rule.applies_when):
                needs = condition_in_words(rule.applies_when, self.law)
                self.error(rule.id, f"does not apply here: it requires {needs}", rule.cites)

    def _hold_to(self, constraint: Constraint) -> None:
        if not constraint.is_broken(self.settled):
            return
        if constraint.kind is ConstraintKind.EXCLUDES:
            clash = " with ".join((", ".join(constraint.when), ", ".join(constraint.then)))
            self.error(clash, constraint.says, constraint.cites)
            return
        for name in constraint.unmet(self.settled):
            words = " or ".join(map(self.law.rules[name].written, constraint.then[name]))
            self._demand(constraint, name, f"= {words}", ", ".join(constraint.when))
        for name, bound in constraint.broken_counts(self.settled):
            self._demand(constraint, name, bound, name)

    def _demand(self, constraint: Constraint, name: str, must: str, where: str) -> None:
        rule, condition = self.law.rules[name], condition_in_words(constraint.when, self.law)
        message = f"{condition} requires {name} {must}, not {rule.written(self.settled[name])}"
        if rule.value is not None:
            message += f", which is settled, so elect another {', '.join(constraint.when)}"
        self.error(where, f"{message} ({constraint.id}): {constraint.says}", constraint.cites)


def resolve_elections(
    law: Instrument,
    elections: Mapping[str, object],
    layout: Mapping[str, Value] | None = None,
    readings: Mapping[str, str] | None = None,
) -> Mapping[str, Value]:
    """Value of every rule that has one under these elections, by rule id.

    ``layout`` has the table's facts that the law bounds, ``readings`` the elected interpretations.
    Raises ``SubmissionError`` with *every* error and its clauses.
    """
    election = _Election(law, elections, layout or {}, readings or {})
    values = election.run()
    if election.errors:
        raise SubmissionError(tuple(election.errors))
    return {
        rule_id: value
        for rule_id, value in values.items()
        if condition_holds(law.rules[rule_id].applies_when, values)
    }


def checklist(law: Instrument, values: Mapping[str, Value]) -> tuple[Clause, ...]:
    """Applicable clauses that people check: class C, partly on site, or unsupported."""
    return tuple(
        clause
        for clause in law.clauses.values()
        if what_is_checked(clause) is not None and condition_holds(clause.applies_when, values)
    )


def what_is_checked(clause: Clause) -> str | None:
    """Return what people check of a clause: empty if it only goes on file, ``None`` if nothing."""
    if clause.on_site is not None or clause.set_aside is Disposition.UNSUPPORTED:
        return clause.on_site or clause.reason
    physical = clause.clause_class is ClauseClass.PHYSICAL
    if physical and clause.set_aside is not Disposition.OUT_OF_SCOPE:
        return clause.reason or ""
    return None


def unsupported(law: Instrument, values: Mapping[str, Value]) -> tuple[Clause, ...]:
    return tuple(one for one in law.unsupported if condition_holds(one.applies_when, values))


def by_hand(law: Instrument) -> tuple[str, ...]:
    return tuple(clause.id for clause in law.unsupported if clause.meanwhile == "by-hand")
