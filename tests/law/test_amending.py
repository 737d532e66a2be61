"""``croupier law amend``: a complete copy under the new date, with what must be looked at marked."""

from collections.abc import Iterator
from datetime import date
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from croupier.cli import main
from croupier.files.toml import parse_toml, toml_value
from croupier.law.compare import compare_texts
from croupier.law.laying_out import MARK, lay_out
from croupier.law.load import load_instrument
from croupier.law.model import Instrument, section
from croupier.law.resolve import instruments, resolve, source_of
from support.made_up_laws import shelf
from support.texts import DAYS

AFTER = date(2027, 3, 1)


def amend(*words: object) -> Result:
    return CliRunner().invoke(main, ["law", "amend", *map(str, words)])


def laid(text: Instrument, folder: Path) -> Instrument:
    path = folder / "laid.toml"
    path.write_text(lay_out(text, source_of(text), AFTER), encoding="utf-8")
    return load_instrument(path)


@pytest.mark.parametrize("text", instruments(), ids=lambda text: text.key)
def test_a_laid_out_text_says_what_the_one_before_it_says(text: Instrument, tmp_path: Path) -> None:
    new = laid(text, tmp_path)
    assert (new.key, new.in_force_known) == (f"{text.id}@{AFTER}", AFTER)
    assert new.amended == (*text.amended, AFTER)
    assert new.observed_on >= new.in_force_known
    assert not list(compare_texts(text, new).differences)
    assert list(new.clauses.values()) == list(text.clauses.values())


@pytest.mark.parametrize("text", instruments(), ids=lambda text: text.key)
@pytest.mark.parametrize("sign", [".", "]"])
def test_a_text_in_another_notation_is_laid_out_as_the_usual_one_is(
    text: Instrument, sign: str
) -> None:
    tables = parse_toml(source_of(text), Path("law.toml")).tables
    dotted = "instrument." if sign == "." else ""
    head = [f"{dotted}{key} = {toml_value(one)}" for key, one in tables["instrument"].items()]
    rest = [f"{key} = {toml_value(one)}" for key, one in tables.items() if key != "instrument"]
    # A line for each array of clauses and rules, and dotted keys, as the tutorial has them.
    lines = [*head, *rest] if dotted else [*rest, "[instrument]", *head]
    usual, other = (lay_out(text, one, AFTER) for one in (source_of(text), "\n".join(lines)))
    assert parse_toml(other, Path("law.toml")).tables == parse_toml(usual, Path("law.toml")).tables
    assert other.count(MARK) == usual.count(MARK)


@pytest.mark.parametrize("law_id", DAYS)
def test_each_section_and_each_interpreted_clause_is_marked(law_id: str) -> None:
    text = resolve(law_id, on=DAYS[law_id])
    lines = lay_out(text, source_of(text), AFTER).splitlines()
    sections = {section(clause) for clause in text.clauses}
    assert sum(line.startswith(f"{MARK} {text.citation}") for line in lines) == len(sections)
    for clause in text.clauses.values():
        place = next(n for n, line in enumerate(lines) if line[6:-1] == clause.id)
        above = lines[place - 2]
        if clause.interpretations:
            assert above == f"{MARK} does {', '.join(clause.interpretations)} still stand?"


def test_no_text_that_is_held_has_a_place_left_to_look_at() -> None:
    for text in instruments():
        assert MARK not in source_of(text), text.key


@pytest.fixture
def _made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with shelf(tmp_path, monkeypatch):
        yield


@pytest.mark.usefixtures("_made_up")
def test_the_text_before_the_day_is_copied() -> None:
    between, after = (amend("xx/game", "--on", on) for on in ("2004-01-01", "2006-01-01"))
    assert (between.exit_code, after.exit_code) == (0, 0)
    assert 'clause_prefix = "XX-OLD"' in between.stdout
    assert "xx/game@2004-01-01, drafted from xx/game@2001-01-16" in between.stderr
    assert 'clause_prefix = "XX"' in after.stdout


@pytest.mark.usefixtures("_made_up")
@pytest.mark.parametrize(
    ("words", "reason"),
    [
        (
            ("xx/game", "--on", "2001-01-16"),
            "no version of xx/game from before 2001-01-16 is included",
        ),
        (("xx/game", "--on", "2003-06-30"), "known to have been in force until 2003-06-30"),
        (("zz/game", "--on", "2003-06-30"), "no regulation has the id 'zz/game'"),
        (("xx/game",), "Missing option '--on'"),
    ],
)
def test_what_cannot_be_amended_is_refused(words: tuple[str, ...], reason: str) -> None:
    result = amend(*words)
    assert (result.exit_code, result.stdout) == (2, "")
    assert reason in result.stderr


def test_a_file_is_never_replaced(tmp_path: Path) -> None:
    path = tmp_path / "new.toml"
    words = ("us-nj/minibaccarat", "--on", AFTER, "-o", path)
    assert amend(*words).exit_code == 0
    once = path.read_bytes()
    assert load_instrument(path).in_force_from == AFTER
    path.write_bytes(once + b"# mine\n")
    refused = amend(*words)
    assert refused.exit_code == 2
    assert "the file exists" in refused.stderr
    assert path.read_bytes() == once + b"# mine\n"
