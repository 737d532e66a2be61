"""Compiles the program and its tests once, for the processes that share the tests: `make compiled`.

Pytest compiles assertions in its own way when a module of tests is imported. What such a module
imports takes as long again, so here it finds nothing that it could import.
"""

import compileall
import sys
from contextlib import suppress
from importlib.util import module_from_spec

import pytest

from slow import TESTS


class Compilation:
    """In the place of a collection of tests."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_collection(self) -> bool:
        """Compile every module of tests; nothing is collected."""
        for path in sorted(TESTS.rglob("test_*.py")):
            found = (one.find_spec(path.stem, [str(path.parent)]) for one in sys.meta_path)
            spec = next(filter(None, found))
            assert spec.loader is not None
            module = module_from_spec(spec)
            vars(module)["__builtins__"] = {}
            with suppress(ImportError):
                spec.loader.exec_module(module)
        return True


if __name__ == "__main__":
    for folder in (TESTS.parent / "src", TESTS / "support"):
        compileall.compile_dir(folder, quiet=1)
    pytest.main(["--quiet"], plugins=[Compilation()])
