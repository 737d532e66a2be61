"""Rounds in JSON Lines and Parquet that compiled loops pass, the full judge finds right, and all else."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any, Final

import pytest

from croupier.files import lines as lines_of_files
from croupier.files.errors import FileError
from croupier.records.rounds.mapping import RoundMapping, mapping_of
from croupier.rules import read_rules
from croupier.verify.rounds import file
from croupier.verify.rounds.cached import CachedVerifier
from croupier.verify.rounds.file import verify_file
from support.external_rounds import House, Round, shoes
from support.project import PLAIN
from support.volume import spread

objects = pytest.importorskip("croupier.verify.rounds.object_rows")
compiled = pytest.importorskip("croupier.verify.rounds.compiled")

NJ: Final = read_rules(PLAIN)
WAGERS: Final = ("player", "banker", "tie")
ROUNDS: Final = tuple(shoes(House(WAGERS), 2, seed=29, most=40))


def told(one: Round) -> dict[str, Any]:
    amounts = {
        f"{name}:{wager}": cents / 100
        for wager in WAGERS
        for name, cents in zip(("stake", "net"), one.wagers[wager], strict=True)
    }
    return {
        "shoe": one.shoe, "round": one.number, "player": " ".join(one.player),
        "banker": one.banker, "winner": one.winner, "player_total": one.player_total,
        "note": None, **amounts,
    }  # fmt: skip


LINES: Final = tuple(json.dumps(told(one)) for one in ROUNDS)


def verdict(path: Path, mapping: RoundMapping | None, least: int) -> tuple[Any, int]:
    """Return a verdict, and how many rounds were judged one by one."""
    lengthy: list[int] = []
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(file, "LEAST_BYTES", least)
        patch.setattr(file, "LEAST_BYTES_TO_COMPILE", 0)
        judge = CachedVerifier.at_length

        def seen(self: CachedVerifier, row: list[str], line: int) -> None:
            lengthy.append(line)
            judge(self, row, line)

        patch.setattr(CachedVerifier, "at_length", seen)
        try:
            return verify_file(path, NJ, mapping, limit=1000).as_data(), len(lengthy)
        except FileError as error:
            return str(error), len(lengthy)


def agree(path: Path, lines: Sequence[str], mapping: RoundMapping | None = None) -> tuple[Any, int]:
    """Judge lines by their bytes and one by one, and return what comes of both."""
    path.write_bytes("".join(f"{line}\n" for line in lines).encode("utf-8", "surrogateescape"))
    found, lengthy = verdict(path, mapping, 0)
    assert found == verdict(path, mapping, 1 << 60)[0]
    return found, lengthy


def test_right_objects_are_passed_by_their_bytes(tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    found, lengthy = agree(path, LINES)
    assert found["clean"]
    assert found["rounds"] == len(LINES)
    # The first alone, whose wagers the judge must have seen.
    assert lengthy == 1
    path.write_bytes(gzip.compress("\n".join(LINES).encode()))
    assert verdict(path, None, 0)[0] == found


@pytest.mark.parametrize("space", ["", " "])
@pytest.mark.parametrize("note", ["null", '"21:14"', '"a\\u003ab"', '"a\\"b:\\\\"'])
def test_a_key_written_twice_makes_a_line_unreadable(tmp_path: Path, note: str, space: str) -> None:
    whole = [line.replace('"note": null', f'"note": {note}') for line in LINES]
    found, _ = agree(tmp_path / "r.jsonl", whole)
    assert found["clean"]
    twice = f'{whole[4][:-1]}, "winner"{space}: "{ROUNDS[4].winner}"}}'
    found, _ = agree(tmp_path / "r.jsonl", [*whole[:4], twice, *whole[5:]])
    assert found["by_kind"]["format"] == 1
    assert "winner is given twice" in found["divergences"][0]["message"]


SPOILED: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "a net off by a cent": lambda one: json.dumps(one | {"net:player": one["net:player"] + 0.01}),
    "another winner": lambda one: json.dumps(one | {"winner": "tie"}),
    "another round": lambda one: json.dumps(one | {"round": 77}),
    "another shoe": lambda one: json.dumps(one | {"shoe": 9}),
    "keys in another order": lambda one: json.dumps(dict(reversed(one.items()))),
    "a key more": lambda one: json.dumps(one | {"more": 1}),
    "a key less": lambda one: json.dumps({k: v for k, v in one.items() if k != "note"}),
    "a key twice": lambda one: json.dumps(one)[:-1] + ', "winner": "tie"}',
    "a list of a winner": lambda one: json.dumps(one | {"winner": [one["winner"]]}),
    "a list of an amount": lambda one: json.dumps(one | {"stake:tie": [one["stake:tie"]]}),
    "a list of lists": lambda one: json.dumps(one | {"banker": [one["banker"]]}),
    "a blank card": lambda one: json.dumps(one | {"banker": ["", *one["banker"]]}),
    "a last blank card": lambda one: json.dumps(one | {"banker": [*one["banker"], ""]}),
    "cards that are objects": lambda one: json.dumps(
        one | {"banker": [{"rank": card[0], "suit": card[1]} for card in one["banker"]]}
    ),
    "an escaped letter": lambda one: json.dumps(one).replace('"winner"', '"\\u0077inner"'),
    "an escaped value": lambda one: json.dumps(one | {"note": 'a "quoted" note\t'}),
    "another alphabet": lambda one: json.dumps(one | {"note": "ü"}, ensure_ascii=False),
    "broken bytes": lambda one: json.dumps(one | {"note": "\udcff"}, ensure_ascii=False),
    "truth": lambda one: json.dumps(one | {"note": True}),
    "a truth for an amount": lambda one: json.dumps(one | {"stake:tie": True}),
    "an exponent": lambda one: json.dumps(one).replace('"stake:tie": ', '"stake:tie": 1e2, "x": '),
    "no number": lambda one: json.dumps(one | {"net:tie": float("nan")}),
    "two points": lambda one: json.dumps(one).replace('"net:tie": ', '"net:tie": 1.2.'),
    "a zero before": lambda one: json.dumps(one).replace('"round": ', '"round": 0'),
    "a minus alone": lambda one: json.dumps(one | {"net:tie": None}).replace("null", "-"),
    "blanks": lambda one: json.dumps(one, separators=(" , ", " : ")),
    "no blanks": lambda one: json.dumps(one, separators=(",", ":")),
    "more behind": lambda one: json.dumps(one) + " x",
    "torn": lambda one: json.dumps(one)[:-9],
    "a list": lambda _: "[1, 2]",
    "nothing": lambda _: "",
    "a blank line": lambda _: "   ",
    "no object": lambda _: "12",
    "an empty one": lambda _: "{}",
    "no stake": lambda one: json.dumps(one | {"stake:tie": None}),
    "a total that is wrong": lambda one: json.dumps(one | {"player_total": 10}),
    "numbers as texts": lambda one: json.dumps(
        {k: v if k in {"note", "banker"} else str(v) for k, v in one.items()}
    ),
}


@pytest.mark.parametrize("name", spread(SPOILED, 12))
def test_whatever_stands_in_a_line_is_judged_as_it_always_is(tmp_path: Path, name: str) -> None:
    chance = random.Random(name)
    for at in (0, 1, chance.randrange(2, len(LINES)), len(LINES) - 1):
        lines = list(LINES)
        lines[at] = SPOILED[name](told(ROUNDS[at]))
        agree(tmp_path / "r.jsonl", lines)


@pytest.mark.parametrize("absent", [("round",), ("shoe",), ("shoe", "round")])
@pytest.mark.parametrize(
    "named", [{"round": 900}, {"round": "x"}, {"shoe": 5}, {"shoe": 5, "round": 1}]
)
def test_a_line_alone_in_naming_its_shoe_or_round_is_judged_as_it_always_is(
    tmp_path: Path, absent: tuple[str, ...], named: dict[str, Any]
) -> None:
    rounds = [told(one) for one in ROUNDS if one.shoe == 1]
    for one in rounds:
        for name in absent:
            del one[name]
    rounds[8] |= named
    found, _ = agree(tmp_path / "r.jsonl", [json.dumps(one) for one in rounds])
    assert found["rounds"] == len(rounds)


@pytest.mark.parametrize("at", [0, 1, 12, len(ROUNDS) - 1])
def test_seats_that_some_lines_alone_name_are_parts_of_one_round(tmp_path: Path, at: int) -> None:
    rounds = [told(one) for one in ROUNDS]
    rounds[at : at + 1] = [rounds[at] | {"seat": seat} for seat in (1, 2)]
    rounds[-1] |= {"seat": 4}
    # The first line has the keys that are passed.
    rounds[0].pop("seat", None)
    found, _ = agree(tmp_path / "r.jsonl", [json.dumps(one) for one in rounds])
    assert found["clean"] == (at > 0), found["divergences"]


def test_a_mapping_names_the_keys(tmp_path: Path) -> None:
    lines = [json.dumps({"Hand No": one.number, "P": one.player, "B": " ".join(one.banker),
                         "W": {"player": 1, "banker": 2, "tie": 0}[one.winner]})
             for one in ROUNDS if one.shoe == 1]  # fmt: skip
    mapping = mapping_of(
        {
            "columns": {"round": "Hand No", "player": "P", "banker": "B", "winner": "W"},
            "values": {"winner": {"1": "player", "2": "banker", "0": "tie"}},
        }
    )
    found, lengthy = agree(tmp_path / "r.jsonl", lines, mapping)
    assert found["clean"]
    assert lengthy <= 1


# --- wagers in a list ----------------------------------------------------------------------------

SEATS: Final = (2, 5, "7")
NESTED: Final = mapping_of(
    {
        "columns": {"wagers": "players[].bets[]"},
        "entries": {"wager": "bet", "seat": "chair"},
        "money": {"paid": "returned"},
    }
)


def listed(one: Round) -> dict[str, Any]:
    """Write the wagers of a round for several seats, each with what was returned."""
    players = [
        {
            "chair": seat,
            "bets": [
                {"bet": wager.title(), "stake": stake * (at + 1) / 100,
                 "paid_cents": (stake + net) * (at + 1), "note": None}
                for wager, (stake, net) in one.wagers.items()
            ],
        }
        for at, seat in enumerate(SEATS)
    ]  # fmt: skip
    return {"shoe": one.shoe, "round": one.number, "player": one.player,
            "banker": one.banker, "winner": one.winner, "players": players}  # fmt: skip


def bets(one: dict[str, Any], at: int = 0) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = one["players"][at]["bets"]
    return found


def changed(of: list[dict[str, Any]], at: int = 0, **values: Any) -> None:
    of[at] |= values


SPOILED_LISTS: Final[dict[str, Callable[[dict[str, Any]], object]]] = {
    "a cent": lambda one: changed(bets(one, 1), paid_cents=bets(one, 1)[0]["paid_cents"] + 1),
    "another amount": lambda one: changed(bets(one), stake=bets(one)[0]["stake"] + 25),
    "a wager twice": lambda one: bets(one).append(bets(one)[0]),
    "a seat twice": lambda one: one["players"].append(one["players"][1]),
    "no wager": lambda one: changed(bets(one), bet=None),
    "an unknown wager": lambda one: changed(bets(one), bet="lucky"),
    "a number of a wager": lambda one: changed(bets(one), bet=7),
    "no stake": lambda one: bets(one)[0].pop("stake"),
    "no amount": lambda one: (bets(one)[0].pop("stake"), bets(one)[0].pop("paid_cents")),
    "half a cent": lambda one: changed(bets(one), paid_cents=0.5),
    "a negative amount": lambda one: changed(bets(one), paid_cents=-100),
    "a coupon": lambda one: changed(bets(one), coupon=5),
    "a seat with a name": lambda one: one["players"][0].update(chair="Ann"),
    "no seat": lambda one: one["players"][0].pop("chair"),
    "a seat of four digits": lambda one: one["players"][0].update(chair=1234),
    "a seat in a bet": lambda one: changed(bets(one), chair=5),
    "no bets": lambda one: one["players"][0].pop("bets"),
    "bets that are none": lambda one: one["players"][0].update(bets=[3]),
    "players that are none": lambda one: one.update(players="Ann"),
    "nobody": lambda one: one.update(players=None),
    "an empty list": lambda one: one.update(players=[]),
    "false for a list": lambda one: one.update(players=False),
    "zero for a list": lambda one: one.update(players=0),
    "an object for a list": lambda one: one.update(players={}),
    "a blank text for a list": lambda one: one.update(players=""),
    "another key": lambda one: changed(bets(one), more={"a": [1]}),
    "a truth": lambda one: changed(bets(one), stake=True),
    "a text": lambda one: changed(bets(one), stake="$25.00"),
    "a great number of players": lambda one: one["players"].extend(
        {**one["players"][0], "chair": seat} for seat in range(10, 40)
    ),
    "another round": lambda one: one.update(round=77),
}


def test_wagers_in_lists_are_passed(tmp_path: Path) -> None:
    lines = [json.dumps(listed(one)) for one in ROUNDS]
    found, lengthy = agree(tmp_path / "r.jsonl", lines, NESTED)
    assert found["clean"], found["divergences"][:2]
    assert lengthy == 1
    entries = [
        {key: value for key, value in bet.items() if key != "note"} | {"chair": player["chair"]}
        for player in listed(ROUNDS[0])["players"] for bet in player["bets"]
    ]  # fmt: skip
    flat = mapping_of({"entries": {"wager": "bet", "seat": "chair"}, "money": {"paid": "returned"}})
    first = {**listed(ROUNDS[0]), "wagers": entries}
    del first["players"]
    found, _ = agree(tmp_path / "r.jsonl", [json.dumps(first)], flat)
    assert found["clean"], found["divergences"][:2]


@pytest.mark.parametrize("name", spread(SPOILED_LISTS, 14))
def test_whatever_a_list_contains_is_judged_as_it_always_is(tmp_path: Path, name: str) -> None:
    chance = random.Random(name)
    for at in (0, 1, chance.randrange(2, len(ROUNDS)), len(ROUNDS) - 1):
        rounds = [listed(one) for one in ROUNDS]
        SPOILED_LISTS[name](rounds[at])
        agree(tmp_path / "r.jsonl", [json.dumps(one) for one in rounds], NESTED)


@pytest.mark.parametrize("spoiled", [None, "net:player", "note", "winner", "player"])
def test_parquet_is_judged_alike(tmp_path: Path, spoiled: str | None) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [told(one) | {"banker": " ".join(one.banker), "note": "x"} for one in ROUNDS]
    if spoiled is not None:
        was = rows[30][spoiled]
        rows[30][spoiled] = was + 0.01 if isinstance(was, float) else "a\ttab, ü, and a\nline"
        rows[41][spoiled] = None
    path = tmp_path / "r.parquet"
    parquet.write_table(arrow.Table.from_pylist(rows), path)
    found, lengthy = verdict(path, None, 0)
    assert found == verdict(path, None, 1 << 60)[0]
    assert found["clean"] == (spoiled in {None, "note"})
    assert spoiled is not None or lengthy == 1


def test_shorter_floats_and_lists_in_parquet_are_judged_one_by_one(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    parquet = pytest.importorskip("pyarrow.parquet")
    rows = [told(one) for one in ROUNDS]
    path = tmp_path / "r.parquet"
    parquet.write_table(arrow.Table.from_pylist(rows), path)
    assert verdict(path, None, 0) == (verdict(path, None, 1 << 60)[0], 0)


def test_objects_are_let_go_when_their_rows_are_judged(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(objects, "_LINES", 4)
    monkeypatch.setattr(lines_of_files, "_BLOCK", 1 << 10)
    path = tmp_path / "r.jsonl"
    held: list[int] = []
    yielded = objects.ObjectRows.pieces

    def pieces(self: Any) -> Iterator[Any]:
        for one in yielded(self):
            held.append(len(self._pieces))
            yield one

    monkeypatch.setattr(objects.ObjectRows, "pieces", pieces)
    found, _ = agree(path, [line for shoe in range(1, 9) for line in again(shoe)])
    assert found["clean"]
    assert len(held) > 40
    # What threads read ahead, and no more.
    assert max(held) <= 2 * compiled.THREADS + 2


def again(shoe: int) -> list[str]:
    """The rounds of the first shoe under another name."""
    return [json.dumps(told(one) | {"shoe": shoe}) for one in ROUNDS if one.shoe == 1]
