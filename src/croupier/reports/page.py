"""A report as one page of HTML: nothing is fetched, no script is run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from importlib.resources import files
from typing import Any

from croupier.reports.figures import Sheet, extra
from croupier.reports.view import view

__all__ = ["html_page", "html_sheet"]


def html_sheet(sheet: Sheet) -> str:
    """Return the sheet as a page that stands alone.

    Raises ``MissingExtraError`` where Jinja is not installed.
    """
    return html_page("sheet.html.j2", lambda: {"sheet": view(sheet)})


def html_page(template: str, given: Callable[[], Mapping[str, Any]]) -> str:
    """Return a page that stands alone, of one of the templates beside this module.

    ``given`` makes what the template is given, once it is known that there is what it is made with.

    Raises ``MissingExtraError`` where Jinja is not installed.
    """
    jinja2 = extra("jinja2", "html")
    # Everything is escaped but the charts, which escape what they are given.
    environment = jinja2.Environment(
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        loader=jinja2.FunctionLoader(_beside),
    )
    page: str = environment.get_template(template).render(
        style=_beside("house.css").rstrip(), **given()
    )
    return page + "\n"


def _beside(name: str) -> str:
    return (files("croupier.reports") / name).read_text(encoding="utf-8")
