"""PAR sheets of the streak and bonus wagers, from given results or from the reference game."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import prod
from typing import TYPE_CHECKING, Final

from msgspec.structs import replace

from croupier.blackjack.acts import HandOutcome
from croupier.blackjack.bonus import schedule_of
from croupier.blackjack.reference import ReshufflingShoe, deal_round, outcome_of
from croupier.law.standing import entries_named
from croupier.law.values import Odds
from croupier.odds.in_words import cited_by, clauses_in_words, readings_in_words
from croupier.odds.par import wager_figures
from croupier.odds.sheet import OutcomeLine, WagerSheet
from croupier.rules import TableRules
from croupier.rules.documents import provenance
from croupier.table.cards.chance import Chance

if TYPE_CHECKING:
    from croupier.odds.documents import ParSheet, ParWager

_DECKS: Final = 8
_NAMES: Final = ("win", "push", "lose")


class OutcomeCountsError(ValueError):
    """Invalid counts of results."""


def parse_results(text: str) -> dict[str, int]:
    """Read the rounds that advanced, held, and lost a streak.

    >>> parse_results("win=1,lose=2")
    {'win': 1, 'push': 0, 'lose': 2}
    """
    found = dict.fromkeys(_NAMES, 0)
    for part in text.split(","):
        name, _, number = part.strip().partition("=")
        if name not in found or not number.isdigit():
            raise OutcomeCountsError(
                f"{part.strip()!r}: write win=433,push=87,lose=480, with integers"
            )
        found[name] = int(number)
    if not found["win"] or not found["lose"]:
        raise OutcomeCountsError("a streak requires both won and lost rounds")
    return found


def played_results(rounds: int, seed: int) -> dict[str, int]:
    found = dict.fromkeys(_NAMES, 0)
    shoe = ReshufflingShoe(_DECKS, Chance(seed))
    for _ in range(rounds):
        shoe.between_rounds()
        (seat,) = outcome_of(deal_round((1,), shoe)).seats
        ahead = seat.count(HandOutcome.WIN) - seat.count(HandOutcome.LOSE)
        found["push" if ahead == 0 else "win" if ahead > 0 else "lose"] += 1
    return found


def blackjack_sheet(
    rules: TableRules, results: Mapping[str, int], *, source: str, reproduce: str = ""
) -> ParSheet:
    wagers = [*_streaks(rules, results), *_bonuses(rules)]
    return {
        "format": "croupier-par/5",
        **provenance(rules, reproduce),
        "scheme": None,
        "source": source,
        "drawing": None,
        "shoe": None,
        "total_ways": None,
        "wagers": wagers,
        "packages": [],
        "bands": [],
        "tickets": [],
        "clauses": clauses_in_words(rules, cited_by(*wagers)),
        "reading_texts": readings_in_words(rules),
    }


def _streaks(rules: TableRules, results: Mapping[str, int]) -> Iterator[ParWager]:
    if not rules.elected("streak.offered", choice=True):
        return
    for length in streak_lengths(rules):
        sheet = independent_streak(rules, length, results)
        yield _wager(rules, sheet, f"Streak of {length}", f"streak.pays.{length}")


def streak_lengths(rules: TableRules) -> tuple[int, ...]:
    return tuple(map(int, rules.value("streak.lengths", tuple)))


def independent_streak(rules: TableRules, length: int, results: Mapping[str, int]) -> WagerSheet:
    """Sheet of a streak wager if rounds were independent."""
    won, lost = results["win"], results["lose"]
    sheet = streak_sheet(rules, length, won**length, (won + lost) ** length)
    # A wager ends with the first loss or the last win; pushes only prolong it.
    chance = sum(Fraction(won, won + lost) ** number for number in range(length))
    return replace(
        sheet, rounds_per_wager=chance * Fraction(won + lost + results.get("push", 0), won + lost)
    )


def streak_sheet(rules: TableRules, length: int, won: int, wagers: int) -> WagerSheet:
    odds = rules.value(f"streak.pays.{length}", Odds)
    win = OutcomeLine("win", won, odds.ratio, won=True)
    lose = OutcomeLine("lose", wagers - won, Fraction(-1), won=False)
    return WagerSheet(f"streak_{length}", wagers, (win, lose))


def _bonuses(rules: TableRules) -> Iterator[ParWager]:
    if not rules.elected("blackjack_bonus.offered", choice=True):
        return
    for stake in rules.value("blackjack_bonus.stakes", tuple):
        title = f"Blackjack bonus, ${stake}"
        yield _wager(rules, scheduled_bonus(rules, stake), title, "blackjack_bonus.house_advantage")


def scheduled_bonus(rules: TableRules, stake: str) -> WagerSheet:
    prizes = schedule_of(rules, stake)
    total = prod(prize.chance.denominator for prize in prizes)
    return bonus_sheet(rules, stake, [int(prize.chance * total) for prize in prizes], total)


def bonus_sheet(rules: TableRules, stake: str, ways: Sequence[int], total: int) -> WagerSheet:
    is_returned = rules.by_word("blackjack_bonus.award_is", {"to-one": True, "for-one": False})
    cents = int(stake) * 100
    lines = [
        OutcomeLine(
            f"${prize.cents / 100:,.2f}",
            number,
            Fraction(prize.cents - (0 if is_returned else cents), cents),
            won=True,
        )
        for prize, number in zip(schedule_of(rules, stake), ways, strict=True)
    ]
    lines.append(OutcomeLine("lose", total - sum(ways), Fraction(-1), won=False))
    return WagerSheet(f"blackjack_bonus_{stake}", total, tuple(lines))


def _wager(rules: TableRules, sheet: WagerSheet, title: str, rule_id: str) -> ParWager:
    cites: Sequence[str] = rules.cites(rule_id)
    figures = wager_figures(sheet)
    # These ways are powers of shares, and no combinations of cards.
    figures["lines"] = [{**line, "ways": None} for line in figures["lines"]]
    return {
        "id": sheet.wager,
        "title": title,
        "scheme": None,
        **figures,
        "min_cents": None,
        "max_cents": None,
        "max_win_cents": None,
        "max_win_meters": [],
        "rounding": [],
        "definition": [],
        "cites": list(cites),
        "interpretations": [
            name for name in entries_named(rules.law, cites) if name in rules.readings
        ],
    }
