"""Documents that a licensee keeps for clauses: checked, listed, recorded, and verified."""

from __future__ import annotations

import json
from datetime import date
from pathlib import Path

import pytest

from croupier.law.elect import SubmissionError
from croupier.rules import read_submission, table_rules
from support.command_line import told_with
from support.forged_logs import play
from support.project import SUBMISSIONS
from support.verified import verify_log

PLAIN = next(one for one in SUBMISSIONS if one.name == "nj-minibaccarat.toml")
KEPT = """
[documents.cutting_cards]
title = "Approval of the cutting cards"
clauses = ["NJ-MINI:7.1(a)#3"]
number = "2011-7"
dated = 2010-03-01
expires = 2012-03-01
sha256 = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08"
"""


def written(tmp_path: Path, text: str) -> Path:
    path = tmp_path / "table.toml"
    path.write_text(PLAIN.read_text(encoding="utf-8") + text, encoding="utf-8")
    return path


def test_a_document_is_listed_with_the_clause_that_it_is_kept_for(tmp_path: Path) -> None:
    path = written(tmp_path, KEPT)
    (one,) = json.loads(told_with(0, "check", path, "--format", "json").stdout)["submissions"]
    listed = {item["clause"]: item["documents"] for item in one["checklist"]}
    says = "Approval of the cutting cards, no. 2011-7, of 2010-03-01, expires 2012-03-01"
    assert listed.pop("NJ-MINI:7.1(a)#3") == [says]
    assert not any(listed.values())
    assert "On file: Approval of the" in told_with(0, "check", path, "--checklist").stdout
    plain = table_rules(read_submission(PLAIN))
    assert table_rules(read_submission(path)).sha256 == plain.sha256


def test_the_log_contains_it_and_verification_reports_that_it_expired(tmp_path: Path) -> None:
    for expires, findings in (("2012-03-01", []), ("2011-02-21", ["document"])):
        log = tmp_path / f"{expires}.jsonl"
        path = written(tmp_path, KEPT.replace("expires = 2012-03-01", f"expires = {expires}"))
        play(log, path, rounds=2)
        header = json.loads(log.read_bytes().splitlines()[0])
        assert header["documents"]["cutting_cards"]["expires"] == expires
        # As a whole, and in pieces by several processes.
        assert [one.kind for one in verify_log(log).findings] == findings
        verdict = json.loads(told_with(0, "verify", log, "--format", "json").stdout)
        assert [one["kind"] for one in verdict["findings"]] == findings
    assert read_submission(path).on > date(2011, 2, 21)
    assert "expired before 2011-02-22" in told_with(0, "check", path).stdout


@pytest.mark.parametrize(
    ("old", "new", "where", "message"),
    [
        ("7.1(a)#3", "7.1(a)#33", "clauses", "is no clause of us-nj/minibaccarat@2011-02-22"),
        ("expires = 2012", "expires = 2009", "expires", "2009-03-01 is before its date"),
        ("dated = 2010-03-01", 'dated = "March"', "dated", "must be a date"),
        ('sha256 = "9f', 'sha256 = "', "sha256", "64 hexadecimal digits"),
        ("title = ", "titel = ", "titel", "unknown key; did you mean title?"),
        ("Approval of", "Approval\\nPASS:", "title", "text on one line"),
        ('["NJ-MINI:7.1(a)#3"]', "[]", "clauses", "must be a list of the clauses"),
    ],
)
def test_each_fault_has_its_place(
    tmp_path: Path, old: str, new: str, where: str, message: str
) -> None:
    with pytest.raises(SubmissionError) as caught:
        table_rules(read_submission(written(tmp_path, KEPT.replace(old, new))))
    found = {one.where: one.message for one in caught.value.errors}
    assert message in found[f"documents.cutting_cards.{where}"]


def test_the_name_of_a_document_cannot_break_a_line(tmp_path: Path) -> None:
    text = KEPT.replace("[documents.cutting_cards]", '[documents."a\\n\\nPASS"]')
    refused = told_with(2, "check", written(tmp_path, text))
    assert "letters, digits, - and _ only" in refused.stderr
    assert "\nPASS" not in refused.stderr


def test_documents_that_expire_soon_are_named_when_asked_for(tmp_path: Path) -> None:
    path = written(tmp_path, KEPT)
    assert "expires by" not in told_with(0, "check", path).stdout
    assert "expires by" not in told_with(0, "check", path, "--until", "2012-02-29").stdout
    told = " ".join(told_with(0, "check", path, "--until", "2012-03-01").stdout.split())
    assert "WARNING documents.cutting_cards expires by 2012-03-01: Approval of the" in told
    refused = told_with(2, "check", path, "--until", "March")
    assert "--until" in refused.stderr


def test_a_comparison_shows_what_is_filed_otherwise(tmp_path: Path) -> None:
    old, new = tmp_path / "old.toml", tmp_path / "new.toml"
    plain = PLAIN.read_text(encoding="utf-8")
    layout = KEPT.replace("cutting_cards", "layout").replace('sha256 = "9', 'sha256 = "8')
    old.write_text(plain + KEPT, encoding="utf-8")
    new.write_text(plain + KEPT.replace("2011-7", "2011-8") + layout, encoding="utf-8")
    told = told_with(0, "submission", "diff", old, new)
    assert "Nothing differs" not in told.stdout
    assert "Different: 2 table details." in told.stdout
    data = json.loads(told_with(0, "submission", "diff", old, new, "--format", "json").stdout)
    first, second = data["table"]
    assert (first["key"], second["key"]) == ("documents.cutting_cards", "documents.layout")
    assert "no. 2011-7," in first["old"]
    assert "no. 2011-8," in first["new"]
    assert (second["old"], "SHA-256 8f86d0" in second["new"]) == ("none", True)
    assert "NJ-MINI:7.1(a)#3" in second["new"]
