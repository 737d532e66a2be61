"""A sheet as one page of HTML: nothing is fetched, no script is run."""

from __future__ import annotations

from importlib.resources import files
from typing import Final

from croupier.reports.figures import Sheet, extra
from croupier.reports.view import view

__all__ = ["html_sheet"]

_TEMPLATE: Final = "sheet.html.j2"


def html_sheet(sheet: Sheet) -> str:
    """Return the sheet as a page that stands alone.

    Raises ``MissingExtraError`` where Jinja is not installed.
    """
    jinja2 = extra("jinja2", "html")
    source = (files("croupier.reports") / _TEMPLATE).read_text(encoding="utf-8")
    # Everything is escaped but the charts, which escape what they are given.
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    page: str = environment.from_string(source).render(sheet=view(sheet))
    return page + "\n"
