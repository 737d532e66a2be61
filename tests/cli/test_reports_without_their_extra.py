"""A report whose package is missing is refused before any work is done, and not at its end."""

import sys
from pathlib import Path

import pytest

from support.command_line import croupier, told_with
from support.project import ROOT

NJ = ROOT / "submissions" / "nj-minibaccarat.toml"
RECORD = ROOT / "tests" / "data" / "logs" / "ny-mini.format-2.jsonl.gz"


@pytest.mark.parametrize(
    ("words", "out", "package"),
    [
        (("audit", "BAD", "--submission", NJ, "-o"), "r.pdf", "typst"),
        (("ledger", "BAD", "-o"), "r.xlsx", "xlsxwriter"),
        (("explain", "BAD", "--round", 1, "--report"), "r.pdf", "typst"),
        (("par", "--submission", "BAD", "-o"), "r.xlsx", "xlsxwriter"),
        (("simulate", "--submission", "BAD", "-o"), "r.pdf", "typst"),
        (("check", "BAD", "--report"), "r.pdf", "typst"),
    ],
    ids=lambda given: " ".join(map(str, given)) if isinstance(given, tuple) else given,
)
def test_it_is_refused_at_once(
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    words: tuple[object, ...],
    out: str,
    package: str,
) -> None:
    bad = tmp_path / "bad"
    bad.write_text("nothing that can be read", encoding="utf-8")
    monkeypatch.setitem(sys.modules, package, None)
    found = croupier(*(bad if word == "BAD" else word for word in words), tmp_path / out)
    assert found.exit_code == 2
    assert package in found.output
    assert "pip install 'croupier[reports]'" in " ".join(found.output.split())
    assert not (tmp_path / out).exists()


@pytest.mark.parametrize(
    "words",
    [("replay", RECORD, "--round", 1, "-o"), ("check", NJ, "--report"), ("audit", RECORD, "-o")],
    ids=lambda words: words[0],
)
def test_a_page_needs_no_package(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, words: tuple[object, ...]
) -> None:
    for package in ("jinja2", "typst", "xlsxwriter"):
        monkeypatch.setitem(sys.modules, package, None)
    told_with(0, *words, out := tmp_path / "r.html")
    assert out.read_text(encoding="utf-8").startswith("<!doctype html>")
