"""Every figure of a PAR sheet is that of an oracle that counts every coup by rules of its own."""

import random
from fractions import Fraction
from math import perm
from pathlib import Path
from typing import Final

import pytest
from jsonschema_rs import Draft202012Validator

from croupier.cli.common.schema import SCHEMAS
from support.oracles.odds import (
    AWARDS,
    LADDER,
    LOSES,
    Shoe,
    Terms,
    Weighed,
    by_rank,
    fresh,
    house_money,
    result,
    royal_9,
    vigorish_cents,
    weighed,
)
from support.par import (
    DEALT,
    Data,
    Table,
    called,
    census,
    depleted,
    exact,
    hold,
    sheet_of,
    table,
    told,
    wagers_of,
)
from support.project import ROOT
from support.texts import DAYS, dated
from support.volume import spread, volume

LAW: Final = dated("us-nj/minibaccarat")
SCHEMA: Final = Draft202012Validator(SCHEMAS["par"]())
CONTRACT: Final = {"law", "rules_hash", "shoe", "total_ways", "wagers"}
OF_WAGER: Final = {
    "id", "title", "scheme", "lines", "house_edge", "house_edge_percent", "hit_frequency",
    "variance", "cites", "interpretations",
}  # fmt: skip


# --- the oracle --------------------------------------------------------------------------------


def test_the_oracle_counts_what_was_counted_elsewhere() -> None:
    # Published for eight decks.
    counted = census(fresh(8))
    wins = [sum(ways for coup, ways in counted.items() if (coup.margin > 0) - (coup.margin < 0) == who) for who in (-1, 1, 0)]  # fmt: skip
    assert wins == [2_292_252_566_437_888, 2_230_518_282_592_256, 475_627_426_473_216]


def test_the_oracle_meets_hands_counted_one_by_one() -> None:
    # Six cards: four eights and two aces. Every order of them is dealt by hand.
    counted = census({"8": 4, "A": 2})
    assert sum(counted.values()) == perm(6, 6)
    # Both hands two eights: 4! orders of the eights, then the aces. Six and six: both stand.
    ties = {coup: ways for coup, ways in counted.items() if coup.player_pair and coup.banker_pair}
    assert {(coup.player, coup.banker, coup.cards): ways for coup, ways in ties.items()} == {
        (6, 6, 4): 24 * 2,
        # Two eights against two aces: six stands, and two draws an eight, for a count of nought.
        (6, 0, 5): 12 * 2 * 2,
        # Two aces against two eights: Player draws an eight, and six stands on an eight.
        (0, 6, 5): 12 * 2 * 2,
    }


# --- the contract ------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEALT)
def test_a_sheet_has_what_its_contract_promises(name: str) -> None:
    sheet = sheet_of("--submission", table(name).path)
    assert set(sheet) >= CONTRACT
    assert set(sheet["shoe"]) == {"cards", "by_rank"}
    for wager in sheet["wagers"]:
        assert set(wager) >= OF_WAGER
        # Only a Banker wager bears vigorish.
        bears = wager["id"] == "banker"
        assert wager["scheme"] == (table(name).terms.scheme if bears else None)
        for line in wager["lines"]:
            assert set(line) == {
                *("outcome", "ways", "probability", "pays", "contribution"),
                *("cycle", "variance_share"),
            }
    SCHEMA.validate(sheet)


@pytest.mark.parametrize("name", DEALT)
def test_the_lines_of_every_wager_add_up(name: str) -> None:
    sheet = sheet_of("--submission", table(name).path)
    for wager in sheet["wagers"]:
        assert sum(int(line["ways"]) for line in wager["lines"]) == int(sheet["total_ways"])
        assert sum(exact(line["probability"]) for line in wager["lines"]) == 1
        comes_to = sum(exact(line["contribution"]) for line in wager["lines"])
        assert comes_to == -exact(wager["house_edge"])


@pytest.mark.parametrize("name", DEALT)
def test_a_sheet_names_its_law_and_shoe_and_each_wager_its_clauses(name: str) -> None:
    sample = table(name)
    sheet = sheet_of("--submission", sample.path)
    assert sheet["law"] == sample.data["submission"]["law"]
    assert sheet["shoe"] == {"cards": 52 * sample.decks, "by_rank": by_rank(fresh(sample.decks))}
    assert sheet["total_ways"] == str(perm(52 * sample.decks, 6))
    assert len(sheet["rules_hash"]) == len(sheet["law_hash"]) == 64
    for wager in sheet["wagers"]:
        assert wager["cites"]
        assert set(wager["interpretations"]) <= set(sheet["readings"])


