"""A browser that opens pages, with nothing that they do not need."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Final

import pytest

from support.volume import WHOLE

if TYPE_CHECKING:
    from playwright.sync_api import Browser

CHROMIUM: Final = shutil.which("chromium")

LEFT_OUT: Final = (
    # What Playwright leaves out: a browser heeds the last of two lists alone.
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "TcpPortRandomizationWin",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    # What drops down from the address bar: two pages and a process for every window, which cost
    # more than the page that the window is opened for.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
    "WebUIOmniboxFullPopup",
)
"""Features of the browser that no test needs."""


@contextmanager
def chromium(*settings: str) -> Iterator[Browser]:
    """Run a browser until the block ends; the test is skipped where there is none."""
    if CHROMIUM is None and not WHOLE:
        pytest.skip("a browser opens the pages: install chromium")
    from playwright.sync_api import sync_playwright  # noqa: PLC0415  (slow to import)

    with sync_playwright() as playwright:
        found = playwright.chromium.launch(
            executable_path=CHROMIUM,
            args=[
                "--no-sandbox",
                "--disable-gpu",
                f"--disable-features={','.join(LEFT_OUT)}",
                *settings,
            ],
        )
        yield found
        found.close()
