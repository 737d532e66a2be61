"""The tree stays as it was designed: imports point one way, files are short, money is exact."""

import ast
import doctest
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from graphlib import TopologicalSorter
from typing import Final

import pytest

from croupier.baccarat.wagers import BANKER, PLAYER, TIE, WAGERS
from croupier.table.machine.state import RoundState, TableState
from support.project import ROOT
from support.sources import PACKAGE, PUBLIC, Source, modules, none_of, source_of

STANDARD_LIBRARY: Final = sys.stdlib_module_names

# Whatever makes, renames or fills a file; the law may say "open".
WRITES: Final = re.compile(
    r"\.write_(text|bytes)\(|open\([^)]*[\"'][wax]b?[\"']|os\.(replace|rename|link|open)\("
    r"|\.rename\(|mkstemp|mkdtemp|NamedTemporaryFile|\bclick\.echo\("
)


CORE: Final = {
    "acts",
    "files",
    "baccarat",
    "law",
    "rules",
    "money",
    "table",
    "verify",
}

# The kernels of exact odds and of rounds of others, and all of the simulation. Nothing else imports numba or numpy, and
# nothing imports these but whoever asks for speed.
KERNELS: Final = {
    "odds/arrays",
    "odds/bands",
    "odds/compiled",
    "odds/dealing",
    "odds/card_wagers",
    "odds/kernel",
    "odds/lanes",
    "odds/plot",
    "odds/study",
    # Type checkers read there what it imports only when it is used.
    "__init__",
    "api/simulation",
    # Rounds of others by the million, judged over the bytes of their file.
    "verify/rounds/compiled",
    "verify/rounds/object_rows",
    "verify/rounds/part_kernel",
    "verify/rounds/row_kernel",
    "verify/rounds/shoe_kernel",
    # The commands that play many shoes, and tell plainly where numba is missing.
    "cli/analysis/blackjack",
    "cli/analysis/blackjack_figures",
    "cli/analysis/count",
    "cli/analysis/session",
    "cli/analysis/session_play",
    "cli/analysis/simulate",
} | {
    path.relative_to(PACKAGE).with_suffix("").as_posix()
    for path in PACKAGE.glob("simulation/**/*.py")
    # The schema is printed with no kernel at hand.
    if path.stem != "documents"
}

# An option of a command that needs no kernel otherwise; it names the extra that is missing.
ON_DEMAND: Final = {"cli/analysis/par"}

# What each part of the package may import besides itself: only what comes before it.
MAY_IMPORT: Final = {
    "files": set[str](),
    "law": {"files"},
    "baccarat": set[str](),
    "rules": {"files", "baccarat", "law"},
    "money": {"baccarat", "law", "rules"},
    "acts": {"baccarat", "law", "rules", "money"},
    "table": {"acts", "baccarat", "law", "rules", "money"},
    "blackjack": {"acts", "files", "baccarat", "law", "rules", "money", "table"},
    "records": CORE - {"verify"},
    "odds": CORE - {"verify", "acts"} | {"blackjack"},
    "simulation": {"files", "blackjack", "baccarat", "law", "rules", "money", "odds"},
    "verify": CORE - {"verify"} | {"records", "odds"},
    # Tables set at any point of the procedure, and the staff who play them.
    "scenarios": CORE - {"verify"} | {"records"},
    # An amount is written in the currency of a law, and a screen is made of a view and its acts.
    "reports": {"acts", "law", "records"},
    "drills": CORE - {"verify"} | {"records", "reports", "scenarios"},
    # The public names, each imported when it is first used.
    "__init__": {"acts", "api", "files", "records"},
    "api": CORE | {"odds", "records", "scenarios", "simulation"},
    "server": CORE | {"odds", "records", "reports", "drills", "scenarios"},
    "cli": CORE
    | {
        *("api", "blackjack", "drills", "odds", "records", "reports", "scenarios", "server"),
        "simulation",
    },
    "__main__": {"cli"},
}


# From part to part of the package, but for what lies below them all; a new one takes a reason.
MOST_EDGES: Final = 119


def test_sql_numbers_no_placeholder() -> None:
    # Python 3.12.0 to 3.12.3 takes ?1 for a name, and warns of the sequence that fills it.
    none_of(
        f"{module}: {found}"
        for module in modules()
        for found in re.findall(r"(?:values \(|= |, )\?\d", module.text)
    )


