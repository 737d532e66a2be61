"""Results go to JSON and back, print, and stand in a notebook without anything from outside."""

import json
import re
from collections.abc import Mapping
from datetime import date
from functools import cache
from pathlib import Path

import pytest
from click.testing import CliRunner
from jsonschema_rs import Draft202012Validator
from msgspec.structs import replace

import croupier
from croupier.cli import main
from croupier.cli.common.schema import SCHEMAS
from croupier.odds.custom_wagers import read_wager
from croupier.rules import default_submission, table_rules, with_limits
from support.project import ROOT

RULES = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
ROUNDS = ROOT / "docs" / "examples" / "rounds"


@cache
def results() -> Mapping[str, croupier.TypedResult]:
    """Return a result of each kind, by the name of its class."""
    sheet = croupier.par_sheet(RULES)
    settled = croupier.settle_round(RULES, "Kd 4c 5h 2s 6c Ah", {(3, "banker"): 10_000})
    verdict = croupier.LogVerdict(
        is_clean=True,
        entries=1,
        events=2,
        rounds=0,
        results={"tie": 0},
        table_win_cents=-5,
        divergence=None,
        clauses=(),
        rules_hash="0" * 64,
    )
    every = (
        settled,
        settled.wagers[0],
        RULES.wagers[0],
        sheet,
        sheet["banker"],
        sheet["banker"].outcomes[0],
        croupier.round_odds(RULES, "9h Kd"),
        croupier.verify_rounds(ROUNDS / "wrong.csv", RULES),
        verdict,
    )
    return {type(one).__name__: one for one in every}


KINDS = (
    "RoundResult",
    "WagerResult",
    "WagerTerms",
    "ParSheet",
    "WagerOdds",
    "OutcomeOdds",
    "RoundOdds",
    "RoundsVerdict",
    "LogVerdict",
)


@pytest.fixture(params=KINDS)
def result(request: pytest.FixtureRequest) -> croupier.TypedResult:
    return results()[request.param]


def test_there_is_a_result_of_each_kind() -> None:
    assert tuple(results()) == KINDS


def test_a_result_goes_to_json_and_back(result: croupier.TypedResult) -> None:
    kind = type(result)
    assert json.loads(result.to_json()) == result.to_dict()
    assert kind.from_dict(result.to_dict()) == result
    assert kind.from_json(result.to_json()) == result


def test_data_that_are_no_such_result_are_refused(result: croupier.TypedResult) -> None:
    data = result.to_dict()
    first = next(iter(data))
    wrongs: tuple[object, ...] = (
        {**data, "more": 1},
        {**data, first: [[]]},
        {**data, first: 0.5},
        [],
        None,
    )
    for wrong in wrongs:
        with pytest.raises(croupier.ResultError, match=r"^not a"):
            type(result).from_dict(wrong)
    for text in ("", "{", b"\xff", "[" * 100_000, '{"a": 1, "a": 1}'):
        with pytest.raises(croupier.ResultError):
            type(result).from_json(text)


@pytest.mark.parametrize("name", [*KINDS, "GameRules"])
def test_a_result_prints_and_stands_in_a_notebook(name: str) -> None:
    result = RULES if name == "GameRules" else results()[name]
    assert str(result).strip()
    html = result._repr_html_()
    assert html.startswith("<table>")
    assert not re.search(r"src=|href=|url\(|<script|<link", html)


def test_text_from_outside_is_escaped_in_a_notebook() -> None:
    text = '<script>alert("&")</script>'
    shown = croupier.WagerTerms("w", text, {text: text}, None, None, 1, ())._repr_html_()
    assert "<script" not in shown
    assert shown.count("&lt;script&gt;alert(&quot;&amp;&quot;)&lt;/script&gt;") == 3


def test_rules_go_to_json_and_back_and_are_settled_again() -> None:
    again = croupier.GameRules.from_json(RULES.to_json())
    assert (again.sha256, again.to_dict()) == (RULES.sha256, RULES.to_dict())
    data = RULES.to_dict()
    wrongs: tuple[object, ...] = (
        {**data, "rules_hash": "0" * 64},
        {**data, "elections": {**data["elections"], "decks": 5}},
        {**data, "elections": {**data["elections"], "decks": 6}},
        {**data, "on": "yesterday"},
        {**data, "more": 1},
        {},
        [],
    )
    for wrong in wrongs:
        with pytest.raises(croupier.ResultError, match=r"^not GameRules"):
            croupier.GameRules.from_dict(wrong)


