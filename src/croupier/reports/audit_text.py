"""An audit on a terminal: what was tested, against what, and what was found."""

from __future__ import annotations

from rich.console import Console

from croupier.reports.audit_view import audit_view
from croupier.reports.figures import Sheet
from croupier.reports.text import facts, headline, paragraph, plain_text, table


def text_audit(audit: Sheet) -> str:
    """Return the audit as plain text, 100 columns wide."""
    return plain_text(lambda out: print_audit(out, audit))


def print_audit(out: Console, audit: Sheet) -> None:
    """Print an audit to a console, at its width. Roads are drawn only in documents."""
    shown = audit_view(audit, drawn=False)
    headline(out, shown["title"])
    paragraph(out, f"{shown['law_title']} ({shown['law']}), in force from {shown['in_force_from']}")
    out.print()
    paragraph(out, shown["headline"], style="bold green" if shown["clean"] else "bold red")
    if first := shown["first"]:
        paragraph(
            out,
            f"First divergence: {first['place']} ({first['kind']}): {first['message']}",
            indent=2,
        )
        for clause, says in first["clauses"]:
            paragraph(out, f"{clause}: {says}" if says else clause, indent=4)
    for warning in shown["warnings"]:
        paragraph(out, f"WARNING {warning}", style="bold")
    _basis(out, shown)
    _found(out, shown)
    if shown["differences"]:
        _owed(out, shown["differences"])
    if census := shown["census"]:
        out.print()
        headline(out, "Results compared with the exact odds")
        for grid, _ in census["grids"]:
            table(out, grid)
            out.print()
        for told in census["told"]:
            paragraph(out, told, style="dim")
    out.print()
    headline(out, "Limitations")
    for note in shown["limitations"]:
        paragraph(out, note, indent=2)


def _basis(out: Console, shown: Sheet) -> None:
    """Print what was tested, against what, and how."""
    for title, name in (
        ("What was tested", "tested"), ("Requirements", "required"), ("Method", "made"),
    ):  # fmt: skip
        out.print()
        headline(out, title)
        if name == "made":
            for step in shown["method"]:
                paragraph(out, step, indent=2)
        facts(out, shown[name])


def _found(out: Console, shown: Sheet) -> None:
    names = {"By requirement": "kinds"}
    if not shown["clean"]:
        names |= {"By clause": "clauses", shown["divergences_title"]: "divergences"}
    for title, name in names.items():
        out.print()
        headline(out, title)
        table(out, shown[name])
    if shown["divergences_left_out"]:
        paragraph(out, shown["divergences_left_out"], style="dim")


def _owed(out: Console, differences: Sheet) -> None:
    out.print()
    headline(out, "Amounts owed")
    if differences["listed"]["rows"]:
        table(out, differences["parts"])
    if differences["unsettled"]:
        paragraph(
            out,
            "Not settled, because a card is missing or the rules do not define how: "
            f"{differences['unsettled']}.",
        )