def test_imports_point_one_way() -> None:
    none_of(
        f"{module} imports {name}"
        for module in modules()
        for name in sorted(_parts_imported(module) - MAY_IMPORT[module.part] - {module.part})
    )


def test_no_modules_import_each_other() -> None:
    imported = {_dotted(module): {*module.imported, *module.names_imported} for module in modules()}
    below = {name: found & imported.keys() - {name} for name, found in imported.items()}
    # Raises CycleError, which names the modules of a cycle.
    TopologicalSorter(below).prepare()


def _dotted(module: Source) -> str:
    return f"croupier.{module.name.replace('/', '.')}".removesuffix(".__init__")


def test_the_parts_hang_together_by_few_imports() -> None:
    edges = {
        (module.part, name)
        for module in modules()
        for name in _parts_imported(module) - {module.part}
    }
    assert len(edges) <= MOST_EDGES, f"{len(edges)}: {sorted(edges)}"


def _parts_imported(module: Source) -> set[str]:
    parts = {name.split(".")[1] for name in module.imported if name.startswith("croupier.")}
    return parts - PUBLIC


def test_pages_are_drawn_from_views_alone() -> None:
    """No page knows the core: whatever it shows went through the views before."""
    known = (
        "croupier.server.pages",
        "croupier.reports.",
        "croupier.records.view.documents",
        "croupier.acts.command",
        "croupier.acts.roles",
    )
    none_of(
        f"{module} imports {name}"
        for module in modules()
        if module.name.startswith("server/pages/")
        for name in module.imported
        if name.startswith("croupier.") and not name.startswith(known)
    )


def test_the_rules_wing_has_one_door() -> None:
    none_of(
        f"{module} imports {name}"
        for module in modules()
        for name in module.imported
        if module.part != "rules"
        and name.startswith("croupier.rules.")
        # What documents are typed in is used without the rules of a table.
        and name != "croupier.rules.documents"
    )


def test_the_core_depends_on_msgspec_alone() -> None:
    none_of(
        f"{module} imports {name}"
        for module in modules()
        for name in sorted(module.others - {"msgspec"})
        if module.part in CORE and module.name not in KERNELS
    )


def test_odds_depend_on_msgspec_alone_but_for_the_kernels() -> None:
    kernels = {f"croupier.{kernel.replace('/', '.')}" for kernel in KERNELS}
    none_of(
        f"{module} imports {name}"
        for module in modules()
        if module.name not in KERNELS | ON_DEMAND
        for name in sorted(
            kernels.intersection(module.imported)
            | (module.others - {"msgspec"} if module.part == "odds" else set())
        )
    )


def test_money_and_law_know_no_floating_point() -> None:
    none_of(
        f"{module}:{node.lineno}: a float"
        for module in modules()
        if module.part in {"law", "rules", "money", "table"} and module.name != "rules/documents"
        for node in module.nodes
        if (isinstance(node, ast.Constant) and isinstance(node.value, float))
        or (isinstance(node, ast.Name) and node.id == "float")
    )


PLACES: Final = re.compile(
    r"\b(NJ|MA|NY)\b|\bus-[a-z]{2}\b|New Jersey|Massachusetts|New York|N\.J\.A\.C"
)


def test_no_state_is_named_outside_the_law() -> None:
    none_of(
        place
        for module in modules()
        if module.part != "law" and PLACES.search(module.text)
        for place in _states_named(module)
    )


def _states_named(module: Source) -> Iterator[str]:
    for token in tokenize.generate_tokens(io.StringIO(module.text).readline):
        if token.type == tokenize.COMMENT:
            continue
        text = token.string
        # An example may name a law: it has to resolve one.
        for example in doctest.DocTestParser().get_examples(text) if ">>>" in text else ():
            for line in (example.source + example.want).splitlines():
                text = text.replace(line, "")
        found = PLACES.search(text)
        if found is not None:
            yield f"{module}:{token.start[0]}: {found[0]}"


def test_no_reading_is_asked_for_by_its_bare_id() -> None:
    none_of(
        f"{module}:{node.lineno}: {node.value}"
        for module in modules()
        if module.part != "law"
        for node in module.nodes
        if isinstance(node, ast.Constant)
        and isinstance(node.value, str)
        and re.fullmatch(r"[TC]\d\d", node.value)
    )


PARTS: Final = sorted(
    path.stem
    for path in (PACKAGE / "table" / "parts").glob("*.py")
    if path.stem != "__init__" and not path.stem.endswith("_fields")
)
CLIENTS: Final = {"table/__init__"}
"""The module of the table that knows its parts: it loads them."""


