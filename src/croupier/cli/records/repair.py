"""The output of a repair of external rounds: corrections, exceptions, and amounts owed."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from croupier.cli.common.output import blank, headline, plain_table, print_table, print_text
from croupier.money.settlement import dollars
from croupier.verify.rounds.differences import Account, DifferenceTally
from croupier.verify.rounds.repairing import Repaired


def print_repair(repaired: Repaired, out: Path | None, differences: Path | None) -> None:
    """Print what was repaired, what was not and why, and the amounts owed."""
    if out is not None:
        done = repaired.repair.as_data(repaired.verification.by_kind)
        headline(f"Repaired: {out}")
        print_text(
            f"{_several(done['rounds'], 'round')} rewritten, with "
            f"{_several(done['wagers'], 'wager')} settled under the rules; every other line is "
            "unchanged.",
            indent=2,
        )
        for why, number in done["left"].items():
            print_text(f"Not repaired, {_several(number, 'time')}: {why}.", indent=2)
        blank()
    print_account(repaired.account)
    if differences is not None:
        print_text(f"Differences by wager: {differences}", indent=2)


def print_account(account: Account) -> None:
    """Print the amounts owed, seat by seat, by wager and clause."""
    headline("Amounts owed")
    if not account.tallies:
        print_text("Every recorded wager was settled as expected.", indent=2)
        return
    table = plain_table("Seat", "wager", "clause", "wagers", "owed", "overpaid", "net")
    data = account.as_data()
    for seat in data["by_seat"]:
        name = "not recorded" if seat["seat"] is None else str(seat["seat"])
        for one in seat["parts"]:
            wager = one["wager"].replace("_", " ")
            table.add_row(name, wager, one["clause"] or "", *_tally(one))
            name = ""
        if len(seat["parts"]) > 1:
            table.add_row("", "all", "", *_tally(seat))
    table.add_row("all", "", "", *_tally(account.total.as_data()))
    print_table(table)


def _tally(one: Mapping[str, Any]) -> tuple[str, ...]:
    return (
        f"{one['wagers']:,}",
        *(dollars(one[name]) if one[name] else "" for name in DifferenceTally._fields[1:]),
        dollars(one["net_cents"]),
    )


def _several(number: int, what: str) -> str:
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"
