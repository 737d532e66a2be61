"""The list of functions and tests that comes with the program, made again from the sources."""

import importlib
import json
import pkgutil

import croupier
from croupier.law.cite import cited_rules
from croupier.law.contracts import known_rule_ids
from croupier.law.coverage import tests_naming as _tests_naming
from croupier.law.resolve import instruments
from support.project import ROOT


def coverage_list() -> str:
    """Return the text of the list: the functions of each rule, and the tests of each clause.

    Functions register when they are imported, so the whole package is: but for the command line,
    which carries out nothing.
    """
    parts = set()
    for module in pkgutil.walk_packages(croupier.__path__, "croupier."):
        if not module.name.startswith(("croupier.cli", "croupier.__main__")):
            importlib.import_module(module.name)
            parts.add(module.name.split(".")[1])
    # Examples in docstrings and in tests register functions of their own.
    functions = {
        rule: sorted(one for one in found if one.partition(".")[0] in parts)
        for rule, found in sorted(cited_rules().items())
        if rule in known_rule_ids()
    }
    tests = {
        text: {
            clause: [one.removeprefix(f"{ROOT.as_posix()}/") for one in found]
            for clause, found in sorted(named.items())
        }
        for text, named in sorted(_tests_naming(ROOT / "tests").items())
        if text in {one.key for one in instruments()}
    }
    listed = {"functions": functions, "tests": tests}
    return json.dumps(listed, indent=0, ensure_ascii=False) + "\n"
