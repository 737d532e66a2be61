"""Golden playthroughs are what they were, and every round of them is right by an oracle of its own.

The oracle below reads the JSON of a log and nothing else: it has its own drawing rules, counts,
payments and vigorish, written from the printed law, and imports nothing of the game or its money.
"""

import ast
import json
from collections import Counter, defaultdict
from dataclasses import dataclass, field
from fractions import Fraction
from math import ceil
from pathlib import Path
from typing import Any, Final

import pytest

from forge import SUBMISSIONS, play
from playthroughs import FOLDER, GOLDEN, Playthrough, told

Line = dict[str, Any]

# --- the oracle: the law as printed ------------------------------------------------------------

PAYTABLES: Final = {
    "A": "win_by_9 30:1, win_by_8 10:1, win_by_7 6:1, win_by_6 4:1, win_by_5 2:1, win_by_4 1:1, natural 1:1",
    "B": "win_by_9 20:1, win_by_8 8:1, win_by_7 7:1, win_by_6 4:1, win_by_5 3:1, win_by_4 1:1, natural 1:1",
    "C": "win_by_9 30:1, win_by_8 10:1, win_by_7 4:1, win_by_6 4:1, win_by_5 2:1, win_by_4 2:1, natural 1:1",
}  # fmt: skip


def value(card: str) -> int:
    if card[0] == "A":
        return 1
    return int(card[0]) if card[0] in "23456789" else 0


def count(cards: list[str]) -> int:
    return sum(map(value, cards)) % 10


def burned_with(card: str) -> int:
    """Tens and face cards count ten for the burn, aces one."""
    return value(card) or 10


def player_draws(player: int, banker: int) -> bool:
    if player >= 8 or banker >= 8:
        return False
    return player <= 5


def banker_draws(player: int, banker: int, third: int | None) -> bool:
    """Read Table 2: Banker's two cards, and the value of Player's third card if there is one."""
    if player >= 8 or banker >= 8:
        return False
    if banker <= 2:
        return True
    if banker == 3:
        return third != 8
    if banker == 4:
        return third is None or 2 <= third <= 7
    if banker == 5:
        return third is None or 4 <= third <= 7
    if banker == 6:
        return third is not None and 6 <= third <= 7
    return False


def dealt_rightly(cards: list[str]) -> tuple[list[str], list[str]]:
    """Deal cards to the two hands, and hold that they are as many as the law has dealt."""
    player, banker, rest = [cards[0], cards[2]], [cards[1], cards[3]], cards[4:]
    first, second = count(player), count(banker)
    third = None
    if player_draws(first, second):
        player.append(rest.pop(0))
        third = value(player[2])
    if banker_draws(first, second, third):
        banker.append(rest.pop(0))
    assert rest == [], f"{cards}: a card too many"
    return player, banker


def odds(text: str) -> Fraction:
    won, _, staked = text.partition(":")
    return Fraction(int(won), int(staked))


def bonus(own: list[str], other: list[str]) -> str:
    mine, yours = count(own), count(other)
    natural, theirs = len(own) == 2 and mine >= 8, len(other) == 2 and yours >= 8
    if natural and theirs and mine == yours:
        return "push"
    if natural and (not theirs or mine > yours):
        return "natural"
    if natural:
        return "lose"
    return f"win_by_{mine - yours}" if mine - yours >= 4 else "lose"


