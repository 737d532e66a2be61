"""Rule contracts, against which law files are checked: contents, and what requires a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import cache, partial
from pathlib import Path
from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from croupier.files.errors import did_you_mean
from croupier.law.built import read_law
from croupier.law.interpretations import reading_ids
from croupier.law.model import (
    Constraint,
    Interpretation,
    Mechanism,
    Rule,
    condition_holds,
)
from croupier.law.values import Kind, Value, parse_value, written

CONTRACTS: Final = Path(__file__).with_name("contracts.toml")

Elected: TypeAlias = "Mapping[str, Value | None]"
"""Rules that apply to a table, with their values; ``None`` for one that no condition names."""

_SHAPED: Final[Mapping[str, tuple[Kind, ...]]] = {
    "pays": (Kind.ODDS, Kind.PAYTABLE, Kind.AWARDS),
    "offered": (Kind.FLAG,),
    "stake": (Kind.MONEY,),
    "award_is": (Kind.WORD,),
}
"""Rules of a wager described by a shape."""

MOST_DECKS: Final = 64
"""A greater number is a typing error."""

_MOST_COMBINATIONS: Final = 1_000
"""More than the choices of any law need that one rule depends on."""

_FEW: Final = 12
"""Ids of a family in an error."""


class Contract(Struct, frozen=True, forbid_unknown_fields=True):
    """A rule's permitted contents; ``docs/law-file.md`` explains each key."""

    kind: Kind
    by: str = "licensee"
    title: str = ""
    fixed: bool = False
    words: tuple[Any, ...] = ()
    parts: tuple[str, ...] = ()
    wagers: bool = False
    members: int = 0
    above_zero: bool = False
    only: Any = None
    rows: tuple[str, ...] = ()
    pattern: str = ""
    row_patterns: dict[str, str] = {}
    needed_by: tuple[str, ...] = ()
    when: tuple[str, ...] = ()
    unless: tuple[str, ...] = ()

    @property
    def allowed(self) -> tuple[Value, ...]:
        """The only implemented values; empty if any will do."""
        if self.kind is Kind.ORDER:
            return self.words
        return tuple(parse_value(self.kind, word) for word in self.words)

    def pattern_of(self, row: str) -> str:
        return self.row_patterns.get(row, self.pattern)


class AskedReading(Struct, frozen=True, forbid_unknown_fields=True):
    """When the program asks for a reading, and the laws whose text settles the matter."""

    when: tuple[str, ...]
    settled: tuple[str, ...] = ()


class DutyGroup(Struct, frozen=True, forbid_unknown_fields=True):
    """Acts of which a law may say who consents, and who of these ``offices`` gives them."""

    acts: tuple[str, ...]
    offices: tuple[str, ...] = ()


class Contracts(Struct, frozen=True, forbid_unknown_fields=True):
    duties: tuple[DutyGroup, ...]
    consents: tuple[str, ...]
    wagers: tuple[str, ...]
    games: tuple[str, ...]
    keepers: str
    forms: dict[str, str]
    rules: dict[str, Contract]
    readings: dict[str, AskedReading]
    constraints: tuple[str, ...]


ByRule: TypeAlias = Mapping[str, Contract]


@cache
def contracts() -> Contracts:
    document = msgspec.convert(read_law(CONTRACTS).tables, Contracts)
    offices = {duty_rule(act): group.offices for group in document.duties for act in group.acts}
    consents = [consent_rule(act) for group in document.duties for act in group.acts]
    consents += map(signatures_rule, document.forms.values())
    offices |= dict.fromkeys(consents, document.consents)
    duties = {
        rule_id: Contract(Kind.ORDER, title=_duty_title(rule_id), fixed=True, words=words)
        for rule_id, words in offices.items()
        if words
    }
    rules = {
        copies_rule(form): Contract(
            Kind.TABLE,
            title=f"Copies of the Form {_spaced(form)}, and where each goes",
            fixed=True,
            pattern=document.keepers,
        )
        for form in document.forms.values()
    }
    return replace(document, rules=dict(sorted((document.rules | duties | rules).items())))


