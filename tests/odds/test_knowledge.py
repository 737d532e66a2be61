"""Odds by any knowledge of a round are those of all orders of the cards that agree with it."""

from __future__ import annotations

import json
import random
from collections import Counter
from collections.abc import Callable, Hashable, Iterator, Sequence
from datetime import date
from fractions import Fraction
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from croupier.baccarat.cards import parse_cards
from croupier.baccarat.coup import facts_of
from croupier.odds.chances import known_census
from croupier.odds.hands import Cards, CardView, hands_census
from croupier.odds.knowledge import Knowledge, known_at
from croupier.odds.shoe import ShoeComposition, ShoeError
from croupier.records.log import LogLines, resume
from croupier.rules import default_submission, table_rules
from support.oracles.odds import VALUE, coups, endings, fresh, next_hand, values
from support.par import called, exact, table
from support.project import ROOT
from support.streams import MemoryStream
from support.volume import spread, volume

RULES = table_rules(default_submission("us-nj/minibaccarat", date(2011, 2, 22)))
LAW = ("--law", "us-nj/minibaccarat@2011-02-22")
SMALL = [
    "9h",
    "9s",
    "Kd",
    "Kh",
    "Jc",
    "Ts",
    "Ad",
    "3c",
    "4h",
    "5d",
    "6s",
    "7c",
    "2h",
    "2h",
    "3d",
    "8s",
]

Hands = tuple[tuple[str, ...], tuple[str, ...]]


# --- the oracle: every order of a small shoe ----------------------------------------------------


def agrees(card: str, seen: str) -> bool:
    """Whether a card may be one of which this is known: whole, rank, value of nothing, or all."""
    return seen == "?" or card.startswith(seen) or (seen == "0" and VALUE[card[0]] == 0)


def rounds(cards: Sequence[str], player: Sequence[str], banker: Sequence[str]) -> Iterator[Hands]:
    """Every round from every order of six cards that agrees with what is known of it."""
    for order in permutations(cards, 6):
        own: list[str] = []
        other: list[str] = []
        rest = iter(order)
        while whose := next_hand([VALUE[one[0]] for one in own], [VALUE[one[0]] for one in other]):
            (own if whose == "P" else other).append(next(rest))
        thirds = (len(player) < 3 or len(own) == 3) and (len(banker) < 3 or len(other) == 3)
        none = len(banker) == 3 and len(player) < 3 and len(own) == 3
        known = [*zip(own, player, strict=False), *zip(other, banker, strict=False)]
        if thirds and not none and all(agrees(*one) for one in known):
            yield tuple(own), tuple(other)


def count(hand: Sequence[str]) -> int:
    return sum(VALUE[card[0]] for card in hand) % 10


def shares(found: Counter[Hashable]) -> dict[Hashable, Fraction]:
    return {key: Fraction(number, found.total()) for key, number in found.items() if number}


Asked = Callable[[Sequence[str]], Hashable]


def pair(hand: Sequence[str]) -> Hashable:
    return hand[0][0] == hand[1][0]


def suited_pair(hand: Sequence[str]) -> Hashable:
    return hand[0] == hand[1]


def first_suit(hand: Sequence[str]) -> Hashable:
    return hand[0][1]


def reds(hand: Sequence[str]) -> Hashable:
    return sum(card[1] in "dh" for card in hand)


def most_of_a_rank(hand: Sequence[str]) -> Hashable:
    return max(Counter(card[0] for card in hand).values())


def nine_and_king(hand: Sequence[str]) -> Hashable:
    return tuple(sorted(hand)) if {card[0] for card in hand} == {"9", "K"} else None


def named(asked: Asked) -> Callable[[int, Cards], Hashable]:
    return lambda _, cards: asked([str(card) for card in cards])


VIEWS: dict[str, tuple[Asked, CardView]] = {
    "pair": (pair, CardView("a pair", lambda card: card.rank, named(pair))),
    "suited pair": (suited_pair, CardView("a suit", lambda card: card, named(suited_pair))),
    "first suit": (
        first_suit,
        CardView("a suit", lambda card: card, named(first_suit), ordered=True),
    ),
    "reds": (reds, CardView("a color", lambda card: card, named(reds), whole=True)),
    "three of a kind": (
        most_of_a_rank,
        CardView("a rank", lambda card: card.rank, named(most_of_a_rank), whole=True),
    ),
    "nine and king": (
        nine_and_king,
        CardView("a nine", lambda card: card, named(nine_and_king), points=False),
    ),
}


