"""No refusal and no event of the table is forgotten: each is in a vector, or told why it is not."""

import re
import sys
from collections import Counter
from contextlib import nullcontext
from cProfile import Profile
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, given, settings
from msgspec.structs import replace

from croupier import acts
from croupier.acts import MysteryReplaced, StaxWon
from croupier.acts.command import TERMS
from croupier.law.model import Instrument
from croupier.law.resolve import instruments
from croupier.records.codec import COMMANDS, EVENTS
from croupier.rules import read_submission, submission_of, table_rules
from croupier.scenarios.people import SECRET
from croupier.scenarios.starts import starts
from croupier.scenarios.vectors.pack import pack
from croupier.scenarios.vectors.sites import OF_A_PIT, is_of_house, refused_at, sites
from croupier.table import Phase, Refusal
from support import massachusetts
from support.project import PLAIN, ROOT
from support.random_submissions import Tables, legal
from support.vector_sets import SETS, made, read
from support.volume import volume

every_table = pytest.mark.parametrize("submission", SETS, ids=lambda path: path.stem)

GUARDS: Final = {
    "house_money._settle: not_now", "settling._settle: not_now", "settling._clear: not_now",
}  # fmt: skip
"""Places that guard a state which no commands lead to: a phase of the round without a round."""

drawn = partial(settings, derandomize=True, deadline=None, database=None)


def of_a_table() -> set[str]:
    return {site.name for site in sites() if site.module not in OF_A_PIT} - GUARDS


# --- every place, every event -------------------------------------------------------------------


def test_every_refusal_in_the_source_is_a_place() -> None:
    folder = ROOT / "src" / "croupier" / "table"
    written: Counter[str] = Counter()
    for path in folder.rglob("*.py"):
        name = "pit" if path.parent.name == "pit" else path.stem
        if (made := calls_in(path)) and not is_of_house(name):
            written[name] += len(made)
    assert Counter(site.module for site in sites()) == written
    assert len({site.name for site in sites()}) == len(sites()) > 150


def calls_in(path: Path) -> list[str]:
    return re.findall(r"\bRefusal\(", path.read_text(encoding="utf-8"))


@every_table
def test_nothing_that_the_rules_have_room_for_is_missing(submission: Path) -> None:
    assert made(submission).gaps == ()
    refusals = read(submission, "refusals")
    missed = {one["place"] for one in refusals["not_reached"]}
    assert set(refusals["places"]) == {one["place"] for one in refusals["refusals"]}
    assert missed.isdisjoint(refusals["places"])
    assert missed | set(refusals["places"]) == {site.name for site in sites()}
    assert all(one["why"] for one in refusals["not_reached"])
    assert missed >= GUARDS


def test_the_submissions_together_reach_every_refusal() -> None:
    reached: set[str] = set()
    for submission in SETS:
        reached |= set(read(submission, "refusals")["places"])
    # At no table is the portion of a payout of House Money less than a cent, and none has a clock;
    # no submission has so small a stake that its rounded vigorish is more than it wins.
    assert of_a_table() - reached == {
        "house_money._cannot_add: portion",
        # Nobody walks away between the first four cards and the payout; a scenario has it.
        "house_money._cannot_add: walked_away",
        # No submission is under an excerpt; a test of older texts has it.
        "preparing._excerpt: excerpt",
        # No pit clerk is assigned to these tables; a test of shifts has it.
        "forms._take_over: custody",
        # Whoever sits down has a name, and whoever verifies the cards is on duty.
        "patrons._seat: nobody",
        "verifying.not_verified_by: not_on_duty",
        "election_changes._moment: time (3)",
        # No vector ends a gaming day at a table that stays open; tests of Forms have it.
        "forms._again: day_ended",
        # No submission has missing cards burned first; a scenario has each of these.
        "cutting._burn_short: card_due",
        "wagering._no_hand_left: no_hand",
        "wagering.unfit_stake: vigorish_above_win",
        # No submission has decks for one shoe, or closes its table to change them.
        "out_of_use.cards_flawed: decks_used",
        # None has its removed sets sealed in time; scenarios have it.
        "out_of_use.unsealed: unsealed",
        "timed_decks._order: not_elected",
        # Whoever comes back takes another chair; a scenario has it.
        "patrons._has_a_chair: seated",
        # Rules that only regulations outside the package have.
        "device_failure._report: damaged (2)",
        "irregular._stays_in_play: card_due",
        "together.above_limit_of_all: limit_of_all",
        "together.excluded: not_together",
        "together.differential: differential",
        # No regulation of the package has a mechanism; tests of mechanisms have it.
        "core.mechanism_failed: mechanism_failed",
    }


def test_a_payout_of_which_no_part_is_added_is_reached_too() -> None:
    tables = {
        "submission": {"law": "us-ma/minibaccarat", "on": date(2026, 11, 20), "title": "No part"},
        "elections": ELECTIONS,
        "table": {"seats": 6},
        "limits": {wager: [5, 50] for wager in ("player", "banker", "tie", "house_money")},
    }
    rules = table_rules(submission_of(tables))
    begins = starts(rules)
    stage = begins["house-money"].stage
    add = acts.SettleHouseMoney({1: "player"})
    assert refused_at(stage.state, add, rules) == "house_money._cannot_add: portion"


