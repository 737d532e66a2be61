"""An oracle for conformance vectors: judges deals, settlement, rounding and scenarios by itself.

It reads what the files of vectors say and nothing else. The law as printed stands in
``oracles.law``, rounds and payments are judged by ``oracles.logs``; neither imports the program.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Iterator
from fractions import Fraction
from itertools import combinations_with_replacement, product
from pathlib import Path
from typing import Any

from support.oracles.law import (
    AWARDS_CENTS,
    LOSE,
    MASSACHUSETTS,
    METERS,
    PUSH,
    ROUNDED_TO_CENTS,
    ROYAL_9_STAKE_CENTS,
    Terms,
    banker_draws,
    cents,
    count,
    dealt_rightly,
    house_money,
    player_draws,
    value,
)
from support.oracles.logs import Oracle

Data = dict[str, Any]

TENDERS_COUPONS_NOT = MASSACHUSETTS
"""The one text under which no match play coupon is wagered."""


def terms_of(submission: Path) -> Terms:
    """Return what a submission's own file says: never what the program made of it."""
    tables = tomllib.loads(submission.read_text(encoding="utf-8"))
    limits = {
        wager: dict(zip(("min_cents", "max_cents"), (cents(str(one)) for one in pair), strict=True))
        for wager, pair in tables["limits"].items()
    }
    header = {
        "law": tables["submission"]["law"],
        "elections": tables["elections"],
        "interpretations": tables.get("interpretations", {}),
        "layout": {"seats": 7, "numbering": "counterclockwise", **tables.get("table", {})},
        "limits": limits,
    }
    return Terms(header)


# --- the deal ----------------------------------------------------------------------------------


def continuations(player: int, banker: int, *, literal: bool) -> set[tuple[int, ...]]:
    """Return the values of every third card that may follow two counts."""
    found: set[tuple[int, ...]] = set()
    for third in range(10) if player_draws(player, banker) else (None,):
        drawn = () if third is None else (third,)
        if banker_draws(player, banker, third, literal=literal):
            found |= {(*drawn, last) for last in range(10)}
        else:
            found.add(drawn)
    return found


def judge_deals(deals: Data, terms: Terms) -> Counter[str]:
    """Hold every round and every cell; return how many there were of each sort."""
    judged: Counter[str] = Counter()
    starts, followed, cards = set(), set(), set()
    for row in deals["rounds"]:
        order = row["cards"].split()
        player, banker = dealt_rightly(order, literal=terms.literal_row)
        assert (row["player"].split(), row["banker"].split()) == (player, banker)
        ours, theirs = count(player), count(banker)
        assert (row["player_count"], row["banker_count"]) == (ours, theirs)
        winner = "tie" if ours == theirs else "player" if ours > theirs else "banker"
        assert row["winner"] == winner
        cells = deals["cells"][row["player_cell"]], deals["cells"][row["banker_cell"]]
        for cell, name, hand in zip(cells, ("player", "banker"), (player, banker), strict=True):
            judge_cell_of(cell, name, hand, player, banker)
        assert Counter(order).most_common(1)[0][1] <= 2
        starts.add((values(player[:2]), values(banker[:2])))
        counts = count(player[:2]), count(banker[:2])
        followed.add((*counts, tuple(map(value, [*player[2:], *banker[2:]]))))
        cards |= set(order)
        judged[winner] += 1
    every = list(combinations_with_replacement(range(10), 2))
    assert starts == set(product(every, every))
    assert followed == {
        (one, other, more)
        for one, other in product(range(10), repeat=2)
        for more in continuations(one, other, literal=terms.literal_row)
    }
    assert len(cards) == 52
    judged["starts"], judged["followed"] = len(starts), len(followed)
    judge_cells(deals["cells"], terms)
    return judged


def values(cards: list[str]) -> tuple[int, ...]:
    return tuple(sorted(map(value, cards)))


