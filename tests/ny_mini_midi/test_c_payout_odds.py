"""5324.21(c)(1) to (3) and (6) to (9): what winning wagers are paid."""

from typing import Any, Final

import pytest

from croupier import acts
from croupier.acts import ElectionsAdopted, WagerPaid
from croupier.baccarat.coup import Facts
from croupier.law.elect import SubmissionError
from croupier.money.settlement import Settled, Stake
from croupier.money.settlement import settle as settle_stakes
from croupier.rules import Limit, TableRules, default_submission, submission_of, table_rules
from croupier.table import Phase
from support.new_york import (
    ACKNOWLEDGED,
    DRAGON_7,
    LAW,
    PANDA_8,
    PLAYER_9_BANKER_8,
    errors_of,
    ny,
    ready,
    rules_of,
    settle,
)
from support.pits import NOON
from support.table import deal, every, only, refused, wager
from support.texts import NY_MINI_MIDI

pytestmark = pytest.mark.under("us-ny/mini-midi-baccarat@2021-06-02")

PLAYER_WINS: Final = Facts(player_count=7, banker_count=4, player_cards=2, banker_cards=3)
EQUAL: Final = Facts(player_count=7, banker_count=7, player_cards=2, banker_cards=2)
EVERY_BANKER_WIN: Final = [
    Facts(player, banker, player_cards, banker_cards)
    for banker in range(1, 10)
    for player in range(banker)
    for player_cards in (2, 3)
    for banker_cards in (2, 3)
]

# As printed: win by 9 down to 4, and a natural winner.
TABLES: Final[dict[str, dict[int | str, int]]] = {
    "A": {9: 30, 8: 10, 7: 6, 6: 4, 5: 2, 4: 1, "natural": 1},
    "B": {9: 20, 8: 8, 7: 7, 6: 4, 5: 3, 4: 1, "natural": 1},
    "C": {9: 30, 8: 10, 7: 4, 6: 4, 5: 2, 4: 2, "natural": 1},
}


def one(rules: TableRules, facts: Facts, name: str, cents: int) -> Settled:
    """One wager of seat 1, settled."""
    (settled,) = settle_stakes(rules, facts, {(1, name): Stake(cents)})
    return settled


def six_pays_half(**elections: Any) -> TableRules:
    return rules_of(
        vigorish__scheme="six-pays-half", vigorish__posting="approved sign", **elections
    )


# --- (1), (2), (3): no less than ---------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(1)")
@pytest.mark.parametrize(("odds", "won"), [("1:1", 2_500), ("11:10", 2_750), ("2:1", 5_000)])
def test_a_winning_player_wager_is_paid_even_money_or_better(odds: str, won: int) -> None:
    settled = one(rules_of(wagers__player__pays=odds), PLAYER_WINS, "player", 2_500)
    assert (settled.won_cents, settled.vigorish_cents) == (won, 0)


@pytest.mark.clause("NY-MINIMIDI:(c)(2)")
@pytest.mark.parametrize(("odds", "won"), [("8:1", 4_000), ("9:1", 4_500), ("17:2", 4_250)])
def test_a_winning_tie_bet_is_paid_eight_to_one_or_better(odds: str, won: int) -> None:
    settled = one(rules_of(wagers__tie__pays=odds), EQUAL, "tie", 500)
    assert (settled.won_cents, settled.vigorish_cents) == (won, 0)


@pytest.mark.clause("NY-MINIMIDI:(c)(3)#1")
@pytest.mark.parametrize("scheme", ["5%", "4%", "tie-25%"])
@pytest.mark.parametrize(("odds", "won"), [("1:1", 10_000), ("6:5", 12_000)])
def test_every_banker_win_is_paid_even_money_or_better(scheme: str, odds: str, won: int) -> None:
    rules = rules_of(vigorish__scheme=scheme, wagers__banker__pays=odds)
    assert {one(rules, facts, "banker", 10_000).won_cents for facts in EVERY_BANKER_WIN} == {won}


