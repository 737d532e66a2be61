"""Rules that other jurisdictions have and the included ones do not, each as data."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date
from fractions import Fraction
from math import ceil, floor, lcm
from pathlib import Path
from random import Random
from typing import Any

import pytest
from msgspec.structs import replace

import croupier
from croupier import acts
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Facts
from croupier.baccarat.wagers import WAGERS
from croupier.drills import DrillRoom, question
from croupier.law.elect import SubmissionError
from croupier.law.faults import LawError
from croupier.law.model import Rule
from croupier.law.resolve import resolve, substituted
from croupier.law.values import Kind, parse_value
from croupier.money.settlement import Stake, settle
from croupier.odds.par import par_sheet
from croupier.odds.rounds import rounds_of
from croupier.odds.sheet import net_cents
from croupier.odds.shoe import ShoeComposition, ShoeError
from croupier.odds.tickets import WinExpectation
from croupier.rules import (
    Limit,
    SubmissionDraft,
    TableRules,
    default_submission,
    draft_rules,
    table_rules,
)
from croupier.rules.drafting import offered_when
from croupier.scenarios import starts
from croupier.scenarios.autopilot import Autopilot
from croupier.scenarios.stage import Stage
from croupier.scenarios.vectors.answers import probes
from croupier.scenarios.vectors.reach import why_no_event, why_not
from croupier.scenarios.vectors.sites import Site
from croupier.simulation.plan import PAIR_CELLS, SimulationError, facts_of
from croupier.simulation.sessions import marks
from croupier.simulation.sessions.table import session_table
from croupier.table import Phase, Refusal
from croupier.table.cards.chance import Chance
from croupier.table.machine.session import TableSession
from croupier.table.wagering.together import above_limit_of_all
from croupier.verify.rounds.file import verify_file
from support.judged_twice import agree
from support.simulations import brought

LAW, DAY = "us-nj/minibaccarat", date(2011, 2, 22)
ROUND = "9h Kd,2c Kh,player"
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


def done(stage: Stage, command: acts.Command) -> tuple[acts.Event, ...]:
    answer = stage.try_execute(command)
    assert not isinstance(answer, Refusal), answer
    return answer


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


def test_a_limit_for_all_patrons_together(tmp_path: Path) -> None:
    with ruled({"limits.of_all_patrons": (Kind.AWARDS, {"tie": "100.00"})}) as rules:
        stage = betting(rules)
        stage.execute(acts.PlaceWager(1, "tie", 6_000))
        assert code(stage.try_execute(acts.PlaceWager(2, "tie", 5_000))) == "limit_of_all"
        stage.execute(acts.PlaceWager(2, "tie", 4_000), acts.PlaceWager(2, "player", 500_000))

        rows = ["shoe,round,player,banker,seat,wager,stake"]
        for number, second in ((1, 40), (2, 41)):
            rows += [f"1,{number},9h Kd,2c Kh,1,tie,60", f"1,{number},9h Kd,2c Kh,2,tie,{second}"]
        found = agree(tmp_path / "r.csv", "\n".join(rows).encode(), rules=rules)[0]["divergences"]
        assert [(one["kind"], one["round"]) for one in found] == [("limit", 2)]
        assert found[0]["clauses"] == list(rules.cites("limits.of_all_patrons"))

        wagers = tuple(croupier.PlacedWager(seat, "tie", 6_000) for seat in (1, 2))
        with pytest.raises(croupier.RoundError) as refused:
            croupier.settle_round(croupier.GameRules(rules), "9h 2c Kd Kh", wagers)
        assert [fault.code for fault in refused.value.faults] == ["limit_of_all"]
        croupier.settle_round(croupier.GameRules(rules), "9h 2c Kd Kh", wagers[:1])
    with ruled(
        {"limits.of_all_patrons": (Kind.AWARDS, {"tie": "100.00", "player": "50.00"})}
    ) as rules:
        refusal = above_limit_of_all(
            [("player", 5_001), ("banker", 90_000), ("tie", 10_001)], rules
        )
        assert refusal is not None
        assert refusal.message == (
            "tie: all patrons together may stake $100.00; player: all patrons together may stake "
            "$50.00"
        )


def test_vectors_say_what_a_law_keeps_away() -> None:
    """Three patrons at $30 on Banker differ by $90 from Player: not by more than $100, but than $80."""
    place = Site("together.differential: differential", "together", "differential", 0, 0)
    for maximum, is_reached in (("100.00", False), ("80.00", True)):
        changes = {
            "limits.differential": (Kind.MONEY, maximum),
            "limits.differential.between": (Kind.ORDER, ["player", "banker"]),
        }
        with ruled(changes) as rules:
            limits = dict.fromkeys(("player", "banker", "tie"), Limit(500, 3_000))
            limited = table_rules(replace(rules.submission, limits=limits))
            assert (why_not(place, limited) is None) is is_reached
    with ruled({"burn.fixed": (Kind.COUNT, 3), "shoe.hands_after_call": (Kind.COUNT, 0)}) as rules:
        assert why_no_event(acts.BurnCountedAgain, rules)
        assert why_no_event(acts.LastHandCalled, rules)
        assert why_no_event(acts.CardBurned, rules) is None


def test_vectors_try_wagers_of_the_law_and_a_shoe_that_runs_out() -> None:
    with ruled({**PAIR, "irregularity.face_up": (Kind.WORD, "in-play")}) as rules:
        # Its stake is $2.50 and no other amount.
        command = acts.PlaceWager(1, "pair", 251)
        assert command in [*probes(betting(rules))]
        assert code(betting(rules).try_execute(command)) == "limit"
        # A card found face up stays in play, so that cards leave this shoe in other ways.
        stage = starts(rules)["shoe-empty-before-round"].stage
        assert code(stage.try_execute(acts.FindShoeEmpty("Flo"))) == "counted"


def test_wagers_close_with_the_first_card() -> None:
    with ruled({"wagers.closed_at": (Kind.WORD, "first-card")}) as rules:
        stage = betting(rules)
        stage.execute(acts.PlaceWager(1, "player", 10_000), acts.CallNoMoreBets())
        stage.execute(acts.PlaceWager(2, "banker", 10_000), acts.WithdrawWager(1, "player"))
        stage.execute(
            acts.PlaceVerbalWager(1, "player", 10_000, dealer_confirms=True, supervisor="Sue")
        )
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
        assert str(rules.vigorish) == (
            "5% of Banker wager winnings, collected immediately; payments rounded "
            f"{direction} to a multiple of $0.50"
        )
        # A total of stakes brings what each of them brings, which the total does not tell.
        with pytest.raises(ShoeError, match="payments are rounded"):
            WinExpectation(rules)


def in_words(
    scheme: str, unit: str | None, chip: str | None, direction: str
) -> Callable[[str, Facts, int], Fraction]:
    """Settle by what the terms of payment say, apart from the program."""
    rounds, rate = ceil if direction == "up" else floor, Fraction(0)
    if scheme in {"5%", "4%"}:
        rate = Fraction(int(scheme[0]), 100)

    def to(amount: Fraction, multiple: str, rounded: Callable[[Fraction], int]) -> Fraction:
        cents = Fraction(multiple) * 100
        return rounded(amount / cents) * cents

    def won(wager: str, facts: Facts, stake: int) -> Fraction:
        winner = facts.winner_name.casefold()
        if winner == "tie" != wager:
            pays = scheme == "tie-25%" and wager == "banker"
            return Fraction(-stake, 4) if pays else Fraction(0)
        if winner != wager:
            return Fraction(-stake)
        win = Fraction(stake * (8 if wager == "tie" else 1))
        taken = win * rate if wager == "banker" else Fraction(0)
        taken = taken if unit is None else to(taken, unit, ceil)
        return win - taken if chip is None else to(win - taken, chip, rounds)

    return won


@pytest.mark.parametrize("scheme", ["5%", "4%", "tie-25%"])
@pytest.mark.parametrize("unit", [None, "0.25", "1.00"])
@pytest.mark.parametrize("chip", [None, "0.30", "0.50", "2.50"])
def test_the_table_and_sessions_pay_what_the_terms_of_payment_say(
    scheme: str, unit: str | None, chip: str | None
) -> None:
    chance = Random(f"{scheme} {unit} {chip}")
    direction = chance.choice(["up", "down"])
    changes: dict[str, tuple[Kind, Any]] = {}
    if chip is not None:
        changes["settlement.rounds_to"] = (Kind.MONEY, chip)
        changes["settlement.rounding"] = (Kind.WORD, direction)
    elected: dict[str, Any] = {"vigorish__scheme": scheme}
    if scheme != "tie-25%":
        elected |= {"vigorish__collection": "at-once", "vigorish__rounded": unit is not None}
        if unit is not None:
            changes[f"vigorish.{scheme[0]}_percent.rounds_to"] = (Kind.MONEY, unit)
    with ruled(changes, **elected) as rules:
        won = in_words(scheme, unit, chip, direction)
        for wager in ("player", "banker", "tie"):
            table = session_table(rules, [wager], chip_cents=25)
            step = lcm(int(table.layout.terms[marks.STEP, 0]), rules.offers[wager].unit_cents)
            for facts in chance.sample(facts_of(PAIR_CELLS), 40):
                stake = step * chance.randrange(10, 4_000)
                net = net_cents(settle(rules, facts, {(1, wager): Stake(stake)}))
                assert net == won(wager, facts, stake), (wager, facts, stake)
                assert net == brought(table, facts, stake), (wager, facts, stake)


PAIR: dict[str, tuple[Kind, Any]] = {
    "wagers.pair": (
        Kind.WAGER,
        {"shape": "facts", "title": "Pair", "lines": {"two": {"pairs": 2}, "one": {"pairs": 1}}},
    ),
    "wagers.pair.pays": (Kind.AWARDS, {"two": "100.00", "one": "12.50"}),
    "wagers.pair.stake": (Kind.MONEY, "2.50"),
    "wagers.pair.award_is": (Kind.WORD, "for-one"),
}
CHIP: dict[str, tuple[Kind, Any]] = {
    "settlement.rounds_to": (Kind.MONEY, "0.50"),
    "settlement.rounding": (Kind.WORD, "up"),
}
PRIMITIVES: dict[str, tuple[dict[str, tuple[Kind, Any]], dict[str, Any]]] = {
    "amount": (PAIR, {}),
    "chip": (CHIP, {}),
    "unit": (
        {"vigorish.5_percent.rounds_to": (Kind.MONEY, "1.00")},
        {"vigorish__collection": "at-once", "vigorish__rounded": True},
    ),
    "tie vigorish": ({}, {"vigorish__scheme": "tie-25%"}),
    "odd odds": ({"wagers.tie.pays": (Kind.ODDS, "25:3")}, {}),
    "one hand or a tie": ({"wagers.not_together": (Kind.GROUPS, [["player", "tie"]])}, {}),
    "differential": (
        {
            "limits.differential": (Kind.MONEY, "25.00"),
            "limits.differential.between": (Kind.ORDER, ["player", "banker"]),
        },
        {},
    ),
    "of all patrons": (
        {"limits.of_all_patrons": (Kind.AWARDS, {"player": "60.00", "tie": "45.00"})}, {},
    ),
    "no burn": ({"burn.fixed": (Kind.COUNT, 0)}, {}),
    "no last hand": ({"shoe.hands_after_call": (Kind.COUNT, 0)}, {}),
    "in play": ({"irregularity.face_up": (Kind.WORD, "in-play")}, {}),
    "at the first card": ({"wagers.closed_at": (Kind.WORD, "first-card")}, {}),
}  # fmt: skip
ALIKE = {"unit", "tie vigorish"}
"""Two schemes of vigorish: a table has one."""


@pytest.mark.parametrize("first", [*PRIMITIVES][:-1])
def test_two_rules_of_other_laws_heed_each_other(first: str) -> None:
    names = [*PRIMITIVES]
    for other in names[names.index(first) + 1 :]:
        if {first, other} == ALIKE:
            continue
        both = (PRIMITIVES[first], PRIMITIVES[other])
        changes = {name: rule for changed, _ in both for name, rule in changed.items()}
        elected = {name: choice for _, chosen in both for name, choice in chosen.items()}
        with ruled(changes, **elected) as rules:
            pays_alike(rules, {first, other})
            session = TableSession(rules)
            autopilot = Autopilot(session, Chance(seed=7), patrons=4, dealer_errors=200)
            autopilot.open(DAY)
            autopilot.play_shoe(3)
            assert session.state.rounds == 3, other
            assert session.ledger.in_balance


def pays_alike(rules: TableRules, names: set[str]) -> None:
    """Hold the table and sessions against the terms, in words."""
    chance = Random(str(sorted(names)))
    won = in_words(
        "tie-25%" if "tie vigorish" in names else "5%",
        "1.00" if "unit" in names else None,
        "0.50" if "chip" in names else None,
        "up",
    )
    for wager, offer in rules.offers.items():
        if wager == "tie" and "odd odds" in names:
            continue  # The oracle pays 8 to 1.
        table = session_table(rules, [wager], chip_cents=25)
        step = lcm(int(table.layout.terms[marks.STEP, 0]), offer.unit_cents)
        for facts in chance.sample(facts_of(PAIR_CELLS), 12):
            stake = step * chance.randrange(10, 4_000) if wager != "pair" else 250
            net = net_cents(settle(rules, facts, {(1, wager): Stake(stake)}))
            amounts = [-250, 1_000, 9_750]
            pairs = facts.player_pair + facts.banker_pair
            assert net == (amounts[pairs] if wager == "pair" else won(wager, facts, stake))
            assert net == brought(table, facts, stake), (names, wager, facts, stake)


def test_a_wager_pays_an_amount_on_its_fixed_stake_in_sessions() -> None:
    """A stake of $2.50 is not 250 stakes of a cent, each of which wins $12.50."""
    with ruled(PAIR) as rules:
        table = session_table(rules, ["pair"], chip_cents=50)
        assert table.layout.terms[marks.STEP, 0] == 250
        assert brought(table, Facts(8, 9, 3, 2, banker_pair=True), 250) == 1_000
        with pytest.raises(SimulationError, match=r"no stake in chips of \$1.00 is within its"):
            session_table(rules, ["pair"], chip_cents=100)


def test_an_advantage_is_looked_for_at_stakes_that_the_table_takes() -> None:
    """A quarter of $25.50 is $6.375: with vigorish on a tie, stakes are in steps of $1.00."""
    with ruled(CHIP, vigorish__scheme="tie-25%") as rules:
        limits = {wager: Limit(2_550, 10_000) for wager in ("player", "banker", "tie")}
        with pytest.raises(SubmissionError, match=r"the minimum must be a multiple of \$0.04"):
            table_rules(replace(rules.submission, limits=limits))
        limits["banker"] = Limit(2_500, 10_000)
        limited = table_rules(replace(rules.submission, limits=limits))
        assert par_sheet(limited, ShoeComposition.of_decks(8))["warnings"] == []


def test_a_sheet_is_exact_before_payments_are_rounded_and_shows_what_rounding_takes() -> None:
    """Chips of $0.30 divide no power of ten, so no round stake is paid exactly."""
    plain = par_sheet(table_rules(default_submission(LAW, DAY)), ShoeComposition.of_decks(8))
    exact_edges = {wager["id"]: wager["house_edge"] for wager in plain["wagers"]}
    changes = {
        "settlement.rounds_to": (Kind.MONEY, "0.30"),
        "settlement.rounding": (Kind.WORD, "down"),
    }
    with ruled(changes) as rules:
        sheet = par_sheet(rules, ShoeComposition.of_decks(8), stakes=(2_500, 3_000))
    wagers = {wager["id"]: wager for wager in sheet["wagers"]}
    assert {name: wager["house_edge"] for name, wager in wagers.items()} == exact_edges
    # A win of $25.00 is paid with 83 chips, $24.90, and 95% of it, $23.75, with 79, $23.70. Thirty
    # dollars are 100 chips, and 95% of them are 95.
    above = {
        (name, one["stake_cents"]): Fraction(one["house_edge"]) - Fraction(wager["house_edge"])
        for name, wager in wagers.items()
        for one in wager["rounding"]
        if name != "tie"
    }
    wins = {
        name: Fraction(
            next(line for line in wager["lines"] if line["outcome"] == "win")["probability"]
        )
        for name, wager in wagers.items()
        if name != "tie"
    }
    assert above == {
        ("player", 2_500): wins["player"] * Fraction(10, 2_500),
        ("banker", 2_500): wins["banker"] * Fraction(5, 2_500),
    }


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


def test_play_opens_without_a_burn(tmp_path: Path) -> None:
    with ruled({"burn.fixed": (Kind.COUNT, 0)}) as rules:
        found = starts(rules)
        assert "to-burn" not in found
        stage = found["to-load"].stage.fork()
        (loaded, *_) = done(stage, acts.LoadShoe())
        assert isinstance(loaded, acts.ShoeLoaded)
        assert not loaded.burns
        assert set(rules.cites("burn.fixed")) <= set(loaded.clauses)
        assert stage.state.phase is Phase.BETTING
        room = DrillRoom(rules)
        assert question(room, "burn", 7) is None
        assert all(question(room, "last-hand", seed) for seed in range(9))
        assert next(rounds_of(rules, parse_cards("9h Kd"))).drawn == 0
        assert found_in(tmp_path, rules, f"1,1,{ROUND},,") == []
        assert found_in(tmp_path, rules, f"1,1,{ROUND},2s 3d,") == [rules.burn_cites]


@pytest.mark.parametrize(("shown", "named"), [("none", 0), ("first", 1), ("all", 3)])
def test_burned_cards_may_be_shown_or_not(shown: str, named: int, tmp_path: Path) -> None:
    changes = {"burn.fixed": (Kind.COUNT, 3), "burn.exposure": (Kind.WORD, shown)}
    with ruled(changes) as rules:
        stage = starts(rules)["to-burn"].stage.fork()
        for card in parse_cards("Th 2d 9h"):
            stage.execute(acts.DrawCard(card))
        burned = [one for one in stage.events if isinstance(one, acts.CardBurned)]
        assert [one.card is not None for one in burned] == [True] * named + [False] * (3 - named)
        # The count of cards takes in what is shown.
        cards = [*parse_cards("Th 2d 9h")[:named], *[None] * (3 - named)]
        begun = next(rounds_of(rules, cards))
        assert (begun.drawn, begun.unseen.cards) == (3, 416 - named)
        assert (question(DrillRoom(rules), "burn", 7) is None) == (named == 0)
        assert found_in(tmp_path, rules, f"1,1,{ROUND},Th 2d 9h,") == []
        assert found_in(tmp_path, rules, f"1,1,{ROUND},Th 2d,") == [rules.burn_cites]


def found_in(folder: Path, rules: TableRules, *lines: str) -> list[tuple[str, ...]]:
    """Return the clauses of each divergence of procedure in external rounds."""
    path = folder / "rounds.csv"
    path.write_text("\n".join(["shoe,round,player,banker,winner,burned,marks", *lines]) + "\n")
    return [one.clauses for one in verify_file(path, rules).divergences if one.kind == "procedure"]


@pytest.mark.parametrize("card", ["9h", "Kd", "As"])
def test_a_card_found_face_up_may_be_discarded_with_one_more(card: str, tmp_path: Path) -> None:
    with ruled({"irregularity.face_up": (Kind.WORD, "discard-one")}) as rules:
        stage = starts(rules)["betting"].stage.fork()
        (found,) = done(stage, acts.FindFaceUpCard(parse_cards(card)[0]))
        assert isinstance(found, acts.FaceUpCardFound)
        under = rules.cites("irregularity.face_up_card")
        assert isinstance(found, acts.FaceUpCardFound)
        assert (found.discarded, found.to_discard, found.clauses) == (True, 1, under)
        stage.execute(acts.DrawCard(parse_cards("2c")[0]))
        assert stage.state.to_discard == 0
        marked = f"1,1,{ROUND},2d 3c 4c,face-up {card}"
        assert found_in(tmp_path, rules, marked, f"1,2,{ROUND},{card} 2c,") == []
        (cited,) = found_in(tmp_path, rules, marked, f"1,2,{ROUND},{card},")
        assert set(under) <= set(cited)


def test_a_card_found_face_up_may_stay_in_play(tmp_path: Path) -> None:
    with ruled({"irregularity.face_up": (Kind.WORD, "in-play")}) as rules:
        found = starts(rules)
        under = set(rules.cites("irregularity.face_up_card"))
        nine = parse_cards("9s")[0]
        assert isinstance(nine, Card)
        # A hand is due a card: it is dealt.
        stage = found["two-dealt"].stage.fork()
        left = stage.state.shoe.remaining
        events = done(stage, acts.FindFaceUpCard(nine))
        (dealt,) = (one for one in events if isinstance(one, acts.CardDealt))
        assert (dealt.card, dealt.source) == (nine, "irregular")
        assert under <= set(dealt.clauses)
        assert stage.state.shoe.remaining == left - 1
        # No card is due: it begins the next hand.
        stage = found["wagered"].stage.fork()
        stage.execute(acts.FindFaceUpCard(nine))
        assert stage.state.held == (nine,)
        stage.begin()
        (used, *_) = done(stage, acts.UseHeldCard())
        assert isinstance(used, acts.CardDealt)
        assert under <= set(used.clauses)
        # The burn takes it as it comes.
        stage = found["to-burn"].stage.fork()
        assert code(stage.try_execute(acts.FindFaceUpCard(nine))) == "card_due"
        asked = question(DrillRoom(rules), "irregularities", 7)
        assert asked is not None
        heard: list[acts.Event] = []
        session = TableSession(rules, lambda _, events: heard.extend(events))
        pilot = Autopilot(session, Chance(seed=5), dealer_errors=300)
        pilot.open(DAY)
        pilot.play_shoe()
        face_up = [one for one in heard if isinstance(one, acts.FaceUpCardFound)]
        assert len(face_up) > 3
        assert not any(one.discarded and one.to_discard for one in face_up)
        # Its rounds begin with the card, or have it.
        first, then = f"1,1,{ROUND},,", "1,2,9s Kd,2d Kc,player,,"
        assert found_in(tmp_path, rules, f"{first}face-up=9s", then) == []
        assert found_in(tmp_path, rules, f"{first}face-up=9h", "1,2,8s Kd,2d Kc,player,,") == []
        (clauses,) = found_in(tmp_path, rules, f"{first}face-up=9s", "1,2,8s Kd,2d Kc,player,,")
        assert under <= set(clauses)


def test_a_licensee_may_state_the_limits_of_all_patrons() -> None:
    text = resolve(LAW, on=DAY)
    rule = Rule("limits.of_all_patrons", Kind.AWARDS, "All together", CITED)
    with substituted(replace(text, rules={**text.rules, rule.id: rule})):
        given = {"limits__of_all_patrons": {"tie": "100.00"}}
        rules = table_rules(default_submission(LAW, DAY, **given))
        assert str(rules).endswith("limits.of_all_patrons = tie $100.00")
        stage = betting(rules)
        stage.execute(acts.PlaceWager(1, "tie", 6_000))
        assert code(stage.try_execute(acts.PlaceWager(2, "tie", 5_000))) == "limit_of_all"
        for wrong, reason in (({"tye": "100.00"}, "does not offer tye"),):
            with pytest.raises(SubmissionError, match=reason):
                table_rules(default_submission(LAW, DAY, limits__of_all_patrons=wrong))
        drafted = draft_rules(SubmissionDraft(resolve(LAW, on=DAY), {}, {}, {}))
        assert drafted.value("limits.of_all_patrons", dict).keys() == {"player", "banker"}
        with pytest.raises(SubmissionError, match="a choice is missing: All together"):
            table_rules(default_submission(LAW, DAY))
        few = replace(default_submission(LAW, DAY, **given), limits={"tie": Limit(20_000, 50_000)})
        with pytest.raises(SubmissionError, match="tie: all patrons may stake less than the min"):
            table_rules(few)


def test_a_licensee_elects_an_order_of_implemented_words() -> None:
    text = resolve(LAW, on=DAY)
    tender = replace(text.rules["wagers.tender"], value=None)
    with substituted(replace(text, rules={**text.rules, tender.id: tender})):
        with pytest.raises(SubmissionError, match="'gold' is not implemented: one of chips, pl"):
            table_rules(default_submission(LAW, DAY, wagers__tender=["chips", "gold"]))
        drafted = draft_rules(SubmissionDraft(resolve(LAW, on=DAY), {}, {}, {}))
        assert "plaques" in drafted.value("wagers.tender", tuple)


def test_a_draft_has_no_limits_of_a_wager_that_the_law_never_offers() -> None:
    text = resolve(LAW, on=DAY)
    hand = Rule("wagers.bonus.on", Kind.WORD, "The hand of a bonus", CITED, "player-only")
    law = replace(text, rules={**text.rules, hand.id: hand})
    assert offered_when(law, WAGERS["bonus_banker"]) is None
    assert offered_when(law, WAGERS["bonus_player"]) == {"wagers.bonus.offered": (True,)}


def test_the_first_card_cannot_decide_the_burn_unseen() -> None:
    with (
        pytest.raises(SubmissionError, match=r"burn\.exposure: no burned card is shown"),
        ruled({"burn.exposure": (Kind.WORD, "none")}),
    ):
        pass


def test_a_shoe_of_one_deck_has_every_start_of_a_larger_one() -> None:
    with ruled({"decks": (Kind.COUNT, 8)}) as rules:
        larger = [*starts(rules)]
    with ruled({"decks": (Kind.COUNT, 1)}) as rules:
        assert [*starts(rules)] == larger


def test_the_hand_of_the_cutting_card_may_be_the_last() -> None:
    with ruled({"shoe.hands_after_call": (Kind.COUNT, 0)}) as rules:
        found = starts(rules)
        stage = found["last-card-first"].stage.fork()
        stage.execute(acts.PlaceWager(1, "banker", 10_000))
        stage.play("8h 9d Kh Ks")
        assert stage.state.phase is Phase.SHOE_COMPLETED
        assert not any(isinstance(one, acts.LastHandCalled) for one in stage.events)
        assert "decks-ordered" not in found


@pytest.mark.parametrize(("decks", "hands"), [(1, 3), (8, 9)])
def test_the_shoe_of_a_start_is_completed_however_many_hands_are_left(
    decks: int, hands: int
) -> None:
    """Four hands take all eights of a deck."""
    changes = {"decks": (Kind.COUNT, decks), "shoe.hands_after_call": (Kind.COUNT, hands)}
    with ruled(changes) as rules:
        assert starts(rules)["shoe-completed"].stage.state.phase is Phase.SHOE_COMPLETED


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


@pytest.mark.parametrize(
    ("changes", "minimum", "player"),
    [
        # Each of three patrons may stake a third.
        (PRIMITIVES["of all patrons"][0], None, {1: 2_000, 2: 2_000}),
        (PRIMITIVES["differential"][0], None, {1: 833, 2: 833}),
        # Twice the minimum is above what is left, and then the minimum too.
        (
            {"limits.of_all_patrons": (Kind.AWARDS, {"player": "60.00"})},
            2_500,
            {1: 2_500, 2: 2_500},
        ),
        ({"limits.of_all_patrons": (Kind.AWARDS, {"player": "40.00"})}, 2_500, {1: 2_500}),
    ],
)
def test_starts_stay_within_the_limits_of_all_patrons(
    changes: dict[str, tuple[Kind, Any]], minimum: int | None, player: dict[int, int]
) -> None:
    with ruled(changes) as rules:
        if minimum is not None:
            limits = dict.fromkeys(rules.offers, Limit(minimum, 50_000))
            rules = table_rules(replace(rules.submission, limits=limits))  # noqa: PLW2901
        stakes = starts(rules)["wagered"].stage.state.stakes
        assert {
            seat: one.cents for (seat, name), one in stakes.items() if name == "player"
        } == player


def test_a_groups_value_must_be_lists() -> None:
    raws: list[object] = [[], ["player"], [[]], "player"]
    for raw in raws:
        with pytest.raises((ValueError, LawError)):
            parse_value(Kind.GROUPS, raw)
