"""``croupier law list`` and ``show``: the included regulations and their content."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from typing import Final

import click

from croupier.cli.common.files import document_options
from croupier.cli.common.output import (
    blank,
    command_line,
    fail,
    headline,
    plain_table,
    print_json,
    print_table,
    print_text,
)
from croupier.cli.common.text_named import as_of_option, text_named
from croupier.cli.law.coverage import implementations
from croupier.cli.law.documents import ClauseOfLaw, LawList, LawTextShown, RuleOfLaw
from croupier.cli.law.naming import cited, extent, head
from croupier.files.suggest import did_you_mean
from croupier.law.model import (
    Clause,
    ClauseClass,
    Constraint,
    Instrument,
    Rule,
    is_entry,
    section,
)
from croupier.law.resolve import AsOf, instruments
from croupier.law.standing import cited_standing, rule_standing
from croupier.law.values import Kind, canonical
from croupier.law.wording import condition_in_words, rule_in_words, stood_in
from croupier.rules.documents import made


@click.command("list", short_help="List the included regulations.")
@document_options("text", "json")
def list_texts(output_format: str) -> None:
    """List the included regulations, and when each is known to have been in force."""
    texts = instruments()
    if output_format == "json":
        listed: LawList = {
            "format": "croupier-law-list/1",
            **made(command_line()),
            "laws": [{**head(text), "clauses": len(text.clauses)} for text in texts],
        }
        print_json(listed)
        return
    for text in texts:
        headline(f"{text.key}  {text.title}")
        print_text(f"{text.authority}, {cited(text)}", indent=2)
        print_text(f"in force from {text.in_force_from}, known to {text.in_force_known}", indent=2)
        print_text(f"{len(text.clauses)} clauses, {extent(text)}", indent=2)


@click.command("show", short_help="Show a regulation, or some of its clauses.")
@click.argument("law_id", metavar="ID")
@click.argument("clause", required=False)
@as_of_option
@document_options("text", "json")
def show(law_id: str, clause: str | None, as_of: AsOf | None, output_format: str) -> None:
    """Show a regulation, or the clauses of it that CLAUSE names.

    Name the day: place/game@2001-01-16 or place/game@latest, or --as-of. CLAUSE is a clause id or
    the beginning of one: 7.5(f) selects every clause of 7.5(f). It may also be a rule id, which
    selects the clauses that the rule cites. Each clause is shown with its readings, rules, and
    functions.
    """
    text = text_named(law_id, as_of)
    chosen = [one for one in text.clauses.values() if clause is None or _named(one, clause)]
    if not chosen and clause is not None and clause in text.rules:
        chosen = [text.clauses[one] for one in text.rules[clause].cites if not is_entry(one)]
    rule = None if clause is None else text.rules.get(clause)
    if not chosen and rule is None:
        hint = did_you_mean(str(clause), _names(text))
        fail(f"{text.id} of {text.in_force_from} has no clause {clause!r} and no such rule{hint}")
    carried = implementations() if clause is not None or output_format == "json" else {}
    if output_format == "json":
        shown: LawTextShown = {
            "format": "croupier-law/1",
            **made(command_line()),
            **head(text),
            "clauses": [_clause_data(text, one, carried) for one in chosen],
            "rules": [rule_data(rule, text) for rule in _rules_of(text, chosen, clause)],
        }
        print_json(shown)
    elif clause is None:
        _print_text(text)
    else:
        for one in chosen:
            _print_clause(text, one, carried)
        if rule is not None and rule.standing is not None:
            _print_stood_in(text, rule, carried)


def _names(text: Instrument) -> Iterator[str]:
    """Yield every name that selects clauses: ids, their beginnings, and rule ids."""
    for clause in text.clauses:
        name = clause.partition(":")[2]
        # The section, the subsection, and the clause itself.
        for pattern in (r"[^(#_]+", r"[^(#]+\(\w+\)", r".+"):
            if found := re.match(pattern, name):
                yield found[0]
    yield from text.rules


def _named(clause: Clause, wanted: str) -> bool:
    """Return whether a clause is the wanted one or a clause under it."""
    name = clause.id if ":" in wanted else clause.id.partition(":")[2]
    if not name.startswith(wanted):
        return False
    following = name[len(wanted) :][:1]
    # 7.1 does not select 7.10, nor does 3.i select 3.ii.
    return not (wanted[-1:].isalnum() and following.isalnum())


def _rules_of(text: Instrument, clauses: Iterable[Clause], asked: str | None) -> tuple[Rule, ...]:
    cited = {clause.id for clause in clauses}
    return tuple(
        rule
        for rule in text.rules.values()
        if asked in {None, rule.id} or cited.intersection(rule.cites)
    )


def _value(rule: Rule, text: Instrument) -> str:
    """Describe what a rule fixes, or what it leaves open and to whom, and when it applies."""
    told = stood_in(rule) + rule_in_words(rule)
    if not rule.applies_when:
        return told
    return f"{told} (when {condition_in_words(rule.applies_when, text)})"


def _clause_data(
    text: Instrument, clause: Clause, carried: Mapping[str, tuple[str, ...]]
) -> ClauseOfLaw:
    carriers = text.implemented_by[clause.id]
    return {
        "id": clause.id,
        "citation": text.speak(clause.id),
        "class": clause.clause_class.value,
        "says": clause.says,
        "disposition": text.disposition(clause.id).value,
        "standing": cited_standing(text, clause.id).value,
        "reason": clause.reason,
        "interpretations": list(clause.interpretations),
        "implemented_by": [carrier.id for carrier in carriers],
        "functions": list(
            dict.fromkeys(name for one in carriers for name in carried.get(one.id, ()))
        ),
    }


def rule_data(rule: Rule, text: Instrument) -> RuleOfLaw:
    """Return a rule as data: what it fixes or leaves open, to whom, and when it applies."""
    return {
        "id": rule.id,
        "kind": rule.kind.value,
        "title": rule.title,
        "cites": list(rule.cites),
        "standing": rule_standing(text, rule).value,
        "does": rule.does or None,
        "value": None if rule.value is None else canonical(rule.value),
        "open": rule.left_open if rule.value is None and rule.kind is not Kind.PROCEDURE else None,
        "by": rule.by,
        "applies_when": {
            name: [canonical(value) for value in wanted]
            for name, wanted in rule.applies_when.items()
        },
    }


def _print_text(text: Instrument) -> None:
    headline(text.title)
    print_text(f"{text.id}, {cited(text)}")
    print_text(f"{text.authority}; as amended to {text.in_force_from}")
    print_text(
        f"Known to have been in force {text.in_force_from} to {text.in_force_known};"
        f" observed on {text.observed_on}; {extent(text)}"
    )
    print_text(text.note)
    print_text(f"SHA-256 {text.sha256}")
    for name, group in groupby(text.clauses.values(), lambda one: section(one.id)):
        blank()
        headline(f"{text.citation}{name}")
        table = plain_table("Clause", "Class", "Disposition", "Standing", "Says")
        for clause in group:
            disposition = text.disposition(clause.id).value
            standing = cited_standing(text, clause.id).value
            table.add_row(clause.id, clause.clause_class.value, disposition, standing, clause.says)
        print_table(table)
        _print_rules(text, name)
    if added := [rule for rule in text.rules.values() if is_entry(rule.cites[0])]:
        blank()
        headline("What this text does not say, and its substitute")
        _print_rule_table(text, added)


def _print_rules(text: Instrument, of_section: str) -> None:
    _print_rule_table(
        text, [rule for rule in text.rules.values() if section(rule.cites[0]) == of_section]
    )


def _print_rule_table(text: Instrument, rules: Sequence[Rule]) -> None:
    table = plain_table("Rule", "Standing", "Value, or what is left open")
    for rule in rules:
        table.add_row(rule.id, rule_standing(text, rule).value, _value(rule, text))
    if table.row_count:
        blank()
        print_table(table)


def _print_clause(text: Instrument, clause: Clause, carried: Mapping[str, tuple[str, ...]]) -> None:
    disposition = text.disposition(clause.id)
    headline(f"{clause.id} ({text.speak(clause.id)})")
    print_text(clause.says, indent=2)
    print_text(f"standing: {cited_standing(text, clause.id).value}", indent=2)
    print_text(f"class {clause.clause_class.value}, {_CLASSES[clause.clause_class]}", indent=2)
    print_text(
        f"disposition: {disposition.value}" + (f": {clause.reason}" if clause.reason else ""),
        indent=2,
    )
    register = text.register
    for name in clause.interpretations:
        reading = register[name]
        print_text(f"reading {name}: {reading.title}", indent=2)
        print_text(reading.problem, indent=4)
        print_text(f"Adopted: {reading.says(reading.reading)}", indent=4)
    for carrier in text.implemented_by[clause.id]:
        if isinstance(carrier, Constraint):
            print_text(f"constraint {carrier.id}, {carrier.kind.value}: {carrier.says}", indent=2)
            continue
        standing = rule_standing(text, carrier).value
        print_text(f"rule {carrier.id}, {standing}: {carrier.title}", indent=2)
        if carrier.kind is not Kind.PROCEDURE or carrier.does:
            print_text(_value(carrier, text), indent=4)
        for function in carried.get(carrier.id, ()):
            print_text(f"implemented by {function}", indent=4)
    blank()


def _print_stood_in(text: Instrument, rule: Rule, carried: Mapping[str, tuple[str, ...]]) -> None:
    """Print a rule that the text does not state, with what stands for it."""
    headline(f"{rule.id}: not in {text.citation}")
    print_text(f"{rule.title}: {_value(rule, text)}", indent=2)
    print_text(f"standing: {rule_standing(text, rule).value}", indent=2)
    register = text.register
    for name in filter(is_entry, rule.cites):
        print_text(f"{name}: {register[name].title}", indent=2)
        print_text(register[name].problem, indent=4)
        print_text(f"Adopted: {register[name].says(register[name].reading)}", indent=4)
    for function in carried.get(rule.id, ()):
        print_text(f"implemented by {function}", indent=2)


_CLASSES: Final = {
    ClauseClass.LOGIC: "logic",
    ClauseClass.PROCEDURE: "procedure at the table",
    ClauseClass.PHYSICAL: "physical or filing condition",
}
