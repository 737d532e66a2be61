"""``croupier design``: sweep the pay tables of a custom wager to a wanted house edge."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import click

from croupier.cli.common.arguments import FiniteRange
from croupier.cli.common.files import document_options, give, input_file
from croupier.cli.common.output import command_line, fail, usual_option
from croupier.cli.submission.rules import TableAsked, rules_options
from croupier.law.values import Kind, parse_value
from croupier.odds.custom_wagers import read_wager
from croupier.odds.design import Bounds, Design, design_data
from croupier.reports.counting import design_tree


@click.command()
@click.argument("wager", type=input_file)
@rules_options
@usual_option(
    "--edge",
    default="5%..10%",
    help="Range of the house edge; below zero, the bettor has an advantage.",
)
@click.option(
    "--pays",
    multiple=True,
    metavar="LINE=LOW..HIGH",
    help="Range of what a line pays to one, 0 if it may lose; other lines keep what they pay. "
    "Repeatable.",
)
@click.option("--hit", metavar="LOW..HIGH", help="Range of the hit frequency, such as 5%..10%.")
@click.option("--award", metavar="LOW..HIGH", help="Range of the largest payout to one.")
@click.option(
    "--deviation", type=FiniteRange(0, min_open=True), help="Maximum standard deviation, in units."
)
@usual_option(
    "--top", type=click.IntRange(1, 100), default=10, help="Number of pay tables to show."
)
@document_options()
def design(  # noqa: PLR0913  (each is an option of the command)
    wager: Path,
    *,
    asked: TableAsked,
    edge: str,
    pays: tuple[str, ...],
    hit: str | None,
    award: str | None,
    deviation: float | None,
    top: int,
    output_format: str,
) -> None:
    """Sweep the pay tables of the custom wager in WAGER to a wanted house edge.

    Every pay table within the bounds is calculated exactly; those nearest the middle of the range
    are shown, each with its deviation, its edge by the number of decks, and how far a card count
    beats it: the best small tags, and an estimate of the gain per 100 rounds by penetration.
    """
    rules, shoe = asked.rules_and_shoe()
    try:
        low, high = _rates(edge, "--edge")
        ranges = dict(map(_range, pays))
        bounds = Bounds(low, high, deviation)
        if hit is not None:
            bounds = bounds._replace(hits=_rates(hit, "--hit"))
        if award is not None:
            payouts = _payouts(award, "--award", "20..100")
            bounds = bounds._replace(awards=(payouts[0], payouts[-1]))
        game_design = Design(rules, read_wager(wager, rules), shoe)
        candidates = list(game_design.candidates(ranges, bounds))
    except ValueError as error:
        fail(str(error))
    midpoint = (low + high) / 2
    shown = sorted(candidates, key=lambda one: (abs(one.house_edge - midpoint), one.variance))[:top]
    data = design_data(game_design, shown, len(candidates), command_line())
    give(data, design_tree, output_format)


def _parted(text: str) -> tuple[str, str]:
    low, dots, high = text.partition("..")
    return low, high if dots else low


def _rates(text: str, place: str) -> tuple[Fraction, Fraction]:
    low, high = (_rate(part.strip(), place) for part in _parted(text))
    if low > high:
        raise ValueError(f"{place} {text}: the range ends below its start; write 5%..10%")
    return low, high


def _rate(text: str, place: str) -> Fraction:
    # A house edge below zero is a bettor's advantage.
    rate = text.removeprefix("-") if place == "--edge" else text
    value = parse_value(Kind.RATE, rate)
    return Fraction(str(value)) * (1 if rate == text else -1)


def _range(text: str) -> tuple[str, range]:
    line, _, payouts = text.partition("=")
    return line, _payouts(payouts, f"--pays {line}", f"{line or 'win'}=10..20")


def _payouts(text: str, place: str, example: str) -> range:
    low, high = _parted(text)
    if not (low.isdecimal() and high.isdecimal() and 0 <= int(low) <= int(high) <= 100_000):
        raise ValueError(f"{place}: {text!r} is not a range of payouts; write {example}")
    return range(int(low), int(high) + 1)