@dataclass
class Terms:
    """What a licensee elected, as the header of a log has it."""

    elections: Line

    def __getitem__(self, name: str) -> Any:
        found: Any = self.elections
        for part in name.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        return found

    def paytable(self) -> dict[str, Fraction]:
        named = self["wagers.bonus.paytable"]
        if isinstance(named, dict):
            return {line: odds(text) for line, text in named.items()}
        rows = (row.split() for row in PAYTABLES[named].split(", "))
        return {line: odds(text) for line, text in rows}

    def wins(self, wager: str, player: list[str], banker: list[str]) -> Fraction | str:
        """Return the odds at which a wager wins, or that it loses or is void."""
        scheme, ours, theirs = self["vigorish.scheme"], count(player), count(banker)
        dragon = theirs == 7 and len(banker) == 3 and theirs > ours
        match wager:
            case "tie":
                return odds(self["wagers.tie.pays"]) if ours == theirs else "lose"
            case "four_cards" | "five_cards" | "six_cards":
                wanted = {"four_cards": 4, "five_cards": 5, "six_cards": 6}[wager]
                if len(player) + len(banker) != wanted:
                    return "lose"
                return Fraction(3, 2) if wanted == 4 else Fraction(2)
            case "bonus_player" | "bonus_banker":
                own, other = (player, banker) if wager == "bonus_player" else (banker, player)
                line = bonus(own, other)
                return line if line in {"lose", "push"} else self.paytable()[line]
            case "dragon_7":
                return odds(self["wagers.dragon_7.pays"]) if dragon else "lose"
        if ours == theirs:
            return "push"
        if (wager == "player") != (ours > theirs):
            return "lose"
        if wager == "banker" and scheme == "dragon-7" and dragon:
            return "push"
        if wager == "banker" and scheme == "six-pays-half" and theirs == 6:
            return Fraction(1, 2)
        return Fraction(1)

    def vigorish(self, stakes: dict[str, int], won: int, *, tied: bool) -> int:
        """Return the vigorish, in cents, on one patron's Banker wager that won or tied."""
        scheme = self["vigorish.scheme"]
        if tied:
            return stakes["banker"] // 4 if scheme == "tie-25%" else 0
        if scheme in {"tie-25%", "six-pays-half", "dragon-7"}:
            return 0
        if scheme == "total-cards":
            others = sum(stakes.get(f"{number}_cards", 0) for number in ("four", "five", "six"))
            if others >= stakes["banker"]:
                return 0
            scheme = self["vigorish.rate_unwaived"]
        exact = won * Fraction(int(scheme.removesuffix("%")), 100)
        rounded = ceil(exact / 5) * 5 if self["vigorish.rounded"] else exact
        assert rounded == int(rounded)
        return int(rounded)


