"""Any lawful submission may follow any other of its regulation, before a gaming day, in one command."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings

from croupier import acts
from croupier.law.elect import SubmissionError, flatten
from croupier.law.model import Instrument
from croupier.law.resolve import instruments
from croupier.rules import TableRules, submission_of, table_rules
from croupier.table import Refusal, decide
from croupier.table.elections.election_changes import rules_after
from croupier.table.elections.notice import changes_in, wanting_notice
from croupier.table.machine.core import evolve_all, new_table
from support.random_submissions import Tables, legal
from support.volume import volume

NOON = datetime(2026, 11, 20, 12, tzinfo=UTC)
METERS = "wagers.royal_9."

drawn = partial(
    settings, max_examples=volume(8, 3, most=24), derandomize=True, deadline=None, database=None,
    suppress_health_check=[HealthCheck.too_slow],
)  # fmt: skip


def texts() -> list[Instrument]:
    return [text for text in instruments() if not text.partial]


@pytest.mark.parametrize("law", texts(), ids=lambda law: law.key)
def test_all_elections_of_one_submission_are_adopted_in_place_of_anothers(law: Instrument) -> None:
    @drawn()
    @given(legal(law), legal(law))
    def holds(first: Tables, then: Tables) -> None:
        # The table stands where it stood, and its readings are elected with another record alone.
        kept = {name: first[name] for name in ("interpretations", "table")}
        try:
            wanted = table_rules(submission_of({**then, **kept}))
        except SubmissionError:
            return
        adopts(table_rules(submission_of(first)), wanted)

    holds()


def adopts(first: TableRules, then: TableRules) -> None:
    """Adopt the elections of a submission at a table under another one, after due notice."""
    law = first.law
    given_then = flatten(then.submission.elections, law.rules)
    wanted: dict[str, Any] = {
        rule.id: given_then[rule.id]
        for rule in law.elections
        if rule.id in given_then and not rule.id.startswith(METERS)
    }
    if any(first.settled.get(one) != then.settled.get(one) for one in law.rules if METERS in one):
        return
    state = new_table(first)
    for change in changes_in(law, first.settled, then.settled):
        for constraint in wanting_notice(change):
            for to in constraint.to:
                named = {change.rule.id: wanted.get(change.rule.id, False)}
                told = decide(state, acts.RecordNotice(named, to, NOON), first)
                assert not isinstance(told, Refusal)
                state = evolve_all(state, told)
    later = NOON + timedelta(minutes=30)
    command = acts.AdoptElections(wanted, then.submission.limits or {}, later)
    answer = decide(state, command, first)
    if isinstance(answer, Refusal):
        assert answer.code == "no_change", answer
        return
    adopted = rules_after(first, answer)
    assert adopted.settled == then.settled
    assert set(adopted.submission.limits or {}) == set(then.submission.limits or {})
    assert evolve_all(state, answer).course == new_table(then).course
