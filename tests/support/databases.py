"""A real PostgreSQL of the tests' own: made when it is first asked for, thrown away at the end.

It runs as the user ``postgres``, as it refuses to run as root, and listens on a socket in its own
folder alone. The one that tests share waits for no disk, as no machine loses its power there.
"""

from __future__ import annotations

import atexit
import os
import shutil
import subprocess
import tempfile
from functools import cache
from itertools import count
from pathlib import Path
from typing import Final

import pytest

BIN: Final = next(iter(sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)), Path())
_NUMBERS: Final = count(1)


class Cluster:
    """A cluster of databases; stop it with ``stop``."""

    def __init__(self, *, waits_for_the_disk: bool = True) -> None:
        self._fsync = "on" if waits_for_the_disk else "off"
        # Not below a folder of pytest's, which is of root alone.
        self.folder = Path(tempfile.mkdtemp(prefix="croupier-pg-", dir="/tmp"))
        self.folder.chmod(0o755)
        self._as: list[str] = []
        if os.geteuid() == 0:
            shutil.chown(self.folder, "postgres", "postgres")
            self._as = ["setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"]
        self.run("initdb", "-D", self.folder / "c", "-A", "trust", "-U", "postgres", "-N",
                  "--no-locale", "-E", "UTF8")  # fmt: skip
        self.start()

    def run(self, program: str | Path, *words: str | Path) -> None:
        """Run a program of PostgreSQL, or one at a path, as its user."""
        command = [*self._as, str(BIN / program), *map(str, words)]
        subprocess.run(command, check=True, stdout=subprocess.DEVNULL, cwd=self.folder)  # noqa: S603

    def start(self) -> None:
        """Start it, and wait until it answers."""
        settings = {
            "listen_addresses": "''",
            "unix_socket_directories": self.folder,
            "shared_buffers": "32MB",
            "max_connections": "60",
            "fsync": self._fsync,
            # A crashed one syncs its files one by one otherwise, which takes seconds on a busy disk.
            "recovery_init_sync_method": "syncfs",
        }
        words = " ".join(f"-c {name}={value}" for name, value in settings.items())
        self.run("pg_ctl", "-D", self.folder / "c", "-w", "-l", self.folder / "log", "-o", words,
                  "start")  # fmt: skip

    def kill(self) -> None:
        """Stop it at once, as where a machine fails."""
        self.run("pg_ctl", "-D", self.folder / "c", "-m", "immediate", "-w", "stop")

    @property
    def pid(self) -> int:
        """The process that all others of it are children of."""
        return int((self.folder / "c" / "postmaster.pid").read_text().split("\n", 1)[0])

    def database(self, like: str = "", on: Path | None = None) -> str:
        """Return the address of a new database, which has what another one has.

        Its files lie ``on`` a folder below that of the cluster, if one is given.
        """
        name = f"t{next(_NUMBERS)}"
        more = ["-T", like.partition("@/")[2].partition("?")[0]] if like else []
        if on is not None:
            if self._as:
                shutil.chown(on, "postgres", "postgres")
            self.run("psql", "-h", self.folder, "-U", "postgres", "-qc",
                     f"create tablespace {name} location '{on}'")  # fmt: skip
            more += ["-D", name]
        self.run("createdb", "-h", self.folder, "-U", "postgres", *more, name)
        return f"postgresql://postgres@/{name}?host={self.folder}"

    def stop(self) -> None:
        """Stop it and remove it."""
        if (self.folder / "c" / "postmaster.pid").exists():
            self.kill()
        shutil.rmtree(self.folder, ignore_errors=True)


@cache
def _cluster() -> Cluster:
    made = Cluster(waits_for_the_disk=False)
    atexit.register(made.stop)
    return made


def cluster() -> Cluster:
    """Return the cluster of this process; skip a test where there is no PostgreSQL."""
    if not (BIN / "initdb").is_file():
        pytest.skip("there is no PostgreSQL (initdb)")
    return _cluster()


def new_cluster(*, waits_for_the_disk: bool = True) -> Cluster:
    """Return a cluster of its own, for who stops and starts it; the caller ends it."""
    if not (BIN / "initdb").is_file():
        pytest.skip("there is no PostgreSQL (initdb)")
    return Cluster(waits_for_the_disk=waits_for_the_disk)