def some_states(seed: int, number: int) -> Iterator[tuple[list[str], list[str], list[str]]]:
    """Small shoes with something known of a round from each."""
    chance = random.Random(seed)

    def seen(card: str) -> str:
        told = [card, card[0], "?", "?"] + (["0"] if VALUE[card[0]] == 0 else [])
        return chance.choice(told)

    for _ in range(number):
        cards = [chance.choice(SMALL) for _ in range(chance.choice([6, 7]))]
        order = chance.sample(cards, 6)
        hands = [[seen(order[at]) for at in range(first, 6, 2)] for first in (0, 1)]
        yield cards, hands[0][: chance.randrange(4)], hands[1][: chance.randrange(4)]


@pytest.mark.parametrize("seed", spread(range(6), 2))
def test_every_state_of_knowledge_is_counted_as_by_all_orders(seed: int) -> None:
    for cards, player, banker in some_states(seed, 8):
        found = list(rounds(cards, player, banker))
        shoe = ShoeComposition.of(Counter(cards))
        known = Knowledge.of(" ".join(player), " ".join(banker))
        if not found:
            with pytest.raises(ShoeError, match="no round"):
                known_census(shoe, RULES, ("counts",), known)
            continue
        points = Counter[Hashable]((count(a), count(b), len(a), len(b)) for a, b in found)
        census = known_census(shoe, RULES, ("counts",), known)
        told = Counter[Hashable]()
        for facts, ways in census.items():
            told[facts[:4]] += ways
        assert shares(told) == shares(points)
        for asked, view in VIEWS.values():
            wanted, counted = Counter[Hashable](), Counter[Hashable]()
            for own, other in found:
                part = slice(None) if view.whole else slice(2)
                of_points = (count(own), count(other), len(own), len(other)) * view.points
                wanted[of_points, asked(own[part]), asked(other[part])] += 1
            for hands, ways in hands_census(shoe, RULES.tableau, known, view).items():
                facts = facts_of(*hands)
                mine, his = ([str(card) for card in hand] for hand in hands)
                part = slice(None) if view.whole else slice(2)
                counted[facts[:4] * view.points, asked(mine[part]), asked(his[part])] += ways
            assert shares(counted) == shares(wanted)


def test_of_eight_decks_hands_are_counted_as_by_rank() -> None:
    # The oracle deals by rank, without a formula.
    wanted = Counter[Hashable]()
    for coup, ways in coups(fresh(8)).items():
        wanted[tuple(coup)] += ways
    counted = Counter[Hashable]()
    shoe = ShoeComposition.of_decks(8)
    for hands, ways in hands_census(shoe, RULES.tableau, Knowledge(), VIEWS["pair"][1]).items():
        counted[facts_of(*hands)[:6]] += ways
    assert counted == wanted


def test_kinds_that_a_shoe_by_rank_cannot_tell_are_refused() -> None:
    shoe = ShoeComposition(ShoeComposition.of_decks(8).ranks)
    with pytest.raises(ShoeError, match="a suit depends on suits"):
        hands_census(shoe, RULES.tableau, Knowledge(), VIEWS["suited pair"][1])


# --- the command line --------------------------------------------------------------------------


def told(*arguments: object) -> Any:
    result = called("odds", *arguments, "--format", "json")
    assert result.exit_code == 0, result.stderr
    return json.loads(result.stdout)


def test_player_known_and_banker_unseen_is_the_mean_of_all_that_banker_may_have() -> None:
    # Summed by dealing Banker every two values, which is another way to it.
    shoe = list(values(fresh(8)))
    shoe[9] -= 1
    shoe[2] -= 1
    ways: Counter[str] = Counter()
    for first, second in product(range(10), repeat=2):
        left = list(shoe)
        times = left[first]
        left[first] -= 1
        times *= left[second]
        left[second] -= 1
        for ended, more in endings(tuple(left), (9, 2), (first, second), 2, literal=False).items():
            who = "player" if ended[0] > ended[1] else "banker" if ended[0] < ended[1] else "tie"
            ways[who] += times * more
    endings.cache_clear()
    data = told(*LAW, "--player", "9h,2c", "--banker", "?,?")
    wins = {
        wager["id"]: sum(
            exact(line["probability"]) for line in wager["lines"] if ":" in line["pays"]
        )
        for wager in data["wagers"]
    }
    assert wins == {who: Fraction(number, ways.total()) for who, number in ways.items()}
    assert (data["player"], data["banker"]) == (["9h", "2c"], ["?", "?"])