ELECTIONS: Final[dict[str, Any]] = {
    "vigorish.scheme": "5%", "vigorish.rounded": True, "vigorish.collection": "at-once",
    "device": "none", "decks": 6, "cut.by": "participants", "burn.exposure": "first",
    "wagers.tie.pays": "8:1", "wagers.bonus.offered": False, "wagers.royal_9.offered": False,
    "wagers.house_money.offered": True, "wagers.house_money.portion": "1/9999",
    "free_hand.allowed": False, "irregularity.disclosed_card": "discard-one",
}  # fmt: skip


def test_the_submissions_together_bring_about_every_event_and_carry_out_every_command() -> None:
    seen: set[str] = set()
    done: set[str] = set()
    for submission in SETS:
        procedures = read(submission, "procedures")
        told = [one for group in ("starts", "scenarios") for one in procedures[group]]
        steps = [step for one in told for step in one["steps"]] + procedures["acts"]
        seen |= {event["type"] for step in steps for event in step["events"]}
        done |= {step["command"]["type"] for step in steps}
    # Acts of the house are no part of the regulation, which is what the vectors hold one to.
    assert seen == {name for name, kind in EVENTS.items() if not is_of_house(kind.__module__)}
    assert done == {name for name in COMMANDS if not TERMS[name].house}


IRREGULARITIES: Final = {
    "CardDrawnInError", "CardHeld", "FaceUpCardFound", "RoundVoided", "CardDiscarded",
    "SimulatedRoundOrdered", "SimulatedRoundBegun", "TableIdle", "SpreadTurnedUp",
}  # fmt: skip


@every_table
def test_every_irregularity_is_played_or_told_why_not(submission: Path) -> None:
    procedures = read(submission, "procedures")
    played = {
        event["type"]
        for scenario in procedures["scenarios"]
        for step in scenario["steps"]
        for event in step["events"]
    }
    why = {one["event"]: one["why"] for one in procedures["not_seen"]}
    for event in IRREGULARITIES:
        assert (event in played) == (event not in why), event
    assert all(why.values())


# --- the same of any submission -----------------------------------------------------------------


@pytest.mark.parametrize(
    "law",
    [law for law in instruments() if not law.partial and "third.banker" in law.rules],
    ids=lambda law: law.key,
)
def test_whatever_is_elected_every_vector_can_be_made(law: Instrument) -> None:
    @given(legal(law))
    @drawn(max_examples=volume(1, 1, most=3), suppress_health_check=list(HealthCheck))
    def whole(tables: Tables) -> None:
        assert pack(table_rules(submission_of(tables))).gaps == ()

    whole()


def test_a_mystery_value_that_was_hit_before_is_replaced_where_it_must_be_revealed() -> None:
    """One cent is left between the seed and the limit: every value is hit at the limit itself."""
    limits = {"wagers__royal_9__stax__seed": "10.00", "wagers__royal_9__stax__must_hit_by": "10.01"}
    rules = massachusetts.ready(1, 2, **massachusetts.STAX, **limits).rules
    stage = starts(rules)["withheld"].stage.fork()
    stage.until(Phase.BETTING)
    given_up = [one for one in stage.events if isinstance(one, MysteryReplaced)]
    assert [one.secret for one in given_up] == [SECRET]
    assert not any(isinstance(one, StaxWon) for one in stage.events)


# --- a place is the right one -------------------------------------------------------------------


def test_a_refusal_is_traced_to_its_place() -> None:
    rules = table_rules(read_submission(PLAIN))
    stage = starts(rules)["betting"].stage
    for command, place in (
        (acts.DrawCard(None), "drawing._draw: no_card_due"),
        (acts.SettleWagers(), "core.not_now: not_now"),
        (acts.PlaceWager(1, "panda_8", 500), "wagering.unfit_stake: not_offered"),
        (acts.WithdrawWager(1, "tie"), "wagering._withdraw: no_wager"),
    ):
        assert isinstance(stage.fork().try_execute(command), Refusal)
        assert refused_at(stage.state, command, rules) == place


def test_the_profiler_of_the_caller_stays() -> None:
    rules = table_rules(read_submission(PLAIN))
    stage = starts(rules)["betting"].stage
    for profiler in (Profile(), None):
        with profiler or nullcontext():
            before = sys.getprofile()
            refused_at(stage.state, acts.DrawCard(None), rules)
            assert sys.getprofile() is before


def test_what_is_not_refused_has_no_place() -> None:
    rules = table_rules(read_submission(PLAIN))
    stage = starts(rules)["betting"].stage
    with pytest.raises(LookupError, match="PlaceWager"):
        refused_at(stage.state, acts.PlaceWager(1, "player", 2500), rules)


def test_decks_that_must_wait_for_a_closed_table_are_asked_for_where_royal_9_allows_few() -> None:
    royal = read_submission(ROOT / "submissions" / "ma-royal-9.toml")
    shuffled = {**royal.elections, "device": "shuffler", "decks": 12}
    assert pack(table_rules(replace(royal, elections=shuffled))).gaps == ()