def _duty_title(rule_id: str) -> str:
    family, name, *consent = rule_id.split(".")
    if family == "forms":
        return f"Offices that sign the Form {_spaced(name)}"
    verb = "consent to" if consent else "give"
    return f"Offices that {verb} the act {_spaced(name)}"


def is_open(rule_id: str, kind: Kind) -> bool:
    """Whether a rule may be written without a value, choices, or a bound."""
    if kind is Kind.AWARDS:
        return rule_id in contracts().rules and contracts().rules[rule_id].wagers
    return kind in {Kind.PROCEDURE, Kind.FLAG, Kind.TEXT, Kind.ORDER}


def _spaced(name: str) -> str:
    return name.replace("_", " ")


def duty_rule(act: str) -> str:
    """Id of the rule that says which offices give an act.

    >>> duty_rule("RequireRecut")
    'duties.require_recut'
    """
    return "duties." + re.sub(r"(?<!^)(?=[A-Z])", "_", act).lower()


def consent_rule(act: str) -> str:
    return f"{duty_rule(act)}.consent"


def copies_rule(form: str) -> str:
    return f"forms.{form}.copies"


def signatures_rule(form: str) -> str:
    return f"forms.{form}.signatures"


def copies_rules() -> tuple[str, ...]:
    return tuple(map(copies_rule, contracts().forms.values()))


def duty_rules() -> tuple[str, ...]:
    signatures = map(signatures_rule, contracts().forms.values())
    return (*(rule for rule in contracts().rules if rule.startswith("duties.")), *signatures)


def duty_warnings(rules: Mapping[str, Rule]) -> Iterator[tuple[str, str]]:
    """Yield the duties that a law leaves to one office, by rule, with what is required anyway."""
    offices = {
        rule_id: rule.value
        for rule_id, rule in rules.items()
        if rule_id in duty_rules() and isinstance(rule.value, tuple)
    }
    gives = {name: value for name, value in offices.items() if not name.endswith(".consent")}
    for rule_id, value in gives.items():
        consents = offices.get(f"{rule_id}.consent", ())
        if len(value) == 1 and {*consents} == {*value}:
            yield rule_id, f"the {value[0]} gives it and consents: two persons of that office do it"
    for form in contracts().forms.values():
        copies = rules.get(copies_rule(form))
        holders = copies.value if copies is not None else None
        if isinstance(holders, Mapping) and len(holders) > 1 and len({*holders.values()}) == 1:
            keeper = next(iter(holders.values()))
            yield copies_rule(form), f"every copy stays with one keeper, {keeper}: none checks it"
    for group in contracts().duties:
        ids = [duty_rule(act) for act in group.acts]
        givers = {gives.get(act_id, ()) for act_id in ids}
        if len(ids) > 1 and group.offices and len(givers) == 1 and len(alone := givers.pop()) == 1:
            message = (
                f"the {alone[0]} alone gives this and {len(ids) - 1} other acts: consents that the "
                "program requires stay, and no one acts in two offices"
            )
            yield ids[0], message


def contracts_of(mechanisms: Iterable[Mechanism]) -> ByRule:
    own = {rule_id: one for mechanism in mechanisms for rule_id, one in mechanism.contracts.items()}
    return {**contracts().rules, **own} if own else contracts().rules


@cache
def known_rule_ids() -> frozenset[str]:
    return frozenset(contracts().rules).union(contracts().constraints)


def needed(consumers: Collection[str], elected: Elected, contracts: ByRule) -> Iterator[str]:
    """Yield the rules that a table lacks of those required by a member of ``who``."""
    for rule_id, contract in contracts.items():
        is_needed = any(consumer in consumers for consumer in contract.needed_by)
        if is_needed and _lacks(rule_id, contract, contracts, elected):
            yield rule_id


def _lacks(rule_id: str, contract: Contract, contracts: ByRule, elected: Elected) -> bool:
    return rule_id not in elected and _need(contract, contracts, elected) is not None


def _need(contract: Contract, contracts: ByRule, elected: Elected) -> str | None:
    if any(_holds(condition, contracts, elected) for condition in contract.unless):
        return None
    return next((one for one in contract.when or ("",) if _holds(one, contracts, elected)), None)


