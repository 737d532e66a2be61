"""A command imports what it needs and little more: counted, as time depends on the machine."""

import json
import subprocess
import sys

import pytest

from support.project import ROOT

SUBMISSION = "submissions/nj-minibaccarat.toml"

HEAVY = {"rich", "email", "importlib.metadata", "numpy", "pickle", "difflib", "random"}


def modules_of(*arguments: str) -> set[str]:
    """Run a command in a process of its own, and return the modules that it has imported."""
    script = (
        "import atexit, json, sys\n"
        "atexit.register(lambda: print(json.dumps(sorted(sys.modules)), file=sys.stderr))\n"
        "from croupier.cli import main\n"
        "main(sys.argv[1:], prog_name='croupier')\n"
    )
    done = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [
            sys.executable,
            "-S",
            "-c",
            f"import sys; sys.path[:] = {sys.path!r}\n{script}",
            *arguments,
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=ROOT,
    )
    return set(json.loads(done.stderr.splitlines()[-1]))


@pytest.mark.parametrize(
    ("arguments", "most"),
    [
        (("--help",), 130),
        # It counts the wagers, for a warning of a bettor's advantage.
        (("check", SUBMISSION, "--format", "json"), 229),
        (("par", "--submission", SUBMISSION, "--format", "json"), 257),
    ],
    ids=lambda given: given[0] if isinstance(given, tuple) else "",
)
def test_a_command_imports_few_modules(arguments: tuple[str, ...], most: int) -> None:
    found = modules_of(*arguments)
    assert {name for name in found if name in HEAVY or name.partition(".")[0] in HEAVY} == set()
    assert len(found) <= most


def test_a_few_rounds_are_simulated_without_a_compiler() -> None:
    found = modules_of("simulate", "--submission", SUBMISSION, "--rounds", "1000")
    assert "numpy" in found
    assert not {"numba", "llvmlite", "rich.progress"} & found


def test_one_clause_is_shown_without_a_kernel_or_the_whole_program() -> None:
    found = modules_of("law", "show", "us-nj/minibaccarat@latest", "7.5(f)")
    parts = {".".join(name.split(".")[:2]) for name in found if name.startswith("croupier.")}
    assert not parts & {
        *("croupier.odds", "croupier.records", "croupier.table"),
        *("croupier.server", "croupier.simulation", "croupier.verify"),
    }
    assert not {"numpy", "numba"} & found