@dataclass
class Oracle:
    """Goes through a log, and judges every shoe, round and payment by itself."""

    terms: Terms
    decks: int
    seen: Counter[str] = field(default_factory=Counter)
    burned: list[str] = field(default_factory=list)
    held: list[str] = field(default_factory=list)
    cards: list[Line] = field(default_factory=list)
    stakes: dict[int, dict[str, int]] = field(default_factory=lambda: defaultdict(dict))
    chips: Counter[int] = field(default_factory=Counter)
    owed: Counter[int] = field(default_factory=Counter)
    settled: list[Line] = field(default_factory=list)
    result: Line | None = None
    simulated: bool = False
    voided: bool = False
    judged: Counter[str] = field(default_factory=Counter)

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
        self.hear_round(event)
        self.hear_money(event, event.get("seat", 0), event.get("cents", 0))
        self.hear_vigorish(event, event.get("seat", 0), event.get("cents", 0))

    def hear_round(self, event: Line) -> None:
        match event["type"]:
            case "SimulatedRoundBegun":
                self.simulated = True
            case "CardDealt":
                self.dealt(event)
            case "ResultAnnounced":
                self.result = event
            case "RoundVoided":
                self.voided = True
            case "LayoutCleared":
                self.judge(event)

    def dealt(self, event: Line) -> None:
        """Hold that cards held begin the next hand, in the order in which they were drawn."""
        if event["source"] == "held":
            assert event["card"] == self.held.pop(0)
            assert all(one["source"] == "held" for one in self.cards)
        elif not self.cards and not self.simulated:
            assert self.held == []
        self.cards.append(event)

    def hear_money(self, event: Line, seat: int, cents: int) -> None:
        match event["type"]:
            case "ChipsBought":
                self.chips[seat] += cents
            case "WagersPlaced":
                self.place(seat, event["stakes"])
            case "WagerPlaced":
                self.place(seat, {event["wager"]: cents})
            case "LosingWagersCollected":
                self.settled.append(event)
            case "StakesReleased":
                for stake in event["stakes"]:
                    self.chips[stake["seat"]] += stake["cents"]
                self.settled.append(event)
                if self.voided:
                    self.judge_void(event)
            case "WagerPaid":
                self.chips[seat] += cents
                self.settled.append(event)
            case "PatronLeft":
                assert event["chips_cents"] == self.chips.pop(seat)
                assert self.owed[seat] == 0

    def hear_vigorish(self, event: Line, seat: int, cents: int) -> None:
        match event["type"]:
            case "VigorishMarked":
                self.owed[seat] += cents
                assert event["owed_cents"] == self.owed[seat]
                self.settled.append(event)
            case "VigorishCollected":
                self.chips[seat] -= cents
                if event["deferred"]:
                    assert cents == self.owed.pop(seat)
                else:
                    self.settled.append(event)
            case "VigorishDocumented":
                assert cents == self.owed.pop(seat)

    def place(self, seat: int, stakes: dict[str, int]) -> None:
        for wager, cents in stakes.items():
            self.stakes[seat][wager] = self.stakes[seat].get(wager, 0) + cents
            self.chips[seat] -= cents

    def judge_void(self, event: Line) -> None:
        back = {(one["seat"], one["wager"]): one["cents"] for one in event["stakes"]}
        assert back == self.all_stakes()
        assert all(one["type"] == "StakesReleased" for one in self.settled)
        self.judged["void"] += 1
        self.clear()

    def all_stakes(self) -> dict[tuple[int, str], int]:
        return {
            (seat, wager): cents
            for seat, stakes in self.stakes.items()
            for wager, cents in stakes.items()
        }

    def judge(self, cleared: Line) -> None:
        player, banker = dealt_rightly([event["card"] for event in self.cards])
        assert (cleared["player"], cleared["banker"]) == (player, banker)
        hands = ["player", "banker", "player", "banker"]
        hands += ["player"] * (len(player) == 3) + ["banker"] * (len(banker) == 3)
        assert [event["hand"] for event in self.cards] == hands
        assert cleared["simulated"] == self.simulated
        if self.simulated:
            # Nobody has wagered, so there is nothing to announce or to settle.
            assert self.result is None
            assert self.settled == []
            self.judged["simulated"] += 1
        else:
            self.judge_result(player, banker)
            self.judge_money(player, banker)
            self.judged["rounds"] += 1
        self.clear(keep_stakes=cleared["simulated"])

    def judge_result(self, player: list[str], banker: list[str]) -> None:
        ours, theirs = count(player), count(banker)
        winner = None if ours == theirs else "player" if ours > theirs else "banker"
        assert self.result is not None
        assert (self.result["player_count"], self.result["banker_count"]) == (ours, theirs)
        assert self.result["winner"] == winner
        assert self.result["cards"] == len(player) + len(banker)
        said = self.result["words"].lower()
        assert ("tie hand" in said) == (winner is None)
        dragon = winner == "banker" and theirs == 7 and len(banker) == 3
        assert ("dragon 7" in said) == (dragon and self.terms["vigorish.scheme"] == "dragon-7")
        self.judged[winner or "tie"] += 1

    def judge_money(self, player: list[str], banker: list[str]) -> None:
        lost, back, paid, due = {}, {}, {}, Counter[int]()
        for (seat, wager), cents in self.all_stakes().items():
            outcome = self.terms.wins(wager, player, banker)
            if outcome == "lose":
                lost[seat, wager] = cents
                continue
            back[seat, wager] = cents
            won = 0
            if isinstance(outcome, Fraction):
                assert (cents * outcome).denominator == 1
                won = int(cents * outcome)
                paid[seat, wager] = won
            if wager == "banker" and (won or count(player) == count(banker)):
                due[seat] += self.terms.vigorish(self.stakes[seat], won, tied=not won)
        assert self.moved("LosingWagersCollected") == lost
        assert self.moved("StakesReleased") == back
        assert self.paid() == paid
        assert self.taken() == {seat: cents for seat, cents in due.items() if cents}
        self.judged["paid"] += len(paid)
        self.judged["vigorish"] += sum(due.values()) > 0

    def moved(self, kind: str) -> dict[tuple[int, str], int]:
        stakes = [one for event in self.settled if event["type"] == kind for one in event["stakes"]]
        assert len({(one["seat"], one["wager"]) for one in stakes}) == len(stakes)
        return {(one["seat"], one["wager"]): one["cents"] for one in stakes}

    def paid(self) -> dict[tuple[int, str], int]:
        events = [event for event in self.settled if event["type"] == "WagerPaid"]
        assert len({(one["seat"], one["wager"]) for one in events}) == len(events)
        return {(one["seat"], one["wager"]): one["cents"] for one in events}

    def taken(self) -> dict[int, int]:
        deferred = self.terms["vigorish.collection"] == "deferred"
        kind = "VigorishMarked" if deferred else "VigorishCollected"
        events = [event for event in self.settled if event["type"].startswith("Vigorish")]
        assert {event["type"] for event in events} <= {kind}
        assert len({event["seat"] for event in events}) == len(events)
        return {event["seat"]: event["cents"] for event in events}

    def clear(self, *, keep_stakes: bool = False) -> None:
        if self.burned:
            assert len(self.burned) == 1 + burned_with(self.burned[0])
            self.burned.clear()
        self.cards.clear()
        self.settled.clear()
        self.result, self.simulated, self.voided = None, False, False
        if not keep_stakes:
            self.stakes.clear()


