"""The report of ``croupier session`` as text and as one line of CSV."""

from __future__ import annotations

import csv
import sys
from collections.abc import Mapping
from typing import Any, Final

from croupier.cli.output import blank, headline, plain_table, print_table, print_text
from croupier.money.settlement import dollars

_MOST_LENGTHS: Final = 8


def print_report(report: Mapping[str, Any]) -> None:
    """Print the report of sessions."""
    _tell_head(report)
    if not report["sessions"]:
        print_text("No session was played.")
        return
    blank()
    _tell_results(report)
    blank()
    _tell_chances(report)
    blank()
    _tell_theory(report)
    if report["dealt"]["by_shoe"] is not None:
        blank()
        _tell_shoes(report["dealt"]["by_shoe"])
    blank()
    _tell_streaks(report["streaks"])


def _tell_head(report: Mapping[str, Any]) -> None:
    first, *others = report["wagers"]
    headline(f"{first['title']}, {report['system']}, unit {dollars(report['unit_cents'])}")
    print_text(f"{report['title'] or report['law']}, rules {report['rules_hash'][:16]}...")
    for warning in report["warnings"]:
        print_text(f"WARNING {warning}")
    if others:
        names = ", ".join(one["title"] for one in others)
        print_text(f"Also staked: {names}")
    length = (
        f"{report['rounds_asked']:,} rounds"
        if report["shoes_asked"] is None
        else f"{report['shoes_asked']:,} shoes"
    )
    goal = "" if report["goal_cents"] is None else f", goal {dollars(report['goal_cents'])}"
    print_text(
        f"{report['sessions']:,} sessions of {length}, bankroll"
        f" {dollars(report['bankroll_cents'])}{goal}, seed {report['seed']}"
    )
    if not report["complete"]:
        print_text(f"INTERRUPTED: {report['sessions_asked']:,} sessions were requested.")


def _money(cents: float) -> str:
    sign = "+" if cents >= 0 else "-"
    return f"{sign}${abs(cents) / 100:,.2f}"


def _tell_results(report: Mapping[str, Any]) -> None:
    result, drawdown = report["result"], report["drawdown_cents"]
    rounds, hours = report["time"]["rounds"], report["time"]["rounds_per_hour"]
    table = plain_table("Sessions", "result", "drawdown", "rounds", "hours")
    for column in table.columns[1:]:
        column.justify = "right"
    for share in result["quantiles"]:
        played = rounds["quantiles"][share]
        table.add_row(
            f"{float(share):.0%} have at most",
            _money(result["quantiles"][share]),
            dollars(drawdown["quantiles"][share]),
            f"{played:,}",
            f"{played / hours:,.1f}",
        )
    table.add_row(
        "mean",
        _money(result["mean"]),
        f"${drawdown['mean'] / 100:,.2f}",
        f"{rounds['mean']:,.1f}",
        f"{report['time']['mean_hours']:,.1f}",
    )
    print_table(table)
    print_text(f"Hours at {hours:g} rounds per hour.")


def _tell_chances(report: Mapping[str, Any]) -> None:
    result = report["result"]
    print_text(
        f"Ahead {result['ahead']:.2%}, even {result['even']:.2%}, behind {result['behind']:.2%}"
    )
    for name, told in (("Ruined", report["ruin"]), ("Reached the goal", report["goal"])):
        if told is not None:
            bounds = f"{told['low_99']:.2%} to {told['high_99']:.2%}"
            print_text(f"{name} {told['share']:.2%} (99% interval: {bounds})")
    stake, run = report["greatest_stake_cents"], report["longest_losing_run"]
    print_text(
        f"Largest stake: maximum {dollars(stake['most'])}, median "
        f"{dollars(stake['quantiles']['0.5'])}; longest losing streak: maximum {run['most']}, "
        f"median {run['quantiles']['0.5']}"
    )


def _tell_theory(report: Mapping[str, Any]) -> None:
    totals, theory, result = report["totals"], report["theory"], report["result"]
    headline("Comparison with the exact odds")
    print_text(
        f"Staked {dollars(totals['staked_cents'])} in {totals['bets']:,} of"
        f" {totals['rounds']:,} rounds"
    )
    print_text(
        f"Mean result {_money(result['mean'])} +/- {result['standard_error_cents'] / 100:,.2f}"
    )
    if theory["edge"] is None:
        return
    print_text(
        f"Exact edge {theory['edge']:.4%} of the amount staked: expected "
        f"{_money(theory['expected_per_session_cents'])}"
    )
    beyond = f"{_money(theory['difference_per_session_cents'])}"
    error = f"{theory['standard_error_cents'] / 100:,.2f}"
    score = "" if theory["z"] is None else f", z {theory['z']:+.2f}"
    print_text(f"Difference from expectation {beyond} +/- {error}{score}")


def _tell_shoes(shoes: Mapping[str, Any]) -> None:
    headline(f"{shoes['shoes']:,} shoes dealt, {shoes['begun']:,} of them played")
    table = plain_table("Per shoe", "mean", "std dev", "5%", "median", "95%")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, key in (
        ("rounds", "rounds"),
        ("Player wins", "player_wins"),
        ("Banker wins", "banker_wins"),
        ("ties", "ties"),
    ):
        one = shoes[key]
        quantiles = (f"{one['quantiles'][share]:,}" for share in ("0.05", "0.5", "0.95"))
        table.add_row(name, f"{one['mean']:.2f}", f"{one['standard_deviation']:.2f}", *quantiles)
    net = shoes["net_cents"]
    quantiles = (_money(net["quantiles"][share]) for share in ("0.05", "0.5", "0.95"))
    table.add_row(
        "result", _money(net["mean"]), f"${net['standard_deviation'] / 100:,.2f}", *quantiles
    )
    print_table(table)


def _tell_streaks(streaks: Mapping[str, Any]) -> None:
    headline("Streaks (ties excluded)")
    lengths = range(1, _MOST_LENGTHS + 1)
    table = plain_table("Hand", *map(str, lengths), "more", "mean", "longest")
    for column in table.columns[1:]:
        column.justify = "right"
    for name, one in streaks.items():
        number = one["streaks"]
        if not number:
            continue
        shares = [one["by_length"].get(str(length), 0) / number for length in lengths]
        table.add_row(
            name.title(),
            *(f"{share * 100:.1f}" for share in shares),
            f"{max(1 - sum(shares), 0) * 100:.1f}",
            f"{one['mean_length']:.3f}",
            str(one["longest"]),
        )
    print_table(table)
    print_text("Percent of streaks by length; streaks cut off by a new shoe are excluded.")


# --- CSV -----------------------------------------------------------------------------------------


def write_csv(report: Mapping[str, Any]) -> None:
    """Write the figures of the report as a header and one row."""
    flat = dict(_flat(report))
    writer = csv.writer(sys.stdout, lineterminator="\n")
    writer.writerow(flat)
    writer.writerow("" if value is None else value for value in flat.values())


def _flat(report: Mapping[str, Any], above: str = "") -> list[tuple[str, object]]:
    """Yield each figure with its path, without lists and tables by length."""
    found: list[tuple[str, object]] = []
    for key, value in report.items():
        if isinstance(value, dict):
            if key not in {"by_length", "cut_off", "readings"}:
                found += _flat(value, f"{above}{key}.")
        elif not isinstance(value, list):
            found.append((f"{above}{key}", value))
    return found
