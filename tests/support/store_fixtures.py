"""Fixtures for tests of both kinds of store: ``pytest_plugins = ["support.store_fixtures"]``."""

from __future__ import annotations

from pathlib import Path

import pytest

from support.databases import cluster


@pytest.fixture(params=["sqlite", "postgres"])
def place(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """Where a store may be opened, again and again: a file, then a database."""
    return str(tmp_path / "pit.sqlite") if request.param == "sqlite" else cluster().database()
