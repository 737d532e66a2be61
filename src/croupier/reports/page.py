"""A report as one HTML page, with no external resources and no scripts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from croupier.reports.figures import Sheet, extra
from croupier.reports.view import view


def html_sheet(sheet: Sheet) -> str:
    """Return the sheet as a self-contained page.

    Raises ``MissingExtraError`` if Jinja is not installed.
    """
    return html_page("sheet.html.j2", lambda: {"sheet": view(sheet)})


def html_page(template: str, given: Callable[[], Mapping[str, Any]]) -> str:
    """Return a self-contained page from one of the templates in this package.

    ``given`` returns the template's data; it is called after the import succeeds.

    Raises ``MissingExtraError`` if Jinja is not installed.
    """
    jinja2 = extra("html")
    # Everything is escaped except the charts, which escape their own text.
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(beside),
    )
    page: str = environment.get_template(template).render(
        style=beside("house.css").rstrip(), **given()
    )
    return page + "\n"


def beside(name: str) -> str:
    """Return the text of a file of this package."""
    return (files("croupier.reports") / name).read_text(encoding="utf-8")
