"""Rounds told on several rows, that compiled loops pass: the full judge finds them right, and no more."""

import random
from itertools import groupby, product
from pathlib import Path
from typing import Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from croupier.records.rounds.mapping import mapping_of
from croupier.records.rounds.reading import open_rounds
from support.external_rounds import House, Round, dollars, shoes
from support.judged_twice import CELLS, agree, by_bytes, judged, passed_of, some, swapped
from support.mutations import MUTATIONS
from support.volume import spread, volume

compiled = pytest.importorskip("croupier.verify.rounds.compiled")
part_kernel = pytest.importorskip("croupier.verify.rounds.part_kernel")

FIVE: Final = ("player", "banker", "tie", "bonus_player", "bonus_banker")
STAKES: Final = range(2_500, 25_000, 500)
RESULT: Final = "shoe,round,player,banker,winner,player_total,banker_total"
FORMS: Final = ("seats", "seats, cards once", "wagers", "wagers of seats", "wagers, cards once")


def rounds_of(number: int, seed: int = 5, most: int | None = 14) -> list[Round]:
    return list(shoes(House(FIVE), number, seed=seed, most=most, stakes=STAKES))


ROUNDS: Final = rounds_of(3)


def head(form: str) -> str:
    if form.startswith("seats"):
        money = ",".join(f"{part}:{wager}" for wager in FIVE for part in ("stake", "net"))
        return f"{RESULT},seat,{money}"
    return f"{RESULT},seat,wager,stake,net" if "seats" in form else f"{RESULT},wager,stake,net"


def rows_of(one: Round, form: str) -> list[str]:
    """Write the rows of a round: of two or three seats, or of its wagers."""
    result = [one.winner, str(one.player_total), str(one.banker_total)]
    told = [str(one.shoe), str(one.number), " ".join(one.player), " ".join(one.banker), *result]
    bare = [*told[:2], *[""] * 5]
    money = {wager: [dollars(cents) for cents in both] for wager, both in one.wagers.items()}
    parts: list[list[str]]
    if form.startswith("seats"):
        # A seat of its own has what another lacks; Dragon Bonus needs its hand's wager beside it.
        seats = {"1": FIVE, "4": FIVE[:2], str(5 + one.number % 3): ("banker", "bonus_banker")}
        parts = [
            [seat, *(cell for wager in FIVE
                     for cell in (money.get(wager, ["", ""]) if wager in has else ["", ""]))]
            for seat, has in seats.items()
        ]  # fmt: skip
    elif "seats" in form:
        parts = [[seat, wager, *both] for seat in ("2", "6") for wager, both in money.items()]
    else:
        parts = [[wager, *both] for wager, both in money.items()]
    once = "once" in form
    return [
        ",".join([*(bare if once and place else told), *cells]) for place, cells in enumerate(parts)
    ]


def lines_of(rounds: list[Round], form: str) -> list[str]:
    return [head(form), *(row for one in rounds for row in rows_of(one, form))]


def text_of(rounds: list[Round], form: str) -> str:
    return "".join(f"{line}\n" for line in lines_of(rounds, form))


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_right_round_is_passed_by_its_bytes(tmp_path: Path, form: str, end: str) -> None:
    path = tmp_path / "r.csv"
    path.write_text(text_of(ROUNDS, form).replace("\n", end), encoding="utf-8", newline="")
    # The last round may go on, and one with wagers that are new is told by the judge.
    assert passed_of(path) >= len(ROUNDS) - 3
    agree(path, path.read_bytes())


def test_the_loops_that_are_looked_for_are_those_that_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "r.csv"
    path.write_text(text_of(ROUNDS, "seats"), encoding="utf-8")
    assert judged(path, None, by_bytes)
    kernels = pytest.importorskip("croupier.odds.compiled")
    assert kernels.has_machine_code(*compiled.loops_of(open_rounds(path)))
    assert compiled.loops_of(open_rounds(path))[0] is part_kernel.read_parts


@pytest.mark.parametrize(
    ("name", "form"), spread(product(MUTATIONS, ["seats", "wagers of seats"]), 12)
)
def test_each_fault_is_told_as_the_full_judge_tells_it(
    tmp_path: Path, name: str, form: str
) -> None:
    kind, mutate = MUTATIONS[name]
    chance = random.Random(f"{name} {form}")
    dealt = [list(shoe) for _, shoe in groupby(rounds_of(2, 8, None), key=lambda one: one.shoe)]
    # Before the shoe that is spoiled comes one that is right.
    spoiled = [*dealt[0][: volume(100, 20)], *(mutate(dealt[1], chance) or dealt[1])]
    found = agree(tmp_path / "r", text_of(spoiled, form).replace("?", "").encode())
    assert found[0]["by_kind"][kind] >= 1


CHANGED: Final = [
    "",
    ",",
    "\n",
    "\r",
    '"',
    "0",
    "7",
    ".",
    "-",
    " ",
    "h",
    "é",
    "\x00",
    "A",
    "$",
    ";",
]


@pytest.mark.parametrize(("form", "cell"), [
    (form, cell) for form in FORMS for cell in ("player", "banker", "tie") if cell != "tie" or "wagers" in form
])  # fmt: skip
def test_a_cell_that_ends_in_nul_is_judged_alike(tmp_path: Path, form: str, cell: str) -> None:
    head, *lines = text_of(ROUNDS, form).splitlines(keepends=True)
    found = agree(
        tmp_path / "r.csv",
        (head + "".join(line.replace(f",{cell},", f",{cell}\x00,", 1) for line in lines)).encode(),
    )
    assert found[0]["by_kind"]["format"] >= 1