def _general() -> list[Source]:
    """Return the modules of the table that belong to no part and know none."""
    return [
        module
        for module in modules()
        if module.part == "table"
        and not module.name.startswith("table/parts/")
        and module.name not in CLIENTS
    ]


def _words_of_parts() -> set[str]:
    """Return the names of the commands and events that belong to a part."""
    return {
        node.name
        for module in modules()
        if module.name.startswith("acts/") and module.path.stem in PARTS
        for node in module.nodes
        if isinstance(node, ast.ClassDef)
    }


def _names_in(module: Source) -> Iterator[tuple[int, str]]:
    for node in module.nodes:
        if isinstance(node, ast.Name):
            yield node.lineno, node.id
        elif isinstance(node, ast.Attribute):
            yield node.lineno, node.attr


def test_the_general_modules_of_the_table_know_no_part() -> None:
    assert len(PARTS) == 6
    words = _words_of_parts()
    assert len(words) > 25
    none_of(
        f"{module} imports {name}"
        for module in _general()
        for name in module.imported
        if name.startswith("croupier.table.parts")
    )
    none_of(
        f"{module}:{line}: {name}"
        for module in _general()
        for line, name in _names_in(module)
        if name in words
    )


def test_a_state_holds_only_what_the_general_modules_go_by() -> None:
    """A field that a part alone reads belongs in the part's own slice."""
    read = {
        name
        for module in _general()
        if module.name != "table/machine/state"
        for _, name in _names_in(module)
    }
    fields = {*TableState.__struct_fields__, *RoundState.__struct_fields__}
    assert fields <= read


def test_the_name_of_a_class_means_one_thing() -> None:
    # A document may have the name of what it shows: audit.Audit, documents.Audit.
    documents = {module for module in modules() if module.name.endswith("/documents")}
    assert _defined_twice(documents) == set()
    assert _defined_twice(set(modules()) - documents) == set()


def _defined_twice(sources: set[Source]) -> set[str]:
    defined = Counter(
        node.name
        for source in sources
        for node in source.tree.body
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_")
    )
    return {name for name, times in defined.items() if times > 1}


