"""Law file reader that reports every error with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from datetime import date
from functools import cached_property, partial
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

from msgspec.structs import replace

from croupier.files.errors import FileError, Place, did_you_mean, near
from croupier.files.toml import Toml, key_places, read_toml, toml_value
from croupier.law.built import INCLUDED, keep_built, read_law
from croupier.law.contracts import (
    contract_faults,
    contracts,
    contracts_of,
    family_of,
    is_open,
)
from croupier.law.faults import LawError, LawFault, with_causes
from croupier.law.fields import (
    CLAUSE_KEYS,
    CONSTRAINT_KEYS,
    CONSTRAINT_TERMS,
    CURRENCY_KEYS,
    ID,
    INSTRUMENT_KEYS,
    OFFICE_KEYS,
    OFFICES,
    RULE_KEYS,
    SOURCE_KEYS,
    FieldError,
    Table,
    amendment,
    are_days,
    correction,
    needed_key,
    one_of,
    only_keys,
    text_of,
    texts_of_key,
)
from croupier.law.folders import law_files, named_folders
from croupier.law.interpretations import in_words_of, interpretations, own_register
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
    Mechanism,
    Rule,
    Standing,
    is_entry,
)
from croupier.law.usage import US_DOLLARS, Currency, Usage
from croupier.law.values import Kind, Value, parse_value, size_of

Item = TypeVar("Item", Clause, Rule, Constraint, Mechanism)
Tied = TypeVar("Tied", Clause, Rule, Constraint)
Part = TypeVar("Part")

_LISTS = ("amendment", "correction", "clause", "rule", "constraint", "mechanism")


class _Reader:
    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.raw, self.sha256, tables, self.built = read_law(path, keep=False)
        except OSError as error:
            raise LawError(f"{path}: cannot be read: {error.strerror}") from error
        except (ValueError, RecursionError) as error:
            raise _not_toml(path, error) from error
        self.tables: Table = tables
        self.faults: list[LawFault] = []
        self.paths = {"[instrument]": "instrument"}
        self.unread: dict[str, Table] = {}
        """Tables that cannot be read, by name."""
        self.slips: dict[str, str] = {}
        """Items whose id is wrong, by the right one."""
        self.lists = {name: self._list(name) for name in _LISTS}
        self.register = interpretations()
        if not path.is_relative_to(INCLUDED):
            self.register, faults = own_register(path.parent)
            self.faults += faults

    @cached_property
    def _toml(self) -> Toml:
        try:
            return Toml(self.path, dict(self.tables), key_places(self.raw.decode(), self.path))
        except FileError as error:
            raise _not_toml(self.path, error) from error

    def error(
        self, item: str, reason: str, code: str = "shape", *, key: str = "", lacks: str = ""
    ) -> None:
        path = self.paths.get(item, "instrument")
        place = f"{path}.{key or 'id'}"
        while place not in self._toml.keys and place != path:
            place = place.rpartition(".")[0]
        named = f"{path}.id" if place == path and f"{path}.id" in self._toml.keys else place
        self.fault(named, item, reason, code, lacks)

    def fault(
        self, path: str, item: str, reason: str, code: str = "shape", lacks: str = ""
    ) -> None:
        """Report an error at a path of keys, or at the beginning of the file."""
        position = self._toml.place(path)
        place = Place(self.path, position.line or 1, position.column or 1)
        self.faults.append(LawFault(place, item, reason, code, lacks))

    def _list(self, name: str) -> Sequence[Table]:
        tables = self.tables.get(name, [])
        if isinstance(tables, list) and all(isinstance(table, dict) for table in tables):
            return tables
        self.fault(name, name, f"must be a list of tables, [[{name}]]")
        return ()

    def items(self, name: str, read: Callable[[Table, str], Item]) -> dict[str, Item]:
        items: dict[str, Item] = {}
        for number, table in enumerate(self.lists[name], start=1):
            item = table.get("id")
            if not isinstance(item, str) or not ID.check(item):
                self._unnamed(table, self.at(name, number))
            elif item in items or item in self.unread:
                message = f"is defined twice as [[{name}]]"
                self.fault(f"{name}[{number}].id", item, message, "duplicate")
            else:
                self.at(name, number, item)
                try:
                    items[item] = read(table, item)
                except (ValueError, TypeError, AttributeError) as error:
                    self.unread[item] = table
                    self.refuse(item, error)
        return items

    def refuse(self, item: str, error: Exception, key: str = "") -> None:
        """Report an error that was raised: at its key, or else at ``key``."""
        code, key = getattr(error, "code", "shape"), getattr(error, "key", key)
        self.error(item, str(error), code, key=key)

    def _unnamed(self, table: Table, item: str) -> None:
        self.unread[item] = table
        key = next((key for key in ("id", *table) if key in table and near(key, ("id",))), "")
        self.slips[str(table.get(key)).strip()] = item
        if key == "id":
            text = toml_value(table[key])
            message = f"'id' must be {ID.name}, not {text}"
        else:
            message = f"has no id{f'; is {key!r} meant as it?' if key else ''}"
        self.error(item, message, key=key)

    def at(self, name: str, number: int, item: str = "") -> str:
        """Return the name of a table of a list, and keep its place."""
        item = item or f"[[{name}]] number {number}"
        self.paths.setdefault(item, f"{name}[{number}]")
        return item


def _not_toml(path: Path, error: Exception) -> LawError:
    try:
        read_toml(path)
    except FileError as found:
        message = str(found)
    else:
        message = f"{path}: not TOML: {error}"
    at = re.match(r"(?P<path>.*?):(?P<line>\d+):(?P<column>\d+): (?P<rest>.*)", message, re.DOTALL)
    line, column = (int(at["line"]), int(at["column"])) if at else (1, 1)
    reason = at["rest"] if at else message.removeprefix(f"{path}: ")
    return LawError(message, [LawFault(Place(path, line, column), path.name, reason, "toml")])


def _clause(table: Table, item: str) -> Clause:
    only_keys(table, CLAUSE_KEYS)
    set_aside = one_of(Disposition, table, "disposition") if "disposition" in table else None
    if set_aside is not None and not set_aside.is_written:
        raise ValueError(
            "only 'checklist', 'out-of-scope', and 'unsupported' may be given; other dispositions "
            "are derived"
        )
    meanwhile = table.get("meanwhile", "")
    allowed = {"by-hand", "refuse"} if set_aside is Disposition.UNSUPPORTED else {""}
    if meanwhile not in allowed:
        raise ValueError('an unsupported clause needs \'meanwhile\', "by-hand" or "refuse"')
    if (set_aside is None) != ("reason" not in table):
        raise ValueError("'disposition' and 'reason' must be given together")
    if set_aside is not None and "on_site" in table:
        raise FieldError("on_site", "'on_site' is of a clause without 'disposition'; use 'reason'")
    return Clause(
        item,
        text_of(table, "says"),
        one_of(ClauseClass, table, "class"),
        set_aside,
        table.get("reason"),
        texts_of_key(table, "interpretations"),
        _standing(table, Standing.SUBSTITUTE, Standing.UNVERIFIED),
        meanwhile=meanwhile,
        on_site=table.get("on_site"),
    )


def _standing(table: Table, *allowed: Standing) -> Standing | None:
    if "standing" not in table:
        return None
    value = one_of(Standing, table, "standing")
    if value not in allowed:
        names = " and ".join(repr(member.value) for member in allowed)
        raise ValueError(f"only {names} are written; other standings follow")
    return value


def _cites_by(table: Table) -> dict[str, tuple[str, ...]]:
    by = {name: tuple(clauses) for name, clauses in table.get("cites_by", {}).items()}
    for name, clauses in by.items():
        unknown = {one for one in clauses if not is_entry(one)} - set(texts_of_key(table, "cites"))
        if unknown:
            raise FieldError(
                "cites_by",
                f"cites_by {name!r} cites clauses that are not in 'cites': {', '.join(unknown)}",
                "reference",
            )
    return by


def _rule(table: Table, item: str, currency: Currency) -> Rule:
    only_keys(table, RULE_KEYS)
    kind = one_of(Kind, table, "kind")

    def read(key: str) -> Value | None:
        try:
            return parse_value(kind, table[key], currency) if key in table else None
        except (ValueError, TypeError) as error:
            raise FieldError(key, str(error)) from error

    choices = table.get("choices", [])
    between = tuple(parse_value(kind, raw, currency) for raw in table.get("between", ()))
    if not is_open(item, kind):
        keys = [key for key in ("value", "choices", "at_least", "between") if key in table]
        if not keys and "at_least_any" not in table and "one_of" not in table:
            raise ValueError(
                "has neither a value nor an open choice: add a value, choices, or a bound"
            )
    if "between" in table and len(between) != 2:
        raise FieldError("between", "'between' requires a minimum and a maximum")
    if "choices" in table and not choices:
        raise FieldError("choices", "'choices' is empty")
    return Rule(
        item,
        kind,
        text_of(table, "title"),
        texts_of_key(table, "cites"),
        read("value"),
        tuple(parse_value(kind, raw, currency) for raw in choices),
        read("at_least"),
        (between[0], between[1]) if between else None,
        table.get("at_least_any", {}),
        table.get("one_of", {}),
        table.get("by", "licensee"),
        cites_by=_cites_by(table),
        default=table.get("default"),
        may_be_left_out=table.get("may_be_left_out", False),
        value_by_reading={
            reading: parse_value(kind, raw, currency)
            for reading, raw in table.get("value_by_reading", {}).items()
        },
        standing=_standing(table, Standing.SUBSTITUTE, Standing.SILENT),
        does=table.get("does", ""),
        terms=table.get("terms", {}),
        currency=currency,
    )


def _constraint(table: Table, item: str) -> Constraint:
    only_keys(table, CONSTRAINT_KEYS)
    return Constraint(
        item,
        one_of(ConstraintKind, table, "kind"),
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
    if moment not in ({"round", "submission"} if table["kind"] == "moment" else {""}):
        raise FieldError(
            "moment",
            "a constraint of the kind moment, and no other, has a 'moment': 'round' or "
            "'submission'",
        )
    return str(moment)


def _across(table: Table) -> str:
    scope = table.get("across", "pit")
    if scope not in {"pit", "licensee"}:
        raise FieldError("across", "'across' must be 'pit', or 'licensee' for all of its tables")
    return str(scope)


class _NeverError(ValueError):
    """A value that the law does not let a rule have, although the program knows it."""

    def __init__(self, rule: Rule, value: Value) -> None:
        super().__init__(f"{rule.id} is never {_not_among(rule, value)}")
        self.rule_id = rule.id if _is_implemented(rule, value) else ""


class _UnnamedError(ValueError):
    def __init__(self, rule_id: object, rules: Iterable[str]) -> None:
        super().__init__(
            f"names no rule of this file: {rule_id}{did_you_mean(str(rule_id), rules)}"
        )
        self.rule_id = str(rule_id)


def _refuse(reader: _Reader, item: str, error: Exception, key: str) -> None:
    code, message = "condition", str(error)
    lacks = error.rule_id if isinstance(error, _UnnamedError | _NeverError) else ""
    if isinstance(error, _UnnamedError):
        code = "reference"
        message = (
            f"names a rule that cannot be read: {lacks}" if lacks in reader.unread else message
        )
    reader.error(item, message, code, key=key, lacks=lacks)


def _condition(raw: Any, rules: Mapping[str, Rule]) -> Condition:
    if not isinstance(raw, Mapping):
        raise ValueError(f"{raw!r} is not a condition: write a table of rules and values")
    condition = {}
    for rule_id, raw_values in raw.items():
        if rule_id not in rules:
            raise _UnnamedError(rule_id, rules)
        values = raw_values if isinstance(raw_values, list) else [raw_values]
        rule = rules[rule_id]
        condition[rule_id] = tuple(rule.read(value) for value in values)
        for value in condition[rule_id]:
            if rule.values and value not in rule.values:
                raise _NeverError(rule, value)
    return condition


def _not_among(rule: Rule, value: Value) -> str:
    known = [rule.written(choice) for choice in rule.choices or (rule.value,) if choice is not None]
    name = rule.written(value)
    hint = "" if _is_implemented(rule, value) else did_you_mean(name, known)
    return f"{name}; it is {', or '.join(known)}{hint}"


def _is_implemented(rule: Rule, value: Value) -> bool:
    contract = contracts().rules.get(rule.id)
    return contract is not None and value in contract.allowed


def _tied(reader: _Reader, item: Tied, table: Table, rules: Mapping[str, Rule], *keys: str) -> Tied:
    try:
        return replace(item, **{key: _condition(table.get(key, {}), rules) for key in keys})
    except (ValueError, TypeError) as error:
        _refuse(reader, item.id, error, keys[0])
    return item


def _tie_rules(reader: _Reader, rules: dict[str, Rule]) -> None:
    place = {rule_id: number for number, rule_id in enumerate(rules)}
    for table in reader.lists["rule"]:
        rule = rules.get(str(table.get("id")))
        if rule is None:
            continue
        for name, table_id in (*rule.at_least_any.items(), *rule.one_of.items()):
            if table_id not in rules:
                message = f"table {name!r} names no rule: {table_id}{did_you_mean(table_id, rules)}"
                reader.error(rule.id, message, "reference", lacks=table_id)
        rules[rule.id] = new_rule = _tied(reader, rule, table, rules, "applies_when")
        # Choices are taken in file order, so a rule must follow those that it depends on.
        for name in new_rule.applies_when:
            if place[name] >= place[rule.id]:
                message = f"applies_when names {name}, which is defined later"
                reader.error(rule.id, message, "order", key="applies_when")


def _tie_clauses(reader: _Reader, clauses: dict[str, Clause], rules: Mapping[str, Rule]) -> None:
    for table in reader.lists["clause"]:
        clause = clauses.get(str(table.get("id")))
        if clause is None or "applies_when" not in table:
            continue
        checked = clause.on_site is not None or clause.set_aside is Disposition.UNSUPPORTED
        if clause.clause_class is not ClauseClass.PHYSICAL and not checked:
            message = "only a clause of class C, unsupported, or with 'on_site' has 'applies_when'"
            reader.error(clause.id, message)
        clauses[clause.id] = _tied(reader, clause, table, rules, "applies_when")


def _notation_fault(rule: Rule) -> str | None:
    notations = ("value", "choices", "at_least", "between", "at_least_any", "one_of")
    keys = [key for key in notations if getattr(rule, key) not in (None, (), {})]
    if len(keys) > 1:
        return f"has {' and '.join(map(repr, keys))}: write one of them"
    if rule.default is not None and "value" in keys:
        return "has a 'value', and so no 'default'"
    try:
        if rule.at_least is not None:
            size_of(rule.at_least)
        if rule.between is not None and rule.unfit(rule.between[0]):
            return "'between' has its maximum first"
    except TypeError:
        return f"a value of the kind {rule.kind.value} has no minimum: write 'value' or 'choices'"
    return None


def _default_fault(rule: Rule) -> str | None:
    tables = (*rule.at_least_any, *rule.one_of)
    if rule.default is None or rule.default in tables:
        return None
    try:
        default = rule.read(rule.default)
    except ValueError as error:
        return f"'default': {error}"
    if rule.choices and default not in rule.choices:
        return f"'default' is never {_not_among(rule, default)}"
    unfit = rule.unfit(default)
    return f"'default': {unfit}" if unfit else None


def _check_choices(reader: _Reader, rules: Mapping[str, Rule]) -> None:
    for rule in rules.values():
        if fault := _notation_fault(rule):
            reader.error(rule.id, fault, "condition")
        elif fault := _default_fault(rule):
            reader.error(rule.id, fault, "condition", key="default")
        for name in rule.value_by_reading:
            entry, _, reading = name.partition(".")
            if entry not in reader.register or reading not in reader.register[entry].readings:
                reader.error(rule.id, f"the register has no reading {name}", "reference")


def _binds_nothing(kind: ConstraintKind, table: Table) -> Iterator[tuple[str, str]]:
    """Yield what a constraint lacks, or nothing reads, with the code of the fault."""
    terms = CONSTRAINT_TERMS[kind]
    for group in terms.needed:
        if not any(table.get(key) for key in group):
            message = f"a constraint of the kind {kind.value} needs {' or '.join(map(repr, group))}"
            yield message, "shape" if table.keys().isdisjoint(group) else "condition"
    for key in sorted(table.keys() - terms.allowed):
        yield f"a constraint of the kind {kind.value} has no {key!r}", "shape"
    if 0 in dict(table.get("multiple_of", {})).values():
        yield "no count is a multiple of 0", "condition"


def _tie_constraints(
    reader: _Reader, constraints: dict[str, Constraint], rules: Mapping[str, Rule]
) -> None:
    for table in reader.lists["constraint"]:
        constraint = constraints.get(str(table.get("id")))
        if constraint is None:
            continue
        bounded = (*constraint.at_least, *constraint.at_most, *constraint.multiple_of)
        for rule_id in (*constraint.rules, *bounded):
            if rule_id not in rules:
                _refuse(reader, constraint.id, _UnnamedError(rule_id, rules), "rules")
            elif rule_id in bounded and rules[rule_id].kind is not Kind.COUNT:
                message = f"bounds {rule_id}, which is not a count"
                reader.error(constraint.id, message, "condition")
        for fault, code in _binds_nothing(constraint.kind, table):
            reader.error(constraint.id, fault, code)
        if constraint.beside is not None and constraint.beside not in contracts().games:
            _check_beside(reader, constraint)
        constraints[constraint.id] = _tied(reader, constraint, table, rules, "when", "then")


def _check_beside(reader: _Reader, constraint: Constraint) -> None:
    folders = (reader.path.parent, *named_folders())
    games = {file.id.rpartition("/")[2] for folder in folders for file in law_files(folder)}
    if constraint.beside not in games:
        all_games = sorted({*contracts().games, *games} - {""})
        hint = did_you_mean(str(constraint.beside), all_games) or f"; known: {', '.join(all_games)}"
        message = f"no law is of the game {constraint.beside!r}{hint}"
        reader.error(constraint.id, message, "reference", key="beside")


def _check_standing(reader: _Reader, item: Rule | Constraint) -> None:
    entries = [citation for citation in item.cites if is_entry(citation)]
    for entry in entries:
        if entry not in reader.register:
            message = f"cites an entry that the register does not have: {entry}"
            reader.error(item.id, message, "reference", key="cites")
    if isinstance(item, Rule) and (item.standing is None) == bool(entries):
        message = "'standing' is written of a rule that cites the register, and of no other"
        reader.error(item.id, message, "citation", key="standing")


def _prefix(reader: _Reader, head: Table, clauses: Iterable[str]) -> str:
    """Return what ids of clauses begin with; empty if the head does not say it correctly."""
    prefix = head.get("clause_prefix")
    if not isinstance(prefix, str) or not prefix:
        return ""
    if clauses and not any(clause.startswith(f"{prefix}:") for clause in clauses):
        message = f"no clause begins with {prefix}:"
        reader.error("[instrument]", message, "reference", key="clause_prefix")
        return ""
    return f"{prefix}:"


def _check_citations(
    reader: _Reader, clauses: Mapping[str, Clause], items: Sequence[Rule | Constraint], prefix: str
) -> None:
    for item in items:
        if not item.cites:
            reader.error(item.id, "cites no clause", "citation", key="cites")
        _check_standing(reader, item)
        for clause_id in item.cites:
            if not is_entry(clause_id) and clause_id not in clauses:
                hint = did_you_mean(clause_id, clauses)
                message = f"cites a clause that is not in this file: {clause_id}{hint}"
                if clause_id in (*reader.unread, *reader.slips):
                    message = f"cites a clause that cannot be read: {clause_id}"
                reader.error(item.id, message, "reference", key="cites", lacks=clause_id)
    _check_dispositions(reader, clauses, {one for item in items for one in item.cites}, prefix)


def _check_dispositions(
    reader: _Reader, clauses: Mapping[str, Clause], citations: Collection[str], prefix: str
) -> None:
    unread = {
        str(clause_id): item
        for item, table in reader.unread.items()
        if isinstance(table.get("cites"), list)
        for clause_id in table["cites"]
    }
    for clause_id, clause in clauses.items():
        for entry in clause.interpretations:
            if entry not in reader.register:
                message = f"names an entry that the register does not have: {entry}"
                reader.error(clause_id, message, "reference", key="interpretations")
        if not clause_id.startswith(prefix):
            reader.error(clause_id, f"does not begin with {prefix}", "reference")
            reader.slips[f"{prefix}{clause_id.partition(':')[2]}"] = clause_id
        elif clause_id not in citations and clause.set_aside is None:
            lacks = unread.get(clause_id, "")
            reason = f"what cites it, {lacks}, cannot be read" if lacks else "no rule cites it"
            message = f"has no disposition: {reason} and none is given"
            reader.error(clause_id, message, "citation", lacks=lacks)


class _Items(NamedTuple):
    clauses: Mapping[str, Clause]
    rules: Mapping[str, Rule]
    constraints: Mapping[str, Constraint]


def _check_contracts(
    reader: _Reader, law: _Items, head: Table, mechanisms: Collection[Mechanism]
) -> None:
    constraints = law.constraints.values()
    conditions = set[str]().union(
        *(one.applies_when for one in law.rules.values()),
        *(one.applies_when for one in law.clauses.values()),
        *((*one.when, *one.then, *one.rules) for one in constraints),
        *((*one.at_least, *one.at_most, *one.multiple_of) for one in constraints),
    )
    contracts = contracts_of(mechanisms)
    # A condition that cannot be read is no missing one.
    untied = {fault.item for fault in reader.faults if fault.code in {"condition", "reference"}}
    misapplied = {*reader.unread, *untied}
    for rule_id, fault, code, key in contract_faults(
        head,
        law.rules,
        reader.register,
        constraints=constraints,
        conditions=conditions,
        known=contracts,
    ):
        if rule_id in {"missing-rule": misapplied, "condition": untied}.get(code, ()):
            continue
        if code == "condition":
            misapplied.add(rule_id)
        lacks = "" if rule_id in law.rules else rule_id
        if family_of(rule_id) in reader.unread:
            lacks = family_of(rule_id)
        reader.error(rule_id, fault, code, key=key, lacks=lacks)


def _source(table: Table) -> Mapping[str, str]:
    only_keys(table, SOURCE_KEYS)
    return {key: str(value) for key, value in table.items()}


def _currency(table: Table) -> Currency:
    only_keys(table, CURRENCY_KEYS)
    code, sign, decimals = (needed_key(table, key) for key in ("code", "sign", "decimals"))
    currency = Currency(code, sign, decimals)
    if "chips" not in table:
        return currency
    try:
        chips = tuple(map(currency.read, table["chips"]))
    except ValueError as error:
        raise FieldError("chips", str(error)) from error
    if not chips:
        raise FieldError("chips", "'chips' is empty")
    if 0 in chips or list(chips) != sorted(set(chips)):
        message = "'chips' must be amounts above zero, the smallest first"
        raise FieldError("chips", message, "order")
    return Currency(code, sign, decimals, chips, own_chips=True)


def _offices(table: Table) -> Table:
    only_keys(table, OFFICE_KEYS)
    for office, name in table.items():
        other_names = [table.get(one, one) for one in OFFICES if one != office]
        if name in other_names:
            raise FieldError(office, f"{name!r} is also the name of another office", "duplicate")
    return table


def _optional(reader: _Reader, name: str, read: Callable[[Table], Part], otherwise: Part) -> Part:
    table = reader.tables.get(name)
    if table is None:
        return otherwise
    try:
        if isinstance(table, dict):
            return read(table)
        error = FieldError("", "must be a table")
    except FieldError as field_error:
        error = field_error
    path = f"{name}.{error.key}" if error.key else name
    reader.fault(path, f"[{name}]", str(error), error.code)
    return otherwise


def _head(reader: _Reader) -> Table:
    head = reader.tables.get("instrument", {})
    if not isinstance(head, dict):
        reader.error("[instrument]", "must be a table")
        return {}
    for key, form in INSTRUMENT_KEYS.items():
        if key not in head:
            reader.error("[instrument]", f"{key!r} is missing")
        elif not form.check(head[key]):
            reader.error("[instrument]", f"{key!r} must be {form.name}", key=key)
    # To Python a time is a date too, and cannot be compared with one.
    days = (head.get(key) for key in ("in_force_from", "in_force_known"))
    start, observed = (day if type(day) is date else None for day in days)
    if start is not None and observed is not None and observed < start:
        message = "'in_force_known' is before 'in_force_from'"
        reader.error("[instrument]", message, "order", key="in_force_known")
    amended = head.get("amended")
    if start is not None and are_days(amended) and max(amended, default=start) > start:
        message = "'amended' has a day after 'in_force_from': a later amendment is another file"
        reader.error("[instrument]", message, "order", key="amended")
    for key in sorted(set(head) - set(INSTRUMENT_KEYS)):
        reader.error("[instrument]", f"unknown key {key!r}", key=key)
    return head


def _amendments(reader: _Reader, amended: Any) -> tuple[Amendment, ...]:
    amendments = []
    days = amended if are_days(amended) else ()
    for number, table in enumerate(reader.lists["amendment"], start=1):
        try:
            amendments.append(amendment(table, days))
        except ValueError as error:
            reader.refuse(reader.at("amendment", number, str(table.get("on", ""))), error, "on")
    return tuple(amendments)


def _corrections(reader: _Reader) -> tuple[Correction, ...]:
    corrections: list[Correction] = []
    for number, table in enumerate(reader.lists["correction"], start=1):
        try:
            new_correction = correction(table)
        except ValueError as error:
            reader.refuse(reader.at("correction", number), error, "on")
            continue
        if corrections and new_correction.on < corrections[-1].on:
            message = "comes before the one above it: corrections are in order"
            reader.error(reader.at("correction", number), message, "order", key="on")
        corrections.append(new_correction)
    return tuple(corrections)


def _mechanism(table: Table, item: str, *, imports: bool) -> Mechanism:
    # Few laws name one, and a start should import little.
    from croupier.law.mechanisms import mechanism_of  # noqa: PLC0415

    return mechanism_of(table, item, imports=imports)


def load_instrument(path: Path, *, imports: bool = True) -> Instrument:
    """Read one law file, and import mechanisms if it ``imports``. Raises ``LawError``."""
    reader = _Reader(path)
    if not {"instrument", "clause", "rule"} & reader.tables.keys():
        reader.fault("instrument", path.name, "is not a law file: it has no table [instrument]")
        raise LawError(faults=reader.faults)
    clauses = reader.items("clause", _clause)
    currency = _optional(reader, "currency", _currency, US_DOLLARS)
    rules = reader.items("rule", partial(_rule, currency=currency))
    constraints = reader.items("constraint", _constraint)
    _tie_rules(reader, rules)
    _tie_clauses(reader, clauses, rules)
    _check_choices(reader, rules)
    _tie_constraints(reader, constraints, rules)
    head = _head(reader)
    amendments = _amendments(reader, head.get("amended"))
    corrections = _corrections(reader)
    nothing: Mapping[str, str] = {}
    source = _optional(reader, "source", _source, nothing)
    usage = Usage(currency, _optional(reader, "offices", _offices, nothing))
    keys = ("instrument", "source", "currency", "offices", *_LISTS)
    for key in sorted(set(reader.tables) - set(keys)):
        message = f"unknown table{did_you_mean(key, keys)}; known: {', '.join(keys)}"
        reader.fault(key, f"[{key}]", message)
        listed = reader.tables[key] if isinstance(reader.tables[key], list) else ()
        reader.slips |= {str(item["id"]): f"[{key}]" for item in listed if "id" in item}
    items: Sequence[Rule | Constraint] = (*rules.values(), *constraints.values())
    _check_citations(reader, clauses, items, _prefix(reader, head, clauses))
    mechanisms = reader.items("mechanism", partial(_mechanism, imports=imports))
    for name, mechanism in mechanisms.items():
        if not any(family_of(rule_id) == name for rule_id in rules):
            message = f"the law has no rule of it: {', '.join(mechanism.contracts)}"
            reader.error(name, message, "reference")
    # A file is cached only after it was checked against the contracts.
    if not reader.built:
        _check_contracts(reader, _Items(clauses, rules, constraints), head, mechanisms.values())
    if reader.faults:
        unknown = [fault.item for fault in reader.faults if fault.code == "unknown-rule"]
        slips = {right: item for item in unknown for right in near(item, contracts().rules)}
        faulty = {fault.item for fault in reader.faults if fault.code == "contract"}
        unread = faulty.union(reader.unread)
        raise LawError(faults=with_causes(reader.faults, unread, reader.slips | slips))
    if not reader.built:
        keep_built(path, reader.raw)
    return Instrument(
        **{key: head[key] for key in INSTRUMENT_KEYS if key != "amended"},
        amended=tuple(head["amended"]),
        sha256=reader.sha256,
        clauses=clauses,
        rules=rules,
        constraints=tuple(constraints.values()),
        amendments=amendments,
        corrections=corrections,
        register=in_words_of(usage, reader.register),
        source=source,
        usage=usage,
        mechanisms=mechanisms,
    )
