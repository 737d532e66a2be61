"""The dossier of a submission: whole, the same each time, and safe whatever its texts say."""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator
from fractions import Fraction
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner, Result
from jsonschema_rs import Draft202012Validator

from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.reports.check import dossier_tree
from croupier.reports.formats import written
from croupier.rules import read_rules
from support.project import PLAIN, ROOT, SUBMISSIONS

RISKY: Final = '<script src=x></script>&amp; #panic() $a$ [b] "q" \x1b[2J'


def check(*words: object) -> Result:
    return CliRunner().invoke(main, ["check", *map(str, words)])


def dossier_of(path: Path, folder: Path) -> dict[str, Any]:
    out = folder / "dossier.json"
    result = check(path, "--report", out)
    assert result.exit_code == 0, result.stderr
    found: dict[str, Any] = json.loads(out.read_text(encoding="utf-8"))
    return found


@pytest.fixture
def dossier(tmp_path: Path) -> dict[str, Any]:
    return dossier_of(PLAIN, tmp_path)


def words_of(page: str) -> str:
    """Return what a page shows, with single spaces; there is no script in it."""
    found: list[str] = []

    class Page(HTMLParser):
        def handle_starttag(self, tag: str, attrs: object) -> None:
            del attrs
            assert tag != "script"

        def handle_data(self, data: str) -> None:
            found.append(data)

    Page().feed(page)
    return " ".join(" ".join(found).split())


@pytest.mark.parametrize("path", SUBMISSIONS, ids=lambda path: path.stem)
def test_every_sample_has_a_dossier_as_the_schema_says(path: Path, tmp_path: Path) -> None:
    found = dossier_of(path, tmp_path)
    Draft202012Validator(SCHEMAS["dossier"]()).validate(found)
    rules = read_rules(path)
    elected = [one.id for one in rules.law.elections if one.id in rules.settled]
    assert [one["id"] for one in found["elections"]] == elected
    assert all(one["cites"] for one in found["elections"])
    assert [one["id"] for one in found["wagers"]] == list(rules.offers)
    cited = {
        clause
        for part in ("elections", "wagers", "notices")
        for one in found[part]
        for clause in one["cites"]
    }
    assert cited <= found["clauses"].keys()
    assert {one["id"]: one["reading"] for one in found["reading_texts"]} == rules.readings


@pytest.mark.under("us-nj/minibaccarat@2011-02-22")
def test_what_follows_from_the_elections_is_what_the_regulation_says(
    dossier: dict[str, Any],
) -> None:
    wagers = {one["id"]: one for one in dossier["wagers"]}
    # Banker wins 2,292,252,566,437,888 of 4,998,398,275,503,360 ways, and Player 2,230,518,282,592,256.
    wins, loses, total = 2_292_252_566_437_888, 2_230_518_282_592_256, 4_998_398_275_503_360
    edge = (loses - wins * Fraction(19, 20)) / total
    assert Fraction(wagers["banker"]["house_edge"]) == edge
    assert Fraction(wagers["banker"]["return_to_player"]) == 1 - edge
    # $5,000 on Banker wins $5,000 less 5%.
    assert wagers["banker"]["max_win_cents"] == 475_000
    assert wagers["tie"]["pays"] == ["8:1"]
    notices = {one["elections"][0]: (one["to"], one["minutes"]) for one in dossier["notices"]}
    assert notices["settlement.order"] == (["surveillance", "Commission"], 30)
    assert notices["vigorish.scheme"] == (["patrons"], None)
    chosen = {one["id"]: one for one in dossier["elections"]}
    assert chosen["vigorish.scheme"]["cites"] == list(
        read_rules(PLAIN).cites_for("vigorish.scheme", "5%")
    )
    assert chosen["vigorish.rounded"]["is_default"] is False
    assert chosen["decks"]["is_default"] is True
    uniform = [one["cites"] for one in dossier["constraints"] if one["kind"] == "uniform"]
    assert ["NJ-MINI:7.5(c)"] in uniform
    items = [one["clause"] for one in dossier["checklist"]]
    assert items
    assert len(items) == len(set(items))
    assert dossier["file"]["bytes"] == len(PLAIN.read_bytes())
    assert dossier["edition"] >= 1