def judge_cell_of(
    cell: Data, name: str, hand: list[str], player: list[str], banker: list[str]
) -> None:
    """Hold that a round names the cell that ruled on a hand."""
    assert cell["hand"] == name
    assert cell["draws"] == (len(hand) == 3)
    natural = max(count(player[:2]), count(banker[:2])) >= 8
    assert cell["by"] == ("natural" if natural else "table")
    if not natural:
        assert cell["point_count"] == count(hand[:2])
        third = value(player[2]) if name == "banker" and len(player) == 3 else None
        assert cell["third"] == third


def judge_cells(cells: list[Data], terms: Terms) -> None:
    """Hold that the whole drawing table is there, each cell once, and each with a clause."""
    read = {(one["hand"], one["by"], one["point_count"], one["third"]): one for one in cells}
    assert len(read) == len(cells)
    naturals = {("player", "natural", None, None), ("banker", "natural", None, None)}
    players = {("player", "table", own, None) for own in range(8)}
    bankers = {("banker", "table", own, third) for own in range(8) for third in (None, *range(10))}
    assert set(read) == naturals | players | bankers
    for (hand, by, own, third), cell in read.items():
        drawn = by == "table" and (
            own <= 5 if hand == "player" else banker_draws(0, own, third, literal=terms.literal_row)
        )
        assert cell["draws"] == drawn
        assert cell["clauses"]


# --- money -------------------------------------------------------------------------------------


def outcome_of(
    terms: Terms, wager: str, seat: int, hands: tuple[list[str], list[str]], meters: Data
) -> Fraction | str | int:
    """Return the odds at which a wager wins, the cents that it is awarded, or what became of it."""
    player, banker = hands
    if wager == "house_money":
        times = house_money(player, banker)
        return Fraction(times) if times else LOSE
    if wager == "royal_9":
        line = terms.royal_9(seat, player, banker)
        if line == LOSE:
            return LOSE
        return int(meters[line] if line in METERS else AWARDS_CENTS[line])
    return terms.wins(wager, player, banker)


def settled(
    terms: Terms,
    wager: str,
    chips: int,
    hands: tuple[list[str], list[str]],
    *,
    seat: int = 1,
    coupon: int = 0,
    meters: Data | None = None,
    others: dict[str, int] | None = None,
) -> tuple[str, Data]:
    """Return what became of a stake, and its amounts as the vectors name them."""
    came = outcome_of(terms, wager, seat, hands, meters or {})
    won, vigorish = 0, 0
    if isinstance(came, Fraction):
        assert ((chips + coupon) * came).denominator == 1
        won = int((chips + coupon) * came)
    elif isinstance(came, int):
        won = came
    tied = count(hands[0]) == count(hands[1])
    if wager == "banker" and (won or tied):
        stakes = {**(others or {}), "banker": chips + coupon}
        vigorish, _ = terms.vigorish(stakes, won, tied=not won)
    lost = came == LOSE
    for_one = wager == "royal_9" and terms["wagers.royal_9.award_is"] == "for-one"
    returned = 0 if lost or for_one else chips
    outcome = came if isinstance(came, str) else "win"
    return outcome, {
        "returned_cents": returned,
        "won_cents": won,
        "vigorish_cents": vigorish,
        "net_cents": returned - chips + won - vigorish,
    }


def classes(*, literal: bool) -> set[tuple[int, int, int, int]]:
    """Return every class of counts and numbers of cards that a coup can come to."""
    found = set()
    for player, banker in product(range(10), repeat=2):
        for more in continuations(player, banker, literal=literal):
            drawn = list(more)
            drew = player_draws(player, banker)
            ours = (player + drawn.pop(0)) % 10 if drew else player
            theirs = (banker + drawn[0]) % 10 if drawn else banker
            found.add((ours, theirs, 2 + drew, 2 + len(drawn)))
    return found


