"""What holds under every text on the shelf: whatever it leaves open may be chosen, and no more."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from functools import cache, partial
from itertools import product
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import pytest
from hypothesis import Phase as HypothesisPhase
from hypothesis import given, settings
from hypothesis import strategies as st

from croupier.acts import Command
from croupier.law.elect import ErrorDetail, SubmissionError
from croupier.law.interpretations import interpretations
from croupier.law.model import Instrument, Rule
from croupier.law.resolve import instruments
from croupier.law.values import Value
from croupier.money import ledger
from croupier.records.entry import SteppedClock
from croupier.rules import TableRules, submission_of, table_rules
from croupier.scenarios.autopilot import Autopilot, everything, stake_for
from croupier.table import Phase
from croupier.table.cards.chance import Chance
from croupier.table.machine.core import Events
from croupier.table.machine.session import TableSession
from croupier.verify.log import verify_log
from support.faulty_submissions import SLIPS, Maker, Slip, slipped
from support.logs import recorded
from support.oracles.logs import judged
from support.random_submissions import Draw, Tables, legal, options, pinned_for
from support.volume import spread, volume

TEXTS: Final = instruments()
WHOLE: Final = [law for law in TEXTS if not law.partial]

drawn = partial(settings, derandomize=True, deadline=None, database=None)


def key_of(law: Instrument) -> str:
    return law.key


# --- what may be chosen ------------------------------------------------------------------------


@pytest.mark.parametrize("law", TEXTS, ids=key_of)
def test_whatever_a_text_leaves_open_may_be_chosen(law: Instrument) -> None:
    @given(legal(law, most_decks=64))
    @drawn(max_examples=volume(60, 20, most=200))
    def accepted(tables: Tables) -> None:
        rules = table_rules(submission_of(tables))
        # Only a whole text has all that a table is dealt by.
        assert bool(rules.missing) == law.partial

    accepted()


@pytest.mark.parametrize("law", TEXTS, ids=key_of)
def test_every_choice_of_a_text_may_be_elected(law: Instrument) -> None:
    for rule in law.elections:
        for choice in options(rule):
            elects(law, rule, choice)


def elects(law: Instrument, rule: Rule, choice: Value) -> None:
    @given(pinned(law, rule, choice))
    @drawn(max_examples=volume(2, 1, most=6))
    def elected(tables: Tables) -> None:
        assert table_rules(submission_of(tables)).settled[rule.id] == choice

    elected()


@st.composite
def pinned(draw: Draw, law: Instrument, rule: Rule, choice: Value) -> Tables:
    """Draw a legal submission that elects one choice, and what it hangs on."""
    hangs_on = pinned_for(draw, law, rule.applies_when)
    tables: Tables = draw(legal(law, hangs_on | {rule.id: choice}))
    return tables


SLIPPED: Final = [(law, maker) for law, (maker, can) in product(TEXTS, SLIPS) if can(law)]


@pytest.mark.parametrize(
    ("law", "maker"), SLIPPED, ids=[f"{law.key}-{maker.__name__}" for law, maker in SLIPPED]
)
def test_one_slip_is_refused_where_it_is_by_the_clauses_that_it_breaks(
    law: Instrument, maker: Maker
) -> None:
    @given(slipped(law, maker))
    @drawn(max_examples=volume(8, 4, most=30))
    def refused(one: Slip) -> None:
        with pytest.raises(SubmissionError) as told:
            table_rules(submission_of(one.tables))
        errors = [(detail.where, detail.clauses) for detail in told.value.errors]
        assert (one.where, one.clauses) in errors
        assert cited(told.value.errors) <= {*law.clauses, *interpretations()}

    refused()


def cited(errors: tuple[ErrorDetail, ...]) -> set[str]:
    return {clause for detail in errors for clause in detail.clauses}


# --- whole shoes -------------------------------------------------------------------------------


def something(rules: TableRules, seat: int, chance: Chance) -> Iterator[tuple[str, int]]:
    """Wager on one hand or both, and on some of what else there is."""
    del seat
    bases = chance.choose([("player",), ("banker",), ("player", "banker")])
    others = [one for one in rules.offers if one not in {"player", "banker"} and chance.below(2)]
    for wager in (*bases, *others):
        yield wager, stake_for(rules.offers[wager], chance)


@cache
def accounts_of_seats(seats: int) -> tuple[tuple[int, tuple[str, str, str]], ...]:
    """Return each seat with its accounts: the patron's chips, what is owed, and the layout."""
    return tuple(
        (seat, (ledger.patron(seat), ledger.owed(seat), ledger.layout(seat)))
        for seat in range(1, seats + 1)
    )