@pytest.mark.parametrize("form", FORMS)
def test_changed_bytes_are_judged_alike(tmp_path: Path, form: str) -> None:
    whole = text_of(ROUNDS, form)
    changes = st.lists(
        st.tuples(st.integers(0, len(whole)), st.integers(0, 6), st.sampled_from(CHANGED)),
        max_size=12,
    )

    @some
    @given(changes)
    def changed(changes: list[tuple[int, int, str]]) -> None:
        text = whole
        for at, gone, put in changes:
            text = text[:at] + put + text[at + gone :]
        agree(tmp_path / "r.csv", text.encode())

    changed()


def test_a_round_again_is_found_in_a_shoe_that_begins_without_a_number(tmp_path: Path) -> None:
    rows = [line.split(",") for line in lines_of(ROUNDS, "seats")]
    # Round 1 of shoe 2 has another name for its first seat, and round 9 is cut in two.
    first = next(at for at, row in enumerate(rows) if row[0] == "2")
    ninth = [at for at, row in enumerate(rows) if row[:2] == ["2", "9"]]
    rows[first][1], rows[ninth[1]][0] = "-1", "x"
    text = "".join(f"{','.join(row)}\n" for row in rows)
    verdict, _ = agree(tmp_path / "r.csv", text.encode())
    assert verdict["by_kind"] == {"procedure": 1}
    assert verdict["divergences"][0]["message"] == "round 9 is recorded a second time"
    # A blank cell is one below merged cells, and cuts nothing.
    verdict, _ = agree(tmp_path / "r.csv", text.replace("\nx,9,", "\n,9,").encode())
    assert verdict["by_kind"] == {}


@pytest.mark.parametrize("form", FORMS)
def test_changed_cells_are_judged_alike(tmp_path: Path, form: str) -> None:
    lines = lines_of(ROUNDS, form)
    cells = [*CELLS, "2", "3", "4", "player", "BANKER", "Bonus player", "bonus_banker", "fortune 6"]
    places = st.tuples(
        st.integers(1, len(lines) - 1), st.integers(0, lines[0].count(",")), st.sampled_from(cells)
    )

    @some
    @given(st.lists(places, max_size=20))
    def changed(changes: list[tuple[int, int, str]]) -> None:
        rows = [line.split(",") for line in lines]
        for row, column, cell in changes:
            rows[row][column] = cell
        agree(tmp_path / "r.csv", "".join(f"{','.join(row)}\n" for row in rows).encode())

    changed()


@pytest.mark.parametrize(("seed", "form"), spread(product(range(5), FORMS), 7))
def test_the_order_of_rows_is_judged_alike(tmp_path: Path, form: str, seed: int) -> None:
    rows = swapped(lines_of(ROUNDS, form), random.Random(f"{form} {seed}"))
    assert agree(tmp_path / "r.csv", "\n".join(rows).encode())[0]["rounds"]


BETWEEN: Final = ["", "x", "1,2", "1,03,9h Kd,8h Kd", ",,,,", "total"]


@pytest.mark.parametrize(("between", "form"), spread(product(BETWEEN, FORMS), 8))
def test_a_line_within_a_round_is_judged_alike(tmp_path: Path, form: str, between: str) -> None:
    lines = lines_of(ROUNDS, form)
    for at in (2, 7, 11, 30, len(lines) - 1):
        lines.insert(at, between)
    agree(tmp_path / "r.csv", "\n".join([*lines, ""]).encode())


DROPPED: Final = ["shoe", "round", "winner", "banker", "seat", "wager", "stake"]


@pytest.mark.parametrize(
    ("dropped", "form"), spread(product(DROPPED, ["seats", "wagers of seats"]), 6)
)
def test_files_without_a_column_are_judged_alike(tmp_path: Path, form: str, dropped: str) -> None:
    rows = [line.split(",") for line in lines_of(ROUNDS, form)]
    kept = [at for at, name in enumerate(rows[0]) if name != dropped]
    agree(
        tmp_path / "r.csv",
        "".join(",".join(row[at] for at in kept) + "\n" for row in rows).encode(),
    )


def test_wagers_in_the_writers_words_are_passed(tmp_path: Path) -> None:
    words = {"player": "Punto", "banker": "Banco bet", "tie": "Égalité"}
    mapping = mapping_of({"values": {"wager": {word: wager for wager, word in words.items()}}})
    rounds = [
        Round(one.shoe, one.number, one.player, one.banker, one.winner, one.player_total,
              one.banker_total, {words[name]: one.wagers[name] for name in ("player", "banker")})
        for one in ROUNDS
    ]  # fmt: skip
    path = tmp_path / "r.csv"
    path.write_text(text_of(rounds, "wagers"), encoding="utf-8")
    assert passed_of(path, mapping) >= len(ROUNDS) - 3
    agree(path, text_of(rounds, "wagers").encode(), mapping)


def test_a_wager_without_the_one_that_it_needs_is_told_alike(tmp_path: Path) -> None:
    # The seat beside it has what Dragon Bonus needs: that does not help.
    lines = lines_of(ROUNDS, "wagers of seats")
    kept = [line for line in lines if ",6,player," not in line and ",6,banker," not in line]
    found = agree(tmp_path / "r.csv", "\n".join([*kept, ""]).encode())
    # Neither of its two bonus wagers may lie there without Player or Banker.
    assert found[0]["by_kind"]["offer"] == 2 * len(ROUNDS)