def judge_settlement(settlement: Data, terms: Terms) -> Counter[str]:
    judged: Counter[str] = Counter()
    assert set(settlement["wagers"]) == terms.offered
    seen = set()
    grounds: dict[str, set[str]] = {wager: set() for wager in terms.offered}
    for row in settlement["classes"]:
        hands = dealt_rightly(row["cards"].split(), literal=terms.literal_row)
        player, banker = hands
        facts = row["facts"]
        told = (facts["player_count"], facts["banker_count"])
        assert told == (count(player), count(banker))
        assert (facts["player_cards"], facts["banker_cards"]) == (len(player), len(banker))
        seen.add((*told, len(player), len(banker)))
        assert set(row["settled"]) == terms.offered
        for wager, several in row["settled"].items():
            for one in several:
                judge_settled(one, wager, settlement, terms, hands)
                grounds[wager].add(one["ground"])
                judged[f"{wager} {one['outcome']}"] += 1
    assert seen == classes(literal=terms.literal_row)
    for wager, told_of in settlement["wagers"].items():
        # Every way in which a wager can be decided comes about, and none that is not told of.
        assert grounds[wager] == set(told_of["grounds"])
        assert all(ground["clauses"] for ground in told_of["grounds"].values())
    return judged


def judge_settled(
    one: Data, wager: str, settlement: Data, terms: Terms, hands: tuple[list[str], list[str]]
) -> None:
    outcome, amounts = settled(
        terms, wager, one["stake_cents"], hands, seat=one["seat"], meters=settlement["meters"]
    )
    assert one["outcome"] == outcome
    assert {name: one[name] for name in amounts} == amounts
    ground = settlement["wagers"][wager]["grounds"][one["ground"]]
    assert ground["outcome"] == outcome
    if ground["pays"] is not None and "odds" in ground["pays"]:
        pays, stake = ground["pays"]["odds"]["pays"], ground["pays"]["odds"]["stake"]
        assert amounts["won_cents"] * stake == one["stake_cents"] * pays
    assert (ground["pays"] is None) == (outcome in {LOSE, PUSH})


def rounds_to(terms: Terms, wager: str) -> int:
    """Return what vigorish on a wager is rounded to, in cents; nothing where it is not."""
    scheme = terms.scheme if terms.scheme != "total-cards" else terms["vigorish.rate_unwaived"]
    percent = int(scheme[:-1]) if scheme[:-1].isdigit() and scheme.endswith("%") else 0
    if wager == "banker" and percent and terms["vigorish.rounded"]:
        return ROUNDED_TO_CENTS[terms.law, percent]
    return 0


def unit_of(terms: Terms, wager: str, odds: list[Fraction]) -> int:
    """Return the least amount of which a stake must be a multiple, by trying."""
    scheme = terms.scheme if terms.scheme != "total-cards" else terms["vigorish.rate_unwaived"]
    percent = int(scheme[:-1]) if scheme[:-1].isdigit() and scheme.endswith("%") else 0
    exact = [*odds]
    if wager == "banker" and percent and not terms["vigorish.rounded"]:
        exact += [one * Fraction(percent, 100) for one in odds]
    if wager == "banker" and scheme == "tie-25%":
        exact.append(Fraction(1, 4))
    return next(
        unit for unit in range(1, 10**6) if all((unit * one).denominator == 1 for one in exact)
    )


def judge_rounding(rounding: Data, settlement: Data, terms: Terms) -> Counter[str]:
    judged: Counter[str] = Counter()
    hands = hands_by_ground(settlement, terms)
    for row in rounding["stakes"]:
        wager, chips, coupon = row["wager"], row["chips_cents"], row["coupon_cents"]
        odds = [
            Fraction(ground["pays"]["odds"]["pays"], ground["pays"]["odds"]["stake"])
            for ground in settlement["wagers"][wager]["grounds"].values()
            if ground["pays"] and "odds" in ground["pays"]
        ]
        refused = refusal(
            terms, wager, chips, coupon, unit_of(terms, wager, odds), min(odds, default=Fraction(1))
        )
        assert (row.get("refused") or {"code": None})["code"] == refused
        assert row["taken"] == (refused is None)
        judged[refused or "taken"] += 1
        for ground, amounts in row.get("settled", {}).items():
            _, ours = settled(
                terms,
                wager,
                chips,
                hands[wager, ground],
                coupon=coupon,
                meters=rounding["meters"],
            )
            assert amounts == ours, (row, ground)
            judged["settled"] += 1
    for row in rounding["waivers"]:
        _, ours = settled(
            terms,
            "banker",
            row["stakes"]["banker"],
            hands["banker", row["ground"]],
            others=row["stakes"],
        )
        assert {name: row[name] for name in ours} == ours
        assert bool(row["clauses"]) == row["waived"]
        judged["waived" if row["waived"] else "not waived"] += 1
    return judged


