"""The law files against the inventories of their clauses, the register and the code."""

import ast
import csv
import importlib
import pkgutil
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

import croupier
from croupier.law.cite import cited_rules
from croupier.law.contracts import contracts, known_rule_ids
from croupier.law.faults import LawError
from croupier.law.interpretations import interpretations
from croupier.law.model import Disposition, Instrument
from croupier.law.resolve import instruments
from croupier.law.values import Kind
from croupier.rules import default_submission, table_rules
from support.sources import Source, modules, none_of
from support.texts import NJ_MINI

DATA = Path(__file__).parents[1] / "data"

INVENTORIES: Final = {
    "us-ma/minibaccarat@2026-11-20": ("us_ma_minibaccarat_clauses.tsv", 200),
    "us-nj/blackjack-wagers@2001-01-16": ("us_nj_blackjack_wagers_clauses.tsv", 37),
    "us-nj/minibaccarat@1999-07-06": ("us_nj_minibaccarat_1999_clauses.tsv", 54),
    "us-nj/minibaccarat@2011-02-22": ("us_nj_minibaccarat_2011_clauses.tsv", 207),
    "us-nj/punto-banco@1998-09-08": ("us_nj_punto_banco_1998_clauses.tsv", 11),
    "us-nj/punto-banco@2011-02-22": ("us_nj_punto_banco_2011_clauses.tsv", 176),
    "us-nj/subchapter-6@2003-01-01": ("us_nj_subchapter_6_clauses.tsv", 1),
    "us-ny/mini-midi-baccarat@2021-06-02": ("us_ny_mini_midi_baccarat_clauses.tsv", 132),
}
"""The inventory of each law file, and how many clauses it lists."""


def rule_ids() -> set[str]:
    return {rule_id for text in instruments() for rule_id in text.rules}


def constraint_ids() -> set[str]:
    return {constraint.id for text in instruments() for constraint in text.constraints}


def parted_choices() -> dict[str, set[str]]:
    """Return the choices and rows of each rule that have clauses of their own in some text."""
    choices: dict[str, set[str]] = {rule_id: set() for rule_id in rule_ids()}
    for text in instruments():
        for rule in text.rules.values():
            choices[rule.id] |= set(rule.cites_by)
    return choices


def label(text: Instrument) -> str:
    return f"{text.id}@{text.in_force_from}"


@pytest.mark.shipped
def test_every_law_file_has_an_inventory_of_its_own() -> None:
    assert sorted(map(label, instruments())) == sorted(INVENTORIES)
    files = sorted(file for file, _ in INVENTORIES.values())
    assert files == sorted(path.name for path in DATA.glob("*_clauses.tsv"))
    assert sum(rows for _, rows in INVENTORIES.values()) == 818


@pytest.mark.parametrize("name", INVENTORIES)
def test_a_law_holds_every_clause_of_its_inventory_in_its_class_and_no_other(name: str) -> None:
    file, rows = INVENTORIES[name]
    with (DATA / file).open(encoding="utf-8", newline="") as lines:
        inventory = [(row["id"], row["class"]) for row in csv.DictReader(lines, delimiter="\t")]
    (law,) = (text for text in instruments() if label(text) == name)
    held = [(clause.id, clause.clause_class.value) for clause in law.clauses.values()]
    assert len(inventory) == rows
    assert sorted(held) == sorted(inventory)


def test_every_clause_that_is_set_aside_has_a_reason() -> None:
    for text in instruments():
        for clause in text.clauses.values():
            set_aside = text.disposition(clause.id) in {
                Disposition.CHECKLIST,
                Disposition.OUT_OF_SCOPE,
            }
            assert set_aside == bool(clause.reason), clause.id


def test_every_rule_of_a_law_has_a_clause_and_every_clause_its_fate() -> None:
    for text in instruments():
        assert all(rule.cites for rule in text.rules.values())
        assert all(text.disposition(clause) in Disposition for clause in text.clauses)


def test_every_rule_on_which_the_register_rests_exists_in_some_law() -> None:
    for entry in interpretations().values():
        assert entry.rests, entry.id
        assert set(entry.rests) <= rule_ids(), entry.id


def foreign_ids() -> set[str]:
    """Return the rules that the program implements for regulations outside the package."""
    return {name for name, one in contracts().rules.items() if one.title}


def test_every_interpretation_that_a_clause_names_is_in_the_register() -> None:
    for text in instruments():
        for clause in text.clauses.values():
            assert set(clause.interpretations) <= set(interpretations()), clause.id


def test_every_reading_taken_is_one_of_those_that_may_be_elected() -> None:
    for entry in interpretations().values():
        assert not entry.readings or entry.reading in entry.readings, entry.id


def test_a_function_cites_only_rules_that_some_law_has() -> None:
    for module in pkgutil.walk_packages(croupier.__path__, "croupier."):
        if not module.name.startswith("croupier.cli"):
            importlib.import_module(module.name)
    cited = {rule_id for rule_id in cited_rules() if not rule_id.startswith("example.")}
    assert cited <= rule_ids() | foreign_ids()


def test_what_the_plain_game_elects_is_what_the_law_allows() -> None:
    for text in instruments():
        for rule in text.elections:
            if rule.choices and rule.default is not None:
                assert rule.default in [*rule.choices, *map(rule.written, rule.choices)], rule.id


# --- readings, both ways -------------------------------------------------------------------------

