"""Rules that other jurisdictions have and the included ones do not, each as data."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from typing import Any

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.baccarat.cards import parse_cards
from croupier.drills import DrillRoom, question
from croupier.law.elect import SubmissionError
from croupier.law.faults import LawError
from croupier.law.model import Rule
from croupier.law.resolve import resolve, substituted
from croupier.law.values import Kind, parse_value
from croupier.rules import TableRules, default_submission, table_rules
from croupier.scenarios import starts
from croupier.scenarios.autopilot import Autopilot
from croupier.scenarios.stage import Stage
from croupier.table import Phase, Refusal
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession

LAW, DAY = "us-nj/minibaccarat", date(2011, 2, 22)
CITED = ("NJ-MINI:7.2(a)#1",)


@contextmanager
def ruled(changes: dict[str, tuple[Kind, Any]], **elected: Any) -> Iterator[TableRules]:
    """Give the rules of New Jersey with rules added or replaced."""
    text = resolve(LAW, on=DAY)
    cited = (next(iter(text.clauses)),)
    added = {
        name: Rule(name, kind, name, cited, parse_value(kind, raw))
        for name, (kind, raw) in changes.items()
    }
    with substituted(replace(text, rules={**text.rules, **added})):
        yield table_rules(default_submission(LAW, DAY, **elected))


def betting(rules: TableRules, seats: int = 3) -> Stage:
    stage = Stage(rules)
    stage.execute(acts.OpenTable(100_000_000, "Ida", "Ned", DAY))
    for seat in range(1, seats + 1):
        stage.execute(acts.SeatPatron(seat, f"P{seat}"), acts.BuyChips(seat, 10_000_000))
    stage.until(Phase.BETTING)
    return stage


def code(answer: object) -> str:
    assert isinstance(answer, Refusal), answer
    assert answer.clauses
    return answer.code


def test_wagers_that_exclude_one_another() -> None:
    with ruled({"wagers.not_together": (Kind.GROUPS, [["player", "banker"]])}) as rules:
        stage = betting(rules)
        both = {"player": 10_000, "banker": 10_000}
        assert code(stage.try_execute(acts.PlaceWagers(1, both))) == "not_together"
        stage.execute(acts.PlaceWagers(1, {"player": 10_000, "tie": 5_000}))
        assert code(stage.try_execute(acts.PlaceWager(1, "banker", 10_000))) == "not_together"
        stage.execute(acts.PlaceWagers(2, {"banker": 10_000}))
        stage.execute(acts.WithdrawWager(1, "player"), acts.PlaceWager(1, "banker", 10_000))


def test_the_differential_between_two_wagers() -> None:
    changes = {
        "limits.differential": (Kind.MONEY, "500.00"),
        "limits.differential.between": (Kind.ORDER, ["player", "banker"]),
    }
    with ruled(changes) as rules:
        stage = betting(rules)
        stage.execute(acts.PlaceWager(1, "banker", 40_000))
        assert code(stage.try_execute(acts.PlaceWager(2, "banker", 20_000))) == "differential"
        stage.execute(acts.PlaceWager(3, "player", 80_000))
        # Now the other side is larger by $400: no more than $100 are left on it.
        assert code(stage.try_execute(acts.PlaceWager(3, "player", 20_000))) == "differential"
        stage.execute(acts.WithdrawWager(1, "banker"))
        # Only Player is left, with $800: nothing may be dealt, and a smaller difference is taken.
        assert code(stage.try_execute(acts.CallNoMoreBets())) == "differential"
        stage.execute(acts.PlaceWager(2, "banker", 20_000))
        assert code(stage.try_execute(acts.CallNoMoreBets())) == "differential"
        stage.execute(acts.PlaceWager(2, "banker", 10_000), acts.CallNoMoreBets())


def test_a_limit_for_all_patrons_together() -> None:
    with ruled({"limits.of_all_patrons": (Kind.AWARDS, {"tie": "100.00"})}) as rules:
        stage = betting(rules)
        stage.execute(acts.PlaceWager(1, "tie", 6_000))
        assert code(stage.try_execute(acts.PlaceWager(2, "tie", 5_000))) == "limit_of_all"
        stage.execute(acts.PlaceWager(2, "tie", 4_000), acts.PlaceWager(2, "player", 500_000))


def test_wagers_close_with_the_first_card() -> None:
    with ruled({"wagers.closed_at": (Kind.WORD, "first-card")}) as rules:
        stage = betting(rules)
        stage.execute(acts.PlaceWager(1, "player", 10_000), acts.CallNoMoreBets())
        stage.execute(acts.PlaceWager(2, "banker", 10_000), acts.WithdrawWager(1, "player"))
        stage.execute(acts.DrawCard(parse_cards("9h")[0]))
        assert code(stage.try_execute(acts.PlaceWager(1, "tie", 10_000))) == "no_more_bets"
        assert code(stage.try_execute(acts.WithdrawWager(2, "banker"))) == "no_more_bets"


@pytest.mark.parametrize(
    ("direction", "stake", "net"),
    # Five per cent of $25.50 is $1.275: $24.225 are paid, in chips of $0.50.
    [("up", 2_550, 2_450), ("down", 2_550, 2_400), ("up", 2_000, 1_900), ("down", 2_000, 1_900)],
)
def test_payments_are_rounded_to_the_smallest_chip(direction: str, stake: int, net: int) -> None:
    changes = {
        "settlement.rounds_to": (Kind.MONEY, "0.50"),
        "settlement.rounding": (Kind.WORD, direction),
    }
    with ruled(changes, vigorish__collection="at-once") as rules:
        stage = betting(rules)
        before = stage.state.seats[1].chips_cents
        stage.execute(acts.PlaceWager(1, "banker", stake))
        stage.play("2h 9d Kh Ks")
        assert stage.state.seats[1].chips_cents - before == net


def test_a_commission_of_any_rate() -> None:
    text = resolve(LAW, on=DAY)
    scheme = text.rules["vigorish.scheme"]
    open_to = replace(scheme, choices=(*scheme.choices, "commission"))
    applies = {
        name: replace(
            rule,
            applies_when={
                **rule.applies_when, "vigorish.scheme": (*named, "commission")
            },
        )
        for name, rule in text.rules.items()
        if "5%" in (named := rule.applies_when.get("vigorish.scheme", ())) and "percent" not in name
    }  # fmt: skip
    commission = Rule(
        "vigorish.commission", Kind.RATE, "Commission", scheme.cites, parse_value(Kind.RATE, "3%"),
        applies_when={"vigorish.scheme": ("commission",)},
    )  # fmt: skip
    rules = {**text.rules, **applies, "vigorish.scheme": open_to, "vigorish.commission": commission}
    with substituted(replace(text, rules=rules)):
        chosen = {"vigorish__scheme": "commission", "vigorish__collection": "at-once"}
        stage = betting(table_rules(default_submission(LAW, DAY, **chosen)))
        before = stage.state.seats[2].chips_cents
        stage.execute(acts.PlaceWager(2, "banker", 10_000))
        stage.play("2h 9d Kh Ks")
        assert stage.state.seats[2].chips_cents - before == 9_700


@pytest.mark.parametrize("number", [1, 4])
def test_a_fixed_number_of_cards_is_burned(number: int) -> None:
    with ruled({"burn.fixed": (Kind.COUNT, number)}) as rules:
        stage = Stage(rules)
        stage.execute(acts.OpenTable(100_000_000, "Ida", "Ned", DAY), acts.SeatPatron(1, "P"))
        stage.until(Phase.TO_BURN)
        # The first card, a ten, would have ten others burned.
        for card in parse_cards("Th 2d 9h Ks")[:number]:
            stage.execute(acts.DrawCard(card))
        assert stage.state.phase is Phase.BETTING
        burned = [one for one in stage.events if isinstance(one, acts.CardBurned)]
        assert len(burned) == number


def test_the_hand_of_the_cutting_card_may_be_the_last() -> None:
    with ruled({"shoe.hands_after_call": (Kind.COUNT, 0)}) as rules:
        found = starts(rules)
        stage = found["last-card-first"].stage.fork()
        stage.execute(acts.PlaceWager(1, "banker", 10_000))
        stage.play("8h 9d Kh Ks")
        assert stage.state.phase is Phase.SHOE_COMPLETED
        assert not any(isinstance(one, acts.LastHandCalled) for one in stage.events)
        assert "decks-ordered" not in found


@pytest.mark.parametrize("number", [1, 3, 8])
def test_the_cutting_card_of_a_start_comes_out_within_its_round(number: int) -> None:
    with ruled({"burn.fixed": (Kind.COUNT, number)}) as rules:
        events = tuple(starts(rules)["last-hand"].stage.events)
        names = [type(one).__name__ for one in events]
        assert names.index("CardDealt") < names.index("CuttingCardAppeared")


def test_a_shoe_has_room_for_the_burn_of_the_law() -> None:
    with ruled({"burn.fixed": (Kind.COUNT, 410)}, decks=8) as rules:
        assert rules.decks_per_shoe == 8
    with (
        pytest.raises(SubmissionError, match=r"416 cards has no room for burn\.fixed = 411"),
        ruled({"burn.fixed": (Kind.COUNT, 411)}, decks=8),
    ):
        pass


@pytest.mark.parametrize("rule_id", ["cut.from_ends", "cut.cutting_card_from_back"])
def test_a_shoe_has_room_for_the_cut_of_the_law(rule_id: str) -> None:
    text = resolve(LAW, on=DAY)
    rule = replace(text.rules[rule_id], at_least=416)
    with (
        substituted(replace(text, rules={**text.rules, rule_id: rule})),
        pytest.raises(SubmissionError, match=f"416 cards has no room for {rule_id} = 416"),
    ):
        table_rules(default_submission(LAW, DAY, decks=8))


@pytest.mark.parametrize("letter", ["D", "S"])
def test_drills_and_starts_follow_a_drawing_table_of_one_letter(letter: str) -> None:
    player = (Kind.TABLE, {str(count): letter for count in range(10)})
    banker = (Kind.TABLE, {str(count): letter * 11 for count in range(10)})
    with ruled({"third.player": player, "third.banker": banker}) as rules:
        room = DrillRoom(rules)
        assert ("banker-draws" in room.starts) is (letter == "D")
        assert question(room, "third-card", 7, level=1)
        assert question(room, "third-card", 7, level=3) is None


def test_starts_and_the_autopilot_stake_what_odd_odds_can_pay() -> None:
    with ruled({"wagers.tie.pays": (Kind.ODDS, "25:3")}) as rules:
        assert starts(rules)["wagered"].stage.state.stakes[1, "tie"].cents % 3 == 0
        session = TableSession(rules)
        autopilot = Autopilot(session, Chance(seed=7))
        autopilot.open(DAY)
        autopilot.play_shoe(5)
        assert session.state.rounds == 5


def test_a_groups_value_must_be_lists() -> None:
    raws: list[object] = [[], ["player"], [[]], "player"]
    for raw in raws:
        with pytest.raises((ValueError, LawError)):
            parse_value(Kind.GROUPS, raw)
