"""A spreadsheet calculates the parts of a sheet that are asked for, from cells that can be changed."""

from fractions import Fraction
from io import BytesIO
from pathlib import Path
from statistics import NormalDist
from zipfile import ZipFile

import pytest

from croupier.reports.formats import written
from croupier.reports.par import par_tree
from support.par import exact, sheet_of, table
from support.spreadsheet import calculated, spoiled


def test_libreoffice_calculates_tickets_and_bands_to_the_exact_values(tmp_path: Path) -> None:
    sheet = sheet_of(
        "--submission", table("nj-minibaccarat").path, "--rounds", "1e3", "--confidence", "95",
        "--ticket", "player=100,tie=10,bonus_player=25", "--ticket", "banker=50,four_cards=50",
    )  # fmt: skip
    # Every stored value is wrong, so whatever comes out right has been calculated.
    book = spoiled(written(par_tree(sheet), "xlsx"))
    cells = calculated({"parts": book}, tmp_path)["parts"]
    assert cells["Check"][0][0].startswith("All ")
    rows = cells["Tickets"][1:]
    for ticket, row in zip(sheet["tickets"], rows, strict=True):
        assert row[0] == ticket["title"]
        dollars = [
            Fraction(ticket["staked_cents"], 100),
            exact(ticket["mean_cents"]) / 100,
            exact(ticket["house_edge"]),
            Fraction(ticket["standard_deviation_cents"]) / 100,
            exact(ticket["hit_frequency"]),
            exact(ticket["push_frequency"]),
            Fraction(ticket["min_net_cents"], 100),
            Fraction(ticket["max_net_cents"], 100),
        ]
        assert list(map(float, row[1:9])) == pytest.approx(list(map(float, dollars)), rel=1e-12)
    for wager, row in zip(sheet["bands"], cells["Bands"][1:], strict=True):
        (one,) = wager["bands"]
        deviation = next(
            each["standard_deviation"] for each in sheet["wagers"] if each["id"] == wager["wager"]
        )
        reach = NormalDist().inv_cdf(0.975) * deviation / 1000**0.5
        mean = float(exact(wager["return_to_player"]))
        assert row[3:5] == pytest.approx([mean, deviation], rel=1e-9)
        assert row[5:7] == pytest.approx([mean - reach, mean + reach], rel=1e-9)
        assert row[7:9] == pytest.approx(
            [float(exact(one[k])) for k in ("exact_low", "exact_high")]
        )


def test_bands_are_calculated_from_the_lines() -> None:
    sheet = sheet_of(
        "--submission", table("nj-minibaccarat").path, "--rounds", "1e3", "--confidence", "95",
        "--wager", "banker", "--wager", "tie",
    )  # fmt: skip
    with ZipFile(BytesIO(written(par_tree(sheet), "xlsx"))) as book:
        texts = [book.read(name).decode() for name in book.namelist() if "worksheets" in name]
    (bands,) = (text for text in texts if "NORMSINV" in text)
    assert bands.count("<f>1+Lines!") == 2
    assert bands.count("<f>SQRT(SUMPRODUCT(Lines!") == 2
