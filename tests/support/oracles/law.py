"""The law as printed, for the oracle: drawing, counts, every wager's result, odds and vigorish.

Written from the regulations by hand, for every text that tables are dealt under. It reads nothing but
what a log's header says was elected, and imports nothing of the program.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from fractions import Fraction
from math import ceil
from typing import Any, Final

NJ_MINI: Final = "us-nj/minibaccarat"
NJ_PUNTO: Final = "us-nj/punto-banco"
MASSACHUSETTS: Final = "us-ma/minibaccarat"
NEW_YORK: Final = "us-ny/mini-midi-baccarat"

PAYTABLES: Final = {
    "A": "win_by_9 30:1, win_by_8 10:1, win_by_7 6:1, win_by_6 4:1, win_by_5 2:1, win_by_4 1:1, natural 1:1",
    "B": "win_by_9 20:1, win_by_8 8:1, win_by_7 7:1, win_by_6 4:1, win_by_5 3:1, win_by_4 1:1, natural 1:1",
    "C": "win_by_9 30:1, win_by_8 10:1, win_by_7 4:1, win_by_6 4:1, win_by_5 2:1, win_by_4 2:1, natural 1:1",
}  # fmt: skip
"""The three tables of the bonus, which are the same in all four texts."""

ROUNDED_TO_CENTS: Final = {
    (NJ_MINI, 5): 5, (NJ_MINI, 4): 5,
    (NJ_PUNTO, 5): 25, (NJ_PUNTO, 4): 20,
    (MASSACHUSETTS, 5): 25,
    (NEW_YORK, 5): 5, (NEW_YORK, 4): 5,
}  # fmt: skip
"""To what vigorish may be rounded upward, by text and percent."""

AWARDS_CENTS: Final = {
    "other_personal": 500_000, "suited_both": 150_000, "royal_both": 25_000,
    "suited": 5_000, "royal": 2_500,
}  # fmt: skip
"""What Royal 9 awards where it is no progressive."""

METERS: Final = ("star", "spade", "heart")
ROYAL_9_STAKE_CENTS: Final = 500

BASE: Final = {"player", "banker"}
TOTAL_CARDS: Final = {"four_cards": 4, "five_cards": 5, "six_cards": 6}
NO_WIN_VIGORISH: Final = {"tie-25%", "six-pays-half", "dragon-7"}

LOSE: Final = "lose"
PUSH: Final = "push"


# --- cards, counts, and who draws --------------------------------------------------------------


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


def banker_draws(player: int, banker: int, third: int | None, *, literal: bool = False) -> bool:
    """Read the printed tables: Banker's two cards, and the value of Player's third card if any.

    New York prints a damaged row where Banker has 0, 1 or 2: by the letter it draws on a third card
    of 0 and on no other. Where Player stood, that row says nothing: Banker draws on 0 to 5.
    """
    if player >= 8 or banker >= 8:
        return False
    if third is None:
        return banker <= 5
    if banker <= 2:
        return third == 0 if literal else True
    if banker == 3:
        return third != 8
    if banker == 4:
        return 2 <= third <= 7
    if banker == 5:
        return 4 <= third <= 7
    if banker == 6:
        return 6 <= third <= 7
    return False


def dealt_rightly(cards: list[str], *, literal: bool = False) -> tuple[list[str], list[str]]:
    """Deal cards to the two hands, and hold that they are as many as the law has dealt."""
    player, banker, rest = [cards[0], cards[2]], [cards[1], cards[3]], cards[4:]
    first, second = count(player), count(banker)
    third = None
    if player_draws(first, second):
        player.append(rest.pop(0))
        third = value(player[2])
    if banker_draws(first, second, third, literal=literal):
        banker.append(rest.pop(0))
    assert rest == [], f"{cards}: a card too many"
    return player, banker


# --- the wagers on more than who wins ----------------------------------------------------------


def bonus(own: list[str], other: list[str]) -> str:
    mine, yours = count(own), count(other)
    natural, theirs = len(own) == 2 and mine >= 8, len(other) == 2 and yours >= 8
    if natural and theirs and mine == yours:
        return PUSH
    if natural and (not theirs or mine > yours):
        return "natural"
    if natural:
        return LOSE
    return f"win_by_{mine - yours}" if mine - yours >= 4 else LOSE


def house_money(player: list[str], banker: list[str]) -> int:
    """Return what is paid to one: fifteen for two pairs, three for one, nothing for none.

    Pairs are of one rank in the first two cards: a king and a queen are none.
    """
    pairs = [hand[0][0] == hand[1][0] for hand in (player, banker)]
    if all(pairs):
        return 15
    return 3 if any(pairs) else 0


def royal(hand: list[str]) -> bool:
    """A nine and a jack, queen or king in the first two cards."""
    ranks = {card[0] for card in hand[:2]}
    return "9" in ranks and bool(ranks & set("JQK"))


def royal_9(own: str, others: Collection[str], player: list[str], banker: list[str]) -> str:
    """Return the highest award that a chair's combination, or any Royal 9, earns."""
    mine = set(own.split())
    elsewhere = [set(other.split()) for other in others]
    first, second = set(player[:2]), set(banker[:2])
    if first == mine == second:
        return "star"
    if second == mine:
        return "spade"
    if first == mine:
        return "heart"
    if first == second and first in elsewhere:
        return "other_personal"
    royals = [hand for hand in (player, banker) if royal(hand)]
    suited = [hand for hand in royals if hand[0][1] == hand[1][1]]
    if len(suited) == 2:
        return "suited_both"
    if len(royals) == 2:
        return "royal_both"
    if suited:
        return "suited"
    return "royal" if royals else LOSE


