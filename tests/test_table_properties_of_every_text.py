"""What holds at every table holds under every whole text: elections drawn at random, and commands."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule
from msgspec.structs import replace

import test_table_properties as properties
from croupier import acts
from croupier.acts import CardBurned, Command, Event, PointCountAnnounced
from croupier.law.resolve import instruments
from croupier.money.stax import commitment_to
from croupier.rules import TableRules, submission_of, table_rules
from croupier.table import Action, Phase, Refusal, decide
from croupier.table.cards.cutting import burned_unseen
from croupier.table.cards.mixing import step_due
from croupier.table.machine.session import TableSession
from support.massachusetts import MASSACHUSETTS
from support.punto_banco import PUNTO_BANCO
from support.random_submissions import legal
from support.volume import volume

OPENED: Final = datetime(2026, 11, 20, 12, tzinfo=UTC)
SECRET: Final = "5e" * 32
ROYAL_9_CENTS: Final = 500
DEEP: Final = 60
"""Where the stack is cut: more than one deck in from either end, as some texts want it."""


class Table(properties.Table):
    """A table of any text, with a real shuffled shoe beside it."""

    def __init__(self, rules: TableRules, seed: int) -> None:
        self.session = TableSession(rules)
        self.chance = random.Random(seed)
        self.shoe = []
        self.events = []
        opening = acts.OpenTable(10**12, "Dana", "Flo", rules.submission.on)
        self.events += self.session.execute(opening)
        if rules.applies("forms.prepared"):
            self.execute(acts.ReceiveForms("Clem", 1, 1_000_000))
        if rules.applies("decks.change"):
            self.execute(acts.RecordTime(OPENED))

    def suitable(self, action: Action) -> Command:
        """The command that carries out an action that must be done."""
        state, rules = self.session.state, self.session.rules
        seat = action.seat or 0
        match action.command:
            case acts.PerformShuffleStep:
                return acts.PerformShuffleStep(step_due(state, rules) or "")
            case acts.AcceptCut:
                return acts.AcceptCut(seat, DEEP)
            case acts.CutStack:
                return acts.CutStack(DEEP)
            case acts.ShuffleCards if rules.applies("shuffle.three_dealers"):
                return acts.ShuffleCards(f"Dealer {len(state.shuffled_by) + 1}")
            case acts.AcceptShoe:
                return acts.AcceptShoe(seat, designate_dealer=self.chance.random() < 0.5)
            case acts.SettleHouseMoney:
                return acts.SettleHouseMoney({})
            case acts.CommitMystery:
                return acts.CommitMystery(commitment_to(SECRET))
            case acts.EndProgressiveRound:
                revealed = acts.EndProgressiveRound(SECRET)
                hit = not isinstance(decide(state, revealed, rules), Refusal)
                return revealed if hit else acts.EndProgressiveRound()
            case acts.DrawCard if burned_unseen(state, rules):
                return acts.DrawCard(None)
        return super().suitable(action)

    def _follow(self, event: Event) -> None:
        if isinstance(event, CardBurned) and event.card is None:
            self.shoe.pop()
        else:
            super()._follow(event)


class MachineOfEveryText(properties.TableMachine):
    """A table of any whole text, at which all is done that can be, in any order."""

    @initialize(
        elections=st.sampled_from([law for law in instruments() if not law.partial]).flatmap(legal),
        seed=st.integers(0, 2**16),
        seats=st.sets(st.sampled_from(properties.SEATS), max_size=4),
        steps=st.integers(0, 40),
    )
    def open(self, elections: Any, seed: int, seats: set[int], steps: int) -> None:
        # Without limits, so that any stake may be tried.
        submission = replace(submission_of(elections), limits=None)
        self.table = Table(table_rules(submission), seed)
        for seat in sorted(seats):
            self.sit_down(seat)
        self.carry_on(steps)

    @rule(steps=st.integers(0, 12))
    def everybody_wagers_on_everything(self, steps: int) -> None:
        """Go on to the next wagers, so that each wager's own procedure is come to."""
        table = self.table
        for _ in range(100):
            if table.session.state.phase is Phase.BETTING or not table.musts():
                break
            table.go_on()
        for seat in table.session.state.seats:
            for wager in table.session.rules.offers:
                cents = ROYAL_9_CENTS if wager == "royal_9" else 10_000
                table.try_execute(acts.PlaceWager(seat, wager, cents))
        self.carry_on(steps)


TestTableOfEveryText = pytest.mark.filterwarnings("error")(MachineOfEveryText.TestCase)
TestTableOfEveryText.settings = settings(
    max_examples=volume(75, 15, most=300),
    stateful_step_count=40,
    derandomize=True,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)


# --- what must be done is done with all that it needs ------------------------------------------


def at_wagers(rules: TableRules) -> Table:
    """A table with two patrons and their chips, open for wagers."""
    table = Table(rules, seed=1)
    for seat in (1, 2):
        table.execute(acts.SeatPatron(seat, f"Patron {seat}"))
        table.execute(acts.BuyChips(seat, 1_000_000))
    while table.session.state.phase is not Phase.BETTING:
        table.go_on()
    return table


@pytest.mark.under("us-ma/minibaccarat@2026-11-20")
@pytest.mark.clause("MA-MINI:3(c)")
def test_decks_received_after_others_were_taken_off_the_table_are_named() -> None:
    table = at_wagers(MASSACHUSETTS.rules())
    for _ in range(2):
        table.execute(acts.RemoveCards())
        (unnamed,) = (one for one in table.session.legal() if one.must)
        assert unnamed.command is acts.ReceiveCards
        decks = table.session.rules.value("decks", int)
        refusal = table.try_execute(acts.ReceiveCards(decks))
        assert isinstance(refusal, Refusal)
        assert refusal.code == "decks_unnamed"
        while table.session.state.phase is not Phase.BETTING:
            table.go_on()


@pytest.mark.under("us-nj/punto-banco@2011-02-22")
@pytest.mark.clause("NJ-PB:3.7(d)1#2")
def test_a_hand_of_a_patron_who_has_walked_away_is_recalled_where_no_right_passes_on() -> None:
    table = at_wagers(PUNTO_BANCO.rules(deal__option="hand-over"))
    table.execute(acts.PlaceWager(1, "player", 10_000))
    table.execute(acts.PlaceWager(2, "banker", 10_000))
    while table.session.state.round is None or not table.session.state.round.down:
        table.go_on()
    table.execute(acts.LeaveTable(1))
    (recalled,) = table.musts()
    assert isinstance(recalled, acts.RecallHand)
    assert isinstance(table.execute(recalled)[-1], PointCountAnnounced)
