"""On paper no figure is parted from the heading of its wager, on A4 and on Letter."""

import re
from fractions import Fraction
from pathlib import Path
from typing import Final

import pytest

from croupier.odds.custom_wagers import read_wager
from croupier.odds.par import par_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.reports.figures import grouped, percent
from croupier.reports.formats import written
from croupier.reports.par import par_tree
from croupier.rules import read_rules
from support.printed import pages_of
from support.project import ROOT

SAMPLES: Final = ("nj-minibaccarat", "ma-royal-9", "ma-house-money", "ny-mini-six-pays-half")


@pytest.mark.parametrize("paper", ["a4", "letter"])
@pytest.mark.parametrize("name", SAMPLES)
def test_each_wager_is_on_one_page_with_its_heading(name: str, paper: str, tmp_path: Path) -> None:
    rules = read_rules(ROOT / "submissions" / f"{name}.toml")
    sheet = par_sheet(rules, ShoeComposition.of_decks(rules.decks_per_shoe))
    pages = pages_of(written(par_tree(sheet), "pdf", paper), tmp_path)
    for wager in sheet["wagers"]:
        of_wager = [
            page
            for page in pages
            if wager["title"] in (line.strip() for line in page.splitlines())
            and re.search(rf"House edge\s+{percent(Fraction(wager['house_edge']))}", page)
        ]
        assert len(of_wager) == 1, wager["id"]
        for line in wager["lines"]:
            assert grouped(str(line["ways"])) in of_wager[0]
        assert f"{wager['volatility_index']:.6f}" in of_wager[0]
    third = next(page for page in pages if "Third-card rules" in page)
    assert "Banker's Hand on 7 stays." in third.replace("’", "'")
    annex = next(at for at, page in enumerate(pages) if "Annex: exact fractions" in page)
    assert "Signature" in pages[annex - 1] + pages[annex]


def test_a_wager_too_long_for_a_page_is_whole_on_several(tmp_path: Path) -> None:
    lines = "".join(
        f"[[line]]\nname = 'line_{count}_{third}'\npays = '{count + 2}:1'\n"
        f"when = {{ player_count = {count}, banker_first_value = {third} }}\n"
        for count in range(10)
        for third in range(9)
    )
    own = tmp_path / "long.toml"
    own.write_text(f"[wager]\nid = 'long'\ntitle = 'Long'\n{lines}", encoding="utf-8")
    rules = read_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    rules = rules.with_offers(read_wager(own, rules))
    sheet = par_sheet(rules, ShoeComposition.of_decks(8))
    text = "".join(pages_of(written(par_tree(sheet), "pdf"), tmp_path))
    for line in sheet["wagers"][-1]["lines"]:
        assert line["outcome"].replace("_", " ") in text
        assert grouped(str(line["ways"])) in text
