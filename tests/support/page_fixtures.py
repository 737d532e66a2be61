"""A browser, a service that is ready, and windows of one on the other."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from support.browsers import chromium
from support.served import Served
from support.windows import Opened, ready, windows

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as one:
        yield one


@pytest.fixture
def house(tmp_path: Path) -> Iterator[Served]:
    with ready(tmp_path) as one:
        yield one


@pytest.fixture
def opened(browser: Browser, house: Served) -> Iterator[Opened]:
    with windows(browser, house) as one:
        yield one
