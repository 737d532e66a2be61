"""``croupier help`` prints documents, ``croupier samples`` writes the files that they name."""

import json
import re
import shlex
from ast import literal_eval
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from croupier.files import shipped
from croupier.files.shipped import SAMPLES, samples, topics
from support.command_line import croupier
from support.project import ROOT
from support.texts import dated

run = partial(croupier, columns=80)


def test_the_topics_are_listed_with_their_titles() -> None:
    lines = run("help").stdout.splitlines()
    assert ["table-log", "The table log"] in [line.split(maxsplit=1) for line in lines]
    assert len(lines) == len(topics()) + 1


@pytest.mark.parametrize("topic", ["par", "docs/par.md"])
def test_a_document_is_printed_as_it_is_where_there_is_no_terminal(topic: str) -> None:
    kept = (ROOT / "docs" / "par.md").read_text(encoding="utf-8")
    assert run("help", topic).stdout == kept


def test_a_mistyped_topic_gets_a_suggestion() -> None:
    result = run("help", "table-lgo")
    assert result.exit_code == 2
    assert "did you mean table-log?" in result.stderr
    assert "croupier help --search WORDS" in result.stderr
    for word in ("zzz", "--zzz=", "-", "?", "\x1b[2J"):
        refused = run("help", "--", word)
        assert refused.exit_code == 2
        assert "lists the topics" in refused.stderr
        assert "\x1b" not in refused.output


@pytest.mark.parametrize(
    ("alias", "topic"),
    [
        ("faq", "questions"),
        ("operations", "running"),
        ("trust", "why-trust"),
        ("Trust", "why-trust"),
    ],
)
def test_a_topic_has_the_name_that_is_asked_for(alias: str, topic: str) -> None:
    assert run("help", alias).stdout == run("help", topic).stdout
    assert re.search(rf"^{topic} .*\({alias.lower()}\)$", run("help").stdout, re.MULTILINE)


def found(*words: str) -> list[dict[str, Any]]:
    result = run("help", "--format", "json", "--search", *words)
    assert result.exit_code == 0, result.output
    return list(json.loads(result.stdout)["found"])


@pytest.mark.parametrize(
    ("words", "kind", "more"),
    [
        ("wrong card", "topic", "help cookbook"),
        ("burn", "term", "help glossary"),
        ("store restore", "command", "store restore --help"),
        ("risk of ruin", "topic", "help sessions"),
        ("cards removed unseen", "option", "odds --help"),
        ("VerifyFeather", "act", "law acts VerifyFeather"),
        ("7.5(e)", "clause", "law show us-nj/minibaccarat@2011-02-22 'NJ-MINI:7.5(e)'"),
        ("vigorish.scheme", "rule", f"law show {dated('us-ny/mini-midi-baccarat')} vigorish.scheme"),
        ("hands over, hands off", "reading", "law interpretations T06"),
    ],
)  # fmt: skip
def test_a_search_covers_documents_terms_commands_options_and_law(
    words: str, kind: str, more: str
) -> None:
    assert (kind, f"croupier {more}") in {(one["kind"], one["more"]) for one in found(words)}


def test_each_match_names_the_line_that_has_the_words() -> None:
    # Of commands and clauses the one sentence, and of documents one line after its heading.
    for one in found("vigorish marker"):
        assert re.search("vigorish|commission", f"{one['id']} {one['says']}", re.IGNORECASE), one
        assert re.search("marker", f"{one['id']} {one['says']}", re.IGNORECASE) or one["score"] < 2


def test_a_match_by_name_shows_a_line_with_the_word_or_the_first() -> None:
    shown = {one["more"]: one["says"] for one in found("par")}
    assert shown["croupier help par"] == "PAR sheets"
    assert shown["croupier par --help"].startswith("Print the PAR sheet")
    assert "Exit status:" not in shown.values()


def test_guides_come_before_reference_and_the_law() -> None:
    kinds = [one["kind"] for one in found("third card drawn") if one["score"] == 3]
    order = ["topic", "term", "command", "option", "act", "rule", "clause", "reading", "event"]
    assert kinds == sorted(kinds, key=order.index)
    assert len(set(kinds)) > 5
    topics = [one["id"] for one in found("tutorial par") if one["kind"] == "topic"]
    assert topics == [name for name in shipped_topics() if name in topics]


def shipped_topics() -> list[str]:
    """Return the topics in the order of the site's menu, the tutorials first."""
    names = [line.split()[0] for line in run("help").stdout.splitlines()[1:]]
    tutorials = {path.stem for path in (ROOT / "docs" / "tutorials").glob("*.md")}
    assert set(names[: len(tutorials)]) == tutorials
    assert names.index("cookbook") < names.index("architecture")
    return names


def test_a_search_knows_synonyms_of_the_trade() -> None:
    assert {one["more"] for one in found("payout")} & {one["more"] for one in found("paid")}
    assert ("term", "vigorish") in {(one["kind"], one["id"]) for one in found("commission")}


