"""The report of an external round as formatted text: what its record has, and what was due."""

from __future__ import annotations

from typing import Any, Final

from croupier.reports.charts import FONT
from croupier.reports.felt import FELT_CSS, Lying, draw_felt, felt_alt_text
from croupier.reports.figures import Sheet, dollars, visible
from croupier.reports.view import OUTCOMES, Grid

_UNKNOWN: Final = "not recorded"


def external_view(report: Sheet, paper: str, font: str = FONT) -> dict[str, Any]:
    """Return the whole report as text and a drawing, in plain data for a template."""
    shown = report["layout"]
    layout = shown["layout"]
    won = [(one["seat"], one["wager"]) for one in report["wagers"] if one["outcome"] == "win"]
    lying = Lying(
        {(one["seat"], one["wager"]): one["cents"] for one in shown["stakes"]},
        totals=shown["totals"],
        won=frozenset(won),
        **shown["hands"],
    )
    shoe = "" if report["shoe"] is None else f" of shoe {report['shoe']}"
    seat = "" if report["seat"] is None else f", seat {report['seat']}"
    found = report["divergences"]
    return {
        "title": f"Round {visible(str(report['round']))}{visible(shoe)}{seat}",
        "paper": paper,
        "table": visible(f"{report['file']}, line {report['line']}"),
        "law": visible(report["law"]),
        "law_title": visible(report["law_title"]),
        "in_force_from": visible(report["in_force_from"]),
        "rules_short": visible(report["rules_hash"])[:16],
        "headline": visible(report["result"] or "The record does not tell the result"),
        "agrees": not found,
        "broken": [],
        "record": "",
        "paid": _verdict(report),
        "warnings": [visible(one) for one in report["warnings"]],
        "felt": draw_felt("felt", layout, lying, font=font),
        "felt_css": FELT_CSS,
        "felt_told": felt_alt_text(layout, lying),
        "caption": "The layout as recorded; wagers without a seat are in the table alone",
        "divergences": _divergences(report) if found else None,
        "wagers": _wagers(report),
        "seats": _seats(report),
        "steps": _steps(report),
        "steps_told": "The cards as recorded, and what was due",
        "signatures": ["Prepared by", "Reviewed by"],
        "provenance": _provenance(report),
    }


def _amount(cents: int | None) -> str:
    return _UNKNOWN if cents is None else dollars(cents)


def _place(seat: int | None) -> str:
    return "none" if seat is None else str(seat)


def _verdict(report: Sheet) -> str:
    """Say whether the round conforms to the rules, and what is owed by whom."""
    if not report["divergences"]:
        return "This round conforms to the rules."
    told = []
    for one in report["wagers"]:
        if owed := one["owed_cents"]:
            seat = "" if one["seat"] is None else f"Seat {one['seat']}, "
            to = "owed" if owed > 0 else "paid too much"
            told.append(f"{seat}{visible(one['title'])}: {dollars(abs(owed))} {to}")
    owing = f" {'; '.join(told)}." if told else ""
    count = len(report["divergences"])
    return f"{count} {'divergence' if count == 1 else 'divergences'} from the rules.{owing}"


def _divergences(report: Sheet) -> dict[str, Any]:
    return Grid(
        ("Kind", "What was found", "Clauses"),
        tuple(
            (
                visible(one["kind"].replace("_", " ")),
                visible(one["message"]),
                ", ".join(map(visible, one["clauses"])),
            )
            for one in report["divergences"]
        ),
        words=(0, 1, 2),
    ).data()


def _wagers(report: Sheet) -> dict[str, Any]:
    return Grid(
        ("Seat", "Wager", "Stake", "Result", "Expected", "Recorded", "Owed", "Why", "Clauses"),
        tuple(
            (
                _place(one["seat"]),
                visible(one["title"]),
                dollars(one["stake_cents"]),
                OUTCOMES[one["outcome"]],
                _amount(one["expected_cents"]),
                _amount(one["recorded_cents"]),
                _amount(one["owed_cents"]),
                visible(one["why"]),
                ", ".join(map(visible, one["clauses"])),
            )
            for one in report["wagers"]
        ),
        words=(1, 3, 7, 8),
    ).data()


def _seats(report: Sheet) -> dict[str, Any]:
    names = ("expected_cents", "recorded_cents", "owed_cents")
    return Grid(
        ("Seat", "Staked", "Expected", "Recorded", "Owed"),
        tuple(
            (
                _place(one["seat"]),
                dollars(one["staked_cents"]),
                *(_amount(one[name]) for name in names),
            )
            for one in report["seats"]
        ),
        words=(0,),
    ).data()


def _steps(report: Sheet) -> dict[str, Any]:
    return Grid(
        ("What happened", "Clauses"),
        tuple(
            (
                visible("\n".join([one["text"], *one["details"]])),
                ", ".join(map(visible, one["clauses"])),
            )
            for one in report["narration"]
        ),
        words=(0, 1),
    ).data()


def _provenance(report: Sheet) -> list[list[Any]]:
    facts = (
        ("Record", f"{report['file']}, line {report['line']}"),
        ("Regulation", f"{report['law_title']} ({report['law']}), from {report['in_force_from']}"),
        ("Rules SHA-256", report["rules_hash"]),
        ("Law SHA-256", report["law_hash"]),
        ("Program", f"{report['program']} {report['version']}"),
        ("Reproduce with", report["reproduce"]),
    )
    return [[name, [visible(value)]] for name, value in facts]