@pytest.mark.clause(
    "NY-MINIMIDI:(c)(1)", "NY-MINIMIDI:(c)(2)", "NY-MINIMIDI:(c)(3)#1", "NY-MINIMIDI:(c)(6)#1"
)
@pytest.mark.parametrize(
    ("rule", "odds", "sections"),
    [
        ("wagers.player.pays", "19:20", ["(c)(1)"]),
        ("wagers.tie.pays", "7:1", ["(c)(2)"]),
        ("wagers.tie.pays", "79:10", ["(c)(2)"]),
        ("wagers.banker.pays", "19:20", ["(c)(3)#1", "(c)(6)#1"]),
    ],
)
def test_worse_odds_than_the_laws_are_refused(rule: str, odds: str, sections: list[str]) -> None:
    detail = errors_of(**{rule.replace(".", "__"): odds})[rule]
    assert detail.clauses == ny(*sections)
    assert detail.message.startswith(f"{odds} is below the minimum of")


@pytest.mark.clause("NY-MINIMIDI:(c)(1)", "NY-MINIMIDI:(c)(2)")
def test_better_odds_are_paid_at_the_table_and_named_in_the_payment() -> None:
    session = ready(1, wagers__player__pays="11:10", wagers__tie__pays="9:1")
    paid = only(settle(session, PLAYER_9_BANKER_8, (1, "player", 1_000)), WagerPaid)
    assert (paid.odds, paid.cents) == ("11:10", 1_100)
    assert paid.clauses == ny("(i)(2)(iii)", "(b)(1)(ii)(a)", "(c)(1)")
    session.execute(acts.ClearLayout())
    paid = only(settle(session, "8h 8d Kh Ks", (1, "tie", 1_000)), WagerPaid)
    assert (paid.odds, paid.cents) == ("9:1", 9_000)
    assert paid.clauses == ny("(i)(2)(iii)", "(b)(1)(iii)", "(c)(2)")


@pytest.mark.clause("NY-MINIMIDI:(c)(1)")
def test_a_stake_whose_pay_comes_to_a_fraction_of_a_cent_is_refused_by_the_clause_of_its_odds() -> (
    None
):
    session = ready(1, wagers__player__pays="11:10")
    refusal = refused(session, acts.PlaceWager(1, "player", 1_005), "fraction_of_a_cent")
    assert refusal.clauses == ny("(c)(1)")


# --- (6): without vigorish, six pays half ------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(6)#1")
def test_without_vigorish_banker_is_paid_even_money_and_half_with_a_six() -> None:
    rules = six_pays_half()
    for facts in EVERY_BANKER_WIN:
        settled = one(rules, facts, "banker", 10_000)
        assert settled.won_cents == (5_000 if facts.banker_count == 6 else 10_000)
        assert settled.vigorish_cents == 0
        assert settled.decision.clauses == ny("(b)(1)(i)(a)", "(c)(6)#1")


@pytest.mark.clause("NY-MINIMIDI:(c)(6)#1")
def test_a_six_may_pay_better_than_half_and_no_worse() -> None:
    rules = six_pays_half(wagers__banker__pays_on_six="2:3")
    with_six = Facts(player_count=5, banker_count=6, player_cards=3, banker_cards=3)
    assert one(rules, with_six, "banker", 3_000).won_cents == 2_000
    detail = errors_of(
        vigorish__scheme="six-pays-half",
        vigorish__posting="approved sign",
        wagers__banker__pays_on_six="2:5",
    )["wagers.banker.pays_on_six"]
    assert detail.clauses == ny("(c)(6)#1")
    assert detail.message == "2:5 is below the minimum of 1:2"


@pytest.mark.clause("NY-MINIMIDI:(c)(6)#1")
def test_half_of_an_odd_number_of_cents_cannot_be_paid() -> None:
    session = ready(1, vigorish__scheme="six-pays-half", vigorish__posting="approved sign")
    refusal = refused(session, acts.PlaceWager(1, "banker", 1_001), "fraction_of_a_cent")
    assert refusal.clauses == ny("(c)(6)#1")


@pytest.mark.clause("NY-MINIMIDI:(c)(6)#1")
def test_with_vigorish_a_six_has_no_odds_of_its_own() -> None:
    detail = errors_of(wagers__banker__pays_on_six="1:2")["wagers.banker.pays_on_six"]
    assert detail.clauses == ny("(c)(6)#1")
    assert "requires vigorish.scheme = six-pays-half" in detail.message


@pytest.mark.clause("NY-MINIMIDI:(c)(6)#2")
def test_the_variation_without_vigorish_tells_how_it_is_posted() -> None:
    detail = errors_of(vigorish__scheme="six-pays-half")["vigorish.posting"]
    assert detail.clauses == ny("(c)(6)#2")
    assert detail.message.startswith("a choice is missing: How the variation without vigorish")
    assert six_pays_half().value("vigorish.posting", str) == "approved sign"
    # Elsewhere there is no such notice to post.
    detail = errors_of(vigorish__posting="approved sign")["vigorish.posting"]
    assert detail.clauses == ny("(c)(6)#2")