def test_the_tables_rows_add_up_to_the_odds_without_them() -> None:
    before = {one["id"]: exact(one["expectation"]) for one in told(*LAW)["wagers"]}
    for by in spread(("player-total", "totals", "banker-total", "first-card"), 2):
        sums = dict.fromkeys(before, Fraction())
        for row in told(*LAW, "--by", by)["conditions"]:
            assert sum(exact(row[who]) for who in ("player_wins", "banker_wins", "ties")) == 1
            for wager in row["wagers"]:
                sums[wager["id"]] += exact(row["probability"]) * exact(wager["expectation"])
        assert sums == before


def test_thirty_figures_by_players_total_are_those_of_every_four_values() -> None:
    # Four cards by value, dealt one after another, and then whatever the drawing rules deal.
    found: dict[int, Counter[str]] = {total: Counter() for total in range(10)}
    for four in product(range(10), repeat=4):
        left = list(values(fresh(8)))
        ways = 1
        for value in four:
            ways *= left[value]
            left[value] -= 1
        own, other = four[::2], four[1::2]
        for ended, more in endings(tuple(left), own, other, 2, literal=False).items():
            who = "player" if ended[0] > ended[1] else "banker" if ended[0] < ended[1] else "tie"
            found[sum(own) % 10][who] += ways * more
    endings.cache_clear()
    for row in told(*LAW, "--by", "player-total")["conditions"]:
        ways_of = found[int(row["condition"])]
        wanted = [Fraction(ways_of[who], ways_of.total()) for who in ("player", "banker", "tie")]
        assert [exact(row[who]) for who in ("player_wins", "banker_wins", "ties")] == wanted
        assert exact(row["probability"]) == Fraction(ways_of.total(), 4_998_398_275_503_360)


# Player's, Banker's, and tied rounds by Player's two-card total with eight decks, as published at
# wizardofodds.com/games/baccarat/appendix/3/.
PUBLISHED = """
    0.278792 0.654627 0.066581
    0.282833 0.647252 0.069915
    0.290303 0.634207 0.07549
    0.303386 0.615539 0.081075
    0.322084 0.579983 0.097933
    0.358488 0.537849 0.103663
    0.430362 0.427801 0.141838
    0.572657 0.285046 0.142297
    0.810911 0.094938 0.094151
    0.905475 0 0.094525
"""


def test_one_command_gives_the_thirty_figures_that_are_published() -> None:
    rows = told(*LAW, "--by", "player-total")["conditions"]
    found = [exact(row[who]) for row in rows for who in ("player_wins", "banker_wins", "ties")]
    published = [Fraction(figure) for figure in PUBLISHED.split()]
    assert len(found) == len(published) == 30
    for ours, theirs in zip(found, published, strict=True):
        assert abs(ours - theirs) <= Fraction(1, 2_000_000)


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--player", "9h,2c,3d,4d"), "at most 3 cards"),
        (("--player", "9h,8c,3d", "--banker", "?,?"), "no round under this drawing table"),
        (("--banker", "9h,Kd,?"), "no round under this drawing table"),
        (("--player", "9h", "--shoe", "A=20"), "the shoe has 0"),
        (("--unseen", "411"), "fewer than 6"),
        (("--gone", "9h," * 9), "9 of 9h were seen"),
        (("--gone", "9,?"), "--gone: write each card as 9h, or as its rank"),
        (("--gone", "A,0"), "--gone: write each card as 9h, or as its rank"),
        (("--shoe", "A=3,5=9", "--gone", "A,A,A,A"), "4 of A were seen"),
        (("--at", "3"), "add --log"),
    ],
)
def test_what_cannot_be_known_is_refused(arguments: tuple[str, ...], message: str) -> None:
    result = called("odds", *LAW, *arguments)
    assert result.exit_code == 2
    assert message in " ".join(result.stderr.split())


def test_cards_that_left_unseen_change_nothing() -> None:
    plain, burned = told(*LAW, "--player", "9h"), told(*LAW, "--player", "9h", "--unseen", 11)
    assert burned["unseen"] == 11
    assert burned["wagers"] == plain["wagers"]


