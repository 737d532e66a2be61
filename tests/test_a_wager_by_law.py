"""A wager is data, or one record: a law file adds Lucky 6, and every room knows it, with no code."""

import sys
from collections.abc import Iterator
from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest
from msgspec.structs import replace

from croupier import acts
from croupier.acts import LosingWagersCollected, WagerPaid
from croupier.baccarat.cards import Card, parse_cards
from croupier.baccarat.coup import Coup, Facts
from croupier.baccarat.wagers import WAGERS, Wager
from croupier.law.contracts import Contract, contracts
from croupier.law.faults import LawError
from croupier.law.resolve import instruments, texts_of
from croupier.law.values import Kind
from croupier.money.settlement import Stake, settle
from croupier.odds.par import par_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.records.explanation import explain_settled
from croupier.rules import Limit, TableRules, default_submission, table_rules
from croupier.simulation.bets import names_of
from croupier.table import Refusal
from croupier.table.machine.session import TableSession
from croupier.verify.rounds.file import verify_file
from support.oracles.odds import fresh
from support.par import census
from support.project import ROOT
from support.simulations import simulated
from support.table import every, only
from support.texts import NJ_MINI

LAW = "us-nj/minibaccarat"
TEXT = ROOT / "src/croupier/law/instruments/us-nj/minibaccarat@2011-02-22.toml"
LUCKY_6 = (ROOT / "tests/data/lucky_6.toml").read_text(encoding="utf-8")

SIX_ON_THREE = "2h 3d Kh Qs 2c 3h"
"""Player's Hand has four, Banker's six with three cards."""


class Shelf:
    """The law of New Jersey alone, with something added to it."""

    def __init__(self, folder: Path) -> None:
        self.file = folder / "law.toml"

    def holding(self, added: str) -> TableRules:
        """Return the default rules of the law with rules added to its text."""
        self.file.write_text(TEXT.read_text(encoding="utf-8") + added, encoding="utf-8")
        for held in (instruments, texts_of):
            held.cache_clear()
        return table_rules(default_submission(LAW, NJ_MINI))


@pytest.fixture
def shelf(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelf]:
    folder = tmp_path / "shelf"
    folder.mkdir()
    # By its name: in the package, resolve is the function.
    monkeypatch.setattr(sys.modules["croupier.law.resolve"], "_SHELVES", (folder,))
    yield Shelf(folder)
    for held in (instruments, texts_of):
        held.cache_clear()


def betting(rules: TableRules) -> TableSession:
    """A table with one patron, open for wagers."""
    session = TableSession(rules)
    for command in (
        acts.OpenTable(5_000_000, "Dana", "Flo", date(2011, 2, 22)),
        acts.SeatPatron(3, "Pat"),
        acts.BuyChips(3, 100_000),
        acts.ReceiveCards(8, preshuffled=True),
        acts.VerifyCards("Flo"),
        acts.AcceptCut(3, 120),
        acts.InsertCuttingCards(14),
        acts.LoadShoe(),
        acts.DrawCard(Card.of("As")),
        acts.DrawCard(Card.of("2s")),
    ):
        session.execute(command)
    return session


def test_a_wager_of_a_known_shape_is_offered_placed_settled_and_paid(shelf: Shelf) -> None:
    rules = shelf.holding(LUCKY_6)
    assert list(rules.offers) == ["player", "banker", "tie", "lucky_6"]
    assert rules.offers["lucky_6"].wager.title == "Lucky 6"
    session = betting(rules)
    session.execute(acts.PlaceWagers(3, {"lucky_6": 500, "player": 1_000}))
    session.execute(acts.CallNoMoreBets())
    for card in parse_cards(SIX_ON_THREE):
        session.execute(acts.DrawCard(card))
    events = session.execute(acts.SettleWagers())
    paid = only(events, WagerPaid)
    assert (paid.wager, paid.line, paid.odds, paid.cents) == ("lucky_6", "three_cards", "20:1", 10_000)  # fmt: skip
    assert paid.clauses[-2:] == ("NJ-MINI:7.2(a)9", "NJ-MINI:7.3(z)#2")
    (collected,) = every(events, LosingWagersCollected)
    assert [stake.wager for stake in collected.stakes] == ["player"]


def test_it_is_not_offered_under_the_text_without_it(shelf: Shelf) -> None:
    answer = betting(shelf.holding("")).try_execute(acts.PlaceWager(3, "lucky_6", 500))
    assert isinstance(answer, Refusal)
    assert answer.code == "not_offered"


def test_its_sheet_is_what_the_oracle_counts_and_others_have_published(shelf: Shelf) -> None:
    wagers = par_sheet(shelf.holding(LUCKY_6), ShoeComposition.of_decks(8))["wagers"]
    (lucky,) = (one for one in wagers if one["id"] == "lucky_6")
    ways = {2: 0, 3: 0}
    for coup, number in census(fresh(8)).items():
        if coup.banker == 6 and coup.margin < 0:
            ways[coup.banker_cards] += number
    total = sum(census(fresh(8)).values())
    # The published count of Banker's wins with six, out of all.
    assert (sum(ways.values()), total) == (269_232_304_455_680, 4_998_398_275_503_360)
    edge = 1 - Fraction(13 * ways[2] + 21 * ways[3], total)
    assert Fraction(lucky["house_edge"]) == edge
    assert {line["outcome"]: int(str(line["ways"])) for line in lucky["lines"]} == {
        "two_cards": ways[2],
        "three_cards": ways[3],
        "lose": total - ways[2] - ways[3],
    }
    assert set(lucky["cites"]) == {"NJ-MINI:7.2(a)9", "NJ-MINI:7.3(z)#1", "NJ-MINI:7.3(z)#2"}