DECIDED_WITHOUT_A_QUESTION: Final = {"drawing_table.damaged_row", "irregularities.substitute"}
"""Names that no code asks for: a value hangs on one, and the other must be acknowledged."""


def test_code_takes_a_reading_only_by_a_name_of_the_register_and_takes_every_one_of_them() -> None:
    asked = {
        str(node.args[0].value)
        for _, node, name in calls()
        if name == "reading" and node.args and isinstance(node.args[0], ast.Constant)
    }
    named = {entry.name for entry in interpretations().values() if entry.name}
    assert asked | DECIDED_WITHOUT_A_QUESTION == named
    hung = {
        key.partition(".")[0]
        for text in instruments()
        for rule in text.rules.values()
        for key in rule.value_by_reading
    }
    acknowledged = {entry.id for entry in interpretations().values() if entry.acknowledge}
    ids = {entry.id for entry in interpretations().values() if entry.name} & (hung | acknowledged)
    named_so = {interpretations()[one].name for one in ids}
    assert named_so >= DECIDED_WITHOUT_A_QUESTION


def test_every_entry_is_about_a_text_that_is_held() -> None:
    for entry in interpretations().values():
        assert any(entry.about(text.key, text.rules) for text in instruments()), entry.id
        for law in entry.laws:
            held = [text for text in instruments() if law in {text.id, text.key}]
            assert held, f"{entry.id} is about {law}"
            rules = {rule_id for text in held for rule_id in text.rules}
            assert not rules.isdisjoint(entry.rests), f"{entry.id} rests on nothing of {law}"


def test_every_procedure_that_an_entry_is_about_is_carried_out() -> None:
    for module in pkgutil.walk_packages(croupier.__path__, "croupier."):
        if not module.name.startswith("croupier.cli"):
            importlib.import_module(module.name)
    done = cited_rules()
    for text in instruments():
        for entry in interpretations().values():
            for rule_id in entry.rests:
                rule = text.rules.get(rule_id) if entry.about(text.key, (rule_id,)) else None
                if rule is not None and rule.kind is Kind.PROCEDURE:
                    assert rule_id in done, f"{entry.id}: no function implements {rule_id}"


# --- what code asks for by name ---


ASKED: Final = {"applies", "bound", "cites", "cites_for", "elected", "rest_on", "value"}
"""The questions of a table's rules; ``cites`` marks a function too."""


def literals(nodes: list[ast.expr]) -> list[str]:
    return [str(one.value) for one in nodes if isinstance(one, ast.Constant)]


def calls() -> Iterator[tuple[Source, ast.Call, str]]:
    """Yield every call of the program that is by a name, with that name."""
    for module in modules():
        for node in module.nodes:
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
                called = node.func
                yield module, node, called.id if isinstance(called, ast.Name) else called.attr


def ids_asked(node: ast.Call, name: str) -> list[str]:
    """Return the rule ids that a call writes out."""
    if name == "decides":
        (named,) = [one.value for one in node.keywords if one.arg == "cites"] or [ast.Tuple([])]
        return literals(named.elts) if isinstance(named, ast.Tuple) else []
    if name in ASKED:
        return literals(node.args if name in {"rest_on", "cites"} else node.args[:1])
    if ast.unparse(node.func).endswith("settled.get"):
        return literals(node.args[:1])
    return []


@pytest.mark.shipped
def test_the_contracts_are_of_the_rules_of_the_texts() -> None:
    assert known_rule_ids() == rule_ids() | constraint_ids() | foreign_ids()
    assert not rule_ids() & foreign_ids()
    for listed in (list(contracts().rules), list(contracts().constraints)):
        assert listed == sorted(listed)


def test_code_asks_only_for_rules_that_some_text_has() -> None:
    asked = [
        (module, rule_id) for module, node, name in calls() for rule_id in ids_asked(node, name)
    ]
    assert len(asked) > 500
    none_of(f"{module}: {one}" for module, one in asked if one not in known_rule_ids())


def test_code_looks_only_for_rules_that_some_text_has() -> None:
    none_of(
        f"{module}:{node.lineno}: {node.left.value!r}"
        for module in modules()
        for node in module.nodes
        if isinstance(node, ast.Compare)
        and isinstance(node.left, ast.Constant)
        and ast.unparse(node.comparators[0]).endswith(("settled", "in_force", "law.rules"))
        and node.left.value not in known_rule_ids()
    )


def test_code_asks_only_for_choices_that_have_clauses_in_some_text() -> None:
    parted = parted_choices()
    none_of(
        f"{module}:{node.lineno}: {rule_id}, {choice}"
        for module, node, name in calls()
        if name == "cites_for"
        for rule_id in literals(node.args[:1])
        for choice in literals(node.args[1:])
        if choice not in parted[rule_id]
    )


@pytest.mark.parametrize("question", ["applies", "cites", "cites_for"])
def test_a_rule_that_no_text_has_is_an_error_when_it_is_asked_for(question: str) -> None:
    rules = table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))
    assert getattr(rules, question)("wagers.royal_9.stax") in {False, ()}
    with pytest.raises(LawError, match=r"no regulation has a rule 'wagers.royal_9.stacks'"):
        getattr(rules, question)("wagers.royal_9.stacks")


def test_an_election_that_no_text_has_is_an_error_when_it_is_asked_for() -> None:
    rules = table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))
    assert not rules.elected("free_hand.allowed", choice=True)
    with pytest.raises(LawError, match=r"no regulation has a rule 'free_hands'"):
        rules.elected("free_hands", choice=True)