def refusal(  # noqa: PLR0917  (a reason each, and all that it goes by)
    terms: Terms, wager: str, chips: int, coupon: int, unit: int, wins: Fraction
) -> str | None:
    if chips <= 0 or coupon < 0:
        return "amount"
    least = most = ROYAL_9_STAKE_CENTS
    if wager != "royal_9":
        limits = terms.header["limits"][wager]
        least, most = limits["min_cents"], limits["max_cents"]
    if not least <= chips + coupon <= most:
        return "limit"
    if (chips + coupon) % unit:
        return "fraction_of_a_cent"
    if (chips + coupon) * wins < rounds_to(terms, wager):
        return "vigorish_above_win"
    if coupon and (terms.law == TENDERS_COUPONS_NOT or coupon > chips):
        return "coupon"
    return None


def hands_by_ground(
    settlement: Data, terms: Terms
) -> dict[tuple[str, str], tuple[list[str], list[str]]]:
    """Return a round for each ground of each wager, at the first seat."""
    found: dict[tuple[str, str], tuple[list[str], list[str]]] = {}
    for row in settlement["classes"]:
        hands = dealt_rightly(row["cards"].split(), literal=terms.literal_row)
        for wager, several in row["settled"].items():
            found.setdefault((wager, several[0]["ground"]), hands)
    return found


# --- procedure ---------------------------------------------------------------------------------


def way_to(starts: dict[str, Data], name: str | None) -> Iterator[Data]:
    """Yield every step from a new table to a start."""
    if name is not None:
        yield from way_to(starts, starts[name]["after"])
        yield from starts[name]["steps"]


class Judge(Oracle):
    """The oracle of logs, which hears of wagers placed one by one and taken back too."""

    def hear_money(self, event: Data, seat: int, amount: int) -> None:
        match event["type"]:
            case "WagerPlaced":
                self.place(seat, {event["wager"]: amount})
            case "WagerWithdrawn":
                self.chips[seat] += amount
                del self.stakes[seat][event["wager"]]
            case _:
                super().hear_money(event, seat, amount)


# Cards that were not what the record says, or that wait for the hands to say whose they are: the
# tables of irregularities, written from the texts, judge them.
BEYOND = frozenset(
    {"CardMisread", "WrongCardFound", "ShoeFoundEmpty", "HeldCardPassedOver", "ThirdCardWaits"}
)


def judge_scenarios(procedures: Data, terms: Terms) -> Counter[str]:
    """Play every scenario to the oracle from a new table on; it judges rounds and every payment."""
    judged: Counter[str] = Counter()
    starts = {start["name"]: start for start in procedures["starts"]}
    decks = terms["decks"] // (2 if terms["device"] == "shuffler" else 1)
    for scenario in procedures["scenarios"]:
        on_the_way = scenario["start"]
        given = False
        while on_the_way is not None:
            given |= starts[on_the_way]["given"]
            on_the_way = starts[on_the_way]["after"]
        if given:
            judged["given"] += 1
            continue
        steps = [*way_to(starts, scenario["start"]), *scenario["steps"]]
        if any(event["type"] in BEYOND for step in steps for event in step.get("events", ())):
            judged["beyond"] += 1
            continue
        oracle = Judge(terms, decks)
        for step in steps:
            assert "refused" not in step
            oracle.read(step)
        for one in scenario["changed"].get("seats", starts[scenario["start"]]["state"]["seats"]):
            assert oracle.chips[one["seat"]] == one["chips_cents"]
            assert oracle.owed[one["seat"]] == one["owed_cents"]
        judged += oracle.judged
        judged["scenarios"] += 1
    return judged