def test_it_is_simulated(shelf: Shelf) -> None:
    rules = shelf.holding(LUCKY_6)
    assert names_of(rules)[-1] == "lucky_6"
    told = simulated(rules, 20_000)
    (one,) = (one for one in told.estimates if one.bet.id == "lucky_6")
    assert abs(float(one.mean - one.bet.expectation)) < 4 * one.error


@pytest.mark.parametrize(("net", "flaws"), [("100.00", []), ("60.00", [("settlement", "lucky_6", 10_000)])])  # fmt: skip
def test_external_rounds_with_it_are_verified(
    shelf: Shelf, tmp_path: Path, net: str, flaws: list[tuple[str, str, int]]
) -> None:
    rules = shelf.holding(LUCKY_6)
    path = tmp_path / "rounds.csv"
    path.write_text(
        "shoe,round,player,banker,stake:lucky_6,net:lucky_6\n"
        f"1,1,2h Kh 2c,3d Qs 3h,5.00,{net}\n"
        "1,2,8h Kd,7c Ks,5.00,-5.00\n",
        encoding="utf-8",
    )
    found = verify_file(path, rules).divergences
    assert [(one.kind, one.wager, one.expected) for one in found] == flaws


def test_it_is_explained_in_words(shelf: Shelf) -> None:
    rules = shelf.holding(LUCKY_6)
    facts = Coup.of(parse_cards(SIX_ON_THREE), rules.tableau).facts
    (one,) = settle(rules, facts, {(3, "lucky_6"): Stake(500)})
    assert explain_settled(one, facts, rules).text == (
        "Seat 3, Lucky 6 $5 pays $100 (20 to 1), for Banker has 6 with 3 cards, Player 4"
    )


@pytest.mark.parametrize(
    ("right", "wrong", "says"),
    [
        ('shape = "facts"', 'shape = "fact"', "no such shape"),
        ("banker_cards = 3", "banker_card = 3", "lines.three_cards.banker_card: no such fact"),
        ("banker_cards = 3", 'banker_cards = "3"', "write 2 or 3"),
        ('"wagers.lucky_6.pays"', '"wagers.lucky_6.paid"', "what it pays is missing"),
        ('id = "wagers.lucky_6', 'id = "wagers.extra.tie', "is a wager of the catalog"),
        ('two_cards = "12:1"', 'four_cards = "12:1"', "must pay exactly the lines"),
    ],
)  # fmt: skip
def test_a_shape_that_cannot_be_is_refused_with_its_place(
    shelf: Shelf, right: str, wrong: str, says: str
) -> None:
    assert right in LUCKY_6
    by_line = LUCKY_6.split("[rule.cites_by]")[0] if "four_cards" in wrong else LUCKY_6
    with pytest.raises(LawError, match=says):
        shelf.holding(by_line.replace(right, wrong))


# --- a wager of a new shape is one record ------------------------------------------------------


def odd_sum(facts: Facts) -> str:
    """Win where both counts add up to an odd number."""
    return "win" if (facts.player_count + facts.banker_count) % 2 else "lose"


ODD_SUM = """
[[clause]]
id = "NJ-MINI:7.2(a)9"
says = "Odd Sum wins where the counts add up to an odd number, and pays even money"
class = "A"

[[rule]]
id = "wagers.odd_sum"
kind = "procedure"
title = "The Odd Sum wager"
cites = ["NJ-MINI:7.2(a)9"]

[[rule]]
id = "wagers.odd_sum.pays"
kind = "odds"
title = "What a winning Odd Sum wager is paid"
cites = ["NJ-MINI:7.2(a)9"]
value = "1:1"
"""


def test_a_wager_of_a_new_shape_is_one_record(
    shelf: Shelf, monkeypatch: pytest.MonkeyPatch
) -> None:
    for rule_id, kind in (("wagers.odd_sum", Kind.PROCEDURE), ("wagers.odd_sum.pays", Kind.ODDS)):
        monkeypatch.setitem(contracts().rules, rule_id, Contract(kind))
    monkeypatch.setitem(WAGERS, "odd_sum", Wager("odd_sum", "Odd Sum", ("win",), odd_sum))
    rules = shelf.holding(ODD_SUM)
    (won,) = settle(rules, Facts(3, 6, 3, 3), {(1, "odd_sum"): Stake(500)})
    assert (won.won_cents, won.decision.clauses) == (500, ("NJ-MINI:7.2(a)9",))
    wagers = par_sheet(rules, ShoeComposition.of_decks(8))["wagers"]
    (sheet,) = (one for one in wagers if one["id"] == "odd_sum")
    ways = census(fresh(8))
    odd = sum(n for coup, n in ways.items() if coup.margin % 2)
    assert Fraction(sheet["house_edge"]) == 1 - Fraction(2 * odd, sum(ways.values()))


def test_limits_are_posted_for_it_like_for_any_other(shelf: Shelf) -> None:
    rules = shelf.holding(LUCKY_6)
    limits = {wager: Limit(500, 100_000) for wager in rules.offers}
    posted = table_rules(replace(rules.submission, limits=limits))
    assert posted.offers["lucky_6"].limit == Limit(500, 100_000)
