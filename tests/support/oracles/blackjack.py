"""An oracle for the blackjack wagers, written from the law as printed: it imports nothing of the game.

``judge`` and ``lammer`` decide streaks from the whole history of a seat, and keep no state.
``Judged`` goes through what ``croupier blackjack --format json`` gives, and holds every round to
the law and to the elections of the submission: cards, outcomes, order, lammers, payments, totals.
"""

from __future__ import annotations

import tomllib
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

Line = dict[str, Any]

LETTERS: Final = {"win": "W", "lose": "L", "push": "P", "unfinished": "U"}


# --- streaks -----------------------------------------------------------------------------------------


def step(hands: str) -> int | None:
    """What a round does to a streak: 1 forward, 0 nothing, ``None`` the end of it."""
    if not hands or "U" in hands:
        return None
    won, lost = hands.count("W"), hands.count("L")
    if won == lost:
        return 0
    return 1 if won > lost else None


def judge(length: int, rounds: Sequence[str]) -> tuple[str, int] | None:
    """Tell whether a wager on a streak is won or lost by these rounds, and in which of them.

    Rounds that do nothing are struck out. Of those left the first ``length`` decide: the wager is
    won if all of them are won, and lost with the first that is not.
    """
    counting = [(number, step(hands)) for number, hands in enumerate(rounds) if step(hands) != 0]
    first = counting[:length]
    for number, forward in first:
        if forward is None:
            return "lost", number
    return ("won", first[-1][0]) if len(first) == length else None


def lammer(lengths: Sequence[int], rounds: Sequence[str]) -> int | None:
    """Where the lammer lies after these rounds: the hands won and one more, while one is wanted."""
    won = sum(step(hands) == 1 for hands in rounds)
    undecided = [length for length in lengths if judge(length, rounds) is None]
    return won + 1 if won and undecided else None


# --- cards -------------------------------------------------------------------------------------------


def count(cards: Sequence[str]) -> int:
    """Count a hand: each ace as eleven, and then as one while the hand is over twenty-one."""
    values = [11 if card[0] == "A" else 10 if card[0] in "TJQK" else int(card[0]) for card in cards]
    over, aces = sum(values), values.count(11)
    while over > 21 and aces:
        over, aces = over - 10, aces - 1
    return over


def natural(cards: Sequence[str]) -> bool:
    """An ace with a ten or face card, as dealt."""
    return len(cards) == 2 and count(cards) == 21


def end_of(hand: Sequence[str], dealer: Sequence[str], *, split: bool) -> str:
    """How a hand ended against the dealer's."""
    ours, theirs = natural(hand) and not split, natural(dealer)
    if ours or theirs:
        return "push" if ours and theirs else "win" if ours else "lose"
    if count(hand) > 21:
        return "lose"
    if count(dealer) > 21 or count(hand) > count(dealer):
        return "win"
    return "push" if count(hand) == count(dealer) else "lose"


# --- what the command gives --------------------------------------------------------------------------


