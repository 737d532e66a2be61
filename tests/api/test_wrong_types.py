"""A value of a wrong type is refused by name, whatever public function or command is given it."""

import inspect
import typing
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from types import UnionType
from typing import Any

import pytest

import croupier
from croupier import client, commands
from croupier.records.codec import COMMANDS
from support.cases import each
from support.project import ROOT
from support.surface import public, shapes

RULES = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
CARDS = "Kd 4c 5h 2s 6c Ah"
VALUES: list[Any] = [7, "text", None, object(), int, commands.DrawCard]
OTHERS: list[Any] = [CARDS, 7, {}, RULES, date(2026, 11, 27), print, commands.CallNoMoreBets()]
"""Arguments beside the one under test, each for the types that admit it."""
VARIADIC = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
CALLED = {"notation": "card"}
"""How an error calls a parameter, if not by its name."""


def callables() -> Iterator[tuple[str, str]]:
    """Yield every public function and method with each of its parameters."""
    named = public()
    for name in [*shapes(), "croupier.LiveTable.accept", "croupier.LiveTable.propose"]:
        owner, _, last = name.rpartition(".")
        function: Any = named[name] if name in named else getattr(named[owner], last)
        if inspect.isroutine(function) and callable(function):
            # An inherited method is tested once.
            of_base = owner.startswith("croupier.") and last in vars(croupier.TypedResult)
            if not of_base or owner in {"croupier.TypedResult", "croupier.GameRules"}:
                for parameter in inspect.signature(function).parameters.values():
                    if parameter.name != "self" and parameter.kind is not parameter.VAR_KEYWORD:
                        yield name, parameter.name


def owner_of(name: str) -> Any:
    """Return an object that has the method, or the class of a method that needs none."""
    owner: Any = public()[name]
    match owner:
        case croupier.LiveTable:
            return croupier.open_table(RULES, {3: 100_000})
        case croupier.GameRules:
            return RULES
        case croupier.RoundResult:
            return croupier.settle_round(RULES, CARDS)
        case client.Client | client.AsyncClient:
            return owner("http://127.0.0.1:9", tries=1)
    return owner


def admits(hint: Any, value: object) -> bool:
    """Return whether a value is of an annotated type; any is data that may have any type."""
    if hint in {Any, object}:
        return False
    if typing.get_origin(hint) in {typing.Union, UnionType}:
        return any(admits(part, value) for part in typing.get_args(hint))
    return isinstance(value, typing.get_origin(hint) or hint)


