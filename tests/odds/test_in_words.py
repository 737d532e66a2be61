"""A table in words: the sentences are those of a hand that read the printed tables."""

from pathlib import Path
from typing import Final

import pytest
from msgspec.structs import replace

from croupier.baccarat.coup import NO_THIRD_CARD
from croupier.law.interpretations import interpretations
from croupier.odds.custom_wagers import read_wager
from croupier.odds.in_words import (
    cited_by,
    definition,
    drawing_rules,
    readings_in_words,
    say_drawing,
)
from croupier.odds.par import par_sheet
from croupier.odds.shoe import ShoeComposition
from croupier.rules import read_rules
from support.project import ROOT, SUBMISSIONS

# As the tables of 19:47-7.9 are printed: Player draws on 0 to 5; Banker by row.
PRINTED: Final = [
    "A natural, 8 or 9 with two cards, ends the round for both hands.",
    "Player's Hand draws on 0 to 5.",
    "Player's Hand stays on 6 or 7.",
    "Banker's Hand on 0 to 2 draws.",
    "Banker's Hand on 3 draws if Player's third card counts 0 to 7 or 9, or if there is none.",
    "Banker's Hand on 4 draws if Player's third card counts 2 to 7, or if there is none.",
    "Banker's Hand on 5 draws if Player's third card counts 4 to 7, or if there is none.",
    "Banker's Hand on 6 draws if Player's third card counts 6 or 7.",
    "Banker's Hand on 7 stays.",
]


def test_the_drawing_table_in_words_is_the_printed_one() -> None:
    rules = read_rules(ROOT / "submissions" / "nj-minibaccarat.toml")
    assert say_drawing(rules.tableau) == PRINTED


def test_a_table_read_literally_says_so() -> None:
    rules = read_rules(ROOT / "submissions" / "ny-mini-literal-row.toml")
    assert say_drawing(rules.tableau) != PRINTED


@pytest.mark.parametrize("path", SUBMISSIONS, ids=lambda path: path.stem)
def test_the_rows_of_a_sheet_are_those_by_which_the_table_deals(path: Path) -> None:
    rules = read_rules(path)
    drawing = drawing_rules(rules)
    for player in range(8):
        assert (drawing["player_draws"][player] == "D") is rules.tableau.player_draws_third(
            player, 0
        )
        for banker in range(8):
            for column, third in enumerate((NO_THIRD_CARD, *range(10))):
                draws = rules.tableau.banker_draws_third(player, banker, third)
                assert (drawing["banker_draws"][banker][column] == "D") is draws


def test_a_custom_wager_says_what_makes_its_lines(tmp_path: Path) -> None:
    own = tmp_path / "own.toml"
    own.write_text(
        "[wager]\nid = 'own'\ntitle = 'Own'\n"
        "[[line]]\nname = 'three_cards'\npays = '20:1'\n"
        "when = { winner = 'banker', banker_count = [6, 7], any = [{ cards = 5 },"
        " { player_cards = 2, not = { natural = true } }] }\n",
        encoding="utf-8",
    )
    assert definition(read_wager(own)) == [
        (
            "three cards: winner = banker and banker count = 6 or 7 and (cards = 5 or"
            " (player cards = 2 and not (natural = true)))"
        ),
        "otherwise it loses",
    ]


def test_every_clause_and_reading_of_a_sheet_is_in_words() -> None:
    rules = read_rules(ROOT / "submissions" / "ny-mini.toml")
    sheet = par_sheet(rules, ShoeComposition.of_decks(8))
    assert sheet["drawing"] is not None
    for clause in cited_by(sheet["drawing"], *sheet["wagers"], *sheet["packages"]):
        assert sheet["clauses"][clause].strip()
    assert sheet["reading_texts"].keys() == sheet["readings"].keys()


def test_a_reading_that_was_elected_says_what_it_says() -> None:
    rules = read_rules(ROOT / "submissions/nj-minibaccarat.toml")
    entry = interpretations()["T03"]
    for name, says in entry.readings.items():
        elected = replace(rules, readings={entry.id: name})
        assert readings_in_words(elected) == {entry.id: f"{entry.title}: {says}"}
