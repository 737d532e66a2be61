"""The report of a round as formatted text, with the layout as it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from croupier.reports.chain import chain_in_words, chain_warnings
from croupier.reports.charts import FONT
from croupier.reports.external_view import external_view
from croupier.reports.felt import FELT_CSS, Lying, draw_felt, felt_alt_text
from croupier.reports.figures import Sheet, dollars, visible
from croupier.reports.view import OUTCOMES, Grid


def round_view(report: Sheet, paper: str, font: str = FONT) -> dict[str, Any]:
    """Return the whole report as text and a drawing, in plain data for a template.

    The report is that of a round of a log, or of an external round.
    """
    if report["format"].startswith("croupier-external"):
        return external_view(report, paper, font)
    shown = report["layout"]
    lying = _lying(shown)
    number = report["round"]
    seat = "" if report["seat"] is None else f", seat {report['seat']}"
    layout = shown["layout"]
    wrong = [one for one in report["wagers"] if one["owed_cents"] != one["paid_cents"]]
    chain = report["record"]
    broken = [visible(one) for one in chain_warnings(chain)] if chain else []
    return {
        "title": f"Round {number}{seat}",
        "paper": paper,
        "table": visible(
            f"{layout['title'] or layout['law_title']}: pit {layout['pit']}, table"
            f" {layout['table']}"
        ),
        "law": visible(report["law"]),
        "law_title": visible(report["law_title"]),
        "in_force_from": visible(report["in_force_from"]),
        "rules_short": visible(report["rules_hash"])[:16],
        "headline": visible(report["result"] or "Round settled"),
        "agrees": not (wrong or broken),
        "broken": broken,
        "record": chain_in_words(chain) if chain else "The chain of this record was not checked.",
        "paid": _paid(wrong),
        "warnings": [visible(one) for one in report["warnings"]],
        "felt": draw_felt("felt", layout, lying, font=font),
        "felt_css": FELT_CSS,
        "felt_told": felt_alt_text(layout, lying),
        "caption": f"The layout after entry {shown['entry']}, {_time(shown['at'])} UTC",
        "wagers": _wagers(report),
        "seats": _seats(report),
        "steps": _steps(report),
        "steps_told": "Every entry of the round",
        "divergences": None,
        "signatures": ["Prepared by", "Reviewed by"],
        "provenance": _provenance(report),
    }


def _lying(shown: Mapping[str, Any]) -> Lying:
    return Lying(
        {(one["seat"], one["wager"]): one["cents"] for one in shown["stakes"]},
        {int(seat): cents for seat, cents in shown["markers"].items()},
        {int(seat): name for seat, name in shown["names"].items()},
        totals=shown["totals"],
        won=frozenset((seat, wager) for seat, wager in shown["won"]),
        **shown["hands"],
    )


def _paid(wrong: list[Mapping[str, Any]]) -> str:
    """Say whether the record paid what was owed."""
    if not wrong:
        return "The record paid every wager what it was owed."
    told = (
        f"seat {one['seat']}, {visible(one['title'])}: owed {dollars(one['owed_cents'])}, paid"
        f" {dollars(one['paid_cents'])}"
        for one in wrong
    )
    return f"The record paid other amounts than were owed: {'; '.join(told)}."


def _time(at: str) -> str:
    return visible(at).replace("T", " ").removesuffix("Z")


def _wagers(report: Sheet) -> dict[str, Any]:
    return Grid(
        ("Seat", "Wager", "Stake", "Result", "Owed", "Paid", "Vigorish", "Net", "Why", "Clauses"),
        tuple(
            (
                str(one["seat"]),
                visible(one["title"]),
                dollars(one["stake_cents"]),
                OUTCOMES[one["outcome"]],
                dollars(one["owed_cents"]),
                dollars(one["paid_cents"]),
                dollars(one["vigorish_cents"]),
                dollars(one["net_cents"]),
                visible(one["why"]),
                ", ".join(map(visible, one["clauses"])),
            )
            for one in report["wagers"]
        ),
        words=(1, 3, 8, 9),
    ).data()


def _seats(report: Sheet) -> dict[str, Any]:
    rows = tuple(
        (
            str(one["seat"]),
            visible(one["patron"]),
            dollars(one["staked_cents"]),
            dollars(one["won_cents"]),
            dollars(one["vigorish_cents"]),
            dollars(one["net_cents"]),
        )
        for one in report["seats"]
    )
    names = ("staked_cents", "won_cents", "vigorish_cents", "net_cents")
    total = (dollars(sum(one[name] for one in report["seats"])) for name in names)
    return Grid(
        ("Seat", "Patron", "Staked", "Won", "Vigorish", "Net"),
        rows,
        words=(1,),
        foot=("all", "", *total) if len(rows) > 1 else (),
    ).data()


def _steps(report: Sheet) -> dict[str, Any]:
    return Grid(
        ("Entry", "Time, UTC", "By", "What happened", "Clauses"),
        tuple(
            (
                str(one["entry"]),
                _time(one["at"]).partition(" ")[2],
                ", ".join(map(visible, one["by"])),
                visible("\n".join(one["lines"])),
                ", ".join(map(visible, one["clauses"])),
            )
            for one in report["steps"]
        ),
        words=(1, 2, 3, 4),
    ).data()


def _provenance(report: Sheet) -> list[list[Any]]:
    facts = (
        ("Log", report["log"]),
        ("From, UTC", _time(report["began"])),
        ("To, UTC", _time(report["ended"])),
        ("Regulation", f"{report['law_title']} ({report['law']}), from {report['in_force_from']}"),
        ("Rules SHA-256", report["rules_hash"]),
        ("Law SHA-256", report["law_hash"]),
        ("Program", f"{report['program']} {report['version']}"),
        ("Reproduce with", report["reproduce"]),
    )
    return [[name, [visible(value)]] for name, value in facts]
