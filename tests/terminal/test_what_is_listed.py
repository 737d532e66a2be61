"""What a terminal lists: each act apart from the others, each pay once, and what is hidden."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from typing import Any

import pytest

from croupier.cli.tables.sitting.lines import act_line, limits, narrated, table_lines
from croupier.cli.tables.sitting.served import served_table
from croupier.cli.tables.sitting.sitting import TerminalSitting, hint, read_field
from support.served import Served
from support.windows import ready

pytestmark = pytest.mark.under("us-nj/minibaccarat@2011-02-22")


@pytest.fixture(scope="module")
def house(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """Serve a table where two patrons may do the same."""
    with ready(tmp_path_factory.mktemp("listed")) as one:
        yield one


def test_acts_of_two_seats_are_told_apart_and_a_pay_is_said_once(house: Served) -> None:
    with served_table(house.place, house.token("dealer")) as door:
        sitting = TerminalSitting(door)
        lines = [act_line(one) for one in sitting.listed]
        assert len(lines) == len(set(lines))
        assert "Let a patron leave (seat 2)" in lines
        assert "Seat 1: place a wager [NJ-MINI:7.2(c)#1]" in lines, "a seat is named once"
        for line in limits(sitting.view.seen):
            pays = line.partition("; pays ")[2].split(", ")
            assert len(pays) == len(set(pays)), line


def test_chips_of_seats_end_in_one_column(house: Served) -> None:
    bought = {"type": "BuyChips", "seat": 2, "cents": 10_000_000}
    assert house.person("dealer").does("MB-101", bought).status_code == 200
    patron = house.token("patron", "Patron 1", seat=1, tables=("MB-101",))
    told = []
    for token in (house.token("dealer"), patron):
        with served_table(house.place, token) as door:
            view = TerminalSitting(door).view
            told.append([one for one in table_lines(view, 80) if re.match(r" \d ", one)])
    assert told[0] == [" 2 Patron 2 · $105,000", " 1 Patron 1 ·   $5,000"]
    # Chips that are not shown leave no blank column.
    assert [one.strip() for one in told[1]] == ["1 Patron 1 · $5,000", "2 Patron"]


def test_chips_that_are_not_shown_are_said_to_be_hidden(house: Served) -> None:
    fill = {"type": "RequestFill", "slip": 1, "chips": {"10000": 10}}
    assert house.person("floorperson").does("MB-101", fill).status_code == 200
    patron = house.token("patron", "Patron 1", seat=1, tables=("MB-101",))
    for token, told in ((house.token("dealer"), "ten $100 chips, $1,000"), (patron, "[not shown]")):
        with served_table(house.place, token) as door:
            sitting = TerminalSitting(door)
            ends = time.monotonic() + 15
            while not (new := sitting.refresh()):
                assert time.monotonic() < ends, "nothing is told"
                time.sleep(0.05)
            assert f"Fill 1 is requested: {told}" in narrated(new)


def test_a_slip_is_chosen_by_its_own_number_and_words_by_their_place() -> None:
    field: dict[str, Any] = {
        "kind": "choice", "label": "Slip", "default": None, "needed": True, "least": None, "most": None,
        "choices": [{"value": number, "label": f"Slip {number}"} for number in (2, 5)],
    }  # fmt: skip
    assert hint(field) == "choose Slip 2, Slip 5"
    assert [read_field(field, text) for text in ("2", "5", "slip 5")] == [2, 5, 5]
    with pytest.raises(ValueError, match="choose Slip 2"):
        read_field(field, "1")
    words = {**field, "choices": [{"value": "a", "label": "Ace"}, {"value": "k", "label": "King"}]}
    assert (hint(words), read_field(words, "2")) == ("choose 1 Ace, 2 King", "k")
