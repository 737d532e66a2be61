"""``croupier submission``: compare rules submissions."""

from __future__ import annotations

import click

from croupier.cli.common.helping import HelpGroup
from croupier.cli.submission.diff import diff


@click.group(cls=HelpGroup)
def submission() -> None:
    """Compare rules submissions."""


submission.add_command(diff)