# --- every figure, for every table and any shoe ------------------------------------------------


def of_royal(sample: Table, shoe: Shoe) -> Weighed:
    """Royal 9 at the first chair, by the oracle, with the meters at their seeds."""
    royal = sample.elections["wagers"]["royal_9"]
    stake, counted = 5, royal_9(shoe, royal["chairs"][0], royal["chairs"][1:])
    cards = sum(shoe.values())
    kept = 1 if royal["award_is"] == "for-one" else 0
    lines = {}
    for outcome, ways in counted.items():
        net = LOSES
        if outcome != "lose":
            seed = royal["meters"].get(outcome, {}).get("seed")
            award = Fraction(AWARDS[outcome] if seed is None else seed)
            net = award / stake - kept
        # The fifth card and the sixth may be any.
        lines[outcome, net] = ways * perm(cards - 4, 2)
    return Weighed(lines)


def hold_all(sample: Table, sheet: Data, shoe: Shoe) -> None:
    counted = census(shoe, literal=sample.terms.literal)
    for wager in sheet["wagers"]:
        if wager["id"] == "royal_9":
            hold(wager, of_royal(sample, shoe))
        else:
            hold(wager, weighed(wager["id"], counted, sample.terms))


@pytest.mark.parametrize("name", DEALT)
def test_every_figure_of_a_submission_is_the_oracles(name: str) -> None:
    sample = table(name)
    hold_all(sample, sheet_of("--submission", sample.path), fresh(sample.decks))


@pytest.mark.parametrize("name", ["ma-house-money", "nj-minibaccarat", "ny-mini-literal-row"])
@pytest.mark.parametrize("decks", [6, 8])
def test_every_figure_for_other_decks_is_the_oracles(name: str, decks: int) -> None:
    sample = table(name)
    hold_all(sample, sheet_of("--submission", sample.path, "--decks", decks), fresh(decks))


@pytest.mark.parametrize("seed", spread(range(volume(10, 10, most=24)), 5))
def test_every_figure_for_a_depleted_shoe_is_the_oracles(seed: int) -> None:
    shoe = depleted(seed)
    for name in random.Random(seed).sample(DEALT, 4):
        sample = table(name)
        sheet = sheet_of("--submission", sample.path, "--shoe", told(shoe))
        assert sheet["shoe"] == {"cards": sum(shoe.values()), "by_rank": by_rank(shoe)}
        SCHEMA.validate(sheet)
        hold_all(sample, sheet, shoe)


@pytest.mark.parametrize("seed", spread(range(24, 30), 3))
def test_a_shoe_told_by_rank_is_weighed_as_the_same_shoe_by_card(seed: int) -> None:
    shoe = depleted(seed)
    sample = table("nj-punto-banco")
    ranked = sheet_of("--submission", sample.path, "--shoe", told(by_rank(shoe)))
    assert ranked["wagers"] == sheet_of("--submission", sample.path, "--shoe", told(shoe))["wagers"]
    hold_all(sample, ranked, shoe)


@pytest.mark.parametrize("law", sorted(DAYS.keys() - {"us-nj/blackjack-wagers"}))
@pytest.mark.parametrize("decks", [6, 8])
def test_a_law_with_plain_elections_has_player_banker_and_tie(law: str, decks: int) -> None:
    sheet = sheet_of("--law", dated(law), "--decks", decks)
    wagers = wagers_of(sheet)
    assert list(wagers) == ["player", "banker", "tie"]
    assert sheet["scheme"] == "5%"
    for wager in wagers.values():
        hold(wager, weighed(wager["id"], census(fresh(decks)), Terms()))
    SCHEMA.validate(sheet)


def test_edges_other_than_of_fresh_decks_move() -> None:
    # Without the aces to nines of one deck the wagers are others: the shoe is really taken.
    some = {rank: 32 - 4 * (rank in "A23456789") for rank in "A23456789TJQK"}
    fresh_edges = wagers_of(sheet_of("--law", LAW))
    for name, wager in wagers_of(sheet_of("--law", LAW, "--shoe", told(some))).items():
        assert wager["house_edge"] != fresh_edges[name]["house_edge"]


