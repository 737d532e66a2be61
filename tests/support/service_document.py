"""The table of resources in docs/service.md, made of the description of the service."""

from __future__ import annotations

from typing import Final

from croupier.server.http.app import RESOURCES
from croupier.server.http.openapi import description
from support.project import ROOT
from support.table_log_document import with_table

DOCUMENT: Final = ROOT / "docs" / "service.md"


def resources() -> str:
    rows = ["| resource | what it does | query |", "|---|---|---|"]
    for path, methods in description(RESOURCES)["paths"].items():
        for method, one in methods.items():
            queries = [f"`{each['name']}`" for each in one["parameters"] if each["in"] == "query"]
            summary = one["summary"].replace("|", "\\|")
            rows.append(f"| `{method.upper()} {path}` | {summary} | {', '.join(queries)} |")
    return "\n".join(rows)


def filled() -> str:
    """Return the document with its table as expected."""
    return with_table(DOCUMENT.read_text(encoding="utf-8"), "resources", resources())
