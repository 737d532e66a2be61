"""A dossier as formatted text: every fact as page and document show it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from croupier.reports.charts import FONT, Bar, bars, chart_alt_text
from croupier.reports.figures import Sheet, dollars, exact, percent, visible
from croupier.reports.view import Grid

_SIGNED: Final = ("Prepared by", "Checked by", "Approved by")
"""Who signs a dossier; the regulation says who must."""

_KINDS: Final = {
    "requires": "Met",
    "excludes": "Met",
    "uniform": "Same at all tables",
    "moment": "When it changes",
}

_MEANING: Final = (
    "House edge is the average amount kept per unit staked, exact for a fresh shoe; RTP (return to "
    "player) is 100% minus the house edge. Odds are before vigorish (commission), and the edge is "
    "after it."
)


def dossier_view(dossier: Sheet, paper: str, font: str = FONT) -> dict[str, Any]:
    """Return the whole dossier as text and charts, in plain data for a template."""
    priced = [one for one in dossier["wagers"] if one["house_edge"] is not None]
    edges = [
        Bar(visible(one["title"]), exact(one["house_edge"]), percent(exact(one["house_edge"])))
        for one in priced
    ]
    title = visible(dossier["title"]).strip() or "untitled"
    return {
        "title": title,
        "paper": paper,
        "law": visible(dossier["law"]),
        "law_title": visible(dossier["law_title"]),
        "in_force_from": visible(dossier["in_force_from"]),
        "rules_short": visible(dossier["rules_hash"])[:16],
        "headline": f"Accepted: the regulation permits these {len(dossier['elections'])} elections",
        "table": _table(dossier["table"]),
        "warnings": [visible(one) for one in dossier["warnings"]],
        "provenance": _provenance(dossier),
        "elections": _elections(dossier),
        "wagers": _wagers(dossier),
        "exact": _exact(priced),
        "edges": bars("edges", "House edge of each wager", edges, font=font) if edges else "",
        "edges_told": chart_alt_text(edges),
        "meaning": _MEANING if priced else "",
        "vigorish": None if dossier["vigorish"] is None else visible(dossier["vigorish"]),
        "readings": _readings(dossier),
        "constraints": _constraints(dossier),
        "notices": _notices(dossier),
        "procedures": _procedures(dossier),
        "checklist": [
            {
                "says": visible(one["says"]),
                "citation": visible(one["citation"]),
                "reason": visible(one["reason"] or "Kept on file with the submission."),
            }
            for one in dossier["checklist"]
        ],
        "clauses": Grid(
            ("Clause", "Says, paraphrased"),
            tuple((visible(name), visible(says)) for name, says in dossier["clauses"].items()),
            words=(0, 1),
        ).data(),
        "signatures": list(_SIGNED),
    }


def _table(table: Mapping[str, str]) -> str:
    facts = {name: visible(value) for name, value in table.items()}
    return (
        f"Pit {facts['pit']}, table {facts['table']}: {facts['seats']} seats, numbered"
        f" {facts['numbering']}"
    )


def _provenance(dossier: Sheet) -> list[list[Any]]:
    file = dossier["file"]
    facts = (
        (
            "Regulation",
            f"{dossier['law_title']} ({dossier['law']}), {dossier['citation'].rstrip('- ')}",
        ),
        ("Authority", dossier["authority"]),
        ("In force", f"from {dossier['in_force_from']}, known to {dossier['in_force_known']}"),
        ("Law edition", f"{dossier['edition']}"),
        ("Law SHA-256", dossier["law_hash"]),
        ("Submission file", f"{file['name']}, {file['bytes']:,} bytes"),
        ("File SHA-256", file["sha256"]),
        ("Rules SHA-256", dossier["rules_hash"]),
        ("Program", f"{dossier['program']} {dossier['version']}"),
        ("Reproduce with", dossier["reproduce"]),
    )
    return [[name, [visible(value)]] for name, value in facts]


def _cited(clauses: list[str]) -> str:
    return ", ".join(map(visible, clauses))


def _elections(dossier: Sheet) -> dict[str, Any]:
    return Grid(
        ("Election", "Elected", "Left open", "Clauses"),
        tuple(
            (
                f"{visible(one['title'])} ({visible(one['id'])})",
                visible(one["elected"]) + ("" if one["is_default"] else " *"),
                visible(one["left_open"]),
                _cited(one["cites"]),
            )
            for one in dossier["elections"]
        ),
        words=(0, 1, 2, 3),
    ).data()


def _money(cents: int | None) -> str:
    return "none" if cents is None else dollars(cents)


def _percent(text: str | None) -> str:
    return "not priced" if text is None else percent(exact(text))


def _wagers(dossier: Sheet) -> dict[str, Any]:
    return Grid(
        ("Wager", "Pays", "Min bet", "Max bet", "Unit", "Max win", "House edge", "RTP"),
        tuple(
            (
                visible(one["title"]),
                visible("\n".join(one["pays"])),
                _money(one["min_cents"]),
                _money(one["max_cents"]),
                _money(one["unit_cents"]),
                "no bound" if one["max_win_meters"] else _money(one["max_win_cents"]),
                _percent(one["house_edge"]),
                _percent(one["return_to_player"]),
            )
            for one in dossier["wagers"]
        ),
        words=(0, 1),
    ).data()


def _exact(priced: list[Mapping[str, Any]]) -> dict[str, Any]:
    """Return the edges as fractions."""
    return Grid(
        ("Wager", "House edge", "Exactly", "Hit frequency", "Clauses"),
        tuple(
            (
                visible(one["title"]),
                percent(exact(one["house_edge"])),
                visible(one["house_edge"]),
                percent(exact(one["hit_frequency"])),
                _cited(one["cites"]),
            )
            for one in priced
        ),
        words=(0, 4),
    ).data()


def _readings(dossier: Sheet) -> dict[str, Any]:
    return Grid(
        ("Entry", "In doubt", "Reading taken"),
        tuple(
            (
                visible(one["id"]),
                visible(f"{one['title']}. {one['problem']}"),
                visible(one["says"]) + (" (elected)" if one["is_elected"] else ""),
            )
            for one in dossier["reading_texts"]
        ),
        words=(0, 1, 2),
    ).data()


def _constraints(dossier: Sheet) -> dict[str, Any]:
    return Grid(
        ("Constraint", "Status", "Clauses"),
        tuple(
            (visible(one["says"]), _KINDS[one["kind"]], _cited(one["cites"]))
            for one in dossier["constraints"]
        ),
        words=(0, 1, 2),
    ).data()


def _notices(dossier: Sheet) -> dict[str, Any]:
    return Grid(
        ("A change of", "Notice to", "How long before", "Clauses"),
        tuple(
            (
                visible(f"{', '.join(one['elections'])}: {one['says']}"),
                visible(", ".join(one["to"])),
                "before the change" if one["minutes"] is None else f"{one['minutes']} minutes",
                _cited(one["cites"]),
            )
            for one in dossier["notices"]
        ),
        words=(0, 1, 2, 3),
    ).data()


def _procedures(dossier: Sheet) -> dict[str, Any]:
    return Grid(
        ("Procedure", "Because", "Clauses"),
        tuple(
            (visible(one["says"]), visible(one["because"]), _cited(one["cites"]))
            for one in dossier["procedures"]
        ),
        words=(0, 1, 2),
    ).data()