def test_an_option_is_found_by_its_name() -> None:
    best = found("--", "--threads")[0]
    assert (best["kind"], best["id"]) == ("option", "--threads")


def test_a_word_that_is_repeated_counts_once() -> None:
    assert found("dealers", "DEALERS", "dealers") == found("dealers")


def test_the_command_of_each_match_runs() -> None:
    for one in found("vigorish"):
        words = shlex.split(one["more"])[1:]
        assert run(*words).exit_code == 0, words


def test_a_topic_is_searched_for_if_asked() -> None:
    assert run("help", "--search", "par").stdout.startswith("Found: par")
    assert run("help", "par").stdout.startswith("# ")
    assert "--search: name the words" in run("help", "--search").stderr
    assert run("help", "par", "--format", "json").exit_code == 2


def test_the_samples_are_written_under_the_names_of_the_documents(tmp_path: Path) -> None:
    result = run("samples", tmp_path / "new")
    assert result.exit_code == 0, result.output
    written = {one for one in (tmp_path / "new").rglob("*") if one.is_file()}
    # The samples name a schema, which is written with them.
    assert len(written) == len(samples()) + 1
    schema = "docs/schemas/rules-submission.schema.json"
    found = (tmp_path / "new" / schema).read_text(encoding="utf-8")
    assert json.loads(found) == json.loads((ROOT / schema).read_text(encoding="utf-8"))
    names = ("submissions/nj-minibaccarat.toml", "docs/examples/rounds/wrong.csv")
    for name in (
        *names,
        "docs/notebooks/vendor-records.ipynb",
        "examples/verifiers/verify_record.py",
    ):
        assert (tmp_path / "new" / name).read_bytes() == (ROOT / name).read_bytes()


def test_what_an_installer_compiles_is_no_sample(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    examples = tmp_path / "docs" / "examples"
    (examples / "__pycache__").mkdir(parents=True)
    for name in ("follow.py", "__pycache__/follow.cpython-311.pyc"):
        (examples / name).write_bytes(b"")
    monkeypatch.setattr(shipped, "_root", lambda: tmp_path)
    assert [*samples()] == ["docs/examples/follow.py"]


def test_the_wheel_has_the_samples_that_a_checkout_has() -> None:
    hook = (ROOT / "hatch_build.py").read_text(encoding="utf-8")
    kept = hook.partition("\nSAMPLES = ")[2].partition("\n)")[0]
    assert literal_eval(f"{kept})") == SAMPLES


def test_the_facts_of_side_bets_are_a_topic() -> None:
    text = run("help", "side-bets").stdout
    for fact in ("player_two_color", "all_pips", "margin", "banker_natural"):
        assert re.search(rf"^\| .*`{fact}`", text, re.MULTILINE), fact


def test_the_samples_replace_nothing_unless_forced(tmp_path: Path) -> None:
    own = tmp_path / "submissions" / "ma.toml"
    own.parent.mkdir()
    own.write_text("mine", encoding="utf-8")
    result = run("samples", tmp_path)
    assert result.exit_code == 2
    assert [one for one in tmp_path.rglob("*.*") if one.is_file()] == [own]
    assert own.read_text(encoding="utf-8") == "mine"
    assert run("samples", tmp_path, "--force").exit_code == 0
    assert own.read_bytes() == (ROOT / "submissions" / "ma.toml").read_bytes()


def test_an_error_that_cites_a_clause_says_where_to_read_it(tmp_path: Path) -> None:
    refused = run("deal", ROOT / "docs/examples/refused.toml", "--log", tmp_path / "x.jsonl")
    assert refused.exit_code == 2
    more = [line for line in refused.stderr.splitlines() if "more:" in line]
    # One line, whatever the number of errors.
    assert more == ["  more: croupier help 'NJ-MINI:7.2(b)#1'"]
    (match,) = json.loads(run(*shlex.split(more[0])[2:], "--format", "json").stdout)["found"]
    assert match["more"] == "croupier law show us-nj/minibaccarat@2011-02-22 'NJ-MINI:7.2(b)#1'"


def test_an_error_without_a_clause_has_no_such_line(tmp_path: Path) -> None:
    assert "more:" not in run("check", tmp_path / "none.toml").stderr
    assert "more:" not in run("law", "show", "us-nj/minibaccarat@latest", "99").stderr


def test_a_file_cannot_put_words_into_the_advised_command(tmp_path: Path) -> None:
    path = tmp_path / "[XX:$(reboot);\n.toml"
    path.write_text("[submission]")
    refused = run("deal", path, "--log", tmp_path / "x.jsonl")
    assert refused.exit_code == 2
    for line in refused.stderr.splitlines():
        if "more:" in line:
            assert line.endswith("'XX:$(reboot);'")


def test_a_match_has_no_targets_of_links() -> None:
    shown = run("help", "--search", "tls", "--format", "json")
    says = [one["says"] for one in json.loads(shown.stdout)["found"]]
    assert any("Running the service leads from here to TLS" in one for one in says)
    assert not any("](" in one for one in says)