# --- (7): the pay tables of the bonus ----------------------------------------------------------


def hands(line: int | str) -> Facts:
    """A Player's Hand that wins so."""
    if line == "natural":
        return Facts(player_count=8, banker_count=7, player_cards=2, banker_cards=2)
    return Facts(player_count=9, banker_count=9 - int(line), player_cards=3, banker_cards=3)


@pytest.mark.clause(
    "NY-MINIMIDI:(c)(7)#1",
    "NY-MINIMIDI:(c)(7)_Paytable_A",
    "NY-MINIMIDI:(c)(7)_Paytable_B",
    "NY-MINIMIDI:(c)(7)_Paytable_C",
)
@pytest.mark.parametrize("on", ["either-hand", "player-only"])
@pytest.mark.parametrize("letter", TABLES)
def test_a_winning_bonus_is_paid_by_the_table_elected(letter: str, on: str) -> None:
    rules = rules_of(
        wagers__bonus__offered=True, wagers__bonus__paytable=letter, wagers__bonus__on=on
    )
    for line, pays in TABLES[letter].items():
        settled = one(rules, hands(line), "bonus_player", 500)
        assert settled.won_cents == 500 * pays, (letter, line)
        assert settled.decision.clauses[1:] == ny("(c)(7)#1", f"(c)(7)_Paytable_{letter}")


@pytest.mark.clause(
    "NY-MINIMIDI:(c)(7)_Paytable_A",
    "NY-MINIMIDI:(c)(7)_Paytable_B",
    "NY-MINIMIDI:(c)(7)_Paytable_C",
)
@pytest.mark.parametrize("letter", TABLES)
def test_a_natural_winner_by_nine_is_paid_as_a_natural_and_a_natural_tie_is_a_push(
    letter: str,
) -> None:
    rules = rules_of(wagers__bonus__offered=True, wagers__bonus__paytable=letter)
    by_nine = Facts(player_count=9, banker_count=0, player_cards=2, banker_cards=2)
    assert one(rules, by_nine, "bonus_player", 500).won_cents == 500
    tied = Facts(player_count=8, banker_count=8, player_cards=2, banker_cards=2)
    settled = one(rules, tied, "bonus_player", 500)
    assert (settled.decision.outcome.value, settled.won_cents) == ("push", 0)


def written(letter: str, **lines: str) -> dict[str, str]:
    """A table as a submission writes it out, with some lines otherwise."""
    odds = {
        (f"win_by_{line}" if isinstance(line, int) else line): f"{pays}:1"
        for line, pays in TABLES[letter].items()
    }
    return odds | lines


@pytest.mark.clause("NY-MINIMIDI:(c)(7)#1")
@pytest.mark.parametrize("letter", TABLES)
def test_a_table_written_out_is_taken_where_it_is_one_of_the_three(letter: str) -> None:
    rules = rules_of(wagers__bonus__offered=True, wagers__bonus__paytable=written(letter))
    lettered = rules_of(wagers__bonus__offered=True, wagers__bonus__paytable=letter)
    assert rules.sha256 == lettered.sha256


@pytest.mark.clause("NY-MINIMIDI:(c)(7)#1")
@pytest.mark.parametrize(
    "table",
    [
        pytest.param("D", id="no such letter"),
        pytest.param(written("A", win_by_9="31:1"), id="better"),
        pytest.param(written("A", win_by_5="1:1"), id="worse"),
        pytest.param(written("A", win_by_7="7:1", win_by_5="3:1"), id="of two tables"),
    ],
)
def test_no_other_table_is_taken_neither_better_nor_worse(table: str | dict[str, str]) -> None:
    detail = errors_of(wagers__bonus__offered=True, wagers__bonus__paytable=table)[
        "wagers.bonus.paytable"
    ]
    assert detail.clauses == ny("(c)(7)#1")
    assert "one of the tables A, B, C" in detail.message


