"""The submissions that ship with the project: each accepted, together every choice of the law."""

from pathlib import Path

import pytest

from croupier.law.resolve import resolve
from croupier.law.values import Kind
from croupier.rules import table_rules
from croupier.submission import read_submission

SUBMISSIONS = sorted((Path(__file__).parents[1] / "submissions").glob("nj-minibaccarat*.toml"))


@pytest.mark.parametrize("path", SUBMISSIONS, ids=lambda path: path.stem)
def test_a_submission_is_accepted(path: Path) -> None:
    rules = table_rules(read_submission(path))
    assert all(offer.limit is not None for offer in rules.offers.values())


def test_together_they_elect_every_choice_that_the_law_leaves() -> None:
    law = resolve("us-nj/minibaccarat")
    tables = [table_rules(read_submission(path)).settled for path in SUBMISSIONS]
    for rule in law.elections:
        elected = [table[rule.id] for table in tables if rule.id in table]
        floors = [law.rules[floor].value for floor in rule.at_least_any.values()]
        flags = (True, False) if rule.kind is Kind.FLAG else ()
        for choice in (*rule.choices, *flags, *floors):
            assert choice in elected, f"{rule.id} = {choice}"
        assert elected, rule.id


def test_no_two_of_them_make_the_same_table() -> None:
    hashes = {table_rules(read_submission(path)).sha256 for path in SUBMISSIONS}
    assert len(hashes) == len(SUBMISSIONS) == 7