# --- what a licensee elected -------------------------------------------------------------------


def odds(text: str) -> Fraction:
    won, _, staked = text.partition(":")
    return Fraction(int(won), int(staked))


def rate(text: str) -> Fraction:
    return Fraction(int(text[:-1]), 100) if text.endswith("%") else Fraction(text)


def cents(amount: str | int) -> int:
    return int(Fraction(amount) * 100)


@dataclass
class Terms:
    """What one table plays by: its law, and what the header of a log says was elected."""

    header: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        """Return an election, which a submission may write with dots or as nested tables."""
        found: Any = self.header["elections"]
        if name in found:
            return found[name]
        for part in name.split("."):
            found = found.get(part) if isinstance(found, dict) else None
        return found

    @property
    def law(self) -> str:
        return str(self.header["law"])

    @property
    def scheme(self) -> str:
        return str(self["vigorish.scheme"])

    @property
    def is_ez(self) -> bool:
        return self.scheme == "dragon-7"

    @property
    def literal_row(self) -> bool:
        return self.law == NEW_YORK and self.header["interpretations"].get("T41") == "literal"

    @property
    def offered(self) -> set[str]:
        """The wagers on this table's layout."""
        found = {"player", "banker", "tie"}
        if self["wagers.total_cards.offered"]:
            found |= set(TOTAL_CARDS)
        if self["wagers.bonus.offered"]:
            found.add("bonus_player")
            if self["wagers.bonus.on"] != "player-only":
                found.add("bonus_banker")
        if self.is_ez:
            found.add("dragon_7")
            if self.law in {MASSACHUSETTS, NEW_YORK}:
                found.add("panda_8")
        found |= {one for one in ("house_money", "royal_9") if self[f"wagers.{one}.offered"]}
        return found

    @property
    def order(self) -> str:
        """The order of payment and vigorish: Massachusetts has one, and an EZ table none."""
        if self.law == MASSACHUSETTS:
            return "vigorish-then-payment"
        return str(self["settlement.order"] or "payment-then-vigorish")

    @property
    def from_dealers_right(self) -> list[int]:
        """The seats counterclockwise from the dealer's right: upward where numbers ascend so."""
        seats = list(range(1, self.header["layout"]["seats"] + 1))
        return seats if self.header["layout"]["numbering"] == "counterclockwise" else seats[::-1]

    def pays(self, wager: str, printed: str) -> Fraction:
        """Return the odds elected where the text leaves them open, and else those printed."""
        return odds(self[f"wagers.{wager}"] or printed)

    def paytable(self) -> dict[str, Fraction]:
        named = self["wagers.bonus.paytable"]
        if isinstance(named, dict):
            return {line: odds(text) for line, text in named.items()}
        rows = (row.split() for row in PAYTABLES[named].split(", "))
        return {line: odds(text) for line, text in rows}

    def wins(self, wager: str, player: list[str], banker: list[str]) -> Fraction | str:
        """Return the odds at which a wager wins, or that it loses or is void."""
        ours, theirs = count(player), count(banker)
        if wager in TOTAL_CARDS:
            if len(player) + len(banker) != TOTAL_CARDS[wager]:
                return LOSE
            return Fraction(3, 2) if wager == "four_cards" else Fraction(2)
        match wager:
            case "tie":
                return self.pays("tie.pays", "8:1") if ours == theirs else LOSE
            case "bonus_player" | "bonus_banker":
                own, other = (player, banker) if wager == "bonus_player" else (banker, player)
                line = bonus(own, other)
                return line if line in {LOSE, PUSH} else self.paytable()[line]
            case "dragon_7":
                return self.pays("dragon_7.pays", "40:1") if dragon_7(player, banker) else LOSE
            case "panda_8":
                return Fraction(25) if panda_8(player, banker) else LOSE
        return self.base_wins(wager, player, banker)

    def base_wins(self, wager: str, player: list[str], banker: list[str]) -> Fraction | str:
        ours, theirs = count(player), count(banker)
        if ours == theirs:
            return PUSH
        if (wager == "player") != (ours > theirs):
            return LOSE
        if wager == "banker" and self.is_ez and dragon_7(player, banker):
            return PUSH
        if wager == "banker" and self.scheme == "six-pays-half" and theirs == 6:
            return self.pays("banker.pays_on_six", "1:2")
        return self.pays(f"{wager}.pays", "1:1")

    def royal_9(self, seat: int, player: list[str], banker: list[str]) -> str:
        chairs = list(self["wagers.royal_9.chairs"])
        own = chairs.pop(seat - 1)
        return royal_9(own, chairs, player, banker)

    def vigorish(self, stakes: dict[str, int], won: int, *, tied: bool) -> tuple[int, bool]:
        """Return the vigorish on one patron's Banker wager that won or tied, and if it is waived."""
        scheme = self.scheme
        if tied:
            return (stakes["banker"] // 4 if scheme == "tie-25%" else 0), False
        if scheme in NO_WIN_VIGORISH:
            return 0, False
        if scheme == "total-cards":
            if sum(stakes.get(wager, 0) for wager in TOTAL_CARDS) >= stakes["banker"]:
                return 0, True
            scheme = self["vigorish.rate_unwaived"]
        percent = int(scheme.removesuffix("%"))
        exact = Fraction(won * percent, 100)
        if not self["vigorish.rounded"]:
            assert exact.denominator == 1
            return int(exact), False
        unit = ROUNDED_TO_CENTS[self.law, percent]
        return ceil(exact / unit) * unit, False


def dragon_7(player: list[str], banker: list[str]) -> bool:
    """A Banker's Hand of three cards that wins with seven."""
    return len(banker) == 3 and count(banker) == 7 and count(player) < 7


def panda_8(player: list[str], banker: list[str]) -> bool:
    """A Player's Hand of three cards that wins with eight."""
    return len(player) == 3 and count(player) == 8 and count(banker) < 8
