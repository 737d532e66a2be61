"""Custom wagers (side bets) in addition to those of a table: the option that names their files."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

import click

from croupier.cli.output import fail
from croupier.rules import TableRules

__all__ = ["own_option", "with_own"]

own_option = click.option(
    "--own",
    "--custom-wager",
    "custom_wager",
    multiple=True,
    type=click.Path(exists=True, dir_okay=False, path_type=Path),
    help="Custom wager (side bet) in TOML, in addition to the table's wagers; repeatable.",
)


def with_own(rules: TableRules, paths: Iterable[Path]) -> TableRules:
    """Return the rules with custom wagers. Exits with status 2 and every error of their files."""
    paths = tuple(paths)
    if not paths:
        return rules
    from croupier.odds.custom_wagers import CustomWagerError, read_wager  # noqa: PLC0415  (for them alone)

    offers, errors = [], list[str]()
    for path in paths:
        try:
            offers.append(read_wager(path, rules))
        except CustomWagerError as error:
            errors += error.errors
    names = [offer.wager.id for offer in offers]
    errors += [f"two custom wagers are called {name}" for name in names if names.count(name) > 1]
    if errors:
        fail("\n".join(dict.fromkeys(errors)))
    return rules.with_offers(*offers)