# --- vigorish ----------------------------------------------------------------------------------

# By scheme the edge of Banker with eight decks, in percent to four places, and what a win pays.
SCHEMES: Final = [
    ("nj-minibaccarat", "1.0579", "19:20"),
    ("nj-minibaccarat-total-cards", "0.5993", "24:25"),
    ("nj-minibaccarat-continuous", "1.0579", "19:20"),
    ("nj-minibaccarat-six-pays-half", "1.4581", "1:1"),
    ("nj-minibaccarat-dragon-7", "1.0183", "1:1"),
    ("ma-ez", "1.0183", "1:1"),
]


@pytest.mark.parametrize(("name", "edge", "pays"), SCHEMES)
def test_a_scheme_gives_banker_its_published_edge(name: str, edge: str, pays: str) -> None:
    wager = wagers_of(sheet_of("--submission", table(name).path))["banker"]
    assert f"{wager['house_edge_percent']:.4f}" == edge
    assert wager["lines"][0]["outcome"] == "win"
    assert wager["lines"][0]["pays"] == pays


def test_a_quarter_on_ties_is_a_quarter_of_how_often_they_come() -> None:
    wager = wagers_of(sheet_of("--submission", table("nj-minibaccarat-tie-vigorish").path))[
        "banker"
    ]
    counted = census(fresh(8))
    total = sum(counted.values())
    ties = sum(ways for coup, ways in counted.items() if coup.margin == 0)
    wins = sum(ways for coup, ways in counted.items() if coup.margin < 0)
    assert exact(wager["house_edge"]) == Fraction(total - ties - 2 * wins, total) + Fraction(ties, 4 * total)  # fmt: skip
    (push,) = (line for line in wager["lines"] if line["outcome"] == "push")
    assert push["pays"] == "takes 1/4"


# By submission the rate in percent, and to what it is rounded upward in cents.
ROUNDED: Final = {
    "nj-minibaccarat": (5, 5),
    "nj-minibaccarat-total-cards": (4, 5),
    "nj-punto-banco": (5, 25),
    "nj-punto-banco-4-percent": (4, 20),
    "nj-punto-banco-total-cards-5-percent": (5, 25),
    "ma": (5, 25),
    "ny-mini": (5, 5),
}


@pytest.mark.parametrize("name", ROUNDED)
def test_rounding_of_vigorish_takes_what_it_takes_at_each_stake(name: str) -> None:
    percent, unit = ROUNDED[name]
    sample = table(name)
    wager = wagers_of(sheet_of("--submission", sample.path))["banker"]
    counted = census(fresh(sample.decks))
    total = sum(counted.values())
    wins = Fraction(sum(ways for coup, ways in counted.items() if coup.margin < 0), total)
    loses = Fraction(sum(ways for coup, ways in counted.items() if coup.margin > 0), total)
    assert wager["rounding"]
    for shown in wager["rounding"]:
        stake = shown["stake_cents"]
        taken = vigorish_cents(stake, Fraction(percent, 100), unit)
        assert shown["vigorish_cents"] == taken
        edge = loses - wins * (1 - Fraction(taken, stake))
        assert exact(shown["house_edge"]) == edge
        assert shown["house_edge_percent"] == float(edge * 100)
        assert shown["above_exact_percent"] == float((edge - exact(wager["house_edge"])) * 100)
        assert wager["min_cents"] <= stake <= wager["max_cents"]
    assert any(shown["above_exact_percent"] > 0 for shown in wager["rounding"]) or unit == 5


@pytest.mark.parametrize("name", ["nj-minibaccarat-4-percent", "ma-shuffler", "ma-ez"])
def test_nothing_is_told_of_rounding_where_vigorish_is_exact_or_none(name: str) -> None:
    sheet = sheet_of("--submission", table(name).path)
    assert [wager["id"] for wager in sheet["wagers"] if wager["rounding"]] == []


def test_rounding_is_told_for_the_stakes_that_are_asked_for() -> None:
    # 4 percent of 26 dollars is 1.04, rounded upward 1.05.
    path = table("nj-minibaccarat-total-cards").path
    sheet = sheet_of("--submission", path, "--stake", "26", "--stake", "125.50")
    shown = wagers_of(sheet)["banker"]["rounding"]
    assert [(one["stake_cents"], one["vigorish_cents"]) for one in shown] == [(2600, 105), (12550, 505)]  # fmt: skip


