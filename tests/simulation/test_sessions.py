"""Sessions: stakes are fitted and settled as the table does, systems bet as they are written down."""

import statistics
import tomllib
from collections.abc import Callable
from fractions import Fraction
from pathlib import Path
from random import Random
from typing import Any, Final

import numba
import numpy as np
import pytest

from croupier.baccarat.cards import DECK
from croupier.baccarat.coup import Facts
from croupier.money.settlement import Stake, settle
from croupier.odds.arrays import Integers
from croupier.odds.chances import census_of
from croupier.odds.counting import parse_tags
from croupier.odds.sheet import net_cents, wager_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import (
    TableRules,
    default_submission,
    read_submission,
    submission_of,
    table_rules,
)
from croupier.simulation.plan import PAIR_CELLS, SimulationError, facts_of, plan_of
from croupier.simulation.scalar import replay_block
from croupier.simulation.sessions import marks as at
from croupier.simulation.sessions.play import SessionChunk, SessionPlan, Watch, play
from croupier.simulation.sessions.results import Histogram
from croupier.simulation.sessions.systems import (
    System,
    View,
    count_system,
    parse_ramp,
    progression,
)
from croupier.simulation.sessions.table import session_table
from support.oracles import sessions as oracle
from support.simulations import brought
from support.texts import NJ_MINI

SUBMISSIONS: Final = Path(__file__).parents[2] / "submissions"
PLAYED: Final = ("nj-minibaccarat", "nj-minibaccarat-4-percent", "nj-minibaccarat-tie-vigorish",
                 "nj-minibaccarat-six-pays-half", "nj-punto-banco-4-percent", "ny-mini-ez",
                 "ma-house-money-half", "ny-mini", "nj-minibaccarat-total-cards")  # fmt: skip


def rules_of(name: str) -> TableRules:
    return table_rules(read_submission(SUBMISSIONS / f"{name}.toml"))


def session_of(
    system: System,
    *,
    rules: TableRules | None = None,
    wagers: tuple[str, ...] = ("player",),
    shoe: ShoeComposition | None = None,
    bankroll: int = 1_000_000,
    unit: int = 2_500,
    seed: int = 7,
    shoes: int | None = 3,
    rounds: int | None = None,
    goal: int | None = None,
    chip: int = 100,
) -> SessionPlan:
    rules = rules_of("nj-minibaccarat") if rules is None else rules
    table = session_table(rules, wagers, shoe=shoe, chip_cents=chip)
    shoes = shoes if rounds is None else None
    plan = plan_of(rules, shoe=shoe)
    return SessionPlan(table, plan, system, bankroll, unit, seed, shoes, rounds, goal)


def parts_played(session: SessionPlan, sessions: int = 1) -> list[tuple[int, SessionChunk]]:
    parts: list[tuple[int, SessionChunk]] = []
    for _ in play(
        session, sessions, watch=Watch(lambda number, part: parts.append((number, part)))
    ):
        pass
    return parts


def column(
    parts: list[tuple[int, SessionChunk]], of: Callable[[SessionChunk], Integers]
) -> list[int]:
    return [int(value) for _, part in parts for value in of(part)[: part.seen]]


# --- the table -----------------------------------------------------------------------------------


@pytest.mark.parametrize("name", PLAYED)
def test_every_stake_is_settled_to_the_cent_as_the_table_settles_it(name: str) -> None:
    rules = rules_of(name)
    generator = Random(name)
    for wager, offer in rules.offers.items():
        beside = ("player",) if wager.startswith("bonus") else ()
        table = session_table(rules, (wager, *beside), chip_cents=1)
        assert table.layout.terms[at.STEP, 0] == offer.unit_cents
        for _ in range(150):
            facts = generator.choice(facts_of(PAIR_CELLS))
            stake = generator.randint(1, 100_000) * offer.unit_cents
            settled = settle(rules, facts, {(1, wager): Stake(stake)})
            assert brought(table, facts, stake) == net_cents(settled), (wager, facts, stake)