def test_a_word_of_the_program_has_one_meaning_in_the_glossary() -> None:
    text = (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8")
    section = text.partition("## Law as data, and the program\n")[2].partition("\n## ")[0]
    rows = [line.split("|")[1] for line in section.splitlines() if line.startswith("| ")][1:]
    words = Counter(word.strip() for row in rows for word in row.split(","))
    assert len(words) > 50
    assert [word for word, times in words.items() if times > 1] == []


@pytest.mark.parametrize("folder", ["src", "tests", "submissions", "docs", "bench"])
def test_nothing_outside_the_tree_is_mentioned(folder: str) -> None:
    # Spelled in two, or this line would mention it.
    outside = "../" + "shared"
    none_of(
        path.relative_to(ROOT).as_posix()
        for path in sorted((ROOT / folder).rglob("*"))
        if path.is_file()
        and path.suffix in {".py", ".toml", ".md", ".tsv", ".json", ".txt"}
        and outside in path.read_text(encoding="utf-8")
    )


def test_the_oracles_know_nothing_of_the_program() -> None:
    folder = ROOT / "tests" / "support"
    oracles = [source_of(path) for path in sorted((folder / "oracles").glob("*.py"))]
    assert len(oracles) == 12
    # What they stand in is imported with them.
    none_of(
        f"{source} imports {name}"
        for source in [source_of(folder / "__init__.py"), *oracles]
        for name in source.imported
        if not name.startswith("support.oracles.")
        and name.split(".")[0] not in STANDARD_LIBRARY - {"importlib"}
    )


def test_files_are_written_in_one_place() -> None:
    none_of(
        f"{module}:{number}: {line.strip()}"
        for module in modules()
        # The law keeps a built form of its own data in the package, and reads no user's file.
        if module.part != "files" and module.name not in WRITES_BY_ITSELF
        for number, line in enumerate(module.text.splitlines(), 1)
        if WRITES.search(line)
    )


# --- a wager is defined once -------------------------------------------------------------------

CATALOGUE: Final = "baccarat/wagers/"
OF_HANDS: Final = {PLAYER.id, BANKER.id, TIE.id}
"""Ids that are words for the hands and for the winner of a coup too."""
LISTS_HANDS: Final = {
    # Columns of a round record or of a file of rows, by the hand whose cards they hold.
    "records/rounds/mapping",
    "records/rounds/tables",
    "simulation/sessions/rows",
    "verify/rounds/cached",
    "verify/rounds/compiled",
    "verify/rounds/object_rows",
    "verify/rounds/documents",
    # A board's marks, by the winner of a coup.
    "reports/roads",
    "records/roads",
    # Columns of rounds that were found.
    "cli/records/found_rounds",
    "reports/found_rounds",
    "records/view/documents",
}


def wagers_named(module: Source) -> Iterator[int]:
    """Yield the lines on which a module names a wager of the catalogue.

    A refusal's code and the slice of a part may be the word. A word for a hand or for the winner
    may be a key, or the value of an enumeration or of an argument; compared or listed it may be a
    wager's.
    """
    codes = {
        node.args[0]
        for node in module.nodes
        if isinstance(node, ast.Call)
        and ast.unparse(node.func) in {"Refusal", "core.keeps"}
        and node.args
    }
    for node in module.nodes:
        if isinstance(node, ast.Constant) and node not in codes:
            if isinstance(node.value, str) and node.value in WAGERS and node.value not in OF_HANDS:
                yield node.lineno
        elif module.name not in LISTS_HANDS and isinstance(
            node, ast.Compare | ast.Set | ast.List | ast.Tuple | ast.Subscript
        ):
            parts = ast.iter_child_nodes(node)
            if any(isinstance(one, ast.Constant) and one.value in OF_HANDS for one in parts):
                yield node.lineno


def test_no_wager_is_named_outside_the_catalogue() -> None:
    none_of(
        f"{module}:{line}: a wager is told from others by its record, never by its name"
        for module in modules()
        # The parts of a table are listed by their modules.
        if not module.name.startswith(CATALOGUE) and module.name != "table/parts/__init__"
        for line in wagers_named(module)
    )


# What opens or parses files of the usual kinds in Python.
PARSES: Final = {"tomllib", "gzip"}

# What writes elsewhere, and why it may.
WRITES_BY_ITSELF: Final = {
    # The law keeps a built form of its own data in the package, and reads no user's file.
    "law/built",
    # A record is durable line by line, and is a log from its first line on: nothing to rename.
    "records/stores/file_stream",
    "records/stores/sqlite_store",
    # SQLite writes a copy itself; it is named once it is whole, as everywhere.
    "records/stores/backup",
    # Rows are written as they are read; the whole takes its place at the end.
    "records/export/writing",
}

# What reads elsewhere, and why it may.
READS_BY_ITSELF: Final = {
    # The law's own data in the package, which nobody else writes.
    "law/built",
    "law/coverage",
    "law/load",
    "law/resolve",
    # Sources of the package, which name the machine code made of them.
    "odds/compiled",
    # Documents and samples of the package.
    "files/shipped",
    # What it has written itself, under its own lock.
    "records/stores/file_stream",
    # Four bytes of the log of the store that it has open.
    "records/stores/sqlite_reading",
    # A file that it writes.
    "records/export/writing",
    # Styles and templates of the package.
    "reports/formats/html",
    "reports/formats/typst",
    # The style and the script of its pages.
    "server/resources/page_calls",
    "reports/replay",
}


def test_files_are_read_through_one_door() -> None:
    none_of(
        f"{module}: {found}"
        for module in modules()
        if module.part != "files" and module.name not in READS_BY_ITSELF
        for found in _read_by_itself(module)
    )


def _read_by_itself(module: Source) -> Iterator[str]:
    yield from (f"imports {name}" for name in module.imported if name in PARSES)
    for node in module.nodes:
        match node:
            case ast.Call(func=ast.Name(id="open")):
                yield f"{node.lineno}: open"
            # Of a path: a table is opened too, with a date, and a file to write by its name.
            case ast.Call(func=ast.Attribute(attr="open"), args=[ast.Constant(value=str(mode))]):
                if set(mode) <= set("rwaxb+"):
                    yield f"{node.lineno}: open"
            case ast.Call(func=ast.Attribute(attr=("read_text" | "read_bytes") as name)):
                yield f"{node.lineno}: {name}"
            case ast.Attribute(value=ast.Name(id="json"), attr=("load" | "loads") as name):
                yield f"{node.lineno}: json.{name}"
            case _:
                pass