# --- limits ------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", DEALT)
def test_the_exposure_is_the_best_line_at_the_highest_wager(name: str) -> None:
    sample = table(name)
    for wager in sheet_of("--submission", sample.path)["wagers"]:
        if wager["id"] == "royal_9":
            assert (wager["min_cents"], wager["max_cents"]) == (500, 500)
            # A meter has no bound, so nothing is the most that a wager can win.
            assert wager["max_win_cents"] is None
            assert wager["max_win_meters"] == ["star", "spade", "heart"]
            continue
        limits = [wager["min_cents"], wager["max_cents"]]
        assert limits == sample.limits_cents(wager["id"])
        best = max(net for _, net in weighed(wager["id"], census(fresh(sample.decks), literal=sample.terms.literal), sample.terms).lines)  # fmt: skip
        assert wager["max_win_cents"] == best * wager["max_cents"]


def test_a_plain_law_has_no_limits_and_no_exposure() -> None:
    for wager in sheet_of("--law", LAW)["wagers"]:
        assert wager["min_cents"] is wager["max_cents"] is None
        assert wager["max_win_cents"] is None


# --- packages ----------------------------------------------------------------------------------


Figures = dict[str, dict[str, Fraction | None]]


def figures_of(found: Data) -> Figures:
    """The figures of a package by row and column, each of which must be exact."""
    return {
        row["id"]: {
            name: None if value is None else exact(value) for name, value in row["figures"].items()
        }
        for row in found["rows"]
    }


def package(sheet: Data, name: str) -> Data:
    (found,) = (one for one in sheet["packages"] if one["id"] == name)
    assert found["cites"]
    named = {column["id"] for column in found["columns"]}
    for row in found["rows"]:
        assert set(row["figures"]) <= named
    return dict(found)


@pytest.mark.parametrize(
    "name",
    [
        "nj-minibaccarat-total-cards",
        "nj-minibaccarat-continuous",
        "nj-punto-banco-total-cards",
        "nj-punto-banco-total-cards-5-percent",
    ],
)
def test_the_waiver_frees_banker_beside_each_total_cards_wager(name: str) -> None:
    sample = table(name)
    counted = census(fresh(sample.decks))
    free = -weighed("banker", counted, Terms(scheme="none")).mean()
    bare = -weighed("banker", counted, sample.terms).mean()
    wanted: Figures = {"none": {"banker_edge": bare, "package_edge": bare}}
    for wager in ("four_cards", "five_cards", "six_cards"):
        companion = -weighed(wager, counted, sample.terms).mean()
        wanted[wager] = {
            "banker_edge": free,
            "companion_edge": companion,
            "package_edge": (free + companion) / 2,
        }
    found = package(sheet_of("--submission", sample.path), "total_cards_waiver")
    assert figures_of(found) == wanted


def test_no_waiver_is_weighed_where_none_is_elected() -> None:
    assert sheet_of("--submission", table("nj-minibaccarat").path)["packages"] == []


@pytest.mark.parametrize("name", ["ma-house-money", "ma-house-money-half"])
@pytest.mark.parametrize("shoe", [fresh(8), depleted(5), depleted(8)], ids=["fresh", "5", "8"])
def test_house_money_is_worth_what_an_enumeration_by_rank_says(name: str, shoe: Shoe) -> None:
    sample = table(name)
    portion = Fraction(int(sample.elections["wagers"]["house_money"]["portion"][:-1]), 100)
    sheet = sheet_of("--submission", sample.path, "--shoe", told(shoe))
    beside = {base: house_money(shoe, base, sample.terms, portion) for base in ("player", "banker")}
    assert beside["player"].take == exact(wagers_of(sheet)["house_money"]["house_edge"])
    assert figures_of(package(sheet, "house_money")) == {
        "take": {base: one.take for base, one in beside.items()},
        "add": {base: one.always for base, one in beside.items()},
        "by_counts": {base: one.by_counts for base, one in beside.items()},
        "table": {base: one.best for base, one in beside.items()},
    }
    wanted: Figures = {}
    names = "TA23456789"
    for player, banker in sorted(beside["player"].brings):
        cell = {base: one.brings[player, banker] for base, one in beside.items()}
        units = {f"{base}_by_units": one.by_units[player, banker] for base, one in beside.items()}
        wanted[f"{player}-{banker}"] = {**cell, **units}
        for own, other in sorted(beside["player"].starts):
            start = {base: one.starts[own, other] for base, one in beside.items()}
            of_cell = (sum(own) % 10, sum(other) % 10) == (player, banker)
            if of_cell and any((start[base] > 0) != (cell[base] > 0) for base in beside):
                cards = "-".join(",".join(names[value] for value in hand) for hand in (own, other))
                units = {f"{base}_by_units": one for base, one in start.items()}
                wanted[f"{player}-{banker}:{cards}"] = {**start, **units}
    assert figures_of(package(sheet, "house_money_table")) == wanted


