"""The currency of a command's amounts."""

from __future__ import annotations

import click

from croupier.law.currency import amounts_in
from croupier.rules import TableRules


def in_currency_of(rules: TableRules) -> TableRules:
    """Return rules. Amounts are read and written in their currency until the command ends."""
    click.get_current_context().with_resource(amounts_in(rules.law.currency))
    return rules