def judged(log: Path) -> Counter[str]:
    """Judge every round of a log; return how many there were of each sort."""
    header, *entries, _last = (json.loads(line) for line in log.read_text().splitlines())
    terms = Terms(header["elections"])
    decks = terms["decks"] // (2 if terms["device"] == "shuffler" else 1)
    oracle = Oracle(terms, decks)
    for entry in entries:
        oracle.read(entry)
    assert not oracle.cards
    assert +oracle.chips == Counter()
    assert +oracle.owed == Counter()
    return oracle.judged


# --- what is golden ----------------------------------------------------------------------------


@pytest.mark.parametrize("one", GOLDEN, ids=str)
def test_a_golden_shoe_is_told_as_it_was(tmp_path: Path, one: Playthrough) -> None:
    now = told(one.play(tmp_path / "table.jsonl")).splitlines()
    golden = one.path.read_text(encoding="utf-8").splitlines()
    # python tests/regolden.py writes them anew, to be read before they are kept.
    assert now == golden


def test_no_golden_text_is_left_over() -> None:
    assert {path.name for path in FOLDER.glob("*.txt")} == {one.path.name for one in GOLDEN}


@pytest.mark.parametrize("one", GOLDEN, ids=str)
def test_every_round_of_a_golden_shoe_is_right_by_the_oracle(
    tmp_path: Path, one: Playthrough
) -> None:
    log = tmp_path / "table.jsonl"
    one.play(log)
    found = judged(log)
    assert found["rounds"] > 60
    assert min(found[winner] for winner in ("player", "banker", "tie")) > 3
    assert (found["void"] > 0, found["simulated"] > 0) == (
        (True, True) if one.mishaps else (False, False)
    )


@pytest.mark.parametrize("submission", SUBMISSIONS, ids=lambda path: path.stem)
@pytest.mark.parametrize("seed", [11, 12])
@pytest.mark.parametrize("mishaps", [0, 40])
def test_every_round_under_every_submission_is_right_by_the_oracle(
    tmp_path: Path, submission: Path, seed: int, mishaps: int
) -> None:
    log = tmp_path / "table.jsonl"
    play(log, submission, seed=seed, patrons=3, mishaps=mishaps, rounds=90)
    found = judged(log)
    assert found["rounds"] + found["void"] > 30
    assert found["paid"] > 100
    charges = submission.stem not in {"nj-minibaccarat-six-pays-half", "nj-minibaccarat-dragon-7"}
    assert (found["vigorish"] > 0) == charges


def test_the_oracle_knows_nothing_of_the_game_and_its_money() -> None:
    imported = {
        name
        for node in ast.walk(ast.parse(Path(__file__).read_text(encoding="utf-8")))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for name in (
            [node.module] if isinstance(node, ast.ImportFrom) else [one.name for one in node.names]
        )
    }
    assert not [name for name in imported if name is not None and name.startswith("croupier")]


@pytest.mark.parametrize(
    ("cards", "player", "banker"),
    [
        # The law's own example: Banker's five draws against a third card worth four.
        ("2h 2d 2s 3d 4h 9c", ["2h", "2s", "4h"], ["2d", "3d", "9c"]),
        ("9h Kd Th 7c", ["9h", "Th"], ["Kd", "7c"]),
        ("2h Kd 2s 3d 8h", ["2h", "2s", "8h"], ["Kd", "3d"]),
        ("2h Kd 4s 5d 8h", ["2h", "4s"], ["Kd", "5d", "8h"]),
    ],
)
def test_the_oracle_deals_by_the_printed_tables(
    cards: str, player: list[str], banker: list[str]
) -> None:
    assert dealt_rightly(cards.split()) == (player, banker)