def test_a_start_that_is_an_exception_to_its_counts_is_told_apart() -> None:
    # With six decks a unit added to Player from A,3 against 2,2 loses, though from four against
    # four it gains in the mean; whoever goes by the counts alone so earns less.
    found = house_money(fresh(6), "player", Terms(), Fraction(1))
    assert found.brings[4, 4] > 0 > found.starts[(1, 3), (2, 2)]
    sheet = sheet_of("--submission", table("ma-house-money").path, "--decks", 6)
    assert {"4-4:A,3-2,2", "4-4:2,2-A,3"} <= set(figures_of(package(sheet, "house_money_table")))
    edges = figures_of(package(sheet, "house_money"))
    assert edges["by_counts"]["player"] == found.by_counts > found.best
    assert edges["table"]["player"] == found.best


def test_to_choose_is_never_worse_than_to_take_or_to_add() -> None:
    found = house_money(fresh(8), "banker", Terms(), Fraction(1))
    assert found.best <= min(found.take, found.always)


@pytest.mark.parametrize("name", ["ma-royal-9", "ma-royal-9-to-one"])
@pytest.mark.parametrize("shoe", [None, depleted(3)], ids=["fresh", "depleted"])
def test_the_meters_of_royal_9_break_even_where_the_oracle_says(name: str, shoe: Shoe | None) -> None:  # fmt: skip
    sample = table(name)
    shoe = fresh(sample.decks) if shoe is None else shoe
    royal = sample.elections["wagers"]["royal_9"]
    sheet = sheet_of("--submission", sample.path, "--shoe", told(shoe))
    found = package(sheet, "royal_9_meters")
    counted = of_royal(sample, shoe)
    edge = -counted.mean()
    assert ("paid for one" in found["says"]) == (royal["award_is"] == "for-one")
    wanted: Figures = {}
    fixed = edge
    for meter in ("star", "spade", "heart"):
        chance = counted.chance(meter)
        seed = Fraction(royal["meters"][meter]["seed"])
        if not chance:
            never = {"chance": chance, "seed": seed * 100, "edge_per_1000_dollars": chance}
            wanted[meter] = {**never, "break_even": None, "break_even_at_means": None}
            continue
        fixed += chance * seed / 5
        wanted[meter] = {
            "chance": chance,
            "seed": seed * 100,
            "edge_per_1000_dollars": chance * 1000 / 5,
            # A dollar more on the meter is worth its chance over the five dollars staked.
            "break_even": (seed + edge * 5 / chance) * 100,
            # A meter has grown in the mean by its share of the wagers since its last hit.
            "break_even_at_means": (seed + (edge - sum(
                Fraction(royal["meters"][other]["increment"].rstrip("%")) / 100
                * (1 - counted.chance(other))
                for other in ("star", "spade", "heart")
                if other != meter and counted.chance(other)
            )) * 5 / chance) * 100,
        }  # fmt: skip
    wanted |= {"seeds": {"edge": edge}, "fixed": {"edge": fixed}}
    assert figures_of(found) == wanted


def test_royal_9_pays_for_one_what_is_all_that_comes_back() -> None:
    # Twenty-five dollars for five are 4:1 where the stake stays, 5:1 where it goes back.
    for name, pays in (("ma-royal-9", "4:1"), ("ma-royal-9-to-one", "5:1")):
        wager = wagers_of(sheet_of("--submission", table(name).path))["royal_9"]
        (line,) = (line for line in wager["lines"] if line["outcome"] == "royal")
        assert line["pays"] == pays
        assert [one["outcome"] for one in wager["lines"]] == [*LADDER, "lose"]


