"""What compiled loops pass over the bytes of a file, the full judge finds right; and nothing else."""

import gzip
import random
from itertools import groupby, product
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.records.rounds.mapping import mapping_of
from croupier.records.rounds.reading import CsvRounds, open_rounds
from croupier.verify.rounds import file
from croupier.verify.rounds.file import verify_file
from support.external_rounds import House, Round, csv_lines, shoes
from support.judged_twice import (
    CELLS,
    NJ,
    agree,
    at_length,
    by_bytes,
    judge_by,
    judged,
    passed_of,
    some,
    swapped,
)
from support.mutations import MUTATIONS
from support.volume import spread

compiled = pytest.importorskip("croupier.verify.rounds.compiled")
kernels = pytest.importorskip("croupier.odds.compiled")

FIVE: Final = ("player", "banker", "tie", "bonus_player", "bonus_banker")
STAKES: Final = range(2_500, 25_000, 500)


def rounds_of(number: int, seed: int = 5, most: int | None = 25) -> list[Round]:
    return list(shoes(House(FIVE), number, seed=seed, most=most, stakes=STAKES))


ROUNDS: Final = rounds_of(3)
TEXT: Final = "".join(f"{line}\n" for line in csv_lines(ROUNDS, FIVE, burn=True, marks=True))


def test_a_right_file_is_passed_by_its_bytes(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text("\n".join(csv_lines(ROUNDS, FIVE)), encoding="utf-8")
    # The last line has no end, and is judged at length; so is the first with wagers.
    assert passed_of(path) == len(ROUNDS) - 2
    path.write_text(TEXT.replace("\n", "\r\n"), encoding="utf-8", newline="")
    # The three rounds with a burn are judged at length, and the first without.
    assert passed_of(path) == len(ROUNDS) - 4


@pytest.mark.parametrize(("kept", "least", "compiles"), [
    (True, 1, True), (True, 1 << 40, True), (False, 1 << 40, False), (False, 1, True),
])  # fmt: skip
def test_nobody_waits_for_a_compiler_that_would_take_longer_than_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, *, kept: bool, least: int, compiles: bool
) -> None:
    path, asked = tmp_path / "r.csv", []
    path.write_text(TEXT, encoding="utf-8")
    monkeypatch.setattr(file, "LEAST_BYTES", 0)
    monkeypatch.setattr(file, "LEAST_BYTES_TO_COMPILE", least)
    monkeypatch.setattr("croupier.odds.compiled.has_machine_code", lambda *_: kept)
    run = compiled.CompiledVerifier.run

    def seen(judge: Any) -> None:
        asked.append(1)
        run(judge)

    monkeypatch.setattr(compiled.CompiledVerifier, "run", seen)
    assert verify_file(path, NJ).is_clean
    assert bool(asked) == compiles


def test_the_loops_that_are_looked_for_are_those_that_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(TEXT, encoding="utf-8")
    assert judged(path, None, by_bytes)
    assert kernels.has_machine_code(*compiled.loops_of(open_rounds(path)))


@pytest.mark.parametrize(("name", "packed"), spread(product(MUTATIONS, [False, True]), 12))
def test_each_fault_is_told_as_the_full_judge_tells_it(
    tmp_path: Path, name: str, *, packed: bool
) -> None:
    kind, mutate = MUTATIONS[name]
    chance = random.Random(name)
    dealt = [list(shoe) for _, shoe in groupby(rounds_of(2, 8, None), key=lambda one: one.shoe)]
    spoiled = [
        one for number, shoe in enumerate(dealt)
        for one in ((mutate(shoe, chance) or shoe) if number % 2 else shoe)
    ]  # fmt: skip
    text = "".join(f"{line}\n" for line in csv_lines(spoiled, FIVE)).replace("?", "").encode()
    found = agree(tmp_path / "r", gzip.compress(text) if packed else text)
    assert found[0]["by_kind"][kind] >= 1


CHANGES = st.lists(
    st.tuples(
        st.integers(0, len(TEXT)),
        st.integers(0, 6),
        st.sampled_from(["", ",", "\n", "\r", '"', "0", "7", ".", "-", " ", "h", "é", "\x00", "A", "$", ";"]),
    ),
    max_size=12,
)  # fmt: skip


@some
@given(CHANGES)
def test_changed_bytes_are_judged_alike(
    tmp_path: Path, changes: list[tuple[int, int, str]]
) -> None:
    text = TEXT
    for at, gone, put in changes:
        text = text[:at] + put + text[at + gone :]
    agree(tmp_path / "r.csv", text.encode())