def _holds(condition: str, contracts: ByRule, elected: Elected) -> bool:
    return all(
        name in elected and (not sign or elected[name] == _value(contracts[name].kind, word))
        for name, sign, word in _parts_of(condition)
    )


@cache
def _parts_of(condition: str) -> tuple[tuple[str, str, str], ...]:
    return tuple(part.partition(" = ") for part in condition.split(" & ") if part)


@cache
def _value(kind: Kind, word: str) -> Value:
    if kind is Kind.COUNT:
        return int(word)
    return parse_value(kind, word == "true" if kind is Kind.FLAG else word)


def contract_faults(  # noqa: PLR0913  (all parts of a law file that contracts concern)
    head: Mapping[str, Any],
    rules: Mapping[str, Rule],
    register: Mapping[str, Interpretation],
    *,
    constraints: Collection[Constraint],
    conditions: Collection[str],
    known: ByRule,
) -> Iterator[tuple[str, str, str, str]]:
    """Yield a law file's breaches of its contracts: rule or reading, reason, code, and key.

    ``head`` is its table ``instrument``, ``conditions`` are the ids in its conditions and
    ``constraints``, ``known`` all contracts. A partial text may lack what every table needs.
    """
    partial = head.get("partial") is not False
    tables = _Tables(rules, constraints, known)
    pay_tables = {
        table: rule.id
        for rule in rules.values()
        for table in (*rule.at_least_any.values(), *rule.one_of.values())
    }
    for rule in rules.values():
        contract = known.get(rule.id) or _like(rule, rules, pay_tables)
        if contract is not None:
            yield from ((rule.id, *fault) for fault in _rule_faults(rule, contract, tables))
        elif rule.kind is Kind.WAGER:
            if f"{rule.id}.pays" not in rules:
                yield rule.id, f"what it pays is missing: add {rule.id}.pays", "contract", "id"
        elif rule.id not in conditions or family_of(rule.id) in set(map(family_of, known)):
            yield rule.id, _unknown(rule.id, known), "unknown-rule", "id"
    consumers = {"excerpt"} if partial else {"check", "deal", "excerpt"}
    for rule_id, fault in _missing(consumers, tables):
        yield rule_id, fault, "missing-rule", "applies_when"
    if not partial:
        law = f"{head.get('id')}@{head.get('in_force_from')}"
        for reading, fault in _unanswered(law, tables, register):
            yield reading, fault, "missing-reading", "id"


def _rule_faults(rule: Rule, contract: Contract, tables: _Tables) -> Iterator[tuple[str, str, str]]:
    for key, fault in _faults(rule, contract):
        yield fault, "contract", key
    for fault in _parts(rule, contract, tables.rules):
        yield fault, "reference", "cites_by"
    for check in (_applies_elsewhere, _applies_in_vain):
        for fault in check(rule, contract, tables):
            yield fault, "condition", "applies_when"
    for fault in _never(rule, contract, tables.rules):
        yield fault, "condition", "value"


def _never(rule: Rule, contract: Contract, rules: Mapping[str, Rule]) -> Iterator[str]:
    """Yield the values that no table could follow."""
    bounds = (*rule.choices, rule.at_least, *(rule.between or ())[:1])
    if contract.above_zero and 0 in (rule.value, *bounds):
        yield "must be above zero"
    words = [word for value in (rule.value, *rule.choices) for word in words_in(value)]
    if contract.wagers:
        wagers = _wagers(rules)
        for word in sorted({*words} - wagers):
            yield f"no wager has the id {word!r}{did_you_mean(word, wagers)}"
    if contract.members and rule.value is not None and len({*words}) != contract.members:
        yield f"must name {contract.members} different wagers"


def _wagers(rules: Mapping[str, Rule]) -> set[str]:
    ids = (rule.id for rule in rules.values() if rule.kind is Kind.WAGER)
    return {*contracts().wagers, *(rule_id.rpartition(".")[2] for rule_id in ids)}


def _parts(rule: Rule, contract: Contract, rules: Mapping[str, Rule]) -> Iterator[str]:
    """Yield the names in ``cites_by`` that are no part of a rule: nothing cites their clauses."""
    if not rule.cites_by:
        return
    names = {*contract.parts, *contract.rows, *map(str, rule.choices), *words_in(rule.value)}
    names |= {*rule.at_least_any, *rule.one_of, *(_wagers(rules) if contract.wagers else ())}
    for name in sorted(rule.cites_by.keys() - names):
        hint = f"; known: {', '.join(sorted(names))}" if names else "; it has none"
        yield (f"cites_by names no part of the rule: {name!r}{did_you_mean(name, names) or hint}")