@pytest.mark.parametrize(("name", "parameter"), [*callables()])
def test_a_wrong_type_is_refused_by_the_name_of_its_parameter(
    name: str, parameter: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    owner, _, last = name.rpartition(".")
    holder = owner_of(owner) if owner in public() else None
    function: Any = public()[name] if holder is None else getattr(holder, last)
    taken = inspect.signature(function).parameters
    hints = typing.get_type_hints(function)
    hint, is_several = hints[parameter], taken[parameter].kind is inspect.Parameter.VAR_POSITIONAL
    others = {
        name: next(value for value in OTHERS if admits(hints[name], value))
        for name, about in taken.items()
        if name != parameter and about.default is about.empty and about.kind not in VARIADIC
    }
    before = getattr(holder, "position", None)
    wrong = [value for value in VALUES if not admits(hint, value)]
    assert wrong
    for value in wrong:
        arguments = inspect.BoundArguments(inspect.signature(function), dict(others))
        arguments.arguments[parameter] = (value,) if is_several else value
        with pytest.raises((TypeError, ValueError)) as error:
            function(*arguments.args, **arguments.kwargs)
        # Data may have any type, so their error is that of their content.
        assert CALLED.get(parameter, parameter) in str(error.value) or hint in {Any, object}, (
            value,
            error.value,
        )
        assert not isinstance(error.value, TypeError) or hint not in {Any, object}
    assert getattr(holder, "position", None) is before
    assert list(tmp_path.iterdir()) == []


@each("kind", COMMANDS.values())
def test_a_field_of_a_wrong_type_is_refused_by_its_name(
    kind: type[croupier.commands.Command],
) -> None:
    table = croupier.open_table(RULES, {3: 100_000})
    before = table.position
    for field in kind.__struct_fields__:
        for value in (object(), [object()], print):
            values: dict[str, Any] = dict.fromkeys(kind.__struct_fields__, 7) | {field: value}
            for give in (table.execute, table.try_execute, table.propose):
                with pytest.raises(TypeError, match=rf"^{kind.__name__}: (.*; )?{field} is "):
                    give(kind(**values))
    assert table.position is before


@pytest.mark.parametrize("value", [*VALUES, [object()], {7: object()}])
@pytest.mark.parametrize(
    ("field", "said"), [("cards", "cards"), ("wagers", "wagers|seat 7"), ("meters", "meters")]
)
def test_a_round_of_wrong_types_is_refused_by_the_name_of_its_field(
    field: str, said: str, value: Any
) -> None:
    wrong: Any = {"cards": CARDS} | {field: value}
    with pytest.raises((TypeError, croupier.RoundError), match=said):
        croupier.settle_rounds(RULES, [croupier.Round(**wrong)])


ITEMS: list[tuple[str, str, Any]] = [
    ("default_rules", "7", {"law": RULES.law, "on": date(2011, 2, 22), "elections": {7: 1}}),
    ("make_rules", "7", {"tables": {7: 1, "x": 1}}),
    ("make_rules", "submission.7", {"tables": {"submission": {7: 1, "x": 1}}}),
    ("make_rules", "submission", {"tables": {"submission": 7}}),
    (
        "settle_round",
        "wagers: 7: give cents by",
        {"rules": RULES, "cards": CARDS, "wagers": {7: 8}},
    ),
    ("settle_round", "meters", {"rules": RULES, "cards": CARDS, "meters": {7: 8}}),
    ("settle_round", "cards", {"rules": RULES, "cards": {"player": 7}}),
    ("settle_rounds", "round 0", {"rules": RULES, "rounds": [7]}),
    ("round_odds", "cards", {"rules": RULES, "cards": {"player": 7}}),
    ("par_sheet", "7", {"rules": RULES, "shoe": {7: 8}}),
    ("par_sheet", "A", {"rules": RULES, "shoe": {"A": "8"}}),
    ("open_table", "seat", {"rules": RULES, "patrons": {"3": 8}}),
    ("open_table", "cents", {"rules": RULES, "patrons": {3: "8"}, "record": "r.jsonl"}),
    ("verify_rounds", "7", {"rules": RULES, "rounds": [7]}),
    ("verify_rounds", "7", {"rules": RULES, "rounds": [], "mapping": {7: 8}}),
    ("to_frame", "results", {"results": [7]}),
]


@pytest.mark.parametrize(("name", "said", "arguments"), ITEMS)
def test_a_wrong_item_is_refused_by_its_name(
    name: str, said: str, arguments: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises((TypeError, ValueError), match=said):
        getattr(croupier, name)(**arguments)
    assert list(tmp_path.iterdir()) == []


PATHS = ["laws", "load_rules", "load_wager", "open_store", "resume_table", "verify_log"]


@pytest.mark.parametrize("name", PATHS)
def test_a_path_of_another_kind_is_named(name: str, tmp_path: Path) -> None:
    wrong = tmp_path / "wrong"
    wrong.touch() if name == "laws" else wrong.mkdir()
    with pytest.raises(
        (ValueError, croupier.StoreError), match=r"wrong: .*(directory|file|folder)"
    ):
        getattr(croupier, name)(wrong)
    if name != "open_store":
        with pytest.raises((ValueError, OSError), match="missing: "):
            getattr(croupier, name)(tmp_path / "missing")
    assert list(tmp_path.iterdir()) == [wrong]


NAMES_OF_NO_FILE = ["a\0b", "a" * 300, "\ud800"]


@pytest.mark.parametrize("name", NAMES_OF_NO_FILE)
def test_a_name_that_no_file_can_have_is_an_error_of_the_library(name: str, tmp_path: Path) -> None:
    rules = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    path = tmp_path / name
    with pytest.raises(croupier.LawError):
        croupier.laws(path)
    with pytest.raises(croupier.LogError):
        croupier.resume_table(path)
    if name != "\ud800":  # Some systems have files of this name.
        with pytest.raises(croupier.StoreError):
            croupier.open_store(path)
        with pytest.raises(croupier.LogError):
            croupier.open_table(rules, record=path)


@pytest.mark.parametrize("is_recorded", [False, True])
def test_text_that_no_record_can_hold_is_refused(tmp_path: Path, *, is_recorded: bool) -> None:
    rules = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    record = tmp_path / "table.jsonl" if is_recorded else None
    with croupier.open_table(rules, {3: 100_000}, record=record) as table:
        before = table.sequence
        with pytest.raises(TypeError, match=r"^SeatPatron: patron is '\\ud800': "):
            table.execute(commands.SeatPatron(4, "\ud800"))
        assert (table.sequence, 4 in table.state.seats) == (before, False)


def test_another_key_than_a_hand_is_named() -> None:
    rules = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    with pytest.raises(ValueError, match=r"^\{'dealer': '9h'\}: write .* for player and banker"):
        croupier.round_odds(rules, {"dealer": "9h"})


def test_a_closed_store_cannot_be_resumed_from(tmp_path: Path) -> None:
    rules = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    store = croupier.open_store(tmp_path / "pit.sqlite")
    croupier.open_table(rules, {3: 100_000}, record=store, table="A").close()
    store.close()
    with pytest.raises(croupier.LogError):
        croupier.resume_table(store, table="A")


def test_messages_name_arguments_not_options_of_commands(tmp_path: Path) -> None:
    store, log, folder = tmp_path / "s.sqlite", tmp_path / "a.jsonl", tmp_path / "none"
    for name in ("one", "two"):
        croupier.open_table(RULES, record=store, table=name).close()
    croupier.open_table(RULES, record=log).close()
    lines = log.read_text().replace("us-nj/minibaccarat", "us-nj/unheard-of").replace(
        RULES.table.law.sha256, "0" * 64
    )  # fmt: skip
    (foreign := tmp_path / "foreign.jsonl").write_text(lines)
    rounds = {
        "unnamed": b"when,where\nnow,here\n",
        "no utf-8": "shoe,round,player,banker,n\u00e4me\n1,1,9h Kd,2c 3d,1\n".encode("latin1"),
        "utf-16": "shoe,round,player,banker\n".encode("utf-16-le"),
        "amounts": b"shoe,round,player,banker,Bet1\n1,1,9h Kd,2c 3d,5\n",
    }
    for name, data in rounds.items():
        (tmp_path / f"{name}.csv").write_bytes(data)
    (bad := tmp_path / "bad.toml").write_bytes(b"a = '\xe9'")
    calls: dict[str, Callable[[], object]] = {
        "of several": lambda: croupier.verify_log(store),
        "of no store": lambda: croupier.verify_log(log, table="x"),
        "of no store to open": lambda: croupier.open_table(RULES, record=log / "b", table="x"),
        "foreign": lambda: croupier.verify_log(foreign),
        "toml": lambda: croupier.load_rules(bad),
        "folder": lambda: croupier.laws(folder),
        "unnamed": lambda: croupier.verify_rounds(tmp_path / "unnamed.csv", RULES),
        "utf-16": lambda: croupier.verify_rounds(tmp_path / "utf-16.csv", RULES),
    }
    said = {}
    for name, call in calls.items():
        with pytest.raises((ValueError, croupier.LogError)) as refused:
            call()
        said[name] = str(refused.value)
    said |= {
        name: str(croupier.verify_rounds(tmp_path / f"{name}.csv", RULES).document["hints"])
        for name in ("no utf-8", "amounts")
    }
    assert not {name: text for name, text in said.items() if "--" in text}
    assert "with table=NAME; it holds one, two" in said["of several"]
    assert "with croupier.laws(FOLDER)" in said["foreign"]
    assert "with mapping=FILE" in said["unnamed"]
    assert 'encoding = "cp1252" in [file] of a mapping' in said["no utf-8"]


def test_wagers_on_cards_are_simulated_by_the_engine_that_knows_cards() -> None:
    rules = croupier.load_rules(ROOT / "submissions" / "nj-minibaccarat-total-cards.toml")
    wagers = croupier.simulate(rules, rounds=300, seed=1).document["wagers"]
    assert "four_cards" in {one["id"] for one in wagers}
