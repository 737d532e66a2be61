"""Every example in a docstring runs and gives what it says."""

import doctest
import importlib
import pkgutil

import pytest

import croupier

MODULES = sorted(
    module.name for module in pkgutil.walk_packages(croupier.__path__, f"{croupier.__name__}.")
)


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_of_a_module_give_what_they_say(name: str) -> None:
    # A runner begins a debugger for each docstring, even for one without examples, and that looks
    # at every file that was read so far.
    runner = doctest.DocTestRunner(verbose=False, optionflags=doctest.NORMALIZE_WHITESPACE)
    for test in doctest.DocTestFinder().find(importlib.import_module(name)):
        if test.examples:
            runner.run(test)
    assert runner.failures == 0


def test_there_are_examples_to_run() -> None:
    finder = doctest.DocTestFinder(exclude_empty=True)
    found = finder.find(importlib.import_module("croupier.law.values"))
    assert any(test.examples for test in found)