def test_banker_pays_five_percent_of_what_he_wins_in_whole_steps_of_five_cents() -> None:
    # Written down anew: of $12.35 a twentieth is 61.75 cents, and 65 are taken.
    table = session_table(rules_of("nj-minibaccarat"), ["banker"], chip_cents=5)
    won = Facts(3, 7, 3, 2)
    for stake in range(2_500, 9_000, 5):
        vigorish = -(-stake // 100) * 5
        assert brought(table, won, stake) == stake - vigorish
    assert brought(table, Facts(7, 7, 2, 2), 2_505) == 0
    assert brought(table, Facts(7, 3, 2, 3), 2_505) == -2_505


def test_another_paytable_moves_what_a_session_wins() -> None:
    for tie, wanted in (("8:1", 8), ("9:1", 9)):
        rules = table_rules(
            default_submission("us-nj/minibaccarat", NJ_MINI, wagers__tie__pays=tie)
        )
        table = session_table(rules, ["tie"])
        assert brought(table, Facts(7, 7, 2, 2), 1_000) == wanted * 1_000


@pytest.mark.parametrize("name", PLAYED)
def test_what_stakes_are_expected_to_bring_is_the_sheet_of_the_wager(name: str) -> None:
    rules = rules_of(name)
    wager = "banker"
    table = session_table(rules, [wager], chip_cents=1)
    shoe = ShoeComposition.of_decks(rules.decks_per_shoe)
    census = census_of(shoe, rules, rules.offers[wager].wager.asks)
    step = rules.offers[wager].unit_cents
    for stake in (step, 7 * step, 25_000, 33_300):
        stake -= stake % step  # noqa: PLW2901
        periods, rest = divmod(stake, int(table.layout.terms[at.PERIOD, 0]))
        row = table.expectations[0]
        expected = periods * row[0] + row[1 + rest // step]
        sheet = wager_sheet(rules, wager, census, stake_cents=stake)
        assert Fraction(expected) == sheet.expectation * stake


# --- systems -------------------------------------------------------------------------------------

MOST: Final = 40
"""Units that the table takes at most: $1,000 of $25."""

SYSTEMS: Final[dict[str, Callable[[], oracle.Progression]]] = {
    "flat": oracle.flat,
    "martingale": lambda: oracle.martingale(MOST),
    "martingale:3": lambda: oracle.martingale(MOST, 3),
    "grand-martingale": lambda: oracle.grand_martingale(MOST),
    "grand-martingale:2": lambda: oracle.grand_martingale(MOST, 2),
    "paroli": lambda: oracle.by_wins([1, 2, 4]),
    "paroli:5": lambda: oracle.by_wins([1, 2, 4, 8, 16]),
    "1-3-2-6": lambda: oracle.by_wins([1, 3, 2, 6]),
    "dalembert": lambda: oracle.dalembert(MOST),
    "fibonacci": lambda: oracle.fibonacci(MOST),
    "labouchere": lambda: oracle.labouchere(MOST, [1, 2, 3, 4]),
    "labouchere:1-1-2": lambda: oracle.labouchere(MOST, [1, 1, 2]),
    "labouchere:3": lambda: oracle.labouchere(MOST, [3]),
    "oscars-grind": lambda: oracle.oscars_grind(MOST),
}


def limited() -> TableRules:
    """Return the rules of a table that takes ``MOST`` units on Player."""
    text = (SUBMISSIONS / "nj-minibaccarat.toml").read_text(encoding="utf-8")
    data = tomllib.loads(text)
    data["limits"]["player"] = ["25", "1000"]
    return table_rules(submission_of(data))


@pytest.mark.parametrize("name", SYSTEMS)
def test_a_system_bets_as_it_is_written_down(name: str) -> None:
    session = session_of(progression(name), rules=limited(), bankroll=10**8, shoes=40)
    assert session.table.layout.terms[at.MOST, 0] == MOST * 2_500
    parts = parts_played(session)
    stakes = column(parts, lambda part: part.book.stake[:, 0])
    nets = column(parts, lambda part: part.book.net[:, 0])
    winners = column(parts, lambda part: part.rounds.winner.astype(np.int64))
    assert len(stakes) > 3_000
    system = SYSTEMS[name]()
    wanted = next(system)
    for stake, net, winner in zip(stakes, nets, winners, strict=True):
        outcome = (1, -1, 0)[winner]
        assert stake == wanted * 2_500
        assert net == outcome * stake
        wanted = system.send((outcome, stake // 2_500))


@pytest.mark.parametrize(
    ("name", "message"),
    [
        ("roulette", "the systems are"),
        ("flat:2", "takes no arguments"),
        ("martingale:0", "1 to 30"),
        ("martingale:x", "1 to 30"),
        ("labouchere:1-0", "1 to 1000"),
        ("labouchere:" + "-".join("1" * 41), "at most 40 numbers"),
    ],
)
def test_a_system_that_is_none_is_refused(name: str, message: str) -> None:
    with pytest.raises(SimulationError, match=message):
        progression(name)


# --- what a bettor sees --------------------------------------------------------------------------


def test_a_bettor_sees_what_was_shown_and_nothing_else() -> None:
    seen: list[tuple[int, int, int, list[int], list[int], int, int]] = []

    def bet(view: View, stakes: Integers, memory: Integers) -> None:
        memory[0] += 1
        assert memory[0] == view.played + 1
        seen.append(
            (int(view.shoe), int(view.round), int(view.bankroll), view.results.tolist(),
             view.seen.tolist(), int(view.unseen), int(view.net[0]))
        )  # fmt: skip
        stakes[0] = view.unit

    session = session_of(System("own", bet), shoes=20)
    parts = parts_played(session)
    book = iter(seen)
    bankroll, net, shoe_number = session.bankroll_cents, 0, 0
    for _, part in parts:
        for row in range(part.seen):
            new = row == 0 or part.rounds.shoe[row] != part.rounds.shoe[row - 1]
            if new:
                shoe_number += 1
                number, results, cards = 1, list[int](), [0] * 13
                for card in part.rounds.burned[part.rounds.shoe[row]]:
                    if card < 52:
                        cards[DECK[card].index % 13] += 1
            else:
                number += 1
            left = 416 - sum(cards)
            assert next(book) == (shoe_number, number, bankroll, results, cards, left, net)
            for card in part.rounds.cards[row]:
                if card < 52:
                    cards[DECK[card].index % 13] += 1
            results.append(int(part.rounds.winner[row]))
            net = int(part.book.net[row, 0])
            bankroll += net
            assert bankroll == part.book.bankroll[row]
    assert shoe_number == 20
    assert next(book, None) is None


@pytest.mark.parametrize(("name", "exposure"), [("ma", "first"), ("nj-minibaccarat", "all")])
def test_burned_cards_count_as_seen_only_where_they_are_shown(name: str, exposure: str) -> None:
    rules = rules_of(name)
    assert rules.elected("burn.exposure", exposure)
    ((_, part),) = parts_played(session_of(progression("flat"), rules=rules, shoes=16))
    told = replay_block(plan_of(rules), 7, 0, 16).burned
    if exposure == "first":
        # The others leave the shoe face down: to whoever counts they may be any.
        assert part.rounds.burned.tolist() == told[:, :1].tolist()
    else:
        assert part.rounds.burned.tolist() == told.tolist()
        assert (told < 52).sum(axis=1).max() == 11


def own_martingale(view: View, stakes: Integers, memory: Integers) -> None:
    if view.outcome[0] > 0:
        memory[0] = 0
    elif view.outcome[0] < 0:
        memory[0] += 1
    stakes[0] = view.unit << memory[0]
    if stakes[0] > view.most[0]:
        memory[0] = 0
        stakes[0] = view.unit


def test_plain_python_and_numba_and_the_built_in_system_play_alike() -> None:
    compiled: Any = numba.njit(own_martingale)
    books = []
    for system in (progression("martingale"), System("a", own_martingale), System("b", compiled)):
        session = session_of(system, wagers=("banker",), bankroll=300_000, shoes=5)
        (batch,) = play(session, 20)
        books.append((batch.marks.tolist(), batch.turnover.tolist(), batch.expected.tolist()))
    assert books[0] == books[1] == books[2]


def test_a_count_bets_by_the_true_count() -> None:
    tags, ramp = parse_tags("4=-1,5=-1,6=-1,7=-1,8=2,9=2"), parse_ramp("2=1,3.5=3,6=0,8=4")
    rules = rules_of("ny-mini-ez")
    session = session_of(
        count_system(tags, ramp), rules=rules, wagers=("dragon_7",), unit=500, shoes=60
    )
    bets = {0: 0, 500: 0, 1_500: 0, 2_000: 0}
    for _, part in parts_played(session):
        for row in range(part.seen):
            if row == 0 or part.rounds.shoe[row] != part.rounds.shoe[row - 1]:
                running, seen = Fraction(), 0
                gone = part.rounds.burned[part.rounds.shoe[row]]
                running += sum(tags[card % 13] for card in gone if card < 52)
                seen += int((gone < 52).sum())
            true = running * 52 / (416 - seen)
            units = 0 if true < 2 else 1 if true < 3.5 else 3 if true < 6 else 0 if true < 8 else 4
            assert part.book.stake[row, 0] == units * 500
            bets[units * 500] += 1
            gone = part.rounds.cards[row]
            running += sum(tags[card % 13] for card in gone if card < 52)
            seen += int((gone < 52).sum())
    assert all(bets.values()), bets


@pytest.mark.parametrize(
    ("ramp", "message"),
    [
        ("4", "is not a step"),
        ("4=x", "is not a step"),
        ("5=1,4=2", "lowest"),
        ("4=0", "nothing"),
        ("", "is not a step"),
    ],
)
def test_a_ramp_that_is_none_is_refused(ramp: str, message: str) -> None:
    with pytest.raises(SimulationError, match=message):
        parse_ramp(ramp)


# --- how stakes are fitted -----------------------------------------------------------------------


def stakes_made(
    wanted: list[list[int]],
    wagers: tuple[str, ...],
    rules: TableRules,
    bankroll: int,
    chip: int = 100,
) -> list[list[int]]:
    """Return what is made of stakes that are wanted, round by round."""

    def bet(view: View, stakes: Integers, _memory: Integers) -> None:
        stakes[:] = wanted[view.played]

    session = session_of(
        System("own", bet),
        rules=rules,
        wagers=wagers,
        bankroll=bankroll,
        rounds=len(wanted),
        chip=chip,
    )
    ((_, part),) = parts_played(session)
    made: list[list[int]] = part.book.stake[: part.seen].tolist()
    return made


def test_a_stake_is_fitted_to_the_limits_the_chips_and_the_bankroll() -> None:
    rules = rules_of("nj-minibaccarat")
    cases = {1: 2_500, 0: 0, -500: 0, 2_500: 2_500, 2_599: 2_500, 10_050: 10_000, 10**9: 500_000}
    made = stakes_made([[stake] for stake in cases], ("player",), rules, 10**8)
    assert made == [[stake] for stake in cases.values()]
    # All that he has, in whole chips.
    assert stakes_made([[10_000]], ("player",), rules, 7_777) == [[7_700]]
    assert stakes_made([[10_000]], ("player",), rules, 7_777, chip=500) == [[7_500]]
    # The unit of the table, where no chip is so small: a six pays Banker half of even cents here.
    half = rules_of("nj-minibaccarat-six-pays-half")
    assert stakes_made([[2_509]], ("banker",), half, 10**6, chip=1) == [[2_508]]


def test_stakes_are_made_in_their_order_from_what_is_left() -> None:
    rules = rules_of("nj-minibaccarat")
    assert stakes_made([[4_000, 4_000]], ("player", "tie"), rules, 6_000) == [[4_000, 2_000]]
    assert stakes_made([[5_800, 4_000]], ("player", "tie"), rules, 6_000) == [[5_800, 0]]


def test_whoever_has_not_enough_for_what_he_wants_is_ruined() -> None:
    rules = rules_of("nj-minibaccarat")

    def bet(view: View, stakes: Integers, _memory: Integers) -> None:
        # Once he has lost he backs Player alone, who takes $25 at least; a tie takes $5.
        stakes[view.played % 2] = 5_000

    session = session_of(System("own", bet), rules=rules, wagers=("tie", "player"), bankroll=6_000)
    for batch in play(session, 50):
        for marks in batch.marks:
            if marks[at.ENDING] == at.RUINED:
                assert marks[at.BANKROLL] < 2_500
                assert marks[at.ROUNDS] == marks[at.BETS]


def test_a_bonus_wager_stands_beside_a_wager_on_a_hand_where_the_law_wants_it_so() -> None:
    rules = rules_of("nj-minibaccarat")
    needs = rules.elected("wagers.bonus.needs_base", choice=True)
    wanted = [[1_000, 2_500], [0, 2_500], [1_000, 0]]
    made = stakes_made(wanted, ("bonus_player", "player"), rules, 10**6)
    assert needs
    # The third asks for a bonus wager alone, which cannot stand: the bettor goes home.
    assert made == [[1_000, 2_500], [0, 2_500]]
    # The hand is backed first, whatever the order, and the bonus wager has what is left.
    assert stakes_made([[9_000, 5_000]], ("bonus_player", "player"), rules, 8_000) == [
        [3_000, 5_000]
    ]
    with pytest.raises(SimulationError, match="requires a wager on Player or Banker"):
        session_table(rules, ["bonus_player"])


def test_further_wagers_stand_at_a_unit_beside_the_system() -> None:
    # More money than five shoes can lose: a bettor who is short stakes less.
    wagers = ("player", "tie")
    session = session_of(progression("martingale"), wagers=wagers, bankroll=10**9, shoes=5)
    for _, part in parts_played(session):
        assert set(part.book.stake[: part.seen, 1].tolist()) == {2_500}


@pytest.mark.parametrize(
    ("name", "wagers", "message"),
    [
        ("nj-minibaccarat", ("dragon_7",), "this table offers"),
        ("nj-minibaccarat", ("tie", "tie"), "given twice"),
        ("nj-minibaccarat", (), "no wager"),
        ("ma-royal-9", ("royal_9",), "meters"),
        ("nj-minibaccarat-total-cards", ("banker", "six_cards"), "waive"),
    ],
)
def test_wagers_that_cannot_be_are_refused(
    name: str, wagers: tuple[str, ...], message: str
) -> None:
    with pytest.raises(SimulationError, match=message):
        session_table(rules_of(name), wagers)


def test_all_that_is_wrong_with_a_session_is_told_at_once() -> None:
    with pytest.raises(SimulationError) as refused:
        session_of(progression("flat"), bankroll=100, unit=10**9, goal=50, rounds=0, shoes=None)
    assert len(refused.value.errors) == 4
    continuous = rules_of("nj-minibaccarat-continuous")
    with pytest.raises(SimulationError, match="never ends a shoe"):
        session_of(progression("flat"), rules=continuous, shoes=3)
    counting = count_system(parse_tags("9=1"), parse_ramp("1=1"))
    with pytest.raises(SimulationError, match="nothing to count"):
        session_of(counting, rules=continuous, rounds=3)


def test_the_marks_of_a_session_are_those_of_its_book() -> None:
    session = session_of(progression("labouchere"), wagers=("player", "tie"), bankroll=150_000)
    books: dict[int, list[tuple[int, int]]] = {}

    def part(number: int, one: SessionChunk) -> None:
        stakes, nets = (column[: one.seen].sum(axis=1).tolist() for column in one.book[:2])
        books.setdefault(number, []).extend(zip(stakes, nets, strict=True))

    marks = [row for batch in play(session, 60, watch=Watch(part)) for row in batch.marks.tolist()]
    for number, row in enumerate(marks):
        bankroll = peak = lowest = session.bankroll_cents
        drawdown = run = longest = 0
        for _, net in books[number]:
            bankroll += net
            peak, lowest = max(peak, bankroll), min(lowest, bankroll)
            drawdown = max(drawdown, peak - bankroll)
            run = 0 if net > 0 else run + (net < 0)
            longest = max(longest, run)
        stakes = [stake for stake, _ in books[number]]
        made = dict(zip(at.MARKS, row, strict=True))
        assert made["ending"] in {at.DEALT_OUT, at.RUINED}
        assert made | {"fitted": 0, "ending": 0} == {
            "bankroll": bankroll, "peak": peak, "lowest": lowest, "drawdown": drawdown,
            "rounds": len(stakes), "bets": sum(stake > 0 for stake in stakes),
            "won": sum(net > 0 for _, net in books[number]),
            "lost": sum(net < 0 for _, net in books[number]),
            "staked": sum(stakes), "greatest": max(stakes),
            "losing_run": run, "longest_losing_run": longest, "fitted": 0, "ending": 0,
        }  # fmt: skip
    assert {row[at.ENDING] for row in marks} == {at.DEALT_OUT, at.RUINED}


def test_the_spread_of_values_is_kept_whole() -> None:
    generator = Random(3)
    values = [generator.randint(-50, 50) for _ in range(1_000)]
    spread = Histogram()
    spread.add(values[:300])
    spread.add(values[300:])
    assert (spread.least, spread.most, spread.sum) == (min(values), max(values), sum(values))
    assert spread.mean == pytest.approx(statistics.mean(values))
    assert spread.standard_deviation == pytest.approx(statistics.stdev(values))
    ordered = sorted(values)
    for share in (0.01, 0.25, 0.5, 0.99, 1):
        assert spread.quantile(share) == ordered[round(share * 1_000) - 1]


# --- repeatable ----------------------------------------------------------------------------------


def all_marks(session: SessionPlan, sessions: int, threads: int) -> list[list[int]]:
    return [row for batch in play(session, sessions, threads) for row in batch.marks.tolist()]


def test_a_session_is_the_same_on_any_number_of_threads() -> None:
    session = session_of(progression("fibonacci"), wagers=("banker",), bankroll=200_000, shoes=10)
    alone = all_marks(session, 600, 1)
    assert len(alone) == 600
    assert all_marks(session, 600, 3) == alone
    assert all_marks(session, 250, 2) == alone[:250]
    other = session_of(
        progression("fibonacci"), wagers=("banker",), bankroll=200_000, shoes=10, seed=8
    )
    assert all_marks(other, 600, 1) != alone


def test_a_longer_session_begins_as_a_shorter_one() -> None:
    books = []
    for rounds in (500, 9_000):
        session = session_of(progression("flat"), bankroll=10**8, rounds=rounds)
        books.append(column(parts_played(session), lambda part: part.book.bankroll))
    assert [len(book) for book in books] == [500, 9_000]
    assert books[1][:500] == books[0]
    shoes = column(parts_played(session_of(progression("flat"), bankroll=10**8, shoes=60)),
                   lambda part: part.book.bankroll)  # fmt: skip
    assert books[1][: len(shoes)] == shoes[:9_000]


def test_each_part_of_each_session_is_dealt_from_a_block_of_its_own() -> None:
    session = session_of(progression("flat"), bankroll=10**8, shoes=60)
    shoes = {0: 16, 1: 32, 2: 12}
    parts = parts_played(session, 3)
    assert [number for number, _ in parts] == [0, 0, 0, 1, 1, 1, 2, 2, 2]
    for place, (number, part) in enumerate(parts):
        told = replay_block(session.plan, 7, number * 2**32 + place % 3, shoes[place % 3])
        assert part.rounds.cards.tolist() == told.cards.tolist()
    openings = [part.rounds.cards[:20].tobytes() for _, part in parts]
    assert len(set(openings)) == 9


def test_what_a_system_raises_is_told_with_its_line() -> None:
    def bet(view: View, stakes: Integers, memory: Integers) -> None:
        stakes[0] = 2_500 // memory[0] if view.played == 3 else memory[5_000]

    with pytest.raises(SimulationError, match=r"own failed: IndexError: .*line \d+ of .*sessions"):
        list(play(session_of(System("own", bet)), 1))
