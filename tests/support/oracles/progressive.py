"""The oracle's part for Royal 9: meters that wagers feed, the awards, and Must Hit for Stax."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from support.oracles.law import AWARDS_CENTS, LOSE, METERS, ROYAL_9_STAKE_CENTS, Terms, cents, rate

Line = dict[str, Any]


class Progressive:
    """Keeps the meters of one table by itself, and judges what is paid from them."""

    def __init__(self, terms: Terms) -> None:
        self.terms = terms
        self.sealed = ""
        self.ends: list[Line] = []
        names = METERS if "royal_9" in terms.offered else ()
        self.meters = {meter: self.seed(meter) for meter in names}
        self.reserve = 0
        if self.setting("stax.offered"):
            self.meters["stax"] = self.seed("stax")

    def setting(self, name: str) -> Any:
        """Return a setting of the wager as it was elected; those of a meter by the meter's name."""
        below = "" if name.partition(".")[0] not in METERS else "meters."
        return self.terms[f"wagers.royal_9.{below}{name}"]

    def seed(self, meter: str) -> int:
        return cents(self.setting(f"{meter}.seed"))

    def share(self, meter: str, taking_part: list[int]) -> int:
        """Return what a meter takes of a round's wagers, five dollars each."""
        taken = len(taking_part) * ROYAL_9_STAKE_CENTS * rate(self.setting(f"{meter}.increment"))
        assert Fraction(taken).denominator == 1
        return int(taken)

    def stop_at_its_limit(self) -> int:
        """Keep what goes past the amount by which Stax is hit for the next one; return it."""
        if "stax" not in self.meters:
            return 0
        beyond = max(0, self.meters["stax"] - cents(self.setting("stax.must_hit_by")))
        self.meters["stax"] -= beyond
        self.reserve += beyond
        return beyond

    @property
    def is_for_one(self) -> bool:
        """Whether an award is paid for the stake, which the house then keeps."""
        return bool(self.setting("award_is") == "for-one")

    def is_paid_by_hand(self, amount: int) -> bool:
        """Return whether an award is above the limit that was elected, if one was."""
        if not self.setting("hand_pay.offered"):
            return False
        return amount > cents(self.setting("hand_pay.above"))

    def hear(self, event: Line, taking_part: list[int]) -> None:
        match event["type"]:
            case "MetersAdvanced":
                assert sorted(event["seats"]) == taking_part
                for meter in self.meters:
                    self.meters[meter] += self.share(meter, taking_part)
                beyond = self.stop_at_its_limit()
                assert (event["meters"], event["reserved_cents"]) == (self.meters, beyond)
            case "MeterReset":
                self.meters[event["meter"]] = self.seed(event["meter"])
                if event["meter"] == "stax":
                    room = cents(self.setting("stax.must_hit_by")) - self.meters["stax"]
                    kept = min(room, self.reserve)
                    assert event["from_reserve_cents"] == kept
                    self.meters["stax"] += kept
                    self.reserve -= kept
                assert event["cents"] == self.meters[event["meter"]]
            case "MysteryCommitted":
                assert not self.sealed
                self.sealed = event["commitment"]
            case "ProgressiveRoundEnded":
                assert sorted(event["seats"]) == taking_part
                self.ends.append(event)
            case "StaxWon":
                self.judge_stax(event, taking_part)
                self.ends.append(event)

    def judge_awards(self, settled: list[Line], lines: Mapping[int, str]) -> None:
        """Hold each award against the ladder; a progressive against what its meter showed."""
        grown = [event["meters"] for event in settled if event["type"] == "MetersAdvanced"]
        assert len(grown) == (1 if lines else 0)
        wanted = {
            seat: (line, grown[0][line], line)
            if line in METERS
            else (line, AWARDS_CENTS[line], None)
            for seat, line in lines.items()
            if line != LOSE
        }
        paid = [one for one in settled if one["type"] in {"AwardPaid", "HandPayDue"}]
        for one in paid:
            assert (one["type"] == "HandPayDue") == self.is_paid_by_hand(one["cents"])
        awards = [one for one in paid if one["line"] != "stax"]
        assert len({one["seat"] for one in awards}) == len(awards)
        found = {one["seat"]: (one["line"], one["cents"], one["meter"]) for one in awards}
        assert found == wanted
        # A meter that was paid out begins again; no other does.
        emptied = {meter for _, _, meter in wanted.values() if meter}
        for meter in METERS if lines else ():
            shown = self.seed(meter) if meter in emptied else grown[0][meter]
            assert self.meters[meter] == shown

    def judge_stax(self, event: Line, taking_part: list[int]) -> None:
        """Hold that the value which is hit was sealed before, and lay where it could be hit."""
        assert hashlib.sha256(bytes.fromhex(event["secret"])).hexdigest() == self.sealed
        self.sealed = ""
        assert sorted(event["seats"]) == taking_part
        assert event["seat"] in taking_part
        shown, mystery = self.meters["stax"], event["mystery_cents"]
        assert event["cents"] == shown
        assert mystery <= shown
        # It was not shown before this round's wagers came to the meter.
        assert mystery > shown - self.share("stax", taking_part)
        assert self.seed("stax") < mystery <= cents(self.setting("stax.must_hit_by"))

    def judge_end(self, settled: list[Line], taking_part: list[int]) -> None:
        """Hold that a round with Royal 9 wagers is ended once, and that whoever is drawn is paid."""
        wanted = bool(taking_part) and "stax" in self.meters
        assert len(self.ends) == wanted
        won = {one["seat"]: one["cents"] for one in self.ends if one["type"] == "StaxWon"}
        paid = {one["seat"]: one["cents"] for one in settled if one.get("line") == "stax"}
        assert paid == won
        if wanted:
            # A meter that is full was paid out, or has begun full again from the reserve.
            assert self.meters["stax"] < cents(self.setting("stax.must_hit_by")) or won
        self.ends.clear()
