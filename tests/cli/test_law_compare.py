"""``croupier law compare``: what it prints for a person, for a document and for a program."""

import json
import re
import shutil
from collections.abc import Iterator
from functools import partial
from pathlib import Path

import pytest

from support.command_line import croupier
from support.made_up_laws import shelf
from support.project import ROOT


@pytest.fixture(autouse=True)
def _made_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with shelf(tmp_path, monkeypatch):
        yield


run = partial(croupier, "law", "compare")


def lines(*arguments: str, columns: int = 100) -> list[str]:
    result = run(*arguments, columns=columns)
    assert result.exit_code == 0, result.output
    return result.stdout.splitlines()


def test_a_few_texts_stand_side_by_side() -> None:
    told = lines()
    assert "XX-OLD  xx/game@2001-01-16, X Code 9, an excerpt" in told
    rows = [" ".join(line.split()) for line in told]
    assert "Rule XX-OLD XX YY" in rows
    assert "decks at least 5 at least 6 6 to 8" in rows
    assert "cut.from_ends – cutter: at least 10 –" in rows
    assert "A regulation with – has no such rule." in rows
    assert (
        "A rule missing from an excerpt is not formalized here; the regulation itself may have"
        " had it."
    ) in " ".join(rows)


def test_many_texts_are_listed_by_value(tmp_path: Path) -> None:
    path = tmp_path / "shelf" / "other.toml"
    text = path.read_text(encoding="utf-8").replace("YY", "ZZ").replace("yy/game", "zz/faro")
    path.with_name("fourth.toml").write_text(text, encoding="utf-8")
    rows = [" ".join(line.split()) for line in lines()]
    place = rows.index("burn.count XX-OLD, XX 10")
    assert rows[place + 1] == "burn.count YY, ZZ one of 8, 10"
    assert "cut.from_ends XX cutter: at least 10" in rows
    assert "A regulation that is not listed under a rule has no such rule." in rows


@pytest.mark.parametrize("columns", [60, 80, 120])
def test_output_fits_its_width(columns: int) -> None:
    told = lines("--all", columns=columns)
    assert all(len(line) <= columns and not line.endswith(" ") for line in told)


def test_texts_and_rules_can_be_named() -> None:
    told = [
        " ".join(line.split())
        for line in lines("yy/game@latest", "xx/game@latest", "--rules", "wagers")
    ]
    assert "Rule YY XX" in told
    assert "wagers.tie.pays at least 8:1 at least 8:1" in told
    assert not any(line.startswith("decks") for line in told)
    assert not any("excerpt" in line for line in told)


def test_a_text_without_any_of_the_rules_is_left_out_unless_it_is_named() -> None:
    assert not any("YY" in line for line in lines("--rules", "device"))
    assert any(
        "YY" in line for line in lines("xx/game@latest", "yy/game@latest", "--rules", "device")
    )


def test_texts_with_one_prefix_are_told_apart_by_their_games(tmp_path: Path) -> None:
    path = tmp_path / "shelf" / "other.toml"
    text = path.read_text(encoding="utf-8").replace("YY", "XX").replace("yy/game", "yy/faro")
    path.write_text(text, encoding="utf-8")
    rows = [" ".join(line.split()) for line in lines()]
    assert "Rule XX-OLD XX game XX faro" in rows


def test_two_dates_of_a_text_are_told_apart_and_their_commission_is_listed(tmp_path: Path) -> None:
    source = ROOT / "examples" / "laws" / "au-nsw" / "mini-baccarat@2004-01-01.toml"
    text = source.read_text(encoding="utf-8")
    folder = tmp_path / "au"
    folder.mkdir()
    shutil.copy(source.with_name("interpretations.toml"), folder)
    for day, rate in (("2004-01-01", "5%"), ("2009-07-01", "4.5%")):
        dated = text.replace("_from = 2004-01-01", f"_from = {day}")
        dated = re.sub("(_known|_on) = [0-9-]+", rf"\1 = {day}", dated)
        (folder / f"mini@{day}.toml").write_text(dated.replace('"5%"', f'"{rate}"'), "utf-8")
    texts = [f"au-nsw/mini-baccarat@{day}" for day in ("2004-01-01", "2009-07-01")]
    rows = [" ".join(line.split()) for line in lines(*texts, "--laws", str(folder))]
    assert "Rule NSW-MINI mini-baccarat 2004-01-01 NSW-MINI mini-baccarat 2009-07-01" in rows
    assert "vigorish.commission 5% 4.5%" in rows
    assert "settlement.rounding up up" in rows


def test_where_no_rule_is_found_it_is_said() -> None:
    says = "No regulation has such a rule; --all shows every rule."
    assert says in lines("xx/game@2001-01-16", "--rules", "cut")
    assert says in lines("xx/game@2001-01-16", "--rules", "cut", "--format", "markdown")


@pytest.mark.parametrize("command", [["compare"], ["diff", "xx/game@2001-01-16", "xx/game@latest"]])
def test_a_name_of_no_rule_is_refused_with_those_close_to_it(command: list[str]) -> None:
    done = croupier("law", *command, "--rules", "cutt")
    assert done.exit_code == 2
    assert "--rules cutt: no regulation has such a rule; did you mean cut?" in done.stderr
    done = croupier("law", *command, "--rules", "nothing")
    assert done.exit_code == 2
    assert "; croupier law compare --all shows every rule" in done.stderr


def test_the_table_in_markdown() -> None:
    told = lines("xx/game@2001-01-16", "xx/game@2005-03-01", "--rules", "burn", "--rules", "cut")
    assert "Burn" in told
    told = lines(
        "xx/game@2001-01-16", "xx/game@2005-03-01", "--rules", "cut", "--format", "markdown"
    )
    assert told[:5] == [
        "### Cut",
        "",
        "| rule | value | xx/game@2001-01-16 | xx/game@2005-03-01 |",
        "|---|---|---|---|",
        "| `cut.execute` | The cut | – | procedure |",
    ]


def test_the_table_for_a_program() -> None:
    told = json.loads(
        run("xx/game@latest", "yy/game@latest", "--rules", "cut", "--format", "json").stdout
    )
    assert [text["law"] for text in told["laws"]] == ["xx/game", "yy/game"]
    execute, from_ends = told["rules"]
    assert (execute["id"], execute["group"]) == ("cut.execute", "cut")
    assert [one["says"] for one in from_ends["laws"]] == ["cutter: at least 10", None]
    assert [text["name"] for text in told["laws"]] == ["XX", "YY"]
    assert [one["law"] for one in execute["laws"]] == ["xx/game", "yy/game"]
    assert execute["laws"][1]["rule"] is None
    assert from_ends["laws"][0]["rule"] == {
        "id": "cut.from_ends",
        "kind": "count",
        "title": "How far from either end",
        "cites": ["XX:2(b)"],
        "standing": "text",
        "does": None,
        "value": None,
        "open": "at least 10",
        "by": "cutter",
        "applies_when": {},
        "in_words": "cutter elects: at least 10",
        "interpretations": [],
    }


def test_a_text_that_is_not_held_exits_with_two() -> None:
    result = run("xx/game@latest", "zz/game@latest")
    assert (result.exit_code, result.stdout) == (2, "")
