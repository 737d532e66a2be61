"""Wagers on cards in simulations and sessions: rounds told card by card, and the exact edges."""

import csv
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

import pytest
from click.testing import CliRunner

from croupier.baccarat.cards import DECK
from croupier.baccarat.coup import CARD_VALUE
from croupier.cli import main
from croupier.odds.custom_wagers import read_wager
from croupier.rules import default_submission, table_rules
from croupier.simulation.plan import WHOLE, plan_of
from croupier.simulation.scalar import NO_CARD, ScalarEngine, replay_block
from croupier.simulation.shoes import tallied_shoes
from support.project import ROOT
from support.texts import NJ_MINI
from support.volume import spread

FOLDER = ROOT / "docs" / "examples" / "side-bets"
TABLE = ("--law", "us-nj/minibaccarat@2011-02-22")
PLAIN = table_rules(default_submission("us-nj/minibaccarat", NJ_MINI))

Hand = Sequence[str]


def run(status: int, *arguments: object) -> str:
    done = CliRunner().invoke(main, [str(one) for one in arguments])
    assert done.exit_code == status, done.output
    return done.output


def own(*names: str) -> list[object]:
    return [word for name in names for word in ("--own", FOLDER / f"{name}.toml")]


def perfect_pair(player: Hand, banker: Hand) -> str:
    return "either" if player[0] == player[1] or banker[0] == banker[1] else "lose"


def royal_match(player: Hand, _: Hand) -> str:
    if player[0][1] != player[1][1]:
        return "lose"
    return "royal" if {player[0][0], player[1][0]} == {"Q", "K"} else "suited"


def three_giving_8(player: Hand, banker: Hand) -> str:
    two = sum(min("A23456789TJQK".index(card[0]) + 1, 10) for card in banker[:2]) % 10
    return "win" if two == 3 and len(player) == 3 and player[2][0] == "8" else "lose"


def all_red(player: Hand, banker: Hand) -> str:
    return "win" if all(card[1] in "dh" for card in (*player, *banker)) else "lose"


def tiger_pair(player: Hand, banker: Hand) -> str:
    pairs = [hand[0][0] for hand in (player, banker) if hand[0][0] == hand[1][0]]
    if len(pairs) == 2:
        return "twins" if pairs[0] == pairs[1] else "both"
    return "one" if pairs else "lose"


DECIDED = {
    "perfect-pair": perfect_pair,
    "royal-match": royal_match,
    "3-giving-8": three_giving_8,
    "all-red": all_red,
    "tiger-pair": tiger_pair,
}


def hands(cards: Sequence[int]) -> tuple[list[str], list[str]]:
    """Part the cards of a coup as they left the shoe, by Player's rule: a third card to 0 to 5."""
    dealt = [DECK[card] for card in cards if card != NO_CARD]
    values = [CARD_VALUE[card.index] for card in dealt]
    player, banker = [dealt[0], dealt[2]], [dealt[1], dealt[3]]
    drew = len(dealt) > 4 and (values[0] + values[2]) % 10 <= 5
    if drew:
        player.append(dealt[4])
    banker += dealt[4 + drew :]
    return [str(card) for card in player], [str(card) for card in banker]


def test_every_line_is_counted_as_the_cards_have_it() -> None:
    offers = [read_wager(FOLDER / f"{name}.toml") for name in DECIDED]
    plan = plan_of(PLAIN.with_offers(*offers))
    assert [one.id for one in plan.card_wagers] == [offer.wager.id for offer in offers]
    told = replay_block(plan, 5, 1).cards.tolist()
    played = ScalarEngine(plan, 5).play(1, WHOLE)
    assert played.rounds == len(told) > 50_000
    coups = [hands(cards) for cards in told]
    hits = iter(played.hits.tolist())
    for one, decide in zip(plan.card_wagers, DECIDED.values(), strict=True):
        came = Counter(decide(player, banker) for player, banker in coups)
        assert {line: next(hits) for line in one.lines} == {
            line: came.get(line, 0) for line in one.lines
        }


def test_lines_of_shoes_side_by_side_are_those_of_the_scalar_engine() -> None:
    offers = [read_wager(FOLDER / f"{name}.toml") for name in DECIDED]
    plan = plan_of(PLAIN.with_offers(*offers))
    (found,) = tallied_shoes(plan, 5, 12)
    for stream in range(12):
        played = ScalarEngine(plan, 5).play(stream, int(found.cells[stream].sum()))
        assert played.hits.tolist() == found.hits[stream].tolist()


@pytest.mark.parametrize("seed", spread([1, 2], 1))
def test_simulated_means_lie_in_their_intervals_around_the_exact_edge(seed: int) -> None:
    words = own(*DECIDED, "jackpot", "super-6")
    command = (*TABLE, *words, "--format", "json")
    played = run(0, "simulate", *command, "--rounds", "2e6", "--seed", seed)
    data = json.loads(played[played.index("{") :])
    sheet = json.loads(run(0, "par", *command))
    exact = {one["id"]: one for one in sheet["wagers"]}
    assert data["engine"] == "scalar"
    assert len(data["wagers"]) == len(exact) == 10
    for one in data["wagers"]:
        law = exact[one["id"]]
        assert one["exact_edge"] == law["house_edge"]
        assert abs(one["z"]) < 4
        chances = {(line["outcome"], line["pays"]): line["probability"] for line in law["lines"]}
        assert {
            (line["outcome"], line["pays"]): line["probability"] for line in one["lines"]
        } == chances
        assert sum(line["rounds"] for line in one["lines"]) == data["rounds"]


def test_the_lanes_are_refused_and_a_shoe_by_rank_too() -> None:
    words = ("simulate", *TABLE, *own("perfect-pair"), "--rounds", "1000")
    assert "the lanes know no cards" in run(2, *words, "--engine", "lanes")
    by_rank = ",".join(f"{rank}=32" for rank in "A23456789TJQK")
    assert "specify it by card" in " ".join(run(2, *words, "--shoe", by_rank).split())


def test_a_session_settles_them_by_the_cards_of_each_round(tmp_path: Path) -> None:
    out = tmp_path / "rounds.csv"
    stakes = ("--unit", "10", "--bankroll", "100000", "--shoes", "30", "--sessions", "1")
    wagers = ("--wager", "player", "--wager", "perfect_pair", "--wager", "royal_match")
    words = (*TABLE, *own("perfect-pair", "royal-match"), *wagers, *stakes, "--rounds-out", out)
    run(0, "session", *words)
    pays = {"either": 25, "lose": -1, "royal": 25, "suited": 2.5}
    lines = Counter[str]()
    with out.open() as file:
        for row in csv.DictReader(file):
            player, banker = row["player"].split(), row["banker"].split()
            for wager, decide in (("perfect_pair", perfect_pair), ("royal_match", royal_match)):
                line = decide(player, banker)
                lines[line] += 1
                stake, net = float(row[f"stake:{wager}"]), float(row[f"net:{wager}"])
                assert net == stake * pays[line], row
    assert min(lines[line] for line in ("either", "suited", "lose")) > 10


def test_a_meter_is_no_wager_of_a_session() -> None:
    words = ("--wager", "suited_jackpot", "--unit", "5", "--bankroll", "100", "--shoes", "1")
    told = run(2, "session", *TABLE, *own("jackpot"), *words)
    assert "it is paid from meters that all patrons contribute to" in told
