"""The disk of a service fills up, and has room again: nothing is lost, and nothing done twice."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from croupier.verify.log import verify_lines
from support.served import problem, served
from support.tables import opened

SMALL, LARGE = "600k", "16m"


def mount(folder: Path, size: str, *more: str) -> None:
    program = shutil.which("mount") or ""
    options = ",".join([*more, f"size={size}"])
    command = [program, "-t", "tmpfs", "-o", options, "tmpfs", str(folder)]
    subprocess.run(command, check=True, capture_output=True)  # noqa: S603


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small file system of its own."""
    if os.geteuid() != 0:
        pytest.skip("only root may mount a small file system")
    folder = tmp_path / "disk"
    folder.mkdir()
    try:
        mount(folder, SMALL)
    except subprocess.CalledProcessError:
        pytest.skip("no file system can be mounted here")
    yield folder
    subprocess.run([shutil.which("umount") or "", "-l", str(folder)], check=True)  # noqa: S603


def acts(number: int) -> dict[str, object]:
    """Seat a patron, and have them leave."""
    if number % 2:
        return {"type": "LeaveTable", "seat": 3}
    return {"type": "SeatPatron", "seat": 3, "patron": "Pat"}


def test_a_full_disk_is_told_and_gone_on_from(disk: Path) -> None:
    with served(disk / "pit.sqlite") as one:
        dealer, _ = opened(one)
        for number in range(2_000):
            answer = dealer.does("MB-101", acts(number), key=f"k{number}")
            if answer.status_code != 200:
                break
            assert answer.json()["seq"] == number + 2
        problem(answer, 507, "disk_full")
        # Nothing of it was done, and everything that was told is shown.
        assert dealer.sees("/v1/tables/MB-101")["seq"] == number + 1
        problem(dealer.does("MB-101", acts(number), key=f"k{number}"), 507, "disk_full")
        mount(disk, LARGE, "remount")
        for more in (number, number + 1):
            assert dealer.does("MB-101", acts(more), key=f"k{more}").json()["seq"] == more + 2
        again = dealer.does("MB-101", acts(number), key=f"k{number}")
        assert again.headers["idempotent-replay"] == "true"
        lines = [*one.service.store.lines("MB-101")]
    verdict = verify_lines(Path("log"), lines)
    assert (verdict.is_clean, verdict.entries) == (True, number + 3)
