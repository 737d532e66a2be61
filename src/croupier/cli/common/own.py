"""Options that name custom wagers (side bets)."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Final

import click

from croupier.cli.common.files import input_file
from croupier.cli.common.output import fail, option_group
from croupier.law.elect import SubmissionError
from croupier.rules import CustomWagerError, Offer, TableRules, table_rules, with_limits

_LIMITS: Final = "croupier.own_limits"


def _limits(
    context: click.Context, parameter: click.Parameter, given_limits: tuple[str, ...]
) -> None:
    del parameter
    limits = {}
    for limit in given_limits:
        name, _, amounts = limit.partition("=")
        least, comma, most = amounts.partition(",")
        if not (name and comma) or name in limits:
            raise click.BadParameter(f"{limit}: write each wager once, as lucky_6=5.00,500.00")
        limits[name] = (least.strip(), most.strip())
    context.meta[_LIMITS] = limits


own_option = option_group(
    click.option(
        "--own",
        multiple=True,
        type=input_file,
        help="Custom wager (side bet) in TOML, in addition to the table's wagers; repeatable.",
    ),
    click.option(
        "--own-limits",
        multiple=True,
        metavar="ID=MIN,MAX",
        expose_value=False,
        callback=_limits,
        help="Limits of a custom wager, in place of those of its file; repeatable.",
    ),
)


def own_offers(paths: Iterable[Path], rules: TableRules) -> tuple[list[Offer], list[str]]:
    paths = tuple(paths)
    by_wager: dict[str, tuple[str, str]] = click.get_current_context().meta.get(_LIMITS, {})
    offers, errors = [], list[str]()
    if paths:
        from croupier.odds.custom_wagers import read_wager  # noqa: PLC0415  (for them alone)
    for path in paths:
        try:
            offer = read_wager(path, rules)
            limits = by_wager.get(offer.wager.id)
            offers.append(offer if limits is None else with_limits(offer, limits))
        except CustomWagerError as error:
            errors += error.errors
    names = [offer.wager.id for offer in offers]
    errors += [f"two custom wagers are called {name}" for name in names if names.count(name) > 1]
    if not errors:
        errors += [f"--own-limits {name}: no --own has that id" for name in by_wager.keys() - names]
    return offers, list(dict.fromkeys(errors))


def with_own(rules: TableRules, paths: Iterable[Path], *, dealt: bool = False) -> TableRules:
    """Return the rules with custom wagers, or exit with status 2 and every error.

    A ``dealt`` table requires limits of each stake, and whole cents of a meter.
    """
    offers, errors = own_offers(paths, rules)
    if errors:
        fail("\n".join(errors))
    if not offers:
        return rules
    try:
        rules = rules.with_offers(*offers)
        return table_rules(rules.submission) if dealt else rules
    except SubmissionError as error:
        how = 'give limits = ["5.00", "500.00"] under its [wager], or --own-limits ID=5.00,500.00'
        fail("\n".join([*map(str, error.errors), f"A custom wager is dealt with limits: {how}"]))
