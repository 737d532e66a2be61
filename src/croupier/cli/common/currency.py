"""The currency of a command's amounts, and the names of offices in it."""

from __future__ import annotations

from typing import Final

import click

from croupier.cli.common.output import fail
from croupier.law.usage import under
from croupier.rules import TableRules

_CURRENCY: Final = "croupier.currency"


def in_currency_of(rules: TableRules) -> TableRules:
    """Return rules; amounts are in their currency until the command ends.

    Exits with status 2 if the command has rules of another currency: amounts would not compare.
    """
    context = click.get_current_context()
    before, currency = context.meta.get(_CURRENCY), rules.law.currency
    if before is None:
        context.meta[_CURRENCY] = currency
        context.with_resource(under(rules.law.usage))
    elif before != currency:
        fail(f"amounts in {before.code} and in {currency.code}: name tables of one currency")
    return rules