@pytest.mark.clause("NY-MINIMIDI:(c)(7)#2")
def test_the_pay_table_changes_after_a_round_once_the_commission_has_notice() -> None:
    session = ready(1, wagers__bonus__offered=True, wagers__bonus__paytable="A")
    to_b = acts.AdoptElections({"wagers.bonus.paytable": "B"})
    wager(session, (1, "bonus_player", 500))
    refused(session, to_b, "wagers")
    # Player's nine against nothing, with three cards: thirty to one, by the table as it stood.
    deal(session, "4h Td Kh Ks 5c")
    refused(session, to_b, "not_now")
    deal(session, "Kc")
    refused(session, to_b, "not_now")
    assert [one.cents for one in every(session.execute(acts.SettleWagers()), WagerPaid)] == [15_000]
    refused(session, to_b, "not_now")
    session.execute(acts.ClearLayout())

    session.execute(acts.RecordNotice(to_b.elections, "patrons", NOON))
    assert refused(session, to_b, "notice").clauses == ny("(c)(7)#2")
    session.execute(acts.RecordNotice(to_b.elections, "commission", NOON))
    changed = only(session.execute(to_b), ElectionsAdopted)
    assert changed.clauses == ny("(c)(7)#1", "(c)(7)_Paytable_B", "(c)(7)#2")
    assert session.state.phase is Phase.BETTING
    paid = only(settle(session, "4h Td Kh Ks 5c Kc", (1, "bonus_player", 500)), WagerPaid)
    assert (paid.odds, paid.cents) == ("20:1", 10_000)


# --- (8) and (9): the insurance wagers ---------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(8)")
@pytest.mark.parametrize(("odds", "won"), [("40:1", 20_000), ("45:1", 22_500)])
def test_dragon_7_insurance_is_paid_forty_to_one_or_better(odds: str, won: int) -> None:
    session = ready(1, vigorish__scheme="dragon-7", wagers__dragon_7__pays=odds)
    paid = only(settle(session, DRAGON_7, (1, "dragon_7", 500)), WagerPaid)
    assert (paid.odds, paid.cents) == (odds, won)
    assert paid.clauses == ny("(i)(2)#2", "(b)(1)(v)(a)", "(c)(8)")


@pytest.mark.clause("NY-MINIMIDI:(c)(8)")
def test_less_than_forty_to_one_is_refused() -> None:
    detail = errors_of(vigorish__scheme="dragon-7", wagers__dragon_7__pays="39:1")[
        "wagers.dragon_7.pays"
    ]
    assert detail.clauses == ny("(c)(8)")


@pytest.mark.clause("NY-MINIMIDI:(c)(9)")
def test_panda_8_insurance_is_paid_twenty_five_to_one_exactly() -> None:
    session = ready(1, vigorish__scheme="dragon-7")
    paid = only(settle(session, PANDA_8, (1, "panda_8", 500)), WagerPaid)
    assert (paid.odds, paid.cents) == ("25:1", 12_500)
    assert paid.clauses == ny("(i)(2)#2", "(b)(1)(vi)(a)", "(c)(9)")
    for odds in ("25:1", "26:1", "24:1"):
        detail = errors_of(vigorish__scheme="dragon-7", wagers__panda_8__pays=odds)[
            "wagers.panda_8.pays"
        ]
        assert detail.clauses == ny("(c)(9)")


# --- a submission as it is written -------------------------------------------------------------


@pytest.mark.clause("NY-MINIMIDI:(c)(7)#1", "NY-MINIMIDI:(c)(9)")
def test_a_submission_names_the_table_by_its_letter_and_limits_each_wager() -> None:
    plain = default_submission(
        LAW,
        NY_MINI_MIDI,
        vigorish__scheme="dragon-7",
        wagers__bonus__offered=True,
        wagers__bonus__paytable="C",
    )
    names = ("player", "banker", "tie", "dragon_7", "panda_8", "bonus_player", "bonus_banker")
    tables: dict[str, Any] = {
        "submission": {"law": LAW, "on": plain.on, "title": "EZ with the bonus"},
        "elections": dict(plain.elections),
        "interpretations": ACKNOWLEDGED,
        "limits": {name: [5, 500] for name in names},
    }
    rules = table_rules(submission_of(tables))
    assert rules.offers["panda_8"].limit == Limit(500, 50_000)
    assert one(rules, hands(4), "bonus_player", 500).won_cents == 1_000
    del tables["limits"]["panda_8"]
    with pytest.raises(SubmissionError, match="the minimum and maximum are missing"):
        table_rules(submission_of(tables))
