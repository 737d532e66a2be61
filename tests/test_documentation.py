"""The documents say what is so: their examples run, their links lead somewhere, their lists are whole.

In a document a block marked ``python`` is run, block after block in one namespace; of a block marked
``console`` every ``$ croupier`` line is run as from the root of the project (`support.blocks`). Blocks
marked ``toml law`` and ``toml submission`` are loaded. ``test_tutorials`` walks the tutorials.
"""

import doctest
import re
import tomllib
from collections.abc import Iterator
from enum import Enum
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from msgspec.structs import fields

import croupier
from croupier.cli import main
from croupier.law.load import load_instrument
from croupier.law.model import (
    Amendment,
    Clause,
    ClauseClass,
    Constraint,
    ConstraintKind,
    Correction,
    Disposition,
    Instrument,
    Interpretation,
    Rule,
)
from croupier.law.resolve import resolve
from croupier.law.values import Kind
from croupier.records.codec import COMMANDS
from croupier.rules import TableLayout, submission_of, table_rules
from support import commands_document, service_document
from support.amendment import amended_shelf
from support.blocks import Block, assert_printed, blocks_of, calls_of, name_of
from support.elections_document import DOCUMENT, document, readings
from support.kept import assert_as_made
from support.project import ROOT, written
from support.sources import PUBLIC, none_of
from support.texts import NJ_MINI

DOCS: Final = ROOT / "docs"
DOCUMENTS: Final = (
    *(ROOT / name for name in ("README.md", "CONTRIBUTING.md", "CHANGELOG.md")),
    *written(".md"),
)
TUTORIALS: Final = frozenset(DOCS.glob("tutorials/*.md"))
PRESENT: Final = tuple(path for path in DOCUMENTS if path.exists())
LAW: Final = resolve("us-nj/minibaccarat", on=NJ_MINI)

LINK: Final = re.compile(r"\[[^\]]*\]\(([^)\s]+)\)")
CLAUSE: Final = re.compile(r"`(NJ-MINI:[^`]+)`")


def marked(*infos: str) -> list[Block]:
    """Return every block that is marked so, but for those of the tutorials, which are walked."""
    return [
        block
        for path in PRESENT
        if path not in TUTORIALS
        for block in blocks_of(path)
        if block.info in infos
    ]


def prose(path: Path) -> str:
    """Return a document without its blocks and without code in its lines."""
    text = re.sub(
        r"^```.*?^```$", "", path.read_text(encoding="utf-8"), flags=re.DOTALL | re.MULTILINE
    )
    return re.sub(r"`[^`\n]*`", "", text)