# --- the damaged row ---------------------------------------------------------------------------


def test_the_damaged_row_by_the_letter_gives_the_bettor_of_player_six_percent() -> None:
    path = table("ny-mini-literal-row").path
    wager = wagers_of(sheet_of("--submission", path))["player"]
    assert f"{wager['house_edge_percent']:.2f}" == "-6.72"
    result_of = called("par", "--submission", path, "--wager", "player")
    assert result_of.exit_code == 0
    assert "WARNING T41" in result_of.stdout


def test_the_damaged_row_is_read_whole_unless_it_is_elected() -> None:
    plain = wagers_of(sheet_of("--law", "us-ny/mini-midi-baccarat@2021-06-02"))["player"]
    assert f"{plain['house_edge_percent']:.4f}" == "1.2351"


# --- what else may go wrong --------------------------------------------------------------------


def test_odds_that_no_round_sum_is_paid_at_are_weighed_exactly(tmp_path: Path) -> None:
    # Twenty-five to three on the tie, as the law lets a licensee elect.
    text = table("nj-minibaccarat").path.read_text(encoding="utf-8")
    path = tmp_path / "thirds.toml"
    path.write_text(
        text.replace('wagers.tie.pays = "8:1"', 'wagers.tie.pays = "25:3"').replace(
            "tie = [5, 500]", "tie = [6, 501]"
        ),
        encoding="utf-8",
    )
    wager = wagers_of(sheet_of("--submission", path))["tie"]
    hold(wager, weighed("tie", census(fresh(8)), Terms(tie=Fraction(25, 3))))


def test_a_sheet_tells_how_to_make_it_again() -> None:
    path = ROOT / "submissions" / "ma.toml"
    sheet = sheet_of("--submission", path)
    # Called from Python there are no words of a command line; in a shell they follow.
    assert sheet["reproduce"].split()[0] == "croupier"


def test_a_wager_that_cannot_win_is_weighed_too() -> None:
    # Of tens and aces alone no hand counts four and nobody is ahead by four.
    shoe = {"K": 10, "A": 10}
    sheet = sheet_of("--submission", table("nj-minibaccarat").path, "--shoe", told(shoe))
    for wager in sheet["wagers"]:
        hold(wager, weighed(wager["id"], census(shoe), Terms()))
    assert exact(wagers_of(sheet)["bonus_player"]["house_edge"]) == 1


def test_every_coup_is_decided_by_the_oracle() -> None:
    with pytest.raises(KeyError):
        result("no wager", next(iter(census(fresh(1)))), Terms())


def test_the_edge_of_resolved_bets_says_by_what_it_divides() -> None:
    sample = table("nj-minibaccarat-tie-vigorish")
    wager = wagers_of(sheet_of("--submission", sample.path))["banker"]
    counted = census(fresh(sample.decks))
    tied = sum(ways for coup, ways in counted.items() if coup.margin == 0)
    apart = 1 - Fraction(tied, sum(counted.values()))
    assert exact(wager["resolved_frequency"]) == apart
    assert exact(wager["edge_per_resolved"]) * apart == exact(wager["house_edge"])
    assert exact(wager["return_to_player"]) == 1 - exact(wager["house_edge"])
    text = " ".join(called("par", "--submission", sample.path, "--wager", "banker").stdout.split())
    edge, share = (f"{float(one * 100):.4f}%" for one in (exact(wager["house_edge"]), apart))
    assert f"divided by the {share} of bets whose whole stake is won or lost" in text
    assert f"by all bets, a tie that takes part of the stake included, it is {edge}" in text


def test_the_sheet_of_one_wager_has_the_clauses_and_readings_on_which_it_rests() -> None:
    submission = ("--submission", ROOT / "submissions" / "nj-minibaccarat.toml")
    whole = sheet_of(*submission)
    tie = sheet_of(*submission, "--wager", "tie")
    assert [one["id"] for one in tie["wagers"]] == ["tie"]
    assert tie["clauses"].keys() == {*tie["drawing"]["cites"], *tie["wagers"][0]["cites"]}
    assert tie["reading_texts"].keys() == {"T10", "T17"}
    assert tie["reading_texts"].items() < whole["reading_texts"].items()
    assert tie["readings"] == whole["readings"]
    assert whole["reading_texts"].keys() >= whole["readings"].keys()
