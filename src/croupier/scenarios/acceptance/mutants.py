"""Changed values of a regulation, and the scenarios that notice them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction

from msgspec import Struct
from msgspec.structs import replace

from croupier.law.contracts import ByRule, contract_faults, contracts_of
from croupier.law.model import Instrument, Rule
from croupier.law.resolve import substituted
from croupier.law.values import Kind, Odds, Value, canonical
from croupier.scenarios.acceptance.files import Scenario
from croupier.scenarios.acceptance.play import play_scenario
from croupier.scenarios.acceptance.tables import forget_rules


class Mutant(Struct, frozen=True):
    """A changed value of a rule. ``noticed_by`` is the id of a failing scenario, or ``None``."""

    rule: str
    value: str
    changed: str
    noticed_by: str | None


def mutants(text: Instrument, scenarios: Sequence[Scenario]) -> Iterator[Mutant]:
    """Change each value of a regulation in turn until a scenario fails.

    Spoken words, free text, and values refused in a law file are not tried.
    """
    known = contracts_of(text.mechanisms.values())
    before = _faults(text, text.rules, known)
    for rule in text.rules.values():
        if rule.value is None or rule.kind in {Kind.WORDS, Kind.TEXT, Kind.PROCEDURE}:
            continue
        short = {_section(one.partition(":")[2]) for one in rule.cites}
        cited = [
            one for one in scenarios if any(_section(clause) in short for clause, _ in one.rests_on)
        ]
        ordered = (*cited, *(one for one in scenarios if one not in cited))
        for value in _changes(rule, rule.value, known):
            rules = {**text.rules, rule.id: replace(rule, value=value)}
            if not _faults(text, rules, known) <= before:
                continue
            forget_rules()
            with substituted(replace(text, rules=rules)):
                found = next((one.id for one in ordered if _fails(one)), None)
            yield Mutant(rule.id, str(canonical(rule.value)), str(canonical(value)), found)
    forget_rules()


def _faults(
    text: Instrument, rules: Mapping[str, Rule], known: ByRule
) -> set[tuple[str, str, str]]:
    head = {"id": text.id, "in_force_from": text.in_force_from, "partial": text.partial}
    return set(
        contract_faults(
            head, rules, text.register, constraints=text.constraints, conditions=rules, known=known
        )
    )


def _section(clause: str) -> str:
    return clause.partition("#")[0]


def _fails(scenario: Scenario) -> bool:
    try:
        return bool(play_scenario(scenario))
    except Exception:  # noqa: BLE001  (a table under changed rules may fail anywhere)
        return True


def _changes(rule: Rule, value: Value, known: ByRule) -> Iterator[Value]:
    if isinstance(value, Mapping):
        changed = ((name, _changes(rule, item, known)) for name, item in value.items())
        yield from ({**value, name: other} for name, others in changed for other in others)
    elif isinstance(value, bool):
        yield not value
    elif isinstance(value, int):
        yield value + 1
    elif isinstance(value, Odds):
        yield Odds(value.pays + 1, value.stake)
    elif isinstance(value, Fraction):
        yield value + Fraction(1, 100)
    elif isinstance(value, str):
        words = known[rule.id].allowed if rule.id in known else ()
        yield from (word for word in words if word != value)
    elif len(value) > 1:
        yield value[:-1]
