"""Reports of design, counting, and simulation: every figure of the data, in each form, safe and alike."""

import json
import re
from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from croupier.reports.counting import count_tree, design_tree
from croupier.reports.figures import percent
from croupier.reports.formats import written
from croupier.reports.session import session_tree
from croupier.reports.simulation import simulation_tree
from croupier.reports.tree import DataTable, Tree, walk
from support.project import ROOT
from support.spreadsheet import cells_of
from support.texts import dated

LAW: Final = ("--law", dated("us-nj/minibaccarat"))
EZ: Final = ("--submission", str(ROOT / "submissions" / "ma-ez.toml"))
COMMANDS: Final = {
    "design": (
        "design", str(ROOT / "docs/examples/lucky-6.toml"), *LAW, "--edge", "5%..20%",
        "--pays", "three_cards=18..22",
    ),
    "count": ("count", *EZ, "--wager", "dragon_7", "--shoes", "20", "--threads", "1"),
    "simulate": ("simulate", *EZ, "--rounds", "2000", "--threads", "1"),
    "session": (
        "session", *EZ, "--wager", "banker", "--unit", "25", "--bankroll", "1000", "--shoes", "1",
        "--sessions", "50",
    ),
}  # fmt: skip
BUILDERS: Final[Mapping[str, Callable[..., Tree]]] = {
    "design": design_tree,
    "count": partial(count_tree, title="Dragon 7"),
    "simulate": simulation_tree,
    "session": session_tree,
}

every_study = pytest.mark.parametrize("name", COMMANDS)
FILES: Final = ("html", "pdf", "xlsx")
every_form = pytest.mark.parametrize("form", FILES)


def called(*words: str) -> Result:
    return CliRunner().invoke(main, list(words))


@pytest.fixture(scope="module")
def data() -> dict[str, dict[str, Any]]:
    return {
        name: json.loads(called(*words, "--format", "json").stdout)
        for name, words in COMMANDS.items()
    }


def report(data: dict[str, dict[str, Any]], name: str) -> Tree:
    return BUILDERS[name](data[name])


@every_form
@every_study
def test_a_command_writes_the_report_that_its_data_make(
    name: str, form: str, data: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    path = tmp_path / f"study.{form}"
    assert called(*COMMANDS[name], "-o", str(path)).exit_code == 0
    expected = data[name] | {"reproduce": ""}
    # The command that made it is another one, and all else is the same.
    made = BUILDERS[name](expected)
    if form == "html":
        bare = re.sub(
            r"croupier (design|count|simulate|session) [^<]*", "", path.read_text(encoding="utf-8")
        )
        assert bare == written(made, form).decode()
    else:
        assert path.read_bytes()[:4] == written(made, form)[:4]


@every_form
@every_study
def test_the_same_data_give_the_same_report(
    name: str, form: str, data: dict[str, dict[str, Any]]
) -> None:
    made = report(data, name)
    assert written(made, form) == written(report(data, name), form)


@every_study
def test_a_workbook_has_a_page_for_each_table(
    name: str, data: dict[str, dict[str, Any]], tmp_path: Path
) -> None:
    made = report(data, name)
    path = tmp_path / "study.xlsx"
    path.write_bytes(written(made, "xlsx"))
    tables = [
        (one.page or title, one) for title, one in walk(made.nodes) if isinstance(one, DataTable)
    ]
    assert list(cells_of(path)) == ["Report", *(page for page, _ in tables)]
    for page, table in tables:
        head, *rows = cells_of(path)[page]
        assert list(head) == [one.title for one in table.columns]
        assert len(rows) == len(table.rows)


def test_the_reports_have_the_figures_of_their_data(data: dict[str, dict[str, Any]]) -> None:
    pages = {name: written(report(data, name), "html").decode() for name in COMMANDS}
    for one in data["design"]["candidates"]:
        assert percent(Fraction(one["house_edge"])) in pages["design"]
        assert one["tags"] in pages["design"]
    for effect in data["count"]["effects_of_removal"].values():
        assert percent(Fraction(effect), 6) in pages["count"]
    for one in data["simulate"]["wagers"]:
        assert f"{one['z']:+.2f}" in pages["simulate"]
        assert percent(Fraction(one["exact_edge"])) in pages["simulate"]
    result = data["session"]["result"]
    assert f"${abs(result['mean']) / 100:.2f}" in pages["session"]
    assert f"{result['ahead']:.2%}" in pages["session"]
    for page in pages.values():
        assert "<svg" in page
        assert "<script" not in page
        assert "url(" not in page


def test_no_text_of_a_study_becomes_an_element(data: dict[str, dict[str, Any]]) -> None:
    risky = '=HYPERLINK("x")<script>#panic()'
    for name in COMMANDS:
        made = BUILDERS[name](data[name] | {"title": risky, "law_title": risky})
        assert "<script>" not in written(made, "html").decode()
        assert written(made, "pdf").startswith(b"%PDF")
        assert written(made, "xlsx")


@every_form
@every_study
def test_a_report_for_a_file_is_not_printed(name: str, form: str) -> None:
    done = called(*COMMANDS[name], "--format", form)
    assert done.exit_code == 2
    assert f"a report as {form} must be written to a file: add --out FILE" in done.stderr


def test_a_report_of_a_design_without_candidates_is_a_report(tmp_path: Path) -> None:
    path = tmp_path / "none.html"
    words = (*COMMANDS["design"][:5], "0.01%..0.02%", "-o", str(path))
    assert called(*words).exit_code == 0
    assert "No pay table is within the bounds" in path.read_text(encoding="utf-8")
