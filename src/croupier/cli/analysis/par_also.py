"""Options of ``croupier par`` for the parts of a sheet that are made if asked for."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from typing import TYPE_CHECKING, Final

import click

from croupier.cli.common.numbers import FiniteRange, whole_or_fail
from croupier.cli.common.output import fail, option_group, requiring
from croupier.law.usage import amount_of, currency_in_use, money
from croupier.odds.packages import Pace
from croupier.odds.par import AlsoAsked, meters_of
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import WagerBands
    from croupier.odds.sheet import WagerSheet
    from croupier.odds.tickets import Purse


_CONFIDENCES: Final = (90, 95, 99)
_MOST_WAGERS: Final = 10**12
_MOST_STAKES: Final = 10_000

also_options = option_group(
    click.option(
        "--rounds",
        "rounds_asked",
        metavar="N,...",
        help="Show confidence bands of the RTP for these numbers of wagers: 1e4,1e6.",
    ),
    click.option(
        "--confidence",
        "confidences",
        multiple=True,
        type=FiniteRange(1, 99.99),
        metavar="PERCENT",
        help="Confidence of the bands; repeatable (default: 90, 95, and 99).",
    ),
    click.option(
        "--stakes",
        "levels",
        metavar="LOW..HIGH/STEP",
        help="Show the RTP of each wager at these stakes, in dollars or the law's currency.",
    ),
    click.option(
        "--ticket",
        "tickets",
        multiple=True,
        metavar="WAGER=AMOUNT,...",
        help="Show the result of several wagers together: player=100,tie=10; repeatable.",
    ),
    click.option(
        "--bankroll",
        metavar="AMOUNT",
        help="Show the ruin and duration of each ticket, repeated from this amount.",
    ),
    click.option("--goal", metavar="AMOUNT", help="End the repeated tickets at this bankroll."),
    click.option(
        "--within",
        type=click.IntRange(1, _MOST_WAGERS),
        metavar="ROUNDS",
        help="End the repeated tickets after this number of rounds.",
    ),
    click.option(
        "--meter",
        "meters",
        multiple=True,
        metavar="NAME=DOLLARS",
        help="Show the edge of a progressive with a meter at this amount; repeatable.",
    ),
    click.option(
        "--rounds-per-hour",
        type=click.IntRange(1),
        help="Show the theoretical win per hour at this pace.",
    ),
    click.option(
        "--seats", type=click.IntRange(1), help="Seats that make each wager (default: 1)."
    ),
    click.option(
        "--rounds-per-shoe", type=click.IntRange(1), help="Rounds of a shoe, for its win."
    ),
)


def also_asked(  # noqa: PLR0913  (each is an option of the command)
    rules: TableRules,
    wagers: Sequence[str],
    *,
    rounds_asked: str | None,
    confidences: tuple[float, ...],
    levels: str | None,
    tickets: tuple[str, ...],
    bankroll: str | None,
    goal: str | None,
    within: int | None,
    meters: tuple[str, ...],
    rounds_per_hour: int | None,
    seats: int | None,
    rounds_per_shoe: int | None,
) -> AlsoAsked:
    has_meters = any(map(meters_of, rules.offers.values()))
    if rounds_per_hour is None and ((seats and not has_meters) or rounds_per_shoe):
        raise click.UsageError(
            "--rounds-per-shoe, and --seats of a table without meters, require --rounds-per-hour"
        )
    if confidences and rounds_asked is None:
        raise click.UsageError("--confidence requires --rounds")
    pace = None
    if rounds_per_hour is not None:
        pace = Pace(rounds_per_hour, seats or 1, rounds_per_shoe)
    placed = tuple(_ticket(rules, ticket) for ticket in tickets)
    return AlsoAsked(
        _bands(rounds_asked, confidences),
        _levels(levels),
        placed,
        _purse(placed, _cents("--bankroll", bankroll), _cents("--goal", goal), within),
        pace,
        wagers,
        _meters(rules, meters),
        seats,
    )


def _meters(rules: TableRules, texts: Sequence[str]) -> Mapping[str, int]:
    found: dict[str, int] = {}
    known = set[str]().union(*map(meters_of, rules.offers.values()))
    for text in texts:
        name, _, amount = text.partition("=")
        if name not in known or name in found:
            listed = ", ".join(sorted(known)) or "none"
            fail(f"--meter {text}: write each meter once, such as NAME=250000; meters: {listed}")
        try:
            found[name] = amount_of(amount)
        except ValueError as error:
            fail(f"--meter {text}: {error}")
    return found


def _bands(
    text: str | None, confidences: Sequence[float]
) -> Callable[[WagerSheet], WagerBands] | None:
    if text is None:
        return None
    rounds = [whole_or_fail("--rounds", part, 1, _MOST_WAGERS) for part in text.split(",")]
    with requiring("--rounds", "kernels"):
        from croupier.odds.bands import wager_bands  # noqa: PLC0415  (it needs an extra)
    shares = [Fraction(str(confidence)) / 100 for confidence in confidences or _CONFIDENCES]
    return partial(wager_bands, rounds=rounds, confidences=shares)


def _levels(text: str | None) -> Sequence[int]:
    if text is None:
        return ()
    bounds, _, step = text.partition("/")
    low, _, high = bounds.partition("..")
    try:
        first, last, by = (amount_of(one) for one in (low, high, step))
    except ValueError:
        fail(f"--stakes {text}: write LOW..HIGH/STEP in {currency_in_use().unit}, such as 5..500/5")
    if not (0 < first <= last and by > 0):
        fail(f"--stakes {text}: the stakes and the step must be greater than zero, in order")
    if (last - first) // by >= _MOST_STAKES:
        fail(f"--stakes {text}: the maximum is {_MOST_STAKES:,} stakes")
    return range(first, last + 1, by)


def _cents(option: str, text: str | None) -> int | None:
    try:
        return None if text is None else amount_of(text)
    except ValueError as error:
        fail(f"{option} {text}: {error}")


def _purse(
    tickets: Sequence[Mapping[str, int]], bankroll: int | None, goal: int | None, within: int | None
) -> Purse | None:
    if bankroll is goal is within is None:
        return None
    if bankroll is None or not tickets:
        raise click.UsageError("--goal and --within require --bankroll, and that --ticket")
    if goal is None and within is None:
        raise click.UsageError("--bankroll requires --goal, --within, or both")
    if bankroll < (staked := max(sum(ticket.values()) for ticket in tickets)):
        fail(f"--bankroll {money(bankroll)}: a ticket stakes {money(staked)}")
    if goal is not None and goal <= bankroll:
        fail(f"--goal {money(goal)}: the bankroll is {money(bankroll)}; name a larger amount")
    from croupier.odds.tickets import Purse  # noqa: PLC0415  (few ask for one)

    return Purse(bankroll, goal, within)


def _ticket(rules: TableRules, text: str) -> Mapping[str, int]:
    from croupier.table.wagering.wagering import unfit_stake  # noqa: PLC0415  (few ask for one)

    stakes: dict[str, int] = {}
    for part in text.split(","):
        wager, equals, amount = (one.strip() for one in part.partition("="))
        try:
            cents = amount_of(amount) if equals else 0
        except ValueError as error:
            fail(f"--ticket {text}: {error}")
        if not equals or wager in stakes:
            fail(f"--ticket {text}: write each wager once, such as player=100,tie=10")
        if not cents:
            fail(f"--ticket {text}: {wager}: a stake is greater than zero")
        stakes[wager] = cents
    for wager, cents in stakes.items():
        if refusal := unfit_stake(wager, cents, 0, stakes, rules):
            fail(f"--ticket {text}: {refusal.message}")
    return stakes
