"""Law file reader that reports every error with its place."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from croupier.files.suggest import did_you_mean
from croupier.law.built import keep_built, read_law
from croupier.law.contracts import contract_faults, may_be
from croupier.law.fields import (
    Table,
    amendment,
    are_days,
    correction,
    names_of,
    needed_key,
    one_of,
    only_keys,
    text_of,
    texts_of_key,
)  # fmt: skip
from croupier.law.interpretations import interpretations
from croupier.law.model import (
    Amendment,
    Clause,
    ClauseClass,
    Condition,
    Constraint,
    ConstraintKind,
    Correction,
    Disposition,
    Instrument,
    Rule,
    Standing,
    is_entry,
)
from croupier.law.values import Kind, Value, parse_value

Item = TypeVar("Item", Clause, Rule, Constraint)


class LawError(ValueError):
    """An invalid law file, or a query that the law cannot answer."""


_LISTS = ("amendment", "correction", "clause", "rule", "constraint")


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.raw, self.sha256, tables, self.built = read_law(path, keep=False)
        except (UnicodeDecodeError, tomllib.TOMLDecodeError) as error:
            raise LawError(f"{path}: not TOML: {error}") from error
        self.tables: Table = tables
        self.errors: list[str] = []
        self.lists = {name: self._list(name) for name in _LISTS}

    def place(self, item: str) -> str:
        # An amendment has a day instead of an id.
        for number, line in enumerate(self.raw.decode().splitlines(), start=1):
            if line in {f'id = "{item}"', f"on = {item}"}:
                return f"{self.path}:{number}: {item}"
        return f"{self.path}: {item}"

    def error(self, item: str, reason: str) -> None:
        self.errors.append(f"{self.place(item)}: {reason}")

    def _list(self, name: str) -> Sequence[Table]:
        tables = self.tables.get(name, [])
        if isinstance(tables, list) and all(isinstance(table, dict) for table in tables):
            return tables
        self.errors.append(f"{self.path}: {name}: must be a list of tables, [[{name}]]")
        return ()

    def items(self, name: str, read: Callable[[Table, str], Item]) -> dict[str, Item]:
        found: dict[str, Item] = {}
        for number, table in enumerate(self.lists[name], start=1):
            item = table.get("id")
            if not isinstance(item, str) or not item:
                self.error(f"[[{name}]] number {number}", "has no id")
            elif item in found:
                self.error(item, f"is defined twice as [[{name}]]")
            else:
                try:
                    found[item] = read(table, item)
                except (ValueError, TypeError) as error:
                    self.error(item, str(error))
        return found


_CLAUSE_KEYS = (
    "id", "says", "class", "disposition", "reason", "interpretations", "standing", "applies_when",
    "meanwhile",
)  # fmt: skip


def _clause(table: Table, item: str) -> Clause:
    only_keys(table, _CLAUSE_KEYS)
    set_aside = one_of(Disposition, table["disposition"]) if "disposition" in table else None
    if set_aside is not None and not set_aside.is_written:
        raise ValueError(
            "only 'checklist', 'out-of-scope', and 'unsupported' may be given; other dispositions "
            "are derived"
        )
    meanwhile = table.get("meanwhile", "")
    if (set_aside is Disposition.UNSUPPORTED) != (meanwhile in {"by-hand", "refuse"}):
        raise ValueError('an unsupported clause needs \'meanwhile\', "by-hand" or "refuse"')
    if (set_aside is None) != ("reason" not in table):
        raise ValueError("'disposition' and 'reason' must be given together")
    return Clause(
        item,
        text_of(table, "says"),
        one_of(ClauseClass, needed_key(table, "class")),
        set_aside,
        table.get("reason"),
        texts_of_key(table, "interpretations"),
        _standing(table),
        meanwhile=meanwhile,
    )


def _standing(table: Table) -> Standing | None:
    if "standing" not in table:
        return None
    standing = one_of(Standing, table["standing"])
    if standing not in {Standing.SUBSTITUTE, Standing.SILENT}:
        raise ValueError("only 'substitute' and 'silent' are written; other standings follow")
    return standing


_RULE_KEYS = (
    "id", "kind", "title", "cites", "value", "choices", "at_least", "between", "at_least_any", "by",
    "one_of", "applies_when", "cites_by", "default", "may_be_left_out", "value_by_reading",
    "standing", "does", "terms",
)  # fmt: skip


def _cites_by(table: Table) -> dict[str, tuple[str, ...]]:
    by = {name: texts_of_key(table["cites_by"], name) for name in table.get("cites_by", {})}
    for name, clauses in by.items():
        strange = {one for one in clauses if not is_entry(one)} - set(texts_of_key(table, "cites"))
        if strange:
            raise ValueError(
                f"cites_by {name!r} cites clauses that are not in 'cites': {', '.join(strange)}"
            )
    return by


def _rule(table: Table, item: str) -> Rule:
    only_keys(table, _RULE_KEYS)
    kind = one_of(Kind, needed_key(table, "kind"))

    def read(key: str) -> Value | None:
        return parse_value(kind, table[key]) if key in table else None

    choices = table.get("choices", [])
    between = tuple(parse_value(kind, raw) for raw in table.get("between", ()))
    if kind not in {Kind.PROCEDURE, Kind.FLAG, Kind.TEXT, Kind.ORDER}:
        settled = [key for key in ("value", "choices", "at_least", "between") if key in table]
        if not settled and "at_least_any" not in table and "one_of" not in table:
            raise ValueError(
                "has neither a value nor an open choice: add a value, choices, or a bound"
            )
    if len(between) not in {0, 2}:
        raise ValueError("'between' requires a minimum and a maximum")
    return Rule(
        item,
        kind,
        text_of(table, "title"),
        texts_of_key(table, "cites"),
        read("value"),
        tuple(parse_value(kind, raw) for raw in choices),
        read("at_least"),
        (between[0], between[1]) if between else None,
        names_of(table, "at_least_any"),
        names_of(table, "one_of"),
        table.get("by", "licensee"),
        cites_by=_cites_by(table),
        default=table.get("default"),
        may_be_left_out=table.get("may_be_left_out") is True,
        value_by_reading={
            reading: parse_value(kind, raw)
            for reading, raw in names_of(table, "value_by_reading").items()
        },
        standing=_standing(table),
        does=table.get("does", ""),
        terms=names_of(table, "terms"),
    )


_CONSTRAINT_KEYS = (
    "id", "kind", "says", "cites", "when", "then", "at_least", "at_most", "multiple_of", "rules",
    "minutes", "to", "beside", "across", "moment",
)  # fmt: skip


def _constraint(table: Table, item: str) -> Constraint:
    only_keys(table, _CONSTRAINT_KEYS)
    return Constraint(
        item,
        one_of(ConstraintKind, needed_key(table, "kind")),
        text_of(table, "says"),
        texts_of_key(table, "cites"),
        at_least=table.get("at_least", {}),
        at_most=table.get("at_most", {}),
        multiple_of=table.get("multiple_of", {}),
        rules=texts_of_key(table, "rules"),
        minutes=table.get("minutes"),
        to=texts_of_key(table, "to"),
        beside=table.get("beside"),
        across=_across(table),
        moment=_moment(table),
    )


def _moment(table: Table) -> str:
    moment = table.get("moment", "")
    if (table["kind"] == "moment") != (moment in {"round", "submission"}):
        raise ValueError(
            "a constraint of the kind moment, and no other, has a 'moment': 'round' or 'submission'"
        )
    return str(moment)


def _across(table: Table) -> str:
    across = table.get("across", "pit")
    if across not in {"pit", "licensee"}:
        raise ValueError("'across' must be 'pit', or 'licensee' for all of its tables")
    return str(across)


def _condition(raw: Any, rules: Mapping[str, Rule]) -> Condition:
    if not isinstance(raw, Mapping):
        raise ValueError(f"{raw!r} is not a condition: write a table of rules and values")
    condition = {}
    for rule_id, wanted in raw.items():
        if rule_id not in rules:
            raise ValueError(f"names no rule of this file: {rule_id}")
        values = wanted if isinstance(wanted, list) else [wanted]
        rule = rules[rule_id]
        condition[rule_id] = tuple(parse_value(rule.kind, value) for value in values)
        for value in condition[rule_id]:
            if not may_be(rules)(rule_id, value):
                raise ValueError(f"{rule_id} is never {_not_among(rule, value)}")
    return condition


def _not_among(rule: Rule, value: Value) -> str:
    known = [rule.written(one) for one in rule.choices or (rule.value,) if one is not None]
    name = rule.written(value)
    return f"{name}; it is {', or '.join(known)}{did_you_mean(name, known)}"


def _tie_rules(reader: _Reader, rules: dict[str, Rule]) -> None:
    place = {rule_id: number for number, rule_id in enumerate(rules)}
    for table in reader.lists["rule"]:
        rule = rules.get(table.get("id", ""))
        if rule is None:
            continue
        for name, named in (*rule.at_least_any.items(), *rule.one_of.items()):
            if named not in rules:
                reader.error(rule.id, f"table {name!r} names no rule: {named}")
        try:
            condition = _condition(table.get("applies_when", {}), rules)
        except ValueError as error:
            reader.error(rule.id, str(error))
        else:
            rules[rule.id] = replace(rule, applies_when=condition)
            # Choices are taken in file order, so a rule must follow those that it depends on.
            for name in condition:
                if place[name] >= place[rule.id]:
                    reader.error(rule.id, f"applies_when names {name}, which is defined later")


def _tie_clauses(reader: _Reader, clauses: dict[str, Clause], rules: Mapping[str, Rule]) -> None:
    for table in reader.lists["clause"]:
        clause = clauses.get(table.get("id", ""))
        if clause is None or "applies_when" not in table:
            continue
        if clause.clause_class is not ClauseClass.PHYSICAL:
            reader.error(clause.id, "only a clause of class C has 'applies_when'")
        try:
            condition = _condition(table["applies_when"], rules)
        except ValueError as error:
            reader.error(clause.id, str(error))
        else:
            clauses[clause.id] = replace(clause, applies_when=condition)


def _default_fault(rule: Rule) -> str | None:
    tables = (*rule.at_least_any, *rule.one_of)
    if rule.default is None or rule.default in tables:
        return None
    try:
        default = parse_value(rule.kind, rule.default)
    except ValueError as error:
        return f"'default': {error}"
    if rule.choices and default not in rule.choices:
        return f"'default' is never {_not_among(rule, default)}"
    return None


def _check_choices(reader: _Reader, rules: Mapping[str, Rule]) -> None:
    for rule in rules.values():
        if fault := _default_fault(rule):
            reader.error(rule.id, fault)
        for name in rule.value_by_reading:
            entry, _, reading = name.partition(".")
            if entry not in interpretations() or reading not in interpretations()[entry].readings:
                reader.error(rule.id, f"the register has no reading {name}")
        names = {str(choice) for choice in rule.choices}
        if isinstance(rule.value, Mapping) and rule.kind is not Kind.WAGER:
            names = set(rule.value)
        # Banker's table has no row for the Player's Hand standing, which has its own clause.
        names |= {"no_third_card"} if rule.kind is Kind.TABLE else set()
        if names and (strange := sorted(set(rule.cites_by) - names)):
            reader.error(
                rule.id, f"cites_by names lines that the rule does not have: {', '.join(strange)}"
            )


def _tie_constraints(
    reader: _Reader, constraints: dict[str, Constraint], rules: Mapping[str, Rule]
) -> None:
    for table in reader.lists["constraint"]:
        constraint = constraints.get(table.get("id", ""))
        if constraint is None:
            continue
        bounded = (*constraint.at_least, *constraint.at_most, *constraint.multiple_of)
        named = (*constraint.rules, *bounded)
        for rule_id in named:
            if rule_id not in rules:
                reader.error(constraint.id, f"names no rule of this file: {rule_id}")
        try:
            when, then = (_condition(table.get(key, {}), rules) for key in ("when", "then"))
        except ValueError as error:
            reader.error(constraint.id, str(error))
        else:
            constraints[constraint.id] = replace(constraint, when=when, then=then)


def _check_standing(reader: _Reader, item: Rule | Constraint) -> None:
    entries = [cited for cited in item.cites if is_entry(cited)]
    for entry in entries:
        if entry not in interpretations():
            reader.error(item.id, f"cites an entry that the register does not have: {entry}")
    if isinstance(item, Rule) and (item.standing is None) == bool(entries):
        message = "'standing' is written of a rule that cites the register, and of no other"
        reader.error(item.id, message)


def _check_citations(
    reader: _Reader, clauses: Mapping[str, Clause], items: Sequence[Rule | Constraint], prefix: str
) -> None:
    cited: set[str] = set()
    for item in items:
        if not item.cites:
            reader.error(item.id, "cites no clause")
        cited.update(item.cites)
        _check_standing(reader, item)
        for clause_id in item.cites:
            if not is_entry(clause_id) and clause_id not in clauses:
                reader.error(item.id, f"cites a clause that is not in this file: {clause_id}")
    for clause_id, clause in clauses.items():
        if not clause_id.startswith(f"{prefix}:"):
            reader.error(clause_id, f"does not begin with {prefix}:")
        for entry in clause.interpretations:
            if entry not in interpretations():
                reader.error(clause_id, f"names an entry that the register does not have: {entry}")
        if clause_id not in cited and clause.set_aside is None:
            reader.error(clause_id, "has no disposition: no rule cites it and none is given")


class _Items(NamedTuple):
    clauses: Mapping[str, Clause]
    rules: Mapping[str, Rule]
    constraints: Mapping[str, Constraint]


def _check_contracts(reader: _Reader, law: _Items, head: Table) -> None:
    # An unreadable rule is not missing.
    read = {str(table.get("id")) for table in reader.lists["rule"]}
    conditions = set[str]().union(
        *(one.applies_when for one in law.rules.values()),
        *(one.applies_when for one in law.clauses.values()),
        *((*one.when, *one.then, *one.rules) for one in law.constraints.values()),
        *((*one.at_least, *one.at_most, *one.multiple_of) for one in law.constraints.values()),
    )
    key, partial = f"{head.get('id')}@{head.get('in_force_from')}", head.get("partial") is not False
    for rule_id, fault in contract_faults(key, law.rules, partial=partial, conditions=conditions):
        if rule_id in law.rules or rule_id not in read:
            reader.error(rule_id, fault)


_INSTRUMENT_KEYS = (
    "id", "title", "authority", "citation", "clause_prefix", "in_force_from", "in_force_known",
    "observed_on", "partial", "amended", "note",
)  # fmt: skip


def _head(reader: _Reader) -> Table:
    head = reader.tables.get("instrument", {})
    if not isinstance(head, dict):
        reader.error("[instrument]", "must be a table")
        return {}
    for key in _INSTRUMENT_KEYS:
        if key not in head:
            reader.error("[instrument]", f"{key!r} is missing")
        elif key.startswith(("in_force", "observed")) and type(head[key]) is not date:
            reader.error("[instrument]", f"{key!r} must be a date, such as 2011-02-22")
        elif key == "amended" and not are_days(head[key]):
            reader.error("[instrument]", "'amended' must be a list of dates")
    for key in sorted(set(head) - set(_INSTRUMENT_KEYS)):
        reader.error("[instrument]", f"unknown key {key!r}")
    return head


def _amendments(reader: _Reader, amended: Any) -> tuple[Amendment, ...]:
    found = []
    days = amended if are_days(amended) else ()
    for number, table in enumerate(reader.lists["amendment"], start=1):
        try:
            found.append(amendment(table, days))
        except ValueError as error:
            reader.error(str(table.get("on", f"[[amendment]] number {number}")), str(error))
    return tuple(found)


def _corrections(reader: _Reader) -> tuple[Correction, ...]:
    found: list[Correction] = []
    for number, table in enumerate(reader.lists["correction"], start=1):
        try:
            one = correction(table)
        except ValueError as error:
            reader.error(f"[[correction]] number {number}", str(error))
            continue
        if found and one.on < found[-1].on:
            message = "comes before the one above it: corrections are in order"
            reader.error(f"[[correction]] number {number}", message)
        found.append(one)
    return tuple(found)


def load_instrument(path: Path) -> Instrument:
    """Read one law file.

    Raises ``LawError`` with every error, each with its line, id and reason.
    """
    reader = _Reader(path)
    clauses = reader.items("clause", _clause)
    rules = reader.items("rule", _rule)
    constraints = reader.items("constraint", _constraint)
    _tie_rules(reader, rules)
    _tie_clauses(reader, clauses, rules)
    _check_choices(reader, rules)
    _tie_constraints(reader, constraints, rules)
    head = _head(reader)
    amendments = _amendments(reader, head.get("amended"))
    corrections = _corrections(reader)
    known = ("instrument", *_LISTS)
    for key in sorted(set(reader.tables) - set(known)):
        reader.error(f"[{key}]", f"unknown table; known: {', '.join(known)}")
    prefix = str(head.get("clause_prefix"))
    _check_citations(reader, clauses, (*rules.values(), *constraints.values()), prefix)
    # A file is cached only after it was checked against the contracts.
    if not reader.built:
        _check_contracts(reader, _Items(clauses, rules, constraints), head)
    if reader.errors:
        raise LawError("\n".join(reader.errors))
    if not reader.built:
        keep_built(path, reader.raw)
    return Instrument(
        **{key: head[key] for key in _INSTRUMENT_KEYS if key != "amended"},
        amended=tuple(head["amended"]),
        sha256=reader.sha256,
        clauses=clauses,
        rules=rules,
        constraints=tuple(constraints.values()),
        amendments=amendments,
        corrections=corrections,
    )
