"""The submissions that ship with the project: each accepted, together every choice of each law."""

from collections import Counter
from pathlib import Path
from typing import Final

import pytest

from croupier.law.model import Instrument
from croupier.law.resolve import instruments
from croupier.law.values import Kind
from croupier.rules import TableRules, read_submission, table_rules
from support.project import ROOT, SUBMISSIONS

PATHS: Final = sorted((ROOT / "submissions").glob("*.toml"))

NUMBERS: Final = {
    "us-ma/minibaccarat@2026-11-20": 7,
    "us-nj/blackjack-wagers@2001-01-16": 2,
    "us-nj/minibaccarat@1999-07-06": 1,
    "us-nj/minibaccarat@2011-02-22": 7,
    "us-nj/punto-banco@2011-02-22": 6,
    "us-ny/mini-midi-baccarat@2021-06-02": 8,
}
"""How many submissions there are under each text."""


def rules_under(law: Instrument) -> list[TableRules]:
    tables = [table_rules(read_submission(path)) for path in PATHS]
    return [rules for rules in tables if rules.law.key == law.key]


def test_there_are_so_many_under_each_text() -> None:
    laws = [table_rules(read_submission(path)).law.key for path in PATHS]
    assert Counter(laws) == NUMBERS
    assert len(PATHS) == 31


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_submission_is_accepted_under_its_law(path: Path) -> None:
    submission = read_submission(path)
    rules = table_rules(submission)
    assert rules.law.id == submission.law
    assert submission.title
    assert all(offer.limit is not None for offer in rules.offers.values())


@pytest.mark.parametrize("path", PATHS, ids=lambda path: path.stem)
def test_a_table_can_be_dealt_under_it_where_its_text_is_whole(path: Path) -> None:
    rules = table_rules(read_submission(path))
    assert bool(rules.missing) == rules.law.partial
    assert (path in SUBMISSIONS) == (not rules.missing)


@pytest.mark.shipped
@pytest.mark.parametrize(
    "law", [law for law in instruments() if not law.partial], ids=lambda law: law.key
)
def test_under_a_whole_text_they_elect_together_every_choice_that_it_leaves(
    law: Instrument,
) -> None:
    tables = [rules.settled for rules in rules_under(law)]
    for rule in law.elections:
        elected = [table[rule.id] for table in tables if rule.id in table]
        named = {**rule.at_least_any, **rule.one_of}
        printed = [law.rules[name].value for name in named.values()]
        # What a submission may leave out is elected otherwise in the scenarios of the law.
        both = rule.kind is Kind.FLAG and not rule.may_be_left_out
        flags = (True, False) if both else ()
        for choice in (*rule.choices, *flags, *printed):
            assert choice in elected, f"{rule.id} = {choice}"
        assert elected, rule.id


def test_no_two_of_them_make_the_same_table() -> None:
    hashes = {table_rules(read_submission(path)).sha256 for path in PATHS}
    assert len(hashes) == len(PATHS)


def test_no_two_of_them_stand_at_the_same_place_in_a_house() -> None:
    """A licensee may take all of a text's submissions as they are: no table has another's number."""
    places = Counter(
        (rules.law.key, rules.submission.layout.table)
        for rules in (table_rules(read_submission(path)) for path in PATHS)
    )
    assert set(places.values()) == {1}