def texts(dossier: dict[str, Any]) -> Iterator[str]:
    """Yield what somebody who signs the dossier must find on it."""
    for one in dossier["elections"]:
        yield from (one["title"], one["elected"], one["id"], *one["cites"])
    for one in dossier["wagers"]:
        yield from (one["title"], *one["pays"], one["house_edge"])
    for one in dossier["reading_texts"]:
        yield from (one["id"], one["title"], one["problem"], one["says"])
    for one in (*dossier["constraints"], *dossier["notices"], *dossier["procedures"]):
        yield from (one["says"], *one["cites"])
    for one in dossier["checklist"]:
        yield from (one["says"], one["citation"])
    yield from dossier["clauses"].values()
    yield from (dossier["rules_hash"], dossier["law_hash"], dossier["file"]["sha256"])
    yield from (f"{dossier['program']} {dossier['version']}", "Law edition", "Signature", "Date")
    yield from ("Prepared by", "Checked by", "Approved by", "1.0579%", "98.9421%", "30 minutes")


def test_all_of_it_stands_on_the_page(dossier: dict[str, Any]) -> None:
    text = written(dossier_tree(dossier), "html").decode()
    # On a phone, no result is parted from its odds.
    assert '<td class="name">win by 9: 30:1<br>win by 8: 10:1<br>' in text
    page = words_of(text)
    packed = page.replace(" ", "")
    assert [one for one in texts(dossier) if "".join(one.split()) not in packed] == []


@pytest.mark.parametrize("form", ["text", "csv", "html", "xlsx", "pdf"])
@pytest.mark.parametrize("paper", ["a4", "letter"])
def test_the_same_data_give_the_same_bytes(form: str, paper: str, dossier: dict[str, Any]) -> None:
    before = copy.deepcopy(dossier)
    assert written(dossier_tree(dossier), form, paper) == written(dossier_tree(before), form, paper)
    assert dossier == before


def test_a_dossier_is_for_either_paper(dossier: dict[str, Any]) -> None:
    assert b"[0 0 612 792]" in written(dossier_tree(dossier), "pdf", "letter")
    assert b"[0 0 612 792]" not in written(dossier_tree(dossier), "pdf", "a4")
    assert b"@page { size: letter; }" in written(dossier_tree(dossier), "html", "letter")
    assert b"@page { size: letter; }" not in written(dossier_tree(dossier), "html", "a4")
    assert b"pdfuaid" in written(dossier_tree(dossier), "pdf", "letter")


@pytest.mark.parametrize("form", ["html", "pdf"])
def test_any_text_can_stand_in_a_dossier(form: str, dossier: dict[str, Any]) -> None:
    for name in ("title", "law_title", "law", "authority", "citation", "reproduce", "vigorish"):
        dossier[name] = RISKY
    dossier["file"]["name"] = dossier["table"]["pit"] = dossier["table"]["table"] = RISKY
    dossier["warnings"] = [RISKY]
    dossier["elections"][0] |= {"elected": RISKY, "title": RISKY}
    dossier["reading_texts"][0]["says"] = dossier["checklist"][0]["reason"] = RISKY
    content = written(dossier_tree(dossier), form)
    if form == "html":
        page = words_of(content.decode())
        assert "<script src=x></script>&amp; #panic()" in page
        assert "\x1b" not in page


def test_a_page_fetches_nothing(dossier: dict[str, Any]) -> None:
    page = written(dossier_tree(dossier), "html").decode()
    assert not any(word in page for word in (" src=", "url(", "@import", 'href="http', "https://"))


def test_a_refused_submission_has_no_dossier(tmp_path: Path) -> None:
    out = tmp_path / "dossier.pdf"
    refused = check(ROOT / "docs" / "examples" / "refused.toml", "--report", out)
    assert refused.exit_code == 1
    assert "not written, because the submission is refused" in refused.stderr
    assert not out.exists()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((PLAIN, PLAIN, "--report", "d.pdf"), "give one file"),
        ((PLAIN, "--report", "d.docx"), "name it .txt, .json, .csv, .html, .pdf"),
        ((PLAIN, "--report", "kept.pdf"), "exists"),
        ((PLAIN, "--report", "d.pdf", "--paper", "a3"), "a3"),
    ],
)
def test_a_dossier_that_cannot_be_written_is_refused_first(
    words: tuple[object, ...], told: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "kept.pdf").write_bytes(b"mine")
    refused = check(*words)
    assert refused.exit_code == 2
    assert told in refused.stderr
    assert (tmp_path / "kept.pdf").read_bytes() == b"mine"
    assert [one.name for one in tmp_path.iterdir()] == ["kept.pdf"]


def test_what_check_prints_is_as_without_a_dossier(tmp_path: Path) -> None:
    plain, reported = check(PLAIN), check(PLAIN, "--report", tmp_path / "d.json")
    # The command line differs.
    told, end = plain.stdout.partition("Reproduce with")[:2]
    assert end
    assert told == reported.stdout.partition("Reproduce with")[0]
