"""The Python API reads and writes amounts in the currency of the rules, without a command."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace

import croupier
from croupier.api.rules import GameRules
from croupier.law.folders import VARIABLE
from croupier.law.resolve import forget
from croupier.law.usage import US_DOLLARS, currency_in_use
from croupier.rules import Limit, default_submission, table_rules
from support.own_law import OWN_ID, own_law

YEN = '[currency]\ncode = "JPY"\nsign = "\u00a5"\ndecimals = 0\n'
WAGER = """
[wager]
id = "tens"
title = "Tens"
stake = "500"
[[line]]
when = { player_count = 9 }
pays = "\u00a550,000"
"""


@pytest.fixture
def rules(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[croupier.GameRules]:
    path = own_law(tmp_path / "laws")
    text = path.read_text(encoding="utf-8")
    whole = re.sub(r'"([0-9]+)\.[0-9]{2}"', lambda one: f'"{int(one[1]) or 1}"', text)
    path.write_text(whole.replace("\n[[clause]]", f"{YEN}\n[[clause]]", 1), encoding="utf-8")
    monkeypatch.setenv(VARIABLE, str(tmp_path / "laws"))
    forget()
    plain = default_submission(OWN_ID, "latest")
    limits = dict.fromkeys(table_rules(plain).offers, Limit(1_000, 500_000))
    yield GameRules(table_rules(replace(plain, limits=limits)))
    assert currency_in_use() == US_DOLLARS
    monkeypatch.undo()
    forget()


def test_limits_are_shown_in_yen(rules: croupier.GameRules) -> None:
    assert "\u00a5500,000" in str(rules)
    assert "$" not in str(rules)


def test_rounds_in_yen_are_not_read_as_cents(rules: croupier.GameRules) -> None:
    dealt = {"player": "9h Kd", "banker": "Th 7c", "winner": "player"}
    paid = {"wager": "player", "seat": 1, "stake": 5000, "paid": 5000}
    assert croupier.verify_rounds([{**dealt, "wagers": [paid]}], rules).is_clean
    wrong = croupier.verify_rounds([{**dealt, "wagers": [{**paid, "paid": 4000}]}], rules)
    said = " ".join(one.message for one in wrong.divergences)
    assert "\u00a55,000" in said
    assert "\u00a54,000" in said
    assert "$" not in said


def test_faults_of_a_round_are_in_yen(rules: croupier.GameRules) -> None:
    dealt = {"player": "9h Kd", "banker": "Th 7c"}
    with pytest.raises(croupier.RoundError, match="\u00a51,000"):
        croupier.settle_round(rules, dealt, {(1, "player"): 10})


def test_a_custom_wager_is_read_in_yen(rules: croupier.GameRules, tmp_path: Path) -> None:
    path = tmp_path / "tens.toml"
    path.write_text(WAGER, encoding="utf-8")
    terms = croupier.load_wager(path, rules).terms
    assert (terms.min_cents, terms.max_cents) == (500, 500)
    (line,) = rules.with_wagers(croupier.load_wager(path, rules)).wagers[-1].pays.values()
    assert line == "\u00a550,000 to one"
