"""Programs in processes forked from one that has imported the package: most of a short command is imports.

Each has its own folder, environment, and standard streams, and nothing that another one has loaded.
"""

from __future__ import annotations

import atexit
import importlib
import json
import os
import runpy
import subprocess
import sys
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from support.project import ROOT

_IMPORTED: Final = (
    "click.testing", "croupier.cli.common.files", "croupier.cli.law.drafts", "croupier.drills",
    "croupier.records.log", "croupier.rules", "croupier.scenarios.autopilot",
    "croupier.scenarios.acceptance.files", "croupier.verify.log", "importlib.metadata", "msgspec",
)  # fmt: skip


def python(
    *words: str, cwd: Path, env: Mapping[str, str], typed: str = ""
) -> subprocess.CompletedProcess[str]:
    """Run ``python -B WORDS``, where WORDS are ``-m MODULE ...`` or ``-c CODE ...``."""
    with TemporaryDirectory() as folder:
        streams = [str(Path(folder) / name) for name in ("in", "out", "err")]
        Path(streams[0]).write_text(typed, encoding="utf-8")
        asked = {"words": words, "cwd": str(cwd), "env": dict(env), "streams": streams}
        server = _server()
        assert server.stdin is not None
        assert server.stdout is not None
        server.stdin.write(json.dumps(asked) + "\n")
        server.stdin.flush()
        status = int(server.stdout.readline())
        out, err = (Path(one).read_text(encoding="utf-8") for one in streams[1:])
    return subprocess.CompletedProcess(words, status, out, err)


@cache
def _server() -> subprocess.Popen[str]:
    """Start the process that forks the others. It ends when its standard input does."""
    server = subprocess.Popen(
        [sys.executable, "-B", "-m", "support.forked"],
        cwd=ROOT / "tests",
        env=os.environ | {"PYTHONPATH": str(ROOT / "src")},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )
    atexit.register(server.communicate)
    return server


def _serve() -> Mapping[str, Any]:
    """Fork a process for each request; return the request in the forked process."""
    for name in _IMPORTED:
        importlib.import_module(name)
    for line in sys.stdin:
        child = os.fork()
        if not child:
            asked: Mapping[str, Any] = json.loads(line)
            return asked
        _, status = os.waitpid(child, 0)
        sys.stdout.write(f"{os.waitstatus_to_exitcode(status)}\n")
        sys.stdout.flush()
    os._exit(0)


def _become(asked: Mapping[str, Any]) -> None:
    """Run a program as an interpreter that was started for it does."""
    for number, path in enumerate(asked["streams"]):
        given = os.open(path, os.O_RDONLY if number == 0 else os.O_WRONLY | os.O_CREAT, 0o600)
        os.dup2(given, number)
        os.close(given)
    sys.stdin = open(0, encoding="utf-8", closefd=False)  # noqa: SIM115  (as long as the process)
    sys.stdout = open(1, "w", encoding="utf-8", closefd=False)  # noqa: SIM115  (as above)
    sys.stderr = open(2, "w", encoding="utf-8", closefd=False, buffering=1)  # noqa: SIM115  (as above)
    os.environ.clear()
    os.environ.update(asked["env"])
    os.chdir(asked["cwd"])
    sys.path[:1] = ["", *asked["env"]["PYTHONPATH"].split(os.pathsep)]
    importlib.invalidate_caches()
    option, what, *rest = asked["words"]
    sys.argv = [option, *rest]
    if option == "-m":
        runpy.run_module(what, run_name="__main__", alter_sys=True)
    else:
        exec(compile(what, "<string>", "exec"), {"__name__": "__main__"})  # noqa: S102  (of a test)


if __name__ == "__main__":
    _become(_serve())