@pytest.mark.parametrize("quoted", ['"a,b"', '"a\nb"', '"a"', '"a""b"', '"a'])
@pytest.mark.parametrize("row", [3, 60])
def test_quoted_cells_are_read_alike(tmp_path: Path, row: int, quoted: str) -> None:
    head, *rows = TEXT.splitlines()
    rows = [f"x,{one}" for one in rows]
    rows[row] = rows[row].replace("x", quoted, 1)
    agree(tmp_path / "r.csv", "\n".join([f"note,{head}", *rows, ""]).encode())


@some
@given(
    st.lists(
        st.tuples(st.integers(1, len(ROUNDS)), st.integers(0, 18), st.sampled_from(CELLS)),
        max_size=20,
    )
)
def test_changed_cells_are_judged_alike(
    tmp_path: Path, changes: list[tuple[int, int, str]]
) -> None:
    rows = [line.split(",") for line in TEXT.splitlines()]
    for row, column, cell in changes:
        rows[row][column] = cell
    agree(tmp_path / "r.csv", "".join(f"{','.join(row)}\n" for row in rows).encode())


@pytest.mark.parametrize("seed", spread(range(20), 5))
def test_the_order_of_rounds_is_judged_alike(tmp_path: Path, seed: int) -> None:
    rows = swapped(TEXT.splitlines(), random.Random(seed))
    found = agree(tmp_path / "r.csv", "\n".join(rows).encode())
    assert found[0]["rounds"]