def words_in(value: Value | None) -> Iterator[str]:
    """Yield the words of an order or of groups, or the names of rows."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, tuple | Mapping):
        for item in value:
            yield from words_in(item if isinstance(item, str | tuple) else None)


class _Tables:
    """What the tables under a law may elect."""

    def __init__(
        self, rules: Mapping[str, Rule], constraints: Collection[Constraint], known: ByRule
    ) -> None:
        self.rules, self.known = rules, known
        self._ties = [(one.named, one) for one in constraints]
        self._elected: dict[frozenset[str], list[dict[str, Value | None]]] = {}
        self._named: dict[str, list[Value]] = {}
        conditions = [rule.applies_when for rule in rules.values()]
        conditions += [condition for tie in constraints for condition in (tie.when, tie.then)]
        for name, values in (item for condition in conditions for item in condition.items()):
            self._named.setdefault(name, []).extend(values)
        for contract in known.values():
            for condition in (*contract.when, *contract.unless):
                for name, sign, word in _parts_of(condition):
                    if sign and name in rules and rules[name].kind is known[name].kind:
                        self._named.setdefault(name, []).append(_value(known[name].kind, word))

    def one(self, ids: Iterable[str], accepts: Callable[[Elected], bool]) -> Elected | None:
        """Return what some table elects of these rules, and of all that they depend on."""
        rule_ids = self._depending(ids)
        if not all(self.rules.keys() >= self.rules[name].applies_when.keys() for name in rule_ids):
            return None  # A condition that cannot be read is a fault of its own.
        key = frozenset(rule_ids)
        if key not in self._elected:
            self._elected[key] = self._combinations(key, {})
        for elected in filter(accepts, self._elected[key]):
            if self._combinations(self._tied(rule_ids), elected):
                return elected
        return None

    def may(self, condition: str) -> bool:
        """Whether a condition holds at some table."""
        names = [name for name, *_ in _parts_of(condition)]
        return self.one(names, partial(_holds, condition, self.known)) is not None

    def _depending(self, ids: Iterable[str]) -> set[str]:
        queue, rule_ids = [*ids], set[str]()
        while queue:
            rule_id = queue.pop()
            if rule_id in self.rules and rule_id not in rule_ids:
                rule_ids.add(rule_id)
                queue += self.rules[rule_id].applies_when
        return rule_ids

    def _tied(self, ids: set[str]) -> set[str]:
        """Return those rules and all that constraints tie to them."""
        ties = [names for names, _ in self._ties]
        while new_ids := self._depending(name for tie in ties if tie & ids for name in tie) - ids:
            ids = ids | new_ids
        return ids

    def _combinations(self, ids: Collection[str], given: Elected) -> list[dict[str, Value | None]]:
        tables = [dict(given)]
        for rule in self.rules.values():
            if rule.id in ids and rule.id not in given:
                # Constraints that do not name the rule hold as before.
                ties = [one for names, one in self._ties if rule.id in names]
                tables = [
                    after
                    for elected in tables
                    for after in self._with(rule, elected)
                    if not any(one.is_broken(after) for one in ties)
                ][:_MOST_COMBINATIONS]
        return tables

    def _with(self, rule: Rule, elected: Elected) -> Iterator[dict[str, Value | None]]:
        if not condition_holds(rule.applies_when, elected):
            yield {**elected}
            return
        values: tuple[Value | None, ...] = rule.values
        if not values:
            valid_values = (one for one in self._named.get(rule.id, ()) if rule.unfit(one) is None)
            values = (*valid_values, None)
        yield from ({**elected, rule.id: value} for value in values)


def _missing(consumers: Collection[str], tables: _Tables) -> Iterator[tuple[str, str]]:
    for rule_id, contract in tables.known.items():
        rule = tables.rules.get(rule_id)
        unconditional = rule is not None and not rule.applies_when
        if unconditional or not any(consumer in consumers for consumer in contract.needed_by):
            continue
        conditions = (*contract.when, *contract.unless)
        names = [name for condition in conditions for name, *_ in _parts_of(condition)]
        table = tables.one([rule_id, *names], partial(_lacks, rule_id, contract, tables.known))
        if table is None:
            continue
        needs = _need(contract, tables.known, table)
        condition_text = ", ".join(
            f"{name} = {tables.rules[name].written(value)}"
            for name, value in table.items()
            if value is not None and tables.rules[name].is_election and name not in f"{needs}"
        )
        fault = "is missing" if rule is None else "does not apply, so correct applies_when"
        at_tables = f" where {condition_text}" if condition_text else ""
        yield rule_id, f"{fault}: {needs or 'every table'} needs it{at_tables}"


def _applies_elsewhere(rule: Rule, contract: Contract, tables: _Tables) -> Iterator[str]:
    """Yield the choices under which a rule applies besides the only ones that it is for."""
    parts = [[*_parts_of(condition)] for condition in contract.when]
    if "check" not in contract.needed_by or not all(sign for one in parts for _, sign, _ in one):
        return
    names = {name for condition in parts for name, *_ in condition}
    correction = f"{'correct' if rule.applies_when else 'state'} applies_when"
    if len(names) == 1:
        rule_id, words_met = names.pop(), [word for condition in parts for *_, word in condition]
        words = [str(word) for word in contracts().rules[rule_id].words if word not in words_met]
        other_words = [word for word in words if tables.may(f"{rule.id} & {rule_id} = {word}")]
        if other_words:
            only, elsewhere = ", ".join(words_met), ", ".join(other_words)
            yield f"is for {rule_id} = {only} alone, and applies under {elsewhere}: {correction}"
        return
    # Of several choices, those that each of its conditions names.
    for name, _, word in sorted(set(parts[0]).intersection(*parts) if parts else ()):
        value = _value(tables.known[name].kind, word)
        table = tables.one([rule.id, name], partial(_differs, rule.id, name, value))
        other = None if table is None else table[name]
        if other is not None:
            elsewhere = tables.rules[name].written(other)
            yield f"is for {name} = {word} alone, and applies under {elsewhere}: {correction}"


def _differs(rule_id: str, name: str, value: Value, elected: Elected) -> bool:
    return rule_id in elected and elected.get(name, value) != value


def _applies_in_vain(rule: Rule, contract: Contract, tables: _Tables) -> Iterator[str]:
    """Yield the choices under which a rule applies although no table carries it out."""
    for condition in contract.unless:
        rule_id, sign, _ = condition.partition(" = ")
        if rule.kind is not Kind.PROCEDURE and rule_id == "device":
            continue  # Included laws state their values for every device.
        if tables.may(f"{rule.id} & {condition}"):
            correction = f"{'' if sign else 'leave it out, or '}state applies_when"
            yield f"is not carried out with {condition}, and applies there: {correction}"


def _unanswered(
    key: str, tables: _Tables, register: Mapping[str, Interpretation]
) -> Iterator[tuple[str, str]]:
    """Yield the readings that the program asks for and the register does not have for a law."""
    ids, law_id = reading_ids(register), key.partition("@")[0]
    for name, reading in contracts().readings.items():
        entry = register[ids[name]]
        condition = next(filter(tables.may, reading.when), None)
        if condition is None or law_id in reading.settled or entry.about(key, tables.rules):
            continue
        message = (
            f"is not answered: {condition} needs the reading. {entry.id} gives it only for "
            f"{', '.join(entry.laws) or 'rules that this law lacks'}; add an entry of this name to "
            f"interpretations.toml in the folder of the law, one of {', '.join(entry.readings)}"
        )
        yield name, message


def _like(rule: Rule, rules: Mapping[str, Rule], tables: Mapping[str, str]) -> Contract | None:
    if (contract := contracts().rules.get(tables.get(rule.id, ""))) is not None:
        return Contract(contract.kind, fixed=True, rows=contract.rows)
    parent, _, name = rule.id.rpartition(".")
    kinds = _SHAPED.get(name, ()) if parent in rules and rules[parent].kind is Kind.WAGER else ()
    if not kinds:
        return None
    words = contracts().rules["wagers.royal_9.award_is"].words if name == "award_is" else ()
    shape = rules[parent].value
    lines = words_in(shape.get("lines")) if isinstance(shape, Mapping) else ()
    return Contract(rule.kind if rule.kind in kinds else kinds[0], words=words, parts=(*lines,))


def family_of(rule_id: str) -> str:
    return rule_id.partition(".")[0]


def _unknown(rule_id: str, contracts: ByRule) -> str:
    hint = did_you_mean(rule_id, contracts)
    if not hint:
        family = [name for name in contracts if name.startswith(f"{family_of(rule_id)}.")]
        ellipsis = ", ..." if len(family) > _FEW else ""
        hint = f"; known: {', '.join(family[:_FEW])}{ellipsis}" if family else ""
    return f"the program implements no rule of that id{hint}"


def _faults(rule: Rule, contract: Contract) -> Iterator[tuple[str, str]]:
    """Yield the keys of a rule that its contract does not permit as they are, and why."""
    if rule.kind is not contract.kind:
        yield "kind", f"the kind must be {contract.kind.value}, not {rule.kind.value}"
        return
    if rule.by != contract.by:
        yield "by", f"'by' must be {contract.by!r}, not {rule.by!r}"
    elif contract.by not in {"licensee", "layout"} and rule.at_least is None:
        yield "value", "must be written as 'at_least': it limits what a person does at the table"
    if contract.fixed and rule.value is None:
        yield "id", "must have a 'value': it cannot be left open"
    allowed = contract.allowed
    default = rule.read(rule.default) if rule.default and rule.kind is Kind.ORDER else None
    values = (
        ("value" if rule.at_least is None else "at_least", rule.value),
        ("default", default),
        *(("choices", choice) for choice in rule.choices),
        *(("value_by_reading", value) for value in rule.value_by_reading.values()),
    )
    for key, value in values:
        for row, fault in () if value is None else _value_faults(value, contract, allowed):
            yield f"{key}.{row}" if row else key, fault
    if allowed and rule.is_election and not rule.choices and contract.kind is not Kind.ORDER:
        yield "id", f"must have 'choices', of {_listed(contract, allowed)}"


def _value_faults(
    value: Value, contract: Contract, allowed: Iterable[Value]
) -> Iterator[tuple[str, str]]:
    """Yield why a value is not permitted, each with its row if it is about one."""
    if contract.only is not None and value != parse_value(contract.kind, contract.only):
        only = written(contract.kind, parse_value(contract.kind, contract.only))
        yield "", f"the program implements only {only}, not {written(contract.kind, value)}"
    words = tuple(allowed)
    for item in value if contract.kind is Kind.ORDER and isinstance(value, tuple) else (value,):
        if words and item not in words:
            name = written(contract.kind, item)
            hint = did_you_mean(name, [written(contract.kind, word) for word in words])
            yield "", f"{name!r} is not implemented: {_listed(contract, words)}{hint}"
    if not isinstance(value, Mapping):
        return
    if contract.rows and set(value) != set(contract.rows):
        yield "", f"must have the rows {', '.join(contract.rows)}, not {', '.join(value)}"
    for name, cell in value.items():
        pattern = contract.pattern_of(name)
        if pattern and not re.fullmatch(pattern, str(cell)):
            reason = ": no card is drawn to a natural" if name in contract.row_patterns else ""
            yield name, f"row {name} must match {pattern}, not {cell!r}{reason}"


def implemented_order(rule_id: str) -> list[str]:
    """Return the words that an order may have, or the only one; empty if any will do."""
    contract = contracts().rules.get(rule_id)
    return [] if contract is None else [*(contract.only or contract.words)]


def order_fault(rule: Rule, value: Value) -> str | None:
    """Return why the program does not implement an elected order, if it does not."""
    contract = contracts().rules.get(rule.id)
    faults = () if contract is None else _value_faults(value, contract, contract.allowed)
    return next((fault for _, fault in faults), None)


def _listed(contract: Contract, allowed: Iterable[Value]) -> str:
    words = [written(contract.kind, value) for value in allowed]
    return f"one of {', '.join(words)}" if len(words) > 1 else words[0]