@pytest.fixture(autouse=True)
def _the_made_up_amendment(
    request: pytest.FixtureRequest, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[None]:
    """Hold the made-up amendment for the document that walks through it, and for no other."""
    params = getattr(getattr(request.node, "callspec", None), "params", {})
    if isinstance(block := params.get("block"), Block) and block.path.name == "amending-a-law.md":
        with amended_shelf(tmp_path, monkeypatch):
            yield
    else:
        yield


@pytest.fixture(autouse=True)
def _as_at_the_root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Have everything of the project in reach, and a ``build`` that no other run has written to."""
    for one in ROOT.iterdir():
        if one.name != "build":
            (tmp_path / one.name).symlink_to(one)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "80")


# --- the public surface ------------------------------------------------------------------------

IMPORTS: Final = re.compile(
    r"^\W*(?:from (croupier[\w.]*) import|import (croupier[\w.]*)\b)", re.MULTILINE
)
NAMES: Final = re.compile(r"^\W*from croupier import ([\w, ]+)", re.MULTILINE)
DESIGN: Final = re.compile(r":caption: Design\n\n(.*?)\n```", re.DOTALL)
"""The pages on the inside of the program, which may show private names."""


def test_documents_import_public_names_alone() -> None:
    index = (DOCS / "index.md").read_text(encoding="utf-8")
    found = DESIGN.search(index)
    assert found is not None
    design = {DOCS / f"{name}.md" for name in found[1].split()} | {*DOCS.glob("adr/*.md")}
    public = {"croupier", *(f"croupier.{name}" for name in PUBLIC)}
    shown = [
        *(path for path in PRESENT if path not in design and path.name != "CONTRIBUTING.md"),
        *DOCS.glob("examples/**/*.py"),
        *DOCS.glob("notebooks/*.ipynb"),
    ]
    none_of(
        f"{name_of(path)}: {module}"
        for path in shown
        for module in ("".join(one) for one in IMPORTS.findall(path.read_text(encoding="utf-8")))
        if module not in public
    )
    none_of(
        f"{name_of(path)}: from croupier import {name}"
        for path in shown
        for names in NAMES.findall(path.read_text(encoding="utf-8"))
        for name in names.split(",")
        if name.strip() not in dir(croupier)
    )
    assert len(shown) > 50


# --- examples ----------------------------------------------------------------------------------


@pytest.mark.parametrize("path", sorted({block.path for block in marked("python")}), ids=name_of)
def test_python_runs_and_gives_what_it_says(path: Path) -> None:
    namespace: dict[str, Any] = {"__name__": "__main__"}
    for block in blocks_of(path):
        if block.info == "python":
            run_python(block, namespace)


def run_python(block: Block, namespace: dict[str, Any]) -> None:
    if ">>>" not in block.text:
        exec(compile(block.text, str(block), "exec"), namespace)  # noqa: S102
        return
    example = doctest.DocTestParser().get_doctest(
        block.text, namespace, str(block), str(block.path), block.line - 1
    )
    report: list[str] = []
    doctest.DocTestRunner(verbose=False).run(example, out=report.append, clear_globs=False)
    assert report == [], "".join(report)
    # The runner works on the namespace's copy.
    namespace.update(example.globs)


@pytest.mark.parametrize("block", marked("console"), ids=str)
def test_a_command_prints_what_is_shown(block: Block) -> None:
    for call in calls_of(block):
        if call.words[0] != "croupier":
            continue
        assert not {"|", ">", "&&"}.intersection(call.words), f"{block}: one plain command a line"
        result = CliRunner().invoke(main, call.words[1:])
        assert result.exit_code == call.status, f"{block}: {call.words}: {result.output}"
        assert_printed(call, result.output, str(block))


@pytest.mark.parametrize("block", marked("toml law"), ids=str)
def test_a_law_that_is_shown_can_be_loaded(block: Block, tmp_path: Path) -> None:
    path = tmp_path / "law.toml"
    path.write_text(block.text, encoding="utf-8")
    law = load_instrument(path)
    assert law.clauses
    assert law.elections


@pytest.mark.parametrize("block", marked("toml submission"), ids=str)
def test_a_submission_that_is_shown_is_accepted(block: Block) -> None:
    rules = table_rules(submission_of(tomllib.loads(block.text)))
    assert rules.submission.title


def test_the_law_file_and_the_submission_are_shown_whole() -> None:
    assert [block.path.name for block in marked("toml law")] == ["law-file.md"]
    assert "rules-submission.md" in [block.path.name for block in marked("toml submission")]


# --- links and clauses -------------------------------------------------------------------------


@pytest.mark.parametrize("path", PRESENT, ids=name_of)
def test_every_relative_link_leads_somewhere(path: Path) -> None:
    for target in LINK.findall(prose(path)):
        if "://" not in target and not target.startswith(("#", "mailto:")):
            assert (path.parent / target.partition("#")[0]).exists(), f"{path}: {target}"


def test_every_test_and_benchmark_that_is_named_exists() -> None:
    sources = "".join(path.read_text(encoding="utf-8") for path in ROOT.glob("tests/**/*.py"))
    documents = [path for path in PRESENT if path.name not in {"CHANGELOG.md", "traceability.md"}]
    assert len(documents) > 50
    for path in documents:
        text = path.read_text(encoding="utf-8")
        files = re.findall(r"\b((?:tests|bench)/[\w/.-]+\.\w+)", text)
        none_of(f"{name_of(path)}: {one}" for one in files if not (ROOT / one).exists())
        functions = re.findall(r"`(test_\w+)`", text)
        none_of(f"{name_of(path)}: {one}" for one in functions if f"def {one}(" not in sources)


@pytest.mark.parametrize("path", PRESENT, ids=name_of)
def test_every_clause_that_is_named_exists(path: Path) -> None:
    named = set(CLAUSE.findall(path.read_text(encoding="utf-8")))
    assert named - set(LAW.clauses) == set()


def test_every_word_of_the_glossary_is_tied_to_a_clause() -> None:
    text = (DOCS / "glossary.md").read_text(encoding="utf-8").partition("## Law as data")[0]
    rows = [line for line in text.splitlines() if line.startswith("| ")]
    words = [row for row in rows if not row.startswith("| word |")]
    assert len(words) > 60
    assert [row for row in words if not CLAUSE.search(row)] == []


# --- lists that must be whole ------------------------------------------------------------------


def between(path: Path, name: str) -> str:
    """Return what stands between two comments of a document."""
    found = re.search(
        rf"<!-- {re.escape(name)}: begin -->\n(.*?)<!-- {re.escape(name)}: end -->",
        path.read_text(encoding="utf-8"),
        flags=re.DOTALL,
    )
    assert found is not None, f"{path} has no place for {name}"
    return found[1].strip()


def test_the_readings_in_the_document_are_those_of_the_register() -> None:
    kept = between(DOCS / "rules-submission.md", "readings")
    assert_as_made(kept, readings(), "rules-submission.md")


def test_the_document_of_commands_names_what_decides_each_of_them() -> None:
    written = commands_document.DOCUMENT.read_text(encoding="utf-8")
    assert_as_made(written, commands_document.document(), commands_document.DOCUMENT.name)
    rows = {line.split("`")[1] for line in written.splitlines() if line.startswith("| `")}
    assert rows == set(COMMANDS)


def test_the_resources_of_the_service_are_those_of_its_description() -> None:
    written = service_document.DOCUMENT.read_text(encoding="utf-8")
    assert_as_made(written, service_document.filled(), service_document.DOCUMENT.name)


def test_the_document_of_elections_is_made_of_the_law_files() -> None:
    assert_as_made(DOCUMENT.read_text(encoding="utf-8"), document(), DOCUMENT.name)


def test_every_key_of_a_law_file_is_explained() -> None:
    text = (DOCS / "law-file.md").read_text(encoding="utf-8")
    # What the reader works out is no key of the file.
    worked_out = {
        "sha256",
        "clauses",
        "constraints",
        "amendments",
        "corrections",
        "clause_class",
        "set_aside",
        "usage",
        "mechanisms",
        "currency",
    }
    for part in (Instrument, Amendment, Correction, Clause, Rule, Constraint, Interpretation):
        for key in {*part.__struct_fields__} - worked_out:
            assert f"`{key}`" in text, f"{part.__name__}.{key}"
    # The names under which the file has what the reader calls otherwise.
    assert "`class`" in text
    assert "`disposition`" in text


@pytest.mark.parametrize("vocabulary", [Kind, ConstraintKind, Disposition, ClauseClass])
def test_every_word_of_a_law_file_is_explained(vocabulary: type[Enum]) -> None:
    text = (DOCS / "law-file.md").read_text(encoding="utf-8")
    assert [one.value for one in vocabulary if f"`{one.value}`" not in text] == []


def test_every_fact_of_the_table_and_every_wager_is_explained() -> None:
    text = (DOCS / "rules-submission.md").read_text(encoding="utf-8")
    offered = table_rules(
        submission_of(tomllib.loads((ROOT / "submissions/nj-minibaccarat.toml").read_text()))
    ).offers
    for name in (*(one.name for one in fields(TableLayout)), *offered, "dragon_7"):
        assert f"`{name}`" in text, name


def test_each_checklist_has_at_most_six_lines_and_names_files_that_there_are() -> None:
    text = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")
    section = text.partition("\n## Checklists\n")[2].partition("\n## ")[0]
    heading = re.compile(r"^\*\*(.+)\*\*$", re.MULTILINE)
    assert heading.findall(section) == [
        "A field of an event",
        "A command with its event",
        "An office",
        "A figure of a report",
        "A public name",
        "An option of the command line",
        "A wager by law",
    ]
    for checklist in heading.split(section)[2::2]:
        assert len(checklist.split("\n\n")[1].splitlines()) <= 6, checklist
    named = re.findall(r"`((?:src|tests|docs)/[^`*]+)`", section)
    assert [one for one in named if not (ROOT / one).exists()] == []
