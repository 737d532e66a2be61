"""The tree stays as it was designed: imports point one way, files are short, money is exact."""

import ast
import doctest
import io
import re
import sys
import tokenize
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

ROOT: Final = Path(__file__).parents[1]
PACKAGE: Final = ROOT / "src" / "croupier"
MODULES: Final = sorted(PACKAGE.rglob("*.py"))

LONGEST_FILE: Final = 500
LONGEST_FUNCTION: Final = 70

CORE: Final = {
    "frozen",
    "cards",
    "baccarat",
    "law",
    "rules",
    "money",
    "table",
    "verify",
}

# The kernels of exact odds, and all of the simulation. Nothing else imports numba or numpy, and
# nothing imports these but whoever asks for speed.
KERNELS: Final = {
    "odds/compiled",
    "odds/dealing",
    "odds/judging",
    "odds/kernel",
    "odds/lanes",
    "odds/plot",
    "odds/scalar",
    "odds/study",
    # The commands that play many shoes, and tell plainly where numba is missing.
    "cli/blackjack",
    "cli/blackjack_figures",
    "cli/count",
    "cli/session",
    "cli/session_play",
    "cli/simulate",
} | {
    path.relative_to(PACKAGE).with_suffix("").as_posix()
    for path in PACKAGE.glob("simulation/**/*.py")
    # The schema is printed with no kernel at hand.
    if path.stem != "documents"
}

# What each part of the package may import besides itself.
MAY_IMPORT: Final = {
    "__init__": set[str](),
    "frozen": set[str](),
    "json_schema": set[str](),
    # What a document names of the rules it is about.
    "documents": {"__init__", "law", "rules"},
    "cards": set[str](),
    "baccarat": {"frozen", "cards"},
    "law": set[str](),
    "rules": {"cards", "baccarat", "law"},
    "money": {"cards", "baccarat", "law", "rules"},
    "odds": {
        "documents",
        "blackjack",
        "cards",
        "baccarat",
        "law",
        "rules",
        "money",
        "table",
    },
    "table": CORE - {"table", "verify"},
    "blackjack": {"frozen", "cards", "law", "rules", "money", "table"},
    "records": (CORE - {"verify"}) | {"__init__"},
    "simulation": {
        "documents",
        "blackjack",
        "cards",
        "baccarat",
        "law",
        "rules",
        "money",
        "odds",
    },
    # An audit shows the roads of the shoes that it judges.
    "verify": (CORE - {"verify"}) | {"json_schema", "records", "odds", "roads"},
    # Conformance vectors write commands and events as the table log does.
    "vectors": (CORE - {"verify"}) | {"__init__", "json_schema", "records"},
    "roads": {"cards", "baccarat"},
    "reports": set[str](),
    "cli": CORE
    | {
        "blackjack",
        "documents",
        "json_schema",
        "odds",
        "records",
        "reports",
        "roads",
        "simulation",
        "vectors",
        "__init__",
    },
}


def part(path: Path) -> str:
    """Return the part of the package that a module belongs to: ``law``, ``rules``, ``cli``."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(path: Path) -> Iterator[str]:
    """Yield every module that a file imports, wherever in the file."""
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}:{node.lineno}: a relative import"
            assert node.module is not None
            # `from croupier import rules` imports croupier.rules; a mere name is no harm here.
            below = node.module == "croupier"
            yield from (f"croupier.{one.name}" for one in node.names) if below else (node.module,)


def name_of(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


every_module = pytest.mark.parametrize("path", MODULES, ids=name_of)


@every_module
def test_imports_point_one_way(path: Path) -> None:
    own = part(path)
    parts = {name.split(".")[1] for name in imported(path) if name.startswith("croupier.")}
    parts = {"__init__" if name == "__version__" else name for name in parts}
    assert parts - {own} <= MAY_IMPORT[own]


@every_module
def test_the_rules_wing_has_one_door(path: Path) -> None:
    if part(path) != "rules":
        inside = [name for name in imported(path) if name.startswith("croupier.rules.")]
        assert inside == []


@every_module
def test_the_core_imports_the_standard_library_alone(path: Path) -> None:
    if part(path) in CORE:
        others = {name.split(".")[0] for name in imported(path)} - {"croupier"}
        assert others <= sys.stdlib_module_names


@every_module
def test_odds_import_the_standard_library_alone_but_for_the_kernels(path: Path) -> None:
    name = path.relative_to(PACKAGE).with_suffix("").as_posix()
    names = set(imported(path))
    if name not in KERNELS:
        assert names.isdisjoint(f"croupier.{kernel.replace('/', '.')}" for kernel in KERNELS)
        if part(path) == "odds":
            others = {one.split(".")[0] for one in names} - {"croupier"}
            assert others <= sys.stdlib_module_names


@every_module
def test_no_file_is_longer_than_five_hundred_lines(path: Path) -> None:
    assert len(path.read_text(encoding="utf-8").splitlines()) <= LONGEST_FILE


@every_module
def test_no_function_is_longer_than_seventy_lines(path: Path) -> None:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            assert node.end_lineno - node.lineno < LONGEST_FUNCTION, f"{node.name} in {path}"


@every_module
def test_money_and_law_know_no_floating_point(path: Path) -> None:
    if part(path) not in {"law", "rules", "money", "table"}:
        return
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Constant):
            assert not isinstance(node.value, float), f"a float at {path}:{node.lineno}"
        if isinstance(node, ast.Name):
            assert node.id != "float", f"a float at {path}:{node.lineno}"


PLACES: Final = re.compile(
    r"\b(NJ|MA|NY)\b|\bus-[a-z]{2}\b|New Jersey|Massachusetts|New York|N\.J\.A\.C"
)


@every_module
def test_no_state_is_named_outside_the_law(path: Path) -> None:
    if part(path) == "law":
        return
    source = path.read_text(encoding="utf-8")
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            continue
        text = token.string
        # An example may name a law: it has to resolve one.
        for example in doctest.DocTestParser().get_examples(text) if ">>>" in text else ():
            for line in (example.source + example.want).splitlines():
                text = text.replace(line, "")
        found = PLACES.search(text)
        assert found is None, f"{found} at {path}:{token.start[0]}"


@pytest.mark.parametrize("folder", ["src", "tests", "submissions", "docs", "bench"])
def test_nothing_outside_the_tree_is_mentioned(folder: str) -> None:
    # Spelled in two, or this line would mention it.
    outside = "../" + "shared"
    for path in sorted((ROOT / folder).rglob("*")):
        if path.is_file() and path.suffix in {".py", ".toml", ".md", ".tsv", ".json", ".txt"}:
            assert outside not in path.read_text(encoding="utf-8"), path
