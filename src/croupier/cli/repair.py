"""What a repair of somebody's rounds prints: what was changed, what stands, who is owed what."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from croupier.cli.output import blank, headline, plain_table, print_table, print_text
from croupier.money.settlement import dollars
from croupier.verify.rounds.differences import Account, DifferenceTally
from croupier.verify.rounds.repairing import Repaired

__all__ = ["print_account", "print_repair"]


def print_repair(repaired: Repaired, out: Path | None, differences: Path | None) -> None:
    """Print what was repaired, what was not and why, and who is owed what."""
    if out is not None:
        done = repaired.repair.as_data(repaired.verification.by_kind)
        headline(f"Repaired: {out}")
        print_text(
            f"{_several(done['rounds'], 'round')} written anew, with"
            f" {_several(done['wagers'], 'wager')} settled by the book; every other line stands.",
            indent=2,
        )
        for why, number in done["left"].items():
            print_text(f"Not repaired, {_several(number, 'time')}: {why}.", indent=2)
        blank()
    print_account(repaired.account)
    if differences is not None:
        print_text(f"Wager by wager: {differences}", indent=2)


def print_account(account: Account) -> None:
    """Print who is owed what, seat by seat, by wager and clause."""
    headline("Who is owed what")
    if not account.tallies:
        print_text("No wager that is told comes out otherwise than by the book.", indent=2)
        return
    table = plain_table("Seat", "wager", "clause", "wagers", "owed", "paid too much", "on balance")
    data = account.as_data()
    for seat in data["by_seat"]:
        name = "not told" if seat["seat"] is None else str(seat["seat"])
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
