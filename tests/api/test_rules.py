"""Rules are values: they compare by their hash, and go to other processes at any time."""

import multiprocessing
import pickle
from concurrent.futures import ProcessPoolExecutor
from datetime import date, datetime
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

import croupier
from support.project import ROOT

FILES = ("nj-minibaccarat", "ma-ez", "ma-house-money", "nj-blackjack-bonus")
CARDS, WAGERS = "Kd 4c 5h 2s 6c Ah", {(3, "banker"): 10_000}


def load(name: str) -> croupier.GameRules:
    return croupier.load_rules(ROOT / "submissions" / f"{name}.toml")


def warm() -> croupier.GameRules:
    """Return rules from which everything public has been calculated."""
    rules = load("nj-minibaccarat")
    croupier.settle_round(rules, CARDS, WAGERS)
    croupier.settle_rounds(rules, [croupier.Round(CARDS)])
    croupier.par_sheet(rules)
    croupier.round_odds(rules, "9h Kd")
    croupier.open_table(rules, {3: 10_000})
    return rules


def test_rules_are_equal_if_their_hashes_are() -> None:
    assert [load(name) for name in FILES] == [load(name) for name in FILES]
    assert len({load(name) for name in (*FILES, *FILES)}) == len(FILES)
    assert load("ma-ez") != load("ma")
    assert load("ma-ez") != load("ma-ez").sha256


def test_rules_are_pickled_before_and_after_use() -> None:
    for rules in (*map(load, FILES), warm()):
        again = pickle.loads(pickle.dumps(rules))  # noqa: S301  (our own)
        assert again == rules
        assert again.to_dict() == rules.to_dict()


def test_a_custom_wager_is_equal_to_its_copy() -> None:
    file, rules = ROOT / "docs" / "examples" / "lucky-6.toml", load("nj-minibaccarat")
    wager = croupier.load_wager(file, limits_cents=(500, 50_000))
    again = pickle.loads(pickle.dumps(wager))  # noqa: S301  (our own)
    assert (again, hash(again)) == (wager, hash(wager))
    assert rules.with_wagers(again) == rules.with_wagers(wager)
    assert wager != croupier.load_wager(file, limits_cents=(500, 60_000))
    other: Any
    for other in (("5", "500"), (500,), (500, 600, 700), (True, 5.0)):
        with pytest.raises(TypeError, match=r"load_wager: limits_cents is .*: give two amounts"):
            croupier.load_wager(file, limits_cents=other)


def test_rules_without_a_title_have_that_of_their_law() -> None:
    on = date(2011, 2, 22)
    rules = croupier.default_rules("us-nj/minibaccarat", on)
    named = croupier.make_rules(
        {
            "submission": {"law": rules.law, "on": on},
            "elections": rules.elections,
            "limits": {wager.wager: [5, 500] for wager in rules.wagers},
        }
    )
    assert named.title == "New Jersey minibaccarat"
    assert str(croupier.round_odds(named)).startswith("Odds after no card: New Jersey minibaccarat")


def test_rules_are_pickled_as_their_data_whatever_was_calculated_from_them() -> None:
    cold, used = pickle.dumps(load("nj-minibaccarat")), pickle.dumps(warm())
    assert used == cold
    # The regulation itself is a hundred times as long.
    assert len(used) < 5_000


def test_warm_rules_go_to_another_process_and_back() -> None:
    rules = warm()
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=context) as pool:
        settled = pool.submit(croupier.settle_round, rules, CARDS, WAGERS)
        odds = pool.submit(croupier.round_odds, rules, {"player": "9h Th", "banker": "Kd 7c"})
        back = pool.submit(croupier.default_rules, rules.law, rules.in_force_from)
        assert settled.result() == croupier.settle_round(rules, CARDS, WAGERS)
        assert odds.result()["player"].expectation == Fraction(1)
        assert back.result() == croupier.default_rules(rules.law, rules.in_force_from)


@pytest.mark.parametrize(
    "uses_rules",
    [
        lambda rules: croupier.settle_round(rules, "Kd 4c 5h 2s 6c Ah"),
        croupier.round_odds,
        croupier.par_sheet,
        lambda rules: croupier.simulate(rules, rounds=1, seed=1),
        croupier.open_table,
        lambda rules: croupier.verify_rounds([{}], rules),
    ],
)
@pytest.mark.parametrize("rules", [None, "submissions/nj-minibaccarat.toml"])
def test_what_is_no_rules_is_named(uses_rules: Any, rules: Any) -> None:
    with pytest.raises(TypeError, match=r"rules is a .*: give what load_rules returns"):
        uses_rules(rules)


def test_texts_dates_and_paths_of_another_type_are_named() -> None:
    with pytest.raises(croupier.LawError, match="is not a date"):
        croupier.default_rules("us-nj/minibaccarat", datetime(2011, 2, 22))  # noqa: DTZ001  (what is refused)
    with pytest.raises(TypeError, match="text is a NoneType"):
        croupier.parse_rules(None)  # type: ignore[arg-type]  # what is refused
    with pytest.raises(croupier.FileError, match="null byte"):
        croupier.load_rules("a\0b")


def test_what_is_no_mapping_is_named() -> None:
    other: Any
    for other in (None, "[submission]", [("submission", {})]):
        with pytest.raises(TypeError, match=r"tables is a .*: give the tables of a submission"):
            croupier.make_rules(other)
    other = [("wagers.tie.pays", "9:1")]
    with pytest.raises(TypeError, match="elections is a list: give values by rule id"):
        croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22), other)


def test_errors_are_the_same_in_another_process(tmp_path: Path) -> None:
    wager = tmp_path / "wager.toml"
    wager.write_text("[wager]\n")
    rules = croupier.default_rules("us-nj/minibaccarat", date(2011, 2, 22))
    for raises in (
        lambda: croupier.make_rules({}),
        lambda: croupier.load_wager(wager),
        lambda: croupier.settle_round(rules, "Kd"),
        lambda: croupier.settle_rounds(rules, [croupier.Round("Kd")]),
        lambda: croupier.open_table(rules, {99: 10_000}),
        lambda: croupier.load_rules(tmp_path / "none.toml"),
    ):
        with pytest.raises(Exception, match=r".") as raised:
            raises()
        error = raised.value
        again = pickle.loads(pickle.dumps(error))  # noqa: S301  (its own bytes)
        assert (type(again), str(again), vars(again)) == (type(error), str(error), vars(error))
