"""A log with its law verifies without the law's folder, and never vouches for the law."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.law.faults import LawError
from croupier.law.resolve import forget, resolve
from croupier.records.entry import seal, sha256, unseal
from croupier.records.header import LogError, header_of, stored_law
from croupier.records.log import resume_log
from croupier.verify.log import verify_log
from support.command_line import croupier, told_with
from support.own_law import OWN_ID, OWN_KEY, own_law
from support.project import ROOT

VOUCHES: Final = "only the log vouches for it"


@pytest.fixture(scope="module")
def dealt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A law, and logs of a table under it, with the law and without."""
    folder = tmp_path_factory.mktemp("dealt")
    own_law(folder / "laws")
    table, deal = folder / "table.toml", ("--seed", "3", "--quiet", "--log")
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("CROUPIER_LAWS", str(folder / "laws"))
        forget()
        told_with(0, "new", OWN_KEY, "-o", table)
        told_with(0, "deal", table, *deal, folder / "log.jsonl", "--with-law")
        told_with(0, "deal", table, *deal, folder / "plain.jsonl")
    forget()
    return folder


@pytest.fixture
def elsewhere(dealt: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A log made with its law, on a machine that does not have the law."""
    shutil.copytree(dealt, tmp_path, dirs_exist_ok=True)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CROUPIER_LAWS", "")
    forget()
    yield Path("log.jsonl")
    monkeypatch.undo()
    forget()


def changed(log: Path, change: Callable[[dict[str, Any]], None]) -> Path:
    """Write a copy with another header and all seals made anew, as anyone who holds a log can."""
    first, *others = log.read_bytes().splitlines(keepends=True)
    body = unseal(first)
    assert body is not None
    head = json.loads(body[0])
    change(head)
    line, digest = seal(json.dumps(head, separators=(",", ":"), ensure_ascii=False).encode())
    lines = [line]
    for other in others:
        found = unseal(other)
        assert found is not None
        entry = json.loads(found[0])
        entry["prev"] = digest
        line, digest = seal(json.dumps(entry, separators=(",", ":"), ensure_ascii=False).encode())
        lines.append(line)
    path = log.with_name("changed.jsonl")
    path.write_bytes(b"".join(one.rstrip(b"\n") + b"\n" for one in lines))
    return path


def test_it_verifies_without_the_folder_and_says_that_only_the_log_vouches(elsewhere: Path) -> None:
    verified = told_with(0, "verify", elsewhere)
    assert "PASS" in verified.stdout
    assert VOUCHES in " ".join(verified.stdout.split())
    found = json.loads(told_with(0, "verify", elsewhere, "--format", "json").stdout)
    assert [one["kind"] for one in found["findings"]].count("law") == 1
    # In several processes it is said once.
    kinds = [one.kind for one in verify_log(elsewhere, processes=2).findings]
    assert kinds.count("law") == 1
    for command in ("ledger", "explain"):
        told_with(0, command, elsewhere, *(("--round", "1") if command == "explain" else ()))
    refused = croupier("verify", "plain.jsonl")
    assert refused.exit_code == 2
    assert "which is not included: name the folder" in refused.output


def test_with_the_folder_the_law_of_the_folder_decides(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    verified = told_with(0, "--laws", "laws", "verify", elsewhere)
    assert VOUCHES not in " ".join(verified.stdout.split())
    path = Path("laws/mini.toml")
    path.write_text(path.read_text(encoding="utf-8") + "\n# Another version.\n", encoding="utf-8")
    monkeypatch.setenv("CROUPIER_LAWS", "laws")
    forget()
    other = croupier("verify", elsewhere)
    assert other.exit_code == 1
    told = " ".join(other.output.split())
    assert "is not known to this program" in told
    assert "a law of your own is given as it was for that table with --laws" in told
    for words in ("explain", "--round", "1"), ("ledger",), ("rounds",), ("export", "-o", "rows"):
        shown = told_with(0, words[0], elsewhere, *words[1:])
        assert "log.jsonl was recorded under another law file of" in " ".join(shown.stderr.split())


def test_another_version_that_refuses_the_submission_is_reported_as_such(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = Path("laws/mini.toml")
    text = path.read_text(encoding="utf-8")
    stricter = text.replace('at_least = "8:1"', 'at_least = "9:1"').replace('default = "8:1"', 'default = "9:1"')  # fmt: skip
    assert stricter != text
    path.write_text(stricter, encoding="utf-8")
    monkeypatch.setenv("CROUPIER_LAWS", "laws")
    forget()
    refused = croupier("verify", elsewhere)
    assert refused.exit_code == 2
    assert f"made under another version of {OWN_KEY}" in " ".join(refused.output.split())


def test_a_changed_law_is_refused_unless_its_hash_is_changed_too(elsewhere: Path) -> None:
    def pays_more(head: dict[str, Any]) -> None:
        text = head["stored_law"]["law"]
        head["stored_law"]["law"] = text.replace('at_least = "8:1"', 'at_least = "7:1"')
        assert head["stored_law"]["law"] != text

    refused = croupier("verify", changed(elsewhere, pays_more))
    assert refused.exit_code == 2
    assert "the law stored in it is not the law file" in refused.output

    def and_hashed(head: dict[str, Any]) -> None:
        pays_more(head)
        head["law_sha256"] = sha256(head["stored_law"]["law"].encode())

    # A consistent forgery is what it is: nobody but the log vouches for it, and the folder refuses it.
    forged = changed(elsewhere, and_hashed)
    assert VOUCHES in " ".join(told_with(0, "verify", forged).stdout.split())
    assert croupier("--laws", "laws", "verify", forged).exit_code == 1


def test_a_law_in_the_log_never_replaces_an_included_one(elsewhere: Path) -> None:
    text = (ROOT / "src/croupier/law/instruments/us-nj/minibaccarat@2011-02-22.toml").read_text()

    def included(head: dict[str, Any]) -> None:
        lower = text.replace('at_least = "8:1"', 'at_least = "1:1"')
        head["law"] = "us-nj/minibaccarat"
        head["stored_law"] = {"law": lower}
        head["law_sha256"] = sha256(lower.encode())

    refused = croupier("verify", changed(elsewhere, included))
    assert refused.exit_code != 0
    assert VOUCHES not in refused.output


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda law: law.replace(f'id = "{OWN_ID}"', 'id = "xx-test/other"'), f"not {OWN_ID}"),
        (lambda law: law.replace('kind = "odds"', 'kind = "oddz"', 1), "has faults"),
        (lambda _: "x = " + "[" * 5000, "has faults"),
        (lambda _: "", "has faults"),
    ],
)
def test_a_stored_law_that_is_no_law_is_refused(
    elsewhere: Path, change: Callable[[str], str], message: str
) -> None:
    def replaced(head: dict[str, Any]) -> None:
        head["stored_law"]["law"] = change(head["stored_law"]["law"])
        head["law_sha256"] = sha256(head["stored_law"]["law"].encode())

    refused = croupier("verify", changed(elsewhere, replaced))
    assert refused.exit_code == 2
    assert message in refused.output


@pytest.mark.parametrize(
    "stored", [{}, {"law": 3}, {"law": "", "path": "/etc/passwd"}, {"law": "", "register": []}, "x"]
)
def test_other_contents_are_refused(elsewhere: Path, stored: Any) -> None:
    path = changed(elsewhere, lambda head: head.update(stored_law=stored))
    assert croupier("verify", path).exit_code == 2


def test_another_register_is_a_difference_or_is_reported(elsewhere: Path) -> None:
    def other_reading(head: dict[str, Any]) -> None:
        register = head["stored_law"]["register"]
        head["stored_law"]["register"] = register.replace('reading = "last"', 'reading = "one-more"').replace("{ last =", "{ one-more =")  # fmt: skip
        assert head["stored_law"]["register"] != register

    assert croupier("verify", changed(elsewhere, other_reading)).exit_code != 0


def test_a_law_of_one_log_does_not_judge_another(elsewhere: Path) -> None:
    assert verify_log(elsewhere).is_clean
    with pytest.raises(LogError, match="which is not included"):
        verify_log(Path("plain.jsonl"))


def test_nothing_goes_on_under_a_law_that_only_the_log_has(elsewhere: Path) -> None:
    text = elsewhere.read_text(encoding="utf-8").splitlines(keepends=True)
    Path("open.jsonl").write_text("".join(text[:40]), encoding="utf-8")
    refused = croupier("run", "table.toml", "--resume", "open.jsonl")
    assert refused.exit_code == 2
    with pytest.raises(LogError, match="nothing goes on under a law that only this log has"):
        resume_log(Path("open.jsonl"))


def test_an_included_law_is_not_stored(elsewhere: Path) -> None:
    del elsewhere
    told_with(0, "new", "us-nj/minibaccarat@2011-02-22", "-o", "nj.toml")
    told_with(0, "deal", "nj.toml", "--seed", "3", "--quiet", "--log", "nj.jsonl", "--with-law")
    body = unseal(Path("nj.jsonl").read_bytes().splitlines(keepends=True)[0])
    assert body is not None
    assert "stored_law" not in json.loads(body[0])
    assert header_of("nj.jsonl", body[0]).stored is None


def test_a_register_that_changed_since_it_was_read_is_not_stored(
    elsewhere: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    del elsewhere
    monkeypatch.setenv("CROUPIER_LAWS", "laws")
    forget()
    law = resolve(OWN_ID, on="latest")
    assert stored_law(law) is not None
    path = Path("laws/interpretations.toml")
    text = path.read_text(encoding="utf-8")
    path.write_text(text.replace('reading = "one"', 'reading = "none"'), encoding="utf-8")
    with pytest.raises(LawError, match=r"interpretations\.toml: was changed since it was read"):
        stored_law(law)
