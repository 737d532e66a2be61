"""A disk that fails under a dealing process: by ``strace``, a full file system, a limit of length.

``bench/faults.py`` prints the same as figures.
"""

import shutil
import subprocess
import sys
from itertools import product

import pytest

from support.project import ROOT
from support.volume import spread

FAULTS = (
    "fsync fails once",
    "fsync fails now and then",
    "fsync fails from now on",
    "write: no space, once",
    "write: bad disk, now and then",
    "write: no space from now on",
    "nothing can be taken back",
    "a limit of the length of files",
    "a small file system",
)


@pytest.mark.parametrize(("fault", "store"), spread(product(FAULTS, ["file", "sqlite"]), 6))
def test_what_was_acknowledged_before_a_fault_is_kept_and_the_table_goes_on(
    store: str, fault: str
) -> None:
    if shutil.which("strace") is None:
        pytest.skip("strace lets system calls fail, and is not there")
    told = subprocess.run(  # noqa: S603  (a script of this project)
        [sys.executable, str(ROOT / "bench/faults.py"), "--store", store, "--fault", fault],
        capture_output=True,
        text=True,
        check=False,
    )
    if "no file system can be mounted here" in told.stderr:
        pytest.skip("only root may mount a small file system")
    assert told.returncode == 0, told.stderr
    assert told.stdout.startswith(f"{store}, {fault}: ")
    assert "0 lost, the record verified" in told.stdout