def test_rules_as_data_keep_custom_wagers_and_a_drawing_table_and_are_as_their_schema_says() -> (
    None
):
    bets = ROOT / "docs" / "examples" / "side-bets"
    tiger = with_limits(read_wager(bets / "tiger.toml"), ("5.00", "500.00"))
    table = RULES.table.with_offers(tiger)
    # An excerpt without a drawing table takes that of a later text.
    excerpt = default_submission("us-nj/minibaccarat", date(1999, 7, 6))
    older = croupier.GameRules(
        table_rules(replace(excerpt, drawing_table="us-nj/minibaccarat@2011-02-22"))
    )
    plain = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22))
    schema = Draft202012Validator(SCHEMAS["game-rules"]())
    for rules in (RULES, croupier.GameRules(table), older, plain):
        data = rules.to_dict()
        schema.validate(data)
        again = croupier.GameRules.from_json(rules.to_json())
        assert (again.sha256, again.to_dict()) == (rules.sha256, data)
        assert not schema.is_valid({**data, "more": 1})
        assert not schema.is_valid(
            {name: one for name, one in data.items() if name != "rules_hash"}
        )
    assert (
        list(croupier.GameRules.from_dict(croupier.GameRules(table).to_dict()).table.offers)[-1]
        == "tiger"
    )


def test_rules_come_from_a_file_a_text_or_data() -> None:
    path = ROOT / "submissions" / "nj-minibaccarat.toml"
    assert croupier.parse_rules(path.read_text(encoding="utf-8")).sha256 == RULES.sha256
    assert croupier.load_rules(str(path)).sha256 == RULES.sha256
    plain = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22), {"decks": 6})
    assert plain.elections["decks"] == 6
    with pytest.raises(croupier.SubmissionError, match="below the minimum"):
        croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22), {"decks": 5})
    with pytest.raises(TypeError, match="default_rules: on is a str: give date"):
        croupier.default_rules("us-nj/minibaccarat", "2011-02-22")  # type: ignore[arg-type]
    with pytest.raises(croupier.LawError):
        croupier.default_rules("us-zz/minibaccarat", date(2011, 2, 22))


def test_rounds_of_others_are_verified() -> None:
    assert croupier.verify_rounds(ROUNDS / "right.csv", RULES).is_clean
    wrong = results()["RoundsVerdict"]
    assert isinstance(wrong, croupier.RoundsVerdict)
    assert not wrong.is_clean
    assert wrong.divergences[0].kind == "third_card"
    mapped = croupier.verify_rounds(ROUNDS / "other.csv", RULES, mapping=ROUNDS / "other.toml")
    assert mapped.is_clean


@pytest.mark.parametrize(
    "name", ["nj-minibaccarat", "nj-punto-banco", "ma-ez", "ma-royal-9", "ny-midi"]
)
def test_a_table_is_ready_after_one_call(name: str) -> None:
    rules = croupier.load_rules(ROOT / "submissions" / f"{name}.toml")
    table = croupier.open_table(rules, {1: 10_000_000, 3: 10_000_000})
    table.execute(croupier.commands.PlaceWager(3, "player", rules.wagers[0].min_cents or 0))
    assert table.state.stakes.keys() == {(3, "player")}
    assert table.ledger.in_balance
    with pytest.raises(croupier.RefusedError):
        croupier.open_table(rules, {99: 10_000})


def test_a_simulation_is_the_same_for_the_same_seed() -> None:
    done = croupier.simulate(RULES, rounds=1_000, seed=3)
    assert done.rounds == 1_000
    assert croupier.SimulationResult.from_json(done.to_json()) == done
    assert croupier.simulate(RULES, rounds=1_000, seed=3) == done
    for rounds, seed in ((0, 1), (True, 1), (10, -1), (10, 1 << 64)):
        with pytest.raises(ValueError, match="write an integer"):
            croupier.simulate(RULES, rounds=rounds, seed=seed)


def test_a_table_log_is_verified(tmp_path: Path) -> None:
    path = tmp_path / "table.jsonl"
    done = CliRunner().invoke(
        main,
        [
            "deal",
            str(ROOT / "submissions/nj-minibaccarat.toml"),
            "--seed",
            "7",
            "--quiet",
            "--log",
            str(path),
        ],
    )
    assert done.exit_code == 0, done.output
    verdict = croupier.verify_log(path)
    assert (verdict.is_clean, verdict.rules_hash) == (True, RULES.sha256)
    assert verdict.rounds == sum(verdict.results.values()) > 70
    assert croupier.LogVerdict.from_json(verdict.to_json()) == verdict
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(line.replace("dealer", "deal3r") for line in lines), encoding="utf-8")
    spoiled = croupier.verify_log(path)
    assert not spoiled.is_clean
    assert "line 2" in str(spoiled)
    path.write_text("", encoding="utf-8")
    with pytest.raises(croupier.LogError):
        croupier.verify_log(path)


def test_a_settled_round_and_a_verdict_conform_to_their_schemas() -> None:
    for name, kind in (("round-result", "RoundResult"), ("log-verdict", "LogVerdict")):
        result = results()[kind]
        shape = Draft202012Validator(SCHEMAS[name]())
        data = result.to_dict()
        shape.validate(data)
        for key in data:
            with pytest.raises(Exception, match=key):
                shape.validate({one: value for one, value in data.items() if one != key})
