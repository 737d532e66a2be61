"""``croupier par``: the PAR sheet of a table."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from croupier.cli.analysis.par_tables import compare_tables, sweep_elections
from croupier.cli.common.arguments import FiniteRange, seed_option, whole_or_fail
from croupier.cli.common.files import (
    FORMS,
    check_outputs,
    document_options,
    form_named,
    give,
    input_file,
    input_path,
    report_options,
)
from croupier.cli.common.output import (
    blank,
    command_line,
    exit_unless,
    fail,
    option_group,
    print_text,
    requiring,
    usual_option,
)
from croupier.cli.records.record_options import encoding_asked, encoding_option
from croupier.cli.submission.rules import TableAsked, own_option, rules_of, rules_options
from croupier.law.usage import amount_of, currency_in_use, money
from croupier.odds.packages import Pace
from croupier.odds.par import STAKES, AlsoAsked, meters_of, par_sheet
from croupier.odds.progressive import MeterError
from croupier.odds.sheet import is_taken
from croupier.rules import TableRules

if TYPE_CHECKING:
    from croupier.odds.documents import WagerBands
    from croupier.odds.sheet import WagerSheet
    from croupier.odds.tickets import Purse
    from croupier.reports.tree import Tree


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
    meters: dict[str, int] = {}
    known_names = set[str]().union(*map(meters_of, rules.offers.values()))
    for text in texts:
        name, _, amount = text.partition("=")
        if name not in known_names or name in meters:
            listed = ", ".join(sorted(known_names)) or "none"
            fail(f"--meter {text}: write each meter once, such as NAME=250000; meters: {listed}")
        try:
            meters[name] = amount_of(amount)
        except ValueError as error:
            fail(f"--meter {text}: {error}")
    return meters


def _bands(
    text: str | None, confidences: Sequence[float]
) -> Callable[[WagerSheet], WagerBands] | None:
    if text is None:
        return None
    rounds = [whole_or_fail("--rounds", part, 1, _MOST_WAGERS) for part in text.split(",")]
    with requiring("--rounds", "kernels"):
        from croupier.odds.bands import wager_bands  # noqa: PLC0415  (it needs an extra)
    shares = [Fraction(str(confidence)) / 100 for confidence in confidences or (90, 95, 99)]
    return partial(wager_bands, rounds=rounds, confidences=shares)


def _levels(text: str | None) -> Sequence[int]:
    if text is None:
        return ()
    bounds, _, step = text.partition("/")
    low, _, high = bounds.partition("..")
    try:
        start, end, step_cents = (amount_of(text_part) for text_part in (low, high, step))
    except ValueError:
        fail(f"--stakes {text}: write LOW..HIGH/STEP in {currency_in_use().unit}, such as 5..500/5")
    if not (0 < start <= end and step_cents > 0):
        fail(f"--stakes {text}: the stakes and the step must be greater than zero, in order")
    if (end - start) // step_cents >= _MOST_STAKES:
        fail(f"--stakes {text}: the maximum is {_MOST_STAKES:,} stakes")
    return range(start, end + 1, step_cents)


def _cents(option: str, text: str | None) -> int | None:
    try:
        return None if text is None else amount_of(text)
    except ValueError as error:
        fail(f"{option} {text}: {error}")


def _purse(
    tickets: Sequence[Mapping[str, int]], bankroll: int | None, goal: int | None, limit: int | None
) -> Purse | None:
    if bankroll is goal is limit is None:
        return None
    if bankroll is None:
        raise click.UsageError("--goal and --within require --bankroll")
    if not tickets:
        raise click.UsageError("--bankroll is of tickets: add --ticket, such as player=100")
    if goal is None and limit is None:
        raise click.UsageError("--bankroll requires --goal, --within, or both")
    if bankroll < (stake := max(sum(ticket.values()) for ticket in tickets)):
        fail(f"--bankroll {money(bankroll)}: a ticket stakes {money(stake)}")
    if goal is not None and goal <= bankroll:
        fail(f"--goal {money(goal)}: the bankroll is {money(bankroll)}; name a larger amount")
    from croupier.odds.tickets import Purse  # noqa: PLC0415  (few ask for one)

    return Purse(bankroll, goal, limit)


def _ticket(rules: TableRules, text: str) -> Mapping[str, int]:
    from croupier.table.wagering.wagering import unfit_stake  # noqa: PLC0415  (few ask for one)

    stakes: dict[str, int] = {}
    for part in text.split(","):
        wager, equals, amount = (text_part.strip() for text_part in part.partition("="))
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
            fail(f"--ticket {text}: {refusal}")
    return stakes


_OF_EACH_WAGER: Final = {
    "--stake", "--stakes", "--meter", "--rounds-per-hour", "--seats", "--rounds-per-shoe",
}  # fmt: skip
"""Options whose figures are below each wager, which a summary leaves out."""


@click.group(invoke_without_command=True)
@rules_options
@click.option("--wager", "wagers", multiple=True, metavar="ID", help="Only this wager; repeatable.")
@own_option
@click.option(
    "--stake",
    "stakes",
    multiple=True,
    metavar="DOLLARS",
    help="Show the effect of vigorish rounding on a Banker wager of this amount; repeatable.",
)
@also_options
@click.option(
    "--format",
    "form",
    type=click.Choice(FORMS),
    help="Format of a printed sheet; a file's suffix sets its format.",
)
@click.option("--summary", is_flag=True, help="Print one line for each wager.")
@report_options
@click.pass_context
def par(  # noqa: PLR0913, PLR0917  (each is an option of the command)
    context: click.Context,
    /,
    asked: TableAsked,
    wagers: tuple[str, ...],
    own: tuple[Path, ...],
    stakes: tuple[str, ...],
    form: str | None,
    out: Path | None,
    *,
    summary: bool,
    force: bool,
    **parts: Any,
) -> None:
    """Print the PAR sheet of a table: the exact outcomes, house edge (house advantage), hit
    frequency, variance, and clauses of every wager offered.

    RTP is 100% minus the house edge. Exit status: 2 for an impossible shoe, or a wager that the
    table does not offer.
    """  # noqa: D205  (the command's help is its first paragraph)
    if context.invoked_subcommand is not None:
        return
    check_outputs(out, force=force)
    if summary and form not in {None, "text"}:
        raise click.UsageError("--summary prints text: remove --format")
    given = [one.opts[0] for one in context.command.params if context.params.get(str(one.name))]
    if summary and (left_out := _OF_EACH_WAGER.intersection(given)):
        options = ", ".join(sorted(left_out))
        raise click.UsageError(f"--summary prints one line for each wager: remove {options}")
    form = form_named(out, form, ("text",) if summary else FORMS)
    rules, shoe = asked.rules_and_shoe(own, dealt=False)
    if unknown_names := [wager for wager in wagers if wager not in rules.offers]:
        offered_names = ", ".join(rules.offers)
        fail(f"{', '.join(unknown_names)}: this table offers {offered_names}")
    extras = also_asked(rules, wagers, **parts)
    try:
        sheet = par_sheet(
            rules, shoe, reproduce=command_line(), stakes=_stakes(rules, stakes), also=extras
        )
    except MeterError as error:
        fail(f"--meter: {error}")
    give(sheet, partial(_tree, summary=summary), form, out, force=force)
    if form == "text" and out is None and not summary:
        blank()
        print_text("For one line for each wager, add --summary; for a file, -o FILE.pdf.")


def _tree(data: Mapping[str, Any], *, summary: bool = False) -> Tree:
    from croupier.reports.par import par_tree, summary_tree  # noqa: PLC0415  (JSON needs none of it)

    return summary_tree(data) if summary else par_tree(data)


def _stakes(rules: TableRules, texts: tuple[str, ...]) -> tuple[int, ...]:
    if not texts:
        return STAKES
    try:
        stakes = tuple(map(amount_of, texts))
    except ValueError as error:
        fail(f"--stake: {error}")
    for text, cents in zip(texts, stakes, strict=True):
        if not is_taken(rules.bearing, cents):
            title = rules.bearing.wager.title
            fail(f"--stake {text}: not a valid {title} wager at this table")
    return stakes


par.add_command(compare_tables)
par.add_command(sweep_elections)


def _pairs(_context: Any, _parameter: Any, pairs: Sequence[str]) -> Mapping[str, str]:
    for pair in pairs:
        if "=" not in pair:
            raise click.BadParameter(f"{pair}: write THEIRS=OURS")
    split = (pair.rpartition("=") for pair in pairs)
    return {vendor_name: own_name for vendor_name, _, own_name in split}


_map_option = click.option(
    "--map",
    "names",
    multiple=True,
    metavar="THEIRS=OURS",
    callback=_pairs,
    help="Their name of a column, wager, or outcome, and ours, or of a wager with its outcome, and "
    "WAGER/OUTCOME; nothing leaves a column out.",
)


@par.command("check", short_help="Check a vendor's figures against the exact ones.")
@click.argument("vendor", metavar="VENDOR", type=input_path)
@rules_options
@own_option
@_map_option
@click.option("--sheet", "page", metavar="NAME", help="Sheet of a workbook.")
@encoding_option
@document_options()
def check_vendor_file(  # noqa: PLR0913, PLR0917  (each is an option of the command)
    vendor: Path,
    asked: TableAsked,
    own: tuple[Path, ...],
    names: dict[str, str],
    page: str | None,
    output_format: str,
) -> None:
    """Check the figures that VENDOR states against the exact ones of a table.

    VENDOR is a CSV file, a workbook, or a folder of them. Each has a column for the wager, one for
    the outcome if it lists outcomes, and one for each figure. Every figure gets a verdict: equal at
    the digits given, rounded otherwise, or wrong. Exit status: 1 if a figure is wrong, 2 if a file
    cannot be read.
    """
    from croupier.odds.vendor_check import check_vendor  # noqa: PLC0415
    from croupier.odds.vendor_file import HowToRead  # noqa: PLC0415
    from croupier.reports.comparisons import vendor_tree  # noqa: PLC0415

    rules, shoe = asked.rules_and_shoe(own, dealt=False)
    sheet = par_sheet(rules, shoe, stakes=())
    reading = HowToRead(names, encoding_asked(), page)
    result = check_vendor(vendor, rules, sheet, reading, command_line())
    titles = {bet["id"]: bet["title"] for bet in (*sheet["wagers"], *sheet["packages"])}
    give(result, partial(vendor_tree, titles=titles), output_format)
    exit_unless(result["agrees"])


@par.command("blackjack", short_help="Calculate the streak and bonus wagers of a blackjack table.")
@click.argument("submission", type=input_file)
@click.option(
    "--results",
    metavar="COUNTS",
    help="Number of rounds by result, such as win=433,push=87,lose=480.",
)
@usual_option(
    "--rounds",
    type=click.IntRange(1000, 10_000_000),
    default=100_000,
    help="Rounds of the reference game, if --results is not given.",
)
@seed_option("Seed of the reference game")
@document_options()
def blackjack_wagers(
    submission: Path, results: str | None, rounds: int, seed: int, output_format: str
) -> None:
    """Calculate the edge of the streak and bonus wagers under SUBMISSION.

    A streak wager depends on how often a round is won, pushed, or lost: as given, or as simulated
    in the reference game. A bonus wager depends on its payout schedule, whose house advantage the
    regulation limits.
    """
    from croupier.odds import blackjack  # noqa: PLC0415  (few weigh blackjack)

    rules = rules_of(submission)
    if not rules.applies("streak.offered"):
        fail(f"{submission}: {rules.law.title} has no blackjack wagers")
    try:
        counts = blackjack.parse_results(results or "win=1,lose=1")
    except blackjack.OutcomeCountsError as error:
        fail(f"--results: {error}")
    source = f"results given: {results}"
    if not rules.elected("streak.offered", choice=True):
        source = "the payout schedule"
    elif results is None:
        counts = blackjack.played_results(rounds, seed)
        counts_text = ", ".join(f"{name} {number:,}" for name, number in counts.items())
        source = f"reference game, {rounds:,} rounds, seed {seed}: {counts_text}"
    sheet = blackjack.blackjack_sheet(rules, counts, source=source, reproduce=command_line())
    give(sheet, _tree, output_format)
