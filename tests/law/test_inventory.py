"""The law files against the inventory of their clauses, the register and the code."""

import csv
import importlib
import pkgutil
from pathlib import Path

import croupier
from croupier.law.cite import cited_rules
from croupier.law.interpretations import interpretations
from croupier.law.model import Fate
from croupier.law.resolve import instruments, resolve

DATA = Path(__file__).parents[1] / "data"


def rule_ids() -> set[str]:
    return {rule_id for text in instruments() for rule_id in text.rules}


def test_the_law_holds_every_clause_of_the_inventory_in_its_class_and_no_other() -> None:
    with (DATA / "nj_minibaccarat_clauses.tsv").open(encoding="utf-8", newline="") as file:
        inventory = [(row["id"], row["class"]) for row in csv.DictReader(file, delimiter="\t")]
    law = resolve("us-nj/minibaccarat")
    held = [(clause.id, clause.clause_class.value) for clause in law.clauses.values()]
    assert len(inventory) == 207
    assert sorted(held) == sorted(inventory)


def test_every_clause_that_is_set_aside_has_a_reason() -> None:
    for text in instruments():
        for clause in text.clauses.values():
            set_aside = text.fate(clause.id) in {Fate.CHECKLIST, Fate.OUT_OF_SCOPE}
            assert set_aside == bool(clause.reason), clause.id


def test_every_rule_of_a_law_has_a_clause_and_every_clause_its_fate() -> None:
    for text in instruments():
        assert all(rule.cites for rule in text.rules.values())
        assert all(text.fate(clause) in Fate for clause in text.clauses)


def test_every_rule_on_which_the_register_rests_exists_in_some_law() -> None:
    for entry in interpretations().values():
        assert entry.rests, entry.id
        assert set(entry.rests) <= rule_ids(), entry.id


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
    assert cited <= rule_ids()


def test_what_the_plain_game_elects_is_what_the_law_allows() -> None:
    for text in instruments():
        for rule in text.elections:
            if rule.choices and rule.plain is not None:
                assert rule.plain in [*rule.choices, *map(rule.written, rule.choices)], rule.id