def test_cards_that_were_seen_to_leave_are_out_of_the_shoe() -> None:
    gone = told(*LAW, "--gone", "9h,9h,Kd", "--player", "9h")
    shoe = {**fresh(8), "9h": 6, "Kd": 7}
    counts = ",".join(f"{card}={number}" for card, number in shoe.items())
    assert gone["wagers"] == told(*LAW, "--shoe", counts, "--player", "9h")["wagers"]


def test_ranks_that_were_seen_to_leave_are_out_of_the_shoe() -> None:
    law = ("--law", "us-nj/minibaccarat@2011-02-22", "--shoe", "A=30,5=30,9=30,T=30")
    gone = told(*law, "--gone", "A,5", "--player", "9")
    # The oracle does not ask for suits here: all cards of a rank have one.
    ways = coups({"Ah": 29, "5h": 29, "9h": 30, "Th": 30}, "9")
    ties = Fraction(
        sum(n for coup, n in ways.items() if coup.player == coup.banker), sum(ways.values())
    )
    (tie,) = (one for one in gone["wagers"] if one["id"] == "tie")
    assert exact(tie["expectation"]) == 9 * ties - 1
    fresh_shoe = told(*LAW, "--gone", "A,5h")
    ways = coups({**fresh(8), "Ah": 7, "5h": 7})
    ties = Fraction(
        sum(n for coup, n in ways.items() if coup.player == coup.banker), sum(ways.values())
    )
    (tie,) = (one for one in fresh_shoe["wagers"] if one["id"] == "tie")
    assert exact(tie["expectation"]) == 9 * ties - 1


def test_a_wager_on_suits_has_no_odds_after_a_rank_alone_has_left() -> None:
    own = ("--own", ROOT / "docs" / "examples" / "side-bets" / "perfect-pair.toml")
    law = ("--law", "us-nj/minibaccarat@2011-02-22")
    result = called("odds", *law, *own, "--gone", "A")
    assert result.exit_code == 2
    assert "suit" in result.stderr
    assert called("odds", *law, *own, "--gone", "Ah").exit_code == 0


# --- a table log -------------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["ny-midi", "nj-punto-banco", "nj-minibaccarat"])
def test_of_a_log_only_what_is_face_up_is_known(name: str, tmp_path: Path) -> None:
    log = tmp_path / "table.jsonl"
    dealt = called("deal", table(name).path, "--seed", 3, "--log", log)
    assert dealt.exit_code == 0, dealt.output
    lines = list(LogLines(log))
    drawn = 0
    for at in range(1, 90, volume(1, 4)):
        stream = MemoryStream("log")
        stream.append(0, lines[: at + 1])
        position = resume(stream).position
        state = position.state
        if state.round is None or not state.shoe.unseen:
            continue
        shoe, known, _ = known_at(state, position.rules)
        cards = [one for one in known.cards if one is not None]
        assert set(map(str, cards)) <= {
            str(card) for card in (*state.round.coup.player, *state.round.coup.banker)
        }
        # Whoever sees the table has seen these, and those that were played before them.
        assert shoe.cards == sum(state.shoe.unseen) + len(known.cards)
        drawn += 1
        found = told("--log", log, "--at", at)
        assert len(found["player"]) == len(state.round.coup.player)
        down = found["player"] + found["banker"]
        if not state.round.down and len(down) >= 4:
            assert "?" not in down
    assert drawn


def test_the_first_four_of_a_deal_face_down_are_not_known_until_they_are_turned(
    tmp_path: Path,
) -> None:
    log = tmp_path / "midi.jsonl"
    called("deal", ROOT / "submissions" / "ny-midi.toml", "--seed", 3, "--log", log)
    seen = [told("--log", log, "--at", at) for at in range(25, 70, volume(1, 2))]
    hands = [(one["player"], one["banker"]) for one in seen]
    assert (["?", "?"], ["?", "?"]) in hands
    assert any("?" not in player and banker == ["?", "?"] for player, banker in hands if player)


def test_the_cards_read_are_those_written() -> None:
    assert Knowledge.of("9h 9 0 ", "?").player[:2] == (
        parse_cards("9h")[0],
        parse_cards("9h")[0].rank,
    )
