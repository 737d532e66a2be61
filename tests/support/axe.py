"""What axe-core finds on a page: the rules of WCAG 2.2 AA, and what it holds for good practice."""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from importlib.util import find_spec
from typing import TYPE_CHECKING, Final

import pytest

from support.volume import WHOLE

if TYPE_CHECKING:
    from playwright.sync_api import Page

_RUN: Final = """() => axe.run(document, {resultTypes: ['violations']})
  .then((told) => told.violations.flatMap((one) => one.nodes.map(
    (node) => `${one.id} (${one.impact}): ${node.target.join(' ')}: ${node.failureSummary}`)))"""


@cache
def _axe() -> str:
    """Return the script of axe-core, which comes in a package for tests."""
    if find_spec("axe_playwright_python") is None and not WHOLE:
        pytest.skip("axe-core reads the pages: install axe-playwright-python")
    return (files("axe_playwright_python") / "axe.min.js").read_text("utf-8")


def violations(page: Page) -> list[str]:
    """Return every violation on a page as it is now, with the element and what is wrong with it."""
    # What a click leads to may be without its style yet.
    page.wait_for_load_state()
    page.evaluate(_axe())
    found: list[str] = page.evaluate(_RUN)
    return found