def test_shoes_told_in_turns_are_judged_alike(tmp_path: Path) -> None:
    head, *rows = csv_lines(ROUNDS, FIVE)
    turns = sorted(rows, key=lambda row: (int(row.split(",")[1]) // 5, row.split(",")[0]))
    found = agree(tmp_path / "r.csv", "\n".join([head, *turns]).encode())
    assert any("interleaved" in hint for hint in found[0]["hints"])


def test_a_shoe_that_begins_within_another_is_told_alike(tmp_path: Path) -> None:
    # What follows it tells whether rounds are numbered by shoe, on which later verdicts depend.
    head, *rows = csv_lines(ROUNDS, FIVE)
    rows.insert(9, next(f"9{row[1:]}" for row in rows if row.startswith("2,1,")))
    third = next(at for at, row in enumerate(rows) if row.startswith("3,4,"))
    rows[third + 1 : third + 1] = [rows[third - 1], rows[third]]
    found = agree(tmp_path / "r.csv", "\n".join([head, *rows, ""]).encode())
    assert found[0]["by_kind"]["procedure"] == 2


@pytest.mark.parametrize("dropped", [("shoe",), ("round",), ("shoe", "round"), ("winner",)])
def test_files_without_a_column_are_judged_alike(tmp_path: Path, dropped: tuple[str, ...]) -> None:
    rows = [line.split(",") for line in csv_lines(ROUNDS, FIVE)]
    kept = [at for at, name in enumerate(rows[0]) if name not in dropped]
    text = "".join(",".join(row[at] for at in kept) + "\n" for row in rows)
    agree(tmp_path / "r.csv", text.encode())


def test_too_many_cards_of_a_kind_are_told_alike(tmp_path: Path) -> None:
    lines = ["shoe,round,player,banker"]
    lines += [f"1,{number},9h 9d,8h 8d" for number in range(1, 12)]
    found = agree(tmp_path / "r.csv", "\n".join([*lines, ""]).encode())
    assert found[0]["by_kind"]["composition"] == 4


def test_rounds_past_the_cutting_card_are_told_alike(tmp_path: Path) -> None:
    house = House(FIVE, hands_after=6, cut_from_back=40)
    text = "\n".join([*csv_lines(list(shoes(house, 3, seed=4)), FIVE), ""])
    path = tmp_path / "r.csv"
    path.write_text(text, encoding="utf-8")
    for behind in (None, 40):
        both = []
        for judge in (by_bytes, at_length):
            with pytest.MonkeyPatch.context() as patch:
                patch.setattr(file, "LEAST_BYTES", 0)
                patch.setattr(file, "LEAST_BYTES_TO_COMPILE", 0)
                judge_by(patch, judge)
                both.append(verify_file(path, NJ, cards_behind=behind).as_data())
        assert both[0] == both[1]
    assert both[0]["by_kind"]["procedure"] == 3


def with_vigorish(rounds: list[Round], *, wrong: bool = False) -> str:
    """Write rounds with what was paid and the vigorish of Banker in columns of their own."""
    head = (
        "shoe;round;player;banker;stake:banker;paid:banker;vigorish:banker;stake:player;paid:player"
    )
    lines = [head]
    for number, one in enumerate(rounds):
        stake, net = one.wagers["banker"]
        due = -(-stake // 100) * 5 if net > 0 else 0
        due += 5 * (wrong and number % 50 == 7)
        won = max(one.wagers["player"][1], 0)
        cells = [stake, max(net, 0) + (due if net > 0 else 0), due, one.wagers["player"][0], won]
        money = ";".join(str(cents / 100) for cents in cells)
        hands = f"{' '.join(one.player)};{' '.join(one.banker)}"
        lines.append(f"{one.shoe};{one.number};{hands};{money}\n")
    return "\n".join(lines).replace("\n\n", "\n")


def test_columns_of_vigorish_and_payments(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(with_vigorish(ROUNDS), encoding="utf-8")
    assert passed_of(path) == len(ROUNDS) - 1
    agree(path, with_vigorish(ROUNDS, wrong=True).encode())


def paid_as(rounds: list[Round], way: str, *, apart: bool, chance: random.Random | None) -> str:
    """Write what Banker and Player were paid in a way of vendors; some rounds a cent off."""
    vigorish = ["vigorish:banker"] * apart
    lines = [",".join(["shoe,round,player,banker,stake:banker,paid:banker", *vigorish,
                       "stake:player,paid:player"])]  # fmt: skip
    for one in rounds:
        (stake, net), (other, won) = one.wagers["banker"], one.wagers["player"]
        due = -(-stake // 100) * 5 if net > 0 else 0
        wins = {
            "returned": stake + net + due * apart,
            "returned less": stake + net,
            "deducted": max(net, 0),
            "apart": max(net, 0) + due,
        }[way]
        player = other + won if "returned" in way else max(won, 0)
        if chance is not None:
            wins += chance.choice([0] * 9 + [1, -1, due, -due, stake])
        money = [stake, wins, *[due] * apart, other, player]
        cells = [one.shoe, one.number, " ".join(one.player), " ".join(one.banker)]
        lines.append(",".join(map(str, [*cells, *(cents / 100 for cents in money)])))
    return "\n".join([*lines, ""])


@pytest.mark.parametrize("apart", [False, True])
@pytest.mark.parametrize("way", ["returned", "returned less", "deducted", "apart"])
def test_each_way_of_writing_payments_is_taken_and_told_alike(
    tmp_path: Path, way: str, *, apart: bool
) -> None:
    money = {
        "returned": {"paid": "returned"},
        "returned less": {"paid": "returned", "vigorish": "deducted"},
    }.get(way, {"vigorish": way})
    mapping, path = mapping_of({"money": money}), tmp_path / "r.csv"
    path.write_text(paid_as(ROUNDS, way, apart=apart, chance=None), encoding="utf-8")
    assert passed_of(path, mapping) == len(ROUNDS) - 1
    wrong = paid_as(ROUNDS, way, apart=apart, chance=random.Random(3))
    found = agree(path, wrong.encode(), mapping)
    assert found[0]["by_kind"]["settlement"] > 3


def test_a_mapping_names_the_columns_and_the_winner(tmp_path: Path) -> None:
    text = TEXT.replace("player_total", "pt").replace(",banker,", ",2,").replace(",tie,", ",0,")
    mapping = mapping_of({
        "columns": {"player_total": "pt", "winner": "winner"},
        "values": {"winner": {"2": "banker", "0": "tie", "1": "player"}},
    })  # fmt: skip
    rest = "\n".join(text.splitlines()[1:]) + "\n"
    found = agree(tmp_path / "r.csv", (TEXT.splitlines()[0].replace("player_total", "pt") + "\n" + rest).encode(), mapping)  # fmt: skip
    assert found[0]["clean"], found[0]["divergences"][:2]


def test_what_needs_the_judge_is_not_taken(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(TEXT, encoding="utf-8")

    def is_taken(mapping: dict[str, Any]) -> bool:
        rounds = open_rounds(path, mapping_of(mapping), NJ.tableau)
        return isinstance(rounds, CsvRounds) and bool(compiled.takes(rounds, NJ))

    assert is_taken({})
    assert is_taken({"money": {"paid": "returned"}})
    assert not is_taken({"money": {"decimal": ","}})
    assert not is_taken({"cards": {"tens": "ten-valued"}})
    for column in (False, True):
        path.write_text(paid_as(ROUNDS, "returned", apart=column, chance=None), encoding="utf-8")
        assert is_taken({"money": {"paid": "returned", "vigorish": "apart"}}) is column