class Watch:
    """Hears every command, and holds the chips of a table against its state."""

    def __init__(self) -> None:
        self.heard = 0
        self.session: TableSession | None = None

    def __call__(self, command: Command, events: Events) -> None:
        del command, events
        session = self.session
        assert session is not None
        self.heard += 1
        accounts, state = session.ledger, session.state
        assert accounts.in_balance
        on_layout = Counter[int]()
        for (seat, _), stake in state.stakes.items():
            on_layout[seat] += stake.cents
        chips = accounts.balance(ledger.CAGE) + accounts.balance(ledger.INVENTORY)
        for seat, names in accounts_of_seats(session.rules.submission.layout.seats):
            patron, held = state.seats.get(seat), [accounts.balance(name) for name in names]
            assert held == [
                patron.chips_cents if patron else 0,
                patron.owed_cents if patron else 0,
                on_layout[seat],
            ]
            chips += held[0] + held[2]
        assert chips == 0


def deal(log: Path, rules: TableRules, chance: Chance, draw: Draw) -> TableSession:
    """Deal a shoe to its end, or some rounds from a continuous device, and close the table."""
    watch = Watch()
    with recorded(log, rules, shuffle=chance.described) as writer:
        watch.session = session = TableSession(rules, watch, record=writer, clock=SteppedClock())
        pilot = Autopilot(
            session,
            chance,
            patrons=draw(st.integers(1, rules.submission.layout.seats)),
            wagering=draw(st.sampled_from([everything, something])),
            dealer_errors=draw(st.sampled_from([0, 30])),
        )
        pilot.open(rules.submission.on)
        endless = rules.elected("device", "continuous")
        pilot.play_shoe(20 if endless else None)
        assert session.state.phase is (Phase.BETTING if endless else Phase.SHOE_COMPLETED)
        pilot.close()
    assert watch.heard > session.state.rounds >= 20
    return session


def tables_of_note(law: Instrument) -> Iterator[tuple[Instrument, Rule, Value]]:
    """Yield what makes tables of a text differ most: scheme, device, game, and what is offered."""
    for rule in law.elections:
        if rule.id in {"vigorish.scheme", "device", "game", "deal.option", "shuffle.finish"}:
            yield from ((law, rule, choice) for choice in rule.choices)
        elif rule.id.endswith(".offered"):
            yield law, rule, True


OF_NOTE: Final = spread((one for law in WHOLE for one in tables_of_note(law)), 20, 30)


@pytest.mark.parametrize(
    ("law", "rule", "choice"),
    OF_NOTE,
    ids=[f"{law.key}-{rule.id}-{choice}" for law, rule, choice in OF_NOTE],
)
def test_a_shoe_is_dealt_to_its_end_and_settled_rightly_with_no_chip_made_or_lost_and_a_clean_log(
    law: Instrument, rule: Rule, choice: Value
) -> None:
    # A shoe that fails is told as it was drawn: to deal thousands of others in search of a smaller
    # one takes many minutes, and its seed says no less.
    @given(pinned(law, rule, choice), st.data())
    @drawn(max_examples=volume(2, 1, most=8), phases=[HypothesisPhase.generate])
    def dealt(tables: Tables, data: st.DataObject) -> None:
        rules = table_rules(submission_of(tables))
        chance = Chance(data.draw(st.integers(0, 2**32)))
        with TemporaryDirectory() as folder:
            log = Path(folder) / "table.jsonl"
            session = deal(log, rules, chance, data.draw)
            verdict = verify_log(log)
            found = judged(log)
        assert verdict.divergence is None
        assert verdict.rounds == session.state.rounds == found["rounds"] + found["void"]
        assert verdict.ledger.balances == session.ledger.balances
        assert session.state.phase is Phase.CLOSED
        people = ("patron", "layout", "owed")
        assert not any(
            cents for name, cents in session.ledger.balances.items() if name.startswith(people)
        )

    dealt()
