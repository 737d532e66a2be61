"""An oracle that judges logs: every shoe, round, payment and vigorish, by the law as printed.

It reads the JSON of a log and nothing else: it has its own drawing rules, counts, payments and
vigorish in ``oracles.law``, and imports nothing of the program.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from pathlib import Path
from typing import Any

from support.oracles.law import (
    BASE,
    LOSE,
    MASSACHUSETTS,
    NEW_YORK,
    ROYAL_9_STAKE_CENTS,
    Terms,
    burned_with,
    count,
    dealt_rightly,
    dragon_7,
    house_money,
    panda_8,
    rate,
)
from support.oracles.progressive import Progressive

Line = dict[str, Any]
Wagered = dict[tuple[int, str], int]
"""Cents by seat and wager."""

NUMBERS = {4: "four", 5: "five", 6: "six"}


@dataclass
class Oracle:
    """Goes through a log, and judges every shoe, round and payment by itself."""

    terms: Terms
    decks: int
    seen: Counter[str] = field(default_factory=Counter)
    burned: list[str | None] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    cards: list[Line] = field(default_factory=list)
    called: list[Line] = field(default_factory=list)
    stakes: dict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    chips: Counter[int] = field(default_factory=Counter)
    owed: Counter[int] = field(default_factory=Counter)
    settled: list[Line] = field(default_factory=list)
    added: list[Line] = field(default_factory=list)
    result: Line | None = None
    simulated: bool = False
    voided: Line | None = None
    judged: Counter[str] = field(default_factory=Counter)

    def __post_init__(self) -> None:
        self.progressive = Progressive(self.terms)

    def read(self, entry: Line) -> None:
        card = entry["command"].get("card")
        if card is not None:
            self.seen[card] += 1
            assert self.seen[card] <= self.decks, f"more of {card} than {self.decks} decks hold"
        for event in entry["events"]:
            self.hear(event)

    def hear(self, event: Line) -> None:
        match event["type"]:
            case "ShoeLoaded":
                self.seen.clear()
                self.burned.clear()
            case "DiscardsReturned":
                # The device mixes them in again, but for the cards that are held.
                self.seen = Counter(self.held)
            case "ShoeCompleted":
                self.held.clear()
            case "CardBurned":
                self.burned.append(event["card"])
            case "CardHeld":
                self.held.append(event["card"])
        seat, amount = event.get("seat") or 0, event.get("cents") or 0
        self.hear_round(event)
        self.hear_money(event, seat, amount)
        self.hear_vigorish(event, seat, amount)
        self.progressive.hear(event, self.taking_part)
        self.judged["stax"] += event["type"] == "StaxWon"

    # --- the round ---

    def hear_round(self, event: Line) -> None:
        match event["type"]:
            case "NoMoreBetsCalled":
                self.no_more_bets()
            case "SimulatedRoundBegun":
                self.simulated = True
            case "CardDealt":
                self.dealt(event)
            case "PointCountAnnounced" | "ThirdCardRuled":
                self.called.append(event)
            case "HouseMoneySettled":
                self.judge_house_money()
            case "ResultAnnounced":
                self.result = event
            case "RoundVoided":
                self.voided = event
            case "LayoutCleared":
                self.judge(event)

    def no_more_bets(self) -> None:
        """Hold that what lies there is on offer, within its limits, and beside a base wager."""
        offered, limits = self.terms.offered, self.terms.header["limits"]
        for stakes in self.stakes.values():
            assert set(stakes) <= offered
            assert set(stakes) & BASE
            for wager, amount in stakes.items():
                if wager == "royal_9":
                    least = most = ROYAL_9_STAKE_CENTS
                else:
                    least, most = limits[wager]["min_cents"], limits[wager]["max_cents"]
                assert least <= amount <= most
        if self.stakes:
            self.judged["offered"] += {*BASE, *self.all_wagers()} == offered

    def all_wagers(self) -> set[str]:
        return {wager for stakes in self.stakes.values() for wager in stakes}

    def dealt(self, event: Line) -> None:
        """Hold that cards held begin the next hand, in the order in which they were drawn."""
        if event["source"] == "held":
            assert event["card"] == self.held.pop(0)
            assert all(one["source"] == "held" for one in self.cards)
        elif not self.cards and not self.simulated:
            assert self.held == []
        self.cards.append(event)

    def judge(self, cleared: Line) -> None:
        if self.voided is not None:
            self.clear_void(cleared)
            return
        cards = [event["card"] for event in self.cards]
        player, banker = dealt_rightly(cards, literal=self.terms.literal_row)
        assert (cleared["player"], cleared["banker"]) == (player, banker)
        hands = ["player", "banker", "player", "banker"]
        hands += ["player"] * (len(player) == 3) + ["banker"] * (len(banker) == 3)
        assert [event["hand"] for event in self.cards] == hands
        assert cleared["simulated"] == self.simulated
        self.judge_calls(player, banker)
        if self.simulated:
            # Nobody has wagered, so there is nothing to announce or to settle.
            assert self.result is None
            assert self.settled == []
            self.judged["simulated"] += 1
        else:
            self.judge_result(player, banker)
            self.judge_money(player, banker)
            self.progressive.judge_end(self.settled, self.taking_part)
            self.judged["rounds"] += 1
        self.clear(keep_stakes=cleared["simulated"])

    def clear_void(self, cleared: Line) -> None:
        """Hold that a void round leaves the cards that lay there, and that all wagers went back."""
        lay = [event["card"] for event in self.cards]
        assert sorted(cleared["player"] + cleared["banker"]) == sorted(lay)
        assert not self.stakes
        assert self.result is None
        self.clear()

    def judge_calls(self, player: list[str], banker: list[str]) -> None:
        """Hold the announcements of the first counts and the rulings on third cards."""
        for event in self.called:
            hand = player if event["hand"] == "player" else banker
            if event["type"] == "ThirdCardRuled":
                assert event["draws"] == (len(hand) == 3)
            else:
                assert event["count"] == count(hand[:2])
                assert event["natural"] == (event["count"] >= 8)
        counts = [e["hand"] for e in self.called if e["type"] == "PointCountAnnounced"]
        assert sorted(counts) == ["banker", "player"]

    def judge_result(self, player: list[str], banker: list[str]) -> None:
        ours, theirs = count(player), count(banker)
        winner = None if ours == theirs else "player" if ours > theirs else "banker"
        assert self.result is not None
        assert (self.result["player_count"], self.result["banker_count"]) == (ours, theirs)
        assert self.result["winner"] == winner
        cards = len(player) + len(banker)
        assert self.result["cards"] == cards
        said = self.result["words"].lower()
        assert ("tie hand" in said) == (winner is None)
        ez = self.terms.is_ez
        assert ("dragon 7" in said) == (ez and dragon_7(player, banker))
        knows_panda = ez and self.terms.law in {MASSACHUSETTS, NEW_YORK}
        assert ("panda 8" in said) == (knows_panda and panda_8(player, banker))
        counted = bool(self.terms["wagers.total_cards.offered"])
        assert (f"{NUMBERS[cards]} cards" in said) == counted
        self.judged[winner or "tie"] += 1
        self.judged["dragon 7"] += "dragon 7" in said
        self.judged["panda 8"] += "panda 8" in said

    def clear(self, *, keep_stakes: bool = False) -> None:
        if self.burned:
            assert self.burned[0] is not None
            assert len(self.burned) == 1 + burned_with(self.burned[0])
            self.burned.clear()
        for gathered in (self.cards, self.called, self.settled, self.added):
            gathered.clear()
        self.result, self.simulated, self.voided = None, False, None
        if not keep_stakes:
            self.stakes.clear()

    # --- money ---

    def hear_money(self, event: Line, seat: int, amount: int) -> None:
        match event["type"]:
            case "ChipsBought":
                self.chips[seat] += amount
            case "WagersPlaced":
                self.place(seat, event["stakes"])
            case "StakesReleased":
                for stake in event["stakes"]:
                    self.chips[stake["seat"]] += stake["cents"]
                self.settled.append(event)
                if self.voided:
                    self.judge_void(event, self.voided)
            case "WagerPaid" | "AwardPaid":
                self.chips[seat] += amount
                self.settled.append(event)
            case "LosingWagersCollected" | "StakesKept" | "MetersAdvanced" | "HandPayDue":
                self.settled.append(event)
            case "PayoutAdded":
                self.chips[seat] -= amount
                self.added.append(event)
            case "PatronLeft":
                assert event["chips_cents"] == self.chips.pop(seat)
                assert self.owed[seat] == 0

    def hear_vigorish(self, event: Line, seat: int, amount: int) -> None:
        match event["type"]:
            case "VigorishMarked":
                self.owed[seat] += amount
                assert event["owed_cents"] == self.owed[seat]
                self.settled.append(event)
            case "VigorishCollected":
                self.chips[seat] -= amount
                if event["deferred"]:
                    assert amount == self.owed.pop(seat)
                else:
                    self.settled.append(event)
            case "VigorishDocumented":
                assert amount == self.owed.pop(seat)
            case "VigorishWaived":
                self.settled.append(event)

    def place(self, seat: int, stakes: dict[str, int]) -> None:
        for wager, amount in stakes.items():
            self.stakes[seat][wager] = self.stakes[seat].get(wager, 0) + amount
            self.chips[seat] -= amount

    @property
    def taking_part(self) -> list[int]:
        """The seats with a Royal 9 wager."""
        return sorted(seat for seat, stakes in self.stakes.items() if "royal_9" in stakes)

    def judge_void(self, event: Line, voided: Line) -> None:
        """Hold that all wagers go back; the layout is cleared, unless all cards are reshuffled."""
        back = {(one["seat"], one["wager"]): one["cents"] for one in event["stakes"]}
        assert back == self.all_stakes()
        assert all(one["type"] == "StakesReleased" for one in self.settled)
        self.judged["simulated" if voided["simulated"] else "void"] += 1
        self.stakes.clear()
        if voided["reshuffle"]:
            self.clear()

    def all_stakes(self) -> Wagered:
        return {
            (seat, wager): amount
            for seat, stakes in self.stakes.items()
            for wager, amount in stakes.items()
        }

    def judge_house_money(self) -> None:
        """Hold that it was settled by the first four cards, from the dealer's right hand on."""
        cards = [event["card"] for event in self.cards]
        assert len(cards) == 4
        times = house_money(cards[0::2], cards[1::2])
        ring = [one for one in self.terms.from_dealers_right if "house_money" in self.stakes[one]]
        stakes = {(one, "house_money"): self.stakes[one].pop("house_money") for one in ring}
        paid = {one: amount * times for one, amount in stakes.items() if times}
        assert [*self.moved("LosingWagersCollected")] == ([] if times else [*stakes])
        assert self.moved("StakesReleased") == (stakes if times else {})
        assert [*self.paid().items()] == [*paid.items()]
        for event in self.added:
            self.judge_added(event, paid[event["seat"], "house_money"])
        assert len({event["seat"] for event in self.added}) == len(self.added)
        self.judged["house money"] += len(paid)
        self.judged["added"] += len(self.added)
        self.settled.clear()
        self.added.clear()

    def judge_added(self, event: Line, won: int) -> None:
        """Hold that as much as may be of a payout went to a wager on a hand, and is part of it."""
        assert event["to"] in BASE
        portion = rate(self.terms["wagers.house_money.portion"])
        # Five percent of a Banker wager that is not rounded comes to whole cents of 20 alone.
        whole = self.terms["vigorish.scheme"] == "5%" and self.terms["vigorish.rounded"] is False
        unit = 20 if whole and event["to"] == "banker" else 1
        assert event["cents"] == int(won * portion) // unit * unit
        assert event["to"] in self.stakes[event["seat"]]
        self.stakes[event["seat"]][event["to"]] += event["cents"]

    def judge_money(self, player: list[str], banker: list[str]) -> None:
        lost, back, kept, paid = Wagered(), Wagered(), Wagered(), Wagered()
        due, waived = Counter[int](), set()
        for (seat, wager), amount in self.all_stakes().items():
            if wager == "royal_9":
                lost_it = self.terms.royal_9(seat, player, banker) == LOSE
                goes = lost if lost_it else kept if self.progressive.is_for_one else back
                goes[seat, wager] = amount
                continue
            outcome = self.terms.wins(wager, player, banker)
            if outcome == LOSE:
                lost[seat, wager] = amount
                continue
            back[seat, wager] = amount
            won = 0
            if isinstance(outcome, Fraction):
                assert (amount * outcome).denominator == 1
                paid[seat, wager] = won = int(amount * outcome)
            if wager == "banker" and (won or count(player) == count(banker)):
                due[seat], free = self.terms.vigorish(self.stakes[seat], won, tied=not won)
                waived |= {seat} if free else set()
        assert self.moved("LosingWagersCollected") == lost
        assert self.moved("StakesReleased") == back
        assert self.moved("StakesKept") == kept
        assert self.paid() == paid
        lines = {one: self.terms.royal_9(one, player, banker) for one in self.taking_part}
        self.progressive.judge_awards(self.settled, lines)
        self.judged.update(f"royal 9 {line}" for line in lines.values())
        assert self.taken() == {seat: amount for seat, amount in due.items() if amount}
        assert {one["seat"] for one in self.settled if one["type"] == "VigorishWaived"} == waived
        self.judge_order()
        self.judged["paid"] += len(paid)
        self.judged["vigorish"] += sum(due.values()) > 0
        self.judged["waived"] += len(waived)

    def moved(self, kind: str) -> Wagered:
        stakes = [one for event in self.settled if event["type"] == kind for one in event["stakes"]]
        assert len({(one["seat"], one["wager"]) for one in stakes}) == len(stakes)
        return {(one["seat"], one["wager"]): one["cents"] for one in stakes}

    def paid(self) -> Wagered:
        events = [event for event in self.settled if event["type"] == "WagerPaid"]
        assert len({(one["seat"], one["wager"]) for one in events}) == len(events)
        return {(one["seat"], one["wager"]): one["cents"] for one in events}

    def taken(self) -> dict[int, int]:
        deferred = self.terms["vigorish.collection"] == "deferred"
        kind = "VigorishMarked" if deferred else "VigorishCollected"
        events = [
            event
            for event in self.settled
            if event["type"].startswith("Vigorish") and event["type"] != "VigorishWaived"
        ]
        assert {event["type"] for event in events} <= {kind}
        assert len({event["seat"] for event in events}) == len(events)
        return {event["seat"]: event["cents"] for event in events}

    def judge_order(self) -> None:
        """Hold that losers go first, and that pay and vigorish come seat by seat from the highest."""
        kinds = {"WagerPaid": "pay", "AwardPaid": "pay", "HandPayDue": "pay"}
        kinds |= {"VigorishMarked": "vigorish", "VigorishCollected": "vigorish"}
        walked: list[tuple[str, int]] = []
        for event in self.settled:
            if event["type"] == "LosingWagersCollected":
                assert not walked
            step = (kinds.get(event["type"], ""), event.get("seat", 0))
            if step[0] and event.get("line") != "stax" and step not in walked[-1:]:
                walked.append(step)
        seats = sorted({seat for _, seat in walked}, reverse=True)
        first, second = {
            "payments-first": ("pay", "vigorish"),
            "vigorish-first": ("vigorish", "pay"),
            "payment-then-vigorish": ("pay", "vigorish"),
            "vigorish-then-payment": ("vigorish", "pay"),
        }[self.terms.order]
        in_turn = [(act, seat) for seat in seats for act in (first, second)]
        if self.terms.order.endswith("-first"):
            in_turn = [(act, seat) for act in (first, second) for seat in seats]
        assert walked == [step for step in in_turn if step in walked]


def judged(log: Path) -> Counter[str]:
    """Judge every round of a log; return how many there were of each sort."""
    header, *entries, _last = (json.loads(line) for line in log.read_text().splitlines())
    terms = Terms(header)
    decks = terms["decks"] // (2 if terms["device"] == "shuffler" else 1)
    oracle = Oracle(terms, decks)
    for entry in entries:
        oracle.read(entry)
    assert not oracle.cards
    assert +oracle.chips == Counter()
    assert +oracle.owed == Counter()
    return oracle.judged