@dataclass
class Judged:
    """Goes through the rounds that the command gives, and judges each by itself.

    ``found`` counts what was judged, so that a test can see that there was something.
    """

    submission: Path
    found: Counter[str] = field(default_factory=Counter)
    history: dict[int, list[str]] = field(default_factory=dict)
    stakes: dict[int, dict[int, int]] = field(default_factory=dict)
    win: int = 0

    def __post_init__(self) -> None:
        with self.submission.open("rb") as file:
            submission = tomllib.load(file)
        self.elections = submission["elections"]
        seats = range(1, submission["table"]["seats"] + 1)
        upward = submission["table"].get("numbering", "counterclockwise") == "counterclockwise"
        self.ring = list(seats) if upward else list(seats)[::-1]

    def judge(self, data: Line) -> Counter[str]:
        """Judge all that the command gives; return how much of it there was of each sort."""
        numbers = [one["round"] for one in data["played"]]
        assert numbers == sorted(set(numbers))
        assert data["rounds"] == len(numbers)
        for one in data["played"]:
            self._round(one)
        assert data["ledger_in_balance"]
        assert data["table_win_cents"] == self.win
        undecided = (
            cents
            for seat, stakes in self.stakes.items()
            for length, cents in stakes.items()
            if judge(length, self.history[seat]) is None
        )
        assert data["in_play_cents"] == sum(undecided)
        for row in data["totals"]:
            assert row["placed"] == row["won"] + row["lost"] + row["in_play"]
        assert sum(row["lost_cents"] - row["paid_cents"] for row in data["totals"]) == self.win
        return self.found

    def _round(self, one: Line) -> None:
        ends = {seat["seat"]: [hand["result"] for hand in seat["hands"]] for seat in one["seats"]}
        if one["dealer"] is not None:
            self._cards(one)
        assert all(event["clauses"] for event in one["events"] if event["type"] != "FirstCardDealt")
        if self.elections["streak"]["offered"]:
            self._streaks(one["events"], {seat: _letters(hands) for seat, hands in ends.items()})
        else:
            self._bonuses(one)
        self.found["rounds"] += 1

    # --- cards

    def _cards(self, one: Line) -> None:
        dealer = one["dealer"]
        assert one["dealer_natural"] == natural(dealer)
        assert all(count(dealer[:drawn]) < 17 for drawn in range(2, len(dealer)))
        open_hands = False
        for seat in one["seats"]:
            hands = [hand["cards"] for hand in seat["hands"]]
            split = len(hands) > 1
            assert len(hands) <= 4
            for hand, told in zip(hands, (one["result"] for one in seat["hands"]), strict=True):
                assert told == end_of(hand, dealer, split=split)
                bust = count(hand) > 21
                open_hands |= not bust and (split or not natural(hand))
                # A card is drawn only to a hand that is neither bust nor twenty-one.
                assert all(count(hand[:drawn]) < 21 for drawn in range(2, len(hand)))
                self.found[told] += 1
            if split and all(hand[0][0] == "A" for hand in hands):
                assert all(len(hand) == 2 for hand in hands)
            if natural(dealer):
                assert all(len(hand) == 2 for hand in hands)
            self.found["split"] += split
        assert count(dealer) >= 17 or not open_hands
        assert len(dealer) == 2 or open_hands

    # --- streaks

    def _streaks(self, events: list[Line], rounds: Mapping[int, str]) -> None:
        kinds = [event["type"] for event in events]
        dealt = kinds.index("FirstCardDealt")
        assert set(kinds[:dealt]) <= {"BlackjackWagerPlaced", "StreakWagersPlaced"}
        for event in _of(events[:dealt], "StreakWagersPlaced"):
            seat = event["seat"]
            assert seat not in self.stakes, "placed while another is undecided"
            assert seat in rounds
            self.stakes[seat] = {stake["length"]: stake["cents"] for stake in event["stakes"]}
            self.history[seat] = []
        before = {
            seat: lammer(list(all_of), self.history[seat]) for seat, all_of in self.stakes.items()
        }
        for seat in self.stakes:
            self.history[seat].append(rounds.get(seat, ""))
        self._collected(events[dealt + 1 :])
        self._lammers(events[dealt + 1 :], before)
        self._forget()
        assert kinds[-1] == "CardsCollected"

    def _verdicts(self, seat: int) -> dict[int, str]:
        """What the newest round decided for a seat, by length."""
        rounds = self.history[seat]
        judged = {length: judge(length, rounds) for length in self.stakes[seat]}
        return {
            one: verdict[0]
            for one, verdict in judged.items()
            if verdict and verdict[1] == len(rounds) - 1
        }

    def _collected(self, events: list[Line]) -> None:
        """Hold collections and payments to the judge, each once round from the dealer's right."""
        lost, paid = [], []
        for seat in self.ring:
            if seat not in self.stakes:
                continue
            stakes, verdicts = self.stakes[seat], self._verdicts(seat)
            gone = {length: stakes[length] for length, word in verdicts.items() if word == "lost"}
            if gone:
                lost.append((seat, gone))
                self.win += sum(gone.values())
            for length, word in verdicts.items():
                if word == "won":
                    won, staked = map(int, self.elections["streak"]["pays"][str(length)].split(":"))
                    cents = stakes[length] * won // staked
                    paid.append((seat, length, stakes[length], cents))
                    self.win -= cents
                    self.found[f"streak of {length}"] += 1
        found = _of(events, "StreakWagersCollected")
        assert [
            (one["seat"], {stake["length"]: stake["cents"] for stake in one["stakes"]})
            for one in found
        ] == lost
        found = _of(events, "StreakPaid")
        assert [
            (one["seat"], one["length"], one["stake_cents"], one["cents"]) for one in found
        ] == paid
        collecting = [one["type"].endswith("WagersCollected") for one in events]
        paying = [one["type"].endswith("Paid") for one in events]
        if any(collecting) and any(paying):
            assert max(at for at, yes in enumerate(collecting) if yes) < paying.index(True)
        self.found["lost"] += len(lost)

    def _lammers(self, events: list[Line], before: Mapping[int, int | None]) -> None:
        """Hold each lammer to where the judge has it, moved before a payment where wagers are several."""
        for seat, stakes in self.stakes.items():
            after = lammer(list(stakes), self.history[seat])
            own = [one for one in events if one.get("seat") == seat]
            moved = _of(own, "LammerMoved")
            told = [(one["from_area"], one["to_area"]) for one in moved]
            assert told == ([] if after == before[seat] else [(before[seat], after)])
            if moved and (paid := _of(own, "StreakPaid")):
                self.found["moved and paid"] += 1
                undecided = [one for one in stakes if judge(one, self.history[seat][:-1]) is None]
                assert (own.index(moved[0]) < own.index(paid[0])) == (len(undecided) > 1)

    def _forget(self) -> None:
        for seat in list(self.stakes):
            judged = [judge(length, self.history[seat]) for length in self.stakes[seat]]
            if None not in judged:
                del self.stakes[seat]
        # Of a streak with several wagers those that are decided are out of play.
        for seat, stakes in self.stakes.items():
            self.found["held over"] += any(judge(one, self.history[seat]) for one in stakes)

    # --- bonuses

    def _bonuses(self, one: Line) -> None:
        events = one["events"]
        stakes = {each["seat"]: each["cents"] for each in _of(events, "BonusWagerPlaced")}
        assert set(stakes.values()) <= {100, 500}
        winners = []
        for seat in self.ring:
            (told,) = [each for each in one["seats"] if each["seat"] == seat] or [None]
            if (
                told is not None
                and seat in stakes
                and len(told["hands"]) == 1
                and natural(told["hands"][0]["cards"])
            ):
                winners.append(seat)
        assert [each["seat"] for each in _of(events, "BonusPaid")] == winners
        for seat in winners:
            self._payout([each for each in events if each.get("seat") == seat], stakes[seat])
        (cleared,) = _of(events, "LayoutCleared")
        left = {seat: cents for seat, cents in stakes.items() if seat not in winners}
        assert {each["seat"]: each["cents"] for each in cleared["collected"]} == left
        assert events[-1] is cleared
        self.win += sum(left.values())
        self.found["bonus lost"] += len(left)

    def _payout(self, events: list[Line], stake: int) -> None:
        placed, shown, verified, known, paid = events
        cents = shown["cents"]
        assert [one["cents"] for one in events] == [stake, cents, cents, cents, cents]
        steps = [one["type"] for one in (placed, shown, verified, known, paid)]
        made_known = "PayoutAnnounced" if cents < 10_000 else "PayoutConfirmed"
        assert steps == [
            "BonusWagerPlaced",
            "PayoutShown",
            "PayoutVerified",
            made_known,
            "BonusPaid",
        ]
        least, most = {100: (500, 100_000), 500: (5000, 500_000)}[stake]
        assert least <= cents <= most
        rows = self.elections["blackjack_bonus"]["schedule"][str(stake // 100)]
        assert f"{cents // 100}.{cents % 100:02}" in [row.split()[0] for row in rows]
        assert paid["returned"] == (self.elections["blackjack_bonus"]["award_is"] == "to-one")
        self.win -= cents if paid["returned"] else cents - stake
        self.found["announced" if cents < 10_000 else "confirmed"] += 1


def _letters(hands: Sequence[str]) -> str:
    return "".join(LETTERS[hand] for hand in hands)


def _of(events: Sequence[Line], kind: str) -> list[Line]:
    return [event for event in events if event["type"] == kind]
