"""What ``import croupier`` offers is fixed: a name or a signature that changes fails here first."""

import inspect
import json
import subprocess
import sys

import pytest

import croupier
from support.sources import PACKAGE, source_of

SIGNATURES = {
    "default_rules": "(law: 'str', on: 'date', elections: 'Mapping[str, Any] | None' = None) -> 'GameRules'",
    "laws": "(folder: 'str | os.PathLike[str]') -> 'tuple[str, ...]'",
    "load_rules": "(path: 'str | os.PathLike[str]') -> 'GameRules'",
    "make_rules": "(tables: 'Mapping[str, Any]') -> 'GameRules'",
    "parse_rules": "(text: 'str') -> 'GameRules'",
    "settle_round": "(rules: 'GameRules', cards: 'Cards | Hands', wagers: 'Wagers' = (), *, meters: 'Mapping[str, int] | None' = None) -> 'RoundResult'",
    "settle_rounds": "(rules: 'GameRules', rounds: 'Iterable[Round]') -> 'tuple[RoundResult, ...]'",
    "parse_cards": "(cards: 'Cards') -> 'tuple[Card, ...]'",
    "open_table": "(rules: 'GameRules', patrons: 'Mapping[int, int] | None' = None, *, gaming_date: 'date | None' = None, inventory_cents: 'int' = 100000000, record: 'Place | Store | None' = None, table: 'str | None' = None, clock: 'Clock | None' = None) -> 'LiveTable'",
    "open_store": "(place: 'str | os.PathLike[str]') -> 'Store'",
    "resume_table": "(record: 'Place | Store', *, table: 'str | None' = None, clock: 'Clock | None' = None) -> 'LiveTable'",
    "round_odds": "(rules: 'GameRules', cards: 'Cards | Hands' = '', *, shoe: 'Shoe' = None) -> 'RoundOdds'",
    "par_sheet": "(rules: 'GameRules', *, shoe: 'Shoe' = None) -> 'ParSheet'",
    "simulate": "(rules: 'GameRules', *, rounds: 'int', seed: 'int', shoe: 'Shoe' = None, progress: 'Callable[[int, int], None] | None' = None) -> 'SimulationResult'",
    "load_wager": "(path: 'str | os.PathLike[str]', rules: 'GameRules | None' = None, *, limits_cents: 'tuple[int, int] | None' = None) -> 'CustomWager'",
    "to_frame": "(results: 'TypedResult | Iterable[TypedResult]') -> 'Any'",
    "verify_log": "(path: 'str | os.PathLike[str]', *, table: 'str | None' = None) -> 'LogVerdict'",
    "verify_rounds": "(rounds: 'Rounds', rules: 'GameRules', *, mapping: 'str | os.PathLike[str] | Mapping[str, Any] | None' = None, cards_behind: 'int | None' = None, max_listed: 'int' = 10000, found: 'Callable[[RoundDivergence], object] | None' = None) -> 'RoundsVerdict'",
}

RECORDS = {
    "Actor": ("person", "office", "device", "seat"),
    "Stamp": ("by", "key", "corrects"),
    "CustomWager": ("offer",),
    "RoundDivergence": (
        "line", "shoe", "round", "kind", "message", "clauses", "hand", "seat", "wager", "expected",
        "found", "follows",
    ),
    "TableEntry": ("sequence", "at", "command", "events"),
    "PlacedWager": ("seat", "wager", "cents", "coupon_cents"),
    "Round": ("cards", "wagers", "meters"),
    "Fault": ("code", "where", "message", "clauses", "round"),
    "WagerResult": (
        "seat", "wager", "stake_cents", "coupon_cents", "outcome", "line", "pays", "won_cents",
        "vigorish_cents", "vigorish_waived", "net_cents", "clauses",
    ),
    "RoundResult": (
        "player", "banker", "player_total", "banker_total", "winner", "wagers", "rules_hash",
    ),
    "WagerTerms": ("wager", "title", "pays", "min_cents", "max_cents", "unit_cents", "clauses"),
    "GameRules": ("table",),
    "OutcomeOdds": ("outcome", "probability", "pays"),
    "WagerOdds": ("wager", "outcomes", "house_edge"),
    "RoundOdds": ("document",),
    "ParSheet": ("document",),
    "SimulationResult": ("document",),
    "RoundsVerdict": ("document",),
    "LogVerdict": (
        "is_clean", "entries", "events", "rounds", "results", "table_win_cents", "divergence",
        "clauses", "rules_hash", "differences",
    ),
}  # fmt: skip

OTHERS = {
    "CustomWagerError", "FileError", "LawError", "LogError", "RefusedError", "ResultError", "RoundError", "ShoeError",
    "Store", "StoreError", "SubmissionError", "TypedResult", "LiveTable", "commands", "events", "Card",
}  # fmt: skip


def test_the_names_are_these_and_no_others() -> None:
    assert sorted(croupier.__all__) == sorted([*SIGNATURES, *RECORDS, *OTHERS])
    assert set(dir(croupier)) == {*croupier.__all__, "__version__", "client"}
    for name in croupier.__all__:
        assert getattr(croupier, name) is not None


def test_type_checkers_are_told_of_the_same_names() -> None:
    told = {
        alias.asname
        for node in source_of(PACKAGE / "__init__.py").nodes
        for alias in getattr(node, "names", ())
        if alias.name == alias.asname
    }
    assert told == {*croupier.__all__, "__version__", "client"}


@pytest.mark.parametrize("name", SIGNATURES)
def test_a_function_is_called_so(name: str) -> None:
    assert str(inspect.signature(getattr(croupier, name))) == SIGNATURES[name]
    assert "Raises" in getattr(croupier, name).__doc__


@pytest.mark.parametrize("name", RECORDS)
def test_a_record_has_these_fields_and_does_not_change(name: str) -> None:
    record = getattr(croupier, name)
    assert record.__match_args__ == RECORDS[name]
    with pytest.raises(AttributeError, match="immutable type"):
        setattr(record(*RECORDS[name]), RECORDS[name][0], 0)


def test_no_other_name_is_there() -> None:
    with pytest.raises(AttributeError, match="settel_round"):
        _ = croupier.settel_round  # type: ignore[attr-defined]


def test_to_import_the_package_imports_nothing_of_it() -> None:
    script = "import sys; before = set(sys.modules); import croupier, json\n"
    script += "print(json.dumps([m for m in set(sys.modules) - before if 'croupier' in m]))"
    done = subprocess.run(  # noqa: S603  (our own interpreter and script)
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert json.loads(done.stdout) == ["croupier"]
